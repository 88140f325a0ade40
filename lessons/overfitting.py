"""Lesson 2: How small eigenvalues cause overfitting."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 2: How small eigenvalues cause overfitting",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    from collections.abc import Iterable
    from typing import Any

    import marimo as mo
    import numpy as np
    import xarray as xr

    import teacherstudent as ts
    from teacherstudent.lessons import kit

    # The theory is the limit of many features: a thousand only serve to give alpha to three digits.
    MANY: dict[str, Any] = dict(problem="multiscale", scales=((1000, 1.0),))
    FLOW: dict[str, Any] = dict(
        dynamics="flow", route="quadrature", observable=["generalisation", "training"]
    )
    FEATURES = 100  # of a simulation


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # How small eigenvalues cause overfitting

    **The question.** During training on noisy data, the error on unseen data first falls and then rises. More
    data can also *increase* the error, if there are about as many examples as parameters. Why does the error
    rise at this number of examples, and only after long training?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("overfitting")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    A linear teacher labels $n$ examples with $d$ inputs each: $y = w \cdot x + \varepsilon$ (Eq. 2.3.1). Each
    input has the variance $1/d$, each weight of the teacher the variance 1, and the label noise the variance
    $\sigma^2$. For large $n$ and $d$ only the ratio $\alpha = n/d$ matters (Eq. 2.3.2). A linear student
    starts at zero and follows the gradient of half the summed squared error. (With Eq. 2.3.4, without the
    factor one half, training would be twice as fast.) The time is $s = \eta k$ (learning rate times steps).

    In the basis of eigenvectors of $X^\top X$ the modes are learned independently:

    $$ X^\top X = V \Lambda V^\top \tag{2.3.6} $$

    Let $\bar z_i$ be the teacher's weight along the eigenvector with eigenvalue $\lambda_i$, and $z_i$ the
    student's weight. Their difference is

    $$ \bar z_i - z_i = \bar z_i\, e^{-\lambda_i s} -
       \frac{\tilde\varepsilon_i}{\sqrt{\lambda_i}} \bigl(1 - e^{-\lambda_i s}\bigr) \tag{2.3.13} $$

    The error on unseen examples is the mean squared difference of the weights plus the label noise variance:

    $$ E_g = \frac1d \sum_i (\bar z_i - z_i)^2 + \sigma^2 \tag{2.3.14} $$

    In the average over teachers and noise, each mode contributes two terms:

    $$ E_g(s) = \sigma^2 + \frac1d \sum_i \Bigl[ \underbrace{e^{-2 \lambda_i s}}_{\text{not yet learned}} +
       \underbrace{\sigma^2\, \frac{(1 - e^{-\lambda_i s})^2}{\lambda_i}}_{\text{noise learned}} \Bigr] $$

    A mode with a small eigenvalue is **slow**, because it is learned in a time $1/\lambda$. Such a mode is
    also **noisy**: when it is learned, it contributes the noise $\sigma^2/\lambda$. Overfitting needs small
    eigenvalues and enough time to learn them. A mode with $\lambda = 0$ is never learned and adds no noise.

    For $n, d \to \infty$ the density of eigenvalues is given by the Marchenko-Pastur law

    $$ \rho(\lambda) = \frac{\sqrt{(\lambda_+ - \lambda)(\lambda - \lambda_-)}}{2\pi\lambda} +
       (1 - \alpha)_+\, \delta(\lambda) \tag{2.3.30} $$

    for eigenvalues between the two edges of the spectrum,

    $$ \lambda_\pm = (1 \pm \sqrt\alpha)^2 $$

    With few examples ($\alpha < 1$) some modes are orthogonal to all examples and have the eigenvalue zero.
    With many examples ($\alpha > 1$) there are no such modes. In both cases a gap separates the positive
    eigenvalues from zero. **At $\alpha = 1$ the gap closes.** In the limit $s \to \infty$ the error is

    $$ E_g(\infty) = \begin{cases} (1 - \alpha) + \sigma^2/(1 - \alpha) & \alpha < 1 \\
       \sigma^2 \alpha/(\alpha - 1) & \alpha > 1 \end{cases} $$

    which diverges at $\alpha = 1$ from both sides.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("overfitting")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    Begin at $\alpha = 1$ and increase the training time. Then move $\alpha$ away from 1, in either direction.
    The simulation draws data, trains students by gradient descent and measures their errors on unseen
    examples. It also draws matrices $X$ and makes histograms of the eigenvalues of $X^\top X$.
    """)
    return


@app.cell
def _():
    alpha = kit.slider(
        "examples per parameter α [1]",
        steps=[0.25, 0.35, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.4, 2.0, 2.8, 4.0],
        value=1.0,
    )
    sigma = kit.slider("label noise σ [output]", steps=np.linspace(0.1, 1, 10).round(1).tolist(), value=0.5)
    s = kit.slider("training time s [1/curvature]", steps=kit.log_steps(1, 1000, 5), value=100.0)
    simulate = kit.simulate_button()
    kit.controls(alpha=alpha, sigma=sigma, s=s, simulate=simulate)
    return alpha, s, sigma, simulate


@app.function
def both_errors(answer: xr.Dataset) -> xr.Dataset:
    """The error on unseen and that on training examples, as one variable over `examples`."""
    kinds = xr.Variable("examples", ["unseen", "training"])
    error = xr.concat([answer["generalisation_error"], answer["training_error"]], kinds)
    attrs = {"symbol": "E", "long_name": "error over time", "units": "output^2"}
    return xr.Dataset({"error": error.assign_attrs(attrs)}, attrs=answer.attrs)


@app.function
def over_alpha(answers: Iterable[xr.Dataset], alphas: list[float]) -> xr.Dataset:
    """Answers at one time, one for each alpha: their error on unseen examples over `alpha`."""
    attrs = {"symbol": "α", "long_name": "examples per parameter", "units": "1"}
    unseen = [each["generalisation_error"].isel(time=0, drop=True) for each in answers]
    return xr.concat(unseen, xr.Variable("alpha", alphas, attrs)).to_dataset()


@app.function
def histograms(alpha: float, d: int, edges: np.ndarray, draws: int = 20) -> xr.Dataset:
    """Density of the eigenvalues of each drawn X^T X between `edges`, the zeros of n < d left out."""
    rows = []
    for seed in range(draws):
        X = np.random.default_rng(seed).standard_normal((round(alpha * d), d)) / np.sqrt(d)
        eigenvalues = np.linalg.svd(X, compute_uv=False) ** 2
        rows.append(np.histogram(eigenvalues, edges)[0] / np.diff(edges) / d)
    attrs = {"symbol": "ρ", "long_name": "density of eigenvalues", "units": "1/curvature"}
    middles = (edges[1:] + edges[:-1]) / 2
    density = (("seed", "eigenvalue"), np.array(rows), attrs)
    return xr.Dataset({"density": density}, {"seed": np.arange(draws), "eigenvalue": middles})


@app.function
def law_between(alpha: float, edges: np.ndarray) -> xr.Dataset:
    """The mean of the Marchenko-Pastur density between `edges`, of which the first is 0."""
    law = ts.spectrum("multiscale", alpha=alpha, scales=((1000, 1.0),), eigenvalues=edges[1:])
    below = np.append(law["zeros"], law["share_below"])
    density = ("eigenvalue", np.diff(below) / np.diff(edges), law["density"].attrs)
    return xr.Dataset({"density": density}, {"eigenvalue": (edges[1:] + edges[:-1]) / 2})


@app.cell
def _(alpha, sigma):
    law = ts.spectrum(alpha=alpha.value, **MANY)
    errors = both_errors(ts.curve(times="0.1:1000:81", alpha=alpha.value, noise=sigma.value, **FLOW, **MANY))
    return errors, law


@app.cell
def _(alpha, s, sigma, simulate):
    def _answers(alpha, times, rate=0.002):
        """Errors of 50 students: trained step by step, and by theory."""
        question = dict(problem="multiscale", alpha=alpha, scales=((FEATURES, 1.0),), noise=sigma.value)
        steps = np.unique(np.rint(np.array(times) / rate))
        descent = dict(dynamics="descent", route="simulation", times=steps, learning_rate=rate, seeds=50)
        trained = ts.sample(observable=FLOW["observable"], **descent, **question)
        return trained.assign_coords(time=rate * steps), ts.curve(times=rate * steps, **FLOW, **question)

    def _simulated():
        """Drawn spectra, errors over alpha and errors over time, each compared with its theory."""
        edges = np.linspace(0, 1.1 * (1 + np.sqrt(alpha.value)) ** 2, 15)
        few = [0.5, 0.8, 1.0, 1.25, 2.0]
        at_few = zip(*(_answers(each, [s.value]) for each in few), strict=True)
        course = _answers(alpha.value, np.geomspace(0.2, 1000, 20))
        # Below a standard error of 0.002 the biases of finite steps and sizes would dominate.
        return (
            ts.compare(histograms(alpha.value, FEATURES, edges), law_between(alpha.value, edges)),
            ts.compare(*(over_alpha(each, few) for each in at_few), resolvable=2e-3),
            ts.compare(*(both_errors(each) for each in course), resolvable=2e-3),
        )

    spectra, peaks, courses = kit.on_demand(simulate, _simulated) or (None, None, None)
    return courses, peaks, spectra


@app.cell(hide_code=True)
def _(alpha, law, s, sigma, spectra):
    _lowest, _highest = law["band_edge"].values[0]
    _share = law["zeros"].item()
    _zeros = f"A share of {_share:.2g} of all eigenvalues is zero." if _share else "No eigenvalue is zero."
    _drawn = kit.curves(
        law,
        "density",
        ["Marchenko-Pastur law"],
        along="eigenvalue",
        comparison=spectra,
        x=kit.Axis("eigenvalue λ of X^T X [curvature]", low=0),
        y=kit.Axis("density of eigenvalues [1/curvature]", low=0, high=1.3 if _lowest < 0.05 else None),
    )
    _grid = np.geomspace(1e-4, 10, 101)
    _waiting = np.exp(-2 * _grid * s.value)
    _noise = sigma.value**2 * np.expm1(-_grid * s.value) ** 2 / _grid
    _worst, _most = _grid[_noise.argmax()], _noise.max()
    _cost = kit.Panel(
        kit.Axis("eigenvalue λ [curvature]", "log"),
        kit.Axis(f"squared error of a mode at s = {s.value:g} [output^2]", "log", 1e-3, 2e3),
        (
            kit.Line(_grid, _waiting, kit.LOOKS[0], "not yet learned"),
            kit.Line(_grid, _noise, kit.LOOKS[1], "noise learned"),
            kit.Now(1 / s.value),
        ),
    )
    _below = ts.spectrum(eigenvalues=_grid, alpha=alpha.value, **MANY)["share_below"]
    _shares = kit.Panel(
        kit.Axis("eigenvalue λ [curvature]", "log"),
        kit.Axis("share of modes below λ [1]", low=0, high=1.15),
        (kit.Line(_grid, _below, kit.LOOKS[2], "share of modes with a smaller eigenvalue"),),
        height=76,
    )
    kit.abreast(
        kit.picture(
            *_drawn,
            alt=f"The density of eigenvalues at α = {alpha.value:g}, from {_lowest:.2g} to {_highest:.2g}.",
            caption=f"Eigenvalues at α = {alpha.value:g}. The positive values are between {_lowest:.2g} and "
            f"{_highest:.2g}. {_zeros}",
        ),
        kit.picture(
            _cost,
            _shares,
            alt=f"Error of a mode over λ: the noise is largest near λ = {_worst:.2g}, at {_most:.3g}.",
            caption=f"A mode that has just been learned contributes most noise: here {_most:.3g}, at "
            f"λ = {_worst:.2g}. Modes far below λ = 1/s (thin line) contribute little noise.",
        ),
    )
    return


@app.cell
def _(s, sigma):
    _u = np.linspace(-1, 1, 41)
    _alphas = (4 ** (np.sign(_u) * np.abs(_u) ** 1.7)).round(3).tolist()  # closer together around 1
    peak = over_alpha(
        [ts.curve(times=[s.value], alpha=each, noise=sigma.value, **FLOW, **MANY) for each in _alphas],
        _alphas,
    )
    return (peak,)


@app.cell(hide_code=True)
def _(alpha, courses, errors, peak, peaks, s, sigma):
    _more, _fewer = np.geomspace(1.003, 4, 100), np.geomspace(0.25, 0.997, 100)
    _ever = np.concatenate([1 - _fewer + sigma.value**2 / (1 - _fewer), sigma.value**2 * _more / (_more - 1)])
    _at_s, *_residuals = kit.curves(
        peak,
        "generalisation_error",
        [f"trained for s = {s.value:g}"],
        along="alpha",
        comparison=peaks,
        x=kit.Axis("examples per parameter α [1]", "log"),
        y=kit.Axis("error on unseen examples [output^2]", "log", high=30),
    )
    _highest = float(peak["generalisation_error"].max())
    _course, *_gaps = kit.curves(
        errors,
        "error",
        ["unseen examples", "training examples"],
        across="examples",
        comparison=courses,
        x=kit.Axis("training time s [1/curvature]", "log", high=1500),
        y=kit.Axis(f"error at α = {alpha.value:g} [output^2]", low=0),
    )
    _least = errors["error"].sel(examples="unseen").min()
    kit.abreast(
        kit.picture(
            _at_s.with_marks(
                kit.Line(np.append(_fewer, _more), _ever, kit.LOOKS[1], "trained for s → ∞"),
                kit.Now(alpha.value),
            ),
            *_residuals,
            alt=f"The error over α after s = {s.value:g} is at most {_highest:.2f}.",
        ),
        kit.picture(
            _course.with_marks(kit.Now(s.value)),
            *_gaps,
            alt=f"Errors over time at α = {alpha.value:g}; on unseen examples at least {_least:.2f}.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(courses, peaks, spectra):
    _names = dict(
        density="density of eigenvalues",
        generalisation_error="error on unseen examples over α",
        error="error on unseen and training examples over time",
    )
    kit.verdict(spectra, peaks, courses, names=_names)
    return


@app.cell(hide_code=True)
def _(alpha, errors, s, sigma):
    _unseen = errors["error"].sel(examples="unseen")
    _best = _unseen.isel(time=_unseen.argmin("time"))
    _now = np.interp(s.value, errors["time"], _unseen)
    _slow = ts.spectrum(eigenvalues=[1 / s.value], alpha=alpha.value, **MANY)["share_below"].item()
    _course = (
        f"The error was lowest near $s =$ {_best.time:.2g}, at {_best:.3g}. Now it is {_now:.3g}."
        if _best.time < s.value
        else f"The error is {_now:.3g} and is still falling."
    )
    kit.text(rf"""
    At $\alpha =$ {alpha.value:g} and $\sigma =$ {sigma.value:g}, after $s =$ {s.value:g}: a share of
    {_slow:.2g} of the modes has $\lambda < 1/s$. These modes are not learned yet, or never will be. {_course}
    The error on the training examples does not show overfitting, because it only falls.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **Where the theory ends.** The theory is the limit of many features. In this limit the spectrum at
    $\alpha = 1$ reaches zero, but a square matrix of finite size has a smallest eigenvalue of order $1/d^2$.
    So students with $d$ features that are trained longer than $s \sim d^2$ deviate from the curve. The errors
    of these students also scatter strongly, because $1/\lambda$ of the smallest eigenvalue has no finite
    mean. Away from $\alpha = 1$ the mean is finite, with a bias of order $1/d$. The bias moves the markers
    above the line. The markers share the same draws and stay within the band. The model is linear with
    Gaussian inputs.
    """)
    return


@app.cell(hide_code=True)
def _(sigma):
    _noise, _more = sigma.value**2, 1.1
    _ends = _noise * (1 + FEATURES / (round(_more * FEATURES) - FEATURES - 1))  # mean of 1/λ: d/(n - d - 1)
    _limit = _noise * _more / (_more - 1)
    kit.text(rf"""
    An example of this bias at $\sigma =$ {sigma.value:g} and $\alpha =$ {_more:g}: for $s \to \infty$ the
    error with {FEATURES} features is {_ends:.3g} instead of {_limit:.3g}.
    """)
    return


@app.cell(hide_code=True)
def _():
    _long = ts.curve(times=[1e4, 4e4], alpha=1.0, noise=0.5, **FLOW, **MANY)["generalisation_error"].values
    _louder = ts.curve(times=[1e4], alpha=1.0, noise=1.0, **FLOW, **MANY)["generalisation_error"].item()
    _first_values = dict(
        first=_long[0],
        second=_long[1],
        ratio=_long[1] / _long[0],
        louder=_louder,
        louder_ratio=_louder / _long[0],
    )

    def _course(alpha):
        """The error on unseen examples up to s = 1000, at noise 0.5."""
        answer = ts.curve(times="0.1:1000:201", alpha=alpha, noise=0.5, **FLOW, **MANY)
        return answer["generalisation_error"].values

    _half, _equal = _course(0.5), _course(1.0)
    kit.exercises(
        "overfitting",
        _first_values,
        dict(half_end=_half[-1], equal_end=_equal[-1], half_least=_half.min(), equal_least=_equal.min()),
    )
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("overfitting")
    return


if __name__ == "__main__":
    app.run()
