"""The smallest table by trying every table: for games of a few moves. Imports nothing of ours but the naive oracle."""

from __future__ import annotations

from functools import cache
from itertools import product

from tests.naive import Game, Permutation

ENDS = {"X": 1, "O": -1, "draw": 0}


class Tables:
    """All tables of one question; positions are strings, a class the least of its images."""

    def __init__(self, game: Game, turns: tuple[Permutation, ...], player: str, goal: str, count: str) -> None:
        self.game, self.turns, self.player, self.goal, self.count = game, turns, player, goal, count
        self.least = cache(self.least)  # type: ignore[method-assign]
        self.value = cache(self.value)  # type: ignore[method-assign]

    def class_of(self, marks: str) -> str:
        return min("".join(marks[cell] for cell in turn) for turn in self.turns)

    def outcome(self, marks: str) -> str | None:
        for line in self.game.lines:
            held = {marks[cell] for cell in line}
            if len(held) == 1 and held != {"."}:
                winner = held.pop()
                return {"X": "O", "O": "X"}[winner] if self.game.misere else winner
        return None if "." in marks else "draw"

    def mover(self, marks: str) -> str:
        return "X" if marks.count("X") == marks.count("O") else "O"

    def after(self, marks: str) -> set[str]:
        mover = self.mover(marks)
        return {self.class_of(marks[:i] + mover + marks[i + 1 :]) for i, mark in enumerate(marks) if mark == "."}

    def value(self, marks: str) -> int:
        """To the player."""
        ended = self.outcome(marks)
        if ended is not None:
            return ENDS[ended] * (1 if self.player == "X" else -1)
        best = max if self.mover(marks) == self.player else min
        return best(self.value(each) for each in self.after(marks))

    def serves(self, marks: str, child: str) -> bool:
        return self.value(child) >= {"never-lose": 0, "win": 1, "perfect": self.value(marks)}[self.goal]

    def least(self, layer: frozenset[str]) -> int:
        """The fewest entries from boards of one ply on, over every way to choose a move at each of them."""
        going = [marks for marks in sorted(layer) if self.outcome(marks) is None]
        here = sum(self.counts(marks) for marks in layer)
        if not going:
            return here
        if self.mover(going[0]) != self.player:
            return here + self.least(frozenset().union(*map(self.after, going)))
        choices = [[child for child in self.after(marks) if self.serves(marks, child)] for marks in going]
        return here + min(map(self.least, {frozenset(chosen) for chosen in product(*choices)}))

    def counts(self, marks: str) -> bool:
        return self.count == "all" or (self.outcome(marks) is None and self.mover(marks) == self.player)

    def fewest(self, start: str) -> int:
        return self.least(frozenset({self.class_of(start)}))
