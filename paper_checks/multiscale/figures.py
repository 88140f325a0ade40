"""Figs. 3 to 5 at their own sizes: simulated curves against the exact limit, and the published pictures.

Exact means given X at two sizes say where infinite sizes are; students at the size in print, less the
finite-size part of exact means, whether they go there. What chance adds to students is several times more.

The published script of Fig. 3 simulates sigma_1 = 1 at ridge 2/t and evaluates the formulas at sigma_1 = 1/2
and ridge 1/t, with a factor 1/2 on the effective ridge of the first block only. The first block's is then
that of the simulation, the second block's twice that: as if the slow features were weaker by sqrt 2. That of
Fig. 5 (c, d) calls the printed formulas with features of strength 1/2 and 1/(2 kappa) and a step of 1, and
adds sigma^2/2 (.2.23). Features of strength 1 and 1/kappa with a step of 1/4 and four times the ridge are the
same student: yhat = x.w_hat, x -> x/2 with w_hat -> 2 w_hat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import mean_within_errors, none_wrong, within_bound
from teacherstudent.paper_checks.judging.comparison import Changes, Found, Values, otherwise, scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim, worst_verdict
from teacherstudent.paper_checks.judging.judges import AtSizes
from teacherstudent.paper_checks.multiscale import check, compared, misprints
from teacherstudent.paper_checks.multiscale.kit.students import sizes

RATE = 0.25
"""About 1/largest eigenvalue in the limit, which that of each draw approaches like d^(-2/3) only."""
UNCHANGED: Changes = {}
EXTRAPOLATED = AtSizes(extrapolated=True)
PRINTED = "the printed formulas, 4.2.11-4.2.16"
DESCENT: dict[str, Any] = {"descent": {"learning_rate": RATE}}
figure = partial(
    compared, clocks=DESCENT, routes=("simulation", "asymptotic"), averaged="instance", slow=True
)

# Fig. 3 ----------------------------------------------------------------------------------------------------

STEPS = {1.0: (1, 6, 30), 50.0: (1, 6, 100, 3000, 30_000), 1e5: (6, 100, 3000)}
"""By condition number, until all is learned that is learned at all."""


def twice(d: int) -> list[dict[str, Any]]:
    """Each condition number under both dynamics, the ridge 1/(eta k)."""
    return [
        {"under": dynamics, **sizes(d), "kappa": kappa, "times": rate * np.array(steps)}
        for kappa, steps in STEPS.items()
        for dynamics, rate in (("descent", 1), ("ridge", RATE))
    ]


ROOT: Changes = {"kappa": lambda kappa: kappa**0.5}
FIGURE_3 = figure(
    id="ms-figure-3",
    title="Fig. 3, kappa = 1, 50 and 1e5: simulated descent and ridge regression agree with the limit",
    ref="Fig. 3",
    clocks=DESCENT | {"ridge": {}},
    questions=twice,
    observables=("excess_risk",),
    draws={40: 240, 80: 140, 100: 240},
    judge=EXTRAPOLATED,
    effect=Contrast(PRINTED, "the effect of using the printed formulas"),
    wrong={
        PRINTED: {"route": "printed"},
        "steps of twice the length": {"times": scaled(2)},
        "rates in the ratio kappa": ROOT,
    },
    errata=misprints({"ms-script-factor": otherwise({"route": "printed", "kappa": scaled(2**0.5)})}),
)

# Fig. 4: where A, B and C are in the plane of R and Q, when, and which curves pass near B -----------------

LOOKED_AT = {
    "A": (1e5, (4, 8, 16)),  # around the least risk
    "B": (1e5, (3000, 10_000, 30_000)),  # its end
    "C": (1.0, (3000, 10_000, 30_000)),  # all is learned
    "7": (7.0, (50, 100, 200)),  # around the place nearest to B, as all that follow
    "12": (12.0, (70, 140, 280)),
    "30": (30.0, (115, 230, 460)),
    "100": (100.0, (190, 380, 760)),
    "1000": (1e3, (360, 720, 1440)),
}
"""Condition numbers, and the steps at which they are looked at."""
B = (0.7, 1.225)
"""R and Q where fast features fit the slow ones as noise: p/d, p/d + (1 - p/d) p/(n - p)."""
NEAR = 0.1
"""Distance that counts as the vicinity of B; A is .68 away from it, C .375."""
PASSING = ("7", "12", "30", "100", "1000")
"""Curves that go on to C after the ascent; at kappa = 1 there is none."""


def all_curves(d: int) -> list[dict[str, Any]]:
    """Descent at each condition number, at the figure's ratios."""
    shape = {"n": 11 * d // 10, "d": d, "p": 7 * d // 10}
    return [{**shape, "kappa": kappa, "times": np.array(steps)} for kappa, steps in LOOKED_AT.values()]


def mean_height(n: int, d: int, p: int) -> float:
    """Q at B, the mean over Gaussian inputs of a size."""
    return p / d + (1 - p / d) * p / (n - p - 1)


@dataclass(frozen=True)
class Plane:
    """What is claimed: R and Q of all curves, the curves that pass near B, and how high B is at a size."""

    positions: list[Values]
    passing: frozenset[str]
    height: Callable[[int, int, int], float]


def plane(
    found: Found,
    changes: Changes = UNCHANGED,
    passing: tuple[str, ...] = PASSING[2:],
    height: Callable[[int, int, int], float] = mean_height,
) -> Plane:
    """The limit, and the mean at B; with changes for the negative controls."""
    return Plane(found.asked.claims(found.last, changes), frozenset(passing), height)


def as_drawn(found: Found, claimed: Plane) -> Verdict:
    """positions, the height of B, the time of A and the curves near B agree, extrapolated in 1/d"""
    (small, few), (large, many), _ = sorted(found.along().items())
    means = many.mean(axis=0) + small / (large - small) * (many.mean(axis=0) - few.mean(axis=0))
    middle = dict(zip(LOOKED_AT, means.reshape(len(LOOKED_AT), 2, 3)[..., 1], strict=True))
    near = {name for name in PASSING if np.hypot(*(middle[name] - B)) < NEAR}
    of_B = list(LOOKED_AT).index("B")
    ends = [case for case in found.cases[of_B :: len(LOOKED_AT)] if case.name in (small, large)]
    heights = (
        mean_within_errors(end.values["Q"][:, 1:2], claimed.height(*(end.question[each] for each in "ndp")))
        for end in ends
    )
    return worst_verdict(
        EXTRAPOLATED(found, claimed.positions),
        *heights,
        none_wrong(
            len(near ^ claimed.passing), len(PASSING), f"whether curves pass within {NEAR:g} of B", "curves"
        ),
    )


LATER = "all landmarks at twice the step"
FIGURE_4 = figure(
    id="ms-figure-4",
    title="Fig. 4: positions and times of A, B and C in the plane of R and Q, and curves that pass near B",
    ref="Fig. 4, Sect. 4.3.2",
    questions=all_curves,
    observables=("R", "Q"),
    draws={40: 240, 80: 150, 100: 240},
    claim=plane,
    judge=as_drawn,
    effect=Contrast(LATER, "the effect of doubling the time"),
    wrong={
        PRINTED: partial(plane, changes={"route": "printed"}),
        LATER: partial(plane, changes={"times": scaled(2)}),
        "rates in the ratio kappa": partial(plane, changes=ROOT),
        "Q at B without the fitted slow features": partial(plane, height=lambda n, d, p: p / d),
    },
    errata=misprints(
        {
            "ms-plane-height": partial(plane, height=lambda n, d, p: 1.2),
            "ms-vicinity-of-b": partial(plane, passing=PASSING),
        }
    ),
)

# Fig. 5 (c, d): which settings the published picture has ------------------------------------------------

STRENGTH = 0.5
"""Of the fast features in the published script."""
SHAPE: dict[str, Any] = {"n": 120, "d": 100, "p": 80, "kappa": 40.0, "noise": 0.2}
RIDGES = {
    name: 10 ** -(0.1 + 7.9 * i / 99) for name, i in (("large", 10), ("intermediate", 30), ("small", 99))
}
"""The slices that are drawn, in units of the published script."""

READ = {
    "large": ((2.00, 0.3942), (5.03, 0.3048), (20.1, 0.2584), (101, 0.2468), (994, 0.2443), (9500, 0.2441)),
    "intermediate": ((49.4, 0.2453), (101, 0.2649), (298, 0.2864), (994, 0.2944), (9500, 0.2960)),
    "small": ((2.00, 0.3834), (5.03, 0.2764), (20.1, 0.2312), (101, 0.2747), (298, 0.2960), (994, 0.2675),
              (2994, 0.1968)),
}  # fmt: skip
"""Time and loss at centres of the curves in `expected_results/fig5_cd.png` of the published repository.

They hold plateaus (.244 large, .296 intermediate) and turns (.231 at 20 and .296 at 300, small).
"""
LINE = 0.5 * (2.2 * 100 / 72 + 1) * 0.35 / 320
"""Half the width of a line, 2.2 points at 100 pixels an inch, and half a pixel; 320 hold a loss of .35."""


def read(_: Seeds) -> np.ndarray:
    """Evidence: the loss of every point that was read, (P,)."""
    return np.array([loss for points in READ.values() for _, loss in points])


def as_published(
    _: Any,
    route: str = "printed",
    kappa: float = SHAPE["kappa"],
    strength: float = STRENGTH,
    converted: bool = True,
    first: float = 1.0,
    floor: float = 0.5,
) -> np.ndarray:
    """The printed formulas there, (P,); time is drawn from `first` on, `floor` sigma^2 is added."""
    found = []
    for name, points in READ.items():
        flow = strength**2 * (np.array([time for time, _ in points]) - first)
        ridge = RIDGES[name] / (strength**2 if converted else 1)
        answer = run("multiscale", "flow", route, flow, **{**SHAPE, "kappa": kappa, "ridge": ridge})
        found.append(answer["excess_risk"].values + floor * SHAPE["noise"] ** 2)
    return np.concatenate(found)


def within_the_line(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Every point is on its drawn line."""
    return within_bound(
        claimed - evidence, LINE, "half the width of the drawn line plus half a pixel", "loss"
    )


PICTURE = check(
    id="ms-figure-5",
    title="Fig. 5 (d) shows the printed formulas at kappa = 40 and strengths 1/2, not the exact limit",
    ref="Fig. 5 c, d",
    evidence=read,
    claim=as_published,
    judge=within_the_line,
    effect=Contrast("the exact limit", "the distance to the exact limit"),
    wrong=(
        WrongClaim("the exact limit", partial(as_published, route="asymptotic")),
        WrongClaim("strength 1 in the rate, 1/2 in the ridge", partial(as_published, converted=False)),
        WrongClaim("features of strength 1", partial(as_published, strength=1.0)),
        WrongClaim("without sigma^2/2", partial(as_published, floor=0.0)),
    ),
    errata=misprints(
        {
            "ms-figure-5-kappa": partial(as_published, kappa=100.0),
            "ms-time-plus-one": partial(as_published, first=0.0),
        }
    ),
)

# Exact theory and students there --------------------------------------------------------------------------

LOOKED = np.array([5, 18, 60, 250, 1000, 10_000])
"""Steps of 1/4 around both turns of the small ridge, and the plateaus."""
RISING = 0.01
"""Rise above the least risk that counts as overfitting; the risk starts at .5."""
Slices = tuple[list[Values], frozenset[str]]
"""Excess risk at all steps of each slice, and the slices that overfit."""


def slices(d: int) -> list[dict[str, Any]]:
    """Descent at the three ridges."""
    shape = {**SHAPE, "n": 6 * d // 5, "d": d, "p": 4 * d // 5, "times": LOOKED}
    return [{**shape, "ridge": each / STRENGTH**2} for each in RIDGES.values()]


def exact(
    found: Found, changes: Changes = UNCHANGED, overfits: tuple[str, ...] = ("intermediate", "small")
) -> Slices:
    """The claim: the limit, in which the large ridge only stops."""
    return found.asked.claims(found.last, changes), frozenset(overfits)


def which_rise(found: Found, claimed: Slices) -> Verdict:
    """the risks agree, and each slice rises above its smallest risk or does not"""
    risks, overfits = claimed
    exact_means = sorted(found.along().items())[1][1]
    means = exact_means.mean(axis=0).reshape(len(RIDGES), len(LOOKED))
    rises = np.maximum.accumulate(means[:, ::-1], axis=1)[:, ::-1] - means
    rising = {name for name, rise in zip(RIDGES, rises.max(axis=1), strict=True) if rise > RISING}
    reason = f"whether the risk rises {RISING:g} above its minimum"
    return worst_verdict(
        EXTRAPOLATED(found, risks), none_wrong(len(rising ^ overfits), len(RIDGES), reason, "slices")
    )


STUDENTS_THERE = figure(
    id="ms-figure-5-exact",
    title="at the settings of Fig. 5 (d) students follow the exact limit and overfit at two of three ridges",
    ref="Fig. 5 c, d",
    questions=slices,
    observables=("excess_risk",),
    draws={40: 240, 80: 160, 100: 300},
    claim=exact,
    judge=which_rise,
    effect=Contrast(PRINTED, "the effect of using the printed formulas"),
    wrong={
        PRINTED: partial(exact, changes={"route": "printed"}),
        "the ridge for strengths 1/2 at strengths 1": partial(exact, changes={"ridge": scaled(STRENGTH**2)}),
        "steps of twice the length": partial(exact, changes={"times": scaled(2)}),
    },
    errata=misprints({"ms-large-ridge-overfits": partial(exact, overfits=tuple(RIDGES))}),
)

CHECKS = (FIGURE_3, FIGURE_4, PICTURE, STUDENTS_THERE)
