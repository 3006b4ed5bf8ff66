"""The table of verbs: for each the module of its request and one line of help."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noughts.verbs.request import VerbRequest

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Start here": {
        "count": ("noughts.verbs.count", "Number of positions and games, under any convention"),
        "explain": ("noughts.verbs.explain", "Best moves in a position, and why"),
        "play": ("noughts.cli.play", "Game in the terminal, with hints, undo and a review"),
    },
    "Count": {
        "whatis": ("noughts.verbs.whatis", "Conventions that give a number"),
        "positions": ("noughts.verbs.positions", "Positions by any condition, listed or drawn"),
        "same": ("noughts.verbs.same", "Comparison of two boards, turned or mirrored"),
        "verify": ("noughts.verbs.verify", "Check of every known number"),
    },
    "Solve and understand": {
        "solve": ("noughts.verbs.solve", "Winner, number of moves and best moves"),
        "openings": ("noughts.verbs.openings", "First moves, the replies to each, and advice"),
        "tree": ("noughts.verbs.tree", "Game trees: reduced with scores, and others"),
        "patterns": ("noughts.verbs.patterns", "Drawn boards, and those that a player can force"),
        "payoff": ("noughts.verbs.payoff", "Points for each ending, and the expected score"),
        "blindfold": ("noughts.verbs.blindfold", "Play without seeing: safe calls, chances, strategies"),
        "check": ("noughts.verbs.check", "Check of certificates: proofs, strategies, cribs, policies"),
    },
    "Play and learn": {
        "review": ("noughts.verbs.review", "Review of a game, move by move, with its mistakes"),
        "puzzle": ("noughts.verbs.puzzle", "Positions with one right move, hints and answers"),
        "sheet": ("noughts.verbs.sheet", "Worksheets with answers, cards and posters to print"),
        "serve": ("noughts.cli.explorer", "Explorer in a browser"),
    },
    "Bots": {
        "match": ("noughts.verbs.match", "Exact results of bots against each other"),
        "evaluate": ("noughts.verbs.evaluate", "Exact value, blunders and best response of a bot"),
        "breed": ("noughts.verbs.breed", "Breeding of bots until one never loses"),
        "menace": ("noughts.verbs.menace", "Matchboxes that learn to play, game by game"),
        "crib": ("noughts.verbs.crib", "Smallest table that a player needs, and its card"),
        "referee": ("noughts.verbs.referee", "Test of a bot on every line that its answers allow"),
        "engine": ("noughts.cli.play", "Opponent for other programs, over standard streams"),
    },
    "Data and files": {
        "draw": ("noughts.verbs.draw", "Figure of one board: SVG, PNG or PDF"),
        "export": ("noughts.verbs.export", "Catalogue as one file: SQLite, CSV, Parquet, ..."),
        "query": ("noughts.verbs.export", "Read-only SQL over the catalogue"),
        "site": ("noughts.cli.explorer", "Catalogue as web pages in a folder"),
    },
}
"""The verbs in the order of `noughts --help`, those for beginners first."""

VERBS = {verb: row for group in GROUPS.values() for verb, row in group.items()}
"""Only the module of the requested verb is imported."""

BELOW: dict[str, tuple[str, str]] = {
    "blindfold check": ("noughts.verbs.blindfold", "Check of a strategy against every reply"),
    "blindfold play": ("noughts.cli.blindfold", "Blindfold game in the terminal, in either role"),
}
"""Verbs whose names are two words."""


_BREEDING = "breeding uses all cores of this machine"
GONE = {
    "versus": "use noughts match BOARD --x BOT --o BOT",
    "breed --crossover": "use --population and --mutations",
    "breed --tournament": "use --population and --mutations",
    "breed --elite": "use --population and --mutations",
    "breed --go-on": "try other seeds (--seed) and keep the bot that wins most",
    "breed --threads": _BREEDING,
    "breed --workers": _BREEDING,
    "breed --on": _BREEDING,
    "menace --labels": "without --games -o has the labels, as in noughts menace BOARD -o labels.pdf",
    "tree --join": "boards carry numbers, and Graphviz draws edges from -o tree.dot",
}
"""Verbs and options removed in 0.3, with what to use instead."""
MEANT = {
    "boards": "positions",
    "draws": "patterns",
    "endings": "positions BOARD --terminal",
    "forks": "positions BOARD --fork",
    "games": "count",
    "images": "explain",
    "minimax": "solve",
    "phantom": "blindfold",
    "symmetries": "explain",
    "traps": "positions BOARD --trap",
}
"""Words in place of a verb that the names of verbs do not resemble, with the verb that answers."""


def request_of(verb: str) -> type[VerbRequest]:
    """Return the request of a verb."""
    found: type[VerbRequest] = getattr(
        import_module((VERBS | BELOW)[verb][0]), f"{verb.title().replace(' ', '')}Request"
    )
    return found
