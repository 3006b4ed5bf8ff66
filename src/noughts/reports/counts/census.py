"""What a census says: the answer first, in words, then the table, how we know, and what to try next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noughts._version import __version__
from noughts.counting.census import COLUMNS, Census
from noughts.counting.words import convention
from noughts.domain.errors import InputError
from noughts.reports.counts.drafts import Draft, draft_text
from noughts.reports.counts.sequences import asked, board_in_words, sequence_name
from noughts.reports.forms import Forms, chart_forms, report_forms, table_forms
from noughts.reports.page import Block, How, Look, Paragraph, Report, try_next
from noughts.reports.programs import programs_told
from noughts.reports.tables import Table, grouped

if TYPE_CHECKING:
    from noughts.counting.witness import Opinion
    from noughts.drawing.svg import Svg

__all__ = [
    "asked",
    "census_table",
    "forms",
    "headline",
    "how_we_know",
    "record",
    "report",
]

_HEADINGS = {
    "ply": "ply",
    "positions": "positions",
    "terminal_positions": "terminal",
    "terminal_x": "won by X",
    "terminal_o": "won by O",
    "terminal_draw": "drawn",
    "paths": "paths",
    "finished": "finished",
    "x_wins": "X wins",
    "o_wins": "O wins",
    "draws": "draws",
}

_FEW_CELLS = 16
"""Boards of no more cells have their games by choices in seconds."""
_OUTCOMES = ("x_wins", "o_wins", "draws")
_NARROWER = tuple(
    tuple(list(_HEADINGS).index(name) for name in names)
    for names in (
        ("ply", "positions", "terminal_positions", "paths", "finished", *_OUTCOMES),
        ("ply", "positions", "paths", "finished", *_OUTCOMES),
        ("ply", "positions", "terminal_positions", "paths", "finished"),
        ("ply", "positions", "finished"),
    )
)
"""The columns that are shown where a terminal is narrow, and where it is narrower still."""


def record(census: Census, *, explain: bool = False, second: Opinion | None = None) -> dict[str, Any]:
    """Return the census as a record, with the derivation and the second engine if there are any."""
    found = census.as_dict()
    if second is not None:
        found["checked_columns"] = second.columns
        found["checked_by"] = second.engine
    if explain:
        from noughts.counting.derivation import derivation

        found["derivation"] = [step.as_dict() for step in derivation(census)]
    return found


def census_table(census: Census, *, totals: bool = True, names: bool = False, classes: bool = False) -> Table:
    """Return the per-ply table; with `names` under the names of the columns in files.

    `classes`: what is counted up to symmetry is headed so.
    """
    rows = [[str(row.ply), *(grouped(getattr(row, column)) for column in COLUMNS)] for row in census.plies]
    if totals:
        rows.append(["all", *(grouped(getattr(census.totals, column)) for column in COLUMNS)])
    headings = ["ply", *COLUMNS] if names else list(_HEADINGS.values())
    if classes and census.question.same != "labelled":
        headings = ["classes" if heading == "positions" else heading for heading in headings]
    return Table(headings, rows, narrower=_NARROWER)


def headline(census: Census) -> str:
    """Return the answer in words: games, or positions where the games cannot be had."""
    question, totals = census.question, census.totals
    said = convention(question)
    if totals.finished is None:
        return f"{question.board}: {grouped(totals.positions)} position classes ({said})."
    games = f"{totals.finished:,} {'game' if totals.finished == 1 else 'games'}"
    split = f"{grouped(totals.x_wins)} won by X, {grouped(totals.o_wins)} won by O, {grouped(totals.draws)} drawn"
    answer = f"{question.board}: {games} ({said}): {split}."
    if _is_cut(census):
        answer = f"{question.board}: {_cut_short(census)}"
    if totals.positions is None:
        return answer
    kind = "position" if question.same == "labelled" else "position class"
    kind += "" if totals.positions == 1 else "s" if question.same == "labelled" else "es"
    return f"{answer} {totals.positions:,} {kind}."


def _is_cut(census: Census) -> bool:
    """Return whether games go on beyond the last row, because no more plies were asked for."""
    last = census.plies[-1]
    return census.question.to_ply is not None and last.paths != last.finished


def _cut_short(census: Census) -> str:
    """Return what a census says whose games go on: the paths of its last ply, and the games that are over by then."""
    last, totals = census.plies[-1], census.totals
    assert totals.finished is not None
    paths = (
        f"{grouped(last.paths)} partial game{'s' * (last.paths != 1)} of {last.ply} pl{'y' if last.ply == 1 else 'ies'}"
    )
    said = f"{paths} ({convention(census.question)})"
    if not totals.finished:
        return f"{said}; no game is over by then."
    split = f"{grouped(totals.x_wins)} won by X, {grouped(totals.o_wins)} won by O, {grouped(totals.draws)} drawn"
    are = "game is" if totals.finished == 1 else "games are"
    return f"{said}; {totals.finished:,} {are} over by then: {split}."


def forms(
    census: Census, look: Look, *, column: str = "finished", explain: bool = False, second: Opinion | None = None
) -> Forms:
    """Return the census in every form; `column` is that of bfile and oeis."""

    def tables(form: str) -> list[Table]:
        return [census_table(census, totals=form != "csv", names=form == "csv", classes=form != "csv")]

    def chart() -> Svg:
        from noughts.drawing.figures import census_chart

        return census_chart(census, look.theme)

    return {
        **report_forms(
            lambda: report(census, explain=explain, second=second),
            lambda: record(census, explain=explain, second=second),
            look,
        ),
        **table_forms(tables, lambda: f"{census.question.board}: {convention(census.question)}. noughts {__version__}"),
        "bfile": lambda: _bfile(census, column),
        "oeis": lambda: _oeis(census, column),
        **chart_forms(chart, look=look),
    }


def _terms(census: Census, column: str) -> list[int]:
    terms = [count for count in census.column(column) if count is not None]
    if len(terms) < len(census.plies):
        raise InputError(
            f"the engine {census.engine} cannot give the column {column}: leave out --engine or name another"
        )
    return terms


def _bfile(census: Census, column: str) -> str:
    terms = _terms(census, column)
    return "".join(f"{ply} {term}\n" for ply, term in enumerate(terms, census.plies[0].ply))


def _oeis(census: Census, column: str) -> str:
    question = census.question
    name = (
        f"{sequence_name(column, question.same)} at ply n on {board_in_words(question.board)}: {convention(question)}"
    )
    command = f"{asked(question)} --column {column} --format bfile"
    finite = question.to_ply is None
    terms = _terms(census, column)
    engines = [census.engine] * len(terms)
    return draft_text(Draft(name, terms, census.plies[0].ply, command, engines, finite=finite))


def report(census: Census, *, explain: bool = False, second: Opinion | None = None) -> Report:
    """Return what there is to say about a census."""
    return Report.of(
        [headline(census)],
        _derived(census) if explain else [],
        [census_table(census)],
        [How(how_we_know(census, second)), try_next(*_next_commands(census, explained=explain))],
    )


def _derived(census: Census) -> list[Block]:
    blocks: list[Block] = []
    from noughts.counting.derivation import derivation

    for step in derivation(census):
        blocks.append(Paragraph(step.heading, "  "))
        for line in step.lines:
            blocks.append(Paragraph("  " + line, " " * (len(line) - len(line.lstrip()) + 4)))
    return blocks


def how_we_know(census: Census, second: Opinion | None) -> str:
    """Return who counted, who agrees, and which laws the numbers obey."""
    laws = "the outcomes add up"
    if census.question.same == "labelled" and census.question.is_free:
        games = "the finished games" if not _is_cut(census) else "the games, finished or open,"
        laws += f" and {games} account for every way to fill the board"
    agree = f"counted by the engine {census.engine}"
    if second:
        agree = f"the engines {census.engine} and {second} agree {second.about}".rstrip()
    tables = (census.question.x_plays, census.question.o_plays)
    return f"{agree}; {laws}.{programs_told(*(table.name for table in tables if table is not None))}"


def _next_commands(census: Census, *, explained: bool) -> list[str]:
    """Return the derivation, where it is shown the same games by choices, and all conventions."""
    question = census.question
    command = asked(question)
    if explained:
        alike = command.replace("--same labelled", "--same choices")
        quick = alike != command and question.board.cells <= _FEW_CELLS
        return [*[alike] * quick, f"noughts count {question.board}"]
    follow = f"{command} --explain" if question.starts == "X" else command.replace(f" --starts {question.starts}", "")
    return [follow, f"noughts count {question.board}"]
