"""Parameters left free: the rank in exact arithmetic, and students trained from where it says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from teacherstudent.paper_checks.flexible_activations import check
from teacherstudent.paper_checks.flexible_activations.kit.asking import (
    COUNTED,
    ENDLESS,
    RANK,
    TRAINED,
    ZERO,
    ask,
    enough,
    free,
    system,
)
from teacherstudent.paper_checks.judging.agreement import none_wrong
from teacherstudent.paper_checks.judging.claims import constant_claim, judge_signs, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim

COUNTED_SYSTEMS = {
    "coefficients free as well": (system(2, 1, 3, 3, 1), (4, 9, 14)),
    "one more free than numbers promise": (
        system(2, 3, 4, 3, 2),
        (3, 7, 10),
    ),
}
"""By name: inputs, outputs, units, degree, lowest power, and numbers of examples."""
FEW = 5


def free_around(seeds: Seeds) -> list[np.ndarray]:
    """Evidence: parameters that are free around trained students, (S, T, 2) by system; NaN without one."""
    found = []
    for name, (of, times) in COUNTED_SYSTEMS.items():
        answer = ask("simulation", times, seeds=seeds(FEW, name), **of)
        found.append(np.stack([answer[each].values for each in COUNTED], axis=-1))
    return found


def counted(_: object, **wrong: int) -> list[np.ndarray]:
    """The claim: parameters less ranks and two scales of each unit, (T, 2) by system."""
    return [free(times, {**of, **wrong}) for of, times in COUNTED_SYSTEMS.values()]


def equations(found: object) -> list[np.ndarray]:
    """Wrong: every output of an example fixes one parameter, until none is left."""
    left = counted(found)
    for each, (of, times) in zip(left, COUNTED_SYSTEMS.values(), strict=True):
        unit = of["inputs"] + of["outputs"] + of["degree"] - of["lowest"] - 1
        each[:, 0] = np.maximum(of["units"] * unit - of["outputs"] * np.array(times), 0.0)
    return left


def turning(found: object) -> list[np.ndarray]:
    """Wrong: whatever is free turns a direction."""
    return [each[:, [0, 0]] for each in counted(found)]


def of_most(reason: str, unit: str) -> Callable[..., Verdict]:
    """A judge of all draws that have a student; undecided where more than half of a system's have none."""

    @worst_case
    def judge(found: np.ndarray, claimed: np.ndarray) -> Verdict:
        told = np.isfinite(found)
        wrong = np.sum(told & (found != claimed)) if told.mean() > 0.5 else np.nan
        return none_wrong(wrong, int(told.sum()), reason, unit)

    return judge


COUNT = check(
    id="fa-rank",
    title="the exact rank gives the number of free parameters around trained students that fit the examples",
    ref="dimension of the set of students that agree with the examples",
    paper="",
    evidence=free_around,
    claim=counted,
    judge=of_most("both are integers", "students"),
    wrong=(
        WrongClaim("each output of a training example fixes one parameter", equations),
        WrongClaim("every free parameter rotates a direction", turning),
        WrongClaim("a linear term has no effect", partial(counted, lowest=2)),
    ),
    functions=(RANK, TRAINED),
)

# Trained students have the directions of the teacher if, and only if, nothing is free --------------------

SHAPES = ((2, 3, 3), (2, 2, 3), (3, 2, 4), (3, 3, 5), (2, 1, 2))
"""Inputs, outputs, units."""
ACTIVATIONS = ((2, 2), (2, 1), (3, 2), (3, 1))
"""Degree, lowest power."""
SYSTEMS = (
    *(system(*shape, *powers) for shape in SHAPES for powers in ACTIVATIONS),
    system(3, 1, 4, 3, 1),  # where a coefficient stays free, and no direction
)
DRAWS, STARTS = 6, 100

Told = list[np.ndarray]
"""By system: whether misfit and direction error are 0, (S, T, 2), claimed (T, 2); NaN: no student."""


def around(of: Mapping[str, int]) -> tuple[int, int]:
    """One example less than leave no more free than all do, and one more."""
    settled = enough(of)
    return settled - 1, settled + 1


def students(seeds: Seeds) -> Told:
    """Evidence: trained students of each system, at both numbers of examples."""
    found = []
    for k, of in enumerate(SYSTEMS):
        answer = ask("simulation", around(of), seeds=seeds(DRAWS, str(k)), starts=STARTS, **of)
        errors = np.stack([answer[name].values for name in ("misfit", "direction_error")], axis=-1)
        found.append(np.where(np.isnan(errors), np.nan, errors < ZERO))
    return found


def one(_: object, which: int = 1) -> Told:
    """The claim: one example less, neither; one more, the outputs, and the directions if none can turn."""
    return [np.array([[0, 0], [1, free([ENDLESS], of)[0, which] == 0]]) for of in SYSTEMS]


def always(_: object) -> Told:
    """Wrong: who agrees everywhere has the teacher's directions."""
    return [np.array([[0, 0], [1, 1]]) for _ in SYSTEMS]


def cubic(_: object) -> Told:
    """Wrong: activations need a third power, and a linear term is no help."""
    return [np.array([[0, 0], [1, of["degree"] >= 3]]) for of in SYSTEMS]


def sooner(found: object) -> Told:
    """Wrong: one example less is enough."""
    return [each[[1, 1]] for each in one(found)]


ONE_STUDENT = check(
    id="fa-one-student",
    title="students that agree with the teacher have its directions exactly where the rank predicts this",
    ref="uniqueness of the decomposition in the polynomial case",
    evidence=students,
    claim=one,
    judge=of_most("rounding errors are below 1e-5, all others are larger", "errors"),
    wrong=(
        WrongClaim("every student that agrees with the teacher everywhere has its directions", always),
        WrongClaim("directions are determined only if no parameter is free", partial(one, which=0)),
        WrongClaim("activations need a cubic term", cubic),
        WrongClaim("one training example fewer suffices", sooner),
    ),
    functions=(RANK, TRAINED),
    covers=("Zniyed: identifiability",),
    slow=True,
)

# As many equations as unknowns ----------------------------------------------------------------------------

SQUARE = system(3, 3, 3, 3, 2)
TRIED = 60


def others(seeds: Seeds) -> dict[str, np.ndarray]:
    """Evidence: which students are not the teacher where outputs are as many as unknowns, (S,)."""
    (misfit,) = ask("simulation", [enough(SQUARE)], seeds=seeds(TRIED), **SQUARE)["misfit"].values.T
    return {"square": (misfit[np.isfinite(misfit)] > ZERO).astype(float)}


LAST_EXAMPLE = check(
    id="fa-last-example",
    title="as many equations as unknowns fix students locally, yet other students fit the examples",
    ref="isolated solutions with as many equations as unknowns",
    paper="",
    evidence=others,
    claim=constant_claim({"square": 1}),
    judge=judge_signs("fraction of students that differ from the teacher"),
    wrong=(
        WrongClaim("a student without free parameters equals the teacher", constant_claim({"square": -1})),
    ),
    functions=(RANK, TRAINED),
    slow=True,
)

CHECKS = (COUNT, ONE_STUDENT, LAST_EXAMPLE)
