"""Batches of the multi-scale problem drawn anew or reshuffled: their limit, each draw, how fast at most."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import above_zero, none_wrong
from teacherstudent.paper_checks.judging.claims import worst_case
from teacherstudent.paper_checks.judging.comparison import ABSENT, Found, Values, scaled
from teacherstudent.paper_checks.judging.effects import WHOLE, Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.judges import PairedMeans
from teacherstudent.paper_checks.multiscale import check, compared
from teacherstudent.paper_checks.multiscale.one_pass import EXACT, TO_ROUNDING, recursed
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.theory.multiscale.spectral_task import task_of
from teacherstudent.theory.spectral.batches import critical_rate

own, routes = partial(check, paper=""), partial(compared, paper="")
"""What is checked here stands in no paper."""
Question = dict[str, Any]

# Batches drawn anew ------------------------------------------------------------------------------------

SHARED: Question = {"kappa": 3.0, "noise": 0.4, "init": 0.3, "ridge": 0.05}
AS_DESCENT = {"batch": ABSENT, "data": ABSENT}


def redrawn(d: int) -> Question:
    """The same at every size: three samples for two features, and a batch of a sixth of them."""
    return {**SHARED, "n": 3 * d // 2, "d": d, "p": d // 2, "batch": d // 4}


ENDLESS = redrawn(8 * 10**6)
"""The claim's size. At a finite one the theory has some of what finite batches change, but not all."""

LIMIT = routes(
    id="sgd-replacement",
    title="SGD with replacement from n examples approaches the large-system limit with a bias like 1/d",
    ref="Volterra equation of minibatch SGD",
    # at a learning rate twice as high some draws of the smallest size diverge
    clocks={"sgd": {"times": (5, 30, 150), "learning_rate": 0.1, "data": "replacement"}},
    questions=redrawn,
    routes=("simulation", "asymptotic"),
    averaged="instance",
    observables=("R", "Q", "excess_risk"),
    draws={12: 4000, 24: 1000, 72: 700, 120: 500},
    claimed={name: ENDLESS[name] for name in ("n", "d", "p", "batch")},
    effect=Contrast("batches without noise (gradient descent)", "the effect of batch noise"),
    wrong={
        "batches without noise (gradient descent)": {**AS_DESCENT, "route": "descent/asymptotic"},
        "every batch fresh": {"data": "fresh"},
        "no ridge": {"ridge": 0.0},
    },
    slow=True,
)


def nothing(found: Found) -> list[Values]:
    """Wrong: batches without noise."""
    return [{name: np.zeros_like(each) for name, each in case.values.items()} for case in found.cases]


INSTANCE = routes(
    id="sgd-instance",
    title="SGD with replacement: for each draw of the inputs, theory predicts the risk added by batch noise "
    "(n = 9, b = 1, 3)",
    ref="second moments of batches without repetition",
    clocks={"sgd": {"times": (5, 30), "data": "replacement"}},
    questions={
        f"b={batch}": {**SHARED, "n": 9, "d": 6, "p": 3, "batch": batch, "learning_rate": rate}
        for batch, rate in ((1, 0.08), (3, 0.16))
    },
    routes=("simulation", "instance"),
    observables=("excess_risk",),
    less={**AS_DESCENT, "route": "descent/{}"},  # on the same draw: teacher and label noise mostly cancel
    draws=1500,
    judge=PairedMeans(),
    effect=Contrast("batches without noise", "the effect of batch noise"),
    wrong={"batches without noise": nothing, "label noise twice as large": {"noise": 0.8}},
    slow=True,
)

# Many examples of which one mode has half of the trace: they become one pass --------------------------

MANY = 10**8
"""Examples of the claim."""


def of_size(n: int) -> Question:
    """Ten dimensions at every number of examples, and batches of one.

    The rate is a third of that from which the mean loss of a batch diverges, so that no draw does.
    """
    return {"scales": [(1, 1.0), (9, 0.1)], "n": n, "noise": 0.3, "init": 0.5, "learning_rate": 2.0 / n}


def without_own_term(found: Found) -> list[Values]:
    """Wrong: a recursion over modes that lacks what each adds to its own noise."""
    question = of_size(MANY)
    rate, steps = question.pop("learning_rate"), np.array(found.cases[-1].question["times"])
    moments = recursed(PROBLEM.instance(**question), 1, rate, steps, EXACT._replace(own=0.0))
    return [dict(zip(found.asked.observables, np.split(moments, 3), strict=True))]


STRONG = routes(  # exact over batches, teacher and label noise: `sgd-instance` holds it against students
    id="sgd-strong-mode",
    title="SGD with replacement, one strong dimension of ten: the deviation from the limit falls like 1/n",
    ref="the contribution of a mode to its own noise",
    clocks={"sgd": {"times": (5, 40, 200), "batch": 1, "data": "replacement"}},
    questions=of_size,
    routes=("instance", "asymptotic"),
    observables=("R", "Q", "excess_risk"),
    draws={80: 1500, 160: 1200, 320: 800, 800: 300},
    claimed=of_size(MANY),
    effect=Contrast(
        "without the modes' contributions to their own noise",
        "the contribution of a strong mode to its own noise",
    ),
    wrong={
        "without the modes' contributions to their own noise": without_own_term,
        "learning rate 10 % higher": {"learning_rate": scaled(1.1)},
        "batches of two": {"batch": 2},
    },
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
    reason = (
        f"most risks grow above {ASIDE:g} times the claimed rate, few below {1 / ASIDE:.2g} times this rate"
    )
    return none_wrong(wrong, len(above) + len(below), reason, "rates")


RATE = own(
    id="sgd-rate",
    title="the learning rate above which minibatch descent diverges, bounded from both sides (b = 1, 8, n)",
    ref="largest eigenvalue of the recursion equal to 1",
    evidence=growth,
    claim=critical,
    judge=on_either_side,
    wrong=(
        WrongClaim("half the learning rate", partial(critical, factor=0.5)),
        WrongClaim("a 50 % higher learning rate", partial(critical, factor=1.5)),
        WrongClaim("batches without noise: 2/curvature", partial(critical, batch=10**9)),
    ),
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
    title="late in training, reshuffling leaves a smaller excess risk than sampling with replacement",
    ref="over one epoch the batch noise cancels",
    evidence=late,
    claim=quieter,
    judge=by_sign,
    wrong=(WrongClaim("more", partial(quieter, less="replacement", more="reshuffled")),),
    slow=True,
)


WHOLE_BATCH = routes(
    id="sgd-whole",
    title="SGD with one batch of all n examples equals gradient descent",
    ref="b = n",
    clocks={"sgd": {"times": (0, 1, 10, 300), "learning_rate": 0.2, "data": "replacement"}},
    questions={
        route: {**SHARED, "n": 30, "d": 20, "p": 10, "batch": 30, "routes": (route, f"descent/{route}")}
        for route in ("asymptotic", "instance")
    },
    routes=("asymptotic", "descent/asymptotic"),
    observables=("R", "Q", "excess_risk"),
    draws=2,
    judge=TO_ROUNDING,
    claimed=AS_DESCENT,
    effect=WHOLE,
    wrong={"learning rate off by 1e-6": {"learning_rate": scaled(1 + 1e-6)}, "no ridge": {"ridge": 0.0}},
)

CHECKS = (LIMIT, INSTANCE, STRONG, RATE, NOISE, WHOLE_BATCH)
