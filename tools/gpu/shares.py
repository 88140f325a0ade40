"""The time of a step of each route whose clock counts steps, and its share of the copy rate of the device.

The step time is that of a long question less a short one, in the program that takes the longest: set-up,
transfers and compilation drop out. A step reads the constants and the state of the innermost loop once, and
writes the state once. An array that is only sliced counts by its slices, and drawn numbers do not count.
`python -m tools.gpu.shares FILE.json [quick]`.
"""

from __future__ import annotations

import inspect
import math
import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any

import jax

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Route
from teacherstudent.house.running import run
from teacherstudent.sims.compilation import compiled
from tests.support import example_of
from tools.gpu.answers import simulated
from tools.gpu.rates import ceilings, write

SEEDS, FIRST, MORE, REPEATS = (4, 256), 20, 200, 3
"""Seeds (the larger number on a GPU only), steps of the short question and more of the long one, and runs."""
SIZES: dict[str, dict[str, Any]] = {
    "committee": {"d": 400},
    "linear-network": {"singular_values": tuple(range(100, 0, -1))},
    "measured-spectrum": {"n": 400, "modes": ((100, 1.0, 0.6), (300, 0.1, 0.4))},
    "multiscale": {"n": 600, "d": 400, "p": 200},
    "random-features": {"n": 600, "d": 200, "width": 400},
    "spurious-groups": {"n": 200, "noise_features": 400},
}
"""Sizes at which a few hundred draws do not fit a cache. Other routes take the sizes of their examples."""
SLICES, UPDATES = ("gather", "dynamic_slice"), ("scatter", "scatter-add", "dynamic_update_slice")


def rows(quick: bool) -> Iterator[dict[str, Any]]:
    """The rates of each route at few and at many seeds."""
    copy = ceilings("float64")["copy_gbytes"]
    for route in simulated():
        values = {**example_of(route), **({} if quick else SIZES.get(route.problem, {}))}
        unit = catalogue.find_problem(route.problem).on_clock(route.dynamics).time.unit
        batches = -(-values.get("n", 0) // values.get("batch_size", 1))
        steps = {"steps": 1, "steps/d": values.get("d", 0), "epochs": batches}.get(unit)
        if not (steps and route.sampled) or (quick and route.id != "multiscale/descent/simulation"):
            continue
        for seeds in SEEDS if jax.default_backend() == "gpu" else SEEDS[:1]:
            try:
                yield {"route": route.id, "seeds": seeds, **measured(route, seeds, steps, values, copy)}
            except Exception as error:  # one route that cannot be measured
                yield {"route": route.id, "seeds": seeds, "failed": repr(error)[:300]}


def measured(route: Route, seeds: int, steps: int, values: dict[str, Any], copy: float) -> dict[str, Any]:
    """The step of all seeds together, with that many `steps` in a unit of the clock."""
    early = max(1, round(FIRST / steps))
    later = early + max(1, round(MORE / steps))
    short, long = (taken(route, seeds, last, values) for last in (early, later))
    loop = max(long, key=lambda each: long[each][0])
    seconds, arguments, named = long[loop]
    each = (seconds - short[loop][0]) / (REPEATS * (later - early) * steps)
    if seconds < 1.2 * short[loop][0]:
        return {"failed": "steps too short to be measured"}
    own = [
        inspect.signature(loop.function).bind(*arguments, **named).arguments[name] for name in loop.by_draw
    ]
    together = len(jax.tree.leaves(own)[0]) if own else 1
    moved = bytes_of_step(loop, arguments, named) * seeds / together
    rate = moved / each / 1e9
    return {"step_microseconds": 1e6 * each, "bytes": moved, "gbytes": rate, "share": rate / copy}


def taken(route: Route, seeds: int, last: float, values: dict[str, Any]) -> dict[compiled, list[Any]]:
    """Seconds of each program that an answer calls, without the first run, and the arguments of a call."""
    calls: dict[compiled, list[Any]] = {}
    answer = compiled._answer

    def recorded(self: compiled, *arguments: Any, **named: Any) -> Any:
        started = time.perf_counter()
        found = jax.block_until_ready(answer(self, *arguments, **named))
        calls.setdefault(self, [0.0, arguments, named])[0] += time.perf_counter() - started
        return found

    compiled._answer = recorded  # type: ignore[method-assign]
    try:
        for k in range(REPEATS + 1):
            run(route.problem, route.dynamics, route.name, [last], seeds=range(seeds), **values)
            if not k:
                calls.clear()
    finally:
        compiled._answer = answer  # type: ignore[method-assign]
    return calls


def bytes_of_step(program: compiled, arguments: Any, named: Any) -> float:
    """Bytes that one pass of an innermost loop reads and writes, of the loop for which they are most."""
    once = {"stride": 1} if "stride" in named else {}
    traced = jax.jit(program.function, **program.options).trace(*arguments, **{**named, **once})
    most = 0.0
    for body in bodies(traced.jaxpr.jaxpr):
        kept = [*body.invars, *(out for each in body.eqns if _name(each) in UPDATES for out in each.outvars)]
        written = [each for each in body.outvars if not any(each is other for other in kept)]
        most = max(most, sum(read(body, each) for each in body.invars) + sum(map(size, written)))
    return most


def bodies(jaxpr: Any) -> Iterator[Any]:
    """The bodies of the innermost loops of a program."""
    for equation in jaxpr.eqns:
        inner = [each for each in jax.tree.leaves(list(equation.params.values())) if hasattr(each, "jaxpr")]
        found = [body for each in inner for body in bodies(each.jaxpr)]
        if _name(equation) in ("while", "scan") and not found:
            found = [equation.params.get("body_jaxpr", equation.params.get("jaxpr")).jaxpr]
        yield from found


def read(jaxpr: Any, variable: Any) -> float:
    """Bytes read of an argument: those of its slices if there is no other use of it."""
    total = 0.0
    for equation in jaxpr.eqns:
        for place in (k for k, each in enumerate(equation.invars) if each is variable):
            if _name(equation) in SLICES and not place:
                total += sum(map(size, equation.outvars))
            elif _name(equation) in ("jit", "pjit"):
                inner = equation.params["jaxpr"].jaxpr
                total += read(inner, inner.invars[place])
            elif _name(equation) not in UPDATES or place:
                return size(variable)
    return min(total, size(variable))


def _name(equation: Any) -> str:
    return str(equation.primitive.name)


def size(variable: Any) -> float:
    """Bytes of a variable of a program."""
    return float(math.prod(variable.aval.shape) * getattr(variable.aval.dtype, "itemsize", 8))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    write({"routes": rows(sys.argv[2:] == ["quick"])})
