"""Certificates that are changed at random: what the judge accepts is true, and three small judges accept it too."""

from __future__ import annotations

import random
from functools import cache
from importlib.resources import files

import pytest

from noughts.domain.errors import CheckError, InputError
from noughts.solving.api import solve
from noughts.verification.proofs.judge import judge_proof
from tests import naive
from tests.attackjudge import WrongProof
from tests.verification.playjudge import accepts, game_of
from tests.verification.test_proofs import attacked, open_positions, rows, written

BOARDS = ["3x3", "3x4:3", "3x3+torus", "2x3:2+misere", "2x2x2", "3x3+misere", "1x5:3", "4x4:4", "4x3:3", "2x4:2"]
CLAIMS = ["X wins", "O wins", "X stopped", "O stopped", "draw"]
TITLES = ["win X", "win O", "stop X", "stop O", "stop O by stealing"]
TITLES += [f"play {player} {how}" for player in "XO" for how in ("to win", "not to lose")]


@cache
def bases() -> list[str]:
    """Certificates of brute force, of the engines, and of the package, on boards where every value is known."""
    lots = random.Random(15)
    found = []
    for spec in ("3x3", "3x4:3", "3x3+torus", "2x3:2+misere", "2x2x2", "3x3+misere"):
        game = game_of(spec)
        for position in open_positions(game, 6, lots):
            found += [text for text in written(spec, position, lots) if text.count("\n") < 120]
    found += [attacked("3x4:3", ""), attacked("3x4:3", "a1"), attacked("3x3", "a1 c3 a3"), attacked("2x4:2", "")]
    shipped = files("noughts.known").joinpath("proofs")
    return found + [shipped.joinpath(name).read_text() for name in ("3x3-3.proof", "3x3-3-misere.proof", "4x4-4.proof")]


def mutant(lots: random.Random) -> str:
    """A certificate with one to four changes: of cells, lines, titles, claims, positions, boards, or by another."""
    lines = lots.choice(bases()).splitlines()
    for _ in range(lots.choice([1, 1, 1, 2, 2, 3, 4])):
        at = lots.randrange(1, len(lines))
        kind = lots.randrange(10)
        words = lines[at].split()
        if kind < 4 and words:
            words[lots.randrange(len(words))] = lots.choice([str(lots.randrange(13)), "/", ":", "-", "0"])
            lines[at] = " ".join(words)
        elif kind == 4:
            del lines[at]
        elif kind == 5:
            lines.insert(
                at, lots.choice([lots.choice(lines), lots.choice(TITLES), str(lots.randrange(12)), "-", "- :"])
            )
        elif kind == 6:
            lines[1] = f"board {lots.choice(BOARDS)}"
        elif kind == 7:
            lines = [f"claim {lots.choice(CLAIMS)}" if line.startswith("claim") else line for line in lines]
        elif kind == 8:
            lines = _elsewhere(lines, lots)
        else:
            lines = [lots.choice(TITLES) if line in TITLES and lots.random() < 0.6 else line for line in lines]
    return "\n".join(lines) + "\n"


def _elsewhere(lines: list[str], lots: random.Random) -> list[str]:
    """The same from another position of the board."""
    try:
        spec = next(line for line in lines if line.startswith("board ")).split()[1]
        position = open_positions(game_of(spec), 3, lots)[-1]
    except (StopIteration, IndexError, WrongProof):
        return lines
    kept = [line for line in lines if not line.startswith("from")]
    return [*kept[:2], f"from {rows(spec, position)}", *kept[2:]] if position.strip(".") else kept


def is_true(text: str) -> bool:
    """Whether what a certificate claims is so: by listing all games on small boards, by retrograde on 4x4."""
    head = dict(line.split(" ", 1) for line in text.splitlines()[:6] if line.startswith(("board ", "from ", "claim ")))
    game = game_of(head["board"])
    position = head.get("from", "." * game.cells).replace("/", "").replace("|", "")
    if game.cells > 12 or (game.cells > 9 and position.count(".") > 11):
        worth = _by_retrograde(head["board"], rows(head["board"], position))
    else:
        worth = naive.value(game, position)
    claim = head["claim"]
    return {"X wins": worth == 1, "O wins": worth == -1, "draw": worth == 0, "X stopped": worth < 1}.get(
        claim, worth > -1
    )


@cache
def _by_retrograde(spec: str, position: str) -> int:
    outcome = solve(spec, engine="retrograde").outcome(position if position.strip("./|") else None)
    return {"X": 1, "O": -1, "draw": 0}[outcome]


@pytest.mark.parametrize(("number", "seed"), [(400, 1), pytest.param(10_000, 2, marks=pytest.mark.slow)])
def test_no_changed_certificate_is_accepted_that_is_wrong(number, seed):
    lots = random.Random(seed)
    assert len(bases()) > 60
    accepted = refused = longest = 0
    while accepted + refused < number:
        text = mutant(lots)
        if text in bases():
            continue
        try:
            judge_proof(text)
        except (CheckError, InputError) as error:
            refused += 1
            longest = max(longest, len(str(error)) + 1000 * str(error).count("\n"))
            continue
        accepted += 1
        assert is_true(text), text
        assert accepts(text), text
    assert refused > 5 * accepted > 0
    assert longest < 600
