"""Readings of numbers from a board: censuses, trees and their scores, values ply by ply, chances, the class graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from operator import add
from typing import Any, NamedTuple

from noughts.analysis.explain.facts import move_classes
from noughts.analysis.meanings.meaning import Meaning, complexity_of
from noughts.analysis.payoff.playout import versus
from noughts.analysis.records.catalogue import path_counts
from noughts.analysis.trees import tree
from noughts.counting.census import Census
from noughts.counting.conventions import Answers, ladder
from noughts.counting.derivation import derivation
from noughts.counting.engines import answer
from noughts.counting.question import SAMENESSES, Question, command_of, convention, end_rules
from noughts.machine.budget import Limits
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError
from noughts.rules.game import QUICK_CLASSES, class_bound
from noughts.rules.marks import Cell
from noughts.rules.play import EndRule, MoveRule
from noughts.rules.position import Position
from noughts.solving.classgraph import ClassGraph, class_graph
from noughts.solving.engines import count_values
from noughts.solving.problem import Problem

FIRST = "3x3"
"""The most usual board."""
SMALL = ("2x2", "2x3", "2x4", "2x2x2", "3x3+torus", "3x3+misere", "1x3", "1x4", "1x5", "3x3+gravity")
"""Other boards on which all conventions are quick to compute, the most usual first."""
LARGER = (
    "3x4",
    "4x4",
    "4x4:3",
    "3x5:3",
    "3x6:3",
    "4x5:4",
    "5x5",
    "5x5:4",
    "6x6",
    "4x4:4+gravity",
    "3x3+wild",
    "3x3+notakto",
    "3x3+notakto*2",
)
"""Boards on which free play is counted if nothing else gives the number."""
LISTED_CELLS = 9
"""The most cells of a board that is counted under every convention."""
_LISTED_CLASSES = 2_000
"""The same as a bound on its position classes; 3x3 has 765, 3x3+wild more."""
VALUED_CELLS = 16
"""The most cells of a board whose positions are all solved."""
EACH_SECONDS, ASKED_SECONDS = 2.5, 5.0
"""The most seconds of one count of a larger board, by the estimate of its engine; the second if it was named."""
_POLICIES = ("random", "win", "block", "fork", "perfect")


def opening_cells(board: Board) -> tuple[Cell, ...]:
    """Return the first moves up to symmetry, each by its first cell."""
    return tuple(move for move, _ in move_classes(Position(board)))


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
        numbers: list[tuple[int | Fraction | None, str, int]] = [
            (len(found.nodes), f"position classes of {of}", 0),
            (len(found.links), f"edges of {of}", 1),
            (sum(node.end is not None for node in found.nodes), f"ends of {of}", 1),
            (found.root.score, f"score of {of} for X, every move counted once", 0),
            (found.root.score_distinct, f"score of {of} for X, every distinct class counted once", 1),
        ]
        for number, what, more in numbers:
            if number is not None:
                yield Meaning(number, board.spec, what, "", command, plain + more)


def value_readings(board: Board) -> Iterator[Meaning]:
    """Yield how many positions each side wins with best play, by ply and in all, as boards and as classes."""
    rows = count_values(Problem(board, None, remoteness=False, counts_only=True))
    words = {"x_wins": "that X wins with best play", "draws": "drawn with best play",
             "o_wins": "that O wins with best play"}  # fmt: skip
    for where, row in (("", reduce(add, rows)), *((f" at ply {row.ply}", row) for row in rows)):
        for same, noun in (("labelled", "positions"), ("symmetry", "position classes")):
            command = f"noughts solve {board.spec} --by-ply --same {same}"
            plain = complexity_of(board) + 5 + (same != "labelled") + 3 * bool(where)
            for name, phrase in words.items():
                if value := getattr(getattr(row, same), name):
                    what = board.rules.named(f"{noun}{where} {phrase}, finished ones included")
                    yield Meaning(value, board.spec, what, "", command, plain)


def chance_readings(board: Board) -> Iterator[Meaning]:
    """Yield the exact chances when simple policies meet."""
    for x, o in product(_POLICIES, _POLICIES):
        found = versus(board, x=x, o=o)
        chances = {"that X wins": found.x_wins, "that O wins": found.o_wins, "of a draw": found.draws}
        plain = complexity_of(board) + 4 + 2 * (x != "random") + 2 * (o != "random") + (x != o)
        command = f"noughts match {board.spec} --x {x} --o {o}"
        for phrase, chance in chances.items():
            what = f"chance {phrase} when X plays {x} and O plays {o}, each choosing evenly among its moves"
            yield Meaning(chance, board.spec, what, "", command, plain)


def graph_readings(board: Board) -> Iterator[Meaning]:
    """Yield the readings of a small flat board: moves, wins by kind of line, games that end in a class."""
    plain, graph = complexity_of(board), class_graph(board)
    yield from _moves(board, graph, plain)
    phrase = convention(Question(board))
    for step in derivation(answer(Question(board))):
        for won in step.won_by:
            what = board.rules.named(f"games that {won.player} wins at ply {step.ply} by {won.by}")
            yield Meaning(won.games, board.spec, what, phrase, f"noughts count {board.spec} --explain", plain + 8)
    for node, (paths, choices, *_) in zip(graph.nodes, path_counts(graph), strict=True):
        if node.outcome is not None:
            end = Position(board, node.state.x, node.state.o)
            what = f"games that end in {end} or a turned or mirrored image of it"
            command = f"noughts explain {board.spec} '{end}'"
            yield Meaning(paths, board.spec, what, "every order of moves counted", command, plain + 9)
            yield Meaning(choices, board.spec, what, "by choices", command, plain + 10)


def _moves(board: Board, graph: ClassGraph, plain: int) -> Iterator[Meaning]:
    edges = [(node.orbit, moves.bit_count()) for node in graph.nodes for _, moves in node.children]
    labelled, classes = sum(orbit * moves for orbit, moves in edges), len(edges)
    joined = "moves join classes on moves.class = classes.position"
    boards = f"noughts query {board.spec} 'select sum(orbit * times) from {joined}'"
    tree, calls = f"noughts tree {board.spec} --kind full", "that keeps what it knows: one for each"
    found = (
        (labelled, "moves between reachable boards (edges of their graph)", boards, 2),
        (labelled + 1, f"calls of a minimax {calls} move between reachable boards, and the first", boards, 4),
        (classes, "moves between position classes (edges of their graph), those to one class counted once", tree, 3),
        (classes + 1, f"calls of a minimax on position classes {calls} edge, and the first", tree, 5),
        (
            sum(moves for _, moves in edges),
            "moves of one board of each position class, each counted even if they lead to one class",
            tree,
            4,
        ),
    )
    for value, what, command, more in found:
        yield Meaning(value, board.spec, what, "", command, plain + more)


class _Column(NamedTuple):
    """A number in a row of counts: words for a total and for one ply, complexity, counts to add and to subtract."""

    total: str
    at_ply: str
    complexity: int
    plus: tuple[str, ...]
    minus: tuple[str, ...] = ()
    less: int = 0

    def number(self, row: Any) -> int | None:
        """Return the number in a row of counts, None where it was not counted."""
        plus, minus = ([getattr(row, name) for name in names] for names in (self.plus, self.minus))
        return None if None in (*plus, *minus) else sum(plus) - sum(minus) - self.less


def _plain(phrase: str, complexity: int, *plus: str) -> _Column:
    return _Column(phrase, phrase, complexity, plus)


_COLUMNS = (
    _plain("finished games", 0, "finished"),
    _plain("positions", 0, "positions"),
    _plain("games won by X", 1, "x_wins"),
    _plain("games won by O", 1, "o_wins"),
    _plain("drawn games", 1, "draws"),
    _plain("games won by either", 2, "x_wins", "o_wins"),
    _plain("terminal positions", 1, "terminal"),
    _plain("terminal positions won by X", 1, "terminal_x"),
    _plain("terminal positions won by O", 1, "terminal_o"),
    _plain("drawn terminal positions", 1, "terminal_draw"),
    _plain("terminal positions won by either", 1, "terminal_x", "terminal_o"),
    _Column("unfinished positions", "unfinished positions", 1, ("positions",), ("terminal",)),
    _Column("partial games, the empty one included (nodes of the game tree)", "partial games", 2, ("paths",)),
    _Column("moves of the game tree (its edges: all partial games but the empty one)", "", 2, ("paths",), less=1),
    _Column("", "partial games that go on", 3, ("paths",), ("finished",)),
)


def census_readings(censuses: Iterable[Census], *, plies: bool = True) -> Iterator[Meaning]:
    """Yield the numbers of each census: totals, then single plies if both players use one rule."""
    for census in censuses:
        question = census.question
        is_alike = question.x_moves == question.o_moves
        # Position classes by choices are those up to symmetry.
        columns = [each for each in _COLUMNS if question.same != "choices" or "positions" not in each.total]
        for column in columns:
            total = column.number(census.totals)
            if column.total and total is not None:
                usual = column.total == "finished games" and is_alike and question.start is None
                yield _reading(question, column.total, column.complexity, total, headline=usual)
        yield from _share_readings(census)
        for row, column in product(census.plies if plies and is_alike else (), columns):
            count = column.number(row)
            if column.at_ply and count:
                yield _reading(question, f"{column.at_ply} at ply {row.ply}", column.complexity + 3, count)


def _share_readings(census: Census) -> Iterator[Meaning]:
    """Yield the parts of all games under free play that X wins, that O wins, and that are drawn.

    On a filled board they are the chances of random play, and up to symmetry mostly those of all orders.
    """
    question, totals = census.question, census.totals
    usual = question.x_moves == question.o_moves == "any" and question.end == "line" and question.start is None
    if usual and question.same != "symmetry" and totals.finished:
        shares = {"that X wins": totals.x_wins, "that O wins": totals.o_wins, "that are drawn": totals.draws}
        for which, games in shares.items():
            if games is not None:
                yield _reading(question, f"games {which}, as a part of all", 3, Fraction(games, totals.finished))


def _reading(
    question: Question, what: str, complexity: int, value: int | Fraction, *, headline: bool = False
) -> Meaning:
    if question.same != "labelled":
        what = what.replace("positions", "position classes")
    complexity += SAMENESSES.index(question.same) + (7 if question.start is not None else 0)
    complexity += complexity_of(question.board, question.x_moves, question.o_moves, question.end, question.symmetry)
    complexity += 0 if question.starts == "X" else 4
    command = command_of(question)
    phrase = convention(question, of="positions" if "position" in what else "games")
    what = question.board.rules.named(what)
    return Meaning(value, question.board.spec, what, phrase, command, complexity, headline=headline)


def ladder_readings(board: Board, answers: Answers | None = None) -> Iterator[Meaning]:
    """Yield the counts of positions from naive to exact, as far as they fit the budget."""
    for rung in ladder(board, answers):
        if rung.count is not None:
            alike = "boards that a symmetry of the board turns into each other count once"
            phrase, command = alike if "classes" in rung.meaning else "", f"noughts count {board.spec}"
            yield Meaning(rung.count, board.spec, rung.meaning, phrase, command, complexity_of(board), headline=True)


def readings_of(board: Board) -> list[Callable[[], Iterator[Meaning]]]:
    """Return functions that yield the readings of a board, to be called in turn.

    On small boards: all conventions, those with different rules for X and O last. Else: free play until a line, then
    the other end rules.
    """
    if board.cells > LISTED_CELLS or class_bound(Position(board)) > _LISTED_CLASSES:
        return [partial(large_readings, board, ASKED_SECONDS, ends) for ends in (("line",), ("full", "decided"))]
    mixed = [pair for pair in product(board.rules.move_rules, board.rules.move_rules) if pair[0] != pair[1]]
    return [partial(small_readings, board, whole=True), partial(census_readings, _counted(board, mixed), plies=False)]


def small_readings(board: Board, *, whole: bool = False) -> Iterator[Meaning]:
    """Yield the readings of a board under every convention in which both players use one move rule.

    `whole` adds the openings, and the positions with their moves and values.
    """
    yield from ladder_readings(board)
    yield from census_readings(_counted(board, [(rule, rule) for rule in board.rules.all_move_rules]))
    if board.group().order != board.group("lines").order:
        found = (Question(board, same, symmetry="lines") for same in SAMENESSES if same != "labelled")
        with suppress(BudgetError):  # a group too large to list: any permutation of cells, say
            yield from census_readings(map(_census, found))
    if not whole:
        return
    if board.rules.order_free and board.rules.alternating:
        conventions = product(end_rules(board), SAMENESSES)
        either = (Question(board, same, end=end, starts="either") for end, same in conventions)
        yield from census_readings(map(_census, either), plies=False)
    for start in (Position(board).play(cell) for cell in opening_cells(board)):
        if not start.is_terminal:
            questions = (Question(board, same, start=start) for same in SAMENESSES)
            yield from census_readings(map(_census, questions), plies=False)
    yield from value_readings(board)
    if board.rules.has_threats:
        yield from tree_readings(board)
    if board.shape is not None and board.shape[2] == 1:
        yield from graph_readings(board)


def _census(question: Question) -> Census:
    return answer(question, engine="layered" if question.board.rules.is_marking else None)


def _counted(board: Board, pairs: list[tuple[MoveRule, MoveRule]]) -> Iterator[Census]:
    for (x_rule, o_rule), end, same in product(pairs, end_rules(board), SAMENESSES):
        if end != "full" or "concede" not in (x_rule, o_rule):
            yield _census(Question(board, same, x_rule, o_rule, end))


def large_readings(
    board: Board, seconds: float = EACH_SECONDS, ends: tuple[EndRule, ...] = ("line",)
) -> Iterator[Meaning]:
    """Yield the readings of free play on a board, as far as each fits the time, and the values of its positions."""
    answers = Answers(Limits.of(None, seconds))
    yield from ladder_readings(board, answers)
    for end, same in product([end for end in end_rules(board) if end in ends], SAMENESSES):
        with suppress(BudgetError):
            yield from census_readings([answers.census(Question(board, same, end=end))])
    is_quick = board.rules.is_marking or class_bound(Position(board)) <= QUICK_CLASSES
    if board.cells <= VALUED_CELLS and "line" in ends and is_quick:
        yield from value_readings(board)
