"""The contract of independence on a system from outside: its two witnesses do not know each other.

Read from the files, not run: every import of `theory` and of `sims`, and of the system's files that these
import. It is what pyproject.toml states for the rooms of this package.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from teacherstudent.house.outside import System, sources

PACKAGE = __name__.partition(".")[0]
MAY = {
    "problem": ("house", "problems"),
    "theory": ("house", "problems", "theory"),
    "sims": ("house", "problems", "optimisers", "sims"),
}
"""What each may import of this package."""

LOADERS = ("importlib", "builtins", "runpy", "pkgutil", "imp", "zipimport", "sys.modules")
BY_NAME = (*LOADERS, f"{PACKAGE}.house.catalogue", f"{PACKAGE}.house.running")
"""What would reach the other witness by its name."""
FORBIDDEN = {
    "problem": ("jax", "jaxlib", "optax", "scipy", "sympy"),
    "theory": ("jax", "jaxlib", "optax", "flax", "equinox", "haiku", "tensorflow", "keras", "torch"),
    "sims": ("scipy", "sympy"),
}
WITHIN = {"problem": ("theory", "sims"), "theory": ("sims", "checks"), "sims": ("theory", "checks")}
"""Of the system itself."""
DYNAMIC = ("__import__", "__builtins__", "exec", "eval")
"""Names that run what is written in a text, called or handed on."""


def demand_independence(system: System) -> None:
    """Raise `InputError` for the first import by which a witness reaches the other, with file and line."""
    for witness in MAY:
        for path, line, why in breaches(system, witness):
            name, why = path.relative_to(system.folder), why.replace(system.package, "")
            cure = "the agreement of theory and simulation is evidence only if neither uses the other"
            raise system.refusal(f"{why}, which {witness} may not use", name, line, cure)


def breaches(system: System, witness: str) -> Iterator[tuple[Path, int, str]]:
    """File, line and what is used there that the witness may not use."""
    first = sources.source(system.folder, witness)
    left, seen = [first] if first else [], set[Path]()
    before = system.folder / "__init__.py"
    left += [before] if first and before.is_file() else []  # runs before any of its modules
    if first and first.name == "__init__.py":
        left += sources.files(first.parent)
    while left:
        path = left.pop(0)
        if path in seen:
            continue
        seen.add(path)
        for node in ast.walk(sources.tree(path)):
            line = getattr(node, "lineno", 0)
            if used := _dynamic(node):
                yield path, line, used
            for name in _imported(system, path, node):
                own, within = _own(system, name)
                if within in WITHIN[witness] if own else not _allowed(name, witness):
                    yield path, line, f"import of {name}"
                elif own:
                    left += _followed(system, name)


def _dynamic(node: ast.AST) -> str:
    """What that part of a file has of names that import by text; "" where nothing."""
    match node:
        case ast.Name(id=name) if name in DYNAMIC:
            return name
        case ast.Attribute(value=ast.Name(id="sys"), attr="modules"):
            return "sys.modules"
        case ast.Attribute(attr="__import__" | "import_module" as name):
            return name
    return ""


def _imported(system: System, path: Path, node: ast.AST) -> Iterator[str]:
    """The whole names of what a statement imports: of a `from`, each name as if it were a module."""
    if isinstance(node, ast.Import):
        yield from (each.name for each in node.names)
    elif isinstance(node, ast.ImportFrom):
        package = [system.package, *path.parent.relative_to(system.folder).parts]
        up = package[: len(package) - node.level + 1] if node.level else []
        base = ".".join(filter(None, (*up, node.module)))
        yield from (f"{base}.{each.name}" for each in node.names)


def _own(system: System, name: str) -> tuple[bool, str]:
    """Whether a name is of the system, and of which of its files; also if the folder is on Python's path."""
    if f"{name}.".startswith(f"{system.package}."):
        return True, name.removeprefix(f"{system.package}").split(".")[1] if name != system.package else ""
    first = name.partition(".")[0]
    return sources.source(system.folder, first) is not None, first


def _followed(system: System, name: str) -> list[Path]:
    """The files that an import of the system's own brings in."""
    parts = name.removeprefix(f"{system.package}.").split(".")
    found = (sources.source(system.folder, ".".join(parts[:count])) for count in range(1, len(parts) + 1))
    return [each for each in found if each]


def _allowed(name: str, witness: str) -> bool:
    """Whether a witness may import that, which is not of the system."""
    dotted = f"{name}."
    if any(dotted.startswith(f"{each}.") for each in (*FORBIDDEN[witness], *BY_NAME)):
        return False
    first, *below = name.split(".")
    if first == PACKAGE:
        return bool(below) and below[0] in MAY[witness] and not set(below) & set(LOADERS)
    return not set(below) & set(WITHIN[witness])  # as of the same system where it is installed
