"""Our own: GramClust on striped digits, what clusters match and what balancing by them gains."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import draws_of, mean_and_error
from teacherstudent.paper_checks.kept import kept

ID = "gram-clusters"
CHECKS = ("gram-matching", "gram-worst-group")
"""Whose draws are shown: they are trained once."""
DRAWS, FEW = 8, 3
LOOK = style.Look("", style.BLUE, "o")
SHARE = {"units": "1", "symbol": "m", "long_name": "share of images whose cluster matches the stripes"}
ACCURACY = {"units": "1", "symbol": "A_w", "long_name": "test accuracy of the worst group"}


def compute(quick: bool) -> Numbers:
    """Matchings by feature, and accuracies by what balances batches: the first draws of both checks."""
    from teacherstudent.sims.spurious_groups.gramclust import (
        ALIKE,
        FIRST,
        KINDS,
        PATCH,
        SECOND,
        SETS,
        TRAINING,
        matchings,
        worst_groups,
    )

    first, second = (draws_of(check, quick, DRAWS, FEW) for check in CHECKS)
    matched = np.array([kept(matchings, seed=seed)["matching"] for seed in first]).T
    worst = np.array([kept(worst_groups, seed=seed)["accuracy"] for seed in second]).T
    axes = {"kind": list(KINDS), "set": list(SETS), "seed": list(range(len(first)))}
    columns = {
        "matching": (("kind", "seed"), matched, SHARE),
        "accuracy": (("set", "seed"), worst, ACCURACY),
    }
    fixed = (
        f"{TRAINING} digits under stripes; the direction agrees with the class with probability {ALIKE:g}; "
        f"convolutions {PATCH} x {PATCH} x {FIRST}, {PATCH} x {PATCH} x {SECOND}"
    )
    return {"digits": xr.Dataset(columns, axes, {"alike": ALIKE, "fixed": fixed})}


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Left, what two clusters match; right, the worst group."""
    style.size(canvas, 2.7)
    left, right = canvas.subplots(1, 2)
    answer = numbers["digits"]
    rows(left, answer["matching"], "kind")
    for place, words in ((0.5, "by chance"), (answer.attrs["alike"], "by class")):
        left.axvline(place, color="0.4", lw=0.9, ls=(0, (1, 2)))
        left.text(place, -0.45, words, ha="right", va="top", rotation=90)
    left.set(xlim=(0.45, 1.03), title="(a) Two clusters of training images")
    rows(right, answer["accuracy"], "set")
    right.set(xlim=(0, 0.8), title="(b) New network, batches balanced by")
    entries = [
        legends.simulation(f"mean of {answer.sizes['seed']} draws ± 1 standard error", LOOK),
        legends.Entry("one draw", {"color": LOOK.colour, "marker": ".", "ls": "none"}),
    ]
    legends.around(canvas, [], entries, fixed=answer.attrs["fixed"])


def rows(axes: Axes, values: xr.DataArray, along: str) -> None:
    """A row for each value along an axis: every draw, and the mean with its standard error."""
    mean, error = mean_and_error(values)
    height = range(values.sizes[along])
    for y, at in zip(height, values.transpose(along, "seed").values, strict=True):
        axes.plot(at, [y] * len(at), color=LOOK.colour, marker=".", ls="none", alpha=0.4)
    axes.errorbar(mean, height, xerr=error, **style.marked(LOOK, 7), **style.BARS)
    axes.set_yticks(list(height), [str(each) for each in values[along].values])
    axes.set_xlabel(style.axis_label(values))
    axes.set_ylim(len(height) - 0.5, -0.5)


FIGURE = Figure(
    id=ID,
    title="Clusters of Gram matrices find groups of striped digits, and so do simpler features",
    caption=(
        "A small version of GramClust: two clusters (k-means) of scikit-learn's digits under stripes, whose "
        "direction mostly agrees with the class (below 5 or not). (a) Share of images whose cluster matches "
        "the direction. Rows are the clustered features: Gram matrices of the second layer of a network "
        "trained for one pass, means and variances of its channels, all its activations, pixels, and Gram "
        "matrices of the untrained network. Dotted: the share for random clusters, and the share for "
        "clusters equal to the classes. Means and variances find the groups as well as Gram matrices; the "
        "untrained network is nearly as good. The decisive step is therefore the average over positions. "
        "(b) Test accuracy of the worst of the four groups of class and direction. New networks are trained "
        "on unbalanced batches, and on batches balanced by the clusters of Gram matrices, by class and "
        f"cluster, and by the true groups. {DRAWS} draws ({FEW} in the quick version)."
    ),
    paper="roburin2022",
    ref="Sections 4.4.2, 4.4.4",
    compute=compute,
    draw=draw,
    no_residuals="simulation only: no theory gives clusters of these networks",
    small=constants(__name__, FEW=2),
)
