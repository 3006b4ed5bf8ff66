"""Colours by role, in a light and a dark set.

The hues are those of Okabe and Ito, which people with any common form of colour blindness can distinguish. Colour is
never the only sign of a role. Players differ by mark, outcomes by the shape of the frame and a word, links by dashes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from math import ceil
from pathlib import Path
from typing import Self

from noughts.drawing.glyphs import CAP_HEIGHT, PEN, number, text_path, text_width
from noughts.machine.files import temporary_folder, write_file
from noughts.machine.packages import package
from noughts.rules.arguments import path_of, text_of
from noughts.rules.errors import InputError, shown
from noughts.rules.values import Frozen, FrozenDict

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1a1a1a",
    "soft": "#595959",
    "faint": "#9a9a9a",
    "x": "#0072b2",
    "o": "#c44e00",
    "x-tint": "#dcedf8",
    "o-tint": "#fbe3d3",
    "draw-tint": "#eeeeee",
    "fork-tint": "#fbc4dc",
    "mark-line": "#f3dc3f",
    "second": "#b3003c",
    "series-1": "#0072b2",
    "series-2": "#e69f00",
    "series-3": "#009e73",
    "series-4": "#7a5195",
}
DARK = {
    "paper": "#14171a",
    "ink": "#f2f2f2",
    "soft": "#b8bec4",
    "faint": "#78818a",
    "x": "#6cc0f2",
    "o": "#ff9d5c",
    "x-tint": "#12344a",
    "o-tint": "#47291a",
    "draw-tint": "#2b2f33",
    "fork-tint": "#5c1f3c",
    "mark-line": "#7a6a00",
    "second": "#ff7a9c",
    "series-1": "#6cc0f2",
    "series-2": "#f2bc4b",
    "series-3": "#3cc9a0",
    "series-4": "#c3a0dd",
}
THEMES = ("light", "dark", "auto")


class Theme:
    """Turns the roles of strokes and fills into SVG attributes.

    `light` and `dark` are fixed. `auto` is light with a style sheet that follows the reader's preference for dark; a
    program that ignores style sheets shows the light one.
    """

    def __init__(self, name: str = "light") -> None:
        if text_of("the theme", name) not in THEMES:
            raise InputError(f"unknown theme {shown(name)}: choose {', '.join(THEMES)}")
        self.name = name
        self._colours = DARK if name == "dark" else LIGHT

    def paint(self, stroke: str | None = None, fill: str | None = None) -> dict[str, str]:
        """Attributes of a shape: the role of its outline and of its inside, None for neither."""
        attributes = {"fill": self._colours[fill] if fill else "none"}
        if stroke:
            attributes["stroke"] = self._colours[stroke]
        if self.name == "auto":
            names = [f"n-s-{stroke}"] * bool(stroke) + [f"n-f-{fill}"] * bool(fill)
            if names:
                attributes["class"] = " ".join(names)
        return attributes

    def style(self) -> str:
        """The style sheet of the picture: empty unless the theme is `auto`."""
        if self.name != "auto":
            return ""
        rules = "".join(f".n-s-{role}{{stroke:{colour}}}.n-f-{role}{{fill:{colour}}}" for role, colour in DARK.items())
        return f"<style>@media (prefers-color-scheme:dark){{{rules}}}</style>"


# Pictures on disk: SVG as it is, PNG through resvg, PDF through typst.

PAPERS = {
    "a2": (420.0, 594.0),
    "a3": (297.0, 420.0),
    "a4": (210.0, 297.0),
    "a6": (105.0, 148.0),
    "letter": (215.9, 279.4),
}
"""Short and long side in millimetres."""
_MARGINS = {"a6": 5.0}
_MARGIN = 10.0
"""Millimetres left free at each edge: of the papers that are named, and of the others."""
_MAKERS = {"png": ("resvg_py", "PNG"), "pdf": ("typst", "PDF")}
_PIXELS = 4_000_000


def require_maker(form: str) -> None:
    """Raise InputError where what makes pictures of this form, png or pdf, is not installed."""
    package(*_MAKERS[form], "ask for svg")


def to_png(picture: Svg, zoom: float = 2.0) -> bytes:
    """The picture as PNG, `zoom` pixels to the picture unit, fewer where it would have over 4 million pixels.

    Raises InputError when resvg-py is not installed.
    """
    svg_to_bytes = package(*_MAKERS["png"], "ask for svg").svg_to_bytes
    zoom = min(zoom, (_PIXELS / (picture.width * picture.height)) ** 0.5)
    return bytes(svg_to_bytes(svg_string=str(picture), zoom=zoom, skip_system_fonts=True))


def to_pdf(pages: Sequence[Svg], paper: str | None = None) -> bytes:
    """The pictures as the pages of one PDF.

    Without `paper` each page is as large as its picture (one picture unit is a CSS pixel, 1/96 inch); with the name of
    a paper each is turned to the side it fits best and scaled to the page. Raises InputError when typst is not
    installed.
    """
    typst = package(*_MAKERS["pdf"], "ask for svg")
    with temporary_folder() as folder:
        for i, page in enumerate(pages):
            write_file(folder / f"{i}.svg", str(page).encode())
        source = folder / "pages.typ"
        write_file(source, "\n".join(_typst_page(i, page, paper) for i, page in enumerate(pages)).encode())
        made = datetime(2000, 1, 1, tzinfo=UTC)
        return bytes(typst.compile(str(source), format="pdf", ignore_system_fonts=True, timestamp=made))


def paper_size(paper: str, landscape: bool) -> tuple[float, float]:
    """Width and height of a paper in millimetres. Raises InputError for a paper that is not in PAPERS."""
    if paper not in PAPERS:
        raise InputError(f"unknown paper {paper!r}: choose {' or '.join(PAPERS)}")
    short, long = PAPERS[paper]
    return (long, short) if landscape else (short, long)


def paper_margin(paper: str) -> float:
    """Return how many millimetres are left free at each edge of a paper."""
    return _MARGINS.get(paper, _MARGIN)


def printed_scale(picture: Svg, paper: str) -> float:
    """Millimetres on paper for one picture unit, when the picture fills the page inside its margins."""
    width, height = paper_size(paper, picture.width > picture.height)
    margin = paper_margin(paper)
    return min((width - 2 * margin) / picture.width, (height - 2 * margin) / picture.height)


def _typst_page(index: int, picture: Svg, paper: str | None) -> str:
    if paper is None:
        width, height, margin = picture.width * 25.4 / 96, picture.height * 25.4 / 96, 0.0
        drawn = width
    else:
        width, height = paper_size(paper, picture.width > picture.height)
        margin, drawn = paper_margin(paper), printed_scale(picture, paper) * picture.width
    return (
        f"#set page(width: {width:.3f}mm, height: {height:.3f}mm, margin: {margin:.1f}mm)\n"
        f'#align(center + horizon, image("{index}.svg", width: {drawn - 0.01:.3f}mm))\n'
    )


# Pictures as strings: `Svg`, and the `Canvas` that writes one.
#
# The same calls give the same bytes: coordinates have at most two decimals, attributes keep the order they are given
# in, and nothing depends on the machine, the time or the fonts.

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML may hold, however they are written."""

Points = Sequence[tuple[float, float]]
Attributes = Mapping[str, str | float]
_ROUND = FrozenDict({"stroke-linecap": "round", "stroke-linejoin": "round"})


def _text(given: str, *, quote: bool = False) -> str:
    """Return a text for XML: marked up, and with a question mark for what XML cannot hold."""
    return escape(_NO_XML.sub("?", given), quote=quote)


class Svg(Frozen, str):
    """An SVG picture: a string that shows itself in a notebook and can be saved.

    `width` and `height` are in picture units, which are CSS pixels on a screen.
    """

    __slots__ = ("height", "width")
    width: float
    height: float

    def __new__(cls, text: str, width: float, height: float) -> Self:
        """Make a picture from finished SVG text and its size."""
        picture = super().__new__(cls, text)
        object.__setattr__(picture, "width", width)
        object.__setattr__(picture, "height", height)
        return picture

    def __repr__(self) -> str:
        return f"<Svg of {self.width:g} by {self.height:g}, {len(self):,} characters>"

    def __reduce__(self) -> tuple[type[Svg], tuple[str, float, float]]:
        return type(self), (str(self), self.width, self.height)

    def as_dict(self) -> dict[str, object]:
        """Return the picture and its size for JSON."""
        return {"width": self.width, "height": self.height, "svg": str(self)}

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: str | Path) -> Path:
        """Write the picture as .svg, .png or .pdf, by the ending of the file name, and return the path.

        Raises InputError for another ending, and FileError.
        """
        path = path_of("the file", path)
        made = {".svg": lambda: str(self).encode(), ".png": lambda: to_png(self), ".pdf": lambda: to_pdf([self])}
        if path.suffix.lower() not in made:
            raise InputError(f"cannot tell the kind of picture from {str(path)!r}: end the name in .svg, .png or .pdf")
        return write_file(path, made[path.suffix.lower()]())


class Canvas:
    """Collects shapes and wraps them up as one `Svg` with a title and a description."""

    def __init__(self, theme: str = "light") -> None:
        self.theme = Theme(theme)
        self.parts: list[str] = []
        """The finished elements, in the order in which they are drawn."""

    def add(self, name: str, attributes: Attributes, content: str = "") -> None:
        """Add one element; numbers are printed with two decimals at most."""
        self.parts.append(element(name, attributes, content))

    def line(self, points: Points, stroke: str, width: float, dash: str = "", closed: bool = False) -> None:
        """A line through the points."""
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")
        self.path(path, stroke=stroke, width=width, dash=dash)

    def path(
        self, d: str, stroke: str | None = None, fill: str | None = None, width: float = 1.0, dash: str = ""
    ) -> None:
        """A path in SVG's own notation, with round ends."""
        self._shape("path", {"d": d}, stroke, fill, width, dash, _ROUND if stroke else None)

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        stroke: str | None = None,
        fill: str | None = None,
        pen: float = 1.0,
        radius: float = 0.0,
        dash: str = "",
    ) -> None:
        """A rectangle, its corners rounded by `radius`."""
        round_ = {"rx": radius} if radius else {}
        self._shape("rect", {"x": x, "y": y, "width": width, "height": height, **round_}, stroke, fill, pen, dash)

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        *,
        stroke: str | None = None,
        fill: str | None = None,
        pen: float = 1.0,
        dash: str = "",
    ) -> None:
        """A circle."""
        self._shape("circle", {"cx": x, "cy": y, "r": radius}, stroke, fill, pen, dash)

    def _shape(
        self,
        name: str,
        place: Attributes,
        stroke: str | None,
        fill: str | None,
        pen: float,
        dash: str,
        ends: Attributes | None = None,
    ) -> None:
        pens: dict[str, str | float] = {"stroke-width": pen} if stroke else {}
        dashes = {"stroke-dasharray": dash} if dash else {}
        self.add(name, {**place, **self.theme.paint(stroke, fill), **pens, **(ends or {}), **dashes})

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        role: str = "ink",
        anchor: str = "middle",
        bold: bool = False,
    ) -> None:
        """A text whose capitals are `size` high and stand on the line y; x is its start, middle or end."""
        if not text:
            return
        width, scale = text_width(text, size), size / CAP_HEIGHT
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        place = {"d": text_path(text), "transform": f"translate({number(left)} {number(y)}) scale({scale:.4f})"}
        self._shape("path", place, role, None, PEN * (1.5 if bold else 1.0), "", _ROUND)

    def open_group(self, title: str = "") -> None:
        """Begin a group; its title is shown when the pointer rests on it and read out by screen readers."""
        self.parts.append("<g>" + (f"<title>{_text(title)}</title>" if title else ""))

    def close_group(self) -> None:
        """End the group begun last."""
        self.parts.append("</g>")

    def picture(self, width: float, height: float, title: str, description: str) -> Svg:
        """The finished picture on a sheet of the given size, rounded up so that no pixel is half covered."""
        width, height = float(ceil(width)), float(ceil(height))
        sheet = element("rect", {"width": width, "height": height, **self.theme.paint(fill="paper")})
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" height="{number(height)}" '
            f'viewBox="0 0 {number(width)} {number(height)}" role="img">\n'
        )
        named = f"<title>{_text(title)}</title>\n<desc>{_text(description)}</desc>\n"
        body = "\n".join([sheet, *self.parts])
        return Svg(f"{head}{named}{self.theme.style()}{body}\n</svg>\n", width, height)


def element(name: str, attributes: Attributes, content: str = "") -> str:
    """One XML element as text."""
    texts = {key: value if isinstance(value, str) else number(value) for key, value in attributes.items()}
    inside = "".join(f' {key}="{_text(value, quote=True)}"' for key, value in texts.items())
    return f"<{name}{inside}>{content}</{name}>" if content else f"<{name}{inside}/>"
