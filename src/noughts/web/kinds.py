"""What a kind of page is: its address, the parameters it takes, the forms it has, and the module that answers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noughts.analysis.policies.playing import SIDES
from noughts.web.request import Form


@dataclass(frozen=True)
class Parameter:
    """A parameter of an address. A `flag` is `1` or absent; a `choice` is one of `choices`, any case.

    `usual` is what it is where it is not given, None where nothing stands for that. What is `only_here` has no option
    of that name on the command line. `refused` holds words that one may expect, each with why not. Where `bots` may be
    meant, names that are no choice are left to the page: bots that the server was given, and genomes.
    """

    name: str
    kind: Literal["choice", "flag", "number", "text"]
    about: str
    choices: tuple[str, ...] = ()
    usual: str | None = None
    only_here: bool = False
    refused: tuple[tuple[str, str], ...] = ()
    bots: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of page. `path` has `{board}` and `{what}` where they stand; `module`, in `web.pages`, answers it.

    Beside the forms of `forms` every kind has HTML. `whats` are the words that `{what}` may be, any text where empty.
    """

    name: str
    path: str
    title: str
    module: str
    forms: tuple[Form, ...] = ("json",)
    parameters: tuple[Parameter, ...] = ()
    whats: tuple[str, ...] = ()


# The table of the kinds of page: one row is all that a new page needs, besides the module that answers it.

_MOVES = ("any", "win", "block", "fork", "perfect", "quickest")
RULES = (
    Parameter("moves", "choice", "Which moves are allowed.", _MOVES, "any"),
    Parameter("x_moves", "choice", "The rule for X, where it differs.", _MOVES),
    Parameter("o_moves", "choice", "The rule for O, where it differs.", _MOVES),
    Parameter("end", "choice", "When the game is over.", ("line", "decided", "full"), "line"),
)
RULE_NAMES = tuple(parameter.name for parameter in RULES)
"""The parameters that bind play."""
FROM = Parameter("from", "text", "From this position: marks, or the moves that lead to it.")
QUIZ = Parameter("quiz", "flag", "Hide the answers until they are asked for.", only_here=True)
SHOWN = Parameter("shown", "text", "In a quiz the cells whose answers are shown, or all.", only_here=True)

_SAME = ("labelled", "symmetry", "choices")
_PLAYERS = ("X", "O")
_LABELS = ("X wins", "X can force a win", "draw", "either can force a draw", "O can force a win", "O wins")
_POLICIES = ("random", "win", "block", "fork", "perfect", "quickest", "trap:random", "trap:block")
_ORDERS = ("ply", "soonest", "most-games", "most-boards", "x-likely", "o-likely")
_THEMES = ("win-at-once", "fork", "forced-win", "block", "only-move", "double-trap", "who-can-force")
_SHEETS = (
    "win", "tree", "same", "count", "possible", "who-wins", "blindfold", "blank", "flash-cards",
    "crib", "labels", "poster-classes", "poster-endings", "poster-tree",
)  # fmt: skip
_PAPERS = ("a4", "letter", "a3", "a2", "a6")
_TREES = ("reduced", "full", "openings", "forced-wins", "policy")

BLIND_RULES = (
    Parameter("told", "choice", "What the blind player hears upon a collision.",
              ("collision", "nothing", "last-move", "all"), "collision"),
    Parameter("collision", "choice", "What calling a taken cell costs.", ("retry", "lose-turn"), "retry"),
    Parameter("opening_told", "flag", "A blind O is told where X opens."),
)  # fmt: skip
GOAL = Parameter("goal", "choice", "What the strategy is for.", ("never-lose", "always-win", "win-often"), "never-lose")
BLIND_PLAY = (
    Parameter(
        "blind",
        "choice",
        "Play blindfold: who sees nothing.",
        ("X", "O"),
        refused=(
            (
                "both",
                "where nobody sees, two people need a referee who hears each alone, which a page that both "
                "look at cannot be: play with blind=X or blind=O, or see the page blindfold?blind=both",
            ),
        ),
    ),
    *BLIND_RULES,
    GOAL,
    Parameter("as", "choice", "In blindfold play, who you are.", ("blind", "sighted"), "blind"),
    Parameter("opponent", "choice", "In blindfold play, who replies to you.", ("random", "hostile"), "random"),
    Parameter("show", "flag", "End the blindfold: show the board."),
)

_BOTS = ": one of these, a bot that the server was given, or a genome such as genome:real:XO:1f."

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("start", "/", "noughts", "play", (), (
            Parameter("o", "choice", "Who plays O against you.", SIDES[1:], "medium"),
            Parameter("g", "text", "The moves so far, such as a1-b2."),
            Parameter("seed", "number", "What the choices of the opponent come from.", (), "0"),
            Parameter("moves", "choice", "Which moves are allowed.", _MOVES[:5], "any"),
            Parameter("end", "choice", "When the game is over.", ("line", "decided", "full"), "line"),
            Parameter("same", "choice", "When two games are the same.", _SAME, "labelled"),
        )),
        Kind("whatis", "/whatis", "What is this number?", "whatis", ("json",), (
            Parameter("n", "text", "The number: 26830, 31,896, 9!, 3^9, 501/560 or 0.89."),
            Parameter("board", "text", "Only readings on this board."),
            Parameter("more", "flag", "Look on more boards too, which takes half a minute."),
        )),
        Kind("go", "/go", "To a board", "board", (), (Parameter("board", "text", "The board."),)),
        Kind("api", "/api", "Data for programs", "api", ()),
        Kind("board", "/{board}", "A board", "board", ("json",), RULES),
        Kind("position", "/{board}/p/{what}", "A position", "position", ("json", "svg", "png"), (
            QUIZ, SHOWN, *RULES,
        )),
        Kind("game", "/{board}/g/{what}", "A game", "game", ("json", "svg", "png"), (
            QUIZ,
            Parameter("line", "text", "The whole line of which the moves are the first.", only_here=True),
            Parameter("also", "text", "Lines that were left, with commas between them.", only_here=True),
        )),
        Kind("count", "/{board}/count", "How many games?", "count", ("json", "csv", "md", "tex", "svg", "png", "pdf"), (
            Parameter("same", "choice", "When two games are the same.", _SAME),
            *RULES,
            Parameter("symmetry", "choice", "Which symmetries.", ("board", "lines"), "board"),
            FROM,
            Parameter("starts", "choice", "Who moves first on the empty board.", ("X", "O", "either"), "X"),
            Parameter("to_ply", "number", "Stop after this ply."),
            Parameter("explain", "flag", "With the derivation, ply by ply."),
            Parameter("check", "flag", "With a second engine, and whether the two agree."),
        )),
        Kind("openings", "/{board}/openings", "Openings", "theory", ("json", "svg", "png", "pdf", "dot"), (FROM,)),
        Kind("tree", "/{board}/tree/{what}", "Tree", "theory", ("json", "svg", "png", "pdf", "dot"), (
            FROM,
            Parameter("opening", "text", "The tree after this move."),
            Parameter("depth", "number", "Stop after so many plies (full, policy)."),
            Parameter("x", "choice", "How X plays, in a policy tree.", _POLICIES, "random"),
            Parameter("o", "choice", "How O plays, in a policy tree.", _POLICIES, "random"),
        ), _TREES),
        Kind("patterns", "/{board}/patterns", "Drawn patterns", "theory", ("json", "svg", "png", "pdf"), (
            FROM,
            Parameter("force", "text", "How to force one of these patterns, Arrow or Arrow,Island; draw for all."),
            Parameter("by", "choice", "Who is to force it (whoever can, X first).", _PLAYERS),
        )),
        Kind("endings", "/{board}/endings", "Endings", "lists", ("json", "csv", "md", "svg", "png", "pdf"), RULES),
        Kind("positions", "/{board}/positions", "Positions", "lists", ("json", "csv", "md", "svg", "png", "pdf"), (
            Parameter("same", "choice", "Every board, or one of each class.", ("symmetry", "labelled"), "symmetry"),
            *RULES,
            Parameter("ply", "number", "With so many marks."),
            Parameter("terminal", "flag", "The game is over."),
            Parameter("unfinished", "flag", "Play goes on."),
            Parameter("won", "choice", "Won by this player, or by either.", (*_PLAYERS, "any")),
            Parameter("drawn", "flag", "Full, without a line."),
            Parameter("decision", "flag", "Unfinished, more than one blank cell."),
            Parameter("real_decision", "flag", "A decision with no win to take or to block."),
            Parameter("to_move", "choice", "Whose turn it is by the marks, finished games included.", _PLAYERS),
            Parameter("label", "choice", "What can be forced.", _LABELS),
            Parameter("trap", "flag", "The side to move has a move that loses and another that does not."),
            Parameter("fork", "flag", "The last mover has two or more threats."),
            Parameter("symmetric", "flag", "A turn or flip keeps the position."),
            Parameter("matchbox", "flag", "A decision of X, as in MENACE."),
            Parameter("limit", "number", "Show the first so many only; all are counted."),
            Parameter("sort", "choice", "In which order the page shows them.", _ORDERS, "ply", only_here=True),
            Parameter("page", "number", "Which page of them.", (), "1", only_here=True),
        )),
        Kind("crib", "/{board}/crib", "Crib", "printables", ("json", "svg", "png", "pdf"), (
            Parameter("as", "choice", "Whose table.", (*_PLAYERS, "both"), "X"),
            Parameter("opening", "text", "X opens here."),
            Parameter("goal", "choice", "What the table is for.", ("never-lose", "perfect", "win"), "never-lose"),
            Parameter("count", "choice", "Count the boards at which the player moves, or all.", ("own", "all"), "own"),
            Parameter("paper", "choice", "Paper of the pages of a PDF.", ("a6", "a4"), "a6", only_here=True),
            FROM,
        )),
        Kind("menace", "/{board}/menace", "MENACE", "menace", ("json", "csv", "md", "svg", "png", "pdf"), (
            Parameter("as", "choice", "Which side the machine plays.", _PLAYERS, "X"),
            Parameter("against", "choice", "Who teaches it.", (*_POLICIES, "menace"), "random"),
            Parameter("games", "number", "How many games it is taught.", (), "0"),
            Parameter("seed", "number", "What the draws come from.", (), "0"),
            Parameter("beads", "text", "Beads of each colour to begin with, by turn: michie, doubling or 4,3,2,1."),
            Parameter("reward", "text", "Beads added for a win, a draw and a loss: 3,1,-1."),
            Parameter("symmetric", "choice", "Cells alike share a colour, or not.", ("once", "each"), "once"),
            Parameter("empty", "choice", "What an empty box does.", ("resign", "refill", "keep"), "resign"),
            Parameter("last_boxes", "flag", "Boxes for one blank cell as well."),
            Parameter("labels", "flag", "The labels of the boxes instead (SVG, PDF).", only_here=True),
        )),
        Kind("puzzles", "/{board}/puzzles", "Puzzles", "printables", ("json", "svg", "png", "pdf"), (
            Parameter("number", "number", "How many (6, or as many as there are; of a day 1)."),
            Parameter("seed", "text", "The same seed gives the same puzzles.", (), "0"),
            Parameter("about", "choice", "Only puzzles with this theme.", _THEMES),
            Parameter("grade", "number", "Only puzzles that are so hard; 1 is the easiest."),
            Parameter("daily", "text", "The puzzle of a day: today, or a date as year-month-day."),
        )),
        Kind("sheets", "/{board}/sheets", "Sheets to print", "printables", ("json", "svg", "png", "pdf"), (
            Parameter("kind", "choice", "What to print.", _SHEETS, "win"),
            Parameter("number", "number", "How many exercises (a page or two)."),
            Parameter("seed", "text", "The same seed gives the same sheet.", (), "0"),
            Parameter("paper", "choice", "Paper to print on (a4; posters a3).", _PAPERS, only_here=True),
        )),
        Kind("blindfold", "/{board}/blindfold", "Blindfold", "blindfold", ("json", "svg", "png", "pdf", "dot", "txt"), (
            *BLIND_RULES,
            Parameter("blind", "choice", "Who sees nothing.", ("X", "O", "both"), "X"),
            GOAL,
            Parameter("safe", "flag", "With goal=win-often: never lose as well."),
            Parameter("first", "text", "The first call of the strategy shown."),
            Parameter("opening", "text", "With opening_told: only the games that X opens there."),
            Parameter("walk", "text", "What was heard so far on the way through the strategy, such as free-taken.",
                      only_here=True),
        )),
        Kind("play", "/{board}/play", "Play", "play", ("json",), (
            Parameter("x", "choice", f"Who plays X{_BOTS}", SIDES, "human", bots=True),
            Parameter("o", "choice", f"Who plays O{_BOTS}", SIDES, "perfect", bots=True),
            Parameter("g", "text", "The moves so far, such as a1-b2."),
            Parameter("seed", "number", "What the choices of opponents come from.", (), "0"),
            Parameter("hint", "flag", "Say what to play, and why."),
            *BLIND_PLAY,
        )),
    )
}  # fmt: skip
"""Each kind of page by its name."""


def kind_named(name: str) -> Kind:
    """Return a kind of page."""
    return KINDS[name]
