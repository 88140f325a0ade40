"""Penalising outputs in the limit of large size: the students, Lemma 4.3.1, and the bump of the risk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import above_zero, mean_within_errors
from teacherstudent.paper_checks.judging.comparison import scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Verdict, WrongClaim, worst_verdict
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias
from teacherstudent.paper_checks.judging.judges import AtSizes
from teacherstudent.paper_checks.multiscale import check, compared, misprints
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw, fresh

# The limit ---------------------------------------------------------------------------------------

TIMES, RATE = (5, 50, 500), 0.15
"""At a rate of 0.2 one draw of ten features in 16,000 diverges."""


def shape(d: int, share: float = 1.2, fast: float = 0.6) -> dict[str, Any]:
    """Sizes of the question at dimension d."""
    return {"n": round(share * d), "d": d, "p": round(fast * d)}


def question(decay: float, d: int) -> dict[str, Any]:
    """The same problem at dimension d, with a constant (0) or a fading penalty."""
    values = {"kappa": 3.0, "noise": 0.2, "ridge": 0.01}
    penalty = {"output_penalty": 0.6, "output_penalty_decay": decay, "observable": ("outputs",)}
    return {**shape(d), **values, **penalty}


def limit_check(name: str, decay: float, effect: Contrast, wrong: dict[str, Any]) -> Check:
    """The large-size check of one kind of penalty, with the negative controls that all share."""
    return compared(
        id=f"ms-penalty-limit-{name}",
        title=f"descent under a {name} output penalty approaches the large-system limit with a bias like 1/d",
        ref="Eq. 4.3.1, Fig. 6 left",
        clocks={"descent": {"times": TIMES, "learning_rate": RATE}},
        questions=partial(question, decay),
        routes=("simulation", "asymptotic"),
        averaged="instance",
        observables=("R", "Q", "excess_risk", "training_output"),
        draws={10: 16000, 20: 8000, 40: 4000, 100: 600},
        judge=AtSizes(whole=True),
        effect=effect,
        wrong={
            "no penalty": {"output_penalty": 0.0},
            "a |yhat|^2, without the factor 1/2": {"output_penalty": scaled(2.0)},
            "no ridge": {"ridge": 0.0},
            **wrong,
        },
        covers=("Fig. 6 left",),
        slow=True,
    )


CONSTANT = limit_check("constant", 0.0, Contrast("no penalty", "the effect of the penalty"), {})
FADING = limit_check(
    "fading",
    0.02,
    Contrast("a constant instead of a decaying penalty", "the effect of the decay"),
    {
        "a constant instead of a decaying penalty": {"output_penalty_decay": 0.0},
        "decays 20 % faster": {"output_penalty_decay": scaled(1.2)},
    },
)

# Lemma 4.3.1 ----------------------------------------------------------------------------------------

STEPS = np.array([5.0, 50.0, 500.0])
LEMMA_DRAWS = {10: 16000, 20: 8000, 40: 4000}
LARGE, LARGE_DRAWS = 100, 600


def students_of(d: int) -> dict[str, Any]:
    """The student of Fig. 6 left, at dimension d."""
    return {**shape(d, 1.2, 0.7), "kappa": 10.0}


@dataclass(frozen=True)
class Squares:
    """|yhat|^2/n - Q, (S, T), of simulated students on n examples that they have not seen; and on their own,
    by size, but for the largest averaged over teacher and noise for each X."""

    unseen: np.ndarray
    seen: dict[int, np.ndarray]


def mean_squares(seeds: Seeds) -> Squares:
    """Evidence: of unseen examples at the largest size alone, as nothing depends on the size there."""
    from teacherstudent.sims.multiscale.data import observables, training_set
    from teacherstudent.sims.multiscale.descent import student_trajectory

    problem, chosen = PROBLEM.instance(**students_of(LARGE)), seeds(LARGE_DRAWS, f"d={LARGE}")
    own = draw(problem, chosen)
    weights = student_trajectory(own, STEPS, RATE)
    sets = [training_set(draws)[0] for draws in (fresh(problem, own, chosen, problem.n), own)]
    Q = observables(own, weights)["Q"]
    unseen, seen = (np.mean((weights @ x.swapaxes(-1, -2)) ** 2, axis=-1) - Q for x in sets)
    averaged = {}
    for d, count in LEMMA_DRAWS.items():
        answer = outputs_of("instance", d, seeds=seeds(count, f"d={d}"))
        averaged[d] = answer["training_output"].values - answer["Q"].values
    return Squares(unseen, {**averaged, LARGE: seen})


def outputs_of(route: str, d: int, **drawn: Any) -> Any:
    """A route's answer about those students."""
    question = {**students_of(d), "learning_rate": RATE, "observable": ("outputs",), **drawn}
    return run("multiscale", "descent", route, STEPS, **question)


def on_both_sets(unseen: float, seen: float | None, _: Squares) -> tuple[np.ndarray, np.ndarray]:
    """The same, (T,) each, where |yhat|^2/n is `unseen` times Q and `seen` times Q; None: as in the limit."""
    answer = outputs_of("asymptotic", LARGE)
    Q = answer["Q"].values
    on_training = answer["training_output"].values if seen is None else seen * Q
    return unseen * Q - Q, on_training - Q


def on_either(evidence: Squares, claimed: tuple[np.ndarray, np.ndarray]) -> Verdict:
    """Unseen examples without a bias, a student's own with one like 1/d."""
    unseen, seen = claimed
    return worst_verdict(
        mean_within_errors(evidence.unseen, unseen), agree_beyond_bias(evidence.seen, seen, whole=True)
    )


LEMMA = check(
    id="ms-penalty-lemma",
    title="mean squared outputs equal Q on unseen examples, but not on training examples",
    ref="Lemma 4.3.1, App. .2.5",
    evidence=mean_squares,
    claim=partial(on_both_sets, 1.0, None),
    judge=on_either,
    effect=Contrast(
        "the training examples treated as unseen", "the difference between unseen and training examples"
    ),
    wrong=(
        WrongClaim("the training examples treated as unseen", partial(on_both_sets, 1.0, 1.0)),
        WrongClaim("3 % more on unseen examples", partial(on_both_sets, 1.03, None)),
    ),
    errata=misprints({"ms-lemma-norm": partial(on_both_sets, 1 / 1.2, 1 / 1.2)}),
    slow=True,
)

# The bump of the risk -----------------------------------------------------------------------------------

FIGURE_6 = {"n": 48, "d": 40, "p": 28, "kappa": 30.0, "learning_rate": 0.2}
"""The figure's ratios at a smaller size: simulated and exact risks are compared draw by draw."""

STUDENTS = ((0.0, 0.0), (0.6, 0.0), (0.6, 0.001))
"""Penalty and decay: none, constant, and fading as in the published script."""


def risks(
    route: str, penalty: float, decay: float, times: np.ndarray, name: str = "excess_risk", **more: Any
) -> np.ndarray:
    """Excess risk, or `name`, of Fig. 6's student under one penalty, over time."""
    question = {**FIGURE_6, "output_penalty": penalty, "output_penalty_decay": decay, **more}
    return run("multiscale", "descent", route, times, **question)[name].values


def bumps() -> list[np.ndarray]:
    """The steps of the first minimum of each student's risk, and of the maximum after it, in the limit."""
    steps = np.unique(np.rint(np.geomspace(1, 3000, 200)))
    found = []
    for student in STUDENTS:
        rising = np.diff(risks("asymptotic", *student, steps)) > 0
        first = int(np.argmax(rising))
        found.append(steps[[first, first + int(np.argmin(rising[first:]))]])
    return found


@dataclass(frozen=True)
class Rises:
    """How much each student's risk and its R rise over its bump, (S, 3), and the draws."""

    seeds: list[int]
    bumps: list[np.ndarray]
    rises: np.ndarray
    aligned: np.ndarray


def rises(
    route: str,
    students: Sequence[tuple[float, float]],
    times: list[np.ndarray],
    seeds: list[int],
    name: str = "excess_risk",
) -> np.ndarray:
    """How much each student's risk, or `name`, rises over its own bump, draw by draw."""
    found = [
        risks(route, penalty, decay, bump, name, seeds=seeds)
        for (penalty, decay), bump in zip(students, times, strict=True)
    ]
    return np.stack([risk[:, 1] - risk[:, 0] for risk in found], axis=-1)


def drawn_rises(seeds: Seeds) -> Rises:
    """Data are common to the three students of a draw."""
    chosen, times = seeds(300), bumps()
    risk, aligned = (rises("simulation", STUDENTS, times, chosen, name) for name in ("excess_risk", "R"))
    return Rises(chosen, times, risk, aligned)


def exact_rises(students: Sequence[tuple[float, float]], evidence: Rises) -> np.ndarray:
    """Averages over the teacher for each drawn X; other `students` for the negative controls."""
    return rises("instance", students, evidence.bumps, evidence.seeds)


def smaller_as_claimed(evidence: Rises, claimed: np.ndarray) -> Verdict:
    """The rises are those of the claim, both penalties diminish the bump, draw against draw, and R grows."""
    saved = evidence.rises[:, :1] - evidence.rises[:, 1:]
    return worst_verdict(
        mean_within_errors(evidence.rises - claimed, 0.0),
        above_zero(saved.T, "excess risk"),
        above_zero(evidence.aligned.T, "R"),
    )


BUMP = check(
    id="ms-penalty-bump",
    title="both penalties reduce the temporary rise of the risk by the predicted amount",
    ref="Section 4.3.4, Fig. 6 left",
    evidence=drawn_rises,
    claim=partial(exact_rises, STUDENTS),
    judge=smaller_as_claimed,
    effect=Contrast("no effect of the penalty", "the reduction of the rise by the penalties"),
    wrong=(
        WrongClaim("no effect of the penalty", partial(exact_rises, (STUDENTS[0],) * 3)),
        WrongClaim("half the penalty", partial(exact_rises, ((0.0, 0.0), (0.3, 0.0), (0.3, 0.001)))),
    ),
)

CHECKS = (CONSTANT, FADING, LEMMA, BUMP)
