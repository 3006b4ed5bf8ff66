"""The keeper of a program: a separate process that starts the program and at the end kills all its descendants.

    python keeper.py CONTROL REPORT COMMAND...

It runs as a script and imports nothing from the package. CONTROL is the reading end of a pipe. When the other end is
closed, or its process dies, the keeper ends the program and all its descendants. To the pipe REPORT the keeper writes
`started PID` or `error NUMBER`, and `exited CODE` or `killed SIGNAL` when the program has ended.

On Linux orphaned descendants become children of the keeper, even with another session or environment. The keeper kills
only its own children: the system does not reuse their numbers before the keeper has waited for them.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from select import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl."""
_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl."""
_PAUSE = 0.002
_PATIENCE = 1000
"""How often to search for remaining children without result, as on a system without /proc."""


def _prctl(option: int, value: int) -> None:
    """Set an option of this process on Linux; do nothing elsewhere."""
    if sys.platform == "linux":
        try:
            from ctypes import CDLL

            CDLL(None).prctl(option, value, 0, 0, 0)
        except (ImportError, OSError, AttributeError):
            return


def _start(command: list[str]) -> int:
    """Start the program in its own session, and return its process number. Raises OSError where that fails."""
    failed, fail = os.pipe()
    program = os.fork()
    if program:
        os.close(fail)
        number = os.read(failed, 20)
        if number:
            raise OSError(int(number), "")
        return program
    try:
        os.setsid()
        _prctl(_DEATH_SIGNAL, signal.SIGKILL)
        for each in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(each, signal.SIG_DFL)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(fail, b"%d" % (error.errno or 0))
    finally:
        os._exit(127)


def _ended(program: int) -> bytes:
    """Return how the program ended, empty while it runs; reap the other children.

    The program itself is not reaped, so that its number stays taken.
    """
    while hasattr(os, "waitid"):
        found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if found is None:
            break
        if found.si_pid == program:
            return b"%s %d\n" % (b"exited" if found.si_code == os.CLD_EXITED else b"killed", found.si_status)
        os.waitpid(found.si_pid, 0)
    return b""


def _watch(program: int, control: int, report: int) -> None:
    """Wait until the other end of CONTROL is closed; report how the program ends."""
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    ended = b""
    while True:
        if not ended and (ended := _ended(program)):
            try:
                os.write(report, ended)
            except OSError:
                return
        if control in select([control, woken], [], [])[0]:
            return
        os.read(woken, 512)


def _children() -> list[int]:
    """Return the process numbers of this process's children."""
    own, found = os.getpid(), []
    try:
        names = os.listdir("/proc")
    except OSError:
        return []
    for name in filter(str.isdecimal, names):
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                if int(file.read().rpartition(b")")[2].split()[1]) == own:
                    found.append(int(name))
        except (OSError, ValueError, IndexError):
            continue
    return found


def _kill(how: Callable[[int, int], None], number: int) -> None:
    try:
        how(number, signal.SIGKILL)
    except OSError:
        return


def _end(program: int) -> None:
    """Kill the program, its group, and each descendant as it becomes a child of this process, until none is left.

    Exits with code 1 where some are left.
    """
    _kill(os.killpg, program)
    for _ in range(_PATIENCE):
        for child in _children():
            _kill(os.kill, child)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(_PAUSE)
    raise SystemExit(1)


def _main() -> None:
    control, report, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    for end in (control, report):
        os.set_inheritable(end, False)
    _prctl(_SUBREAPER, 1)
    try:
        program = _start(command)
    except OSError as error:
        os.write(report, b"error %d\n" % (error.errno or 0))
        return
    try:
        os.write(report, b"started %d\n" % program)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        _watch(program, control, report)
    finally:
        _end(program)


if __name__ == "__main__":
    _main()
