"""The words of a strategy say how each call can end the game: against every game played out on strings."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

import noughts
from noughts.blindfold.certificates.judge import chances, judge
from noughts.blindfold.pure.instructions import instructions
from tests.blindfold.test_pictures import ASKED, Path, played, strategy_of

MORE: list[dict[str, Any]] = [
    {"board": "3x3", "goal": "win-often"},
    {"board": "3x3+misere", "goal": "win-often"},
    {"board": "2x3:2", "blind": "O", "collision": "lose-turn", "goal": "win-often"},
    {"board": "2x3:2+misere", "goal": "win-often"},
]
SPOKEN = [asked for asked in [*ASKED, *MORE] if asked.get("told") != "nothing"]
PLACE = re.compile(
    r"^( *)(Call|Next, call|If X opens at (?P<opening>\w+), call|"
    r"If \w+ is taken(?: and the (?:last move was|marks are) (?P<told>[\w ]+))?, (?:next )?call) \w+\.(?P<rest>.*)$"
)


def said(strategy: noughts.Strategy) -> tuple[dict[Path, set[str]], set[Path], set[Path]]:
    """Return what the text says: the outcomes after each answer, the answers that cannot come, and the places."""
    blind, other = strategy.rules.blind, strategy.rules.opponent
    outcome = {f"{blind} wins": "win", f"{other} wins": "loss"}
    found: dict[Path, set[str]] = {}
    never: set[Path] = set()
    places: list[Path] = []
    at: dict[int, Path] = {}
    for line in filter(None, instructions(strategy)):
        place = PLACE.match(line)
        assert place, line
        depth, kind, told = len(place[1]) // 3, place[2], place["told"]
        if kind == "Next, call":
            path = (*at[depth], "free")
        elif place["opening"] or kind == "Call":
            path = (f"X opens {place['opening']}",) if place["opening"] else ()
        else:
            path = (*at[depth - 1], f"taken {told}" if told else "taken")
        at[depth] = path
        places.append(path)
        rest = place["rest"]
        if "it is taken" in rest.lower().replace("if it is taken,", ""):
            never.add((*path, "free"))
            rest = re.sub(r"(If play goes on, it is taken: [^.]*|It is taken for sure)\.", "Then.", rest)
        for sentence in filter(None, (words.strip() for words in rest.split(". "))):
            text = sentence.rstrip(".").lower()
            answer = "taken" if text.startswith("if it is taken") or (*path, "free") in never else "free"
            ends = {"win"} if "it wins" in text else {"loss"} if "it loses" in text else set[str]()
            ends |= {"draw"} if "a draw" in text else set()
            ends |= {"loss"} if f"{other.lower()} may win" in text else set()
            ends |= {"win"} if f"{other.lower()} may lose" in text else set()
            ends |= {end for words, end in outcome.items() if words.lower() in text}
            if ends:
                found.setdefault((*path, answer), set()).update(ends)
            if answer == "free" and ends and not text.startswith("if it is free"):
                never.add((*path, "taken"))
    return found, never, set(places)


@pytest.mark.parametrize("asked", SPOKEN, ids=str)
def test_the_words_say_how_each_call_can_end_the_game(asked: dict[str, Any]) -> None:
    strategy = strategy_of(asked)
    assert strategy is not None
    games = played(strategy)
    ends, never, _ = said(strategy)
    assert ends == {(*path[:-1], path[-1].split()[0]): outcomes for path, outcomes in games.items()}
    for path in never:
        assert not any(game[: len(path)] == path for game in games), path


def test_nothing_is_said_to_win_that_cannot_come() -> None:
    strategy = strategy_of({"board": "3x3", "goal": "win-often"})
    assert strategy is not None
    lines = [line.strip() for line in instructions(strategy)]
    at = lines.index("Next, call c2. If play goes on, it is taken: were it free, O would have won.")
    assert lines[at + 1] == "If c2 is taken, call b3. The board is full: a draw."


@pytest.mark.parametrize("asked", [*MORE, {"board": "3x3"}, {"board": "2x3:3", "told": "nothing"}], ids=str)
def test_the_chances_are_those_of_the_judge(asked: dict[str, Any]) -> None:
    strategy = strategy_of(asked)
    assert strategy is not None
    verdict = judge(strategy)
    assert chances(strategy) == (verdict.win_chance, verdict.draw_chance, verdict.loss_chance)


def test_the_chances_after_one_opening_are_its_own() -> None:
    rules = noughts.BlindRules("O", opening_told=True)
    answers = [noughts.solve_blindfold("3x3", rules, "win-often", opening=cell) for cell in range(9)]
    alone = [chances(answer.strategy) for answer in answers if answer.strategy is not None]
    whole = noughts.solve_blindfold("3x3", rules, "win-often").strategy
    assert whole is not None
    assert all(sum(each) == 1 for each in alone)
    assert chances(whole) == tuple(sum((each[i] for each in alone), Fraction()) / 9 for i in range(3))
