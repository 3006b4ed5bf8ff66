"""The page of a board: who wins, how many games, the empty board to start on, and links to all other pages."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import reduce
from math import gcd
from typing import Any

from noughts.analysis.drawn import DrawnPattern, drawn_classes
from noughts.analysis.explain.openings import why_drawn
from noughts.counting.carried import carried_census
from noughts.counting.census import Census
from noughts.counting.conventions import Answers
from noughts.counting.question import SAMENESSES, Question, Sameness, convention
from noughts.machine.budget import Limits
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.marks import Cell, Player
from noughts.rules.position import Position, parse_game
from noughts.rules.values import begun
from noughts.solving.api import solve
from noughts.solving.bounds import reason_not_to_win
from noughts.solving.published import known_value
from noughts.solving.solution import PositionValue
from noughts.verbs.solve import sentence
from noughts.web.addresses import address, game_slug, read_game, read_position
from noughts.web.boards import Card, board_view, chosen_mark, mark_keys, picture
from noughts.web.links import Links, PageAnswer
from noughts.web.records import plural
from noughts.web.render import beyond_a_page, is_in_reach
from noughts.web.request import DRAWN_CELLS, Ask
from noughts.web.values import known, notes, soon_values_at

_COUNTING = Limits(96_000_000, 2.0)
"""Limits of a page's counts; the page of a larger board names the command instead."""
_GROUP_CELLS = 64
"""Maximum cells for a search of the symmetries of the lines."""
_NAMED = 100
"""Maximum cells for links to positions, whose addresses name every cell; a larger board links to the game."""
_PICTURED = 12
"""Maximum side of a board for a small picture."""
_BOUND_CELLS = 400
"""Maximum cells for an immediate search of why a player cannot win."""

_DRAWS_CELLS = 12
"""Maximum cells for a search of a full board without a line, for a picture."""


_CARDS = (
    ("play", "", "Play", "Against an opponent of any strength, or each other.", 2),
    ("count", "", "How many games?", "Under every convention, each in words.", 1),
    ("openings", "", "Openings", "Every first move and its value.", 1),
    ("match", "", "How often?", "Chances of random players and bots.", 0),
    ("tree", "reduced", "Tree", "The game tree without equivalent boards and forced moves.", 3),
    ("positions", "", "Positions", "All of them, grouped.", 4),
    ("endings", "", "Endings", "How a game can end.", DRAWN_CELLS),
    ("patterns", "", "Draws", "The full boards without a line.", 0),
    ("crib", "", "Crib", "The smallest table that a player needs, to print.", 2),
    ("menace", "", "MENACE", "Matchboxes that learn by their beads.", 1),
    ("puzzles", "", "Puzzles", "Positions with one right move, with hints.", 3),
    ("sheets", "", "Sheets", "Exercises with answers, cards and posters to print.", 1),
    ("blindfold", "", "Blindfold", "What a player can be sure of without seeing.", 0),
)
"""The pages of a board: kind, part, title, description, and the number of moves in the small picture."""


def answer_go(ask: Ask) -> PageAnswer:
    """Return a redirection to the board given in the box `Board`, or in an address, or to a game on it.

    Raises InvalidBoard, InputError for moves that cannot be played.
    """
    board, moves = Board.parse(ask.given("board") or "3x3"), ask.given("moves")
    if moves is None:
        return PageAnswer(location=address(Ask("board", board)))
    return PageAnswer(location=address(Ask("game", board, game_slug(board, parse_game(board, moves)))))


def answer_board(ask: Ask) -> PageAnswer:
    """Return what is known about a board. Every board has this page; its data stay within the budget."""
    board = ask.on

    def data() -> str:
        return json.dumps(solve(board, Position(board)).answer().as_dict()) + "\n"

    return PageAnswer("one-board.html", f"{board}", lambda links: _context(ask, links), {"json": data})


def _context(ask: Ask, links: Links) -> dict[str, Any]:
    board, drawn = ask.on, ask.on.cells <= DRAWN_CELLS
    start, value, counts = Position(board), _value(board), _counts(board) if drawn else {}
    free, places = counts.get("labelled"), chosen_mark(ask, start)
    valued = known(start) if value and board.cells <= _NAMED and not start.is_terminal else None
    return {
        "verdict": _verdict(board, value),
        "count": free and _count_words(free),
        "convention": free and convention(free.question),
        "sentences": valued.sentences if valued else (),
        "view": board_view(
            start,
            to=lambda move: _to_move(start, move, links),
            places=places,
            notes=notes(valued.moves) if valued else None,
            best=valued.marked if valued else (),
            label=f"{board}, the empty board",
            keys={
                "best": links.position(valued.moves[0].after) if valued else None,
                **mark_keys(places, lambda mark: links.page("board", mark=mark)),
            },
            hint=valued.sentences[0] if valued and valued.sentences else "",
        )
        if drawn
        else None,
        "empty": links.position(start) if drawn else None,
        "game": links.game(()) if drawn and links.is_live else None,
        "facts": _facts(board, value, counts),
        "cards": _cards(board, links),
        "beyond": [(title, command) for kind, _, title, _, _ in _CARDS if (command := beyond_a_page(kind, board))],
        "others": _others(board, links),
    }


def outline(ask: Ask, links: Links) -> dict[str, Any]:
    """Return what a page shows while the rest is computed: its position, and what the package carries."""
    board, at = ask.on, _position_of(ask)
    totals: dict[Sameness, Census] = {}
    for same in SAMENESSES if board.cells <= DRAWN_CELLS and not at.ply else ():
        if (carried := carried_census(Question(board, same), 0.0)) is not None:
            totals[same] = carried
    facts = [("Games", "labelled", "finished"), ("Games by choices", "choices", "finished"),
             ("Positions", "labelled", "positions"), ("Position classes", "symmetry", "positions")]  # fmt: skip
    numbers = [(word, getattr(totals[same].totals, column)) for word, same, column in facts if same in totals]
    published = known_value(at) if board.lines else None
    return {
        "known": f"{begun(published)}." if published else "",
        "facts": [(word, f"{number:,}") for word, number in numbers if number is not None],
        "view": board_view(
            at,
            to=lambda cell: None if ask.page in ("game", "play") else _to_move(at, cell, links),
            label=f"{board}, {f'ply {at.ply}' if at.ply else 'the empty board'}",
        )
        if board.cells <= (DRAWN_CELLS if ask.page in ("board", "position", "game", "play") else _NAMED)
        else None,
    }


def _position_of(ask: Ask) -> Position:
    """Return the position that a page is about, the empty board for most."""
    with suppress(InputError):
        if ask.page == "position":
            return read_position(ask.on, ask.what)
        moves = ask.what if ask.page == "game" else ask.given("g") or "-"
        return Position(ask.on) if moves == "-" else reduce(Position.play, read_game(ask.on, moves), Position(ask.on))
    return Position(ask.on)


def _to_move(at: Position, move: Cell, links: Links) -> str | None:
    """Return the link of a move: to the position, or on a large board to the game."""
    return links.position(at.play(move)) if at.board.cells <= _NAMED else links.game((move,))


def _value(board: Board) -> PositionValue | None:
    """Return the value of the empty board; None if a page has no time to find it."""
    if board.cells > DRAWN_CELLS:
        return None
    try:
        return soon_values_at(Position(board)).answer(Position(board), line=False)
    except BudgetError:
        return None


def _verdict(board: Board, value: PositionValue | None) -> str:
    if value is not None:
        return begun(sentence(value))
    if board.cells <= DRAWN_CELLS and not board.lines:
        return "Draw. The board has no line to complete."
    if (published := known_value(Position(board))) is not None:
        return f"{begun(published)}."
    return "Finding who wins with best play takes longer than a page may."


def _counts(board: Board) -> dict[str, Census]:
    """Return the counts of free play for each convention that takes little time."""
    answers, found = Answers(_COUNTING), {}
    for same in SAMENESSES:
        question = Question(board, same)
        try:
            found[str(same)] = answers.census(question)
        except BudgetError:
            if carried := carried_census(question, 0.0):
                found[str(same)] = carried
    return found


def _count_words(census: Census) -> str:
    parts = ((census.totals.finished, "game"), (census.totals.positions, "position"))
    return " and ".join(plural(number, noun) for number, noun in parts if number is not None)


def _facts(board: Board, value: PositionValue | None, counts: dict[str, Census]) -> list[tuple[str, str]]:
    """Return the facts of a board: cells, lines, symmetries, counts, and how we know who wins."""
    if board.cells > DRAWN_CELLS:
        return [("Cells", f"{board.cells:,}"), ("Symmetries", f"{board.group().order:,}")]

    def counted(same: str, column: str) -> str:
        number = getattr(counts[same].totals, column) if same in counts else None
        return "" if number is None else f"{number:,}"

    entries = [
        ("Cells", f"{board.cells:,}"),
        ("Lines", f"{len(board.lines):,}" + (f" of {board.k} cells" if board.k and board.lines else "")),
        ("Edges", "joined: lines continue across them" if board.torus else ""),
        ("Moves", board.rules.difference),
        ("Who completes a line", "loses" if board.misere else ""),
        ("Symmetries", _symmetries(board)),
        ("Games up to symmetry", counted("symmetry", "finished")),
        ("Games by choices", counted("choices", "finished")),
        ("Position classes", counted("symmetry", "positions")),
        ("How we know who wins", value.proof if value else ""),
    ]
    if (
        board.rules.is_marking
        and not board.misere
        and board.lines
        and board.cells <= _BOUND_CELLS
        and not Position(board).is_terminal
    ):
        players: tuple[Player, ...] = ("X", "O")
        drawn = why_drawn(board) if value and value.outcome == "draw" else {}
        reasons = ((player, reason_not_to_win(Position(board), player) or drawn.get(player)) for player in players)
        entries += [(f"Why {player} cannot force a line", why or "") for player, why in reasons]
    return [(word, text) for word, text in entries if text]


def _symmetries(board: Board) -> str:
    own = f"{board.group().order:,}"
    if board.cells > _GROUP_CELLS or not board.lines:
        return own
    try:
        every = board.group("lines").order
    except BudgetError:
        return own
    return own if every == board.group().order else f"{own}; {every:,} that keep the lines"


def _cards(board: Board, links: Links) -> list[Card]:
    """Return the pages of a board, each with a small picture of a game on it."""
    positions = [Position(board)]
    order = _crossing(board) if board.cells <= DRAWN_CELLS else []
    while order and not positions[-1].is_terminal:
        playable = positions[-1].playable
        positions.append(positions[-1].play(next(cell for cell in order if playable >> cell & 1)))
    last = len(positions) - 1

    def drawn(ply: int) -> str:
        rows, columns, layers = board.shape or (1, board.cells, 1)
        return picture(positions[min(ply, last)]) if rows <= _PICTURED and columns * layers <= _PICTURED else ""

    found = _draws(board)
    return [
        Card(
            links.page(kind, what),
            title,
            words,
            picture(found[0].position) if kind == "patterns" and found else drawn(ply),
        )
        for kind, what, title, words, ply in _CARDS
        if is_in_reach(kind, board) and links.page(kind, what) and not (kind == "patterns" and found == ())
    ]


def _draws(board: Board) -> tuple[DrawnPattern, ...] | None:
    """Return the classes of full boards without a line; None where the search takes long."""
    if board.cells > _DRAWS_CELLS or not board.rules.is_marking:
        return None
    try:
        return drawn_classes(board)
    except BudgetError:
        return None


def _crossing(board: Board) -> list[int]:
    """Return the cells in an order that spreads over the board, for a lively picture."""
    cells = board.cells
    step = next(step for step in range(max(2, cells * 2 // 5), cells * 2 + 2) if gcd(step, cells) == 1)
    return [number * step % cells for number in range(cells)]


def _others(board: Board, links: Links) -> list[tuple[str, str | None]]:
    """Return the boards that differ in one rule or side."""
    if board.shape is None or not links.is_live:
        return []
    rows, columns, layers = board.shape
    solid = layers if board.is_solid else None
    flags = {"torus": board.torus, "misere": board.misere, "gravity": board.rules.by_column}
    found = []
    for words, sides, changed in (
        (f"who completes a line {'wins' if board.misere else 'loses'}", (rows, columns), {"misere": not board.misere}),
        (f"edges {'apart' if board.torus else 'joined'}", (rows, columns), {"torus": not board.torus}),
        (
            f"marks {'stay where they are put' if board.rules.by_column else 'fall'}",
            (rows, columns),
            {"gravity": not board.rules.by_column},
        ),
        ("a column more", (rows, columns + 1), {}),
        ("a row more", (rows + 1, columns), {}),
    ):
        with suppress(InputError):
            other = Board.grid(*sides, board.k, solid, **{**flags, **changed})
            found.append((f"{other}: {words}", links.board(other)))
    return found
