"""Questions from any information state: safe calls, chances and strategies, by the oracles and by the judge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction

import pytest

from noughts.blindfold.beliefs import InfoSet
from noughts.blindfold.certificate import loads, to_text
from noughts.blindfold.game import FEEDBACK, BlindRules, Goal, Strategy
from noughts.blindfold.inquiry import BlindAnswer
from noughts.blindfold.judge import judge
from noughts.blindfold.knowledge import read_state, start_from
from noughts.blindfold.session import solve_blindfold
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import InputError
from noughts.rules.marks import cells_of
from tests.blindfold import naive
from tests.blindfold.safe import Safe
from tests.blindfold.test_engines import BOARDS, RULES, analysis_of, naive_rules
from tests.dear import dear

GOALS: tuple[Goal, ...] = ("never-lose", "always-win")


def named(board: Board, cells: int) -> str:
    return " ".join(cell_name(board, cell) for cell in cells_of(cells))


def held(answer: BlindAnswer) -> Strategy:
    assert answer.strategy is not None
    return answer.strategy


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("blind", ["X", "O"])
@pytest.mark.parametrize("name", dear(["3x3", "3x3+misere", "2x3:3", "2x3:2", "2x3:3+misere", "1x5:2"], "3x3+misere"))
def test_the_oracle_judges_every_state(name, blind, goal):
    board, rules = Board.parse(name), BlindRules(blind)
    oracle = Safe(
        board.cells,
        [tuple(line) for line in board.lines],
        misere="misere" in name,
        lead=int(blind == "O"),
        win_only=goal == "always-win",
    )
    ours, states = analysis_of(board, rules, goal), oracle.states()
    assert ours.reachable() == {InfoSet(own, known, own.bit_count() + (blind == "O")) for own, known in states}
    sizes: dict[tuple[int, int], list[int]] = {}
    for own, known in states:
        safe = oracle.calls(own, known)
        found = ours.good_calls(InfoSet(own, known, own.bit_count() + (blind == "O")))
        assert [1 << call.cell for call in found] == safe, (own, known)
        pair = sizes.setdefault((own.bit_count(), known.bit_count()), [0, 0])
        pair[0] += 1
        pair[1] += bool(safe)
    assert ours.by_size() == {size: tuple(pair) for size, pair in sizes.items()}
    for own, known in states[:: 1 + len(states) // 4]:
        text = f"{blind} {named(board, own)}, taken {named(board, known)}"
        answer = solve_blindfold(board, rules, goal, start=text)
        assert [1 << cell for cell in answer.safe_first_calls or ()] == oracle.calls(own, known), text


State = tuple[str, list[naive.World], frozenset[int]]
"""A state in words, its worlds with their chances, and the cells not to call."""


def histories(board: Board, rules: BlindRules, given: naive.Rules) -> Iterator[State]:
    """Each history of the oracle."""

    def walk(
        worlds: list[naive.World], barred: frozenset[int], calls: tuple[int, ...], last: set[int]
    ) -> Iterator[State]:
        own = [cell for cell in range(board.cells) if worlds[0][0][cell] == "B"]
        if rules.told == "nothing":
            words = ["called", *(cell_name(board, cell) for cell in calls)]
            words = [*(["taken", cell_name(board, min(barred - set(calls)))] if rules.opening_told else []), *words]
        else:
            words = [rules.blind, *(cell_name(board, cell) for cell in own), "taken"]
            words += [cell_name(board, cell) for cell in sorted(barred - set(own))]
            words += [f"last {cell_name(board, cell)}" for cell in last]
            words += [f"marks {worlds[0][0].count('S')}"]
        total = sum((chance for *_, chance in worlds), Fraction())
        yield " ".join(words), [(world, at, chance / total) for world, at, chance in worlds], barred
        for cell in set(range(board.cells)) - barred:
            for told, group in naive.call(worlds, cell, given)[2]:
                moved = rules.loses_turn or group[0][0][cell] == "B"
                named_last = set() if moved or rules.told != "last-move" else told
                yield from walk(group, barred | {cell} | told, (*calls, cell), named_last)

    for told, worlds in naive.starts(given):
        last = set(told) if rules.told == "last-move" else set()
        yield from walk(worlds, told, (), last)


def every(found: list[State]) -> list[State]:
    """Return about seven of these, from the first to the last."""
    return found[:: 1 + len(found) // 7]


@pytest.mark.parametrize("name", ["2x2:3", "2x3:3", "1x5:3"])
def test_the_bound_stands_where_a_state_is_its_marks(name):
    for rules in RULES:
        answer = solve_blindfold(name, rules, parts=["information_sets"])
        by_marks = rules.told == "collision" or (rules.told == "all" and not rules.loses_turn)
        assert bool(answer.sets_by_size) == by_marks
        for size, (sets, good) in answer.sets_by_size.items():
            assert good <= sets <= answer.bound(*size)
        if by_marks:
            assert sum(sets for sets, _ in answer.sets_by_size.values()) == answer.information_sets["all"]


def cells_in(board: Board, text: str) -> tuple[int, ...]:
    """Return the cells of a list of calls, after X's opening if O learns it."""
    return tuple(parse_cell(board, word) for word in text.split() if word not in ("taken", "called"))


def classes(board: Board, lists: list[tuple[int, ...]]) -> int:
    """Return the number of lists up to symmetry."""
    elements = board.group().elements
    return len({min(tuple(element[cell] for cell in cells) for element in elements) for cells in lists})


@pytest.mark.parametrize("name", dear(["1x4:2", "2x2:2", "2x2:3", "2x2:2+misere", "5 cells"], "2x2:3", "5 cells"))
def test_histories_of_the_oracle_under_all_rules(name):
    board = BOARDS[name]
    for rules in RULES:
        given = naive_rules(board, rules, "never-lose")
        everything = list(histories(board, rules, given))
        for text, worlds, barred in every(everything):
            theirs = naive.explore(worlds, barred, given)
            answer = solve_blindfold(board, rules, start=text, parts=["win_probability", "strategies"])
            assert answer.safe_first_calls == theirs.good, (rules, text)
            assert answer.strategies == theirs.plans, (rules, text)
            assert answer.histories == theirs.histories, (rules, text)
            assert min((answer.smallest_strategy or {0: 0}).values()) == theirs.smallest
            if rules.told == "nothing":
                lists = [cells_in(board, each) for each, *_ in everything if each.startswith(text)]
                assert answer.information_sets["all"] == len(lists)
                assert answer.information_sets["all_classes"] == classes(board, lists), (rules, text)
            chances = answer.win_probability["any"]
            assert chances is not None
            assert max(chances.values()) == theirs.chance, (rules, text)
            bold = held(solve_blindfold(board, rules, "win-often", start=text))
            if board.shape is not None:  # other boards have no text that a file could name
                assert loads(to_text(bold)) == bold == loads(json.dumps(bold.as_dict())), (rules, text)
            often = judge(bold)
            assert often.win_chance == theirs.chance, (rules, text)
            if theirs.good:
                assert judge(held(answer)).holds
            assert answer.start is not None
            assert solve_blindfold(board, rules, start=answer.start).start == answer.start


@pytest.mark.parametrize(
    ("blind", "start"), [("X", "X a1, taken b1"), ("X", "X b1 c2, taken d2"), ("O", "O a2, taken b1 e2")]
)
def test_tables_answer_from_a_state_as_merged_states_do(blind, start):
    parts = ["information_sets", "smallest_strategy", "win_probability"]
    answer = solve_blindfold("2x5:3", BlindRules(blind), start=start, parts=parts)
    ours = analysis_of(answer.board, answer.rules, "never-lose")
    ours.root = start_from(ours.game, read_state(answer.board, answer.rules, start))
    ((_, state),) = ours.root.branches
    for key, good in (("all", False), ("safe", True)):
        assert (answer.information_sets[key], answer.information_sets[f"{key}_classes"]) == ours.sets(good_only=good)
    assert answer.smallest_strategy == {call.cell: 1 + ours.smallest_after(call) for call in ours.good_calls(state)}
    chances = answer.win_probability["any"]
    assert chances is not None
    often = judge(held(solve_blindfold("2x5:3", BlindRules(blind), "win-often", start=start)))
    assert often.win_chance == max(chances.values())


@pytest.mark.parametrize("told", FEEDBACK)
@pytest.mark.parametrize("name", ["2x2:2", "2x3:3"])
def test_an_opening_is_the_state_after_it(name, told):
    rules = BlindRules("O", True, told=told)
    parts = ["information_sets", "win_probability"]
    for cell in range(Board.parse(name).cells):
        opened = cell_name(name, cell)
        there = solve_blindfold(name, rules, opening=opened, parts=parts)
        here = solve_blindfold(
            name, rules, start=f"taken {opened}, {'called' if told == 'nothing' else 'O'}", parts=parts
        )
        for field in ("safe_first_calls", "information_sets", "win_probability", "smallest_strategy", "histories"):
            assert getattr(here, field) == getattr(there, field)
        assert here.strategies == there.strategies


def test_a_strategy_from_a_state_is_a_certificate():
    start = "X b2 a1, taken b1"
    strategy = held(solve_blindfold("3x3", start=start))
    for text in (json.dumps(strategy.as_dict()), to_text(strategy)):
        assert loads(text) == strategy
        verdict = judge(loads(text))
        assert verdict.holds
        assert verdict.games == verdict.wins + verdict.draws
    bold = held(solve_blindfold("3x3", goal="win-often", start="X b2 a1, taken c3"))
    verdict = judge(Strategy(bold.board, bold.rules, "never-lose", bold.branches, bold.history))
    assert not verdict.holds
    assert verdict.broken_from is not None
    assert (named(bold.board, verdict.broken_from.x), verdict.broken_from.ply) == ("a1 b2", 4)
    assert "c3" in named(bold.board, verdict.broken_from.o)


@pytest.mark.parametrize("state", ["X b2, taken b2", "X b2, taken a1 c3", "nonsense", "called b2", ""])
def test_a_file_with_a_wrong_state_is_refused(state):
    strategy = held(solve_blindfold("3x3", start="X b2 a1, taken b1"))
    with pytest.raises(InputError):
        loads(json.dumps({**strategy.as_dict(), "from": state}))
    with pytest.raises(InputError):
        loads(to_text(strategy).replace("from X a1 b2, taken b1", f"from {state}"))
    with pytest.raises(InputError, match="must be a text"):
        loads(json.dumps({**strategy.as_dict(), "from": 5}))
