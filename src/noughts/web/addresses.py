"""How things are spelt in addresses: boards, positions, games, parameters. Reading refuses with one sentence."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from urllib.parse import parse_qsl, quote, urlencode

from noughts.rules.arguments import offered, plain
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError, NoughtsError, shown
from noughts.rules.marks import Cell
from noughts.rules.position import Position, parse_game, parse_position
from noughts.verbs.request import Option
from noughts.web.kinds import KINDS, RULE_NAMES, Kind, kind_named
from noughts.web.request import ADDRESS, MEDIA, Ask, Form, NotFound

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
    from noughts.rules.position import parse_position

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


def _read_parameter(parameter: Option, text: str) -> str | None:
    """Return a parameter in its one spelling; None where it has its usual value or is empty."""
    text = plain(text).strip()
    usual = parameter.unless_given
    if not text or text == usual:
        return None
    if parameter.kind == "choice":
        by_lower = {choice.lower().replace("_", "-"): choice for choice in parameter.choices}
        choice = by_lower.get(text.lower().replace("_", "-"))
        if choice is None and parameter.others == "everywhere":
            return text
        if choice is None:
            raise InputError(f"{shown(text)} is no {parameter.name}: there are {offered(text, parameter.choices)}")
        return None if choice == usual else choice
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


# The command that gives on the command line what a page gives.

_UNRULED = ("board", "position", "game")
"""Kinds of page whose verbs know of no rules; with them `positions` lists what such play reaches."""


def command_of(ask: Ask) -> str:
    """Return the command; nothing for a kind of page that no verb gives.

    >>> from noughts.rules.board import Board
    >>> command_of(Ask("count", Board.parse("4x5:4"), query=(("end", "decided"), ("x_moves", "win"))))
    'noughts count 4x5:4 --end decided --x-moves win'
    """
    kind = kind_named(ask.page)
    if not kind.verb:
        return ""
    by_rules = any(name in RULE_NAMES for name, _ in ask.query)
    words = ["noughts", "positions" if by_rules and ask.page in _UNRULED else kind.verb]
    if ask.board is not None:
        words.append(ask.board.spec)
    words += [] if by_rules and ask.page in _UNRULED else _what(ask)
    words += ["--quick"] if ask.page == "whatis" and ask.given("more") is None else []
    for name, text in ask.query:
        words += _option(name, text, kind.parameters)
    return shlex.join(words)


def _what(ask: Ask) -> list[str]:
    if ask.page == "position":
        return [ask.what.replace("--", "|").replace("-", "/").replace("_", ".")]
    if ask.page == "game":
        return [name for name in ask.what.split("-") if name]
    if ask.page == "endings":
        return ["--terminal"]
    return ["--kind", ask.what] if ask.what else []


def _option(name: str, text: str, parameters: tuple[Option, ...]) -> list[str]:
    parameter = next((each for each in parameters if each.name == name), None)
    if parameter is None or parameter.where == "pages" or name == "more":
        return []
    if name == "n":
        return [text]
    return [f"--{name.replace('_', '-')}", *([text] if parameter.kind != "flag" else [])]


# Commands as links: the page that answers what a command of the command line asks, where there is one.

_SAME_NAME = ("count", "openings", "patterns", "positions", "crib", "menace", "blindfold")
_PAGES = {"puzzle": "puzzles", "sheet": "sheets"}
"""Verbs whose pages have another name."""


def ask_of_command(command: str) -> Ask | None:
    """Return what a command asks, as a page answers it: None where no page does, as for commands that write files.

    >>> ask_of_command("noughts count 3x3:3 --same choices --moves any --end line").query
    (('same', 'choices'),)
    """
    try:
        program, verb, *words = shlex.split(command)
        if program != "noughts":
            return None
        given, options = _sorted_out(words, _flags(verb))
        return _ask(verb, given, options)
    except (NoughtsError, ValueError):
        return None


def _flags(verb: str) -> set[str]:
    kind = KINDS.get(verb)
    if verb == "whatis":
        return {"quick"}
    return {parameter.name for parameter in kind.parameters if parameter.kind == "flag"} if kind else set()


def _sorted_out(words: list[str], flags: set[str]) -> tuple[list[str], dict[str, str]]:
    """Return the arguments and the options of a command, the options under the names of parameters."""
    given: list[str] = []
    options: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            given.append(word)
            continue
        name = word.lstrip("-").replace("-", "_")
        options[name] = "1" if name in flags else next(rest, "")
    return given, options


def _ask(verb: str, given: list[str], options: dict[str, str]) -> Ask | None:
    if verb == "whatis" and given:
        options.pop("quick", None)
        asked = {"n": given[-1]} | ({"board": given[0]} if given[1:] else {})
        return read_address("/whatis", urlencode(asked | options))
    if verb == "blindfold" and given[:1] == ["play"]:
        board = read_board(given[1]) if given[1:] else read_board("3x3")
        return read_address(f"/{board_slug(board)}/play", urlencode({"blind": "X"} | options))
    board = read_board(given[0]) if given else read_board("3x3")
    place = f"/{board_slug(board)}"
    if verb in _SAME_NAME:
        return read_address(f"{place}/{verb}", urlencode(options)) if len(given) < 2 else None
    if verb in _PAGES:
        return read_address(f"{place}/{_PAGES[verb]}", urlencode(options)) if len(given) < 2 else None
    if verb == "tree":
        return read_address(f"{place}/tree/{options.pop('kind', 'reduced')}", urlencode(options))
    if verb == "explain" and not options:
        position = parse_position(board, " ".join(given[1:])) if given[1:] else None
        return read_address(f"{place}/p/{position_slug(position)}" if position else place)
    raise InputError(f"no page answers {verb}")


# Sentences of the rooms below, which speak of options of the command line, in words of addresses.

_OPTION = re.compile(r"(?<![^ (])--([a-z][a-z-]*)(?: ([A-Za-z0-9-]+))?")
_COMMAND = re.compile(r"(noughts [a-z]+ [^;:]*)")
_FORM_NAMES = {"text": "txt", "markdown": "md", "latex": "tex"}


def spoken(sentence: str, ask: Ask) -> str:
    """Return a sentence with options as the parameters of the page that is asked; whole commands stay as they are.

    Options that the page has no parameter for are said to be of the command line.

    >>> spoken("add --blind O, or leave out --opening-told", Ask("blindfold"))
    'add ?blind=O, or leave out ?opening_told=1'
    >>> spoken("raise --memory", Ask("count"))
    'raise --memory (on the command line)'
    """
    pieces = _COMMAND.split(sentence)
    pieces[::2] = [_OPTION.sub(lambda found: _said(found, ask), piece) for piece in pieces[::2]]
    last = max((at for at, piece in enumerate(pieces[::2]) if _OPTION.search(piece)), default=None)
    if last is not None:
        options = list(_OPTION.finditer(pieces[2 * last]))
        name = options[-1]
        end = name.start() + len(f"--{name[1]}")
        pieces[2 * last] = f"{pieces[2 * last][:end]} (on the command line){pieces[2 * last][end:]}"
    return "".join(pieces)


def _said(found: re.Match[str], ask: Ask) -> str:
    kind, name, word = kind_named(ask.page), found[1].replace("-", "_"), found[2] or ""
    if name == "format" and (form := _FORM_NAMES.get(word, word)) in kind.forms:
        return f".{form}"
    parameter = next((each for each in kind.parameters if each.name == name and each.where != "pages"), None)
    if parameter is None:
        return found[0]
    if parameter.kind == "flag":
        return f"?{name}=1" + (f" {word}" if word else "")
    return f"?{name}={word}" if _is_value(parameter, word) else f"?{name}=" + (f" {word}" if word else "")


def _is_value(parameter: Option, word: str) -> bool:
    """Tell whether a word after an option is its value: a choice, a number, or capitals that stand for one."""
    return word in parameter.choices or word.isdigit() or (word.isupper() and len(word) > 1)
