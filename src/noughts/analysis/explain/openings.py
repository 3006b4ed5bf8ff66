"""Opening theory: first moves up to symmetry, replies, values and advice; and the punishments of replies that lose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from noughts.analysis.explain.answers import losing_answers, most_losing_answers
from noughts.analysis.explain.explanation import label_of, valued
from noughts.analysis.explain.facts import (
    FromStart,
    ValuedMove,
    along,
    forced_wins,
    move_classes,
    threat_mask,
    unfinished,
)
from noughts.analysis.explain.thumb import RuleOfThumb, rule_of_thumb
from noughts.analysis.explain.wording import (
    NAMED,
    Quality,
    cell_kind,
    in_moves,
    last_line,
    length_rule,
    listed,
    quality,
    spots,
    verdict,
)
from noughts.analysis.solutions import solution_for
from noughts.rules.board import Board, require_own_marks
from noughts.rules.cells import cell_name, move_name, moves_on
from noughts.rules.errors import InputError, InvalidQuestion
from noughts.rules.game import QUICK_CLASSES, class_bound
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of, mask_of, opponent
from noughts.rules.position import Position, PositionLike, read_move
from noughts.rules.values import Result, for_json, percentage
from noughts.solving.bounds import why_not
from noughts.solving.solution import MoveValue, Solution


@dataclass(frozen=True, repr=False)
class OpeningMove(ValuedMove):
    """A first move or a reply, with its symmetric cells and the values of the position after it.

    `quality` says what the move does to the value that its player had; None if unknown. `replies` are the replies to a
    first move.
    """

    quality: Quality | None
    replies: tuple[OpeningMove, ...] = ()
    keys = "cell cells label outcome remoteness losing_answers=answers_record class=canonical loses gives_up_win"

    @property
    def loses(self) -> bool | None:
        """Whether it turns a position that is not lost into a lost one; None if unknown."""
        return None if self.quality is None else self.quality == "loses"

    @property
    def gives_up_win(self) -> bool | None:
        """Whether it turns a won position into a draw; None if unknown."""
        return None if self.quality is None else self.quality == "gives up a win"

    @cached_property
    def holding(self) -> tuple[OpeningMove, ...]:
        """The replies that keep the draw or the win which the move left."""
        return tuple(reply for reply in self.replies if reply.quality == "keeps")


@dataclass(frozen=True, repr=False)
class OpeningTheory(FromStart):
    """The first moves from a position and the replies to each. Values that the `engine` did not find are None."""

    outcome: Outcome | None
    remoteness: int | None
    openings: tuple[OpeningMove, ...]
    engine: str | None = field(default=None, compare=False)
    keys = "board position=start outcome remoteness openings advice rule"

    @cached_property
    def rule(self) -> RuleOfThumb | None:
        """The shortest rule of thumb for the reply; None if any reply is right, or if values were not found."""
        replied = [opening for opening in self.openings if opening.replies]
        unknown = any(reply.quality is None for opening in replied for reply in opening.replies)
        if unknown or not self.board.rules.alternating:
            return None
        fine = ("keeps", "lost before")
        right = [mask_of(cell for r in each.replies if r.quality in fine for cell in r.cells) for each in replied]
        return rule_of_thumb([(each.position, cells) for each, cells in zip(replied, right, strict=True)])

    @property
    def mover(self) -> Player:
        """The player who moves first."""
        return self.start.to_move

    @cached_property
    def replies(self) -> int:
        """The number of replies up to symmetry."""
        return sum(len(opening.replies) for opening in self.openings)

    @cached_property
    def losing_replies(self) -> int:
        """The number of replies that turn a position that is not lost into a lost one."""
        return self.of_quality("loses")

    def of_quality(self, wanted: Quality | None) -> int:
        """Return how many of the replies have a quality; None counts those of unknown quality."""
        return sum(count(opening.replies, wanted) for opening in self.openings)

    def name(self, cell: Cell) -> str:
        """Return the name of a cell, on 3x3 with its kind: `a1 (corner)`."""
        kind = None if self.board.rules.chooses_mark else cell_kind(self.board, cell)
        return move_name(self.board, cell) + (f" ({kind})" if kind else "")

    def verdict(self, move: OpeningMove, opening: OpeningMove | None = None) -> str:
        """Return what a first move, or a reply to an opening, does for its player."""
        mover = self.mover if opening is None else opponent(self.mover)
        before = self.outcome if opening is None else opening.outcome
        return verdict(mover, before, move.outcome, move.remoteness, length_rule(self.board))

    @cached_property
    def summary(self) -> str:
        """The numbers of first moves, of replies, and of replies that lose or give up a win."""
        many, replies = len(self.openings), self.replies
        first = f"{'first ' * (not self.start.ply)}move{'s' * (many != 1)}"
        first += f" of {self.board.rules.name_of(self.mover)}" if self.start.ply else ""
        if not replies:
            return f"{many} {first}{' up to symmetry, each of which ends the game' if many > 1 else ': the last'}"
        return f"{many} {first} up to symmetry; {replied([r for opening in self.openings for r in opening.replies])}"

    @cached_property
    def advice(self) -> tuple[str, ...]:
        """One sentence about the openings and one about the replies to each."""
        first = f"{_first(self)} {most_losing_answers(self.openings)}".strip()
        return (first, *(_about(self, opening) for opening in self.openings))

    def as_dict(self) -> dict[str, object]:
        """Return the theory for JSON; `cells` are all symmetric cells, `class` the canonical position."""
        found = super().as_dict()
        for record, opening in zip(found["openings"], self.openings, strict=True):
            record["replies"] = for_json(opening.replies)
        return found


def openings(board: Board | str, start: PositionLike | None = None) -> OpeningTheory:
    """Return the first moves up to symmetry, from a position or the empty board, and the replies to each.

    Values assume best play under the rules of the board. A reply loses if it turns a position that is not lost into a
    lost one. On boards too large for tables a search gives the values; what it does not find is None. Raises
    InvalidPosition as `explain` does.

    >>> theory = openings("3x3")
    >>> len(theory.openings), theory.replies, theory.losing_replies
    (3, 12, 7)
    """
    at = unfinished(board, start)
    solution = solution_for(at)
    outcome, remoteness, after = valued(solution, at)
    found = []
    for cell, cells in move_classes(at):
        then, value = at.play(cell), after[cell].outcome
        answers: dict[Cell, MoveValue] = {reply.cell: reply for reply in solution.moves(then)}
        replies = [_valued(solution, then, value, answers[each], places) for each, places in move_classes(then)]
        found.append(_valued(solution, at, outcome, after[cell], cells, tuple(replies)))
    return OpeningTheory(at, outcome, remoteness, tuple(found), solution.engine)


def _valued(
    solution: Solution,
    before: Position,
    value: Outcome | None,
    move: MoveValue,
    cells: Mask,
    replies: tuple[OpeningMove, ...] = (),
) -> OpeningMove:
    after = before.play(move.cell)
    word, does = label_of(solution, after, move.outcome), quality(before.to_move, value, move.outcome)
    same = moves_on(before.board, cells_of(cells))
    lost = losing_answers(solution, after, move.outcome if does == "keeps" else None)
    return OpeningMove(same, after, word, move.outcome, move.remoteness, does, replies, losing_answers=lost)


def count(moves: Iterable[OpeningMove], wanted: Quality | None) -> int:
    """Return how many of the moves have a quality."""
    return sum(move.quality == wanted for move in moves)


def errors(replies: Sequence[OpeningMove]) -> str:
    """Return in words how many replies lose, give up a win, or were lost before: `3 lose and 12 give up a win`."""
    loses, gives, unknown = (count(replies, kind) for kind in ("loses", "gives up a win", None))
    kinds = [f"{loses:,} lose{'s' * (loses == 1)}"] * bool(loses)
    kinds += [f"{gives:,} give{'s' * (gives == 1)} up a win"] * bool(gives)
    kinds += [f"the value of {unknown:,} was not found"] * bool(unknown)
    if kinds:
        return listed(kinds)
    if count(replies, "lost before") == len(replies):
        return "lost before" if len(replies) == 1 else "all of them lost before"
    return "none loses"


def replied(replies: Sequence[OpeningMove]) -> str:
    """Return in words how many of some replies are mistakes: `7 of 12 replies lose (58%)`."""
    many, loses, kinds = len(replies), count(replies, "loses"), errors(replies)
    if loses and many > 1 and kinds.endswith((" lose", " loses")):
        verb, share = "loses" if loses == 1 else "lose", percentage(Fraction(loses, many), 0)
        return f"{loses:,} of {many:,} replies {verb} ({share})"
    return f"{many:,} repl{'y' if many == 1 else 'ies'}: {kinds}"


def _first(theory: OpeningTheory) -> str:
    """Return a sentence about the first moves."""
    if theory.outcome is None:
        return "Who wins with best play was not found."
    first, drawn = "first move" if not theory.start.ply else "move", theory.outcome == "draw"
    name, result = theory.board.rules.name_of, "With best play the game is a draw"
    if theory.outcome != "draw":
        soon = "" if theory.remoteness is None else f" {in_moves(theory.remoteness, length_rule(theory.board))}"
        result = f"With best play {name(theory.outcome)} wins{soon}"
    if theory.outcome == opponent(theory.mover):
        return f"{result}, after any move of {name(theory.mover)}."
    keeping = [opening for opening in theory.openings if opening.quality == "keeps"]
    if len(keeping) == len(theory.openings):
        if drawn:
            return f"{result}, after any {first}."
        return f"{result}; any {first} keeps the win." if len(keeping) > 1 else f"{result}."
    keep = "keep it" if drawn else "keep the win"
    good = _good(theory.start, theory.openings, keeping, keep, "moves")
    return f"{result}; {good}{_others(theory.start, theory.openings, 'move').replace('up the win', 'it up')}."


def _about(theory: OpeningTheory, opening: OpeningMove) -> str:
    """Return a sentence about the replies to a first move."""
    after, answerer = theory.name(opening.cell), opponent(theory.mover)
    loser = theory.board.rules.name_of(answerer)
    if not opening.replies:
        return f"After {after}, the game is over."
    if opening.outcome is None:
        return f"The value of {after} was not found."
    if opening.outcome == theory.mover:
        return f"After {after}, {loser} loses with best play{_longest(theory, opening)}."
    good, most = opening.holding, most_losing_answers(opening.replies)
    more = f" {most}" * bool(most)
    goal = "win" if opening.outcome == answerer else "hold"
    if len(good) == len(opening.replies):
        return f"After {after}, {'the only' if len(_cells(good)) == 1 else 'every'} reply {goal}s.{more}"
    answers = f"no reply was found to {goal}"
    if good:
        answers = _good(opening.position, opening.replies, good, goal, "replies")
    return f"After {after}, {answers}{_others(opening.position, opening.replies, 'reply')}.{more}"


def _cells(moves: Iterable[OpeningMove]) -> list[Cell]:
    """Return all the cells that moves up to symmetry stand for."""
    return sorted(cell for move in moves for cell in move.cells)


def _good(at: Position, moves: Sequence[OpeningMove], good: Sequence[OpeningMove], verb: str, what: str) -> str:
    """Return which cells keep the value, every one of them: `only the corners hold`."""
    cells, others = _cells(good), _cells(move for move in moves if move.quality != "keeps")
    if len(cells) > NAMED:
        return f"{len(cells)} of the {len(cells) + len(others)} {what} {verb}, such as {move_name(at.board, cells[0])}"
    only = "only " * all(move.quality is not None for move in moves)
    first, _, rest = verb.partition(" ")
    return f"{only}{spots(at, cells)} {first}{'s' * (len(cells) == 1)} {rest}".rstrip()


def _others(at: Position, moves: Sequence[OpeningMove], what: str) -> str:
    """Return what the cells that do not keep the value do: `; every other reply loses`; empty if there are none."""
    kinds: list[tuple[Quality | None, str, str]] = [("loses", "lose", ""), ("gives up a win", "give", " up the win")]
    there = [(_cells(m for m in moves if m.quality == kind), verb, rest) for kind, verb, rest in kinds]
    there, unknown = [each for each in there if each[0]], _cells(m for m in moves if m.quality is None)
    if len(there) == 1 and not unknown:
        cells, verb, rest = there[0]
        some = any(move.quality == "keeps" for move in moves)
        others = f"every {'other ' * some}{what}" if len(cells) > 1 else f"the other {what}, {spots(at, cells)},"
        return f"; {others} {verb}s{rest}"
    parts = [f"{spots(at, cells)} {verb}{'s' * (len(cells) == 1)}{rest}" for cells, verb, rest in there]
    if unknown:
        parts.append(f"the value of {spots(at, unknown)} was not found")
    return f"; {listed(parts)}" if parts else ""


def _longest(theory: OpeningTheory, opening: OpeningMove) -> str:
    """Return how many moves the win still takes and which replies hold out longest; empty if plies are unknown."""
    plies = [reply.remoteness for reply in opening.replies if reply.remoteness is not None]
    if opening.remoteness is None or len(plies) < len(opening.replies):
        return ""
    last = [reply for reply in opening.replies if reply.remoteness == max(plies)]
    name, length = theory.board.rules.name_of, in_moves(opening.remoteness, length_rule(theory.board))
    end = f"{name(theory.mover)} wins {length.replace(' move', ' more move').replace(' pl', ' more pl')}"
    if theory.board.misere:
        end = f"{name(opponent(theory.mover))} has to complete {last_line(theory.board)} {length}"
    if len(last) == len(opening.replies):
        return f": {end}, after any reply" if len(last) > 1 else f": {end}"
    cells = _cells(last)
    return f"; {spots(opening.position, cells)} {'holds' if len(cells) == 1 else 'hold'} out longest: {end}"


@dataclass(frozen=True, repr=False)
class ForcedWin(Result):
    """A sequence of moves that forces a fork, the attacker's first, and the cells that then complete a line.

    `times` counts the sequences that are the same up to symmetry.
    """

    moves: tuple[Cell, ...]
    threats: tuple[Cell, ...]
    times: int
    position: Position
    keys = "moves threats times"


@dataclass(frozen=True, repr=False)
class Punishment(Result):
    """A reply that loses, for all its symmetric cells, and every forced win after it, up to symmetry.

    `complete` says that these are all. `at_once` are the moves that complete a line; forced wins begin with others.
    `winning` are the moves that win if threats alone cannot force a fork.
    """

    opening: Cell
    reply: OpeningMove
    wins: tuple[ForcedWin, ...]
    complete: bool
    at_once: tuple[Cell, ...]
    winning: tuple[Cell, ...]
    keys = (
        "opening reply=reply.cell cells=reply.cells position=reply.position forced_wins=wins complete at_once "
        "winning_moves=winning"
    )


@dataclass(frozen=True, repr=False)
class Punishments(FromStart):
    """Every losing reply to some openings, with the forced wins after it. `opening` is None for all openings."""

    opening: Cell | None
    replies: int
    """The number of replies up to symmetry, losing or not."""
    lost_before: int
    """The number of replies in positions that were lost already; these are not mistakes."""
    not_found: int
    """The number of replies whose value was not found."""
    found: tuple[Punishment, ...]
    keys = "board position=start opening replies lost_before not_found losing=found"

    @property
    def sequences(self) -> int:
        """The number of forced wins, up to symmetry."""
        return sum(len(each.wins) for each in self.found)


def punishments(
    board: Board | str, start: PositionLike | None = None, *, opening: str | int | None = None
) -> Punishments:
    """Return the replies that lose after each first move, or after one, and all forced wins after each reply.

    A forced win is a sequence of threats that ends in a fork. Cost: the values, and all sequences of threats.

    Parameters
    ----------
    board
        The board, or its name.
    start
        The position before the first moves; the empty board by default.
    opening
        One first move, as a cell or its name; all by default.

    Raises
    ------
    InvalidQuestion
        The board is misere, where forks do not help.
    InputError
        As `openings` does, or the cell of `opening` is taken.

    >>> found = punishments("3x3")
    >>> len(found.found), found.sequences
    (7, 22)
    """
    board = Board.parse(board)
    require_own_marks(board, "a list of forced wins")
    if board.misere:
        raise InvalidQuestion("forced wins are made of threats and forks, which mean the opposite under misere")
    theory = openings(board, start)
    chosen = theory.openings
    if opening is not None:
        cell = read_move(theory.start, opening)
        chosen = tuple(each for each in chosen if cell in each.cells)
        if not chosen:
            if theory.start.blanks >> cell & 1:
                moves = ", ".join(map(str, theory.start.moves()))
                raise InputError(f"{cell_name(board, cell)} cannot be played in {theory.start}: the moves are {moves}")
            raise InputError(f"{cell_name(board, cell)} is taken in {theory.start}: give a blank cell")
    replies = [reply for each in chosen for reply in each.replies]
    return Punishments(
        theory.start,
        None if opening is None else chosen[0].cell,
        len(replies),
        count(replies, "lost before"),
        count(replies, None),
        tuple(_punishment(each.cell, reply) for each in chosen for reply in each.replies if reply.loses),
    )


def _punishment(opening: Cell, reply: OpeningMove) -> Punishment:
    position, attacker = reply.position, reply.position.to_move
    searched = forced_wins(position)
    keeping = position.board.group().keeping(position.x, position.o)
    times: dict[tuple[Cell, ...], int] = {}
    for sequence in searched.sequences:
        least = min(tuple(symmetry[cell] for cell in sequence) for symmetry in keeping)
        times[least] = times.get(least, 0) + 1
    wins, board = [], position.board
    for moves, many in times.items():
        end = along(position, moves)[-1]
        wins.append(ForcedWin(moves_on(board, moves), moves_on(board, cells_of(threat_mask(end, attacker))), many, end))
    values = [] if wins else openings(board, position).openings
    winning = tuple(cell for each in values if each.outcome == attacker for cell in each.cells)
    at_once = moves_on(board, cells_of(threat_mask(position, attacker)))
    return Punishment(opening, reply, tuple(wins), searched.complete, at_once, winning)


def why_drawn(board: Board) -> dict[Player, str]:
    """Return why each player cannot force a win on a drawn empty board, as far as a short reason is known.

    Against O it is strategy stealing; against X a bound or a pairing, or on boards that are quick to solve the rule of
    thumb for O's reply. Empty under misere, and where players do not mark any blank cell with their own mark.

    >>> why_drawn(Board.parse("3x3"))["X"]
    "O's reply to any first move holds the draw: the centre, if it is blank, else a corner"
    """
    start = Position(board)
    if not board.lines or start.is_terminal or why_not(start, "O") is None:
        return {}
    found: dict[Player, str] = {"O": "X could use the same strategy first (strategy stealing)"}
    bound = why_not(start, "X")
    if bound is not None:
        return {"X": bound, **found}
    if class_bound(start) <= QUICK_CLASSES:
        theory = openings(board)
        if theory.outcome != "draw":
            return {}
        if theory.rule is not None and theory.rule.words:
            return {"X": f"O's reply to any first move holds the draw: {theory.rule.words}", **found}
    return found
