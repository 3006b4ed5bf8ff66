"""Proofs on boards of wild, Notakto, and order and chaos: written, judged, and found wrong where a line is wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from noughts import check
from noughts.judge.proofs.ground import ProofFault, read_ground
from noughts.judge.proofs.judge import judge_proof
from noughts.judge.proofs.others import mover, moves_of, outcome_of, played
from noughts.present.report import PIPE
from noughts.present.text import as_text
from noughts.rules.errors import InputError, InvalidQuestion
from noughts.solving.api import prove
from noughts.verbs import check as check_verb
from tests import naive
from tests.analysis.test_unowned_marks import OWNED, UNOWNED, at, some

SPECS = [spec for spec in UNOWNED if "exact" not in spec]
CLAIMS = {1: "X wins", 0: "draw", -1: "O wins"}
HEAD = "noughts proof 1\nboard {}\nclaim {}\n{}\n"


def pair(text: str) -> tuple[int, int]:
    x, o = (sum(1 << cell for cell, mark in enumerate(text) if mark == player) for player in "XO")
    return x, o


@pytest.mark.parametrize("spec", SPECS)
def test_the_judge_plays_by_the_rules(spec: str) -> None:
    ground, rules = read_ground(spec), UNOWNED[spec].rules
    for text in some(spec, 500):
        marks = pair(text)
        assert outcome_of(ground, marks) == rules.outcome(text)
        assert mover(marks) == rules.mover(text)
        assert moves_of(ground, marks) == ([] if rules.outcome(text) else sorted(rules.moves(text)))
        for move in moves_of(ground, marks):
            assert played(ground, marks, move) == pair(rules.play(text, move))


@pytest.mark.parametrize("spec", SPECS)
def test_what_is_proved_is_the_value(spec: str) -> None:
    rules = UNOWNED[spec].rules
    for text in [each for each in some(spec, 40) if not rules.outcome(each)]:
        position = at(spec, text)
        proof = prove(position.board, position)
        assert judge_proof(proof.text).claim == CLAIMS[naive.ends(rules, text)[0]]


@pytest.mark.parametrize("spec", ["2x2:2+notakto*2", "1x5:3+wild+misere", "3x3+notakto", "1x5:3+order"])
def test_a_wrong_line_is_found_or_proves_the_same(spec: str) -> None:
    """Each line of the tree left out, or replaced by another move: no other claim ever holds."""
    proof = prove(spec).text.splitlines()
    first = next(number for number, line in enumerate(proof) if line.startswith("play"))
    held = 0
    for number in range(first + 1, len(proof)):
        for other in (None, "0", "1", "4"):
            changed = proof[:number] + ([] if other is None else [other]) + proof[number + 1 :]
            try:
                held += judge_proof("\n".join(changed)).claim == judge_proof("\n".join(proof)).claim
            except (ProofFault, InputError):
                continue
    assert held < 4 * (len(proof) - first)
    for wrong in set(CLAIMS.values()) - {judge_proof("\n".join(proof)).claim}:
        text = re.sub("claim .*", f"claim {wrong}", "\n".join(proof))
        with pytest.raises(ProofFault, match="needs a section"):
            judge_proof(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (HEAD.format("2x2+wild", "O wins", "win O"), "only the sections 'play'"),
        (HEAD.format("2x2+wild", "X wins", "play X to win\n0"), "a reply ends the game, and not as the section says"),
        (HEAD.format("2x2+wild", "O wins", "play O to win\n0"), "the first line of the section must be -"),
        (HEAD.format("3x3+notakto", "X wins", "play X to win\n9"), "'9' is not a move: moves are 0 to 8"),
        (HEAD.format("1x2:2+notakto*2", "X wins", "from XX|..\nplay X to win\n0"), "cannot make the move 0 here"),
        (HEAD.format("2x2+notakto", "X wins", "from XO/..\nplay X to win\n2"), "both players of Notakto place an X"),
        (HEAD.format("2x2+order", "O stopped", "from XX/..\nplay X to win"), "the game is over"),
        (HEAD.format("1x2:2+notakto*2", "O wins", "symmetries\n0 2 1 3\nplay O to win"), "does not map"),
    ],
)
def test_what_does_not_hold(text: str, fault: str) -> None:
    with pytest.raises((ProofFault, InputError), match=fault):
        judge_proof(text)


def test_a_symmetry_has_to_map_boards_to_boards() -> None:
    """Cells on no line could change their board without moving a line."""
    ground = "noughts proof 1\nboard 1x2:2+notakto*2\nclaim O wins\nsymmetries\n{}\nplay O to win\n-\n"
    with pytest.raises(InputError, match="does not map lines to lines"):
        judge_proof(ground.format("0 2 1 3"))
    with pytest.raises(ProofFault, match="ends in the middle"):
        judge_proof(ground.format("2 3 0 1"))


@pytest.mark.parametrize("spec", ["3x3+wild", "1x5:3+order", "2x2:2+notakto*2"])
def test_the_verdict_names_the_players_as_the_game_does(spec: str, tmp_path: Path) -> None:
    path = tmp_path / "a.proof"
    path.write_text(prove(spec).text)
    found = check(path)
    said = as_text(check_verb.report(found if isinstance(found, list) else [found]), PIPE)
    body = "\n".join(line for line in said.splitlines() if not line.startswith("play"))
    assert not OWNED.search(body), said
    assert "Yes: " in body


def test_exact_lines_are_not_proved() -> None:
    with pytest.raises(InvalidQuestion, match="a proof is not made for 1x5:2\\+wild\\+exact"):
        prove("1x5:2+wild+exact")
