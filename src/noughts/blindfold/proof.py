"""Proofs of a value: both players' strategies on real cells, from the sequence form with its merged histories."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noughts.blindfold.beliefs import ListGame, MergedGame
from noughts.blindfold.both import prove_both
from noughts.blindfold.game import (
    PROOF_FORMAT,
    Answer,
    BlindRules,
    Goal,
    Plan,
    Referee,
    after_opening,
    board_word,
    label,
    marks_text,
)
from noughts.blindfold.game import Truth as GameTruth
from noughts.blindfold.pure import Analysis, Informed
from noughts.blindfold.sequence_form import Heard, MixedSolution, Place, SightedPlace, Truth, image_of, solve_mixed
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InvalidQuestion
from noughts.rules.marks import Cell, cells_of
from noughts.rules.symmetry import Permutation, compose, inverse


@dataclass(frozen=True)
class Spot:
    """A place of the sequence form, and the symmetry from the real cells to its cells.

    `tried` are cells of the place that count as called and taken, although the player did not call them. They belong
    to free tries that the player left out: the player is followed as if these calls had been made.
    """

    place: Place
    symmetry: Permutation
    tried: int = 0


class Follower:
    """Looks up both players' mixes; all cells and sets in arguments and results are real."""

    def __init__(self, solution: MixedSolution) -> None:
        self.solution, self.game = solution, solution.game

    def openings(self) -> dict[Cell, Fraction]:
        """Return the mix of X's openings against a blind O who does not learn the opening."""
        assert isinstance(self.game.root, SightedPlace)
        return self._spread(self.solution.replies[self.game.root.number], self.game.places[0].symmetries)

    def _spread(self, mix: dict[Cell, Fraction], symmetries: list[Permutation]) -> dict[Cell, Fraction]:
        orbits = {cell: {g[cell] for g in symmetries} for cell in mix}
        return {image: share / len(orbits[cell]) for cell, share in mix.items() for image in orbits[cell]}

    def calls(self, spot: Spot) -> dict[Cell, Fraction]:
        """Return the chance of each call of the blind player."""
        back = inverse(spot.symmetry)
        mix = self._spread(self.solution.calls[spot.place.number], spot.place.symmetries)
        return {back[cell]: share for cell, share in sorted(mix.items())}

    def _aligned(self, spot: Spot, cell: Cell) -> tuple[Cell, Permutation]:
        """Return the representative of a call, and a symmetry that maps the real call to it."""
        seen = spot.symmetry[cell]
        least = min(g[seen] for g in spot.place.symmetries)
        g = next(g for g in spot.place.symmetries if g[seen] == least)
        return least, compose(spot.symmetry, g)

    def answered(self, spot: Spot | None, cell: Cell, heard: Heard) -> Spot | None:
        """Return the spot after a call and its answer; None where the opponent's play no longer matters."""
        spot = self._caught_up(spot, cell)
        if spot is None:
            return None
        if spot.tried >> spot.symmetry[cell] & 1:
            return spot
        call, g = self._aligned(spot, cell)
        key, h = spot.place.heard(call, (heard[0], image_of(g, heard[1])))
        below = spot.place.below.get(key)
        if below is None:
            return None
        after = compose(g, h)
        return Spot(below, after, image_of(compose(inverse(spot.symmetry), after), spot.tried))

    def _caught_up(self, spot: Spot | None, cell: Cell) -> Spot | None:
        """Return the spot as if the player had made all free tries before this call, without a win."""
        while spot is not None and not spot.tried >> spot.symmetry[cell] & 1:
            seen = spot.symmetry[cell]
            if any(g[seen] in spot.place.calls for g in spot.place.symmetries):
                return spot
            back = inverse(spot.symmetry)
            attempt = back[next(iter(spot.place.calls))]
            spot = self.answered(spot, attempt, ("taken", 0))
            if spot is not None:
                spot = Spot(spot.place, spot.symmetry, spot.tried | 1 << spot.symmetry[attempt])
        return spot

    def replies(self, spot: Spot | None, cell: Cell, truth: Truth) -> dict[Cell, Fraction]:
        """Return the chance of each reply of the opponent after a call; `truth` is (own, other, last) after it."""
        blanks = list(cells_of(self.game.board.full & ~(truth[0] | truth[1])))
        winning = [c for c in blanks if self.game.board.has_line(truth[1] | 1 << c)]
        if winning and self.game.board.rules.line_wins:
            return {winning[0]: Fraction(1)}
        spot = self._caught_up(spot, cell)
        if spot is None or spot.tried >> spot.symmetry[cell] & 1:
            return {blanks[0]: Fraction(1)}
        call, g = self._aligned(spot, cell)
        fixing = spot.place.fixing(call)
        images = [(self.game.image(compose(g, h), truth), h) for h in fixing]
        least, h = min(images, key=lambda pair: pair[0])
        option = spot.place.replies.get((call, least))
        if not isinstance(option, SightedPlace):
            return {blanks[0]: Fraction(1)}  # all relevant replies have the same result
        back = inverse(compose(g, h))
        keeping = [k for k in fixing if self.game.image(k, least) == least]
        mix = self._spread(self.solution.replies[option.number], keeping)
        return {back[c]: share for c, share in sorted(mix.items())}


# Proofs of a value: both players' strategies as trees of real calls and answers, in exact fractions.
#
# The blind player's part gives the chance of each call at each history. The opponent's part gives the chance of each
# reply at each history and position, or by the position alone where a pure strategy suffices. `judge_proof` computes
# what each part guarantees.

_NODE_LIMIT = 400_000

_GUARANTEES: tuple[tuple[int, Goal], ...] = ((1, "always-win"), (0, "never-lose"))
"""The payoffs that a plan can guarantee, the largest first, with their goals."""

Tree = dict[str, Any]


def prove(board: Board, rules: BlindRules, opening: Cell | None = None) -> Tree:
    """Return a proof of the value, or of bounds on it, as a JSON object; with `opening_told` it needs an opening.

    Raises InvalidQuestion, and BudgetError where the trees are too large.
    """
    if rules.blind == "both":
        return prove_both(board, rules)
    if rules.opening_told and opening is None:
        raise InvalidQuestion("a proof is for one opening: add --opening CELL")
    pure = _Pure(board, rules, opening)
    parts = pure.parts() if pure.low == pure.high else _Mixed(board, rules, opening).parts()
    return {
        "format": PROOF_FORMAT,
        "version": 1,
        "board": board_word(board),
        **rules.as_dict(),
        "opening": None if opening is None else cell_name(board, opening),
        **parts,
    }


class _Trees:
    """Builds trees by playing with the referee."""

    def __init__(self, board: Board, rules: BlindRules, opening: Cell | None) -> None:
        self.board, self.rules, self.opening = board, rules, opening
        self.referee = Referee(board, rules)
        self.nodes = 0

    def count(self) -> None:
        """Count a node. Raises BudgetError where the tree is too large."""
        self.nodes += 1
        if self.nodes > _NODE_LIMIT:
            raise BudgetError(
                f"the proof would have more than {_NODE_LIMIT:,} places: use --opening-told or --collision lose-turn"
            )

    def mix(self, shares: dict[Cell, Fraction]) -> dict[str, str]:
        """Return a mix for JSON: names of cells and fractions as text."""
        return {cell_name(self.board, cell): str(share) for cell, share in shares.items()}

    def replied(self, truth: GameTruth) -> list[GameTruth]:
        """Return the open truths after every reply, or none where a reply wins at once."""
        after = self.referee.replies(truth)
        return [] if any(one.outcome == "loss" for one in after) else [one for one in after if one.outcome is None]

    def answered(self, truths: list[GameTruth], cell: Cell) -> dict[Answer, list[GameTruth]]:
        """Return the possible answers to a call, each with the truths at the next call."""
        groups: dict[Answer, list[GameTruth]] = {}
        for truth in truths:
            after = self.referee.call(truth, cell)
            if following := self.replied(after):
                groups.setdefault(after.answer, []).extend(following)
        return {answer: list(dict.fromkeys(found)) for answer, found in groups.items()}


class _Pure(_Trees):
    """A plan and replies by position, which prove the value if their guarantees are equal."""

    def __init__(self, board: Board, rules: BlindRules, opening: Cell | None) -> None:
        super().__init__(board, rules, opening)
        game: Any = ListGame(board, rules) if rules.is_silent else MergedGame(board, rules)
        self.informed = Informed(board, rules)
        self.high = self.informed.value(opening)
        self.low, self.analysis = -1, Analysis(game)
        for low, goal in _GUARANTEES:
            analysis: Any = Analysis(game, goal)
            if opening is not None:
                analysis.root = after_opening(analysis.root, opening)
            if low > self.low and analysis.root.branches and analysis.is_possible():
                self.low, self.analysis = low, analysis

    def parts(self) -> Tree:
        """Return the parts: a plan that guarantees as much as a player who sees everything could get, and replies."""
        blind = None
        if self.low > -1:
            ((_, state),) = self.analysis.root.branches
            blind = self._plan(self.analysis.plan(state))
        replies: dict[str, str] = {}
        self._replies(self.referee.start(self.opening), replies, set())
        return {"lower": str(self.low), "upper": str(self.high), "blind_player": blind, "by_position": replies}

    def _plan(self, plan: Plan) -> Tree:
        self.count()
        name = cell_name(self.board, plan.call)
        after = {label(self.board, answer): self._plan(below) for answer, below in plan.branches.items()}
        return {"mix": {name: "1"}, "after": {name: after}}

    def _replies(self, truth: GameTruth, replies: dict[str, str], seen: set[GameTruth]) -> None:
        if truth.outcome is not None or truth in seen:
            return
        seen.add(truth)
        if truth.blind_to_act:
            for cell in self.referee.open_calls(truth):
                self._replies(self.referee.call(truth, cell), replies, seen)
            return
        self.count()
        key = marks_text(self.board, self.rules.blind, truth.own, truth.other)
        cell = min(self.referee.blanks(truth), key=lambda c: (self.informed.value_at(self.referee.reply(truth, c)), c))
        replies.setdefault(key, cell_name(self.board, cell))
        self._replies(self.referee.reply(truth, cell), replies, seen)


class _Mixed(_Trees):
    """Both mixes of a linear program, followed through all relevant histories."""

    def parts(self) -> Tree:
        if (self.rules.names_last or self.rules.names_all) and not self.rules.loses_turn:
            raise BudgetError("a proof needs --told collision or nothing, or --collision lose-turn")
        solution = solve_mixed(self.board, self.rules, self.opening)
        self.follower = Follower(solution)
        first = self.referee.start(self.opening)
        everything = self.replied(first)
        played, openings = everything, None
        if not first.blind_to_act:
            openings = self.follower.openings()
            played = [self.referee.reply(first, cell) for cell in openings]
        spot = Spot(self.follower.game.places[0], tuple(range(self.board.cells)))
        found: Tree = {"lower": str(solution.lower), "upper": str(solution.upper)}
        found["blind_player"] = self.blind(spot, everything)
        found["by_history"] = self.opponent(spot, played)
        return found if openings is None else {**found, "openings": self.mix(openings)}

    def blind(self, spot: Spot, truths: list[GameTruth]) -> Tree:
        """Return the blind player's part from here: the mix of calls, and the places after these calls."""
        self.count()
        shares = self.follower.calls(spot)
        after: Tree = {}
        for cell in shares:
            below: Tree = {}
            for answer, following in self.answered(truths, cell).items():
                next_spot = self.follower.answered(spot, cell, (answer.kind, answer.cells))
                assert next_spot is not None
                below[label(self.board, answer)] = self.blind(next_spot, following)
            after[cell_name(self.board, cell)] = below
        return {"mix": self.mix(shares), "after": after}

    def opponent(self, spot: Spot | None, truths: list[GameTruth]) -> Tree:
        """Return the opponent's part from here: for each call the replies by position, and the next places."""
        self.count()
        found: Tree = {}
        for cell in self.referee.open_calls(truths[0]):
            replies: Tree = {}
            groups: dict[Answer, list[GameTruth]] = {}
            for truth in truths:
                after = self.referee.call(truth, cell)
                if after.outcome is None:
                    groups.setdefault(after.answer, []).extend(self._played(spot, cell, after, replies))
            below = {
                label(self.board, answer): self.opponent(
                    self.follower.answered(spot, cell, (answer.kind, answer.cells)), list(dict.fromkeys(following))
                )
                for answer, following in groups.items()
                if following
            }
            found[cell_name(self.board, cell)] = {"replies": replies, "after": below}
        return found

    def _played(self, spot: Spot | None, cell: Cell, after: GameTruth, replies: Tree) -> list[GameTruth]:
        if after.blind_to_act:
            return [after]
        shares = self.follower.replies(spot, cell, (after.own, after.other, after.last))
        replies[marks_text(self.board, self.rules.blind, after.own, after.other)] = self.mix(shares)
        following = [self.referee.reply(after, reply) for reply in shares]
        return [one for one in following if one.outcome is None]
