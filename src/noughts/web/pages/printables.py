"""Pages to print: the smallest table that a player needs, exercises, cards and posters."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from typing import Any, cast

from noughts.analysis.explain.facts import unfinished
from noughts.analysis.puzzles.finding import is_listed
from noughts.analysis.records.catalogue import about_classes
from noughts.analysis.solutions import solution_for
from noughts.bots.crib import Crib, CribPair
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
from noughts.rules.values import begun, drawn
from noughts.solving.solution import Solution
from noughts.verbs.crib import headline, how_to_use, how_we_know, other_count, turns
from noughts.verbs.sheet import PRINTED, new_seed
from noughts.verbs.worksheet import Printout
from noughts.web.addresses import address, command_of, position_slug
from noughts.web.kinds import answered
from noughts.web.links import Links, PageAnswer
from noughts.web.records import BoardGroup, Drawn
from noughts.web.render import require_reach
from noughts.web.request import Ask, Unreachable, query_of
from noughts.worksheets.sheet import KINDS, THEMED, usual

_PROVABLE = 1_200
"""Most classes of positions for which a proof that takes long may succeed."""
_DRAWN = 400
"""Maximum number of boards that a page draws of a table."""
_MOST, _MOST_DRAWN = 60, 12
"""Maximum number of puzzles or exercises on a page: if all positions are listed, and if they are drawn at random."""
SEEDS = 10**6
"""The number of seeds from which a page takes the next one."""


def answer_crib(ask: Ask) -> PageAnswer:
    """Return a crib. Raises Unreachable where its player cannot reach the goal, and BudgetError for large boards."""
    require_reach("crib", ask.on)
    try:
        found = answered(ask, time="20s" if about_classes(ask.on) <= _PROVABLE else "6s")
    except InputError as error:
        ways = _ways(ask, ask.on)
        if not ways:
            raise
        raise Unreachable(str(error), ways) from None
    return PageAnswer("crib.html", "Crib", lambda links: _context(ask, found.result, links), found.forms)


def _ways(ask: Ask, board: Board) -> list[tuple[str, Ask]]:
    """Return the cribs that exist in place of an impossible one: by player, goal and opening of X.

    Empty if the request cannot be read.
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
    choices = [
        *((who, aim, opened) for who in ("X", "O") for aim in GOALS),
        *((player, goal, name) for name in others if player != "both"),
    ]

    def way(who: str, goal: str, opening: str | None) -> tuple[str, Ask]:
        cell = None if opening is None else parse_cell(board, opening)
        question = CribQuestion(start, cast(Player, who), cast(CribGoal, goal), "own", cell)
        return f"{question.where}: {who} {question.does}", _blindfold_page(ask, who, goal, opening)

    return [way(*each) for each in choices if _can(values, start, *each)]


def _openings(board: Board) -> list[str]:
    """Return the first moves up to symmetry."""
    names: dict[tuple[int, int], str] = {}
    for cell in range(board.cells):
        names.setdefault(board.group().canonical(1 << cell, 0), cell_name(board, cell))
    return list(names.values())


def _blindfold_page(ask: Ask, who: str, goal: str, opening: str | None) -> Ask:
    """Return the page of another crib."""
    player, aim = None if who == "X" else who, None if goal == "never-lose" else goal
    return ask.changed(as_=player, goal=aim, opening=opening, paper=None)


def _context(ask: Ask, found: Crib | CribPair, links: Links) -> dict[str, Any]:
    cribs = found.cribs if isinstance(found, CribPair) else (found,)
    return {
        "cribs": [(crib.player, headline(crib), other_count(crib), _groups(crib, links)) for crib in cribs],
        "how": " ".join(dict.fromkeys(map(how_we_know, cribs))),
        "use": how_to_use(found.board),
        "cards": [(name, links.to(ask.changed(paper=paper).of("pdf"))) for name, paper in (("A6", None), ("A4", "a4"))]
        if links.is_live
        else [],
        "choices": _choices(found, ask, links),
    }


def _choices(found: Crib | CribPair, ask: Ask, links: Links) -> list[tuple[str, str, list[tuple[str, str | None]]]]:
    """Return the links to other cribs: by player, goal, and opening up to symmetry."""
    first = (found.x if isinstance(found, CribPair) else found).question
    values, board = solution_for(first.start), found.board
    player = ask.given("as") or "X"
    opened = None if first.opening is None else cell_name(board, first.opening)

    def link(who: str, goal: str, opening: str | None) -> str | None:
        return (
            links.to(_blindfold_page(ask, who, goal, opening))
            if _can(values, first.start, who, goal, opening)
            else None
        )

    openings: list[str | None] = [] if first.start.ply else [None, *_openings(board)]
    places = [(name or "anywhere", link(player, first.goal, name)) for name in openings]
    return [
        ("You are", player, [(who, link(who, first.goal, opened)) for who in ("X", "O", "both")]),
        ("The goal", first.goal, [(goal, link(player, goal, opened)) for goal in GOALS]),
        ("X opens", opened or "anywhere", places),
    ]


def _can(values: Solution, start: Position, player: str, goal: str, opening: str | None) -> bool:
    """Tell whether a player can reach a goal against best play after an opening of X."""
    before = values.outcome(start)
    after = before if opening is None else values.outcome(start.play(opening))
    for who in "XO" if player == "both" else player:
        fails = {"never-lose": after == opponent(who), "win": after != who, "perfect": who == "X" and after != before}  # type: ignore[arg-type]
        if fails[goal]:
            return False
    return True


def _groups(crib: Crib, links: Links) -> list[BoardGroup]:
    """Return the entries by turn. Raises BudgetError above the limit of a page."""
    if len(crib.table) > _DRAWN:
        raise BudgetError(
            f"the table has {len(crib.table):,} boards, too many for a page: use its data or the command line"
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


def require_few_drawn(ask: Ask, what: str) -> None:
    """Raise BudgetError for more puzzles or exercises than a page has."""
    number, most = int(ask.given("number") or 0), _MOST if is_listed(ask.on) else _MOST_DRAWN
    if number > most:
        raise BudgetError(f"{number:,} {what} are more than the {most} that a page allows: use the command line")


_SHOWN = 4
"""Maximum number of previewed pages."""
_PAPER_NAMES = {"a4": "A4", "letter": "US Letter", "a3": "A3", "a2": "A2", "a6": "A6"}
_NEEDS = {"crib": "crib", "labels": "menace"}
"""Sheets that open another page of the board."""
_OTHERS = {
    "crib": "the card that never loses",
    "labels": "labels for matchboxes",
    "poster-classes": "a poster of all boards",
    "poster-endings": "a poster of all endings",
    "poster-tree": "a poster of the reduced tree",
}
"""Cards, labels and posters without choices, with short names."""
assert _OTHERS.keys() == PRINTED.keys() - KINDS.keys()


def answer_sheets(ask: Ask) -> PageAnswer:
    """Return pages to print. Raises Unreachable if a board has none of them, BudgetError for too many."""
    kind, board = ask.given("kind") or "win", ask.on
    if kind in _NEEDS:
        require_reach(_NEEDS[kind], board)
    require_few_drawn(ask, "exercises")
    if kind in KINDS and kind != "blank" and ask.given("seed") is None:
        seeded = ask.changed(seed=new_seed() if ask.form == "html" else "0")  # an address always gives the same sheet
        if ask.form == "html":
            return PageAnswer(location=address(seeded))
        ask = seeded
    try:
        found = answered(ask, _code_of(ask, kind))
    except InputError as error:
        instead = [kind] * (kind in _OTHERS) + ["blank"]
        ways = [(PRINTED[each], Ask("sheets", board, "", (("kind", each),))) for each in instead]
        raise Unreachable(str(error), ways) from None
    return PageAnswer(
        "sheets.html",
        "Sheets to print",
        lambda links: _context_sheets(ask, found.result, links),
        found.forms,
        command=command_of(ask),
    )


_EXPLORED = {
    "tree": Ask("tree", what="reduced"),
    "same": Ask("same"),
    "blindfold": Ask("blindfold"),
    "poster-classes": Ask("positions"),
    "poster-endings": Ask("endings"),
}
"""The pages where a sheet without puzzles can be explored; the others are about positions to set up."""


def _code_of(ask: Ask, kind: str) -> str:
    """Return where the code on a sheet leads: to its puzzles, or to where it is explored, but not to its answers.

    Empty without a public address.
    """
    if not ask.public:
        return ""
    if kind == "win" or kind in THEMED:
        theme = {"goal": "win"} if kind == "win" else {"about": kind}
        number = ask.given("number") or str(usual(kind))
        query = query_of({**theme, "number": number, "seed": ask.given("seed") or "0", "try": 1})
        return ask.public + address(Ask("puzzles", ask.on, "", query))
    empty = Ask("position", what=position_slug(Position(ask.on)))
    return ask.public + address(replace(_EXPLORED.get(kind, empty), board=ask.on))


def _context_sheets(ask: Ask, made: Printout, links: Links) -> dict[str, Any]:
    kind, paper = ask.given("kind") or "win", ask.given("paper") or made.papers[0]
    pages = made.pages(paper)
    seed = ask.given("seed") or "0"
    is_drawn = kind in KINDS and kind != "blank"
    return {
        "headline": f"{begun(PRINTED[kind])}{'' if PRINTED[kind].endswith('?') else '.'}",
        "pages": [_shown_sheets(page) for page in pages[:_SHOWN]],
        "total": len(pages),
        "pdf": links.twin("pdf"),
        "papers": [
            (_PAPER_NAMES[each], links.to(ask.changed(paper=each if each != made.papers[0] else None)), each == paper)
            for each in made.papers
        ],
        "words": as_text(made.report(), PIPE),
        "kind": kind,
        "keyed": is_drawn,
        "worksheets": list(KINDS.items()),
        "others": [(words, links.page("sheets", kind=name), name == kind) for name, words in _OTHERS.items()],
        "number": ask.given("number") or "",
        "seed": seed,
        "paper": paper,
        "more": links.to(ask.changed(seed=drawn(SEEDS, f"after {seed}"))) if is_drawn else None,
    }


def _shown_sheets(page: Svg) -> tuple[str, float, float]:
    """Return a page as a picture in a data address, with its width and height."""
    return f"data:image/svg+xml;base64,{b64encode(page.encode()).decode()}", page.width, page.height
