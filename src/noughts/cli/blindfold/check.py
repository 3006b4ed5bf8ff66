"""Prints the judge's verdict on a strategy."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any

from noughts.blindfold.certificates.certificate import SIZE_LIMIT, document_of, loads, read
from noughts.blindfold.certificates.judge import Event, Verdict, judge
from noughts.blindfold.certificates.proof_judge import ProofVerdict, judge_proof
from noughts.blindfold.game.plans import Strategy
from noughts.blindfold.game.rules import GOALS
from noughts.blindfold.game.spelling import PROOF_FORMAT
from noughts.domain.cells import cell_name
from noughts.domain.errors import CheckError, InputError, shown
from noughts.domain.notation import format_position
from noughts.domain.position import Position
from noughts.reports.tables import wrapped

__all__ = ["game_lines", "run"]

_CLAIMS = {"never-lose": "never loses", "always-win": "always wins", "win-often": "is complete"}


def run(file: str, goal: str | None, form: str) -> None:
    """Read, judge and print; CheckError where the claim does not hold."""
    if form not in ("table", "json"):
        raise InputError(f"--format {shown(form)} is not known: use table or json")
    text = _standard_input() if file == "-" else read(file)
    document = document_of(text)
    if isinstance(document, dict) and document.get("format") == PROOF_FORMAT:
        _judge_value(document, form)
        return
    strategy = loads(text)
    if goal is not None:
        if goal not in GOALS:
            raise InputError(f"the goal {shown(goal)} is unknown: choose from {', '.join(GOALS)}")
        strategy = replace(strategy, goal=goal)
    verdict = judge(strategy)
    if form == "json":
        print(json.dumps(_record(strategy, verdict), indent=1))
    else:
        print("\n".join(_people(strategy, verdict)))
    if not verdict.holds:
        raise CheckError(
            f"the strategy does not keep its claim ({strategy.goal}): {verdict.losses:,} of {verdict.games:,} games "
            f"are lost and {verdict.draws:,} drawn; {_in_short(strategy, verdict)}"
        )


def _standard_input() -> str:
    try:
        return sys.stdin.read(SIZE_LIMIT)
    except UnicodeDecodeError:
        raise InputError("what came on standard input is not text: give a certificate in JSON or text") from None


def _judge_value(document: dict[str, Any], form: str) -> None:
    verdict = judge_proof(document)
    low, high = verdict.claimed
    if form == "json":
        found = {
            "board": verdict.board.spec,
            "blind": verdict.rules.blind,
            "holds": verdict.holds,
            "claimed": [str(low), str(high)],
            "lower": str(verdict.lower),
            "upper": str(verdict.upper),
        }
        print(json.dumps(found, indent=1))
    else:
        print("\n".join(wrapped(line) for line in _value_lines(verdict)))
    if not verdict.holds:
        raise CheckError(
            f"the proof claims {low} to {high}, and its strategies guarantee {verdict.lower} to {verdict.upper}"
        )


def _value_lines(verdict: ProofVerdict) -> list[str]:
    player, (low, high) = verdict.rules.blind, verdict.claimed
    opened = "" if verdict.opening is None else f", X opening at {cell_name(verdict.board, verdict.opening)}"
    said = f"the value is {low}" if low == high else f"the value is between {low} and {high}"
    return [
        f"{'Yes' if verdict.holds else 'No'}: for the blind {player} on {verdict.board}{opened}, {said}.",
        f"The rules: {verdict.rules.sentence()}.",
        f"{player}'s strategy gets at least {verdict.lower} on average against every reply; the opponent's holds "
        f"{player} to at most {verdict.upper} whatever is called (win +1, draw 0, loss -1).",
    ]


def _record(strategy: Strategy, verdict: Verdict) -> dict[str, Any]:
    def acts(game: tuple[Event, ...]) -> list[dict[str, Any]]:
        return [
            {"player": who, "cell": cell_name(strategy.board, cell), "placed": placed} for who, cell, placed in game
        ]

    return {
        "board": strategy.board.spec,
        "blind": strategy.rules.blind,
        "goal": strategy.goal,
        "holds": verdict.holds,
        "places": str(verdict.places),
        "unreached_places": str(verdict.unreached),
        "games": str(verdict.games),
        "wins": str(verdict.wins),
        "draws": str(verdict.draws),
        "losses": str(verdict.losses),
        "win_probability": str(verdict.win_chance),
        "draw_probability": str(verdict.draw_chance),
        "loss_probability": str(verdict.loss_chance),
        "broken_by": None if verdict.broken is None else acts(verdict.broken),
        "broken_outcome": verdict.broken_outcome,
    }


def _people(strategy: Strategy, verdict: Verdict) -> list[str]:
    claim = _CLAIMS[strategy.goal]
    head = f"Yes: the strategy {claim}." if verdict.holds else f"No: the claim that the strategy {claim} is false."
    lines = [
        head,
        wrapped(
            f"Every reply was played: {verdict.games:,} games for the blind {strategy.rules.blind} on "
            f"{strategy.board}, {verdict.wins:,} won, {verdict.draws:,} drawn, {verdict.losses:,} lost. Against "
            f"replies at random it wins with probability {verdict.win_chance}, draws with {verdict.draw_chance}, "
            f"loses with {verdict.loss_chance}."
        ),
        f"Places that say what to call: {verdict.places:,}"
        + (f", of which {verdict.unreached:,} are never reached." if verdict.unreached else "."),
    ]
    if verdict.broken is not None:
        word = {"win": "won", "draw": "drawn", "loss": "lost"}[str(verdict.broken_outcome)]
        lines += ["", f"A game that is {word}:", *(f"  {line}" for line in game_lines(strategy, verdict.broken))]
    return lines


def game_lines(strategy: Strategy, game: tuple[Event, ...]) -> list[str]:
    """Return a game act by act, with the position after each, as lines to print."""
    board, marks, lines = strategy.board, {"X": 0, "O": 0}, []
    for who, cell, placed in game:
        name = cell_name(board, cell)
        if placed:
            marks[who] |= 1 << cell
        did = f"{who} {name}" if placed else f"{who} calls {name}: taken"
        lines.append(f"{did:22}{format_position(Position(board, marks['X'], marks['O']))}")
    return lines


def _in_short(strategy: Strategy, verdict: Verdict) -> str:
    game = verdict.broken or ()
    acts = [f"{who} {cell_name(strategy.board, cell)}{'' if placed else ' (taken)'}" for who, cell, placed in game]
    return f"for example {', '.join(acts)}"
