"""Censuses of small boards: sums over one class graph, in plain Python, so that nothing is compiled for 3x3.

A path's orbit under a group H that keeps the start has |H| / |pointwise stabiliser of its marked cells| members, and
the stabiliser depends on the position alone. So with L the number of labelled paths into a class, labelled columns are
sums of L and columns up to symmetry are sums of L |stabiliser| / |H|; by choices each edge counts once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import comb, prod
from typing import Any, Literal

from noughts.counting.census import POSITION_COLUMNS, PlyCounts
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question, layer_bounds, needs_values
from noughts.machine.budget import Limits, Refusal
from noughts.rules.board import Board
from noughts.rules.game import LISTED_CLASSES, Game, Marks, require_listed
from noughts.rules.marks import OUTCOMES, Mask, Outcome
from noughts.rules.position import Position, completing_cells
from noughts.rules.symmetry import ELEMENT_LIMIT
from noughts.solving.classgraph import ClassGraph, Node, class_graph


def _graph(
    board: Board, whole_group: bool, symmetry: str, start: Position, end: Literal["line", "full"], to_ply: int
) -> ClassGraph:
    group = board.group("lines" if symmetry == "lines" else "board")
    if not whole_group:
        group = group.stabiliser(start.x, start.o)
    return class_graph(board, start, end=end, group=group, to_ply=to_ply)


def graph_of(question: Question, *, whole_group: bool = False) -> ClassGraph:
    """Return the class graph for a question: under the part of the group that keeps the start, or under all of it."""
    needs_all = needs_values(question)
    to_ply = question.board.cells if needs_all else question.last_ply
    symmetry = "board" if question.same == "labelled" else question.symmetry
    start = question.position()
    whole = whole_group or start.ply == 0
    return _graph(question.board, whole, symmetry, start, "full" if question.end == "full" else "line", to_ply)


def class_rows(question: Question) -> tuple[PlyCounts, ...]:
    """Return the rows of the census, exact. Cost: linear in the edges of the class graph, and building it."""
    if question.same == "choices":
        return _rows(question, graph_of(question, whole_group=True))
    rows = _rows(question, graph_of(question))
    if question.same == "symmetry" and question.first_ply > 0:
        # positions are told apart under the whole group: classes of positions, not of positions after this start
        classes = _rows(replace(question, same="choices"), graph_of(question, whole_group=True))
        return tuple(row.with_positions_of(other) for row, other in zip(rows, classes, strict=True))
    return rows


@dataclass
class _Sums:
    """The counts of one layer while they are added up."""

    positions: int = 0
    terminal: int = 0
    paths: int = 0

    def __post_init__(self) -> None:
        self.terminal_by = dict.fromkeys(OUTCOMES, 0)
        self.finished_by = dict.fromkeys(OUTCOMES, 0)

    def add(self, outcome: Outcome | None, positions: int, paths: int) -> None:
        """Add the paths to a class, and as many positions; the outcome where the game is over there."""
        self.positions += positions
        self.paths += paths
        if outcome is not None:
            self.terminal += positions
            self.terminal_by[outcome] += positions
            self.finished_by[outcome] += paths

    def row(self, ply: int, divisor: int, *, split: bool) -> PlyCounts:
        finished = [_exactly(self.finished_by[outcome], divisor) for outcome in OUTCOMES]
        terminal = [self.terminal_by[outcome] for outcome in OUTCOMES] if split else None
        return PlyCounts.of(ply, self.positions, self.terminal, terminal, _exactly(self.paths, divisor), finished)


def _exactly(total: int, divisor: int) -> int:
    quotient, rest = divmod(total, divisor)
    assert rest == 0, "a sum over orbits must be divisible by the order of the group"
    return quotient


def _rows(question: Question, graph: ClassGraph) -> tuple[PlyCounts, ...]:
    """Push path counts through the layers and add them up."""
    allowed = (graph.allowed(question.x_moves), graph.allowed(question.o_moves))
    over = _end_of_play(question, graph, *allowed)
    weigh = _weights(question, graph.game)
    divisor = graph.game.group.order if question.same == "symmetry" else 1
    labelled, distinct = question.same == "labelled", question.same == "choices"
    arriving: dict[int, int] = {0: 1}
    rows = []
    for ply in range(question.first_ply, question.last_ply + 1):
        sums, following = _Sums(), dict[int, int]()
        seen: set[Hashable] = set()
        for number, paths in arriving.items():
            node = graph.nodes[number]
            position = graph.game.position(node.state)
            boards = 0 if position in seen else node.orbit if labelled else 1
            seen.add(position)
            sums.add(over[number], boards, paths * weigh(node.state))
            if over[number] is None:
                for child, cells in node.children:
                    many = (cells & allowed[ply % 2][number]).bit_count()
                    if many:
                        following[child] = following.get(child, 0) + paths * (1 if distinct else many)
        rows.append(sums.row(ply, divisor, split=question.end != "full"))
        arriving = following
        if not arriving:
            break
    return tuple(rows)


def _weights(question: Question, game: Game) -> Callable[[Marks], int]:
    """Return the weight of a class's labelled paths in the sums, before division by the group's order."""
    if question.same != "symmetry":
        return lambda state: 1
    moved = [sum(1 << cell for cell, image in enumerate(element) if image != cell) for element in game.group.elements]
    before = game.start.x | game.start.o

    def weight(state: Marks) -> int:
        marked = (state.x | state.o) & ~before
        return sum(1 for cells in moved if not cells & marked)

    return weight


def _end_of_play(
    question: Question, graph: ClassGraph, x_allowed: Sequence[Mask], o_allowed: Sequence[Mask]
) -> Sequence[Outcome | None]:
    """Return for each node the outcome where the game is over."""
    if question.end == "decided":
        return graph.decided_within(x_allowed, o_allowed)
    return [node.outcome for node in graph.nodes]


def move_counts(question: Question, limit: int = 30_000) -> dict[int, Counter[int]] | None:
    """Return for each ply how many open paths have how many moves (by choices: distinct choices) to go on with.

    None where the sameness is `symmetry`, under the end rule `full`, or where listing the classes passes `limit`.
    """
    if question.same == "symmetry" or question.end == "full" or _class_bound(question) > limit:
        return None
    graph = graph_of(question, whole_group=question.same == "choices")
    allowed = (graph.allowed(question.x_moves), graph.allowed(question.o_moves))
    over = _end_of_play(question, graph, *allowed)
    arriving: dict[int, int] = {0: 1}
    found = {}
    for ply in range(question.first_ply, question.last_ply):
        counts: Counter[int] = Counter()
        following: dict[int, int] = {}
        for number, paths in arriving.items():
            if over[number]:
                continue
            moves = 0
            for child, cells in graph.nodes[number].children:
                many = (cells & allowed[ply % 2][number]).bit_count()
                many = min(many, 1) if question.same == "choices" else many
                moves += many
                if many:
                    following[child] = following.get(child, 0) + paths * many
            counts[moves] += paths
        found[ply] = counts
        arriving = following
    return found


def _class_bound(question: Question) -> int:
    cells = question.board.cells
    boards = sum(comb(cells, t) * comb(t, t // 2) for t in range(question.first_ply, cells + 1))
    return boards // question.board.group().order


# Who starts: games that O begins, and games that either player may begin, from those that X begins.
#
# Exchange the marks, and a game that O begins is one that X begins, with the rules and the outcomes exchanged. So
# every engine answers these questions by counting games that X begins. Where either may begin, games and paths are
# added: a game is told by who begins it. Positions are marks alone, so one that both reach counts once. With an odd
# number of marks nobody but the one who has more began. With an even number, under free moves, both reach the same
# open positions and the same drawn ones, while a won one tells by its line who moved last; under rules the positions
# of both are listed.

Ask = Callable[[Request, Limits], CountingOffer | Refusal]
_Position = tuple[Mask, Mask]


def offer_by_turns(ask: Ask, request: Request, limits: Limits) -> CountingOffer | Refusal:
    """Return the offer of an engine, asked about games that X begins, for games that O or either player begins."""
    question = request.question
    first = replace(question, starts="X")
    exchanged = replace(first, x_moves=question.o_moves, o_moves=question.x_moves)
    asked = [exchanged] if question.starts == "O" else list(dict.fromkeys((first, exchanged)))
    offers = []
    for each in asked:
        found = ask(Request(each, request.wanted, request.strict, request.notes, request.progress), limits)
        if isinstance(found, Refusal):
            return found
        offers.append(found)
    memory, seconds = max(o.estimate.memory for o in offers), sum(o.estimate.seconds for o in offers)
    cost = replace(offers[0].estimate, memory=memory, seconds=seconds)
    if not limits.allow(cost):
        return Refusal(offers[0].engine, "it takes too much", cost)
    missing = offers[0].missing
    if question.starts == "either" and not (_is_symmetric(question) or _is_listed(question)):
        missing = tuple(dict.fromkeys((*missing, *(c for c in POSITION_COLUMNS if c in request.wanted))))

    def rows(run: Run) -> tuple[PlyCounts, ...]:
        counted = [each.rows(run if n == 0 else replace(run, resume=None)) for n, each in enumerate(offers)]
        after = tuple(_exchanged(row) for row in counted[-1])
        return after if question.starts == "O" else tuple(_together(question, counted[0], after))

    return CountingOffer(question, offers[0].engine, cost, rows, missing)


def _exchanged(row: PlyCounts) -> PlyCounts:
    """Return a row with X's columns for O's."""
    return replace(row, terminal_x=row.terminal_o, terminal_o=row.terminal_x, x_wins=row.o_wins, o_wins=row.x_wins)


def _is_symmetric(question: Question) -> bool:
    """Tell whether the positions that both reach are known without listing any: under free moves."""
    return question.is_free and question.end != "decided"


def _is_listed(question: Question) -> bool:
    order = question.group.order
    return order <= ELEMENT_LIMIT and sum(layer_bounds(question, to_end=True, order=order)) <= LISTED_CLASSES


def _together(question: Question, x: tuple[PlyCounts, ...], o: tuple[PlyCounts, ...]) -> Iterator[PlyCounts]:
    """Yield the rows of games that either player begins, from those that X and those that O begins."""
    listed = None
    if not _is_symmetric(question) and _is_listed(question):
        listed = _listed(question)
    for one, other in zip_longest(x, o):
        row = _added(one, other)
        if listed is not None:
            yield _with(row, _counts(question, listed[row.ply]))
        elif not _is_symmetric(question):
            yield _with(row, dict.fromkeys(POSITION_COLUMNS))
        else:
            yield row if row.ply % 2 else _with(row, _once(one, row))


def _added(one: PlyCounts | None, other: PlyCounts | None) -> PlyCounts:
    """Return the sum of two rows, of which one may be lacking."""
    if one is None or other is None:
        found = one or other
        assert found is not None
        return found
    names = (*POSITION_COLUMNS, "paths", "finished", "x_wins", "o_wins", "draws")
    sums = {}
    for name in names:
        a, b = getattr(one, name), getattr(other, name)
        sums[name] = None if a is None or b is None else a + b
    return _with(one, sums)


def _with(row: PlyCounts, columns: dict[str, Any]) -> PlyCounts:
    return replace(row, **columns)


def _once(one: PlyCounts | None, row: PlyCounts) -> dict[str, int | None]:
    """Return the columns of an even ply under free moves, what both reach counted once: all that nobody has won."""
    if one is None or one.positions is None or row.positions is None:
        return dict.fromkeys(POSITION_COLUMNS)
    terminal, drawn = one.terminal_positions or 0, one.terminal_draw
    if drawn is None:  # played on to the full board, where positions tell no winner
        return {name: getattr(one, name) for name in POSITION_COLUMNS}
    both = one.positions - terminal + drawn
    return {
        "positions": row.positions - both,
        "terminal_positions": (row.terminal_positions or 0) - drawn,
        "terminal_x": row.terminal_x,
        "terminal_o": row.terminal_o,
        "terminal_draw": drawn,
    }


_Layer = dict[_Position, tuple[int, set[Outcome]]]


def _listed(question: Question) -> list[_Layer]:
    """Return for each ply the classes that play reaches, with their boards and the outcomes of games that end there."""
    found: list[_Layer] = [{} for _ in range(question.board.cells + 1)]
    rules = (question.x_moves, question.o_moves)
    for first, (mine, theirs) in (("X", rules), ("O", rules[::-1])):
        whole = graph_of(replace(question, starts="X", same="choices", x_moves=mine, o_moves=theirs))
        part = whole.within(mine, theirs, decided=question.end == "decided")
        for ply, layer in enumerate(part.layers):
            for number in layer:
                node = part.nodes[number]
                x, o, _ = node.state
                if first == "O":
                    x, o = whole.game.group.canonical(o, x)
                outcomes = found[ply].setdefault((x, o), (node.orbit, set()))[1]
                if node.outcome is not None:
                    swap: dict[Outcome, Outcome] = {"X": "O", "O": "X", "draw": "draw"}
                    outcomes.add(node.outcome if first == "X" else swap[node.outcome])
    return found


def _counts(question: Question, layer: _Layer) -> dict[str, int | None]:
    """Return the position columns of a ply; not split by outcome where a position may end games with several."""
    weigh = question.same == "labelled"
    rows = [(orbit if weigh else 1, outcomes) for orbit, outcomes in layer.values()]
    by = {end: sum(boards for boards, outcomes in rows if end in outcomes) for end in OUTCOMES}
    split = question.end == "line"
    return {
        "positions": sum(boards for boards, _ in rows),
        "terminal_positions": sum(boards for boards, outcomes in rows if outcomes),
        "terminal_x": by["X"] if split else None,
        "terminal_o": by["O"] if split else None,
        "terminal_draw": by["draw"] if split else None,
    }


# How many bots differ: the product, over the decisions, of the number of distinct choices at each.
#
# A bot takes one decision as another where a symmetry makes them the same, and two moves for one where they lead to the
# same position class: so it has as many choices at a decision as there are distinct child classes.
#
# Source: B. Shourd, 2012.


def bots(board: Board) -> dict[str, int]:
    """Return the number of bots that differ at the decisions, at the real ones, and at the matchboxes.

    By the names that the ladder has for them; under misere, where no win is to be taken or blocked, without the real
    decisions. Cost: a walk through the position classes. Raises BudgetError where there are too many to list.
    """
    require_listed(Position(board), "counting the bots that differ")
    graph = graph_of(Question(board, "choices"), whole_group=True)
    decisions = [node for node in graph.nodes if node.outcome is None and _blanks(board, node).bit_count() > 1]
    found = {
        "decisions": _product(decisions),
        "matchboxes": _product([node for node in decisions if graph.game.to_move(node.state) == "X"]),
    }
    if not board.misere:
        found["real decisions"] = _product([node for node in decisions if _is_quiet(board, node)])
    return found


def _product(nodes: list[Node]) -> int:
    return prod(len(node.children) for node in nodes)


def _blanks(board: Board, node: Node) -> Mask:
    return board.full & ~(node.state.x | node.state.o)


def _is_quiet(board: Board, node: Node) -> bool:
    blank = _blanks(board, node)
    return not completing_cells(board, node.state.x, blank) | completing_cells(board, node.state.o, blank)
