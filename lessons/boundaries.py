"""Lesson 4: Reading a phase diagram and finding its boundary."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 4: Reading a phase diagram and finding its boundary",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    from functools import cache
    from typing import Any

    import marimo as mo
    import numpy as np
    import xarray as xr
    from scipy.interpolate import BarycentricInterpolator

    import teacherstudent as ts
    from teacherstudent.lessons import kit
    from teacherstudent.lessons.pages.bisected import bisected

    ALPHAS = [1.1, 1.25, 1.5, 1.8, 2.3, 3.0]
    NOISES = [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]
    ALONG = np.linspace(3**-0.5, 1.1**-0.5, 25)[::-1] ** -2  # examples per feature along a boundary
    CURVES = {"flow": "gradient flow", "ridge": "ridge regression", "printed": "printed formulas"}
    BEYOND = np.array([0.05, 0.1, 0.2, 0.4, 0.7, 1.0])  # relative distances beyond a boundary


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Reading a phase diagram and finding its boundary

    **The question.** In Lesson 3 the error descended once if all features were equally strong, and twice if
    their strengths differed by a factor of 50. There is a boundary between the two cases. Where exactly? How
    accurately can this boundary be determined? Is the boundary a property of learning, or of the curve?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("boundaries")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    A phase diagram divides a plane of parameters into phases. Here a phase is a *whole number*: the number of
    descents of the excess risk (Eq. 4.2.6) during training, which is one plus the number of maxima. Let
    $x = \ln s$ be the logarithm of the training time. A minimum and a maximum appear together when the
    condition number $\kappa$, the ratio of the strengths, passes a critical value $\kappa_c$. At $\kappa_c$
    the curve has an inflection point with zero slope:

    $$ L_G'(x) = 0, \qquad L_G''(x) = 0 \qquad \text{at } \kappa = \kappa_c $$

    Just beyond $\kappa_c$ the slope near that point is a parabola whose top is above zero,

    $$ L_G'(x) \approx a\, (\kappa - \kappa_c) - b\, (x - x_c)^2 $$

    so the distance between minimum and maximum grows as $(\kappa - \kappa_c)^{1/2}$, and the rise between
    them grows as $(\kappa - \kappa_c)^{3/2}$. This has two consequences:

    - **The number of descents jumps.** Theory can count the descents on both sides, so *bisection* finds the
      boundary: count in the middle, keep the half in which the number changes, and repeat.
    - **The rise starts flat.** The eye or a simulation detects a rise only beyond the boundary, at a larger
      $\kappa$.

    **Three conventions.** The boundary depends on the curve. The curve can be gradient flow over its time
    $s$, ridge regression over the inverse of its ridge (Eqs. 4.2.21-4.2.22), or the printed formulas for the
    same ridge (Eqs. 4.2.13-4.2.16), which are an approximation. Gradient flow and ridge regression are exact
    here, and their boundaries differ.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("boundaries")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it: by eye, then by bisection

    1. **By eye.** You begin at $\kappa = 8.9$, where the error of gradient flow rises in the left picture.
       Reduce $\kappa$ until you no longer see a rise. Write down your $\kappa$. Then look at the slope in
       the right picture, and correct your $\kappa$.
    2. **By bisection.** Choose *found by bisection*. The pictures then show the boundaries, and the text
       gives $\kappa_c$ for your $\alpha$.
    3. **By simulation.** Move $\kappa$ slightly above $\kappa_c$. Can a simulation detect the rise?
    """)
    return


@app.cell
def _():
    kappa = kit.slider("condition number κ [1]", steps=kit.log_steps(2, 50, 20), value=8.9)
    alpha = kit.slider("examples per feature α [1]", steps=ALPHAS, value=1.1)
    noise = kit.slider("label noise σ [output]", steps=NOISES, value=0.0)
    boundaries = kit.choice(
        "boundaries",
        {"hidden": "hidden, to search by eye", "bisected": "found by bisection"},
        "hidden",
        name="boundaries",
    )
    simulate = kit.simulate_button()
    kit.controls(kappa=kappa, alpha=alpha, noise=noise, boundaries=boundaries, simulate=simulate)
    return alpha, boundaries, kappa, noise, simulate


@app.function
def rise(answer: xr.Dataset) -> xr.Dataset:
    """Change of the excess risk between its two times."""
    change = answer["excess_risk"].diff("time").drop_vars("time")
    attrs = {"symbol": "ΔE", "long_name": "rise from minimum to maximum", "units": "output^2"}
    return xr.Dataset({"rise": change.assign_attrs(attrs)}, attrs=answer.attrs)


@app.cell
def _(noise):
    # 70 of 100 features are fast, as in Fig. 4.
    shape: dict[str, Any] = dict(problem="multiscale", d=100, p=70, noise=noise.value)
    return (shape,)


@app.cell
def _(alpha, kappa, shape):
    here = dict(shape, kappa=kappa.value, alpha=alpha.value)
    times: Any = np.geomspace(0.3, 1e4, 181)
    learners = xr.Variable("learner", ["flow", "ridge"])
    _exact = [ts.curve(dynamics=each, route="asymptotic", times=times, **here) for each in learners.values]
    risks = xr.concat([each["excess_risk"] for each in _exact], learners).to_dataset()
    printed = ts.curve(dynamics="ridge", route="printed", times=times, **here)["excess_risk"]
    return here, learners, printed, risks


@app.cell
def _(here, learners, simulate):
    def _simulated(rate=0.002):
        """100 students trained and regressed, and the rise of the trained ones, against theory."""

        def _pair(dynamics, times):
            """Simulation and theory of that dynamics at those times."""
            drawn: dict[str, Any] = dict(dynamics=dynamics, times=times)
            if dynamics == "flow":
                drawn = dict(dynamics="descent", learning_rate=rate, times=np.rint(times / rate))
            claimed = ts.curve(dynamics=dynamics, route="asymptotic", times=times, **here)
            seen = ts.sample(route="simulation", seeds=100, **drawn, **here)
            return seen.assign_coords(time=claimed["time"]), claimed

        times = rate * np.rint(np.geomspace(0.5, 5e3, 18) / rate)
        pairs = zip(*(_pair(each, times) for each in learners.values), strict=True)
        curves = [xr.concat([one["excess_risk"] for one in each], learners).to_dataset() for each in pairs]
        ends = ts.turns(curve="flow", **here)["time"].values[:2]
        return (
            # Below a standard error of 0.001 the biases of finite steps and sizes would dominate.
            ts.compare(*curves, resolvable=1e-3),
            ts.compare(*(rise(each) for each in _pair("flow", ends))) if ends.size == 2 else None,
        )

    comparison, risen = kit.on_demand(simulate, _simulated) or (None, None)
    return comparison, risen


@app.cell
def _():
    given: dict[str, Any] = bisected()  # by ts.onset, beforehand
    return (given,)


@app.cell
def _(boundaries, given, noise):
    boundary = None
    if boundaries.value == "bisected":
        _values = [given[each][given["noise"].index(noise.value)] for each in CURVES]
        boundary = xr.DataArray(_values, {"curve": list(CURVES), "alpha": ALPHAS}, ("curve", "alpha"))
    return (boundary,)


@app.function
def between(values) -> np.ndarray:
    """A boundary along `ALONG`: ln kappa_c is a polynomial in alpha^(-1/2) through its values at `ALPHAS`."""
    return np.exp(BarycentricInterpolator(np.power(ALPHAS, -0.5), np.log(values))(ALONG**-0.5))


@app.cell(hide_code=True)
def _(alpha, comparison, kappa, printed, risks):
    _s = kit.Axis("training time s, or 1/ridge [1/curvature]", "log")
    _risk, *_residuals = kit.curves(
        risks,
        "excess_risk",
        [CURVES["flow"], CURVES["ridge"]],
        across="learner",
        comparison=comparison,
        x=_s,
        y=kit.Axis("excess risk L_G [output^2]"),
    )
    _times = printed["time"]
    _logs = np.log(_times)
    _each = zip([*risks["excess_risk"], printed], CURVES.values(), kit.LOOKS, strict=False)
    _slopes = [
        kit.Line(_times, np.gradient(risk, _logs), look, name, dashed=risk is printed)
        for risk, name, look in _each
    ]
    _steepest = max(line.values("y").max() for line in _slopes)
    _zero = kit.Line(_times[[0, -1]], [0, 0], kit.Look("#7b8794", "cross"), width=1)
    kit.abreast(
        kit.picture(
            _risk.with_marks(kit.Line(_times, printed, kit.LOOKS[2], CURVES["printed"], dashed=True)),
            *_residuals,
            alt=f"Excess risk over time at κ = {kappa.value:g}, α = {alpha.value:g}, in three conventions.",
        ),
        kit.picture(
            kit.Panel(
                _s,
                kit.Axis(
                    "slope of the risk over ln s [output^2]", low=-0.045, high=max(0.045, 1.1 * _steepest)
                ),
                (_zero, *_slopes),
            ),
            alt=f"The slope of the risk over ln s, in three conventions; it is at most {_steepest:.3f}.",
            caption="Where the slope is above zero, the error rises.",
        ),
    )
    return


@app.cell
def _(here):
    turns = {curve: ts.turns(curve=curve, **here) for curve in CURVES}
    return (turns,)


@app.cell
def _(alpha, boundary, shape):
    heights = None
    if boundary is not None:
        _critical = boundary.sel(curve="flow", alpha=alpha.value).item()
        _beyond = [ts.turns(**shape | dict(alpha=alpha.value, kappa=(1 + b) * _critical)) for b in BEYOND]
        heights = np.array([np.diff(each["excess_risk"].values[:2])[0] for each in _beyond])
    return (heights,)


@app.cell(hide_code=True)
def _(alpha, boundary, heights, kappa, risen, turns):
    _marks: list[Any] = [kit.Now(kappa.value, alpha.value)]
    _law: list[Any] = []
    _told = (
        "To see the boundaries, choose: found by bisection.",
        "The rise is drawn here after you choose: found by bisection.",
        "An empty picture.",
    )
    if boundary is not None:
        _marks += [
            kit.Line(between(boundary.sel(curve=curve)), ALONG, look, name, dashed=curve == "printed")
            for (curve, name), look in zip(CURVES.items(), kit.LOOKS, strict=False)
        ]
        _here = kappa.value / boundary.sel(curve="flow", alpha=alpha.value).item() - 1
        _x, _y = np.append(0, BEYOND), np.append(0, heights)
        _ends = turns["flow"]["excess_risk"].values
        if _ends.size >= 2:
            _place = np.searchsorted(_x, _here)
            _x, _y = np.insert(_x, _place, _here), np.insert(_y, _place, _ends[1] - _ends[0])
        _fine = np.linspace(0, 1, 41)
        _power = heights[0] * (_fine / BEYOND[0]) ** 1.5
        _law = [
            kit.Line(_x, _y, kit.LOOKS[0], "gradient flow"),
            kit.Line(_fine, _power, kit.LOOKS[4], "power law 3/2 through the first point", dashed=True),
        ]
        if risen is not None:
            _law.append(
                kit.Points(
                    [_here],
                    risen.simulation["rise"],
                    kit.LOOKS[0],
                    "simulation ± 1 standard error",
                    risen.simulation["rise_stderr"],
                )
            )
        _told = (
            "The error descends once to the left of a curve's boundary and twice to the right.",
            f"At {1 + BEYOND[0]:g} times the critical κ the rise is only {heights[0]:.5f}.",
            f"At twice the critical κ the rise is {heights[-1]:.3f}.",
        )
    _map = kit.Panel(
        kit.Axis("condition number κ [1]", "log", 1.5, 60),
        kit.Axis("examples per feature α [1]", low=1, high=3.1),
        tuple(_marks),
    )
    _axes = kit.Axis("κ/κ_c − 1 [1]"), kit.Axis("rise from minimum to maximum [output^2]")
    kit.abreast(
        kit.picture(
            _map,
            alt="The plane of κ and α" + ("." if boundary is None else ", with three boundaries."),
            caption=f"The dot marks your settings. {_told[0]}",
        ),
        kit.picture(kit.Panel(*_axes, tuple(_law)), alt=_told[2], caption=_told[1]),
    )
    return


@app.cell(hide_code=True)
def _(comparison, risen):
    kit.verdict(comparison, risen)
    return


@app.cell(hide_code=True)
def _(alpha, boundary, given, kappa, noise, turns):
    _counts = {name: 1 + int((~turns[curve]["is_minimum"]).sum()) for curve, name in CURVES.items()}
    _counted = ", ".join(f"{name} {count}" for name, count in _counts.items())
    _found = "To see the boundaries, choose: found by bisection."
    if boundary is not None:
        _critical = boundary.sel(alpha=alpha.value).to_series()
        _where = ", ".join(f"{_critical[curve]:#.3g} ({name})" for curve, name in CURVES.items())
        _found = (
            f"Double descent starts at $\\kappa_c =$ {_where}, with relative accuracy {given['accuracy']:g}. "
            f"The two exact values differ by a factor of {_critical['ridge'] / _critical['flow']:.2f}: "
            "a boundary can be accurate to many digits, but only for one stated convention."
        )
    kit.text(rf"""
    At $\kappa =$ {kappa.value:g}, $\alpha =$ {alpha.value:g} and $\sigma =$ {noise.value:g} the numbers of
    descents are: {_counted}. {_found}
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **Where the theory ends.** $\kappa_c$ holds for the mean over many students in the limit of many features.
    For a single student the boundary is different. A simulation can only test whether the *rise* agrees with
    theory: close to $\kappa_c$ the rise is smaller than any standard error.
    """)
    return


@app.function
def descents(risk: Any) -> int:
    """Number of descents of a sampled curve (T,) that falls at first; changes below 1e-9 are rounding."""
    change = np.diff(risk)
    change = change[np.abs(change) > 1e-9]
    return 1 + int(np.sum((change[:-1] > 0) & (change[1:] < 0)))


@app.function
@cache
def descents_of(p: int) -> int:
    """Descents of gradient flow where p of 100 features are fast."""
    question: dict[str, Any] = dict(times="0.3:1e4:161", alpha=1.1, d=100, p=p, kappa=6)
    return descents(ts.curve("multiscale", dynamics="flow", route="asymptotic", **question)["excess_risk"])


@app.cell(hide_code=True)
def _(noise, risks):
    _flow = risks["excess_risk"].sel(learner="flow")
    _flow = _flow[_flow > 1e-6]  # the root of less would be rounding
    _shown = {
        "the risk": _flow,
        "its square root": np.sqrt(_flow),
        "risk plus label noise": _flow + noise.value**2 / 2,
    }
    _told = ", ".join(f"{name}: {descents(values)}" for name, values in _shown.items())
    _first_values = dict(told=_told)
    _counts = ", ".join(f"{descents_of(p)} at $p =$ {p}" for p in (20, 60, 95))
    kit.exercises("boundaries", _first_values, dict(counts=_counts))
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("boundaries")
    return


if __name__ == "__main__":
    app.run()
