"""Sequences that are known: what they count, their terms, which of these are new, and the commands that give them."""

from __future__ import annotations

from noughts.meanings.sequences import KnownSequence, SequenceMatches, known_sequences
from noughts.reports.forms import Forms, report_forms
from noughts.reports.page import Block, Commands, How, Look, Paragraph, Report, try_next
from noughts.strategy.sentences import listed

__all__ = ["forms", "report"]

_SHOWN = 400
"""Characters of terms that are shown."""


def forms(found: SequenceMatches, look: Look) -> Forms:
    """Return the sequences found in every form."""
    return report_forms(lambda: report(found), found.as_dict, look)


def report(found: SequenceMatches) -> Report:
    """Return what there is to say about the sequences found, or which ones are carried."""
    if not found.matches:
        numbers = listed(sorted({each.id[:7] for each in known_sequences()}))
        return Report.of(
            [f"{found.asked} is in none of the sequences that noughts carries: {numbers}."],
            [try_next("noughts whatis A061526", "noughts count 1x1..5x5 --column finished --format oeis")],
        )
    return Report.of(*[_told(each, place) for each, place in found.matches])


def _told(each: KnownSequence, place: int | None) -> list[Block | str]:
    where = "" if place is None else f" The terms begin with number {place}."
    what = each.what.removesuffix(", n = 1..")
    blocks: list[Block | str] = [f"{each.id}: {what}.{where}"]
    if each.published:
        end = each.offset + len(each.published) - 1
        blocks.append(Paragraph(f"{each.source}, terms {each.offset} to {end}: {_listed(each.published)}", "  ", "  "))
    if each.further:
        first = each.offset + len(each.published)
        end = first + len(each.further) - 1
        terms = f"term {first}" if first == end else f"terms {first} to {end}"
        blocks.append(Paragraph(f"Computed here, {terms}: {_listed(each.further)}", "  ", "  "))
        blocks.append(Commands(each.commands))
        blocks.append(How(f"{each.how}."))
    return blocks


def _listed(terms: tuple[int, ...]) -> str:
    """Return terms with commas, as many as are shown, one at least."""
    said = ""
    for number, term in enumerate(terms):
        longer = f"{said}, {term}" if said else str(term)
        if number and len(longer) > _SHOWN:
            return f"{said}, ..."
        said = longer
    return said
