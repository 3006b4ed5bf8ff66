"""Who starts: games that O begins, and games that either player may begin, from those that X begins.

Exchange the marks, and a game that O begins is one that X begins, with the rules and the outcomes exchanged. So every
engine answers these questions by counting games that X begins. Where either may begin, games and paths are added: a
game is told by who begins it. Positions are marks alone, so one that both reach counts once. With an odd number of
marks nobody but the one who has more began. With an even number, under free moves, both reach the same open positions
and the same drawn ones, while a won one tells by its line who moved last; under rules the positions of both are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from noughts.counting.census import POSITION_COLUMNS, PlyCounts
from noughts.counting.layers.bounds import layer_bounds
from noughts.counting.layers.classsums import graph_of
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question
from noughts.domain.bits import Mask
from noughts.domain.extent import LISTED_CLASSES
from noughts.domain.players import OUTCOMES, Outcome
from noughts.domain.symmetry import ELEMENT_LIMIT
from noughts.machine.budget import Limits
from noughts.machine.offers import Refusal

__all__ = ["offer_by_turns"]

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
