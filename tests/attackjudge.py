"""A small judge of certificates of wins, written from the text of the format alone. Imports nothing of ours.

Positions are tuples with one of `A`, `D`, `.` for each cell: the attacker's, the defender's, blank.
"""

from __future__ import annotations

from collections.abc import Iterator

Marks = tuple[str, ...]
Line = frozenset[int]


class WrongProof(Exception):
    """A certificate does not prove what it claims."""


def put(marks: Marks, cell: int, mark: str) -> Marks:
    if marks[cell] != ".":
        raise WrongProof(f"{cell} is taken")
    return (*marks[:cell], mark, *marks[cell + 1 :])


def missing(marks: Marks, lines: list[Line], player: str) -> set[int]:
    """The blanks that complete a line of a player."""
    left = [[cell for cell in line if marks[cell] != player] for line in lines]
    return {rest[0] for rest in left if len(rest) == 1 and marks[rest[0]] == "."}


def has_line(marks: Marks, lines: list[Line], player: str) -> bool:
    return any(all(marks[cell] == player for cell in line) for line in lines)


def picture(marks: Marks, lines: list[Line]) -> Marks:
    """What matters: marks and blanks on lines that one player may still complete; `#` for the rest."""
    kept = ["#"] * len(marks)
    for line in lines:
        if not {"A", "D"} <= {marks[cell] for cell in line}:
            for cell in line:
                kept[cell] = marks[cell]
    return tuple(kept)


def closure(generators: list[tuple[int, ...]], cells: int) -> list[tuple[int, ...]]:
    found = {tuple(range(cells))}
    fresh = list(found)
    while fresh:
        fresh = [p for p in {tuple(g[i] for i in q) for q in fresh for g in generators} if p not in found]
        found.update(fresh)
    return sorted(found)


def least(marks: Marks, group: list[tuple[int, ...]]) -> Marks:
    images = []
    for p in group:
        image = [""] * len(marks)
        for cell, mark in enumerate(marks):
            image[p[cell]] = mark
        images.append(tuple(image))
    return min(images)


def wins(marks: Marks, lines: list[Line], sequence: list[int]) -> bool:
    """Whether the attacker, to move, wins by a sequence of threats."""
    if len(sequence) % 2 == 0:
        raise WrongProof("a sequence ends with a move of the attacker")
    for number in range(0, len(sequence), 2):
        move = sequence[number]
        if marks[move] != ".":
            return False
        dangers = missing(marks, lines, "D")
        marks = put(marks, move, "A")
        if has_line(marks, lines, "A"):
            return True
        if dangers - {move}:
            return False
        threats = missing(marks, lines, "A")
        if number == len(sequence) - 1:
            return len(threats) > 1
        if sequence[number + 1] not in threats:
            return False
        marks = put(marks, sequence[number + 1], "D")
    return False


class Judge:
    """Reads the lines of a section and judges every position in it; counts the positions and the replies played."""

    def __init__(self, lines: list[Line], group: list[tuple[int, ...]], text: Iterator[str]) -> None:
        self.lines, self.group, self.text = lines, group, text
        self.proved: set[Marks] = set()
        self.positions = self.replies = 0

    def key(self, marks: Marks) -> Marks:
        return least(picture(marks, self.lines), self.group)

    def node(self, marks: Marks, *, attacker_moves: bool = True) -> None:
        line = next(self.text, None)
        if line is None:
            raise WrongProof("the certificate ends too soon")
        head, _, rest = line.partition(":")
        sequences = [[int(word) for word in part.split()] for part in rest.split("/")] if rest else []
        self.positions += 1
        if attacker_moves:
            self.proved.add(self.key(marks))
            dangers = missing(marks, self.lines, "D")
            move = int(head)
            marks = put(marks, move, "A")
            if has_line(marks, self.lines, "A"):
                return
            if dangers - {move}:
                raise WrongProof("the defender completes a line")
        elif head.strip() != "-":
            raise WrongProof("the defender moves first: the first line is -")
        live = [cell for cell, mark in enumerate(picture(marks, self.lines)) if mark == "."]
        if not live:
            raise WrongProof("no line is left")
        for reply in live:
            self.replies += 1
            after = put(marks, reply, "D")
            if has_line(after, self.lines, "D"):
                raise WrongProof("the defender has a line")
            if not any(wins(after, self.lines, sequence) for sequence in sequences) and (
                self.key(after) not in self.proved
            ):
                self.node(after)


def judge_win(text: str, cells: int, lines: list[Line], marks: str, attacker: str, to_move: str) -> Judge:
    """Judge the certificate that `attacker` wins a position, given as a string; raises WrongProof."""
    rows = text.splitlines()
    begin = rows.index(f"win {attacker}")
    generators = []
    if "symmetries" in rows:
        generators = [tuple(map(int, row.split())) for row in rows[rows.index("symmetries") + 1 : begin]]
    for p in generators:
        if sorted(p) != list(range(cells)) or {frozenset(p[c] for c in line) for line in lines} != set(lines):
            raise WrongProof("no symmetry")
    judge = Judge(lines, closure(generators, cells), iter(rows[begin + 1 :]))
    start = tuple("." if mark == "." else "A" if mark == attacker else "D" for mark in marks)
    judge.node(start, attacker_moves=attacker == to_move)
    if next(judge.text, None) is not None:
        raise WrongProof("lines are left over")
    return judge
