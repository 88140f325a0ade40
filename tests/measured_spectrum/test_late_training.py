"""Late in training of a kernel with fewer rows than modes, the limit is that of the least norm."""

from __future__ import annotations

import numpy as np

from teacherstudent.house.running import run

WINE = {"features": "wine", "targets": "wine", "kernel": "ntk", "n": 120}
"""178 rows: points of the contour lie close to the slowest of 177 modes, between many other roots."""


def test_late_flow_of_a_kernel_is_certified_and_ends_at_the_least_norm() -> None:
    late = run("measured-spectrum", "flow", "asymptotic", [3.17, 1e8], **WINE).generalisation_error
    weak = run("measured-spectrum", "ridge", "asymptotic", [1e12], **WINE).generalisation_error
    np.testing.assert_allclose(late, float(weak[0]), rtol=1e-9)
