"""The answer about one blind game in its parts, and the choice of the engine for each part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from math import comb
from typing import Any

from noughts.blindfold.beliefs import ListGame, MergedGame
from noughts.blindfold.game import BlindRules, Goal, History, Plan, Strategy, after_opening, state_text
from noughts.blindfold.knowledge import start_from
from noughts.blindfold.pure import Analysis, Chances, Informed, ListChances, plan_by
from noughts.rules.board import Board, require_marking
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, cells_of
from noughts.rules.position import Position
from noughts.rules.symmetry import Permutation
from noughts.rules.values import Reported, for_json, frozen, record, short
from noughts.solving.published import known_outcome

PARTS = ("information_sets", "smallest_strategy", "strategies", "win_probability", "value")
"""Parts that may take long on larger boards; see `solve_blindfold`."""


@dataclass(frozen=True, repr=False)
class BlindAnswer(Reported):
    """The results about one blind game; parts that were not computed are None.

    `never_lose` and `always_win` say whether the blind player can guarantee this. `safe_first_calls`, the safe
    information sets, `smallest_strategy` and `strategies` are for the goal: never to lose, or always to win.
    `winning_first_calls` guarantee a win, under any goal. Cells are numbers. Chances are against uniformly random
    replies. Values are +1, 0, -1 for the blind player, or for X where both are blind. Where O learns X's opening,
    `openings` has an answer for each. `first`, `opening`, `never_lose_too` and `parts` are those of `solve_blindfold`.
    With `start`, all is for the rest of the game from this state of knowledge, and the next call is the first.
    `sets_by_size` has, by the numbers of own and of known marks, the information sets and those with a good call, where
    these marks are all that a state is. `mixes` are X's and O's plans with weights where both are blind, if known.
    """

    board: Board
    rules: BlindRules
    goal: Goal
    never_lose: bool | None = None
    always_win: bool | None = None
    safe_first_calls: tuple[Cell, ...] | None = None
    winning_first_calls: tuple[Cell, ...] | None = None
    information_sets: Mapping[str, int | None] = field(default_factory=dict)
    sets_by_size: Mapping[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    histories: int | None = None
    smallest_strategy: Mapping[Cell, int] | None = None
    strategies: int | None = None
    win_probability: Mapping[str, Mapping[Cell, Fraction] | None] = field(default_factory=dict)
    value: Fraction | None = None
    value_bounds: tuple[Fraction, Fraction] | None = None
    value_proof: str = ""
    strategy: Strategy | None = None
    strategy_is_smallest: bool = False
    openings: Mapping[Cell, BlindAnswer] | None = None
    sizes: Mapping[str, int] | None = None
    mixes: Mapping[str, tuple[tuple[int, Plan], ...]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    first: Cell | None = None
    opening: Cell | None = None
    start: str | None = None
    never_lose_too: bool = False
    parts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for part in fields(self):
            object.__setattr__(self, part.name, frozen(getattr(self, part.name)))

    def __repr__(self) -> str:
        found = f"never_lose={self.never_lose}, always_win={self.always_win}"
        return f"<BlindAnswer on {short(self.board)}, blind {self.rules.blind}, {self.goal}: {found}>"

    def as_dict(self) -> dict[str, Any]:
        """Return the answer as a record, with counts as decimal strings; None for parts that were not computed."""
        board, sets = self.board, self.information_sets

        def named(values: Mapping[Cell, Any] | tuple[Cell, ...] | None) -> Any:
            if isinstance(values, Mapping):
                return {cell_name(board, cell): for_json(values[cell]) for cell in values}
            return None if values is None else [cell_name(board, cell) for cell in values]

        def text(count: int | None) -> str | None:
            return None if count is None else str(count)

        found: dict[str, Any] = {
            "board": board.spec,
            **self.rules.as_dict(),
            **record(self, "goal", "never_lose", "always_win"),
            **({} if self.start is None else {"from": self.start}),
            "safe_first_calls": named(self.safe_first_calls),
            "winning_first_calls": named(self.winning_first_calls),
            "information_sets": {key: text(sets.get(key)) for key in ("all", "safe", "all_classes", "safe_classes")},
            "sets_by_size": None if not self.sets_by_size else self._sizes(),
            "histories": text(self.histories),
            "smallest_strategy": named(self.smallest_strategy),
            "strategies": text(self.strategies),
            "win_probability": {key: named(self.win_probability.get(key)) for key in ("never_lose", "any")},
            **record(self, "value", "value_bounds", "strategy", "left_out"),
        }
        if self.sizes is not None:
            found["sizes"] = {player: str(count) for player, count in self.sizes.items()}
        if self.openings is not None:
            answers = {cell_name(board, cell): answer.as_dict() for cell, answer in self.openings.items()}
            found["openings"] = {name: {key: one[key] for key in _OF_AN_OPENING} for name, one in answers.items()}
        return found

    def _sizes(self) -> list[dict[str, Any]]:
        """Return the information sets by size, each beside C(cells, own) C(cells - own, known)."""
        return [
            {"own": own, "known": known, "all": str(sets), "good": str(good), "bound": str(self.bound(own, known))}
            for (own, known), (sets, good) in self.sets_by_size.items()
        ]

    def bound(self, own: int, known: int) -> int:
        """Return how many pairs of sets of cells have these sizes: a bound on the information sets."""
        return comb(self.board.cells, own) * comb(self.board.cells - own, known)


_OF_AN_OPENING = (
    "never_lose",
    "always_win",
    "safe_first_calls",
    "winning_first_calls",
    "smallest_strategy",
    "win_probability",
    "value",
    "value_bounds",
)


def moved(answer: BlindAnswer, g: Permutation) -> BlindAnswer:
    """Return the answer for the image of an opening under a symmetry, without the strategy."""

    def image(values: Mapping[Cell, Any] | None) -> dict[Cell, Any] | None:
        return None if values is None else {cell: values[old] for cell, old in sorted((g[old], old) for old in values)}

    winning = answer.winning_first_calls
    return replace(
        answer,
        safe_first_calls=tuple(sorted(g[cell] for cell in answer.safe_first_calls or ())),
        winning_first_calls=None if winning is None else tuple(sorted(g[cell] for cell in winning)),
        smallest_strategy=image(answer.smallest_strategy),
        win_probability={key: image(values) for key, values in answer.win_probability.items()},
        strategy=None,
        opening=None if answer.opening is None else g[answer.opening],
    )


def proved(answer: BlindAnswer, low: Fraction, high: Fraction) -> BlindAnswer:
    """Return the answer with the bounds that both players' mixed strategies show."""
    return replace(
        answer,
        value=low if low == high else None,
        value_bounds=(low, high),
        value_proof=_MIXED,
        left_out=tuple(part for part in answer.left_out if part != "value"),
    )


_MIXED = "mixed strategies of both players, checked in exact fractions"

# The engine for each part of an answer, and the parts that are quick on a board.

CELL_LIMIT = 64
"""The most cells of a board."""

TABLE_LIMIT = 18
"""The most cells of a board with tables, which have 3^cells entries."""

SEARCH_LIMIT = 500_000
"""The most information sets in a search; a fiftieth of that on boards without tables."""

FAR_CELLS = 30
"""On boards with more cells an information set costs milliseconds, and more with each further cell."""

FAR_LIMIT = 1_700_000
"""On these boards a search examines at most this number of sets divided by cells^2: two seconds of work."""

GROUP_LIMIT = 128
"""Up to this many symmetries, a search examines only one of several equivalent states."""

AnyAnalysis = Analysis[Any]


class Inquiry:
    """Computes one answer part by part; assumes valid arguments. See `solve_blindfold` for the parameters.

    `wanted` are the PARTS to compute at any cost.
    """

    def __init__(
        self,
        board: Board,
        rules: BlindRules,
        goal: Goal,
        wanted: set[str],
        *,
        first: Cell | None = None,
        opening: Cell | None = None,
        history: History = (),
        never_lose_too: bool = False,
    ) -> None:
        self.board, self.rules, self.goal = board, rules, goal
        self.history, self.wanted = history, wanted
        self.first, self.opening, self.never_lose_too = first, opening, never_lose_too
        self.table_parts = wanted & {"information_sets", "smallest_strategy", "strategies", "win_probability"}
        self.silent = rules.is_silent
        called = len(history) - 1 if history and self.silent else 0
        self.small = board.cells - called <= (6 if self.silent and not rules.loses_turn else 9)
        self.tabled = not self.small and rules.names_none and opening is None
        self._require_size()
        self.game: Any = ListGame(board, rules) if self.silent else MergedGame(board, rules)
        self.analysis = self._analysis("always-win" if goal == "always-win" else "never-lose")
        self.found: dict[str, Any] = {}
        self.left_out: list[str] = []

    def _require_size(self) -> None:
        cells = self.board.cells
        require_marking(self.board, "blindfold play")
        if cells > CELL_LIMIT:
            raise BudgetError(f"{self.board} has {cells:,} cells: blindfold play is solved for boards of up to 64")
        if cells > TABLE_LIMIT and self.table_parts:
            raise BudgetError(
                f"{' and '.join(sorted(self.table_parts))} would need tables of 3^{cells} entries for {self.board}: "
                f"try a board of up to {TABLE_LIMIT} cells"
            )
        tabled = self.tabled and not self.rules.opening_told and self.board.rules.line_wins
        if "win_probability" in self.wanted and not self.small and not tabled:
            if self.silent and not self.rules.loses_turn:
                raise BudgetError(
                    f"chances with --told nothing are computed for boards of up to 6 cells, but {self.board} has "
                    f"{cells}: try 2x3:3"
                )
            raise BudgetError(
                f"chances on {self.board} are computed only for --told collision, and not for misere: try 3x3"
            )

    def _analysis(self, goal: Goal) -> AnyAnalysis:
        cells, most = self.board.cells, SEARCH_LIMIT
        if cells > TABLE_LIMIT:
            most = SEARCH_LIMIT // 50 if cells <= FAR_CELLS else FAR_LIMIT // cells**2
        quick = (self.small or cells > TABLE_LIMIT) and not self.silent
        by_class = quick and self.board.group("board").order <= GROUP_LIMIT
        return self._begun(Analysis(self.game, goal, most, self.game.alike if by_class else None))

    def _begun(self, found: AnyAnalysis) -> AnyAnalysis:
        """Return an analysis that begins where the question does."""
        if self.opening is not None:
            found.root = after_opening(found.root, self.opening)
        if self.history:
            found.root = start_from(self.game, self.history)
        return found

    def answer(self) -> BlindAnswer:
        """Return the answer: the quick parts and the wanted parts.

        Raises BudgetError where a wanted part is too large, or a search exceeds its limit.
        """
        holds = self._analysis("never-lose").is_possible()
        wins = holds and self._analysis("always-win").is_possible()
        calls = self._first_calls(self.analysis)
        winning: tuple[Cell, ...] | None = calls if self.goal == "always-win" else ()
        if wins and self.goal != "always-win":
            try:
                winning = self._first_calls(self._analysis("always-win"))
            except BudgetError:
                winning = None
        self.found.update(never_lose=holds, always_win=wins, safe_first_calls=calls, winning_first_calls=winning)
        self._use_tables()
        self._count()
        if self._is_on("win_probability", self.has_chances):
            self.found["win_probability"] = self._chances()
        self._value()
        self._strategy()
        if self.rules.opening_told and self.opening is None and not self.history:
            self.found["openings"] = self._each_opening()
        return BlindAnswer(
            self.board,
            self.rules,
            self.goal,
            first=self.first,
            opening=self.opening,
            start=state_text(self.board, self.rules, self.history) if self.history else None,
            never_lose_too=self.never_lose_too,
            parts=tuple(sorted(self.wanted)),
            left_out=tuple(self.left_out),
            **self.found,
        )

    def _is_on(self, part: str, quick: bool) -> bool:
        if not quick and part not in self.wanted:
            self.left_out.append(part)
        return quick or part in self.wanted

    def _first_calls(self, analysis: AnyAnalysis) -> tuple[Cell, ...]:
        """Return the good first calls; where O learns the opening, those that are good after every other opening."""
        good: list[set[Cell]] = []
        for answer, state in analysis.root.branches:
            opening = set() if self.opening is not None else set(cells_of(answer.cells))
            good.append(opening | {call.cell for call in analysis.good_calls(state)})
        return tuple(sorted(set.intersection(*good))) if good and analysis.is_possible() else ()

    def _use_tables(self) -> None:
        """Use compiled tables if the board and a part of the answer need them."""
        if not self.tabled or not (self.table_parts or self.board.cells <= 12) or self.board.cells > TABLE_LIMIT:
            return
        from noughts.blindfold.tables import TableAnalysis, Tables

        self.analysis = self._begun(TableAnalysis(Tables(self.board, self.rules), self.analysis.goal))
        self.game = self.analysis.game

    @property
    def counted(self) -> bool:
        """Whether all states can be listed quickly."""
        return self.small or type(self.analysis) is not Analysis

    @property
    def has_chances(self) -> bool:
        """Whether chances can be computed quickly, or from tables that are already filled."""
        return self.small or (self.counted and self.board.cells <= 12 and self.board.rules.line_wins)

    def _count(self) -> None:
        analysis, found = self.analysis, self.found
        possible = analysis.is_possible()
        if self._is_on("information_sets", self.counted):
            pairs = {name: analysis.sets(good_only=name == "safe") for name in ("all", "safe")}
            found["information_sets"] = {name: pair[0] for name, pair in pairs.items()} | {
                f"{name}_classes": pair[1] for name, pair in pairs.items()
            }
            only_marks = self.rules.names_none or (self.rules.names_all and not self.rules.loses_turn)
            found["sets_by_size"] = analysis.by_size() if only_marks and not self.history else {}
        if self.small:
            found["histories"] = analysis.histories()
        if self._is_on("smallest_strategy", self.counted):
            found["smallest_strategy"] = self._smallest() if possible else {}
        if self._is_on("strategies", self.small):
            found["strategies"] = analysis.plans_after(analysis.root) if possible else 0

    def _smallest(self) -> dict[Cell, int] | None:
        """Return the size of a smallest strategy for each good first call; None if it depends on the opening."""
        branches = self.analysis.root.branches
        if len(branches) != 1:
            return None
        calls = self.analysis.good_calls(branches[0][1])
        return {call.cell: 1 + self.analysis.smallest_after(call) for call in calls}

    def _chances(self) -> dict[str, dict[Cell, Fraction] | None]:
        """Return the largest chance to win for each first call: among strategies that never lose, and among all."""
        branches = self.analysis.root.branches
        if len(branches) != 1:
            return dict.fromkeys(("never_lose", "any"), None if branches else {})
        state, never_lose = branches[0][1], self.analysis
        if never_lose.goal != "never-lose":
            never_lose = self._analysis("never-lose")
        found: dict[str, dict[Cell, Fraction] | None] = {"never_lose": {}}
        for among, guarantee in (("any", None), ("never_lose", never_lose)):
            if guarantee is None or guarantee.is_possible():
                engine = self._engine(guarantee)
                calls = self.game.calls(state) if guarantee is None else guarantee.good_calls(state)
                found[among] = {call.cell: engine.chance(state, call.cell) for call in calls}
        return found

    def _engine(self, guarantee: AnyAnalysis | None) -> Any:
        """Return the engine of chances, over all calls or over the good calls of an analysis."""
        if self.silent:
            return ListChances(self.game, guarantee, self.history)
        if type(self.analysis) is not Analysis:
            from noughts.blindfold.tables import TableAnalysis, TableChances

            assert isinstance(self.analysis, TableAnalysis)
            return TableChances(self.analysis, good_only=guarantee is not None)
        return Chances(self.game, guarantee)

    def _value(self) -> None:
        if self.history:  # the value depends on the play that led here
            return
        low = 1 if self.found["always_win"] else 0 if self.found["never_lose"] else -1
        is_wanted = "value" in self.wanted
        if low == 1 or not (self.board.cells <= 9 or is_wanted):
            proof = "a strategy that always wins" if low == 1 else "a pure strategy of each player"
            self._settle(Fraction(low), Fraction(max(low, self._with_open_eyes())), proof)
        else:
            try:
                high = Informed(self.board, self.rules).value(self.opening)
            except BudgetError:
                if is_wanted:
                    raise
                high = 1
            self._settle(Fraction(low), Fraction(high), "a pure strategy of each player")
        if "value" in self.found or not self._is_on("value", False):
            return
        if self.opening is not None or not self.rules.opening_told:
            from noughts.blindfold.sequence_form import solve_mixed

            solution = solve_mixed(self.board, self.rules, self.opening)
            self._settle(solution.lower, solution.upper, _MIXED)

    def _with_open_eyes(self) -> int:
        """Return the most that the blind player could get from the known value of the board, if it is known."""
        known = None if self.opening is not None or self.rules.loses_turn else known_outcome(Position(self.board))
        return 1 if known in (None, self.rules.blind) else 0 if known == "draw" else -1

    def _settle(self, low: Fraction, high: Fraction, proof: str) -> None:
        self.found["value_bounds"] = low, high
        if low == high:
            self.found.update(value=low, value_proof=proof)

    def _strategy(self) -> None:
        roots = self.analysis.root.branches
        if self.goal == "win-often":
            if self._is_on("win_probability", self.has_chances) and (
                not self.never_lose_too or self.found["never_lose"]
            ):
                engine = self._engine(self._analysis("never-lose") if self.never_lose_too else None)
                often = {answer: engine.plan(state, self.first) for answer, state in roots}
                self.found["strategy"] = Strategy(self.board, self.rules, "win-often", often, self.history)
        elif self.analysis.is_possible():
            smallest = self.counted or "smallest_strategy" in self.wanted
            branches = {answer: self._plan(state, smallest) for answer, state in roots}
            plans = {answer: plan for answer, plan in branches.items() if plan is not None}
            if len(plans) == len(branches):
                strategy = Strategy(self.board, self.rules, self.analysis.goal, plans, self.history)
                self.found.update(strategy=strategy, strategy_is_smallest=smallest)

    def _plan(self, state: Any, smallest: bool) -> Plan | None:
        calls = [c for c in self.analysis.good_calls(state) if self.first is None or c.cell == self.first]
        if not calls:
            return None
        through = self.board.lines_through
        size = self.analysis.smallest_after if smallest else lambda _: 0
        best = min(calls, key=lambda c: (size(c), -len(through[c.cell]), c.cell))
        return Plan(best.cell, {answer: self._rest(after, smallest) for answer, after in best.branches})

    def _rest(self, state: Any, smallest: bool) -> Plan:
        """Return a smallest plan, or a plan that always makes the first good call, which is quicker to find."""
        if smallest:
            return self.analysis.plan(state)
        return plan_by(lambda at: next(filter(self.analysis.is_good, self.game.each_call(at))), state)

    def _each_opening(self) -> dict[Cell, BlindAnswer]:
        """Return an answer for each opening; it is computed once for each orbit, and mapped to the other cells."""
        found: dict[Cell, BlindAnswer] = {}
        too = self.never_lose_too
        for cell in range(self.board.cells):
            to_cell = ((g.index(cell), g) for g in self.board.group().elements)
            least, g = min((pair for pair in to_cell if pair[0] in found), default=(cell, None))
            if g is None:
                inquiry = Inquiry(self.board, self.rules, self.goal, self.wanted, opening=cell, never_lose_too=too)
                found[cell] = inquiry.answer()
            else:
                found[cell] = moved(found[least], g)
        bounds = [answer.value_bounds for answer in found.values() if answer.value_bounds is not None]
        self._settle(min(low for low, _ in bounds), min(high for _, high in bounds), "the best of X's openings")
        return found
