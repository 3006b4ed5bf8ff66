"""`noughts tree`: trees of position classes, as numbers and as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from noughts.cli.options import words
from noughts.cli.pictures import Answer, emit, picture_options, sink, tree_drawings

if TYPE_CHECKING:
    from noughts.strategy.gametree import GameTree, Scoring

__all__ = ["tree"]

_KINDS = ("reduced", "full", "openings", "forced-wins", "policy")


@click.command(short_help="The reduced game tree with scores, and other trees.")
@click.argument("board", default="3x3")
@click.option("--kind", default="reduced", **words(*_KINDS), help="Which tree.")
@click.option("--from", "start", metavar="POSITION", help="The tree below this position.")
@click.option("--opening", metavar="CELL", help="The tree after this move.")
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="Stop after so many plies (full, policy).")
@click.option("--x", "x_policy", metavar="POLICY", default="random", help="How X plays, for --kind policy.")
@click.option("--o", "o_policy", metavar="POLICY", default="random", help="How O plays, for --kind policy.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", default=50_000, help="Refuse more nodes (50000).")
@picture_options
def tree(
    board: str,
    kind: str,
    start: str | None,
    opening: str | None,
    depth: int | None,
    x_policy: str,
    o_policy: str,
    limit: int,
    **given: Any,
) -> None:
    """A tree of position classes of BOARD.

    reduced: forced moves only, cut where the rest is known, with scores; full: all moves; openings: first moves and
    replies; forced-wins: every way to force a fork; policy: what two policies leave.
    """
    to = sink(**given)
    from noughts.drawing.figures import tree_picture
    from noughts.strategy.trees import tree as ask

    found = ask(board, kind, start, opening=opening, depth=depth, x=x_policy, o=o_policy, limit=limit)
    if to.form in ("svg", "png", "pdf"):
        _require_drawable(found)
    drawings = tree_drawings(lambda: tree_picture(found))
    emit(Answer(table=lambda: _print(found), record=found.as_dict, **drawings), to)


_DRAWN = 3_000


def _require_drawable(found: GameTree) -> None:
    if len(found.nodes) > _DRAWN:
        from noughts.domain.errors import BudgetError

        raise BudgetError(
            f"the {found.kind} tree of {found.board} has {len(found.nodes):,} nodes and pictures hold up to "
            f"{_DRAWN:,}: ask with --depth, or from a later position"
        )


def _print(found: GameTree) -> None:
    from noughts.reports.tables import Table, grouped, show, wrapped

    print(wrapped(_headline(found)))
    if found.root.outcome not in (None, "draw") and found.kind == "reduced":
        print(wrapped(_won(found)))
    print()
    rows = []
    for ply in sorted({node.position.ply for node in found.nodes}):
        layer = [node for node in found.nodes if node.position.ply == ply]
        ends = [sum(node.end == end for node in layer) for end in ("over", "forced win", "no fork left")]
        forks = sum(node.fork for node in layer)
        rows.append([str(ply), grouped(len(layer)), *map(grouped, ends), grouped(forks)])
    show(Table(["ply", "nodes", "over", "forced win", "no fork left", "forks"], rows))
    print()
    if found.root.score is not None and found.root.end is None:
        _print_scores(found)
    print("How we know: the nodes are position classes, each met once; the scores are exact averages.")
    print("Try next:")
    where = f" --from '{found.start}'" if found.start.ply else ""
    kind = f"--kind {found.kind}"
    print(f"  noughts tree {found.board} {kind}{where} -o tree.svg")
    print(f"  noughts tree {found.board} {kind}{where} --format text")


def _headline(found: GameTree) -> str:
    nodes, ends = len(found.nodes), sum(node.end is not None for node in found.nodes)
    said = f"{nodes:,} node{'s' * (nodes != 1)}, {ends:,} of them ends, {len(found.links):,} edges"
    return f"{found.board}: the {found.kind} tree from {found.start} has {said}."


def _won(found: GameTree) -> str:
    from noughts.strategy.forcedwins import forced_wins

    outcome, start = found.root.outcome, found.start
    said = f"It is won from the start ({outcome} can force a win), so the tree is its root."
    where = f"'{start}'"
    if outcome != start.to_move:
        return f"{said} For the ways to force it: noughts openings {found.board} --from {where}."
    if forced_wins(start).sequences:
        return f"{said} The forced wins: noughts tree {found.board} --kind forced-wins --from {where}."
    return f"{said} No fork can be forced by threats alone; the winning moves: noughts explain {found.board} {where}."


def _print_scores(found: GameTree) -> None:
    from noughts.reports.tables import Table, show, wrapped

    root = found.root
    assert root.score is not None
    assert root.score_distinct is not None
    print(
        wrapped(
            f"Score from X's viewpoint: {_both(root.score)} counting every move, {_both(root.score_distinct)} counting "
            "every distinct class once."
        )
    )
    rows = []
    for link in found.children[0]:
        node = found.nodes[link.target]
        assert node.score is not None
        assert node.score_distinct is not None
        rows.append([str(node.position), str(link.moves.bit_count()), _both(node.score), _both(node.score_distinct)])
    show(Table(["child", "moves", "score", "score, distinct"], rows, frozenset({0, 2, 3})))
    print()
    if found.kind != "reduced":
        return
    counting: dict[Scoring, str] = {"score": "every move", "score_distinct": "every distinct class"}
    for scoring, what in counting.items():
        games = found.best_games(scoring)
        ties = "" if len(games) == 1 else f", {len(games)} with equal scores"
        print(f"Best game, counting {what}{ties}:")
        for game in games[:12]:
            print(wrapped(f"  {' '.join(found.moves_of(game))}", "    "))
        if len(games) > 12:
            print(f"  and {len(games) - 12} more")
    print()


def _both(score: Any) -> str:
    return f"{score} ({float(score):.2f})"
