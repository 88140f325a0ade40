"""Published case: the risk over samples, from wholly nonlinear features to linear ones, at three noises."""

from __future__ import annotations

from collections.abc import Sequence

import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style, thresholds
from teacherstudent.figures.kit.columns import Column, traces
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.figures.random_features import setting
from teacherstudent.figures.random_features.setting import RISK, Setting
from teacherstudent.house.grids import Span

ID = "rf-samples"
WIDTH = 10.0
"""N/d."""
RIDGE = 0.01
"""Of the summed loss: the published 0.1, over N/d."""
LINEAR = (0.0, 0.3, 0.6, 0.9, 1.0)
"""r = mu_1^2, of a variance 1."""
SIMULATED = (0.0, 0.9, 1.0)
NOISES = {"none": 0.0, "some": 0.5**0.5, "much": 5.0**0.5}
SAMPLES = Span(0.1, 100, 46)
"""n/d of the lines; n = d and n = N are among them."""
DRAWN = (0.3, 1.0, 3.0, 10.0, 30.0)
SIZE = 30
DRAWS = {"gaussian-equivalent": 10, "simulation": 8}


def asked(linear: float) -> Setting:
    """Features r of whose variance is linear, the rest cubic: the limit knows no more of them."""
    hermite = (0.0, linear**0.5, 0.0, (1 - linear) ** 0.5)
    return Setting({"hermite": hermite, "noise": max(NOISES.values()), "observable": ("parts",)}, SIZE)


def at_noises(answer: xr.Dataset) -> xr.Dataset:
    """The risk at each of the noises, from that at the largest: what noise adds goes with its square."""
    most = max(NOISES.values()) ** 2
    added = answer["variance_noise"] + answer["variance_features_noise"]
    risks = {name: answer[RISK] + added * (noise**2 / most - 1) for name, noise in NOISES.items()}
    return answer[[]].assign({name: risk.assign_attrs(answer[RISK].attrs) for name, risk in risks.items()})


def compute(quick: bool) -> Numbers:
    """Risks over n/d for each share r, by the limit, and for some of them drawn by both routes."""
    numbers = {f"limit_{linear:g}": limit(asked(linear)) for linear in LINEAR}
    for linear in SIMULATED:
        for route, count in DRAWS.items():
            seeds = draws_of(ID, quick, count, setting.FEW)
            numbers[f"{route}_{linear:g}"] = drawn(asked(linear), route, seeds)
    return numbers


def limit(one: Setting) -> xr.Dataset:
    """The limit over n/d."""

    def at(psi2: float) -> xr.Dataset:
        return at_noises(one.limit("ridge", WIDTH, psi2, (1 / RIDGE,))).isel(time=0)

    return setting.along("psi2", SAMPLES.values(), at)


def drawn(one: Setting, route: str, seeds: Sequence[int]) -> xr.Dataset:
    """What a sampled route draws over n/d."""

    def at(psi2: float) -> xr.Dataset:
        return one.drawn("ridge", WIDTH, psi2, (1 / RIDGE,), seeds, at_noises, route).isel(time=0)

    return setting.along("psi2", DRAWN, at)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column for each noise: risk over n/d, and residuals."""
    looks = style.family(LINEAR, "$r$ = {:g}")
    lines = traces(numbers, looks, "limit_{}")
    panels = [
        Column(
            "psi2",
            name,
            lines + setting.drawn_both(numbers, looks, "{route}_{}"),
            f"({letter}) label noise $\\sigma_\\epsilon^2$ = {noise**2:g}",
            setting.BOTH,
            log="xy",
            powers=True,
            ylim=LIMITS,
        )
        for letter, (name, noise) in zip("abc", NOISES.items(), strict=True)
    ]
    for axes in columns.draw(canvas, panels, shared=True, across=3):
        thresholds.draw(axes, {1.0: "$n = d$", WIDTH: "$n = N$"}, 0.96)
    simulated = {
        route: [answer for name, answer in numbers.items() if name.startswith(route)] for route in DRAWS
    }
    curves = [
        look if linear in SIMULATED else legends.theory(look.label, look.colour)
        for linear, look in looks.items()
    ]
    entries = setting.both(dict.fromkeys(DRAWS, SIZE), {route: each[0] for route, each in simulated.items()})
    fixed = (
        f"$N/d$ = {WIDTH:g} features per input, ridge $\\lambda$ = {RIDGE:g}, linear teacher, "
        "activation $\\sqrt{r}\\,u + \\sqrt{1 - r}\\,He_3(u)/\\sqrt{6}$"
    )
    notes = "\n".join(setting.off(each, SIZE, [*NOISES], route) for route, each in simulated.items())
    legends.around(canvas, curves, entries, fixed=fixed, notes=notes)


LIMITS = (1e-3, 30.0)
"""Of the vertical axis: without noise and nonlinearity the risk falls below."""

FIGURE = Figure(
    id=ID,
    title="Linear features peak at n = d, nonlinear ones at n = N, almost linear ones at both",
    caption=(
        "Excess risk of ridge regression on random features over samples per input n/d, at N/d = 10 "
        "features per input and label noise of variance 0, 0.5 and 5. A share r of the features' variance "
        "is linear in the inputs. This is the published case with its ridge 0.1, which equals 0.01 here "
        "because the published loss is scaled by N/d. The published loss is twice the excess risk. Linear "
        "features (r = 1) have as many directions as inputs: the risk peaks at n = d, but only with label "
        "noise. Nonlinear features overfit up to n = N, where the risk peaks even without noise. Almost "
        "linear features (r = 0.9) show both peaks if labels are noisy. Filled markers: simulations with "
        "Gaussian features of the same moments, which have the same limit. Open markers: simulations with "
        f"drawn features of a cubic nonlinearity. Simulations have d = {SIZE} and share their draws at all "
        "three levels of label noise. Drawn features deviate from the limit unless n is small compared with "
        "d^3, because the cubic part then has separate directions. Below: both simulations minus the limit, "
        "in standard errors."
    ),
    paper="dascoli2020triple",
    ref="the family of activations over samples",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        SAMPLES=Span(0.5, 20, 4),
        LINEAR=(0.0, 1.0),
        SIMULATED=(0.0,),
        DRAWN=(1.0, 1.02),
        WIDTH=1.0,
        SIZE=9,
    ),
)
