"""Colours by role, in a light and a dark set.

The hues are those of Okabe and Ito, which people with any common form of colour blindness tell apart. No role is ever
told by its colour alone: players differ by mark, outcomes by the shape of the frame and a word, links by their dashes.
"""

from __future__ import annotations

from noughts.domain.arguments import text_of
from noughts.domain.errors import InputError, shown

__all__ = ["DARK", "LIGHT", "THEMES", "Theme"]

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
        attributes = {
            "fill": self._colours[fill] if fill else "none",
        }
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
