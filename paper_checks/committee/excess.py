r"""Students with more units than their teacher, with label noise: where they end, and when.

Two units of an odd activation in excess, w and -w, add nothing to the output. So with two or more units in
excess the state in which all of these are small is a saddle: noise makes pairs grow, at the rate
(2/pi) eta^2 sigma^2, and the error falls below the published one. So what the width
costs depends on the time: six units err 6.1 times as much as two at t = 500, 1.5 times at t = 1e5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.committee import check, compared, misprint
from teacherstudent.paper_checks.committee.kit.asking import CLOCK, ask, entry
from teacherstudent.paper_checks.judging.agreement import above_zero, within_bound
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.comparison import ABSENT, scaled, then
from teacherstudent.paper_checks.judging.effects import Contrast, Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.judges import Means
from teacherstudent.problems.committee import PROBLEM
from teacherstudent.theory.committee.final import small_noise_floor

# Two units in excess ------------------------------------------------------------

NOISE = 0.3
WATCHED = 200.0
THREE: dict[str, Any] = {
    "width": 3,
    "teacher_width": 1,
    "learning_rate": 0.5,
    "noise": NOISE,
    "initial_overlaps": ((0.3,), (0.1,), (-0.05,)),
    "student_overlaps": ((0.25, 0.0, 0.0), (0.0, 0.2, 0.02), (0.0, 0.02, 0.3)),
}
PUBLISHED = 0.3521165788
"""The published closed form at M = 1, L = 2 and eta = 0.5, over sigma^2."""


def by_equations(_: object, time: float = WATCHED) -> np.ndarray:
    """The excess risk of the equations from the same start, (1,)."""
    return ask("asymptotic", (time,), **THREE)["excess_risk"].values


def by_formula(_: object) -> np.ndarray:
    """Wrong: the published final error."""
    return np.array([PUBLISHED * NOISE**2])


SADDLE = compared(
    id="cm-floor-excess",
    title="with label noise two excess units form pairs, and the error falls below the published final error",
    ref="saddle of the excess units",
    clocks={CLOCK: {"times": (WATCHED,), **THREE}},
    questions=lambda d: {"d": d},
    routes=("chain", "asymptotic"),
    observables=("excess_risk",),
    draws={30: 300, 60: 150, 240: 60},
    stream="{}",
    claimed={"d": ABSENT},
    judge=Means(),  # a bias is too small to be seen: at d = 15 it is less than 1e-3
    effect=Contrast("cm-final-error-saddle", "the difference from the saddle's error"),
    wrong={"half the label noise": {"noise": scaled(0.5)}},
    errata=(
        misprint(
            "cm-final-error-saddle",
            "published notebook, final generalisation error for L excess units",
            "the final error is sigma^2 f(M, L, eta) for every L",
            "sigma^2 f(M, L, eta) is the final error for L <= 1; for L >= 2 it is the error at a saddle",
            then(lambda seen: {"excess_risk": by_formula(seen)}),
            held="cm-floor-published",
        ),
    ),
    slow=True,
)

# One layer and both ------------------------------------------------------------

WIDTHS = (2, 3, 4, 6)
EARLY, LATE, SIZE, COUNT = 500.0, 1e5, 60, 64
OVERLAPS = ((0.3, 0.02), (-0.02, 0.3), (0.1, 0.06), (-0.05, 0.1), (0.08, -0.07), (-0.09, -0.04))
TRAINED: dict[str, Any] = {"teacher_width": 2, "learning_rate": 0.3}
LAYERS = {"first": 0.0, "both": 0.3}
"""Learning rates of the second layer."""
Runs = dict[str, list[np.ndarray]]


def growth(_: object, **wrong: Any) -> dict[str, Any]:
    """The claim: what it says of which runs and which time; wrong where something else is said.

    At `EARLY` the error over that of two units is nearer to the published ratio of final errors than to 1
    where one layer is trained, and nearer to 1 where both are: so its limit is the root of that ratio, times
    `more` or `not more`. At `LATE` it is nearer to 1 for two units in excess and more, and below 1 with both.
    `wider` is the sign of what each next width adds with one layer at `EARLY`.
    """
    few, *many = (small_noise_floor(PROBLEM.instance(width=K, **TRAINED)) for K in WIDTHS)
    said = {"first": "first", "both": "both", "late": "late", "more": 1.0, "not more": 1.0, "wider": 1.0}
    return {**said, "limits": np.sqrt(np.array(many) / few), **wrong}


def wide(route: str, second: float, K: int, times: tuple[float, ...] = (EARLY,), **more: Any) -> np.ndarray:
    """Excess risks of K units that learn from two, (T,), or at one time those of every draw."""
    start = {"initial_overlaps": OVERLAPS[:K], "init": 0.5, "second_layer_learning_rate": second}
    question = {"width": K, "noise": 0.3, **TRAINED, **start, **more}
    return ask(route, times, **question)["excess_risk"].values.ravel()


def both_ways(seeds: Seeds) -> Runs:
    """Evidence: the chain's errors of both widths, and those of the equations, by layers in training."""
    found: Runs = {}
    for name, second in LAYERS.items():
        found[name] = [wide("chain", second, K, d=SIZE, seeds=seeds(COUNT, f"{name} {K}")) for K in WIDTHS]
        limits = [wide("asymptotic", second, K, (EARLY, LATE)) for K in WIDTHS]
        found[f"{name}, early"], found[f"{name}, late"] = map(list, zip(*limits, strict=True))
    return found


OWN = "the equations are solved far more accurately"
ADDED = Effect(1e-3, "a third of the error added by the fourth unit")


@worst_of
def wider_is_worse(found: Runs, claim: Mapping[str, Any]) -> Iterator[Verdict]:
    """Of the runs that the claim says are of one layer, and of both, and of the time that it says is late."""
    limits, first, both = claim["limits"], found[claim["first"]], found[claim["both"]]
    for limit, one, two in zip(limits, first[1:], both[1:], strict=True):
        yield above_zero((one - claim["more"] * limit * first[0])[None], "output^2")
        yield above_zero((claim["not more"] * limit * both[0] - two)[None], "output^2")
    for name, time, limit, sign in (
        ("first", "early", claim["more"] * limits, 1),
        ("both", "early", claim["not more"] * limits, -1),
        ("first", claim["late"], limits[1:], -1),
        ("both", claim["late"], np.ones(2), -1),
    ):
        few, *many = found[f"{claim[name]}, {time}"]
        beyond = sign * (np.array(many[-len(limit) :]) / few - limit)
        yield within_bound(np.minimum(beyond, 0.0), 1e-3, OWN, "relative")
    added = claim["wider"] * np.diff(found[f"{claim['first']}, early"])
    yield within_bound(np.minimum(added, 0.0), 1e-6, OWN, "output^2", ADDED)


WIDER = check(
    id="cm-overparametrised",
    title="with label noise, wider students have larger errors at t = 500, but not at t = 1e5 and not with "
    "both layers trained",
    paper="goldt2019",
    ref="final error as a function of the student's width",
    evidence=both_ways,
    claim=growth,
    judge=wider_is_worse,
    wrong=(
        WrongClaim("one trained layer gives the errors of two trained layers", partial(growth, first="both")),
        WrongClaim("two trained layers give the errors of one trained layer", partial(growth, both="first")),
        WrongClaim("the errors at t = 1e5 rank like those at t = 500", partial(growth, late="early")),
        WrongClaim("ten times the limit for one trained layer", partial(growth, more=10.0)),
        WrongClaim("a tenth of the limit for two trained layers", partial(growth, **{"not more": 0.1})),
        WrongClaim("each additional unit reduces the error", partial(growth, wider=-1.0)),
    ),
    functions=(entry("asymptotic"), entry("chain"), "theory.committee.final:small_noise_floor"),
    covers=("Final error over the width",),
    slow=True,
)

CHECKS = (SADDLE, WIDER)
