"""Draw by draw, weight by weight: simulated students against closed forms, and averages at one X.

For the same data, teacher, noise and start gradient descent must equal (1 - eta A)^k to rounding, and
approach e^{-sA} at first order in eta. The penalty is a/2 |yhat|^2 on the training examples, as in the
published script of Fig. 6; the gradient of a |yhat|^2 (Eq. 4.3.1) would hold 2a.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.comparison import (
    ABSENT,
    Found,
    Own,
    Question,
    Values,
    otherwise,
    scaled,
    shifted,
    then,
)
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.judges import FirstOrder, Means, Rounding
from teacherstudent.paper_checks.multiscale import compared, misprints
from teacherstudent.paper_checks.multiscale.kit.students import (
    DETERMINED,
    EXACT,
    ONE_X,
    SIMULATED,
    drawn,
    problem_of,
    trained,
)

weights = partial(compared, routes=(SIMULATED, EXACT), draws=4)
CLOCK = {"descent": {"times": (0, 1, 2, 30, 1000), "learning_rate": 0.15}}


def steps_times_features(asked: Question) -> float:
    """k d: what multiplies eps |w|."""
    return max(asked["times"]) * problem_of(asked).d


GATHERED = Rounding(steps_times_features, "rounding of k steps: k d eps |w|", "weight")

DESCENT = weights(
    id="ms-descent-exact",
    title="simulated weights agree with the closed form (1 - eta A)^k, draw by draw",
    ref="Eqs. 4.2.17-4.2.19, .2.11-.2.17",
    clocks=CLOCK,
    questions={
        "30": DETERMINED,
        "12": {"n": 12, "scales": ((8, 1.0), (6, 0.3), (6, 0.03)), "noise": 0.2, "ridge": 0.01, "init": 0.1},
    },
    judge=GATHERED,
    wrong={
        "one step too many": {"times": shifted(1)},
        "no ridge": {"ridge": 0.0},
        "no label noise": {"noise": 0.0},
        "initial weights omitted": {"init": 0.0},
        "learning rate off by 1e-9": {"learning_rate": scaled(1 + 1e-9)},
    },
)

FLOW_TIMES = np.array([0.6, 6.0])


def curvature(found: Found) -> float:
    """The largest eigenvalue of X^T X."""
    draws = drawn(found.cases[0].question, found.cases[0].seeds or [])
    return float(np.linalg.norm(draws.inputs * draws.strengths, ord=2, axis=(-2, -1)).max() ** 2)


FLOW = weights(
    id="ms-flow-rate",
    title="simulated weights approach gradient flow at first order in the learning rate",
    ref="Eqs. 4.2.9-4.2.10, .2.47-.2.48",
    clocks={"descent": {}},
    questions=lambda rate: {**DETERMINED, "times": np.rint(FLOW_TIMES / rate), "learning_rate": rate},
    draws=dict.fromkeys((0.02, 0.01, 0.005, 0.0025), 4),
    stream="30",
    judge=FirstOrder(curvature),
    claimed={"times": FLOW_TIMES, "learning_rate": ABSENT},
    wrong={"training 1 % too fast": {"times": scaled(1.01)}, "ridge doubled": {"ridge": scaled(2.0)}},
)

# The output penalty -----------------------------------------------------------------------------------------

PENALISED = {
    # more and (far) fewer examples than features: the two forms of the gradient
    "30": {**DETERMINED, "output_penalty": 0.6},
    "6": {
        "n": 6, "scales": ((8, 1.0), (6, 0.3), (6, 0.03)), "noise": 0.2, "ridge": 0.01, "init": 0.1,
        "output_penalty": 2.0,
    },
}  # fmt: skip
STEPS = {"times": (0, 1, 2, 30, 1000, 5000), "learning_rate": 0.1}
"""The last two lie beyond the steps that are taken one by one, and beyond the fading."""


def three_ways() -> dict[str, Any]:
    """A constant penalty, a fading one, and ridge regression."""
    ways: dict[str, dict[str, Any]] = {
        "constant": {"under": "descent", **STEPS},
        "fading": {"under": "descent", **STEPS, "output_penalty_decay": 0.1},
        "ridge": {"under": "ridge", "times": (1 / 0.03, 1.0)},
    }
    return {f"{n}/{way}": {**asked, **clock} for n, asked in PENALISED.items() for way, clock in ways.items()}


def operations(asked: Question) -> float:
    """k d; of a linear system its condition, to the edge of the limit's spectrum, times d."""
    if "learning_rate" in asked:
        return steps_times_features(asked)
    problem = problem_of(asked)
    largest = (1 + problem.alpha**0.5) ** 2
    return problem.d * (
        1 + (1 + problem.output_penalty) * largest / (problem.ridge + 1 / max(asked["times"]))
    )


PENALTY = weights(
    id="ms-penalty-exact",
    title="weights with a constant or decaying output penalty agree with the closed form, draw by draw",
    ref="Eq. 4.3.1, Fig. 6 left",
    clocks={"descent": {}, "ridge": {}},
    questions=three_ways,
    judge=Rounding(
        operations,
        "rounding of k steps, k d eps |w|; or of a linear system, condition number times d eps |w|",
        "weight",
    ),
    wrong={
        "schedule one step late": {"late": 1},
        "penalty off by 1e-9": {"output_penalty": scaled(1 + 1e-9)},
        "decay off by 1e-9": {"output_penalty_decay": scaled(1 + 1e-9)},
    },
    errata=misprints({"ms-penalty-half": otherwise({"output_penalty": scaled(2.0)})}),
)


def shrunk_twin(dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """w_hat = u/(1 + a): u descends without a penalty, `fast` (1 + a) and `slow` (1 + a) times as fast.

    Its ridge is ridge/(1 + a), so that its decay per step is that of the penalised student.
    """
    speeds = asked.pop("fast", 1.0), asked.pop("slow", 1.0)
    problem, draws = problem_of(asked), drawn(asked, seeds)
    speed = 1 + problem.output_penalty
    each = speed * np.repeat(speeds, problem.counts)
    # w -> sqrt(speed) w turns speeds of the weights into strengths of the features
    faster = draws.__class__(**{**vars(draws), "strengths": draws.strengths * np.sqrt(each)})
    return {"weights": np.sqrt(each) * trained(dynamics, {**asked, "output_penalty": 0.0}, faster) / speed}


SPEED = 1.6
RATES = weights(
    id="ms-penalty-rates",
    title="a constant output penalty speeds up all features equally and shrinks the student",
    ref="Section 4.3.4",
    clocks={"descent": STEPS},
    questions={**PENALISED["30"], "init": 0.0},
    routes=(SIMULATED, Own(shrunk_twin)),
    judge=GATHERED,
    wrong={"a student that shrinks but learns no faster": {"fast": 1 / SPEED, "slow": 1 / SPEED}},
    errata=misprints({"ms-penalty-equalises": otherwise({"fast": 1 / SPEED})}),
)


def independent_loop(_: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """w <- w - eta (X^T (X w - y) + a_k X^T X w + ridge w), a_k = a log(1 + exp(-r k))/log 2, step by step.

    Simulation and closed form read the schedule from one module: their agreement says nothing of a mistake
    there. late: steps by which a_k is.
    """
    problem, draws = problem_of(asked), drawn(asked, seeds)
    X, F, teacher = draws.inputs * draws.strengths, draws.strengths, draws.teacher
    y = np.einsum("snd,sd->sn", draws.inputs, teacher) + draws.noise
    w, found = draws.initial.copy(), []
    for k in range(max(asked["times"]) + 1):
        if k in asked["times"]:
            R, Q = np.sum(teacher * F * w, axis=1) / problem.d, np.sum((F * w) ** 2, axis=1) / problem.d
            found.append([R, Q, (1 - 2 * R + Q) / 2])
        fading = np.exp(-asked["output_penalty_decay"] * max(k - asked.get("late", 0), 0))
        a = problem.output_penalty * np.log(1 + fading) / np.log(2)
        pull = np.einsum("snd,sn->sd", X, (1 + a) * np.einsum("snd,sd->sn", X, w) - y)
        w = w - asked["learning_rate"] * (pull + problem.ridge * w)
    return dict(
        zip(("R", "Q", "excess_risk"), np.moveaxis(np.array(found), 1, 0).swapaxes(1, 2), strict=True)
    )


SCHEDULE = compared(
    id="ms-penalty-schedule",
    title="the decaying output penalty is a log(1 + exp(-r k))/log 2 at step k, from the first step on",
    ref="Fig. 6 left, published script",
    clocks={
        "descent": {
            "times": (0, 1, 2, 5, 30, 200),
            "learning_rate": 0.1,
            "output_penalty": 0.6,
            "output_penalty_decay": 0.03,
        }
    },
    questions={"n": 15, "d": 10, "p": 6, "kappa": 5.0, "noise": 0.3, "ridge": 0.05, "init": 0.4},
    routes=("simulation", Own(independent_loop)),
    observables=("R", "Q", "excess_risk"),
    draws=3,
    judge=Rounding(
        lambda asked: np.tile(37.0 * (1 + np.array(asked["times"])), 3),
        "a dozen operations on n + d entries per step",
    ),
    wrong={
        "penalty 1e-6 larger": {"output_penalty": scaled(1 + 1e-6)},
        "decay 1e-6 faster": {"output_penalty_decay": scaled(1 + 1e-6)},
        "one step late": {"late": 1},
    },
    covers=("Fig. 6 left",),
)

# Averages over many students of one X ----------------------------------------------------------------------

SHAPE: dict[str, Any] = {
    "n": 12, "scales": ((4, 1.0), (4, 0.5), (2, 0.2)), "noise": 0.5, "ridge": 0.1, "init": 0.4,
    "output_penalty": 0.2,
}  # fmt: skip
NOT = {"no ridge": {"ridge": 0.0}, "no output penalty": {"output_penalty": 0.0}}
averages = partial(compared, routes=ONE_X, judge=Means())


def one_student(said: Values) -> Values:
    """Wrong: Q measured on one student instead of two."""
    return {**said, "Q": said["Q0"]}


def settled_at_once(said: Values) -> Values:
    """Wrong: the fluctuations of the last time at every time."""
    gap = said["Q0"] - said["Q"]
    risk = said["excess_risk"] + (gap[-1] - gap) / 2
    return {**said, "Q0": said["Q"] + gap[-1], "excess_risk": risk}


def accumulated_covariance(_: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """Q0 - Q: tr[F^T F cov]/d, cov' = (1 - eta A) cov (1 - eta A) + 2 eta/beta, step by step (Eq. 4.2.4)."""
    problem, rate, found = problem_of(asked), asked["learning_rate"], []
    for seed in seeds:
        draws = drawn(asked, [seed])
        F, X = draws.strengths, draws.inputs[0] * draws.strengths
        A = (1 + problem.output_penalty) * X.T @ X + problem.ridge * np.eye(problem.d)
        keep, cov, gaps = np.eye(problem.d) - rate * A, np.zeros((problem.d, problem.d)), []
        for _step in range(max(asked["times"]) + 1):
            gaps.append(np.sum(F**2 * np.diag(cov)) / problem.d)
            cov = keep @ cov @ keep + 2 * rate / asked["inverse_temperature"] * np.eye(problem.d)
        found.append(np.array(gaps)[list(asked["times"])])
    return {"Q0": np.array(found), "Q": np.zeros_like(found)}


CHECKS = (
    DESCENT,
    FLOW,
    PENALTY,
    RATES,
    SCHEDULE,
    averages(
        id="ms-descent-averages",
        title="R and Q for one X, averaged over teacher, noise and initial weights, agree with the "
        "printed traces",
        ref="Eqs. 4.2.9-4.2.10, .2.18-.2.20",
        clocks={"descent": {"times": (1, 30, 1000), "learning_rate": 0.15}},
        questions=DETERMINED,
        observables=("R", "Q"),
        draws=4000,
        effect=Contrast("no label noise", "the contribution of label noise to R and Q"),
        wrong={
            "no label noise": {"noise": 0.0},
            "initial weights omitted": {"init": 0.0},
            "no ridge": {"ridge": 0.0},
        },
    ),
    averages(
        id="ms-langevin-moments",
        title="R, Q and Q0 of pairs of Langevin students on one X agree with the exact moments",
        ref="Eq. 4.2.4",
        clocks={"langevin": {"times": (1, 3, 10, 60), "learning_rate": 0.2, "inverse_temperature": 2.0}},
        questions=SHAPE,
        observables=("R", "Q", "Q0", "excess_risk"),
        draws=5000,
        effect=Contrast(
            "Q computed as the overlap of a student with itself", "the thermal fluctuations Q0 - Q"
        ),
        wrong={
            "thermal noise of variance eta/beta": {"inverse_temperature": scaled(2.0)},
            "Q computed as the overlap of a student with itself": then(one_student),
            "final fluctuations from the first step on": then(settled_at_once),
            **NOT,
        },
    ),
    compared(
        id="ms-langevin-covariance",
        title="Q0 - Q of Langevin descent on one X is the covariance accumulated from its noise, step by "
        "step",
        ref="Eq. 4.2.4",
        clocks={"langevin": {"times": (0, 1, 3, 10, 60), "learning_rate": 0.2, "inverse_temperature": 2.0}},
        questions=SHAPE,
        routes=(Own(accumulated_covariance), "instance"),
        observables=("Q0", "Q"),
        seen=lambda values: {"Q0 - Q": values["Q0"] - values["Q"]},
        draws=3,
        judge=Rounding(lambda asked: 36.0 * (1 + np.array(asked["times"])), "two matrix products per step"),
        wrong={
            "temperature 1e-9 lower": {"inverse_temperature": scaled(1 + 1e-9)},
            "ridge 1e-8 larger": {"ridge": scaled(1 + 1e-8)},
            "output penalty 1e-8 larger": {"output_penalty": scaled(1 + 1e-8)},
            "steps 1e-9 larger": {"learning_rate": scaled(1 + 1e-9)},
        },
        covers=("Eq. 4.2.4",),
    ),
    averages(
        id="ms-ridge-moments",
        title="ridge regression on one X, averaged over teachers and noise, agrees with the exact averages",
        ref="Eqs. .2.14-.2.20",
        clocks={"ridge": {"times": (0.3, 3.0, 30.0)}},
        questions=SHAPE,
        observables=("R", "Q", "excess_risk", "training_error", "training_output"),
        draws=4000,
        effect=Contrast("no output penalty", "the effect of the output penalty"),
        wrong={
            "noise 10 % larger": {"noise": scaled(1.1)},
            "no ridge in addition to 1/t": {"ridge": 0.0},
            "no output penalty": {"output_penalty": 0.0},
        },
    ),
)
