"""The kinds of page: the address of each, the parameters it takes, its forms, and the module that answers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from noughts.analysis.policies.playing import HUMAN, OPPONENT, SIDES
from noughts.analysis.policies.policy import BEST
from noughts.machine.budget import Limits
from noughts.present.report import PIPE
from noughts.verbs.request import Caller, Option, RuledRequest, VerbAnswer, VerbRequest
from noughts.verbs.table import request_of
from noughts.web.request import FORMATS, LONG, Ask, Form


@dataclass(frozen=True)
class Kind:
    """A kind of page. `path` has `{board}` and `{what}` where they stand; `module`, in `web.pages`, answers it.

    Beside the forms of `forms` every kind has HTML. `whats` are the words that `{what}` may be, any text where empty.
    `verb` is the command that gives the same. The options of the request that `asks` gives are parameters, beside those
    that are the page's `own`. What is one of `always` is kept in an address, though it is as usual.
    """

    name: str
    path: str
    title: str
    module: str
    verb: str = ""
    forms: tuple[Form, ...] = ("json",)
    own: tuple[Option, ...] = ()
    asks: Callable[[], type[VerbRequest]] | None = None
    always: tuple[str, ...] = ()
    whats: tuple[str, ...] = ()

    @property
    def parameters(self) -> tuple[Option, ...]:
        """The parameters that an address may have."""
        names = {each.name for each in self.own}
        options = () if self.asks is None else self.asks().options()
        taken = [
            each for each in options if each.where != "commands" and not each.is_argument and each.name not in names
        ]
        return (*(replace(each, default=None) if each.name in self.always else each for each in taken), *self.own)


def _verb(
    name: str, title: str, module: str, verb: str, *forms: Form, own: tuple[Option, ...] = (), **more: Any
) -> Kind:
    """Return a kind of page that asks what a verb asks."""
    path = f"/{{board}}/{name}" + "/{what}" * ("whats" in more)
    return Kind(name, path, title, module, verb, forms, own, partial(request_of, verb), **more)


def _text(name: str, about: str) -> Option:
    return Option(about, name)


def _number(name: str, about: str) -> Option:
    return Option(about, name, "number", 0)


def _here(name: str, about: str, choices: tuple[str, ...] = (), usual: str | None = None, **more: Any) -> Option:
    """Return a parameter that no option of the command stands for."""
    return Option(about, name, "choice" if choices else "text", usual, choices, where="pages", **more)


def _side(name: str, usual: str) -> Option:
    bots = "one of these, a bot that the server was given, or a genome such as genome:real:XO:1f."
    return Option(f"Who plays {name.upper()}: {bots}", name, "choice", usual, SIDES, others="everywhere")


def _blind_play() -> type[VerbRequest]:
    from noughts.verbs.blindfold_play import BlindPlay

    return BlindPlay


RULES = RuledRequest.options()
"""The parameters that bind play."""
_LISTED_RULES = (*RULES[:3], replace(RULES[3], choices=("line", "decided")))
"""Those of pages whose positions have values; play to the full board has none."""
RULE_NAMES = tuple(each.name for each in RULES)
_QUIZ = (
    replace(_here("quiz", "Hide the answers until they are asked for."), kind="flag"),
    _here("shown", "In a quiz the cells whose answers are shown, or all."),
)
_MARK = _here("mark", "The mark that a cell gets, where players choose it.", ("X", "O"), "X")
_GAME = _text("g", "The moves so far, such as a1-b2.")
_DATA: tuple[Form, ...] = ("json", "csv", "md")
_PICTURES: tuple[Form, ...] = ("svg", "png", "pdf")
_ORDERS = ("ply", "soonest", "most-games", "most-boards", "x-likely", "o-likely")

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("start", "/", "noughts", "play", forms=(), own=(
            Option("Who plays O against you.", "o", "choice", OPPONENT, SIDES[1:]),
            _GAME,
            _number("seed", "What the choices of the opponent come from."),
            replace(RULES[0], choices=RULES[0].choices[:5]),
            RULES[3],
            Option("When two games are the same.", "same", "choice", "labelled", ("labelled", "symmetry", "choices")),
        )),
        Kind("whatis", "/whatis", "What is this number?", "whatis", "whatis", own=(
            _text("n", "The number: 26830, 31,896, 9!, 3^9, 501/560 or 0.89."),
            _text("board", "Only readings on this board."),
            Option("Look on more boards too, which takes half a minute.", "more", "flag"),
        )),
        Kind("rules", "/rules", "Rules of play", "rules"),
        Kind("go", "/go", "To a board", "board", forms=(), own=(
            _text("board", "The board."), _text("moves", "The moves of a game to look at, such as a1 b2."),
        )),
        Kind("embed", "/embed", "In a page of your own", "api", forms=()),
        Kind("api", "/api", "Data for programs", "api", forms=()),
        Kind("board", "/{board}", "A board", "board", "solve", own=(*_LISTED_RULES, _MARK)),
        Kind("position", "/{board}/p/{what}", "A position", "position", "explain", ("json", "svg", "png"),
             (*_QUIZ, *_LISTED_RULES, _MARK)),
        Kind("game", "/{board}/g/{what}", "A game", "game", "explain", ("json", "svg", "png"), (
            _QUIZ[0],
            _here("line", "The whole line of which the moves are the first."),
            _here("also", "Lines that were left, with commas between them."),
            _MARK,
        )),
        _verb("count", "How many games?", "count", "count", *_DATA, "tex", *_PICTURES,
              always=("same",)),
        _verb("openings", "Openings", "theory", "openings", "json", *_PICTURES, "dot"),
        _verb("tree", "Tree", "theory", "tree", "json", *_PICTURES, "dot",
              whats=("reduced", "full", "openings", "forced-wins", "policy")),
        _verb("patterns", "Drawn patterns", "theory", "patterns", "json", *_PICTURES),
        Kind("endings", "/{board}/endings", "Endings", "lists", "positions",
             (*_DATA, *_PICTURES), _LISTED_RULES),
        _verb("positions", "Positions", "lists", "positions", *_DATA, *_PICTURES, own=(
            _here("sort", "In which order the page shows them.", _ORDERS, "ply"),
            replace(_number("page", "Which page of them."), default=1, where="pages"),
        )),
        _verb("same", "The same?", "same", "same", "json", own=(
            _text("first", "A board such as X.O/.X./..O, or the moves of a game such as a1 b2 c3."),
            _text("second", "The other board or game."),
        )),
        _verb("match", "How often?", "match", "match", "json", *_PICTURES, own=tuple(
            Option(f"Who plays {name.upper()}.", name, "choice", "random", (*SIDES[1:], "quickest", BEST))
            for name in ("x", "o")
        )),
        _verb("crib", "Crib", "printables", "crib", "json", *_PICTURES, own=(
            _here("paper", "Paper of the pages of a PDF.", ("a6", "a4"), "a6"),
        )),
        _verb("menace", "MENACE", "menace", "menace", *_DATA, *_PICTURES, own=(
            replace(_here("labels", "The labels of the boxes instead (SVG, PDF)."), kind="flag"),
        )),
        _verb("puzzles", "Puzzles", "puzzles", "puzzle", "json", *_PICTURES, own=(
            replace(_here("try", "The puzzle to try on the board, by its number."), kind="number"),
            _here("move", "The move to try, such as b2."),
            _MARK,
        )),
        _verb("sheets", "Sheets to print", "printables", "sheet", "json", *_PICTURES, own=(
            _here("paper", "Paper to print on (a4; posters a3).", ("a4", "letter", "a3", "a2", "a6")),
        )),
        _verb("blindfold", "Blindfold", "blindfold", "blindfold", "json", *_PICTURES, "dot", "txt", own=(
            _here("walk", "What was heard so far on the way through the strategy, such as free-taken."),
        )),
        Kind("play", "/{board}/play", "Play", "play", own=(
            _side("x", HUMAN),
            _side("o", OPPONENT),
            _GAME,
            _number("seed", "What the choices of opponents come from."),
            _number("hint", "A hint: 1 where to look, 2 also what threatens, 3 also what to play and why."),
            replace(_here("values", "Show on the cells what each move does."), kind="flag"),
            _MARK,
            Option("Play blindfold: who sees nothing.", "blind", "choice", None, ("X", "O", "both")),
            Option("End the blindfold: show the board.", "show", "flag"),
        ), asks=_blind_play),
    )
}  # fmt: skip
"""Each kind of page by its name."""


def request_for(ask: Ask, **more: Any) -> Any:
    """Return what is asked as the request of the verb, which makes sense. Raises InputError."""
    asks = KINDS[ask.page].asks
    assert asks is not None
    given = {"board": ask.board} | ({} if ask.form == "html" else {"form": FORMATS.get(ask.form, ask.form)})
    found = asks().read(dict(ask.query), **(given | more))
    found.require_sense()
    return found


def answered(ask: Ask, link: str = "", **more: Any) -> VerbAnswer:
    """Return what the verb of a page answers, on the paper that is asked for, with a code that leads to `link`.

    Raises NoughtsError.
    """
    found: VerbAnswer = request_for(ask, **more).answer(caller_of(ask, paper=ask.given("paper"), link=link))
    return found


def caller_of(ask: Ask, bounds: Limits = LONG, **look: Any) -> Caller:
    """Return the caller of a verb for a page: it sets the limits and passes progress to the waiting page."""
    return Caller(replace(PIPE, **look), ask.progress, bounds=bounds)
