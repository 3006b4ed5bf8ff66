"""Tables on disk: what is read is what was solved, damage is seen, and a killed run is gone on with."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from noughts.machine.workers import SERIAL, Threads, Workers
from noughts.rules.board import Board
from noughts.rules.errors import CheckError, InputError
from noughts.rules.marks import cells_of
from noughts.rules.position import Position
from noughts.rules.symmetry import Permutation
from noughts.solving import saved
from noughts.solving.retrograde import SmallSolution
from noughts.solving.saved import audit, open_solution, save_solution
from noughts.solving.saving import files, making
from noughts.solving.saving.plan import WorkForecast, plan_saving
from tests.dear import dear
from tests.workers import Pickled


def write(folder: Path, spec: str = "3x3", *, packed: bool = False, workers: Workers = SERIAL) -> Path:
    save_solution(folder, Board.parse(spec), packed=packed, workers=workers)
    return folder


def image(marks: int, turn: Permutation) -> int:
    return sum(1 << turn[cell] for cell in cells_of(marks))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("spec", ["3x3", "2x4:3+misere", "2x3:2+torus", "2x2x2:2"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_table_gives_what_was_solved(tmp_path: Path, spec: str, packed: bool) -> None:
    board = Board.parse(spec)
    solution = open_solution(write(tmp_path / "table", spec, packed=packed), board)
    small = SmallSolution(board)
    assert solution.plies() == small.plies()
    waiting = [Position(board)]
    for position in waiting:
        found, known = solution.evaluate(position), small.evaluate(position)
        assert found.outcome == known.outcome
        if not packed:
            assert found.remoteness == known.remoteness
        if position.outcome is None and position.ply < 4:
            waiting += [position.play(cell) for cell in range(board.cells) if position.blanks >> cell & 1]
    assert all(finding.ok for finding in audit(tmp_path / "table"))


def test_the_same_bytes_whatever_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = contents(write(tmp_path / "whole", workers=Threads(2)))
    killed = tmp_path / "killed"
    rename = os.replace
    renamed = 0

    def die_at_times(source: Path, target: Path) -> None:
        nonlocal renamed
        renamed += 1
        if renamed % 3 == 0:
            raise KeyboardInterrupt
        rename(source, target)

    monkeypatch.setattr(os, "replace", die_at_times)
    runs = 0
    while not (killed / "layer-00.values").is_file():
        runs += 1
        try:
            save_solution(killed, Board.parse("3x3"), packed=False, resume=runs > 1)
        except KeyboardInterrupt:
            continue
    assert runs > 3
    (killed / ".layer-00.values.0123456789abcdef.noughts-part").write_bytes(b"left behind")
    monkeypatch.undo()
    save_solution(killed, Board.parse("3x3"), packed=False, resume=True)
    assert contents(killed) == whole


def test_every_flipped_bit_is_seen(tmp_path: Path) -> None:
    folder = write(tmp_path / "table")
    dice = random.Random(1)
    for path in sorted(folder.iterdir()):
        good = path.read_bytes()
        for _ in range(5):
            bad = bytearray(good)
            bad[dice.randrange(len(bad))] ^= 1 << dice.randrange(8)
            path.write_bytes(bytes(bad))
            try:
                seen = not all(finding.ok for finding in audit(folder))
            except (CheckError, InputError):
                seen = True
            assert seen, path
        path.write_bytes(good)
    assert all(finding.ok for finding in audit(folder))


def test_a_wrong_value_with_a_right_checksum_is_seen(tmp_path: Path) -> None:
    folder = write(tmp_path / "table")
    tables = saved.SavedTables(folder)
    table = saved.read_layer(tables, 4)
    table.data[5] = 100 if table.data[5] != 100 else 3
    tables.layers[4].write(0, table.data, table.counts)
    findings = list(audit(folder))
    assert not findings[-1].ok
    assert findings[-1].part == "ply 4"


def test_directories_that_do_not_fit(tmp_path: Path) -> None:
    folder = write(tmp_path / "table")
    board = Board.parse("3x3")
    with pytest.raises(InputError, match="add --resume"):
        save_solution(folder, board, packed=False)
    with pytest.raises(InputError, match="holds another table"):
        save_solution(folder, Board.parse("2x3"), packed=False, resume=True)
    with pytest.raises(InputError, match="holds another table"):
        save_solution(folder, board, packed=True, resume=True)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match="not empty"):
        save_solution(tmp_path / "full", board, packed=False)
    assert (tmp_path / "full" / "letter.txt").read_text() == "dear"
    with pytest.raises(InputError, match="does not hold a table"):
        open_solution(tmp_path / "nowhere")
    (folder / "layer-02.values").unlink()
    with pytest.raises(InputError, match="--resume"):
        open_solution(folder)
    save_solution(folder, board, packed=False, resume=True)
    assert open_solution(folder).outcome() == "draw"


def test_a_file_of_another_table_is_never_read(tmp_path: Path) -> None:
    """Files of one table put into another, or under another name in the same, pass their own checksums."""
    folder = write(tmp_path / "table")
    board = Board.parse("3x3")
    others = {"packed": ("3x3", True), "misere": ("3x3+misere", False), "torus": ("3x3+torus", False)}
    strangers = [
        path
        for name, (spec, packed) in others.items()
        for path in write(tmp_path / name, spec, packed=packed).iterdir()
    ]
    good = contents(folder)
    for name in ("layer-03.values", "layer-09.values", "leads-02.sets", "table.json"):
        for stranger in strangers:
            if stranger.name == name or name == "layer-03.values":
                (folder / name).write_bytes(stranger.read_bytes())
                with pytest.raises(
                    (CheckError, InputError), match=r"another table|not of 3x3|is not a table|header of"
                ):
                    open_solution(folder, board)
                (folder / name).write_bytes(good[name])
        for other in sorted(good.keys() - {name}):
            (folder / name).write_bytes(good[other])
            with pytest.raises((CheckError, InputError), match=r"another place|is not a table|header of"):
                open_solution(folder, board)
            (folder / name).write_bytes(good[name])
    assert open_solution(folder, board).evaluate("XOX/.../...").outcome == "draw"


# Tables made in portions, by any workers: the same files, whatever happens to the workers or to a run.

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture
def many_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut layers into many portions, as those of large boards are, and read little at a time."""
    monkeypatch.setattr(files, "LEAST_BYTES", 16)
    monkeypatch.setattr(files, "PORTIONS", 5)
    monkeypatch.setattr(making, "READ_BYTES", 400)


def saved_files(folder: Path, board: Board, workers: Workers = SERIAL, *, packed: bool = True) -> dict[str, bytes]:
    save_solution(folder, board, packed=packed, workers=workers, resume=folder.exists())
    return contents(folder)


@pytest.mark.usefixtures("many_portions")
@pytest.mark.parametrize(
    "spec", dear(["3x3", "2x4:3+misere", "2x5:3", "2x3:2+torus", "1x2", "2x2:1"], "2x4:3+misere", "1x2")
)
@pytest.mark.parametrize("packed", [False, True])
def test_the_same_files_for_any_workers(tmp_path: Path, spec: str, packed: bool) -> None:
    board = Board.parse(spec)
    expected = saved_files(tmp_path / "serial", board, packed=packed)
    if board.cells > 8:
        assert sum(name.startswith("layer-05.") for name in expected) > 2
    others: list[Workers] = [Threads(3), Pickled()] if packed else [Threads(2)]
    for number, workers in enumerate(others):
        assert saved_files(tmp_path / str(number), board, workers, packed=packed) == expected
    solution = open_solution(tmp_path / "serial", board)
    assert solution.plies() == SmallSolution(board).plies()
    findings = list(audit(tmp_path / "serial"))
    assert all(finding.ok for finding in findings)
    assert len(findings) > board.cells


@pytest.mark.parametrize("spec", ["3x3", "2x4:3", "2x3:2+torus"])
def test_a_plan_has_a_block_for_each_class_of_sets_without_a_line(spec: str) -> None:
    board = Board.parse(spec)
    lines, turns = board.line_masks, board.group("board").elements
    classes: Counter[int] = Counter()
    for marks in range(1 << board.cells):
        if all(marks & line != line for line in lines) and marks == min(image(marks, turn) for turn in turns):
            classes[marks.bit_count()] += 1
    for layer in plan_saving(board, packed=True).layers:
        assert layer.blocks == classes[(layer.ply + 1) // 2], layer


@pytest.mark.parametrize("packed", [False, True])
def test_the_estimate_of_a_table_is_near_its_plan(packed: bool) -> None:
    board = Board.parse("4x4")
    told = saved.saving_estimate(board, packed=packed, workers=1).disk or 0
    assert 0.9 < told / plan_saving(board, packed=packed).disk < 1


def test_more_workers_take_less_time_until_each_has_one_work_item() -> None:
    plan = plan_saving(Board.parse("5x6:4"), packed=True)
    one, two, many, more = (WorkForecast.of(plan, workers, 10**9) for workers in (1, 2, 976, 10**6))
    assert one.seconds == pytest.approx((plan.entries * 9e-9, plan.entries * 18e-9))
    assert one.seconds[0] > 1.8 * two.seconds[0] > 100 * many.seconds[0] > 0
    assert many.seconds == more.seconds  # no layer has more than 976 items
    assert (two.memory, two.read, two.written) == (10**9, plan.read, plan.disk)
    small = WorkForecast.of(plan_saving(Board.parse("5x5:4"), packed=True), 1, 0)
    assert small.seconds[0] == pytest.approx(145, rel=0.01)  # as measured
