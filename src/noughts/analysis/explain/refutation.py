"""How a mistake is refuted: the line that the other side completes, or the fork that it forces, in words and arrows."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.analysis.explain.facts import OnPosition, along, forced_wins, is_fork, threat_mask
from noughts.analysis.explain.mistakes import PlayedMove
from noughts.analysis.explain.wording import NAMED, ending, in_moves, last_line, length_rule, named_cells
from noughts.rules.board import Board
from noughts.rules.cells import Move, moves_on
from noughts.rules.marks import Cell, Mask, Player, cells_of, mask_of, opponent
from noughts.rules.position import Position
from noughts.rules.values import begun, for_json
from noughts.solving.solution import Solution

_STEPS = 20_000
"""Steps of the search for a forced fork, at most."""


@dataclass(frozen=True, repr=False)
class Refutation(OnPosition):
    """How the side to move wins in `position`, by threats alone: its moves, and the blocks between them.

    The last of `moves` completes a line, or makes two threats at once. `lines` are the lines that it completes or
    threatens, each with the cell that completes it. Without such a win, under misere, and under
    other rules of play, both are empty.
    """

    moves: tuple[Move, ...]
    lines: tuple[tuple[Move, tuple[Move, ...]], ...]

    @property
    def wins_at_once(self) -> bool:
        """Whether the first move completes a line."""
        return len(self.moves) == 1 and self.lines[0][0] == self.moves[0]

    @property
    def arrows(self) -> tuple[tuple[Cell, Cell], ...]:
        """For each line an arrow to the cell that completes it, from its other end, or one from each end."""
        return tuple((end, cell) for cell, line in self.lines for end in (line[0], line[-1]) if end != cell)

    @property
    def brief(self) -> str:
        """How the side to move wins, in few words: `O forks with c1`, or that it can force a win."""
        winner, first = self.board.rules.name_of(self.to_move), str(self.moves[0]) if self.moves else ""
        if not self.moves:
            return f"{winner} can force a win"
        if self.wins_at_once:
            return f"{winner} completes a line at {first}"
        return f"{winner} forks with {first}" if len(self.moves) == 1 else f"{winner} plays {first} and forces a fork"

    @property
    def words(self) -> str:
        """How the side to move wins, as a clause: `O completes the line a1-b1-c1`; empty without such a win."""
        if not self.moves:
            return ""
        winner, names = self.to_move, list(map(str, self.moves))
        if self.wins_at_once:
            return f"{winner} completes the line {'-'.join(map(str, self.lines[0][1]))}"
        threats = named_cells(self.board, dict.fromkeys(cell for cell, _ in self.lines))
        fork = f"plays {names[-1]} and threatens to complete a line at {threats}"
        if len(names) == 1:
            return f"{winner} {fork}"
        if len(names) == 3:
            return f"{winner} plays {names[0]}, {opponent(winner)} has to block at {names[1]}, and {winner} {fork}"
        return self.brief

    def as_dict(self) -> dict[str, object]:
        """Return the refutation for JSON."""
        return {"moves": for_json(self.moves), "lines": [for_json(line) for _, line in self.lines]}


def _by_threats(board: Board) -> bool:
    """Return whether a completed line wins, and each player has marks of their own."""
    return board.rules.has_threats and not board.rules.exact


def refutation(after: Position) -> Refutation:
    """Return how the side to move wins by threats alone; without moves where a short search finds no such win."""
    board, winner = after.board, after.to_move
    if not _by_threats(board) or after.is_terminal:
        return Refutation(after, (), ())
    if wins := threat_mask(after, winner):
        cell = next(cells_of(wins))
        return Refutation(after, moves_on(board, (cell,)), _completing(after, 1 << cell, winner)[:1])
    for sequence in forced_wins(after, limit=_STEPS).sequences:
        at = along(after, sequence)[-1]
        if is_fork(at):
            return Refutation(after, moves_on(board, sequence), _completing(at, threat_mask(at, winner), winner))
    return Refutation(after, (), ())


def _completing(at: Position, cells: Mask, player: Player) -> tuple[tuple[Move, tuple[Move, ...]], ...]:
    """Return the lines that a player completes on one of some blank cells, each after its cell."""
    own = at.marks(player)
    rests = [(line, line & ~own) for line in at.board.line_masks]
    found = sorted((next(cells_of(rest)), line) for line, rest in rests if rest & cells and rest.bit_count() == 1)
    return tuple((Move(at.board, cell), moves_on(at.board, cells_of(line))) for cell, line in found)


def reasons(made: PlayedMove, found: Refutation, solution: Solution) -> tuple[str, ...]:
    """Return what follows a mistake, and what would have been better and why, in a sentence each."""
    then = f"After {made.name}, {_then(made, found, solution)}."
    if not made.better:  # the values of the other moves were not found
        return (then,)
    result = "won" if made.due == made.player else "held the draw"
    player = begun(made.before.board.rules.name_of(made.player))
    return then, f"{player} would have {result} {_with(made)}{_because(made, found)}."


def _with(made: PlayedMove) -> str:
    """Return the better moves: `only with b2`, `with a2, b2 or a3`."""
    words = made.better_words
    if words.startswith("only "):
        return f"only with {words.removeprefix('only ')}"
    return f"with {named_cells(made.before.board, made.better, 'or') if len(made.better) <= NAMED else words}"


def _then(made: PlayedMove, found: Refutation, solution: Solution) -> str:
    """Return what follows a mistake, as a clause."""
    after, name = found.position, found.board.rules.name_of
    other = name(found.to_move)
    if after.is_terminal:
        return ending(after)
    if made.outcome == "draw":
        return f"{other} can hold the draw{_holding(after, solution)}"
    if found.moves:
        return found.words
    soon = "" if made.remoteness is None else f" {in_moves(made.remoteness, length_rule(found.board))}"
    can = f"make {name(made.player)} complete {last_line(found.board)}" if found.board.misere else "force a win"
    return f"{other} can {can}{soon}"


def _holding(after: Position, solution: Solution) -> str:
    """Return the replies that hold a draw: ` with b2 or c3`; empty for many and for unknown ones."""
    replies = solution.moves(after)
    cells = sorted(reply.cell for reply in replies if reply.outcome == "draw")
    if len(cells) == len(replies):
        return " with any move" if len(cells) > 1 else ""
    if len(cells) > NAMED or any(reply.outcome is None for reply in replies):
        return ""
    return f"{', but only' * (len(cells) == 1)} with {named_cells(after.board, cells, 'or')}"


def _because(made: PlayedMove, found: Refutation) -> str:
    """Return why the better moves are better, if a line or a fork says it: `: it blocks that line`."""
    at, better = made.before, mask_of(made.better)
    if not better or not _by_threats(at.board):
        return ""
    only = not better & (better - 1)
    if wins := threat_mask(at, made.player):
        if wins == better:
            return f": {'it' if only else 'each'} completes a line"
        names, verb = named_cells(at.board, cells_of(wins)), "completes" if not wins & (wins - 1) else "complete"
        return f": {names} {verb} a line"
    if made.due == made.player and only and is_fork(at.play(made.better[0])):
        return ": it makes two or more threats at once"
    return ": it blocks that line" if only and found.wins_at_once and found.moves[0] == made.better[0] else ""
