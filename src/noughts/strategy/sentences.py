"""The facts of an explanation as sentences that a child can follow."""

from __future__ import annotations

from noughts.domain.bits import Cell, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.position import Position, opponent
from noughts.strategy.facts import Facts, MoveExplanation
from noughts.strategy.forcedwins import forced_wins
from noughts.strategy.threats import threat_mask

__all__ = ["advice", "listed", "reason"]

_NAMED = 8
"""Moves up to which a sentence names them all."""
_STEPS = 20_000
"""Steps that are taken to find how a mistake is punished."""


def listed(words: list[str], joiner: str = "and") -> str:
    """Return words as a list in prose: `a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joiner} {words[-1]}"


def advice(facts: Facts, made: Cell | None = None) -> tuple[str, ...]:
    """Return sentences, addressed to the side to move: the state of play, what to do, and the trap to avoid.

    `made` is a move that was made there: of the moves that lose, it is said of this one how it is punished.
    """
    if facts.label is not None and (facts.label.endswith("wins") or facts.label == "draw"):
        return (_decided(facts),)
    if facts.board.misere:
        return tuple(_by_value(facts, made))
    assert facts.threats is not None
    mine, theirs = facts.threats[facts.to_move], facts.threats[opponent(facts.to_move)]
    if mine:
        return (f"Complete your line at {_names(facts, mine, 'or')}: you win at once.",)
    return tuple(
        [*_under_threat(facts, theirs), *_tempting(facts)] if theirs else [*_free(facts), *_errors(facts, made)]
    )


def reason(facts: Facts, move: MoveExplanation) -> str:
    """Return why a move wins at once, forks, or loses what was not lost, in a sentence; nothing of other moves."""
    mover = facts.to_move
    if facts.board.misere or move.outcome not in (mover, opponent(mover)):
        return ""
    if move.outcome == mover:
        if move.remoteness == 0:
            return f"It completes a line of {mover}."
        return f"It makes {_threats(facts, [move.cell])}, and only one can be blocked." if move.creates_fork else ""
    return f"Then {_punished(facts, move)}." if move in facts.losing_moves else ""


def _decided(facts: Facts) -> str:
    if not facts.board.lines:
        return "The board has no line to complete, so the game will be a draw however you both play."
    if facts.label == "draw":
        longer = " any more" if _could_be_completed(facts.board) else ""
        return f"Nobody can complete a line{longer}, however you both play: the game will be a draw."
    winner = "You win" if facts.outcome == facts.to_move else f"{facts.outcome} wins"
    return f"{winner}, however you both play."


def _could_be_completed(board: Board) -> bool:
    """Return whether some play from the empty board completes a line: X has the marks for the shortest one."""
    return min(map(len, board.lines)) <= (board.cells + 1) // 2


def _under_threat(facts: Facts, theirs: tuple[Cell, ...]) -> list[str]:
    if len(theirs) > 1:
        where = _names(facts, theirs, "and")
        return [f"You are threatened at {where} and can block only one: {opponent(facts.to_move)} wins."]
    where = _names(facts, theirs, "and")
    sentence = f"You are threatened at {where}: block there."
    block = next(move for move in facts.moves if move.cell == theirs[0])
    if block.outcome == opponent(facts.to_move):
        return [f"{sentence[:-1]}, though {opponent(facts.to_move)} can win all the same."]
    if block.creates_fork:
        return [sentence, f"With this block you make {_threats(facts, [block.cell])}: you win."]
    if block.outcome == facts.to_move:
        return [sentence, "Then you can force a win."]
    return [sentence]


def _free(facts: Facts) -> list[str]:
    mover, other = facts.to_move, opponent(facts.to_move)
    if facts.outcome == mover:
        return [_winning(facts)]
    if facts.outcome == other:
        best = [move.cell for move in facts.best_moves]
        if len(best) == len(facts.moves) or any(move.remoteness is None for move in facts.best_moves):
            return [f"{other} can force a win, whatever you play."]
        holds = "holds" if len(best) == 1 else "hold"
        return [f"{other} can force a win, whatever you play; {_names(facts, best, 'and')} {holds} out longest."]
    good = [move.cell for move in facts.moves if move.outcome == "draw"]
    if facts.outcome is None:
        return ["Nobody is threatened; who wins was not found."]
    if len(good) == len(facts.moves):
        return ["Any move keeps the draw."]
    if len(good) == 1:
        return [f"Only {_names(facts, good, 'or')} keeps the draw."]
    return [f"{_names(facts, good, 'and')} keep the draw."]


def _threats(facts: Facts, forks: list[Cell]) -> str:
    """Return how many threats moves that fork make."""
    many = {threat_mask(facts.position.play(cell), facts.to_move).bit_count() for cell in forks}
    return "two threats at once" if many == {2} else "two or more threats at once"


def _winning(facts: Facts) -> str:
    assert facts.forced_wins is not None
    sequences = facts.forced_wins.sequences
    winning = [move.cell for move in facts.moves if move.outcome == facts.to_move]
    if len(winning) == len(facts.moves) and not any(len(sequence) == 1 for sequence in sequences):
        return "You can force a win, whatever your next move."
    if not sequences:
        return f"You can force a win, though not by threats alone: play {_names(facts, winning, 'or')}."
    shortest = sequences[0]
    if len(shortest) == 1:
        forks = [sequence[0] for sequence in sequences if len(sequence) == 1]
        made = _threats(facts, forks)
        return f"Play {_names(facts, forks, 'or')}: you make {made}, and only one can be blocked."
    steps = [f"play {_names(facts, [shortest[0]], 'or')}"]
    for i in range(1, len(shortest) - 1, 2):
        steps.append(f"{opponent(facts.to_move)} must block at {_names(facts, [shortest[i]], 'or')}")
        steps.append(f"you play {_names(facts, [shortest[i + 1]], 'or')}")
    return f"You can force a win: {', then '.join(steps)} and threaten twice at once."


def _errors(facts: Facts, made: Cell | None) -> list[str]:
    """Name the moves that give up a win, and those that lose; say how the move made, else the first, is punished."""
    slack, losing = facts.moves_giving_up_the_win, facts.losing_moves
    found = [f"{_named_moves(facts, slack, 'give', 'gives')} up the win."] if slack else []
    if losing and not facts.board.misere and len(losing) == 1:
        return [*found, f"{_named_moves(facts, losing, 'lose', 'loses')}: {_punished(facts, losing[0])}."]
    found += [f"{_named_moves(facts, losing, 'lose', 'loses')}."] if losing else []
    if losing and not facts.board.misere:
        shown = next((move for move in losing if move.cell == made), losing[0])
        found.append(f"After {_names(facts, [shown.cell], 'or')}, {_punished(facts, shown)}.")
    return found


def _named_moves(facts: Facts, moves: tuple[MoveExplanation, ...], plural: str, singular: str) -> str:
    """Return the moves with a verb; where they are many and the others few, `every move but` those."""
    named = {move.cell for move in moves}
    others = [move.cell for move in facts.moves if move.cell not in named]
    if len(moves) > _NAMED and 0 < len(others) <= _NAMED:
        return f"Every move but {_names(facts, others, 'and')} {singular}"
    return f"{_names(facts, sorted(named), 'and')} {singular if len(moves) == 1 else plural}"


def _tempting(facts: Facts) -> list[str]:
    """Under a threat any move but the block loses at once; the tempting ones make a threat of their own."""
    tempting = [move for move in facts.losing_moves if _makes_threat(facts, move)]
    if not tempting:
        return []
    fate = _punished(facts, tempting[0])
    alike = tuple(move for move in tempting if _punished(facts, move) == fate)
    return [f"{_named_moves(facts, alike, 'also look good', 'also looks good')}, but then {fate}."]


def _makes_threat(facts: Facts, move: MoveExplanation) -> bool:
    return bool(threat_mask(facts.position.play(move.cell), facts.to_move))


def _punished(facts: Facts, move: MoveExplanation) -> str:
    after = facts.position.play(move.cell)
    other = after.to_move
    wins = threat_mask(after, other)
    if wins:
        return f"{other} completes a line at {_named(after, [next(cells_of(wins))])}"
    sequences = forced_wins(after, limit=_STEPS).sequences
    if not sequences:
        return f"{other} can force a win"
    if len(sequences[0]) == 1:
        return f"{other} forks with {_named(after, [sequences[0][0]])}"
    return f"{other} plays {_named(after, [sequences[0][0]])} and forces a fork"


def _by_value(facts: Facts, made: Cell | None) -> list[str]:
    """Under misere: by value alone."""
    keep = [move.cell for move in facts.moves if move.outcome == facts.outcome]
    rule = "Whoever completes a line loses."
    if facts.outcome is None:
        return [rule, "Who wins was not found."]
    if facts.outcome == opponent(facts.to_move):
        return [rule, *_free(facts)]
    if len(keep) == len(facts.moves):
        won = facts.outcome == facts.to_move
        return [rule, "You can force a win, whatever your next move." if won else "Any move keeps the draw."]
    what = "win" if facts.outcome == facts.to_move else "keep the draw"
    return [rule, f"To {what}, play {_names(facts, keep, 'or')}.", *_errors(facts, made)]


def _names(facts: Facts, cells: tuple[Cell, ...] | list[Cell], joiner: str) -> str:
    return listed([cell_name(facts.board, cell) for cell in cells], joiner)


def _named(position: Position, cells: list[Cell]) -> str:
    return listed([cell_name(position.board, cell) for cell in cells])
