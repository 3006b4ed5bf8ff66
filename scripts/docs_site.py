"""The documentation as a site: python scripts/docs_site.py [FOLDER], or `make docs-site`.

Sphinx makes it of docs/, README.md, CHANGELOG.md and CONTRIBUTING.md, without a warning and without the network. The
folder is src/noughts/web/manual unless given: from there `noughts serve` serves it under /docs, and a wheel that is
built afterwards carries it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SITE = ROOT / "src" / "noughts" / "web" / "manual"
OUTSIDE = {"README.md": "readme.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
"""Pages that lie beside docs/, and their names in the site."""
_WORK = (".buildinfo", "objects.inv", "_sources", ".doctrees", "*.map")
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
_NAMELESS = {
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
    ' role="heading">': ' role="heading" aria-level="2">',
}
"""What the theme leaves for readers of screens to guess."""
_EMPTY_HEADING = re.compile(r'<th class="head([^"]*)">(?:<p></p>)?</th>')
_STYLE = re.compile(r"""(<[a-zA-Z][^<>]*?)\sstyle="([^"]*)"([^<>]*>)""")


def stage(folder: Path) -> None:
    """Lay out the sources of the site: docs/ with the pages from beside it, and the lists of the index as contents."""
    shutil.copytree(DOCS, folder, ignore=shutil.ignore_patterns("_site"))
    for page in sorted(folder.rglob("*.md")):
        depth = len(page.relative_to(folder).parts) - 1
        page.write_text(within(page.read_text(encoding="utf-8"), "../" * depth), encoding="utf-8")
    for name, staged in OUTSIDE.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        (folder / staged).write_text(within(text, "", beside=True), encoding="utf-8")
    index = folder / "index.md"
    index.write_text(index.read_text(encoding="utf-8") + "\n" + "\n".join(contents()), encoding="utf-8")


def within(text: str, up: str, *, beside: bool = False) -> str:
    """Return a page with its links as they are in the site: to pages that are in it, and to nothing else.

    `up` leads from the page to the top of the site; `beside` is for a page that lies beside docs/.
    """

    def moved(link: re.Match[str]) -> str:
        picture, words, target = link.groups()
        if "://" in target:
            return link[0]
        path, hash_, anchor = target.partition("#")
        if beside:
            path = path.removeprefix("docs/") if path.startswith("docs/") else f"../{path}" if path else path
        outside = path.removeprefix(up)
        if not outside.startswith("../"):
            return f"{picture}[{words}]({path}{hash_}{anchor})"
        name = outside.removeprefix("../")
        return f"[{words}]({up}{OUTSIDE[name]}{hash_}{anchor})" if name in OUTSIDE else f"{words} (`{name}`)"

    fenced = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else _LINK.sub(moved, part) for part in fenced)


def contents() -> Iterator[str]:
    """Yield the tables of contents: one for each heading of docs/index.md, with the pages that are listed there."""
    for section in (DOCS / "index.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        caption, _, body = section.partition("\n")
        yield from _contents(caption, re.findall(r"^- \[.*?\]\(([\w/-]+)\.md\)", body, re.MULTILINE))
    yield from _contents("Project", [name.removesuffix(".md") for name in OUTSIDE.values()])


def _contents(caption: str, pages: list[str]) -> list[str]:
    return ["```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```", ""]


def tidy(folder: Path) -> None:
    """Move styles in tags to the style sheet, name what has no name, and leave out what only Sphinx needs."""
    styles: dict[str, str] = {}

    def named(tag: re.Match[str]) -> str:
        name = styles.setdefault(tag[2], f"i{len(styles) + 1}")
        before, after = tag[1], tag[3]
        if ' class="' in before + after:
            return (before + after).replace(' class="', f' class="{name} ', 1)
        return f'{before} class="{name}"{after}'

    for page in sorted(folder.rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        for nameless, called in _NAMELESS.items():
            text = text.replace(nameless, called)
        text = _EMPTY_HEADING.sub(r'<td class="head\1"></td>', text)  # the corner of a table heads nothing
        page.write_text(_STYLE.sub(named, text), encoding="utf-8")
    for pattern in _WORK:
        for path in folder.rglob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    rules = "".join(f".{name} {{ {style} }}\n" for style, name in styles.items())
    with (folder / "_static" / "site.css").open("a", encoding="utf-8") as sheet:
        sheet.write(rules)


def build(folder: Path) -> int:
    """Build the site and put it in a folder; return Sphinx' exit code: unless it is 0 nothing is put there."""
    with tempfile.TemporaryDirectory() as work:
        source, made = Path(work) / "source", Path(work) / "site"
        stage(source)
        command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-c", str(DOCS / "_site")]
        code = subprocess.run([*command, str(source), str(made)], cwd=ROOT, check=False).returncode
        if code == 0:
            tidy(made)
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(made, folder)
    return code


def main() -> int:
    """Build the site, and say where it is."""
    folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else SITE
    code = build(folder)
    if code == 0:
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        pages = sum(1 for _ in folder.rglob("*.html"))
        print(f"{pages} pages, {size / 1e6:.1f} MB: {folder}/index.html, and under /docs of noughts serve")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
