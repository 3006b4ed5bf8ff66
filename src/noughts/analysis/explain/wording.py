"""Short words for positions, moves, values and endings, as sentences and labels have them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from noughts.rules.board import Board
from noughts.rules.cells import cell_name, move_name
from noughts.rules.marks import Cell, Outcome, Player, cells_of, opponent
from noughts.rules.play import EndRule
from noughts.rules.position import Position
from noughts.rules.values import begun

DRAWN = ("draw", "either can force a draw")
LABELS = ("X wins", "X can force a win", *DRAWN, "O can force a win", "O wins")
"""The labels of a position: decided or not, won or drawn. (mathrec.org, "Tic-Tac-Toe", 2002.)"""
LABEL_WORDS = {
    "X control": "X can force a win",
    "O control": "O can force a win",
    "force tie": "either can force a draw",
    "tie": "draw",
    "cat's game": "draw",
}
"""Other words for labels: those of mathrec.org, which writes X Wins, X control, Draw and force tie."""


def read_label(text: str) -> str | None:
    """Return the label that a text means, in any case and with `-` or `_` for spaces; None if it means none.

    X is also the first player, and O the second one.
    """
    word = " ".join(text.lower().replace("-", " ").replace("_", " ").split())
    for player, name in (("x", "first player"), ("o", "second player")):
        word = word.removeprefix("the ").replace(name, player)
    known = {each.lower(): each for each in LABELS} | {each.lower(): label for each, label in LABEL_WORDS.items()}
    return known.get(word)


Quality = Literal["keeps", "gives up a win", "loses", "lost before"]
"""What a move does to the value that its player had.

`keeps`: the value stays. `gives up a win`: a won position becomes a draw. `loses`: a won or drawn position becomes a
lost one. `lost before`: the position was lost already, and no move can change that.
"""

NAMED = 8
"""The most cells that a sentence names one by one."""


def label(outcome: Outcome, decided: bool, board: Board | None = None) -> str:
    """Return the label of a position: `X wins` or `draw` if every play ends so, else who can force what.

    On a board whose marks do not name the players it has their names.

    >>> label("X", True), label("X", False), label("draw", False)
    ('X wins', 'X can force a win', 'either can force a draw')
    """
    if outcome == "draw":
        return DRAWN[not decided]
    winner = outcome if board is None else board.rules.name_of(outcome)
    return f"{winner} wins" if decided else f"{winner} can force a win"


def listed(words: list[str], joiner: str = "and") -> str:
    """Return words as a list in prose: `a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joiner} {words[-1]}"


def named_cells(board: Board, cells: Iterable[Cell], joiner: str = "and") -> str:
    """Return the names of moves as a list in prose."""
    return listed([move_name(board, cell) for cell in cells], joiner)


_KINDS = ("corner", "edge", "centre")


def cell_kind(board: Board, cell: Cell) -> str | None:
    """Return `corner`, `edge` or `centre` for a cell of a flat board with those three kinds, else None."""
    if board.shape != (3, 3, 1) or board.torus:
        return None
    return _KINDS[(cell // 3 == 1) + (cell % 3 == 1)]


def spots(position: Position, cells: Iterable[Cell], joiner: str = "and") -> str:
    """Return blank cells in words, every one of them: `the corners and b2 (centre)`, with `or` `any corner`.

    Beyond NAMED names it gives their number and the first.
    """
    board, left, words = position.board, sorted(cells), list[str]()
    if board.rules.chooses_mark:
        words, left = [move_name(board, move) for move in left], []
    for kind in _KINDS[:2] if left else ():
        alike = [cell for cell in cells_of(position.blanks) if cell_kind(board, cell) == kind]
        if len(alike) > 1 and set(alike) <= set(left):
            words.append(f"any {kind}" if joiner == "or" else f"the {kind}s")
            left = [cell for cell in left if cell not in alike]
    for cell in left:
        name = cell_kind(board, cell)
        words.append(cell_name(board, cell) + f" ({name})" * (name is not None and len(left) == 1))
    what = "moves" if board.rules.chooses_mark else "cells"
    return listed(words, joiner) if len(words) <= NAMED else f"{len(left or words)} {what} such as {words[0]}"


def moves_to_win(remoteness: int) -> int:
    """Return the number of moves that the side with the last move makes in so many plies.

    That side completes a line: it wins, or loses under misere.

    >>> moves_to_win(1), moves_to_win(2), moves_to_win(5)
    (1, 1, 3)
    """
    return (remoteness + 1) // 2


def in_moves(remoteness: int, end: EndRule = "line", *, at_most: bool = False) -> str:
    """Return `in 1 move`, `in 3 moves`, `in at most 3 moves`: how soon a game of so many plies is won.

    Under the other end rules either side may make the last move, so the words count plies. A game whose outcome is
    decided by then is not called won.

    >>> in_moves(5), in_moves(5, "decided"), in_moves(2, at_most=True)
    ('in 3 moves', '(decided in 5 plies)', 'in at most 1 move')
    """
    if end != "line":
        plies = f"in {remoteness:,} {'ply' if remoteness == 1 else 'plies'}"
        return f"(decided {plies})" if end == "decided" else plies
    moves = moves_to_win(remoteness)
    return f"in {'at most ' * at_most}{moves:,} move{'s' * (moves != 1)}"


def length_rule(board: Board, end: EndRule = "line") -> EndRule:
    """Return the end rule whose words give lengths: plies where a full board wins, as either side may move last."""
    return "full" if end == "line" and board.rules.full_wins else end


def counted(board: Board, end: EndRule = "line") -> str:
    """Return for a legend or a caption what lengths on a board count."""
    if end == "line" and board.rules.full_wins:
        return "plies to the end of the game"
    if end != "line":
        return "plies until " + ("the outcome is decided" if end == "decided" else "the board is full")
    if board.misere:
        return f"the moves of the side that has to complete {last_line(board)}, and so loses"
    return "the moves of the side that wins"


def outlook(
    label: str, outcome: Outcome, remoteness: int | None, end: EndRule = "line", *, at_most: int | None = None
) -> str:
    """Return the label of a position and how soon it is won: `X can force a win in 3 moves`; for a draw only the label.

    `at_most` bounds the plies to the end if only a bound is known.

    >>> outlook("X can force a win", "X", 5), outlook("draw", "draw", 3)
    ('X can force a win in 3 moves', 'draw')
    >>> outlook("X can force a win", "X", None, at_most=7)
    'X can force a win in at most 4 moves'
    """
    if outcome == "draw" or (remoteness is None and at_most is None):
        return label
    return f"{label} {in_moves(at_most or 0, at_most=True) if remoteness is None else in_moves(remoteness, end)}"


def quality(mover: Player, before: Outcome | None, after: Outcome | None) -> Quality | None:
    """Return what a move does, from the outcomes under best play before and after it; None if they do not decide it.

    >>> quality("O", "draw", "X"), quality("O", "X", "X"), quality("O", "O", "draw"), quality("O", "O", "X")
    ('loses', 'lost before', 'gives up a win', 'loses')
    """
    if after == mover:
        return "keeps"
    if before is None or after is None:
        return None
    if before == opponent(mover):
        return "lost before"
    if before == after:
        return "keeps"
    return "gives up a win" if after == "draw" else "loses"


def verdict(
    mover: Player, before: Outcome | None, after: Outcome | None, remoteness: int | None, end: EndRule = "line"
) -> str:
    """Return what a move does for its player: `wins in 3 moves`, `draws`, `loses in 2 moves`.

    `remoteness` counts the plies after the move. The words count moves as `in_moves` does, this one included. A move in
    a position that was lost before gives `lost in 2 moves`.
    """
    if after is None:
        return "not found"
    if after == "draw":
        return "gives up the win" if quality(mover, before, after) == "gives up a win" else "draws"
    word = "wins" if after == mover else "loses" if quality(mover, before, after) == "loses" else "lost"
    return word if remoteness is None else f"{word} {in_moves(remoteness + 1, end)}"


def verdict_with_winner(
    board: Board, mover: Player, before: Outcome | None, after: Outcome | None, remoteness: int | None
) -> str:
    """Return what a move does; for a lost game also who wins it and how soon, as the cells of a page show it.

    `remoteness` counts the plies after the move.
    """
    if after != opponent(mover) or remoteness is None:
        return verdict(mover, before, after, remoteness, length_rule(board))
    wins = f"{board.rules.name_of(after)} wins {in_moves(remoteness + 1, length_rule(board))}"
    words = {"loses": f"loses ({wins})", "lost before": f"was lost already ({wins})"}
    return words.get(quality(mover, before, after) or "", wins)


def completed_lines(position: Position) -> tuple[tuple[Cell, ...], ...]:
    """Return the completed lines, each in reading order: those of the winner, or under misere of the loser."""
    return tuple(tuple(cells_of(line)) for player in ("X", "O") for line in position.completed_lines(player))


def line_words(position: Position) -> str:
    """Return the completed lines in words: `the line a1-b1-c1`, or `the lines a1-b1-c1 and a1-a2-a3`."""
    named = ["-".join(cell_name(position.board, cell) for cell in line) for line in completed_lines(position)]
    return f"the line{'s' * (len(named) > 1)} {listed(named)}"


def last_line(board: Board) -> str:
    """Return the line that ends the game in words: `a line`, or with several boards `the last line`."""
    return "a line" if board.rules.boards == 1 else "the last line"


def ending(position: Position) -> str:
    """Return how a finished game ended as a clause: `X has won with the line a1-b1-c1`, `the game is drawn: ...`."""
    outcome, rules = position.outcome, position.board.rules
    if outcome is None or outcome == "draw":
        line = "neither player has a line" if rules.alternating else "it has no line"
        return f"the game is drawn: the board is full and {line}"
    winner, loser = rules.name_of(outcome), rules.name_of(opponent(outcome))
    if not completed_lines(position):
        return f"{winner} has won: the board is full without a line"
    if position.board.misere:
        what = line_words(position) if rules.boards == 1 else last_line(position.board)
        return f"{winner} has won: {loser} has completed {what}, which loses{' under misere' * rules.misere}"
    return f"{winner} has won with {line_words(position)}"


def ending_sentence(position: Position) -> str:
    """Return how a finished game ended as a sentence."""
    return f"{begun(ending(position))}."


def how_it_goes(board: Board) -> str:
    """Return the difference from normal play in a sentence; empty for normal play."""
    rules = board.rules
    words = rules.clause if rules.alternating else ": ".join(filter(None, (rules.places, rules.goal)))
    return f"{begun(words)}." if words else ""
