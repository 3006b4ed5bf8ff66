"""The files that pages share: style sheets, scripts, the icon; and the colours, which are those of the pictures."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from noughts.drawing.palette import DARK, LIGHT

__all__ = ["ASSETS", "asset", "asset_media", "asset_names"]

ASSETS = Path(__file__).parent / "static"
_MEDIA = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_STRONG = {"o-mark": ("#d55e00", "#ff9d5c"), "x-mark": ("#0072b2", "#6cc0f2")}
"""The colours of large marks, which need less contrast than text."""


@lru_cache(maxsize=1)
def _files() -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in sorted(ASSETS.iterdir()) if path.suffix in _MEDIA}
    return {**found, "palette.css": _palette().encode()}


def asset_names() -> tuple[str, ...]:
    """Return the names of all files that pages share."""
    return tuple(_files())


def asset(name: str) -> bytes | None:
    """Return the bytes of a file, None where there is no such file; nothing is looked up on disk by name."""
    return _files().get(name)


def asset_media(name: str) -> str:
    """Return the media type of a file."""
    return _MEDIA[Path(name).suffix]


def _palette() -> str:
    """Return the colours as custom properties, and as rules for the shapes of inline pictures."""
    roles = {role: (colour, DARK[role]) for role, colour in LIGHT.items()} | _STRONG
    light = "".join(f"--{role}:{colours[0]};" for role, colours in roles.items())
    dark = "".join(f"--{role}:{colours[1]};" for role, colours in roles.items())
    shapes = "".join(f".n-s-{role}{{stroke:var(--{role})}}.n-f-{role}{{fill:var(--{role})}}\n" for role in LIGHT)
    return (
        f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{{dark}}}}}\n{shapes}"
    )
