"""Matchboxes: how many, what is in them, what a game does to them, and what they are worth, by an oracle of strings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from noughts.analysis.payoff.playout import versus
from noughts.analysis.policies.reading import policy
from noughts.bots.lessons import PlayGraph, box_after
from noughts.bots.matchboxes import BeadRules, Cabinet, bead_rules, cabinet, graph_within
from noughts.bots.menace import menace
from noughts.rules.board import Board
from noughts.rules.errors import InputError
from noughts.rules.marks import Player
from tests import naive
from tests.dear import dear

GAMES = {
    "3x3": (naive.grid(3, 3, 3), naive.isometries(3, 3)),
    "2x3:2": (naive.grid(2, 3, 2), naive.isometries(2, 3)),
    "2x3:2+misere": (naive.grid(2, 3, 2, misere=True), naive.isometries(2, 3)),
    "2x3:3": (naive.grid(2, 3, 3), naive.isometries(2, 3)),
    "3x3+misere": (naive.grid(3, 3, 3, misere=True), naive.isometries(3, 3)),
    "3x3+torus": (naive.grid(3, 3, 3, torus=True), naive.isometries(3, 3, torus=True)),
    "2x2": (naive.grid(2, 2, 2), naive.isometries(2, 2)),
    "1x1": (naive.grid(1, 1, 1), naive.isometries(1, 1)),
    "1x2:1": (naive.grid(1, 2, 1), naive.isometries(1, 2)),
}


def classes(name: str, player: str, least: int = 2) -> list[str]:
    """The unfinished classes with a player to move and so many blank cells, by their least member."""
    game, group = GAMES[name]
    found = {naive.position_class(at, group) for at in naive.reachable(game) if naive.line_outcome(game, at) is None}
    return sorted(at for at in found if naive.mover(at) == player and at.count(".") >= least)


def boxes_of(name: str, player: Player, rules: BeadRules | None = None) -> Cabinet:
    board = Board.parse(name)
    return cabinet(graph_within(board), board, player, rules or bead_rules())


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("player", ["X", "O"])
def test_there_is_a_box_for_each_class_with_a_choice(name: str, player: Player) -> None:
    group = GAMES[name][1]
    for least, rules in ((2, bead_rules()), (1, bead_rules(last_boxes=True))):
        made = boxes_of(name, player, rules)
        flat = ["".join(str(box.position).split("/")) for box in made.boxes]
        assert sorted(naive.position_class(at, group) for at in flat) == classes(name, player, least)
        assert [box.number for box in made.boxes] == list(range(1, len(flat) + 1))
        for box, at in zip(made.boxes, flat, strict=True):
            keeping = [p for p in group if naive.image(at, p) == at]
            orbits = {frozenset(p[cell] for p in keeping) for cell in naive.blanks(at)}
            assert {frozenset(c for c in range(len(at)) if mask >> c & 1) for mask in box.alike} == orbits
            assert list(box.cells) == sorted(min(orbit) for orbit in orbits)
    each = boxes_of(name, player, bead_rules(symmetric="each"))
    assert all(len(box.cells) == box.position.blanks.bit_count() for box in each.boxes)


def test_beads_at_the_start_go_by_the_turns_to_come() -> None:
    def beads(given: Any, player: Player = "X", **rules: Any) -> list[int]:
        found = boxes_of("3x3", player, bead_rules(given, **rules)).boxes
        return [next(box.beads for box in found if box.turn == turn) for turn in range(1, found[-1].turn + 1)]

    assert beads("michie") == beads("michie", "O") == [4, 3, 2, 1]
    assert beads("doubling") == beads("doubling", "O") == [8, 4, 2, 1]
    assert beads("5,2") == beads([5, 2]) == [5, 2, 2, 2]
    assert beads("michie", last_boxes=True) == [5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("empty", "held", "colour", "outcome", "after"),
    [
        ("resign, O", [4, 2], 1, "O", [4, 5]),
        ("resign, O", [4, 2], 1, "X", [4, 1]),
        ("resign", [4, 2], 1, "X", [4, 5]),
        ("resign", [4, 2], 1, "draw", [4, 3]),
        ("resign", [4, 2], 0, "O", [3, 2]),
        ("resign", [0, 1], 1, "O", [0, 0]),
        ("refill", [0, 1], 1, "O", [3, 3]),
        ("keep", [0, 1], 1, "O", [0, 1]),
        ("keep", [1, 1], 1, "O", [1, 0]),
    ],
)
def test_a_game_adds_and_takes_beads(empty: str, held: list[int], colour: int, outcome: Any, after: list[int]) -> None:
    empty, _, player = empty.partition(", ")
    made = boxes_of("2x3:2", "O" if player else "X", bead_rules("3", empty=empty))
    place = next(place for place, box in enumerate(made.boxes) if len(box.cells) == 2)
    assert box_after(made, place, held, colour, outcome) == after


@pytest.mark.parametrize("against", ["random", "perfect", "medium", lambda position: position.moves()[0]])
@pytest.mark.parametrize(
    ("name", "player"),
    dear(
        [("3x3", "X"), ("3x3", "O"), ("3x3+misere", "X"), ("2x4:3", "O"), ("3x3+torus", "O"), ("2x3:2", "X")],
        *(("3x3", "X"), ("3x3+misere", "X"), ("3x3+torus", "O")),
    ),
)
def test_versus_agrees_with_what_a_machine_is_worth(name: str, player: Player, against: Any, tmp_path: Path) -> None:
    """The last policy does not treat symmetric positions alike."""
    made = menace(name, as_=player, games=60, seed=5, against=against, empty="refill", every=60)
    begun, file = menace(name, as_=player, empty="refill"), tmp_path / "machine.json"
    file.write_text(json.dumps(made.saved_as_dict()))
    for machine, found in ((made, made.chances), (str(file), made.chances), (begun, made.lessons[0].marks[0].chances)):
        sides: Any = {"x": machine, "o": against} if player == "X" else {"x": against, "o": machine}
        match = versus(name, **sides)
        assert (found.x_wins, found.draws, found.o_wins) == (match.x_wins, match.draws, match.o_wins)


@pytest.mark.parametrize("name", ["2x3:2", "2x3:2+misere", "2x2", "1x1"])
@pytest.mark.parametrize("player", ["X", "O"])
def test_empty_boxes_lose_the_game(name: str, player: Player) -> None:
    made = boxes_of(name, player)
    rival: Player = "O" if player == "X" else "X"
    course = PlayGraph(made.board, {player: made, rival: policy(made.board, "random")})
    for empty in {0, len(made.boxes) // 2, len(made.boxes)}:
        beads = [
            [(i * 7 + j * 3) % 5 * (i != empty) for j in range(len(box.cells))] for i, box in enumerate(made.boxes)
        ]
        found, games = course.chances({player: beads}), list(all_games(name, player, made, beads))
        assert [found.x_wins, found.draws, found.o_wins] == [chance_of(end, games) for end in ("X", "draw", "O")]


def all_games(name: str, player: str, made: Cabinet, beads: Any) -> Iterator[tuple[Any, str, Fraction]]:
    """Every game of a machine against `random`, as the oracle plays: boxes opened, outcome, probability.

    An empty box resigns.
    """
    game, group = GAMES[name]
    labels = {"".join(str(box.position).split("/")): place for place, box in enumerate(made.boxes)}

    def go(at: str, trail: tuple[tuple[int, int], ...], chance: Fraction) -> Iterator[tuple[Any, str, Fraction]]:
        outcome = naive.line_outcome(game, at)
        if outcome:
            yield trail, outcome, chance
        elif naive.mover(at) == player and len(naive.blanks(at)) > 1:
            symmetry = next(p for p in group if naive.image(at, p) in labels)
            place = labels[naive.image(at, symmetry)]
            whole = sum(beads[place])
            if not whole:
                yield trail, naive.other(player), chance
            for colour, cell in enumerate(made.boxes[place].cells):
                if beads[place][colour]:
                    back = next(c for c in range(game.cells) if symmetry[c] == cell)
                    share = Fraction(beads[place][colour], whole)
                    yield from go(naive.play(at, back), (*trail, (place, colour)), chance * share)
        else:
            for cell in naive.blanks(at):
                yield from go(naive.play(at, cell), trail, chance / len(naive.blanks(at)))

    return go("." * game.cells, (), Fraction(1))


def chance_of(end: str, games: Iterable[tuple[Any, str, Fraction]]) -> Fraction:
    return sum((chance for _, outcome, chance in games if outcome == end), Fraction(0))


@pytest.mark.parametrize(("name", "player", "games"), [("2x2", "X", 2), ("2x3:2", "X", 1), ("2x3:2+misere", "O", 1)])
def test_expectations_are_the_mean_over_every_game(name: str, player: Player, games: int) -> None:
    rules = {"beads": "2", "reward": (3, 1, -2)}
    made = menace(name, as_=player, expect=games, **rules)  # type: ignore[arg-type]
    shares = {made.cabinet.start: Fraction(1)}
    for number in range(games + 1):
        mean = sum(
            share * chance_of("X", all_games(name, player, made.cabinet, beads)) for beads, share in shares.items()
        )
        assert made.expected[number].chances.x_wins == mean
        assert made.expected[number].fillings == len(shares)
        following: dict[Any, Fraction] = {}
        for beads, share in shares.items():
            for trail, outcome, chance in all_games(name, player, made.cabinet, beads):
                held = [list(box) for box in beads]
                for place, colour in trail:
                    added = 1 if outcome == "draw" else 3 if outcome == player else -2
                    held[place][colour] = max(0, held[place][colour] + added)
                key = tuple(map(tuple, held))
                following[key] = following.get(key, Fraction(0)) + share * chance
        shares = following
    assert sum(shares.values()) == 1


def test_what_a_lesson_did_is_what_its_games_did() -> None:
    made = menace("3x3", games=200, seed=3, every=50)
    marks = made.lessons[0].marks
    assert [mark.games for mark in marks] == [0, 50, 100, 150, 200]
    for mark in marks:
        assert mark.wins + mark.draws + mark.losses == mark.games
        assert sum(mark.chances.of("X")) == 1
    assert marks[0].beads == sum(map(sum, made.cabinet.start))
    assert marks[-1].beads == sum(map(sum, made.beads))
    assert made.value > marks[0].chances.value("X")


def test_a_machine_goes_on_from_where_it_was_saved() -> None:
    one = menace("3x3", games=30, seed=1, every=30)
    two = menace("3x3", games=20, seed=2, load=one.saved_as_dict())
    assert two.games == 50
    assert two.lessons[0].marks[0].chances == one.chances
    assert menace("3x3", load=one.saved_as_dict()).beads == one.beads
    kept = menace("2x3:2+misere", as_="O", beads="2,1", reward=(2, 0, -2), symmetric="each", empty="keep", games=9)
    again = menace("2x3:2+misere", load=kept.saved_as_dict())
    assert (again.cabinet, again.beads, again.games) == (kept.cabinet, kept.beads, 9)


def _changed(saved: dict[str, Any], key: str, at: str, cell: str, given: object) -> dict[str, Any]:
    return {**saved, key: {**saved[key], at: {**saved[key][at], cell: given}}}


@pytest.mark.parametrize(
    ("key", "given", "said"),
    [
        ("beads", 5, "differ for .../.../..."),
        ("beads", -5, "the beads of '.../.../...' in '{}' cannot be -5"),
        ("beads", 1.5, "the beads of '.../.../...' in '{}' cannot be"),
        ("beads", True, "the beads of '.../.../...' in '{}' cannot be"),
        ("moves", "1/6", "sum to 5/6"),
        ("moves", None, "has no 'moves'"),
        ("beads", None, "'beads'"),
    ],
)
def test_what_a_machine_is_taught_from_is_what_it_plays(
    key: str, given: object, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both doors read the beads and the moves, and refuse a machine whose moves are not those of its beads."""
    monkeypatch.chdir(tmp_path)
    saved: dict[str, Any] = menace("3x3").saved_as_dict()
    changed = {**saved, key: given} if given is None else _changed(saved, key, ".../.../...", "a1", given)
    if given is None and key == "moves":
        del changed["moves"]
    Path("m.json").write_text(json.dumps(changed))
    for call in (lambda: menace("3x3", load="m.json"), lambda: versus("3x3", x="m.json")):
        with pytest.raises(InputError, match=re.escape(said.format("m.json"))):
            call()
    for held in (lambda: menace("3x3", load=changed), lambda: versus("3x3", x=changed)):
        with pytest.raises(InputError):
            held()
