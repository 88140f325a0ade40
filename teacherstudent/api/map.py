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
    """A plane of two parameters: regions with traced boundaries, or a number with its level lines.

    x, y: the axes, as PARAM=LO:HI[:log|lin] (log where LO > 0 unless said otherwise), PARAM a parameter that
    is a number, by its name or a synonym, or `time` on the clock of the dynamics. of: what is mapped,

    - `descents`: how often the risk descends over training, or what else the problem's theory counts; where
      an axis is time, how many descents have begun by then: the first at once where the risk starts by
      falling, and one at each maximum,
    - `descents[@TIME]` with `along`, PARAM=LO:HI[:COUNT][:log|lin]: how often the risk at that time (default:
      1e4), or at the time of an axis, descends as that parameter grows. COUNT values (default: 25), and more
      where the risk bends, say where it rises and falls; slopes below `flat` count as neither,
    - `stopping`, `gain`: the best time to stop training, and how much lower the risk is then than at its end,
    - OBSERVABLE[@TIME], or OBSERVABLE[INDEX] along its own axis, by the `route` to the `dynamics` (default:
      the first of each, at time 1e4; where an axis is time, the first whose time is not in whole steps).

    curve: a name that the problem's theory announces, for all but an observable (default: its first).
    `values` are the other parameters. Where theory is that of infinite sizes, only ratios of sizes matter.
    spots: how many places are drawn, with `seeds` draws from `seed` on at the sizes given, and judged: on
    both sides of boundaries; where there are none, on level lines and over the plane in turn. out: a file
    .nc or .csv, or a picture .png, .pdf or .svg with the numbers as .nc beside it.

    Returns a dataset on an even grid over both parameters: `label`, or `value` and where to stop the
    `region`, NaN where theory is not certain (`reason` says why); the boundaries as curves, (boundary,
    point), with the labels to their `left` and `right`, within 1e-3 of the axes; special places by kind;
    spots with verdicts. `teacherstudent.plot` draws it, `teacherstudent.settings` says how to ask for it
    again. Where theory is so rough that places run out, or regions are finer than the grid, an
    `UnconvergedWarning` says what is not resolved, as the attribute `unfinished` does. Raises `InputError`.

    Examples:
        >>> import teacherstudent as ts
        >>> plane = dict(x="kappa=2:30", y="noise=0:0.3:lin")
        >>> found = ts.map("multiscale", of="descents", curve="printed", n=110, p=70, **plane)
        >>> found.label.dims, found.left.values.tolist(), found.right.values.tolist()
        (('noise', 'kappa'), [1], [2])
    """
    from teacherstudent.maps.answer import mapped
    from teacherstudent.maps.asking import question

    chosen = {"along": along, "curve": curve, "dynamics": dynamics, "route": route}
    asked = question(problem, x=x, y=y, of=of, **chosen, **values)
    drawn = _draws(spots, seeds, seed)
    path = None if out is None else path_of(out, "out")
    if path is not None and path.suffix not in (*SUFFIXES, *PICTURES):
        raise InputError("out", str(path), f"a file ending in {' or '.join((*SUFFIXES, *PICTURES))}")
    if path is None:
        return mapped(asked, *drawn)
    answers: list[xr.Dataset] = []

    def compute() -> xr.Dataset:
        answers.append(mapped(asked, *drawn))
        return answers[0]

    if path.suffix in PICTURES:
        saved(path, "out", lambda: gathered(compute()))
    else:
        save(path, lambda: tabular(compute()) if path.suffix == ".csv" else compute())
    return answers[0]


def tabular(answer: xr.Dataset) -> xr.Dataset:
    """The part of a map that is a table: its labels, or its values, on the even grid."""
    return answer[["label" if "label" in answer else "value"]]


SPOTS = Parameter(
    "spots",
    "",
    "places",
    Whole(0, 1000),
    "places to draw and judge: beside boundaries, or all over the plane",
    0,
)


def _draws(spots: int | None, seeds: int | None, seed: int | None) -> tuple[range, int]:
    """The seeds of the spots, and how many spots there are. Raises `InputError`."""
    count = SPOTS.check(0 if spots is None else spots)
    if not count:
        for parameter, given in ((SEEDS, seeds), (FIRST_SEED, seed)):
            if given is not None:
                raise InputError(parameter.name, given, "absent without --spots: nothing else is drawn")
        return range(0), 0
    first = FIRST_SEED.check(FIRST_SEED.default if seed is None else seed)
    return range(first, first + SEEDS.check(SEEDS.default if seeds is None else seeds)), count
