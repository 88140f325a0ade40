"""Calls of the public functions drawn at random, odd arguments among sensible ones, and how they may end.

They are drawn from the functions' signatures and from the examples of each problem; see `tests/fuzzing.py`.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import random
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import teacherstudent
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Route
from teacherstudent.house.errors import InputError, UnconvergedWarning, in_short
from teacherstudent.house.grids import Span
from tests.fuzzing import LONG_WORK, LONGEST, Lines
from tests.support import example_of


@dataclass(frozen=True)
class Call:
    """A call of a public function."""

    name: str
    arguments: dict[str, Any]

    def __str__(self) -> str:
        return (
            f"{self.name}({', '.join(f'{key}={in_short(value)}' for key, value in self.arguments.items())})"
        )


class Unfriendly:
    """An object that can do nothing."""

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        raise RuntimeError("no text")


class Unmeasured:
    """A list that does not tell its length."""

    def __len__(self) -> int:
        raise ValueError("no length")


def _span(*parts: Any) -> Any:
    """A span, or what the refusal to make one leaves."""
    try:
        return Span(*parts)
    except InputError as error:
        return error


VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 3.5, -0.0, float("nan"), float("inf"), -float("inf"), 1e308, 5e-324),
    *(10**5000, -(10**5000), 2**63, 2**64, 10**400, 1j, Decimal("1.5"), Decimal("NaN"), Fraction(1, 3)),
    *("", " ", "nan", "a\0b", "a\nb", "\ud800", "x" * 10**5, "1:2:3", "0:1:3", "1:2", "-", b"bytes"),
    *((), (1,), (1, 2), (2, 30), (1, 2, 3), (None, None), frozenset((1, 2)), slice(None), range(3)),
    *(
        Fraction(10**400),
        range(10**9),
        range(10**30),
        Path("a\0b"),
        Path("missing/a.csv"),
        Ellipsis,
        NotImplemented,
        int,
        len,
    ),
    *(np.float32(1.5), np.float64("nan"), np.int64(3), np.uint8(255), np.bool_(True), np.str_("flow")),
    *(np.datetime64("2020-01-01"), np.ma.masked),
)
MADE: tuple[Callable[[], Any], ...] = (
    *(list, dict, set, object, Unfriendly, Unmeasured, itertools.count),
    *(lambda: iter(()), lambda: memoryview(b"ab")),
    *(lambda: [1.0, 2.0], lambda: [[1.0], [2.0]], lambda: ["1", "2"], lambda: [1, None], lambda: [10**5000]),
    *(lambda: [float("nan")], lambda: [3, 2, 1], lambda: list(range(2000)), lambda: [[]], lambda: [{}]),
    *(
        lambda: {"a": 1},
        lambda: {1.0: 2.0},
        lambda: {1, 2},
        lambda: [set()],
        lambda: (each for each in (1, 2)),
    ),
    *(lambda: np.array([1.0, 2.0]), lambda: np.array(2.0), lambda: np.array([]), lambda: np.eye(2)),
    *(lambda: np.array([1, "a", None], dtype=object), lambda: np.array([10**400], dtype=object)),
    *(lambda: np.ma.array([1.0], mask=True), lambda: np.arange(3, dtype=np.int8), lambda: np.array(["a"])),
    *(lambda: np.zeros(3, dtype=complex), lambda: _span(0, 1, 3), lambda: _span(1, 2, 10**9)),
    *(lambda: _span(1, 2, 3), lambda: _span(1, 1e300, 2), lambda: _span(None, {}, [])),
    lambda: _span(-1e308, 1e308, 3, "lin"),
)
ODD: tuple[Callable[[], Any], ...] = (*(lambda value=value: value for value in VALUES), *MADE)
"""What makes each odd value: some can be used up, or changed."""


@dataclass
class Calls:
    """Calls of every public function, the same for the same seed."""

    seed: int
    draw: random.Random = field(init=False, repr=False)
    texts: Lines = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.draw = random.Random(f"calls {self.seed}")
        self.texts = Lines(self.seed)

    def __iter__(self) -> Iterator[Call]:
        functions = {
            name: function
            for name in teacherstudent.__all__
            if inspect.isfunction(function := getattr(teacherstudent, name))
        }
        names = list(functions)
        while True:
            name = self.draw.choice(names)
            yield Call(name, self._arguments(name, inspect.signature(functions[name])))

    def _arguments(self, name: str, signature: inspect.Signature) -> dict[str, Any]:
        known = [each.name for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
        given = self._sensible(name, known)
        problem = given.get("problem")
        open_ended = len(known) < len(signature.parameters)
        for _ in range(self.draw.randint(1, 2)):
            if open_ended and problem and self.draw.random() < 0.5:
                given |= self._extreme(problem, drawn="seeds" in given)
            else:
                some = [*known, *(self._names() if open_ended else ())]
                given[self.draw.choice(some)] = self.draw.choice(ODD)()
        if name in LONG_WORK:
            given["id"] = self.draw.choice(ODD)()
        if name == "map":  # a whole one takes seconds
            given[self.draw.choice(("x", "y", "of"))] = self.draw.choice(ODD)()
        if name == "mine":  # and so does a whole page
            given[self.draw.choice(("features", "targets"))] = self.draw.choice(ODD)()
        return given

    def _extreme(self, problem: str, drawn: bool) -> dict[str, Any]:
        """A value of a parameter of that problem, in its domain but perhaps far from the usual."""
        parameter = self.draw.choice(catalogue.find_problem(problem).parameters)
        with contextlib.suppress(InputError):
            return {parameter.name: parameter.parse(self.texts.text(parameter.domain, drawn, drawn))}
        return {}

    def _names(self) -> list[str]:
        parameters = [each.name for problem in catalogue.problems().values() for each in problem.parameters]
        return [*dict.fromkeys(parameters), "learning_rate", "nonsense", "a\nb", "É", ""]

    def _sensible(self, name: str, known: list[str]) -> dict[str, Any]:
        """Arguments that this function takes, of a small question."""
        given: dict[str, Any] = {}
        if "x" in known:
            numbers = [
                ("multiscale", "kappa", "lambda"),
                ("starvation", "s1", "s2"),
                ("spurious-groups", "minority", "gamma_spurious"),
            ]
            problem_id, x, y = self.draw.choice(numbers)
            given = {"problem": problem_id, "x": f"{x}=1:2", "y": f"{y}=1:2", "of": "descents"}
        elif "route" in known:
            route = self._route(sampled=name == "sample" or self.draw.random() < 0.05)
            problem = catalogue.find_problem(route.problem)
            given = {"problem": problem.id, "dynamics": route.dynamics, "route": route.name, "times": [1, 2]}
            given |= {"seeds": 2} if route.sampled else {}
            given |= example_of(route)
            if name == "sweep":
                given |= {"learning_rate": [0.1, 0.2]} if self.draw.random() < 0.5 else {}
        elif "problem" in known:
            announced: Any = {"onset": catalogue.counts, "turns": catalogue.turns}.get(name)
            among = [each.problem for each in announced()] if announced else [*catalogue.spectra()]
            given = {"problem": self.draw.choice(among)}
        elif {"name", "answer"} <= set(known):
            given = {"name": self.draw.choice(["modes", "tails"]), "answer": float}
        elif {"name", "kind"} <= set(known):
            given = {"name": "mine", "out": "mine"}
        elif "features" in known:
            given = {"features": "wine", "targets": "wine"}
        elif "draws" in known:
            given = {"draws": np.arange(6.0).reshape(3, 2), "theory": [2.0, 3.0]}
        elif "simulation" in known:
            given = dict(zip(("simulation", "theory"), _answers(), strict=True))
        elif "answer" in known:
            given = {"answer": _answer()}
        return given

    def _route(self, sampled: bool) -> Route:
        return self.draw.choice([each for each in catalogue.routes() if each.sampled == sampled])


def _answers() -> tuple[Any, Any]:
    """A simulation and a theory of one question, made up: what `compare` takes."""
    import xarray as xr

    times, seeds = ("time", [1.0, 2.0]), ("seed", [0, 1, 2])
    drawn = xr.DataArray(np.arange(6.0).reshape(3, 2), {"seed": seeds, "time": times}, attrs={"units": "1"})
    return xr.Dataset({"R": drawn}), xr.Dataset({"R": drawn.mean("seed")})


@cache
def _answer() -> Any:
    """An answer of the front door: what `plot` takes."""
    asked: dict[str, Any] = {
        "dynamics": "flow",
        "route": "asymptotic",
        "kappa": [1, 2],
        "n": 8,
        "d": 4,
        "p": 2,
    }
    return teacherstudent.sweep("multiscale", times=[1, 2], **asked)


def refusal_of(call: Call) -> str:
    """What is wrong with how this call ends; "" where nothing is."""
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        for expected in (UnconvergedWarning, RuntimeWarning):  # the latter by NumPy, of an overflow
            warnings.simplefilter("ignore", expected)
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        arguments = dict(call.arguments)
        if isinstance(arguments.get("out"), str):
            arguments["out"] = str(Path(folder) / arguments["out"])
        try:
            getattr(teacherstudent, call.name)(**arguments)
        except InputError as error:
            line = str(error)
            return (
                ""
                if line.isprintable() and len(line) < LONGEST
                else f"refused in no short line: {line[:300]!r}"
            )
        except BaseException as error:
            return f"raises {type(error).__name__}: {str(error)[:200]}"
    return ""
