"""Run the command line inside the test process, as a user would call it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from noughts.cli.main import main


@dataclass
class Result:
    code: int
    out: str
    err: str

    def one_sentence(self) -> str:
        """Return the message on standard error after checking that it is one line and no traceback."""
        assert self.out == ""
        assert self.err.startswith("noughts: ")
        assert self.err.count("\n") == 1
        assert "Traceback" not in self.err
        return self.err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    def call(*arguments: str) -> Result:
        with pytest.raises(SystemExit) as caught:
            main(list(arguments))
        streams = capsys.readouterr()
        code = caught.value.code
        assert isinstance(code, int)
        return Result(code, streams.out, streams.err)

    return call
