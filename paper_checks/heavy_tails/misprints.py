"""The statements about heavy tails that do not hold, as a reader needs them."""

from __future__ import annotations

from teacherstudent.paper_checks.judging.reading import Reading, Readings, relative


def of_the_batch() -> float:
    """The index of batches of 6, if it were that of batches of 5 or more."""
    import numpy as np

    from teacherstudent.paper_checks.heavy_tails.monotone import indices
    from teacherstudent.theory.heavy_tails.exact import largest_rate

    rate = np.array([0.9 * largest_rate(5, 1)])
    return relative(indices(rate, 5, 1), indices(rate, 6, 1))


def of_the_grid() -> float:
    """How many points of the grid are called heavy-tailed, over all of its points."""
    from teacherstudent.paper_checks.heavy_tails import published

    called = published.called_heavy(None)
    return relative(called == published.HEAVY, called * 0 + 1.0)


READINGS: Readings = {
    "ht-batch-always": Reading(
        r"the tail index $\alpha$ grows with the batch size $b$",
        r"it does where $\alpha \geq 1$; below it may fall",
        of_the_batch,
        "the tail index",
        "d = 1, b = 5 and 6 at 0.9 of the largest step size of b = 5",
        "limits",
        "The proof takes a moment of order at least 1; where the index is below 1 there are counterexamples.",
    ),
    "ht-published-grid": Reading(
        r"$\alpha < 2$ where the estimator says so, at $d = 100$",
        r"there $\rho > 0$: the iterates diverge, and have no tail index",
        of_the_grid,
        "the verdicts on step sizes .02 to .2 with batches 1 to 20 at d = 100",
        "d = 100",
        "falls",
        "No point of the grid has an index between 0 and 2; what falls with the step measures divergence.",
    ),
}
