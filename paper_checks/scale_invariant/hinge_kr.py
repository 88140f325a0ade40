"""A student on two Gaussian classes, trained on hinge-kr: its loss, its training, and what it certifies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_order, mean_within_errors, within_bound
from teacherstudent.paper_checks.judging.claims import worst_case
from teacherstudent.paper_checks.judging.comparison import scaled
from teacherstudent.paper_checks.judging.effects import Contrast, Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import within_operations
from teacherstudent.paper_checks.scale_invariant import check, compared
from teacherstudent.problems.scale_invariant import PROBLEM, ScaleInvariant
from teacherstudent.theory.scale_invariant.hinge import HingeKR, certified_accuracy
from teacherstudent.theory.scale_invariant.losses import law

if TYPE_CHECKING:
    from teacherstudent.sims.scale_invariant.slopes import Slopes

D = 6
SETTINGS: tuple[dict[str, Any], ...] = (
    {"hinge_weight": 3.0, "margin": 1.0, "class_mean": 1.3, "class_noise": 0.8, "angle0": 1.1},
    {"hinge_weight": 0.5, "margin": 0.4, "class_mean": 0.7, "class_noise": 1.5, "angle0": 2.2},
)
COMMON: dict[str, Any] = {"loss": "hinge-kr", "d": D, "teacher": "random"}


def asked(setting: Mapping[str, Any], **more: Any) -> ScaleInvariant:
    """The instance of a setting."""
    return PROBLEM.instance(**COMMON, **{**setting, **more})


# The loss -----------------------------------------------------------------------------------------------

SAMPLES, DRAWS = 4000, 40


def measured(seeds: Seeds) -> list[Slopes]:
    """Evidence: losses and slopes over the angle of drawn samples, and of the population, by JAX."""
    from teacherstudent.sims.scale_invariant.slopes import loss_and_slope

    return [
        loss_and_slope(asked(setting), SAMPLES, 0.0, seeds(DRAWS, str(k)))
        for k, setting in enumerate(SETTINGS)
    ]


def closed(_: list[Slopes], hinge: float = 1.0, **changed: float) -> list[np.ndarray]:
    """The claim: loss and slope, (2,). For negative controls parameters multiplied, and the slope's hinge."""
    claims = []
    for setting in SETTINGS:
        wrong = {name: factor * setting[name] for name, factor in changed.items()}
        problem = asked({**setting, **wrong})
        of, steep = law(problem), law(replace(problem, hinge_weight=hinge * problem.hinge_weight))
        assert isinstance(of, HingeKR)
        claims.append(np.array([of.loss(np.cos(problem.angle0)), steep.slope(problem.angle0)]))
    return claims


@worst_case
def as_drawn(case: Slopes, claim: np.ndarray) -> Iterator[Verdict]:
    """Means over draws within their errors; what is differentiated of the population, to rounding."""
    yield mean_within_errors(case.samples, claim)
    yield within_operations(case.population / claim - 1, 4 * D)


LOSS = check(
    id="hk-loss",
    title="the hinge-KR loss of a linear student and its slope agree with drawn samples and differentiation",
    paper="",
    ref="isis2021, Serrurier: the hinge-regularised Kantorovich-Rubinstein loss, for two Gaussian classes",
    evidence=measured,
    claim=closed,
    judge=as_drawn,
    effect=Contrast("hinge weight twice as large", "the effect of doubling the hinge weight"),
    wrong=(
        WrongClaim("hinge weight twice as large", partial(closed, hinge_weight=2.0)),
        WrongClaim("hinge omitted from the slope", partial(closed, hinge=0.0)),
        WrongClaim("margin 5 % wider", partial(closed, margin=1.05)),
        WrongClaim("class noise 5 % larger", partial(closed, class_noise=1.05)),
    ),
)


# Training on the population ------------------------------------------------------------------------------

Answer = dict[str, np.ndarray]
FLOWED = (0.05, 0.2, 0.8)
STEPS = np.arange(0.0, 41.0, 8)
SHARE = 1 / 50
"""Of the time of the steepest place in a step of the simulated flow."""
STEEPEST = 2 * 1.3 * (1 + 3 * (1 + 1.3 / 0.8 / np.sqrt(2 * np.pi)))
"""A bound on L'' in the first setting: 2 mu (1 + lambda (Phi + phi mu/sigma))."""
SCHEMES: dict[str, dict[str, Any]] = {
    "sgd-momentum": {"momentum": 0.7},
    "adam-srt": {"ridge": 0.1, "epsilon": 1e-3},
    "adagradg": {"beta2": 0.9},
}
RATES, SPAN = (0.02, 0.01, 0.005, 0.0025), 0.2
ORDERS = {"flow": (1, 0.0), "second-order": (2, 0.0), "adagradg": (3, 0.1)}
"""Order of the learning rate at which each route of descent falls short, and the ridge that it is asked."""


def answer(dynamics: str, route: str, times: Any, seeds: list[int] | None = None, **more: Any) -> Answer:
    """A route's observables by name, of the first draw where it draws."""
    question = {**COMMON, **SETTINGS[0], **more}
    found = run("scale-invariant", dynamics, route, times, seeds=seeds, **question)
    return {str(name): values.values[0] if seeds else values.values for name, values in found.items()}


@dataclass(frozen=True)
class Trained:
    """Answers: the flow at one time after the other, each scheme at `STEPS`, ends by ridge and rate."""

    flow: Answer
    schemes: dict[str, Answer]
    ends: dict[float, list[Answer]]


def trained(seeds: Seeds) -> Trained:
    """Evidence: simulated training on the population loss."""
    draws = seeds(2)
    return told("simulation", "simulation", dict.fromkeys((0.0, 0.1), "simulation"), draws)


def told(
    flow: str, schemes: str, ends: Mapping[float, str], draws: list[int] | None, /, **more: float
) -> Trained:
    """All questions to the routes of those names; some numbers of the setting replaced."""
    return Trained(
        answer("flow", flow, FLOWED, draws, ridge=0.1, **more),
        {
            scheme: answer("descent", schemes, STEPS, draws, scheme=scheme, learning_rate=0.02, **own, **more)
            for scheme, own in SCHEMES.items()
        },
        {ridge: ended(route, ridge, draws, **more) for ridge, route in ends.items()},
    )


def ended(route: str, ridge: float, draws: list[int] | None, /, **more: float) -> list[Answer]:
    """Where descent by a route is after the time `SPAN`, for every learning rate."""
    return [
        answer("descent", route, [SPAN / eta], draws, learning_rate=eta, ridge=ridge, **more) for eta in RATES
    ]


def by_theory(_: Trained, **changed: float) -> tuple[Trained, dict[str, list[Answer]]]:
    """The claim: exact routes, and the approximate ones by name."""
    more = {name: factor * SETTINGS[0][name] for name, factor in changed.items()}
    approximate = {route: ended(route, ridge, None, **more) for route, (_, ridge) in ORDERS.items()}
    return told("theory", "theory", {0.1: "schedule"}, None, **more), approximate


@worst_case
def as_told(found: Trained, claim: tuple[Trained, dict[str, list[Answer]]]) -> Iterator[Verdict]:
    """As above: a step of h loses (h curvature)^5/120, with curvatures up to twice the bound."""
    exact, approximate = claim
    lost = 2**5 * SHARE**4 / 120 * FLOWED[-1] * (STEEPEST / np.min(found.flow["radius"]) ** 2 + 0.1)
    for name, scale in (("angle", 1.0), ("radius", exact.flow["radius"])):
        error = (found.flow[name] - exact.flow[name]) / scale
        yield within_bound(error, lost, "fifth-order error of each Runge-Kutta step", "rad, relative")
    for scheme, ours in found.schemes.items():
        for name, values in ours.items():
            error = values - exact.schemes[scheme][name]
            scale = np.maximum(np.abs(values), 1) if name == "angle" else values
            yield within_operations(error / scale, 4 * D, 1 + STEPS)
    for here, there in zip(found.ends[0.1], exact.ends[0.1], strict=True):
        yield within_operations(here["angle"] / there["angle"] - 1, 4 * D, 1 + SPAN / RATES[-1])
    for route, (order, ridge) in ORDERS.items():
        pairs = zip(found.ends[ridge], approximate[route], strict=True)
        yield at_order(
            RATES, [abs(float(law["angle"][0] / end["angle"][0]) - 1) for end, law in pairs], order
        )


TRAINING = check(
    id="hk-training",
    title="flow and descent on the hinge-KR loss turn as predicted, for every kind of scheme",
    paper="",
    ref="roburin2020 Theorem 2 with the loss hinge-KR of isis2021",
    evidence=trained,
    claim=by_theory,
    judge=lambda found, claim: as_told([found], [claim]),
    effect=Effect(1.0, "one radian for an angle, otherwise the size of the quantity"),
    wrong=(
        WrongClaim("hinge weight 1e-6 (relative) larger", partial(by_theory, hinge_weight=1 + 1e-6)),
        WrongClaim("margin 1e-6 (relative) wider", partial(by_theory, margin=1 + 1e-6)),
        WrongClaim("class means 1e-6 (relative) farther apart", partial(by_theory, class_mean=1 + 1e-6)),
        WrongClaim("class noise 1e-6 (relative) larger", partial(by_theory, class_noise=1 + 1e-6)),
    ),
)


# One new sample a step -----------------------------------------------------------------------------------

ONLINE = compared(
    id="hk-online",
    title="with a new sample of two classes at every step, SGD on hinge-KR follows two equations",
    paper="",
    ref="roburin2020 Theorem 2 for one new sample per step, with the loss hinge-KR of isis2021",
    clocks={"online": {"times": (0.5, 1.5, 4.0), "loss": "hinge-kr", "teacher": "random"}},
    questions=lambda d: {
        **{"d": d, "learning_rate": 0.2, "ridge": 0.3, "angle0": 1.2},
        **{"hinge_weight": 2.0, "margin": 1.0, "class_mean": 1.0, "class_noise": 0.8},
    },
    draws={8: 6000, 16: 6000, 32: 6000, 120: 200},
    routes=("simulation", "theory"),
    observables=("angle", "radius"),
    wrong={
        "steps 5 % larger": {"learning_rate": scaled(1.05)},
        "hinge weight 10 % larger": {"hinge_weight": scaled(1.1)},
        "class noise 5 % larger": {"class_noise": scaled(1.05)},
        "half the hinge weight": {"hinge_weight": scaled(0.5)},
    },
    effect=Contrast("half the hinge weight", "the effect of half the hinge weight"),
    slow=True,
)


# Certified accuracy --------------------------------------------------------------------------------------

RADII = np.array([0.0, 0.3, 0.8, 1.3])
TRAINING_SET = {"data": "minibatch", "n": 200, "batch": 20, "learning_rate": 0.02}
FRESH = 4000


@dataclass(frozen=True)
class Attacked:
    """By draw: the alignment of a trained student, (S, 1), and its shares right under attack, (S, R)."""

    alignment: np.ndarray
    right: np.ndarray


def attacked(seeds: Seeds) -> Attacked:
    """Evidence: students trained on batches of their own samples, and attacks on fresh ones."""
    from teacherstudent.sims.scale_invariant.robustness import attacked_accuracy

    draws, fresh = seeds(60), seeds(60, "fresh")
    question = {**COMMON, **SETTINGS[0], **TRAINING_SET}
    found = run("scale-invariant", "descent", "simulation", [12], seeds=draws, **question)
    angles = found["angle"].values[:, 0]
    return Attacked(
        np.cos(angles)[:, None], attacked_accuracy(asked(SETTINGS[0]), angles, RADII, FRESH, fresh)
    )


def certificate(
    found: Attacked, reach: float = 1.0, aligned: bool = False, noise: float = 1.0, share: float = 1.0
) -> np.ndarray:
    """The claim: shares that no move can misclassify, (S, R)."""
    alignment = np.ones_like(found.alignment) if aligned else found.alignment
    setting = SETTINGS[0]
    return share * certified_accuracy(
        alignment, reach * RADII, setting["class_mean"], noise * setting["class_noise"]
    )


CERTIFIED = check(
    id="hk-certified",
    title="a trained student's certified accuracy equals its accuracy under attacks of the certified length",
    paper="isis2021",
    ref="Serrurier: certifiable robustness bound, for two Gaussian classes",
    evidence=attacked,
    claim=certificate,
    judge=lambda found, claim: mean_within_errors(found.right - claim, 0.0),
    effect=Contrast("every student treated as its teacher", "the effect of incomplete training"),
    wrong=(
        WrongClaim("every student treated as its teacher", partial(certificate, aligned=True)),
        WrongClaim("attacks half as long", partial(certificate, reach=0.5)),
        WrongClaim("class noise 5 % larger", partial(certificate, noise=1.05)),
        WrongClaim("certified accuracy 1 % larger", partial(certificate, share=1.01)),
    ),
)

CHECKS = (LOSS, TRAINING, ONLINE, CERTIFIED)
