"""Play where marks do not name the players: what opponents choose, and the words of a game."""

from __future__ import annotations

import re
from functools import cache

import pytest

from noughts.analysis.policies.playing import known_of, play
from noughts.analysis.policies.reading import policy
from noughts.analysis.records.comparison import same_games
from noughts.rules.board import Board
from noughts.rules.cells import move_name
from noughts.rules.errors import InputError
from noughts.rules.marks import Mask, mask_of
from noughts.rules.position import Position, parse_position
from noughts.solving.retrograde import SmallSolution
from tests import naive
from tests.games import OTHERS, Other

UNOWNED = [spec for spec, other in OTHERS.items() if not other.board.rules.alternating]
"""The boards of the oracle on which marks do not name the players."""


def open_positions(other: Other) -> list[str]:
    """Every position of the oracle in which the game goes on."""
    found = {path.positions[-1] for layer in naive.listed(other.rules) for path in layer}
    return sorted(position for position in found if other.rules.outcome(position) is None)


def at(board: Board, position: str) -> Position:
    return Position(board, *(mask_of(n for n, mark in enumerate(position) if mark == own) for own in "XO"))


def best(rules: naive.Rules, position: str) -> Mask:
    """The moves that keep the value."""
    worth = naive.ends(rules, position)[0]
    return mask_of(move for move in rules.moves(position) if naive.ends(rules, rules.play(position, move))[0] == worth)


def quickest(rules: naive.Rules, position: str) -> Mask:
    """The moves that keep the value and end soonest for the winner, latest for the loser; all that draw."""
    worth, _, _ = naive.ends(rules, position)
    moves = {move: naive.ends(rules, rules.play(position, move)) for move in rules.moves(position)}
    lengths = {move: plies for move, (value, plies, _) in moves.items() if value == worth}
    if not worth:
        return mask_of(lengths)
    wanted = (min if (worth == 1) == (rules.mover(position) == "X") else max)(lengths.values())
    return mask_of(move for move, plies in lengths.items() if plies == wanted)


@pytest.mark.parametrize("spec", UNOWNED)
def test_policies_by_name_make_the_moves_that_the_oracle_allows(spec: str) -> None:
    other = OTHERS[spec]
    solution = SmallSolution(other.board)
    for position in open_positions(other):
        here = at(other.board, position)
        moves = {name: policy(other.board, name).moves(here, solution) for name in ("random", "perfect", "quickest")}
        assert moves["random"] == mask_of(other.rules.moves(position)), position
        assert moves["perfect"] == best(other.rules, position), position
        assert moves["quickest"] == quickest(other.rules, position), position


@pytest.mark.parametrize("spec", UNOWNED)
def test_without_values_ends_and_replies_that_win_are_seen(spec: str) -> None:
    other = OTHERS[spec]
    rules = other.rules

    @cache
    def seen(position: str, move: int) -> str | None:
        mover, after = rules.mover(position), rules.play(position, move)
        if rules.outcome(after):
            return {mover: "win", "draw": "draw"}.get(rules.outcome(after) or "", "loss")
        replies = (rules.outcome(rules.play(after, reply)) for reply in rules.moves(after))
        return "loss" if naive.other(mover) in replies else None

    for position in open_positions(other):
        found = known_of(at(other.board, position), None)
        assert dict(found.moves) == {move: seen(position, move) for move in rules.moves(position)}, position


@pytest.mark.parametrize("spec", [*UNOWNED, "3x3+wild", "3x3+notakto*2", "3x3:3+order", "3x3:3+chaos"])
def test_games_are_told_in_the_words_of_the_game(spec: str) -> None:
    """Both sides by turns a person; nobody is called X or O, and the winner is the one whom the oracle names."""
    for x, o in (("human", "perfect"), ("medium", "human"), ("random", "perfect")):
        game, said = play(spec, "", x=x, o=o, seed=3), []
        while True:
            said.append(game.sentence)
            if game.known is not None:
                said.append(game.known.sentence)
            if game.is_over:
                break
            move = game.awaited if game.awaited is not None else game.position.moves()[-1]
            game = play(spec, (*game.moves, move), x=x, o=o, seed=3)
        for sentence in said:
            assert not re.search(
                r"\b[XO] (starts|begins|to move|is to move|wins|has|plays|could)\b|play [XO]\b", sentence
            )
        if spec in OTHERS:
            position = "".join(game.position.mark_at(cell) or "." for cell in range(game.board.cells))
            assert OTHERS[spec].rules.outcome(position) == game.position.outcome
            assert game.winner is None or game.board.rules.name_of(game.winner) in said[-1].replace("The", "the")


def test_a_move_of_a_table_follows_the_symmetries_of_the_marks() -> None:
    """A table names one board of a class; on its image the same mark goes to the image of the cell."""
    table = policy("2x2+wild", {"moves": {"X./..": ["Xb2"]}, "otherwise": "random"})
    assert table.moves(parse_position("2x2+wild", ".X/..")) == 1 << 2
    assert table.moves(parse_position("2x2+wild", "../X.")) == 1 << 1
    with pytest.raises(InputError, match=r"'b2' is not a move on 2x2:2\+wild: write the mark before the cell"):
        policy("2x2+wild", {"moves": {"X./..": ["b2"]}})


@pytest.mark.parametrize("spec", UNOWNED)
def test_a_game_is_the_same_as_its_image_under_each_symmetry(spec: str) -> None:
    """A symmetry moves cells and keeps marks; the other mark on a cell is another game."""
    board = OTHERS[spec].board
    game = play(spec, "", x="random", o="random", seed=1)
    while game.awaited is not None:
        game = play(spec, (*game.moves, game.awaited), x="random", o="random", seed=1)
    for element in board.group().elements:
        image = [element[move % board.cells] + move // board.cells * board.cells for move in game.moves]
        assert "symmetry" in same_games(board, game.moves, image).same
    if board.rules.chooses_mark:
        other = (game.moves[0] + board.cells) % board.move_count
        parted = same_games(board, game.moves[:1], [other])
        assert parted.same == ()
        assert parted.labelled is not None
        assert parted.labelled.names == tuple(move_name(board, move) for move in (game.moves[0], other))
