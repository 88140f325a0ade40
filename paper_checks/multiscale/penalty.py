"""The output penalty draw by draw: simulated students against the closed form, weight by weight.

The penalty is a/2 |yhat|^2 on the training examples, as in the published script of Fig. 6; the gradient of
a |yhat|^2 (Eq. 4.3.1) would hold 2a.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import equal_after_steps
from teacherstudent.paper_checks.multiscale import check, misprint
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.problems.multiscale.fading import fading_penalty
from teacherstudent.theory.multiscale import instance

SHAPES = (
    PROBLEM.instance(n=30, d=20, p=12, kappa=20.0, noise=0.3, ridge=0.05, init=0.4, output_penalty=0.6),
    PROBLEM.instance(
        n=6, scales=((8, 1.0), (6, 0.3), (6, 0.03)), noise=0.2, ridge=0.01, init=0.1, output_penalty=2.0
    ),
)
"""More and (far) fewer examples than features: the two forms of the gradient."""

STEPS = np.array([0.0, 1, 2, 30, 1000, 5000])
"""The last two lie beyond the steps that are taken one by one, and beyond the fading."""

RATE, DECAY = 0.1, 0.1
RIDGES = np.array([0.03, 1.0])


@dataclass(frozen=True)
class Penalised:
    """Weights (S, T, d) of one problem's draws under a constant penalty, a fading one, and at once."""

    problem: MultiScale
    draws: Draws
    constant: np.ndarray
    fading: np.ndarray
    ridge: np.ndarray


def trained(seeds: Seeds) -> list[Penalised]:
    """Evidence: constant and fading penalties and ridge regression, on the same draws."""
    from teacherstudent.sims.multiscale.descent import faded_trajectory, student_trajectory
    from teacherstudent.sims.multiscale.ridge import ridge_students

    found = []
    for problem in SHAPES:
        draws, a = draw(problem, seeds(4, str(problem.n))), problem.output_penalty
        penalties = fading_penalty(problem, DECAY, int(STEPS[-1]))
        constant = student_trajectory(draws, STEPS, RATE, ridge=problem.ridge, output_penalty=a)
        fading = faded_trajectory(draws, STEPS, RATE, penalties=penalties, ridge=problem.ridge)
        ridge = ridge_students(draws, problem.ridge + RIDGES, output_penalty=a)
        found.append(Penalised(problem, draws, constant, fading, ridge))
    return found


Students = dict[str, np.ndarray]


@per_case
def closed_forms(case: Penalised, penalty: float = 1.0, late: int = 0, decay: float = 1.0) -> Students:
    """Eq. .2.17 with (1 + a) X^T X for X^T X.

    Factors on a and on its decay, and a delay, are for the negative controls.
    """
    problem = replace(case.problem, output_penalty=penalty * case.problem.output_penalty)
    penalties = fading_penalty(problem, decay * DECAY, int(STEPS[-1]))
    penalties = np.concatenate([penalties[:1].repeat(late), penalties])
    rules: dict[str, tuple[np.ndarray, instance.Rule]] = {
        "constant": (STEPS, instance.descent_rule(problem.ridge, RATE, problem.output_penalty)),
        "fading": (STEPS, instance.fading_rule(problem.ridge, RATE, penalties)),
        "ridge": (1 / RIDGES, instance.ridge_rule(problem.ridge, problem.output_penalty)),
    }
    return {name: instance.students(case.draws, *rule) for name, rule in rules.items()}


@worst_case
def equal_to_rounding(case: Penalised, students: Students) -> Iterator[Verdict]:
    """Judge: to the rounding that k steps gather; the normal equations lose their condition number."""
    largest = np.linalg.norm(case.draws.inputs * case.draws.strengths, ord=2, axis=(-2, -1)).max() ** 2
    condition = 1 + (1 + case.problem.output_penalty) * largest / (case.problem.ridge + RIDGES[0])
    factors = {"constant": STEPS.max(), "fading": STEPS.max(), "ridge": condition}
    for name, factor in factors.items():
        yield equal_after_steps(
            getattr(case, name), students[name], factor, case.problem.d,
            reason="rounding of k steps, k d eps |w|; of a linear system, condition d eps |w|",
        )  # fmt: skip


EXACT = check(
    id="ms-penalty-exact",
    title="constant and fading output penalty: simulated weights against the closed form, draw by draw",
    ref="Eq. 4.3.1, Fig. 6 left",
    evidence=trained,
    claim=closed_forms,
    judge=equal_to_rounding,
    teeth=(
        Tooth("schedule one step late", partial(closed_forms, late=1)),
        Tooth("penalty off by 1e-9", partial(closed_forms, penalty=1 + 1e-9)),
        Tooth("decay off by 1e-9", partial(closed_forms, decay=1 + 1e-9)),
    ),
    errata=(
        misprint(
            "ms-penalty-half",
            "strength of the output penalty",
            "where the a of a/2 |yhat|^2 is put into L + a |yhat|^2",
            "L + a/2 |yhat|^2, as in the published script of Fig. 6",
            partial(closed_forms, penalty=2.0),
            paper="",
        ),
    ),
    functions=(
        "sims.multiscale.descent:faded_trajectory",
        "sims.multiscale.descent:student_trajectory",
        "sims.multiscale.ridge:ridge_students",
        "theory.multiscale.instance:descent_rule",
        "theory.multiscale.instance:fading_rule",
        "theory.multiscale.instance:ridge_rule",
        "theory.multiscale.instance:students",
    ),
    covers=("Eq. 4.3.1",),
)


# What a constant penalty does to the rates -----------------------------------------------------------


SPEED = 1 + SHAPES[0].output_penalty


@dataclass(frozen=True)
class Twins:
    """Two simulated students of the same data: one penalised, and one faster without a penalty."""

    problem: MultiScale
    penalised: np.ndarray
    plain: Callable[[float, float], np.ndarray]


def twins(seeds: Seeds) -> Twins:
    """Evidence: one penalised run, and the means to train its unpenalised twins."""
    from teacherstudent.sims.multiscale.descent import student_trajectory

    problem = replace(SHAPES[0], init=0.0)
    draws, a = draw(problem, seeds(4)), problem.output_penalty
    penalised = student_trajectory(draws, STEPS, RATE, ridge=problem.ridge, output_penalty=a)

    def plain(fast: float, slow: float) -> np.ndarray:
        """Penalised without a penalty, `fast` and `slow` times as fast in the two scales."""
        first = problem.counts[0]
        speeds = np.repeat([fast, slow], [first, problem.d - first])
        # w -> sqrt(speed) w turns speeds of the weights into strengths of the features.
        faster = replace(draws, strengths=draws.strengths * np.sqrt(speeds))
        return np.sqrt(speeds) * student_trajectory(faster, STEPS, RATE, ridge=problem.ridge)

    return Twins(problem, penalised, plain)


def shrunk_twin(fast: float, slow: float, evidence: Twins) -> np.ndarray:
    """w_hat = u/(1 + a): u descends `fast` (1 + a) and `slow` (1 + a) times as fast without a penalty.

    Its ridge is ridge/(1 + a), so that its decay per step is that of the penalised student.
    """
    return evidence.plain(fast * SPEED, slow * SPEED) / SPEED


def same_student(evidence: Twins, claimed: np.ndarray) -> Verdict:
    """Judge: the weights, to the rounding that k steps gather."""
    return equal_after_steps(evidence.penalised, claimed, STEPS.max(), evidence.problem.d)


RATES = check(
    id="ms-penalty-rates",
    title="a constant output penalty speeds up all features alike and shrinks the student",
    ref="Section 4.3.4",
    evidence=twins,
    claim=partial(shrunk_twin, 1.0, 1.0),
    judge=same_student,
    teeth=(Tooth("shrunk, but not faster", partial(shrunk_twin, 1 / SPEED, 1 / SPEED)),),
    errata=(
        misprint(
            "ms-penalty-equalises",
            "Section 4.3.4",
            "the penalty slows down the faster features and so brings the scales of learning closer",
            "it multiplies every rate by 1 + a, and shrinks the student to 1/(1 + a)",
            partial(shrunk_twin, 1 / SPEED, 1.0),
        ),
    ),
    functions=("sims.multiscale.descent:student_trajectory",),
    covers=("Section 4.3.4: rates",),
)

CHECKS = (EXACT, RATES)
