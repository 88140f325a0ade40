"""Lesson 6: How weight decay sets the effective learning rate."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 6: How weight decay sets the effective learning rate",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    from dataclasses import replace
    from typing import Any

    import marimo as mo
    import numpy as np
    import xarray as xr

    import teacherstudent as ts
    from teacherstudent.lessons import kit


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # How weight decay sets the effective learning rate

    **The question.** If batch normalisation follows a layer, the *length* of the layer's weights does not
    change the output of the network. Weight decay only shrinks this length, so it should have no effect. Yet
    in practice weight decay must be tuned. What does weight decay do?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("sphere")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    Suppose that the loss depends only on the direction $u = x/r$ of the weights, not on their length
    $r = \lVert x \rVert$: $L(\rho x) = L(x)$ for all $\rho > 0$. Differentiate by $\rho$ and by $x$ (Eqs. 1-2
    of roburin2020). The gradient is orthogonal to the weights and inversely proportional to their length:

    $$ \langle \nabla L(x), x \rangle = 0, \qquad \nabla L(x) = \frac1r \nabla L(u) $$

    A step of SGD with an L2 coefficient is $x' = x - \eta\,(\nabla L(x) + \lambda x)$. This step combines two
    changes. The first change is a step on the sphere (Eqs. 11-12 of roburin2020)

    $$ u' \propto u - \eta^e\, \nabla L(u), \qquad \eta^e = \frac{\eta}{r^2 (1 - \eta\lambda)} $$

    whose **effective learning rate** $\eta^e$ depends on the length of the weights. The second change affects
    the radius (by Pythagoras; without $\lambda$ it is Eq. 46 of roburin2020):

    $$ r'^2 = (1 - \eta\lambda)^2\, r^2 + \frac{\eta^2}{r^2} \lVert \nabla L(u) \rVert^2 $$

    Gradient steps lengthen the weights, and weight decay shortens them. The length determines the effective
    learning rate. For a mean square gradient $G$ the two changes balance at

    $$ r^4 = \frac{\eta\, G}{\lambda\,(2 - \eta\lambda)}, \qquad
       \eta^e \sqrt G \approx \sqrt{2 \eta\lambda} $$

    Then each step turns the direction by an angle that depends **only on the product $\eta\lambda$**. This
    angle does not depend on the loss, on the initial length, or on $\eta$ separately.

    **A solvable student.** A teacher $u^*$ labels Gaussian inputs $z$ by $u^* \cdot z + \sigma \xi$. The
    student maximises the correlation of $u \cdot z$ with the labels, with one new example per step and steps
    $\eta/d$. As $d \to \infty$, in the time $t = k/d$, the alignment $m = u \cdot u^*$ and the radius follow

    $$ \frac{\mathrm{d} m}{\mathrm{d} t} = e\,(1 - m^2) - \tfrac12 e^2 V m, \qquad e = \frac{\eta}{r^2} $$

    $$ \frac{\mathrm{d} r^4}{\mathrm{d} t} = 2 \eta^2 V - 4 \eta\lambda\, r^4, \qquad V = 1 + \sigma^2 $$

    The first term of $\mathrm{d}m/\mathrm{d}t$ is learning, and the second term is the noise of single
    examples. The fixed point is

    $$ 1 - m^2 = m \sqrt{\eta\lambda V/2} $$

    **So weight decay determines the final error of the student.**
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("sphere")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    Change the initial length: the path changes, but the equilibrium does not. Then double $\eta$ and halve
    $\lambda$. Then change the algorithm. The label noise is $\sigma = 0.5$. The simulation trains students
    with 400 weights.
    """)
    return


@app.cell
def _():
    scheme = kit.choice(
        "training algorithm",
        {
            "sgd": "SGD with L2",
            "sgd-momentum": "SGD with momentum 0.9 and L2",
            "adam": "Adam with L2",
            "adamw": "AdamW (decoupled decay)",
        },
        "sgd",
        name="scheme",
    )
    eta = kit.slider("learning rate η [weight²/loss]", [0.1, 0.2, 0.4, 0.8, 1.6], 0.4)
    decay = kit.slider("weight decay λ [loss/weight²]", [0.05, 0.1, 0.2, 0.4, 0.8], 0.4)
    length = kit.slider("initial length r₀ [weight]", [0.5, 0.7, 1.0, 1.4, 2.0], 2.0)
    simulate = kit.simulate_button()
    kit.controls(scheme=scheme, eta=eta, decay=decay, length=length, simulate=simulate)
    return decay, eta, length, scheme, simulate


@app.function
def asked(scheme: str, eta: float, decay: float, length: float = 1.0) -> dict[str, Any]:
    """The question for one scheme. Elementwise division depends on the axes: then the teacher is random."""
    question = dict(problem="scale-invariant", dynamics="online", scheme=scheme, noise=0.5)
    question |= dict(d=400, learning_rate=eta, ridge=decay, radius0=length)
    if scheme.startswith("adam"):
        question |= dict(teacher="random", beta2=0.98)  # a memory of 50 steps, short of d
    return question


@app.function
def claimed(times: Any, question: dict[str, Any]) -> xr.Dataset:
    """Theory: exact in the limit for SGD; for Adam with second moments replaced by their means."""
    route = "theory" if question["scheme"].startswith("sgd") else "averaged"
    return ts.curve(times=times, route=route, **question)


@app.function
def at_rest(question: dict[str, Any]) -> xr.Dataset:
    """The fixed point of training."""
    return ts.curve(times=[1.0], route="equilibrium", **question).isel(time=0, drop=True)


@app.cell
def _(decay, eta, length, scheme):
    question = asked(scheme.value, eta.value, decay.value, length.value)
    theory = claimed("0.05:300:41", question)
    rest = at_rest(question)
    return question, rest, theory


@app.cell
def _(scheme):
    # Angles at rest depend neither on the start nor on the sliders: computed once for each scheme.
    products = np.geomspace(0.002, 1.6 * 0.8, 5)  # as far as the sliders go
    families = {
        each: [at_rest(asked(scheme.value, each, product / each))["angle"].item() for product in products]
        for each in (0.1, 0.4, 1.6)
    }
    return families, products


@app.cell
def _(question, simulate):
    def _simulated():
        """Twenty students up to t = 15, one new sample in each step, against the theory."""
        times = np.unique(np.rint(np.geomspace(0.1, 15, 16) * question["d"])) / question["d"]
        seen = ts.sample(times=times, route="simulation", seeds=20, **question)
        # Below a standard error of 0.002 the bias of finite d would dominate.
        return ts.compare(seen, claimed(times, question), resolvable=2e-3)

    comparison = kit.on_demand(simulate, _simulated)
    return (comparison,)


@app.function
def over_time(
    theory: xr.Dataset, rest: xr.Dataset, comparison: Any, name: str, y: kit.Axis
) -> tuple[kit.Panel, ...]:
    """One observable over time with its equilibrium value; approximations are dashed."""
    first, *below = kit.curves(
        theory,
        name,
        ["theory, approximate" if theory.attrs["approximate"] else "theory"],
        comparison=comparison if comparison and name in comparison.verdicts else None,
        x=kit.Axis("time t [steps/d]", "log"),
        y=y,
    )
    if comparison and name not in comparison.verdicts:
        seen = comparison.simulation
        label = "simulation, not tested: bias larger than standard errors"
        errors = seen[f"{name}_stderr"]
        first = first.with_marks(kit.Points(seen["time"], seen[name], kit.LOOKS[0], label, error=errors))
    dashed = bool(theory.attrs["approximate"])
    marks = (replace(mark, dashed=dashed) if isinstance(mark, kit.Line) else mark for mark in first.marks)
    times = theory["time"].values[[0, -1]]
    level = kit.Line(times, np.full(2, rest[name].item()), kit.LOOKS[2], "equilibrium", width=1)
    return replace(first, marks=(level, *marks)), *below


@app.cell(hide_code=True)
def _(comparison, rest, theory):
    _radius, _rate = rest["radius"].item(), rest["effective_learning_rate"].item()
    kit.abreast(
        kit.picture(
            *over_time(theory, rest, comparison, "radius", kit.Axis("radius r [weight]", low=0)),
            alt=f"The radius over time; its equilibrium value is {_radius:.3g}.",
        ),
        kit.picture(
            *over_time(
                theory,
                rest,
                comparison,
                "effective_learning_rate",
                kit.Axis("effective learning rate η^e [1/loss]", low=0),
            ),
            alt=f"The effective learning rate over time; its equilibrium value is {_rate:.3g}.",
            caption="Rate of one step, times d. With momentum each gradient acts for about ten steps.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(comparison, decay, eta, families, products, rest, theory):
    _angle, _product = rest["angle"].item(), eta.value * decay.value
    _dashed = bool(theory.attrs["approximate"])
    _together = kit.Panel(
        kit.Axis("product ηλ [1]", "log"),
        kit.Axis("equilibrium angle θ [rad]", "log"),
        (
            *(
                kit.Line(products, angles, look, f"η = {rate:g}", _dashed, width)
                for (rate, angles), look, width in zip(
                    families.items(), kit.LOOKS[1:4], (8, 5, 2), strict=True
                )
            ),
            kit.Now(_product, _angle, kit.LOOKS[0]),
        ),
    )
    _ends = [angles[-1] for angles in families.values()]
    _spread = max(_ends) / min(_ends) - 1
    _one = "lie on one curve: only the product matters" if _spread < 1e-3 else "give different curves"
    kit.abreast(
        kit.picture(
            *over_time(theory, rest, comparison, "angle", kit.Axis("angle to the teacher θ [rad]", low=0)),
            alt=f"The angle to the teacher over time; its equilibrium value is {_angle:.3g}.",
        ),
        kit.picture(
            _together,
            alt=f"The equilibrium angle over the product ηλ; here {_angle:.3g}.",
            caption=f"Three learning rates, from 0.1 to 1.6, {_one}.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(comparison):
    _names = dict(
        angle="angle to the teacher", radius="radius", effective_learning_rate="effective learning rate"
    )
    kit.verdict(comparison, names=_names)
    return


@app.cell(hide_code=True)
def _(decay, eta, rest, scheme):
    _fourfold = at_rest(asked(scheme.value, eta.value, 4 * decay.value))
    _who = (
        "Adam divides gradients by their size, so $r^3 \\propto \\eta/\\lambda$ here, not $r^4$. The angle "
        "of a step is proportional to $(\\eta^2\\lambda)^{1/3}$, and no longer a function of the product."
        if scheme.value == "adam"
        else "The angle depends on the product $\\eta\\lambda$ only."
    )
    kit.text(rf"""
    At these settings the equilibrium has a radius of {rest["radius"].item():.3g} and an angle of
    {rest["angle"].item():.3g} rad. With four times the decay the radius is {_fourfold["radius"].item():.3g}
    and the angle {_fourfold["angle"].item():.3g} rad. {_who}
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **Where the theory ends.** The theory is the limit of many weights, and its time counts steps in units of
    $d$. SGD with 400 weights agrees with the theory within the errors. Momentum averages over about ten
    steps, and here Adam's second moment averages over about fifty. Ten and fifty steps are not negligible
    compared with 400 steps, and the residuals show this, mostly at early times and in the radius. For Adam
    the line is dashed, because the theory replaces second moments by their means. Real batch normalisation
    has a small constant under its root, so the length of weights matters if they are very short. The
    equilibrium also needs the noise of small batches. If each step uses all data, the gradient vanishes, and
    the weights shrink until the effective rate reaches the edge of stability
    (`teacherstudent check sphere-edge`).
    """)
    return


@app.cell(hide_code=True)
def _():
    def _ends(scheme):
        """Radius and angle at rest at the given settings, and with twice the rate and half the decay."""
        return [at_rest(asked(scheme, *each)) for each in ((0.4, 0.4), (0.8, 0.2))]

    (_a, _b), (_c, _d) = _ends("sgd"), _ends("adamw")
    _first_values = dict(
        radius_a=_a["radius"].item(),
        radius_b=_b["radius"].item(),
        angle_a=_a["angle"].item(),
        angle_b=_b["angle"].item(),
        radius_c=_c["radius"].item(),
        radius_d=_d["radius"].item(),
        angle_c=_c["angle"].item(),
        angle_d=_d["angle"].item(),
    )
    _late = [claimed([100.0, 1e4], asked("sgd", each, 0.0)) for each in (0.4, 1.6)]
    _rates = [each["effective_learning_rate"].values for each in _late]
    _angles = _late[0]["angle"].values
    kit.exercises(
        "sphere",
        _first_values,
        dict(
            rate_first=_rates[0][1],
            rate_second=_rates[1][1],
            rate_claimed=1 / np.sqrt(2 * 1.25 * 1e4),
            angle_first=_angles[0],
            angle_second=_angles[1],
            ratio=_angles[0] / _angles[1],
            ratio_claimed=100**0.25,
        ),
    )
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("sphere")
    return


if __name__ == "__main__":
    app.run()
