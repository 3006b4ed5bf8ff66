"""The verbs about strategy: each format, each option, each error, as a user calls them."""

from __future__ import annotations

import json
import shlex

import pytest

from noughts.analysis.explain.openings import punishments
from noughts.rules.cells import cell_name
from noughts.rules.marks import cells_of
from tests.analysis.oracle import oracle


def test_a_move_is_forced_by_one_threat_and_two_are_too_many(run):
    assert "\nForced: a3, to block.\n" in run("explain", "3x3", "XO./X../...").out
    assert "\nForced: c1, to win.\n" in run("explain", "3x3", "OO./X.X/X..").out
    forced = "\nForced: to block, but a move stops only one of c1, a2 and c3.\n"
    assert forced in run("explain", "3x3", "XO./.X./XO.").out


def test_explain_json_for_the_position_as_given(run):
    found = json.loads(run("explain", "3x3", "..X/.O./X..", "--format", "json").out)
    assert found["position"] == "..X/.O./X.."
    assert found["trap"] is True
    assert found["moves"][0]["cell"] == "a1"


def test_versus(run, tmp_path):
    found = json.loads(run("match", "3x3", "--x", "random", "--o", "random", "--format", "json").out)
    assert (found["x_wins"], found["o_wins"], found["draws"]) == ("737/1260", "121/420", "8/63")
    path = tmp_path / "best.json"
    out = run("match", "3x3", "--x", "best", "--o", "random", "--save", str(path)).out
    assert "The best response of X has the value 191/192" in out
    again = json.loads(run("match", "3x3", "--x", str(path), "--o", "random", "--format", "json").out)
    assert again["value"] == "191/192"
    assert run("match", "3x3", "--x", "random", "--save", str(path)).code == 2


def test_endings_that_are_not_named_are_told(run):
    said = " ".join(run("payoff", "--points", "X=1-0,O=0-1").out.split())
    assert "Not named, so the published points: Island 0-1, Scorpion 1-0, Arrow 0-1." in said
    assert "Not named, so the published points: X wins 3-0, O wins 0-5." in " ".join(
        run("payoff", "--points", "draw=1-1").out.split()
    )
    assert "so 0 points: draws 0-0" in run("payoff", "2x4:3", "--points", "X=1-0,O=0-1").out
    for all_named in ((), ("--points", "X=1-0,O=0-1,draw=0-0")):
        assert "Not named" not in run("payoff", "3x3", *all_named).out
    record = json.loads(run("payoff", "--points", "X=1-0,O=0-1,arrow=1-1", "--format", "json").out)
    assert record["unnamed"] == ["Island", "Scorpion"]
    games = ("payoff", "--games", "3", "--x", "random", "--points")
    out = " ".join(run(*games, "X=1-0,O=0-1").out.split())
    assert "Not named, so the published points: Island 0-1, Scorpion 1-0" in out
    assert "Not named" not in run(*games, "X=1-0,O=0-1,draw=0-0").out
    assert "Other endings keep" in " ".join(run("payoff", "--help").out.split())


# All forced wins after losing replies, against the oracle's, in words and on one sheet.


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
    mine = {board.canonical(str(each.reply.position).replace("/", "")): each for each in found.found}
    assert mine.keys() == wanted.keys()
    assert len(mine) == len(found.found)
    for each in found.found:
        s = str(each.reply.position).replace("/", "")
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


def test_a_win_at_once_is_said_before_a_forced_fork(run):
    out = run("openings", "1x5:2", "--forced-wins").out
    assert "After X a1, O c1 loses: X wins at once by b1.\n" in out
    assert "After X a1, O e1 loses: X wins at once by b1, or forces a fork in 1 way.\n  d1: then b1 or c1\n" in out
    record = json.loads(run("openings", "1x5:2", "--forced-wins", "--format", "json").out)
    assert [each["at_once"] for each in record["losing"]] == [["b1"]] * 3
    for spec in ("1x5:2", "1x6:2", "3x3", "2x5:3"):
        for each in punishments(spec).found:
            wins = [c for c in cells_of(each.reply.position.blanks) if each.reply.position.play(c).winner == "X"]
            assert list(each.at_once) == wins, each
            assert not {win.moves[0] for win in each.wins} & set(wins)


def test_the_sheet_of_forced_wins_marks_both_lines_of_each_fork(run):
    """Every forced win of 3x3 ends in exactly two threats, so each of the 22 boards has two bands."""
    drawn = run("openings", "3x3", "--forced-wins", "--format", "svg").out
    assert drawn.count('stroke="#f3dc3f"') == 2 * punishments("3x3").sequences == 44


@pytest.mark.parametrize(("board", "follows"), [("3x3", "tree"), ("3x4", "openings"), ("1x5:2", "openings")])
def test_the_step_after_forced_wins_can_be_taken(run, board, follows):
    """The tree begins with the replies that allow a win only where the first player has none."""
    step = run("openings", board, "--forced-wins").out.splitlines()[-1].strip()
    assert step.startswith(f"noughts {follows} {board}")
    assert run(*shlex.split(step.replace("-o tree.svg", "--format text"))[1:]).code == 0


def test_the_size_of_a_tree_that_is_cut_is_not_given_as_that_of_the_whole(run):
    assert run("tree", "3x3", "--kind", "full").out.startswith("3x3:3: the full tree has 765 nodes")
    for depth, words in (("1", "ply of the full tree has 4 nodes"), ("2", "2 plies of the full tree have 16 nodes")):
        assert run("tree", "3x3", "--kind", "full", "--depth", depth).out.startswith(f"3x3:3: the first {words}")


def test_a_tree_of_forced_wins_holds_the_forks_and_names_the_win_at_once(run):
    out = run("tree", "1x5:2", "--kind", "forced-wins", "--from", "a1 e1").out
    assert "\nX wins at once by b1; the tree shows the ways to force a fork instead.\n" in out
    assert "at once" not in run("tree", "3x3", "--kind", "forced-wins", "--from", "a1 b1").out
    assert "at once" not in run("tree", "1x5:2", "--kind", "full", "--from", "a1 e1").out
    refused = run("tree", "1x5:2", "--kind", "forced-wins", "--from", "a1 c1").one_sentence()
    assert "X completes a line at once in X.O.., but cannot force a fork by threats alone" in refused
    assert refused.endswith("the winning move is b1\n")


def test_same_says_what_the_flip_makes_of_each_move(run):
    text = run("same", "3x3", "a1 b1 c1 a2", "c1 b1 a1 a2").out
    said = " ".join(text.split())
    assert "It takes a2 to c2, but O plays a2 in the second game" in said
    assert "a2 is next to move 1 in the first game, to move 3 in the second." in said
    rows = [line.split() for line in text.splitlines() if line[:2] in ("1 ", "2 ", "3 ", "4 ")]
    assert [row[2:] for row in rows] == [
        ["a1", "c1", "c1"],
        ["b1", "b1", "b1"],
        ["c1", "a1", "a1"],
        [*["a2", "c2", "a2"], "differs"],
    ]
    alike = run("same", "3x3", "a1 b2 c3", "a3 b2 c1").out
    assert "differs" not in alike
    assert "next to" not in alike
    apart = " ".join(run("same", "3x4", "a1 b1 c1", "d1 c1 d2").out.split())
    assert "c1 is next to move 2 in the first game, d2 is next to move 1 in the second" in apart
    round_it = " ".join(run("same", "3x3+torus", "a1 c3 b1", "a1 c3 c1").out.split())
    assert "b1 is next to move 1 in the first game, c1 is next to moves 1 and 2 in the second" in round_it


def test_images_and_earlier_boards_are_listed(run):
    same, explained = (
        run(*words).out for words in (("same", "3x3", "X../.O./...", "X.O/.../..."), ("explain", "3x3", "X../.O./..."))
    )
    for text in (same, explained):
        assert "its 4 images" in text
        assert ".../.O./X..   flip top to bottom; turn by 90 degrees anticlockwise" in text
    assert "images" not in run("explain", "3x3").out
    assert "Play reaches" not in run("explain", "3x3").out
    assert "Each of the 8 symmetries keeps .../.X./...." in run("explain", "3x3", "b2").out
    assert "Play reaches it in 2 orders of moves, and in 2 ways by choices" in run("explain", "3x3", "XO./X../...").out
    assert "Play reaches it in 2 orders of moves, and in 1 way by choices" in run("explain", "3x3", "XOX/.../...").out
    found = json.loads(run("explain", "3x3", "XO./X../...", "--format", "json").out)
    assert found["ways"] == "2"
    assert found["predecessors"] == [".O./X../...", "XO./.../..."]
    assert found["images"]["flip left to right"] == ".OX/..X/..."
    cube = run("explain", "3x3x3", "a1.1 b1.1").out
    assert "more boards: --format json lists them." in cube
