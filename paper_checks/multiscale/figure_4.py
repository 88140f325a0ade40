"""Fig. 4: where its points A, B and C are in the plane of R and Q, when, and which curves pass near B."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import mean_within_errors, none_wrong
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.multiscale import check, misprints
from teacherstudent.paper_checks.multiscale.kit.curves import Drawn, agree, drawn, values

RATE = 0.25
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
EXACT, STUDENTS, ENDS = {40: 240, 80: 150}, (100, 240), 100
VARIABLES = ("R", "Q")


def sizes(d: int) -> dict[str, int]:
    """The figure's ratios."""
    return {"n": 11 * d // 10, "d": d, "p": 7 * d // 10}


def questions(d: int, later: float = 1, power: float = 1.0) -> list[tuple[str, dict[str, Any]]]:
    """Descent at each condition number; other numbers for wrong claims."""
    return [
        (
            "descent",
            {**sizes(d), "kappa": kappa**power, "times": later * np.array(steps), "learning_rate": RATE},
        )
        for kappa, steps in LOOKED_AT.values()
    ]


@dataclass(frozen=True)
class Evidence:
    """R and Q of all curves, and the exact mean of Q at B for each X at the size in print, (S, 1)."""

    curves: Drawn
    highest: np.ndarray


def gathered(seeds: Seeds) -> Evidence:
    """Exact means, students, and the end of the curve of the largest condition number."""
    end = {**sizes(STUDENTS[0]), "kappa": 1e5, "learning_rate": RATE}
    highest = run("multiscale", "descent", "instance", [10_000], seeds=seeds(ENDS, "end"), **end)["Q"].values
    return Evidence(drawn(questions, VARIABLES, EXACT, STUDENTS, seeds), highest)


@dataclass(frozen=True)
class Plane:
    """What is claimed: R and Q of all curves, the curves that pass near B, and how high the plane must be."""

    positions: np.ndarray
    passing: frozenset[str]
    highest: float


def claim(
    _: Any,
    route: str = "asymptotic",
    passing: tuple[str, ...] = PASSING[2:],
    highest: float | None = None,
    **changed: Any,
) -> Plane:
    """The limit, and at B the mean over Gaussian inputs of a size: Q = p/d + (1 - p/d) p/(n - p - 1)."""
    n, d, p = sizes(STUDENTS[0]).values()
    top = p / d + (1 - p / d) * p / (n - p - 1) if highest is None else highest
    positions = values(route, partial(questions, **changed), VARIABLES, d)
    return Plane(positions, frozenset(passing), top)


def as_drawn(evidence: Evidence, claimed: Plane) -> Verdict:
    """Positions, the height of B, when A comes, and which curves come near B, extrapolated in 1/d."""
    (small, few), (large, many) = sorted(evidence.curves.exact.items())
    means = many.mean(axis=0) + small / (large - small) * (many.mean(axis=0) - few.mean(axis=0))
    middle = dict(zip(LOOKED_AT, means.reshape(len(LOOKED_AT), len(VARIABLES), 3)[..., 1], strict=True))
    near = {name for name in PASSING if np.hypot(*(middle[name] - B)) < NEAR}
    return worst(
        agree(evidence.curves, claimed.positions),
        mean_within_errors(evidence.highest, claimed.highest),
        none_wrong(len(near ^ claimed.passing), len(PASSING), f"within {NEAR:g} of B or not", "curves"),
    )


FIGURE_4 = check(
    id="ms-figure-4",
    title="Fig. 4: where and when A, B and C are in the plane of R and Q, and which curves pass near B",
    ref="Fig. 4, Sect. 4.3.2",
    evidence=gathered,
    claim=claim,
    judge=as_drawn,
    effect=Contrast("A, and all else, at twice the step", "what twice the time changes"),
    teeth=(
        Tooth("the printed formulas, 4.2.11-4.2.16", partial(claim, route="printed")),
        Tooth("A, and all else, at twice the step", partial(claim, later=2)),
        Tooth("rates kappa apart", partial(claim, power=0.5)),
        Tooth("B without what the fast features fit", partial(claim, highest=0.7)),
    ),
    errata=misprints(
        {"ms-plane-height": partial(claim, highest=1.2), "ms-vicinity-of-b": partial(claim, passing=PASSING)}
    ),
    slow=True,
)

CHECKS = (FIGURE_4,)
