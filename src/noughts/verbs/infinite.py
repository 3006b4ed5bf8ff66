"""The winner on the infinite board: in words, then the pairs as a drawing, and the proof."""

from __future__ import annotations

import shlex

from noughts.analysis.explain.wording import moves_to_win
from noughts.present.forms import Forms, markdown, report_forms
from noughts.present.report import Block, How, Report, Verbatim, try_next
from noughts.rules.board import EXAMPLE, format_infinite, infinite_k
from noughts.solving.infinite import InfiniteValue, solve_infinite
from noughts.verbs.request import Caller, VerbAnswer, writable


def answer(name: str, proof: str | None, caller: Caller) -> VerbAnswer:
    """Return who wins on the infinite board of that name, and write the proof to the file `proof` if given."""
    board, file = format_infinite(infinite_k(name)), writable(proof)
    value = solve_infinite(board, progress=caller.progress)
    if file is not None:
        caller.write(file, ("\n".join(value.proof_lines()) + "\n").encode())
    forms: Forms = {
        **report_forms(lambda: report(value, proof), value.as_dict, caller.look),
        "markdown": lambda: markdown(report(value, proof)),
    }
    return VerbAnswer(value, forms)


_ARROWS = {(0, 1): "→", (0, -1): "←", (1, 0): "↓", (-1, 0): "↑", (1, 1): "↘", (-1, -1): "↖", (1, -1): "↙", (-1, 1): "↗"}


def _sentence(value: InfiniteValue) -> str:
    row = f"{value.k:,} in a row"
    if value.outcome is None:
        return f"Open. It is not known here whether X can force {row}."
    if value.outcome == "draw":
        return f"Draw. Neither player can force {row}, however long they play."
    most = "" if value.at_most is None else f", in at most {moves_to_win(value.at_most):,} moves"
    return f"{value.outcome} wins with best play{most if value.at_most != 1 else ', in 1 move'}."


def report(value: InfiniteValue, proof: str | None = None) -> Report:
    """Return the report on an infinite board."""
    pairs: list[Block | str] = []
    if value.pairs:
        pairs = [
            f"Each cell points to its partner; the pattern repeats every {value.period} rows and columns.",
            Verbatim(drawn_pairs(value)),
        ]
    how = [How(f"{value.proof}.")]
    source: list[Block | str] = [f"Proved first by {value.source}."] if value.source else []
    others = [f"noughts solve {format_infinite(k)}" for k in (4, 8, 9) if k != value.k][:2]
    own = [f"noughts check {shlex.quote(proof)}"] if proof else []
    if not proof and value.board == EXAMPLE:
        own = [f"noughts solve {EXAMPLE} --proof nine.proof"]
    return Report.of([f"{value.board}: {_sentence(value)}"], pairs, [*how, *source, try_next(*own, *others)])


def drawn_pairs(value: InfiniteValue) -> str:
    """Return one period of the pairs as a drawing: an arrow from each cell to its partner, else a dot."""
    assert value.period is not None
    side = value.period
    signs: dict[tuple[int, int], str] = {}
    for (a, b), (c, d) in value.pairs:
        signs[a % side, b % side] = _ARROWS[c - a, d - b]
        signs[c % side, d % side] = _ARROWS[a - c, b - d]
    return "\n".join(" ".join(signs.get((row, column), ".") for column in range(side)) for row in range(side))
