"""Lesson 15: How one large jump leaves a basin."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 15: How one large jump leaves a basin",
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


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # How one large jump leaves a basin

    **The question.** A student sits in a basin of the loss, the region around one minimum. The noise of its
    stochastic gradients moves it until it leaves the basin. Does the student stay longer in a basin with high
    walls or in a basin with a wide floor?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("leaving")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    Near its bottom a basin is a parabola, $\frac a2 X^2$. The student moves down the slope and is driven by
    noise $L$ of the scale $\sigma$,

    $$ \mathrm dX = -a X \,\mathrm dt + \sigma \,\mathrm dL, \qquad
       \mathrm E\, e^{i u L(t)} = e^{-t |u|^\alpha} $$

    For $\alpha = 2$ the noise is Gaussian, of variance $2t$. Gaussian noise gives the model of SGD as descent
    with thermal noise (Eq. 4.2.4), whose stationary distribution is the Gibbs distribution (Eq. 4.2.20). For
    $\alpha < 2$ the noise is **stable noise**: most of its steps are small, but jumps longer than $r$ occur
    at the rate $C_\alpha (\sigma/r)^\alpha$, with
    $C_\alpha = \frac2\pi \Gamma(\alpha) \sin\frac{\pi\alpha}2$. The student starts in the middle of the
    basin. Let $T$ be the mean exit time, the mean time until the student first leaves $(-r, r)$.

    **Without a well** ($a = 0$) the exit time of stable noise has a closed form (Getoor 1961):

    $$ T = \frac{(r/\sigma)^\alpha}{\Gamma(1 + \alpha)} $$

    **Gaussian noise in a well** moves the student up the wall in small steps, against the slope. The exit
    time grows exponentially with the height of the wall, $h = \frac a2 r^2$ (Kramers):

    $$ T \approx \sqrt{\frac\pi2}\, \frac{\sigma}{a^{3/2} r}\; e^{h/\sigma^2} $$

    **Stable noise in a well** does not move the student up the wall in small steps. The student stays near
    the bottom until a single jump is longer than $r$ (Imkeller and Pavlyukevich 2006),

    $$ T \to \frac{1}{C_\alpha} \Bigl(\frac r\sigma\Bigr)^\alpha, \qquad a (r/\sigma)^\alpha \to \infty $$

    **This exit time does not depend on the height of the wall.** It is a power of the width of the basin.
    Between the two limits, $T$ solves an integral equation, which is solved here with Jacobi polynomials.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("leaving")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    The scale of the noise is $\sigma = 1$ for both kinds. Make the basin steeper, then wider, and watch how
    the two exit times change. The simulation follows random paths step by step until they leave.
    """)
    return


@app.cell
def _():
    stability = kit.slider("index of the noise α [1]", steps=[1.6, 1.7, 1.8, 1.9], value=1.6)
    curvature = kit.slider(
        "curvature of the well a [1/time]", steps=[0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0], value=0.25
    )
    radius = kit.slider(
        "half width of the basin r [distance]",
        steps=[0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.0],
        value=4.0,
    )
    simulate = kit.simulate_button()
    kit.controls(stability=stability, curvature=curvature, radius=radius, simulate=simulate)
    return curvature, radius, simulate, stability


@app.function
def waits(radii: Any, stability: float, curvature: float, route: str = "spectral") -> xr.Dataset:
    """Mean times of exit from the middle, at noise of scale 1."""
    question: dict[str, Any] = dict(
        problem="stable-noise", dynamics="exit", stability=stability, drift=curvature
    )
    return ts.curve(route=route, times=list(radii), **question)


@app.function
def deepest(stability: float) -> float:
    """Of a r^alpha: up to here 400 polynomials settle the time; Gaussian waits lose their digits beyond."""
    return 24.0 if stability == 2 else 20 * 4 ** ((stability - 1.5) / 0.4)


@app.function
def units(stability: float) -> np.ndarray:
    """Radii at curvature 1, as far as the time is known."""
    return np.geomspace(0.1, deepest(stability) ** (1 / stability), 33)


@app.function
def curve(
    times: np.ndarray, stability: float, *, curvature: float = 0.0, radius: float = 0.0
) -> dict[str, Any]:
    """Times at curvature 1 over the radius at another curvature, or over the curvature at a radius.

    In units of the time of relaxation 1/a distances are in units of a^(-1/alpha).
    """
    at = units(stability)
    if curvature:
        return dict(x=at / curvature ** (1 / stability), y=times / curvature)
    return dict(x=(at / radius) ** stability, y=times * (radius / at) ** stability)


@app.cell
def _():
    gaussian = waits(units(2.0), 2.0, 1.0)["exit_time"].values
    return (gaussian,)


@app.cell
def _(stability):
    stable = waits(units(stability.value), stability.value, 1.0)["exit_time"].values
    return (stable,)


@app.cell
def _(curvature, radius, stability):
    _at = [radius.value]
    _far = (deepest(2.0) / curvature.value) ** 0.5
    _gaussian = waits([min(radius.value, _far)], 2.0, curvature.value)["exit_time"].item()
    now = {
        "stable": waits(_at, stability.value, curvature.value)["exit_time"].item(),
        "gaussian": f"{'more than ' if radius.value > _far else ''}{_gaussian:.3g}",
        "jump": waits(_at, stability.value, curvature.value, "small-noise")["exit_time"].item(),
        "free": waits(_at, stability.value, 0.0, "getoor")["exit_time"].item(),
    }
    return (now,)


@app.function
def simulated(radii: Any, stability: float, curvature: float) -> ts.Comparison:
    """Paths of Euler's scheme against the integral equation, without the delay of the scheme.

    An exit is seen at the end of a step only, a distance of the order h^(1/alpha) too late: from three
    steps h that and its square are taken out.
    """
    steps = np.array([0.04, 0.01, 0.0025])
    question: dict[str, Any] = dict(
        problem="stable-noise", dynamics="exit", stability=stability, drift=curvature
    )
    drawn = [
        ts.sample(
            route="simulation", times=list(radii), step=h, walkers=100, seeds=12, seed=100 * i, **question
        )
        for i, h in enumerate(steps)
    ]
    powers = np.vander(steps ** (1 / stability), increasing=True).T
    shares = np.linalg.solve(powers, [1.0, 0.0, 0.0])
    times = sum(share * each["exit_time"].values for share, each in zip(shares, drawn, strict=True))
    seen = drawn[0].assign(exit_time=drawn[0]["exit_time"].copy(data=times))
    return ts.compare(seen, waits(radii, stability, curvature))


@app.cell
def _(curvature, simulate, stability):
    comparison = kit.on_demand(
        simulate, lambda: simulated([0.5, 1.0, 2.0, 3.0, 4.0], stability.value, curvature.value)
    )
    return (comparison,)


@app.cell(hide_code=True)
def _(comparison, curvature, gaussian, now, radius, stability, stable):
    _x = kit.Axis("half width of the basin r [distance]", "log", 0.2, 10)
    _ends = np.array([0.2, 10])
    _power = now["jump"] * (_ends / radius.value) ** stability.value
    _free = now["free"] * (_ends / radius.value) ** stability.value
    _over_r = kit.Panel(
        _x,
        kit.Axis("mean exit time T [time]", "log", 0.02, 1e4),
        (
            kit.Line(_ends, _free, kit.LOOKS[2], "stable noise, no well", width=1),
            kit.Line(
                **curve(gaussian, 2.0, curvature=curvature.value),
                look=kit.LOOKS[1],
                label="Gaussian noise, α = 2",
            ),
            kit.Line(_ends, _power, kit.LOOKS[0], "one large jump", dashed=True),
            kit.Line(
                **curve(stable, stability.value, curvature=curvature.value),
                look=kit.LOOKS[0],
                label="stable noise",
            ),
        ),
    )
    _over_r, *_below = kit.with_simulation(_over_r, comparison, "exit_time", kit.LOOKS[0])
    _across = np.array([0.1, 10])
    _over_a = kit.Panel(
        kit.Axis("curvature of the well a [1/time]", "log", 0.1, 10),
        kit.Axis("mean exit time T [time]", "log", 0.02, 1e4),
        (
            kit.Line(
                **curve(gaussian, 2.0, radius=radius.value), look=kit.LOOKS[1], label="Gaussian noise, α = 2"
            ),
            kit.Line(_across, np.full(2, now["jump"]), kit.LOOKS[0], "one large jump", dashed=True),
            kit.Line(
                **curve(stable, stability.value, radius=radius.value), look=kit.LOOKS[0], label="stable noise"
            ),
            kit.Now(curvature.value, now["stable"], kit.LOOKS[0]),
        ),
    )
    kit.abreast(
        kit.picture(
            _over_r.with_marks(kit.Now(radius.value, now["stable"], kit.LOOKS[0])),
            *_below,
            alt=f"The mean exit time over the half width; at {radius.value:g} it is {now['stable']:.3g} for "
            f"stable noise and {now['gaussian']} for Gaussian noise.",
            caption=f"Exit time over the width, at curvature {curvature.value:g}. Solid lines end where the "
            "expansion no longer converges.",
        ),
        kit.picture(
            _over_a,
            alt=f"The mean exit time over the curvature; for stable noise it tends to {now['jump']:.3g}.",
            caption=f"Exit time over the curvature, at half width {radius.value:g}. For stable noise it "
            "tends to the time of one large jump.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(comparison):
    kit.verdict(comparison, names={"exit_time": "mean exit time"})
    return


@app.cell(hide_code=True)
def _(curvature, now, radius):
    kit.text(rf"""
    At these settings the mean exit time is {now["stable"]:.3g} for stable noise and {now["gaussian"]} for
    Gaussian noise. For stable noise the time is {now["free"]:.3g} without a well, and {now["jump"]:.3g} by
    one large jump. The height of the wall is {curvature.value * radius.value**2 / 2:.3g}, in units of
    $\sigma^2$.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **Narrow basins.** In a narrow basin, heavy-tailed noise needs *longer* to leave. In a time $t$
    heavy-tailed noise spreads over $\sigma t^{1/\alpha}$, and Gaussian noise over $\sigma \sqrt t$.
    Heavy-tailed noise spreads less for $t < 1$ and more for $t > 1$. So compared with Gaussian noise,
    heavy-tailed noise leaves wide basins early and narrow basins late.

    **Where the theory ends.** The noise here has the same distribution at all places and times, and acts
    along one direction. The noise of a network's gradients depends on the weights. Training also has finite
    steps, and an exit is noticed only at the end of a step. The simulation above is therefore extrapolated
    from three step sizes to zero. It is disputed whether the gradients of networks have heavy tails; in
    linear regression these tails can be computed (`teacherstudent curve heavy-tails --help`).
    """)
    return


@app.cell(hide_code=True)
def _():
    _stable = [waits([2 / scale], 1.5, 2.0)["exit_time"].item() for scale in (1, 0.7)]
    _gaussian = [waits([2 / scale], 2.0, 2.0)["exit_time"].item() for scale in (1, 0.7)]
    _first_values = dict(
        stable_claimed=0.7**-1.5,
        stable_near=_stable[0],
        stable_far=_stable[1],
        stable_ratio=_stable[1] / _stable[0],
        gap=4 / 0.49,
        gaussian_near=_gaussian[0],
        gaussian_far=_gaussian[1],
        gaussian_ratio=_gaussian[1] / _gaussian[0],
    )

    def _from(start, route, drift, radius):
        """The wait of stable noise from a place, in units of the radius."""
        asked = dict(dynamics="exit", route=route, stability=1.5, drift=drift, times=[radius], start=start)
        return ts.curve("stable-noise", **asked)["exit_time"].item()

    _without = _from(0.8, "getoor", 0.0, 1.0) / _from(0.0, "getoor", 0.0, 1.0)
    _within = [_from(0.8, "spectral", 1.0, r) / _from(0.0, "spectral", 1.0, r) for r in (1.0, 3.0, 7.0)]
    kit.exercises(
        "leaving", _first_values, dict(without=_without, within=", ".join(f"{each:.2f}" for each in _within))
    )
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("leaving")
    return


if __name__ == "__main__":
    app.run()
