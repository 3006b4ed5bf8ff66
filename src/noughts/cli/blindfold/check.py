"""Judges a strategy, or the proof of a value: every reply is played."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from noughts.blindfold.certificates.certificate import SIZE_LIMIT, document_of, loads, read
from noughts.blindfold.certificates.judge import judge
from noughts.blindfold.certificates.proof_judge import judge_proof
from noughts.blindfold.game.spelling import PROOF_FORMAT
from noughts.cli.progress import at_rest
from noughts.cli.sink import Sink
from noughts.domain.errors import CheckError, InputError
from noughts.reports.blindfold.verdict import forms, in_short, proof_forms

__all__ = ["run"]


def run(file: str, goal: Any, to: Sink) -> None:
    """Read, judge and write; CheckError where the claim does not hold."""
    text = _standard_input() if file == "-" else read(file)
    document = document_of(text)
    if isinstance(document, dict) and document.get("format") == PROOF_FORMAT:
        if goal is not None:
            raise InputError("--goal is the claim of a strategy, and FILE proves a value: leave it out")
        _judge_value(document, to)
        return
    strategy = loads(text)
    if goal is not None:
        strategy = replace(strategy, goal=goal)
    verdict = judge(strategy)
    to.write(forms(strategy, verdict, to.look))
    if not verdict.holds:
        lost = "game is lost" if verdict.games == 1 else "games are lost"
        raise CheckError(
            f"the strategy does not keep its claim ({strategy.goal}): {verdict.losses:,} of {verdict.games:,} {lost} "
            f"and {verdict.draws:,} drawn; {in_short(strategy, verdict)}"
        )


def _standard_input() -> str:
    at_rest()
    try:
        return sys.stdin.read(SIZE_LIMIT)
    except UnicodeDecodeError:
        raise InputError("what came on standard input is not text: give a certificate in JSON or text") from None


def _judge_value(document: dict[str, Any], to: Sink) -> None:
    verdict = judge_proof(document)
    to.write(proof_forms(verdict, to.look))
    if not verdict.holds:
        low, high = verdict.claimed
        raise CheckError(
            f"the proof claims {low} to {high}, and its strategies guarantee {verdict.lower} to {verdict.upper}"
        )
