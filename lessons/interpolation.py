"""Lesson 8: From the classical U to double descent."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 8: From the classical U to double descent",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    from collections.abc import Iterable
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
    # From the classical U to double descent

    **The question.** Textbooks say that the error on unseen data is U-shaped in the size of a model: a model
    that is too small cannot express the rule, and a model that is too large fits the noise. The error of a
    network instead rises to a peak and falls again beyond it. Why? Where is the peak, and how can it be
    avoided?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("interpolation")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    A linear teacher labels $n$ examples with $d$ inputs each, $y = w \cdot z + \varepsilon$ (Eq. 2.3.1). The
    inputs have variance $1/d$, the weights variance 1 and the label noise variance $\sigma^2$. The student
    sees the inputs through $N$ random features, which it never learns:

    $$ \hat y = \frac{1}{\sqrt N} \sum_{i=1}^N a_i \bigl[ \varphi(F_i \cdot z) - \mu_0 \bigr], \qquad
       F_i \sim \mathcal N(0, I_d) $$

    where $\mu_0 = \mathbb E\, \varphi(G)$ and $G$ is a standard normal number. Only the weights $a$ are
    learned. The weights start at zero and follow the gradient of half the summed squared error plus the ridge
    term $\tfrac12 \lambda |a|^2$, in the time $s = \eta k$ after $k$ steps with the learning rate $\eta$. So
    the student is linear in its weights, and its size is $N$.

    **Gaussian equivalence.** In the limit of many inputs each feature acts as a noisy view of one direction:

    $$ \varphi(u) - \mu_0 \simeq \mu_1 u + \mu_* \xi $$

    $$ \mu_1 = \mathbb E\, G \varphi(G), \qquad \mu_*^2 = \operatorname{Var} \varphi(G) - \mu_1^2 $$

    where $\xi$ is independent Gaussian noise. For $\varphi(u) = \max(u, 0)$, used here, $\mu_1 = 1/2$ and
    $\mu_*^2 = 1/4 - 1/(2\pi)$. The error then depends only on the ratios $N/d$ and $n/d$.

    **Without a ridge, after infinitely long training,** the student does not learn a share $b$ of each
    weight:

    $$ b = \frac{1}{1 + \mu_1^2 Y}, \qquad \mu_*^2 Y + 1 - b = \min(N/d,\, n/d) $$

    and the error on unseen, noisy examples is

    $$ E_g = \begin{cases} (b + \sigma^2)\, \dfrac{n}{n - N} & N < n \\[2ex]
       E_\infty + (b + \sigma^2)\, \dfrac{n}{N - n} & N > n \end{cases} $$

    $$ E_\infty = \frac{b^2 + \sigma^2}{1 - (1 - b)^2\, d/n} $$

    - **$N < n$: the classical U.** With more features the student misses less: $b$ falls. But the part that
      the student misses acts as label noise, and each weight fits some of this noise: $n/(n - N)$ rises.
    - **$N = n$: the interpolation threshold.** At this width the student can fit all labels exactly for the
      first time. Only one choice of weights fits all labels, and these weights can be huge. The error on the
      training examples is $(b + \sigma^2)(1 - N/n)$, which reaches zero at $N = n$.
    - **$N > n$: the second descent.** Many choices of weights fit all labels, and gradient descent finds the
      choice with the smallest weights. For $N > n$, $b$ depends only on $n$, and so does $E_\infty$, the
      error with infinitely many features. The *variance* due to the random draw of features falls.

    At $N = n$ the matrix of features is square. As in Lesson 2, the spectrum of a square matrix reaches down
    to zero (Eq. 2.3.30 states this for inputs without features). Directions with small eigenvalues are
    learned slowly and need large weights. With a ridge $\lambda$, or if training stops at $s \sim 1/\lambda$,
    directions with eigenvalues below $\lambda$ are not learned.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("interpolation")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    **Predict first**, with paper and pencil, what the pictures will show at $n/d = N/d = 3$:

    1. *Over the width*: where is the peak? Where is the peak at $n/d = 1.5$? Does the peak vanish without
       label noise?
    2. *Over the samples*: a student of fixed width is given more and more examples. Does its error always
       fall?
    3. *Over time*: at the peak, when is the best time to stop?

    Then move the sliders: $n/d$ moves the threshold in the first picture, and $N/d$ moves the threshold in
    the second picture. A ridge or shorter training flattens both peaks. In the notebook, buttons train
    students, and a different value of *first of 20 draws* gives them different data.
    """)
    return


@app.cell
def _():
    _ratios = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0]
    samples = kit.slider("samples per input n/d [1]", _ratios, 3.0)
    features = kit.slider("features per input N/d [1]", _ratios, 3.0)
    noise = kit.slider("label noise σ [output]", np.linspace(0, 1, 11).round(1).tolist(), 0.5)
    ridge = kit.slider("ridge λ [curvature]", [0.0, *kit.log_steps(1e-3, 1, 2)], 0.0)
    s = kit.slider("training time s [1/curvature]", kit.log_steps(1, 1e4, 2), 1000.0)
    first = kit.slider("first of 20 draws [1]", list(range(0, 200, 20)), 0)
    vary_width = kit.simulate_button("Simulate widths")
    vary_samples = kit.simulate_button("Simulate samples")
    vary_time = kit.simulate_button("Simulate times")
    kit.controls(
        samples=samples,
        features=features,
        noise=noise,
        ridge=ridge,
        s=s,
        first=first,
        vary_width=vary_width,
        vary_samples=vary_samples,
        vary_time=vary_time,
    )
    return features, first, noise, ridge, s, samples, vary_samples, vary_time, vary_width


@app.function
def ridgeless(psi1: Any, psi2: Any, noise: float) -> np.ndarray:
    """The excess risk by the formulas above, at N/d and n/d, numbers or arrays of one shape."""
    linear, rest, least = 1 / 4, 1 / 4 - 1 / (2 * np.pi), np.minimum(psi1, psi2)
    # t = linear Y solves rest t^2 + (rest + linear - linear least) t - linear least = 0
    half = (rest + linear - linear * least) / 2
    missed = 1 / (1 + (np.sqrt(half**2 + rest * linear * least) - half) / rest)
    many = (missed**2 + noise**2) / (1 - (1 - missed) ** 2 / psi2)
    peak = (missed + noise**2) * psi2 / np.abs(psi1 - psi2)
    return (np.where(psi1 > psi2, many, 0.0) + peak - noise**2) / 2


@app.function
def limit(dynamics: str, times: Any, **question: Any) -> xr.Dataset:
    """The answer of the theory."""
    inputs: dict[str, Any] = (
        {} if "scales" in question else dict(d=10**6)
    )  # only ratios matter: so many give six digits
    return ts.curve(
        "random-features", dynamics=dynamics, route="asymptotic", times=times, **inputs, **question
    )


@app.function
def risk(time: float, **question: Any) -> float:
    """The excess risk in the limit, at one time of the flow."""
    return limit("flow", [time], **question)["excess_risk"].item()


@app.function
def parts(time: float, **question: Any) -> tuple[float, ...]:
    """Its parts: bias, and variances due to features, samples, label noise."""
    answer = limit("flow", [time], observable=("parts",), **question)
    return (
        answer["bias"].item(),
        (answer["variance_features"] + answer["variance_features_samples"]).item(),
        answer["variance_samples"].item(),
        (answer["variance_noise"] + answer["variance_features_noise"]).item(),
    )


@app.function
def trained(times: Any, draws: range, **question: Any) -> xr.Dataset:
    """Excess risks of one student for each of the draws, trained step by step, over seed and flow time."""
    rate = 0.002
    steps = np.unique(np.rint(np.array(times) / rate))
    descent: dict[str, Any] = dict(dynamics="descent", times=steps, learning_rate=rate)
    descent |= dict(route="simulation", seeds=len(draws), seed=draws.start)
    seen = ts.sample("random-features", **descent, **question)
    told = seen["excess_risk"].assign_attrs(long_name="excess risk over time")
    return xr.Dataset({"excess_risk": told}, attrs=seen.attrs).assign_coords(time=rate * steps)


@app.function
def compared(seen: xr.Dataset, claimed: xr.Dataset) -> ts.Comparison:
    """Students of 100 inputs with the limit, from which their means differ by the order of 1/100."""
    # Below a standard error of 0.004 that bias would dominate.
    return ts.compare(seen, claimed, resolvable=4e-3)


@app.function
def over(name: str, ratios: list[float], risks: Iterable[Any]) -> xr.Dataset:
    """Excess risks, one or several draws for each of the ratios of that name."""
    of = {"psi1": "the width", "psi2": "the samples"}[name]
    attrs = {"symbol": "E", "long_name": f"excess risk over {of}", "units": "output^2"}
    rows = [each if isinstance(each, xr.DataArray) else xr.DataArray(each) for each in risks]
    return xr.Dataset({"excess_risk": xr.concat(rows, xr.Variable(name, ratios)).assign_attrs(attrs)})


@app.function
def across(name: str, threshold: float, s: float, draws: range, setting: dict[str, float]) -> ts.Comparison:
    """Students at time s, compared with the limit at four values of psi1 or psi2 around the threshold."""
    ratios = [round(each * threshold, 2) for each in (0.3, 0.7, 1.0, 2.0)]
    settings = [setting | {name: each} for each in ratios]
    drawn = (trained([s], draws, d=100, **each)["excess_risk"].isel(time=0, drop=True) for each in settings)
    return compared(over(name, ratios, drawn), over(name, ratios, [risk(s, **each) for each in settings]))


@app.function
def highest(answer: xr.Dataset, name: str) -> str:
    """Where the risk over psi1 or psi2 `around` a threshold is largest: at a peak, or at an end, in words."""
    ratio, threshold = {"psi1": ("N/d", "N = n"), "psi2": ("n/d", "n = N")}[name]
    risks, ratios = answer["excess_risk"].values, answer[name].values
    at = int(np.argmax(risks))
    most = f"at most {risks[at]:.3g}"
    if at in (0, len(risks) - 1):
        return f"{most}, at the {'least' if at == 0 else 'largest'} {ratio}, {ratios[at]:.3g}"
    middle = ratios[len(ratios) // 2]
    return f"{most}; it peaks at {ratio} = {ratios[at]:.3g}, and {threshold} is at {middle:.3g}"


@app.function
def around(threshold: float) -> list[float]:
    """Ratios from an eighth of the threshold to eight times it, closer together around it."""
    u = np.linspace(-1, 1, 37)
    return (threshold * 8 ** (np.sign(u) * np.abs(u) ** 1.9)).round(4).tolist()


@app.cell
def _(features, first, noise, ridge, s, samples):
    setting = dict(psi1=features.value, psi2=samples.value, noise=noise.value, ridge=ridge.value)
    label = f"ridge {ridge.value:g}, stopped at s = {s.value:g}"
    draws = range(first.value, first.value + 20)
    return draws, label, setting


@app.cell
def _(setting):
    course = limit("flow", "0.1:1e4:61", **setting)
    return (course,)


@app.cell
def _(noise, ridge, s, samples):
    widths = around(samples.value)
    _rest = dict(psi2=samples.value, noise=noise.value, ridge=ridge.value)
    causes = np.array([parts(s.value, psi1=each, **_rest) for each in widths])
    over_width = over("psi1", widths, causes.sum(axis=1))
    return causes, over_width, widths


@app.cell
def _(features, noise, ridge, s):
    _sizes = around(features.value)
    _rest = dict(psi1=features.value, noise=noise.value, ridge=ridge.value)
    over_samples = over("psi2", _sizes, [risk(s.value, psi2=each, **_rest) for each in _sizes])
    return (over_samples,)


@app.cell
def _(draws, s, samples, setting, vary_width):
    width_comparison = kit.on_demand(
        vary_width, lambda: across("psi1", samples.value, s.value, draws, setting)
    )
    return (width_comparison,)


@app.cell
def _(draws, features, s, setting, vary_samples):
    sample_comparison = kit.on_demand(
        vary_samples, lambda: across("psi2", features.value, s.value, draws, setting)
    )
    return (sample_comparison,)


@app.cell
def _(draws, setting, vary_time):
    def _simulated():
        """The course of twenty students."""
        seen = trained(np.geomspace(0.2, 1e4, 16), draws, d=100, **setting)
        return compared(seen, limit("flow", seen["time"].values, **setting))

    course_comparison = kit.on_demand(vary_time, _simulated)
    return (course_comparison,)


@app.function
def walk(name: str, fixed: float, noise: float, answer: xr.Dataset, label: str, made: Any) -> list[kit.Panel]:
    """The risk over psi1 or psi2, the other one fixed, with the line of the formulas and the threshold."""
    near = np.geomspace(5e-3, 1, 60)
    fine = fixed * 8 ** np.concatenate([-near[::-1], [np.nan], near])
    never = ridgeless(fine, fixed, noise) if name == "psi1" else ridgeless(fixed, fine, noise)
    x = {"psi1": "features per input N/d [1]", "psi2": "samples per input n/d [1]"}[name]
    y = kit.Axis("excess risk [output^2]", "log", high=30)
    risk, *residuals = kit.curves(
        answer, "excess_risk", [label], along=name, comparison=made, x=kit.Axis(x, "log"), y=y
    )
    beneath = (kit.Line(fine, never, kit.LOOKS[1], "no ridge, infinite training time"), kit.Now(fixed))
    return [replace(risk, marks=(*beneath, *risk.marks)), *residuals]


@app.cell(hide_code=True)
def _(causes, label, noise, over_width, samples, width_comparison, widths):
    _n = samples.value
    _names = ("bias", "variance due to features", "variance due to samples", "variance due to label noise")
    _parts = kit.Panel(
        kit.Axis("features per input N/d [1]", "log"),
        kit.Axis("parts of the excess risk [output^2]", "log", low=1e-3, high=30),
        (
            kit.Now(_n),
            *(kit.Line(widths, *each) for each in zip(causes.T, kit.LOOKS, _names, strict=False)),
        ),
    )
    _last = ", ".join(f"{name} {value:.3g}" for name, value in zip(_names, causes[-1], strict=True))
    kit.abreast(
        kit.picture(
            *walk("psi1", _n, noise.value, over_width, label, width_comparison),
            alt=f"The excess risk over the width is {highest(over_width, 'psi1')}.",
            caption=f"Risk over the width at n/d = {_n:g}. The thin line is at N = n.",
        ),
        kit.picture(
            _parts,
            alt=f"Parts of the excess risk over the width. At {widths[-1]:g} features per input: {_last}.",
            caption="The parts add up to the blue line of the other picture. The joint effect of features "
            "and samples is counted as features, the joint effect of label noise and features as label "
            "noise.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(course, course_comparison, features, label, noise, over_samples, s, sample_comparison, samples):
    _N, _n = features.value, samples.value
    _course, *_gaps = kit.curves(
        course,
        "excess_risk",
        [label.partition(",")[0]],
        comparison=course_comparison,
        x=kit.Axis("training time s [1/curvature]", "log"),
        y=kit.Axis("excess risk [output^2]", "log"),
    )
    _least = course["excess_risk"].min().item()
    kit.abreast(
        kit.picture(
            *walk("psi2", _N, noise.value, over_samples, label, sample_comparison),
            alt=f"The excess risk over the samples is {highest(over_samples, 'psi2')}.",
            caption=f"Risk over the samples at N/d = {_N:g}. The thin line is at n = N.",
        ),
        kit.picture(
            _course.with_marks(kit.Now(s.value)),
            *_gaps,
            alt=f"The excess risk over training time is at least {_least:.3g}.",
            caption=f"Risk over time at N/d = {_N:g} and n/d = {_n:g}. The thin line is at your time s.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(course_comparison, sample_comparison, width_comparison):
    kit.verdict(width_comparison, sample_comparison, course_comparison)
    return


@app.cell(hide_code=True)
def _(causes, noise, over_width, s, samples, widths):
    _n, _below = samples.value, np.linspace(0.02, 0.98, 97) * samples.value
    _U = ridgeless(_below, _n, noise.value)
    _bottom, _stopped = _U.argmin(), over_width["excess_risk"].values
    _shares = causes[len(widths) // 2] / causes[len(widths) // 2].sum()
    kit.text(rf"""
    **Over the width,** at $n/d =$ {_n:g}: without a ridge, the classical U has its lowest point,
    {_U[_bottom]:.3g}, at $N/d =$ {_below[_bottom]:.2g}. With infinitely many features the risk is
    {ridgeless(np.array(1e9), _n, noise.value):.3g}. If training stops at $s =$ {s.value:g}, the risk is
    {_stopped.max():.3g} at most, and {_stopped[-1]:.3g} at $N/d =$ {widths[-1]:g}. At the threshold
    {_shares[0]:.1%} of the risk is bias. The random draw of features causes {_shares[1]:.1%} of the risk,
    the draw of samples {_shares[2]:.1%}, and the label noise {_shares[3]:.1%}.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **Over the samples** the same formulas hold, read as functions of $n/d$. The peak is at $n = N$, so below
    it more data makes the error *larger*. Beyond the peak the student can no longer fit all its labels, and
    averages over them.
    """)
    return


@app.cell(hide_code=True)
def _(course, features, samples):
    _risk = course["excess_risk"]
    _best = _risk.isel(time=_risk.argmin("time"))
    kit.text(rf"""
    **Over time,** at $N/d =$ {features.value:g} and $n/d =$ {samples.value:g}: the risk is lowest,
    {_best:.3g}, near $s =$ {_best["time"]:.2g}, and is {_risk[-1].item():.3g} at $s = 10^4$.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    The peak is due to small eigenvalues, which are learned slowly. Move $s$ to the time of the lowest risk,
    and look at the first and third pictures. After this time the error rises or stays constant. Lesson 19
    explains why there is no second descent over time.

    **Where the theory ends.** The theory is the limit of many inputs, features and samples. Students of 100
    inputs differ from this limit by a bias of order $1/d$. Near $N = n$ after long training the bias is
    several times larger, and single draws also scatter most. The features never learn, and the inputs
    are Gaussian.
    """)
    return


@app.cell(hide_code=True)
def _():
    def _end(psi1, psi2, activation):
        """The excess risk at s = 10^4, with noise 0.5."""
        return risk(1e4, psi1=psi1, psi2=psi2, noise=0.5, activation=activation)

    _first_values = dict(
        equal_linear=_end(3.0, 3.0, "linear"),
        equal_relu=_end(3.0, 3.0, "relu"),
        few_linear=_end(3.0, 1.0, "linear"),
        few_relu=_end(3.0, 1.0, "relu"),
    )

    def _risks(psi2):
        """The excess risk at N/d = 3 and noise 0.5 without a ridge at s = 1000, and with the best ridge."""
        question = dict(psi1=3.0, psi2=psi2, noise=0.5)
        ridges = limit("ridge", "1e-3:1e6:61", **question)
        return risk(1e3, **question), ridges["excess_risk"].min().item()

    (_few, _few_best), (_enough, _enough_best), (_many, _many_best) = map(_risks, (1.5, 3.0, 6.0))
    _second_values = dict(
        few=_few,
        enough=_enough,
        many=_many,
        ratio=_enough / _few,
        few_best=_few_best,
        enough_best=_enough_best,
        many_best=_many_best,
    )
    _one = limit("flow", (1e3,), psi1=3.0, psi2=3.0, noise=0.5, observable=("parts",))
    _drawn = ("variance_features", "variance_features_samples", "variance_features_noise")
    _shared = sum(_one[name].item() for name in _drawn)
    _all = _one["excess_risk"].item()
    _wide = risk(1e3, psi1=30.0, psi2=3.0, noise=0.5)
    _third_values = dict(shared=_shared, all=_all, rest=_all - 0.9 * _shared, wide=_wide)
    kit.exercises("interpolation", _first_values, _second_values, _third_values)
    return


@app.cell(hide_code=True)
def _():
    _square, _cube = (
        risk(1e3, psi1=3.0, psi2=3.0, noise=0.5, hermite=each)
        for each in ((0.0, 0.9, 0.4), (0.0, 0.9, 0.0, 0.4))
    )
    _silent = risk(1e3, psi1=3.0, psi2=3.0)
    kit.text(rf"""
    ## Which experiments could refute this?

    A claim that no experiment could refute has no content. These experiments could refute the claims above:

    - **The peak is at $N = n$.** Change $n/d$ and simulate widths. Does the peak move?
    - **The peak needs no label noise.** At $\sigma = 0$ and $s = 1000$ the theory still gives a risk of
      {_silent:.3g} at $N/d = n/d = 3$, since the part that the student misses acts as noise. Is the simulated
      peak there?
    - **Only $\mu_1$ and $\mu_*$ matter.** The features $0.9\, u + 0.4\, (u^2 - 1)/\sqrt2$ and
      $0.9\, u + 0.4\, (u^3 - 3u)/\sqrt6$ have the same $\mu_1$ and $\mu_*$. In the limit their risks at the
      peak are {_square:.4f} and {_cube:.4f}. Do the simulated risks of these two become equal as $d$ grows?
    - **The remaining differences are due to finite size.** At `--psi1 3 --psi2 3 --noise 0.5` run
      `teacherstudent curve random-features --dynamics descent --route asymptotic,simulation` with `--d` 50,
      100 and 200 for the same times. Do the differences halve from each size to the next, within the errors?
    - **The peak is due to a lack of regularisation.** Does more data help students with the best ridge
      (exercise 2)?

    None of this shows that a network whose features *learn* has its peak where its number of weights equals
    $n$. That claim is an analogy, which has to be tested by other experiments.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("interpolation")
    return


if __name__ == "__main__":
    app.run()
