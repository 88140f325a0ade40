"""Batches of the multi-scale problem drawn anew or reshuffled: their limit, each draw, how fast at most."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import above_zero, mean_within_errors, none_wrong
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import WHOLE, Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.paper_checks.multiscale.kit.batches import Question, asked, to_rounding
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.theory.multiscale.terms import task_of
from teacherstudent.theory.spectral.batches import critical_rate

own = partial(check, paper="")
"""What is checked here stands in no paper."""

# Batches drawn anew ------------------------------------------------------------------------------------

SHARED: Question = {"kappa": 3.0, "noise": 0.4, "init": 0.3, "ridge": 0.05, "learning_rate": 0.2}
TIMES = (5, 30, 150)
SLOWER = 0.1
"""Learning rate at every size: at twice as much some draws of the smallest diverge."""
ENDLESS = 8 * 10**6
"""Size of the claim. At a finite one the theory has some of what finite batches change, but not all."""
GIVEN = {12: 4000, 24: 1000, 72: 700}
"""Draws by size, of exact means given the inputs, which `sgd-instance` holds to students."""
TRAINED = (120, 500)
"""Size and draws of students."""


def redrawn(d: int) -> Question:
    """The same at every size: three samples for two features, and a batch of a sixth of them."""
    sizes = {"n": 3 * d // 2, "d": d, "p": d // 2, "batch": d // 4}
    return {**SHARED, **sizes, "learning_rate": SLOWER, "data": "replacement", "times": TIMES}


def by_size(seeds: Seeds) -> dict[int, np.ndarray]:
    """Evidence, (S, P) by size: exact means, as chance hides the bias of students, then students."""
    asking = [("instance", *each) for each in GIVEN.items()] + [("simulation", *TRAINED)]
    return {d: asked("sgd", route, seeds=seeds(count, f"d={d}"), **redrawn(d)) for route, d, count in asking}


def of_descent(_: object) -> np.ndarray:
    """Wrong: batches without noise."""
    given = {name: each for name, each in redrawn(ENDLESS).items() if name not in ("batch", "data", "times")}
    return asked("descent", "asymptotic", TIMES, **given)


def of_limit(_: object, **changed: Any) -> np.ndarray:
    """The claim."""
    return asked("sgd", "asymptotic", **{**redrawn(ENDLESS), **changed})


LIMIT = own(
    id="sgd-replacement",
    title="batches drawn anew from n examples, against the limit of many: a bias like 1/d",
    ref="Volterra equation of batches",
    evidence=by_size,
    claim=of_limit,
    judge=agree_beyond_bias,
    effect=Contrast("batches without noise: descent", "what the noise of batches adds"),
    teeth=(
        Tooth("batches without noise: descent", of_descent),
        Tooth("every batch new", partial(of_limit, data="fresh")),
        Tooth("no ridge", partial(of_limit, ridge=0.0)),
    ),
    functions=(
        "theory.multiscale.sgd:asymptotic",
        "theory.multiscale.asymptotic:descent",
        "theory.multiscale.instance_sgd:sgd",
        "sims.multiscale.sgd:sgd",
    ),
    slow=True,
)

EACH: Question = {**SHARED, "n": 9, "d": 6, "p": 3}
EARLY = (5, 30)
RATES = {1: 0.08, 3: 0.16}
"""By batch size."""


class Case(NamedTuple):
    """Students of some draws on batches of one size."""

    batch: int
    seeds: list[int]
    risks: np.ndarray
    """excess risk minus that of descent on the same draw, (S, T): teacher and label noise mostly cancel"""


def added(route: str, batch: int, seeds: list[int], **changes: float) -> np.ndarray:
    """What batches add to the excess risk of each draw, (S, T), by one route."""
    given: Question = {**EACH, "learning_rate": RATES[batch], "seeds": seeds, **changes}
    drawn: Question = {"batch": batch, "data": "replacement"}
    own = run("multiscale", "sgd", route, EARLY, **given, **drawn)["excess_risk"].values
    full: np.ndarray = run("multiscale", "descent", route, EARLY, **given)["excess_risk"].values
    return own - full


def draw_by_draw(seeds: Seeds) -> list[Case]:
    """Evidence: of each batch size."""
    found = []
    for batch in RATES:
        drawn = seeds(1500, f"b={batch}")
        found.append(Case(batch, drawn, added("simulation", batch, drawn)))
    return found


def of_each(evidence: list[Case], **changes: float) -> list[np.ndarray]:
    """The claim: the mean over batches, draw by draw; with other numbers it is wrong."""
    return [added("instance", each.batch, each.seeds, **changes) for each in evidence]


def nothing(evidence: list[Case]) -> list[np.ndarray]:
    """Wrong: batches without noise."""
    return [np.zeros_like(each.risks) for each in evidence]


@worst_case
def no_difference(found: Case, claimed: np.ndarray) -> Verdict:
    """Differences have a mean of zero."""
    return mean_within_errors(found.risks - claimed, 0.0)


INSTANCE = own(
    id="sgd-instance",
    title="batches drawn anew: what their noise adds given the inputs, draw by draw, n = 9, b = 1, 3",
    ref="second moments of batches without repetition",
    evidence=draw_by_draw,
    claim=of_each,
    judge=no_difference,
    effect=Contrast("batches without noise", "what the noise of batches adds"),
    teeth=(
        Tooth("batches without noise", nothing),
        Tooth("label noise twice as large", partial(of_each, noise=0.8)),
    ),
    functions=(
        "theory.multiscale.instance_sgd:sgd",
        "theory.multiscale.instance:descent",
        "sims.multiscale.sgd:sgd",
        "sims.multiscale.descent:descent",
    ),
    slow=True,
)

# Where it diverges --------------------------------------------------------------------------------------

GROWING: Question = {"n": 60, "d": 40, "p": 20, "kappa": 3.0, "noise": 0.3, "times": (60, 240)}
ASKED = (("fresh", 1), ("fresh", 8), ("fresh", 60), ("replacement", 1), ("replacement", 8))
NEAR = {1: 0.055, 8: 0.35, 60: 1.05}
FACTORS = (0.4, 0.6, 0.8, 1.25, 1.6, 2.0)
"""Of the rates near which students of each batch begin to grow."""
ASIDE = 1.15
"""Rates nearer to the claim than this are not judged: d is 40."""


def growth(seeds: Seeds) -> dict[tuple[str, int], dict[float, np.ndarray]]:
    """Evidence: by rate how the excess risk of each draw grows, as a logarithm, (S,)."""
    found: dict[tuple[str, int], dict[float, np.ndarray]] = {}
    for data, batch in ASKED:
        kept = {"data": data, "batch": batch, "seeds": seeds(16, f"{data}/{batch}")}
        rates = [factor * NEAR[batch] for factor in FACTORS]
        found[data, batch] = {rate: _growth(learning_rate=rate, **GROWING, **kept) for rate in rates}
    return found


def _growth(**question: Any) -> np.ndarray:
    """Of each draw, (S,); a risk below 1, twice what it is at the start, has not grown, and NaN diverges."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnconvergedWarning)
        risk = np.maximum(run("multiscale", "sgd", "simulation", **question)["excess_risk"].values, 1.0)
    grown: np.ndarray = np.log(risk[:, 1] / risk[:, 0])
    return np.where(np.isnan(grown), np.inf, grown)


def critical(_: object, factor: float = 1.0, batch: int = 0) -> dict[tuple[str, int], float]:
    """The claim: from which rate on it grows; wrong times a factor, or with the noise of other batches."""
    task = task_of(PROBLEM.instance(**{name: each for name, each in GROWING.items() if name != "times"}))
    return {(data, own): factor * critical_rate(task, batch or own, data) for data, own in ASKED}


@worst_case
def on_either_side(found: dict[float, np.ndarray], rate: float) -> Verdict:
    """Above the claimed rate risks grow from step to step, below it they do not, of most draws.

    The rate is that of the mean over batches in the limit: at this d each draw of rows has one of its own.
    """
    above = [np.median(each) for own, each in found.items() if own > ASIDE * rate]
    below = [np.median(each) for own, each in found.items() if own < rate / ASIDE]
    wrong = sum(bool(each <= 0) for each in above) + sum(bool(each > 0) for each in below)
    reason = f"at rates {ASIDE:g} times the claim or more most risks grow, at {1 / ASIDE:.2g} or less few"
    return none_wrong(wrong, len(above) + len(below), reason, "rates")


RATE = own(
    id="sgd-rate",
    title="the learning rate from which batches make descent diverge, from both sides, b = 1, 8, n",
    ref="largest eigenvalue 1 of the recursion",
    evidence=growth,
    claim=critical,
    judge=on_either_side,
    teeth=(
        Tooth("a rate of half as much", partial(critical, factor=0.5)),
        Tooth("a rate half as large again", partial(critical, factor=1.5)),
        Tooth("batches without noise: 2/curvature", partial(critical, batch=10**9)),
    ),
    functions=("theory.spectral.batches:critical_rate", "sims.multiscale.sgd:sgd"),
    slow=True,
)

# Reshuffled, and whole batches ------------------------------------------------------------------------

LATE = (200, 300)
LATER: Question = {"n": 40, "d": 24, "p": 12, "kappa": 3.0, "noise": 0.5, "learning_rate": 0.05, "batch": 2}
"""Steps small enough that an epoch, of twenty of them, hardly moves a student."""


def late(seeds: Seeds) -> dict[str, np.ndarray]:
    """Evidence: excess risks of the same draws late in training, (S, T), of each kind of data."""
    return {
        data: run("multiscale", "sgd", "simulation", LATE, data=data, seeds=seeds(600), **LATER)[
            "excess_risk"
        ].values
        for data in ("replacement", "reshuffled")
    }


def quieter(_: object, less: str = "reshuffled", more: str = "replacement") -> tuple[str, str]:
    """The claim: which of two has less noise of batches."""
    return less, more


def by_sign(found: dict[str, np.ndarray], claimed: tuple[str, str]) -> Verdict:
    """Paired by draw."""
    less, more = claimed
    return above_zero((found[more] - found[less]).T, "excess risk")


NOISE = own(
    id="sgd-reshuffled",
    title="late in training reshuffled examples leave less excess risk than batches drawn anew",
    ref="over an epoch the noise of batches cancels",
    evidence=late,
    claim=quieter,
    judge=by_sign,
    teeth=(Tooth("more", partial(quieter, less="replacement", more="reshuffled")),),
    functions=("sims.multiscale.sgd:sgd",),
    slow=True,
)


def whole(_: Seeds) -> list[np.ndarray]:
    """Evidence: batches of all n examples, by the two routes of theory."""
    given: Question = {**SHARED, "n": 30, "d": 20, "p": 10}
    drawn: Question = {"batch": 30, "data": "replacement"}
    times = (0, 1, 10, 300)
    limit = asked("sgd", "asymptotic", times, **given, **drawn)
    return [limit, asked("sgd", "instance", times, seeds=[1, 2], **given, **drawn)]


def descent(_: object, **changed: float) -> list[np.ndarray]:
    """The claim: gradient descent."""
    given: Question = {**SHARED, "n": 30, "d": 20, "p": 10, **changed}
    times = (0, 1, 10, 300)
    return [
        asked("descent", "asymptotic", times, **given),
        asked("descent", "instance", times, seeds=[1, 2], **given),
    ]


WHOLE_BATCH = own(
    id="sgd-whole",
    title="a batch of all n examples is gradient descent",
    ref="b = n",
    evidence=whole,
    claim=descent,
    judge=to_rounding,
    effect=WHOLE,
    teeth=(
        Tooth("rate off by 1e-6", partial(descent, learning_rate=0.2 * (1 + 1e-6))),
        Tooth("no ridge", partial(descent, ridge=0.0)),
    ),
    functions=(
        "theory.multiscale.sgd:asymptotic",
        "theory.multiscale.instance_sgd:sgd",
        "theory.multiscale.asymptotic:descent",
        "theory.multiscale.instance:descent",
    ),
)

CHECKS = (LIMIT, INSTANCE, RATE, NOISE, WHOLE_BATCH)
