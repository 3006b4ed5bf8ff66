"""Computes every known number again, with two engines where possible, and compares it with the published one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from fractions import Fraction
from functools import partial
from math import perm
from pathlib import Path
from typing import Any

from noughts._version import __version__
from noughts.analysis.meanings.lookup import whatis
from noughts.analysis.meanings.meaning import computed
from noughts.analysis.payoff.playout import versus
from noughts.bots.crib import crib
from noughts.counting.conventions import ladder
from noughts.counting.engines import ask
from noughts.counting.question import Question
from noughts.judge.bench import (
    SECOND_ENGINE_SECONDS,
    Bench,
    Comparing,
    Line,
    NumberCheck,
    Verification,
    also_listed,
    also_valued,
    choices_lines,
    sampled_lines,
)
from noughts.judge.listing import Listing
from noughts.judge.values import (
    JUDGE,
    SLOWER,
    certificate_lines,
    derived_lines,
    falling_lines,
    opening_lines,
    proved_outcome,
    ruled_lines,
    starting_outcome,
    starting_outcomes,
)
from noughts.known import boards, further, load, numbers, tables, writings
from noughts.machine.budget import Limits, seconds_of
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.files import hold_folder, make_folder
from noughts.machine.workers import Progress, silent, workers_for
from noughts.rules.arguments import flag, function_or_none, path_of
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, CheckError
from noughts.rules.marks import Outcome
from noughts.solving.classgraph import class_graph
from noughts.solving.engines import choose
from noughts.solving.problem import Problem

_SECONDS = 10.0
"""Limit on the time of a computation, unless given."""
_CRIB_SECONDS = 5.0
"""Shortest time for the engines of smallest tables."""
Check = Callable[[dict[str, Any], dict[str, Any], Bench, Comparing], None]


def _question(check: dict[str, Any], board: str | None = None) -> Question:
    parts = {key: check[key] for key in ("start", "same", "moves", "end", "symmetry", "to_ply") if key in check}
    return ask(board or check["board"], **parts)


def _totals(entry: dict[str, Any], check: dict[str, Any], bench: Bench, verdict: Comparing) -> None:
    for board, term in zip(check["boards"], entry["terms"], strict=False):
        try:
            rows, by = bench.column(_question(check, board), [check["column"]])
            verdict.hold(board, term, str(sum(count for _, count in rows)), by)
        except BudgetError:
            verdict.out_of_reach.append(board)


def _plies(entry: dict[str, Any], check: dict[str, Any], bench: Bench, verdict: Comparing) -> None:
    rows, by = bench.column(_question(check), check["columns"])
    counts = dict(rows)
    for ply, term in enumerate(entry["terms"], check.get("first", 0)):
        verdict.hold(f"ply {ply}", term, str(counts.get(ply, 0)), by)


def _total(entry: dict[str, Any], check: dict[str, Any], bench: Bench, verdict: Comparing) -> None:
    rows, by = bench.column(_question(check), [check["column"]])
    verdict.hold(check["expect"], check["expect"], str(sum(count for _, count in rows)), by)


def _at_ply(entry: dict[str, Any], check: dict[str, Any], bench: Bench, verdict: Comparing) -> None:
    rows, by = bench.column(_question(check), [check["column"]])
    verdict.hold(f"ply {check['ply']}: {check['expect']}", check["expect"], str(dict(rows).get(check["ply"], 0)), by)


def _rung(entry: dict[str, Any], check: dict[str, Any], bench: Bench, verdict: Comparing) -> None:
    rungs = {rung.name: rung for rung in ladder(Board.parse(check["board"]), bench)}
    rung = rungs[check["rung"]]
    if rung.count is None:
        raise BudgetError(rung.reason or "out of reach")
    by = also_listed(check["board"], "the conventions", rung.count, lambda listing: listing.rung(check["rung"]))
    verdict.hold(check["expect"], check["expect"], str(rung.count), by)


def _not_both_lined_classes(entry: dict[str, Any], check: dict[str, Any], bench: Bench, verdict: Comparing) -> None:
    board = Board.parse(check["board"])
    graph = class_graph(board, end="full")
    found = sum(not (board.has_line(node.state.x) and board.has_line(node.state.o)) for node in graph.nodes)
    by = also_listed(check["board"], "the class graph", found, Listing.not_both_lined_classes)
    verdict.hold(check["expect"], check["expect"], str(found), by)


def _order(entry: dict[str, Any], check: dict[str, Any], bench: Bench, verdict: Comparing) -> None:
    group = Board.parse(check["board"]).group(check["symmetry"])
    on_lines = check["symmetry"] == "lines"
    by = also_listed(
        check["board"],
        "the group",
        group.order,
        lambda listing: listing.line_symmetries if on_lines else len(listing.symmetries),
    )
    verdict.hold(check["expect"], check["expect"], str(group.order), by)


def _absent(entry: dict[str, Any], check: dict[str, Any], bench: Bench, verdict: Comparing) -> None:
    found = whatis(int(check["expect"]), board=check["board"])
    matches = [reading for reading in found.matches if not reading.published]
    verdict.hold(f"no convention gives {check['expect']}", "0 conventions", f"{len(matches)} conventions", ["whatis"])


def _formula(entry: dict[str, Any], check: dict[str, Any], bench: Bench, verdict: Comparing) -> None:
    found = computed(check["formula"])
    verdict.hold(f"{check['formula']} = {check['expect']}", check["expect"], str(found), ["arithmetic"])


def _random_play(entry: dict[str, Any], check: dict[str, Any], bench: Bench, verdict: Comparing) -> None:
    match = versus(check["board"])
    found = f"{match.x_wins}, {match.o_wins}, {match.draws}"
    by = ["match"]
    with suppress(BudgetError):
        board = Board.parse(check["board"])
        counted = [bench.column(ask(board), [column]) for column in ("x_wins", "o_wins", "draws")]
        by += counted[0][1]
        odds = [sum(Fraction(count, perm(board.cells, ply)) for ply, count in rows) for rows, _ in counted]
        if ", ".join(map(str, odds)) != found:
            raise CheckError(f"match gives {found} on {board}, but the games by ply give {', '.join(map(str, odds))}")
    verdict.hold(check["expect"], check["expect"], found, by)


def _smallest_table(entry: dict[str, Any], check: dict[str, Any], bench: Bench, verdict: Comparing) -> None:
    seconds = _CRIB_SECONDS if bench.limits.seconds is None else bench.limits.seconds
    if seconds < _CRIB_SECONDS:
        raise BudgetError(f"two engines take up to {_CRIB_SECONDS:.0f} s for a smallest table")
    options: dict[str, Any] = {key: check[key] for key in ("opening", "goal", "count") if key in check}
    if "player" in check:
        options["as_"] = check["player"]
    engines = ("search", "programme")
    for engine in engines:
        found = crib(check["board"], engine=engine, time=seconds, **options)
        if not found.proved:
            raise BudgetError(f"the {engine} has no proof in {seconds:g} s")
        verdict.hold(f"{check['expect']} by {engine}", check["expect"], str(found.entries), engines)


def _values_by_ply(entry: dict[str, Any], check: dict[str, Any], bench: Bench, verdict: Comparing) -> None:
    board = Board.parse(check["board"])
    problem = Problem(board, None, remoteness=False, counts_only=True)
    offer = choose(problem, limits=bench.limits)
    rows = offer.count_values(workers_for(), silent)
    by = also_valued(board, offer.engine, rows, bench)
    for row, term in zip(rows, entry["terms"], strict=True):
        split = row.symmetry
        found = {"X": split.x_wins, "draw": split.draws, "O": split.o_wins}[check["outcome"]]
        verdict.hold(f"ply {row.ply}", term, str(found), by)


CHECKS: dict[str, Check] = {
    "totals": _totals,
    "total": _total,
    "plies": _plies,
    "at ply": _at_ply,
    "rung": _rung,
    "not both lined classes": _not_both_lined_classes,
    "order": _order,
    "absent": _absent,
    "formula": _formula,
    "values by ply": _values_by_ply,
    "random play": _random_play,
    "smallest table": _smallest_table,
}
"""The function that does each kind of check in the data."""


def _table(table: dict[str, Any], bench: Bench) -> NumberCheck:
    verdict = Comparing(_table_name(table), "per-ply table", table["source"])
    for position, column in enumerate(("positions", "terminal", "paths", "finished"), 1):
        try:
            rows, by = bench.column(_question(table), [column])
        except BudgetError as error:
            verdict.out_of_reach.append(f"{column}: {error}")
            continue
        published = [(row[0], row[position]) for row in table["rows"]]
        verdict.hold(column, str(published), str(rows), by)
    return verdict.done()


def _table_name(table: dict[str, Any]) -> str:
    return f"{table['board']} {table['same']} {table['moves']} {table['end']}"


def _writing(part: dict[str, Any], bench: Bench) -> NumberCheck:
    """Return the verdict on a part of a writing: its numbers by their formulas, or by the search."""
    verdict = Comparing(f"in {part['command']}", "numbers in the course of a derivation", part["source"])
    for row in part["rows"]:
        if "by" in row:
            verdict.hold(f"{row['by']} = {row['n']}", row["n"], str(computed(row["by"])), ["arithmetic"])
        else:
            exact = row.get("near", row["n"])
            found = [each for each in whatis(exact, board=part["board"]).matches if not each.published]
            verdict.hold(f"the search gives {exact}", "True", str(bool(found)), ["whatis"])
    return verdict.done()


def _entry(entry: dict[str, Any], bench: Bench) -> NumberCheck:
    verdict = Comparing(entry.get("id") or entry["value"], entry["what"], entry["source"])
    for check in entry["checks"]:
        try:
            CHECKS[check["kind"]](entry, check, bench, verdict)
        except BudgetError as error:
            verdict.out_of_reach.append(f"{check.get('board', check['kind'])}: {error}")
    return verdict.done()


def _with_proof(board: str, found: dict[str, Outcome], bench: Bench) -> tuple[list[str], bool]:
    """Return the names of those that found the winner from the empty board, and whether they include the judge.

    Where a single engine found it, a proof is judged too, if time allows.
    """
    if len(found) != 1:
        return list(found), False
    try:
        seconds = bench.limits.seconds if bench.patient else min(SECOND_ENGINE_SECONDS, bench.limits.seconds)
        outcome = proved_outcome(board, None, seconds, memory=bench.memory)
    except BudgetError:
        return list(found), False
    if outcome not in found.values():
        raise CheckError(f"{next(iter(found))} says {next(iter(found.values()))} on {board}, but the judge {outcome}")
    return [*found, JUDGE], True


_KINDS: dict[str, Outcome] = {"win": "X", "first_player_win": "X", "draw": "draw", "second_player_win": "O"}
"""The keys of published values, and who wins the boards that they list."""


def _values(kind: str, entry: dict[str, Any], bench: Bench) -> NumberCheck:
    verdict = Comparing("values: " + kind.replace("_", " "), "the value of the empty board", entry["source"])
    for spec in entry[kind]:
        try:
            found = starting_outcomes(Board.parse(spec), memory=bench.memory, seconds=bench.limits.seconds)
        except BudgetError:
            found = {}
        by, is_judged = _with_proof(spec, found, bench)
        for engine, outcome in found.items():
            verdict.hold(f"{spec} by {engine}", _KINDS[kind], outcome, by, judged=is_judged)
        if not found:
            verdict.out_of_reach.append(spec)
    return verdict.done()


def _of_boards() -> Iterator[Line]:
    """Yield a line for each source of values of empty boards, computed by the quickest engine for each board."""
    for key, source in load("boards.toml")["sources"].items():
        if rows := [row for row in boards() if row.get("source") == key]:
            yield Line(f"values: {key}", {"source": source, "rows": rows}, partial(_boards, key))


def _boards(key: str, known: dict[str, Any], bench: Bench) -> NumberCheck:
    what = "who wins from the empty board: k or more in a row win, a full board without a line is a draw"
    verdict, seconds = Comparing(f"values: {key}", what, known["source"]), bench.limits.seconds
    for row in known["rows"]:
        if "engine" not in row or (seconds is not None and row["seconds"] > seconds / SLOWER):
            verdict.out_of_reach.append(row["board"])
            continue
        try:
            found, by = _proved_or_found(row["board"], row["engine"], bench.memory, seconds)
        except BudgetError:
            verdict.out_of_reach.append(row["board"])
            continue
        verdict.hold(f"{row['board']} by {row['engine']}", row["value"], found, by, judged=JUDGE in by)
    return verdict.done()


def _proved_or_found(board: str, engine: str, memory: int, seconds: float | None) -> tuple[Outcome, list[str]]:
    """Return who wins from the empty board, and who found it: an engine and the judge, or the engine alone.

    Raises BudgetError where the engine is out of time.
    """
    try:
        return proved_outcome(board, engine, seconds, memory=memory), [engine, JUDGE]
    except BudgetError:
        return starting_outcome(Board.parse(board), engine, seconds=seconds), [engine]


def verify(
    *,
    memory: int | str | None = None,
    time: float | str | None = None,
    everything: bool = False,
    resume: Path | str | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Compute every published number and the further terms of sequences again, and compare them.

    Cost: one or two minutes without `everything`; with it, some forty minutes and 3 GB.

    Parameters
    ----------
    memory, time:
        limits for each single computation, by the estimates of the engines: bytes or `8GB`, seconds or `10s` (default:
        10 s). Numbers beyond them are out of reach.
    everything:
        derive again the value of every board that was first solved here, also on a torus and under misere, and judge
        its proof and those in the package.
        Only a given `time` limits these; without it, searches of more than ten minutes are omitted. Where no second
        engine is quick, use one that may take as long as the first.
    resume:
        a folder that stores each verdict, so that a later run with the same limits takes it from there
    progress:
        a function that is called with the number of finished lines, their total, and a text

    Raises
    ------
    CheckError
        where two engines disagree
    """
    flag("everything", everything)
    function_or_none("progress", progress)
    seconds, folder = (
        None if time is None else seconds_of(time),
        None if resume is None else path_of("the folder", resume),
    )
    return Verification(tuple(verdicts(memory, seconds, everything, folder, progress or silent)))


def verdicts(
    memory: int | str | None, seconds: float | None, everything: bool, folder: Path | None, progress: Progress
) -> Iterator[NumberCheck]:
    """Yield the verdicts of `verify` one by one, as soon as each is known; the folder stores them."""

    short = _SECONDS if seconds is None else seconds

    def limits() -> Limits:  # asked before each verdict, as the amount of free memory changes
        return Limits.of(memory, short)

    bench = Bench(limits(), patient=everything)
    lines = [*_lines(), *certificate_lines(seconds if everything else short)]
    if everything:
        lines += [*sampled_lines(), *derived_lines(seconds)]
    with ExitStack() as held:
        if folder is not None:
            make_folder(folder)
            held.enter_context(hold_folder(folder))
        store = Checkpoints(folder)
        for done, line in enumerate(lines):
            progress(done, len(lines), "known numbers")
            key = json.dumps(["verify", __version__, memory, seconds, everything, line.name, line.known])
            if (record := store.result(key)) is None:
                bench.given = limits()
                record = line.check(line.known, bench).as_dict()
                store.keep_result(key, record)
            yield NumberCheck.of(record)
    progress(len(lines), len(lines), "known numbers")


def _lines() -> Iterator[Line]:
    """Yield what `verify` computes, roughly the quickest first."""
    yield from (Line(_table_name(table), table, _table) for table in tables())
    for kind in ("sequence", "number", "slip"):
        yield from (Line(entry.get("id") or entry["value"], entry, _entry) for entry in numbers(kind))
    yield from (Line(f"in {part['command']}", part, _writing) for part in writings())
    for entry in further():
        name = f"{entry['id']}, further terms"
        yield Line(name, {**entry, "id": name, "source": "computed here"}, _entry)
    for entry in numbers("values"):
        for kind in filter(entry.__contains__, _KINDS):
            yield Line(f"values: {kind}", entry, partial(_values, kind))
    for part in (ruled_lines, _of_boards, falling_lines, opening_lines, choices_lines):
        yield from part()
