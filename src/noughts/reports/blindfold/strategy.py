"""The strategy of an answer about a blind game in words, what is sure of it and what is not, and the first calls."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from noughts.blindfold.answer import BlindAnswer
from noughts.blindfold.certificates.judge import chances
from noughts.blindfold.game.plans import Strategy
from noughts.blindfold.pure.instructions import how_to_read, instructions
from noughts.domain.cells import cell_name
from noughts.reports.page import Block, Verbatim
from noughts.reports.tables import Table, grouped

__all__ = ["by_call", "percent", "strategy_blocks"]

_LONGEST = 60
"""Strategies with more lines are not printed in a table; other formats have them."""


def percent(chance: Fraction) -> str:
    """Return a chance with its percentage."""
    return f"{chance} ({float(100 * chance):.2f} %)"


def strategy_blocks(answer: BlindAnswer) -> list[list[Block | str]]:
    """Return the strategy with what it is and how often it loses; nothing where the answer has none."""
    strategy = answer.strategy
    if strategy is None:
        return []
    what, sure = _claim(answer, strategy)
    places = strategy.places()
    size = ", the smallest there is" if answer.strategy_is_smallest and len(strategy.branches) == 1 else ""
    lines = instructions(strategy)
    if len(lines) > _LONGEST:
        told = f"{what} has {places:,} places that say what to call: see it with --format text or svg."
        return [[f"{told} {sure}".strip()]]
    each = f"{places} place{'s' * (places != 1)} that say{'s' * (places == 1)} what to call"
    drawn = Verbatim("\n".join(f"   {line}" for line in lines))
    read = how_to_read(lines)
    said = f"{what} ({each}{size}). {sure}" if sure else f"{what} ({each}{size}):"
    found: list[list[Block | str]] = [[said], [drawn]]
    return [*found, [read]] if read else found


def _claim(answer: BlindAnswer, strategy: Strategy) -> tuple[str, str]:
    """Return what the strategy is called, and where its goal leaves that open, whether it may lose or draw."""
    if strategy.goal == "never-lose":
        return "A strategy that never loses", _surer(answer, strategy) if answer.always_win else ""
    if strategy.goal == "always-win":
        return "A strategy that always wins", ""
    wins, draws, loses = chances(strategy)
    what = f"A strategy that wins most often against random replies{_among(answer, strategy, wins)}"
    if wins == 1:
        return what, "It always wins."
    if not loses:
        return what, f"It never loses, and wins with chance {percent(wins)}."
    often = f"wins with chance {percent(wins)}, draws {percent(draws)} and loses {percent(loses)}"
    return what, f"It may lose{_safer(answer, strategy)}: against random replies it {often}."


def _surer(answer: BlindAnswer, strategy: Strategy) -> str:
    """Say whether the strategy wins for sure, as one can, and where one that does is to be had."""
    if chances(strategy)[0] == 1:
        return "It always wins."
    fixed = answer.first is not None and answer.first not in (answer.winning_first_calls or ())
    return f"It may draw (add --goal always-win{' and no --first' * fixed} for one that always wins)."


def _safer(answer: BlindAnswer, strategy: Strategy) -> str:
    """Say where a strategy that never loses is to be had."""
    if not answer.never_lose:
        return ", as every strategy may here"
    safe = answer.safe_first_calls or ()
    alone = "" if all(plan.call in safe for plan in strategy.branches.values()) else " and no --first"
    return f" (add --safe{alone} for one that never does)"


def _among(answer: BlindAnswer, strategy: Strategy, wins: Fraction) -> str:
    """Say among which strategies none wins more often: all, those with its first call, those that never lose."""
    free, safe = (answer.win_probability.get(key) for key in ("any", "never_lose"))
    if not free or len(strategy.branches) != 1:
        each = [(one.win_probability.get("any") or {}).values() for one in (answer.openings or {}).values()]
        best = sum((max(found, default=Fraction()) for found in each), Fraction())
        return "" if not each or wins * len(each) == best else ", as asked"
    (plan,) = strategy.branches.values()
    first = f", of those that call {cell_name(answer.board, plan.call)} first"
    if wins == max(free.values()):
        return ""
    if wins == free[plan.call]:
        return first
    if safe and wins == max(safe.values()):
        return ", of those that never lose"
    return f"{first} and never lose"


def by_call(answer: BlindAnswer) -> list[list[Block | str]]:
    """Return the table of first calls, under a caption that names the columns it has; nothing where it has none."""
    smallest, often = answer.smallest_strategy or {}, answer.win_probability
    safe, free = often.get("never_lose") or {}, often.get("any") or {}
    if not (smallest or safe or free):
        return []
    cells = sorted(set(smallest) | set(safe) | set(free))
    goal = "always win" if answer.goal == "always-win" else "never lose"
    rows = [
        (
            cell_name(answer.board, cell),
            grouped(smallest.get(cell)),
            percent(safe[cell]) if cell in safe else "-",
            percent(free[cell]) if cell in free else "-",
        )
        for cell in cells
    ]
    heading = ("first call", f"smallest strategy to {goal}", "wins, never losing", "wins at most")
    keep = [i for i in range(4) if i == 0 or any(row[i] != "-" for row in rows)]
    table = Table([heading[i] for i in keep], [[row[i] for i in keep] for row in rows])
    return [[_caption(keep)], [table]]


def _caption(columns: Sequence[int]) -> str:
    """Name what stands in the columns: 1 places, 2 and 3 chances."""
    parts = ["the places of a smallest strategy"] * (1 in columns)
    parts += ["how often the best strategy wins"] * (2 in columns or 3 in columns)
    words = " Chances are against replies made at random." if 2 in columns or 3 in columns else ""
    return f"By the first call, {' and '.join(parts)}.{words}"
