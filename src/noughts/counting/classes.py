"""Engine `classes`: the position classes of any game, ply by ply, over compiled kernels.

The number of paths into a class is known modulo several primes, and the sums of a ply by the Chinese remainder theorem.
Games up to symmetry are counted by Burnside's lemma: those that a symmetry fixes take its fixed cells only.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from math import factorial
from typing import TYPE_CHECKING, Any

from noughts.counting.census import PlyCounts, exactly
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.patterns import recombine
from noughts.counting.question import Question
from noughts.counting.stacked import expected_layers, path_bound
from noughts.machine.budget import Estimate, Limits, OfSize
from noughts.rules.game import Game, class_bound
from noughts.rules.marks import OUTCOMES
from noughts.rules.symmetry import Group
from noughts.solving.fields import CLASS_SYMMETRIES, why_not_listed

if TYPE_CHECKING:
    from noughts.solving.class_layers import ClassLayers

_PRIMES = (2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549, 2147483543, 2147483497)
_BITS = 30
_LOADING = 0.3
_SECONDS_A_MOVE, _LEAST = 2.5e-8, 8
"""For each symmetry, and so many symmetries at least: the paths are summed along each move too."""
_BYTES_A_CLASS = 60


def offer(request: Request, limits: Limits) -> CountingOffer | str:
    """Return an offer for free play, up to the end that the rules of the game give."""
    question = request.question
    board, rules = question.board, question.board.rules
    if not rules.is_known:
        return f"counts the rules of noughts, and {board} has others"
    if not question.is_free or question.end == "decided" or (question.end == "full" and rules.alternating):
        return "counts free play that the rules of the game end"
    why = why_not_listed(board)
    if question.same == "symmetry" and question.group.order > CLASS_SYMMETRIES:
        why = f"up to {CLASS_SYMMETRIES} symmetries of games"
    if why is not None:
        return OfSize(f"counts boards of {why}, and {board} has more")
    bound = question.game.bound(question.last_ply)
    if rules.by_column:
        bound = sum(expected_layers(question.position(), question.last_ply))
    classes = -(-bound // (question.group.order if question.start is None else 1))
    if rules.boards > 1:  # the order of boards is not free where two of them are alike
        classes = max(classes, min(bound, class_bound(question.position())))
    each = (board.shape or (0, board.cells))[1] if rules.by_column else board.cells * (1 + rules.chooses_mark) / 3
    seconds = _LOADING + classes * each * max(_LEAST, board.part.group().order) * rules.boards * _SECONDS_A_MOVE
    estimate = Estimate(
        50_000_000 + classes * _BYTES_A_CLASS,
        seconds,
        f"{'about' if rules.by_column else 'at most'} {classes:,} position classes",
    )
    return CountingOffer("classes", estimate, question, partial(_rows, question))


def _layers(question: Question, run: Run, group: Group, within: int = -1) -> ClassLayers:
    from noughts.solving.class_layers import ClassLayers

    game = Game(question.board, question.start, "full" if question.end == "full" else "line", group)
    return ClassLayers(game, within=within, to_ply=question.last_ply, progress=run.progress)


def _rows(question: Question, run: Run) -> tuple[PlyCounts, ...]:
    group, start = question.group, question.position()
    keeping = group if start.ply == 0 else Group(question.board.cells, group.keeping(start.x, start.o))
    layers = _layers(question, run, keeping if question.same != "choices" else group)
    games = _paths(question, layers)
    if question.same == "symmetry":
        fixed = Counter(sum(1 << cell for cell, image in enumerate(g) if cell == image) for g in keeping.elements)
        totals = [[0] * 4 for _ in games]
        for cells, many in fixed.items():
            found = games
            if cells != question.board.full:
                found = _paths(question, _layers(question, run, Group.trivial(question.board.cells), cells))
            for total, row in zip(totals, found, strict=False):
                total[:] = [so_far + many * number for so_far, number in zip(total, row, strict=True)]
        games = [[exactly(number, keeping.order) for number in row] for row in totals]
    classes = layers if question.same == "labelled" or keeping.order == group.order else _layers(question, run, group)
    counted = []
    for depth, (layer, (paths, *ends)) in enumerate(zip(classes.layers, games, strict=True)):
        sizes = layer.orbits if question.same == "labelled" else layer.orbits * 0 + 1
        by = dict.fromkeys(OUTCOMES, 0)
        for end, outcome in enumerate(classes.outcomes(depth), 1):
            by[outcome] += int(sizes[layer.ends == end].sum())
        split = list(by.values()) if question.end != "full" else None
        ply = question.first_ply + depth
        counted.append(PlyCounts.of(ply, int(sizes.sum()), sum(by.values()), split, paths, ends))
    return tuple(counted)


def _paths(question: Question, layers: ClassLayers) -> list[list[int]]:
    """Return for each ply the number of paths, and of those that end there by outcome; of choices if these count."""
    import numpy as np

    from noughts.solving.class_layers import distinct

    cells, rules = question.board.cells, question.board.rules
    most = path_bound(question) if rules.by_column else factorial(cells) * 2 ** (cells * rules.chooses_mark)
    many = most.bit_length() // _BITS + 1
    assert many <= len(_PRIMES), "boards that fit into a word have fewer games"
    primes = np.array(_PRIMES[:many], np.uint64)[:, None]
    paths: Any = np.ones((primes.size, 1), np.uint64)
    found = []
    for depth, layer in enumerate(layers.layers):
        counts = dict.fromkeys(OUTCOMES, 0)
        for end, outcome in enumerate(layers.outcomes(depth), 1):
            counts[outcome] += _whole(paths[:, layer.ends == end])
        found.append([_whole(paths), *counts.values()])
        if depth + 1 == len(layers.layers):
            break
        states = layers.layers[depth + 1].states
        into = np.zeros((primes.size, states.size), np.uint64)
        for parents, children in layers.edges(depth):
            at = np.searchsorted(states, children)
            if question.same == "choices":
                parents, at = np.divmod(distinct(parents * states.size + at), states.size)
            for residues, row in zip(paths, into, strict=True):
                np.add.at(row, at, residues[parents])
            into %= primes
        paths = into
    return found


def _whole(paths: Any) -> int:
    """Return the sum of the numbers that leave these residues, a column for each number."""
    return recombine([int(total) for total in paths.sum(axis=1)], _PRIMES[: len(paths)])
