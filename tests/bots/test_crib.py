"""Cribs: the published numbers, two engines and an oracle that tries every table, the judge, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import noughts
from noughts.bots.crib import Crib
from noughts.bots.crib_judge import CribQuestion, judge_crib
from noughts.bots.crib_search import crib_graph, greedy_table
from noughts.drawing.sheets import card_pages
from noughts.drawing.svg import paper_margin, paper_size
from noughts.rules.board import Board
from noughts.rules.errors import CheckError, InputError
from noughts.rules.position import Position
from noughts.verbs.crib import card, turns
from tests import naive
from tests.bots.oracle import Tables

PUBLISHED = {("X", "b2"): 41, ("X", "a1"): 56, ("X", "b1"): 94, ("O", None): 127}
"""Lomont 2024: perfect play, all boards counted, endings included."""
NEVER_LOSE = {
    ("X", "b2"): (22, 41), ("X", "a1"): (29, 53), ("X", "b1"): (41, 77), ("X", None): (22, 41), ("O", None): (71, 120),
}  # fmt: skip


@pytest.mark.parametrize(("player", "opening"), PUBLISHED)
@pytest.mark.parametrize("engine", ["search", "programme"])
def test_the_published_numbers_come_from_two_engines(player, opening, engine):
    found = noughts.crib("3x3", as_=player, opening=opening, goal="perfect", count="all", engine=engine)
    assert (found.entries, found.bound, found.proved) == (PUBLISHED[player, opening], found.entries, True)
    assert found.engine == engine


@pytest.mark.parametrize(("player", "opening"), NEVER_LOSE)
def test_never_losing_takes_no_more_entries_and_both_engines_agree(player, opening):
    own, every = NEVER_LOSE[player, opening]
    for engine in ("search", "programme"):
        found = noughts.crib("3x3", as_=player, opening=opening, engine=engine)
        assert (found.entries, found.own, found.proved) == (own, own, True)
    if opening != "b1":
        found = noughts.crib("3x3", as_=player, opening=opening, count="all")
        assert (found.entries, found.boards, found.proved) == (every, every, True)
    assert every <= PUBLISHED.get((player, opening), 41)


@pytest.mark.slow
def test_never_losing_with_all_boards_counted_by_both_engines():
    for (player, opening), (_, every) in NEVER_LOSE.items():
        for engine in ("search", "programme"):
            found = noughts.crib("3x3", as_=player, opening=opening, count="all", engine=engine)
            assert (found.entries, found.proved) == (every, True)


@pytest.mark.parametrize("engine", ["search", "programme"])
def test_a_proof_that_takes_long_says_how_much_of_its_time_is_gone(engine: str) -> None:
    told: list[tuple[int, int, str]] = []
    noughts.crib("3x3+misere", as_="O", count="all", engine=engine, time=1.2, progress=lambda *each: told.append(each))
    shares = [done / whole for done, whole, what in told if what == "time for the proof"]
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert shares[0] < 0.6 < shares[-1] < 1


BOARDS = {
    "3x3": (naive.grid(3, 3, 3), naive.isometries(3, 3)),
    "3x3+misere": (naive.grid(3, 3, 3, misere=True), naive.isometries(3, 3)),
    "3x3+torus": (naive.grid(3, 3, 3, torus=True), naive.isometries(3, 3, torus=True)),
    "2x3:3": (naive.grid(2, 3, 3), naive.isometries(2, 3)),
    "2x4:3": (naive.grid(2, 4, 3), naive.isometries(2, 4)),
}
STARTS = {
    "3x3": ["b2 b1 a1 c3", "b1 b2 b3 a1", "a1 c3 b2 b1", "b1 a3 c3 c2", "a1 b2 c3 b1 b3"],
    "3x3+misere": ["b2 a1 c3 a2", "a1 b2 b1 c3", "b2 a1 b1 c3"],
    "3x3+torus": ["a1 b2 c1 b1", "a1 b1 a2 c3"],
    "2x3:3": ["a1 c2", "b1 b2"],
    "2x4:3": ["a1 b2 c1", "b1 c2 a2 d1"],
}


@pytest.mark.parametrize(("spec", "moves"), [(spec, moves) for spec, starts in STARTS.items() for moves in starts])
def test_the_search_finds_what_trying_every_table_finds(spec, moves):
    board = Board.parse(spec)
    start = noughts.rules.parse_position(board, moves) if moves else Position(board)
    marks = "".join(start.mark_at(cell) or "." for cell in range(board.cells))
    met = 0
    for player in ("X", "O"):
        for goal in ("never-lose", "perfect", "win"):
            for count in ("own", "all"):
                tables = Tables(*BOARDS[spec], player, goal, count)
                if tables.value(tables.class_of(marks)) < {"never-lose": 0, "perfect": -1, "win": 1}[goal]:
                    with pytest.raises(InputError, match=r"cannot (avoid losing|force a win)"):
                        noughts.crib(board, start, as_=player, goal=goal, count=count)
                    continue
                found = noughts.crib(board, start, as_=player, goal=goal, count=count, engine="search")
                assert found.entries == found.bound == tables.fewest(marks)
                met += 1
    assert met >= 4


def test_a_board_without_lines_and_a_player_without_a_move():
    board = Board.from_lines(1, [])
    found = noughts.crib(board, as_="O")
    assert (found.entries, found.proved, dict(found.table), found.boards) == (0, True, {}, 2)


# ---- the judge ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def never_loses() -> Crib:
    return noughts.crib("3x3")


def test_the_judge_counts_what_the_engines_counted(never_loses):
    judged = judge_crib(never_loses.question, never_loses.table)
    assert (judged.own, judged.boards, set(judged.outcomes)) == (22, 43, {"X", "draw"})


def test_the_judge_refuses_every_wrong_card(never_loses):
    question, table = never_loses.question, dict(never_loses.table)
    assert judge_crib(replace(question, opening=4), table).own == 22
    corner, opens = noughts.crib("3x3", opening="a1"), "and says that X opens"
    late = noughts.rules.parse_position("3x3", "b2 a1 c1 a3 b1")  # O takes a2 and wins, or gives that away
    lost = noughts.rules.parse_position("3x3", "O.O/XXO/..X")  # X must block at b1
    cards: list[tuple[CribQuestion, dict[str, str], type[Exception], str]] = [
        *((question, {at: table[at] for at in table if at != text}, CheckError, "has no move for") for text in table),
        (question, {**table, "XX./OO./...": "c1"}, CheckError, "no game meets"),
        (question, {**table, "O../.X./...": "a1"}, CheckError, "taken"),
        *(
            (question, {**table, entry: "a1"}, InputError, "the crib has an invalid entry")
            for entry in ("../..", "[X.X/.XO/OO.", "X.O/a1OX./...", "The board O.. then .X. then ...")
        ),
        (question, {**table, ".../.../...": "d1"}, InputError, "an invalid entry: 3x3:3 has no cell 'd1'"),
        (question, {**table, "...,...,...": "a1"}, InputError, r"two entries for the board \.\.\./\.\.\./\.\.\."),
        *((replace(question, opening=cell), table, CheckError, f"the crib opens b2, {opens}") for cell in (0, 8)),
        (replace(corner.question, opening=8), dict(corner.table), CheckError, f"the crib opens a1, {opens} c3"),
        (
            replace(question, opening=4, start=noughts.rules.parse_position("3x3", "b2 a1")),
            table,
            CheckError,
            "after the opening",
        ),
        (CribQuestion(late, "O", "perfect", "own"), {str(late): "c3"}, CheckError, "gives value away"),
        (
            CribQuestion(lost, "X", "never-lose", "own"),
            {str(lost): "a3", "O.O/XXO/XOX": "b1"},
            CheckError,
            "a game end that it should not: O",
        ),
    ]
    for asked, card_, error, words in cards:
        with pytest.raises(error, match=words):
            judge_crib(asked, card_)


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "3x3+torus"])
def test_a_table_made_at_once_is_no_smaller_than_the_smallest(spec):
    board = Board.parse(spec)
    graph = crib_graph(CribQuestion(Position(board), "X", "perfect", "all"))
    assert graph.size(greedy_table(graph)) >= noughts.crib(board, goal="perfect", count="all").entries


@pytest.mark.parametrize(("player", "opening"), NEVER_LOSE)
def test_versus_agrees_that_it_never_loses(player, opening):
    if opening is not None and opening != "b2":
        return
    found = noughts.crib("3x3", as_=player, opening=opening)
    for other in ("random", "best"):
        match = noughts.match("3x3", **({"x": found, "o": other} if player == "X" else {"x": other, "o": found}))
        assert (match.o_wins if player == "X" else match.x_wins) == 0
        assert match.draws == 1 if other == "best" else match.draws < 1


# ---- what comes of it -----------------------------------------------------------------------------------------------


def test_the_json_is_a_record_and_a_policy_file(run, tmp_path):
    path = tmp_path / "crib.json"
    answered = run("crib", "3x3", "--as", "X", "--opening", "b2", "--goal", "never-lose", "--count", "own",
                   "--format", "json", "--save", str(path))  # fmt: skip
    record = json.loads(answered.out)
    assert json.loads(path.read_text()) == record
    assert {"entries", "proved", "bound", "table"} <= record.keys()
    assert (record["entries"], record["proved"], record["bound"], len(record["table"])) == (22, True, 22, 22)
    assert record["table"][".../.../..."] == "b2"
    assert (record["as"], record["opening"], record["goal"], record["count"]) == ("X", "b2", "never-lose", "own")


def test_both_are_two_cribs_and_one_table(run):
    record = json.loads(run("crib", "3x3", "--as", "both", "--format", "json").out)
    assert (record["entries"], record["bound"], record["proved"]) == (93, 93, True)
    assert record["table"] == {**record["x"]["table"], **record["o"]["table"]}
    pair = noughts.crib("3x3", as_="both")
    assert noughts.match("3x3", x=pair, o=pair).draws == 1
    assert repr(pair) == "<CribPair: board 3x3:3, entries 93, proved True, bound 93>"


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ("3x3 --goal win", 2, "X cannot force a win on 3x3:3, a draw with best play"),
        ("3x3 --as both --goal win", 2, "only one player can force a win"),
        ("3x3+torus --as O", 2, "O cannot avoid losing on 3x3:3+torus, where X wins with best play"),
        ("1x1 --as O --goal win", 2, "O cannot force a win on 1x1:1, where X wins"),
        ("3x3+misere --opening a1", 2, "the opening a1 loses on 3x3:3+misere, against best play: open at b2"),
        ("3x3+misere --opening c2 --goal perfect", 2, "the opening c2 is not perfect on 3x3:3+misere"),
        (
            "1x4:2 --opening a1 --goal win",
            2,
            "the opening a1 does not win on 1x4:2, against best play: open at b1 or c1",
        ),
        ("3x3 --opening d1", 2, "3x3:3 has no cell"),
        ("3x3 --from a1 --opening b2", 2, "an opening is the first move on the empty board"),
        ("3x3 --from XXX/OO./...", 2, "over"),
        ("4x4", 3, "a smaller board or a later position, or wait longer with --limit 1270723"),
        ("3x3 --goal wins", 2, "--goal"),
        ("3x3 --paper a3 -o card.pdf", 2, "unknown paper 'a3': choose a6 or a4"),
        ("3x3 --time soon", 2, "soon"),
    ],
)
def test_bad_input_gets_one_sentence(run, arguments, code, sentence):
    result = run("crib", *arguments.split())
    assert result.code == code
    assert sentence in result.one_sentence()


def test_the_card_has_every_board_once_on_whole_pages(never_loses):
    second = noughts.crib("3x3", as_="O")
    for found, paper, number in ((never_loses, "a6", 1), (second, "a6", 2), (second, "a4", 1)):
        pages = card_pages(card([found]), paper)
        assert len(pages) == number
        drawn = "\n".join(pages)
        for text, cell in found.table.items():
            at = noughts.rules.parse_position("3x3", text)
            played = "".join(
                "*" if i == noughts.rules.parse_cell("3x3", cell) else at.mark_at(i) or "." for i in range(9)
            )
            assert drawn.count(f"<title>{'/'.join((played[:3], played[3:6], played[6:]))}</title>") == 1
        short, long = (side - 2 * paper_margin(paper) for side in paper_size(paper, landscape=False))
        assert all(abs(page.height / page.width - long / short) < 0.01 for page in pages)
    assert sum(len(entries) for _, entries in turns(never_loses)) == 22
    assert "continued" in card_pages(card([second]))[1]


# ---- what counts as the same board ----------------------------------------------------------------------------------
