"""The law of the draws of orthogonal convolutions, from the text of `problems/orthogonal_convolution/`."""

from __future__ import annotations

from scipy import stats

from teacherstudent.problems.orthogonal_convolution import PROBLEM
from teacherstudent.problems.orthogonal_convolution.data import kernels
from tests.sampling import Drawn

DRAWN = (
    # entries N(0, init^2)
    Drawn(
        kernels,
        "kernels",
        stats.norm(0, 1.7),
        lambda: kernels(
            PROBLEM.instance(outputs=64, inputs=64, kernel_size=2, dimension=2, init=1.7), range(8)
        ),
    ),
)
