"""The documentation under /docs: the files that `make docs-site` has put into the package, none looked up by name."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from noughts.domain.errors import shown
from noughts.web.ask import MEDIA, PageReply
from noughts.web.errors import NotFound

__all__ = ["has_manual", "manual_reply"]

_FOLDER = Path(__file__).parent / "manual"
_FIRST = "index.html"
_MEDIA = {
    ".html": MEDIA["html"],
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


@lru_cache(maxsize=1)
def _files() -> dict[str, Path]:
    found = {path.relative_to(_FOLDER).as_posix(): path for path in _FOLDER.rglob("*") if path.suffix in _MEDIA}
    return found if _FIRST in found else {}


def has_manual() -> bool:
    """Tell whether the documentation is here to be served."""
    return bool(_files())


def manual_reply(name: str) -> PageReply:
    """Return a file of the documentation; for the empty name lead to its first page. Raises NotFound."""
    if not has_manual():
        raise NotFound(_how_to_have_it())
    if not name:
        return PageReply(303, _MEDIA[".html"], b"", location=f"/docs/{_FIRST}")
    path = _files().get(name)
    if path is None:
        raise NotFound(f"the documentation has no file {shown(name)}: its first page is /docs/{_FIRST}")
    return PageReply(200, _MEDIA[path.suffix], path.read_bytes())


def _how_to_have_it() -> str:
    checkout = Path(__file__).parents[3]
    if (checkout / "Makefile").exists():
        return f"the documentation is not built yet: run make docs-site in {checkout} and start the server again"
    return (
        "the documentation is not in this copy of noughts: install a wheel that was built after make docs-site, "
        "or read docs/index.md of its source"
    )
