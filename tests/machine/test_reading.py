"""Files read in pieces, and where there is a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from noughts.machine.reading import nearest_folder, read_into


@pytest.mark.parametrize("most", [1, 3, 100])
def test_bytes_are_filled_from_a_place_however_few_come_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(20)))
    plain = os.pread
    monkeypatch.setattr(os, "pread", lambda handle, size, offset: plain(handle, min(size, most), offset))
    with path.open("rb") as file:
        for begin, size in ((0, 20), (5, 7), (19, 1), (20, 0)):
            out = bytearray(size)
            assert read_into(file.fileno(), begin, memoryview(out))
            assert out == bytes(range(begin, begin + size))


def test_a_file_that_ends_before_is_told(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"noughts")
    with path.open("rb") as file:
        assert not read_into(file.fileno(), 3, memoryview(bytearray(5)))
        assert not read_into(file.fileno(), 100, memoryview(bytearray(1)))


def test_the_nearest_folder_is_one_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    assert nearest_folder(tmp_path) == tmp_path
    assert nearest_folder(tmp_path / "a" / "b") == tmp_path
    assert nearest_folder(tmp_path / "file") == tmp_path
    monkeypatch.chdir(tmp_path)
    assert nearest_folder(Path("a")) == tmp_path
