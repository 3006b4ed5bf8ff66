"""The certificates that the package carries, judged for `noughts verify`."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.domain.errors import NoughtsError
from noughts.known import proofs
from noughts.machine.budget import Limits
from noughts.verification.proofs.judge import LINES_A_SECOND, judge_proof
from noughts.verification.verdict import Comparing, NumberCheck

__all__ = ["judged_proofs"]


def judged_proofs(limits: Limits) -> Iterator[NumberCheck]:
    """Yield a verdict for every certificate that the package carries; those too long for the time are out of reach."""
    for name, text in proofs():
        head = dict(line.split(" ", 1) for line in text.splitlines()[1:4] if " " in line)
        claim, lines = f"{head.get('board')} {head.get('claim')}", text.count("\n")
        verdict = Comparing(f"certificate {name}", f"{claim}, {lines:,} lines", "carried by the package")
        if limits.seconds is not None and lines > LINES_A_SECOND * limits.seconds:
            verdict.out_of_reach.append(f"{claim}: {lines:,} lines to judge")
        else:
            try:
                judgement = judge_proof(text)
                verdict.hold(claim, claim, f"{judgement.board} {judgement.claim}", ["the judge"], judged=True)
            except NoughtsError as error:
                verdict.hold(claim, claim, str(error), ["the judge"])
        yield verdict.done()
