"""Games between people and opponents: who plays, how an opponent chooses a move, and how the game stands.

Seed, board and position determine a choice, so a link can repeat it.

If all positions are valued, opponents that use values play by their policies. If a search values one position at a
time, or nothing does, they use what is known (`Knowledge`):

1. Good moves are those known to keep what can be forced. If there are none, those not known to be worse.
2. Of the good moves the opponent plays those that complete a line, else block one, else make a fork. It chooses evenly.
   Under misere it skips this step, under gravity it makes no forks.
3. An opponent that errs plays, with its chance, a move known to be worse than the good ones.
4. A trap-setter plays as Perfect does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from noughts.analysis.explain.explanation import explain
from noughts.analysis.explain.facts import along
from noughts.analysis.explain.wording import ending_sentence, named_cells
from noughts.analysis.policies.policy import GRADES, Policy, choose
from noughts.analysis.policies.reading import erring, policy
from noughts.analysis.policies.table import FilePolicy
from noughts.analysis.solutions import searched_from
from noughts.machine.budget import Limits
from noughts.machine.workers import silent, workers_for
from noughts.rules.arguments import offered, seed_of, text_of
from noughts.rules.board import Board
from noughts.rules.cells import Move, moves_on
from noughts.rules.errors import BudgetError, InputError, InvalidQuestion, shown
from noughts.rules.game import QUICK_CLASSES, allowed_cells, class_bound
from noughts.rules.marks import Cell, Mask, Player, mask_of, opponent
from noughts.rules.play import MoveRule
from noughts.rules.position import Moves, Position, parse_game
from noughts.rules.values import FrozenDict, begun, record
from noughts.solving.engines import offers
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.retrograde import NAME, SmallSolution
from noughts.solving.solution import Solution, value_for
from noughts.solving.values import Value

HUMAN = "human"
OPPONENT = "medium"
"""Who plays against a person unless another opponent is chosen: one who can be beaten."""
WHOLE_CELLS = 20
"""The most cells of a board for which the cost of all its values is estimated; the estimate itself takes time."""
_SECONDS = 1.5
"""If it takes at most this, all positions of a board are valued; else each position by itself."""
_REPLY = SearchBudget(position=200_000, moves=200_000, whole=400_000, far=200_000)
"""The budget of a search for the reply of an opponent."""
BOTH: tuple[Player, ...] = ("X", "O")

_SEEN_MOVES = 100
"""The most moves of a board on which an opponent without values looks at every reply."""

Valued = Callable[[Position], Solution]
"""Returns the values of a position, from a new search. Raises BudgetError if no engine can value it."""


@dataclass(frozen=True)
class Opponent:
    """A policy to play against: its name as a policy, its title, a description, and the sides it can play."""

    name: str
    title: str
    about: str
    sides: tuple[Player, ...] = BOTH


Seats = dict[Opponent, Policy]
"""Opponents other than people and OPPONENTS, with their policies."""

_ERRS = (
    "Makes a mistake with the chance {} if a mistake is possible: a move after which it can force less than before. "
    "Else it plays a good move. It chooses evenly among mistakes, and among good moves"
)
OPPONENTS = (
    *(Opponent(name, name.capitalize(), _ERRS.format(chance)) for name, chance in GRADES.items()),
    Opponent("perfect", "Perfect", "Never makes a mistake: plays only moves that keep what it can force"),
    Opponent(
        "trap:block",
        "Trap-setter",
        "Perfect. Of its good moves it plays one after which the policy block is most likely to make a mistake",
    ),
    Opponent(
        "trap:random",
        "Trap-setter for beginners",
        "Perfect. Of its good moves it plays one after which a random reply is most likely to be a mistake",
    ),
    Opponent("fork", "Fork", "Completes a line, else blocks one, else makes a fork, else plays at random"),
    Opponent("block", "Block", "Completes a line, else blocks one, else plays at random"),
    Opponent(
        "concede",
        "Concede",
        "Completes a line, else blocks the only threat, else plays at random. Concedes to threats at two cells",
    ),
    Opponent("win", "Win", "Completes a line when it can, else plays at random"),
    Opponent("random", "Random", "Plays any move, each equally likely"),
)
"""All opponents, those for people first."""
SIDES = (HUMAN, *(opponent.name for opponent in OPPONENTS))
"""The names of all players: people and opponents."""


def opponents(board: Board) -> tuple[Opponent, ...]:
    """Return the opponents for a board: under misere without those that complete and block lines."""
    defined = ("random", *GRADES, *board.rules.all_move_rules)
    return tuple(each for each in OPPONENTS if each.name.removeprefix("trap:") in defined)


def manners(board: Board, *, whole: bool) -> dict[str, str]:
    """Return a description of each opponent on a board, by name; `whole` says whether all its positions are valued."""
    return {
        each.name: each.about if whole or not policy(board, each.name).needs_values else _by_knowledge(board, each.name)
        for each in opponents(board)
    }


def _of_lines(board: Board) -> list[MoveRule]:
    """Return the move rules for lines that an opponent keeps to among good moves, each stricter than the one before."""
    rules: tuple[MoveRule, ...] = ("block", "fork")
    return [rule for rule in rules if rule in board.rules.move_rules]


def _by_knowledge(board: Board, name: str) -> str:
    """Return in a sentence how an opponent that uses values plays if not all positions are valued."""
    made = {"block": ", and of those one that completes a line, else blocks one", "fork": ", else makes a fork"}
    lines = "".join(made[rule] for rule in _of_lines(board))
    well = f"a move known to keep what it can force, else one not known to be worse{lines}"
    if name in GRADES:
        worse = f"with the chance {GRADES[name]} a move known to be worse, if there is one"
        return f"Here it plays {worse}; else {well}"
    return f"Here it {'sets no traps: it ' if name.startswith('trap') else ''}plays {well}"


@dataclass(frozen=True)
class Knowledge:
    """The known values of an unfinished position and its moves, if not all positions of the board are valued.

    Values are for the side to move; an unknown value is None. `opened` is the number of positions that a search opened,
    None without a search.
    """

    position: Position
    value: Value | None
    moves: FrozenDict[Cell, Value | None]
    opened: int | None

    @property
    def keeping(self) -> Mask:
        """The moves known to keep what the side to move can force; empty if unknown."""
        return mask_of(cell for cell, value in self.moves.items() if value is not None and value == self.value)

    @property
    def good(self) -> Mask:
        """The moves to choose from: those known to keep what can be forced, else those not known to be worse.

        Never empty. Moves known to lose are here only if every move is.
        """
        hopeful = (None,) if self.value is not None else (None, "draw")
        return self.keeping or mask_of(cell for cell, value in self.moves.items() if value in hopeful)

    @property
    def worse(self) -> Mask:
        """The moves known to be worse than the good ones, or known to lose if the good ones are not."""
        good = self.good
        return mask_of(cell for cell, value in self.moves.items() if value is not None and not good >> cell & 1)

    @property
    def sentence(self) -> str:
        """What is known, in a sentence."""
        board, side = self.position.board, self.position.to_move
        mover, other = board.rules.name_of(side), board.rules.name_of(opponent(side))
        if self.value is None:
            searched = f"Who wins was not found within {self.opened or 0:,} positions"
            if self.opened is None:
                searched = f"{board} is too large for a search, and what can be forced was not found"
                if not board.rules.alternating:
                    searched = "What can be forced takes too long to find"
            lost = sum(value == "loss" for value in self.moves.values())
            losing = f"; {lost:,} of its {len(self.moves):,} moves {'is' if lost == 1 else 'are'} known to lose"
            return f"{searched} where {mover} was to move{losing if lost else ''}."
        forced = {
            "win": f"{mover} could force a win",
            "draw": "neither could force a win",
            "loss": f"{other} could force a win against all moves",
        }[self.value]
        unclear = "" if self.keeping else "; which move keeps that was not found"
        return f"A search found that {forced} where {mover} was to move{unclear}."


def known_of(position: Position, solution: Solution | None) -> Knowledge:
    """Return what a solution knows of an unfinished position; None knows only moves that end the game."""
    value: Value | None = None
    if solution is None:
        found = {move: _seen_value(position, move) for move in position.moves()}
    else:
        with suppress(BudgetError):
            value = solution.value(position)
        found = {move.cell: move.value for move in solution.moves(position)}
    values = set(found.values())
    if "win" in values:
        value = "win"
    elif None not in values:
        value = "draw" if "draw" in values else "loss"
    return Knowledge(position, value, FrozenDict(sorted(found.items())), None if solution is None else solution.nodes)


def _seen_value(position: Position, move: Move) -> Value | None:
    """Return the value of a move that ends the game, or after which the opponent can win at once; else None.

    A player who looks for lines finds those of the opponent, so where move rules have them only ends are looked at.
    """
    after, mover = position.play(move), position.to_move
    if after.outcome is not None:
        return value_for(mover, after.outcome)
    if _of_lines(position.board) or position.board.move_count > _SEEN_MOVES:
        return None
    return "loss" if any(after.play(reply).outcome == opponent(mover) for reply in after.moves()) else None


def think(
    player: Policy, position: Position, solution: Solution | None
) -> tuple[dict[Cell, Fraction], Knowledge | None]:
    """Return the chance of each move of a player in an unfinished position, and the knowledge that it used.

    The chances sum to 1; without any it concedes. The knowledge is None unless the player uses values and not all
    positions are valued. A `solution` of None means that nothing is valued. A search must be new, so that each call
    gives the same answer.
    """
    if isinstance(player, FilePolicy):
        listed = player.listed(position)
        if listed is not None:
            return dict(listed), None
        if player.otherwise is not None:
            return think(player.otherwise, position, solution)
    if not player.needs_values or (solution is not None and not solution.is_search):
        return player.probabilities(position, solution), None
    known = known_of(position, solution)
    good = known.good
    for rule in _of_lines(position.board)[-1:]:
        good = good & allowed_cells(position.board, position.x, position.o, rule) or good
    return erring(good, known.worse, GRADES.get(player.name, Fraction(0))), known


@dataclass(frozen=True)
class Playing:
    """A game in progress or finished: `moves` so far, of which an opponent just made the last `replied`.

    If both sides are opponents, `awaited` is the next move; else, or if the game is over, it is None. `known` is what
    the opponent knew before the reply or the awaited move, None if all positions are valued.
    """

    board: Board
    x: str
    o: str
    seed: str
    moves: tuple[Move, ...]
    replied: int = 0
    awaited: Move | None = None
    known: Knowledge | None = None
    others: tuple[Opponent, ...] = ()
    """The players other than people and OPPONENTS."""
    conceded: Player | None = None
    """The opponent that concedes instead of its next move, so that the other player has won."""

    @property
    def position(self) -> Position:
        """The current position."""
        return self.after(len(self.moves))

    @property
    def is_over(self) -> bool:
        """Whether the game is over, by the rules of play or because an opponent concedes."""
        return self.conceded is not None or self.position.is_terminal

    @property
    def winner(self) -> Player | None:
        """The winner of a finished game; None for a draw, and before the end."""
        return self.position.winner if self.conceded is None else opponent(self.conceded)

    def after(self, moves: int) -> Position:
        """Return the position after that many moves."""
        return along(Position(self.board), self.moves[:moves])[-1]

    @property
    def reply(self) -> Move | None:
        """The move that an opponent has just made."""
        return self.moves[-1] if self.replied else None

    def seat(self, player: Player) -> str:
        """Return the player of X or O: `human`, or the name of an opponent."""
        return self.x if player == "X" else self.o

    def opponent(self, player: Player) -> Opponent | None:
        """Return the opponent that plays X or O, None for a person."""
        return next((each for each in (*OPPONENTS, *self.others) if each.name == self.seat(player)), None)

    @property
    def people(self) -> tuple[Player, ...]:
        """The players that are people."""
        return tuple(player for player in BOTH if self.seat(player) == HUMAN)

    @property
    def undone(self) -> tuple[Move, ...] | None:
        """The moves before the last move of a person, or before the last move if both are opponents.

        None if there is nothing to undo.
        """
        mine = [n for n in range(len(self.moves)) if not self.people or self.seat(BOTH[n % 2]) == HUMAN]
        return self.moves[: mine[-1]] if mine else None

    @property
    def sentence(self) -> str:
        """The state of the game in a sentence, addressed to the person if only one side is a person."""
        at, rules = self.position, self.board.rules
        mover = rules.name_of(at.to_move)
        if self.is_over:
            how = ending_sentence(at)
            if self.conceded is not None:
                rival = opponent(at.to_move)
                threats = named_cells(self.board, at.threats(rival))
                how = f"{at.to_move} concedes: {rival} can complete a line at {threats}."
            if len(self.people) != 1 or self.winner is None:
                return how
            return f"{'You win!' if self.winner in self.people else 'You lose.'} {how}"
        if not self.people:
            assert self.awaited is not None
            return begun(f"{mover} plays {self.awaited} next.")
        if len(self.people) == 2:
            return begun(f"{mover} is to move." if self.moves else f"{mover} begins.")
        you = f"you {'play' if rules.alternating else 'are'} {mover}"
        if self.reply is None:
            return f"{'Your move' if self.moves else 'You begin'}: {you}."
        return begun(f"{rules.name_of(opponent(at.to_move))} plays {self.reply}. Your move: {you}.")

    def as_dict(self) -> dict[str, object]:
        """Return the state of the game for JSON; cells by name, `to_move` is null in a finished game."""
        at = self.position
        return record(self, "board", "x", "o", "seed", "moves", "reply", "awaited") | {
            "known": None if self.known is None else self.known.sentence,
            "position": str(at),
            "to_move": None if self.is_over else at.to_move,
            "over": self.is_over,
            "outcome": at.outcome if self.conceded is None else self.winner,
            "conceded": self.conceded,
            "legal": [] if self.is_over else list(map(str, at.moves())),
        }


def play(
    board: Board | str = "3x3", moves: Moves = "", *, x: str = HUMAN, o: str = OPPONENT, seed: int | str = 0
) -> Playing:
    """Return the game after some moves, and after the reply of an opponent if it is the opponent's turn.

    Parameters
    ----------
    board
        The board, or its name.
    moves
        The moves in their order, such as `a1 b2`, or as results have them.
    x, o
        The players: `human`, an opponent such as `perfect`, `medium` or `random`, or any policy: a file of moves,
        `genome:...`, `program:COMMAND`.
    seed
        A number or a text; the same seed gives the same replies.

    Returns
    -------
    Playing
        If both players are opponents, the next move is `awaited`. An opponent that concedes is `conceded`.

    Raises
    ------
    InputError
        A move cannot be played, or an opponent is unknown.

    >>> play("3x3", "a1", o="perfect").sentence
    'O plays b2. Your move: you play X.'
    """
    board = Board.parse(board)
    cells = parse_game(board, moves)
    return play_on(board, x, o, cells, seed_of(seed), reply_values_at, seated(board, x, o))


def play_on(
    board: Board,
    x: str,
    o: str,
    moves: tuple[Cell, ...],
    seed: str,
    valued: Valued,
    others: Mapping[Opponent, Policy] = FrozenDict(),
) -> Playing:
    """Return the game after `moves`, and after the reply of an opponent of a person.

    `others` are more opponents, with their policies. `valued` gives values to opponents that use them; if it raises
    BudgetError, they use only the marks. Raises InputError for unknown opponents, and under misere for opponents that
    complete and block lines.
    """
    by_name = {opponent.name: policy for opponent, policy in others.items()}
    for side in (x, o):
        if side not in SIDES and side not in by_name:
            raise InvalidQuestion(f"{shown(side)} cannot play: choose from {offered(side, (*SIDES, *by_name))}")
        if side in SIDES and side != HUMAN:
            by_name[side] = policy(board, side)
    moves = moves_on(board, moves)
    game = Playing(board, x, o, seed, moves, others=tuple(others))
    at = game.position
    side = game.seat(at.to_move)
    if at.is_terminal or side == HUMAN:
        return game
    player, solution = by_name[side], None
    if player.needs_values:
        with suppress(BudgetError):
            solution = valued(at)
    shares, known = think(player, at, solution)
    if not shares:
        return replace(game, conceded=at.to_move)
    cell = Move(board, choose(shares, at, seed))
    if not game.people:
        return replace(game, awaited=cell, known=known)
    return replace(game, moves=(*moves, cell), replied=1, known=known)


def seated(board: Board, x: str, o: str) -> Seats:
    """Return the players who are neither people nor in OPPONENTS, with their policies. Raises InputError."""
    found: Seats = {}
    for player, given in zip(BOTH, (x, o), strict=True):
        name = text_of(f"who plays {player}", given)
        if name == HUMAN:
            continue
        bot = policy(board, name)
        if name in SIDES:
            continue
        at = bot.missing_entry(board, player) if isinstance(bot, FilePolicy) else None
        if at is not None:
            raise InputError(
                f"{shown(name, 80)} cannot play {player}, as it has no moves for {at}: let it play the other side"
            )
        found[Opponent(name, name, f"Plays by the policy {bot.name}")] = bot
    return found


@lru_cache(maxsize=4)
def whole_values(board: Board) -> Solution | None:
    """Return the values of all positions of a board, None if they take long; cached for a few boards."""
    if board.cells > WHOLE_CELLS and board.rules.alternating:
        return None
    if board.rules.alternating and class_bound(Position(board)) <= QUICK_CLASSES:
        return SmallSolution(board)
    problem = Problem(board, Position(board), remoteness=True, remoteness_preferred=True)
    offer, _ = offers(problem, Limits.of("200MB", _SECONDS), engine=NAME)
    return None if offer is None else offer.solve(workers_for(), silent)


def reply_values_at(position: Position) -> Solution:
    """Return the values for the reply of an opponent: of the whole board, else of a new search.

    Raises BudgetError if the board is too large for a search.
    """
    return whole_values(position.board) or searched_from(position, _REPLY)


def hint_at(position: Position) -> tuple[str, tuple[Cell, ...]]:
    """Return what to play and why, and the best cell, or that a short search did not find it."""
    try:
        found = explain(position.board, position, solution=reply_values_at(position))
    except BudgetError:
        return "A short search did not find the best move here.", ()
    best = tuple(move.cell for move in found.best_moves)
    place = -1 if position.board.misere else 0
    if not position.board.rules.alternating:  # the first of several sentences says who wins
        place = min(1, len(found.sentences) - 1)
    sentence = found.sentences[place]
    if not best or sentence.startswith(("Play ", "To win, play ") if place == 1 else "Play "):
        return sentence, best[:1]
    return f"Play {best[0]}. {sentence}", best[:1]
