"""Our own: accuracies of the variants on digits, learning rate by learning rate and seed by seed."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import draws_of, mean_and_error

ID = "sphere-digits"
SEEDS, QUICK_SEEDS = 8, 3
MULTIPLES = (1.0, 8.0, 64.0, 512.0, 4096.0, 32768.0)
SETTINGS = {"standard": (1000, 0.0), "hard": (500, 1.0)}
"""Examples and pixel noise."""

LOOKS = {
    "adam": style.Look("Adam", style.SKY, "D"),
    "adamw": style.Look("AdamW", style.GREEN, "v"),
    "adamg": style.Look("AdamG", "#999999", "p"),
    "adam-s": style.Look("Adam-S", style.BLUE, "P"),
    "adam-srt": style.Look("Adam-SRT", style.BLACK, "X"),
    "sgd-momentum": style.Look("SGD-M", style.VERMILION, "s"),
    "sgd-mrt": style.Look("SGD-MRT", style.PURPLE, "^"),
}
REFERENCE = "adam"
FAILED = 0.5
"""Of the highest accuracy: below, words stand for a point, so that the others can be told apart."""
MULTIPLE = {"units": "1", "long_name": "learning rate / published one"}


def compute(quick: bool) -> Numbers:
    """Validation and test accuracies in per cent by setting, and the rates that validation chooses."""
    from teacherstudent.sims.scale_invariant import variants

    seeds = draws_of(ID, quick, SEEDS, QUICK_SEEDS)
    numbers = {}
    for name, (examples, noise) in SETTINGS.items():
        setting = variants.Setting(examples, noise)
        found = [variants.accuracies(scheme, setting, MULTIPLES, seeds) for scheme in LOOKS]
        columns = {
            part: (
                ("scheme", "multiple", "seed"),
                100 * np.stack([getattr(scheme, part) for scheme in found]),
                {"units": "per cent", "long_name": f"{part} accuracy"},
            )
            for part in ("validation", "test")
        }
        axes = {
            "scheme": list(LOOKS),
            "multiple": ("multiple", list(MULTIPLES), MULTIPLE),
            "seed": list(seeds),
        }
        answer = xr.Dataset(columns, axes, {"examples": examples, "noise": noise, "steps": setting.steps})
        numbers[name] = answer.assign(chosen=answer["validation"].mean("seed").idxmax("multiple"))
    return numbers


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A row for each setting: accuracy over the rate, and paired differences to Adam at the chosen rates."""
    style.size(canvas, 3.2 * len(numbers))
    panels = canvas.subplots(len(numbers), 2, squeeze=False)
    for (left, right), (name, answer) in zip(panels, numbers.items(), strict=True):
        title = f"{name}: {answer.attrs['examples']} examples, pixel noise {answer.attrs['noise']:g}"
        draw_rates(left, answer, title)
        draw_pairs(right, answer)
    fixed = (
        f"8 x 8 digits, two batch-normalised hidden layers, {answer.attrs['steps']} steps; "
        "only the hidden weights change their optimiser\n"
        "published rates: 0.001 for Adam, AdamW, Adam-S, Adam-SRT; 0.01 for AdamG; 0.1 for SGD"
    )
    entries = [
        legends.markers(f"mean over {answer.sizes['seed']} seeds ± 1 standard error"),
        legends.markers("at the rate with the best validation accuracy", size=9),
        legends.Entry("one seed", {"color": style.ANY.colour, "marker": ".", "ls": "none"}),
    ]
    legends.around(canvas, list(LOOKS.values()), entries, fixed=fixed)


def draw_rates(axes: Axes, answer: xr.Dataset, title: str) -> None:
    """Mean test accuracy over seeds against the learning rate; larger, at the chosen one.

    Where training fails, words stand for a point far below the others.
    """
    top = float(answer["test"].mean("seed").max())
    for at, (scheme, look) in enumerate(LOOKS.items()):
        test = answer["test"].sel(scheme=scheme)
        mean, error = mean_and_error(test)
        beside = test["multiple"] * 1.025 ** (at - 3)  # apart, so that bars can be read
        axes.plot(beside, mean, color=look.colour, **style.JOINED)
        axes.errorbar(beside, mean, yerr=error, **style.marked(look), **style.BARS)
        best = float(answer["chosen"].sel(scheme=scheme))
        axes.plot(best * 1.025 ** (at - 3), mean.sel(multiple=best), **style.marked(look, 9))
        for lost in np.flatnonzero(mean < FAILED * top):
            words = f"↓ {float(mean[lost]):.0f} per cent"
            axes.text(
                beside[lost],
                0.03,
                words,
                transform=axes.get_xaxis_transform(),
                color=look.colour,
                ha="right",
            )
    axes.set(xscale="log", title=title)
    shown = answer["test"].mean("seed")
    lowest = float(shown.where(shown >= FAILED * top).min())
    axes.set_ylim(lowest - 0.1 * (top - lowest), top + 0.1 * (top - lowest))
    style.ticks(axes.xaxis, test["multiple"].values)
    axes.set_xlabel(f"{MULTIPLE['long_name']} [dimensionless]")
    axes.set_ylabel("test accuracy [per cent]")


def draw_pairs(axes: Axes, answer: xr.Dataset) -> None:
    """A row for each scheme: the difference of every seed, and their mean with its standard error."""

    def at_chosen(scheme: str) -> xr.DataArray:
        rate = float(answer["chosen"].sel(scheme=scheme))
        return answer["test"].sel(scheme=scheme, multiple=rate)

    others = [scheme for scheme in LOOKS if scheme != REFERENCE]
    for row, scheme in enumerate(others):
        look, gap = LOOKS[scheme], at_chosen(scheme) - at_chosen(REFERENCE)
        mean, error = map(float, mean_and_error(gap))
        axes.plot(gap, [row] * gap.size, color=look.colour, marker=".", ls="none", alpha=0.5)
        axes.errorbar(mean, row, xerr=error, **style.marked(look, 7), **style.BARS)
        words = f"{mean:+.2f} ± {error:.2f}".replace("-", "−")
        words += at_edge(answer, scheme) * "\nlargest rate tried"
        axes.text(1.02, row, words, transform=axes.get_yaxis_transform(), va="center")
    axes.axvline(0, color="0.4", lw=0.8)
    own = f"Adam: {at_chosen(REFERENCE)['multiple']:g}" + at_edge(answer, REFERENCE) * ", the largest tried"
    axes.set_title(f"at each scheme's best rate ({own})")
    axes.set_yticks(range(len(others)), [LOOKS[scheme].label for scheme in others])
    axes.set_ylim(len(others) - 0.5, -0.5)
    axes.set_xlabel("test accuracy minus Adam's [percentage points]")


def at_edge(answer: xr.Dataset, scheme: str) -> bool:
    """Whether the scheme's own rate is the largest that was tried, so that a larger one may be better."""
    return float(answer["chosen"].sel(scheme=scheme)) == float(answer["multiple"].max())


FIGURE = Figure(
    id=ID,
    title="With well-chosen learning rates the optimisers reach nearly equal accuracy on digits",
    caption=(
        "A network of two batch-normalised hidden layers of 48 units on scikit-learn's 8 x 8 digits, 300 "
        "steps of 50 images. Only the hidden weights, which are radially invariant, change their optimiser; "
        "Adam trains the rest. L2 coefficient 0.001 (AdamW: decoupled; AdamG: none), beta1 or momentum 0.9, "
        "beta2 0.99; learning rates fall to 0 by a cosine. Left: test accuracy over the learning rate, in "
        "units of the published one (Table 3: 0.001 for Adam and its variants, 0.01 for AdamG, 0.1 for "
        f"SGD). Markers: means over {SEEDS} seeds ({QUICK_SEEDS} in the quick version). A seed draws the "
        "split, noise, start and batches, which all optimisers share. Right: differences from Adam on the "
        "same seed. Each optimiser uses the rate that is best on 300 validation images and is tested on the "
        "remaining images (497 and 997). Over a wide range of rates accuracies hardly change; a row says if "
        "the largest rate was chosen. At the published rates accuracies differ strongly; at the best rates "
        "most of these differences disappear. Each setting shows six differences, so one of them may reach "
        "two standard errors by chance. The papers train far larger networks, on natural images, for longer."
    ),
    paper="roburin2020",
    ref="Table 2",
    compute=compute,
    draw=draw,
    no_residuals="simulation only: no theory gives accuracies on digits",
    small=constants(
        __name__,
        QUICK_SEEDS=2,
        MULTIPLES=MULTIPLES[:2],
        SETTINGS={"small": (100, 0.5)},
        LOOKS={name: LOOKS[name] for name in ("adam", "adam-srt")},
    ),
)
