"""App. Fig. 1 of pezeshki2022: two features compete under ridge and not under spectral decoupling."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, residuals, style
from teacherstudent.figures.kit.comparison import Curve
from teacherstudent.house.grids import Span

SETTING = {"s2": 2.0, "delta": 0.5}
FIRST = (2.0, 3.0, 4.0, 5.0, 6.0)
"""Strengths s1 of the paths."""
LOCUS = Span(2.0, 6.0, 33, "lin")
"""Strengths s1 of the line that joins the ends."""
ALPHA0 = 1e-6
"""Start of the duals, an output below 0.01, and well above a learning rate: they move by steps, not leaps."""
SHARES = [i / 16 for i in range(1, 16)] + [1 - 1e-6]
"""Of a path's length: where simulations are recorded."""
SETTLED = 1e-9
"""Step-size errors below this, in margins, drown in rounding: a path has ended there."""

ERROR = {
    "units": "step-size errors",
    "symbol": "e",
    "long_name": "distance of theory and of simulation extrapolated to learning rate 0",
}
SHARE = {"units": "1", "symbol": "l", "long_name": "share of the path's length"}


@dataclass(frozen=True)
class Kind:
    """A dynamics on its own clock: regulariser, learning rate, and times that hold its whole path."""

    dynamics: str
    ridge: float
    learning_rate: float
    span: Span

    def curve(self, s1: float, **more: Any) -> Curve:
        """The question at this s1; `more` are options of the dynamics."""
        dual = {} if self.dynamics.startswith("primal") else {"alpha0": ALPHA0}
        return Curve("starvation", self.dynamics, {**SETTING, "s1": s1, "ridge": self.ridge, **dual, **more})


RIDGE, DECOUPLING = 0.01, 0.002
PANELS = {
    "ridge": (
        Kind("dual", RIDGE, 2.5e-7, Span(1e-8, 0.1, 400)),
        Kind("primal", RIDGE, 2e-3, Span(1e-5, 3e3, 400)),
    ),
    "decoupling": (
        Kind("decoupled", DECOUPLING, 1e-6, Span(1e-8, 0.5, 400)),
        Kind("primal-decoupled", DECOUPLING, 2e-3, Span(1e-5, 1e4, 400)),
    ),
}


def compute(quick: bool) -> Numbers:
    """Paths by theory and step by step, and the ends. Nothing is drawn: `quick` changes nothing."""
    numbers: Numbers = {}
    for panel, kinds in PANELS.items():
        for kind in kinds:
            for s1 in FIRST:
                numbers |= path(kind, s1)
        numbers[f"ends_{panel}"] = ends(kinds[0], FIRST)
        numbers[f"locus_{panel}"] = ends(kinds[0], LOCUS.values())
    return numbers


def path(kind: Kind, s1: float) -> Numbers:
    """One path: theory all along; simulation at equal shares of its length, with its residual.

    The step-size error of the simulation is what halving the learning rate changes, to first order in
    the rate. Taken off, it leaves the next order: far less than itself where the theory is right.
    """
    flow = kind.curve(s1).by("theory", kind.span)
    z = responses(flow)
    lengths = np.cumsum(np.hypot(*np.diff(z, axis=0, prepend=0).T))  # from the origin
    times = np.exp(np.interp(SHARES, lengths / lengths[-1], np.log(flow["time"])))
    fine, coarse = (
        kind.curve(s1, learning_rate=kind.learning_rate / part).by("simulation", times) for part in (2, 1)
    )
    step = np.linalg.norm(responses(fine) - responses(coarse), axis=-1)
    extrapolated = 2 * responses(fine) - responses(coarse)
    gap = np.linalg.norm(extrapolated - responses(kind.curve(s1).by("theory", times)), axis=-1)
    ratio = np.where(step > SETTLED, gap / step, np.nan)
    at = {"share": ("share", SHARES, SHARE)}
    name = f"{kind.dynamics}_s1_{s1:g}"
    return {
        f"theory_{name}": flow,
        f"simulation_{name}": fine.assign(error=("share", ratio, ERROR))
        .assign_coords(at)
        .assign_attrs(step_error=step.max()),
    }


def ends(kind: Kind, strengths: tuple[float, ...] | list[float]) -> xr.Dataset:
    """Where the loss is least, for each s1; both dynamics of a panel end there."""
    found = [kind.curve(s1).by("fixed-point", [0.0]).isel(time=0, drop=True) for s1 in strengths]
    attrs = {"units": "margin/weight", "symbol": "s_1", "long_name": "strength of feature 1"}
    return xr.concat(found, xr.DataArray(list(strengths), dims="s1", name="s1", attrs=attrs))


def responses(answer: xr.Dataset) -> np.ndarray:
    """z, (T, 2)."""
    return np.stack([answer["z1"], answer["z2"]], axis=-1)


TITLES = {
    "ridge": f"Ridge, $\\lambda$ = {RIDGE:g}",
    "decoupling": f"Spectral decoupling, $\\lambda$ = {DECOUPLING:g}",
}
WIDTHS = {"dual": 3.4, "primal": 1.1}
SIZES = {"dual": 6.5, "primal": 3.2}
COUPLED = {"lw": 0.9, "ls": "-.", "alpha": 0.75, "zorder": 1}
LOCUS_LINE = {"color": "0.55", "lw": 1.2, "ls": ":"}
STAR = {"ls": "none", "marker": "*", "ms": 15, "mec": "black", "mew": 0.9, "zorder": 5}


def looks() -> dict[float, style.Look]:
    """A look for each strength, the darkest for the strongest."""
    return dict(zip(FIRST, style.ordered_looks([f"$s_1$ = {s1:g}" for s1 in FIRST]), strict=True))


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A plane for each loss, above the errors of its paths."""
    style.size(canvas, 3.9)
    heights = residuals.heights(1)
    rows = canvas.subplots(2, len(PANELS), sharex="row", sharey="row", height_ratios=heights)
    for panel, plane, below in zip(PANELS, *rows, strict=True):
        draw_paths(plane, below, panel, numbers)
        plane.tick_params(labelleft=True)
        below.tick_params(labelleft=True)
    one = next(answer for name, answer in numbers.items() if name.startswith("theory_dual"))
    fixed = style.fixed(
        one,
        {**SETTING, "alpha0": ALPHA0},
        s2="strength of feature 2",
        delta="coupling",
        alpha0="dual paths from",
    )
    fixed += "; all paths start at an output of 0 and end at a star"
    largest = max(answer.attrs.get("step_error", 0) for answer in numbers.values())
    legends.around(canvas, list(looks().values()), entries(largest), fixed=fixed)


def draw_paths(plane: Axes, below: Axes, panel: str, numbers: Numbers) -> None:
    """Paths with their ends, and below the residuals of the simulated ones."""
    left: dict[style.Look, xr.DataArray] = {}
    locus, ends = numbers[f"locus_{panel}"], numbers[f"ends_{panel}"]
    plane.plot(locus["z1"], locus["z2"], **LOCUS_LINE, zorder=1)
    if panel == "decoupling":  # to compare with, as published: the same descent under ridge
        for s1, look in looks().items():
            path = numbers[f"theory_primal_s1_{s1:g}"]
            plane.plot(path["z1"], path["z2"], color=look.colour, **COUPLED)
    for kind, form in zip(PANELS[panel], WIDTHS, strict=True):
        one_path = kind.dynamics == "decoupled"
        for i, (s1, look) in enumerate(looks().items()):
            name = f"{kind.dynamics}_s1_{s1:g}"
            wider = 3.2 * (len(FIRST) - 1 - i) if one_path else 0  # so that all that coincide are seen
            style.theory(plane, numbers[f"theory_{name}"], "z1", "z2", look, lw=WIDTHS[form] + wider)
            seen, own = numbers[f"simulation_{name}"], of_form(look, form)
            shown = seen.isel(time=slice(i, -1, len(FIRST)) if one_path else slice(-1))  # last: the end
            plane.plot(shown["z1"], shown["z2"], zorder=3, **style.marked(own, SIZES[form]))
            left[own] = seen["error"]
    for s1, look in looks().items():
        plane.plot(ends["z1"].sel(s1=s1), ends["z2"].sel(s1=s1), color=look.colour, **STAR)
    sample = numbers[f"theory_{PANELS[panel][0].dynamics}_s1_{FIRST[0]:g}"]
    plane.set(xlim=(0, 10), ylim=(0, 1.95), title=TITLES[panel])
    plane.set_xlabel(style.axis_label(sample["z1"], "response to feature 1,"))
    plane.set_ylabel(style.axis_label(sample["z2"], "response to feature 2,"))
    if panel == "decoupling":
        line = {"arrowstyle": "-", "color": "0.3"}
        plane.annotate("same dual path\nfor every $s_1$", (3.2, 0.88), (1.1, 1.35), arrowprops=line)
    residuals.bounded(below, left, lowest=0)
    below.set(xlim=(0, 1.02))
    below.set_xlabel(style.axis_label(seen["share"]))
    residuals.name(below, "distance\n[step errors]")


def of_form(look: style.Look, form: str) -> style.Look:
    """White for the dual, full for the primal."""
    return replace(look, filled=form == "primal")


def entries(largest: float) -> list[legends.Entry]:
    """What lines, markers and bands are, with the largest step-size error."""
    steps = {"dual": "ascent on the dual", "primal": "descent on the loss"}
    pairs = [
        (
            legends.theory(f"theory, {form} dynamics", lw=width),
            legends.markers(f"simulation: {steps[form]}", of_form(style.ANY, form), SIZES[form]),
        )
        for form, width in WIDTHS.items()
    ]
    return [
        *(entry for pair in pairs for entry in pair),
        legends.Entry("theory: primal ridge, as on the left", COUPLED | {"color": "0.3"}),
        legends.Entry("theory: end of both paths", STAR | {"ms": 11, "color": "0.7"}),
        legends.Entry(f"theory: ends for $s_1$ = {FIRST[0]:g} to {FIRST[-1]:g}", LOCUS_LINE),
        legends.bound(f"within one step-size error (at most {largest:.1g} margin)"),
    ]


FEWER = (FIRST[0], FIRST[-1])
"""Of the strengths, for a small run."""

FIGURE = Figure(
    id="app-fig1",
    title="Under ridge a strong feature starves a weak one; under spectral decoupling it does not",
    caption=(
        "Responses z1 and z2 of two coupled features during training from an output of zero, for s2 = "
        f"{SETTING['s2']:g}, delta = {SETTING['delta']:g} and five strengths s1, 2 to 6. Left: ridge, "
        f"lambda = {RIDGE:g} (Eqs. 6.3.5, 6.3.9). A larger s1 gives a larger z1 and a smaller z2 at the "
        "end. Dual and primal dynamics take different paths to the same end (found by Newton's method; the "
        "dotted line joins the ends). The paths coincide, in a straight line, only at s1 = s2. The "
        f"primal z1 overshoots, by 1 % at s1 = 6. Right: spectral decoupling, lambda = {DECOUPLING:g} (Eqs. "
        "6.3.17-6.3.18). The dual path and the end do not depend on s1, but the primal path does. "
        "Dash-dotted: the primal paths of the left panel (the published panel has primal paths only). "
        "Solid: flows by a stiff solver. Markers: gradient ascent or descent step by step, at equal shares "
        "of each path's length. Nothing is random. Below: distance between theory and the simulation "
        "extrapolated to learning rate 0. The unit is the size of the extrapolation, that is, the "
        "change due to halving the learning rate. Inside the band (below 1) the difference can be due to "
        "the step size; no difference is shown where a path has ended. Both lambdas and delta are those of "
        "the published script; the text says U = [[.8, -.6], [.6, .8]], that is delta = .6."
    ),
    paper="pezeshki2022",
    ref="App. Fig. 1",
    compute=compute,
    draw=draw,
    small=constants(__name__, FIRST=FEWER, LOCUS=Span(*FEWER, 5, "lin")),
)
