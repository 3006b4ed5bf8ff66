"""Censuses of small boards: sums over one class graph in plain Python, so that 3x3 needs no compiled code.

Let H be a group that keeps the start. The orbit of a path under H has |H| / |pointwise stabiliser of its marked cells|
members, and the stabiliser depends on the position alone. Let L be the number of labelled paths into a class. Labelled
columns are sums of L. Columns up to symmetry are sums of L |stabiliser| / |H|. By choices each edge counts once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest
from math import comb
from typing import Any

from noughts.counting.census import COLUMNS, POSITION_COLUMNS, PlyCounts, added, exactly
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question, layer_bounds, needs_values
from noughts.machine.budget import Limits, Refusal
from noughts.rules.board import Board
from noughts.rules.game import LISTED_CLASSES, Game, Marks, require_listed
from noughts.rules.marks import OUTCOMES, Mask, Outcome
from noughts.rules.play import MoveRule
from noughts.rules.position import Position, completing_cells
from noughts.rules.symmetry import ELEMENT_LIMIT
from noughts.solving.classgraph import ClassGraph, Node, class_graph


def graph_of(question: Question, *, whole_group: bool = False) -> ClassGraph:
    """Return the class graph for a question, under the start's stabiliser or under the whole group."""
    board, start = question.board, question.position()
    group = board.group("board" if question.same == "labelled" else question.symmetry)
    if start.ply and not whole_group:
        group = group.stabiliser(start.x, start.o)
    to_ply = board.cells if needs_values(question) else question.last_ply
    return class_graph(board, start, end="full" if question.end == "full" else "line", group=group, to_ply=to_ply)


def class_rows(question: Question) -> tuple[PlyCounts, ...]:
    """Return the exact rows of the census. Cost: building the class graph, then linear in its edges."""
    if question.same == "choices":
        return _rows(question, graph_of(question, whole_group=True))
    rows = _rows(question, graph_of(question))
    if question.same == "symmetry" and question.first_ply > 0:
        # position columns count classes under the whole group, not under the start's stabiliser
        classes = _rows(replace(question, same="choices"), graph_of(question, whole_group=True))
        return tuple(row.with_positions_of(other) for row, other in zip(rows, classes, strict=True))
    return rows


_Reached = tuple[Node, int, Outcome | None, int]
"""A class, the number of paths to it, the outcome if play is over, and its number of moves or distinct choices."""


def _layers(question: Question, graph: ClassGraph) -> list[tuple[int, list[_Reached]]]:
    """Return each ply that play reaches with its classes; the last result is kept: `symmetry` follows `labelled`."""
    rules = (question.x_moves, question.o_moves, question.end == "decided", question.same == "choices")
    return _walked(graph, *rules, range(question.first_ply, question.last_ply + 1))


@lru_cache(maxsize=1)
def _walked(
    graph: ClassGraph, x_moves: MoveRule, o_moves: MoveRule, decided: bool, by_choices: bool, plies: range
) -> list[tuple[int, list[_Reached]]]:
    """Walk through the plies; path counts move from layer to layer."""
    allowed = (graph.allowed(x_moves), graph.allowed(o_moves))
    over = graph.over_within(x_moves, o_moves)
    if decided:
        over = graph.decided_within(*allowed, over)
    arriving: dict[int, int] = {0: 1}
    layers = []
    for ply in plies:
        layer: list[_Reached] = []
        following: dict[int, int] = {}
        for number, paths in arriving.items():
            node, moves = graph.nodes[number], 0
            for child, cells in node.children if over[number] is None else ():
                if chosen := cells & allowed[ply % 2][number]:
                    many = 1 if by_choices else chosen.bit_count()
                    moves += many
                    following[child] = following.get(child, 0) + paths * many
            layer.append((node, paths, over[number], moves))
        layers.append((ply, layer))
        if not following:
            break
        arriving = following
    return layers


def _rows(question: Question, graph: ClassGraph) -> tuple[PlyCounts, ...]:
    weigh = _weights(question, graph.game)
    divisor = graph.game.group.order if question.same == "symmetry" else 1
    rows = []
    for ply, layer in _layers(question, graph):
        boards, paths = Counter[Outcome | None](), Counter[Outcome | None]()
        seen: set[Hashable] = set()
        for node, arriving, outcome, _ in layer:
            position = graph.game.position(node.state)
            boards[outcome] += 0 if position in seen else node.orbit if question.same == "labelled" else 1
            paths[outcome] += arriving * weigh(node.state)
            seen.add(position)
        terminal = [boards[outcome] for outcome in OUTCOMES]
        finished = [exactly(paths[outcome], divisor) for outcome in OUTCOMES]
        split = terminal if question.end != "full" else None
        whole = exactly(paths.total(), divisor)
        rows.append(PlyCounts.of(ply, boards.total(), sum(terminal), split, whole, finished))
    return tuple(rows)


def _weights(question: Question, game: Game) -> Callable[[Marks], int]:
    """Return a function that gives the weight of a class's labelled paths, before division by the group's order."""
    if question.same != "symmetry":
        return lambda state: 1
    moved = [sum(1 << cell for cell, image in enumerate(element) if image != cell) for element in game.group.elements]
    before = game.start.x | game.start.o

    def weight(state: Marks) -> int:
        marked = (state.x | state.o) & ~before
        return sum(1 for cells in moved if not cells & marked)

    return weight


CLASS_LIMIT = 30_000
"""Moves and endings are counted class by class where there are at most so many classes."""


def is_short(question: Question, limit: int = CLASS_LIMIT) -> bool:
    """Return whether positions are counted class by class, by up to `limit` classes; not for `symmetry` and `full`."""
    sets = question.board.rules.fillings(question.board, 0)
    boards = sum(sets[t] * comb(t, t // 2) for t in range(question.first_ply, len(sets)))
    return question.same != "symmetry" and question.end != "full" and boards // question.board.group().order <= limit


def move_counts(question: Question, limit: int = CLASS_LIMIT) -> dict[int, Counter[int]] | None:
    """Return for each ply how many open paths have each number of next moves (by choices: of distinct choices).

    None where the sameness is `symmetry`, under the end rule `full`, or where there may be more classes than `limit`.
    """
    found: dict[int, Counter[int]] = {}
    for ply, layer in _short_layers(question, limit):
        if ply < question.last_ply:
            found[ply] = Counter()
            for _, paths, _, moves in (reached for reached in layer if reached[2] is None):
                found[ply][moves] += paths
    return found or None


def ending_ways(question: Question, limit: int = CLASS_LIMIT) -> dict[int, dict[Outcome, Counter[int]]] | None:
    """Return for each ply and outcome how many positions (by choices: classes) are reached in each number of ways.

    None where `move_counts` gives None.
    """
    found: dict[int, dict[Outcome, Counter[int]]] = {}
    for ply, layer in _short_layers(question, limit):
        at_ply = found.setdefault(ply, {})
        for node, paths, outcome, _ in layer:
            if outcome is not None:
                boards = node.orbit if question.same == "labelled" else 1
                at_ply.setdefault(outcome, Counter())[exactly(paths, boards)] += boards
    return found or None


def _short_layers(question: Question, limit: int) -> Iterator[tuple[int, list[_Reached]]]:
    """Yield the layers of a question, if `is_short`; else none."""
    if is_short(question, limit):
        yield from _layers(question, graph_of(question, whole_group=question.same == "choices"))


# Games that O starts, and games that either player may start, are counted from games that X starts.
#
# Exchanging the marks turns a game that O starts into one that X starts, with rules and outcomes exchanged. So every
# engine counts games that X starts. Where either player may start, games and paths are added, since their first moves
# differ. A position consists of marks alone, so a position that both kinds of games reach counts once. With an odd
# number of marks, the player with more marks started. With an even number and free moves, both kinds reach the same
# open and drawn positions. The line of a won position shows who moved last. Under move rules the positions of both
# kinds are listed.


def offer_by_turns(
    ask: Callable[[Request, Limits], CountingOffer | Refusal], request: Request, limits: Limits
) -> CountingOffer | Refusal:
    """Return an engine's offer for games that O or either player starts, made from its offers for games X starts."""
    question = request.question
    first = replace(question, starts="X")
    exchanged = replace(first, x_moves=question.o_moves, o_moves=question.x_moves)
    questions = [exchanged] if question.starts == "O" else list(dict.fromkeys((first, exchanged)))
    offers = []
    for each in questions:
        found = ask(Request(each, request.wanted, request.strict, request.notes, request.progress), limits)
        if isinstance(found, Refusal):
            return found
        offers.append(found)
    costs = [each.estimate for each in offers]
    cost = replace(costs[0], memory=max(c.memory for c in costs), seconds=sum(c.seconds for c in costs))
    missing = offers[0].missing
    if question.starts == "either" and not (_is_symmetric(question) or _is_listed(question)):
        missing = tuple(dict.fromkeys((*missing, *(c for c in POSITION_COLUMNS if c in request.wanted))))

    def rows(run: Run) -> tuple[PlyCounts, ...]:
        counted = [each.rows(run if n == 0 else replace(run, resume=None)) for n, each in enumerate(offers)]
        after = tuple(  # exchange the columns of X and O
            replace(row, terminal_x=row.terminal_o, terminal_o=row.terminal_x, x_wins=row.o_wins, o_wins=row.x_wins)
            for row in counted[-1]
        )
        return after if question.starts == "O" else tuple(_together(question, counted[0], after))

    return CountingOffer(offers[0].engine, cost, question, rows, missing=missing)


def _is_symmetric(question: Question) -> bool:
    """Return whether the positions that both kinds of games reach are known without a list: under free moves."""
    return question.is_free and question.end != "decided"


def _is_listed(question: Question) -> bool:
    order = question.group.order
    return order <= ELEMENT_LIMIT and sum(layer_bounds(question, to_end=True, order=order)) <= LISTED_CLASSES


def _together(question: Question, x: tuple[PlyCounts, ...], o: tuple[PlyCounts, ...]) -> Iterator[PlyCounts]:
    listed = _listed(question) if not _is_symmetric(question) and _is_listed(question) else None
    for one, other in zip_longest(x, o):
        both = [each for each in (one, other) if each is not None]
        row = replace(both[0], **{name: added([getattr(each, name) for each in both]) for name in COLUMNS})
        columns: dict[str, Any] = {}
        if listed is not None:
            columns = _counts(question, listed[row.ply])
        elif not _is_symmetric(question):
            columns = dict.fromkeys(POSITION_COLUMNS)
        elif row.ply % 2 == 0:
            columns = _once(one, row)
        yield replace(row, **columns)


def _once(one: PlyCounts | None, row: PlyCounts) -> dict[str, int | None]:
    """Return the position columns of an even ply under free moves; positions without a winner count once."""
    if one is None or one.positions is None or row.positions is None:
        return dict.fromkeys(POSITION_COLUMNS)
    terminal, drawn = one.terminal or 0, one.terminal_draw
    if drawn is None:  # play goes on to the full board, so positions do not show a winner
        return {name: getattr(one, name) for name in POSITION_COLUMNS}
    both = one.positions - terminal + drawn
    return {
        "positions": row.positions - both,
        "terminal": (row.terminal or 0) - drawn,
        "terminal_x": row.terminal_x,
        "terminal_o": row.terminal_o,
        "terminal_draw": drawn,
    }


_Layer = dict[tuple[Mask, Mask], tuple[int, set[Outcome]]]


def _listed(question: Question) -> list[_Layer]:
    """Return for each ply the classes that play reaches, each with its orbit's size and the outcomes of games there."""
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
    """Return the position columns of a ply; split by outcome only where each terminal position has one outcome."""
    weigh = question.same == "labelled"
    rows = [(orbit if weigh else 1, outcomes) for orbit, outcomes in layer.values()]
    by = {end: sum(boards for boards, outcomes in rows if end in outcomes) for end in OUTCOMES}
    split = question.end == "line"
    return {
        "positions": sum(boards for boards, _ in rows),
        "terminal": sum(boards for boards, outcomes in rows if outcomes),
        "terminal_x": by["X"] if split else None,
        "terminal_o": by["O"] if split else None,
        "terminal_draw": by["draw"] if split else None,
    }


# The number of different bots: the product, over the decisions, of the number of distinct choices at each.
#
# A bot treats symmetric decisions alike, and two moves as one if they lead to the same position class. So its choices
# at a decision are the distinct child classes.
#
# Source: B. Shourd, 2012.


def bots(board: Board) -> dict[str, int]:
    """Return the number of bots that differ at the decisions, at the real decisions, and at the matchboxes.

    The keys are the ladder's names for them. Under misere the real decisions are left out, as no win can be taken or
    blocked. Cost: a walk through the position classes. Raises BudgetError where there are too many to list.
    """
    require_listed(Position(board), "counting the bots that differ")
    found = dict.fromkeys(("decisions", "matchboxes", *["real decisions"] * ("win" in board.rules.move_rules)), 1)
    for node in graph_of(Question(board, "choices"), whole_group=True).nodes:
        x, o, _ = node.state
        blank = board.full & ~(x | o)
        if node.outcome is not None or blank.bit_count() < 2:
            continue
        cells = board.rules.moves(board, x, o)
        is_quiet = not completing_cells(board, x, cells) | completing_cells(board, o, cells)
        kinds = {"decisions": True, "matchboxes": board.rules.to_move(x, o) == "X", "real decisions": is_quiet}
        for kind in found:
            found[kind] *= len(node.children) if kinds[kind] else 1
    return found
