"""Which parts of a question about counts leave each other nothing to do: said once for every way to ask."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from noughts._version import __version__
from noughts.counting.census import COLUMNS, Census
from noughts.counting.engines import count
from noughts.counting.offers import Run
from noughts.counting.question import convention
from noughts.machine.budget import Limits
from noughts.machine.workers import Progress, silent, workers_for
from noughts.present.forms import Forms, chart_forms, report_forms, table_forms
from noughts.present.report import Block, How, Look, Paragraph, Report, Table, grouped, try_next
from noughts.present.text import programs_told
from noughts.rules.arguments import function_or_none, one_of
from noughts.rules.board import Board
from noughts.rules.errors import InputError
from noughts.verbs.conventions import Conventions, survey
from noughts.verbs.sequences import Draft, Terms, asked, board_in_words, draft_text, parse_range, sequence_name

if TYPE_CHECKING:
    from noughts.counting.engines import Opinion
    from noughts.drawing.svg import Svg


def require_sense_of_count(typed: Collection[str], given: Mapping[str, Any], form: str) -> None:
    """Raise InputError with the first contradiction among the options of `noughts count`.

    `typed` are the names of the options that were typed, `given` the values of all; `form` is a name of `--format`.
    """
    for wrong, sentence in _without_meaning(typed, given, form):
        if wrong:
            raise InputError(sentence)


def _without_meaning(typed: Collection[str], given: Mapping[str, Any], form: str) -> Iterator[tuple[object, str]]:
    """Yield the options that the others leave nothing to do."""
    is_range = ".." in str(given.get("board", ""))
    yield (
        "column" in typed and form not in ("bfile", "oeis") and not is_range,
        f"--column has no place in --format {form}, which has all columns: use bfile or oeis, or a range of boards",
    )
    yield (
        "moves" in typed and given["x_moves"] is not None and given["o_moves"] is not None,
        "--moves has no place beside --x-moves and --o-moves, which say it for both players: leave it out",
    )
    yield (
        given["explain"] and given["starts"] != "X",
        "--explain derives the games that X starts: leave out --starts, for exchanging the marks gives the others",
    )
    yield (
        "symmetry" in typed and given["same"] == "labelled",
        "--symmetry has no place with --same labelled, where cells are distinguishable: add --same symmetry or choices",
    )
    yield (
        given["explain"] and form not in ("table", "json") and not is_range,
        f"--explain has no place in --format {form}: use table or json",
    )


# What a census says: the answer first, in words, then the table, how we know, and what to try next.

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


# All conventions of a board, and one number for each board of a range: one function call each.


def matrix(
    board: Board | str = "3x3",
    *,
    memory: int | str | None = None,
    time: float | str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Conventions:
    """Return the games of a board under every convention, and its positions from naive to exact.

    What does not fit `memory` and `time` carries what it would cost. The arguments are those of `count`. Cost: 0.2 s
    for 3x3. Raises InvalidBoard, and BudgetError on boards of more than 4,096 cells.

    >>> [entry.finished for entry in matrix("3x3").games][:3]
    [255168, 31896, 26830]
    """
    on = Board.parse(board)
    function_or_none("progress", progress)
    return survey(on, Limits.of(memory, time), Run(workers_for(threads), progress or silent))


def sequence(boards: str, *, column: str = "finished", **question: Any) -> Terms:
    """Return one total for each board of a range such as `1x1..5x5` or `3x1..3x9`.

    `column` is one of those of a census; the other arguments are those of `count`. Raises InputError for a range that
    makes no sense, and what `count` raises.

    >>> sequence("1x1..3x3", same="choices").terms
    (1, 3, 26830)
    """
    one_of("the column", column, COLUMNS)
    found = tuple(count(board, **question) for board in parse_range(boards).boards)
    return Terms(column, parse_range(boards), found)
