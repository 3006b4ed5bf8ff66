"""Words and sentences that the style page (docs/style.md) rules out, looked for in everything that people read.

``python scripts/words.py [PATH ...]`` lists them as ``file:line: what``; it exits with 1 where there are any.
"""

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path

ROOT = Path(__file__).parents[1]
STYLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
AVOID = {re.compile(rf"\b(?:{words})\b", re.IGNORECASE): instead for words, instead in STYLE["avoid"].items()}
PLACES = ("src", "docs", "README.md", "CONTRIBUTING.md", "SECURITY.md")
KINDS = {".py", ".md", ".html", ".js"}

NAMES = set(STYLE["names"]["avoid"])
PUBLIC = {(path, name) for path, names in STYLE["names"]["public"].items() for name in names}
FORMATS = STYLE["formats"]["sentences"]

PARTS = re.compile(r"\n\s*\n|\n\s*[-*] |\n\s*>>>.*|\n-{3,}\n|\n(?=\s{4,}\S)|\n(?=\S+(?:, \S+)*  +\S)")
"""What ends a sentence in a docstring without a full stop: paragraphs, items, doctests, headings, rows of tables."""

Text = tuple[int, str, bool]
"""A line number, what stands from there on, and whether it is the message of an error."""


def of_python(source: str) -> Iterator[Text]:
    """Every docstring, and every other string of two words and more; a replacement field counts as one word."""
    tree = ast.parse(source)
    within = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and node.exc
        for part in ast.walk(node.exc)
        if isinstance(part, ast.JoinedStr | ast.Constant)
    }
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "_" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in inside:
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        else:
            continue
        if " " in text.strip() and not re.match(r"M-?[\d.]+ ", text):  # the outline of a letter has no words
            yield node.lineno, text, id(node) in within
    for number, line in enumerate(source.splitlines(), 1):
        if "  # " in line or line.lstrip().startswith("# "):
            yield number, line[line.index("# ") + 2 :], False


def names(source: str) -> Iterator[tuple[int, str]]:
    """Every name that Python code gives: of functions, classes, arguments, variables and attributes, with its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


def of_markdown(source: str) -> Iterator[Text]:
    """Every paragraph, item and cell of a table; neither code nor quotations."""
    source = re.sub(
        r"^(```|~~~).*?^\1", lambda found: "\n" * found[0].count("\n"), source, flags=re.MULTILINE | re.DOTALL
    )
    source = re.sub(r"<!--.*?-->", lambda found: "\n" * found[0].count("\n"), source, flags=re.DOTALL)
    start = 1
    kept: list[str] = []
    for number, line in enumerate([*source.splitlines(), ""], 1):
        opens = re.match(r"\s*([-*] |\d+\. |#|\||>)", line)
        if (not line.strip() or opens) and kept:
            yield start, " ".join(kept), False
            kept = []
        if line.lstrip().startswith("|"):
            yield from ((number, cell, False) for cell in line.split("|") if " " in cell.strip())
        elif line.strip() and not line.lstrip().startswith(">"):
            start = start if kept else number
            kept.append(re.sub(r"^\s*([-*]|\d+\.|#+) ", "", line).strip())


def of_html(source: str) -> Iterator[Text]:
    """What a page shows between its tags; what Jinja puts there counts as one word."""
    source = re.sub(
        r"\{#.*?#\}|<script.*?</script>|<svg.*?</svg>|\{%.*?%\}",
        lambda found: " . " + "\n" * found[0].count("\n"),
        source,
        flags=re.DOTALL,
    )
    source = re.sub(r"\{\{.*?\}\}", lambda found: "_" + "\n" * found[0].count("\n"), source, flags=re.DOTALL)
    source = re.sub(
        r"</?(a|b|em|strong|code|span|kbd|abbr|i|small)\b[^>]*>", lambda found: "\n" * found[0].count("\n"), source
    )
    number = 1
    for part in re.split(r"(<[^>]*>)", source):
        if not part.startswith("<") and " " in part.strip():
            yield number + len(part) - len(part.lstrip("\n")), unescape(part), False
        number += part.count("\n")


def of_script(source: str) -> Iterator[Text]:
    """The comments and the strings of a script."""
    for number, line in enumerate(source.splitlines(), 1):
        for text in re.findall(r"//\s(.*)|\"([^\"]* [^\"]*)\"|'([^']* [^']*)'|`([^`]* [^`]*)`", line):
            yield number, re.sub(r"\$\{[^}]*\}", "_", "".join(text)), False


READ = {".py": of_python, ".md": of_markdown, ".html": of_html, ".js": of_script}


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text; code is one word, a blank line or an item of a list ends a sentence."""
    text = re.sub(r"``.*?``|`[^`]*`|https?://\S+", "_", text, flags=re.DOTALL)
    for part in PARTS.split(text) if "\n" in text else [text]:
        yield from re.split(r"(?<=[.!?])[\"')\]]*\s+|:\s*\n", part)


def findings(path: Path) -> Iterator[str]:
    """One line for each word and each sentence of a file that the style page rules out."""
    source = path.read_text(encoding="utf-8")
    for line, name in names(source) if path.suffix == ".py" else ():
        if name in STYLE["names"]["options"] or (str(path.resolve()).partition("/src/")[2], name) in PUBLIC:
            continue
        if NAMES & set(re.findall("[a-z]+", re.sub("([A-Z])", r"_\1", name).lower())):
            yield f"{path}:{line}: the name {name}: write what it is"
    for line, text, error in READ[path.suffix](source):
        bare = re.sub(r"``.*?``|`[^`]*`|--[a-z][a-z-]*", "_", text, flags=re.DOTALL)  # code and options
        for words, instead in AVOID.items():
            for found in words.finditer(bare):
                yield f"{path}:{line + bare[: found.start()].count(chr(10))}: “{found[0]}”: write {instead}"
        most = STYLE["limits"]["error" if error else "sentence"]
        for sentence in sentences(text):
            counted = [word for word in sentence.split() if any(map(str.isalnum, word)) or "_" in word]
            length, prose = len(counted), sum(bool(re.search("[a-z]{2}", word)) for word in counted)
            if length > most and 2 * prose > length and sentence not in FORMATS:
                yield f"{path}:{line}: {length} words, at most {most}: {' '.join(sentence.split())[:70]} ..."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, default=[ROOT / place for place in PLACES])
    found = 0
    for place in parser.parse_args().paths:
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.suffix in KINDS and "__pycache__" not in path.parts and path.name != "style.md":
                for line in findings(path):
                    print(line)
                    found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
