"""`noughts solve`: the winner, the number of moves, and the best moves."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.analysis.explain.wording import counted, ending, in_moves, length_rule, verdict
from noughts.present.forms import Forms
from noughts.present.report import Block, How, Look, Paragraph, Report, Table, Verbatim, as_markdown, try_next
from noughts.present.text import as_text, drawn
from noughts.rules.board import Board, format_infinite, infinite_k, is_infinite
from noughts.rules.errors import InputError
from noughts.rules.position import Position, format_position, parse_position
from noughts.rules.values import begun
from noughts.solving.solution import MoveValue, PositionValue, Solution
from noughts.verbs.request import PICTURES, Caller, Shared, VerbAnswer, argument, option

if TYPE_CHECKING:
    from noughts.analysis.explain.facts import ValuedMove
    from noughts.analysis.explain.mistakes import PlayedMove
    from noughts.machine.budget import Limits
    from noughts.solving.values import PlyValues
    from noughts.verbs.solve_proof import WrittenProof

_ANSWERS = ("table", "json", "markdown", "html")
"""The forms of an answer about one position; the other forms are for --by-ply."""


@dataclass(frozen=True, kw_only=True)
class SolveRequest(Shared):
    """Winner on BOARD from POSITION (default: the empty board) if both play perfectly.

    POSITION is written X../.O./..., rows from the top, or as the moves to it, 'a1 b2'. With - the positions come from
    standard input, one per line, and each answer is one line of JSON. BOARD 9+infinite is nine in a row on a board
    without edges.
    """

    forms = ("table", "json", "markdown", "csv", "latex", "bfile", "oeis", *PICTURES)

    board: str | Board = argument()
    position: str | None = argument("[POSITION]", None)
    line: bool = option("One line of best play to the end", False)
    all_moves: bool = option("Search until every move has a value, or until --time", False)
    by_ply: bool = option("Number of positions at each ply by value", False)
    same: str = option("Boards or classes, with --by-ply", "labelled", choices=("labelled", "symmetry"))
    column: str | None = option(
        "Column of bfile and oeis, with --by-ply",
        choices=("x_wins", "draws", "o_wins", "positions"),
        metavar="NAME",
        usual="positions",
    )
    engine: str | None = option(
        "Solving engine",
        usual="the cheapest that can answer",
        choices=("retrograde", "search", "columns", "quotient", "threats", "blocking", "proof"),
    )
    save: str | None = option("Directory for all values; for the search with --engine columns", metavar="DIR")
    resume: bool = option("Resume a stopped run, with --save or --proof", False)
    dry_run: bool = option("Estimate of disk and work only, with --save, also for --workers N", False)
    table: str | None = option("Directory written by --save, to look values up", metavar="DIR")
    proof: str | None = option("File for a proof of the answer, for noughts check", metavar="FILE")
    memory: str | None = option("Memory limit, such as 8GB", metavar="SIZE", usual="three quarters of the free memory")
    time: str | None = option("Time limit of the search, such as 10s or 5m", metavar="TIME")
    remoteness: bool | None = option("Number of plies to the end: required, or omitted", None, off="values-only")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        if is_infinite(self.board):
            return self._about_the_infinite_board()
        return (*self._about_plans(), *self._about_all_positions(), *self._about_searches())

    def _about_plans(self) -> Iterable[tuple[object, str]]:
        saves = self.save is not None
        planned = ("by_ply", "line", "resume", "proof", "memory", "position", "on")
        words = {name: f"--{name.replace('_', '-')}" for name in planned} | {"position": "the position"}
        return (
            (
                (self.workers is not None or self.on is not None) and not saves and self.proof is None,
                "--workers and --on need a table or a proof: add --save DIR or --proof FILE",
            ),
            (self.dry_run and not saves, "--dry-run estimates a table: add --save DIR"),
            *(
                (
                    self.dry_run and getattr(self, name),
                    f"{word} cannot be used with --dry-run, which only estimates a table: remove {word}",
                )
                for name, word in words.items()
            ),
        )

    def _about_all_positions(self) -> Iterable[tuple[object, str]]:
        form, by_ply, engine, lines = self.form, self.by_ply, self.engine, self.position == "-"
        saves, looks_up = self.save is not None, self.table is not None
        about_all = "needs all positions: add --by-ply"
        return (
            (self.column is not None and not by_ply, f"--column {about_all}"),
            (form not in _ANSWERS and not by_ply, f"--format {form} {about_all}, or use table, json or markdown"),
            (
                self.resume and not saves and self.proof is None,
                "--resume needs --save DIR or --proof FILE: add one of them",
            ),
            (saves and looks_up, "--save cannot be used with --table: remove one of them"),
            (
                saves and engine == "columns" and (by_ply or lines or self.dry_run or self.proof is not None),
                "--save with --engine columns needs one position: remove the other options",
            ),
            (by_ply and self.position is not None, "--by-ply covers all positions: remove the position"),
            (
                self.proof is not None and (by_ply or lines),
                f"--proof needs one position: remove --proof or {'--by-ply' if by_ply else 'the -'}",
            ),
            (
                engine in ("search", "quotient", "threats", "blocking") and (saves or looks_up),
                f"--engine {engine} uses no tables: remove --engine, or remove --save and --table",
            ),
            ("same" in self.given and not by_ply, f"--same {about_all}"),
            *(
                (by_ply and getattr(self, name), f"--{option} needs one position: remove --{option} or --by-ply")
                for name, option in (("line", "line"), ("all_moves", "all-moves"))
            ),
        )

    def _about_searches(self) -> Iterable[tuple[object, str]]:
        form, by_ply, engine, lines = self.form, self.by_ply, self.engine, self.position == "-"
        saves, looks_up = self.save is not None, self.table is not None
        no_search = "--by-ply" if by_ply else "--save" if saves else "--engine retrograde"
        return (
            (
                self.all_moves and (looks_up or engine in ("retrograde", "quotient", "blocking")),
                "--all-moves extends a search, and a table or this engine does not search: remove --all-moves",
            ),
            (
                self.column is not None and form not in ("bfile", "oeis"),
                f"--column cannot be used with --format {form}, which has all columns: use bfile or oeis",
            ),
            (
                by_ply and self.remoteness is not None and not saves,
                "--remoteness and --values-only cannot be used with --by-ply, which counts values: remove them",
            ),
            (
                self.time is not None and (by_ply or (saves and engine != "columns") or engine == "retrograde"),
                f"--time limits a search, and {no_search} does not search: remove --time",
            ),
            (
                lines and "form" in self.given and form != "json",
                f"--format {form} cannot be used with positions from standard input, whose answers are JSON: remove it",
            ),
            *(
                (
                    looks_up and getattr(self, name) is not None,
                    f"--{name}{'/--values-only' * (name == 'remoteness')} cannot be used with --table: remove it",
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
                    f"{names.get(each.field, '--' + each.name.replace('_', '-'))} cannot be used with {board}: "
                    "remove it",
                )
                for each in self.options()
            ),
            (self.form not in _ANSWERS, f"--format {self.form} cannot be used with {board}: use {forms}"),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the value of a position, of many or of all, or the estimate of a table."""
        if is_infinite(self.board):
            from noughts.verbs import infinite

            return infinite.answer(str(self.board), self.proof, caller)
        board = Board.parse(self.board)
        start = Position(board) if self.position is None else None
        if self.position not in (None, "-"):
            start = parse_position(board, self.position).require_reachable()
        path = None
        if self.proof is not None and start is not None:
            from noughts.verbs.solve_proof import proof_path

            path = proof_path(self.proof, start, caller)
        if self.dry_run or self.by_ply or (self.save is not None and self.engine != "columns"):
            from noughts.machine.budget import Limits
            from noughts.verbs import solve_all

            packed, limits = self.remoteness is False, Limits(caller.memory(self.memory))
            if self.save is not None and self.dry_run:
                return solve_all.plan(self.save, board, caller.look, packed=packed, workers=self.workers)
            if self.save is not None:
                workers, folder = caller.workers(self.workers, self.on), Path(self.save)
                solve_all.save(folder, board, self.remoteness, limits, workers, caller.progress, resume=self.resume)
                caller.note(f"wrote {folder}")
                return replace(self, save=None, resume=False, table=self.save, remoteness=None).answer(caller)
            column = self.column or "positions"
            if self.same == "symmetry" and self.engine is None and self.table is None:
                from noughts.solving.published import carried_values

                known = carried_values(board)
                if known is not None:
                    splits, how = known
                    ready = solve_all.ply_forms(board, splits, self.same, caller.look, column=column, carried=how)
                    return VerbAnswer(splits, ready)
            plies = self._plies(board, limits, caller)
            splits = solve_all.splits_of(plies, self.same)
            return VerbAnswer(plies, solve_all.ply_forms(board, splits, self.same, caller.look, column=column))
        return self._answer_lines(board, caller) if start is None else self._answer_one(board, start, path, caller)

    def _plies(self, board: Board, limits: Limits, caller: Caller) -> tuple[PlyValues, ...]:
        from noughts.solving.engines import count_values
        from noughts.solving.problem import Problem

        if self.table is not None:
            return self.solution(board, None, caller).plies()
        problem = Problem(board, None, remoteness=False, counts_only=True)
        return count_values(problem, engine=self.engine, limits=limits, progress=caller.progress)

    def solution(self, board: Board, start: Position | None, caller: Caller, deadline: float | None = None) -> Solution:
        """Return the solution: from --table, else by the cheapest engine."""
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

    def _answer_one(self, board: Board, start: Position, path: Path | None, caller: Caller) -> VerbAnswer:
        from noughts.machine.budget import parse_duration

        deadline = None if self.time is None else time.monotonic() + parse_duration(self.time)
        if self.time is None:
            from noughts.solving.published import known_before

            caller.aside(lambda: known_before(start))
        solution = self.solution(board, start, caller, deadline)
        line = self.line or None
        if self.save is not None:
            from noughts.verbs.solve_all import saving_search

            with saving_search(Path(self.save), solution, resume=self.resume):
                found, written = solution.answer(start, line=line), None
        elif path is None:
            found, written = solution.answer(start, line=line), None
        else:
            from noughts.verbs.solve_proof import saving_proof, write_proof

            with saving_proof(path, start, solution, caller, resume=self.resume):
                found = solution.answer(start, line=line)
                written = write_proof(path, solution, start, deadline, caller)
        found_forms = forms(found, caller.look, line=self.line, all_moves=self.all_moves, proof=written)
        return VerbAnswer(found, found_forms)

    def _answer_lines(self, board: Board, caller: Caller) -> VerbAnswer:
        """Answer every line of standard input; the answer to a bad line is its error, and the exit code is 2."""
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


def valued(moves: Iterable[MoveValue | ValuedMove | PlayedMove], engine: str | None) -> str:
    """Return how that engine found the values of these moves."""
    found = list(moves)
    if engine == "retrograde":
        return "every continuation was valued, backward from the finished games"
    if engine == "columns" and all(move.remoteness is not None for move in found):
        return "by alpha-beta search, which visits one reply where it suffices; see noughts solve"
    if engine == "quotient":
        return "by the product of the elements of the boards; see noughts solve"
    if engine == CARRIED:
        return "from the proof in the package, or by search where the proof gives no value; see noughts solve"
    if all(move.remoteness is not None for move in found):
        return "by search, bounds and pairings, without visiting every continuation; see noughts solve"
    if all(move.outcome is not None for move in found):
        return "by search, which finds the winner and not the number of moves"
    return "by search, within its budget"


def unit(board: Board, moves: Iterable[MoveValue | ValuedMove | PlayedMove]) -> list[str]:
    """Return the sentence on the unit of lengths, if any of these moves has one."""
    untimed = (None, "draw", board.rules.full_wins)
    lengths = any(move.outcome not in untimed and move.remoteness is not None for move in moves)
    return [f"Lengths count {counted(board)}."] if lengths else []


CARRIED = "proof"
"""The engine that looks values up in a proof."""
BY_PLY_CELLS = 25
"""Cells up to which all positions are valued in minutes."""

_GROUPS = {"win": "winning", "draw": "drawing", "loss": "losing", None: ""}
_NAMED = 24
"""Most moves of one value that are listed; JSON lists all."""
_SEARCHING = ("search", "columns", "threats")
"""Engines that value more moves in more time."""


def forms(
    answer: PositionValue, look: Look, *, line: bool = False, all_moves: bool = False, proof: WrittenProof | None = None
) -> Forms:
    """Return the value of a position in every form.

    `line` adds one line of best play, `proof` describes the proof that was written. `all_moves` says that the search
    had no limit on moves.
    """
    certificate = {} if proof is None else {"certificate": proof.as_dict()}
    return {
        "table": lambda: as_text(report(answer, line=line, all_moves=all_moves, proof=proof), look),
        "json": lambda: json.dumps({**answer.as_dict(), **certificate}) + "\n",
        "markdown": lambda: "\n\n".join([_markdown(answer), *([proof.sentence] if proof else [])]) + "\n",
    }


def sentence(answer: PositionValue) -> str:
    """Return who wins and in how many moves, in one or two sentences."""
    board = answer.position.board
    winner = board.rules.name_of("O" if answer.outcome == "O" else "X")
    if answer.position.is_terminal:
        return f"The game is over: {ending(answer.position).replace('the game is drawn:', 'it is a draw, because')}."
    if answer.outcome == "draw":
        if not answer.position.board.lines:
            return "Draw. The board has no line to complete."
        return "Draw. With best play the game fills the board."
    if answer.outcome == answer.position.board.rules.full_wins:
        return f"{winner} wins with best play: the board fills without a line."
    if answer.remoteness is None and answer.at_most is not None:
        return f"{winner} wins with best play, {in_moves(answer.at_most, length_rule(board), at_most=True)}."
    if answer.remoteness is None:
        return f"{winner} wins with best play."
    return f"{winner} wins with best play, {in_moves(answer.remoteness, length_rule(board))}."


def solution_report(solution: Solution) -> Report:
    """Return the report on the start of a solution."""
    return report(solution.answer())


def report(
    answer: PositionValue, *, line: bool = False, all_moves: bool = False, proof: WrittenProof | None = None
) -> Report:
    """Return the report on a position."""
    position = answer.position
    board = position.board
    head = [f"{board}: {sentence(answer)}"]
    if position.is_terminal:
        place = f" '{position}'" if position.ply else ""
        ways = [f"noughts explain {board}{place}", f"noughts openings {board}"]
        return Report.of(
            head, [Verbatim(drawn(position))], [How("a check of every line on the board."), try_next(*ways)]
        )
    decided = "; every line of play ends like this" if answer.decided else ""
    mover = begun(board.rules.name_of(answer.to_move))
    moves: list[Block | str] = [f"{mover} to move{decided}."]
    moves += [Paragraph(group, "  ") for group in grouped_moves(answer)]
    moves += unit(board, answer.moves)
    if line or answer.line is not None:
        moves.append(Paragraph(f"One line of best play: {_line(answer)}", "  "))
    moves += [Paragraph(sentence, "  ") for sentence in _why_drawn(answer)]
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


def _why_drawn(answer: PositionValue) -> list[str]:
    """Return for each player why it cannot force a win, if the empty board is a draw and a short reason is known."""
    if answer.outcome != "draw" or answer.position.ply:
        return []
    from noughts.analysis.explain.openings import why_drawn

    return [f"Why {player} cannot force a win: {why}." for player, why in why_drawn(answer.position.board).items()]


def _next(answer: PositionValue, *, line: bool, all_moves: bool, proved: bool) -> list[str]:
    """Return two commands that continue from the answer."""
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
    """Return for each value the moves that have it, best first, with the number of moves to the end.

    The largest group is summarised where it is too long to list.
    """
    found, board = [], answer.position.board
    counts = Counter(move.value for move in answer.moves)
    crowd = counts.most_common(1)[0][0] if answer.moves else None
    for value, word in _GROUPS.items():
        moves = [move for move in answer.moves if move.value == value]
        if moves:
            timed = not _fills(board, moves[0]) and any(move.remoteness is not None for move in moves)
            if value == crowd and len(moves) > _NAMED and not timed:
                listed = "every blank cell" if len(counts) == 1 else "all others"
            else:
                listed = _by_length(board, moves)
            what = "move" if len(moves) == 1 else "moves"
            if value == answer.value == "loss":  # the position was lost before the move
                found.append(f"{len(moves)} {what}, {'all ' * (len(moves) > 1)}lost: {listed}")
                continue
            unsettled = "not in the proof" if answer.engine == CARRIED else "not settled within the budget"
            noun = f"{word} {what}" if value else f"{what} whose value is {unsettled}"
            found.append(f"{len(moves)} {noun}: {listed}")
    return found


def _fills(board: Board, move: MoveValue) -> bool:
    """Return whether best play after a move fills the board."""
    return move.outcome in ("draw", board.rules.full_wins)


def _by_length(board: Board, moves: Sequence[MoveValue]) -> str:
    """Return moves of one value, grouped by length: `in 2 moves b2; in 3 moves a1, c1`."""
    groups: dict[str, list[str]] = {}
    for move in moves:
        length = (
            "" if move.remoteness is None or _fills(board, move) else in_moves(move.remoteness + 1, length_rule(board))
        )
        groups.setdefault(length, []).append(str(move.cell))
    return "; ".join(f"{length} {', '.join(names)}".strip() for length, names in groups.items())


def _line(answer: PositionValue) -> str:
    if answer.line is None:
        return "not found within the budget"
    return " ".join(map(str, answer.line))


def _markdown(answer: PositionValue) -> str:
    rows = [
        [
            str(move.cell),
            move.value or "-",
            verdict(answer.to_move, answer.outcome, move.outcome, move.remoteness, length_rule(answer.position.board)),
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
