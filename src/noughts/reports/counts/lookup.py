"""What a number can mean: its readings with the commands that print them, else the nearest numbers."""

from __future__ import annotations

from noughts.counting.conventions.lookup import Meanings
from noughts.reports.forms import Forms, report_forms
from noughts.reports.page import Block, Commands, Look, Paragraph, Report

__all__ = ["forms", "report"]

_SHOWN = 8


def forms(answer: Meanings, look: Look, *, everything: bool = False) -> Forms:
    """Return the readings of a number in every form; the first few for people unless `everything` is asked."""
    return report_forms(lambda: report(answer, everything=everything), answer.as_dict, look)


def report(answer: Meanings, *, everything: bool = False) -> Report:
    """Return what there is to say about a number."""
    limit = len(answer.matches) if everything else _SHOWN
    computed = [meaning for meaning in answer.matches if not meaning.published]
    published = [meaning for meaning in answer.matches if meaning.published]
    said = f"{answer.value:,} matches nothing: no convention on the boards that are quick to count gives it."
    blocks: list[Block] = []
    if computed:
        said = f"{answer.value:,} is: {computed[0]}."
        blocks.append(Commands((computed[0].command,)))
    for meaning in computed[1:limit]:
        blocks += [Paragraph(f"Also: {meaning}.", "  "), Commands((meaning.command,))]
    blocks += [Paragraph(f"Published: {meaning}.", "  ") for meaning in published[:limit]]
    if len(computed) > limit:
        blocks.append(Paragraph(f"And {len(computed) - limit} more readings: noughts whatis {answer.value} --all"))
    if answer.nearest:
        blocks.append(Paragraph("Nearest:"))
    for meaning in answer.nearest:
        blocks.append(Paragraph(f"  {meaning.value:,} is: {meaning}.", "    "))
        blocks.append(Commands((meaning.command,), indent="    "))
    return Report.of([said, *blocks])
