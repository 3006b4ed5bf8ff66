"""All forced wins after losing replies, against the oracle's, in words and on one sheet."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from noughts.domain.bits import cells_of
from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError
from noughts.reports.page import Look
from noughts.reports.play.punishments import forms, report, sheet
from noughts.strategy.openings import openings
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


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("2x3:2", "2x3:2: all 8 replies to the first move were lost before: X can force a win whatever the reply."),
        ("2x2:2", "2x2:2: all 2 replies to the first move were lost before: X can force a win whatever the reply."),
        ("1x5:2 --opening b1", "1x5:2: all 4 replies to b1 were lost before: X can force a win whatever the reply."),
        ("1x5:2", "3 of 10 replies to the first move lose; 1 forced win after them up to symmetry; 6 more were lost"),
        ("1x3:2", "1 of 3 replies to the first move loses; 0 forced wins after it up to symmetry; 1 more was lost"),
        ("1x2:2", "1x2:2: the only reply to the first move does not lose."),
        ("1x1:1", "1x1:1: the first move ends the game, so there is no reply to it."),
        ("3x3 --opening b2 --from a1", "3x3:3 from X../.../...: none of 4 replies to b2 loses."),
    ],
)
def test_replies_that_were_lost_before_are_said_to_be(run, asked, said):
    assert said in " ".join(run("openings", *asked.split(), "--forced-wins").out.split())


@pytest.mark.parametrize("spec", ["1x5:2", "2x3:2", "3x3", "3x4:3", "1x3:2", "3x3+torus"])
def test_all_replies_are_of_a_kind_that_is_counted(spec):
    found, theory = punishments(spec), openings(spec)
    assert found.lost_before == sum(
        each.outcome == "X" for o in theory.openings if o.outcome == "X" for each in o.replies
    )
    assert found.not_found == 0
    assert (found.as_dict()["lost_before"], found.as_dict()["not_found"]) == (found.lost_before, 0)


def test_replies_of_no_known_value_are_not_said_to_keep_anything():
    found = punishments("3x3")
    unknown = replace(found, found=(), not_found=12)
    assert report(unknown).headline.startswith("3x3:3: none of 12 replies to the first move was found to lose.")
    some = replace(found, not_found=2, lost_before=1)
    assert "symmetry; 1 more was lost before; of 2 it was not found." in report(some).headline
    none = replace(found, found=(), lost_before=4)
    assert report(none).headline.startswith(
        "3x3:3: 4 of 12 replies to the first move were lost before, and no other loses"
    )


def test_a_win_at_once_is_said_before_a_forced_fork(run):
    out = run("openings", "1x5:2", "--forced-wins").out
    assert "After X a1, O c1 loses: X wins at once by b1.\n" in out
    assert "After X a1, O e1 loses: X wins at once by b1, or forces a fork in 1 way.\n  d1: then b1 or c1\n" in out
    record = json.loads(run("openings", "1x5:2", "--forced-wins", "--format", "json").out)
    assert [each["at_once"] for each in record["losing"]] == [["b1"]] * 3
    for spec in ("1x5:2", "1x6:2", "3x3", "2x5:3"):
        for each in punishments(spec).found:
            wins = [c for c in cells_of(each.position.blanks) if each.position.play(c).winner == "X"]
            assert list(each.at_once) == wins, each
            assert not {win.moves[0] for win in each.wins} & set(wins)


def test_a_search_that_was_given_up_does_not_say_that_there_is_no_fork():
    found = punishments("1x3:2")
    (each,) = found.found
    unsure = replace(found, found=(replace(each, at_once=(), complete=False),))
    assert "though no way was found to force a fork by threats alone; X wins by b1." in str(
        forms(unsure, Look())["text"]()
    )
    sure = replace(found, found=(replace(each, at_once=()),))
    assert "though no fork can be forced by threats alone; X wins by b1." in str(forms(sure, Look())["text"]())


def test_how_it_is_known_fits_what_was_gone_through(run):
    def how(spec):
        return " ".join(run("openings", spec, "--forced-wins").out.split("How we know: ")[1].split("Try")[0].split())

    assert how("2x3:2").startswith("the values of the replies;")
    assert how("1x3:2") == "every sequence of threats was gone through; none ends in two threats at once."
    assert how("3x3") == "every sequence of threats was gone through; each ends in two threats at once."
    found = punishments("3x3")
    part = replace(found, found=(*found.found[1:], replace(found.found[0], complete=False)))
    assert "a limited number of sequences of threats was gone through" in repr(report(part))


def test_a_tree_of_forced_wins_holds_the_forks_and_names_the_win_at_once(run):
    out = run("tree", "1x5:2", "--kind", "forced-wins", "--from", "a1 e1").out
    assert "\nX wins at once by b1; the tree holds the ways to force a fork instead.\n" in out
    assert "at once" not in run("tree", "3x3", "--kind", "forced-wins", "--from", "a1 b1").out
    assert "at once" not in run("tree", "1x5:2", "--kind", "full", "--from", "a1 e1").out
    refused = run("tree", "1x5:2", "--kind", "forced-wins", "--from", "a1 c1").one_sentence()
    assert "X completes a line at once in X.O.., and no fork can be forced there" in refused
    assert refused.endswith("the winning move is b1\n")
