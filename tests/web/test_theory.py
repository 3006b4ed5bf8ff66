"""Openings, trees and drawn patterns as pages: numbers of the strategy room, data of the command, safe markup."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from noughts.analysis.explain.openings import openings
from noughts.analysis.payoff.patterns import patterns
from noughts.analysis.trees import tree
from noughts.cli.main import main
from noughts.rules.errors import InputError
from noughts.web.addresses import position_slug, read_address
from noughts.web.render import is_in_reach
from noughts.web.replies import answer
from tests.effort import AT_ONCE, counted_calls
from tests.web.site import get, links_in, page, text_of, twin

TWINS = [
    ("/3x3/openings.json", "openings 3x3"),
    ("/3x3/openings.json?from=b2", "openings 3x3 --from b2"),
    ("/3x3+misere/openings.json", "openings 3x3+misere"),
    ("/3x3/tree/reduced.json", "tree 3x3"),
    ("/3x3/tree/full.json?depth=3", "tree 3x3 --kind full --depth 3"),
    ("/3x3/tree/openings.json?opening=b2", "tree 3x3 --kind openings --opening b2"),
    ("/3x3/tree/forced-wins.json?from=a1+a2", "tree 3x3 --kind forced-wins --from X../O../..."),
    ("/3x3/tree/policy.json?x=perfect&o=win&depth=4", "tree 3x3 --kind policy --x perfect --o win --depth 4"),
    ("/3x3/patterns.json", "patterns 3x3"),
    ("/3x3/patterns.json?force=Arrow&by=X", "patterns 3x3 --force Arrow --by X"),
    ("/3x3+torus/patterns.json", "patterns 3x3+torus"),
    ("/3x3/match.json?o=block", "match 3x3 --x random --o block"),
    ("/3x3+misere/match.json?x=perfect&from=b2+a1", "match 3x3+misere --x perfect --o random --from b2,a1"),
]


@pytest.mark.parametrize(("address", "words"), TWINS)
def test_data_are_those_of_the_command(address, words):
    twin(address, *words.split(), "--format", "json")


@pytest.mark.parametrize("address", ["/3x3/openings", "/3x3/patterns", "/3x3/tree/openings"])
def test_pictures_are_those_of_the_command(address):
    kind = address.split("/")[2]
    words = [kind, "3x3", *(["--kind", "openings"] if kind == "tree" else [])]
    for form in ("svg", "dot") if kind != "patterns" else ("svg",):
        twin(f"{address}.{form}", *words, "--format", form)


@pytest.mark.parametrize("board", ["3x3", "3x3+misere", "2x3:2", "1x1", "2x2:3", "3x3+torus", "1x4:2"])
def test_openings_say_what_each_move_does(board):
    theory = openings(board)
    html = page(f"/{board}/openings")
    said = text_of(html)
    for sentence in theory.advice:
        assert sentence in said
    for opening in theory.openings:
        assert theory.name(opening.cell) in said
        assert f"/p/{position_slug(opening.position)}" in html
        for reply in opening.replies:
            assert f"/p/{position_slug(reply.position)}" in html
            assert theory.verdict(reply, opening) in said
    errs = sum(bool(r.loses or r.gives_up_win) for opening in theory.openings for r in opening.replies)
    errs += sum(bool(opening.loses or opening.gives_up_win) for opening in theory.openings)
    assert html.count('class="errs"') == errs


@pytest.mark.parametrize("kind", ["reduced", "full", "openings", "policy"])
def test_every_node_is_a_link_in_the_picture_and_in_the_list(kind):
    found = tree("3x3", kind=kind)
    html = page(f"/3x3/tree/{kind}")
    picture = html[html.index('<svg class="live-tree"') : html.index('<ul class="tree-key"')]
    assert re.findall('data-node="([0-9]*)"', picture) == [str(node.id) for node in found.nodes]
    shown = {node: f"/3x3/p/{position_slug(position)}" for node, (position, _) in found.placed().items()}
    after = html[html.index("Ply by ply") :]
    for node in found.nodes:
        assert f'href="{shown[node.id]}"' in after
    canonical = found.board.group().canonical
    for number, slug in re.findall(r'data-node="([0-9]*)".*?href="/3x3/p/([^"]*)"', picture):
        x, o = (sum(1 << i for i, mark in enumerate(slug.replace("-", "")) if mark == player) for player in "XO")
        position = found.nodes[int(number)].position
        assert canonical(x, o) == (position.x, position.o)


def test_the_picture_says_what_hangs_where_and_what_is_the_same():
    found = tree("3x3")
    html = page("/3x3/tree/reduced")
    carried = dict(re.findall(r'data-node="([0-9]*)" data-above="([0-9]*)"', html))
    assert len(carried) == len(found.nodes) - 1
    links = {(link.source, link.target) for link in found.links}
    assert {(int(above), int(node)) for node, above in carried.items()} <= links
    same = {
        (int(node), int(other))
        for node, others in re.findall(r'data-node="([0-9]*)"[^>]*data-same="([0-9 ]*)"', html)
        for other in others.split()
    }
    assert same == links - {(int(above), int(node)) for node, above in carried.items()}
    moves, _ = found.best_moves()
    assert html.count('class="way best"') == len({target for _, target in moves})


@pytest.mark.parametrize("kind", ["reduced", "forced-wins"])
def test_trees_that_misere_has_not_are_one_sentence(kind):
    html = page(f"/3x3+misere/tree/{kind}")
    assert "under misere" in text_of(html)
    assert "live-tree" not in html
    assert 'href="/3x3+misere/tree/full"' in html
    assert get(f"/3x3+misere/tree/{kind}.json").status == 400


def test_openings_and_patterns_say_what_tells_moves_and_patterns_apart():
    words = text_of(page("/3x3/openings"))
    assert "either can force a draw; 3 of 7 answers lose" in words
    assert "Losing answers are those of the other player" in words
    assert (
        "2 of 5 replies lose (40%), up to symmetry After a1 or c1 the most answers lose: 3 of X's 7 after each. "
        "The tree after b1" in words
    )
    trees = [unescape(to) for to in re.findall(r'href="(/3x3/tree/reduced[^"]*)">Its tree<', page("/3x3/openings"))]
    assert trees == [f"/3x3/tree/reduced?from={at}" for at in ("OX.%2F...%2F...", ".X.%2F.O.%2F...")]
    assert all(get(to).status == 200 for to in trees)
    assert "the centre, if it is blank, else a corner." in words
    assert "Losing answers" not in text_of(page("/1x2:2/openings"))
    words = text_of(page("/3x3/patterns"))
    assert "8 boards, X in the centre" in words
    assert "4 boards, O in two corners" in words
    assert "Can force: has a strategy" in words
    assert "A score is the average" not in text_of(page("/3x3/tree/forced-wins?opening=b1"))


def test_the_forced_wins_of_a_board_are_one_tree_from_its_first_moves():
    shown, grown = page("/3x3/tree/forced-wins"), tree("3x3", kind="forced-wins")
    assert shown.count('class="node of-x fork"') == sum(node.fork for node in grown.nodes) == 12
    assert "X forces a fork after 7 of O's replies to a1, b1 or b2, up to symmetry." in text_of(shown)
    assert re.search(r'class="label"[^>]*>b2<', shown)
    assert "score" not in text_of(shown).lower()


@pytest.mark.parametrize("board", ["1x1", "2x2", "2x2:3", "1x4:2", "3x3+torus", "2x3+misere"])
@pytest.mark.parametrize(
    "path", ["openings", "patterns", "tree/reduced", "tree/full", "tree/forced-wins", "tree/policy"]
)
def test_other_boards_answer(board, path):
    assert "<h1>" in page(f"/{board}/{path}")


def test_who_can_force_which_pattern():
    found = patterns("3x3")
    said = text_of(page("/3x3/patterns"))
    for each in found.patterns:
        assert f"{each.name} {each.boards} board" in said
    assert "a1 (corner) Arrow Arrow" in said
    assert "empty board Island, Scorpion, Arrow none" in said
    assert found.forcing is not None
    html = page("/3x3/patterns")
    assert len([to for to in links_in(html) if "force=" in to]) == len(found.forcing[0].x + found.forcing[0].o)
    assert "no game ends in a draw" in page("/1x1/patterns")


def test_a_strategy_is_told_and_drawn():
    html = page("/3x3/patterns?force=Arrow&by=X")
    assert "X can force an Arrow" in html
    assert "If O plays b1" in text_of(html)
    assert "live-tree" in html
    assert "cannot" in text_of(page("/3x3/patterns?force=Arrow&by=O"))
    assert get("/3x3/patterns?force=Bow").status == 400
    assert get("/3x3/patterns?by=X").status == 400


@pytest.mark.parametrize("address", ["/3x3/openings", "/3x3/tree/openings", "/3x3/patterns", "/3x3/openings?from=a1"])
def test_links_of_theory_resolve(address):
    for to in sorted(set(links_in(page(address))))[::3]:
        if "/p/" in to or "/tree" in to or "/patterns" in to or "/openings" in to:
            assert get(to).status == 200, to


@pytest.mark.parametrize("query", ["from=%3Cscript%3Ealert(1)%3C/script%3E", "opening=%22onload%3D1"])
def test_what_is_typed_is_never_markup(query):
    for address in (f"/3x3/tree/full?{query}", f"/3x3/tree/openings?{query}"):
        reply = get(address)
        assert b"<script>" not in reply.body
        assert b'"onload' not in reply.body


def test_trees_too_large_are_refused_with_the_command():
    reply = get("/4x4/tree/full?depth=6")
    assert reply.status == 422
    assert "noughts tree 4x4:4 --kind full --depth 6" in unescape(reply.body.decode())


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
@pytest.mark.parametrize("kind", ["full", "policy"])
def test_a_tree_too_large_for_a_picture_is_refused_by_its_nodes_through_every_door(
    kind: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reply = get(f"/1x9:3/tree/{kind}.{form}")
    assert reply.status == 422
    with pytest.raises(SystemExit) as caught:
        main(["tree", "1x9:3", "--kind", kind, "-o", str(tmp_path / f"tree.{form}")])
    assert caught.value.code == 3
    sentence = json.loads(reply.body)["error"].replace("?depth=", "--depth")
    assert capsys.readouterr().err.splitlines()[-1] == f"noughts: {sentence}"


def test_policies_are_those_that_have_names():

    with pytest.raises(InputError, match="x cannot be"):
        get("/3x3/tree/policy?x=/etc/passwd")


@pytest.mark.parametrize(
    "address",
    ["/5x5/patterns", "/3x3x3/patterns", "/9x9:5/blindfold", "/1x65:70/blindfold", "/64x64:5/patterns"],
)
def test_no_tab_and_no_card_lead_to_what_large_boards_do_not_have(address):
    assert answer(read_address(address, "")).status == 422
    board = address.split("/")[1]
    assert address not in links_in(page(f"/{board}/play"))
    assert address not in links_in(page(f"/{board}"))


@pytest.mark.parametrize("address", ["/4x4/crib", "/8x8/openings", "/4x4x4/openings", "/19x19:5/endings"])
def test_what_takes_too_long_for_a_page_is_refused_at_once_and_no_tab_leads_there(address):
    with counted_calls() as effort:
        reply = answer(read_address(address, ""))
    assert effort.calls < AT_ONCE
    assert reply.status == 422
    assert "noughts " in reply.body.decode()
    assert f'<li><a href="{address}"' not in reply.body.decode()


@pytest.mark.parametrize(
    "address", ["/3x3/endings", "/3x4/endings", "/6x6/openings", "/4x6:4/patterns", "/8x8:5/blindfold"]
)
def test_tabs_lead_to_what_is_in_reach(address):
    page, board = address.rpartition("/")[2], read_address(address, "").board
    assert board is not None
    assert is_in_reach(page, board)
    whole = answer(read_address(f"/{board.spec}/play", "")).body.decode()
    assert re.search(rf'<li><a href="[^"]*/{page}"', whole)


@pytest.mark.parametrize("address", ["/3x3/g/", "/3x3/p/", "/3x3/g", "/embed/3x3/p/"])
def test_no_game_and_no_position_lead_to_the_board(address):
    reply = answer(read_address(address, ""))
    assert (reply.status, reply.location) == (303, "/embed/3x3" if "embed" in address else "/3x3")


def test_two_blind_players_are_refused_with_the_reason():
    reply = answer(read_address("/3x3/play.json", "blind=both"))
    assert reply.status == 400
    assert re.search(rb"two blind players cannot share one page: use blind=X", reply.body)


def test_the_reduced_tree_says_what_it_is_and_what_a_score_is():
    said = text_of(page("/3x3/tree/reduced"))
    assert "A score is the average result for X" in said
    assert "Reduced: of boards that a symmetry maps to each other, the tree has one." in said
    assert "A score is" not in text_of(page("/3x3/tree/full?depth=2"))


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        ("positions", "noughts count 5x5:5"),
        ("endings", "noughts count 5x5:5"),
        ("tree/full?depth=9", "noughts tree 5x5:5 --kind full --depth 9"),
        ("crib", ""),
    ],
)
def test_a_page_that_a_board_is_too_large_for_offers_pages_that_answer_and_the_command(kind, command):
    reply = get(f"/5x5/{kind}")
    html = reply.body.decode()
    assert reply.status == 422
    assert html.partition("On the command line: <code>")[2].startswith(command)
    ways = [unescape(to) for to in re.findall(r'<li><a href="(/5x5/[^"]*)">', html.partition("Try instead")[2])]
    assert "/5x5/tree/full?depth=2" in ways
    assert "/5x5/openings" in ways
    assert get("/5x5/tree/full?depth=2").status == 200


@pytest.mark.parametrize("kind", ["reduced", "full", "policy"])
def test_of_a_tree_too_large_to_draw_the_first_moves_and_replies_are_shown(kind):
    shown, begun = text_of(page(f"/4x4/tree/{kind}")), tree("4x4", kind="full", depth=2)
    assert re.search(
        rf"The {kind} tree of 4x4:4 has (about|at least) [\d,]+ nodes( or more)?, too many to draw\.", shown
    )
    assert re.search(rf"4x4:4: the first 2 plies of the (full|policy) tree have {len(begun.nodes)} nodes", shown)
    assert "too many to draw" not in text_of(
        page(f"/3x3/tree/{kind}?depth=2" if kind != "reduced" else "/3x3/tree/reduced")
    )
    assert "--depth 2" in shown.partition("On the command line")[2]


def test_the_chances_of_a_match_are_in_words_with_a_menu_for_each_side():
    found = page("/3x3/match?x=best&o=block")
    assert "X wins with probability 89/96" in text_of(found)
    assert "O never wins" in text_of(found)
    assert '<option value="best" selected>' in found
    assert '<option value="block" selected>' in found
    assert "block" not in re.findall(r'<option value="(\w+)"', page("/3x3+misere/match"))


@pytest.mark.parametrize("bot", ["program:ls", "bot.json", "genome:real:X:1f"])
def test_the_address_of_a_match_names_no_file_and_no_program(bot):
    with pytest.raises(InputError, match="choose"):
        read_address("/3x3/match", f"x={bot}")


def test_a_match_that_is_too_large_for_a_page_is_refused_with_the_way_to_estimate_it():
    reply = get("/5x5:4/match")
    assert reply.status == 422
    assert "--sample" in text_of(reply.body.decode())
