"""A judge of the sections `play` of proofs, by sets of cells and plain rules: shares no code with what it judges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

Cells = frozenset[int]


class PlayJudge:
    """Plays every reply to the moves of a section; `lines` are the lines of the board, `symmetries` all that merge."""

    def __init__(
        self, cells: int, lines: Iterable[Iterable[int]], symmetries: Sequence[Sequence[int]], *, misere: bool = False
    ) -> None:
        self.cells, self.lines, self.misere = cells, [frozenset(line) for line in lines], misere
        self.symmetries = _closure([tuple(each) for each in symmetries], cells)

    def judge(self, text: Sequence[str], own: Iterable[int], other: Iterable[int], *, to_win: bool, moves: bool) -> int:
        """Judge a section of a player with the cells `own` who `moves` or not; return its lines. Raises ValueError."""
        self.text, self.at, self.to_win = list(text), 0, to_win
        self.above: set[tuple[Cells, Cells]] = set()
        if moves:
            self._answer(frozenset(own), frozenset(other))
        else:
            head, pairs = self._line()
            if head != "-":
                raise ValueError("the opponent is to move")
            self._replies(frozenset(own), frozenset(other), pairs)
        if self.at != len(self.text):
            raise ValueError(f"line {self.at + 1} is one too many")
        return self.at

    def _line(self) -> tuple[str, list[Cells] | None]:
        if self.at == len(self.text):
            raise ValueError("a line is missing")
        head, colon, tail = self.text[self.at].partition(":")
        self.at += 1
        if not colon:
            return head.strip(), None
        cells = [int(word) for word in tail.split()]
        if len(set(cells)) < len(cells) or len(cells) % 2 or self.to_win or self.misere:
            raise ValueError("no pairs")
        return head.strip(), [frozenset(cells[i : i + 2]) for i in range(0, len(cells), 2)]

    def _answer(self, own: Cells, other: Cells) -> None:
        head, pairs = self._line()
        move = int(head)
        if move in own | other:
            raise ValueError(f"line {self.at}: {move} is taken")
        self.above |= {(_moved(own, by), _moved(other, by)) for by in self.symmetries}
        own |= {move}
        if self._over(own, other):
            if self._result(own, other) < (1 if self.to_win else 0):
                raise ValueError(f"line {self.at}: the game is over")
            if pairs is not None:
                raise ValueError(f"line {self.at}: pairs after the end")
            return
        self._replies(own, other, pairs)

    def _replies(self, own: Cells, other: Cells, pairs: list[Cells] | None) -> None:
        family = _family(line - other for line in self.lines if not line & own)
        whole = pairs is not None and sum(_left(family, pairs)) + _heaviest(family, pairs) < 1
        for reply in sorted(set(range(self.cells)) - own - other):
            after = other | {reply}
            if self._over(own, after):
                if self._result(own, after) < (1 if self.to_win else 0):
                    raise ValueError(f"line {self.at}: {reply} ends the game")
                continue
            if whole or (own, after) in self.above:
                continue
            if pairs is not None:
                later = _family(member - {reply} for member in family)
                if sum(_left(later, [pair for pair in pairs if reply not in pair])) < 1:
                    continue
            self._answer(own, after)

    def _over(self, own: Cells, other: Cells) -> bool:
        return len(own | other) == self.cells or any(line <= own or line <= other for line in self.lines)

    def _result(self, own: Cells, other: Cells) -> int:
        won = any(line <= own for line in self.lines) - any(line <= other for line in self.lines)
        return -won if self.misere else won


def _moved(cells: Cells, by: Sequence[int]) -> Cells:
    return frozenset(by[cell] for cell in cells)


def _closure(generators: list[tuple[int, ...]], cells: int) -> set[tuple[int, ...]]:
    found = {tuple(range(cells))}
    fresh = found
    while fresh:
        fresh = {tuple(each[c] for c in one) for one in fresh for each in generators} - found
        found = found | fresh
    return found


def _family(members: Iterable[Cells]) -> list[Cells]:
    given = set(members)
    left = [member for member in given if not any(other < member for other in given)]
    while True:
        on: dict[Cells, list[int]] = {}
        for cell in {cell for member in left for cell in member}:
            on.setdefault(frozenset(i for i, member in enumerate(left) if cell in member), []).append(cell)
        twins = {cell for cells in on.values() if len(cells) > 1 for cell in cells}
        kept = [member for member in left if not member & twins]
        if len(kept) == len(left):
            return left
        left = kept


def _left(family: Iterable[Cells], pairs: list[Cells]) -> list[Fraction]:
    taken = frozenset(cell for pair in pairs for cell in pair)
    return [Fraction(1, 2 ** len(m - taken)) for m in family if not any(pair <= m for pair in pairs)]


def _heaviest(family: Iterable[Cells], pairs: list[Cells]) -> Fraction:
    taken = frozenset(cell for pair in pairs for cell in pair)
    weights: dict[int, Fraction] = {}
    for member in family:
        if not any(pair <= member for pair in pairs):
            for cell in member - taken:
                weights[cell] = weights.get(cell, Fraction(0)) + Fraction(1, 2 ** len(member - taken))
    return max(weights.values(), default=Fraction(0))
