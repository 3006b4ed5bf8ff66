"""`noughts menace`: matchboxes that learn, their labels, lessons, and what they are worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from noughts.cli.bots import policy_path, save_policy
from noughts.cli.options import Verb, words
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, answers, put_file

if TYPE_CHECKING:
    from noughts.bots.menace import Menace

__all__ = ["menace"]


@click.command(cls=Verb, short_help="Matchboxes that learn to play, taught game by game.")
@click.argument("board", default="3x3")
@click.option("--as", "player", **words("X", "O"), help="Which side the machine plays (X).")
@click.option("--against", metavar="random|block|perfect|FILE.json|menace", default="random", help="Who teaches it.")
@click.option("--games", type=click.IntRange(min=0), metavar="N", default=0, help="Play so many games.")
@click.option("--seed", type=click.IntRange(min=0), metavar="S", default=0, help="What the draws come from (0).")
@click.option("--runs", type=click.IntRange(min=1), metavar="N", default=1, help="Begin anew so often, seeds S, S+1...")
@click.option("--every", type=click.IntRange(min=1), metavar="N", help="Value it every so many games.")
@click.option("--expect", type=click.IntRange(min=1), metavar="N", help="The exact average after up to N games.")
@click.option("--beads", metavar="michie|doubling|4,3,2,1", help="Beads of each colour to begin with, by turn.")
@click.option("--reward", metavar="3,1,-1", help="Beads added for a win, a draw and a loss.")
@click.option("--symmetric", **words("once", "each"), help="Cells alike share a colour, or each has its own (once).")
@click.option("--empty", **words("resign", "refill", "keep"), help="An empty box resigns, is refilled; or keep a bead.")
@click.option("--last-boxes", is_flag=True, default=None, help="Boxes for one blank cell as well.")
@click.option("--load", metavar="FILE.json", help="Go on with a machine that was saved.")
@click.option("--save", metavar="FILE.json", help="Write the machine; versus and others play it.")
@click.option("--labels", metavar="FILE.pdf|svg", help="Write labels to print, cut and stick.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Go through up to so many classes (120000).")
@answers(
    "table", "json", "csv", "markdown", "latex", "svg", "png", "pdf",
    paper_help="Paper of a curve as a PDF; labels are A4.",
    paper_wants="--paper is about a curve as a PDF: add --games 200 -o curve.pdf; labels are always A4",
)  # fmt: skip
def menace(
    board: str,
    player: str | None,
    against: str,
    games: int,
    seed: int,
    runs: int,
    every: int | None,
    expect: int | None,
    beads: str | None,
    reward: str | None,
    symmetric: str | None,
    empty: str | None,
    last_boxes: bool | None,
    load: str | None,
    save: str | None,
    labels: str | None,
    limit: int | None,
    to: Sink,
) -> None:
    """MENACE on BOARD: a box for each position class with more than one blank cell, beads for its moves.

    After each game beads are added to the boxes that were opened, or taken. How well the machine plays is exact.
    """
    from noughts.bots.menace import menace as ask
    from noughts.rules.errors import InputError
    from noughts.rules.game import LISTED_CLASSES
    from noughts.verbs.menace import forms

    path, printed = policy_path(save), _labels_path(labels)
    if path is not None and runs > 1:
        raise InputError("--save keeps one machine: leave out --runs")
    if to.form in ("svg", "png", "pdf") and not games:
        other = (
            "ask for labels with --labels FILE.pdf" if labels is None else "leave out --format and -o for labels alone"
        )
        raise InputError(f"a curve is drawn over games: add --games 200, or {other}")
    made = ask(
        board,
        as_=player,
        beads=beads,
        reward=None if reward is None else _numbers(reward),
        symmetric=symmetric,
        empty=empty,
        last_boxes=last_boxes,
        against=against,
        games=games,
        seed=seed,
        runs=runs,
        every=every,
        expect=expect or 0,
        load=load,
        limit=limit or LISTED_CLASSES,
        progress=progress_line(),
    )
    if path is not None:
        save_policy(path, made.saved_as_dict())
    if printed is not None:
        _print(made, printed)
    to.write(forms(made, to.look))


def _numbers(given: str) -> list[int]:
    """Return the three numbers of --reward. Raises InputError."""
    from noughts.rules.errors import InputError, shown

    try:
        return [int(part) for part in given.split(",")]
    except ValueError:
        raise InputError(f"--reward {shown(given)} is no list of numbers: write 3,1,-1 for win, draw, loss") from None


def _labels_path(given: str | None) -> Path | None:
    """Return the path of --labels, before any work. Raises InputError."""
    from noughts.machine.files import require_writable
    from noughts.rules.errors import InputError, shown

    if given is None:
        return None
    path = Path(given)
    if path.suffix.lower() not in (".pdf", ".svg"):
        raise InputError(f"--labels {shown(given)}: labels are a PDF or an SVG, so end the name in .pdf or .svg")
    if path.suffix.lower() == ".pdf":
        from noughts.drawing.svg import require_maker

        require_maker("pdf")
    require_writable(path)
    return path


def _print(made: Menace, path: Path) -> None:
    from noughts.verbs.menace import labels_pdf, labels_svg

    put_file(path, labels_pdf(made) if path.suffix.lower() == ".pdf" else str(labels_svg(made)).encode())
