"""What `noughts.analysis` offers, one name a line: type checkers read this file, and so does `__init__.py`."""

from noughts.analysis.explain.explanation import Explanation as Explanation
from noughts.analysis.explain.facts import ValuedMove as ValuedMove
from noughts.analysis.explain.openings import OpeningTheory as OpeningTheory
from noughts.analysis.explain.openings import Punishments as Punishments
from noughts.analysis.explain.openings import punishments as punishments
from noughts.analysis.explain.review import Review as Review
from noughts.analysis.meanings.known import KnownSequence as KnownSequence
from noughts.analysis.meanings.known import SequenceMatches as SequenceMatches
from noughts.analysis.meanings.known import look_up_sequence as look_up_sequence
from noughts.analysis.meanings.meaning import Meanings as Meanings
from noughts.analysis.payoff.fairness import Fairest as Fairest
from noughts.analysis.payoff.fairness import Running as Running
from noughts.analysis.payoff.fairness import Schemes as Schemes
from noughts.analysis.payoff.fairness import compare_points as compare_points
from noughts.analysis.payoff.fairness import fairest_points as fairest_points
from noughts.analysis.payoff.fairness import running_score as running_score
from noughts.analysis.payoff.guarantee import Guarantee as Guarantee
from noughts.analysis.payoff.patterns import Patterns as Patterns
from noughts.analysis.payoff.patterns import force as force
from noughts.analysis.payoff.playout import Match as Match
from noughts.analysis.payoff.points import Payoff as Payoff
from noughts.analysis.payoff.points import secure as secure
from noughts.analysis.payoff.sampling import SampledMatch as SampledMatch
from noughts.analysis.payoff.sampling import sampled_match as sampled_match
from noughts.analysis.policies.playing import Playing as Playing
from noughts.analysis.puzzles.puzzle import Puzzle as Puzzle
from noughts.analysis.puzzles.puzzle import Puzzles as Puzzles
from noughts.analysis.records.api import Positions as Positions
from noughts.analysis.records.api import catalogue as catalogue
from noughts.analysis.records.catalogue import Catalogue as Catalogue
from noughts.analysis.records.comparison import Comparison as Comparison
from noughts.analysis.records.comparison import GameComparison as GameComparison
from noughts.analysis.records.comparison import same_games as same_games
from noughts.analysis.records.full import FullRecord as FullRecord
from noughts.analysis.records.record import Record as Record
from noughts.analysis.records.record import Selection as Selection
from noughts.analysis.trees import GameTree as GameTree

__all__: list[str]
