"""Lesson 14: Why the weights of SGD have heavy tails."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 14: Why the weights of SGD have heavy tails",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    import warnings
    from typing import Any

    import marimo as mo
    import numpy as np
    import xarray as xr
    from scipy.optimize import brentq
    from scipy.special import gamma, gammaincc

    import teacherstudent as ts
    from teacherstudent.lessons import kit


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Why the weights of SGD have heavy tails

    **The question.** Inputs, label noise and initial weights are Gaussian, the student is linear, and the
    loss is quadratic. Nothing in this model has heavy tails. Yet after long training with a fixed step size
    the distribution of the weights has power-law tails. Even the variance can be infinite, although training
    is stable. Where do the tails come from, and how do they depend on step size and batch size?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("tails")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    Labels are $y = a \cdot w^* + \xi$, with $d$ inputs $a$ and noise $\xi$ of variance 1. A step of size
    $\eta$ on the mean loss of $b$ new examples (Eqs. 2.9-2.10 of roburin2022) changes $v = w - w^*$ to

    $$ v' = M v + q $$

    $$ M = I - \frac{\eta}{b} A^\top A, \qquad q = \frac{\eta}{b} A^\top \xi $$

    where the rows of $A$ are the $b$ examples. For small steps one usually replaces $M$ by its mean and $q$
    by Gaussian noise. Then the weights converge to the Gibbs distribution $e^{-\beta L}$ (Eq. 4.2.20, up to
    first order in $\eta$). This distribution is Gaussian, here with variance $\eta/(2b)$ for each weight. But
    this approximation ignores that **$M$ is random too.** Most steps shorten $v$, and some steps with large
    inputs lengthen it. The probability of $k$ lengthening steps in a row falls exponentially in $k$, and the
    length of $v$ grows exponentially with $k$. Together they give a power law.

    **One step.** All directions of $v$ are equivalent. With $X \sim \chi^2_b$ and $Y \sim \chi^2_{d-1}$

    $$ \lvert M u \rvert^2 = V = \Bigl(1 - \frac{\eta}{b} X\Bigr)^2 + \frac{\eta^2}{b^2} X Y $$

    for every unit vector $u$. So the moment of order $s$ of a product of steps is a power of one function:

    $$ h(s) = \mathbb E\, V^{s/2}, \qquad \rho = h'(0) = \tfrac12\, \mathbb E \ln V $$

    Training is **stable** if the Lyapunov exponent $\rho$ is negative: then typical lengths shrink. As
    $\ln h$ is convex and is 0 at $s = 0$, it returns to 0 exactly once, at the **tail index** $\alpha$
    (Kesten 1973):

    $$ h(\alpha) = 1, \qquad P(\lvert v \rvert > t) \sim C\, t^{-\alpha} $$

    Moments of order below $\alpha$ are finite, and moments of higher order are infinite. For $s = 2$:

    $$ h(2) = 1 - 2 \eta + \eta^2\, \frac{b + d + 1}{b} $$

    $$ \eta_{\mathrm{var}} = \frac{2b}{b + d + 1} $$

    For $\eta \ge \eta_{\mathrm{var}}$ the variance is infinite. But training is stable and has a stationary
    distribution up to $\eta_{\max}$, where $\rho = 0$.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("tails")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    Increase $\eta$ at a fixed batch size, and watch where $\ln h$ returns to 0. Then double the batch size,
    or the step size, or both. One simulation measures the order at which moments of products of drawn
    steps neither grow nor shrink. This measurement does not use the sizes of the weights. The other
    simulation trains twenty thousand students and counts how many are far from the teacher.
    """)
    return


@app.cell
def _():
    eta = kit.slider("step size η [1/input²]", kit.log_steps(0.1, 2), 0.5)
    batch = kit.slider("batch size b [1]", [1, 2, 3, 5, 10], 2)
    inputs = kit.slider("inputs d [1]", [1, 2, 3, 5, 10], 3)
    measure = kit.simulate_button("Simulate steps")
    train = kit.simulate_button("Simulate students")
    kit.controls(eta=eta, batch=batch, inputs=inputs, measure=measure, train=train)
    return batch, eta, inputs, measure, train


@app.function
def stationary(b: int, d: int, rates, ask=ts.curve, **options) -> xr.Dataset:
    """Tail index and Lyapunov exponent at step sizes; the index is NaN where there is no stationary law."""
    asked = dict(dynamics="stationary", route="exact", batch=b, d=d, times=rates) | options
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the lesson says in words where there is no index, or no mean square
        return ask("heavy-tails", **asked)[["tail_index", "lyapunov"]]


@app.function
def largest(b: int, d: int) -> float:
    """The step size at which rho is 0."""
    critical = 2 * b / (b + d + 1)  # rho < 0 there: mean squares stay
    return float(brentq(lambda rate: stationary(b, d, [rate])["lyapunov"].item(), critical, 3, xtol=1e-13))


@app.function
def shares(b: int, d: int) -> np.ndarray:
    """Step sizes from a fifth of the critical one to just below the largest."""
    critical, end = 2 * b / (b + d + 1), largest(b, d)
    window = critical + (end - critical) * np.array([0.2, 0.4, 0.6, 0.8, 0.95])
    return np.concatenate([np.geomspace(critical / 5, critical, 13), window])


@app.function
def beyond(t, eta: float, b: int, d: int) -> np.ndarray:
    """The share of students beyond distances t by the Gibbs distribution."""
    return gammaincc(d / 2, np.asarray(t) ** 2 * b / eta)


@app.function
def leaves(eta: float, b: int, d: int, alpha: float) -> float:
    """The distance at which the Gibbs distribution falls as steeply as t^-alpha."""

    def steeper(log_x: float) -> float:
        x = np.exp(log_x)  # t^2 b/eta
        return 2 * x ** (d / 2) * np.exp(-x) / gamma(d / 2) - alpha * gammaincc(d / 2, x)

    return float(np.sqrt(np.exp(brentq(steeper, -40, 6, xtol=1e-13)) * eta / b))


@app.function
def students(eta: float, b: int, d: int, count: int, steps: int) -> np.ndarray:
    """Distances of students from the teacher after this many steps of SGD."""
    random = np.random.Generator(np.random.SFC64(0))
    v = np.zeros((count, d))
    for _ in range(steps):
        A, noise = random.standard_normal((count, b, d)), random.standard_normal((count, b))
        v -= eta / b * np.einsum("cbd,cb->cd", A, np.einsum("cbd,cd->cb", A, v) - noise)
    return np.linalg.norm(v, axis=1)


@app.cell
def _(batch, eta, inputs):
    law = stationary(batch.value, inputs.value, [eta.value]).isel(time=0)
    alpha, rho = law["tail_index"].item(), law["lyapunov"].item()
    _most = 4.0 if np.isnan(alpha) else max(4.0, 1.3 * alpha)
    growth = ts.curve(
        "heavy-tails",
        dynamics="orders",
        route="exact",
        batch=batch.value,
        d=inputs.value,
        learning_rate=eta.value,
        times=np.linspace(0, _most, 61).tolist(),
    )
    return alpha, growth, rho


@app.cell
def _(batch, inputs):
    critical, end = 2 * batch.value / (batch.value + inputs.value + 1), largest(batch.value, inputs.value)
    over_steps = stationary(batch.value, inputs.value, shares(batch.value, inputs.value))
    twice = stationary(2 * batch.value, inputs.value, shares(2 * batch.value, inputs.value))
    return critical, end, over_steps, twice


@app.cell
def _(batch, critical, end, eta, inputs, measure, rho, train):
    def _measured():
        """The index and rho of drawn steps, at step sizes around the critical one."""
        b, d, window = batch.value, inputs.value, (end - critical) * np.array([0.3, 0.6])
        rates = np.concatenate([critical * np.array([0.7, 0.85, 1.0]), critical + window])
        options = dict(route="simulation", estimator="growth", chains=1000, seeds=16)
        return ts.compare(stationary(b, d, rates, ts.sample, **options), stationary(b, d, rates))

    def _counted():
        """Shares of students beyond distances, and their standard errors; None where SGD diverges."""
        if rho >= 0:
            return None
        sizes = students(eta.value, batch.value, inputs.value, 20_000, round(200 + 20 / eta.value))
        t = np.geomspace(0.1, 1000, 25)
        share = np.mean(sizes > t[:, None], axis=1)
        seen = (share * sizes.size >= 20) & (share < 1)
        return t[seen], share[seen], np.sqrt(share * (1 - share) / sizes.size)[seen]

    comparison = kit.on_demand(measure, _measured)
    counted = kit.on_demand(train, _counted)
    return comparison, counted


@app.cell(hide_code=True)
def _(alpha, batch, comparison, critical, eta, growth, over_steps, rho, twice):
    _b, _line = batch.value, kit.Look("#7b8794", "cross")
    _s = growth["time"].values
    _curve = kit.Panel(
        kit.Axis("order s [1]"),
        kit.Axis("ln h(s), growth of the moment of order s [1/step]"),
        (
            kit.Line([0, _s[-1]], [0, 0], _line, width=1),
            kit.Line(_s, growth["log_growth"].values, kit.LOOKS[0], "ln h"),
            *([] if np.isnan(alpha) else [kit.Now(alpha, 0.0, kit.LOOKS[1])]),
        ),
    )
    _rates = kit.Axis("step size η [1/input^2]", "log")
    _index, *_gaps = kit.curves(
        over_steps,
        "tail_index",
        [f"b = {_b}"],
        comparison=comparison,
        x=_rates,
        y=kit.Axis("tail index α [1]", "log"),
    )
    _index = _index.with_marks(
        kit.Line(twice["time"], twice["tail_index"], kit.LOOKS[2], f"b = {2 * _b}"),
        kit.Line(
            over_steps["time"], 1.79558 * _b / over_steps["time"], kit.LOOKS[4], "small steps", dashed=True
        ),
        kit.Now(eta.value, alpha, kit.LOOKS[1]),
    )
    _found = f"returns to 0 at the order {alpha:.3g}" if rho < 0 else "never returns to 0"
    kit.abreast(
        kit.picture(
            _curve,
            alt=f"ln h starts at 0 with the slope {rho:.3g} and {_found}.",
            caption="Moments of lower order are finite. The slope at 0 is the Lyapunov exponent.",
        ),
        kit.picture(
            _index,
            *_gaps,
            alt=f"The tail index falls with the step size η; it is 2 at η = {critical:.3g}.",
            caption="Dashed: the limit of small steps, α = 1.796 b/η for any d. Lines end near the largest "
            "stable step.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(alpha, batch, comparison, counted, end, eta, inputs, over_steps, rho):
    _b, _d = batch.value, inputs.value
    _t = np.geomspace(0.1, 1000, 97)
    _gibbs = beyond(_t, eta.value, _b, _d)
    _gibbs[_gibbs < 1e-9] = np.nan  # far below the picture
    _marks: list[kit.Mark] = [kit.Line(_t, _gibbs, kit.LOOKS[4], "Gibbs, Eq. 4.2.20", dashed=True)]
    if rho < 0:
        _from = leaves(eta.value, _b, _d, alpha)
        _height = beyond(_from, eta.value, _b, _d)
        _power = np.where(_t >= _from, _height * (_t / _from) ** -alpha, np.nan)
        _marks.append(kit.Line(_t, _power, kit.LOOKS[0], "power law (only the slope −α is predicted)"))
    if counted is not None:
        _at, _share, _error = counted
        _marks.append(kit.Points(_at, _share, kit.LOOKS[1], "20 000 simulated students", error=_error))
    _far = kit.Panel(
        kit.Axis("distance from the teacher t [1]", "log", low=0.1, high=2000),
        kit.Axis("share of students beyond t [1]", "log", low=1e-4, high=1),
        tuple(_marks),
    )
    _rho, *_gaps = kit.curves(
        over_steps,
        "lyapunov",
        [f"b = {_b}"],
        comparison=comparison,
        x=kit.Axis("step size η [1/input^2]", "log"),
        y=kit.Axis("Lyapunov exponent ρ [1/step]"),
    )
    kit.abreast(
        kit.picture(
            _far,
            alt=f"The share of students beyond a distance, at η = {eta.value:g}.",
            caption="A power law is a straight line here. The Gibbs distribution falls much faster.",
        ),
        kit.picture(
            _rho.with_marks(kit.Now(eta.value, rho, kit.LOOKS[1])),
            *_gaps,
            alt=f"The Lyapunov exponent falls with the step size, rises again, and is 0 at η = {end:.3g}.",
            caption=f"Lengths shrink if ρ is negative. Training is stable up to η = {end:.3g}.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(comparison):
    kit.verdict(comparison, names={"tail_index": "tail index", "lyapunov": "Lyapunov exponent"})
    return


@app.cell(hide_code=True)
def _(alpha, critical, end, eta, rho):
    _said = (
        "SGD diverges: the weights have no stationary distribution"
        if rho >= 0
        else f"the tail index is {alpha:.3g}, so "
        + ("the weights have infinite variance" if alpha <= 2 else "the weights have finite variance")
    )
    kit.text(rf"""
    At $\eta =$ {eta.value:g}, $\rho =$ {rho:.3g} and {_said}. The variance becomes infinite
    at $\eta_{{\mathrm{{var}}}} =$ {critical:.3g}, and training is stable up to $\eta_{{\max}} =$ {end:.3g}.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **Step size and batch size.** For small steps the tail index depends only on $\eta/b$. If you double
    $\eta$ and $b$, $\alpha$ does not change. If the tails are heavy, $\alpha$ depends on $\eta$ and $b$
    separately, and also on $d$. A larger batch size makes tails lighter if $\alpha \ge 1$. For $\alpha < 1$
    this is not always true.

    **Where the theory ends.** Inputs are Gaussian, have the same variance, and are new in each step. The loss
    is quadratic everywhere. A real network has a different curvature far from its minimum. For the power law
    the theory gives the exponent, but not the height, except at $\alpha = 2$.
    """)
    return


@app.cell(hide_code=True)
def _():
    def _after(steps):
        """Excess risk and typical logarithm of distances after this many steps."""
        asked: dict[str, Any] = dict(
            dynamics="sgd", route="exact", batch=2, d=3, learning_rate=0.79, noise=0.0
        )
        made = ts.curve("heavy-tails", times=[0, steps], **asked)
        return made["excess_risk"].values, made["log_separation"].values

    (_first, _last), (_, _log) = _after(300)
    _first_values = dict(first=_first, last=_last, log=_log)
    _window = {d: largest(1, d) / (2 / (d + 2)) - 1 for d in (1, 10, 100)}
    kit.exercises(
        "tails",
        _first_values,
        dict(at_1=_window[1], at_10=_window[10], at_100=_window[100], claimed=12 / 102**2),
    )
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("tails")
    return


if __name__ == "__main__":
    app.run()
