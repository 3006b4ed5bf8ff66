"""Two policies against each other: exact probabilities, and the best response."""

from __future__ import annotations

from noughts.drawing.figures import match_chart
from noughts.reports.forms import Forms, chart_forms, report_forms
from noughts.reports.page import How, Look, Report, try_next
from noughts.reports.play.place import place
from noughts.reports.programs import programs_told
from noughts.reports.tables import Table
from noughts.strategy.versus import Match

__all__ = ["forms", "report"]


def forms(found: Match, look: Look) -> Forms:
    """Return a match in every form."""
    return {
        **report_forms(lambda: report(found), found.as_dict, look),
        **chart_forms(lambda: match_chart(found, look.theme), look=look),
        "text": lambda: f"X wins {found.x_wins}\nO wins {found.o_wins}\ndraw {found.draws}\n",
    }


def report(found: Match) -> Report:
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
