"""The judge of proofs against certificates of brute force and of the engines, and against what is none."""

from __future__ import annotations

import random
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from noughts.judge.proofs.ground import read_ground
from noughts.judge.proofs.judge import TITLES as TITLES_JUDGE
from noughts.judge.proofs.judge import judge_proof
from noughts.rules.board import Board
from noughts.rules.errors import CheckError, InputError, NoughtsError
from noughts.rules.position import Position, parse_position
from noughts.solving.api import prove, solve
from noughts.solving.problem import SearchBudget
from noughts.solving.proving import proof_by
from noughts.solving.search import SearchSolution
from tests import naive
from tests.attackjudge import WrongProof
from tests.dear import dear
from tests.judge.playjudge import accepts, game_of
from tests.judge.proofwriting import playing, ranks, stopping, threatening, winning

SMALL = ["3x3", "3x4:3", "2x4:2", "3x3+torus", "2x2x2", "3x3+misere", "2x3:2+misere", "4x2:2", "1x5:3", "2x2:3"]


def rows(game: str, position: str) -> str:
    return str(Position(Board.parse(game), *marks(position)))


def marks(position: str) -> tuple[int, int]:
    x, o = (sum(1 << i for i, sign in enumerate(position) if sign == mark) for mark in "XO")
    return x, o


def certificate(spec: str, position: str, claim: str, sections: dict[str, list[str]], turns=()) -> str:
    head = ["noughts proof 1", f"board {spec}"]
    if set(position) != {"."}:
        head.append(f"from {rows(spec, position)}")
    head.append(f"claim {claim}")
    if len(turns) > 1:
        head += ["symmetries", *(" ".join(map(str, turn)) for turn in turns)]
    return "\n".join([*head, *(line for title, body in sections.items() for line in (title, *body))]) + "\n"


def group_of(spec: str, lots: random.Random) -> tuple[naive.Permutation, ...]:
    """The symmetries of the cells of a board, or none, by lot."""
    base = spec.partition(":")[0].partition("+")[0]
    sides = [int(each) for each in base.split("x")]
    if lots.random() < 0.5:
        return (tuple(range(game_of(spec).cells)),)
    return naive.isometries(sides[0], sides[1], sides[2] if len(sides) > 2 else 1, torus="+torus" in spec)


def open_positions(game: naive.Game, number: int, lots: random.Random) -> list[str]:
    """Positions that play at random meets; the empty board among them where it is small."""
    found = ["." * game.cells] if game.cells < 10 else []
    while len(found) < number:
        position = "." * game.cells
        for _ in range(lots.randrange(3 if game.cells > 9 else 0, game.cells)):
            after = naive.play(position, lots.choice(naive.blanks(position)))
            position = position if naive.line_outcome(game, after) else after
        found.append(position)
    return found


def written(spec: str, position: str, lots: random.Random) -> list[str]:
    """All certificates that brute force writes of a position: wins, play, stops, and what they come to."""
    game, turns = game_of(spec), group_of(spec, lots)
    found = []
    stops: dict[str, list[dict[str, list[str]]]] = {"X": [], "O": []}
    for player, other in ("XO", "OX"):
        if ranks(game, position, player, 1):
            won = {f"play {player} to win": playing(game, position, player, 1, turns)}
            found.append(certificate(spec, position, f"{player} wins", won, turns))
            if not game.misere:
                fast = {f"win {player}": winning(game, position, player, turns)}
                found.append(certificate(spec, position, f"{player} wins", fast, turns))
        if ranks(game, position, player, 0):
            stops[other].append({f"play {player} not to lose": playing(game, position, player, 0, turns)})
            if not game.misere:
                stops[other].append({f"stop {other} by threats": threatening(game, position, other, turns)})
        if not game.misere and (body := stopping(game, position, player)) is not None:
            stops[player].append({f"stop {player}": body})
    for player, ways in stops.items():
        found += [certificate(spec, position, f"{player} stopped", way, turns) for way in ways]
    for one in stops["X"]:
        found += [certificate(spec, position, "draw", {**one, **other}, turns) for other in stops["O"]]
    return found


@pytest.mark.parametrize("name", [*SMALL, "3x3x3", "4x4x4", "5x5:4", "3x4:3+torus", "2x3x4:2", "4x6:4+torus", "7x3:1"])
def test_lines_are_those_of_the_oracle(name):
    assert set(read_ground(name).lines) == {sum(1 << c for c in line) for line in game_of(name).lines}


@pytest.mark.parametrize(
    ("spec", "number"),
    [(spec, 8) for spec in SMALL] + [pytest.param(spec, 150, marks=pytest.mark.slow) for spec in SMALL],
)
def test_what_brute_force_writes_is_accepted(spec, number):
    lots = random.Random(spec)
    game = game_of(spec)
    kinds = set()
    for position in open_positions(game, number, lots):
        for text in written(spec, position, lots):
            assert accepts(text), text
            judgement = judge_proof(text)
            assert judgement.claim in text
            assert sum(s.positions for s in judgement.sections) >= len(judgement.sections) - text.count("\n-\n")
            kinds |= {section.title.split()[0] for section in judgement.sections}
    assert "play" in kinds


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "3x3+misere", "2x2x2"])
def test_a_tree_that_holds_is_not_accepted_for_another_claim(spec):
    """What was written for one position, player and claim is given to all others: only true claims are accepted."""
    lots = random.Random(spec)
    game = game_of(spec)
    places = open_positions(game, 12, lots)
    texts = [text for position in places for text in written(spec, position, lots)]
    wrong = 0
    for _ in range(600):
        text, position = lots.choice(texts), lots.choice(places)
        claim = lots.choice(["X wins", "O wins", "draw", "X stopped", "O stopped"])
        lines = [line for line in text.splitlines() if not line.startswith(("from ", "claim "))]
        lines[2:2] = [f"from {rows(spec, position)}", f"claim {claim}"]
        changed = "\n".join(lines)
        if lots.random() < 0.5:
            changed = changed.replace("X not", "@").replace("O not", "X not").replace("@", "O not")
        worth = naive.value(game, position)
        truth = {"X wins": worth == 1, "O wins": worth == -1, "draw": worth == 0, "X stopped": worth < 1}
        if not truth.get(claim, worth > -1):
            wrong += 1
            with pytest.raises(CheckError):
                judge_proof(changed)
    assert wrong > 200


def blocked(spec: str, start: str = "") -> str:
    board = Board.parse(spec)
    position = parse_position(board, start) if start else Position(board)
    return proof_by(SearchSolution(board, position, budget=SearchBudget(), stage="blocking"), position).text


def attacked(spec: str, start: str = "") -> str:
    board = Board.parse(spec)
    position = parse_position(board, start) if start else Position(board)
    return proof_by(SearchSolution(board, position, budget=SearchBudget(), stage="threats"), position).text


@pytest.mark.parametrize(
    "spec",
    dear(
        ["4x4:4", "5x5:5", "6x6:5", "8x8:6", "10x10:7", "14x14:9", "20x20:9", "4x4:4+torus", "7x7:5", "6x7:5"],
        "7x7:5",
        "6x7:5",
    ),
)
def test_draws_by_blocking(spec):
    text = blocked(spec)
    judgement = judge_proof(text)
    assert [section.title for section in judgement.sections] == ["stop X", "stop O by stealing"]
    if len(text) < 4000 and Board.parse(spec).cells < 70:
        assert accepts(text)


def test_draws_by_blocking_from_positions():
    for spec, start in (("4x4:4", "X.../..../..../...O"), ("4x4:4", "X.../.O../..X./...."), ("5x5:5", "a1 b2 c3")):
        text = blocked(spec, start)
        assert accepts(text)
        assert len(judge_proof(text).sections) == 2


@pytest.mark.parametrize(
    ("spec", "start"),
    [
        ("3x3x3", ""),
        ("5x6:4", ""),
        ("6x6:4", ""),
        ("4x4:3", ""),
        ("3x4:3", "b2"),
    ],
)
def test_wins_by_threats(spec, start):
    text = attacked(spec, start)
    assert accepts(text)
    (section,) = judge_proof(text).sections
    assert section.shows == "X wins"


@pytest.mark.slow
def test_sequences_meet_the_replies_that_a_walk_for_each_says():
    """One walk over a sequence tells of all replies what the small judge finds reply by reply."""
    lots = random.Random(5)
    text = attacked("5x6:4").splitlines()
    begin = text.index("win X") + 1
    for _ in range(40):
        changed = list(text)
        at = lots.randrange(begin, len(changed))
        words = changed[at].split()
        spot = lots.randrange(len(words))
        words[spot] = lots.choice([str(lots.randrange(30)), "/", ":", words[spot - 1]])
        changed[at] = " ".join(words)
        said = "\n".join(changed) + "\n"
        assert holds(said) == accepts(said), said


def holds(text: str) -> bool:
    try:
        judge_proof(text)
    except (CheckError, InputError):
        return False
    return True


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a proof"),
        ("noughts proof 2\n", "not a proof"),
        ("noughts proof 1\nboard 3x3\n", "must name its board"),
        ("noughts proof 1\nboard 3x3x3x3\nclaim draw\n", "cannot have the board"),
        ("noughts proof 1\nboard 99x99\nclaim draw\n", "9,801 cells"),
        ("noughts proof 1\nboard 1000x1000\nclaim draw\n", "1,000,000 cells"),
        ("noughts proof 1\nboard 3x3\nclaim X loses\n", "unknown claim"),
        ("noughts proof 1\nboard 3x3\nfrom XX.\nclaim draw\n", "not a position"),
        ("noughts proof 1\nboard 3x3\nfrom O../.../...\nclaim draw\n", "0 X and 1 O"),
        ("noughts proof 1\nboard 3x3\nfrom XXX/OO./...\nclaim draw\n", "a player has a line"),
        ("noughts proof 1\nboard 3x3\nboard 3x3\nclaim draw\n", "two lines .board."),
        ("noughts proof 1\nboard 3x3\nclaim draw\nsymmetries\n0 1 2\n", "not a permutation"),
        ("noughts proof 1\nboard 3x3\nclaim draw\nsymmetries\n1 0 2 3 4 5 6 7 8\n", "lines to lines"),
        ("noughts proof 1\nboard 3x3\nclaim draw\nsymmetries\n" + "1 " * 50 + "\n", "more cells than its board"),
    ],
)
def test_what_is_no_certificate_is_refused_in_one_sentence(text, words):
    with pytest.raises(InputError, match=words):
        judge_proof(text)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", "needs a section that shows 'X wins'"),
        ("win X\n", "ends in the middle"),
        ("win Y\n", "must be the title of a section"),
        ("win X\nx\n", "is not a cell"),
        ("win X\n12\n", "is not a cell"),
        ("win X\n5 : 6 / 4\n", "ends in the middle"),
        ("win X\n5 : 6 4\n", "number of cells is odd"),
        ("win O\n5\n", "must be -"),
        ("play X to win\n5 : 1 2\n", "not to lose"),
        ("play X not to lose\n5 : 5 2\n", "different from the cell before it"),
        ("stop X\n- : 1 1\n", "must be pairs"),
        ("stop X\n1\n", "Maker is to move at the beginning"),
        ("stop O by stealing\n", "needs a section"),
        ("stop O by stealing\nstop O by stealing\n", "a second section"),
        ("stop X by stealing\n", "must be the title of a section"),
        ("stop X\n-\n1\n1\n1\n", "Maker completes a line"),
    ],
)
def test_what_does_not_hold_is_named_with_its_line(body, words):
    with pytest.raises(CheckError, match=words) as caught:
        judge_proof("noughts proof 1\nboard 3x4:3\nclaim X wins\n" + body)
    assert str(caught.value).startswith("line ")


def test_a_line_of_the_opponent_is_told_at_the_move_that_allows_it():
    head = "noughts proof 1\nboard 3x3\nfrom XX./OO./...\nclaim X wins\n"
    with pytest.raises(CheckError, match=r"line 6 \('6'\): the opponent completes a line at cell 5"):
        judge_proof(head + "win X\n6\n")
    with pytest.raises(CheckError, match=r"line 6 \('6'\): the opponent completes a line at cell 5"):
        judge_proof(head + "play X to win\n6\n")
    assert judge_proof(head + "win X\n2\n").positions == judge_proof(head + "play X to win\n2\n").positions == 1
    with pytest.raises(CheckError, match="remove the colon and what follows"):
        judge_proof(head + "win X\n2 : 5\n")


@pytest.mark.parametrize("title", ["win X", "stop X", "stop X by threats", "stop O by stealing"])
def test_where_lines_lose_only_play_and_mirroring_prove_anything(title):
    with pytest.raises(CheckError, match="only the sections 'play' and 'stop by mirroring' can prove"):
        judge_proof(f"noughts proof 1\nboard 3x3+misere\nclaim draw\n{title}\n-\n")


@pytest.mark.parametrize(
    ("board", "start", "section", "words"),
    [
        ("3x3", "", "stop O by mirroring\n8 7 6 5 4 3 2 1 0", "serves under misere only"),
        ("3x3+misere", "", "stop X by mirroring\n8 7 6 5 4 3 2 1 0", "keep one cell where the player is to move"),
        ("3x3+misere", "", "stop O by mirroring\n0 1 2 3 4 5 6 7 8", "keep one cell where the player is to move"),
        ("3x3+misere", "", "stop O by mirroring\n2 5 8 1 4 7 0 3 6", "its own inverse"),
        ("3x3+misere", "", "stop O by mirroring\n1 0 2 3 4 5 6 7 8", "such that lines become lines"),
        ("3x3+misere", "", "stop O by mirroring\n8 7 6 5 4 3 2 1", "such that lines become lines"),
        ("3x3:2+misere", "", "stop O by mirroring\n8 7 6 5 4 3 2 1 0", "no other cell and its image"),
        (
            "4x4+misere",
            "X.../..../..../O...",
            "stop X by mirroring\n" + " ".join(map(str, range(15, -1, -1))),
            "exchange",
        ),
        ("3x3+misere", "", "play X not to lose\n0 :", "do not keep the player from every line"),
        ("2x4:3+misere", "", "play X to win\n0 :", "not to lose"),
    ],
)
def test_what_does_not_avoid_lines_is_named(board, start, section, words):
    begin = f"from {start}\n" if start else ""
    text = f"noughts proof 1\nboard {board}\n{begin}claim draw\n{section}\n"
    assert not accepts(text)
    with pytest.raises(CheckError, match=words):
        judge_proof(text)


# Certificates that are changed at random: what the judge accepts is true, and three small judges accept it too.

BOARDS = ["3x3", "3x4:3", "3x3+torus", "2x3:2+misere", "2x2x2", "3x3+misere", "1x5:3", "4x4:4", "4x3:3", "2x4:2"]
CLAIMS = ["X wins", "O wins", "X stopped", "O stopped", "draw"]
TITLES = ["win X", "win O", "stop X", "stop O", "stop O by stealing", "stop X by threats", "stop O by threats"]
TITLES += ["stop X by mirroring", "stop O by mirroring"]
TITLES += [f"play {player} {how}" for player in "XO" for how in ("to win", "not to lose")]


@cache
def bases() -> list[str]:
    """Certificates of brute force, of the engines, and of the package, on boards where every value is known."""
    lots = random.Random(15)
    found = []
    for spec in ("3x3", "3x4:3", "3x3+torus", "2x3:2+misere", "2x2x2", "3x3+misere"):
        game = game_of(spec)
        for position in open_positions(game, 6, lots):
            found += [text for text in written(spec, position, lots) if text.count("\n") < 120]
    found += [prove(spec).text for spec in ("3x3+misere", "2x4:3+misere", "2x2x2+misere", "1x5:3+misere")]
    found += [attacked("3x4:3", ""), attacked("3x4:3", "a1"), attacked("3x3", "a1 c3 a3"), attacked("2x4:2", "")]
    shipped = files("noughts.known").joinpath("proofs")
    return found + [shipped.joinpath(name).read_text() for name in ("3x3-3.proof", "3x3-3-misere.proof", "4x4-4.proof")]


def mutant(lots: random.Random) -> str:
    """A certificate with one to four changes: of cells, lines, titles, claims, positions, boards, or by another."""
    lines = lots.choice(bases()).splitlines()
    for _ in range(lots.choice([1, 1, 1, 2, 2, 3, 4])):
        at = lots.randrange(1, len(lines))
        kind = lots.randrange(10)
        words = lines[at].split()
        if kind < 4 and words:
            words[lots.randrange(len(words))] = lots.choice([str(lots.randrange(13)), "/", ":", "-", "0"])
            lines[at] = " ".join(words)
        elif kind == 4:
            del lines[at]
        elif kind == 5:
            lines.insert(
                at, lots.choice([lots.choice(lines), lots.choice(TITLES), str(lots.randrange(12)), "-", "- :"])
            )
        elif kind == 6:
            lines[1] = f"board {lots.choice(BOARDS)}"
        elif kind == 7:
            lines = [f"claim {lots.choice(CLAIMS)}" if line.startswith("claim") else line for line in lines]
        elif kind == 8:
            lines = _elsewhere(lines, lots)
        else:
            lines = [lots.choice(TITLES) if line in TITLES and lots.random() < 0.6 else line for line in lines]
    return "\n".join(lines) + "\n"


def _elsewhere(lines: list[str], lots: random.Random) -> list[str]:
    """The same from another position of the board."""
    try:
        spec = next(line for line in lines if line.startswith("board ")).split()[1]
        position = open_positions(game_of(spec), 3, lots)[-1]
    except (StopIteration, IndexError, WrongProof):
        return lines
    kept = [line for line in lines if not line.startswith("from")]
    return [*kept[:2], f"from {rows(spec, position)}", *kept[2:]] if position.strip(".") else kept


def is_true(text: str) -> bool:
    """Whether what a certificate claims is so: by listing all games on small boards, by retrograde on 4x4."""
    head = dict(line.split(" ", 1) for line in text.splitlines()[:6] if line.startswith(("board ", "from ", "claim ")))
    game = game_of(head["board"])
    position = head.get("from", "." * game.cells).replace("/", "").replace("|", "")
    if game.cells > 12 or (game.cells > 9 and position.count(".") > 11):
        worth = _by_retrograde(head["board"], rows(head["board"], position))
    else:
        worth = naive.value(game, position)
    claim = head["claim"]
    return {"X wins": worth == 1, "O wins": worth == -1, "draw": worth == 0, "X stopped": worth < 1}.get(
        claim, worth > -1
    )


@cache
def _by_retrograde(spec: str, position: str) -> int:
    outcome = solve(spec, engine="retrograde").outcome(position if position.strip("./|") else None)
    return {"X": 1, "O": -1, "draw": 0}[outcome]


@pytest.mark.parametrize(("number", "seed"), [(400, 1), pytest.param(10_000, 2, marks=pytest.mark.slow)])
def test_no_changed_certificate_is_accepted_that_is_wrong(number, seed):
    lots = random.Random(seed)
    assert len(bases()) > 60
    accepted = refused = longest = 0
    while accepted + refused < number:
        text = mutant(lots)
        if text in bases():
            continue
        try:
            judge_proof(text)
        except (CheckError, InputError) as error:
            refused += 1
            longest = max(longest, len(str(error)) + 1000 * str(error).count("\n"))
            continue
        accepted += 1
        assert is_true(text), text
        assert accepts(text), text
    assert refused > 5 * accepted > 0
    assert longest < 600


# The examples on the page of the format are certificates that hold, one for every kind of section, and no more.

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "proofs.md"
EXAMPLES = re.findall(r"```text\n(noughts proof 1\n.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text.splitlines()[1])
def test_every_example_holds(text):
    judge_proof(text)
    assert "infinite" in text or accepts(text)


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text.splitlines()[1])
def test_no_line_of_an_example_can_be_left_out(text):
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not line.startswith(("board", "from", "symmetries")) and not _is_symmetry(line):
            with pytest.raises(NoughtsError):
                judge_proof("\n".join(lines[:number] + lines[number + 1 :]))


def _is_symmetry(line: str) -> bool:
    words = line.split()
    return len(words) > 8 and set(words) == {str(number) for number in range(len(words))}


def test_every_kind_of_section_has_an_example():
    kinds = {kind for kind, _, _ in TITLES_JUDGE.values()}
    shown = {TITLES_JUDGE[line][0] for text in EXAMPLES for line in text.splitlines() if line in TITLES_JUDGE}
    assert shown == kinds
    excerpt = re.search(r"```text\n(pairs .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert excerpt is not None
    assert excerpt[1] in files("noughts.known").joinpath("proofs", "9-infinite.proof").read_text()
    assert any("- :" in text for text in EXAMPLES)
