"""Strategy worked out the slow, obvious way on strings. Imports nothing of ours but the oracle of boards and lines.

A position is a string of X, O and `.` in reading order. Symmetries are all turns and mirrors that keep the shape.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from tests import naive


class Oracle:
    """A board of rows and columns, k in a row; under misere a line loses, on a torus lines and symmetries wrap."""

    def __init__(self, rows: int, columns: int, k: int, misere: bool = False, torus: bool = False) -> None:
        self.rows, self.columns, self.misere, self.torus = rows, columns, misere, torus
        self.cells = rows * columns
        self.empty = "." * self.cells
        self.worths: dict[str, int] = {}
        game = naive.grid(rows, columns, k, torus=torus)
        self.lines = {tuple(sorted(line)) for line in game.lines}
        self.symmetries = naive.isometries(rows, columns, torus=torus)
        # One cache for each board.
        self.value = cache(self._value)
        self.remoteness = cache(self._remoteness)
        self.outcomes = cache(self._outcomes)
        self.fork_later = cache(self._fork_later)
        self.score = cache(self._score)
        self.canonical = cache(self._canonical)

    def _canonical(self, s: str) -> str:
        return min("".join(s[i] for i in places) for places in self.symmetries)

    def images(self, s: str) -> set[str]:
        return {"".join(s[i] for i in places) for places in self.symmetries}

    def slashed(self, s: str) -> str:
        return "/".join(s[i : i + self.columns] for i in range(0, self.cells, self.columns))

    def name(self, cell: int) -> str:
        return "abcdefgh"[cell % self.columns] + str(cell // self.columns + 1)

    # ---- play ----

    def mover(self, s: str) -> str:
        return "X" if s.count("X") == s.count("O") else "O"

    def other(self, player: str) -> str:
        return "O" if player == "X" else "X"

    def blanks(self, s: str) -> list[int]:
        return [i for i, mark in enumerate(s) if mark == "."]

    def put(self, s: str, cell: int, player: str | None = None) -> str:
        return s[:cell] + (player or self.mover(s)) + s[cell + 1 :]

    def lined(self, s: str) -> str | None:
        for line in self.lines:
            if s[line[0]] != "." and all(s[i] == s[line[0]] for i in line):
                return s[line[0]]
        return None

    def winner(self, s: str) -> str | None:
        found = self.lined(s)
        return self.other(found) if found and self.misere else found

    def over(self, s: str) -> bool:
        return self.lined(s) is not None or "." not in s

    def _value(self, s: str) -> str:
        if self.over(s):
            return self.winner(s) or "draw"
        found = {self.value(self.put(s, c)) for c in self.blanks(s)}
        for wanted in (self.mover(s), "draw"):
            if wanted in found:
                return wanted
        return self.other(self.mover(s))

    def _remoteness(self, s: str) -> int:
        if self.over(s):
            return 0
        same = [t for c in self.blanks(s) if self.value(t := self.put(s, c)) == self.value(s)]
        choose = min if self.value(s) == self.mover(s) else max
        return 1 + choose(self.remoteness(t) for t in same)

    def _outcomes(self, s: str) -> frozenset[str]:
        """All outcomes that some continuation has."""
        if self.over(s):
            return frozenset([self.winner(s) or "draw"])
        return frozenset().union(*(self.outcomes(self.put(s, c)) for c in self.blanks(s)))

    def label(self, s: str) -> str:
        value = self.value(s)
        if len(self.outcomes(s)) == 1:
            return "draw" if value == "draw" else f"{value} wins"
        return "either can force a draw" if value == "draw" else f"{value} can force a win"

    # ---- threats ----

    def threats(self, s: str, player: str) -> list[int]:
        """Cells that complete a line; none once the game is over."""
        if self.over(s):
            return []
        return [c for c in self.blanks(s) if self.lined(self.put(s, c, player)) == player]

    def losing_answers(self, s: str) -> tuple[int, int] | None:
        """After a move that keeps a draw: how many answers lose, and how many there are; else None."""
        if self.over(s) or self.value(s) != "draw":
            return None
        cells = self.blanks(s) if self.misere else self.block_rule(s)
        answers = {self.canonical(self.put(s, cell)) for cell in cells}
        return sum(self.value(t) == self.other(self.mover(s)) for t in answers), len(answers)

    def is_fork(self, s: str) -> bool:
        return len(self.threats(s, self.other(self.mover(s)))) >= 2

    def forks(self, s: str, player: str) -> list[int]:
        return [c for c in self.blanks(s) if len(self.threats(self.put(s, c, player), player)) >= 2]

    def block_rule(self, s: str) -> list[int]:
        me = self.mover(s)
        return self.threats(s, me) or self.threats(s, self.other(me)) or self.blanks(s)

    def forced_wins(self, s: str) -> list[list[str]]:
        """Every way to force a fork, by trying all attacking moves at every turn."""
        me, found = self.mover(s), []

        def attack(s: str, moves: list[int]) -> None:
            standing = set(self.threats(s, me))
            for c in self.blanks(s):
                t = self.put(s, c)
                if self.over(t) or not set(self.threats(t, me)) - standing or self.threats(t, self.other(me)):
                    continue
                threats = self.threats(t, me)
                if len(threats) >= 2:
                    found.append([*moves, c])
                else:
                    attack(self.put(t, threats[0]), [*moves, c, threats[0]])

        attack(s, [])
        return [[self.name(c) for c in moves] for moves in sorted(found, key=lambda m: (len(m), m))]

    # ---- the reduced tree ----

    def _fork_later(self, s: str) -> bool:
        if self.over(s):
            return False
        return any(self.is_fork(t) or self.fork_later(t) for t in (self.put(s, c) for c in self.block_rule(s)))

    def end(self, s: str) -> str | None:
        if self.over(s):
            return "over"
        if self.value(s) != "draw":
            return "forced win"
        return None if self.fork_later(s) else "no fork left"

    def reduced(self, s: str) -> dict[str, str | None]:
        nodes: dict[str, str | None] = {}
        work = [self.canonical(s)]
        while work:
            s = work.pop()
            if s not in nodes:
                nodes[s] = self.end(s)
                if nodes[s] is None:
                    work += [self.canonical(self.put(s, c)) for c in self.block_rule(s)]
        return nodes

    def _score(self, s: str, distinct: bool) -> Fraction:
        if self.end(s):
            return Fraction({"X": 1, "draw": 0, "O": -1}[self.value(s)])
        below = [self.canonical(self.put(s, c)) for c in self.block_rule(s)]
        if distinct:
            below = sorted(set(below))
        return sum((self.score(t, distinct) for t in below), Fraction(0)) / len(below)

    # ---- forcing a pattern, policies ----

    def can_force(self, s: str, player: str, pattern: str) -> bool:
        """Whether the player can make sure of one drawn class, or of a win."""
        if self.over(s):
            return self.canonical(s) == pattern or self.winner(s) == player
        choose = any if self.mover(s) == player else all
        return choose(self.can_force(self.put(s, c), player, pattern) for c in self.blanks(s))

    def moves_of(self, s: str, policy: str) -> list[int]:
        me, blanks = self.mover(s), self.blanks(s)
        wins, blocks = self.threats(s, me), self.threats(s, self.other(me))
        if policy == "random":
            return blanks
        if policy == "win":
            return wins or blanks
        if policy == "block":
            return wins or blocks or blanks
        if policy == "concede":
            return wins or ([] if len(blocks) > 1 else blocks or blanks)
        if policy == "fork":
            return wins or blocks or self.forks(s, me) or blanks
        rank = {me: 2, "draw": 1, self.other(me): 0}
        best = max(rank[self.value(self.put(s, c))] for c in blanks)
        perfect = [c for c in blanks if rank[self.value(self.put(s, c))] == best]
        if policy == "perfect":
            return perfect
        if policy == "quickest":
            worth = {c: self.worth(self.put(s, c)) * (1 if me == "X" else -1) for c in perfect}
            return [c for c in perfect if worth[c] == max(worth.values())]
        rule = policy.split(":")[1]
        chances = {c: self.error_chance(self.put(s, c), rule) for c in perfect}
        return [c for c in perfect if chances[c] == max(chances.values())]

    def worth(self, s: str) -> int:
        """Minimax of 100 less the marks at the end for X's wins, the opposite for O's, 0 for a draw."""
        if s not in self.worths:
            if self.over(s):
                marks = sum(c != "." for c in s)
                self.worths[s] = {"X": 100 - marks, "O": marks - 100, "draw": 0}[self.value(s)]
            else:
                best = max if self.mover(s) == "X" else min
                self.worths[s] = best(self.worth(self.put(s, c)) for c in self.blanks(s))
        return self.worths[s]

    def error_chance(self, s: str, rule: str) -> Fraction:
        if self.over(s):
            return Fraction(0)
        replies = self.moves_of(s, rule)
        return Fraction(sum(self.value(self.put(s, c)) != self.value(s) for c in replies), len(replies))

    def match(self, x: str, o: str) -> dict[str, Fraction]:
        """Probabilities of the outcomes, over labelled positions forward."""
        layer, ends = {self.empty: Fraction(1)}, dict.fromkeys(("X", "O", "draw"), Fraction(0))
        while layer:
            following: dict[str, Fraction] = {}
            for s, chance in layer.items():
                if self.over(s):
                    ends[self.winner(s) or "draw"] += chance
                    continue
                moves = self.moves_of(s, x if self.mover(s) == "X" else o)
                if not moves:
                    ends[self.other(self.mover(s))] += chance
                for c in moves:
                    t = self.put(s, c)
                    following[t] = following.get(t, Fraction(0)) + chance / len(moves)
            layer = following
        return ends

    def reachable(self) -> list[str]:
        """All positions that play reaches, over by over, in order of ply."""
        seen, order = {self.empty}, [self.empty]
        for s in order:
            if not self.over(s):
                for c in self.blanks(s):
                    t = self.put(s, c)
                    if t not in seen:
                        seen.add(t)
                        order.append(t)
        return order


@cache
def oracle(rows: int, columns: int, k: int, misere: bool = False, torus: bool = False) -> Oracle:
    return Oracle(rows, columns, k, misere, torus)
