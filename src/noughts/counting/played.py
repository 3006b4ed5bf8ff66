"""Engine `played`: the games of players who are held to the moves of a table, which may tell symmetric boards apart.

A bot seldom plays symmetrically, though its positions are: of two cells that a mirror exchanges it takes one. So what
it allows is no union of classes, and neither Burnside's lemma nor the graph of classes counts it. Here games that are
told apart are followed together: a node holds every labelled way to reach the same point, and a ply is a table from
nodes to the games that lead there.

labelled   a node is one labelled position
choices    a node is all labelled positions of one class that were reached by the same choices
symmetry   a node is all positions at the end of one game and of its images that are played, each with the symmetry
           that makes it of that game; a next move is told by what it is in the game itself, up to the symmetries that
           fix all its cells

Where games end as they are decided, symmetric games may end differently, and then are told apart by how they ended.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import cache, partial

from noughts.counting.census import PlyCounts
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.play import AskedPlay
from noughts.counting.question import Question
from noughts.domain.bits import Mask, cells_of, mask_of
from noughts.domain.game import Marks
from noughts.domain.players import OUTCOMES, Outcome
from noughts.domain.symmetry import Permutation, inverse
from noughts.machine.budget import Estimate, Limits
from noughts.machine.offers import Refusal

__all__ = ["offer"]

NAME = "played"

Item = tuple[Marks, int]
"""A labelled state, and the number of the symmetry that makes it of the game followed; 0 where none is needed."""
Node = frozenset[Item]


class _Walk:
    """What a question tells apart, on the way from node to node."""

    def __init__(self, question: Question) -> None:
        self.play: AskedPlay[Marks] = AskedPlay(question, question.game)
        self.game = self.play.game
        self.same = question.same
        self.kept: list[Permutation] = list(self.game.stabiliser(self.game.start))
        self.back = [inverse(symmetry) for symmetry in self.kept]
        self.leasts = cache(self._leasts)

    @property
    def start(self) -> Node:
        """The start, under all symmetries that keep it where games are told apart by them."""
        many = len(self.kept) if self.same == "symmetry" else 1
        return frozenset((self.game.start, number) for number in range(many))

    def children(self, node: Node) -> Iterable[Node]:
        """Return the nodes one move on, each told apart from the others."""
        found: dict[Hashable, set[Item]] = {}
        for item in node:
            for key, child in self._moves(item):
                found.setdefault((key, self.play.outcome(child[0])), set()).add(child)
        return map(frozenset, found.values())

    def outcome(self, node: Node) -> Outcome | None:
        """Return how the games that lead to a node have ended; None where they go on."""
        return self.play.outcome(next(iter(node))[0])

    def _moves(self, item: Item) -> Iterator[tuple[Hashable, Item]]:
        """Yield what is played from a state, with what tells it apart."""
        state, number = item
        moves = cells_of(self.play.moves(state))
        if self.same == "symmetry":
            back = self.back[number]
            least = self.leasts(mask_of(back[cell] for cell in cells_of(state.x | state.o)))
            for move in moves:
                if least[back[move]] == back[move]:
                    yield back[move], (self.game.play(state, move), number)
        else:
            for move in moves:
                child = self.game.play(state, move)
                yield child if self.same == "labelled" else self.game.canonical(child), (child, 0)

    def _leasts(self, marked: Mask) -> tuple[int, ...]:
        """Return for each cell the least to which symmetries take it that fix every cell marked and keep the start."""
        fixed = tuple(cells_of(marked))
        among = [symmetry for symmetry in self.kept if all(symmetry[cell] == cell for cell in fixed)]
        return tuple(min(images) for images in zip(*among, strict=True))


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal:
    """Return an offer where a player is held to a table."""
    question = request.question
    if not question.is_played:
        return Refusal(NAME, f"the engine {NAME} counts the games of players who are held to a table of moves")
    estimate = _estimate(question)
    if not limits.allow(estimate):
        return Refusal(NAME, "it takes too much", estimate)
    return CountingOffer(question, NAME, estimate, partial(_rows, question))


def _estimate(question: Question) -> Estimate:
    """Return the cost, from the positions of the tables and the moves there."""
    tables = [table for table in (question.x_plays, question.o_plays) if table is not None]
    states = sum(1 + 2 * cells.bit_count() for table in tables for cells in table.cells.values()) + 1
    runs = question.group.order if question.same == "symmetry" else 1
    return Estimate(states * runs * 1500, states * runs * 3e-5, f"{states:,} boards to walk through in plain Python")


def _rows(question: Question, run: Run) -> tuple[PlyCounts, ...]:
    """Return the rows, ply by ply."""
    walk, rows = _Walk(question), []
    games: dict[Node, int] = {walk.start: 1}
    for ply in range(question.first_ply, question.last_ply + 1):
        finished, following = dict.fromkeys(OUTCOMES, 0), dict[Node, int]()
        for node, many in games.items():
            outcome = walk.outcome(node)
            if outcome is not None:
                finished[outcome] += many
                continue
            for child in walk.children(node) if ply < question.last_ply else ():
                following[child] = following.get(child, 0) + many
        ended = tuple(finished[outcome] for outcome in OUTCOMES)
        rows.append(PlyCounts.of(ply, *_positions(walk, question, games), sum(games.values()), ended))
        games = following
        if not games:
            break
    return tuple(rows)


def _positions(walk: _Walk, question: Question, games: Iterable[Node]) -> tuple[int, int, list[int] | None]:
    """Return the positions of a ply, those in which a game ends, and these by outcome.

    They are not split where play goes on to `full`, nor where boards of one class are decided differently.
    """
    found: dict[Hashable, set[Outcome]] = {}
    for state in {state for node in games for state, _ in node}:
        outcome = walk.play.outcome(state)
        shown = state if walk.same == "labelled" else walk.game.canonical(state)
        found.setdefault(walk.game.position(shown), set()).update({outcome} if outcome else set())
    terminal = [outcomes for outcomes in found.values() if outcomes]
    by = [sum(outcome in outcomes for outcomes in terminal) for outcome in OUTCOMES]
    split = question.end != "full" and all(len(outcomes) == 1 for outcomes in terminal)
    return len(found), len(terminal), by if split else None
