"""Programs that hang, crash, chatter and lie: each gets one sentence, and nothing of them is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import noughts
from noughts.machine.programs import RunningProgram
from tests.bots.programs import gone, is_running, pids_in, playing, program

GOOD = playing("'b2' if 'b2' in blanks else blanks[0]")
FOULS = {
    "hangs": ("def answer(moves, blanks): time.sleep(60)", "late", "did not answer within 0.2 s"),
    "dies": ("def answer(moves, blanks): sys.exit(3)", "ended", "it ended with the exit code 3"),
    "dies with a traceback": (
        "def answer(moves, blanks): raise ValueError('no move for me')",
        "ended",
        "it ended with the exit code 1, after writing 'ValueError: no move for me' to standard error",
    ),
    "kills itself": ("def answer(moves, blanks): os.kill(os.getpid(), 11)", "ended", "it was ended by signal 11"),
    "chatters": (
        "def answer(moves, blanks):\n    while True: print('info string', 'x' * 20)",
        "garbled",
        "it wrote more than 10,000 lines without an answer",
    ),
    "chatters in long lines": (
        "def answer(moves, blanks):\n    while True: print('info', 'x' * 3000)",
        "garbled",
        "it wrote more than 1,048,576 bytes without an answer",
    ),
    "never ends a line": (
        "def answer(moves, blanks):\n    while True: sys.stdout.write('x' * 1000)",
        "garbled",
        "it wrote a line of more than 4,096 bytes",
    ),
    "closes its output": ("def answer(moves, blanks): os.close(1); time.sleep(60)", "ended", "closed its standard out"),
    "plays a taken cell": (playing("(moves or ['z1'])[-1]"), "illegal", "it played 'z1', which is not a cell"),
    "plays nothing": (playing("''"), "illegal", "it named no cell"),
    "says why it has none": (
        "def answer(moves, blanks): say('info string I am lost'); say('bestmove none')",
        "illegal",
        "it played 'none', which is not a cell; it said 'I am lost'",
    ),
    "plays a number too many": (playing("'10'"), "illegal", "it played '10', which is not a cell"),
    "plays binary": ("def answer(moves, blanks): os.write(1, b'bestmove \\xff\\x00\\n')", "illegal", "is not a cell"),
}  # fmt: skip


@pytest.mark.parametrize("what", sorted(FOULS))
def test_what_is_no_move_is_told_with_its_position(tmp_path, what):
    body, kind, said = FOULS[what]
    mark = f"open({str(tmp_path)!r} + '/pid.' + str(os.getpid()), 'w').close()\n"
    found = noughts.referee("3x3", program(tmp_path, mark + body), as_="X", move_time=0.2)
    assert (found.lines, found.illegal, found.losses) == (1, 1, 0)
    (foul,) = found.sides[0].fouls
    assert foul.kind == kind
    assert said in foul.said
    assert str(foul.position) == ".../.../..."
    assert not found.passed
    assert gone(pids_in(tmp_path))


def test_a_program_that_hangs_always_is_asked_no_more_after_some_time(tmp_path):
    body = f"""def answer(moves, blanks):
    if len(moves) > 2:
        with open({str(tmp_path / "hung")!r}, "a") as note: note.write("once ")
        time.sleep(600)
    say('bestmove ' + blanks[0])"""
    found = noughts.referee("3x3", program(tmp_path, body), as_="O", move_time=0.05)
    assert len((tmp_path / "hung").read_text().split()) == 1 + 10, "once in the games before the lines"
    assert len(found.sides[0].fouls) == 10
    assert not found.sides[0].complete
    assert {foul.kind for foul in found.sides[0].fouls} == {"late"}


def test_what_a_program_starts_is_ended_with_it_wherever_it_hides(tmp_path):
    """One child stays in its group, another leaves for a session of its own; neither heeds SIGTERM nor a quit."""
    note = f"open({str(tmp_path)!r} + '/pid.' + str(os.getpid()), 'w').close()"
    body = f"""
signal.signal(signal.SIGTERM, signal.SIG_IGN)
{note}
for hides in (False, True):
    if os.fork() == 0:
        if hides:
            os.setsid()
            if os.fork():
                os._exit(0)
        {note}
        time.sleep(60)
        os._exit(0)
while len([name for name in os.listdir({str(tmp_path)!r}) if name.startswith('pid.')]) < 3:
    time.sleep(0.01)
{GOOD}
"""
    command = program(tmp_path, body)
    deaf = Path(command[-1])
    deaf.write_text(deaf.read_text().replace("        break\n", "        time.sleep(60)\n"))
    assert noughts.referee("1x1", command, as_="O").lines == 1
    assert len(pids_in(tmp_path)) == 3
    assert gone(pids_in(tmp_path), 0)


def test_a_program_outlives_neither_the_one_who_asked_nor_its_death(tmp_path):
    sleeper = [sys.executable, "-S", "-c", "import time; print('here', flush=True); time.sleep(60)"]
    running = RunningProgram(sleeper)
    pid = running.pid
    assert is_running(pid)
    del running
    assert gone([pid])
    code = f"""
import os, signal
from noughts.machine.programs import RunningProgram
program = RunningProgram({sleeper!r})
program.ask("", 10)
program.line()
print(program.pid, flush=True)
END
"""
    for end in ("os.kill(os.getpid(), signal.SIGKILL)", "raise SystemExit", "1 / 0"):
        done = subprocess.run([sys.executable, "-c", code.replace("END", end)], capture_output=True, text=True)
        assert gone([int(done.stdout)])


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_whoever_ends_the_referee_ends_the_program(tmp_path, number, code):
    note = f"open({str(tmp_path)!r} + '/pid.' + str(os.getpid()), 'w').close()"
    command = program(tmp_path, f"def answer(moves, blanks): {note}; time.sleep(60)")
    arguments = [sys.executable, "-m", "noughts", "referee", "--move-time", "50s", "--", *command]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as referee:
        try:
            end = time.monotonic() + 20
            while not pids_in(tmp_path) and time.monotonic() < end:
                time.sleep(0.02)
            os.kill(referee.pid, number)
            _, said = referee.communicate(timeout=20)
        finally:
            referee.kill()
    assert referee.returncode == code
    assert "Traceback" not in said
    assert gone(pids_in(tmp_path))
