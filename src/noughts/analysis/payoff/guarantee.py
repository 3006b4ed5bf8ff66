"""A strategy in sentences: what to play, and what to answer to each reply, indented as far as the game has gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import or_

from noughts.analysis.explain.facts import listed, move_classes
from noughts.analysis.policies.policy import evenly
from noughts.analysis.policies.reading import policy
from noughts.analysis.policies.table import FilePolicy
from noughts.analysis.trees import NODE_LIMIT, End, GameTree, grow
from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.game import Marks
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of
from noughts.rules.position import Position
from noughts.rules.symmetry import inverse
from noughts.rules.values import FrozenDict, short
from noughts.solving.classgraph import ClassGraph, Node, class_graph


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


# What a player can make sure of, whatever the other does, and how: one strategy as a tree of position classes.
#
# Every ending is worth something to the player. One backward pass gives what the player can make sure of at each
# position; of the moves that keep it the strategy takes the one with the smallest tree below. The tree holds one move
# of the player, all replies of the other, and stops where every continuation is worth the same.

Names = Mapping[tuple[Mask, Mask], str]
"""The name of each drawn pattern by its canonical form."""


@dataclass(frozen=True)
class Goal:
    """What was asked: patterns that `asked` is to force, or points, and what each ending is worth to `player`.

    Endings are `X`, `O` and the names of drawn patterns. `patterns` is empty where points were asked about.
    """

    asked: Player
    player: Player
    patterns: tuple[str, ...]
    worth: FrozenDict[str, Fraction]
    either: bool = False
    """Whether it was asked about both players; `asked` is then the one whom the strategy serves or keeps from it."""

    @property
    def wanted(self) -> str:
        """The patterns as prose has them: `an Arrow`, `an Island or a Scorpion`, `a draw` for all; empty for none."""
        if len(self.patterns) > 1 and len(self.patterns) + 2 == len(self.worth):
            return "a draw"
        return listed([with_article(name) for name in self.patterns], "or") if self.patterns else ""


@dataclass(frozen=True, repr=False)
class Guarantee:
    """What a player can make sure of from a position, and a strategy that does.

    `value` is the worth, to the player, of the worst ending that the strategy allows. For patterns a win is worth 2, an
    ending that serves 1 and any other 0; for points it is the difference, the player's less the other's.
    """

    goal: Goal
    value: Fraction
    tree: GameTree
    endings: tuple[tuple[str, ...], ...]
    """For each node of the tree all endings that play there may still have, both playing as they like."""

    def __repr__(self) -> str:
        said = f"{self.player} {self.purpose}, {len(self.tree.nodes):,} boards"
        return f"<Guarantee from {short(self.start)} on {short(self.board)}: {short(said, 60)}>"

    @property
    def start(self) -> Position:
        """The position."""
        return self.tree.start

    @property
    def board(self) -> Board:
        """The board."""
        return self.tree.board

    @property
    def player(self) -> Player:
        """Whose strategy it is."""
        return self.goal.player

    @property
    def holds(self) -> bool:
        """Whether the player who was asked about can do it; else the strategy is the other's, who prevents it."""
        return self.goal.player == self.goal.asked

    @cached_property
    def allowed(self) -> tuple[str, ...]:
        """The endings that the strategy still allows, whatever the other plays, in the order of `goal.worth`."""
        ends = {name for node in self.tree.nodes if node.end is not None for name in self.endings[node.id]}
        return tuple(name for name in self.goal.worth if name in ends)

    @cached_property
    def sentences(self) -> tuple[Instruction, ...]:
        """The strategy in sentences: what to play, and what to answer."""
        return instructions(self.tree, self.player, self.endings)

    @property
    def purpose(self) -> str:
        """What the strategy does, in a word or two."""
        patterns = self.goal.wanted
        if not patterns:
            return f"makes sure of a difference of {self.value}"
        return f"forces {patterns}" if self.holds else f"prevents {patterns}"

    @cached_property
    def policy(self) -> FilePolicy:
        """The strategy as a policy; positions that it does not meet, or where any move will do, it plays `perfect`."""
        table = {}
        for node in self.tree.nodes:
            links = self.tree.children[node.id]
            if links and node.position.to_move == self.player:
                table[node.position.x, node.position.o] = evenly(links[0].moves)
        return FilePolicy("strategy", FrozenDict(table), policy(self.board, "perfect"), board=self.board)

    def policy_as_dict(self) -> dict[str, object]:
        """Return the strategy as a policy file has it."""
        return self.policy.as_dict(self.board)

    def as_dict(self) -> dict[str, object]:
        """Return what was asked, who can do what, and the strategy, for JSON."""
        return {
            "board": self.board.spec,
            "position": str(self.start),
            "patterns": list(self.goal.patterns),
            "worth": {ending: str(worth) for ending, worth in self.goal.worth.items()},
            "asked": self.goal.asked,
            "holds": self.holds,
            "player": self.player,
            "value": str(self.value),
            "policy": self.policy_as_dict(),
            "tree": self.tree.as_dict(),
        }


def ending_of(names: Names, node: Node) -> str:
    """Return the ending of a class in which the game is over."""
    return names[node.state[:2]] if node.outcome == "draw" else str(node.outcome)


def guarantee(start: Position, goal: Goal, names: Names, progress: Progress = silent) -> Guarantee:
    """Return what the player of a goal can make sure of, and how. Assumes an unfinished position.

    Cost: all position classes from there, in plain Python.
    """
    graph = class_graph(start.board, start, progress=progress)
    play = _Held(graph, goal, names)

    def number(position: Position) -> int:
        return graph.numbers[Marks(position.x, position.o)]

    def moves(position: Position) -> Mask:
        at = number(position)
        if position.to_move != goal.player:
            return position.blanks
        cells = dict(graph.nodes[at].children)[play.choice[at]]
        return cells & -cells

    def end(position: Position) -> End | None:
        if position.is_terminal:
            return "over"
        return "settled" if play.lowest[number(position)] == play.highest[number(position)] else None

    def outcome(position: Position) -> Outcome | None:
        found: set[Outcome] = {_outcome(name) for name in play.endings(number(position))}
        return found.pop() if len(found) == 1 else None

    tree = grow(start, "strategy", moves, end, outcome, lambda _: False, limit=NODE_LIMIT)
    endings = tuple(play.endings(number(node.position)) for node in tree.nodes)
    return Guarantee(goal, play.value[0], tree, endings)


def _outcome(ending: str) -> Outcome:
    return "X" if ending == "X" else "O" if ending == "O" else "draw"


class _Held:
    """One backward pass: what the player can make sure of at each class, with which child, and what else may happen."""

    def __init__(self, graph: ClassGraph, goal: Goal, names: Names) -> None:
        self.value, self.lowest, self.highest = (dict[int, Fraction]() for _ in range(3))
        self.size, self.choice, self._ends = (dict[int, int]() for _ in range(3))
        self._names = list(goal.worth)
        bits = {name: 1 << i for i, name in enumerate(self._names)}
        for at, node in graph.backward():
            if node.outcome is None:
                self._inner(at, [child for child, _ in node.children], graph.game.to_move(node.state) == goal.player)
            else:
                ending = ending_of(names, node)
                self.value[at] = self.lowest[at] = self.highest[at] = goal.worth[ending]
                self.size[at], self._ends[at] = 1, bits[ending]

    def _inner(self, at: int, children: list[int], mine: bool) -> None:
        self.lowest[at] = min(self.lowest[child] for child in children)
        self.highest[at] = max(self.highest[child] for child in children)
        self._ends[at] = reduce(or_, [self._ends[child] for child in children])
        if mine:
            best = min(children, key=lambda child: (-self.value[child], self.size[child], child))
            self.choice[at], self.value[at] = best, self.value[best]
            below = self.size[best]
        else:
            self.value[at] = min(self.value[child] for child in children)
            below = sum(self.size[child] for child in children)
        self.size[at] = 1 if self.lowest[at] == self.highest[at] else 1 + below

    def endings(self, at: int) -> tuple[str, ...]:
        return tuple(self._names[i] for i in cells_of(self._ends[at]))
