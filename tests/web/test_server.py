"""The application from outside: who may ask, how much, and what every reply says about itself."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from noughts.rules.errors import FileError, InputError
from noughts.web.app import Explorer
from noughts.web.kinds import KINDS
from noughts.web.request import Ask
from noughts.web.server import serve
from tests.dear import dear
from tests.robust.trial import family
from tests.web.site import Response, ask

PAGE, DATA, PICTURE = "/3x3/openings", "/3x3/openings.json", "/3x3/openings.svg"


@pytest.fixture(scope="module")
def app() -> Explorer:
    return Explorer()


def asked(app: Explorer, *given: Any, **named: Any) -> Response:
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
    assert f"to the name '{host}'" in found.json()["error"]
    assert "--allow-host NAME" in found.json()["error"]


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
        "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
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


def test_what_is_kept_says_the_same_again(app):
    first, *others = (asked(each, DATA) for each in (Explorer(), app, app))
    assert all((other.headers, other.raw) == (first.headers, first.raw) for other in others)


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/nothing/here/at/all", 404, "does not exist"),
        ("/3x3/openings.csv", 404, "is not available as .csv"),
        ("/3x3/tree/none", 404, "tree has no page 'none'"),
        ("/0x0", 404, "side"),
        ("/3x3/count?same=all", 400, "same cannot be 'all'"),
        ("/3x3/openings?depth=3", 400, "no parameter 'depth'"),
        ("/3x3/openings?from=a1&from=b1", 400, "given twice"),
        ("/static/../app.py", 404, "does not exist"),
        ("/static/app.py", 404, "does not exist"),
        ("/static/%2e%2e%2fapp.py", 404, "does not exist"),
        ("/..%2f..%2fetc%2fpasswd", 404, "does not exist"),
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

    monkeypatch.setattr("noughts.web.replies.found_for", broken)
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
        assert {"200", "404", "405", "413", "414", "421", "422", "503"} <= operation["responses"].keys()
        assert all(each["description"] and each["schema"] for each in operation["parameters"])
        numbers = [each["schema"] for each in operation["parameters"] if each["schema"].get("type") == "integer"]
        assert all(type(each.get("default", 0)) is int and each["minimum"] == 0 for each in numbers)
    assert len(names) == len(set(names))
    assert "Failure" in found["components"]["schemas"]
    whatis = found["paths"]["/whatis.json"]["get"]["parameters"]
    assert [each["name"] for each in whatis if each.get("required")] == ["n"]
    assert 'href="/3x3/count.svg?same=labelled"' in asked(app, "/api").text


# The server as people run it: a real process, its first line, its sockets, and its end.


class Running:
    """A server that runs."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port = process, port

    def get(self, path: str) -> bytes:
        with urlopen(Request(f"http://127.0.0.1:{self.port}{path}"), timeout=20) as reply:
            return bytes(reply.read())

    def raw(self, sent: bytes, wait: float = 5.0) -> bytes:
        """Send bytes and return what comes back until the other side ends or says nothing for a while."""
        found = b""
        with closing(socket.create_connection(("127.0.0.1", self.port), timeout=wait)) as line:
            line.sendall(sent)
            try:
                while more := line.recv(65536):
                    found += more
            except (TimeoutError, ConnectionResetError):
                pass
        return found

    def ends(self, sent: bytes) -> bool:
        """Send bytes and return whether the other side ends the connection, whenever that is within a minute."""
        with closing(socket.create_connection(("127.0.0.1", self.port), timeout=60)) as line:
            line.sendall(sent)
            try:
                while line.recv(65536):
                    pass
            except TimeoutError:
                return False
            except ConnectionResetError:
                pass
        return True

    def below(self) -> list[int]:
        """Return the processes that the server has started: the nursery, and its workers."""
        return family(self.process.pid)[1:]

    def at_work(self, count: int = 2) -> list[int]:
        """Wait until there are as many of them, and return them; one worker waits for short work from the start."""
        for _ in range(200):
            if len(below := self.below()) >= count:
                return below
            time.sleep(0.05)
        raise AssertionError("no worker was started")

    def stop(self, number: int) -> int:
        """Send a signal and return the exit code; that it takes under three seconds is measured in the benchmark."""
        self.process.send_signal(number)
        return self.process.wait(timeout=20)


@contextmanager
def running(*options: str, program: tuple[str, ...] = ("-m", "noughts")) -> Iterator[Running]:
    process = subprocess.Popen(
        [sys.executable, *program, "serve", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # who runs the tests may have it ignored
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first.startswith("http://"), first
        yield Running(process, int(first.strip().rstrip("/").rpartition(":")[2]))
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as found:
        yield found


JUNK = [
    b"\x00\xff\xfe\r\n\r\n", b"GET\r\n\r\n", b"GET http://[ HTTP/1.1\r\n\r\n", b"\r\n\r\n",
     b"GET \xff HTTP/1.1\r\n\r\n",
     b"CONNECT a:1 HTTP/1.1\r\nhost: localhost\r\n\r\n", b"OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n",
     b"GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999\r\nconnection: close\r\n\r\nx",
     b"GET / HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
]  # fmt: skip


def test_a_server_that_is_shared_prints_its_address_in_the_network_and_says_what_it_opens():
    with running("--share") as server:
        assert server.process.stdout is not None
        words = " ".join(server.process.stdout.readline() for _ in range(2))
        assert "Everyone in this network can open the pages" in words or "This machine has no network" in words
        assert server.get("/3x3")
        server.process.terminate()
        assert "0.0.0.0" not in server.process.communicate(timeout=10)[1]


def test_a_terminal_shows_a_code_of_the_address_and_no_host_goes_with_it(tmp_path):
    ours, theirs = pty.openpty()
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "noughts", "serve", "--share", "--port", "0"]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, env=environment) as process:
        shown = b""
        while b"Ctrl-C" not in shown and b"no network" not in shown:
            shown += os.read(ours, 4096)
        process.kill()
    text = shown.decode()
    assert text.index("\u2580") < text.index("http://") or "no network" in text
    refused = subprocess.run([*command, "--host", "127.0.0.1"], capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert "remove --host" in refused.stderr


def test_what_is_no_request_leaves_the_server_well(server):
    with ThreadPoolExecutor(len(JUNK)) as senders:
        for said in senders.map(partial(server.raw, wait=1), JUNK):
            assert not said.startswith(b"HTTP/1.1 500")
            assert b"Traceback" not in said
    assert server.get("/static/style.css")


@pytest.mark.parametrize("sent", [b"FOO / HTTP/1.1\r\nhost: localhost\r\n\r\n", b"GET /\xc3\xa9 HTTP/1.1\r\n\r\n",
                                  b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n"])  # fmt: skip
def test_what_cannot_be_read_is_told_as_data(server, sent):
    said = server.raw(sent)
    if len(sent) < 2048:
        assert said.startswith(b"HTTP/1.1 400 ")
    assert b"content-type: application/json" in said
    assert json.loads(said.partition(b"\r\n\r\n")[2])["ok"] is False


def test_a_connection_stays_for_many_requests(server):
    one = b"GET /3x3/openings.json HTTP/1.1\r\nhost: localhost\r\n\r\n"
    last = one.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n")
    assert server.raw(one * 5 + last).count(b"HTTP/1.1 200 OK") == 6


_ICON = b"GET /static/icon.svg HTTP/1.1\r\nhost: localhost\r\n"


@pytest.mark.parametrize("length", [31_000, 33_000, 60_000, 100_000, 249_000, 2_000_000])
@pytest.mark.parametrize("head", [b"x: %b", b"%b: x"])
def test_a_head_has_32_kib_however_it_arrives(server, length, head):
    wanted = b"HTTP/1.1 200 " if length < 32_768 else b"HTTP/1.1 431 "
    sent = _ICON + head % (b"y" * length) + b"\r\nconnection: close\r\n\r\n"
    assert server.raw(sent).startswith(wanted)
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=20)) as line:
        try:
            for at in range(0, len(sent), 20_000):
                line.sendall(sent[at : at + 20_000])
                time.sleep(0.002)
            assert line.recv(100).startswith(wanted)
        except (BrokenPipeError, ConnectionResetError):
            assert length > 32_768


@pytest.mark.parametrize("hosts", [(b"localhost", b"localhost"), (b"localhost", b"evil"), (b"evil", b"localhost")])
def test_two_names_of_the_host_are_refused(server, hosts):
    said = server.raw(b"GET / HTTP/1.1\r\nhost: %b\r\nHost: %b\r\nconnection: close\r\n\r\n" % hosts)
    assert said.startswith(b"HTTP/1.1 400 ")
    assert b"names two hosts" in said


def test_half_open_connections_turn_nobody_away(server):
    half = []
    try:
        waits = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        half.append(waits)
        waits.sendall(b"GET /3x3/count.json?same=choices HTTP/1.1\r\nhost: localhost\r\n\r\n")
        for _ in range(400):
            half.append(socket.create_connection(("127.0.0.1", server.port)))
            half[-1].sendall(b"GET / HT")
        assert server.raw(_ICON + b"connection: close\r\n\r\n").startswith(b"HTTP/1.1 200 ")
        assert waits.recv(100).startswith(b"HTTP/1.1 200 ")
    finally:
        for each in half:
            each.close()


def test_half_a_request_is_not_waited_for():
    code = "import noughts.web.server as p; p._HEAD_SECONDS = 0.5; from noughts.cli.main import main; main()"
    with running(program=("-c", code)) as server:
        for sent in (b"", b"GET / HT", b"GET /static/icon.svg HTTP/1.1\r\nhost: localhost\r\n\r\nGET / HT"):
            assert server.ends(sent)


ENDS = [(signal.SIGTERM, 143), (signal.SIGINT, 0), (signal.SIGHUP, 129)]


@pytest.mark.parametrize(("number", "code"), dear(ENDS, *ENDS[1:]))
def test_it_stops_with_all_it_has_started_tells_who_waits_and_the_log_is_quiet(number, code):
    with running() as server, closing(socket.create_connection(("127.0.0.1", server.port))) as half:
        half.sendall(b"GET / HT")
        server.at_work()
        said: list[bytes] = []
        ask = b"GET /6x6:4/%b HTTP/1.1\r\nhost: localhost\r\n\r\n"
        whats = (b"openings.json", b"openings.svg", b"count.json", b"openings.dot")
        readers = [threading.Thread(target=lambda w=w: said.append(server.raw(ask % w, 60))) for w in whats]
        for reader in readers:
            reader.start()
        below = server.at_work(3)
        time.sleep(0.3)
        assert server.stop(number) == code
        for reader in readers:
            reader.join()
        assert server.process.stderr is not None
        assert server.process.stderr.read() in ("", "noughts: ended by a signal\n")
        assert not [pid for pid in below if Path(f"/proc/{pid}").exists()]
    assert [each[:13] for each in said] == [b"HTTP/1.1 503 "] * 4
    assert sum(b'"the server is closing"' in each for each in said) == 4


def test_a_worker_ends_when_its_server_is_killed():
    with running() as server, closing(socket.create_connection(("127.0.0.1", server.port))) as slow:
        slow.sendall(b"GET /6x6:4/openings.json HTTP/1.1\r\nhost: localhost\r\n\r\n")
        below = server.at_work(3)
        server.stop(signal.SIGKILL)
        for _ in range(100):
            time.sleep(0.05)
            if not [pid for pid in below if Path(f"/proc/{pid}").exists()]:
                return
        raise AssertionError("a worker is left")


@pytest.mark.parametrize(
    "given",
    [
        *({"host": host, "port": 0} for host in ("", " ", "no such host", "ex\u00e4mple", "256.1.1.1")),
        *({"port": port} for port in (-1, 65536, "80", 1.5, True)),
        *({"port": 0, "allow_hosts": [name]} for name in ("", "a/b", "a b", "--bot", "-", 7)),
    ],
)
def test_what_cannot_be_served_is_refused(given):
    with pytest.raises((InputError, FileError) if "host" in given else InputError):
        serve(**given)
