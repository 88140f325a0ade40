"""Our own figure: how far the formulas are off on real rows, and what tells it beforehand."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
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
            found[RISK] - claimed, found[f"{RISK}_stderr"], "limit of an infinite population"
        )
        drawn.append(found)
    joined = {f"{route}_shares": claims.over_n(each, LINE_SIZES) for route, each in lines.items()}
    return {**joined, "simulation_shares": claims.over_n(drawn, SIZES)}


FORMULAS = {
    "asymptotic": style.Look("limit", style.BLACK, "o"),
    "leverage": style.Look("corrected by leverages", style.BLUE, "v"),
}
POOL, CORRECTED = FORMULAS.values()
ENDLESS = style.Look("infinite\npopulation", style.VERMILION, "s")
THRESHOLD = {"color": "0.4", "lw": 0.8, "ls": ":"}
FEW = "0.8"
"""The colour of few rows."""
LEAST, MOST = 0.03, 1000.0
"""Per cent: smaller errors are drawn at the first."""
VERDICTS = ("trusted", "a band", "warning", "warning")
"""What the certificate says in each class of spread."""
ASIDE = {"asymptotic": 0.82, "leverage": 1.22}
"""Factors by which the medians are drawn off the middle of their class."""


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Sizes of errors over spread, of both formulas; a learning curve by those of pool and population."""
    style.size(canvas, residuals.tall(1) + 0.6)
    grid = canvas.add_gridspec(2, 2, height_ratios=residuals.heights(1), width_ratios=[1.5, 1])
    axes = canvas.add_subplot(grid[:, 0])
    draw_cases(axes, numbers["cases"])
    axes.set_title("(a) Errors grow with the spread of susceptibilities")
    ((upper, _),) = columns.draw_on(canvas, grid, [over_shares(numbers)], first=1)
    for look, route, at, shift in (
        (replace(POOL, label="pool"), "asymptotic", 330, (5, 8)),
        (ENDLESS, "population", 800, (-5, -5)),
    ):
        style.name(upper, numbers[f"{route}_shares"], "n", RISK, look, at, shift)
    draws, cases = numbers["cases"].attrs["n_seeds"], numbers["cases"]
    legends.around(
        canvas,
        list(FORMULAS.values()),
        [
            legends.Entry(
                "(a) median of a class ± quartiles", {**MEDIAN, "color": style.ANY.colour, "marker": "o"}
            ),
            legends.Entry("(a) thresholds of the certificate", THRESHOLD),
            legends.markers(f"(a) fewer than {few_rows()} training rows", style.Look("", FEW, "o"), 3),
            legends.simulation(f"(b) simulation: mean of {draws} drawn subsets ± 1 standard error"),
            legends.theory("(b) exact limit"),
            legends.approximation("(b) approximation: limit corrected by leverages"),
            legends.band(["real rows are not rotated at random"]),
        ],
        fixed=f"(a) {cases.sizes['point']} questions on {', '.join(SETS).replace('_', ' ')}: rows as "
        f"measured, random features, Gaussian kernels; (b) {rows.POOL} digits, {FEATURES} random features, "
        f"ridge {RIDGE:g}",
    )


MEDIAN: dict[str, Any] = {"ls": "none", "ms": 8, "mec": "white", "zorder": 5}


def draw_cases(axes: Axes, cases: xr.Dataset) -> None:
    """The size of every relative error; in each class of spread the median of each formula."""
    edges = classes()
    many = ~cases["few"].values
    axes.set(xscale="log", yscale="log", ylim=(LEAST / 1.3, MOST))
    for route, look in FORMULAS.items():
        size = abs(cases[f"off_{route}"]).clip(LEAST)
        for which, colour in ((~many, FEW), (many, look.colour)):
            dot = style.marked(replace(look, colour=colour), 3)
            axes.plot(cases["spread"][which], size[which], **dot, alpha=0.35, zorder=1 + (colour != FEW))
    inner = np.clip(edges, *axes.get_xlim())
    for (low, high), verdict in zip(itertools.pairwise(inner), VERDICTS, strict=True):
        axes.axvline(low, **THRESHOLD)
        middle, those = (
            np.sqrt(low * high),
            many & (cases["spread"].values >= low) & (cases["spread"].values < high),
        )
        axes.text(
            middle, 0.98, verdict, transform=axes.get_xaxis_transform(), ha="center", va="top", rotation=90
        )
        for route, look in FORMULAS.items() if those.any() else ():
            size = abs(cases[f"off_{route}"].values[those])
            quarter, half, three = np.quantile(size, (0.25, 0.5, 0.75))
            at = middle * ASIDE[route]
            axes.vlines(at, quarter, three, color=look.colour, lw=2.4, zorder=4)
            axes.plot(at, half, **{**MEDIAN, "color": look.colour, "marker": look.marker})
    style.powers(axes.xaxis)
    style.ticks(axes.yaxis, [0.1, 1, 10, 100])
    axes.set_xlabel("spread of the rows' susceptibilities [dimensionless]")
    axes.set_ylabel("relative error of the predicted risk [per cent]")


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
    title, name = "(b) A pool needs its own formula", "squared error on test rows"
    below, ticks = {"sim. − claim\n[std. errors]": ""}, {"y": (0.06, 0.08, 0.1, 0.12, 0.15)}
    degrees = answer.attrs["n_seeds"] - 1
    return Column("n", RISK, shown, title, below, None, name, ticks, log="y", degrees=degrees)


FIGURE = Figure(
    id=ID,
    title="Errors of the formulas on real rows grow with the spread of the rows' susceptibilities",
    caption=(
        "(a) Size of the relative error of the predicted risk on real rows, over the spread of the rows' "
        "susceptibilities. The susceptibility of a row measures how much training on this row reduces its "
        "own error. The spread is the standard deviation divided by 1 + the mean, and needs no simulation. "
        "Each point is a time of gradient flow or an inverse ridge, for a set of scikit-learn, or generated "
        "rows like those of house prices (rows as measured, random rectified features of them, a Gaussian "
        "kernel on them) and n a sixteenth, a sixth or half of the rows: the cases from which the "
        "certificate's numbers come, on other draws. Black: the limit, computed from the spectrum and the "
        "target's share in each mode; blue: the limit corrected by the rows' leverages. Large markers: "
        "medians in the classes between the thresholds of the certificate, 0.1, 0.2 and 0.4 (dotted), with "
        "quartiles. Below the first threshold the certificate trusts the corrected formula; between the "
        "first and the second it trusts the band between the two formulas; above the second it warns. The "
        f"errors are relative to the exact dynamics for each subset, averaged over {SUBSETS} subsets "
        f"({QUICK_SUBSETS} in the quick version); all points of one set and n share their subsets and move "
        "together. Grey: fewer than 30 training rows, where the formulas, which are limits, are off by some "
        f"per cent whatever the spread. (b) Ridge regression on {FEATURES} random features of digits, which "
        "are drawn without replacement from a pool: the formula of an infinite population is too low at "
        "every n, and its error grows with the share of the pool that is learned; the formula of a pool is "
        "closer. Below: simulation minus each formula, in standard errors."
    ),
    paper="hastie2022",
    ref="ridge regression on rows of a population; bodin2023 for training time; the formulas for rows of a "
    "pool and the correction by leverages are derived here",
    compute=compute,
    draw=draw,
    small=constants(rows.__name__, POOL=150)
    | constants(
        __name__, QUICK_SUBSETS=3, SETS=("wine",), FEATURES=20, SIZES=(15, 60), LINE_SIZES=(15, 30, 60)
    ),
)
