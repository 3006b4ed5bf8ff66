"""`noughts evaluate`: the value of one bot in each role, its best response, and its blunders."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noughts.analysis.policies.policy import BEST
from noughts.bots.assessment import Assessment, LikelyBlunder, RoleAssessment, evaluate
from noughts.present.forms import Forms, report_forms, table_forms
from noughts.present.report import Block, How, Look, Report, Table, try_next
from noughts.present.text import programs_note
from noughts.rules.board import Board
from noughts.rules.errors import InputError
from noughts.rules.marks import Outcome
from noughts.rules.position import format_start
from noughts.rules.values import decimal, percentage
from noughts.verbs.match import board_and_bots, bot, word_of
from noughts.verbs.request import DATA, Caller, FromPosition, VerbAnswer, argument, from_option, option


@dataclass(frozen=True, kw_only=True)
class EvaluateRequest(FromPosition):
    """Exact value of BOT in each role, its blunders, and the result of a best response.

    BOT is any policy of noughts match: a name such as block, a file ending in .json, genome:... or program:COMMAND.
    NAME=BOT gives the bot a name in the answer, as in mine=bot.json.
    """

    forms = ("table", "json", *DATA)

    bot: tuple[str, ...] = argument("[BOARD] BOT")
    board: str | Board | None = option("Board, which can also be the first argument", metavar="BOARD", usual="3x3")
    as_: str = option("Role of the bot", "both", choices=("X", "O", "both"))
    against: str = option("Opponent", "random", metavar="POLICY")

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the assessment."""
        on, named = board_and_bots(self.bot, self.board)
        if len(named) != 1:
            given = "no bot is" if not named else f"{len(named)} bots are"
            raise InputError(f"{given} given: name one bot, or use noughts match for several")
        one, other = bot(on, named[0]), bot(on, self.against)
        found = evaluate(on, one, self.start, against=other, **self.parts("as_", "limit"))
        return VerbAnswer(found, forms(found, caller.look))


_SHOWN = 8
"""Most blunders of a role in a report; other forms have all."""
_SHORT = 24
"""Most characters of a fraction in a report."""


def forms(found: Assessment, look: Look) -> Forms:
    """Return an assessment in every form: CSV has the chances, Markdown and LaTeX have the blunders too."""

    def tables(form: str) -> list[Table]:
        blunders = [_blunders(each) for each in found.roles if each.blunders]
        return [_chances(found)] if form == "csv" else [_chances(found), *blunders]

    def caption() -> str:
        none = [_no_blunder(found, each) for each in found.roles if not each.blunders]
        return " ".join([*sentences(found), *none])

    return {**report_forms(lambda: report(found), found.as_dict, look), **table_forms(tables, caption)}


def report(found: Assessment) -> Report:
    """Return the report on one bot."""
    return Report.of(
        sentences(found),
        [_chances(found, _SHORT)],
        *[_conduct(found, each) for each in found.roles],
        [
            How(
                "noughts match gives the same chances, in exact fractions. Guaranteed is the value against the best "
                "response. Exploitability is the value of the game minus that. A blunder is a move that makes the "
                "outcome under best play worse for its player. The blunder rate is the share of blunders in its moves."
                f"{programs_note(found.policy, found.against)}"
            ),
            *([try_next(*commands)] if (commands := _next(found)) else []),
        ],
    )


def sentences(found: Assessment) -> list[str]:
    """Return the answer in words: whether the bot can lose, and its value in each role."""
    lines = [f"{found.board}{format_start(found.start)}: {found.policy} {_losing(found)}."]
    for each in found.roles:
        guarantee = f"{_number(each.guaranteed)} against its best response"
        known = f"where the game's value is {each.game_value}" if each.exploitability else "the value of the game"
        lines.append(
            f"As {found.called(each)} its value is {_number(each.value)} against {found.against} and {guarantee}, "
            f"{known}."
        )
    if found.nash_conv is not None:
        lines.append(f"Its exploitabilities sum to {_number(found.nash_conv)}, its NashConv.")
    return lines


def _losing(found: Assessment) -> str:
    """Return whether the bot can be beaten, and the greatest chance of it."""
    beaten = [each for each in found.roles if not each.never_loses]
    safe = [found.called(each) for each in found.roles if each.never_loses]
    if not beaten:
        return f"never loses{f' as {safe[0]}' if len(safe) == 1 else ''} against any opponent"
    words = " and ".join(
        f"as {found.called(each)} with a chance of up to {_chance(each.greatest_loss)}" for each in beaten
    )
    return f"can be beaten {words}{''.join(f'; as {player} it never loses' for player in safe)}"


def _chance(chance: Fraction) -> str:
    return percentage(chance) if len(str(chance)) > _SHORT else f"{chance} ({percentage(chance)})"


def _number(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value)
    about = f"about {decimal(value, 4)}"
    return about if len(str(value)) > _SHORT else f"{value} ({about})"


def _chances(found: Assessment, longest: int | None = None) -> Table:
    """Return a row for each role; longer fractions are rounded."""

    def exact(value: Fraction) -> str:
        return str(value) if longest is None or len(str(value)) <= longest else decimal(value, 6)

    rows = [
        [
            found.board.rules.labels[each.player == "O"],
            *(exact(chance) for chance in (each.win, each.draw, each.loss)),
            *(exact(value) for value in (each.value, each.guaranteed, each.exploitability)),
            exact(each.blunder_rate),
        ]
        for each in found.roles
    ]
    headings = ["as", "wins", "draws", "losses", "value", "guaranteed", "exploitability", "blunder rate"]
    return Table(headings, rows, frozenset({0}))


def _conduct(found: Assessment, role: RoleAssessment) -> list[Block | str]:
    """Return how often the bot blunders in one role, and where."""
    if not role.blunders:
        return [_no_blunder(found, role)]
    games = f"As {found.called(role)} against {found.against}"
    rate, number = percentage(role.blunder_rate), len(role.blunders)
    shown = f"the likeliest {_SHOWN} of {number:,}" if number > _SHOWN else "the only one" if number == 1 else "all"
    often = f"{decimal(role.blunders_a_game, 4)} a game"
    return [
        f"{games} {rate} of its moves give value away, {often}; {shown}, by their chance in a game:",
        _blunders(role, _SHOWN),
    ]


def _no_blunder(found: Assessment, role: RoleAssessment) -> str:
    """Return why a role has no blunders."""
    games = f"As {found.called(role)} against {found.against}"
    if not role.moves:
        return f"{games} it never has a move."
    return f"{games} it makes no blunder: none of its moves gives value away."


def _blunders(role: RoleAssessment, most: int | None = None) -> Table:
    name = role.blunders[0].position.board.rules.name_of(role.player)
    rows = [
        [
            str(each.position),
            str(each.cell),
            percentage(each.chance),
            f"{_outcome(each, each.before)} to {_outcome(each, each.after)}",
        ]
        for each in role.blunders[:most]
    ]
    headings = [f"position, {name} to move", "move", "chance", "value"]
    return Table(headings, rows, frozenset({0, 1, 3}))


def _outcome(blunder: LikelyBlunder, outcome: Outcome) -> str:
    """Return an outcome from the viewpoint of the player who blunders."""
    if outcome == "draw":
        return "draw"
    return "win" if outcome == blunder.position.to_move else "loss"


def _next(found: Assessment) -> list[str]:
    start, bot = from_option(found.start), word_of(found.policy)
    if bot is None:
        return []
    against = [] if found.against == BEST else [f"noughts evaluate {bot} --board {found.board}{start} --against {BEST}"]
    return [*against, f"noughts match {found.board}{start} --x {bot} --o {BEST}"]
