"""Games between people and opponents: who plays, how an opponent chooses a move, and how the game stands.

A choice is the same whenever the seed, the board and the position are: it can stand in a link.

Opponents that look at values play as their policies do where all positions are valued. Where a search values one
position at a time, or nothing does, they go by what is known (`Knowledge`):

1. the good moves are those known to keep what can be forced; where none is, those that are not known to be worse;
2. of the good moves it plays those that complete a line, else those that block one, else those that make a fork, where
   there are such (not under misere), each as likely as the others;
3. an opponent that errs plays, with its chance, one of the moves known to be worse than the good ones;
4. one that sets traps plays as Perfect.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from pathlib import Path

from noughts.analysis.explain.explanation import explain
from noughts.analysis.explain.facts import along, ending_sentence
from noughts.analysis.policies.policy import GENOME, GRADES, POLICIES, Policy
from noughts.analysis.policies.reading import erring, policy
from noughts.analysis.policies.table import FilePolicy, read_json
from noughts.analysis.solutions import searched_from
from noughts.machine.budget import Limits
from noughts.machine.workers import silent, workers_for
from noughts.rules.arguments import offered, path_of, text_of, wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError, InvalidQuestion, shown
from noughts.rules.game import QUICK_CLASSES, allowed_cells, class_bound
from noughts.rules.marks import Cell, Mask, Player, mask_of, opponent
from noughts.rules.position import Position, completing_cells, parse_game
from noughts.rules.values import FrozenDict, drawn
from noughts.solving.engines import offers
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.retrograde import NAME, SmallSolution
from noughts.solving.search import SearchSolution
from noughts.solving.solution import Solution
from noughts.solving.values import Value

HUMAN = "human"
WHOLE_CELLS = 20
"""Cells up to which it is estimated whether a whole board can be valued; the estimate alone takes time."""
_SECONDS = 1.5
"""A whole board is valued, for all its positions, where that takes no longer; else each position by itself."""
_REPLY = SearchBudget(position=200_000, moves=200_000, whole=400_000, far=200_000)
"""What a search may spend for the reply of an opponent."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_BOTH: tuple[Player, ...] = ("X", "O")

Valued = Callable[[Position], Solution]
"""Gives the values of a position when they are needed, a search begun anew. Raises BudgetError where nothing can."""


@dataclass(frozen=True)
class Opponent:
    """A policy that one can play against: its name as a policy, its title, what it does, and the sides it can play."""

    name: str
    title: str
    about: str
    sides: tuple[Player, ...] = _BOTH


Seats = dict[Opponent, Policy]
"""Who plays beside people and the usual opponents, each with how it plays."""

_ERRS = (
    "Makes a mistake with the chance {} where one can be made: a move after which it can force less than before. Else "
    "it plays a good move; one mistake, or good move, is as likely as another"
)
OPPONENTS = (
    *(Opponent(name, name.capitalize(), _ERRS.format(chance)) for name, chance in GRADES.items()),
    Opponent("perfect", "Perfect", "Never makes a mistake: plays only moves that keep what it can force"),
    Opponent(
        "trap:block",
        "Trap-setter",
        "Perfect, and of its good moves it plays one after which somebody who completes and blocks lines, and "
        "otherwise plays at random, most probably goes wrong",
    ),
    Opponent(
        "trap:random",
        "Trap-setter for beginners",
        "Perfect, and of its good moves it plays one after which a reply at random most probably goes wrong",
    ),
    Opponent("fork", "Fork", "Completes a line, else blocks one, else makes a fork, else plays at random"),
    Opponent("block", "Block", "Completes a line, else blocks one, else plays at random"),
    Opponent("win", "Win", "Completes a line when it can, else plays at random"),
    Opponent("random", "Random", "Plays any blank cell, each as likely as the others"),
)
"""All opponents, those for people first."""
SIDES = (HUMAN, *(opponent.name for opponent in OPPONENTS))
"""Who can sit at the board."""


def opponents(board: Board) -> tuple[Opponent, ...]:
    """Return the opponents that have a meaning on a board: under misere not those that complete and block lines."""
    defined = ("random", *GRADES, *board.rules.move_rules)
    return tuple(each for each in OPPONENTS if each.name.removeprefix("trap:") in defined)


def manners(board: Board, *, whole: bool) -> dict[str, str]:
    """Return how each opponent plays on a board, by name; `whole` says whether all its positions are valued."""
    return {
        each.name: each.about if whole or not policy(board, each.name).needs_values else _by_knowledge(board, each.name)
        for each in opponents(board)
    }


def _by_knowledge(board: Board, name: str) -> str:
    """Return how an opponent that looks at values plays where not all positions are valued, in a sentence."""
    has_lines = "fork" in board.rules.move_rules
    lines = ", and of those one that completes a line, else blocks one, else makes a fork" * has_lines
    well = f"a move known to keep what can be forced, else one that is not known to be worse{lines}"
    if name in GRADES:
        worse = f"with the chance {GRADES[name]} a move known to be worse than others, where there is one"
        return f"Here it plays {worse}; else {well}"
    return f"Here it {'sets no traps: it ' if name.startswith('trap') else ''}plays {well}"


@dataclass(frozen=True)
class Knowledge:
    """What is known of an unfinished position where not all is valued: the moves known to win, to draw, to lose.

    Values are for the side to move, None where they were not found. `opened` is how many positions a search opened for
    it; None where nothing was searched.
    """

    position: Position
    value: Value | None
    moves: FrozenDict[Cell, Value | None]
    opened: int | None

    @property
    def kept(self) -> Mask:
        """The moves known to keep what can be forced; none where that is not known, or no such move was found."""
        return mask_of(cell for cell, value in self.moves.items() if value is not None and value == self.value)

    @property
    def good(self) -> Mask:
        """The moves to choose among: those known to keep what can be forced, else those not known to be worse.

        Never empty; where some move is not known to lose, none that is.
        """
        hopeful = (None,) if self.value is not None else (None, "draw")
        return self.kept or mask_of(cell for cell, value in self.moves.items() if value in hopeful)

    @property
    def worse(self) -> Mask:
        """The moves known to be worse than the good ones, or known to lose where the good ones are not."""
        good = self.good
        return mask_of(cell for cell, value in self.moves.items() if value is not None and not good >> cell & 1)

    @property
    def sentence(self) -> str:
        """What is known, in words."""
        board, mover = self.position.board, self.position.to_move
        if self.value is None:
            searched = f"Who wins was not found within {self.opened or 0:,} positions"
            if self.opened is None:
                searched = f"{board} is too large for a search, and what can be forced was not found"
            lost = sum(value == "loss" for value in self.moves.values())
            losing = f"; {lost:,} of its {len(self.moves):,} moves {'is' if lost == 1 else 'are'} known to lose"
            return f"{searched} where {mover} was to move{losing if lost else ''}."
        forced = {
            "win": f"{mover} could force a win",
            "draw": "neither could force a win",
            "loss": f"{opponent(mover)} could force a win against all moves",
        }[self.value]
        unclear = "" if self.kept else "; which move keeps that was not found"
        return f"A search found that {forced} where {mover} was to move{unclear}."


def known_of(position: Position, solution: Solution | None) -> Knowledge:
    """Return what a solution knows of an unfinished position; `solution` None knows what ends the game only."""
    found: dict[Cell, Value | None]
    value: Value | None = None
    if solution is None:
        board, blanks = position.board, position.blanks
        lines = completing_cells(board, position.marks(position.to_move), blanks)
        full: Value | None = None if blanks & (blanks - 1) else "draw"
        completed: Value = "win" if board.rules.line_wins else "loss"
        found = {cell: completed if lines >> cell & 1 else full for cell in position.moves()}
    else:
        try:
            value = solution.value(position)
        except BudgetError:
            value = None
        found = {move.cell: move.value for move in solution.moves(position)}
    values = set(found.values())
    if "win" in values:
        value = "win"
    elif None not in values:
        value = "draw" if "draw" in values else "loss"
    return Knowledge(position, value, FrozenDict(sorted(found.items())), None if solution is None else solution.nodes)


def think(
    player: Policy, position: Position, solution: Solution | None
) -> tuple[dict[Cell, Fraction], Knowledge | None]:
    """Return the chance of each move that a player may make in an unfinished position, and what it went by.

    The chances sum to 1; it goes by its knowledge where it looks at values and not all positions are valued. `solution`
    None says that nothing is valued; one by search has to be fresh, for the same answer each time.
    """
    if isinstance(player, FilePolicy):
        listed = player.listed(position)
        if listed is not None:
            return dict(listed), None
        if player.otherwise is not None:
            return think(player.otherwise, position, solution)
    if not player.needs_values or (solution is not None and not isinstance(solution, SearchSolution)):
        return player.probabilities(position, solution), None
    known = known_of(position, solution)
    good = known.good
    if "fork" in position.board.rules.move_rules:
        good = good & allowed_cells(position.board, position.x, position.o, "fork") or good
    return erring(good, known.worse, GRADES.get(player.name, Fraction(0))), known


def choose(shares: Mapping[Cell, Fraction], position: Position, seed: str) -> Cell:
    """Return one of the moves with given chances, chosen by `seed`: the same for the same seed, board and position."""
    whole = lcm(*(share.denominator for share in shares.values()))
    at = drawn(whole, f"{seed} {position.board.spec} {position}")
    for cell, share in shares.items():
        at -= share.numerator * (whole // share.denominator)
        if at < 0:
            return cell
    raise AssertionError("the chances of a policy sum to 1")


@dataclass(frozen=True)
class Playing:
    """A game as it stands: `moves` so far, of which the last `replied` were made by an opponent just now.

    `awaited` is the move that an opponent who is to move makes next, where the other side is an opponent, too; None
    where a person is to move, or the game is over. `known` says what was known to the opponent of the position before
    the reply, or before the move awaited, where not all positions are valued, None elsewhere.
    """

    board: Board
    x: str
    o: str
    seed: str
    moves: tuple[Cell, ...]
    replied: int = 0
    awaited: Cell | None = None
    known: Knowledge | None = None
    others: tuple[Opponent, ...] = ()
    """Who sits here beside people and OPPONENTS."""

    @property
    def position(self) -> Position:
        """The position reached."""
        return self.after(len(self.moves))

    def after(self, moves: int) -> Position:
        """Return the position after that many moves."""
        return along(Position(self.board), self.moves[:moves])[-1]

    @property
    def reply(self) -> Cell | None:
        """The move that an opponent has just made."""
        return self.moves[-1] if self.replied else None

    def seat(self, player: Player) -> str:
        """Return who plays X or O: `human`, or the name of an opponent."""
        return self.x if player == "X" else self.o

    def opponent(self, player: Player) -> Opponent | None:
        """Return the opponent who plays X or O, None for a person."""
        return next((each for each in (*OPPONENTS, *self.others) if each.name == self.seat(player)), None)

    @property
    def people(self) -> tuple[Player, ...]:
        """The players that are people."""
        return tuple(player for player in _BOTH if self.seat(player) == HUMAN)

    @property
    def undone(self) -> tuple[Cell, ...] | None:
        """The moves to go back to: before the last move of a person, or of anybody where both are opponents.

        None where there is nothing to take back.
        """
        mine = [n for n in range(len(self.moves)) if not self.people or self.seat(_BOTH[n % 2]) == HUMAN]
        return self.moves[: mine[-1]] if mine else None

    @property
    def sentence(self) -> str:
        """How the game stands, addressed to the person where only one side is a person."""
        at = self.position
        if at.is_terminal:
            how = ending_sentence(at)
            if len(self.people) != 1 or at.winner is None:
                return how
            won = "You win" if at.winner in self.people else "You lose"
            return f"{won}{'.' if ': ' in how else ':'} {how}"
        if not self.people:
            assert self.awaited is not None
            return f"{at.to_move} plays {cell_name(self.board, self.awaited)} next."
        if len(self.people) == 2:
            return f"{at.to_move} is to move." if self.moves else "X begins."
        if self.reply is None:
            return f"{'Your move' if self.moves else 'You begin'}: you play {at.to_move}."
        played = f"{opponent(at.to_move)} plays {cell_name(self.board, self.reply)}"
        return f"{played}. Your move: you play {at.to_move}."

    def as_dict(self) -> dict[str, object]:
        """Return the state of the game for JSON; cells by name, `to_move` is null where the game is over."""
        at = self.position

        def name(cell: Cell | None) -> str | None:
            return None if cell is None else cell_name(self.board, cell)

        return {
            "board": self.board.spec,
            "x": self.x,
            "o": self.o,
            "seed": self.seed,
            "moves": [name(cell) for cell in self.moves],
            "reply": name(self.reply),
            "awaited": name(self.awaited),
            "known": None if self.known is None else self.known.sentence,
            "position": str(at),
            "to_move": None if at.is_terminal else at.to_move,
            "over": at.is_terminal,
            "outcome": at.outcome,
            "legal": [name(cell) for cell in at.moves()],
        }


def play(
    board: Board | str = "3x3", moves: str = "", *, x: str = "human", o: str = "perfect", seed: int | str = 0
) -> Playing:
    """Return the game after `moves`, written in their order, and after the reply of an opponent whose turn it is.

    `x` and `o` say who plays: `human`, an opponent such as `perfect`, `medium` or `random`, or any policy: a file of
    moves, `genome:...`, `program:COMMAND`. Where both are opponents the move that comes next is `awaited`. The same
    seed gives the same replies. Raises InputError for moves that cannot be played, and for unknown opponents.

    >>> play("3x3", "a1").sentence
    'O plays b2. Your move: you play X.'
    """
    board = Board.parse(board)
    cells = parse_game(board, text_of("the moves of a game", moves))
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise wrong_type("the seed", seed, "a number, or a text")
    return play_on(board, x, o, cells, str(seed), reply_values_at, seated(board, x, o))


def play_on(
    board: Board,
    x: str,
    o: str,
    moves: tuple[Cell, ...],
    seed: str,
    valued: Valued,
    others: Mapping[Opponent, Policy] = FrozenDict(),
) -> Playing:
    """Return the game after `moves`, and after the reply of an opponent whom a person plays.

    `others` are opponents beside OPPONENTS, with their policies. `valued` is asked only where an opponent looks at
    values; where it raises BudgetError the opponent goes by what the marks say. Raises InputError for unknown
    opponents, and under misere for opponents that take and block lines.
    """
    by_name = {opponent.name: policy for opponent, policy in others.items()}
    for side in (x, o):
        if side not in SIDES and side not in by_name:
            raise InvalidQuestion(f"{shown(side)} cannot play: choose from {offered(side, (*SIDES, *by_name))}")
        if side in SIDES and side != HUMAN:
            by_name[side] = policy(board, side)
    game = Playing(board, x, o, seed, moves, others=tuple(others))
    at = game.position
    side = game.seat(at.to_move)
    if at.is_terminal or side == HUMAN:
        return game
    player, solution = by_name[side], None
    if player.needs_values:
        try:
            solution = valued(at)
        except BudgetError:
            solution = None
    shares, known = think(player, at, solution)
    cell = choose(shares, at, seed)
    if not game.people:
        return replace(game, awaited=cell, known=known)
    return replace(game, moves=(*moves, cell), replied=1, known=known)


def seated(board: Board, x: str, o: str) -> Seats:
    """Return who plays X or O and is neither a person nor one of the usual opponents. Raises InputError."""
    found: Seats = {}
    for player, given in zip(_BOTH, (x, o), strict=True):
        name = text_of(f"who plays {player}", given)
        if name in SIDES:
            continue
        bot = policy(board, name)
        at = bot.missing_entry(board, player) if isinstance(bot, FilePolicy) else None
        if at is not None:
            raise InputError(
                f"{shown(name, 80)} cannot play {player}, as it has no moves for {at}: let it play the other side"
            )
        found[Opponent(name, name, f"Plays by the policy {bot.name}")] = bot
    return found


@lru_cache(maxsize=4)
def whole_values(board: Board) -> Solution | None:
    """Return the values of all positions of a board, None where they take long; kept for a few boards."""
    if board.cells > WHOLE_CELLS:
        return None
    if class_bound(Position(board)) <= QUICK_CLASSES:
        return SmallSolution(board)
    problem = Problem(board, Position(board), remoteness=True, remoteness_preferred=True)
    offer, _ = offers(problem, Limits.of("200MB", _SECONDS), engine=NAME)
    return None if offer is None else offer.solve(workers_for(), silent)


def reply_values_at(position: Position) -> Solution:
    """Return the values by which an opponent replies in a position: of the whole board, else of a search begun anew.

    Raises BudgetError where the board is too large for a search.
    """
    return whole_values(position.board) or searched_from(position, _REPLY)


def hint_at(position: Position) -> tuple[str, tuple[Cell, ...]]:
    """Return what to play and why, and the best cell; that it was not found where a short search does not find it."""
    try:
        found = explain(position.board, position, solution=reply_values_at(position))
    except BudgetError:
        return "What to play here was not found: a short search does not settle this position.", ()
    best = tuple(move.cell for move in found.best_moves)
    said = found.sentences[-1 if position.board.misere else 0]
    if not best or said.startswith("Play "):
        return said, best[:1]
    return f"Play {cell_name(position.board, best[0])}. {said}", best[:1]


@dataclass(frozen=True)
class Guest:
    """A bot that is a table, which a server offers as an opponent: its name, the board it plays on, and its moves."""

    name: str
    board: Board
    policy: FilePolicy

    @cached_property
    def lacks(self) -> Mapping[Player, Position]:
        """For each side that it cannot play, a position that it can come to as that side, and has no moves for."""
        found = {side: self.policy.missing_entry(self.board, side) for side in _BOTH}
        return {side: at for side, at in found.items() if at is not None}

    @property
    def sides(self) -> tuple[Player, ...]:
        """The sides that it can play to the end, whatever the other plays."""
        return tuple(side for side in _BOTH if side not in self.lacks)

    @property
    def opponent(self) -> Opponent:
        """The bot as an opponent whom one can choose."""
        only = f" {self.sides[0]}, and only {self.sides[0]}," if len(self.sides) == 1 else ""
        if self.name.startswith(GENOME):
            return Opponent(self.name, "A genome", f"Plays{only} by its genes, {self.policy.name}", self.sides)
        otherwise, many = self.policy.otherwise, len(self.policy.table)
        rest = "" if otherwise is None else f", and elsewhere as {otherwise.name}"
        listed = "1 position class" if many == 1 else f"{many:,} position classes"
        return Opponent(self.name, self.name, f"Plays{only} by its table of {listed}{rest}", self.sides)


def read_guests(paths: Iterable[str | os.PathLike[str]]) -> tuple[Guest, ...]:
    """Return the bots of policy files, each named as its file without the ending.

    Raises InputError for a file that is no policy or does not say its board, for one that has no moves where it can
    come to, whichever side it plays, and for a name that is taken.
    """
    if isinstance(paths, str | os.PathLike) or not isinstance(paths, Iterable):
        raise wrong_type("bots", paths, "names of policy files such as ['mine.json']")
    taken = {*SIDES, *POLICIES, *GRADES, "any", "best"}
    found: list[Guest] = []
    for path in (path_of("a bot", each) for each in paths):
        said, name = f"the bot {shown(str(path), 200)}", path.stem
        if path.suffix != ".json" or not _NAME.fullmatch(name):
            letters = "name that with letters, digits, - and _, and end it in .json"
            raise InputError(f"{said} cannot be named after its file: {letters}")
        one = Guest(name, *_read_table(path, said))
        if name.lower() in taken:
            raise InputError(f"{said} cannot play as {name}, which is another's name: rename it")
        if not one.sides:
            where = " and ".join(f"as {side} for {at}" for side, at in one.lacks.items())
            raise InputError(
                f"{said} has no moves {where}, which it can come to: add its moves for one side, or a rule for the "
                'rest, as in "otherwise": "random"'
            )
        taken.add(name.lower())
        found.append(one)
    return tuple(found)


def _read_table(path: Path, said: str) -> tuple[Board, FilePolicy]:
    """Return the board that a policy file names, and its table."""
    data = read_json(path)
    if not isinstance(data, dict) or "board" not in data:
        raise InputError(f'{said} does not say which board it plays on: add "board", as in {{"board": "3x3"}}')
    try:
        board = Board.parse(data["board"])
    except InputError as error:
        raise InputError(f"{said} is for no board: {error}") from None
    table = policy(board, str(path))
    assert isinstance(table, FilePolicy)
    return board, replace(table, name=path.stem)


def guest(board: Board, name: str, guests: Sequence[Guest]) -> Guest | None:
    """Return who plays under a name on a board: one of the guests, or a genome; None for any other name.

    Raises InputError for a genome that is none of the board.
    """
    if name.startswith(GENOME):
        table = policy(board, name)
        assert isinstance(table, FilePolicy)
        return Guest(name, board, table)
    return next((each for each in guests if each.name == name and each.board == board), None)
