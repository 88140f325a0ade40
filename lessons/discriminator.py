"""Lesson 12: How the discriminator's kernel moves a generator."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 12: How the discriminator's kernel moves a generator",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    from typing import Any

    import marimo as mo
    import numpy as np
    import xarray as xr
    from scipy.integrate import quad
    from scipy.optimize import brentq, minimize_scalar
    from scipy.special import expi

    import teacherstudent as ts
    from teacherstudent.lessons import kit

    DRAWS = 24


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # How the discriminator's kernel moves a generator

    **The question.** A generator makes points. A discriminator learns to distinguish them from data, and its
    slope tells each point where to move. Does this slope also lead points to the data if they start far away?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("discriminator")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    The data are points $y_j$ (the teacher), and the generator's points are $x_i$ (the student). The
    discriminator is a network $f$ that starts at $f = 0$. This network is trained by gradient ascent on a
    difference of means, called an *integral probability metric* (IPM):

    $$ J(f) = \frac1m \sum_i f(x_i) - \frac1n \sum_j f(y_j) $$

    In Lesson 1 the gradient decreased as a mode was learned (Eq. 2.2.18). Here $J$ is linear in $f$, so its
    derivative with respect to $f$ is constant: ascent moves $f$ at a constant speed, as long as the **tangent
    kernel** of the network, $k(x, x') = \nabla_w f(x) \cdot \nabla_w f(x')$, is constant too. For a wide
    network the tangent kernel is constant. After the training time $t$ (learning rate times steps)

    $$ f_t(x) = t\, \Bigl[ \frac1m \sum_i k(x, x_i) - \frac1n \sum_j k(x, y_j) \Bigr], \qquad
       J(f_t) = t \cdot \text{MMD}^2 $$

    Here MMD is the *maximum mean discrepancy* of the kernel $k$, a distance between the two sets of points.
    Each step of the generator uses a new discriminator, trained for the time $\tau$, and moves the points to
    $x_i' = x_i - \eta\, \nabla f_\tau(x_i)$. In small steps the points follow the gradient flow of
    $\tfrac\tau2 \text{MMD}^2$ with the distances of optimal transport (a *Wasserstein flow*, franceschi2022).
    **So the discriminator matters only through its kernel.** Two kernels of wide networks are used here:

    - **fourier**: random waves with wave numbers of order $1/l$. Only the outer weights are trained. The
      kernel is Gaussian, $k = e^{-|x - y|^2/(2 l^2)}$.
    - **relu**: all weights trained, biases of scale $\beta$. With $\tilde x = (x, \beta)$,
      $\tilde y = (y, \beta)$ and the angle $\varphi$ between $\tilde x$ and $\tilde y$ the kernel is

    $$ k = \frac1{2\pi} \bigl[|\tilde x| |\tilde y| (\sin\varphi + (\pi - \varphi) \cos\varphi) +
       (\pi - \varphi)\, \tilde x \cdot \tilde y\bigr] $$

    **The Dirac GAN.** One generated point is at $\theta$, and all data are at 0. Use the clock $s = \tau t$,
    where $t$ is now $\eta$ times the number of generator steps. With $u = \theta^2/(2 l^2)$ and the
    exponential integral Ei, the Gaussian kernel gives

    $$ \frac{d\theta}{ds} = -\frac{\theta}{l^2}\, e^{-u}, \qquad
       \operatorname{Ei}(u_0) - \operatorname{Ei}(u) = \frac{2s}{l^2} $$

    and the kernel of relu, whose slope jumps at 0, gives

    $$ \frac{d\theta}{ds} = -\theta + \frac\beta{2\pi}\, \frac{\theta^2 - \beta^2}{\theta^2 + \beta^2},
       \qquad \theta = 0 \text{ stays} $$
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("discriminator")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    Move the point away from the data, and choose the other kernel. Which kernel moves a nearby point faster?
    Does the point ever reach the data? The simulation draws networks of $W$ units, and moves the point with
    them in $K$ steps. $W$, $\tau$ and $K$ change the simulation, but not the lines of the theory.
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
    steps = kit.slider("simulated generator steps K [1]", [30, 150, 500], 500)
    first = kit.slider("first draw of all simulations [1]", [0, 100, 200, 300], 0)
    simulate = kit.simulate_button("Train discriminators")
    kit.controls(
        kernel=kernel,
        distance=distance,
        length=length,
        bias=bias,
        width=width,
        tau=tau,
        steps=steps,
        first=first,
        simulate=simulate,
    )
    return bias, distance, first, kernel, length, simulate, steps, tau, width


@app.function
def pairs(kind: str, scale: float, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """k(x_i, y_j), (m, n), and its slope over x_i, (m, n, d): at a kink the mean of both sides."""
    apart = x[:, None] - y
    if kind == "fourier":
        values = np.exp(-np.sum(apart**2, axis=-1) / (2 * scale**2))
        return values, -apart * values[..., None] / scale**2
    lifted = np.append(y, np.full((len(y), 1), scale), axis=1)
    size, product = np.linalg.norm(lifted, axis=1), x @ y.T + scale**2
    level = np.append(apart, np.zeros((*apart.shape[:2], 1)), axis=-1)
    # the part of x~ - y~ across y~, times |y~|^2: nothing is lost where both are near
    across = size[:, None] ** 2 * level - np.sum(level * lifted, axis=-1, keepdims=True) * lifted
    length = np.linalg.norm(across, axis=-1)
    angle = np.arctan2(length / size, product)
    values = (length / size + 2 * (np.pi - angle) * product) / (2 * np.pi)
    bent = size[:, None] * across / np.where(length > 0, length, 1)[..., None]
    turned = (2 * (np.pi - angle) + np.sin(2 * angle))[..., None] * lifted
    return values, ((turned - np.cos(2 * angle)[..., None] * bent) / (2 * np.pi))[..., :-1]


@app.function
def witness(kind: str, scale: float, x: Any, generated: Any, data: Any) -> tuple[np.ndarray, np.ndarray]:
    """f and its slope at x, (m,) and (m, d), of an infinitely wide discriminator after the time 1."""
    (value, slope), (less, lower) = (pairs(kind, scale, x, points) for points in (generated, data))
    return value.mean(1) - less.mean(1), slope.mean(1) - lower.mean(1)


@app.function
def speed(kind: str, scale: float, theta: Any) -> Any:
    """-dtheta/ds of the Dirac GAN at theta > 0."""
    if kind == "fourier":
        return theta / scale**2 * np.exp(-(theta**2) / (2 * scale**2))
    return theta - scale / (2 * np.pi) * (theta**2 - scale**2) / (theta**2 + scale**2)


@app.function
def halving(kind: str, scale: float, distance: Any) -> Any:
    """The clock s at which a point has come from these distances to half of them."""
    distance = np.asarray(distance, dtype=float)
    if kind == "fourier":
        u = distance**2 / (2 * scale**2)
        return scale**2 / 2 * (expi(u) - expi(u / 4))
    nodes, weights = np.polynomial.legendre.leggauss(24)
    places = distance[..., None] * (3 + nodes) / 4
    return distance / 4 * ((1 / speed(kind, scale, places)) @ weights)


@app.function
def placed(answer: xr.Dataset) -> xr.Dataset:
    """The place of the one point on the line, from an answer of either witness."""
    attrs = {"long_name": "position of the point", "symbol": "θ", "units": "input"}
    place = answer["position"].isel(particle=0, coordinate=0, drop=True).assign_attrs(attrs)
    return xr.Dataset({"place": place}, attrs=answer.attrs)


@app.function
def dirac(clock: Any, **question: Any) -> xr.Dataset:
    """Theory of the Dirac GAN over the clock s (tau = 1)."""
    asked: dict[str, Any] = dict(d=1, dynamics="generator", route="closed-form", times=clock)
    return placed(ts.curve("gan", **asked, **question))


@app.function
def walked(clock: Any, step: float, draws: range, trained: float, **question: Any) -> xr.Dataset:
    """The same by real networks, each trained for that time; a step is so much of the clock."""
    seen = ts.sample(
        "gan",
        dynamics="generator",
        route="simulation",
        times=clock / trained,
        learning_rate=step / trained,
        discriminator_time=trained,
        discriminator_rate=0.25,
        seeds=len(draws),
        seed=draws.start,
        d=1,
        **question,
    )
    return placed(seen).assign_coords(time=clock)


@app.function
def trained(times: Any, route: str, draws: range, **question: Any) -> xr.Dataset:
    """J and the slope at the point over the training time of one discriminator, the points at rest."""
    asked: dict[str, Any] = dict(d=1, dynamics="discriminator", route=route, times=times)
    seen = ts.sample("gan", seeds=len(draws), seed=draws.start, discriminator_rate=0.05, **asked, **question)
    return seen[["separation", "slope"]]


@app.cell
def _(bias, distance, kernel, length):
    question: dict[str, Any] = dict(discriminator=kernel.value, bias=bias.value, length_scale=length.value)
    scale = bias.value if kernel.value == "relu" else length.value
    half = halving(kernel.value, scale, distance.value).item()
    end = float(np.clip(2 * half, 3, 30))
    theory = dirac(end * np.linspace(0, 1, 61), distance=distance.value, **question)
    _nobody = range(10**6, 10**6 + 2)  # both of data and generator are one point, in every draw
    _asked: dict[str, Any] = dict(distance=distance.value, **question)
    claimed = trained(np.linspace(0.1, 1, 10), "kernel", _nobody, **_asked).mean("seed", keep_attrs=True)
    return claimed, end, half, question, scale, theory


@app.cell
def _(claimed, distance, end, first, question, simulate, steps, tau, width):
    def _simulated():
        """Discriminators at points that rest, and points that each meet as many as they take steps."""
        draws = range(first.value, first.value + DRAWS)
        asked: dict[str, Any] = dict(distance=distance.value, **question)
        seen = trained(claimed["time"].values, "simulation", draws, width=width.value, **asked)
        clock = end * np.arange(1, 11) / 10
        walk = walked(clock, end / steps.value, draws, tau.value, width=width.value, **asked)
        return ts.compare(seen, claimed), ts.compare(walk, dirac(clock, **asked))

    training, moving = kit.on_demand(simulate, _simulated) or (None, None)
    return moving, training


@app.cell(hide_code=True)
def _(claimed, distance, kernel, scale, training):
    _D = distance.value
    _x = np.union1d(np.linspace(-0.5 * _D - 1, 1.5 * _D + 1, 240), [-1e-9, 0, 1e-9, _D - 1e-9, _D, _D + 1e-9])
    _f, _slope = witness(kernel.value, scale, _x[:, None], np.array([[_D]]), np.zeros((1, 1)))
    _here = _slope[_x == _D].item()
    _axis = kit.Axis("x [input]")
    _ends = (kit.Now(0.0), kit.Now(_D))
    _told = (
        f"After the training time 1 the slope at the point is {_here:.2g}. Vertical lines: the data at 0, "
        f"the point at {_D:g}."
    )
    _line: dict[str, Any] = dict(look=kit.LOOKS[0], label="infinite width")
    _time = kit.Axis("training time t [1/output]", low=0)
    _both: dict[str, Any] = dict(comparison=training, x=_time)
    _J = kit.curves(claimed, "separation", ["infinite width"], y=kit.Axis("J [output]"), **_both)
    _G = kit.curves(
        claimed, "slope", ["infinite width"], y=kit.Axis("|slope| at the point [output/input]"), **_both
    )
    kit.abreast(
        kit.picture(
            kit.Panel(_axis, kit.Axis("discriminator f [output]"), (*_ends, kit.Line(_x, _f, **_line))),
            kit.Panel(
                _axis, kit.Axis("slope of f [output/input]"), (*_ends, kit.Line(_x, _slope[:, 0], **_line))
            ),
            alt=_told,
            caption=_told,
        ),
        kit.picture(*_J, alt=f"J grows in proportion to t, up to {claimed['separation'][-1].item():.3g}."),
        kit.picture(*_G, alt=f"The slope at the point grows in proportion to t, up to {_here:.3g}."),
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    The points move *down* this slope. A Gaussian kernel makes a hill at the point and a valley at the data,
    each of width $l$, and the region between them is flat. The kernel of relu grows with $|x|$ and $|y|$: it
    makes a ramp all the way to the data.

    ## How long does it take?
    """)
    return


@app.cell
def _():
    measure = kit.simulate_button("Measure halving times")
    kit.controls(measure=measure)
    return (measure,)


@app.function
def halved(walk: xr.Dataset, distance: float) -> np.ndarray:
    """When each draw first comes to half of that distance, interpolated; NaN where it does not."""
    clock, place = (np.append(first, walk[name]) for name, first in (("time", 0.0), ("place", [])))
    rows = np.insert(place.reshape(walk["place"].shape), 0, distance, axis=1)
    found = []
    for row in rows:
        at = int(np.argmax(row <= distance / 2))
        share = (row[at - 1] - distance / 2) / (row[at - 1] - row[at]) if at else np.nan
        found.append(clock[at - 1] + share * (clock[at] - clock[at - 1]))
    return np.array(found)


@app.function
def over(distances: Any, halves: Any) -> xr.Dataset:
    """Halving times over distances, one for each, or one for each draw and distance."""
    halves = np.asarray(halves)
    dims = ["seed", "distance"][-halves.ndim :]
    drawn = {"seed": np.arange(len(halves))} if "seed" in dims else {}
    attrs = {"long_name": "time to halve the distance", "units": "input²/output²"}
    return xr.Dataset({"half": (dims, halves, attrs)}, {**drawn, "distance": distances})


@app.cell
def _(first, kernel, measure, question, scale):
    def _measured():
        """Points that start at four distances, in 300 steps to the time at which they should be half way."""
        shares = [0.5, 1.0, 1.5, 2.0] if kernel.value == "fourier" else [0.5, 1.0, 3.0, 6.0]
        distances = np.array(shares) * (scale if kernel.value == "fourier" else 1)
        draws, rows = range(first.value, first.value + DRAWS), []
        for each in distances:
            step = halving(kernel.value, scale, each).item() / 300
            clock = step * np.arange(12, 481, 12)
            walk = walked(clock, step, draws, 0.03, width=256, distance=each, **question)
            rows.append(halved(walk, each))
        return ts.compare(
            over(distances, np.stack(rows, -1)), over(distances, halving(kernel.value, scale, distances))
        )

    measured = kit.on_demand(measure, _measured)
    return (measured,)


@app.cell(hide_code=True)
def _(bias, distance, end, half, kernel, length, measured, moving, theory):
    _D = np.linspace(0.25, 6, 116)
    _scales = {"relu": bias.value, "fourier": length.value}
    _looks = dict(zip(_scales, kit.LOOKS, strict=False))
    _words = {"relu": f"relu, β = {bias.value:g}", "fourier": f"fourier (Gaussian), l = {length.value:g}"}
    _marks: list[Any] = [
        kit.Line(_D, halving(each, at, _D), _looks[each], _words[each]) for each, at in _scales.items()
    ]
    _marks.insert(0, kit.Line([0.25, 6], [np.log(2)] * 2, kit.LOOKS[2], "ln 2: relu, large D", dashed=True))
    _marks.append(kit.Now(distance.value, half, _looks[kernel.value]))
    _six = {each: halving(each, at, 6.0).item() for each, at in _scales.items()}
    _told = f"Clock to halve a distance of 6: relu {_six['relu']:.2g}, fourier {_six['fourier']:.2g}."
    _place = kit.curves(
        theory,
        "place",
        ["infinite width, small steps"],
        comparison=moving,
        x=kit.Axis("clock s = τt [input²/output²]"),
        y=kit.Axis("position θ of the point [input]"),
    )
    _now = theory["place"][-1].item()
    _gone = f"At s = {end:.3g} the point is at {_now:.3g}."
    _half = kit.Panel(
        kit.Axis("distance D at the start [input]", low=0),
        kit.Axis("clock s to halve D [input²/output²]", "log", 0.1, 1e5),
        tuple(_marks),
    )
    kit.abreast(
        kit.picture(*_place, alt=_gone, caption=_gone),
        kit.picture(
            *kit.with_simulation(_half, measured, "half", _looks[kernel.value], along="distance"),
            alt=_told,
            caption=f"{_told} The dot marks your distance.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(measured, moving, training):
    kit.verdict(training, moving, measured, names={"slope": "slope at the point"})
    return


@app.function
def noise(length: float, width: int) -> float:
    """Standard deviation of a fourier discriminator's slope at the point, far from the data, at time 1."""
    return float(np.sqrt(1.5 / width) / length)


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **What you should find.** $J$ grows in proportion to the training time. The point moves as the kernel
    predicts if networks are wide *or* trained briefly. Training changes the inner weights of relu by the
    order of $\tau/\sqrt W$, and so moves the places where its units bend. The shifted bends round the kink at
    the data, so narrow networks deviate most near the end. Try 4 units, then 1024, at $\tau = 0.3$, 500 steps
    and $\beta = 1$, $D = 2$. Then try 1024 units and only 30 steps: with such large steps the point moves
    faster than the theory predicts, and in most draws the deviation is outside the band. With 4 units *and*
    30 steps the comparison may agree, because its standard errors are large. Then read the smallest error
    that it could have detected. For fourier, outputs are linear in the outer weights, so the mean of $J$ is
    right at any width, and a small width only increases the scatter. At $\tau = 1$ and $\beta = 4$, with a
    strong kink, even 1024 units are too few.

    **A slope that is too small.** The slope of a single fourier discriminator scatters: far from the data its
    standard deviation is about $\sqrt{3/(2W)}/l$. If this deviation is larger than the mean slope, the *size*
    of the slope cannot agree with the theory, because a size is never below 0.
    """)
    return


@app.cell(hide_code=True)
def _(distance, length, width):
    _D, _l = distance.value, length.value
    _true, _noise = speed("fourier", _l, _D), noise(_l, width.value)
    kit.text(rf"""
    With {width.value} waves the standard deviation is {_noise:.2g}; at $D = {_D:g}$ the mean slope is
    {_true:.2g}.
    {
        "So chance moves the point, and only the mean of many discriminators leads it to the data."
        if _true < _noise
        else "So a single discriminator leads the point to the data."
    }
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The slope at a kink

    An infinitely wide relu discriminator has a kink at each point that it was trained on: near such a point
    its kernel is a cone, $-(\beta/2\pi)\, |x - y|$ in one dimension. The generator needs the slope at these
    points.
    """)
    return


@app.cell(hide_code=True)
def _(bias, distance):
    _D, _b = distance.value, bias.value
    _at = np.array([[_D - 1e-9], [_D], [_D + 1e-9]])
    _slopes = witness("relu", _b, _at, np.array([[_D]]), np.zeros((1, 1)))[1][:, 0]
    kit.text(rf"""
    At $D = {_D:g}$, $\beta = {_b:g}$ the slope is {_slopes[0]:.4f} on the left of the point, {_slopes[2]:.4f}
    on the right, a jump of $-\beta/\pi = {-_b / np.pi:.4f}$. The mean of both slopes is {_slopes[1]:.4f}.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    Which of the three slopes moves the point? A finite network is smooth at the point with probability 1, and
    the average of its slope is the **mean of both sides**: the kink of a generated point moves with it and
    exerts no force on it. The kinks of the data do not move. The force of these kinks does not vanish as a
    point comes near, so the point *arrives* in finite time, and then stays. At $\beta = 0$ there is no kink,
    and $\theta$ decreases as $e^{-s}$.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Which experiments could refute this?

    Three observations would refute the theory: a wide, briefly trained relu network whose point takes much
    longer from 6 than from 3; a fourier network that is as fast from $6\,l$ as from $l$; residuals that do
    not shrink with the width. You could see each of them above, in any draws. **What this does not explain:**
    discriminators that keep their weights from step to step, losses whose gradient becomes small if the
    discriminator separates well, and networks that learn features.
    """)
    return


@app.cell(hide_code=True)
def _(bias, distance):
    _best = minimize_scalar(lambda scale: halving("fourier", scale, 1.0), bounds=(0.1, 5), method="bounded")
    _D = distance.value
    _twice = halving("fourier", _best.x, 2.0) / _best.fun / 4
    _first_values = dict(
        at=_best.x,
        least=_best.fun,
        dimension=_D,
        stable=_best.fun * _D**2,
        weight=_best.x * _D,
        twice=_twice,
        log2=np.log(2),
    )
    _b, _D = bias.value, distance.value
    _near = quad(lambda z: 1 / speed("relu", _b, z), 0, min(_D, _b))[0]
    _arrival = _near + quad(lambda z: 1 / speed("relu", _b, z), min(_D, _b), _D)[0]
    _second_values = dict(speed=speed("relu", _b, 0.0), dimension=_D, bias=_b, arrival=_arrival)

    def _seen(width):
        """The distance, in units of l, at which the slope of the mean is as large as that of chance."""
        return brentq(lambda z: speed("fourier", 1.0, z) - noise(1.0, width), 1, 20)

    _far = [_seen(each) for each in (1024, 10**6)]
    kit.exercises("discriminator", _first_values, _second_values, dict(near=_far[0], far=_far[1]))
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("discriminator")
    return


if __name__ == "__main__":
    app.run()
