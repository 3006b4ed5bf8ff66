"""Files read in pieces, and where there is a folder."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from noughts.machine.files import (
    hold_folder,
    make_folder,
    require_free_folder,
    require_writable,
    write_file,
    writing_file,
    writing_folder,
    writing_stream,
)
from noughts.machine.reading import read_into, read_text
from noughts.rules.errors import FileError, InputError


def test_bytes_are_filled_from_a_place_however_few_come_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, plain = tmp_path / "file", os.pread
    path.write_bytes(bytes(range(20)))
    with path.open("rb") as file:
        for most, (begin, size) in product((1, 3, 100), ((0, 20), (5, 7), (19, 1), (20, 0), (17, 4), (100, 1))):
            monkeypatch.setattr(os, "pread", lambda handle, some, at, most=most: plain(handle, min(some, most), at))
            out, whole = bytearray(size), begin + size <= 20
            assert read_into(file.fileno(), begin, memoryview(out)) == whole
            assert not whole or out == bytes(range(begin, begin + size))


# Files appear whole or not at all, links and devices stay what they are, and nothing is left behind.


def test_a_regular_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"long before")
    path.chmod(0o604)
    with open(path, "rb") as reader:
        write_file(path, b"new")
        assert reader.read() == b"long before"  # an open reader still has the whole old file
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o7777 == 0o604


@pytest.mark.parametrize("there", [True, False], ids=["link", "dangling link"])
def test_a_link_is_followed(tmp_path: Path, there: bool) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "target", tmp_path / "link"
    if there:
        target.write_bytes(b"old")
    link.symlink_to("far/target")
    write_file(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert not target.is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["far", "link"]
    assert os.listdir(tmp_path / "far") == ["target"]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()), daemon=True)
    reader.start()
    with writing_file(pipe) as temporary:
        temporary.write_bytes(b"through")
    reader.join(10)
    assert found == [b"through"]
    assert pipe.is_fifo()
    assert os.listdir(tmp_path) == ["pipe"]


def device(folder: Path, name: str) -> Path:
    """A device of this name: one of our own where we may make it, so that a fault does not break the machine's."""
    real, own = Path("/dev", name), folder / name
    try:
        os.mknod(own, 0o666 | stat.S_IFCHR, real.stat().st_rdev)
        own.open("wb").close()
    except PermissionError:
        return real
    return own


def test_devices_stay_devices(tmp_path: Path) -> None:
    null, full = device(tmp_path, "null"), device(tmp_path, "full")
    before = sorted(os.listdir(tmp_path))
    write_file(null, b"gone")
    assert null.is_char_device()
    with pytest.raises(FileError, match=r"cannot write '.*/full': No space left on device; free some space"):
        write_file(full, b"1")
    assert full.is_char_device()
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("name", ["link", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_is_written_to_where_it_goes_to_a_file(tmp_path: Path, name: str) -> None:
    """The link is what `/dev/stdout` is."""
    (tmp_path / "link").symlink_to("/proc/self/fd/1")
    code = (
        "import sys; from pathlib import Path; from noughts.machine.files import write_file\n"
        f"print('before', flush=True); write_file(Path({name!r}), b'between\\n'); print('after')"
    )
    with open(tmp_path / "out", "wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True, timeout=60, cwd=tmp_path)
    assert (tmp_path / "out").read_text() == "before\nbetween\nafter\n"
    assert (tmp_path / "link").is_symlink()


BAD: dict[str, tuple[str, str]] = {
    "a folder": ("folder", "is a folder: give the name of a file in it"),
    "no folder": ("none/a", "the folder .* does not exist: create it, or name another"),
    "a file as the folder": ("file/a", "the folder .* does not exist: create it, or name another"),
    "a link to a missing folder": (
        "astray",
        "the folder '.*/none', where the link '.*/astray' leads, does not exist",
    ),
    "a long name": ("x" * 300, "File name too long; give it a shorter name"),
    "a circle of links": ("circle", "symbolic links; name another place"),
}


@pytest.mark.parametrize("name", BAD)
def test_unwritable_files_are_reported_before_and_after_the_work(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "astray").symlink_to("none/a")
    before = sorted(os.listdir(tmp_path))
    path, words = BAD[name]
    for act in (require_writable, lambda path: write_file(path, b"1")):
        with pytest.raises(FileError, match=words) as caught:
            act(tmp_path / path)
        assert caught.value.exit_code == 4
        assert "\n" not in str(caught.value)
    assert sorted(os.listdir(tmp_path)) == before


def _failing(code: int) -> Callable[..., None]:
    def fail(*given: object, **named: object) -> None:
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.parametrize(
    ("call", "code", "words"),
    [
        ("open", errno.EROFS, "Read-only file system; name a place where you may write"),
        ("open", errno.EACCES, "Permission denied; name a place where you may write"),
        ("fsync", errno.ENOSPC, "No space left on device; free some space, or name a place on another disk"),
        ("fsync", errno.EIO, "Input/output error; name another place"),
        ("replace", errno.EDQUOT, "Disk quota exceeded; free some space"),
    ],
)
def test_what_the_system_refuses_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int, words: str
) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    with monkeypatch.context() as patch:
        patch.setattr(os, call, _failing(code))
        with pytest.raises(FileError) as caught:
            write_file(path, b"new")
    assert str(caught.value).startswith(f"cannot write {str(path)!r}: {words}")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


def test_an_error_in_the_midst_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")

    def half() -> None:
        with writing_stream(path) as stream:
            stream.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


def test_what_a_kill_left_is_removed_and_what_is_being_written_stays(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from noughts.machine.files import *\n"
        "with writing_stream(Path('big')) as stream, writing_folder(Path('site'), 'mark') as new:\n"
        "    new.put('page', 'half'); stream.write(b'1' * 100_000); stream.flush()\n"
        "    print('here', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        under_way = sorted(os.listdir(tmp_path))
        assert len(under_way) == 2
        write_file(tmp_path / "other", b"1")
        assert sorted(os.listdir(tmp_path)) == [*under_way, "other"]
        process.kill()
    assert sorted(os.listdir(tmp_path)) == [*under_way, "other"]
    write_file(tmp_path / "other", b"1")
    assert os.listdir(tmp_path) == ["other"]


def test_a_folder_appears_whole(tmp_path: Path) -> None:
    with writing_folder(tmp_path / "new", "mark") as new:
        new.put("a", "1")
        new.put("b/c", "2")
        new.about["made by"] = "a test"
        assert not (tmp_path / "new").exists()
    assert (tmp_path / "new" / "b" / "c").read_text() == "2"
    assert (tmp_path / "new" / "mark").read_text() == '{"version": 1, "made by": "a test", "files": ["a", "b/c"]}\n'
    with pytest.raises(ZeroDivisionError), writing_folder(tmp_path / "half", "mark") as new:
        new.put("a", str(1 // 0))
    assert os.listdir(tmp_path) == ["new"]


def test_a_folder_is_replaced_only_when_forced(tmp_path: Path) -> None:
    path, link = tmp_path / "new", tmp_path / "link"
    path.mkdir(mode=0o750)
    link.symlink_to("new")
    for name, force in (("a", False), ("b", True)):
        with writing_folder(link, "mark", force=force) as new:
            new.put(name, "1")
    with pytest.raises(InputError, match="is not empty: choose another, or add --force"), writing_folder(path, "mark"):
        pytest.fail("the folder was given")
    assert link.is_symlink()
    assert sorted(os.listdir(path)) == ["b", "mark"]
    assert path.stat().st_mode & 0o777 == 0o750
    assert sorted(os.listdir(tmp_path)) == ["link", "new"]


@pytest.mark.parametrize("name", ["letter.txt", "b/letter.txt", ".hidden"])
def test_what_others_put_into_our_folder_is_never_removed(tmp_path: Path, name: str) -> None:
    path = tmp_path / "new"
    with writing_folder(path, "mark") as new:
        new.put("b/c", "1")
    (path / name).write_text("dear")
    with pytest.raises(InputError) as caught, writing_folder(path, "mark", force=True):
        pytest.fail("the folder was given")
    assert f"is not replaced: it holds {name!r}, which noughts did not write" in str(caught.value)
    assert (path / name).read_text() == "dear"


def test_a_folder_has_one_run_at_a_time(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    again = hold_folder(tmp_path / "a" / "b")
    with hold_folder(tmp_path / "a" / "b"), pytest.raises(FileError, match="another run of noughts uses"):
        again.__enter__()
    with hold_folder(tmp_path / "a" / "b"):
        pass
    assert os.listdir(tmp_path / "a" / "b") == []
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match=r"the folder .* cannot be used"):
        make_folder(tmp_path / "file")


@pytest.mark.parametrize("name", ["\0", "a\0.csv", "\ud800", "folder\0/a.csv"])
@pytest.mark.parametrize(
    "use",
    [
        lambda path: write_file(path, b"a"), require_writable, make_folder,
        lambda path: require_free_folder(path, "marker"), read_text,
    ],
)  # fmt: skip
def test_what_no_file_can_be_called_is_bad_input(tmp_path: Path, name: str, use: Callable[[Path], object]) -> None:
    with pytest.raises(InputError, match="is not a valid file name: name another") as caught:
        use(tmp_path / name)
    assert str(caught.value).isprintable()
    assert list(tmp_path.iterdir()) == []
