"""`noughts tree`: trees of position classes, with their nodes, ends, scores and best games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from noughts.analysis.explain.facts import forced_wins, threat_mask
from noughts.analysis.explain.wording import listed
from noughts.analysis.policies.policy import POLICIES
from noughts.analysis.trees import DRAWN_NODES, SHOWN_GAMES, GameTree, Scoring, tree
from noughts.drawing.tree import TreePicture
from noughts.drawing.trees import TreeStyle, tree_picture
from noughts.present.forms import Forms, report_forms, tree_forms
from noughts.present.report import Block, How, Look, Paragraph, Report, Table, grouped, narrowed, try_next
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError
from noughts.rules.marks import cells_of, opponent
from noughts.rules.position import format_start
from noughts.rules.values import decimal
from noughts.verbs.request import PICTURES, Caller, VerbAnswer, VerbRequest, argument, option


@dataclass(frozen=True, kw_only=True)
class TreeRequest(VerbRequest):
    """Tree of position classes of BOARD.

    reduced: only forced moves, without parts whose result is known, with scores; full: all moves; openings: first moves
    and replies; forced-wins: every way to force a fork, and first the moves that allow it; policy: the moves of two
    policies. In a picture with scores the best game has thick lines.
    """

    forms = ("table", "json", *PICTURES, "text", "dot")

    board: str | Board = argument(default="3x3")
    kind: str = option(
        "Kind of tree", "reduced", choices=("reduced", "full", "openings", "forced-wins", "policy"), where="commands"
    )
    start: str | None = option("Root of the tree", name="from", metavar="POSITION")
    opening: str | None = option("First move", metavar="CELL")
    depth: int | None = option("Number of plies, for --kind full and policy", least=0, metavar="N")
    x: str = option("Policy of X, for --kind policy", "random", metavar="POLICY", choices=POLICIES, others="commands")
    o: str = option("Policy of O, for --kind policy", "random", metavar="POLICY", choices=POLICIES, others="commands")
    limit: int = option("Maximum number of nodes", 50_000, least=1, metavar="N", where="commands")
    scoring: str | None = option(
        "Average over every move, or once over every distinct class", choices=("moves", "classes"), where="commands"
    )
    decimals: int | None = option(
        "Number of decimals of scores; JSON keeps the fractions too", metavar="N", where="commands"
    )

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        return (
            *(
                (name in self.given and self.kind != "policy", f"--{name} needs two policies: add --kind policy")
                for name in ("x", "o")
            ),
            (
                self.scoring is not None and self.form == "json",
                "--scoring cannot be used with --format json, which has both scores: remove --scoring",
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the tree."""
        limit = min(self.limit, DRAWN_NODES) if self.form in PICTURES else self.limit
        found = tree(self.board, self.start, limit=limit, **self.parts("kind", "opening", "depth", "x", "o"))
        return VerbAnswer(found, forms(found, caller.look, TreeStyle(self.scoring, self.decimals)))


_COUNTING: dict[Scoring, str] = {"score": "every move", "score_distinct": "every distinct class"}
_COLUMNS = {"score": "score", "score_distinct": "score, distinct"}


def forms(found: GameTree, look: Look, style: TreeStyle | None = None) -> Forms:
    """Return a tree in every form. Raises InvalidQuestion if the style needs scores and the tree has none.

    A picture raises BudgetError for more than DRAWN_NODES nodes.
    """
    style = style or TreeStyle()
    style.require_scores(found)

    def drawable() -> TreePicture:
        if len(found.nodes) > DRAWN_NODES:
            raise BudgetError(
                f"the {found.kind} tree has {len(found.nodes):,} nodes and pictures hold up to {DRAWN_NODES:,}: add "
                "--depth, or start later"
            )
        return tree_picture(found, style)

    drawings, texts = tree_forms(drawable, look), tree_forms(lambda: tree_picture(found, style), look)
    return {
        **report_forms(lambda: report(found, style), lambda: found.as_dict(style.decimals), look),
        **{form: drawings[form] for form in ("svg", "png", "pdf")},
        **{form: texts[form] for form in ("text", "dot")},
    }


def report(found: GameTree, style: TreeStyle | None = None) -> Report:
    """Return the report on a tree."""
    style = style or TreeStyle()
    scores = _scores(found, style)
    scored = "; the scores are exact averages" if scores else ""
    return Report.of(
        [_headline(found), *_settled(found), *_at_once(found), *_after(found)],
        [_by_ply(found)],
        *scores,
        [How(f"each node is one position class{scored}."), try_next(*_next(found))],
    )


def _next(found: GameTree) -> list[str]:
    """Return commands that draw the tree, or that show the moves if it is a single node."""
    board, start = found.board, found.start
    place, where = (f" '{start}'", f" --from '{start}'") if start.ply else ("", "")
    if len(found.nodes) > 1:
        if found.kind == "policy":
            return [
                f"noughts match {board} --x random --o random",
                f"noughts tree {board} --kind full --depth 2{where}",
            ]
        depth = f" --depth {cut}" if (cut := _cut(found)) else ""
        command = f"noughts tree {board} --kind {found.kind}{depth}{where}"
        return [f"{command} -o tree.svg", f"{command} --format text"]
    explained = f"noughts explain {board}{place}"
    may_force = found.kind == "reduced" and found.root.outcome == start.to_move
    if may_force and not threat_mask(start, start.to_move) and forced_wins(start).sequences:
        return [explained, f"noughts tree {board} --kind forced-wins{where}"]
    return [explained, f"noughts openings {board}{where}"]


def _by_ply(found: GameTree) -> Table:
    rows = []
    for ply in sorted({node.position.ply for node in found.nodes}):
        layer = [node for node in found.nodes if node.position.ply == ply]
        ends = [sum(node.end == end for node in layer) for end in ("over", "forced win", "no fork left")]
        forks = sum(node.fork for node in layer)
        rows.append([str(ply), grouped(len(layer)), *map(grouped, ends), grouped(forks)])
    whole = Table(["ply", "nodes", "over", "forced win", "no fork left", "forks"], rows)
    return whole if found.board.rules.alternating else narrowed(whole, [0, 1, 2])


def _cut(found: GameTree) -> int:
    """Return the plies after which --depth has cut a tree; 0 if it is whole."""
    ended = {link.source for link in found.links} | {node.id for node in found.nodes if node.end is not None}
    if found.kind == "openings" or len(ended) == len(found.nodes):
        return 0
    return max(node.position.ply for node in found.nodes) - found.start.ply


def _headline(found: GameTree) -> str:
    nodes, edges, ends = len(found.nodes), len(found.links), sum(node.end is not None for node in found.nodes)
    which = "none of them an end" if not ends else f"{ends:,} of them {'an end' if ends == 1 else 'ends'}"
    size = f"{nodes:,} node{'s' * (nodes != 1)}, {which}, and {edges:,} edge{'s' * (edges != 1)}"
    plies = f"the first {cut} plies of " if (cut := _cut(found)) > 1 else "the first ply of " * cut
    tree = f"{found.board}: {plies}the {found.kind} tree{format_start(found.start)}"
    if plies and nodes > 1:
        return f"{tree} {'have' if cut > 1 else 'has'} {size}."
    return f"{tree} is a single node." if nodes == 1 else f"{tree} has {size}."


def _settled(found: GameTree) -> list[str]:
    """Return why a reduced tree is a single node."""
    outcome, start = found.root.outcome, found.start
    if found.kind != "reduced" or len(found.nodes) > 1:
        return []
    if outcome in (None, "draw"):
        return ["The game is drawn and no fork is possible, so the tree is its root."]
    if outcome == start.to_move and threat_mask(start, start.to_move):
        return [f"{outcome} completes a line at once, so the tree is its root."]
    reason = f"{outcome} can force a win, so the tree is its root."
    by_threats = outcome != start.to_move or forced_wins(start).sequences
    return [reason] if by_threats else [reason, "No fork can be forced by threats alone."]


def _at_once(found: GameTree) -> list[str]:
    """Return the immediate wins that a tree of forced wins leaves out."""
    start = found.start
    wins = threat_mask(start, start.to_move) if found.kind == "forced-wins" else 0
    if not wins:
        return []
    names = listed([cell_name(found.board, cell) for cell in cells_of(wins)], "or")
    return [f"{start.to_move} wins at once by {names}; the tree shows the ways to {_forced(found)} instead."]


def _forced(found: GameTree) -> str:
    """Return what sequences of threats do: under gravity they need not end in a fork."""
    return "force a fork" if found.board.rules.any_blank else "force a win by threats"


def _after(found: GameTree) -> list[str]:
    """Return the moves or replies that allow a player to force a fork, where the tree begins with them."""
    start, mover, other = found.start, found.start.to_move, opponent(found.start.to_move)
    if found.kind != "forced-wins" or found.root.outcome == mover:
        return []
    if not found.links:
        return [f"{other} completes a line next, after every move of {mover}."]
    cells = sorted(found.cell_of(link, start) for link in found.children[0])
    named = listed([cell_name(found.board, cell) for cell in cells], "or")
    forces = _forced(found).replace("force", "forces", 1)
    if found.nodes[-1].position.to_move == mover:
        return [f"{other} {forces} if {mover} plays {named}, up to symmetry."]
    replies = sum(len(found.children[link.target]) for link in found.children[0])
    after = f"{replies:,} of {other}'s replies" if replies > 1 else f"one of {other}'s replies"
    return [f"{mover} {forces} after {after} to {named}, up to symmetry."]


def _scores(found: GameTree, style: TreeStyle) -> list[list[Block | str]]:
    root = found.root
    if root.score is None or root.end is not None:
        return []
    wanted = [style.score] if style.scoring else list(_COUNTING)
    counting = {"score": "every move", "score_distinct": "every distinct class once"}
    averages = [f"{_both(getattr(root, scoring), style)} counting {counting[scoring]}" for scoring in wanted]
    lead = f"Score from {found.board.rules.name_of('X')}'s viewpoint: {', '.join(averages)}."
    rows = []
    placed = found.placed()
    for link in found.children[0]:
        node = found.nodes[link.target]
        scores = [_both(getattr(node, scoring), style) for scoring in wanted]
        rows.append([str(placed[node.id][0]), str(link.moves.bit_count()), *scores])
    names = [_COLUMNS[scoring] for scoring in wanted]
    table = Table(["child", "moves", *names], rows, frozenset({0, *range(2, 2 + len(names))}))
    return [[lead, table], _best_games(found, wanted) if found.kind == "reduced" or style.scoring else []]


def _best_games(found: GameTree, wanted: Sequence[Scoring]) -> list[Block | str]:
    blocks: list[Block | str] = []
    for scoring in wanted:
        games, many = found.best_games(scoring, SHOWN_GAMES), found.best_moves(scoring)[1]
        ties = "" if many == 1 else f", {many:,} with equal scores"
        blocks.append(f"Best game, counting {_COUNTING[scoring]}{ties}:")
        blocks += [Paragraph(f"  {' '.join(found.moves_of(game))}", "    ") for game in games]
        if many > len(games):
            blocks.append(f"  and {many - len(games):,} more")
    return blocks


def _both(score: Fraction, style: TreeStyle) -> str:
    return f"{score} ({decimal(score, 2 if style.decimals is None else style.decimals)})"
