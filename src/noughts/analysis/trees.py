"""Trees of position classes: the common form of all kinds, and what can be read off it.

A tree here is a graph whose nodes are position classes and whose edges go to distinct child classes; an edge keeps the
cells, of the canonical parent, that lead along it. So a class that several paths reach is there once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import factorial
from random import Random
from typing import Literal

from noughts.analysis.explain.explanation import unfinished
from noughts.analysis.explain.facts import forced_cells, forced_wins, is_fork
from noughts.analysis.policies.reading import PolicyLike, policy, require_policy
from noughts.analysis.solutions import Outcomes, searched_from, solution_for
from noughts.rules.arguments import integer, offered, text_of, whole_number
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import BudgetError, InputError, InvalidQuestion, shown
from noughts.rules.game import QUICK_CLASSES, class_bound, least_classes, require_listed
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of, opponent
from noughts.rules.position import Position, completing_cells, format_start
from noughts.rules.symmetry import inverse
from noughts.rules.values import decimal, roughly, short
from noughts.solving.bounds import surely_drawn
from noughts.solving.problem import SearchBudget
from noughts.solving.solution import Solution
from noughts.solving.values import VALUE_OF_OUTCOME

End = Literal["over", "forced win", "no fork left", "settled"]
Scoring = Literal["score", "score_distinct"]
NODE_LIMIT = 50_000
DRAWN_NODES = 3_000
"""Nodes that a picture of a tree holds."""


@dataclass(frozen=True)
class TreeNode:
    """A position class. `outcome` is that under best play; `end` says why the tree stops here, None where it does not.

    `score` and `score_distinct` are the averages from X's viewpoint, None where the tree was cut before its ends.
    """

    id: int
    position: Position
    outcome: Outcome | None
    score: Fraction | None
    score_distinct: Fraction | None
    end: End | None
    fork: bool


@dataclass(frozen=True)
class Link:
    """An edge: from a class to a distinct child class, with the cells of the canonical parent that lead there."""

    source: int
    target: int
    moves: Mask


@dataclass(frozen=True, repr=False)
class GameTree:
    """A tree of position classes in order of ply; node 0 is the root, in its canonical form."""

    board: Board
    kind: str
    start: Position
    """The root as it was asked for, before it was brought to its canonical form."""
    nodes: tuple[TreeNode, ...]
    links: tuple[Link, ...]

    def __repr__(self) -> str:
        size = f"{len(self.nodes):,} nodes, {len(self.links):,} edges"
        return f"<GameTree of {short(self.start)} on {short(self.board)}, {self.kind}: {size}>"

    @cached_property
    def children(self) -> dict[int, list[Link]]:
        """The links out of each node."""
        found: dict[int, list[Link]] = {node.id: [] for node in self.nodes}
        for link in self.links:
            found[link.source].append(link)
        return found

    @property
    def root(self) -> TreeNode:
        """The first node."""
        return self.nodes[0]

    def best_games(self, scoring: Scoring = "score") -> list[list[int]]:
        """Return all best games as lists of node numbers: X takes the child with the highest score, O the lowest."""
        games: list[list[int]] = []
        work = [[0]]
        while work:
            game = work.pop()
            best = self.best_children(game[-1], scoring)
            if not best:
                games.append(game)
            work += [[*game, child] for child in reversed(best)]
        return games

    def best_moves(self, scoring: Scoring = "score") -> tuple[set[tuple[int, int]], int]:
        """Return the links of all best games, as pairs of node numbers, and how many best games there are."""
        moves, games = set[tuple[int, int]](), [0] * len(self.nodes)
        games[0] = 1
        ends = 0
        for number, ways in enumerate(games):
            best = self.best_children(number, scoring) if ways else []
            moves |= {(number, child) for child in best}
            for child in best:
                games[child] += ways
            ends += 0 if best else ways
        return moves, ends

    def best_children(self, node: int, scoring: Scoring = "score") -> list[int]:
        """Return the children with the best score for the side to move; empty at an end or without scores."""
        links = self.children[node]
        scores = [(getattr(self.nodes[link.target], scoring), link.target) for link in links]
        if not scores or any(score is None for score, _ in scores):
            return []
        choose = max if self.nodes[node].position.to_move == "X" else min
        best = choose(score for score, _ in scores)
        return [target for score, target in scores if score == best]

    def moves_of(self, game: list[int]) -> list[str]:
        """Return the moves that lead through the nodes of a game, from the root as it was asked for, each the first."""
        position, names = self.start, []
        canonical = self.board.group().canonical
        for number in game[1:]:
            target = self.nodes[number].position
            after = ((cell, position.play(cell)) for cell in cells_of(position.blanks))
            cell, position = next((c, p) for c, p in after if canonical(p.x, p.o) == (target.x, target.o))
            names.append(cell_name(self.board, cell))
        return names

    def placed(self, links: Iterable[Link] | None = None) -> dict[int, tuple[Position, Cell | None]]:
        """Return for each node the position to show and its last move: the root as it was asked for, each other node
        turned so that it is the position above it and one more mark. The first link to a node turns it.

        `links` are those of the tree in another order, in which each node comes after one above it.
        """
        group = self.board.group()
        shown: dict[int, tuple[Position, Cell | None]] = {0: (self.start, None)}
        for link in self.links if links is None else links:
            if link.target in shown:
                continue
            before = shown[link.source][0]
            back = inverse(group.to_canonical(before.x, before.o)[2])
            cell = min(back[move] for move in cells_of(link.moves))
            shown[link.target] = (before.play(cell), cell)
        return shown

    def as_dict(self, decimals: int | None = None) -> dict[str, object]:
        """Return the tree as the JSON contract has it: scores as fractions, and where asked as decimals besides."""
        return {
            "board": self.board.spec,
            "kind": self.kind,
            "nodes": [
                {
                    "id": node.id,
                    "position": str(node.position),
                    "ply": node.position.ply,
                    "outcome": node.outcome,
                    "score": _fraction(node.score),
                    "score_distinct": _fraction(node.score_distinct),
                    **(_decimals(node, decimals) if decimals is not None else {}),
                    "end": node.end,
                    "fork": node.fork,
                }
                for node in self.nodes
            ],
            "edges": [
                {
                    "from": link.source,
                    "to": link.target,
                    "moves": [cell_name(self.board, cell) for cell in cells_of(link.moves)],
                }
                for link in self.links
            ],
        }


def grow(
    start: Position,
    kind: str,
    moves_at: Callable[[Position], Mask],
    end_at: Callable[[Position], End | None],
    outcome_at: Callable[[Position], Outcome | None],
    fork_at: Callable[[Position], bool],
    *,
    depth: int | None = None,
    limit: int = NODE_LIMIT,
) -> GameTree:
    """Return the tree below a position, breadth first, so that ids follow the plies.

    `moves_at` gives the moves of a canonical position, `end_at` why the tree stops there. Raises BudgetError beyond
    `limit` nodes, with a size that the tree has at least. Cost: one canonical form per move.
    """
    board, group = start.board, start.board.group()
    root = group.canonical(start.x, start.o)
    ids, order, links = {root: 0}, [root], []
    ends: list[End | None] = []
    cut = False
    for number, (x, o) in enumerate(order):
        position = Position(board, x, o)
        end = end_at(position)
        ends.append(end)
        if end is not None:
            continue
        if depth is not None and position.ply - start.ply >= depth:
            cut = True
            continue
        found: dict[int, Mask] = {}
        for cell in cells_of(moves_at(position)):
            after = position.play(cell)
            key = group.canonical(after.x, after.o)
            if key not in ids:
                if len(order) >= limit:
                    raise BudgetError(_too_large(board, kind, start, limit, number))
                ids[key] = len(order)
                order.append(key)
            found[ids[key]] = found.get(ids[key], 0) | 1 << cell
        links += [Link(number, target, cells) for target, cells in found.items()]
    positions = [Position(board, x, o) for x, o in order]
    outcomes = [outcome_at(position) for position in positions]
    scores = [(None, None)] * len(order) if cut else _scores(outcomes, ends, links)
    nodes = [
        TreeNode(i, positions[i], outcomes[i], *scores[i], ends[i], fork_at(positions[i])) for i in range(len(order))
    ]
    return GameTree(board, kind, start, tuple(nodes), tuple(links))


def _scores(
    outcomes: list[Outcome | None], ends: list[End | None], links: list[Link]
) -> list[tuple[Fraction | None, Fraction | None]]:
    """Average backwards: over every move, and over every distinct class once."""
    below: dict[int, list[Link]] = {}
    for link in links:
        below.setdefault(link.source, []).append(link)
    scores: list[tuple[Fraction | None, Fraction | None]] = [(None, None)] * len(outcomes)
    for number, outcome in reversed(list(enumerate(outcomes))):
        if ends[number] is not None and outcome is not None:
            scores[number] = (Fraction(VALUE_OF_OUTCOME[outcome]),) * 2
        elif children := below.get(number, []):
            scores[number] = _average(children, scores)
    return scores


def _average(
    children: list[Link], scores: list[tuple[Fraction | None, Fraction | None]]
) -> tuple[Fraction | None, Fraction | None]:
    total, weight, distinct = Fraction(0), 0, Fraction(0)
    for link in children:
        one, other = scores[link.target]
        if one is None or other is None:
            return None, None
        times = link.moves.bit_count()
        total, weight, distinct = total + one * times, weight + times, distinct + other
    return total / weight, distinct / len(children)


def _fraction(score: Fraction | None) -> str | None:
    """A fraction as text, always with its denominator."""
    return None if score is None else f"{score.numerator}/{score.denominator}"


def _decimals(node: TreeNode, places: int) -> dict[str, object]:
    scores = {"score_decimal": node.score, "score_distinct_decimal": node.score_distinct}
    return {name: None if score is None else decimal(score, places) for name, score in scores.items()}


def _too_large(board: Board, kind: str, start: Position, limit: int, expanded: int) -> str:
    return (
        f"the {kind} tree of {board}{format_start(start)} has at least {limit + 1:,} nodes ({expanded:,} of "
        f"them were expanded when it was given up): ask {smaller(kind, limit)}"
    )


def smaller(kind: str, limit: int) -> str:
    """Return in words how to ask for less than a tree that is too large, or for more."""
    ways = [*(["with --depth"] if kind in ("full", "policy") else []), "from a later position"]
    ways.append("for numbers, as pictures hold no more" if limit == DRAWN_NODES else "with a higher --limit")
    return f"{', '.join(ways[:-1])}, or {ways[-1]}"


# How large a tree is likely to be, from a few games through it: D. E. Knuth, "Estimating the efficiency of backtrack
# programs" (1975).
#
# A game at random stands for as many as the product of the numbers of moves along it. A position of p and q new marks
# is reached in p! q! orders at most, and a class holds at most as many positions as there are symmetries. So the
# average of product / (p! q! symmetries), summed over the plies, is expected to be no more than the number of
# classes.

_GAMES = 256
_FAR = 20
"""An average of so many times the limit is believed: a smaller tree gives one in fewer than 1 of 20 cases (Markov)."""
_ERRORS = 5
"""A lesser one is believed where it is twice the limit and so many standard errors more."""

Moves = Callable[[Position], Mask]
Ends = Callable[[Position], bool]


def require_small(kind: str, start: Position, moves_at: Moves, ends_at: Ends, limit: int) -> None:
    """Raise BudgetError where games through a tree show that it has far more than `limit` nodes.

    The games are the same every time. Cost: at most 256 of them, each move asked for its end once.
    """
    likely = _nodes_beyond(start, moves_at, ends_at, limit)
    if likely is not None:
        raise BudgetError(
            f"the {kind} tree of {start.board}{format_start(start)} has some {roughly(likely)} nodes or more, as games "
            f"through it show: ask {smaller(kind, limit)}"
        )


def _nodes_beyond(start: Position, moves_at: Moves, ends_at: Ends, limit: int) -> int | None:
    """Return about how many nodes a tree has where that is far more than `limit`, else None."""
    dice, total, squares = Random(f"games of {start}"), 0, 0
    for _ in range(_GAMES):
        found = _nodes_of_a_game(start, moves_at, ends_at, dice, _FAR * limit * _GAMES)
        total, squares = total + found, squares + found**2
        if total >= _FAR * limit * _GAMES:
            return total // _GAMES
    above, spread = total - 2 * limit * _GAMES, _GAMES * squares - total**2  # spread: as the square of `above`
    return total // _GAMES if above * abs(above) * (_GAMES - 1) > _ERRORS**2 * spread else None


def _nodes_of_a_game(start: Position, moves_at: Moves, ends_at: Ends, dice: Random, enough: int) -> int:
    """Return what one game shows of the number of nodes, or no more than that, in whole numbers; up to `enough`."""
    position, paths, nodes, symmetries = start, 1, 0, start.board.group().order
    while nodes < enough and not ends_at(position):
        cells = list(cells_of(moves_at(position)))
        paths *= len(cells)
        position = position.play(dice.choice(cells))
        more = position.ply - start.ply
        nodes += paths // (factorial((more + 1) // 2) * factorial(more // 2) * symmetries)
    return nodes


# The reduced game tree: forced moves only, cut where the rest is known.
#
# Moves are those of the rule `block`: complete a line, else block, else any. A node is an end when the game is over,
# when its minimax value is not a draw, or when it is a draw and no fork can occur any later under those forced moves.
# ("Tic-Tac-Toe Analysis using Clojure", part 2: 95 nodes below the edge opening of 3x3.)

_LOOK_AHEAD_LIMIT = 1_000_000


class ForkAhead:
    """Tells whether a fork can occur later than a position, both players moving by the rule `block`.

    Remembers every class it has seen. Raises BudgetError beyond a million classes.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Mask, Mask], bool] = {}

    def __call__(self, position: Position) -> bool:
        """Return whether some position after this one is a fork."""
        canonical = position.board.group().canonical
        key = canonical(position.x, position.o)
        if key in self._known:
            return self._known[key]
        if len(self._known) >= _LOOK_AHEAD_LIMIT:
            raise BudgetError(
                f"looking ahead for forks on {position.board} meets more than {_LOOK_AHEAD_LIMIT:,} position classes: "
                "ask from a later position"
            )
        found = False
        if not position.is_terminal:
            later = [position.play(cell) for cell in cells_of(forced_cells(position))]
            found = any(map(is_fork, later)) or any(map(self, later))
        self._known[key] = found
        return found


_SOON = SearchBudget(position=400_000, whole=1_600_000, far=100_000)
"""What may be searched for a first look at how large a tree is: less than a second."""
_SEEN_CELLS = 64
"""Cells of a board of which so many nodes are looked at once that the tree is seen to be too large."""


def reduced_tree(start: Position, limit: int = NODE_LIMIT) -> GameTree:
    """Return the reduced tree below an unfinished position. Assumes normal play: misere is refused by the caller.

    Raises BudgetError beyond `limit` nodes, before any engine is asked where one look at each node shows so many; and
    where no engine has the values of the board.
    """
    if start.board.cells > _SEEN_CELLS:
        require_listed(start, "growing the reduced tree", QUICK_CLASSES)
    if class_bound(start) > QUICK_CLASSES:
        _require_small(start, limit, surely_drawn)
        _require_small(start, limit, _Drawn(start))
    outcomes, ahead = Outcomes(start), ForkAhead()
    return grow(
        start,
        "reduced",
        forced_cells,
        lambda position: _end(outcomes, ahead, position),
        outcomes.outcome,
        is_fork,
        limit=limit,
    )


class _Drawn:
    """Tells whether a search soon finds a position drawn; after one that it does not settle, none is."""

    def __init__(self, start: Position) -> None:
        self._start = start
        self._gave_up = False

    @cached_property
    def _solution(self) -> Solution:
        return searched_from(self._start, _SOON)

    def __call__(self, position: Position) -> bool:
        try:
            return not self._gave_up and (surely_drawn(position) or self._solution.outcome(position) == "draw")
        except BudgetError:
            self._gave_up = True
            return False


def _require_small(start: Position, limit: int, is_drawn: Callable[[Position], bool]) -> None:
    """Raise BudgetError where a few games through the tree show that it has far more than `limit` nodes.

    Nodes are taken for ends unless it is seen that the tree goes on below: what is left is a part of the tree.
    """
    require_small(
        "reduced",
        start,
        forced_cells,
        lambda position: position.is_terminal or not is_drawn(position) or not fork_in_sight(position),
        limit,
    )


def fork_in_sight(position: Position) -> bool:
    """Tell whether a fork can occur later than a position, as `ForkAhead` does, if it is easily shown.

    One player fills two crossing lines, their common cell last, while the other keeps out of the way. False says
    nothing: a fork may occur all the same.
    """
    players: tuple[Player, ...] = ("X", "O")
    for player in players:
        other = position.marks(opponent(player))
        lines = [line for line in position.board.line_masks if not line & other]
        for first, second in combinations(lines, 2):
            common = first & second & position.blanks
            if common and _is_forked(position, player, (first, second), common & -common):
                return True
    return False


def _is_forked(position: Position, player: Player, lines: tuple[Mask, Mask], last: Mask) -> bool:
    """Play on by the rule `block` until a player has all of two lines but one cell of each; tell whether it works."""
    kept = [line & position.blanks & ~other & ~last for line, other in (lines, lines[::-1])]
    both = lines[0] | lines[1]
    fill = both & position.blanks & ~last & ~(kept[0] & -kept[0]) & ~(kept[1] & -kept[1])
    while not position.is_terminal:
        mine = position.to_move == player
        wanted = ((fill or last) if mine else position.blanks & ~both) & forced_cells(position)
        if not wanted:
            return False
        cell = wanted & -wanted
        position = position.play(cell.bit_length() - 1)
        if mine and cell == last:
            return is_fork(position)
        fill &= ~cell
    return False


def _end(outcomes: Outcomes, ahead: ForkAhead, position: Position) -> End | None:
    if position.is_terminal:
        return "over"
    if outcomes.outcome(position) != "draw":
        return "forced win"
    return None if fork_in_sight(position) or ahead(position) else "no fork left"


# The kinds of trees that can be asked for, each from any position of any board that fits.

KINDS = ("reduced", "full", "openings", "forced-wins", "policy")
_MISERE_KINDS = ("full", "openings", "policy")


def tree(
    board: Board | str,
    start: Position | str | None = None,
    *,
    kind: str = "reduced",
    opening: str | int | None = None,
    depth: int | None = None,
    x: PolicyLike = "random",
    o: PolicyLike = "random",
    limit: int = NODE_LIMIT,
) -> GameTree:
    """Return a tree of position classes below `start`, the empty board unless given, or below its move `opening`.

    Kinds: `reduced`; `full`, all moves; `openings`, the first moves and the replies; `forced-wins`, the moves of all
    sequences that force a fork, and none that completes a line at once; `policy`, what two policies leave. `depth` cuts
    a tree after so many plies. Raises InputError for what makes no sense and BudgetError beyond `limit` nodes.

    >>> len(tree("3x3", opening="b1").nodes)
    95
    """
    board = Board.parse(board)
    if text_of("the kind of tree", kind) not in KINDS:
        raise InputError(f"unknown kind of tree {shown(kind)}: choose {offered(kind, KINDS)}")
    if board.misere and kind not in _MISERE_KINDS:
        raise InvalidQuestion(
            f"the {kind} tree is made of threats and forks, which mean the opposite under misere: "
            f"choose {', '.join(_MISERE_KINDS)}"
        )
    whole_number("the limit", limit, 1)
    for player in (x, o):
        require_policy(player)
    if depth is not None and integer("a depth", depth, "how many plies to show") < 0:
        raise InputError(f"a depth is 0 or more plies, not {depth}: give how many plies to show")
    start = _opened(unfinished(board, start), opening)
    if kind == "reduced":
        if depth is not None:
            raise InvalidQuestion("a reduced tree is cut where its scores are known, not at a depth: leave out --depth")
        return reduced_tree(start, limit)
    if kind == "forced-wins":
        if depth is not None:
            raise InvalidQuestion("a tree of forced wins ends where they are forced, not at a depth: leave out --depth")
        return _forced_wins_tree(start, limit)
    if kind == "policy":
        return _policy_tree(start, x, o, depth, limit)
    return _free_tree(start, kind, 2 if kind == "openings" and depth is None else depth, limit)


def _opened(start: Position, opening: str | int | None) -> Position:
    if opening is None:
        return start
    return unfinished(start.board, start.play(parse_cell(start.board, opening)))


def _over(position: Position) -> End | None:
    return "over" if position.is_terminal else None


def _fork(position: Position) -> bool:
    return not position.board.misere and is_fork(position)


def _free_tree(start: Position, kind: str, depth: int | None, limit: int) -> GameTree:
    least = least_classes(start, depth)
    if least > limit:
        raise BudgetError(
            f"the {kind} tree of {start.board}{format_start(start)} has at least {roughly(least)} nodes: "
            "ask with --depth, from a later position, or with a higher --limit"
        )
    return grow(start, kind, lambda p: p.blanks, _over, Outcomes(start).found, _fork, depth=depth, limit=limit)


def _policy_tree(start: Position, x: PolicyLike, o: PolicyLike, depth: int | None, limit: int) -> GameTree:
    outcomes, players = Outcomes(start), {"X": policy(start.board, x), "O": policy(start.board, o)}
    for player in players.values():
        if not player.is_symmetric:
            raise InputError(
                f"the policy {player.name} may treat symmetric positions differently, so its tree cannot be "
                "drawn with classes: write it as a file of position classes"
            )

    def moves(position: Position) -> Mask:
        player = players[position.to_move]
        return player.moves(position, outcomes.solution if player.needs_values else None)

    def ends(position: Position) -> bool:
        return position.is_terminal or (depth is not None and position.ply - start.ply >= depth)

    require_small("policy", start, moves, ends, limit)
    return grow(start, "policy", moves, _over, outcomes.found, _fork, depth=depth, limit=limit)


def _forced_wins_tree(start: Position, limit: int) -> GameTree:
    """The moves of all forced wins: the attacker's that belong to a sequence, the defender's that block."""
    attacker = start.to_move
    solution = solution_for(start)
    outcome = solution.outcome(start)
    if outcome != attacker:
        raise InputError(
            f"{attacker} to move cannot force a win in {start}, so there is no tree of forced wins: "
            "give a position that its mover wins"
        )

    def moves(position: Position) -> Mask:
        if position.to_move == attacker:
            found = forced_wins(position).sequences
            return sum(1 << cell for cell in {sequence[0] for sequence in found})
        board = position.board
        return completing_cells(board, position.marks(attacker), position.blanks)

    def end(position: Position) -> End | None:
        if position.is_terminal:
            return "over"
        return "forced win" if position.to_move != attacker and is_fork(position) else None

    if not forced_wins(start).sequences:
        wins = [
            cell_name(start.board, cell)
            for cell in cells_of(start.blanks)
            if solution.outcome(start.play(cell)) == attacker
        ]
        at_once = completing_cells(start.board, start.marks(attacker), start.blanks)
        how = "completes a line at once" if at_once else "wins"
        raise InputError(
            f"{attacker} {how} in {start}, and no fork can be forced there by threats alone, "
            f"so there is no tree of forced wins; the winning move{'s are' if len(wins) > 1 else ' is'} "
            f"{', '.join(wins)}"
        )
    return grow(start, "forced-wins", moves, end, lambda _: outcome, is_fork, limit=limit)
