"""Lesson 3: When the error descends once and when twice."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 3: When the error descends once and when twice",
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

    FLOW: dict[str, Any] = dict(dynamics="flow", route="asymptotic", observable=["parts"])


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # When the error descends once and when twice

    **The question.** During training the error on unseen data falls, then rises, and much later falls again,
    although neither the data nor the algorithm has changed. Where does the second descent come from?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("descents")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    The teacher computes labels from hidden factors $z$. The student sees the factors through a matrix $F$,
    which makes some of them strong and others weak:

    $$ y = z^\top w + \varepsilon, \qquad z \sim \mathcal N(0, I_d/d) \tag{4.2.1} $$

    $$ \hat y = x^\top \hat w, \qquad x = F^\top z \tag{4.2.2} $$

    Of the $d$ singular values of $F$, $p$ are 1 (the *fast* features) and the others are $1/\kappa$ (the
    *slow* features). The student starts at zero and follows the gradient of half the summed squared error on
    $n$ examples. After $k$ steps with the learning rate $\eta$ the training time is $s = \eta k$.

    **Two order parameters.** The error depends on the weights only through two numbers. These order
    parameters are the alignment $R$ of the student with the teacher, and the student's norm $Q$, both
    weighted by the features:

    $$ R = \frac1d\, w^\top F \hat w, \qquad Q = \frac1d\, \hat w^\top F^\top F \hat w \tag{4.2.7} $$

    $$ L_G = \tfrac12\,(1 + Q - 2R) \tag{4.2.6} $$

    The excess risk $L_G$ is half the mean squared error on unseen data, without the label noise. Training
    moves the student through the plane of $R$ and $Q$. The lines of equal error in this plane are straight
    and have slope 2. So the error falls as long as $dQ < 2\, dR$, and it turns where the path is parallel to
    these lines.

    **Two time scales.** The gradient along a feature of strength $\sigma$ grows as $\sigma^2$ (Eq. 4.2.12).
    Fast features are learned at $s \sim 1$, and slow features at $s \sim \kappa^2$. Between these two times
    the student overfits, as in Lesson 2, even without label noise. The student then uses only the fast
    features. The part of the labels that the slow features explain, of variance $1 - p/d$, then acts as
    *noise*. When the student learns the slow features, this noise becomes signal, and the error falls again.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("descents")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    At $\kappa = 1$ all features are equally strong, and the error falls once. Increase $\kappa$ from 1
    step by step. At which $\kappa$ does the error first rise? What changes between $\kappa = 10$ and $100$?
    Where the error turns, the path in the plane of $R$ and $Q$ is parallel to the grey lines. Orange marks
    show the turns in both pictures.
    """)
    return


@app.cell
def _():
    kappa = kit.slider("ratio of strengths κ [1]", steps=kit.log_steps(1, 100), value=1.0)
    alpha = kit.slider(
        "examples per feature α [1]", steps=[0.5, 0.6, 0.8, 0.9, 1.1, 1.25, 1.5, 2.0, 3.0], value=1.1
    )
    share = kit.slider(
        "share of fast features p/d [1]", steps=np.linspace(0.1, 0.9, 9).round(1).tolist(), value=0.7
    )
    noise = kit.slider("label noise σ [output]", steps=np.linspace(0, 0.5, 11).round(2).tolist(), value=0.0)
    simulate = kit.simulate_button()
    kit.controls(kappa=kappa, alpha=alpha, share=share, noise=noise, simulate=simulate)
    return alpha, kappa, noise, share, simulate


@app.function
def short(value: float) -> str:
    """A number to two digits."""
    return f"{float(f'{value:.2g}'):g}"


@app.function
def arranged(answer: xr.Dataset) -> xr.Dataset:
    """The excess risk, R and Q as `order`, and the contribution of each scale to the risk as `part`."""
    order = xr.concat([answer["R"], answer["Q"]], xr.Variable("number", ["R", "Q"]))
    part = answer["bias"] + answer["variance"] + answer["start"]
    told = {"order": "R and Q", "part": "parts of the risk"}
    units = {"order": "1", "part": "output^2"}
    both = dict(order=order, part=part)
    return answer[["excess_risk"]].assign(
        {name: each.assign_attrs(long_name=told[name], units=units[name]) for name, each in both.items()}
    )


@app.cell
def _(alpha, kappa, noise, share):
    question: dict[str, Any] = dict(
        problem="multiscale",
        alpha=alpha.value,
        d=100,
        p=round(100 * share.value),
        kappa=kappa.value,
        noise=noise.value,
    )
    theory = arranged(ts.curve(times="0.1:1e7:121", **FLOW, **question))
    printed = ts.curve(times="0.1:1e7:121", dynamics="flow", route="printed", **question)
    turns = ts.turns(**question)
    return printed, question, theory, turns


@app.cell
def _(question, simulate):
    def _simulated(rate=0.002):
        """60 students of 100 features, trained step by step, against the theory."""
        steps = np.unique(np.rint(np.geomspace(0.2, 1e7, 24) / rate))
        descent = dict(dynamics="descent", route="simulation", times=steps, learning_rate=rate)
        trained = ts.sample(seeds=60, observable=["parts"], **descent, **question)
        claimed = ts.curve(times=rate * steps, **FLOW, **question)
        # Below a standard error of 0.002 the biases of finite steps and sizes would dominate.
        return ts.compare(
            arranged(trained.assign_coords(time=rate * steps)), arranged(claimed), resolvable=2e-3
        )

    comparison = kit.on_demand(simulate, _simulated)
    return (comparison,)


@app.cell(hide_code=True)
def _(comparison, printed, question, theory, turns):
    _mark = kit.LOOKS[1]
    _risk, *_residuals = kit.curves(
        theory,
        "excess_risk",
        ["theory"],
        comparison=comparison,
        x=kit.Axis("training time s [1/curvature]", "log", high=2e7),
        y=kit.Axis("excess risk L_G [output^2]", low=0),
    )
    _risk = _risk.with_marks(
        kit.Line(
            printed["time"], printed["excess_risk"], kit.LOOKS[4], "as printed (approximate)", dashed=True
        ),
        *(
            kit.Line([t / 1.6, t * 1.6], [e, e], _mark, "where the error turns")
            for t, e in zip(turns["time"].values, turns["excess_risk"].values, strict=True)
        ),
    )

    _grey, _ends = kit.Look("#7b8794", "cross"), np.array([0.0, 1.2])
    _R = np.linspace(0, 1.2, 25)
    _marks: list[Any] = [
        kit.Line(_ends, 2 * _ends - 1 + 2 * level, _grey, "equal error, in steps of 0.1", width=1)
        for level in np.arange(0, 2.05, 0.1)
    ]
    _marks.append(kit.Line(_R, _R**2, kit.LOOKS[3], "Q = R², the lower bound"))
    _path_R, _path_Q = theory["order"].values
    _marks.append(kit.Line(_path_R, _path_Q, kit.LOOKS[0], "theory"))
    if turns.sizes["turn"]:
        _at = ts.curve(times=turns["time"].values, **FLOW, **question)
        _marks += [
            kit.Line([r - 0.05, r + 0.05], [q - 0.1, q + 0.1], _mark, "where the error turns")
            for r, q in zip(_at["R"].values, _at["Q"].values, strict=True)
        ]
    if comparison is not None:
        (_R, _Q), (_R_bars, _Q_bars) = (
            comparison.simulation[name].values for name in ("order", "order_stderr")
        )
        _marks.append(
            kit.Points(_R, _Q, kit.LOOKS[0], "simulation ± 1 standard error", error=_Q_bars, x_error=_R_bars)
        )
    _plane = kit.Panel(
        kit.Axis("alignment R [1]", low=0, high=1.2),
        kit.Axis("modulated norm Q [1]", low=0, high=max(1.3, 1.15 * _path_Q.max())),
        tuple(_marks),
        height=310,
    )
    _turned = ", ".join(map(short, turns["time"].values))
    _course = f"turns at s = {_turned}" if _turned else "falls throughout"
    kit.abreast(
        kit.picture(_risk, *_residuals, alt=f"The excess risk over time {_course}."),
        kit.picture(_plane, alt=f"The path from R = Q = 0 to R = {_path_R[-1]:.2f}, Q = {_path_Q[-1]:.2f}."),
    )
    return


@app.cell(hide_code=True)
def _(comparison, kappa, question, theory):
    _s = kit.Axis("training time s [1/curvature]", "log", high=2e7)
    _both: dict[str, Any] = dict(comparison=comparison, x=_s)
    _parts = kit.curves(
        theory,
        "part",
        ["fast features", "slow features"],
        across="scale",
        y=kit.Axis("contribution to the excess risk [output^2]", low=0),
        **_both,
    )
    _order, *_gaps = kit.curves(
        theory, "order", ["R", "Q"], across="number", y=kit.Axis("R and Q [1]", low=0), **_both
    )
    _times = theory["time"].values
    _spectrum = ts.spectrum(eigenvalues=1 / _times[::-1], **question)
    _clock = kit.Panel(
        _s,
        kit.Axis("share of modes with 1/λ < s [1]", low=0, high=1.15),
        (kit.Line(_times[::-1], 1 - _spectrum["share_below"], kit.LOOKS[2], "modes already learned"),),
        height=76,
    )
    _fast = theory["part"].sel(scale=1)
    kit.abreast(
        kit.picture(
            *_parts,
            alt=f"The contribution of the fast features to the risk has a minimum of {_fast.min():.2f}.",
        ),
        kit.picture(
            _order,
            _clock,
            *_gaps,
            alt="R and Q grow on two time scales.",
            caption=f"Lower panel: the two time scales differ by a factor κ² = {short(kappa.value**2)}.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(comparison):
    kit.verdict(comparison)
    return


@app.cell(hide_code=True)
def _(question, theory, turns):
    _kinds = np.where(turns["is_minimum"].values, "minimum", "maximum")
    _turns = ", ".join(
        f"a {kind} of {risk:.3g} at $s =$ {short(time)}"
        for kind, risk, time in zip(_kinds, turns["excess_risk"].values, turns["time"].values, strict=True)
    )
    _said = f"the error has {_turns}." if _turns else "the error falls throughout."
    if {"minimum", "maximum"} <= set(_kinds):
        _ends = arranged(ts.curve(times=turns["time"].values[:2], **FLOW, **question))
        _grown = _ends.diff("time").isel(time=0)
        (_R, _Q), (_fast, _slow) = _grown["order"].values, _grown["part"].values
        _said += (
            f" While the error rises, $R$ grows by {_R:.3f} and $Q$ by {_Q:.3f}, more than twice as much. "
            f"The contribution of the fast features to the risk changes by {_fast:+.3f}, the contribution "
            f"of the slow features by {_slow:+.3f}."
        )
    kit.text(rf"""
    At these settings {_said} At $s = 10^7$ the error is {round(theory["excess_risk"][-1].item(), 4) + 0:g}.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **A test of formulas.** At $\kappa = 1$ all features are equally strong, so $p/d$ must have no effect. The
    solid line does not move with $p/d$, but the dashed line does. The dashed line shows the formulas as
    printed (Eqs. 4.2.13-4.2.16), with a ridge of $1/s$ in place of time. These formulas treat the two kinds
    of features as two independent students, although both learn from the same examples.

    **Where the theory ends.** The solid line is the limit of many features, many examples and small steps.
    The simulation here has 100 features, so its means have a bias of order $1/d$. The bias is larger where
    $\alpha$ is near 1 and labels are noisy. Real networks are not linear, so this model is only an analogy.
    """)
    return


@app.cell(hide_code=True)
def _():
    _plateau = ts.curve(
        "multiscale", dynamics="flow", route="asymptotic", times=[1e4, 1e6], n=110, d=100, p=70, kappa=1e5
    )["excess_risk"].values
    _first_values = dict(ratio=0.5 * 0.3 * 110 / 40, plateau=_plateau[0], raised=_plateau[1])
    _three = ts.turns("multiscale", n=110, scales=((50, 1.0), (27, 0.05), (23, 0.0025)))
    _found = ", ".join(map(short, _three["time"].values))
    kit.exercises(
        "descents",
        _first_values,
        dict(turns=_three.sizes["turn"], found=_found, descents=1 + int((~_three["is_minimum"]).sum())),
    )
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("descents")
    return


if __name__ == "__main__":
    app.run()
