"""The description of all addresses for programs, OpenAPI 3.1, made from the table of kinds."""

from __future__ import annotations

import json
from typing import Any

from noughts._version import __version__
from noughts.rules.board import Board
from noughts.verbs.request import Option
from noughts.web.addresses import address
from noughts.web.kinds import KINDS, Kind
from noughts.web.links import Links, PageAnswer
from noughts.web.request import MEDIA, Ask, Form

_ERROR = "#/components/schemas/Failure"
_PIECES = {
    "board": ("The board: rows x columns; :K where K in a line win.", "3x3"),
    "what": (
        "A part of the board: a position such as XO_-_X_-__O, a game such as a1-b2-c3, a kind of tree.",
        "a1-b2-c3",
    ),
}
_WHATS = {"position": "XO_-_X_-__O", "game": "a1-b2-c3", "tree": "reduced"}


def document() -> str:
    """Return the description as JSON."""
    paths: dict[str, Any] = {}
    for kind in KINDS.values():
        for form in kind.forms:
            paths[f"{kind.path}.{form}"] = {"get": _operation(kind, form)}
    found = {
        "openapi": "3.1.0",
        "info": {
            "title": "noughts",
            "version": __version__,
            "description": "Exact answers about tic-tac-toe and its relatives. Counts are decimal strings, chances "
            "fractions. Each record is the one that the command line prints with --format json.",
        },
        "paths": paths,
        "components": {"schemas": {"Failure": _failure()}},
    }
    return json.dumps(found, indent=1) + "\n"


def _failure() -> dict[str, Any]:
    properties = {"ok": {"const": False}, "error": {"type": "string", "description": "The error in one sentence."}}
    return {"type": "object", "required": ["ok", "error"], "properties": properties}


def _operation(kind: Kind, form: Form) -> dict[str, Any]:
    media = MEDIA[form].partition(";")[0]
    schema = {"type": "object"} if form == "json" else {}
    found = {"description": kind.title, "content": {media: {"schema": schema} if schema else {}}}
    wrong = {
        "description": "The error in one sentence.",
        "content": {"application/json": {"schema": {"$ref": _ERROR}}},
    }
    return {
        "operationId": f"{kind.name}_{form}",
        "summary": kind.title,
        "parameters": [
            *(_piece(kind, name) for name in _PIECES if f"{{{name}}}" in kind.path),
            *(_parameter(parameter) for parameter in kind.parameters if parameter.where != "pages"),
        ],
        "responses": {"200": found, **dict.fromkeys(("400", "404", "405", "413", "414", "421", "422", "503"), wrong)},
    }


def _piece(kind: Kind, name: str) -> dict[str, Any]:
    about, example = _PIECES[name]
    schema: dict[str, Any] = {"type": "string"}
    if name == "what" and kind.whats:
        schema["enum"] = list(kind.whats)
    example = _WHATS.get(kind.name, example) if name == "what" else example
    return {"name": name, "in": "path", "required": True, "description": about, "schema": schema, "example": example}


def _parameter(parameter: Option) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "integer" if parameter.kind == "number" else "string"}
    if parameter.choices and parameter.others != "everywhere":
        schema["enum"] = list(parameter.choices)
    if parameter.others == "everywhere":
        schema["anyOf"] = [{"enum": list(parameter.choices)}, {"pattern": "."}]
    if parameter.kind == "flag":
        schema["enum"] = ["1"]
    usual = parameter.unless_given
    if usual is not None:
        schema["default"] = int(usual) if parameter.kind == "number" else usual
    if parameter.kind == "number":
        schema |= {"minimum": 0, "maximum": 999_999_999}
    found = {"name": parameter.name, "in": "query", "description": parameter.help, "schema": schema}
    return found | ({"required": True} if parameter.name == "n" else {})


# The page about data for programs: every address with its forms and parameters, and an example of each.


def answer_api(ask: Ask) -> PageAnswer:
    """Return the page about the data."""

    def context(links: Links) -> dict[str, Any]:
        examples = {kind: [(form, links.to(_example(kind, form))) for form in kind.forms] for kind in KINDS.values()}
        kinds = [{"kind": kind, "verb": kind.verb or None, "examples": made} for kind, made in examples.items() if made]
        return {"kinds": kinds}

    return PageAnswer("api.html", "Data for programs", context)


_FRAMES = (
    ("A position", "position", "XO_-_X_-__O", ()),
    ("A game, as a list of moves", "game", "a1-b2-c3-c1", ()),
    ("An opponent", "play", "", (("g", "b2-a1"),)),
)
"""What the page of examples shows in frames: words, the kind of page, its part, its parameters."""


def answer_embed(ask: Ask) -> PageAnswer:
    """Return the page of examples for frames on other sites."""
    board = Board.parse("3x3")
    frames = [(words, address(Ask(page, board, what, query, framed=True))) for words, page, what, query in _FRAMES]
    return PageAnswer("embed.html", "In a page of your own", lambda links: {"frames": frames})


def _example(kind: Kind, form: Form) -> Ask:
    """Return examples of a kind of page."""
    what = _WHATS.get(kind.name, "")
    query = (("n", "26830"),) if kind.name == "whatis" else ()
    if kind.name == "count" and form in ("svg", "png", "pdf"):
        query = (("same", "labelled"),)  # a chart is of one convention
    return Ask(kind.name, Board.parse("3x3") if "{board}" in kind.path else None, what, query, form)
