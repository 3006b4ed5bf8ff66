"""A piece of work for a worker process: what is asked, since when, how far it is, and who waits for it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine
from typing import Any

from noughts.machine.budget import format_duration, format_size
from noughts.machine.workers import own_thread
from noughts.rules.errors import BudgetError
from noughts.web.addresses import address, command_of
from noughts.web.links import ServerLinks
from noughts.web.render import render
from noughts.web.replies import Kept, Packed, failure, mistake, safe_answer
from noughts.web.request import DESK, LONG, MEDIA, SMALL_BOARD, Ask, Busy, DeskRules, PageReply, ReaderGone
from noughts.web.worker_pool import Gone, State, Worker


class Job:
    """Work under way. Made within a running event loop.

    `is_light` tells the lane: work of small boards is not to wait for that of large ones. `done` is the reply when it
    is there; `long` is done when the work has taken more memory than a request may. `verdict` is the reply where it
    is ended from outside.
    """

    def __init__(self, key: str, ask: Ask) -> None:
        loop = asyncio.get_running_loop()
        self.key = key
        self.ask = ask
        self.is_light = _is_light(ask)
        self.done: asyncio.Future[Packed] = loop.create_future()
        self.long: asyncio.Future[None] = loop.create_future()
        self.waiting = 0
        self.asked = 0.0
        self.state: State | None = None
        self.verdict: PageReply | None = None
        self._started: float | None = None

    def start(self) -> None:
        """Take note that the work begins."""
        self._started = time.monotonic()

    def hear(self, state: State) -> None:
        """Take note of how far the work is."""
        self.state = state

    @property
    def seconds(self) -> float:
        """How long the work has taken, 0 before it begins."""
        return 0.0 if self._started is None else time.monotonic() - self._started

    def is_left(self, now: float, patience: float) -> bool:
        """Tell whether nobody waits, and nobody has asked about the progress for so many seconds."""
        return not self.waiting and now - self.asked > patience


def _is_light(ask: Ask) -> bool:
    if ask.board is None:
        return not (ask.page == "whatis" and ask.given("board"))
    return ask.board.cells <= SMALL_BOARD


# The page that a reader sees while long work is under way: how far it is, and the command that does it locally.

_SOUGHT = {
    "board": "who wins, and how many games there are",
    "position": "what happens after each move",
    "game": "who wins after each move",
    "play": "how the game can go on",
    "count": "how many games there are",
    "openings": "what each first move and each reply is worth",
    "tree": "how the moves branch",
    "patterns": "which full boards have no line",
    "endings": "how a game can end",
    "positions": "which boards can come up in a game",
    "blindfold": "what can be done without seeing the board",
}
"""What a page is worked out for, so that a child can follow it."""


def waiting(ask: Ask, state: State | None, seconds: float, place: int | None) -> PageReply:
    """Return the page: `place` is the place in the queue, None where the work has begun `seconds` ago."""
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


# Where the server's work is done: small things in a thread, the rest in worker processes, with a bound on everything.
#
# The event loop only waits. What costs more than a request may is a job that goes on while somebody waits for it.

_SMALL_KINDS = ("start", "go", "api", "board", "position", "game", "openings", "endings", "positions", "play")
_CLOSING = "the server is closing"
_SMALL_FORMS = ("html", "json", "svg", "csv", "md", "txt")


def is_small(ask: Ask) -> bool:
    """Tell whether this is surely done within milliseconds, so that it needs no process of its own."""
    small = ask.board is None or ask.board.cells <= SMALL_BOARD
    solves = ask.page == "play" and ask.given("as") == "sighted"
    return small and ask.page in _SMALL_KINDS and ask.form in _SMALL_FORMS and not solves


class WorkDesk:
    """Takes what is asked and gives replies. Made within a running event loop, and closed. `hire` makes a worker."""

    def __init__(
        self, rules: DeskRules = DESK, kept: Kept[str] | None = None, hire: Callable[[], Worker] = Worker
    ) -> None:
        self.rules = rules
        self.kept: Kept[str] = Kept(rules.cache) if kept is None else kept
        self._hire = hire
        self._thread = own_thread("noughts-small")
        self._jobs: dict[str, Job] = {}
        self._queue: deque[Job] = deque()
        self._recent: OrderedDict[str, tuple[Packed, float]] = OrderedDict()
        self._at_work: dict[Job, Worker] = {}
        self._idle: list[tuple[Worker, float]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._watch: asyncio.Task[None] | None = None
        self._is_closed = False

    async def reply(self, ask: Ask, gone: Callable[[], Coroutine[Any, Any, None]] | None = None) -> Packed:
        """Return the reply to what is asked, or, for a page that takes long, one that says how far it is.

        Programs wait for their data. `gone` returns when whoever asked is there no more: then the work ends if nobody
        else waits for it. Raises Busy where the queue is full or the desk closed, ReaderGone where whoever asked has
        left.
        """
        if self._is_closed:
            raise Busy(_CLOSING)
        key = address(ask)
        found = self.kept.get(key) or self._just_done(key)
        if found is not None:
            return found
        if is_small(ask):
            try:
                packed = await asyncio.get_running_loop().run_in_executor(self._thread, _small, ask)
            except asyncio.CancelledError:
                if self._is_closed:
                    raise Busy(_CLOSING) from None
                raise
            self._keep(key, packed)
            return packed
        return await self._wait(self._job(key, ask), gone)

    def _keep(self, key: str, packed: Packed) -> None:
        if packed.exact and packed.status == 200:
            self.kept.put(key, packed)

    def _just_done(self, key: str) -> Packed | None:
        """Return what a job gave that somebody may come back for, also where it is not kept for long."""
        packed, until = self._recent.get(key, (None, 0.0))
        return packed if time.monotonic() < until else None

    def _remember(self, job: Job, packed: Packed) -> None:
        self._recent[job.key] = (
            packed,
            time.monotonic() + (self.rules.refused if packed.status == 422 else self.rules.patience),
        )
        self._recent.move_to_end(job.key)
        while len(self._recent) > self.rules.queue:
            self._recent.popitem(last=False)

    def _job(self, key: str, ask: Ask) -> Job:
        """Return the job that answers this, a new one if there is none."""
        job = self._jobs.get(key)
        if job is None:
            job = Job(key, ask)
            if self._is_full_for(job):
                raise Busy(
                    f"all are busy here, {len(self._at_work)} at work and {len(self._queue)} waiting: ask again "
                    f"in some seconds, or on your own machine: {command_of(ask) or 'noughts --help'}"
                )
            self._jobs[key] = job
            self._queue.append(job)
            self._dispatch()
        return job

    def _is_full_for(self, job: Job) -> bool:
        large = sum(not other.is_light for other in self._queue)
        return len(self._queue) >= self.rules.queue or (not job.is_light and large >= self.rules.large_queue)

    async def _wait(self, job: Job, gone: Callable[[], Coroutine[Any, Any, None]] | None) -> Packed:
        is_page = job.ask.form == "html"
        leaving = asyncio.create_task(gone()) if gone is not None else None
        job.waiting += 1
        try:
            done: set[asyncio.Future[Any]] = {job.done, *([leaving] if leaving else [])}
            if is_page:
                done.add(job.long)
            await asyncio.wait(done, timeout=self.rules.request.seconds if is_page else None,
                               return_when=asyncio.FIRST_COMPLETED)  # fmt: skip
            if job.done.done():
                return job.done.result()
            if leaving is not None and leaving.done():
                raise ReaderGone
            job.asked = time.monotonic()
            return Packed.of(waiting(job.ask, job.state, job.seconds, self._before(job)), framed=job.ask.framed)
        finally:
            job.waiting -= 1
            if leaving is not None:
                leaving.cancel()
            self._end_if_left(job)

    def _end_if_left(self, job: Job) -> None:
        """End work that nobody waits for any longer."""
        if job.done.done() or not job.is_left(time.monotonic(), self.rules.patience):
            return
        if job in self._at_work:
            job.verdict = _left(job.ask)
            self._forget(job)
            self._at_work[job].kill()
        elif job in self._queue:
            self._queue.remove(job)
            self._finish(job, Packed.of(_left(job.ask)))

    def _before(self, job: Job) -> int | None:
        lane = [other for other in self._queue if other.is_light == job.is_light]
        return lane.index(job) + 1 if job in lane else None

    def _dispatch(self) -> None:
        """Give what waits to processes that have nothing to do, or to new ones."""
        while not self._is_closed and (job := self._next()) is not None:
            self._queue.remove(job)
            is_new = not self._idle
            worker = self._hire() if is_new else self._idle.pop()[0]
            self._at_work[job] = worker
            job.start()
            task = asyncio.create_task(self._work(job, worker, is_new))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._look())

    def _next(self) -> Job | None:
        """Return the job to begin, None where all must wait; large boards never take every process."""
        if len(self._at_work) >= self.rules.workers:
            return None
        has_room = sum(not job.is_light for job in self._at_work) < self.rules.large_workers
        return next((job for job in self._queue if job.is_light or has_room), None)

    async def _work(self, job: Job, worker: Worker, is_new: bool) -> None:
        is_well = True
        try:
            packed = await worker.answer(job.ask, job.hear)
            self._keep(job.key, packed)
        except Gone:
            is_well = False
            await worker.end()
            if self._is_closed:
                job.verdict = failure(Busy(_CLOSING), job.ask)
            if job.verdict is None:
                print(f"noughts: a worker process has ended while it made {job.key}", file=sys.stderr)
            if job.verdict is None and not is_new:  # it may have ended before, while it was idle
                self._queue.appendleft(job)
            packed = Packed.of(job.verdict or mistake(job.ask))
        finally:
            del self._at_work[job]
        if job not in self._queue:
            self._finish(job, packed)
        if is_well and worker.memory <= self.rules.heavy:
            self._idle.append((worker, time.monotonic()))
        else:
            await worker.end()
        self._dispatch()

    def _finish(self, job: Job, packed: Packed) -> None:
        self._forget(job)
        if packed.status == 422 or (job.asked and packed.status == 200):
            self._remember(job, packed)
        if not job.done.done():
            job.done.set_result(packed)

    def _forget(self, job: Job) -> None:
        """Let whoever asks the same from now on begin anew."""
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]

    async def _look(self) -> None:
        """Look at the workers as long as there are any."""
        while self._at_work or self._queue or self._idle:
            await asyncio.sleep(self.rules.look)
            now = time.monotonic()
            for job in list(self._jobs.values()):
                self._end_if_left(job)
            for job, worker in list(self._at_work.items()):
                self._judge(job, worker)
            tired = [each for each in self._idle if now - each[1] > self.rules.idle]
            self._idle = [each for each in self._idle if each not in tired]
            for worker, _ in tired:
                await worker.end()

    def _judge(self, job: Job, worker: Worker) -> None:
        """End the work that takes too much."""
        seconds, memory, long = job.seconds, worker.memory, self.rules.long
        if memory > self.rules.request.memory and not job.long.done():
            job.long.set_result(None)
        if job.verdict is None and (seconds > long.seconds or memory > long.memory):
            took = format_duration(long.seconds) if seconds > long.seconds else format_size(int(long.memory))
            job.verdict = _too_long(job.ask, took)
            worker.kill()

    async def close(self) -> None:
        """End all work and all processes; whoever waits is told so."""
        self._is_closed = True
        if self._watch is not None:
            self._watch.cancel()
        self._queue.clear()
        workers = [*self._at_work.values(), *(worker for worker, _ in self._idle)]
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*(worker.end() for worker in workers), *self._tasks, return_exceptions=True)
        for job in list(self._jobs.values()):
            self._finish(job, Packed.of(failure(Busy(_CLOSING), job.ask)))
        self._idle.clear()
        self._thread.shutdown(wait=False, cancel_futures=True)


def _small(ask: Ask) -> Packed:
    return Packed.of(safe_answer(ask), framed=ask.framed)


def _left(ask: Ask) -> PageReply:
    return failure(Busy("nobody waited for this any longer, and the work has ended: ask again"), ask)


def _too_long(ask: Ask, what: str) -> PageReply:
    command = command_of(ask)
    there = f"; on your own machine nothing bounds it: {command}" if command and ask.form != "html" else ""
    return failure(BudgetError(f"this takes more than {what}, which is all that a page may take{there}"), ask)
