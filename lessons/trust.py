"""Lesson 7: How to trust a formula."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 7: How to trust a formula",
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
    # How to trust a formula

    **The question.** A paper prints a formula and a picture in which dots lie on its line. But dots lie close
    to many lines. How do you find out whether the formula is right?

    This lesson takes one formula and tests it in four ways.

    ## How a formula is tested

    The formula is that of Lesson 2. A linear student sees $n = 1.5\, d$ examples of a linear teacher, with
    Gaussian inputs of variance $1/d$ and label noise $\sigma = 0.5$, and descends on half the summed squared
    error (half of Eq. 2.3.4) with learning rate $\eta$. Averaged over the Marchenko-Pastur law $\rho$
    (Eq. 2.3.30), after $k$ steps its excess risk is

    $$ E = \frac12 \int \rho(\lambda) \Bigl[ q^2 + \frac{\sigma^2}{\lambda} (1 - q)^2 \Bigr]\,
       \mathrm{d}\lambda $$

    with the part of a mode that is not yet learned,

    $$ q = (1 - \eta\lambda)^k $$

    1. **Agreement.** Simulate $N$ draws and measure at $P$ times. Divide the deviation of the mean over draws
       by its standard error: this is $z_i$. The largest of $P$ numbers is large by chance alone, so the
       threshold is a quantile of the *largest* of $P$, from Student's distribution, because the standard
       error is itself estimated. No tolerance is chosen by eye.
    2. **Finite size.** The formula is a limit, the simulation has finite $d$. Their difference must vanish as
       $d$ grows, here as $1/d$. So measure it at several $d$.
    3. **Negative controls** (teeth). A test that cannot fail proves nothing. Give it wrong formulas. It must
       reject them, and it should state the smallest error that it could detect.
    4. **Known misprints** (errata). If the printed formula is wrong, print the correction *and* a test that
       the correction passes and the print does not.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Break it

    **Simulate** first at these settings. Then violate one assumption at a time: few features, inputs that are
    not Gaussian, large steps (the formula above contains $\eta$, so choose *the same with infinitely small
    steps*). Which of them matter? The student is trained by a few lines of NumPy
    (`trained` in `lessons/trust.py`): a simulation of your own needs nothing from this project.
    """)
    return


@app.cell
def _():
    inputs = kit.choice(
        "inputs, all of the same variance",
        {
            "gaussian": "Gaussian, as assumed",
            "entries": "heavy tails in every entry (Student's t, 5 degrees of freedom)",
            "lengths": "heavy tails in whole examples (Gaussian, each times a random length)",
        },
        "gaussian",
        name="inputs",
    )
    return (inputs,)


@app.cell
def _():
    formula = kit.choice(
        "formula to be tested",
        {
            "limit": "the formula above",
            "flow": "the same with infinitely small steps",
            "noiseless": "without its second term",
            "tenth": "a tenth more examples",
            "printed": "the formulas printed for two scales, both set equal (Eqs. 4.2.11-4.2.16)",
        },
        "limit",
        name="formula",
    )
    return (formula,)


@app.cell
def _():
    d = kit.slider("features d [1]", [4, 10, 20, 50, 100], 100)
    eta = kit.slider("learning rate η [1/curvature]", [0.02, 0.05, 0.1, 0.2], 0.05)
    return d, eta


@app.cell
def _():
    simulate = kit.simulate_button()
    return (simulate,)


@app.cell(hide_code=True)
def _(d, eta, formula, inputs, simulate):
    kit.controls(inputs=inputs, formula=formula, d=d, eta=eta, simulate=simulate)
    return


@app.function
def drawn(inputs: str, d: int, draws: int, random: np.random.Generator) -> np.ndarray:
    """Inputs of variance 1/d, (draws, n, d) with n = 1.5 d."""
    shape = (draws, 3 * d // 2, d)
    match inputs:
        case "entries":  # Student's t has variance 5/3
            z = random.standard_t(5, shape) * np.sqrt(3 / 5)
        case "lengths":  # squared lengths of mean 1
            z = random.standard_normal(shape) * np.sqrt(random.exponential(size=(*shape[:2], 1)))
        case _:
            z = random.standard_normal(shape)
    return z / np.sqrt(d)


@app.function
def trained(inputs: str, d: int, eta: float, steps: np.ndarray, draws: int) -> xr.Dataset:
    """Excess risk of `draws` students of d features after each of `steps`, trained step by step.

    Raises `ValueError` if descent at rate eta diverges on some draw.
    """
    random = np.random.default_rng(d)
    X = drawn(inputs, d, draws, random)
    teacher = random.standard_normal((draws, d, 1))
    y = X @ teacher + 0.5 * random.standard_normal((*X.shape[:2], 1))
    A, b = X.swapaxes(1, 2) @ X, X.swapaxes(1, 2) @ y
    highest = np.linalg.eigvalsh(A)[:, -1].max()
    if eta * highest >= 2:
        raise ValueError(
            f"the learning rate {eta:g} is not below {2 / highest:.4g}, 2 over the largest eigenvalue of the "
            "inputs that were drawn, and the student diverges"
        )
    student, risks, recorded = np.zeros_like(teacher), [], set(steps.tolist())
    for step in range(steps[-1] + 1):
        if step in recorded:
            risks.append(np.mean((student - teacher) ** 2, axis=(1, 2)) / 2)
        student = student - eta * (A @ student - b)
    attrs = {"symbol": "E", "long_name": "excess risk", "units": "output^2"}
    times = ("time", eta * steps, {"symbol": "s", "long_name": "training time", "units": "1/curvature"})
    risk = (("seed", "time"), np.stack(risks, axis=1), attrs)
    return xr.Dataset({"excess_risk": risk}, {"seed": np.arange(draws), "time": times})


@app.function
def claimed(formula: str, eta: float, steps: Any) -> xr.Dataset:
    """The excess risk that a formula claims, over s = eta k; a thousand features only give the ratio."""
    question: dict[str, Any] = dict(problem="multiscale", d=1000, p=500, kappa=1.0, alpha=1.5, noise=0.5)
    descent: dict[str, Any] = dict(dynamics="descent", times=steps, learning_rate=eta)
    times = (eta * np.asarray(steps)).tolist()
    match formula:
        case "flow":
            answer = ts.curve(**question, dynamics="flow", route="asymptotic", times=times)
        case "noiseless":
            answer = ts.curve(**question | dict(noise=0.0), **descent, route="asymptotic")
        case "tenth":
            answer = ts.curve(**question | dict(alpha=1.65), **descent, route="asymptotic")
        case "printed":
            answer = ts.curve(**question, **descent, route="printed")
        case _:
            answer = ts.curve(**question, **descent, route="asymptotic")
    return answer[["excess_risk"]].assign_coords(time=("time", times, {}))


@app.cell
def _(eta, formula):
    theory = claimed(formula.value, eta.value, np.unique(np.rint(np.geomspace(0.2, 20, 41) / eta.value)))
    return (theory,)


@app.cell
def _(d, eta, formula, inputs, simulate):
    def _simulated():
        """Students at these settings against every formula, and Gaussian ones of four sizes."""
        steps = np.unique(np.rint(np.geomspace(0.2, 10, 12) / eta.value).astype(int))
        seen = trained(inputs.value, d.value, eta.value, steps, draws=40_000 // d.value)
        tried = {name: ts.compare(seen, claimed(name, eta.value, steps)) for name in formula.options.values()}
        short = steps[steps * eta.value < 1]
        sizes = {
            size: trained("gaussian", size, eta.value, short, 60_000 // size) for size in (6, 12, 24, 48)
        }
        limit = claimed("limit", eta.value, short)
        return tried, {size: ts.compare(each, limit) for size, each in sizes.items()}

    tried, sizes = kit.on_demand(simulate, _simulated) or ({}, {})
    comparison = tried.get(formula.value)
    return comparison, sizes, tried


@app.cell(hide_code=True)
def _(comparison, d, eta, sizes, theory):
    _risk = kit.curves(
        theory,
        "excess_risk",
        ["formula"],
        comparison=comparison,
        x=kit.Axis("training time s = ηk [1/curvature]", "log"),
        y=kit.Axis("excess risk E [output^2]", low=0),
    )
    _risk = (
        replace(
            _risk[0],
            marks=tuple(
                replace(mark, dashed=bool(theory.attrs["approximate"]))
                if isinstance(mark, kit.Line)
                else mark
                for mark in _risk[0].marks
            ),
        ),
        *_risk[1:],
    )
    _best = theory["excess_risk"].min().item()
    _pictures = [
        kit.picture(*_risk, alt=f"The excess risk over time by the formula is at least {_best:.3g}."),
    ]
    if sizes:
        _last = {size: each.simulation.isel(time=-1) for size, each in sizes.items()}
        _limit = claimed("limit", eta.value, [round(next(iter(_last.values()))["time"].item() / eta.value)])
        _d = np.array(list(_last))
        _gap = (
            np.array([each["excess_risk"].item() for each in _last.values()]) - _limit["excess_risk"].item()
        )
        _error = np.array([each["excess_risk_stderr"].item() for each in _last.values()])
        _weight = 1 / _error**2
        _c = np.sum(_weight * _gap / _d) / np.sum(_weight / _d**2)
        _c_error = np.sum(_weight / _d**2) ** -0.5
        _far = np.abs((_gap - _c / _d) / _error).max()
        _grid = np.geomspace(6, 100, 31)
        _pictures.append(
            kit.picture(
                kit.Panel(
                    kit.Axis("features d [1]", "log"),
                    kit.Axis(f"simulation − limit at s = {_limit['time'].item():.2g} [output^2]"),
                    (
                        kit.Line(_grid, _c / _grid, kit.LOOKS[4], "c/d, fitted", dashed=True),
                        kit.Points(
                            _d, _gap, kit.LOOKS[0], "Gaussian inputs ± 1 standard error", error=_error
                        ),
                    ),
                ),
                alt=f"The gap falls with d like {_c:.3f}/d.",
                caption=f"Finite size: the gap is c/d with c = {_c:.3f} ± {_c_error:.3f}. The four points "
                f"lie within {_far:.1f} standard errors of it. At d = {d.value} that is {_c / d.value:.2g}.",
            )
        )
    kit.abreast(*_pictures)
    return


@app.cell(hide_code=True)
def _(comparison):
    kit.verdict(comparison)
    return


@app.cell(hide_code=True)
def _(formula, tried):
    _rows = [
        f"| {meaning} | {each.statistic:.1f} | {each.threshold:.1f} | {each.resolution:.2g} | "
        f"{'passes' if each.agrees else '**refused**'} |"
        for meaning, name in formula.options.items()
        if tried
        for each in [tried[name].verdicts["excess_risk"]]
    ]
    kit.text(
        "\n".join(
            [
                "**Negative controls.** The same draws, compared with every formula:",
                "",
                "| formula | largest deviation [standard errors] | threshold [standard errors] "
                "| smallest detectable error [output²] | verdict |",
                "|---|---|---|---|---|",
                *_rows,
                "",
                "A formula that passes may still be wrong, by less than the smallest detectable error.",
            ]
        )
        if tried
        else "*The table of negative controls appears here after the simulation.*"
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **What you should find.** Heavy tails in every *entry* do not change the *limit*: the law of the
    eigenvalues needs independent entries with finite variance, not Gaussian ones. But they make the bias of
    order $1/d$ several times as large, and the largest eigenvalue larger. With many features the test does
    not detect this. With few features it fails where Gaussian entries still pass, and descent may diverge at
    a learning rate that was stable before. Heavy tails in whole *examples* change the limit itself, although
    the variance is the same. With few features the formula fails by its bias of order $1/d$. Large steps do
    not matter to the formula above, which contains $\eta$, but its flow fails, and beyond $2/\lambda_{\max}$
    descent diverges.

    **Where this test ends.** It holds for these settings, these times and this number of draws. It never says
    *true*; it says *not refuted, with this smallest detectable error*.

    ## Known misprints: the same for a whole paper

    Claims of the papers behind these lessons are tested like the one above. Choose one and run it.
    """)
    return


@app.cell
def _():
    check = kit.choice(
        "check",
        {
            "gs-theorem": "Theorem 6.3.5: which feature starves which (Lesson 5)",
            "os-peak": "the peak of the error at α = 1 (Lesson 2)",
            "ms-split-of-equals": "equal features, split into two scales (Lesson 3)",
            "sphere-schedule": "weight decay as a schedule (Lesson 6)",
        },
        "gs-theorem",
        name="check",
    )
    return (check,)


@app.cell
def _():
    run = kit.simulate_button("Run this check")
    return (run,)


@app.cell(hide_code=True)
def _(check, run):
    kit.controls(check=check, run=run)
    return


@app.cell
def _(check, run):
    outcomes = kit.on_demand(run, lambda: ts.check(check.value)) or []
    return (outcomes,)


@app.cell(hide_code=True)
def _(outcomes):
    def _told(outcome):
        """The outcome of a check, in words."""
        _printed = {each["id"]: each for each in ts.listing("errata")}
        _said = [
            f"**{outcome.check.title[0].upper()}{outcome.check.title[1:]}** ({outcome.check.ref}): "
            f"{'passed' if outcome.passed else 'not passed'}, {outcome.verdict.statistic:.3g} where "
            f"{outcome.verdict.threshold:.3g} is allowed ({outcome.verdict.reason})."
        ]
        _said += [
            f"- a wrong formula, *{name}*: {each.statistic:.3g}, {'passes' if each.agrees else '**refused**'}"
            for name, each in outcome.teeth.items()
        ]
        _said += [
            f"- the print, *{_printed[name]['printed']}*: {each.statistic:.3g}, "
            f"{'passes' if each.agrees else '**refused**'}. Corrected: *{_printed[name]['corrected']}*."
            for name, each in outcome.errata.items()
        ]
        _checks = ts.listing("checks")
        _teeth = sum(len(each["teeth"]) for each in _checks)
        return "\n".join(
            [
                *_said,
                "",
                f"There are {len(_checks)} such checks with {_teeth} negative controls, and {len(_printed)} "
                "known misprints.",
            ]
        )

    kit.text("\n\n".join(map(_told, outcomes)) or "*No check has been run yet.*")
    return


@app.cell(hide_code=True)
def _():
    def _late(inputs):
        """Mean over 20 drawn X of the excess risk for s -> infinity: half the noise by 1/eigenvalues."""
        _eigenvalues = np.linalg.svd(drawn(inputs, 30, 20, np.random.default_rng(7)), compute_uv=False) ** 2
        return 0.5 * 0.25 * np.mean(1 / _eigenvalues)

    kit.exercise(
        r"""
        ## Exercises

        **1.** Heavy tails in entries do not change the limit, heavy tails in whole examples do. Both have the
        same variance. What is the difference, and does the risk after long training rise or fall?
        """,
        rf"""
        The law of the eigenvalues of $X^\top X$ matters. In each of its elements independent entries average
        out, for any law of the entries, but more slowly for heavier tails: that is the larger bias at few
        features. A length common to a whole example does not average out. A few long examples produce large
        eigenvalues, and the many short ones hardly count, so there are more small eigenvalues. For
        $s \to \infty$ the risk is $\tfrac12 \sigma^2$ times the mean of $1/\lambda$. At $d = 30$ twenty
        matrices give {_late("gaussian"):.2f} with Gaussian inputs,
        {_late("entries"):.2f} with heavy entries and {_late("lengths"):.2f} with heavy lengths.
        """,
    )
    return


@app.cell(hide_code=True)
def _():
    _steps = np.arange(10, 60, 10)
    _gaps = [
        np.abs((claimed("flow", each, _k) - claimed("limit", each, _k))["excess_risk"].values).max()
        for each, _k in ((0.02, _steps), (0.002, 10 * _steps))
    ]
    _few, _many = 20, 200
    _spread = trained("gaussian", _few, 0.02, _steps, 400)["excess_risk"].std("seed", ddof=1).max().item()
    _narrow = _spread * np.sqrt(_few / _many)
    _needed = [float(f"{(5 * _narrow / gap) ** 2:.1g}") for gap in _gaps]
    kit.exercise(
        r"""
        **2.** Gradient flow is wrong at every learning rate, yet it passes with $\eta = 0.02$. How many
        draws of 200 features would reject it, with a threshold of 5 standard errors? And with
        $\eta = 0.002$? Does so large an $N$ test what you want to know?
        """,
        rf"""
        At $\eta = 0.02$ flow and descent differ by at most {_gaps[0]:.2g} for $s \le 1$. A single draw of
        {_few} features has a standard deviation of {_spread:.2g}, and a draw of {_many}, whose risk is a mean
        over more modes, of {_narrow:.2g}. With $N$ draws the standard error is {_narrow:.2g}$/\sqrt N$, and
        the gap is five of them at about $N =$ {_needed[0]:,.0f}. At $\eta = 0.002$ the gap is {_gaps[1]:.2g},
        and $N =$ {_needed[1]:,.0f}: a hundred times as many for an error a tenth as large. But so many draws
        would also detect the finite size of {_many} features: their bias, $c/d$ in the second picture, is
        then as large as the error of the flow, and the correct formula would be rejected, too. ({_few}
        features are too few even at $\eta = 0.02$.) Hence the rule: state the smallest error that the test
        could detect.
        """,
    )
    return


@app.cell(hide_code=True)
def _():
    kit.read_next(
        "Lesson 8: a formula for double descent, and what would refute it.",
        "`teacherstudent list errata`: known misprints, with the checks that show them.",
        "`teacherstudent check all --report FILE.html`: all checks, as a page with pictures.",
        "`teacherstudent figure map-validity`: where each approximation of chapter 4 holds.",
        "`CONTRIBUTING.md`: how to write a check for a formula of your own.",
    )
    return


if __name__ == "__main__":
    app.run()
