"""Our own: GramClust on striped digits, what clusters match and what balancing by them gains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Figure, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import draws_of, mean_and_error

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.figures.declaration import Axes, Canvas, Numbers

ID = "gram-clusters"
DRAWS, FEW = 12, 4
AMPLITUDES = (0.5, 1.0)
LOOKS = dict(
    zip(
        AMPLITUDES,
        (
            style.Look("stripes of amplitude 0.5", style.BLUE, "o"),
            style.Look("amplitude 1", style.ORANGE, "s"),
        ),
        strict=True,
    )
)
SETS = ("as they come", "clusters", "clusters in classes", "true groups")
"""By what batches are balanced."""
SHARE = {"units": "1", "symbol": "m", "long_name": "share of images whose cluster is their stripes"}
ACCURACY = {"units": "1", "symbol": "A_w", "long_name": "test accuracy of the worst group"}


def compute(quick: bool) -> Numbers:
    """Matchings by feature, and accuracies by what balances batches, draw by draw."""
    import numpy as np
    import xarray as xr

    from teacherstudent.sims.spurious_groups.gramclust import KINDS, clusters, drawn, matching, worst_group

    seeds = draws_of(ID, quick, DRAWS, FEW)
    matched = np.empty((len(AMPLITUDES), len(KINDS), len(seeds)))
    worst = np.empty((len(SETS), len(seeds)))
    for s, seed in enumerate(seeds):
        for a, amplitude in enumerate(AMPLITUDES):
            data = drawn(seed, amplitude)
            found = {kind: clusters(seed, kind, data) for kind in KINDS}
            matched[a, :, s] = [matching(each, data.directions) for each in found.values()]
            if a == 0:
                own = found[KINDS[0]]
                sets = (None, own, 2 * data.classes + own, 2 * data.classes + data.directions)
                worst[:, s] = [worst_group(seed, data, each) for each in sets]
    axes = {"amplitude": list(AMPLITUDES), "kind": list(KINDS), "set": list(SETS), "seed": list(seeds)}
    columns = {
        "matching": (("amplitude", "kind", "seed"), matched, SHARE),
        "accuracy": (("set", "seed"), worst, ACCURACY),
    }
    return {"digits": xr.Dataset(columns, axes)}


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Left, what two clusters match; right, the worst group."""
    style.size(canvas, 12, 5.2)
    left, right = canvas.subplots(1, 2)
    answer = numbers["digits"]
    rows(left, {look: answer["matching"].sel(amplitude=a) for a, look in LOOKS.items()}, "kind")
    left.axvline(0.5, color="0.4", lw=0.9, ls=(0, (1, 2)))
    left.set(xlim=(0.45, 1.03), title="two clusters of training images, by feature")
    rows(right, {LOOKS[AMPLITUDES[0]]: answer["accuracy"]}, "set")
    right.set(xlim=(0, 0.7), title="a network trained anew, batches balanced by")
    legends.around(
        canvas,
        list(LOOKS.values()),
        [
            legends.simulation(f"mean of {answer.sizes['seed']} draws ± 1 standard error"),
            legends.Entry("one draw", {"color": style.ANY.colour, "marker": ".", "ls": "none"}),
        ],
        fixed="1200 digits under stripes whose direction is the class with probability 0.95; "
        "convolutions 3 x 3 x 8, 3 x 3 x 16",
    )


def rows(axes: Axes, shown: Mapping[style.Look, xr.DataArray], along: str) -> None:
    """A row for each value along an axis: every draw, and the mean with its standard error."""
    for look, values in shown.items():
        mean, error = mean_and_error(values)
        height = range(values.sizes[along])
        for y, at in zip(height, values.transpose(along, "seed").values, strict=True):
            axes.plot(at, [y] * len(at), color=look.colour, marker=".", ls="none", alpha=0.4)
        axes.errorbar(mean, height, xerr=error, **style.marked(look, 7), **style.BARS)
        axes.set_yticks(list(height), [str(each) for each in values[along].values])
        axes.set_xlabel(style.axis_label(values))
    axes.set_ylim(len(height) - 0.5, -0.5)


FIGURE = Figure(
    id=ID,
    title="Clusters of Gram matrices find groups of striped digits, and so do simpler features",
    caption=(
        "GramClust in small: two clusters (k-means) of scikit-learn's digits under stripes, whose direction "
        "is the class (below 5 or not) with probability 0.95. Left, the share of images whose cluster is "
        "the direction, by what is clustered: Gram matrices of the second layer of a network trained for one "
        "pass, its channels' means and variances, its last layer, pixels, and Gram matrices of the network "
        "before training. Means and variances do as well as Gram matrices, and where stripes are strong an "
        "untrained network does too. Right, the test accuracy of the worst of the four groups of class and "
        "direction, for networks trained anew on batches as they come, balanced by the clusters of Gram "
        "matrices, by class and cluster, and by the true groups. "
        f"{DRAWS} draws ({FEW} in the quick version)."
    ),
    paper="roburin2022",
    ref="Sections 4.4.2, 4.4.4",
    compute=compute,
    draw=draw,
    no_residuals="simulation alone: no theory gives clusters of these networks",
    small=constants(__name__, FEW=2),
)
