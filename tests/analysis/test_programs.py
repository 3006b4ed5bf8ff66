"""What is said to a program and what it says: word for word, from the greeting to the end."""

from __future__ import annotations

import pickle
import shlex
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.analysis.policies.programs import ExternalPlayer, Foul, ProgramPolicy, command_of, moves_to
from noughts.analysis.policies.reading import policy
from noughts.rules.board import Board
from noughts.rules.errors import CheckError, InputError
from noughts.rules.position import Position, parse_position
from noughts.web import replies as answering
from noughts.web.addresses import read_address
from noughts.web.links import PageAnswer
from tests.bots.programs import gone, pids_in, playing, program, script
from tests.cli.conftest import run

__all__ = ["run"]

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
    ("board", "answer", "reason"),
    [
        ("3x3+wild", "b2", "it played 'b2', which is not a move: the mark stands first, as in Xa1"),
        ("3x3+gravity", "b1", "it played b1, which is above a blank cell"),
        ("2x2+notakto*2", "b2", "it played 'b2', which is not a cell"),
    ],
)
def test_an_invalid_move_has_the_reason_of_its_board(tmp_path: Path, board: str, answer: str, reason: str) -> None:
    with ExternalPlayer(Board.parse(board), listener(tmp_path, [f"bestmove {answer}"])) as player:
        with pytest.raises(Foul) as caught:
            player.reply(())
        assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("bestmove", "it named no cell"),
        ("bestmove d4", "it played 'd4', which is not a cell"),
        ("bestmove b２", "it played 'b\\uff12', which is not a cell"),
        ("bestmove ５", "it played '\\uff15', which is not a cell"),
        ("bestmove ٥", "it played '\\u0665', which is not a cell"),
        ("info string I am lost\nbestmove  none", "it played 'none', which is not a cell; it said 'I am lost'"),
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
        assert str(caught.value) == "it played 'z', which is not a cell", "what it said before is forgotten"
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


HOLDS_BACK = """import sys, time
for line in sys.stdin:
    print({"ugi": "ugiok", "isready": "readyok"}.get(line.split()[0], "bestmove a1"))
"""


def test_a_program_that_holds_its_answers_back_is_told_so_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    begun = time.monotonic()
    with pytest.raises(CheckError, match=r"only when its input ends; flush standard output after each line"):
        ExternalPlayer(Board.parse("3x3"), script(tmp_path, HOLDS_BACK), start_seconds=60)
    assert time.monotonic() - begun < 20  # a loaded machine starts a process slowly
    slow = HOLDS_BACK.replace("time\n", "time\ntime.sleep(1.5)\n").replace('a1"))', 'a1"), flush=True)')
    with ExternalPlayer(Board.parse("3x3"), script(tmp_path, slow), start_seconds=30) as player:
        assert player.reply(()) == 0


def test_who_does_not_greet_is_no_player(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match=r"did not greet: .*; answer ugi with ugiok, isready with readyok"):
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
        ("a 'b", '"a \'b" is not a command: No closing quotation; close the quotes'),
        ("", "the command is empty: give a program, such as python3 bot.py"),
        ([], "the command is empty: give a program, such as python3 bot.py"),
        ([3], "a command is a text, such as 'python3 bot.py', or a list of its words"),
        (3, "a command is a text, such as 'python3 bot.py', or a list of its words"),
        ({"a"}, "a command is a text, such as 'python3 bot.py', or a list of its words"),
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
    assert moves_to(at) == moves
    assert moves_to(at, backwards=True) == backwards


# A program as a policy: `program:COMMAND` wherever a policy is asked for, but not from files and addresses.

ORDER = ["b2", "a1", "c1", "a3", "c3", "b1", "a2", "c2", "b3"]
CENTRE = playing(f"next(cell for cell in {ORDER} if cell in blanks)")


def written(command: list[str]) -> str:
    return f"program:{shlex.join(command)}"


def centre(position: Position) -> str:
    taken = {noughts.rules.cell_name(position.board, cell) for cell in range(9) if position.mark_at(cell)}
    return next(cell for cell in ORDER if cell not in taken)


@pytest.mark.parametrize("other", ["random", "block", "perfect", "best"])
def test_a_program_plays_as_the_function_that_says_the_same(tmp_path, other):
    bot = written(program(tmp_path, CENTRE))
    for found, expected in (
        (noughts.match("3x3", x=bot, o=other), noughts.match("3x3", x=centre, o=other)),
        (noughts.match("3x3", x=other, o=bot), noughts.match("3x3", x=other, o=centre)),
    ):
        assert (found.x_wins, found.o_wins, found.draws) == (expected.x_wins, expected.o_wins, expected.draws)


def test_positions_are_told_by_marks_in_reading_order(tmp_path):
    note = tmp_path / "told"
    body = f"def answer(moves, blanks):\n    open({str(note)!r}, 'a').write(' '.join(moves) + '|')\n"
    body += "    say('bestmove ' + blanks[0])"
    bot = policy(Board.parse("3x3"), written(program(tmp_path, body)))
    at = noughts.rules.parse_position("3x3", "X.O/.XO/..X")
    for _ in range(3):
        assert bot.moves(at, None) == 1 << 1
    assert note.read_text() == "a1 c1 b2 c2 c3|c3 c2 b2 c1 a1|"
    assert moves_to(at) == (0, 2, 4, 5, 8)
    assert not bot.is_symmetric


@pytest.mark.parametrize(
    ("plays", "said"),
    [
        ("random.choice(blanks)", r"its answers vary: .* it played .., and asked again it played"),
        (
            "blanks[-(moves[-1:] == ['c3'])]",
            r"the order of moves: after .* c3 it played .., and after .*, the same",
        ),
    ],
)
def test_a_program_whose_answer_does_not_follow_from_the_marks_is_no_policy(tmp_path, plays, said):
    bot = written(program(tmp_path, playing(plays)))
    for ask in (
        lambda: noughts.match("3x3", x=bot, o="random"),
        lambda: noughts.evaluate("3x3", bot, as_="X"),
        lambda: noughts.match("3x3", [bot, "block"]),
        lambda: noughts.count("3x3", x_moves=bot),
    ):
        with pytest.raises(noughts.CheckError, match=f"{said}.*judge it with noughts referee 3x3:3 -- "):
            ask()


def test_a_program_that_changes_its_mind_later_is_found(tmp_path):
    changing = "blanks[-1] if len(asked) > 80 else blanks[0]"
    bot = written(program(tmp_path, f"asked = []\ndef answer(moves, blanks):\n    asked.append(1)\n"
                                    f"    say('bestmove ' + ({changing}))"))  # fmt: skip
    with pytest.raises(noughts.CheckError, match="its answers vary"):
        noughts.count("3x3", o_moves=bot)


def test_one_process_serves_a_policy_and_ends_with_it(tmp_path):
    body = f"open({str(tmp_path)!r} + '/pid.' + str(os.getpid()), 'w').close()\n{CENTRE}"
    bot = policy(Board.parse("3x3"), written(program(tmp_path, body)))
    assert pids_in(tmp_path) == []
    assert noughts.match("3x3", x=bot).x_wins == noughts.match("3x3", x=centre).x_wins
    copy = pickle.loads(pickle.dumps(bot))
    assert isinstance(copy, ProgramPolicy)
    assert f"program:{shlex.join(copy.command)}" == bot.name
    pids = pids_in(tmp_path)
    assert len(pids) == 1
    del bot
    assert gone(pids)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (playing("'z9'"), r"gave no move in \.\.\./\.\.\./\.\.\.: it played 'z9', which is not a cell"),
        ("def answer(moves, blanks): sys.exit(3)", "it ended with the exit code 3"),
        ("sys.exit(4)", "did not greet: it ended with the exit code 4"),
    ],
)
def test_a_program_without_a_move_is_a_failed_check(tmp_path, body, said):
    with pytest.raises(noughts.CheckError, match=said):
        noughts.match("3x3", x=written(program(tmp_path, body)))


@pytest.mark.parametrize("command", ["", "  ", "/nowhere/bot", "'open"])
def test_a_program_that_cannot_be_run_is_bad_input(command):
    with pytest.raises(noughts.InputError):
        noughts.match("3x3", x=f"program:{command}")


def test_files_and_addresses_run_no_program(tmp_path, monkeypatch):
    mark = tmp_path / "started"
    bot = written(program(tmp_path, f"open({str(mark)!r}, 'w').close()\n{CENTRE}"))
    path = tmp_path / "policy.json"
    path.write_text(
        f'{{"moves": {{".../.../...": ["b2"]}}, "otherwise": {bot!r}}}'.replace("'", '"').replace('""', '"')
    )
    path.write_text('{"moves": {".../.../...": ["b2"]}, "otherwise": "program:sh bot.sh"}')
    for given in (str(path), {"moves": {".../.../...": ["b2"]}, "otherwise": bot}):
        with pytest.raises(noughts.InputError, match="not run here"):
            noughts.match("3x3", x=given)
    (told,) = noughts.engine("3x3").answer(f"setoption name Strength value {bot}")
    assert "not run here" in told

    def page(ask: object) -> PageAnswer:
        noughts.match("3x3", x=bot)
        raise AssertionError

    monkeypatch.setattr(answering, "found_for", page)
    reply = answering.answer(read_address("/3x3/play.json", ""))
    assert b"not run here" in reply.body
    assert not mark.exists()
    assert noughts.match("3x3", x=bot).x_wins > Fraction(1, 2)
    assert mark.exists()
