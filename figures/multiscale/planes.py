"""What maps of multi-scale features share: theory sweeps, onsets, and the simulated spots."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from teacherstudent.figures.kit import maps
from teacherstudent.house.domains import Span

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr

FAST_SHARE = 0.7
"""p/d of every map, the setting of Fig. 4."""
SIZE = 100
"""d of simulated spots."""
THEORY_SIZE = 10**6
"""d of theory, which depends on ratios only: large, so that alpha and p/d are met exactly."""
COARSE = 9
"""Condition numbers among which an onset is bracketed."""
RATE = 0.1
"""Learning rate of simulated spots: flow times are whole steps of a tenth."""

KAPPA = "condition number $\\kappa$ [dimensionless]"
ALPHA = "samples per dimension $\\alpha = n/d$ [dimensionless]"
NOISE = "label noise $\\sigma_\\epsilon$ [output]"
RIDGE = "ridge $\\lambda$ [curvature of the summed loss]"


def setting(d: int, alpha: float) -> dict[str, int]:
    """n, d and p of a problem of dimension d."""
    return {"n": max(1, round(alpha * d)), "d": d, "p": round(FAST_SHARE * d)}


def swept(times: Span, alpha: float | None, axes: Mapping[str, Span]) -> xr.Dataset:
    """The exact limit of gradient flow on a grid: a theory sweep, kept in memory.

    `alpha` fixes n/d; None where the axes contain n.
    """
    from teacherstudent.sweeps.assembly import assemble
    from teacherstudent.sweeps.engine import fill
    from teacherstudent.sweeps.plan import plan
    from teacherstudent.sweeps.store import Store

    sizes = setting(THEORY_SIZE, alpha or 1.0)
    if alpha is None:
        del sizes["n"]
    whole = plan("multiscale", dynamics="flow", route="asymptotic", times=times, **sizes, **axes)
    with Store(None) as store:
        fill(whole, store)
        return assemble(whole, store)


def onsets(curve: str, column: str, values: Sequence[float], low: float, high: float) -> np.ndarray:
    """The critical kappa, where one descent becomes two, for each value of the other parameter.

    The first change on a coarse grid from `low` to `high` is refined by bisection; NaN where
    there is none, or where a curve cannot be evaluated.
    """
    import numpy as np

    from teacherstudent.problems.multiscale import PROBLEM
    from teacherstudent.theory import turning
    from teacherstudent.theory.multiscale import landmarks

    def count(value: float) -> Callable[[float], int]:
        alpha = value if column == "alpha" else 1.1
        more = {} if column == "alpha" else {column: value}
        sizes = setting(THEORY_SIZE, alpha)
        return lambda kappa: landmarks.descents(PROBLEM.instance(kappa=kappa, **sizes, **more), curve)

    def at(value: float) -> float:
        descents = count(value)
        try:
            for start, end in itertools.pairwise(np.geomspace(low, high, COARSE)):
                if descents(start) < descents(end):
                    return turning.boundary(descents, start, end, 1e-3)
        except ArithmeticError:
            pass
        return np.nan

    return np.array([at(value) for value in values])


@dataclass(frozen=True)
class Spot:
    """A place on a map and two flow times whose difference in risk tells on which side it lies."""

    alpha: float
    values: Mapping[str, float]
    earlier: float
    later: float

    def measured(self, seeds: Sequence[int]) -> dict[str, float]:
        """Change of the excess risk between the two times: claimed, simulated, its error and z."""
        import numpy as np

        from teacherstudent.house.running import run

        sizes = {**setting(SIZE, self.alpha), **self.values}
        steps = np.rint(np.array([self.earlier, self.later]) / RATE)
        question: dict[str, Any] = {"learning_rate": RATE, **sizes}
        theory = run("multiscale", "descent", "asymptotic", steps, **question)["excess_risk"].values
        drawn = run("multiscale", "descent", "simulation", steps, seeds=seeds, **question)
        earlier, later = drawn["excess_risk"].values.T
        return maps.score(theory[1] - theory[0], later - earlier)


def measured(spots: Sequence[Spot], seeds: Sequence[int]) -> xr.Dataset:
    """All spots of a map, along `spot`."""
    rows = [
        {
            "alpha": spot.alpha,
            **spot.values,
            "earlier": spot.earlier,
            "later": spot.later,
            **spot.measured(seeds),
        }
        for spot in spots
    ]
    return maps.spots(rows, n_seeds=len(seeds), first_seed=seeds[0], learning_rate=RATE, d=SIZE)


SPOTS = (
    f"Triangles: gradient descent simulated at d = {SIZE} with learning rate {RATE:g}; up where the risk "
    "rises between the two times at which theory has its first minimum and the maximum after it (or, where "
    "it has none, around its flattest point), down where it falls; z is the simulated change minus that of "
    "the limit, in standard errors, and holds the finite-size offset of order 1/d."
)
