"""`noughts referee`: a test of a program on every line that its answers allow."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from noughts.bots.lines import CONFIDENCE, COSTLY, TwoAnswers
from noughts.bots.referee import MOST_QUESTIONS, SideTrial, Trial, referee
from noughts.present.forms import report_forms
from noughts.present.report import How, Report, Table, grouped, many, try_next
from noughts.rules.board import Board
from noughts.rules.cells import move_name
from noughts.rules.marks import Cell, opponent
from noughts.verbs.request import Caller, VerbAnswer, VerbRequest, argument, option


@dataclass(frozen=True, kw_only=True)
class RefereeRequest(VerbRequest):
    """Test of a program on every line of BOARD that its answers allow, as X and as O; exit code 1 if it fails.

    The program uses the protocol of noughts engine on its standard streams. It fails if it loses, makes an invalid
    move, is late or stops. COMMAND runs without a shell: noughts referee 3x3 -- python3 bot.py
    """

    board: str | Board = argument(default="3x3")
    command: tuple[str, ...] = argument("-- COMMAND...", ())
    as_: str = option("Side of the program", "both", choices=("both", "X", "O"))
    move_time: str = option("Time limit of a move, such as 1s or 500ms", "1s", metavar="TIME")
    start_time: str = option("Time limit of the start", "10s", metavar="TIME")
    same: str = option(
        "Questions to ask once: each sequence of moves, or each set of marks",
        "history",
        choices=("history", "position"),
    )
    games: int | None = option("Number of random games, instead of every line", least=1, metavar="N")
    seed: int = option("Random seed", 1, least=0, metavar="N")
    limit: int = option("Maximum number of questions", MOST_QUESTIONS, least=1, metavar="N")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        example = "noughts referee 3x3 -- python3 bot.py"
        return ((not self.command, f"the command of the program is missing: add it at the end, as in {example}"),)

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the trial."""
        how = self.parts("as_", "move_time", "start_time", "same", "games", "seed", "limit")
        found = referee(self.board, self.command, progress=caller.progress, **how)
        forms = report_forms(lambda: report(found), found.as_dict, caller.look)
        return VerbAnswer(found, forms, lambda: 0 if found.passed else 1)


_LISTED = 10
"""Most blunders and most invalid answers in a report; JSON has all."""


def report(found: Trial) -> Report:
    """Return the report on a program."""
    return Report.of(
        [*_verdict(found), _ends(found)],
        _foul_part(found),
        _blunder_part(found),
        [*_how(found), try_next(*_commands(found))],
    )


def _verdict(found: Trial) -> list[str]:
    """Return the verdict, then the reservations for each side."""
    who = f"{found.title} on {found.board}"
    roles = " and ".join(_role(found, side) for side in found.sides)
    sure = all(side.complete and side.consistent and side.games is None for side in found.sides)
    if found.passed and sure:
        verdict = f"{who}, as {roles}: it never loses, in all {many(found.lines, 'line')} that its answers allow."
    elif found.passed:
        verdict = f"{who}, as {roles}: it did not lose in the games played, which do not cover every line."
    else:
        verdict = f"{who}, as {roles}: it failed: {_failures(found)}."
    sentences = [verdict]
    if found.shortest_loss is not None:
        every = all(side.complete and side.games is None for side in found.sides)
        sentences.append(
            f"{'Its shortest loss' if every else 'The shortest loss that was met'} takes "
            f"{many(len(found.shortest_loss), 'move')} in all: "
            f"{_names(found.board, found.shortest_loss)}."
        )
    for side in found.sides:
        if side.losses and side.blunders == ():
            winner = found.board.rules.name_of(opponent(side.role))
            sentences.append(
                f"As {_role(found, side)} it lost without a mistake, because {winner} wins {found.board} with best "
                "play."
            )
        sentences += _uncertainties(found, side)
    return sentences


def _failures(found: Trial) -> str:
    parts = []
    what = _played(found)
    if found.losses:
        parts.append(f"it loses {found.losses:,} of {many(found.lines, what)}")
    if found.illegal:
        parts.append(f"{many(found.illegal, what)} {'ends' if found.illegal == 1 else 'end'} with an "
                     "invalid answer")  # fmt: skip
    for side in found.sides:
        before = side.walked
        met = {foul.history for foul in side.every_foul[len(side.first_fouls) :]}
        others = sum(foul.history not in met for foul in side.first_fouls)
        if others:
            parts.append(f"as {_role(found, side)} it gave no move to {many(others, 'question')} in the first games")
        if side.erred_again:
            parts.append(f"as {_role(found, side)} it gave no move when it was asked again")
        if before is not None and (before.losses or before.illegal):
            parts.append(
                f"as {_role(found, side)}, before its answers were found to vary, it lost {before.losses:,} of "
                f"{many(before.lines, 'line')} and gave no move in {before.illegal:,}"
            )
    return ", and ".join(parts)


def _uncertainties(found: Trial, side: SideTrial) -> list[str]:
    sentences = []
    if side.two_answers is not None:
        sentences.append(f"As {_role(found, side)} its answers vary: {_varied(found.board, side.two_answers)}.")
        if found.same == "position":
            sentences.append(
                "The second question had other moves to the same position: remove --same position to ask each sequence."
            )
    if not side.complete:
        costly = sum(foul.kind in COSTLY for foul in side.fouls)
        sentences.append(f"As {_role(found, side)} the test stopped after {many(costly, 'missing answer')}.")
    chance = side.chance_of_loss
    if chance is not None:
        sentences.append(
            f"As {_role(found, side)} it played {many(side.lines, 'game')} against random replies, not every line. Its "
            f"chance of a loss or an error in such a game is between {_percent(chance.low)} and "
            f"{_percent(chance.high)} ({CONFIDENCE:.0%} confidence)."
        )
    return sentences


def _varied(board: Board, found: TwoAnswers) -> str:
    after = f"after {_names(board, found.history)}" if found.history else "on the empty board"
    first = "gave no move" if found.first is None else f"played {move_name(board, found.first)}"
    return f"{after} it {first}, and when asked again {found.said}"


def _ends(found: Trial) -> Table:
    headings = ["as", f"{_played(found)}s", "won", "drawn", "lost", "no move", "questions"]
    sides = [
        [
            found.board.rules.labels[side.role == "O"],
            *map(grouped, (side.lines, side.wins, side.draws, side.losses, side.illegal, side.questions)),
        ]
        for side in found.sides
    ]
    return Table(headings, sides, frozenset({0}))


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
        f"Invalid answers, in {where}{f', the first {_LISTED} of {len(times):,}' * (len(times) > _LISTED)}:",
        Table(headings, rows, frozenset(range(4))),
    ]


def _blunder_part(found: Trial) -> list[Table | str]:
    if any(side.blunders is None for side in found.sides):
        return [f"Blunders are not listed, because not all positions of {found.board} can be valued."]
    blunders = [blunder for side in found.sides for blunder in side.blunders or ()]
    if not any(side.moves_made for side in found.sides):
        return [f"It made 0 moves in {_played(found)}s, so it could not give value away."]
    if not blunders:
        return ["None of its moves gives value away."]
    rows = [
        [
            str(each.position),
            move_name(found.board, each.move),
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
        Table(["position", "played", "value", "better", "met"], rows, frozenset(range(4))),
    ]


def _how(found: Trial) -> list[How]:
    questions = sum(side.questions for side in found.sides)
    if not questions:
        return [How("the program received no question, because every game ended before its turn.")]
    sides = [
        f"{'' if len(found.sides) == 1 else f'as {_role(found, side)} '}{_way(found, side)}" for side in found.sides
    ]
    ways = [_way(found, side) for side in found.sides]
    way = ways[0] if len(set(ways)) == 1 else ", ".join(sides)
    valued = all(side.blunders is not None for side in found.sides)
    values = " Values are those of noughts solve." if valued else ""
    return [How(f"it received {many(questions, 'question')}, {way}{_besides(found)}.{values}")]


def _besides(found: Trial) -> str:
    """Return the questions beside those of the counted lines."""
    first = sum(side.first_questions for side in found.sides)
    walked = sum(side.walked.questions for side in found.sides if side.walked is not None)
    again = sum(side.asked_again for side in found.sides)
    parts = [
        f"{first:,} in the first games",
        *[f"{walked:,} in lines before its answers varied"] * bool(walked),
        *[f"{again:,} repeated after a restart{', with the same answers' * found.consistent}"] * bool(again),
    ]
    unknown = found.consistent and not again
    none = "; no question was repeated after a restart, so it is not known whether its answers vary" * unknown
    return f"; also {' and '.join(filter(None, [', '.join(parts[:-1]), parts[-1]]))}{none}"


def _way(found: Trial, side: SideTrial) -> str:
    """Return which questions the program received as one side."""
    if not side.questions:
        return "nothing"
    if side.games is not None:
        way = f"in games with random replies, seed {found.seed}"
    else:
        once = "each sequence of moves once" if found.same == "history" else "each set of marks once"
        way = f"{once}, with every reply to each answer" if side.complete and side.moves_made else once
    return way if side.complete else f"{way}, until the test stopped"


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


def _role(found: Trial, side: SideTrial) -> str:
    """Return the name of the program's side."""
    return found.board.rules.name_of(side.role)


def _names(board: Board, moves: Sequence[Cell]) -> str:
    return " ".join(move_name(board, move) for move in moves)


def _played(found: Trial) -> str:
    """Return the unit of the results."""
    return "game" if all(side.games is not None for side in found.sides) else "line"


def _percent(chance: float) -> str:
    return f"{100 * chance:.3g}%"
