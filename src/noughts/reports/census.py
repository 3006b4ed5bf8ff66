"""How a census is printed: the answer first, in words, then the table, how we know, and what to try next."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from noughts.counting.census import COLUMNS, Census
from noughts.counting.derivation import derivation
from noughts.counting.engines import ENGINES, WITNESSES, Progress, answer, choose, engine_named, kin_of
from noughts.counting.question import Question
from noughts.counting.words import command_of, convention
from noughts.domain.errors import BudgetError, CheckError, InputError, shown
from noughts.reports.tables import Table, as_csv, as_latex, as_markdown, grouped, show, wrapped

__all__ = [
    "Opinion",
    "as_json",
    "census_table",
    "headline",
    "print_census",
    "quick_second_opinion",
    "require_form",
    "second_opinion",
]

_FORMS = ("table", "json", "csv", "markdown", "latex", "bfile", "oeis")

_HEADINGS = {
    "ply": "ply",
    "positions": "positions",
    "terminal_positions": "terminal",
    "terminal_x": "X won",
    "terminal_o": "O won",
    "terminal_draw": "drawn",
    "paths": "paths",
    "finished": "finished",
    "x_wins": "X wins",
    "o_wins": "O wins",
    "draws": "draws",
}

_ESSENTIAL = tuple(
    list(_HEADINGS).index(name) for name in ("ply", "positions", "terminal_positions", "paths", "finished")
)
"""The columns that are shown where a terminal is narrow."""


def require_form(form: str, column: str, *, explain: bool = False) -> None:
    """Raise InputError unless the format and the column exist, and the format can show a derivation that is asked."""
    if form not in _FORMS:
        raise InputError(f"--format {shown(form)} is not known: use one of {', '.join(_FORMS)}")
    if explain and form not in ("table", "json"):
        raise InputError(f"--explain has no place in --format {form}: use table or json")
    if column not in COLUMNS:
        raise InputError(f"--column {shown(column)} is not known: use one of {', '.join(COLUMNS)}")


QUICK_SECONDS = 0.3
"""A second engine is asked unbidden where it takes no longer than this."""


@dataclass(frozen=True)
class Opinion:
    """Another engine that gives the same census, the columns that both give, and these in words for a sentence.

    The words, such as `on the games`, are empty where the columns are all that the census has.
    """

    engine: str
    columns: tuple[str, ...]
    about: str

    def __str__(self) -> str:
        return self.engine


def quick_second_opinion(census: Census, *, memory: int) -> Opinion | None:
    """Return another engine that gives the same census, where one is quick to ask."""
    try:
        return second_opinion(census, memory=memory, time=QUICK_SECONDS)
    except BudgetError:
        return None


def second_opinion(census: Census, *, memory: int, time: float | None, progress: Progress | None = None) -> Opinion:
    """Return another engine that gives the same census, and the columns that both give.

    Raises CheckError where it differs, BudgetError where none gives a column of the census within the budget.
    """
    question, without = census.question, kin_of(census.engine)
    complete = None not in (census.totals.positions, census.totals.paths)
    while True:
        try:
            engine = choose(question, memory=memory, time=time, without=without, witness=True, complete=complete)
        except BudgetError:
            raise BudgetError(_nobody_else(question, without)) from None
        columns = _agreeing(census, answer(question, engine=engine.name, memory=memory, progress=progress))
        if columns:
            return Opinion(engine.name, columns, _about(census, columns))
        without += kin_of(engine.name)


def _nobody_else(question: Question, without: tuple[str, ...]) -> str:
    """Return why there is no second engine."""
    others = [engine_named(name) for name in ENGINES | WITNESSES if name not in without]
    if all(engine.refusal(question) is not None for engine in others):
        return f"no second engine can answer this on {question.board} at any price: leave out --check"
    return (
        f"no second engine can answer this on {question.board} within the budget: leave out --check, or raise "
        "--memory or --time"
    )


def _agreeing(census: Census, other: Census) -> tuple[str, ...]:
    """Return the columns that two censuses give alike, leaving out what one cannot tell. Raises CheckError."""
    compared = []
    for column in COLUMNS:
        pairs = list(zip(census.column(column), other.column(column), strict=True))
        for row, (mine, theirs) in zip(census.plies, pairs, strict=True):
            if None not in (mine, theirs) and mine != theirs:
                raise CheckError(
                    f"{census.question.board}, ply {row.ply}, {column}: the engine {census.engine} gives {mine}, "
                    f"{other.engine} gives {theirs}"
                )
        if all(None not in pair for pair in pairs):
            compared.append(column)
    return tuple(compared)


def _about(census: Census, columns: tuple[str, ...]) -> str:
    """Return in words which numbers of a census were compared; nothing where all were."""
    if all(column in columns or None in census.column(column) for column in COLUMNS):
        return ""
    games = [column for column in columns if column in _OF_GAMES]
    return "on the games" if games == list(columns) else "on some columns" if games else "on the positions"


_OF_GAMES = ("paths", "finished", "x_wins", "o_wins", "draws")


def _rows(census: Census) -> list[dict[str, int | None]]:
    return [asdict(row) for row in census.plies]


def _strings(counts: dict[str, int | None]) -> dict[str, int | str | None]:
    """Return counts as decimal strings, which no reader corrupts; the ply stays a number."""
    return {key: n if key == "ply" or n is None else str(n) for key, n in counts.items()}


def as_json(census: Census, *, explain: bool = False, second: Opinion | None = None) -> str:
    """Return the census by the contract of the command line; with the derivation and the second engine if asked."""
    question = census.question
    record: dict[str, object] = {
        "board": question.board.spec,
        "same": question.same,
        "x_moves": question.x_moves,
        "o_moves": question.o_moves,
        "end": question.end,
        "symmetry": question.symmetry,
        "engine": census.engine,
        "convention": convention(question),
    }
    if question.start is not None:
        record["from"] = str(question.start)
    if question.to_ply is not None:
        record["to_ply"] = question.to_ply
    record["plies"] = [_strings(row) for row in _rows(census)]
    record["totals"] = _strings(asdict(census.totals))
    if second is not None:
        record["checked_columns"] = second.columns
        record["checked_by"] = second.engine
    if explain:
        record["derivation"] = [asdict(step) for step in derivation(census)]
    return json.dumps(record, indent=1)


def census_table(census: Census, *, totals: bool = True, names: bool = False) -> Table:
    """Return the per-ply table; with `names` under the names of the columns in files."""
    rows = [[str(row["ply"]), *(grouped(row[column]) for column in COLUMNS)] for row in _rows(census)]
    if totals:
        rows.append(["all", *(grouped(count) for count in asdict(census.totals).values())])
    headings = ["ply", *COLUMNS] if names else list(_HEADINGS.values())
    return Table(headings, rows, frozenset())


def headline(census: Census) -> str:
    """Return the answer in words: games, or positions where the games cannot be had."""
    question, totals = census.question, census.totals
    said = convention(question)
    if totals.finished is None:
        return f"{question.board}: {grouped(totals.positions)} position classes ({said})."
    games = f"{totals.finished:,} {'game' if totals.finished == 1 else 'games'}"
    split = f"{grouped(totals.x_wins)} won by X, {grouped(totals.o_wins)} won by O, {grouped(totals.draws)} drawn"
    answer = f"{question.board}: {games} ({said}): {split}."
    if totals.positions is None:
        return answer
    kind = "position" if question.same == "labelled" else "position class"
    kind += "" if totals.positions == 1 else "s" if question.same == "labelled" else "es"
    return f"{answer} {totals.positions:,} {kind}."


def print_census(census: Census, form: str, column: str, *, explain: bool, second: Opinion | None) -> None:
    """Print a census in the format asked for."""
    if form == "json":
        print(as_json(census, explain=explain, second=second))
    elif form in ("bfile", "oeis"):
        _print_terms(census, form, column)
    elif form in ("csv", "markdown", "latex"):
        writer = {"csv": as_csv, "markdown": as_markdown, "latex": as_latex}[form]
        print(writer(census_table(census, totals=form != "csv", names=form == "csv")))
    else:
        _print_for_people(census, explain=explain, second=second)


def _print_terms(census: Census, form: str, column: str) -> None:
    terms = []
    for count in census.column(column):
        if count is None:
            raise InputError(
                f"the engine {census.engine} cannot give the column {column}: leave out --engine or name another"
            )
        terms.append(count)
    first = census.plies[0].ply
    if form == "bfile":
        for ply, term in enumerate(terms, first):
            print(f"{ply} {term}")
    else:
        from noughts.reports.sequences import oeis_lines

        name = f"{column.replace('_', ' ')} by ply on {census.question.board}: {convention(census.question)}"
        for line in oeis_lines(terms, first, name):
            print(line)


def _print_for_people(census: Census, *, explain: bool, second: Opinion | None) -> None:
    print(wrapped(headline(census)))
    print()
    if explain:
        for step in derivation(census):
            print(wrapped(step.heading, "  "))
            for line in step.lines:
                indent = " " * (len(line) - len(line.lstrip()) + 4)
                print(wrapped("  " + line, indent))
        print()
    show(census_table(census), _ESSENTIAL)
    print()
    print(wrapped(_how_we_know(census, second)))
    print("Try next:")
    for command in _next_commands(census):
        print(f"  {command}")


def _how_we_know(census: Census, second: Opinion | None) -> str:
    laws = "the outcomes add up"
    if census.question.same == "labelled" and census.question.is_free:
        laws += " and the finished games account for every way to fill the board"
    agree = f"counted by the engine {census.engine}"
    if second:
        agree = f"the engines {census.engine} and {second} agree {second.about}".rstrip()
    return f"How we know: {agree}; {laws}."


def _next_commands(census: Census) -> list[str]:
    question = census.question
    command = command_of(question)
    if question.start is not None:
        command += f" --from '{question.start}'"
    if question.to_ply is not None:
        command += f" --to-ply {question.to_ply}"
    return [f"{command} --explain", f"noughts count {question.board}"]
