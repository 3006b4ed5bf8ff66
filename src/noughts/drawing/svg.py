"""Pictures as strings: `Svg`, and the `Canvas` that writes one.

The same calls give the same bytes: coordinates have at most two decimals, attributes keep the order they are given in,
and nothing depends on the machine, the time or the fonts.
"""

from __future__ import annotations

import re
from html import escape
from math import ceil
from pathlib import Path
from typing import Self

from noughts.domain.arguments import path_of
from noughts.domain.frozen import Frozen
from noughts.drawing.files import save_picture
from noughts.drawing.glyphs import CAP_HEIGHT, PEN, number, text_path, text_width
from noughts.drawing.palette import Theme

__all__ = ["Canvas", "Svg", "element"]

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML may hold, however they are written."""

Points = list[tuple[float, float]]


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
        """Write the picture as .svg, .png or .pdf, by the ending of the file name, and return the path."""
        return save_picture(self, path_of("the file", path))


class Canvas:
    """Collects shapes and wraps them up as one `Svg` with a title and a description."""

    def __init__(self, theme: str = "light") -> None:
        self.theme = Theme(theme)
        self.parts: list[str] = []
        """The finished elements, in the order in which they are drawn."""

    def add(self, name: str, attributes: dict[str, str | float], content: str = "") -> None:
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
        attributes: dict[str, str | float] = {"d": d, **self.theme.paint(stroke, fill)}
        if stroke:
            attributes |= {"stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round"}
        if dash:
            attributes["stroke-dasharray"] = dash
        self.add("path", attributes)

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
        attributes: dict[str, str | float] = {"x": x, "y": y, "width": width, "height": height}
        if radius:
            attributes["rx"] = radius
        attributes |= self.theme.paint(stroke, fill)
        if stroke:
            attributes["stroke-width"] = pen
        if dash:
            attributes["stroke-dasharray"] = dash
        self.add("rect", attributes)

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
        attributes: dict[str, str | float] = {"cx": x, "cy": y, "r": radius, **self.theme.paint(stroke, fill)}
        if stroke:
            attributes["stroke-width"] = pen
        if dash:
            attributes["stroke-dasharray"] = dash
        self.add("circle", attributes)

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
        move = f"translate({number(left)} {number(y)}) scale({scale:.4f})"
        attributes: dict[str, str | float] = {"d": text_path(text), "transform": move, **self.theme.paint(role)}
        attributes |= {
            "stroke-width": PEN * (1.5 if bold else 1.0),
            "stroke-linecap": "round",
            "stroke-linejoin": "round",
        }
        self.add("path", attributes)

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


def element(name: str, attributes: dict[str, str | float], content: str = "") -> str:
    """One XML element as text."""
    texts = {key: value if isinstance(value, str) else number(value) for key, value in attributes.items()}
    inside = "".join(f' {key}="{_text(value, quote=True)}"' for key, value in texts.items())
    return f"<{name}{inside}>{content}</{name}>" if content else f"<{name}{inside}/>"
