"""Lesson 5: How one feature starves another."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 5: How one feature starves another",
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
    # How one feature starves another

    **The question.** Two features both predict the label, and the network could use both. Yet the network
    learns the strong feature and neglects the weak one. If the strong feature becomes stronger, the network's
    response to the weak feature becomes smaller. What does one feature take away from the other?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("starving")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    A wide network is linear in its parameters during training: $\hat y = \Phi_0 \theta$ (Eqs. 6.3.2-6.3.3).
    Let $Y$ have the labels $y_k = \pm 1$ on its diagonal. The **features** are the singular vectors of

    $$ Y \Phi_0 = U S V^\top $$

    Column $j$ of $U$ gives the amount of feature $j$ in each example, and $s_j$ is the strength of the
    feature. The network's **responses** to the features are

    $$ z = U^\top Y \hat y = S V^\top \theta \tag{6.3.4} $$

    Example $k$ has the margin $m_k = y_k \hat y_k = (U z)_k$. We take two examples and two features:

    $$ U = \begin{pmatrix} \sqrt{1 - \delta^2} & -\delta \\ \delta & \sqrt{1 - \delta^2} \end{pmatrix}
       \tag{6.3.15} $$

    For small $\delta$ example 1 contains mostly feature 1, and example 2 mostly feature 2. But example 2 also
    contains an amount $\delta$ of feature 1, which helps to classify it. Training follows the gradient of

    $$ \sum_k \ln\bigl(1 + e^{-m_k}\bigr) + \frac{\lambda}{2} \lVert \theta \rVert^2 \tag{6.3.5} $$

    An example contributes to the gradient in proportion to the slope of its loss. The slope is one half at
    first, and goes to 0 as the margin grows:

    $$ \alpha_k = \frac{1}{1 + e^{m_k}} $$

    **Feature 1 takes gradient from feature 2.** Feature 1 increases the margin of example 2, so the gradient
    of example 2 shrinks. But feature 2 needs this gradient: its response grows in proportion to
    $\sqrt{1 - \delta^2}\, \alpha_2 - \delta\, \alpha_1$. At the end of training

    $$ z^* = \frac{1}{\lambda}\, S^2 U^\top \alpha^* \tag{6.3.11} $$

    Feature 1 **starves** feature 2 if the response to feature 2 decreases with the strength of feature 1,

    $$ \frac{\partial |z_2^*|}{\partial (s_1^2)} < 0 \tag{6.3.16} $$

    (The paper prints Eq. 6.3.16 without the absolute value. But the sign of a singular vector is arbitrary,
    and so is the sign of its response.) Theorem 6.3.5 proves starvation for $s_1 > s_2$ and a small coupling
    $\delta > 0$.

    **A remedy.** Spectral decoupling penalises margins instead of parameters:

    $$ \sum_k \ln\bigl(1 + e^{-m_k}\bigr) + \frac{\lambda}{2} \sum_k m_k^2 \tag{6.3.17} $$

    This loss is a sum over margins. $\Phi_0$ has full rank, so all margins can be chosen freely. Each margin
    converges to the solution of $\lambda m_k = 1/(1 + e^{m_k})$, for any $U$ and $S$. No feature is starved.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("starving")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    Feature 2 has the strength $s_2 = 2$. Make feature 1 stronger. The simulation trains by stochastic
    gradient descent: each step uses one of the two examples, drawn at random.
    """)
    return


@app.cell
def _():
    s1 = kit.slider("strength of feature 1 s₁ [margin/weight]", [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0], 4.0)
    delta = kit.slider("coupling δ [1]", np.linspace(0, 0.9, 19).round(2).tolist(), 0.5)
    ridge = kit.slider("regulariser λ [curvature]", kit.log_steps(1e-3, 0.1, 4), 0.01)
    eta = kit.slider("learning rate η [1/curvature]", [0.001, 0.002, 0.005, 0.01, 0.02, 0.05], 0.001)
    simulate = kit.simulate_button()
    kit.controls(s1=s1, delta=delta, ridge=ridge, eta=eta, simulate=simulate)
    return delta, eta, ridge, s1, simulate


@app.function
def responses(z: Any, times: Any, decoupled: bool) -> xr.Dataset:
    """Responses z (time, feature), or (seed, time, feature) of several runs, with names and units."""
    method = "spectral decoupling" if decoupled else "ridge"
    attrs = {"symbol": "z_j", "long_name": f"response under {method}", "units": "margin"}
    clock = {"symbol": "t", "long_name": "training time", "units": "1/curvature"}
    dims = ("seed", "time", "feature")[-np.ndim(z) :]
    coords = {"time": ("time", times, clock), "feature": [1, 2]}
    runs = {"seed": np.arange(len(z))} if dims[0] == "seed" else {}
    return xr.Dataset({"z": (dims, z, attrs)}, coords | runs)


@app.function
def theory(times: Any, *, decoupled: bool, **question: Any) -> xr.Dataset:
    """Responses under gradient flow on either loss."""
    dynamics = "primal-decoupled" if decoupled else "primal"
    answer = ts.curve("starvation", dynamics=dynamics, route="theory", times=times, **question)
    return responses(np.stack([answer["z1"], answer["z2"]], axis=-1), answer["time"].values, decoupled)


@app.function
def trained(
    steps: np.ndarray, eta: float, *, decoupled: bool, s1: float, s2: float, delta: float, ridge: float
) -> xr.Dataset:
    """Responses of 100 runs, each step on one of the two examples, drawn at random.

    The drawn example counts twice, so that the mean of a step is the gradient of both.
    """
    runs, s = 100, np.array([s1, s2])
    c = np.sqrt(1 - delta**2)
    examples = np.array([[c, -delta], [delta, c]]) * s  # U S: gradients of the margins
    random, theta, seen = np.random.default_rng(0), np.zeros((runs, 2)), []
    recorded = set(steps.tolist())
    for step in range(steps[-1] + 1):
        if step in recorded:
            seen.append(theta * s)
        x = examples[random.integers(2, size=runs)]
        m = np.sum(x * theta, axis=1, keepdims=True)
        left = 1 / (1 + np.exp(m))
        if decoupled:
            theta = theta + 2 * eta * (left - ridge * m) * x
        else:
            theta = theta + eta * (2 * left * x - ridge * theta)
    return responses(np.stack(seen, axis=1), eta * steps, decoupled)


@app.cell
def _(delta, ridge, s1):
    question: dict[str, Any] = dict(s1=s1.value, s2=2.0, delta=delta.value, ridge=ridge.value)
    ridge_theory = theory("0.01:1000:61", decoupled=False, **question)
    return question, ridge_theory


@app.cell
def _(ridge):
    # Without a coupling the strength of feature 1 does not matter: computed for each ridge only.
    alone = theory("0.01:1000:61", decoupled=False, s1=2.0, s2=2.0, delta=0.0, ridge=ridge.value)
    return (alone,)


@app.cell
def _(eta, question, simulate):
    def _simulated(decoupled):
        """Stochastic descent on either loss up to t = 50, against its flow."""
        steps = np.unique(np.rint(np.geomspace(0.02, 50, 16) / eta.value).astype(int))
        seen = trained(steps, eta.value, decoupled=decoupled, **question)
        claimed = theory(eta.value * steps, decoupled=decoupled, **question)
        # Below a standard error of 0.001 the bias of finite steps would dominate.
        return ts.compare(seen, claimed, resolvable=1e-3)

    ridge_run, decoupled_run = kit.on_demand(simulate, lambda: (_simulated(False), _simulated(True))) or (
        None,
        None,
    )
    return decoupled_run, ridge_run


@app.function
def slopes_left(answer: xr.Dataset, delta: float) -> np.ndarray:
    """Slope of the loss of each example, (time, example): 1/(1 + e^m) at margins m = U z."""
    c = np.sqrt(1 - delta**2)
    margins = answer["z"].values @ np.array([[c, -delta], [delta, c]]).T
    return 1 / (1 + np.exp(margins))


@app.cell(hide_code=True)
def _(alone, delta, question, ridge_run, ridge_theory):
    _t = kit.Axis("training time t = ηk [1/curvature]", "log", high=2000)
    _learned = kit.curves(
        ridge_theory,
        "z",
        ["feature 1", "feature 2"],
        across="feature",
        comparison=ridge_run,
        x=_t,
        y=kit.Axis("response z_j under ridge [margin]"),
    )
    _left, _alone = slopes_left(ridge_theory, delta.value), slopes_left(alone, 0.0)
    _times = ridge_theory["time"]
    _consumed = kit.Panel(
        _t,
        kit.Axis("slope of the loss α_k [1]", "log"),
        (
            kit.Line(_times, _left[:, 0], kit.LOOKS[0], "example 1"),
            kit.Line(_times, _left[:, 1], kit.LOOKS[1], "example 2"),
            kit.Line(_times, _alone[:, 1], kit.LOOKS[2], "example 2 without coupling"),
        ),
    )
    _at = int(np.argmin(np.abs(_times.values - 1)))
    _now, _without = _left[_at, 1], _alone[_at, 1]
    _z = ridge_theory["z"].values[-1]
    kit.abreast(
        kit.picture(
            *_learned,
            alt=f"Responses with s₁ = {question['s1']:g}; final values {_z[0]:.2f} and {_z[1]:.2f}.",
        ),
        kit.picture(
            _consumed,
            alt=f"The slope of the loss of each example; for example 2 at t = 1 it is {_now:.2g}.",
            caption=f"At t = 1 the slope α of example 2 has fallen from one half to {_now:.3f}. Without "
            f"coupling the slope would be {_without:.3f}.",
        ),
    )
    return


@app.cell
def _(question):
    decoupled_theory = theory("0.01:1000:61", decoupled=True, **question)
    ends = ts.curve("starvation", dynamics="primal", route="fixed-point", times=[1.0], **question)
    _strengths = np.sqrt(np.geomspace(1, 36, 19))
    by_strength = xr.concat(
        [
            ts.curve(
                "starvation", dynamics="primal", route="fixed-point", times=[1.0], **question | dict(s1=s)
            )
            for s in _strengths.tolist()
        ],
        xr.Variable("s1", _strengths),
    ).isel(time=0)
    return by_strength, decoupled_theory, ends


@app.cell(hide_code=True)
def _(by_strength, decoupled_run, decoupled_theory, ends, question):
    _decoupled = kit.curves(
        decoupled_theory,
        "z",
        ["feature 1", "feature 2"],
        across="feature",
        comparison=decoupled_run,
        x=kit.Axis("training time t = ηk [1/curvature]", "log", high=2000),
        y=kit.Axis("response z_j under spectral decoupling [margin]"),
    )
    _free = ts.curve("starvation", dynamics="primal-decoupled", route="fixed-point", times=[1.0], **question)[
        "z2"
    ].item()
    _by = by_strength["s1"]
    _starved = kit.Panel(
        kit.Axis("strength of feature 1 s_1 [margin/weight]", "log"),
        kit.Axis("final response to feature 2 z_2* [margin]"),
        (
            kit.Line(_by, by_strength["z2"], kit.LOOKS[1], "ridge"),
            kit.Line(_by, np.full(_by.size, _free), kit.LOOKS[2], "spectral decoupling"),
            kit.Now(question["s1"], ends["z2"].item(), kit.LOOKS[1]),
            kit.Now(question["s1"], _free, kit.LOOKS[2], line=False),
        ),
    )
    _first, _last = by_strength["z2"].values[[0, -1]]
    kit.abreast(
        kit.picture(
            _starved,
            alt=f"The final z₂ over s₁: under ridge {_first:.2f} at s₁ = {_by[0]:g} and {_last:.2f} at "
            f"s₁ = {_by[-1]:g}; it is constant under spectral decoupling.",
            caption=f"At s₁ = {question['s1']:g} training ends at z₂ = {ends['z2'].item():.3f} under ridge "
            f"and at {_free:.3f} under spectral decoupling. Compare slopes, not levels, because λ penalises "
            "different quantities.",
        ),
        kit.picture(
            *_decoupled, alt=f"Responses over time under spectral decoupling; z₂ ends at {_free:.2f}."
        ),
    )
    return


@app.cell(hide_code=True)
def _(decoupled_run, ridge_run):
    kit.verdict(ridge_run, decoupled_run)
    return


@app.cell(hide_code=True)
def _(ends, question):
    _z2 = ends["z2"].item()
    _slope = round(np.sign(_z2) * ends["dz2_ds1sq"].item(), 12) + 0.0  # of |z_2|; zero but for rounding is 0
    _percent = 100 * 0.01 * question["s1"] ** 2 * _slope / abs(_z2)
    _word = (
        "**Feature 1 starves feature 2**"
        if _slope < 0
        else "Feature 1 *feeds* feature 2"
        if _slope > 0
        else "Neither feature affects the other"
        if question["delta"] == 0
        else "Both features are equally strong, and the response to feature 2 is at its maximum over $s_1$"
    )
    kit.text(rf"""
    {_word}: at these settings $\partial |z_2^*| / \partial (s_1^2) =$ {_slope:.2g}. If $s_1^2$ increases by
    one per cent, the size of the response to feature 2 changes by {_percent:.2g} per cent.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **Where the theory ends.** The lines are gradient flow, the limit of small steps. Raise $\eta$ to 0.02 and
    compare the simulation with the lines. This network is linear in its parameters. A real network is linear
    only in the limit of large width. The remedy holds only for the *end* of training. Under spectral
    decoupling the final responses do not depend on the strengths, but earlier responses still depend on
    $s_1$. Move $s_1$ and watch the last picture.
    """)
    return


@app.cell(hide_code=True)
def _():
    def _end(s1, delta):
        """The final response to feature 2, and its derivative by the squared strength of feature 1."""
        _asked = dict(s1=s1, s2=2.0, delta=delta, ridge=0.01)
        _ends = ts.curve("starvation", dynamics="primal", route="fixed-point", times=[1.0], **_asked)
        return _ends["z2"].item(), round(_ends["dz2_ds1sq"].item(), 12) + 0.0  # equal strengths: 0 exactly

    _weaker, _equal, _stronger = (_end(s1, 0.5)[1] for s1 in (1.0, 2.0, 4.0))
    (_before, _falls), (_beyond, _grows) = _end(4.0, 0.7), _end(4.0, 0.71)

    _first_values = dict(
        weaker=_weaker,
        equal=_equal,
        stronger=_stronger,
        falls=_falls,
        grows=_grows,
        before=_before,
        beyond=_beyond,
    )

    def _least_squares(s1):
        """Responses that minimise half the summed squares of 1 - m plus the ridge, with s2 = 2."""
        _c, _s = np.sqrt(0.75), np.array([s1, 2.0])
        _examples = np.array([[_c, -0.5], [0.5, _c]]) * _s
        return _s * np.linalg.solve(_examples.T @ _examples + 0.01 * np.eye(2), _examples.T @ np.ones(2))

    _weak, _strong = _least_squares(2.0), _least_squares(6.0)
    kit.exercises("starving", _first_values, dict(weak=_weak[1], strong=_strong[1]))
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("starving")
    return


if __name__ == "__main__":
    app.run()
