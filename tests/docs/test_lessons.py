"""The commands of the lesson plans print what they name."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from noughts.cli.main import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "lessons.md"
COMMANDS = [
    line for block in re.findall(r"```sh\n(.*?)```", PAGE.read_text(), flags=re.DOTALL) for line in block.splitlines()
]


def test_every_plan_prints_sheets():
    assert len(COMMANDS) == 8
    assert all(command.startswith("noughts sheet 3x3 ") for command in COMMANDS)
    assert PAGE.read_text().count("## 20 minutes") == PAGE.read_text().count("## 45 minutes") == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        main(shlex.split(command)[1:])
    assert caught.value.code == 0
    [made] = tmp_path.iterdir()
    assert capsys.readouterr().err == f"wrote {made.name}\n"
    assert made.read_bytes().startswith(b"%PDF")
