"""Linear units of a fixed second layer: one perceptron B = sum_k v_k w_k, whose means are closed forms.

With S = sum_k v_k^2, a teacher B* = sum_m v*_m w*_m, rate e = eta S, R = B.B*/d, Q = B.B/d, T = B*.B*/d:

    dR = e (T - R) - kappa R,   dQ = 2 e (R - Q) - 2 kappa Q + e^2 (Q - 2R + T + sigma^2).

At a finite d a step changes the means by, with p = 1 - kappa/d and D = Q - 2R + T,

    R <- p R + (e/d)(T - R),   Q <- p^2 Q - 2 p (e/d)(Q - R) + (e/d)^2 [(d + 2) D + d sigma^2],

because E[(u.x)^2 |x|^2] = (d + 2) |u|^2. There is no other average: the recursion is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.committee import check
from teacherstudent.paper_checks.committee.kit.asking import ORDERS, accuracy, ask, entry
from teacherstudent.paper_checks.judging.agreement import at_order, mean_within_errors, within_bound
from teacherstudent.paper_checks.judging.claims import worst_case, worst_of
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.questions import rows

TIMES = (0.0, 0.3, 1.0, 3.0, 10.0, 100.0)


@dataclass(frozen=True)
class Perceptron:
    """The sum B of a student: its rate, decay, noise and start, and the teacher's norm."""

    rate: float
    decay: float
    noise: float
    R: float
    Q: float
    T: float

    def limit(self, t: np.ndarray) -> np.ndarray:
        """R, Q and excess risk at these times as d goes to infinity, (3, T)."""
        e, square = self.rate, self.rate**2
        a, b = e + self.decay, 2 * e + 2 * self.decay - square
        Ri = e * self.T / a
        Qi = (2 * e * (1 - e) * Ri + square * (self.T + self.noise**2)) / b
        A = 2 * e * (1 - e) * (self.R - Ri) / (b - a)
        R = Ri + (self.R - Ri) * np.exp(-a * t)
        Q = Qi + A * np.exp(-a * t) + (self.Q - Qi - A) * np.exp(-b * t)
        return np.stack([R, Q, (Q - 2 * R + self.T) / 2])

    def means(self, t: np.ndarray, d: int, kurtosis: float = 2.0) -> np.ndarray:
        """The same means at a finite d, (3, T)."""
        e, p, found = self.rate / d, 1 - self.decay / d, []
        R, Q = self.R, self.Q
        for step in range(round(d * t[-1]) + 1):
            if step in np.rint(d * t):
                found.append([R, Q, (Q - 2 * R + self.T) / 2])
            spread = (d + kurtosis) * (Q - 2 * R + self.T) + d * self.noise**2
            Q = p**2 * Q - 2 * p * e * (Q - R) + e**2 * spread
            R = p * R + e * (self.T - R)
        return np.array(found).T


def perceptron(question: dict[str, Any]) -> Perceptron:
    """The perceptron of a question."""
    v, target = np.array(question["initial_second_layer"]), np.array(question["teacher_second_layer"])
    return Perceptron(
        question["learning_rate"] * float(v @ v),
        question["weight_decay"],
        question["noise"],
        float(v @ np.array(question["initial_overlaps"]) @ target),
        float(v @ np.array(question["student_overlaps"]) @ v),
        float(target @ np.array(question["teacher_overlaps"]) @ target),
    )


UNIT: dict[str, Any] = {
    "width": 1,
    "teacher_width": 1,
    "activation": "linear",
    "learning_rate": 0.7,
    "noise": 1.0,
    "weight_decay": 0.2,
    "initial_overlaps": ((0.3,),),
    "student_overlaps": ((2.0,),),
    "teacher_overlaps": ((1.0,),),
    "initial_second_layer": (1.0,),
    "teacher_second_layer": (1.0,),
}
SEVERAL: dict[str, Any] = {
    "width": 3,
    "teacher_width": 2,
    "activation": "linear",
    "learning_rate": 0.6,
    "noise": 0.5,
    "weight_decay": 0.05,
    "initial_overlaps": ((0.2, -0.1), (0.1, 0.3), (-0.2, 0.05)),
    "student_overlaps": ((0.5, 0.1, 0.0), (0.1, 0.6, -0.05), (0.0, -0.05, 0.4)),
    "teacher_overlaps": ((1.0, 0.3), (0.3, 0.8)),
    "initial_second_layer": (1.0, 0.7, -0.5),
    "teacher_second_layer": (1.0, -0.8),
}
CASES = {
    "one unit": UNIT,
    "almost too fast": {**UNIT, "learning_rate": 2.1, "noise": 0.3},
    "no decay, no noise": {**UNIT, "weight_decay": 0.0, "noise": 0.0},
    "several units": SEVERAL,
}


def sums(answer: Any, question: dict[str, Any]) -> np.ndarray:
    """R and Q of the sum B, and the excess risk: (3, T), of a sampled route (S, 3, T)."""
    v, target = np.array(question["initial_second_layer"]), np.array(question["teacher_second_layer"])
    R, Q = v @ (answer["R"].values @ target)[..., None], v @ answer["Q"].values @ v
    return np.stack([R[..., 0], Q, answer["excess_risk"].values], axis=-2)


def solved(_: Seeds) -> dict[str, np.ndarray]:
    """Evidence: the equations of the order parameters, case by case."""
    return {name: sums(ask("asymptotic", TIMES, **each), each) for name, each in CASES.items()}


def closed(_: object, **wrong: float) -> dict[str, np.ndarray]:
    """The claim; wrong where a parameter of the question is multiplied by its factor."""
    found = {}
    for name, each in CASES.items():
        changed = {key: factor * each[key] for key, factor in wrong.items()}
        found[name] = perceptron({**each, **changed}).limit(np.array(TIMES))
    return found


def square_of_the_sum(_: object) -> dict[str, np.ndarray]:
    """Wrong: the rate times (sum v)^2, not times the sum of v^2."""
    found = closed(None)
    ratio = sum(SEVERAL["initial_second_layer"]) ** 2 / np.sum(np.square(SEVERAL["initial_second_layer"]))
    changed = {**SEVERAL, "learning_rate": SEVERAL["learning_rate"] * float(ratio)}
    return {**found, "several units": perceptron(changed).limit(np.array(TIMES))}


@worst_case
def as_solved(found: np.ndarray, claim: np.ndarray) -> Verdict:
    """To the solver's declared accuracy, relative to the largest value; B adds up to nine products."""
    largest = np.abs(found).max(axis=-1, keepdims=True)
    return within_bound(
        (claim - found) / largest, 9 * accuracy("asymptotic"), "declared accuracy", "relative"
    )


LINEAR = check(
    id="cm-linear",
    title="linear units act like one perceptron: closed forms hold at all times, with noise and weight decay",
    ref="B = sum_k v_k w_k learns with the rate eta sum_k v_k^2",
    evidence=solved,
    claim=closed,
    judge=as_solved,
    wrong=(
        WrongClaim("weight decay 0.1 % larger", partial(closed, weight_decay=1.001)),
        WrongClaim("label noise 0.1 % larger", partial(closed, noise=1.001)),
        WrongClaim("no noise", partial(closed, noise=0.0)),
        WrongClaim("the square of the sum of v instead of the sum of squares", square_of_the_sum),
    ),
    functions=(entry("asymptotic"),),
)

# At a finite size, to all orders in 1/d ------------------------------------------------------------

DRAWN = {5: 1500, 20: 1000, 100: 500}
"""Sizes, and draws at each."""
CLOCK = (0.4, 2.0, 6.0)
ROUTES = ("simulation", "chain")


def drawn(seeds: Seeds) -> dict[str, np.ndarray]:
    """Evidence: real steps and the chain of the order parameters, (S, 9), by route and size."""
    found = {}
    for name in (f"{route} {d}" for route in ROUTES for d in DRAWN):
        route, d = name.split()
        answer = ask(route, CLOCK, d=int(d), seeds=seeds(DRAWN[int(d)], name), **UNIT)
        found[name] = sums(answer, UNIT).reshape(DRAWN[int(d)], -1)
    return found


def exact(evidence: dict[str, np.ndarray], infinite: bool = False, **wrong: float) -> dict[str, np.ndarray]:
    """The claim: exact means at each size; wrong without the kurtosis of inputs, or of the limit."""
    kurtosis = wrong.pop("kurtosis", 2.0)
    changed = perceptron({**UNIT, **{key: factor * UNIT[key] for key, factor in wrong.items()}})
    t = np.array(CLOCK)
    return {
        name: (changed.limit(t) if infinite else changed.means(t, int(name.split()[1]), kurtosis)).ravel()
        for name in evidence
    }


FINITE = check(
    id="cm-linear-finite",
    title="gradient steps and the Markov chain of one linear unit have the exact means at d = 5, 20 and 100",
    ref="a closed recursion for the means of R and Q at any d",
    evidence=drawn,
    claim=exact,
    judge=worst_case(mean_within_errors),
    effect=Contrast("label noise 25 % larger", "the effect of a quarter of the label noise"),
    wrong=(
        WrongClaim("label noise 25 % larger", partial(exact, noise=1.25)),
        WrongClaim("the limit d -> infinity", partial(exact, infinite=True)),
        WrongClaim("inputs of fixed length", partial(exact, kurtosis=0.0)),
    ),
    functions=tuple(entry(route) for route in ROUTES),
    slow=True,
)

# One pass over rows ----------------------------------------------------------------------------------------
#
# One linear unit that learns from one is a linear student in one pass over rows, a row a step. Rows are
# z = x/sqrt(d); the loss is a sum over n = d of them, the learning rate eta/d and the ridge kappa/eta. Both
# take steps w -> w - (eta/sqrt(d)) (lambda - y) x - (kappa/d) w. The means of `multiscale` are exact at any
# d; the equations of the overlaps are their limit, at t = k/d after k steps.

PASSED = (0.4, 2.0, 6.0, 30.0)
SMALL, LARGE = (5, 20), (1000, 2000, 4000)
"""Sizes for the recursion of the means, and on the way to the limit."""
PASSING: dict[str, Any] = {
    "width": 1,
    "teacher_width": 1,
    "activation": "linear",
    "learning_rate": 0.7,
    "noise": 0.5,
    "weight_decay": 0.2,
    "initial_overlaps": ((0.0,),),
    "student_overlaps": ((2.0,),),
    "teacher_overlaps": ((1.0,),),
    "initial_second_layer": (1.0,),
    "teacher_second_layer": (1.0,),
}


def online(_: Seeds) -> dict[int, np.ndarray]:
    """Evidence: R, Q and excess risk of the unit, (3, T); by size, 0 for the equations of the limit."""
    limit = rows(ask("asymptotic", PASSED, **PASSING), ORDERS).reshape(3, -1)
    unit = perceptron(PASSING)
    return {0: limit} | {d: unit.means(np.array(PASSED), d) for d in SMALL}


def one_pass(_: object, batch: int = 1, noise: float = 1.0, faster: float = 1.0) -> dict[int, np.ndarray]:
    """The claim: means of `multiscale` over fresh rows, by size; wrong with other batches, noise or rates."""
    found = {}
    for d in (*SMALL, *LARGE):
        rate = faster * PASSING["learning_rate"] / d
        question = {
            "scales": ((d, 1.0),),
            "n": d,
            "init": np.sqrt(PASSING["student_overlaps"][0][0]),
            "noise": noise * PASSING["noise"],
            "ridge": PASSING["weight_decay"] / (d * rate),
            "learning_rate": rate,
            "batch": batch,
            "data": "fresh",
        }
        steps = [round(d * t) for t in PASSED]
        answer = run("multiscale", "sgd", "asymptotic", steps, **question)
        found[d] = np.stack([answer[name].values for name in ORDERS])
    return found


@worst_of
def as_one(found: dict[int, np.ndarray], claim: dict[int, np.ndarray]) -> Iterator[Verdict]:
    """Equal at small sizes, but for the contour of the steps' sum; the limit is 1/d away."""
    for d in SMALL:
        yield within_bound(
            claim[d] / found[d] - 1,
            1e-9,
            "accuracy of the contour integral",
            "relative",
        )
    for row in range(len(ORDERS)):
        yield at_order([1 / d for d in LARGE], [np.linalg.norm((claim[d] - found[0])[row]) for d in LARGE], 1)


ONE_PASS = check(
    id="cm-one-pass",
    title="one linear unit learns like a linear student in one pass, at any d and in the limit",
    ref="online learning of linear units is one-pass descent on the squared loss",
    evidence=online,
    claim=one_pass,
    judge=as_one,
    wrong=(
        WrongClaim("two examples per step", partial(one_pass, batch=2)),
        WrongClaim("label noise 0.1 % larger", partial(one_pass, noise=1.001)),
        WrongClaim("learning rate 0.1 % larger", partial(one_pass, faster=1.001)),
    ),
    functions=(entry("asymptotic"), "theory.multiscale.sgd:asymptotic"),
)

CHECKS = (LINEAR, FINITE, ONE_PASS)
