"""A walk from the empty board, two plies at a time, which a folder can save."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from noughts.counting.census import PlyCounts, exactly, rows_from
from noughts.counting.question import Question
from noughts.counting.streamed.items import (
    NOTHING,
    PathBlocks,
    PathCount,
    PathsFound,
    TwoPlies,
    position_ends,
    stream_blocks,
)
from noughts.counting.streamed.layers import (
    Bytes,
    FilePart,
    LayerPart,
    LayerSize,
    PathLayer,
    PositionValues,
    looks_at_values,
    position_values,
    room_for,
)
from noughts.kernels.paths.records import KINDS, PathEnds
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import Progress, Workers
from noughts.rules.marks import OUTCOMES, Outcome
from noughts.rules.play import MOVE_RULES
from noughts.rules.symmetry import Group
from noughts.solving.index import LeadSets, PerfectIndex

ITEM_BYTES = 1 << 28
"""The most bytes of numbers in an item, its own and its parents'; an item of a single block may have more."""


_Reached = tuple[tuple[PlyCounts, ...], PathLayer | None]
"""The state of a walk: the rows so far, and the layer of their last ply, None at the end."""


class StreamedWalk:
    """Counts a question from the empty board, see `kernels.paths.collect`. The workers do not change the answer."""

    def __init__(self, question: Question, group: Group, workers: Workers, progress: Progress) -> None:
        self._question, self._group = question, group
        self._order = group.order
        self._values: PositionValues | None = None
        self._ends: list[Bytes] | None = None
        self._workers, self._progress = workers, progress
        board = question.board
        self._cells = board.cells
        self._sets = LeadSets(board.cells, board.line_masks, group.elements)
        self._key = f"streamed {question.identity}"

    def rows(self, folder: Path | None) -> tuple[PlyCounts, ...]:
        """Return the rows of the census; with a folder every finished item is saved there."""
        store = Checkpoints(folder)
        if folder is not None and (done := store.result(self._key)) is not None:
            for name in done.get("left", ()):  # leftovers of a run that was killed before it removed them
                (folder / name).unlink(missing_ok=True)
            return rows_from(done["rows"])
        question = self._question
        if looks_at_values(question) or question.end == "decided":
            index = PerfectIndex(question.board, self._group)
            if looks_at_values(question):
                self._values = position_values(question, index, self._workers, self._progress)
            if question.end == "decided":
                ends = position_ends(question, index, self._values, self._workers, self._progress)
                self._ends = [*ends][::-1]
        (rows, layer), marks = self._start(store)
        for fewer in range(1, marks) if folder is not None else ():  # leftovers of a killed run
            for part in self._items(fewer, store):
                if part.file is not None:
                    part.file.path.unlink(missing_ok=True)
        while layer is not None:
            before = layer
            rows, layer = self._two_plies(rows, before, marks, store)
            marks += 1
            over = {"left": [path.name for path in before.files()]} if layer is None else {}
            key = self._key if over else f"{self._key} {marks}"
            store.keep_result(key, {"rows": [row.as_dict() for row in rows], **over})
            for path in before.files():
                path.unlink(missing_ok=True)
        return rows

    def _start(self, store: Checkpoints) -> tuple[_Reached, int]:
        """Return the last complete layer in the store and each player's marks there; without one the first layer."""
        for marks in range(self._cells // 2, 0, -1):
            if (found := store.result(f"{self._key} {marks}")) is not None:
                files = [part.file for part in self._items(marks, store) if part.file is not None]
                return (rows_from(found["rows"]), self._layer(marks, files)), marks
        numbers = room_for(1, 1, 0)
        numbers.low[:] = 1
        once, over = PathCount(1, 1, 1, self._order - 1), int(self._ends[0][0, 0]) & 3 if self._ends is not None else 0
        first = PathLayer([(1, numbers)], 1, 0) if self._question.last_ply and not over else None
        kinds = [NOTHING] * KINDS
        kinds[over] = once
        return ((self._row(0, kinds, NOTHING),), first), 0

    def _layer(self, marks: int, parts: Sequence[LayerPart | None]) -> PathLayer:
        size = self._size(marks)
        cuts = self._cuts(marks, size.blocks)
        some = [(b - a, part) for (a, b), part in zip(cuts, parts, strict=True) if part is not None]
        return PathLayer(some, size.size, size.high)

    def _size(self, marks: int) -> LayerSize:
        return LayerSize.of(self._cells, marks, len(self._sets.layers[marks][0]))

    def _cuts(self, marks: int, blocks: int) -> list[tuple[int, int]]:
        """Cut the sets of X with `marks` marks into items; always the same cuts, so that a resumed run finds them."""
        before, after = LayerSize.of(self._cells, marks - 1, 1), LayerSize.of(self._cells, marks, 1)
        step = max(1, ITEM_BYTES // (marks * before.block_bytes + after.block_bytes))
        return list(pairwise([*range(0, blocks, step), blocks]))

    def _items(self, marks: int, store: Checkpoints) -> Iterator[PathBlocks]:
        """Yield in order the items that make the layer with `marks` marks of each player from the layer before."""
        free, lined = self._sets.layers[marks]
        for number, (a, b) in enumerate(self._cuts(marks, len(free))):
            of = f"{self._key} {marks} {number}"
            file = FilePart(store.path(of, "paths"), of, b - a) if store.folder is not None else None
            yield PathBlocks(free[a:b], False, a, file)
        yield from (PathBlocks(lined[a:b], True, a) for a, b in self._cuts(marks, len(lined)))

    def _two_plies(self, rows: tuple[PlyCounts, ...], layer: PathLayer, marks: int, store: Checkpoints) -> _Reached:
        """Make the next layer from the one with `marks` marks of each player."""
        question, ply = self._question, 2 * marks + 1
        replies = ply < question.last_ply
        target = self._size(marks + 1) if replies else None
        step = TwoPlies(
            self._cells,
            self._sets.lines,
            self._sets.permutations,
            (MOVE_RULES.index(question.x_moves), MOVE_RULES.index(question.o_moves)),
            question.same == "choices",
            question.same == "symmetry",
            self._sets.layers[marks][0],
            layer,
            target,
            self._values.of_two_plies(2 * marks) if self._values is not None else None,
            PathEnds(self._ends[ply], self._ends[min(ply + 1, self._cells)]) if self._ends is not None else None,
        )
        counts, x_lined = [NOTHING] * 2 * KINDS, NOTHING
        parts = []
        for blocks, found in self._done(step, list(self._items(marks + 1, store if replies else Checkpoints(None)))):
            if blocks.lined:
                x_lined = x_lined.plus(found.counts[0])
            else:
                counts = [a.plus(b) for a, b in zip(counts, found.counts, strict=True)]
                parts.append(found.part)
        x, o = counts[:KINDS], counts[KINDS:]
        if x_lined.classes or any(count.classes for count in x):
            rows = (*rows, self._row(ply, x, x_lined))
        continues = target is not None and x[0].classes
        if continues:
            rows = (*rows, self._row(ply + 1, o, NOTHING))
        if continues and ply + 1 < question.last_ply and o[0].classes:
            return rows, self._layer(marks + 1, parts)
        for part in parts:  # the walk ends, so nothing needs them
            if isinstance(part, FilePart):
                part.path.unlink(missing_ok=True)
        return rows, None

    def _done(self, step: TwoPlies, items: list[PathBlocks]) -> Iterator[tuple[PathBlocks, PathsFound]]:
        """Yield the counts of each item in order; an item with a file is not done again."""
        saved = {number: _saved(blocks) for number, blocks in enumerate(items)}
        missing = [blocks for number, blocks in enumerate(items) if saved[number] is None]
        results = self._workers.map(stream_blocks, step, missing)
        whole = sum(len(blocks.sets) for blocks in items)
        done = 0
        for number, blocks in enumerate(items):
            known = saved[number]
            yield blocks, known if known is not None else next(results)
            done += len(blocks.sets)
            self._progress(done, whole, f"plies {2 * step.marks - 1} and {2 * step.marks}")

    def _row(self, ply: int, counts: Sequence[PathCount], x_lined: PathCount) -> PlyCounts:
        """Return the row of a ply from the open count, the counts of the other kinds (see `KINDS`) and X's new lines.

        On a full board the open count is drawn.
        """
        open_, *over = counts
        board = self._question.board
        kinds: dict[Outcome, PathCount] = dict.fromkeys(OUTCOMES, NOTHING)
        if self._ends is not None:
            kinds = dict(zip(OUTCOMES, over, strict=True))
        else:
            kinds[board.line_outcome("O")] = over[0]
            if ply == self._cells:
                kinds["draw"], open_ = open_, NOTHING
        kinds[board.line_outcome("X")] = kinds[board.line_outcome("X")].plus(x_lined)
        positions = [self._positions(kinds[kind]) for kind in OUTCOMES]
        paths = [self._paths(kinds[kind]) for kind in OUTCOMES]
        terminal = sum(positions)
        return PlyCounts.of(
            ply, terminal + self._positions(open_), terminal, positions, sum(paths) + self._paths(open_), paths
        )

    def _positions(self, count: PathCount) -> int:
        return count.positions if self._question.same == "labelled" else count.classes

    def _paths(self, count: PathCount) -> int:
        return count.paths if self._question.same != "symmetry" else exactly(count.paths + count.surplus, self._order)


def _saved(blocks: PathBlocks) -> PathsFound | None:
    """Return the counts in the file of an item; None where it does not exist. Raises CheckError."""
    about = blocks.file.about() if blocks.file is not None else None
    if about is None:
        return None
    return PathsFound(tuple(PathCount(*map(int, count)) for count in about["counts"]), blocks.file)
