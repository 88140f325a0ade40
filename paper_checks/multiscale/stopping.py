"""When to stop: the predicted best time and risk against simulated gradient descent.

The minimum is flat, so the time is judged by what stopping there costs: at no other recorded time
may the simulated risk be lower, draw against draw, by more than errors and finite-size bias allow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import quantile, shrinking_bias
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.theory.multiscale import landmarks
from teacherstudent.theory.multiscale.landmarks import Stop

SETTINGS: tuple[dict[str, float], ...] = (
    {"fast": 0.9, "kappa": 5.0, "noise": 0.2, "share": 1.1},
    {"fast": 0.9, "kappa": 100.0, "noise": 0.3, "share": 1.0},
)
"""The best time lies in the second descent of the first, in the first descent of the second."""

DRAWS = {10: 8000, 20: 4000, 40: 2000, 100: 1000}
"""At the largest size simulated, at the others averaged over teacher and noise for each X."""
RATES = (0.15, 0.015)
"""About 1700 and 200 steps until the predicted times: small enough to follow the flow."""


def question(d: int, *, fast: float, kappa: float, noise: float, share: float) -> dict[str, Any]:
    """Sizes and values of one setting at dimension d."""
    return {"n": round(share * d), "d": d, "p": round(fast * d), "kappa": kappa, "noise": noise}


def at_size(setting: dict[str, float], d: int) -> MultiScale:
    """The instance of one setting at dimension d."""
    return PROBLEM.instance(**question(d, **setting))


@dataclass(frozen=True)
class Descended:
    """Excess risks (S, T) by size at flow times (T,), for one setting."""

    setting: dict[str, float]
    times: np.ndarray
    risks: dict[int, np.ndarray]


def descended(seeds: Seeds) -> list[Descended]:
    """Evidence: risks around the predicted best time of each setting."""
    found = []
    for setting, rate in zip(SETTINGS, RATES, strict=True):
        best = landmarks.best_stop(at_size(setting, 100)).time
        steps = np.unique(np.rint(best / rate * np.geomspace(0.1, 10, 61)))
        risks = {
            d: run(
                "multiscale", "descent", "simulation" if d == max(DRAWS) else "instance", steps,
                learning_rate=rate, seeds=seeds(count, f"d={d}, {setting}"), **question(d, **setting),
            )["excess_risk"].values
            for d, count in DRAWS.items()
        }  # fmt: skip
        found.append(Descended(setting, rate * steps, risks))
    return found


def predicted(curve: str, evidence: list[Descended]) -> list[Stop]:
    """The best stop of gradient flow, or for the negative controls of what stands in for it."""
    return [landmarks.best_stop(at_size(case.setting, 100), curve) for case in evidence]


def stretched(factor: float, evidence: list[Descended]) -> list[Stop]:
    """Wrong: the right risk at a wrong time."""
    return [Stop(factor * stop.time, stop.excess_risk, stop.gain) for stop in predicted("flow", evidence)]


def best_and_as_good(evidence: list[Descended], claimed: list[Stop]) -> Verdict:
    """The claimed risks, with the curves' ends, where the bias is clear; and nothing better."""
    read, expected, others = [], [], []
    for case, stop in zip(evidence, claimed, strict=True):
        at = int(np.argmin(np.abs(np.log(case.times / stop.time))))
        first, last = exact(case)[[0, -1]]
        read.append({d: risks[:, [0, at, -1]] for d, risks in case.risks.items()})
        expected += [first, stop.excess_risk, last]
        others.append(none_better(case, at))
    there = {d: np.concatenate([risks[d] for risks in read], axis=1) for d in DRAWS}
    return worst(agree_beyond_bias(there, np.array(expected), whole=True), *others)


def exact(evidence: Descended) -> np.ndarray:
    """The risk of gradient flow at every recorded time in the limit, (T,)."""
    return landmarks.flow_curve(at_size(evidence.setting, max(DRAWS))).value(np.log(evidence.times))


def none_better(evidence: Descended, at: int) -> Verdict:
    """No recorded time has a lower mean risk than time number `at`, at the largest size."""
    *sizes, large = DRAWS
    regret = {d: risks[:, [at]] - np.delete(risks, at, axis=1) for d, risks in evidence.risks.items()}
    curve = exact(evidence)
    expected = curve[at] - np.delete(curve, at)
    small = shrinking_bias(sizes, [regret[d] - expected for d in sizes], -1)
    bias = np.maximum(small.bias, 0) * sizes[0] / large  # of the finite size, where it favours others
    drawn = drawn_mean(regret[large])
    error = np.hypot(drawn.stderr, small.bias_stderr * sizes[0] / large)
    threshold = quantile(error.size, drawn.degrees)
    seen = threshold * error + bias
    return Verdict(
        float(np.max(drawn.mean * threshold / seen)),
        threshold,
        float(np.median(seen)),
        "excess risk (median over times)",
        f"{threshold:.2f} standard errors by which another time may look better, plus the 1/d bias",
        error.size,
    )


STOPPING = check(
    id="ms-best-stop",
    title="the predicted best time and risk of early stopping, confirmed by simulated descent; "
    "not finely enough to tell that risk from the best ridge's",
    ref="Section 4.3.2, Eqs. 4.2.9-4.2.10",
    evidence=descended,
    claim=partial(predicted, "flow"),
    judge=best_and_as_good,
    effect=Contrast("the best ridge's time", "what stopping at the best time of ridge regression costs"),
    teeth=(
        Tooth("the best ridge's time", partial(predicted, "ridge")),
        Tooth("the printed formulas' time", partial(predicted, "printed")),
        Tooth("a third of the time", partial(stretched, 1 / 3)),
        Tooth("three times as long", partial(stretched, 3.0)),
        Tooth("half as long again", partial(stretched, 1.5)),
    ),
    slow=True,
)

CHECKS = (STOPPING,)
