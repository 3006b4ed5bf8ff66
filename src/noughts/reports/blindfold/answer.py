"""The answer about a blind game for people: in words first, then the strategy, the tables, and how it is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from noughts.blindfold.answer import BlindAnswer
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError
from noughts.reports.blindfold.strategy import by_call, percent, strategy_blocks
from noughts.reports.forms import Forms, report_forms, tree_forms
from noughts.reports.page import Block, Commands, How, Look, Paragraph, Report, try_next
from noughts.reports.tables import Table, grouped

if TYPE_CHECKING:
    from noughts.blindfold.game.plans import Strategy
    from noughts.drawing.tree import TreePicture

__all__ = ["forms", "report"]

_LONG = 9
"""Cells from which on the value of a game that both play blind takes minutes."""


def forms(answer: BlindAnswer, look: Look) -> Forms:
    """Return the answer in every form.

    Making a text or a picture raises InputError where there is no strategy to show.
    """

    def text() -> str:
        from noughts.blindfold.certificates.certificate import to_text

        return to_text(_strategy_of(answer))

    def picture() -> TreePicture:
        from noughts.drawing.strategy import picture

        return picture(_strategy_of(answer))

    drawn = tree_forms(picture, replace(look, paper=look.paper or "a4"))
    return {
        **report_forms(lambda: report(answer), answer.as_dict, look),
        **{form: drawn[form] for form in ("svg", "png", "pdf", "dot")},
        "text": text,
    }


def _strategy_of(answer: BlindAnswer) -> Strategy:
    if answer.strategy is None:
        raise InputError(f"there is no strategy to write: {_missing(answer)}")
    return answer.strategy


def _missing(answer: BlindAnswer) -> str:
    if answer.goal == "win-often":
        return "chances are not worked out for this game; ask --with win_probability"
    if answer.rules.blind == "both":
        return "with both players blind only sizes and bounds are known"
    return f"{answer.rules.blind} cannot make sure of it (as asked); try --goal win-often, or another --first"


def report(answer: BlindAnswer) -> Report:
    """Return what there is to say about a blind game."""
    if answer.rules.blind == "both":
        return _both(answer)
    return Report.of(
        [_verdict(answer), f"The rules: {answer.rules.sentence()}."],
        *strategy_blocks(answer),
        *by_call(answer),
        *_by_opening(answer),
        [*(Paragraph(line, "  ") for line in _facts(answer)), *_left_out(answer)],
        [How(_proof(answer))],
        [_next(answer)],
    )


def _list(board: Board, cells: Sequence[int]) -> str:
    if len(cells) == board.cells and len(cells) > 2:
        return f"all {len(cells)} cells"
    return ", ".join(cell_name(board, cell) for cell in cells)


def _verdict(answer: BlindAnswer) -> str:
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
    return f"{said}{_first_calls(answer)}."


def _first_calls(answer: BlindAnswer) -> str:
    """Say which first calls are good, and for what where a win can be made sure of and not all of them do."""
    safe, winning, wherever = answer.safe_first_calls, answer.winning_first_calls, ""
    if answer.openings:
        wherever = " wherever X opens"
    if not safe:
        return ""
    if not answer.always_win or winning == safe:
        said = _named(answer, safe, "The only good first call", "Good first calls", wherever)
    elif not winning:
        said = _named(answer, safe, "The only first call that never loses", "First calls that never lose", wherever)
    else:
        rest = [cell for cell in safe if cell not in winning]
        win = ("The only first call that makes sure of the win", "First calls that make sure of the win")
        said = _named(answer, winning, *win, wherever)
        said += f"; {_named(answer, rest, 'one that only never loses', 'others that only never lose')}"
    if answer.first is not None and answer.strategy is None:
        said += f"; {cell_name(answer.board, answer.first)} is not one of them"
    return f". {said}"


def _named(answer: BlindAnswer, cells: Sequence[int], one: str, many: str, where: str = "") -> str:
    return f"{one if len(cells) == 1 else many}{where}: {_list(answer.board, cells)}"


def _by_opening(answer: BlindAnswer) -> list[list[Block | str]]:
    if not answer.openings:
        return []
    rows, wins = [], answer.goal == "always-win"
    for cell, one in answer.openings.items():
        free = (one.win_probability.get("any") or {}).values()
        rows.append(
            (
                cell_name(answer.board, cell),
                "yes" if (one.always_win if wins else one.never_lose) else "no",
                percent(max(free)) if free else "-",
                "-" if one.value is None else str(one.value),
            )
        )
    can = "O can always win" if wins else "O can never lose"
    table = Table(("X opens", can, "wins at most", "value for O"), rows, frozenset({1}))
    return [["By X's opening, which O is told:"], [table]]


def _facts(answer: BlindAnswer) -> list[str]:
    sets, found = answer.information_sets, []
    goal, by = ("always win", "always winning") if answer.goal == "always-win" else ("never lose", "never losing")
    if sets.get("all") is not None:
        found.append(
            f"Information sets at {answer.rules.blind}'s call: {grouped(sets['all'])} in all "
            f"({grouped(sets['all_classes'])} up to symmetry), {grouped(sets['safe'])} reached by "
            f"{by} ({grouped(sets['safe_classes'])})."
        )
    if answer.histories is not None:
        found.append(f"Histories of calls and answers that end at such a call: {answer.histories:,}.")
    if answer.strategies:
        found.append(f"Strategies that {goal}, as plan trees: {_long(answer.strategies)}.")
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
    return found


def _near(bound: Fraction) -> str:
    return str(bound) if len(str(bound)) <= 24 else f"{float(bound):.15f}"


def _long(count: int) -> str:
    text = f"{count:,}"
    return text if len(text) <= 60 else f"about 10^{len(str(count)) - 1} (exact in --format json)"


def _left_out(answer: BlindAnswer) -> list[Block]:
    if not answer.left_out:
        return []
    parts = list(dict.fromkeys(answer.left_out))
    long = ", which may take minutes" if answer.rules.blind == "both" and answer.board.cells >= _LONG else ""
    return [Paragraph(f"Not worked out unasked: {', '.join(parts)}. Ask --with {','.join(parts)}{long}.", "  ")]


def _proof(answer: BlindAnswer) -> str:
    if answer.strategy is not None:
        return (
            "the strategy above is a certificate: noughts blindfold check plays every reply against it with code of "
            "its own. What no strategy can do comes from all states of the player's knowledge; full histories with "
            "explicit beliefs give the same numbers (docs/explanation/blindfold.md)."
        )
    return (
        "from all states of the player's knowledge; full histories with explicit beliefs give the same answers "
        "(docs/explanation/blindfold.md)."
    )


def _next(answer: BlindAnswer) -> Commands:
    board, asked = answer.board.spec, _rules(answer) + _wanted(answer)
    if answer.strategy is None:
        often = f"noughts blindfold {board}{asked} --goal win-often"
        return try_next(*[often] * (answer.goal != "win-often"), "noughts blindfold 4x4:3 --goal always-win")
    asked += f" --goal {answer.goal}" * (answer.goal != "never-lose") + " --safe" * answer.never_lose_too
    commands = [
        f"noughts blindfold {board}{asked} --format json -o strategy.json && noughts blindfold check strategy.json"
    ]
    if not (_wanted(answer) or answer.never_lose_too):  # the strategy that plays is the one shown
        commands.append(f"noughts blindfold play {board}{asked} --as sighted")
    return try_next(*commands)


def _rules(answer: BlindAnswer) -> str:
    """Return the rules as options of the command line; nothing where they are the usual ones."""
    rules = answer.rules
    return (
        f" --blind {rules.blind}" * (rules.blind != "X")
        + " --opening-told" * rules.opening_told
        + f" --collision {rules.collision}" * rules.loses_turn
        + f" --told {rules.told}" * (rules.told != "collision")
    )


def _wanted(answer: BlindAnswer) -> str:
    """Return what was asked as options, as far as the strategy depends on it; the value never changes it."""
    options = [("first", answer.first), ("opening", answer.opening)]
    parts = ",".join(part for part in answer.parts if part != "value")
    return "".join(f" --{name} {cell_name(answer.board, cell)}" for name, cell in options if cell is not None) + (
        f" --with {parts}" if parts else ""
    )


def _both(answer: BlindAnswer) -> Report:
    assert answer.sizes is not None
    assert answer.value_bounds is not None
    low, high = answer.value_bounds
    sets = "information set" + "s" * (answer.sizes["X"] != 1)
    said = (
        f"With both players blind on {answer.board}, X has {answer.sizes['X']:,} {sets} and O has "
        f"{answer.sizes['O']:,}: the histories of own calls and answers after which the player is to call."
    )
    where = f"is {low}" if low == high else f"lies between {_near(low)} and {_near(high)}"
    value = f"The value for X (win +1, draw 0, loss -1) {where}, by {answer.value_proof}."
    worked_out = f"noughts blindfold {answer.board}{_rules(answer)} --with value"
    commands = [worked_out] * ("value" in answer.left_out)
    commands.append(f"noughts blindfold {answer.board} --blind O --opening-told --with value")
    return Report.of(
        [said, f"The rules: {answer.rules.sentence()}."], [value, *_left_out(answer)], [try_next(*commands)]
    )
