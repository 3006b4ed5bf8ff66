"""Pictures on disk: SVG as it is, PNG through resvg, PDF through typst. A file is written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from noughts.domain.errors import InputError
from noughts.drawing.svg import Svg

__all__ = ["paper_size", "printed_scale", "save_picture", "to_pdf", "to_png", "write_whole"]

PAPERS = {"a3": (297.0, 420.0), "a4": (210.0, 297.0)}
"""Short and long side in millimetres."""
_MARGIN = 10.0
_PIXELS = 60_000_000


def to_png(picture: Svg, zoom: float = 2.0) -> bytes:
    """The picture as PNG, `zoom` pixels to the picture unit, fewer where it would have over 60 million pixels.

    Raises InputError when resvg-py is not installed.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise InputError("PNG needs the package resvg-py: run pip install resvg-py, or ask for svg") from None
    zoom = min(zoom, (_PIXELS / (picture.width * picture.height)) ** 0.5)
    return bytes(svg_to_bytes(svg_string=str(picture), zoom=zoom, skip_system_fonts=True))


def to_pdf(pages: Sequence[Svg], paper: str | None = None) -> bytes:
    """The pictures as the pages of one PDF.

    Without `paper` each page is as large as its picture (one picture unit is a CSS pixel, 1/96 inch); with `a3` or
    `a4` each is turned to the side it fits best and scaled to the page. Raises InputError when typst is not installed.
    """
    try:
        import typst
    except ImportError:
        raise InputError("PDF needs the package typst: run pip install 'noughts[pdf]', or ask for svg") from None
    with tempfile.TemporaryDirectory() as folder:
        for i, page in enumerate(pages):
            Path(folder, f"{i}.svg").write_text(page, encoding="utf-8")
        source = Path(folder, "pages.typ")
        source.write_text("\n".join(_typst_page(i, page, paper) for i, page in enumerate(pages)), encoding="utf-8")
        made = datetime(2000, 1, 1, tzinfo=UTC)
        return bytes(typst.compile(str(source), format="pdf", ignore_system_fonts=True, timestamp=made))


def save_picture(picture: Svg, path: Path) -> Path:
    """Write one picture as .svg, .png or .pdf, by the ending of the name, and return the path.

    Raises InputError for another ending, or where the file cannot be written.
    """
    ending = path.suffix.lower()
    if ending == ".svg":
        return write_whole(path, picture.encode("utf-8"))
    if ending == ".png":
        return write_whole(path, to_png(picture))
    if ending == ".pdf":
        return write_whole(path, to_pdf([picture]))
    raise InputError(f"cannot tell the kind of picture from {str(path)!r}: end the name in .svg, .png or .pdf")


def write_whole(path: Path, data: bytes) -> Path:
    """Write a file under a temporary name beside it and rename it, so that no half-written file is ever seen.

    Returns the path. Raises InputError where the file cannot be written.
    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}; choose another folder") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}; choose another name") from None
    return path


def paper_size(paper: str, landscape: bool) -> tuple[float, float]:
    """Width and height of a paper in millimetres. Raises InputError for a paper that is not in PAPERS."""
    if paper not in PAPERS:
        raise InputError(f"unknown paper {paper!r}: choose {' or '.join(PAPERS)}")
    short, long = PAPERS[paper]
    return (long, short) if landscape else (short, long)


def printed_scale(picture: Svg, paper: str) -> float:
    """Millimetres on paper for one picture unit, when the picture fills the page inside its margins."""
    width, height = paper_size(paper, picture.width > picture.height)
    return min((width - 2 * _MARGIN) / picture.width, (height - 2 * _MARGIN) / picture.height)


def _typst_page(index: int, picture: Svg, paper: str | None) -> str:
    if paper is None:
        width, height, margin = picture.width * 25.4 / 96, picture.height * 25.4 / 96, 0.0
        drawn = width
    else:
        width, height = paper_size(paper, picture.width > picture.height)
        margin, drawn = _MARGIN, printed_scale(picture, paper) * picture.width
    return (
        f"#set page(width: {width:.3f}mm, height: {height:.3f}mm, margin: {margin:.1f}mm)\n"
        f'#align(center + horizon, image("{index}.svg", width: {drawn - 0.01:.3f}mm))\n'
    )


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
