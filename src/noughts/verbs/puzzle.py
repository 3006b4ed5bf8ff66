"""`noughts puzzle`: positions with one right move, with hints and separate answers, as text, JSON or pages."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from noughts.analysis.explain.wording import how_it_goes, listed
from noughts.analysis.puzzles.finding import USUAL_PUZZLES, puzzles
from noughts.analysis.puzzles.puzzle import ENOUGH_BLANKS, THEMES, Puzzle, Puzzles
from noughts.drawing.figures import lines_of, marks_of, part_of, shape_of
from noughts.drawing.paper import GAP, Leaf, leaf_pages, leaf_room
from noughts.drawing.sheets import SheetBoard, SheetSection, draw_sheet
from noughts.drawing.svg import Svg
from noughts.drawing.tasks import PrintedTask, TaskBoard, TaskLook, columns_for, task_block
from noughts.present.forms import Forms, chart_forms, report_forms
from noughts.present.report import Block, How, Look, Paragraph, Report, Verbatim, try_next, typed
from noughts.present.text import drawn
from noughts.rules.board import Board
from noughts.rules.values import begun
from noughts.verbs.request import PICTURES, Caller, VerbAnswer, VerbRequest, argument, option


@dataclass(frozen=True, kw_only=True)
class PuzzleRequest(VerbRequest):
    """Positions of BOARD in which only one move wins, or only one does not lose; --answers gives the answers.

    All puzzles differ, also when turned or mirrored. -o sheet.pdf gives pages to print.
    """

    forms = ("table", "json", "jsonl", *PICTURES)
    papers = ("a4", "letter", "a3")
    paper_help = "Paper of a PDF (default: a4)"

    board: str | Board = argument(default="3x3")
    number: int | None = option("Number of puzzles", least=1, metavar="N", usual="6, or all; 1 for a day")
    seed: str = option("Random seed", "0", metavar="TEXT")
    about: str | None = option("Theme", choices=tuple(each.replace(" ", "-").rstrip("?") for each in THEMES))
    grade: int | None = option("Grade of difficulty, 1 for the easiest", least=1, metavar="G")
    goal: str | None = option("Goal", choices=("win", "not-lose"))
    daily: str | None = option("Puzzle of today, or of a date year-month-day", bare="today", metavar="[DATE]")
    hints: int = option("Number of hints", 0, least=0, most=3, metavar="N", where="commands")
    answers: bool = option("Answers after the puzzles", False, where="commands")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        return (
            (self.daily is not None and "seed" in self.given, "--daily cannot be used with --seed: remove one of them"),
            (self.hints and self.form != "table", "--hints needs --format table; json has all hints"),
            (self.answers and self.form != "table", "--answers needs --format table; other formats have the answers"),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the puzzles."""
        found = puzzles(
            self.board,
            self.number,
            goal=None if self.goal is None else self.goal.replace("-", " "),
            daily=date.today().isoformat() if self.daily == "today" else self.daily,
            progress=caller.progress,
            theme=self.about,
            **self.parts("seed", "grade"),
        )
        return VerbAnswer(found, forms(found, caller.look, hints=self.hints, answers=self.answers))


_SHORT = 20
"""Most characters of a position in a command."""


def forms(found: Puzzles, look: Look, *, hints: int = 0, answers: bool = False) -> Forms:
    """Return puzzles in every form; text has `hints` hints below each, and `answers` on request; pages have them."""

    def sheet() -> Svg:
        answers = SheetSection("Answers", [_solved(number, each) for number, each in enumerate(found, 1)])
        return draw_sheet(shape_of(found.board), [_questions(found), answers], headline(found), look.theme)

    return {
        **report_forms(lambda: report(found, hints=hints, answers=answers), found.as_dict, look),
        "jsonl": lambda: "".join(json.dumps(each.as_dict()) + "\n" for each in found),
        **chart_forms(sheet, lambda paper: _printed(found, paper, look), look=replace(look, paper=look.paper or "a4")),
    }


def headline(found: Puzzles) -> str:
    """Return the number of puzzles, their kind and their seed or date."""
    many = len(found)
    kind = (
        f"puzzle{'s' * (many != 1)} on {found.board}"
        + (f" with the theme {found.theme}" if found.theme else "")
        + (f", of grade {found.grade}" if found.grade is not None else "")
        + (f", with the goal to {found.goal}" if found.goal is not None else "")
    )
    if found.date is not None:
        return f"The puzzle of {found.date} on {found.board}." if many == 1 else f"{many:,} {kind}, of {found.date}."
    order = "" if many == 1 or found.grade is not None else ", the easiest first"
    every = "the only one" if many == 1 else "all that exist"
    there = f", {every} up to symmetry" if many == found.there else ""
    return f"{many:,} {kind}{there}{order} (seed {found.seed})."


def how(found: Puzzles) -> str:
    """Return how each solution is known to be the only one, and how many such puzzles exist."""
    if found.there is None:
        drawn = f"positions of random games, with {ENOUGH_BLANKS}"
        return f"{drawn}; a search followed every line of play after each move to its end."
    if found.there == 1:
        return f"every position was valued; up to symmetry 1 such puzzle exists, with {ENOUGH_BLANKS}."
    there = f"{found.there:,} such puzzles, all with {ENOUGH_BLANKS}"
    return f"every position was valued; the total up to symmetry is {there}."


def report(found: Puzzles, *, hints: int = 0, answers: bool = False) -> Report:
    """Return the report: the puzzles, with hints, and then on request the answers with explanations."""
    sections: list[list[Block | str]] = []
    for number, each in enumerate(found, 1):
        hint_lines = [Paragraph(f"Hint {i}: {hint}", "  ", "  ") for i, hint in enumerate(each.hints[:hints], 1)]
        sections.append(
            [f"{number}. {each.question} (grade {each.grade})", Verbatim(drawn(each.position)), *hint_lines]
        )
    at = str(found[0].position)
    explained = [f"noughts explain {found.board} '{at}'"] if len(at) <= _SHORT else []
    solved = [Paragraph(f"{n}. {' '.join(each.explanation)} {_about(each)}", "   ") for n, each in enumerate(found, 1)]
    return Report.of(
        [headline(found)],
        *sections,
        ["Answers", *solved] if answers else [],
        [
            How(how(found)),
            try_next(
                f"{_command(found)} {'-o sheet.pdf' if answers else '--answers'}",
                *(explained if answers or hints else [f"{_command(found)} --hints 3"]),
            ),
        ],
    )


def _command(found: Puzzles) -> str:
    """Return the command that gives the same puzzles."""
    daily = found.date is not None
    usual = 1 if daily else min(USUAL_PUZZLES, found.there or USUAL_PUZZLES)
    return f"noughts puzzle {found.board}" + typed(
        ("daily", found.date, None),
        ("number", len(found), usual),
        ("seed", "0" if daily else shlex.quote(found.seed), "0"),
        ("about", (found.theme or "").rstrip("?").replace(" ", "-"), ""),
        ("grade", found.grade, None),
        ("goal", (found.goal or "").replace(" ", "-"), ""),
    )


def _about(puzzle: Puzzle) -> str:
    """Return the themes in brackets, or nothing."""
    return f"({listed(list(puzzle.themes))})" if puzzle.themes else ""


def _goal(puzzle: Puzzle) -> str:
    mover = begun(puzzle.board.rules.name_of(puzzle.to_move))
    return f"{mover} to move and {'win' if puzzle.goal == 'win' else 'not lose'}"


def _printed(found: Puzzles, paper: str, look: Look) -> list[Svg]:
    """Return the puzzles on pages with room to draw, and the answers on separate pages."""
    room, shape = leaf_room(paper), shape_of(found.board)
    exercises = [
        PrintedTask(number, f"{_goal(each)} (grade {each.grade})", [TaskBoard(marks_of(each.position))])
        for number, each in enumerate(found, 1)
    ]
    solved = []
    for number, each in enumerate(found, 1):
        after = each.position.play(each.cell)
        board = TaskBoard(marks_of(after), each.cell.cell, lines_of(after))
        solved.append(PrintedTask(number, f"{each.explanation[0]} {_about(each)}".rstrip(), [board]))
    made: list[Svg] = []
    foot = f"{_command(found)}{'' if paper == 'a4' else f' --paper {paper}'} -o sheet.pdf"
    title, words = headline(found), [_questions(found).heading]
    for head, heading, tasks, cell, size, below, link in (
        (title, words, exercises, 46.0, 15.0, "", look.link),  # the command would give the pupils the answers
        (f"{title} Answers.", (), solved, 30.0, 12.5, foot, ""),
    ):
        plan = TaskLook(shape, cell, size, joined=found.board.torus, part=part_of(found.board))
        columns = columns_for(plan, 1, room.width, GAP)
        blocks = [task_block(task, plan, room.column(columns)) for task in tasks]
        leaf = Leaf(head, heading, foot=below, blocks=blocks, columns=columns, link=link)
        made += leaf_pages(leaf, paper, look.theme)
    return made


def _questions(found: Puzzles) -> SheetSection:
    boards = [
        SheetBoard(marks_of(each.position), [f"{number}. {_goal(each)}", f"grade {each.grade}"])
        for number, each in enumerate(found, 1)
    ]
    rule = f"{how_it_goes(found.board)} ".lstrip()
    return SheetSection(f"{rule}One move alone does it: which?", boards)


def _solved(number: int, puzzle: Puzzle) -> SheetBoard:
    after = puzzle.position.play(puzzle.cell)
    return SheetBoard(
        marks_of(after), [f"{number}. {puzzle.explanation[0].rstrip('.')}", *puzzle.themes[:1]], lines_of(after)
    )
