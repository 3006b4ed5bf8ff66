"""`noughts payoff`: points for each ending, their value under best play or policies, and comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from noughts.analysis.payoff.fairness import (
    Fairest,
    Running,
    SchemeRow,
    Schemes,
    compare_points,
    fairest_points,
    running_score,
)
from noughts.analysis.payoff.points import DEFAULT_POINTS, Payoff, Points, payoff, secure
from noughts.analysis.policies.policy import BEST
from noughts.drawing.figures import payoff_picture
from noughts.present.forms import Forms, chart_forms, report_forms, tree_forms
from noughts.present.report import Block, How, Look, Paragraph, Report, Table, try_next
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.position import format_start
from noughts.rules.values import decimal
from noughts.verbs import guarantee
from noughts.verbs.guarantee import points_option
from noughts.verbs.request import PICTURES, Caller, FromPosition, VerbAnswer, argument, option, place, writable

if TYPE_CHECKING:
    from noughts.drawing.svg import Svg


@dataclass(frozen=True, kw_only=True)
class PayoffRequest(FromPosition):
    """Value of a scheme of points on BOARD.

    Each side plays best for the difference of points, or by a policy: random, win, block, fork, perfect, quickest,
    concede, trap:random, trap:block, or a file of moves ending in .json.
    """

    forms = ("table", "json", *PICTURES, "text", "dot")

    board: str | Board = argument(default="3x3")
    points: tuple[str, ...] = option(
        "Points of X and of O: X=3-0,O=0-5,Island=0-1, with draw for all draws. Other endings keep the published "
        "points, and 0-0 for draws on boards other than 3x3. Repeat the option to compare schemes",
        (),
        metavar="LIST",
    )
    x: str | None = option("Policy of X", metavar="POLICY", usual="best for the difference of points")
    o: str | None = option("Policy of O", metavar="POLICY", usual="best for the difference of points")
    player: str | None = option("Player whose best strategy is shown", name="strategy", choices=("X", "O"))
    save: str | None = option("File for the strategy of --strategy as a policy", metavar="FILE.json")
    fairest: int | None = option("Fairest schemes of up to N points", least=1, metavar="N")
    games: int | None = option("Number of games of a running score", least=1, metavar="N")
    swap: bool = option("Roles exchanged after each game, with --games", False)

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        compares = self.fairest is not None or len(self.points) > 1
        is_strategy = self.player is not None or self.save is not None
        return (
            (
                compares and (is_strategy or self.games is not None or self.swap),
                "a comparison of schemes cannot be used with --strategy, --save, --games or --swap: remove them",
            ),
            (
                self.fairest is not None and len(self.points) > 1,
                "--fairest needs at most one scheme: give --points once",
            ),
            (
                compares and self.form not in ("table", "json"),
                f"a comparison of schemes cannot be used with --format {self.form}: use table or json",
            ),
            (self.swap and self.games is None, "--swap needs a running score: add --games N"),
            (
                self.games is not None and (is_strategy or self.form in ("text", "dot")),
                "--games cannot be used with --strategy, --save or --format text or dot: remove them",
            ),
            (
                self.games is not None and self.x in (None, BEST) and self.o in (None, BEST),
                "--games needs a policy for one side: add --x or --o, as in --games 10 --x perfect --o random",
            ),
            (
                self.player is not None and (self.x is not None or self.o is not None),
                "--strategy assumes best play of both: remove --x and --o, or use noughts match for a best response",
            ),
            (
                self.save is not None and self.player is None,
                "--save needs a strategy: add --strategy X or --strategy O",
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the value of the points, a comparison of schemes, a running score, or a strategy."""
        points, look = (self.points[0] if self.points else None), caller.look
        at, limit = (self.board, self.start), self.limit
        sides: dict[str, Any] = {"x": self.x or "random", "o": self.o or "random", "limit": limit}
        if self.fairest is not None:
            fairest = fairest_points(*at, most=self.fairest, points=points, **sides)
            return VerbAnswer(fairest, report_forms(lambda: fairest_report(fairest), fairest.as_dict, look))
        if len(self.points) > 1:
            compared = compare_points(*at, schemes=self.points, **sides)
            return VerbAnswer(compared, report_forms(lambda: comparison_report(compared), compared.as_dict, look))
        if self.games is not None:
            sides = {"x": self.x or BEST, "o": self.o or BEST, "limit": limit}
            score = running_score(*at, games=self.games, points=points, swap=self.swap, **sides)
            return VerbAnswer(score, running_forms(score, look))
        if self.player is not None:
            path = writable(self.save, policy=True)
            found = secure(*at, player=self.player, points=points, limit=limit, progress=caller.progress)
            if path is not None:
                caller.write(path, found.saved_policy)
            return VerbAnswer(found, guarantee.forms(found, look))
        x, o = (None if policy == BEST else policy for policy in (self.x, self.o))
        made = payoff(self.board, points, start=self.start, limit=limit, progress=caller.progress, x=x, o=o)
        words = report_forms(lambda: report(made), made.as_dict, look)
        return VerbAnswer(made, words | tree_forms(lambda: payoff_picture(made), look))


_SHOWN = 12
_ENDS = {"X": "X wins", "O": "O wins"}


def report(found: Payoff) -> Report:
    """Return the report on a scheme of points."""
    board = found.board
    moves = [[cell_name(board, cell), str(value)] for cell, value in found.openings]
    return Report.of(
        [_headline(found)],
        _points(found),
        [Table(["move" if found.start.ply else "first move", "difference"], moves, frozenset({0}))],
        [How("one backward pass over all position classes, in exact fractions."), try_next(*_next(found))],
    )


def _headline(found: Payoff) -> str:
    where = f"{found.board}{format_start(found.start)}"
    if found.x_points is None or found.o_points is None:
        return f"{where}: with best play X's points minus O's points are {found.difference}."
    words = [f"{points} point{'s' * (points != 1)}" for points in (found.x_points, found.o_points)]
    about = [f" (about {float(points):.4f})" * (points.denominator > 1) for points in (found.x_points, found.o_points)]
    x, o = map("".join, zip(words, about, strict=True))
    sentence = f"X expects {x} and O {o}, a difference of {found.difference}."
    return f"{where}, X {found.x}, O {found.o}: {sentence}"


def _points(found: Payoff) -> list[Block | str]:
    shown = list(found.points.items())
    rows = [[_ENDS.get(end, end), str(x), str(o)] for end, (x, o) in shown[:_SHOWN]]
    blocks: list[Block | str] = [Table(["ending", "X gets", "O gets"], rows, frozenset({0}))]
    if len(shown) > _SHOWN:
        blocks.append(f"and {len(shown) - _SHOWN} more drawn patterns: --format json lists them")
    return blocks + unnamed(found.points, found.unnamed)


def unnamed(points: Points, endings: Sequence[str]) -> list[Block | str]:
    """Return the endings that keep the points of the default scheme."""
    if not endings:
        return []
    defaults = [
        f"{'draws' if end.startswith('pattern ') else _ENDS.get(end, end)} {x}-{o}"
        for end, (x, o) in points.items()
        if end in endings
    ]
    listed = ", ".join(dict.fromkeys(defaults))
    if all(end not in DEFAULT_POINTS for end in endings):
        return [f"Not named, so 0 points: {listed}; draw=1-1 names them all."]
    return [Paragraph(f"Not named, so the published points: {listed}.")]


def _next(found: Payoff) -> list[str]:
    start = place(found.start)
    command = f"noughts payoff {found.board}{start}{points_option(found.points)}"
    if found.x == found.o == "best":
        return [f"{command} --strategy X", f"{command} --x random --o random"]
    return [command, f"noughts patterns {found.board}{start}"]


# Schemes of points side by side, and the fairest of many.


def comparison_report(found: Schemes) -> Report:
    """Return the report that compares schemes."""
    command = f"noughts payoff {found.start.board}{place(found.start)}"
    head = ["scheme", "best play", "by", f"{found.x} against {found.o}", "about"]
    return Report.of(
        [
            f"{found.start.board}{format_start(found.start)}: {len(found.rows)} schemes of points. A difference is X's "
            "points minus O's points."
        ],
        [Table(head, [_row(row) for row in found.rows], frozenset({0, 2}))],
        [
            How("one backward pass for each scheme, and expectations in exact fractions."),
            try_next(f"{command} --fairest 5", command),
        ],
    )


def _row(row: SchemeRow) -> list[str]:
    board, best = row.best.board, row.best
    keeping = " ".join(cell_name(board, cell) for cell, value in best.openings if value == best.difference)
    return [row.text, str(best.difference), keeping, str(row.met.difference), decimal(row.met.difference, 4)]


def fairest_report(found: Fairest) -> Report:
    """Return the report on the fairest schemes."""
    many, on = len(found.schemes), f"{found.start.board}{place(found.start)}"
    lines = found.texts[:_SHOWN]
    points = f"{found.most:,} point{'s' * (found.most != 1)}"
    fairest = (
        f"of {found.considered:,} schemes with up to {points} {many:,} {'is' if many == 1 else 'are equally'} fairest"
        if found.considered > 1
        else f"1 scheme has up to {points}"
    )
    more = [f"and {many - _SHOWN:,} more: --format json lists them"] if many > _SHOWN else []
    sentence = (
        f"{found.start.board}{format_start(found.start)}: {fairest}. X's points minus O's points are "
        f"{found.difference} with best play. The expectation "
        f"of {found.x} against {found.o} is {found.expected} ({decimal(found.expected, 4)})."
    )
    return Report.of(
        [sentence],
        [Table(["scheme"], [[line] for line in lines], frozenset({0})), *more],
        [
            "Fairest: the difference under best play nearest to 0. Ties are broken by the expected difference of the "
            "two policies, then by the fewest points in all. A win gives its winner more than any draw."
        ],
        [
            How("one backward pass for all schemes finds which sets of endings X can force."),
            try_next(f"noughts payoff {on} --points '{lines[0]}'", f"noughts patterns {on}"),
        ],
    )


# The running score of many games.


def running_forms(found: Running, look: Look) -> Forms:
    """Return a running score in every form; the picture shows the final chances as bars."""

    def chart() -> Svg:
        from noughts.drawing.chart import draw_shares

        shares = [("first ahead", found.ahead), ("level", found.level), ("second ahead", found.behind)]
        turns = ", taking turns with X" if found.swap else ""
        title = f"{found.board}, {found.games:,} games: first {found.x}, second {found.o}{turns}"
        return draw_shares(shares, title, look.theme, [_chance(share) for _, share in shares])

    return {**report_forms(lambda: running_report(found), found.as_dict, look), **chart_forms(chart, look=look)}


def _deviation(variance: Fraction) -> str:
    """Return the square root of a variance in words; only an exact 0 is written 0."""
    if not variance:
        return "0"
    root = sqrt(variance)
    return f"about {root:.4f}" if root >= 0.0001 else f"about {root:.1e}"


def running_report(found: Running) -> Report:
    """Return the report on a running score."""
    turns = "they take turns with X" if found.swap else "the first plays X"
    games = f"{found.games:,} game{'s' * (found.games != 1)}"
    sentence = (
        f"{found.board}{format_start(found.start)}, {games} of {found.x} (first) against {found.o} (second), {turns}: "
        f"the first player expects to be {_ahead(found)}. It is ahead with probability {_chance(found.ahead)}, level "
        f"with {_chance(found.level)} and behind with {_chance(found.behind)}."
    )
    rows = [[f"{n:,}", *map(_chance, chances)] for n, *chances in found.course]
    command = f"noughts payoff {found.board}{place(found.start)}{points_option(found.points)}"
    return Report.of(
        [sentence, f"The standard deviation of the difference is {_deviation(found.variance)}."],
        unnamed(found.points, found.unnamed),
        [Table(["after games", "first ahead", "level", "second ahead"], rows)],
        [
            How("the exact distribution of one game, convolved for all games; JSON has the chances as fractions."),
            try_next(
                f"noughts match {found.board}{place(found.start)} --games 100 --swap --x perfect --o block",
                f"{command} --games 100 --x perfect --o random",
            ),
        ],
    )


def _ahead(found: Running) -> str:
    score = found.expected
    if not score:
        return "level"
    about = f"about {decimal(abs(score), 6)}"
    exact = f"{abs(score)}" if len(str(score)) < 25 else about
    points = f"point{'s' * (abs(score) != 1)}" + f" ({about})" * ("/" in exact)
    return f"{exact} {points} {'ahead' if score > 0 else 'behind'}"


def _chance(chance: Fraction) -> str:
    """Return a probability to six decimals; only exact 0 and 1 are written so."""
    if chance in (0, 1):
        return str(chance)
    text = decimal(chance, 6)
    return {"0.000000": "<0.000001", "1.000000": ">0.999999"}.get(text, text)
