"""Digests of code, read from the files: of what a check runs, and of all that functions can reach.

`code_of` says whether a check's last outcome is out of date. From the statement that declares the check,
names are followed through the rooms of `FOLLOWED` to the statements that define them, as are the functions
that the check names, because routes are looked up by text. Comments, docstrings, other statements of these
files and the readings of misprints are left out. Of `house`, which brings questions to routes and answers
back, only what computes step sizes, derivatives and their errors, and what takes numbers for NaN or 0, is
followed.

`code_reached` says whether a kept result may be used again. It leaves nothing out: it takes whole files.
"""

from __future__ import annotations

import ast
import re
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from teacherstudent.house.catalogue import PACKAGE, listed, problems, system_of
from teacherstudent.house.reading import Stamp, file_stamp
from teacherstudent.paper_checks.judging.evidence import Check

HERE = Path(__file__).resolve().parents[1]
"""The folder of the rooms."""
FOLLOWED = (
    "paper_checks.",
    "theory.",
    "sims.",
    "problems.",
    "optimisers.",
    "house.step_sizes",
    "house.certainty",
    "house.differences",
    "house.sensitivity",
    "house.uncertainty",
)
DIGITS = 12

Place = tuple[str, str]
"""A module below the package, and a name that it binds."""


class Statement:
    """A statement of a module: its code, the names that it binds and uses, and what it imports."""

    def __init__(self, node: ast.stmt, lines: list[str]) -> None:
        self.imports: dict[str, Place] = {}
        self.names: set[str] = set()
        self.whole: set[str] = set()
        """names that are used otherwise than for one attribute: where that is a module, for any of its own"""
        self.attributes: set[tuple[str, str]] = set()
        self.texts: set[str] = set()
        self.binds: set[str] = set()
        said: set[int] = set()
        owners: set[int] = set()
        for each in ast.walk(node):
            if isinstance(each, ast.Name):
                self.names.add(each.id)
                if id(each) not in owners:
                    self.whole.add(each.id)
                if isinstance(each.ctx, ast.Store):
                    self.binds.add(each.id)
            elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
                self.attributes.add((each.value.id, each.attr))
                owners.add(id(each.value))  # comes before its parts
            elif isinstance(each, ast.Constant) and isinstance(each.value, str):
                self.texts.add(each.value)
            elif (
                isinstance(each, ast.ImportFrom)
                and each.module
                and f"{each.module}.".startswith(f"{PACKAGE}.")
            ):
                module = each.module.partition(".")[2]
                self.imports |= {one.asname or one.name: (module, one.name) for one in each.names}
            elif isinstance(each, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(each, clean=False):
                said |= set(range(each.body[0].lineno, (each.body[0].end_lineno or 0) + 1))
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            self.binds = {node.name}
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        own = (lines[i - 1] for i in range(first, (node.end_lineno or first) + 1) if i not in said)
        self.code = "\n".join(line for line in own if line.strip() and line.lstrip()[0] != "#")


@dataclass(frozen=True)
class Source:
    """A module's statements, by the names that they bind, and where its imports come from."""

    binding: dict[str, list[Statement]]
    imports: dict[str, Place]


@cache
def source(module: str) -> Source:
    """A module of a room that is followed."""
    text = (_file(module) or Path()).read_text(encoding="utf-8")
    lines, found = text.splitlines(), Source({}, {})
    for node in ast.parse(text).body:
        statement = Statement(node, lines)
        found.imports.update(statement.imports)
        for name in statement.binds:
            found.binding.setdefault(name, []).append(statement)
    return found


@cache
def _file(module: str) -> Path | None:
    """The file of a module that is followed; None for any other."""
    path = HERE.joinpath(*module.split("."))
    if f"{module}.".startswith(FOLLOWED) and not module.endswith(".misprints"):
        return next(
            (each for each in (path.with_suffix(".py"), path / "__init__.py") if each.is_file()), None
        )
    return None


@cache
def _step(place: Place) -> tuple[frozenset[str], frozenset[Place]]:
    """The code that binds that name, and the places of what it uses."""
    module, name = place
    if _file(module) is None:
        return frozenset(), frozenset()
    own, found = source(module), set()
    if name in own.imports and name not in own.binding:
        return frozenset(), frozenset({own.imports[name]})
    statements = own.binding.get(name, [])
    if not statements:  # the route of an algorithm, which the module makes when it is asked for
        statements = own.binding.get("__getattr__", [])
        found |= {(f"theory.algorithms.{name}", "ALGORITHM"), (f"sims.algorithms.{name}", "STEP")}
    texts = {text for statement in statements for text in statement.texts if text.startswith(f"{PACKAGE}.")}
    found |= {(home, called) for home, _, called in (text.partition(".")[2].partition(":") for text in texts)}
    for used in {used for statement in statements for used in statement.names}:
        if used not in own.imports:
            found.add((module, used))
        elif _file(whole := ".".join(filter(None, own.imports[used]))):
            found |= {
                (whole, attr) for each in statements for owner, attr in each.attributes if owner == used
            }
            if any(used in each.whole for each in statements):
                found |= {(whole, each) for each in source(whole).binding}
        else:
            found.add(own.imports[used])
    return frozenset(f"{module}\n{each.code}" for each in statements), frozenset(found)


def code_of(check: Check) -> str:
    """The digest of the code that a check runs; of a system from outside, that of all its code.

    A route that only a wrong claim asks for, by name, is not followed.
    """
    module = check_modules().get(check.id)
    if module is None:
        return system_of(check.problem).get("system_digest", "")[:DIGITS]
    binding = source(module).binding.items()
    declared = [name for name, each in binding if any(check.id in statement.texts for statement in each)]
    left: list[Place] = [(module, name) for name in declared or ["CHECKS"]]
    left += [(home, name) for home, _, name in (each.partition(":") for each in check.functions)]
    systems = {check.problem.replace("-", "_"), *(home.split(".")[1] for home, _ in left)}
    left += [(f"problems.{system}", "PROBLEM") for system in systems]
    seen: set[Place] = set()
    code: set[str] = set()
    while left:
        if (place := left.pop()) not in seen:
            seen.add(place)
            own, used = _step(place)
            code |= own
            left.extend(used)
    return sha256("\n".join(sorted(code)).encode()).hexdigest()[:DIGITS]


@listed
def check_modules() -> dict[str, str]:
    """The module of each check, below the package, by the check's id."""
    start = f"{PACKAGE}.paper_checks."
    tables = [(name, getattr(module, "CHECKS", ())) for name, module in list(sys.modules.items())]
    return {
        check.id: name.removeprefix(f"{PACKAGE}.")
        for name, table in tables
        if name.startswith(start)
        for check in table
    }


# Of functions ------------------------------------------------------------------------------------------

MODULE = re.compile(rf"\b{PACKAGE}\.([\w.]*\w)(?: import (\([^)]*\)|[^\n]*))?")
"""A module that a file imports or names in a text, and the names that it imports from there."""
QUOTED = re.compile(r"""["']([\w-]+)["']""")
STARTED = time.time()


def code_reached(functions: Iterable[str]) -> str | None:
    """The digest of all files of the package that these functions, `room.module:name`, can reach.

    None: a file was changed since this process started, so that what runs may not be what is read.
    """
    found = files_reached(functions)
    return None if found is None else sha256(repr(sorted(found.items())).encode()).hexdigest()[:DIGITS]


def files_reached(functions: Iterable[str]) -> dict[str, str] | None:
    """The digests of these files, by the names of their modules; None as `code_reached`.

    Followed are imports and names of modules in texts. Where a file names a problem, all files of its
    system and of the algorithms belong to it.
    """
    left = [name.removeprefix(f"{PACKAGE}.").partition(":")[0] for name in functions]
    found: dict[str, str] = {}
    seen: set[str] = set()
    while left:
        name = left.pop()
        if name in seen or (path := _path(HERE, name)) is None:
            continue
        seen.add(name)
        stamp = file_stamp(path)
        if path.stat().st_mtime >= STARTED:
            return None
        found[name], named, words = _read(path, stamp)
        left += [name.rpartition(".")[0], *named]
        if not name.startswith("house."):  # it knows problems by what others ask
            left += [module for word in words & set(problems()) for module in _modules_of(HERE, word)]
    return found


@cache
def _path(here: Path, module: str) -> Path | None:
    """The file of a module in that folder; None of what is no module."""
    paths = [
        folder.joinpath(*module.split(".")) for folder in (here, here / PACKAGE)
    ]  # in a clone `api` is below
    files = [each for path in paths for each in (path.with_suffix(".py"), path / "__init__.py")]
    return next((each for each in files if each.is_file()), None) if module else None


@cache  # every check reaches most of these files
def _read(path: Path, _: Stamp) -> tuple[str, frozenset[str], frozenset[str]]:
    """The digest of a file, the modules or names in modules that it names, and words in quotes."""
    text = path.read_text(encoding="utf-8")
    named: set[str] = set()
    for module, names in MODULE.findall(text):
        own = (f"{module}.{each}" for each in re.findall(r"\w+", names))
        named |= {module, module.rpartition(".")[0], *own}
    return sha256(text.encode()).hexdigest(), frozenset(named), frozenset(QUOTED.findall(text))


@cache
def _modules_of(here: Path, problem: str) -> list[str]:
    """The modules of the system of a problem, and those of the algorithms."""
    system = problem.replace("-", "_")
    folders = [
        f"problems/{system}",
        *(f"{room}/{part}" for room in ("theory", "sims") for part in (system, "algorithms")),
    ]
    paths = (path for folder in folders for path in here.glob(f"{folder}/**/*.py"))
    return [f"problems.{system}", *(".".join(path.relative_to(here).with_suffix("").parts) for path in paths)]
