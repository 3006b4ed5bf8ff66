"""Pages to print: as large as the paper, nothing cut off, large type, legible in grey, answers apart."""

from __future__ import annotations

import re

import pytest

import noughts
from noughts.drawing.board import position_text
from noughts.drawing.figures import marks_of
from noughts.drawing.paper import MM
from noughts.drawing.svg import Canvas, Svg, paper_size, to_pdf
from noughts.verbs.sheet import PRINTED, printout_of
from noughts.worksheets.sheet import KINDS
from tests.dear import dear
from tests.drawing.test_drawing import luminance

LARGE = 3.5
"""Millimetres of a capital in 14 point."""
SCALED = re.compile(r'transform="translate\((\S+) (\S+)\) scale\(([0-9.]+)\)"')
POINT = re.compile(r"[ML](-?[0-9.]+) (-?[0-9.]+)")
RECTANGLE = re.compile(r'<rect x="(-?[0-9.]+)" y="(-?[0-9.]+)" width="([0-9.]+)" height="([0-9.]+)"')
TEXT = re.compile(r'<path d="([^"]+)" transform="translate\((\S+) (\S+)\) scale\(([0-9.]+)\)"')


def extent(page: Svg) -> tuple[float, float, float, float]:
    """Return left, top, right, bottom of all that is drawn but the ground."""
    xs, ys = [], []
    plain = TEXT.sub("", page)
    for x, y in POINT.findall(plain):
        xs.append(float(x))
        ys.append(float(y))
    for left, top, width, height in RECTANGLE.findall(page):
        xs += [float(left), float(left) + float(width)]
        ys += [float(top), float(top) + float(height)]
    for path, left, top, scale in TEXT.findall(page):
        for x, y in re.findall(r"[ML](-?[0-9.]+) (-?[0-9.]+)", path):
            xs.append(float(left) + float(x) * float(scale))
            ys.append(float(top) + float(y) * float(scale))
    return min(xs), min(ys), max(xs), max(ys)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"blank", "flash-cards", "tree", "blindfold"}))
def test_the_answers_show_the_boards(kind):
    """Those of the questions, or with the solution on them."""
    sheet = noughts.sheet("3x3", kind, seed=1)
    pages = printout_of("3x3", kind, seed=1).pages("a4")
    key = "".join(page for page in pages if "nswers</title>" in page)
    for each in sheet.exercises:
        for at in [each.solved] if each.solved else each.boards:
            assert f"<title>{position_text((3, 3, 1), marks_of(at))}</title>" in key


CASES = [("3x3", kind) for kind in PRINTED] + [
    ("3x3x3", "win"),
    ("3x3x3", "same"),
    ("3x3x3", "tree"),
    ("3x3x3", "flash-cards"),
    ("4x4x4", "blank"),
    ("3x3+torus", "blank"),
    ("3x12:3", "possible"),
    ("8x8", "blank"),
    ("1x5:3", "count"),
    ("2x2", "poster-classes"),
    ("12x5:4", "possible"),
    ("16x4:4", "blank"),
    ("12x5:4", "tree"),
]


@pytest.mark.parametrize(("board", "kind"), dear(CASES, ("3x3", "labels"), ("3x3", "poster-tree")))
def test_nothing_is_cut_off(board, kind):
    made = printout_of(board, kind)
    for page in [page for paper in ("a4", "letter") for page in made.pages(paper)]:
        left, top, right, bottom = extent(page)
        assert -1 <= left <= right <= page.width + 1
        assert -1 <= top <= bottom <= page.height + 1


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_pages_are_as_large_as_the_paper_within_its_margins(kind, paper):
    wide, high = paper_size(paper, landscape=False)
    for page in printout_of("3x3", kind).pages(paper):
        assert abs(page.width / MM - (wide - 20)) < 0.3
        assert abs(page.height / MM - (high - 20)) < 0.6


@pytest.mark.parametrize(("paper", "size"), dear([("a4", (210, 297)), ("letter", (215.9, 279.4))]))
def test_a_pdf_has_pages_of_the_paper(paper, size):
    pages = printout_of("3x3", "count").pages(paper)
    pdf = to_pdf(pages, paper)
    boxes = re.findall(rb"/MediaBox ?\[0 0 ([0-9.]+) ([0-9.]+)\]", pdf)
    assert len(boxes) == len(pages) == 2
    for width, height in boxes:
        assert [round(float(side) * 25.4 / 72, 1) for side in (width, height)] == list(size)


@pytest.mark.parametrize("kind", ["win", "same", "count", "possible", "who-wins", "tree", "flash-cards"])
def test_exercises_are_in_large_type(kind):
    page = printout_of("3x3", kind).pages("a4")[0]
    outside = re.sub(r"<g>.*?</g>", "", page, flags=re.DOTALL)
    sizes = [float(scale) * 10 / MM for _, _, scale in SCALED.findall(outside)]
    small = [size for size in sizes if size < LARGE]
    assert len(sizes) > 10 or kind in ("tree", "win")
    assert len(small) <= 2  # the line at the foot


@pytest.mark.parametrize("kind", sorted(set(KINDS) | {"poster-endings"}))
def test_all_that_matters_is_dark_on_white_in_grey(kind):
    for page in printout_of("3x3", kind).pages("a4"):
        for colour in set(re.findall(r'stroke="(#\w+)"', page)) - {"#9a9a9a", "#f3dc3f"}:
            assert 1.05 / (luminance(colour) + 0.05) >= 4.5
        assert set(re.findall(r'fill="(#\w+)"', page)) <= {"#ffffff", "#1a1a1a", "#dcedf8", "#fbe3d3", "#eeeeee"}


def test_answers_stand_on_pages_of_their_own_and_questions_give_nothing_away():
    sheet = noughts.sheet("3x3", "win", seed=5)
    questions, key = printout_of("3x3", "win", seed=5).pages("a4")
    assert "Name" not in key
    for number, each in enumerate(sheet.exercises, 1):
        assert f"{number}. {each.answer}" in key
        assert each.answer not in questions
        assert str(each.solved) in key
        assert str(each.solved) not in questions
    assert "f3dc3f" not in questions
    lined = noughts.sheet("3x3", "possible", 12, seed=1)
    assert any(each.boards[0].completed_lines("X") for each in lined.exercises)
    pages = printout_of("3x3", "possible", 12, 1).pages("a4")
    assert not any("f3dc3f" in page for page in pages)


def test_trees_to_finish_show_the_root_alone_and_the_key_all_of_it():
    sheet = noughts.sheet("3x3", "tree", 1, seed=5)
    questions, key = printout_of("3x3", "tree", 1, 5).pages("a4")
    boards = [str(knot.position) for knot in sheet.exercises[0].tree]
    assert all(f"<title>{board}</title>" in key for board in boards)
    shown = re.findall(r"<g><title>(.*?)</title>", questions)
    assert sorted(shown) == sorted([boards[0], *[".../.../..."] * (len(boards) - 1)])


@pytest.mark.parametrize(
    ("board", "kind", "total", "parts"),
    [
        ("3x3", "poster-classes", 765, [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]),
        ("3x3", "poster-endings", 138, [91, 44, 3]),
        ("3x3+misere", "poster-endings", 138, [44, 91, 3]),
        ("3x3:4", "poster-endings", 23, [23]),
    ],
)
def test_posters_hold_all_boards_once(board, kind, total, parts):
    made = printout_of(board, kind)
    record = made.record()
    assert isinstance(record, dict)
    assert record["total"] == str(total)
    assert [len(section["positions"]) for section in record["sections"]] == parts
    [page] = made.pages("a4")
    boards = re.findall(r"[XO.]{3}/[XO.]{3}/[XO.]{3}", page.partition("<desc>")[2].partition("</desc>")[0])
    assert sorted(boards) == sorted(board for section in record["sections"] for board in section["positions"])


@pytest.mark.parametrize(
    ("kind", "number", "seed", "paper", "foot"),
    [
        ("win", None, None, "letter", "--kind win --seed 0 --paper letter -o sheet.pdf"),
        ("win", 2, "b c", "a4", "--kind win --number 2 --seed 'b c' -o sheet.pdf"),
        ("same", None, 3, "letter", "--kind same --seed 3 --paper letter -o sheet.pdf"),
        ("flash-cards", 4, None, "letter", "--kind flash-cards --number 4 --seed 0 --paper letter -o sheet.pdf"),
        ("blank", None, None, "letter", "--kind blank --paper letter -o sheet.pdf"),
    ],
)
def test_the_foot_is_the_command_that_makes_the_sheet_again(kind, number, seed, paper, foot, monkeypatch):
    feet = set()
    text = Canvas.text

    def kept(self, x, y, words, *given, **named):
        if words.startswith("noughts "):
            feet.add(words.split(", sheet ")[0])
        text(self, x, y, words, *given, **named)

    monkeypatch.setattr(Canvas, "text", kept)
    printout_of("3x3", kind, number, seed).pages(paper)
    assert feet == {f"noughts sheet 3x3:3 {foot}"}


@pytest.mark.parametrize("kind", ["win", "same", "count", "blank"])
def test_the_pages_of_pupils_do_not_give_the_command_that_prints_the_answers(kind, monkeypatch):
    feet, text = [], Canvas.text

    def kept(self, x, y, words, *given, **named):
        feet.append(words)
        text(self, x, y, words, *given, **named)

    monkeypatch.setattr(Canvas, "text", kept)
    printout_of("3x3", kind, 4, 1).pages("a4")
    commands = [n for n, words in enumerate(feet) if words.startswith("noughts sheet")]
    answers = [n for n, words in enumerate(feet) if words.lower().endswith("answers")]
    assert commands
    assert (kind == "blank") == (not answers)
    assert kind == "blank" or min(commands) > min(answers)
