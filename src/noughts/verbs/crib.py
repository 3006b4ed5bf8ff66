"""`noughts crib`: the smallest table of boards that a player needs, and its card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from noughts.analysis.explain.wording import listed
from noughts.bots.crib import Crib, CribPair
from noughts.bots.crib import crib as find_crib
from noughts.drawing.figures import marks_of, shape_of
from noughts.drawing.sheets import Sheet, SheetBoard, SheetSection, card_pages, card_picture
from noughts.drawing.svg import Svg
from noughts.present.forms import Forms, chart_forms, report_forms
from noughts.present.report import Block, How, Look, Report, Table, many, try_next, typed
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import BudgetError
from noughts.rules.marks import opponent
from noughts.rules.position import parse_position
from noughts.verbs.menace import alike_words
from noughts.verbs.request import PICTURES, Caller, FromPosition, VerbAnswer, argument, from_option, option, writable


@dataclass(frozen=True, kw_only=True)
class CribRequest(FromPosition):
    """Smallest set of boards of BOARD that a player has to know, with one move for each, against all play.

    Turned and mirrored boards count as the same board; on a torus shifted ones too. -o card.pdf gives a card to print:
    find the board, play the dot.
    """

    forms = ("table", "json", *PICTURES)
    papers = ("a6", "a4", "letter")
    paper_help = "Paper of a PDF: a card to carry, or a sheet (default: a6)"

    board: str | Board = argument(default="3x3")
    as_: str = option("Player of the table", "X", choices=("X", "O", "both"))
    opening: str | None = option("First move of X", metavar="CELL")
    goal: str = option(
        "Goal: never lose, keep the best value on every board, or always win",
        "never-lose",
        choices=("never-lose", "perfect", "win"),
    )
    count: str = option(
        "Boards to count: those with the player to move, or all, endings included", "own", choices=("own", "all")
    )
    time: str = option("Time limit of the proof", "60s", metavar="TIME", where="commands")
    engine: str = option(
        "Engine; auto tries the search first, or local where not all boards can be listed",
        "auto",
        choices=("auto", "search", "programme", "local"),
        where="commands",
    )
    memory: str | None = option(
        "Memory limit, such as 8GB", metavar="SIZE", usual="three quarters of the free memory", where="commands"
    )
    save: str | None = option("File for the table as a policy", metavar="FILE.json", where="commands")

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the crib, or one for each player."""
        path = writable(self.save, policy=True)
        settings = self.parts("as_", "opening", "goal", "count", "time", "engine", "limit")
        settings["memory"] = caller.memory(self.memory)
        found = find_crib(self.board, self.start, progress=caller.progress, **settings)
        if path is not None:
            caller.write(path, found.as_dict())
        return VerbAnswer(found, forms(found, caller.look))


_SHOWN = 100
_DRAWN = 2_000
"""Most entries in a report, and most boards in a picture."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def forms(found: Crib | CribPair, look: Look) -> Forms:
    """Return one or two cribs in every form. A picture raises BudgetError for more than 2,000 boards."""
    return {
        **report_forms(lambda: report(found), found.as_dict, look),
        **chart_forms(
            lambda: crib_sheet(found, look.theme),
            lambda paper: crib_pages(found, paper, look.theme),
            look=replace(look, paper=look.paper or "a6"),
        ),
    }


def report(found: Crib | CribPair) -> Report:
    """Return the report on one or two cribs."""
    cribs = _each(found)
    blocks = [[headline(crib), other_count(crib), *_entries(crib)] for crib in cribs]
    return Report.of(*blocks, [How(" ".join(dict.fromkeys(map(how_we_know, cribs)))), try_next(*_next(cribs))])


def headline(crib: Crib) -> str:
    """Return the answer in a sentence or two."""
    question = crib.question
    who = f"{question.where}: {crib.player} {question.does}"
    if question.count == "own":
        if not crib.entries:
            return f"{who} with 0 boards to know, because {crib.player} never has a move."
        sentence = f"{who} with {many(crib.entries, 'board')} to know"
    else:
        sentence = f"{who} with a table of {many(crib.entries, 'board')}, endings included"
    if crib.proved:
        return f"{sentence}, the fewest possible."
    return (
        f"{sentence}. Every table has at least {crib.bound:,}; it is not known whether {crib.entries:,} is the minimum."
    )


def other_count(crib: Crib) -> str:
    """Return the other count, and the outcomes of games against the crib."""
    if crib.question.count == "own":
        other = f"Games with it reach {many(crib.boards, 'board')} in all, endings included"
    else:
        other = f"{crib.player} moves on {crib.own:,} of them"
    ends = {"X": "wins of X", "O": "wins of O", "draw": "draws"}
    mine = [ends[end] for end in (crib.player, "draw", opponent(crib.player)) if end in crib.outcomes]
    return f"{other}; its games end as {listed(mine)}."


def how_we_know(crib: Crib) -> str:
    """Return the engine, and the check of the table."""
    if crib.engine == "search":
        how = "a complete search" if crib.proved else "a search that reached its time limit"
    elif crib.engine == "programme":
        how = "an integer programme, with a bound by HiGHS"
    else:
        how = "a local search, and integer programmes over the boards that small tables meet, with a bound by HiGHS"
    return f"{how}; a judge that shares no code with it played every reply against the table."


def turns(crib: Crib) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the entries, a board and a cell each, grouped by the turn of the player.

    Turns count from the empty board, also for a crib from a later position.
    """
    grouped: dict[int, list[tuple[str, str]]] = {}
    for text, cell in crib.table.items():
        turn = parse_position(crib.board, text).marks(crib.player).bit_count()
        grouped.setdefault(turn, []).append((text, cell))
    names = {turn: f"{_ORDINALS[turn]} move" if turn < len(_ORDINALS) else f"move {turn + 1}" for turn in grouped}
    return [(names[turn], grouped[turn]) for turn in sorted(grouped)]


def card(cribs: Sequence[Crib]) -> Sheet:
    """Return the card of one or two cribs. Raises BudgetError for more than 2,000 boards."""
    total = sum(len(crib.table) for crib in cribs)
    if total > _DRAWN:
        raise BudgetError(
            f"the table has {total:,} boards and pictures hold up to {_DRAWN:,}: use --format json, or a later start"
        )
    first = cribs[0]
    parts = []
    for crib in cribs:
        whose = f"{crib.player}, " if len(cribs) > 1 else ""
        for name, entries in turns(crib):
            boards = [
                SheetBoard(marks_of(parse_position(crib.board, text)), call=parse_cell(crib.board, cell))
                for text, cell in entries
            ]
            parts.append(SheetSection(f"{whose}{name}" if whose else name.capitalize(), boards))
    who = " and ".join(f"{crib.player} {crib.question.does}" for crib in cribs)
    you = [f"You are {first.player}."] if len(cribs) == 1 else []
    words = " ".join([*you, how_to_use(first.board)])
    if len(cribs) == 1 and first.proved and first.question.count == "own":
        words += f" {many(first.entries, 'board').capitalize()}: no smaller card exists."
    title = f"{first.question.where}: {who}"
    return Sheet(shape_of(first.board), title, parts, words, joined=first.board.torus)


def crib_sheet(found: Crib | CribPair, theme: str = "light") -> Svg:
    """Return the whole card as one picture with a margin."""
    return card_picture(card(_each(found)), theme)


def crib_pages(found: Crib | CribPair, paper: str, theme: str = "light") -> list[Svg]:
    """Return the pages of a card; two cribs share one page if they fit."""
    cribs = _each(found)
    together = card_pages(card(cribs), paper, theme)
    if len(together) == 1:
        return together
    return [page for crib in cribs for page in card_pages(card([crib]), paper, theme)]


def how_to_use(board: Board) -> str:
    """Return how to read a card, which boards are the same, and the special rules of the board."""
    alike = alike_words(board)
    rows, columns, _ = shape_of(board)
    layer, generators = rows * columns, board.group().generators
    mixes_layers = any(i // layer != to // layer for turn in generators for i, to in enumerate(turn))
    return (
        f"Find the board before you,{f' {alike} if need be,' if alike else ''} and play the dot."
        + " Dashed edges are joined, and lines run on across them." * board.torus
        + " A turn can move marks from layer to layer." * mixes_layers
        + " The player who completes a line loses." * board.misere
    )


def _entries(crib: Crib) -> list[Block | str]:
    """Return the table, or the number of entries of each turn if it is long."""
    if not crib.table:
        return []
    if len(crib.table) <= _SHOWN:
        rows = [[name, text, cell] for name, entries in turns(crib) for text, cell in entries]
        return [Table(["turn", "board", "play"], rows, frozenset({0, 1, 2}))]
    rows = [[name, f"{len(entries):,}"] for name, entries in turns(crib)]
    return [Table(["turn", "boards"], rows, frozenset({0})), "All moves: --format json or -o card.pdf."]


def command(crib: Crib, *more: str) -> str:
    """Return the command for a crib."""
    question = crib.question
    board, opening = question.board, question.opening
    options = typed(
        ("as", question.player, "X"),
        ("opening", None if opening is None else cell_name(board, opening), None),
        ("goal", question.goal, "never-lose"),
        ("count", question.count, "own"),
        ("from", f"'{question.start}'" if question.start.ply else None, None),
    )
    return " ".join([f"noughts crib {board.spec}{options}", *more])


def _next(cribs: Sequence[Crib]) -> list[str]:
    crib = cribs[0]
    player, other = crib.player.lower(), opponent(crib.player).lower()
    place = from_option(crib.question.start)
    opened = crib.question.opening is not None and player == "o"
    judged = [] if opened else [f"noughts match {crib.board.spec}{place} --{player} crib.json --{other} best"]
    saved = [command(crib, "--save crib.json"), *judged] if len(cribs) == 1 else []
    both = " --as both" * (len(cribs) > 1)
    return [command(crib, "-o card.pdf").replace(crib.board.spec, f"{crib.board.spec}{both}", 1), *saved]


def _each(found: Crib | CribPair) -> tuple[Crib, ...]:
    return found.cribs if isinstance(found, CribPair) else (found,)
