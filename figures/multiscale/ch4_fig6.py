"""Fig. 6 of pezeshki2022 ch. 4: penalising the outputs makes the risk rise less between its descents."""

from __future__ import annotations

import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers
from teacherstudent.figures.kit import columns, residuals, style
from teacherstudent.figures.kit.comparison import FEWEST, Curve, draws_of
from teacherstudent.figures.multiscale import routes
from teacherstudent.house.grids import Span
from teacherstudent.problems import resnet

ID = "ch4-fig6"
SETTING = {"n": 120, "d": 100, "p": 70, "kappa": 30.0, "learning_rate": 0.25}
PENALTY = {"output_penalty": 0.6, "output_penalty_decay": 0.001}
STUDENTS = {
    "plain": (SETTING, style.Look("without a penalty", style.BLUE, "o")),
    "penalised": ({**SETTING, **PENALTY}, style.Look("with a fading output penalty", style.ORANGE, "s")),
}
DENSE, SPARSE = Span(1, 1e5, 200), Span(1, 1e5, 26)


def compute(quick: bool) -> Numbers:
    """Both students on the same draws; the published runs of the network if at hand."""
    seeds = draws_of(ID, quick)
    numbers = {}
    for name, (values, _) in STUDENTS.items():
        curve = Curve("multiscale", "descent", values)
        numbers[f"asymptotic_{name}"] = curve.by("asymptotic", DENSE)
        numbers[f"simulation_{name}"] = routes.simulated(curve, SPARSE, seeds)
    numbers["printed_plain"] = Curve("multiscale", "descent", SETTING).by("printed", DENSE)
    published = resnet.penalty_runs()
    return numbers if published is None else {**numbers, "resnet": published}


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """The linear student with its residuals; beside it, where its results are at hand, the network."""
    E = "excess_risk"
    published = numbers.get("resnet")
    style.size(canvas, 4.4)
    grid = canvas.add_gridspec(3, 1 + (published is not None), height_ratios=residuals.heights(2))
    looks = {name: look for name, (_, look) in STUDENTS.items()}
    simulated = routes.simulations(numbers, looks)
    risk = routes.column(numbers, looks, E, "Linear student", ylim=(-0.01, 0.45))
    columns.draw_on(canvas, grid, [risk])
    if published is not None:
        network(canvas.add_subplot(grid[:, 1]), published)
    fixed = f"{routes.fixed(numbers['simulation_plain'], {1: '1/30'})}\n{FADING}"
    notes = [resnet.absent("the right panel")] if published is None else []
    routes.legend(canvas, list(looks.values()), simulated, fixed=fixed, printed=PRINTED, notes=notes)


def network(axes: Axes, published: xr.Dataset) -> None:
    """Test error of the ResNet-18 over epochs."""
    axes.set_title("ResNet-18, two classes of CIFAR-10")
    for name, (_, look) in STUDENTS.items():
        axes.plot(published["time"], published[name], color=look.colour, lw=1.2)
    axes.set(xscale="log", xlim=(1, 1000), ylim=(0.1, 0.4))
    axes.set_xlabel(style.axis_label(published["time"]))
    axes.set_ylabel(style.axis_label(published["plain"]))


FADING = (
    f"penalty $a_k/2$ times the sum of the squared training outputs, $a_k$ = {PENALTY['output_penalty']:g} "
    f"log(1 + $e^{{-rk}}$)/log 2, $r$ = {PENALTY['output_penalty_decay']:g}"
)
PRINTED = "printed, Eqs. 4.2.11–4.2.16, with ridge $1/(\\eta k)$"

FIGURE = Figure(
    id=ID,
    title="An output penalty reduces the rise of the risk between two descents",
    caption=(
        "Left: excess risk of gradient descent from zero over its step k, without a penalty and with the "
        "penalty a_k/2 |yhat|^2 on the training examples, a_k = 0.6 log(1 + exp(-k/1000))/log 2; n = 120, d "
        "= 100, 70 features of strength 1 and 30 of strength 1/30, no label noise, no ridge, learning rate "
        "0.25. Under a constant penalty a the student would learn every feature 1 + a times as fast and "
        "shrink to 1/(1 + a). The penalty therefore has to fade, so that the risk can reach zero. Right: "
        "published test error of a ResNet-18 without and with such a penalty (MIT licence, 2022 M. "
        f"Pezeshki), drawn if the variable {resnet.FOLDER} names the folder of the arrays. "
        + routes.reading("gradient descent on drawn data", "with ridge 1/(eta k), without a penalty")
    ),
    paper="pezeshki2022",
    ref="Fig. 6",
    compute=compute,
    draw=draw,
    small=FEWEST,
)
