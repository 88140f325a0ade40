"""Lesson 9: Why learning waits on a plateau."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 9: Why learning waits on a plateau",
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


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Why learning waits on a plateau

    **The question.** A network sees a stream of examples. The network's error falls, then stays constant for
    a long time, and then falls suddenly. No example was special. What ends the plateau, and when?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("plateau")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    A teacher with $K$ hidden units labels Gaussian inputs $x \in \mathbb R^d$. The student has the same form,
    a *soft committee machine*, and takes one gradient step on each new example:

    $$ y = \sum_m g\Bigl(\frac{w^*_m \cdot x}{\sqrt d}\Bigr) + \sigma \xi, \qquad
       \phi = \sum_k v_k\, g\Bigl(\frac{w_k \cdot x}{\sqrt d}\Bigr), \qquad
       g(u) = \operatorname{erf}\bigl(u/\sqrt 2\bigr) $$

    The teacher's units are orthogonal and have the length $\sqrt d$. The risk depends on the $Kd$ weights
    only through the **order parameters**

    $$ R_{im} = w_i \cdot w^*_m / d, \qquad Q_{ij} = w_i \cdot w_j / d $$

    As $d \to \infty$ the order parameters follow closed deterministic equations in the time $t$ =
    examples$/d$. Let $\Delta = \phi - y$, and average over the Gaussian fields $\lambda_i$ of the student and
    $\rho_m$ of the teacher (saad1995, biehl1995):

    $$ \frac{dR_{im}}{dt} = -\eta v_i \langle \Delta g'(\lambda_i) \rho_m \rangle $$

    $$ \frac{dQ_{ij}}{dt} = -\eta \langle \Delta (v_i g'(\lambda_i) \lambda_j + v_j g'(\lambda_j) \lambda_i)
       \rangle + \eta^2 v_i v_j \langle \Delta^2 g'(\lambda_i) g'(\lambda_j) \rangle $$

    **The plateau.** All units first learn the mean of the teacher's units. Then all $R_{im}$ are equal: no
    unit has *specialised*, and each teacher unit attracts all student units equally. For small $\eta$ and
    $v = 1$ the excess risk at this fixed point is

    $$ E = \frac K\pi \Bigl[ \frac\pi6 - K \arcsin \frac1{2K} \Bigr] $$

    **The escape.** The fixed point is unstable. A small difference $X = R_{11} - R_{12}$ grows exponentially,
    $X \sim X_0\, e^{lt}$. For small $\eta$ its growth rate is

    $$ l = \frac{2\eta}\pi\, \frac{K}{(2K - 1)^{1/2} (2K + 1)^{3/2}} $$

    so the plateau lasts for about $\ln(1/X_0)/l$. Random weights overlap by chance, $X_0 \sim 1/\sqrt d$. So
    from random weights the plateau lasts for about $\ln d/(2l)$, which is infinite for $d = \infty$. In
    Lesson 1 a mode has a plateau for the same reason: $\dot u \propto u$ while $u$ is small (Eq. 2.2.18). In
    Lesson 1 the *weights* are small. On the plateau only the *difference* between units is small.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("plateau")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Predict, then look

    **Before you move a slider**, write down your answers. Is the plateau ten times as long if the overlap
    $X_0$ is a tenth? Is the plateau half as long with twice the learning rate? Does label noise make the
    plateau longer? What does the theory predict at $X_0 = 0$, and what do students of finite $d$ do there?
    """)
    return


@app.cell
def _():
    layer = kit.choice(
        "second layer v",
        {"fixed": "fixed at the teacher's value 1", "trained": "also trained, at the rate 1/2"},
        "fixed",
        name="layer",
    )
    units = kit.slider("units of both networks K [1]", [2, 3], 2)
    _rates = [1.0, 1.25, 1.5, 1.75, 2.0, 2.25]
    eta = kit.slider("learning rate η [1/output²]", _rates, 1.0, name="eta")
    overlap = kit.slider("overlap at the start X₀ [1]", [0.0, 0.01, 0.03, 0.1, 0.3], 0.01, name="overlap")
    noise = kit.slider("label noise σ [output]", [0.0, 0.1, 0.2, 0.4], 0.1, name="noise")
    first = kit.slider("first draw, for all simulations [1]", [0, 100, 200, 300], 0)
    simulate = kit.simulate_button()
    _sliders: dict[str, Any] = dict(units=units, eta=eta, overlap=overlap, noise=noise, first=first)
    kit.controls(layer=layer, **_sliders, simulate=simulate)
    return eta, first, layer, noise, overlap, simulate, units


@app.function
def limit(times: Any, **question: Any) -> xr.Dataset:
    """The order parameters and the excess risk as d -> infinity."""
    return ts.curve("committee", dynamics="online", route="asymptotic", times=times, **question)


@app.function
def drawn(times: Any, draws: range, **question: Any) -> xr.Dataset:
    """The same for students of finite d, one draw of the order parameters for each of `draws`."""
    asked: dict[str, Any] = dict(dynamics="online", route="chain", times=times, **question)
    return ts.sample("committee", seeds=len(draws), seed=draws.start, **asked)


@app.function
def slowly(K: int, eta: Any) -> tuple[float, Any]:
    """Excess risk and rate of escape of the plateau of K units for small learning rates."""
    risk = K / np.pi * (np.pi / 6 - K * np.arcsin(1 / (2 * K)))
    return risk, 2 * eta / np.pi * K / np.sqrt((2 * K - 1) * (2 * K + 1) ** 3)


@app.function
def folded(answer: xr.Dataset) -> xr.Dataset:
    """The excess risk, and means over equivalent units: of R with the same and other units, of Q, of v."""
    alike = np.eye(answer.sizes["unit"], dtype=bool)
    means = [answer[name].values[..., at].mean(-1) for name in ("R", "Q") for at in (alike, ~alike)]
    means.append(answer["second_layer"].values.mean(-1))
    risk = answer["excess_risk"]
    attrs = {"long_name": "overlaps and second layer", "units": "1"}
    order = xr.concat([risk.copy(data=each) for each in means], xr.Variable("number", range(5)))
    return answer[["excess_risk"]].assign(order=order.assign_attrs(attrs))


@app.function
def in_digits(risk: Any) -> str:
    """An excess risk in two digits, or a bound if it is too small to be accurate."""
    return f"{float(risk):.2g}" if risk >= 1e-6 else "below 1e-6"


@app.cell
def _(eta, layer, noise, overlap, units):
    question: dict[str, Any] = dict(
        width=units.value,
        teacher_width=units.value,
        learning_rate=eta.value,
        overlap=overlap.value,
        noise=noise.value,
        second_layer_learning_rate=0.5 if layer.value == "trained" else 0.0,
    )
    still, _rate = slowly(units.value, eta.value)
    end = round(1.6 * (6 - np.log(max(overlap.value, 0.01))) / _rate)
    _answer = folded(limit([*end * np.linspace(0, 1, 121) ** 2, 1e4], **question))
    theory, late = _answer.isel(time=slice(-1)), _answer.isel(time=-1)
    return end, late, question, still, theory


@app.cell
def _(end, first, question, simulate):
    def _simulated():
        """Sixteen students of 1,000 inputs, against the limit."""
        times = np.linspace(0, end, 14)[1:]
        draws = range(first.value, first.value + 16)
        return ts.compare(folded(drawn(times, draws, d=1000, **question)), folded(limit(times, **question)))

    comparison = kit.on_demand(simulate, _simulated)
    return (comparison,)


@app.cell(hide_code=True)
def _(comparison, end, late, still, theory):
    _both: dict[str, Any] = dict(comparison=comparison, x=kit.Axis("time t [examples per input]"))
    _y = kit.Axis("excess risk E [output²]", "log", low=1e-4, high=1)
    _shown = theory.assign(excess_risk=theory["excess_risk"].clip(min=1e-6))  # below it rounding is drawn
    _risk, *_below = kit.curves(_shown, "excess_risk", ["limit d → ∞"], y=_y, **_both)
    _flat: dict[str, Any] = dict(look=kit.LOOKS[1], label="plateau, formula for small η", dashed=True)
    _y = kit.Axis("overlaps and second layer [1]")
    _names = ["R, same unit", "R, other unit", "Q, same unit", "Q, two units", "v"]
    _order = kit.curves(theory, "order", _names, across="number", y=_y, **_both)
    _own, _other = theory["order"].isel(time=-1).values[:2].round(2) + 0.0  # no zero is negative
    _told = f"At t = {end} the excess risk is {in_digits(theory['excess_risk'][-1])}"
    kit.abreast(
        kit.picture(
            _risk.with_marks(kit.Line([0, end], [still] * 2, **_flat)),
            *_below,
            alt=_told,
            caption=f"{_told}. At t = 10,000 it is {in_digits(late['excess_risk'])}.",
        ),
        kit.picture(*_order, alt=f"Mean overlaps. At t = {end} R is {_own:.2f} and {_other:.2f}."),
    )
    return


@app.cell(hide_code=True)
def _(comparison):
    kit.verdict(comparison)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **What you should find.** With a tenth of the overlap $X_0$ the plateau is longer by about $\ln 10/l$. At
    large $\eta$ the rate $l$ is below its formula for small $\eta$, most clearly with three units. While all
    $R$ are equal, all units compute the same function, and no common change reduces the error.

    At $X_0 = 0$ the plateau of the theory never ends, but the plateau of students of finite $d$ does. The
    random examples of these students separate the units by an amount of order $1/\sqrt d$, and about half of
    the students specialise in the exchanged order, with unit 1 on the teacher's unit 2. The equations are
    correct, but students of finite $d$ are still far from the limit. At small $X_0$ the same random
    separation makes each draw leave the plateau at a different time. The mean over many draws is therefore a
    smooth step, below the limit before the drop and above the limit after it.

    Label noise determines the final risk. Noise also makes the plateau longer. Weak noise has hardly any
    effect with two units, fixed $v$ and $\eta = 1$. With three units the three largest learning rates are
    above $\eta_c$: even without noise the risk does not go to 0, and the final weights are longer than the
    teacher's. At the largest learning rate with fixed $v$ the weights grow for as long as the limit can be
    computed, if $X_0 = 0$ or the noise is strong.

    ## How long is the plateau?

    Now the student has two units with random initial weights and fixed $v$. There is no label noise, $\eta$
    is the value above, and $d$ is 50 to 800. **Predict** how much longer the plateau is with 800 inputs than
    with 50, measured in the time $t$ and in the number of examples. A student has *specialised* when
    $X = |R_{11} + R_{22} - R_{12} - R_{21}|/2$ exceeds 1/2.
    """)
    return


@app.cell
def _():
    measure = kit.simulate_button("Simulate five sizes")
    follow = kit.simulate_button("Simulate six learning rates")
    kit.controls(measure=measure, follow=follow)
    return follow, measure


@app.function
def escape(eta: float, until: float = 0.3) -> tuple[xr.DataArray, float]:
    """X over time of two units that leave their plateau from X = 0.01, and the initial growth rate of X.

    X alone separates the units, so it grows without delay.
    """
    rest = limit([1e6], learning_rate=eta, overlap=0.0).isel(time=0)
    started = rest["R"].values + 0.005 * np.array([[1, -1], [-1, 1]])
    asked: dict[str, Any] = dict(initial_overlaps=started, student_overlaps=rest["Q"].values)
    R = limit([0, 0.1, *np.linspace(0.2, until, 81)], learning_rate=eta, **asked)["R"]
    X = R[:, 0, 0] - R[:, 0, 1]
    return X, np.log(X[1] / X[0]).item() / 0.1


@app.function
def over(axis: Any, values: Any, rows: Iterable[Any], meaning: str, units: str) -> xr.Dataset:
    """A number over an axis, one for each value, or one for each draw and value."""
    measured = np.stack([np.asarray(each) for each in rows], axis=-1)
    dims = ["seed", axis][-measured.ndim :]
    drawn = {"seed": np.arange(len(measured))} if "seed" in dims else {}
    attrs = {"long_name": meaning, "units": units}
    return xr.Dataset({"measured": (dims, measured, attrs)}, {**drawn, axis: values})


@app.function
def along(comparison: ts.Comparison, axis: str, label: str, x: kit.Axis, scale: str = "lin") -> Any:
    """Panels of what was measured over an axis."""
    attrs = comparison.theory["measured"].attrs
    y = kit.Axis(f"{attrs['long_name']} [{attrs['units']}]", scale)
    question: dict[str, Any] = dict(along=axis, comparison=comparison, x=x, y=y)
    return kit.curves(comparison.theory, "measured", [label], **question)


@app.function
def waits(d: int, draws: range, eta: float, rate: float) -> np.ndarray:
    """Time at which each draw specialises, or the last time if it does not."""
    times = np.linspace(0, 12 / eta + (np.log(d) / 2 + 6) / rate, 14)
    R = drawn(times, draws, d=d, learning_rate=eta, start="random")["R"].values
    X = np.abs(R[..., 0, 0] + R[..., 1, 1] - R[..., 0, 1] - R[..., 1, 0]) / 2
    logit = np.log(X / np.clip(1 - X, 1e-3, None))  # nearly straight in time
    found = []
    for one in logit:
        at = int(np.argmax(one > 0)) or len(one) - 1
        share = min(1.0, one[at - 1] / (one[at - 1] - one[at]))
        found.append(times[at - 1] + share * (times[at] - times[at - 1]))
    return np.array(found)


@app.function
def compared(seen: dict[int, np.ndarray], rate: float) -> tuple[ts.Comparison, float, float]:
    """Times over d compared with slope 1/(2 rate) over ln d; the fitted slope and its standard error."""
    told = ("time until specialised", "examples per input")
    sizes, mean = np.array(list(seen)), np.array([each.mean() for each in seen.values()])
    weight = np.array([each.size / each.var(ddof=1) for each in seen.values()])
    u = np.log(sizes) - np.average(np.log(sizes), weights=weight)
    line = np.average(mean, weights=weight) + u / (2 * rate)
    slope, error = np.sum(weight * u * mean) / np.sum(weight * u**2), np.sum(weight * u**2) ** -0.5
    return ts.compare(over("d", sizes, seen.values(), *told), over("d", sizes, line, *told)), slope, error


@app.cell
def _(eta, first, measure):
    def _measured():
        """The escape in the limit, and 24 students of each of five sizes."""
        X, rate = escape(eta.value, 14 / slowly(2, eta.value)[1])
        starts = {d: first.value + 1000 * d for d in (50, 100, 200, 400, 800)}
        seen = {d: waits(d, range(at, at + 24), eta.value, rate) for d, at in starts.items()}
        return X, rate, *compared(seen, rate)

    measured = kit.on_demand(measure, _measured)
    return (measured,)


@app.cell(hide_code=True)
def _(eta, measured):
    _early = slowly(2, eta.value)[1]
    _t = np.linspace(0, 4.5 / _early, 2)
    _marks = [kit.Line(_t, 0.01 * np.exp(_early * _t), kit.LOOKS[1], "formula for small η", dashed=True)]
    _waits, _told, _said = (), f"The formula for small η gives l = {_early:.3g}.", ""
    if measured:
        _X, _rate, _comparison, _slope, _error = measured
        _marks.append(kit.Line(_X["time"], _X, kit.LOOKS[0], "limit d → ∞"))
        _told += f" The initial growth rate of X is {_rate:.3g}."
        _law = "slope 1/(2l) over ln d, height fitted"
        _waits = along(_comparison, "d", _law, kit.Axis("inputs d [1]", "log"))
        _said = f"Slope {_slope:.2g} ± {_error:.2g}. 1/(2l) = {0.5 / _rate:.3g}, 1/l = {1 / _rate:.3g}."
    _x, _y = (
        kit.Axis("time after X = 0.01 [examples per input]"),
        kit.Axis("difference X [1]", "log", low=0.01),
    )
    _grown = kit.picture(kit.Panel(_x, _y, tuple(_marks)), alt=_told, caption=_told)
    kit.abreast(_grown, *([kit.picture(*_waits, alt=_said, caption=_said)] if _waits else []))
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    With sixteen times as many inputs, a constant is *added* to the time $t$ at which students specialise. The
    number of examples $dt$ is therefore more than sixteen times as large. The theory predicts the slope of
    the line. The height of the line is fitted, because it depends on the random examples.

    ## Large learning rates increase the final risk

    **Predict** which learning rate gives the shortest plateau, then compare with the simulation.
    How does the final risk with weak label noise depend on $\eta$? For small $\eta$ the final risk is
    $E \simeq \eta \sigma^2 K/(2\sqrt3\, \pi)$.
    """)
    return


@app.function
def floor(etas: Any, draws: range | None = None) -> xr.Dataset:
    """Final excess risk/noise^2 of two units over learning rates, begun at the teacher."""
    asked: dict[str, Any] = dict(init=1.0, overlap=1.0, noise=0.1)
    late = np.linspace(60, 120, 5)
    ends = [
        drawn(late / eta, draws, d=200, learning_rate=eta, **asked)
        if draws
        else limit([1e6], learning_rate=eta, **asked)
        for eta in etas
    ]
    risks = [each["excess_risk"].mean("time") / 0.01 for each in ends]
    return over("eta", etas, risks, "final excess risk over σ²", "1")


@app.cell
def _(first, follow):
    def _followed():
        """Rates of escape in the limit; final risks of the limit and of 16 students of 200 inputs."""
        etas = np.array([0.5, 1.0, 1.4, 1.7, 2.0, 2.25])
        seen = floor(etas, range(first.value, first.value + 16))
        return [escape(each)[1] for each in etas], ts.compare(seen, floor(etas))

    followed = kit.on_demand(follow, _followed)
    return (followed,)


@app.cell(hide_code=True)
def _(followed):
    _fine, _eta = np.linspace(0.05, 2.25, 45), kit.Axis("learning rate η [1/output²]", high=2.3)
    _small: dict[str, Any] = dict(look=kit.LOOKS[1], label="formula for small η", dashed=True)
    _marks = [kit.Line(_fine, slowly(2, _fine)[1], **_small)]
    _told = "For small η the rate is proportional to η."
    _ends: Any = [kit.Panel(_eta, kit.Axis("final excess risk over σ² [1]", "log"), ())]
    if followed:
        _rates, _comparison = followed
        _etas = _comparison.theory["eta"].values
        _marks.append(kit.Line(_etas, _rates, kit.LOOKS[0], "limit d → ∞"))
        _ends = along(_comparison, "eta", "limit d → ∞", _eta, "log")
        _told = f"Of these learning rates, η = {_etas[int(np.argmax(_rates))]:g} has the largest escape rate."
    _last = _ends[0].with_marks(kit.Line(_fine, _fine / (np.sqrt(3) * np.pi), **_small))
    _rate = kit.Panel(_eta, kit.Axis("rate of escape l [1/time]", low=0), tuple(_marks))
    kit.abreast(
        kit.picture(_rate, alt=_told, caption=_told),
        kit.picture(_last, *_ends[1:], alt="Final excess risk over η.", caption="Label noise σ = 0.1."),
    )
    return


@app.cell(hide_code=True)
def _(followed, measured):
    kit.verdict(measured and measured[2], followed and followed[1])
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    At the largest learning rates the rate of escape falls again, because the term in $\eta^2$ lengthens the
    weights on the plateau (compare $Q$ above). As $\eta$ approaches $\eta_c$ the final risk diverges.

    ## Sudden drops in deep learning

    The losses of large networks also stay constant and then drop, often when a skill appears. This lesson
    calculates one cause: units can be exchanged, and this symmetry creates an unstable fixed point. The
    escape starts with a random difference that grows exponentially. **What this does not explain:** here the
    inputs are Gaussian, each input is seen once, and the teacher has the student's form. A drop may have
    other causes: small weights (Lesson 1), weak features (Lesson 3), or examples that are seen many times.
    This cause can be tested: with a $c$ times larger initial difference, the drop comes $\ln c/l$ earlier.

    **What would refute this explanation?** A plateau whose length grows as a power of $d$; a slope that
    differs from $1/(2l)$ by more than its errors; a length that does not depend on $X_0$; an error that
    leaves the plateau while all $R_{im}$ are equal.
    """)
    return


@app.cell(hide_code=True)
def _():
    _more = np.log(1000) / (2 * escape(1.0)[1])
    _first_values = dict(more=_more, steps=1000 * (50 + _more) / 50)
    _asked: dict[str, Any] = dict(noise=0.2)
    _fast = limit([80.0, 240.0], learning_rate=1.5, **_asked)
    _asked |= dict(learning_rate=0.25)
    _R, _Q = (_fast[name].isel(time=0).values for name in ("R", "Q"))
    _then = limit([160.0], initial_overlaps=_R, student_overlaps=_Q, **_asked)
    _slow = limit([240.0], **_asked)
    _risks = [each["excess_risk"].values[-1] for each in (_fast, _slow, _then)]
    kit.exercises("plateau", _first_values, dict(first=_risks[0], second=_risks[1], third=_risks[2]))
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("plateau")
    return


if __name__ == "__main__":
    app.run()
