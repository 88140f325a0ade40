"""Drawn features and samples against the limit: equal but for a bias that falls like 1/d.

Averages over labels, starts and fresh inputs are exact given the draws, so that a bias is measured to a few
percent. What is simulated, on fresh examples, must have the same mean at any size, without a bias.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from teacherstudent.paper_checks.judging.comparison import Values, scaled, then
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.judges import AtSizes, PairedMeans
from teacherstudent.paper_checks.random_features import compared
from teacherstudent.paper_checks.random_features.kit.asking import ERF, RELU, SIGN, Nonlinearity

Changed = dict[str, Any]
TRAINED: dict[str, Any] = {"noise": 0.5, "init": 0.5, "ridge": 0.02}


def one_scale(own: dict[str, Any], d: int, psi1: float, psi2: float) -> dict[str, Any]:
    """A question of one scale."""
    return {"psi1": psi1, "psi2": psi2, "d": d, **TRAINED, "hermite": None, "teacher_hermite": None, **own}


def two_scales(own: dict[str, Any], d: int, psi1: float, psi2: float) -> dict[str, Any]:
    """The same of two: two fifths of the inputs are three times as strong as the others."""
    weak = 3 * d // 5
    scales = ((d - weak, 3.0), (weak, 1.0))
    return {**one_scale(own, d, psi1, psi2), "d": None, "scales": scales}


def of(*moments: float) -> Changed:
    """Hermite coefficients in the place of an activation's name."""
    return {"activation": None, "hermite": (0.0, *moments)}


NO_NOISE, OTHER = "the nonlinearity's effective noise omitted", "coefficients of tanh"
LOUDER = "label noise 10 % larger"
TEACHER: Changed = {"teacher": None, "teacher_hermite": (0.0, SIGN.mu1)}


def wrong_of(own: Nonlinearity) -> dict[str, Changed]:
    """Wrong claims about a nonlinearity of which the limit knows `own`."""
    return {NO_NOISE: of(own.mu1), OTHER: {"activation": "tanh"}}


def all_wrong(own: Nonlinearity, psi1: float) -> dict[str, Changed]:
    """Those, and wrong training, and features divided by the root of d, not of N = psi1 d."""
    return {
        **wrong_of(own),
        "features divided by sqrt(d) instead of sqrt(N)": of(
            (psi1 * own.mu1**2) ** 0.5, (psi1 * own.rest) ** 0.5
        ),
        LOUDER: {"noise": scaled(1.1)},
        "initial weights omitted": {"init": 0.0},
        "no ridge": {"ridge": 0.0},
    }


def halved(answer: Values) -> Values:
    """Wrong: a risk without its half."""
    return {**answer, "excess_risk": 2 * answer["excess_risk"]}


limit = partial(
    compared,
    ref="errors given the draws, averaged over draws",
    routes=("instance", "asymptotic"),
    observables=("excess_risk", "training_error"),
    effect=Contrast(NO_NOISE, "the part of the nonlinearity that acts as noise"),
    slow=True,
)
"""Means of exact averages given the draws, by dimension."""
HALF = {"risk without the factor 1/2": then(halved)}

DESCENT = limit(
    id="rf-limit-descent",
    title="averages of descent on drawn erf features approach the limit, with a bias proportional to 1/d",
    clocks={"descent": {"times": (15, 150, 1500), "learning_rate": 0.15}},
    questions=partial(one_scale, {"activation": "erf"}, psi1=1.5, psi2=2.0),
    draws={40: 1800, 80: 900, 160: 350, 320: 30},
    wrong=all_wrong(ERF, 1.5) | HALF,
)
FLOW = limit(
    id="rf-limit-flow",
    title="averages of gradient flow on drawn ReLU features approach the limit, with a bias proportional to "
    "1/d",
    clocks={"flow": {"times": (3.0, 30.0, 300.0)}},
    questions=partial(one_scale, {"activation": "relu"}, psi1=3.0, psi2=1.0),
    draws={40: 1000, 80: 500, 160: 150, 320: 30},
    wrong=all_wrong(RELU, 3.0) | HALF,
)
RIDGE = limit(
    id="rf-limit-ridge",
    title="averages of ridge regression with two input scales, extrapolated in 1/d, agree with the limit",
    clocks={"ridge": {"times": (3.0, 300.0)}},
    questions=partial(two_scales, {"activation": "erf"}, psi1=1.5, psi2=2.0),
    draws={100: 300, 300: 50},
    judge=AtSizes(extrapolated=True),
    wrong={
        **wrong_of(ERF),
        LOUDER: {"noise": scaled(1.1)},
        "scales half as far apart": {"scales": lambda both: ((both[0][0], 1.5), both[1])},
        **HALF,
    },
)
INDEX = limit(
    id="rf-limit-teacher",
    title="averages for a sign teacher, extrapolated in 1/d, agree with the limit",
    clocks={"flow": {"times": (3.0, 30.0, 300.0)}},
    questions=partial(one_scale, {"activation": "erf", "teacher": "sign"}, psi1=1.5, psi2=2.0),
    draws={40: 1600, 160: 300},
    judge=AtSizes(extrapolated=True),
    wrong=wrong_of(ERF) | {"the teacher's nonlinear part omitted": TEACHER} | HALF,
)

SIMULATED = compared(
    id="rf-simulation",
    title="at finite size, simulated students agree with the exact averages for their draws",
    ref="the definition of the problem",
    clocks={"descent": {"times": (50, 500), "learning_rate": 0.03}, "ridge": {"times": (3.0, 300.0)}},
    questions={  # kinks, jumps, coefficients; linear and other teachers; one scale and two
        "0": one_scale({"activation": "relu"}, 30, 3.0, 1.0),
        "1": two_scales({"activation": "erf", "teacher": "sign"}, 30, 1.5, 2.0),
        "2": one_scale({"hermite": (0.2, 0.8, 0.3, 0.4), "teacher": "tanh"}, 30, 0.7, 1.5),
    },
    routes=("simulation", "instance"),
    observables=("generalisation_error", "training_error"),
    draws=150,
    judge=PairedMeans(),
    effect=Contrast("label noise 20 % larger", "the effect of a fifth of the label noise"),
    wrong={
        "label noise 20 % larger": {"noise": scaled(1.2)},
        "initial weights 50 % larger": {"init": scaled(1.5)},
        "ridge twice as large": {"ridge": scaled(2.0)},
    },
    slow=True,
)

CHECKS = (DESCENT, FLOW, RIDGE, INDEX, SIMULATED)
