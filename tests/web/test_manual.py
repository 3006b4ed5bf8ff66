"""The documentation under /docs: led to, served as it is, and where it is absent, how to have it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from noughts.web import render as manual
from noughts.web.app import Explorer
from tests.web.site import Response, ask


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    manual._manual.cache_clear()
    yield
    manual._manual.cache_clear()


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "manual"
    (folder / "how-to").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>noughts</title>")
    (folder / "how-to" / "a.html").write_text("<!doctype html><title>a</title>")
    (folder / "site.css").write_text("a {}")
    (folder / "secret.key").write_text("no")
    (tmp_path / "beside.html").write_text("no")
    monkeypatch.setattr(manual, "_MANUAL", folder)
    return folder


def asked(path: str) -> Response:
    return asyncio.run(ask(Explorer(), path))


@pytest.mark.parametrize("path", ["/docs", "/docs/"])
def test_the_short_address_leads_to_the_first_page(built: Path, path: str) -> None:
    found = asked(path)
    assert (found.status, found.headers["location"]) == (303, "/docs/index.html")


@pytest.mark.parametrize(
    ("path", "media"),
    [
        ("/docs/index.html", "text/html; charset=utf-8"),
        ("/docs/how-to/a.html", "text/html; charset=utf-8"),
        ("/docs/site.css", "text/css; charset=utf-8"),
    ],
)
def test_its_files_are_served_under_the_policy_of_all_pages(built: Path, path: str, media: str) -> None:
    found = asked(path)
    assert (found.status, found.headers["content-type"]) == (200, media)
    assert found.body == (built / path.removeprefix("/docs/")).read_bytes()
    assert "script-src 'self'; style-src 'self';" in found.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path", ["/docs/none.html", "/docs/secret.key", "/docs/../beside.html", "/docs/%2e%2e/beside.html", "/docs/how-to"]
)
def test_nothing_else_is(built: Path, path: str) -> None:
    assert asked(path).status == 404


def test_where_it_is_absent_one_sentence_says_how_to_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manual, "_MANUAL", tmp_path)
    found = asked("/docs/index.html")
    assert found.status == 404
    assert b"run make docs-site in " in found.body
    monkeypatch.setattr(manual, "__file__", str(tmp_path / "a" / "b" / "c" / "manual.py"))
    assert b"install a wheel that was built after make docs-site" in asked("/docs").body
