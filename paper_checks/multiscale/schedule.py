"""The fading output penalty by its own words: a_k = a log(1 + exp(-r k))/log 2 at step k = 0, 1, ...

Both witnesses read the schedule from one module, so that their agreement says nothing of a mistake there.
Here the schedule and the descent under it are written anew.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import within_operations
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw

QUESTION: dict[str, Any] = {"n": 15, "d": 10, "p": 6, "kappa": 5.0, "noise": 0.3, "ridge": 0.05, "init": 0.4}
PENALTY, DECAY, RATE = 0.6, 0.03, 0.1
STEPS = np.array([0, 1, 2, 5, 30, 200])


def simulated(seeds: Seeds) -> tuple[np.ndarray, list[int]]:
    """R, Q and excess risk of each draw's student, (3, S, T), and the draws."""
    drawn = seeds(3)
    answer = run(
        "multiscale", "descent", "simulation", STEPS, seeds=drawn, learning_rate=RATE,
        output_penalty=PENALTY, output_penalty_decay=DECAY, **QUESTION,
    )  # fmt: skip
    return np.stack([answer[name].values for name in ("R", "Q", "excess_risk")]), drawn


def written_anew(
    evidence: tuple[np.ndarray, list[int]], penalty: float = PENALTY, decay: float = DECAY, late: int = 0
) -> np.ndarray:
    """w <- w - eta (X^T (X w - y) + a_k X^T X w + ridge w), (3, S, T); changed for the negative controls."""
    problem = PROBLEM.instance(**QUESTION)
    draws = draw(problem, evidence[1])
    X, F = draws.inputs * draws.strengths, draws.strengths
    y = np.einsum("snd,sd->sn", draws.inputs, draws.teacher) + draws.noise
    w, found = draws.initial.copy(), []
    for k in range(int(STEPS[-1]) + 1):
        if k in STEPS:
            R, Q = np.sum(draws.teacher * F * w, axis=1), np.sum((F * w) ** 2, axis=1)
            found.append([R / problem.d, Q / problem.d, (1 - 2 * R / problem.d + Q / problem.d) / 2])
        a = penalty * np.log(1 + np.exp(-decay * max(k - late, 0))) / np.log(2)
        outputs = np.einsum("snd,sd->sn", X, w)
        w = w - RATE * (np.einsum("snd,sn->sd", X, (1 + a) * outputs - y) + problem.ridge * w)
    return np.moveaxis(np.array(found), 0, -1)


def same_students(evidence: tuple[np.ndarray, list[int]], claimed: np.ndarray) -> Verdict:
    """Judge: to the rounding of the steps."""
    entries = QUESTION["n"] + QUESTION["d"]
    return within_operations(claimed - evidence[0], entries, 1 + STEPS, unit="observable")


SCHEDULE = check(
    id="ms-penalty-schedule",
    title="a fading output penalty is a log(1 + exp(-r k))/log 2 at step k, from the first step on",
    ref="Fig. 6 left, published script",
    evidence=simulated,
    claim=written_anew,
    judge=same_students,
    effect=Contrast("one step late", "what a delay of one step changes"),
    teeth=(
        Tooth("penalty 1e-6 larger", partial(written_anew, penalty=PENALTY * (1 + 1e-6))),
        Tooth("decay 1e-6 faster", partial(written_anew, decay=DECAY * (1 + 1e-6))),
        Tooth("one step late", partial(written_anew, late=1)),
    ),
    covers=("Fig. 6 left",),
)

CHECKS = (SCHEDULE,)
