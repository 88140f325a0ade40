"""What float32 and a GPU cost: R, Q and risk in float32, and weights on a CPU and on a GPU, draw by draw.

Rounding changes M = Z^T Z by one part in 10^7. Where the samples determine the student (n > d) its
modulated weights change by that times the condition number of M, and stay. Where they do not
(n < d), the directions that no sample touches drift, in proportion to the number of steps. A GPU adds the
terms of a product in another order: its weights agree up to rounding, and only if products are not taken in
a shorter format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate, within_bound
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.comparison import Found, Own, Question, Values, scaled, shifted
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Verdict
from teacherstudent.paper_checks.judging.judges import Rounding
from teacherstudent.paper_checks.multiscale import compared
from teacherstudent.paper_checks.multiscale.kit.students import (
    DETERMINED,
    closed_form,
    drawn,
    problem_of,
    simulated_weights,
)

ROUNDING = float(np.finfo(np.float32).eps)
STEPS = np.array([1.0, 10, 100, 1000, 1e4, 3e4, 1e5])
UNDETERMINED = {"n": 50, "d": 100, "p": 60, "kappa": 50.0}
SHORT = "data rounded to 11 bits, as in a GPU's default matrix products"


def measured(of: Callable[..., Values], dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """R, Q and the excess risk of students, by Eqs. 4.2.6-4.2.7."""
    draws = drawn(asked, seeds)
    modulated = draws.strengths * of(dynamics, asked, seeds)["weights"]
    d = modulated.shape[-1]
    R = np.einsum("sd,std->st", draws.teacher, modulated) / d
    risk = np.sum((draws.teacher[:, None] - modulated) ** 2, axis=-1) / (2 * d)
    return {"R": R, "Q": np.sum(modulated**2, axis=-1) / d, "excess_risk": risk}


def in_single_precision(dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """Students that are simulated in float32."""
    return measured(simulated_weights, dynamics, {**asked, "precision": "float32"}, seeds)


def without_rounding(dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """Students of the closed form."""
    return measured(closed_form, dynamics, asked, seeds)


single = partial(
    compared,
    ref="Eqs. 4.2.4-4.2.7",
    clocks={"descent": {"times": STEPS, "learning_rate": 0.2}},
    routes=(Own(in_single_precision), Own(without_rounding)),
)


@worst_of
def within_rounding(found: Found, claimed: list[Values]) -> Iterator[Verdict]:
    """|dR| <= r sqrt(Q), |dQ| <= 2 r Q and |dE| <= r sqrt(2 E Q), where r is the error of u = F w_hat

    A step errs by eps |u|, since eta M's largest eigenvalue is about 1; errors of different
    steps add up over k steps, or over as many as M's condition number, after which they decay.
    """
    for case, claim in zip(found.cases, claimed, strict=True):
        inputs = drawn(case.question, case.seeds or []).inputs
        singular, (n, d) = np.linalg.svd(inputs, compute_uv=False), inputs.shape[1:]
        condition = (singular[:, 0] / singular[:, -1]) ** 2 if n >= d else np.full(len(singular), np.inf)
        r = ROUNDING * (1 + np.minimum(STEPS, condition[:, None]))
        _, Q, risk = case.values.values()
        bound = r * np.stack([np.sqrt(Q), 2 * Q, np.sqrt(2 * risk * Q)])
        error = np.stack([np.abs(case.values[name] - claim[name]) for name in claim])
        largest = ", ".join(f"{value:.0e}" for value in error[..., -1].max(axis=-1))
        stated = f"n = {n}, d = {d}: errors of R, Q and risk after 1e5 steps are at most {largest}"
        reason = f"{stated}; bound: eps (1 + min(steps, condition number of M)) on the modulated weights"
        yield within_bound(error, bound, reason)


SIZE = single(
    id="ms-float32",
    title="float32 errors of R, Q and late risk are eps times the number of steps or the condition number",
    questions={
        "150": {"n": 150, "d": 100, "p": 60, "kappa": 50.0, "noise": 0.3, "ridge": 1e-3, "init": 0.3},
        "50": UNDETERMINED,
    },
    draws=20,
    judge=within_rounding,
    effect=Contrast(SHORT, "the effect of rounding the data to 11 bits"),
    wrong={
        SHORT: {"bits": 11},
        "one step late": {"times": shifted(1)},
        "learning rate off by 1e-3": {"learning_rate": scaled(1 + 1e-3)},
    },
)


def grows_like(exponent: float) -> Callable[[Found], tuple[float, list[Values]]]:
    """The claim: errors of R grow like steps**exponent away from the exact values."""
    return lambda found: (exponent, found.asked.claims(found, {}))


def grows(found: Found, claimed: tuple[float, list[Values]]) -> Verdict:
    """the root mean square error at the three longest times grows like the claimed power"""
    (case,), (exponent, (claim,)) = found.cases, claimed
    squares = drawn_mean((case.values["R"] - claim["R"])[:, -3:] ** 2)
    errors = np.sqrt(squares.mean)
    return at_rate(STEPS[-3:], errors, exponent, squares.stderr / (2 * errors))


GROWTH = single(
    id="ms-float32-drift",
    title="with fewer samples than features, the float32 error grows in proportion to the number of steps",
    questions={"50": UNDETERMINED},
    draws=200,
    judge=grows,
    claim=grows_like(1.0),
    wrong={
        "random-sign errors, growing like the square root of the steps": grows_like(0.5),
        "errors growing like the square of the steps": grows_like(2.0),
    },
    slow=True,
)

# On a GPU --------------------------------------------------------------------------------------------------


def no_gpu() -> str:
    """What a machine without a GPU lacks."""
    import jax

    return "" if any(device.platform == "gpu" for device in jax.devices()) else "a GPU"


def weights_on(platform: str, dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """Simulated weights, computed on the first device of that kind."""
    import jax

    device = next(device for device in jax.devices(platform) if device.platform == platform)
    with jax.default_device(device):
        return simulated_weights(dynamics, asked, seeds)


def rounding_of(asked: Question) -> np.ndarray:
    """k d for each weight, in units of the precision of float64."""
    eps = np.finfo(asked["precision"]).eps / np.finfo(float).eps
    d = problem_of(asked).d
    return np.repeat(np.array(asked["times"]) * d * eps, d)


def on_cpu(dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """Weights from a CPU."""
    return weights_on("cpu", dynamics, asked, seeds)


def on_gpu(dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """Weights from a GPU."""
    return weights_on("gpu", dynamics, asked, seeds)


CPU = Own(on_cpu)
DEVICES = compared(
    id="ms-devices",
    title="weights simulated on a GPU equal weights on a CPU up to rounding, in float64 and float32",
    ref="Eq. 4.2.4",
    clocks={"descent": {"times": (1, 2, 30, 1000, 5000), "learning_rate": 0.15}},
    questions={  # one whose steps read Z^T Z, and one whose steps read Z
        f"{n}/{precision}": {**DETERMINED, "n": n, "precision": precision}
        for n in (30, 8)
        for precision in ("float64", "float32")
    },
    routes=(CPU, Own(on_gpu)),
    draws=4,
    judge=Rounding(rounding_of, "rounding of k steps in that precision: k d eps |w|", "weight"),
    wrong={"one step late": {"route": CPU, "times": shifted(1)}, SHORT: {"route": CPU, "bits": 11}},
    lacks=no_gpu,
)

CHECKS = (SIZE, GROWTH, DEVICES)
