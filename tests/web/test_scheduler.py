"""The scheduler: what it computes where, what waits, what it ends, and what the cache has."""

from __future__ import annotations

import asyncio
import gzip
import os
import random
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any, ClassVar

import pytest

from noughts.counting.carried import carried_census
from noughts.counting.question import SAMENESSES, Question
from noughts.machine.budget import Limits
from noughts.machine.workers import Pace
from noughts.rules.board import Board
from noughts.rules.position import Position
from noughts.solving.published import known_value
from noughts.web.addresses import read_address
from noughts.web.replies import Packed, ReplyCache
from noughts.web.request import DRAWN_CELLS, RULES, Ask, Busy, PageReply, ReaderGone, SchedulerRules
from noughts.web.scheduler import Scheduler, is_short, is_small, waiting_page
from noughts.web.worker_pool import Gone, State, Worker

QUICK = replace(RULES, request=0.1, slice=0.4, long=Limits(2**30, 5.0), patience=0.3, look=0.02, idle=0.2)
UNHURRIED = replace(QUICK, long=Limits(2**30, 10_000.0))
ENDLESS = 500_000
"""Hundredths of a second that no test waits for: what comes after it is answered because it was ended."""


class Idler(Worker):
    """A worker that takes as long as `/go?board=` says, in hundredths of a second, and that can be ended."""

    made = 0
    size = 0
    begun: ClassVar[list[str]] = []
    all: ClassVar[list[Idler]] = []

    def __init__(self) -> None:
        super().__init__()
        self._killed = asyncio.Event()
        self.started = self.has_stepped_back = False

    def start(self) -> Any:
        return None

    async def answer(self, ask: Ask, heard: Callable[[State], None]) -> Packed:
        if not self.started:
            Idler.made += 1
            Idler.all.append(self)
        self.started = True
        Idler.begun.append(ask.given("board") or "")
        heard((1, 4, "sleeping"))
        try:
            await asyncio.wait_for(self._killed.wait(), int(ask.given("board") or 0) / 100)
        except TimeoutError:
            return Packed.of(PageReply(200, "text/plain", f"slept {ask.given('board')}".encode()))
        raise Gone

    @property
    def seconds(self) -> float:
        return time.monotonic()

    @property
    def pid(self) -> int | None:
        return 1 if self.started else None  # that a process has ended is known a moment later only

    @property
    def memory(self) -> int:
        return Idler.size

    def step_back(self) -> None:
        self.has_stepped_back = True

    def kill(self) -> None:
        self._killed.set()

    async def end(self) -> None:
        self.kill()


@pytest.fixture(autouse=True)
def _nobody_made() -> None:
    Idler.made = Idler.size = 0
    Idler.begun.clear()


def slow(hundredths: int, form: Any = "json") -> Ask:
    """Return what an Idler takes so long for."""
    return Ask("go", read_address("/4x4").board, query=(("board", str(hundredths)),), form=form)


def at_desk(
    work: Callable[[Scheduler], Coroutine[Any, Any, None]], rules: SchedulerRules = QUICK, hire: Any = Idler
) -> None:
    """Do something at a desk, which is closed afterwards."""

    async def whole() -> None:
        desk = Scheduler(rules, hire=hire)
        try:
            await asyncio.wait_for(work(desk), 60)
        finally:
            await desk.close()

    asyncio.run(whole())


def test_small_boards_need_no_process():
    assert is_small(read_address("/3x3/openings"))
    assert is_small(read_address("/3x3+torus/openings.json"))
    assert not is_small(read_address("/3x4/openings"))
    assert not is_small(read_address("/3x3/openings.pdf"))
    assert not is_small(read_address("/whatis", "n=26830"))
    assert not is_small(read_address("/3x3+wild")), "its games are counted in three ways"
    assert not is_small(read_address("/1x9:3/positions")), "a list takes long enough to hold up the thread"

    async def work(desk: Scheduler) -> None:
        packed = await desk.reply(read_address("/3x3/openings.json"))
        assert packed.status == 200
        assert desk.cache.get("/3x3/openings.json") is packed

    at_desk(work)
    assert Idler.made == 0


def test_programs_wait_and_what_is_exact_is_kept():
    async def work(desk: Scheduler) -> None:
        packed = await desk.reply(slow(30))
        assert (packed.status, packed.plain_body()) == (200, b"slept 30")
        assert await desk.reply(slow(30)) is packed
        assert Idler.begun == ["30"]

    at_desk(work)


def test_readers_are_told_how_far_it_is_and_come_back_for_the_answer(monkeypatch):
    monkeypatch.setattr(Pace, "words", "about 9 s left")

    async def work(desk: Scheduler) -> None:
        told = await desk.reply(slow(35, "html"))
        page = told.plain_body().decode()
        assert told.status == 202
        assert '<progress aria-label="Progress" max="4" value="1">25%</progress>' in page
        assert "Sleeping, 25% done" in page
        assert "about 9 s left</strong>" in page
        assert 'id="stop">Stop</a>' in page
        assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in page
        assert not told.exact
        while (told := await desk.reply(slow(35, "html"))).status == 202:
            pass
        assert told.plain_body() == b"slept 35"
        assert Idler.made == 1

    at_desk(work)


class Endless(Idler):
    """A worker that never answers."""

    async def answer(self, ask: Ask, heard: Callable[[State], None]) -> Packed:
        await self._killed.wait()
        raise Gone


def test_a_board_is_shown_at_once_and_what_is_computed_is_waited_for():
    async def work(desk: Scheduler) -> None:
        ask = read_address("/7x7:5")
        first = await desk.reply(ask)
        assert first.status == 202
        waits = asyncio.create_task(desk.reply(read_address("/7x7:5/openings"), waits=True))
        await asyncio.sleep(0.3)
        assert not waits.done()  # a page that replaces another stays for longer
        waits.cancel()
        desk.rules = replace(desk.rules, first=10_000.0, request=0.05)
        assert (await desk.reply(ask)).status == 202
        assert 'aria-label="The board"' in first.plain_body().decode()

    at_desk(work, replace(UNHURRIED, first=0.05, request=10_000.0, patience=10_000.0), Endless)


@pytest.mark.parametrize(
    "spec", ["7x7:5", "5x7:5", "3x3x3", "4x4", "4x4+misere", "5x5+torus", "6x7:4+gravity", "60x60"]
)
def test_a_board_that_is_waited_for_shows_what_the_package_carries(spec):
    board = Board.parse(spec)
    page = unescape(waiting_page(Ask("board", board), None, 0.2, None).body.decode()).replace("<wbr>", "")
    value, game = known_value(Position(board)), board.cells <= DRAWN_CELLS
    assert (value is not None and value[1:] in page) == (value is not None)
    assert page.count('class="lead"') == (value is not None)
    assert page.count('class="cell ') == (board.cells if game else 0)
    carried = [carried_census(Question(board, same), 0.0) for same in SAMENESSES]
    numbers = {f"{each.totals.finished:,}" for each in carried if each and each.totals.finished is not None}
    assert {number for number in numbers if f"<dd>{number}</dd>" in page} == numbers
    assert ("<dd>" in page) == any(carried)


def test_those_who_ask_the_same_share_the_work():
    async def work(desk: Scheduler) -> None:
        found = await asyncio.gather(*(desk.reply(slow(20)) for _ in range(5)))
        assert len({id(each) for each in found}) == 1
        assert Idler.made == 1

    at_desk(work)


def small(hundredths: int, form: Any = "json") -> Ask:
    """Return what an Idler takes so long for, of a small board that needs a worker."""
    ask = Ask("count", read_address("/3x3").board, query=(("board", str(hundredths)),), form=form)
    assert not is_small(ask)
    return ask


async def settled(*tasks: asyncio.Task[Packed]) -> None:
    for each in tasks:
        each.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_one_is_at_work_eight_wait_and_the_rest_come_again():
    async def work(desk: Scheduler) -> None:
        waiting = [asyncio.create_task(desk.reply(small(each))) for each in (30, *range(1, 9))]
        await asyncio.sleep(0.05)
        assert Idler.made == 1
        told = await desk.reply(small(99))
        assert told.status == 503
        assert (b"retry-after", b"5") in told.plain_headers
        assert "1 at work and 8 waiting" in told.plain_body().decode()
        assert [each.status for each in await asyncio.gather(*waiting)] == [200] * 9
        assert Idler.made == 1

    at_desk(work)


def test_long_work_never_delays_short_work():
    async def work(desk: Scheduler) -> None:
        waiting = [asyncio.create_task(desk.reply(slow(ENDLESS + i))) for i in range(20)]
        await asyncio.sleep(0.01)
        for i in range(8):
            began = asyncio.get_running_loop().time()
            assert (await desk.reply(small(5 + i))).status == 200
            assert asyncio.get_running_loop().time() - began < 1
        told = [each.result().status for each in waiting if each.done()]
        assert told == [503] * len(told), "a long one is refused or waits"
        await settled(*waiting)

    at_desk(work, UNHURRIED)


def test_long_work_gives_way_and_begins_again_when_its_turn_comes():
    async def work(desk: Scheduler) -> None:
        first, second = (asyncio.create_task(desk.reply(slow(each))) for each in (25, 26))
        assert [each.status for each in await asyncio.gather(first, second)] == [200, 200]
        assert Idler.begun == ["25", "26", "26"], "the first went on where it was"
        assert all(each.has_stepped_back for each in Idler.all[-3:])

    at_desk(work, replace(UNHURRIED, slice=0.1))


def test_known_short_work_goes_ahead_of_all_else():
    for page in (
        "/1x9:3/crib.json?as=both",
        "/3x3/tree/policy.png",
        "/3x3/tree/full.svg",
        "/3x3/positions.png",
        "/4x4/count",
    ):
        assert not is_short(read_address(*page.split("?"))), page
    assert not is_short(read_address("/3x3/blindfold.json"))
    for page in ("/3x3/count.json", "/1x9:3/count.svg", "/3x3/g/a1-b2.png"):
        assert is_short(read_address(page)), page

    async def work(desk: Scheduler) -> None:
        waiting = [asyncio.create_task(desk.reply(slow(20 + i))) for i in range(4)]
        await asyncio.sleep(0.05)
        await desk.reply(small(1))
        assert Idler.begun == ["20", "1"]
        await settled(*waiting)

    at_desk(work)


def test_each_client_has_a_share():
    async def work(desk: Scheduler) -> None:
        greedy = [asyncio.create_task(desk.reply(slow(20 + i), client="a")) for i in range(9)]
        await asyncio.sleep(0.05)
        assert (await desk.reply(slow(1), client="b")).status == 200
        assert Idler.begun[:2] == ["20", "1"], "the other client waits for one, not for nine"
        assert greedy[-1].done(), "the last of the greedy one made room"
        assert greedy[-1].result().status == 503
        await settled(*greedy)

    at_desk(work)


def test_who_waits_too_long_for_a_turn_is_told():
    async def work(desk: Scheduler) -> None:
        first = asyncio.create_task(desk.reply(slow(ENDLESS)))
        await asyncio.sleep(0.05)
        desk._open.seconds = 0.1
        told = await desk.reply(slow(30))
        assert told.status == 503
        assert not desk._open.queue
        await settled(first)
        desk._open.seconds = 10
        assert (await desk.reply(slow(3))).status == 200, "no place is lost"

    at_desk(work, replace(UNHURRIED, slice=10))


class Starved(Idler):
    """A worker that gets no processor time, as on a machine with much other work."""

    seconds = 0.0


def test_a_slice_is_processor_time() -> None:
    """Where the machine is busy, short work is not ended and begun again."""

    async def work(desk: Scheduler) -> None:
        Idler.made = 0
        assert (await desk.reply(slow(100))).status == 200
        assert (await desk.reply(slow(3))).status == 200
        assert Idler.made == 1

    at_desk(work, replace(UNHURRIED, slice=0.1), Starved)


def test_what_nobody_waits_for_is_ended():
    async def leave() -> None:
        await asyncio.sleep(0.05)

    async def work(desk: Scheduler) -> None:
        with pytest.raises(ReaderGone):
            await desk.reply(slow(ENDLESS), leave)
        told = [asyncio.create_task(desk.reply(slow(10 + i))) for i in range(2)]
        assert [each.status for each in await asyncio.gather(*told)] == [200] * 2
        assert Idler.begun == [str(ENDLESS), "10", "11"]

    at_desk(work, UNHURRIED)


def test_what_takes_too_long_is_refused_with_the_command():
    async def work(desk: Scheduler) -> None:
        ask = read_address("/4x4/openings.json")
        worker = slow(5000)
        packed = await desk.reply(replace(ask, query=worker.query))
        assert packed.status == 422
        sentence = packed.plain_body().decode()
        assert "this takes more than 0.3 s" in sentence
        assert "noughts openings 4x4:4" in sentence
        assert (await desk.reply(replace(ask, query=worker.query))).status == 422
        assert len(Idler.begun) == 1, "it is remembered"

    at_desk(work, replace(QUICK, long=Limits(2**30, 0.3)))


def test_what_takes_too_much_memory_is_refused():
    Idler.size = 2**31

    async def work(desk: Scheduler) -> None:
        packed = await desk.reply(slow(5000))
        assert packed.status == 422
        assert "more than 1.07 GB" in packed.plain_body().decode()

    at_desk(work)


def test_a_worker_that_has_grown_is_replaced_and_one_without_work_ends():
    async def work(desk: Scheduler) -> None:
        Idler.size = 2**28
        await desk.reply(slow(3))
        await desk.reply(slow(4))
        assert Idler.made == 2
        Idler.size = 0
        await desk.reply(slow(5))
        await desk.reply(slow(6))
        assert Idler.made == 3
        await asyncio.sleep(0.5)
        await desk.reply(slow(7))
        assert Idler.made == 4

    at_desk(work)


def test_work_that_needs_much_memory_goes_where_long_work_goes():
    """In the lane for long work it goes on; while that lane is taken, it begins again when its turn comes."""

    async def work(desk: Scheduler) -> None:
        first = asyncio.create_task(desk.reply(slow(ENDLESS)))
        Idler.size = desk.rules.lean + 1
        while desk._long.free:
            await asyncio.sleep(0.01)
        second = asyncio.create_task(desk.reply(slow(20)))
        while not desk._long.queue:
            await asyncio.sleep(0.01)
        assert Idler.begun == [str(ENDLESS), "20"]
        await settled(first)
        assert (await second).status == 200
        assert Idler.begun == [str(ENDLESS), "20", "20"]

    at_desk(work, replace(UNHURRIED, slice=10_000.0))


def test_a_worker_that_crashes_is_told_and_replaced():
    async def work(desk: Scheduler) -> None:
        asked = asyncio.create_task(desk.reply(slow(5000)))
        await asyncio.sleep(0.05)
        Idler.all[-1].kill()
        assert (await asked).status == 500
        assert (await desk.reply(slow(3))).status == 200

    at_desk(work)


def test_a_nursery_that_has_ended_is_replaced():
    async def work(desk: Scheduler) -> None:
        assert (await desk.reply(read_address("/2x5:2/openings.json"))).status == 200
        first = desk._nursery._process
        assert first is not None
        first.kill()
        await first.wait()
        desk.rules = replace(desk.rules, heavy=0)
        replies = [await desk.reply(read_address(f"/2x{side}:2/openings.json")) for side in (6, 7)]
        assert [each.status for each in replies] == [200, 200]
        assert desk._nursery._process is not first

    at_desk(work, replace(RULES, look=0.05), None)


def test_who_waits_while_the_desk_closes_is_told():
    async def work() -> None:
        desk = Scheduler(QUICK, hire=Idler)
        asked = asyncio.create_task(desk.reply(slow(5000)))
        await asyncio.sleep(0.05)
        await desk.close()
        assert (await asked).status == 503
        for ask in (slow(1), read_address("/3x3/openings")):
            with pytest.raises(Busy, match="the server is closing"):
                await desk.reply(ask)

    asyncio.run(work())


def test_no_more_is_kept_than_there_is_room_for():
    kept: ReplyCache = ReplyCache(100_000)
    for i in range(100):
        kept.put(str(i), Packed.of(PageReply(200, "image/png", bytes(4000))))
        assert kept.size <= 100_000
        kept.get("0")
    assert kept.get("0") is not None
    assert kept.get("1") is None
    assert kept.get("99") is not None
    kept.put("large", Packed.of(PageReply(200, "image/png", bytes(50_000))))
    assert kept.get("large") is None


@pytest.mark.parametrize("body", [b"", b"x" * 599, bytes(300_000), random.Random(5).randbytes(200_000)])
@pytest.mark.parametrize("media", ["text/plain", "image/png"])
def test_a_reply_is_sent_in_pieces_that_are_its_body(body, media):
    packed = Packed.of(PageReply(200, media, body))
    assert packed.plain_body() == body
    assert b"".join(packed.pieces(compressed=True)) == packed.body
    assert max(map(len, packed.pieces()), default=0) <= 2**16
    assert gzip.decompress(packed.body) == body if packed.is_compressed else packed.body == body


def alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]


@pytest.mark.parametrize("hire", [Worker, None], ids=["alone", "forked"])
def test_a_real_process_answers_is_ended_and_leaves_nothing(hire):
    pids: list[int] = []

    async def work(desk: Scheduler) -> None:
        packed = await desk.reply(read_address("/2x5:2/openings.json"))
        assert packed.status == 200
        assert b'"board": "2x5:2"' in packed.plain_body()
        pids.append(desk._open.idle[0][0].pid or 0)
        assert alive(pids[0])
        patient, desk.rules = desk.rules, replace(desk.rules, long=Limits(2**30, 0.7))
        asked = asyncio.create_task(desk.reply(read_address("/6x6:4/openings.json")))
        await asyncio.sleep(0.3)
        assert (await asked).status == 422
        assert not alive(pids[0])
        desk.rules = patient
        assert (await desk.reply(read_address("/2x6:2/openings.json"))).status == 200
        pids.append(desk._open.idle[0][0].pid or 0)

    at_desk(work, replace(RULES, long=Limits(2**30, 50.0), look=0.05, heavy=2**30), hire)
    assert len(set(pids)) == 2
    assert os.getpid() not in pids
    assert not any(alive(pid) for pid in pids)
