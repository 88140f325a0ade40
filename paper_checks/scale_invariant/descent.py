"""Gradient descent on the population loss: the plane's recursion, the flow and what lies between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_order, mean_within_errors
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.comparison import Found, Values, scaled, then
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import within_operations
from teacherstudent.paper_checks.scale_invariant import check, compared
from teacherstudent.problems.scale_invariant import ON_THE_SPHERE, PROBLEM, SCHEMES
from teacherstudent.theory.scale_invariant import angle_laws, edge
from teacherstudent.theory.scale_invariant.losses import FREE

D = 6
STEPS = np.array([0.0, 1, 2, 5, 20, 60])
OWN = 1 + 1e-8
"""A factor on the numbers of schemes, in wrong claims."""


def question(scheme: str, loss: str = "correlation") -> dict[str, Any]:
    """Some parameters in which all of a scheme's matter."""
    keywords: dict[str, Any] = {"scheme": scheme, "loss": loss, "angle0": 1.2, "epsilon": 1e-3}
    if scheme in ON_THE_SPHERE:
        return {**keywords, "learning_rate": 0.05, "v0": 0.5, "teacher": "random"}
    keywords |= {"radius0": 1.3, "ridge": 0.05, "learning_rate": 0.1 if scheme.startswith("sgd") else 0.02}
    return keywords if scheme in ("adam", "adamw") else {**keywords, "teacher": "random"}


@worst_of
def same_answers(found: Found, claimed: list[Values]) -> Iterator[Verdict]:
    """all observables agree at all steps, up to the rounding accumulated over the steps"""
    for case, claim in zip(found.cases, claimed, strict=True):
        for name, value in case.values.items():
            scale = 1.0 if name == "angle" else np.abs(claim[name])
            error = np.max(np.abs(value - claim[name]) / scale, axis=0)
            yield within_operations(error, D, 1 + STEPS, unit="rad, relative")


DESCENT = compared(
    id="sphere-descent",
    title="every scheme in R^d moves in the plane of student and teacher, as a recursion predicts",
    ref="Theorem 2, Eqs. 7-13",
    clocks={"descent": {"times": STEPS, "d": D, "momentum": 0.9, "beta1": 0.9, "beta2": 0.999}},
    questions={
        **{scheme: question(scheme) for scheme in SCHEMES},
        **{f"{each} squared": question(each, "squared-correlation") for each in ("sgd", "adam-srt")},
    },
    routes=("simulation", "theory"),
    draws=2,
    stream="",
    judge=same_answers,
    effect=Contrast("one more weight", "the effect of one more weight"),
    wrong={
        "learning rate 1e-10 (relative) larger": {"learning_rate": scaled(1 + 1e-10)},
        **{
            f"{name} 1e-8 (relative) larger": {name: scaled(OWN)}
            for name in ("ridge", "momentum", "beta1", "beta2")
        },
        "epsilon 1e-8 (relative) larger": {"epsilon": scaled(OWN)},
        "radii 1e-10 (relative) larger": then(lambda seen: {**seen, "radius": seen["radius"] * (1 + 1e-10)}),
        "one more weight": {"d": D + 1},
    },
    slow=True,
)


def answer(route: str, times: Any, seeds: list[int] | None = None, **keywords: Any) -> Values:
    """A route of descent as bare arrays, (..., T) each."""
    found = run("scale-invariant", "descent", route, times, seeds=seeds, **keywords)
    return {str(name): values.values for name, values in found.data_vars.items()}


# To first and to second order in the learning rate -----------------------------------------------------

RATES = (0.08, 0.04, 0.02, 0.01)
SPAN = 2.0
STARTS = (("correlation", 2.4), ("squared-correlation", 1.1))
"""Losses and initial angles."""

State = tuple[float, float]
"""Angle and radius."""

Turned = list[dict[float, State]]
"""Where students are after a fixed time eta k, by learning rate, for each start."""


def turned(seeds: Seeds) -> Turned:
    """Simulated descent without L2."""

    def after(loss: str, angle0: float, eta: float) -> State:
        keywords = {"loss": loss, "angle0": angle0, "learning_rate": eta, "d": D, "teacher": "random"}
        end = answer("simulation", [SPAN / eta], seeds(2), **keywords)
        return float(end["angle"].mean()), float(end["radius"].mean())

    return [{eta: after(*begun, eta) for eta in RATES} for begun in STARTS]


Law = Callable[[str, float, float], State]
"""Angle and radius after time `SPAN` from loss, initial angle and learning rate."""


def by_flow(loss: str, angle0: float, _: float) -> State:
    """The flow at s = eta k, which keeps its radius."""
    return float(angle_laws.flow_angle(FREE[loss], np.array(SPAN), angle0)), 1.0


def by_second_order(loss: str, angle0: float, eta: float, share: float = 1.0) -> State:
    """The second-order law; in a negative control the radius gains another share of eta times what L lost."""
    angle = angle_laws.second_order_angle(FREE[loss], np.array(SPAN / eta), eta, angle0, 1.0)
    return float(angle), float(angle_laws.second_order_radius(FREE[loss], angle, share * eta, angle0, 1.0))


def grown_radius(loss: str, angle0: float, eta: float) -> State:
    """The flow at the final radius: half of what second order needs."""
    first, _ = by_flow(loss, angle0, eta)
    r = float(angle_laws.second_order_radius(FREE[loss], np.array(first), eta, angle0, 1.0))
    return float(angle_laws.flow_angle(FREE[loss], np.array(SPAN / r**2), angle0)), r


def orders(first: Law, second: Law, _: Turned) -> dict[float, Turned]:
    """Laws with the order of the learning rate at which they fail."""
    return {
        order: [{eta: law(loss, angle, eta) for eta in RATES} for loss, angle in STARTS]
        for order, law in ((1.0, first), (2.0, second))
    }


@worst_of
def fail_at_that_order(evidence: Turned, claimed: dict[float, Turned]) -> Iterator[Verdict]:
    """|simulated - claimed| falls like eta^order, of angle and radius each."""
    for order, laws in claimed.items():
        for found, law in zip(evidence, laws, strict=True):
            for which in (0, 1):
                yield at_order(RATES, [abs(found[eta][which] - law[eta][which]) for eta in RATES], order)


ORDERS = check(
    id="sphere-angle-laws",
    title="descent follows the flow to first order, and r^2 + eta L = const to second order",
    ref="Theorem 2, Eq. 46",
    evidence=turned,
    claim=partial(orders, by_flow, by_second_order),
    judge=fail_at_that_order,
    wrong=(
        WrongClaim("the flow, claimed to hold to second order", partial(orders, by_flow, by_flow)),
        WrongClaim("the flow at the final radius, to second order", partial(orders, by_flow, grown_radius)),
        WrongClaim(
            "the flow of the mean squared error",
            partial(orders, lambda _, *rest: by_flow("mse", *rest), by_second_order),
        ),
        WrongClaim("r^2 + .95 eta L = const", partial(orders, by_flow, partial(by_second_order, share=0.95))),
    ),
)


# The edge of stability --------------------------------------------------------------------------------

EDGE_RATES = (0.08, 0.04, 0.02)
EDGE = {"ridge": 0.05, "angle0": 1.4, "d": D, "teacher": "random"}


def crossings(seeds: Seeds) -> dict[float, float]:
    """The step, between whole ones, at which eta^e comes to 2 in simulated descent with L2."""
    found = {}
    for eta in EDGE_RATES:
        about = edge.steps_to_edge(PROBLEM.instance(learning_rate=eta, **EDGE))
        steps = np.arange(round(1.2 * about))
        rates = answer("simulation", steps, seeds(2), learning_rate=eta, **EDGE)["effective_learning_rate"]
        logs = np.log(rates.mean(axis=0) / 2)
        after = int(np.argmax(logs >= 0))
        found[eta] = after - logs[after] / (logs[after] - logs[after - 1])
    return found


Steps = Callable[[float], float]


def theory_of_edge(eta: float) -> float:
    """The theory's steps to the edge."""
    return edge.steps_to_edge(PROBLEM.instance(learning_rate=eta, **EDGE))


def leading(eta: float, rate: float = 2.0, gained: float = 1.0) -> float:
    """ln(2 r_inf^2/eta)/(2 eta lambda), r_inf^2 = 1 + eta (1 - cos theta_0)."""
    end = 1 + gained * eta * (1 - np.cos(1.4))
    return float(np.log(rate * end / eta) / (2 * eta * 0.05))


def reached(law: Steps, _: Any) -> dict[float, float]:
    """The steps by a law, by learning rate."""
    return {eta: law(eta) for eta in EDGE_RATES}


def first_order_wrong(evidence: dict[float, float], claimed: dict[float, float]) -> Verdict:
    """|simulated - claimed| steps go like eta."""
    return at_order(EDGE_RATES, [abs(evidence[eta] - claimed[eta]) for eta in EDGE_RATES], 1.0)


EDGE_OF_STABILITY = check(
    id="sphere-edge",
    title="descent with L2 reaches the edge of stability at the predicted step, up to O(eta) steps",
    ref="Eqs. 44, 46",
    evidence=crossings,
    claim=partial(reached, theory_of_edge),
    judge=first_order_wrong,
    wrong=(
        WrongClaim("the leading order only", partial(reached, leading)),
        WrongClaim("the edge at eta^e = 1", partial(reached, lambda eta: leading(eta, rate=1.0))),
        WrongClaim("no growth of the radius", partial(reached, lambda eta: leading(eta, gained=0.0))),
    ),
)


# The label noise of a data set, seen by what a simulation does with it ---------------------------------

# Both witnesses read the law of the labels from one module, so that their agreement says nothing of a mistake
# there. Here the law is written anew: a student that is aligned with the teacher is moved by noise alone.

WEIGHTS, SAMPLES, RATE, NOISE, DRAWS = 20, 40, 0.1, 1.5, 2000
LOSSES = ("mse", "correlation", "squared-correlation")

Moved = dict[str, np.ndarray]
"""tan^2 of the angle that one step on the whole data set turns an aligned student by, (S, 1), by loss."""


def moved(seeds: Seeds) -> Moved:
    """One step of sgd on all samples at once, from the teacher itself, radius 1."""
    found = {}
    for loss in LOSSES:
        answer = run(
            "scale-invariant", "descent", "simulation", [1], seeds=seeds(DRAWS, loss), d=WEIGHTS, loss=loss,
            angle0=0.0, learning_rate=RATE, data="minibatch", n=SAMPLES, batch=SAMPLES, noise=NOISE,
            teacher="random",
        )  # fmt: skip
        found[loss] = np.tan(answer["angle"].values) ** 2
    return found


def by_law(_: Moved, noise: float = NOISE, samples: float = SAMPLES, spread: float = 1.0) -> dict[str, float]:
    """Its mean, eta^2 (d - 1)/n E[l'^2]: each sample pulls along its z by l', independently across u.

    With t = phi(h) + noise xi and h = u.z: l' = t - h, t, or sqrt 2 h t, of mean squares noise^2, 1 + noise^2
    and E[(h^2 - 1)^2 h^2] + 2 noise^2 = 10 + 2 noise^2.
    """
    squares = {
        "mse": noise**2,
        "correlation": spread + noise**2,
        "squared-correlation": 10 * spread + 2 * noise**2,
    }
    return {loss: RATE**2 * (WEIGHTS - 1) / samples * square for loss, square in squares.items()}


def mean_squares(evidence: Moved, claimed: dict[str, float]) -> Verdict:
    """The means over draws, all losses at once."""
    sample = np.concatenate([evidence[loss] for loss in LOSSES], axis=1)
    return mean_within_errors(sample, [claimed[loss] for loss in LOSSES])


LABELS = check(
    id="sphere-label-noise",
    title="one step on labels phi(u*.z) + noise xi moves an aligned student as far as predicted",
    ref="Section 2.1, stochastic gradients of teacher and noise",
    evidence=moved,
    claim=by_law,
    judge=mean_squares,
    effect=Contrast("labels without the teacher", "the contribution of the teacher to the labels"),
    wrong=(
        WrongClaim("label noise 5 % larger", partial(by_law, noise=1.05 * NOISE)),
        WrongClaim("label noise of variance 1", partial(by_law, noise=1.0)),
        WrongClaim("10 % fewer samples", partial(by_law, samples=0.9 * SAMPLES)),
        WrongClaim("labels without the teacher", partial(by_law, spread=0.0)),
    ),
    slow=True,
)

CHECKS = (
    DESCENT,
    ORDERS,
    EDGE_OF_STABILITY,
    LABELS,
)
