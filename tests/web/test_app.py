"""The application from outside: who may ask, how much, and what every reply says about itself."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from starlette.types import ASGIApp

from noughts.web.app import LOOPBACK, application
from noughts.web.ask import Ask
from noughts.web.kinds import KINDS
from tests.web.asking import Response, ask

PAGE, DATA, PICTURE = "/3x3/openings", "/3x3/openings.json", "/3x3/openings.svg"


@pytest.fixture(scope="module")
def app() -> ASGIApp:
    return application()


def asked(app: ASGIApp, *given: Any, **named: Any) -> Response:
    """Ask, and check what holds of every reply."""
    found = asyncio.run(ask(app, *given, **named))
    assert found.headers["x-content-type-options"] == "nosniff"
    assert found.headers["referrer-policy"] == "no-referrer"
    assert "default-src 'none'" in found.headers["content-security-policy"]
    assert "set-cookie" not in found.headers
    if found.status not in (200, 304):
        assert found.headers["cache-control"] == "no-store"
    return found


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_pages_are_only_read(app, method):
    found = asked(app, PAGE, method=method)
    assert found.status == 405
    assert found.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:8000", "[::1]", "LocalHost:1", "127.0.0.1"])
def test_this_machine_is_served(app, host):
    assert asked(app, PAGE, headers={"host": host}).status == 200


@pytest.mark.parametrize(
    "host",
    ["example.org", "127.0.0.1.example.org", "localhost.evil", "evil@localhost", "127.0.0.2", "::1", "localhost:x"],
)
def test_other_names_are_not(app, host):
    found = asked(app, DATA, headers={"host": host})
    assert found.status == 421
    assert found.json()["ok"] is False
    assert f"under the name '{host}'" in found.json()["error"]
    assert "--allow-host NAME" in found.json()["error"]


def test_a_request_without_name_is_not_served(app):
    assert asked(app, PAGE, headers={"host": ""}).status == 400


def test_names_can_be_added():
    app = application([*LOOPBACK, "Noughts.example"])
    assert asked(app, PAGE, headers={"host": "noughts.example:443"}).status == 200
    assert asked(app, PAGE, headers={"host": "other.example"}).status == 421


def test_addresses_and_bodies_are_bounded(app):
    assert asked(app, "/3x3/p/" + "x" * 2041).status == 404
    assert asked(app, "/3x3/p/" + "x" * 2042).status == 414
    assert asked(app, "/whatis?n=" + "1" * 3000).status == 414
    assert asked(app, PAGE, headers={"content-length": "16384"}).status == 200
    assert asked(app, PAGE, headers={"content-length": "16385"}).status == 413
    assert asked(app, PAGE, headers={"content-length": "-1"}).status == 413
    assert asked(app, PAGE, headers={"transfer-encoding": "chunked"}).status == 413


def test_pages_may_load_from_here_only(app):
    policy = asked(app, PAGE).headers["content-security-policy"]
    assert policy == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    assert asked(app, PAGE).headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in asked(app, PAGE).headers


def test_data_may_be_used_anywhere(app):
    found = asked(app, DATA)
    assert found.headers["access-control-allow-origin"] == "*"
    assert found.headers["content-type"] == "application/json"
    assert "unsafe-inline" not in found.headers["content-security-policy"]
    assert "style-src 'self' 'unsafe-inline'" in asked(app, PICTURE).headers["content-security-policy"]


def test_only_embedded_pages_stand_in_frames(app):
    found = asked(app, "/embed/3x3/openings")
    assert "frame-ancestors *" in found.headers["content-security-policy"]
    assert "<header" not in found.text
    assert "<nav" not in found.text
    assert 'href="/3x3/openings" target="_blank"' in found.text
    assert "<h1>" in found.text
    assert "frame-ancestors 'none'" in asked(app, "/3x3/openings").headers["content-security-policy"]
    assert asked(app, "/embed/go?board=4x4").headers["location"] == "/embed/4x4"
    assert asked(app, "/embedded").status == 404


@pytest.mark.parametrize("address", [PAGE, DATA, PICTURE, "/static/style.css", "/openapi.json", "/api"])
def test_tags_and_heads(app, address):
    for encoding in ("", "gzip, br"):
        headers = {"accept-encoding": encoding}
        whole = asked(app, address, headers=headers)
        assert whole.status == 200
        assert re.fullmatch(r'"[0-9a-f]{24}(-z)?"', whole.headers["etag"])
        assert whole.headers["cache-control"].startswith("public, max-age=")
        assert int(whole.headers["content-length"]) == len(whole.raw)
        assert whole.headers["vary"] == "accept-encoding"
        head = asked(app, address, method="HEAD", headers=headers)
        assert (head.status, head.headers, head.raw) == (200, whole.headers, b"")
        for tags in (whole.headers["etag"], "*", f'"x", W/{whole.headers["etag"]}'):
            same = asked(app, address, headers={**headers, "if-none-match": tags})
            assert (same.status, same.raw) == (304, b"")
            assert same.headers["etag"] == whole.headers["etag"]
            assert "content-length" not in same.headers
        assert asked(app, address, headers={**headers, "if-none-match": '"other"'}).status == 200
    plain, small = (asked(app, address, headers={"accept-encoding": each}) for each in ("", "gzip"))
    assert plain.raw == small.body
    assert len(small.raw) < len(plain.raw)
    assert small.headers["etag"] != plain.headers["etag"]


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [("gzip", True), ("gzip;q=0", False), ("br, gzip; q=0.0", False), ("gzip;q=0.5", True), ("br;q=1", False),
     ("gzip;q=1.0, identity;q=0", True), ("deflate;q=0, gzip", True)],
)  # fmt: skip
def test_only_who_takes_it_gets_gzip(app, accepted, packed):
    found = asked(app, DATA, headers={"accept-encoding": accepted})
    assert ("content-encoding" in found.headers) is packed


def test_what_is_kept_says_the_same_again(app):
    first, second = (asked(application(), DATA), asked(app, DATA))
    assert (
        (first.headers, first.raw) == (second.headers, second.raw) == (asked(app, DATA).headers, asked(app, DATA).raw)
    )


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/nothing/here/at/all", 404, "there is no page"),
        ("/3x3/openings.csv", 404, "is not to be had as .csv"),
        ("/3x3/tree/none", 404, "there is no tree 'none'"),
        ("/0x0", 404, "side"),
        ("/3x3/count?same=all", 400, "is no same"),
        ("/3x3/openings?depth=3", 400, "no parameter 'depth'"),
        ("/3x3/openings?from=a1&from=b1", 400, "given twice"),
        ("/static/../app.py", 404, "there is no"),
        ("/static/app.py", 404, "there is no file"),
        ("/static/%2e%2e%2fapp.py", 404, "there is no"),
        ("/..%2f..%2fetc%2fpasswd", 404, "there is no page"),
        ("/3x3/openings?from=%00", 400, ""),
        ("/%00", 404, ""),
        ("/3x3/openings?" + "&".join(f"a{i}=1" for i in range(200)), 400, "more than 50 parameters"),
    ],
)
def test_what_is_wrong_is_one_sentence_twice(app, address, status, words):
    path, mark, query = address.partition("?")
    page = asked(app, address)
    assert page.status == status
    assert page.headers["content-type"].startswith(("text/html", "application/json"))
    data = asked(app, address if path.endswith(".csv") else f"{path}.json{mark}{query}")
    assert data.status in (400, 404)
    assert data.headers["content-type"] == "application/json"
    assert list(data.json()) == ["ok", "error"]
    assert data.json()["ok"] is False
    assert "\n" not in data.json()["error"]
    assert words in page.text.replace("&#39;", "'")


def test_a_mistake_of_ours_is_told_without_its_trace(app, monkeypatch, capsys):
    def broken(ask: Ask) -> Any:
        raise RuntimeError("the inner workings")

    monkeypatch.setattr("noughts.web.answering.found_for", broken)
    for address in ("/3x3/openings?from=a1", "/3x3/openings.json?from=a1"):
        found = asked(app, address)
        assert found.status == 500
        assert "inner workings" not in found.text
        assert "Traceback" not in found.text
        assert "the inner workings" in capsys.readouterr().err


def test_the_description_of_all_addresses_is_whole(app):
    found = asked(app, "/openapi.json").json()
    assert found["openapi"] == "3.1.0"
    assert set(found["paths"]) == {f"{kind.path}.{form}" for kind in KINDS.values() for form in kind.forms}
    names = []
    for path, item in found["paths"].items():
        operation = item["get"]
        names.append(operation["operationId"])
        pieces = {each["name"] for each in operation["parameters"] if each["in"] == "path"}
        assert pieces == set(re.findall(r"{(\w+)}", path))
        assert all(each["required"] for each in operation["parameters"] if each["in"] == "path")
        assert {"200", "404", "422", "503"} <= operation["responses"].keys()
        assert all(each["description"] and each["schema"] for each in operation["parameters"])
    assert len(names) == len(set(names))
    assert "Failure" in found["components"]["schemas"]


def test_the_description_says_what_is_refused(app):
    found = asked(app, "/openapi.json").json()["paths"]
    for item in found.values():
        assert {"405", "413", "414", "421"} <= item["get"]["responses"].keys()
        for each in item["get"]["parameters"]:
            if each["schema"].get("type") == "integer":
                assert type(each["schema"].get("default", 0)) is int
                assert each["schema"]["minimum"] == 0
    whatis = found["/whatis.json"]["get"]["parameters"]
    assert [each["name"] for each in whatis if each.get("required")] == ["n"]
    assert 'href="/3x3/count.svg?same=labelled"' in asked(app, "/api").text


def test_the_page_about_data_shows_every_kind_that_has_any(app):
    page = asked(app, "/api").text
    for kind in KINDS.values():
        if kind.forms:
            assert kind.path in page
        for parameter in kind.parameters if kind.forms else ():
            assert f"<code>{parameter.name}</code>" in page
