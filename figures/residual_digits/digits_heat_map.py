"""Our own Fig. 5 a, b of pezeshki2022: a real network on real images, beside the theory of its kernel."""

from __future__ import annotations

from teacherstudent.figures.declaration import Canvas, Figure, Numbers
from teacherstudent.figures.kit import columns, legends, residuals, style
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.figures.residual_digits import panels

ID = "digits-heat-map"


def compute(quick: bool) -> Numbers:
    """Test error of network and theory over weight decay and step."""
    return panels.heat_maps(draws_of(ID, quick, panels.DRAWS, panels.FEW))


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Two heat maps in the same colours, and below them three slices with residuals."""
    style.size(canvas, 6.4)
    shown = panels.looks()
    whole = canvas.add_gridspec(2, 1, height_ratios=[1, 1.15])
    grid = whole[0].subgridspec(1, 2)
    left = canvas.add_subplot(grid[0])
    right = canvas.add_subplot(grid[1], sharey=left)
    some = numbers["network"]
    panels.field(left, numbers, shown)
    mesh = panels.field(right, numbers, shown, f"{panels.ERROR}_kernel")
    left.set_title("(a) Trained network", pad=10)
    right.set_title("(b) Theory: infinite-width kernel", pad=10)
    canvas.colorbar(mesh, ax=[left, right], label=style.axis_label(some[panels.ERROR]), extend="both")
    grid = whole[1].subgridspec(2, 1, height_ratios=residuals.heights(1))
    title = "(c) Three weight decays: a plateau, a U, two descents"
    columns.draw_on(canvas, grid, [panels.slices(numbers, shown, title)])
    entries = [
        legends.approximation("theory for the same data, an approximation at finite width"),
        legends.simulation(
            f"simulation: the network, mean of {some.attrs['n_seeds']} draws ± 1 standard error"
        ),
        legends.band(["at finite width the features move, more with longer training"]),
    ]
    legends.around(canvas, list(shown.values()), entries, fixed=panels.fixed(numbers))


FIGURE = Figure(
    id=ID,
    title="The tangent kernel predicts the epoch-wise double descent of a network on digits",
    caption=(
        "Test error of a one-block residual network on scikit-learn's digits, over weight decay and step of "
        "gradient descent; 15 % of the training labels are wrong. A linear skip connection on whitened "
        "components learns fast and cannot fit all labels. A branch of rectified units learns slowly, at a "
        "rate given by the square of its scale. (a) Trained network. (b) Exact descent of the linearised "
        "network with the tangent kernel of infinite width, on the same training images, labels and test "
        "images. (c) Slices. Below: network minus theory in standard errors, draw by draw. A large decay "
        "prevents both skip and branch from learning, and an intermediate decay only the branch; with a "
        "small decay the error rises and falls again. The theory has no fitted constant and holds while "
        "features stay constant: after about a thousand steps the network's error is slightly lower, and "
        f"then rises again. Means of {panels.DRAWS} draws ({panels.FEW} in the quick version)."
    ),
    paper="pezeshki2022",
    ref="Fig. 5 a, b; Section 4.3.3",
    compute=compute,
    draw=draw,
    small=panels.SMALL,
)
