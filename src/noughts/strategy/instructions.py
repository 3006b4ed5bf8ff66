"""A strategy in sentences: what to play, and what to answer to each reply, indented as far as the game has gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.cells import cell_name
from noughts.domain.position import Player, Position
from noughts.domain.symmetry import inverse
from noughts.strategy.gametree import GameTree
from noughts.strategy.openings import move_classes
from noughts.strategy.sentences import listed

__all__ = ["Instruction", "instructions", "with_article"]


@dataclass(frozen=True)
class Instruction:
    """A sentence, and after how many moves of the player it applies."""

    depth: int
    text: str


def with_article(pattern: str) -> str:
    """Return the name of a pattern as prose has it: `an Arrow`, `a Scorpion`, `pattern 2`."""
    if pattern[0].islower():
        return pattern
    return f"{'an' if pattern[0] in 'AEIOU' else 'a'} {pattern}"


def instructions(tree: GameTree, player: Player, endings: Sequence[tuple[str, ...]]) -> tuple[Instruction, ...]:
    """Return a strategy as sentences. `tree` has one move of the player at each turn and all replies.

    A reply and its mirror images are one; a position that was met before, perhaps turned, is not gone through again.
    """
    return tuple(_Teller(tree, player, endings).told())


class _Teller:
    def __init__(self, tree: GameTree, player: Player, endings: Sequence[tuple[str, ...]]) -> None:
        self.tree, self.player, self.endings = tree, player, endings
        self.board, self.group = tree.board, tree.board.group()
        self.ids: Mapping[tuple[Mask, Mask], int] = {(n.position.x, n.position.o): n.id for n in tree.nodes}
        self.told_at: dict[int, str] = {}
        self.found: list[Instruction] = []

    def told(self) -> list[Instruction]:
        start = self.tree.start
        if self.tree.root.end is not None:
            self._say(0, f"{_capital(self._fate(0))}, whatever both play.")
        elif start.to_move == self.player:
            move, after = self._answer(start)
            self._say(0, f"{self.player} plays {move}{self._then(after)}.")
            self._replies(after, 1, [move])
        else:
            self._replies(start, 0, [])
        return self.found

    def _say(self, depth: int, text: str) -> None:
        self.found.append(Instruction(depth, text))

    def _id(self, position: Position) -> int:
        return self.ids[self.group.canonical(position.x, position.o)]

    def _answer(self, position: Position) -> tuple[str, Position]:
        """The player's move, carried over from the class to a position as it lies."""
        x, o, symmetry = self.group.to_canonical(position.x, position.o)
        (link,) = self.tree.children[self.ids[x, o]]
        cell = inverse(symmetry)[next(cells_of(link.moves))]
        return cell_name(self.board, cell), position.play(cell)

    def _fate(self, node: int) -> str:
        """What every continuation comes to."""
        names = [f"{e} wins" if e in ("X", "O") else with_article(e) for e in self.endings[node]]
        return listed(names, "or")

    def _then(self, position: Position) -> str:
        """How the game stands after a move of the player, if it is over or settled."""
        node = self._id(position)
        end = self.tree.nodes[node].end
        if end is None:
            return ""
        if end == "over":
            if position.outcome == "draw":
                return f": {self._fate(node)}"
            return " and wins" if position.outcome == self.player else " and loses"
        return f": {self._fate(node)}, whatever follows"

    def _replies(self, position: Position, depth: int, moves: list[str]) -> None:
        """What to answer to each reply; those with one answer that settles the game share a sentence, at the end."""
        if self.tree.nodes[self._id(position)].end is not None:
            return
        node = self._id(position)
        if node in self.told_at:
            self._say(depth, f"Go on as after {self.told_at[node]}, turned or mirrored.")
            return
        self.told_at[node] = " ".join(moves) or "the start"
        short: dict[str, list[Cell]] = {}
        for cell, same in move_classes(position):
            after = position.play(cell)
            if self._text(after)[1] is not None:
                for each in cells_of(same):
                    short.setdefault(self._text(position.play(each))[0], []).append(each)
                continue
            then, following = self._text(after)[0], self._answer(after)[1]
            self._say(depth, f"If {position.to_move} plays {self._named(cell, same)}, {then}")
            answer = self._answer(after)[0]
            self._replies(following, depth + 1, [*moves, cell_name(self.board, cell), answer])
        self._short(position, depth, short)

    def _short(self, position: Position, depth: int, short: Mapping[str, list[Cell]]) -> None:
        left = sum(map(len, short.values()))
        other = left < position.blanks.bit_count()
        for text, cells in sorted(short.items(), key=lambda item: len(item[1])):
            rest = len(cells) == left and len(cells) > 1
            names = [cell_name(self.board, cell) for cell in sorted(cells)]
            if rest and position.blanks.bit_count() == len(cells):
                said = "anything"
            else:
                said = "anything else" if rest and (other or len(short) > 1) else listed(names, "or")
            left -= len(cells)
            self._say(depth, f"If {position.to_move} plays {said}, {text}")

    def _text(self, after: Position) -> tuple[str, str | None]:
        """What comes after a reply, and the same once more where the game is then over or settled."""
        node = self._id(after)
        if self.tree.nodes[node].end is not None:
            over = self.tree.nodes[node].end == "over"
            said = f"it is {self._fate(node)}{'' if over else ', whatever follows'}."
            said = said.replace("it is X wins", "X wins").replace("it is O wins", "O wins")
            return said, said
        move, following = self._answer(after)
        then = self._then(following)
        said = f"{self.player} plays {move}{then}."
        return said, said if then else None

    def _named(self, cell: Cell, same: Mask) -> str:
        others = [cell_name(self.board, each) for each in cells_of(same) if each != cell]
        return cell_name(self.board, cell) + (f" (or {listed(others, 'or')})" if others else "")


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
