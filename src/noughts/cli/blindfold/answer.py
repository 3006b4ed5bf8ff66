"""What is known about a blind game: the question, the answer, and the proof of a value."""

from __future__ import annotations

import json
from typing import Any

from noughts.blindfold.answer import PARTS
from noughts.blindfold.api import solve_blindfold
from noughts.blindfold.game.rules import BlindRules
from noughts.cli.sink import Sink, put_file, writable
from noughts.domain.board import Board
from noughts.domain.cells import parse_cell
from noughts.domain.errors import InvalidQuestion
from noughts.reports.blindfold.answer import forms

__all__ = ["run"]


def run(board_text: str, options: dict[str, Any], to: Sink) -> None:
    """Answer and write."""
    board = Board.parse(board_text)
    rules = BlindRules(options["blind"], options["opening_told"], options["collision"], options["told"])
    if options["safe"] and options["goal"] != "win-often":
        raise InvalidQuestion("--safe goes with --goal win-often: the other goals never lose anyway")
    proof_file = writable(options["proof"])
    answer = solve_blindfold(
        board,
        rules,
        options["goal"],
        first=_cell(board, options["first"]),
        opening=_cell(board, options["opening"]),
        never_lose_too=options["safe"],
        parts=_parts(options["parts"]),
    )
    to.write(forms(answer, to.look))
    if proof_file is not None:
        from noughts.blindfold.certificates.proof import prove

        proof = prove(board, rules, _cell(board, options["opening"]))
        put_file(proof_file, (json.dumps(proof) + "\n").encode())


def _cell(board: Board, text: str | None) -> int | None:
    return None if text is None else parse_cell(board, text)


def _parts(text: str) -> list[str]:
    parts = [part.strip().replace("-", "_") for part in text.split(",") if part.strip()]
    return list(PARTS) if "all" in parts else parts
