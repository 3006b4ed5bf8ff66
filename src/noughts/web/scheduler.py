"""The scheduler: it makes small replies in a thread, the rest in worker processes, all within limits.

The event loop only waits. Long work continues while a reader waits for it.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import nullcontext
from functools import partial
from math import inf
from typing import Any

from noughts.machine.budget import format_duration, format_size
from noughts.machine.workers import own_thread
from noughts.rules.errors import BudgetError
from noughts.web.addresses import address, command_of
from noughts.web.links import ServerLinks
from noughts.web.render import render
from noughts.web.replies import Packed, ReplyCache, failure, mistake, packed_answer
from noughts.web.request import LONG, MEDIA, RULES, SMALL_BOARD, Ask, Busy, PageReply, ReaderGone, SchedulerRules
from noughts.web.worker_pool import Gone, State, Worker

_SMALL_KINDS = ("start", "go", "api", "board", "position", "game", "openings", "endings", "positions", "play")
_SMALL_FORMS = ("html", "json", "svg", "csv", "md", "txt")
_CLOSING = "the server is closing"
_LEFT = "the work was stopped because no reader was waiting for it: ask again"
_SOUGHT = {
    "board": "who wins, and how many games there are",
    "position": "what happens after each move",
    "game": "who wins after each move",
    "play": "how the game can go on",
    "count": "how many games there are",
    "openings": "the value of each first move and each reply",
    "tree": "how the moves branch",
    "patterns": "which full boards have no line",
    "endings": "how a game can end",
    "positions": "which boards can come up in a game",
    "blindfold": "what a player can achieve without seeing the board",
}
"""What the server computes for each kind of page, in words for children."""


def is_small(ask: Ask) -> bool:
    """Tell whether this takes only milliseconds, so that a thread can do it."""
    small = ask.board is None or ask.board.cells <= SMALL_BOARD
    solves = ask.page == "play" and ask.given("as") == "sighted"
    return small and ask.page in _SMALL_KINDS and ask.form in _SMALL_FORMS and not solves


def is_light(ask: Ask) -> bool:
    """Tell whether work is for a small board, so that it does not wait for large ones."""
    if ask.board is None:
        return not (ask.page == "whatis" and ask.given("board"))
    return ask.board.cells <= SMALL_BOARD


class Job:
    """Work for a worker process. `done` is a future for the reply.

    `long` is done when the work exceeds the memory of a request. `waiting` counts the requests that wait for
    it, `polled` is when a page last polled its progress, `started` when the work began.
    """

    def __init__(self, ask: Ask) -> None:
        loop = asyncio.get_running_loop()
        self.ask, self.key, self.is_light = ask, address(ask), is_light(ask)
        self.done: asyncio.Future[Packed] = loop.create_future()
        self.long: asyncio.Future[None] = loop.create_future()
        self.waiting, self.polled = 0, -inf
        self.started: float | None = None
        self.state: State | None = None
        self.task: asyncio.Task[Packed] | None = None

    def hear(self, state: State) -> None:
        """Record the progress of the work."""
        self.state = state

    @property
    def seconds(self) -> float:
        """How long the work has taken, 0 before it begins."""
        return 0.0 if self.started is None else time.monotonic() - self.started


class Scheduler:
    """Gives replies: small ones from a thread, the rest from worker processes. Needs an event loop.

    The event loop only waits. `hire` creates a worker.
    """

    def __init__(
        self, rules: SchedulerRules = RULES, cache: ReplyCache | None = None, hire: Callable[[], Worker] = Worker
    ) -> None:
        self.rules = rules
        self.cache: ReplyCache = ReplyCache(rules.cache) if cache is None else cache
        self._hire = hire
        self._thread = own_thread("noughts-small")
        self._jobs: dict[str, Job] = {}
        self._idle: list[tuple[Worker, asyncio.TimerHandle]] = []
        self._turns, self._large_turns = asyncio.Semaphore(rules.workers), asyncio.Semaphore(rules.large_workers)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_closed = False

    async def reply(self, ask: Ask, gone: Callable[[], Coroutine[Any, Any, None]] | None = None) -> Packed:
        """Return the reply to a request; for a page that takes long, a page about its progress.

        Programs wait for their data. `gone` returns when the reader has disconnected: then the work ends if no other
        reader waits for it. Raises Busy if the queue is full or the scheduler closed, and ReaderGone.
        """
        if self._is_closed:
            raise Busy(_CLOSING)
        found = self.cache.get(address(ask))
        if found is not None:
            return found
        if is_small(ask):
            return await self._small(ask)
        return await self._wait(self._job(ask), gone)

    async def _small(self, ask: Ask) -> Packed:
        try:
            packed = await asyncio.get_running_loop().run_in_executor(self._thread, packed_answer, ask)
        except asyncio.CancelledError:
            if self._is_closed:
                raise Busy(_CLOSING) from None
            raise
        self._keep(address(ask), packed)
        return packed

    def _keep(self, key: str, packed: Packed) -> None:
        if packed.exact and packed.status == 200:
            self.cache.put(key, packed)

    def _job(self, ask: Ask) -> Job:
        """Return the job for this request, a new one if there is none."""
        job = self._jobs.get(address(ask))
        if job is None:
            job = Job(ask)
            self._require_room(job)
            self._jobs[job.key] = job
            job.task = asyncio.create_task(self._run(job))
            job.task.add_done_callback(partial(self._finish, job))
            self._tasks.add(job.task)
        return job

    def _require_room(self, job: Job) -> None:
        rules, there = self.rules, [each for each in self._jobs.values() if not each.done.done()]
        large = sum(not each.is_light for each in there)
        is_full_for_large = large >= rules.large_workers + rules.large_queue
        if len(there) >= rules.workers + rules.queue or (is_full_for_large and not job.is_light):
            at_work = sum(each.started is not None for each in there)
            raise Busy(
                f"the server is busy, {at_work} at work and {len(there) - at_work} waiting: try again "
                f"in some seconds, or run {command_of(job.ask) or 'noughts --help'}"
            )

    async def _wait(self, job: Job, gone: Callable[[], Coroutine[Any, Any, None]] | None) -> Packed:
        is_page = job.ask.form == "html"
        leaving = asyncio.create_task(gone()) if gone is not None else None
        ends: set[asyncio.Future[Any]] = {job.done, *([leaving] if leaving else []), *([job.long] if is_page else [])}
        job.waiting += 1
        try:
            seconds = self.rules.request.seconds if is_page else None
            await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if job.done.done():
                return job.done.result()
            if leaving is not None and leaving.done():
                raise ReaderGone
            job.polled = time.monotonic()
            asyncio.get_running_loop().call_later(self.rules.patience * 1.01, self._end_if_left, job)
            return Packed.of(waiting_page(job.ask, job.state, job.seconds, self._place(job)), framed=job.ask.framed)
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

    def _place(self, job: Job) -> int | None:
        """Return the place in the queue; None after the start of the work."""
        queue = [each for each in self._jobs.values() if each.started is None and each.is_light == job.is_light]
        return queue.index(job) + 1 if job in queue else None

    async def _run(self, job: Job) -> Packed:
        """Do the work when its turn comes; large boards never occupy every worker."""
        async with nullcontext() if job.is_light else self._large_turns, self._turns:
            job.started = time.monotonic()
            return await self._made(job)

    def _finish(self, job: Job, task: asyncio.Task[Packed]) -> None:
        """Give out the reply, and hold it for readers who return for it or repeat a request that costs too much."""
        self._tasks.discard(task)
        packed = Packed.of(failure(Busy(_CLOSING if self._is_closed else _LEFT), job.ask))
        if not task.cancelled():
            packed = task.result()
            self._keep(job.key, packed)
        job.done.set_result(packed)
        seconds = self.rules.refused if packed.status == 422 else self.rules.patience if job.polled > 0 else 0.0
        asyncio.get_running_loop().call_later(seconds, self._forget, job)

    async def _made(self, job: Job) -> Packed:
        """Return a worker's reply; replace a worker that ended while it was idle."""
        is_new = False
        while not is_new:
            is_new = not self._idle
            worker = self._hire() if is_new else self._rouse()
            try:
                return await self._watched(job, worker)
            except Gone:
                print(f"noughts: a worker process ended while it made {job.key}", file=sys.stderr)
        return Packed.of(mistake(job.ask))

    async def _watched(self, job: Job, worker: Worker) -> Packed:
        """Return a worker's reply; end the worker if the work costs too much, and reply that. Raises Gone."""
        work = asyncio.create_task(worker.answer(job.ask, job.hear))
        is_well = False
        try:
            while not work.done():
                await asyncio.wait([work], timeout=self.rules.look)
                excess = None if work.done() else self._excess(job, worker.memory)
                if excess is not None:
                    return Packed.of(_too_long(job.ask, excess))
            packed: Packed = work.result()
            is_well = worker.memory <= self.rules.heavy
            return packed
        finally:
            work.cancel()
            if is_well:
                tired = asyncio.get_running_loop().call_later(self.rules.idle, self._dismiss, worker)
                self._idle.append((worker, tired))
            else:
                await worker.end()

    def _excess(self, job: Job, memory: int) -> str | None:
        """Return the exceeded limit in words, None if there is none; note when a request's memory is exceeded."""
        long = self.rules.long
        if memory > self.rules.request.memory and not job.long.done():
            job.long.set_result(None)
        if job.seconds > long.seconds:
            return format_duration(long.seconds)
        return format_size(int(long.memory)) if memory > long.memory else None

    def _rouse(self) -> Worker:
        worker, tired = self._idle.pop()
        tired.cancel()
        return worker

    def _dismiss(self, worker: Worker) -> None:
        """End a worker that was idle for a long time."""
        self._idle = [each for each in self._idle if each[0] is not worker]
        task = asyncio.create_task(worker.end())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End all work and all processes; waiting readers receive a reply that says so."""
        self._is_closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)
        for task in list(self._tasks):
            task.cancel()
        ends = [self._rouse().end() for _ in list(self._idle)]
        await asyncio.gather(*ends, *self._tasks, return_exceptions=True)


def waiting_page(ask: Ask, state: State | None, seconds: float, place: int | None) -> PageReply:
    """Return the page about the progress of the work: `place` is its place in the queue, None after its start."""
    done, whole, what = state or (0, 0, "")
    context = {
        "sought": _SOUGHT.get(ask.page, ""),
        "board": ask.board,
        "place": place,
        "time": format_duration(round(seconds)) if seconds >= 1 else "",
        "bound": format_duration(LONG.seconds),
        "doing": f"{what[:1].upper()}{what[1:]}",
        "page": f"{ask.board}: the {ask.page} page" if ask.board else "The page",
        "done": done,
        "whole": whole,
        "share": f"{100 * done // whole}%" if whole else "",
    }
    page = render("waiting.html", "Working on it", context, ServerLinks(ask), command_of(ask))
    return PageReply(202, MEDIA["html"], page.encode(), exact=False, headers={"retry-after": "1"})


def _too_long(ask: Ask, what: str) -> PageReply:
    command = command_of(ask)
    there = f"; without a limit on your own machine: {command}" if command and ask.form != "html" else ""
    return failure(BudgetError(f"this takes more than {what}, the limit of a page{there}"), ask)
