"""The parts of the judges of proofs, each against a slow definition: boards, symmetries, families, pairs, weights."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from noughts.judge.proofs.ground import (
    AlikePictures,
    ProofFault,
    Script,
    closure,
    drawn,
    marks_of,
    mover,
    read_ground,
)
from noughts.judge.proofs.judge import judge_proof
from noughts.judge.proofs.sections import (
    _undominated,
    after_breaker,
    after_maker,
    family_of,
    pairs_of,
    stopped,
)
from noughts.rules.board import Board
from noughts.rules.errors import InputError


@pytest.mark.parametrize(
    ("text", "marks"),
    [("X../.O./...", (1, 16)), ("........X", (256, 0)), (".X.|...|...", (2, 0)), ("XX.OO....", (3, 24))],
)
def test_marks_are_read_in_rows(text: str, marks: tuple[int, int]) -> None:
    assert marks_of(text, read_ground("3x3")) == marks


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x2x2:2", "3x3+torus"])
def test_generators_make_the_whole_group(spec: str) -> None:
    board = Board.parse(spec)
    group = board.group("board")
    assert closure(group.generators, read_ground(spec)) == sorted(tuple(each) for each in group.elements)
    assert closure([], read_ground(spec)) == [tuple(range(board.cells))]
    one = group.generators[0]
    assert closure([one, one, tuple(range(board.cells))], read_ground(spec)) == closure([one], read_ground(spec))


@pytest.mark.parametrize("cells", [3, 8, 9, 17])
def test_a_permutation_moves_sets_and_pictures(cells: int) -> None:
    lots = Random(cells)
    for _ in range(20):
        to = lots.sample(range(cells), cells)
        chosen = set(lots.sample(range(cells), lots.randrange(cells + 1)))
        assert mover(to)(sum(1 << cell for cell in chosen)) == sum(1 << to[cell] for cell in chosen)


@pytest.mark.parametrize("cells", [3, 300])
def test_pictures_are_alike_when_a_permutation_takes_one_to_the_other(cells: int) -> None:
    rest = tuple(range(3, cells))
    kept = AlikePictures([(0, 1, 2, *rest), (1, 2, 0, *rest), (2, 0, 1, *rest)])
    kept.add(drawn(cells, 0b001, 0b010, 0b100))
    for own, other, dead, alike in (
        (1, 2, 4, True),
        (2, 4, 1, True),
        (4, 1, 2, True),
        (2, 1, 4, False),
        (1, 2, 0, False),
    ):
        assert (drawn(cells, own, other, dead) in kept) == alike
    assert drawn(5, 0b00011, 0b00100, 0b11000) == bytes([1, 1, 2, 3, 3])


def families(cells: int, number: int) -> Iterator[set[int]]:
    """Yield random families of sets of at least one cell."""
    lots = Random(number)
    for _ in range(number):
        yield {lots.randrange(1, 1 << cells) for _ in range(lots.randrange(1, 6))}


def breaker_stops(members: frozenset[int], maker_moves: bool, known: dict[tuple[frozenset[int], bool], bool]) -> bool:
    """Tell by trying everything whether Breaker keeps Maker from taking all cells of a member."""
    if 0 in members:
        return False
    if not members:
        return True
    key = members, maker_moves
    if key not in known:
        cells = [1 << i for i in range(8) if any(member >> i & 1 for member in members)]
        after = (
            breaker_stops(
                frozenset(m & ~c for m in members) if maker_moves else frozenset(m for m in members if not m & c),
                not maker_moves,
                known,
            )
            for c in cells
        )
        known[key] = all(after) if maker_moves else any(after)
    return known[key]


def test_what_is_struck_from_a_family_changes_nothing() -> None:
    known: dict[tuple[frozenset[int], bool], bool] = {}
    for members in families(6, 150):
        family = family_of(members)
        assert breaker_stops(family, False, known) == breaker_stops(frozenset(members), False, known), members
        on = [frozenset(m for m in family if m >> c & 1) for c in range(6) if any(m >> c & 1 for m in family)]
        assert len(on) == len(set(on)), "no two cells lie on the same members"
        assert not any(a != b and a & b == a for a in family for b in family)
        for cell in range(6):
            for after, maker_moves in ((after_breaker(family, cell), True), (after_maker(family, cell), False)):
                played = (
                    {m & ~(1 << cell) for m in family} if not maker_moves else {m for m in family if not m >> cell & 1}
                )
                stops = breaker_stops(frozenset(played), maker_moves, known)
                assert (after is not None and breaker_stops(after, maker_moves, known)) == stops, (members, cell)
        shared = {
            c: set.intersection(*({i for i in range(6) if m >> i & 1} for m in family if m >> c & 1))
            for c in range(6)
            if any(m >> c & 1 for m in family)
        }
        assert _undominated(family) == [cell for cell, common in sorted(shared.items()) if common == {cell}]


def heavy(family: frozenset[int], pairs: list[int], maker_moves: bool) -> Fraction:
    """The weights of the members that no pair hits, and of Maker's best cell where he moves."""
    paired = sum(pairs)
    left = [m & ~paired for m in family if not any(m & pair == pair for pair in pairs)]
    weights = [Fraction(1, 2 ** m.bit_count()) for m in left]
    best = max(
        (sum(w for m, w in zip(left, weights, strict=True) if m >> c & 1) for c in range(8)), default=Fraction(0)
    )
    return sum(weights, Fraction(0)) + (best if maker_moves else 0)


@pytest.mark.parametrize("maker_moves", [False, True])
def test_pairs_and_weights_stop_maker(maker_moves: bool) -> None:
    known: dict[tuple[frozenset[int], bool], bool] = {}
    told = []
    lots = Random(3)
    for members in families(8, 250):
        family = frozenset(m for m in members if m.bit_count() > 1)
        free = lots.sample(range(8), 8)
        pairs = [1 << free[2 * i] | 1 << free[2 * i + 1] for i in range(lots.randrange(4))]
        found = stopped(family, pairs, maker_moves=maker_moves)
        assert found == (heavy(family, pairs, maker_moves) < 1), (members, pairs)
        if found and len(family) < 4:
            assert breaker_stops(family, maker_moves, known)
        told.append(found)
    assert 50 < sum(told) < 240


def test_pairs_are_of_different_cells() -> None:
    script = Script([])
    script.cell_count = 9
    assert pairs_of(script, "0 1 2 8", 4) == [0b11, 0b100000100]
    assert pairs_of(script, "", None) == []
    for text, taken in (("0 1 2", None), ("0 1 1 2", None), ("0 1", 1), ("0 9", None)):
        with pytest.raises((ProofFault, InputError)):
            pairs_of(script, text, taken)


def test_a_proof_tells_what_it_settles() -> None:
    """On 1x3:2 X takes the middle; O has two replies, and X completes a line whatever it is."""
    text = "noughts proof 1\nboard 1x3:2\nclaim X wins\nsymmetries\n2 1 0\nwin X\n1\n2\n"
    found = judge_proof(text)
    assert (found.board, found.position, found.claim, found.symmetries) == ("1x3:2", None, "X wins", 2)
    (section,) = found.sections
    assert (section.title, section.shows, section.positions, section.replies) == ("win X", "X wins", 2, 2)
    assert found.as_dict()["sections"] == [{"section": "win X", "shows": "X wins", "positions": "2", "replies": "2"}]
    several = judge_proof(text.replace("symmetries\n2 1 0\n", "").replace("\n2\n", "\n2\n0\n"))
    assert (several.positions, several.symmetries) == (3, 1)
    sequence = judge_proof(text.replace("\n1\n2\n", "\n1: 0 / 2\n"))
    assert sequence.positions == 1


@pytest.mark.parametrize(("x", "o"), [(x, o) for x, o in combinations(range(4), 2)])
def test_whose_move_it_is_comes_from_the_marks(x: int, o: int) -> None:
    """On 2x2:2 the player to move with a mark completes a line: X at even plies. The other cannot be said to win."""
    row = ["."] * 4
    row[x], row[o] = "X", "O"
    blank = next(i for i in range(4) if row[i] == ".")
    head = f"noughts proof 1\nboard 2x2:2\nfrom {''.join(row)}\n"
    found = judge_proof(f"{head}claim X wins\nwin X\n{blank}\n")
    assert (found.position, found.positions) == ("".join(row), 1)
    with pytest.raises(ProofFault):
        judge_proof(f"{head}claim O wins\nwin O\n{blank}\n")


def test_breaker_takes_blank_cells_only() -> None:
    """On 1x4:4 X needs all cells: whatever O takes stops X, but for the cell that X has, or one that is none."""
    text = "noughts proof 1\nboard 1x4:4\nfrom X...\nclaim X stopped\nstop X\n"
    for cell in ("1", "2", "3"):
        assert judge_proof(text + cell + "\n").positions == 1
    with pytest.raises(ProofFault, match="takes cell 0, which is not blank"):
        judge_proof(text + "0\n")
    for wrong in ("4", "-1", "x", ""):
        with pytest.raises(ProofFault, match="is not a cell: cells are 0 to 3"):
            judge_proof(text + wrong + "\n")
    empty = text.replace("from X...\n", "")
    assert judge_proof(empty + "-\n").positions == 1
    with pytest.raises(ProofFault, match="Maker is to move at the beginning"):
        judge_proof(empty + "1\n")
