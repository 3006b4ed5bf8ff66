"""The smallest table by trying every table: for games of a few moves. Imports nothing of ours but the naive oracle."""

from __future__ import annotations

from functools import cache

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

    def least(self, met: frozenset[str], open_ones: frozenset[str]) -> int:
        """The fewest entries of a table that meets these boards, some of which have not been gone on from."""
        if not open_ones:
            return sum(self.counts(marks) for marks in met)
        marks = min(open_ones, key=lambda each: (each.count("X") + each.count("O"), each))
        rest = open_ones - {marks}
        if self.outcome(marks) is not None:
            return self.least(met, rest)
        if self.mover(marks) != self.player:
            new = self.after(marks) - met
            return self.least(met | new, rest | new)
        choices = [child for child in self.after(marks) if self.serves(marks, child)]
        return min(self.least(met | {child}, rest | ({child} - met)) for child in choices)

    def counts(self, marks: str) -> bool:
        return self.count == "all" or (self.outcome(marks) is None and self.mover(marks) == self.player)

    def fewest(self, start: str) -> int:
        begin = frozenset({self.class_of(start)})
        return self.least(begin, begin)
