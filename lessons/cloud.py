"""Lesson 20: How a cloud of generated points spreads over the data."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 20: How a cloud of generated points spreads over the data",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    from typing import Any

    import marimo as mo
    import numpy as np
    import xarray as xr

    import teacherstudent as ts
    from teacherstudent.lessons import kit
    from teacherstudent.lessons.discriminator import witness


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # How a cloud of generated points spreads over the data

    **The question.** A generator should make points that are as varied as the data. All its points move down
    the slope of the same discriminator. Why do they not all go to the same place?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("cloud")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    As in Lesson 12, a new wide discriminator with the tangent kernel $k$ is trained for a short time $\tau$
    at each step of the generator. Its objective is linear in $f$, so its gradient stays constant, unlike the
    gradient of a mode in Lesson 1 (Eq. 2.2.18). After training it is

    $$ f(x) = \frac1m \sum_i k(x, x_i) - \frac1n \sum_j k(x, y_j) $$

    times $\tau$, for the generated points $x_i$ and the data $y_j$. In small steps, over the clock
    $s = \tau t$, each point moves down the slope:

    $$ \frac{dx_i}{ds} = -\nabla f(x_i) = -\frac1m \sum_{i'} \nabla k(x_i, x_{i'})
       + \frac1n \sum_j \nabla k(x_i, y_j) $$

    where $\nabla$ is the derivative with respect to the first point.

    - **The data attract.** The second sum leads to where the kernel with the data is large.
    - **Generated points repel each other** through the same kernel. Without this repulsion all points would
      go to the same place.

    The **maximum mean discrepancy** measures how far the cloud is from the data:

    $$ \text{MMD}^2 = \frac1m \sum_i f(x_i) - \frac1n \sum_j f(y_j), \qquad
       \frac{d\, \text{MMD}^2}{ds} = -\frac2m \sum_i |\nabla f(x_i)|^2 $$

    In small steps it never rises (exercise 1). But it stops falling where the slope vanishes, and for a
    Gaussian kernel the slope is nearly zero at all places that are several length scales from other points.

    Here twelve data points lie on a circle of radius 1 in the plane. Eight generated points start around a
    point at the distance $D$ from the middle, with a spread of 0.3, and move in 80 steps up to the clock
    $s = 4$. The kernel is that of a relu network with biases of scale $\beta$, or the Gaussian kernel of the
    length scale $l$ (fourier).
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("cloud")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    Choose the other kernel, and move the cloud away from the ring. Which kernel leads all points to the ring?
    With fourier, which length scale is best?
    """)
    return


@app.cell
def _():
    kernel = kit.choice(
        "discriminator",
        {"relu": "relu, all weights trained", "fourier": "fourier, outer weights trained (Gaussian kernel)"},
        "relu",
        name="kernel",
    )
    distance = kit.slider("distance at the start D [input]", [0.5, 1.0, 2.0, 3.0, 4.0, 6.0], 2.0)
    length = kit.slider("length scale of fourier l [input]", [0.5, 1.0, 2.0, 4.0], 1.0)
    bias = kit.slider("bias scale of relu β [input]", [0.25, 0.5, 1.0, 2.0, 4.0], 1.0)
    width = kit.slider("simulated width W [units]", [4, 16, 64, 256, 1024], 1024)
    tau = kit.slider("training time of each simulated discriminator τ [1/output]", [0.1, 0.3, 1.0], 0.3)
    first = kit.slider("first draw of all simulations [1]", [0, 100, 200, 300], 0)
    simulate = kit.simulate_button()
    kit.controls(
        kernel=kernel,
        distance=distance,
        length=length,
        bias=bias,
        width=width,
        tau=tau,
        first=first,
        simulate=simulate,
    )
    return bias, distance, first, kernel, length, simulate, tau, width


@app.function
def starts(draws: range, distance: float) -> tuple[np.ndarray, np.ndarray]:
    """The eight points of each draw, (S, 8, 2), and the ring, (12, 2)."""
    asked: dict[str, Any] = dict(dynamics="discriminator", route="kernel", times=[1.0], seeds=len(draws))
    seen = ts.sample("gan", seed=draws.start, **asked, **ring(distance))
    angle = 2 * np.pi * np.arange(12) / 12
    return seen["position"].isel(time=0).values, np.stack([np.cos(angle), np.sin(angle)], axis=1)


@app.function
def ring(distance: float) -> dict[str, Any]:
    """The question of the cloud."""
    return dict(target="ring", n=12, particles=8, spread=0.3, d=2, distance=distance)


@app.function
def flowed(kind: str, scale: float, start: np.ndarray, data: np.ndarray) -> np.ndarray:
    """Places after 0 to 80 steps of 0.05 down the slope of an infinitely wide discriminator, (81, 8, 2)."""
    found = [start]
    for _ in range(80):
        found.append(found[-1] - 0.05 * witness(kind, scale, found[-1], found[-1], data)[1])
    return np.array(found)


@app.function
def discrepancy(kind: str, scale: float, x: np.ndarray, data: np.ndarray) -> float:
    """MMD^2 of points x and the data: the difference of the witness's means."""
    near, far = (witness(kind, scale, at, x, data)[0].mean() for at in (x, data))
    return float(near - far)


@app.function
def discrepancies(kind: str, scale: float, paths: Any, data: np.ndarray) -> xr.Dataset:
    """MMD^2 of points and data over the clock, of paths (S, 8, 8, 2) at every tenth step from the 10th on."""
    mmd = [[discrepancy(kind, scale, x, data) for x in path] for path in paths]
    attrs = {"long_name": "MMD² of points and data", "units": "output²"}
    clock = 0.05 * np.arange(10, 81, 10)
    return xr.Dataset({"mmd": (("seed", "time"), mmd, attrs)}, {"seed": range(len(mmd)), "time": clock})


@app.cell
def _():
    given = {"cloud": starts(range(2), 0.0)[0][0].tolist()}  # of the first draw, around 0
    return (given,)


@app.cell
def _(bias, distance, first, kernel, length, simulate, tau, width):
    _draws = range(first.value, first.value + 12)
    _starts, _data = starts(_draws, distance.value)
    _kernel = (kernel.value, bias.value if kernel.value == "relu" else length.value)
    path = flowed(*_kernel, _starts[0], _data)
    alone = discrepancies(*_kernel, path[None, 10::10], _data).isel(seed=0, drop=True)

    def _simulated():
        """Twelve clouds, each of real networks and of an infinite width from the same start."""
        asked: dict[str, Any] = dict(seeds=len(_draws), seed=_draws.start, width=width.value)
        asked |= dict(discriminator=kernel.value, bias=bias.value, length_scale=length.value)
        asked |= dict(times=alone["time"].values / tau.value, learning_rate=0.05 / tau.value)
        asked |= dict(discriminator_time=tau.value, discriminator_rate=0.25, **ring(distance.value))
        seen = ts.sample("gan", dynamics="generator", route="simulation", **asked)["position"].values
        claimed = [flowed(*_kernel, each, _data)[10::10] for each in _starts]
        both = (discrepancies(*_kernel, paths, _data) for paths in (seen, claimed))
        return seen[0, -1], ts.compare(*both)

    moved, clouds = kit.on_demand(simulate, _simulated) or (None, None)
    return alone, clouds, moved, path


@app.cell(hide_code=True)
def _(alone, clouds, distance, moved, path):
    _angle = np.linspace(0, 2 * np.pi, 13)
    _data = np.stack([np.cos(_angle), np.sin(_angle)], axis=1)[:12]
    _ring = kit.Line(np.cos(_angle), np.sin(_angle), kit.LOOKS[2], "data: twelve points on the ring", width=1)
    _same = "infinite width, with the same steps"
    _paths = [
        kit.Line(each[:, 0], each[:, 1], kit.LOOKS[0], _same if i == 0 else "")
        for i, each in enumerate(path.swapaxes(0, 1))
    ]
    _dots = [
        kit.Now(x, y, look, line=False)
        for at, look in ((path[0], kit.LOOKS[0]), (_data, kit.LOOKS[2]))
        for x, y in at
    ]
    _seen = (
        []
        if moved is None
        else [kit.Points(moved[:, 0], moved[:, 1], kit.LOOKS[1], "simulation: points at the end")]
    )
    _low, _high = -1.6, distance.value + 1.6
    _tall = (_high - _low) * 240 / 340 / 2  # the same scale on both axes
    _x, _y = kit.Axis("x₁ [input]", low=_low, high=_high), kit.Axis("x₂ [input]", low=-_tall, high=_tall)
    _far = np.linalg.norm(path[-1], axis=1)
    _told = f"At s = 4 the points are {_far.min():.2f} to {_far.max():.2f} from the middle of the ring."
    _clock = kit.Axis("clock s = τt [input²/output²]", low=0)
    _y_mmd = kit.Axis("MMD² of points and data [output²]", "log")
    _one = kit.Line(alone["time"], alone["mmd"], kit.LOOKS[2], "infinite width, this draw")
    _fall = kit.Panel(_clock, _y_mmd, (_one,))
    _below: list[kit.Panel] = []
    if clouds:
        _mean, *_below = kit.curves(
            clouds.theory, "mmd", ["infinite width, mean"], comparison=clouds, x=_clock, y=_y_mmd
        )
        _fall = _fall.with_marks(*_mean.marks)
    kit.abreast(
        kit.picture(
            kit.Panel(_x, _y, (_ring, *_paths, *_seen, *_dots), 240),
            alt=_told,
            caption=f"One draw. Blue dots mark the starts of the paths. {_told}",
        ),
        kit.picture(
            _fall, *_below, alt=f"MMD² over the clock; one draw ends at {alone['mmd'][-1].item():.2g}."
        ),
    )
    return


@app.cell(hide_code=True)
def _(clouds):
    kit.verdict(clouds)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    With relu the cloud first moves to the ring as a whole, and then spreads. With fourier and $l = 1$ the
    cloud first expands: at $D = 2$ or more its points act more on each other than the data do, and the
    outermost point moves away.

    ## Which experiments could refute this?

    - **Repulsion spreads the cloud.** A single generated point has nothing to repel it, and MMD² cannot
      become small. Do eight points come closer to the data in MMD² than one?
    - **The kernel decides.** A fourier network whose cloud from $6\,l$ reaches the ring would refute the
      theory, and a wide relu network whose cloud stays away from the ring as well.
    - **Width and steps are all that is missing.** Residuals must shrink with the width of the networks.

    **What this does not explain:** discriminators that keep their weights from step to step, and networks
    that learn features.
    """)
    return


@app.cell(hide_code=True)
def _():
    _starts, _data = starts(range(2), 2.0)
    _ends = [flowed("relu", 1.0, start, _data)[-1] for start in (np.array([[2.0, 0.0]]), _starts[0])]
    _alone, _together = (discrepancy("relu", 1.0, each, _data) for each in _ends)
    kit.exercises("cloud", {}, dict(alone=_alone, together=_together))
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("cloud")
    return


if __name__ == "__main__":
    app.run()
