"""`noughts menace`: a machine of matchboxes, its boxes and beads, its lessons, and its exact value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from noughts.analysis.explain.wording import how_it_goes, listed
from noughts.analysis.policies.policy import POLICIES
from noughts.bots.lessons import GameChances
from noughts.bots.matchboxes import BeadRules, bead_colour, bead_letter
from noughts.bots.menace import Menace, menace
from noughts.drawing.chart import Curve, draw_curves
from noughts.drawing.figures import marks_of, shape_of
from noughts.drawing.matchboxes import BeadKey, BoxLabel, label_pages
from noughts.drawing.paper import stacked
from noughts.drawing.svg import Svg
from noughts.present.forms import Forms, chart_forms, report_forms, table_forms
from noughts.present.report import Block, How, Look, Paragraph, Report, Table, few, many, try_next
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError, shown
from noughts.rules.values import decimal
from noughts.verbs.request import DATA, PICTURES, Caller, Limited, VerbAnswer, argument, option, writable


@dataclass(frozen=True, kw_only=True)
class MenaceRequest(Limited):
    """MENACE on BOARD: a box for each position class with two blank cells or more, with beads for its moves.

    After each game the machine adds beads to the opened boxes or removes them. Its chances are exact. Pictures show
    them game by game; without games they are labels to print, for the boxes.
    """

    forms = ("table", "json", *DATA, *PICTURES)

    board: str | Board = argument(default="3x3")
    as_: str | None = option("Side of the machine", choices=("X", "O"), usual="X")
    against: str = option(
        "Opponent that teaches it", "random", choices=(*POLICIES, "menace"), others="commands", metavar="POLICY"
    )
    games: int = option("Number of games", 0, least=0, metavar="N")
    seed: int = option("Random seed", 0, least=0, metavar="S")
    runs: int = option("Number of independent runs, with seeds S, S+1, ...", 1, least=1, metavar="N", where="commands")
    every: int | None = option("Games between two valuations", least=1, metavar="N", where="commands")
    expect: int | None = option("Exact average after up to N games", least=1, metavar="N", where="commands")
    beads: str | None = option("Initial beads of each colour, by turn", metavar="michie|doubling|4,3,2,1")
    reward: str | None = option("Beads added for a win, a draw and a loss", metavar="3,1,-1")
    symmetric: str | None = option(
        "Bead colours: once for symmetric cells, or each cell", choices=("once", "each"), usual="once"
    )
    empty: str | None = option(
        "Empty boxes: resign, refill, or keep the last bead", choices=("resign", "refill", "keep"), usual="resign"
    )
    last_boxes: bool | None = option("Boxes also for one blank cell")
    load: str | None = option("File of a saved machine, to continue with it", metavar="FILE.json", where="commands")
    save: str | None = option("File for the machine, as a policy", metavar="FILE.json", where="commands")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        return ((self.save is not None and self.runs > 1, "--save writes one machine: remove --runs"),)

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the machine after its games."""
        path = writable(self.save, policy=True)
        made = menace(
            self.board,
            reward=None if self.reward is None else _numbers(self.reward),
            expect=self.expect or 0,
            progress=caller.progress,
            **self.parts(*_GIVEN),
        )
        if path is not None:
            caller.write(path, made.saved_as_dict())
        return VerbAnswer(made, forms(made, caller.look))


_GIVEN = (
    "as_", "beads", "symmetric", "empty", "last_boxes", "against", "games", "seed", "runs", "every", "load", "limit"
)  # fmt: skip


def _numbers(given: str) -> list[int]:
    """Return the three numbers of --reward. Raises InputError."""
    try:
        return [int(part) for part in given.split(",")]
    except ValueError:
        raise InputError(
            f"--reward {shown(given)} is not a list of numbers: write 3,1,-1 for win, draw, loss"
        ) from None


_KNOWN = "one backward pass over all play gives the chances in whole numbers; noughts match gives the same"


def forms(made: Menace, look: Look) -> Forms:
    """Return a machine in every form: pictures show the curve of its chances or the labels, tables every valuation."""
    curves = chart_forms(lambda: curve(made, look.theme), look=look)
    return {
        **report_forms(lambda: report(made), made.as_dict, look),
        **table_forms(lambda _: [_marks_table(made)], lambda: headline(made)),
        **(curves if made.lessons[0].last.games else label_forms(made, look)),
    }


def label_forms(made: Menace, look: Look) -> Forms:
    """Return the labels for the boxes as pages, in pictures below each other."""
    look = replace(look, paper=look.paper or "a4")
    return chart_forms(lambda: labels_svg(made), lambda paper: labels_pages(made, paper), look=look)


def report(made: Menace) -> Report:
    """Return the report on a machine."""
    always_resigns = len(made.lessons) == 1 and bool(made.lessons[0].last.games) and resigns(made)
    lesson = made.lessons[0]
    how = f"games with random seed {lesson.seed}" if lesson.last.games else "a list of every position class"
    remedy = ["Try --empty refill, or more initial beads (--beads)."] * always_resigns
    return Report.of(
        [headline(made), *taught(made), *remedy],
        [stages(made)] if made.cabinet.boxes else [],
        box_readings(made),
        _course_blocks(made),
        _expected_blocks(made),
        [How(f"{how}; {_KNOWN}."), try_next(*_next(made))],
    )


def headline(made: Menace) -> str:
    """Return the number of boxes and beads, and the positions of the boxes."""
    boxes, player = made.cabinet.boxes, made.player
    if not boxes:
        return f"{made.board}, MENACE as {player}: 0 boxes, because {player} never has a choice there."
    beads = sum(map(sum, made.cabinet.start))
    least = "" if made.cabinet.rules.last_boxes else " and more than one blank cell"
    return (
        f"{made.board}, MENACE as {player}: {many(len(boxes), 'box', 'boxes')} with {many(beads, 'bead')} at the "
        f"start. There is a box for each unfinished position class with {player} to move{least}."
    )


def taught(made: Menace) -> list[str]:
    """Return its chances against its opponent before and after the games, or its mean value over several runs."""
    first, last = made.lessons[0].marks[0], made.lessons[0].last
    rival = "another learning machine" if made.rival is None else made.against
    if not last.games:
        return [f"Against {rival} it {_chances(first.chances, made)} (exact chances of the next game)."]
    if len(made.lessons) == 1:
        same = first.chances == last.chances
        them, those = ("it", "that game") if last.games == 1 else ("them", "those games")
        before = f", the same as before {them}" if same else f"; before {them} it {_chances(first.chances, made)}"
        return [
            f"After {many(last.games, 'game')} against {rival} it {_chances(last.chances, made)}{before}. In {those} "
            f"it won {last.wins:,}, drew {last.draws:,} and lost {last.losses:,}.{_empty(made)}"
        ]
    values = [lesson.last.chances.value(made.player) for lesson in made.lessons]
    mean = sum(values, Fraction(0)) / len(values)
    return [
        f"After {many(last.games, 'game')} against {rival} its mean value over {len(values):,} runs is {_about(mean)}, "
        f"from {_about(min(values))} to {_about(max(values))}. Before the games it is "
        f"{_about(first.chances.value(made.player))}. The value is the chance to win minus the chance to lose."
    ]


def _empty(made: Menace) -> str:
    """Return the sentence on empty boxes, if there are any."""
    empty = made.lessons[0].last.empty
    if resigns(made):
        return " Its first box is empty: it resigns every game."
    return f" {many(empty, 'box is', 'boxes are')} empty, and there it resigns." if empty else ""


def resigns(made: Menace) -> bool:
    """Return whether its first box is empty after the lesson."""
    return made.player == "X" and bool(made.beads) and not any(made.beads[0])


def stages(made: Menace) -> Table:
    """Return the boxes and beads by turn."""
    rows = []
    for turn in sorted({box.turn for box in made.cabinet.boxes}):
        here = [box for box in made.cabinet.boxes if box.turn == turn]
        held = sum(len(box.cells) for box in here)
        ply = here[0].position.ply
        rows.append([str(turn), str(ply), f"{len(here):,}", f"{here[0].beads:,}", f"{held * here[0].beads:,}"])
    return Table(["turn", "ply", "boxes", "beads of each colour", "beads"], rows)


def box_readings(made: Menace) -> list[Block | str]:
    """Return the counts of boxes under other rules, and what is published about them."""
    if not made.cabinet.boxes:
        return []
    blocks: list[Block | str] = [Paragraph("Other rules give other numbers of boxes:")]
    width = max(len(f"{each.boxes:,}") for each in made.readings)
    for each in made.readings:
        blocks.append(Paragraph(f"{each.boxes:,}".rjust(width) + f"  {each.rule}", hang=" " * (width + 4), indent="  "))
    counts = [each.boxes for each in made.readings]
    if made.board.spec == "3x3:3" and made.player == "X":
        blocks.append(
            f"D. Michie wrote of {counts[1]} boxes in 1961 without a list. The rule that he states gives {counts[0]}. "
            f"His number follows without the {counts[0] - counts[1]} in which O wins next against every move of X. It "
            "is not known whether he left those out."
        )
    return blocks


def _course_blocks(made: Menace) -> list[Block | str]:
    """Return the course of a lesson, or the spread over several, at a few numbers of games."""
    marks = made.lessons[0].marks
    if len(marks) < 2:
        return []
    chosen = few(range(len(marks)))
    if len(made.lessons) == 1:
        rows = []
        for mark in (marks[place] for place in chosen):
            chances = [mark.chances.value(made.player), *mark.chances.of(made.player)]
            rows.append([f"{mark.games:,}", *(decimal(chance, 4) for chance in chances), f"{mark.beads:,}"])
        table = Table(["games", "value", "wins", "draws", "loses", "beads"], rows)
        return [table, "Chances of the next game, rounded; value is wins minus loses."]
    rows = []
    for place in chosen:
        values = [lesson.marks[place].chances.value(made.player) for lesson in made.lessons]
        mean = sum(values, Fraction(0)) / len(values)
        rows.append([f"{marks[place].games:,}", *(decimal(each, 4) for each in (mean, min(values), max(values)))])
    return [Table(["games", "mean value", "lowest", "highest"], rows)]


def _expected_blocks(made: Menace) -> list[Block | str]:
    """Return the averages over all possible draws of beads, if --expect is given."""
    if not made.expected:
        return []
    rows = [
        [str(each.games), decimal(each.chances.value(made.player), 6), f"{each.fillings:,}"] for each in made.expected
    ]
    return [
        "Expected value of the next game, over all possible games before it:",
        Table(["games", "value", "fillings of the boxes"], rows),
    ]


def _next(made: Menace) -> list[str]:
    side = "" if made.player == "X" else " --as O"
    board = made.board
    if made.lessons[0].last.games:
        return [
            f"noughts menace {board}{side} --games 500 --runs 10 --against perfect --empty refill -o curve.svg",
            f"noughts menace {board}{side} --games 500 --save machine.json",
        ]
    return [
        f"noughts menace {board}{side} --games 200 --seed 1",
        *([f"noughts menace {board}{side} -o labels.pdf"] if made.cabinet.boxes else []),
    ]


def _marks_table(made: Menace) -> Table:
    """Return every valuation of every lesson, in fractions."""
    rows = [
        [str(lesson.seed), str(mark.games), *map(str, mark.chances.of(made.player)),
         str(mark.wins), str(mark.draws), str(mark.losses), str(mark.beads), str(mark.empty)]
        for lesson in made.lessons
        for mark in lesson.marks
    ]  # fmt: skip
    headings = ["seed", "games", "win", "draw", "loss", "won", "drawn", "lost", "beads", "empty_boxes"]
    return Table(headings, rows, frozenset({2, 3, 4}))


def curve(made: Menace, theme: str = "light") -> Svg:
    """Return the chances of one lesson over the games, or the mean value of several with its spread."""
    player, lessons = made.player, made.lessons
    title = f"MENACE on {made.board} as {player}, against {made.against}"
    rules = made.cabinet.rules
    taught_by = f"Win {rules.win:+}, draw {rules.draw:+}, loss {rules.loss:+}; empty boxes: {rules.empty}."
    if len(lessons) > 1:
        columns = list(zip(*(lesson.marks for lesson in lessons), strict=True))
        points, band = [], []
        for marks in columns:
            values = [mark.chances.value(player) for mark in marks]
            points.append((marks[0].games, sum(values, Fraction(0)) / len(values)))
            band.append((marks[0].games, min(values), max(values)))
        name = f"value, mean of {len(lessons)} runs (band: lowest to highest)"
        note = f"Seeds {lessons[0].seed} to {lessons[-1].seed}. {taught_by}"
        return draw_curves([Curve(name, points, band)], title, "games", note, theme=theme)
    marks = lessons[0].marks
    parts = [[(mark.games, mark.chances.of(player)[i]) for mark in marks] for i in range(3)]
    value = [(mark.games, mark.chances.value(player)) for mark in marks]
    curves = [
        Curve(name, points) for name, points in zip(("value", "wins", "draws", "loses"), [value, *parts], strict=True)
    ]
    return draw_curves(curves, title, "games", f"Seed {lessons[0].seed}. {taught_by}", theme=theme)


def _chances(chances: GameChances, made: Menace) -> str:
    """Return the chances of one game in words, 0 and 1 without a number."""
    parts = dict(zip(("wins", "draws", "loses"), chances.of(made.player), strict=True))
    sure = next((word for word, chance in parts.items() if chance == 1), None)
    if sure is not None:
        return f"always {sure}"
    phrases = [f"{word} with probability {_about(chance)}" for word, chance in parts.items() if chance]
    phrases[1:] = [each.replace("probability ", "") for each in phrases[1:]]
    phrases += [f"never {word}" for word, chance in parts.items() if not chance]
    return f"{', '.join(phrases[:-1])} and {phrases[-1]}"


def _about(value: Fraction) -> str:
    """Return a fraction if it is short, else a rounded number."""
    return str(value) if len(str(value)) < 16 else f"about {decimal(value, 6)}"


# Labels for the boxes of a machine, and instructions for a class.

_MOST = 2_000
"""Most labels that can be printed: 80 pages."""
_GAMES = 10
"""Games for which beads are in reserve."""


def labels_pages(made: Menace, paper: str) -> list[Svg]:
    """Return the labels on pages of a paper, after a page of instructions.

    Raises InputError for more than 2,000 boxes.
    """
    title, used = f"MENACE on {made.board} as {made.player}", {cell for box in made.cabinet.boxes for cell in box.cells}
    keys = [_key(made, cell) for cell in sorted(used)]
    return label_pages(shape_of(made.board), _labels(made), keys, title, [*instructions(made)], paper=paper)


def labels_svg(made: Menace) -> Svg:
    """Return the pages of labels below each other. Raises InputError for more than 2,000 boxes."""
    return stacked(labels_pages(made, "a4"))


def machine_picture(made: Menace, theme: str = "light") -> Svg:
    """Return the curve of a machine after games, or the labels of one without games."""
    return curve(made, theme) if made.lessons[0].last.games else labels_svg(made)


def _key(made: Menace, cell: int) -> BeadKey:
    return BeadKey(bead_letter(cell), bead_colour(cell), cell_name(made.board, cell), made.cabinet.start_of(cell))


def _labels(made: Menace) -> list[BoxLabel]:
    boxes = made.cabinet.boxes
    if not boxes:
        raise InputError(f"{made.player} never has a choice on {made.board}, so it has 0 boxes to label: try 3x3")
    if len(boxes) > _MOST:
        raise InputError(f"{len(boxes):,} labels are more than the limit of {_MOST:,}: use a smaller board")
    labels = []
    for box in boxes:
        beads = sum(box.start)
        held = [many(beads, "bead")] if len(box.cells) == 1 else [f"{box.beads} of each", f"= {beads} beads"]
        keys = {cell: _key(made, cell) for cell in box.cells}
        text = [f"{made.player}, turn {box.turn}", "start:", *held]
        labels.append(BoxLabel(box.number, marks_of(box.position), keys, text))
    return labels


def alike_words(board: Board) -> str:
    """Return which images of a board count as the same: `turned or mirrored`; nothing without symmetries."""
    if board.group().order == 1:
        return ""
    if not board.rules.any_blank and board.group().order == 2:
        return "mirrored"
    return "turned, mirrored or shifted" if board.torus else "turned or mirrored"


def goal_words(board: Board) -> str:
    """Return the rule that wins or loses on a board, and its lines, in a sentence or two."""
    if not board.lines:
        return "The board has no line, so every game is a draw."
    ends = "has lost" if board.misere else "has won"
    if board.k is None:
        return f"The first player to fill one of the {len(board.lines):,} lines {ends}."
    if board.k == 1:
        return f"The first player to make a mark {ends}."
    ways = listed([way for way in _WAYS if way in {_way(board, line) for line in board.lines}], "or")
    moves = f"{board.rules.difference[:1].upper()}{board.rules.difference[1:]}. " * bool(board.rules.difference)
    joined = " Opposite edges are joined, and lines run on across them." if board.torus else ""
    if not board.rules.alternating:
        return f"{how_it_goes(board)} A line is {board.k} in a row, {ways}.{joined}"
    return f"{moves}The first player with {board.k} in a row, {ways}, {ends}.{joined}"


_WAYS = ("across", "down", "diagonally", "through the layers")


def _way(board: Board, line: Sequence[int]) -> str:
    """Return the direction of a line."""
    rows, columns, _ = shape_of(board)
    places = [(cell // (rows * columns), cell // columns % rows, cell % columns) for cell in line]
    layers, down, across = (len({place[side] for place in places}) for side in range(3))
    if layers > 1:
        return "through the layers"
    return "across" if down == 1 else "down" if across == 1 else "diagonally"


def _reserve(made: Menace) -> str:
    """Return the most beads that ten games can add."""
    rules, turns = made.cabinet.rules, len({box.turn for box in made.cabinet.boxes})
    most = max(rules.win, rules.draw, rules.loss) * turns * _GAMES
    return f", and up to {most:,} more for {_GAMES} games" if most > 0 else ""


def instructions(made: Menace) -> tuple[str, ...]:
    """Return the instructions for the boxes under the rules of this machine."""
    rules, rival = made.cabinet.rules, "O" if made.player == "X" else "X"
    boxes, beads = len(made.cabinet.boxes), sum(map(sum, made.cabinet.start))
    starts = "Its opponent plays X and moves first." if made.player == "O" else "It moves first."
    moved = alike_words(made.board)
    alike = (
        f"A bead stands for its cell and for all cells that look the same when the board is {moved}."
        if rules.symmetric == "once" and moved
        else "Every blank cell has a bead of its own."
    )
    found = f", {moved} if need be" if moved else ""
    forced = "" if rules.last_boxes else " With one blank cell left the machine plays there without a box."
    return (
        f"1. Stick the {boxes:,} labels on {boxes:,} boxes and fill each as it says: {beads:,} beads in all"
        f"{_reserve(made)}. {alike}",
        f"2. {goal_words(made.board)} The machine plays {made.player}, you play {rival}. {starts} At its turn find the "
        f"box whose board is the one on the table{found}.",
        "3. Shake the box and draw one bead without looking. The machine plays in the cell of that bead on the label. "
        f"Leave the box open with the bead in front of it.{forced}",
        f"4. After the game put the beads back: {_rewards(rules)}.",
        f"5. {_EMPTY[rules.empty]}",
        "6. Write down who won, game by game: the machine learns by nothing else.",
    )


_EMPTY = {
    "resign": "If the box is empty the machine resigns, and has lost the game.",
    "refill": "If a box is empty after that, fill it again as its label says.",
    "keep": "Never take the last bead of a box.",
}


def _rewards(rules: BeadRules) -> str:
    """Return the effect of a win, a draw and a loss on the drawn beads."""
    parts = []
    for words, number in (("won", rules.win), ("drew", rules.draw), ("lost", rules.loss)):
        if number == -1:
            what = "keep the drawn beads out"
        elif number < 0:
            what = f"keep the drawn beads out and take {-number - 1} more of each such colour, as far as there are any"
        elif number == 0:
            what = "put them back and add none"
        else:
            what = f"put each back into its box and add {number} more of its colour"
        parts.append(f"if the machine {words}, {what}")
    return "; ".join(parts)
