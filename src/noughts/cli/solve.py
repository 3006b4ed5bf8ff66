"""`noughts solve`: who wins, how soon, and by which moves."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from noughts.cli.infinite import answer_infinite
from noughts.cli.options import is_typed, memory_budget, require_sense, time_budget, words
from noughts.cli.progress import aside, at_rest, progress_line
from noughts.cli.proving import kept_unfinished, proof_path, write_proof
from noughts.cli.saving import plan, plan_without_meaning, save
from noughts.cli.sink import Sink, answers
from noughts.cli.verb import Verb, position_argument
from noughts.cli.workers import worker_options, workers_of

if TYPE_CHECKING:
    from noughts.machine.workers import Workers

__all__ = ["solve"]

_ANSWERS = ("table", "json", "markdown")
"""The forms of an answer about one position; the others are about all of them."""


@click.command(cls=Verb, short_help="Who wins, how soon, and by which moves.")
@click.argument("board")
@position_argument
@answers("table", "json", "markdown", "csv", "latex", "bfile", "oeis", "svg", "png", "pdf")
@click.option("--line", is_flag=True, help="Show one line of best play to the end.")
@click.option("--all-moves", is_flag=True, help="Search until every move is valued, or --time is over.")
@click.option("--by-ply", is_flag=True, help="How many positions of each ply X wins, are drawn, O wins.")
@click.option("--same", default="labelled", **words("labelled", "symmetry"), help="With --by-ply: boards or classes.")
@click.option(
    "--column",
    **{**words("x_wins", "draws", "o_wins", "positions"), "metavar": "NAME"},
    help="With --by-ply: the column of bfile and oeis (positions).",
)
@click.option(
    "--engine",
    **words("retrograde", "search", "threats", "blocking", "proof"),
    help="Solve by this engine (the cheapest that can answer).",
)
@click.option("--save", metavar="DIR", help="Write the values of all positions to a new directory.")
@click.option("--resume", is_flag=True, help="With --save or --proof: go on where a run was stopped.")
@click.option("--dry-run", is_flag=True, help="With --save: only say what it takes, on how many cores.")
@worker_options
@click.option("--table", metavar="DIR", help="Look values up in a directory written by --save.")
@click.option("--proof", metavar="FILE", help="Write a proof of the answer to FILE, which noughts check judges.")
@click.option("--memory", metavar="SIZE", help="Refuse what needs more memory (three quarters of what is free): 8GB.")
@click.option("--time", "time", metavar="TIME", help="Give up a search that has no answer by then: 10s, 5m.")
@click.option("--remoteness/--values-only", default=None, help="Insist on plies to the end, or do without them.")
def solve(to: Sink, **given: Any) -> None:
    """Who wins on BOARD from POSITION, the empty board unless given, if both play as well as can be.

    POSITION is written X../.O./..., rows from the top, or as the moves that lead there, 'a1 b2'. With - positions are
    read from standard input, one a line, and answered by one line of JSON each. BOARD 9+infinite is nine in a row on a
    board without edges.
    """
    from noughts.domain.board import Board
    from noughts.domain.infinite import is_infinite
    from noughts.machine.budget import parse_duration

    if is_infinite(given["board"]):
        answer_infinite(given, to)
        return
    board = Board.parse(given["board"])
    _require_sense(given, to.form)
    if given["dry_run"]:
        plan(board, given, to)
        return
    given["until"] = None if given["time"] is None else time.monotonic() + parse_duration(given["time"])
    if given["save"] is not None:
        save(board, given)
        given = {**given, "table": given["save"]}
    if given["by_ply"]:
        _write_plies(board, given, to)
    elif given["position"] == "-":
        _answer_lines(board, given, to)
    else:
        _answer_one(board, given, to)


def _require_sense(given: dict[str, Any], form: str) -> None:
    """Raise InputError where options contradict each other."""
    from noughts.solving.engines import engine_named

    if given["engine"] is not None:
        engine_named(given["engine"])
    contradictions = (
        (
            given["column"] is not None and not given["by_ply"],
            "--column is about all positions, ply by ply: add --by-ply",
        ),
        (
            form not in _ANSWERS and not given["by_ply"],
            f"--format {form} is about all positions, ply by ply: add --by-ply, or use table, json or markdown",
        ),
        (
            given["resume"] and given["save"] is None and given["proof"] is None,
            "--resume goes on with --save DIR or --proof FILE: name it",
        ),
        (
            given["save"] is not None and given["table"] is not None,
            "--save writes a table and --table reads one: use one",
        ),
        (given["by_ply"] and given["position"] is not None, "--by-ply is about all positions: leave out the position"),
        (
            given["proof"] is not None and (given["by_ply"] or given["position"] == "-"),
            f"--proof is about one position: leave it out, or {'--by-ply' if given['by_ply'] else 'the -'}",
        ),
        (
            given["engine"] in ("search", "threats", "blocking")
            and (given["save"] is not None or given["table"] is not None),
            f"--engine {given['engine']} uses no tables: leave it out, or leave out --save and --table",
        ),
    )
    require_sense(*plan_without_meaning(given), *contradictions, *_without_meaning(given, form))


def _without_meaning(given: dict[str, Any], form: str) -> Iterator[tuple[object, str]]:
    """Yield the options that the others leave nothing to do."""
    by_ply, whole = given["by_ply"], "--by-ply" if given["by_ply"] else "--save"
    yield is_typed("same") and not by_ply, "--same is about all positions, ply by ply: add --by-ply"
    for name in ("line", "all-moves"):
        given_too = by_ply and given[name.replace("-", "_")]
        yield given_too, f"--{name} is about one position: leave it out, or leave out --by-ply"
    yield (
        given["all_moves"] and (given["table"] is not None or given["engine"] in ("retrograde", "blocking")),
        "--all-moves goes on with a search, and tables and blocking do not search moves for long: leave it out",
    )
    yield (
        given["column"] is not None and form not in ("bfile", "oeis"),
        f"--column has no place in --format {form}, which has all columns: use bfile or oeis",
    )
    yield (
        by_ply and given["remoteness"] is not None and given["save"] is None,
        "--remoteness and --values-only have no place with --by-ply, which counts values: leave them out",
    )
    yield (
        given["time"] is not None and (by_ply or given["save"] is not None or given["engine"] == "retrograde"),
        f"--time ends a search, and {whole if by_ply or given['save'] else '--engine retrograde'} searches nothing: "
        "leave it out",
    )
    yield (
        given["position"] == "-" and is_typed("form") and form != "json",
        f"--format {form} has no place with positions from standard input, which are answered in JSON: leave it out",
    )
    for name, option in {**dict.fromkeys(("engine", "memory", "time"), ""), "remoteness": "/--values-only"}.items():
        yield (
            given["table"] is not None and given[name] is not None,
            f"--{name}{option} has no place with --table, which looks up what was solved: leave it out",
        )


def _solution(board: Any, start: Any, given: dict[str, Any], workers: Workers | None = None) -> Any:
    """Return the solution to ask: from the table named, else by the cheapest engine."""
    from noughts.machine.budget import Limits
    from noughts.solving.engines import solve_problem
    from noughts.solving.problem import Problem

    if given["table"] is not None:
        from noughts.solving.saved import open_solution

        return open_solution(Path(given["table"]), board)
    problem = Problem(board, start, given["remoteness"], search=_search_budget(given, whole=start is not None))
    limits = Limits(memory_budget(given["memory"]))
    return solve_problem(problem, engine=given["engine"], limits=limits, workers=workers, progress=progress_line())


def _search_budget(given: dict[str, Any], *, whole: bool) -> Any:
    """Return what a search may cost; `whole` says that --time is for all that is asked, not for each of many."""
    from noughts.solving.problem import SearchBudget

    budget = SearchBudget(deadline=given["until"]) if whole else SearchBudget(seconds=time_budget(given["time"]))
    return replace(budget, moves=None, far_moves=None) if given["all_moves"] else budget


def _answer_one(board: Any, given: dict[str, Any], to: Sink) -> None:
    from noughts.domain.notation import parse_position
    from noughts.domain.position import Position
    from noughts.reports.play.solution import forms

    start = Position(board) if given["position"] is None else parse_position(board, given["position"])
    start.require_reachable()
    if given["time"] is None:
        aside(partial(_published, start))
    told = {name: given[name] for name in ("line", "all_moves")}
    if given["proof"] is None:
        to.write(forms(_solution(board, start, given).answer(start, line=given["line"] or None), to.look, **told))
        return
    path = proof_path(given["proof"], start, to)
    with workers_of(given["workers"], given["on"]) as workers:
        solution = _solution(board, start, given, workers)
        with kept_unfinished(path, start, solution, resume=given["resume"]):
            answer = solution.answer(start, line=given["line"] or None)
            written = write_proof(path, solution, start, given["until"])
    to.write(forms(answer, to.look, **told, proof=written))


def _published(start: Any) -> str | None:
    """Return what is known of an empty board that no engine here settles soon, as a search of it may not end."""
    from noughts.solving.published import known_before

    return known_before(start)


def _answer_lines(board: Any, given: dict[str, Any], to: Sink) -> None:
    """Answer every line of standard input; a line that is no position gets its error, and the exit code is 2."""
    import json

    from noughts.domain.errors import InputError
    from noughts.domain.notation import parse_position

    solution = _solution(board, None, given)
    at_rest()
    failed: list[str] = []

    def answer(text: str) -> dict[str, Any]:
        try:
            position = parse_position(board, text).require_reachable()
            found: dict[str, Any] = solution.answer(position, line=given["line"] or None).as_dict()
            return found
        except InputError as error:
            failed.append(text)
            return {"board": board.spec, "position": text, "error": str(error)}

    lines = (json.dumps(answer(text.rstrip("\r\n"))) + "\n" for text in sys.stdin if text.strip())
    to.write({to.form: lambda: lines})
    if failed:
        raise SystemExit(2)


def _write_plies(board: Any, given: dict[str, Any], to: Sink) -> None:
    from noughts.machine.budget import Limits
    from noughts.reports.play.plies import ply_forms
    from noughts.solving.engines import count_values
    from noughts.solving.problem import Problem

    if given["table"] is not None:
        plies = _solution(board, None, given).plies()
    else:
        problem = Problem(board, None, remoteness=False, counts_only=True)
        limits = Limits(memory_budget(given["memory"]))
        plies = count_values(problem, engine=given["engine"], limits=limits, progress=progress_line())
    to.write(ply_forms(board, plies, given["same"], to.look, column=given["column"] or "positions"))
