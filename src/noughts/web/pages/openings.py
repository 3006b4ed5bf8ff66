"""The page of opening theory: first moves up to symmetry, the replies to each, and the advice that follows."""

from __future__ import annotations

from noughts.reports.page import PIPE
from noughts.reports.play.openings import forms
from noughts.strategy.openings import openings
from noughts.web.ask import Ask
from noughts.web.links import Links
from noughts.web.page import Answer, View

__all__ = ["answer"]


def answer(ask: Ask) -> Answer:
    """Return opening theory. Raises InputError for a finished game, BudgetError where values cost too much."""
    assert ask.board is not None
    theory = openings(ask.board, ask.given("from"))

    def view(links: Links) -> View:
        return View("openings.html", "Openings", {"theory": theory})

    return Answer(view, forms(theory, PIPE), f"noughts openings {theory.board}")
