"""What a player can guarantee against any play, and how: one strategy as a tree, and in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial, reduce
from operator import and_, or_
from typing import TypeVar

from noughts.analysis.explain.facts import FromStart, move_classes
from noughts.analysis.explain.wording import listed, named_cells
from noughts.analysis.policies.policy import evenly
from noughts.analysis.policies.reading import policy
from noughts.analysis.policies.table import FilePolicy
from noughts.analysis.trees import NODE_LIMIT, End, GameTree, grow
from noughts.machine.workers import Progress, silent
from noughts.rules.cells import cell_name
from noughts.rules.game import Marks
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of
from noughts.rules.position import Position
from noughts.rules.symmetry import inverse
from noughts.rules.values import FrozenDict, begun
from noughts.solving.classgraph import ClassGraph, Node, class_graph

Value = TypeVar("Value")

unite: Callable[[Iterable[int]], int] = partial(reduce, or_)
"""The union of sets that are bits of integers."""
meet: Callable[[Iterable[int]], int] = partial(reduce, and_)
"""The intersection of sets that are bits of integers."""
Names = Mapping[tuple[Mask, Mask], str]
"""The name of each drawn pattern by its canonical form."""


def ending_of(names: Names, node: Node) -> str:
    """Return the ending of a finished class: `X`, `O` or the name of a drawn pattern."""
    return names[node.state[:2]] if node.outcome == "draw" else str(node.outcome)


def backward(
    graph: ClassGraph,
    at_end: Callable[[Node], Value],
    for_x: Callable[[Iterable[Value]], Value],
    for_o: Callable[[Iterable[Value]], Value],
) -> dict[int, Value]:
    """Return a value for each node of a class graph: `at_end` if finished, else the mover's choice of the children."""
    found: dict[int, Value] = {}
    for number, node in graph.backward():
        combine = for_x if graph.game.to_move(node.state) == "X" else for_o
        below = (found[child] for child, _ in node.children)
        found[number] = combine(below) if node.outcome is None else at_end(node)
    return found


@dataclass(frozen=True)
class Goal:
    """The request: patterns that `asked` should force, or points; and the value of each ending for `player`.

    Endings are `X`, `O` and the names of drawn patterns. `patterns` is empty for points. `worth` has the values.
    """

    asked: Player
    player: Player
    patterns: tuple[str, ...]
    worth: FrozenDict[str, Fraction]
    either: bool = False
    """Whether the request was for either player; `asked` is then the player of the answer."""

    @property
    def wanted(self) -> str:
        """The patterns in words: `an Arrow`, `an Island or a Scorpion`, `a draw` for all; empty for none."""
        if len(self.patterns) > 1 and len(self.patterns) + 2 == len(self.worth):
            return "a draw"
        return listed([with_article(name) for name in self.patterns], "or") if self.patterns else ""


@dataclass(frozen=True)
class Instruction:
    """A sentence, and the number of the player's moves before it applies."""

    depth: int
    text: str


@dataclass(frozen=True, repr=False)
class Guarantee(FromStart):
    """What a player can guarantee from a position, and a strategy that does it.

    `value` is the value, for the player, of the worst ending that the strategy allows. For patterns a win has 2, a
    wanted ending 1 and any other 0; for points it is the difference, the player's minus the opponent's. The tree holds
    one move of the player and all replies, and stops where every continuation has the same value.
    """

    goal: Goal
    value: Fraction
    tree: GameTree
    endings: tuple[tuple[str, ...], ...]
    """For each node of the tree all endings that are still possible there."""
    keys = (
        "board position=start patterns=goal.patterns worth=goal.worth asked=goal.asked holds player value "
        "policy=saved_policy tree"
    )

    @property
    def player(self) -> Player:
        """The player of the strategy."""
        return self.goal.player

    @property
    def holds(self) -> bool:
        """Whether `goal.asked` can do it; else the strategy is the opponent's, who prevents it."""
        return self.goal.player == self.goal.asked

    @cached_property
    def allowed(self) -> tuple[str, ...]:
        """The endings that the strategy still allows, in the order of `goal.worth`."""
        ends = {name for node in self.tree.nodes if node.end is not None for name in self.endings[node.id]}
        return tuple(name for name in self.goal.worth if name in ends)

    @cached_property
    def sentences(self) -> tuple[Instruction, ...]:
        """The strategy in sentences: what to play, and what to answer.

        Symmetric replies share a sentence. A position that an earlier sentence covers, perhaps turned, refers to it.
        """
        return tuple(_Instructor(self).all())

    @property
    def purpose(self) -> str:
        """What the strategy does, in a few words."""
        patterns = self.goal.wanted
        if not patterns:
            return f"makes sure of a difference of {self.value}"
        return f"forces {patterns}" if self.holds else f"prevents {patterns}"

    @cached_property
    def policy(self) -> FilePolicy:
        """The strategy as a policy; in positions that its tree does not cover it plays `perfect`."""
        table = {
            (node.position.x, node.position.o): evenly(self.tree.children[node.id][0].moves)
            for node in self.tree.nodes
            if self.tree.children[node.id] and node.position.to_move == self.player
        }
        return FilePolicy("strategy", FrozenDict(table), policy(self.board, "perfect"), board=self.board)

    @property
    def saved_policy(self) -> dict[str, object]:
        """The strategy in the form of a policy file."""
        return self.policy.as_dict(self.board)


def guarantee(start: Position, goal: Goal, names: Names, progress: Progress = silent) -> Guarantee:
    """Return what the player of a goal can guarantee, and how. Assumes an unfinished position.

    Of the moves that keep the guarantee the strategy takes the one with the smallest tree.
    Cost: all position classes from there, in plain Python.
    """
    graph = class_graph(start.board, start, progress=progress)
    held = _held(graph, goal, names)

    def at(position: Position) -> _Held:
        return held[graph.numbers[Marks(position.x, position.o)]]

    def moves(position: Position) -> Mask:
        if position.to_move != goal.player:
            return position.blanks
        cells = dict(graph.nodes[at(position).number].children)[at(position).choice]
        return cells & -cells

    def end(position: Position) -> End | None:
        if position.is_terminal:
            return "over"
        return "settled" if at(position).lowest == at(position).highest else None

    every = list(goal.worth)

    def endings(position: Position) -> tuple[str, ...]:
        return tuple(every[i] for i in cells_of(at(position).ends))

    def outcome(position: Position) -> Outcome | None:
        found: set[Outcome] = {"X" if name == "X" else "O" if name == "O" else "draw" for name in endings(position)}
        return found.pop() if len(found) == 1 else None

    tree = grow(start, "strategy", moves, end, outcome, lambda _: False, limit=NODE_LIMIT)
    return Guarantee(start, goal, held[0].value, tree, tuple(endings(node.position) for node in tree.nodes))


@dataclass(slots=True)
class _Held:
    """The guaranteed value of a class, the child that keeps it (-1: any), and the lowest and highest values below.

    `ends` are the possible endings, as bits; `size` is the number of nodes of the strategy from there.
    """

    number: int
    value: Fraction
    lowest: Fraction
    highest: Fraction
    ends: int
    size: int = 1
    choice: int = -1


def _held(graph: ClassGraph, goal: Goal, names: Names) -> dict[int, _Held]:
    """Return the facts of each class, by one backward pass."""
    bits = {name: 1 << i for i, name in enumerate(goal.worth)}
    found: dict[int, _Held] = {}
    for number, node in graph.backward():
        if node.outcome is not None:
            ending = ending_of(names, node)
            points = goal.worth[ending]
            found[number] = _Held(number, points, points, points, bits[ending])
            continue
        below = [found[child] for child, _ in node.children]
        lowest, highest = min(each.lowest for each in below), max(each.highest for each in below)
        here = _Held(number, min(each.value for each in below), lowest, highest, unite(e.ends for e in below))
        size = sum(each.size for each in below)
        if graph.game.to_move(node.state) == goal.player:
            best = min(below, key=lambda each: (-each.value, each.size, each.number))
            here.value, here.choice, size = best.value, best.number, best.size
        here.size = 1 if lowest == highest else 1 + size
        found[number] = here
    return found


def with_article(pattern: str) -> str:
    """Return the name of a pattern with its article: `an Arrow`, `a Scorpion`, `pattern 2`."""
    if pattern[0].islower():
        return pattern
    return f"{'an' if pattern[0] in 'AEIOU' else 'a'} {pattern}"


class _Instructor:
    """Writes the sentences of a strategy, indented by the moves before them."""

    def __init__(self, found: Guarantee) -> None:
        self.tree, self.player, self.endings = found.tree, found.player, found.endings
        self.board, self.group = found.board, found.board.group()
        self.ids = {(node.position.x, node.position.o): node.id for node in self.tree.nodes}
        self.explained_at: dict[int, str] = {}
        self.found: list[Instruction] = []

    def all(self) -> list[Instruction]:
        start = self.tree.start
        if self.tree.root.end is not None:
            self._say(0, f"{begun(self._fate(0))}, however both play.")
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
        """Return the player's move, mapped from the class to this position, and the position after it."""
        x, o, symmetry = self.group.to_canonical(position.x, position.o)
        (link,) = self.tree.children[self.ids[x, o]]
        cell = inverse(symmetry)[next(cells_of(link.moves))]
        return cell_name(self.board, cell), position.play(cell)

    def _fate(self, node: int) -> str:
        """Return in words how every continuation ends."""
        return listed([f"{e} wins" if e in ("X", "O") else with_article(e) for e in self.endings[node]], "or")

    def _then(self, position: Position) -> str:
        """Return in words how the game ends after a move of the player, if it is over or settled."""
        if position.outcome in ("X", "O"):
            return " and wins" if position.outcome == self.player else " and loses"
        ended = self._ended(position)
        return f": {ended}" if ended else ""

    def _ended(self, position: Position) -> str:
        """Return in words how a position ends that is over or settled, else nothing."""
        node = self._id(position)
        end = self.tree.nodes[node].end
        return "" if end is None else self._fate(node) + ("" if end == "over" else ", however both play on")

    def _replies(self, position: Position, depth: int, moves: list[str]) -> None:
        """Add a sentence for each reply; replies whose answer settles the game share one sentence at the end."""
        node = self._id(position)
        if self.tree.nodes[node].end is not None:
            return
        if node in self.explained_at:
            self._say(depth, f"Continue as after {self.explained_at[node]}, turned or mirrored.")
            return
        self.explained_at[node] = " ".join(moves) or "the start"
        short: dict[str, list[Cell]] = {}
        for cell, same in move_classes(position):
            after = position.play(cell)
            then, is_last = self._text(after)
            if is_last:
                for each in cells_of(same):
                    short.setdefault(self._text(position.play(each))[0], []).append(each)
                continue
            others = [each for each in cells_of(same) if each != cell]
            name = cell_name(self.board, cell)
            named = f"{name} (or {named_cells(self.board, others, 'or')})" if others else name
            self._say(depth, f"If {position.to_move} plays {named}, {then}")
            answer, following = self._answer(after)
            self._replies(following, depth + 1, [*moves, name, answer])
        self._short(position, depth, short)

    def _short(self, position: Position, depth: int, short: Mapping[str, list[Cell]]) -> None:
        left, blanks = sum(map(len, short.values())), position.blanks.bit_count()
        other = left < blanks
        for text, cells in sorted(short.items(), key=lambda item: len(item[1])):
            reply = named_cells(self.board, sorted(cells), "or")
            if len(cells) == left and len(cells) > 1 and (other or len(short) > 1 or blanks == left):
                reply = "anything" if blanks == left else "anything else"
            left -= len(cells)
            self._say(depth, f"If {position.to_move} plays {reply}, {text}")

    def _text(self, after: Position) -> tuple[str, bool]:
        """Return in words what follows a reply, and whether the game is then over or settled."""
        if ended := self._ended(after):
            return f"{'' if ended.startswith(('X wins', 'O wins')) else 'it is '}{ended}.", True
        move, following = self._answer(after)
        then = self._then(following)
        return f"{self.player} plays {move}{then}.", bool(then)
