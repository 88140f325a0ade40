"""Draw by draw: what is simulated on drawn rows is what theory says of the same draw, error by error.

No averaging and no standard error. Features, kernels, given Gram matrices and laws, drawn from a pool or a
population; classes and several outputs; noise, ridge and initial weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import first_order
from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import equal_after_steps
from teacherstudent.paper_checks.measured_spectrum import check
from teacherstudent.paper_checks.measured_spectrum.kit.tables import bundled, few_rows
from teacherstudent.problems.measured_spectrum import PROBLEM, MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import draw


def gram() -> dict[str, Any]:
    """The kernel (1 + x.x')^2 of a few rows."""
    rows = few_rows()
    return {
        "gram": (1 + rows["features"] @ rows["features"].T) ** 2,
        "targets": rows["targets"],
        "intercept": "pool",
    }


def wine() -> dict[str, Any]:
    """Three classes."""
    features, targets = bundled("wine")
    return {"features": features, "targets": targets, "intercept": "pool"}


@dataclass(frozen=True)
class Asked:
    """A question, and a learning rate at which descent is stable."""

    name: str
    question: dict[str, Any]
    rate: float


def asked() -> list[Asked]:
    """All kinds of rows."""
    training = {"noise": 0.3, "ridge": 0.2}
    return [
        Asked("pool", {**few_rows(), "n": 10, **training, "init": 0.4}, 0.03),
        Asked("population", {**few_rows(), "n": 10, "sampling": "population", **training, "init": 0.4}, 0.02),
        Asked("classes", {**wine(), "n": 30, "noise": 0.1, "ridge": 0.5}, 0.002),
        Asked("rbf", {**few_rows(), "kernel": "rbf", "n": 10, **training}, 0.1),
        Asked("ntk", {**few_rows(), "kernel": "ntk", "depth": 2, "n": 10, **training}, 0.02),
        Asked("gram", {**gram(), "n": 10, **training}, 0.002),
        Asked("law", {"modes": ((3, 1.0, 0.5), (5, 0.1, 0.5)), "n": 6, **training, "init": 0.4}, 0.03),
    ]


@dataclass(frozen=True)
class Trained:
    """Simulated errors of a few draws of one question, (S, O, T); `at` are their times."""

    case: Asked
    seeds: list[int]
    at: np.ndarray
    errors: np.ndarray


def observed(
    dynamics: str, route: str, case: Asked, times: np.ndarray, seeds: list[int], **changed: Any
) -> np.ndarray:
    """Every error that the route gives, the error rate of classes among them, (S, O, T)."""
    answer = run("measured-spectrum", dynamics, route, times, seeds=seeds, **{**case.question, **changed})
    return np.stack([answer[name].values for name in answer.data_vars], axis=-2)


def scaled_question(case: Asked, factors: dict[str, float]) -> dict[str, float]:
    """Those of the question's numbers that are to change, multiplied."""
    return {name: f * case.question[name] for name, f in factors.items() if name in case.question}


# Descent: equal to rounding ---------------------------------------------------------------------------

STEPS = np.array([0.0, 1, 2, 30, 1000])
DRAWS = 3


def stepped(seeds: Seeds) -> list[Trained]:
    """Evidence: simulated descent, step by step."""
    found = []
    for case in asked():
        chosen = seeds(DRAWS, case.name)
        simulated = observed("descent", "simulation", case, STEPS, chosen, learning_rate=case.rate)
        found.append(Trained(case, chosen, STEPS, simulated))
    return found


@per_case
def powers(trained: Trained, late: float = 0.0, rate: float = 1.0, **factors: float) -> np.ndarray:
    """The instance route, with factors on its ingredients for the negative controls."""
    case = trained.case
    changed = {"learning_rate": rate * case.rate, **scaled_question(case, factors)}
    return observed("descent", "instance", case, STEPS + late, trained.seeds, **changed)


@worst_case
def to_rounding(trained: Trained, claimed: np.ndarray) -> Verdict:
    """Judge: every error, to the rounding that k steps gather."""
    rows = len(trained.case.question.get("targets", range(trained.case.question["n"])))
    reason = "rounding of k steps over P rows: k P eps of the largest error"
    return equal_after_steps(trained.errors, claimed, STEPS.max(), rows, reason=reason, unit="error")


DESCENT = check(
    id="own-descent-exact",
    title="simulated descent on drawn rows against powers of one matrix, draw by draw",
    ref="w_k - w = (1 - eta A)^k (w_0 - w)",
    evidence=stepped,
    claim=powers,
    judge=to_rounding,
    teeth=(
        Tooth("one step too many", partial(powers, late=1.0)),
        Tooth("no ridge", partial(powers, ridge=0.0)),
        Tooth("no noise", partial(powers, noise=0.0)),
        Tooth("start forgotten", partial(powers, init=0.0)),
        Tooth("rate off by 1e-8", partial(powers, rate=1 + 1e-8)),
    ),
    functions=(
        "sims.measured_spectrum.descent:descent",
        "theory.measured_spectrum.instance:descent",
    ),
)

# Flow: first order in the learning rate --------------------------------------------------------------

FLOW_TIMES = np.array([0.3, 3.0])
RATES = (0.012, 0.006, 0.003, 0.0015)


@dataclass(frozen=True)
class Refined:
    """Simulated errors at ever smaller learning rates and the same flow times, by rate."""

    case: Asked
    seeds: list[int]
    errors: dict[float, np.ndarray]


def refined(seeds: Seeds) -> Refined:
    """Evidence: rows of a pool with two outputs."""
    case, chosen = asked()[0], seeds(DRAWS)
    errors = {
        rate: observed("descent", "simulation", case, np.rint(FLOW_TIMES / rate), chosen, learning_rate=rate)
        for rate in RATES
    }
    return Refined(case, chosen, errors)


def exponentials(evidence: Refined, time: float = 1.0, **factors: float) -> np.ndarray:
    """The instance route of flow, with factors on its ingredients for the negative controls."""
    changed = scaled_question(evidence.case, factors)
    return observed("flow", "instance", evidence.case, time * FLOW_TIMES, evidence.seeds, **changed)


def approached(evidence: Refined, claimed: np.ndarray) -> Verdict:
    """The curvature is at most the largest eigenvalue of X^T X of all rows."""
    features = evidence.case.question["features"]
    curvature = float(np.linalg.norm(features - features.mean(axis=0), ord=2) ** 2)
    return first_order(evidence.errors, claimed, curvature)


FLOW = check(
    id="own-flow-rate",
    title="simulated descent on drawn rows approaches gradient flow at first order in the learning rate",
    ref="w_s - w = e^(-sA) (w_0 - w)",
    evidence=refined,
    claim=exponentials,
    judge=approached,
    teeth=(
        Tooth("one per cent fast", partial(exponentials, time=1.01)),
        Tooth("ridge doubled", partial(exponentials, ridge=2.0)),
        Tooth("start one per cent larger", partial(exponentials, init=1.01)),
    ),
    functions=(
        "sims.measured_spectrum.descent:descent",
        "theory.measured_spectrum.instance:flow",
    ),
)

# Ridge regression: three ways -------------------------------------------------------------------------

RIDGE_TIMES = np.array([0.1, 1.0, 10.0])


@dataclass(frozen=True)
class ByHand:
    """What a script of a few lines may do otherwise than the problem states.

    centre: rows whose means are subtracted, "pool", "drawn" or "none". everywhere: tested on all rows.
    """

    centre: str = "pool"
    everywhere: bool = False
    penalty: float = 1.0

    def errors(self, trained: Trained) -> np.ndarray:
        """Errors of ridge regression on the drawn rows of a pool, by normal equations, (S, 2, T)."""
        question = trained.case.question
        problem = PROBLEM.instance(**question)
        draws = draw(problem, trained.seeds)
        assert draws.chosen is not None  # as of a pool
        features, targets = np.asarray(question["features"]), np.asarray(question["targets"], dtype=float)
        if targets.ndim == 1:
            targets = (targets[:, None] == np.unique(targets)).astype(float)
        return np.stack(
            [
                np.transpose([self.one(problem, features, targets, *each, time) for time in trained.at])
                for each in zip(draws.chosen, draws.noise, strict=True)
            ]
        )

    def one(
        self, problem: MeasuredSpectrum, features: np.ndarray, targets: np.ndarray, chosen: np.ndarray,
        noise: np.ndarray, time: float,
    ) -> tuple[float, float]:  # fmt: skip
        """Both errors of one draw at one ridge."""
        if self.centre != "none":
            used = chosen if self.centre == "drawn" else np.arange(len(targets))
            features, targets = features - features[used].mean(axis=0), targets - targets[used].mean(axis=0)
        x, y = features[chosen], targets[chosen] + noise
        ridge = self.penalty * (problem.ridge + 1 / time)
        weights = np.linalg.solve(x.T @ x + ridge * np.eye(x.shape[1]), x.T @ y)
        others = np.arange(len(targets)) if self.everywhere else np.setdiff1d(np.arange(len(targets)), chosen)
        missed = np.sum((targets[others] - features[others] @ weights) ** 2, axis=1).mean()
        fresh = noise.shape[1] * problem.noise**2
        return missed + fresh, np.sum((y - x @ weights) ** 2, axis=1).mean()


def regressed(seeds: Seeds) -> list[Trained]:
    """Evidence: simulated ridge regression."""
    found = []
    for case in asked():
        chosen = seeds(DRAWS, case.name)
        simulated = observed("ridge", "simulation", case, RIDGE_TIMES, chosen)
        found.append(Trained(case, chosen, RIDGE_TIMES, simulated))
    return found


BY_HAND = ("pool", "classes")


@per_case
def twice(trained: Trained, hand: ByHand = ByHand(), **factors: float) -> tuple[np.ndarray, ...]:
    """The instance route, and normal equations by hand where there are features of a pool."""
    case = trained.case
    routed = observed("ridge", "instance", case, trained.at, trained.seeds, **scaled_question(case, factors))
    return (routed, hand.errors(trained)) if case.name in BY_HAND else (routed,)


@worst_case
def alike(trained: Trained, claim: tuple[np.ndarray, ...]) -> Iterator[Verdict]:
    """To the rounding of a linear system: its condition times P eps."""
    rows = len(trained.case.question.get("targets", range(trained.case.question["n"])))
    reason = "rounding of a linear system, of condition 1e4 at most: 1e4 P eps of the largest error"
    for errors in claim:
        found = trained.errors[:, : errors.shape[1]]
        yield equal_after_steps(found, errors, 1e4, rows, reason=reason, unit="error")


RIDGE = check(
    id="own-ridge-exact",
    title="ridge regression on drawn rows: simulated, from one decomposition, and by hand",
    ref="the definition of the problem",
    evidence=regressed,
    claim=twice,
    judge=alike,
    teeth=(
        Tooth("centring dropped", partial(twice, hand=ByHand(centre="none"))),
        Tooth("centred by the drawn rows", partial(twice, hand=ByHand(centre="drawn"))),
        Tooth("tested on the training rows too", partial(twice, hand=ByHand(everywhere=True))),
        Tooth("ridge 1e-7 larger by hand", partial(twice, hand=ByHand(penalty=1 + 1e-7))),
        Tooth("ridge 1e-6 larger", partial(twice, ridge=1 + 1e-6)),
        Tooth("noise 1e-8 larger", partial(twice, noise=1 + 1e-8)),
    ),
    functions=(
        "sims.measured_spectrum.ridge:ridge",
        "theory.measured_spectrum.instance:ridge",
    ),
)

CHECKS = (DESCENT, FLOW, RIDGE)
