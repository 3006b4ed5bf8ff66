"""Patterns, on which the engines count: weighted cells and the lines of each player.

A board is the simplest pattern: each cell weighs one. The positions that a symmetry fixes are colourings of its orbits.
So they form a pattern too, with one cell per orbit; its weight is the number of cells in the orbit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, factorial, perm, prod

from noughts.counting.census import PlyCounts, exactly
from noughts.counting.question import Question
from noughts.rules.marks import OUTCOMES, Mask, Player, cells_of, mask_of
from noughts.rules.symmetry import (
    Group,
    Permutation,
    compose,
    identity,
    inverse,
    is_identity,
    orbits_of,
)


@dataclass(frozen=True, order=True)
class PatternLine:
    """A line of a pattern: complete when one player has all cells of `trigger`.

    It comes from one or more winning lines of the board; `core` are the cells that lie wholly on all of them. On a
    plain board trigger and core are the line itself.
    """

    trigger: Mask
    core: Mask


@dataclass(frozen=True)
class Pattern:
    """Weighted cells, the lines of the player who moves first, and the lines of the other player.

    `cells[i]` are the board cells of pattern cell i: a player takes them all at once.
    """

    cells: tuple[Mask, ...]
    first: tuple[PatternLine, ...]
    second: tuple[PatternLine, ...]

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The number of marks in each cell."""
        return tuple(cells.bit_count() for cells in self.cells)

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.cells)

    @property
    def total(self) -> int:
        """The number of marks on the full pattern."""
        return sum(self.weights)

    @property
    def is_symmetric(self) -> bool:
        """Whether both players have the same lines."""
        return self.first == self.second

    def swapped(self) -> Pattern:
        """Return the pattern with the players exchanged."""
        return Pattern(self.cells, self.second, self.first)

    def within_reach(self, marks: int) -> Pattern:
        """Return the pattern without the lines that need more than `marks` marks."""
        weights = self.weights

        def short(lines: tuple[PatternLine, ...]) -> tuple[PatternLine, ...]:
            return tuple(line for line in lines if sum(weights[cell] for cell in cells_of(line.trigger)) <= marks)

        return Pattern(self.cells, short(self.first), short(self.second))

    @classmethod
    def of(
        cls,
        cells: int,
        lines: Sequence[Mask],
        *,
        first: Mask = 0,
        second: Mask = 0,
        within: Mask = -1,
        symmetry: Permutation | None = None,
    ) -> Pattern:
        """Return the pattern of the blank cells of a position. Assumes that neither player has a line.

        Parameters
        ----------
        cells, lines
            The number of cells of the board, and its lines.
        first, second
            The marks of the side to move and of the other player.
        within
            The cells that may be taken; by default all.
        symmetry
            Make the pattern of the fillings that this permutation fixes. It must keep the marks, lines and `within`.
        """
        blank = (1 << cells) - 1 & ~(first | second) & within
        orbits = tuple(o & blank for o in orbits_of(symmetry or identity(cells)) if o & blank)
        number = {cell: i for i, orbit in enumerate(orbits) for cell in cells_of(orbit)}

        def behind(missing: Mask) -> PatternLine:
            """Return the pattern line of a set of cells and all its images under the symmetry."""
            taken = {number[cell] for cell in cells_of(missing)}
            return PatternLine(mask_of(taken), mask_of(i for i in taken if missing & orbits[i] == orbits[i]))

        def left(own: Mask, other: Mask) -> tuple[PatternLine, ...]:
            return _reduced(behind(line & ~own) for line in lines if not line & ~(own | blank))

        if first == second == 0:
            both = left(0, 0)
            return cls(orbits, both, both)
        return cls(orbits, left(first, second), left(second, first))


def _reduced(lines: Iterable[PatternLine]) -> tuple[PatternLine, ...]:
    """Merge lines with the same trigger, and drop each line that a line inside it makes redundant."""
    cores: dict[Mask, Mask] = {}
    for line in lines:
        cores[line.trigger] = cores.get(line.trigger, -1) & line.core
    reduced: list[PatternLine] = []
    beginning: dict[Mask, list[PatternLine]] = {}  # a line inside another begins at one of its cells
    for trigger in sorted(cores, key=lambda mask: (mask.bit_count(), mask)):
        near = (line for begin in (0, *(1 << cell for cell in cells_of(trigger))) for line in beginning.get(begin, ()))
        core = cores[trigger]
        if not any(line.trigger & trigger == line.trigger and line.core & core == line.core for line in near):
            reduced.append(PatternLine(trigger, core))
            beginning.setdefault(trigger & -trigger, []).append(reduced[-1])
    return tuple(sorted(reduced))


def shared_sets(lines: Iterable[PatternLine], limit: int) -> dict[Mask, int] | None:
    """Return weighted sets of cells, such that a position counts once if and only if its completed lines share a cell.

    The sets are all non-empty intersections of cores. Let I be the shared part of any family of lines. The weights of
    the sets inside I add up to 1 if I is not empty, and to 0 otherwise (Moebius inversion). On a grid it amounts to
    cells minus neighbouring pairs. None if there are more than `limit` sets. Cost: quadratic in their number.
    """
    cores = {line.core for line in lines if line.core}
    closed = set(cores)
    fresh = closed
    while fresh:
        fresh = {a & b for a in fresh for b in cores} - closed - {0}
        closed |= fresh
        if len(closed) > limit:
            return None
    weights: dict[Mask, int] = {}
    for shared in sorted(closed, key=lambda mask: (mask.bit_count(), mask)):
        weight = 1 - sum(w for inner, w in weights.items() if inner & shared == inner)
        if weight:
            weights[shared] = weight
    return weights


# The symmetries of a group by kind: symmetries of one kind fix equally many fillings.

_MOVERS = 64
"""At most this many elements are used to map one partition to another; with fewer, fewer kinds are merged."""

_Partition = tuple[Mask, ...]


def kinds_of_symmetry(group: Group) -> tuple[tuple[Permutation, int], ...]:
    """Return one symmetry of each kind, the identity first, with the number of symmetries of the kind.

    The fillings that a symmetry fixes depend only on its orbits, and a symmetry maps the orbits of conjugate symmetries
    to each other. Cost: elements times kinds. Raises BudgetError where the elements are too many to list.
    """
    counts: dict[_Partition, int] = {}
    named: dict[_Partition, Permutation] = {}
    partitions = [orbits_of(element) for element in group.elements]
    for element, partition in zip(group.elements, partitions, strict=True):
        counts[partition] = counts.get(partition, 0) + 1
        named.setdefault(partition, element)
    movers = [(element, inverse(element)) for element in group.elements[:_MOVERS]]
    partition_of = dict(zip(group.elements, partitions, strict=True))
    kinds = []
    waiting = dict(counts)
    while waiting:
        partition = next(iter(waiting))
        total, reached = 0, [partition]
        while reached:
            current = reached.pop()
            if current not in waiting:
                continue
            total += waiting.pop(current)
            moved = (compose(compose(back, named[current]), mover) for mover, back in movers)
            reached += [partition_of[conjugate] for conjugate in moved]
        kinds.append((named[partition], total))
    return tuple(kinds)


# Large counts as remainders: the moduli that are needed, and the number with given remainders.

_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""Miller-Rabin with these bases decides primality below 3.3e24 (Sorenson and Webster 2015)."""


def filling_bound(weights: Sequence[int]) -> int:
    """Return a bound on the ways to fill cells with X, O and blank, for any given numbers of X and of O.

    This is the central trinomial coefficient for cells of weight one, otherwise the number of all fillings.
    """
    n = len(weights)
    if any(weight != 1 for weight in weights):
        return int(3**n)
    return comb(n, n // 3) * comb(n - n // 3, (n - n // 3) // 2)


def moduli_for(bound: int) -> tuple[int, ...]:
    """Return 2^64 and enough primes below 2^62 that the product exceeds `bound`."""
    moduli, below = [1 << 64], (1 << 62) - 1
    while prod(moduli) <= bound:
        while not is_prime(below):
            below -= 2
        moduli.append(below)
        below -= 2
    return tuple(moduli)


def is_prime(odd: int) -> bool:
    """Return whether an odd number above 37 is prime."""
    power = (odd - 1 & -(odd - 1)).bit_length() - 1
    for base in _WITNESSES:
        value = pow(base, odd - 1 >> power, odd)
        if value in (1, odd - 1):
            continue
        for _ in range(power - 1):
            value = value * value % odd
            if value == odd - 1:
                break
        else:
            return False
    return True


def recombine(residues: Sequence[int], moduli: Sequence[int]) -> int:
    """Return the number below the product of the moduli that leaves these remainders."""
    value, step = 0, 1
    for residue, modulus in zip(residues, moduli, strict=True):
        value += step * ((residue - value) * pow(step, -1, modulus) % modulus)
        step *= modulus
    return value


# Balanced fillings of weighted cells, without regard to lines: closed forms.


def balanced_fillings(weights: Sequence[int], marks: int) -> int:
    """Return the number of ways to fill cells of these weights with X, O and blank, with `marks` marks in all.

    X has half of the marks, rounded up. Cost: the pairs of cell numbers of each weight, except the most common weight.
    """
    kinds = sorted(Counter(weights).items(), key=lambda kind: -kind[1])
    return _fillings(kinds, (marks + 1) // 2, marks // 2)


def _fillings(kinds: list[tuple[int, int]], x: int, o: int) -> int:
    if not kinds:
        return int(x == o == 0)
    weight, cells = kinds[-1]
    if len(kinds) == 1:
        if x % weight or o % weight or x + o > weight * cells:
            return 0
        return comb(cells, x // weight) * comb(cells - x // weight, o // weight)
    total = 0
    for i in range(min(cells, x // weight) + 1):
        for j in range(min(cells - i, o // weight) + 1):
            ways = comb(cells, i) * comb(cells - i, j)
            total += ways * _fillings(kinds[:-1], x - i * weight, o - j * weight)
    return total


# The patterns of a question, for engines that count without a tree; each is made once.


class Needed:
    """The patterns of a question that `why_no_count` allows, with the number of symmetries of each."""

    def __init__(self, question: Question) -> None:
        self.question = question
        start = question.position()
        self.blanks = start.blanks
        self.moves = question.last_ply - question.first_ply
        self.is_over = question.board.has_line(start.x) or question.board.has_line(start.o)
        """Whether a player has a line at the start, so that only orders of moves remain to count."""
        self.order = 1 if question.same == "labelled" else question.group.order

    def patterns(self, *, positions: bool = True) -> dict[Pattern, bool]:
        """Return the patterns that an engine has to count, each with whether its won positions are needed too.

        Without `positions` these are the patterns that the games need.
        """
        needed: dict[Pattern, bool] = {}
        if self.is_over:
            return needed
        question = self.question
        if question.end == "line" and positions:
            needed = dict.fromkeys((pattern for pattern, _ in self.position_patterns), True)
        if question.same != "choices" and (question.end == "line" or question.last_ply == question.board.cells):
            for pattern, _ in self.game_patterns:
                needed.setdefault(pattern, False)
        return needed

    @cached_property
    def _kinds(self) -> tuple[tuple[Permutation, int], ...]:
        if self.question.same == "labelled":
            return ((identity(self.question.board.cells), 1),)
        return kinds_of_symmetry(self.question.group)

    @cached_property
    def position_patterns(self) -> tuple[tuple[Pattern, int], ...]:
        """The pattern that each kind of symmetry fixes, with the number of symmetries of the kind."""
        return tuple(
            (self.whole if is_identity(symmetry) else self._made(symmetry=symmetry), count)
            for symmetry, count in self._kinds
        )

    @cached_property
    def weights(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        """The cell weights of each position pattern, with the number of symmetries of the kind."""
        orbits = ((orbits_of(symmetry), count) for symmetry, count in self._kinds)
        return tuple(
            (tuple((o & self.blanks).bit_count() for o in kind if o & self.blanks), count) for kind, count in orbits
        )

    @cached_property
    def fixed_cells(self) -> Counter[Mask]:
        """The sets of blank cells that symmetries fix cell by cell, with the number of such symmetries.

        A symmetry fixes a game if and only if all its moves are on such cells.
        """
        fixed: Counter[Mask] = Counter()
        for symmetry, count in self._kinds:
            fixed[sum(1 << cell for cell, image in enumerate(symmetry) if cell == image) & self.blanks] += count
        return fixed

    @cached_property
    def game_patterns(self) -> tuple[tuple[Pattern, int], ...]:
        """The patterns whose paths are the paths that symmetries fix, with the number of symmetries.

        Games to the full board need only the symmetries that fix every cell.
        """
        return tuple(
            (self.whole if within == self.blanks else self._made(within=within), count)
            for within, count in self.fixed_cells.items()
            if self.question.end == "line" or within == self.blanks
        )

    @cached_property
    def whole(self) -> Pattern:
        """The pattern of all blank cells."""
        return self._made()

    def _made(self, *, within: Mask = -1, symmetry: Permutation | None = None) -> Pattern:
        """Return the pattern of the blank cells, without lines that cannot be completed by the last ply."""
        start, board = self.question.position(), self.question.board
        first, second = (start.x, start.o) if start.to_move == "X" else (start.o, start.x)
        pattern = Pattern.of(
            board.cells, board.line_masks, first=first, second=second, within=within, symmetry=symmetry
        )
        return pattern.within_reach(self.moves if board.rules.chooses_mark else (self.moves + 1) // 2)


# The counts of an engine without a tree, and the census that follows from them.
#
# With free moves every order of the marks of a position without a line is a path, so the open positions alone give all
# games. In a won position some last mark was decisive. Up to symmetry both counts are means over the group of what each
# symmetry fixes (Burnside's lemma).


@dataclass(frozen=True)
class Tally:
    """Positions of a pattern by number of marks t = 0..total; the first player has as many marks or one more.

    `open[t]` counts positions without a line. `won[t]` counts positions where only the last mover has a line, by a
    decisive mark; None where the engine does not count them. Where players choose the mark, it may be any that has one.
    """

    open: tuple[int, ...]
    won: tuple[int, ...] | None


Tallies = dict[Pattern, Tally]

Count = Callable[[Pattern, bool], Tally]
"""An engine: counts the positions of a pattern, with the won positions if the flag is set."""


def _games(needed: Needed, tallies: Tallies) -> tuple[list[int], list[int], int]:
    """Return paths, wins by number of moves, and draws: sums over the symmetries, not yet divided by their number."""
    blanks, chooses = needed.blanks.bit_count(), needed.question.board.rules.chooses_mark
    paths, wins, draws = [0] * (blanks + 1), [0] * (blanks + 1), 0
    for pattern, symmetries in needed.game_patterns:
        reached, still_open = 1, 0
        for t, positions in enumerate(tallies[pattern].open):
            still_open = positions * (factorial(t) if chooses else factorial((t + 1) // 2) * factorial(t // 2))
            paths[t] += symmetries * reached
            wins[t] += symmetries * (reached - still_open)
            reached = still_open * (pattern.size - t) * (1 + chooses)
        draws += symmetries * still_open * (pattern.size == blanks)
    return paths, wins, draws


def census_rows(needed: Needed, count: Count, *, positions: bool = True) -> tuple[PlyCounts, ...]:
    """Return the rows of a census from an engine's tallies; without `positions` only the columns of games."""
    tallies = {pattern: count(pattern, won) for pattern, won in needed.patterns(positions=positions).items()}
    question, order = needed.question, needed.order
    if question.end == "full":
        return _full_rows(needed, tallies)
    if needed.is_over:
        over_at_once = _split(question, 0, 1, 0)
        return (PlyCounts.of(question.first_ply, 1, 1, over_at_once, 1, over_at_once),)
    blanks = needed.blanks.bit_count()
    games = _games(needed, tallies) if question.same != "choices" else None
    places = _places(needed, tallies) if positions else None
    rows = []
    for t in range(needed.moves + 1):
        at, over, terminal, paths, ends = None, None, None, None, None
        if places is not None:
            at, won = places[t]
            terminal = _split(question, t, won, at - won if t == blanks else 0)
            over = sum(terminal)
        if games is not None:
            counts = games[0][t], games[1][t], games[2] * (t == blanks)
            paths, wins, draws = (exactly(count, order) for count in counts)
            ends = _split(question, t, wins, draws)
        if 0 in (at, paths):
            break
        rows.append(PlyCounts.of(question.first_ply + t, at, over, terminal, paths, ends))
    return tuple(rows)


def _split(question: Question, moves: int, won: int, drawn: int) -> tuple[int, int, int]:
    """Return outcomes in the order X, O, draw; all lines are of the last move, and `drawn` fill the board without."""
    to_move: Player = "O" if (question.first_ply + moves) % 2 else "X"
    ends = question.board.rules.ends_for(to_move)
    x, o, draw = (won * (ends[0] == each) + drawn * (ends[1] == each) for each in OUTCOMES)
    return x, o, draw


def _places(needed: Needed, tallies: Tallies) -> list[tuple[int, int]]:
    """Return the number of positions and of won positions, by number of moves."""
    still_open, won = ([0] * (needed.blanks.bit_count() + 1) for _ in range(2))
    for pattern, symmetries in needed.position_patterns:
        tally = tallies[pattern]
        assert tally.won is not None, "these patterns need their won positions"
        for t, (of_open, of_won) in enumerate(zip(tally.open, tally.won, strict=True)):
            still_open[t] += symmetries * of_open
            won[t] += symmetries * of_won
    pairs = zip(still_open, won, strict=True)
    return [(exactly(a + b, needed.order), exactly(b, needed.order)) for a, b in pairs]


def _full_rows(needed: Needed, tallies: Tallies) -> tuple[PlyCounts, ...]:
    """Return the rows under the end rule `full`: balanced boards, and games by the outcome of the first line."""
    question, order, blanks = needed.question, needed.order, needed.blanks.bit_count()
    fixed = [(within.bit_count(), number) for within, number in needed.fixed_cells.items()]
    rows = []
    for t in range(needed.moves + 1):
        positions = exactly(sum(number * balanced_fillings(weights, t) for weights, number in needed.weights), order)
        over = positions if t == blanks else 0
        paths, ends = None, None
        if question.same != "choices":
            paths = exactly(sum(number * perm(size, t) for size, number in fixed), order)
            ends = _outcomes(needed, tallies) if t == blanks else (0, 0, 0)
        rows.append(PlyCounts.of(question.first_ply + t, positions, over, None, paths, ends))
    return tuple(rows)


def _outcomes(needed: Needed, tallies: Tallies) -> tuple[int, ...]:
    """Return the games to the full board by outcome: after a win at move t the remaining moves come in any order."""
    question, blanks = needed.question, needed.blanks.bit_count()
    if needed.is_over:
        whole = needed.fixed_cells[needed.blanks] * factorial(blanks)
        sums = [whole, 0, 0] if question.position().winner == "X" else [0, whole, 0]
    else:
        _, wins, draws = _games(needed, tallies)
        won = [_split(question, t, many * factorial(blanks - t), 0) for t, many in enumerate(wins)]
        sums = [sum(x for x, _, _ in won), sum(o for _, o, _ in won), draws]
    return tuple(exactly(total, needed.order) for total in sums)
