"""Small random weights: what they lead to, and how fast that becomes exact.

The routes drop squared weights, so their error falls like the scale squared, for equal singular values too.
Mode by mode from effective strengths (Eq. 2.2.22) it falls more slowly: when the first of two modes is
learned, at t/tau ~ ln(1/scale^2)/(2 s_1), the second has the strength scale^(2 - 2 s_2/s_1); by that
much they disturb each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_rate
from teacherstudent.paper_checks.judging.claims import per_case, worst_case
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.linear_network import check
from teacherstudent.problems.linear_network import PROBLEM, draw
from teacherstudent.theory.linear_network import effective, modes

VALUES = ((4.0, 2.0), (4.0, 1.0), (3.0, 3.0))
SCALES = (0.03, 0.01, 0.003)
RATES = (4e-3, 2e-3, 1e-3)
TIMES = np.arange(1, 81) / 10
DRAWS, HIDDEN = 300, 5


@dataclass(frozen=True)
class Small:
    """Strengths (S, T, mode) from weights of each scale, in the limit of small steps."""

    values: tuple[float, ...]
    seeds: list[int]
    strengths: dict[float, np.ndarray]


def small(seeds: Seeds, cases: Sequence[tuple[float, float]] = VALUES) -> list[Small]:
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
    return [Small(v, drawn, {scale: strengths(v, scale, drawn) for scale in SCALES}) for v in cases]


Start = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Initial strengths (S, mode) from connectivity modes a and b (S, N_hid, mode) and s (mode,)."""


Strengths = dict[float, np.ndarray]
"""Strengths (S, T, mode) from weights of each scale."""


@per_case
def modes_from(start: Start, case: Small) -> tuple[Strengths, ...]:
    """Eq. 2.2.22 from such strengths, for the same draws."""
    s = np.asarray(case.values)
    found = {}
    for scale in SCALES:
        draws = draw(PROBLEM.instance(singular_values=case.values, init=scale, hidden=HIDDEN), case.seeds)
        first, second = draws.weights
        u0 = start(first @ draws.right, second.swapaxes(-1, -2) @ draws.left, s)
        found[scale] = modes.strength(TIMES[:, None], s, u0[:, None])
    return (found,)


def products(a: np.ndarray, b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Wrong: u0 = a . b, as Eq. 2.2.18 defines it for parallel modes; half of them are negative."""
    return np.sum(a * b, axis=-2)


def lengths(a: np.ndarray, b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Wrong: the growing half of each mode, whatever the faster modes took."""
    return np.sum((a + b) ** 2, axis=-2) / 4


def slowest_first(a: np.ndarray, b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Wrong: orthogonalised in the opposite order."""
    return effective.initial_strengths(a, b, -s)


@per_case
def by_routes(case: Small) -> tuple[Strengths, ...]:
    """The route's answer for the same draws, on the clock of the flow and after the steps of a rate."""

    def answer(dynamics: str, times: np.ndarray, scale: float, **clock: float) -> np.ndarray:
        question = {"singular_values": case.values, "init": scale, "hidden": HIDDEN, **clock}
        return run("linear-network", dynamics, "effective", times, seeds=case.seeds, **question)["u"].values

    rate = RATES[0]
    return (
        {scale: answer("flow", TIMES, scale) for scale in SCALES},
        {scale: answer("descent", TIMES / rate, scale, learning_rate=rate) for scale in SCALES},
    )


def squared(case: Small) -> float:
    """The power of the scale by which the routes' error falls."""
    return 2.0


def apart(case: Small) -> float:
    """The power by which it falls mode by mode."""
    return 2 * (1 - case.values[1] / case.values[0])


@worst_case
def vanish_with_scale(
    case: Small, claims: tuple[Strengths, ...], power_of: Callable[[Small], float]
) -> Iterator[Verdict]:
    """Mean error over draws against scale. The draws are common to all scales, so that the slope
    is better known than the standard errors say."""
    power = power_of(case)
    for claim in claims:
        errors = [np.linalg.norm(case.strengths[scale] - claim[scale], axis=(1, 2)) for scale in SCALES]
        drawn = drawn_mean(np.stack(errors), axis=1)
        yield at_rate(SCALES, drawn.mean, power, stderr=drawn.stderr)


RANDOM = check(
    id="ln-small-random",
    title=("for small random weights, the error of the effective routes falls like the squared weight scale"),
    ref="Eqs. 2.2.11-2.2.13",
    evidence=small,
    claim=by_routes,
    judge=partial(vanish_with_scale, power_of=squared),
    wrong=(
        WrongClaim("independent modes, Eq. 2.2.22", partial(modes_from, effective.initial_strengths)),
        WrongClaim("u0 = a . b", partial(modes_from, products)),
    ),
    functions=(
        "sims.linear_network.descent:descent",
        "theory.linear_network.routes:effective_descent",
        "theory.linear_network.routes:effective_flow",
    ),
    slow=True,
)

MODES = check(
    id="ln-small-modes",
    title=("for small random weights, modes are independent and start from effective strengths"),
    ref="Eqs. 2.2.11-2.2.13, 2.2.22",
    evidence=partial(small, cases=VALUES[:2]),
    claim=partial(modes_from, effective.initial_strengths),
    judge=partial(vanish_with_scale, power_of=apart),
    wrong=(
        WrongClaim("u0 = a . b", partial(modes_from, products)),
        WrongClaim("u0 = |(a + b)/2|^2, not orthogonalised", partial(modes_from, lengths)),
        WrongClaim("modes orthogonalised in reverse order", partial(modes_from, slowest_first)),
    ),
    functions=(
        "sims.linear_network.descent:descent",
        "theory.linear_network.effective:initial_strengths",
        "theory.linear_network.modes:strength",
    ),
    slow=True,
)

CHECKS = (RANDOM, MODES)
