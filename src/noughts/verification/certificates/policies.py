"""The judge of policies: every move that a table allows, against every reply, to the end of every game.

The table is read as it is written; lines, turns of play and outcomes are those of the specification of the board,
computed again by the judge of proofs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.frozen import short
from noughts.domain.position import Player, Position, opponent
from noughts.strategy.policies import held_policy
from noughts.strategy.solutions import solution_for
from noughts.strategy.tablepolicy import FilePolicy
from noughts.verification.certificates.reading import text_under
from noughts.verification.proofs.ground import ProofBoard, read_ground

__all__ = ["PolicyChecked", "SideChecked", "has_moves", "judge_policy"]

MOST_POSITIONS = 200_000
"""So many positions of one side are met before a policy is refused: it would take minutes."""


@dataclass(frozen=True)
class SideChecked:
    """How a policy fares as one player: `outcomes` that its games can have, and `lost`, the moves of one it loses."""

    player: Player
    positions: int
    outcomes: tuple[str, ...]
    lost: tuple[Cell, ...] | None


@dataclass(frozen=True, repr=False)
class PolicyChecked:
    """How a policy fares against every reply, as each player for whom it has moves; `lacks` says what it lacks."""

    board: Board
    sides: tuple[SideChecked, ...]
    lacks: str | None = None

    def __repr__(self) -> str:
        return f"<PolicyChecked on {short(self.board)}, as {' and '.join(side.player for side in self.sides)}>"

    def as_dict(self) -> dict[str, object]:
        """Return it for JSON; `lost` is a game by its cells."""
        sides = [
            {
                "as": side.player,
                "never_loses": side.lost is None,
                "positions": str(side.positions),
                "outcomes": list(side.outcomes),
                "lost": None if side.lost is None else [cell_name(self.board, cell) for cell in side.lost],
            }
            for side in self.sides
        ]
        return {"board": self.board.spec, "sides": sides, "lacks": self.lacks}


def judge_policy(record: Mapping[str, Any], name: str, path: Path | None = None) -> PolicyChecked:
    """Play every move that a policy file allows against every reply, as each player for whom it has moves.

    A policy without `as` and without a rule for what is not listed plays the sides for which it has moves wherever its
    own moves can lead. It was read from the file `path`; where that is None it may name no file. Raises InputError for
    a policy that cannot be read or plays for neither side, BudgetError where it meets too many positions. Cost: the
    positions that it lets arise.
    """
    board = Board.parse(text_under(record, "board"))
    chosen = held_policy(board, name, record, path)
    given = record.get("as")
    players: list[Player] = ["X", "O"] if given not in ("X", "O") else [given]
    court = _PolicyCourt(board, chosen)
    sides = []
    missing = None
    for player in players:
        try:
            sides.append(court.side(player))
        except InputError as error:
            missing = error
    if missing is not None and (not sides or given in ("X", "O")):
        raise missing
    return PolicyChecked(board, tuple(sides), None if missing is None else str(missing))


class _PolicyCourt:
    """Plays a policy by the lines of the specification."""

    def __init__(self, board: Board, chosen: FilePolicy) -> None:
        self.board, self.policy = board, chosen
        self.ground: ProofBoard = read_ground(board.spec)
        self.solution = solution_for(Position(board)) if chosen.needs_values else None

    def side(self, player: Player) -> SideChecked:
        """Play one side against every reply. Raises InputError at a position for which the policy has no move."""
        came: dict[tuple[Mask, Mask], tuple[tuple[Mask, Mask], Cell] | None] = {(0, 0): None}
        waiting: list[tuple[Mask, Mask]] = [(0, 0)]
        outcomes: set[str] = set()
        lost: tuple[Cell, ...] | None = None
        while waiting:
            x, o = waiting.pop()
            mover: Player = "X" if x.bit_count() == o.bit_count() else "O"
            for cell in self._cells(x, o, mover == player):
                after = (x | 1 << cell, o) if mover == "X" else (x, o | 1 << cell)
                outcome = self._outcome(after, mover, cell)
                if outcome is not None:
                    outcomes.add(outcome)
                    if outcome == opponent(player) and lost is None:
                        lost = (*self._moves(came, (x, o)), cell)
                elif after not in came:
                    came[after] = ((x, o), cell)
                    waiting.append(after)
                    if len(came) > MOST_POSITIONS:
                        raise BudgetError(
                            f"the policy meets more than {MOST_POSITIONS:,} positions on {self.board}: judge a smaller "
                            "one, or one with fewer moves at each position"
                        )
        return SideChecked(player, len(came), tuple(sorted(outcomes)), lost)

    def _cells(self, x: Mask, o: Mask, own: bool) -> list[Cell]:
        blanks = list(cells_of(self.ground.full & ~x & ~o))
        if not own or not blanks:
            return blanks
        return list(cells_of(self.policy.moves(Position(self.board, x, o), self.solution)))

    def _outcome(self, after: tuple[Mask, Mask], mover: Player, cell: Cell) -> str | None:
        marks = after[0] if mover == "X" else after[1]
        if any(line & ~marks == 0 for line in self.ground.through[cell]):
            return opponent(mover) if self.ground.is_misere else mover
        return "draw" if after[0] | after[1] == self.ground.full else None

    def _moves(self, came: Mapping[Any, Any], at: tuple[Mask, Mask]) -> list[Cell]:
        found: list[Cell] = []
        while (step := came[at]) is not None:
            at, cell = step
            found.insert(0, cell)
        return found


def has_moves(record: Mapping[str, Any]) -> bool:
    """Tell whether a record may be a policy file for a board."""
    return "board" in record and any(key in record for key in ("moves", "bot", "table", "otherwise"))
