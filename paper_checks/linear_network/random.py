"""Small random weights: which strength each mode starts from, and how fast that becomes exact.

The effective strength is exact as the weights' scale goes to 0. When the first of two modes is
learned, at t/tau ~ ln(1/scale^2)/(2 s_1), the second has the strength scale^(2 - 2 s_2/s_1); by that
much they disturb each other, and so the error falls like that power of the scale.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_rate
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Tooth, Verdict, worst
from teacherstudent.problems.linear_network import PROBLEM, draw
from teacherstudent.theory.linear_network import effective, modes

VALUES = ((4.0, 2.0), (4.0, 1.0))
SCALES = (0.03, 0.01, 0.003)
RATES = (4e-3, 2e-3, 1e-3)
TIMES = np.arange(1, 81) / 10
DRAWS, HIDDEN = 200, 5


@dataclass(frozen=True)
class Small:
    """Strengths (S, T, mode) from weights of each scale, in the limit of small steps."""

    values: tuple[float, ...]
    seeds: list[int]
    strengths: dict[float, np.ndarray]


def small(seeds: Seeds) -> list[Small]:
    """Extrapolated from eta, eta/2 and eta/4 to small steps, so that the order of eta^3 is left."""

    def strengths(values: tuple[float, ...], scale: float, drawn: list[int]) -> np.ndarray:
        coarse, middle, fine = (
            run(
                "linear-network",
                "descent",
                "simulation",
                np.rint(TIMES / rate),
                seeds=drawn,
                singular_values=values,
                init=scale,
                hidden=HIDDEN,
                learning_rate=rate,
            )["u"].values
            for rate in RATES
        )
        return (8 * fine - 6 * middle + coarse) / 3

    drawn = seeds(DRAWS)
    return [Small(v, drawn, {scale: strengths(v, scale, drawn) for scale in SCALES}) for v in VALUES]


Start = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Initial strengths (S, mode) from connectivity modes a and b (S, N_hid, mode) and s (mode,)."""


def modes_from(start: Start, evidence: list[Small]) -> list[dict[float, np.ndarray]]:
    """Eq. 2.2.22 from such strengths, for the same draws."""
    answers = []
    for each in evidence:
        s = np.asarray(each.values)
        found = {}
        for scale in SCALES:
            draws = draw(PROBLEM.instance(singular_values=each.values, init=scale, hidden=HIDDEN), each.seeds)
            first, second = draws.weights
            u0 = start(first @ draws.right, second.swapaxes(-1, -2) @ draws.left, s)
            found[scale] = modes.strength(TIMES[:, None], s, u0[:, None])
        answers.append(found)
    return answers


def products(a: np.ndarray, b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Wrong: u0 = a . b, as Eq. 2.2.18 defines it for parallel modes; half of them are negative."""
    return np.sum(a * b, axis=-2)


def lengths(a: np.ndarray, b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Wrong: the growing half of each mode, whatever the faster modes took."""
    return np.sum((a + b) ** 2, axis=-2) / 4


def slowest_first(a: np.ndarray, b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Wrong: orthogonalised in the opposite order."""
    return effective.initial_strengths(a, b, -s)


def vanish_with_scale(evidence: list[Small], claimed: list[dict[float, np.ndarray]]) -> Verdict:
    """Mean error over draws against scale. The draws are common to all scales, so that the slope
    is better known than the standard errors say."""
    verdicts = []
    for each, claim in zip(evidence, claimed, strict=True):
        errors = np.stack(
            [np.linalg.norm(each.strengths[scale] - claim[scale], axis=(1, 2)) for scale in SCALES]
        )
        exponent = 2 * (1 - each.values[1] / each.values[0])
        stderr = errors.std(axis=1, ddof=1) / np.sqrt(DRAWS)
        verdicts.append(at_rate(SCALES, errors.mean(axis=1), exponent, stderr=stderr))
    return worst(*verdicts)


RANDOM = Check(
    id="ln-small-random",
    problem="linear-network",
    title="modes from small random weights against their effective strength, exact as the scale falls",
    paper="pezeshki2022",
    ref="Eqs. 2.2.11-2.2.13, 2.2.22",
    evidence=small,
    claim=partial(modes_from, effective.initial_strengths),
    judge=vanish_with_scale,
    teeth=(
        Tooth("u0 = a . b", partial(modes_from, products)),
        Tooth("u0 = |(a + b)/2|^2, not orthogonalised", partial(modes_from, lengths)),
        Tooth("slowest mode first", partial(modes_from, slowest_first)),
    ),
    slow=True,
)

CHECKS = (RANDOM,)
