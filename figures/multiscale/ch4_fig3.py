"""Fig. 3 of pezeshki2022 ch. 4: gradient descent and ridge regression, theory against simulation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Figure
from teacherstudent.figures.kit import style
from teacherstudent.figures.kit.comparison import Curve, draws_of, reading
from teacherstudent.house.domains import Span

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure as Canvas

ID = "ch4-fig3"
SETTING = {"n": 150, "d": 100, "p": 60}
KAPPAS = (1.0, 50.0, 1e5)
DENSE = {"descent": Span(1, 1e6, 240), "ridge": Span(1e-3, 1e6, 240)}
SPARSE = {"descent": Span(1, 1e6, 28), "ridge": Span(1e-3, 1e6, 28)}


def compute(quick: bool) -> dict[str, xr.Dataset]:
    """Three condition numbers under two dynamics."""
    seeds = draws_of(ID, quick)
    numbers: dict[str, xr.Dataset] = {}
    for dynamics in DENSE:
        for kappa in KAPPAS:
            curve = Curve("multiscale", dynamics, {**SETTING, "kappa": kappa})
            groups = curve.answers(DENSE[dynamics], SPARSE[dynamics], seeds)
            numbers |= {f"{route}_{dynamics}_kappa_{kappa:g}": answer for route, answer in groups.items()}
    return numbers


def draw(canvas: Canvas, numbers: Mapping[str, xr.Dataset]) -> None:
    """Descent left, ridge right; residuals of both kinds below."""
    E = "excess_risk"
    looks = dict(zip(KAPPAS, style.ordered_looks([f"κ = {style.number(k)}" for k in KAPPAS]), strict=True))
    grid = style.layout(canvas, 2, (11, 7.5))
    titles = {"descent": "Gradient descent", "ridge": "Ridge regression"}
    first = None
    for at, (dynamics, title) in enumerate(titles.items()):
        axes = style.stack(canvas, grid, at, first)
        first = first or axes
        top = axes[0]
        simulated = {}
        for kappa, look in looks.items():
            key = f"{dynamics}_kappa_{kappa:g}"
            style.printed(top, numbers[f"printed_{key}"], "time", E, look)
            style.theory(top, numbers[f"asymptotic_{key}"], "time", E, look)
            simulated[look] = numbers[f"simulation_{key}"]
            style.simulation(top, simulated[look], "time", E, look)
        style.residuals(axes[1:], simulated, E)
        top.set(title=title, xscale="log", ylim=(-0.01, 0.52))
        axes[-1].set_xlabel(style.axis_label(simulated[look]["time"], "inverse ridge" if at else None))
    first[0].set_ylabel(style.axis_label(simulated[look][E]))
    style.legend(canvas, first[0], list(looks.values()), simulated[look], PRINTED)


PRINTED = "printed, Eqs. 4.2.11–4.2.16 (left: ridge $1/(\\eta k)$ for time)"

FIGURE = Figure(
    id=ID,
    title="Gradient descent and ridge regression at three condition numbers",
    caption=(
        "Excess risk of gradient descent from zero against its step k (left; learning rate 1/largest "
        "eigenvalue of X^T X of each draw, in the limit the upper edge of the spectrum) and of ridge "
        "regression against 1/lambda (right); n = 150, d = 100, 60 features of strength 1 and 40 of strength "
        "1/kappa, no label noise. The ridge of the summed loss is lambda. "
        + reading(
            "gradient descent and ridge regression on drawn data",
            "on the left with ridge regression at 1/(eta k) in the place of time",
        )
        + " On the left the learning rate adds an offset of its own at the first steps, because the largest "
        "eigenvalue approaches the edge only like d^(-2/3). The text says p = 50, the published script and "
        "this figure 60."
    ),
    paper="pezeshki2022",
    ref="Fig. 3",
    compute=compute,
    draw=draw,
)
