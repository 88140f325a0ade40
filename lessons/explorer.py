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

    A linear student learns from $n$ examples of a linear teacher with $d$ features. Of these features $p$ are
    fast: they are $\kappa$ times as strong as the others (Assumption 4.2.1). The error depends on the weights
    only through the alignment $R$ of the student with the teacher and its modulated norm $Q$ (Eq. 4.2.7): the
    excess risk is $E = \tfrac12 (1 - 2R + Q)$ (Eq. 4.2.6). Solid lines are the exact limit $n, d \to \infty$.
    A simulation trains students on drawn data with finite $d$. With it, dashed lines show the
    theory for the same inputs $X$, averaged over teacher and noise (Eqs. 4.2.9-4.2.10). The learning rate of
    gradient descent is one over the largest eigenvalue of $X^\top X$ in the limit, so that no mode
    overshoots. Gradient flow is simulated by descent in very small steps.
    """)
    return


@app.cell
def controls():
    dynamics = kit.choice(
        "trained by",
        {
            "flow": "gradient flow, up to time t",
            "descent": "gradient descent, t steps",
            "ridge": "ridge regression, ridge λ + 1/t",
        },
        "descent",
        name="dynamics",
    )
    time = kit.slider(
        "time t [steps, 1/curvature]",
        [*kit.log_steps(0.1, 0.8), *sorted({float(round(10 ** (i / 10))) for i in range(61)})],
        1000.0,
        name="time",
    )
    kappa = kit.slider("condition number κ [1]", kit.log_steps(1, 100), 50.0, name="kappa")
    alpha = kit.slider(
        "examples per feature α = n/d [1]",
        [*np.linspace(0.1, 2, 20).round(1).tolist(), 2.5, 3.0, 4.0, 5.0, 7.0, 10.0],
        2.0,
        name="alpha",
    )
    fast = kit.slider(
        "share of fast features p/d [1]", np.linspace(0.05, 0.95, 19).round(2).tolist(), 0.7, name="fast"
    )
    noise = kit.slider("label noise σ [output]", np.linspace(0, 2, 21).round(1).tolist(), 0.7, name="noise")
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
    options = dict(
        problem="multiscale", **inputs, noise=noise.value, ridge=ridge.value, observable=("parts",)
    )
    # Gradient flow is simulated by descent in steps that change no number by more than its standard error.
    small = 5e-4
    learner, drawn, thinned, clock = {
        "flow": (dict(dynamics="flow"), dict(dynamics="descent", learning_rate=small), "200:2e9:29", small),
        "descent": (*2 * (dict(dynamics="descent", learning_rate=rate),), "1:1e6:25", 1.0),
        "ridge": (*2 * (dict(dynamics="ridge"),), "0.1:1e6:29", 1.0),
    }[dynamics.value]
    times = "1:1e6:61" if dynamics.value == "descent" else "0.1:1e6:71"
    asked = options | learner | dict(route="asymptotic", times=times)
    simulated = options | drawn | dict(route="simulation", times=thinned, seeds=200)
    given = simulated | dict(route="instance")  # of the same draws
    curve = kit.asked(lambda: ts.curve(**asked))
    return asked, clock, curve, given, simulated


@app.cell
def compared(asked, clock, d, given, simulate, simulated):
    def _simulated():
        seen = ts.curve(**simulated)
        seen = seen.assign_coords(time=clock * seen["time"])
        # At finite d the averages differ from their limits by up to a few tenths of 1/d: smaller standard
        # errors would show that bias.
        claimed = ts.curve(**asked | dict(times=seen["time"].values))
        exact = ts.curve(**given).assign_coords(time=seen["time"])
        return ts.compare(seen, claimed, resolvable=0.1 / d), exact

    comparison, exact = kit.on_demand(simulate, _simulated) or (None, None)
    return comparison, exact


@app.function
def at_time(curve: xr.Dataset, time: float) -> xr.Dataset:
    """The answer at the recorded time nearest to `time`."""
    return curve.isel(time=int(np.argmin(np.abs(curve["time"].values - time))))


@app.function
def exact_line(x: xr.DataArray, y: xr.DataArray, look: kit.Look, label: str = "") -> kit.Line:
    """Theory for drawn inputs."""
    return kit.Line(x, y, look, label, dashed=True, width=1.2)


@app.function
def risk(
    curve: xr.Dataset,
    now: xr.Dataset,
    comparison: ts.Comparison | None,
    exact: xr.Dataset | None,
    clock: kit.Axis,
) -> mo.Html:
    """The excess risk over time, and the residuals of a simulation."""
    y = kit.Axis("excess risk E [output²]", low=0)
    first, *residuals = kit.curves(curve, "excess_risk", ["theory"], comparison=comparison, x=clock, y=y)
    t, value = float(now["time"]), float(now["excess_risk"])
    if exact is not None:
        label = "exact given X, mean of the same draws"
        first = first.with_marks(exact_line(exact["time"], exact["excess_risk"], kit.LOOKS[1], label))
    return kit.picture(
        first.with_marks(kit.Now(t, value, kit.LOOKS[0])),
        *residuals,
        alt=f"The excess risk over time; at t = {t:.4g} it is {value:.4g}.",
    )


@app.function
def plane(
    curve: xr.Dataset, now: xr.Dataset, comparison: ts.Comparison | None, exact: xr.Dataset | None
) -> mo.Html:
    """The path of the student through the plane of R and Q."""
    look, (r, q) = kit.LOOKS[0], (float(now[name]) for name in ("R", "Q"))
    marks: list[kit.Mark] = [kit.Line(curve["R"], curve["Q"], look, "theory")]
    if comparison:
        seen = comparison.simulation
        errors = dict(error=seen["Q_stderr"], x_error=seen["R_stderr"])
        marks.append(kit.Points(seen["R"], seen["Q"], look, "simulation ± 1 standard error", **errors))
    if exact is not None:
        marks.append(exact_line(exact["R"], exact["Q"], kit.LOOKS[1], "exact given X"))
    marks.append(kit.Now(r, q, look, line=False))
    x = kit.Axis("alignment with the teacher R [1]", low=0, high=1.1)  # R may end at 1: room for its marker
    return kit.picture(
        kit.Panel(x, kit.Axis("modulated norm Q [1]", low=0), tuple(marks)),
        alt=f"The path of the student in the plane of R and Q; at time t they are {r:.4g} and {q:.4g}.",
    )


@app.function
def parts(
    curve: xr.Dataset,
    now: xr.Dataset,
    comparison: ts.Comparison | None,
    exact: xr.Dataset | None,
    clock: kit.Axis,
) -> mo.Html:
    """Bias and variance of each scale over time, and the residuals of a simulation."""
    t = float(now["time"])
    marks: list[kit.Mark] = [kit.Now(t)]
    residuals: list[kit.Mark] = []
    chance = 0.0
    for i, (scale, part) in enumerate((s, p) for p in ("bias", "variance") for s in (0, 1)):
        look, label = kit.LOOKS[i], f"{part}, {('fast', 'slow')[scale]} features"
        last = i == 3  # in the legend
        marks.append(kit.Line(curve["time"], curve[part].isel(scale=scale), look, label))
        if comparison:
            mean, error = (comparison.simulation[each].isel(scale=scale) for each in (part, f"{part}_stderr"))
            key = "simulation ± 1 standard error" if last else ""
            marks.append(kit.Points(mean["time"], mean, look, key, error=error))
        if exact is not None:
            given = exact[part].isel(scale=scale)
            marks.append(exact_line(given["time"], given, look, "exact given X" if last else ""))
        if comparison and part in comparison.verdicts:
            gap = comparison.residuals[part].isel(scale=scale)
            residuals.append(kit.Points(gap["time"], gap, look))
            chance = max(chance, comparison.verdicts[part].threshold)
    panels = [kit.Panel(clock, kit.Axis("parts of the excess risk [output²]", low=0), tuple(marks))]
    if chance:
        panels.append(kit.residuals(clock, chance, *residuals))
    return kit.picture(
        *panels, alt="Bias and variance of each scale over time; the table shows their values at time t."
    )


@app.function
def learned(eigenvalue: np.ndarray, dynamics: str, t: float, ridge: float, rate: float) -> np.ndarray:
    """The share of each direction that is learned at time t, by its eigenvalue."""
    held = eigenvalue + ridge
    if dynamics == "ridge":
        return eigenvalue / (held + 1 / t)
    left = np.exp(-held * t) if dynamics == "flow" else (1 - rate * held) ** t
    return eigenvalue / held * (1 - left)


@app.function
def eigenvalues(spectrum: xr.Dataset, at: np.ndarray, share: np.ndarray, t: float) -> mo.Html:
    """Density of the eigenvalues, and the share learned at time t along directions of eigenvalue `at`."""
    mu = spectrum["eigenvalue"]
    zeros = 100 * float(spectrum["zeros"])
    return kit.picture(
        kit.Panel(
            kit.Axis("eigenvalue μ of XᵀX [curvature]", "log"),
            kit.Axis("share of eigenvalues per e-fold; share learned [1]", low=0),
            (
                kit.Line(mu, mu * spectrum["density"], kit.LOOKS[0], "eigenvalues: μ ρ(μ)"),
                kit.Line(at, share, kit.LOOKS[1], f"learned at t = {t:.4g}"),
            ),
        ),
        alt=f"The density of the eigenvalues, in {spectrum.sizes['band']} bands, and the share of each "
        f"direction that is learned at t = {t:.4g}.",
        caption=f"{zeros:.3g} % of the eigenvalues are zero and are never learned." if zeros else "",
    )


@app.cell(hide_code=True)
def pictures(comparison, curve, dynamics, exact, rate, ridge, spectrum, time):
    _now = at_time(curve, time.value)
    _t = float(_now["time"])
    _clock = dict(
        flow="time t [1/curvature]",
        descent="time t = k [steps]",
        ridge="time t = 1/(ridge added) [1/curvature]",
    )
    _axis = kit.Axis(_clock[dynamics.value], "log")
    _mu = spectrum["eigenvalue"].values
    _at = np.geomspace(_mu[0], _mu[-1], 200)
    kit.abreast(
        risk(curve, _now, comparison, exact, _axis),
        plane(curve, _now, comparison, exact),
        parts(curve, _now, comparison, exact, _axis),
        eigenvalues(spectrum, _at, learned(_at, dynamics.value, _t, ridge.value, rate), _t),
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
        f"The risk is lowest at t = {float(curve['time'][_best]):.6g}: "
        f"{float(curve['excess_risk'][_best]):.4g}.",
    )
    return


@app.cell(hide_code=True)
def said(comparison):
    _parts = {part: f"{part}, fast and slow features" for part in ("bias", "variance")}
    kit.verdict(comparison, names=_parts)
    return


@app.cell(hide_code=True)
def again(alpha, asked, dynamics, fast, given, kappa, noise, ridge, simulated, time):
    kit.again(
        dict(dynamics=dynamics, time=time, kappa=kappa, alpha=alpha, fast=fast, noise=noise, ridge=ridge),
        asked,
        simulated,
        given,
    )
    return


if __name__ == "__main__":
    app.run()
