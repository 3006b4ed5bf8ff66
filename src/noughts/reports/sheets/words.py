"""Titles of worksheets, what to do on them, and the commands that make them again."""

from __future__ import annotations

import shlex

from noughts.blindfold.pure.instructions import how_to_read
from noughts.domain.board import Board
from noughts.reports.bots.matchboxes import alike_words, goal_words
from noughts.worksheets.api import KINDS, usual
from noughts.worksheets.exercise import Worksheet

__all__ = ["PAPERS", "again", "instructions", "title"]

PAPERS = ("a4", "letter")
"""Papers that worksheets are printed on, the usual one first."""
_TITLES = {
    "win": "Find the winning move",
    "tree": "Finish the tree",
    "same": "Which boards are the same?",
    "count": "Count the endings",
    "possible": "Is this position possible?",
    "who-wins": "Who wins?",
    "blindfold": "Play blindfold",
    "blank": "Boards to play on",
    "flash-cards": "Flash cards",
}
assert _TITLES.keys() == KINDS.keys()


def title(sheet: Worksheet) -> str:
    """Return the title of a worksheet."""
    return _TITLES[sheet.kind]


def instructions(sheet: Worksheet) -> list[str]:
    """Return what to do, in paragraphs: the rule of the game first where the exercises are about play."""
    board, many = sheet.board, len(sheet)
    each = "On each board one" if many > 1 else "One"
    said = {
        "win": f"{each} move alone wins against every answer. Draw it.",
        "tree": "Draw the boards that can follow, one for each move, until the game is over. Below each write who wins "
        "from there if both play as well as they can: X, O or draw.",
        "same": f"Are the two boards the same{_when(board)}? Tick one.",
        "count": "Go on from each board in every order of moves. How many different games are there, and how do they "
        "end?",
        "possible": "X starts, the players take turns, and the first line ends the game. Can play lead to this board? "
        "Tick one, and say why.",
        "who-wins": "Both play as well as they can. Who wins? Tick one.",
        "blindfold": "X does not see the board and follows the list, with which X never loses. O sees everything, and "
        "says whether a cell that X calls is taken: then X calls again. Write down all that X calls until the game is "
        f"over, and how it ends. The board is there to keep the marks on. {how_to_read(sheet.rules)}".rstrip(),
        "blank": "",
        "flash-cards": "",
    }[sheet.kind]
    rule = [] if sheet.kind in ("same", "blank") else [goal_words(board)]
    return [*rule, *[said] * bool(said)]


def _when(board: Board) -> str:
    alike = alike_words(board)
    return f" when one of them is {alike}" if alike else ""


def again(sheet: Worksheet, more: str = "", paper: str = PAPERS[0]) -> str:
    """Return the command that makes the same worksheet, on this paper."""
    words = [f"noughts sheet {sheet.board} --kind {sheet.kind}"]
    words += [f"--number {len(sheet)}"] if len(sheet) != usual(sheet.kind) else []
    words += [f"--seed {shlex.quote(sheet.seed)}"] if sheet.seed != "0" else []
    words += [f"--paper {paper}"] if paper != PAPERS[0] else []
    return " ".join([*words, *[more] * bool(more)])
