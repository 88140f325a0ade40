"""Parameters left free: the rank in exact arithmetic, and what trained students have free around them."""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.paper_checks.flexible_activations import check
from teacherstudent.paper_checks.flexible_activations.kit.asking import (
    COUNTED,
    RANK,
    TRAINED,
    ask,
    free,
    system,
)
from teacherstudent.paper_checks.judging.agreement import none_wrong
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict

SYSTEMS = {
    "coefficients free as well": (system(2, 1, 3, 3, 1), (4, 9, 14)),
    "one more free than numbers promise": (system(2, 3, 4, 3, 2), (3, 7, 10)),
}
"""By name: inputs, outputs, units, degree, lowest power, and numbers of examples."""
DRAWS = 5


def students(seeds: Seeds) -> list[np.ndarray]:
    """Evidence: parameters that are free around trained students, (S, T, 2) by system; NaN without one."""
    found = []
    for name, (of, times) in SYSTEMS.items():
        answer = ask("simulation", times, seeds=seeds(DRAWS, name), **of)
        found.append(np.stack([answer[each].values for each in COUNTED], axis=-1))
    return found


def counted(_: object, **wrong: int) -> list[np.ndarray]:
    """The claim: parameters less ranks and two scales of each unit, (T, 2) by system."""
    return [free(times, {**of, **wrong}) for of, times in SYSTEMS.values()]


def equations(found: object) -> list[np.ndarray]:
    """Wrong: every output of an example fixes one parameter, until none is left."""
    left = counted(found)
    for each, (of, times) in zip(left, SYSTEMS.values(), strict=True):
        unit = of["inputs"] + of["outputs"] + of["degree"] - of["lowest"] - 1
        each[:, 0] = np.maximum(of["units"] * unit - of["outputs"] * np.array(times), 0.0)
    return left


def turning(found: object) -> list[np.ndarray]:
    """Wrong: whatever is free turns a direction."""
    return [each[:, [0, 0]] for each in counted(found)]


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
        Tooth("whatever is free turns a direction", turning),
        Tooth("a linear term changes nothing", partial(counted, lowest=2)),
    ),
    functions=(RANK, TRAINED),
)

CHECKS = (COUNT,)
