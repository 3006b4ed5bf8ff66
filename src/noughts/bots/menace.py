"""Machines of matchboxes that learn a game, and how many boxes other readings give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from noughts.analysis.policies.policy import Policy
from noughts.analysis.policies.reading import PolicyLike, policy
from noughts.analysis.policies.table import FilePolicy
from noughts.analysis.solutions import solution_for
from noughts.bots.lessons import SEEDS, Expectation, GameChances, Lesson, PlayGraph, expectations, taught
from noughts.bots.matchboxes import (
    BeadRules,
    Cabinet,
    Saved,
    bead_colour,
    bead_letter,
    bead_rules,
    beads_of,
    cabinet,
    graph_within,
    head_of,
    read_machine,
    saved_machine,
)
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import function_or_none, is_word, one_of, whole_number
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.game import LISTED_CLASSES
from noughts.rules.marks import Player, cells_of, opponent
from noughts.rules.position import Position
from noughts.rules.values import Reported, Result, for_json, short
from noughts.solving.classgraph import ClassGraph, Node, class_graph


@dataclass(frozen=True)
class Reading(Result):
    """A rule in words, and how many boxes it gives."""

    boxes: int
    rule: str

    keys = "boxes rule"


def readings(graph: ClassGraph, player: Player) -> tuple[Reading, ...]:
    """Return how many boxes there are for a machine that plays X or O, under each reading; all computed."""
    game, cells = graph.game, len(graph.game.group.elements[0])
    other = opponent(player)

    def blanks(node: Node) -> int:
        return cells - game.ply(node.state)

    unfinished = [n for n, node in enumerate(graph.nodes) if node.outcome is None]
    mine = [n for n in unfinished if game.to_move(graph.nodes[n].state) == player]
    boxes = [n for n in mine if blanks(graph.nodes[n]) > 1]
    value = 1 if player == "X" else -1

    def lost(child: int) -> bool:
        """Tell whether the game is won by the other side, or is with its next move."""
        node = graph.nodes[child]
        return node.outcome == other or any(graph.nodes[reply].outcome == other for reply, _ in node.children)

    return (
        Reading(len(boxes), f"{player} to move, unfinished, more than one blank cell, boards alike once"),
        Reading(sum(not all(lost(child) for child, _ in graph.nodes[n].children) for n in boxes),
                f"less those where {other} wins at the latest with the reply to any move of {player}"),
        Reading(sum(graph.values[n] != -value for n in boxes), f"less all that {player} loses against best play"),
        Reading(sum(graph.decided[n] is None for n in boxes), "less those where all play ends alike"),
        Reading(len(mine), "with those of one blank cell, where there is nothing to choose"),
        Reading(sum(blanks(graph.nodes[n]) > 1 for n in unfinished),
                "with those where the opponent has a choice: boxes for both players"),
        Reading(sum(graph.nodes[n].orbit for n in boxes),
                "with a box for every board, turned and mirrored ones apart"),
    )  # fmt: skip


# What somebody else needs to play a machine's games: the board as plain numbers, and how its opponent moves.


def opponent_given(board: Board, player: Player, rival: Policy | None) -> dict[str, object] | None:
    """Return for each unfinished class in which `player` does not move how likely each move of the opponent is.

    None where the opponent learns, or does not treat symmetric positions alike.
    """
    if rival is None or not rival.is_symmetric:
        return None
    graph = class_graph(board)
    solution = solution_for(Position(board)) if rival.needs_values else None
    found: dict[str, object] = {}
    for node in graph.nodes:
        if node.outcome is None and graph.game.to_move(node.state) != player:
            position = Position(board, node.state.x, node.state.o)
            chances = rival.probabilities(position, solution)
            found[str(position)] = {cell_name(board, cell): str(chance) for cell, chance in chances.items()}
    return found


# A machine of matchboxes as a value: its boxes, the beads in them, what it was taught and what that is worth.


@dataclass(frozen=True, repr=False)
class Menace(Reported):
    """A machine that plays X or O by drawing beads, taught by `lessons`, each from the same beads and another seed.

    `beads` are those of each box, in the order of its cells, after the first lesson; `games` how many games it has been
    taught altogether. `against` names the opponent. Chances are those of the outcomes of one game against it, exact; of
    an opponent that is a machine and learns as well, as it is then. `expected` are averages over all that
    may be drawn, where they were asked for.
    """

    cabinet: Cabinet
    beads: tuple[tuple[int, ...], ...]
    games: int
    against: str
    readings: tuple[Reading, ...]
    lessons: tuple[Lesson, ...]
    expected: tuple[Expectation, ...] = ()
    rival: Policy | None = None
    """The policy of the opponent; None where that is a machine that learns."""

    def __repr__(self) -> str:
        count = len(self.cabinet.boxes)
        return f"<Menace on {short(self.board)} as {self.player}: {count:,} boxes, {self.games:,} games>"

    @property
    def board(self) -> Board:
        """The board."""
        return self.cabinet.board

    @property
    def player(self) -> Player:
        """Whether it plays X or O."""
        return self.cabinet.player

    @property
    def chances(self) -> GameChances:
        """The exact chances of the next game, after the first lesson."""
        return self.lessons[0].last.chances

    @property
    def value(self) -> Fraction:
        """The chance to win the next game less that to lose it."""
        return self.chances.value(self.player)

    @property
    def policy(self) -> FilePolicy:
        """The machine as it is, as a policy that no longer learns.

        A policy cannot resign: where a box is empty it plays at random.
        """
        return cast(FilePolicy, policy(self.board, self.saved_as_dict()))

    def saved_as_dict(self) -> dict[str, object]:
        """Return the machine as a file has it, which is a policy too: `load` continues it, `match` plays it."""
        return saved_machine(self.cabinet, self.beads, self.games)

    def as_dict(self) -> dict[str, object]:
        """Return the machine for JSON: fractions as text, seen from the machine."""
        board, cabinet = self.board, self.cabinet
        return {
            "board": board.spec,
            "as": self.player,
            "rules": cabinet.rules.as_dict(),
            "boxes": [
                {
                    "number": box.number,
                    "position": str(box.position),
                    "turn": box.turn,
                    "start": box.beads,
                    "beads": {cell_name(board, cell): n for cell, n in zip(box.cells, beads, strict=True)},
                    "alike": {
                        cell_name(board, cell): [cell_name(board, each) for each in cells_of(cells)]
                        for cell, cells in zip(box.cells, box.alike, strict=True)
                        if cells.bit_count() > 1
                    },
                }
                for box, beads in zip(cabinet.boxes, self.beads, strict=True)
            ],
            "colours": {
                cell_name(board, cell): {
                    "letter": bead_letter(cell),
                    "colour": bead_colour(cell),
                    "beads": cabinet.start_of(cell),
                }
                for cell in range(board.cells)
            },
            "readings": [reading.as_dict() for reading in self.readings],
            "games": self.games,
            "against": self.against,
            "lessons": [
                {"seed": lesson.seed, "marks": [mark.as_dict(self.player) for mark in lesson.marks]}
                for lesson in self.lessons
            ],
            "expected": [each.as_dict(self.player) for each in self.expected],
            "geometry": {  # cells from 0 in reading order, the identity first
                "cells": board.cells,
                "lines": for_json(board.lines),
                "misere": board.misere,
                "symmetries": for_json(board.group().elements),
            },
            "opponent": opponent_given(board, self.player, self.rival),
        }


# `noughts.menace`: matchboxes that learn a game, and what they are worth after each lesson, exactly.

MENACE = "menace"
"""An opponent that is a machine of matchboxes itself, and learns from the same games."""

_GAMES = 5_000_000
"""Games in all lessons together: some six minutes on 3x3."""
_RUNS = 1_000
"""Most lessons of one machine."""
_VALUATIONS = 60_000
"""Most marks in all lessons together: some ten minutes on 3x3."""
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
    """Return a machine of matchboxes for a board, taught so many games against an opponent.

    The rules are those of D. Michie's machine (1961) by default.

    Parameters
    ----------
    board
        The board, or its name.
    as_
        The side that the machine plays (default: X).
    beads
        Beads of each colour to begin with: `michie` (4, 3, 2, 1 by the turns to come), `doubling` (8, 4, 2, 1) or
        numbers by turn.
    reward
        What a win, a draw and a loss add to each colour drawn.
    symmetric
        Symmetric cells share a colour (`once`), or `each` has its own.
    empty
        An empty box makes the machine `resign`, is filled again (`refill`), or the last bead stays (`keep`).
    last_boxes
        Whether there are boxes for one blank cell.
    against
        Any policy, or `menace`: a machine of the other side that learns as well.
    games, seed, runs
        Games of a lesson; the seed of the first; how many lessons, each from the same beads and its own seed.
    every
        Games between two marks, which are exact chances; a fiftieth of them by default.
    expect
        Games up to which the average of those chances over everything that may be drawn is computed.
    load
        A saved machine to continue, with its rules.
    limit
        The most position classes.
    progress
        Receives what is being done.

    Returns
    -------
    Menace
        The machine, a policy, with its boxes and lessons.

    Raises
    ------
    InputError
        A parameter makes no sense.
    BudgetError
        The board has too many classes, or there are too many games.

    Notes
    -----
    Cost on 3x3: 70 microseconds for a game and 10 ms for a mark.

    >>> made = menace("3x3", games=100, seed=1)
    >>> len(made.cabinet.boxes), made.lessons[0].last.games
    (304, 100)
    """
    board = Board.parse(board)
    function_or_none("progress", progress)
    receiver = progress or silent
    games, runs, seed = whole_number("games", games), whole_number("runs", runs, 1), whole_number("the seed", seed)
    stops = _stops(games, every, runs, seed)
    expect = whole_number("expect", expect)
    rules = {"beads": beads, "reward": reward, "symmetric": symmetric, "empty": empty, "last_boxes": last_boxes}
    side, own, before, saved = _begun(board, as_, rules, load)
    graph = graph_within(board, whole_number("the limit", limit, 1), receiver)
    learns, rival = is_word(against, MENACE), None
    players = (side, opponent(side)) if learns else (side,)
    cabinets = {player: cabinet(graph, board, player, own) for player in players}
    sides: dict[Player, Cabinet | Policy] = {**cabinets}
    if not learns:
        rival = sides[opponent(side)] = policy(board, against)
    course = PlayGraph(board, sides)
    held = {player: [list(box) for box in each.start] for player, each in cabinets.items()}
    if saved is not None:
        held[side] = beads_of(*saved, cabinets[side], written=not isinstance(load, Mapping))
    expected = expectations(course, cabinets, held, expect, receiver) if expect else ()
    lessons = tuple(taught(course, cabinets, held, side, stops, seed + run, receiver) for run in range(runs))
    name, counts = MENACE if rival is None else rival.name, readings(graph, side)
    return Menace(cabinets[side], lessons[0].beads, before + games, name, counts, lessons, expected, rival)


def _stops(games: int, every: int | None, runs: int, seed: int) -> list[int]:
    """Return after how many games each lesson is marked. Raises InputError and BudgetError."""
    every = max(1, games // _MARKS) if every is None else whole_number("every", every, 1)
    if runs > _RUNS:
        raise BudgetError(f"{runs:,} runs are more than the {_RUNS:,} that are made at once: ask for fewer")
    if seed + runs > SEEDS:
        raise InputError(f"the seeds of {runs:,} runs from {seed:,} are not below {SEEDS:,}: give a smaller seed")
    if games * runs > _GAMES:
        raise BudgetError(
            f"{games * runs:,} games take about {games * runs * 7 // 100_000:,} s, and up to {_GAMES:,} are played: "
            "ask for fewer games or runs"
        )
    if (valuations := (games // every + 1) * runs) > _VALUATIONS:
        raise BudgetError(
            f"{valuations:,} valuations are more than {_VALUATIONS:,}: ask for fewer runs, or more games between two"
        )
    return [*range(0, games, every), games]


def _begun(
    board: Board, player: str | None, rules: dict[str, Any], load: Saved | str | Path | None
) -> tuple[Player, BeadRules, int, tuple[str, Saved] | None]:
    """Return the side of a machine, its rules, the games before, and the saved data with its name in errors.

    Raises InputError if a saved machine gets other rules or another side.
    """
    rules = {name: rule for name, rule in rules.items() if rule is not None}
    side: Player = "O" if one_of("as", "X" if player is None else player, ("X", "O")) == "O" else "X"
    if load is None:
        return side, bead_rules(**rules), 0, None
    title, data = read_machine(load)
    saved, own, games = head_of(title, data, board)
    if rules:
        raise InputError(f"the machine {title} has rules of its own: remove {', '.join(rules)}")
    if player is not None and saved != side:
        raise InputError(f"the machine {title} plays {saved}: remove the player, or load another machine")
    return saved, own, games, (title, data)
