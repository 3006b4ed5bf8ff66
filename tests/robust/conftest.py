"""The command line, as the tests of its verbs call it."""

from tests.cli.conftest import run

__all__ = ["run"]
