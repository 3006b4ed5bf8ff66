"""Quick reasons why a player cannot win: no live line, the Erdos-Selfridge bound, or a pairing strategy."""

from __future__ import annotations

from fractions import Fraction

from noughts.rules.marks import Cell, Mask, Player, cells_of, opponent
from noughts.rules.position import Position

LIGHT = Fraction(5, 2)
"""Blocking alone often stops lines below this weight (see `weight_bound`), within 20,000 positions.

It stops 6x8:5, which weighs 2.06, and 7x7:5, 2.25. The weight of 7x8:5 is 2.78, of 5x6:4 3, of 4x9:4 3.25, of 8x8:4
9.1."""


def live_lines(position: Position, player: Player) -> tuple[Mask, ...]:
    """Return the blanks of each line without a mark of the opponent."""
    own, other = position.marks(player), position.marks(opponent(player))
    return tuple(line & ~own for line in position.board.line_masks if not line & other)


def weight_bound(position: Position, player: Player) -> Fraction:
    """Return the sum of 2**-blanks over the live lines of a player, after the player's best move if it is their turn.

    Below 1 the opponent can stop every line (Erdos and Selfridge 1973).
    """
    lines = live_lines(position, player)
    longest = max(map(int.bit_count, lines), default=0)
    weights = [1 << longest - line.bit_count() for line in lines]  # in units of 2**-longest
    best = sum(weights)
    if position.to_move == player:
        gains: dict[Cell, int] = {}
        for line, weight in zip(lines, weights, strict=True):
            for cell in cells_of(line):
                gains[cell] = gains.get(cell, 0) + weight
        best += max(gains.values(), default=0)
    return Fraction(best, 1 << longest)


def is_light(position: Position, player: Player) -> bool:
    """Tell whether blocking alone is likely to stop a player's lines; see LIGHT."""
    return weight_bound(position, player) < LIGHT


def pairing(position: Position, player: Player) -> dict[Mask, tuple[Cell, Cell]] | None:
    """Return for each live line of a player a pair of its blanks, disjoint from all other pairs; None where impossible.

    An opponent who answers each move on a pair with the other cell of the pair never loses, with either player to move.
    The pairs are a matching found along augmenting paths; cost O(lines * cells * lines) at worst.
    """
    lines = live_lines(position, player)
    if any(line.bit_count() < 2 for line in lines):
        return None
    holder: dict[Cell, int] = {}

    def give(seat: int, tried: set[Cell]) -> bool:
        for cell in cells_of(lines[seat // 2]):
            if cell in tried:
                continue
            tried.add(cell)
            if cell not in holder or give(holder[cell], tried):
                holder[cell] = seat
                return True
        return False

    if 2 * len(lines) > position.blanks.bit_count() or not all(give(seat, set()) for seat in range(2 * len(lines))):
        return None
    cells_of_seat = {seat: cell for cell, seat in holder.items()}
    return {line: (cells_of_seat[2 * i], cells_of_seat[2 * i + 1]) for i, line in enumerate(lines)}


def reason_not_to_win(position: Position, player: Player) -> str | None:
    """Return in words a quick reason why a player cannot force a line in an open position of normal play, or None."""
    if position.board.rules.alternating and not live_lines(position, player):
        return "no line is left"
    if not position.board.rules.is_marking:
        return None
    bound = weight_bound(position, player)
    if bound < 1:
        return f"Erdos-Selfridge: the lines weigh {bound}, less than 1"
    if pairing(position, player) is not None:
        return "a pairing strategy guards every line"
    return None


def why_not(position: Position, player: Player) -> str | None:
    """Return a quick reason why a player cannot win an open position, or None; under misere always None."""
    if position.board.misere:
        return None
    if position.ply == 0 and player == "O" and position.board.rules.is_marking:
        return "strategy stealing: the second player of an empty board never wins"
    return reason_not_to_win(position, player)


def surely_drawn(position: Position) -> bool:
    """Tell whether quick reasons show that neither player can force a line. Under misere, where lines lose, False.

    A position may be drawn even where the answer is False.
    """
    return not position.board.misere and all(reason_not_to_win(position, player) for player in ("X", "O"))
