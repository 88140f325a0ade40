"""The page as a picture: a panel for each question of a practitioner, with the answer and its doubt in words.

It is as wide as the text of a paper, so that it is read at the size at which it is drawn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from teacherstudent.figures.answers import page, question, scales
from teacherstudent.figures.declaration import PAPER, Axes, Canvas
from teacherstudent.figures.kit import legends, residuals, style, words
from teacherstudent.figures.measured_spectrum.mine import beyond, judging, questions
from teacherstudent.figures.measured_spectrum.mine.facts import known
from teacherstudent.figures.measured_spectrum.mine.formats import time
from teacherstudent.figures.measured_spectrum.mine.questions import Said
from teacherstudent.house import catalogue

if TYPE_CHECKING:
    from matplotlib.axis import Axis

PANEL, TEXT = 3.85, 2.5
"""Inches on paper of a panel with its labels, and of the words on its right."""

GUTTER = 0.2
"""Inches of those that stay free between panels and words."""

STOPPED = style.Look("at the best stop", style.BLUE, "o")
ENDED = style.Look("after", style.VERMILION, "s")
AHEAD = style.Look("best ridge, more rows, ± 95 %", style.GREEN, "^")
ESTIMATOR = style.Look("your estimator", style.PURPLE, "D")
FEATURES = style.Look("features' variance", style.BLACK, "")
TARGET = style.Look("target's variance", style.GREEN, "")
OWN: dict[str, Any] = {"color": style.BLACK, "marker": "*", "ls": ":", "lw": 1.0, "ms": 6}
SEEN: dict[str, Any] = {"lw": 1.2, "ls": "-."}
BEST: dict[str, Any] = {"marker": "v", "ms": 7, "mec": "black", "zorder": 4}
SHADE = 0.25
STEPPED = "x"
"""The marker of gradient descent."""

MUCH = 2.0
"""Factor by which the largest error exceeds the others where their axis is logarithmic."""

MANY = 100.0
"""Factor within which an axis is labelled with plain numbers."""


def draw(canvas: Canvas, answer: xr.Dataset) -> None:
    """Draw the page of an answer of `teacherstudent mine` on an empty canvas."""
    looks = style.ordered_looks([f"n = {size}" for size in answer["size"].values])
    panels: list[tuple[float, Callable[[Axes], None]]] = [
        (2.1, lambda axes: _learning(axes, answer)),
        (1.95, lambda axes: _training(axes, answer, looks)),
        (1.75, lambda axes: _over_ridge(axes, answer, looks)),
        (1.9, lambda axes: _ended(axes, answer)),
        (1.55, lambda axes: _residuals(axes, answer, looks)),
        (1.9, lambda axes: _shares(axes, answer)),
    ]
    said = [*questions.five_questions(known(answer)), questions.rows(known(answer))]
    notes = [_fixed(answer)]
    tall = [height for height, _ in panels]
    place = page.laid(canvas, _title(answer), [_legend(answer, looks)], notes, sum(tall))
    grid = place.add_gridspec(len(panels), 2, height_ratios=tall, width_ratios=[PANEL, TEXT])
    for row, ((height, panel), one) in enumerate(zip(panels, said, strict=True)):
        axes = place.add_subplot(grid[row, 0])
        panel(axes)
        _write(place.add_subplot(grid[row, 1]), one, height)


def _write(axes: Axes, said: Said, height: float) -> None:
    """A question, its answer and its doubt, from the upper edge of a panel down, at the right of the page."""
    from matplotlib.transforms import blended_transform_factory

    scale, size = style.width() / PAPER.width, style.text()
    room, top = scale * (TEXT - GUTTER), 1.0
    left = 1 - (room + page.MARGIN) / style.width()
    place = blended_transform_factory(axes.figure.transSubfigure, axes.transAxes)  # legends move the axes
    axes.set_axis_off()
    for text, style_of in (
        (said.question, {"fontweight": "bold"}),
        (said.answer, {}),
        (said.doubt, {"color": "0.35"}),
    ):
        for line in words.wrapped(text.split(), size, room, " "):
            placed = axes.text(left, top, line, fontsize=size, va="top", transform=place, **style_of)
            placed.set_in_layout(False)
            top -= words.tall(1, size) / scale / (height - 0.4)


def _title(answer: xr.Dataset) -> str:
    names = json.loads(answer.attrs["fixed"])
    features = names.get("features") or names["gram"]
    return f"{answer.attrs['rows']} rows of {features}, targets {names['targets']}: predicted and measured"


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
    return [*said, kind.convention, "errors: mean squares summed over outputs, without a factor 1/2"]


def _legend(answer: xr.Dataset, looks: list[style.Look]) -> list[legends.Entry]:
    entries = [legends.curve(look) for look in looks]
    entries += [
        legends.theory("theory"),
        legends.area(
            "from theory to the formula corrected by leverages", style.ANY.colour, alpha=SHADE, lw=0
        ),
        legends.simulation(f"measured: mean of {answer.attrs['n_seeds']} subsets ± 95 %"),
    ]
    if "simulated" in answer:
        entries.append(legends.simulation("gradient descent, step by step", _stepped(style.ANY)))
    if "own" in answer:
        entries.append(legends.Entry("your curve", OWN))
    if "own_training" in answer:
        entries.append(legends.Entry("your training error", {**OWN, "mfc": "white"}))
        entries.append(legends.Entry("training error, theory", {"color": style.ANY.colour, **SEEN}))
    return entries


def _stepped(look: style.Look) -> style.Look:
    return style.Look("", look.colour, STEPPED)


def _learning(axes: Axes, answer: xr.Dataset) -> None:
    """The best-stopped error over the number of rows, and that of her estimator where she brings one."""
    stops = [judging.nearest_mark(answer, size) for size in answer["size"].values.tolist()]
    _over_rows(axes, answer, "stopped", STOPPED, stops)
    axes.axhline(float(answer["variance"]), color="0.5", ls=":", lw=1.2, label="predicting the mean")
    if "ahead" in answer.dims:
        errors = [each["error"]["error"] for each in beyond.facts(answer)]
        dashed = {"color": AHEAD.colour, "marker": AHEAD.marker, "ms": 4, **style.APPROXIMATION, **style.BARS}
        axes.errorbar(answer["ahead"], answer["ahead_error"], yerr=errors, label=AHEAD.label, **dashed)
    if "estimator_error" in answer:
        look = style.Look(str(answer.attrs["estimator"]), ESTIMATOR.colour, ESTIMATOR.marker)
        _theories(axes, answer, "estimator", look)
        if "estimator_measured" in answer:
            error = judging.factors(answer)[0] * answer["estimator_measured_stderr"]
            axes.errorbar(
                answer["size"], answer["estimator_measured"], yerr=error, **style.marked(look), **style.BARS,
                label="learning_curve of scikit-learn",
            )  # fmt: skip
    _rows_axis(axes, answer)


def _ended(axes: Axes, answer: xr.Dataset) -> None:
    """The error after the longest training over the number of rows, above that of the best stop."""
    last = [answer.sizes["mark"] - 1] * answer.sizes["size"]
    ended = style.Look(f"after {_moment(answer)}", ENDED.colour, ENDED.marker)
    _over_rows(axes, answer, "ended", ended, last)
    axes.plot(answer["n"], answer["stopped"], color=STOPPED.colour, lw=1, label=STOPPED.label)
    _rows_axis(axes, answer)


def _over_rows(axes: Axes, answer: xr.Dataset, name: str, look: style.Look, places: Sequence[int]) -> None:
    _theories(axes, answer, name, look)
    seen = [answer["measured"].values[i, place] for i, place in enumerate(places)]
    stderr = np.array([answer["measured_stderr"].values[i, place] for i, place in enumerate(places)])
    error = judging.factors(answer)[0] * stderr
    axes.errorbar(answer["size"], seen, yerr=error, **style.marked(look), **style.BARS)


def _theories(axes: Axes, answer: xr.Dataset, name: str, look: style.Look) -> None:
    """A line of the pool's formula over n, shaded up to the corrected one."""
    pool = answer.get(f"{name}_error", answer.get(name))
    axes.plot(answer["n"], pool, color=look.colour, **style.THEORY, label=look.label)
    axes.fill_between(answer["n"], pool, answer[f"{name}_corrected"], color=look.colour, alpha=SHADE, lw=0)


def _rows_axis(axes: Axes, answer: xr.Dataset) -> None:
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    if high < MANY * low:
        _logarithmic(axes.xaxis)
    _upright(axes)
    axes.set(xlabel=scales.label(answer["n"]), ylabel="error $E_g$ [output$^2$]")
    _legend_above(axes)


def _upright(axes: Axes) -> None:
    """A logarithmic vertical axis where few errors are far above the others, and else one from 0."""
    heights = np.concatenate([np.asarray(line.get_ydata(), dtype=float) for line in axes.get_lines()])
    heights = heights[np.isfinite(heights) & (heights > 0)]
    if heights.size and heights.max() > MUCH * np.median(heights):
        axes.set_yscale("log")
        if heights.max() < MANY * heights.min():
            _logarithmic(axes.yaxis)
    else:
        axes.set_ylim(bottom=0)


def _legend_above(axes: Axes) -> None:
    """A legend in two columns above the axes, where it hides nothing; an empty title keeps its lines free."""
    place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.2}
    drawn = axes.legend(frameon=False, ncols=2, columnspacing=1.2, borderpad=0, **place)
    drawn.set_in_layout(False)  # however wide it is
    axes.set_title("\n" * ((len(drawn.get_texts()) - 1) // 2) + " ")


def _moment(answer: xr.Dataset) -> str:
    """The end of the longest training."""
    last = time(float(answer["time"][-1]))
    return f"{last} steps" if answer.attrs["learning_rate"] else f"$s$ = {last}"


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
        pool = pool_at_marks.isel(size=i)
        axes.fill_between(answer["mark"], pool, here["corrected"], color=look.colour, alpha=SHADE, lw=0)
        error = factor * here["measured_stderr"]
        axes.errorbar(answer["mark"], here["measured"], yerr=error, **style.marked(look), **style.BARS)
        if "simulated" in answer:
            error = factor * here["simulated_stderr"]
            axes.errorbar(
                here["gone"], here["simulated"], yerr=error, **style.marked(_stepped(look)), **style.BARS
            )
        along = answer.sel(n=int(answer["size"][i]))
        axes.plot(float(along["stopping"]), float(along["stopped"]), color=look.colour, **BEST)
    if "own" in answer:
        hers = answer.isel(own_time=answer["own_time"].values > 0)  # the axis is logarithmic
        axes.plot(hers["own_time"], hers["own"], zorder=5, **OWN)
    if "own_training" in answer:
        axes.plot(hers["own_time"], hers["own_training"], zorder=5, mfc="white", **OWN)
        axes.plot(answer["time"], answer["training"].isel(size=0), color=looks[0].colour, **SEEN)
    axes.set_xscale("log")
    scales.unoffset(axes)
    triangles = f"{scales.label(answer['time'])} (triangles: best stop)"
    axes.set(xlabel=triangles, ylabel="error $E_g$ [output$^2$]")


def _over_ridge(axes: Axes, answer: xr.Dataset, looks: list[style.Look]) -> None:
    """Error of ridge regression over its strength, by size, and the best strength."""
    for i, look in enumerate(looks):
        here = answer.isel(size=i)
        axes.plot(answer["total_ridge"], here["ridge_error"], color=look.colour, **style.THEORY)
        pool = here["ridge_error"].sel(total_ridge=answer["ridge_mark"].values).values
        axes.fill_between(
            answer["ridge_mark"], pool, here["ridge_corrected"], color=look.colour, alpha=SHADE, lw=0
        )
        error = judging.factors(answer)[0] * here["ridge_measured_stderr"]
        axes.errorbar(
            answer["ridge_mark"], here["ridge_measured"], yerr=error, **style.marked(look), **style.BARS
        )
        if 0 < float(here["best_ridge"]) < np.inf:  # the axis is logarithmic
            axes.plot(float(here["best_ridge"]), float(here["best_error"]), color=look.colour, **BEST)
    axes.set_xscale("log")
    scales.unoffset(axes)
    best = f"{scales.label(answer['total_ridge'])} (triangles: best)"
    axes.set(xlabel=best, ylabel="error $E_g$ [output$^2$]")


def _residuals(axes: Axes, answer: xr.Dataset, looks: list[style.Look]) -> None:
    """The corrected formula minus what was measured, relative to the formula, in per cent."""
    off, error = (100 * each for each in judging.differences(answer))
    shown = {look: (off.isel(size=i), error.isel(size=i)) for i, look in enumerate(looks)}
    residuals.name(axes, "theory − measured\n[% ± 95 %]")
    residuals.measured(axes, shown, 100 * judging.CLOSE * (answer["mark"] * 0 + 1))
    axes.set_xscale("log")
    hatched = f"{scales.label(answer['time'])} (hatched: within {100 * judging.CLOSE:g} %)"
    axes.set_xlabel(hatched)


def _shares(axes: Axes, answer: xr.Dataset) -> None:
    """The shares of features and target in the first modes, and the spectrum."""
    for name, look, dashes in (("features_share", FEATURES, {"ls": "--"}), ("target_share", TARGET, {})):
        axes.plot(answer["mode"], 100 * answer[name], color=look.colour, lw=1.6, label=look.label, **dashes)
    axes.set_xscale("log")
    if answer.sizes["mode"] < MANY:
        _logarithmic(axes.xaxis)
    axes.set_ylim(0, 103)
    axes.set(xlabel=scales.label(answer["mode"]), ylabel="share in the\nfirst $k$ modes [%]")
    _legend_above(axes)
