"""Blindfold play: information sets, strategies, certificates and their judge."""

from noughts.blindfold.answer import PARTS, BlindAnswer
from noughts.blindfold.api import solve_blindfold
from noughts.blindfold.certificates.judge import Verdict, judge
from noughts.blindfold.game.plans import Plan, Strategy
from noughts.blindfold.game.rules import BlindRules

__all__ = ["PARTS", "BlindAnswer", "BlindRules", "Plan", "Strategy", "Verdict", "judge", "solve_blindfold"]
