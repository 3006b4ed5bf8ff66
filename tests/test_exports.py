"""The package offers what it documents, and type checkers of users see it."""

from __future__ import annotations

import pickle
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import noughts

ROOT = Path(__file__).parent.parent


def test_the_package_offers_what_it_says() -> None:
    rooms = set(dir(noughts)) - set(noughts.__all__)
    assert rooms >= {"analysis", "bots", "counting", "rules", "solving"}
    assert noughts.__all__ == [name for name in dir(noughts) if name not in rooms]
    for name in dir(noughts):
        assert getattr(noughts, name) is not None
    with pytest.raises(AttributeError, match=r"has no attribute 'cuont'$"):
        _ = noughts.cuont  # type: ignore[attr-defined]


@pytest.mark.parametrize("room", sorted(set(dir(noughts)) - set(noughts.__all__) - {"training"}))
def test_a_room_offers_what_it_says(room: str) -> None:
    """And `noughts` says where a name is that was there once; no name is one of `noughts`, or a module."""
    home = getattr(noughts, room)
    inside = {module.name for module in pkgutil.iter_modules(home.__path__)}
    assert home.__all__ == dir(home)
    assert not (set(noughts.__all__) | inside) & set(home.__all__)
    for name in home.__all__:
        assert getattr(home, name).__name__ == name
        with pytest.raises(AttributeError, match=f"'{name}': it is noughts.{room}.{name}$"):
            getattr(noughts, name)
    with pytest.raises(AttributeError, match=f"'noughts.{room}' has no attribute 'cuont'$"):
        _ = home.cuont


def test_no_name_of_the_package_is_a_room() -> None:
    """A room of that name would take its place as soon as it is imported."""
    rooms = {module.name for module in pkgutil.iter_modules(noughts.__path__)}
    assert not rooms & set(noughts.__all__)


USER = """
import noughts

census: noughts.counting.Census = noughts.count("3x3")
won: int | None = census.totals.x_wins
ply: int = noughts.explain("3x3").position.ply
"""


WRONG = {
    'text: str = noughts.count("3x3")': "Incompatible types in assignment",
    "noughts.cuont": 'Module has no attribute "cuont"',
}


@pytest.mark.parametrize("installed", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_type_checkers_of_users_see_the_types(tmp_path: Path, installed: bool) -> None:
    """As the package is installed; and in every run with what `scripts/check` has found, which is much quicker."""
    assert (Path(noughts.__file__).parent / "py.typed").exists()
    for name, lines in {"right": [], "wrong": list(WRONG)}.items():
        (tmp_path / f"{name}.py").write_text("\n".join([USER, *lines, ""]), encoding="utf-8")
    options = ["--strict", "--config-file="] if installed else []
    command = [sys.executable, "-m", "mypy", *options, str(tmp_path / "right.py"), str(tmp_path / "wrong.py")]
    done = subprocess.run(command, cwd=tmp_path if installed else ROOT, capture_output=True, text=True, check=False)
    complaints = [line for line in done.stdout.splitlines() if ": error: " in line]
    first = USER.count("\n") + 2
    where = [(Path(line.split(":")[0]).name, line.split(":")[1]) for line in complaints]
    assert where == [("wrong.py", str(first)), ("wrong.py", str(first + 1))]
    for line, wanted in zip(complaints, WRONG.values(), strict=True):
        assert wanted in line


def test_errors_in_python_name_parameters_and_functions_can_be_pickled() -> None:
    """The same errors on the command line name options."""
    refused = {
        r"add yes=True to build them$": lambda: noughts.query("4x4", "select 1"),
        r"raise rows=$": lambda: noughts.query("2x2", "select * from positions", rows=1),
        r"ask for remoteness=False, or ask about one position with engine='search'": lambda: noughts.solve(
            "3x3x3", memory="1MB"
        ),
        r"remove depth=$": lambda: noughts.tree("3x3", depth=2),
        r"add rules\.blind='O' rules\.opening_told$": lambda: noughts.solve_blindfold("3x3", opening="a1"),
    }
    for words, call in refused.items():
        with pytest.raises(noughts.NoughtsError, match=words) as caught:
            call()
        assert "--" not in str(caught.value)
    for function in (noughts.solve, noughts.bots.array_policy, noughts.rules.parse_position):
        assert pickle.loads(pickle.dumps(function)) is function
