"""`noughts check`: certificates, checked against every reply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from noughts.blindfold.judge import ProofVerdict
from noughts.blindfold.judge import Verdict as StrategyVerdict
from noughts.judge.certificates import Checked, CribChecked, PolicyChecked, check
from noughts.judge.proofs.judge import Judgement
from noughts.present.forms import Forms, report_forms
from noughts.present.report import Block, How, Look, Report, Table, many
from noughts.rules.board import Board, is_infinite
from noughts.rules.cells import cell_name
from noughts.rules.errors import shown
from noughts.verbs.blindfold import value_lines
from noughts.verbs.blindfold import verdict_report as strategy_report
from noughts.verbs.request import Caller, VerbAnswer, VerbRequest, argument, option


@dataclass(frozen=True, kw_only=True)
class CheckRequest(VerbRequest):
    """Check of the certificate in each FILE (- for standard input) against every reply.

    A certificate is a proof of noughts solve --proof, a blindfold strategy or value, a crib, or a policy. The exit code
    is 0 if all hold. Otherwise it describes the first that fails: 1 wrong, 2 not a certificate, 3 over --time, 4 not
    readable.
    """

    files: tuple[str, ...] = argument("FILE...")
    time: str | None = option("Time limit for all files, such as 10s or 5m", metavar="TIME")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        return ((self.files.count("-") > 1, "standard input can be read only once: give - once"),)

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the verdict on each certificate."""
        from noughts.machine.budget import parse_duration

        deadline = None if self.time is None else monotonic() + parse_duration(self.time)
        found = [
            check(file, time=None if deadline is None else max(0.0, deadline - monotonic())) for file in self.files
        ]
        failing = [each.error for each in found if each.error is not None]

        def finish() -> int:
            if failing:
                raise type(failing[0])(failure(found))
            return 0

        is_judged = len(found) > 1 or not failing or found[0].found is not None or failing[0].exit_code == 1
        return VerbAnswer(found, forms(found, caller.look) if is_judged else {}, finish)


_INDEPENDENT = (
    "the judge derives the winning lines from the name of the board and plays every reply; it shares no code with "
    "the solver"
)
_HOWS = {
    "proof": f"{_INDEPENDENT}. docs/reference/proofs.md defines each line.",
    "crib": "the judge plays the moves of the printed table against every reply. It does not check whether a smaller "
    "table exists.",
    "policy": "the judge played every possible move of the policy against every reply, to the end of every game.",
    "blindfold strategy": "a referee that shares no code with the solver played every reply.",
    "blindfold value": "the judge played all that the other player can do against each strategy, in exact numbers.",
}
_CLAIMS = {
    "X wins": "X wins {on} against every reply of O.",
    "O wins": "O wins {on} against every reply of X.",
    "X stopped": "X cannot win {on} against best play: O has at least a draw.",
    "O stopped": "O cannot win {on} against best play: X has at least a draw.",
    "draw": "the game is drawn {on}: neither player can force a win.",
}


def forms(found: Sequence[Checked], look: Look) -> Forms:
    """Return the verdicts in every form."""
    return report_forms(
        lambda: report(found),
        lambda: {"holds": all(each.holds for each in found), "certificates": [each.as_dict() for each in found]},
        look,
    )


def report(found: Sequence[Checked]) -> Report:
    """Return the report on one certificate or several."""
    if len(found) == 1:
        (one,) = found
        return Report.of([_answer(one)], *_parts(one), _hows(found))
    holding = sum(each.holds for each in found)
    head = f"{'All' if holding == len(found) else f'{holding:,} of'} {len(found):,} certificates hold."
    answers = [[f"{each.name}: {_answer(each)}"] for each in found]
    return Report.of([head], *answers, _hows(found))


def _answer(one: Checked) -> str:
    if one.holds:
        return f"Yes: {sentence_of(one)}"
    if one.error is not None and one.error.exit_code == 1:
        return f"No: {one.error}."
    return f"Not judged: {one.error}."


def sentence_of(one: Checked) -> str:
    """Return the claim of a certificate that holds, as a sentence."""
    found = one.found
    if isinstance(found, Judgement):
        at = "from the empty board" if found.position is None else f"from {found.position}"
        at += ", where lines count on the full board" * (found.end == "full")
        claim = _named(found, _CLAIMS[found.claim]).format(on=f"on {found.board} {at}")
        replies = sum(each.replies for each in found.sections)
        played = f" Judged: {many(found.positions, 'position')} and {replies:,} replies."
        return f"{claim}{played}" if replies else claim
    if isinstance(found, CribChecked):
        sides = [f"{each.player} {each.does} on {each.where} against every reply" for each in found.questions]
        return f"{' and '.join(f'with this table {side}' for side in sides)}."
    if isinstance(found, PolicyChecked):
        ways = " and ".join(f"as {side.player} it {_fares(side.outcomes, side.player)}" for side in found.sides)
        return f"the policy plays {found.board} to the end, and {ways}."
    if isinstance(found, StrategyVerdict):
        text = strategy_report(found.strategy, found).headline
        return text.partition(": ")[2]
    assert isinstance(found, ProofVerdict)
    return value_lines(found)[0].partition(": ")[2]


def _named(found: Judgement, words: str) -> str:
    """Return words about X and O with the names that the players have on the board."""
    return words if is_infinite(found.board) else Board.parse(found.board).rules.named(words)


def _fares(outcomes: Sequence[str], player: str) -> str:
    if set(outcomes) == {player}:
        return "always wins"
    return "never loses" if {"X", "O"} - {player} - set(outcomes) else "can lose"


def _parts(one: Checked) -> Iterator[Sequence[Block | str]]:
    """Return the details of the answer."""
    found = one.found
    if isinstance(found, Judgement):
        rows = [
            [each.title, _named(found, _shown(each.title)), f"{each.positions:,}", f"{each.replies:,}"]
            for each in found.sections
        ]
        yield [Table(["section", "shows", "positions", "replies"], rows, frozenset({0, 1}))]
    elif isinstance(found, CribChecked):
        yield [
            f"Played: {met.boards:,} boards up to symmetry, {met.own:,} of them with {question.player} to move; games "
            f"end as {_ends(met.outcomes)}."
            for question, met in zip(found.questions, found.met, strict=True)
        ]
    elif isinstance(found, PolicyChecked):
        yield [_side_sentence(found, number) for number in range(len(found.sides))]
        if found.lacks is not None:
            yield [f"Only its play as {found.sides[0].player} was checked: {found.lacks}."]
    elif isinstance(found, StrategyVerdict):
        yield list(strategy_report(found.strategy, found).sections[0][1:])
        yield from (section for section in strategy_report(found.strategy, found).sections[1:])
    elif isinstance(found, ProofVerdict):
        yield list(value_lines(found)[1:])


def _shown(title: str) -> str:
    """Return what a section proves, in words."""
    if title == "partners":
        return "O wins: answers in partner cells break every line"
    kind, player, *how = title.split()
    other = "O" if player == "X" else "X"
    if kind == "pairs":
        return "neither wins: a pair on every line"
    if kind == "win":
        return f"{player} wins: a line before {other} has one"
    if kind == "play":
        return (
            f"{player} wins: every game played out"
            if how == ["to", "win"]
            else f"{player} never loses, against any reply"
        )
    if how == ["by", "threats"]:
        return f"{player} cannot win: {other} blocks every line, and threatens"
    if how == ["by", "mirroring"]:
        return f"{player} cannot win: {other} answers every move by its mirror image"
    if how:
        return f"{player} cannot win: {other} could do the same first"
    return f"{player} cannot win: {other} blocks every line"


def _side_sentence(found: PolicyChecked, number: int) -> str:
    side = found.sides[number]
    summary = f"As {side.player}: {side.positions:,} positions met; games end as {_ends(side.outcomes)}."
    if side.lost is None:
        return summary
    return f"{summary} It loses by {', '.join(cell_name(found.board, cell) for cell in side.lost)}."


def _ends(outcomes: Sequence[str] | frozenset[str]) -> str:
    names = {"X": "a win of X", "O": "a win of O", "draw": "a draw"}
    return " or ".join(names[each] for each in sorted(outcomes, key=("X", "draw", "O").index))


def _hows(found: Sequence[Checked]) -> list[Block | str]:
    """Return how each kind of certificate was checked."""
    kinds = dict.fromkeys(each.kind for each in found if each.found is not None or each.error is None)
    if len(found) == 1:
        return [How(_HOWS[kind]) for kind in kinds if kind is not None]
    return [How(f"({kind}) {_HOWS[kind]}") for kind in kinds if kind is not None]


def failure(found: Sequence[Checked]) -> str:
    """Return the error for certificates of which at least one does not hold."""
    failing = [each for each in found if not each.holds]
    first = failing[0]
    which = "standard input" if first.name == "-" else shown(first.name, 200)
    more = f"; {len(failing) - 1:,} more of {len(found):,} fail" if len(failing) > 1 else ""
    return f"{which}: {first.error}{more}"
