"""What the phase maps share: theory sweeps, boundaries, and simulated spots drawn on top.

A map colours a plane of two parameters by a number that theory gives in every cell. At a few
spots the same number is measured by simulation; the map states each spot's z-score.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from teacherstudent.house.domains import Span

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr
    from matplotlib.axes import Axes

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


def setting(d: int, alpha: float) -> dict[str, int]:
    """n, d and p of a problem of dimension d."""
    return {"n": max(1, round(alpha * d)), "d": d, "p": round(FAST_SHARE * d)}


def swept(times: Span, alpha: float | None, axes: Mapping[str, Span], **fixed: Any) -> xr.Dataset:
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
    whole = plan("multiscale", dynamics="flow", route="asymptotic", times=times, **sizes, **axes, **fixed)
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
        asked: dict[str, Any] = {"learning_rate": RATE, **sizes}
        theory = run("multiscale", "descent", "asymptotic", steps, **asked)["excess_risk"].values
        drawn = run("multiscale", "descent", "simulation", steps, seeds=seeds, **asked)["excess_risk"].values
        change = drawn[:, 1] - drawn[:, 0]
        stderr = change.std(ddof=1) / np.sqrt(len(seeds))
        claimed = theory[1] - theory[0]
        return {
            "claimed": claimed,
            "simulated": change.mean(),
            "stderr": stderr,
            "z": (change.mean() - claimed) / stderr,
        }


def measured(spots: Sequence[Spot], seeds: Sequence[int]) -> xr.Dataset:
    """All spots of a map, along `spot`."""
    import xarray as xr

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
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: ("spot", [row.get(name, 0.0) for row in rows]) for name in names}
    return xr.Dataset(
        columns, attrs={"n_seeds": len(seeds), "first_seed": seeds[0], "learning_rate": RATE, "d": SIZE}
    )


def mark(axes: Axes, spots: xr.Dataset, x: str, y: str) -> None:
    """Each spot: up where the simulated risk rises, down where it falls, with its z-score."""
    for i in range(spots.sizes["spot"]):
        at = spots.isel(spot=i)
        rises = float(at["simulated"]) > 0
        axes.plot(
            at[x],
            at[y],
            ls="none",
            marker="^" if rises else "v",
            ms=8,
            mfc="white",
            mec="black",
            mew=1.3,
            zorder=6,
        )
        axes.annotate(
            f"z = {float(at['z']):+.1f}", (float(at[x]), float(at[y])),
            xytext=(8, 5), textcoords="offset points",
            fontsize="x-small", bbox={"fc": "white", "ec": "none", "alpha": 0.85, "pad": 0.8}, zorder=6,
        )  # fmt: skip


SPOTS = (
    f"Triangles: gradient descent simulated at d = {SIZE} with learning rate {RATE:g}; up where the risk "
    "rises between the two times at which theory has its first minimum and the maximum after it (or, where "
    "it has none, around its flattest point), down where it falls; z is the simulated change minus that of "
    "the limit, in standard errors, and holds the finite-size offset of order 1/d."
)
