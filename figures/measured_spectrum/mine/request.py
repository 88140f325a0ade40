"""What was asked about somebody's rows: sizes, times, and the clock of her own training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine import SIZES, SUBSETS, TRAINING_TIMES
from teacherstudent.figures.measured_spectrum.mine.budget import (
    FEWEST,
    Rows,
    affordable_sizes,
    affordable_subsets,
)
from teacherstudent.figures.measured_spectrum.mine.judging import ROUNDING
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import FIRST_SEED
from teacherstudent.house.running import run, summarise
from teacherstudent.house.tables import Table
from teacherstudent.problems.measured_spectrum import PROBLEM, MeasuredSpectrum
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.measured_spectrum.task import task_of
from teacherstudent.theory.measured_spectrum.window import PER_DECADE, Window, recording_times, window

LARGEST_SHARE = 0.9
"""Of the rows, at most: the others are for testing."""

HALVINGS = 3
MOST_SIZES = 6
"""Sizes that are looked at closely: more curves would hide each other."""

SMALLEST = 8
"""Rows of the smallest training set of the learning curve."""

FEWEST_SUBSETS, MOST_SUBSETS, ROWS_DRAWN = 10, 60, 20_000
"""Subsets of each size that are drawn, and of how many rows of the pool altogether within these bounds."""

OTHERS = 100.0
"""How much longer training is followed than the sizes need that are looked at closely: about as many rows as
modes have far slower modes, and the error of long training peaks there."""

SHORT_STEP = 0.2
"""Step size of a simulation, over the inverse curvature of the fastest direction."""


@dataclass(frozen=True)
class Request:
    """A question about rows, settled. `values` are those of the problem, without the training set's size.

    columns: of the features as they were given; constant: how many of them say nothing. given: the sizes
    that were asked for; sizes: looked at closely; grid: of the learning curve, (N,). times: flow time, or
    steps where there is a `rate`. left_out: sizes whose subsets would take too long.
    """

    values: Mapping[str, Any]
    columns: int
    constant: int
    given: tuple[int, ...]
    sizes: tuple[int, ...]
    grid: tuple[int, ...]
    times: tuple[float, ...]
    seeds: range
    rate: float | None
    loss: str
    left_out: tuple[int, ...] = ()

    @property
    def dynamics(self) -> str:
        return "descent" if self.rate else "flow"

    def problem(self, n: int) -> MeasuredSpectrum:
        """The problem of a training set of that size."""
        return _instance(n, self.values)

    def step(self, n: int) -> float:
        """Flow time of one of her steps: the step size of the summed loss."""
        if self.rate is None:
            return 1.0
        return self.rate * _share(self.loss, n, self.problem(n).outputs)

    def until(self, time: float) -> Request:
        """The same with further times up to that one, where the last is earlier."""
        last = self.times[-1]
        if time <= last:
            return self
        more = np.geomspace(last, time, 2 + int(PER_DECADE * np.log10(time / last)))[1:]
        return replace(self, times=tuple(np.unique([*self.times, *(np.rint(more) if self.rate else more)])))

    def stepping(self, n: int) -> Request:
        """The same by gradient descent, with a step a tenth of the largest that does not diverge."""
        edge = task_of(self.problem(n)).spectrum.upper_edge()
        return replace(self, rate=SHORT_STEP / (edge + self.values["ridge"]), loss="sum")

    def answer(self, n: int, route: str, times: Sequence[float] | np.ndarray) -> xr.Dataset:
        """What a route says of a training set of that size; means over subsets where it draws."""
        options: dict[str, Any] = {"learning_rate": self.step(n)} if self.rate else {}
        drawn = self.seeds if route in DRAWING else None
        found = summarise(
            run(PROBLEM.id, self.dynamics, route, times, seeds=drawn, n=n, **self.values, **options)
        )
        for name in ERRORS:
            rounding = found[name] < self.floor(n)
            for each in (name, f"{name}_stderr"):
                if each in found:
                    found[each] = found[each].where(~rounding, 0.0)
        return found

    def floor(self, n: int) -> float:
        """Errors below this are 0 to rounding."""
        data = decomposition(self.problem(n))
        return ROUNDING * float(data.power.sum() + data.residual)


DRAWING = ("instance", "simulation")
"""Routes that draw subsets."""

ERRORS = ("generalisation_error", "training_error")
"""What is 0 where it is rounding."""


def settled(
    features: Table,
    targets: Table,
    *,
    n: Sequence[int] | None = None,
    times: Span | Sequence[float] | str | None = None,
    seeds: int | None = None,
    seed: int | None = None,
    learning_rate: float | None = None,
    loss: str = "sum",
    kernel: str = "linear",
    **values: Any,
) -> Request:
    """A question with its defaults. Raises `InputError`."""
    of_rows = features.values
    constant = 0 if kernel == "given" else int(features.constant.sum())
    if values.get("standardise") and kernel == "given":
        raise InputError("standardise", "(a given kernel)", "omitted: a kernel has no columns to scale")
    if learning_rate is None and loss != "sum":
        raise InputError("loss", loss, "given together with --learning-rate, whose loss it names")
    rows = {"gram": features} if kernel == "given" else {"features": features, "kernel": kernel}
    values = {**rows, "targets": targets, **values}
    count = len(targets.values)
    problem = _instance(_largest(count), values)
    data = decomposition(problem)
    trained = problem.intercept == "trained"
    least = problem.outputs if problem.task == "classification" else 1 + trained
    wanted = _sizes(n, count, least)
    weakest = float(np.sqrt(data.eigenvalues[-1] / data.eigenvalues[0]))
    of_all = Rows(count, problem.columns, weakest)
    sizes = affordable_sizes(wanted, of_all, seeds or FEWEST) if n is None else wanted
    subsets = affordable_subsets(_subsets(count), sizes, of_all) if seeds is None else seeds
    first = FIRST_SEED.check(FIRST_SEED.default if seed is None else seed)
    asked = Request(
        values,
        of_rows.shape[1],
        constant,
        tuple(n or ()),
        sizes,
        _grid(sizes, count, least, data.eigenvalues.size + trained),
        (),
        range(first, first + SUBSETS.check(subsets)),
        learning_rate,
        loss,
        tuple(size for size in wanted if size not in sizes),
    )
    asked = _steady(asked)
    return replace(asked, times=_times(asked, times))


def _instance(n: int, values: Mapping[str, Any]) -> MeasuredSpectrum:
    """The problem of a training set of that size; what is wrong has the name that it has on the page."""
    try:
        found: MeasuredSpectrum = PROBLEM.instance(n=n, **values)
    except InputError as error:
        option = "features" if error.option == "gram" else error.option
        domain = error.domain.replace("where --gram is given", "for --kernel given")
        raise InputError(option, error.value, domain.replace("--gram", "FEATURES"), error.hint) from None
    return found


def _share(loss: str, n: int, outputs: int) -> float:
    """The gradient of the named loss over that of the summed one."""
    return {"sum": 1.0, "mean": 1.0 / n, "mse": 2.0 / (n * outputs)}[loss]


def _subsets(count: int) -> int:
    """Of few rows more subsets are drawn: they cost less, and scatter more."""
    return int(np.clip(ROWS_DRAWN // count, FEWEST_SUBSETS, MOST_SUBSETS))


def _largest(count: int) -> int:
    return max(1, int(LARGEST_SHARE * count))


def _sizes(given: Sequence[int] | None, count: int, least: int) -> tuple[int, ...]:
    """The sizes that were asked for and their doubles; by default .9 of the rows and its halves."""
    top = _largest(count)
    if given is None:
        halves = {top >> halvings for halvings in range(HALVINGS + 1)}
        return tuple(sorted(each for each in halves if each >= max(least, 2) or each == top))
    sizes = SIZES.check(tuple(given))
    for size in sizes:
        if size >= count:
            raise InputError(
                SIZES.name, size, f"below {count}, the number of rows, because the rest is for testing"
            )
    doubles = {2 * size for size in sizes if 2 * size <= top}
    found = tuple(sorted({*sizes, *doubles}))
    if len(found) > MOST_SIZES:
        found = tuple(sorted(set(sizes)))
    if len(found) > MOST_SIZES:
        raise InputError(SIZES.name, ",".join(map(str, sizes)), f"at most {MOST_SIZES} sizes")
    return found


def _grid(sizes: Sequence[int], count: int, least: int, modes: int) -> tuple[int, ...]:
    """Sizes of the learning curve: evenly in logarithm, and closely around the number of fitted modes."""
    low, high = min(max(SMALLEST, least), sizes[0]), max(_largest(count), sizes[-1])
    spread = np.geomspace(low, high, 12)
    around = np.array([0.7, 0.85, 1.0, 1.2, 1.4]) * modes
    found = np.rint(np.concatenate([spread, around[(around > low) & (around < high)]])).astype(int)
    return tuple(sorted({*found.tolist(), *sizes}))


def _times(asked: Request, given: Span | Sequence[float] | str | None) -> tuple[float, ...]:
    """The recording times: those given, or from before the error changes to after it has changed."""
    if given is not None and not isinstance(given, str):
        listed = TRAINING_TIMES.check(given)
        found = np.asarray(listed.values() if isinstance(listed, Span) else listed, dtype=float)
        found = np.unique(np.rint(found)) if asked.rate else found
        if found[-1] <= 0:
            least = "a list with one step or more" if asked.rate else "a list with a time above 0"
            raise InputError(TRAINING_TIMES.name, ",".join(f"{each:g}" for each in found), least)
        return tuple(found)
    windows = [_window(asked, size) for size in asked.sizes]
    latest = max(each.high for each in windows)
    others = min(max(_window(asked, size).high for size in asked.grid), OTHERS * latest)
    windows.append(replace(windows[0], high=max(latest, others)))
    return recording_times(windows, whole=asked.rate is not None)


def _window(asked: Request, size: int) -> Window:
    options = {"learning_rate": asked.step(size)} if asked.rate else {}
    return window(asked.problem(size), asked.dynamics, **options)


def _steady(asked: Request) -> Request:
    """The question without the sizes that nobody asked for at which gradient descent diverges.

    Raises `InputError` where it does so at one that was asked for, or at all of them.
    """
    if asked.rate is None:
        return asked
    most = {size: _largest_rate(asked, size) for size in asked.grid}
    steady = [size for size in asked.grid if asked.rate < most[size]]
    wrong = [size for size in asked.given if size not in steady]
    sizes = tuple(size for size in asked.sizes if size in steady)
    if wrong or not sizes:
        size = (wrong or asked.sizes)[0]
        domain = f"below {most[size]:.3g} for --loss {asked.loss} on {size} rows: gradient descent diverges"
        raise InputError("learning_rate", asked.rate, domain)
    return replace(asked, sizes=sizes, grid=tuple(steady))


def _largest_rate(asked: Request, size: int) -> float:
    """The learning rate at which gradient descent on so many rows diverges."""
    problem = asked.problem(size)
    edge = task_of(problem).spectrum.upper_edge() + problem.ridge
    return 2 / edge / _share(asked.loss, size, problem.outputs)
