"""Our own figure: the generalisation gap of a solved student over the index of its noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, traces
from teacherstudent.figures.kit.comparison import draws_minus_theory, draws_of
from teacherstudent.figures.stable_noise import setting
from teacherstudent.house.grids import Span

ID = "sn-gap"
EXAMPLES, POWER, COARSE = 3, 0.5, 0.5
UNITS = (1.0, 10.0, 30.0, 1000.0)
"""Standard deviations of the inputs."""
INDICES = Span(0.56, 2, 73, "lin")
DRAWN = (1.0, 1.25, 1.5, 1.75, 2.0)
DRAWS, WALKERS = 1200, 40
FEWER = 300
NOISE = {"symbol": "alpha", "long_name": "tail index of the noise", "units": "1"}
OVER = {"symbol": "G(alpha)/G(2)", "long_name": "gap / gap of Brownian noise", "units": "1"}


def compute(quick: bool) -> Numbers:
    """By unit of the inputs: gaps over that of Brownian noise, by the scheme's law and drawn."""
    found: Numbers = {}
    for unit in UNITS:
        whole = _gaps("euler", 2.0, unit)[0]
        lines = [_gaps("euler", index, unit)[0] / whole for index in INDICES.values()]
        found[f"theory_{unit:g}"] = xr.Dataset(
            {"gap": ("index", lines, OVER)}, {"index": ("index", list(INDICES.values()), NOISE)}
        )
        samples, claimed = [], []
        for index in DRAWN:
            seeds = draws_of(ID, quick, DRAWS, FEWER, f"{index} {unit}")
            samples.append(_gaps("simulation", index, unit, seeds=seeds, walkers=WALKERS) / whole)
            claimed.append(_gaps("euler", index, unit)[0] / whole)
        like = xr.DataArray(claimed, {"index": ("index", list(DRAWN), NOISE)}, "index", "gap", OVER)
        found[f"drawn_{unit:g}"] = draws_minus_theory(np.stack(samples, axis=1), np.array(claimed), like)
    return found


def _gaps(route: str, index: float, unit: float, **more: Any) -> object:
    values = {"stability": index, "input_scale": unit, "power": POWER, "relative_step": COARSE}
    seeds = more.pop("seeds", None)
    answer = setting.ask_route("gap", route, (EXAMPLES,), seeds, **values, **more)
    return answer["generalisation_gap"].values.ravel()


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Ratios of gaps over the index; residuals below."""
    looks = style.family(UNITS, "$s$ = {:g}")
    shown, some = traces(numbers, looks, "theory_{}", "drawn_{}"), numbers[f"drawn_{UNITS[0]:g}"]
    below, ticks = {columns.THEORY: "z"}, {"y": columns.DIGITS}
    ends = {"xlim": (0.5, 2.03), "ylim": (0.05, 30)}
    gaps = Column("index", "gap", shown, residuals=below, ticks=ticks, log="y", **ends)
    ((axes, _),) = columns.draw(canvas, [gaps])
    axes.axhline(1.0, color="0.4", lw=0.9, ls=(0, (1, 2)))
    entries = [
        legends.theory("theory: stationary distribution of the scheme, exact at this size"),
        legends.simulation(
            f"simulation: students on {EXAMPLES} training examples and on fresh ones, "
            f"{some.attrs['n_seeds']} draws ± 1 standard error"
        ),
        legends.band(),
    ]
    fixed = (
        f"$dw = -\\overline{{x^2}} w dt + dL$, loss $|wx|^p$, $p$ = {POWER:g}, $x \\sim N(0, s^2)$; "
        f"Euler's scheme in steps of {COARSE:g} times of relaxation"
    )
    legends.around(canvas, list(looks.values()), entries, fixed=fixed)


FIGURE = Figure(
    id=ID,
    title="Heavier tails generalise better or worse, depending on the scale of the inputs",
    caption=(
        "Generalisation gap over the tail index of the noise, relative to Brownian noise. Stable noise "
        f"drives a student in the well of its {EXAMPLES} training examples. If inputs are of the order of "
        "the noise, heavier tails give a larger gap at all indices. If inputs are large, heavier tails give "
        "a smaller gap, down to alpha = p (left end), where the loss has no mean. The tail index alone "
        "therefore does not order the gaps. Solid: exact. Markers: drawn students. Below: simulation minus "
        "theory in standard errors."
    ),
    paper="simsekli2020",
    ref="heavier tails and generalisation, in a student that is solved here",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__, UNITS=(1.0, 10.0), INDICES=Span(1, 2, 3, "lin"), DRAWN=(1.5, 2.0), FEWER=6, WALKERS=4
    ),
)
