"""`noughts whatis`: the meanings of a number or a sequence, with the commands that print them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from noughts.analysis.explain.wording import listed
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
from noughts.rules.board import ENDING, Board, begins_with_name
from noughts.rules.errors import InputError, shown
from noughts.verbs.request import Caller, VerbAnswer, VerbRequest, argument, option, read_board


@dataclass(frozen=True, kw_only=True)
class WhatisRequest(VerbRequest):
    """Conventions that give NUMBER, the simplest first, or the nearest numbers; with BOARD, on that board only.

    BOARD can be a file of lines, bow.lines. NUMBER can be written 26830, 31,896, 9!, 3^9, 501/560, 0.89 or 58%. A
    number of the OEIS, A061526, or terms with commas, 1, 24, 255168, give the sequence if noughts has it.
    """

    words: tuple[str, ...] = argument("[BOARD] NUMBER")
    everything: bool = option("Every meaning, not only the first few", False, name="all", where="commands")
    quick: bool = option(
        "Search of 3x3 or BOARD only, one rule for both players, and published numbers", False, where="commands"
    )

    time: str | None = option("Longest search, such as 10s or 5m", metavar="TIME", where="commands")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        return (
            (
                (self.everything or self.quick or self.time is not None) and is_sequence(" ".join(self.words)),
                "--all, --quick and --time cannot be used with a sequence: remove them",
            ),
            (
                self.everything and self.form == "json",
                "--all cannot be used with --format json, which always has every meaning: remove --all",
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the meanings of a number, or the sequences with these terms."""
        if is_sequence(" ".join(self.words)):
            known = look_up_sequence(" ".join(self.words))
            return VerbAnswer(known, sequence_forms(known, caller.look))
        board, number = self._board_and_number()
        spec = board if board is None or isinstance(board, str) else board.spec
        carried = not self.everything and self.form != "json"
        found = whatis(number, board=board, quick=self.quick, carried=carried, time=self.time, progress=caller.progress)
        return VerbAnswer(found, forms(found, caller.look, everything=self.everything, board=spec))

    def _board_and_number(self) -> tuple[Board | str | None, str]:
        """Return the board or None, and the number."""
        first, *rest = self.words
        is_file = first.lower().endswith(ENDING)
        is_board = is_file or begins_with_name(first) or re.match("[0-9]+[x×][0-9]", first, re.IGNORECASE)
        if not is_board:
            return None, " ".join(self.words)
        if not rest:
            raise InputError(f"{shown(first)} is a board: add the number, as in noughts whatis {first} 765")
        return (read_board(first) if is_file else first), " ".join(rest)


_SHOWN = 400
"""Most characters of terms in a report."""


def sequence_forms(found: SequenceMatches, look: Look) -> Forms:
    """Return the sequences found in every form."""
    return report_forms(lambda: sequence_report(found), found.as_dict, look)


def sequence_report(found: SequenceMatches) -> Report:
    """Return the report on the sequences found, or on those that noughts has."""
    if not found.matches:
        numbers = listed(sorted({each.id[:7] for each in known_sequences()}))
        return Report.of(
            [f"{found.asked} is not in the sequences of noughts: {numbers}."],
            [try_next("noughts whatis A061526", "noughts count 1x1..5x5 --column finished --format oeis")],
        )
    return Report.of(*[_sequence_blocks(each, place) for each, place in found.matches])


def _sequence_blocks(each: KnownSequence, place: int | None) -> list[Block | str]:
    where = "" if place is None else f" The given terms begin at number {place}."
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
    """Return terms with commas, at least one, up to a length."""
    text = str(terms[0])
    for term in terms[1:]:
        if len(f"{text}, {term}") > _SHOWN:
            return f"{text}, ..."
        text += f", {term}"
    return text


# The meanings of a number with the commands that print them, else the nearest numbers.

_SHOWN_LOOKUP = 8


def forms(answer: Meanings, look: Look, *, everything: bool = False, board: str | None = None) -> Forms:
    """Return the meanings of a number in every form; a report has the first few, or `everything`.

    `board` is the given board, if any.
    """
    return report_forms(lambda: report(answer, everything=everything, board=board), answer.as_dict, look)


def report(answer: Meanings, *, everything: bool = False, board: str | None = None) -> Report:
    """Return the report on a number."""
    limit = len(answer.matches) if everything else _SHOWN_LOOKUP
    slips = [meaning for meaning in answer.matches if meaning.slip]
    readings = [meaning for meaning in answer.matches if not meaning.slip]
    blocks = _readings(readings[1:limit], answer.value, {each.command for each in readings[:1]})
    if readings:
        lead = f"{_is(answer.said, readings[0], answer.value)}."
        blocks = [*_command(readings[0]), *blocks]
        blocks += [Paragraph(f"A slip: {meaning.said}.", "  ") for meaning in slips]
    elif slips:
        lead = f"{answer.said} is a slip: {slips[0].said}."
    else:
        lead = _nothing(answer, board)
    words = f"{board} {_typed(answer)}" if board else _typed(answer)
    if len(readings) > limit:
        rest = len(readings) - limit
        blocks.append(Paragraph(f"And {rest:,} more meaning{'' if rest == 1 else 's'}: noughts whatis {words} --all"))
    next_number = f"{answer.perhaps}" if answer.perhaps else _typed(answer)
    more = not answer.matches and (board or answer.cut or answer.perhaps)
    elsewhere = [try_next(f"noughts whatis {next_number}")] if more else []
    if answer.matches and answer.cut and len(readings) <= limit:
        blocks.append(Paragraph(f"Known without a search. Further meanings: noughts whatis {words} --all"))
    return Report.of(
        [lead, *blocks, *(_nearest(answer) if not readings and not (slips and answer.cut) else [])], elsewhere
    )


def _readings(readings: list[Meaning], value: int | Fraction, shown: set[str]) -> list[Block | str]:
    """Return further readings, each with its value unless that is `value`, and its command unless that is `shown`."""
    blocks: list[Block | str] = []
    for meaning in readings:
        where = f" on {meaning.board}" if meaning.board else ""
        exact = "" if meaning.value == value else f", {meaning.value}"
        blocks.append(Paragraph(f"{meaning.by or 'Also'}{where}{exact}: {meaning.said}.", "  "))
        blocks += _command(meaning) if meaning.command not in shown else []
        shown.add(meaning.command)
    return blocks


def _command(meaning: Meaning, indent: str = "  ") -> list[Commands]:
    """Return the command that prints a number; none if no command does."""
    return [Commands((meaning.command,), indent=indent)] if meaning.command else []


def _is(number: str, meaning: Meaning, value: int | Fraction) -> str:
    """Return the meaning of a number, with the board beside the number, and its exact value if that differs."""
    where = f" on {meaning.board}" if meaning.board else ""
    exact = "" if meaning.value == value else f" {meaning.value}"
    return f"{number}{where} is{exact}: {meaning.said}"


def _nothing(answer: Meanings, board: str | None) -> str:
    """Return that a number has no known meaning, and what was searched."""
    for_board = f" for {board}" if board else ""
    unpublished = f"no publication of it{for_board} is known"
    if not answer.boards:
        no_board = "a count is a whole number, and a chance or score is at most 1"
        sentence = f"{answer.said} matches nothing: {no_board}, and {unpublished}"
    elif answer.stopped:
        sentence = (
            f"{answer.said} was not found on {listed(list(answer.boards))} before the time was up, and {unpublished}"
        )
    elif answer.cut:
        where = listed(list(answer.boards))
        sentence = (
            f"{answer.said} matches nothing on {where} with one rule for both players, and {unpublished}; other boards "
            "and rules were not searched"
        )
    else:
        where = f"on {board}" if board else "on the boards that are quick to count"
        sentence = f"{answer.said} matches nothing: no convention {where} gives it, and {unpublished}"
    return f"{sentence}; did you mean {answer.perhaps:,}?" if answer.perhaps else f"{sentence}."


def _typed(answer: Meanings) -> str:
    return answer.text or str(answer.value)


def _nearest(answer: Meanings) -> list[Block | str]:
    if not answer.nearest:
        return ["No known number is near it."]
    blocks: list[Block | str] = [Paragraph("Nearest:")]
    for meaning in answer.nearest:
        blocks.append(Paragraph(f"  {_is(written(meaning.value), meaning, meaning.value)}.", "    "))
        blocks += _command(meaning, "    ")
    return blocks
