"""`noughts referee`: a program of any language on every line that its answers allow."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from noughts.bots.lines import CONFIDENCE, COSTLY, TwoAnswers
from noughts.bots.referee import MOST_QUESTIONS, SideTrial, Trial, referee
from noughts.present.forms import Forms, report_forms
from noughts.present.report import How, Look, Report, Table, grouped, many, try_next
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.marks import Cell
from noughts.verbs.request import (
    Caller,
    VerbAnswer,
    VerbRequest,
    argument,
    option,
)


@dataclass(frozen=True, kw_only=True)
class RefereeRequest(VerbRequest):
    """Play every line that a program's answers allow on BOARD, as X and as O; exit with 1 if it fails.

    The program speaks the protocol of noughts engine on its standard streams. It fails when it loses, plays what is no
    move, is late or ends. COMMAND is run as it stands, without a shell: noughts referee 3x3 -- python3 bot.py
    """

    board: str | Board = argument(default="3x3")
    command: tuple[str, ...] = argument("-- COMMAND...", ())
    as_: str = option("Which side the program plays.", "both", choices=("both", "X", "O"))
    move_time: str = option("How long it may take for a move: 1s, 500ms.", "1s", metavar="TIME")
    start_time: str = option("How long it may take until it is ready.", "10s", metavar="TIME")
    same: str = option(
        "Ask each sequence of moves once, or each set of marks.", "history", choices=("history", "position")
    )
    games: int | None = option("Play so many games at random instead.", least=1, metavar="N")
    seed: int = option("What is drawn by lot follows this.", 1, least=0, metavar="N")
    limit: int = option("Ask up to so many questions.", MOST_QUESTIONS, least=1, metavar="N")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return that there is no program."""
        example = "noughts referee 3x3 -- python3 bot.py"
        return ((not self.command, f"which program? give its command at the end: {example}"),)

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the trial."""
        how = self.parts("as_", "move_time", "start_time", "same", "games", "seed", "limit")
        found = referee(self.board, self.command, progress=caller.progress, **how)
        return VerbAnswer(found, forms(found, caller.look), lambda: 0 if found.passed else 1)


_LISTED = 10
"""So many blunders, and so many answers that were no moves, are listed for people; data have all."""


def forms(found: Trial, look: Look) -> Forms:
    """Return a trial in every form."""
    return report_forms(lambda: report(found), found.as_dict, look)


def report(found: Trial) -> Report:
    """Return what there is to say about a program."""
    return Report.of(
        [*_verdict(found), _ends(found)],
        _foul_part(found),
        _blunder_part(found),
        [*_how(found), try_next(*_commands(found))],
    )


def _verdict(found: Trial) -> list[str]:
    """Return the verdict, then of each side what stands in its way."""
    who = f"{found.title} on {found.board}"
    roles = " and ".join(side.role for side in found.sides)
    sure = all(side.complete and side.consistent and side.games is None for side in found.sides)
    if found.passed and sure:
        verdict = f"{who}, as {roles}: it never loses, on all {many(found.lines, 'line')} that its answers allow."
    elif found.passed:
        verdict = f"{who}, as {roles}: it did not lose in what was played, which is not every line."
    else:
        verdict = f"{who}, as {roles}: it failed: {_failures(found)}."
    sentences = [verdict]
    if found.shortest_loss is not None:
        every = all(side.complete and side.games is None for side in found.sides)
        sentences.append(
            f"{'Its shortest loss' if every else 'The shortest loss that was met'} takes "
            f"{many(len(found.shortest_loss), 'move')} of both: "
            f"{_names(found.board, found.shortest_loss)}."
        )
    for side in found.sides:
        sentences += _uncertainties(found, side)
    return sentences


def _failures(found: Trial) -> str:
    parts = []
    what = _played(found)
    if found.losses:
        parts.append(f"it loses {found.losses:,} of {many(found.lines, what)}")
    if found.illegal:
        parts.append(f"{many(found.illegal, what)} {'ends' if found.illegal == 1 else 'end'} with an answer that is "
                     "no move")  # fmt: skip
    for side in found.sides:
        before = side.walked
        met = {foul.history for foul in side.every_foul[len(side.first_fouls) :]}
        others = sum(foul.history not in met for foul in side.first_fouls)
        if others:
            parts.append(f"as {side.role} it gave no move to {many(others, 'question')} in the games that came first")
        if side.erred_again:
            parts.append(f"as {side.role} it gave no move when it was asked again")
        if before is not None and (before.losses or before.illegal):
            parts.append(
                f"as {side.role}, before its answers were found to vary, it lost {before.losses:,} of "
                f"{many(before.lines, 'line')} and gave no move in {before.illegal:,}"
            )
    return ", and ".join(parts)


def _uncertainties(found: Trial, side: SideTrial) -> list[str]:
    sentences = []
    if side.two_answers is not None:
        sentences.append(f"As {side.role} its answers vary: {_varied(found.board, side.two_answers)}.")
        if found.same == "position":
            sentences.append(
                "The position was told by other moves then: without --same position each sequence is asked."
            )
    if not side.complete:
        costly = sum(foul.kind in COSTLY for foul in side.fouls)
        sentences.append(f"As {side.role} it was asked no more after {many(costly, 'answer')} that did not come.")
    chance = side.chance_of_loss
    if chance is not None:
        sentences.append(
            f"As {side.role} {many(side.lines, 'game')} against replies at random stand for all lines: its chance "
            f"to lose or to err in such a game lies between {_percent(chance.low)} and {_percent(chance.high)}, with "
            f"a confidence of {CONFIDENCE:.0%}."
        )
    return sentences


def _varied(board: Board, found: TwoAnswers) -> str:
    after = f"after {_names(board, found.history)}" if found.history else "on the empty board"
    first = "gave no move" if found.first is None else f"played {cell_name(board, found.first)}"
    return f"{after} it {first}, and asked again {found.said}"


def _ends(found: Trial) -> Table:
    headings = ["as", f"{_played(found)}s", "won", "drawn", "lost", "no move", "questions"]
    sides = [
        [side.role, *map(grouped, (side.lines, side.wins, side.draws, side.losses, side.illegal, side.questions))]
        for side in found.sides
    ]
    return Table(headings, sides, frozenset({0}), ((0, 1, 2, 3, 4, 5), (0, 2, 3, 4, 5)))


def _foul_part(found: Trial) -> list[Table | str]:
    times = Counter(
        (str(foul.position), _names(found.board, foul.history) or "-", foul.kind, foul.said)
        for side in found.sides
        for foul in side.every_foul
    )
    if not times:
        return []
    rows = [[*foul, grouped(number)] for foul, number in list(times.items())[:_LISTED]]
    where = many(len({position for position, *_ in times}), "position")
    headings = ["position", "after", "kind", "what it did", "times"]
    return [
        f"What was no move, in {where}{f', the first {_LISTED} of {len(times):,}' * (len(times) > _LISTED)}:",
        Table(headings, rows, frozenset(range(4)), ((0, 2, 3, 4), (0, 2, 3), (0, 3), (0, 2))),
    ]


def _blunder_part(found: Trial) -> list[Table | str]:
    if any(side.blunders is None for side in found.sides):
        return [f"Blunders are not listed: the positions of {found.board} cannot all be valued."]
    blunders = [blunder for side in found.sides for blunder in side.blunders or ()]
    if not any(side.moves_made for side in found.sides):
        return [f"No {_played(found)} has a move of its own that could give value away."]
    if not blunders:
        return ["None of its moves gives value away."]
    rows = [
        [
            str(each.position),
            cell_name(found.board, each.move),
            f"{each.before} to {each.after}",
            _names(found.board, each.better),
            grouped(each.lines),
        ]
        for each in blunders[:_LISTED]
    ]
    moves = many(len(blunders), "move")
    gives = "gives" if len(blunders) == 1 else "give"
    return [
        f"{moves} of its own {gives} value away{f', the first {_LISTED} of them' * (len(blunders) > _LISTED)}:",
        Table(
            ["position", "played", "value", "better", "met"],
            rows,
            frozenset(range(4)),
            ((0, 1, 2, 3), (0, 1, 2), (0, 1)),
        ),
    ]


def _how(found: Trial) -> list[How]:
    questions = sum(side.questions for side in found.sides)
    if not questions:
        return [How("it was asked nothing, for every game ended before it was to move.")]
    sides = [f"{'' if len(found.sides) == 1 else f'as {side.role} '}{_way(found, side)}" for side in found.sides]
    ways = [_way(found, side) for side in found.sides]
    way = ways[0] if len(set(ways)) == 1 else ", ".join(sides)
    valued = all(side.blunders is not None for side in found.sides)
    values = " Values are those of noughts solve." if valued else ""
    return [How(f"it was asked {many(questions, 'question')}, {way}{_besides(found)}.{values}")]


def _besides(found: Trial) -> str:
    """Return what it was asked beside the questions of what is counted."""
    first = sum(side.first_questions for side in found.sides)
    walked = sum(side.walked.questions for side in found.sides if side.walked is not None)
    again = sum(side.asked_again for side in found.sides)
    parts = [f"{first:,} in the games that came first"]
    if walked:
        parts.append(f"{walked:,} in lines until its answers were found to vary")
    if again:
        parts.append(f"{again:,} again after a new start{', answered the same' * found.consistent}")
    unknown = found.consistent and not again
    none = "; none was asked again after a new start, so that whether its answers vary is not known" * unknown
    return f"; besides, {' and '.join(filter(None, [', '.join(parts[:-1]), parts[-1]]))}{none}"


def _way(found: Trial, side: SideTrial) -> str:
    """Return which questions it was asked as one side."""
    if not side.questions:
        return "nothing"
    if side.games is not None:
        way = f"whose replies were drawn by lot with the seed {found.seed}"
    else:
        once = "each sequence of moves once" if found.same == "history" else "each set of marks once"
        way = f"{once}, and met every reply to each answer" if side.complete and side.moves_made else once
    return way if side.complete else f"{way}, until it was broken off"


def _commands(found: Trial) -> list[str]:
    command = shlex.join(found.command)
    board = found.board
    side = "--as X " if len(found.sides) == 2 else ""
    shown = [f"noughts referee {board} {side}--format json -- {command}"]
    blunder = next((each for part in found.sides for each in part.blunders or ()), None)
    if blunder is not None:
        shown.append(f"noughts explain {board} {blunder.position}")
    elif found.consistent and not found.illegal:
        player = shlex.quote(f"program:{command}")
        x, o = (player, "random") if found.sides[0].role == "X" else ("random", player)
        shown.append(f"noughts match {board} --x {x} --o {o}")
    return shown


def _names(board: Board, cells: Sequence[Cell]) -> str:
    return " ".join(cell_name(board, cell) for cell in cells)


def _played(found: Trial) -> str:
    """Return what the ends were counted in."""
    return "game" if all(side.games is not None for side in found.sides) else "line"


def _percent(chance: float) -> str:
    return f"{100 * chance:.3g}%"
