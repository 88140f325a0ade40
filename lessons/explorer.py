"""The explorer: features learned at two scales."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="full",
    app_title="The explorer: features learned at two scales",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    import marimo as mo
    import numpy as np
    import xarray as xr

    import teacherstudent as ts
    from teacherstudent.lessons import kit


@app.cell(hide_code=True)
def head():
    mo.md(r"""
    # The explorer: features learned at two scales

    A linear student learns from $n$ examples of a linear teacher with $d$ features, $p$ of them fast and
    $\kappa$ times as strong as the others (Assumption 4.2.1). Its error depends on its weights only through
    $R$, its alignment with the teacher, and $Q$, its modulated norm (Eq. 4.2.7): the excess risk is
    $E = \tfrac12 (1 - 2R + Q)$ (Eq. 4.2.6). Lines are the exact limit $n, d \to \infty$; **Simulate** trains
    students on drawn data with finite $d$. The learning rate of gradient descent is one over the largest
    eigenvalue of $X^\top X$ in the limit, so that no mode overshoots.
    """)
    return


@app.cell
def controls():
    dynamics = kit.choice(
        "trained by",
        {"descent": "gradient descent, t steps", "ridge": "ridge regression, ridge λ + 1/t"},
        "descent",
        name="dynamics",
    )
    time = kit.slider(
        "time t [steps, 1/curvature]",
        sorted({round(10 ** (i / 10)) for i in range(61)}),
        1000,
        name="time",
    )
    kappa = kit.slider("condition number κ [1]", kit.log_steps(1, 100), 50.0, name="kappa")
    alpha = kit.slider(
        "examples per feature α = n/d [1]",
        [*np.linspace(0.1, 2, 20).round(1).tolist(), 2.5, 3.0, 4.0, 5.0, 7.0, 10.0],
        1.5,
        name="alpha",
    )
    fast = kit.slider(
        "share of fast features p/d [1]", np.linspace(0.05, 0.95, 19).round(2).tolist(), 0.6, name="fast"
    )
    noise = kit.slider("label noise σ [output]", np.linspace(0, 2, 21).round(1).tolist(), 0.5, name="noise")
    # Descent at this rate is stable for any ridge below the spectrum's upper edge, here 0.28 or more.
    ridge = kit.slider("ridge λ [curvature]", [0.0, *kit.log_steps(1e-6, 0.1, 2)], 0.0, name="ridge")
    simulate = kit.simulate_button()
    kit.controls(
        dynamics=dynamics,
        time=time,
        kappa=kappa,
        alpha=alpha,
        fast=fast,
        noise=noise,
        ridge=ridge,
        simulate=simulate,
    )
    return alpha, dynamics, fast, kappa, noise, ridge, simulate, time


@app.cell
def curvature(alpha, fast, kappa):
    d = 200
    inputs = dict(d=d, p=round(fast.value * d), alpha=alpha.value, kappa=kappa.value)
    spectrum = ts.spectrum("multiscale", **inputs)
    # About the largest rate at which no mode overshoots, the same for theory and all draws.
    rate = float(f"{1 / spectrum['band_edge'].values.max():.3g}")
    return d, inputs, rate, spectrum


@app.cell
def theory(dynamics, inputs, noise, rate, ridge):
    question = dict(problem="multiscale", dynamics=dynamics.value)
    options = inputs | dict(noise=noise.value, ridge=ridge.value, observable=("parts",))
    if dynamics.value == "descent":
        options |= dict(learning_rate=rate)
    asked = question | dict(route="asymptotic", times="1:1e6:61") | options
    simulated = question | dict(route="simulation", times="1:1e6:25", seeds=20) | options
    curve = kit.asked(lambda: ts.curve(**asked))
    return asked, curve, simulated


@app.cell
def compared(asked, d, simulate, simulated):
    # At finite d the averages differ from their limits by up to a few tenths of 1/d: smaller standard
    # errors would show that bias.
    comparison = kit.on_demand(
        simulate,
        lambda: ts.compare(
            ts.curve(**simulated), ts.curve(**asked | dict(times=simulated["times"])), resolvable=0.1 / d
        ),
    )
    return (comparison,)


@app.function
def at_time(curve: xr.Dataset, time: float) -> xr.Dataset:
    """The answer at the recorded time nearest to `time`."""
    return curve.isel(time=int(np.argmin(np.abs(curve["time"].values - time))))


@app.function
def risk(curve: xr.Dataset, now: xr.Dataset, comparison: ts.Comparison | None, clock: kit.Axis) -> mo.Html:
    """The excess risk over time, and the residuals of a simulation."""
    y = kit.Axis("excess risk E [output²]", low=0)
    first, *below = kit.curves(curve, "excess_risk", ["theory"], comparison=comparison, x=clock, y=y)
    t, value = float(now["time"]), float(now["excess_risk"])
    return kit.picture(
        first.with_marks(kit.Now(t, value, kit.LOOKS[0])),
        *(panel.with_marks(kit.Now(t)) for panel in below),
        alt=f"The excess risk over time; at t = {t:.4g} it is {value:.4g}.",
    )


@app.function
def plane(curve: xr.Dataset, now: xr.Dataset, comparison: ts.Comparison | None) -> mo.Html:
    """The path of the student through the plane of R and Q."""
    look, (r, q) = kit.LOOKS[0], (float(now[name]) for name in ("R", "Q"))
    marks: list[kit.Mark] = [kit.Line(curve["R"], curve["Q"], look, "theory")]
    if comparison:
        seen = comparison.simulation
        errors = dict(error=seen["Q_stderr"], x_error=seen["R_stderr"])
        marks.append(kit.Points(seen["R"], seen["Q"], look, "simulation ± 1 standard error", **errors))
    marks.append(kit.Now(r, q, look, line=False))
    x = kit.Axis("alignment with the teacher R [1]", low=0, high=1.1)  # R may end at 1: room for its marker
    return kit.picture(
        kit.Panel(x, kit.Axis("modulated norm Q [1]", low=0), tuple(marks)),
        alt=f"The path of the student through the plane of R and Q; now they are {r:.4g} and {q:.4g}.",
    )


@app.function
def parts(curve: xr.Dataset, now: xr.Dataset, comparison: ts.Comparison | None, clock: kit.Axis) -> mo.Html:
    """Bias and variance of each scale over time, and the residuals of a simulation."""
    t = float(now["time"])
    marks: list[kit.Mark] = [kit.Now(t)]
    residuals: list[kit.Mark] = [kit.Now(t)]
    chance = 0.0
    for i, (scale, part) in enumerate((s, p) for p in ("bias", "variance") for s in (0, 1)):
        look, label = kit.LOOKS[i], f"{part}, {('fast', 'slow')[scale]} features"
        marks.append(kit.Line(curve["time"], curve[part].isel(scale=scale), look, label))
        if comparison:
            mean, error = (comparison.simulation[each].isel(scale=scale) for each in (part, f"{part}_stderr"))
            key = "simulation ± 1 standard error" if i == 3 else ""  # last in the legend
            marks.append(kit.Points(mean["time"], mean, look, key, error=error))
        if comparison and part in comparison.verdicts:
            gap = comparison.residuals[part].isel(scale=scale)
            residuals.append(kit.Points(gap["time"], gap, look))
            chance = max(chance, comparison.verdicts[part].threshold)
    panels = [kit.Panel(clock, kit.Axis("parts of the excess risk [output²]", low=0), tuple(marks))]
    if chance:
        panels.append(kit.residuals(clock, chance, *residuals))
    return kit.picture(
        *panels, alt="Bias and variance by scale over time; the table holds their present values."
    )


@app.function
def eigenvalues(spectrum: xr.Dataset, t: float, ridge: float, rate: float | None) -> mo.Html:
    """Density of the eigenvalues, and the share of each direction that is learned at time t.

    rate: the learning rate of gradient descent; None for ridge regression.
    """
    mu = spectrum["eigenvalue"]
    at = np.geomspace(float(mu[0]), float(mu[-1]), 200)
    held = at + ridge
    learned = at / (held + 1 / t) if rate is None else at / held * (1 - (1 - rate * held) ** t)
    zeros = 100 * float(spectrum["zeros"])
    return kit.picture(
        kit.Panel(
            kit.Axis("eigenvalue μ of XᵀX [curvature]", "log"),
            kit.Axis("share of all eigenvalues per e-fold; share learned [1]", low=0),
            (
                kit.Line(mu, mu * spectrum["density"], kit.LOOKS[0], "eigenvalues: μ ρ(μ)"),
                kit.Line(at, learned, kit.LOOKS[1], f"learned at t = {t:.4g}"),
            ),
        ),
        alt=f"The density of the eigenvalues, in {spectrum.sizes['band']} bands, and the share of each "
        f"direction that is learned at t = {t:.4g}.",
        caption=f"{zeros:.3g} % of the eigenvalues are zero: never learned." if zeros else "",
    )


@app.cell(hide_code=True)
def pictures(comparison, curve, dynamics, rate, ridge, spectrum, time):
    _now = at_time(curve, time.value)
    _clock = dict(descent="time t = k [steps]", ridge="time t = 1/(ridge added) [1/curvature]")
    _axis = kit.Axis(_clock[dynamics.value], "log")
    kit.abreast(
        risk(curve, _now, comparison, _axis),
        plane(curve, _now, comparison),
        parts(curve, _now, comparison, _axis),
        eigenvalues(
            spectrum, float(_now["time"]), ridge.value, rate if dynamics.value == "descent" else None
        ),
    )
    return


@app.cell(hide_code=True)
def numbers(curve, dynamics, rate, time):
    _now = at_time(curve, time.value)
    _rows = {"learning rate η": rate} if dynamics.value == "descent" else {}
    _rows |= {"time t": _now["time"], "alignment R": _now["R"], "norm Q": _now["Q"]}
    _rows["excess risk E"] = _now["excess_risk"]
    for _part in ("bias", "variance"):
        for _scale, _which in enumerate(("fast", "slow")):
            _rows[f"{_part}, {_which} features"] = _now[_part].isel(scale=_scale)
    _best = int(np.argmin(curve["excess_risk"].values))
    kit.table(
        "Theory",
        {_name: f"{float(_value):.6g}" for _name, _value in _rows.items()},
        f"The risk is lowest at t = {float(curve['time'][_best]):,.0f}: "
        f"{float(curve['excess_risk'][_best]):.4g}.",
    )
    return


@app.cell(hide_code=True)
def said(comparison):
    _parts = {part: f"{part}, fast and slow features" for part in ("bias", "variance")}
    kit.verdict(comparison, names=_parts)
    return


@app.cell(hide_code=True)
def again(alpha, asked, dynamics, fast, kappa, noise, ridge, simulated, time):
    kit.again(
        dict(dynamics=dynamics, time=time, kappa=kappa, alpha=alpha, fast=fast, noise=noise, ridge=ridge),
        asked,
        simulated,
    )
    return


if __name__ == "__main__":
    app.run()
