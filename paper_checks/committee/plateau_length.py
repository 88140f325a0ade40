"""How long the plateau of equal units lasts, over the overlap at the start and over the number of inputs."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.committee import check, misprint
from teacherstudent.paper_checks.committee.kit.asking import ask, entry
from teacherstudent.paper_checks.committee.kit.crossing import crossings, specialisation
from teacherstudent.paper_checks.judging.agreement import within_bound, within_errors
from teacherstudent.paper_checks.judging.cases import stated, worst_of
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.theory.committee.plateau import plateau

PLATEAU = "theory.committee.plateau:plateau"

# Length over the overlap at the start ------------------------------------------------------------

DEEP = (1e-4, 1e-6, 1e-8)
"""A hundredth each time."""
LONG = {2: 1.5, 3: 0.9}
"""Learning rates by K = M."""


def left(_: Seeds) -> dict[int, np.ndarray]:
    """Evidence: times at which R_ii - R_ij passes 1/2, overlap by overlap."""
    found = {}
    for K, rate in LONG.items():
        times = np.linspace(0, 800, 3201)
        question: dict[str, Any] = {"width": K, "teacher_width": K, "learning_rate": rate}
        answers = [ask("symmetric", times, overlap=each, **question) for each in DEEP]
        found[K] = np.array([crossings(times, specialisation(each["R"].values)) for each in answers])
    return found


def lengths(_: object, factor: float = 1.0) -> dict[int, np.ndarray]:
    """The claim: how much longer for an e-th of the overlap, 1/l."""
    return {K: np.array(factor / plateau(K, rate).escape_rate) for K, rate in LONG.items()}


@worst_of
def longer(found: dict[int, np.ndarray], claim: dict[int, np.ndarray]) -> Any:
    """But for the way to the plateau, which moves by a power of the overlap: the rate at which the way is
    forgotten, over l (0.78 of K = 2), at most 1."""
    for K, times in found.items():
        off = np.diff(times) / (np.log(100) * claim[K]) - 1
        yield within_bound(
            off, 1e-3, "overlaps of 1e-4 to that power, and lines between the times", "relative"
        )


OVERLAP = check(
    id="cm-length-overlap",
    title="the plateau lasts longer by 1/l for each e-fold less of the overlap at the start, down to 1e-8",
    ref="length of the plateau = ln(1/X_0)/l + const",
    evidence=left,
    claim=lengths,
    judge=longer,
    teeth=(
        Tooth("half as long", partial(lengths, factor=0.5)),
        Tooth("one per cent longer", partial(lengths, factor=1.01)),
    ),
    functions=(entry("symmetric"), PLATEAU),
    slow=True,
)

# Length over the number of inputs ------------------------------------------------------------

SIZES = {64: 130, 256: 130, 1024: 130}
QUESTION: dict[str, Any] = {"learning_rate": 1.5, "start": "random", "init": 0.5}
WATCHED = np.array([0.0, *range(16, 248, 8)])
"""The risk at each costs more than the steps between. At d = 1024 one draw in a million is late."""


def escaped(seeds: Seeds) -> dict[int, np.ndarray]:
    """Evidence: when each draw of K = M = 2 units that start at random leaves the plateau, (S,) by size."""
    found = {}
    for d, count in SIZES.items():
        answer = ask("chain", WATCHED, d=d, seeds=seeds(count, str(d)), **QUESTION)
        found[d] = crossings(WATCHED, np.abs(specialisation(answer["R"].values)))
    return found


def slope(_: object, share: float = 0.5) -> float:
    """The claim: per e-fold of d, half of 1/l; as the code of ichikawa2025 says, all of it."""
    return share / plateau(2, QUESTION["learning_rate"]).escape_rate


def fitted(found: dict[int, np.ndarray], claim: float) -> Verdict:
    """The slope of the mean time over ln d."""
    drawn = [drawn_mean(times) for times in found.values()]
    weight = np.array([1 / each.stderr**2 for each in drawn])
    x = np.log(list(found))
    x = x - np.average(x, weights=weight)
    spread = np.sum(weight * x**2)
    measured = np.sum(weight * x * [each.mean for each in drawn]) / spread
    return within_errors(measured, claim, spread**-0.5)


SIZE = check(
    id="cm-length-size",
    title="from random weights the plateau lasts ln(d)/(2 l): overlaps start like 1/sqrt(d)",
    ref="overlaps at the start are like the root of 1/d",
    evidence=escaped,
    claim=slope,
    judge=fitted,
    effect=Contrast("cm-length-whole", "the distance to ln(d)/l"),
    teeth=(Tooth("no longer at larger d", stated(0.0)),),
    errata=(
        misprint(
            "cm-length-whole",
            "code, online_committee.py, against its manual",
            "the escape time grows as ln(d)/l",
            "ln(d)/(2 l)",
            partial(slope, share=1.0),
            paper="ichikawa2025",
        ),
    ),
    functions=(entry("chain"), PLATEAU),
    also=(("ichikawa2025", "Escape time"),),
    slow=True,
)

CHECKS = (OVERLAP, SIZE)
