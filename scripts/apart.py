"""Run tests in a process of their own that need not begin from nothing: `mutants.py` asks, as it asks `judging.py`.

All that does not change is imported here, and nothing of the package or of its tests: each request is answered by a
fork, which imports these as they then are in the copy of the checkout.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial

import hypothesis  # noqa: F401 - imported here, so that a fork need not
import numpy as np  # noqa: F401
import pytest
from forking import in_a_fork

OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-p", "pytest_timeout", "--tb=no", "--timeout=0")


class _First:
    """A plugin that notes the first test or file that fails."""

    def __init__(self) -> None:
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test."""
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file."""
        if report.failed:
            self.failed = self.failed or report.nodeid


def first_failure(tests: list[str]) -> str:
    """Return the first of these tests that fails, or what else pytest makes of them, or nothing where all pass."""
    first = _First()
    code = pytest.main([*OPTIONS, *tests], plugins=[first])
    if code == pytest.ExitCode.USAGE_ERROR and not first.failed:  # the change gives tests other names
        code = pytest.main([*OPTIONS, *dict.fromkeys(test.partition("::")[0] for test in tests)], plugins=[first])
    return first.failed or ("" if code == 0 else f"pytest ends with {int(code)}")


def main() -> None:
    """Answer requests until there are no more: lines of JSON each."""
    asked, told = (int(number) for number in sys.argv[1:])
    os.set_inheritable(asked, False)
    os.set_inheritable(told, False)
    with os.fdopen(asked, encoding="utf-8") as requests, os.fdopen(told, "w", encoding="utf-8") as answers:
        for line in requests:
            request = json.loads(line)
            code, by, seconds = in_a_fork(partial(first_failure, request["tests"]), request["limit"])
            fate = "endless" if code is None else "noticed" if code else "lives"
            print(json.dumps({"fate": fate, "by": by, "seconds": seconds}), file=answers, flush=True)


if __name__ == "__main__":
    main()
