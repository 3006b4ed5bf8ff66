"""Addresses of pages: how they write boards, positions, games and parameters. A wrong address gets one sentence."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from urllib.parse import parse_qsl, quote, urlencode

from noughts.rules.arguments import offered, plain
from noughts.rules.board import Board, require_playable
from noughts.rules.cells import move_name
from noughts.rules.errors import InputError, NoughtsError, shown
from noughts.rules.marks import Cell
from noughts.rules.position import Position, parse_game, parse_position
from noughts.verbs.request import Option
from noughts.web.kinds import KINDS, RULE_NAMES, Kind
from noughts.web.request import ADDRESS, DRAWN_CELLS, FORMATS, MEDIA, Ask, Form, NotFound, Query, query_of

_PARAMETERS = 50
FRAME = "/embed"
"""The start of an address of a page for a frame on another site."""


def board_slug(board: Board) -> str:
    """Return a board as addresses write it: its specification, without `:K` where that is the shortest side."""
    given = board.specification
    if given is None:
        return quote(board.spec, safe="+:")
    return board.spec.replace(f":{given.k}", "", 1) if given.k == min(given.sides) else board.spec


def position_slug(position: Position) -> str:
    """Return a position as addresses write it: rows joined by -, layers by --, _ for a blank."""
    return str(position).replace("|", "--").replace("/", "-").replace(".", "_")


def game_slug(board: Board, moves: Iterable[Cell]) -> str:
    """Return the moves of a game as addresses write them: `a1-b2-c3`."""
    return "-".join(move_name(board, move) for move in moves)


def read_board(text: str) -> Board:
    """Return the board of an address. Raises NotFound."""
    try:
        return Board.parse(text)
    except InputError as error:
        raise NotFound(str(error)) from None


def read_position(board: Board, slug: str) -> Position:
    """Return the position of an address, which play can reach. Raises NotFound."""
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


_FLAGS = dict.fromkeys(("1", "true", "yes", "on"), "1") | dict.fromkeys(("0", "false", "no", "off"))
_WITHOUT_MOVES = re.compile(r"/+([^/]+)/+[pg]/*")
"""An address of a position or game that ends here has none: it leads to the board."""
_EMBEDDED = re.compile(r"(?:^|&)embed=1(?=&|$)")
"""The parameter that asks for a page in a frame, as `/embed` before an address does."""


def read_address(path: str, query: str = "") -> Ask:
    """Return what an address asks for: `/3x3/count.json` and `same=choices`.

    The path is percent-decoded, the query is not. Raises NotFound for an address without a page, InputError for
    invalid parameters, BudgetError for positions and games of boards that no page draws.
    """
    framed = path.startswith(f"{FRAME}/")
    place = path.removeprefix(FRAME) if framed else path
    if (plain_query := _EMBEDDED.sub("", query)) != query:
        framed, query = True, plain_query.removeprefix("&")
    if (board_of := _WITHOUT_MOVES.fullmatch(place)) is not None:
        ask = Ask("go", None, "", _read_query(KINDS["go"], query), "html", framed)
        return ask.changed(board=board_slug(read_board(board_of[1])))
    form: Form = next((each for each in MEDIA if place.endswith(f".{each}") and each != "html"), "html")
    kind, board, what = _read_place(place if form == "html" else place[: -len(form) - 1], form)
    if board is not None and board.cells > DRAWN_CELLS and kind.name in ("position", "game"):
        require_playable(board)
    return Ask(kind.name, board, what, _read_query(kind, query), form, framed and form == "html")


def _read_place(path: str, form: Form) -> tuple[Kind, Board | None, str]:
    for kind in KINDS.values():
        pieces = kind.path.strip("/").replace("/", "/+")
        found = re.fullmatch(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", pieces), path.strip("/"))
        if found is None:
            continue
        board, what = (found.groupdict().get(name, "") for name in ("board", "what"))
        if form != "html" and form not in kind.forms:
            ways = ", ".join(["a page", *(f".{each}" for each in kind.forms)])
            raise NotFound(f"{shown(path)} is not available as .{form}: it is available as {ways}")
        if what and kind.whats and what not in kind.whats:
            raise NotFound(f"{kind.title.lower()} has no page {shown(what)}: choose {', '.join(kind.whats)}")
        return kind, read_board(board) if board else None, what
    raise NotFound(f"the page {shown(path)} does not exist: begin at / or at a board such as /3x3")


def _read_query(kind: Kind, query: str) -> Query:
    if len(query) > ADDRESS:
        raise InputError(f"the address is longer than {ADDRESS:,} characters: shorten it")
    if query.count("&") >= _PARAMETERS:
        raise InputError(f"the address has more than {_PARAMETERS} parameters: remove some")
    known = {parameter.name: parameter for parameter in kind.parameters}
    found: dict[str, str | None] = {}
    for name, text in parse_qsl(query, keep_blank_values=True):
        if name not in known:
            there = f"there are {offered(name, known)}" if known else "there are none"
            raise InputError(f"{kind.path.rpartition('/')[2]} has no parameter {shown(name)}: {there}")
        if name in found:
            raise InputError(f"the parameter {name} is given twice: give it once")
        found[name] = _read_parameter(known[name], text)
    return query_of(found)


def _read_parameter(parameter: Option, text: str) -> str | None:
    """Return a parameter in its one spelling; None if it is empty or has its default."""
    text = plain(text).strip()
    usual = parameter.unless_given
    if not text or text == usual:
        return None
    if parameter.kind == "choice":
        by_lower = {choice.lower().replace("_", "-"): choice for choice in parameter.choices}
        choice = by_lower.get(text.lower().replace("_", "-"), text if parameter.others == "everywhere" else None)
        if choice is None and parameter.also is not None:
            choice = parameter.also(text)
        if choice is None:
            raise InputError(f"{parameter.name} cannot be {shown(text)}: choose {offered(text, parameter.choices)}")
        return None if choice == usual else choice
    if parameter.kind == "flag" and text.lower() not in _FLAGS:
        raise InputError(f"{parameter.name} is 1 or left out, not {shown(text)}")
    if parameter.kind == "number" and not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise InputError(f"{parameter.name} is a number such as 3, not {shown(text)}")
    if parameter.kind == "flag":
        return _FLAGS[text.lower()]
    return str(int(text)) if parameter.kind == "number" else text


def address(ask: Ask) -> str:
    """Return the address of a request, from the root of the server, escaped for a link."""
    path = KINDS[ask.page].path
    if ask.board is not None:
        path = path.replace("{board}", board_slug(ask.board))
    path = path.replace("{what}", quote(ask.what, safe="-_+.,"))
    ending = "" if ask.form == "html" else f".{ask.form}"
    return framed_as(ask, path) + ending + (f"?{urlencode(ask.query)}" if ask.query else "")


def framed_as(ask: Ask, path: str) -> str:
    """Return the path of a page, for a frame if this page is in one."""
    return FRAME + path if ask.framed else path


_UNRULED = ("board", "position", "game")
"""Kinds of page whose verbs take no rules; with rules, `positions` lists the positions that such play reaches."""


def command_of(ask: Ask) -> str:
    """Return the command that gives the answer of a page; empty for a kind of page without a verb.

    >>> from noughts.rules.board import Board
    >>> command_of(Ask("count", Board.parse("4x5:4"), query=(("end", "decided"), ("x_moves", "win"))))
    'noughts count 4x5:4 --end decided --x-moves win'
    """
    kind = KINDS[ask.page]
    if not kind.verb:
        return ""
    by_rules = ask.page in _UNRULED and any(name in RULE_NAMES for name, _ in ask.query)
    words = ["noughts", "positions" if by_rules else kind.verb, *([ask.board.spec] if ask.board else [])]
    words += [] if by_rules else _what(ask)
    known = {each.name: each for each in kind.parameters if each.where != "pages" and each.name != "more"}
    for name, text in ask.query:
        if name in ("n", "first", "second"):
            words.append(text)
        elif name in known:
            words += [f"--{name.replace('_', '-')}", *([text] if known[name].kind != "flag" else [])]
    return shlex.join(words)


def _what(ask: Ask) -> list[str]:
    return {
        "position": [ask.what.replace("--", "|").replace("-", "/").replace("_", ".")],
        "game": [name for name in ask.what.split("-") if name],
        "endings": ["--terminal"],
        "whatis": ["--quick"] if ask.given("more") is None else [],
    }.get(ask.page, ["--kind", ask.what] if ask.what else [])


_PAGES = {kind.verb: kind.name for kind in KINDS.values() if kind.asks is not None and kind.verb}
"""Verbs that one page answers, by its name."""


def ask_of_command(command: str) -> Ask | None:
    """Return the request of the page that answers a command; None if no page does, as for commands that write files.

    >>> ask_of_command("noughts count 3x3:3 --same choices --moves any --end line").query
    (('same', 'choices'),)
    """
    try:
        program, verb, *words = shlex.split(command)
        given, options = _sorted_out(words, verb)
        return _ask(verb, given, options) if program == "noughts" else None
    except (NoughtsError, ValueError):
        return None


def _sorted_out(words: list[str], verb: str) -> tuple[list[str], dict[str, str]]:
    """Return the arguments and the options of a command, the options under the names of parameters."""
    parameters = KINDS[_PAGES[verb]].parameters if verb in _PAGES else ()
    flags = {"quick"} | {parameter.name for parameter in parameters if parameter.kind == "flag"}
    given: list[str] = []
    options: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if word.startswith("-"):
            name = word.lstrip("-").replace("-", "_")
            options[name] = "1" if name in flags else next(rest, "")
        else:
            given.append(word)
    return given, options


def _ask(verb: str, given: list[str], options: dict[str, str]) -> Ask | None:
    if verb == "whatis" and given:
        options.pop("quick", None)
        query = {"n": given[-1]} | ({"board": given[0]} if given[1:] else {})
        return read_address("/whatis", urlencode(query | options))
    if verb == "blindfold" and given[:1] == ["play"]:
        verb, given, options = "play", given[1:], {"blind": "X"} | options
    board = read_board(given[0]) if given else read_board("3x3")
    place = f"/{board_slug(board)}"
    if verb == "explain" and not options:
        position = parse_position(board, " ".join(given[1:])) if given[1:] else None
        return read_address(f"{place}/p/{position_slug(position)}" if position else place)
    if verb == "same" and len(given) == 3:
        return read_address(f"{place}/same", urlencode({"first": given[1], "second": given[2]}))
    if len(given) > 1 or verb not in (*_PAGES, "play"):
        return None
    what = f"/{options.pop('kind', 'reduced')}" if verb == "tree" else ""
    return read_address(f"{place}/{_PAGES.get(verb, verb)}{what}", urlencode(options))


_OPTION = re.compile(r"(?<![^ (])--([a-z][a-z-]*)(?: ([A-Za-z0-9-]+))?")
_COMMAND = re.compile(r"(noughts [a-z]+ (?:[^;:]|:\d)*)")


def spoken(sentence: str, ask: Ask) -> str:
    """Return a sentence with options written as parameters of the requested page; whole commands do not change.

    Options without a parameter on the page are marked as options of the command line.

    >>> spoken("add --blind O, or leave out --opening-told", Ask("blindfold"))
    'add ?blind=O, or leave out ?opening_told=1'
    >>> spoken("raise --memory", Ask("count"))
    'raise --memory (on the command line)'
    """
    pieces = _COMMAND.split(sentence)
    pieces[::2] = [_OPTION.sub(lambda found: _replacement(found, ask), piece) for piece in pieces[::2]]
    left = [(at, found) for at in range(0, len(pieces), 2) for found in _OPTION.finditer(pieces[at])]
    if left:
        at, found = left[-1]
        pieces[at] = f"{pieces[at][: found.end(1)]} (on the command line){pieces[at][found.end(1) :]}"
    return "".join(pieces)


def _replacement(found: re.Match[str], ask: Ask) -> str:
    kind, name, word = KINDS[ask.page], found[1].replace("-", "_"), found[2] or ""
    if name == "format" and (forms := [form for form in kind.forms if FORMATS.get(form, form) == word]):
        return f".{forms[0]}"
    parameter = next((each for each in kind.parameters if each.name == name and each.where != "pages"), None)
    if parameter is None:
        return found[0]
    if parameter.kind == "flag":
        return f"?{name}=1" + (f" {word}" if word else "")
    is_value = word in parameter.choices or word.isdigit() or (word.isupper() and len(word) > 1)
    return f"?{name}={word}" if is_value else f"?{name}=" + (f" {word}" if word else "")
