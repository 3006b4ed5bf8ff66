"""The boards that a table may have to know: the class graph with the player's moves that serve the goal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from math import ceil, lcm
from operator import or_
from time import monotonic

from noughts.bots.crib_judge import CribQuestion
from noughts.machine.linear import INFINITY, minimise
from noughts.machine.workers import Progress, silent
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError
from noughts.rules.game import Marks
from noughts.rules.marks import Mask, cells_of, mask_of, opponent
from noughts.solving.classgraph import class_graph


@dataclass(frozen=True)
class CribGraph:
    """Position classes in the order of their plies, the first of them the start.

    `children` of a board at which the player moves are those after a move that serves the goal, of which a table holds
    one; of a board at which the other moves all replies, which a table must meet. `moves` are the cells that lead to
    them, on the canonical board. Where the game is over there are none.
    """

    question: CribQuestion
    states: tuple[Marks, ...]
    children: tuple[tuple[int, ...], ...]
    moves: tuple[tuple[Mask, ...], ...]
    own: frozenset[int]
    """The boards at which the player moves."""
    outside: frozenset[int] = frozenset()
    """Boards at which the player moves that are entries, but whose moves are left out, where a part gives a bound."""

    @cached_property
    def counted(self) -> frozenset[int]:
        """The boards that count as entries."""
        return self.own | self.outside if self.question.count == "own" else frozenset(range(len(self.states)))

    @cached_property
    def plies(self) -> tuple[int, ...]:
        """The ply of each board."""
        return tuple((state.x | state.o).bit_count() for state in self.states)

    def reached(self, chosen: dict[int, int]) -> list[int]:
        """Return, in order, the boards that play meets when the player moves to the chosen child of each."""
        met = {0}
        for at in range(len(self.states)):
            if at in met:
                met.update([chosen[at]] if at in self.own else self.children[at])
        return sorted(met)

    def size(self, chosen: dict[int, int]) -> int:
        """Return the number of entries of the table that such choices make."""
        return sum(at in self.counted for at in self.reached(chosen))


def crib_graph(question: CribQuestion, progress: Progress = silent) -> CribGraph:
    """Return the boards that a table may have to know.

    Raises InputError where the goal cannot be met. Cost: all position classes from the start, in plain Python.
    """
    whole = class_graph(question.board, question.start, progress=progress)
    sign, met, own = 1 if question.player == "X" else -1, {0}, set[int]()
    values = [sign * value for value in whole.values]
    edges = whole.nodes[0].children
    opened = edges if question.opening is None else opened_by(question, edges, dict(enumerate(values)))
    require_goal(question, values[0] if question.opening is None else max(values[child] for child, _ in opened))
    edges_of: dict[int, list[tuple[int, Mask]]] = {}
    for at, node in enumerate(whole.nodes):
        if at in met:
            edges_of[at] = node.children if at else opened
            if whole.game.to_move(node.state) == question.player and node.outcome is None:
                floor = floor_of(question, [values[child] for child, _ in node.children])
                edges_of[at] = [(child, cells) for child, cells in edges_of[at] if values[child] >= floor]
                own.add(at)
            met.update(child for child, _ in edges_of[at])
    number = {old: new for new, old in enumerate(edges_of)}
    return CribGraph(
        question,
        tuple(whole.nodes[at].state for at in edges_of),
        tuple(tuple(number[child] for child, _ in edges) for edges in edges_of.values()),
        tuple(tuple(cells for _, cells in edges) for edges in edges_of.values()),
        frozenset(number[at] for at in own),
    )


def floor_of(question: CribQuestion, values: list[int]) -> int:
    """Return the least value, to the player, of a move that serves the goal."""
    return {"never-lose": 0, "perfect": max(values), "win": 1}[question.goal]


def opened_by(
    question: CribQuestion, edges: Sequence[tuple[int, Mask]], values: Mapping[int, int]
) -> list[tuple[int, Mask]]:
    """Return the edge of the opening. Raises InputError where X, whose crib it is, fails the goal by it."""
    assert question.opening is not None
    chosen = [(child, cells) for child, cells in edges if cells >> question.opening & 1]
    if question.player == "X":
        floor = floor_of(question, [values[child] for child, _ in edges])
        good = [cell for child, cells in edges for cell in cells_of(cells) if values[child] >= floor]
        if good and values[chosen[0][0]] < floor:
            board, fails = question.board, {"never-lose": "loses", "perfect": "is not perfect", "win": "does not win"}
            names = " or ".join(cell_name(board, cell) for cell in sorted(good))
            raise InputError(
                f"the opening {cell_name(board, question.opening)} {fails[question.goal]} on {board}, against best "
                f"play: open at {names}"
            )
    return chosen


def require_goal(question: CribQuestion, value: int) -> None:
    """Raise InputError where the player cannot meet the goal against best play."""
    player, other = question.player, opponent(question.player)
    least = {"never-lose": 0, "perfect": -1, "win": 1}[question.goal]
    if value >= least:
        return
    if value == 0:
        raise InputError(
            f"{player} cannot force a win on {question.where}, a draw with best play: ask for the goal "
            "never-lose or perfect"
        )
    cannot = "avoid losing" if question.goal == "never-lose" else "force a win"
    raise InputError(
        f"{player} cannot {cannot} on {question.where}, where {other} wins with best play: ask for the crib "
        f"of {other} or goal perfect"
    )


# Some table at once: at each board the move below which there is least, by a count that shares nothing.


def greedy_table(graph: CribGraph) -> dict[int, int]:
    """Return choices that make a table, hardly the smallest: what there is until something better is found."""
    size = [0] * len(graph.states)
    chosen: dict[int, int] = {}
    for at in range(len(graph.states) - 1, -1, -1):
        below = graph.children[at]
        if at in graph.own:
            chosen[at] = min(below, key=lambda child: (size[child], child))
            below = (chosen[at],)
        size[at] = (at in graph.counted) + sum(size[child] for child in below)
    return chosen


# The smallest table as an integer programme: a variable for each board, solved by HiGHS.
#
# A board that is met has 1. The start has 1; of the moves at a board of the player the sum is at least the board's
# own variable; every reply to a board that is met is met. The sum of the variables that count is to be least. HiGHS
# computes in floating point: its table is followed and counted here in whole numbers, its bound rounded up with room
# for error.

_ROOM = 1e-5
"""How far above the truth the bound of HiGHS may lie."""


def solve_programme(
    graph: CribGraph, seconds: float, meanwhile: Callable[[], object] | None = None
) -> tuple[dict[int, int] | None, int]:
    """Return the choices of a small table, None where none is found in time, and a bound that no table is below.

    Takes about so many seconds, with calls of `meanwhile`. Raises InputError where HiGHS is missing.
    """
    rows: list[dict[int, float]] = []
    for at, children in enumerate(graph.children):
        alternatives = [children] if at in graph.own else [(child,) for child in children]
        rows += [{at: -1.0, **dict.fromkeys(each, 1.0)} for each in alternatives]
    cost = [float(at in graph.counted) for at in range(len(graph.states))]
    limits = [(float(at == 0), 1.0) for at in range(len(graph.states))]
    found = minimise(
        cost, rows, [(0.0, INFINITY)] * len(rows), limits, whole=True, seconds=seconds, meanwhile=meanwhile
    )
    bound = ceil(max(0.0, found.bound - _ROOM))
    shares = found.values
    if shares is None:
        return None, bound
    # of several children that the solution takes, the first
    chosen = {at: max(graph.children[at], key=lambda child: (shares[child] > 0.5, -child)) for at in graph.own}
    return chosen, bound


# The smallest table by search: the boards still to be answered are taken in order, each move that serves is tried.
#
# A table is a set of boards closed under its own moves and all replies. Boards that other entries need already cost
# nothing, so what is left to decide is a set of *pending* boards and the set *known*. Four things keep the search
# small:
#
# - a move that adds nothing new is taken at once, and so is one that is the only one left;
# - a move that adds what another adds and more is left out; so is one that adds at least as many boards that no other
#   pending board could need as the other has beyond it, and leaves pending all that the other does;
# - pending boards that can have no board below in common are independent: their costs are added;
# - what each of several boards must add, shared out among those that may add it too, is a bound from below.
#
# Sets of boards are integers, a bit for each. The result is exact.

NEVER = 1 << 60
Plan = tuple[object, ...]
"""The choices made: pairs of a board and the child chosen, in nested pairs so that none is copied."""
Option = tuple[Mask, int]
"""The counted and pending boards that a move adds, and the child it leads to."""


class OutOfTime(Exception):
    """The search was given no more time."""


@dataclass
class _TableSearch:
    graph: CribGraph
    until: float
    meanwhile: Callable[[], object]
    options: dict[int, list[Option]] = field(default_factory=dict)
    below: dict[int, Mask] = field(default_factory=dict)
    found: dict[tuple[Mask, Mask], tuple[int, Plan | None]] = field(default_factory=dict)
    taken: int = 0

    def __post_init__(self) -> None:
        self.own, self.counted = mask_of(self.graph.own), mask_of(self.graph.counted)
        for at in sorted(self.graph.own, reverse=True):
            added = [
                (1 << child | mask_of(self.graph.children[child])) & self.counted for child in self.graph.children[at]
            ]
            self.options[at] = _least_first(list(zip(added, self.graph.children[at], strict=True)))
            everything = 0
            for more, _ in self.options[at]:
                everything |= more
                for further in cells_of(more & self.own):
                    everything |= self.below[further]
            self.below[at] = everything

    def _cost(self, boards: Mask) -> int:
        return (boards & self.counted).bit_count()

    def complete(self, pending: Mask, known: Mask, under: int) -> tuple[int, Plan | None]:
        """Return the least number of entries to add, and how; where that is not under a bound, some number from it."""
        added = 0
        plan: Plan = ()
        while True:
            for at in cells_of(pending):
                free = [child for more, child in self.options[at] if not more & ~known]
                if free:
                    pending, plan = pending & ~(1 << at), ((at, free[0]), plan)
            open_moves, only = self._reduced(pending, known)
            if only is not None:
                at, (more, child) = only
                known, added, plan = known | more, added + self._cost(more), ((at, child), plan)
                pending = pending & ~(1 << at) | more & self.own
                if added >= under:
                    return added, None
                continue
            if not pending:
                return added, plan
            return self._apart(pending, known, open_moves, added, plan, under)

    def _reduced(self, pending: Mask, known: Mask) -> tuple[dict[int, list[Option]], tuple[int, Option] | None]:
        """Return the moves worth trying at each pending board, or the first board that has only one."""
        once = often = 0
        for at in cells_of(pending):
            often |= once & self.below[at]
            once |= self.below[at]
        found: dict[int, list[Option]] = {}
        for at in cells_of(pending):
            left = self._undominated(at, known, often)
            if len(left) == 1:
                return found, (at, left[0])
            found[at] = left
        return found, None

    def _undominated(self, at: int, known: Mask, others: Mask) -> list[Option]:
        """Return the moves at a board that may be best; `others` are the boards that more pending boards can need."""
        moves: list[Option] = []
        for more, child in _least_first([(added & ~known, child) for added, child in self.options[at]]):
            alone = self._cost(more & ~others)
            for less, _ in moves:
                if not less & self.own & ~more and self._cost(less & ~more) <= alone:
                    break
            else:
                moves.append((more, child))
        return moves

    def _apart(
        self, pending: Mask, known: Mask, moves: dict[int, list[Option]], added: int, plan: Plan, under: int
    ) -> tuple[int, Plan | None]:
        """Add up what each group of pending boards needs that has nothing below in common with the others."""
        groups = self._groups(pending, known)
        bounds = {group: self._bound(group, moves) for group in groups}
        rest = sum(bounds.values())
        for group in sorted(groups, key=lambda group: (group.bit_count(), group)):
            if added + rest >= under:
                return added + rest, None
            rest -= bounds[group]
            more, choices = self._branch(group, known, moves, under - added - rest)
            added += more
            if choices is None:
                return max(added + rest, under), None
            plan = (choices, plan)
        return added, plan

    def _groups(self, pending: Mask, known: Mask) -> list[Mask]:
        groups: list[tuple[Mask, Mask]] = []
        for at in cells_of(pending):
            reach, members, apart = self.below[at] & ~known, 1 << at, []
            for other, held in groups:
                if other & reach:
                    reach, members = reach | other, members | held
                else:
                    apart.append((other, held))
            groups = [*apart, (reach, members)]
        return [members for _, members in groups]

    def _bound(self, pending: Mask, moves: dict[int, list[Option]]) -> int:
        """Return a number of entries that pending boards surely add: each new board is shared by who may add it."""
        sharing: dict[int, int] = {}
        for at in cells_of(pending):
            for new in cells_of(reduce(or_, (more for more, _ in moves[at])) & self.counted):
                sharing[new] = sharing.get(new, 0) + 1
        whole = lcm(*sharing.values()) if sharing else 1
        total = sum(
            min(sum(whole // sharing[new] for new in cells_of(more & self.counted)) for more, _ in moves[at])
            for at in cells_of(pending)
        )
        return -(-total // whole)

    def _branch(
        self, pending: Mask, known: Mask, moves: dict[int, list[Option]], under: int
    ) -> tuple[int, Plan | None]:
        """Try the moves of one board of a group, one of the earliest with the fewest of them."""
        key = pending, known & reduce(or_, (self.below[at] for at in cells_of(pending)))
        before = self.found.get(key)
        if before is not None and (before[1] is not None or before[0] >= under):
            return before
        self.taken += 1
        if self.taken % 16 == 0:
            self.meanwhile()
            if monotonic() > self.until:
                raise OutOfTime
        at = min(cells_of(pending), key=lambda at: (self.graph.plies[at], len(moves[at]), at))
        best, plan = under, None
        for more, child in moves[at]:
            cost = self._cost(more)
            if cost >= best:
                continue
            size, choices = self.complete(pending & ~(1 << at) | more & self.own, known | more, best - cost)
            if choices is not None and cost + size < best:
                best, plan = cost + size, ((at, child), choices)
        self.found[key] = best, plan
        return best, plan


def search_table(
    graph: CribGraph,
    *,
    until: float = float("inf"),
    under: int = NEVER,
    meanwhile: Callable[[], object] = lambda: None,
) -> dict[int, int] | None:
    """Return the choices of a smallest table: for each board at which the player moves the child chosen.

    None where no table has fewer entries than `under`. Raises OutOfTime when the clock says so.
    Cost: 0.01 to 2 seconds for 3x3.
    """
    search = _TableSearch(graph, until, meanwhile)
    met = (1 if 0 in graph.own else 1 | mask_of(graph.children[0])) & search.counted
    _, plan = search.complete(met & search.own, met, under - met.bit_count())
    return None if plan is None else dict(_choices(plan))


def _choices(plan: Plan) -> list[tuple[int, int]]:
    """Return the choices of a plan, from its nested pairs."""
    found: list[tuple[int, int]] = []
    rest: list[Plan] = [plan]
    while rest:
        part = rest.pop()
        if part and isinstance(part[0], int):
            found.append(part)  # type: ignore[arg-type]
        else:
            rest += part  # type: ignore[arg-type]
    return found


def _least_first(options: list[Option]) -> list[Option]:
    """Return moves by what they add, one of those that add the same, without those that add what another does too."""
    found: list[Option] = []
    for more, child in sorted(options, key=lambda option: (option[0].bit_count(), option)):
        if not any(not less & ~more for less, _ in found):
            found.append((more, child))
    return found
