"""The excess risk in its parts: published numbers of the decomposition, and simulated students.

dascoli2020 writes it with five numbers, to which the published data add a sixth, of students that share only
the teacher. In terms of the parts, without their halves and for a teacher of slope 1,

    Psi1 = R, Psi6 = bias - 1 + 2R, Psi4 = Psi6 + samples, Psi2 = Psi4 + features + features and samples,
    Psi3 = all of the noise/tau^2, and Psi5 = what of it an average over the features leaves/tau^2.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.comparison import Values, then
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Claim, Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.judges import AtSizes
from teacherstudent.paper_checks.random_features import check, compared
from teacherstudent.paper_checks.random_features.kit.asking import RELU, SIGN

# Published numbers ----------------------------------------------------------------------------------

PSI1, INPUTS, TAU = 100.0, 10**10, 2.0
PLACES = (9, 15, 29)
"""Of psi2 = 10^(-1 + 5 j/49)."""
PRINTED = {
    1e-3: (
        (0.48428, 0.34379, 0.40301, 0.33952, 0.39475, 0.23453),
        (0.86989, 0.76595, 0.31962, 0.76157, 0.28701, 0.75671),
        (0.98975, 0.98383, 0.17276, 0.97960, 0.010878, 0.97960),
    ),
    1e-5: (
        (0.48559, 0.34534, 0.40609, 0.34105, 0.39774, 0.23580),
        (0.87390, 0.77275, 0.32553, 0.76832, 0.29044, 0.76371),
        (0.99571, 1.00964, 3.98331, 0.99143, 0.011011, 0.99143),
    ),
}
"""By lambda: Psi1 to Psi6 of relu at each place."""


def published(_: Seeds) -> np.ndarray:
    """Evidence: the printed numbers, (ridges, places, 6)."""
    return np.array(list(PRINTED.values()))


def composed(
    _: object, jointly: bool = True, sampled: bool = False, noise: float = 1.0, half: float = 2.0,
    activation: str = "relu",
) -> np.ndarray:  # fmt: skip
    """The claim: the same by the route. Wrong: what features and samples do jointly is dropped, or counted
    as sampling; a factor on a part of the noise; a half forgotten; another activation."""
    found = []
    for lam in PRINTED:
        for j in PLACES:
            psi2 = 10 ** (-1 + 5 * j / 49)
            question: dict[str, Any] = {"psi1": PSI1, "psi2": psi2, "d": INPUTS, "activation": activation}
            times = [1 / (psi2 * lam)]
            question |= {"noise": TAU, "observable": "parts"}
            answer = run("random-features", "ridge", "asymptotic", times, **question)
            of = {name: half * float(answer[name][0]) for name in answer.data_vars}
            both = of["variance_features_samples"] if jointly else 0.0
            first = float(answer["R"][0])
            sixth = of["bias"] - 1 + 2 * first
            fourth = sixth + of["variance_samples"] + (both if sampled else 0.0)
            second = fourth + of["variance_features"] + (0.0 if sampled else both)
            fifth = of["variance_noise"] / TAU**2
            third = fifth + noise * of["variance_features_noise"] / TAU**2
            found.append([first, second, third, fourth, fifth, sixth])
    return np.reshape(found, (len(PRINTED), len(PLACES), 6))


def to_five_decimals(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Half a unit for the rounding, and half for what the published solver leaves at small ridges."""
    return within_bound(claimed - evidence, 1e-5, "one unit of the fifth printed decimal", "printed number")


PUBLISHED = check(
    id="rf-published-parts",
    title="for ReLU features with N = 100 d, the parts of the risk give the published numbers",
    ref="Psi1 to Psi5, and the data of the decomposition in the paper on triple descent",
    paper="dascoli2020",
    evidence=published,
    claim=composed,
    judge=to_five_decimals,
    effect=Contrast("joint variance omitted", "the joint effect of features and samples"),
    wrong=(
        WrongClaim("joint variance omitted", partial(composed, jointly=False)),
        WrongClaim("joint variance attributed to samples", partial(composed, sampled=True)),
        WrongClaim("noise variance that features average out, counted twice", partial(composed, noise=2.0)),
        WrongClaim("factor 1/2 omitted", partial(composed, half=1.0)),
        WrongClaim("tanh instead of ReLU", partial(composed, activation="tanh")),
    ),
    also=(("dascoli2020triple", "Bias and variances"),),
)

# Simulated students ---------------------------------------------------------------------------------

NAMES = (
    "bias", "unlearnable", "variance_features", "variance_samples", "variance_features_samples",
    "variance_noise", "variance_features_noise", "variance_start",
)  # fmt: skip


def exchanged(one: str, other: str) -> Claim:
    """Wrong: two parts under each other's name."""
    return then(lambda parts: {**parts, one: parts[other], other: parts[one]})


def doubled(parts: Values) -> Values:
    """Wrong: parts without their half."""
    return {name: 2 * part for name, part in parts.items()}


EXCHANGED = "features and samples exchanged"
PARTS = compared(
    id="rf-parts",
    title="simulated students that share some of the draws give every part of the risk, extrapolated in 1/d",
    ref="bias, and variances by cause",
    clocks={"descent": {"times": (30, 300), "learning_rate": 0.1, "observable": "parts"}},
    questions=lambda d: {
        "psi1": 3.0, "psi2": 1.0, "d": d, "activation": "relu", "teacher": "sign",
        "noise": 0.5, "init": 0.5, "ridge": 0.02,
    },
    routes=("simulation", "asymptotic"),
    observables=NAMES,
    draws={20: 400, 60: 200},
    judge=AtSizes(extrapolated=True),
    effect=Contrast(EXCHANGED, EXCHANGED),
    wrong={
        "coefficients of tanh": {"activation": "tanh"},
        "the nonlinearity's effective noise omitted": {"activation": None, "hermite": (0.0, RELU.mu1)},
        "the teacher's nonlinear part omitted": {"teacher": None, "teacher_hermite": (0.0, SIGN.mu1)},
        EXCHANGED: exchanged("variance_features", "variance_samples"),
        "joint variance and bias exchanged": exchanged("variance_features_samples", "bias"),
        "the two noise variances exchanged": exchanged("variance_noise", "variance_features_noise"),
        "noise and initial weights exchanged": exchanged("variance_noise", "variance_start"),
        "parts without the factor 1/2": then(doubled),
    },
    slow=True,
)  # fmt: skip

CHECKS = (PUBLISHED, PARTS)
