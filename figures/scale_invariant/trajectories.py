"""Fig. 3.4 of roburin2022: which schemes follow SGD on the sphere, with a control that makes it a test."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import draws_of, mean_and_error

ID = "sphere-trajectories"
SEEDS, QUICK_SEEDS = 4, 2
RATE, DECAY, ADAGRAD_RATE = 0.1, 0.02, 0.1
RECORDS, EVERY = 50, 20
UNITS = (0, 1, 2, 48, 49, 50)
"""Units drawn one by one: three of each hidden layer."""

LOOKS = {
    "adagradg-exact": style.Look("AdaGradG, exact recursion", style.BLUE, "o"),
    "adagradg": style.Look("AdaGradG, Theorem 4 as printed", style.GREEN, "s"),
    "control": style.Look("control: SGD, fixed effective rate", style.ORANGE, "^"),
    "adagrad": style.Look("AdaGrad", style.PURPLE, "D"),
}
SIZES = {LOOKS["adagradg-exact"].marker: 8.0}
"""Larger, to be seen around the markers that lie on them."""
COSINE = {"units": "1", "symbol": "cos", "long_name": "cosine similarity to SGD"}
ANGLE = {"units": "rad", "symbol": "angle", "long_name": "angle to SGD"}


def compute(quick: bool) -> Numbers:
    """Cosine and angle to SGD of every hidden unit, scheme by scheme, on the same batches."""
    from teacherstudent.sims.scale_invariant import alignment

    seeds = draws_of(ID, quick, SEEDS, QUICK_SEEDS)

    def units(scheme: str) -> np.ndarray:
        rates = {"learning_rate": RATE, "weight_decay": DECAY, "adagrad_rate": ADAGRAD_RATE}
        return alignment.paths(scheme, **rates, records=RECORDS, every=EVERY, seeds=seeds).units

    def travelled(path: np.ndarray) -> float:
        """Median over units and seeds of the angle covered, chord by chord."""
        return float(np.median(alignment.angles(path[:, 1:], path[:, :-1]).sum(axis=1)))

    sgd = units("sgd")
    coordinates = {"seed": list(seeds), "step": EVERY * np.arange(RECORDS + 1)}
    numbers = {}
    for scheme in LOOKS:
        path = units(scheme)
        angle = alignment.angles(path, sgd)
        axes = ("seed", "step", "unit")
        columns = {"cosine": (axes, np.cos(angle), COSINE), "angle": (axes, angle, ANGLE)}
        attrs = {"travelled": travelled(path), "sgd_travelled": travelled(sgd), "first_seed": seeds[0]}
        numbers[scheme] = xr.Dataset(columns, coordinates, attrs)
    return numbers


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Cosines left, as published; angles right, on a scale that shows rounding."""
    style.size(canvas, 3.1)
    cosines, angles = canvas.subplots(1, 2)
    for scheme, look in LOOKS.items():
        draw_scheme(cosines, numbers[scheme], "cosine", look)
        draw_scheme(angles, numbers[scheme].isel(step=slice(1, None)), "angle", look)
    angles.set(yscale="log", ylim=(1e-17, 10))
    for axes, name in ((cosines, "cosine"), (angles, "angle")):
        axes.set_xlabel("step $k$ [steps]")
        axes.set_ylabel(f"{numbers['adagrad'][name].attrs['long_name']} [{UNIT_TEXT[name]}]")
    cosines.set_title("Cosine similarity, as published")
    angles.set_title("Angle")
    curves = [covering(numbers[scheme], look) for scheme, look in LOOKS.items()]
    sizes = numbers["adagrad"].sizes
    mean = f"median over {sizes['unit']} units: mean of {sizes['seed']} seeds ± 1 standard error"
    one = legends.Entry(
        "one unit, first seed (three of each hidden layer)", THIN | {"color": style.ANY.colour}
    )
    fixed = (
        "1000 noisy digits, batches of 50, two batch-normalised hidden layers; "
        f"SGD: learning rate {RATE:g}, L2 {DECAY:g}; AdaGrad: learning rate {ADAGRAD_RATE:g}"
    )
    legends.around(canvas, curves, [legends.markers(mean), one], fixed=fixed)


THIN = {"lw": 0.5}
UNIT_TEXT = {"cosine": "dimensionless", "angle": "rad"}


def covering(answer: xr.Dataset, look: style.Look) -> legends.Entry:
    """A scheme, and how far it goes."""
    words = f"{look.label} (travels {answer.attrs['travelled']:.1f} rad)"
    return legends.simulation(words, look, SIZES.get(look.marker, 4.5))


def draw_scheme(axes: Axes, answer: xr.Dataset, name: str, look: style.Look) -> None:
    """Thin lines: units of the first seed. Markers: median over units, mean over seeds.

    The mean of angles is geometric: they differ by orders of magnitude.
    """
    one = answer[name].isel(seed=0)
    for unit in UNITS:
        axes.plot(answer["step"], one.isel(unit=unit), color=look.colour, alpha=0.6, **THIN)
    medians = answer[name].median("unit").isel(step=slice(None, None, 3))
    there, back = (np.log, np.exp) if name == "angle" else (np.positive, np.positive)
    mean, error = mean_and_error(there(medians))
    bars = np.abs([back(mean + side * error) - back(mean) for side in (-1, 1)])
    axes.errorbar(
        medians["step"],
        back(mean),
        yerr=bars,
        **style.marked(look, SIZES.get(look.marker, 4.5)),
        **style.BARS,
    )


FIGURE = Figure(
    id=ID,
    title="On the sphere AdaGradG follows SGD; AdaGrad and a fixed effective rate do not",
    caption=(
        "A network of two batch-normalised hidden layers of 48 rectified units learns 1000 noisy digits "
        f"(pixel noise 1, batches of 50) by SGD with learning rate {RATE:g} and L2 coefficient {DECAY:g}. "
        "Other optimisers train its hidden weights from the same start on the same batches; SGD always "
        "trains the rest. Left, as published: cosine similarity between each unit's weights and those under "
        "SGD. Right: angle between these weights. AdaGradG keeps every radius constant and divides by past "
        "gradient norms. Its exact recursion follows SGD up to rounding. The recursion printed in Theorem 4 "
        "omits the squared increment of the radius; this small error grows once decay has shrunk the radius "
        "and raised the effective rate. AdaGrad deviates at once. AdaGrad's learning rate of "
        f"{ADAGRAD_RATE:g} gives a path length similar to SGD's (legend: angle travelled by the median "
        f"unit, in chords of {EVERY} steps; SGD travels as far as AdaGradG). The control, SGD kept at its "
        "initial effective rate, deviates too. To follow SGD, an optimiser must therefore also follow SGD's "
        "schedule of effective rates. If training is so short that the control stays close to SGD, "
        "alignment proves nothing. Thin lines: single units of one seed. Markers: median over units, mean "
        f"of {SEEDS} seeds ({QUICK_SEEDS} in the quick version; geometric on the right), bars one standard "
        "error. Seeds draw images, noise, initial weights and batches."
    ),
    paper="roburin2022",
    ref="Fig. 3.4",
    compute=compute,
    draw=draw,
    no_residuals="simulation only: theory predicts an angle of 0 up to rounding, and the figure shows the "
    "angle",
    small=constants(__name__, RECORDS=4, EVERY=1),
)
