"""The kinds of trees that can be asked for, each from any position of any board that fits."""

from __future__ import annotations

from noughts.domain.arguments import integer, text_of, whole_number
from noughts.domain.bits import Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.digits import roughly
from noughts.domain.errors import BudgetError, InputError, InvalidQuestion, shown
from noughts.domain.extent import least_classes
from noughts.domain.notation import format_start
from noughts.domain.position import Position, completing_cells
from noughts.domain.spelling import offered
from noughts.strategy.explain import unfinished
from noughts.strategy.forcedwins import forced_wins
from noughts.strategy.gametree import NODE_LIMIT, End, GameTree, grow
from noughts.strategy.outcomes import Outcomes
from noughts.strategy.policies import PolicyLike, policy, require_policy
from noughts.strategy.reduced import reduced_tree
from noughts.strategy.solutions import solution_for
from noughts.strategy.threats import is_fork
from noughts.strategy.treesize import require_small

__all__ = ["KINDS", "tree"]

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
