"""What draws say of a claim: whether theory is right there, and whether its limit is met at this size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Route
from teacherstudent.house.errors import InputError
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.draws import RESOLVABLE, drawn_mean

AGREES, DISAGREES, OFF, UNTOLD = "agrees", "disagrees", "off at this size", "cannot tell"


@dataclass(frozen=True)
class Claim:
    """An observable at one time, or its change between two, and theory's number for that."""

    observable: str
    dynamics: str
    times: tuple[float, ...]
    claimed: float
    entry: tuple[int, ...] = ()

    @property
    def signed(self) -> bool:
        """Whether it is the sign that is claimed."""
        return len(self.times) == 2


@dataclass(frozen=True)
class Seen:
    """Means over draws of what a claim is about, each with one standard error.

    exact: what theory gives for these very draws. apart: what is drawn less that, draw by draw. All three are
    NaN where no theory does so, or it is what draws.
    """

    simulated: float
    stderr: float
    exact: float = math.nan
    apart: float = math.nan
    apart_stderr: float = math.nan


@dataclass(frozen=True)
class Routes:
    """What draws, and the theory that is exact for each draw, where that is another route."""

    drawing: Route
    exact: Route | None


def routes_of(problem: str, dynamics: str, observable: str) -> Routes:
    """The routes to judge by: the simulation draws or, where none does, theory given each draw.

    Raises `InputError` where no route draws.
    """
    own = [each for each in catalogue.routes() if (each.problem, each.dynamics) == (problem, dynamics)]
    drawn = [each for each in own if each.sampled and (not each.gives or observable in each.gives)]
    if not drawn:
        raise InputError("spots", dynamics, f"0 for --dynamics {dynamics}, which no route simulates")
    simulated = [each for each in drawn if each.witness == "sims"]
    given = [each for each in drawn if each.witness != "sims"]
    exact = next((each for each in given if each.exact_for == "draw" and not each.approximate), None)
    drawing = (simulated or given)[0]
    return Routes(drawing, None if exact is drawing else exact)


def measure_claim(
    claim: Claim,
    routes: Routes,
    seeds: Sequence[int],
    values: Mapping[str, Any],
    options: Mapping[str, Any],
) -> Seen:
    """What a claim is about in these draws of a problem with these values.

    options: those of the question's dynamics and route; each route takes those that it knows.
    """
    drawn = _drawn(claim, routes.drawing, seeds, values, options)
    at = drawn_mean(drawn)
    if routes.exact is None:
        return Seen(float(at.mean), float(at.stderr))
    exact = _drawn(claim, routes.exact, seeds, values, options)
    apart = drawn_mean(drawn - exact)
    means = (at.mean, at.stderr, exact.mean(), apart.mean, apart.stderr)
    return Seen(*(float(each) for each in means))


def _drawn(
    claim: Claim, route: Route, seeds: Sequence[int], values: Mapping[str, Any], options: Mapping[str, Any]
) -> np.ndarray:
    """What is claimed, for each draw, (S,)."""
    clock = catalogue.find_problem(route.problem).on_clock(route.dynamics)
    known = {each.name for each in (*clock.options, *route.options)}
    own = {name: value for name, value in options.items() if name in known}
    answer = run(route.problem, route.dynamics, route.name, claim.times, seeds=seeds, **values, **own)
    where: Any = (slice(None), slice(None), *claim.entry)
    numbers = answer[claim.observable].values[where]
    return np.asarray(numbers[:, -1] - numbers[:, 0] if claim.signed else numbers[:, 0])


def judge_claim(claim: Claim, seen: Seen, limit: float, infinite: bool) -> str:
    """What the draws say of the claim, each mean being known to `limit` standard errors.

    infinite: whether the claim is exact, but of infinite sizes. It disagrees where what is drawn differs
    from what is exact for the draws, and off at this size where it does not and yet differs from the limit:
    by more than its error or, where a sign is claimed, in sign. Without a theory for the draws the two cannot
    be told apart, and what differs from a limit is off at this size.
    """
    if not np.isfinite([seen.simulated, seen.stderr]).all():
        return UNTOLD
    if abs(seen.apart) > limit * max(seen.apart_stderr, RESOLVABLE):
        return DISAGREES
    error = limit * max(seen.stderr, RESOLVABLE)
    if claim.signed and abs(seen.simulated) <= error:
        return UNTOLD
    if claim.signed:
        missed = (seen.simulated > 0) != (claim.claimed > 0)
    else:
        missed = abs(seen.simulated - claim.claimed) > error
    if not missed:
        return AGREES
    return OFF if infinite else DISAGREES
