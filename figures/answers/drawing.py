"""One picture for every kind of answer: the kind is its attribute `kind`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import xarray as xr

from teacherstudent.figures.answers import aspect, heat, lines, question
from teacherstudent.figures.declaration import Canvas
from teacherstudent.house.declarations import load
from teacherstudent.house.errors import InputError

CURVES = ("curve", "sample", "comparison")
"""Kinds that are observables over time, without a swept parameter."""

ONE_SHADED = "one observable where two parameters are swept"
"""Of several only one has shades."""

KINDS = (*CURVES, "sweep", "onset", "turns", "spectrum", "map", "mine", "solve", "best")


def draw(
    canvas: Canvas, numbers: Mapping[str, xr.Dataset], show: Sequence[str] | None, of: str | None
) -> None:
    """Draw an answer on an empty canvas.

    numbers: the answer under "", and what is drawn beside it under names of its own: `curve` beside turns;
    `curves`, `edge` and `turns1`, `turns2`, ... beside an onset; `dense`, routes at more times, beside curves
    that are recorded at few. show: the observables to draw; None: all.
    of: one number of each curve of a sweep (`aspect.read`). Raises `InputError`.
    """
    answer = numbers[""]
    kind = answer.attrs["kind"]
    if of is not None and kind != "sweep":
        raise InputError("of", of, f"absent for a {kind}: one number of each curve of a sweep")
    if show is not None and kind not in (*CURVES, "sweep"):
        raise InputError("show", ",".join(show), f"absent for a {kind}, which has one picture")
    if kind == "map":
        load("teacherstudent.figures.answers.regions:draw")(canvas, answer)
    elif kind == "best":
        load("teacherstudent.figures.answers.optimum:draw")(canvas, answer)
    elif kind == "solve":
        load("teacherstudent.figures.answers.solving:draw")(canvas, answer)
    elif kind == "spectrum":
        from teacherstudent.figures.answers import spectra

        spectra.draw(canvas, answer)
    elif kind in ("turns", "onset"):
        from teacherstudent.figures.answers import turning

        if kind == "turns":
            turning.draw_turns(canvas, answer, numbers["curve"])
        else:
            turns = [each for name, each in numbers.items() if name.startswith("turns")]
            turning.draw_onset(canvas, answer, numbers["curves"], numbers["edge"], turns)
    else:
        _observed(canvas, answer, numbers.get("dense"), show, of)


def _observed(
    canvas: Canvas,
    answer: xr.Dataset,
    dense: xr.Dataset | None,
    show: Sequence[str] | None,
    of: str | None,
) -> None:
    """Curves, families of curves, or shades, by the number of swept parameters.

    Where one number of each curve is drawn over one parameter, each observable has a panel, but for one that
    `of` names, or takes by itself.
    """
    swept = [dim for dim in answer.dims if dim in question.declared(answer) or dim == "point"]
    single = {dim: 0 for dim in swept if answer.sizes[dim] == 1}
    answer = answer.isel(single)
    swept = [str(dim) for dim in swept if dim not in single]
    names = chosen(answer, show)
    if len(swept) > 2:
        raise InputError("answer", f"(swept: {', '.join(swept)})", "of two swept parameters at most: use sel")
    among = {name: question.observables(answer)[name] for name in names}
    if "time" not in answer.dims:
        raise InputError("answer", "(without times)", "an answer over time: select parameters only")
    if of is None and (not swept or (len(swept) == 1 and answer.sizes["time"] > 1)):
        dense = dense.isel(single) if dense is not None else None
        lines.draw(canvas, answer, names, swept=swept[0] if swept else None, dense=dense)
        return
    if not swept:
        raise InputError("of", of, "absent where no parameter is swept")
    wanted = aspect.read(aspect.END if of is None else of, among)
    if len(swept) == 2:
        if show and len(names) > 1:
            raise InputError("show", ",".join(show), ONE_SHADED)
        heat.draw(canvas, answer, wanted, *swept)
        return
    named = of is not None and of.partition("@")[0] in among
    if named or (of is not None and show is None):
        names = [wanted.observable]
    taken = answer
    for name in names:
        taken = aspect.taken(answer, aspect.read(f"{name}@{wanted.when}", among)).assign(
            {each: values for each, values in taken.items() if "time" not in values.dims}
        )
    lines.draw(canvas, taken, names, x=swept[0], said=[aspect.recorded(answer)])


def chosen(answer: xr.Dataset, show: Sequence[str] | None) -> list[str]:
    """The observables to draw: those in `show`, or all. Raises `InputError`."""
    among = list(question.observables(answer))
    given = [name for name in among if bool(answer[name].notnull().any())]
    for name in show or ():
        if name not in among:
            raise InputError("show", name, f"one of {', '.join(among)}, or several, separated by commas")
    return list(dict.fromkeys(show)) if show else given or among
