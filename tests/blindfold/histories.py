"""Blindfold play by full histories with beliefs: the engine that assumes nothing, and judges the merged one.

A belief is a table of all possible truths after a history of calls and answers, with their chances under random
replies. A truth is (own marks, opponent's marks, last move). Playing every reply gives the belief after the next call.
Two histories share work only if their beliefs, chances and memories are equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from noughts.blindfold.game import BlindRules, Goal
from noughts.rules.board import Board

Truth = tuple[int, int, int]
Belief = dict[Truth, Fraction]
Heard = tuple[object, ...]
Node = tuple[int, tuple[tuple[Truth, Fraction], ...]]


class Histories:
    """Answers by histories; a node is the set of cells that may not be called again, with the belief.

    Cost: about a hundred times that of merged states; meant for boards of up to nine cells.
    """

    def __init__(self, board: Board, rules: BlindRules, goal: Goal = "never-lose") -> None:
        self.cells, self.lines, self.misere = board.cells, [set(line) for line in board.lines], board.misere
        self.rules, self.goal = rules, goal
        self._wins: dict[int, bool] = {}
        self._after: dict[tuple[Node, int], tuple[bool, bool, Fraction, tuple[tuple[Fraction, Node], ...]]] = {}
        self._good: dict[Node, tuple[int, ...]] = {}
        self._sizes: dict[Node, int] = {}
        self._plans: dict[Node, int] = {}
        self._chances: dict[tuple[Node, bool], Fraction] = {}
        self._counts: dict[Node, int] = {}

    def _line(self, marks: int) -> bool:
        if marks not in self._wins:
            held = {cell for cell in range(self.cells) if marks >> cell & 1}
            self._wins[marks] = any(line <= held for line in self.lines)
        return self._wins[marks]

    @staticmethod
    def _node(barred: int, belief: Belief) -> tuple[Fraction, Node]:
        total = sum(belief.values(), Fraction())
        return total, (barred, tuple(sorted((truth, chance / total) for truth, chance in belief.items())))

    def starts(self) -> list[tuple[int | None, Fraction, Node]]:
        """Return (known opening or None, its chance, node) for each first call."""
        if self.rules.blind == "X":
            return [(None, *self._node(0, {(0, 0, -1): Fraction(1)}))]
        told = self.rules.opening_told
        groups: dict[int | None, Belief] = {}
        for cell in range(self.cells):
            if not self._line(1 << cell) and self.cells > 1:
                truth = (0, 1 << cell, cell if self.rules.told == "last-move" else -1)
                groups.setdefault(cell if told else None, {})[truth] = Fraction(1, self.cells)
        return [(cell, *self._node(1 << cell if cell is not None else 0, g)) for cell, g in groups.items()]

    def _replies(self, truth: Truth) -> Iterator[tuple[Truth, str]]:
        own, other, _ = truth
        for cell in range(self.cells):
            if not (own | other) >> cell & 1:
                marks = other | 1 << cell
                full = own | marks == (1 << self.cells) - 1
                end = ("win" if self.misere else "loss") if self._line(marks) else "draw" if full else ""
                yield (own, marks, cell if self.rules.told == "last-move" else -1), end

    def after(self, node: Node, cell: int) -> tuple[bool, bool, Fraction, tuple[tuple[Fraction, Node], ...]]:
        """Return for a call: may it lose, may it draw (at once), the chance to win at once, the nodes that follow."""
        key = (node, cell)
        if key not in self._after:
            self._after[key] = self._play(node, cell)
        return self._after[key]

    def _play(self, node: Node, cell: int) -> tuple[bool, bool, Fraction, tuple[tuple[Fraction, Node], ...]]:
        barred, belief = node
        ends: dict[str, Fraction] = {}
        groups: dict[tuple[Heard, int], Belief] = {}
        for (own, other, last), chance in belief:
            truth, heard, shown, replies = self._answer(own, other, last, cell)
            if isinstance(truth, str):
                ends[truth] = ends.get(truth, Fraction()) + chance
                continue
            outcomes = list(self._replies(truth)) if replies else [(truth, "")]
            for following, end in outcomes:
                if end:
                    ends[end] = ends.get(end, Fraction()) + chance / len(outcomes)
                else:
                    group = groups.setdefault((heard, barred | 1 << cell | shown), {})
                    group[following] = group.get(following, Fraction()) + chance / len(outcomes)
        nodes = tuple(self._node(bars, group) for (_, bars), group in sorted(groups.items(), key=repr))
        return "loss" in ends, "draw" in ends, ends.get("win", Fraction()), nodes

    def _answer(self, own: int, other: int, last: int, cell: int) -> tuple[Truth | str, Heard, int, bool]:
        """Return (truth or outcome, what is heard, cells shown, whether the opponent acts next)."""
        silent = self.rules.told == "nothing"
        if other >> cell & 1:
            shown = {"all": other, "last-move": 1 << last if last >= 0 else 0}.get(self.rules.told, 0)
            heard = ("",) if silent else ("taken", shown)
            return (own, other, last), heard, shown, self.rules.collision == "lose-turn"
        marks = own | 1 << cell
        if self._line(marks):
            return "loss" if self.misere else "win", (), 0, False
        if marks | other == (1 << self.cells) - 1:
            return "draw", (), 0, False
        return (marks, other, last), ("" if silent else "free",), 0, True

    def callable(self, node: Node) -> list[int]:
        """Return the cells that may be called."""
        return [cell for cell in range(self.cells) if not node[0] >> cell & 1]

    def good(self, node: Node) -> tuple[int, ...]:
        """Return the calls after which the goal is certain."""
        if node not in self._good:
            self._good[node] = tuple(cell for cell in self.callable(node) if self._is_good(node, cell))
        return self._good[node]

    def _is_good(self, node: Node, cell: int) -> bool:
        loses, draws, _, nodes = self.after(node, cell)
        if loses or (draws and self.goal == "always-win"):
            return False
        return all(self.good(below) for _, below in nodes)

    def size(self, node: Node, cell: int | None = None) -> int:
        """Return the fewest places of a plan from here, or of one that makes this good call."""
        if cell is not None:
            return 1 + sum(self.size(below) for _, below in self.after(node, cell)[3])
        if node not in self._sizes:
            self._sizes[node] = min(self.size(node, good) for good in self.good(node))
        return self._sizes[node]

    def plans(self, node: Node) -> int:
        """Return the number of plans for the goal from here."""
        if node not in self._plans:
            total = 0
            for cell in self.good(node):
                product = 1
                for _, below in self.after(node, cell)[3]:
                    product *= self.plans(below)
                total += product
            self._plans[node] = total
        return self._plans[node]

    def chance(self, node: Node, *, good_only: bool, cell: int | None = None) -> Fraction:
        """Return the largest chance to win from here, or with this call next."""
        if cell is not None:
            _, _, won, nodes = self.after(node, cell)
            return won + sum((share * self.chance(below, good_only=good_only) for share, below in nodes), Fraction())
        key = (node, good_only)
        if key not in self._chances:
            cells = self.good(node) if good_only else self.callable(node)
            self._chances[key] = max(self.chance(node, good_only=good_only, cell=c) for c in cells)
        return self._chances[key]

    def histories(self, node: Node) -> int:
        """Return how many histories from here end where the player is to call."""
        if node not in self._counts:
            below = [n for cell in self.callable(node) for _, n in self.after(node, cell)[3]]
            self._counts[node] = 1 + sum(self.histories(n) for n in below)
        return self._counts[node]

    def reachable(self, *, good_only: bool) -> set[Node]:
        """Return all nodes that can be reached; or those that good calls alone lead to."""
        roots = [node for _, _, node in self.starts()]
        if good_only and not all(self.good(node) for node in roots):
            return set()
        found, frontier = set(roots), list(roots)
        while frontier:
            node = frontier.pop()
            for cell in self.good(node) if good_only else self.callable(node):
                for _, below in self.after(node, cell)[3]:
                    if below not in found:
                        found.add(below)
                        frontier.append(below)
        return found
