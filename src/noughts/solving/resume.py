"""What a search that was stopped has settled, in a file from which a later run goes on.

One line of JSON with its own checksum: the question, the positions that attacks by threats settled, the answers about
the replies of a long attack in their order, and the families of the weak game. What plain search has found is not kept.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from noughts.machine.files import write_file
from noughts.machine.reading import read_text
from noughts.machine.workers import Progress
from noughts.rules.errors import CheckError, FileError, InputError, shown
from noughts.rules.position import Position
from noughts.solving.attack.attacker import Attacker
from noughts.solving.attack.replies import ItemAnswer
from noughts.solving.blockfile import checked_json, sealed_json
from noughts.solving.weak.stopper import Stopper

__all__ = ["Keeper", "Searched", "keep_search", "resume_search"]

KIND = "noughts search 1"
SIZE_LIMIT = 1 << 31
KEEPING_SECONDS = 5.0
"""A search that is at work is kept so often."""
LEAST_PAUSE = 19
"""It is kept no sooner than after so many times what keeping it took last: a twentieth of the time at most."""


@runtime_checkable
class Searched(Protocol):
    """A solution that searches: what it knows may be kept, and serves a proof."""

    def searches(self) -> tuple[Stopper, Attacker]:
        """Return the searches of the weak game and of attacks, with what they know."""


def keep_search(path: Path, position: Position, solution: Searched) -> int:
    """Write what a solution has settled in its search about a position; return how many states. Raises FileError."""
    stopper, attacker = solution.searches()
    won, lost = attacker.found()
    weak = [
        [key.hex(), maker_moves, answer, None if zone is None else f"{zone:x}"]
        for key, maker_moves, answer, zone in stopper.found()
        if isinstance(key, bytes)
    ]
    content = {
        **_question(position),
        "won": [[picture.hex(), cell] for picture, cell in won],
        "lost": [picture.hex() for picture in lost],
        "replies": {root.hex(): list(map(_packed, answers)) for root, answers in attacker.answers().items()},
        "weak": weak,
    }
    write_file(path, f"{sealed_json(content)}\n".encode("ascii"))
    settled = sum(len(answer.found) for answers in attacker.answers().values() for answer in answers)
    return len(won) + len(lost) + settled + len(weak)


class Keeper:
    """Keeps a search when it is called, unless that was done within so many seconds; `has_kept`: it ever was.

    It waits longer where writing takes long; with 0 seconds it keeps at every call. What was kept last is
    whole, whenever the search is killed.
    """

    def __init__(self, path: Path, position: Position, solution: Searched, *, seconds: float = KEEPING_SECONDS) -> None:
        self._about = path, position, solution
        self._seconds, self._due = seconds, time.monotonic() + seconds
        self.has_kept = False

    def __call__(self) -> None:
        """Write what is known now. Raises FileError."""
        began = time.monotonic()
        if began >= self._due:
            keep_search(*self._about)
            ended = time.monotonic()
            pause = max(self._seconds, LEAST_PAUSE * (ended - began)) if self._seconds else 0.0
            self.has_kept, self._due = True, ended + pause

    def attend(self) -> None:
        """Be called from now on when the searches say how far they have come, and at each answer about a reply."""
        stopper, attacker = self._about[-1].searches()
        stopper.progress = self._after(stopper.progress)
        attacker.watched(self._after(attacker.progress))
        attacker.kept_by(self)

    def _after(self, progress: Progress) -> Progress:
        def told(done: int, whole: int, what: str) -> None:
            progress(done, whole, what)
            self()

        return told


def _packed(answer: ItemAnswer) -> list[Any]:
    return [answer.won, answer.opened, [[picture.hex(), move] for picture, move in answer.found]]


def _unpacked(packed: list[Any]) -> ItemAnswer:
    won, opened, found = packed
    return ItemAnswer(won, opened, tuple((bytes.fromhex(picture), move) for picture, move in found))


def resume_search(path: Path, position: Position, solution: Searched) -> None:
    """Let a solution go on from what `keep_search` has written about the same position.

    Raises FileError where it cannot be read, InputError where it is damaged or of another question.
    """
    try:
        content = checked_json(read_text(path, SIZE_LIMIT).rstrip("\n"), path)
    except OSError as error:
        raise FileError(f"no search was kept in {shown(str(path))} ({error.strerror}): leave out --resume") from None
    except (CheckError, UnicodeDecodeError):
        raise InputError(
            f"{shown(str(path))} is no search that was kept, or it was changed: leave out --resume"
        ) from None
    asked = _question(position)
    if content.get("kind") != KIND:
        raise InputError(
            f"{shown(str(path))} is of the format {shown(content.get('kind'))}, and this noughts reads {KIND!r}: "
            "go on with the version that began it, or leave out --resume"
        )
    if {key: content.get(key) for key in asked} != asked:
        about = f"{content.get('position')} of {content.get('board')}"
        raise InputError(
            f"{shown(str(path))} is the search of {about}, not of {position} of {position.board}: leave out --resume"
        )
    stopper, attacker = solution.searches()
    if content["won"] or content["lost"]:
        attacker.learn(
            [(bytes.fromhex(picture), cell) for picture, cell in content["won"]],
            [bytes.fromhex(picture) for picture in content["lost"]],
        )
    replies = content.get("replies", {})
    if replies:
        attacker.take({bytes.fromhex(root): list(map(_unpacked, packed)) for root, packed in replies.items()})
    if content["weak"]:
        stopper.learn(
            (bytes.fromhex(key), maker_moves, answer, None if zone is None else int(zone, 16))
            for key, maker_moves, answer, zone in content["weak"]
        )


def _question(position: Position) -> dict[str, Any]:
    """Return what a search is of; boards that are given by lines may change under one name."""
    board = position.board
    said = {"kind": KIND, "board": board.spec, "position": str(position)}
    if board.given_lines is None:
        return said
    return {**said, "lines": [list(line) for line in board.given_lines], "misere": board.misere}
