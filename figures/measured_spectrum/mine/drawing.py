"""The page as a picture: six panels, what was measured minus theory below training, and the words."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from teacherstudent.figures.asked import page, question, scales
from teacherstudent.figures.kit import legends, residuals, style
from teacherstudent.figures.measured_spectrum.mine import judging, words
from teacherstudent.house import catalogue

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure as Canvas

WIDTH, HEIGHT = 13.5, 8.6
STOPPED = style.Look("stopped at its best", style.BLUE, "o")
ENDED = style.Look("after", style.VERMILION, "s")
FEATURES = style.Look("of the features' variance", style.BLACK, "")
TARGET = style.Look("of the target's variance", style.GREEN, "")
OWN: dict[str, Any] = {"color": style.BLACK, "marker": "*", "ls": ":", "lw": 1.0, "ms": 7}
SEEN: dict[str, Any] = {"lw": 1.2, "ls": "-."}
SHADE = 0.25
MUCH = 2.0
"""Factor by which errors after long training exceed the others where their axis is logarithmic."""

NARROW, FEW = 20.0, 100
"""Factor within which eigenvalues, and number within which modes, are labelled with plain numbers."""

STEPPED = "x"
"""The marker of gradient descent."""


def draw(canvas: Canvas, answer: xr.Dataset) -> None:
    """Draw the page of an answer of `teacherstudent mine` on an empty canvas."""
    looks = style.ordered_looks([f"n = {size}" for size in answer["size"].values])
    notes = [_fixed(answer), *([line] for lines in words.sentences(answer) for line in lines)]
    place = page.laid(canvas, _title(answer), [_legend(answer, looks)], notes, WIDTH, HEIGHT)
    grid = place.add_gridspec(3, 3, height_ratios=[3.4, 3.4, 1.3])
    _spectrum(place.add_subplot(grid[0, 0]), answer)
    _shares(place.add_subplot(grid[0, 1]), answer)
    _learning(place.add_subplot(grid[0, 2]), answer, looks)
    training = place.add_subplot(grid[1, :2])
    below = place.add_subplot(grid[2, :2], sharex=training)
    _training(training, answer, looks)
    _residuals(below, answer, looks)
    stopping = place.add_subplot(grid[1, 2])
    _stopping(stopping, answer, looks)
    _descents(place.add_subplot(grid[2, 2], sharex=stopping), answer)
    stopping.tick_params(labelbottom=False)
    training.tick_params(labelbottom=False)


def _title(answer: xr.Dataset) -> str:
    names = json.loads(answer.attrs["fixed"])
    features = names.get("features") or names["gram"]
    of = f"{answer.attrs['rows']} rows of {features}, targets {names['targets']}"
    return f"Training on some of {of}: what theory predicts, and what subsets show"


def _fixed(answer: xr.Dataset) -> list[str]:
    """Every fixed parameter, the loss, and how errors are counted."""
    kind = catalogue.find_problem(answer.attrs["problem"])
    values = json.loads(answer.attrs["fixed"])
    known = {each.name: each for each in kind.parameters}
    said = [question.named(known[name], value) for name, value in values.items() if name in known]
    if answer.attrs["learning_rate"]:
        said.append(
            f"learning rate $\\eta$ = {answer.attrs['learning_rate']:g} of the loss {answer.attrs['loss']}"
        )
    first = int(answer.attrs["first_seed"])
    said.append(f"subsets: seeds {first} to {first + int(answer.attrs['n_seeds']) - 1}")
    return [*said, kind.convention, "errors: mean squares summed over outputs, without a half"]


def _legend(answer: xr.Dataset, looks: list[style.Look]) -> list[legends.Entry]:
    entries = [legends.curve(look) for look in looks]
    entries += [
        legends.theory("theory of a pool (exact for rows in general position)"),
        legends.area("from there to the formula corrected by leverages", style.ANY.colour, alpha=SHADE, lw=0),
        legends.simulation(f"measured: exact training on {answer.attrs['n_seeds']} subsets, mean ± 95 %"),
    ]
    if "simulated" in answer:
        entries.append(
            legends.simulation(
                "gradient descent, step by step: its first steps are not the flow of the lines",
                _stepped(style.ANY),
            )
        )
    if "own" in answer:
        entries.append(legends.Entry("your curve", OWN))
    if "own_training" in answer:
        entries.append(legends.Entry("your training error", {**OWN, "mfc": "white"}))
        entries.append(
            legends.Entry(
                "training error by theory, at the size of your curve", {"color": style.ANY.colour, **SEEN}
            )
        )
    close = 100 * judging.CLOSE
    entries.append(
        legends.bound(
            f"differences ± 95 % for all times of a size; hatched: within {close:g} %, close enough"
        )
    )
    return entries


def _stepped(look: style.Look) -> style.Look:
    return style.Look("", look.colour, STEPPED)


def _spectrum(axes: Axes, answer: xr.Dataset) -> None:
    axes.loglog(answer["mode"], answer["eigenvalue"], color=style.BLACK, marker=".", ms=3, lw=1)
    if float(answer["eigenvalue"].max()) < NARROW * float(answer["eigenvalue"].min()):
        _logarithmic(axes.yaxis)
    _numbered(axes, answer)
    axes.set(xlabel=scales.label(answer["mode"]), ylabel=scales.label(answer["eigenvalue"]))
    axes.set_title("spectrum", fontsize="medium")


def _shares(axes: Axes, answer: xr.Dataset) -> None:
    for name, look, dashes in (("features_share", FEATURES, {"ls": "--"}), ("target_share", TARGET, {})):
        axes.plot(answer["mode"], 100 * answer[name], color=look.colour, lw=1.6, label=look.label, **dashes)
    _numbered(axes, answer)
    axes.set_ylim(0, 103)
    axes.set(xlabel=scales.label(answer["mode"]), ylabel="share in the first $k$ modes [%]")
    axes.set_title("target's share", fontsize="medium")
    axes.legend(frameon=False, fontsize="small", loc="best")


def _learning(axes: Axes, answer: xr.Dataset, looks: list[style.Look]) -> None:
    """Errors over n, theory from the pool to the corrected formula, and what was measured."""
    n, factor = answer["n"].values, judging.factors(answer)[0]
    stops = [judging.nearest_mark(answer, size) for size in answer["size"].values.tolist()]
    ends = [answer.sizes["mark"] - 1] * len(stops)
    ended = replace(ENDED, label=f"after {_moment(answer)}")
    for name, look, places in (("stopped", STOPPED, stops), ("ended", ended, ends)):
        pool, corrected = answer[name].values, answer[f"{name}_corrected"].values
        axes.plot(n, pool, color=look.colour, **style.THEORY, label=look.label)
        axes.fill_between(n, pool, corrected, color=look.colour, alpha=SHADE, lw=0)
        seen = [answer["measured"].values[i, place] for i, place in enumerate(places)]
        error = [factor * answer["measured_stderr"].values[i, place] for i, place in enumerate(places)]
        axes.errorbar(answer["size"], seen, yerr=error, **style.marked(look), **style.BARS)
    axes.axhline(float(answer["variance"]), color="0.5", ls=":", lw=1.2, label="always predicting the mean")
    axes.set_xscale("log")
    low = min(float(answer["stopped"].min()), float(answer["stopped_corrected"].min()))
    high = max(float(answer["variance"]), float(answer["stopped"].max()))
    tallest = float(np.nanmax([answer["ended"].max(), answer["ended_corrected"].max()]))
    if tallest > MUCH * high:
        axes.set_yscale("log")
        _logarithmic(axes.yaxis)
    axes.set_ylim(bottom=0.9 * low if axes.get_yscale() == "log" else 0.0)
    axes.set(
        xlabel=scales.label(answer["n"]),
        ylabel=scales.label(answer["stopped"].assign_attrs(long_name="error on new rows")),
    )
    axes.set_title("more rows", fontsize="medium")
    axes.legend(frameon=False, fontsize="small", loc="best")


def _moment(answer: xr.Dataset) -> str:
    """The end of the longest training."""
    last = words.time(float(answer["time"][-1]))
    return f"{last} steps" if answer.attrs["learning_rate"] else f"$s$ = {last}"


def _numbered(axes: Axes, answer: xr.Dataset) -> None:
    """A logarithmic horizontal axis of modes; of few modes the powers of ten are too few ticks."""
    axes.set_xscale("log")
    if answer.sizes["mode"] < FEW:
        _logarithmic(axes.xaxis)


def _logarithmic(axis: Axis) -> None:
    """Ticks of a logarithmic axis of about a decade, as plain numbers."""
    from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_locator(NullLocator())


def _training(axes: Axes, answer: xr.Dataset, looks: list[style.Look]) -> None:
    """Error during training by size, where to stop, and her own curve."""
    pool_at_marks, factor = judging.at_marks(answer), judging.factors(answer)[0]
    for i, look in enumerate(looks):
        here = answer.isel(size=i)
        axes.plot(answer["time"], here["error"], color=look.colour, **style.THEORY)
        axes.fill_between(
            answer["mark"],
            pool_at_marks.isel(size=i),
            here["corrected"],
            color=look.colour,
            alpha=SHADE,
            lw=0,
        )
        error = factor * here["measured_stderr"]
        axes.errorbar(answer["mark"], here["measured"], yerr=error, **style.marked(look), **style.BARS)
        if "simulated" in answer:
            error = factor * here["simulated_stderr"]
            axes.errorbar(
                here["gone"], here["simulated"], yerr=error, **style.marked(_stepped(look)), **style.BARS
            )
        along = answer.sel(n=int(answer["size"][i]))
        axes.plot(
            float(along["stopping"]),
            float(along["stopped"]),
            marker="v",
            ms=9,
            color=look.colour,
            mec="black",
            zorder=4,
        )
    if "own" in answer:
        hers = answer.isel(own_time=answer["own_time"].values > 0)  # the axis is logarithmic
        axes.plot(hers["own_time"], hers["own"], zorder=5, **OWN)
    if "own_training" in answer:
        axes.plot(hers["own_time"], hers["own_training"], zorder=5, mfc="white", **OWN)
        axes.plot(answer["time"], answer["training"].isel(size=0), color=looks[0].colour, **SEEN)
    axes.set_xscale("log")
    scales.unoffset(axes)
    axes.set(ylabel=scales.label(answer["error"]))
    axes.set_title("training (triangles: best time to stop)", fontsize="medium")


def _residuals(axes: Axes, answer: xr.Dataset, looks: list[style.Look]) -> None:
    """The corrected formula minus what was measured, relative to the formula, in per cent."""
    off, error = (100 * each for each in judging.differences(answer))
    shown = {look: (off.isel(size=i), error.isel(size=i)) for i, look in enumerate(looks)}
    residuals.name(axes, "corrected −\nmeasured [%]")
    residuals.measured(axes, shown, 100 * judging.CLOSE * (answer["mark"] * 0 + 1))
    axes.set_xlabel(scales.label(answer["time"], scales.ALONG))


def _stopping(axes: Axes, answer: xr.Dataset, looks: list[style.Look]) -> None:
    axes.plot(answer["n"], answer["stopping"], color=STOPPED.colour, **style.THEORY)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.axhline(float(answer["time"][-1]), color="0.5", ls=":", lw=1.2)
    axes.set_ylabel(scales.label(answer["stopping"]))
    axes.set_title("when to stop (dotted: the longest training)", fontsize="medium")


def _descents(axes: Axes, answer: xr.Dataset) -> None:
    """How often the error falls, where it rises between by more than its formulas may be off."""
    ends = [judging.judged(answer, size)[-1].bound for size in answer["size"].values.tolist()]
    off = np.interp(np.log(answer["n"]), np.log(answer["size"]), ends)
    counted = np.where(answer["rise"] > off, answer["descents"], np.minimum(answer["descents"], 1))
    axes.step(answer["n"], counted, where="mid", color=style.BLACK, lw=1.6)
    axes.set_xlabel(scales.label(answer["n"]))
    axes.set_ylabel("descents that\nexceed errors", fontsize="small")
    scales.whole(axes)
