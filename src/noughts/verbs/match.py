"""Bots as words of a command."""

from __future__ import annotations

import shlex
from fractions import Fraction

from noughts.analysis.explain.facts import listed
from noughts.analysis.payoff.playout import BEST, Match
from noughts.analysis.policies.reading import GRADES, POLICIES
from noughts.bots.crosstable import CrossTable, Standing
from noughts.drawing.figures import match_chart
from noughts.present.forms import Forms, chart_forms, report_forms, table_forms
from noughts.present.report import How, Look, Report, Table, try_next
from noughts.present.text import programs_told
from noughts.rules.values import decimal, percentage
from noughts.verbs.guarantee import place


def word_of(name: str) -> str | None:
    """Return the word by which a command is asked about a bot of this name again, None where no command knows it."""
    known = name in (*POLICIES, *GRADES, BEST) or name.startswith("program:")
    text = name.startswith("genome:") or name.endswith(".json")
    return shlex.quote(name) if known or (text and " (" not in name) else None


# Two policies against each other: exact probabilities, and the best response.


def versus_forms(found: Match, look: Look) -> Forms:
    """Return a match in every form."""
    return {
        **report_forms(lambda: versus_report(found), found.as_dict, look),
        **chart_forms(lambda: match_chart(found, look.theme), look=look),
        "text": lambda: f"X wins {found.x_wins}\nO wins {found.o_wins}\ndraw {found.draws}\n",
    }


def versus_report(found: Match) -> Report:
    """Return what there is to say about a match."""
    board = found.board
    start = f" from {found.start}" if found.start.ply else ""
    said = [f"{board}{start}, X {found.x} against O {found.o}: {_chances(found)}."]
    if found.best_response:
        sign = 1 if found.best_response == "X" else -1
        worth = f"{sign * found.value}, its chance to win less its chance to lose"
        said.append(f"The best response of {found.best_response} is worth {worth}.")
    rows = [
        [name, str(chance), f"{float(chance):.6f}"]
        for name, chance in (("X wins", found.x_wins), ("O wins", found.o_wins), ("draw", found.draws))
    ]
    return Report.of(
        said,
        [Table(["outcome", "probability", "about"], rows, frozenset({0}))],
        [
            How(
                "one recursion over all positions that the policies reach, in exact fractions."
                f"{programs_told(found.x, found.o)}"
            ),
            try_next(_other_match(found), f"noughts tree {board} --kind policy --x perfect --o random --depth 3"),
        ],
    )


def _chances(found: Match) -> str:
    """Return the probabilities in words: those that are 0 or 1 without a number."""
    chances = {"X": found.x_wins, "O": found.o_wins, "draw": found.draws}
    sure = next((end for end, chance in chances.items() if chance == 1), None)
    if sure is not None:
        return "every game is a draw" if sure == "draw" else f"{sure} always wins"
    parts = [f"{player} wins with probability {chances[player]}" for player in ("X", "O") if chances[player]]
    parts[1:] = [words.replace("wins with probability", "with") for words in parts[1:]]
    if found.draws:
        parts.append(f"and the game is drawn with probability {found.draws}")
    elif len(parts) == 2:
        return f"{parts[0]} and {parts[1]}; no game is drawn"
    never = [f"; {player} never wins" for player in ("X", "O") if not chances[player]]
    return ", ".join(parts) + "".join(never)


def _other_match(found: Match) -> str:
    """Return the command of a match with a best response, another than this one."""
    x, o = ("random", "best") if found.x == "best" else ("best", "random" if found.o == "best" else found.o)
    return f"noughts versus {found.board}{place(found.start)} --x {x} --o {o}"


# Bots against each other: the table of all pairs, the standings, who is never beaten, and who beats whom.

_PAIRS = ["X", "O", "X wins", "X wins %", "draws", "draws %", "O wins", "O wins %"]
_SHORT = 24
"""Characters of a fraction that is shown to people whole."""


def forms(found: CrossTable, look: Look) -> Forms:
    """Return a match in every form; as CSV the pairs in fractions, in Markdown and LaTeX the standings too."""

    def tables(form: str) -> list[Table]:
        return [_without_percentages(_pairs(found))] if form == "csv" else [_pairs(found), _standings(found)]

    return {
        **report_forms(lambda: report(found), found.as_dict, look),
        **table_forms(tables, lambda: _headline(found)),
    }


def report(found: CrossTable) -> Report:
    """Return what there is to say about a match."""
    return Report.of(
        [_headline(found), _never_beaten(found)],
        [_standings(found)],
        [_pairs(found, _SHORT)],
        [_beats(found)],
        [
            How(
                "every pair is a versus, one recursion over all positions that the two reach, in exact fractions; no "
                "game was drawn by lot. A win is one point, a draw half a point."
                f"{programs_told(*found.bots)}"
            ),
            try_next(*_next(found)),
        ],
    )


def _headline(found: CrossTable) -> str:
    start = f" from {found.start}" if found.start.ply else ""
    first = found.standings[0]
    level = [each.name for each in found.standings if each.points == first.points]
    points = f"{_number(first.points)} of {first.games} points"
    said = f"{level[0]} comes first with" if len(level) == 1 else f"{listed(level)} come first, each with"
    return f"{found.board}{start}, {len(found.bots)} bots, every pair both ways: {said} {points}."


def _number(value: Fraction) -> str:
    return str(value) if value.denominator <= 2 else f"about {decimal(value, 4)}"


def _never_beaten(found: CrossTable) -> str:
    never = [each.name for each in found.standings if each.never_beaten]
    parts = [f"{_is(never)} never beaten in this match" if never else "No bot is never beaten in this match"]
    for role, names in (
        ("X", [each.name for each in found.standings if each.never_beaten_as_x and not each.never_beaten]),
        ("O", [each.name for each in found.standings if each.never_beaten_as_o and not each.never_beaten]),
    ):
        if names:
            parts.append(f"{_is(names)} never beaten as {role} only")
    return "; ".join(parts) + "."


def _is(names: list[str]) -> str:
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'}"


def _beats(found: CrossTable) -> str:
    said = [f"{name} beats {listed(list(others))}" for name in _order(found) if (others := found.beats(name))]
    level = [f"{a} and {b}" for (a, b), margin in found.margins.items() if not margin and _before(found, a, b)]
    said += [f"{both} are level" for both in level]
    return f"Over two games, one each way, by wins less losses: {'; '.join(said)}."


def _order(found: CrossTable) -> list[str]:
    return [each.name for each in found.standings]


def _before(found: CrossTable, a: str, b: str) -> bool:
    return found.bots.index(a) < found.bots.index(b)


def _pairs(found: CrossTable, longest: int | None = None) -> Table:
    """Return the pairs as a table; fractions of more characters than the longest are left to other forms."""

    def exact(chance: Fraction) -> str:
        text = str(chance)
        return text if longest is None or len(text) <= longest else "..."

    rows = []
    for pair in found.pairs:
        chances = (pair.x_wins, pair.draws, pair.o_wins)
        rows.append([pair.x, pair.o, *(text for chance in chances for text in (exact(chance), percentage(chance)))])
    return Table(_PAIRS, rows, frozenset({0, 1}), narrower=((0, 1, 3, 5, 7), (0, 1, 3, 7), (0, 1, 3)))


def _without_percentages(table: Table) -> Table:
    """Return the columns that hold numbers for a program: the percentages are text, and say no more."""
    kept = [i for i, heading in enumerate(table.headings) if not heading.endswith("%")]
    return Table([table.headings[i] for i in kept], [[row[i] for i in kept] for row in table.rows], table.words)


def _standings(found: CrossTable) -> Table:
    def yes(each: Standing) -> str:
        if each.never_beaten:
            return "never"
        return "never as X" if each.never_beaten_as_x else "never as O" if each.never_beaten_as_o else "yes"

    rows = [
        [
            each.name,
            decimal(each.points, 4),
            f"{each.games}",
            *(decimal(total, 4) for total in (each.wins, each.draws, each.losses)),
            yes(each),
        ]
        for each in found.standings
    ]
    headings = ["bot", "points", "games", "wins", "draws", "losses", "beaten"]
    return Table(headings, rows, frozenset({0, 6}), narrower=((0, 1, 3, 4, 5, 6), (0, 1, 6), (0, 1)))


def _next(found: CrossTable) -> list[str]:
    start = f" --from '{found.start}'" if found.start.ply else ""
    first = found.standings[0].name
    named = [word for name in (first, *_order(found)) if name != BEST and (word := word_of(name))]
    words = [word for name in found.bots if (word := word_of(name))]
    usable = len(words) == len(found.bots) and BEST not in found.bots
    return [
        *([f"noughts match {found.board}{start} {' '.join(words)} {BEST}"] if usable else []),
        f"noughts evaluate {named[0] if named else 'block'} --board {found.board}{start}",
    ]
