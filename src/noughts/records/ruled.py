"""The catalogue of what players bound by rules can reach: the class graph less the moves that they never make."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from noughts.counting.question import Question
from noughts.counting.words import play_words
from noughts.domain.errors import InvalidPosition, InvalidQuestion
from noughts.domain.position import Position
from noughts.records.record import RandomPlay, Record
from noughts.records.small import GraphCatalogue
from noughts.records.sums import Sums

__all__ = ["RuledCatalogue"]


class RuledCatalogue(GraphCatalogue):
    """A record of every class that is reached where each player keeps to a move rule, and of none else.

    All but the marks is within the rules: predecessors and moves, ways and finishes, and random play among the moves
    allowed. With the end rule `decided` a game is over as soon as all that the rules allow has one outcome, and who
    has that outcome has won. Raises InvalidQuestion for the end rule `full`, BudgetError as `GraphCatalogue` does.
    """

    def __init__(self, question: Question) -> None:
        if question.end == "full":
            raise InvalidQuestion(
                "games played on to the full board pass through positions with lines of both, which are no records: "
                "choose the end rule line or decided"
            )
        super().__init__(question.board)
        graph = self.graph.within(question.x_moves, question.o_moves, decided=question.end == "decided")
        vars(self).update(question=question, graph=graph, sums=Sums(graph))

    def __repr__(self) -> str:
        q = self.question
        return f"catalogue({str(self.board)!r}, x_moves={q.x_moves!r}, o_moves={q.o_moves!r}, end={q.end!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.question,)

    def _find(self, position: Position) -> Record:
        try:
            return super()._find(position)
        except KeyError:
            raise InvalidPosition(
                f"{position} is not reached on {self.board} where {play_words(self.question)}: "
                "name a position of such play, or leave the rules out"
            ) from None

    def _random_play(self, number: int, position: Position) -> RandomPlay:
        return self._chances[number]

    @cached_property
    def _chances(self) -> list[RandomPlay]:
        """The outcomes of play at random among the moves allowed, for every node: one pass."""
        nodes = self.graph.nodes
        found = [RandomPlay(Fraction(0), Fraction(0), Fraction(0))] * len(nodes)
        for number in range(len(nodes) - 1, -1, -1):
            node = nodes[number]
            if node.outcome is not None:
                x, draw, o = (Fraction(node.outcome == outcome) for outcome in ("X", "draw", "O"))
            else:
                moves = sum(cells.bit_count() for _, cells in node.children)
                parts = [(found[child], Fraction(cells.bit_count(), moves)) for child, cells in node.children]
                x = sum((at.x_wins * share for at, share in parts), Fraction(0))
                draw = sum((at.draw * share for at, share in parts), Fraction(0))
                o = sum((at.o_wins * share for at, share in parts), Fraction(0))
            found[number] = RandomPlay(x, draw, o)
        return found
