"""How Sphinx makes a site of docs/: run by scripts/docs_site.py, which lays out the pages first."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes

import noughts
import noughts.training

_HERE = Path(__file__).parent

project = "noughts"
version = release = noughts.__version__
language = "en"  # of the words around the pages: Sphinx has none of its own for en_GB
extensions = ["myst_parser"]
smartquotes = False  # a page says "..." and means it
root_doc = "index"

myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # a page of the changelog has sections without a title above them

highlight_language = "none"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

html_theme = "furo"
html_title = f"noughts {release}"
templates_path = [str(_HERE / "templates")]
html_static_path = [str(_HERE / "static")]
html_css_files = ["site.css"]
html_favicon = str(_HERE.parents[1] / "src" / "noughts" / "web" / "static" / "icon.svg")
html_copy_source = False
html_show_copyright = False
html_use_index = False
html_last_updated_fmt = None

_PAGES = {"reference/python": noughts, "reference/python-training": noughts.training}
_NAMED = re.compile(r"(?:noughts\.)?(?:training\.)?([A-Za-z_]\w*)(\.\w+)?(\(.*\))?", re.DOTALL)


def setup(app: Any) -> None:
    """Let names of Python in the text lead to their entries."""
    app.connect("doctree-resolved", link_names)


def link_names(app: Any, doctree: nodes.document, docname: str) -> None:
    """Make a link of each literal that names a class, or calls a function, of the package."""
    entries = _entries(app.env)
    for literal in list(doctree.findall(nodes.literal)):
        found = _NAMED.fullmatch(literal.astext())
        if found is None or found[1] not in entries or _inside(literal, (nodes.reference, nodes.title)):
            continue
        is_name = found[1][0].isupper() and len(found[1]) > 1
        if not is_name and not (found[3] and not found[2]) and not literal.astext().startswith("noughts."):
            continue
        page, anchor = entries[found[1]]
        if page == docname and anchor in _sections(literal):
            continue
        link = _link(app, docname, page, anchor)
        literal.replace_self(link)
        link += literal
    if docname in _PAGES:
        _list_types(app, doctree, docname, entries)


def _link(app: Any, docname: str, page: str, anchor: str) -> nodes.reference:
    target = app.builder.get_relative_uri(docname, page) + "#" + anchor
    return nodes.reference("", "", internal=True, refuri=target, classes=["name"])


def _list_types(app: Any, doctree: nodes.document, docname: str, entries: dict[str, tuple[str, str]]) -> None:
    """Under each signature, list the types of the package in it, each a link to its entry."""
    for section in doctree.findall(nodes.section):
        name = section[0].astext()
        if name not in entries or len(section) < 2 or not isinstance(section[1], nodes.literal_block):
            continue
        named = dict.fromkeys(re.findall(r"\b[A-Z]\w+", section[1].astext()))
        types = [each for each in named if each in entries and each != name]
        if not types:
            continue
        line = nodes.paragraph("", "Types: ")
        for number, each in enumerate(types):
            link = _link(app, docname, *entries[each])
            link += nodes.literal("", each)
            line += [nodes.Text(", "), link] if number else [link]
        line += nodes.Text(".")
        section.insert(2, line)


def _entries(env: Any) -> dict[str, tuple[str, str]]:
    """Return for each public name the page and the anchor of its entry."""
    if not hasattr(env, "noughts_entries"):
        env.noughts_entries = {
            section[0].astext(): (page, section["ids"][0])
            for page in reversed(_PAGES)
            for section in env.get_doctree(page).findall(nodes.section)
            if section[0].astext() in _PAGES[page].__all__
        }
    found: dict[str, tuple[str, str]] = env.noughts_entries
    return found


def _inside(node: Any, kinds: tuple[type, ...]) -> bool:
    while node is not None:
        if isinstance(node, kinds):
            return True
        node = node.parent
    return False


def _sections(node: Any) -> set[str]:
    """Return the anchors of all sections around a node."""
    found: set[str] = set()
    while node is not None:
        if isinstance(node, nodes.section):
            found.update(node["ids"])
        node = node.parent
    return found
