"""Engine `plain`: the definition as recursion, memoised; the judge of the other engines on small boards.

A game is followed move by move from each position, and what is counted from a position on is the vector of its partial
and finished games by length. Nothing is pushed forward, weighed by orbits or shared with the other engines: games up to
symmetry are counted by Burnside's lemma, and positions by collecting them. Where a player is held to a table of moves,
which may tell symmetric positions apart, Burnside's lemma does not hold, and it counts labelled games only.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache, partial
from typing import NamedTuple

from noughts.counting.census import PlyCounts
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.play import AskedPlay
from noughts.counting.question import Question
from noughts.domain.bits import Mask
from noughts.domain.game import State
from noughts.domain.players import OUTCOMES, Outcome
from noughts.machine.budget import Estimate, Limits
from noughts.machine.offers import Refusal

__all__ = ["fixed_paths", "offer"]

NAME = "plain"

CELL_LIMIT = 16


class _Ways(NamedTuple):
    """From one state on, by number of further moves: the partial games, and the finished games by outcome."""

    paths: tuple[int, ...]
    ends: tuple[tuple[int, ...], ...]


def _follow(play: AskedPlay[State], within: Mask = -1, *, by_class: bool = False) -> _Ways:
    """Count the games from the start whose moves lie `within` a set; `by_class` those with the same choices once."""
    last, canonical = play.question.last_ply, play.game.canonical

    @cache
    def ways(state: State) -> _Ways:
        outcome = play.outcome(state)
        left = last - play.game.ply(state)
        here = tuple(int(outcome == end) for end in OUTCOMES)
        if outcome is not None or left == 0:
            return _Ways((1,) + (0,) * left, (here,) + ((0, 0, 0),) * left)
        children = play.children(state, within)
        if by_class:
            children = list(set(map(canonical, children)))
        following = [ways(child) for child in children]
        paths = (1, *(sum(child.paths[i] for child in following) for i in range(left)))
        ends = (here, *(_add([child.ends[i] for child in following]) for i in range(left)))
        return _Ways(paths, ends)

    return ways(play.game.start)


def _add(vectors: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*vectors, strict=True))) if vectors else (0, 0, 0)


def _games(play: AskedPlay[State]) -> _Ways:
    """Return the games from the start under the sameness of the question."""
    if play.question.same != "symmetry":
        return _follow(play, by_class=play.question.same == "choices")
    runs = _fixed_games(play)
    paths = tuple(_mean(column) for column in zip(*(run.paths for run in runs), strict=True))
    ends = tuple(
        tuple(_mean(column) for column in zip(*vectors, strict=True))
        for vectors in zip(*(run.ends for run in runs), strict=True)
    )
    return _Ways(paths, ends)


def _fixed_games(play: AskedPlay[State]) -> list[_Ways]:
    """Return for each symmetry that keeps the start the games it fixes: those of which it fixes every move."""
    kept = play.game.stabiliser(play.game.start)
    fixed = [sum(1 << move for move, image in enumerate(g) if move == image) for g in kept]
    return [_follow(play, moves) for moves in fixed]


def fixed_paths(question: Question) -> list[tuple[int, ...]]:
    """Return for each symmetry that keeps the start how many paths of each length it fixes: see Burnside's lemma."""
    return [run.paths for run in _fixed_games(AskedPlay(question, question.game))]


def _mean(counts: tuple[int, ...]) -> int:
    quotient, rest = divmod(sum(counts), len(counts))
    assert rest == 0, "Burnside's lemma gives whole numbers"
    return quotient


def _positions(play: AskedPlay[State]) -> list[dict[Hashable, set[Outcome]]]:
    """Return for each ply the positions that play reaches, each with the outcomes it ends with (none while open)."""
    game, by_class = play.game, play.question.same != "labelled"
    layers: list[dict[Hashable, set[Outcome]]] = []
    states = {game.start}
    while states:
        layer, following = dict[Hashable, set[Outcome]](), set[State]()
        for state in states:
            outcome = play.outcome(state)
            position = game.position(game.canonical(state) if by_class else state)
            layer.setdefault(position, set()).update({outcome} if outcome else set())
            if outcome is None and len(layers) < play.depth:
                following.update(play.children(state))
        layers.append(layer)
        states = following
    return layers


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal:
    """Return an offer on boards of up to 16 cells, and for any other game."""
    question = request.question
    if question.board.cells > CELL_LIMIT and question.other is None:
        cells = question.board.cells
        why = f"the engine plain takes boards of up to {CELL_LIMIT} cells, {question.board} has {cells:,}"
        return Refusal(NAME, why)
    if question.is_played and question.same != "labelled":
        return Refusal(NAME, f"the engine {NAME} takes players who are held to a table with labelled games only")
    estimate = _estimate(question)
    if not limits.allow(estimate):
        return Refusal(NAME, "it takes too much", estimate)
    return CountingOffer(question, NAME, estimate, partial(_rows, question))


def _estimate(question: Question) -> Estimate:
    """Return the cost, from the number of ways to place the marks of each ply."""
    states = question.game.bound(question.last_ply)
    runs = question.group.order if question.same == "symmetry" else 1
    return Estimate(states * 2500, states * 2e-5 * (1 + runs / 2), f"{states:,} boards to walk through in plain Python")


def _rows(question: Question, run: Run) -> tuple[PlyCounts, ...]:
    """Return the rows by following every position; see the module for what they share with nobody."""
    play = AskedPlay(question, question.game)
    games, layers = _games(play), _positions(play)
    rows = []
    for depth, layer in enumerate(layers):
        terminal = [outcomes for outcomes in layer.values() if outcomes]
        by = [sum(outcome in outcomes for outcomes in terminal) for outcome in OUTCOMES]
        split = by if question.end != "full" else None
        ply = question.first_ply + depth
        rows.append(PlyCounts.of(ply, len(layer), len(terminal), split, games.paths[depth], games.ends[depth]))
    return tuple(rows)
