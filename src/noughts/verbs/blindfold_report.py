"""The report on a blind game: words, strategy, tables, and how we know; and its other forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from noughts.blindfold.game import START, BlindRules, Strategy
from noughts.blindfold.inquiry import BlindAnswer
from noughts.blindfold.judge import chances
from noughts.blindfold.session import how_to_read, instructions
from noughts.present.forms import Forms, report_forms, tree_forms
from noughts.present.report import Block, Commands, How, Look, Paragraph, Report, Table, Verbatim, grouped, try_next
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError

if TYPE_CHECKING:
    from noughts.drawing.tree import TreePicture


_LONGEST = 60
"""Most lines of a strategy in a table; other formats have longer ones."""


def percent(chance: Fraction) -> str:
    """Return a chance with its percentage."""
    return f"{chance} ({float(100 * chance):.2f} %)"


def strategy_blocks(answer: BlindAnswer) -> list[list[Block | str]]:
    """Return the strategy, its kind and how often it loses; nothing if the answer has none."""
    strategy = answer.strategy
    if strategy is None:
        return []
    what, sure = _claim(answer, strategy)
    places = strategy.places()
    size = ", the smallest there is" if answer.strategy_is_smallest and len(strategy.branches) == 1 else ""
    lines = instructions(strategy)
    if len(lines) > _LONGEST:
        summary = f"{what} has {places:,} places to call: --format text or svg shows it."
        return [[f"{summary} {sure}".strip()]]
    each = f"{places} place{'s' * (places != 1)} to call"
    drawn = _drawn(lines)
    read = how_to_read(lines)
    heading = f"{what} ({each}{size}). {sure}" if sure else f"{what} ({each}{size}):"
    found: list[list[Block | str]] = [[heading], [drawn]]
    return [*found, [read]] if read else found


def _claim(answer: BlindAnswer, strategy: Strategy) -> tuple[str, str]:
    """Return the name of the strategy, and whether it can lose or draw if its goal does not say so."""
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
    return what, f"It can lose{_safer(answer, strategy)}: against random replies it {often}."


def _surer(answer: BlindAnswer, strategy: Strategy) -> str:
    """Return whether the strategy always wins, or the options for one that does."""
    if chances(strategy)[0] == 1:
        return "It always wins."
    fixed = answer.first is not None and answer.first not in (answer.winning_first_calls or ())
    return f"It can draw (--goal always-win{' without --first' * fixed} gives one that always wins)."


def _safer(answer: BlindAnswer, strategy: Strategy) -> str:
    """Return the options for a strategy that never loses, if there is one."""
    if not answer.never_lose:
        return ", as every strategy can here"
    safe = answer.safe_first_calls or ()
    alone = "" if all(plan.call in safe for plan in strategy.branches.values()) else " without --first"
    return f" (--safe{alone} gives one that never does)"


def _among(answer: BlindAnswer, strategy: Strategy, wins: Fraction) -> str:
    """Return the set in which the strategy is best: all, those with its first call, those that never lose."""
    free, safe = (answer.win_probability.get(key) for key in ("any", "never_lose"))
    if not free or len(strategy.branches) != 1:
        each = [(one.win_probability.get("any") or {}).values() for one in (answer.openings or {}).values()]
        best = sum((max(found, default=Fraction()) for found in each), Fraction())
        return "" if not each or wins * len(each) == best else ", as asked"
    (plan,) = strategy.branches.values()
    first = f", of those that call {cell_name(answer.board, plan.call)} {_nth(answer)}"
    if wins == max(free.values()):
        return ""
    if wins == free[plan.call]:
        return first
    if safe and wins == max(safe.values()):
        return ", of those that never lose"
    return f"{first} and never lose"


def by_call(answer: BlindAnswer) -> list[list[Block | str]]:
    """Return the table of first calls with a caption; nothing if it has no column."""
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
    heading = (f"{_nth(answer)} call", f"smallest strategy to {goal}", "wins, never losing", "wins at most")
    keep = [i for i in range(4) if i == 0 or any(row[i] != "-" for row in rows)]
    table = Table([heading[i] for i in keep], [[row[i] for i in keep] for row in rows])
    return [[_caption(keep, _nth(answer))], [table]]


def _caption(columns: Sequence[int], nth: str) -> str:
    """Return the caption of these columns: 1 places, 2 and 3 chances."""
    parts = ["the number of places of a smallest strategy"] * (1 in columns)
    parts += ["how often the best strategy wins"] * (2 in columns or 3 in columns)
    words = " Chances are against random replies." if 2 in columns or 3 in columns else ""
    return f"By the {nth} call, {' and '.join(parts)}.{words}"


_SIZES = 15
"""Most rows of information sets by size, unless these are asked for."""


def forms(answer: BlindAnswer, look: Look) -> Forms:
    """Return the answer in every form.

    Writing a text or a picture raises InputError if the answer has no strategy.
    """

    def text() -> str:
        from noughts.blindfold.certificate import to_text

        return to_text(_strategy_of(answer))

    def picture() -> TreePicture:
        from noughts.drawing.trees import picture

        return picture(_strategy_of(answer))

    drawn = tree_forms(picture, replace(look, paper=look.paper or "a4"))
    return {
        **report_forms(lambda: report(answer), answer.as_dict, look),
        **{form: drawn[form] for form in ("svg", "png", "pdf", "dot")},
        "text": text,
    }


def _strategy_of(answer: BlindAnswer) -> Strategy:
    if answer.strategy is None:
        raise InputError(f"no strategy can be written: {_missing(answer)}")
    return answer.strategy


def _missing(answer: BlindAnswer) -> str:
    if answer.goal == "win-often":
        return "the chances of this game are not computed; add --with win_probability"
    if answer.rules.blind == "both":
        return "with both players blind strategies are mixes; use --proof FILE"
    return f"{answer.rules.blind} cannot force this goal; try --goal win-often, or another --first"


def report(answer: BlindAnswer) -> Report:
    """Return the report on a blind game."""
    if answer.rules.blind == "both":
        return _both(answer)
    return Report.of(
        [_verdict(answer), f"The rules: {answer.rules.sentence()}."],
        *strategy_blocks(answer),
        *by_call(answer),
        *_by_opening(answer),
        [*(Paragraph(line, "  ") for line in _facts(answer)), *_left_out(answer)],
        *_by_size(answer),
        [How(_proof(answer))],
        [_next(answer)],
    )


def _list(board: Board, cells: Sequence[int]) -> str:
    if len(cells) == board.cells and len(cells) > 2:
        return f"all {len(cells)} cells"
    return ", ".join(cell_name(board, cell) for cell in cells)


def _nth(answer: BlindAnswer) -> str:
    """Return the word for the call that the answer is about."""
    return "first" if answer.start is None else "next"


def _verdict(answer: BlindAnswer) -> str:
    board, player = answer.board, f"blind {answer.rules.blind}"
    player += "" if answer.start is None else f" who knows '{answer.start}'"
    can_win, can_hold = answer.always_win, answer.never_lose
    if can_win:
        sentence = f"Yes: a {player} can force a win on {board}"
    elif can_hold:
        sentence = f"Yes: a {player} can avoid every loss on {board}, but cannot force a win"
    else:
        sentence = f"No: a {player} cannot avoid every loss on {board}: every strategy loses to some replies"
    if answer.goal == "always-win" and can_hold and not can_win:
        sentence = f"No: a {player} cannot force a win on {board}, but can avoid every loss"
    if not board.line_masks:
        sentence += " (the board has no line at all)"
    return f"{sentence}{_first_calls(answer)}."


def _first_calls(answer: BlindAnswer) -> str:
    """Return the good first calls, and which of them force a win."""
    safe, winning, wherever = answer.safe_first_calls, answer.winning_first_calls, ""
    call = f"{_nth(answer)} call"
    if answer.openings:
        wherever = " wherever X opens"
    if not safe:
        return ""
    if not answer.always_win or winning == safe:
        clause = _named(answer, safe, f"The only good {call}", f"Good {call}s", wherever)
    elif not winning:
        clause = _named(
            answer, safe, f"The only {call} that never loses", f"{call.capitalize()}s that never lose", wherever
        )
    else:
        rest = [cell for cell in safe if cell not in winning]
        win = (f"The only {call} that forces a win", f"{call.capitalize()}s that force a win")
        clause = _named(answer, winning, *win, wherever)
        clause += f"; {_named(answer, rest, 'one more never loses', 'others never lose')}"
    if answer.first is not None and answer.strategy is None:
        clause += f"; {cell_name(answer.board, answer.first)} is not one of them"
    return f". {clause}"


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
    random = any(row[2] != "-" for row in rows)
    caption = f"By the first move of X, which O knows{'. Chances are against random replies' * random}:"
    return [[caption], [table]]


def _facts(answer: BlindAnswer) -> list[str]:
    sets, found, onward = answer.information_sets, [], "" if answer.start is None else ", this one included"
    goal, by = ("always win", "always winning") if answer.goal == "always-win" else ("never lose", "never losing")
    if sets.get("all") is not None:
        found.append(
            f"Information sets before a call of {answer.rules.blind}{onward}: {grouped(sets['all'])} in all "
            f"({grouped(sets['all_classes'])} up to symmetry), {grouped(sets['safe'])} reached by "
            f"{by} ({grouped(sets['safe_classes'])})."
        )
    if answer.histories is not None:
        found.append(f"Histories of calls and answers that end at such a call: {answer.histories:,}.")
    if answer.strategies:
        many = f"{answer.strategies:,}"
        if len(many) > 60:
            many = f"about 10^{len(str(answer.strategies)) - 1} (exact in --format json)"
        found.append(f"Strategies that {goal}, as plan trees: {many}.")
    if answer.value is not None:
        found.append(
            f"Value for {answer.rules.blind} with mixed strategies (win +1, draw 0, loss -1): "
            f"{answer.value}, by {answer.value_proof}."
        )
    elif answer.value_bounds is not None:
        low, high = answer.value_bounds
        found.append(
            f"Value for {answer.rules.blind} (win +1, draw 0, loss -1): between {_near(low)} and {_near(high)}."
        )
    return found


def _by_size(answer: BlindAnswer) -> list[list[Block | str]]:
    """Return the information sets by size beside their bound, with a caption; nothing if there are many sizes."""
    sizes, blind, other = answer.sets_by_size, answer.rules.blind, answer.rules.opponent
    if not sizes or (len(sizes) > _SIZES and "information_sets" not in answer.parts):
        return []
    from noughts.analysis.meanings.known import slips_about

    good = "with a call that always wins" if answer.goal == "always-win" else "with a call that never loses"
    rows = [
        (str(own), str(known), grouped(sets), grouped(safe), grouped(answer.bound(own, known)))
        for (own, known), (sets, safe) in sizes.items()
    ]
    cells = answer.board.cells
    caption = (
        f"By x own marks and c known marks, the information sets beside the bound C({cells}, x) C({cells} - x, c):"
    )
    table = Table((f"{blind}, x", f"{other}, c", "information sets", good, "bound"), rows)
    most = (
        f"X makes at most {(cells + 1) // 2} moves, and O at most {cells // 2}. "
        f"{blind} calls each of the {cells} cells at most once."
    )
    slips = slips_about("blindfold", answer.board) if blind == "X" else ()
    alternate = not answer.rules.loses_turn  # else one player may make more moves than the other
    return [[caption], [table], [most, *slips] if alternate else []]


def _near(bound: Fraction) -> str:
    return str(bound) if len(str(bound)) <= 24 else f"{float(bound):.15f}"


def _left_out(answer: BlindAnswer) -> list[Block]:
    if not answer.left_out:
        return []
    parts = list(dict.fromkeys(answer.left_out))
    return [Paragraph(f"Not computed: {', '.join(parts)}. Add --with {','.join(parts)}.", "  ")]


def _proof(answer: BlindAnswer) -> str:
    again = "" if answer.histories is None else "; full histories with explicit beliefs give the same answers"
    if answer.strategy is not None:
        return (
            "the strategy above is a certificate: noughts blindfold check plays every reply against it with separate "
            f"code. The limits of all strategies come from every state of the player's knowledge{again} "
            "(docs/explanation/blindfold.md)."
        )
    return f"from every state of the player's knowledge{again} (docs/explanation/blindfold.md)."


def _next(answer: BlindAnswer) -> Commands:
    board, options = answer.board.spec, _rules(answer) + _wanted(answer)
    if answer.strategy is None:
        often = f"noughts blindfold {board}{options} --goal win-often"
        return try_next(*[often] * (answer.goal != "win-often"), "noughts blindfold 4x4:3 --goal always-win")
    options += f" --goal {answer.goal}" * (answer.goal != "never-lose") + " --safe" * answer.never_lose_too
    commands = [
        f"noughts blindfold {board}{options} --format json -o strategy.json && noughts blindfold check strategy.json"
    ]
    if not (_wanted(answer) or answer.never_lose_too):  # play uses the strategy shown
        commands.append(f"noughts blindfold play {board}{options} --as sighted")
    return try_next(*commands)


def _rules(answer: BlindAnswer) -> str:
    """Return the rules as options of a command, without the defaults."""
    rules = answer.rules
    return (
        f" --blind {rules.blind}" * (rules.blind != "X")
        + " --opening-told" * rules.opening_told
        + f" --collision {rules.collision}" * rules.loses_turn
        + f" --told {rules.told}" * (not rules.names_none)
    )


def _wanted(answer: BlindAnswer) -> str:
    """Return the options on which the strategy depends."""
    begun = "" if answer.start is None else f" --from '{answer.start}'"
    options = [("first", answer.first), ("opening", answer.opening)]
    parts = ",".join(part for part in answer.parts if part != "value")
    return (
        begun
        + "".join(f" --{name} {cell_name(answer.board, cell)}" for name, cell in options if cell is not None)
        + (f" --with {parts}" if parts else "")
    )


def _both(answer: BlindAnswer) -> Report:
    assert answer.sizes is not None
    assert answer.value_bounds is not None
    low, high = answer.value_bounds
    sets = "information set" + "s" * (answer.sizes["X"] != 1)
    sentence = (
        f"With both players blind on {answer.board}, X has {answer.sizes['X']:,} {sets} and O has "
        f"{answer.sizes['O']:,}. An information set is a history of own calls and answers before a call."
    )
    where = f"is {low}" if low == high else f"lies between {_near(low)} and {_near(high)}"
    value = f"The value for X (win +1, draw 0, loss -1) {where}, by {answer.value_proof}."
    worked_out = f"noughts blindfold {answer.board}{_rules(answer)} --with value"
    commands = [worked_out] * ("value" in answer.left_out)
    if "mixed strategies" in answer.value_proof and answer.value is not None:
        proof = f"noughts blindfold {answer.board} --blind both --proof proof.json && noughts check proof.json"
        commands += [proof, f"noughts blindfold play {answer.board} --opponent blind"]
    valued = " --with value" * (answer.board.cells <= 9)
    commands.append(f"noughts blindfold {answer.board} --blind O --opening-told{valued}")
    rules = f"The rules: {answer.rules.sentence()}."
    return Report.of([sentence, rules], [value, *_left_out(answer)], *_mixes(answer), [try_next(*commands)])


def _mixes(answer: BlindAnswer) -> list[list[Block | str]]:
    """Return X's plans with their chances, and a sentence about O's; nothing if they are not known."""
    mixes = answer.mixes
    if not mixes:
        return []
    total, found = sum(weight for weight, _ in mixes["X"]), list[list[Block | str]]()
    images, many = grouped(answer.board.group().order), len(mixes["O"])
    for weight, plan in mixes["X"]:
        lines = instructions(Strategy(answer.board, BlindRules(), "win-often", {START: plan}))
        turned = "" if found else f"X takes one of the {images} symmetries of the board at random. "
        found += [[f"{turned}With chance {Fraction(weight, total)}:"], [_drawn(lines)]]
    o_mix = f"O mixes {many} plans." if many > 1 else "O has one plan."
    return [*found, [f"{how_to_read(lines)} The last blank cell needs no call. {o_mix}"]]


def _drawn(lines: Sequence[str]) -> Verbatim:
    return Verbatim("\n".join(f"   {line}" for line in lines))
