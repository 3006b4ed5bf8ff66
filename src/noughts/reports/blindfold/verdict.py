"""What the judge of strategies found, and the judge of proofs."""

from __future__ import annotations

from noughts.blindfold.certificates.judge import Event, Verdict
from noughts.blindfold.certificates.proof_judge import ProofVerdict
from noughts.blindfold.game.plans import Strategy
from noughts.domain.cells import cell_name
from noughts.domain.notation import format_position
from noughts.domain.position import Position
from noughts.reports.forms import Forms, report_forms
from noughts.reports.page import Look, Report, Verbatim

__all__ = ["forms", "in_short", "proof_forms", "report", "value_lines"]

_CLAIMS = {"never-lose": "never loses", "always-win": "always wins", "win-often": "is complete"}


def forms(strategy: Strategy, verdict: Verdict, look: Look) -> Forms:
    """Return the verdict on a strategy in every form."""
    return report_forms(lambda: report(strategy, verdict), verdict.as_dict, look)


def proof_forms(verdict: ProofVerdict, look: Look) -> Forms:
    """Return the verdict on the proof of a value in every form."""
    return report_forms(lambda: Report.of(value_lines(verdict)), verdict.as_dict, look)


def report(strategy: Strategy, verdict: Verdict) -> Report:
    """Return what there is to say about a strategy that was judged, with a game that breaks the claim if any does."""
    claim = _CLAIMS[strategy.goal]
    head = f"Yes: the strategy {claim}." if verdict.holds else f"No: the claim that the strategy {claim} is false."
    games = f"{verdict.games:,} game" + "s" * (verdict.games != 1)
    played = (
        f"Every reply was played: {games} for the blind {strategy.rules.blind} on "
        f"{strategy.board}, {verdict.wins:,} won, {verdict.draws:,} drawn, {verdict.losses:,} lost. Against "
        f"replies at random it wins with probability {verdict.win_chance}, draws with {verdict.draw_chance}, "
        f"loses with {verdict.loss_chance}."
    )
    are = "is" if verdict.unreached == 1 else "are"
    unreached = f", of which {verdict.unreached:,} {are} never reached" if verdict.unreached else ""
    return Report.of(
        [head, played, f"Places that say what to call: {verdict.places:,}{unreached}."],
        _broken(strategy, verdict),
    )


def _broken(strategy: Strategy, verdict: Verdict) -> list[Verbatim | str]:
    if verdict.broken is None:
        return []
    word = {"win": "won", "draw": "drawn", "loss": "lost"}[str(verdict.broken_outcome)]
    return [f"A game that is {word}:", Verbatim("\n".join(f"  {line}" for line in _game(strategy, verdict.broken)))]


def value_lines(verdict: ProofVerdict) -> list[str]:
    """Return what there is to say about the proof of a value, in three sentences: the answer, the rules, the bounds.

    Of a claim that holds the answer says what its strategies guarantee, which may be more than it claims.
    """
    player, shown = verdict.rules.blind, (verdict.lower, verdict.upper)
    low, high = shown if verdict.holds else verdict.claimed
    opened = "" if verdict.opening is None else f", X opening at {cell_name(verdict.board, verdict.opening)}"
    said = f"the value is {low}" if low == high else f"the value is between {low} and {high}"
    return [
        f"{'Yes' if verdict.holds else 'No'}: for the blind {player} on {verdict.board}{opened}, {said}.",
        f"The rules: {verdict.rules.sentence()}.",
        f"{player}'s strategy gets at least {verdict.lower} on average against every reply; the opponent's holds "
        f"{player} to at most {verdict.upper} whatever is called (win +1, draw 0, loss -1).",
    ]


def _game(strategy: Strategy, game: tuple[Event, ...]) -> list[str]:
    """Return a game act by act, with the position after each, as lines to print."""
    board, marks, lines = strategy.board, {"X": 0, "O": 0}, []
    for who, cell, placed in game:
        name = cell_name(board, cell)
        if placed:
            marks[who] |= 1 << cell
        did = f"{who} {name}" if placed else f"{who} calls {name}: taken"
        lines.append(f"{did:22}{format_position(Position(board, marks['X'], marks['O']))}")
    return lines


def in_short(strategy: Strategy, verdict: Verdict) -> str:
    """Return the game that breaks the claim in one clause."""
    game = verdict.broken or ()
    acts = [f"{who} {cell_name(strategy.board, cell)}{'' if placed else ' (taken)'}" for who, cell, placed in game]
    return f"for example {', '.join(acts)}"
