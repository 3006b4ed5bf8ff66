"""`noughts count`: numbers of positions and games, under one convention, under all, or for a range of boards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from noughts._version import __version__
from noughts.counting.census import COLUMNS, Census
from noughts.counting.question import SAMENESSES, STARTS, CountedThings, Question, command_of, convention, definition
from noughts.machine.workers import silent
from noughts.present.forms import Forms, chart_forms, report_forms, table_forms
from noughts.present.report import Block, How, Look, Paragraph, Report, Table, grouped, try_next
from noughts.present.text import programs_note
from noughts.rules.arguments import path_of
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.verbs.reports import for_print
from noughts.verbs.request import (
    DATA,
    MOVES,
    PICTURES,
    Budgeted,
    Caller,
    RuledRequest,
    Shared,
    VerbAnswer,
    argument,
    option,
)

if TYPE_CHECKING:
    from pathlib import Path

    from noughts.counting.engines import Columns, Opinion
    from noughts.counting.offers import Run
    from noughts.drawing.svg import Svg
    from noughts.machine.budget import Limits

_ABOUT_GAMES = ("same", "moves", "x_moves", "o_moves", "end", "symmetry", "start", "to_ply", "starts")


@dataclass(frozen=True, kw_only=True)
class CountRequest(RuledRequest, Budgeted, Shared):
    """Number of positions and games of BOARD, or of each board in a range such as 1x1..12x12.

    Without options the answer is a table of all conventions, and its picture a tree of three questions. With --same,
    --moves, --end and the like it is one count, ply by ply, with a chart as its picture. A POLICY is a file of moves,
    or a name that noughts match accepts. It restricts a player to the moves that the policy can make.
    """

    forms = ("table", "json", *DATA, "bfile", "oeis", *PICTURES)

    board: str | Board = argument(default="3x3")
    same: str = option(
        "Games that count as the same", "labelled", choices=SAMENESSES, also={"game symmetry": "choices"}.get
    )
    moves: str = option("Allowed moves", "any", choices=MOVES, others="commands")
    x_moves: str | None = option("Rule or policy for X, if different", choices=MOVES, others="commands")
    o_moves: str | None = option("Rule or policy for O, if different", choices=MOVES, others="commands")
    symmetry: str = option("Symmetry group", "board", choices=("board", "lines"))
    start: str | None = option("Start position: X.O/.X./..O, or moves such as 'a1 b2'", name="from", metavar="POSITION")
    starts: str = option("First player on the empty board", "X", choices=STARTS)
    to_ply: int | None = option("Last ply", least=0, metavar="K")
    engine: str | None = option(
        "Counting engine", metavar="NAME", usual="the cheapest that can answer", where="commands"
    )
    columns: str = option(
        "Columns to count; games alone need less time and memory", "all", choices=("all", "games"), where="commands"
    )
    check: bool = option("Check by a second engine", False)
    explain: bool = option("Exact definition and derivation, ply by ply", False)
    column: str = option(
        "Column of bfile, oeis and ranges", "finished", choices=COLUMNS, metavar="NAME", where="commands"
    )
    resume: str | None = option("Folder for the state of long work, to resume it", metavar="DIR", where="commands")
    dry_run: bool = option("Estimate of time and memory only, also for --workers N", False, where="commands")

    @property
    def _is_range(self) -> bool:
        return ".." in str(self.board)

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        form, is_range = self.form, self._is_range
        return (
            (
                "column" in self.given and form not in ("bfile", "oeis") and not is_range,
                f"--column cannot be used with --format {form}, which has all columns: use bfile, oeis or a range",
            ),
            (
                "moves" in self.given and self.x_moves is not None and self.o_moves is not None,
                "--moves cannot be used with both --x-moves and --o-moves: remove --moves",
            ),
            (
                self.explain and self.starts != "X",
                "--explain derives only games that X starts: remove --starts; exchanging the marks gives the others",
            ),
            (
                "symmetry" in self.given and self.same == "labelled",
                "--symmetry cannot be used with --same labelled: add --same symmetry or --same choices",
            ),
            (
                self.explain and form not in ("table", "html", "json") and not is_range,
                f"--explain cannot be used with --format {form}: use table or json",
            ),
            (
                is_range and form in PICTURES,
                f"{shown(str(self.board))} is a range of boards and has no chart: name one board",
            ),
            *(
                (
                    self.dry_run and getattr(self, name),
                    f"--{name} cannot be used with --dry-run, which counts nothing: remove --{name}",
                )
                for name in ("check", "explain", "on")
            ),
            (is_range and self.dry_run, "--dry-run cannot be used with a range of boards: name one board"),
            (
                self.dry_run and form not in ("table", "html", "json", "markdown"),
                f"--dry-run cannot be used with --format {form}, which has only counts: use table, markdown or json",
            ),
            *(
                (is_range and getattr(self, name), f"--{name} cannot be used with a range of boards: name one board")
                for name in ("check", "explain")
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the census, the conventions of the board, or a census of each board of a range."""
        from noughts.counting.offers import Run

        limits = caller.limits(self.memory, self.time)
        if self.dry_run:
            from noughts.verbs import count_forecast

            expected = count_forecast.forecast(
                self._question(self.board),
                limits,
                engine=self.engine,
                columns=self._columns,
                workers=self.workers,
                progress=caller.progress,
                resume=self._folder,
            )
            return VerbAnswer(expected, count_forecast.forms(expected, caller.look, self.workers))
        run = Run(caller.workers(self.workers, self.on), caller.progress or silent)
        if self._is_range:
            from noughts.verbs import sequences

            def census(board: Board) -> Census:
                found = self._count(board, limits, run, carried=True)
                is_there = found.carried is None or getattr(found.totals, self.column) is not None
                return found if is_there else self._count(board, limits, run)

            return VerbAnswer(None, sequences.forms(str(self.board), self.column, census, caller.look))
        chosen = {*_ABOUT_GAMES, "engine", "columns", "column", "explain", "check", "resume"} & self.given
        if not chosen and self.form not in ("bfile", "oeis"):
            from noughts.verbs import conventions

            known = conventions.survey(Board.parse(self.board), limits, run)
            return VerbAnswer(known, conventions.forms(known, caller.look))
        from noughts.counting.engines import quick_second_opinion, second_opinion

        is_short = self.form in ("table", "html", "json") and not (self.check or self.explain)
        found, second = self._count(self.board, limits, run, carried=is_short), None
        show = partial(forms, look=caller.look, column=self.column, explain=self.explain)
        is_named = self.form in ("table", "html") and self.engine is None and found.carried is None
        try:
            if self.check:
                second = second_opinion(found, limits, run)
            elif is_named:  # the report names an engine that is quick
                second = quick_second_opinion(found, limits)
        except BudgetError as error:
            problem = error

            def refuse() -> int:
                raise problem  # the count is printed although no second engine confirms it

            return VerbAnswer((found, None), show(found), refuse)
        return VerbAnswer((found, second), show(found, second=second))

    @property
    def _columns(self) -> Columns:
        return "games" if self.columns == "games" else "all"

    @property
    def _folder(self) -> Path | None:
        return path_of("--resume", self.resume) if self.resume else None

    def _question(self, board: str | Board) -> Question:
        from noughts.analysis.policies.counted import ask

        return ask(board, **{name: getattr(self, name) for name in _ABOUT_GAMES})

    def _count(self, board: str | Board, limits: Limits, run: Run, *, carried: bool = False) -> Census:
        from noughts.counting.engines import answer

        return answer(
            self._question(board),
            engine=self.engine,
            columns=self._columns,
            limits=limits,
            workers=run.workers,
            progress=run.progress,
            resume=self._folder,
            carried=carried,
        )


_HEADINGS = {
    "ply": "ply",
    "positions": "positions",
    "terminal": "terminal",
    "terminal_x": "won by X",
    "terminal_o": "won by O",
    "terminal_draw": "drawn",
    "paths": "paths",
    "finished": "finished",
    "x_wins": "X wins",
    "o_wins": "O wins",
    "draws": "draws",
}
_FEW_CELLS, _LISTED_CELLS = 16, 9
"""Cells up to which games by choices are counted, and classes listed, in seconds."""


def census_table(census: Census, form: str = "table") -> Table:
    """Return the table by ply; `csv` has no totals, and its headings are the column names of files."""
    columns = [name for name in _HEADINGS if name != "ply"]
    rows = [[str(row.ply), *(grouped(getattr(row, column)) for column in columns)] for row in census.plies]
    if form == "csv":
        return Table(list(_HEADINGS), rows)
    totals = ["all", *(grouped(getattr(census.totals, column)) for column in columns)]
    headings = list(map(census.question.board.rules.labelled, _HEADINGS.values()))
    if census.question.same != "labelled" and form != "table":
        headings[1] = "classes"
    return Table(headings, [*rows, totals])


def headline(census: Census) -> str:
    """Return the answer in words: games, or position classes if the games are unknown."""
    question, totals = census.question, census.totals
    if totals.finished is None:
        clause = convention(question, of="positions")
        return f"{question.board}: {grouped(totals.positions)} position classes ({clause})."
    clause = convention(question)
    x, o = question.board.rules.players
    split = f"{grouped(totals.x_wins)} won by {x}, {grouped(totals.o_wins)} won by {o}, {grouped(totals.draws)} drawn"
    answer = f"{totals.finished:,} game{'s' * (totals.finished != 1)} ({clause}): {split}."
    if is_cut(census):
        last = census.plies[-1]
        plies = f"{last.ply} pl{'y' if last.ply == 1 else 'ies'}"
        are = "game is" if totals.finished == 1 else "games are"
        over = f"{totals.finished:,} {are} over by then: {split}" if totals.finished else "no game is over by then"
        answer = f"{grouped(last.paths)} partial game{'s' * (last.paths != 1)} of {plies} ({clause}); {over}."
    if totals.positions is None:
        return f"{question.board}: {answer}"
    one, many = ("position", "positions") if question.same == "labelled" else ("position class", "position classes")
    return f"{question.board}: {answer} {totals.positions:,} {one if totals.positions == 1 else many}."


def is_cut(census: Census) -> bool:
    """Return whether `to_ply` cuts off games that continue."""
    if not census.plies:
        return False
    last = census.plies[-1]
    return census.question.to_ply is not None and last.paths != last.finished


def forms(
    census: Census, look: Look, *, column: str = "finished", explain: bool = False, second: Opinion | None = None
) -> Forms:
    """Return the census in every form; `column` is the column of bfile and oeis."""

    def record() -> dict[str, Any]:
        checked = {"checked_columns": second.columns, "checked_by": second.engine} if second else {}
        slipped = {"slips": list(slips)} if (slips := slips_of(census)) else {}
        return census.as_dict() | checked | (_derivation(census) if explain else {}) | slipped

    def chart() -> Svg:
        from noughts.drawing.figures import census_chart

        return census_chart(census, look.theme)

    return {
        **report_forms(lambda: report(census, explain=explain, second=second), record, look),
        **table_forms(
            lambda form: [census_table(census, form)],
            lambda: f"{census.question.board}: {convention(census.question)}. noughts {__version__}",
        ),
        "bfile": lambda: "".join(
            f"{row.ply} {term}\n" for row, term in zip(census.plies, _terms(census, column), strict=True)
        ),
        "oeis": lambda: _oeis(census, column),
        **chart_forms(chart, look=look),
    }


def _terms(census: Census, column: str) -> list[int]:
    terms = [count for count in census.column(column) if count is not None]
    if len(terms) < len(census.plies):
        raise InputError(
            f"the engine {census.engine} cannot count the column {column}: remove --engine or name another"
        )
    return terms


def _oeis(census: Census, column: str) -> str:
    from noughts.verbs.sequences import board_in_words, draft_text, sequence_name

    question, terms = census.question, _terms(census, column)
    what = f"{sequence_name(column, question.same)} at ply n on {board_in_words(question.board)}"
    command = f"{command_of(question)} --column {column} --format bfile"
    engines, finite = [census.engine] * len(terms), question.to_ply is None
    of: CountedThings = "positions" if column.startswith(("positions", "terminal")) else "games"
    name = f"{what}: {convention(question, of=of, starter=True)}"
    return draft_text(name, terms, census.plies[0].ply, command, engines, finite=finite)


def report(census: Census, *, explain: bool = False, second: Opinion | None = None) -> Report:
    """Return the report of a census."""
    return Report.of(
        [headline(census)],
        [f"Exactly: {definition(census.question)}.", *_derived(census)] if explain else [],
        [census_table(census)] if census.plies else [],
        list(slips_of(census)),
        [] if is_cut(census) else for_print(census.question, census.totals.finished),
        [How(how_we_know(census, second)), try_next(*_next_commands(census, explained=explain))],
    )


def slips_of(census: Census) -> tuple[str, ...]:
    """Return the slips in the writings about the games that go on from this start, in sentences."""
    question = census.question
    if question.start is None or not question.is_free or question.end != "line":
        return ()
    from noughts.analysis.meanings.known import slips_about

    return slips_about("count", question.board, question.position())


def _derivation(census: Census) -> dict[str, Any]:
    from noughts.counting.derivation import derivation, sums

    steps, whole = derivation(census), sums(census)
    return {"derivation": [step.as_dict() for step in steps], "sums": [each.as_dict() for each in whole]}


def _derived(census: Census) -> list[Block]:
    from noughts.counting.derivation import derivation, sums

    blocks: list[Block] = []
    for part in (*derivation(census), *sums(census)):
        blocks.append(Paragraph(part.heading, "  "))
        blocks += [Paragraph("  " + line, " " * (len(line) - len(line.lstrip()) + 4)) for line in part.lines]
    return blocks


def how_we_know(census: Census, second: Opinion | None) -> str:
    """Return which engines counted, whether they agree, and which laws the numbers satisfy."""
    if census.carried is not None:
        return f"the package carries these numbers: the engine {census.engine} counted {census.carried.found}."
    laws = "the outcomes add up"
    if census.question.same == "labelled" and census.question.is_free and census.question.board.rules.is_marking:
        games = "the games, finished or open," if is_cut(census) else "the finished games"
        laws += f" and {games} account for every way to fill the board"
    agree = f"counted by the engine {census.engine}"
    if second:
        agree = f"the engines {census.engine} and {second} agree {second.about}".rstrip()
    tables = (census.question.x_plays, census.question.o_plays)
    return f"{agree}; {laws}.{programs_note(*(table.name for table in tables if table is not None))}"


def _next_commands(census: Census, *, explained: bool) -> list[str]:
    """Return commands for the derivation, or after it for what it adds up or the games by choices; all conventions."""
    question = census.question
    command, conventions = command_of(question), f"noughts count {question.board}"
    if census.carried is not None:
        return [f"{command} --engine {census.engine} --resume DIR", conventions]
    if not explained:
        further = (
            f"{command} --explain" if question.starts == "X" else command.replace(f" --starts {question.starts}", "")
        )
        return [further, conventions]
    if question == Question(question.board, "choices") and question.board.cells <= _LISTED_CELLS:
        ways = "select position, ply, ways_by_choices from classes where terminal"
        return [f"noughts query {question.board} '{ways}'", conventions]
    alike = command.replace("--same labelled", "--same choices")
    return [alike, conventions] if alike != command and question.board.cells <= _FEW_CELLS else [conventions]
