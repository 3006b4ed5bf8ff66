"""What a search that was stopped has settled, in a file from which a later run goes on.

One line of JSON with its own checksum: the question, the positions that attacks by threats settled, the answers about
the replies of a long attack in their order, and the families of the weak game. What plain search has found is not kept.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from noughts.machine.files import write_file
from noughts.machine.reading import read_text
from noughts.rules.errors import CheckError, FileError, InputError, shown
from noughts.rules.position import Position
from noughts.solving.attack.replies import ItemAnswer
from noughts.solving.blockfile import checked_json, sealed_json
from noughts.solving.stages import Stages

KIND = "noughts search 1"
SIZE_LIMIT = 1 << 31
KEEPING_SECONDS = 5.0
"""A search that is at work is kept so often."""
LEAST_PAUSE = 19
"""It is kept no sooner than after so many times what keeping it took last: a twentieth of the time at most."""


def keep_search(path: Path, position: Position, stages: Stages) -> int:
    """Write what a search about a position has settled; return how many states. Raises FileError."""
    won, lost, answers = stages.attacker.found()
    weak = [
        [key.hex(), maker_moves, answer, None if zone is None else f"{zone:x}"]
        for key, maker_moves, answer, zone in stages.stopper.found()
        if isinstance(key, bytes)
    ]
    content = {
        **_question(position),
        "won": [[picture.hex(), cell] for picture, cell in won],
        "lost": [picture.hex() for picture in lost],
        "replies": {
            root.hex(): [[one.won, one.opened, [[picture.hex(), move] for picture, move in one.found]] for one in each]
            for root, each in answers.items()
        },
        "weak": weak,
    }
    write_file(path, f"{sealed_json(content)}\n".encode("ascii"))
    return len(won) + len(lost) + len(weak) + sum(len(one.found) for each in answers.values() for one in each)


class Keeper:
    """Keeps a search when it is called, unless that was done within so many seconds; `has_kept`: it ever was.

    It waits longer where writing takes long; with 0 seconds it keeps at every call. What was kept last is
    whole, whenever the search is killed. The stages call it when they tell how far they have come.
    """

    def __init__(self, path: Path, position: Position, stages: Stages, *, seconds: float = KEEPING_SECONDS) -> None:
        self._about = path, position, stages
        self._seconds, self._due = seconds, time.monotonic() + seconds
        self.has_kept = False
        stages.watch.keep = self

    def __call__(self) -> None:
        """Write what is known now. Raises FileError."""
        began = time.monotonic()
        if began >= self._due:
            keep_search(*self._about)
            ended = time.monotonic()
            pause = max(self._seconds, LEAST_PAUSE * (ended - began)) if self._seconds else 0.0
            self.has_kept, self._due = True, ended + pause


def resume_search(path: Path, position: Position, stages: Stages) -> None:
    """Let a search go on from what `keep_search` has written about the same position.

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
    replies = {
        bytes.fromhex(root): [
            ItemAnswer(won, opened, tuple((bytes.fromhex(picture), move) for picture, move in found))
            for won, opened, found in answers
        ]
        for root, answers in content.get("replies", {}).items()
    }
    if content["won"] or content["lost"] or replies:
        won = [(bytes.fromhex(picture), cell) for picture, cell in content["won"]]
        stages.attacker.learn(won, map(bytes.fromhex, content["lost"]), replies)
    if content["weak"]:
        stages.stopper.learn(
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
