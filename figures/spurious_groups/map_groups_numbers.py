"""Numbers of `map_groups`: accuracies in the limit over two planes, and training simulated at spots.

Scales are in units of that of the core feature, gamma_c.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import constants
from teacherstudent.figures.kit import charts, maps
from teacherstudent.house.grids import Span
from teacherstudent.house.running import run

if TYPE_CHECKING:
    from teacherstudent.theory.spurious_groups.margin import MaxMargin

RATIO, SIGMA = 1.2, 0.15
"""Noise features an example, and standard deviation of the core and spurious features: as published."""
PUBLISHED = {"gamma_s": 4.0, "gamma_n": 4.0, "minority": 0.199}
ABOVE = 1.0
"""gamma_n of the upper plane: at the published 4 no tests with fresh noise go well anywhere."""
AXES = {
    "gamma_s": Span(0.125, 8, 73),
    "minority": Span(0.005, 0.5, 61, "lin"),
    "gamma_n": Span(0.0625, 8, 61),
}
PLANES = {"minority": {"gamma_n": ABOVE}, "gamma_n": {"minority": PUBLISHED["minority"]}}
"""Of each plane over gamma_s the other axis, and what is fixed."""
SPOTS = {
    "minority": ((0.5, 0.1), (2, 0.05), (2, 0.3), (4, 0.1), (4, 0.3)),
    "gamma_n": ((4, 4), (1.5, 4), (4, 0.5), (0.5, 2), (4, 1.5)),
}
"""Places (gamma_s, other) where training is simulated."""
EXAMPLES, STEPS = 250, 10_000
VISIBLE = 1e-4
"""Differences of accuracies up to here have no border drawn: both methods are as good as perfect there."""
STEP = 2.0
"""Step size of a simulated spot, in units of 1/(mean squared norm of an input)."""

SMALL = constants(
    __name__,
    AXES={name: replace(span, count=5) for name, span in AXES.items()},
    SPOTS={"minority": ((0.5, 0.1),), "gamma_n": ((4, 4),)},
    EXAMPLES=60,
    STEPS=100,
)

SYMBOLS = {"gamma_s": "gamma_s/gamma_c", "gamma_n": "gamma_n/gamma_c", "minority": "p"}
NAMES = {
    "gamma_s": "spurious against core feature",
    "gamma_n": "noise against core feature",
    "minority": "share of the minority",
}
ACCURACY = {"units": "1", "symbol": "A_w", "long_name": "worst-group accuracy"}


def plane(other: str) -> xr.Dataset:
    """Smallest accuracies of the groups in the limit, (other, gamma_s).

    zero, fresh: of ERM on tests without noise features and with fresh ones. gain: the latter minus
    that of SUBG.
    """
    grid = {name: np.array(AXES[name].values()) for name in ("gamma_s", other)}
    gamma_s, others = np.meshgrid(*grid.values())
    coordinates = {
        name: (name, values, {"units": "1", "symbol": SYMBOLS[name], "long_name": NAMES[name]})
        for name, values in grid.items()
    }
    axes = (other, "gamma_s")
    columns = {name: (axes, values, ACCURACY) for name, values in accuracies(other, gamma_s, others).items()}
    return xr.Dataset(columns, coordinates)


def accuracies(other: str, gamma_s: Any, others: Any) -> dict[str, np.ndarray]:
    """The columns of a plane at places of any shape, and `lead`, by how much the core weighs more."""
    from teacherstudent.theory.spurious_groups.margin import Ensemble, max_margin

    at = PLANES[other] | {other: others}

    def end(minority: Any, ratio: Any) -> MaxMargin:
        return max_margin(Ensemble(gamma_s, 1.0, at["gamma_n"], SIGMA, minority, ratio))

    everything = end(at["minority"], RATIO)
    subset = end(0.5, RATIO / (2 * at["minority"]))  # four groups as large as one minority, p n/2
    fresh = accuracy(everything, everything.noise)
    return {
        "zero": accuracy(everything, np.zeros_like(fresh)),
        "fresh": fresh,
        "gain": fresh - accuracy(subset, subset.noise),
        "lead": everything.core - everything.spurious,
    }


LINES = {"lead": "core and spurious feature weigh alike", "gain": "ERM and SUBG are equally good"}
"""Columns whose zeros are traced, and what they mean."""


def line(other: str, column: str, field: xr.Dataset) -> xr.Dataset:
    """Where a column of the plane is zero, traced from two neighbours on its two sides.

    gamma_s and the other, (point,); without a point where there is no such place.
    """
    from teacherstudent.maps.labelled import along_level

    plane = charts.plane_of(("gamma_s", AXES["gamma_s"]), (other, AXES[other]))

    def at(place: Mapping[str, float]) -> float:
        found = accuracies(other, np.array([place["gamma_s"]]), np.array([place[other]]))
        perfect = column == "gain" and found["fresh"][0] > 1 - VISIBLE and abs(found["gain"][0]) < VISIBLE
        return float("nan") if perfect else float(found[column][0])

    values, xs = field[column].values, field["gamma_s"].values
    changed = np.where(
        values[:, :-1] * values[:, 1:] < 0, np.abs(values[:, :-1]) + np.abs(values[:, 1:]), 0.0
    )
    row, left = np.unravel_index(changed.argmax(), changed.shape)
    points = np.zeros((0, 2))
    if changed[row, left]:
        height = plane.y.along(float(field[other].values[row]))
        ends = sorted((values[row, i], (plane.x.along(float(xs[i])), height)) for i in (left, left + 1))
        points = along_level(charts.Valued(at, plane).value, 0.0, ends[0][1], ends[1][1]).points
    named = {"gamma_s": [plane.x.value(x) for x, _ in points], other: [plane.y.value(y) for _, y in points]}
    return xr.Dataset({name: ("point", np.array(each, dtype=float)) for name, each in named.items()})


def accuracy(end: MaxMargin, noise: np.ndarray) -> np.ndarray:
    """Smallest accuracy of the groups where the logit of test noise has standard deviation `noise`."""
    from teacherstudent.theory.spurious_groups.accuracy import worst_group_accuracy

    return worst_group_accuracy(end.spurious, end.core, noise, SIGMA)


def spots(other: str, seeds: list[int]) -> xr.Dataset:
    """e_c - e_s after training at each spot of a plane: claimed, simulated, its error and z."""
    rows = [measured({"gamma_s": x, **PLANES[other], other: y}, seeds) for x, y in SPOTS[other]]
    return maps.spots(rows, n_seeds=len(seeds), first_seed=seeds[0], n=EXAMPLES, steps=STEPS)


def measured(at: dict[str, float], seeds: list[int]) -> dict[str, float]:
    """One spot: the place, and by how much the core weighs more than the spurious feature."""
    features = round(RATIO * EXAMPLES)
    question = {
        "n": EXAMPLES, "noise_features": features, "feature_std": SIGMA, "minority": at["minority"],
        "gamma_spurious": float(at["gamma_s"]), "gamma_noise": float(at["gamma_n"]),
        "step_size": STEP / (features * at["gamma_n"] ** 2 + at["gamma_s"] ** 2 + 1),
    }  # fmt: skip
    theory = run("spurious-groups", "normalised", "max-margin", [STEPS], **question)
    drawn = run("spurious-groups", "normalised", "simulation", [STEPS], seeds=seeds, **question)
    claimed = float(theory["core_weight"][0] - theory["spurious_weight"][0])
    lead = (drawn["core_weight"] - drawn["spurious_weight"]).values[:, 0]
    return {**at, **maps.score(claimed, lead)}
