"""The gradient flow in R^d against its closed forms, and effective learning rates read off the motion.

Eq. 11 is what theory and simulation both report as the effective learning rate. Here it is measured: a step
turns the student by an angle whose tangent is that rate times what the step has of a tangent direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_order, within_bound
from teacherstudent.paper_checks.judging.claims import per_case, worst_case, worst_of
from teacherstudent.paper_checks.judging.comparison import Found, Values, otherwise, scaled, then
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import within_operations
from teacherstudent.paper_checks.scale_invariant import check, compared

Answer = dict[str, np.ndarray]
"""Observables of one question by name."""

RATE = "effective_learning_rate"
D = 6


def answer(dynamics: str, route: str, times: Any, seeds: list[int] | None = None, **keywords: Any) -> Answer:
    """A route as bare arrays; of the first draw where it draws."""
    found = run("scale-invariant", dynamics, route, times, seeds=seeds, **keywords)
    return {str(name): values.values[0] if seeds else values.values for name, values in found.items()}


def slope(loss: str, angle: Any) -> Any:
    """dL/d(angle) of 1 - cos(angle), of which mse differs by a constant, or of 1 - cos^2(angle)."""
    return np.sin(2 * angle) if loss == "squared-correlation" else np.sin(angle)


# Gradient flow -----------------------------------------------------------------------------------------

TIMES = np.array([0.5, 2.0, 8.0])
SHARE = 1 / 50
"""Step of the simulation, in the shorter of 1/curvature = r^2 and 1/ridge."""
COMMON: dict[str, Any] = {"d": D, "ridge": 0.05, "radius0": 1.3, "learning_rate": 0.2, "teacher": "random"}
STARTS = (("correlation", 2.4), ("squared-correlation", 1.45), ("mse", 1.0))
"""Losses and initial angles."""


def rate_of_a_step(loss: str, angle: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """tan(angle turned)/|grad L(u)| of x' = x - eta (grad L(x) + ridge x), in the plane of teacher and x."""
    eta, ridge = COMMON["learning_rate"], COMMON["ridge"]
    along, across = (1 - eta * ridge) * radius, eta * slope(loss, angle) / radius  # grad L(x) = grad L(u)/r
    return across / along / slope(loss, angle)


@worst_of
def same_flow(found: Found, claimed: list[Values]) -> Iterator[Verdict]:
    """results agree up to (h curvature)^5/120 per step h; the rate also agrees with a step of SGD"""
    for case, claim in zip(found.cases, claimed, strict=True):
        seen = {name: values[0] for name, values in case.values.items()}
        lost = 2**5 * SHARE**4 / 120 * TIMES * (1 / np.min(seen["radius"]) ** 2 + COMMON["ridge"])
        reason = "fifth-order error of each Runge-Kutta step"
        for name, scale in (("angle", 1.0), ("radius", claim["radius"])):
            yield within_bound((seen[name] - claim[name]) / scale, lost, reason, "rad, relative")
        for observed in (rate_of_a_step(case.name, seen["angle"], seen["radius"]), seen[RATE]):
            yield within_bound(
                observed / claim[RATE] - 1, 2 * lost, reason + ", doubled by 1/r^2", "relative"
            )


FLOW = compared(
    id="sphere-flow",
    title="gradient flow in R^d turns and shrinks as in its closed forms, and a step from it is as in Eq. 11",
    ref="Theorem 2 as eta goes to 0, Eq. 11",
    clocks={"flow": {"times": TIMES, **COMMON}},
    questions={loss: {"loss": loss, "angle0": angle} for loss, angle in STARTS},
    routes=("simulation", "theory"),
    draws=2,
    stream="",
    judge=same_flow,
    effect=Effect(1.0, "one radian for an angle, otherwise the size of the quantity"),
    wrong={
        "ridge 1e-5 (relative) larger": {"ridge": scaled(1 + 1e-5)},
        "initial angle 1e-5 (relative) larger": {"angle0": scaled(1 + 1e-5)},
        "initial radius 1e-5 (relative) larger": {"radius0": scaled(1 + 1e-5)},
        "effective rate without the ridge's contribution": then(
            lambda seen: {**seen, RATE: (1 - 0.2 * 0.05) * seen[RATE]}
        ),
    },
)


# Descent by its other routes -----------------------------------------------------------------------------

RATES = (0.08, 0.04, 0.02, 0.01)
SPAN = 2.0
LAWS = {"flow": (1, 0.1), "second-order": (2, 0.0), "adagradg": (3, 0.1)}
"""Order of the learning rate to which each route of descent falls short, and the ridge that it is asked."""

Routes = dict[str, list[Answer]]
"""Observables at the end by route, for every learning rate, (1,) each."""


@dataclass(frozen=True)
class Descended:
    """A loss with its initial angle, and the simulated end for each ridge and learning rate."""

    start: tuple[str, float]
    ends: dict[float, list[Answer]]


def ended(
    route: str,
    start: tuple[str, float],
    ridge: float,
    seeds: list[int] | None = None,
    changed: Mapping[str, float] | None = None,
) -> list[Answer]:
    """Where a route of descent is after time `SPAN`, for every learning rate; `changed`: factors."""
    question = {"loss": start[0], "angle0": start[1], **COMMON, "ridge": ridge}
    question |= {name: factor * question[name] for name, factor in (changed or {}).items()}
    return [
        answer("descent", route, [SPAN / eta], seeds, **question | {"learning_rate": eta}) for eta in RATES
    ]


@per_case
def by_laws(case: Descended, wrong: str = "", observable: str = "", **changed: float) -> Routes:
    """Every route; for the negative controls one of them changed, or one of its observables 1 % large."""
    ridges = {"schedule": 0.1} | {name: ridge for name, (_, ridge) in LAWS.items()}
    found = {
        name: ended(name, case.start, ridge, None, changed if name == wrong else None)
        for name, ridge in ridges.items()
    }
    if observable:
        found[wrong] = [{**end, observable: 1.01 * end[observable]} for end in found[wrong]]
    return found


@worst_case
def fall_short_by_order(case: Descended, claim: Routes) -> Iterator[Verdict]:
    """The schedule is descent itself, to rounding; relative errors of the others fall like eta^order."""
    for at, (eta, end) in enumerate(zip(RATES, case.ends[0.1], strict=True)):
        for name, value in end.items():
            error = claim["schedule"][at][name] / value - 1
            yield within_operations(error, D, 1 + SPAN / eta)
    for route, (order, ridge) in LAWS.items():
        for name in case.ends[ridge][0]:
            both = zip(case.ends[ridge], claim[route], strict=True)
            yield at_order(RATES, [abs(float(ours[name][0] / end[name][0]) - 1) for end, ours in both], order)


ROUTES = check(
    id="sphere-descent-routes",
    title="four approximate or exact routes give angle, radius and rate of descent to their declared orders",
    ref="Theorems 2, 4, Eqs. 11, 44, 46",
    evidence=lambda seeds: [
        Descended(start, {ridge: ended("simulation", start, ridge, seeds(2)) for ridge in (0.0, 0.1)})
        for start in STARTS[:2]
    ],
    claim=by_laws,
    judge=fall_short_by_order,
    wrong=(
        WrongClaim("schedule for a ridge 1e-8 too large", partial(by_laws, wrong="schedule", ridge=1 + 1e-8)),
        WrongClaim("AdaGradG's radius 1 % larger", partial(by_laws, wrong="adagradg", observable="radius")),
        WrongClaim("AdaGradG's rate 1 % too large", partial(by_laws, wrong="adagradg", observable=RATE)),
        WrongClaim(
            "second-order radius 1 % larger", partial(by_laws, wrong="second-order", observable="radius")
        ),
        WrongClaim("second-order rate 1 % larger", partial(by_laws, wrong="second-order", observable=RATE)),
        WrongClaim("the flow from an initial angle 1 % larger", partial(by_laws, wrong="flow", angle0=1.01)),
    ),
)


# The effective learning rate of every step -----------------------------------------------------------------

STEPS = np.arange(13.0)
TURNING: dict[str, dict[str, Any]] = {
    "sgd": {"learning_rate": 0.1, "ridge": 0.05, "radius0": 1.3},
    "sgd-momentum": {"learning_rate": 0.02, "ridge": 0.05, "radius0": 1.3, "momentum": 0.8},
    "sgd-mrt": {"learning_rate": 0.02, "ridge": 0.05, "radius0": 1.3, "momentum": 0.8},
    "adam-s": {"learning_rate": 0.01, "ridge": 0.05, "radius0": 1.3, "beta1": 0.8, "epsilon": 1e-3},
    "adam-srt": {"learning_rate": 0.01, "ridge": 0.05, "radius0": 1.3, "beta1": 0.8, "epsilon": 1e-3},
    "adamg": {"learning_rate": 0.01, "beta1": 0.8, "epsilon": 1e-3},
    "adagradg": {"learning_rate": 0.05, "v0": 0.5},
    "adagradg-exact": {"learning_rate": 0.05, "v0": 0.5},
}
"""Schemes that divide by one number, so that the direction of a step can be told without that number."""
TRANSPORTED = ("sgd-mrt", "adam-srt")


def summed(scheme: str, own: dict[str, Any], angle: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """The tangent part of c = r a, (K,), with a_k the sum of past gradients and ridge terms (Eqs. 5, 8, 11).

    From positions alone, in the plane of teacher and student. On the sphere momenta are carried along, so
    that their tangent parts add up; RT projects a on the tangent space of the new point (Eqs. 75-76).
    """
    memory = own.get("momentum", own.get("beta1", 0.0))
    ridge, a = own.get("ridge", 0.0), np.zeros(2)
    parts: list[float] = []
    for theta, r in zip(angle[:-1], radius[:-1], strict=True):
        u, tangent = np.array([np.cos(theta), np.sin(theta)]), np.array([-np.sin(theta), np.cos(theta)])
        if scheme in TRANSPORTED:
            a = (a @ tangent) * tangent
        if scheme == "adamg":
            a = parts[-1] * tangent if parts else a
        a = memory * a + slope("squared-correlation", theta) / r * tangent + ridge * r * u
        parts.append(r * (a @ tangent))
    return np.array(parts)


@worst_of
def as_measured(found: Found, claimed: list[Values]) -> Iterator[Verdict]:
    """the rate agrees with the motion and with the reported rate, up to the rounding of angles"""
    reason = "rounding of a dozen operations on d entries per step, relative to the angle turned"
    for case, claim in zip(found.cases, claimed, strict=True):
        angle, radius, reported = (case.values[name][0] for name in ("angle", "radius", RATE))
        moved = angle[:-1] - angle[1:]
        length = moved if case.name == "adamg" else np.tan(moved)  # adamg goes along the geodesic
        measured = length / summed(case.name, TURNING[case.name], angle, radius)
        for observed in (measured, reported[:-1]):
            error = (observed / claim[RATE][:-1] - 1) * np.abs(moved)
            yield within_operations(error, D, 1 + STEPS[:-1], reason=reason, unit="rad")


def rate_large(scheme: str, found: Found) -> list[Values]:
    """Wrong: the effective rate of one scheme 1e-9 larger."""
    claims = zip(found.cases, otherwise({})(found), strict=True)
    return [{**seen, RATE: seen[RATE] * (1 + 1e-9 * (case.name == scheme))} for case, seen in claims]


MEASURED = compared(
    id="sphere-effective-rate",
    title="for eight schemes, the effective learning rate equals the rate at which simulated steps turn",
    ref="Eq. 11, Table 1",
    clocks={"descent": {"times": STEPS, "d": D, "angle0": 1.4, "loss": "squared-correlation"}},
    questions={scheme: {"scheme": scheme, **own} for scheme, own in TURNING.items()},
    routes=("simulation", "theory"),
    draws=2,
    stream="",
    judge=as_measured,
    effect=Effect(1.0, "the angle turned"),
    wrong={f"{scheme}: rate 1e-9 (relative) too large": partial(rate_large, scheme) for scheme in TURNING},
    slow=True,
)

CHECKS = (FLOW, ROUTES, MEASURED)
