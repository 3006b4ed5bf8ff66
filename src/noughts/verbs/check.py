"""`noughts check`: certificates judged by playing every reply: what each shows, and how it was judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from noughts.blindfold.judge import ProofVerdict
from noughts.blindfold.judge import Verdict as StrategyVerdict
from noughts.judge.certificates import Checked, CribChecked, PolicyChecked, check
from noughts.judge.proofs.judge import Judgement
from noughts.present.forms import Forms, report_forms
from noughts.present.report import Block, How, Look, Report, Table
from noughts.rules.cells import cell_name
from noughts.rules.errors import shown
from noughts.verbs.blindfold import value_lines
from noughts.verbs.blindfold import verdict_report as strategy_report
from noughts.verbs.request import (
    Caller,
    VerbAnswer,
    VerbRequest,
    argument,
    option,
)


@dataclass(frozen=True, kw_only=True)
class CheckRequest(VerbRequest):
    """Judge the certificate in each FILE (- for standard input) by playing every reply.

    Reads proofs (noughts solve --proof), blindfold strategies and values, cribs and policies. Exit code 0 where all
    hold; else that of the first that does not: 1 if it is wrong, 2 if it is no certificate, 3 if --time is over, 4 if
    it cannot be read.
    """

    files: tuple[str, ...] = argument("FILE...")
    time: str | None = option("Give up what is not judged by then, of all files: 10s, 5m.", metavar="TIME")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return that standard input is to be read twice."""
        return ((self.files.count("-") > 1, "standard input can be read once: name - one time only"),)

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return what came of each certificate; one that could not be read is an error alone."""
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
    "the judge makes the winning lines again from the name of the board and plays every reply; it shares no code with "
    "what found the certificate"
)
_HOWS = {
    "proof": f"{_INDEPENDENT}. What each line means, and why it is enough: docs/reference/proofs.md.",
    "crib": "the table is read as it is printed, its move made at every board that it lets arise, and every reply "
    "played; that no smaller table does is not judged.",
    "policy": "every move that the policy may make was played against every reply, to the end of every game.",
    "blindfold strategy": "every reply was played through a referee that shares nothing with the solver.",
    "blindfold value": "every reply was played against the one part and every call against the other, in fractions.",
}
_CLAIMS = {
    "X wins": "X wins {on}, whatever O replies.",
    "O wins": "O wins {on}, whatever X replies.",
    "X stopped": "X cannot win {on} against right play: at least a draw for O.",
    "O stopped": "O cannot win {on} against right play: at least a draw for X.",
    "draw": "the game is drawn {on}: neither player can force a win.",
}


def forms(found: Sequence[Checked], look: Look) -> Forms:
    """Return what came of certificates in every form."""
    return report_forms(
        lambda: report(found),
        lambda: {"holds": all(each.holds for each in found), "certificates": [each.as_dict() for each in found]},
        look,
    )


def report(found: Sequence[Checked]) -> Report:
    """Return what there is to say of certificates: of one its answer first, of several how many hold."""
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
    """Return what a certificate that holds shows, as a sentence."""
    found = one.found
    if isinstance(found, Judgement):
        at = "from the empty board" if found.position is None else f"from {found.position}"
        return _CLAIMS[found.claim].format(on=f"on {found.board} {at}") + _played(found)
    if isinstance(found, CribChecked):
        return f"{' and '.join(_crib_side(found))}."
    if isinstance(found, PolicyChecked):
        ways = " and ".join(f"as {side.player} it {_fares(side.outcomes, side.player)}" for side in found.sides)
        return f"the policy plays {found.board} to the end, and {ways}."
    if isinstance(found, StrategyVerdict):
        text = strategy_report(found.strategy, found).headline
        return text.partition(": ")[2]
    assert isinstance(found, ProofVerdict)
    return value_lines(found)[0].partition(": ")[2]


def _played(found: Judgement) -> str:
    replies = sum(each.replies for each in found.sections)
    if not replies:
        return ""
    return f" Judged: {found.positions:,} position{'s' * (found.positions != 1)} and {replies:,} replies."


def _fares(outcomes: Sequence[str], player: str) -> str:
    if set(outcomes) == {player}:
        return "always wins"
    return "never loses" if {"X", "O"} - {player} - set(outcomes) else "can lose"


def _crib_side(found: CribChecked) -> Iterator[str]:
    for question in found.questions:
        yield f"with this table {question.player} {question.does} on {question.where}, whatever the other plays"


def _parts(one: Checked) -> Iterator[Sequence[Block | str]]:
    """Return what supports the answer."""
    found = one.found
    if isinstance(found, Judgement):
        rows = [[each.title, _shown(each.title), f"{each.positions:,}", f"{each.replies:,}"] for each in found.sections]
        yield [Table(["section", "shows", "positions", "replies"], rows, frozenset({0, 1}))]
    elif isinstance(found, CribChecked):
        yield [
            f"Played: {met.boards:,} boards up to symmetry, {met.own:,} of them at {question.player}'s turn; games end "
            f"as {_ends(met.outcomes)}."
            for question, met in zip(found.questions, found.met, strict=True)
        ]
    elif isinstance(found, PolicyChecked):
        yield [_side_sentence(found, number) for number in range(len(found.sides))]
        if found.lacks is not None:
            yield [f"It is judged as {found.sides[0].player} alone: {found.lacks}."]
    elif isinstance(found, StrategyVerdict):
        yield list(strategy_report(found.strategy, found).sections[0][1:])
        yield from (section for section in strategy_report(found.strategy, found).sections[1:])
    elif isinstance(found, ProofVerdict):
        yield list(value_lines(found)[1:])


def _shown(title: str) -> str:
    """Return in words what a section shows, and how."""
    kind, player, *how = title.split()
    other = "O" if player == "X" else "X"
    if kind == "pairs":
        return "neither wins: a pair on every line"
    if kind == "win":
        return f"{player} wins: a line before {other} has one"
    if kind == "play":
        return f"{player} wins: every game played out" if how == ["to", "win"] else f"{player} never loses, played out"
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
    """Return how certificates of each kind that was there are judged."""
    kinds = dict.fromkeys(each.kind for each in found if each.found is not None or each.error is None)
    if len(found) == 1:
        return [How(_HOWS[kind]) for kind in kinds if kind is not None]
    return [How(f"({kind}) {_HOWS[kind]}") for kind in kinds if kind is not None]


def failure(found: Sequence[Checked]) -> str:
    """Return in one sentence why not all certificates hold; that they do not is known."""
    failing = [each for each in found if not each.holds]
    first = failing[0]
    which = "standard input" if first.name == "-" else shown(first.name, 200)
    more = f"; {len(failing) - 1:,} more of {len(found):,} fail" if len(failing) > 1 else ""
    return f"{which}: {first.error}{more}"
