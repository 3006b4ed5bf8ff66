"""Openings, trees and drawn patterns as pages: numbers of the strategy room, data of the command, safe markup."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from noughts.analysis.explain.openings import openings
from noughts.analysis.trees import tree
from noughts.cli.main import main
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


@pytest.mark.parametrize("board", ["1x1", "2x2", "2x2:3", "1x4:2", "3x3+torus", "2x3+misere"])
@pytest.mark.parametrize(
    "path", ["openings", "patterns", "tree/reduced", "tree/full", "tree/forced-wins", "tree/policy"]
)
def test_other_boards_answer(board, path):
    assert "<h1>" in page(f"/{board}/{path}")


@pytest.mark.parametrize("address", ["/3x3/openings", "/3x3/tree/openings", "/3x3/patterns", "/3x3/openings?from=a1"])
def test_links_of_theory_resolve(address):
    for to in sorted(set(links_in(page(address))))[::3]:
        if "/p/" in to or "/tree" in to or "/patterns" in to or "/openings" in to:
            assert get(to).status == 200, to


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
