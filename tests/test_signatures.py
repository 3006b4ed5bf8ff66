"""Defaults, and constants that are numbers, are as they were: they change on purpose only."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parent.parent


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("signatures", ROOT / "scripts" / "signatures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


signatures = script()
SAMPLE = """
from x import y
MOST: int = 3 * 10**2
NAME = "a text"
_LEAST = 2
TYPE = dict[str, int]
WORTH = {"win": 1, "loss": -1}
SAID = ("a text of words", 3)
SMALL = Budget(seconds=0.5, whole=1 << 20)
ALIAS = Budget
def solve(board: Board, start: str = "", *, limit: int = MOST, done) -> None: ...
def needy(board): ...
def _own(board=3): ...
class Box(Base):
    side: int
    layers: int = 1
    other: int | None = None
    kept: int | None = field(default=None, repr=False)
    def __init__(self, side: int = 4) -> None: ...
    def half(self, up: bool = True) -> int: ...
class _Held:
    side: int = 7
"""


def test_what_is_kept() -> None:
    assert signatures.signatures(SAMPLE) == [
        "MOST = 3 * 10 ** 2",
        "_LEAST = 2",
        "WORTH = {'win': 1, 'loss': -1}",
        "SMALL = Budget(seconds=0.5, whole=1 << 20)",
        "solve(board, start='', *, limit=MOST, done)",
        "_own(board=3)",
        "Box.layers = 1",
        "Box.kept = field(default=None, repr=False)",
        "Box.__init__(self, side=4)",
        "Box.half(self, up=True)",
        "_Held.side = 7",
    ]


def test_defaults_and_constants_are_as_they_were() -> None:
    """After a change on purpose: `scripts/signatures.py --write`."""
    kept = (ROOT / "tests" / "signatures.txt").read_text(encoding="utf-8").splitlines()
    assert signatures.every(ROOT / "src" / "noughts").splitlines() == kept
