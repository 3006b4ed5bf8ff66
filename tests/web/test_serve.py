"""The server as people run it: a real process, its first line, its sockets, and its end."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from noughts.domain.errors import FileError, InputError
from noughts.web.protocol import GuardedProtocol
from noughts.web.server import is_loopback, serve


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
        """Return the processes that the server has started."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(pid) for task in tasks for pid in task.read_text().split()]

    def stop(self, number: int) -> int:
        """Send a signal and return the exit code; that it takes under three seconds is measured in the benchmark."""
        self.process.send_signal(number)
        return self.process.wait(timeout=20)


@contextmanager
def running(*options: str) -> Iterator[Running]:
    process = subprocess.Popen(
        [sys.executable, "-m", "noughts", "serve", "--port", "0", *options],
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


def test_the_address_that_is_printed_answers(server):
    assert json.loads(server.get("/3x3/openings.json"))["board"] == "3x3:3"


@pytest.mark.parametrize(
    "sent",
    [b"\x00\xff\xfe\r\n\r\n", b"GET\r\n\r\n", b"GET http://[ HTTP/1.1\r\n\r\n", b"\r\n\r\n",
     b"GET \xff HTTP/1.1\r\n\r\n",
     b"CONNECT a:1 HTTP/1.1\r\nhost: localhost\r\n\r\n", b"OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n",
     b"GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999\r\nconnection: close\r\n\r\nx",
     b"GET / HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"],
)  # fmt: skip
def test_what_is_no_request_leaves_the_server_well(server, sent):
    said = server.raw(sent, wait=1)
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


def test_headers_are_bounded(server):
    said = server.raw(b"GET / HTTP/1.1\r\nhost: localhost\r\n" + b"x: " + b"y" * 200_000)
    assert said.startswith(b"HTTP/1.1 431 ") or said == b""
    assert server.get("/static/style.css")


def test_a_connection_stays_for_many_requests(server):
    one = b"GET /3x3/openings.json HTTP/1.1\r\nhost: localhost\r\n\r\n"
    last = one.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n")
    assert server.raw(one * 5 + last).count(b"HTTP/1.1 200 OK") == 6


def test_half_a_request_is_not_waited_for():
    code = "import noughts.web.protocol as p; p._HEAD_SECONDS = 0.5; from noughts.cli.main import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = Running(process, int(process.stdout.readline().strip().rstrip("/").rpartition(":")[2]))
        for sent in (b"", b"GET / HT", b"GET /static/icon.svg HTTP/1.1\r\nhost: localhost\r\n\r\nGET / HT"):
            assert found.ends(sent)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_in_time_with_all_it_has_started(number):
    with running() as server:
        slow = socket.create_connection(("127.0.0.1", server.port))
        slow.sendall(b"GET /6x6:4/openings.json HTTP/1.1\r\nhost: localhost\r\n\r\n")
        half = socket.create_connection(("127.0.0.1", server.port))
        half.sendall(b"GET / HT")
        for _ in range(100):
            time.sleep(0.05)
            if below := server.below():
                break
        assert below
        code = server.stop(number)
        assert code == {signal.SIGTERM: 143, signal.SIGINT: 0}[number]
        time.sleep(0.1)
        assert not [pid for pid in below if Path(f"/proc/{pid}").exists()]
        slow.close()
        half.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_who_waits_when_it_stops_is_told_and_the_log_is_quiet(number):
    with running() as server:
        said: list[bytes] = []
        ask = b"GET /6x6:4/%b HTTP/1.1\r\nhost: localhost\r\n\r\n"
        whats = (b"openings.json", b"openings.svg", b"count.json", b"openings")
        readers = [threading.Thread(target=lambda w=w: said.append(server.raw(ask % w))) for w in whats]
        for reader in readers:
            reader.start()
        time.sleep(1.5)
        server.stop(number)
        for reader in readers:
            reader.join()
        assert server.process.stderr is not None
        assert server.process.stderr.read() in ("", "noughts: ended by a signal\n")
    assert [each[:13] for each in said] == [b"HTTP/1.1 503 "] * 4
    assert sum(b'"the server is closing"' in each for each in said) == 3
    assert sum(b"the server is closing" in each for each in said) == 4


def test_numbers_of_any_length_are_told(server):
    found = json.loads(server.get("/40x40:5/count.json"))["positions"]
    assert max(len(each["count"] or "") for each in found) > 4300


def test_a_worker_ends_when_its_server_is_killed():
    with running() as server:
        slow = socket.create_connection(("127.0.0.1", server.port))
        slow.sendall(b"GET /6x6:4/openings.json HTTP/1.1\r\nhost: localhost\r\n\r\n")
        for _ in range(100):
            time.sleep(0.05)
            if below := server.below():
                break
        assert below
        server.stop(signal.SIGKILL)
        slow.close()
        for _ in range(100):
            time.sleep(0.05)
            if not [pid for pid in below if Path(f"/proc/{pid}").exists()]:
                return
        raise AssertionError("a worker is left")


def test_work_ends_when_the_reader_leaves():
    with running() as server:
        with closing(socket.create_connection(("127.0.0.1", server.port))) as line:
            line.sendall(b"GET /6x6:4/openings.json HTTP/1.1\r\nhost: localhost\r\n\r\n")
            for _ in range(100):
                time.sleep(0.05)
                if below := server.below():
                    break
        for _ in range(60):
            time.sleep(0.05)
            if not set(below) & set(server.below()):
                return
        raise AssertionError("the work goes on")


def test_a_port_that_is_taken_is_one_sentence():
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "noughts", "serve", "--port", str(port)], capture_output=True, text=True, timeout=20
        )
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.count("\n") == 1
    assert f"port {port}" in done.stderr
    assert "--port 0" in done.stderr


def test_cells_by_number_are_refused():
    asked = [sys.executable, "-m", "noughts", "serve", "--port", "0", "--cells", "numbers"]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=20)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--cells numbers has no place with serve" in done.stderr


def test_who_else_can_ask_is_said():
    with running("--host", "0.0.0.0", "--allow-host", "noughts.example") as server:
        name = socket.gethostname()
        assert server.process.stdout is not None
        assert server.process.stdout.readline() == f"http://{name.lower()}:{server.port}/\n"
        named = Request(f"http://127.0.0.1:{server.port}/static/icon.svg", headers={"host": f"{name}:{server.port}"})
        with urlopen(named, timeout=10) as reply:
            assert reply.status == 200
        asked = Request(f"http://127.0.0.1:{server.port}/static/icon.svg", headers={"host": "noughts.example"})
        with urlopen(asked, timeout=10) as reply:
            assert reply.status == 200
        server.process.terminate()
        _, said = server.process.communicate(timeout=10)
        assert "everybody who reaches 0.0.0.0 can ask this server" in said


@pytest.mark.parametrize("host", ["", " ", "no such host", "ex\u00e4mple", "256.1.1.1"])
def test_a_host_that_cannot_be_is_refused(host):
    with pytest.raises((InputError, FileError)):
        serve(host, 0)


@pytest.mark.parametrize("port", [-1, 65536, "80", 1.5, True])
def test_a_port_that_cannot_be_is_refused(port):
    with pytest.raises(InputError):
        serve(port=port)


@pytest.mark.parametrize("name", ["", "a/b", "a b", 7])
def test_a_name_that_cannot_be_is_refused(name):
    with pytest.raises(InputError):
        serve(port=0, allow_hosts=[name])


def test_what_is_this_machine():
    assert all(is_loopback(host) for host in ("127.0.0.1", "localhost", "::1"))
    assert not any(is_loopback(host) for host in ("0.0.0.0", "::", "192.168.1.1"))
    assert GuardedProtocol.connection_made is not None
