"""Saves the results of a search to a file, from which a later run resumes.

The file is one line of JSON with its own checksum. It holds the question, positions settled by threats, answers to the
replies of a long attack, and families of the weak game. It does not hold the results of plain search.
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
"""Seconds between two saves of a search."""
LEAST_PAUSE = 19
"""Least ratio of the pause to the time of the last save, so that saving takes at most a twentieth of the time."""


def keep_search(path: Path, position: Position, stages: Stages) -> int:
    """Write the states that a search about a position has settled; return their number. Raises FileError."""
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
    """Saves a search when it is called, at most once in some seconds; `has_saved`: it saved at least once.

    It waits longer where writing takes long; with 0 seconds it saves at every call. The stages call it with their
    progress. The last file is complete even if the search is killed.
    """

    def __init__(self, path: Path, position: Position, stages: Stages, *, seconds: float = KEEPING_SECONDS) -> None:
        self._about = path, position, stages
        self._seconds, self._due = seconds, time.monotonic() + seconds
        self.has_saved = False
        stages.watch.keep = self

    def __call__(self) -> None:
        """Save the search if it is time. Raises FileError."""
        began = time.monotonic()
        if began >= self._due:
            keep_search(*self._about)
            ended = time.monotonic()
            pause = max(self._seconds, LEAST_PAUSE * (ended - began)) if self._seconds else 0.0
            self.has_saved, self._due = True, ended + pause


def resume_search(path: Path, position: Position, stages: Stages) -> None:
    """Resume a search from the file that `keep_search` wrote about the same position.

    Raises FileError where the file cannot be read, InputError where it is damaged or about another question.
    """
    try:
        content = checked_json(read_text(path, SIZE_LIMIT).rstrip("\n"), path)
    except OSError as error:
        raise FileError(f"no search is saved in {shown(str(path))} ({error.strerror}): remove --resume") from None
    except (CheckError, UnicodeDecodeError):
        raise InputError(f"{shown(str(path))} is not a saved search, or it was changed: remove --resume") from None
    question = _question(position)
    if content.get("kind") != KIND:
        raise InputError(
            f"{shown(str(path))} has the format {shown(content.get('kind'))}, not {KIND!r}: resume it with its own "
            "version, or remove --resume"
        )
    if {key: content.get(key) for key in question} != question:
        about = f"{content.get('position')} of {content.get('board')}"
        raise InputError(
            f"{shown(str(path))} is the search of {about}, not of {position} of {position.board}: remove --resume"
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
    """Return the question of a search. It has the lines of a board given by lines, whose name does not identify it."""
    board = position.board
    question = {"kind": KIND, "board": board.spec, "position": str(position)}
    if board.given_lines is None:
        return question
    return {**question, "lines": [list(line) for line in board.given_lines], "misere": board.misere}
