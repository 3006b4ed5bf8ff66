"""The documentation under /docs: the Markdown pages of the project, rendered on request, and a search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from html import escape, unescape
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from noughts.rules.errors import shown
from noughts.web import prompt
from noughts.web.links import ServerLinks
from noughts.web.render import MEDIA_OF, render
from noughts.web.request import MEDIA, Ask, NotFound, PageReply

FIRST, SEARCH = "index", "search"
_HERE = Path(__file__).parent
_BESIDE = {
    "README.md": "readme",
    "CHANGELOG.md": "changelog",
    "CONTRIBUTING.md": "contributing",
    "SECURITY.md": "security",
}
"""Pages that lie beside docs/, and their names."""
_PYTHON = ("reference/python", "reference/python-training")
"""The pages with an entry for each public name."""
_NAME = re.compile(r"(?:noughts\.)?(?:training\.)?([A-Za-z_]\w*)(\.\w+)?(\(.*\))?", re.DOTALL)
_AROUND = 90
"""Characters that a search shows on each side of a match."""


class FoundPage(NamedTuple):
    """A page that a search found: its name, title, the words around the first match, and the anchor of a heading."""

    name: str
    title: str
    words: str
    anchor: str = ""


@cache
def _root() -> Path | None:
    """Return the folder with docs/ and the pages beside it: in the package, or in the checkout."""
    folders = (_HERE / "manual", _HERE.parents[2])
    return next((folder for folder in folders if (folder / "docs" / "index.md").is_file()), None)


@cache
def _files() -> dict[str, Path]:
    """Return the pages by name and the pictures by path, so that an address never becomes a path on disk."""
    root = _root()
    if root is None:
        return {}
    docs = root / "docs"
    found = {name: root / file for file, name in _BESIDE.items() if (root / file).is_file()}
    found |= {page.relative_to(docs).with_suffix("").as_posix(): page for page in sorted(docs.rglob("*.md"))}
    pictures = (path for path in sorted(docs.rglob("*")) if path.suffix in (".svg", ".png"))
    return found | {path.relative_to(docs).as_posix(): path for path in pictures}


def manual_reply(name: str, query: str) -> PageReply:
    """Return a page or a picture of the documentation, or the results of a search. Raises NotFound."""
    if not _files():
        raise NotFound("this installation has no documentation: install noughts again, or read docs/index.md")
    if not name:
        return PageReply(303, MEDIA["html"], b"", location=f"/docs/{FIRST}.html")
    if name.startswith("prompt/"):
        return prompt.prompt_reply(name.removeprefix("prompt/"))
    page = name.removesuffix(".html")
    if page == SEARCH:
        words = parse_qs(query).get("q", [""])[0][:100]
        return _reply("Search", {"asked": words, "found": search(words), "page": SEARCH, "body": None})
    path = _files().get(name if page == name else page)
    if path is None or (page == name) == (path.suffix == ".md"):
        raise NotFound(f"the documentation has no page {shown(name)}: its first page is /docs/{FIRST}.html")
    if path.suffix != ".md":
        return PageReply(200, MEDIA_OF[path.suffix], path.read_bytes())
    return _reply(title_of(page), {"asked": "", "found": [], "page": page, "body": Markup(html_of(page))})


def _reply(title: str, context: dict[str, Any]) -> PageReply:
    links = ServerLinks(Ask("start"))
    is_live = context["page"] == prompt.PAGE
    more = {"contents": contents(), "pyodide": prompt.source() if is_live else None}
    body = render("manual.html", title, {**context, **more}, links).encode()
    return PageReply(200, MEDIA["html"], body, headers=prompt.policy() if is_live else {})


def search(words: str) -> list[FoundPage]:
    """Return the pages with all the words, sorted by matches in the title, then by number of matches."""
    wanted = words.lower().split()
    ranked = []
    for name, path in _files().items():
        text = "" if path.suffix != ".md" else re.sub(r"<!--.*?-->|[`*#|>]|\]\([^)]*\)|\[", "", _text(path))
        lower, title = text.lower(), title_of(name) if text else ""
        counts = [lower.count(word) for word in wanted]
        if wanted and all(counts):
            at = lower.index(wanted[0])
            around = " ".join(text[max(at - _AROUND, 0) : at + _AROUND].split())
            in_title = sum(word in title.lower() for word in wanted)
            ranked.append(
                (-in_title, -sum(counts), FoundPage(name, title, f"... {around} ...", _heading(name, wanted)))
            )
    return [found for _, _, found in sorted(ranked)]


def _heading(name: str, wanted: list[str]) -> str:
    """Return the anchor of the first heading below the title with all the words, or an empty text."""
    lines = re.findall(r"^##+ (.*)$", _text(_files()[name]).lower(), re.M)
    if not any(all(word in line for word in wanted) for line in lines):
        return ""
    headings = re.findall(
        r'<h[2-6] id="([^"]+)">(.*?)</h', re.sub(r"</?(?:code|em|strong|a)\b[^>]*>", "", html_of(name))
    )
    return next((to for to, text in headings if all(word in unescape(text).lower() for word in wanted)), "")


@cache
def contents() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the headings of docs/index.md, each with the names and titles of the pages that it lists."""
    sections = []
    for section in _text(_files()[FIRST]).split("\n## ")[1:]:
        caption, _, body = section.partition("\n")
        sections.append(
            (caption, [(page, title) for title, page in re.findall(r"^- \[(.*)\]\(([\w/-]+)\.md\)", body, re.M)])
        )
    return [*sections, ("Project", [(name, title_of(name)) for name in _BESIDE.values() if name in _files()])]


@cache
def title_of(name: str) -> str:
    """Return the first heading of a page, without the marks of Markdown."""
    first = next(line for line in _text(_files()[name]).splitlines() if line.startswith("# "))
    return first[2:].replace("`", "")


@lru_cache(maxsize=256)
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@lru_cache(maxsize=256)
def html_of(name: str) -> str:
    """Return a page as HTML: with links to pages, anchors at headings, and wide parts that scroll by keyboard."""
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    reader.add_render_rule("fence", _fence)
    reader.add_render_rule(
        "table_open", lambda *_: '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'
    )
    reader.add_render_rule("table_close", lambda *_: "</table></div>")
    tokens = reader.parse(_text(_files()[name]))
    _settle(tokens, name)
    html: str = reader.renderer.render(tokens, reader.options, {})
    return re.sub(r"<th[^>]*></th>", "<td></td>", re.sub(r' style="text-align:(\w+)"', r' class="\1"', html))


def _fence(self: Any, tokens: list[Token], at: int, options: Any, env: Any) -> str:
    return f'<pre tabindex="0"><code>{escape(tokens[at].content)}</code></pre>\n'


def _settle(tokens: list[Token], name: str) -> None:
    """Add anchors to headings, rewrite links and pictures to addresses, and link Python names to their entries."""
    seen = set[str]()
    for token, following in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        if token.type == "heading_open":
            token.attrSet("id", _unused(anchor_of(following.content), seen))
        if token.type == "inline" and token.children is not None:
            _lead(token.children, name)
            if not any(each.type == "link_open" for each in token.children):
                token.children = list(_named(token.children, name))


def anchor_of(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _unused(anchor: str, seen: set[str]) -> str:
    found = next(each for each in (anchor, *(f"{anchor}-{n}" for n in range(1, 1000))) if each not in seen)
    seen.add(found)
    return found


def _lead(inline: list[Token], name: str) -> None:
    """Rewrite the links of a page to addresses; a link out of the documentation becomes plain words."""
    is_dead = False
    for token in inline:
        if token.type == "image":
            token.attrSet("src", _address(str(token.attrs["src"]), name) or "")
        if token.type == "link_open":
            to = _address(str(token.attrs["href"]), name)
            is_dead = to is None
            token.attrSet("href", to or "")
        if is_dead and token.type in ("link_open", "link_close"):
            is_dead = token.type == "link_open"
            token.type, token.content, token.tag = "text", "", ""


def _address(link: str, name: str) -> str | None:
    path, hash_, anchor = link.partition("#")
    if "://" in link or not path:
        return link
    beside = PurePosixPath("docs") / name if name not in _BESIDE.values() else PurePosixPath(name)
    target = normpath(beside.parent / path)
    page = _BESIDE.get(target, target.removeprefix("docs/").removesuffix(".md"))
    if page not in _files():
        return None
    return f"/docs/{page}{'.html' if target.endswith('.md') else ''}{hash_}{anchor}"


def _named(inline: list[Token], name: str) -> Iterator[Token]:
    """Yield the parts of a text; names of classes and calls of functions become links to their entries."""
    for token in inline:
        match = _NAME.fullmatch(token.content) if token.type == "code_inline" else None
        to = _entries().get(match[1]) if match else None
        is_meant = match and (
            match[1][0].isupper() or (match[3] and not match[2]) or token.content.startswith("noughts.")
        )
        if to is None or not is_meant or (to.startswith(f"/docs/{name}.html#") and len(inline) == 1):
            yield token
            continue
        yield Token("link_open", "a", 1, attrs={"href": to, "class": "name"})
        yield token
        yield Token("link_close", "a", -1)


@cache
def _entries() -> dict[str, str]:
    """Return for each public name the address of its entry."""
    headings = {page: re.findall(r"^## `(\w+)`$", _text(_files()[page]), re.M) for page in _PYTHON if page in _files()}
    return {name: f"/docs/{page}.html#{anchor_of(name)}" for page in reversed(headings) for name in headings[page]}
