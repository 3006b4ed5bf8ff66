"""Sheets of boards: the title stays on the page, and few boards fill theirs."""

from __future__ import annotations

import pytest

from noughts.drawing.board import Frame, draw_small_names
from noughts.drawing.glyphs import text_width
from noughts.drawing.sheet import SheetBoard, SheetSection, draw_sheet, sheet_pages
from noughts.drawing.svg import Canvas

TITLE = (
    "3x3:3: 958 of 5,478 positions (the game is over; play reaches them): 626 won by X, 316 won by O, 16 drawn. "
    "Cells are distinguishable."
)


def boards(number: int) -> list[SheetSection]:
    return [SheetSection("Ply 5: some", [SheetBoard("XOXOXOXOX", ["a caption"])] * number)]


@pytest.mark.parametrize("number", [3, 400])
def test_no_line_of_the_title_runs_off_the_page(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    drawn: list[tuple[float, str]] = []
    genuine = Canvas.text

    def noted(canvas, x, y, text, size, **how):
        if size == 9:
            drawn.append((x + text_width(text, size), text))
        return genuine(canvas, x, y, text, size, **how)

    monkeypatch.setattr(Canvas, "text", noted)
    pages = sheet_pages((3, 3, 1), boards(number), TITLE)
    assert max(right for right, _ in drawn) <= min(page.width for page in pages) - 20
    said = " ".join(text for _, text in drawn)
    assert said.startswith(TITLE)
    assert (f"Page {len(pages)} of {len(pages)}." in said) == (len(pages) > 1)


def test_a_sheet_is_as_large_as_what_is_on_it() -> None:
    few, many = (draw_sheet((3, 3, 1), boards(number), TITLE) for number in (3, 400))
    assert few.width <= 400 < 900 <= many.width
    (page,) = sheet_pages((3, 3, 1), boards(3), TITLE)
    assert page.width * page.height < 400 * 300


@pytest.mark.parametrize("rows", [3, 12])
def test_names_of_cells_stand_clear_of_the_edge_of_their_board(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    drawn: list[tuple[float, float, str, float]] = []
    monkeypatch.setattr(Canvas, "text", lambda self, x, y, text, size, **_: drawn.append((x, y, text, size)))
    frame = Frame((rows, 17, 1), 100.0, 100.0, 40.0, 0.0)
    draw_small_names(Canvas("light"), frame, [])
    edge = 40.0 / 40 * 1.5 / 2
    letters = [each for each in drawn if each[2].isalpha()]
    assert len(letters) == 17
    assert all(y + 0.32 * size + edge < frame.y for _, y, _, size in letters), "tails of g, j, p and q included"
    numbers = [each for each in drawn if each[2].isdigit()]
    assert len(numbers) == rows
    assert all(x + 0.3 * size + edge < frame.x for x, _, _, size in numbers)
