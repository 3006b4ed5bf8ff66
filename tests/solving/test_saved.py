"""Tables on disk: what is read is what was solved, damage is seen, and a killed run is gone on with."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import CheckError, FileError, InputError
from noughts.domain.position import Position
from noughts.machine.files import hold_folder
from noughts.machine.workers import SERIAL, Threads, Workers
from noughts.solving import described, saved
from noughts.solving.audit import audit
from noughts.solving.blockfile import sealed_json
from noughts.solving.saved import open_solution, save_solution
from noughts.solving.small import SmallSolution


def write(folder: Path, spec: str = "3x3", *, packed: bool = False, workers: Workers = SERIAL) -> Path:
    save_solution(folder, Board.parse(spec), packed=packed, workers=workers)
    return folder


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


def test_a_board_given_by_its_lines_is_described_in_full(tmp_path: Path) -> None:
    board = Board.from_lines(6, [(0, 1, 2), (2, 3, 4), (0, 5)], name="a triangle")
    save_solution(tmp_path / "table", board, packed=False)
    solution = open_solution(tmp_path / "table")
    assert solution.board.lines == board.lines
    assert solution.plies() == SmallSolution(board).plies()
    with pytest.raises(InputError, match="not of 3x3:3"):
        open_solution(tmp_path / "table", Board.parse("3x3"))


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
    tables.layer(4).write(0, table.data, table.counts)
    findings = list(audit(folder))
    assert not findings[-1].ok
    assert findings[-1].part == "ply 4"


def test_probing_checks_the_block_it_reads(tmp_path: Path) -> None:
    folder = write(tmp_path / "table")
    path = folder / "layer-01.values"
    bad = bytearray(path.read_bytes())
    bad[4096] ^= 1
    path.write_bytes(bytes(bad))
    solution = open_solution(folder)
    assert solution.evaluate("X../.O./...").outcome == "draw"
    with pytest.raises(CheckError, match="checksum differs"):
        solution.evaluate(Position(solution.board, 1, 0))


def test_directories_that_do_not_fit(tmp_path: Path) -> None:
    folder = write(tmp_path / "table")
    board = Board.parse("3x3")
    with pytest.raises(InputError, match="add --resume"):
        save_solution(folder, board, packed=False)
    with pytest.raises(InputError, match="not what is asked"):
        save_solution(folder, Board.parse("2x3"), packed=False, resume=True)
    with pytest.raises(InputError, match="not what is asked"):
        save_solution(folder, board, packed=True, resume=True)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match="not empty"):
        save_solution(tmp_path / "full", board, packed=False)
    assert (tmp_path / "full" / "letter.txt").read_text() == "dear"
    with pytest.raises(InputError, match="holds no table"):
        open_solution(tmp_path / "nowhere")
    (folder / "layer-02.values").unlink()
    with pytest.raises(InputError, match="--resume"):
        open_solution(folder)
    save_solution(folder, board, packed=False, resume=True)
    assert open_solution(folder).outcome() == "draw"


def test_a_table_is_written_by_one_run_at_a_time(tmp_path: Path) -> None:
    folder, board = write(tmp_path / "table"), Board.parse("3x3")
    with hold_folder(folder), pytest.raises(FileError, match="another run of noughts is at work in"):
        save_solution(folder, board, packed=False, resume=True)
    save_solution(folder, board, packed=False, resume=True)
    (tmp_path / "file").write_text("dear")
    with pytest.raises(FileError, match=r"is no folder that can be used .*: name another"):
        save_solution(tmp_path / "file", board, packed=False)


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
                with pytest.raises((CheckError, InputError), match=r"another table|not of 3x3|is no table|header of"):
                    open_solution(folder, board)
                (folder / name).write_bytes(good[name])
        for other in sorted(good.keys() - {name}):
            (folder / name).write_bytes(good[other])
            with pytest.raises((CheckError, InputError), match=r"another place|is no table|header of"):
                open_solution(folder, board)
            (folder / name).write_bytes(good[name])
    assert open_solution(folder, board).evaluate("XOX/.../...").outcome == "draw"


def test_a_table_is_not_gone_on_with_from_a_file_of_another(tmp_path: Path) -> None:
    folder, board = write(tmp_path / "table"), Board.parse("3x3")
    other = write(tmp_path / "other", packed=True)
    for path in folder.glob("layer-0[0-4].values"):
        path.unlink()
    for name in ("layer-05.values", "layer-08.values", "leads-01.sets"):
        good = (folder / name).read_bytes()
        (folder / name).write_bytes((other / name).read_bytes())
        with pytest.raises(CheckError, match="belongs to another table"):
            save_solution(folder, board, packed=False, resume=True)
        (folder / name).write_bytes(good)


def test_two_boards_of_one_name_have_tables_of_their_own(tmp_path: Path) -> None:
    for name, lines in (("one", [(0, 1, 2)]), ("two", [(0, 1, 3)])):
        save_solution(tmp_path / name, Board.from_lines(4, lines, name="mine"), packed=False)
    (tmp_path / "one" / "layer-01.values").write_bytes((tmp_path / "two" / "layer-01.values").read_bytes())
    with pytest.raises(CheckError, match="another table"):
        open_solution(tmp_path / "one")


def test_a_table_of_an_older_format_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "table")
    about = {**described.read_description(folder), "format": "noughts table 1"}
    (folder / "table.json").write_text(sealed_json(about) + "\n")
    with pytest.raises(InputError, match="this program reads 'noughts table 3': write the table again"):
        open_solution(folder)


def test_what_a_killed_run_left_does_not_bar_a_new_table(tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / ".table.json.0123456789abcdef.noughts-part").write_bytes(b"{")
    assert open_solution(write(tmp_path / "table")).outcome() == "draw"
