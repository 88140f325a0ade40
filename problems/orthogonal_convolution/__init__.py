"""Orthogonal convolutions: training a kernel so that the convolution preserves norms (achour2022, wang2020).

A layer with stride S takes C channels of length S N (D = 1) or of (S N)^2 pixels (D = 2) to M channels of
length N along each dimension, periodically:

    y[m, i] = sum_c sum_u K[m, c, u] x[c, S i + u - floor(k/2)],   u in {0, ..., k-1}^D, indices modulo S N.

Its matrix A has M N^D rows and C (S N)^D columns, and should be orthogonal: orthonormal rows, A A^T = I, for
M <= C S^D, otherwise orthonormal columns, A^T A = I. Training minimises the regulariser, which does not
depend on N,

    L = |conv(K, K) - I|_F^2 - max(0, M - C S^D),
    conv(K, K)[m, n, p] = sum_c sum_u K[m, c, u + S p] K[n, c, u],   I[m, n, p] = 1 where m = n, p = 0, else 0

with p over all shifts at which the two kernels overlap. The kernel starts with entries N(0, init^2).

    flow       K' = -grad L; time is t
    descent    K <- K - learning_rate grad L; time is the step
"""

from __future__ import annotations

from functools import partial

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import Parameter
from teacherstudent.problems.orthogonal_convolution.instance import OrthogonalConvolution, build
from teacherstudent.problems.orthogonal_convolution.parameters import (
    LATEST,
    LEARNING_RATE,
    MOST_STEPS,
    PARAMETERS,
)

_error = partial(Observable, best="least")

PROBLEM = Problem(
    id="orthogonal-convolution",
    title="Orthogonal convolutions: the regulariser, and training on it alone",
    source="achour2022, wang2020",
    question="When does a convolution preserve the norm of its input?",
    parameters=PARAMETERS,
    dynamics=(
        Dynamics(
            "flow",
            Parameter("time", "t", "weight^2/loss", Number(0, LATEST), "flow time, learning rate x steps"),
            times=Span(0.01, 1, 12),
        ),
        Dynamics(
            "descent",
            Parameter("time", "j", "steps", Whole(0, MOST_STEPS), "step of gradient descent"),
            whole_time=True,
            options=(LEARNING_RATE,),
            times=Span(1, 100, 12),
        ),
    ),
    observables=(
        _error("regulariser", "L", "loss", "regulariser, a function of the kernel"),
        _error(
            "orthogonality_error", "E/N^D", "loss",
            "orthogonality error per output position, |A A^T - I|_F^2/N^D; for columns |A^T A - I|_F^2/N^D",
        ),
        Observable("largest_singular_value", "s_max", "1", "largest singular value of the layer's matrix"),
        Observable("smallest_singular_value", "s_min", "1", "smallest singular value of the layer's matrix"),
    ),
    build=build,
    examples=(
        {"init": 1e-3},
        {"outputs": 1, "inputs": 2, "kernel_size": 2, "stride": 1, "size": 3, "dimension": 2, "init": 0.1},
    ),
    convention="regulariser: a sum over channels and shifts, without a factor 1/2",
)  # fmt: skip

__all__ = ["PROBLEM", "OrthogonalConvolution"]
