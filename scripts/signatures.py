"""What is fixed: the defaults of every function, method and field, and every constant that is a number.

    scripts/signatures.py [--write]

They are kept in tests/signatures.txt, a line each, so that one of them changes on purpose only: what callers leave out,
and the numbers by which it is decided how much is tried. `--write` writes them anew. They are read in the text of the
package, and nothing of it is imported.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "tests" / "signatures.txt"


def signatures(source: str) -> list[str]:
    """Return the lines of a module: `solve(board='3x3', *, memory=None)`, `Puzzle.asked = None`, `MOST = 500`."""
    return list(_inside(ast.parse(source).body, ""))


def every(package: Path) -> str:
    """Return the lines of all modules of a package, each with the name of its module."""
    found = [
        f"{'.'.join(path.relative_to(package.parent).with_suffix('').parts)}: {line}\n"
        for path in sorted(package.rglob("*.py"))
        for line in signatures(path.read_text(encoding="utf-8"))
    ]
    return "".join(found)


def _inside(body: list[ast.stmt], owner: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef) and _has_defaults(node.args):
            yield f"{owner}{node.name}({ast.unparse(_untyped(node.args))})"
        elif isinstance(node, ast.ClassDef):
            yield from _inside(node.body, f"{owner}{node.name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name) and _is_plain(node.value):
                    yield f"{owner}{target.id} = {ast.unparse(node.value)}"


def _has_defaults(given: ast.arguments) -> bool:
    return bool(given.defaults) or any(default is not None for default in given.kw_defaults)


def _untyped(given: ast.arguments) -> ast.arguments:
    for each in [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]:
        if each is not None:
            each.annotation = None
    return given


_PARTS = (
    *(
        ast.Constant,
        ast.UnaryOp,
        ast.BinOp,
        ast.Tuple,
        ast.List,
        ast.Dict,
        ast.Call,
        ast.keyword,
        ast.Name,
        ast.Attribute,
    ),
    *(ast.operator, ast.unaryop, ast.expr_context),
)


def _is_plain(value: ast.expr) -> bool:
    """Whether a value is made of numbers, truths and single words: other texts are read where they are shown."""
    inner = list(ast.walk(value))
    constants = [each.value for each in inner if isinstance(each, ast.Constant)]
    numbers = any(isinstance(each, int | float) for each in constants)
    texts = any(isinstance(each, bytes) or (isinstance(each, str) and " " in each) for each in constants)
    return numbers and not texts and all(isinstance(each, _PARTS) for each in inner)


def main() -> int:
    """Say whether what is kept has changed, or write it."""
    found = every(ROOT / "src" / "noughts")
    if "--write" in sys.argv[1:]:
        KEPT.write_text(found, encoding="utf-8")
        return 0
    kept = KEPT.read_text(encoding="utf-8").splitlines()
    changed = [
        line for line in unified_diff(kept, found.splitlines(), lineterm="", n=0) if line[:2] not in ("--", "++", "@@")
    ]
    if changed:
        print(*changed, "Where that is meant: scripts/signatures.py --write", sep="\n")
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main())
