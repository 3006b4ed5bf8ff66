"""Trees of position classes: the reduced tree, all moves, openings, forced wins, and the moves of two policies.

A tree here is a graph. Its nodes are position classes, its edges lead to distinct child classes. An edge stores the
cells of the canonical parent that lead to the child. A class that several paths reach is one node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, partial
from math import factorial
from random import Random
from typing import Any, Literal, get_args

from noughts.analysis.explain.facts import forced_cells, forced_wins, is_fork, is_stacked, threat_mask, unfinished
from noughts.analysis.forks_ahead import ForkAhead, fork_in_sight
from noughts.analysis.policies.reading import PolicyLike, policy, require_policy
from noughts.analysis.solutions import Outcomes, searched_from, solution_for
from noughts.rules.arguments import integer, offered, text_of, whole_number
from noughts.rules.board import Board
from noughts.rules.cells import move_name
from noughts.rules.errors import BudgetError, InputError, InvalidQuestion, shown
from noughts.rules.game import QUICK_CLASSES, class_bound, least_classes, on_moves, require_listed
from noughts.rules.marks import Cell, Mask, Outcome, cells_of, mask_of, opponent
from noughts.rules.position import Position, PositionLike, format_start, is_game, parse_game, read_move, way_to
from noughts.rules.symmetry import inverse
from noughts.rules.values import Result, decimal, record, roughly
from noughts.solving.bounds import surely_drawn
from noughts.solving.problem import SearchBudget
from noughts.solving.solution import Solution
from noughts.solving.values import VALUE_OF_OUTCOME

End = Literal["over", "conceded", "forced win", "no fork left", "settled"]
Scoring = Literal["score", "score_distinct"]

KINDS = ("reduced", "full", "openings", "forced-wins", "policy")
_VALUED_KINDS = ("full", "openings", "policy")
"""The kinds that need no threats."""
_ENDS = {
    "reduced": "a reduced tree ends where its scores are known",
    "forced-wins": "a tree of forced wins ends where they are forced",
}
"""The kinds without a depth, and why."""
NODE_LIMIT = 50_000
SHOWN_GAMES = 12
"""The most best games that a report or JSON lists."""
DRAWN_NODES = 1_200
"""The most nodes in a picture of a tree."""
_SOON = SearchBudget(position=400_000, whole=1_600_000, far=100_000)
"""The budget of a search that estimates the size of a tree: less than a second."""
_SEEN_CELLS = 64
"""The most cells of a board for which the size of a tree is estimated node by node."""
_GAMES = 256
_FAR = 20
"""An average of this many times the limit suffices: a smaller tree gives it in under 1 of 20 cases (Markov)."""
_ERRORS = 5
"""A lower average suffices if it exceeds twice the limit by this many standard errors."""


@dataclass(frozen=True)
class TreeNode:
    """A position class. `outcome` is under best play; `end` says why the tree stops here, else it is None.

    `score` and `score_distinct` are averages from X's viewpoint. They are None if the tree was cut before its ends, and
    in a tree of forced wins, which leaves moves out.
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
    """The position of the request; the root is its canonical form."""
    nodes: tuple[TreeNode, ...]
    links: tuple[Link, ...]
    played: tuple[Cell, ...] = ()
    """The moves that led to `start`, where the request names them."""
    keys = "board kind start"

    @cached_property
    def children(self) -> dict[int, list[Link]]:
        """The links out of each node."""
        return _by_source(len(self.nodes), self.links)

    @property
    def root(self) -> TreeNode:
        """The first node."""
        return self.nodes[0]

    def best_games(self, scoring: Scoring = "score", most: int | None = None) -> list[list[int]]:
        """Return all best games, or the first `most`, as lists of node numbers.

        X takes the child with the highest score, O the one with the lowest.
        """
        games, work = list[list[int]](), [[0]]
        while work and (most is None or len(games) < most):
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
        """Return the moves of a game: those that led to `start`, then the first cell to each of the nodes."""
        position, names = self.start, self._names(self.played)
        canonical = self.board.group().canonical
        for number in game[1:]:
            target = self.nodes[number].position
            after = ((cell, position.play(cell)) for cell in position.moves())
            cell, position = next((c, p) for c, p in after if canonical(p.x, p.o) == (target.x, target.o))
            names.append(move_name(self.board, cell))
        return names

    def placed(self, links: Iterable[Link] | None = None) -> dict[int, tuple[Position, Cell | None]]:
        """Return for each node the position to show and its last move.

        The root is shown as `start`. Every other node is turned so that it adds one mark to the node above it, by the
        first link to it. `links` are those of the tree in another order, parents first.
        """
        shown: dict[int, tuple[Position, Cell | None]] = {0: (self.start, None)}
        for link in self.links if links is None else links:
            if link.target not in shown:
                before = shown[link.source][0]
                cell = self.cell_of(link, before)
                shown[link.target] = (before.play(cell), cell)
        return shown

    def cell_of(self, link: Link, before: Position) -> Cell:
        """Return the first move of a link on a board of its source class."""
        back = on_moves(self.board, inverse(self.board.group().to_canonical(before.x, before.o)[2]))
        return min(back[move] for move in cells_of(link.moves))

    def _names(self, cells: Iterable[Cell]) -> list[str]:
        return [move_name(self.board, cell) for cell in cells]

    def as_dict(self, decimals: int | None = None) -> dict[str, Any]:
        """Return the tree for JSON: scores as fractions, with `decimals` also as decimals.

        A reduced tree has its best games, of which at most 12 are listed for each scoring.
        """
        nodes = [
            record(node, "id", "position", "ply=position.ply", "outcome")
            | _scores_as_dict(node, decimals)
            | record(node, "end", "fork")
            for node in self.nodes
        ]
        edges = [
            {"from": link.source, "to": link.target, "moves": self._names(cells_of(link.moves))} for link in self.links
        ]
        made = {"played": self._names(self.played)} if self.played else {}
        found = {"board": self.board.spec, "kind": self.kind, **made, "nodes": nodes, "edges": edges}
        return found | ({"best_games": self._best_games()} if self.kind == "reduced" and self.links else {})

    def _best_games(self) -> dict[str, object]:
        """Return the best games by both scorings for JSON: how many there are, the moves and nodes of the first."""
        found: dict[str, object] = {}
        for scoring in get_args(Scoring):
            games = [{"moves": self.moves_of(each), "nodes": each} for each in self.best_games(scoring, SHOWN_GAMES)]
            found[scoring] = {"games": self.best_moves(scoring)[1], "listed": games}
        return found


def _scores_as_dict(node: TreeNode, places: int | None) -> dict[str, str | None]:
    """Return the scores as fractions with denominators, and as decimals if places are given."""
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
    is_scored: bool = True,
) -> GameTree:
    """Return the tree below a position, breadth first, so that ids follow the plies.

    `moves_at` gives the moves of a canonical position, `end_at` why the tree stops there or None. Nodes have no score
    unless `is_scored`. Raises BudgetError beyond `limit` nodes. Cost: one canonical form per move.
    """
    board, group = start.board, start.board.group()
    root = group.canonical(start.x, start.o)
    ids, positions, links = {root: 0}, [Position(board, *root)], list[Link]()
    ends: list[End | None] = []
    cut = not is_scored
    for number, position in enumerate(positions):
        ends.append(end_at(position))
        if ends[-1] is not None:
            continue
        if depth is not None and position.ply - start.ply >= depth:
            cut = True
            continue
        found: dict[int, Mask] = {}
        for cell in cells_of(moves_at(position)):
            after = position.play(cell)
            key = group.canonical(after.x, after.o)
            if key not in ids:
                if len(positions) >= limit:
                    raise BudgetError(
                        f"the {kind} tree of {board}{format_start(start)} has at least {limit + 1:,} nodes ({number:,} "
                        f"expanded): ask {_smaller(kind, limit)}"
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
    """Return the average scores, bottom up: over every move, and over every distinct class once."""
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
    """Return in words how to ask for a smaller tree or a larger limit."""
    ways = [*(["with --depth"] if kind in ("full", "policy") else []), "from a later position"]
    more = "without a picture" if limit == DRAWN_NODES else "raise --limit"
    return f"{', '.join(ways)}, or {more}"


def tree(
    board: Board | str,
    start: PositionLike | None = None,
    *,
    kind: str = "reduced",
    opening: str | int | None = None,
    depth: int | None = None,
    x: PolicyLike = "random",
    o: PolicyLike = "random",
    limit: int = NODE_LIMIT,
) -> GameTree:
    """Return a tree of position classes below a position.

    Parameters
    ----------
    board, start
        The board, and an unfinished position; the empty board by default.
    kind
        `reduced`; `full`, all moves; `openings`, first moves and replies; `forced-wins`, all sequences that force a
        fork, without moves that complete a line at once, and before them the moves that allow them; `policy`, the moves
        of two policies.
    opening
        A move from `start` that leads to the root.
    depth
        The plies after which a full, openings or policy tree is cut.
    x, o
        The policies of a policy tree.
    limit
        The most nodes.

    Raises
    ------
    InputError
        The kind is unknown, or an argument does not fit it.
    BudgetError
        The tree has more than `limit` nodes.

    >>> len(tree("3x3", opening="b1").nodes)
    95
    """
    board = Board.parse(board)
    if text_of("the kind of tree", kind) not in KINDS:
        raise InputError(f"unknown kind of tree {shown(kind)}: choose {offered(kind, KINDS)}")
    if not board.rules.has_threats and kind not in _VALUED_KINDS:
        lack = "mean the opposite under misere" if board.rules.alternating else f"{board} does not have"
        raise InvalidQuestion(
            f"the {kind} tree is made of threats and forks, which {lack}: choose {', '.join(_VALUED_KINDS)}"
        )
    limit = whole_number("the limit", limit, 1)
    for player in (x, o):
        require_policy(player)
    if depth is not None and integer("a depth", depth, "how many plies to show") < 0:
        raise InputError(f"a depth is 0 or more plies, not {depth}: give how many plies to show")
    at = unfinished(board, start)
    played: tuple[Cell, ...] = parse_game(board, start) if is_game(start, board) else ()
    if 0 < at.ply <= 2:
        played = way_to(at)
    if opening is not None:
        cell = read_move(at, opening)
        played = (*played, cell) if len(played) == at.ply else ()
        at = unfinished(board, at.play(cell))
    return replace(_tree(at, kind, depth, x, o, limit), played=played)


def _tree(at: Position, kind: str, depth: int | None, x: PolicyLike, o: PolicyLike, limit: int) -> GameTree:
    """Return a tree without the moves that led to its start."""
    if depth is not None and kind in _ENDS:
        raise InvalidQuestion(f"{_ENDS[kind]}, not at a depth: remove --depth")
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
    return position.board.rules.has_threats and is_fork(position)


def _free_tree(start: Position, kind: str, depth: int | None, limit: int) -> GameTree:
    least = least_classes(start, depth) if start.board.rules.is_marking else 0
    if least > limit:
        raise BudgetError(
            f"the {kind} tree of {start.board}{format_start(start)} has at least {roughly(least)} nodes: "
            "ask with --depth, from a later position, or raise --limit"
        )
    return grow(start, kind, lambda p: p.playable, _over, Outcomes(start).found, _fork, depth=depth, limit=limit)


def _policy_tree(start: Position, x: PolicyLike, o: PolicyLike, depth: int | None, limit: int) -> GameTree:
    outcomes, players = Outcomes(start), {"X": policy(start.board, x), "O": policy(start.board, o)}
    for player in players.values():
        if not player.is_symmetric:
            raise InputError(
                f"the policy {player.name} may treat symmetric positions differently: for a tree, give a file "
                "of position classes"
            )

    def moves(position: Position) -> Mask:
        player = players[position.to_move]
        return player.moves(position, outcomes.solution if player.needs_values else None)

    def end(position: Position) -> End | None:
        concedes = not position.is_terminal and players[position.to_move].concedes and not moves(position)
        return "conceded" if concedes else _over(position)

    def ends(position: Position) -> bool:
        return end(position) is not None or (depth is not None and position.ply - start.ply >= depth)

    require_small("policy", start, moves, ends, limit)
    return grow(start, "policy", moves, end, outcomes.found, _fork, depth=depth, limit=limit)


def _forced_wins_tree(start: Position, limit: int) -> GameTree:
    """Return the tree of all forced wins: moves of the attacker in a sequence, blocks of the defender.

    If the side to move wins, it attacks. Else the moves come first, and if needed the replies, that allow a forced win.
    """
    solution, mover = solution_for(start), start.to_move
    root = Position(start.board, *start.board.group().canonical(start.x, start.o))

    def allows(position: Position, plies: int) -> bool:
        if plies == 0 or position.is_terminal:
            return not position.is_terminal and bool(forced_wins(position).sequences)
        return any(allows(position.play(cell), plies - 1) for cell in position.moves())

    def moves(position: Position) -> Mask:
        if (left := root.ply + before - position.ply) > 0:
            return mask_of(cell for cell in position.moves() if allows(position.play(cell), left - 1))
        if position.to_move == attacker:
            return mask_of({sequence[0] for sequence in forced_wins(position).sequences})
        return threat_mask(position, attacker)

    def end(position: Position) -> End | None:
        return "forced win" if position.to_move != attacker and _is_won(position) else _over(position)

    def outcome_at(position: Position) -> Outcome:
        return attacker if position.ply >= root.ply + before else solution.outcome(position)

    before, attacker = (0, mover) if solution.outcome(start) == mover else (1, opponent(mover))
    if before and not moves(root):
        before, attacker = 2, mover
    if not moves(root):
        raise InputError(_no_forced_wins(start, solution))
    return grow(start, "forced-wins", moves, end, outcome_at, is_fork, limit=limit, is_scored=False)


def _is_won(position: Position) -> bool:
    """Return whether the last mover completes a line next, by a fork, or by a block that opens another cell."""
    last, threat = opponent(position.to_move), threat_mask(position, opponent(position.to_move))
    own, other = position.marks(last), position.marks(position.to_move)
    return is_fork(position) or (threat != 0 and is_stacked(position.board, own, other, threat))


def _no_forced_wins(start: Position, solution: Solution) -> str:
    """Return why a position has no tree of forced wins."""
    if solution.outcome(start) != (mover := start.to_move):
        return f"neither player can force a fork from {start}, nor after a mistake next: give another position"
    wins = [move_name(start.board, cell) for cell in start.moves() if solution.outcome(start.play(cell)) == mover]
    how = "completes a line at once" if threat_mask(start, mover) else "wins"
    named = f"the winning move{'s are' if len(wins) > 1 else ' is'} {', '.join(wins)}"
    return f"{mover} {how} in {start}, but cannot force a fork by threats alone; {named}"


def reduced_tree(start: Position, limit: int = NODE_LIMIT) -> GameTree:
    """Return the reduced tree below an unfinished position: forced moves only, cut where the rest is known.

    Moves are those of the rule `block`: complete a line, else block, else any. A node is an end if the game is over, if
    its value is not a draw, or if it is a draw and no fork can occur later under these moves. ("Tic-Tac-Toe Analysis
    using Clojure", part 2: 95 nodes below the edge opening of 3x3.) Assumes normal play. Raises BudgetError beyond
    `limit` nodes, before an engine starts if a quick look shows so many; and if no engine can value the board.
    """
    if start.board.cells > _SEEN_CELLS:
        require_listed(start, "growing the reduced tree", QUICK_CLASSES)
    if class_bound(start) > QUICK_CLASSES:
        # A node counts as an end unless the tree surely continues below it: this gives a part of the tree.
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
    """Return a test whether a quick search finds a position drawn; once the search fails it returns False."""
    search = cache(partial(searched_from, start, _SOON))
    gave_up = False

    def is_drawn(position: Position) -> bool:
        nonlocal gave_up
        try:
            return not gave_up and (surely_drawn(position) or search().outcome(position) == "draw")
        except BudgetError:
            gave_up = True
            return False

    return is_drawn


def require_small(
    kind: str,
    start: Position,
    moves_at: Callable[[Position], Mask],
    ends_at: Callable[[Position], bool],
    limit: int,
) -> None:
    """Raise BudgetError if some random games through a tree show that it has far more than `limit` nodes.

    A random game represents as many games as the product of its numbers of moves (D. E. Knuth, "Estimating the
    efficiency of backtrack programs", 1975). A position with p and q new marks has at most p! q! orders, and a class
    has at most as many positions as there are symmetries. So the expected value of product / (p! q! symmetries), summed
    over the plies, is at most the number of classes. The games are the same every time.
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
            f"the {kind} tree of {start.board}{format_start(start)} has about {roughly(total // _GAMES)} nodes or "
            f"more: ask {_smaller(kind, limit)}"
        )
