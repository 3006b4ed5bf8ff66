"""Engine `quotient`: Notakto on any number of boards at once, by the misere quotient of the positions of one board.

Two sums of boards are equal where, beside every further sum, both are won by the player to move or neither is. Sums of
positions form a commutative monoid under this equality, the misere quotient. A sum is lost for the player to move where
its element is one of few, the P-positions.

The quotient is computed. Positions with the same options are one form. Sums of forms differ where another player wins
them beside a test sum. An automaton then gives the element after each further form. It is proved for sums of any length
by listing every element together with the set of elements that its options have. A sum must be a P-position where none
of its options is. Where this fails, the sum gives new tests. Different elements differ beside some test.

Sources: T. Plambeck and A. Siegel, Misere quotients for impartial games, 2008; T. Plambeck and G. Whitehead, The
Secrets of Notakto, 2013, arXiv:1301.1672.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import groupby

from noughts.machine.budget import Estimate, Limits, Refusal
from noughts.machine.workers import Progress, Workers
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InvalidQuestion
from noughts.rules.marks import Cell, Mask, cells_of, opponent
from noughts.rules.notakto import Notakto
from noughts.rules.position import Position, PositionLike, parse_position
from noughts.solving.problem import Problem, SolvingOffer, too_large
from noughts.solving.solution import Evaluation, MoveValue, Solution

NAME = "quotient"
PART_CELLS = 12
"""Number of cells of the largest single board."""
SUMS_LIMIT = 200_000
"""Number of sums that are valued by all their continuations, some seconds."""
LINE_CELLS = 100
"""Number of cells up to which a line of play is cheap to find."""

Sum = tuple[int, ...]
"""A sum of boards: the numbers of their forms, ascending."""


class MisereQuotient:
    """The misere quotient of the positions of one board of Notakto. Elements are numbers, 0 that of no live board.

    `lost` are the P-positions: the elements of sums that the player to move loses. `names` writes elements as products
    of letters, and all equations between these follow from `relations`. Raises BudgetError where it is not found within
    SUMS_LIMIT sums.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self._options: list[frozenset[int]] = [frozenset()]
        self._numbers = {self._options[0]: 0}
        self._forms: dict[Mask, int] = {}
        self._is_lost: dict[Sum, bool] = {(): False}
        self.form(0)
        self._tests: list[Sum] = [()]
        while (wrong := self._learned()) is not None:
            suffixes = (tuple(sorted(wrong[at:])) for at in range(len(wrong)))
            self._tests += dict.fromkeys(each for each in suffixes if each not in self._tests)
        self.lost = frozenset(number for number, word in enumerate(self._words) if self._loses(word))

    def __repr__(self) -> str:
        return f"<MisereQuotient of {self.board}: {self.size} elements>"

    _words: list[Sum]
    """A sum for each element."""
    _after: list[list[int]]
    """For each element and each form the element of their sum."""

    def form(self, x: Mask) -> int:
        """Return the number of the form of a board with these marks: positions with equal options have one form."""
        if x not in self._forms:
            moves = self.board.rules.moves(self.board, x, 0)
            options = frozenset(self.form(x | 1 << cell) for cell in cells_of(moves))
            number = self._numbers.setdefault(options, len(self._options))
            if number == len(self._options):
                self._options.append(options)
            self._forms[x] = number
        return self._forms[x]

    def element(self, x: Mask) -> int:
        """Return the element of a board with these marks."""
        return self._after[0][self.form(x)]

    def name(self, position: PositionLike) -> str:
        """Return the name of the element of a position of one board."""
        return self.names[self.element(parse_position(self.board, position).x)]

    def product(self, *elements: int) -> int:
        """Return the element of a sum of boards from theirs."""
        found = 0
        for element in elements:
            for form in self._words[element]:
                found = self._after[found][form]
        return found

    @property
    def size(self) -> int:
        """Number of elements."""
        return len(self._words)

    def _loses(self, boards: Sum) -> bool:
        """Tell whether the player to move loses a sum, by all its continuations; who has no move left wins."""
        if boards in self._is_lost:
            return self._is_lost[boards]
        if len(self._is_lost) >= SUMS_LIMIT:
            raise BudgetError(f"the misere quotient of {self.board} needs over {SUMS_LIMIT:,} sums: use fewer cells")
        lost = True
        for form in set(boards):
            at = boards.index(form)
            rest = boards[:at] + boards[at + 1 :]
            if any(self._loses(tuple(sorted((*rest, *[each] * (each > 0))))) for each in self._options[form]):
                lost = False
                break
        self._is_lost[boards] = lost
        return lost

    def _learned(self) -> Sum | None:
        """Tell elements apart by the tests; return a sum that they value wrongly, None where they are proved."""
        words, after, numbers = list[Sum]([()]), list[list[int]](), {self._beside_tests(()): 0}
        for word in words:  # it grows
            row = []
            for form in range(len(self._options)):
                longer = tuple(sorted((*word, *[form] * (form > 0))))
                number = numbers.setdefault(self._beside_tests(longer), len(words))
                if number == len(words):
                    words.append(longer)
                row.append(number)
            after.append(row)
        self._words, self._after = words, after
        return self._wrong_sum()

    def _beside_tests(self, boards: Sum) -> tuple[bool, ...]:
        return tuple(self._loses(tuple(sorted(boards + test))) for test in self._tests)

    def _wrong_sum(self) -> Sum | None:
        """Return a sum whose element says another winner than its options do; None where there is none."""
        lost, after = [self._loses(word) for word in self._words], self._after
        found: dict[tuple[int, frozenset[int]], Sum] = {(0, frozenset()): ()}
        queue = list(found)
        for element, options in queue:  # it grows
            boards = found[element, options]
            if boards and lost[element] == any(lost[option] for option in options):
                return boards
            for form in range(1, len(self._options)):
                beside = {after[option][form] for option in options}
                longer = after[element][form], frozenset(beside | {after[element][o] for o in self._options[form]})
                if longer not in found:
                    found[longer] = (*boards, form)
                    queue.append(longer)
        return None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The elements as shortest products of letters, such as `1` and `bc^2`; `c` is an empty board where it can."""
        return tuple(map(_written, self._spelt))

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """The equations from which all others follow, such as `a^2=1`; on the right is the name of an element."""
        letters = _LETTERS[: len(self._letters)]
        longer = {"".join(sorted(word + letter)) for word in self._spelt for letter in letters}
        parts = {word: {word[:at] + word[at + 1 :] for at in range(len(word))} for word in longer}
        least = sorted(word for word in longer if word not in self._spelt and parts[word] <= set(self._spelt))
        return tuple(f"{_written(word)}={_written(self._spelt[self._element_of(word)])}" for word in least)

    def sentence(self, elements: Sequence[int]) -> str:
        """Return who wins boards with these elements and why, as a clause."""
        names, spelt = self.names, self._spelt
        boards = Counter(sorted(elements, key=lambda element: (len(spelt[element]), spelt[element])))
        given = ", ".join(f"{many} x {names[each]}" if many > 1 else names[each] for each, many in boards.items())
        product = self.product(*elements)
        lost = ", ".join(
            _written(word) for word in sorted((spelt[each] for each in self.lost), key=lambda word: (len(word), word))
        )
        is_one, wins = ("", "loses") if product in self.lost else ("not ", "wins")
        return (
            f"the boards are {given}, and their product {names[product]} is {is_one}one of {lost}, so the player to "
            f"move {wins}. The misere quotient of one board has {self.size} elements, products of "
            f"{', '.join(_LETTERS[: len(self._letters)])} with {', '.join(self.relations)}"
        )

    @cached_property
    def _letters(self) -> list[int]:
        """The elements of single boards that are not products of earlier ones."""
        found: list[int] = []
        for element, word in enumerate(self._words):
            if len(word) == 1 and element not in self._products(found):
                found.append(element)
        empty = self.element(0)
        if empty in found:
            found.remove(empty)
            found.insert(2, empty)
        return found

    @cached_property
    def _spelt(self) -> list[str]:
        """The first of the shortest words of each element."""
        words = self._products(self._letters)
        return [words[element] for element in range(self.size)]

    def _products(self, letters: list[int]) -> dict[int, str]:
        """Return the products of some elements, each with the first of its shortest words."""
        found = {0: ""}
        queue = [0]
        for element in queue:  # it grows
            for letter, name in zip(letters, _LETTERS, strict=False):
                longer = self.product(element, letter)
                if longer not in found:
                    found[longer] = found[element] + name
                    queue.append(longer)
        return found

    def _element_of(self, word: str) -> int:
        return self.product(*(self._letters[_LETTERS.index(letter)] for letter in word))


_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _written(word: str) -> str:
    """Return a word with powers, such as `bc^2` for `bcc`, and `1` for the empty word."""
    powers = ((letter, len(list(equal))) for letter, equal in groupby(word))
    return "".join(f"{letter}^{many}" if many > 1 else letter for letter, many in powers) or "1"


def misere_quotient(board: str | Board = "3x3+notakto") -> MisereQuotient:
    """Return the misere quotient of the positions of one board of Notakto, computed and proved.

    Raises InvalidBoard, InvalidQuestion where the board is not one of Notakto with lines, and BudgetError where the
    quotient is too large. Cost: 0.3 s for 3x3, and seconds for boards of 12 cells.

    >>> quotient = misere_quotient("3x3+notakto")
    >>> quotient.size, quotient.name(".../.../..."), quotient.name(".../.X./...")
    (18, 'c', 'c^2')
    """
    on = Board.parse(board)
    if not isinstance(on.rules, Notakto) or not on.lines:
        raise InvalidQuestion(f"{on} has no misere quotient here: choose Notakto on a board with lines, as 3x3+notakto")
    return _quotient(on.part)


@cache
def _quotient(board: Board) -> MisereQuotient:
    return MisereQuotient(board)


class QuotientSolution(Solution):
    """Who wins Notakto on any number of boards, from the product of their elements; without plies to the end."""

    engine = NAME

    @property
    def quotient(self) -> MisereQuotient:
        """The misere quotient of one board."""
        return misere_quotient(self.board)

    def _elements(self, position: Position) -> list[int]:
        """Return the element of each board."""
        part = self.board.part
        return [self.quotient.element(position.x >> at & part.full) for at in range(0, self.board.cells, part.cells)]

    def _evaluate_open(self, position: Position) -> Evaluation:
        elements = self._elements(position)
        loses = self.quotient.product(*elements) in self.quotient.lost
        winner = opponent(position.to_move) if loses else position.to_move
        return Evaluation(winner, None, f"{NAME}: {self.quotient.sentence(elements)}")

    def moves(self, position: PositionLike | None = None) -> tuple[MoveValue, ...]:
        """Return every move with its value for the mover. Cost: a product of elements for each move."""
        at, found = self._position(position), list[tuple[Cell, Evaluation | None]]()
        if at.outcome is not None:
            return ()
        elements, part = self._elements(at), self.board.part
        for number, first in enumerate(range(0, self.board.cells, part.cells)):
            rest = self.quotient.product(*elements[:number], *elements[number + 1 :])
            for cell in cells_of(at.playable & part.full << first):
                after = self.quotient.element((at.x | 1 << cell) >> first & part.full)
                wins = self.quotient.product(rest, after) in self.quotient.lost
                found.append((cell, Evaluation(at.to_move if wins else opponent(at.to_move), None, NAME)))
        return self._sorted_moves(at.to_move, found)

    def has_cheap_line(self, position: Position) -> bool:
        """Tell whether a line of play from a position is cheap to find."""
        return self.board.cells <= LINE_CELLS


def offer(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    """Offer who wins a game of Notakto on small boards, however many; other engines give the plies to the end."""
    board, why = problem.board, None
    if not isinstance(board.rules, Notakto) or not board.lines:
        why = f"takes Notakto on boards with lines, and not {board}"
    elif board.part.cells > PART_CELLS:
        why = f"takes boards of up to {PART_CELLS} cells each, and {board.part} has {board.part.cells:,}"
    elif problem.counts_only:
        why = "knows single positions only, not the distribution of all values"
    elif problem.remoteness:
        why = "knows who wins, not in how many plies"
    if why is not None:
        return Refusal(NAME, f"the engine {NAME} {why}")
    estimate = Estimate(100_000_000, 0.5, f"up to {SUMS_LIMIT:,} sums of boards")
    if not limits.allow(estimate):
        return too_large(problem, NAME, estimate, limits)

    def solve(workers: Workers, progress: Progress) -> Solution:
        return QuotientSolution(board, problem.start)

    return SolvingOffer(NAME, estimate, solve, missing=() if problem.remoteness is False else ("remoteness",))
