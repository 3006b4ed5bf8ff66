"""The report on what a player can force: the strategy in sentences, as a tree of boards, and as data."""

from __future__ import annotations

import shlex
from fractions import Fraction

from noughts.analysis.payoff.guarantee import Guarantee
from noughts.analysis.payoff.points import DEFAULT_POINTS, Points, named_points
from noughts.drawing.trees import guarantee_picture
from noughts.present.forms import Forms, report_forms, tree_forms
from noughts.present.report import Block, Commands, How, Look, Paragraph, Report, try_next
from noughts.rules.marks import opponent
from noughts.rules.position import format_start
from noughts.verbs.request import place


def points_option(points: Points) -> str:
    """Return ` --points` for a scheme of all endings; nothing for the default scheme."""
    named = named_points(points)
    return f" --points {shlex.quote(named)}" if named else ""


def forms(found: Guarantee, look: Look) -> Forms:
    """Return a strategy in every form."""
    return {
        **report_forms(lambda: report(found), found.as_dict, look),
        **tree_forms(lambda: guarantee_picture(found), look),
    }


def report(found: Guarantee) -> Report:
    """Return what a player can force, and the strategy in sentences."""
    steps: list[Block | str] = [
        Paragraph(step.text, "  " * (step.depth + 1), "  " * step.depth) for step in found.sentences
    ]
    return Report.of(
        [_headline(found)],
        [*steps, *[_MIRRORED] * any("(or " in step.text for step in found.sentences)],
        [
            How(
                "one backward pass over all position classes; among the best moves the strategy takes the one with the "
                "fewest boards after it."
            ),
            _next(found),
        ],
    )


_MIRRORED = "A reply in brackets is the one before it, turned or mirrored: turn or mirror the answer too."


def _headline(found: Guarantee) -> str:
    where = f"{found.board}{format_start(found.start)}"
    if not found.goal.patterns:
        return (
            f"{where}: {found.player} can force a difference of {found.value} and no more (own points minus those of "
            f"{opponent(found.player)})."
        )
    player_named, player, wanted = found.goal.asked, found.player, found.goal.wanted
    if found.holds and found.value > 1:
        none = wanted.removeprefix("an ").removeprefix("a ").replace(" or an ", " or ").replace(" or a ", " or ")
        return f"{where}: {player} can force a win, and so does not need {none}."
    if found.holds:
        win = " or a win" * (player in found.allowed)
        return f"{where}: {player} can force {wanted}{win}, against all play of {opponent(player)}."
    who = f"neither X nor O can force {wanted}" if found.goal.either else f"{player_named} cannot force {wanted}"
    if found.value > 1:
        return f"{where}: {who}: {player} can force a win."
    win = " or a win" * (player in found.allowed)
    return f"{where}: {who}: {player} can force another draw{win}."


def _next(found: Guarantee) -> Commands:
    start = place(found.start)
    if found.goal.patterns:
        names = ",".join(found.goal.patterns) if len(found.goal.patterns) < 4 else "draw"
        names = f"'{names}'" if " " in names else names
        command = f"noughts patterns {found.board} --force {names} --by {found.goal.asked}{start}"
    else:
        command = f"noughts payoff {found.board}{_points(found)} --strategy {found.player}{start}"
    sides = f"--{found.player.lower()} strategy.json --{opponent(found.player).lower()} random"
    return try_next(f"{command} --save strategy.json", f"noughts match {found.board}{start} {sides}")


def _points(found: Guarantee) -> str:
    """Return an option for points with the same strategy, with default points where the differences agree."""
    sign = 1 if found.player == "X" else -1
    scheme = {}
    for ending, points in found.goal.worth.items():
        x, o = map(Fraction, DEFAULT_POINTS.get(ending, (0, 0)))
        difference = sign * points
        scheme[ending] = (
            (x, o) if difference == x - o else (max(difference, Fraction(0)), max(-difference, Fraction(0)))
        )
    return points_option(scheme)
