"""Late in training of a kernel with fewer rows than modes, the limit is that of the least norm."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.house.running import run

WINE = {"features": "wine", "targets": "wine", "kernel": "ntk"}
"""178 rows: points of the contour lie close to the slowest of 177 modes, between many other roots."""


@pytest.mark.parametrize(("n", "times"), [(120, [3.17, 1e8]), (172, [1e4, 1e8]), (176, [1e5, 1e8, 1e12])])
def test_late_flow_of_a_kernel_is_certified_and_ends_at_the_least_norm(n: int, times: list[float]) -> None:
    late = run("measured-spectrum", "flow", "asymptotic", times, **WINE, n=n).generalisation_error
    weak = run("measured-spectrum", "ridge", "asymptotic", [1e12], **WINE, n=n).generalisation_error
    np.testing.assert_allclose(late, float(weak[0]), rtol=1e-8)


def test_the_end_of_least_squares_does_not_know_the_scales_of_columns() -> None:
    """More rows than columns: scales over eight decades leave every mode, and its part of the target."""
    draw = np.random.default_rng(2)
    rows = draw.standard_normal((60, 5))
    targets = rows @ draw.standard_normal((5, 1)) + draw.standard_normal((60, 1))
    ends = [
        run("measured-spectrum", "flow", "asymptotic", [1e40], features=each, targets=targets, n=20)
        for each in (rows, rows * np.geomspace(1, 1e-8, 5))
    ]
    one, other = (float(each.generalisation_error[0]) for each in ends)
    assert other == pytest.approx(one, rel=1e-7)
