"""Landmarks of the risk over time, against simulated descent: onset of double descent, turns, when to stop.

Where the risk begins to rise between its two descents, its largest slope over log time is 0. The onset is
read off simulated mean curves, and its standard error is a jackknife over draws. The minimum of a risk is
flat, so a time to stop is judged by what stopping there costs: at no other recorded time may the simulated
risk be lower, draw against draw, by more than errors and finite-size bias allow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import jackknife, quantile, shrinking_bias, within_errors
from teacherstudent.paper_checks.judging.claims import positive
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast, Measured
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim, worst_verdict
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias
from teacherstudent.paper_checks.judging.turns import at_turns, two_descents
from teacherstudent.paper_checks.multiscale import check, misprints
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.theory import turning
from teacherstudent.theory.multiscale import landmarks
from teacherstudent.theory.multiscale.landmarks import Stop

# Where double descent begins -------------------------------------------------------------------------------

FIGURE_4 = {"n": 110, "d": 100, "p": 70}
KAPPAS = (4.0, 5.0, 6.0, 7.0)
DRAWS, GROUPS = 1200, 50
SLOW = 0.05
"""Learning rate: eta times the largest eigenvalue is 0.2, so that descent is close to flow."""

STEPS = np.unique(np.rint(np.geomspace(60, 180, 9)))
"""Flow times 3 to 9, around the place where the risk first ceases to fall throughout."""

DEGREE = 4
"""Of the polynomial in log time through the mean risk. On the exact curve it finds the onset to 0.003."""

ACCURACY = 1e-6


def onset_of(risk: np.ndarray) -> float:
    """The condition number at which the largest slope of these mean curves, (kappa, time), is 0."""
    x = np.log(STEPS)
    fine = np.linspace(x[0], x[-1], 400)
    slopes = [Polynomial.fit(x, curve, DEGREE).deriv()(fine).max() for curve in risk]
    return float(Polynomial.fit(slopes, KAPPAS, 2)(0.0))


def simulated(seeds: Seeds) -> tuple[float, float]:
    """Evidence: the onset of the mean curves, and one standard error of it."""
    draws = seeds(DRAWS)  # the same at each condition number: what they share moves no onset
    asked: dict[str, Any] = {"times": STEPS, "learning_rate": SLOW, "seeds": draws, **FIGURE_4}
    curves = [run("multiscale", "descent", "simulation", kappa=kappa, **asked) for kappa in KAPPAS]
    risk = np.stack([curve["excess_risk"].values for curve in curves], axis=1)
    return onset_of(risk.mean(axis=0)), jackknife(lambda kept: onset_of(kept.mean(axis=0)), risk, GROUPS)


def onset(curve: str, _: tuple[float, float]) -> float:
    """The condition number at which double descent starts on that curve."""

    def count(kappa: float) -> int:
        return landmarks.descents(PROBLEM.instance(kappa=kappa, **FIGURE_4), curve)

    return turning.boundary(count, 1.5, 30.0, ACCURACY)


def scaled(factor: float, evidence: tuple[float, float]) -> float:
    """The boundary of gradient flow, times a factor."""
    return factor * onset("flow", evidence)


def within_its_error(evidence: tuple[float, float], claimed: float) -> Verdict:
    """The simulated onset against a boundary, in its standard errors."""
    found, error = evidence
    verdict = within_errors(found, claimed, error, degrees=GROUPS - 1)
    return replace(verdict, unit="kappa", reason=f"found {found:.2f}; {verdict.reason}")


ONSET = check(
    id="ms-onset",
    title="the condition number at which double descent sets in agrees with the simulated risk",
    ref="Fig. 4, Sect. 4.3.2",
    evidence=simulated,
    claim=partial(onset, "flow"),
    judge=within_its_error,
    effect=Measured(
        lambda found: abs(onset("ridge", found) - onset("flow", found)),
        "the distance to the onset under ridge regression",
    ),
    wrong=(
        WrongClaim("ridge regression in place of training time", partial(onset, "ridge")),
        WrongClaim("an onset 10 % too high", partial(scaled, 1.1)),
        WrongClaim("an onset 10 % too low", partial(scaled, 0.9)),
    ),
    errata=misprints({"ms-onset-printed": partial(onset, "printed")}),
    slow=True,
)

# Fig. 1: the fast features overfit before the slow ones are learned -----------------------------------------

FIGURE_1: dict[str, Any] = {"n": 130, "d": 100, "p": 70, "kappa": 100.0}
WIDE = 5.0
"""Factor of time on either side of a turn at which the risk has left it for sure."""
UNLEARNED = 0.9
"""Share of their initial error that the slow features keep, at least, until the maximum."""


def turns(drawn: list[int], later: float = 1.0, fast: str = "fast") -> np.ndarray:
    """What Fig. 1 says is positive of the risk at the theory's turns, one row each, (statements, S)."""

    def course(times: np.ndarray) -> np.ndarray:
        clock: dict[str, Any] = {"times": np.rint(times / SLOW), "learning_rate": SLOW, "seeds": drawn}
        answer = run("multiscale", "descent", "simulation", observable=("parts",), **clock, **FIGURE_1)
        parts = answer["bias"].values if fast == "fast" else answer["bias"].values[..., ::-1]
        return np.concatenate([answer["excess_risk"].values[..., None], parts], axis=-1).swapaxes(0, 1)

    low, high = (later * turn.time for turn in landmarks.extrema(PROBLEM.instance(**FIGURE_1), "flow"))
    risk, overfit, learned = np.moveaxis(at_turns(course, low, high, WIDE, (0.2, 1e5)), -1, 0)
    at_low, at_high, end = 2, 5, 7
    waiting = [
        overfit[at_high] - overfit[at_low],  # the fast features overfit
        learned[at_high] - UNLEARNED * learned[0],  # before the slow ones are learned
        learned[at_high] - learned[end],
    ]
    return np.concatenate([two_descents(risk), waiting])


TWO_DESCENTS = check(
    id="ms-two-descents",
    title="the risk of Fig. 1 descends twice as predicted; slow features are learned after its maximum",
    ref="Fig. 1",
    evidence=lambda seeds: seeds(100),
    claim=turns,
    judge=positive("excess risk"),
    wrong=(
        WrongClaim("turning points five times later", partial(turns, later=WIDE)),
        WrongClaim("turning points five times earlier", partial(turns, later=1 / WIDE)),
        WrongClaim("the slow features overfit", partial(turns, fast="slow")),
    ),
    slow=True,
)

# When to stop ----------------------------------------------------------------------------------------------

SETTINGS: tuple[dict[str, float], ...] = (
    {"fast": 0.9, "kappa": 5.0, "noise": 0.2, "share": 1.1},
    {"fast": 0.9, "kappa": 100.0, "noise": 0.3, "share": 1.0},
)
"""The best time lies in the second descent of the first, in the first descent of the second."""

BY_SIZE = {10: 8000, 20: 4000, 40: 2000, 100: 1000}
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
                "multiscale", "descent", "simulation" if d == max(BY_SIZE) else "instance", steps,
                learning_rate=rate, seeds=seeds(count, f"d={d}, {setting}"), **question(d, **setting),
            )["excess_risk"].values
            for d, count in BY_SIZE.items()
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
    there = {d: np.concatenate([risks[d] for risks in read], axis=1) for d in BY_SIZE}
    return worst_verdict(agree_beyond_bias(there, np.array(expected), whole=True), *others)


def exact(evidence: Descended) -> np.ndarray:
    """The risk of gradient flow at every recorded time in the limit, (T,)."""
    return landmarks.flow_curve(at_size(evidence.setting, max(BY_SIZE))).value(np.log(evidence.times))


def none_better(evidence: Descended, at: int) -> Verdict:
    """No recorded time has a lower mean risk than time number `at`, at the largest size."""
    *sizes, large = BY_SIZE
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
        f"{threshold:.2f} standard errors (chance may favour another time), plus the bias of order 1/d",
        error.size,
    )


STOPPING = check(
    id="ms-best-stop",
    title="simulations confirm the predicted best stopping time and risk (but cannot exclude the best time "
    "for ridge regression)",
    ref="Section 4.3.2, Eqs. 4.2.9-4.2.10",
    evidence=descended,
    claim=partial(predicted, "flow"),
    judge=best_and_as_good,
    effect=Contrast(
        "the best time for ridge regression", "the cost of stopping at the best time for ridge regression"
    ),
    wrong=(
        WrongClaim("the best time for ridge regression", partial(predicted, "ridge")),
        WrongClaim("the best time by the printed formulas", partial(predicted, "printed")),
        WrongClaim("one third of the time", partial(stretched, 1 / 3)),
        WrongClaim("three times the time", partial(stretched, 3.0)),
        WrongClaim("1.5 times the time", partial(stretched, 1.5)),
    ),
    slow=True,
)

CHECKS = (ONSET, TWO_DESCENTS, STOPPING)
