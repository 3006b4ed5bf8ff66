"""A machine of matchboxes: how many boxes and beads, what it was taught, and what it is worth, exactly."""

from __future__ import annotations

from fractions import Fraction

from noughts.bots.menace.course import GameChances
from noughts.bots.menace.lessons import Mark
from noughts.bots.menace.machine import Menace
from noughts.domain.decimals import decimal
from noughts.domain.errors import InputError
from noughts.drawing.curves import Curve, draw_curves
from noughts.drawing.svg import Svg
from noughts.reports.forms import Forms, chart_forms, report_forms, table_forms
from noughts.reports.page import Block, How, Look, Paragraph, Report, try_next
from noughts.reports.tables import Table

__all__ = ["curve", "forms", "headline", "readings_said", "report", "resigns", "stages", "taught"]

_ROWS = 10
"""Marks that are shown besides the first."""


def forms(made: Menace, look: Look) -> Forms:
    """Return a machine in every form; pictures are the curve of its exact chances, the other tables its marks."""
    return {
        **report_forms(lambda: report(made), made.as_dict, look),
        **table_forms(lambda _: [_marks_table(made)], lambda: headline(made)),
        **chart_forms(lambda: curve(made, look.theme), look=look),
    }


def report(made: Menace) -> Report:
    """Return what there is to say about a machine."""
    return Report.of(
        [headline(made), *taught(made), *_remedy(made)],
        [stages(made)] if made.cabinet.boxes else [],
        readings_said(made),
        _course_said(made),
        _expected_said(made),
        [How(_how(made)), try_next(*_next(made))],
    )


def headline(made: Menace) -> str:
    """Return how many boxes and beads there are, and for which positions."""
    boxes, player = made.cabinet.boxes, made.player
    if not boxes:
        return f"{made.board}, MENACE as {player}: no boxes, for {player} never has a choice there."
    beads = sum(map(sum, made.cabinet.start))
    least = "" if made.cabinet.rules.last_boxes else " and more than one blank cell"
    return (
        f"{made.board}, MENACE as {player}: {_many(len(boxes), 'box', 'boxes')} and {_many(beads, 'bead')} to begin "
        f"with, a box for each unfinished position with {player} to move{least}, boards alike once."
    )


def taught(made: Menace) -> list[str]:
    """Return what it is worth now: against its opponent, before and after the games; over all runs if several."""
    first, last = made.lessons[0].marks[0], made.lessons[0].last
    rival = "a machine that learns as well" if made.rival is None else made.against
    if not last.games:
        return [f"Against {rival} it {_chances(first.chances, made)}: the chances of the next game, exact."]
    if len(made.lessons) == 1:
        same = first.chances == last.chances
        them, those = ("it", "that game") if last.games == 1 else ("them", "those games")
        before = f", as before {them}" if same else f"; before {them} it {_chances(first.chances, made)}"
        return [
            f"After {_games(last.games)} against {rival} it {_chances(last.chances, made)}{before}. In {those} "
            f"it won {last.wins:,}, drew {last.draws:,} and lost {last.losses:,}.{_empty(made)}"
        ]
    values = [lesson.last.chances.value(made.player) for lesson in made.lessons]
    mean = sum(values, Fraction(0)) / len(values)
    return [
        f"After {_games(last.games)} against {rival}, {len(values):,} runs of them, its value (chance to win less "
        f"chance to lose) is {_about(mean)} on average, from {_about(min(values))} to {_about(max(values))}; before "
        f"them it is {_about(first.chances.value(made.player))}."
    ]


def _remedy(made: Menace) -> list[str]:
    """Return what to ask for instead of a machine that resigns every game."""
    if len(made.lessons) > 1 or not made.lessons[0].last.games or not resigns(made):
        return []
    return ["Try --empty refill, or more beads to begin with (--beads)."]


def _empty(made: Menace) -> str:
    """Return what is to be said of empty boxes, if there are any."""
    empty = made.lessons[0].last.empty
    if not empty:
        return ""
    if resigns(made):
        return " Its first box is empty: it resigns every game."
    return f" {_many(empty, 'box is', 'boxes are')} empty, and there it resigns."


def resigns(made: Menace) -> bool:
    """Tell whether its first box is empty after the lesson."""
    return made.player == "X" and bool(made.beads) and not any(made.beads[0])


def stages(made: Menace) -> Table:
    """Return the boxes and beads by turn."""
    rows = []
    boxes = made.cabinet.boxes
    for turn in sorted({box.turn for box in boxes}):
        here = [box for box in boxes if box.turn == turn]
        held = sum(len(box.cells) for box in here)
        ply = here[0].position.ply
        rows.append([str(turn), str(ply), f"{len(here):,}", f"{here[0].beads:,}", f"{held * here[0].beads:,}"])
    return Table(["turn", "ply", "boxes", "beads of each colour", "beads"], rows, narrower=((0, 2, 4),))


def readings_said(made: Menace) -> list[Block | str]:
    """Return the counts of boxes under other readings, and what is known of that in print."""
    if not made.cabinet.boxes:
        return []
    said: list[Block | str] = [Paragraph("Other readings give other numbers of boxes:")]
    width = max(len(f"{each.boxes:,}") for each in made.readings)
    for each in made.readings:
        said.append(Paragraph(f"{each.boxes:,}".rjust(width) + f"  {each.rule}", hang=" " * (width + 4), indent="  "))
    counts = [each.boxes for each in made.readings]
    if made.board.spec == "3x3:3" and made.player == "X":
        said.append(
            f"D. Michie wrote of {counts[1]} boxes in 1961 and printed no list; the rule he states gives {counts[0]}, "
            f"and leaving out the {counts[0] - counts[1]} in which O wins next whatever X plays gives his number too. "
            "Whether that is what he did is not known."
        )
    return said


def _course_said(made: Menace) -> list[Block | str]:
    """Return the marks of a lesson, or the spread over several, at a few numbers of games."""
    marks = made.lessons[0].marks
    if len(marks) < 2:
        return []
    chosen = _few(range(len(marks)))
    if len(made.lessons) == 1:
        rows = [_mark_row(marks[place], made) for place in chosen]
        table = Table(["games", "value", "wins", "draws", "loses", "beads"], rows, narrower=((0, 1, 2, 3, 4), (0, 1)))
        return [table, "Chances of the next game after so many, exact and here rounded; value is win less loss."]
    rows = []
    for place in chosen:
        values = [lesson.marks[place].chances.value(made.player) for lesson in made.lessons]
        mean = sum(values, Fraction(0)) / len(values)
        rows.append([f"{marks[place].games:,}", *(decimal(each, 4) for each in (mean, min(values), max(values)))])
    return [Table(["games", "mean value", "lowest", "highest"], rows)]


def _few(places: range) -> list[int]:
    """Return about ten places, the first and the last among them."""
    step = -(-(len(places) - 1) // _ROWS)
    return [*range(0, len(places) - 1, max(step, 1)), len(places) - 1]


def _mark_row(mark: Mark, made: Menace) -> list[str]:
    value = decimal(mark.chances.value(made.player), 4)
    return [f"{mark.games:,}", value, *(decimal(c, 4) for c in mark.chances.of(made.player)), f"{mark.beads:,}"]


def _expected_said(made: Menace) -> list[Block | str]:
    """Return the averages over all that may be drawn, where they were asked for."""
    if not made.expected:
        return []
    rows = [
        [str(each.games), decimal(each.chances.value(made.player), 6), f"{each.fillings:,}"] for each in made.expected
    ]
    return [
        "Expected of the next game after so many, over every game that may be drawn:",
        Table(["games", "value", "fillings of the boxes"], rows),
    ]


def _how(made: Menace) -> str:
    known = "the chances by one backward pass over all play, in whole numbers; versus gives the same"
    if made.lessons[0].last.games:
        return f"games drawn from seed {made.lessons[0].seed}; {known}."
    return f"every position class listed; {known}."


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
        *([f"noughts menace {board}{side} --labels labels.pdf"] if made.cabinet.boxes else []),
    ]


def _marks_table(made: Menace) -> Table:
    """Return every mark of every lesson, exactly."""
    rows = [
        [str(lesson.seed), str(mark.games), *map(str, mark.chances.of(made.player)),
         str(mark.wins), str(mark.draws), str(mark.losses), str(mark.beads), str(mark.empty)]
        for lesson in made.lessons
        for mark in lesson.marks
    ]  # fmt: skip
    headings = ["seed", "games", "win", "draw", "loss", "won", "drawn", "lost", "beads", "empty_boxes"]
    return Table(headings, rows, frozenset({2, 3, 4}))


def curve(made: Menace, theme: str = "light") -> Svg:
    """Return the exact chances over the games: of one lesson, or the mean value of several with its spread.

    Raises InputError where no games were played.
    """
    if not made.lessons[0].last.games:
        raise InputError("a curve is drawn over games: add --games 200")
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
    """Return the chances of one game in words: those that are 0 or 1 without a number."""
    parts = dict(zip(("wins", "draws", "loses"), chances.of(made.player), strict=True))
    sure = next((word for word, chance in parts.items() if chance == 1), None)
    if sure is not None:
        return f"always {sure}"
    said = [f"{word} with probability {_about(chance)}" for word, chance in parts.items() if chance]
    said[1:] = [each.replace("probability ", "") for each in said[1:]]
    said += [f"never {word}" for word, chance in parts.items() if not chance]
    return f"{', '.join(said[:-1])} and {said[-1]}"


def _about(value: Fraction) -> str:
    """Return a fraction where it is short, else about what it is."""
    return str(value) if len(str(value)) < 16 else f"about {decimal(value, 6)}"


def _games(count: int) -> str:
    return _many(count, "game")


def _many(count: int, one: str, more: str = "") -> str:
    return f"{count:,} {one if count == 1 else more or one + 's'}"
