"""The scheduler: it makes small replies in a thread, the rest in worker processes, all within limits.

The event loop only waits. Long work continues while a reader waits for it.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any

from noughts.machine.budget import format_duration, format_size
from noughts.machine.workers import Pace, in_words, own_thread
from noughts.rules.errors import BudgetError
from noughts.web.addresses import address, command_of
from noughts.web.kinds import KINDS
from noughts.web.links import ServerLinks
from noughts.web.render import render
from noughts.web.replies import Packed, ReplyCache, failure, mistake, packed_answer
from noughts.web.request import LONG, MEDIA, RETRY, RULES, SMALL_BOARD, Ask, Busy, PageReply, ReaderGone, SchedulerRules
from noughts.web.worker_pool import Gone, Nursery, State, Worker

_SMALL_KINDS = ("start", "go", "api", "board", "position", "game", "openings", "play")
_SMALL_FORMS = ("html", "json", "svg", "csv", "md", "txt")
_UNKNOWN = ("crib", "blindfold", "tree")
"""Kinds of page whose cost on small boards is not known beforehand."""
_CLOSING = "the server is closing"
_LEFT = "the work was stopped because no reader was waiting for it: ask again"
_SOUGHT = {
    "board": "what each first move does, and how many games there are",
    "position": "what happens after each move",
    "game": "who wins after each move",
    "play": "how the game can go on",
    "count": "how many games there are",
    "openings": "the value of each first move and each reply",
    "tree": "how the moves branch",
    "match": "how often each player wins",
    "rules": "how the games of each rule end",
    "patterns": "which full boards have no line",
    "endings": "how a game can end",
    "positions": "which boards can come up in a game",
    "blindfold": "what a player can achieve without seeing the board",
    "crib": "the fewest boards that a player needs to know",
    "menace": "which boards need a matchbox",
    "puzzles": "positions with one right move",
    "sheets": "exercises and their answers",
    "same": "whether both are the same",
}
"""What the server computes for each kind of page, in words for children."""


def is_small(ask: Ask) -> bool:
    """Tell whether this takes only milliseconds, so that a thread can do it."""
    small = ask.board is None or ask.board.cells <= SMALL_BOARD
    solves = ask.page == "play" and ask.given("as") == "sighted"
    counts = ask.page == "board" and ask.board is not None and ask.board.rules.chooses_mark  # takes half a second
    return small and ask.page in _SMALL_KINDS and ask.form in _SMALL_FORMS and not solves and not counts


def is_short(ask: Ask) -> bool:
    """Tell whether work is known to take milliseconds, so that it goes ahead of all whose cost is not known."""
    if ask.board is None:
        return not (ask.page == "whatis" and ask.given("board"))
    is_drawn = ask.form not in _SMALL_FORMS and ask.page not in ("position", "game")
    return ask.board.cells <= SMALL_BOARD and ask.page not in _UNKNOWN and not is_drawn


class Job:
    """Work for a worker process, for the `client` who asked first. `done` is a future for the reply.

    `waiting` counts the requests that wait for it, `polled` is when a page last polled its progress, `started` when
    the work began, `heard` the worker's processor time when it was ready for it. `before` counts the client's other
    jobs of its kind, so that clients take turns.
    """

    def __init__(self, ask: Ask, client: str = "") -> None:
        loop = asyncio.get_running_loop()
        self.ask, self.key, self.client, self.is_short = ask, address(ask), client, is_short(ask)
        self.done: asyncio.Future[Packed] = loop.create_future()
        self.turn: asyncio.Future[None] = loop.create_future()
        self.waiting, self.polled, self.before, self.memory = 0, -inf, 0, 0
        self.started: float | None = None
        self.heard: float | None = None
        self.state: State | None = None
        self.pace = Pace()
        self.task: asyncio.Task[Packed] | None = None
        self.lane: Lane | None = None

    def hear(self, worker: Worker, state: State) -> None:
        """Record the progress of the work."""
        self.heard, self.state = worker.seconds if self.heard is None else self.heard, state
        self.pace.hear(*state[:2])

    @property
    def seconds(self) -> float:
        """How long the work has taken, 0 before it begins."""
        return 0.0 if self.started is None else time.monotonic() - self.started

    def begin(self) -> None:
        """Note that the work begins."""
        self.started, self.heard, self.state, self.pace = time.monotonic(), None, None, Pace()

    def is_over(self, worker: Worker, seconds: float) -> bool:
        """Tell whether the worker has used more processor time than that; its own start does not count."""
        return self.heard is not None and worker.seconds - self.heard > seconds


class Lane:
    """Places for work, and the queue for them: short work first, then each client in turn, then as they came.

    While a place is free, no work waits. `idle` are workers without work, each with the timer that ends it.
    """

    def __init__(self, places: int, room: int, seconds: float) -> None:
        self.free, self.room, self.seconds = places, room, seconds
        self.places, self.queue = places, list[Job]()
        self.idle: list[tuple[Worker, asyncio.TimerHandle]] = []

    async def take(self, job: Job) -> None:
        """Wait for a place. Raises Busy if the queue is full of work that goes ahead, or the wait takes too long."""
        job.lane, job.started = self, None
        if self.free:
            self.free -= 1
            return
        job.turn = asyncio.get_running_loop().create_future()
        self.queue.append(job)
        self.queue.sort(key=lambda each: (not each.is_short, each.before))
        if len(self.queue) > self.room:
            last = self.queue.pop()
            last.turn.set_exception(self._busy(last))
        try:
            async with asyncio.timeout(self.seconds):
                await job.turn
        except (TimeoutError, asyncio.CancelledError) as error:
            if job.turn.done() and not job.turn.cancelled() and job.turn.exception() is None:
                self.give()
            raise (self._busy(job) if isinstance(error, TimeoutError) else error) from None
        finally:
            if job in self.queue:
                self.queue.remove(job)

    def give(self) -> None:
        """Give a place to the next in the queue."""
        while self.queue:
            turn = self.queue.pop(0).turn
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1

    def _busy(self, job: Job) -> Busy:
        return Busy(
            f"the server is busy, {self.places - self.free} at work and {len(self.queue)} waiting: try again "
            f"in some seconds, or run {command_of(job.ask) or 'noughts --help'}"
        )


class Scheduler:
    """Gives replies: small ones from a thread, the rest from worker processes. Needs an event loop.

    Work that is known to be short has a lane of its own; other work begins in the open lane. What exceeds its slice
    goes on in the long lane if a place is free there; else its worker ends, and it begins again when its turn comes.
    So long work never delays short work. `hire` creates a worker, by default from a nursery.
    """

    def __init__(
        self, rules: SchedulerRules = RULES, cache: ReplyCache | None = None, hire: Callable[[], Worker] | None = None
    ) -> None:
        self.rules = rules
        self.cache: ReplyCache = ReplyCache(rules.cache) if cache is None else cache
        self._nursery = Nursery()
        self._hire = hire or (partial(Worker, self._nursery) if Nursery.is_possible else Worker)
        self._thread = own_thread("noughts-small")
        self._jobs: dict[str, Job] = {}
        self._short, self._open, self._long = (Lane(1, rules.queue, rules.long.seconds) for _ in range(3))
        self._tasks: set[asyncio.Task[Any]] = set()
        self._ends: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def reply(
        self,
        ask: Ask,
        gone: Callable[[], Coroutine[Any, Any, None]] | None = None,
        client: str = "",
        *,
        waits: bool = False,
    ) -> Packed:
        """Return the reply to a request of a client; for a page that takes long, a page about its progress.

        `waits`: not at once. Programs wait for their data. `gone` returns when the reader has disconnected: then the
        work ends if no other reader waits for it. Raises Busy if the queue is full or the scheduler closed, and
        ReaderGone.
        """
        if self._is_closed:
            raise Busy(_CLOSING)
        found = self.cache.get(address(ask))
        if found is not None:
            return found
        if is_small(ask):
            return await self._small(ask)
        return await self._wait(self._job(ask, client), gone, waits)

    async def _small(self, ask: Ask) -> Packed:
        packed = await self._in_thread(partial(packed_answer, ask))
        self._keep(address(ask), packed)
        return packed

    async def _in_thread(self, make: Callable[[], Packed]) -> Packed:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, make)
        except (asyncio.CancelledError, RuntimeError):
            if self._is_closed:
                raise Busy(_CLOSING) from None
            raise

    def _keep(self, key: str, packed: Packed) -> None:
        if packed.exact and packed.status == 200:
            self.cache.put(key, packed)

    def _job(self, ask: Ask, client: str) -> Job:
        """Return the job for this request, a new one if there is none."""
        job = self._jobs.get(address(ask))
        if job is None:
            job = Job(ask, client)
            job.before = sum(
                each.client == client and each.is_short == job.is_short and not each.done.done()
                for each in self._jobs.values()
            )
            self._jobs[job.key] = job
            job.task = asyncio.create_task(self._run(job))
            job.task.add_done_callback(partial(self._finish, job))
            self._tasks.add(job.task)
            if not job.is_short:
                self.ready()
        return job

    async def _wait(self, job: Job, gone: Callable[[], Coroutine[Any, Any, None]] | None, waits: bool) -> Packed:
        is_page = job.ask.form == "html"
        leaving = asyncio.create_task(gone()) if gone is not None else None
        ends: set[asyncio.Future[Any]] = {job.done, *([leaving] if leaving else [])}
        job.waiting += 1
        try:
            seconds = (self.rules.first if job.polled < 0 and not waits else self.rules.request) if is_page else None
            await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if job.done.done():
                return job.done.result()
            if leaving is not None and leaving.done():
                raise ReaderGone
            job.polled = time.monotonic()
            asyncio.get_running_loop().call_later(self.rules.patience * 1.01, self._end_if_left, job)
            make = partial(waiting_page, job.ask, job.state, job.seconds, _place(job), job.pace.words, job.memory)
            return await self._in_thread(lambda: Packed.of(make(), framed=job.ask.framed))
        finally:
            job.waiting -= 1
            if leaving is not None:
                leaving.cancel()
            self._end_if_left(job)

    def _end_if_left(self, job: Job) -> None:
        """End work for which no reader waits any longer."""
        is_left = not job.waiting and time.monotonic() - job.polled > self.rules.patience
        if is_left and not job.done.done() and job.task is not None:
            self._forget(job)
            job.task.cancel()

    def _forget(self, job: Job) -> None:
        """Let the next request for the same page start a new job."""
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]

    async def _run(self, job: Job) -> Packed:
        """Do the work when its turn comes: first in its lane, then in the long one if it exceeds its slice."""
        for lane in (self._short if job.is_short else self._open, self._long):
            await lane.take(job)
            try:
                packed = await self._made(job)
            finally:
                (job.lane or lane).give()
                self.ready()
            if packed is not None:
                return packed
        raise AssertionError("work in the long lane has a reply")

    def _finish(self, job: Job, task: asyncio.Task[Packed]) -> None:
        """Give out the reply, and hold it for readers who return for it or repeat a request that costs too much."""
        self._tasks.discard(task)
        error = Busy(_CLOSING if self._is_closed else _LEFT) if task.cancelled() else task.exception()
        if isinstance(error, Busy):
            packed = Packed.of(failure(error, job.ask), framed=job.ask.framed, more={"retry-after": str(RETRY)})
        else:
            packed = task.result()
            self._keep(job.key, packed)
        job.done.set_result(packed)
        seconds = self.rules.refused if packed.status == 422 else self.rules.patience if job.polled > 0 else 0.0
        asyncio.get_running_loop().call_later(seconds, self._forget, job)

    async def _made(self, job: Job) -> Packed | None:
        """Return a worker's reply, None if the slice is over; replace a worker that ended while it was idle."""
        is_new = False
        while not is_new:
            idle = job.lane.idle if job.lane else []
            is_new = not idle
            worker = self._hire() if is_new else _rouse(idle)
            try:
                return await self._watched(job, worker)
            except Gone:
                print(f"noughts: a worker process ended while it made {job.key}", file=sys.stderr)
        return Packed.of(mistake(job.ask), framed=job.ask.framed)

    async def _watched(self, job: Job, worker: Worker) -> Packed | None:
        """Return a worker's reply, or that the work costs too much; None if the slice is over. Raises Gone.

        The worker is kept only if it has replied within the slice.
        """
        job.begin()
        work = asyncio.create_task(worker.answer(job.ask, partial(job.hear, worker)))
        is_well = False
        try:
            while not work.done():
                await asyncio.wait([work], timeout=self.rules.look)
                if work.done():
                    break
                memory = job.memory = worker.memory
                if (excess := self._excess(job, memory)) is not None:
                    return Packed.of(_too_long(job.ask, excess), framed=job.ask.framed)
                is_long = memory > self.rules.lean or job.is_over(worker, self.rules.slice)
                if job.lane is not self._long and is_long and not self._moved(job):
                    return None
                if job.lane is not self._short:
                    worker.step_back()
            packed: Packed = work.result()
            is_well = job.lane is not self._long and worker.memory <= self.rules.heavy
            return packed
        finally:
            work.cancel()
            if is_well and job.lane is not None:
                self._rest(worker, job.lane)
            else:
                await asyncio.shield(self._end(worker, work))

    def _moved(self, job: Job) -> bool:
        """Move work with its worker to the long lane if a place is free there; tell whether it is."""
        if not self._long.free:
            return False
        self._long.free -= 1
        if job.lane is not None:
            job.lane.give()
        job.lane = self._long
        return True

    def _excess(self, job: Job, memory: int) -> str | None:
        """Return the exceeded limit in words, None if there is none."""
        long = self.rules.long
        if job.seconds > long.seconds:
            return format_duration(long.seconds)
        return format_size(int(long.memory)) if memory > long.memory else None

    def ready(self) -> None:
        """Start a worker for short work, unless there is one."""
        if self._short.free and not self._short.idle and not self._is_closed:
            worker = self._hire()
            worker.start()
            self._rest(worker, self._short)

    async def made_ready(self) -> None:
        """Return when a worker for short work has loaded what it needs, or has failed to start."""
        self.ready()
        with suppress(OSError, asyncio.IncompleteReadError):
            for worker, _ in self._short.idle[:1]:
                await asyncio.shield(worker.start())

    def _rest(self, worker: Worker, lane: Lane) -> None:
        """Keep a worker without work for some time."""
        tired = asyncio.get_running_loop().call_later(self.rules.idle, self._dismiss, lane.idle)
        lane.idle.append((worker, tired))

    def _dismiss(self, idle: list[tuple[Worker, asyncio.TimerHandle]]) -> None:
        """End a worker that was idle for a long time."""
        self._end(idle.pop(0)[0])
        if any(not job.done.done() for job in self._jobs.values()):
            self.ready()

    def _end(self, worker: Worker, *work: asyncio.Task[Any]) -> asyncio.Task[None]:
        """End a worker as soon as its work has been cancelled; nothing interrupts that."""

        async def end() -> None:
            await asyncio.gather(*work, return_exceptions=True)
            await worker.end()

        task = asyncio.create_task(end())
        self._ends.add(task)
        task.add_done_callback(self._ends.discard)
        return task

    async def close(self) -> None:
        """End all work and all processes; waiting readers receive a reply that says so."""
        self._is_closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)
        for task in list(self._tasks):
            task.cancel()
        lanes = (self._short, self._open, self._long)
        for lane in lanes:
            while lane.idle:
                self._end(_rouse(lane.idle))
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*self._ends, return_exceptions=True)
        await self._nursery.end()


def _rouse(idle: list[tuple[Worker, asyncio.TimerHandle]]) -> Worker:
    worker, tired = idle.pop()
    tired.cancel()
    return worker


def _place(job: Job) -> int | None:
    """Return the place in the queue; None after the start of the work."""
    queue = job.lane.queue if job.lane else []
    return queue.index(job) + 1 if job in queue else None


def waiting_page(
    ask: Ask, state: State | None, seconds: float, place: int | None, left: str = "", memory: int = 0
) -> PageReply:
    """Return a page without what is still computed, with the progress of that and what it costs.

    `place` is its place in the queue, None after its start.
    """
    done, whole, what = state or (0, 0, "")
    links = ServerLinks(ask)
    context: dict[str, Any] = {
        "sought": _SOUGHT.get(ask.page, ""),
        "board": ask.board,
        "place": place,
        "cost": " and ".join(
            ([in_words(seconds)] if seconds >= 1 else []) + ([format_size(memory)] if memory > 2**20 else [])
        ),
        "bound": format_duration(LONG.seconds),
        "doing": f"{what[:1].upper()}{what[1:]}",
        "stop": links.home() if ask.board is None or ask.page == "board" else links.board(ask.board),
        "done": done,
        "whole": whole,
        "share": f"{100 * done // whole}%" if whole else "",
        "left": left,
        "view": None,
        "known": "",
        "facts": (),
    }
    if ask.board is not None:
        from noughts.web.pages.board import outline

        context |= outline(ask, links)
    title = f"{ask.board}" if ask.page == "board" else KINDS[ask.page].title
    page = render("waiting.html", title, context, links, command_of(ask))
    return PageReply(202, MEDIA["html"], page.encode(), exact=False, headers={"retry-after": "1"})


def _too_long(ask: Ask, what: str) -> PageReply:
    command = command_of(ask)
    there = f"; without a limit on your own machine: {command}" if command and ask.form != "html" else ""
    return failure(BudgetError(f"this takes more than {what}, the limit of a page{there}"), ask)
