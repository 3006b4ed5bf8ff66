"""`noughts explain`: the best moves in a position, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from noughts.analysis.explain.answers import most_losing
from noughts.analysis.explain.explanation import Explanation, explain
from noughts.analysis.explain.facts import ValuedMove, lines_of, previous_positions, ways_to
from noughts.analysis.explain.wording import ending, length_rule, named_cells, outlook
from noughts.drawing.figures import ending_picture, explanation_picture
from noughts.drawing.tree import TreePicture
from noughts.present.forms import Forms, board_forms, report_forms, tree_forms
from noughts.present.report import Block, How, Look, Paragraph, Report, Table, Verbatim, many, try_next, without_empty
from noughts.present.text import as_text, drawn
from noughts.rules.board import Board
from noughts.rules.cells import move_name
from noughts.rules.marks import Cell, cells_of, opponent
from noughts.verbs.request import PICTURES, Caller, VerbAnswer, VerbRequest, argument
from noughts.verbs.same import image_blocks
from noughts.verbs.solve import unit, valued


@dataclass(frozen=True, kw_only=True)
class ExplainRequest(VerbRequest):
    """Best moves in POSITION of BOARD, and why: label, threats, forks, losing answers, forced wins.

    POSITION (default: the empty board) is written X.O/.X./..O, or as the moves to it: a1 b2. For a finished game the
    answer names the winner and the line.
    """

    forms = ("table", "json", *PICTURES, "text", "dot")

    board: str | Board = argument(default="3x3")
    position: str | None = argument("[POSITION]", None)

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the explanation."""
        found = explain(self.board, self.position)
        return VerbAnswer(found, forms(found, caller.look))


_SHOWN = 12


def forms(facts: Explanation, look: Look) -> Forms:
    """Return an explanation in every form; DOT has the position and its moves."""

    def moves() -> TreePicture:
        if facts.is_terminal:
            return ending_picture(facts)
        from noughts.analysis.trees import tree
        from noughts.drawing.trees import tree_picture

        return tree_picture(tree(facts.board, facts.position, kind="full", depth=1))

    return {
        **report_forms(lambda: report(facts), facts.as_dict, look),
        **board_forms(lambda: explanation_picture(facts), look),
        "text": lambda: as_text(report(facts), replace(look, frame=None)),
        "dot": tree_forms(moves, look)["dot"],
    }


def report(facts: Explanation) -> Report:
    """Return the report on a position."""
    board, start = facts.board, facts.position
    if facts.is_terminal:
        return _ended(facts)
    place, where = (f" '{start}'", f" --from '{start}'") if start.ply else ("", "")
    expected = "the winner is not known"
    if facts.label is not None and facts.outcome is not None:
        rule = length_rule(board)
        expected = outlook(facts.label, facts.outcome, facts.remoteness, rule, at_most=facts.at_most)
    return Report.of(
        [f"{board}, {board.rules.name_of(facts.to_move)} to move: {expected}.", *facts.sentences],
        [Verbatim(drawn(start))],
        [Paragraph(line, "  ") for line in _facts(facts)],
        [_moves(facts), *unit(board, facts.moves), *losing_unit(facts.moves)],
        _forced_wins(facts),
        _before(facts),
        image_blocks(facts.images) if start.ply else [],
        [
            How(f"{valued(facts.moves, facts.engine)}."),
            try_next(
                *([f"noughts solve {board}{place}"] if facts.outcome is None else []),
                f"noughts explain {board}{place} -o board.svg",
                _tree(facts) or f"noughts openings {board}{where}",
            ),
        ],
    )


def _tree(facts: Explanation) -> str:
    """Return the command for the tree after the move after which the most answers lose; empty where all are alike."""
    board, best = facts.board, most_losing(facts.moves)
    kind = "" if board.rules.has_threats else " --kind full --depth 2"
    return f"noughts tree {board}{kind} --from '{best[0].position}'" if best else ""


def _ended(facts: Explanation) -> Report:
    """Return the report on a finished game; one given as its moves needs no list of other boards."""
    board, ply = facts.board, facts.position.ply
    first, second = board.rules.players
    moves = f"The game took {ply} move{'s' * (ply != 1)}, {(ply + 1) // 2} of {first} and {ply // 2} of {second}."
    judged = " and the values before and after each move" if facts.course else ""
    return Report.of(
        [f"{board}: {ending(facts.position)}.", *(facts.course.sentences if facts.course else ())],
        [Verbatim(drawn(facts.position))],
        [moves],
        [] if facts.course else _before(facts),
        [] if facts.course else image_blocks(facts.images),
        [
            How(f"a check of every line on the board{judged}."),
            try_next(f"noughts explain {board} '{facts.position}' -o board.svg", f"noughts openings {board}"),
        ],
    )


def _named(facts: Explanation, cells: Iterable[Cell]) -> str:
    return ", ".join(move_name(facts.board, cell) for cell in cells) or "none"


def _facts(facts: Explanation) -> list[str]:
    """Return the facts, one line each; under misere threats and forks are omitted."""
    traps = {True: "yes, some moves lose and others do not", False: "no", None: "not found"}
    lines = [f"Trap: {traps[facts.is_trap]}."]
    if facts.completing is not None:
        return [*lines, f"Moves that complete a line: {_named(facts, facts.completing)}."]
    if facts.threats is None or facts.forks is None or facts.forced is None:
        return [*lines, "Threats and forks are not looked at under misere, where a completed line loses."]
    for what, found in (("Threats", facts.threats), ("Forks available", facts.forks)):
        lines.append(f"{what}: X {_named(facts, found['X'])}; O {_named(facts, found['O'])}.")
    do = "win" if facts.threats[facts.to_move] else "block"
    forced = f"{_named(facts, facts.forced)}, to {do}" if facts.forced else "nothing"
    if do == "block" and len(facts.forced) > 1:
        forced = f"to block, but a move stops only one of {named_cells(facts.board, facts.forced)}"
    lines.append(f"Forced: {forced}.")
    lines_left, all_lines = lines_of(facts.position), len(facts.board.lines)
    if not all_lines:
        return [*lines, "Lines: none."]
    x, o, dead = map(len, (lines_left.x_open, lines_left.o_open, lines_left.blocked))
    lines.append(f"Lines: {all_lines}; {x} open to X, {o} open to O, {dead} blocked{_blocked(facts)}.")
    return lines


def _blocked(facts: Explanation) -> str:
    """Return the lines that neither player can complete any more, if they are few."""
    blocked = lines_of(facts.position).blocked
    if not 0 < len(blocked) <= _SHOWN:
        return ""
    return ": " + ", ".join(_named(facts, cells_of(line)).replace(", ", "-") for line in blocked)


def _moves(facts: Explanation) -> Table:
    rank = {facts.to_move: 0, "draw": 1, opponent(facts.to_move): 2, None: 3}
    sign = {facts.to_move: 1, "draw": -1, opponent(facts.to_move): -1, None: 0}
    ordered = sorted(facts.moves, key=lambda m: (rank[m.outcome], sign[m.outcome] * (m.remoteness or 0), m.cell))
    rows = [
        [
            move_name(facts.board, m.cell),
            m.label or "not found",
            facts.verdict(m),
            "fork" if m.creates_fork else "",
            lost,
            str(m.canonical),
        ]
        for m, lost in zip(ordered, losing(ordered), strict=True)
    ]
    return without_empty(["move", "then", "verdict", "", "losing answers", "class"], rows)


def losing(moves: Sequence[ValuedMove]) -> list[str]:
    """Return for each move how many of the answers to it lose, `3 of 7`; all empty where no answer to any loses."""
    known = [move.losing_answers for move in moves]
    if not any(each and each[0] for each in known):
        return [""] * len(moves)
    return ["" if each is None else f"{each[0]} of {each[1]}" for each in known]


def losing_unit(moves: Sequence[ValuedMove]) -> list[str]:
    """Return what the numbers of losing answers count, where there are any."""
    threats = not moves or moves[0].position.board.rules.has_threats
    blocks = " The only answer to a threat is to block it." * threats
    return [f"Losing answers are those of the other player, up to symmetry.{blocks}"] * any(losing(moves))


def _before(facts: Explanation) -> list[Block | str]:
    """Return in how many ways play leads to the position, and the positions one move earlier; none for the start."""
    if not facts.position.ply or facts.ways is None:
        return []
    reached = f"Play reaches it in {many(facts.ways, 'order')} of moves"
    if facts.ways_by_choices is not None:
        reached += f", and in {many(facts.ways_by_choices, 'way')} by choices, where moves to equivalent boards are one"
    reached += ". Equivalent boards before it are shown once."
    board = facts.board
    rows = [
        [
            str(earlier),
            f"{board.rules.labels[earlier.to_move == 'O']} {_named(facts, cells).replace(', ', ' or ')}",
            f"{ways_to(earlier) or 0:,}",
        ]
        for earlier, cells in previous_positions(facts.position)
    ]
    more = [f"and {len(rows) - _SHOWN:,} more: --format json lists them."] * (len(rows) > _SHOWN)
    return [reached, Table(["before", "last move", "ways"], rows[:_SHOWN], frozenset((0, 1))), *more]


def _forced_wins(facts: Explanation) -> list[Block | str]:
    """Return the ways to force a fork, if the player to move wins but not at once."""
    found = facts.forced_wins
    if found is None or facts.outcome != facts.to_move or (facts.threats and facts.threats[facts.to_move]):
        return []
    if not found.sequences:
        no = "No fork can be forced by threats alone" if found.complete else "No fork by threats alone was found"
        winning = [move.cell for move in facts.moves if move.outcome == facts.to_move]
        if len(winning) > _SHOWN or any(move.outcome is None for move in facts.moves):
            return [f"{no}."]
        return [f"{no}; the winning move{'s are' if len(winning) > 1 else ' is'} {_named(facts, winning)}."]
    more = "" if found.complete else " at least"
    blocks: list[Block | str] = [f"Forced wins, {len(found.sequences)}{more} (attack, block, attack, ...):"]
    for sequence in found.sequences[:_SHOWN]:
        blocks.append(Paragraph("  " + _named(facts, sequence).replace(",", ""), "    "))
    if len(found.sequences) > _SHOWN:
        blocks.append(f"  and {len(found.sequences) - _SHOWN} more: --format json lists them")
    return blocks
