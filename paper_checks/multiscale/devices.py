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

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Tooth, Verdict, worst
from teacherstudent.problems.multiscale import PROBLEM, Draws, MultiScale, draw

SHAPES = (
    PROBLEM.instance(n=30, d=20, p=12, kappa=20.0, noise=0.3, ridge=0.05, init=0.4),
    PROBLEM.instance(n=8, d=20, p=12, kappa=20.0, noise=0.3, ridge=0.05, init=0.4),
)
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
class Trained:
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


def trained_on_both(other: Callable[[], Any], seeds: Seeds) -> list[Trained]:
    """Evidence: every shape in every precision, on a CPU and on the other device."""
    import jax

    devices = jax.devices("cpu")[0], other()
    found = []
    for problem in SHAPES:
        draws = draw(problem, seeds(4, str(problem.n)))
        for precision in PRECISIONS:
            both = (weights_on(device, problem, draws, precision, STEPS) for device in devices)
            found.append(Trained(problem, precision, draws, *both))
    return found


def the_others(evidence: list[Trained]) -> list[np.ndarray]:
    """The claim: what the other device computed."""
    return [each.other for each in evidence]


def again_on_cpu(late: int, bits: int | None, evidence: list[Trained]) -> list[np.ndarray]:
    """Wrong claims: a CPU's weights some steps late, or from data rounded to that many bits."""
    import jax

    answers = []
    for each in evidence:
        draws = each.draws
        if bits is not None:
            mantissa, exponent = np.frexp(draws.inputs)
            draws = replace(draws, inputs=np.ldexp(np.rint(np.ldexp(mantissa, bits)), exponent - bits))
        answers.append(weights_on(jax.devices("cpu")[0], each.problem, draws, each.precision, STEPS + late))
    return answers


def equal_to_rounding(evidence: list[Trained], claimed: list[np.ndarray]) -> Verdict:
    """Judge: a step adds at most about d eps |w| of rounding, and steps contract: k d eps |w| bounds it."""
    verdicts = []
    for each, claim in zip(evidence, claimed, strict=True):
        eps = float(np.finfo(each.precision).eps)
        bound = STEPS[:, None] * each.problem.d * eps * np.abs(each.cpu).max()
        reason = f"rounding of k steps in {each.precision}: k d eps |w|"
        verdicts.append(within_bound(each.cpu.astype(float) - claim, bound, reason, "weight"))
    return worst(*verdicts)


DEVICES = Check(
    id="ms-devices",
    problem="multiscale",
    title="simulated weights on a GPU are those on a CPU, up to rounding, in float64 and float32",
    paper="pezeshki2022",
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
