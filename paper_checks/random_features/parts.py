"""The excess risk in its parts: published numbers of the decomposition, and simulated students.

dascoli2020 writes it with five numbers, to which the published data add a sixth, of students that share only
the teacher. In terms of the parts, without their halves and for a teacher of slope 1,

    Psi1 = R, Psi6 = bias - 1 + 2R, Psi4 = Psi6 + samples, Psi2 = Psi4 + features + features and samples,
    Psi3 = all of the noise/tau^2, and Psi5 = what of it an average over the features leaves/tau^2.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.random_features import check

# Published numbers -------------------------------------------------------------------------------------------

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
    """The claim: the same by the route. Wrong: what features and samples do jointly is dropped or counted as
    sampling, the noises exchanged by a factor, a half forgotten, another activation."""
    found = []
    for lam in PRINTED:
        for j in PLACES:
            psi2 = 10 ** (-1 + 5 * j / 49)
            sizes = {"psi1": PSI1, "psi2": psi2, "d": INPUTS, "activation": activation, "noise": TAU}
            times = [1 / (psi2 * lam)]
            answer = run("random-features", "ridge", "asymptotic", times, observable="parts", **sizes)
            of = {name: half * float(answer[name][0]) for name in answer.data_vars}
            R = float(answer["R"][0])
            both = of["variance_features_samples"]
            psi6 = of["bias"] - 1 + 2 * R
            psi4 = psi6 + of["variance_samples"] + (both if sampled else 0.0)
            psi2_ = psi4 + of["variance_features"] + (both if jointly and not sampled else 0.0)
            psi5 = of["variance_noise"] / TAU**2
            psi3 = psi5 + noise * of["variance_features_noise"] / TAU**2
            found.append([R, psi2_, psi3, psi4, psi5, psi6])
    return np.reshape(found, (len(PRINTED), len(PLACES), 6))


def to_the_last_digit(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Half of the fifth digit that is printed here."""
    last = 10.0 ** np.maximum(np.floor(np.log10(evidence)) - 4, -5)
    bound = np.maximum(0.5 * last, 0.5e-5)
    reason = "half of the last printed digit"
    return within_bound((claimed - evidence), bound, reason, "printed number")
