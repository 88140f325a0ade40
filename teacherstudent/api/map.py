"""Maps of a plane of two parameters: what `teacherstudent map` and a notebook both call."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.api.figure import FORMATS
from teacherstudent.api.plot import gathered, saved
from teacherstudent.api.writing import SUFFIXES, save
from teacherstudent.house.domains import Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import path_of
from teacherstudent.house.parameters import FIRST_SEED, SEEDS, Parameter
from teacherstudent.house.provenance import recorded

if TYPE_CHECKING:
    import xarray as xr

PICTURES = tuple(f".{each}" for each in FORMATS)


@recorded
def map(
    problem: str,
    *,
    x: str,
    y: str,
    of: str,
    along: str | None = None,
    curve: str | None = None,
    dynamics: str | None = None,
    route: str | None = None,
    spots: int | None = None,
    seeds: int | None = None,
    seed: int | None = None,
    out: str | Path | None = None,
    **values: Any,
) -> xr.Dataset:
    """Map a plane of two parameters: regions with traced boundaries, or a number with its level lines.

    The argument `of` names the mapped quantity, one of

    - `descents`: the number of descents of the risk over training, or another count that the theory of the
      problem has. If an axis is time, the number of descents that have begun by then.
    - `descents[@TIME]` with `along`: the number of descents of the risk at that time (default 1e4) as the
      parameter of `along` grows.
    - `stopping`: the best time to stop training. `gain`: the reduction of the risk by stopping at that time
    instead of at the end.
    - `OBSERVABLE[@TIME]`, or `OBSERVABLE[INDEX]` along its own axis, by `route` under `dynamics`.

    Args:
        problem: Id of the problem.
        x: Horizontal axis as `PARAM=LO:HI[:log|lin]`, a numerical parameter by its name or a synonym, or
            `time`. By default it is logarithmic if LO > 0.
        y: Vertical axis, in the same form.
        of: What is mapped.
        along: `PARAM=LO:HI[:N][:log|lin]`, the parameter along which `descents` are counted. N values
            (default 25), and more where the risk bends, show where it rises and falls; slopes below the
            option `flat` count as neither.
        curve: Name of a curve of the theory of the problem (default: its first).
        dynamics: For an observable (default: the first; if an axis is time, the first with a continuous
            time).
        route: For an observable (default: the first).
        spots: Number of places at which simulations are run and judged: on both sides of boundaries or,
            without boundaries, on level lines and over the plane.
        seeds: Number of draws at each of these places.
        seed: Number of the first draw.
        out: File .nc or .csv, or a picture .png, .pdf or .svg with its numbers as .nc.
        **values: The other parameters. If theory is the limit of infinite sizes, only ratios of sizes matter.

    Returns:
        Dataset on an even grid over both parameters: `label` (a count), or `value` and maybe the `region`
            in which to stop; NaN where theory is not certain (`reason` says why). The boundaries are curves
            over (boundary, point), within 1e-3 of the axes, with the labels on their `left` and `right`;
            special places by kind; spots with their verdicts. `teacherstudent.plot` draws it.

    Raises:
        InputError: For an unknown name or a value outside its domain.

    Warns:
        UnconvergedWarning: If boundaries or regions are finer than what could be resolved; the attribute
            `unfinished` says the same.

    Examples:
        >>> import teacherstudent as ts
        >>> plane = dict(x="kappa=2:30", y="noise=0:0.3:lin")
        >>> found = ts.map("multiscale", of="descents", curve="printed", n=110, p=70, **plane)
        >>> found.label.dims, found.left.values.tolist(), found.right.values.tolist()
        (('noise', 'kappa'), [1], [2])
    """
    from teacherstudent.maps.answer import compute_map
    from teacherstudent.maps.questions import read_map_question

    chosen = {"along": along, "curve": curve, "dynamics": dynamics, "route": route}
    asked = read_map_question(problem, x=x, y=y, of=of, **chosen, **values)
    drawn = _draws(spots, seeds, seed)
    path = None if out is None else path_of(out, "out")
    if path is not None and path.suffix not in (*SUFFIXES, *PICTURES):
        raise InputError("out", str(path), f"a file ending in {' or '.join((*SUFFIXES, *PICTURES))}")
    if path is None:
        return compute_map(asked, *drawn)
    answers: list[xr.Dataset] = []

    def compute() -> xr.Dataset:
        answers.append(compute_map(asked, *drawn))
        return answers[0]

    if path.suffix in PICTURES:
        saved(path, "out", lambda: gathered(compute()))
    else:
        save(path, lambda: tabular(compute()) if path.suffix == ".csv" else compute())
    return answers[0]


def tabular(answer: xr.Dataset) -> xr.Dataset:
    """The table of a map: its labels or values on the even grid."""
    return answer[["label" if "label" in answer else "value"]]


SPOTS = Parameter(
    "spots",
    "",
    "places",
    Whole(0, 1000),
    "places at which simulations are run and judged, next to boundaries or over the whole plane",
    0,
)


def _draws(spots: int | None, seeds: int | None, seed: int | None) -> tuple[range, int]:
    """The seeds of the spots, and how many spots there are. Raises `InputError`."""
    count = SPOTS.check(0 if spots is None else spots)
    if not count:
        for parameter, given in ((SEEDS, seeds), (FIRST_SEED, seed)):
            if given is not None:
                raise InputError(
                    parameter.name, given, "absent without --spots, because only spots use random draws"
                )
        return range(0), 0
    first = FIRST_SEED.check(FIRST_SEED.default if seed is None else seed)
    return range(first, first + SEEDS.check(SEEDS.default if seeds is None else seeds)), count
