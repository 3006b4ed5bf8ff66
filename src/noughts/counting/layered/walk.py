"""Walks through the layers of position classes with exact weights, by the kernels, with saved states between plies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from noughts.counting.census import PlyCounts, exactly
from noughts.counting.question import Question, keeping_group, layer_bounds, needs_values
from noughts.counting.saved import Checkpoint
from noughts.kernels.layers.advance import NO_CHILDREN, LayerCounts, limbs_for, start_layer
from noughts.kernels.layers.tables import (
    DRAW,
    LIMB_BITS,
    O_WINS,
    OPEN,
    X_WINS,
    Children,
    Groups,
    RuleTerms,
    make_geometry,
    prepare_leads,
)
from noughts.machine.workers import SERIAL, Progress, Workers, silent, workers_for
from noughts.rules.play import END_RULES, MOVE_RULES, VALUE_RULES
from noughts.rules.position import Position
from noughts.rules.symmetry import Group
from noughts.solving.layers import Settled, class_count, expand_layer, joined, merge_chunks, settle


class Meter:
    """Turns the number of classes done in each layer into progress: work done, total work, what is being done.

    `passes` is the number of walks through the layers. The layers' bounds measure the work, so progress is even
    although the true layers are smaller.
    """

    def __init__(self, progress: Progress, first_ply: int, bounds: Sequence[int], passes: int) -> None:
        self._progress, self._first_ply, self._bounds = progress, first_ply, bounds
        self._whole = sum(bounds) * passes
        self._done = 0

    def begin(self, what: str, ply: int, size: int) -> Callable[[int], None]:
        """Return a function that receives numbers of classes done, of the `size` classes of a ply."""
        before, share, seen = self._done, self._bounds[ply - self._first_ply], 0
        self._done += share

        def tick(count: int) -> None:
            nonlocal seen
            seen += count
            self._progress(min(before + share * seen // size, self._whole - 1), self._whole, f"{what} of ply {ply}")

        return tick


class State(NamedTuple):
    """The state of a walk: the rows so far, and the last ply's unfinished classes in parts (None at the end)."""

    rows: tuple[PlyCounts, ...]
    layer: list[Groups] | None
    open_paths: int


# One walk through the layers of a question, under one group.

_KINDS = (X_WINS, O_WINS, DRAW)
_KIND_OF = {"X": X_WINS, "O": O_WINS, "draw": DRAW}


def _arrays(state: State) -> dict[str, object]:
    """Return the layer of a state as arrays to save."""
    return {"open_paths": np.array(str(state.open_paths)), **joined(state.layer or [])._asdict()}


class Walk:
    """The weighted layers of a question from its start; `group` keeps the start unless only classes are counted."""

    def __init__(
        self, question: Question, group: Group, workers: Workers, limb_bits: int, meter: Meter, checkpoint: Checkpoint
    ) -> None:
        self._question = question
        self._order = group.order
        self._workers, self._meter, self._checkpoint = workers, meter, checkpoint
        board, start = question.board, question.position()
        self._geometry = make_geometry(board.cells, board.line_masks, group.elements)
        self._terms = RuleTerms(
            cells=board.cells,
            x_rule=MOVE_RULES.index(question.x_moves),
            o_rule=MOVE_RULES.index(question.o_moves),
            end=END_RULES.index(question.end),
            lined=(_KIND_OF[board.line_outcome("X")], _KIND_OF[board.line_outcome("O")]),
            distinct=question.same == "choices",
            start_x=start.x,
            start_o=start.o,
            limb_bits=limb_bits,
        )

    def rows(self) -> tuple[PlyCounts, ...]:
        """Return the rows from the start to the last ply that play reaches within the question."""
        rows, arrays = self._checkpoint.load(("open_paths", *Groups._fields))
        if rows and arrays is None:
            return rows
        start = self._question.position()
        settled = self._settle(start)
        state = self._first_state(start, settled)
        if arrays is not None:
            open_paths = int(str(arrays.pop("open_paths")))
            state = State(rows, [Groups(*(arrays[name] for name in Groups._fields))], open_paths)
        while state.layer is not None:
            state = self._next_state(settled, state)
            self._checkpoint.save(state.rows, None if state.layer is None else partial(_arrays, state))
        return state.rows

    def open_layers(self) -> Iterator[tuple[int, list[Groups]]]:
        """Yield each ply with its unfinished classes, where free play ends at a line, up to the last but one."""
        state = self._first_state(self._question.position(), None)
        while state.layer is not None:
            yield state.rows[-1].ply, state.layer
            state = self._next_state(None, state)

    def by_value(self) -> dict[int, tuple[int, int, int]]:
        """Return for each ply the numbers of unfinished classes that O wins, are drawn, and X wins by best play.

        Assumes a question whose rules depend on values. Empty where the start is finished.
        """
        settled = self._settle(self._question.position())
        return {} if settled is None else settled.by_value

    def _settle(self, start: Position) -> Settled | None:
        """Return the backward pass where a rule needs it and the start is not terminal."""
        if start.is_terminal or not (self._terms.any_values or self._question.end == "decided"):
            return None
        return settle(self._workers, self._geometry, self._terms, self._meter.begin)

    def _first_state(self, start: Position, settled: Settled | None) -> State:
        kind, paid = self._start_kinds(start, settled)
        counts = tuple(int(k == kind) for k in range(4))
        paths = tuple(int(k == paid) for k in range(4))
        fixed = tuple(count * self._order for count in paths)
        row = self._row(start.ply, LayerCounts(counts, counts, paths, fixed))
        weights = [1] if self._question.end != "full" else [0, 1] if start.winner == "O" else [1, 0]
        last = kind != OPEN or start.ply == self._question.last_ply
        layer = None if last else [start_layer(*self._terms.sides(start.ply), weights)]
        return State((row,), layer, 1)

    def _start_kinds(self, start: Position, settled: Settled | None) -> tuple[int, int]:
        """Return the outcomes under which the start position and its path are counted; OPEN while play goes on."""
        if self._question.end == "full":
            return (OPEN, OPEN) if start.blanks else (OPEN, _KIND_OF[start.winner or "draw"])
        if start.outcome is not None:
            kind = _KIND_OF[start.outcome]
        else:
            kind = settled.start_outcome if settled is not None and self._question.end == "decided" else OPEN
        return kind, kind

    def _next_state(self, settled: Settled | None, state: State) -> State:
        """Expand the layer of a state and empty it. The bound on the sum of weights gives their number of words."""
        terms, ply = self._terms, state.rows[-1].ply
        assert state.layer is not None
        limbs = limbs_for(state.open_paths * (terms.cells - ply), terms.limb_bits)
        prepare_leads(self._geometry, (ply + 2) // 2)
        play = terms.play(ply, limbs, emit=ply + 1 < self._question.last_ply)
        tick = self._meter.begin("games", ply, class_count(state.layer))
        known = self._known(settled, ply)
        tally, chunks = expand_layer(self._workers, self._geometry, play, state.layer, known, tick)
        state.layer.clear()
        rows = (*state.rows, self._row(ply + 1, tally))
        if not play.emit or not tally.classes[OPEN]:
            return State(rows, None, 0)
        return State(rows, merge_chunks(self._workers, terms.cells, int(play.columns), chunks), tally.paths[OPEN])

    def _known(self, settled: Settled | None, ply: int) -> Children:
        """Return the values of the children, if the mover's rule or the end rule needs them."""
        rule = self._question.x_moves if ply % 2 == 0 else self._question.o_moves
        if settled is None or not (rule in VALUE_RULES or self._question.end == "decided"):
            return NO_CHILDREN
        return settled.at(ply)

    def _row(self, ply: int, tally: LayerCounts) -> PlyCounts:
        same, end = self._question.same, self._question.end
        counted = tally.boards if same == "labelled" else tally.classes
        paths, divisor = (tally.fixed_paths, self._order) if same == "symmetry" else (tally.paths, 1)
        positions = sum(counted)
        terminal = positions - counted[OPEN]
        if end == "full":
            terminal = positions if ply == self._terms.cells else 0
        return PlyCounts.of(
            ply,
            positions,
            terminal,
            None if end == "full" else [counted[kind] for kind in _KINDS],
            exactly(sum(paths), divisor),
            [exactly(paths[kind], divisor) for kind in _KINDS],
        )


def unwatched_walk(question: Question) -> Walk:
    """Return a walk through the classes of a question under its whole group, without progress and saved states."""
    meter = Meter(silent, question.first_ply, layer_bounds(question, to_end=needs_values(question)), 1)
    return Walk(question, question.group, workers_for(), LIMB_BITS, meter, Checkpoint(None, ""))


# Censuses of larger boards: layers of position classes with exact weights, by the kernels.
#
# A class's weight is the number of labelled paths into its orbit; by choices it is the number of paths through distinct
# child classes. Let H be the group that keeps the start. Labelled paths are sums of weights. Paths up to symmetry are
# sums of weight times the order of the pointwise stabiliser of the marked cells, divided by the order of H.


def compiled_rows(
    question: Question,
    *,
    progress: Progress = silent,
    workers: Workers = SERIAL,
    resume: Path | None = None,
    limb_bits: int = LIMB_BITS,
) -> tuple[PlyCounts, ...]:
    """Return the exact rows of the census. Assumes at most 64 cells and at most 10,000 symmetries.

    Parameters
    ----------
    question
        What to count.
    progress, workers
        Who receives the progress, and who works. The answer does not depend on the workers.
    resume
        A folder where the state is saved after slow plies, and from where a run resumes. The backward pass of
        `decided`, `perfect` and `quickest` is not saved.
    limb_bits
        The bits of a weight in one word; the answer does not depend on them.
    """
    keeping = question.group if question.same == "choices" else keeping_group(question)
    twice = question.same == "symmetry" and keeping.order != question.group.order
    passes = (3 if needs_values(question) else 1) * (2 if twice else 1)
    meter = Meter(progress, question.first_ply, layer_bounds(question, to_end=needs_values(question)), passes)
    saved = [Checkpoint(resume, f"layered {number} {question.identity}") for number in range(1 + twice)]
    rows = Walk(question, keeping, workers, limb_bits, meter, saved[0]).rows()
    if twice:
        classes = replace(question, same="choices")
        others = Walk(classes, question.group, workers, limb_bits, meter, saved[1]).rows()
        rows = tuple(row.with_positions_of(other) for row, other in zip(rows, others, strict=True))
    progress(1, 1, "done")
    return rows
