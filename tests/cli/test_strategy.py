"""The verbs about strategy: each format, each option, each error, as a user calls them."""

from __future__ import annotations

import json
import shlex

import pytest

from noughts.analysis.explain.openings import punishments
from noughts.rules.cells import cell_name
from noughts.rules.marks import cells_of
from tests.analysis.oracle import oracle

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


def test_a_tree_of_forced_wins_holds_the_forks_and_names_the_win_at_once(run):
    out = run("tree", "1x5:2", "--kind", "forced-wins", "--from", "a1 e1").out
    assert "\nX wins at once by b1; the tree shows the ways to force a fork instead.\n" in out
    assert "at once" not in run("tree", "3x3", "--kind", "forced-wins", "--from", "a1 b1").out
    assert "at once" not in run("tree", "1x5:2", "--kind", "full", "--from", "a1 e1").out
    refused = run("tree", "1x5:2", "--kind", "forced-wins", "--from", "a1 c1").one_sentence()
    assert "X completes a line at once in X.O.., but cannot force a fork by threats alone" in refused
    assert refused.endswith("the winning move is b1\n")
