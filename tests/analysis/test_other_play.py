"""Play where marks do not name the players: what opponents choose, and the words of a game."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

import pytest

import noughts
from noughts.analysis.policies.playing import hint_at, known_of, opponents, play
from noughts.analysis.policies.reading import policy
from noughts.analysis.records.comparison import same_games
from noughts.rules.board import Board
from noughts.rules.cells import move_name
from noughts.rules.errors import InputError, InvalidQuestion
from noughts.rules.marks import Mask, cells_of, mask_of
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
def test_medium_errs_in_one_move_of_four_where_it_can(spec: str) -> None:
    other = OTHERS[spec]
    solution = SmallSolution(other.board)
    for position in open_positions(other):
        good = best(other.rules, position)
        shares = policy(other.board, "medium").probabilities(at(other.board, position), solution)
        bad = mask_of(other.rules.moves(position)) & ~good
        assert sum(shares.get(move, Fraction(0)) for move in cells_of(bad)) == (Fraction(1, 4) if bad else 0)
        assert sum(shares.values()) == 1


@pytest.mark.parametrize("spec", UNOWNED)
def test_a_policy_in_a_file_is_the_policy(spec: str) -> None:
    other = OTHERS[spec]
    perfect, solution = policy(other.board, "perfect"), SmallSolution(other.board)
    listed = policy(other.board, perfect.as_dict(other.board))
    for position in open_positions(other):
        here = at(other.board, position)
        assert listed.moves(here) == perfect.moves(here, solution), position


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


def test_the_sentences_of_wild() -> None:
    """The first player wins in the centre; a person who gives that away is told who moves."""
    assert play("3x3+wild").sentence == "You begin: you are the first player."
    assert play("3x3+wild", x="perfect", o="human").sentence in (
        "The first player plays Xb2. Your move: you are the second player.",
        "The first player plays Ob2. Your move: you are the second player.",
    )
    assert play("3x3+wild", "Xa1 Xb1", o="human").sentence == "The first player is to move."
    assert play("3x3+wild", "Xa1 Xb1 Xc1", o="human").sentence == "The first player has won with the line a1-b1-c1."
    assert play("3x3+wild+misere", "Xa1 Xb1 Xc1").sentence.startswith("You lose. The second player has won")


def test_notakto_on_two_boards_goes_on_until_both_have_a_line() -> None:
    game = play("3x3+notakto*2", "a1.1 b1.1 c1.1", o="human")
    assert game.sentence == "The second player is to move."
    assert {move.cell // 9 for move in game.position.moves()} == {1}
    with pytest.raises(InputError, match=r"a2\.1 cannot be played in .*: the moves there are a1\.2"):
        play("3x3+notakto*2", "a1.1 b1.1 c1.1 a2.1")
    assert play("1x2:2+notakto*2", "a1.1 b1.1 a1.2 b1.2", o="human").sentence == (
        "The first player has won: the second player has completed the last line, which loses."
    )


def test_opponents_are_those_that_have_a_meaning() -> None:
    for spec in ("3x3+wild", "3x3+notakto", "4x4:4+order"):
        assert {"perfect", "medium", "random"} <= {each.name for each in opponents(Board.parse(spec))}
        for name in ("block", "fork", "win", "concede"):
            with pytest.raises(InvalidQuestion, match=f"the policy {name} is not made for .*: choose random, perfect"):
                play(spec, x=name)


def test_who_ends_a_game_of_order_and_chaos() -> None:
    """Chaos takes a cell that Order needs, with the mark that Order does not want."""
    assert str(play("1x3:3+order", "Xa1", o="perfect", seed=2).reply) in ("Ob1", "Oc1")
    done = play("1x3:3+order", "Xa1 Ob1 Xc1", o="human")
    assert done.sentence == "Chaos has won: the board is full without a line."
    assert noughts.play("1x3:3+chaos", "Xa1 Xb1 Xc1", o="human").sentence == "Order has won with the line a1-b1-c1."


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


@pytest.mark.parametrize("spec", UNOWNED)
def test_a_hint_plays_the_best_and_names_it(spec: str) -> None:
    other = OTHERS[spec]
    for position in open_positions(other)[::7]:
        words, found = hint_at(at(other.board, position))
        moves = [found[0]] if found else []
        assert all(quickest(other.rules, position) >> move & 1 for move in moves), position
        assert moves, position
        assert words.startswith(("Play ", "To win, play ")), words
        assert not words.endswith(("line wins.", "line loses.")), words


def test_a_genome_plays_where_players_have_marks_of_their_own() -> None:
    with pytest.raises(InvalidQuestion, match=r"a genome cannot be used with \+wild"):
        policy("3x3+wild", "genome:real:XO:1f")
