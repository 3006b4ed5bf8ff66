"""What a number can mean: its readings with the commands that print them, else the nearest numbers."""

from __future__ import annotations

from noughts.meanings.meaning import Meaning, Meanings, written
from noughts.reports.forms import Forms, report_forms
from noughts.reports.page import Block, Commands, Look, Paragraph, Report, try_next

__all__ = ["forms", "report"]

_SHOWN = 8


def forms(answer: Meanings, look: Look, *, everything: bool = False, board: str | None = None) -> Forms:
    """Return the readings of a number in every form; the first few for people unless `everything` is asked.

    `board` is the one that was asked about, if any.
    """
    return report_forms(lambda: report(answer, everything=everything, board=board), answer.as_dict, look)


def report(answer: Meanings, *, everything: bool = False, board: str | None = None) -> Report:
    """Return what there is to say about a number."""
    limit = len(answer.matches) if everything else _SHOWN
    slips = [meaning for meaning in answer.matches if meaning.slip]
    readings = [meaning for meaning in answer.matches if not meaning.slip]
    blocks = _readings(readings[1:limit])
    if readings:
        said = f"{answer.said} is: {readings[0]}."
        blocks = [Commands((readings[0].command,)), *blocks]
        blocks += [Paragraph(f"A slip: {meaning}.", "  ") for meaning in slips]
    elif slips:
        said = f"{answer.said} is a slip: {slips[0]}."
    else:
        where = f"on {board}" if board else "on the boards that are quick to count"
        whom = f" for {board}" if board else ""
        said = (
            f"{answer.said} matches nothing: no convention {where} gives it, and nobody is known to have published it"
            f"{whom}."
        )
    if len(readings) > limit:
        asked = f"{board} {_typed(answer)}" if board else _typed(answer)
        blocks.append(Paragraph(f"And {len(readings) - limit} more readings: noughts whatis {asked} --all"))
    elsewhere = [try_next(f"noughts whatis {_typed(answer)}")] if board and not answer.matches else []
    return Report.of([said, *blocks, *(_nearest(answer) if not readings else [])], elsewhere)


def _readings(readings: list[Meaning]) -> list[Block | str]:
    blocks: list[Block | str] = []
    for meaning in readings:
        word = "Published" if meaning.published else "Also"
        blocks.append(Paragraph(f"{word}: {meaning}.", "  "))
        if not meaning.published:
            blocks.append(Commands((meaning.command,)))
    return blocks


def _typed(answer: Meanings) -> str:
    return answer.text or str(answer.value)


def _nearest(answer: Meanings) -> list[Block | str]:
    if not answer.nearest:
        return ["Nothing that is known comes near it."]
    blocks: list[Block | str] = [Paragraph("Nearest:")]
    for meaning in answer.nearest:
        blocks.append(Paragraph(f"  {written(meaning.value)} is: {meaning}.", "    "))
        blocks.append(Commands((meaning.command,), indent="    "))
    return blocks
