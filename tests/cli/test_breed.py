"""`noughts breed`: the keys of JSON, the bot as a file, what is said of every outcome, bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction

import pytest

from noughts.analysis.payoff.playout import versus

QUICK = ["--population", "30", "--generations", "3"]


def test_json_has_the_keys_that_were_promised(run):
    record = json.loads(run("breed", "3x3", *QUICK, "--against", "random", "--against", "best", "--format", "json").out)
    assert record["against"].keys() == {"random", "best"}
    for chances in record["against"].values():
        assert sum(Fraction(chances[key]) for key in ("win", "draw", "loss")) == 1
    assert (record["generations"], record["evaluations"]) == (3, 90)
    assert record["never_loses"] is False
    assert len(record["possible_bots"]) == 305
    assert len(record["bot"]) == 593
    assert record["bot"]["X../.O./..."] in {"b1", "c1", "c2", "c3", "a2", "a3", "b3"}


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


def test_from_96_real_decisions_to_a_bot_that_never_loses(run):
    out = run("breed", "3x3", "--genes", "real", "--seed", "1").out
    assert "on 96 real decisions: it never loses, after" in out
    assert "a number of 57 digits" in out
    assert "The first of its shortest losses" not in out


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
        "50",
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
            while "generation 16" not in said and time.monotonic() < until:
                said = process.stderr.readline()
            process.send_signal(number)
            out, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == code
    assert "(it was interrupted)" in " ".join(out.split())
