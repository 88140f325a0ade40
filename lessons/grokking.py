"""Lesson 18: Why a student generalises long after it has fitted its training set."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 18: Why a student generalises long after it has fitted its training set",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    from typing import Any

    import marimo as mo
    import numpy as np
    import xarray as xr
    from scipy.optimize import brentq

    import teacherstudent as ts
    from teacherstudent.lessons import kit

    # The theory is the limit of many features. A thousand features give alpha to three digits.
    MANY: dict[str, Any] = dict(problem="multiscale", scales=((1000, 1.0),))
    FLOW: dict[str, Any] = dict(
        dynamics="flow", route="quadrature", observable=["generalisation", "training"]
    )
    FEATURES = 100  # in a simulation
    TIMES = np.geomspace(0.1, 1e6, 71)
    ALWAYS = 1e12  # a time after which nothing changes
    FITTED, ABOVE = 0.01, 0.02  # level of the training error; of the test error above its final value
    RIDGES = kit.log_steps(1e-5, 1, 2)
    LEAST, MOST = 1e-4, 100.0  # ends of the axes of errors


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Why a student generalises long after it has fitted its training set

    **The question.** The training error becomes small early in training. The test error stays large, and
    falls only after a hundred times as many steps. This delay is called *grokking*. What does the student
    learn during this time, although its training error hardly changes?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("grokking")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    The model is the model of Lesson 2: a linear teacher labels $n$ examples with $d$ inputs of variance
    $1/d$, $y = w \cdot x + \varepsilon$ (Eq. 2.3.1), and $\alpha = n/d$. Two things are new. The student
    $\hat w$ starts at random weights of standard deviation $\sigma_0$, and the loss contains a ridge
    $\lambda$ (weight decay):

    $$ L = \tfrac12 \sum_{i=1}^n (y_i - \hat w \cdot x_i)^2 + \tfrac{\lambda}{2}\, \vert \hat w \vert^2 $$

    Let $\mu_i$ be the eigenvalues of $X^\top X$ (Lesson 2 calls them $\lambda_i$), and $\bar z_i$, $z_i$ the
    weights of the teacher and of the student along the eigenvectors. Without label noise,

    $$ z_i(s) = \underbrace{e^{-(\mu_i + \lambda) s}\, z_i(0)}_{\text{initial weights}} +
       \underbrace{\frac{\mu_i}{\mu_i + \lambda} \bigl(1 - e^{-(\mu_i + \lambda) s}\bigr)\, \bar z_i}_{\text{
       learned}} $$

    where $s = \eta k$ is the learning rate times the number of steps.

    **The row space and the null space.** The rows of $X$ span the *row space*. It contains the eigenvectors
    with $\mu_i > 0$. If $n < d$, the $d - n$ other eigenvectors have $\mu_i = 0$. They span the *null space*
    and are orthogonal to all rows. The training error does not depend on the weights in the null space, so
    the data do not change them. Only the ridge reduces them:

    $$ z_i(s) = e^{-\lambda s}\, z_i(0) \qquad (\mu_i = 0) $$

    **Two clocks.** In the row space the initial weights decay at the rate $\mu_i + \lambda$, in the null
    space at the rate $\lambda$. The eigenvalues $\mu_i > 0$ follow the Marchenko-Pastur law (Eq. 2.3.30). The
    smallest one is near $\mu_- = (1 - \sqrt\alpha)^2$. If $\lambda \ll \mu_-$, the training error falls long
    before the ridge matters.

    **The law.** A share $1 - \alpha$ of all directions is in the null space. Once the row space has
    converged,

    $$ E_\text{test}(s) = E_\text{ridge} + \sigma_0^2\, (1 - \alpha)\, e^{-2 \lambda s} $$

    where $E_\text{ridge}$ is the test error of ridge regression, the final value. The exponent contains a
    factor 2 because the error is quadratic in the weights. Let $t_2$ be the time at which the test error is
    $\delta$ above its final value:

    $$ t_2 = \frac{1}{2\lambda} \ln \frac{\sigma_0^2\, (1 - \alpha)}{\delta} $$

    Let $t_1$ be the time at which the training error falls below 0.01. It hardly depends on the ridge, so
    $t_2/t_1$ is proportional to $1/\lambda$. For gradient descent replace $e^{-2 \lambda s}$ by
    $(1 - \eta\lambda)^{2k}$ after $k$ steps.

    **Conditions.** The law needs $n < d$, a plateau $\sigma_0^2 (1 - \alpha)$ well above $E_\text{ridge}$,
    and $\lambda \ll \mu_-$. If one of them fails, do not use the law.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("grokking")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    Begin at $\lambda = 10^{-3}$. The vertical lines mark two times: at $t_1$ the training error falls below
    0.01, and from $t_2$ on the test error is at most $\delta = 0.02$ above its final value. Move the ridge
    and compare both times. Then change $\sigma_0$: it sets the height of the plateau, but $t_2$ changes only
    by a logarithm.

    **Three controls that must not grok.** Predict each of them first, then set it:

    1. initial weights $\sigma_0 = 0$: there is nothing to forget;
    2. more examples than features, $\alpha > 1$: there is no null space;
    3. no ridge, $\lambda = 0$: nothing reduces the weights in the null space.
    """)
    return


@app.cell
def _():
    ridge = kit.slider("ridge λ [curvature]", steps=[0.0, *RIDGES], value=1e-3)
    init = kit.slider(
        "standard deviation of initial weights σ₀ [1]", steps=[0.0, 0.5, 1.0, 2.0, 4.0, 8.0], value=2.0
    )
    alpha = kit.slider(
        "examples per feature α [1]", steps=[0.2, 0.5, 0.8, 0.9, 0.95, 1.05, 1.2, 2.0, 3.0], value=0.8
    )
    noise = kit.slider("label noise σ [output]", steps=[0.0, 0.1, 0.2, 0.3], value=0.0)
    simulate = kit.simulate_button()
    kit.controls(ridge=ridge, init=init, alpha=alpha, noise=noise, simulate=simulate)
    return alpha, init, noise, ridge, simulate


@app.function
def flow(times, **question: Any) -> xr.Dataset:
    """Errors of gradient flow in the limit of many features."""
    return ts.curve(times=times, **FLOW, **MANY, **question)


@app.function
def both_errors(answer: xr.Dataset) -> xr.Dataset:
    """The test error and the training error, as one variable over `examples`."""
    kinds = xr.Variable("examples", ["test", "training"])
    error = xr.concat([answer["generalisation_error"], answer["training_error"]], kinds)
    attrs = {"symbol": "E", "long_name": "error over time", "units": "output^2"}
    return xr.Dataset({"error": error.assign_attrs(attrs)}, attrs=answer.attrs)


@app.function
def final_error(**question: Any) -> float:
    """The test error of ridge regression; without a ridge the limit of a vanishing ridge."""
    return flow([ALWAYS], **question | dict(init=0.0))["generalisation_error"].item()


@app.function
def last_time_above(level: float, name: str, answer: xr.Dataset, **question: Any) -> float:
    """The time at which the error `name` falls below `level` for the last time; NaN if it does not."""
    above = np.flatnonzero(answer[name].values > level)
    if not above.size or above[-1] == TIMES.size - 1:
        return np.nan
    low, high = TIMES[above[-1] : above[-1] + 2]
    return brentq(lambda s: flow([s], **question)[name].item() - level, low, high, rtol=1e-10)


@app.function
def two_times(**question: Any) -> tuple[float, float]:
    """The times t1 and t2; NaN if a time does not exist."""
    answer, end = flow(TIMES, **question), final_error(**question)
    return (
        last_time_above(FITTED, "training_error", answer, **question),
        last_time_above(end + ABOVE, "generalisation_error", answer, **question),
    )


@app.function
def plateau(alpha: float, init: float) -> float:
    """The height of the plateau above the final error: initial weights in the null space."""
    return init**2 * max(0.0, 1 - alpha)


@app.function
def law(height: float, ridge: float) -> float:
    """The time t2 of the law for a plateau of this height; NaN if there is no such plateau or no ridge."""
    return np.log(height / ABOVE) / (2 * ridge) if height > ABOVE and ridge else np.nan


@app.cell
def _(alpha, init, noise, ridge):
    question: dict[str, Any] = dict(alpha=alpha.value, ridge=ridge.value, init=init.value, noise=noise.value)
    theory = flow(TIMES, **question)
    at_zero = flow(TIMES, **question | dict(init=0.0))
    end = final_error(**question)
    times = two_times(**question)
    height = plateau(alpha.value, init.value)
    return at_zero, end, height, question, theory, times


@app.cell
def _(alpha, init, noise):
    _others: dict[str, Any] = dict(alpha=alpha.value, init=init.value, noise=noise.value)
    _height = plateau(alpha.value, init.value)
    over_ridge = np.array([(*two_times(ridge=r, **_others), law(_height, r)) for r in RIDGES]).T
    return (over_ridge,)


@app.cell
def _(question, simulate):
    def _simulated(rate=0.002):
        """60 students of 100 features, trained step by step, against the theory."""
        steps = np.unique(np.rint(np.geomspace(0.2, 1e6, 24) / rate))
        descent = dict(dynamics="descent", route="simulation", times=steps, learning_rate=rate, seeds=60)
        few = question | dict(problem="multiscale", scales=((FEATURES, 1.0),))
        trained = ts.sample(observable=FLOW["observable"], **descent, **few)
        claimed = flow(rate * steps, **question)
        # Below a standard error of 0.002 the biases of finite steps and sizes would dominate.
        return ts.compare(
            both_errors(trained.assign_coords(time=rate * steps)), both_errors(claimed), resolvable=2e-3
        )

    comparison = kit.on_demand(simulate, _simulated)
    return (comparison,)


@app.cell(hide_code=True)
def _(alpha, at_zero, comparison, end, height, noise, over_ridge, question, ridge, theory, times):
    _s = kit.Axis("training time s [1/curvature]", "log", high=2e6)
    _null = height * np.exp(-2 * ridge.value * TIMES)
    _panel, *_residuals = kit.curves(
        both_errors(theory),
        "error",
        ["test error", "training error"],
        across="examples",
        comparison=comparison,
        x=_s,
        y=kit.Axis("error [output^2]", "log", LEAST, MOST),
    )
    _names = "t₁: fitted", "t₂: generalises"
    _marks = [
        kit.Line([at, at], [LEAST, MOST], look, name, width=1)
        for at, look, name in zip(times, kit.LOOKS[1::-1], _names, strict=True)
        if np.isfinite(at)
    ]
    _parts = [
        kit.Line(
            TIMES,
            at_zero["generalisation_error"] - noise.value**2,
            kit.LOOKS[3],
            "error of a student that starts at zero",
        )
    ]
    if question["init"]:
        _rows = (theory["generalisation_error"] - at_zero["generalisation_error"]).values - _null
        _seen = np.where(_rows > 1e-9, _rows, np.nan)  # below, the difference is rounding
        _parts.append(kit.Line(TIMES, _seen, kit.LOOKS[4], "initial weights in the row space"))
    if height:
        _marks.append(kit.Line(TIMES, end + _null, kit.LOOKS[2], "law", dashed=True))
        _parts.append(kit.Line(TIMES, _null, kit.LOOKS[2], "initial weights in the null space"))
    _t1, _t2 = (f"{at:.3g}" if np.isfinite(at) else "does not exist" for at in times)
    _lines = zip(over_ridge, kit.LOOKS[1::-1] + kit.LOOKS[2:3], ("t₁", "t₂", "law for t₂"), strict=True)
    _over = [kit.Line(RIDGES, y, look, name, dashed=name[0] == "l") for y, look, name in _lines]
    kit.abreast(
        kit.picture(
            _panel.with_marks(*_marks),
            *_residuals,
            alt=f"Training and test error over time. t1: {_t1}; t2: {_t2}.",
        ),
        kit.picture(
            kit.Panel(_s, kit.Axis("part of the test error [output^2]", "log", LEAST, MOST), tuple(_parts)),
            alt="Parts of the test error over time.",
            caption=f"A share {max(0.0, 1 - alpha.value):.2g} of all directions is in the null space.",
        ),
        kit.picture(
            kit.Panel(
                kit.Axis("ridge λ [curvature]", "log", 1e-5, 1),
                kit.Axis("time [1/curvature]", "log", 0.1, 1e6),
                (*_over, *([kit.Now(ridge.value)] if ridge.value else [])),
            ),
            alt="The times t1 and t2 over the ridge.",
            caption="A line ends where its time does not exist.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(comparison):
    kit.verdict(comparison)
    return


@app.cell(hide_code=True)
def _(alpha, end, height, ridge, theory, times):
    (_fitted, _general), _smallest = times, (1 - np.sqrt(alpha.value)) ** 2
    _train, _test = (theory[name][-1].item() for name in ("training_error", "generalisation_error"))
    _said = (
        f"The training error falls below 0.01 at $t_1 =$ {_fitted:.4g}."
        if np.isfinite(_fitted)
        else f"The training error ends at {_train:.3g}, above 0.01: $t_1$ does not exist."
    )
    if np.isfinite(_general):
        _said += f" The test error falls to 0.02 above its final value {end:.3g} at $t_2 =$ {_general:.5g}."
        _said += f" The ratio is $t_2/t_1 =$ {_general / _fitted:.3g}." if np.isfinite(_fitted) else ""
    elif _test > end + ABOVE:
        _said += f" The test error ends at {_test:.3g}, and from initial weights zero at {end:.3g}:"
        _said += " $t_2$ does not exist, because the plateau has no end."
    else:
        _said += f" The test error is never more than 0.02 above its final value {end:.3g}."
    if np.isfinite(_claim := law(height, ridge.value)):
        _said += f" The law gives $t_2 =$ {_claim:.5g}."
        if ridge.value > _smallest / 10:
            _said += f" The ridge is not far below the smallest curvature {_smallest:.2g}: do not rely on it."
    else:
        _said += (
            " The law does not apply: it needs a ridge, and a plateau more than 0.02 above the final error."
        )
    kit.text(_said)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **What the controls show.** With $\sigma_0 = 0$ both errors fall at about the same time. With $\alpha > 1$
    the test error may be late too, but the delay has another cause: the smallest eigenvalue $\mu_-$. A weaker
    ridge then does not lengthen the delay. With $\lambda = 0$ the student fits its examples and never
    generalises. With $\lambda = 0.1$ and $\alpha = 0.8$ the training error ends at 0.0123, so $t_1$ does not
    exist. Then there is no ratio $t_2/t_1$, and no value may be extrapolated.

    **Label noise.** The ridge removes the initial weights, but not the fitted noise. So the final error is
    not the lowest error: with $\sigma = 0.3$ and $\sigma_0 = 0$ the test error is lowest early in training.

    **Where the theory ends.** The student is linear. The law does not cover networks that learn features. The
    simulation has 100 features, and its means have a bias of order $1/d$, which is largest near $\alpha = 1$.
    If you plot the *accuracy* of a classifier instead of its error, the threshold alone can make a slow
    improvement look like a jump. Plot the error first.
    """)
    return


@app.cell(hide_code=True)
def _():
    _at = dict(alpha=0.8, ridge=1e-3, init=2.0)
    _, _t2 = two_times(**_at)
    _by_law = law(0.8, 1e-3)
    _doubled = two_times(**_at | dict(init=4.0))
    _modes: dict[str, Any] = dict(modes=[(20, 1, 1), (980, 0.01, 0)], noise=0, n=100, init=3, ridge=1e-3)
    _kappa = brentq(lambda k: 20 / (1 + k) + 980 * 0.01 / (0.01 + k) - 100, 1e-6, 1.0)
    _strong = ts.curve(
        "measured-spectrum",
        dynamics="flow",
        route="asymptotic",
        times=[10, 1e3, 3e3, 1e5],
        **_modes,
    )
    _early, _middle, _late, _last = _strong["generalisation_error"].values
    kit.exercises(
        "grokking",
        dict(law=_by_law, theory=_t2, steps=_by_law / 0.1, more=np.log(4) / 2e-3, doubled=_doubled[1]),
        dict(
            kappa=_kappa,
            plateau=9 * 100 * _kappa,
            early=_early,
            middle=_middle,
            late=_late,
            last=_last,
            late_law=_last + 900 * _kappa * np.exp(-2e-3 * 3e3),
            fitted=_strong["training_error"].values[0],
        ),
    )
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("grokking")
    return


if __name__ == "__main__":
    app.run()
