"""Mutated texts of every notation: read, or refused in one short sentence, and soon."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from noughts.analysis.policies.reading import policy
from noughts.machine.budget import parse_duration, parse_size
from noughts.rules.board import Board, infinite_k
from noughts.rules.cells import parse_cell
from noughts.rules.errors import NoughtsError
from noughts.rules.linefiles import board_of_lines
from noughts.rules.position import parse_position
from tests.dear import dear

BOARDS = tuple(Board.parse(spec) for spec in ("3x3", "3x4:3", "3x3x3", "2x3+torus", "1x5"))
THREE = BOARDS[0]
SOON = 0.05
"""Seconds of processor time that no text takes: under a thousandth is usual, and seven the most that was seen."""
TRIES = 4
"""How often a text may take longer, as where a module is loaded or memory is tidied up, before it is too slow."""
_PIECES = (
    "x",
    "X",
    "O",
    ".",
    "/",
    "|",
    ",",
    " ",
    "-",
    "_",
    ":",
    "+",
    "*",
    "0",
    "1",
    "9",
    "99999999999999999999",
    "a",
    "z",
    "A",
    "torus",
    "misere",
    "infinite",
    "\n",
    "\t",
    "\0",
    "\u00e9",
    "\u0663",
    "\u2715",
    "\U0001f600",
    "\ud800",
    "'",
    '"',
    "{",
    "}",
    "[",
    "]",
    "a1",
    "b2.3",
    "1/3",
    "1e99",
    "nan",
    "GB",
    "ms",
    "<b>",
    "%00",
    "..",
    "X" * 300,
    "lines",
    "a1 b2 c3 ",
)


Reader = Callable[[str, Random], object]
READERS: dict[str, tuple[tuple[str, ...], Reader, int]] = {
    "board": (("3x3", "4x5:4", "3x3x3:3+torus", "4x4:3+misere"), lambda text, dice: Board.parse(text), 12),
    "position": (
        ("X.O/.X./..O", "a1 b2 c3", "XO.|...|..X", "5 1 9", "X.O.X...O", "a1.1 b2.3"),
        lambda text, dice: parse_position(dice.choice(BOARDS), text),
        16,
    ),
    "cell": (("a1", "b2.3", "12", "c3"), lambda text, dice: parse_cell(dice.choice(BOARDS), text), 9),
    "size": (("8GB", "500 MB", "2GiB", "1000"), lambda text, dice: parse_size(text), 4),
    "duration": (("10s", "500ms", "2m", "1h"), lambda text, dice: parse_duration(text), 4),
    "infinite": (("9+infinite", "infinite:4"), lambda text, dice: infinite_k(text), 2),
    "lines": (("1 2 3\n4 5 6\n", "a b\nb c\n# x\n"), lambda text, dice: board_of_lines(text, "some.lines"), 2),
    "policy": (("random", "perfect", "genome:0123", "program:", "bot.json"), lambda text, dice: _policy(text), 1),
}
"""For each notation: texts that are right, who reads them, and its share of the texts."""


def _policy(text: str) -> object:
    from noughts.analysis.policies.policy import no_programs

    with no_programs():
        return policy(THREE, text)


def mutated(text: str, dice: Random) -> str:
    """Return a text with one to four changes: pieces put in, taken out, doubled or exchanged."""
    for _ in range(dice.choice((1, 1, 2, 3, 4))):
        at, to = sorted((dice.randint(0, len(text)), dice.randint(0, len(text))))
        what = dice.randrange(4)
        if what == 0:
            text = text[:at] + dice.choice(_PIECES) + text[at:]
        elif what == 1:
            text = text[:at] + text[to:]
        elif what == 2:
            text = text[:to] + text[at:]
        else:
            text = text[:at] + dice.choice(_PIECES) + text[at + 1 :]
    return text


def _wrong(read: Callable[[], object]) -> str | None:
    """Return what is wrong with how a text is read, None where nothing is."""
    for _ in range(TRIES):
        begun = time.thread_time()
        try:
            read()
        except NoughtsError as error:
            said = str(error)
            if not 4 < len(said) <= 600:
                return f"a message of {len(said)} characters: {said[:100]}"
        except Exception as error:  # all that escapes is a defect, and told with the text
            return repr(error)[:300]
        if time.thread_time() - begun < SOON:
            return None
    return "too slow"


@pytest.mark.parametrize("texts", dear([10_000, 1_000_000], 1_000_000))
def test_mutated_texts(texts: int) -> None:
    shares = sum(share for _, _, share in READERS.values())
    found = {}
    for name, (right, read, share) in READERS.items():
        dice = Random(f"{name} {texts}")
        for _ in range(texts * share // shares):
            text = mutated(dice.choice(right), dice)
            wrong = _wrong(partial(read, text, dice))
            if wrong is not None:
                found[name, text[:200]] = wrong
    assert found == {}


def test_what_is_right_is_read() -> None:
    for name, (right, read, _) in READERS.items():
        read_at_all = 0
        for text in right:
            for seed in range(20):
                try:
                    read(text, Random(seed))
                    read_at_all += 1
                except NoughtsError:
                    continue
        assert read_at_all, name
