"""Judges the sections of a proof, line by line; docs/reference/proofs.md says what a line means.

- `win`: the attacker completes a line first against every reply.
- `play`: the player wins, or does not lose, under the rules of the game, move by move to the end.
- `stop`: Breaker keeps Maker from completing any line. A state is a *family*: for each line without a mark of Breaker
  the cells that Maker does not own.
- `stop by threats`: the same where Breaker's lines count too, so Maker must answer his threats.
- `stop by mirroring`: under misere a player answers every move by its image.
- `pairs`: pairs of places of the infinite board.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import product
from operator import or_

from noughts.judge.proofs.ground import (
    AlikePictures,
    Permutation,
    ProofBoard,
    Script,
    SectionCount,
    drawn,
    judged,
    mover,
)
from noughts.rules.errors import InputError, shown

Family = frozenset[int]
Marks = tuple[int, int]
"""The cells of the player of the section, and those of the opponent."""


def judge_stop(
    script: Script, ground: ProofBoard, maker: int, breaker: int, maker_moves: bool, group: list[Permutation]
) -> SectionCount:
    """Judge a section `stop` to its end; return its counts. Raises ProofFault where it does not hold."""
    start = family_of(line & ~maker for line in ground.lines if not line & breaker)
    judge = _StopJudge(script, ground.full & ~maker & ~breaker, group)
    judged(judge.answered((start, maker_moves)), judge.answered)
    return SectionCount(judge.families, judge.replies)


def family_of(members: Iterable[int]) -> Family:
    """Return the members that contain no other member, without those that hold twins."""
    minimal: list[int] = []
    for member in sorted(set(members), key=int.bit_count):
        if not any(small & member == small for small in minimal):
            minimal.append(member)
    return _struck(minimal)


def after_breaker(family: Family, cell: int) -> Family:
    """Return a family after Breaker takes a cell."""
    return _struck([member for member in family if not member >> cell & 1])


def after_maker(family: Family, cell: int) -> Family | None:
    """Return a family after Maker takes a cell; None where Maker has a line or two one-move threats."""
    shrunk = [member & ~(1 << cell) for member in family if member >> cell & 1]
    after = [member for member in family if not member >> cell & 1]
    for small in shrunk:
        after = [member for member in after if small & member != small]
    after += shrunk
    if 0 in shrunk or sum(member.bit_count() == 1 for member in after) > 1:
        return None
    return _struck(after)


def _struck(members: list[int]) -> Family:
    """Return the members without those that hold twins: two cells that lie on exactly the same members."""
    while True:
        on: dict[int, int] = {}
        for number, member in enumerate(members):
            for cell in _cells(member):
                on[cell] = on.get(cell, 0) | 1 << number
        if len(set(on.values())) == len(on):
            return frozenset(members)
        seen: set[int] = set()
        hit = 0
        for where in on.values():
            hit |= where if where in seen else 0
            seen.add(where)
        members = [member for number, member in enumerate(members) if not hit >> number & 1]


def _cells(cells: int) -> Iterable[int]:
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


class _StopJudge:
    def __init__(self, script: Script, blank: int, group: list[Permutation]) -> None:
        self.script, self.blank, self.movers = script, blank, [mover(each) for each in group]
        self.above: dict[object, set[Family]] = {}
        self.families = self.replies = 0

    def answered(self, state: tuple[Family, bool]) -> Iterator[tuple[Family, bool]]:
        """Read the line of a family; yield the families that Maker's moves leave open.

        Breaker is to move unless he passes.
        """
        family, passes = state
        head, _, tail = self.script.next_line("stop").partition(":")
        self.families += 1
        cell = None if head.strip() == "-" else self.script.cell(head)
        if cell is not None and passes:
            self.script.fault("Maker is to move at the beginning, and the line gives Breaker a cell")
        if cell is not None and not self.blank >> cell & 1:
            self.script.fault(f"Breaker takes cell {cell}, which is not blank at the beginning")
        pairs = pairs_of(self.script, tail, cell)
        self.above.setdefault(_look(family), set()).add(family)
        after = family if cell is None else after_breaker(family, cell)
        if stopped(after, pairs, maker_moves=True):
            return iter(())
        return self._open(self._children(after), pairs)

    def _children(self, family: Family) -> list[tuple[int, Family]]:
        """Return Maker's moves that are not dominated, each with the family after it."""
        found = []
        for cell in _undominated(family):
            child = after_maker(family, cell)
            if child is None:
                self.script.fault(f"Maker completes a line after taking cell {cell}")
            if child:
                found.append((cell, child))
        self.replies += len(found)
        return found

    def _open(self, children: list[tuple[int, Family]], pairs: list[int]) -> Iterator[tuple[Family, bool]]:
        """Yield the families that neither an earlier line nor the pairs settle."""
        for cell, child in children:
            left = [pair for pair in pairs if not pair >> cell & 1]
            alike = self.above.get(_look(child), ())
            if not stopped(child, left, maker_moves=False) and not (
                alike and any(frozenset(map(move, child)) in alike for move in self.movers)
            ):
                yield child, False


def _look(family: Family) -> object:
    """Return an invariant under permutations: for each cell the sizes of its members, sorted."""
    sizes: dict[int, int] = {}
    for member in family:
        size = 1 << 10 * min(member.bit_count(), 40)
        for cell in _cells(member):
            sizes[cell] = sizes.get(cell, 0) + size
    return len(family), tuple(sorted(sizes.values()))


def pairs_of(script: Script, text: str, taken: int | None) -> list[int]:
    """Return the pairs after a colon as sets of cells; they are disjoint and do not contain the cell `taken`."""
    cells = script.cells(text)
    if len(cells) % 2 or len({*cells, taken}) <= len(cells):
        script.fault("the cells after the colon must be pairs: all different, and different from the cell before it")
    return [1 << a | 1 << b for a, b in zip(cells[::2], cells[1::2], strict=True)]


def unpaired(family: Family, pairs: list[int]) -> list[int]:
    """Return the members that hold no whole pair, without the cells of pairs."""
    paired = sum(pairs)
    partner = {cell: pair for pair in pairs for cell in _cells(pair)}
    left = []
    for member in family:
        both = member & paired
        if not any(partner[cell] & both == partner[cell] for cell in _cells(both)):
            left.append(member & ~paired)
    return left


def weighs_less(family: Family, pairs: list[int], *, halves: int) -> bool:
    """Tell whether the members that hold no whole pair weigh less than so many halves, each 2**-s for s cells left."""
    left = unpaired(family, pairs)
    whole = 2 << max((member.bit_count() for member in left), default=0)
    return sum(whole >> member.bit_count() for member in left) < whole * halves // 2


def stopped(family: Family, pairs: list[int], *, maker_moves: bool) -> bool:
    """Tell whether pairs and the sum of weights (Erdős and Selfridge, 1973) stop Maker.

    Breaker takes a cell of each pair, so a member with both cells of a pair is stopped. In every other member the cells
    of pairs count as Maker's. Each member with s other cells then weighs 2**-s. With Breaker to move, a sum below 1
    is enough. With Maker to move, the sum plus the weight of the heaviest cell must be below 1.
    """
    left = unpaired(family, pairs)
    whole = 1 << max((member.bit_count() for member in left), default=0)
    total = sum(whole >> member.bit_count() for member in left)
    if total >= whole or not maker_moves:
        return total < whole
    weight: dict[int, int] = {}
    for member in left:
        for cell in _cells(member):
            weight[cell] = weight.get(cell, 0) + (whole >> member.bit_count())
    return total + max(weight.values(), default=0) < whole


def _undominated(family: Family) -> list[int]:
    """Return the cells, rising, that no other cell dominates; a cell dominates another if it is on all its members.

    No two cells dominate each other, as members with twins are struck.
    """
    common: dict[int, int] = {}
    for member in family:
        for cell in _cells(member):
            common[cell] = common.get(cell, member) & member
    return [cell for cell in sorted(common) if common[cell] == 1 << cell]


class _MoveJudge:
    """Judges a section of moves of one player; `above` holds the positions of the lines that were read."""

    kind = ""
    to_win: bool

    def __init__(self, script: Script, ground: ProofBoard, group: list[Permutation]) -> None:
        self.script, self.ground, self.above = script, ground, AlikePictures(group)
        self.positions = self.replies = 0

    def judge(self, marks: Marks, player_moves: bool) -> SectionCount:
        """Judge the section to its end; return its counts. Raises ProofFault where it does not hold."""
        judged(self.after_reply(marks) if player_moves else self._after_none(marks), self.after_reply)
        return SectionCount(self.positions, self.replies)

    def _after_none(self, marks: Marks) -> Iterator[Marks]:
        """Read the first line of a section in which the opponent moves first; yield the positions after replies."""
        head, colon, tail = self.script.next_line(self.kind).partition(":")
        if head.strip() != "-":
            self.script.fault("the opponent is to move at the beginning: the first line of the section must be -")
        return self._replies(*marks, None, tail if colon else None)

    def after_reply(self, marks: Marks) -> Iterator[Marks]:
        """Read the line of a position with the player to move; yield the positions after replies that need one."""
        own, other = marks
        head, colon, tail = self.script.next_line(self.kind).partition(":")
        self.positions += 1
        cell = self.script.cell(head)
        if (own | other) >> cell & 1:
            self.script.fault(f"the player takes cell {cell}, which is taken")
        if not self.ground.playable(own | other) >> cell & 1:
            self.script.fault(f"the player takes cell {cell}, above a blank cell, but marks fall")
        self.above.add(self._picture(own, other))
        own |= 1 << cell
        if self._completes(own, cell):
            if self.ground.is_misere:
                self.script.fault(f"the player completes a line at cell {cell}, and loses")
            if colon:
                self.script.fault(f"the player completes a line at cell {cell}: remove the colon and what follows it")
            return iter(())
        return self._replies(own, other, cell, tail if colon else None)

    def _completes(self, marks: int, cell: int) -> bool:
        return any(line & ~marks == 0 for line in self.ground.through[cell])

    def _picture(self, own: int, other: int) -> bytes:
        return drawn(self.ground.cells, own, other)

    def _replies(self, own: int, other: int, cell: int | None, tail: str | None) -> Iterator[Marks]:
        """Yield the positions after the replies that need a line; `tail` is what follows the player's move."""
        raise NotImplementedError

    def _left(self, own: int, other: int, replies: Iterable[int]) -> Iterator[Marks]:
        for cell in replies:
            if self._picture(own, other | 1 << cell) not in self.above:
                yield own, other | 1 << cell


class WinJudge(_MoveJudge):
    """Judges a section `win`."""

    kind = "win"

    def _replies(self, own: int, other: int, cell: int | None, tail: str | None) -> Iterator[Marks]:
        """Yield the positions after the replies that neither a sequence nor an earlier line settles."""
        if cell is None and tail is not None:
            self.script.fault("the opponent is to move at the beginning: the first line of the section must be -")
        sequences = self._sequences(tail)
        attack = [line for line in self.ground.lines if not line & other]
        defence = [line for line in self.ground.lines if not line & own]
        for line in defence:
            rest = line & ~other
            if not rest & (rest - 1):
                self.script.fault(f"the opponent completes a line at cell {rest.bit_length() - 1}")
        live = reduce(or_, attack + defence, 0) & ~own & ~other
        if not live:
            self.script.fault("neither player can complete a line, and the attacker does not have one")
        self.replies += live.bit_count()
        threats = reduce(or_, (rest for line in attack if not (rest := line & ~own) & (rest - 1)), 0)
        pairs = [rest for line in defence if (rest := line & ~other).bit_count() == 2]
        met = 0
        for sequence in sequences:
            met |= replies_met(sequence, own, other, self.ground.through, threats, pairs)
        return self._left(own, other, _cells(live & ~met))

    def _sequences(self, tail: str | None) -> list[list[int]]:
        parts = [] if tail is None else tail.split("/")
        if len(parts) > self.ground.cells:
            self.script.fault(f"{len(parts):,} sequences for at most {self.ground.cells} replies: remove some")
        sequences = [self.script.cells(each) for each in parts]
        if any(len(each) % 2 == 0 for each in sequences):
            self.script.fault("a sequence of threats must end with the attacker's move, so its number of cells is odd")
        return sequences

    def _picture(self, own: int, other: int) -> bytes:
        return _live_picture(self.ground, own, other)


def _live_picture(ground: ProofBoard, own: int, other: int) -> bytes:
    """Return the position; cells are dead where neither player can complete a line through them."""
    live = reduce(or_, (line for line in ground.lines if not line & own or not line & other), 0)
    return drawn(ground.cells, own, other, ~live)


def replies_met(
    sequence: list[int], own: int, other: int, through: Sequence[Sequence[int]], threats: int, pairs: Sequence[int]
) -> int:
    """Return, as a set of bits, the replies after which a sequence of threats still wins.

    One walk along the sequence finds them all. A reply spoils the sequence where it takes a cell of it, makes a threat
    that no move of the sequence answers, or takes one of the last two threats.

    Parameters
    ----------
    sequence:
        the attacker's threats and the forced answers, in turn; it begins and ends with a threat
    own, other:
        the marks of the attacker and of the opponent, as sets of bits
    through:
        the lines through each cell
    threats:
        the cells at which the attacker completes a line
    pairs:
        the blanks of the opponent's lines that lack two cells; none lacks fewer
    """
    spoilt, reply = 0, -1
    for number in range(0, len(sequence), 2):
        cell = sequence[number]
        move = 1 << cell
        if (own | other) & move:
            return 0
        own |= move
        spoilt |= move
        for line in through[cell]:
            if not line & other:
                rest = line & ~own
                if not rest:
                    return ~(own | other | spoilt)
                if not rest & (rest - 1):
                    threats |= rest
        if reply < 0:
            for rest in pairs:
                if not rest & move:
                    spoilt |= rest
        else:
            for line in through[reply]:
                if not line & own:
                    rest = line & ~other
                    after_one = rest & (rest - 1)
                    if not after_one:
                        return 0
                    if not after_one & (after_one - 1):
                        spoilt |= rest
        threats &= ~(own | other)
        if number == len(sequence) - 1:
            two = threats & (threats - 1)
            if not two:
                return 0
            return ~(own | other | spoilt | (0 if two & (two - 1) else threats))
        reply = sequence[number + 1]
        if not threats >> reply & 1:
            return 0
        other |= 1 << reply
        spoilt |= 1 << reply
    return 0


class PlayJudge(_MoveJudge):
    """Judges a section `play`: the player must win, or not lose, against every reply."""

    kind = "play"

    def _replies(self, own: int, other: int, cell: int | None, tail: str | None) -> Iterator[Marks]:
        """Check that no reply ends the game badly; yield the positions after replies that do not end it.

        A tail holds pairs that keep the opponent from lines, or the player under misere.
        """
        family, pairs = Family(), list[int]()
        if tail is not None:
            if self.to_win or self.ground.falling:
                self.script.fault("pairs keep a player from lines: that serves not to lose, where no mark falls")
            pairs = pairs_of(self.script, tail, cell)
            if self.ground.is_misere:
                self._avoided(own, other, pairs)
                return iter(())
            family = family_of(line & ~other for line in self.ground.lines if not line & own)
        left, replies = self.ground.cells - (own | other).bit_count(), self.ground.playable(own | other)
        blank = [cell for cell in range(self.ground.cells) if replies >> cell & 1]
        ending = [cell for cell in blank if self._completes(other | 1 << cell, cell)]
        if ending and not self.ground.is_misere:
            self.script.fault(f"the opponent completes a line at cell {ending[0]}")
        if self.to_win and (not left or (left == 1 and not ending)):
            self.script.fault("the board is full without a line: the player does not win")
        self.replies += len(blank)
        if left < 2 or (tail is not None and stopped(family, pairs, maker_moves=True)):
            return iter(())
        going = (cell for cell in blank if cell not in ending)
        return self._left(own, other, going if tail is None else (c for c in going if not _met(c, family, pairs)))

    def _avoided(self, own: int, other: int, pairs: list[int]) -> None:
        """Require that the player avoids every line under misere, the opponent to move, by pairs and weights."""
        blanks = self.ground.cells - (own | other).bit_count()
        self.replies += blanks
        family = family_of(line & ~own for line in self.ground.lines if not line & other)
        if not weighs_less(family, pairs, halves=1 + (blanks % 2 == 1)):
            self.script.fault("the pairs and weights do not keep the player from every line")


class MirrorJudge(_MoveJudge):
    """Judges a section `stop A by mirroring` under misere: the player answers every move by its image."""

    kind = "stop by mirroring"

    def judge(self, marks: Marks, player_moves: bool) -> SectionCount:
        """Judge the one line of the section, a symmetry; return its counts. Raises ProofFault."""
        own, other = marks
        image = self.script.cells(self.script.next_line(self.kind))
        move, lines = mover(image), set(self.ground.lines)
        if sorted(image) != list(range(self.ground.cells)) or {move(line) for line in lines} != lines:
            self.script.fault("the mirror must be a symmetry: the image of each cell, such that lines become lines")
        if any(image[to] != cell for cell, to in enumerate(image)) or move(own) != other:
            self.script.fault("the mirror must be its own inverse, and exchange the marks of both players")
        fixed = sum(1 << cell for cell, to in enumerate(image) if cell == to)
        if fixed.bit_count() != player_moves:
            self.script.fault("the mirror must keep one cell where the player is to move, and else none")
        for line in lines:
            if line & fixed and not line & ~fixed & move(line):
                self.script.fault("a line has the cell in the middle, but no other cell and its image")
        return SectionCount(1, self.ground.cells - (own | other).bit_count())


class ThreatJudge(_MoveJudge):
    """Judges a section `stop A by threats`: the player keeps A from a line, and A must answer the player's threats."""

    kind = "stop by threats"

    def _replies(self, own: int, other: int, cell: int | None, tail: str | None) -> Iterator[Marks]:
        """Yield the positions after the replies that neither pairs nor an earlier line settle."""
        pairs = pairs_of(self.script, tail or "", cell)
        attack = [line & ~other for line in self.ground.lines if not line & own]
        defence = [line & ~own for line in self.ground.lines if not line & other]
        for rest in attack:
            if not rest & (rest - 1):
                self.script.fault(f"the opponent completes a line at cell {rest.bit_length() - 1}")
        threats = reduce(or_, (rest for rest in defence if not rest & (rest - 1)), 0)
        family = family_of(attack)
        if threats & (threats - 1) or stopped(family, pairs, maker_moves=True):
            return iter(())
        replies = list(_cells(threats)) if threats else _least_dominated(attack, defence)
        self.replies += len(replies)
        return self._left(own, other, (reply for reply in replies if not _met(reply, family, pairs)))

    def _picture(self, own: int, other: int) -> bytes:
        return _live_picture(self.ground, own, other)


def _least_dominated(attack: list[int], defence: list[int]) -> list[int]:
    """Return the cells, rising, that no other cell dominates: it would lie on all live lines of either player with it.

    Of cells on the same lines the first stands for all.
    """
    common: dict[int, int] = {}
    for line in attack + defence:
        for cell in _cells(line):
            common[cell] = common.get(cell, line) & line
    return [
        cell
        for cell, all_ in sorted(common.items())
        if not any(other < cell or not common[other] >> cell & 1 for other in _cells(all_ & ~(1 << cell)))
    ]


def _met(reply: int, family: Family, pairs: list[int]) -> bool:
    """Tell whether the pairs that a reply leaves stop the opponent after it."""
    after = after_maker(family, reply)
    return after is not None and stopped(after, [pair for pair in pairs if not pair >> reply & 1], maker_moves=False)


MOST_PERIOD = 64
_MOST_PLACE = 10_000
_BOARD = re.compile(r"([1-9][0-9]{0,6})\+infinite")
_TITLE = re.compile(r"pairs ([1-9][0-9]{0,2}) ([1-9][0-9]{0,2})")
_LINE = re.compile(r"(-?[0-9]{1,5}) (-?[0-9]{1,5}) (-?[0-9]{1,5}) (-?[0-9]{1,5})")
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

Place = tuple[int, int]


def plane_k(board: str) -> int | None:
    """Return k for the specification of an infinite board, None for another board."""
    match = _BOARD.fullmatch(board)
    return int(match[1]) if match else None


def judge_plane(script: Script, k: int) -> int:
    """Judge the section `pairs` to the end of the certificate; return the number of pairs.

    A line is k places in a row along a row, a column or a diagonal. A player who answers each move on a pair with the
    other place of the pair gets a place of every line that holds a pair. So neither player can force a line. The pairs
    repeat with the period, so finitely many lines are checked.

    Raises ProofFault where a line holds no pair, and InputError for a period that is too large.
    """
    title = _TITLE.fullmatch(script.next_line("head"))
    if title is None:
        script.fault("on the infinite board a section must begin with 'pairs ROWS COLUMNS', the period")
    rows, columns = int(title[1]), int(title[2])
    if max(rows, columns) > MOST_PERIOD:
        raise InputError(f"{shown(title[0])} has a period over {MOST_PERIOD}: write a smaller one")
    steps: dict[Place, Place] = {}
    while script.peek() is not None:
        match = _LINE.fullmatch(script.next_line("pairs"))
        if match is None or max(abs(int(number)) for number in match.groups()) > _MOST_PLACE:
            script.fault("write a pair as four whole numbers: row column row column")
        a, b, c, d = map(int, match.groups())
        first, second = (a % rows, b % columns), (c % rows, d % columns)
        if first == second or first in steps or second in steps:
            script.fault("this pair, repeated, shares a place with itself or with an earlier pair")
        steps[first], steps[second] = (c - a, d - b), (a - c, b - d)
    for first, step in product(product(range(rows), range(columns)), _DIRECTIONS):
        if not _holds_a_pair(steps, (rows, columns), first, step, k):
            script.fault(f"the line of {k:,} from row {first[0]}, column {first[1]} by {step} holds no pair")
    return len(steps) // 2


def _holds_a_pair(steps: dict[Place, Place], period: Place, first: Place, step: Place, k: int) -> bool:
    """Tell whether a line holds both places of a pair."""
    down, right = step
    for at in range(min(k, 2 * period[0] * period[1])):  # then every place of the line has come again
        here = ((first[0] + at * down) % period[0], (first[1] + at * right) % period[1])
        way = steps.get(here, (0, 0))
        length = way[0] if down else way[1]
        if length > 0 and at + length < k and way == (length * down, length * right):
            return True
    return False
