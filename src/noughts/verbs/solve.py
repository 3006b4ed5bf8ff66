"""`noughts solve`: who wins, how soon, and by which moves."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from noughts.analysis.explain.facts import counted, ending, in_moves, verdict
from noughts.machine.budget import format_size
from noughts.machine.workers import silent
from noughts.present.forms import Forms
from noughts.present.report import Block, How, Look, Paragraph, Report, Table, Verbatim, as_markdown, try_next
from noughts.present.text import as_text, drawn
from noughts.rules.board import Board, format_infinite, infinite_k, is_infinite
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.position import Position, format_position, parse_position
from noughts.solving.solution import MoveValue, PositionValue, Solution
from noughts.verbs.request import PICTURES, Caller, Shared, VerbAnswer, argument, option, writable

if TYPE_CHECKING:
    from noughts.analysis.explain.facts import ValuedMove
    from noughts.analysis.explain.mistakes import PlayedMove
    from noughts.machine.budget import Limits
    from noughts.solving.proofs import Proof
    from noughts.solving.values import PlyValues

_ANSWERS = ("table", "json", "markdown", "html")
"""The forms of an answer about one position; the others are about all of them."""


@dataclass(frozen=True, kw_only=True)
class SolveRequest(Shared):
    """Who wins on BOARD from POSITION, the empty board unless given, if both play as well as can be.

    POSITION is written X../.O./..., rows from the top, or as the moves that lead there, 'a1 b2'. With - positions are
    read from standard input, one a line, and answered by one line of JSON each. BOARD 9+infinite is nine in a row on a
    board without edges.
    """

    forms = ("table", "json", "markdown", "csv", "latex", "bfile", "oeis", *PICTURES)

    board: str | Board = argument()
    position: str | None = argument("[POSITION]", None)
    line: bool = option("Show one line of best play to the end.", False)
    all_moves: bool = option("Search until every move is valued, or --time is over.", False)
    by_ply: bool = option("How many positions of each ply X wins, are drawn, O wins.", False)
    same: str = option("With --by-ply: boards or classes.", "labelled", choices=("labelled", "symmetry"))
    column: str | None = option(
        "With --by-ply: the column of bfile and oeis (positions).",
        choices=("x_wins", "draws", "o_wins", "positions"),
        metavar="NAME",
    )
    engine: str | None = option(
        "Solve by this engine (the cheapest that can answer).",
        choices=("retrograde", "search", "threats", "blocking", "proof"),
    )
    save: str | None = option("Write the values of all positions to a new directory.", metavar="DIR")
    resume: bool = option("With --save or --proof: go on where a run was stopped.", False)
    dry_run: bool = option("With --save: only say what it takes.", False)
    table: str | None = option("Look values up in a directory written by --save.", metavar="DIR")
    proof: str | None = option("Write a proof of the answer to FILE, which noughts check judges.", metavar="FILE")
    memory: str | None = option("Refuse what needs more memory (three quarters of what is free): 8GB.", metavar="SIZE")
    time: str | None = option("Give up a search that has no answer by then: 10s, 5m.", metavar="TIME")
    remoteness: bool | None = option("Insist on plies to the end, or do without them.", None, off="values-only")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return what leaves other options nothing to do."""
        if is_infinite(self.board):
            return self._about_the_infinite_board()
        return (*self._about_plans(), *self._about_all_positions(), *self._about_searches())

    def _about_plans(self) -> Iterable[tuple[object, str]]:
        saves = self.save is not None
        planned = ("by_ply", "line", "resume", "proof", "memory", "position", "workers", "on")
        return (
            (
                (self.workers is not None or self.on is not None) and not saves and self.proof is None,
                "--workers and --on share out long work, a table of all positions or a proof: add --save DIR or "
                "--proof FILE",
            ),
            (self.dry_run and not saves, "--dry-run plans what --save would write: add --save DIR"),
            *(
                (
                    self.dry_run and getattr(self, name),
                    f"{'the position' if name == 'position' else '--' + name.replace('_', '-')} has no place with "
                    "--dry-run, which only plans a table: leave it out",
                )
                for name in planned
            ),
        )

    def _about_all_positions(self) -> Iterable[tuple[object, str]]:
        form, by_ply, engine, lines = self.form, self.by_ply, self.engine, self.position == "-"
        saves, looks_up = self.save is not None, self.table is not None
        about_all = "is about all positions, ply by ply: add --by-ply"
        return (
            (self.column is not None and not by_ply, f"--column {about_all}"),
            (form not in _ANSWERS and not by_ply, f"--format {form} {about_all}, or use table, json or markdown"),
            (
                self.resume and not saves and self.proof is None,
                "--resume goes on with --save DIR or --proof FILE: name it",
            ),
            (saves and looks_up, "--save writes a table and --table reads one: use one"),
            (by_ply and self.position is not None, "--by-ply is about all positions: leave out the position"),
            (
                self.proof is not None and (by_ply or lines),
                f"--proof is about one position: leave it out, or {'--by-ply' if by_ply else 'the -'}",
            ),
            (
                engine in ("search", "threats", "blocking") and (saves or looks_up),
                f"--engine {engine} uses no tables: leave it out, or leave out --save and --table",
            ),
            ("same" in self.given and not by_ply, f"--same {about_all}"),
            *(
                (
                    by_ply and getattr(self, name),
                    f"--{option} is about one position: leave it out, or leave out --by-ply",
                )
                for name, option in (("line", "line"), ("all_moves", "all-moves"))
            ),
        )

    def _about_searches(self) -> Iterable[tuple[object, str]]:
        form, by_ply, engine, lines = self.form, self.by_ply, self.engine, self.position == "-"
        saves, looks_up = self.save is not None, self.table is not None
        no_search = "--by-ply" if by_ply else "--save" if saves else "--engine retrograde"
        return (
            (
                self.all_moves and (looks_up or engine in ("retrograde", "blocking")),
                "--all-moves goes on with a search, and tables and blocking do not search moves for long: leave it out",
            ),
            (
                self.column is not None and form not in ("bfile", "oeis"),
                f"--column has no place in --format {form}, which has all columns: use bfile or oeis",
            ),
            (
                by_ply and self.remoteness is not None and not saves,
                "--remoteness and --values-only have no place with --by-ply, which counts values: leave them out",
            ),
            (
                self.time is not None and (by_ply or saves or engine == "retrograde"),
                f"--time ends a search, and {no_search} searches nothing: leave it out",
            ),
            (
                lines and "form" in self.given and form != "json",
                f"--format {form} has no place with positions from standard input, which are answered in JSON: leave "
                "it out",
            ),
            *(
                (
                    looks_up and getattr(self, name) is not None,
                    f"--{name}{'/--values-only' * (name == 'remoteness')} has no place with --table, which looks up "
                    "what was solved: leave it out",
                )
                for name in ("engine", "memory", "time", "remoteness")
            ),
        )

    def _about_the_infinite_board(self) -> Iterable[tuple[object, str]]:
        board, forms = format_infinite(infinite_k(str(self.board))), ", ".join(_ANSWERS[:3])
        names = {"position": "a position", "remoteness": "--remoteness/--values-only"}
        return (
            *(
                (
                    each.field in self.given and each.field not in ("board", "proof"),
                    f"{names.get(each.field, '--' + each.name.replace('_', '-'))} has no place with {board}: leave it "
                    "out",
                )
                for each in self.options()
            ),
            (self.form not in _ANSWERS, f"--format {self.form} has no place with {board}: use {forms}"),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return what is known of a position, of many, or of all, or the plan of a table."""
        if is_infinite(self.board):
            from noughts.verbs import infinite

            return infinite.answer(str(self.board), self.proof, caller)
        board = Board.parse(self.board)
        if self.dry_run or self.save is not None or self.by_ply:
            from noughts.machine.budget import Limits
            from noughts.verbs import solve_all

            packed, limits = self.remoteness is False, Limits(caller.memory(self.memory))
            if self.save is not None and self.dry_run:
                return solve_all.plan(self.save, board, caller.look, packed=packed)
            if self.save is not None:
                workers, folder = caller.workers(self.workers, self.on), Path(self.save)
                solve_all.save(folder, board, self.remoteness, limits, workers, caller.progress, resume=self.resume)
                caller.note(f"wrote {folder}")
                return replace(self, save=None, resume=False, table=self.save, remoteness=None).answer(caller)
            plies = self._plies(board, limits, caller)
            found_forms = solve_all.ply_forms(board, plies, self.same, caller.look, column=self.column or "positions")
            return VerbAnswer(plies, found_forms)
        return self._answer_lines(board, caller) if self.position == "-" else self._answer_one(board, caller)

    def _plies(self, board: Board, limits: Limits, caller: Caller) -> tuple[PlyValues, ...]:
        from noughts.solving.engines import count_values
        from noughts.solving.problem import Problem

        if self.table is not None:
            return self.solution(board, None, caller).plies()
        problem = Problem(board, None, remoteness=False, counts_only=True)
        return count_values(problem, engine=self.engine, limits=limits, progress=caller.progress)

    def solution(self, board: Board, start: Position | None, caller: Caller, deadline: float | None = None) -> Solution:
        """Return the solution to ask: from the table named, else by the cheapest engine."""
        from noughts.machine.budget import Limits, parse_duration
        from noughts.solving.engines import solve_problem
        from noughts.solving.problem import Problem, SearchBudget

        if self.table is not None:
            from noughts.solving.saved import open_solution

            return open_solution(Path(self.table), board)
        each = None if self.time is None or start is not None else parse_duration(self.time)
        budget = SearchBudget(seconds=each, deadline=deadline)
        if self.all_moves:
            budget = replace(budget, moves=None, far_moves=None)
        problem = Problem(board, start, self.remoteness, search=budget)
        limits = Limits(caller.memory(self.memory))
        workers = None if self.proof is None else caller.workers(self.workers, self.on)
        return solve_problem(problem, engine=self.engine, limits=limits, workers=workers, progress=caller.progress)

    def _answer_one(self, board: Board, caller: Caller) -> VerbAnswer:
        from noughts.machine.budget import parse_duration

        deadline = None if self.time is None else time.monotonic() + parse_duration(self.time)
        start = Position(board) if self.position is None else parse_position(board, self.position)
        start.require_reachable()
        if self.time is None:
            from noughts.solving.published import known_before

            caller.aside(lambda: known_before(start))
        path = None if self.proof is None else _proof_path(self.proof, start, caller)
        solution = self.solution(board, start, caller, deadline)
        line = self.line or None
        if path is None:
            found, written = solution.answer(start, line=line), None
        else:
            with _saving_search(path, start, solution, caller, resume=self.resume):
                found = solution.answer(start, line=line)
                written = _write_proof(path, solution, start, deadline, caller)
        found_forms = forms(found, caller.look, line=self.line, all_moves=self.all_moves, proof=written)
        return VerbAnswer(found, found_forms)

    def _answer_lines(self, board: Board, caller: Caller) -> VerbAnswer:
        """Answer every line of standard input; a line that is no position gets its error, and the exit code is 2."""
        solution = self.solution(board, None, caller)
        failed: list[str] = []

        def answer(text: str) -> dict[str, Any]:
            try:
                position = parse_position(board, text).require_reachable()
                return solution.answer(position, line=self.line or None).as_dict()
            except InputError as error:
                failed.append(text)
                return {"board": board.spec, "position": text, "error": str(error)}

        lines = (json.dumps(answer(text.rstrip("\r\n"))) + "\n" for text in caller.lines if text.strip())
        return VerbAnswer(solution, {self.form: lambda: lines}, lambda: 2 if failed else 0)


def _proof_path(name: str, start: Position, caller: Caller) -> Path:
    """Return where a proof goes, after it was found that there can be one. Raises InputError, FileError."""
    path = Path(name)
    if caller.output is not None and caller.output.resolve() == path.resolve():
        raise InputError(f"{name} cannot hold both the answer and its proof: give -o and --proof two names")
    if start.is_terminal:
        raise InputError(f"the game is over in {start}: there is nothing left to prove; leave out --proof")
    writable(name)
    return path


@contextmanager
def _saving_search(path: Path, start: Position, solution: Solution, caller: Caller, *, resume: bool) -> Iterator[None]:
    """Keep what the search has settled beside the proof, every few seconds and where it is stopped; or go on."""
    from noughts.solving.resume import Keeper, keep_search, resume_search

    state_file, stages = path.with_name(f"{path.name}.search"), getattr(solution, "stages", None)
    if stages is None:
        if resume:
            raise InputError(
                f"the engine {solution.engine} searches nothing that could be gone on with: leave out --resume"
            )
        yield
        return
    if resume:
        resume_search(state_file, start, stages)
    keeper = Keeper(state_file, start, stages)
    try:
        yield
    except BaseException as stopped:
        if isinstance(stopped, Exception) and not isinstance(stopped, BudgetError):
            raise
        many = keep_search(state_file, start, stages)
        if isinstance(stopped, BudgetError):
            settled = f"what was settled, {many:,} states, is in {state_file}: add --resume to go on"
            raise BudgetError(f"{stopped}; {settled}") from None
        caller.note(f"wrote {state_file}")
        raise
    if resume or keeper.has_kept:
        state_file.unlink(missing_ok=True)


def _write_proof(
    path: Path, solution: Solution, start: Position, deadline: float | None, caller: Caller
) -> WrittenProof:
    """Write the proof of what a solution says of a position, and return it as it is described. Raises BudgetError."""
    from noughts.machine.files import write_file
    from noughts.solving.proving import proof_by

    proof = proof_by(solution, start, deadline=deadline, progress=caller.progress or silent)
    write_file(path, proof.text.encode("ascii"))
    return WrittenProof(proof, path)


@dataclass(frozen=True)
class WrittenProof:
    """A proof and the file that it is in."""

    proof: Proof
    path: Path

    def as_dict(self) -> dict[str, Any]:
        """Return what the file proves and how long it is."""
        return {"file": str(self.path), **self.proof.as_dict()}

    @property
    def sentence(self) -> str:
        """Where the proof is, how long it is and what each of its sections says."""

        parts = "; ".join(_says(title, lines) for title, lines in self.proof.sections)
        return f"Proof: {self.path}, {format_size(self.proof.size)}: {parts}."

    @property
    def command(self) -> str:
        """The command that judges it."""
        return f"noughts check {quote(str(self.path))}"


def _says(title: str, lines: int) -> str:
    from noughts.solving.proofs import STEALING

    if title == STEALING:
        return "O never wins, as X could play so too (strategy stealing)"
    kind, player, *_ = title.split()
    counted = f"({lines:,} line{'s' * (lines != 1)})"
    if kind == "win":
        return f"{player} wins by threats {counted}"
    if kind == "stop":
        return f"{player} is stopped by blocking alone {counted}"
    return f"{player} {'wins' if title.endswith('win') else 'does not lose'}, whatever the replies {counted}"


def valued(moves: Iterable[MoveValue | ValuedMove | PlayedMove], engine: str | None) -> str:
    """Return how the values of these moves are known, which that engine gave."""
    found = list(moves)
    if engine == "retrograde":
        return "every continuation was valued, backward from the ends"
    if engine == CARRIED:
        return "by the proof that the package carries, or, where it says nothing, by search; noughts solve says more"
    if all(move.remoteness is not None for move in found):
        return "by search, bounds and pairings, not by going through every continuation; noughts solve says which"
    if all(move.outcome is not None for move in found):
        return "by search, which tells who wins and not how soon"
    return "by search, as far as its budget went"


def unit(board: Board, moves: Iterable[MoveValue | ValuedMove | PlayedMove]) -> list[str]:
    """Return the sentence that says what verdicts count, where any of these moves has a length."""
    lengths = any(move.outcome not in (None, "draw") and move.remoteness is not None for move in moves)
    return [f"Lengths count {counted(board)}."] if lengths else []


CARRIED = "proof"
"""The name of the engine that looks values up in a proof."""
BY_PLY_CELLS = 25
"""Up to so many cells all positions can be valued in minutes."""

_GROUPS = {"win": "winning", "draw": "drawing", "loss": "losing", None: ""}
_NAMED = 24
"""So many moves of one value are named; the JSON names them all."""
_SEARCHING = ("search", "threats")
"""Engines that value more moves when they are given more time."""


def forms(
    answer: PositionValue, look: Look, *, line: bool = False, all_moves: bool = False, proof: WrittenProof | None = None
) -> Forms:
    """Return what is known of a position in every form; `line` asks for one line of best play.

    `all_moves` says that moves were searched without end, `proof` is told of where one was written.
    """
    certificate = {} if proof is None else {"certificate": proof.as_dict()}
    return {
        "table": lambda: as_text(report(answer, line=line, all_moves=all_moves, proof=proof), look),
        "json": lambda: json.dumps({**answer.as_dict(), **certificate}) + "\n",
        "markdown": lambda: "\n\n".join([_markdown(answer), *([proof.sentence] if proof else [])]) + "\n",
    }


def sentence(answer: PositionValue) -> str:
    """Return who wins and how soon, in one or two sentences."""
    if answer.position.is_terminal:
        full = "it is a draw, as the board is full and nobody has a line"
        return f"The game is over: {full if answer.position.winner is None else ending(answer.position)}."
    if answer.outcome == "draw":
        if not answer.position.board.lines:
            return "Draw. The board has no line that anybody could complete."
        return "Draw. With best play the game fills the board."
    if answer.remoteness is None and answer.at_most is not None:
        return f"{answer.outcome} wins with best play, {in_moves(answer.at_most, at_most=True)}."
    if answer.remoteness is None:
        return f"{answer.outcome} wins with best play."
    return f"{answer.outcome} wins with best play, {in_moves(answer.remoteness)}."


def solution_report(solution: Solution) -> Report:
    """Return what there is to say about the start of a solution."""
    return report(solution.answer())


def report(
    answer: PositionValue, *, line: bool = False, all_moves: bool = False, proof: WrittenProof | None = None
) -> Report:
    """Return what there is to say about a position."""
    position = answer.position
    board = position.board
    head = [f"{board}: {sentence(answer)}"]
    if position.is_terminal:
        place = f" '{position}'" if position.ply else ""
        more = try_next(f"noughts explain {board}{place}", f"noughts openings {board}")
        return Report.of(head, [Verbatim(drawn(position))], [How("the lines were looked up on the board."), more])
    decided = "; however both play, it ends so" if answer.decided else ""
    moves: list[Block | str] = [f"{answer.to_move} to move{decided}."]
    moves += [Paragraph(group, "  ") for group in grouped_moves(answer)]
    moves += unit(board, answer.moves)
    if line or answer.line is not None:
        moves.append(Paragraph(f"One line of best play: {_line(answer)}", "  "))
    judge = [] if proof is None else [proof.command]
    nodes = "" if answer.nodes is None else f"; {answer.nodes:,} positions searched for the value"
    return Report.of(
        head,
        [Verbatim(drawn(position))],
        moves,
        [proof.sentence] if proof else [],
        [
            How(f"{answer.proof}{nodes}."),
            try_next(*judge, *_next(answer, line=line, all_moves=all_moves, proved=proof is not None)),
        ],
    )


def _next(answer: PositionValue, *, line: bool, all_moves: bool, proved: bool) -> list[str]:
    """Return commands that go on from the answer: why it is so, the values of all moves, and a line of best play or the
    values of all plies; where the package carries a proof, the file of it, unless it was written."""
    board, start = answer.position.board, answer.position
    place = f" '{start}'" if start.ply else ""
    found = [f"noughts explain {board}{place}"]
    if not all_moves and answer.engine in _SEARCHING and any(move.value is None for move in answer.moves):
        found.append(f"noughts solve {board}{place} --all-moves")
    if answer.engine == CARRIED and not proved:
        found.append(f"noughts solve {board} --proof {str(board).replace(':', '-')}.proof")
    if answer.engine != CARRIED and answer.line is None and not line:
        found.append(f"noughts solve {board}{place} --line")
    elif board.cells <= BY_PLY_CELLS:
        found.append(f"noughts solve {board} --by-ply")
    return found


def grouped_moves(answer: PositionValue) -> list[str]:
    """Return a sentence for each value: the moves that have it, best first, with how soon they win or are lost.

    More than a reader looks through are not named one by one where they are all moves, or all but those named.
    """
    found = []
    counts = Counter(move.value for move in answer.moves)
    crowd = counts.most_common(1)[0][0] if answer.moves else None
    for value, word in _GROUPS.items():
        moves = [move for move in answer.moves if move.value == value]
        if moves:
            timed = value != "draw" and any(move.remoteness is not None for move in moves)
            if value == crowd and len(moves) > _NAMED and not timed:
                listed = "every blank cell" if len(counts) == 1 else "all others"
            else:
                listed = _by_length(answer.position.board, moves)
            what = "move" if len(moves) == 1 else "moves"
            if value == answer.value == "loss":  # none of them loses what was lost before
                found.append(f"{len(moves)} {what}, {'all ' * (len(moves) > 1)}lost: {listed}")
                continue
            unsettled = "not told by the proof" if answer.engine == CARRIED else "not settled within the budget"
            noun = f"{word} {what}" if value else f"{what} whose value is {unsettled}"
            found.append(f"{len(moves)} {noun}: {listed}")
    return found


def _by_length(board: Board, moves: Sequence[MoveValue]) -> str:
    """Return the names of moves of one value, those that take as long together: `in 2 moves b2; in 3 moves a1, c1`."""
    groups: dict[str, list[str]] = {}
    for move in moves:
        length = "" if move.remoteness is None or move.value == "draw" else in_moves(move.remoteness + 1)
        groups.setdefault(length, []).append(cell_name(board, move.cell))
    return "; ".join(f"{length} {', '.join(names)}".strip() for length, names in groups.items())


def _line(answer: PositionValue) -> str:
    if answer.line is None:
        return "not found within the budget"
    return " ".join(cell_name(answer.position.board, cell) for cell in answer.line)


def _markdown(answer: PositionValue) -> str:
    rows = [
        [
            cell_name(answer.position.board, move.cell),
            move.value or "-",
            verdict(answer.to_move, answer.outcome, move.outcome, move.remoteness),
            "best" if move.best else "",
        ]
        for move in answer.moves
    ]
    table = Table(["move", "value", "verdict", ""], rows, frozenset(range(4)))
    head = f"**{answer.position.board}** `{format_position(answer.position)}`: {sentence(answer)}"
    parts = [head, as_markdown(table)] if rows else [head]
    if answer.line is not None and rows:
        parts.append(f"One line of best play: {_line(answer)}")
    return "\n\n".join([*parts, *unit(answer.position.board, answer.moves)])
