"""Closed forms for beliefs: which sets of marks the opponent can have, how many, and whether a line threatens.

A belief is the family of all line-free sets of `size` cells that contain `known` and avoid `barred`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from noughts.blindfold.game import NO_CELL, Answer, BlindRules, Call, Goal
from noughts.rules.board import Board
from noughts.rules.marks import Cell, Mask, cells_of


class Families:
    """The families of line-free sets of a board, by what they must avoid and contain; all answers are remembered."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._full = board.full
        self._lines = board.line_masks
        self._through = {1 << cell: [line for line in self._lines if line >> cell & 1] for cell in range(board.cells)}
        self._from = {
            1 << cell: [line for line in self._lines if line & -line == 1 << cell] for cell in range(board.cells)
        }
        self._exists: dict[tuple[Mask, Mask, int], bool] = {}
        self._counts: dict[tuple[Mask, Mask, int], int] = {}
        self._threats: dict[tuple[Mask, Mask, int], bool] = {}

    def has_line(self, marks: Mask) -> bool:
        """Tell whether the marks contain a winning line."""
        left = marks
        while left:
            cell = left & -left
            left ^= cell
            for line in self._from[cell]:
                if marks & line == line:
                    return True
        return False

    def exists(self, barred: Mask, known: Mask, size: int) -> bool:
        """Tell whether the opponent can have `size` marks, `known` among them, none in `barred`, and no line."""
        key = (barred, known, size)
        found = self._exists.get(key)
        if found is None:
            found = self._exists[key] = not self.has_line(known) and self._extends(barred, known, size)
        return found

    def _extends(self, barred: Mask, known: Mask, size: int) -> bool:
        """Tell the same where `known` has no line."""
        missing = size - known.bit_count()
        if missing <= 0:
            return missing == 0
        open_cells = self._full & ~(barred | known)
        if open_cells.bit_count() < missing:
            return False
        if self._fills(known, open_cells, missing):
            return True
        cell = open_cells & -open_cells
        more = known | cell
        if not any(more & line == line for line in self._through[cell]) and self._is_open(barred, more, size):
            return True
        return self._is_open(barred | cell, known, size)

    def _fills(self, marks: Mask, open_cells: Mask, missing: int) -> bool:
        """Tell whether so many cells can be added to marks when each that makes no line is taken, in reading order."""
        through = self._through
        while missing and open_cells:
            cell = open_cells & -open_cells
            open_cells ^= cell
            more = marks | cell
            for line in through[cell]:
                if more & line == line:
                    break
            else:
                marks, missing = more, missing - 1
        return not missing

    def _is_open(self, barred: Mask, known: Mask, size: int) -> bool:
        key = (barred, known, size)
        found = self._exists.get(key)
        if found is None:
            found = self._exists[key] = self._extends(barred, known, size)
        return found

    def count(self, barred: Mask, known: Mask, size: int) -> int:
        """Return how many sets `exists` speaks of."""
        if not self.exists(barred, known, size):
            return 0
        if known.bit_count() == size:
            return 1
        key = (barred, known, size)
        found = self._counts.get(key)
        if found is None:
            open_cells = self._full & ~(barred | known)
            cell = open_cells & -open_cells
            found = self.count(barred, known | cell, size) + self.count(barred | cell, known, size)
            self._counts[key] = found
        return found

    def members(self, barred: Mask, known: Mask, size: int) -> Iterator[Mask]:
        """Yield the sets that `count` counts."""
        if not self.exists(barred, known, size):
            return
        if known.bit_count() == size:
            yield known
            return
        open_cells = self._full & ~(barred | known)
        cell = open_cells & -open_cells
        yield from self.members(barred, known | cell, size)
        yield from self.members(barred | cell, known, size)

    def can_complete(self, barred: Mask, known: Mask, size: int) -> bool:
        """Tell whether the opponent, with `size` marks as in `exists`, can complete a line with the next one."""
        key = (barred, known, size)
        found = self._threats.get(key)
        if found is None:
            found = self._threats[key] = self._completes(barred, known, size)
        return found

    def _completes(self, barred: Mask, known: Mask, size: int) -> bool:
        for line in self._lines:
            if line & barred:
                continue
            for cell in cells_of(line & ~known):
                last = 1 << cell
                if self.exists(barred | last, known | (line ^ last), size):
                    return True
        return False


# Blindfold play by full histories with beliefs: the engine that assumes nothing, and judges the merged one.
#
# A belief is a table of all truths that are possible after a history of calls and answers, with the chance of each
# under random replies; a truth is (own marks, opponent's marks, last move). It is carried from call to call by
# playing every reply. Two histories share work only where their beliefs, chances and memories are equal in full.

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
        """Return (opening told or None, its chance, node) for each first call to be made."""
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


# Blindfold play in silence: the calls form a list, and the player is told nothing until the game is over.
#
# The player knows the list so far and no more. Which of the called cells became the player's marks depends on the
# opponent; each called cell that did not was the opponent's when it was called. Two lists so far are merged when the
# same cells are called and the same sets of own marks are possible.


class Listed(NamedTuple):
    """What matters of the list so far: the cells called, and which sets of own marks are possible (sorted).

    `opening` is X's first mark where a blind O is told of it; it is not called.
    """

    called: Mask
    owns: tuple[Mask, ...]
    opening: Mask = 0


class ListGame:
    """The game tree of a blind player who hears nothing, merged as `Listed` says."""

    def __init__(self, board: Board, rules: BlindRules) -> None:
        self.board = board
        self.rules = rules
        self.families = Families(board)
        self._calls: dict[Listed, tuple[Call[Listed], ...]] = {}

    def start(self) -> Call[Listed]:
        """Return what can happen before the blind player's first call."""
        if self.rules.blind == "X":
            return Call(NO_CELL, False, False, False, ((Answer("start"), Listed(0, (0,))),))
        misere, full = self.board.misere, self.board.cells == 1
        ends = [self.families.has_line(1 << cell) for cell in range(self.board.cells)]
        going = [1 << cell for cell, over in enumerate(ends) if not over and not full]
        branches: tuple[tuple[Answer, Listed], ...]
        if self.rules.opening_told:
            branches = tuple((Answer("opening", cell), Listed(0, (0,), cell)) for cell in going)
        else:
            branches = ((Answer("start"), Listed(0, (0,))),) if going else ()
        return Call(NO_CELL, any(ends) and misere, full and not any(ends), any(ends) and not misere, branches)

    def hidden(self, state: Listed, own: Mask) -> int:
        """Return how many marks the opponent has if `own` are the player's."""
        turns = state.called.bit_count() if self.rules.loses_turn else own.bit_count()
        return turns + self.rules.lead

    def calls(self, state: Listed) -> tuple[Call[Listed], ...]:
        """Return what can happen on each next entry of the list."""
        found = self._calls.get(state)
        if found is None:
            found = self._calls[state] = tuple(self.each_call(state))
        return found

    def each_call(self, state: Listed) -> Iterator[Call[Listed]]:
        """Yield the same one by one, worked out as they are asked for and not remembered."""
        cells = cells_of(self.board.full & ~(state.called | state.opening))
        return (self._call(state, cell) for cell in cells)

    def _call(self, state: Listed, cell: int) -> Call[Listed]:
        results = [result for own in state.owns for result in self._results(state, own, 1 << cell)]
        owns = sorted({own for own, _, _, _ in results if own is not None})
        branches: Iterable[tuple[Answer, Listed]] = ()
        if owns:
            branches = ((Answer("next"), Listed(state.called | 1 << cell, tuple(owns), state.opening)),)
        wins, draws, loses = (any(result[i] for result in results) for i in (1, 2, 3))
        return Call(cell, wins, draws, loses, tuple(branches))

    def _results(self, state: Listed, own: Mask, cell: Mask) -> list[tuple[Mask | None, bool, bool, bool]]:
        """Return, for the cell blank and taken, the own marks if play goes on, and the outcomes if it can end."""
        misere, families = self.board.misere, self.families
        known, hidden = state.called & ~own | state.opening, self.hidden(state, own)
        found: list[tuple[Mask | None, bool, bool, bool]] = []
        if families.exists(own | cell, known, hidden):
            if families.has_line(own | cell):
                found.append((None, not misere, False, misere))
            elif own.bit_count() + 1 + hidden == self.board.cells:
                found.append((None, False, True, False))
            else:
                found.append(self._reply(own | cell, known, hidden))
        if families.exists(own, known | cell, hidden):
            going = (own, False, False, False)
            found.append(self._reply(own, known | cell, hidden) if self.rules.loses_turn else going)
        return found

    def _reply(self, own: Mask, known: Mask, hidden: int) -> tuple[Mask | None, bool, bool, bool]:
        misere, completes = self.board.misere, self.families.can_complete(own, known, hidden)
        lasts = self.families.exists(own, known, hidden + 1)
        full = own.bit_count() + hidden + 1 == self.board.cells
        return (own if lasts and not full else None, completes and misere, lasts and full, completes and not misere)


# Blindfold play by what the player knows: the engine of merged states.
#
# Two histories after which the blind player knows the same are one state. What is known is the player's own marks, the
# opponent's marks that answers have revealed, how many marks the opponent has, and, where the last move is told and no
# reply has followed yet, which of them came last. Why nothing else matters: a history fixes when some of the
# opponent's marks were there at the latest (or exactly), and nothing at all about the other ones; so every line-free
# set around the known marks is possible, and under random replies equally likely. See docs/explanation/blindfold.md.


class Knowledge(NamedTuple):
    """What the blind player knows at a call.

    `own` marks, `known` marks of the opponent, `hidden` the number of all the opponent's marks, and `last` the cell
    of the opponent's last move as a set (empty where it is not known to be the last).
    """

    own: Mask
    known: Mask
    hidden: int
    last: Mask = 0


class MergedGame:
    """The game tree of the blind player, merged by knowledge; `told` is `collision`, `last-move` or `all`."""

    def __init__(self, board: Board, rules: BlindRules, families: Families | None = None) -> None:
        self.board = board
        self.rules = rules
        self.families = families or Families(board)
        self._calls: dict[Knowledge, tuple[Call[Knowledge], ...]] = {}

    def start(self) -> Call[Knowledge]:
        """Return what can happen before the blind player's first call."""
        if self.rules.blind != "O":
            return Call(NO_CELL, False, False, False, ((Answer("start"), Knowledge(0, 0, 0)),))
        if not self.rules.opening_told:
            return self._reply(NO_CELL, 0, ((Answer("start"), 0, 0),), 0)
        starts = [self._opening(1 << cell) for cell in range(self.board.cells)]
        branches = tuple(branch for start in starts for branch in start.branches)
        wins, draws, loses = (any(start[i] for start in starts) for i in (1, 2, 3))
        return Call(NO_CELL, wins, draws, loses, branches)

    def _opening(self, cell: Mask) -> Call[Knowledge]:
        if self.families.has_line(cell):
            return Call(NO_CELL, self.board.misere, False, not self.board.misere, ())
        if self.board.cells == 1:
            return Call(NO_CELL, False, True, False, ())
        last = cell if self.rules.told == "last-move" else 0
        return Call(NO_CELL, False, False, False, ((Answer("opening", cell), Knowledge(0, cell, 1, last)),))

    def alike(self, state: Knowledge) -> Knowledge:
        """Return the least image of what is known under the symmetries of the board: as good as it for any goal."""
        images = self.board.group("board").images
        own, known, last = min((image(state.own), image(state.known), image(state.last)) for image in images)
        return Knowledge(own, known, state.hidden, last)

    def calls(self, state: Knowledge) -> tuple[Call[Knowledge], ...]:
        """Return what can happen on each call that the player may make: every cell not known to be taken."""
        found = self._calls.get(state)
        if found is None:
            found = self._calls[state] = tuple(self._call(state, cell) for cell in self._callable(state))
        return found

    def each_call(self, state: Knowledge) -> Iterator[Call[Knowledge]]:
        """Yield the same one by one, worked out as they are asked for and not remembered."""
        return (self._call(state, cell) for cell in self._callable(state))

    def _callable(self, state: Knowledge) -> Iterator[Cell]:
        return cells_of(self.board.full & ~(state.own | state.known))

    def _call(self, state: Knowledge, cell: int) -> Call[Knowledge]:
        wins = draws = loses = False
        branches: list[tuple[Answer, Knowledge]] = []
        for part in self.parts(state, cell):
            wins, draws, loses = wins or part.wins, draws or part.draws, loses or part.loses
            branches += part.branches
        return Call(cell, wins, draws, loses, tuple(branches))

    def parts(self, state: Knowledge, cell: Cell) -> tuple[Call[Knowledge], Call[Knowledge]]:
        """Return what can happen on a call where the cell is free, and where it is taken; nothing where it cannot be.

        Assumes that the game is not over: marks of the opponent that complete a line are no possibility.
        """
        return self._free(state, cell), self._taken(state, cell)

    def _free(self, state: Knowledge, cell: int) -> Call[Knowledge]:
        own = state.own | 1 << cell
        if not self.families.exists(own, state.known, state.hidden):
            return Call(cell, False, False, False, ())
        if self.families.has_line(own):
            return Call(cell, not self.board.misere, False, self.board.misere, ())
        if own.bit_count() + state.hidden == self.board.cells:
            return Call(cell, False, True, False, ())
        return self._reply(cell, own, ((Answer("free"), state.known, 0),), state.hidden)

    def _taken(self, state: Knowledge, cell: int) -> Call[Knowledge]:
        answers = tuple(self.told(state, 1 << cell))
        if self.rules.loses_turn:
            return self._reply(cell, state.own, answers, state.hidden)
        states = tuple((answer, Knowledge(state.own, known, state.hidden, last)) for answer, known, last in answers)
        return Call(cell, False, False, False, states)

    def told(self, state: Knowledge, cell: Mask) -> list[tuple[Answer, Mask, Mask]]:
        """Return the possible answers to a call of a taken cell: the answer, the known marks, the last move."""
        own, known, hidden = state.own, state.known | cell, state.hidden
        if not self.families.exists(own, known, hidden):
            return []
        if self.rules.told == "collision":
            return [(Answer("taken"), known, 0)]
        if self.rules.told == "all":
            return [(Answer("taken", marks), marks, 0) for marks in self.families.members(own, known, hidden)]
        if state.last:
            return [(Answer("taken", state.last), known, state.last)]
        others = (1 << c for c in cells_of(self.board.full & ~(own | known)))
        lasts = [cell, *(other for other in others if self.families.exists(own, known | other, hidden))]
        return [(Answer("taken", last), known | last, last) for last in lasts]

    def _reply(
        self, cell: int, own: Mask, answers: tuple[tuple[Answer, Mask, Mask], ...], hidden: int
    ) -> Call[Knowledge]:
        """Return what can happen when the opponent, who has `hidden` marks, replies after one of the answers."""
        completes = draws = False
        branches = []
        for answer, known, _ in answers:
            completes = completes or self.families.can_complete(own, known, hidden)
            if self.families.exists(own, known, hidden + 1):
                if own.bit_count() + hidden + 1 == self.board.cells:
                    draws = True
                else:
                    branches.append((answer, Knowledge(own, known, hidden + 1)))
        misere = self.board.misere
        return Call(cell, completes and misere, draws, completes and not misere, tuple(branches))
