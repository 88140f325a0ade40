"""Maps of a plane of two parameters: what `teacherstudent map` and a notebook both call."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.api.figure import DOTS_PER_INCH, FORMATS
from teacherstudent.api.writing import SUFFIXES, save
from teacherstudent.house.domains import InputError
from teacherstudent.house.files import path_of
from teacherstudent.house.provenance import recorded

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.maps.question import Question

PICTURES = tuple(f".{each}" for each in FORMATS)


@recorded
def map(
    problem: str,
    *,
    x: str,
    y: str,
    of: str,
    curve: str | None = None,
    dynamics: str | None = None,
    route: str | None = None,
    out: str | Path | None = None,
    **values: Any,
) -> xr.Dataset:
    """A plane of two parameters: regions with traced boundaries, or a number with its level lines.

    x, y: the axes, as PARAM=LO:HI[:log|lin] (log where LO > 0 unless said otherwise). of: `descents`, how often
    the risk descends, or what else the problem's theory counts; or OBSERVABLE[INDEX][@TIME] by the exact `route`
    to the `dynamics` (default: the first of each, at time 1e4). curve: a name that the problem's theory announces
    (default: its first). `values` are the other parameters. out: a file .nc or .csv, or a picture .png, .pdf or .svg
    with the numbers as .nc beside it.

    Returns a dataset on an even grid over both parameters, NaN where theory is not certain, with the
    boundaries as curves. Raises `InputError`.
    """
    from teacherstudent.maps.answer import mapped
    from teacherstudent.maps.asking import question

    asked = question(problem, x=x, y=y, of=of, curve=curve, dynamics=dynamics, route=route, **values)
    path = None if out is None else path_of(out, "out")
    if path is not None and path.suffix not in (*SUFFIXES, *PICTURES):
        raise InputError("out", str(path), f"a file ending in {' or '.join((*SUFFIXES, *PICTURES))}")
    if path is None:
        return mapped(asked)
    if path.suffix in PICTURES:
        return _drawn(path, asked)
    answers: list[xr.Dataset] = []

    def compute() -> xr.Dataset:
        answers.append(mapped(asked))
        shown = "label" if "label" in answers[0] else "value"
        return answers[0][[shown]] if path.suffix == ".csv" else answers[0]

    save(path, compute)
    return answers[0]


def _drawn(path: Path, asked: Question) -> xr.Dataset:
    """The answer, with its picture and, beside it, its numbers."""
    from teacherstudent.house.files import whole_file
    from teacherstudent.maps.answer import mapped

    with whole_file(path.with_suffix(".nc")) as numbers, whole_file(path) as picture:
        answer = mapped(asked)
        from matplotlib.figure import Figure as Canvas

        from teacherstudent.figures.asked import regions

        canvas = Canvas(layout="constrained")
        regions.draw(canvas, answer)
        answer.to_netcdf(numbers, engine="h5netcdf")
        canvas.savefig(picture, format=path.suffix[1:], dpi=DOTS_PER_INCH)
    return answer
