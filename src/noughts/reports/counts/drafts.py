"""A draft of an entry for the OEIS: all lines that a submission has, and whether the sequence is known there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts._version import __version__
from noughts.domain.errors import InputError
from noughts.meanings.sequences import KnownSequence, known_sequences

__all__ = ["Draft", "draft_text", "oeis_lines"]

_DATA_LIMIT = 260
_INDEX = '<a href="/index/Th#TTT">Index entries for sequences related to tic-tac-toe</a>'


@dataclass(frozen=True)
class Draft:
    """A sequence to submit: its name, the terms from number `first`, the command of its b-file, the engine of each.

    `finite`: there are no more terms than these.
    """

    name: str
    terms: Sequence[int]
    first: int
    command: str
    engines: Sequence[str]
    finite: bool = False


def draft_text(draft: Draft) -> str:
    """Return the lines of an entry: name, data, offset, links, program, cross-references, keywords, extensions."""
    lines = oeis_lines(draft.terms, draft.first, draft.name)
    shown = lines[1].count(",") + 1
    last = draft.first + len(draft.terms) - 1
    known = next((each for each in known_sequences() if each.published and _is_the_same(each, draft)), None)
    lines += [
        f"Links: Table of n, a(n) for n = {draft.first}..{last} (the b-file is what the program prints)",
        f"Links: {_INDEX}",
        f"Program: (Shell) {draft.command} # noughts {__version__}",
        *([] if known is None else [f"Crossrefs: {_crossed(known)}"]),
        f"Keywords: {_keywords(draft, shown)}",
        _extensions(draft, known),
    ]
    return "\n".join(lines) + "\n"


def _is_the_same(known: KnownSequence, draft: Draft) -> bool:
    """Tell whether a draft has all the terms of a known sequence that it can have, two that say something at least."""
    start = draft.first - known.offset
    if start < 0:
        terms, published = draft.terms[-start:], known.published
    else:
        terms, published = draft.terms, known.published[start:]
    both = list(zip(published, terms, strict=False))
    telling = sum(a > 1 for a, _ in both)
    return telling > 1 and all(a == b for a, b in both)


def _crossed(known: KnownSequence) -> str:
    end = known.offset + len(known.published) - 1
    return f"{known.id} has the terms from {known.offset} to {end}: {known.what}"


def _keywords(draft: Draft, shown: int) -> str:
    if draft.finite:
        return "nonn,fini,full" if shown == len(draft.terms) else "nonn,fini"
    return "nonn,more" if shown == len(draft.terms) else "nonn"


def _extensions(draft: Draft, known: KnownSequence | None) -> str:
    """Return the note on the terms that are new, as far as it is known here what is."""
    if known is None:
        return (
            "Extensions: none, as no sequence that noughts carries begins so; look the terms up at oeis.org before "
            "submitting them as new"
        )
    new = known.offset + len(known.published)
    last = draft.first + len(draft.terms) - 1
    if known.finite or last < new:
        return f"Extensions: none, as {known.id} has all these terms"
    new = max(new, draft.first)
    engines = list(dict.fromkeys(draft.engines[new - draft.first :]))
    named = f"a({new})" if new == last else f"a({new})-a({last})"
    by = f"by the engine{'s' * (len(engines) > 1)} {' and '.join(engines)} of noughts {__version__}"
    return f"Extensions: {named} from _Your Name_, {by}"


def oeis_lines(terms: Sequence[int], first: int, name: str) -> list[str]:
    """Return the name, the Data line of at most 260 characters, and the offset, as a submission to the OEIS has them.

    The second number of the offset is the place of the first term that is neither -1, 0 nor 1, from 1; 1 without any.
    """
    data = str(terms[0])
    for term in terms[1:]:
        longer = f"{data}, {term}"
        if len(longer) > _DATA_LIMIT:
            break
        data = longer
    if len(data) > _DATA_LIMIT:
        raise InputError(f"the first term has {len(data)} digits, and a Data line at most {_DATA_LIMIT}: use bfile")
    place = next((i for i, term in enumerate(terms, 1) if abs(term) > 1), 1)
    return [f"Name: {name}", f"Data: {data}", f"Offset: {first},{place}"]
