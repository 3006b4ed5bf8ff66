"""The pages about the whole board: index, openings, endings, reduced tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from noughts.counting.conventions.answers import Answers
from noughts.counting.conventions.ladder import Rung, ladder
from noughts.counting.conventions.matrix import Entry, matrix
from noughts.counting.question import SAMENESSES, Sameness
from noughts.counting.words import convention, end_words, is_ruled, moves_words, play_words, sameness_words
from noughts.domain.bits import cells_of
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError, NoughtsError
from noughts.domain.position import Position
from noughts.domain.rules import END_RULES
from noughts.drawing.cards import draw_tree
from noughts.drawing.gametree import tree_picture
from noughts.exporting.site.classes import ended, ply_path
from noughts.exporting.site.html import Page, board_list, board_svg, rows_table, said, slug
from noughts.machine.budget import Limits
from noughts.records.catalogue import Catalogue
from noughts.records.positions import alike
from noughts.records.record import Record
from noughts.strategy.gametree import GameTree
from noughts.strategy.lengths import counted, in_moves
from noughts.strategy.openingadvice import errors
from noughts.strategy.openings import OpeningTheory, openings
from noughts.strategy.patterns import patterns
from noughts.strategy.replies import Opening, ValuedMove
from noughts.strategy.sentences import listed
from noughts.strategy.trees import tree

__all__ = ["endings_page", "index_page", "openings_page", "tree_page"]

_MEMORY = 2_000_000_000
_SECONDS = 2.0
_DRAWN_NODES = 600
_DECIDED = (
    " A game is over as soon as it is decided: where nobody has a line, a board is decided for the player who wins "
    "however the rules let both go on."
)


def _count(number: int | None) -> str:
    return "not given" if number is None else f"{number:,}"


def index_page(catalogue: Catalogue, pages: Sequence[Page]) -> Page:
    """Return the index: the answer in words, the census with links to the plies, the conventions, the other pages.

    The budget is fixed, so that the same board gives the same page on every machine.
    """
    board = catalogue.board
    if is_ruled(catalogue.question):
        return _ruled_index(catalogue, pages)
    answers = Answers(Limits(_MEMORY, _SECONDS))
    games, rungs = matrix(board, answers), ladder(board, answers)
    start = catalogue[Position(board)]
    body = [
        f"<p>{escape(_answer(catalogue, start))}</p>",
        board_list([(board_svg(start.position), f"class/{slug(start.position)}.html", "Start from the empty board")]),
        "<p>"
        + "; ".join(f'<a href="{page.path}.html">{escape(page.title)}</a>' for page in pages)
        + ". Every page leads to its data, and every board to its page.</p>",
        "<h2>Ply by ply</h2>",
        _census(catalogue, answers),
        "<h2>Games under every convention</h2>",
        _matrix(games),
        _legend(catalogue, games),
        "<h2>Positions, from naive to exact</h2>",
        rows_table(
            "Counts of positions",
            ["positions", "meaning", "count"],
            [[escape(rung.name), escape(rung.meaning), _count(rung.count)] for rung in rungs],
            words=2,
        ),
    ]
    data = {
        "board": board.spec,
        "classes": str(len(catalogue)),
        "games": [_game_data(entry) for entry in games],
        "positions": [_rung_data(rung) for rung in rungs],
        "pages": [f"{page.path}.html" for page in pages],
    }
    return Page("index", f"Every position of {board}", "\n".join(body), data)


def _ruled_index(catalogue: Catalogue, pages: Sequence[Page]) -> Page:
    """Return the index under rules of play: the answer and the rules in words, the census, the endings."""
    board, question, start = catalogue.board, catalogue.question, catalogue[Position(catalogue.board)]
    words = play_words(question)
    body = [
        f"<p>Here {escape(words)}. {escape(_answer(catalogue, start))}</p>",
        board_list([(board_svg(start.position), f"class/{slug(start.position)}.html", "Start from the empty board")]),
        "<p>"
        + "; ".join(f'<a href="{page.path}.html">{escape(page.title)}</a>' for page in pages)
        + ". Every page leads to its data, and every board to its page. Moves, what comes before, and games are those "
        f"of these rules; the labels say who wins within them.{_DECIDED * (question.end == 'decided')}</p>",
        "<h2>Ply by ply</h2>",
        _census(catalogue, Answers(Limits(_MEMORY, _SECONDS))),
    ]
    rules = {"x_moves": question.x_moves, "o_moves": question.o_moves, "end": question.end}
    sizes = {"classes": str(len(catalogue)), "games": str(start.finishes)}
    data = {"board": board.spec, **rules, **sizes, "games_by_choices": str(start.finishes_by_choices), "rules": words}
    return Page("index", f"Every position of {board} by rules", "\n".join(body), data)


def _answer(catalogue: Catalogue, start: Record) -> str:
    boards = catalogue.boards
    ends = sum(record.is_terminal for record in catalogue)
    verdict = {"X": "X wins", "O": "O wins", "draw": "the game is a draw"}[start.outcome]
    within = "Within these rules " if is_ruled(catalogue.question) else ""
    best = "With best play within them" if within else "With best play"
    together = alike(catalogue.board).replace("Boards", "boards")
    return (
        f"{within}{catalogue.board} has {said(len(catalogue), 'position class', 'position classes')} "
        f"({said(boards, 'board')}; {together} count once), {ends:,} of them "
        f"{'an ending' if ends == 1 else 'endings'}, and {said(start.finishes, 'game')}. {best} {verdict}"
        + (f" {in_moves(start.remoteness, catalogue.question.end)}." if start.outcome != "draw" else ".")
    )


def _census(catalogue: Catalogue, answers: Answers) -> str:
    """Return positions and games by ply for each sameness, the plies linked to their pages."""
    found = {
        same: answers.census(replace(catalogue.question, same=same))
        for same in SAMENESSES
        if _fits(catalogue, same, answers)
    }
    headings = ["ply"]
    for same in found:
        headings += [f"positions ({same})", f"games over ({same})"]
    rows = []
    for ply in range(catalogue.plies):
        row = [f'<a href="{ply_path(ply)}.html">Ply {ply}</a>']
        for census in found.values():
            counts = census.plies[ply]
            row += [_count(counts.positions), _count(counts.finished)]
        rows.append(row)
    totals = ["All"]
    for census in found.values():
        totals += [_count(census.totals.positions), _count(census.totals.finished)]
    return rows_table("Positions reached and games that end there", headings, [*rows, totals])


def _fits(catalogue: Catalogue, same: Sameness, answers: Answers) -> bool:
    try:
        answers.census(replace(catalogue.question, same=same))
    except BudgetError:
        return False
    return True


def _matrix(games: Sequence[Entry]) -> str:
    rows = []
    for first in range(0, len(games), len(SAMENESSES)):
        entries = games[first : first + len(SAMENESSES)]
        question = entries[0].question
        rows.append([question.x_moves, question.end, *(_count(entry.finished) for entry in entries)])
    return rows_table("Finished games", ["moves", "end", *SAMENESSES], rows, words=2)


def _legend(catalogue: Catalogue, games: Sequence[Entry]) -> str:
    rules = dict.fromkeys(entry.question.x_moves for entry in games)
    misere = catalogue.board.misere
    entries: list[tuple[str, str]] = [(rule, moves_words(rule, rule)) for rule in rules]
    entries += [(end, end_words(end, misere=misere, lines=bool(catalogue.board.lines))) for end in END_RULES]
    entries += [(same, sameness_words(same)) for same in SAMENESSES]
    return "<dl>" + "".join(f"<dt>{escape(word)}</dt><dd>{escape(text)}</dd>" for word, text in entries) + "</dl>"


def _game_data(entry: Entry) -> dict[str, object]:
    question = entry.question
    return {
        "moves": question.x_moves,
        "end": question.end,
        "same": question.same,
        "convention": convention(question),
        "finished": None if entry.finished is None else str(entry.finished),
    }


def _rung_data(rung: Rung) -> dict[str, object]:
    return {"name": rung.name, "meaning": rung.meaning, "count": None if rung.count is None else str(rung.count)}


def openings_page(catalogue: Catalogue) -> Page | None:
    """Return the page of opening theory; None where the game is over before the first move."""
    try:
        theory = openings(catalogue.board)
    except NoughtsError:
        return None
    body = ["<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in theory.advice) + "</ul>"]
    for opening in theory.openings:
        body.append(f"<h2>{escape(theory.name(opening.cell))}</h2>")
        body.append(board_list([_opening_entry(catalogue, theory, opening)]))
        if opening.replies:
            count = said(len(opening.replies), "reply", "replies")
            body.append(f"<h3>{count} up to symmetry: {errors(opening.replies)}</h3>")
            body.append(board_list(_opening_entry(catalogue, theory, reply, opening) for reply in opening.replies))
    body.insert(1, f"<p>Lengths count {counted(catalogue.board)}.</p>")
    return Page("openings", "Openings", "\n".join(body), theory.as_dict())


def _opening_entry(
    catalogue: Catalogue, theory: OpeningTheory, move: ValuedMove, opening: Opening | None = None
) -> tuple[str, str, str]:
    record = catalogue[move.position]
    names = ", ".join(cell_name(theory.board, cell) for cell in cells_of(move.cells))
    verdict = theory.verdict(move, opening)
    if move.loses or move.gives_up_win:
        verdict = f"<strong>{verdict}</strong>"
    under = f'<span class="cells">{names}</span>{verdict}: {escape(move.label or "not found")}'
    return board_svg(move.position, [move.cell]), f"class/{slug(record.position)}.html", under


def endings_page(catalogue: Catalogue) -> Page:
    """Return the page of all endings, by outcome and ply, with the drawn patterns and who can force them."""
    ends = [record for record in catalogue if record.is_terminal]
    body = []
    groups = {"X": "X has won", "O": "O has won", "draw": "Drawn"}
    parts = {who: [record for record in ends if record.outcome == who] for who in groups}
    kinds = {"X": "won by X", "O": "won by O", "draw": "drawn"}
    if catalogue.question.end == "decided":
        groups = {"X": "Decided for X", "O": "Decided for O", "draw": "Decided as a draw"}
        kinds = {"X": "decided for X", "O": "decided for O", "draw": "decided as draws"}
    split = listed([f"{len(found):,} {kinds[who]}" for who, found in parts.items()])
    body.append(f"<p>{said(len(ends), 'ending')}: {split}.</p>")
    for who, found in parts.items():
        if not found:
            continue
        body.append(f"<h2>{groups[who]} ({len(found):,})</h2>")
        for ply in sorted({record.ply for record in found}):
            here = [record for record in found if record.ply == ply]
            body.append(f"<h3>Ply {ply} ({len(here):,})</h3>")
            body.append(
                board_list(
                    (
                        board_svg(r.position),
                        f"class/{slug(r.position)}.html",
                        r.pattern or ended(r),
                    )
                    for r in here
                )
            )
    if not is_ruled(catalogue.question):
        body.append(_forcing(catalogue))
    data = {
        "board": catalogue.board.spec,
        "endings": [{"class": str(r.position), "outcome": r.outcome, "pattern": r.pattern} for r in ends],
    }
    return Page("endings", "Endings", "\n".join(body), data)


def _forcing(catalogue: Catalogue) -> str:
    """Return which drawn patterns each player can force, or win."""
    try:
        found = patterns(catalogue.board)
    except NoughtsError:
        return ""
    if not found.patterns or found.forcing is None:
        return ""
    rows = [
        [
            "empty board" if forcing.opening is None else escape(found.opening_name(forcing.opening)),
            escape(", ".join(forcing.x)) or "none",
            escape(", ".join(forcing.o)) or "none",
        ]
        for forcing in found.forcing
    ]
    caption = "Patterns that a player can make sure of, or win"
    return "<h2>Drawn patterns to force</h2>" + rows_table(caption, ["after", "X", "O"], rows, words=3)


def tree_page(catalogue: Catalogue) -> Page | None:
    """Return the page of the reduced tree; None where there is none, as under misere, or where it is too large."""
    try:
        found = tree(catalogue.board, limit=5000)
    except NoughtsError:
        return None
    count = said(len(found.nodes), "position class", "position classes")
    body = [
        f"<p>{count}: forced moves only (complete a line, else block, else any), cut where the game is over or won, or "
        "where it is drawn and no fork can come. Scores are averages from X's side: 1 a win, 0 a draw, -1 a loss.</p>"
    ]
    if len(found.nodes) == 1:
        body.append("<p>The board is settled from the start, so the tree is its root.</p>")
    elif len(found.nodes) <= _DRAWN_NODES:
        picture = draw_tree(tree_picture(found), "auto")
        body.append(f'<div class="scroll sheet" tabindex="0" role="group" aria-label="The tree">{picture}</div>')
    body.append(_nodes(catalogue, found))
    return Page("tree", "Reduced tree", "\n".join(body), found.as_dict())


def _nodes(catalogue: Catalogue, found: GameTree) -> str:
    """Return the nodes by ply as boards that lead to their pages, with scores."""
    by_ply: dict[int, list[tuple[str, str, str]]] = {}
    for node in found.nodes:
        end = f"{node.end}; " if node.end else ""
        score = "" if node.score is None else f"score {node.score}"
        fork = ", fork" if node.fork else ""
        under = f'<span class="cells">{escape(end)}{score}</span>{fork}'
        entry = (board_svg(node.position), f"class/{slug(catalogue[node.position].position)}.html", under)
        by_ply.setdefault(node.position.ply, []).append(entry)
    return "".join(f"<h2>Ply {ply} ({len(entries):,})</h2>{board_list(entries)}" for ply, entries in by_ply.items())
