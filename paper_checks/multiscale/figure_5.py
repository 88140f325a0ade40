"""Fig. 5 (c, d): which settings the published picture has, and what exact theory and students say there.

The published script calls the printed formulas with features of strength 1/2 and 1/(2 kappa) and a step of 1,
and adds sigma^2/2 (.2.23). Features of strength 1 and 1/kappa with a step of 1/4 and four times the ridge are
the same student: yhat = x.w_hat, x -> x/2 with w_hat -> 2 w_hat.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import none_wrong, within_bound
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.multiscale import check, misprints
from teacherstudent.paper_checks.multiscale.kit.curves import Drawn, agree, drawn, values

STRENGTH = 0.5
"""Of the fast features in the published script."""
SHAPE: dict[str, Any] = {"n": 120, "d": 100, "p": 80, "kappa": 40.0, "noise": 0.2}
RIDGES = {
    name: 10 ** -(0.1 + 7.9 * i / 99) for name, i in (("large", 10), ("intermediate", 30), ("small", 99))
}
"""The slices that are drawn, in units of the published script."""

# The published picture -----------------------------------------------------------------------------

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
        claimed - evidence, LINE, "half the width of the drawn line, and half a pixel", "loss"
    )


PICTURE = check(
    id="ms-figure-5",
    title="Fig. 5 (d) is the printed formulas at kappa = 40 and strengths 1/2, and not the exact limit there",
    ref="Fig. 5 c, d",
    evidence=read,
    claim=as_published,
    judge=within_the_line,
    effect=Contrast("the exact limit", "the distance to the exact limit"),
    teeth=(
        Tooth("the exact limit", partial(as_published, route="asymptotic")),
        Tooth("strength 1 for the rate, 1/2 for the ridge", partial(as_published, converted=False)),
        Tooth("features of strength 1", partial(as_published, strength=1.0)),
        Tooth("without sigma^2/2", partial(as_published, floor=0.0)),
    ),
    errata=misprints(
        {
            "ms-figure-5-kappa": partial(as_published, kappa=100.0),
            "ms-time-plus-one": partial(as_published, first=0.0),
        }
    ),
)

# Exact theory and students there ----------------------------------------------------------------------

STEPS = (5, 18, 60, 250, 1000, 10_000)
"""Steps of 1/4 around both turns of the small ridge, and the plateaus."""
EXACT, STUDENTS = {40: 240, 80: 160}, (100, 300)
VARIABLES = ("excess_risk",)
RISING = 0.01
"""Rise above the least risk that counts as overfitting; the risk starts at .5."""


def questions(d: int, ridge: float = 1.0, later: int = 1) -> list[tuple[str, dict[str, Any]]]:
    """Descent at the three ridges; other numbers for wrong claims."""
    sizes = {"n": 6 * d // 5, "d": d, "p": 4 * d // 5}
    clock = {"times": later * np.array(STEPS), "learning_rate": STRENGTH**2}
    return [
        ("descent", {**SHAPE, **sizes, **clock, "ridge": ridge * each / STRENGTH**2})
        for each in RIDGES.values()
    ]


@dataclass(frozen=True)
class Slices:
    """Excess risk at all steps of each slice, (P,), and the slices that overfit."""

    risks: np.ndarray
    overfits: frozenset[str]


def exact(
    _: Any,
    route: str = "asymptotic",
    overfits: tuple[str, ...] = ("intermediate", "small"),
    **changed: Any,
) -> Slices:
    """The claim: the limit, in which the large ridge only stops."""
    return Slices(values(route, partial(questions, **changed), VARIABLES, STUDENTS[0]), frozenset(overfits))


def as_drawn(evidence: Drawn, claimed: Slices) -> Verdict:
    """The risks, and whether each slice rises above its least risk."""
    means = evidence.exact[max(EXACT)].mean(axis=0).reshape(len(RIDGES), len(STEPS))
    rises = np.maximum.accumulate(means[:, ::-1], axis=1)[:, ::-1] - means
    rising = {name for name, rise in zip(RIDGES, rises.max(axis=1), strict=True) if rise > RISING}
    reason = f"a rise of {RISING:g} above the least risk, or none"
    return worst(
        agree(evidence, claimed.risks),
        none_wrong(len(rising ^ claimed.overfits), len(RIDGES), reason, "slices"),
    )


STUDENTS_THERE = check(
    id="ms-figure-5-exact",
    title="at the settings of Fig. 5 (d) students follow the exact limit, and overfit at two of three ridges",
    ref="Fig. 5 c, d",
    evidence=partial(drawn, questions, VARIABLES, EXACT, STUDENTS),
    claim=exact,
    judge=as_drawn,
    effect=Contrast("the printed formulas, 4.2.11-4.2.16", "what the printed formulas change"),
    teeth=(
        Tooth("the printed formulas, 4.2.11-4.2.16", partial(exact, route="printed")),
        Tooth("the ridge of strengths 1/2 at strengths 1", partial(exact, ridge=STRENGTH**2)),
        Tooth("steps of twice the length", partial(exact, later=2)),
    ),
    errata=misprints({"ms-large-ridge-overfits": partial(exact, overfits=tuple(RIDGES))}),
    slow=True,
)

CHECKS = (PICTURE, STUDENTS_THERE)
