"""As many examples as weights: what a mean over draws is worth there."""

from __future__ import annotations


def heavy_tailed(n: int, weights: int, ridge: float, intercept: bool = False) -> str:
    """A remark where n examples, less one for a trained intercept, are the weights or one off, without ridge.

    The smallest eigenvalue e of X^T X may then be arbitrarily close to 0, and errors late in training go like
    1/e, whose mean over draws is infinite or nearly so.
    """
    if ridge or not weights or abs(n - intercept - weights) > 1:
        return ""
    rows = f"{n} training rows" + (" and a trained intercept" if intercept else "")
    return (
        f"{rows} for {weights} weights: late in training without ridge, a few draws dominate the mean "
        "error, so its standard error is too small"
    )
