"""Trees of position classes: the reduced tree, all moves, openings, forced wins, and what two policies leave.

A tree here is a graph whose nodes are position classes and whose edges go to distinct child classes; an edge keeps the
cells, of the canonical parent, that lead along it. So a class that several paths reach is there once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import factorial
from random import Random
from typing import Any, Literal

from noughts.analysis.explain.facts import forced_cells, forced_wins, is_fork, threat_mask, unfinished
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
from noughts.rules.values import Result, decimal, roughly
from noughts.solving.bounds import surely_drawn
from noughts.solving.problem import SearchBudget
from noughts.solving.values import VALUE_OF_OUTCOME

End = Literal["over", "forced win", "no fork left", "settled"]
Scoring = Literal["score", "score_distinct"]

KINDS = ("reduced", "full", "openings", "forced-wins", "policy")
_MISERE_KINDS = ("full", "openings", "policy")
NODE_LIMIT = 50_000
DRAWN_NODES = 3_000
"""Nodes that a picture of a tree holds."""
_LOOK_AHEAD_LIMIT = 1_000_000
_SOON = SearchBudget(position=400_000, whole=1_600_000, far=100_000)
"""What may be searched for a first look at how large a tree is: less than a second."""
_SEEN_CELLS = 64
"""Cells of a board of which so many nodes are looked at once that the tree is seen to be too large."""
_GAMES = 256
_FAR = 20
"""An average of so many times the limit is believed: a smaller tree gives one in fewer than 1 of 20 cases (Markov)."""
_ERRORS = 5
"""A lesser one is believed where it is twice the limit and so many standard errors more."""


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
class GameTree(Result):
    """A tree of position classes in order of ply; node 0 is the root, in its canonical form."""

    board: Board
    kind: str
    start: Position
    """The root as it was asked for, before it was brought to its canonical form."""
    nodes: tuple[TreeNode, ...]
    links: tuple[Link, ...]
    keys = "board kind start"

    @cached_property
    def children(self) -> dict[int, list[Link]]:
        """The links out of each node."""
        return _by_source(len(self.nodes), self.links)

    @property
    def root(self) -> TreeNode:
        """The first node."""
        return self.nodes[0]

    def best_games(self, scoring: Scoring = "score") -> list[list[int]]:
        """Return all best games as lists of node numbers: X takes the child with the highest score, O the lowest."""
        games, work = list[list[int]](), [[0]]
        while work:
            game = work.pop()
            best = self.best_children(game[-1], scoring)
            games += [] if best else [game]
            work += [[*game, child] for child in reversed(best)]
        return games

    def best_moves(self, scoring: Scoring = "score") -> tuple[set[tuple[int, int]], int]:
        """Return the links of all best games, as pairs of node numbers, and how many best games there are."""
        moves, games, ends = set[tuple[int, int]](), [1] + [0] * (len(self.nodes) - 1), 0
        for number, ways in enumerate(games):
            best = self.best_children(number, scoring) if ways else []
            for child in best:
                moves.add((number, child))
                games[child] += ways
            ends += 0 if best else ways
        return moves, ends

    def best_children(self, node: int, scoring: Scoring = "score") -> list[int]:
        """Return the children with the best score for the side to move; empty at an end or without scores."""
        scores = {link.target: getattr(self.nodes[link.target], scoring) for link in self.children[node]}
        if not scores or None in scores.values():
            return []
        best = (max if self.nodes[node].position.to_move == "X" else min)(scores.values())
        return [target for target, score in scores.items() if score == best]

    def moves_of(self, game: list[int]) -> list[str]:
        """Return the moves that lead through the nodes of a game, from the root as it was asked for, each the first."""
        position, names = self.start, []
        canonical = self.board.group().canonical
        for number in game[1:]:
            target = self.nodes[number].position
            after = ((cell, position.play(cell)) for cell in position.moves())
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
            if link.target not in shown:
                before = shown[link.source][0]
                back = inverse(group.to_canonical(before.x, before.o)[2])
                cell = min(back[move] for move in cells_of(link.moves))
                shown[link.target] = (before.play(cell), cell)
        return shown

    def as_dict(self, decimals: int | None = None) -> dict[str, Any]:
        """Return the tree as the JSON contract has it: scores as fractions, and where asked as decimals besides."""
        nodes = [
            {
                "id": node.id,
                "position": str(node.position),
                "ply": node.position.ply,
                "outcome": node.outcome,
                **_scores_as_dict(node, decimals),
                "end": node.end,
                "fork": node.fork,
            }
            for node in self.nodes
        ]
        edges = [
            {
                "from": link.source,
                "to": link.target,
                "moves": [cell_name(self.board, cell) for cell in cells_of(link.moves)],
            }
            for link in self.links
        ]
        return {"board": self.board.spec, "kind": self.kind, "nodes": nodes, "edges": edges}


def _scores_as_dict(node: TreeNode, places: int | None) -> dict[str, str | None]:
    """Return the scores as fractions, always with their denominators, and as decimals where places are given."""
    scores = {"score": node.score, "score_distinct": node.score_distinct}
    found = {name: None if s is None else f"{s.numerator}/{s.denominator}" for name, s in scores.items()}
    if places is not None:
        found |= {f"{name}_decimal": None if s is None else decimal(s, places) for name, s in scores.items()}
    return found


def _by_source(nodes: int, links: Iterable[Link]) -> dict[int, list[Link]]:
    found: dict[int, list[Link]] = {number: [] for number in range(nodes)}
    for link in links:
        found[link.source].append(link)
    return found


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
    ids, positions, links = {root: 0}, [Position(board, *root)], list[Link]()
    ends: list[End | None] = []
    cut = False
    for number, position in enumerate(positions):
        ends.append(end_at(position))
        is_cut = depth is not None and position.ply - start.ply >= depth
        if ends[-1] is not None or is_cut:
            cut |= ends[-1] is None
            continue
        found: dict[int, Mask] = {}
        for cell in cells_of(moves_at(position)):
            after = position.play(cell)
            key = group.canonical(after.x, after.o)
            if key not in ids:
                if len(positions) >= limit:
                    raise BudgetError(
                        f"the {kind} tree of {board}{format_start(start)} has at least {limit + 1:,} nodes ({number:,} "
                        f"of them were expanded when it was given up): ask {_smaller(kind, limit)}"
                    )
                ids[key] = len(positions)
                positions.append(Position(board, *key))
            found[ids[key]] = found.get(ids[key], 0) | 1 << cell
        links += [Link(number, target, cells) for target, cells in found.items()]
    outcomes = [outcome_at(position) for position in positions]
    scores = [(None, None)] * len(positions) if cut else _scores(outcomes, ends, links)
    nodes = tuple(TreeNode(i, at, outcomes[i], *scores[i], ends[i], fork_at(at)) for i, at in enumerate(positions))
    return GameTree(board, kind, start, nodes, tuple(links))


def _scores(
    outcomes: Sequence[Outcome | None], ends: Sequence[End | None], links: Iterable[Link]
) -> Sequence[tuple[Fraction | None, Fraction | None]]:
    """Average backwards: over every move, and over every distinct class once."""
    below = _by_source(len(outcomes), links)
    scores: list[tuple[Fraction | None, Fraction | None]] = [(None, None)] * len(outcomes)
    for number, outcome in reversed(list(enumerate(outcomes))):
        children = [(link.moves.bit_count(), *scores[link.target]) for link in below[number]]
        if ends[number] is not None and outcome is not None:
            scores[number] = (Fraction(VALUE_OF_OUTCOME[outcome]),) * 2
        elif children and all(one is not None for _, one, _ in children):
            total = sum((one * times for times, one, _ in children if one is not None), Fraction(0))
            distinct = sum((other for _, _, other in children if other is not None), Fraction(0))
            scores[number] = total / sum(times for times, _, _ in children), distinct / len(children)
    return scores


def _smaller(kind: str, limit: int) -> str:
    """Return in words how to ask for less than a tree that is too large, or for more."""
    ways = [*(["with --depth"] if kind in ("full", "policy") else []), "from a later position"]
    more = "for numbers, as pictures hold no more" if limit == DRAWN_NODES else "with a higher --limit"
    return f"{', '.join(ways)}, or {more}"


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
    at = unfinished(board, start)
    if opening is not None:
        at = unfinished(board, at.play(parse_cell(board, opening)))
    ends = {
        "reduced": "a reduced tree is cut where its scores are known",
        "forced-wins": "a tree of forced wins ends where they are forced",
    }
    if depth is not None and kind in ends:
        raise InvalidQuestion(f"{ends[kind]}, not at a depth: leave out --depth")
    if kind == "reduced":
        return reduced_tree(at, limit)
    if kind == "forced-wins":
        return _forced_wins_tree(at, limit)
    if kind == "policy":
        return _policy_tree(at, x, o, depth, limit)
    return _free_tree(at, kind, 2 if kind == "openings" and depth is None else depth, limit)


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
    attacker, board = start.to_move, start.board
    solution = solution_for(start)
    outcome = solution.outcome(start)
    if outcome != attacker:
        raise InputError(
            f"{attacker} to move cannot force a win in {start}, so there is no tree of forced wins: "
            "give a position that its mover wins"
        )

    def moves(position: Position) -> Mask:
        if position.to_move != attacker:
            return completing_cells(board, position.marks(attacker), position.blanks)
        return sum(1 << cell for cell in {sequence[0] for sequence in forced_wins(position).sequences})

    def end(position: Position) -> End | None:
        return "forced win" if position.to_move != attacker and is_fork(position) else _over(position)

    if not forced_wins(start).sequences:
        wins = [cell_name(board, cell) for cell in start.moves() if solution.outcome(start.play(cell)) == attacker]
        how = "completes a line at once" if threat_mask(start, attacker) else "wins"
        raise InputError(
            f"{attacker} {how} in {start}, and no fork can be forced there by threats alone, so there is no tree of "
            f"forced wins; the winning move{'s are' if len(wins) > 1 else ' is'} {', '.join(wins)}"
        )
    return grow(start, "forced-wins", moves, end, lambda _: outcome, is_fork, limit=limit)


def reduced_tree(start: Position, limit: int = NODE_LIMIT) -> GameTree:
    """Return the reduced tree below an unfinished position: forced moves only, cut where the rest is known.

    Moves are those of the rule `block`: complete a line, else block, else any. A node is an end when the game is over,
    when its minimax value is not a draw, or when it is a draw and no fork can occur any later under those forced moves.
    ("Tic-Tac-Toe Analysis using Clojure", part 2: 95 nodes below the edge opening of 3x3.) Assumes normal play. Raises
    BudgetError beyond `limit` nodes, before any engine is asked where one look at each node shows so many; and where no
    engine has the values of the board.
    """
    if start.board.cells > _SEEN_CELLS:
        require_listed(start, "growing the reduced tree", QUICK_CLASSES)
    if class_bound(start) > QUICK_CLASSES:
        # Nodes are taken for ends unless it is seen that the tree goes on below: what is left is a part of the tree.
        is_drawn = _soon_drawn(start)

        def ends(position: Position) -> bool:
            return position.is_terminal or not is_drawn(position) or not fork_in_sight(position)

        require_small("reduced", start, forced_cells, ends, limit)
    outcomes, ahead = Outcomes(start), ForkAhead()

    def end(position: Position) -> End | None:
        if position.is_terminal:
            return "over"
        if outcomes.outcome(position) != "draw":
            return "forced win"
        return None if fork_in_sight(position) or ahead(position) else "no fork left"

    return grow(start, "reduced", forced_cells, end, outcomes.outcome, is_fork, limit=limit)


def _soon_drawn(start: Position) -> Callable[[Position], bool]:
    """Return what tells whether a search soon finds a position drawn; after one that it does not settle, none is."""
    solution = None
    gave_up = False

    def is_drawn(position: Position) -> bool:
        nonlocal solution, gave_up
        try:
            if gave_up or surely_drawn(position):
                return not gave_up
            solution = solution or searched_from(start, _SOON)
            return solution.outcome(position) == "draw"
        except BudgetError:
            gave_up = True
            return False

    return is_drawn


class ForkAhead:
    """Tells whether a fork can occur later than a position, both players moving by the rule `block`.

    Remembers every class it has seen. Raises BudgetError beyond a million classes.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Mask, Mask], bool] = {}

    def __call__(self, position: Position) -> bool:
        """Return whether some position after this one is a fork."""
        key = position.board.group().canonical(position.x, position.o)
        if key not in self._known:
            if len(self._known) >= _LOOK_AHEAD_LIMIT:
                raise BudgetError(
                    f"looking ahead for forks on {position.board} meets more than {_LOOK_AHEAD_LIMIT:,} position "
                    "classes: ask from a later position"
                )
            cells = 0 if position.is_terminal else forced_cells(position)
            later = [position.play(cell) for cell in cells_of(cells)]
            self._known[key] = any(map(is_fork, later)) or any(map(self, later))
        return self._known[key]


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


def require_small(
    kind: str,
    start: Position,
    moves_at: Callable[[Position], Mask],
    ends_at: Callable[[Position], bool],
    limit: int,
) -> None:
    """Raise BudgetError where a few games through a tree show that it has far more than `limit` nodes.

    A game at random stands for as many as the product of the numbers of moves along it (D. E. Knuth, "Estimating the
    efficiency of backtrack programs", 1975). A position of p and q new marks is reached in p! q! orders at most, and a
    class holds at most as many positions as there are symmetries. So the average of product / (p! q! symmetries),
    summed over the plies, is expected to be no more than the number of classes. The games are the same every time.
    """
    dice, total, squares = Random(f"games of {start}"), 0, 0
    enough, symmetries = _FAR * limit * _GAMES, start.board.group().order
    for _ in range(_GAMES):
        position, paths, nodes = start, 1, 0
        while nodes < enough and not ends_at(position):
            cells = list(cells_of(moves_at(position)))
            paths *= len(cells)
            position = position.play(dice.choice(cells))
            more = position.ply - start.ply
            nodes += paths // (factorial((more + 1) // 2) * factorial(more // 2) * symmetries)
        total, squares = total + nodes, squares + nodes**2
        if total >= enough:
            break
    above, spread = total - 2 * limit * _GAMES, _GAMES * squares - total**2  # spread: as the square of `above`
    if total >= enough or above * abs(above) * (_GAMES - 1) > _ERRORS**2 * spread:
        raise BudgetError(
            f"the {kind} tree of {start.board}{format_start(start)} has some {roughly(total // _GAMES)} nodes or more, "
            f"as games through it show: ask {_smaller(kind, limit)}"
        )
