"""The folder of pages: every link resolves, every position has its page, the same bytes each time, nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

import noughts
from noughts.analysis.records.api import catalogue
from noughts.counting.question import Question
from noughts.machine.workers import SERIAL, Workers
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, FileError, InputError
from noughts.rules.play import EndRule, MoveRule
from noughts.web.addresses import position_slug
from noughts.web.folder import FolderContents, write_site
from noughts.web.replies import answer
from noughts.web.request import Ask
from tests.dear import dear
from tests.web.site import crawl, load
from tests.workers import Pickled

OTHERS = ("2x2:2+wild", "1x2:2+notakto*2", "1x4:3+order")
BOARDS = dear(
    ["2x3:2+misere", "2x2x2:2", "2x3:2+torus", "1x2x2:2", "2x2:3", "1x1:1", *OTHERS], "2x2x2:2", "2x3:2+torus"
)


def positions(spec: str) -> dict[str, noughts.Position]:
    return {position_slug(record.position): record.position for record in catalogue(spec).labelled()}


@pytest.mark.parametrize("spec", BOARDS)
def test_a_site_has_every_position_every_link_and_the_data_of_the_server(tmp_path: Path, spec: str) -> None:
    """The page of a position leads to every board after it, as it stands; a finished game leads on nowhere."""
    folder, board = tmp_path / "site", Board.parse(spec)
    assert noughts.site(spec, folder).rows == len(list(folder.rglob("*.html")))
    pages = crawl(folder)
    found = {name.removeprefix("p/").removesuffix(".html") for name in pages if name.startswith("p/")}
    more = {f"{slug}-mark-O" for slug, at in positions(spec).items() if board.rules.chooses_mark and not at.is_terminal}
    assert found == positions(spec).keys() | more
    for slug, position in positions(spec).items():
        after = set() if position.is_terminal else {position_slug(position.play(cell)) for cell in position.moves()}
        links = {link.removesuffix(".html") for link in pages[f"p/{slug}.html"].links}
        assert after <= links, slug
        assert (f"{slug}-mark-O" in links) == (f"{slug}-mark-O" in more)
    for path in sorted((folder / "p").glob("*.json"))[::7]:
        ask = Ask("position", board, path.stem.removesuffix("-mark-O"), form="json")
        assert path.read_bytes() == answer(ask).body
    for name, ask in (("count", Ask("count", board)), ("endings", Ask("endings", board))):
        there = folder / f"{name}.json"
        reply = answer(ask.of("json"))
        assert there.read_bytes() == reply.body if reply.status == 200 else not there.exists()


@pytest.mark.slow
def test_one_page_a_class_where_positions_are_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move then leads to the page of its class, which stands in its canonical orientation, and the index says so."""
    monkeypatch.setattr("noughts.web.folder.POSITION_LIMIT", 50)
    noughts.site("2x3:3", tmp_path / "site")
    pages = crawl(tmp_path / "site")
    found = catalogue("2x3:3")
    there = {name.removeprefix("p/").removesuffix(".html") for name in pages if name.startswith("p/")}
    assert there == {position_slug(record.position) for record in found}
    for record in found:
        links = {link.removesuffix(".html") for link in pages[f"p/{position_slug(record.position)}.html"].links}
        assert {position_slug(move.canonical) for move in record.moves} <= links
    assert "the same but for a turn or flip share one page" in (tmp_path / "site" / "index.html").read_text()
    contents = FolderContents(Question(Board.parse("2x3:3"), "choices"))
    assert contents.by_class
    turned = contents.find(Ask("position", Board.parse("2x3:3"), "___-__X"))
    assert turned is not None
    assert turned.what == position_slug(found[".../..X"].canonical)


@pytest.mark.slow
def test_every_page_of_3x3(tmp_path: Path) -> None:
    written = noughts.site("3x3", tmp_path / "site")
    pages = crawl(tmp_path / "site")
    assert len([name for name in pages if name.startswith("p/")]) == 5478
    assert written.rows == len(pages)
    assert written.size < 150e6


@pytest.mark.slow
def test_workers_that_share_nothing_make_the_same_bytes(tmp_path: Path) -> None:
    workers = Pickled()
    made: list[Workers] = [SERIAL, workers]
    question = Question(Board.parse("2x3:3"), "choices")
    for number, made_by in enumerate(made):
        write_site(question, tmp_path / str(number), force=False, done=lambda n, whole: None, workers=made_by)
    assert workers.items > 5
    one, other = (
        {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
        for folder in (tmp_path / "0", tmp_path / "1")
    )
    assert one == other


def test_a_site_is_replaced_only_when_asked_and_nothing_else_ever(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    noughts.site("1x2:1", folder)
    with pytest.raises(InputError, match="not empty"):
        noughts.site("2x2:2", folder)
    noughts.site("2x2:2", folder, force=True)
    crawl(folder)
    (folder / "p" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds 'p/notes.txt'"):
        noughts.site("1x2:1", folder, force=True)
    assert (folder / "p" / "notes.txt").read_text() == "mine"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match=r"is not replaced: it holds 'letter.txt', which noughts did not write"):
        noughts.site("2x2:2", tmp_path / "mine", force=True)
    assert (tmp_path / "mine" / "letter.txt").read_text() == "dear"


def test_a_failure_half_way_leaves_the_old_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site"
    noughts.site("1x2:1", folder)
    before = (folder / "index.html").read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("noughts.web.folder.asset", fail)
    with pytest.raises(FileError, match="No space left"):
        noughts.site("2x2:2", folder, force=True)
    assert (folder / "index.html").read_bytes() == before
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize("spec", ["4x4:4", "3x4:3", "5x5"])
def test_too_many_classes_are_refused(tmp_path: Path, spec: str) -> None:
    with pytest.raises(BudgetError, match="20,000"):
        noughts.site(spec, tmp_path / "site")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("spec", "moves", "end"),
    [("2x3:3", "block", "decided"), ("2x3:2+misere", "perfect", "line"), ("2x3:2", "win", "line")],
)
def test_a_site_of_what_rules_reach(tmp_path: Path, spec: str, moves: MoveRule, end: EndRule) -> None:
    written = noughts.site(spec, tmp_path / "site", moves=moves, end=end)
    pages = crawl(tmp_path / "site")
    found = catalogue(spec, moves=moves, end=end)
    assert found.boards == len([name for name in pages if name.startswith("p/")])
    for record in found.labelled():
        data = load(tmp_path / "site" / "p" / f"{position_slug(record.position)}.json")
        assert data["games"] == str(record.games)
        assert data["end"] == end
    index = (tmp_path / "site" / "index.html").read_text()
    census = noughts.count(spec, same="choices", moves=moves, end=end)
    assert f"{census.totals.finished:,}" in index
    assert not [name for name in pages if name.startswith(("openings", "tree", "patterns", "blindfold"))]
    assert written.rules
    assert written.rules.startswith(f"--moves {moves}")
