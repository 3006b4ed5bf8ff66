"""What a player knows of a position where not all is valued: the moves known to win, to draw, to lose, and the rest."""

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
from noughts.analysis.explain.facts import ending
from noughts.analysis.policies.genome import PREFIX
from noughts.analysis.policies.policy import Policy
from noughts.analysis.policies.reading import GRADES, POLICIES, policy
from noughts.analysis.policies.table import FilePolicy, lacking, read_json
from noughts.analysis.solutions import searched_from
from noughts.machine.budget import Limits
from noughts.machine.workers import silent, workers_for
from noughts.rules.arguments import offered, path_of, text_of, wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError, InvalidQuestion, shown
from noughts.rules.game import allowed_cells
from noughts.rules.marks import Cell, Mask, Player, cells_of, mask_of
from noughts.rules.marks import opponent as opponent_position
from noughts.rules.position import Position, completing_cells, parse_game
from noughts.rules.values import FrozenDict, drawn
from noughts.solving.engines import offers
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.retrograde import NAME
from noughts.solving.search import NAME as SEARCH
from noughts.solving.solution import Solution
from noughts.solving.values import Value


@dataclass(frozen=True)
class Sight:
    """What is known of an unfinished position. Values are for the side to move, None where they were not found.

    `opened` is how many positions a search opened for it; None where nothing was searched.
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
            within = "" if self.opened is None else f" within {self.opened:,} positions"
            searched = (
                f"{board} is too large for a search, and what can be forced" if self.opened is None else "Who wins"
            )
            lost = sum(value == "loss" for value in self.moves.values())
            losing = f"; {lost:,} of its {len(self.moves):,} moves {'is' if lost == 1 else 'are'} known to lose"
            return f"{searched} was not found{within} where {mover} was to move{losing if lost else ''}."
        forced = {
            "win": f"{mover} could force a win",
            "draw": "neither could force a win",
            "loss": f"{opponent_position(mover)} could force a win against all moves",
        }[self.value]
        unclear = "" if self.kept else "; which move keeps that was not found"
        return f"A search found that {forced} where {mover} was to move{unclear}."


def sight_of(position: Position, solution: Solution | None) -> Sight:
    """Return what a solution knows of an unfinished position; `solution` None knows what ends the game only."""
    found: dict[Cell, Value | None]
    value: Value | None = None
    if solution is None:
        found = _ends(position)
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
    opened = None if solution is None else solution.nodes
    return Sight(position, value, FrozenDict(sorted(found.items())), opened)


def _ends(position: Position) -> dict[Cell, Value | None]:
    """Return the values of the moves that end the game, None for all others."""
    board, blanks = position.board, position.blanks
    lines = completing_cells(board, position.marks(position.to_move), blanks)
    full: Value | None = None if blanks & (blanks - 1) else "draw"
    completed: Value = "loss" if board.misere else "win"
    return {cell: completed if lines >> cell & 1 else full for cell in cells_of(blanks)}


# Whom one can play against: policies with a name and a sentence, and their choice of a move from a seed.
#
# A choice is the same whenever the seed, the board and the position are: it can stand in a link.
#
# Opponents that look at values play as their policies do where all positions are valued. Where a search values one
# position at a time, or nothing does, they go by what is known (`sight`):
#
# 1. the good moves are those known to keep what can be forced; where none is, those that are not known to be worse;
# 2. of the good moves it plays those that complete a line, else those that block one, else those that make a fork,
# where
#    there are such (not under misere), each as likely as the others;
# 3. who errs plays, with its chance, one of the moves known to be worse than the good ones, where there are such;
# 4. who sets traps plays as Perfect.


@dataclass(frozen=True)
class Opponent:
    """A policy that one can play against: its name as a policy, its title, what it does, in a sentence, and the sides
    that it can play.
    """

    name: str
    title: str
    about: str
    sides: tuple[Player, ...] = ("X", "O")


def _errs(name: str) -> str:
    return (
        f"Makes a mistake with the chance {GRADES[name]} where one can be made: a move after which it can force less "
        "than before. Else it plays a good move; one mistake, or good move, is as likely as another"
    )


OPPONENTS = (
    Opponent("easy", "Easy", _errs("easy")),
    Opponent("medium", "Medium", _errs("medium")),
    Opponent("hard", "Hard", _errs("hard")),
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


def unvalued_play(board: Board, opponent: Opponent) -> str:
    """Return how an opponent who looks at values plays where not all positions are valued, in a sentence."""
    lines = "" if board.misere else ", and of those one that completes a line, else blocks one, else makes a fork"
    well = f"a move known to keep what can be forced, else one that is not known to be worse{lines}"
    if opponent.name in GRADES:
        return (
            f"Here it plays with the chance {GRADES[opponent.name]} a move known to be worse than others, where there "
            f"is one; else {well}"
        )
    return f"Here it {'sets no traps: it ' if opponent.name.startswith('trap') else ''}plays {well}"


def opponents(board: Board) -> tuple[Opponent, ...]:
    """Return the opponents that have a meaning on a board: under misere not those that complete and block lines."""
    return tuple(each for each in OPPONENTS if _is_defined(board, each.name))


def manners(board: Board, *, whole: bool) -> dict[str, str]:
    """Return how each opponent plays on a board, by name; `whole` says whether all its positions are valued."""
    return {
        each.name: each.about if whole or not policy(board, each.name).needs_values else unvalued_play(board, each)
        for each in opponents(board)
    }


def _is_defined(board: Board, name: str) -> bool:
    try:
        policy(board, name)
    except InvalidQuestion:
        return False
    return True


def think(player: Policy, position: Position, solution: Solution | None) -> tuple[dict[Cell, Fraction], Sight | None]:
    """Return the chance of each move that a player may make in an unfinished position, and what it went by.

    The chances sum to 1; it goes by a `Sight` where it looks at values and not all positions are valued. `solution`
    None says that nothing is valued; one by search has to be fresh, for the same answer each time.
    """
    if isinstance(player, FilePolicy):
        listed = player.listed(position)
        if listed is not None:
            return dict(listed), None
        if player.otherwise is not None:
            return think(player.otherwise, position, solution)
    if not player.needs_values or (solution is not None and solution.engine != SEARCH):
        return player.probabilities(position, solution), None
    known = sight_of(position, solution)
    bad = list(cells_of(known.worse))
    good = list(cells_of(_by_rule(known)))
    error = GRADES.get(player.name, Fraction(0)) if bad else Fraction(0)
    shares = dict.fromkeys(good, (1 - error) / len(good)) | {cell: error / len(bad) for cell in bad}
    return {cell: shares[cell] for cell in sorted(shares) if shares[cell]}, known


def _by_rule(known: Sight) -> Mask:
    """Return of the good moves those that complete, block or fork, where there are such."""
    at = known.position
    if at.board.misere:
        return known.good
    return known.good & allowed_cells(at.board, at.x, at.o, "fork") or known.good


def choose(shares: Mapping[Cell, Fraction], position: Position, seed: str) -> Cell:
    """Return one of the moves with given chances, chosen by `seed`: the same for the same seed, board and position."""
    whole = lcm(*(share.denominator for share in shares.values()))
    at = drawn(whole, f"{seed} {position.board.spec} {position}")
    for cell, share in shares.items():
        at -= share.numerator * (whole // share.denominator)
        if at < 0:
            return cell
    raise AssertionError("the chances of a policy sum to 1")


# A game between people and opponents as one value: who sits where, the moves so far, and what the opponent plays.

HUMAN = "human"
SIDES = (HUMAN, *(opponent.name for opponent in OPPONENTS))
"""Who can sit at the board."""

Valued = Callable[[Position], Solution]
"""Gives the values of a position when they are needed, a search begun anew. Raises BudgetError where nothing can."""


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
    known: Sight | None = None
    others: tuple[Opponent, ...] = ()
    """Who sits here beside people and OPPONENTS."""

    @property
    def position(self) -> Position:
        """The position reached."""
        return self.after(len(self.moves))

    def after(self, moves: int) -> Position:
        """Return the position after that many moves."""
        at = Position(self.board)
        for cell in self.moves[:moves]:
            at = at.play(cell)
        return at

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
        both: tuple[Player, ...] = ("X", "O")
        return tuple(player for player in both if self.seat(player) == HUMAN)

    @property
    def undone(self) -> tuple[Cell, ...] | None:
        """The moves to go back to: before the last move of a person, or of anybody where nobody is one.

        None where there is nothing to take back.
        """
        for n in range(len(self.moves) - 1, -1, -1):
            if not self.people or self.seat("X" if n % 2 == 0 else "O") == HUMAN:
                return self.moves[:n]
        return None

    @property
    def sentence(self) -> str:
        """How the game stands, addressed to the person where only one side is a person."""
        at = self.position
        if at.is_terminal:
            return self._over(at)
        if not self.people:
            assert self.awaited is not None
            return f"{at.to_move} plays {cell_name(self.board, self.awaited)} next."
        if len(self.people) == 2:
            return f"{at.to_move} is to move." if self.moves else "X begins."
        if self.reply is None:
            return f"You begin: you play {at.to_move}." if not self.moves else f"Your move: you play {at.to_move}."
        replied = f"{opponent_position(at.to_move)} plays {cell_name(self.board, self.reply)}."
        return f"{replied} Your move: you play {at.to_move}."

    def _over(self, at: Position) -> str:
        how = ending(at)
        if len(self.people) != 1 or at.winner is None:
            return f"{how[0].upper()}{how[1:]}."
        return f"{'You win' if at.winner in self.people else 'You lose'}{'.' if ': ' in how else ':'} {how}."

    def as_dict(self) -> dict[str, object]:
        """Return the state of the game for JSON; cells by name, nobody to move where the game is over."""
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

    `others` are opponents beside OPPONENTS, with their policies.

    `valued` is asked only where an opponent looks at values; where it raises BudgetError the opponent goes by what the
    marks say. Raises InputError for who is nobody, and under misere for opponents that take and block lines.
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
    player = by_name[side]
    shares, known = think(player, at, _values(at, valued) if player.needs_values else None)
    cell = choose(shares, at, seed)
    if not game.people:
        return replace(game, awaited=cell, known=known)
    return replace(game, moves=(*moves, cell), replied=1, known=known)


def _values(at: Position, valued: Valued) -> Solution | None:
    try:
        return valued(at)
    except BudgetError:
        return None


# By which values somebody replies who keeps nobody waiting: those of a whole board, else of a short search.

_SECONDS = 1.5
"""A whole board is valued, for all its positions, where that takes no longer; else each position by itself."""
_REPLY = SearchBudget(position=200_000, moves=200_000, whole=400_000, far=200_000)
"""What a search may spend for the reply of an opponent."""
WHOLE_CELLS = 20
"""Cells up to which it is reckoned whether a whole board can be valued; the reckoning alone takes time."""


@lru_cache(maxsize=4)
def whole_values(board: Board) -> Solution | None:
    """Return the values of all positions of a board, None where they take long; kept for a few boards."""
    if board.cells > WHOLE_CELLS:
        return None
    problem = Problem(board, Position(board), remoteness=True, remoteness_preferred=True)
    offer, _ = offers(problem, Limits.of("200MB", _SECONDS), engine=NAME)
    return None if offer is None else offer.solve(workers_for(), silent)


def reply_values_at(position: Position) -> Solution:
    """Return the values by which an opponent replies in a position: of the whole board, else of a search begun anew.

    Raises BudgetError where the board is too large for a search.
    """
    return whole_values(position.board) or searched_from(position, _REPLY)


# Who sits down to play: opponents of every door, and any other policy, a file, a genome or a program among them.

Seats = dict[Opponent, Policy]
"""Who plays beside people and the usual opponents, each with how it plays."""


def play(
    board: Board | str = "3x3", moves: str = "", *, x: str = "human", o: str = "perfect", seed: int | str = 0
) -> Playing:
    """Return the game after `moves`, written in their order, and after the reply of an opponent whose turn it is.

    `x` and `o` say who plays: `human`, an opponent such as `perfect`, `medium` or `random`, or any policy: a file of
    moves, `genome:...`, `program:COMMAND`. Where both are opponents the move that comes next is `awaited`. The same
    seed gives the same replies. Raises InputError for moves that cannot be played, and for who is nobody.

    >>> play("3x3", "a1").sentence
    'O plays b2. Your move: you play X.'
    """
    board = Board.parse(board)
    cells = parse_game(board, text_of("the moves of a game", moves))
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise wrong_type("the seed", seed, "a number, or a text")
    return play_on(board, x, o, cells, str(seed), reply_values_at, seated(board, x, o))


def seated(board: Board, x: str, o: str) -> Seats:
    """Return who plays X or O and is neither a person nor one of the usual opponents. Raises InputError."""
    sides: tuple[tuple[Player, str], ...] = (("X", text_of("who plays X", x)), ("O", text_of("who plays O", o)))
    found: Seats = {}
    for player, name in sides:
        if name in SIDES:
            continue
        bot = policy(board, name)
        if isinstance(bot, FilePolicy):
            _require_moves(bot, board, player, name)
        found[Opponent(name, name, f"Plays by the policy {bot.name}")] = bot
    return found


def _require_moves(bot: FilePolicy, board: Board, player: Player, name: str) -> None:
    """Raise InputError where a table has no moves for a position that it can come to."""
    at = lacking(bot, board, player)
    if at is not None:
        raise InputError(
            f"{shown(name, 80)} cannot play {player}, as it has no moves for {at}: let it play the other side"
        )


def hint_at(position: Position) -> tuple[str, tuple[Cell, ...]]:
    """Return what to play and why, and the best cell; that it was not found where a short search does not find it."""
    try:
        found = explain(position.board, position, solution=reply_values_at(position))
    except BudgetError:
        return "What to play here was not found: a short search does not settle this position.", ()
    best = tuple(move.cell for move in found.best_moves)
    said = found.sentences[-1 if position.board.misere else 0]
    first = f"Play {cell_name(position.board, best[0])}" if best else ""
    return said if not best or said.startswith("Play ") else f"{first}. {said}", best[:1]


# Opponents from outside: bots that whoever runs a server has named, and genomes, which are bots as text.

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_TAKEN = (*SIDES, *POLICIES, *GRADES, "any", "best")


@dataclass(frozen=True)
class Guest:
    """A bot that is a table, with the name under which it plays, and the board that it plays on."""

    name: str
    board: Board
    policy: FilePolicy

    @cached_property
    def lacks(self) -> Mapping[Player, Position]:
        """For each side that it cannot play, a position that it can come to as that side, and has no moves for."""
        sides: tuple[Player, ...] = ("X", "O")
        found = {side: lacking(self.policy, self.board, side) for side in sides}
        return {side: at for side, at in found.items() if at is not None}

    @property
    def sides(self) -> tuple[Player, ...]:
        """The sides that it can play to the end, whatever the other plays."""
        sides: tuple[Player, ...] = ("X", "O")
        return tuple(side for side in sides if side not in self.lacks)

    @property
    def opponent(self) -> Opponent:
        """The bot as an opponent whom one can choose."""
        only = f" {self.sides[0]}, and only {self.sides[0]}," if len(self.sides) == 1 else ""
        if self.name.startswith(PREFIX):
            return Opponent(self.name, "A genome", f"Plays{only} by its genes, {self.policy.name}", self.sides)
        otherwise = self.policy.otherwise
        rest = f", and elsewhere as {otherwise.name}" if otherwise is not None else ""
        many = len(self.policy.table)
        listed = "1 position class" if many == 1 else f"{many:,} position classes"
        return Opponent(self.name, self.name, f"Plays{only} by its table of {listed}{rest}", self.sides)


def read_guests(paths: Iterable[str | os.PathLike[str]]) -> tuple[Guest, ...]:
    """Return the bots of policy files, each named as its file without the ending.

    Raises InputError for a file that is no policy or does not say its board, for one that has no moves where it can
    come to, whichever side it plays, and for a name that is somebody else's.
    """
    if isinstance(paths, str | os.PathLike) or not isinstance(paths, Iterable):
        raise wrong_type("bots", paths, "names of policy files such as ['mine.json']")
    found: dict[str, Guest] = {}
    for each in paths:
        path = path_of("a bot", each)
        one = _read(path)
        if one.name.lower() in {name.lower() for name in (*_TAKEN, *found)}:
            raise InputError(
                f"the bot {shown(str(path), 200)} cannot play as {one.name}, which is another's name: rename it"
            )
        _require_moves_guests(path, one)
        found[one.name] = one
    return tuple(found.values())


def _require_moves_guests(path: Path, found: Guest) -> None:
    """Raise InputError for a bot that can play neither side to the end."""
    if not found.sides:
        where = " and ".join(f"as {side} for {at}" for side, at in found.lacks.items())
        raise InputError(
            f"the bot {shown(str(path), 200)} has no moves {where}, which it can come to: add its moves for one side, "
            'or a rule for the rest, as in "otherwise": "random"'
        )


def _read(path: Path) -> Guest:
    said = shown(str(path), 200)
    if path.suffix != ".json" or not _NAME.fullmatch(path.stem):
        raise InputError(
            f"the bot {said} cannot be named after its file: name that with letters, digits, - and _, and end it in "
            ".json"
        )
    data = read_json(path)
    if not isinstance(data, dict) or "board" not in data:
        raise InputError(f'the bot {said} does not say which board it plays on: add "board", as in {{"board": "3x3"}}')
    try:
        board = Board.parse(data["board"])
    except InputError as error:
        raise InputError(f"the bot {said} is for no board: {error}") from None
    table = policy(board, str(path))
    assert isinstance(table, FilePolicy)
    return Guest(path.stem, board, replace(table, name=path.stem))


def guest(board: Board, name: str, guests: Sequence[Guest]) -> Guest | None:
    """Return who plays under a name on a board: one of the guests, or a genome; None for any other name.

    Raises InputError for a genome that is none of the board.
    """
    if name.startswith(PREFIX):
        table = policy(board, name)
        assert isinstance(table, FilePolicy)
        return Guest(name, board, table)
    return next((each for each in guests if each.name == name and each.board == board), None)
