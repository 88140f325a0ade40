"""Eigenvalues of drawn X^T X: exact to 1e-9 by either decomposition."""

import numpy as np
import pytest

from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw
from teacherstudent.theory.multiscale.instance import SPREAD, eigensystem

STEEP = 1e4


@pytest.mark.parametrize(("n", "kappa"), [(60, 1.0), (44, 7.0), (40, 1.0), (25, 3.0), (60, STEEP)])
def test_eigenvalues_keep_nine_digits(n: int, kappa: float) -> None:
    """Those of a decomposition of X; and the vectors with X^T Z give back X^T X."""
    draws = draw(PROBLEM.instance(n=n, d=40, p=24, kappa=kappa), range(8))
    inputs = draws.inputs * draws.strengths
    exact = np.linalg.svd(inputs, compute_uv=False) ** 2
    system = eigensystem(draws)
    found = system.eigenvalues[:, : min(n, 40)]
    np.testing.assert_allclose(found, exact, rtol=1e-9)
    assert not system.eigenvalues[:, min(n, 40) :].any()
    again = (system.vectors @ system.cross) * draws.strengths
    assert np.abs(again - np.swapaxes(inputs, -1, -2) @ inputs).max() < 1e-12 * exact.max()
    squared = np.linalg.eigvalsh(np.swapaxes(inputs, -1, -2) @ inputs)[:, ::-1][:, : min(n, 40)]
    if kappa == STEEP:  # the other way would lose them
        assert exact[:, 0].min() > SPREAD * exact[:, -1].max()
        assert np.abs(squared / exact - 1).max() > 1e-9
