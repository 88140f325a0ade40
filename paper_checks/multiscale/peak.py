"""Does the error diverge at alpha = 1? Drawn spectra around as many samples as parameters decide.

At alpha = 1 and late times one small eigenvalue makes the sample mean of simulated errors
heavy-tailed: E_g of a draw is of order 1/lambda_min, whose mean is infinite at finite N. So the
average over teacher, noise and start is taken analytically for each drawn X (the instance route,
from its singular value decomposition), and times stay far below N^2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.multiscale import check, misprints
from teacherstudent.paper_checks.multiscale.fresh_examples import printed_generalisation
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.theory.multiscale import one_scale

ALPHAS = (0.8, 1.0, 1.25)
TIMES = np.array([3.0, 10.0, 30.0, 100.0, 300.0])
SETTING = {"noise": 0.5, "init": 0.5}
SMALL, SMALL_DRAWS = 40, 1000
LARGE, LARGE_DRAWS = 160, 60

Formula = Callable[[MultiScale, np.ndarray], np.ndarray]


def averaged(seeds: Seeds) -> dict[float, dict[int, np.ndarray]]:
    """E_g of each drawn X by alpha and size, (S, T)."""

    def at(alpha: float, d: int, count: int) -> np.ndarray:
        question = {"n": round(alpha * d), "scales": ((d, 1.0),), "observable": ["generalisation"], **SETTING}
        drawn = seeds(count, f"{alpha}/{d}")
        answer = run("multiscale", "flow", "instance", TIMES, seeds=drawn, **question)
        return answer["generalisation_error"].values

    counts = {SMALL: SMALL_DRAWS, LARGE: LARGE_DRAWS}
    return {alpha: {d: at(alpha, d, count) for d, count in counts.items()} for alpha in ALPHAS}


def right(problem: MultiScale, times: np.ndarray) -> np.ndarray:
    """The generalisation error by quadrature."""
    return np.asarray(one_scale.flow(problem, times, observable=["generalisation"])["generalisation_error"])


def noiseless(problem: MultiScale, times: np.ndarray) -> np.ndarray:
    """The same, forgetting the label noise."""
    return right(replace(problem, noise=0.0), times)


def claimed(formula: Formula, samples: float, _: object) -> dict[float, np.ndarray]:
    """A formula at each alpha, (T,), for `samples` times as many examples as there were."""
    problems = {
        alpha: PROBLEM.instance(n=round(samples * alpha * LARGE), scales=((LARGE, 1.0),), **SETTING)
        for alpha in ALPHAS
    }
    return {alpha: formula(problem, TIMES) for alpha, problem in problems.items()}


@worst_case
def means_within_errors(samples: dict[int, np.ndarray], claim: np.ndarray) -> Verdict:
    """A bias of order 1/N, or smaller, is at most a third of its change between sizes N/4 and N."""
    small, large = samples[SMALL], samples[LARGE]
    return mean_within_errors(large, claim, bias=np.abs(small.mean(axis=0) - large.mean(axis=0)) / 3)


PEAK = check(
    id="os-peak",
    title="as many samples as parameters: the error grows with training time, and only there",
    ref="Eqs. 2.3.14-2.3.15, footnote; Ch. 2 Fig. 4 right",
    evidence=averaged,
    claim=partial(claimed, right, 1.0),
    judge=means_within_errors,
    effect=Contrast("os-interpretations", "the growth of the error that the printed formula lacks"),
    teeth=(
        Tooth("five per cent more samples", partial(claimed, right, 1.05)),
        Tooth("noise forgotten", partial(claimed, noiseless, 1.0)),
    ),
    errata=misprints({"os-interpretations": partial(claimed, printed_generalisation, 1.0)}),
    slow=True,
)

CHECKS = (PEAK,)
