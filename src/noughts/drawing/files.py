"""Pictures on disk: SVG as it is, PNG through resvg, PDF through typst."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from noughts.domain.errors import InputError
from noughts.machine.files import write_file
from noughts.machine.packages import package
from noughts.machine.temporaries import temporary_folder

__all__ = [
    "Picture",
    "paper_margin",
    "paper_size",
    "printed_scale",
    "require_maker",
    "save_picture",
    "to_pdf",
    "to_png",
]

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
_PIXELS = 60_000_000


class Picture(Protocol):
    """A picture whose text is SVG, of this size in picture units."""

    width: float
    height: float


def require_maker(form: str) -> None:
    """Raise InputError where what makes pictures of this form, png or pdf, is not installed."""
    package(*_MAKERS[form], "ask for svg")


def to_png(picture: Picture, zoom: float = 2.0) -> bytes:
    """The picture as PNG, `zoom` pixels to the picture unit, fewer where it would have over 60 million pixels.

    Raises InputError when resvg-py is not installed.
    """
    svg_to_bytes = package(*_MAKERS["png"], "ask for svg").svg_to_bytes
    zoom = min(zoom, (_PIXELS / (picture.width * picture.height)) ** 0.5)
    return bytes(svg_to_bytes(svg_string=str(picture), zoom=zoom, skip_system_fonts=True))


def to_pdf(pages: Sequence[Picture], paper: str | None = None) -> bytes:
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


def save_picture(picture: Picture, path: Path) -> Path:
    """Write one picture as .svg, .png or .pdf, by the ending of the name, and return the path.

    Raises InputError for another ending, and FileError.
    """
    ending = path.suffix.lower()
    if ending == ".svg":
        return write_file(path, str(picture).encode())
    if ending == ".png":
        return write_file(path, to_png(picture))
    if ending == ".pdf":
        return write_file(path, to_pdf([picture]))
    raise InputError(f"cannot tell the kind of picture from {str(path)!r}: end the name in .svg, .png or .pdf")


def paper_size(paper: str, landscape: bool) -> tuple[float, float]:
    """Width and height of a paper in millimetres. Raises InputError for a paper that is not in PAPERS."""
    if paper not in PAPERS:
        raise InputError(f"unknown paper {paper!r}: choose {' or '.join(PAPERS)}")
    short, long = PAPERS[paper]
    return (long, short) if landscape else (short, long)


def paper_margin(paper: str) -> float:
    """Return how many millimetres are left free at each edge of a paper."""
    return _MARGINS.get(paper, _MARGIN)


def printed_scale(picture: Picture, paper: str) -> float:
    """Millimetres on paper for one picture unit, when the picture fills the page inside its margins."""
    width, height = paper_size(paper, picture.width > picture.height)
    margin = paper_margin(paper)
    return min((width - 2 * margin) / picture.width, (height - 2 * margin) / picture.height)


def _typst_page(index: int, picture: Picture, paper: str | None) -> str:
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
