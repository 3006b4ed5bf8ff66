"""The prompt of the manual: the command line in the reader's browser, by Pyodide in a worker of the page."""

from __future__ import annotations

import io
import os
from functools import cache
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from noughts.rules.errors import shown
from noughts.web.request import MEDIA, NotFound, PageReply

PAGE = "start/prompt"
"""The page of the manual that has the prompt."""
_ELSEWHERE = "https://cdn.jsdelivr.net"
_RELEASE = f"{_ELSEWHERE}/npm/pyodide@314.0.7/"
"""Where Pyodide is fetched from when the reader starts the prompt and this computer has no copy."""
_FOLDER = "NOUGHTS_PYODIDE"
_OWN = "/docs/prompt/pyodide/"
_SCRIPT = "text/javascript; charset=utf-8"
_FILES = {
    "pyodide.mjs": _SCRIPT,
    "pyodide.asm.mjs": _SCRIPT,
    "pyodide.asm.wasm": "application/wasm",
    "python_stdlib.zip": "application/zip",
    "pyodide-lock.json": MEDIA["json"],
}
_PACKAGES = ("noughts", "click", "rich")
_LEFT_OUT = {"__pycache__", "web", "training"}


def source() -> str:
    """Return the address of Pyodide: this server where NOUGHTS_PYODIDE names a folder with its files, else jsDelivr."""
    return _OWN if _FOLDER in os.environ else _RELEASE


def policy() -> dict[str, str]:
    """Return the content security policy of the prompt's page and of its worker, which may run WebAssembly."""
    place = "" if source() == _OWN else f" {_ELSEWHERE}"
    return {
        "content-security-policy": f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{place}; "
        f"style-src 'self'; img-src 'self' data:; connect-src 'self'{place}; worker-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    }


def prompt_reply(name: str) -> PageReply:
    """Return a file that the prompt loads: the packages, the worker, or a part of Pyodide. Raises NotFound."""
    if name == "packages.zip":
        return PageReply(200, "application/zip", _packages())
    if name == "worker.js":
        worker = Path(__file__).parent / "static" / "prompt-worker.js"
        return PageReply(200, _SCRIPT, worker.read_bytes(), headers=policy())
    part = name.removeprefix("pyodide/")
    if part in _FILES and _FOLDER in os.environ:
        path = Path(os.environ[_FOLDER]) / part
        if path.is_file():
            return PageReply(200, _FILES[part], path.read_bytes())
    raise NotFound(f"the prompt does not load a file {shown(name)}: set {_FOLDER} to the folder of the npm package")


@cache
def _packages() -> bytes:
    """Return the code of noughts and of what its command line imports, as one archive. About 1 MB; takes 0.3 s."""
    archive = io.BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED) as opened:
        for package in _PACKAGES:
            folder = Path(next(iter(getattr(find_spec(package), "submodule_search_locations", None) or ())))
            for path in sorted(folder.rglob("*")):
                parts = path.relative_to(folder.parent)
                if path.suffix in (".py", ".pyi", ".toml", ".json") and not _LEFT_OUT & set(parts.parts):
                    opened.write(path, parts)
        about = distribution("noughts")
        opened.writestr(f"noughts-{about.version}.dist-info/METADATA", about.read_text("METADATA") or "")
    return archive.getvalue()
