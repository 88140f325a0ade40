"""The same numbers on a CPU and on a GPU: simulated weights, step by step, in both precisions.

The two add the terms of a product in another order, so they agree up to rounding, and only if a
GPU's products are not taken in a shorter format. Where there is no GPU this check is not run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import equal_after_steps
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.paper_checks.multiscale.kit.students import DETERMINED, rounded_inputs
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw

SHAPES = (DETERMINED, replace(DETERMINED, n=8))
"""One whose steps read Z^T Z, and one whose steps read Z."""
STEPS = np.array([1.0, 2, 30, 1000, 5000])
RATE = 0.15
PRECISIONS = ("float64", "float32")


def no_gpu() -> str:
    """What a machine without a GPU lacks."""
    import jax

    return "" if any(device.platform == "gpu" for device in jax.devices()) else "a GPU"


def gpu() -> Any:
    """The first GPU."""
    import jax

    return next(device for device in jax.devices() if device.platform == "gpu")


@dataclass(frozen=True)
class OnBoth:
    """One problem's draws, and weights from a CPU and from the other device, (S, T, d)."""

    problem: MultiScale
    precision: str
    draws: Draws
    cpu: np.ndarray
    other: np.ndarray


def weights_on(
    device: Any, problem: MultiScale, draws: Draws, precision: str, steps: np.ndarray
) -> np.ndarray:
    """Simulated weights of a few draws, (S, T, d), computed on that device."""
    import jax

    from teacherstudent.sims.multiscale.descent import student_trajectory

    with jax.default_device(device):
        return student_trajectory(draws, steps, RATE, ridge=problem.ridge, dtype=precision)


def trained_on_both(other: Callable[[], Any], seeds: Seeds) -> list[OnBoth]:
    """Evidence: every shape in every precision, on a CPU and on the other device."""
    import jax

    devices = jax.devices("cpu")[0], other()
    found = []
    for problem in SHAPES:
        draws = draw(problem, seeds(4, str(problem.n)))
        for precision in PRECISIONS:
            both = (weights_on(device, problem, draws, precision, STEPS) for device in devices)
            found.append(OnBoth(problem, precision, draws, *both))
    return found


@per_case
def the_others(case: OnBoth) -> np.ndarray:
    """The claim: what the other device computed."""
    return case.other


@per_case
def again_on_cpu(late: int, bits: int | None, case: OnBoth) -> np.ndarray:
    """Wrong claims: a CPU's weights some steps late, or from data rounded to that many bits."""
    import jax

    draws = rounded_inputs(case.draws, bits)
    return weights_on(jax.devices("cpu")[0], case.problem, draws, case.precision, STEPS + late)


@worst_case
def equal_to_rounding(case: OnBoth, claim: np.ndarray) -> Verdict:
    """Judge: the weights step by step, to the rounding that k steps gather in that precision."""
    eps, reason = float(np.finfo(case.precision).eps), f"rounding of k steps in {case.precision}: k d eps |w|"
    return equal_after_steps(case.cpu, claim, STEPS[:, None], case.problem.d, eps=eps, reason=reason)


DEVICES = check(
    id="ms-devices",
    title="simulated weights on a GPU are those on a CPU, up to rounding, in float64 and float32",
    ref="Eq. 4.2.4",
    evidence=partial(trained_on_both, gpu),
    claim=the_others,
    judge=equal_to_rounding,
    teeth=(
        Tooth("one step late", partial(again_on_cpu, 1, None)),
        Tooth("data rounded to 11 bits, as a GPU's default products do", partial(again_on_cpu, 0, 11)),
    ),
    lacks=no_gpu,
)

CHECKS = (DEVICES,)
