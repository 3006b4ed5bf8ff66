"""Games against replies at random, and what they say about all games: Clopper-Pearson intervals, which are exact."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from noughts.bots.referee.lines import Questions
from noughts.bots.referee.score import History, Score
from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.machine.progress import Progress, silent

__all__ = ["CONFIDENCE", "Interval", "clopper_pearson", "play_games"]

CONFIDENCE = 0.99
"""How sure an interval is: in so many of all samples, at least, it holds the chance."""


@dataclass(frozen=True)
class Interval:
    """Between which bounds a chance lies, with the confidence CONFIDENCE, given how often something was seen."""

    low: float
    high: float

    def as_dict(self) -> dict[str, object]:
        """Return the bounds for JSON, with the confidence."""
        return {"low": self.low, "high": self.high, "confidence": CONFIDENCE, "method": "Clopper-Pearson"}


def clopper_pearson(seen: int, games: int, confidence: float = CONFIDENCE) -> Interval:
    """Return the interval of C. J. Clopper and E. S. Pearson (Biometrika 26, 1934) for a chance seen so often.

    It holds the chance in at least that share of samples, whatever the chance: no approximation by a normal curve.
    """
    from scipy.special import betaincinv

    rest = (1 - confidence) / 2
    low = 0.0 if seen == 0 else float(betaincinv(seen, games - seen + 1, rest))
    high = 1.0 if seen == games else float(betaincinv(seen + 1, games - seen, 1 - rest))
    return Interval(low, high)


def play_games(
    board: Board, score: Score, questions: Questions, games: int, seed: str, progress: Progress = silent
) -> None:
    """Play so many games against replies at random, each as likely as the others, and take note in `score`."""
    random = Random(seed)
    for number in range(games):
        if questions.broken_off:
            return
        at: Position = Position(board)
        history: History = ()
        while not at.is_terminal:
            if at.to_move == score.role:
                cell = questions.ask(score, at, history)
                if cell is None:
                    break
            else:
                cell = random.choice(at.moves())
            at, history = at.play(cell), (*history, cell)
        else:
            score.finish(at, history, 1)
        progress(number + 1, games, "games played")
