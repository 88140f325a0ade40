"""The published script of Fig. 3, right: what it draws as theory is not Eqs. 4.2.14-4.2.16.

It simulates sigma_1 = 1 at ridge 2/t, and evaluates the formulas at sigma_1 = 1/2 and ridge 1/t,
with a factor 1/2 on the effective ridge of the first block only. The first block's is then that
of the simulation, the second block's twice that: as if the slow features were weaker by sqrt 2.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.finite_size import Family, against_limit, limit, scaled
from teacherstudent.paper_checks.multiscale import check, misprint
from teacherstudent.paper_checks.multiscale.kit.students import HALF_THE_RIDGE, sizes


def question(d: int) -> dict[str, Any]:
    """The figure's ratios and middle kappa; times 1/ridge."""
    return {**sizes(d), "kappa": 50.0, "times": (10.0, 1e3, 1e4, 3e4)}


DRAWS = {10: 30000, 20: 18000, 40: 10000}
FIGURE_3 = Family("multiscale", "ridge", ("excess_risk",), question, draws=DRAWS, large=(100, 1500))

SCRIPT = check(
    id="ms-figure-3-script",
    title="ridge regression of Fig. 3 against the exact limit, and against the script's own formula",
    ref="published script of Fig. 3",
    **against_limit(
        FIGURE_3,
        "asymptotic",
        HALF_THE_RIDGE,
        effect=Contrast("ms-script-factor", "what the script's factor changes"),
        further=("theory.multiscale.printed:ridge",),
    ),
    errata=(
        misprint(
            "ms-script-factor",
            "published script of Fig. 3",
            "a factor 1/2 on the first block's effective ridge, which doubles the second block's",
            "no factor, and the exact limit in the place of Eqs. 4.2.14-4.2.16",
            partial(limit, "printed", {"kappa": scaled(2**0.5)}),
        ),
    ),
    covers=("Fig. 3 right: script",),
)

CHECKS = (SCRIPT,)
