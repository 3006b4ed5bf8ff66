"""Four opponents that differ in what they do, the exact chance to beat each, and what to try after a game."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from noughts.analysis.explain.mistakes import PlayedMove
from noughts.analysis.explain.wording import named_cells
from noughts.analysis.policies.playing import HUMAN, Opponent, Playing, opponents
from noughts.analysis.policies.policy import GRADES
from noughts.analysis.records.record import fraction_text
from noughts.known import load
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Outcome, Player, opponent
from noughts.rules.position import Position
from noughts.rules.values import begun
from noughts.web.records import percent
from noughts.web.values import is_valued_whole, soon_values_at

_DOES = {
    "random": "Plays anywhere and sees nothing.",
    "block": "Completes a line, blocks yours, and looks no further.",
    "easy": "Sees everything, but slips every second time.",
    "medium": "Sees everything, but slips one time in four.",
    "trap:block": "Never slips, and chooses what is hardest to answer.",
    "perfect": "Never slips.",
}
"""What each character does, in a few words."""
_DOES_SEARCHING = {
    "easy": "Sees as far as a short search, and slips every second time.",
    "medium": "Sees as far as a short search, and slips one time in four.",
    "perfect": "Sees as far as a short search, and never slips.",
}
"""The same where not all positions of a board are valued."""
_WITHOUT_SLIPS = ("trap:block", "perfect")


class Character(NamedTuple):
    """An opponent on a board: what it does, and the chance to beat it with the best play; None if unknown."""

    opponent: Opponent
    does: str
    chance: Fraction | None

    @property
    def beaten(self) -> str:
        """The chance in words."""
        if self.chance is None:
            return ""
        if self.chance in (0, 1):
            return "cannot be beaten" if self.chance == 0 else "the best play always beats it"
        return f"the best play against it wins {percent(self.chance)} of games, exactly {fraction_text(self.chance)}"


def characters(board: Board, person: Player = "X") -> list[Character]:
    """Return the four characters of a board, the one that slips most first, against a person who plays X or O."""
    there = {each.name: each for each in opponents(board)}
    names = ["random", "block" if "block" in there else "easy", "medium",
             "trap:block" if "trap:block" in there and is_valued_whole(board) else "perfect"]  # fmt: skip
    outcome, found = _outcome(board), list[Character]()
    does = _DOES if is_valued_whole(board) else _DOES | _DOES_SEARCHING
    carried = [*map(Fraction, load("characters.toml")["beaten"].get(f"{board.spec} {person}", ()))]
    for number, name in enumerate(names):
        chance = carried[number] if number < len(carried) else None
        if outcome == person:
            chance = Fraction(1)
        elif outcome is not None and name in _WITHOUT_SLIPS:
            chance = Fraction(0)
        found.append(Character(there[name], does[name], chance))
    return found


def _outcome(board: Board) -> Outcome | None:
    """Return who wins a board with best play; None if the values of all its positions are not known."""
    try:
        return soon_values_at(Position(board)).outcome(Position(board)) if is_valued_whole(board) else None
    except BudgetError:
        return None


class Next(NamedTuple):
    """What to try after a game: a sentence, and the change of the game that a link makes."""

    sentence: str
    words: str
    opponent: str = ""
    swap: bool = False
    again: bool = False


def what_next(game: Playing, lost: PlayedMove | None, made_mistake: bool) -> Next | None:
    """Return what to try next after a finished game of one person; None where nothing is known to suit.

    `lost` is the last mistake of the person in a game that they lost.
    """
    if len(game.people) != 1:
        return None
    if lost is not None:
        better = named_cells(lost.before.board, lost.better, "or") if lost.complete and lost.better else "another move"
        return Next(f"Take move {lost.number} back, and play {better}.", "Try again from there", again=True)
    person, board = game.people[0], game.board
    against = game.seat(opponent(person))
    found, won = characters(board, person), game.winner == person
    names = [each.opponent.name for each in found]
    outcome = _outcome(board)
    at = names.index(against) if against in names else _like(against, names)
    harder = found[at + 1] if at + 1 < len(found) else None
    if won and harder is not None:
        return Next(f"{harder.opponent.title} is harder. {harder.does}", f"Play {harder.opponent.title}", names[at + 1])
    if won:
        return Next("No opponent here is harder. Try the other side.", "Swap sides", swap=True)
    if outcome == opponent(person) and not made_mistake:
        winner = board.rules.name_of(outcome)
        return Next(f"You made no mistake: {winner} wins {board} with best play. Be {winner}.", "Swap sides", swap=True)
    if found[at].opponent.name in _WITHOUT_SLIPS and outcome == "draw" and game.winner is None:
        easier = found[at - 1]
        words = f"The best play draws too. {begun(easier.opponent.title)} can be beaten."
        return Next(words, f"Play {easier.opponent.title}", names[at - 1])
    chance = found[at].chance if names[at] == against else None
    if chance is not None and 0 < chance < 1:
        title = found[at].opponent.title
        return Next(f"The best play against {title} wins {percent(chance)} of games.", f"Play {title} again", against)
    return None


def _like(name: str, names: list[str]) -> int:
    """Return the place of the character that an opponent is most like."""
    if name == HUMAN or name in ("perfect", "trap:random"):
        return len(names) - 1
    return 2 if name in GRADES and name != "easy" else 1
