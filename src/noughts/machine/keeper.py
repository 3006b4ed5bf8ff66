"""The keeper of a program: a process of its own that starts it and in the end kills all that has come of it.

    python keeper.py CONTROL TOLD COMMAND...

It is run as a file and imports nothing of the package. CONTROL is the reading end of a pipe: when that ends, because
whoever holds the other end has closed it or was killed, the program is ended with all its descendants. On TOLD it
writes `started PID`, or `error NUMBER`, and `exited CODE` or `killed SIGNAL` when the program has ended.

On Linux orphans among the descendants become its children, whatever they did to their session or environment. Only
its own children are killed: as long as it has not taken note of their end, their numbers are nobody else's.
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
"""So often children that are there are looked for in vain, as where there is no /proc."""


def _prctl(option: int, value: int) -> None:
    """Ask the system for something, where it is Linux."""
    if sys.platform == "linux":
        try:
            from ctypes import CDLL

            CDLL(None).prctl(option, value, 0, 0, 0)
        except (ImportError, OSError, AttributeError):
            return


def _start(command: list[str]) -> int:
    """Start the program in a session of its own, and return its number. Raises OSError where that fails."""
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
    """Return how the program ended, leaving its number taken, and let other children go; nothing while it runs."""
    while hasattr(os, "waitid"):
        found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if found is None:
            break
        if found.si_pid == program:
            return b"%s %d\n" % (b"exited" if found.si_code == os.CLD_EXITED else b"killed", found.si_status)
        os.waitpid(found.si_pid, 0)
    return b""


def _watch(program: int, control: int, told: int) -> None:
    """Wait until the other end is closed, and tell how the program ended."""
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    ended = b""
    while True:
        if not ended and (ended := _ended(program)):
            try:
                os.write(told, ended)
            except OSError:
                return
        if control in select([control, woken], [], [])[0]:
            return
        os.read(woken, 512)


def _children() -> list[int]:
    """Return the numbers of the processes whose parent this is."""
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
    """Kill the program, its group, and each descendant as it becomes a child of this process, until there is none.

    Ends with the exit code 1 where some are left.
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
    control, told, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    for end in (control, told):
        os.set_inheritable(end, False)
    _prctl(_SUBREAPER, 1)
    try:
        program = _start(command)
    except OSError as error:
        os.write(told, b"error %d\n" % (error.errno or 0))
        return
    try:
        os.write(told, b"started %d\n" % program)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        _watch(program, control, told)
    finally:
        _end(program)


if __name__ == "__main__":
    _main()
