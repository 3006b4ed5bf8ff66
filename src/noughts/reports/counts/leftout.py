"""What a page of all conventions leaves out, why, and which commands compute what can be computed."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.counting.conventions.ladder import Rung
from noughts.counting.conventions.matrix import Entry
from noughts.counting.question import SAMENESSES
from noughts.domain.rules import END_RULES
from noughts.reports.page import Block, Paragraph
from noughts.reports.tables import Table
from noughts.strategy.sentences import listed

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
        found.append(["Left out, over the budget of this call; these commands compute them:"])
        found.append([_table(["command", "cost", "also with"], _merged(near))])
    for entries, why in (
        (unknown, "Over the budget, by how much is not known"),
        (far, "Out of reach, for they need a list of the classes"),
    ):
        if entries:
            found.append([f"{why}{_least(entries)}:"])
            found.append([_table(["command", "also with"], _commands(entries))])
    return [*found, _rungs(positions)]


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Return rows as a table without the columns that say nothing."""
    keep = [i for i in range(len(heading)) if any(row[i] for row in rows)]
    return Table([heading[i] for i in keep], [[row[i] for i in keep] for row in rows], frozenset(range(len(keep))))


def _also(option: str, values: Sequence[str]) -> str:
    """Return the other values that an option may take; nothing where there are none."""
    return f"{option} {listed(list(values), 'or')}" if values else ""


def _is_worth_trying(entry: Entry) -> bool:
    memory, seconds = WORTH_TRYING
    return entry.cost is not None and entry.cost.memory <= memory and entry.cost.seconds <= seconds


def _merged(entries: Sequence[Entry]) -> list[tuple[str, str, str]]:
    """Return commands, their costs, and what else is computed: those that differ in what is the same only are one."""
    alike: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in entries:
        alike.setdefault((entry.question.x_moves, entry.question.end, entry.reason or ""), []).append(entry)
    return [
        (some[0].command, reason, _also("--same", [entry.question.same for entry in some[1:]]))
        for (_, _, reason), some in alike.items()
    ]


def _least(entries: Sequence[Entry]) -> str:
    costs = [entry.cost for entry in entries if entry.cost is not None]
    if not costs:
        return ""
    least = min(costs, key=lambda cost: (cost.seconds, cost.memory))
    return f" ({least.words}{' or more' * (len(set(costs)) > 1 and not least.at_least)})"


def _commands(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    """Return the questions as a few commands, each with what else is meant: whole rules, whole ends, what remains."""
    board = entries[0].question.board
    missing: dict[str, dict[str, list[str]]] = {}
    for entry in entries:
        question = entry.question
        missing.setdefault(question.x_moves, {}).setdefault(question.end, []).append(question.same)
    whole = [rule for rule, ends in missing.items() if all(ends.get(end) == list(SAMENESSES) for end in END_RULES)]
    asked = [(f"--moves {whole[0]}", _also("--moves", whole[1:]))] if whole else []
    for rule, ends in missing.items():
        if rule in whole:
            continue
        alike: dict[tuple[str, ...], list[str]] = {}
        for end, by_same in ends.items():
            alike.setdefault(tuple(by_same), []).append(end)
        for sames, under in alike.items():
            few = list(sames) != list(SAMENESSES)
            also = [_also("--end", under[1:]), _also("--same", sames[1:] if few else ())]
            by = f" --same {sames[0]}" if few else ""
            asked.append((f"--moves {rule} --end {under[0]}{by}", " and ".join(filter(None, also))))
    return [(f"noughts count {board} {options}", also) for options, also in asked]


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
