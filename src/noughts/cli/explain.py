"""`noughts explain`: what to play in a position and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from noughts.cli.pictures import Answer, board_drawings, emit, picture_options, sink, tree_drawings

if TYPE_CHECKING:
    from noughts.strategy.explain import Explanation

__all__ = ["explain"]

_SHOWN = 12


@click.command(short_help="What to play in a position and why.")
@click.argument("board", default="3x3")
@click.argument("position", nargs=-1)
@picture_options
def explain(board: str, position: tuple[str, ...], **given: Any) -> None:
    """What to play in POSITION of BOARD, and why: label, threats, forks, traps, forced wins.

    POSITION is written X.O/.X./..O, or as the moves that lead to it: a1 b2. Without it: the empty board.
    """
    to = sink(**given)
    from noughts.drawing.figures import explanation_picture, tree_picture
    from noughts.strategy.explain import explain as ask

    facts = ask(board, " ".join(position) if position else None)

    def moves() -> Any:
        from noughts.strategy.trees import tree

        return tree_picture(tree(facts.board, "full", facts.position, depth=1))

    drawings = board_drawings(lambda: explanation_picture(facts)) | {"dot": tree_drawings(moves)["dot"]}
    emit(Answer(table=lambda: _print(facts), record=facts.as_dict, **drawings), to)


def _print(facts: Explanation) -> None:
    from noughts.drawing.figures import marks_of, shape_of
    from noughts.drawing.text import board_text
    from noughts.reports.tables import show, wrapped

    print(wrapped(f"{facts.board}, {facts.to_move} to move: {facts.label or 'who wins was not found'}."))
    for sentence in facts.sentences:
        print(wrapped(sentence))
    print()
    print(board_text(shape_of(facts.board), marks_of(facts.position), names=facts.board.shape is not None))
    print()
    for line in _facts(facts):
        print(wrapped(line, "  "))
    print()
    show(_moves(facts))
    print()
    _print_forced_wins(facts)
    known = all(move.remoteness is not None for move in facts.moves)
    how = "every continuation was valued, backward from the ends" if known else "by search, as far as its budget went"
    print(f"How we know: {how}.")
    print("Try next:")
    spec, text = facts.board.spec, str(facts.position)
    print(f"  noughts explain {spec} '{text}' -o board.svg")
    print(f"  noughts openings {spec}")


def _named(facts: Explanation, cells: Any) -> str:
    from noughts.domain.cells import cell_name

    return ", ".join(cell_name(facts.board, cell) for cell in cells) or "none"


def _facts(facts: Explanation) -> list[str]:
    """The facts, one line each; under misere threats and forks mean the opposite and are left out."""
    lines = [f"Trap: {'yes, some moves lose and others do not' if facts.is_trap else 'no'}."]
    if facts.threats is None or facts.forks is None or facts.forced is None:
        return [*lines, "Threats, forks and forced wins are not defined under misere, where a completed line loses."]
    for what, found in (("Threats", facts.threats), ("Forks to be made", facts.forks)):
        lines.append(f"{what}: X {_named(facts, found['X'])}; O {_named(facts, found['O'])}.")
    lines.append(f"Forced: {_named(facts, facts.forced) if facts.forced else 'nothing'}.")
    open_lines, all_lines = facts.lines, len(facts.board.lines)
    x, o, dead = len(open_lines.x_open), len(open_lines.o_open), len(open_lines.blocked)
    lines.append(f"Lines: {all_lines}; {x} open to X, {o} open to O, {dead} blocked{_blocked(facts)}.")
    return lines


def _blocked(facts: Explanation) -> str:
    """The lines that nobody can complete any more, where they are few enough to read."""
    from noughts.domain.bits import cells_of

    blocked = facts.lines.blocked
    if not 0 < len(blocked) <= _SHOWN:
        return ""
    return ": " + ", ".join(_named(facts, cells_of(line)).replace(", ", "-") for line in blocked)


def _moves(facts: Explanation) -> Any:
    from noughts.domain.cells import cell_name
    from noughts.domain.position import opponent
    from noughts.reports.tables import Table

    rank = {facts.to_move: 0, "draw": 1, opponent(facts.to_move): 2, None: 3}
    sign = {facts.to_move: 1, "draw": -1, opponent(facts.to_move): -1, None: 0}
    ordered = sorted(facts.moves, key=lambda m: (rank[m.outcome], sign[m.outcome] * (m.remoteness or 0), m.cell))
    rows = []
    for m in ordered:
        plies = "-" if m.remoteness is None else str(m.remoteness)
        fork = "fork" if m.creates_fork else ""
        rows.append([cell_name(facts.board, m.cell), m.label or "not found", plies, fork, str(m.canonical)])
    return Table(["move", "then", "plies left", "", "class"], rows, frozenset({0, 1, 3, 4}))


def _print_forced_wins(facts: Explanation) -> None:
    from noughts.reports.tables import wrapped

    found = facts.forced_wins
    if found is None or facts.outcome != facts.to_move:
        return
    if not found.sequences:
        winning = [move.cell for move in facts.moves if move.outcome == facts.to_move]
        print(wrapped(f"No fork can be forced by threats alone; the winning moves are {_named(facts, winning)}."))
    else:
        more = "" if found.complete else " at least"
        print(f"Forced wins, {len(found.sequences)}{more} (attack, block, attack, ...):")
        for sequence in found.sequences[:_SHOWN]:
            print(wrapped("  " + _named(facts, sequence).replace(",", ""), "    "))
        if len(found.sequences) > _SHOWN:
            print(f"  and {len(found.sequences) - _SHOWN} more: --format json lists them")
    print()
