"""The page of blindfold play: the command's data, and a strategy that can be walked through to every end."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import product
from typing import Any

import pytest

from noughts.blindfold.game import COLLISION, FEEDBACK, Answer, BlindRules, Referee, Strategy, Truth
from noughts.blindfold.session import answer_slug, read_walk, solve_blindfold, walk
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError
from noughts.web.addresses import read_address
from noughts.web.replies import answer
from tests.web.site import page, refused, text_of, twin

pytestmark = pytest.mark.usefixtures("remembered")


@pytest.mark.parametrize(
    ("board", "query", "options"),
    [
        ("3x3", "", ""),
        ("2x3", "blind=O&opening_told=1&goal=win-often", "--blind O --opening-told --goal win-often"),
        ("2x3", "told=nothing&collision=lose-turn", "--told nothing --collision lose-turn"),
        ("2x3", "first=a1&goal=win-often&safe=1", "--first a1 --goal win-often --safe"),
        ("2x3", "blind=O&opening_told=1&opening=b2", "--blind O --opening-told --opening b2"),
        ("3x3", "from=X+b2,+taken+b1&first=b3", "--from X_b2,_taken_b1 --first b3"),
        ("2x3", "told=nothing&from=called+b2", "--told nothing --from called_b2"),
    ],
)
def test_data_are_those_of_the_command(board, query, options):
    given = [word.replace("_", " ") for word in options.split()]
    twin(f"/{board}/blindfold.json?{query}", "blindfold", board, *given, "--format", "json")


def test_the_answer_comes_first_and_the_numbers_with_it():
    shown = text_of(page("/3x3/blindfold"))
    assert "Yes: a blind X can avoid every loss on 3x3:3, but cannot force a win." in shown
    assert "6,138 in all (862 up to symmetry), 1,716 reached by never losing (237)" in shown
    assert "181/192" in shown
    assert 'href="/3x3/play?blind=X"' in page("/3x3/blindfold")
    other = text_of(page("/3x3/blindfold?blind=O"))
    assert "No: a blind O cannot avoid every loss" in other
    assert "The strategy that wins most often is the next best" in other


def ways(html: str) -> list[tuple[str, str]]:
    found = re.findall(r'<a class="button" href="([^"]+)" data-swap id="way-\d+">([^<]+)</a>', html)
    return [(unescape(to), unescape(words)) for to, words in found]


@pytest.mark.parametrize(
    ("board", "query", "start"), [("3x3", "", None), ("2x3", "told=all", None), ("3x3", "from=X+b2", "X b2")]
)
def test_every_place_of_the_strategy_can_be_reached_by_links(board, query, start):
    strategy = solve_blindfold(board, BlindRules(told="all" if "told" in query else "collision"), start=start).strategy
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


@pytest.mark.parametrize(
    "rules", [f"blind={b}&told={t}&collision={c}" for b, t, c in product("XO", FEEDBACK, COLLISION)]
)
def test_a_game_leads_to_the_question_from_what_the_player_knows(rules):
    calls, asked, is_over = list[str](), 0, False
    while not is_over:
        address = f"/2x3:3/play?{rules}&g={'-'.join(calls)}&seed=3"
        state = record(address)
        is_over = state["over"]
        links = re.findall(r'href="([^"]+)"[^>]*>Which calls are safe now', get(address))
        assert bool(links) == bool(calls and not is_over)
        for to in links:
            there = json.loads(get(unescape(to).replace("blindfold?", "blindfold.json?")))
            assert set(there["safe_first_calls"]) <= set(state["open"])
            assert set(there["win_probability"]["any"]) == set(state["open"])
            asked += 1
        calls += state["open"][:1]
    assert asked


def test_a_wrong_state_is_refused_in_one_sentence():
    assert "b2 cannot be both X's and taken: name it once" in unescape(refused("/3x3/blindfold?from=X+b2,+taken+b2"))
    assert "Yes: a blind X can avoid" in text_of(page("/3x3/blindfold?from="))


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
            assert place.own == truth.own
            assert place.known == truth.known & ~truth.own
            plan = branches[truth.answer]
            assert place.call == plan.call
            branches = plan.branches
            truth = referee.call(truth, plan.call)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("walk=taken", "cannot follow here: choose from free"),
        ("walk=maybe", "is not an answer"),
        ("walk=taken.z9", "z9"),
        ("opening_told=1", "only a blind O"),
        ("safe=1", "safe=1 needs ?goal=win-often"),
        ("told=everything", "told"),
    ],
)
def test_what_makes_no_sense_is_refused_in_blindfold_page(query, words):
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


# Blindfold play by links: nothing is seen that was not said, and what is said are the words of the terminal.

RULES = [
    "blind=X",
    "blind=X&opponent=hostile",
    "blind=X&told=nothing",
    "blind=X&told=nothing&collision=lose-turn",
    "blind=X&told=all",
    "blind=X&told=last-move&collision=lose-turn",
    "blind=O",
    "blind=O&opening_told=1",
    "blind=O&collision=lose-turn&opponent=hostile",
    "blind=X&opponent=blind",
    "blind=O&opponent=blind",
]


def get(address: str) -> str:
    path, _, query = address.partition("?")
    reply = answer(read_address(path, query))
    assert reply.status == 200, reply.body.decode()
    return reply.body.decode()


def record(address: str) -> dict[str, Any]:
    path, _, query = address.partition("?")
    found: dict[str, Any] = json.loads(answer(read_address(f"{path}.json", query)).body)
    return found


def cells(page: str) -> dict[str, str]:
    return {name: unescape(to) for to, name in re.findall(r'<a href="([^"]+)" data-swap id="cell-([^"]+)"', page)}


def marks(page: str) -> dict[str, str]:
    """Return the marks that the page shows, by the names of their cells."""
    found = re.findall(
        r'class="cell taken[^"]*" id="cell-([^"]+)"[^>]*aria-label="\w+, row \d, column \d, ([XO])', page
    )
    return dict(found)


def heard(page: str) -> list[str]:
    return [unescape(words) for words in re.findall(r"<li>([^<]+)</li>", page)]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", ["0", "5"])
def test_a_whole_game_without_seeing(rules, seed):
    address = f"/3x3/play?{rules}&seed={seed}"
    blind = "X" if "blind=X" in rules else "O"
    told: dict[str, str] = {}
    while True:
        page, state = get(address), record(address)
        if state["over"]:
            break
        links = cells(page)
        assert sorted(links) == sorted(state["open"])
        assert (state["position"], state["revealed"]) == (None, None)
        shown = marks(page)
        if "told=nothing" in rules:
            assert shown == {}
        else:
            for words in heard(page):
                for name in re.findall(r"\b[abc][123]\b", words):
                    told[name] = blind if "is yours" in words else {"X": "O", "O": "X"}[blind]
            assert shown == told, "the board shows what was said, and nothing else"
        address = links[sorted(links)[len(links) // 2]]
    assert f"{len(marks(page))}" == f"{sum(each['placed'] for each in state['revealed'])}"
    assert re.search(r"All revealed: [XO] [abc][123]", page)
    assert re.search(r"(A draw|[XO] wins: you (win|lose))\.", page)
    assert not cells(page)


@pytest.mark.parametrize("blind", ["X", "O"])
def test_a_whole_game_against_the_strategy(blind):
    address = f"/3x3/play?blind={blind}&as=sighted"
    while not (state := record(address))["over"]:
        page = get(address)
        assert len(marks(page)) + len(cells(page)) == 9
        address = cells(page)[state["open"][0]]
    assert blind == "O" or state["outcome"] in ("win", "draw"), "its strategy as X never loses"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("blind=X&g=b2-b2", "b2 was already called or named: call another cell"),
        ("blind=X&as=sighted&g=b2", "b2 is not blank: choose another cell"),
        ("blind=both", "both"),
        ("blind=X&x=easy", "x cannot be used in blindfold play"),
        ("told=all", "told needs blindfold play"),
        ("blind=X&as=sighted&opponent=hostile", "remove as=sighted"),
        ("blind=X&goal=win-often", "add as=sighted"),
        ("blind=X&told=all&opponent=blind", "the program plays blind only on 3x3"),
        ("blind=X&opening_told=1", "only a blind O"),
        ("blind=X&g=zz", "zz"),
    ],
)
def test_what_makes_no_sense_is_refused_in_blindfold_play(query, words):
    reply = _reply(query)
    assert reply.status == 400
    assert words in unescape(reply.body.decode())


def _reply(query):
    from noughts.rules.errors import NoughtsError
    from noughts.web.replies import failure
    from noughts.web.request import Ask

    try:
        return answer(read_address("/3x3/play", query))
    except NoughtsError as error:
        return failure(error, Ask("start"))
