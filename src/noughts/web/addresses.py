"""How things are spelt in addresses: boards, positions, games, parameters. Reading refuses with one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, quote, urlencode

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError, shown
from noughts.domain.notation import parse_game
from noughts.domain.position import Position
from noughts.domain.spelling import offered, plain
from noughts.web.ask import MEDIA, Ask, Form
from noughts.web.errors import NotFound
from noughts.web.kind import Kind, Parameter
from noughts.web.kinds import KINDS
from noughts.web.limits import ADDRESS

__all__ = [
    "address",
    "board_slug",
    "framed_as",
    "game_slug",
    "position_slug",
    "read_address",
    "read_board",
    "read_game",
    "read_position",
]

_PARAMETERS = 50
_FRAME = "/embed"
"""What goes before the address of a page that is to stand in a frame on somebody else's page."""


def board_slug(board: Board) -> str:
    """Return a board as it stands in addresses: its specification, without `:K` where that is the shortest side."""
    specification = board.specification
    if specification is None:
        return quote(board.spec, safe="+:")
    return (
        board.spec.replace(f":{specification.k}", "", 1) if specification.k == min(specification.sides) else board.spec
    )


def position_slug(position: Position) -> str:
    """Return a position as it stands in addresses: rows joined by -, layers by --, _ for a blank."""
    return str(position).replace("|", "--").replace("/", "-").replace(".", "_")


def game_slug(board: Board, cells: Iterable[Cell]) -> str:
    """Return the moves of a game as they stand in addresses: `a1-b2-c3`."""
    return "-".join(cell_name(board, cell) for cell in cells)


def read_board(text: str) -> Board:
    """Return the board of an address. Raises NotFound."""
    try:
        return Board.parse(text)
    except InputError as error:
        raise NotFound(str(error)) from None


def read_position(board: Board, slug: str) -> Position:
    """Return the position of an address, which play can reach. Raises NotFound."""
    from noughts.domain.notation import parse_position

    try:
        text = slug.replace("--", "|").replace("-", "/") if "/" not in slug else slug
        return parse_position(board, text.replace("_", ".")).require_reachable()
    except InputError as error:
        raise NotFound(str(error).replace(shown(text), shown(slug))) from None


def read_game(board: Board, slug: str) -> tuple[Cell, ...]:
    """Return the moves of an address. Raises NotFound."""
    try:
        return parse_game(board, slug.replace("-", " "))
    except InputError as error:
        raise NotFound(str(error).replace(shown(slug.replace("-", " ")), shown(slug))) from None


_WITHOUT_MOVES = re.compile(r"/+([^/]+)/+[pg]/*")
"""Where an address of a position or game ends here, there is none: the way leads to the board."""


def read_address(path: str, query: str = "") -> Ask:
    """Return what an address asks for: `/3x3/count.json` and `same=choices`.

    The path is percent-decoded already, the query is not. Raises NotFound for what has no page, InputError for
    parameters that make no sense.
    """
    framed = path == _FRAME or path.startswith(f"{_FRAME}/")
    place = path.removeprefix(_FRAME) if framed else path
    if (board_of := _WITHOUT_MOVES.fullmatch(place)) is not None:
        found = dict(_read_query(KINDS["go"], query)) | {"board": board_slug(read_board(board_of[1]))}
        return Ask("go", None, "", tuple(sorted(found.items())), "html", framed)
    kind, board, what, form = _read_path(place)
    return Ask(kind.name, board, what, _read_query(kind, query), form, framed and form == "html")


def _read_path(path: str) -> tuple[Kind, Board | None, str, Form]:
    for form in MEDIA:
        if path.endswith(f".{form}") and form != "html":
            return *_read_place(path[: -len(form) - 1], form), form  # type: ignore[return-value]
    return *_read_place(path, "html"), "html"


def _read_place(path: str, form: str) -> tuple[Kind, Board | None, str]:
    pieces = [piece for piece in path.split("/") if piece]
    for kind in KINDS.values():
        parts = [part for part in kind.path.split("/") if part]
        if len(parts) == len(pieces) and all(p == q or p[0] == "{" for p, q in zip(parts, pieces, strict=True)):
            found = dict(zip(parts, pieces, strict=True))
            if form != "html" and form not in kind.forms:
                ways = ", ".join(f".{each}" for each in kind.forms) or "no other form"
                raise NotFound(f"{shown(path)} is not to be had as .{form}: there is the page, and {ways}")
            if "{what}" in found and kind.whats and found["{what}"] not in kind.whats:
                raise NotFound(f"there is no {kind.title.lower()} {shown(found['{what}'])}: {', '.join(kind.whats)}")
            board = read_board(found["{board}"]) if "{board}" in found else None
            return kind, board, found.get("{what}", "")
    raise NotFound(f"there is no page {shown(path)}: begin at / or at a board such as /3x3")


def _read_query(kind: Kind, query: str) -> tuple[tuple[str, str], ...]:
    if len(query) > ADDRESS:
        raise InputError(f"the address is longer than {ADDRESS:,} characters: ask for less at once")
    if query.count("&") >= _PARAMETERS:
        raise InputError(f"the address has more than {_PARAMETERS} parameters: ask for less at once")
    known = {parameter.name: parameter for parameter in kind.parameters}
    found: dict[str, str] = {}
    for name, text in parse_qsl(query, keep_blank_values=True):
        if name not in known:
            there = f"there are {offered(name, known)}" if known else "there are none"
            raise InputError(f"{kind.path.rpartition('/')[2]} has no parameter {shown(name)}: {there}")
        if name in found:
            raise InputError(f"the parameter {name} is given twice: give it once")
        value = _read_parameter(known[name], text)
        if value is not None:
            found[name] = value
    return tuple(sorted(found.items()))


def _read_parameter(parameter: Parameter, text: str) -> str | None:
    """Return a parameter in its one spelling; None where it has its usual value or is empty."""
    text = plain(text).strip()
    if not text or text == parameter.usual:
        return None
    if parameter.kind == "choice":
        by_lower = {choice.lower().replace("_", "-"): choice for choice in parameter.choices}
        choice = by_lower.get(text.lower().replace("_", "-"))
        if choice is None and text.lower() in (refused := dict(parameter.refused)):
            raise InputError(refused[text.lower()])
        if choice is None and parameter.bots:
            return text
        if choice is None:
            raise InputError(f"{shown(text)} is no {parameter.name}: there are {offered(text, parameter.choices)}")
        return None if choice == parameter.usual else choice
    if parameter.kind == "flag":
        if text.lower() in ("0", "false", "no", "off"):
            return None
        if text.lower() not in ("1", "true", "yes", "on"):
            raise InputError(f"{parameter.name} is 1 or left out, not {shown(text)}")
        return "1"
    if parameter.kind == "number":
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            raise InputError(f"{parameter.name} is a number such as 3, not {shown(text)}")
        return str(int(text))
    return text


def address(ask: Ask) -> str:
    """Return the address of what is asked for, from the root of the server, ready to stand in a link."""
    path = KINDS[ask.page].path
    if ask.board is not None:
        path = path.replace("{board}", board_slug(ask.board))
    path = path.replace("{what}", quote(ask.what, safe="-_+.,"))
    ending = "" if ask.form == "html" else f".{ask.form}"
    return framed_as(ask, path) + ending + (f"?{urlencode(ask.query)}" if ask.query else "")


def framed_as(ask: Ask, path: str) -> str:
    """Return the path of a page that stands in a frame if this one does."""
    return _FRAME + path if ask.framed else path
