"""Blindfold play: information sets, strategies, certificates and their judge."""

from noughts.blindfold.game import BlindRules, Plan, Strategy
from noughts.blindfold.inquiry import PARTS, BlindAnswer
from noughts.blindfold.judge import Verdict, judge
from noughts.blindfold.session import solve_blindfold

__all__ = ["PARTS", "BlindAnswer", "BlindRules", "Plan", "Strategy", "Verdict", "judge", "solve_blindfold"]
