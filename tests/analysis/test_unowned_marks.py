"""What is said of positions of wild, Notakto, and order and chaos, whose marks do not name the players."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

import pytest

import noughts
from noughts.analysis.explain.explanation import explain
from noughts.analysis.explain.facts import previous_positions, ways_by_choices, ways_to
from noughts.present.report import PIPE
from noughts.present.text import as_text
from noughts.rules.board import Board
from noughts.rules.errors import InputError, InvalidPosition, InvalidQuestion
from noughts.rules.marks import Outcome
from noughts.rules.position import Position, parse_position
from noughts.verbs import explain as explain_verb
from noughts.verbs import openings as openings_verb
from noughts.verbs import review as review_verb
from noughts.verbs import tree as tree_verb
from tests import naive
from tests.games import OTHERS

UNOWNED = {spec: other for spec, other in OTHERS.items() if not other.board.rules.alternating}
WORTH: dict[Outcome, int] = {"X": 1, "draw": 0, "O": -1}
OWNED = re.compile(r"\b[XO] (starts|to move|wins|won|has|can|loses|threatens|plays|on [a-z])\b|\b(of|by|for) [XO]\b")
"""Words that speak of a mark as of a player."""


@cache
def reached(spec: str) -> dict[str, int]:
    """Each position that games reach, with the number of orders of moves to it."""
    ways: dict[str, int] = {}
    for path in (path for layer in naive.listed(UNOWNED[spec].rules) for path in layer):
        ways[path.positions[-1]] = ways.get(path.positions[-1], 0) + 1
    return ways


def some(spec: str, most: int = 90) -> list[str]:
    found = sorted(reached(spec))
    return found[:: 1 + len(found) // most]


def at(spec: str, text: str) -> Position:
    """The position of a string of the oracle, which has no breaks."""
    marks = [sum(1 << cell for cell, mark in enumerate(text) if mark == player) for player in "XO"]
    return Position(UNOWNED[spec].board, *marks)


def flat(position: Position) -> str:
    return str(position).replace("/", "").replace("|", "")


@pytest.mark.parametrize("spec", UNOWNED)
def test_values_of_positions_and_moves(spec: str) -> None:
    rules = UNOWNED[spec].rules
    for text in some(spec):
        facts = explain(UNOWNED[spec].board, at(spec, text))
        worth, plies, outcomes = naive.ends(rules, text)
        assert facts.outcome is not None
        assert (WORTH[facts.outcome], facts.remoteness) == (worth, plies)
        assert facts.to_move == rules.mover(text)
        assert facts.label is not None
        assert ("can" in facts.label) == (len(outcomes) > 1)
        if rules.outcome(text):
            assert not facts.moves
            continue
        assert [int(move.cell) for move in facts.moves] == sorted(rules.moves(text))
        after = {move: naive.ends(rules, rules.play(text, move)) for move in rules.moves(text)}
        for move in facts.moves:
            assert (WORTH[move.outcome or "draw"], move.remoteness) == after[move.cell][:2]
            assert flat(move.position) == rules.play(text, move.cell)
        keeping = {move: plies for move, (end, plies, _) in after.items() if end == worth}
        best = min(keeping.values()) if worth == {"X": 1, "O": -1}[rules.mover(text)] else max(keeping.values())
        assert {int(m.cell) for m in facts.best_moves} == {m for m, plies in keeping.items() if plies == best}


@pytest.mark.parametrize(
    ("spec", "sides", "boards"),
    [("2x2:2+wild", (2, 2, 2), 1), ("1x5:3+order", (1, 5, 3), 1), ("1x3:2+notakto*2", (1, 3, 2), 2)],
)
def test_moves_that_complete_a_line(spec: str, sides: tuple[int, int, int], boards: int) -> None:
    board, rules = naive.grid(*sides), UNOWNED[spec].rules

    def lines(text: str) -> int:
        parts = [text[start : start + board.cells] for start in range(0, len(text), board.cells)]
        assert len(parts) == boards
        return sum(all(part[cell] == mark for cell in line) for part in parts for line in board.lines for mark in "XO")

    seen = set()
    for text in reached(spec):
        moves = [] if rules.outcome(text) else sorted(rules.moves(text))
        found = explain(UNOWNED[spec].board, at(spec, text))
        completing = [move for move in moves if lines(rules.play(text, move)) > lines(text)]
        assert list(found.completing or ()) == completing
        assert (found.threats, found.forks, found.forced, found.forced_wins) == (None,) * 4
        seen.add(bool(completing))
    assert seen == {True, False}
    assert explain("3x3").completing is None


@pytest.mark.parametrize("spec", UNOWNED)
def test_ways_and_positions_before(spec: str) -> None:
    rules, group = UNOWNED[spec].rules, UNOWNED[spec].group
    earlier: dict[str, set[str]] = {}
    for text in reached(spec):
        for move in [] if rules.outcome(text) else rules.moves(text):
            earlier.setdefault(rules.play(text, move), set()).add(text)
    choices = naive.table(naive.listed(rules), "choices", group, group)
    by_ply: dict[int, int] = {}
    for text, ways in reached(spec).items():
        position = at(spec, text)
        assert ways_to(position) == ways
        found = {naive.position_class(flat(before), group) for before, _ in previous_positions(position)}
        assert found == {naive.position_class(before, group) for before in earlier.get(text, ())}
        for before, moves in previous_positions(position):
            classes = {naive.position_class(flat(before.play(move)), group) for move in moves[:1]}
            assert classes == {naive.position_class(text, group)}
        if text == naive.position_class(text, group):
            by_ply[position.ply] = by_ply.get(position.ply, 0) + (ways_by_choices(position) or 0)
    assert by_ply == {row["ply"]: row["paths"] for row in choices}


@pytest.mark.parametrize("spec", [*UNOWNED, "3x3+wild", "3x3+notakto*2"])
def test_words_name_the_players_as_the_game_does(spec: str) -> None:
    """Every answer about a position, finished or not, in the report, the picture and the page's data."""
    board = Board.parse(spec)
    seen = set()
    for game in ("", "1", "1 2", "2 1 3", "1 2 3 4"):
        names = [f"{'XO'[i % 2] if board.rules.chooses_mark else ''}{cell}" for i, cell in enumerate(game.split())]
        try:
            position = parse_position(board, " ".join(names) or Position(board))
        except InvalidPosition:
            continue  # the game was over before
        facts = explain(board, " ".join(names) or position)
        seen.add(facts.is_terminal)
        said = [as_text(explain_verb.report(facts), PIPE), facts.label or "", *facts.sentences]
        said += [noughts.draw(facts), noughts.draw(noughts.solve(board, position).answer(position))]
        for text in said:
            assert not OWNED.search(text), text
            assert not facts.is_terminal or "to move" not in text
    assert False in seen


@pytest.mark.parametrize(
    ("spec", "moves", "sentence"),
    [
        ("3x3+wild", "Xb2 Xa1 Xc3", "The first player has won with the line a1-b2-c3."),
        (
            "3x3+wild+misere",
            "Xb2 Oa1 Xc3 Xb1 Xb3",
            "The second player has won: the first player has completed the line b1-b2-b3, which loses under misere.",
        ),
        (
            "3x3+notakto",
            "b2 a1 c3",
            "The second player has won: the first player has completed the line a1-b2-c3, which loses.",
        ),
        (
            "1x2:2+notakto*2",
            "a1.1 a1.2 b1.1 b1.2",
            "The first player has won: the second player has completed the last line, which loses.",
        ),
        ("2x2+order", "Xa1 Xb1", "Order has won with the line a1-b1."),
        ("1x3:2+chaos", "Xa1 Ob1 Xc1", "Chaos has won: the board is full without a line."),
        ("1x3:3+wild", "Xa1 Ob1 Xc1", "The game is drawn: the board is full and it has no line."),
    ],
)
def test_ends_in_the_words_of_the_game(spec: str, moves: str, sentence: str) -> None:
    found = explain(spec, moves)
    assert found.sentences[0] == sentence
    assert sentence[1:] in " ".join(as_text(explain_verb.report(found), PIPE).split())


@pytest.mark.parametrize("spec", ["2x2:2+notakto*2", "2x2:2+wild", "1x5:3+wild+misere", "1x5:3+order", "2x2:2+chaos"])
def test_records_of_positions(spec: str) -> None:
    """Ways, finishes, values, moves and random play of every labelled board, against all games."""
    rules, board = UNOWNED[spec].rules, UNOWNED[spec].board

    @cache
    def finishes(text: str) -> int:
        return 1 if rules.outcome(text) else sum(finishes(rules.play(text, move)) for move in rules.moves(text))

    @cache
    def chance(text: str) -> Fraction:
        if outcome := rules.outcome(text):
            return Fraction(outcome == "X")
        after = [chance(rules.play(text, move)) for move in rules.moves(text)]
        return sum(after, Fraction(0)) / len(after)

    found = noughts.positions(board, same="labelled")
    assert {flat(record.position) for record in found} == set(reached(spec))
    for record in found:
        text = flat(record.position)
        assert (record.ways, record.finishes) == (reached(spec)[text], finishes(text))
        assert record.random_play.x_wins == chance(text)
        assert (WORTH[record.outcome], record.remoteness) == naive.ends(rules, text)[:2]
        over = rules.outcome(text) is not None
        assert sorted(cell for move in record.moves for cell in move.cells) == (
            [] if over else sorted(rules.moves(text))
        )
        for move in record.moves:
            for cell in move.cells:
                after = naive.position_class(rules.play(text, cell), UNOWNED[spec].group)
                assert naive.position_class(flat(move.position), UNOWNED[spec].group) == after
        assert (record.threats, record.forks, record.is_fork) == (None, None, None)


@pytest.mark.parametrize("spec", UNOWNED)
def test_openings_and_trees(spec: str) -> None:
    """First moves, replies and the classes of the full tree are those of all games; scores are averages."""
    rules, board, group = UNOWNED[spec].rules, UNOWNED[spec].board, UNOWNED[spec].group
    theory, start = noughts.openings(board), "." * UNOWNED[spec].rules.cells
    assert sorted(cell for move in theory.openings for cell in move.cells) == sorted(rules.moves(start))
    for opening in theory.openings:
        classes = {naive.position_class(rules.play(start, cell), group) for cell in opening.cells}
        assert len(classes) == 1
        assert WORTH[opening.outcome or "draw"] == naive.ends(rules, rules.play(start, opening.cell))[0]
        replied = rules.play(start, opening.cell)
        replies = [] if rules.outcome(replied) else sorted(rules.moves(replied))
        assert sorted(cell for reply in opening.replies for cell in reply.cells) == replies
        for reply in opening.replies:
            assert WORTH[reply.outcome or "draw"] == naive.ends(rules, rules.play(replied, reply.cell))[0]
    assert not OWNED.search(as_text(openings_verb.report(theory), PIPE))
    grown = noughts.tree(board, kind="full")
    assert len(grown.nodes) == len({naive.position_class(text, group) for text in reached(spec)})
    assert not OWNED.search(as_text(tree_verb.report(grown), PIPE) + noughts.draw(grown))
    for game in grown.best_games(most=2):
        moves = " ".join(grown.moves_of(game))
        assert parse_position(board, moves).is_terminal
    with pytest.raises(InvalidQuestion, match=r"which .* does not have: choose full, openings, policy"):
        noughts.tree(board)


@pytest.mark.parametrize(
    ("spec", "game"), [("3x3+wild", "Xb2 Oa1 Xb1 Xb3"), ("3x3+notakto", "a1 b2 c2 b1 b3"), ("2x3:3+order", "Oa1 Xb1")]
)
def test_reviews(spec: str, game: str) -> None:
    """Verdicts follow the values before and after each move; all of it in the words of the game."""
    found = noughts.review(spec, game)
    values = noughts.solve(spec)
    for move in found.moves:
        assert move.due == values.outcome(move.before)
        assert move.outcome == values.outcome(move.after)
        kept = [each.cell for each in values.moves(move.before) if each.outcome == move.due]
        assert list(move.better) == (sorted(kept) if move.is_mistake else [])
    said = f"{as_text(review_verb.report(found), PIPE)} {review_verb.forms(found, PIPE)['svg']()!r}"
    assert not OWNED.search(said), said


@pytest.mark.slow
def test_numbers_of_these_games_are_found() -> None:
    """The oracle's numbers of games and classes, and of classes by value, each with the players of the game."""
    for spec, name in (("2x2:2+wild", "the second player"), ("1x5:3+order", "Order")):
        rules, group = UNOWNED[spec].rules, UNOWNED[spec].group
        classes = {naive.position_class(text, group) for text in reached(spec)}
        games = sum(1 for layer in naive.listed(rules) for path in layer if path.outcome)
        assert any(each.what == "finished games" for each in noughts.whatis(games, board=spec).matches)
        assert any("up to the symmetries" in each.what for each in noughts.whatis(len(classes), board=spec).matches)
        worth = {"the second player": -1, "Order": 1}[name]
        won = sum(naive.ends(rules, text)[0] == worth for text in classes)
        said = [each.what for each in noughts.whatis(won, board=spec).matches]
        assert f"position classes that {name} wins with best play, finished ones included" in said
        assert not any(OWNED.search(what) for what in said)


@pytest.mark.parametrize("spec", ["1x5:3+wild+misere", "3x3:3+notakto", "1x5:3+order", "2x2:2+notakto*2"])
def test_puzzles_are_the_positions_with_one_right_move(spec: str) -> None:
    """All of them up to symmetry, by brute force; their words name the players as the game does."""
    rules, group = UNOWNED[spec].rules, UNOWNED[spec].group
    expected = set()
    for text in {naive.position_class(each, group) for each in reached(spec)}:
        moves = [] if rules.outcome(text) else rules.moves(text)
        sign = {"X": 1, "O": -1}[rules.mover(text)]
        worth = {move: sign * naive.ends(rules, rules.play(text, move))[0] for move in moves}
        right = [m for m, end in worth.items() if end == 1] or [m for m, end in worth.items() if end == 0]
        if len(right) == 1 and len(moves) >= 3:
            expected.add(text)
    if not expected:
        with pytest.raises(InputError, match="found no puzzles"):
            noughts.puzzles(spec)
        return
    found = noughts.puzzles(spec, len(expected), seed=3)
    assert found.there == len(expected)
    assert {naive.position_class(flat(puzzle.position), group) for puzzle in found} == expected
    for puzzle in found:
        text = flat(puzzle.position)
        after = {move: rules.play(text, move) for move in rules.moves(text)}
        worth = {move: naive.ends(rules, each)[0] for move, each in after.items()}
        mine = {"X": 1, "O": -1}[rules.mover(text)]
        assert worth[puzzle.cell] == (mine if puzzle.goal == "win" else 0)
        assert [move for move, end in worth.items() if end * mine >= worth[puzzle.cell] * mine] == [puzzle.cell]
        said = " ".join([puzzle.question, *puzzle.hints, *puzzle.explanation])
        assert not OWNED.search(said), said
        assert puzzle.answer in puzzle.explanation[0]
        assert "forced win" not in puzzle.themes
