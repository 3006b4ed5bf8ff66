"""Tells of which kind a certificate is, and lets its judge play it out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noughts.blindfold.certificates.certificate import document_of, from_json, from_text
from noughts.blindfold.certificates.judge import Verdict as StrategyVerdict
from noughts.blindfold.certificates.judge import judge as judge_strategy
from noughts.blindfold.certificates.proof_judge import ProofVerdict
from noughts.blindfold.certificates.proof_judge import judge_proof as judge_value
from noughts.blindfold.game.spelling import FORMAT, PROOF_FORMAT
from noughts.domain.arguments import wrong_type
from noughts.domain.errors import BudgetError, CheckError, InputError, NoughtsError, shown
from noughts.domain.frozen import short
from noughts.machine.apart import TooLate, apart
from noughts.machine.budget import format_duration, seconds_of
from noughts.machine.reading import require_version
from noughts.verification.certificates.cribs import CribChecked, is_crib, judge_crib_record
from noughts.verification.certificates.policies import PolicyChecked, has_moves, judge_policy
from noughts.verification.certificates.reading import STANDARD_INPUT, read_certificate
from noughts.verification.proofs.judge import FIRST, Judgement, judge_proof

__all__ = ["Checked", "check", "judge_text"]

Found = Judgement | StrategyVerdict | ProofVerdict | CribChecked | PolicyChecked

_UNKNOWN = (
    f"it is no certificate: a proof begins with {FIRST!r}, a blindfold strategy with {FORMAT!r}, and cribs, policies "
    "and blindfold values are JSON as noughts writes it"
)


@dataclass(frozen=True, repr=False)
class Checked:
    """What came of one certificate.

    `kind` is proof, blindfold strategy, blindfold value, crib or policy, None where it is none of them. `found` is what
    its judge says, None where it does not hold or cannot be read; `error` says why not, else it is None.
    """

    name: str
    kind: str | None
    found: Found | None
    error: NoughtsError | None = None

    def __repr__(self) -> str:
        return f"<Checked {short(self.name)}: {self.kind or 'no certificate'}, {'holds' if self.holds else 'fails'}>"

    @property
    def holds(self) -> bool:
        """Whether it holds."""
        return self.error is None

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON; `found` is what its judge says."""
        return {
            "file": self.name,
            "kind": self.kind,
            "holds": self.holds,
            "error": None if self.error is None else str(self.error),
            "exit_code": 0 if self.error is None else self.error.exit_code,
            "found": None if self.found is None else self.found.as_dict(),
        }


def check(path: str | Path, *, time: float | str | None = None) -> Checked:
    """Judge the certificate in a file (`-`: standard input) and return what it shows, or why it does not hold.

    Reads proofs, blindfold strategies and values, cribs and policies. Every reply is played, by code that shares
    nothing with what found the certificate. `noughts.check(FILE).holds` tells; nothing is raised for a bad file, whose
    error is in `error`; after `time` (seconds or `10s`) that is a BudgetError. Cost: what it takes to play all replies;
    seconds for a proof of 10,000 positions. Raises InputError for what is no file name and no time.
    """
    if not isinstance(path, str | Path):
        raise wrong_type("a file", path, "the name of a file, or a Path")
    seconds, name = None if time is None else seconds_of(time), str(path)
    try:
        text = read_certificate(path)
        file = None if name == STANDARD_INPUT else Path(path)
        return judge_text(text, name, file) if seconds is None else apart(seconds, judge_text, text, name, file)
    except NoughtsError as error:
        return Checked(name, None, None, error)
    except TooLate:
        late = f"not every reply was played within {format_duration(seconds or 0)}: raise --time"
        return Checked(name, None, None, BudgetError(late))


def judge_text(text: str, name: str = "the certificate", file: Path | None = None) -> Checked:
    """Judge a certificate given as text, which was read from a `file` or from none; as `check`."""
    kind: str | None = None
    try:
        kind, document = _kind(text)
        found, wrong = _JUDGES[kind](text, document, name, file)
    except NoughtsError as error:
        return Checked(name, kind, None, error)
    except RecursionError:
        return Checked(name, kind, None, InputError("it is nested too deeply: no game is so long"))
    return Checked(name, kind, found, None if wrong is None else CheckError(wrong))


def _kind(text: str) -> tuple[str, Any]:
    """Return of which kind a certificate is, and what it holds as JSON. Raises InputError where it is none."""
    if not text.strip():
        raise InputError("it is empty: no certificate")
    if text.startswith("noughts proof"):
        return "proof", None
    if text.lstrip().startswith((FORMAT, "#")):
        return "blindfold strategy", None
    document = document_of(text)
    if not isinstance(document, dict):
        raise InputError(_UNKNOWN)
    require_version("it", document)
    if document.get("format") == PROOF_FORMAT:
        return "blindfold value", document
    if document.get("format") == FORMAT or "strategy" in document:
        return "blindfold strategy", document
    if is_crib(document):
        return "crib", document
    if has_moves(document):
        return "policy", document
    raise InputError(_UNKNOWN)


def _proof(text: str, document: Any, name: str, file: Path | None) -> tuple[Found, str | None]:
    return judge_proof(text), None


def _strategy(text: str, document: Any, name: str, file: Path | None) -> tuple[Found, str | None]:
    strategy = from_text(text) if document is None else from_json(document)
    verdict = judge_strategy(strategy)
    if verdict.holds:
        return verdict, None
    return verdict, (
        f"the strategy does not keep its claim ({strategy.goal}): {verdict.losses:,} of {verdict.games:,} games are "
        f"lost and {verdict.draws:,} drawn"
    )


def _value(text: str, document: Any, name: str, file: Path | None) -> tuple[Found, str | None]:
    verdict = judge_value(document)
    low, high = verdict.claimed
    wrong = f"it claims {low} to {high}, and its strategies guarantee {verdict.lower} to {verdict.upper}"
    return verdict, None if verdict.holds else wrong


def _crib(text: str, document: Any, name: str, file: Path | None) -> tuple[Found, str | None]:
    return judge_crib_record(document), None


def _policy(text: str, document: Any, name: str, file: Path | None) -> tuple[Found, str | None]:
    verdict = judge_policy(document, shown(name, 200), file)
    losing = [side.player for side in verdict.sides if side.lost is not None]
    return verdict, f"the policy can lose as {' and as '.join(losing)}" if losing else None


_JUDGES = {
    "proof": _proof,
    "blindfold strategy": _strategy,
    "blindfold value": _value,
    "crib": _crib,
    "policy": _policy,
}
