"""Margins in the input, by attack: what spectral decoupling does to them on digits.

The article has convolutional networks on CIFAR, which are not trained here. On digits its order of Table 1 is
seen, and its Fig. 2 in part: at small norms the penalised network errs less, at large ones more. It errs less
without a disturbance too, by 3/4 as much as at norm 0.05: that margins add to this takes more draws to tell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from teacherstudent.paper_checks.judging.cases import signed, stated
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth
from teacherstudent.paper_checks.starvation import check

DRAWS = 40
PENALTIES = (0.0, 0.1, 1.0)
"""None, a good one, and one that is too large."""
NORMS = (0.0, 0.05, 0.7)
"""No disturbance, that of Table 1, and one that most images do not survive."""


class Place(NamedTuple):
    """A penalty and a norm."""

    penalty: float
    norm: float


MORE = {
    "undisturbed": (Place(0.0, 0.0), Place(0.1, 0.0)),
    "disturbed by 0.05": (Place(0.0, 0.05), Place(0.1, 0.05)),
    "disturbed by 0.7": (Place(0.1, 0.7), Place(0.0, 0.7)),
    "undisturbed, large penalty": (Place(1.0, 0.0), Place(0.1, 0.0)),
}
"""Where more test images are told wrongly, and where fewer."""


def differences(seeds: Seeds) -> dict[str, np.ndarray]:
    """Evidence: by how much errors exceed each other as in `MORE`, draw by draw, (draws,)."""
    from teacherstudent.sims.starvation.attacked_digits import errors

    found = np.stack([errors(seed, PENALTIES, NORMS) for seed in seeds(DRAWS)])

    def at(place: Place) -> np.ndarray:
        return found[:, PENALTIES.index(place.penalty), NORMS.index(place.norm)]

    return {name: at(more) - at(fewer) for name, (more, fewer) in MORE.items()}


def but(name: str = "") -> Callable[[object], dict[str, int]]:
    """The claim: all these signs; wrong with one of them turned."""
    return stated({each: -1 if each == name else 1 for each in MORE})


ATTACKED = check(
    id="gs-attacked-digits",
    title="digits under attack: spectral decoupling errs less at small or no disturbance, more at large "
    "ones; not finely enough to tell small from none",
    ref="Ch. 6 Table 1 and Fig. 2, App. .4.3",
    evidence=differences,
    claim=but(),
    judge=signed("share of the test images"),
    teeth=(
        Tooth("the penalty costs accuracy without a disturbance", but("undisturbed")),
        Tooth("no gain at a small disturbance", but("disturbed by 0.05")),
        Tooth("a lower curve at every norm, as on CIFAR", but("disturbed by 0.7")),
        Tooth("no penalty is too large", but("undisturbed, large penalty")),
    ),
    slow=True,
)

CHECKS = (ATTACKED,)
