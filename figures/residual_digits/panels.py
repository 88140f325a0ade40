"""Test error over weight decay and step, and slices of it: numbers and panels of two figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import xarray as xr

from teacherstudent.figures.declaration import Axes, Numbers, constants
from teacherstudent.figures.kit import maps, style
from teacherstudent.figures.kit.columns import THEORY, Column, Trace
from teacherstudent.figures.kit.comparison import Curve
from teacherstudent.house.grids import Span

ID = "residual-digits"
ERROR = "test_error"
EXPONENTS = (1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0)
"""Decades of the weight decays, downwards."""
SLICES = {"large": 1.5, "intermediate": 3.0, "small": 5.0}
"""Which of them are drawn as curves."""
STEPS, LINES = Span(1, 4000, 20), Span(1, 4000, 100)
DRAWS, FEW = 6, 4
WIDTH = 128
TOLD = (0.02, 0.98)
"""Quantiles of the errors on a map between which colours tell them apart."""
SMALL = constants(__name__, EXPONENTS=(1.5, 3.0, 5.0), STEPS=Span(1, 20, 3), LINES=Span(1, 20, 5), WIDTH=8)
"""What makes a small run of both figures."""
DECAY = {"units": "curvature of the mean loss", "symbol": "lambda", "long_name": "weight decay"}
AGAINST = {"kernel": "theory at infinite width"}


def curve(exponent: float) -> Curve:
    """The question at one weight decay."""
    return Curve(ID, "descent", {"weight_decay": 10.0**-exponent, "width": WIDTH})


def heat_maps(seeds: Sequence[int]) -> Numbers:
    """Means over the same draws, network and theory, over decay and time: `network`, and each `slice_`.

    A `line_` is the theory of a slice at more steps.
    """
    axis = xr.DataArray([10.0**-each for each in EXPONENTS], dims="decay", name="decay", attrs=DECAY)
    rows = [curve(each).simulation(STEPS, seeds, AGAINST) for each in EXPONENTS]
    cut = {f"slice_{name}": rows[EXPONENTS.index(at)] for name, at in SLICES.items()}
    cut |= {f"line_{name}": curve(at).by("kernel", LINES, seeds).mean("seed") for name, at in SLICES.items()}
    return {"network": xr.concat(rows, axis, combine_attrs="drop_conflicts"), **cut}


def looks() -> dict[str, style.Look]:
    """Of each slice, by its name."""
    labels = [f"{name} $\\lambda$ = $10^{{-{at:g}}}$" for name, at in SLICES.items()]
    return dict(zip(SLICES, style.ordered_looks(labels), strict=True))


def field(
    axes: Axes, numbers: Mapping[str, xr.Dataset], shown: Mapping[str, style.Look], name: str = ERROR
) -> Any:
    """Errors as shades over weight decay (falling to the right) and steps, slices marked above.

    name: of the errors; colours are those of the network's. Returns what a colour bar needs.
    """
    values = numbers["network"][name]
    least, most = numbers["network"][ERROR].quantile(TOLD).values
    mesh = maps.field(axes, values, "decay", "time", cmap="cividis", vmin=least, vmax=most)
    axes.set(xscale="log", yscale="log", ylim=(1, float(values["time"][-1])))
    axes.invert_xaxis()
    axes.set_xlabel(style.axis_label(values["decay"], "weight decay"))
    axes.set_ylabel(style.axis_label(values["time"]))
    for name, look in shown.items():
        decay = 10.0 ** -SLICES[name]
        axes.axvline(decay, color="white", lw=1.0, ls=":")
        axes.plot(
            [decay], [1.0], transform=axes.get_xaxis_transform(), clip_on=False, zorder=5,
            **{**style.marked(look, 7), "mfc": look.colour},
        )  # fmt: skip
    return mesh


def slices(numbers: Mapping[str, xr.Dataset], shown: Mapping[str, style.Look], title: str) -> Column:
    """Error over steps at some weight decays: the theory dashed, the network's markers; residuals below."""
    curves = []
    for name, look in shown.items():
        at = numbers[f"slice_{name}"]
        curves.append(Trace(look, drawn=at, rough=numbers[f"line_{name}"]))
    below = {THEORY: f"{ERROR}_minus_kernel"}
    return Column("time", ERROR, curves, title, below, log="x")


def fixed(numbers: Mapping[str, xr.Dataset]) -> str:
    """What is equal in all panels, in words."""
    return style.fixed(
        numbers[f"slice_{next(iter(SLICES))}"], None, n="digits", components="components",
        width="hidden units", branch_scale="branch scale", label_noise="share of wrong labels",
        learning_rate="learning rate",
    )  # fmt: skip
