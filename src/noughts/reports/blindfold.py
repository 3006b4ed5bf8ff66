"""The answer about a blind game for people: in words first, then the strategy, the tables, and how it is known."""

from __future__ import annotations

from fractions import Fraction

from noughts.blindfold.answer import BlindAnswer
from noughts.blindfold.pure.instructions import instructions
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.reports.tables import Table, as_text, grouped, wrapped

__all__ = ["people", "percent"]

_LONGEST = 60
"""Strategies with more lines are not printed in a table; other formats have them."""


def percent(chance: Fraction) -> str:
    """Return a chance with its percentage."""
    return f"{chance} ({float(100 * chance):.2f} %)"


def people(answer: BlindAnswer, first: str | None) -> str:
    """Return everything to print."""
    if answer.rules.blind == "both":
        return "\n".join(_both(answer))
    parts = [wrapped(_verdict(answer, first)), wrapped(f"The rules: {answer.rules.sentence()}.")]
    parts += _strategy(answer)
    parts += _by_call(answer) + _by_opening(answer)
    parts += [wrapped(line, "  ") for line in _facts(answer)]
    parts += _left_out(answer)
    parts += ["", wrapped(f"How we know: {_proof(answer)}"), "", *_next(answer)]
    return "\n".join(parts)


def _list(board: Board, cells: list[int]) -> str:
    if len(cells) == board.cells and len(cells) > 1:
        return f"all {len(cells)} cells"
    return ", ".join(cell_name(board, cell) for cell in cells)


def _verdict(answer: BlindAnswer, first: str | None) -> str:
    board, player = answer.board, answer.rules.blind
    can_win, can_hold = answer.always_win, answer.never_lose
    if can_win:
        said = f"Yes: a blind {player} can make sure to win on {board}"
    elif can_hold:
        said = f"Yes: a blind {player} can make sure never to lose on {board}, but not to win"
    else:
        said = f"No: a blind {player} cannot make sure not to lose on {board}: every strategy loses to some replies"
    if answer.goal == "always-win" and can_hold and not can_win:
        said = f"No: a blind {player} cannot make sure to win on {board}, only never to lose"
    if not board.line_masks:
        said += " (the board has no line at all)"
    calls = answer.safe_first_calls or []
    if calls:
        said += f". Good first calls: {_list(board, calls)}"
    if first is not None and answer.strategy is None and calls:
        said += f"; {cell_name(board, parse_cell(board, first))} is not one of them"
    return said + "."


def _strategy(answer: BlindAnswer) -> list[str]:
    strategy = answer.strategy
    if strategy is None:
        return []
    places = strategy.places()
    what = {"never-lose": "A strategy that never loses", "always-win": "A strategy that always wins",
            "win-often": "A strategy that wins most often against random replies"}[strategy.goal]  # fmt: skip
    size = ", the smallest there is" if answer.strategy_is_smallest and len(strategy.branches) == 1 else ""
    lines = instructions(strategy)
    if len(lines) > _LONGEST:
        return ["", wrapped(f"{what} has {places:,} places that say what to call: see it with --format text or svg.")]
    return ["", f"{what} ({places} places that say what to call{size}):", "", *(f"   {line}" for line in lines)]


def _by_call(answer: BlindAnswer) -> list[str]:
    smallest, chances = answer.smallest_strategy or {}, answer.win_probability
    safe, free = chances.get("never_lose") or {}, chances.get("any") or {}
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
    words = " Chances are against replies made at random." if safe or free else ""
    return ["", f"By the first call, the places of a smallest strategy and how often the best one wins.{words}",
            "", as_text(table)]  # fmt: skip


def _by_opening(answer: BlindAnswer) -> list[str]:
    if not answer.openings:
        return []
    rows = []
    for cell, one in answer.openings.items():
        free = (one.win_probability.get("any") or {}).values()
        rows.append(
            (
                cell_name(answer.board, cell),
                "yes" if one.never_lose else "no",
                percent(max(free)) if free else "-",
                "-" if one.value is None else str(one.value),
            )
        )
    table = Table(("X opens", "O can never lose", "wins at most", "value for O"), rows, frozenset({1}))
    return ["", "By X's opening, which O is told:", "", as_text(table)]


def _facts(answer: BlindAnswer) -> list[str]:
    sets, found = answer.information_sets, [""]
    if sets.get("all") is not None:
        found.append(
            f"Information sets at {answer.rules.blind}'s call: {grouped(sets['all'])} in all "
            f"({grouped(sets['all_classes'])} up to symmetry), {grouped(sets['safe'])} reached by good calls only "
            f"({grouped(sets['safe_classes'])})."
        )
    if answer.histories is not None:
        found.append(f"Histories of calls and answers that end at such a call: {answer.histories:,}.")
    if answer.strategies:
        found.append(f"Strategies for the goal, as plan trees: {_long(answer.strategies)}.")
    if answer.value is not None:
        found.append(
            f"Value for {answer.rules.blind} when the blind player may mix (win +1, draw 0, loss -1): "
            f"{answer.value}, by {answer.value_proof}."
        )
    elif answer.value_bounds is not None:
        low, high = answer.value_bounds
        found.append(
            f"Value for {answer.rules.blind} (win +1, draw 0, loss -1): between {_near(low)} and {_near(high)}."
        )
    return found if len(found) > 1 else []


def _near(bound: Fraction) -> str:
    return str(bound) if len(str(bound)) <= 24 else f"{float(bound):.15f}"


def _long(count: int) -> str:
    text = f"{count:,}"
    return text if len(text) <= 60 else f"about 10^{len(str(count)) - 1} (exact in --format json)"


def _left_out(answer: BlindAnswer) -> list[str]:
    if not answer.left_out:
        return []
    parts = list(dict.fromkeys(answer.left_out))
    return [wrapped(f"Not worked out unasked: {', '.join(parts)}. Ask --with {','.join(parts)}.", "  ")]


def _proof(answer: BlindAnswer) -> str:
    if answer.strategy is not None:
        return (
            "the strategy above is a certificate: noughts blindfold check plays every reply against it with code of "
            "its own. That no better one exists comes from all states of the player's knowledge; full histories with "
            "explicit beliefs give the same numbers (docs/explanation/blindfold.md)."
        )
    return (
        "from all states of the player's knowledge; full histories with explicit beliefs give the same answers "
        "(docs/explanation/blindfold.md)."
    )


def _next(answer: BlindAnswer) -> list[str]:
    board = answer.board.spec
    if answer.strategy is None:
        return ["Next:", f"  noughts blindfold {board} --goal win-often", "  noughts blindfold 4x4:3 --goal always-win"]
    return [
        "Next:",
        f"  noughts blindfold {board} --format json -o strategy.json && noughts blindfold check strategy.json",
        f"  noughts blindfold play {board} --as sighted",
    ]


def _both(answer: BlindAnswer) -> list[str]:
    assert answer.sizes is not None
    assert answer.value_bounds is not None
    low, high = answer.value_bounds
    said = (
        f"With both players blind on {answer.board}, X has {answer.sizes['X']:,} information sets and O has "
        f"{answer.sizes['O']:,}: the histories of own calls and answers after which the player is to call."
    )
    where = f"is {low}" if low == high else f"lies between {_near(low)} and {_near(high)}"
    value = f"The value for X (win +1, draw 0, loss -1) {where}, by {answer.value_proof}."
    return [
        wrapped(said),
        wrapped(f"The rules: {answer.rules.sentence()}."),
        "",
        wrapped(value),
        *_left_out(answer),
        "",
        "Next:",
        f"  noughts blindfold {answer.board} --blind both --with value",
        f"  noughts blindfold {answer.board} --blind O --opening-told --with value",
    ]
