"""Pictures of trees: strategies that make sure of something, game trees with their scores, and blindfold strategies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.analysis.explain.facts import threat_mask
from noughts.analysis.explain.wording import named_cells
from noughts.blindfold.game import (
    Answer,
    BlindRules,
    Plan,
    Strategy,
    label,
    learned,
    marks_text,
    names,
    state_text,
)
from noughts.blindfold.truths import Ending, endings
from noughts.drawing.figures import shape_of, tree_board
from noughts.drawing.tree import TreeBoard, TreeLink, TreePicture, key_words, verdict
from noughts.rules.arguments import one_of
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, move_name
from noughts.rules.errors import InputError, InvalidQuestion
from noughts.rules.marks import Mask, cells_of, mask_of, opponent
from noughts.rules.position import format_start
from noughts.rules.values import decimal, require_decimals

if TYPE_CHECKING:
    from noughts.analysis.payoff.guarantee import Guarantee
    from noughts.analysis.trees import GameTree, Link, Scoring, TreeNode


def guarantee_picture(found: Guarantee) -> TreePicture:
    """Return the strategy as a tree of boards, moves on the links, endings under the boards that settle them."""
    tree = found.tree
    shown = tree.placed()
    nodes = [
        tree_board(
            node.id,
            shown[node.id][0],
            "" if node.end is None else node.outcome,
            [] if node.end is None else [f"{end} wins" if end in ("X", "O") else end for end in found.endings[node.id]],
            last=shown[node.id][1],
        )
        for node in tree.nodes
    ]
    links = []
    for link in tree.links:
        cell = shown[link.target][1]
        assert cell is not None
        links.append(TreeLink(link.source, link.target, link.moves.bit_count(), cell_name(tree.board, cell)))
    start = "" if not found.start.ply else f" from {found.start}"
    title = f"{tree.board}: {found.player} {found.purpose}{start}"
    other = "O" if found.player == "X" else "X"
    note = (
        f"{len(nodes):,} boards: one move of {found.player} at each turn, every reply of {other} up to symmetry, "
        "as far as the ending is open"
    )
    return TreePicture(shape_of(tree.board), nodes, links, title, note, words=key_words(nodes))


# The picture of a game tree: boards turned as they arise, outcomes or scores under them, best games standing out.

SCORINGS: dict[str, Scoring] = {"moves": "score", "classes": "score_distinct"}
"""The two averages by the words that ask for them: over every move, and over every distinct child class once."""
_COUNTING = {"score": "every move", "score_distinct": "every distinct class once"}


@dataclass(frozen=True)
class TreeStyle:
    """How a tree is shown. `scoring` is a word of SCORINGS, `decimals` how many; None for the fractions of moves.

    Raises InputError and InvalidType for what is none of that.
    """

    scoring: str | None = None
    decimals: int | None = None

    def __post_init__(self) -> None:
        if self.scoring is not None:
            one_of("the scoring", self.scoring, tuple(SCORINGS))
        if self.decimals is not None:
            require_decimals(self.decimals)

    @property
    def score(self) -> Scoring:
        """The score to show."""
        return SCORINGS[self.scoring or "moves"]

    def require_scores(self, tree: GameTree) -> None:
        """Raise InvalidQuestion where scores are asked for and the tree has none."""
        if self == TreeStyle() or (tree.root.score is not None and tree.root.end is None):
            return
        option = f"--scoring {self.scoring}" if self.scoring else f"--decimals {self.decimals}"
        raise InvalidQuestion(
            f"the {tree.kind} tree of {tree.board}{format_start(tree.start)} has no scores: remove {option}"
        )


def tree_picture(tree: GameTree, style: TreeStyle | None = None) -> TreePicture:
    """Return a tree with its boards turned so that each is the board above it and one more mark.

    A reduced tree shows scores, and its best games stand out; so does any other that has scores, where they are asked
    for.
    """
    style = style or TreeStyle()
    style.require_scores(tree)
    scored = tree.kind == "reduced" or style != TreeStyle()
    moves, games = tree.best_moves(style.score) if scored else (set(), 0)
    boards = {number for move in moves for number in move}
    links = _carrying_first(tree.links, moves)
    shown, named = tree.placed(links), tree.kind == "forced-wins"

    def captions(node: TreeNode) -> list[str]:
        words, at = _captions(node, style, scored), shown[node.id][0]
        if not (named and node.fork):
            return words
        return [*words[:-1], f"fork: {named_cells(at.board, cells_of(threat_mask(at, opponent(at.to_move))))}"]

    nodes = [
        tree_board(
            node.id,
            shown[node.id][0],
            "" if scored and node.end is None else node.outcome,
            captions(node),
            fork=node.fork,
            last=shown[node.id][1],
            best=node.id in boards,
        )
        for node in tree.nodes
    ]
    return TreePicture(
        shape_of(tree.board),
        nodes,
        [
            TreeLink(
                link.source,
                link.target,
                link.moves.bit_count(),
                move_name(tree.board, tree.cell_of(link, shown[link.source][0])) if named else "",
                best=(link.source, link.target) in moves,
            )
            for link in links
        ],
        f"{tree.board}: {tree.kind} tree{format_start(tree.start)}",
        _note(tree.board, len(nodes), style if scored and len(nodes) > 1 else None),
        words=key_words(nodes),
        best=_best(tree.board, games) if moves else "",
        names=named,
    )


def _captions(node: TreeNode, style: TreeStyle, scored: bool) -> list[str]:
    words = [] if node.outcome is None else [verdict(node.outcome, node.position)]
    if scored and node.end is None:
        score = getattr(node, style.score)
        words = [] if score is None else [str(score) if style.decimals is None else decimal(score, style.decimals)]
    return words + ["fork"] * node.fork


def _note(board: Board, many: int, style: TreeStyle | None) -> str:
    count = f"{many:,} position class{'es' * (many > 1)}"
    if style is None:
        return count
    x, o = board.rules.players
    rounded = "" if style.decimals is None else f", rounded to {style.decimals} decimal{'s' * (style.decimals != 1)}"
    return (
        f"{count}; the numbers are the averages of the outcomes below, counting {_COUNTING[style.score]}{rounded}: "
        f"1 for {x}, 0 for a draw, -1 for {o}"
    )


def _best(board: Board, games: int) -> str:
    ties = "the best game" if games == 1 else f"the {games:,} best games, with equal scores"
    return "{}: {} to the highest score, {} to the lowest".format(ties, *board.rules.players)


def _carrying_first(links: Iterable[Link], moves: set[tuple[int, int]]) -> list[Link]:
    """Put off the links that would carry a board away from its best game: the first link to a board carries it."""
    links = list(links)
    met = {target for _, target in moves}
    put_off = [link for link in links if link.target in met and (link.source, link.target) not in moves]
    late = set(map(id, put_off))
    return [link for link in links if id(link) not in late] + put_off


# A strategy as a tree of boards: what the player knows at each call, what to call, and how each branch ends.

_MOST = 2_000


def picture(strategy: Strategy) -> TreePicture:
    """Return the tree: each board shows the marks the player knows, its caption the call, its link the answer.

    Every branch ends in a board that says how: win, draw or loss for the blind player. Raises InputError where
    the board has no shape or the tree is too large, BudgetError where too many boards are possible.
    """
    if strategy.board.shape is None:
        raise InputError(f"{strategy.board} has no shape to draw: ask for --format text")
    if strategy.places() > _MOST:
        raise InputError(f"a tree of {strategy.places():,} boards is too large to draw: ask for --format text")
    drawer = _Drawer(strategy)
    for answer, plan in strategy.branches.items():
        own, known = strategy.marks()
        drawer.add(plan, own, known | answer.cells, None, answer)
    rules = strategy.rules
    begun = f" from {state_text(strategy.board, rules, strategy.history)}" if strategy.history else ""
    title = f"Blindfold {rules.blind} on {strategy.board}{begun}: {strategy.goal.replace('-', ' ')}"
    note = _note_strategy(rules) + (" Of several boards that end so, one is shown." if drawer.several else "")
    words = {"": "a call", "draw": "draw", rules.blind: "win", rules.opponent: "loss"}
    return TreePicture(
        strategy.board.shape, drawer.nodes, drawer.links, title, note, words=words, call="the cell to call", names=True
    )


def _note_strategy(rules: BlindRules) -> str:
    """Say what the boards and the words on the links mean."""
    if rules.is_silent:
        cost = "the turn is lost" if rules.loses_turn else "the next is called"
        return f"Calls in their order; nothing is said. Where the other player has the cell, {cost}."
    go_on = "the turn is lost" if rules.loses_turn else f"{rules.blind} calls again"
    feedback = {"collision": "", "last-move": ", with the last move", "all": f", with all marks of {rules.opponent}"}
    return (
        f"Each board shows what {rules.blind} knows, and the cell to call. free: {rules.blind} has it, and "
        f"{rules.opponent} moves; taken: {rules.opponent} has it{feedback[rules.told]}, and {go_on}."
    )


class _Drawer:
    def __init__(self, strategy: Strategy) -> None:
        self.board, self.rules = strategy.board, strategy.rules
        self.mine = strategy.rules.blind
        self.ends = endings(strategy)
        self.nodes: list[TreeBoard] = []
        self.links: list[TreeLink] = []
        self.several = False

    def add(self, plan: Plan, own: Mask, known: Mask, parent: int | None, answer: Answer) -> None:
        """Add a place, all below it, and how the game can end there."""
        number = len(self.nodes)
        opened = [f"X opens {names(self.board, answer.cells)}"] if answer.kind == "opening" else []
        captions = (*opened, f"call {cell_name(self.board, plan.call)}")
        self.nodes.append(
            TreeBoard(number, marks_text(self.board, self.mine, own, known), captions=captions, call=plan.call)
        )
        if parent is not None:
            self.links.append(TreeLink(parent, number, label=label(self.board, answer)))
        for below in sorted(plan.branches, key=lambda each: each.kind != "free"):
            self.add(plan.branches[below], *learned(own, known, plan.call, below), number, below)
        answers = [*plan.branches, *(end.answer for end in self.ends[id(plan)])]
        for end in self.ends[id(plan)]:
            self._end(end, *learned(own, known, plan.call, end.answer), number, answers.count(end.answer) > 1)

    def _end(self, end: Ending, own: Mask, known: Mask, parent: int, shared: bool) -> None:
        """Add the board at which a game is over; a drawn one is full, so that it is known in whole.

        Where the other player's reply ends it, all marks of one such board are shown, with its line and the last mark.
        `shared` tells whether the answer leads elsewhere, too: then the link says how the game ends.
        """
        number = len(self.nodes)
        truth, last = end.truth, None
        if end.outcome == "draw" and not self.rules.is_silent:
            known = self.board.full & ~own
        elif self.board.has_line(truth.other):
            own, known, last = truth.own, truth.other, truth.last
            self.several = self.several or end.boards > 1
        lines = [line for line in self.board.lines if mask_of(line) & ~own == 0 or mask_of(line) & ~known == 0]
        outcome = {"win": self.mine, "draw": "draw", "loss": self.rules.opponent}[end.outcome]
        self.nodes.append(
            TreeBoard(
                number, marks_text(self.board, self.mine, own, known), outcome, (end.outcome,), last=last, lines=lines
            )
        )
        how = (", a draw" if end.outcome == "draw" else f", {outcome} wins") if shared else ""
        self.links.append(TreeLink(parent, number, label=label(self.board, end.answer) + how))
