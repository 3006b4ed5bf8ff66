"""What is said of first moves and replies: sentences on small boards that were read one by one, and on the unknown."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.analysis.explain.explanation import explain
from noughts.analysis.explain.openings import OpeningMove, OpeningTheory, openings
from noughts.analysis.explain.wording import Quality
from noughts.drawing.figures import openings_picture
from noughts.present.report import PIPE
from noughts.present.text import as_text
from noughts.rules.board import Board
from noughts.rules.cells import moves_on, parse_cell
from noughts.rules.marks import Outcome
from noughts.rules.position import Position
from noughts.verbs.openings import report as opened
from tests import naive
from tests.analysis.oracle import Oracle, oracle

READ: dict[str, list[str]] = {}
for _line in (Path(__file__).parent / "advice.txt").read_text(encoding="utf-8").splitlines():
    if _line.startswith(" "):
        READ[list(READ)[-1]].append(_line.strip())
    else:
        READ[_line] = []


@pytest.mark.parametrize("asked", READ)
def test_the_sentences_that_were_read(asked: str) -> None:
    spec, _, start = asked.partition(" ")
    theory = openings(spec, start or None)
    assert [theory.summary, *theory.advice] == READ[asked]


def cells_in(words: str, blanks: str, spec: str) -> set[int]:
    """Return the cells that words such as `the corners and b2 (centre)` name."""
    board = Board.parse(spec)
    kinds = {"the corners": (0, 2, 6, 8), "the edges": (1, 3, 5, 7)}
    found: set[int] = set()
    for word in re.split(", | and ", re.sub(r" \(\w+\)", "", words)):
        found |= {c for c in kinds[word] if blanks[c] == "."} if word in kinds else {parse_cell(board, word)}
    return found


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "2x3:3", "2x4:3", "2x5:3", "2x3:2+misere"])
def test_no_sentence_with_only_or_other_is_false_of_a_cell_that_it_does_not_name(spec: str) -> None:
    rows, columns, _ = Board.parse(spec).shape or (0, 0, 0)
    k = Board.parse(spec).k
    assert k is not None
    game = naive.grid(rows, columns, k, torus="torus" in spec, misere="misere" in spec)
    said = 0
    for start in ("", "a1", "b1", "b2", "a1 b1", "a1 b2", "b2 a1 c1"):
        at = "." * game.cells
        for word in start.split():
            at = naive.play(at, parse_cell(Board.parse(spec), word))
        if naive.line_outcome(game, at) is not None:
            continue
        theory = openings(spec, start or None)
        for opening, sentence in zip(theory.openings, theory.advice[1:], strict=True):
            after = naive.play(at, opening.cell)
            match = re.match(
                r"After [^,]*, (only )?(.*?) (?:holds?|wins?)(?:; (every other reply)|; the other|[;.])", sentence
            )
            if match is None or "every reply" in sentence or "the only reply" in sentence:
                continue
            worth = naive.value(game, after)
            keeping = {c for c in naive.blanks(after) if naive.value(game, naive.play(after, c)) == worth}
            assert cells_in(match[2], after, spec) == keeping, sentence
            others = {naive.value(game, naive.play(after, c)) for c in naive.blanks(after)} - {worth}
            assert not match[3] or len(others) == 1, sentence
            said += 1
    assert said


SAID = {
    r"Any move keeps (the draw|your win)\.": "all",
    r"Every move but .* (loses|gives up the win)\.": "but",
    r"To (keep the draw|win), play ": "these",
    r"(?!The|After)[^:]* (keeps? the draw|loses?|gives? up the win)[.:]": "these",
}
"""Sentences about what moves come to, and whether they are about all moves, those they name, or the others."""


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "2x4:3", "2x5:3", "2x3:2+misere"])
def test_advice_in_any_position_is_true_of_the_cells_that_it_names_and_of_no_others(spec: str) -> None:
    board, rng, said = Board.parse(spec), random.Random(spec), set[str]()
    rows, columns, _ = board.shape or (0, 0, 0)
    game = oracle(rows, columns, board.k or 0, misere=board.misere)
    for _ in range(80):
        at = game.empty
        for _ in range(rng.randrange(board.cells)):
            at = at if game.over(at) else game.put(at, rng.choice(game.blanks(at)))
        if game.over(at) or len(game.outcomes(at)) == 1:
            continue
        mover, worth = game.mover(at), {cell: game.value(game.put(at, cell)) for cell in game.blanks(at)}
        for sentence in explain(spec, game.slashed(at)).sentences:
            kind = next((kind for words, kind in SAID.items() if re.match(words, sentence)), None)
            if kind is None:
                continue
            outcome = "draw" if "draw" in sentence or "up the win" in sentence else mover
            outcome = game.other(mover) if re.search(r"\bloses?\b", sentence) else outcome
            true = {game.name(cell) for cell in worth if worth[cell] == outcome}
            others = {game.name(cell) for cell in worth} - true
            named = set(re.findall(r"\b[a-e]\d\b", sentence.split(":")[0]))
            assert {"all": not others, "these": named == true, "but": named == others}[kind], (sentence, at)
            said.add(kind)
    assert "these" in said


def made(*does: Quality | None, outcome: Outcome | None = None, worth: Outcome | None = None) -> OpeningTheory:
    """A theory of 1x9:9 with one first move and some replies; of what None does the outcome was not found."""
    start = Position(Board.parse("1x9:9"))
    worths: dict[Quality | None, Outcome | None] = {"keeps": worth, "loses": "X", "gives up a win": "draw", None: None}
    first = start.play(0)
    replies = tuple(
        OpeningMove(moves_on(start.board, [cell]), first.play(cell), None, worths[each], None, each)
        for cell, each in enumerate(does, 1)
    )
    opening = OpeningMove(moves_on(start.board, [0]), first, None, worth, None, "keeps" if worth else None, replies)
    return OpeningTheory(start, outcome, None, (opening,))


# What is said of moves: that they lose, give up a win, or how soon they win, against the oracle on strings.

BOARDS = {
    "3x3:3": oracle(3, 3, 3),
    "3x3:3+misere": oracle(3, 3, 3, True),
    "3x3:3+torus": oracle(3, 3, 3, torus=True),
    "3x3:3+torus+misere": oracle(3, 3, 3, True, torus=True),
    "2x4:3": oracle(2, 4, 3),
    "2x4:2+misere": oracle(2, 4, 2, True),
    "3x3:4": oracle(3, 3, 4),
    "2x2:2": oracle(2, 2, 2),
    "2x3:1": oracle(2, 3, 1),
    "1x6:3": oracle(1, 6, 3),
    "3x3:2": oracle(3, 3, 2),
}
OPEN = {spec: [s for s in board.reachable() if not board.over(s)] for spec, board in BOARDS.items()}
PLACES = st.sampled_from(sorted(BOARDS)).flatmap(lambda spec: st.tuples(st.just(spec), st.sampled_from(OPEN[spec])))


def kind(board: Oracle, s: str, cell: int) -> str:
    """What a move does, by the three facts that the words stand for."""
    me, then = board.mover(s), board.put(s, cell)
    was_lost, is_lost = board.value(s) == board.other(me), board.value(then) == board.other(me)
    if was_lost:
        return "lost before"
    if is_lost:
        return "loses"
    return "gives up a win" if board.value(s) == me and board.value(then) != me else "keeps"


def length(board: Oracle, s: str) -> int:
    """How many moves the side that completes the line makes from here, when the winner hurries and the loser delays."""
    winner, made = board.value(s), []
    assert winner != "draw"
    while not board.over(s):
        me, after = board.mover(s), [board.put(s, c) for c in board.blanks(s)]
        after = [t for t in after if board.value(t) == winner]
        s = (min if me == winner else max)(after, key=board.remoteness)
        made.append(me)
    return made.count(board.other(winner) if board.misere else winner)


def said(board: Oracle, s: str, cell: int) -> str:
    """The verdict on a move in words."""
    then, me = board.put(s, cell), board.mover(s)
    does = kind(board, s, cell)
    if board.value(then) == "draw":
        return "gives up the win" if does == "gives up a win" else "draws"
    word = "wins" if board.value(then) == me else "loses" if does == "loses" else "lost"
    completer = board.other(board.value(then)) if board.misere else board.value(then)
    moves = (me == completer) + (0 if board.over(then) else length(board, then))
    return f"{word} in {moves} move{'s' * (moves != 1)}"


@settings(max_examples=60, deadline=None)
@given(PLACES)
def test_openings_call_replies_what_they_are(place):
    spec, s = place
    board = BOARDS[spec]
    theory = openings(spec, board.slashed(s))
    tally = {"loses": 0, "gives up a win": 0, "lost before": 0, "keeps": 0}
    for opening, sentence in zip(theory.openings, theory.advice[1:], strict=True):
        t = board.put(s, opening.cell)
        assert opening.quality == kind(board, s, opening.cell)
        assert theory.verdict(opening) == said(board, s, opening.cell)
        assert opening.losing_answers == (board.losing_answers(t) if board.value(s) == "draw" else None)
        kinds = []
        for reply in opening.replies:
            kinds.append(kind(board, t, reply.cell))
            assert (reply.quality, reply.loses, reply.gives_up_win) == (
                kinds[-1],
                kinds[-1] == "loses",
                kinds[-1] == "gives up a win",
            )
            assert theory.verdict(reply, opening) == said(board, t, reply.cell)
            keeps = board.value(t) == "draw"
            assert reply.losing_answers == (board.losing_answers(board.put(t, reply.cell)) if keeps else None)
            tally[kinds[-1]] += 1
        check_sentence(sentence, kinds)
    assert (theory.losing_replies, theory.of_quality("gives up a win")) == (tally["loses"], tally["gives up a win"])
    assert summed(theory.summary, "lose") == tally["loses"]
    assert summed(theory.summary, "give") == tally["gives up a win"]
    captions = [node.captions for node in openings_picture(theory).nodes]
    firsts = sum(kind(board, s, o.cell) == "loses" for o in theory.openings)
    assert sum(any(" loses" in line for line in lines) for lines in captions) == tally["loses"] + firsts
    assert theory.summary in openings_picture(theory).note
    assert theory.summary in as_text(opened(theory)).replace("\n", " ")


def summed(text: str, verb: str) -> int:
    found = re.search(rf"(\d+)(?: of \d+ replies)? {verb}", text)
    return int(found[1]) if found else 0


def check_sentence(sentence: str, kinds: list[str]) -> None:
    """Compare what a sentence about the replies to a move claims with what they are."""
    for verb, what in (("lose", "loses"), ("give", "gives up a win")):
        many = kinds.count(what)
        found = re.search(rf"(reply|edges|corners|[a-z]\d+(?: \(\w+\))?,?) {verb}s?\b", sentence)
        assert (found is not None) == (many > 0), (sentence, kinds)
        if "every other reply" in sentence or "the other reply," in sentence:
            assert many in (0, len(kinds) - kinds.count("keeps")), (sentence, kinds)
    assert (" loses with best play" in sentence) == ("lost before" in kinds), (sentence, kinds)


# Rules of thumb, by a search of our own on strings.


def rule_steps(board: Oracle, s: str) -> dict[str, list[int]]:
    """The blank cells of each step of a rule."""
    me, them = board.mover(s), board.other(board.mover(s))
    at = [(cell, *divmod(cell, board.columns)) for cell in board.blanks(s)]
    theirs = [divmod(cell, board.columns) for cell, mark in enumerate(s) if mark == them]

    def ends(r: int, c: int) -> int:
        return (r in (0, board.rows - 1)) + (c in (0, board.columns - 1))

    def stops(t: str) -> bool:
        return board.over(t) or not set(board.forks(t, them)) & set(board.block_rule(t))

    lines = {
        "win": board.threats(s, me),
        "block": board.threats(s, them),
        "fork": board.forks(s, me),
        "stop fork": [c for c in board.blanks(s) if stops(board.put(s, c))] if board.forks(s, them) else [],
    }
    places = {kind: [x for x, r, c in at if ends(r, c) == n] for n, kind in enumerate(("centre", "edge", "corner"))}
    places["opposite"] = [x for x, r, c in at if (board.rows - 1 - r, board.columns - 1 - c) in theirs]
    places["beside"] = [x for x, r, c in at if any(abs(r - a) + abs(c - b) == 1 for a, b in theirs)]
    return {**({} if board.misere else lines), **({} if board.torus or board.rows == 1 else places)}


def is_right(board: Oracle, boards: list[str], rule: tuple[str, ...]) -> bool:
    for s in boards:
        cells = [found for step in rule if (found := rule_steps(board, s)[step])]
        if any(board.value(board.put(s, cell)) != board.value(s) for cell in (cells or [board.blanks(s)])[0]):
            return False
    return True


RULES = {
    "3x3:3": ("centre", "corner"),
    "3x3:3+misere": None,
    "2x4:3": ("stop fork",),
    "1x6:3": ("stop fork",),
    "2x4:2+misere": ...,
    "3x3:3+torus": ...,
    "2x3:1": ...,
}


@pytest.mark.parametrize("spec", RULES)
def test_the_rule_of_thumb_is_right_and_no_shorter_one_is(spec: str) -> None:
    """The centre if it is blank, else a corner ("... using Clojure", part 2), and rules of other boards."""
    board, rule = BOARDS[spec], openings(spec).rule
    boards = [s for s in (board.put(board.empty, cell) for cell in range(board.cells)) if not board.over(s)]
    if is_right(board, boards, ()):
        assert rule is None
        return
    assert rule is not None
    assert rule.boards == len(boards)
    assert RULES[spec] in (..., rule.steps)
    longest = 3 if rule.steps is None else len(rule.steps) - 1
    shorter = [each for n in range(longest + 1) for each in permutations(rule_steps(board, boards[0]), n)]
    assert not any(is_right(board, boards, each) for each in shorter)
    if rule.steps is None:
        assert rule.sentence.startswith("No rule of thumb of up to 3 steps")
    else:
        assert is_right(board, boards, rule.steps)
        always = all(any(rule_steps(board, s)[step] for step in rule.steps) for s in boards)
        assert rule.sentence.endswith("else any cell.") != always
    assert rule.sentence in " ".join(as_text(opened(openings(spec))).split())


@pytest.mark.parametrize(("start", "wanted"), [(None, "3x3:3 a1 b1"), ("a1", "3x3:3 'XOX/.../...'")])
def test_the_first_value_that_was_not_found_is_searched_next(start: str | None, wanted: str) -> None:
    theory = openings("3x3", start)
    assert "noughts solve" not in as_text(opened(theory), PIPE)
    first = theory.openings[0]
    replies = (replace(first.replies[0], outcome=None, label=None, quality=None), *first.replies[1:])
    unknown = replace(theory, openings=(replace(first, replies=replies), *theory.openings[1:]))
    assert f"noughts solve {wanted}\n" in as_text(opened(unknown), PIPE)
