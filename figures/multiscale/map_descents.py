"""Our own figure: three scales of features, three descents of the risk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Figure
from teacherstudent.figures.kit import style
from teacherstudent.figures.kit.comparison import DRAWS, FEWEST, QUICK_DRAWS, Curve, draws_of
from teacherstudent.figures.multiscale import routes
from teacherstudent.house.domains import Span

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.figures.declaration import Canvas, Numbers

ID = "map-descents"
SCALES = ((50, 1.0), (27, 0.05), (23, 0.0025))
RATE = 0.25
SETTING = {"n": 110, "scales": SCALES, "learning_rate": RATE, "observable": ("parts",)}
DENSE, SPARSE = Span(1, 1e8, 240), Span(1, 1e8, 25)
WHOLE = style.Look("all features", style.BLACK, "D")


def compute(quick: bool) -> Numbers:
    """Risk and its parts by scale in the limit and by simulation, and where the risk turns."""
    curve = Curve("multiscale", "descent", SETTING)
    return {
        "asymptotic": curve.by("asymptotic", DENSE),
        "simulation": routes.simulated(curve, SPARSE, draws_of(ID, quick)),
        "turns": turns(),
    }


def turns() -> xr.Dataset:
    """Extrema of the risk of gradient flow, on the clock k = s/eta."""
    import xarray as xr

    from teacherstudent.problems.multiscale import PROBLEM
    from teacherstudent.theory.multiscale import landmarks

    found = landmarks.extrema(PROBLEM.instance(n=SETTING["n"], scales=SCALES))
    columns = {
        "time": ("turn", [turn.time / RATE for turn in found]),
        "excess_risk": ("turn", [turn.value for turn in found]),
        "is_minimum": ("turn", [turn.is_minimum for turn in found]),
    }
    return xr.Dataset(columns, attrs={"meaning": "minima and maxima of the excess risk of gradient flow"})


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """The whole risk left, what each scale contributes right, residuals below."""
    limit, simulated = numbers["asymptotic"], numbers["simulation"]
    labels = [f"{count} of strength {style.number(sigma)}" for count, sigma in SCALES]
    looks = style.ordered_looks(labels)
    grid = routes.layout(canvas, 2, 13, 7.5)
    left, right = (routes.stack(canvas, grid, column) for column in range(2))
    for turn in numbers["turns"]["time"].values:
        left[0].axvline(turn, color="0.8", lw=0.8)
    style.theory(left[0], limit, "time", "excess_risk", WHOLE)
    style.simulation(left[0], simulated, "time", "excess_risk", WHOLE)
    routes.draw_residuals(left[1:], {WHOLE: simulated}, "excess_risk")
    shares = {}
    for at, look in enumerate(looks):
        part, shares[look] = limit.isel(scale=at), simulated.isel(scale=at)
        style.theory(right[0], part, "time", "bias", look)
        style.simulation(right[0], shares[look], "time", "bias", look)
    routes.draw_residuals(right[1:], shares, "bias")
    left[0].set(title="Three descents", xscale="log", ylim=(-0.01, 0.52))
    right[0].set(title="Excess risk by scale", xscale="log", ylim=(-0.005, 0.25))
    left[0].set_ylabel(style.axis_label(limit["excess_risk"]))
    right[0].set_ylabel(style.axis_label(limit["bias"], "excess risk of a scale"))
    for axes in (left, right):
        axes[-1].set_xlabel(style.axis_label(limit["time"]))
    routes.legend(canvas, [WHOLE, *looks], shares, None)


FIGURE = Figure(
    id=ID,
    title="Three scales, three descents",
    caption=(
        "Left: excess risk of gradient descent from zero against its step k; n = 110 examples, d = 100 "
        f"features of three strengths ({', '.join(f'{m} of {s:g}' for m, s in SCALES)}), no label noise, no "
        "ridge, learning rate 0.25. Vertical lines: minima and maxima of gradient flow. Right: what the "
        "features of each strength contribute. Learning a scale first lowers its own contribution; before "
        "the slower scales are learned they act as noise, which is fitted with the weights of the scales "
        "already learned: their contribution rises until the next scale sets in. Solid: exact limit n, d -> "
        f"infinity. Markers: gradient descent on drawn data, mean of {DRAWS} draws ({QUICK_DRAWS} in the "
        f"quick version), bars one standard error of the mean. {routes.RESIDUALS}"
    ),
    paper="pezeshki2022",
    ref="Sect. 4.2.1: any spectrum",
    compute=compute,
    draw=draw,
    small=FEWEST,
)
