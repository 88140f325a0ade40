"""The numbers of `own-kernel`: kernels on digits over training and over n, and where to stop."""

from __future__ import annotations

from collections.abc import Sequence

import xarray as xr

from teacherstudent.figures.declaration import Numbers
from teacherstudent.figures.kit.comparison import Curve, draws_of, mean_and_error
from teacherstudent.figures.measured_spectrum import claims, rows
from teacherstudent.figures.measured_spectrum.claims import RISK
from teacherstudent.house.grids import Span
from teacherstudent.house.tables import table

ID = "own-kernel"
SUBSETS, QUICK_SUBSETS = 12, 6
NOISE = 0.2
KERNELS = {"rbf": 0.02, "ntk": 0.1}
"""Each with the learning rate of gradient descent."""
TRAINED = (60, 180, 540)
"""Training rows of the curves over time, of the first kernel."""
LINES, RECORDED = Span(1, 1e5, 60), Span(1, 1e5, 11)
SIZES = (30, 60, 100, 170, 280, 430, 640)
LINE_SIZES = (30, 42, 60, 77, 100, 130, 170, 220, 280, 350, 430, 530, 640)
"""Training rows at which subsets are drawn, and at which the claims are drawn as lines."""
STEPS, END = Span(30, 3000, 61), 1e5
"""Steps among which training may stop, and the last one, of every route."""
LINE_STEPS = Span(30, 3000, 121)
"""Those for the line: so fine that it does not look like stairs."""
POOL = 800
"""Digits that are used: a kernel of all 1797 takes five times as long."""


def compute(quick: bool) -> Numbers:
    """Risk over training at several n, and over n where training stops as predicted and at its end."""
    seeds = draws_of(ID, quick, SUBSETS, QUICK_SUBSETS)
    first = next(iter(KERNELS))
    numbers: Numbers = {}
    for n in TRAINED:
        numbers |= claims.answers(f"trained_{n}", question(first, n), LINES, RECORDED, seeds)
    for kernel in KERNELS:
        found = [stopping(question(kernel, n), seeds) for n in SIZES]
        for name in found[0]:
            numbers[f"{name}_{kernel}"] = claims.over_n([each[name] for each in found], SIZES)
        claimed = [predicted(question(kernel, n)) for n in LINE_SIZES]
        for name in claimed[0]:
            numbers[f"{name}_{kernel}"] = claims.over_n([each[name] for each in claimed], LINE_SIZES)
    return numbers


def question(kernel: str, n: int) -> Curve:
    """Ten outputs, one for each digit, from a kernel of the pixels."""
    images, shown = (each[:POOL] for each in rows.digits())
    given = {"features": table(rows.unit_trace(images)), "targets": table(shown), "task": "classification"}
    training = {"n": n, "intercept": "pool", "noise": NOISE, "learning_rate": KERNELS[kernel]}
    return Curve(claims.ID, "descent", {**given, "kernel": kernel, **training})


def predicted(curve: Curve) -> Numbers:
    """Where the limit says to stop (`stop`); by each claim, the risk there (`stopped`) and at the `end`."""
    limit = curve.by("asymptotic", (*LINE_STEPS.values(), END))
    two = limit.isel(time=[int(limit[RISK][:-1].argmin("time")), -1])
    found = {"stop": xr.Dataset({"predicted": ((), two["time"].values[0], two["time"].attrs)})}
    doubt = claims.doubted(curve, two)["spread"]
    for route in claims.CLAIMS:
        answer = curve.by(route, two["time"].values).assign(spread=doubt)
        found |= {f"{route}_stopped": answer.isel(time=[0]), f"{route}_end": answer.isel(time=[1])}
    return found


def stopping(curve: Curve, seeds: Sequence[int]) -> Numbers:
    """By every route, the risk where the limit says to stop and at the end; and where draws say to stop."""
    limit, drawn = curve.by("asymptotic", STEPS), curve.by("instance", (*STEPS.values(), END), seeds)
    place = int(limit[RISK].argmin("time"))
    found = claims.doubted(curve, curve.compared(drawn.isel(time=[place, -1]), claims.CLAIMS))
    return {
        "stopping": stopping_times(drawn.isel(time=slice(-1)), place),
        "simulation_stopped": found.isel(time=[0]),
        "simulation_end": found.isel(time=[1]),
    }


def stopping_times(drawn: xr.Dataset, predicted: int) -> xr.Dataset:
    """The predicted stopping time, the place `predicted` among those of the draws, and the measured one.

    measured: where the mean risk over draws is least; from `earliest` to `latest` it is larger by less than
    two standard errors of the difference. cost: by how much the predicted time raises that risk, per cent.
    """
    mean, _ = mean_and_error(drawn[RISK])
    least = int(mean.argmin("time"))
    above, error = mean_and_error(drawn[RISK] - drawn[RISK].isel(time=least))
    level = drawn["time"].values[(above <= 2 * error).values]
    clock = drawn["time"].attrs
    percent = {"units": "per cent", "long_name": "cost of stopping as predicted", "symbol": "c"}
    return xr.Dataset(
        {
            "predicted": ((), drawn["time"].values[predicted], clock),
            "measured": ((), drawn["time"].values[least], clock),
            "earliest": ((), level.min(), clock),
            "latest": ((), level.max(), clock),
            "cost": ((), 100 * float(above[predicted] / mean[least]), percent),
            "cost_stderr": ((), 100 * float(error[predicted] / mean[least]), percent),
        },
        attrs={"n_seeds": drawn.sizes["seed"]},
    )
