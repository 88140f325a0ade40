"""The answer of a simulated route on the device that JAX finds: `python -m tools.gpu.answers ROUTE FILE.npz`.

The numbers go to the file; the seconds of a first call and of another are printed as JSON.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Route
from teacherstudent.house.errors import InputError
from teacherstudent.house.running import run
from tests.support import example_of

SEEDS, TIMES = 4, ((1.0, 4.0, 100.0), (1.0, 4.0))
"""Seeds and times of a question; the shorter times where the clock or the route refuses the longer ones."""


def simulated() -> list[Route]:
    """Every route of the simulations."""
    return [route for route in catalogue.routes() if ".sims." in route.entry]


def answered(route: Route) -> xr.Dataset:
    """What the route answers to its example."""
    draws: dict[str, Any] = {"seeds": range(SEEDS)} if route.sampled else {}
    for times in TIMES:
        try:
            return run(route.problem, route.dynamics, route.name, times, **draws, **example_of(route))
        except InputError as error:
            refused = error
    raise refused


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """The result, and the seconds by the clock: answers are arrays of NumPy, thus complete."""
    started = time.perf_counter()
    return work(), time.perf_counter() - started


def main() -> None:
    """The command: ROUTE FILE.npz."""
    warnings.simplefilter("ignore")
    (route,) = (each for each in simulated() if each.id == sys.argv[1])
    found, first = timed(lambda: answered(route))
    again = timed(lambda: answered(route))[1]
    np.savez(sys.argv[2], **{str(name): each.values for name, each in found.data_vars.items()})
    print(json.dumps({"first": first, "again": again}))


if __name__ == "__main__":
    main()
