"""Pictures are valid XML, carry a title and the board in text, render, and come out the same each time."""

import pickle
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from noughts.drawing.board import draw_board
from noughts.drawing.cards import draw_tree, forest, measures
from noughts.drawing.chart import draw_chart
from noughts.drawing.layout import arrange
from noughts.drawing.questions import draw_questions, ways
from noughts.drawing.svg import DARK, LIGHT, THEMES, Svg, to_png
from noughts.drawing.tree import TreePicture
from noughts.rules.errors import FileError, InputError
from tests.drawing.samples import BOARDS, PLIES, SERIES, TREE, wide_tree

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"


def pictures() -> dict[str, Svg]:
    found = {f"board-{name}": draw_board(board) for name, board in BOARDS.items()}
    found |= {f"board-plain-{theme}": draw_board(BOARDS["plain"], theme) for theme in THEMES}
    found |= {"tree": draw_tree(TREE), "chart": draw_chart(PLIES, SERIES, "By ply", logarithmic=True)}
    return found


@pytest.mark.parametrize("name", list(pictures()))
def test_golden(name: str) -> None:
    """To renew the files after a wanted change: delete them, run the tests twice and look at the pictures."""
    path, picture = GOLDEN / f"{name}.svg", pictures()[name]
    if not path.exists():
        path.write_text(picture, encoding="utf-8")
        pytest.fail(f"wrote {path.name}: look at it and run again")
    assert picture == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", list(pictures()))
def test_valid_named_and_rendered(name: str) -> None:
    picture = pictures()[name]
    root = ET.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title")
    assert root.findtext(f"{SVG}desc")
    assert "<text" not in picture, "a bare machine has no fonts"
    png = to_png(picture, 2.0)
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    size = [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)]
    assert size == [pytest.approx(2 * picture.width, abs=2), pytest.approx(2 * picture.height, abs=2)]


@pytest.mark.parametrize("name", list(BOARDS))
def test_description_is_the_board(name: str) -> None:
    board = BOARDS[name]
    text = ET.fromstring(draw_board(board)).findtext(f"{SVG}desc") or ""
    rows, columns, layers = board.shape
    assert len(text.splitlines()) == rows
    grids = [row.split("   ") for row in text.splitlines()]
    marks = "".join(grids[r][layer].replace(" ", "") for layer in range(layers) for r in range(rows))
    assert marks == board.marks
    assert all(len(part.split()) == columns for row in grids for part in row)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_contrast(colours: dict[str, str]) -> None:
    """WCAG 2.2: 4.5 for text, 3 for graphics, on every ground they stand on; so it reads in grey, too."""

    def contrast(a: str, b: str) -> float:
        high, low = sorted((luminance(colours[a]), luminance(colours[b])), reverse=True)
        return (high + 0.05) / (low + 0.05)

    for ground in ("paper", "x-tint", "o-tint", "draw-tint", "fork-tint"):
        assert contrast("ink", ground) >= 4.5
        for mark in ("x", "o"):
            assert contrast(mark, ground) >= 3
    assert contrast("soft", "paper") >= 4.5
    assert contrast("second", "paper") >= 4.5
    assert contrast("ink", "mark-line") >= 3
    assert LIGHT.keys() == DARK.keys()


def test_outcomes_differ_without_colour() -> None:
    picture = re.sub(r"#[0-9a-f]{6}", "#000000", draw_tree(TREE))
    cards = [group for group in picture.split("<g>")[1:] if "<rect" in group]
    frames = {}
    for card in cards:
        title = re.search(r"<title>.*?: (.*?)</title>", card)
        assert title
        frame = re.search(r"<rect [^>]*?height=\"[\d.]+\"([^>]*)/>", card)
        assert frame
        frames[title[1]] = re.sub(r"\d+\.\d+", "n", frame[1])
    assert len({frames["X wins"], frames["O wins"], frames["draw"], frames["1/3"]}) == 4


def _overlaps(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@pytest.mark.parametrize("tree", [TREE, wide_tree(4, 3), wide_tree(9, 7)], ids=["small", "wide", "wider"])
@pytest.mark.parametrize("stack", [1, 2, 5])
def test_nothing_overlaps(tree: TreePicture, stack: int) -> None:
    size = measures(tree)
    woods = forest(tree, size)
    placed = arrange(woods, size, stack)
    assert placed.corners.keys() == {node.id for node in tree.nodes}
    boxes = {n: (x, y, x + size.card_width, y + size.card_height) for n, (x, y) in placed.corners.items()}
    for node, (width, height) in woods.words.items():
        x0, _, x1, y1 = boxes[node]
        boxes[-node - 1] = ((x0 + x1) / 2, y1 + 0.1, (x0 + x1) / 2 + width, y1 + height)
    names = sorted(boxes)
    for i, a in enumerate(names):
        assert boxes[a][0] >= 0
        assert boxes[a][2] <= placed.width + 1e-6
        assert boxes[a][3] <= placed.height + 60
        assert not [b for b in names[i + 1 :] if _overlaps(boxes[a], boxes[b])]
    for bar in placed.bars:
        (x0, y0), (x1, y1) = bar
        across, down = 0.1 * (x0 != x1), 0.1 * (y0 != y1)  # a link ends at a card
        strip = min(x0, x1) + across, min(y0, y1) + down, max(x0, x1) - across, max(y0, y1) - down
        crossed = [n for n in names if n >= 0 and _overlaps(boxes[n], strip)]
        assert not crossed, "a link runs across a card"


def test_a_tree_of_questions_has_every_number_and_one_way_lit() -> None:
    numbers: dict[tuple[str, ...], int | None] = {way: 1000 + i for i, way in enumerate(ways())}
    numbers[ways()[5]], numbers[ways()[6]] = None, 10**40
    dark = draw_questions(numbers, "How many?")
    for lit in ways():
        picture = draw_questions(numbers, "How many?", "There are some.", lit)
        assert picture.count('stroke-width="3"') == len(lit) + 1
        assert "There are some." in picture
        assert picture != dark
    assert 'stroke-width="3"' not in dark
    assert "win moves, end line, choices: not counted; win moves, end decided, labelled: 10" + ",000" * 13 in dark
    assert all(f"{number:,} games" in dark for number in numbers.values() if number is not None)


def test_saving(tmp_path: Path) -> None:
    picture = draw_board(BOARDS["plain"])
    assert picture.save(tmp_path / "b.svg").read_text(encoding="utf-8") == picture
    assert picture.save(tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")
    assert picture.save(tmp_path / "b.pdf").read_bytes().startswith(b"%PDF")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["b.pdf", "b.png", "b.svg"]
    assert picture._repr_svg_() == str(picture)
    copy = pickle.loads(pickle.dumps(picture))
    assert (copy, copy.width, copy.height) == (picture, picture.width, picture.height)
    with pytest.raises(InputError, match=r"end the name in \.svg, \.png or \.pdf"):
        picture.save(tmp_path / "b.gif")
    with pytest.raises(FileError, match=r"the folder .* does not exist"):
        picture.save(tmp_path / "nowhere" / "b.svg")
