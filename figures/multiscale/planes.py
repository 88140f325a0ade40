"""What maps of multi-scale features share: a map of the limit over kappa, and the simulated spots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes
from teacherstudent.figures.kit import legends, maps
from teacherstudent.house.running import run

if TYPE_CHECKING:
    from teacherstudent.maps.stopping import Lows

FAST_SHARE = 0.7
"""p/d of every map, the setting of Fig. 4."""
SIZE = 100
"""d of simulated spots."""
THEORY_SIZE = 10**6
"""d of theory, which depends on ratios only: large, so that alpha and p/d are met exactly."""
RATE = 0.1
"""Learning rate of simulated spots: flow times are whole steps of a tenth."""

KAPPA = "condition number $\\kappa$ [dimensionless]"
ALPHA = "samples per dimension $\\alpha = n/d$ [dimensionless]"
NOISE = "label noise $\\sigma_\\epsilon$ [output]"
RIDGE = "ridge $\\lambda$ [curvature of the summed loss]"


def setting(d: int, alpha: float) -> dict[str, int]:
    """n, d and p of a problem of dimension d."""
    return {"n": max(1, round(alpha * d)), "d": d, "p": round(FAST_SHARE * d)}


def mapped(of: str, curve: str, kappa: str, other: str, alpha: float, lows: Lows | None = None) -> xr.Dataset:
    """A map of the limit over kappa and another parameter, both as NAME=LO:HI; `alpha` may be the other.

    lows: what maps of the best time and of its gain share.
    """
    from teacherstudent.maps.answer import compute_map
    from teacherstudent.maps.questions import read_map_question

    sizes: dict[str, Any] = setting(THEORY_SIZE, alpha)
    name, _, span = other.partition("=")
    if name == "alpha":
        del sizes["n"]
        low, high, *spacing = span.split(":")
        ends = (f"{round(float(end) * THEORY_SIZE)}" for end in (low, high))
        other = "n=" + ":".join([*ends, *spacing])
    asked = read_map_question("multiscale", x=f"kappa={kappa}", y=other, of=of, curve=curve, **sizes)
    answer = compute_map(asked, lows=lows)
    if name != "alpha":
        return answer
    for row in ("boundary_y", "special_y", "unknown_y"):
        answer[row] = answer[row] / THEORY_SIZE
    return answer.assign_coords(n=answer["n"] / THEORY_SIZE).rename(n="alpha").assign_attrs(y="alpha")


@dataclass(frozen=True)
class Spot:
    """A place on a map and two flow times whose difference in risk tells on which side it lies."""

    alpha: float
    values: Mapping[str, float]
    earlier: float
    later: float

    def measured(self, seeds: Sequence[int]) -> dict[str, float]:
        """Change of the excess risk between the two times.

        limit: of infinite size. claimed: as theory gives it exactly for the drawn X of the same size.
        simulated: draw by draw on the same X.
        """
        sizes = {**setting(SIZE, self.alpha), **self.values}
        steps = np.rint(np.array([self.earlier, self.later]) / RATE)
        question: dict[str, Any] = {"learning_rate": RATE, **sizes}

        def change(route: str, **more: Any) -> np.ndarray:
            risk = run("multiscale", "descent", route, steps, **question, **more)["excess_risk"].values
            return risk[..., 1] - risk[..., 0]

        drawn, exact = change("simulation", seeds=seeds), change("instance", seeds=seeds)
        return {**maps.paired(exact, drawn), "limit": float(change("asymptotic"))}


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


def mark(axes: Axes, shown: xr.Dataset, column: str, points: int, **how: Any) -> None:
    """The spots over kappa and a column, with z and whether chance allows it among so many `points`."""
    threshold = allowed(shown, points)

    def says(spot: xr.Dataset) -> str:
        z = float(spot["z"])
        return f"z = {z:+.1f} {'✓' if abs(z) <= threshold else '✗'}"

    maps.mark(axes, shown, "kappa", column, says, **how)


def allowed(shown: xr.Dataset, points: int) -> float:
    """The largest |z| that chance allows among so many points."""
    from teacherstudent.paper_checks.judging.agreement import quantile

    return quantile(points, shown.attrs["n_seeds"] - 1)


def compared(*spots: xr.Dataset) -> list[legends.Entry]:
    """What a legend says of the numbers beside all spots of a picture."""
    count = sum(each.sizes["spot"] for each in spots)
    largest = allowed(spots[0], count)
    return [
        legends.Entry(f"z: simulation − theory at d = {SIZE} [std. errors]", {"ls": "none"}),
        legends.Entry(f"✓: agreement, |z| < {largest:.1f}; ✗: disagreement", {"ls": "none"}),
        legends.Entry(f"limit − theory at d = {SIZE}: up to {offset(*spots):.2g}", {"ls": "none"}),
    ]


def offset(*spots: xr.Dataset) -> float:
    """The largest difference between the size of the spots and the limit, in the risk's unit."""
    return max(float(abs(each["claimed"] - each["limit"]).max()) for each in spots)


SPOTS = (
    f"Triangles: gradient descent simulated at d = {SIZE} with learning rate {RATE:g}. Triangles compare "
    "the risk at two times: at the first minimum of the theory and at the maximum after it, or, without a "
    "maximum, at two times around the flattest point of the curve. A triangle points up where the risk "
    "rises between these times and down where it falls. z is the simulated change minus the exact change "
    "for the same drawn X, draw by draw, in standard errors."
)
