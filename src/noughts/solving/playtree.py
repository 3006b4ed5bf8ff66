"""A strategy as text: what one player answers to every reply, by the rules as they are; a section `play` of a proof.

It is for what neither an attack by threats nor blocking alone shows. The values come from any solution; a judge follows
the text alone. What a line says, and which replies need none, is in the reference page on proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.position import Player, Position, opponent
from noughts.domain.symmetry import Group
from noughts.solving.bounds import live_lines
from noughts.solving.weak.family import after_maker, least_sets, settled_by_pairs, struck
from noughts.solving.weak.stopping import PASS
from noughts.solving.weak.toolbox import tools_for
from noughts.solving.weak.tools import GROUP_LIMIT, PlainTools, Tools

__all__ = ["Aim", "play_lines"]

CHILD_COST, PAIR_COST = 25, 6
"""What a line and a pair take up, about, in characters."""
REPORT = 256
PLAIN_CELLS = 12


@dataclass(frozen=True)
class Aim:
    """What a player is to reach: a win, or with `to_win` False no loss. `holds` tells it of a position, open or not."""

    player: Player
    to_win: bool
    holds: Callable[[Position], bool]


def play_lines(
    position: Position, goal: Aim, *, sparing: bool, most: int, watch: Callable[[int], None] = lambda lines: None
) -> Iterator[str]:
    """Yield the lines of a section by which a player reaches a goal from an open position where it can be reached.

    Of the moves that keep it, `sparing` takes the one that leaves fewest replies to be answered; otherwise it is the
    one after which pairs of cells nearly suffice. Raises BudgetError after `most` lines; `watch` is told how many
    there are.
    """
    return _PlayText(position, goal, sparing, most, watch).lines(position)


@dataclass(frozen=True)
class _Chosen:
    """A move, None where the opponent is to move; the pairs that are kept for later, None for none; what they leave."""

    move: Cell | None
    pairs: Sequence[Mask] | None
    replies: tuple[Cell, ...]

    def __str__(self) -> str:
        move = PASS if self.move is None else str(self.move)
        if self.pairs is None:
            return move
        return " ".join([f"{move} :", *(str(cell) for pair in self.pairs for cell in cells_of(pair))])


class _PlayText:
    """The section as far as it is written: `above` are the canonical positions that have a line."""

    def __init__(self, root: Position, goal: Aim, sparing: bool, most: int, watch: Callable[[int], None]) -> None:
        self.root, self.goal, self.sparing, self.most, self.watch = root, goal, sparing, most, watch
        board = root.board
        group = board.group("board")
        self.group = group if group.order <= GROUP_LIMIT else None
        self.rival = opponent(goal.player)
        self.above: set[tuple[Mask, Mask]] = set()
        self.count = 0
        self.may_pair = not goal.to_win and not board.misere
        self.tools = _tools(board) if self.may_pair else None

    def lines(self, position: Position) -> Iterator[str]:
        """Yield the lines of a position that has none yet and those of what follows from it."""
        choice = self._pass(position) if position.to_move == self.rival else self._choose(position)
        if choice.move is not None:
            self.above.add(self._key(position))
        self.count += 1
        if self.count % REPORT == 0:
            self.watch(self.count)
        if self.count > self.most:
            raise BudgetError(
                f"the proof about {self.root} on {self.root.board} has more than {self.most:,} lines: ask about a "
                "later position"
            )
        yield str(choice)
        after = position if choice.move is None else position.play(choice.move)
        for reply in choice.replies:
            child = after.play(reply)
            if self._key(child) not in self.above:
                yield from self.lines(child)

    def _key(self, position: Position) -> tuple[Mask, Mask]:
        if self.group is None:
            return position.x, position.o
        return self.group.canonical(position.x, position.o)

    def _pass(self, position: Position) -> _Chosen:
        pairs, whole = self._pairs(position)
        return self._answered(position, None, pairs, whole)

    def _choose(self, position: Position) -> _Chosen:
        """Return the player's move in a position in which the goal can be reached."""
        best: _Chosen | None = None
        weighed: list[tuple[int, Cell, Position, Sequence[Mask]]] = []
        for cell in cells_of(position.blanks):
            after = position.play(cell)
            if after.is_terminal:
                if self.goal.holds(after):
                    return _Chosen(cell, None, ())
                continue
            if after.board.misere or not after.threats(self.rival):
                pairs, least = self._weigh(after)
                weighed.append((least, cell, after, pairs))
        whole = 0 if self.tools is None else 1 << self.tools.unit
        for least, cell, after, pairs in sorted(weighed, key=lambda each: each[:2]):
            if best is not None and not (self.sparing and best.replies):
                break
            if least >= whole and not self.goal.holds(after):
                continue
            choice = self._answered(after, cell, pairs, least < whole)
            if best is None or len(choice.replies) < len(best.replies):
                best = choice
        assert best is not None, "a goal is out of reach where a proof needs it"
        return best

    def _weigh(self, after: Position) -> tuple[Sequence[Mask], int]:
        """Return pairs that nearly stop the rival, to move, and the weight they leave; none where they are no use."""
        if self.tools is None:
            return (), 0
        key, _ = self.tools.key(least_sets(live_lines(after, self.rival)))
        least, pairs = self.tools.pairs(key, maker_moves=True)
        return pairs, least

    def _pairs(self, after: Position) -> tuple[Sequence[Mask], bool]:
        pairs, least = self._weigh(after)
        return pairs, self.tools is not None and least < 1 << self.tools.unit

    def _answered(self, after: Position, move: Cell | None, pairs: Sequence[Mask], whole: bool) -> _Chosen:
        """Return a choice with the replies that it leaves; `whole` says that the pairs settle all of them."""
        if whole:
            return _Chosen(move, pairs, ())
        replies: dict[Cell, tuple[Mask, Mask]] = {}
        for reply in cells_of(after.blanks):
            child = after.play(reply)
            key = self._key(child)
            if not child.is_terminal and key not in self.above:
                replies[reply] = key
        if self.tools is None:
            return _Chosen(move, None, _unlike(replies, replies))
        family = self.tools.family(self.tools.key(least_sets(live_lines(after, self.rival)))[0])
        left = _unlike(replies, [reply for reply in replies if not self._settle(family, pairs, reply)])
        alone = _unlike(replies, [reply for reply in replies if not self._settle(family, (), reply)])
        if CHILD_COST * (len(alone) - len(left)) > PAIR_COST * len(pairs):
            return _Chosen(move, pairs, left)
        everything = _unlike(replies, replies)
        return _Chosen(move, None, everything) if len(alone) == len(everything) else _Chosen(move, (), alone)

    def _settle(self, family: Sequence[Mask], pairs: Sequence[Mask], reply: Cell) -> bool:
        """Tell whether the pairs that a reply leaves settle the lines after it, the player to move."""
        assert self.tools is not None
        left = [pair for pair in pairs if not pair >> reply & 1]
        after = struck(after_maker(family, reply))
        return settled_by_pairs(after, left, self.tools.unit) < 1 << self.tools.unit


def _tools(board: Board) -> Tools:
    """Return what weighs the lines of a board; where it has few cells nothing is compiled for it."""
    trivial = Group.trivial(board.cells)
    if board.cells <= PLAIN_CELLS:
        return PlainTools(trivial, board.line_masks)
    return tools_for(trivial, board.line_masks)


def _unlike(keys: Mapping[Cell, tuple[Mask, Mask]], replies: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return the replies without those that lead to a position like one before."""
    first: dict[tuple[Mask, Mask], Cell] = {}
    for reply in replies:
        first.setdefault(keys[reply], reply)
    return tuple(first.values())
