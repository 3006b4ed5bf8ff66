"""Whether two boards are the same, turned or mirrored."""

from __future__ import annotations

from noughts.records.comparison import Comparison
from noughts.reports.forms import Forms, as_json
from noughts.reports.page import How, Look, Report, Verbatim, try_next
from noughts.reports.text import as_text

__all__ = ["drawn", "forms", "report"]


def forms(found: Comparison, look: Look) -> Forms:
    """Return a comparison in every form."""
    return {"text": lambda: as_text(report(found), look), "json": lambda: as_json(found.as_dict())}


def report(found: Comparison) -> Report:
    """Return what there is to say about two positions."""
    number = found.board.group().order
    said = f"No, they differ on {found.board}: none of its {number:,} symmetries takes one to the other."
    if number == 1:
        said = f"No, they differ on {found.board}, which has no symmetry but to leave it as it is."
    first, second = found.canonical
    how = f"their canonical forms are '{first}' and '{second}'."
    if found.is_same:
        said = f"Yes, they are the same on {found.board}: {found.words[0]}."
        how = f"both have the canonical form '{first}'."
    return Report.of(
        [said],
        [Verbatim(drawn(found))],
        [
            *_others(found),
            How(how),
            try_next(
                f"noughts explain {found.board} '{found.first}'",
                f"noughts positions {found.board} --ply {found.first.ply}",
            ),
        ],
    )


def drawn(found: Comparison) -> str:
    """Return both boards side by side, an arrow between them where they are the same."""
    left, right = _lines(str(found.first)), _lines(str(found.second))
    arrows = ["->" if found.is_same and (i == 1 or len(left) < 2) else "  " for i in range(len(left))]
    return "\n".join(f"  {a}  {arrow}  {b}".rstrip() for a, arrow, b in zip(left, arrows, right, strict=True))


def _others(found: Comparison) -> list[str]:
    if len(found.words) < 2:
        return []
    more = f"; and {len(found.words) - 6:,} more" if len(found.words) > 6 else ""
    so = "So does" if len(found.words) == 2 else "So do"
    return [f"{so}: {'; '.join(found.words[1:6])}{more}."]


def _lines(text: str) -> list[str]:
    layers = [layer.split("/") for layer in text.split("|")]
    return ["   ".join(" ".join(layer[row]) for layer in layers) for row in range(len(layers[0]))]
