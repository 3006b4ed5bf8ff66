"""`noughts breed`: the keys of JSON, the bot as a file, what is said of every outcome, bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from noughts.analysis.payoff.playout import versus
from noughts.bots import breeding

QUICK = ["--population", "30", "--generations", "3"]


def test_the_saved_bot_and_the_answer_play_as_they_were_judged(run, tmp_path):
    saved, answer = tmp_path / "bot.json", tmp_path / "answer.json"
    assert run("breed", "3x3", *QUICK, "--as", "O", "--save", str(saved), "-o", str(answer)).code == 0
    record = json.loads(answer.read_text())
    for path in (saved, answer):
        match = versus("3x3", o=str(path))
        assert str(match.o_wins) == record["against"]["random"]["win"]
        assert str(match.x_wins) == record["against"]["random"]["loss"]
    lost = record["first_loss"]
    assert lost["as"] == "O"
    assert run("explain", "3x3", *lost["moves"]).out.count("X has won") >= 1


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_breeding_gives_the_best_so_far(number, code):
    command = [
        sys.executable,
        "-m",
        "noughts",
        "breed",
        "3x3+torus",
        "--as",
        "O",
        "--population",
        "3",
        "--mutations",
        "0",  # so that it never ends by itself
        "--generations",
        "1000000",
    ]
    environment = {name: value for name, value in os.environ.items() if name != "NOUGHTS_QUIET"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            assert process.stderr is not None
            said = ""
            until = time.monotonic() + 60
            while "generations, fittest" not in said and time.monotonic() < until:
                said = process.stderr.readline()
            process.send_signal(number)
            out, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == code
    assert "(it was interrupted)" in " ".join(out.split())


def test_the_bot_is_written_before_its_shortest_loss_is_sought(tmp_path, run, monkeypatch):
    saved = tmp_path / "bot.json"

    def sought(bot):
        assert saved.exists()
        raise KeyboardInterrupt

    monkeypatch.setattr(breeding, "first_loss", sought)
    assert run("breed", "3x3", "--as", "O", "--generations", "1", "--population", "3", "--save", str(saved)).code == 130
    assert json.loads(saved.read_text())["moves"]
