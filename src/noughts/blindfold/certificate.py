"""Strategies in files: written as JSON or as indented text, and read back; every error is one sentence."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

from noughts.blindfold.game import (
    FORMAT,
    GOALS,
    Answer,
    BlindRules,
    Branches,
    Goal,
    History,
    Plan,
    Strategy,
    board_word,
    names,
    rules_in,
    state_text,
    text_in,
)
from noughts.blindfold.knowledge import read_state
from noughts.machine.reading import parse_json, read_text, require_version
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import InputError, shown
from noughts.rules.marks import Mask, mask_of

__all__ = ["SIZE_LIMIT", "document_of", "from_json", "from_text", "loads", "plan_from_json", "read", "to_text"]

SIZE_LIMIT = 64 * 2**20
"""The most bytes of a file."""

_DEPTH_LIMIT = 200
_FIELDS = ("format", "version", "board", "blind", "opening_told", "collision", "told", "goal", "plan")


def _named(board: Board, text: str) -> Mask:
    return mask_of(parse_cell(board, name) for name in text.split())


# JSON


def _object(value: object, where: str, keys: tuple[str, ...] | None = None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{where} is not an object: write it as noughts blindfold --format json does")
    if keys is not None:
        for key in keys:
            if key not in value:
                missing = "branch" if key in ("free", "taken", "next") else "entry"
                raise InputError(f"{where} has no {missing} {key!r}: write null if the game is over there")
        for key in value:
            if key not in keys:
                raise InputError(f"{where} has an unknown entry {shown(str(key))}: it has {', '.join(keys)}")
    return value


def from_json(document: object) -> Strategy:
    """Return the strategy of a certificate, or of an answer of `noughts blindfold` with a strategy.

    Raises InputError for a missing or unknown entry, or one of the wrong type.
    """
    record = _object(document, "the certificate")
    if "format" not in record and "strategy" in record:
        if record["strategy"] is None:
            raise InputError("the file has an answer without a strategy: give one with a strategy to check")
        record = _object(record["strategy"], "the strategy")
    record = _object(record, "the certificate")
    begun = record.get("from")
    record = _object({key: record[key] for key in record if key != "from"}, "the certificate", _FIELDS)
    require_version("the strategy", record)
    if record["format"] != FORMAT:
        raise InputError(f"the certificate is not of the format {FORMAT}, version 1")
    board, rules = rules_in(record)
    goal = _goal(text_in(record, "goal"), rules)
    history = () if begun is None else read_state(board, rules, text_in({"from": begun}, "from"))
    return Strategy(board, rules, goal, _roots_from_json(board, rules, record["plan"], history), history)


def _goal(text: str, rules: BlindRules) -> Goal:
    if rules.blind == "both":
        raise InputError("a certificate is for one blind player: 'blind' is X or O")
    if text not in GOALS:
        raise InputError(f"the goal {shown(text)} is unknown: choose from {', '.join(GOALS)}")
    return text


def _roots_from_json(board: Board, rules: BlindRules, plan: object, history: History) -> Branches:
    if rules.opening_told and not history:
        openings = _object(_object(plan, "the plan", ("openings",))["openings"], "the plan after the openings")
        return {
            Answer("opening", _named(board, name)): plan_from_json(board, rules, below, f"opening {shown(name)}", 0)
            for name, below in openings.items()
        }
    return {} if plan is None else {Answer("start"): plan_from_json(board, rules, plan, "the first call", 0)}


def plan_from_json(board: Board, rules: BlindRules, value: object, where: str, depth: int) -> Plan:
    """Return a plan from nested calls; `where` names its place, `depth` calls deep. Raises InputError."""
    if depth > _DEPTH_LIMIT:
        raise InputError(f"the plan is more than {_DEPTH_LIMIT} calls deep: games are shorter")
    keys = ("call", "next") if rules.is_silent else ("call", "free", "taken")
    place = _object(value, where, keys)
    call = parse_cell(board, text_in(place, "call"))
    branches: dict[Answer, Plan] = {}
    for kind in ("next",) if rules.is_silent else ("free", "taken"):
        below = place[kind]
        if below is None:
            continue
        here = f"the place after {cell_name(board, call)} is {kind}"
        if kind == "taken" and not rules.names_none:
            for name, plan in _object(below, here).items():
                branches[Answer("taken", _named(board, name))] = plan_from_json(board, rules, plan, here, depth + 1)
        else:
            branches[Answer(cast(Any, kind))] = plan_from_json(board, rules, below, here, depth + 1)
    return Plan(call, branches)


# Text


def to_text(strategy: Strategy) -> str:
    """Return the certificate as text: a head of two lines, then one line for each place, indented by its depth."""
    rules = strategy.rules
    opening = "yes" if rules.opening_told else "no"
    values = (board_word(strategy.board), rules.blind, opening, rules.collision, rules.told, strategy.goal)
    begun = f", from {state_text(strategy.board, rules, strategy.history)}" if strategy.history else ""
    head = [f"{FORMAT} 1", ", ".join(map("{} {}".format, _HEAD_WORDS, values)) + begun]
    lines = [
        line for answer, plan in strategy.branches.items() for line in _plan_lines(strategy.board, answer, plan, 0)
    ]
    return "\n".join(head + lines) + "\n"


def _plan_lines(board: Board, answer: Answer, plan: Plan, depth: int) -> list[str]:
    cells = f" {names(board, answer.cells)}" if answer.cells else ""
    lines = [f"{'  ' * depth}{answer.kind}{cells}: {cell_name(board, plan.call)}"]
    for below, after in plan.branches.items():
        lines += _plan_lines(board, below, after, depth + 1)
    return lines


_HEAD_WORDS = tuple(key.replace("_", " ") for key in _FIELDS[2:-1])
_HEAD = re.compile(", ".join(rf"{word} (\S+)" for word in _HEAD_WORDS) + r"(?:, from (.+))?", re.ASCII)
_PLACE = re.compile(r"((?:  )*)(start|opening|free|taken|next)((?: [a-z0-9.]+)*): ([a-z0-9.]+)", re.ASCII | re.I)


def from_text(text: str) -> Strategy:
    """Return the strategy of a certificate in text. Raises InputError, which shows the wrong line."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    head = _HEAD.fullmatch(lines[1]) if len(lines) > 1 and lines[0] == f"{FORMAT} 1" else None
    if head is None or head[3] not in ("yes", "no"):
        raise InputError(f"the certificate is neither JSON nor text that begins with {FORMAT} 1 and a line of rules")
    told, silent = head[3] == "yes", head[5] == "nothing"
    values = [FORMAT, 1, head[1], head[2], told, head[4], head[5], head[6]]
    record: dict[str, Any] = dict(zip(_FIELDS, values, strict=False)) | ({} if head[7] is None else {"from": head[7]})
    levels: list[dict[str, Any]] = [{"openings": None} if told and head[7] is None else {"start": None}]
    for line in lines[2:]:
        match = _PLACE.fullmatch(line)
        depth = len(match[1]) // 2 if match else 0
        if match is None or depth >= len(levels):
            raise InputError(f"the line {shown(line)} is not a place of a plan: write 'free: b2', two blanks deeper")
        kind, cells, into = match[2].lower(), match[3].strip(), levels[depth]
        if cells:  # places by the cells that the referee names
            kind = "openings" if kind == "opening" else kind
            into[kind] = {} if into.get(kind) is None else into[kind]
            kind, into = cells, into[kind]
        if ("call" in into and cells) or into.get(kind) is not None or (kind not in into and not cells):
            raise InputError(f"the line {shown(line.strip())} is impossible under these rules, or repeats a branch")
        into[kind] = {"call": match[4]} | dict.fromkeys(("next",) if silent else ("free", "taken"))
        levels[depth + 1 :] = [into[kind]]
    return from_json({**record, "plan": levels[0].get("start", levels[0])})


# Files


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise InputError("the certificate has an entry twice in one object: remove one of them")
    return record


def read(path: str | Path) -> str:
    """Return the text of a certificate's file. Raises InputError where it cannot be read completely."""
    path = Path(path)
    try:
        return read_text(path, SIZE_LIMIT)
    except OSError as error:
        raise InputError(f"{shown(str(path))} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{shown(str(path))} is not a text file: give a certificate in JSON or text") from None


def loads(text: str) -> Strategy:
    """Return the strategy in a text, which is JSON or indented text."""
    document = document_of(text)
    return from_text(text) if document is None else from_json(document)


def document_of(text: str) -> Any:
    """Return the JSON document in a text, None if the text does not begin like JSON. Raises InputError."""
    if not text.lstrip().startswith(("{", "[", '"')):
        return None
    return parse_json(text, "the certificate", _no_repeats)
