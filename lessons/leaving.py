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

    **The question.** The noise of stochastic gradients kicks a student about in a basin of the loss, until at
    last it leaves. What holds it longer: high walls, or a wide floor?
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
    noise of the scale $\sigma$,

    $$ \mathrm dX = -a X \,\mathrm dt + \sigma \,\mathrm dL, \qquad
       \mathrm E\, e^{i u L(t)} = e^{-t |u|^\alpha} $$

    For $\alpha = 2$ the noise is Gaussian, of variance $2t$: the model of SGD as descent with thermal noise
    (Eq. 4.2.4), whose weights settle in the Gibbs law (Eq. 4.2.20). For $\alpha < 2$ it is **stable noise**:
    most of its steps are small, but a jump longer than $r$ comes at the rate
    $C_\alpha (\sigma/r)^\alpha$, with $C_\alpha = \frac2\pi \Gamma(\alpha) \sin\frac{\pi\alpha}2$. Let $T$ be
    the mean time until the student, from the middle, first leaves $(-r, r)$.

    **Without a well** ($a = 0$) its time is known in closed form (Getoor 1961):

    $$ T = \frac{(r/\sigma)^\alpha}{\Gamma(1 + \alpha)} $$

    **Gaussian noise in a well** climbs the wall step by step, against the slope. The time is an exponential
    of the height of the wall, $h = \frac a2 r^2$ (Kramers):

    $$ T \approx \sqrt{\frac\pi2}\, \frac{\sigma}{a^{3/2} r}\; e^{h/\sigma^2} $$

    **Stable noise in a well** does not climb. The student waits near the bottom for a single jump longer than
    $r$ (Imkeller and Pavlyukevich 2006),

    $$ T \to \frac{1}{C_\alpha} \Bigl(\frac r\sigma\Bigr)^\alpha, \qquad a (r/\sigma)^\alpha \to \infty $$

    **No height stands there.** The time is a power of the width alone. Between the two limits $T$ solves an
    integral equation, which is solved here in Jacobi polynomials.
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

    The scale of the noise is $\sigma = 1$ for both kinds. Make the basin steeper, then wider, and watch the
    two waits. **Simulate** follows drawn paths step by step until they are outside.
    """)
    return


@app.cell
def _():
    stability = kit.slider("index of the noise α [1]", steps=[1.6, 1.7, 1.8, 1.9], value=1.6)
    curvature = kit.slider(
        "curvature of the well a [1/time]", steps=[0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0], value=1.0
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
    return np.geomspace(0.1, deepest(stability) ** (1 / stability), 17)


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
        simulate, lambda: simulated([0.5, 0.8, 1.3, 2.0, 3.0], stability.value, curvature.value)
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
        kit.Axis("mean time until it leaves T [time]", "log", 0.02, 1e4),
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
        kit.Axis("mean time until it leaves T [time]", "log", 0.02, 1e4),
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
            alt=f"The mean time over the half width; at {radius.value:g} it is {now['stable']:.3g} under "
            f"stable noise and {now['gaussian']} under Gaussian noise.",
            caption=f"Over the width, at curvature {curvature.value:g}. Solid lines end where the expansion "
            "no longer settles.",
        ),
        kit.picture(
            _over_a,
            alt=f"The mean time over the curvature; under stable noise it tends to {now['jump']:.3g}.",
            caption=f"Over the curvature, at half width {radius.value:g}: stable noise tends to one jump.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(comparison):
    kit.verdict(comparison, names={"exit_time": "mean time until it leaves"})
    return


@app.cell(hide_code=True)
def _(curvature, now, radius):
    kit.text(rf"""
    At these settings stable noise leaves after {now["stable"]:.3g} on average, Gaussian noise after
    {now["gaussian"]}. Without a well stable noise would need {now["free"]:.3g}; one jump needs
    {now["jump"]:.3g}. The wall is {curvature.value * radius.value**2 / 2:.3g} high, in units of $\sigma^2$.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **The other surprise.** Make the basin narrow: now noise of heavy tails needs *longer*. It spreads over
    $\sigma t^{1/\alpha}$ in a time $t$, and Gaussian noise over $\sigma \sqrt t$. Up to $t = 1$, where both
    scales are the same, the first is less, beyond it is more. Heavy tails leave wide basins early and narrow
    ones late.

    **Where the theory ends.** The noise here has one law everywhere and always, along one direction; that
    of a network's gradients depends on where it is. And training has finite steps: an exit is noticed only at
    the end of one. The simulation above is therefore extrapolated from three steps to none. Whether gradients
    of networks have such tails is disputed; in linear regression they can be computed
    (`teacherstudent curve heavy-tails --help`).
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
