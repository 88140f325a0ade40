"""Our own figure: three scales of features, three descents of the risk."""

from __future__ import annotations

import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import DRAWS, FEWEST, QUICK_DRAWS, Curve, draws_of
from teacherstudent.figures.multiscale import routes
from teacherstudent.house.grids import Span
from teacherstudent.problems.multiscale import PROBLEM

ID = "map-descents"
SCALES = ((200, 1.0), (108, 0.05), (92, 0.0025))
"""d = 400: there the mean of the risk lies .002 above its limit at the last maximum, .358; at d = 200 it is
.003, at d = 100 .005 (200, 400 and 800 draws, each to .001)."""
RATE = 0.25
SETTING = {"n": 440, "scales": SCALES, "learning_rate": RATE, "observable": ("parts",)}
DENSE, SPARSE = Span(1, 1e8, 240), Span(1, 1e8, 25)
FEW = DRAWS // 2
"""Draws, fewer than elsewhere: large ones cost more, and spread less."""
WHOLE = style.Look("all features", style.BLACK, "D")


def compute(quick: bool) -> Numbers:
    """Risk and its parts by scale in the limit and by simulation, and where the risk turns."""
    curve = Curve("multiscale", "descent", SETTING)
    return {
        "asymptotic": curve.by("asymptotic", DENSE),
        "simulation": routes.simulated(curve, SPARSE, draws_of(ID, quick, FEW)),
        "turns": turns(),
    }


def turns() -> xr.Dataset:
    """Extrema of the risk of gradient flow, on the clock k = s/eta."""
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
    shares = {look: simulated.isel(scale=at) for at, look in enumerate(looks)}
    parts = [Trace(look, limit.isel(scale=at), shares[look]) for at, look in enumerate(looks)]
    whole, scales, turns = [Trace(WHOLE, limit, simulated)], "excess risk of a scale", numbers["turns"]
    panels = [
        Column("time", "excess_risk", whole, "Three descents", routes.BELOW, log="x", ylim=(-0.01, 0.52)),
        Column(
            "time",
            "bias",
            parts,
            "Contribution of each scale",
            routes.BELOW,
            None,
            scales,
            log="x",
            ylim=(-0.005, 0.25),
        ),
    ]
    left, _ = columns.draw(canvas, panels)
    for turn in turns["time"].values:
        left[0].axvline(turn, zorder=1.5, **TURN)
    last = float(turns["time"].where(~turns["is_minimum"]).max())
    more = [legends.Entry("minima and maxima of the risk of gradient flow", TURN)]
    notes = [routes.finite_size(simulated, "excess_risk", last, "the last maximum")]
    routes.legend(canvas, [WHOLE, *looks], shares, fixed=routes.fixed(limit), more=more, notes=notes)


TURN = {"color": "0.7", "lw": 0.8}

FEWER = tuple((count // 10, sigma) for count, sigma in SCALES)

FIGURE = Figure(
    id=ID,
    title="Three scales of features give three descents",
    caption=(
        "Left: excess risk of gradient descent from zero over its step k; n = 440 examples, d = 400 "
        f"features of three strengths ({', '.join(f'{m} of {s:g}' for m, s in SCALES)}), no label noise, no "
        "ridge, learning rate 0.25. Vertical lines: minima and maxima of gradient flow. Right: contribution "
        "of the features of each strength. Learning a scale first lowers its own contribution. Slower "
        "scales act as noise until they are learned, and the weights of the scales already learned fit this "
        "noise. The contribution of these scales rises until the next scale is learned. Solid: exact limit "
        f"n, d -> infinity. Markers: gradient descent on drawn data, mean of {FEW} draws ({QUICK_DRAWS} in "
        f"the quick version), bars one standard error. {routes.RESIDUALS}"
    ),
    paper="pezeshki2022",
    ref="Sect. 4.2.1: any spectrum",
    compute=compute,
    draw=draw,
    small=FEWEST | constants(__name__, SCALES=FEWER, SETTING={**SETTING, "n": 44, "scales": FEWER}),
)
