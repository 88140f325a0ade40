"""The learning rate from which batches make descent diverge, over batch size, with simulated verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import FEWEST, Curve, draws_of
from teacherstudent.house.grids import Span
from teacherstudent.problems.multiscale import PROBLEM

ID = "sgd-rate"
SETTING: dict[str, Any] = {"n": 120, "d": 80, "p": 48, "kappa": 3.0, "noise": 0.3}
TITLES = {"fresh": "(a) one pass: new examples", "replacement": "(b) batches from $n$ examples"}
BATCHES = (1, 3, 10, 30, 100)
FACTORS = (0.6, 0.85, 1.0, 1.15, 1.6)
"""Simulated rates, over that which the theory names."""
SPAN, LINE = Span(1, 120, 30), Span(1, 120, 120)
TIMES = (60, 240)
SEEDS = 10
SEEN = 1200
"""Examples after which the risk is shaded: each step takes b of them."""
LOWEST, LEVELS = 3e-3, 24
"""The least rate that is shaded, and how many there are from it up to where the risk diverges."""
NEAR = 0.999
"""The largest rate that is shaded, over the one from which the risk diverges."""
RISKS = (0.03, 1.0)
"""Ends of the shades."""
KINDS = {"no draw grows": ("o", "white"), "some draws grow": ("D", "0.7"), "every draw grows": ("o", "black")}
"""What a spot's draws do, with its marker and its fill."""
SPOT: dict[str, Any] = {"ls": "", "mec": "black", "ms": 5, "clip_on": False, "zorder": 5}


def compute(quick: bool) -> Numbers:
    """The claim over batch size, and the share of draws whose excess risk grows, near it."""
    seeds = draws_of(ID, quick, SEEDS)
    numbers: Numbers = {}
    for data in TITLES:
        numbers[f"claim_{data}"] = claimed(data)
        numbers[f"drawn_{data}"] = drawn(data, seeds)
    numbers["risk"] = risks("fresh")
    return numbers


def critical(data: str, batch: int) -> float:
    """The theory's learning rate."""
    from teacherstudent.theory.multiscale.spectral_task import task_of
    from teacherstudent.theory.spectral.batches import critical_rate

    return critical_rate(task_of(PROBLEM.instance(**SETTING)), batch, data)


def claimed(data: str) -> xr.Dataset:
    """Over batch size."""
    sizes = sizes_of(LINE)
    return xr.Dataset({"rate": ("batch", [critical(data, size) for size in sizes])}, {"batch": sizes})


def risks(data: str) -> xr.Dataset:
    """The excess risk once `SEEN` examples are used, over batch size and rates below the theory's."""
    sizes = sizes_of(SPAN)
    rates = np.stack([np.geomspace(LOWEST, NEAR * critical(data, size), LEVELS) for size in sizes])
    found = np.empty(rates.shape)
    for (row, column), rate in np.ndenumerate(rates):
        values = {**SETTING, "batch": sizes[row], "data": data, "learning_rate": rate.item()}
        answer = Curve("multiscale", "sgd", values).by("asymptotic", [round(SEEN / sizes[row])])
        found[row, column] = answer["excess_risk"].item()
    plane = ("batch", "level")
    coordinates = {"batch": sizes, "rate": (plane, rates)}
    return xr.Dataset({"excess_risk": (plane, found, answer["excess_risk"].attrs)}, coordinates)


def sizes_of(span: Span) -> list[int]:
    """The whole numbers next to those of a span."""
    return list(dict.fromkeys(round(size) for size in span.values()))


def drawn(data: str, seeds: Sequence[int]) -> xr.Dataset:
    """Of each spot the share of draws that grow."""
    rows = []
    for batch, factor in product(BATCHES, FACTORS):
        rate = factor * critical(data, batch)
        curve = Curve("multiscale", "sgd", {**SETTING, "batch": batch, "data": data, "learning_rate": rate})
        risk = curve.told("simulation", TIMES, seeds)["excess_risk"].values
        risk = np.where(np.isnan(risk), np.inf, np.maximum(risk, 1.0))  # below 1: not grown; NaN: diverges
        grown = (risk[:, 1] > risk[:, 0]) | np.isinf(risk[:, 1])
        rows.append((batch, rate, float(grown.mean())))
    places, rates, shares = zip(*rows, strict=True)
    columns = {"batch": ("spot", [*places]), "rate": ("spot", [*rates]), "grown": ("spot", [*shares])}
    return xr.Dataset(columns, attrs={"n_seeds": len(seeds)})


def kinds(grown: np.ndarray) -> dict[str, np.ndarray]:
    """Which spots, (S,), are of each of `KINDS` that any is of, by the share of draws that grow."""
    which = zip(KINDS, (grown == 0, (grown > 0) & (grown < 1), grown == 1), strict=True)
    return {kind: spots for kind, spots in which if spots.any()}


def shade(axes: Axes, risk: xr.Dataset) -> None:
    """The risk, smoothly up to where it diverges, and its colour bar."""
    from matplotlib.colors import LogNorm

    x, y = xr.broadcast(risk["batch"], risk["rate"])
    shades = axes.pcolormesh(
        x, y, risk["excess_risk"], shading="gouraud", norm=LogNorm(*RISKS), cmap="viridis", rasterized=True
    )
    label = f"excess risk $E$ after {SEEN} examples [output$^2$]"
    axes.figure.colorbar(shades, ax=axes, label=label, extend="both")


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A panel for each kind of data: the risk, the claim, and the spots by what they did."""
    style.size(canvas, 2.8)
    canvas.set_layout_engine("constrained", wspace=0.06)  # room for the words of the colour bar
    found: set[str] = set()
    first = None
    for place, (data, title) in enumerate(TITLES.items()):
        axes = canvas.add_subplot(1, 2, place + 1, **({"sharey": first} if first else {}))
        claim, spots = numbers[f"claim_{data}"], numbers[f"drawn_{data}"]
        if data == "fresh":
            shade(axes, numbers["risk"])
        style.theory(axes, claim, "batch", "rate", style.ANY)
        for kind, which in kinds(spots["grown"].values).items():
            some, (marker, fill) = spots.isel(spot=which), KINDS[kind]
            axes.plot(some["batch"], some["rate"], **SPOT, marker=marker, mfc=fill)
            found.add(kind)
        ends = claim["batch"].values[[0, -1]]
        axes.set(xscale="log", yscale="log", xlim=ends, title=title, xlabel="batch size $b$ [examples]")
        axes.tick_params(labelleft=first is None)
        first = first or axes
    first.set(ylabel="learning rate $\\eta$ [1/curvature]", ylim=(LOWEST, None))
    draws = spots.attrs["n_seeds"]
    marks = [
        legends.markers(f"simulation: {kind}", style.ANY, 5, marker=marker, mfc=fill, mec="black")
        for kind, (marker, fill) in KINDS.items()
        if kind in found
    ]
    entries = [legends.theory("rate above which the mean square error diverges"), *marks]
    fixed = (
        f"$n$ = {SETTING['n']}, {SETTING['p']} features of strength 1 and {SETTING['d'] - SETTING['p']} of "
        f"strength 1/{SETTING['kappa']:g}; {draws} draws a spot, from step {TIMES[0]} to {TIMES[1]}"
    )
    legends.around(canvas, [], entries, fixed=fixed)


FIGURE = Figure(
    id=ID,
    title="Batch noise limits the learning rate for small batches, curvature for large ones",
    caption=(
        "Learning rate above which the mean square error of stochastic gradient descent diverges, over "
        "batch size. (a) New examples at every step; exact at this size. (b) Batches redrawn from n = 120 "
        "examples; limit of large n. The rate is proportional to the batch size while batch noise limits "
        "it, and constant for large batches, where the largest curvature limits it. Colours in (a): "
        "theoretical excess risk "
        "once 1200 examples have been used; a smaller batch makes more steps with them. White: divergence. "
        "Spots: simulations at 0.6 to 1.6 times the critical rate. A spot is filled if the excess risk of "
        "every draw grows between the two steps given, open if it grows in no draw, grey if in some draws."
    ),
    paper="paquette2021",
    ref="divergence of batches",
    compute=compute,
    draw=draw,
    no_residuals="each spot shows how many of its draws diverge",
    small=FEWEST
    | constants(__name__, SETTING={**SETTING, "n": 12, "d": 8, "p": 5}, BATCHES=(3,), FACTORS=(0.5, 2.0),
                SPAN=Span(1, 12, 3), LINE=Span(1, 12, 4), TIMES=(5, 20), SEEN=24,
                LOWEST=0.05, LEVELS=4),
)  # fmt: skip
