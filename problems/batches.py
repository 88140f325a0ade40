"""Stochastic gradient descent on a part of the examples at a time: its clock and its options.

A step takes a batch B of b examples, w <- w - eta ((n/b) sum_B (yhat - y) x + ridge w): without bias the
step of gradient descent on the summed loss of n examples, which it is where b = n. So all of them share the
clock s = eta k. Where the data are fresh each step draws new examples, and n is no more than the unit of the
loss: as the field writes it, with the mean over a batch, the learning rate is n eta. Of a pool of rows the
fresh ones are the n that are drawn, each once, so one pass ends after n/b steps.

Reshuffled data are gone through in epochs of [n/b] steps; the n mod b examples that fill no batch are left
out of the epoch, as loaders do that drop the last. Every batch has b examples.

The learning rate "auto" is 1/(n (largest eigenvalue of the inputs' covariance + its trace/b)), safe for the
noise of batches too, and less with a large ridge (`house.step_sizes`). With an output penalty it is that over
1 + penalty, by which the penalty enlarges the curvature. The covariance is that of the drawn examples,
X^T X/n, and that of their law, or of the whole pool, where data are fresh.
"""

from __future__ import annotations

from collections.abc import Collection

from teacherstudent.house.domains import Choice, Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter

FRESH, REPLACEMENT, RESHUFFLED = "fresh", "replacement", "reshuffled"

BATCH = Parameter(
    "batch", "b", "examples", Whole(1), "examples of a step; at most n unless data are fresh", 1,
    also=("batch_size",), extensive=True,
)  # fmt: skip
DATA = Parameter(
    "data",
    "",
    "",
    Choice((FRESH, REPLACEMENT, RESHUFFLED), (("one-pass", FRESH), ("online", FRESH))),
    "fresh: new examples at every step (one pass); replacement: each batch is drawn anew from the n, "
    "without repetition within it; reshuffled: all n are gone through in a new order each epoch",
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
            domain = f"absent for --data {FRESH}, where no example is seen twice; or --data {REPLACEMENT}"
            raise InputError("observable", group, domain)


def demand_rows(n: int, batch: int, steps: float) -> None:
    """Raise `InputError` where one pass over the n rows of a pool is over before so many steps."""
    if batch > n:
        raise InputError("batch", batch, f"at most n = {n}, the rows of the pool that are seen")
    if steps > n // batch:
        domain = f"at most {n // batch} for --data {FRESH}: then each of the n = {n} rows of the pool is used"
        hint = f"--data {RESHUFFLED} goes on, --sampling population draws new ones"
        raise InputError("times", f"{steps:g}", domain, hint)
