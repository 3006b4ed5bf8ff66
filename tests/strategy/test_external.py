"""What is said to a program and what it says: word for word, from the greeting to the end."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import CheckError, InputError
from noughts.domain.notation import parse_position
from noughts.strategy.external import ExternalPlayer, Foul, command_of, told_moves
from tests.bots.programs import script

LISTENER = """
import sys
note = open({note!r}, "a")
greeting, answers = {greeting!r}, {answers!r}
def say(text):
    print(text, flush=True)
for line in sys.stdin:
    note.write(line)
    note.flush()
    if line == "ugi\\n":
        say(greeting)
    elif line == "isready\\n":
        say("readyok")
    elif line == "go\\n":
        said = answers.pop(0)
        if said == "exit":
            sys.exit(5)
        say(said)
    elif line == "quit\\n":
        break
"""


def listener(
    folder: Path, answers: list[str], greeting: str = "id name  A bot\nid author Some One \nugiok"
) -> list[str]:
    """The command of a program that says these answers in turn, and writes down what it is told."""
    return script(folder, LISTENER.format(note=str(folder / "told"), greeting=greeting, answers=answers))


def told(folder: Path) -> list[str]:
    return (folder / "told").read_text().splitlines()


def test_all_that_is_said_from_the_greeting_to_the_end(tmp_path: Path) -> None:
    answers = ["bestmove b2", "info string well\nbestmove c3 ponder a1", "bestmove 5", "bestmove a3"]
    with ExternalPlayer(Board.parse("3x3"), listener(tmp_path, answers)) as player:
        assert (player.name, player.author) == ("A bot", "Some One")
        assert player.reply(()) == 4
        assert player.reply((4, 0)) == 8
        with pytest.raises(Foul, match="it played b2, which is taken") as caught:
            player.reply((4, 0, 8, 1))
        assert caught.value.kind == "illegal"
        assert player.reply((1, 0)) == 6
    begun = ["ugi", "setoption name Board value 3x3:3", "uginewgame", "isready"]
    asked = [
        *("isready", "position startpos", "go"),
        *("isready", "position startpos moves b2 a1", "go"),
        *("isready", "position startpos moves b2 a1 c3 b1", "go"),
        *("uginewgame", "isready", "position startpos moves b1 a1", "go"),
    ]
    assert told(tmp_path) == [*begun, *asked, "quit"]


def test_a_board_of_lines_has_no_name_to_tell(tmp_path: Path) -> None:
    with ExternalPlayer(Board.from_lines(3, [(0, 1)]), listener(tmp_path, ["bestmove 2"])) as player:
        assert player.reply((0,)) == 1
    assert told(tmp_path) == ["ugi", "uginewgame", "isready", "isready", "position startpos moves 1", "go", "quit"]


@pytest.mark.parametrize(
    ("greeting", "name", "author"),
    [
        ("ugiok", "", ""),
        ("id name \nid author\nugiok", "", ""),
        ("id name " + "x" * 100 + "\nid colour red\nugiok", "x" * 80, ""),
        ("id name a\tb\x07c\nidname no\nid author d e\nugiok", "a?b?c", "d e"),
    ],
)
def test_a_program_says_who_it_is(tmp_path: Path, greeting: str, name: str, author: str) -> None:
    with ExternalPlayer(Board.parse("3x3"), listener(tmp_path, [], greeting)) as player:
        assert (player.name, player.author) == (name, author)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("bestmove", "it named no cell"),
        ("bestmove d4", "it played 'd4', which is no cell"),
        ("bestmove b２", "it played 'b\\uff12', which is no cell"),
        ("bestmove ５", "it played '\\uff15', which is no cell"),
        ("bestmove ٥", "it played '\\u0665', which is no cell"),
        ("info string I am lost\nbestmove  none", "it played 'none', which is no cell; it said 'I am lost'"),
        ("info depth 3\ninfo string first\ninfo string second \nbestmove", "it named no cell; it said 'second'"),
        ("info string so what\nbestmove a1", "it played a1, which is taken"),
    ],
)
def test_answers_that_are_no_move(tmp_path: Path, answer: str, said: str) -> None:
    with ExternalPlayer(Board.parse("3x3"), listener(tmp_path, [answer, "bestmove b2", "bestmove z"])) as player:
        with pytest.raises(Foul) as caught:
            player.reply((0,))
        assert (caught.value.kind, str(caught.value)) == ("illegal", said)
        assert player.reply((0,)) == 4, "it is asked again as it is"
        with pytest.raises(Foul) as caught:
            player.reply((0, 4, 1))
        assert str(caught.value) == "it played 'z', which is no cell", "what it said before is forgotten"
    assert told(tmp_path).count("ugi") == 1


def test_a_program_that_ends_is_started_anew(tmp_path: Path) -> None:
    with ExternalPlayer(Board.parse("3x3"), listener(tmp_path, ["bestmove a2", "exit"])) as player:
        assert player.reply(()) == 3
        with pytest.raises(Foul, match="ended with the exit code 5") as caught:
            player.reply((3, 0))
        assert caught.value.kind == "ended"
        with pytest.raises(Foul, match="which is taken"):
            player.reply((3,))
    assert told(tmp_path).count("ugi") == 2
    assert told(tmp_path).count("quit") == 1


def test_who_does_not_greet_is_no_player(tmp_path: Path) -> None:
    with pytest.raises(
        CheckError, match=r"did not greet: .*; it has to answer ugi with ugiok and isready with readyok"
    ):
        ExternalPlayer(Board.parse("3x3"), script(tmp_path, "print('hello')"), start_seconds=5)


@pytest.mark.parametrize(
    ("given", "words"),
    [("a 'b c' d", ("a", "b c", "d")), (["a", "b c"], ("a", "b c")), (("x",), ("x",)), ("x", ("x",))],
)
def test_a_command_is_words_or_a_text(given: Any, words: tuple[str, ...]) -> None:
    assert command_of(given) == words
    assert command_of(shlex.join(words)) == words


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("a 'b", '"a \'b" is no command: No closing quotation; close the quotes'),
        ("", "there is no program to run: give a command, as in python3 bot.py"),
        ([], "there is no program to run: give a command, as in python3 bot.py"),
        ([3], "a command is a text, as in 'python3 bot.py', or a list of its words"),
        (3, "a command is a text, as in 'python3 bot.py', or a list of its words"),
        ({"a"}, "a command is a text, as in 'python3 bot.py', or a list of its words"),
    ],
)
def test_what_is_no_command(given: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        command_of(given)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("marks", "moves", "backwards"),
    [
        (".../.../...", (), ()),
        ("..X/.../...", (2,), (2,)),
        ("OXO/.X./X..", (1, 0, 4, 2, 6), (6, 2, 4, 0, 1)),
        ("XXO/O../...", (0, 2, 1, 3), (1, 3, 0, 2)),
    ],
)
def test_a_position_is_told_as_moves_that_lead_to_it(
    marks: str, moves: tuple[int, ...], backwards: tuple[int, ...]
) -> None:
    at = parse_position("3x3", marks)
    assert told_moves(at) == moves
    assert told_moves(at, backwards=True) == backwards
