"""The observables over grids of parameters: what `teacherstudent sweep` and a notebook both call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.api.curve import recording_times, route_names, seeds_of, times_of_questions, with_remark
from teacherstudent.api.progress import counting
from teacherstudent.api.writing import STORES, SUFFIXES, demand_writable, save
from teacherstudent.house import catalogue, machine
from teacherstudent.house.domains import Whole, check_flag
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import in_a_folder, path_of
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.provenance import recorded

if TYPE_CHECKING:
    import xarray as xr

WORKERS = Parameter("workers", "", "processes", Whole(1, 1024), "worker processes on this machine", 1)
AT_ONCE = Parameter(
    "at_once",
    "",
    "points",
    Whole(1, 1_000_000),
    "points computed in one call, for routes that can do so (default: one on a CPU, many on a GPU)",
)
STORE = ".cells"
"""Added to the name of the output: the file of partial results."""


@recorded
def sweep(
    problem: str,
    *,
    dynamics: str,
    route: str | Sequence[str],
    times: str | Span | Sequence[float] | None = None,
    seeds: int | None = None,
    seed: int | None = None,
    points: str | Path | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    at_once: int | None = None,
    **values: Any,
) -> xr.Dataset:
    """Compute the observables of a problem on a grid of its parameters, by one route or several.

    With a file `out`, partial results are saved in `<out>.cells` point by point, so that an interrupted sweep
    loses nothing. `resume` computes only the missing part, also for another grid or more seeds. The file
    stays after the sweep; you may delete it then. A script that uses `workers` needs the usual
    `if __name__ == "__main__":`.

    Args:
        problem: Id of the problem.
        dynamics: How the student is trained.
        route: Name of a route, or several as a list or separated by commas.
        times: Recording times, as in `teacherstudent.curve`.
        seeds: Number of draws for sampled routes (default 20).
        seed: Number of the first draw (default 0).
        points: CSV file with a header of parameters and one row for each point, instead of grids.
        out: File to write at the end (.nc, .zarr or .csv).
        resume: Whether to continue from the partial results of `out`.
        workers: Number of processes on this machine (default 1).
        scheduler: Address of a running Dask scheduler whose workers share the work, instead of `workers`.
        at_once: Points that are computed in one call, by routes that can (default: one on a CPU, many on a
            GPU).
        **values: Parameters and options by name. Each is a value as in `curve`, or a grid: a `Span`, the text
            `LO:HI:N[:log|lin]`, or a list.

    Returns:
        Dataset of the observables over `route` (if several), the swept parameters (or `point`) and `time`. A
            point without a certain answer is NaN, with the reason in the variable `reason`; the attribute
            `n_failed` counts such points.

    Raises:
        InputError: As in `curve`, and for files that exist already or cannot be written.

    Examples:
        >>> import teacherstudent as ts
        >>> question = dict(problem="multiscale", dynamics="flow", route="asymptotic", times=[1, 100])
        >>> dict(ts.sweep(kappa="1:100:3", noise=[0, 0.3], **question).excess_risk.sizes)
        {'kappa': 3, 'noise': 2, 'time': 2}
    """
    workers = None if workers is None else WORKERS.check(workers)
    at_once = None if at_once is None else AT_ONCE.check(at_once)
    if scheduler is not None and not isinstance(scheduler, str):
        raise InputError("scheduler", scheduler, "the address of a running Dask scheduler")
    if workers is not None and scheduler is not None:
        raise InputError("workers", workers, "absent where --scheduler is given")
    machine.workers()  # what the environment says wrongly is no reason to be stored with every point
    path = None if out is None else path_of(out, "out")
    check_target(path, check_flag("resume", resume))

    from teacherstudent.sweeps.assembly import assemble
    from teacherstudent.sweeps.engine import fill
    from teacherstudent.sweeps.plan import plan
    from teacherstudent.sweeps.store import Store

    names = route_names(route)
    kind = catalogue.find_problem(problem)
    routes = [catalogue.find_route(kind, dynamics, name) for name in names]
    asked = {
        "dynamics": dynamics,
        "route": names,
        "seeds": seeds_of(routes, seeds, seed),
        "points": None if points is None else path_of(points, "points"),
        **values,
    }
    grid, later = recording_times(times, kind.on_clock(dynamics)), ""
    if isinstance(grid, str):
        corners = plan(problem, times=(1.0,), **asked).corners(routes[0])
        grid, later = times_of_questions(
            kind, kind.on_clock(dynamics), [(each.instance, each.options) for each in corners]
        )
    laid_out = plan(problem, times=grid, **asked)
    with Store(path and path.with_name(path.name + STORE)) as store:
        if of := catalogue.system_of(problem):
            store.demand_code(problem, of["system_digest"])
        with counting(f"sweep of {problem}") as announce:
            fill(laid_out, store, workers=workers or 1, scheduler=scheduler, batch=at_once, announce=announce)
        answer = with_remark(assemble(laid_out, store).assign_attrs(kind="sweep"), later)
        if path is not None:
            save(path, lambda: tabular(answer) if path.suffix == ".csv" else answer)
    return answer


def tabular(answer: xr.Dataset) -> xr.Dataset:
    """A sweep as a table, with a column for each quantity that varies from point to point."""
    columns = [
        name for name, values in answer.coords.items() if values.dims == ("point",) and name != "point"
    ]
    return answer.reset_coords(columns)[[*columns, *answer.data_vars]]


def check_target(path: Path | None, resume: bool) -> None:
    """Raise `InputError` where the output could not be written, or would overwrite another."""
    if path is None:
        if resume:
            raise InputError("resume", "(given)", "absent where --out names no file")
        return
    if path.suffix not in (*SUFFIXES, *STORES):
        raise InputError("out", str(path), f"a file ending in {', '.join((*SUFFIXES, *STORES))}")
    in_a_folder(path, "out")
    store = path.with_name(path.name + STORE)
    in_a_folder(store.with_name(store.name + "-journal"), "out")  # the longest name that is needed
    if not resume and path.exists():
        raise InputError("out", str(path), "new, or given with --resume, which adds to the existing file")
    if not resume and store.exists():
        started = f"{store} holds the partial results of a sweep, from which --resume continues"
        raise InputError(
            "out",
            str(path),
            "a file without partial results of an earlier sweep, unless --resume is given",
            started,
        )
    demand_writable(path)
