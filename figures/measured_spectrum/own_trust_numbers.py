"""The numbers of `own-trust`: how far the formulas are off on real rows, and the spread that tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import xarray as xr

from teacherstudent.figures.declaration import Numbers
from teacherstudent.figures.kit.comparison import Curve, draws_of, standardised
from teacherstudent.figures.measured_spectrum import claims, rows
from teacherstudent.figures.measured_spectrum.claims import RISK
from teacherstudent.house.tables import table

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
        "features": table(rows.rectified(FEATURES, images)),
        "targets": table(rows.parity()),
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
