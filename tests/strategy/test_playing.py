"""Games between people and opponents: what is said, who replies, what can be taken back, for every way to sit down."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from noughts.domain.cells import cell_name
from noughts.domain.errors import InvalidQuestion
from noughts.domain.notation import parse_game
from noughts.domain.position import Position
from noughts.strategy.playing import HUMAN, SIDES
from noughts.strategy.policies import policy
from noughts.strategy.seating import play

GAMES = {
    "3x3": ["", "a1", "a1 b2", "a1 b1 a2", "a1 b1 a2 b2", "a1 b1 a2 b2 a3", "a1 b2 a2 b1 b3", "a1 b2 a2 b1 a3"],
    "3x3+misere": ["", "b2", "a1 b2 a2", "a1 b2 a2 c3 a3", "a1 b1 b2 c1 c2 a2 b3 c3 a3"],
    "2x2:3": ["a1 b1 a2", "a1 b1 a2 b2"],
    "1x3:2": ["a1", "a1 c1 b1", "b1 a1"],
}
SEATS = list(product((HUMAN, "random", "perfect"), repeat=2))


def wanted_end(at: Position, people: str) -> str:
    """How a finished game is told: to a person by what became of them, else by who has won."""
    winner = at.outcome
    if winner == "draw":
        return "The game is drawn: the board is full and nobody has a line."
    lines = [
        "-".join(cell_name(at.board, cell) for cell in sorted(line))
        for line in at.board.lines
        if len({at.mark_at(cell) for cell in line}) == 1 and at.mark_at(next(iter(line))) is not None
    ]
    named = f"the line {lines[0]}" if len(lines) == 1 else f"the lines {', '.join(lines[:-1])} and {lines[-1]}"
    loser = "O" if winner == "X" else "X"
    how = f"{winner} has won with {named}"
    if at.board.misere:
        how = f"{winner} has won: {loser} has completed {named}, which loses under misere"
    if len(people) != 1:
        return f"{how}."
    stop = "." if at.board.misere else ":"  # one colon in a sentence
    return f"You {'win' if winner == people else 'lose'}{stop} {how}."


@pytest.mark.parametrize(("x", "o"), SEATS)
@pytest.mark.parametrize("spec", GAMES)
def test_a_game_as_it_stands(spec: str, x: str, o: str) -> None:
    people = ("X" if x == HUMAN else "") + ("O" if o == HUMAN else "")
    for moves in GAMES[spec]:
        found = play(spec, moves, x=x, o=o, seed=3)
        given = tuple(parse_game(found.board, moves))
        before = found.after(len(given))
        seat = x if before.to_move == "X" else o
        replies = not before.is_terminal and seat != HUMAN
        assert found.replied == (1 if replies and people else 0)
        assert found.moves[: len(given)] == given
        assert len(found.moves) == len(given) + found.replied
        assert found.position == found.after(len(found.moves))
        assert found.people == tuple(people)
        assert (found.awaited is not None) == (replies and not people)
        assert found.known is None
        chosen = found.awaited if not people else found.moves[-1] if found.replied else None
        assert found.reply == (chosen if people else None)
        if replies:
            solution: Any = None
            if seat == "perfect":
                from noughts.solving.api import solve

                solution = solve(spec)
            assert chosen in policy(found.board, seat).probabilities(before, solution)
        at, name = found.position, [cell_name(found.board, cell) for cell in found.moves]
        if at.is_terminal:
            assert found.sentence == wanted_end(at, people)
        elif not people:
            assert found.awaited is not None
            assert found.sentence == f"{at.to_move} plays {cell_name(found.board, found.awaited)} next."
        elif people == "XO":
            assert found.sentence == (f"{at.to_move} is to move." if moves else "X begins.")
        elif found.replied:
            assert found.sentence == f"{'XO'[at.to_move == 'X']} plays {name[-1]}. Your move: you play {at.to_move}."
        else:
            assert found.sentence == (
                f"Your move: you play {at.to_move}." if moves else f"You begin: you play {at.to_move}."
            )
        own = [n for n in range(len(found.moves)) if not people or "XO"[n % 2] in people]
        assert found.undone == (found.moves[: own[-1]] if own else None)
        assert found.as_dict() == {
            "board": found.board.spec,
            "x": x,
            "o": o,
            "seed": "3",
            "moves": name,
            "reply": name[-1] if found.replied else None,
            "awaited": None if found.awaited is None else cell_name(found.board, found.awaited),
            "known": None,
            "position": str(at),
            "to_move": None if at.is_terminal else at.to_move,
            "over": at.is_terminal,
            "outcome": at.outcome,
            "legal": [] if at.is_terminal else [cell_name(found.board, cell) for cell in at.moves()],
        }


def test_who_sits_where() -> None:
    found = play("3x3", "a1", x="human", o="fork")
    assert (found.seat("X"), found.seat("O")) == ("human", "fork")
    assert found.opponent("X") is None
    other = found.opponent("O")
    assert other is not None
    assert (other.name, other.title) == ("fork", "Fork")
    bot = "genome:all:XO:0"
    found = play("3x3", "a1", o=bot)
    other = found.opponent("O")
    assert other is not None
    assert (other.name, other.sides, found.others) == (bot, ("X", "O"), (other,))
    assert SIDES[0] == HUMAN


@pytest.mark.parametrize(
    ("spec", "x", "o", "words"),
    [
        ("3x3+misere", "human", "fork", "the policy fork takes and blocks lines, which loses under misere"),
        ("3x3+misere", "block", "human", "the policy block takes and blocks lines"),
    ],
)
def test_who_has_no_meaning_there_cannot_play(spec: str, x: str, o: str, words: str) -> None:
    with pytest.raises(InvalidQuestion, match=words):
        play(spec, "", x=x, o=o)
