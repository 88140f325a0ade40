"""What figures of multi-scale features share: the routes that they draw, and what residuals are taken of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import xarray as xr

from teacherstudent.figures.declaration import Canvas, Numbers
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.columns import LIMIT as TO_LIMIT
from teacherstudent.figures.kit.columns import Column, Trace, traces
from teacherstudent.figures.kit.comparison import DRAWS, QUICK_DRAWS, Curve, Times
from teacherstudent.paper_checks.judging.draws import RESOLVABLE

if TYPE_CHECKING:
    pass

AGAINST = {"instance": "exact given X", "asymptotic": "limit n, d -> infinity"}
BELOW = {
    "sim. − exact(X)\n[std. errors]": "{y}_minus_instance",
    TO_LIMIT: "{y}_minus_asymptotic",
}
"""The residual panels, top to bottom: the labels of their axes, and what they show."""
LIMIT = legends.theory("exact limit $n, d \\to \\infty$")


def simulated(curve: Curve, times: Times, seeds: Sequence[int]) -> xr.Dataset:
    """Means over draws with residuals of two kinds.

    Against `instance`, the exact average given each drawn X, what remains is the fluctuation of
    teacher and noise; against `asymptotic`, the limit, it also holds the finite-size offset.
    """
    return curve.simulation(times, seeds, AGAINST)


def answers(name: str, curve: Curve, dense: Times, sparse: Times, seeds: Sequence[int]) -> Numbers:
    """The limit (`asymptotic_<name>`), what the paper prints (`printed_`) and the `simulation_`."""
    lines = {f"{route}_{name}": curve.by(route, dense) for route in ("asymptotic", "printed")}
    return {**lines, f"simulation_{name}": simulated(curve, sparse, seeds)}


def looks_of(kappas: Sequence[float]) -> dict[float, style.Look]:
    """A family over condition numbers."""
    labels = [f"κ = {style.number(kappa)}" for kappa in kappas]
    return dict(zip(kappas, style.ordered_looks(labels), strict=True))


def curves(numbers: Numbers, looks: Mapping[str, style.Look]) -> list[Trace]:
    """Each curve, `<route>_<name>`, by every route that there is."""
    return traces(numbers, looks, "asymptotic_{}", "simulation_{}", "printed_{}")


def column(
    numbers: Numbers,
    looks: Mapping[str, style.Look],
    y: str,
    title: str,
    more: Sequence[Trace] = (),
    **how: Any,
) -> Column:
    """These curves over time, after `more` of them, and below them both residuals; `how`: of `Column`."""
    return Column("time", y, [*more, *curves(numbers, looks)], title, BELOW, log="x", **how)


def simulations(numbers: Numbers, looks: Mapping[str, style.Look]) -> dict[style.Look, xr.Dataset]:
    """What is simulated of these curves."""
    return {each.look: each.drawn for each in curves(numbers, looks) if each.drawn is not None}


def legend(
    canvas: Canvas,
    looks: Sequence[style.Look | legends.Entry],
    simulations: Mapping[Any, xr.Dataset],
    *,
    fixed: str,
    printed: str | None = None,
    more: Sequence[legends.Entry] = (),
    notes: Sequence[str] = (),
) -> None:
    """Above the panels what is fixed and each curve; below them notes, lines, markers and band.

    `printed` names the dashed lines (None: there are none), `more` what else is drawn.
    """
    dashed = [legends.approximation(printed)] if printed else []
    draws = legends.draws(_any(simulations).attrs["n_seeds"])
    entries = [LIMIT, draws, *dashed, *more, legends.band()]
    below = "\n".join(note for note in (TOGETHER, *notes) if note)
    legends.around(canvas, looks, entries, fixed=fixed, notes=below)


TOGETHER = (
    "All points of a panel share their draws, so residuals are correlated and often nearly equal.\n"
    "Residuals against the limit include the finite-size offset, of order $1/d$."
)


def fixed(answer: xr.Dataset, strengths: Mapping[int, str] | None = None, varied: Sequence[str] = ()) -> str:
    """What is equal in all curves of a figure, from the attributes of one of them.

    `strengths` says in words how strong the features of some scales are, by their place; `varied` names
    parameters that differ from curve to curve.
    """
    values = json.loads(answer.attrs["instance"]) | json.loads(answer.attrs["options"])
    counts = values["counts"]
    named = dict(enumerate(map(style.number, values["sigmas"]))) | dict(strengths or {})
    features = ", ".join(f"{count} of strength {named[at]}" for at, count in enumerate(counts))
    numbers = [
        some.format(f"{values[name]:g}") if values[name] else none
        for name, (none, some) in PARAMETERS.items()
        if name in values and name not in varied and values[name] != "auto"
    ]
    return f"$n$ = {values['n']}, $d$ = {sum(counts)} features ({features}); {', '.join(numbers)}"


PARAMETERS = {
    "noise": ("no label noise", "label noise $\\sigma_\\epsilon$ = {}"),
    "ridge": ("no ridge", "ridge $\\lambda$ = {}"),
    "init": ("start at 0", "initial weights of standard deviation {}"),
    "learning_rate": ("", "learning rate $\\eta$ = {}"),
}
"""What a line of fixed parameters says of each: where it is 0, and where it is not."""


def unresolved(name: str, *simulations: Mapping[style.Look, xr.Dataset]) -> str:
    """Where residuals of a curve end because every draw has learned all; empty where none does."""
    ends = []
    for look, answer in (item for column in simulations for item in column.items()):
        left = answer[f"{name}_minus_asymptotic"]
        if bool(left.isnull()[-1]):
            first = float(left["time"][int(left.notnull().values.nonzero()[0].max(initial=-1)) + 1])
            symbol = style.mathematics(left["time"].attrs["symbol"].partition(" =")[0])
            ends.append(f"{look.label} from {symbol} = {style.number(float(f'{first:.2g}'))}")
    floor = f"standard errors are below {style.number(RESOLVABLE)}"
    return f"Residuals end where everything is learned and {floor}: {', '.join(ends)}." if ends else ""


def finite_size(answer: xr.Dataset, name: str, time: float, place: str) -> str:
    """How far the exact average given X lies from the limit at about that time, by the draws of a simulation.

    `place` says in words what happens then.
    """
    at = answer.sel(time=time, method="nearest")
    apart = float(at[f"{name}_instance"] - at[f"{name}_asymptotic"])
    error = float(at[f"{name}_instance_stderr"])
    return f"Offset of {style.mathematics(at[name].attrs['symbol'])}: {apart:+.4f} ± {error:.4f} at {place}."


def _any(answers: Mapping[Any, xr.Dataset]) -> xr.Dataset:
    return next(iter(answers.values()))


def reading(simulated: str, dashed: str, draws: int = DRAWS) -> str:
    """The part of a caption that every comparison shares: what each mark is."""
    return (
        f"Solid: exact limit n, d -> infinity. Markers: {simulated}, mean of {draws} draws ({QUICK_DRAWS} in "
        "the quick version), bars one standard error. Dashed: printed approximation, Eqs. 4.2.11-4.2.16, "
        f"{dashed}. {RESIDUALS}"
    )


RESIDUALS = (
    "Below: simulation minus theory in standard errors. The first panel uses the exact average given each "
    "drawn X, draw by draw, so only the teacher fluctuates. The second uses the limit and includes the "
    "finite-size offset of order 1/d. Points of one panel share their draws and are correlated. Residuals "
    f"are omitted where the standard error is below {RESOLVABLE:g}."
)
"""The part of a caption on both residual panels."""
