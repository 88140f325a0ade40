"""The files of a system, read without running them: their syntax, the names they bind, their digest."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from teacherstudent.house.reading import LIST, file_bytes

if TYPE_CHECKING:
    from teacherstudent.house.outside import System

DIGITS = 16
"""Hexadecimal digits of a digest."""


def files(folder: Path) -> Iterator[Path]:
    """The Python files of a system: those of the folder, and of its subpackages but `tests`."""
    for path in sorted(folder.iterdir()):
        if path.suffix == ".py" and path.is_file():
            yield path
        elif path.name != "tests" and path.is_dir() and (path / "__init__.py").is_file():
            yield from files(path)


def digest(folder: Path) -> str:
    """A digest of these files, by their names and contents."""
    whole = hashlib.sha256()
    for path in files(folder):
        content = file_bytes(path, LIST)
        whole.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return whole.hexdigest()[:DIGITS]


def demand_syntax(system: System) -> None:
    """Raise `InputError` for the first file that is not Python, with its line."""
    try:
        for path in files(system.folder):
            name = str(path.relative_to(system.folder))
            try:
                tree(path)
            except SyntaxError as error:
                raise system.refusal(f"SyntaxError: {error.msg}", name, error.lineno or 0) from None
            except (UnicodeDecodeError, ValueError, RecursionError) as error:
                raise system.refusal(f"not Python ({type(error).__name__})", name) from None
    except OSError as error:
        raise system.refusal(f"not readable: {error.strerror}", Path(error.filename or "").name) from None


def tree(path: Path) -> ast.Module:
    """The syntax of a file."""
    return ast.parse(file_bytes(path, LIST), str(path))


def source(folder: Path, module: str) -> Path | None:
    """The file of a module, `theory` or `theory.solver`; None where there is none."""
    base = folder.joinpath(*module.split("."))
    return next((each for each in (base.with_suffix(".py"), base / "__init__.py") if each.is_file()), None)


def bound(path: Path) -> dict[str, int]:
    """The names that a module binds at its top level, with their lines; `*` for all of another module."""
    return dict(_bound(tree(path).body))


def _bound(body: list[ast.stmt]) -> Iterator[tuple[str, int]]:
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node.lineno
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (((each.asname or each.name).partition(".")[0], node.lineno) for each in names)
            case _:
                for each in ast.walk(node):
                    if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                        yield each.id, each.lineno
                    elif isinstance(each, ast.stmt) and each is not node:
                        yield from _bound([each])
