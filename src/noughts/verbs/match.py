"""`noughts match`: exact results of every pair of bots, both ways, or of one pair."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from noughts.analysis.explain.wording import listed
from noughts.analysis.payoff.playout import Match, players_of, versus
from noughts.analysis.payoff.sampling import SampledMatch, sampled_match
from noughts.analysis.policies.policy import BEST, GRADES, POLICIES, RememberingPolicy
from noughts.analysis.policies.reading import PolicyLike, policy
from noughts.bots.crosstable import CrossTable, Standing, match
from noughts.present.forms import Forms, chart_forms, report_forms, table_forms
from noughts.present.report import How, Look, Report, Table, narrowed, try_next
from noughts.present.text import programs_note
from noughts.rules.board import ENDING, Board, begins_with_name
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.game import LISTED_CLASSES, class_bound
from noughts.rules.marks import OUTCOMES
from noughts.rules.position import Position, format_start
from noughts.rules.values import decimal, percentage
from noughts.verbs.request import (
    DATA,
    PICTURES,
    Caller,
    FromPosition,
    VerbAnswer,
    argument,
    from_option,
    option,
    place,
    read_board,
    writable,
)

if TYPE_CHECKING:
    from noughts.drawing.svg import Svg


@dataclass(frozen=True, kw_only=True)
class MatchRequest(FromPosition):
    """Exact chances of every pair of bots, in both roles, and the bots that are never beaten.

    A BOT is a policy: random, win, block, fork, perfect, quickest, concede, trap:random, trap:block, easy, medium,
    hard, a file ending in .json, genome:..., program:COMMAND, or best, the best response to each of the others.
    NAME=BOT gives the bot a name in the answer, as in mine=bot.json. With --x and --o the answer is about one pair in
    these roles.
    """

    forms = ("table", "json", *DATA, *PICTURES, "text")

    bots: tuple[str, ...] = argument("[BOARD] BOT BOT...", ())
    board: str | Board | None = option(
        "Board, which can also be the first argument", metavar="BOARD", usual="3x3", where="commands"
    )
    x: str | None = option("Bot with X, for one pair", metavar="BOT", usual="random")
    o: str | None = option("Bot with O, for one pair", metavar="BOT", usual="random")
    save: str | None = option(
        "File for the best response as a policy, with --x best or --o best", metavar="FILE.json", where="commands"
    )
    games: int | None = option(
        "Number of games of a running score, with --x and --o", least=1, metavar="N", where="commands"
    )
    swap: bool = option("Roles exchanged after each game, with --games", False, where="commands")
    sample: int | None = option(
        "Number of sampled games, for an estimate, with --x and --o", least=1, metavar="N", where="commands"
    )
    seed: str = option("Random seed, with --sample", "0", metavar="TEXT", where="commands")

    @property
    def _is_pair(self) -> bool:
        return self.x is not None or self.o is not None

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        return (
            *(
                (given is not None and not self._is_pair, f"--{name} needs one pair of bots: add --x and --o")
                for name, given in (("save", self.save), ("games", self.games), ("sample", self.sample))
            ),
            ("seed" in self.given and self.sample is None, "--seed needs a sample: add --sample N"),
            (
                self.sample is not None and (self.games is not None or self.save is not None),
                "--sample cannot be used with --games or --save: remove one of them",
            ),
            (self.swap and self.games is None, "--swap needs a running score: add --games N"),
            (
                self.form in (*PICTURES, "text") and not self._is_pair,
                f"--format {self.form} needs one pair of bots: add --x and --o",
            ),
            (
                self.games is not None and (self.save is not None or self.form == "text"),
                "--games cannot be used with --save or --format text: remove one of them",
            ),
            (
                self.save is not None and BEST not in (self.x, self.o),
                "--save writes a best response: add --x best or --o best",
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the cross table of the bots, or the result of one pair."""
        on, named = board_and_bots(self.bots, self.board)
        if not self._is_pair:
            table = match(on, [bot(on, each) for each in named], self.start, limit=self.limit, progress=caller.progress)
            return VerbAnswer(table, forms(table, caller.look))
        if named:
            raise InputError("--x and --o name the only pair of bots: remove the other bots")
        path, sides = writable(self.save, policy=True), {"x": self.x or "random", "o": self.o or "random"}
        if self.games is not None:
            from noughts.analysis.payoff.fairness import running_score
            from noughts.verbs.payoff import running_forms

            score = running_score(on, self.start, games=self.games, swap=self.swap, limit=self.limit, **sides)
            return VerbAnswer(score, running_forms(score, caller.look))
        if self.sample is not None:
            drawn = sampled_match(on, self.start, **sides, games=self.sample, seed=self.seed, progress=caller.progress)
            return VerbAnswer(drawn, sample_forms(drawn, caller.look))
        try:
            found = versus(on, self.start, limit=self.limit, progress=caller.progress, **sides)
        except BudgetError as error:
            if BEST in sides.values():
                raise
            raise BudgetError(f"{error}, or add --sample 10000 for an estimate") from None
        if path is not None:
            if found.response is None:
                raise BudgetError(f"the best response on {on} has too many positions for a file: remove --save")
            caller.write(path, found.response.as_dict(found.board))
        return VerbAnswer(found, versus_forms(found, caller.look))


_BOARD = re.compile(r"\d+\s*([x×✕✖*]|by)\s*\d+[^.]*", re.IGNORECASE)
_NAMED = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.-]{0,39})=(.+)", re.DOTALL)


def board_and_bots(words: Sequence[str], board: Board | str | None) -> tuple[Board, list[str]]:
    """Return the board, from --board or the first word, 3x3 by default, and the other words.

    Raises InputError if the board is given twice.
    """
    rest = list(words)
    first = rest[0].lower() if rest else ""
    if _BOARD.fullmatch(first) or begins_with_name(first) or first.endswith(ENDING):
        if board is not None:
            raise InputError(f"the board is given twice, as {shown(rest[0])} and as --board {board}: give it once")
        board = rest.pop(0)
    if isinstance(board, str) and board.lower().endswith(ENDING):
        return read_board(board), rest
    return Board.parse(board or "3x3"), rest


def bot(board: Board, given: str) -> PolicyLike:
    """Return the policy of BOT or NAME=BOT; a name has letters, digits, `-`, `_` and `.`.

    Raises InputError for the name of another policy.
    """
    named = _NAMED.fullmatch(given)
    if named is None:
        return given
    name, rule = named.groups()
    if name.lower() in (*POLICIES, *GRADES, BEST, "any") or name.lower().endswith(".json"):
        raise InputError(f"{shown(given)} gives a bot the name of a policy: use another name, as in mine={shown(rule)}")
    if rule == BEST:
        raise InputError(f"{shown(given)} names best, whose play differs for each opponent: write best")
    return RememberingPolicy(policy(board, rule), name)


def word_of(name: str) -> str | None:
    """Return the argument for a bot of this name in a command, None if there is none."""
    known = name in (*POLICIES, *GRADES, BEST) or name.startswith("program:")
    text = name.startswith("genome:") or name.endswith(".json")
    return shlex.quote(name) if known or (text and " (" not in name) else None


# Two policies against each other: exact probabilities, and the best response.


def versus_forms(found: Match, look: Look) -> Forms:
    """Return a match in every form."""
    return {
        **report_forms(lambda: versus_report(found), found.as_dict, look),
        **table_forms(lambda form: versus_report(found).tables),
        **chart_forms(lambda: _chart(found, look.theme), look=look),
        "text": lambda: "".join(f"{end} {chance}\n" for end, chance in _shares(found)),
    }


def _chart(found: Match, theme: str) -> Svg:
    from noughts.drawing.figures import match_chart

    return match_chart(found, theme)


def versus_report(found: Match) -> Report:
    """Return the report on a match."""
    board = found.board
    first, second = board.rules.players
    sentences = [
        f"{board}{format_start(found.start)}, {first} {found.x} against {second} {found.o}: {_chances(found)}."
    ]
    if found.best_response:
        sign = 1 if found.best_response == "X" else -1
        value = f"{sign * found.value}, its chance to win minus its chance to lose"
        sentences.append(f"The best response of {board.rules.name_of(found.best_response)} has the value {value}.")
    rows = [[end, str(chance), percentage(chance, 4)] for end, chance in _shares(found)]
    return Report.of(
        sentences,
        [Table(["outcome", "probability", "percent"], rows, frozenset({0}))],
        [
            How(
                "one recursion over all positions that the policies reach, in exact fractions."
                f"{programs_note(found.x, found.o)}"
            ),
            try_next(_other_match(found), f"noughts tree {board} --kind policy --x perfect --o random --depth 3"),
        ],
    )


def _ends(board: Board) -> list[str]:
    """Return the endings in the words of a table: X wins, O wins, draw."""
    return [*(f"{label} wins" for label in board.rules.labels), "draw"]


def _shares(found: Match) -> list[tuple[str, Fraction]]:
    return list(zip(_ends(found.board), (found.x_wins, found.o_wins, found.draws), strict=True))


def sample_forms(found: SampledMatch, look: Look) -> Forms:
    """Return a sample in every form."""
    return {
        **report_forms(lambda: sample_report(found), found.as_dict, look),
        **table_forms(lambda form: sample_report(found).tables),
        "text": lambda: "".join(
            f"{end} {found.ended[outcome]}\n" for end, outcome in zip(_ends(found.board), OUTCOMES, strict=True)
        ),
    }


def sample_report(found: SampledMatch) -> Report:
    """Return the report on a sample: shares of the games, with their errors, called estimates."""
    board, games = found.board, found.games
    start = from_option(found.start)
    rows = [
        [
            end,
            f"{found.ended[outcome]:,}",
            percentage(Fraction(found.ended[outcome], games)),
            f"{100 * found.errors[outcome]:.2f}",
        ]
        for end, outcome in zip(_ends(board), OUTCOMES, strict=True)
    ]
    x, o = (word_of(name) or "BOT" for name in (found.x, found.o))
    first, second = board.rules.players
    sides = f"{board}{start.replace(' --', ' ')}, {first} {found.x} against {second} {found.o}"
    won = f"{first} won {rows[0][2]}, {second} won {rows[1][2]}, and {rows[2][2]} were drawn"
    return Report.of(
        [f"{sides}, an estimate: of {games:,} sampled games, {won}."],
        [Table(["outcome", "games", "share", "+- points"], rows, frozenset({0}))],
        [
            How(
                f"a sample of games with the seed {found.seed}, not exact. The last column has half the width of "
                f"the 95% interval (Wilson), in percentage points.{programs_note(found.x, found.o)}"
            ),
            try_next(f"noughts match {board}{start} --x {x} --o {o} --sample {4 * games}"),
        ],
    )


def _chances(found: Match) -> str:
    """Return the probabilities in words, 0 and 1 without a number."""
    players = found.board.rules.players
    chances = dict(zip((*players, "draw"), (found.x_wins, found.o_wins, found.draws), strict=True))
    sure = next((end for end, chance in chances.items() if chance == 1), None)
    if sure is not None:
        return "every game is a draw" if sure == "draw" else f"{sure} always wins"
    parts = [f"{player} wins with probability {chances[player]}" for player in players if chances[player]]
    parts[1:] = [words.replace("wins with probability", "with") for words in parts[1:]]
    if found.draws:
        parts.append(f"and the game is drawn with probability {found.draws}")
    elif len(parts) == 2:
        return f"{parts[0]} and {parts[1]}; no game is drawn"
    never = [f"; {player} never wins" for player in players if not chances[player]]
    return ", ".join(parts) + "".join(never)


def _other_match(found: Match) -> str:
    """Return a command for another match, with a best response."""
    x, o = ("random", "best") if found.x == "best" else ("best", "random" if found.o == "best" else found.o)
    return f"noughts match {found.board}{_at(found.start, x, o)} --x {x} --o {o}"


def _at(start: Position, *names: str) -> str:
    """Return `place` for a match of these bots: without --limit where arrays give its chances."""
    if class_bound(start) > LISTED_CLASSES and all(name in (*POLICIES, *GRADES, BEST) for name in names):
        from noughts.analysis.payoff.layerplay import has_layers  # it imports NumPy, which small boards do not need

        if has_layers(start.board, list(players_of(start.board, *names).values())):
            return from_option(start)
    return place(start)


# All bots: the table of pairs, the standings, the bots that are never beaten, and the results of pairs.

_IN_FRACTIONS = [0, 1, 2, 4, 6]
"""The columns for programs, without percentages."""
_SHORT = 24
"""Most characters of a fraction in a report."""


def forms(found: CrossTable, look: Look) -> Forms:
    """Return a match in every form: CSV has the pairs in fractions, Markdown and LaTeX have the standings too."""

    def tables(form: str) -> list[Table]:
        pairs = _pairs(found)
        return [narrowed(pairs, _IN_FRACTIONS)] if form == "csv" else [pairs, _standings(found)]

    return {**report_forms(lambda: report(found), found.as_dict, look), **table_forms(tables, lambda: _headline(found))}


def report(found: CrossTable) -> Report:
    """Return the report on a match."""
    return Report.of(
        [_headline(found), _never_beaten(found)],
        [_standings(found)],
        [_pairs(found, _SHORT)],
        [_beats(found)],
        [
            How(
                "one recursion for each pair over all positions that the two reach, in exact fractions without "
                "sampling. A win is one point, a draw half a point."
                f"{programs_note(*found.bots)}"
            ),
            try_next(*_next(found)),
        ],
    )


def _headline(found: CrossTable) -> str:
    first = found.standings[0]
    level = [each.name for each in found.standings if each.points == first.points]
    points = str(first.points) if first.points.denominator <= 2 else f"about {decimal(first.points, 4)}"
    lead = f"{level[0]} comes first with" if len(level) == 1 else f"{listed(level)} come first, each with"
    where = f"{found.board}{format_start(found.start)}"
    return f"{where}, {len(found.bots)} bots, every pair both ways: {lead} {points} of {first.games} points."


def _never_beaten(found: CrossTable) -> str:
    never = [each.name for each in found.standings if each.never_beaten]
    parts = [f"{_is(never)} never beaten in this match" if never else "Every bot can be beaten in this match"]
    once = [each for each in found.standings if not each.never_beaten]
    as_x, as_o = ([each.name for each in once if getattr(each, f"never_beaten_as_{side}")] for side in "xo")
    for role, names in zip(found.board.rules.players, (as_x, as_o), strict=True):
        if names:
            parts.append(f"{_is(names)} never beaten as {role} only")
    return "; ".join(parts) + "."


def _is(names: list[str]) -> str:
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'}"


def _beats(found: CrossTable) -> str:
    order = [each.name for each in found.standings]
    parts = [f"{name} beats {listed(list(others))}" for name in order if (others := found.beats(name))]
    level = [
        f"{a} and {b}"
        for (a, b), margin in found.margins.items()
        if not margin and (found.bots.index(a) < found.bots.index(b))
    ]
    parts += [f"{both} are level" for both in level]
    return f"Two games for each pair, by wins minus losses: {'; '.join(parts)}."


def _pairs(found: CrossTable, longest: int | None = None) -> Table:
    """Return the pairs as a table; longer fractions are replaced by dots."""

    def exact(chance: Fraction) -> str:
        text = str(chance)
        return text if longest is None or len(text) <= longest else "..."

    rows = []
    for pair in found.pairs:
        chances = (pair.x_wins, pair.draws, pair.o_wins)
        rows.append([pair.x, pair.o, *(text for chance in chances for text in (exact(chance), percentage(chance)))])
    x, o = found.board.rules.labels
    headings = [x, o, f"{x} wins", f"{x} wins %", "draws", "draws %", f"{o} wins", f"{o} wins %"]
    return Table(headings, rows, frozenset({0, 1}))


def _standings(found: CrossTable) -> Table:
    x, o = found.board.rules.labels

    def yes(each: Standing) -> str:
        if each.never_beaten:
            return "never"
        return f"never as {x}" if each.never_beaten_as_x else f"never as {o}" if each.never_beaten_as_o else "yes"

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
    return Table(headings, rows, frozenset({0, 6}))


def _next(found: CrossTable) -> list[str]:
    start = from_option(found.start)
    named = [word for each in found.standings if each.name != BEST and (word := word_of(each.name))]
    words = [word for name in found.bots if (word := word_of(name))]
    is_listed = class_bound(found.start) <= LISTED_CLASSES
    usable = len(words) == len(found.bots) and BEST not in found.bots
    return [
        *([f"noughts match {found.board}{start} {' '.join(words)} {BEST}"] if usable else []),
        *([f"noughts evaluate {named[0] if named else 'block'} --board {found.board}{start}"] if is_listed else []),
    ]
