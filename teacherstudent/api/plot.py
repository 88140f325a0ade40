"""Any answer as a picture: `teacherstudent.plot`, and `--plot` on the command line."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.api.compare import Comparison
from teacherstudent.api.figure import FORMATS, check_sheet, drawn_as
from teacherstudent.api.onset import Onset
from teacherstudent.api.smooth_lines import dense, fixed_of
from teacherstudent.api.writing import netcdf
from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import path_of, room_for, whole_file
from teacherstudent.house.parameters import TIMES

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure as Canvas

    Answer = xr.Dataset | Onset | Comparison

BESIDE = 30.0
"""How far beyond its first and last turn a curve is drawn, as a factor."""

RECORDED = 200
"""Times on a curve that is drawn with its turns."""


def plot(
    answer: Answer,
    file: str | Path | None = None,
    *,
    show: str | Sequence[str] | None = None,
    of: str | None = None,
    style: str = "paper",
    width: float | None = None,
) -> Canvas:
    """Draw an answer of this package.

    Exact routes are solid lines, approximate routes dashed lines, and simulations markers with one standard
    error. If a simulation is drawn with another route, a panel below shows the residuals. One swept parameter
    gives a family of curves, two swept parameters give a coloured plane. The picture states all fixed
    parameters.

    Args:
        answer: What `curve`, `sample`, `sweep`, `turns`, `onset`, `solve`, `map`, `spectrum` or `compare`
            returned, or a dataset that was read from such a file.
        file: Where to save the picture (.png, .pdf or .svg). The numbers are saved next to it as NetCDF, the
            answer itself as the root group.
        show: Observables to draw, a list or names separated by commas (default: all).
        of: One number of each curve of a sweep: `OBSERVABLE@best`, `@end`, `@descents` or `@TIME` (the
            nearest recorded time); without an observable, the first one that has a best value. For a coloured
            plane the default is the end.
        style: What the picture is for: `"paper"` (6.8 inches wide, text of 8 points), `"slide"` (13.3 inches,
            15.5 points) or `"poster"` (17 inches, 20 points).
        width: Width in inches, instead of the width of the style. The size of the text does not change.

    Returns:
        The matplotlib figure, which a notebook shows.

    Raises:
        InputError: For an answer that cannot be drawn in this way, and for a file that cannot be written.

    Examples:
        >>> import teacherstudent as ts
        >>> answer = ts.curve("multiscale", dynamics="flow", route="asymptotic", kappa=50)
        >>> ts.plot(answer, show="excess_risk").axes[0].get_ylabel()
        'excess risk $E$ [output$^{2}$]'
    """
    picture = picture_file(file)
    check_sheet(style, width)
    numbers = gathered(answer)
    return saved(picture, "plot", lambda: numbers, show, of, style=style, width=width)


def saved(
    picture: Path | None,
    option: str,
    compute: Callable[[], Mapping[str, xr.Dataset]],
    show: str | Sequence[str] | None = None,
    of: str | None = None,
    **sheet: Any,
) -> Canvas:
    """Draw gathered numbers; if `picture` names a file, save the picture there and the numbers next to it.

    Raises `InputError` naming `option`, before anything is computed, if one of the files cannot be written.
    """
    with ExitStack() as written:
        if picture is not None:
            beside = picture.with_suffix(".nc")
            kept = written.enter_context(whole_file(beside, option))
            drawn = written.enter_context(whole_file(picture, option))
        numbers = compute()
        canvas = _canvas()
        draw(canvas, numbers, show, of, **sheet)
        if picture is not None:
            with room_for(beside, option):
                kept.write_bytes(netcdf(numbers))
            image = drawn_as(canvas, picture.suffix[1:])
            with room_for(picture, option):
                drawn.write_bytes(image)
    return canvas


def draw(
    canvas: Canvas,
    numbers: Mapping[str, xr.Dataset],
    show: str | Sequence[str] | None,
    of: str | None,
    style: str = "paper",
    width: float | None = None,
) -> None:
    """Draw gathered numbers on an empty canvas. Raises `InputError`."""
    from teacherstudent.figures.answers import drawing
    from teacherstudent.figures.kit.style import sheet

    if numbers[""].attrs["kind"] == "mine" and show is None and of is None:
        from teacherstudent.figures.gallery import page

        with sheet(canvas, style, width):
            page().function("draw")(canvas, numbers[""])
        return
    names = show.split(",") if isinstance(show, str) else show
    listed = isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)
    if names is not None and not listed:
        raise InputError("show", show, "observables, as a list or separated by commas")
    with sheet(canvas, style, width):
        drawing.draw(canvas, numbers, names, of)


def picture_file(file: str | Path | None, option: str = "plot") -> Path | None:
    """The path of a picture. Raises `InputError` for a path with another suffix."""
    if file is None:
        return None
    path = path_of(file, option)
    if path.suffix not in {f".{each}" for each in FORMATS}:
        raise InputError(option, str(file), f"a file ending in {', '.join(f'.{each}' for each in FORMATS)}")
    return path


def gathered(answer: Answer) -> dict[str, xr.Dataset]:
    """The numbers of a picture: the answer under "", and further data in the picture. Raises `InputError`."""
    import xarray as xr

    if isinstance(answer, Comparison):
        answer = _of_comparison(answer)
    if isinstance(answer, Onset):
        return _of_onset(answer)
    beside: dict[str, xr.Dataset] = {}
    from teacherstudent.figures.answers.drawing import KINDS

    if not isinstance(answer, xr.Dataset) or answer.attrs.get("kind") not in KINDS:
        value = answer if not isinstance(answer, xr.Dataset) else "(a dataset)"
        raise InputError("answer", value, f"an answer of this package, of kind {', '.join(KINDS)}")
    own = {
        "spectrum": (),
        "mine": ("dynamics", "fixed"),
        "map": ("dynamics", "route", "fixed", "x", "y", "of"),
    }
    demanded = ("problem", *own.get(answer.attrs["kind"], ("dynamics", "route", "fixed")))
    if missing := [name for name in demanded if name not in answer.attrs]:
        raise InputError("answer", "(a dataset)", f"an answer that kept its attributes {', '.join(missing)}")
    if answer.attrs["kind"] == "turns":
        beside["curve"] = _curve_of(answer)
    if answer.attrs["kind"] == "sweep":
        from teacherstudent.api.several_routes import with_residuals

        answer = with_residuals(answer)
    if answer.attrs["kind"] in ("curve", "comparison", "sweep"):
        beside |= dense(answer)
    return {"": answer, **beside}


def _canvas() -> Canvas:
    """An empty figure that a notebook shows by itself, and that no global state of matplotlib knows."""
    from matplotlib.figure import Figure

    class Picture(Figure):
        def _repr_png_(self) -> bytes:
            from io import BytesIO

            file = BytesIO()
            self.savefig(file, format="png")
            return file.getvalue()

    return Picture()


def _curve_of(turns: xr.Dataset) -> xr.Dataset:
    """The curve that turns, from before its first turn to after its last."""
    from teacherstudent.api.curve import curve

    route = turns.attrs.get("route")
    if not route:
        raise InputError("answer", "(turns)", "turns of a curve that a route gives")
    asked = {"dynamics": turns.attrs["dynamics"], "route": route, "times": _times_around([turns])}
    return curve(turns.attrs["problem"], **asked, **fixed_of(turns))


def _times_around(turns: Sequence[xr.Dataset]) -> list[float]:
    """Recording times from before the first of these turns to after the last, evenly in logarithm."""
    import numpy as np

    times = np.concatenate([each["time"].values for each in turns])
    if not times.size:
        return list(TIMES.default.values())
    return np.geomspace(times.min() / BESIDE, times.max() * BESIDE, RECORDED).tolist()


def _of_onset(found: Onset) -> dict[str, xr.Dataset]:
    """The boundary, curves on both sides of it and on it, and the turns of those beside it."""
    from teacherstudent.api.curve import curve
    from teacherstudent.api.sweep import sweep
    from teacherstudent.api.turns import turns

    announced = {each.name: each for each in catalogue.turns() if each.problem == found.problem}
    if found.curve not in announced or not announced[found.curve].route:
        raise InputError("answer", f"(onset on {found.curve})", "an onset on a curve that a route gives")
    chosen, name = announced[found.curve], found.parameter
    places, edge = _around(found)
    asked: dict[str, Any] = {**found.fixed, "problem": found.problem}
    around = [turns(curve=found.curve, **asked, **{name: place}) for place in places]
    asked |= {"dynamics": chosen.dynamics, "route": chosen.route, "times": _times_around(around)}
    swept: dict[str, Any] = {name: places}
    curves = sweep(**asked, **swept)
    beside = {f"turns{i}": each for i, each in enumerate(around, 1)}
    return {"": _boundary(found, curves), "curves": curves, "edge": curve(**asked, **{name: edge}), **beside}


def _boundary(found: Onset, curves: xr.Dataset) -> xr.Dataset:
    """An onset as a dataset."""
    import xarray as xr

    counts = {
        side: ((), count, {"units": "1", "long_name": f"{found.counted} just {side} the boundary"})
        for side, count in {"below": found.below, "above": found.above}.items()
    }
    attrs = {
        name: curves.attrs[name] for name in ("problem", "dynamics", "route", "command", "commit", "fixed")
    }
    more = {
        name: getattr(found, name) for name in ("curve", "counted", "parameter", "accuracy", "low", "high")
    }
    value = ((), found.value, curves[found.parameter].attrs)
    return xr.Dataset({"value": value, **counts}, attrs={**attrs, **more, "kind": "onset"})


def _around(found: Onset) -> tuple[list[Any], Any]:
    """Values of the parameter on both sides of the boundary, out to the ends of the interval; one on it."""
    ends = (found.low, found.high)
    between = [(end * found.value) ** 0.5 if found.low > 0 else (end + found.value) / 2 for end in ends]
    if found.whole:
        return sorted({round(each) for each in (*ends, *between)}), math.ceil(found.value)
    return sorted({*ends, *between}), found.value


def _of_comparison(comparison: Comparison) -> xr.Dataset:
    """Both sides of a comparison along `route`, with its residuals."""
    from teacherstudent.api.several_routes import join_routes

    sides = {"simulation": comparison.simulation, "theory": comparison.theory}
    for name, side in sides.items():
        missing = [each for each in ("problem", "dynamics", "route") if each not in side.attrs]
        if missing:
            raise InputError(name, "(a dataset)", f"an answer that kept its attributes {', '.join(missing)}")
    seen, claimed = sides.values()
    kind = catalogue.find_problem(seen.attrs["problem"])
    for each in ("problem", "dynamics"):
        if seen.attrs[each] != claimed.attrs[each]:
            raise InputError("theory", f"({each} {claimed.attrs[each]})", f"of {each} {seen.attrs[each]}")
    if seen.attrs["route"] == claimed.attrs["route"]:
        raise InputError("theory", f"(route {seen.attrs['route']})", "from a route other than the simulation")
    routes = [
        catalogue.find_route(kind, each.attrs["dynamics"], each.attrs["route"]) for each in sides.values()
    ]
    means = {route.name: side for route, side in zip(routes, sides.values(), strict=True)}
    return join_routes(kind, routes, means, {routes[1].name: comparison.residuals}, kind="comparison")
