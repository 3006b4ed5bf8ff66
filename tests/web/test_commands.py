"""Data are the command line's own: for every kind of page that a verb gives, byte by byte."""

from __future__ import annotations

import re
import shlex
from html import unescape
from urllib.parse import urlsplit

import pytest

from noughts.cli.main import VERBS as VERBS_THERE
from noughts.web.addresses import read_address
from noughts.web.answering import found_for
from noughts.web.commands import VERBS, command_of
from noughts.web.kinds import KINDS
from tests.web.pages import get, printed

pytestmark = pytest.mark.usefixtures("remembered")

ADDRESSES = [
    "/whatis.json?n=26830",
    "/3x3.json",
    "/4x3:3.json",
    "/2x2x2.json",
    "/3x3+misere.json",
    "/3x3/p/XO_-_X_-__O.json",
    "/3x3+torus/p/X__-___-___.json",
    "/2x2x2/p/X_-__--__-_O.json",
    "/3x3/g/a1-b2-c3.json",
    "/3x3/g/a1-b1-a2-b2-a3.json",
    "/3x3/count.json",
    "/3x3/count.json?same=choices&moves=win&end=decided",
    "/3x3/count.json?to_ply=4&starts=either",
    "/3x3/count.json?from=a1+b2",
    "/3x3/count.json?x_moves=block&o_moves=win",
    "/3x4:3/count.json?same=symmetry&symmetry=lines",
    "/3x3/openings.json",
    "/3x3/openings.json?from=a1",
    "/3x4:3/openings.json",
    "/3x3/tree/reduced.json",
    "/3x3/tree/openings.json",
    "/3x3/tree/policy.json",
    "/3x3/patterns.json",
    "/3x3/endings.json",
    "/3x3/menace.json?as=O&games=9&last_boxes=1&empty=keep",
    "/3x3/crib.json?as=O&opening=b2&goal=perfect&count=all",
    "/3x3/puzzles.json?number=2&about=who-can-force&seed=4",
    "/3x3/sheets.json?kind=same&number=2&seed=4",
    "/3x3/positions.json?ply=5&trap=1",
    "/3x3/positions.json?moves=perfect",
    "/3x3/blindfold.json",
]
HAVE_NO_VERB = {"play"}


def test_every_kind_with_data_is_here():
    kinds = {read_address(*(urlsplit(each)[2:4])).page for each in ADDRESSES}
    assert {kind.name for kind in KINDS.values() if "json" in kind.forms} == kinds | HAVE_NO_VERB
    assert kinds == VERBS.keys()
    assert set(VERBS.values()) <= VERBS_THERE.keys()


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_data_are_what_the_commands_print(address):
    path, query = urlsplit(address)[2:4]
    ask = read_address(path, query)
    reply = get(address)
    assert reply.status == 200
    commands = {command_of(ask), found_for(ask).command}
    for command in commands:
        assert reply.body.decode() == printed(*shlex.split(command)[1:], "--format", "json")


def test_what_has_no_verb_has_no_command_and_rules_are_said_to_one_that_knows_them():
    assert command_of(read_address("/3x3/play")) == ""
    assert command_of(read_address("/")) == ""
    ruled = read_address("/3x3/p/XO_-_X_-__O", "moves=win&end=decided")
    assert command_of(ruled) == "noughts positions 3x3:3 --end decided --moves win"
    assert command_of(read_address("/3x3/p/XO_-_X_-__O", "quiz=1")) == "noughts explain 3x3:3 XO./.X./..O"
    assert command_of(read_address("/3x3/openings", "from=a1;rm")) == "noughts openings 3x3:3 --from 'a1;rm'"


@pytest.mark.parametrize("address", [each.replace(".json", "", 1) for each in ADDRESSES])
def test_the_command_under_each_page_works_as_it_is_printed(address):
    found = re.search(r'<p class="command">[^<]*<code>([^<]*)</code>', get(address).body.decode())
    assert found, "a page that a verb gives says so"
    name, *words = shlex.split(unescape(found[1]))
    assert name == "noughts"
    assert printed(*words)
