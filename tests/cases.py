"""What systems say of single questions, in `tests/<system>/cases.py`: rows that `tests/test_cases.py` reads.

REFUSED: (route, values, what the refusal says, as a regular expression). A route is "dynamics/route", or ""
where the problem itself refuses the values.
LOST: (route, times, values, what the warning says, which times have no number). The last is a list for all
observables, or a list for each name; others may then have numbers.
EQUAL: (route, times, values, route, times, values, relative bound) of two questions with the same answer. A
last entry names the observables, where not all are compared.
KNOWN: (route, times, values, numbers by observable, bound): computed or printed elsewhere.

`seeds` among the values are those that a sampled route draws (default: 0 and 1), `times` those of a refused
question (default: 1).
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest
import xarray as xr

from teacherstudent.house import catalogue
from teacherstudent.house.running import run


def rows(kind: str) -> list[Any]:
    """Those of all systems, each a parameter of a test: the problem's name, then the row."""
    found = []
    for path in sorted(Path(__file__).parent.glob("*/cases.py")):
        module = importlib.import_module(f"tests.{path.parent.name}.cases")
        for number, row in enumerate(getattr(module, kind, ())):
            marks = (
                pytest.mark.thorough if any(row is each for each in getattr(module, "THOROUGH", ())) else ()
            )
            system = path.parent.name.replace("_", "-")
            found.append(pytest.param(system, *row, id=f"{system}-{number}", marks=marks))
    return found


def ask(problem: str, route: str, times: Any, values: dict[str, Any]) -> xr.Dataset:
    """The answer of "dynamics/route"."""
    dynamics, _, name = route.partition("/")
    given = dict(values)
    seeds = given.pop("seeds", (0, 1))
    draws = (
        {"seeds": seeds}
        if catalogue.find_route(catalogue.find_problem(problem), dynamics, name).sampled
        else {}
    )
    return run(problem, dynamics, name, times, **draws, **given)
