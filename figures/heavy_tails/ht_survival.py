"""Our own figure: how often students are far from the teacher, on logarithmic axes."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.heavy_tails import setting
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import draws_of, mean_and_error, standardised
from teacherstudent.house.grids import Span
from teacherstudent.problems.heavy_tails import PROBLEM

ID = "ht-survival"
BATCH, D = 2, 3
RATES = (0.4, 0.5, 2 / 3, 0.76)
"""Step sizes: alpha from 6 to 1.2. At 2/3 it is 2, and the constant of the power law is known."""
LEVELS = Span(0.5, 2e3, 20)
DRAWS, CHAINS, BURN_IN = 16, 12000, 300
SEEN = 20
"""Students beyond a level, in all draws, from which it is shown."""
FAR = 0.05
"""Share of students beyond a level up to which slopes are compared."""
EDGE = 1.15
"""Between the outermost levels and the frame, so that their markers are whole."""
APART = 3
"""Levels between which a slope is measured, at least."""
AXES = {"symbol": "t", "long_name": "distance from the teacher", "units": "output/input"}
SHARE = {"symbol": "P(|v| > t)", "long_name": "share of students beyond", "units": "1"}


def compute(quick: bool) -> Numbers:
    """By step size: shares of students beyond each level, slopes between levels, and the power law."""
    from teacherstudent.sims.heavy_tails.sizes import log_sizes

    problem = PROBLEM.instance(batch=BATCH, d=D)
    levels = np.array(LEVELS.values())
    drawn = [
        log_sizes(problem, seed, RATES, CHAINS, BURN_IN) for seed in draws_of(ID, quick, DRAWS, setting.FEW)
    ]
    shares = np.mean(np.array(drawn)[..., None] > np.log(levels), axis=2)  # (draws, rates, levels)
    found: Numbers = {}
    alphas = setting.indices(RATES, batch=BATCH, d=D)
    for j, alpha in enumerate(alphas):
        seen = shares[:, j].sum(axis=0) * CHAINS >= SEEN
        place = {"level": ("level", levels[seen], AXES)}
        sample = xr.DataArray(shares[:, j][:, seen], dims=("seed", "level"))
        mean, error = mean_and_error(sample)
        constant = _constant(RATES[j]) if abs(alpha - 2) < 1e-9 else None
        last = mean.values[-1] * levels[seen][-1] ** alpha  # where it is not known: through the last level
        law = (constant or last) * levels[seen] ** -alpha
        data = {
            "share": mean.assign_attrs(SHARE),
            "share_stderr": error,
            "law": ("level", np.where(law < 1, law, np.nan), SHARE),
        }
        attrs = {"n_seeds": len(drawn), "index": float(alpha), "known": int(constant is not None)}
        found[f"step_{j}"] = xr.Dataset(data, place, attrs)
        found[f"slope_{j}"] = _slopes(shares[:, j][:, seen], levels[seen], float(alpha))
    return found


def _constant(rate: float) -> float:
    """Of t^-2 at the critical step size: eta^2 d noise^2/(2 b h'(2)), h' by differences of the theory."""
    from teacherstudent.theory.heavy_tails import exact

    problem = PROBLEM.instance(batch=BATCH, d=D)
    near = exact.orders(problem, np.array([1.999, 2.001]), learning_rate=rate)["log_growth"]
    return float(rate**2 * D / (2 * BATCH * (near[1] - near[0]) / 0.002))


def _slopes(shares: np.ndarray, levels: np.ndarray, alpha: float) -> xr.Dataset:
    """Minus slopes of ln P over ln t across `APART` levels where few students are, and how far they are off.

    Standard errors are jackknifed over draws: one draw may have no student beyond the last level.
    """
    few = shares.mean(axis=0) <= FAR
    shares, levels = shares[:, few], levels[few]
    reach = min(APART, levels.size - 1)

    def fall(kept: np.ndarray) -> np.ndarray:
        mean = kept.mean(axis=0)
        slopes: np.ndarray = np.log(mean[:-reach] / mean[reach:]) / np.log(levels[reach:] / levels[:-reach])
        return slopes

    left_out = np.array([fall(np.delete(shares, draw, axis=0)) for draw in range(len(shares))])
    error = np.sqrt(len(shares) - 1) * left_out.std(axis=0)
    gap, error = (xr.DataArray(each, dims="level") for each in (fall(shares) - alpha, error))
    middle = np.sqrt(levels[reach:] * levels[:-reach])
    return xr.Dataset(
        {"slope": gap + alpha, "z": standardised(gap, error, "theory")}, {"level": ("level", middle, AXES)}
    )


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Shares above, slopes between levels below."""
    steps = [numbers[f"step_{j}"] for j in range(len(RATES))]
    labels = [
        f"$\\eta$ = {rate:.3g}: $\\alpha$ = {each.attrs['index']:.2f}"
        for rate, each in zip(RATES, steps, strict=True)
    ]
    looks = style.ordered_looks(labels)
    shown = []
    for j, (look, each) in enumerate(zip(looks, steps, strict=True)):
        law, known = each[["law"]].rename(law="share"), each.attrs["known"]
        rest = numbers[f"slope_{j}"]["z"]
        shown.append(Trace(look, law if known else None, each, None if known else law, rest=rest))
    below, ends = {"slope − theory\n[std. errors]": ""}, (LEVELS.low / EDGE, LEVELS.high * EDGE)
    columns.draw(
        canvas,
        [Column("level", "share", shown, residuals=below, log="xy", xlim=ends, ylim=(3e-5, 1.5))],
    )
    entries = [
        legends.simulation("simulation: mean share of students ± 1 standard error"),
        legends.theory("theory at $\\alpha$ = 2: power law with its constant"),
        legends.approximation("approximation: $t^{-\\alpha}$ of the theory, through the last level"),
        legends.band(["slopes equal the theory's only at large $t$"]),
    ]
    fixed = (
        f"linear regression, $d$ = {D}, $b$ = {BATCH}, new examples at each step, label noise 1; "
        f"{steps[0].attrs['n_seeds']} draws of {CHAINS} students"
    )
    legends.around(canvas, looks, entries, fixed=fixed)


FIGURE = Figure(
    id=ID,
    title="Distances to the teacher have power-law tails, although the data are Gaussian",
    caption=(
        f"Share of students whose distance to the teacher exceeds t after {BURN_IN} steps, d = {D}, b = "
        f"{BATCH}. At every step size the share is a power law at large t, with the exponent that solves "
        "h(alpha) = 1. For the step size at which the variance becomes infinite (alpha = 2), theory also "
        "gives the constant of the power law (solid). Dashed: the slope of the theory, through the last "
        "level that enough students "
        "exceed. Below: slopes between levels that few students exceed, minus theory, in standard errors."
    ),
    paper="kesten1973",
    ref="tails of the stationary law of a random recursion; parameters: ours",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__, LEVELS=Span(0.3, 3, 8), CHAINS=300, BURN_IN=60, RATES=(0.5, 2 / 3), SEEN=3, FAR=0.7
    ),
)
