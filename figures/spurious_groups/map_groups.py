"""Our own map: where the direction of largest margin serves every group, and where leaving data out helps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import charts, legends, maps, style
from teacherstudent.figures.kit.comparison import draws_of
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
    "gamma_s": "spurious / core feature",
    "gamma_n": "noise / core feature",
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


TRACED = {"lead": "equal weights of core and spurious feature", "gain": "ERM and SUBG are equally good"}
"""Columns whose zeros are traced, and what they mean."""


def line(other: str, column: str, field: xr.Dataset) -> xr.Dataset:
    """Where a column of the plane is zero, traced from two neighbours on its two sides.

    gamma_s and the other, (point,); without a point where there is no such place.
    """
    from teacherstudent.maps.walking import along_level

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


ID = "map-groups"
SEEDS, QUICK_SEEDS = 8, 3
COLUMNS = {
    "zero": "ERM, no noise in tests",
    "fresh": "ERM, fresh noise in tests",
    "gain": "ERM minus SUBG, fresh noise",
}


def compute(quick: bool) -> Numbers:
    """Both planes by theory, and the simulated spots on both."""
    seeds = draws_of(ID, quick, SEEDS, QUICK_SEEDS)
    found: Numbers = {}
    for other in PLANES:
        found[f"plane_{other}"] = plane(other)
        for column in TRACED:
            found[f"{column}_{other}"] = line(other, column, found[f"plane_{other}"])
        found[f"spots_{other}"] = spots(other, seeds)
    return found


LINES: dict[str, dict[str, Any]] = {
    "lead": {"color": style.BLACK, "lw": 1.8},
    "gain": {"color": style.VERMILION, "lw": 1.8, "ls": (0, (5, 1.5))},
}
SHOWN = {"zero": ("lead",), "fresh": ("lead",), "gain": ("lead", "gain")}
"""The lines of each column."""


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A row for each plane; columns: tests without noise, tests with it, and the gain over a subset."""
    style.size(canvas, 5.2)
    axes = canvas.subplots(len(PLANES), len(COLUMNS), sharex=True, sharey="row")
    for row, other in zip(axes, PLANES, strict=True):
        field = numbers[f"plane_{other}"]
        for panel, (name, title) in zip(row, COLUMNS.items(), strict=True):
            shown = draw_field(panel, field[name], other)
            panel.set_title(title)
            for line in SHOWN[name]:
                where = numbers[f"{line}_{other}"]
                panel.plot(where["gamma_s"], where[other], **LINES[line])
            if other == "minority" and name != "fresh":
                label = style.axis_label(field[name], "gain in accuracy" if name == "gain" else None)
                under = axes[:, :2] if name == "zero" else axes[:, 2]
                bar = canvas.colorbar(shown, ax=under, label=label, location="bottom", aspect=30)
                if name == "gain":
                    bar.set_ticks([-1, 0, 1], labels=["−1", "0", "1"])
        maps.mark(
            row[0], numbers[f"spots_{other}"], "gamma_s", other, lambda spot: f"{float(spot['z']):+.1f}"
        )
        row[0].set_ylabel(style.axis_label(field[other]))
        span = AXES[other]
        row[0].set_ylim(span.low, span.high)
    style.ticks(axes[0, 0].yaxis, [AXES["minority"].low, 0.1, 0.2, 0.3, 0.4, 0.5])
    style.ticks(axes[-1, 0].yaxis, *ticks("gamma_n"))
    for panel in axes[-1]:
        style.ticks(panel.xaxis, *ticks("gamma_s"))
        panel.set_xlabel(style.axis_label(field["gamma_s"]))
        panel.set_xlim(AXES["gamma_s"].low, AXES["gamma_s"].high)
    for panel in axes[-1, 1:]:
        place = PUBLISHED["gamma_s"], PUBLISHED["gamma_n"]
        panel.plot(*place, marker="*", ms=13, mfc="white", mec="black")
    spots = numbers[f"spots_{other}"]
    lines = [legends.Entry(f"theory: {words}", LINES[name]) for name, words in TRACED.items()]
    entries = [
        *lines,
        legends.spot(f"simulated: larger core weight (n = {EXAMPLES}, {spots.attrs['n_seeds']} draws)", "^"),
        legends.spot("simulated: larger spurious weight", "v"),
        legends.spot("the published setting", "*", ms=12),
        legends.Entry("numbers: simulation − limit [std. errors]", {"ls": "none"}),
    ]
    rows = "; ".join(
        f"{place} {fixed(other)}" for place, other in zip(("above", "below"), PLANES, strict=True)
    )
    common = f"{RATIO:g} noise features per example, $\\sigma$ = {SIGMA:g}; {rows}"
    legends.around(canvas, [], entries, fixed=common)


def ticks(name: str) -> tuple[list[float], list[str]]:
    """Powers of two from end to end, and their labels."""
    span = AXES[name]
    values = [2.0**power for power in range(-10, 11) if span.low <= 2.0**power <= span.high]
    return values, [f"{value:g}" if value >= 1 else f"1/{1 / value:g}" for value in values]


def fixed(other: str) -> str:
    """What a plane does not vary and the other one does."""
    ((name, value),) = PLANES[other].items()
    return f"{style.mathematics(SYMBOLS[name])} = {value:g}"


def draw_field(axes: Axes, values: xr.DataArray, other: str) -> Any:
    """Shades of an accuracy, or of a difference: linear below one per cent, logarithmic beyond."""
    from matplotlib.colors import Normalize, SymLogNorm

    gain = values.name == "gain"
    axes.set(xscale="log", yscale="linear" if other == "minority" else "log")
    shades = ("PuOr", SymLogNorm(0.01, vmin=-1, vmax=1)) if gain else ("viridis", Normalize(0, 1))
    return maps.field(axes, values, "gamma_s", other, **dict(zip(("cmap", "norm"), shades, strict=True)))


FIGURE = Figure(
    id=ID,
    title="When ERM without any balancing is good for every group",
    caption=(
        "Worst-group accuracy in the direction of largest margin, to which logistic regression without "
        "weight decay converges, in the limit of large n and d by convex Gaussian comparison. ERM uses all "
        "examples (RWG and RWY converge to the same direction). SUBG uses a subset in which all groups are "
        "as large as the smallest. Core, spurious and noise features have the scales gamma_c, gamma_s, "
        f"gamma_n, of which only ratios matter; {RATIO:g} noise features per example, sigma = {SIGMA:g}, "
        "noise of standard deviation 1. Upper row: over the share of the minority, at gamma_n = gamma_c. "
        "Lower row: over the scale of the noise, at the published minority. To the left of the black lines "
        "the core feature has a larger weight than the spurious one, and every group is better than chance "
        "without balancing. This holds where the spurious feature is not much stronger than the core, where "
        "the minority is large, or where noise is too weak to memorise the minority. Right: purple marks "
        "where ERM beats SUBG, which loses examples by balancing. ERM wins wherever the spurious feature is "
        "weaker than the core; where it is stronger, ERM wins if the minority is large or the noise weak. "
        f"Red, dashed: ERM and SUBG are equally good, except where both are perfect to {VISIBLE:g}. "
        f"Triangles: e_c - e_s, core minus spurious weight, after {STEPS} steps of normalised descent on "
        f"{EXAMPLES} examples, {SEEDS} seeds ({QUICK_SEEDS} in the quick version). Numbers: simulated minus "
        "theoretical value in standard errors, including the offsets of finite size and finite time."
    ),
    paper="pezeshki2022",
    ref="Sect. 8.5.4",
    compute=compute,
    draw=draw,
    no_residuals="each simulated spot gives its z-score",
    small=constants(__name__, QUICK_SEEDS=2) | charts.SMALL | SMALL,
)
