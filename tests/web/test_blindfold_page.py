"""The page of blindfold play: the command's data, and a strategy that can be walked through to every end."""

from __future__ import annotations

import re
from html import unescape
from itertools import product

import pytest

from noughts.blindfold.api import solve_blindfold
from noughts.blindfold.game.calls import Answer
from noughts.blindfold.game.plans import Strategy
from noughts.blindfold.game.referee import Referee, Truth
from noughts.blindfold.game.rules import BlindRules
from noughts.blindfold.walk import answer_slug, read_walk, walk
from noughts.domain.bits import mask_of
from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError
from tests.web.pages import page, refused, text_of, twin

pytestmark = pytest.mark.usefixtures("remembered")


@pytest.mark.parametrize(
    ("board", "query", "options"),
    [
        ("3x3", "", ""),
        ("2x3", "blind=O&opening_told=1&goal=win-often", "--blind O --opening-told --goal win-often"),
        ("2x3", "told=nothing&collision=lose-turn", "--told nothing --collision lose-turn"),
        ("2x3", "first=a1&goal=win-often&safe=1", "--first a1 --goal win-often --safe"),
        ("2x3", "blind=O&opening_told=1&opening=b2", "--blind O --opening-told --opening b2"),
    ],
)
def test_data_are_those_of_the_command(board, query, options):
    twin(f"/{board}/blindfold.json?{query}", "blindfold", board, *options.split(), "--format", "json")


def test_pictures_and_text_are_those_of_the_command():
    for form, name in (("svg", "svg"), ("dot", "dot"), ("txt", "text")):
        twin(f"/4x4:3/blindfold.{form}", "blindfold", "4x4:3", "--format", name)


def test_the_answer_comes_first_and_the_numbers_with_it():
    shown = text_of(page("/3x3/blindfold"))
    assert "Yes: a blind X can make sure never to lose on 3x3:3, but not to win." in shown
    assert "6,138 in all (862 up to symmetry), 1,716 reached by never losing (237)" in shown
    assert "181/192" in shown
    assert 'href="/3x3/play?blind=X"' in page("/3x3/blindfold")
    other = text_of(page("/3x3/blindfold?blind=O"))
    assert "No: a blind O cannot make sure not to lose" in other
    assert "The one that wins most often is the next best thing" in other


def ways(html: str) -> list[tuple[str, str]]:
    found = re.findall(r'<a class="button" href="([^"]+)" data-swap id="way-\d+">([^<]+)</a>', html)
    return [(unescape(to), unescape(words)) for to, words in found]


@pytest.mark.parametrize(("board", "query"), [("3x3", ""), ("2x3", "told=all")])
def test_every_place_of_the_strategy_can_be_reached_by_links(board, query):
    strategy = solve_blindfold(board, BlindRules(told="all" if "told" in query else "collision")).strategy
    assert strategy is not None
    todo, seen = [f"/{board}/blindfold?{query}"], set()
    while todo:
        address = todo.pop()
        html = page(address)
        seen.add(address)
        assert re.search(r'<p class="call">Call \d: <b>[abc][123]</b></p>', html)
        assert ways(html) or 'class="ends"' in html
        todo += [to for to, _ in ways(html)]
    assert len(seen) == strategy.places()


def ends_by_brute_force(strategy: Strategy) -> dict[tuple[str, ...], set[tuple[str, str]]]:
    """Play every reply; return for each way of answers how the game was over before the next call."""
    referee, found = Referee(strategy.board, strategy.rules), dict[tuple[str, ...], set[tuple[str, str]]]()

    def follow(truth: Truth, way: tuple[Answer, ...], branches: object) -> None:
        if truth.outcome is not None:
            key = tuple(answer_slug(strategy, each) for each in way)
            found.setdefault(key, set()).add((answer_slug(strategy, truth.answer), truth.outcome))
        elif not truth.blind_to_act:
            for cell in referee.blanks(truth):
                follow(referee.reply(truth, cell), way, branches)
        else:
            if truth.answer.kind != "start":
                way = (*way, truth.answer)
            plan = branches[truth.answer]  # type: ignore[index]
            follow(referee.call(truth, plan.call), way, plan.branches)

    follow(referee.start(), (), strategy.branches)
    return found


@pytest.mark.parametrize(
    ("board", "rules", "goal"),
    [
        ("3x3", BlindRules(), "never-lose"),
        ("2x3", BlindRules(told="all"), "never-lose"),
        ("2x3", BlindRules("O", opening_told=True), "win-often"),
        ("2x3", BlindRules(collision="lose-turn"), "win-often"),
        ("2x4:4", BlindRules(told="nothing"), "never-lose"),
        ("2x3+misere", BlindRules("O"), "win-often"),
    ],
)
def test_the_ends_at_each_place_are_those_that_play_can_have(board, rules, goal):
    strategy = solve_blindfold(board, rules, goal).strategy
    assert strategy is not None
    wanted = ends_by_brute_force(strategy)
    todo: list[tuple[Answer, ...]] = [()]
    places = 0
    while todo:
        heard = todo.pop()
        place = walk(strategy, heard)
        key = tuple(answer_slug(strategy, each) for each in heard)
        places += place.call is not None
        assert {(answer_slug(strategy, end.answer), end.outcome) for end in place.ends} == wanted.pop(key, set())
        todo += [(*heard, answer) for answer in place.onward]
        assert read_walk(strategy, "-".join(key)) == heard
    assert not wanted
    assert places == strategy.places()


def test_what_the_player_knows_is_true_and_all_that_was_said():
    rules = BlindRules(told="last-move")
    strategy = solve_blindfold("2x4", rules).strategy
    assert strategy is not None
    referee = Referee(strategy.board, rules)
    for replies in product(range(3), repeat=3):
        truth, heard, choices = referee.start(), [], iter((*replies, 0, 0, 0))
        branches = strategy.branches
        while truth.outcome is None:
            if not truth.blind_to_act:
                blanks = referee.blanks(truth)
                truth = referee.reply(truth, blanks[next(choices) % len(blanks)])
                continue
            if truth.answer.kind != "start":
                heard.append(truth.answer)
            place = walk(strategy, heard)
            assert place.own == mask_of(truth.own)
            assert place.known == mask_of(truth.known - truth.own)
            plan = branches[truth.answer]
            assert place.call == plan.call
            branches = plan.branches
            truth = referee.call(truth, plan.call)


def test_words_at_a_place():
    html = page("/3x3/blindfold?walk=free-free")
    shown = text_of(html)
    call = re.search(r"Call 3: <b>([abc][123])</b>", html)
    assert call
    assert f"{call[1]} is free: X wins." in shown
    assert f"{call[1]} is taken" in [words for _, words in ways(html)]
    assert "X knows: X on " in shown
    assert 'id="walk-back" href' in html or 'data-swap id="walk-back"' in html
    assert 'id="walk-back"' not in page("/3x3/blindfold")


def test_an_end_by_the_reply_is_said_to_be_one():
    todo, said = ["/2x3/blindfold?blind=O&goal=win-often"], ""
    while todo and len(said) < 20_000:
        html = page(todo.pop(0))
        said += " ".join(re.findall(r'<ul class="ends">(.*?)</ul>', html, re.S))
        todo += [to for to, _ in ways(html)]
    assert "X wins after X&#39;s reply" in said
    assert "O wins after" not in said
    assert ": O wins." in said


def test_no_strategy_to_walk_where_both_are_blind():
    html = page("/2x2/blindfold?blind=both")
    assert 'class="walk"' not in html
    assert 'id="play-blind"' not in html
    assert "With both players blind" in html


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("walk=taken", "leads nowhere here: there is free"),
        ("walk=maybe", "is nothing that is heard"),
        ("walk=taken.z9", "z9"),
        ("opening_told=1", "only a blind O"),
        ("safe=1", "safe goes with goal=win-often"),
        ("told=everything", "told"),
    ],
)
def test_what_makes_no_sense_is_refused(query, words):
    assert words in unescape(refused(f"/3x3/blindfold?{query}"))


def test_a_walk_ends_where_the_game_does():
    strategy = solve_blindfold("3x3").strategy
    assert strategy is not None
    heard: tuple[Answer, ...] = ()
    while walk(strategy, heard).onward:
        heard = (*heard, walk(strategy, heard).onward[-1])
    last = walk(strategy, heard)
    assert last.ends
    assert last.call is not None
    assert cell_name(strategy.board, last.call)
    with pytest.raises(InputError, match="the game is over by then"):
        walk(strategy, (*heard, Answer("free")))


def test_nothing_inline():
    assert not re.search(r"\sstyle=|<style|\son\w+=|<script(?! type=\"module\" src)", page("/3x3/blindfold"))
