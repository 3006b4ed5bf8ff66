"""`noughts patterns`: drawn boards up to symmetry, and those that a player can force."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from noughts.analysis.payoff.patterns import Patterns, force, patterns
from noughts.drawing.figures import patterns_picture
from noughts.present.forms import report_forms, tree_forms
from noughts.present.report import Block, How, Report, Table, try_next
from noughts.rules.board import Board
from noughts.rules.game import class_bound
from noughts.verbs import guarantee
from noughts.verbs.request import (
    PICTURES,
    Caller,
    FromPosition,
    VerbAnswer,
    argument,
    can_wait,
    from_option,
    option,
    place,
    writable,
)


@dataclass(frozen=True, kw_only=True)
class PatternsRequest(FromPosition):
    """Drawn full boards of BOARD up to symmetry, and those that X and O can force.

    A player forces a pattern if a strategy ends in that pattern or in a win against all play. With --force the answer
    is that strategy, or the opponent's strategy that prevents the pattern.
    """

    forms = ("table", "json", *PICTURES, "text", "dot")

    board: str | Board = argument(default="3x3")
    pattern: str | None = option(
        "Patterns to force, Arrow or Arrow,Island; draw for all", name="force", metavar="NAMES"
    )
    player: str | None = option(
        "Player who forces it", name="by", choices=("X", "O"), usual="the player who can, X first"
    )
    save: str | None = option("File for the strategy of --force as a policy", metavar="FILE.json", where="commands")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        return (
            *(
                (given is not None and self.pattern is None, f"--{name} needs a pattern: add --force NAME")
                for name, given in (("by", self.player), ("save", self.save))
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the patterns, or the strategy for one."""
        path = writable(self.save, policy=True)
        if self.pattern is None:
            found = patterns(self.board, self.start, limit=self.limit, progress=caller.progress)
            words = report_forms(lambda: report(found), found.as_dict, caller.look)
            return VerbAnswer(found, words | tree_forms(lambda: patterns_picture(found), caller.look))
        settings = self.parts("pattern", "player", "limit")
        strategy = force(self.board, self.start, progress=caller.progress, **settings)
        if path is not None:
            caller.write(path, strategy.saved_policy)
        return VerbAnswer(strategy, guarantee.forms(strategy, caller.look))


_SHOWN = 20
FORCE = "Can force: has a strategy with which every game ends in that pattern or in that player's win."


def report(found: Patterns) -> Report:
    """Return the report on the drawn boards."""
    board, many = found.board, len(found.patterns)
    if not many:
        return Report.of(
            [f"{board}: no game ends in a draw, so it has no drawn patterns."],
            [How("every full board has a line."), try_next(f"noughts solve {board}", *_payoff(found))],
        )
    boards = sum(pattern.boards for pattern in found.patterns)
    sentence = (
        f"{board}: {many} drawn pattern{'s' * (many != 1)} up to symmetry, {boards:,} board{'s' * (boards != 1)}."
    )
    if found.start.ply:
        left = len(found.possible)
        sentence += f" From {found.start} {left or 'none'} of them can still come about."
    svg = f"noughts patterns {board}{from_option(found.start)} -o patterns.svg"
    return Report.of(
        [sentence],
        _patterns(found),
        [_forcing(found), *[FORCE] * bool(found.forcing)],
        [
            How("one backward pass over all position classes, for all patterns together."),
            try_next(_strategy(found) or svg, *_payoff(found)),
        ],
    )


def _patterns(found: Patterns) -> list[Block | str]:
    rows = [[p.name, str(p.position), str(p.boards)] for p in found.patterns[:_SHOWN]]
    names = ["pattern", "board", "boards"]
    if found.start.ply:
        names.append("still possible")
        rows = [[*row, "yes" if row[0] in found.possible else "no"] for row in rows]
    if found.signs:
        names.append("sign")
        rows = [[*row, sign] for row, sign in zip(rows, found.signs, strict=False)]
    shown: list[Block | str] = [Table(names, rows, frozenset({0, 1, 3, 4}))]
    if len(found.patterns) > _SHOWN:
        shown.append(f"and {len(found.patterns) - _SHOWN} more: --format json lists them")
    return shown


def _payoff(found: Patterns) -> list[str]:
    """Return the command for points, unless it takes too long."""
    return [f"noughts payoff {found.board}{place(found.start)}"] * can_wait(found.start)


def _strategy(found: Patterns) -> str:
    """Return the command for the strategy of the last pattern that a player can force, or nothing."""
    for player, names in [("X", found.forcing[0].x), ("O", found.forcing[0].o)] if found.forcing else []:
        if names:
            name = f"'{names[-1]}'" if " " in names[-1] else names[-1]
            return f"noughts patterns {found.board}{place(found.start)} --force {name} --by {player}"
    return ""


def _forcing(found: Patterns) -> Table | str:
    if found.forcing is None:
        bound = class_bound(found.start)
        computes = f"; --limit {bound} computes it" * can_wait(found.start)
        return f"Left out: the patterns that can be forced, over up to {bound:,} position classes{computes}."
    rows = []
    for row in found.forcing:
        here = str(found.start) if found.start.ply else "empty board"
        first = here if row.opening is None else f"after {found.opening_name(row.opening)}"
        rows.append([first, _list(row.x), _list(row.o)])
    return Table(["from", "X can force", "O can force"], rows, frozenset({0, 1, 2}))


def _list(names: tuple[str, ...]) -> str:
    if len(names) > 6:
        return f"{len(names)} of them"
    return ", ".join(names) or "none"
