"""One pass over Gaussian rows of several spectra, exact at any size; batches of drawn rows, draw by draw."""

from __future__ import annotations

from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth
from teacherstudent.paper_checks.measured_spectrum import check
from teacherstudent.paper_checks.measured_spectrum.kit.asking import errors, permuted
from teacherstudent.paper_checks.measured_spectrum.kit.tables import bundled

Question = dict[str, Any]
ERROR = "generalisation_error"


class Case(NamedTuple):
    """A question about one pass, and its steps."""

    question: Question
    times: tuple[int, ...]


def rows_of(name: str) -> Question:
    """Gaussian rows of the second moments of a bundled set."""
    features, targets = bundled(name)
    return {"features": features, "targets": targets, "sampling": "population", "intercept": "pool"}


MODES = ((3, 1.0, 0.3), (6, 0.3, 0.8), (12, 0.05, 0.2))
TRAINING: Question = {"noise": 0.4, "ridge": 0.2, "init": 0.2, "n": 20}


@cache
def cases() -> tuple[Case, ...]:
    """Batches of 1, 4 and n; targets of more and less power in strong directions, and one with a residual."""
    return (
        Case({**TRAINING, "modes": MODES, "batch": 1, "learning_rate": 0.006}, (3, 20, 150)),
        Case({**TRAINING, "modes": MODES, "batch": 20, "learning_rate": 0.035}, (2, 10, 80)),
        Case({**TRAINING, "size": 30, "source": 0.2, "batch": 1, "learning_rate": 0.015}, (3, 20, 150)),
        Case({**TRAINING, "size": 30, "source": 1.0, "batch": 4, "learning_rate": 0.025}, (3, 20, 150)),
        Case({**TRAINING, **rows_of("wine"), "batch": 4, "learning_rate": 0.006}, (2, 20, 80)),
    )


DRAWS = 2000


def passes(route: str, seeds: Seeds | None = None, **changed: Any) -> list[np.ndarray]:
    """The generalisation error of each case, (T,) or (S, T); `changed` are numbers that factors multiply."""
    found = []
    for place, (question, times) in enumerate(cases()):
        given = {**question, **{name: factor * question[name] for name, factor in changed.items()}}
        drawn = {} if seeds is None else {"seeds": seeds(DRAWS, f"{place}")}
        found.append(run("measured-spectrum", "sgd", route, times, **given, **drawn)[ERROR].values)
    return found


def another_target(evidence: list[np.ndarray]) -> list[np.ndarray]:
    """Wrong: of listed modes the target's powers in reverse order."""
    claimed = passes("asymptotic")
    for place, (question, times) in enumerate(cases()):
        if "modes" in question:
            given = {**question, "modes": permuted(question["modes"])}
            claimed[place] = run("measured-spectrum", "sgd", "asymptotic", times, **given)[ERROR].values
    return claimed


def of_descent(_: object) -> list[np.ndarray]:
    """Wrong: batches without noise, which are so large that none is left."""
    found = []
    for question, times in cases():
        given = {**question, "batch": 10**9}
        found.append(run("measured-spectrum", "sgd", "asymptotic", times, **given)[ERROR].values)
    return found


means = worst_case(mean_within_errors)  # exact at any size: without a bias


ONE_PASS = check(
    id="sgd-spectra",
    title="one pass over Gaussian rows of modes, a power law and wine's moments against drawn students",
    ref="second moments of Gaussian rows of any spectrum",
    evidence=partial(passes, "simulation"),
    claim=lambda _: passes("asymptotic"),
    judge=means,
    effect=Contrast("batches without noise", "what the noise of batches adds"),
    teeth=(
        Tooth("batches without noise", of_descent),
        Tooth("target's share permuted", another_target),
        Tooth("rate a fifth higher", lambda _: passes("asymptotic", learning_rate=1.2)),
    ),
    functions=("theory.measured_spectrum.sgd:asymptotic", "sims.measured_spectrum.sgd:sgd"),
    slow=True,
)

# Draw by draw -------------------------------------------------------------------------------------------

POOL: Question = {
    "n": 30,
    "noise": 0.3,
    "ridge": 0.2,
    "data": "replacement",
    "intercept": "pool",
    "batch": 2,
    "learning_rate": 0.003,
}
LATER = (10, 60, 250)


def batches_of_a_pool(seeds: Seeds) -> tuple[list[int], np.ndarray]:
    """Evidence: seeds, and both errors of students on batches of wine's drawn rows, (S, 2, T)."""
    features, targets = bundled("wine")
    drawn = seeds(600)
    return drawn, errors("sgd", "simulation", LATER, features=features, targets=targets, seeds=drawn, **POOL)


def of_each(evidence: tuple[list[int], np.ndarray], more: int = 0, **changed: float) -> np.ndarray:
    """The claim: the exact mean over batches of each draw; `more` examples in a batch are wrong."""
    features, targets = bundled("wine")
    given = {**POOL, "batch": POOL["batch"] + more, **changed}
    return errors("sgd", "instance", LATER, features=features, targets=targets, seeds=evidence[0], **given)


def no_difference(evidence: tuple[list[int], np.ndarray], claimed: np.ndarray) -> Any:
    """Differences have a mean of zero."""
    return mean_within_errors(evidence[1] - claimed, 0.0)


INSTANCE = check(
    id="sgd-pool",
    title="batches of real rows, drawn anew: both errors against the mean over batches, draw by draw",
    ref="second moments of batches without repetition",
    evidence=batches_of_a_pool,
    claim=of_each,
    judge=no_difference,
    effect=Contrast("batches twice as large", "half of the noise of batches"),
    teeth=(
        Tooth("batches twice as large", partial(of_each, more=2)),
        Tooth("no ridge", partial(of_each, ridge=0.0)),
    ),
    functions=("theory.measured_spectrum.instance_sgd:sgd", "sims.measured_spectrum.sgd:sgd"),
    slow=True,
)

CHECKS = (ONE_PASS, INSTANCE)
