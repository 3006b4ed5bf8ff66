"""Programs to be refereed: small scripts, well behaved or not, and what is left of them."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

FRAME = """
import sys
{imports}
CELLS = {cells!r}
say = lambda text: print(text, flush=True)
{body}
moves = []
for line in sys.stdin:
    words = line.split()
    if words == ["ugi"]:
        say("id name test bot\\nid author nobody\\nugiok")
    elif words == ["isready"]:
        say("readyok")
    elif words[:1] == ["position"]:
        moves = words[3:]
    elif words[:1] == ["go"]:
        answer(moves, [cell for cell in CELLS if cell not in moves])
    elif words == ["quit"]:
        break
"""
HASHED = "int(hashlib.md5(' '.join({key}).encode()).hexdigest(), 16)"


def cell_names(rows: int = 3, columns: int = 3) -> list[str]:
    return [f"{'abcdefgh'[column]}{row + 1}" for row in range(rows) for column in range(columns)]


def program(folder: Path, body: str, cells: list[str] | None = None) -> list[str]:
    """Return the command of a script that speaks the protocol; `body` defines `answer(moves, blanks)`."""
    path = folder / f"bot{len(list(folder.iterdir()))}.py"
    imports = "".join(
        f"import {name}\n" for name in ("hashlib", "os", "random", "signal", "time") if f"{name}." in body
    )
    path.write_text(FRAME.format(imports=imports, cells=cells or cell_names(), body=body))
    return [sys.executable, "-S", "-E", str(path)]


def script(folder: Path, text: str) -> list[str]:
    """Return the command of a script as it stands."""
    path = folder / f"script{len(list(folder.iterdir()))}.py"
    path.write_text(text)
    return [sys.executable, "-S", "-E", str(path)]


def playing(expression: str) -> str:
    """Return the body of a bot that plays the value of an expression of `moves` and `blanks`."""
    return f"def answer(moves, blanks): say('bestmove ' + ({expression}))"


def hashed(key: str = "moves") -> str:
    """Return a bot's body whose moves look as if drawn by lot, and follow from the moves alone."""
    return playing(f"blanks[{HASHED.format(key=key)} % len(blanks)]")


def is_running(pid: int) -> bool:
    """Return whether a process runs; one that has ended and was not taken note of does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pids: list[int], seconds: float = 5.0) -> bool:
    """Return whether the processes end within some time."""
    assert pids
    end = time.monotonic() + seconds
    while any(map(is_running, pids)):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def pids_in(folder: Path) -> list[int]:
    """Return the numbers of the processes that have left a file named after them."""
    return [int(name[4:]) for name in os.listdir(folder) if name.startswith("pid.")]
