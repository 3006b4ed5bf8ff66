"""Readings of numbers from play: trees with their scores, values ply by ply, chances when policies meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial, reduce
from itertools import product
from operator import add
from typing import Any

from noughts.analysis.meanings.meaning import Meaning, complexity_of
from noughts.analysis.payoff.playout import versus
from noughts.analysis.trees import tree
from noughts.counting.census import Census
from noughts.counting.conventions import Answers, ladder
from noughts.counting.derivation import derivation
from noughts.counting.engines import answer, count
from noughts.counting.question import SAMENESSES, Question, command_of, convention
from noughts.machine.budget import Limits
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell
from noughts.rules.play import END_RULES, EndRule, MoveRule
from noughts.rules.position import Position
from noughts.solving.classgraph import ClassGraph, class_graph
from noughts.solving.engines import count_values
from noughts.solving.problem import Problem
from noughts.solving.values import Split

_POLICIES = ("random", "win", "block", "fork", "perfect")


def opening_cells(board: Board) -> tuple[Cell, ...]:
    """Return the first moves up to symmetry, each by its first cell."""
    orbit = board.group().orbit
    return tuple(cell for cell in range(board.cells) if 1 << cell == min(x for x, _ in orbit(1 << cell, 0)))


def tree_readings(board: Board) -> Iterator[Meaning]:
    """Yield the sizes and the scores of the reduced trees: of the board, and after each first move up to symmetry."""
    plain = complexity_of(board) + 6
    start = Position(board)
    firsts = [cell_name(board, cell) for cell in opening_cells(board) if not start.play(cell).is_terminal]
    for opening in (None, *firsts):
        found = tree(board, opening=opening)
        if len(found.nodes) < 2:
            continue
        of = "the reduced tree" + (f" after {opening}" if opening else "")
        command = f"noughts tree {board.spec}" + (f" --opening {opening}" if opening else "")
        yield Meaning(len(found.nodes), board.spec, f"position classes of {of}", "", command, plain)
        yield Meaning(len(found.links), board.spec, f"edges of {of}", "", command, plain + 1)
        ends = sum(node.end is not None for node in found.nodes)
        yield Meaning(ends, board.spec, f"ends of {of}", "", command, plain + 1)
        for score, how in ((found.root.score, "move"), (found.root.score_distinct, "distinct class")):
            if score is not None:
                said = f"score of {of} for X, every {how} counted once"
                yield Meaning(score, board.spec, said, "", command, plain + (how != "move"))


def value_readings(board: Board) -> Iterator[Meaning]:
    """Yield how many positions each side wins with best play, ply by ply and in all, as boards and as classes."""
    rows = count_values(Problem(board, None, remoteness=False, counts_only=True))
    whole = reduce(add, rows)
    for ply, row in ((None, whole), *((row.ply, row) for row in rows)):
        yield from _split(board, ply, "labelled", row.labelled)
        yield from _split(board, ply, "symmetry", row.symmetry)


def _split(board: Board, ply: int | None, same: str, split: Split) -> Iterator[Meaning]:
    noun = "positions" if same == "labelled" else "position classes"
    where = "" if ply is None else f" at ply {ply}"
    command = f"noughts solve {board.spec} --by-ply --same {same}"
    more = 5 + (same != "labelled") + 3 * (ply is not None)
    words = {"x_wins": "that X wins with best play", "draws": "drawn with best play",
             "o_wins": "that O wins with best play"}  # fmt: skip
    for name, said in words.items():
        if value := getattr(split, name):
            what = f"{noun}{where} {said}, finished ones included"
            yield Meaning(value, board.spec, what, "", command, complexity_of(board) + more)


def chance_readings(board: Board) -> Iterator[Meaning]:
    """Yield the exact chances when simple policies meet."""
    for x, o in product(_POLICIES, _POLICIES):
        found = versus(board, x=x, o=o)
        chances = {"that X wins": found.x_wins, "that O wins": found.o_wins, "of a draw": found.draws}
        more = 4 + 2 * (x != "random") + 2 * (o != "random") + (x != o)
        for said, chance in chances.items():
            what = f"chance {said} when X plays {x} and O plays {o}, each choosing evenly among its moves"
            command = f"noughts match {board.spec} --x {x} --o {o}"
            yield Meaning(chance, board.spec, what, "", command, complexity_of(board) + more)


# Readings of numbers from the graph of positions: its moves, the games that end in a class, wins by kind of line.


def graph_readings(board: Board) -> Iterator[Meaning]:
    """Yield the readings of a small board in two dimensions."""
    plain = complexity_of(board)
    graph = class_graph(board)
    yield from _moves(board, graph, plain)
    said = "cells distinguishable, X starts, a game ends at a line or a full board"
    for step in derivation(count(board)):
        for won in step.won_by:
            what = f"games that {won.player} wins at ply {step.ply} by {won.by}"
            yield Meaning(won.games, board.spec, what, said, f"noughts count {board.spec} --explain", plain + 8)
    yield from _endings(board, graph, plain)


def _moves(board: Board, graph: ClassGraph, plain: int) -> Iterator[Meaning]:
    inner = [node for node in graph.nodes if node.outcome is None]
    labelled = sum(node.orbit * moves.bit_count() for node in inner for _, moves in node.children)
    blanks = sum(moves.bit_count() for node in inner for _, moves in node.children)
    classes = sum(len(node.children) for node in inner)
    joined = "moves join classes on moves.class = classes.position"
    boards = f"noughts query {board.spec} 'select sum(orbit * times) from {joined}'"
    tree = f"noughts tree {board.spec} --kind full"
    keeps = "that keeps what it knows"
    found = (
        (labelled, "moves between reachable boards (edges of their graph)", boards, 2),
        (
            labelled + 1,
            f"calls of a minimax {keeps}: one for each move between reachable boards, and the first",
            boards,
            4,
        ),
        (classes, "moves between position classes (edges of their graph), those to one class counted once", tree, 3),
        (classes + 1, f"calls of a minimax on position classes {keeps}: one for each edge, and the first", tree, 5),
        (blanks, "moves of one board of each position class, whatever class they lead to", tree, 4),
    )
    for value, what, command, more in found:
        yield Meaning(value, board.spec, what, "", command, plain + more)


def _endings(board: Board, graph: ClassGraph, plain: int) -> Iterator[Meaning]:
    """Yield how many games end in each terminal class, cells distinguishable and by choices."""
    paths, choices = [0] * len(graph.nodes), [0] * len(graph.nodes)
    paths[0] = choices[0] = 1
    for number, node in enumerate(graph.nodes):
        for child, moves in node.children:
            paths[child] += paths[number] * moves.bit_count()
            choices[child] += choices[number]
        if node.outcome is not None:
            end = Position(board, node.state.x, node.state.o)
            said = f"games that end in {end} or a board that is the same turned or mirrored"
            for value, how, more in ((paths[number], "cells distinguishable", 9), (choices[number], "by choices", 10)):
                command = f"noughts explain {board.spec} '{end}'"
                yield Meaning(value, board.spec, said, how, command, plain + more)


# Readings of numbers from censuses: totals, single plies, the moves between them, and the ladder of positions.


@dataclass(frozen=True)
class _Column:
    """What is read from a row of counts: in words for a total and for one ply, and how much has to be said of it."""

    total: str
    at_ply: str
    complexity: int
    count: Callable[[Any], int | None]
    positions: bool = False


def _named(name: str) -> Callable[[Any], int | None]:
    def count(row: Any) -> int | None:
        found: int | None = getattr(row, name)
        return found

    return count


def _joined(first: str, second: str, sign: int) -> Callable[[Any], int | None]:
    def count(row: Any) -> int | None:
        one, other = getattr(row, first), getattr(row, second)
        return None if one is None or other is None else one + sign * other

    return count


def _edges(row: Any) -> int | None:
    return None if row.paths is None else row.paths - 1


_NODES = "partial games, the empty one included (nodes of the game tree)"
_COLUMNS = (
    _Column("finished games", "finished games", 0, _named("finished")),
    _Column("positions", "positions", 0, _named("positions"), positions=True),
    _Column("games won by X", "games won by X", 1, _named("x_wins")),
    _Column("games won by O", "games won by O", 1, _named("o_wins")),
    _Column("drawn games", "drawn games", 1, _named("draws")),
    _Column("games won by either", "games won by either", 2, _joined("x_wins", "o_wins", 1)),
    _Column("terminal positions", "terminal positions", 1, _named("terminal_positions"), positions=True),
    _Column("terminal positions won by X", "terminal positions won by X", 1, _named("terminal_x"), positions=True),
    _Column("terminal positions won by O", "terminal positions won by O", 1, _named("terminal_o"), positions=True),
    _Column("drawn terminal positions", "drawn terminal positions", 1, _named("terminal_draw"), positions=True),
    _Column("terminal positions won by either", "terminal positions won by either", 1,
            _joined("terminal_x", "terminal_o", 1), positions=True),
    _Column("unfinished positions", "unfinished positions", 1, _joined("positions", "terminal_positions", -1),
            positions=True),
    _Column(_NODES, "partial games", 2, _named("paths")),
    _Column("moves of the game tree (its edges: all partial games but the empty one)", "", 2, _edges),
    _Column("", "partial games that go on", 3, _joined("paths", "finished", -1)),
)  # fmt: skip


def census_readings(censuses: Iterable[Census], *, plies: bool = True) -> Iterator[Meaning]:
    """Yield what each census says: totals first, then single plies where both play by one rule."""
    for census in censuses:
        for column in _columns(census.question):
            total = column.count(census.totals)
            if column.total and total is not None:
                headline = column.total == "finished games" and _is_usual(census.question)
                yield _reading(census.question, column.total, column.complexity, total, headline=headline)
        if plies and census.question.x_moves == census.question.o_moves:
            yield from _plies(census)


def _is_usual(question: Question) -> bool:
    return question.x_moves == question.o_moves and question.start is None


def _plies(census: Census) -> Iterator[Meaning]:
    for row in census.plies:
        for column in _columns(census.question):
            count = column.count(row)
            if column.at_ply and count:
                yield _reading(census.question, f"{column.at_ply} at ply {row.ply}", column.complexity + 3, count)


def _columns(question: Question) -> Iterator[_Column]:
    """Yield the columns that say something of their own: position classes by choices are those up to symmetry."""
    for column in _COLUMNS:
        if not (column.positions and question.same == "choices"):
            yield column


_SAMENESS = {"labelled": 0, "symmetry": 1, "choices": 2}


def _reading(question: Question, what: str, complexity: int, value: int, *, headline: bool = False) -> Meaning:
    if question.same != "labelled":
        what = what.replace("positions", "position classes")
    complexity += _SAMENESS[question.same] + (7 if question.start is not None else 0)
    complexity += complexity_of(question.board, question.x_moves, question.o_moves, question.end, question.symmetry)
    complexity += 0 if question.starts == "X" else 4
    command = command_of(question)
    return Meaning(value, question.board.spec, what, convention(question), command, complexity, headline=headline)


_ALIKE = "boards that a symmetry of the board turns into each other count once"


def ladder_readings(board: Board, answers: Answers | None = None) -> Iterator[Meaning]:
    """Yield the counts of positions from naive to exact, as many as fit the budget."""
    for rung in ladder(board, answers):
        if rung.count is not None:
            command = f"noughts count {board.spec}"
            alike = _ALIKE if "classes" in rung.meaning else ""
            yield Meaning(rung.count, board.spec, rung.meaning, alike, command, complexity_of(board), headline=True)


# What a board gives to the index: all that is quick to compute of it.

FIRST = "3x3"
"""The board whose numbers are asked for most."""

SMALL = ("2x2", "2x3", "2x4", "2x2x2", "3x3+torus", "3x3+misere", "1x3", "1x4", "1x5")
"""Other boards on which all conventions are quick to compute, the most asked for first."""

LARGER = ("3x4", "4x4", "4x4:3", "3x5:3", "3x6:3", "4x5:4", "5x5", "5x5:4", "6x6")
"""Boards on which free play is counted, where nothing else has given a number."""

LISTED_CELLS = 9
"""Cells up to which a board is put under every convention, its positions listed."""

VALUED_CELLS = 16
"""Cells up to which every position of a board is solved."""

EACH_SECONDS, ASKED_SECONDS = 2.5, 5.0
"""What one count of a larger board may take, by the estimate of its engine; and where that board is asked about."""


def readings_of(board: Board) -> list[Callable[[], Iterator[Meaning]]]:
    """Return what yields the readings of a board, in turn, as far as one is needed: all conventions if they are quick
    to list; else free play until a line, then the other ends.
    """
    if board.cells <= LISTED_CELLS:
        return [partial(small_readings, board, whole=True), partial(_more_readings, board)]
    return [partial(large_readings, board, ASKED_SECONDS, ends) for ends in (("line",), ("full", "decided"))]


def small_readings(board: Board, *, whole: bool = False) -> Iterator[Meaning]:
    """Yield the readings of a board under every convention.

    `whole`: the openings as well, and the positions with their moves and values.
    """
    yield from ladder_readings(board)
    rules = board.rules.move_rules
    pairs = [(rule, rule) for rule in rules]
    yield from census_readings(_counted(board, pairs))
    if board.group().order != board.group("lines").order:
        found = (Question(board, same, symmetry="lines") for same in SAMENESSES if same != "labelled")
        with suppress(BudgetError):  # a group too large to list: any permutation of cells, say
            yield from census_readings(map(_census, found))
    if whole:
        either = (Question(board, same, end=end, starts="either") for end, same in product(END_RULES, SAMENESSES))
        yield from census_readings(map(_census, either), plies=False)
        yield from _openings(board)
        yield from value_readings(board)
        if not board.misere:
            yield from tree_readings(board)
        if board.shape is not None and board.shape[2] == 1:
            yield from graph_readings(board)


def _more_readings(board: Board) -> Iterator[Meaning]:
    """Yield what takes more words: X and O by different rules."""
    rules = board.rules.move_rules
    mixed = [pair for pair in product(rules, rules) if pair[0] != pair[1]]
    yield from census_readings(_counted(board, mixed), plies=False)


def _census(question: Question) -> Census:
    return answer(question, engine="layered")


def _counted(board: Board, pairs: list[tuple[MoveRule, MoveRule]]) -> Iterator[Census]:
    for (x_rule, o_rule), end, same in product(pairs, END_RULES, SAMENESSES):
        yield _census(Question(board, same, x_rule, o_rule, end))


def _openings(board: Board) -> Iterator[Meaning]:
    for cell in opening_cells(board):
        start = Position(board).play(cell)
        if not start.is_terminal:
            questions = (Question(board, same, start=start) for same in SAMENESSES)
            yield from census_readings(map(_census, questions), plies=False)


def large_readings(
    board: Board, seconds: float = EACH_SECONDS, ends: tuple[EndRule, ...] = ("line",)
) -> Iterator[Meaning]:
    """Yield the readings of free play on a board, as many as each fit the time; and the values of its positions."""
    answers = Answers(Limits.of(None, seconds))
    yield from ladder_readings(board, answers)
    for end, same in product(ends, SAMENESSES):
        try:
            census = answers.census(Question(board, same, end=end))
        except BudgetError:
            continue
        yield from census_readings([census])
    if board.cells <= VALUED_CELLS and "line" in ends:
        yield from value_readings(board)
