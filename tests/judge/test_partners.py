"""Certificates that Chaos wins on the full board, judged as all fillings that keep the pairs have it."""

from __future__ import annotations

import random
from itertools import product

import pytest

from noughts.judge.proofs.judge import judge_proof
from noughts.known import proofs
from noughts.rules.errors import CheckError, InputError
from tests import naive

CARRIED = dict(proofs())["6x6-5-order-exact-full.proof"]
Pairs = list[tuple[int, int, str]]


def certificate(spec: str, pairs: Pairs, claim: str = "O wins") -> str:
    lines = "".join(f"{a} {b} {word}\n" for a, b, word in pairs)
    return f"noughts proof 1\nboard {spec}\nend full\nclaim {claim}\npartners\n{lines}"


def holds(text: str) -> bool:
    try:
        return judge_proof(text).end == "full"
    except CheckError:
        return False


def is_broken(rows: int, columns: int, k: int, pairs: Pairs, *, exact: bool) -> bool:
    """Tell whether no filling that keeps the pairs has a line, by trying all."""
    board = naive.grid(rows, columns, k)
    lined = naive.exact(rows, columns, k) if exact else lambda position, mark: naive.has_line(board, position, mark)
    for marks in product("XO", repeat=len(pairs)):
        cells = [""] * (rows * columns)
        for mark, (a, b, word) in zip(marks, pairs, strict=True):
            cells[a], cells[b] = mark, mark if word == "same" else "XO"[mark == "X"]
        if lined("".join(cells), "X") or lined("".join(cells), "O"):
            return False
    return True


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(("rows", "columns", "k"), [(1, 4, 3), (1, 6, 3), (2, 4, 3), (3, 4, 3), (2, 5, 4), (4, 3, 4)])
def test_it_holds_where_no_filling_has_a_line(rows: int, columns: int, k: int, exact: bool) -> None:
    dice, verdicts = random.Random(rows * columns + k), set()
    for _ in range(150):
        cells = random.Random(dice.random()).sample(range(rows * columns), rows * columns)
        pairs = [(a, b, dice.choice(("same", "other"))) for a, b in zip(cells[::2], cells[1::2], strict=True)]
        text = certificate(f"{rows}x{columns}:{k}+order{'+exact' * exact}", pairs)
        verdicts.add(is_broken(rows, columns, k, pairs, exact=exact))
        assert holds(text) == is_broken(rows, columns, k, pairs, exact=exact), text
    assert verdicts == {True, False} or (rows, columns, k) in ((3, 4, 3), (1, 4, 3), (4, 3, 4))


def test_the_pairs_of_the_package_hold_and_each_is_needed() -> None:
    judgement = judge_proof(CARRIED)
    assert (judgement.board, judgement.claim, judgement.end, judgement.positions) == (
        "6x6:5+order+exact",
        "O wins",
        "full",
        18,
    )
    head, pairs = CARRIED.split("partners\n")
    lines = pairs.splitlines()
    for number, line in enumerate(lines):
        turned = line.replace("same", "other") if "same" in line else line.replace("other", "same")
        for changed in ([], [turned], [line, line]):
            assert not holds("\n".join([f"{head}partners", *lines[:number], *changed, *lines[number + 1 :]]))
    assert not holds(CARRIED.replace("+exact", ""))  # six in a row would count


@pytest.mark.parametrize(
    ("was", "now"),
    [("end full", "end line"), ("+order", "+chaos"), ("+order+exact", ""), ("O wins", "X wins"), ("O wins", "draw")],
)
def test_what_it_cannot_be_about_is_refused(was: str, now: str) -> None:
    with pytest.raises(InputError):
        judge_proof(CARRIED.replace(was, now))
