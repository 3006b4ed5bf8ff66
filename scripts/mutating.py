"""Small changes to a module, one at a time, each of which a test should notice: what `mutants.py` draws from."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

__all__ = ["Change", "changed", "changes", "function_of", "statement_of", "statement_with", "tree_with"]

_SWAPPED: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mult,),
    ast.Div: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Break: (ast.Continue,),
    ast.Continue: (ast.Break,),
}
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
_UNREAD = {"annotation", "returns", "decorator_list", "exc", "cause", "bases"}
"""Fields that hold types, texts of errors and options of compilers: no answer depends on them."""


@dataclass(frozen=True)
class Change:
    """One change: where in the tree (the fields and indices that lead there), on which line, and what is put there."""

    way: tuple[tuple[str, int | None], ...]
    line: int
    new: ast.AST


def changes(source: str) -> list[Change]:
    """Return every change that can be made to a module, in the order of its text."""
    return list(_inside(ast.parse(source), (), 0))


def changed(source: str, change: Change) -> tuple[str, str, str]:
    """Return the module with the change made, and the statement before and after, each on one line."""
    after = tree_with(source, change)
    return ast.unparse(after) + "\n", statement_of(source, change), _told(_at(after, _statement(source, change)))


def statement_with(source: str, change: Change) -> str:
    """Return the statement that is changed as it is afterwards, on one line."""
    return _told(_at(_put(source, change), _statement(source, change)))


def statement_of(source: str, change: Change) -> str:
    """Return the statement that is changed as it is before, on one line."""
    return _told_at(source, _statement(source, change))


@lru_cache(1 << 12)
def _told_at(source: str, way: tuple[tuple[str, int | None], ...]) -> str:
    return _told(_at(_parsed(source), way))


def _statement(source: str, change: Change) -> tuple[tuple[str, int | None], ...]:
    trail = [_at(_parsed(source), change.way[:length]) for length in range(len(change.way) + 1)]
    return change.way[: max(length for length, node in enumerate(trail) if isinstance(node, ast.stmt))]


@lru_cache(8)
def _parsed(source: str) -> ast.Module:
    """Return a module that nobody changes."""
    return ast.parse(source)


def tree_with(source: str, change: Change) -> ast.Module:
    """Return a module with the change made; all else stands on the lines where it stood."""
    return ast.fix_missing_locations(_put(source, change))


def _put(source: str, change: Change) -> ast.Module:
    tree = ast.parse(source)
    field, index = change.way[-1]
    parent = _at(tree, change.way[:-1])
    if index is None:
        setattr(parent, field, change.new)
    else:
        getattr(parent, field)[index] = change.new
    return tree


def function_of(source: str, change: Change) -> str:
    """Return the qualified name of the function in whose body the change is made, or nothing."""
    node: Any = ast.parse(source)
    names: list[str] = []
    found = ""
    for field, index in change.way:
        if isinstance(node, ast.FunctionDef) and field == "body":
            found = ".".join(names)
            names.append("<locals>")
        node = getattr(node, field) if index is None else getattr(node, field)[index]
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.append(node.name)
    return found


def _at(node: Any, way: tuple[tuple[str, int | None], ...]) -> Any:
    for field, index in way:
        node = getattr(node, field) if index is None else getattr(node, field)[index]
    return node


def _told(statement: ast.stmt) -> str:
    """Return a statement on one line, of a compound one the line that heads it."""
    lines = ast.unparse(statement).splitlines()
    if hasattr(statement, "body"):
        return next(line for line in lines if not line.startswith("@"))
    return " ".join(line.strip() for line in lines)


def _inside(node: ast.AST, way: tuple[tuple[str, int | None], ...], line: int) -> Iterator[Change]:
    line = getattr(node, "lineno", line)
    for field, value in ast.iter_fields(node):
        if field in _UNREAD or (isinstance(node, ast.ClassDef) and field == "keywords"):
            continue
        children = enumerate(value) if isinstance(value, list) else [(None, value)]
        for index, child in children:
            if isinstance(child, ast.AST) and not _skipped(child):
                here = (*way, (field, index))
                for new in _instead(child, node, field):
                    yield Change(here, getattr(child, "lineno", line), new)
                yield from _inside(child, here, line)


def _skipped(node: ast.AST) -> bool:
    """Whether nothing is changed in here: texts, imports, what is only for types, lists of names, and assertions.

    One of these is `strict` in a call of zip: where the code is right it never speaks.
    """
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return True
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Assert, ast.JoinedStr)):
        return True
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _instead(node: ast.AST, parent: ast.AST, field: str) -> Iterator[ast.AST]:
    """Yield what is put in the place of a node."""
    if type(node) in _SWAPPED and not _of_types_or_texts(node, parent):
        yield from (kind() for kind in _SWAPPED[type(node)])
    if isinstance(node, ast.UnaryOp):
        yield node.operand
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.Constant) and isinstance(node.value, float):
        yield ast.Constant(node.value * 2)
    if field in ("test", "ifs") and not isinstance(node, (ast.Compare, ast.UnaryOp, ast.BoolOp)):
        yield ast.UnaryOp(ast.Not(), node)  # type: ignore[arg-type]
    if field == "func" and isinstance(node, ast.Name) and node.id in _NAMES:
        yield ast.Name(_NAMES[node.id], ast.Load())
    if isinstance(node, (ast.AugAssign, ast.Raise)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, (ast.Call, ast.Yield, ast.YieldFrom))
    ):
        yield ast.Pass()


def _of_types_or_texts(node: ast.AST, parent: ast.AST) -> bool:
    """Whether an operator joins texts, or types as `int | None` does."""
    if not isinstance(parent, ast.BinOp):
        return False
    sides = (parent.left, parent.right)
    if isinstance(node, ast.BitOr):
        return any(isinstance(side, ast.Constant) and side.value is None for side in sides)
    return any(isinstance(side, (ast.JoinedStr, ast.List, ast.Tuple)) or _text(side) for side in sides)


def _text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
