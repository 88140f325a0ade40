"""Systems that live outside this package: folders that a user names, packages that announce themselves.

A folder is named by `--system`, by `TEACHERSTUDENT_SYSTEMS` or by `teacherstudent.use`, never by a file that
is read: its code is run. A package has the entry point `teacherstudent.systems`. Either holds `problem.py`,
`theory.py`, `sims.py` and, where there are some, `checks.py`, `figures.py` and `claims.toml`
(`house.outside.announced` says what stands in them).

A folder becomes the package `teacherstudent.house.outside.<name>`. Importing this module mounts those of the
environment, so that another process can read what is sent to it of their classes.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import pickle
import re
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from teacherstudent.house.errors import InputError, OutsideError, in_short
from teacherstudent.house.extras import MissingExtra
from teacherstudent.house.outside import sources

GROUP = "teacherstudent.systems"
"""The entry point by which installed packages announce a system."""

VARIABLE = "TEACHERSTUDENT_SYSTEMS"
"""The environment variable that names folders, separated as in PATH."""

OPTION = "system"
HOW = "for your own system give its folder: --system FOLDER, which runs its code"
"""What is said of a problem that there is not."""


@dataclass(frozen=True)
class System:
    """Where a system lives: its package, its folder, and what named it ("" of an installed package)."""

    package: str
    folder: Path
    named: str = ""
    distribution: str = ""
    version: str = ""
    digest: str = ""
    """Of its Python files as they were when it was found."""

    @property
    def place(self) -> str:
        return str(self.folder) if self.named else f"{self.package} (of {self.distribution} {self.version})"

    def refusal(self, why: str, file: str | Path = "", line: int = 0, cure: str = "") -> InputError:
        """What is wrong with it, in one line that names file and line where they are known."""
        at = f"{file}, line {line}" if line else str(file)
        said = f"a system that can be used ({': '.join(filter(None, (at, why)))})"
        return InputError(self.named or OPTION, self.place, said, cure)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turns whatever its code raises in this block into one line."""
        try:
            yield
        except (InputError, MissingExtra, OutsideError):
            raise
        except (Exception, SystemExit) as error:
            file, line = place_in(self.folder, error) or ("", 0)
            raise self.refusal(f"{type(error).__name__}: {in_short(str(error))}", file, line) from error

    def module(self, name: str) -> ModuleType:
        """One of its modules. Raises `InputError` where that cannot be imported."""
        with self.explained():
            return importlib.import_module(f"{self.package}.{name}")


_NAMED: dict[Path, System] = {}
"""The folders that are in use, in the order in which they were named."""


def mount(folder: Any, option: str = OPTION) -> System:
    """Make the package of a folder. Runs nothing of it but its `__init__.py`. Raises `InputError`."""
    try:
        path = Path(folder).expanduser().resolve()
        there = (path / "problem.py").is_file()
    except (OSError, RuntimeError, TypeError, ValueError):
        there = False
    if not there:
        example = "`teacherstudent new NAME` writes one"
        shown = str(folder) if isinstance(folder, str | os.PathLike) else folder
        raise InputError(option, shown, "the folder of a system, which holds problem.py", example)
    if os.pathsep in str(path):
        raise InputError(option, str(path), f"a folder without {os.pathsep} in its path")
    stem = re.sub(r"\W", "_", path.name)
    package = f"{__name__}.{stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:6]}"
    system = System(package, path, option)
    sources.demand_syntax(system)
    system = System(package, path, option, digest=sources.digest(path))
    if path in _NAMED and _NAMED[path].digest == system.digest:
        return _NAMED[path]
    unmount(path)
    spec = ModuleSpec(package, None, is_package=True)
    if (path / "__init__.py").is_file():
        spec = importlib.util.spec_from_file_location(  # type: ignore[assignment]
            package, path / "__init__.py", submodule_search_locations=[str(path)]
        )
    else:
        spec.submodule_search_locations = [str(path)]
    module = importlib.util.module_from_spec(spec)
    importlib.invalidate_caches()
    sys.modules[package] = module
    try:
        if spec.loader:
            with system.explained():
                spec.loader.exec_module(module)
    except InputError:
        del sys.modules[package]
        raise
    _NAMED[path] = system
    return system


def unmount(path: Path) -> None:
    """Forget a folder and its modules."""
    system = _NAMED.pop(path, None)
    if system:
        own = f"{system.package}."
        for name in [each for each in sys.modules if f"{each}.".startswith(own)]:
            del sys.modules[name]


def named_systems() -> tuple[System, ...]:
    """The systems of the folders that are in use."""
    return tuple(_NAMED.values())


_ONE_AT_A_TIME = threading.Lock()


def with_system(folder: str, digest: str, job: bytes) -> Any:
    """What a pickled job gives once the system of that folder is known, on another machine.

    Raises `InputError` where the folder is not there or holds other code.
    """
    with _ONE_AT_A_TIME:
        if mount(folder, "scheduler").digest != digest:
            raise InputError("scheduler", folder, "one whose workers have the same files in that folder")
        work = pickle.loads(job)
    return work()


def place_in(folder: Path, error: BaseException) -> tuple[str, int] | None:
    """The file of that folder, and its line, where an error arose or was last passed through."""
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_relative_to(folder):
        return str(Path(error.filename).relative_to(folder)), error.lineno or 0
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(folder):
            return str(path.relative_to(folder)), frame.lineno or 0
    return place_in(folder, error.__cause__) if error.__cause__ else None


def fault_outside(error: BaseException) -> str:
    """What is wrong with the code of a system from outside that was running, and where; "" of any other."""
    if isinstance(error, OutsideError) or f"{__name__}.announced" not in sys.modules:
        return ""
    from teacherstudent.house.outside.announced import systems

    with suppress(InputError):
        for system in systems():
            said = f"{type(error).__name__}: {in_short(str(error))}"
            if place := place_in(system.folder, error):
                file, line = place
                return f"{system.folder / file}, line {line}: {said}"
            if isinstance(error, ImportError) and f"{error.name}.".startswith(f"{system.package}."):
                return f"{system.folder}: {said}; the folder or its files are gone"
    return ""


def mount_environment() -> None:
    """Mount the folders that the environment names. Raises `InputError`."""
    for folder in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        if Path(folder).expanduser().resolve() not in _NAMED:
            mount(folder, VARIABLE)


with suppress(InputError):  # raised again by whoever looks for systems
    mount_environment()
