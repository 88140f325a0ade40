"""Lesson 13: Predicting the learning curve of your own rows."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 13: Predicting the learning curve of your own rows",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    from typing import Any

    import marimo as mo
    import numpy as np
    import xarray as xr
    from scipy.optimize import brentq
    from sklearn.datasets import load_digits

    import teacherstudent as ts
    from teacherstudent.lessons import kit


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Predicting the learning curve of your own rows

    **The question.** Lessons 2 to 8 drew their data from a known distribution. You have a table: measured
    rows and a target. How large will the error on new rows be, for a given number of rows and a given
    training time? Can you compute this error from the table before you train a student?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("rows")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    The pool has $P$ centred rows. A linear student learns $n$ of these rows by gradient flow from zero on
    half the **summed** squared error, and is tested on the other $P - n$ rows. Errors are mean squares,
    without a factor one half.

    **Two curves of the table.** The first curve is the eigenvalues $\lambda_k$ of the covariance: the
    strength of each direction. The second curve is the power $b_k$ of the target along each direction. A rest
    $b_0$ of the target is not a linear function of the columns, and acts as noise. A student with zero
    weights has the error $\sum_k b_k + b_0$, here 1.

    If $n$ drawn rows had the covariance of the pool, mode $k$ would be learned like $e^{-n \lambda_k s}$ (Eq.
    2.3.13 is the case of one student). But $n$ drawn rows have a wider spectrum than the pool, as in the
    Marchenko-Pastur law (Eq. 2.3.30). For $n$ drawn rows and a ridge $z$ **one number** $q$ describes this
    effect. The number $q$ gives the share $h_k$ of each mode that is not learned, and the number of degrees
    of freedom (dof) that the student uses:

    $$ h_k = \frac{1}{1 + q \lambda_k}, \qquad \mathrm{dof} = \sum_k (1 - h_k), \qquad
       q z \Bigl(1 - \frac{\mathrm{dof}}{P}\Bigr) = n - \mathrm{dof} $$

    Training for a time $s$ is equivalent to a sum of ridge regressions, with ridges $z$ on a contour in the
    complex plane. This sum is approximately equal to ridge regression with the single ridge $z = 1/s$. The
    errors depend only on products of two $h_k$ and on the two curves.

    **Without stopping**, $z \to 0$, the errors have closed forms. With $p$ columns, $\delta = n/P$ and label
    noise of variance $\sigma^2$ on each row,

    $$ E = \begin{cases} \dfrac{\sum_k b_k h_k^2 + b_0}{(1 - \delta)(1 - T)}
       + \sigma^2\, \dfrac{1 - 2 \delta + \delta T}{(1 - \delta)(1 - T)} & n < p \\[3ex]
       \dfrac{b_0}{(1 - p/n)(1 - p/P)} + \dfrac{\sigma^2}{1 - p/n} & n > p \end{cases} $$

    where $T = \frac1n \sum_k (1 - h_k)^2$, and $\mathrm{dof} = n$ for $n < p$. The error diverges at $n = p$
    from both sides. This is the peak of Lesson 8, here for measured columns.

    **One assumption.** Adding a row to the training set divides the error on this row by a factor
    $1 + \chi_i$. The theory assumes that all $\chi_i$ are equal. But the $\chi_i$ can be computed from the
    table. The **spread** of the $\chi_i$ is their standard deviation divided by one plus their mean. The
    spread shows how far to trust the theory.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("rows")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    The table is part of scikit-learn: 1797 handwritten digits of $8 \times 8$ pixels. The columns are the 46
    pixels that are not zero in at least a fifth of the rows, scaled so that their variances add up to 1.
    There are two targets, *odd or even* and *zero or not*, both scaled to variance 1.

    Begin with $n$: at which number of rows is long training worst? Then add label noise, and find when to
    stop.
    """)
    return


@app.cell
def _():
    n = kit.slider("training rows n [1]", [15, 20, 30, 40, 46, 55, 70, 100, 150, 200, 300, 500, 800], 100)
    noise = kit.slider("label noise σ [output]", [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0], 0.0)
    s = kit.slider("training time s [1/variance]", kit.log_steps(0.01, 1e4, 3), 10.0)
    vary_time = kit.simulate_button("Simulate times")
    vary_rows = kit.simulate_button("Simulate rows")
    kit.controls(n=n, noise=noise, s=s, vary_time=vary_time, vary_rows=vary_rows)
    return n, noise, s, vary_rows, vary_time


@app.cell
def _():
    _images, _digits = load_digits(return_X_y=True)
    _lit = _images[:, (_images != 0).mean(axis=0) >= 0.2]
    features = (_lit - _lit.mean(axis=0)) / np.sqrt(_lit.var(axis=0).sum())
    _told = {"odd or even": _digits % 2, "zero or not": _digits == 0}
    targets = {name: (each - each.mean()) / each.std() for name, each in _told.items()}
    return features, targets


@app.cell
def _(features, targets):
    def _table():
        """Everything that the theory needs of the table, and the leverages of the rows at each q."""
        rows = len(features)
        vectors, singular, _ = np.linalg.svd(features, full_matrices=False)
        eigenvalues = singular**2 / rows
        power = [(vectors.T @ each) ** 2 / rows for each in targets.values()]
        log_q = np.linspace(-4, 17, 211)
        learned = 1 - 1 / (1 + np.exp(log_q)[:, None] * eigenvalues)
        leverage = learned @ (vectors**2).T
        odds = leverage / (1 - leverage)
        return dict(
            rows=rows,
            names=list(targets),
            eigenvalues=eigenvalues.tolist(),
            power=[each.tolist() for each in power],
            rest=[1 - each.sum() for each in power],
            log_q=log_q.tolist(),
            odds=odds.mean(axis=1).tolist(),
            odds_scatter=odds.std(axis=1).tolist(),
        )

    given: dict[str, Any] = _table()
    return (given,)


@app.function
def root(given: dict[str, Any], n: float, z: float) -> tuple[float, np.ndarray]:
    """q at a ridge z >= 0, infinite where z = 0 and there are more rows than columns, and h_k."""
    eigenvalues = np.array(given["eigenvalues"])
    if z == 0 and n >= eigenvalues.size:
        return np.inf, np.zeros(eigenvalues.size)

    def excess(log_q: float) -> float:
        dof = np.sum(1 - 1 / (1 + np.exp(log_q) * eigenvalues))
        return np.exp(log_q) * z * (1 - dof / given["rows"]) - n + dof

    q = np.exp(brentq(excess, -60, 60, xtol=1e-14))
    return float(q), 1 / (1 + q * eigenvalues)


@app.function
def endless(given: dict[str, Any], task: int, n: float, noise: float) -> float:
    """The error without stopping, by the formulas above; infinite at n = p."""
    p, rows, delta = len(given["eigenvalues"]), given["rows"], n / given["rows"]
    if n == p:
        return np.inf
    if n > p:
        return (given["rest"][task] / (1 - p / rows) + noise**2) / (1 - p / n)
    _, h = root(given, n, 0)
    T = np.sum((1 - h) ** 2) / n
    missed = np.array(given["power"][task]) @ h**2 + given["rest"][task]
    return (missed + noise**2 * (1 - 2 * delta + delta * T)) / ((1 - delta) * (1 - T))


@app.function
def spread(given: dict[str, Any], n: float, s: float) -> float:
    """Spread of the rows at z = 1/s: standard deviation of chi over 1 + its mean."""
    q, h = root(given, n, 1 / s)
    share = np.sum(1 - h) / given["rows"]
    by = (1 - share) / (n / given["rows"] - share)  # P/(q z)
    mean, scatter = (np.interp(np.log(q), given["log_q"], given[name]) for name in ("odds", "odds_scatter"))
    return by * scatter / (1 + by * mean)


@app.cell
def _(features, targets):
    def answers(ask=ts.curve, **question) -> xr.Dataset:
        """Errors on new rows of both targets over `task`, by the system measured-spectrum."""
        question |= dict(task="regression", intercept="pool")
        told = [
            ask("measured-spectrum", features=features, targets=each, **question) for each in targets.values()
        ]
        errors = [each[["generalisation_error"]] for each in told]
        made = xr.concat(errors, xr.Variable("task", list(targets)), combine_attrs="override")
        made["generalisation_error"].attrs |= {"long_name": "error on new rows"}
        return made

    return (answers,)


@app.cell
def _(answers, n, noise):
    theory = answers(dynamics="flow", route="asymptotic", n=n.value, noise=noise.value, times="0.01:1e4:49")
    return (theory,)


@app.cell
def _(answers, noise, s):
    sizes = [12, 15, 18, 22, 27, 32, 37, 41, 46, 52, 58, 68, 80, 98, 120, 155, 200, 265, 350, 530, 800]
    _each = [
        answers(dynamics="flow", route="asymptotic", n=size, noise=noise.value, times=[s.value])
        for size in sizes
    ]
    over_rows = xr.concat(_each, xr.Variable("n", sizes), combine_attrs="override").isel(time=0, drop=True)
    return over_rows, sizes


@app.cell
def _(answers, n, noise, s, vary_rows, vary_time):
    def _trained(rows, times):
        """Students trained step by step on 60 subsets of the rows, and the limit of such steps."""
        rate = 0.1 / rows  # an eigenvalue of n rows is about n times one of the pool, these at most 0.15
        steps = np.unique(np.rint(np.array(times) / rate))
        asked = dict(dynamics="descent", n=rows, noise=noise.value, learning_rate=rate, times=steps)
        seen = answers(ts.sample, route="simulation", seeds=60, **asked).assign_coords(time=rate * steps)
        claimed = answers(route="asymptotic", **asked).assign_coords(time=rate * steps)
        return seen, claimed

    def _over_rows():
        """Students of several numbers of rows."""
        some = [18, 46, 80, 200, 800]
        pairs = zip(*(_trained(size, [s.value]) for size in some), strict=True)
        told = [
            xr.concat([e.isel(time=0, drop=True) for e in each], xr.Variable("n", some)) for each in pairs
        ]
        for each in told:
            each["generalisation_error"].attrs |= {"long_name": "error over the number of rows"}
        return ts.compare(*told)

    time_comparison = kit.on_demand(
        vary_time, lambda: ts.compare(*_trained(n.value, np.geomspace(0.02, 1e4, 14)))
    )
    rows_comparison = kit.on_demand(vary_rows, _over_rows)
    return rows_comparison, time_comparison


@app.cell(hide_code=True)
def _(given, n, noise, over_rows, rows_comparison, s, sizes, theory, time_comparison):
    _names = given["names"]
    _times = kit.Axis("training time s [1/variance]", "log")
    _course, *_gaps = kit.curves(
        theory,
        "generalisation_error",
        _names,
        across="task",
        comparison=time_comparison,
        x=_times,
        y=kit.Axis("error on new rows [output^2]", "log", low=0.2, high=10),
    )
    _learning, *_rest = kit.curves(
        over_rows,
        "generalisation_error",
        [f"{name}, stopped at s" for name in _names],
        along="n",
        across="task",
        comparison=rows_comparison,
        x=kit.Axis("training rows n [1]", "log"),
        y=kit.Axis("error on new rows [output^2]", "log", high=30),
    )
    _many = np.geomspace(sizes[0], sizes[-1], 120)
    _never = [
        kit.Line(
            _many, [endless(given, task, each, noise.value) for each in _many], look, f"{name}, not stopped"
        )
        for task, (name, look) in enumerate(zip(_names, kit.LOOKS[2:4], strict=True))
    ]
    _least = theory["generalisation_error"].min("time").values
    _peak = len(given["eigenvalues"])
    kit.abreast(
        kit.picture(
            _course.with_marks(kit.Now(s.value)),
            *_gaps,
            alt=f"The error on new rows over training time is at least {_least[0]:.3g} and {_least[1]:.3g}.",
            caption=f"Error over training time with n = {n.value} rows. The thin line marks s.",
        ),
        kit.picture(
            _learning.with_marks(*_never, kit.Now(n.value)),
            *_rest,
            alt=f"Without stopping, the error has a peak at n = {_peak}; with early stopping it has none.",
            caption=f"Error over the number of rows at s = {s.value:g}. The thin line marks n.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(rows_comparison, time_comparison):
    kit.verdict(time_comparison, rows_comparison)
    return


@app.cell(hide_code=True)
def _(given, n, noise, s, theory):
    _error = theory["generalisation_error"]
    _best = [each.isel(time=each.argmin("time")) for each in _error]
    _ends = [endless(given, task, n.value, noise.value) for task in (0, 1)]
    _said = ["it diverges" if np.isinf(each) else f"it goes to {each:.3g}" for each in _ends]
    _odd, _zero = ((each.item(), each["time"].item()) for each in _best)
    kit.text(rf"""
    At $n =$ {n.value} the error for the target *odd or even* has its minimum {_odd[0]:.3g} near $s =$
    {_odd[1]:.2g}. Without stopping {_said[0]}. The error for *zero or not* has its minimum {_zero[0]:.3g}
    near $s =$ {_zero[1]:.2g}. Without stopping {_said[1]}. The spread of the rows is
    {spread(given, n.value, s.value):.2g} at $s =$ {s.value:g}, and {spread(given, n.value, 1e4):.2g} at
    $s = 10^4$.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **How far to trust the prediction.** In every table tried, the formula was wrong by at most a few percent
    if the spread was below 0.1. Up to a spread of 0.2, use the formula as a rough estimate. Above a spread of
    0.4, trust only measured errors. These thresholds are measured, not derived. With fewer than 30 rows the
    large-system limit is poor for any spread. Residuals are measured in standard errors. Most residuals are
    positive because rows with unequal $\chi_i$ are harder to learn from.

    ## The two curves

    Both targets use the same pixels, so the eigenvalues are the same. The powers $b_k$ differ.
    """)
    return


@app.cell(hide_code=True)
def _(given, n, s):
    _eigenvalues, _modes = np.array(given["eigenvalues"]), np.arange(1, 47)
    _, _h = root(given, n.value, 1 / s.value)
    _k = kit.Axis("mode k [1]")
    _strong = kit.Panel(
        _k,
        kit.Axis("eigenvalue λ_k [variance]", "log"),
        (kit.Line(_modes, _eigenvalues, kit.LOOKS[4], "eigenvalues"),),
        height=110,
    )
    _left = kit.Panel(
        _k,
        kit.Axis("target not expressed by modes 1 to k [output^2]", low=0, high=1),
        tuple(
            kit.Line(_modes, 1 - np.cumsum(power), look, name)
            for power, look, name in zip(given["power"], kit.LOOKS, given["names"], strict=False)
        ),
        height=130,
    )
    _learned = kit.Panel(
        _k,
        kit.Axis("share learned, 1 − h_k [1]", low=0, high=1),
        (kit.Line(_modes, 1 - _h, kit.LOOKS[2], "share learned with the ridge 1/s"),),
        height=130,
    )
    kit.abreast(
        kit.picture(
            _strong,
            _left,
            alt=f"Eigenvalues fall from {_eigenvalues[0]:.2g} to {_eigenvalues[-1]:.2g}. "
            f"Linear functions do not express shares of {given['rest'][0]:.2f} and {given['rest'][1]:.2f}.",
            caption="The theory uses only the eigenvalues and these curves of the targets.",
        ),
        kit.picture(
            _learned,
            alt=f"The share learned falls with k; the shares sum to {np.sum(1 - _h):.3g} degrees of freedom.",
            caption=f"The shares sum to {np.sum(1 - _h):.3g} degrees of freedom, with n = {n.value} rows.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(features, targets):
    def _told(route, sampling):
        """The errors for odd or even at three times, of digits or of noise images in their place."""
        asked: dict[str, Any] = dict(features=features, targets=targets["odd or even"], task="regression")
        asked |= dict(seeds=10) if route == "instance" else {}
        asked |= dict(intercept="pool", dynamics="flow", n=100, times=[0.1, 3.0, 1000.0])
        made = ts.curve("measured-spectrum", route=route, sampling=sampling, **asked)
        return ", ".join(f"{each:.3f}" for each in made["generalisation_error"].values)

    _first_values = dict(
        instance_pool=_told("instance", "pool"),
        instance_population=_told("instance", "population"),
        asymptotic_pool=_told("asymptotic", "pool"),
        asymptotic_population=_told("asymptotic", "population"),
    )

    def _both(labels):
        """Errors on training rows and on new rows, over training on 100 rows."""
        asked: dict[str, Any] = dict(features=features, targets=labels, task="regression", n=100)
        asked |= dict(intercept="pool", dynamics="flow", route="asymptotic", times="0.01:1e4:49")
        made = ts.curve("measured-spectrum", **asked)
        return made["training_error"].values, made["generalisation_error"].values

    _labels = targets["odd or even"]
    _training, _true = _both(_labels)
    _fitted, _none = _both(np.random.default_rng(0).permutation(_labels))
    kit.exercises(
        "rows",
        _first_values,
        dict(
            fitted=_fitted[-1],
            training=_training[-1],
            none_least=_none.min(),
            true_least=_true.min(),
            none_end=_none[-1],
            true_end=_true[-1],
        ),
    )
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("rows")
    return


if __name__ == "__main__":
    app.run()
