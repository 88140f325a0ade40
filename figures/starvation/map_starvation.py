"""Our own map: which features starve which, and how much, over strength and coupling."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, maps, style
from teacherstudent.house.grids import Span
from teacherstudent.problems.starvation import PROBLEM

ID = "map-starvation"
SECOND, RIDGE = 2.0, 0.01
RATIOS, COUPLINGS = (0.25, 4.0), (-0.96, 0.96)
CELLS, QUICK_CELLS = 64, 32
"""Even, so that no column lies on s1 = s2, where all is zero."""
SPOTS = tuple((ratio, delta) for delta in (-0.85, -0.35, 0.2, 0.5, 0.85) for ratio in (0.4, 1.25, 2.5))
"""(s1/s2, delta) of the simulated spots."""
LONG = 40 / RIDGE
"""Time of a simulated descent: every rate is at least the ridge, and e^-40 is rounding."""

COORDINATES = {
    "ratio": {"units": "1", "symbol": "s_1/s_2", "long_name": "ratio of strengths"},
    "delta": {"units": "1", "symbol": "delta", "long_name": "coupling"},
}
SLOPE = {
    "units": "1/margin",
    "symbol": "dz_2/ds_1^2",
    "long_name": "change of z2 as feature 1 is strengthened",
}
ELASTICITY = {
    "units": "1",
    "symbol": "E_21",
    "long_name": "relative change of z2 for a relative change of s1^2",
}


def compute(quick: bool) -> Numbers:
    """Both fields and their zeros by theory, and finite differences of simulated ends at the spots."""
    cells = QUICK_CELLS if quick else CELLS
    ratios = np.array(Span(*RATIOS, cells).values())
    deltas = np.array(Span(*COUPLINGS, cells, "lin").values())
    values = np.array([[theory(ratio, delta) for ratio in ratios] for delta in deltas])
    axes = ("delta", "ratio")
    fields = xr.Dataset(
        {"slope": (axes, values[..., 0], SLOPE), "elasticity": (axes, values[..., 1], ELASTICITY)},
        {name: (name, grid, COORDINATES[name]) for name, grid in (("ratio", ratios), ("delta", deltas))},
        {"s2": SECOND, "ridge": RIDGE},
    )
    return {"fields": fields, **zeros(), "spots": simulated()}


def theory(ratio: float, delta: float) -> tuple[float, float]:
    """dz2/d(s1^2) at the exact fixed point, and its elasticity."""
    slope, z2 = slope_and_response(ratio, delta)
    return slope, slope * (ratio * SECOND) ** 2 / z2


def slope_and_response(ratio: float, delta: float) -> tuple[float, float]:
    """dz2/d(s1^2) and z2 at the exact fixed point; both are zero on the diagonal, delta = 1/sqrt 2."""
    from teacherstudent.theory.starvation import ends

    answer = ends.ridge(PROBLEM.instance(**setting(ratio, delta)), np.zeros(1))
    return float(answer["dz2_ds1sq"][0]), float(answer["z2"][0])


def setting(ratio: float, delta: float) -> dict[str, float]:
    """The parameters of a place on the map."""
    return {"s1": ratio * SECOND, "s2": SECOND, "delta": delta, "ridge": RIDGE}


def zeros() -> Numbers:
    """Where the sign changes, solved: couplings for given ratios, and ratios for given couplings."""
    from scipy.optimize import brentq

    def coupling(ratio: float, *bracket: float) -> float:
        return float(brentq(lambda delta: slope_and_response(ratio, delta)[0], *bracket, xtol=1e-14))

    def equality(delta: float) -> float:
        return float(brentq(lambda ratio: slope_and_response(ratio, delta)[0], 0.7, 1.5, xtol=1e-14))

    ratios, deltas = np.geomspace(*RATIOS, 4), np.linspace(*COUPLINGS, 4)
    along_ratio = {
        "uncoupled": ("ratio", [coupling(ratio, -0.2, 0.3) for ratio in ratios]),
        "diagonal": ("ratio", [coupling(ratio, 0.5, 0.9) for ratio in ratios]),
    }
    along_delta = {"equal": ("delta", [equality(delta) for delta in deltas])}
    return {
        "zeros_ratio": xr.Dataset(along_ratio, {"ratio": ratios}),
        "zeros_delta": xr.Dataset(along_delta, {"delta": deltas}),
    }


def simulated() -> xr.Dataset:
    """dz2/d(s1^2) by gradient descent to the end with s1^2 a little larger and smaller."""
    from teacherstudent.sims.starvation.slopes import CHANGE, response_slopes

    problems = [PROBLEM.instance(**setting(*spot)) for spot in SPOTS]
    slopes = response_slopes(problems, "primal", LONG)[:, 1, 0]
    claimed = np.array([theory(*spot)[0] for spot in SPOTS])
    ratio, delta = np.transpose(SPOTS)
    columns = {"ratio": ratio, "delta": delta, "simulated": slopes, "claimed": claimed}
    columns["relative_error"] = slopes / claimed - 1
    return xr.Dataset({name: ("spot", column) for name, column in columns.items()}, attrs={"change": CHANGE})


TOUCHED = {"color": "0.4", "lw": 1.0, "ls": ":"}
"""Where the derivative vanishes without a change of its sign: two of its factors do so at once."""


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """The derivative above, with spots; the elasticity below."""
    from matplotlib.colors import SymLogNorm

    style.size(canvas, 5)
    upper, lower = canvas.subplots(2, 1, sharex=True, sharey=True)
    fields = numbers["fields"]
    for axes, name, linear, label in (
        (upper, "slope", 1e-4, "$\\partial z_2/\\partial s_1^2$ [1/margin]"),
        (lower, "elasticity", 1e-3, "$E_{21} = (s_1^2/z_2)\\,\\partial z_2/\\partial s_1^2$ [dimensionless]"),
    ):
        norm = SymLogNorm(linear, vmin=-10, vmax=10)  # linear up to there, logarithmic beyond
        shown = maps.field(axes, fields[name], "ratio", "delta", cmap="PuOr", norm=norm)
        ticks = [-10, -0.1, -0.001, 0.001, 0.1, 10]  # each power of ten would be too many
        canvas.colorbar(shown, ax=axes, label=label, ticks=ticks, format="%g")
    fixed = f"two features, $s_2$ = {SECOND:g}, $\\lambda$ = {RIDGE:g}"
    upper.set_title(f"Change of $z_2$ as feature 1 grows stronger\n{fixed}")
    lower.set_title(f"Relative change of $z_2$\n{fixed}")
    equal, along = numbers["zeros_delta"], numbers["zeros_ratio"]
    line = {"color": style.BLACK, **style.THEORY}
    for axes, crossed in ((upper, ("uncoupled", "diagonal")), (lower, ("uncoupled",))):
        axes.plot(equal["equal"], equal["delta"], **line)
        for name in crossed:
            axes.plot(along["ratio"], along[name], **line)
        axes.set(xscale="log", xlim=RATIOS, ylim=COUPLINGS)
        style.ticks(axes.xaxis, [0.25, 0.5, 1, 2, 4])
        axes.set_xlabel("ratio of strengths $s_1/s_2$ [dimensionless]")
    root = 0.5**0.5
    upper.set_yticks([-root, -0.5, 0, 0.5, root], ["$-1/\\sqrt{2}$", "−0.5", "0", "0.5", "$1/\\sqrt{2}$"])
    for axes in (upper, lower):
        axes.set_ylabel("coupling $\\delta$ [dimensionless]")
    maps.mark(upper, numbers["spots"], "ratio", "delta", error, **maps.ASIDE)
    for x in (0.42, 2.2):
        for y in (0.5, -0.5):
            at = fields["elasticity"].sel(ratio=x, delta=y, method="nearest")
            word = "grows" if at > 0 else "shrinks"
            word += " as $s_1$ grows"
            lower.text(x, y, f"$|z_2|$ {word}", ha="center", va="center", bbox=maps.PALE)
    for axes in (upper, lower):
        axes.axhline(-root, **TOUCHED)
    entries = [
        legends.area("theory: negative", "#e08214"),
        legends.area("theory: positive", "#8073ac"),
        legends.theory("theory: change of sign", style.BLACK),
        legends.Entry("theory: zero without a change of sign", TOUCHED),
        legends.spot("simulated: $z_2$ falls as $s_1$ grows", "v"),
        legends.spot("simulated: $z_2$ rises as $s_1$ grows", "^"),
        legends.Entry("numbers: (simulated − theory)/theory", {"ls": "none"}),
    ]
    legends.draw(canvas, entries)


def error(spot: xr.Dataset) -> str:
    """The relative error of a simulated spot."""
    return f"{float(spot['relative_error']):+.0e}".replace("-", "−")


FIGURE = Figure(
    id=ID,
    title="For which strengths and couplings one feature starves the other",
    caption=(
        "The maps show how the final response z2 changes as feature 1 grows stronger. The axes are the ratio "
        f"of strengths and the coupling of two features, trained with ridge; s2 = {SECOND:g}, lambda = "
        f"{RIDGE:g}. Above: exact derivative with respect to the squared strength. For s1 > s2 and 0 < delta "
        "< 1/sqrt(2) this derivative is negative, as Thm. 6.3.5 states. Across each black line, where "
        "theory is zero, the sign changes. At delta = 1/sqrt(2) z2 itself changes sign, and the sign of a "
        "singular vector is arbitrary. Below, therefore: the elasticity (s1^2/z2) dz2/d(s1^2), which is "
        "negative where |z2| shrinks. The elasticity is negative exactly for positive couplings if s1 > s2, "
        "and for negative couplings if s1 < s2. Colours are linear near zero and logarithmic beyond. "
        "Triangles: central differences of the ends of gradient descent, with s1^2 changed by one part in a "
        "thousand in both directions. Nothing is random. The number next to each triangle is its relative "
        "error, expected near the square of that change, 1e-6."
    ),
    paper="pezeshki2022",
    ref="Thm. 6.3.5, Def. 6.3.2",
    compute=compute,
    draw=draw,
    no_residuals="nothing is random: each simulated spot gives its relative error",
    small=constants(__name__, QUICK_CELLS=8),
)
