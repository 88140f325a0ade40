"""Gradient starvation: features that compete under the logistic loss (pezeshki2022 ch. 6, App. .5).

A linearised network with features Phi0 (n examples, m parameters) and labels Y = diag(y) has
Y Phi0 = U S V^T (Def. 6.3.1): column j of U says how much of feature j is in each example, s_j
is its strength. The margins are y*yhat = U S V^T theta and the responses z = U^T y*yhat (6.3.4).
Losses, SUMS over the n examples with l(m) = log(1 + e^-m), and theta = 0 at time 0:

    ridge:                sum_k l(m_k) + ridge/2 |theta|^2                 (6.3.5)
    spectral decoupling:  sum_k l(m_k) + ridge/2 sum_k (m_k - shift)^2     (6.3.17 at shift = 0)

Everything depends on Phi0 through U and S alone, so V is the identity: theta has n entries and
Phi0 = U S. Each loss has a dual in alpha in (0, 1)^n, with alpha_k = sigma(-m_k) at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Matrix, Number, OrWord, Several
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter

if TYPE_CHECKING:
    import numpy as np

ORTHONORMAL = 1e-12
"""Largest entry of U^T U - I: the ends are asked for to 1e-10, and an error of U goes into them."""


FIRST = Parameter("s1", "s_1", "margin/weight", Number(0), "strength of feature 1 (two features)", 4.0)
SECOND = Parameter("s2", "s_2", "margin/weight", Number(0), "strength of feature 2 (two features)", 2.0)
COUPLING = Parameter(
    "delta",
    "delta",
    "1",
    Number(-1, 1, low_open=True, high_open=True),
    "coupling of two features: U = [[c, -delta], [delta, c]], c = sqrt(1 - delta^2)",
    0.5,
)
STRENGTHS = Parameter(
    "strengths",
    "s_j",
    "margin/weight",
    Several(Number(0)),
    "strengths of any number of features, instead of s1 and s2; except for two features, give vectors too",
    instead_of=("s1", "s2"),
)
VECTORS = Parameter(
    "vectors",
    "U",
    "1",
    Matrix(Number(), square=True),
    "orthonormal matrix U with one row per example and one column per feature, instead of delta",
    instead_of=("delta",),
)
RIDGE = Parameter(
    "ridge",
    "lambda",
    "curvature of the summed loss",
    Number(0, low_open=True),
    "coefficient of the regulariser: |theta|^2/2, or |margins - shift|^2/2 in spectral decoupling",
    0.01,
)

ALPHA0 = Parameter(
    "alpha0",
    "alpha_0",
    "1",
    Number(0, 1, low_open=True, high_open=True),
    "dual variable of every example at time 0; the default makes the initial network output about 0",
    1e-8,
)
SHIFT = Parameter(
    "shift",
    "gamma",
    "margin",
    Number(),
    "target margin of the shifted variant of spectral decoupling",
    0.0,
)
LEARNING_RATE = Parameter(
    "learning_rate",
    "eta",
    "time",
    OrWord("auto", Number(0, low_open=True)),
    "time step of the simulation (auto: chosen small compared with the inverse curvature); theory is the "
    "limit of infinitely small steps",
    "auto",
    also=("lr",),
)


OF_TWO = ("z1", "z2", "dz1_ds1sq", "dz1_ds2sq", "dz2_ds1sq", "dz2_ds2sq")
"""Observables of two features, which have names of their own instead of an axis."""

RESPONSES = ("z1", "z2", "z")


@dataclass(frozen=True)
class Starvation:
    """n examples and n features; all fields validated: build it through `PROBLEM.instance`.

    vectors: U, (n, n), rows are examples, columns features. strengths: s, (n,), at least 0, in
    the order of the columns. ridge: coefficient of the regulariser.
    """

    vectors: tuple[tuple[float, ...], ...]
    strengths: tuple[float, ...]
    ridge: float

    @property
    def n(self) -> int:
        return len(self.strengths)

    @property
    def U(self) -> np.ndarray:
        """Orthonormal (n, n): the weight of feature j (column) in example k (row)."""
        import numpy as np

        return np.array(self.vectors)

    @property
    def s(self) -> np.ndarray:
        """Strengths (n,)."""
        import numpy as np

        return np.array(self.strengths)

    def demand_full_rank(self) -> None:
        """Raise `InputError` where some s_j is zero to rounding: 6.3.18 needs S^-1.

        The limit is the usual one for a numerical rank: n eps times the largest strength.
        """
        largest, smallest = max(self.strengths), min(self.strengths)
        if smallest <= self.n * 2.0**-52 * largest:
            needed = (
                f"above {self.n} eps times the largest strength {largest:g}: spectral decoupling needs rank n"
            )
            raise InputError("strengths", smallest, needed)

    def named(self, z: np.ndarray) -> Mapping[str, np.ndarray]:
        """Responses z (T, n) under their observables' names: z1 and z2 for two features, else z."""
        return {"z1": z[..., 0], "z2": z[..., 1]} if self.n == 2 else {"z": z}


def _build(
    *,
    s1: float,
    s2: float,
    delta: float,
    strengths: tuple[float, ...] | None,
    vectors: tuple[tuple[float, ...], ...] | None,
    ridge: float,
) -> Starvation:
    strengths = (s1, s2) if strengths is None else strengths
    if vectors is None:
        if len(strengths) != 2:
            needed = "2 numbers unless --vectors is given, because delta couples two features"
            raise InputError("strengths", strengths, needed, "give --vectors for any number of features")
        c = (1 - delta**2) ** 0.5
        vectors = ((c, -delta), (delta, c))
    else:
        _demand_orthonormal(vectors)
    if len(strengths) != len(vectors):
        raise InputError("strengths", strengths, f"{len(vectors)} numbers, one for each column of vectors")
    return Starvation(vectors, strengths, ridge)


def _demand_orthonormal(vectors: tuple[tuple[float, ...], ...]) -> None:
    import numpy as np

    U = np.array(vectors)
    with np.errstate(over="ignore", invalid="ignore"):
        furthest = np.abs(U.T @ U - np.eye(len(U))).max()
    if not furthest <= ORTHONORMAL:
        raise InputError("vectors", vectors, f"orthonormal: |U^T U - 1| at most {ORTHONORMAL:g}")


def _coordinates(problem: Starvation) -> Mapping[str, Any]:
    """Features are numbered from 1; two of them have names of their own instead of an axis."""
    if problem.n == 2:
        return {}
    numbers = list(range(1, problem.n + 1))
    return {
        "feature": ("feature", numbers, {"units": "1", "long_name": "feature that responds"}),
        "strength": ("strength", numbers, {"units": "1", "long_name": "feature whose strength is varied"}),
    }


def _flow_time(objective: str) -> Parameter:
    return Parameter("time", "t", "1/learning rate", Number(0), f"flow time t = eta k of {objective}")


PROBLEM = Problem(
    id="starvation",
    title="Gradient starvation and spectral decoupling",
    source="pezeshki2022 ch. 6, App. .3-.5",
    question="Why is one feature never learned when another feature is easier?",
    parameters=(FIRST, SECOND, COUPLING, STRENGTHS, VECTORS, RIDGE),
    dynamics=(
        # alpha' = gradient of the dual objective 6.3.8; theta = S U^T alpha/ridge, z = S^2 U^T alpha/ridge.
        Dynamics("dual", _flow_time("ascent on the dual of the ridge loss"), options=(ALPHA0, LEARNING_RATE)),
        # The same ascent in the entropy metric, in margins m = log((1-alpha)/alpha), at rate ridge:
        # m' = K sigma(-m) - ridge m, K = U S^2 U^T, m = 0 at time 0, z = U^T m. Its clock is primal.
        Dynamics(
            "mirror", _flow_time("descent on the ridge loss, in the dual variables"), options=(LEARNING_RATE,)
        ),
        # theta' = -gradient of the ridge loss 6.3.5, theta = 0 at time 0; z = S theta.
        Dynamics("primal", _flow_time("descent on the ridge loss"), options=(LEARNING_RATE,)),
        # alpha' = gradient of the dual of 6.3.17: log((1-alpha)/alpha) - shift - alpha/ridge (6.3.18);
        # margins m = shift + alpha/ridge, z = U^T m. Needs rank n.
        Dynamics(
            "decoupled",
            _flow_time("ascent on the dual of the spectrally decoupled loss"),
            options=(ALPHA0, SHIFT, LEARNING_RATE),
        ),
        # theta' = -gradient of 6.3.17, theta = 0 at time 0; z = S theta. Needs rank n.
        Dynamics(
            "primal-decoupled",
            _flow_time("descent on the spectrally decoupled loss"),
            options=(SHIFT, LEARNING_RATE),
        ),
    ),
    observables=(
        Observable("z1", "z_1", "margin", "response to feature 1, U_1^T y*yhat (two features)"),
        Observable("z2", "z_2", "margin", "response to feature 2, U_2^T y*yhat (two features)"),
        Observable("z", "z_j", "margin", "response to each feature, U^T y*yhat", dims=("feature",)),
        # Of the route fixed-point alone, which every dynamics has: where it ends, whatever the time.
        Observable("dz1_ds1sq", "dz_1/ds_1^2", "1/margin", "derivative of z1 with respect to s1^2"),
        Observable("dz1_ds2sq", "dz_1/ds_2^2", "1/margin", "derivative of z1 with respect to s2^2"),
        Observable(
            "dz2_ds1sq",
            "dz_2/ds_1^2",
            "1/margin",
            "derivative of z2 with respect to s1^2; below 0: starvation",
        ),
        Observable("dz2_ds2sq", "dz_2/ds_2^2", "1/margin", "derivative of z2 with respect to s2^2"),
        Observable(
            "dz_dssq",
            "dz_j/ds_i^2",
            "1/margin",
            "derivative of each response with respect to each squared strength",
            dims=("feature", "strength"),
        ),
    ),
    build=_build,
    coordinates=_coordinates,
    observed=lambda problem, _: OF_TWO if problem.n == 2 else ("z", "dz_dssq"),
    examples=(
        {},
        {"strengths": (2.0, 1.0, 0.5), "vectors": ((0.6, -0.8, 0.0), (0.8, 0.6, 0.0), (0.0, 0.0, 1.0))},
    ),
    convention="training loss: a sum over examples, plus ridge/2 |theta|^2 (decoupled: ridge/2 |margins|^2)",
)
