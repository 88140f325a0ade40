"""Paths in the plane of two responses: which differ, which agree, and where all end (App. Fig. 1).

Clocks differ between dual and primal, so paths are compared as curves: by the Hausdorff
distance, the farthest that a point of either lies from the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.distance import cdist

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import per_case, worst_case, worst_of
from teacherstudent.paper_checks.judging.effects import WHOLE, Contrast, Measured
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import relatively_equal
from teacherstudent.paper_checks.starvation import check, misprints
from teacherstudent.paper_checks.starvation.kit.drawn import DUAL, DYNAMICS, flowing
from teacherstudent.problems.starvation import PROBLEM, Starvation

STRONG = tuple(PROBLEM.instance(s1=s1, s2=2.0, delta=0.5, ridge=0.01) for s1 in (4.0, 6.0))
TIMES = {True: np.r_[0, np.geomspace(1e-6, 30, 300)], False: np.r_[0, np.geomspace(1e-3, 1e4, 300)]}
"""Recording times on the dual and on the primal clock."""
CLOSE = 1 / 32
"""Share of the distance between two paths to which a simulated one must follow its own: automatic steps
are 1/32 of the inverse curvature, and to first order a path of such steps errs by that share of its bends."""
FOLLOWS = "1/32 of the distance between the paths, allowed for the step size"

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
    """The theory's curves; `sources` says whose curve is claimed for each dynamics."""

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
                yield within_bound(found[i][-1] - claim[i][-1], 1e-6, "accuracy requested of long flows", "z")


OWN = {"dual": "dual", "primal": "primal"}


def aside(evidence: Curves) -> Curves:
    """Wrong: the right ends, but the dual path a tenth of the way towards the primal one."""
    right = curves(OWN, evidence)
    pairs = zip(right["dual"], right["primal"], strict=True)
    return {**right, "dual": [0.9 * by_length(dual) + 0.1 * by_length(primal) for dual, primal in pairs]}


PATHS = check(
    id="gs-paths",
    title="the dual and primal dynamics take different paths to the same end point",
    ref="App. .3, App. Fig. 1 left",
    evidence=partial(simulated, ("dual", "primal")),
    claim=partial(curves, OWN),
    judge=apart_but_together,
    effect=Contrast(
        "both dynamics follow the primal path", "the distance between the dual and the primal path"
    ),
    wrong=(
        WrongClaim("paths exchanged", partial(curves, {"dual": "primal", "primal": "dual"})),
        WrongClaim("dual path moved a tenth of the way to the primal path", aside),
        WrongClaim(
            "both dynamics follow the primal path", partial(curves, {"dual": "primal", "primal": "primal"})
        ),
        WrongClaim("ridge 1e-4 (relative) too large", partial(curves, OWN, ridge=1.0001)),
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
            yield within_bound(curve[-1] - claim[-1], 1e-6, "accuracy requested of long flows", "z")


UNMIXED = {"decoupled": "decoupled", "primal-decoupled": "primal-decoupled"}


DECOUPLED = check(
    id="gs-decoupled-paths",
    title="with spectral decoupling, the strengths affect the primal path, but not the dual path or the end",
    ref="Sect. 6.3.4, App. Fig. 1 right",
    evidence=partial(simulated, tuple(UNMIXED)),
    claim=lambda evidence: {
        **curves(UNMIXED, evidence),
        "decoupled": curves(UNMIXED, evidence, s1=2.0)["decoupled"],
    },
    judge=follows_own,
    effect=Contrast("gs-decoupled-dynamics", "the effect of the strengths on the primal path"),
    wrong=(
        WrongClaim("ridge 1e-4 (relative) too large", partial(curves, UNMIXED, ridge=1.0001)),
        WrongClaim(
            "paths of the ridge loss", partial(curves, {"decoupled": "dual", "primal-decoupled": "primal"})
        ),
    ),
    errata=misprints({"gs-decoupled-dynamics": partial(curves, UNMIXED, s1=2.0)}),
)


# The routes to the ends, and to the approximate ascent, asked as anybody asks them ---------------------

# A simulation that has come to rest ends where the fixed-point route says, and what that route says of
# stronger features is what a simulation with slightly stronger features shows.

# Ends -------------------------------------------------------------------------------------------------------

TWO = {"s1": 2.0, "s2": 1.0, "delta": 0.5, "ridge": 0.5}
SHIFTS = {"decoupled": 0.7, "primal-decoupled": 0.7}
FOLDINGS = 40
"""e-foldings of the slowest mode until the recording: e^-40 is below rounding."""
SLOWEST = dict.fromkeys(DYNAMICS, 0.5) | dict.fromkeys(DUAL, 4.0)
"""Slowest rates: 4 on a dual clock, on a primal one the ridge (times the smallest s^2, which is 1)."""
STEP = 1e-2
"""Of s_i^2, in the differences of second and fourth order that make one of sixth order."""
STENCIL = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}

Ended = dict[str, np.ndarray]
"""z_1, z_2 and dz_j/d(s_i^2), (2,) and (2, 2), of one dynamics."""


def end(route: str, dynamics: str, **changed: float) -> np.ndarray:
    """z (2,) at the end."""
    shift = {"shift": SHIFTS[dynamics]} if dynamics in SHIFTS else {}
    times = [FOLDINGS / SLOWEST[dynamics]]
    question: dict[str, Any] = {**TWO, **shift, **changed}
    answer = run("starvation", dynamics, route, times, **question)
    return np.array([answer["z1"].values[0], answer["z2"].values[0]])


def at_rest(_: Seeds) -> dict[str, Ended]:
    """Every dynamics at_rest to its end, and again with strengths a little larger and smaller."""
    found = {}
    for dynamics in DYNAMICS:
        slopes = np.zeros((2, 2))
        for i, name in enumerate(("s1", "s2")):
            for far, weight in STENCIL.items():
                for sign in (-1, 1):
                    moved = float(np.sqrt(TWO[name] ** 2 + sign * far * STEP))
                    slopes[:, i] += sign * weight / STEP * end("simulation", dynamics, **{name: moved})
        found[dynamics] = {"z": end("simulation", dynamics), "slopes": slopes}
    return found


def fixed_points(evidence: Mapping[str, Ended], slope: float = 1.0, **changed: float) -> dict[str, Ended]:
    """The fixed-point route of every dynamics, changed for the negative controls."""
    found = {}
    for dynamics in evidence:
        shift = {"shift": SHIFTS[dynamics]} if dynamics in SHIFTS else {}
        factors = {name: factor * TWO[name] for name, factor in changed.items()}
        question: dict[str, Any] = {**TWO, **shift, **factors}
        answer = run("starvation", dynamics, "fixed-point", [1.0], **question)
        z = np.array([answer[f"z{j}"].values[0] for j in (1, 2)])
        slopes = [[float(answer[f"dz{j}_ds{i}sq"][0]) for i in (1, 2)] for j in (1, 2)]
        found[dynamics] = {"z": z, "slopes": slope * np.array(slopes)}
    return found


@worst_case
def rest_there(found: Ended, claim: Ended) -> Iterator[Verdict]:
    """Responses to the accuracy asked of fixed points; differences lose rounding/step and (step/s^2)^6."""
    yield replace(relatively_equal(found["z"], claim["z"]), effect=WHOLE)
    lost = 1e-14 / STEP + STEP**6
    yield within_bound(
        found["slopes"] - claim["slopes"], 10 * lost, "finite differences of sixth order", "1/margin"
    )


ENDS = check(
    id="gs-route-ends",
    title="five simulations end at the fixed points and respond to the strengths as predicted",
    ref="Eqs. 6.3.5, 6.3.11, 6.3.17, Def. 6.3.2",
    evidence=at_rest,
    claim=fixed_points,
    judge=rest_there,
    effect=Measured(
        lambda found: max(np.abs(each["slopes"]).max() for each in found.values()), "the largest slope"
    ),
    wrong=(
        WrongClaim("ridge 1e-8 (relative) too large", partial(fixed_points, ridge=1 + 1e-8)),
        WrongClaim("coupling 1e-8 (relative) too large", partial(fixed_points, delta=1 + 1e-8)),
        WrongClaim("slopes 1e-8 (relative) too large", partial(fixed_points, slope=1 + 1e-8)),
    ),
    covers=("Def. 6.3.2",),
    slow=True,
)


# The approximate ascent ---------------------------------------------------------------------------------

QUESTIONS: tuple[dict[str, Any], ...] = (
    {"s1": 4.0, "s2": 2.0, "delta": 0.5, "ridge": 0.05},
    {"s1": 1.0, "s2": 1.5, "delta": -0.3, "ridge": 0.5},
)
ASCENT_TIMES = np.array([1e-3, 0.03, 1.0, 10.0])


@dataclass(frozen=True)
class Ascended:
    """A question, and z (T, 2) of Eq. 6.3.10 integrated from its printed form."""

    question: dict[str, Any]
    z: np.ndarray


def ascended(_: Seeds) -> list[Ascended]:
    """alpha' = -log alpha - alpha - U S^2 U^T alpha/ridge from 1e-2, by an implicit Runge-Kutta method."""
    found = []
    for question in QUESTIONS:
        delta, ridge = question["delta"], question["ridge"]
        c = np.sqrt(1 - delta**2)
        U, S2 = np.array([[c, -delta], [delta, c]]), np.square([question["s1"], question["s2"]])
        A = np.eye(2) + (U * S2) @ U.T / ridge
        path = solve_ivp(
            lambda _, alpha, A=A: -np.log(alpha) - A @ alpha,
            (0, ASCENT_TIMES[-1]),
            np.full(2, 1e-2),
            "Radau",
            ASCENT_TIMES,
            jac=lambda _, alpha, A=A: -np.diag(1 / alpha) - A,
            rtol=1e-10,
            atol=1e-14,
        )
        found.append(Ascended(question, path.y.T @ U * S2 / ridge))
    return found


@per_case
def by_route(case: Ascended, route: str = "approximate", start: float = 1e-2, **changed: float) -> np.ndarray:
    """The route's z, (T, 2), changed for the negative controls."""
    question = case.question | {name: factor * case.question[name] for name, factor in changed.items()}
    answer = run("starvation", "dual", route, ASCENT_TIMES, alpha0=start, **question)
    return np.stack([answer["z1"].values, answer["z2"].values], axis=-1)


APPROXIMATE = check(
    id="gs-approximate-ascent",
    title="the route `approximate` solves 6.3.10 as printed, from the initial value on",
    ref="Eq. 6.3.10",
    evidence=ascended,
    claim=by_route,
    judge=worst_case(
        lambda case, z: relatively_equal(case.z, z, 1e-7, "a thousand steps of tolerance 1e-10")
    ),
    wrong=(
        WrongClaim("the solution of 6.3.9", partial(by_route, route="theory")),
        WrongClaim("ridge 1e-5 (relative) too large", partial(by_route, ridge=1 + 1e-5)),
        WrongClaim("initial value 1e-4 (relative) too large", partial(by_route, start=1.0001e-2)),
    ),
    covers=("Eq. 6.3.10",),
)

CHECKS = (PATHS, DECOUPLED, ENDS, APPROXIMATE)
