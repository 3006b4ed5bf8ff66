"""What a page of all conventions leaves out, why, and which commands compute what can be computed."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.counting.conventions.ladder import Rung
from noughts.counting.conventions.matrix import Entry
from noughts.counting.question import SAMENESSES
from noughts.domain.rules import END_RULES
from noughts.reports.page import Block, Commands, Paragraph
from noughts.reports.tables import Table

__all__ = ["left_out"]

WORTH_TRYING = 100 * 10**9, 86400.0
"""Bytes and seconds up to which somebody may want to start a count."""


def left_out(games: Sequence[Entry], positions: Sequence[Rung]) -> list[list[Block | str]]:
    """Return sections that name what does not fit the budget, with the commands that ask for it."""
    absent = [entry for entry in games if entry.finished is None]
    unknown = [entry for entry in absent if entry.cost is not None and entry.cost.at_least]
    near = [entry for entry in absent if entry not in unknown and _is_worth_trying(entry)]
    far = [entry for entry in absent if entry not in unknown and entry not in near]
    found: list[list[Block | str]] = []
    if near:
        rows = [[command, reason] for command, reason in _merged(near)]
        found.append(["Left out, over the budget of this call; these commands compute them:"])
        found.append([Table(["command", "cost"], rows, frozenset({0, 1}))])
    for entries, why in (
        (unknown, "Over the budget, by how much is not known"),
        (far, "Out of reach, for they need a list of the classes"),
    ):
        if entries:
            found.append([f"{why}{_least(entries)}:", Commands(tuple(_commands(entries)))])
    return [*found, _rungs(positions)]


def _is_worth_trying(entry: Entry) -> bool:
    memory, seconds = WORTH_TRYING
    return entry.cost is not None and entry.cost.memory <= memory and entry.cost.seconds <= seconds


def _merged(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    """Return commands with their costs; questions that differ in what counts as the same only, at one cost, are one."""
    alike: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in entries:
        alike.setdefault((entry.question.x_moves, entry.question.end, entry.reason or ""), []).append(entry)
    return [
        (some[0].command.replace(f"--same {some[0].question.same}", f"--same {sames}"), reason)
        for (_, _, reason), some in alike.items()
        for sames in ("|".join(entry.question.same for entry in some),)
    ]


def _least(entries: Sequence[Entry]) -> str:
    costs = [entry.cost for entry in entries if entry.cost is not None]
    if not costs:
        return ""
    least = min(costs, key=lambda cost: (cost.seconds, cost.memory))
    return f" ({least.words}{' or more' * (len(set(costs)) > 1 and not least.at_least)})"


def _commands(entries: Sequence[Entry]) -> list[str]:
    """Return the questions as a few commands: whole rules first, then whole ends of a rule, then what remains."""
    board = entries[0].question.board
    missing: dict[str, dict[str, list[str]]] = {}
    for entry in entries:
        question = entry.question
        missing.setdefault(question.x_moves, {}).setdefault(question.end, []).append(question.same)
    whole = [rule for rule, ends in missing.items() if all(ends.get(end) == list(SAMENESSES) for end in END_RULES)]
    asked = [f"--moves {'|'.join(whole)}"] if whole else []
    for rule, ends in missing.items():
        if rule in whole:
            continue
        alike: dict[tuple[str, ...], list[str]] = {}
        for end, by_same in ends.items():
            alike.setdefault(tuple(by_same), []).append(end)
        for sames, under in alike.items():
            by = "" if list(sames) == list(SAMENESSES) else f" --same {'|'.join(sames)}"
            asked.append(f"--moves {rule} --end {'|'.join(under)}{by}")
    return [f"noughts count {board} {options}" for options in asked]


def _rungs(positions: Sequence[Rung]) -> list[Block | str]:
    """Name the positions that were left out, those with the same reason together."""
    reasons: dict[tuple[str | None, str | None], list[str]] = {}
    for rung in positions:
        if rung.count is None:
            reasons.setdefault((rung.reason, rung.command), []).append(rung.name)
    return [
        Paragraph(f"Left out, {'; '.join(names)}: {reason}{f'; {command}' if command else ''}", "  ")
        for (reason, command), names in reasons.items()
    ]
