"""Lesson 19: Why nonlinear features hide the second descent over time."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 19: Why nonlinear features hide the second descent over time",
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
    from teacherstudent.lessons.interpolation import compared, limit, trained


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Why nonlinear features hide the second descent over time

    **The question.** In Lesson 3 the error of a linear student descends twice during training. The error of a
    network with random features usually does not, although the same strong and weak inputs are there. What
    hides the second descent?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("nonlinear")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    A linear teacher labels the examples (Eq. 2.3.1). The student is that of Lesson 8: $N$ random features
    $\varphi(F_i \cdot z)$, of which only the outer weights are learned. In the limit of many inputs each
    feature is equivalent to a linear feature with noise,

    $$ \varphi(u) - \mu_0 \simeq \mu_1 u + \mu_* \xi $$

    Here the features are $\varphi(u) = \sqrt{1 - q}\, u + \sqrt{q/6}\, (u^3 - 3u)$, so $\mu_1^2 = 1 - q$ and
    $\mu_*^2 = q$: a share $q$ of their variance is **nonlinear**.

    **Two time scales.** A second descent over time needs two time scales, as in Lesson 3. Of 100 inputs, 22
    are $\kappa$ times as strong as the other 78, and all inputs together have the mean square 1. So the weak
    inputs have the squared strength

    $$ w^2 = \frac{1}{0.22\, \kappa^2 + 0.78} $$

    There are $N/d = 6.5$ features and $n/d = 0.55$ examples per input, and no label noise. The student first
    learns from the strong inputs only. The contribution of the weak inputs to the labels then acts as noise,
    and the error rises. When the student learns from the weak inputs as well, the error falls again.

    **The nonlinear part acts as a ridge.** With many features, the covariance of the outputs of two examples
    is the covariance of their inputs times $\mu_1^2$. The covariance of an example with itself also contains
    $\mu_*^2$. So the student is equivalent to ridge regression on the inputs with the ridge

    $$ \Lambda = \frac{\mu_*^2 + \lambda}{\mu_1^2} = \frac{q}{1 - q} \quad \text{without a ridge } \lambda $$

    Directions whose eigenvalues are smaller than $\Lambda$ are never learned, however long training lasts.
    The second descent consists of exactly these directions.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("nonlinear")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    The orange line is a student with linear features. Increase the nonlinear share $q$ step by step: where
    does the hill between the two descents begin to shrink, and where is it gone? Then change $\kappa$, and
    find both shares again. At $\kappa = 1$ there is one time scale only.
    """)
    return


@app.cell
def _():
    kappa = kit.slider("ratio of strengths κ [1]", [1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 20.0], 13.0)
    q = kit.slider("nonlinear share q [1]", [0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3], 0.01)
    draw = kit.slider("first of 40 draws [1]", list(range(0, 400, 40)), 0)
    simulate = kit.simulate_button()
    kit.controls(kappa=kappa, q=q, draw=draw, simulate=simulate)
    return draw, kappa, q, simulate


@app.function
def two_strengths(kappa: float, q: float) -> dict[str, Any]:
    """The question: 22 strong inputs and 78 weak ones, seen through features of nonlinear share q."""
    hermite = (0.0, float(np.sqrt(1 - q)), 0.0, float(np.sqrt(q)))
    weak = float(1 / np.sqrt(0.22 * kappa**2 + 0.78))  # inputs of mean square 1
    return dict(psi1=6.5, psi2=0.55, scales=((22, kappa * weak), (78, weak)), hermite=hermite)


@app.function
def hill(course: xr.Dataset) -> float:
    """The most by which the risk of a course rises and then falls again."""
    risk = course["excess_risk"].values
    risen = risk - np.minimum.accumulate(risk)
    falling = risk - np.minimum.accumulate(risk[::-1])[::-1]
    most = np.minimum(risen, falling).max()
    return most if most > 1e-12 else 0.0  # less is rounding


@app.cell
def _(kappa, q):
    two = limit("flow", "0.01:1e5:71", **two_strengths(kappa.value, q.value))
    unbent = limit("flow", "0.01:1e5:71", **two_strengths(kappa.value, 0.0))
    equal = limit("flow", "0.01:1e5:71", **two_strengths(1.0, q.value))
    return equal, two, unbent


@app.cell
def _(kappa):
    shares = kit.log_steps(3e-3, 0.3, 8)
    hills = [hill(limit("flow", "0.01:1e5:41", **two_strengths(kappa.value, each))) for each in shares]
    return hills, shares


@app.cell
def _(draw, kappa, q, simulate):
    def _simulated():
        """The course of forty students."""
        question = two_strengths(kappa.value, q.value)
        seen = trained(np.geomspace(0.02, 1e5, 16), range(draw.value, draw.value + 40), **question)
        return compared(seen, limit("flow", seen["time"].values, **question))

    comparison = kit.on_demand(simulate, _simulated)
    return (comparison,)


@app.cell(hide_code=True)
def _(equal, hills, kappa, q, shares, two, comparison, unbent):
    _first, *_gaps = kit.curves(
        two,
        "excess_risk",
        [f"κ = {kappa.value:g}, nonlinear share {q.value:g}"],
        comparison=comparison,
        x=kit.Axis("training time s [1/curvature]", "log"),
        y=kit.Axis("excess risk [output^2]", low=0),
    )
    _others = {f"κ = {kappa.value:g}, linear features": unbent, "all inputs equally strong": equal}
    _first = _first.with_marks(
        *(
            kit.Line(each["time"], each["excess_risk"], look, name)
            for (name, each), look in zip(_others.items(), kit.LOOKS[1:3], strict=True)
        )
    )
    _height = kit.Panel(
        kit.Axis("nonlinear share q [1]", "log"),
        kit.Axis("height of the hill [output^2]", low=0),
        (
            kit.Line(shares, hills, kit.LOOKS[0], f"κ = {kappa.value:g}"),
            *([kit.Now(q.value)] if q.value >= shares[0] else []),
        ),
    )
    kit.abreast(
        kit.picture(
            _first,
            *_gaps,
            alt=f"The excess risk over time ends at {two['excess_risk'][-1].item():.3g}, with linear "
            f"features at {unbent['excess_risk'][-1].item():.3g}.",
        ),
        kit.picture(
            _height,
            alt=f"The hill of the risk over time is {hills[0]:.3f} high at q = {shares[0]:g}, "
            f"{hills[-1]:.3f} at q = {shares[-1]:g}.",
            caption="Height by which the risk rises and falls again between the two descents. With linear "
            f"features it is {hill(unbent):.3f}.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(comparison):
    kit.verdict(comparison)
    return


@app.cell(hide_code=True)
def _(equal, kappa, q, two, unbent):
    kit.text(rf"""
    At $\kappa =$ {kappa.value:g} the risk rises and falls again by {hill(unbent):.3f} with linear features,
    and by {hill(two):.3f} with a nonlinear share of {q.value:g}. If all inputs are equally strong, the risk
    rises and falls by {hill(equal):.3f}.
    """)
    return


@app.cell(hide_code=True)
def _():
    _relu = (1 / 4 - 1 / (2 * np.pi)) / (1 / 2 - 1 / (2 * np.pi))
    kit.text(rf"""
    The usual nonlinearities have large nonlinear shares: {_relu:.2f} for $\max(u, 0)$ and {1 - 2 / np.pi:.2f}
    for the sign. So networks with these features show no second descent over time, unless the weak inputs are
    nearly as strong as the others.

    **Where the theory ends.** In the limit all $F_i \cdot x$ have the same variance. With 22 strong inputs
    these variances differ by {np.sqrt(2 / 22):.0%} from feature to feature, and the cubic part of the
    features turns this into a difference between their linear parts. So at $q = 0.1$ the students end above
    the line. With four times as many inputs, `--scales 88:13,312:1`, the students end closer to the line.
    Students on Gaussian features of the same moments, `--route gaussian-equivalent`, agree with the line even
    with 22 strong inputs.
    """)
    return


@app.cell(hide_code=True)
def _():
    def _ridged(psi1):
        """The excess risk of ridge regression with psi1 features an input."""
        return limit("ridge", (1e9,), psi1=psi1, psi2=3.0, noise=0.5, ridge=0.01)["excess_risk"].item()

    _linear = (0.01 + 1 / 4 - 1 / (2 * np.pi)) * 4
    _inputs = ts.curve(
        "multiscale",
        dynamics="ridge",
        route="asymptotic",
        times=[1e9],
        alpha=3.0,
        scales=((1000, 1.0),),
        noise=0.5,
        ridge=_linear,
    )["excess_risk"].item()
    _gaps = [_ridged(width) - _inputs for width in (100.0, 1000.0)]

    def _height(kappa, q):
        """The height of the hill."""
        return hill(limit("flow", "0.01:1e5:71", **two_strengths(kappa, q)))

    _weak = 1 / (0.22 * 13**2 + 0.78)
    _heights = [_height(13.0, each * _weak / (1 + each * _weak)) for each in (0.0, 0.25, 1.0, 4.0)]
    _names = ("none", "quarter", "same", "four")
    kit.exercises(
        "nonlinear",
        dict(linear=_linear, inputs=_inputs, gap_narrow=_gaps[0], gap_wide=_gaps[1]),
        dict(weak=_weak, **dict(zip(_names, _heights, strict=True))),
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Which experiments could refute this?

    - **The nonlinear part acts as a ridge.** Take linear features and the ridge $\Lambda$, with the options
      `--hermite 0,1 --ridge`. Does the hill have the same height as with the nonlinear share $q$?
    - **The hill needs two time scales.** At $\kappa = 1$ no share $q$ may give a hill, in any draws.
    - **The remaining difference at large $q$ is due to few strong inputs.** It must shrink with the number of
      inputs.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("nonlinear")
    return


if __name__ == "__main__":
    app.run()
