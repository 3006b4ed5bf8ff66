"""The table of verbs: for each the module that holds its request, and the line that describes it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noughts.verbs.request import VerbRequest

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Start here": {
        "count": ("noughts.verbs.count", "How many positions and games, under any convention."),
        "explain": ("noughts.verbs.explain", "What to play in a position and why."),
        "play": ("noughts.cli.play", "Play in the terminal, with hints, undo and a review."),
    },
    "Count": {
        "whatis": ("noughts.verbs.whatis", "Which convention gives this number?"),
        "positions": ("noughts.verbs.positions", "List and draw positions, by any condition."),
        "same": ("noughts.verbs.same", "Are two boards the same, turned or mirrored?"),
        "verify": ("noughts.verbs.verify", "Re-derive every known number."),
    },
    "Solve and understand": {
        "solve": ("noughts.verbs.solve", "Who wins, how soon, and by which moves."),
        "openings": ("noughts.verbs.openings", "First moves, the replies to each, and advice."),
        "tree": ("noughts.verbs.tree", "The reduced game tree with scores, and other trees."),
        "patterns": ("noughts.verbs.patterns", "Drawn boards, and which of them a player can force."),
        "payoff": ("noughts.verbs.payoff", "Points for each ending, and what they come to."),
        "blindfold": (
            "noughts.verbs.blindfold",
            "Play without seeing: what is safe, how often it wins, whole strategies.",
        ),
        "check": ("noughts.verbs.check", "Judge certificates: proofs, strategies, cribs, policies."),
    },
    "Play and learn": {
        "review": ("noughts.verbs.review", "A game move by move, and where it was given away."),
        "puzzle": ("noughts.verbs.puzzle", "Positions with one right move, hints and answers."),
        "sheet": ("noughts.verbs.sheet", "Worksheets with answers, cards and posters to print."),
        "serve": ("noughts.cli.explorer", "Look, explore and play in a browser."),
    },
    "Bots": {
        "match": ("noughts.verbs.match", "Bots against each other, every pair both ways, exactly."),
        "evaluate": ("noughts.verbs.evaluate", "What a bot is worth, where it blunders, how it is beaten."),
        "breed": ("noughts.verbs.breed", "Breed bots, judged exactly, until one never loses."),
        "menace": ("noughts.verbs.menace", "Matchboxes that learn to play, taught game by game."),
        "crib": ("noughts.verbs.crib", "The smallest table that a player needs, and its card."),
        "referee": ("noughts.verbs.referee", "Is my bot correct? Every line its answers allow."),
        "engine": ("noughts.cli.play", "Play over standard input and output, for other programs."),
    },
    "Data and files": {
        "draw": ("noughts.verbs.draw", "One board as a figure for a page: SVG, PNG or PDF."),
        "export": ("noughts.verbs.export", "The whole catalogue as one file: SQLite, CSV, Parquet, ..."),
        "query": ("noughts.verbs.export", "Read-only SQL over the catalogue."),
        "site": ("noughts.cli.explorer", "The whole catalogue as pages to open from a folder."),
    },
}
"""The verbs as `noughts --help` shows them, those that a beginner needs first."""

VERBS = {verb: row for group in GROUPS.values() for verb, row in group.items()}
"""Only the module of the verb that is asked for is imported."""

BELOW: dict[str, tuple[str, str]] = {
    "blindfold check": ("noughts.verbs.blindfold", "Judge a strategy: every reply is played."),
    "blindfold play": ("noughts.cli.blindfold", "Play blindfold in the terminal, either role."),
}
"""Verbs below another, whose names are two words."""


_BREEDING = "breeding uses all cores of this machine"
GONE = {
    "versus": "use noughts match BOARD --x BOT --o BOT",
    "breed --crossover": "use --population and --mutations",
    "breed --tournament": "use --population and --mutations",
    "breed --elite": "use --population and --mutations",
    "breed --go-on": "breed with other seeds (--seed), and keep the bot that wins most",
    "breed --threads": _BREEDING,
    "breed --workers": _BREEDING,
    "breed --on": _BREEDING,
    "tree --join": "numbers at the feet of boards say where each stands, and Graphviz draws lines from -o tree.dot",
}
"""Verbs and options that were there before 0.3, and what to use instead."""


def request_of(verb: str) -> type[VerbRequest]:
    """Return the request of a verb."""
    found: type[VerbRequest] = getattr(
        import_module((VERBS | BELOW)[verb][0]), f"{verb.title().replace(' ', '')}Request"
    )
    return found
