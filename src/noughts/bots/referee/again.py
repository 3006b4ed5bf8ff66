"""Does a player answer the same when it is asked the same? Questions asked again, in another order, after a new start.

By positions the same position is told by another sequence of moves, for then the answer must not depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from noughts.bots.referee.earlier import TwoAnswers
from noughts.bots.referee.lines import AskedPlayer
from noughts.bots.referee.score import History
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import CheckError
from noughts.strategy.external import Foul

__all__ = ["asked_again"]

Answers = Sequence[tuple[History, Cell]]
_MANY = 40


def asked_again(
    board: Board, player: AskedPlayer, answers: Answers, seed: str, *, by_position: bool
) -> TwoAnswers | None:
    """Return a question that is answered otherwise now; None where all are answered as before.

    The player is started anew before, and half way where there are many. A question that gets no move now is answered
    otherwise.
    """
    random = Random(seed)
    questions = list(answers)
    random.shuffle(questions)
    for number, (history, cell) in enumerate(questions):
        told = _otherwise(history, random) if by_position else history
        try:
            if number == 0 or (len(questions) > _MANY and number == len(questions) // 2):
                player.restart()
            now = player.reply(told)
        except (Foul, CheckError) as failed:
            return TwoAnswers(told, cell, None, str(failed))
        if now != cell:
            return TwoAnswers(told, cell, now, f"it played {cell_name(board, now)}")
    return None


def _otherwise(history: History, random: Random) -> History:
    """Return the moves in another order, each player's among themselves: the same marks."""
    x, o = list(history[::2]), list(history[1::2])
    random.shuffle(x)
    random.shuffle(o)
    return tuple((x if n % 2 == 0 else o)[n // 2] for n in range(len(history)))
