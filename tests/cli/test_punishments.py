"""All forced wins after losing replies, against the oracle's, in words and on one sheet."""

from __future__ import annotations

import json

import pytest

from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError
from noughts.reports.play.punishments import sheet
from noughts.strategy.punishments import punishments
from tests.strategy.oracle import oracle


@pytest.mark.parametrize(("spec", "shape"), [("3x3", (3, 3, 3)), ("2x5:3", (2, 5, 3)), ("4x2:3", (4, 2, 3))])
def test_every_losing_reply_and_every_forced_win(spec, shape):
    board, found = oracle(*shape), punishments(spec)
    wanted: dict[str, str] = {}
    for first in range(board.cells):
        s = board.put(board.empty, first)
        for reply in board.blanks(s):
            t = board.put(s, reply)
            if board.value(s) != "X" and board.value(t) == "X":
                wanted.setdefault(board.canonical(t), t)
    mine = {board.canonical(str(each.position).replace("/", "")): each for each in found.found}
    assert mine.keys() == wanted.keys()
    assert len(mine) == len(found.found)
    for each in found.found:
        s = str(each.position).replace("/", "")
        every = board.forced_wins(s)
        assert sum(win.times for win in each.wins) == len(every)
        assert {tuple(cell_name(found.board, c) for c in win.moves) for win in each.wins} <= set(map(tuple, every))
        for win in each.wins:
            t = s
            for cell in win.moves:
                t = board.put(t, cell)
            assert list(win.threats) == board.threats(t, "X")
            assert len(win.threats) >= 2
        assert bool(each.winning) != bool(each.wins)


def test_of_3x3_seven_replies_lose():
    found = punishments("3x3")
    assert (len(found.found), found.replies) == (7, 12)
    assert [len(punishments("3x3", opening=cell).found) for cell in ("a1", "b1", "b2")] == [4, 2, 1]
    assert punishments("3x3", opening="c3") == punishments("3x3", opening="a1"), "any corner"


def test_a_position_won_before_has_no_losing_reply():
    assert not punishments("4x4:3", opening="b2").found
    with pytest.raises(InputError, match="mean the opposite under misere"):
        punishments("3x3+misere")
    with pytest.raises(InputError, match="b2 is taken"):
        punishments("3x3", "b2", opening="b2")


def test_one_sheet_holds_them_all():
    found = punishments("3x3")
    picture = sheet(found)
    # A board for each mistake and one for each forced win.
    assert picture.count("<g>") == 7 + found.sequences
    for each in found.found:
        for win in each.wins:
            assert " ".join(cell_name(found.board, c) for c in win.moves) in picture


def test_by_the_command(run, tmp_path):
    out = run("openings", "3x3", "--forced-wins").out
    assert out.startswith("3x3:3: 7 of 12 replies to the first move lose; 22 forced wins after them up to symmetry.")
    assert "After X a1, O c3 loses: X forces a fork in 1 way.\n  c1 b1 a3 (and 1 turned or mirrored)" in out
    record = json.loads(run("openings", "3x3", "--forced-wins", "--opening", "b2", "--format", "json").out)
    assert [each["reply"] for each in record["losing"]] == ["b1"]
    for name in ("sheet.svg", "sheet.png", "sheet.pdf", "sheet.txt"):
        assert run("openings", "3x3", "--forced-wins", "-o", str(tmp_path / name)).code == 0
    assert run("openings", "3x3", "--forced-wins", "--paper", "a4", "-o", str(tmp_path / "a4.pdf")).code == 0
    assert "add --forced-wins" in run("openings", "3x3", "--opening", "a1").one_sentence()
    assert "no graph" in run("openings", "3x3", "--forced-wins", "--format", "dot").one_sentence()
