"""The verbs about strategy: each format, each option, each error, as a user calls them."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction

import pytest

from noughts.analysis.explain.openings import openings, punishments
from noughts.present.report import Look
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError
from noughts.rules.marks import cells_of
from noughts.verbs.openings import punishment_forms, punishment_report, sheet
from tests.analysis.oracle import oracle

VERBS = ["explain", "openings", "tree", "patterns", "payoff"]


@pytest.mark.parametrize("verb", VERBS)
def test_every_format(run, verb, tmp_path):
    assert run(verb, "3x3").code == 0
    assert json.loads(run(verb, "3x3", "--format", "json").out)["board"] == "3x3:3"
    ET.fromstring(run(verb, "3x3", "--format", "svg").out)
    assert run(verb, "3x3", "--format", "dot").out.startswith("digraph")
    assert "X" in run(verb, "3x3", "--format", "text").out
    for ending, magic in (("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<svg"), ("json", b"{"), ("txt", b"")):
        path = tmp_path / f"answer.{ending}"
        result = run(verb, "3x3", "-o", str(path))
        assert (result.code, result.out) == (0, "")
        assert path.read_bytes().startswith(magic)


@pytest.mark.parametrize("verb", VERBS)
def test_the_same_command_gives_the_same_bytes(run, verb):
    for theme in ("light", "dark", "auto"):
        once, twice = (run(verb, "3x3", "--format", "svg", "--theme", theme).out for _ in range(2))
        assert once == twice


@pytest.mark.parametrize("verb", VERBS)
def test_every_suggested_command_runs(run, verb, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for board in ("3x3", "2x4:3"):
        out = run(verb, board).out
        suggested = [line.strip() for line in out.split("Try next:\n")[1].splitlines()]
        assert len(suggested) == 2
        for command in suggested:
            words = [word.strip("'") for word in command.split()]
            assert run(*words[1:]).code == 0, command


def test_explain_in_words(run):
    out = run("explain", "3x3", "a1 b2 b1").out
    assert out.startswith("3x3:3, O to move: either can force a draw.\nYou are threatened at c1: block there.\n")
    assert "Forced: c1, to block." in out
    assert out.index("Trap") < out.index("move  then") < out.index("How we know")
    won = run("explain", "3x3", "a1 b1").out
    assert "Forced wins, 5" in won
    assert "  b2 c3 a2" in won
    plain = run("explain", "3x4:3").out
    assert "No fork can be forced by threats alone; the winning moves are" in " ".join(plain.split())


def test_moves_may_be_given_one_by_one(run):
    together, apart = run("explain", "3x3", "a1 b2 b1").out, run("explain", "3x3", "a1", "b2", "b1").out
    assert together == apart
    assert "2 blocked: a3-b2-c1" not in apart
    assert re.search(r"2 blocked: \S+, \S+\.", apart)


def test_explain_json_for_the_position_as_given(run):
    found = json.loads(run("explain", "3x3", "..X/.O./X..", "--format", "json").out)
    assert found["position"] == "..X/.O./X.."
    assert found["trap"] is True
    assert found["moves"][0]["cell"] == "a1"


def test_tree_of_the_edge_opening(run):
    found = json.loads(run("tree", "3x3", "--kind", "reduced", "--opening", "b1", "--format", "json").out)
    assert len(found["nodes"]) == 95
    assert Fraction(found["nodes"][0]["score"]) == Fraction(69, 140)
    out = run("tree", "3x3").out
    assert "115 nodes" in out
    assert "501/560 (0.89)" in out
    assert re.search(r"Best game, counting every move, 4 with equal scores:\n  a1 b2 ", out)


def test_a_board_won_from_the_start_says_so(run):
    out = " ".join(run("tree", "3x4:3").out.split())
    assert "the reduced tree is a single node. X can force a win, so the tree is its root. No fork can be" in out
    out = " ".join(run("tree", "3x3", "--from", "a1 b1").out.split())
    assert out.endswith("noughts tree 3x3:3 --kind forced-wins --from 'XO./.../...'")
    assert "no fork can come, so the tree is its root" in run("tree", "3x3:4").out
    assert "X completes a line at once, so the tree is its root." in run("tree", "1x3").out


def test_a4_pages_and_a3_page(run, tmp_path):
    for paper in ("a3", "a4"):
        path = tmp_path / f"{paper}.pdf"
        assert run("tree", "3x3", "--opening", "b1", "-o", str(path), "--paper", paper).code == 0
        pages = len(re.findall(rb"/Type\s*/Page\b", path.read_bytes()))
        assert pages == 1 if paper == "a3" else pages > 1


def test_patterns_and_payoff_in_words(run):
    out = run("patterns", "3x3").out
    assert out.startswith("3x3:3: 3 drawn patterns up to symmetry, 16 boards.")
    assert re.search(r"after a1 \(corner\)\s+Arrow\s+Arrow", out)
    assert "--limit 1270723 computes it" in " ".join(run("patterns", "4x4:4").out.split())
    assert "X's points less O's come to 1" in run("payoff", "3x3").out
    found = json.loads(run("payoff", "3x3", "--x", "random", "--o", "random", "--format", "json").out)
    assert (found["x_points"], found["o_points"], found["difference"]) == ("2251/1260", "43/28", "79/315")
    assert json.loads(run("payoff", "3x3", "--x", "best", "--format", "json").out)["x_points"] is None


def test_a_match_as_a_chart(run, tmp_path):
    out = run("match", "3x3", "--x", "random", "--format", "svg").out
    assert "<desc>X wins: 737/1260\nO wins: 121/420\ndraw: 8/63</desc>" in out
    ET.fromstring(out)
    assert (
        run("match", "3x3", "--x", "random", "--format", "text").out == "X wins 737/1260\nO wins 121/420\ndraw 8/63\n"
    )
    for ending in ("png", "pdf", "svg"):
        assert run("match", "3x3", "--x", "random", "-o", str(tmp_path / f"match.{ending}")).code == 0
    assert (
        "use one of table, json, csv, markdown, latex, svg, png, pdf, text"
        in run("match", "3x3", "--x", "random", "--format", "dot").one_sentence()
    )


def test_versus(run, tmp_path):
    found = json.loads(run("match", "3x3", "--x", "random", "--o", "random", "--format", "json").out)
    assert (found["x_wins"], found["o_wins"], found["draws"]) == ("737/1260", "121/420", "8/63")
    path = tmp_path / "best.json"
    out = run("match", "3x3", "--x", "best", "--o", "random", "--save", str(path)).out
    assert "The best response of X is worth 191/192" in out
    again = json.loads(run("match", "3x3", "--x", str(path), "--o", "random", "--format", "json").out)
    assert again["value"] == "191/192"
    assert run("match", "3x3", "--x", "random", "--save", str(path)).code == 2


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["openings", "3x3", "--from", "XXX/OO./..."], 2, "the game is over in XXX/OO./...: X has won with"),
        (["explain", "3x3", "a1 a2 b1 b2 c1 c2"], 2, "plays c2 after the game was over, won by X with a1-b1-c1"),
        (["explain", "3x3", "XX./.../..."], 2, "too many X"),
        (["explain", "3x3", "nonsense"], 2, "is no position of 3x3:3"),
        (["explain", "3y3"], 2, "3y3"),
        (["explain", "3x3", "--format", "gif"], 2, "--format 'gif' is not known"),
        (["explain", "3x3", "-o", "board.bmp"], 2, "cannot tell the format"),
        (["explain", "3x3", "--theme", "sepia"], 2, "--theme 'sepia' is not known"),
        (["explain", "3x3", "-o", "/nowhere/board.svg"], 4, "there is no folder"),
        (["tree", "3x3", "--kind", "bushy"], 2, "--kind 'bushy' is not known"),
        (["tree", "3x3+misere"], 2, "mean the opposite under misere"),
        (["tree", "3x3", "--paper", "a4"], 2, "--paper is about the pages of a PDF"),
        (["tree", "3x3", "--format", "pdf", "--paper", "a5"], 2, "unknown paper 'a5'"),
        (["tree", "3x3", "--kind", "full", "--limit", "700"], 3, "at least 701 nodes"),
        (["tree", "9x9:5"], 3, "9x9:5"),
        (["openings", "9x9:9"], 3, "9x9:9"),
        (["patterns", "6x6:6"], 3, "can be filled in"),
        (["patterns", "3x3x3:3"], 3, "ask about a board of up to 24 cells"),
        (["payoff", "--games", "10"], 2, "--x perfect --o random"),
        (["payoff", "3x3", "--points", "X"], 2, "is no payoff"),
        (["match", "3x3", "--x", "wise"], 2, "unknown policy 'wise'"),
        (["match", "3x3", "--x", "none.json"], 2, "cannot read the policy"),
        (["match", "4x4:4", "--x", "random"], 3, "1,270,723 position classes"),
        (["match", "3x3+misere", "--o", "fork"], 2, "under misere"),
    ],
)
def test_errors_are_one_sentence(run, arguments, code, words):
    result = run(*arguments)
    assert result.code == code
    assert words in result.one_sentence()


def test_explain_takes_finished_games(run, tmp_path):
    found = run("explain", "3x3", "a1", "a2", "b1", "b2", "c1")
    assert found.out.startswith(
        "3x3:3: X has won with the line a1-b1-c1.\nMove 2, O on a2, lost it: only b2 would have held the draw.\n\n"
        "  a b c\n1 X X X\n"
    )
    assert "The game took 5 moves, 3 of X and 2 of O." in found.out
    assert json.loads(run("explain", "3x3", "XXX/XOO/XOO", "--format", "json").out)["completed"] == [
        ["a1", "b1", "c1"],
        ["a1", "a2", "a3"],
    ]
    svg = run("explain", "3x3", "XXX/XOO/XOO", "--format", "svg").out
    assert "<title>3x3:3: X has won with the lines a1-b1-c1 and a1-a2-a3</title>" in svg
    assert "X has won" in run("explain", "3x3", "XXX/OO./...", "--format", "dot").out
    assert "drawn" in run("explain", "3x3", "XOX/XOO/OXX", "--format", "dot").out
    assert "\n  a b c\n1 X X X\n2 O O .\n3 . . .\n" in run("explain", "3x3", "XXX/OO./...", "--format", "text").out


def test_explain_as_text_is_the_whole_explanation(run, tmp_path):
    for words in (["a1", "c3"], ["a1", "b2", "c3", "c1", "a3", "b3", "a2"]):
        said = run("explain", "3x3", *words).out
        assert run("explain", "3x3", *words, "--format", "text").out == said
        path = tmp_path / "ex.txt"
        run("explain", "3x3", *words, "-o", str(path))
        assert path.read_text(encoding="utf-8") == said


def test_endings_that_are_not_named_are_told(run):
    said = " ".join(run("payoff", "--points", "X=1-0,O=0-1").out.split())
    assert "Not named, as published: Island 0-1, Scorpion 1-0, Arrow 0-1." in said
    assert "Not named, as published: X wins 3-0, O wins 0-5." in " ".join(
        run("payoff", "--points", "draw=1-1").out.split()
    )
    assert "without points: draws 0-0" in run("payoff", "2x4:3", "--points", "X=1-0,O=0-1").out
    for all_named in ((), ("--points", "X=1-0,O=0-1,draw=0-0")):
        assert "Not named" not in run("payoff", "3x3", *all_named).out
    record = json.loads(run("payoff", "--points", "X=1-0,O=0-1,arrow=1-1", "--format", "json").out)
    assert record["unnamed"] == ["Island", "Scorpion"]
    games = ("payoff", "--games", "3", "--x", "random", "--points")
    assert "Not named, as published: Island 0-1, Scorpion 1-0" in " ".join(run(*games, "X=1-0,O=0-1").out.split())
    assert "Not named" not in run(*games, "X=1-0,O=0-1,draw=0-0").out
    assert "Endings not named keep" in " ".join(run("payoff", "--help").out.split())


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
    assert punishment_report(unknown).headline.startswith(
        "3x3:3: none of 12 replies to the first move was found to lose."
    )
    some = replace(found, not_found=2, lost_before=1)
    assert "symmetry; 1 more was lost before; of 2 it was not found." in punishment_report(some).headline
    none = replace(found, found=(), lost_before=4)
    assert punishment_report(none).headline.startswith(
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
            wins = [c for c in cells_of(each.reply.position.blanks) if each.reply.position.play(c).winner == "X"]
            assert list(each.at_once) == wins, each
            assert not {win.moves[0] for win in each.wins} & set(wins)


def test_a_search_that_was_given_up_does_not_say_that_there_is_no_fork():
    found = punishments("1x3:2")
    (each,) = found.found
    unsure = replace(found, found=(replace(each, at_once=(), complete=False),))
    assert "though no way was found to force a fork by threats alone; X wins by b1." in str(
        punishment_forms(unsure, Look())["text"]()
    )
    sure = replace(found, found=(replace(each, at_once=()),))
    assert "though no fork can be forced by threats alone; X wins by b1." in str(
        punishment_forms(sure, Look())["text"]()
    )


def test_how_it_is_known_fits_what_was_gone_through(run):
    def how(spec):
        return " ".join(run("openings", spec, "--forced-wins").out.split("How we know: ")[1].split("Try")[0].split())

    assert how("2x3:2").startswith("the values of the replies;")
    assert how("1x3:2") == "every sequence of threats was gone through; none ends in two threats at once."
    assert how("3x3") == "every sequence of threats was gone through; each ends in two threats at once."
    found = punishments("3x3")
    part = replace(found, found=(*found.found[1:], replace(found.found[0], complete=False)))
    assert "a limited number of sequences of threats was gone through" in repr(punishment_report(part))


def test_a_tree_of_forced_wins_holds_the_forks_and_names_the_win_at_once(run):
    out = run("tree", "1x5:2", "--kind", "forced-wins", "--from", "a1 e1").out
    assert "\nX wins at once by b1; the tree holds the ways to force a fork instead.\n" in out
    assert "at once" not in run("tree", "3x3", "--kind", "forced-wins", "--from", "a1 b1").out
    assert "at once" not in run("tree", "1x5:2", "--kind", "full", "--from", "a1 e1").out
    refused = run("tree", "1x5:2", "--kind", "forced-wins", "--from", "a1 c1").one_sentence()
    assert "X completes a line at once in X.O.., and no fork can be forced there" in refused
    assert refused.endswith("the winning move is b1\n")
