"""The picture of a game tree: boards turned as they arise, outcomes or scores under them, best games standing out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from noughts.domain.arguments import flag, one_of
from noughts.domain.decimals import decimal, require_decimals
from noughts.domain.errors import InvalidQuestion
from noughts.domain.notation import format_start
from noughts.drawing.figures import lines_of, marks_of, shape_of
from noughts.drawing.tree import TreeBoard, TreeLink, TreePicture
from noughts.drawing.verdicts import key_words, verdict

if TYPE_CHECKING:
    from noughts.strategy.gametree import GameTree, Link, Scoring, TreeNode

__all__ = ["SCORINGS", "TreeStyle", "tree_picture"]

SCORINGS: dict[str, Scoring] = {"moves": "score", "classes": "score_distinct"}
"""The two averages by the words that ask for them: over every move, and over every distinct child class once."""
_COUNTING = {"score": "every move", "score_distinct": "every distinct class once"}


@dataclass(frozen=True)
class TreeStyle:
    """How a tree is shown. `scoring` is a word of SCORINGS, `decimals` how many; None for the fractions of moves.

    `join` draws lines to boards that stand elsewhere. Raises InputError and InvalidType for what is none of that.
    """

    scoring: str | None = None
    decimals: int | None = None
    join: bool = False

    def __post_init__(self) -> None:
        if self.scoring is not None:
            one_of("the scoring", self.scoring, tuple(SCORINGS))
        if self.decimals is not None:
            require_decimals(self.decimals)
        flag("join", self.join)

    @property
    def score(self) -> Scoring:
        """The score to show."""
        return SCORINGS[self.scoring or "moves"]

    @property
    def is_plain(self) -> bool:
        """Whether nothing was asked of the scores."""
        return self.scoring is None and self.decimals is None

    def require_scores(self, tree: GameTree) -> None:
        """Raise InvalidQuestion where scores are asked for and the tree has none."""
        if self.is_plain or (tree.root.score is not None and tree.root.end is None):
            return
        asked = f"--scoring {self.scoring}" if self.scoring else f"--decimals {self.decimals}"
        why = "was cut before its ends" if tree.root.score is None else "is its root"
        raise InvalidQuestion(
            f"the {tree.kind} tree of {tree.board}{format_start(tree.start)} {why}: leave out {asked}"
        )

    def words(self, score: Fraction) -> str:
        """Return a score as it is shown."""
        return str(score) if self.decimals is None else decimal(score, self.decimals)


def tree_picture(tree: GameTree, style: TreeStyle | None = None) -> TreePicture:
    """Return a tree with its boards turned so that each is the board above it and one more mark.

    A reduced tree shows scores, and its best games stand out; so does any other that has scores, where they are asked
    for.
    """
    style = style or TreeStyle()
    style.require_scores(tree)
    scored = tree.kind == "reduced" or not style.is_plain
    moves, games = tree.best_moves(style.score) if scored else (set(), 0)
    boards = {number for move in moves for number in move}
    links = _carrying_first(tree.links, moves)
    shown = tree.placed(links)
    nodes = [
        TreeBoard(
            node.id,
            marks_of(shown[node.id][0]),
            "" if scored and node.end is None else node.outcome or "",
            _captions(node, style, scored),
            node.fork,
            shown[node.id][1],
            lines_of(shown[node.id][0]),
            best=node.id in boards,
        )
        for node in tree.nodes
    ]
    return TreePicture(
        shape_of(tree.board),
        nodes,
        [
            TreeLink(link.source, link.target, link.moves.bit_count(), best=(link.source, link.target) in moves)
            for link in links
        ],
        f"{tree.board}: {tree.kind} tree{format_start(tree.start)}",
        _note(len(nodes), style if scored and len(nodes) > 1 else None),
        words=key_words(nodes),
        best=_best(games) if moves else "",
        joined=style.join,
    )


def _captions(node: TreeNode, style: TreeStyle, scored: bool) -> list[str]:
    words = [] if node.outcome is None else [verdict(node.outcome, node.position)]
    if scored and node.end is None:
        score = getattr(node, style.score)
        words = [] if score is None else [style.words(score)]
    return words + ["fork"] * node.fork


def _note(many: int, style: TreeStyle | None) -> str:
    count = f"{many:,} position class{'es' * (many > 1)}"
    if style is None:
        return count
    rounded = "" if style.decimals is None else f", rounded to {style.decimals} decimal{'s' * (style.decimals != 1)}"
    return (
        f"{count}; the numbers are the averages of the outcomes below, counting {_COUNTING[style.score]}{rounded}: "
        "1 for X, 0 for a draw, -1 for O"
    )


def _best(games: int) -> str:
    ties = "the best game" if games == 1 else f"the {games:,} best games, with equal scores"
    return f"{ties}: X to the highest score, O to the lowest"


def _carrying_first(links: Iterable[Link], moves: set[tuple[int, int]]) -> list[Link]:
    """Put off the links that would carry a board away from its best game: the first link to a board carries it."""
    links = list(links)
    met = {target for _, target in moves}
    put_off = [link for link in links if link.target in met and (link.source, link.target) not in moves]
    late = set(map(id, put_off))
    return [link for link in links if id(link) not in late] + put_off
