"""What is held against a published number, what came of it, and how long a second engine may take."""

from __future__ import annotations

from dataclasses import replace

import pytest

import noughts
from noughts.counting.engines import ENGINES
from noughts.domain.errors import BudgetError, CheckError
from noughts.machine.budget import Limits
from noughts.verification.verdict import SECOND_ENGINE_SECONDS, Bench, Comparing, NumberCheck, Verification


def compared(*numbers: tuple[str, str, list[str]], judged: bool = False) -> NumberCheck:
    number = Comparing("games", "games of 3x3", "a book")
    for published, computed, engines in numbers:
        number.hold("all", published, computed, engines, judged=judged)
    return number.done()


def test_a_number_is_ok_where_two_engines_give_what_was_published() -> None:
    both = compared(("7", "7", ["plain", "layered"]))
    assert (both.status, both.compared, both.engines, both.one_engine) == ("ok", ("all",), ("layered", "plain"), ())
    one = compared(("7", "7", ["plain"]))
    assert (one.status, one.one_engine) == ("ok", ("all",))
    assert compared(("7", "7", ["plain"]), judged=True).one_engine == (), "a proof that was judged"
    wrong = compared(("7", "8", ["plain"]), ("7", "7", ["layered", "plain"]))
    assert (wrong.status, wrong.one_engine) == ("differs", ())
    assert wrong.compared == ("all: published 7, computed 8", "all")
    assert compared().status == "out of reach"
    assert both.as_dict()["engines"] == ["layered", "plain"]


def test_engines_of_one_kin_are_one() -> None:
    """As a sweep and the same sweep for the games alone."""
    kin = {row.kin: [each.name for each in ENGINES if each.kin == row.kin] for row in ENGINES}
    alike = next(names for names in kin.values() if len(names) > 1)
    assert compared(("7", "7", alike)).one_engine == ("all",)
    other = next(names[0] for names in kin.values() if names != alike)
    assert compared(("7", "7", [alike[0], other])).one_engine == ()


def test_all_hold_where_none_differs() -> None:
    ok, out, wrong = compared(("7", "7", ["plain"])), compared(), compared(("7", "8", ["plain"]))
    assert Verification((ok, out)).holds
    assert not Verification((ok, wrong)).holds
    assert Verification((ok, out, ok)).counts == {"ok": 2, "differs": 0, "out of reach": 1}
    assert Verification((ok,)).as_dict()["entries"] == [ok.as_dict()]


def test_a_second_engine_takes_a_little_while_or_as_long_as_the_first() -> None:
    assert Bench(Limits()).second_seconds == SECOND_ENGINE_SECONDS
    assert Bench(Limits(seconds=0.5)).second_seconds == 0.5
    assert Bench(Limits(seconds=100), patient=True).second_seconds == 100


def test_a_column_comes_from_every_engine_that_gives_it() -> None:
    bench, census = Bench(Limits()), noughts.count("2x3:2")
    question = census.question
    wins = [(row.ply, (row.x_wins or 0) + (row.o_wins or 0)) for row in census.plies]
    changed = [replace(row, x_wins=None, draws=7) for row in census.plies]
    other = replace(census, engine="other", plies=tuple(changed))
    bench._agreeing[question] = [census, replace(census, engine="same"), other]
    assert bench.column(question, ["x_wins", "o_wins"]) == (wins, [census.engine, "same"]), "not of what it lacks"
    assert bench.column(question, ["paths"])[1] == [census.engine, "same", "other"]
    with pytest.raises(CheckError, match="same, other disagree on 2x3:2"):
        bench.column(question, ["draws"])
    bench._agreeing[question] = [other]
    with pytest.raises(BudgetError, match=r"no engine that fits gives the column x_wins \+ o_wins"):
        bench.column(question, ["x_wins", "o_wins"])
