"""What a search that was stopped has settled, in a file from which a later run goes on.

One line of JSON with its own checksum: the question, the positions that attacks by threats settled, and the families of
the weak game. What plain search has found is not kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from noughts.domain.errors import CheckError, FileError, InputError, shown
from noughts.domain.position import Position
from noughts.machine.files import write_file
from noughts.machine.reading import read_text
from noughts.solving.attack.attacker import Attacker
from noughts.solving.blockfile import checked_json, sealed_json
from noughts.solving.weak.stopper import Stopper

__all__ = ["Searched", "keep_search", "resume_search"]

KIND = "noughts search 1"
SIZE_LIMIT = 1 << 31


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
        "weak": weak,
    }
    write_file(path, f"{sealed_json(content)}\n".encode("ascii"))
    return len(won) + len(lost) + len(weak)


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
    if content["weak"]:
        stopper.learn(
            (bytes.fromhex(key), maker_moves, answer, None if zone is None else int(zone, 16))
            for key, maker_moves, answer, zone in content["weak"]
        )


def _question(position: Position) -> dict[str, Any]:
    return {"kind": KIND, "board": position.board.spec, "position": str(position)}
