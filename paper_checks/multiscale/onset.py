"""Where double descent begins: the boundary of theory against the onset that simulations show.

In the setting of Fig. 4 gradient descent with a small learning rate is simulated from drawn data at a few
condition numbers. Where the risk begins to rise between its two descents, its largest slope over log time
is 0: it is negative below the onset and positive above. The onset is read off the simulated mean curves,
and its standard error is a jackknife over draws, so that a claimed boundary is judged in standard errors.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.polynomial import Polynomial

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import jackknife, within_errors
from teacherstudent.paper_checks.judging.effects import Measured
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.multiscale import check, misprints
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.theory import turning
from teacherstudent.theory.multiscale import landmarks

SETTING = {"n": 110, "d": 100, "p": 70}
KAPPAS = (4.0, 5.0, 6.0, 7.0)
DRAWS, GROUPS = 1200, 50
RATE = 0.05
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
    curves = [
        run(
            "multiscale",
            "descent",
            "simulation",
            STEPS,
            seeds=draws,
            learning_rate=RATE,
            kappa=kappa,
            **SETTING,
        )
        for kappa in KAPPAS
    ]
    risk = np.stack([curve["excess_risk"].values for curve in curves], axis=1)
    return onset_of(risk.mean(axis=0)), jackknife(lambda kept: onset_of(kept.mean(axis=0)), risk, GROUPS)


def onset(curve: str, _: tuple[float, float]) -> float:
    """The condition number at which double descent starts on that curve."""

    def count(kappa: float) -> int:
        return landmarks.descents(PROBLEM.instance(kappa=kappa, **SETTING), curve)

    return turning.boundary(count, 1.5, 30.0, ACCURACY)


def scaled(factor: float, evidence: tuple[float, float]) -> float:
    """The boundary of gradient flow, times a factor."""
    return factor * onset("flow", evidence)


def within_its_error(evidence: tuple[float, float], claimed: float) -> Verdict:
    """The simulated onset against a boundary, in its standard errors."""
    found, error = evidence
    verdict = within_errors(found, claimed, error, degrees=GROUPS - 1)
    return replace(verdict, unit="kappa", reason=f"{found:.2f} found; {verdict.reason}")


CHECK = check(
    id="ms-onset",
    title="onset of double descent over kappa, against that of the simulated risk",
    ref="Fig. 4, Sect. 4.3.2",
    evidence=simulated,
    claim=partial(onset, "flow"),
    judge=within_its_error,
    effect=Measured(
        lambda found: abs(onset("ridge", found) - onset("flow", found)),
        "the distance to the boundary of ridge regression",
    ),
    teeth=(
        Tooth("ridge regression in place of time", partial(onset, "ridge")),
        Tooth("a boundary 10 % too high", partial(scaled, 1.1)),
        Tooth("a boundary 10 % too low", partial(scaled, 0.9)),
    ),
    errata=misprints({"ms-onset-printed": partial(onset, "printed")}),
    slow=True,
)

CHECKS = (CHECK,)
