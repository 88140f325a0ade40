"""Draw by draw: what is simulated on drawn rows is what theory says of the same draw, error by error.

No averaging and no standard error. Features, kernels, given Gram matrices and laws, drawn from a pool or a
population; classes and several outputs; noise, ridge and initial weights.

Features and their Gram matrix are one problem: every kind of theory is asked both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.comparison import (
    ABSENT,
    Case,
    Found,
    Question,
    otherwise,
    scaled,
    shifted,
)
from teacherstudent.paper_checks.judging.evidence import Claim, Verdict
from teacherstudent.paper_checks.judging.exactness import equal_after_steps
from teacherstudent.paper_checks.judging.judges import Bound, FirstOrder, Rounding
from teacherstudent.paper_checks.measured_spectrum import compared
from teacherstudent.paper_checks.measured_spectrum.kit.asking import ERRORS
from teacherstudent.paper_checks.measured_spectrum.kit.tables import bundled, few_rows
from teacherstudent.problems.measured_spectrum import PROBLEM, MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import draw

ROUTES = ("simulation", "instance")
DRAWS = 3
RATES = {
    "pool": 0.03,
    "population": 0.02,
    "classes": 0.002,
    "rbf": 0.1,
    "ntk": 0.02,
    "gram": 0.002,
    "law": 0.03,
}
"""Learning rates at which descent is stable."""


def asked() -> dict[str, Any]:
    """All kinds of rows."""
    training: dict[str, Any] = {"noise": 0.3, "ridge": 0.2}
    few = {**few_rows(), "n": 10, **training}
    features, classes = bundled("wine")
    gram = {"gram": (1 + few["features"] @ few["features"].T) ** 2, **few}
    del gram["features"]
    wine = {"features": features, "targets": classes, "intercept": "pool"}
    return {
        "pool": {**few, "init": 0.4},
        "population": {**few, "sampling": "population", "init": 0.4},
        "classes": {**wine, "n": 30, "noise": 0.1, "ridge": 0.5},
        "rbf": {**few, "kernel": "rbf"},
        "ntk": {**few, "kernel": "ntk", "depth": 2},
        "gram": gram,
        "law": {"modes": ((3, 1.0, 0.5), (5, 0.1, 0.5)), "n": 6, **training, "init": 0.4},
    }


def stable() -> dict[str, Any]:
    """The same with their learning rates."""
    return {name: {**question, "learning_rate": RATES[name]} for name, question in asked().items()}


def rows_of(question: Question) -> int:
    """Rows of the pool, or drawn ones of a law."""
    return len(question.get("targets", range(question["n"])))


DESCENT = compared(
    id="own-descent-exact",
    title="simulated descent on drawn rows agrees with powers of one matrix, draw by draw",
    ref="w_k - w = (1 - eta A)^k (w_0 - w)",
    clocks={"descent": {"times": (0, 1, 2, 30, 1000)}},
    questions=stable,
    routes=ROUTES,
    draws=DRAWS,
    judge=Rounding(
        lambda question: 1000 * rows_of(question),
        "rounding of k steps over P rows: k P eps of the largest error",
        "error",
    ),
    wrong={
        "one step too many": {"times": shifted(1)},
        "no ridge": {"ridge": 0.0},
        "no label noise": {"noise": 0.0},
        "initial weights omitted": {"init": scaled(0.0)},
        "learning rate 1e-8 (relative) too large": {"learning_rate": scaled(1 + 1e-8)},
    },
)

FLOW_TIMES = np.array([0.3, 3.0])


def refined(rate: float) -> dict[str, Any]:
    """Rows of a pool with two outputs, at flow times and that learning rate."""
    return {**asked()["pool"], "times": np.rint(FLOW_TIMES / rate), "learning_rate": rate}


def curvature(found: Found) -> float:
    """At most the largest eigenvalue of X^T X of all rows."""
    features = found.cases[0].question["features"]
    return float(np.linalg.norm(features - features.mean(axis=0), ord=2) ** 2)


FLOW = compared(
    id="own-flow-rate",
    title="simulated descent approaches gradient flow, with an error proportional to the learning rate",
    ref="w_s - w = e^(-sA) (w_0 - w)",
    clocks={"descent": {}},
    questions=refined,
    routes=("simulation", "flow/instance"),
    draws=dict.fromkeys((0.012, 0.006, 0.003, 0.0015), DRAWS),
    stream="",
    judge=FirstOrder(curvature),
    claimed={"times": FLOW_TIMES, "learning_rate": ABSENT},
    wrong={
        "training 1 % too fast": {"times": scaled(1.01)},
        "ridge twice as large": {"ridge": scaled(2.0)},
        "initial weights 1 % larger": {"init": scaled(1.01)},
    },
)

# Ridge regression: three ways -------------------------------------------------------------------------


@dataclass(frozen=True)
class ByHand:
    """What a script of a few lines may do otherwise than the problem states.

    centre: rows whose means are subtracted, "pool", "drawn" or "none". everywhere: tested on all rows.
    """

    centre: str = "pool"
    everywhere: bool = False
    penalty: float = 1.0

    def errors(self, case: Case) -> np.ndarray:
        """Errors of ridge regression on the drawn rows of a pool, by normal equations, (S, 2, T)."""
        question = {name: value for name, value in case.question.items() if name != "times"}
        problem = PROBLEM.instance(**question)
        draws = draw(problem, case.seeds or [])
        assert draws.chosen is not None  # as of a pool
        features, targets = np.asarray(question["features"]), np.asarray(question["targets"], dtype=float)
        if targets.ndim == 1:
            targets = (targets[:, None] == np.unique(targets)).astype(float)
        return np.stack(
            [
                np.transpose(
                    [self.one(problem, features, targets, *each, time) for time in case.question["times"]]
                )
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


BY_HAND = ("pool", "classes")


def twice(hand: ByHand = ByHand(), **factors: float) -> Claim:
    """The instance route, with factors on its ingredients, and by hand where there are features of a pool."""

    def claim(found: Found) -> list[tuple[np.ndarray, ...]]:
        routed = found.asked.claims(found, {name: scaled(factor) for name, factor in factors.items()})
        answers = [np.stack(list(each.values()), axis=1) for each in routed]
        return [
            (answer, hand.errors(case)) if case.name in BY_HAND else (answer,)
            for case, answer in zip(found.cases, answers, strict=True)
        ]

    return claim


@worst_of
def alike(found: Found, claimed: list[tuple[np.ndarray, ...]]) -> Iterator[Verdict]:
    """results agree at equal seeds, up to the condition number times P eps"""
    reason = "rounding of a linear system with condition number up to 1e4: 1e4 P eps of the largest error"
    for case, claims in zip(found.cases, claimed, strict=True):
        values = np.stack(list(case.values.values()), axis=1)
        for claim in claims:
            rows = rows_of(case.question)
            yield equal_after_steps(
                values[:, : claim.shape[1]], claim, 1e4, rows, reason=reason, unit="error"
            )


RIDGE = compared(
    id="own-ridge-exact",
    title="ridge regression on drawn rows: simulation, one decomposition and an independent script agree",
    ref="the definition of the problem",
    clocks={"ridge": {"times": (0.1, 1.0, 10.0)}},
    questions=asked,
    routes=ROUTES,
    draws=DRAWS,
    judge=alike,
    wrong={
        "centring omitted": twice(ByHand(centre="none")),
        "centring by the drawn rows": twice(ByHand(centre="drawn")),
        "tested on the training rows too": twice(ByHand(everywhere=True)),
        "ridge 1e-7 (relative) larger in the independent script": twice(ByHand(penalty=1 + 1e-7)),
        "ridge 1e-6 (relative) larger": twice(ridge=1 + 1e-6),
        "label noise 1e-8 (relative) larger": twice(noise=1 + 1e-8),
    },
    claim=twice(),
)

# Features and their Gram matrix --------------------------------------------------------------------------

TRAINED: dict[str, Any] = {**few_rows(), "n": 10, "noise": 0.3, "ridge": 0.2}
STEPS = {"times": (1, 10, 100), "learning_rate": 0.02}
KINDS = (
    "flow/asymptotic",
    "descent/asymptotic",
    "ridge/asymptotic",
    "flow/leverage",
    "ridge/per-row",
    "flow/instance",
)


def gram(shift: float = 0.0, nugget: float = 0.0) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The claim: the same by x.x'; wrong where rows are shifted, or each has something of its own."""
    rows = TRAINED["features"] + shift * np.arange(len(TRAINED["features"]))[:, None]
    return lambda asked: {**asked, "features": None, "gram": rows @ rows.T + nugget * np.eye(len(rows))}


CHECKS = (
    DESCENT,
    FLOW,
    RIDGE,
    compared(
        id="own-gram",
        title="features and the Gram matrix of their rows give the same results, by every kind of route",
        ref="K = X X^T",
        clocks={"flow": {"times": (0.1, 1.0, 10.0)}},
        questions={
            route: {**TRAINED, "routes": (route, route), **(STEPS if "descent" in route else {})}
            for route in KINDS
        },
        routes=("asymptotic", "asymptotic"),
        observables=ERRORS,
        draws=1,
        stream="",
        judge=Bound(1e-8, "accuracy declared by the routes"),
        claim=otherwise(gram()),
        wrong={
            "rows shifted by multiples of 1e-6": otherwise(gram(shift=1e-6)),
            "diagonal of the Gram matrix 1e-5 larger": otherwise(gram(nugget=1e-5)),
        },
    ),
)
