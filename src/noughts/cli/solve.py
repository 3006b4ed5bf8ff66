"""`noughts solve 9+infinite`: who wins on the infinite board."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from noughts.cli.options import (
    Verb,
    is_typed,
    memory_budget,
    position_argument,
    require_sense,
    time_budget,
    words,
    worker_options,
    workers_of,
)
from noughts.cli.process import Stopped
from noughts.cli.progress import aside, at_rest, progress_line
from noughts.cli.sink import Sink, answers, put_file, tell, writable

if TYPE_CHECKING:
    from noughts.machine.workers import Workers
    from noughts.rules.board import Board


_FORMS = ("table", "json", "markdown")
_TAKEN = ("board", "proof")
_NAMES = {"position": "a position", "remoteness": "--remoteness/--values-only"}


def answer_infinite(given: dict[str, Any], to: Sink) -> None:
    """Say who wins, and write the proof where one is asked for; no other option has a place here."""
    from noughts.rules.board import format_infinite, infinite_k
    from noughts.solving.infinite import solve_infinite
    from noughts.verbs.infinite import infinite_forms

    board = format_infinite(infinite_k(given["board"]))
    left_out = [name for name in given if name not in _TAKEN and is_typed(name)]
    require_sense(
        *(
            (True, f"{_NAMES.get(name, '--' + name.replace('_', '-'))} has no place with {board}: leave it out")
            for name in left_out
        ),
        (to.form not in _FORMS, f"--format {to.form} has no place with {board}: use {', '.join(_FORMS)}"),
    )
    proof_file = writable(given.get("proof"))
    value = solve_infinite(board, progress=progress_line())
    if proof_file is not None:
        put_file(proof_file, ("\n".join(value.proof_lines()) + "\n").encode())
    to.write(infinite_forms(value, to.look, proof=given.get("proof")))


# `noughts solve BOARD --save DIR`: the table of all positions, or with --dry-run only the plan of it.


def save(board: Board, given: dict[str, Any]) -> None:
    """Write the table, after the memory, the disk and the board have been found to suffice."""
    from noughts.solving.saved import require_room, save_solution

    folder, packed = Path(given["save"]), given["remoteness"] is False
    with workers_of(given["workers"], given["on"]) as workers:
        _require_memory(board, given, workers)
        require_room(folder, board, packed=packed)
        save_solution(folder, board, packed=packed, workers=workers, resume=given["resume"], progress=progress_line())
    tell(folder)


def _require_memory(board: Board, given: dict[str, Any], workers: Workers) -> None:
    """Raise BudgetError where no table can be made of a board, or not within the memory; before work starts."""
    from noughts.machine.budget import Limits
    from noughts.rules.errors import BudgetError
    from noughts.rules.position import Position
    from noughts.solving.engines import choose
    from noughts.solving.problem import Problem, too_large
    from noughts.solving.published import and_known
    from noughts.solving.saved import saving_estimate

    problem, packed = Problem(board, None, given["remoteness"], counts_only=True), given["remoteness"] is False
    choose(problem, engine="retrograde", limits=Limits())
    estimate = saving_estimate(board, packed=packed, workers=workers.here.count)
    limits = Limits(memory_budget(given["memory"]), disk=estimate.disk)
    if not limits.allow(estimate):
        told = and_known(Position(board))
        raise BudgetError(f"{too_large(problem, 'retrograde', estimate, limits).reason}: raise --memory{told}")


def plan(board: Board, given: dict[str, Any], to: Sink) -> None:
    """Write what the table takes; nothing is made."""
    from noughts.kernels.index.ranks import MAX_CELLS
    from noughts.solving.saving.plan import plan_saving
    from noughts.verbs.solve_all import forms

    found = plan_saving(board, packed=given["remoteness"] is False)
    to.write(forms(found, to.look, folder=given["save"], most_cells=MAX_CELLS))


def plan_without_meaning(given: dict[str, Any]) -> Iterator[tuple[object, str]]:
    """Yield what a plan leaves nothing to do."""
    shared = given["workers"] is not None or given["on"] is not None
    yield (
        shared and given["save"] is None and given["proof"] is None,
        "--workers and --on share out long work, a table of all positions or a proof: add --save DIR or --proof FILE",
    )
    yield given["dry_run"] and given["save"] is None, "--dry-run plans what --save would write: add --save DIR"
    for name in ("by_ply", "line", "resume", "proof", "memory", "position", "workers", "on"):
        option = "the position" if name == "position" else f"--{name.replace('_', '-')}"
        yield (
            given["dry_run"] and given[name],
            f"{option} has no place with --dry-run, which only plans a table: leave it out",
        )


# The proof that `noughts solve --proof` writes: where it goes, and what is kept of a search that was stopped.


@contextmanager
def kept_unfinished(path: Path, start: Any, solution: Any, *, resume: bool) -> Iterator[None]:
    """Keep what the search has settled beside the proof, every few seconds and where it is stopped; or go on."""
    from noughts.rules.errors import BudgetError, InputError
    from noughts.solving.resume import Keeper, keep_search, resume_search

    kept, stages = path.with_name(f"{path.name}.search"), getattr(solution, "stages", None)
    if stages is None:
        if resume:
            raise InputError(
                f"the engine {solution.engine} searches nothing that could be gone on with: leave out --resume"
            )
        yield
        return
    if resume:
        resume_search(kept, start, stages)
    keeper = Keeper(kept, start, stages)
    try:
        yield
    except (BudgetError, KeyboardInterrupt, Stopped) as stopped:
        many = keep_search(kept, start, stages)
        told = f"what was settled, {many:,} states, is in {kept}: add --resume to go on"
        if isinstance(stopped, BudgetError):
            raise BudgetError(f"{stopped}; {told}") from None
        tell(kept)
        raise
    if resume or keeper.has_kept:
        kept.unlink(missing_ok=True)


def proof_path(name: str, start: Any, to: Sink) -> Path:
    """Return where a proof goes, after it was found that there can be one. Raises InputError, FileError."""
    from noughts.machine.files import require_writable
    from noughts.rules.errors import InputError

    path = Path(name)
    if to.output is not None and to.output.resolve() == path.resolve():
        raise InputError(f"{name} cannot hold both the answer and its proof: give -o and --proof two names")
    if start.is_terminal:
        raise InputError(f"the game is over in {start}: there is nothing left to prove; leave out --proof")
    require_writable(path)
    return path


def write_proof(path: Path, solution: Any, start: Any, deadline: float | None) -> Any:
    """Write the proof of what a solution says of a position, and return it as it is told of. Raises BudgetError."""
    from noughts.machine.files import write_file
    from noughts.machine.workers import silent
    from noughts.solving.proving import proof_by
    from noughts.verbs.solve import WrittenProof

    proof = proof_by(solution, start, deadline=deadline, progress=progress_line() or silent)
    write_file(path, proof.text.encode("ascii"))
    return WrittenProof(proof, path)


# `noughts solve`: who wins, how soon, and by which moves.

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
@click.option("--dry-run", is_flag=True, help="With --save: only say what it takes.")
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
    from noughts.machine.budget import parse_duration
    from noughts.rules.board import Board, is_infinite

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
    from noughts.rules.position import Position, parse_position
    from noughts.verbs.solve import forms

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

    from noughts.rules.errors import InputError
    from noughts.rules.position import parse_position

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
    from noughts.solving.engines import count_values
    from noughts.solving.problem import Problem
    from noughts.verbs.solve_all import ply_forms

    if given["table"] is not None:
        plies = _solution(board, None, given).plies()
    else:
        problem = Problem(board, None, remoteness=False, counts_only=True)
        limits = Limits(memory_budget(given["memory"]))
        plies = count_values(problem, engine=given["engine"], limits=limits, progress=progress_line())
    to.write(ply_forms(board, plies, given["same"], to.look, column=given["column"] or "positions"))
