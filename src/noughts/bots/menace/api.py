"""`noughts.menace`: matchboxes that learn a game, and what they are worth after each lesson, exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noughts.bots.menace.boxes import Cabinet, cabinet, class_graph
from noughts.bots.menace.course import Beads, PlayGraph
from noughts.bots.menace.draws import SEEDS
from noughts.bots.menace.expectation import expectations
from noughts.bots.menace.lessons import taught
from noughts.bots.menace.machine import Menace
from noughts.bots.menace.readings import readings
from noughts.bots.menace.rules import BeadRules, bead_rules
from noughts.bots.menace.saved import Saved, beads_of, head_of, read_machine
from noughts.domain.arguments import function_or_none, is_word, one_of, whole_number
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.extent import LISTED_CLASSES
from noughts.domain.position import Player, opponent
from noughts.machine.progress import Progress, silent
from noughts.strategy.policies import Policy, PolicyLike, policy

__all__ = ["MENACE", "menace"]

MENACE = "menace"
"""An opponent that is a machine of matchboxes itself, and learns from the same games."""

_GAMES = 5_000_000
"""Games in all lessons together: some six minutes on 3x3."""
_MARKS = 50
"""Marks of a lesson unless it is said how often."""


def menace(
    board: Board | str = "3x3",
    *,
    as_: str | None = None,
    beads: str | Sequence[int] | None = None,
    reward: Sequence[int] | None = None,
    symmetric: str | None = None,
    empty: str | None = None,
    last_boxes: bool | None = None,
    against: PolicyLike = "random",
    games: int = 0,
    seed: int = 0,
    runs: int = 1,
    every: int | None = None,
    expect: int = 0,
    load: Saved | str | Path | None = None,
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> Menace:
    """Return a machine of matchboxes for a board, taught so many `games` against an opponent.

    It plays `as_` (X unless given). The rules of the beads are those of D. Michie's machine unless given: `beads`
    of each colour are `michie` (4, 3, 2, 1 by the turns to come), `doubling` (8, 4, 2, 1) or numbers by turn, `reward`
    is what a win, a draw and a loss add to each colour drawn; `symmetric` cells share a colour (`once`) or `each` has
    its own; an `empty` box makes the machine `resign`, is `refill`ed, or the machine may `keep` its last bead;
    `last_boxes` are boxes for one blank cell. `against` is any policy, or `menace`: a machine of the other side that
    learns as well.

    Each of `runs` lessons begins with the same beads, from `seed`, `seed` + 1, and so on; it is marked with its exact
    chances `every` so many games, a fiftieth of them unless given. `expect` asks for the exact average of those
    chances after up to so many games, over all that may be drawn. `load` goes on with a saved machine and its rules.
    `progress` is told how far the work is.

    Raises InputError, and BudgetError where the board has more than `limit` position classes, or for too many games.
    Cost on 3x3: 70 microseconds for a game and 10 ms for a mark. Source: D. Michie, 1961.

    >>> made = menace("3x3", games=100, seed=1)
    >>> len(made.cabinet.boxes), made.lessons[0].last.games
    (304, 100)
    """
    board = Board.parse(board)
    function_or_none("progress", progress)
    told = progress or silent
    stops = _stops(games, every, runs, seed)
    whole_number("expect", expect)
    whole_number("the limit", limit, 1)
    rules = {"beads": beads, "reward": reward, "symmetric": symmetric, "empty": empty, "last_boxes": last_boxes}
    begun = _begun(board, as_, {name: rule for name, rule in rules.items() if rule is not None}, load)
    graph = class_graph(board, limit, told)
    cabinets, rival = {begun.side: cabinet(graph, board, begun.side, begun.rules)}, None
    other = opponent(begun.side)
    if is_word(against, MENACE):
        cabinets[other] = cabinet(graph, board, other, begun.rules)
    else:
        rival = policy(board, against)
    sides: dict[Player, Cabinet | Policy] = {**cabinets}
    if rival is not None:
        sides[other] = rival
    course, mine = PlayGraph(board, sides), cabinets[begun.side]
    held = {who: [list(box) for box in each.start] for who, each in cabinets.items()}
    if begun.data is not None:
        held[begun.side] = beads_of(begun.said, begun.data, mine, written=not isinstance(load, Mapping))
    expected = expectations(course, cabinets, held, expect, told) if expect else ()
    lessons = tuple(taught(course, cabinets, _copied(held), begun.side, stops, seed + run, told) for run in range(runs))
    name = MENACE if rival is None else rival.name
    counts = readings(graph, begun.side)
    return Menace(mine, lessons[0].beads, begun.games + games, name, counts, lessons, expected, rival)


def _stops(games: int, every: int | None, runs: int, seed: int) -> list[int]:
    """Return after how many games each lesson is marked. Raises InputError and BudgetError."""
    whole_number("games", games)
    whole_number("runs", runs, 1)
    every = max(1, games // _MARKS) if every is None else whole_number("every", every, 1)
    if whole_number("the seed", seed) + runs > SEEDS:
        raise InputError(f"the seeds of {runs:,} runs from {seed:,} are not below {SEEDS:,}: give a smaller seed")
    if games * runs > _GAMES:
        raise BudgetError(
            f"{games * runs:,} games take about {games * runs * 7 // 100_000:,} s, and up to {_GAMES:,} are played: "
            "ask for fewer games or runs"
        )
    return [*range(0, games, every), games]


@dataclass(frozen=True)
class _Begun:
    """What a machine begins with: whom it plays, its rules and games, and what was saved, which errors call `said`."""

    side: Player
    rules: BeadRules
    games: int = 0
    said: str = ""
    data: Saved | None = None


def _begun(board: Board, player: str | None, rules: dict[str, Any], load: Saved | str | Path | None) -> _Begun:
    """Return what a machine begins with. Raises InputError where a saved one is given other rules, or another side."""
    side: Player = "O" if one_of("as", "X" if player is None else player, ("X", "O")) == "O" else "X"
    if load is None:
        return _Begun(side, bead_rules(**rules))
    said, data = read_machine(load)
    saved, own, games = head_of(said, data, board)
    if rules:
        raise InputError(f"the machine {said} has rules of its own: leave out {', '.join(rules)}")
    if player is not None and saved != side:
        raise InputError(f"the machine {said} plays {saved}: leave out the player, or load another machine")
    return _Begun(saved, own, games, said, data)


def _copied(beads: Beads) -> Beads:
    return {player: [list(box) for box in boxes] for player, boxes in beads.items()}
