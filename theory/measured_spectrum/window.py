"""From when to when training is worth looking at: the times between which the error changes.

The error along the path of ridge regression, at z = ridge + 1/s, changes at the same times as that of
gradient flow, within a factor of a few, and costs one resolvent a time. It is computed from before the
fastest mode to after the slowest one, also for about as many training rows as modes, and cut at both ends to
where it changes. A mode that carries no target is therefore passed over unless its noise changes the error,
whatever the units of the columns are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from teacherstudent.house.domains import LARGEST
from teacherstudent.house.errors import InputError
from teacherstudent.problems.batches import FRESH, RESHUFFLED
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.columns import ratio
from teacherstudent.theory.composing import algorithm
from teacherstudent.theory.measured_spectrum.decomposition import RANK, decomposition
from teacherstudent.theory.measured_spectrum.task import task_of
from teacherstudent.theory.resolvents import resolvent
from teacherstudent.theory.spectral import batches, errors, limits
from teacherstudent.theory.spectral.compression import thinned
from teacherstudent.theory.spectral.kernels import Modes
from teacherstudent.theory.spectral.tasks import Task

NARROWEST = 1e-6
"""Least gap above zero that a spectrum's lower edge counts as having, in shares of the smallest strength."""

BEGUN, ENDED = 1e-2, 1e-3
"""Before the window the error changes by less than the first share, and less of the target is learned. After
it the error changes by less than the second share, and less of the target is not learned yet."""

PER_DECADE, SPARSER = 8, 4
"""Times in a decade in which the error changes; elsewhere one in so many of these."""

NOTHING = 1e-6
"""Share of the targets' variance: smaller changes of the error matter to nobody."""

STILL = 1e-4
"""Relative change of the error from one of these times to the next, below which nothing happens."""

NEARBY = 4
"""So many times around a change are kept as well: flow and ridge change at slightly different times."""

MOST_BATCHES = 10**5
"""Steps of batches, which simulations take one by one."""

FADING, GRADED = 1e2 * RANK, 1e9
"""Modes may be lost in the rounding of the largest where a kernel's last eigenvalue is below that share of
the first, and where the ratio of the columns' standard deviations is above that."""


@dataclass(frozen=True)
class Window:
    """Times on the clock of a dynamics from `low` to `high`, between which the error changes.

    unlearned: of the target's variance that the features express, the share that longer training, or more
    digits, would still learn. drift: relative change of the error after the window, or in its last decade,
    where it has not settled; else 0. busy: intervals in which the error changes, (B, 2).
    """

    low: float
    high: float
    unlearned: float
    drift: float
    busy: np.ndarray

    @property
    def cut(self) -> bool:
        """Whether something that matters happens after its end."""
        return self.unlearned > ENDED or self.drift > ENDED


def everything(task: Task) -> tuple[float, float]:
    """Flow times between which everything happens: before the fastest mode, after the slowest, with a margin.

    Where the lower edge is 0 the slowest modes are those of a gap that closes. Initial weights
    that no row sees are left to the ridge alone.
    """
    spectrum = task.spectrum
    strengths = spectrum.strengths[spectrum.strengths > 0]
    slowest = max(spectrum.lower_edge() or NARROWEST * strengths.min(), task.ridge)
    if task.start.any() and task.ridge and spectrum.beyond < 0:
        slowest = task.ridge
    return 0.03 / (spectrum.upper_edge() + task.ridge), 1e3 / slowest


def window(problem: MeasuredSpectrum, dynamics: str = "flow", **options: Any) -> Window:
    """The window of a problem on the clock of a dynamics with these options, as its routes take them.

    Clocks: flow time s, whole steps of `descent` and `sgd`, and the inverse of the ridge that `ridge` adds.
    Raises `InputError` for a learning rate that diverges.

    Examples:
        >>> from teacherstudent.problems.measured_spectrum import PROBLEM
        >>> modes = ((2, 1.0, 0.9), (2, 1e-8, 0.1))
        >>> found = window(PROBLEM.instance(n=20, modes=modes))
        >>> found.low < 1 / 20 < 1e8 / 20 < found.high, found.cut
        (True, False)
    """
    step, most = _clock(problem, dynamics, options)
    path = _path(problem)
    moved = (np.abs(path.error - path.whole) > BEGUN * path.whole) | (path.left < 1 - BEGUN)
    settling = (np.abs(path.error - path.error[-1]) > path.negligible) | (path.left > path.left[-1] + ENDED)
    begin = path.s[max(int(np.argmax(moved)) - 1, 0)] if moved.any() else path.s[0]
    end = path.s[min(int(np.flatnonzero(settling).max(initial=0)) + 1, path.s.size - 1)]
    low, high = begin / step, max(end, 10 * begin) / step
    if algorithm(dynamics).whole_time:
        low, high = max(1.0, np.floor(low)), max(10.0, np.ceil(high))
    low, high = float(min(low, most)), float(min(high, most))
    return Window(low, high, *_after(problem, path, high * step), path.busy() / step)


def after(problem: MeasuredSpectrum, time: float) -> tuple[float, float]:
    """`Window.unlearned` and `Window.drift` of a window that ends at that flow time."""
    return _after(problem, _path(problem), time)


def _after(problem: MeasuredSpectrum, path: _Path, time: float) -> tuple[float, float]:
    unlearned = max(path.at(time, path.left) - float(path.left[-1]), 0.0)
    before, then, last = (path.at(each, path.error) for each in (time / 10, time, path.s[-1]))
    change = abs(last - then) if time < path.s[-1] else max(then - before, 0.0)  # what falls is unlearned
    drift = change / then if change > max(ENDED * then, NOTHING * path.whole) else 0.0
    return unlearned + _lost(problem), drift


@dataclass(frozen=True)
class _Path:
    """Ridge regression at z = ridge + 1/s from before the fastest mode to after the slowest, (T,).

    error: on new rows; left: share of the target's expressed variance that is not learned; whole: the error
    at the start.
    """

    s: np.ndarray
    error: np.ndarray
    left: np.ndarray
    whole: float

    @property
    def negligible(self) -> np.ndarray:
        """Changes of the error that nobody asks about, (T,)."""
        return np.maximum(ENDED * self.error, NOTHING * self.whole)

    def at(self, time: float, values: np.ndarray) -> float:
        """One of its curves at a time, constant outside."""
        return float(np.interp(np.log(time), np.log(self.s), values))

    def busy(self) -> np.ndarray:
        """The intervals of s in which error or target change, with what is nearby, (B, 2)."""
        change = np.abs(np.diff(self.error)) / np.maximum(self.error[1:], NOTHING * self.whole)
        places = np.flatnonzero(change + np.abs(np.diff(self.left)) > STILL)
        groups = np.split(places, np.flatnonzero(np.diff(places) > 2 * NEARBY) + 1) if places.size else []
        last = self.s.size - 1
        ends = [(max(each[0] - NEARBY, 0), min(each[-1] + 1 + NEARBY, last)) for each in groups]
        return self.s[np.array(ends, dtype=int).reshape(-1, 2)]


def _path(problem: MeasuredSpectrum) -> _Path:
    task = task_of(problem)
    first, last = everything(task)
    first /= 10  # where ridge regression with one mode has changed the error by less than `BEGUN`
    s = np.geomspace(first, last, 1 + int(np.ceil(PER_DECADE * np.log10(last / first))))
    few = thinned(replace(task, power=task.power + task.start, start=0 * task.start))
    at, found = resolvent(few.spectrum, few.ridge + 1 / s), errors.at_ridge(few, few.ridge + 1 / s)
    some = few.spectrum.strengths > 0
    left = Modes.of(few, at).missed[:, some] ** 2 @ few.power[some] / (few.power[some].sum() or 1.0)
    certain = found.converged
    return _Path(s[certain], found.test[certain], left[certain], float(few.power.sum() + few.noise))


def _clock(problem: MeasuredSpectrum, dynamics: str, options: Mapping[str, Any]) -> tuple[float, float]:
    """Flow time of a step, 1 where time is flow time, and the largest time on the clock."""
    task = task_of(problem)
    if dynamics != "sgd":
        by = algorithm(dynamics)
        step = limits.of_task(task).pace(by, options) if by.whole_time else 1.0
        return step, float(LARGEST) if by.whole_time else np.inf
    batch, data = options["batch"], options["data"]
    ends = data == RESHUFFLED or (data == FRESH and problem.sampling == "pool")
    of = batches.read(problem.n, batch, data, 1.0)
    step = batches.rate(task, options["learning_rate"], batch, data, of)
    return step, float(min(MOST_BATCHES, max(1, problem.n // batch)) if ends else MOST_BATCHES)


def _lost(problem: MeasuredSpectrum) -> float:
    """The share of the target in modes that are lost in the rounding of the largest one."""
    data = decomposition(problem)
    if problem.kernel in (
        "rbf",
        "ntk",
        "gram",
    ):  # whose features express everything, unless its rank is clear
        fading = data.eigenvalues[-1] < FADING * data.eigenvalues[0]
        return data.residual / float(data.power.sum() + data.residual) if fading else 0.0
    if problem.kernel != "linear" or problem.standardise or ratio(problem.features) < GRADED:
        return 0.0
    other = decomposition(replace(problem, standardise=True))
    return max(data.residual - other.residual, 0.0) / (float(other.power.sum()) or 1.0)


def recording_times(windows: Sequence[Window], *, whole: bool = False) -> tuple[float, ...]:
    """Times from the first beginning to the last end, closely where any of these windows is busy.

    To three digits, as one would type them. whole: on a clock of whole steps.
    """
    low, high = min(each.low for each in windows), max(each.high for each in windows)
    found = np.geomspace(low, high, 1 + int(np.ceil(PER_DECADE * np.log10(high / low))))
    kept = np.arange(found.size) % SPARSER == 0
    for start, stop in np.concatenate([each.busy for each in windows]):
        kept |= (found >= start) & (found <= stop)
    kept[-1] = True
    rounded = [min(float(f"{each:.3g}"), high) for each in found[kept]]
    return tuple(np.unique(np.rint(rounded) if whole else rounded).tolist())


def chosen(
    questions: Sequence[tuple[MeasuredSpectrum, Mapping[str, Any]]], dynamics: str
) -> tuple[tuple[float, ...], str]:
    """The times to record of several questions, (instance, options) each, and what happens after the last.

    Those of new rows are those of as many Gaussian rows. Raises `InputError` where none of them is answered.
    """
    windows, refused = [], None
    for problem, options in questions:
        drawn = replace(problem, sampling="pool" if problem.sampling == "pool" else "population")
        try:
            windows.append(window(drawn, dynamics, **options))
        except InputError as error:
            refused = error
    if refused and not windows:
        raise refused
    times = recording_times(windows, whole=algorithm(dynamics).whole_time)
    worst = max(windows, key=lambda each: (each.unlearned, each.drift))
    if not worst.cut:
        return times, ""
    later = f"the error still changes by {100 * worst.drift:.2g} % or more"
    if worst.unlearned > ENDED:
        later = (
            f"{100 * worst.unlearned:.2g} % of the part of the target that features can express is not "
            "learned yet"
        )
    return times, f"times end at {times[-1]:.3g}, where {later}"
