"""`noughts whatis`: what a number or a sequence can mean: its readings with the commands that print them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from noughts.analysis.explain.facts import listed
from noughts.analysis.meanings.known import (
    KnownSequence,
    SequenceMatches,
    is_sequence,
    known_sequences,
    look_up_sequence,
)
from noughts.analysis.meanings.lookup import whatis
from noughts.analysis.meanings.meaning import Meaning, Meanings, written
from noughts.present.forms import Forms, report_forms
from noughts.present.report import Block, Commands, How, Look, Paragraph, Report, try_next
from noughts.rules.board import ENDING, Board
from noughts.rules.errors import InputError, shown
from noughts.verbs.request import (
    Caller,
    VerbAnswer,
    VerbRequest,
    argument,
    option,
    read_board,
)


@dataclass(frozen=True, kw_only=True)
class WhatisRequest(VerbRequest):
    """Which convention gives NUMBER, the simplest first, or the nearest ones; with BOARD, on that board.

    BOARD may be a file of lines, bow.lines. NUMBER may be written 26830, 31,896, 9!, 3^9, 501/560, 0.89 or 58.5%.
    A number of the OEIS, A061526, or terms with commas, 1, 24, 255168, are looked up among the sequences carried here.
    """

    words: tuple[str, ...] = argument("[BOARD] NUMBER")
    everything: bool = option("List every reading, not only the first few.", False, name="all", where="commands")
    quick: bool = option(
        "Look only at 3x3 or BOARD, both players by one rule; and what was published.", False, where="commands"
    )

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return what a sequence, or JSON, leaves nothing to do."""
        return (
            (
                (self.everything or self.quick) and is_sequence(" ".join(self.words)),
                "--all and --quick are about one number: leave them out for a sequence",
            ),
            (
                self.everything and self.form == "json",
                "--all has no place in --format json, which always lists every reading: leave it out",
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the readings of a number, or the sequences that begin so."""
        if is_sequence(" ".join(self.words)):
            known = look_up_sequence(" ".join(self.words))
            return VerbAnswer(known, sequence_forms(known, caller.look))
        board, number = self._board_and_number()
        spec = board if board is None or isinstance(board, str) else board.spec
        found = whatis(number, board=board, quick=self.quick, progress=caller.progress)
        return VerbAnswer(found, forms(found, caller.look, everything=self.everything, board=spec))

    def _board_and_number(self) -> tuple[Board | str | None, str]:
        """Return the board, None where there is none, and the number."""
        first, *rest = self.words
        is_file = first.lower().endswith(ENDING)
        if not is_file and re.match("[0-9]+[x×][0-9]", first, re.IGNORECASE) is None:
            return None, " ".join(self.words)
        if not rest:
            raise InputError(f"{shown(first)} is a board: add the number, as in noughts whatis {first} 765")
        return (read_board(first) if is_file else first), " ".join(rest)


_SHOWN = 400
"""Characters of terms that are shown."""


def sequence_forms(found: SequenceMatches, look: Look) -> Forms:
    """Return the sequences found in every form."""
    return report_forms(lambda: sequence_report(found), found.as_dict, look)


def sequence_report(found: SequenceMatches) -> Report:
    """Return what there is to say about the sequences found, or which ones are carried."""
    if not found.matches:
        numbers = listed(sorted({each.id[:7] for each in known_sequences()}))
        return Report.of(
            [f"{found.asked} is in none of the sequences that noughts carries: {numbers}."],
            [try_next("noughts whatis A061526", "noughts count 1x1..5x5 --column finished --format oeis")],
        )
    return Report.of(*[_sequence_blocks(each, place) for each, place in found.matches])


def _sequence_blocks(each: KnownSequence, place: int | None) -> list[Block | str]:
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
    text = ""
    for number, term in enumerate(terms):
        longer = f"{text}, {term}" if text else str(term)
        if number and len(longer) > _SHOWN:
            return f"{text}, ..."
        text = longer
    return text


# What a number can mean: its readings with the commands that print them, else the nearest numbers.

_SHOWN_LOOKUP = 8


def forms(answer: Meanings, look: Look, *, everything: bool = False, board: str | None = None) -> Forms:
    """Return the readings of a number in every form; the first few for people unless `everything` is asked.

    `board` is the one that was asked about, if any.
    """
    return report_forms(lambda: report(answer, everything=everything, board=board), answer.as_dict, look)


def report(answer: Meanings, *, everything: bool = False, board: str | None = None) -> Report:
    """Return what there is to say about a number."""
    limit = len(answer.matches) if everything else _SHOWN_LOOKUP
    slips = [meaning for meaning in answer.matches if meaning.slip]
    readings = [meaning for meaning in answer.matches if not meaning.slip]
    blocks = _readings(readings[1:limit])
    if readings:
        lead = f"{_is(answer.said, readings[0])}."
        blocks = [Commands((readings[0].command,)), *blocks]
        blocks += [Paragraph(f"A slip: {meaning}.", "  ") for meaning in slips]
    elif slips:
        lead = f"{answer.said} is a slip: {slips[0]}."
    else:
        lead = _nothing(answer, board)
    if len(readings) > limit:
        words = f"{board} {_typed(answer)}" if board else _typed(answer)
        rest = len(readings) - limit
        blocks.append(Paragraph(f"And {rest:,} more reading{'' if rest == 1 else 's'}: noughts whatis {words} --all"))
    next_number = f"{answer.perhaps}" if answer.perhaps else _typed(answer)
    more = not answer.matches and (board or answer.cut or answer.perhaps)
    elsewhere = [try_next(f"noughts whatis {next_number}")] if more else []
    return Report.of([lead, *blocks, *(_nearest(answer) if not readings else [])], elsewhere)


def _readings(readings: list[Meaning]) -> list[Block | str]:
    blocks: list[Block | str] = []
    for meaning in readings:
        where = f" on {meaning.board}" if meaning.board else ""
        blocks.append(Paragraph(f"{meaning.by or 'Also'}{where}: {meaning.said}.", "  "))
        if not meaning.published:
            blocks.append(Commands((meaning.command,)))
    return blocks


def _is(number: str, meaning: Meaning) -> str:
    """Return what a number is, the board named with the number."""
    where = f" on {meaning.board}" if meaning.board else ""
    return f"{number}{where} is: {meaning.said}"


def _nothing(answer: Meanings, board: str | None) -> str:
    """Return that nothing gives a number, and what was looked at: no more than that."""
    for_board = f" for {board}" if board else ""
    unpublished = f"nobody is known to have published it{for_board}"
    if not answer.boards:
        no_board = "no count is a fraction, and no chance or score exceeds 1"
        sentence = f"{answer.said} matches nothing: {no_board}, and {unpublished}"
    elif answer.cut:
        where = listed(list(answer.boards))
        sentence = (
            f"{answer.said} matches nothing on {where}, where both players are bound by the same rules of moving, and "
            f"{unpublished}; other boards and rules were not looked at"
        )
    else:
        where = f"on {board}" if board else "on the boards that are quick to count"
        sentence = f"{answer.said} matches nothing: no convention {where} gives it, and {unpublished}"
    return f"{sentence}; did you mean {answer.perhaps:,}?" if answer.perhaps else f"{sentence}."


def _typed(answer: Meanings) -> str:
    return answer.text or str(answer.value)


def _nearest(answer: Meanings) -> list[Block | str]:
    if not answer.nearest:
        return ["Nothing that is known comes near it."]
    blocks: list[Block | str] = [Paragraph("Nearest:")]
    for meaning in answer.nearest:
        blocks.append(Paragraph(f"  {_is(written(meaning.value), meaning)}.", "    "))
        blocks.append(Commands((meaning.command,), indent="    "))
    return blocks
