"""What tests share: a toy problem with one parameter of each kind, and the command line as a function."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from teacherstudent.cli.command import main
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Dynamics, Observable, Problem, Route
from teacherstudent.house.domains import Choice, Number, OrWord, Pairs, Several, Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import REQUIRED, Parameter
from tools.nested import ROOT

HANGS = 600
"""Seconds after which a process hangs, on however slow and busy a machine: what it does takes a few."""


def copy(source: Path, target: Path) -> None:
    """Copy a folder without its caches, to be written to: the checkout itself may be read-only."""
    shutil.copytree(
        source, target, ignore=shutil.ignore_patterns("__pycache__"), copy_function=shutil.copyfile
    )
    for folder, _, _ in os.walk(target):
        Path(folder).chmod(0o700)


@contextlib.contextmanager
def at_most(more: int) -> Iterator[None]:
    """In the block this process may take that many more bytes of addresses, and no more."""
    import resource

    now = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (now + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def python(*arguments: object, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a Python of its own says to these arguments; the tests are at hand there too."""
    known = {**os.environ, "PYTHONPATH": os.pathsep.join([str(cwd), str(ROOT)]), **environment}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=known, capture_output=True, encoding="utf-8", timeout=HANGS)


class Said(NamedTuple):
    """What a command line answered."""

    status: int
    out: str
    err: str


def say(*arguments: object) -> Said:
    """Run one command line in this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(each) for each in arguments])
    for stream in (out, err):
        stream.flush()
    return Said(status, *(stream.buffer.getvalue().decode(errors="surrogateescape") for stream in (out, err)))


def wrote(*paths: object, replacing: bool = False) -> str:
    """What a command says on standard error of the files that it wrote."""
    return "".join(f"wrote {path}{', replacing the earlier one' * replacing}\n" for path in paths)


def kept(path: object) -> str:
    """What a finished command says of its partial results."""
    why = "with it, --resume adds points or seeds; delete it if you do not need that"
    return f"kept {path}.cells: {why}\n"


def refusal(said: Said) -> str:
    """The one line with which bad input is refused."""
    assert said.status == 2, said
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1
    assert said.err.endswith("\n")
    return said.err.removeprefix("error: ").rstrip("\n")


def example_of(route: Route, example: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """The values of an example, of its problem's first if none is given, that this route takes."""
    kind = catalogue.find_problem(route.problem)
    own = (*kind.parameters, *kind.on_clock(route.dynamics).options, *route.options)
    known = {each.name for each in own}
    whole = {**(kind.examples[0] if example is None else example), **route.example, **more}
    return {name: value for name, value in whole.items() if name in known}


@dataclass(frozen=True)
class StubRoute(Route):
    """A route whose function is at hand, not in a module."""

    answer: Callable[..., Any] = field(kw_only=True, repr=False)

    def function(self) -> Callable[..., Any]:
        return self.answer


def _build(**values: Any) -> SimpleNamespace:
    if values["part"] > values["whole"]:
        raise InputError("part", values["part"], f"at most whole = {values['whole']}")
    return SimpleNamespace(**values)


TOY = Problem(
    id="toy",
    title="A toy",
    source="nowhere",
    parameters=(
        Parameter("strength", "g", "1", Number(0, 2, low_open=True), "a number", REQUIRED),
        Parameter("whole", "w", "1", Whole(1), "a whole number", 4),
        Parameter("part", "p", "1", Whole(0), "another, at most the first", 2),
        Parameter("shape", "", "", Choice(("round", "square")), "a word", "round"),
        Parameter("sizes", "m", "1", Several(Number(0)), "some numbers", (1.0, 2.0)),
        Parameter("pairs", "c:v", "1", Pairs(Whole(1), Number(0)), "some pairs", instead_of=("whole",)),
    ),
    dynamics=(
        Dynamics(
            "steps",
            Parameter("time", "k", "steps", Whole(0), "step"),
            whole_time=True,
            options=(
                Parameter("pace", "eta", "1", OrWord("auto", Number(0, 1)), "a word or number", "auto"),
            ),
        ),
        Dynamics("path", Parameter("time", "u", "1", Number(0, low_open=True), "place on the path")),
    ),
    observables=(
        Observable("growth", "G", "1", "strength times time"),
        Observable("modes", "m", "1", "size of each mode", dims=("mode",)),
    ),
    build=_build,
    coordinates=lambda toy: {
        "mode": ("mode", list(range(1, 1 + len(toy.sizes))), {"units": "1", "long_name": "mode"})
    },
    examples=({"strength": 1.0}, {"strength": 0.5, "sizes": (1.0, 2.0, 3.0)}),
)


def _grown(toy: Any, times: Any, **_: Any) -> dict[str, Any]:
    return {"growth": toy.strength * times}


def _modes(toy: Any, times: Any, **_: Any) -> dict[str, Any]:
    return {"growth": toy.strength * times, "modes": times[:, None] * toy.sizes}


def _drawn(toy: Any, times: Any, seeds: Any, **_: Any) -> dict[str, Any]:
    return {"growth": [[toy.strength * time + seed for time in times] for seed in seeds]}
