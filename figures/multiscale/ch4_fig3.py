"""Fig. 3 of pezeshki2022 ch. 4: gradient descent and ridge regression, theory against simulation."""

from __future__ import annotations

from teacherstudent.figures.declaration import Canvas, Figure, Numbers
from teacherstudent.figures.kit import columns
from teacherstudent.figures.kit.comparison import FEWEST, Curve, draws_of
from teacherstudent.figures.multiscale import routes
from teacherstudent.house.grids import Span

ID = "ch4-fig3"
SETTING = {"n": 150, "d": 100, "p": 60}
KAPPAS = (1.0, 50.0, 1e5)
DENSE = {"descent": Span(1, 1e6, 240), "ridge": Span(1e-3, 1e6, 240)}
SPARSE = {"descent": Span(1, 1e6, 28), "ridge": Span(1e-3, 1e6, 28)}


def compute(quick: bool) -> Numbers:
    """Three condition numbers under two dynamics."""
    seeds = draws_of(ID, quick)
    numbers: Numbers = {}
    for dynamics in DENSE:
        for kappa in KAPPAS:
            curve = Curve("multiscale", dynamics, {**SETTING, "kappa": kappa})
            name = f"{dynamics}_kappa_{kappa:g}"
            numbers |= routes.answers(name, curve, DENSE[dynamics], SPARSE[dynamics], seeds)
    return numbers


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Descent left, ridge right; residuals of both kinds below."""
    E = "excess_risk"
    looks = routes.looks_of(KAPPAS)
    shown = {
        dynamics: {f"{dynamics}_kappa_{kappa:g}": look for kappa, look in looks.items()} for dynamics in DENSE
    }
    panels = [
        routes.column(numbers, shown["descent"], E, "Gradient descent", ylim=(-0.01, 0.52)),
        routes.column(
            numbers, shown["ridge"], E, "Ridge regression", xname="inverse ridge", ylim=(-0.01, 0.52)
        ),
    ]
    columns.draw(canvas, panels, shared=True)
    drawn = [routes.simulations(numbers, named) for named in shown.values()]
    simulated = drawn[-1]
    routes.legend(
        canvas,
        list(looks.values()),
        simulated,
        fixed=routes.fixed(simulated[looks[1.0]], {1: "$1/\\kappa$"}, ["ridge"]) + ", " + RATE,
        printed=PRINTED,
        notes=[EDGE, routes.unresolved(E, *drawn)],
    )


PRINTED = "printed, Eqs. 4.2.11–4.2.16 (left: ridge $1/(\\eta k)$ for time)"

RATE = "learning rate $\\eta$ = 1/largest eigenvalue of $X^TX$"
EDGE = "Left, at the first steps, they also hold that of the learning rate, of order $d^{-2/3}$."

FIGURE = Figure(
    id=ID,
    title="Gradient descent and ridge regression at three condition numbers",
    caption=(
        "Excess risk of gradient descent from zero against its step k (left; learning rate 1/largest "
        "eigenvalue of X^T X of each draw, in the limit the upper edge of the spectrum) and of ridge "
        "regression against 1/lambda (right); n = 150, d = 100, 60 features of strength 1 and 40 of strength "
        "1/kappa, no label noise. The ridge of the summed loss is lambda. "
        + routes.reading(
            "gradient descent and ridge regression on drawn data",
            "on the left with ridge regression at 1/(eta k) in the place of time",
        )
        + " On the left the learning rate adds an offset of its own at the first steps, because the largest "
        "eigenvalue approaches the edge only like d^(-2/3). The text says p = 50, the published script and "
        "this figure 60. The article draws what it computes at t (1/lambda) at t + 1, which it does not say. "
        "It calls kappa the ratio of the rates; that is kappa^2: at kappa = 50 half of the slow features is "
        "learned 4300 times as late as half of the fast (check ms-rate-ratio)."
    ),
    paper="pezeshki2022",
    ref="Fig. 3",
    compute=compute,
    draw=draw,
    small=FEWEST,
)
