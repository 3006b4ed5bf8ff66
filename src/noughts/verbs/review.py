"""`noughts review`: a game move by move, with its mistakes, better moves, and reasons."""

from __future__ import annotations

from dataclasses import dataclass, replace

from noughts.analysis.explain.mistakes import PlayedMove
from noughts.analysis.explain.refutation import refutation
from noughts.analysis.explain.review import Review, review
from noughts.analysis.policies.playing import HUMAN, OPPONENT
from noughts.drawing.figures import lines_of, marks_of, shape_of, turn_words
from noughts.drawing.sheets import SheetBoard, SheetSection
from noughts.present.forms import Forms, markdown, report_forms, sheet_forms
from noughts.present.report import Block, How, Look, Paragraph, Report, Table, Verbatim, try_next
from noughts.present.text import drawn
from noughts.rules.board import Board
from noughts.verbs.request import PICTURES, Caller, VerbAnswer, VerbRequest, argument
from noughts.verbs.solve import unit, valued


@dataclass(frozen=True, kw_only=True)
class ReviewRequest(VerbRequest):
    """Review of MOVES on BOARD: the value of each move, the mistakes, better moves, and reasons.

    MOVES are written in order, X first: a1 b2 c3. The game does not have to be finished.
    """

    forms = ("table", "json", "markdown", *PICTURES)
    papers = ("a4", "letter", "a3")
    paper_help = "Paper of a PDF (default: a4)"

    board: str | Board = argument()
    moves: tuple[str, ...] = argument("MOVES", ())

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the review."""
        found = review(self.board, " ".join(self.moves))
        return VerbAnswer(found, forms(found, caller.look))


_SHORT = 40
"""Most characters of moves in a command."""

_NEXT = ("explain {0} {1}", "review {0} {1} -o game.svg")


def forms(found: Review, look: Look) -> Forms:
    """Return a review in every form; the picture shows the board and the effect of each move."""
    return {
        **report_forms(lambda: report(found), found.as_dict, look),
        "markdown": lambda: markdown(report(found)),
        **sheet_forms(
            lambda: (shape_of(found.board), [_strip(found)], headline(found)), replace(look, paper=look.paper or "a4")
        ),
    }


def headline(found: Review) -> str:
    """Return the result of the game, or its value."""
    many = len(found.cells)
    stop = "." if found.outlook.startswith("The ") else ":"
    return f"{found.board}, {many} move{'s' * (many != 1)}{stop} {found.outlook}"


def report(found: Review) -> Report:
    """Return the report on a game."""
    lessons: list[list[Block | str]] = []
    for lesson in found.lessons:
        why = [Paragraph(" ".join(lesson.why), "  ", "  ")] if lesson.why else []
        before = f"Before move {lesson.number}, {turn_words(lesson.before)}:"
        lessons.append([before, Verbatim(drawn(lesson.before)), *why])
    text = " ".join(move.name for move in found.moves)
    commands = [f"noughts {verb.format(found.board, text)}" for verb in _NEXT] if len(text) <= _SHORT else []
    if commands and found.lessons:
        commands[0] = again(found, found.lessons[-1])
    return Report.of(
        [headline(found), *found.sentences],
        [_table(found), *unit(found.board, found.moves)],
        *lessons,
        [How(f"{valued(found.moves, found.engine)}."), *([try_next(*commands)] if commands else [])],
    )


def again(found: Review, lesson: PlayedMove) -> str:
    """Return the command that plays on from before a mistake, as the player who made it."""
    moves = " ".join(move.name for move in found.moves[: lesson.number - 1])
    sides = "" if lesson.player == "X" else f" --x {OPPONENT} --o {HUMAN}"
    return f"noughts play {found.board} {moves}".rstrip() + sides


def _table(found: Review) -> Table:
    rows = [[f"{move.number}", _who(move), move.name, move.verdict, _better(move)] for move in found.moves]
    return Table(["no.", "who", "move", "what it did", "better"], rows, frozenset({1, 2, 3, 4}))


def _who(move: PlayedMove) -> str:
    return move.before.board.rules.labels[move.player == "O"]


def _better(move: PlayedMove) -> str:
    """Return the better moves for a mistake, or those that delay a lost game longer."""
    return move.better_words or "not found" if move.is_mistake else move.longer_words


def _strip(found: Review) -> SheetSection:
    boards, named = [], found.board.shape is not None
    for move in found.moves:
        after = found.positions[move.number]
        better = [f"better: {_better(move)}"] if move.is_mistake else []
        captions = [f"{move.number}. {_who(move)} {move.name}", move.verdict, *better]
        arrows = refutation(after).arrows if move.is_mistake and move.outcome != "draw" else ()
        boards.append(SheetBoard(marks_of(after), captions, lines_of(after), named=named, arrows=arrows))
    return SheetSection("", boards)
