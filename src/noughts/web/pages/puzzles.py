"""Puzzles: a set of them with hints and answers, and one at a time on the board, which says right or why not."""

from __future__ import annotations

from datetime import date
from typing import Any

from noughts.analysis.explain.explanation import explain, reason
from noughts.analysis.puzzles.finding import puzzles
from noughts.analysis.puzzles.puzzle import ENOUGH_BLANKS, THEMES, Puzzle, Puzzles
from noughts.rules.board import Board
from noughts.rules.cells import Move, parse_move
from noughts.rules.errors import InputError
from noughts.rules.marks import Cell, opponent
from noughts.rules.values import begun, drawn
from noughts.verbs.puzzle import headline, how
from noughts.web.addresses import address
from noughts.web.boards import board_view, chosen_mark, mark_keys, named_picture
from noughts.web.kinds import answered
from noughts.web.links import Links, PageAnswer
from noughts.web.pages.printables import SEEDS, require_few_drawn
from noughts.web.render import is_in_reach
from noughts.web.request import Ask, Unreachable, query_of


def answer_puzzles(ask: Ask) -> PageAnswer:
    """Return puzzles. Raises InputError if there are none, BudgetError for large boards or many puzzles."""
    _require_some(ask.on)
    require_few_drawn(ask, "puzzles")
    found, is_exact = answered(ask, _code_of(ask)), ask.given("daily") != "today"
    if (number := int(ask.given("try") or 0)) and ask.form == "html":
        if number > len(found.result):
            raise InputError(f"puzzle {number} does not exist: choose 1 to {len(found.result)}")
        tried = found.result[number - 1]
        move = parse_move(ask.on, ask.given("move") or "") if ask.given("move") else None
        if move is not None and not tried.position.playable >> move & 1:
            raise InputError(f"{ask.given('move')} is not a move of this puzzle: choose a blank cell")
        return PageAnswer(
            "puzzle.html", "Puzzle", lambda links: _tried(ask, found.result, number, move, links), exact=is_exact
        )
    return PageAnswer(
        "puzzles.html", "Puzzles", lambda links: _context(ask, found.result, links), found.forms, exact=is_exact
    )


def _code_of(ask: Ask) -> str:
    """Return where the code on the printed puzzles leads: to the first on the board; empty without a public address."""
    return ask.public and ask.public + address(ask.changed(**{"try": 1}, move=None, daily=_day(ask)))


def _day(ask: Ask) -> str | None:
    """Return the day of a daily puzzle as a date, None for others."""
    return date.today().isoformat() if ask.given("daily") == "today" else ask.given("daily")


def _require_some(board: Board) -> None:
    """Raise the command's error if a board has no puzzles, with a link to a board that has some."""
    try:
        if not is_in_reach("puzzles", board):
            puzzles(board, 1)
    except InputError as error:
        usual = Board.parse("3x3")
        raise Unreachable(str(error), [(f"Puzzles on {usual}", Ask("puzzles", usual))]) from None


def _context(ask: Ask, found: Puzzles, links: Links) -> dict[str, Any]:
    seed = ask.given("seed") or "0"
    return {
        "headline": headline(found),
        "blanks": ENOUGH_BLANKS,
        "how": how(found),
        "puzzles": [_shown(ask, number, each, links) for number, each in enumerate(found, 1)],
        "seed": seed,
        "number": ask.given("number") or "",
        "grade": ask.given("grade") or "",
        "about": ask.given("about") or "",
        "themes": [(theme.rstrip("?").replace(" ", "-"), theme) for theme in THEMES],
        "more": _others(ask, links),
        "today": links.to(Ask("puzzles", ask.on, "", query_of({"daily": "today", "try": 1}))),
        "sheet": links.twin("pdf"),
    }


def _others(ask: Ask, links: Links, **more: int | None) -> str | None:
    """Return the link to the next set of puzzles."""
    seed = drawn(SEEDS, f"after {ask.given('seed') or '0'}")
    return links.to(ask.changed(seed=seed, daily=None, **more))


def _shown(ask: Ask, number: int, puzzle: Puzzle, links: Links) -> dict[str, Any]:
    after = puzzle.position.play(puzzle.cell)
    return {
        "number": number,
        "picture": named_picture(puzzle.position),
        "question": puzzle.question,
        "grade": puzzle.grade,
        "hints": puzzle.hints,
        "solved": named_picture(after, [puzzle.cell]),
        "explanation": puzzle.explanation,
        "themes": puzzle.themes,
        "try": links.to(ask.changed(**{"try": number, "move": None})) if links.is_live else None,
        "explain": links.position(puzzle.position),
    }


def _tried(ask: Ask, found: Puzzles, number: int, move: Cell | None, links: Links) -> dict[str, Any]:
    """Return one puzzle on the board; after a move what it does and why, and the best reply to it.

    Every move that keeps the value is right.
    """
    puzzle = found[number - 1]

    def to(cell: Cell | None, at: int = number) -> str | None:
        name = None if cell is None else str(Move(found.board, cell))
        return links.to(ask.changed(**{"try": at, "move": name}))

    is_last = number == len(found)
    played, right = [] if move is None else [Move(found.board, move)], False
    position, says = puzzle.position, list[str]()
    if move is not None:
        valued = next(each for each in puzzle.facts.moves if each.cell == move)
        right = valued.outcome == puzzle.facts.outcome
        says = [
            f"{'Right' if right else 'No'}: {played[0]} {puzzle.facts.verdict(valued)}.",
            reason(puzzle.facts, valued),
        ]
        position = position.play(move)
        if not position.is_terminal:
            reply = explain(found.board, position, solution=puzzle.solution).best_moves[0]
            played.append(Move(found.board, reply.cell))
            position = position.play(reply.cell)
            if right or not says[1]:
                other = begun(found.board.rules.name_of(opponent(puzzle.to_move)))
                says.insert(1, f"{other} replies with {played[1]}.")
    label = f"Puzzle {number}, {puzzle.question}"
    places = chosen_mark(ask, position) if move is None else ""
    return {
        "number": number,
        "of": len(found),
        "puzzle": puzzle,
        "view": board_view(
            position,
            to=to if move is None else lambda cell: None,
            last=played[-1] if played else None,
            places=places,
            label=label,
            live=" ".join(filter(None, says)),
            keys={
                "undo": to(None) if played else None,
                **mark_keys(places, lambda mark: links.to(ask.changed(mark=mark))),
            },
        ),
        "says": [sentence for sentence in says if sentence],
        "right": right,
        "daily": _day(ask) or "",
        "kept_as": links.to(ask.changed(move=None, daily=_day(ask))),
        "again": to(None),
        "next": _others(ask, links, **{"try": 1, "move": None}) if is_last else to(None, number + 1),
        "all": links.to(ask.changed(**{"try": None, "move": None})),
        "explain": links.position(puzzle.position),
    }
