"""Inputs of several strengths, and sizes by their ratios: what the systems that have them share."""

from __future__ import annotations

from teacherstudent.house.domains import Number, Pairs, Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter

MOST = 10**12
"""Largest size: the limit of large sizes costs nothing to ask, but whole numbers stay exact."""

SIZE = Whole(1, MOST)
RATIO = Number(0, low_open=True)

SAMPLES = Parameter(
    "n",
    "n",
    "samples",
    SIZE,
    "number of training examples",
    150,
    also=("samples",),
    extensive=True,
)
DIMENSION = Parameter(
    "d",
    "d",
    "features",
    SIZE,
    "number of input features (two scales)",
    100,
    also=("dimension",),
    extensive=True,
)
FAST = Parameter(
    "p",
    "p",
    "features",
    Whole(0, MOST),
    "number of features of the fast scale, at most d (two scales)",
    60,
    extensive=True,
)
CONDITION = Parameter(
    "kappa",
    "kappa",
    "ratio",
    Number(1),
    "condition number sigma_max/sigma_min, the relative strength of the fast features (two scales)",
    50.0,
    also=("condition_number",),
)
SCALES = Parameter(
    "scales",
    "m_k:sigma_k",
    "features:strength",
    Pairs(SIZE, Number(0, low_open=True)),
    "any number of scales as count:sigma (number of features and their strength), instead of d, p and kappa",
    instead_of=("d", "p", "kappa"),
    extensive=True,
)
NOISE = Parameter(
    "noise", "sigma_eps", "output", Number(0), "standard deviation of the label noise", 0.0, also=("sigma",)
)
INIT = Parameter(
    "init",
    "sigma_0",
    "weight",
    Number(0),
    "standard deviation of the initial student weights",
    0.0,
    also=("sigma",),
)


def two_scales(d: int, p: int, kappa: float) -> tuple[tuple[int, float], ...]:
    """Counts and strengths of p inputs of strength 1 and d - p of 1/kappa, those that there are.

    Raises `InputError` where p > d.
    """
    if p > d:
        raise InputError("p", p, f"at most d = {d}")
    return tuple((count, sigma) for count, sigma in ((p, 1.0), (d - p, 1.0 / kappa)) if count)


def whole(name: str, ratio: float, d: int) -> int:
    """The whole number nearest to ratio d. Raises `InputError` where it is none, or too many."""
    size = ratio * d
    if not 0.5 < size <= MOST:
        raise InputError(
            name, ratio, f"such that {name} d, here {size:g}, rounds to a number from 1 to {MOST:g}"
        )
    return round(size)
