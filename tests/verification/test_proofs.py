"""The judge of proofs against certificates written by brute force, and against what has been tampered with."""

from __future__ import annotations

import random

import pytest

from noughts.domain.errors import CheckError, InputError
from noughts.verification.proofs.ground import read_ground
from noughts.verification.proofs.judge import judge_proof
from tests import naive
from tests.verification.proofwriting import wins_of

BOARDS = {"3x3": (3, 3, 3, False), "3x4:3": (3, 4, 3, False), "2x4:2": (2, 4, 2, False), "3x3+torus": (3, 3, 3, True)}


def lines_of(name: str) -> tuple[int, ...]:
    rows, columns, k, torus = BOARDS[name]
    game = naive.grid(rows, columns, k, torus=torus)
    return tuple(sum(1 << c for c in line) for line in game.lines)


def marks(text: str) -> tuple[int, int]:
    signs = text.replace("/", "")
    return tuple(sum(1 << i for i, sign in enumerate(signs) if sign == mark) for mark in "XO")  # type: ignore[return-value]


@pytest.mark.parametrize("name", [*BOARDS, "2x2x2:2", "3x3x3", "4x4x4", "5x5:4", "3x4:3+torus"])
def test_lines_are_those_of_the_oracle(name):
    sides = [int(each) for each in name.partition("+")[0].partition(":")[0].split("x")]
    k = int(name.partition("+")[0].partition(":")[2] or min(sides))
    game = naive.grid(sides[0], sides[1], k, sides[2] if len(sides) > 2 else 1, torus="+torus" in name)
    assert set(read_ground(name).lines) == {sum(1 << c for c in line) for line in game.lines}


def certificate(name: str, start: str = "") -> str | None:
    lines = lines_of(name)
    x, o = marks(start) if start else (0, 0)
    x_moves = x.bit_count() == o.bit_count()
    player = "X" if x_moves else "O"
    section = wins_of(lines, BOARDS[name][0] * BOARDS[name][1], *((x, o) if x_moves else (o, x)))
    if section is None:
        return None
    head = ["noughts proof 1", f"board {name}", *([f"from {start}"] if start else []), f"claim {player} wins"]
    return "\n".join([*head, f"win {player}", *section]) + "\n"


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("3x4:3", ""),
        ("2x4:2", ""),
        ("3x3", "XO./.../..."),
        ("3x3", "X../.../..O"),
        ("3x3+torus", ""),
        ("3x3", "X.O/.O./X.."),
    ],
)
def test_whole_trees_are_accepted_where_a_player_wins(name, start):
    text = certificate(name, start)
    assert text is not None
    verdict = judge_proof(text)
    assert dict(verdict.sections)[text.splitlines()[-1 - verdict.sections[0][1]]] == verdict.sections[0][1]


def test_no_tree_of_another_board_proves_a_win_that_is_none():
    """Where nobody can win, nothing is accepted: the trees of other boards, and those with lines changed."""
    drawn = "noughts proof 1\nboard 3x3\nclaim X wins\nwin X\n"
    tree = (certificate("3x3+torus") or "").partition("win X\n")[2].splitlines()
    lots = random.Random(1)
    for _ in range(2000):
        changed = list(tree)
        for _ in range(lots.randrange(4)):
            at = lots.randrange(len(changed))
            changed[at : at + 1] = lots.choice(
                [[], [str(lots.randrange(9))], [changed[at], changed[at]], [f"{changed[at]} : {lots.randrange(9)}"]]
            )
        with pytest.raises(CheckError):
            judge_proof(drawn + "\n".join(changed))


def test_sequences_of_threats():
    """X has two in the corners' neighbourhood: a threat, its reply and a fork; a reply that breaks it needs a line."""
    start = "X../.O./..X"  # O to move may hold; X to move after an edge wins
    text = f"noughts proof 1\nboard 3x3\nfrom {start}\nclaim O stopped\n"
    with pytest.raises(CheckError, match="needs a section stop O"):
        judge_proof(text)
    won = "noughts proof 1\nboard 3x4:3\nclaim X wins\nwin X\n5 : 6 / 4\n"
    with pytest.raises(CheckError, match="ends in the middle"):
        judge_proof(won)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no proof"),
        ("noughts proof 2\n", "no proof"),
        ("noughts proof 1\nboard 3x3\n", "does not say"),
        ("noughts proof 1\nboard 3x3x3x3\nclaim draw\n", "no board"),
        ("noughts proof 1\nboard 99x99\nclaim draw\n", "9,801 cells"),
        ("noughts proof 1\nboard 3x3+misere\nclaim draw\n", "completes a line loses"),
        ("noughts proof 1\nboard 3x3\nclaim X loses\n", "no claim"),
        ("noughts proof 1\nboard 3x3\nfrom XX.\nclaim draw\n", "no position"),
        ("noughts proof 1\nboard 3x3\nfrom XXX/OO./...\nclaim draw\n", "somebody has a line"),
        ("noughts proof 1\nboard 3x3\nboard 3x3\nclaim draw\n", "twice"),
        ("noughts proof 1\nboard 3x3\nclaim draw\nsymmetries\n0 1 2\n", "no permutation"),
        ("noughts proof 1\nboard 3x3\nclaim draw\nsymmetries\n1 0 2 3 4 5 6 7 8\n", "lines to lines"),
    ],
)
def test_what_is_no_certificate_is_refused_in_one_sentence(text, words):
    with pytest.raises(InputError, match=words):
        judge_proof(text)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", "needs a section win X"),
        ("win X\n", "ends in the middle"),
        ("win Y\n", "a section begins"),
        ("win X\nx\n", "is no cell"),
        ("win X\n12\n", "is no cell"),
        ("stop O by stealing\n", "needs a section win X"),
        ("stop O by stealing\nstop O by stealing\n", "a second section"),
    ],
)
def test_what_does_not_hold_is_named_with_its_line(body, words):
    with pytest.raises(CheckError, match=words):
        judge_proof("noughts proof 1\nboard 3x4:3\nclaim X wins\n" + body)


def test_stealing_is_for_the_empty_board_alone():
    with pytest.raises(CheckError, match="on the empty board only"):
        judge_proof("noughts proof 1\nboard 3x3\nfrom X../.../...\nclaim O stopped\nstop O by stealing\n")
