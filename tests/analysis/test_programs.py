"""What is said to a program and what it says: word for word, from the greeting to the end."""

from __future__ import annotations

import pickle
import shlex
import time
from fractions import Fraction
from pathlib import Path

import pytest

import noughts
from noughts.analysis.policies.programs import ExternalPlayer, Foul, ProgramPolicy
from noughts.analysis.policies.reading import policy
from noughts.rules.board import Board
from noughts.rules.errors import CheckError
from noughts.rules.position import Position
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
