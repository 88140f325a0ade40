"""Parameters left free: the rank in exact arithmetic, and what trained students have free around them."""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.paper_checks.flexible_activations import check
from teacherstudent.paper_checks.flexible_activations.kit.asking import RANK, TRAINED, ask, free, system
from teacherstudent.paper_checks.judging.agreement import none_wrong
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict

SYSTEMS = {
    "with a linear term": (system(2, 3, 3, 2, 1), (2, 4, 6)),
    "one less than numbers promise": (system(2, 3, 4, 3, 2), (3, 7, 10)),
}
"""By name: inputs, outputs, units, degree, lowest power, and numbers of examples."""
DRAWS = 5


def students(seeds: Seeds) -> list[np.ndarray]:
    """Evidence: parameters that are free around trained students, (S, T) by system; NaN where none agrees."""
    return [
        ask("simulation", times, seeds=seeds(DRAWS, name), **of)["ambiguity"].values
        for name, (of, times) in SYSTEMS.items()
    ]


def counted(_: object, **wrong: int) -> list[np.ndarray]:
    """The claim: parameters less the rank and two scales of each unit, (T,) by system."""
    return [free(times, {**of, **wrong}) for of, times in SYSTEMS.values()]


def equations(_: object) -> list[np.ndarray]:
    """Wrong: every output of an example fixes one parameter, until none is left."""
    left = []
    for of, times in SYSTEMS.values():
        each = of["inputs"] + of["outputs"] + of["degree"] - of["lowest"] - 1
        left.append(np.maximum(of["units"] * each - of["outputs"] * np.array(times), 0.0))
    return left


def scaled(found: object) -> list[np.ndarray]:
    """Wrong: a single scale of each unit."""
    return [each + of["units"] for each, (of, _) in zip(counted(found), SYSTEMS.values(), strict=True)]


@worst_case
def the_same(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Whole numbers of all draws of a system; undecided where more than half of the draws have none."""
    told = np.isfinite(found)
    wrong = np.sum(told & (found != claimed)) if told.mean() > 0.5 else np.nan
    return none_wrong(wrong, int(told.sum()), "both are whole numbers", "students")


COUNT = check(
    id="fa-rank",
    title="what examples leave free by an exact rank is what is free around trained students that agree",
    ref="dimension of the set of students that agree with the examples",
    paper="",
    evidence=students,
    claim=counted,
    judge=the_same,
    teeth=(
        Tooth("every output of an example fixes one parameter", equations),
        Tooth("one scale of each unit in place of two", scaled),
        Tooth("a linear term is no help", partial(counted, lowest=2)),
    ),
    functions=(RANK, TRAINED),
)

CHECKS = (COUNT,)
