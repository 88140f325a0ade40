r"""Batches: the learning rate of stochastic gradient descent, and where it diverges."""

from __future__ import annotations

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.house.step_sizes import of_batches
from teacherstudent.problems.batches import FRESH, REPLACEMENT, RESHUFFLED
from teacherstudent.theory import contours
from teacherstudent.theory.spectral import one_pass, replacement
from teacherstudent.theory.spectral.tasks import Task


def automatic_rate(task: Task, batch: int, data: str, penalty: float = 0.0) -> float:
    """The learning rate "auto" of `problems.batches`, from the largest eigenvalue and the trace of the rows'
    covariance, which is that of their law where data are fresh, and else that of the n rows."""
    spectrum = task.spectrum
    trace = float(np.sum(spectrum.features * spectrum.strengths))  # d times the covariance's, of both
    largest = spectrum.alpha * float(spectrum.strengths.max()) if data == FRESH else spectrum.upper_edge()
    return float(of_batches(largest, spectrum.alpha * trace, batch, (1 + penalty) * task.ridge, penalty))


def critical_rate(task: Task, batch: int, data: str = FRESH) -> float:
    """The learning rate from which the mean square error diverges: of one pass at any size, or, for batches
    of n rows with replacement, in the limit of many rows."""
    return (replacement if data == REPLACEMENT else one_pass).critical_rate(task, batch)


def read(n: int, batch: int, data: str, last: float) -> str:
    """Which of "fresh" and "replacement" answers for such data up to step `last`.

    Reshuffled rows are fresh ones in the first epoch, whose mean one pass gives; a batch of all n rows
    descends. Raises `InputError` for later epochs.
    """
    if data != RESHUFFLED:
        return data
    if batch == n:
        return REPLACEMENT
    if last > n // batch:
        domain = f"at most n/batch = {n // batch} for --data {RESHUFFLED} on this route: one epoch"
        raise InputError("times", f"{last:g}", domain, "use --route simulation for more")
    return FRESH


def demand_redrawn(n: int, batch: int, data: str) -> None:
    """Raise `InputError` for data that are not redrawn at each step from n given rows."""
    if data == FRESH or (data == RESHUFFLED and batch < n):
        answers = "--route asymptotic (exact)" if data == FRESH else "--route simulation"
        raise InputError("data", data, f"{REPLACEMENT} on this route", f"use {answers} for --data {data}")


def rate(task: Task, asked: float | str, batch: int, data: str, of: str, penalty: float = 0.0) -> float:
    """The learning rate, from "auto" or a number, of steps on the task, in units of the problem's.

    of: as `read` says. penalty: of outputs, whose student learns 1 + penalty times as fast as that of the
    `task`. Raises `InputError` where the mean square error diverges.
    """
    automatic = isinstance(asked, str)
    eta = automatic_rate(task, batch, data, penalty) if automatic else float(asked)
    if of == REPLACEMENT and replacement.settles(task, (1 + penalty) * eta, batch):
        return eta
    most = critical_rate(task, batch, of) / (1 + penalty)
    if of == FRESH and eta < most:
        return eta
    where = "at any size" if of == FRESH else "in the limit of many rows"
    domain = f"below {most:g}, where the mean square error starts to diverge {where}"
    raise InputError("learning_rate", f"auto ({eta:g})" if automatic else eta, domain)


def held(modes: int, times: int, fresh: bool) -> float:
    """Numbers held by one pass, or by the effect of batches, for these modes and times, as measured."""
    points = modes * contours.NODES * times
    if fresh:
        return 6.0 * min(points, one_pass.SOLVED) + 20.0 * times * (modes + 4)
    return 20.0 * min(points, replacement.SOLVED) + 20.0 * times * (modes + 4)
