"""What to say about first moves and the replies to them: a summary, and a sentence for each first move."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.domain.position import opponent
from noughts.strategy.lengths import in_moves
from noughts.strategy.replies import FirstMoves, Opening, ValuedMove, count
from noughts.strategy.sentences import listed

__all__ = ["advice", "errors", "summary"]

_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def summary(theory: FirstMoves) -> str:
    """Return how many first moves and replies there are, and how many of the replies give something away."""
    many = len(theory.openings)
    first = f"first move{'s' * (many != 1)}" if not theory.start.ply else f"move{'s' * (many != 1)} of {theory.mover}"
    replies = theory.replies
    if not replies:
        return (
            f"{many} {first} up to symmetry, each of which ends the game" if many > 1 else f"{many} {first}: the last"
        )
    said = errors([reply for opening in theory.openings for reply in opening.replies])
    return f"{many} {first} up to symmetry, {replies:,} repl{'y' if replies == 1 else 'ies'}: {said}"


def errors(replies: Sequence[ValuedMove]) -> str:
    """Return how many of some replies lose, give up a win, or were lost before: `3 lose and 12 give up a win`."""
    loses, gives, unknown = (count(replies, kind) for kind in ("loses", "gives up a win", None))
    said = [f"{loses:,} lose{'s' * (loses == 1)}"] * bool(loses)
    said += [f"{gives:,} give{'s' * (gives == 1)} up a win"] * bool(gives)
    said += [f"of {unknown:,} it was not found"] * bool(unknown)
    if said:
        return listed(said)
    if count(replies, "lost before") == len(replies):
        return "lost before" if len(replies) == 1 else "all of them lost before"
    return "none loses"


def advice(theory: FirstMoves) -> tuple[str, ...]:
    """Return a sentence about the first moves, and one about the replies to each."""
    return (_first(theory), *(_about(theory, opening) for opening in theory.openings))


def _first(theory: FirstMoves) -> str:
    if theory.outcome is None:
        return "Who wins with best play was not found."
    first = "first move" if not theory.start.ply else "move"
    if theory.outcome == "draw":
        verdict = "With best play the game is a draw"
    else:
        soon = "" if theory.remoteness is None else f" {in_moves(theory.remoteness)}"
        verdict = f"With best play {theory.outcome} wins{soon}"
    if theory.outcome == opponent(theory.mover):
        return f"{verdict}, whatever {theory.mover} plays."
    keeping = [theory.name(o.cell) for o in theory.openings if o.quality == "keeps"]
    if len(keeping) == len(theory.openings):
        if theory.outcome == "draw":
            return f"{verdict}, after any {first}."
        return f"{verdict}; any {first} keeps the win." if len(keeping) > 1 else f"{verdict}."
    only = "only " * (len(keeping) == 1 and all(opening.outcome is not None for opening in theory.openings))
    what = "it" if theory.outcome == "draw" else "the win"
    keep = f"{only}{listed(keeping)} keep{'s' * (len(keeping) == 1)} {what}"
    others = _others(theory.openings, len(keeping)).replace("up the win", "it up")
    return f"{verdict}; {keep}{others}."


def _about(theory: FirstMoves, opening: Opening) -> str:
    after, answerer = theory.name(opening.cell), opponent(theory.mover)
    if not opening.replies:
        return f"After {after}, the game is over."
    if opening.outcome is None:
        return f"What {after} is worth was not found."
    if opening.outcome == theory.mover:
        return f"After {after}, {answerer} is lost{_longest(theory, opening)}."
    good = [theory.name(reply.cell) for reply in opening.holding]
    goal = "win" if opening.outcome == answerer else "hold"
    if len(good) == len(opening.replies):
        return f"After {after}, {'every' if len(good) > 1 else 'the only'} reply {goal}s."
    if len(good) == 1:
        said = f"{'only ' * (count(opening.replies, None) == 0)}{good[0]} {goal}s"
    else:
        said = f"the replies {listed(good)} {goal}" if good else f"no reply was found to {goal}"
    return f"After {after}, {said}{_others(opening.replies, len(good))}."


def _others(moves: Sequence[ValuedMove], good: int) -> str:
    """Return what the moves do that do not keep the value: `; the other four lose`, or nothing if there are none."""
    lose, give, unknown = count(moves, "loses"), count(moves, "gives up a win"), count(moves, None)
    kinds = [(lose, "lose"), (give, "give up the win")]
    said = [f"{_number(many)} {_verb(words, many)}" for many, words in kinds if many]
    said += [f"of {_number(unknown)} it was not found"] * bool(unknown)
    if not said:
        return ""
    if len(said) > 1:
        return f"; of the others, {listed(said)}"
    if unknown:
        return f"; {said[0]}"
    many, words = next(kind for kind in kinds if kind[0])
    if many == 1:
        return f"; the other {_verb(words, 1)}"
    return f"; the other {_number(many)} {words}" if good else f"; {said[0]}"


def _verb(words: str, many: int) -> str:
    verb, space, rest = words.partition(" ")
    return f"{verb}{'s' * (many == 1)}{space}{rest}"


def _number(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _longest(theory: FirstMoves, opening: Opening) -> str:
    """Say how many moves the win still takes, and which replies make it last, where the plies are known."""
    plies = [reply.remoteness for reply in opening.replies if reply.remoteness is not None]
    if opening.remoteness is None or len(plies) < len(opening.replies):
        return ""
    last = [theory.name(r.cell) for r in opening.replies if r.remoteness == max(plies)]
    if theory.board.misere:
        end = f"{opponent(theory.mover)} has to complete a line {in_moves(opening.remoteness)}"
    else:
        end = f"{theory.mover} wins {in_moves(opening.remoteness).replace(' move', ' more move')}"
    if len(last) == len(opening.replies):
        return f": {end}, whatever {opponent(theory.mover)} plays" if len(last) > 1 else f": {end}"
    return f"; {listed(last)} {'holds' if len(last) == 1 else 'hold'} out longest: {end}"
