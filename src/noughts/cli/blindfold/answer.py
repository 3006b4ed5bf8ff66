"""Prints what is known about a blind game: for people, as JSON, as a certificate, and as a picture of the strategy."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from noughts.blindfold.answer import PARTS, BlindAnswer
from noughts.blindfold.api import solve_blindfold
from noughts.blindfold.game.rules import BlindRules
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import InputError, InvalidQuestion, shown

__all__ = ["record", "run"]


def run(board_text: str, options: dict[str, Any]) -> None:
    """Answer and print or write."""
    form, output = options["form"], options["output"]
    if form not in ("table", "json", "svg", "pdf", "text"):
        raise InputError(f"--format {shown(form)} is not known: use table, json, svg, pdf or text")
    if form == "pdf" and output is None:
        raise InputError("a PDF goes to a file: add -o FILE.pdf")
    board = Board.parse(board_text)
    rules = BlindRules(options["blind"], options["opening_told"], options["collision"], options["told"])
    if options["safe"] and options["goal"] != "win-often":
        raise InvalidQuestion("--safe goes with --goal win-often: the other goals never lose anyway")
    answer = solve_blindfold(
        board,
        rules,
        options["goal"],
        first=_cell(board, options["first"]),
        opening=_cell(board, options["opening"]),
        never_lose_too=options["safe"],
        parts=_parts(options["parts"]),
    )
    _put(_rendered(answer, form, options), output)
    if options["proof"] is not None:
        from noughts.blindfold.certificates.proof import prove

        proof = prove(board, rules, _cell(board, options["opening"]))
        _put((json.dumps(proof) + "\n").encode(), options["proof"])


def _cell(board: Board, text: str | None) -> int | None:
    return None if text is None else parse_cell(board, text)


def _parts(text: str) -> list[str]:
    parts = [part.strip().replace("-", "_") for part in text.split(",") if part.strip()]
    return list(PARTS) if "all" in parts else parts


def _rendered(answer: BlindAnswer, form: str, options: dict[str, Any]) -> bytes:
    if form == "json":
        return (json.dumps(record(answer), indent=1) + "\n").encode()
    if form == "table":
        from noughts.reports.blindfold import people

        return (people(answer, options["first"]) + "\n").encode()
    if answer.strategy is None:
        raise InputError(f"there is no strategy to write: {_missing(answer)}")
    if form == "text":
        from noughts.blindfold.certificates.certificate import to_text

        return to_text(answer.strategy).encode()
    from noughts.drawing.strategy import pdf, svg

    return svg(answer.strategy) if form == "svg" else pdf(answer.strategy)


def _missing(answer: BlindAnswer) -> str:
    if answer.goal == "win-often":
        return "chances are not worked out for this game; ask --with win_probability"
    if answer.rules.blind == "both":
        return "with both players blind only sizes and bounds are known"
    return f"{answer.rules.blind} cannot make sure of it (as asked); try --goal win-often, or another --first"


def _put(data: bytes, output: str | None) -> None:
    if output is None:
        sys.stdout.write(data.decode())
        return
    from noughts.drawing import write_whole

    path = write_whole(Path(output), data)
    print(f"Wrote {path} ({len(data):,} bytes).", file=sys.stderr)


# JSON


def record(answer: BlindAnswer) -> dict[str, Any]:
    """Return the answer as a JSON object; counts are decimal strings, what was not worked out is null."""
    from noughts.blindfold.certificates.certificate import to_json

    board, rules = answer.board, answer.rules

    def named(values: Mapping[int, Any] | None) -> dict[str, Any] | None:
        return None if values is None else {cell_name(board, cell): _plain(value) for cell, value in values.items()}

    found: dict[str, Any] = {
        "board": board.spec,
        "blind": rules.blind,
        "opening_told": rules.opening_told,
        "collision": rules.collision,
        "told": rules.told,
        "goal": answer.goal,
        "never_lose": answer.never_lose,
        "always_win": answer.always_win,
        "safe_first_calls": None if answer.safe_first_calls is None
        else [cell_name(board, cell) for cell in answer.safe_first_calls],
        "information_sets": {
            key: _count(answer.information_sets.get(key)) for key in ("all", "safe", "all_classes", "safe_classes")
        },
        "histories": _count(answer.histories),
        "smallest_strategy": named(answer.smallest_strategy),
        "strategies": _count(answer.strategies),
        "win_probability": {key: named(answer.win_probability.get(key)) for key in ("never_lose", "any")},
        "value": _plain(answer.value),
        "value_bounds": None if answer.value_bounds is None else [str(bound) for bound in answer.value_bounds],
        "strategy": None if answer.strategy is None else to_json(answer.strategy),
        "left_out": answer.left_out,
    }  # fmt: skip
    if answer.sizes is not None:
        found["sizes"] = {player: str(count) for player, count in answer.sizes.items()}
    if answer.openings is not None:
        found["openings"] = {cell_name(board, cell): _short(record(one)) for cell, one in answer.openings.items()}
    return found


def _short(found: dict[str, Any]) -> dict[str, Any]:
    keys = (
        "never_lose",
        "always_win",
        "safe_first_calls",
        "smallest_strategy",
        "win_probability",
        "value",
        "value_bounds",
    )
    return {key: found[key] for key in keys}


def _count(value: int | None) -> str | None:
    return None if value is None else str(value)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value
