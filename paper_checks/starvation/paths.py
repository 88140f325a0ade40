"""Paths in the plane of two responses: which differ, which agree, and where all end (App. Fig. 1).

Clocks differ between dual and primal, so paths are compared as curves: by the Hausdorff
distance, the farthest that a point of either lies from the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.spatial.distance import cdist

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.starvation import check, misprints
from teacherstudent.paper_checks.starvation.kit.drawn import DUAL, flowing
from teacherstudent.problems.starvation import PROBLEM, Starvation

STRONG = tuple(PROBLEM.instance(s1=s1, s2=2.0, delta=0.5, ridge=0.01) for s1 in (4.0, 6.0))
TIMES = {True: np.r_[0, np.geomspace(1e-6, 30, 300)], False: np.r_[0, np.geomspace(1e-3, 1e4, 300)]}
"""Recording times on the dual and on the primal clock."""
CLOSE = 1 / 32
"""Share of the distance between two paths to which a simulated one must follow its own: automatic steps
are 1/32 of the inverse curvature, and to first order a path of such steps errs by that share of its bends."""
FOLLOWS = "a step's share, 1/32, of the paths' distance"

Curves = Mapping[str, list[np.ndarray]]
"""By dynamics, a curve of responses (T, 2) for each problem."""


def distance(one: np.ndarray, other: np.ndarray, points: int = 1000) -> float:
    """Hausdorff distance of two curves (T, 2), each drawn through points at equal lengths of arc."""

    apart = cdist(by_length(one, points), by_length(other, points))
    return float(max(apart.min(axis=0).max(), apart.min(axis=1).max()))


def by_length(curve: np.ndarray, points: int = 1000) -> np.ndarray:
    """A curve (T, 2) through that many points at equal lengths of arc, (points, 2)."""
    length = np.r_[0, np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=-1))]
    at = np.linspace(0, length[-1], points)
    return np.stack([np.interp(at, length, values) for values in curve.T], axis=-1)


def simulated(dynamics: tuple[str, ...], _: Seeds) -> Curves:
    """Evidence: the simulated path of each dynamics."""
    from teacherstudent.sims.starvation.paths import paths

    return {name: list(paths(STRONG, name, TIMES[name in DUAL])) for name in dynamics}


def curves(
    sources: Mapping[str, str], evidence: Curves, ridge: float = 1.0, s1: float | None = None
) -> Curves:
    """The theory's curves; `sources` says whose curve is claimed for each dynamics.

    A factor on the ridge and another strength s1 are for the negative controls.
    """

    def changed(problem: Starvation) -> Starvation:
        first, second = problem.strengths
        return replace(problem, ridge=ridge * problem.ridge, strengths=(s1 or first, second))

    return {
        name: [flowing(changed(problem), source, TIMES[source in DUAL]) for problem in STRONG]
        for name, source in sources.items()
    }


# Dual and primal ----------------------------------------------------------------------------------


@worst_of
def apart_but_together(evidence: Curves, claimed: Curves) -> Iterator[Verdict]:
    """Each simulated path follows the claimed one, to `CLOSE` of the distance between the two
    simulated paths; and every claim ends where every simulation does, to the step's rounding."""
    for i in range(len(STRONG)):
        separation = distance(evidence["dual"][i], evidence["primal"][i])
        for dynamics, found in evidence.items():
            follows = distance(found[i], claimed[dynamics][i])
            yield within_bound(follows, CLOSE * separation, FOLLOWS, "z")
            for claim in claimed.values():
                yield within_bound(found[i][-1] - claim[i][-1], 1e-6, "accuracy asked of long flows", "z")


OWN = {"dual": "dual", "primal": "primal"}


def aside(evidence: Curves) -> Curves:
    """Wrong: the right ends, but the dual path a tenth of the way towards the primal one."""
    right = curves(OWN, evidence)
    pairs = zip(right["dual"], right["primal"], strict=True)
    return {**right, "dual": [0.9 * by_length(dual) + 0.1 * by_length(primal) for dual, primal in pairs]}


PATHS = check(
    id="gs-paths",
    title="dual and primal take different paths to one end",
    ref="App. .3, App. Fig. 1 left",
    evidence=partial(simulated, ("dual", "primal")),
    claim=partial(curves, OWN),
    judge=apart_but_together,
    effect=Contrast("both on the primal path", "the distance between the dual and the primal path"),
    teeth=(
        Tooth("paths exchanged", partial(curves, {"dual": "primal", "primal": "dual"})),
        Tooth("dual path a tenth of the way to the primal one", aside),
        Tooth("both on the primal path", partial(curves, {"dual": "primal", "primal": "primal"})),
        Tooth("ridge one part in 1e4 large", partial(curves, OWN, ridge=1.0001)),
    ),
)


# Spectral decoupling ------------------------------------------------------------------------------


@worst_of
def follows_own(evidence: Curves, claimed: Curves) -> Iterator[Verdict]:
    """To `CLOSE` of the distance between the simulated primal paths of the two strengths."""
    separation = distance(evidence["primal-decoupled"][0], evidence["primal-decoupled"][1])
    for dynamics, found in evidence.items():
        for curve, claim in zip(found, claimed[dynamics], strict=True):
            gap = distance(curve, claim)
            yield within_bound(gap, CLOSE * separation, FOLLOWS, "z")
            yield within_bound(curve[-1] - claim[-1], 1e-6, "accuracy asked of long flows", "z")


UNMIXED = {"decoupled": "decoupled", "primal-decoupled": "primal-decoupled"}


DECOUPLED = check(
    id="gs-decoupled-paths",
    title="spectral decoupling takes strengths out of the dual path and the end, not out of the primal path",
    ref="Sect. 6.3.4, App. Fig. 1 right",
    evidence=partial(simulated, tuple(UNMIXED)),
    claim=lambda evidence: {
        **curves(UNMIXED, evidence),
        "decoupled": curves(UNMIXED, evidence, s1=2.0)["decoupled"],
    },
    judge=follows_own,
    effect=Contrast("gs-decoupled-dynamics", "what the strengths change in the primal path"),
    teeth=(
        Tooth("ridge one part in 1e4 large", partial(curves, UNMIXED, ridge=1.0001)),
        Tooth("of the ridge loss", partial(curves, {"decoupled": "dual", "primal-decoupled": "primal"})),
    ),
    errata=misprints({"gs-decoupled-dynamics": partial(curves, UNMIXED, s1=2.0)}),
)

CHECKS = (PATHS, DECOUPLED)
