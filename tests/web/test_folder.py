"""The site: every link resolves, every class has its page, the same bytes each time, and nothing is lost."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import noughts
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, FileError, InputError
from noughts.domain.rules import EndRule, MoveRule
from noughts.exporting.site.build import write_site
from noughts.exporting.site.html import slug
from noughts.records.api import catalogue
from noughts.records.small import GraphCatalogue
from tests.web.crawler import Reader, crawl, load

BOARDS = ["3x3", "2x3:2+misere", "2x2x2:2", "2x3:2+torus", "2x4:3", "2x2:3", "1x1:1", "1x2:1"]


class Site(NamedTuple):
    spec: str
    folder: Path
    pages: dict[str, Reader]


@pytest.fixture(scope="module", params=BOARDS)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site of a board, crawled: every link resolves."""
    folder = tmp_path_factory.mktemp("sites") / "site"
    assert write_site(request.param, folder) == len(list(folder.rglob("*.html")))
    return Site(request.param, folder, crawl(folder))


def test_every_link_resolves_and_every_class_has_its_page(site: Site) -> None:
    spec, _, pages = site
    found = catalogue(spec)
    assert isinstance(found, GraphCatalogue)
    assert len([name for name in pages if name.startswith("class/")]) == len(found)
    assert len([name for name in pages if name.startswith("ply/")]) == len(found.graph.layers)
    assert len({page.title for page in pages.values()}) == len(pages)


def test_pages_link_classes_as_moves_do(site: Site) -> None:
    """Each class page leads to its children and to its parents, and its JSON is the record."""
    _, folder, pages = site
    records = {path.stem: load(path) for path in (folder / "class").glob("*.json")}
    by_class = {record["class"]: stem for stem, record in records.items()}
    for stem, record in records.items():
        links = {link.removesuffix(".html") for link in pages[f"class/{stem}.html"].links}
        for move in record["moves"]:
            assert by_class[move["class"]] in links
        for parent in record["predecessors"]:
            assert by_class[parent] in links


SPOILED = {
    "does not exist": lambda folder: (folder / "endings.html").unlink(),
    "not linked": lambda folder: (folder / "stray.html").write_text("<!DOCTYPE html>"),
    "links out": lambda folder: edit(folder, 'href="style.css"', 'href="https://example.org/style.css"'),
    "closes nothing": lambda folder: edit(folder, "</main>", "</div></main>"),
    "script": lambda folder: edit(folder, "</main>", "<script></script></main>"),
}


def edit(folder: Path, old: str, new: str) -> None:
    text = (folder / "index.html").read_text()
    assert old in text
    (folder / "index.html").write_text(text.replace(old, new))


@pytest.mark.parametrize("word", SPOILED)
def test_the_crawler_sees_what_is_wrong(tmp_path: Path, word: str) -> None:
    write_site("1x2:1", tmp_path / "site")
    crawl(tmp_path / "site")
    SPOILED[word](tmp_path / "site")
    with pytest.raises(AssertionError, match=word):
        crawl(tmp_path / "site")


def test_data_of_the_pages_add_up(site: Site) -> None:
    spec, folder, _ = site
    plies = [load(path) for path in (folder / "ply").glob("*.json")]
    assert sum(len(ply["classes"]) for ply in plies) == len(catalogue(spec))
    endings = load(folder / "endings.json")["endings"]
    assert len(endings) == len(catalogue(spec).where(terminal=True))
    index = load(folder / "index.json")
    rungs = {rung["name"]: rung["count"] for rung in index["positions"]}
    assert rungs["classes"] in (None, str(len(catalogue(spec))))


def test_published_numbers_stand_on_the_pages(tmp_path: Path) -> None:
    write_site("3x3", tmp_path / "site")
    index = (tmp_path / "site" / "index.html").read_text()
    for number in ("255,168", "31,896", "26,830", "5,478", "765", "593", ">96<", ">304<", "127,872"):
        assert number in index, number
    endings = (tmp_path / "site" / "endings.html").read_text()
    assert "138 endings: 91 won by X, 44 won by O and 3 drawn." in endings
    for name in ("Island", "Scorpion", "Arrow"):
        assert name in endings
    assert "115 position classes" in (tmp_path / "site" / "tree.html").read_text()
    opening = (tmp_path / "site" / "openings.html").read_text()
    assert opening.count("<strong>loses in 3 moves</strong>") == 7
    size = sum(path.stat().st_size for path in (tmp_path / "site").rglob("*") if path.is_file())
    assert size < 20e6


def test_the_same_board_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_site("2x4:3", tmp_path / name)
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file()]
    for path in files:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes()


def test_a_board_given_by_its_lines_has_a_site(tmp_path: Path) -> None:
    board = Board.from_lines(5, [(0, 1, 2), (2, 3, 4)], symmetries=[(4, 3, 2, 1, 0)], name="two lines")
    write_site(board, tmp_path / "site")
    crawl(tmp_path / "site")


def test_a_site_is_replaced_only_when_asked_and_nothing_else_ever(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write_site("1x2:1", folder)
    with pytest.raises(InputError, match="not empty"):
        write_site("2x2:2", folder)
    write_site("2x2:2", folder, force=True)
    crawl(folder)
    (folder / "class" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds 'class/notes.txt'"):
        write_site("1x2:1", folder, force=True)
    assert (folder / "class" / "notes.txt").read_text() == "mine"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match=r"holds 'letter.txt', which no site.json of ours lists"):
        write_site("2x2:2", tmp_path / "mine", force=True)
    assert (tmp_path / "mine" / "letter.txt").read_text() == "dear"


def test_a_failure_half_way_leaves_the_old_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site"
    write_site("1x2:1", folder)
    before = (folder / "index.html").read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("noughts.exporting.site.build.index_page", fail)
    with pytest.raises(FileError, match="No space left"):
        write_site("2x2:2", folder, force=True)
    assert (folder / "index.html").read_bytes() == before
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize("spec", ["4x4:4", "3x4:3", "5x5"])
def test_too_many_classes_are_refused(tmp_path: Path, spec: str) -> None:
    with pytest.raises(BudgetError, match="20,000"):
        write_site(spec, tmp_path / "site")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("spec", "moves", "end", "classes"), [("3x3", "block", "decided", 230), ("2x3:2+misere", "perfect", "line", None)]
)
def test_a_site_of_what_rules_reach(
    tmp_path: Path, spec: str, moves: MoveRule, end: EndRule, classes: int | None
) -> None:
    noughts.site(spec, tmp_path / "site", moves=moves, end=end)
    pages = crawl(tmp_path / "site")
    found = catalogue(spec, moves=moves, end=end)
    assert len(found) == len([name for name in pages if name.startswith("class/")])
    assert classes in (None, len(found))
    for record in found:
        assert load(tmp_path / "site" / "class" / f"{slug(record.position)}.json")["games"] == str(record.games)
    index = (tmp_path / "site" / "index.html").read_text()
    census = noughts.count(spec, same="choices", moves=moves, end=end)
    assert f"{census.totals.finished:,}" in index
    assert "Openings" not in index
    assert "where the rules allow it" in "".join(path.read_text() for path in (tmp_path / "site").rglob("*.html"))
