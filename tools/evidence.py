"""How far the formulas for measured rows are off: what `theory/measured_spectrum/evidence.py` declares, anew.

`python -m tools.evidence` draws 200 subsets for each question, which takes minutes, and prints the tables.
`--first-seed` draws others.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import chain
from math import ceil, log10
from typing import NamedTuple

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.theory.measured_spectrum import evidence, trust
from teacherstudent.theory.measured_spectrum.evidence import Case

ROUTES = ("asymptotic", "leverage", "per-row")
ERRORS = ("generalisation_error", "training_error")
RATED = ROUTES[1:]
"""Routes that give the error rate."""


class Compared(NamedTuple):
    """At each time of a question the spread, (T,); of each of E errors and route the relative error
    minus 1, (E, R, T), NaN where a route was not asked; and the mean over draws, (E, T)."""

    case: Case
    spread: np.ndarray
    off: np.ndarray
    drawn: np.ndarray


def compared(
    case: Case, seeds: Sequence[int], errors: Sequence[str] = ERRORS, routes: Sequence[str] = ROUTES
) -> Compared:
    """All formulas against the mean over draws, of one question."""
    problem = case.problem
    given = {name: getattr(problem, name) for name in ("features", "targets", "kernel", "n", "intercept")}

    def asked(route: str, **drawn: Sequence[int]) -> np.ndarray:
        answer = run("measured-spectrum", case.dynamics, route, case.times, **given, **drawn)
        return np.stack([answer[name].values for name in errors])

    truth = np.mean(asked("instance", seeds=seeds), axis=1)
    nothing = np.full(truth.shape, np.nan)
    claims = [nothing if route == "per-row" and case.slow else asked(route) for route in routes]
    off = np.stack([claim / truth - 1 for claim in claims], axis=1)
    return Compared(case, trust.trust(problem, case.times).spread, off, truth)


def lines(
    found: Sequence[Compared], error: int, edges: Sequence[float], of: str = "Measured"
) -> Iterator[str]:
    """A table's entries, as Python."""
    spread = np.concatenate([each.spread for each in found])
    off = np.concatenate([each.off[error] for each in found], axis=1)
    told = np.concatenate([each.drawn[error] for each in found]) > (evidence.RESOLVED if error else 0.0)
    counted = []
    for values in off:
        some = told & np.isfinite(values)
        counted.append(evidence.summary(spread[some], values[some], edges))
    for edge, *entries in zip(edges, *counted, strict=True):
        errors = ", ".join(f"Errors({', '.join(f'{_up(each):g}' for each in some)})" for _, some in entries)
        yield f"    {of}({edge:g}, {entries[0][0]}, {errors}),"


def _up(value: float) -> float:
    """Rounded up to two digits, so that what is said to be smaller is."""
    unit = 10.0 ** (ceil(log10(value)) - 2)
    return ceil(value / unit) * unit


def main() -> None:
    """The command."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--first-seed", type=int, default=0)
    first = arguments.parse_args().first_seed
    found = [compared(case, range(first, first + evidence.DRAWS)) for case in evidence.cases()]
    many, few = ([each for each in found if each.case.few is kind] for kind in (False, True))
    for title, of, error in (("TEST", many, 0), ("TRAINING", many, 1), ("FEW_ROWS", few, 0)):
        edges = [each.below for each in getattr(evidence, title)]
        print("\n".join(chain((f"{title} = (",), lines(of, error, edges), (")",))))
    draws = range(first, first + evidence.RATE_DRAWS)
    found = [compared(case, draws, ("error_rate",), RATED) for case in evidence.rate_cases()]
    many, few = ([each for each in found if each.case.few is kind] for kind in (False, True))
    for title, of in (("RATES", many), ("FEW_ROWS_RATES", few)):
        edges = [each.below for each in getattr(evidence, title)]
        print("\n".join(chain((f"{title} = (",), lines(of, 0, edges, "RateMeasured"), (")",))))


if __name__ == "__main__":
    main()
