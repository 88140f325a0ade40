"""Our own figure: how far the formulas are off on real rows, and what tells it beforehand."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, residuals, style
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import Curve, draws_of, standardised
from teacherstudent.figures.measured_spectrum import claims, rows
from teacherstudent.figures.measured_spectrum.claims import RISK
from teacherstudent.house.tables import as_table

if TYPE_CHECKING:
    from teacherstudent.theory.measured_spectrum.evidence import Case

ID = "own-trust"
SUBSETS, QUICK_SUBSETS = 60, 10
SETS = ("digits", "breast_cancer", "diabetes", "wine", "houses")
"""Of the certificate's cases, those on these rows."""
FEATURES, RIDGE = 300, 0.01
SIZES = (100, 150, 200, 300, 400, 600, 800, 1000, 1200, 1400, 1550)
LINE_SIZES = (
    *(100, 115, 130, 150, 175, 200, 230, 265, 300, 350, 400, 450, 500, 600, 700, 800, 1000, 1200, 1400),
    1550,
)
"""Training rows at which subsets are drawn, and at which the claims are drawn as lines."""


def compute(quick: bool) -> Numbers:
    """Relative errors of every case, and the risk over n by the formulas of pool and population."""
    seeds = draws_of(ID, quick, SUBSETS, QUICK_SUBSETS)
    return {"cases": cases(seeds), **shares(seeds)}


def cases(seeds: Sequence[int]) -> xr.Dataset:
    """What the certificate was measured on (theory/measured_spectrum/evidence.py), drawn anew, by point.

    A point is a time of a question. spread: of its rows' leverages; few: whether training rows are.
    off_<route>: the claim over the mean of exact draws minus 1, per cent; stderr: one standard error of that
    mean, per cent of it.
    """
    from teacherstudent.theory.measured_spectrum import evidence

    shown = [case for case in evidence.cases() if case.name.startswith(SETS)]
    return xr.concat([one(case, seeds) for case in shown], "point", combine_attrs="drop_conflicts")


def one(case: Case, seeds: Sequence[int]) -> xr.Dataset:
    """Every time of one question."""
    problem = case.problem
    known = ("features", "targets", "task", "kernel", "n", "intercept")
    given = {name: getattr(problem, name) for name in known}
    curve = Curve(claims.ID, case.dynamics, given)
    found = curve.compared(curve.by("instance", case.times, seeds), claims.CLAIMS)
    percent = {"units": "per cent", "symbol": "o"}
    columns: dict[str, Any] = {
        "spread": ("point", claims.spread(curve, case.times), claims.SPREAD),
        "stderr": ("point", 100 * (found[f"{RISK}_stderr"] / found[RISK]).values, {"units": "per cent"}),
        "rows": ("point", [next(name for name in SETS if case.name.startswith(name))] * case.times.size),
        "dynamics": ("point", [case.dynamics] * case.times.size),
        "case": ("point", [case.name] * case.times.size),
        "few": ("point", [case.few] * case.times.size),
        "time": ("point", case.times),
    }
    for route, claim in claims.CLAIMS.items():
        off = 100 * (found[f"{RISK}_{route}"] / found[RISK] - 1).values
        columns[f"off_{route}"] = (
            "point",
            off,
            {**percent, "long_name": f"{claim} over simulation, minus 1"},
        )
    return xr.Dataset(columns, attrs={"n_seeds": len(seeds)})


def shares(seeds: Sequence[int]) -> Numbers:
    """Ridge regression on more and more of the digits, and the claims of both formulas."""
    images, _ = rows.digits()
    given = {
        "features": as_table(rows.rectified(FEATURES, images)),
        "targets": as_table(rows.parity()),
        "task": "classification",
        "intercept": "pool",
    }
    at = (1 / RIDGE,)

    def asked(n: int, **sampling: str) -> Curve:
        return Curve(claims.ID, "ridge", {**given, "n": n, **sampling})

    def endless(n: int) -> xr.Dataset:
        return asked(n, sampling="population").by("asymptotic", at)

    lines = {route: [asked(n).by(route, at) for n in LINE_SIZES] for route in claims.CLAIMS}
    lines["population"] = [endless(n) for n in LINE_SIZES]
    drawn = []
    for n in SIZES:
        found = asked(n).simulation(at, seeds, claims.CLAIMS)
        claimed = endless(n)[RISK]
        found[f"{RISK}_population"] = claimed
        found[f"{RISK}_minus_population"] = standardised(
            found[RISK] - claimed, found[f"{RISK}_stderr"], "limit of an endless population"
        )
        drawn.append(found)
    joined = {f"{route}_shares": claims.over_n(each, LINE_SIZES) for route, each in lines.items()}
    return {**joined, "simulation_shares": claims.over_n(drawn, SIZES)}


LOOKS = {
    name: style.Look(f"(a, b) {name.replace('_', ' ')}", colour, marker)
    for name, colour, marker in zip(
        SETS,
        (style.BLUE, style.ORANGE, style.GREEN, style.PURPLE, style.SKY),
        ("o", "s", "^", "D", "P"),
        strict=True,
    )
}
CORRECTED = style.Look("(c) pool, corrected by leverages", style.BLUE, "v")
POOL = style.Look("(c) limit of rows of a pool", style.BLACK, "o")
ENDLESS = style.Look("(c) limit of an endless population", style.VERMILION, "s")
TITLES = {
    "asymptotic": "(a) Limit, from spectrum and target's share",
    "leverage": "(b) Limit corrected by the rows' leverages",
}
THRESHOLD = {"color": "0.4", "lw": 0.8, "ls": ":"}
BARS = {"lw": 0.6, "alpha": 0.35}
FEW = {"color": "0.8", "zorder": 0}
"""Of few rows: in the colour of no set."""
LINEAR = 5.0
"""Per cent, up to which the scale of errors is linear."""


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Errors over spread, of both formulas; and a learning curve by the formulas of pool and population."""
    style.size(canvas, 17, 8.5)
    grid = canvas.add_gridspec(2, 3, height_ratios=residuals.heights(1))
    beside = None
    for column, (route, title) in enumerate(TITLES.items()):
        axes = canvas.add_subplot(grid[:, column], sharex=beside, sharey=beside)
        draw_cases(axes, numbers["cases"], f"off_{route}")
        axes.set_title(title)
        beside = beside or axes
    columns.draw_on(canvas, grid, [over_shares(numbers)], first=2)
    draws = numbers["cases"].attrs["n_seeds"]
    legends.around(
        canvas,
        [*LOOKS.values(), POOL, CORRECTED, ENDLESS],
        [
            legends.simulation(f"simulation: mean of {draws} drawn subsets ± 1 standard error"),
            legends.Entry(
                "(a, b) exact given each subset; filled: gradient flow; open: ridge", style.marked(style.ANY)
            ),
            legends.Entry("(a, b) thresholds of the certificate", THRESHOLD),
            legends.markers(f"(a, b) grey: n < {few_rows()}, which no number counts", **FEW),
            legends.theory("(c) exact limit, from spectrum and target's share"),
            legends.approximation("(c) corrected, averaged over rows: an approximation"),
            legends.band(["real rows are not rotated at random"]),
        ],
        columns=3,
        fixed=f"(a, b) {numbers['cases'].sizes['point']} points: rows as measured, random features and "
        f"Gaussian kernels of them; (c) {rows.POOL} digits, {FEATURES} random features, ridge {RIDGE:g}",
        notes="Numbers at the top of each class of spread: median and largest error without its sign, and "
        "median standard error of the simulation, per cent.",
    )


def draw_cases(axes: Axes, cases: xr.Dataset, name: str) -> None:
    """Relative errors with standard errors; in each class of spread the median and the largest, in words."""
    for kind, look in LOOKS.items():
        for dynamics, face in (("ridge", "white"), ("flow", look.colour)):
            of = cases.isel(point=((cases["rows"] == kind) & (cases["dynamics"] == dynamics)).values)
            many, few = (of.isel(point=(of["few"] == kind).values) for kind in (False, True))
            drawn = {**style.marked(look, 3.5), "mfc": face, "alpha": 0.7}
            axes.plot(many["spread"], many[name], **drawn)
            axes.plot(
                few["spread"],
                few[name],
                **{**drawn, **FEW, "mfc": face if dynamics == "ridge" else FEW["color"]},
            )
            low, high = many[name] - many["stderr"], many[name] + many["stderr"]
            axes.vlines(many["spread"], low, high, color=look.colour, **BARS)
    axes.axhline(0, color="0.4", lw=0.8)
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=LINEAR)
    axes.set_ylim(-100, 300)
    style.ticks(axes.yaxis, (-50, -20, -10, -5, 0, 5, 10, 20, 50))
    edges = classes()
    for edge in edges[1:-1]:
        axes.axvline(edge, **THRESHOLD)
    inner = np.clip(edges, *axes.get_xlim())
    for low, high in itertools.pairwise(inner):
        those = ((cases["spread"] >= low) & (cases["spread"] < high) & ~cases["few"]).values
        if those.any():
            words = [f"{each:.2g}" for each in summary(cases.isel(point=those), name)]
            place = (np.sqrt(low * high), 0.98)
            axes.text(*place, "\n".join(words), transform=axes.get_xaxis_transform(), ha="center", va="top")
    axes.set_xlabel("spread of the rows' susceptibilities [dimensionless]")
    axes.set_ylabel("claim over simulation, minus 1 [per cent]")


def summary(cases: xr.Dataset, name: str) -> tuple[float, float, float]:
    """Of those points the median and the largest error, without sign, and the median standard error."""
    size = abs(cases[name])
    return float(size.median()), float(size.max()), float(cases["stderr"].median())


def few_rows() -> int:
    """Training rows below which no spread tells how far the formulas are off."""
    from teacherstudent.theory.measured_spectrum.evidence import FEW

    return FEW


def classes() -> list[float]:
    """Edges of the certificate's classes of spread."""
    from teacherstudent.theory.measured_spectrum.trust import INVENTED, SURE, UNSURE

    return [0.0, SURE, UNSURE, INVENTED, float("inf")]


def over_shares(numbers: Numbers) -> Column:
    """Risk over n, all claims, and residuals of each."""
    answer, shown = numbers["simulation_shares"], []
    for look, route in ((POOL, "asymptotic"), (CORRECTED, "leverage"), (ENDLESS, "population")):
        line = {"rough" if route == "leverage" else "theory": numbers[f"{route}_shares"]}
        shown.append(Trace(look, rest=answer[f"{RISK}_minus_{route}"], **line))
    shown.append(Trace(style.ANY, drawn=answer, judged=False))
    title, name = "(c) Rows of a pool are not rows of a population", "squared error on rows not trained on"
    below, ticks = {"simulation −\nclaim\n[std. errors]": ""}, {"y": (0.06, 0.08, 0.1, 0.12, 0.15)}
    degrees = answer.attrs["n_seeds"] - 1
    return Column("n", RISK, shown, title, below, None, name, ticks, log="y", degrees=degrees)


FIGURE = Figure(
    id=ID,
    title="How far the formulas hold on real rows, and what tells it",
    caption=(
        "Relative error of the predicted risk on real rows, over the spread of the rows' susceptibilities, "
        "which needs no simulation: standard deviation over 1 + mean of what training on a row takes from "
        "its own error. Each point is a time of gradient flow or an inverse ridge, for a set of "
        "scikit-learn, or generated rows like those of house prices (rows as measured, random rectified "
        "features of them, a Gaussian kernel on them) and n a sixteenth, a sixth or half of the rows: the "
        "cases from which the certificate's numbers come, on other draws. (a) The limit, which knows "
        "spectrum and target's share; (b) corrected by the rows' leverages. Dotted: the thresholds of the "
        "certificate, 0.1, 0.2 and 0.4. Below the first the corrected formula is believed, up to the second "
        f"the band of both; above there is a warning. Exact dynamics given each subset, mean of {SUBSETS} "
        f"subsets ({QUICK_SUBSETS} in the quick version), bars one standard error; all points of one set "
        "and n share their subsets and move together. Grey: fewer than 30 training rows, where the "
        "formulas, which are limits, are off by some per cent whatever the spread. The scale is linear up "
        f"to 5 per cent. (c) Ridge regression on {FEATURES} random features of digits, which are drawn "
        "without replacement from a pool: the formula of an endless population is too low at every n, the "
        "more the larger a share of the pool is learned; that of a pool is closer. Below, simulation minus "
        "each in standard errors."
    ),
    paper="hastie2022",
    ref="ridge regression on rows of a population; bodin2023: over training; of the rows of a pool, and "
    "corrected by leverages: derived here",
    compute=compute,
    draw=draw,
    small=constants(rows.__name__, POOL=150)
    | constants(
        __name__, QUICK_SUBSETS=3, SETS=("wine",), FEATURES=20, SIZES=(15, 60), LINE_SIZES=(15, 30, 60)
    ),
)
