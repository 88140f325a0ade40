"""Triangular factors of [[0, s_2], [s_1, 0]]: how the loss falls, how large the weights become for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_order, at_rate, within_bound
from teacherstudent.paper_checks.judging.claims import per_case, worst_case
from teacherstudent.paper_checks.judging.effects import Contrast, Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.linear_network import check
from teacherstudent.theory.linear_network import unattained
from teacherstudent.theory.linear_network.unattained import best_residual

VALUES = ((1.0, 1.0), (2.0, 1.0))
"""Singular values, also of another product than 1."""

# Along descent ----------------------------------------------------------------------------------------

TIMES, RATE, DRAWS, INIT = np.array([300.0, 1000.0, 3000.0, 10000.0]), 5e-3, 25, 1.0
APPROACH = -2 / 3
"""Power of time by which the law is missed, relatively."""
NEXT = Effect(1 / 3, "the distance to -1, the exponent of a shift in time")


@dataclass(frozen=True)
class Trained:
    """The singular values, and what descent from random weights had come to, (S, T), by observable."""

    values: tuple[float, float]
    found: dict[str, np.ndarray]

    @property
    def question(self) -> dict[str, Any]:
        return {"support": "triangular", "singular_values": self.values, "init": INIT}


def trained(seeds: Seeds) -> list[Trained]:
    """Draws of every pair of singular values."""
    cases = []
    for i, values in enumerate(VALUES):
        case, drawn = Trained(values, {}), seeds(DRAWS, str(i))
        steps, question = np.rint(TIMES / RATE), {"learning_rate": RATE, **case.question}
        answer = run("linear-network", "descent", "simulation", steps, seeds=drawn, **question)
        case.found.update({str(name): each.values for name, each in answer.data_vars.items()})
        cases.append(case)
    return cases


Laws = tuple[dict[str, np.ndarray], ...]
"""residual and squared_norm, (T,), on either clock."""


@per_case
def power_law(
    case: Trained, time: float = 1.0, power: float = 1 / 3, size: float = 1.0, product: float | None = None
) -> Laws:
    """The route on both clocks; for the negative controls another power, |theta|^2 rho or s_1 s_2."""
    question = case.question
    if product is not None:
        question["singular_values"] = (product, 1.0)
    flow = run("linear-network", "flow", "power-law", time * TIMES, **question)
    steps = np.rint(time * TIMES / RATE)
    descent = run("linear-network", "descent", "power-law", steps, learning_rate=RATE, **question)
    return tuple(
        {
            "residual": answer["residual"].values ** (3 * power),
            "squared_norm": size * answer["squared_norm"].values,
        }
        for answer in (flow, descent)
    )


@worst_case
def missed_less_and_less(case: Trained, claims: Laws) -> Iterator[Verdict]:
    """The median over draws of what each observable misses, relatively, falls like t^(-2/3).

    Draws differ in how long they stay near a saddle first, which shifts their time: a few by much.
    """
    for claim in claims:
        for name, law in claim.items():
            missed = np.median(np.abs(case.found[name] / law - 1), axis=0)
            yield at_rate(TIMES, missed, APPROACH, slack=NEXT.size / 2, effect=NEXT)


NOT_CLOSED = check(
    id="ln-not-closed",
    title="the residual of triangular factors falls as (3t)^(-1/3) while their weights grow without bound",
    paper="",
    ref="rho = (s_1 s_2/(3 t))^(1/3) and rho |theta|^2 -> 4 s_1 s_2, derived in the documentation",
    evidence=trained,
    claim=power_law,
    judge=missed_less_and_less,
    wrong=(
        WrongClaim("(2t)^(-1/3)", partial(power_law, time=2 / 3)),
        WrongClaim("a loss without the 1/2: training twice as fast", partial(power_law, time=2.0)),
        WrongClaim("residual falling like t^(-1/2)", partial(power_law, power=1 / 2)),
        WrongClaim("|theta|^2 1 % too large", partial(power_law, size=1.01)),
        WrongClaim("singular values ignored", partial(power_law, product=1.0)),
    ),
    functions=(
        "sims.linear_network.descent:descent",
        "theory.linear_network.unattained:power_law_descent",
        "theory.linear_network.unattained:power_law_flow",
    ),
    slow=True,
)

# Weights of one size ----------------------------------------------------------------------------------

LENGTHS = np.array([5.0, 10.0, 20.0])
"""|theta| = R: the best residual is inverse to its square."""
STARTS = 2


def fitted(seeds: Seeds) -> dict[tuple[float, float], np.ndarray]:
    """The least residual that descent by least squares finds from any of the starts, at each length."""
    return {
        values: np.array([_least(values, length, seeds(STARTS, f"{values} {length}")) for length in LENGTHS])
        for values in VALUES
    }


def _least(values: tuple[float, float], length: float, seeds: list[int]) -> float:
    def missing(free: np.ndarray) -> np.ndarray:
        p, q, r, a, b, c = length * free / np.linalg.norm(free)
        return np.array([p * a, p * b - values[1], q * a - values[0], q * b + r * c])

    starts = [np.random.default_rng(seed).standard_normal(6) for seed in seeds]
    fits = [least_squares(missing, start, ftol=1e-14, xtol=1e-14, gtol=1e-14) for start in starts]
    return float(np.sqrt(2 * min(fit.cost for fit in fits)))


def bound(
    found: dict[tuple[float, float], np.ndarray], power: float = 2.0, factor: float = 1.0
) -> dict[tuple[float, float], np.ndarray]:
    """4 s_1 s_2/|theta|^2; another power or factor for the negative controls."""
    return {values: factor * best_residual(LENGTHS**power, float(np.prod(values))) for values in found}


@worst_case
def from_below(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """What is found is less, relatively by the order of |theta|^-4."""
    return at_order(LENGTHS, 1 - found / claimed, -4)


BEST_RESIDUAL = check(
    id="ln-best-residual",
    title=("triangular factors with |theta| = R have a least residual of 4 s_1 s_2/R^2 minus order R^-6"),
    paper="",
    ref="minimum of |Y - W_2 W_1 X| at fixed norm, derived in the documentation",
    evidence=fitted,
    claim=bound,
    judge=from_below,
    wrong=(
        WrongClaim("three quarters of the least residual", partial(bound, factor=0.75)),
        WrongClaim("a least residual 1 % larger", partial(bound, factor=1.01)),
        WrongClaim("a residual proportional to 1/|theta|", partial(bound, power=1.0)),
    ),
    functions=("theory.linear_network.unattained:best_residual",),
)

# The edge of descent at a fixed rate ------------------------------------------------------------------

QUESTIONS = (((1.0, 1.0), 0.06), ((2.0, 1.0), 0.04))
"""Singular values and learning rate."""
LATE, EDGE_DRAWS, EDGE_INIT = np.array([3.0, 4.0]), 15, 1.0
"""Times, in units of that at which the law ends."""


@dataclass(frozen=True)
class Late:
    """A question, and the squared norm of its weights by then, the median over draws and times.

    Bursts, in which a draw leaves the edge for some steps, move a mean.
    """

    values: tuple[float, float]
    rate: float
    squared_norm: float

    @property
    def product(self) -> float:
        """s_1 s_2."""
        return self.values[0] * self.values[1]


def trained_late(seeds: Seeds) -> list[Late]:
    """Draws of every question, long after descent has left the law."""
    found = []
    for i, (values, rate) in enumerate(QUESTIONS):
        steps = np.rint(LATE * unattained.last_time(rate, values[0] * values[1]) / rate)
        question = {
            "support": "triangular",
            "singular_values": values,
            "init": EDGE_INIT,
            "learning_rate": rate,
        }
        drawn = seeds(EDGE_DRAWS, str(i))
        answer = run("linear-network", "descent", "simulation", steps, seeds=drawn, **question)
        found.append(Late(values, rate, float(np.median(answer["squared_norm"]))))
    return found


@per_case
def at_the_edge(case: Late, curvature: float = 2.0) -> float:
    """|theta|^2 is the curvature of an edge: 2/learning rate. Wrong ones have another edge."""
    return curvature / case.rate


@per_case
def for_ever(case: Late) -> float:
    """Wrong: the law goes on, here at the earliest of these times."""
    end = unattained.last_time(case.rate, case.product)
    return float(unattained.squared_norm(unattained.residual(LATE[0] * end, case.product), case.product))


NEAR = 0.1
"""Of 2/eta, how far a median may be from it: edges that would be wrong lie at half of it and at twice."""


@worst_case
def relatively(case: Late, claimed: float) -> Verdict:
    """Near the edge, about which descent moves in bursts."""
    reason = "bursts about the edge: a tenth of the distance to an edge at half the rate"
    return within_bound(case.squared_norm / claimed - 1, NEAR, reason, "relative")


EDGE = check(
    id="ln-edge",
    title=("descent on triangular factors at a fixed learning rate ends at |theta|^2 = 2/(learning rate)"),
    paper="",
    ref="|theta|^2 = 2/eta at the edge of stability, derived in the documentation",
    evidence=trained_late,
    claim=at_the_edge,
    judge=relatively,
    wrong=(
        WrongClaim("the power law continues", for_ever),
        WrongClaim("an edge at 1/eta", partial(at_the_edge, curvature=1.0)),
        WrongClaim("a curvature of half |theta|^2", partial(at_the_edge, curvature=4.0)),
    ),
    effect=Contrast("the power law continues", "continued growth of the weights"),
    functions=("sims.linear_network.descent:descent", "theory.linear_network.unattained:last_time"),
)

CHECKS = (NOT_CLOSED, BEST_RESIDUAL, EDGE)
