"""One word, one meaning: a name stands for one class."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import noughts

SOURCE = Path(noughts.__file__).parent


def shared_names(modules: dict[str, str]) -> dict[str, list[str]]:
    """Return the names that several classes have, private ones too, each with the modules that define it."""
    homes = defaultdict(list)
    for module, source in modules.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module)
    return {name: found for name, found in homes.items() if len(found) > 1}


def test_no_two_classes_share_a_name() -> None:
    files = sorted(SOURCE.rglob("*.py"))
    assert shared_names({str(path.relative_to(SOURCE)): path.read_text(encoding="utf-8") for path in files}) == {}
