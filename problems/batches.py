"""Stochastic gradient descent on a part of the examples at a time: its clock and its options.

A step takes a batch B of b examples, w <- w - eta ((n/b) sum_B (yhat - y) x + ridge w): an unbiased estimate
of the gradient descent step on the summed loss of n examples, and equal to it for b = n. So all batch sizes
share the clock s = eta k. Where the data are fresh each step draws new examples, and n is no more than the
unit of the loss: as the field writes it, with the mean over a batch, the learning rate is n eta. Of a pool of
rows the fresh ones are the n that are drawn, each once, so one pass ends after n/b steps.

Reshuffled data are gone through in epochs of [n/b] steps; the n mod b examples that fill no batch are left
out of the epoch, as loaders do that drop the last. Every batch has b examples.

The learning rate "auto" is 1/(n (largest eigenvalue of the inputs' covariance + its trace/b)), safe for the
noise of batches too, and less with a large ridge (`house.step_sizes`). With an output penalty it is divided
by 1 + penalty, because the penalty enlarges the curvature by this factor. The covariance is that of the drawn
examples, X^T X/n; for fresh data it is the population's, or that of the whole pool.
"""

from __future__ import annotations

from collections.abc import Collection

from teacherstudent.house.domains import Choice, Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter

FRESH, REPLACEMENT, RESHUFFLED = "fresh", "replacement", "reshuffled"

BATCH = Parameter(
    "batch", "b", "examples", Whole(1), "number of examples per step; at most n unless --data is fresh", 1,
    also=("batch_size",), extensive=True,
)  # fmt: skip
DATA = Parameter(
    "data",
    "",
    "",
    Choice((FRESH, REPLACEMENT, RESHUFFLED), (("one-pass", FRESH), ("online", FRESH))),
    "fresh: new examples at every step (one pass); replacement: each batch is a new random subset of the n "
    "training examples; reshuffled: each epoch goes through all n examples once, in a new order",
    FRESH,
)

SEEN = ("training", "outputs")
"""Groups of observables on examples that are learned from again and again: fresh ones are not."""


def demand_batches(n: int, batch: int, data: str, observable: Collection[str] | None = None) -> None:
    """Raise `InputError` for batches larger than what they are taken from, and for what fresh data lack."""
    if data != FRESH and batch > n:
        raise InputError("batch", batch, f"at most n = {n} for --data {data}")
    for group in observable or ():
        if data == FRESH and group in SEEN:
            domain = f"left out with --data {FRESH}, which repeats no example, or with --data {REPLACEMENT}"
            raise InputError("observable", group, domain)


def demand_rows(n: int, batch: int, steps: float) -> None:
    """Raise `InputError` if one pass over the n rows of a pool ends before this number of steps."""
    if batch > n:
        raise InputError("batch", batch, f"at most n = {n}, the number of training rows")
    if steps > n // batch:
        domain = f"at most {n // batch} with --data {FRESH}, which uses each of the n = {n} rows only once"
        hint = f"use --data {RESHUFFLED} for more epochs, or --sampling population to draw new rows"
        raise InputError("times", f"{steps:g}", domain, hint)
