"""What can be printed, as one value: its report and record, and its pages for a paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from noughts.domain.errors import InputError
from noughts.drawing.svg import Svg
from noughts.reports.forms import Forms, report_forms
from noughts.reports.page import Look, Report

__all__ = ["Printout", "printout_forms"]


@dataclass(frozen=True)
class Printout:
    """Something to print. `papers` are those it is made for, the usual one first; `what` names it in a sentence.

    `picture` draws it on no paper, where that is not its pages below each other.
    """

    what: str
    report: Callable[[], Report]
    record: Callable[[], object]
    pages: Callable[[str], Sequence[Svg]]
    papers: tuple[str, ...]
    picture: Callable[[], Svg] | None = None


def printout_forms(made: Printout, look: Look) -> Forms:
    """Return what is to be printed in every form: pages in a PDF, and below each other in a picture.

    Raises InputError for a paper that it is not made for.
    """
    if look.paper is not None and look.paper not in made.papers:
        raise InputError(f"{made.what} cannot be printed on {look.paper}: choose {' or '.join(made.papers)}")
    paper = look.paper or made.papers[0]

    def picture() -> Svg:
        from noughts.drawing.paper import stacked

        if made.picture is not None and look.paper is None:
            return made.picture()
        return stacked(made.pages(paper), look.theme)

    def png() -> bytes:
        from noughts.drawing.files import to_png

        return to_png(picture())

    def pdf() -> bytes:
        from noughts.drawing.files import to_pdf

        return to_pdf(made.pages(paper), paper)

    return {**report_forms(made.report, made.record, look), "svg": lambda: str(picture()), "png": png, "pdf": pdf}
