"""The error rate of classes on real rows: as far off as was measured at their spread, and no more.

Measured are means over drawn subsets of sets with three and ten classes, with other rows than those on
which the errors of the formulas were measured. Wrong are the laws of single rows' outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_errors
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.measured_spectrum import check
from teacherstudent.paper_checks.measured_spectrum.kit.tables import bundled
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum import leverage
from teacherstudent.theory.measured_spectrum.error_rate import Outputs, rate
from teacherstudent.theory.measured_spectrum.evidence import expected_rate_error
from teacherstudent.theory.measured_spectrum.task import task_of
from teacherstudent.theory.measured_spectrum.trust import INVENTED, trust
from teacherstudent.theory.resolvents import resolvent

LEARNED = np.array([1.0, 10.0])
"""Times, beside that in which the strongest direction is learned."""

CASES = {"iris": (30, 1200), "wine": (60, 2500), "digits": (250, 300)}
"""Training rows and subsets of each set."""

ROUTES = (("ridge", "leverage"), ("flow", "leverage"), ("ridge", "per-row"))


@dataclass(frozen=True)
class Measured:
    """A question, its times (T,), and error rates by dynamics of each subset, (S, T)."""

    question: dict[str, Any]
    times: np.ndarray
    rates: dict[str, np.ndarray]


def question_of(name: str, n: int) -> tuple[dict[str, Any], np.ndarray]:
    """Standardised rows, of digits every second one, and times."""
    features, targets = bundled(name)
    some = slice(None, None, 2 if name == "digits" else 1)
    strongest = n * np.linalg.norm(features[some], ord=2) ** 2 / len(features[some])
    return {"features": features[some], "targets": targets[some], "n": n}, LEARNED / strongest


def measured(seeds: Seeds) -> list[Measured]:
    """Evidence: by exact dynamics given each subset."""
    found = []
    for name, (n, subsets) in CASES.items():
        asked, times = question_of(name, n)
        chosen = seeds(subsets, name)
        sample = {each: rates(each, "instance", asked, times, chosen) for each in ("flow", "ridge")}
        found.append(Measured(asked, times, sample))
    return found


def rates(
    dynamics: str, route: str, asked: dict[str, Any], times: np.ndarray, seeds: Any = None
) -> np.ndarray:
    """The error rate by a route, (T,), of a sampled one (S, T)."""
    drawn = {} if seeds is None else {"seeds": seeds}
    answer = run("measured-spectrum", dynamics, route, times, **drawn, **asked)
    found: np.ndarray = answer["error_rate"].values
    return found


Change = Callable[[Outputs, leverage.Seen], Outputs]


def predicted(evidence: list[Measured]) -> list[np.ndarray]:
    """The claim: the error rate by each of `ROUTES`, (3, T)."""
    return [np.stack([rates(*how, each.question, each.times) for how in ROUTES]) for each in evidence]


def otherwise(change: Change, evidence: list[Measured]) -> list[np.ndarray]:
    """Wrong: outputs of ridge regression by leverages are changed, and the other routes answer as they do."""
    found = predicted(evidence)
    for each, claimed in zip(evidence, found, strict=True):
        claimed[0] = [changed(each.question, 1 / time, change) for time in each.times]
    return found


def shuffled(evidence: list[Measured]) -> list[np.ndarray]:
    """Wrong: each tenth label is that of another row, for all routes."""
    found = []
    for each in evidence:
        labels = each.question["targets"].copy()
        labels[::10] = np.roll(labels[::10], labels[::10].size // 2)
        found.append(replace(each, question={**each.question, "targets": labels}))
    return predicted(found)


def changed(question: dict[str, Any], z: float, change: Change) -> float:
    """The error rate of ridge regression by leverages, of outputs that are changed."""
    problem = PROBLEM.instance(**question)
    rows, at = leverage.pool(problem), resolvent(task_of(problem).spectrum, np.array([z]))
    _, law = leverage.at_time(problem, rows, leverage.Weighted(at, np.array([0.5]), np.zeros(1)))
    assert law is not None
    return rate(problem, change(law, leverage.at(rows, at)))


def wider(factor: float, law: Outputs, _: leverage.Seen) -> Outputs:
    """Wrong: variances so many times as large."""
    return replace(law, covariances=factor * law.covariances)


def fitted(law: Outputs, seen: leverage.Seen) -> Outputs:
    """Wrong: means that a row itself was learned from."""
    own = ((1 - seen.left_out) * seen.errors).real[..., 0]
    return replace(law, means=law.means + own[:-1] - own[-1])


@worst_of
def as_declared(evidence: list[Measured], claimed: list[np.ndarray]) -> Iterator[Verdict]:
    """Each prediction within its measured error and the noise of the subsets, where any is believed."""
    for each, claim in zip(evidence, claimed, strict=True):
        spread = trust(PROBLEM.instance(**each.question), each.times).spread
        for (dynamics, route), values in zip(ROUTES, claim, strict=True):
            drawn = drawn_mean(each.rates[dynamics])
            n = each.question["n"]
            declared = [getattr(expected_rate_error(s, n), route.replace("-", "_")).most for s in spread]
            some = spread < INVENTED
            yield within_errors(
                drawn.mean[some], values[some], drawn.stderr[some], degrees=drawn.degrees,
                bias=np.array(declared)[some] * drawn.mean[some],
            )  # fmt: skip


NARROW = "outputs without variance"

RATE = check(
    id="own-error-rate",
    title="for real rows of classes, both routes to error rates are as accurate as declared",
    ref="measured, not derived",
    evidence=measured,
    claim=predicted,
    judge=as_declared,
    effect=Contrast(NARROW, "the effect of drawing training rows on the errors"),
    wrong=(
        WrongClaim(NARROW, partial(otherwise, partial(wider, 0.0))),
        WrongClaim("variances twice as large", partial(otherwise, partial(wider, 2.0))),
        WrongClaim("a tenth of the labels taken from other rows", shuffled),
        WrongClaim("means that include the row itself", partial(otherwise, fitted)),
    ),
    slow=True,
)

CHECKS = (RATE,)
