"""The documentation under /docs: every page is rendered, its links are alive, and a search finds words."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from noughts.web import manual, prompt
from noughts.web.app import Explorer
from tests.web.site import Response, ask

PAGES = [name for name, path in manual._files().items() if path.suffix == ".md"]


def asked(path: str) -> Response:
    return asyncio.run(ask(Explorer(), path))


def test_every_page_is_rendered_and_every_link_in_it_leads_somewhere() -> None:
    root = Path(__file__).resolve().parents[2]
    assert len(PAGES) == 4 + sum(1 for _ in (root / "docs").rglob("*.md")) > 80
    anchors = {name: set(re.findall(r' id="([^"]+)"', manual.html_of(name))) for name in PAGES}
    dead = []
    for name in PAGES:
        html = manual.html_of(name)
        assert html.count("<h1") == 1, name
        assert not re.search(
            r"<style|<script|\\sstyle=|\\son\\w+=", re.sub(r"<code>.*?</code>", "", html, flags=re.DOTALL)
        ), name
        for to in re.findall(r'(?:href|src)="(/[^"]*)"', html):
            path, _, anchor = to.removeprefix("/docs/").partition("#")
            known = path in manual._files() or path.removesuffix(".html") in anchors
            if not known or (anchor and anchor not in anchors[path.removesuffix(".html")]):
                dead.append((name, to))
    assert dead == []
    listed = [name for _, pages in manual.contents() for name, _ in pages]
    assert sorted(listed) == sorted(set(PAGES) - {"index"})


@pytest.mark.parametrize(
    "path",
    ["/docs/none.html", "/docs/how-to", "/docs/how-to/solve", "/docs/how-to/solve.md", "/docs/pictures/trap.svg.html",
     "/docs/../pyproject.toml", "/docs/%2e%2e/LICENSE", "/docs/LICENSE"],
)  # fmt: skip
def test_nothing_else_is(path: str) -> None:
    assert asked(path).status == 404


def test_a_search_finds_the_pages_that_have_all_words_titles_first() -> None:
    found = manual.search("Burnside LEMMA")
    assert found[0].title == "Symmetry and Burnside's lemma"
    assert "burnside" in found[1].words.lower()
    assert manual.search("") == manual.search("zzyzx") == []
    body = asked("/docs/search.html?q=%3Cb%3E").body.decode()
    assert "&lt;b&gt;" in body
    assert "<b>" not in body
    assert b"1 page has" in asked("/docs/search.html?q=Golomb+Hales").body or manual.search("Golomb Hales")[1:]


def test_a_search_leads_to_the_heading_that_has_the_words() -> None:
    found = {page.name: page.anchor for page in manual.search("symmetry")}
    assert len(found) > 5
    assert "" in found.values()
    assert found["explanation/symmetry"] == "games-up-to-symmetry"
    for name, anchor in found.items():
        assert not anchor or f' id="{anchor}"' in manual.html_of(name)
        assert not anchor or "symmetry" in anchor
    body = asked("/docs/search?q=symmetry").body.decode()
    assert 'href="/docs/explanation/symmetry.html#games-up-to-symmetry"' in body


def test_the_box_on_every_page_offers_titles_and_each_finds_its_page() -> None:
    body = asked("/docs/how-to/solve.html").body.decode()
    assert 'action="/docs/search.html"' in body
    assert 'list="titles"' in body
    offered = [(name, title) for _, pages in manual.contents() for name, title in pages]
    titles = body.partition('id="titles"')[2].partition("</datalist>")[0]
    assert titles.count("<option value=") == len(offered) > 80
    assert [name for name, title in offered if name not in {page.name for page in manual.search(title)}] == []


def test_where_it_is_absent_one_sentence_says_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manual, "_files", dict)
    found = asked("/docs/index.html")
    assert found.status == 404
    assert b"install noughts again" in found.body


def test_the_prompt_loads_noughts_from_here_and_pyodide_from_a_folder_or_its_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = asked("/docs/start/prompt.html")
    assert 'data-source="https://cdn.jsdelivr.net/npm/pyodide@' in page.text
    assert "'wasm-unsafe-eval' https://cdn.jsdelivr.net;" in page.headers["content-security-policy"]
    assert asked("/docs/prompt/pyodide/pyodide.mjs").status == 404
    monkeypatch.setenv("NOUGHTS_PYODIDE", str(tmp_path))
    (tmp_path / "pyodide.mjs").write_text("export {}", encoding="utf-8")
    page = asked("/docs/start/prompt.html")
    assert 'data-source="/docs/prompt/pyodide/"' in page.text
    assert "jsdelivr" not in page.headers["content-security-policy"]
    assert asked("/docs/prompt/pyodide/pyodide.mjs").text == "export {}"
    for path in ("pyodide.asm.wasm", "../pyodide.mjs", "package.json"):
        assert asked(f"/docs/prompt/pyodide/{path}").status == 404, path
    worker = asked("/docs/prompt/worker.js")
    assert worker.headers["content-security-policy"] == page.headers["content-security-policy"]


def test_the_packages_of_the_prompt_answer_without_the_installed_ones(tmp_path: Path) -> None:
    ZipFile(BytesIO(prompt.prompt_reply("packages.zip").body)).extractall(tmp_path)
    command = [sys.executable, "-S", "-c", "from noughts.cli.main import main; main(['count', '3x3'])"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert "255,168" in ended.stdout, ended.stderr
