"""Real rows: how far the two formulas hold is measured on bundled data, and held to what is declared of them.

Neither is exact for real rows. Declared (`theory/measured_spectrum/evidence.py`) is by how much they were
wrong at most at a given spread of the rows' susceptibilities, which needs no simulation; measured is by how
much they are, with other features, other numbers of rows and other times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import above_zero, within_errors
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.measured_spectrum import check
from teacherstudent.paper_checks.measured_spectrum.kit.asking import errors
from teacherstudent.paper_checks.measured_spectrum.kit.tables import bundled
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum.evidence import expected
from teacherstudent.theory.measured_spectrum.generated_rows import houses
from teacherstudent.theory.measured_spectrum.trust import INVENTED, trust

ROUTES = ("asymptotic", "leverage")


@dataclass(frozen=True)
class Case:
    """Rows, how many of them are drawn, how they are trained on, how often, and at which times, beside that
    in which the strongest direction is learned."""

    name: str
    n: int
    dynamics: str
    drawn: str
    subsets: int = 200
    learned: tuple[float, ...] = (3.0, 30.0, 300.0)

    def question(self) -> dict[str, Any]:
        """Features, targets, and n."""
        features, targets = rows_of(self.name)
        return {"features": features, "targets": targets, "n": self.n, "intercept": "pool"}

    @property
    def times(self) -> np.ndarray:
        """In units of 1/curvature."""
        features, _ = rows_of(self.name)
        return np.array(self.learned) / (self.n * np.linalg.norm(features, ord=2) ** 2 / len(features))


CASES = (
    Case("breast_cancer", 60, "flow", "instance"),
    Case("breast_cancer", 160, "flow", "instance"),
    Case("wine", 40, "flow", "instance"),
    Case("diabetes", 40, "flow", "instance"),
    Case("houses", 120, "flow", "instance", learned=(0.3, 1.0, 3.0)),
    Case("digits", 100, "ridge", "simulation"),
    Case("digits", 250, "ridge", "simulation"),
    Case("relu", 100, "ridge", "simulation"),
    Case("relu", 250, "ridge", "simulation"),
)
DIGITS, RANDOM = 700, 150
"""Rows of digits that are used, and random ReLU features of them."""


@cache
def rows_of(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Standardised features (P, p) that vary in a fifth of the rows, and targets; of digits their parity."""
    if name in ("digits", "relu"):
        features, targets = bundled("digits")
        features, targets = features[:DIGITS], targets[:DIGITS] % 2
    else:
        features, targets = houses() if name == "houses" else bundled(name)
    most = [np.unique(column, return_counts=True)[1].max() for column in features.T]
    features = features[:, np.array(most) < 0.8 * len(features)]
    if name == "relu":
        weights = np.random.default_rng(0).standard_normal((features.shape[1], RANDOM))
        features = np.maximum(features @ weights, 0.0)
    return (features - features.mean(axis=0)) / features.std(axis=0), targets / targets.std()


@dataclass(frozen=True)
class Measured:
    """Test errors of drawn subsets, (S, T), and the spread of the rows at each time, (T,)."""

    case: Case
    sample: np.ndarray
    spread: np.ndarray


def measured(seeds: Seeds) -> list[Measured]:
    """Evidence: subsets of each case, by simulation or from one decomposition each."""
    return [subsets_of(case, seeds) for case in CASES]


def subsets_of(case: Case, seeds: Seeds) -> Measured:
    """Those of one case."""
    question, chosen = case.question(), seeds(case.subsets, f"{case.name}/{case.n}/{case.dynamics}")
    sample = errors(case.dynamics, case.drawn, case.times, seeds=chosen, **question)[:, 0]
    return Measured(case, sample, trust(PROBLEM.instance(**question), case.times).spread)


Predicted = dict[str, np.ndarray]
"""Test errors (T,) by route."""
Rows = Callable[[dict[str, Any]], dict[str, Any]]


def predicted(evidence: list[Measured], rows: Rows = dict, routes: Sequence[str] = ROUTES) -> list[Predicted]:
    """The routes' answers for every case, of other rows for the negative controls."""
    return [
        {
            route: errors(each.case.dynamics, route, each.case.times, **rows(each.case.question()))[0]
            for route in routes
        }
        for each in evidence
    ]


def shuffled(question: dict[str, Any]) -> dict[str, Any]:
    """Wrong: targets of other rows, in an order of sines."""
    order = np.argsort(np.sin(np.arange(len(question["targets"])) ** 2.0))
    return {**question, "targets": question["targets"][order]}


def expressed(question: dict[str, Any]) -> dict[str, Any]:
    """Wrong: what the features cannot express is dropped."""
    basis, _ = np.linalg.qr(question["features"])
    centred = question["targets"] - question["targets"].mean()
    return {**question, "targets": basis @ (basis.T @ centred)}


def from_a_population(evidence: list[Measured]) -> list[Predicted]:
    """Wrong: 1/n for 1/n - 1/pool in the limit."""
    right = predicted(evidence)
    return [
        {
            **each,
            "asymptotic": errors(
                own.case.dynamics, "asymptotic", own.case.times, sampling="population", **own.case.question()
            )[0],
        }
        for own, each in zip(evidence, right, strict=True)
    ]


def allowed(spread: np.ndarray, route: str) -> np.ndarray:
    """The largest error that is declared at each spread; NaN where no formula is believed."""
    largest = [getattr(expected(each), route.replace("-", "_")).largest for each in spread]
    return np.where(spread < INVENTED, largest, np.nan)


@worst_of
def as_declared(evidence: list[Measured], claimed: list[Predicted]) -> Iterator[Verdict]:
    """Each prediction within its declared error and the noise of the subsets."""
    for each, claim in zip(evidence, claimed, strict=True):
        drawn = drawn_mean(each.sample)
        for route in ROUTES:
            bound = allowed(each.spread, route)
            some = np.isfinite(bound)
            yield replace(
                within_errors(
                    drawn.mean[some], claim[route][some], drawn.stderr[some], degrees=drawn.degrees,
                    bias=bound[some] * drawn.mean[some],
                ),
                unit=f"test error of {each.case.name}, n = {each.case.n}, {route}",
            )  # fmt: skip


SHUFFLED = "targets of other rows"

REAL = check(
    id="own-real-rows",
    title="for real rows, both formulas are as accurate as declared for the spread of the susceptibilities",
    ref="measured, not derived",
    evidence=measured,
    claim=predicted,
    judge=as_declared,
    effect=Contrast(SHUFFLED, "the effect of the relation between target and features"),
    wrong=(
        WrongClaim(SHUFFLED, partial(predicted, rows=shuffled)),
        WrongClaim("residual omitted", partial(predicted, rows=expressed)),
        WrongClaim("1/n instead of 1/n - 1/pool", from_a_population),
    ),
    slow=True,
)

# Which theory is the better one ---------------------------------------------------------------------

EVEN = Case("breast_cancer", 160, "flow", "instance", 2500, learned=(28.0,))
UNEVEN = (
    Case("wine", 32, "flow", "instance", 5500, learned=(300.0,)),
    Case("wine", 32, "ridge", "instance", 1000, learned=(300.0,)),
)


def compared(seeds: Seeds) -> list[Measured]:
    """Evidence: as many subsets as tell which theory is nearer; even rows first."""
    return [subsets_of(case, seeds) for case in (EVEN, *UNEVEN)]


def all_three(evidence: list[Measured], rows: Rows = dict, exchanged: bool = False) -> list[Predicted]:
    """The claim: the theories of real rows, the best last. Wrong where first and last are exchanged."""
    names = (ROUTES, (*ROUTES, "per-row"), (*ROUTES, "per-row"))
    found = []
    for each, routes in zip(evidence, names, strict=True):
        answers = predicted([each], rows, routes)[0]
        sources = routes[::-1] if exchanged else routes
        found.append({route: answers[source] for route, source in zip(routes, sources, strict=True)})
    return found


@worst_of
def best_last(evidence: list[Measured], claimed: list[Predicted]) -> Iterator[Verdict]:
    """The last theory is nearer to the mean over subsets than each of the others, and as near as declared."""
    for each, claim in zip(evidence, claimed, strict=True):
        drawn = drawn_mean(each.sample)
        *others, best = claim.values()
        declared = allowed(each.spread, list(claim)[-1])
        yield within_errors(drawn.mean, best, drawn.stderr, degrees=drawn.degrees, bias=declared * drawn.mean)
        if each.case.dynamics == "flow":
            gains = [(other - best) * (other + best - 2 * each.sample) / drawn.mean**2 for other in others]
            yield above_zero(np.concatenate(gains, axis=1).T, "gain in squared relative error")


COMPARED = check(
    id="own-rows-compared",
    title="leverages improve the pool's formula for even real rows, the per-row route for uneven real rows",
    ref="measured, not derived",
    evidence=compared,
    claim=all_three,
    judge=best_last,
    effect=Contrast(SHUFFLED, "the effect of the relation between target and features"),
    wrong=(
        WrongClaim(SHUFFLED, partial(all_three, rows=shuffled)),
        WrongClaim("the pool's formula instead of the best route", partial(all_three, exchanged=True)),
    ),
    slow=True,
)

CHECKS = (REAL, COMPARED)
