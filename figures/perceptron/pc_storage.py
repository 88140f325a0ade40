"""Our own figure: random labels, how many are separable and with which margin."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style, thresholds
from teacherstudent.figures.kit.columns import Column, Trace, traces
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.figures.perceptron import setting
from teacherstudent.house.grids import Span
from teacherstudent.problems.perceptron import PROBLEM

ID = "pc-storage"
COUNTED = (5, 20, 100)
"""d of Cover's curves."""
SHARES = {5: 400, 20: 200}
"""Draws by d whose separability is certified."""
LOADS = Span(0.05, 3, 60, "lin")
MARKS = (1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.2, 2.4, 2.6, 2.8, 3.0)
MARGINS = Span(0.1, 1.999, 60, "lin")
SIZES = {20: 200, 80: 40}
"""Draws by d of the largest margin."""
DRAWN = {20: (0.2, 0.4, 0.6, 0.8, 1.0), 80: (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4)}
"""Loads by d at which no draw is inseparable."""
SHARE = {"long_name": "share of separable draws", "symbol": "P", "units": "1"}
LARGEST = style.Look("(b) largest margin in the limit, the inverse of $\\alpha_c(\\kappa)$", style.BLACK, "o")
SCORE = {
    "long_name": "separable draws minus Cover's count, as the normal deviate with this tail probability",
    "units": "standard errors",
}
TITLES = ("(a) Separable random labels", "(b) Largest margin")
CAPACITY = "capacity $\\alpha = 2$"


def compute(quick: bool) -> Numbers:
    """Cover's probabilities and certified shares; Gardner's margins and simulated ones."""
    from teacherstudent.theory.perceptron.separability import cover

    found: Numbers = {"limit": setting.limit(MARGINS, rule="max-stability", labels="random")}
    time = found["limit"]["time"].attrs
    for d in COUNTED:
        counts = np.unique(np.maximum(np.rint(np.array(LOADS.values()) * d), 1)).astype(int)
        found[f"cover_{d}"] = _share(counts / d, [cover(int(n), d) for n in counts], time)
    for d, draws in SHARES.items():
        found[f"certified_{d}"] = certified(d, draws_of(ID, quick, draws, setting.FEW, f"d={d}"), time)
    for d, draws in SIZES.items():
        seeds = draws_of(ID, quick, draws, setting.FEW, f"margin d={d}")
        found[f"margin_{d}"] = setting.drawn(DRAWN[d], seeds, d, rule="max-stability", labels="random")
    return found


def _share(loads: object, values: object, time: dict[str, str]) -> xr.Dataset:
    return xr.Dataset({"share": ("time", values, SHARE)}, {"time": ("time", loads, time)})


def certified(d: int, seeds: list[int], time: dict[str, str]) -> xr.Dataset:
    """The share of drawn sets that a linear program proves to be separable, of each of `MARKS`.

    The standard error is that of Cover's probability, so that none is 0.
    """
    from teacherstudent.paper_checks.perceptron.kit.separating import most_separable
    from teacherstudent.problems.perceptron.data import draw
    from teacherstudent.theory.perceptron.separability import cover

    problem = PROBLEM.instance(rule="max-stability", labels="random", d=d)
    counts = np.rint(np.array(MARKS) * d).astype(int)
    most = most_separable(draw(problem, seeds, int(counts.max())))
    exact = np.array([cover(int(n), d) for n in counts])
    found = _share(counts / d, (most[:, None] >= counts).mean(axis=0), time)
    found["share_stderr"] = ("time", np.sqrt(exact * (1 - exact) / len(seeds)))
    separable = (most[:, None] >= counts).sum(axis=0)
    found["share_minus_cover"] = ("time", scored(separable, len(seeds), exact), SCORE)
    return found.assign_attrs(n_seeds=len(seeds), d=d)


def scored(seen: np.ndarray, draws: int, chance: np.ndarray) -> np.ndarray:
    """The normal number as improbable as a count so far from its mean: 0 where that is likely."""
    from scipy import stats

    above = stats.norm.isf(stats.binom.sf(seen - 1, draws, chance))
    below = stats.norm.ppf(stats.binom.cdf(seen, draws, chance))
    return np.where(seen >= draws * chance, np.maximum(above, 0.0), np.minimum(below, 0.0))


SIMULATED = {
    20: style.Look("(b) simulated, $d$ = 20", style.ORANGE, "s"),
    80: style.Look("(b) simulated, $d$ = 80", style.BLUE, "D"),
}


def looks() -> dict[int, style.Look]:
    """Light to dark over d."""
    return style.family(COUNTED, "(a) $d$ = {}")


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Shares of separable sets and their residuals; margins and theirs."""
    shares = traces(numbers, looks(), "cover_{}", "certified_{}")
    margins = [Trace(LARGEST, numbers["limit"])]
    margins += traces(numbers, {d: SIMULATED[d] for d in SIZES}, drawn="margin_{}")
    below = {"sim. − exact\n[std. errors]": "share_minus_cover"}
    left, right = {"xlim": (0.0, 3.0), "ylim": (-0.03, 1.05)}, (0.0, 2.5)
    panels = [
        Column("time", "share", shares, TITLES[0], below, **left, degrees=None),
        Column("time", "margin", margins, TITLES[1], xlim=right, ylim=right),
    ]
    for axes in columns.draw(canvas, panels):
        thresholds.draw(axes, {2.0: CAPACITY}, 0.9)
    counts = ", ".join(f"{numbers[f'certified_{d}'].attrs['n_seeds']} of d = {d}" for d in SHARES)
    trained = ", ".join(f"{numbers[f'margin_{d}'].attrs['n_seeds']} of d = {d}" for d in SIZES)
    curves = [*looks().values(), LARGEST, *SIMULATED.values()]
    entries = [
        legends.theory("exact: (a) Cover's count at this d, (b) Gardner's limit d → ∞"),
        legends.simulation("simulation: share or mean of draws ± 1 standard error"),
        legends.band(["(b) draws of these d deviate from the limit"]),
    ]
    fixed = "labels are fair coins, inputs Gaussian, margin $\\kappa$ at $|w|^2 = d$"
    notes = (
        f"Draws: (a) {counts}, each separated or proved inseparable; "
        f"(b) {trained}. Residuals of (a): normal deviates with the probability of these counts."
    )
    legends.around(canvas, curves, entries, fixed=fixed, notes=notes)


FIGURE = Figure(
    id=ID,
    title="A perceptron stores two random labels per input",
    caption=(
        "Sets of inputs with random labels, over examples per input. (a) Share of sets that some plane "
        "through the origin separates. Cover's count is exact at every d. The share is 1/2 at two examples "
        "per input, and falls more steeply if there are more inputs. Markers: drawn sets, each with a "
        "separating plane or a proof that there is none. (b) Largest margin of all examples in the limit "
        "(Gardner). The same curve gives the number of examples per input that can be stored with a given "
        "margin. The margin vanishes at the capacity of two examples per input. Markers: students of "
        "largest margin on drawn sets, at loads so small that all sets are separable."
    ),
    paper="gardner1988",
    ref="capacity with a margin; cover1965: function counting theorem",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        LOADS=Span(0.2, 3, 5, "lin"),
        MARKS=(1.6, 2.4),
        MARGINS=Span(0.1, 1.9, 4, "lin"),
        SIZES={20: 3},
        DRAWN={20: (0.5, 1.0)},
    ),
)
