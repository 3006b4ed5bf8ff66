"""A machine as a file: its rules, the beads of every box, and the same as the moves of a policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from noughts.bots.menace.boxes import Cabinet
from noughts.bots.menace.rules import BeadRules, bead_rules
from noughts.domain.arguments import one_of, path_of, whole_number
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import InputError, shown
from noughts.domain.notation import parse_position
from noughts.domain.players import Player
from noughts.machine.reading import FILE_VERSION, require_version
from noughts.strategy.policyfile import read_json, require_beads

__all__ = ["Saved", "beads_of", "head_of", "read_machine", "saved_machine"]

Saved = Mapping[str, Any]
"""What a file of a machine holds."""


def saved_machine(cabinet: Cabinet, beads: Sequence[Sequence[int]], games: int) -> dict[str, object]:
    """Return a machine as its file has it. `moves` are the chances of the beads, so that the file is a policy as well.

    Empty boxes have no moves: there the policy plays at random.
    """
    board = cabinet.board
    named = [
        (str(box.position), {cell_name(board, cell): n for cell, n in zip(box.cells, held, strict=True)})
        for box, held in zip(cabinet.boxes, beads, strict=True)
    ]
    moves = {
        position: {cell: str(Fraction(n, sum(held.values()))) for cell, n in held.items() if n}
        for position, held in named
        if any(held.values())
    }
    return {
        "version": FILE_VERSION,
        "board": board.spec,
        "as": cabinet.player,
        "rules": cabinet.rules.as_dict(),
        "games": games,
        "beads": dict(named),
        **({"otherwise": "random"} if len(moves) < len(named) else {}),
        "moves": moves,
    }


def read_machine(given: Saved | str | Path) -> tuple[str, Saved]:
    """Return how errors call a saved machine, and what it holds. Raises InputError for a file that is none."""
    if isinstance(given, Mapping):
        require_version("the machine given as a dict", given)
        return "given as a dict", given
    path = path_of("a saved machine", given)
    data = read_json(path, "machine")
    return shown(str(path), 200), data if isinstance(data, Mapping) else {}


def head_of(said: str, data: Saved, board: Board) -> tuple[Player, BeadRules, int]:
    """Return whom a saved machine plays, its rules, and the games it was taught. Raises InputError."""
    if not isinstance(data, Mapping) or not isinstance(data.get("beads"), Mapping):
        raise InputError(f"the machine {said} has no 'beads': save one with noughts menace --save FILE.json")
    if "board" in data and not board.is_called(data["board"]):
        raise InputError(f"the machine {said} is for {data['board']}, not for {board}: ask about that board")
    one_of(f"'as' of the machine {said}", data.get("as"), ("X", "O"))
    rules = data.get("rules")
    if not isinstance(rules, Mapping):
        raise InputError(f"the machine {said} has no 'rules': save one with noughts menace --save FILE.json")
    reward = [rules.get("win", 3), rules.get("draw", 1), rules.get("loss", -1)]
    given = {name: rules[name] for name in ("beads", "symmetric", "empty", "last_boxes") if name in rules}
    player: Player = "X" if data["as"] == "X" else "O"
    return (
        player,
        bead_rules(reward=reward, **given),
        whole_number(f"'games' of the machine {said}", data.get("games", 0)),
    )


def beads_of(said: str, data: Saved, cabinet: Cabinet, *, written: bool) -> list[list[int]]:
    """Return the beads of each box; of what is `written`, in a file.

    Raises InputError where boxes are missing, or there are others, and where its moves, which are played where the
    machine is a policy, are not those of its beads.
    """
    board, found = cabinet.board, dict[int, list[int]]()
    for text, held in data["beads"].items():
        position = parse_position(board, text)
        place = cabinet.places.get((position.x, position.o))
        if place is None or not isinstance(held, Mapping):
            raise InputError(f"the machine {said} has beads for {text}, which is no box of it: take them out")
        cells = cabinet.boxes[place].cells
        counts = {
            parse_cell(board, str(cell)): whole_number(f"the beads of {shown(text)} in {said}", count)
            for cell, count in held.items()
        }
        if set(counts) != set(cells):
            names = ", ".join(cell_name(board, cell) for cell in cells)
            raise InputError(f"the machine {said} has other beads for {text} than {names}: give a number for each")
        found[place] = [counts[cell] for cell in cells]
    if len(found) < len(cabinet.boxes):
        missing = next(box for place, box in enumerate(cabinet.boxes) if place not in found)
        raise InputError(f"the machine {said} has no beads for {missing.position}: every box needs its line")
    require_beads(board, said, data, written=written)
    return [found[place] for place in range(len(cabinet.boxes))]
