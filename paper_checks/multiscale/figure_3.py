"""Fig. 3 at its own sizes and condition numbers: descent and ridge regression against the exact limit.

The published script simulates sigma_1 = 1 at ridge 2/t and evaluates the formulas at sigma_1 = 1/2 and ridge
1/t, with a factor 1/2 on the effective ridge of the first block only. The first block's is then that of the
simulation, the second block's twice that: as if the slow features were weaker by sqrt 2.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Tooth
from teacherstudent.paper_checks.multiscale import check, misprints
from teacherstudent.paper_checks.multiscale.kit.curves import agree, drawn, values
from teacherstudent.paper_checks.multiscale.kit.students import sizes

STEPS = {1.0: (1, 6, 30), 50.0: (1, 6, 100, 3000, 30_000), 1e5: (6, 100, 3000)}
"""By condition number, until all is learned that is learned at all."""
RATE = 0.25
"""About 1/largest eigenvalue in the limit, which that of each draw approaches like d^(-2/3) only."""
EXACT, STUDENTS = {40: 240, 80: 140}, (100, 240)
VARIABLES = ("excess_risk",)


def questions(
    d: int, later: int = 1, power: float = 1.0, slower: float = 1.0
) -> list[tuple[str, dict[str, Any]]]:
    """Each condition number under both dynamics, the ridge 1/(eta k); other numbers for wrong claims."""
    found: list[tuple[str, dict[str, Any]]] = []
    for kappa, steps in STEPS.items():
        shape, times = {**sizes(d), "kappa": slower * kappa**power}, later * np.array(steps)
        found += [
            ("descent", {**shape, "times": times, "learning_rate": RATE}),
            ("ridge", {**shape, "times": RATE * times}),
        ]
    return found


def limit(_: Any, route: str = "asymptotic", **changed: Any) -> np.ndarray:
    """The claim: the limit, or another route to it."""
    return values(route, partial(questions, **changed), VARIABLES, STUDENTS[0])


FIGURE_3 = check(
    id="ms-figure-3",
    title="Fig. 3 at its own kappas, 1, 50 and 1e5: simulated descent and ridge regression against the limit",
    ref="Fig. 3",
    evidence=partial(drawn, questions, VARIABLES, EXACT, STUDENTS),
    claim=limit,
    judge=agree,
    effect=Contrast("the printed formulas, 4.2.11-4.2.16", "what the printed formulas change"),
    teeth=(
        Tooth("the printed formulas, 4.2.11-4.2.16", partial(limit, route="printed")),
        Tooth("steps of twice the length", partial(limit, later=2)),
        Tooth("rates kappa apart", partial(limit, power=0.5)),
    ),
    errata=misprints({"ms-script-factor": partial(limit, route="printed", slower=2**0.5)}),
    slow=True,
)

CHECKS = (FIGURE_3,)
