"""The learning rate from which batches make descent diverge, over batch size, with simulated verdicts."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from teacherstudent.figures.declaration import Figure, constants
from teacherstudent.figures.kit import legends, maps, style
from teacherstudent.figures.kit.comparison import FEWEST, Curve, draws_of
from teacherstudent.house.grids import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    import xarray as xr

    from teacherstudent.figures.declaration import Canvas, Numbers

ID = "sgd-rate"
SETTING: dict[str, Any] = {"n": 120, "d": 80, "p": 48, "kappa": 3.0, "noise": 0.3}
TITLES = {"fresh": "(a) one pass: new examples", "replacement": "(b) batches drawn anew from $n$ examples"}
BATCHES = (1, 3, 10, 30, 100)
FACTORS = (0.6, 0.85, 1.15, 1.6)
"""Simulated rates, over that which the theory names."""
SPAN = Span(1, 120, 30)
TIMES = (60, 240)
SEEDS = 10
SEEN = 1200
"""Examples after which the risk is shaded: each step takes b of them."""
SHADED, RATES = Span(1, 120, 12), Span(3e-3, 2.0, 28)
RISKS = (0.03, 1.0)
"""Ends of the shades."""


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
    from teacherstudent.problems.multiscale import PROBLEM
    from teacherstudent.theory.multiscale.terms import task_of
    from teacherstudent.theory.spectral.batches import critical_rate

    return critical_rate(task_of(PROBLEM.instance(**SETTING)), batch, data)


def claimed(data: str) -> xr.Dataset:
    """Over batch size."""
    import xarray as xr

    sizes = sizes_of(SPAN)
    return xr.Dataset({"rate": ("batch", [critical(data, size) for size in sizes])}, {"batch": sizes})


def risks(data: str) -> xr.Dataset:
    """The excess risk once `SEEN` examples are used, over batch size and rate; NaN where it diverges."""
    import numpy as np
    import xarray as xr

    sizes, rates = sizes_of(SHADED), np.array(RATES.values())
    found = np.full((len(sizes), rates.size), np.nan)
    for row, size in enumerate(sizes):
        for column in np.flatnonzero(rates < critical(data, size)):
            values = {**SETTING, "batch": size, "data": data, "learning_rate": float(rates[column])}
            answer = Curve("multiscale", "sgd", values).by("asymptotic", [round(SEEN / size)])
            found[row, column] = answer["excess_risk"].item()
    coordinates = {"batch": sizes, "rate": rates}
    return xr.Dataset({"excess_risk": (("batch", "rate"), found, answer["excess_risk"].attrs)}, coordinates)


def sizes_of(span: Span) -> list[int]:
    """The whole numbers next to those of a span."""
    return list(dict.fromkeys(round(size) for size in span.values()))


def drawn(data: str, seeds: Sequence[int]) -> xr.Dataset:
    """Of each spot the share of draws that grow."""
    import numpy as np
    import xarray as xr

    rows = []
    for batch, factor in product(BATCHES, FACTORS):
        rate = factor * critical(data, batch)
        curve = Curve("multiscale", "sgd", {**SETTING, "batch": batch, "data": data, "learning_rate": rate})
        risk = curve.by("simulation", TIMES, seeds)["excess_risk"].values
        risk = np.where(np.isnan(risk), np.inf, np.maximum(risk, 1.0))  # below 1 it has not grown
        grown = (risk[:, 1] > risk[:, 0]) | np.isinf(risk[:, 1])
        rows.append((batch, rate, float(grown.mean())))
    places, rates, shares = zip(*rows, strict=True)
    columns = {"batch": ("spot", [*places]), "rate": ("spot", [*rates]), "grown": ("spot", [*shares])}
    return xr.Dataset(columns, attrs={"n_seeds": len(seeds)})


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A panel for each kind of data: the risk, the claim, and the spots by what they did."""
    from matplotlib.colors import LogNorm

    style.size(canvas, 12, 5.4)
    kinds = {
        "no draw grows": ("o", "white"),
        "some draws grow": ("D", "0.7"),
        "every draw grows": ("o", "black"),
    }
    first = None
    for place, (data, title) in enumerate(TITLES.items()):
        axes = canvas.add_subplot(1, 2, place + 1, **({"sharey": first} if first else {}))
        claim, spots = numbers[f"claim_{data}"], numbers[f"drawn_{data}"]
        if data == "fresh":
            risk = numbers["risk"]["excess_risk"]
            shades = maps.field(axes, risk, "batch", "rate", norm=LogNorm(*RISKS), cmap="viridis")
            label = f"excess risk $E$ after {SEEN} examples [output$^2$]"
            canvas.colorbar(shades, ax=axes, label=label, extend="both")
        style.theory(axes, claim, "batch", "rate", style.ANY)
        grown = spots["grown"].values
        of = (grown == 0, (grown > 0) & (grown < 1), grown == 1)
        for (marker, fill), which in zip(kinds.values(), of, strict=True):
            some = spots.isel(spot=which)
            axes.plot(some["batch"], some["rate"], ls="", marker=marker, mfc=fill, mec="black", ms=5)
        axes.set(xscale="log", yscale="log", xlim=(0.8, 150), title=title, xlabel="batch size $b$ [examples]")
        axes.tick_params(labelleft=first is None)
        first = first or axes
    first.set_ylabel("learning rate $\\eta$ [1/curvature]")
    draws = spots.attrs["n_seeds"]
    marks = [
        legends.markers(f"simulation: {words}", style.ANY, 5, marker=marker, mfc=fill, mec="black")
        for words, (marker, fill) in kinds.items()
    ]
    legends.around(
        canvas,
        [],
        [legends.theory("rate from which the mean square error diverges"), *marks],
        columns=2,
        fixed=f"$n$ = {SETTING['n']}, {SETTING['p']} features of strength 1 and "
        f"{SETTING['d'] - SETTING['p']} of strength 1/{SETTING['kappa']:g}; {draws} draws a spot, from step "
        f"{TIMES[0]} to {TIMES[1]}",
    )


FIGURE = Figure(
    id=ID,
    title="Small batches bound the learning rate, large ones leave that to the curvature",
    caption=(
        "The learning rate from which the mean square error of stochastic gradient descent diverges, over "
        "batch size, for new examples at every step (a; exact at this size) and for batches drawn anew from "
        "n = 120 (b; limit of large n). It is in proportion to the batch while its noise bounds it, and "
        "flattens where the largest curvature does. Shades (a): excess risk in theory once 1200 examples "
        "have been used, of which small batches make more steps; white: it diverges. Spots: simulations at "
        "0.6 to 1.6 times that rate; open where no draw's excess risk grows between the two steps, filled "
        "where each does, grey where some do."
    ),
    paper="paquette2021",
    ref="divergence of batches",
    compute=compute,
    draw=draw,
    no_residuals="each spot states what its draws did",
    small=FEWEST
    | constants(__name__, SETTING={**SETTING, "n": 12, "d": 8, "p": 5}, BATCHES=(3,), FACTORS=(0.5, 2.0),
                SPAN=Span(1, 12, 3), TIMES=(5, 20), SEEN=24,
                SHADED=Span(1, 12, 3), RATES=Span(0.05, 2.0, 4)),
)  # fmt: skip
