"""The smallest table that a player needs, as small boards with a dot on the cell to play, and its card to print."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from datetime import date
from typing import Any, cast

from noughts.analysis.explain.facts import unfinished
from noughts.analysis.puzzles.finding import is_listed, puzzles, theme_named
from noughts.analysis.puzzles.puzzle import ENOUGH_BLANKS, THEMES, Puzzle, Puzzles
from noughts.analysis.solutions import solution_for
from noughts.bots.crib import Crib, CribPair, crib
from noughts.bots.crib_judge import GOALS, CribGoal, CribQuestion
from noughts.drawing.board import thumbnail
from noughts.drawing.figures import marks_of, shape_of
from noughts.drawing.svg import Svg
from noughts.present.report import PIPE
from noughts.present.text import as_text
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.marks import Player, opponent
from noughts.rules.position import Position, parse_position
from noughts.rules.values import drawn
from noughts.solving.solution import Solution
from noughts.verbs.crib import forms, headline, how_to_use, how_we_know, other_count, turns
from noughts.verbs.puzzle import forms as forms_puzzles
from noughts.verbs.puzzle import headline as headline_puzzles
from noughts.verbs.puzzle import how
from noughts.verbs.sheet import PRINTED, printout_of
from noughts.verbs.worksheet import Printout, printout_forms
from noughts.web.boards import named_picture, spoken
from noughts.web.links import Links, PageAnswer
from noughts.web.records import BoardGroup, Drawn
from noughts.web.render import is_in_reach, require_reach
from noughts.web.request import Ask, Unreachable
from noughts.worksheets.sheet import KINDS

_SECONDS = 20.0
"""How long a page looks for a proof."""
_DRAWN = 400


def answer_crib(ask: Ask) -> PageAnswer:
    """Return a crib. Raises Unreachable where its player cannot reach the goal, and BudgetError for large boards."""
    require_reach("crib", ask.on)
    try:
        found = _found(ask, ask.on)
    except InputError as error:
        ways = _ways(ask, ask.on)
        if not ways:
            raise
        raise Unreachable(str(error), ways) from None
    return PageAnswer(
        "crib.html",
        "Crib",
        lambda links: _context(ask, found, links),
        forms(found, replace(PIPE, paper=ask.given("paper"))),
    )


def _found(ask: Ask, board: Board) -> Crib | CribPair:
    return crib(
        board,
        ask.given("from"),
        as_=ask.given("as") or "X",
        opening=ask.given("opening"),
        goal=ask.given("goal") or "never-lose",
        count=ask.given("count") or "own",
        time=_SECONDS,
        progress=ask.progress,
    )


def _ways(ask: Ask, board: Board) -> list[tuple[str, Ask]]:
    """Return the cribs that can be had in place of one that cannot: by player and goal, and by where X opens.

    Nothing where what is asked for cannot be read.
    """
    try:
        start = unfinished(board, ask.given("from"))
        opening = None if ask.given("opening") is None else parse_cell(board, ask.given("opening") or "")
    except InputError:
        return []
    player, goal = ask.given("as") or "X", ask.given("goal") or "never-lose"
    values = solution_for(start)
    opened = None if opening is None or start.ply else cell_name(board, opening)
    others = [name for name in (_openings(board) if not start.ply else ()) if name != opened]
    asked = [
        *((who, aim, opened) for who in ("X", "O") for aim in GOALS),
        *((player, goal, name) for name in others if player != "both"),
    ]
    return [
        (_way(start, who, aim, name), _asked(ask, who, aim, name))
        for who, aim, name in asked
        if _can(values, start, who, aim, name)
    ]


def _way(start: Position, who: str, goal: str, opening: str | None) -> str:
    cell = None if opening is None else parse_cell(start.board, opening)
    question = CribQuestion(start, cast(Player, who), cast(CribGoal, goal), "own", cell)
    return f"{question.where}: {who} {question.does}"


def _openings(board: Board) -> list[str]:
    """Return the first moves up to symmetry."""
    names: dict[tuple[int, int], str] = {}
    for cell in range(board.cells):
        names.setdefault(board.group().canonical(1 << cell, 0), cell_name(board, cell))
    return list(names.values())


def _asked(ask: Ask, who: str, goal: str, opening: str | None) -> Ask:
    """Return the page of another crib."""
    given = {**dict(ask.query), "as": who, "goal": goal, "opening": opening, "paper": None}
    usual = {"as": "X", "goal": "never-lose"}
    kept = {name: text for name, text in given.items() if text is not None and usual.get(name) != text}
    return Ask("crib", ask.board, "", tuple(sorted(kept.items())))


def _context(ask: Ask, found: Crib | CribPair, links: Links) -> dict[str, Any]:
    cribs = found.cribs if isinstance(found, CribPair) else (found,)
    return {
        "cribs": [(crib.player, headline(crib), other_count(crib), _groups(crib, links)) for crib in cribs],
        "how": " ".join(dict.fromkeys(map(how_we_know, cribs))),
        "use": how_to_use(found.board),
        "cards": _cards(ask, links),
        **_choices(found, ask, links),
    }


def _cards(ask: Ask, links: Links) -> list[tuple[str, str]]:
    """Return the card on each paper: its name, and the link."""
    rest = {name: text for name, text in ask.query if name != "paper"}
    papers = [("A6", None), ("A4", "a4")]
    found = [(name, links.page("crib", form="pdf", paper=paper, **rest)) for name, paper in papers]
    return [(name, to) for name, to in found if to is not None]


def _choices(found: Crib | CribPair, ask: Ask, links: Links) -> dict[str, Any]:
    """Return the links to what else may be asked: who plays, towards what, and each opening up to symmetry."""
    first = (found.x if isinstance(found, CribPair) else found).question
    values, board = solution_for(first.start), found.board
    player = ask.given("as") or "X"
    opened = None if first.opening is None else cell_name(board, first.opening)

    def link(who: str, goal: str, opening: str | None) -> str | None:
        if not _can(values, first.start, who, goal, opening):
            return None
        return links.to(_asked(ask, who, goal, opening))

    openings: list[str | None] = [] if first.start.ply else [None, *_openings(board)]
    return {
        "choices": [
            ("You are", player, [(who, link(who, first.goal, opened)) for who in ("X", "O", "both")]),
            ("The goal", first.goal, [(goal, link(player, goal, opened)) for goal in GOALS]),
            (
                "X opens",
                opened or "anywhere",
                [(name or "anywhere", link(player, first.goal, name)) for name in openings],
            ),
        ]
    }


def _can(values: Solution, start: Position, player: str, goal: str, opening: str | None) -> bool:
    """Return whether a player can reach a goal, against best play, after an opening of X."""
    before = values.outcome(start)
    after = before if opening is None else values.outcome(start.play(opening))
    for who in "XO" if player == "both" else player:
        fails = {"never-lose": after == opponent(who), "win": after != who, "perfect": who == "X" and after != before}  # type: ignore[arg-type]
        if fails[goal]:
            return False
    return True


def _groups(crib: Crib, links: Links) -> list[BoardGroup]:
    """Return the entries by turn. Raises BudgetError for more than a page draws."""
    if len(crib.table) > _DRAWN:
        raise BudgetError(
            f"the table has {len(crib.table):,} boards, more than a page draws: take its data, or ask the command line"
        )
    return [
        BoardGroup(name.capitalize(), len(entries), [_drawn(crib, text, cell, links) for text, cell in entries])
        for name, entries in turns(crib)
    ]


def _drawn(crib: Crib, text: str, cell: str, links: Links) -> Drawn:
    at: Position = parse_position(crib.board, text)
    label = f"{text}: play {cell}"
    picture = thumbnail(shape_of(crib.board), marks_of(at), label, call=parse_cell(crib.board, cell))
    return Drawn(picture, links.position(at), "", cell)


# The page of puzzles: positions with one right move, hints to be opened one by one, then the answer and why.

_MOST, _MOST_DRAWN = 60, 12
"""Puzzles that a page waits for: where all are listed, and where they are drawn by lot."""
_SEEDS = 10**6


def answer_puzzles(ask: Ask) -> PageAnswer:
    """Return puzzles. Raises InputError where there are none such, BudgetError for large boards and for many."""
    board = ask.board
    assert board is not None
    _require_some(board)
    daily, given, grade = ask.given("daily"), ask.given("number"), ask.given("grade")
    number = None if given is None else int(given)
    most = _MOST if is_listed(board) else _MOST_DRAWN
    if number is not None and number > most:
        raise BudgetError(f"{number:,} puzzles are more than the {most} that a page waits for: ask the command line")
    about = ask.given("about")
    found = puzzles(
        board,
        number,
        seed=ask.given("seed") or "0",
        theme=None if about is None else theme_named(about),
        grade=None if grade is None else int(grade),
        daily=date.today() if daily == "today" else daily,
        progress=ask.progress,
    )
    return PageAnswer(
        "puzzles.html",
        "Puzzles",
        lambda links: _context_puzzles(ask, found, links),
        forms_puzzles(found, PIPE),
        exact=daily != "today",
    )


def _require_some(board: Board) -> None:
    """Raise where a board has no puzzles, in the words of the command; a link goes to one that has."""
    try:
        if not is_in_reach("puzzles", board):
            puzzles(board, 1)
    except InputError as error:
        usual = Board.parse("3x3")
        raise Unreachable(str(error), [(f"Puzzles on {usual}", Ask("puzzles", usual))]) from None


def _context_puzzles(ask: Ask, found: Puzzles, links: Links) -> dict[str, Any]:
    kept = {name: text for name, text in ask.query if name in ("number", "about", "grade")}
    seed = ask.given("seed") or "0"
    return {
        "headline": headline_puzzles(found),
        "blanks": ENOUGH_BLANKS,
        "how": how(found),
        "puzzles": [_shown(number, each, links) for number, each in enumerate(found, 1)],
        "seed": seed,
        "number": ask.given("number") or "",
        "grade": ask.given("grade") or "",
        "about": ask.given("about") or "",
        "themes": [(theme.rstrip("?").replace(" ", "-"), theme) for theme in THEMES],
        "more": links.page("puzzles", seed=drawn(_SEEDS, f"after {seed}"), **kept),  # type: ignore[arg-type]
        "today": links.page("puzzles", daily="today"),
        "sheet": links.twin("pdf"),
    }


def _shown(number: int, puzzle: Puzzle, links: Links) -> dict[str, Any]:
    after = puzzle.position.play(puzzle.cell)
    return {
        "number": number,
        "picture": named_picture(puzzle.position),
        "said": spoken(puzzle.position),
        "question": puzzle.question,
        "grade": puzzle.grade,
        "hints": puzzle.hints,
        "solved": named_picture(after, [puzzle.cell]),
        "explanation": puzzle.explanation,
        "themes": puzzle.themes,
        "try": links.position(puzzle.position, quiz="1"),
        "explain": links.position(puzzle.position),
    }


# The page of sheets: what is to be printed, its pages as they will be on paper, and the file to print.

"""Exercises that a page waits for: on boards all of whose positions are listed, and on larger ones."""
_SHOWN = 4
"""Pages that are shown before they are printed."""
_PAPER_NAMES = {"a4": "A4", "letter": "US Letter", "a3": "A3", "a2": "A2", "a6": "A6"}
_NEEDS = {"crib": "crib", "labels": "menace"}
"""Sheets that are had of a board where another page is."""
_OTHERS = {
    "crib": "the card that never loses",
    "labels": "labels for matchboxes",
    "poster-classes": "a poster of all boards",
    "poster-endings": "a poster of all endings",
    "poster-tree": "a poster of the reduced tree",
}
"""Cards, labels and posters, one and the same each time, in short."""
assert _OTHERS.keys() == PRINTED.keys() - KINDS.keys()


def answer_sheets(ask: Ask) -> PageAnswer:
    """Return something to print. Raises Unreachable where a board has no such thing, BudgetError for much."""
    board = ask.board
    assert board is not None
    kind, given = ask.given("kind") or "win", ask.given("number")
    if kind in _NEEDS:
        require_reach(_NEEDS[kind], board)
    most = _MOST if is_listed(board) else _MOST_DRAWN
    if given is not None and int(given) > most:
        raise BudgetError(
            f"{int(given):,} exercises are more than the {most} that a page waits for: ask the command line"
        )
    number = None if given is None else int(given)
    try:
        made = printout_of(board, kind, number, ask.given("seed"), progress=ask.progress)
    except InputError as error:
        raise Unreachable(str(error), _ways_sheets(ask, board)) from None
    forms = printout_forms(made, replace(PIPE, paper=ask.given("paper")))
    return PageAnswer("sheets.html", "Sheets to print", lambda links: _context_sheets(ask, made, links), forms)


def _ways_sheets(ask: Ask, board: Board) -> list[tuple[str, Ask]]:
    """Return what can be had instead: blank boards, which every board has, and what is one and the same each time."""
    asked = ask.given("kind") if ask.given("kind") in _OTHERS else None
    return [(PRINTED[kind], Ask("sheets", board, "", (("kind", kind),))) for kind in (asked, "blank") if kind]


def _context_sheets(ask: Ask, made: Printout, links: Links) -> dict[str, Any]:
    kind, paper = ask.given("kind") or "win", ask.given("paper") or made.papers[0]
    pages = made.pages(paper)
    seed = ask.given("seed") or "0"
    kept = {name: text for name, text in ask.query if name in ("kind", "number", "paper")}
    is_drawn = kind in KINDS and kind != "blank"
    return {
        "headline": f"{PRINTED[kind][0].upper()}{PRINTED[kind][1:]}{'' if PRINTED[kind].endswith('?') else '.'}",
        "pages": [_shown_sheets(page) for page in pages[:_SHOWN]],
        "total": len(pages),
        "pdf": links.twin("pdf"),
        "papers": [
            (_PAPER_NAMES[each], _to(links, kind, each if each != made.papers[0] else None, ask), each == paper)
            for each in made.papers
        ],
        "words": as_text(made.report(), PIPE),
        "kind": kind,
        "keyed": is_drawn,
        "worksheets": list(KINDS.items()),
        "others": [(words, _to(links, name, None, None), name == kind) for name, words in _OTHERS.items()],
        "number": ask.given("number") or "",
        "seed": seed,
        "paper": paper,
        "more": links.page("sheets", seed=drawn(_SEEDS, f"after {seed}"), **kept) if is_drawn else None,  # type: ignore[arg-type]
    }


def _to(links: Links, kind: str, paper: str | None, ask: Ask | None) -> str | None:
    """Return the link to a kind of sheet on a paper; with the number and seed of what is asked for, if anything is."""
    rest = {name: text for name, text in ask.query if name in ("number", "seed")} if ask else {}
    return links.page("sheets", kind=kind if kind != "win" else None, paper=paper, **rest)  # type: ignore[arg-type]


def _shown_sheets(page: Svg) -> tuple[str, float, float]:
    """Return a page as the address of a picture that stands in the page itself, its width and its height."""
    return f"data:image/svg+xml;base64,{b64encode(page.encode()).decode()}", page.width, page.height
