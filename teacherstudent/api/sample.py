"""The observables of every draw: what `curve` averages, to compare draw by draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from teacherstudent.api.curve import questions, seeds_of, with_remark
from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.provenance import recorded

if TYPE_CHECKING:
    import xarray as xr


@recorded
def sample(
    problem: str,
    *,
    dynamics: str,
    route: str,
    times: str | Span | Sequence[float] | None = None,
    seeds: int | None = None,
    seed: int | None = None,
    **values: Any,
) -> xr.Dataset:
    """Compute the observables of every draw; `curve` gives their means.

    Args:
        problem: Id of the problem.
        dynamics: How the student is trained.
        route: Name of one sampled route.
        times: Recording times, as in `teacherstudent.curve`.
        seeds: Number of draws (default 20).
        seed: Number of the first draw (default 0).
        **values: Parameters and options by name, as in `teacherstudent.curve`.

    Returns:
        Dataset of the observables over `seed` and `time`, (S, T), with units and provenance as in `curve`.

    Raises:
        InputError: As in `curve`, and for a route that draws nothing.

    Examples:
        >>> import teacherstudent as ts
        >>> question = dict(problem="multiscale", dynamics="ridge", times=[1, 100], seeds=5)
        >>> dict(ts.sample(route="simulation", **question).sizes)
        {'seed': 5, 'time': 2}
    """
    from teacherstudent.house.running import answer

    kind = catalogue.find_problem(problem)
    chosen = catalogue.find_route(kind, dynamics, route)
    if not chosen.sampled:
        raise InputError("route", route, "a sampled route; this route draws nothing")
    drawn = seeds_of([chosen], seeds, seed)
    (asked,), later = questions(kind, [chosen], times, values)
    return with_remark(answer(asked, drawn).assign_attrs(kind="sample"), later).dataset()
