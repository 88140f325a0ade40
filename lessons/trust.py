"""Lesson 7: How to test a formula."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 7: How to test a formula",
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
    from teacherstudent.lessons.pages.outcomes import outcomes

    CLAIMS = {
        "gs-theorem": "Theorem 6.3.5: the stronger of two features starves the weaker if their coupling is "
        "small (Lesson 5)",
        "gs-decoupled-margin": "Eqs. 6.3.17-6.3.18: under spectral decoupling all examples have the same "
        "final margin, for any features (Lesson 5)",
        "ms-split-of-equals": "Eqs. 4.2.13-4.2.16: the risk for two scales, which may be equal (Lesson 3)",
        "sphere-schedule": "App. C.1.4 of roburin2020: weight decay is equivalent to a learning rate that "
        "grows like (1 - ηλ)^(-2i-k) (Lesson 6)",
    }


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # How to test a formula

    **The question.** A paper prints a formula and a picture in which points lie on its line. But the same
    points may lie close to many lines. How can you find out whether the formula is right?

    This lesson takes one formula and tests it in four ways.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("trust")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## How a formula is tested

    We test the formula of Lesson 2. A linear student is trained on $n = 1.5\, d$ examples of a linear
    teacher, with Gaussian inputs of variance $1/d$ and label noise $\sigma = 0.5$. The student uses gradient
    descent on half the summed squared error (half of Eq. 2.3.4) with learning rate $\eta$. After $k$ steps
    its excess risk, averaged over the Marchenko-Pastur law $\rho$ (Eq. 2.3.30), is

    $$ E = \frac12 \int \rho(\lambda) \Bigl[ q^2 + \frac{\sigma^2}{\lambda} (1 - q)^2 \Bigr]\,
       \mathrm{d}\lambda $$

    where $q$ is the part of a mode that is not yet learned,

    $$ q = (1 - \eta\lambda)^k $$

    1. **Agreement.** Simulate $N$ draws and measure at $P$ times. The deviation of the mean over draws,
       divided by its standard error, is $z_i$. The largest of $P$ numbers is large by chance alone. So the
       threshold is a quantile of the *largest* of $P$ deviations. The quantile uses Student's distribution,
       because the standard error is itself estimated. No tolerance is chosen by eye.
    2. **Finite size.** The formula is a limit, and the simulation has finite $d$. The difference of the two
       must vanish as $d$ grows, here like $1/d$. So measure this difference at several $d$.
    3. **Negative controls.** A test that accepts every formula proves nothing. Give the test wrong formulas,
       which it must reject. Also state the smallest error that the test could detect.
    4. **Known misprints** (errata). If the printed formula is wrong, print the correction *and* a test that
       the correction passes and the printed formula fails.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("trust")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Break it

    First compare theory and simulation at these settings. Then violate one assumption at a time: few
    features, inputs that are not Gaussian, or large steps. (The formula above contains $\eta$. So to see the
    effect of large steps, choose *the formula with infinitely small steps*.) Which assumptions matter? Which
    wrong formulas does the test reject? Enter your findings below, then read the answer. A few lines of NumPy
    train the student (`trained` in `lessons/trust.py`). Your own simulation can test a formula without this
    project.
    """)
    return


@app.cell
def _():
    inputs = kit.choice(
        "inputs, all of the same variance",
        {
            "gaussian": "Gaussian, as assumed",
            "entries": "heavy tails in every entry (Student's t, 5 degrees of freedom)",
            "lengths": "heavy tails in whole examples (each Gaussian example times a random length)",
        },
        "gaussian",
        name="inputs",
    )
    formula = kit.choice(
        "formula to be tested",
        {
            "limit": "the formula above",
            "flow": "the formula with infinitely small steps",
            "noiseless": "the formula without its second term",
            "tenth": "the formula for a tenth more examples",
            "printed": "the printed formulas for two scales, at equal scales (Eqs. 4.2.11-4.2.16)",
        },
        "limit",
        name="formula",
    )
    d = kit.slider("features d [1]", [4, 10, 20, 50, 100], 100)
    eta = kit.slider("learning rate η [1/curvature]", [0.02, 0.05, 0.1, 0.2], 0.05)
    simulate = kit.simulate_button()
    kit.controls(inputs=inputs, formula=formula, d=d, eta=eta, simulate=simulate)
    return d, eta, formula, inputs, simulate


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
            f"the student diverges at the learning rate {eta:g}, which must be below {2 / highest:.4g} (2 "
            "over the largest eigenvalue of the drawn X^T X)"
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
    theory = claimed(formula.value, eta.value, np.unique(np.rint(np.geomspace(0.2, 20, 61) / eta.value)))
    return (theory,)


@app.function
def tested(inputs: str, d: int, eta: float, formulas: list[str]) -> dict[str, Any]:
    """Students at these settings compared with each of the formulas, by name."""
    steps = np.unique(np.rint(np.geomspace(0.2, 10, 12) / eta).astype(int))
    seen = trained(inputs, d, eta, steps, draws=40_000 // d)
    return {name: ts.compare(seen, claimed(name, eta, steps)) for name in formulas}


@app.cell
def _(d, eta, formula, inputs, simulate):
    def _simulated():
        """Students at these settings against every formula, and Gaussian ones of four sizes."""
        tried = tested(inputs.value, d.value, eta.value, list(formula.options.values()))
        steps = np.unique(np.rint(np.geomspace(0.2, 10, 12) / eta.value).astype(int))
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
                f"are within {_far:.1f} standard errors of it. At d = {d.value} it is {_c / d.value:.2g}.",
            )
        )
    kit.abreast(*_pictures)
    return


@app.cell(hide_code=True)
def _(comparison):
    kit.verdict(comparison)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## What you found

    Enter your findings. The page then shows the answer.
    """)
    return


@app.cell
def _():
    finding = kit.choice(
        "your finding: which inputs change the limit of many features?",
        {
            "undecided": "not decided yet",
            "entries": "heavy tails in every entry",
            "lengths": "heavy tails in whole examples",
            "both": "both",
            "neither": "neither",
        },
        "undecided",
        name="finding",
    )
    suspect = kit.choice(
        "your finding: which wrong formula passes the test at the first settings?",
        {
            "undecided": "not decided yet",
            "flow": "the formula with infinitely small steps",
            "noiseless": "the formula without its second term",
            "tenth": "the formula for a tenth more examples",
            "printed": "the printed formulas for two scales",
            "none": "none: the test rejects all of them",
        },
        "undecided",
        name="suspect",
    )
    kit.controls(finding=finding, suspect=suspect)
    return finding, suspect


@app.cell(hide_code=True)
def _(finding):
    kit.text(
        "*First choose your finding on the inputs.*"
        if finding.value == "undecided"
        else f"**{'Right' if finding.value == 'lengths' else 'Not right'}.** "
        + r"""
    Heavy tails in every *entry* do not change the *limit*: the distribution of eigenvalues needs independent
    entries with finite variance, not Gaussian ones. But heavy-tailed entries make the bias of order $1/d$
    several times larger, and also the largest eigenvalue. With many features the test does not detect this
    bias. With few features the test rejects the formula for heavy-tailed entries, but not yet for Gaussian
    entries. Gradient descent may also diverge at a learning rate that is stable for Gaussian entries. Heavy
    tails in whole *examples* change the limit itself, although the variance is the same. With few features
    the formula fails by its bias of order $1/d$. The formula above contains $\eta$, so it is right for large
    steps. The formula with infinitely small steps fails for large steps, and above $2/\lambda_{\max}$
    gradient descent diverges.
    """
    )
    return


@app.cell
def _():
    kept = outcomes()
    return (kept,)


@app.function
def table(tried: dict[str, Any], formulas: dict[str, str]) -> str:
    """What comparisons of the same draws with every formula say, in markdown; formulas: names by meaning."""
    rows = [
        f"| {meaning} | {each.statistic:.1f} | {each.threshold:.1f} | {each.resolution:.2g} | "
        f"{'passes' if each.agrees else '**rejected**'} |"
        for meaning, name in formulas.items()
        for each in [tried[name].verdicts["excess_risk"]]
    ]
    return "\n".join(
        [
            "| formula | largest deviation [standard errors] | threshold [standard errors] "
            "| smallest detectable error [output²] | verdict |",
            "|---|---|---|---|---|",
            *rows,
            "",
            "A formula that passes may still be wrong, by less than the smallest detectable error.",
        ]
    )


@app.cell(hide_code=True)
def _(formula, kept, suspect, tried):
    _passing = kept["controls"]["passing"] or ["none"]
    _where = "at these settings" if tried else "computed in advance at the first settings"
    kit.text(
        "*First choose your finding on the formulas.*"
        if suspect.value == "undecided"
        else f"**{'Right' if suspect.value in _passing else 'Not right'}.** Negative controls: the same "
        f"draws compared with every formula, {_where}.\n\n"
        + (table(tried, formula.options) if tried else kept["controls"]["text"])
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **What this test can show.** The result holds for these settings, these times and this number of draws.
    The test never says *true*. It says *not refuted, with this smallest detectable error*.

    ## Known misprints: testing the claims of whole papers

    The claims of the papers behind these lessons are tested in the same way. Here are four printed claims.
    Which of these claims are right? Choose what you expect, then read the result of the check: its verdict on
    the claim, on wrong formulas and, if there is one, on the misprint.
    """)
    return


@app.cell
def _():
    def _expected(claim, name):
        """What the reader expects of a claim."""
        words = {"undecided": "not decided yet", "right": "the claim is right", "wrong": "the claim is wrong"}
        return kit.choice(CLAIMS[claim], words, "undecided", name=name)

    theorem = _expected("gs-theorem", "theorem")
    decoupling = _expected("gs-decoupled-margin", "decoupling")
    scales = _expected("ms-split-of-equals", "scales")
    schedule = _expected("sphere-schedule", "schedule")
    run = kit.simulate_button("Run these checks here")
    kit.controls(theorem=theorem, decoupling=decoupling, scales=scales, schedule=schedule, run=run)
    return decoupling, run, scales, schedule, theorem


@app.cell
def _(decoupling, scales, schedule, theorem):
    _said = zip(CLAIMS, (theorem, decoupling, scales, schedule), strict=True)
    expected = {claim: each.value for claim, each in _said if each.value != "undecided"}
    return (expected,)


@app.cell
def _(expected, run):
    checked = kit.on_demand(run, lambda: {claim: told(*ts.check(claim)) for claim in expected}) or {}
    return (checked,)


@app.function
def told(outcome: Any) -> str:
    """The outcome of a check, in markdown."""
    printed = {each["id"]: each for each in ts.listing("errata")}
    said = [
        f"**{outcome.check.title[0].upper()}{outcome.check.title[1:]}** ({outcome.check.ref}): "
        f"{'passed' if outcome.passed else 'not passed'}, {outcome.verdict.statistic:.3g} where "
        f"{outcome.verdict.threshold:.3g} is allowed ({outcome.verdict.reason}).",
        "",
    ]
    said += [
        f"- a wrong formula, `{name}`: {each.statistic:.3g}, {'passes' if each.agrees else '**rejected**'}"
        for name, each in outcome.wrong.items()
    ]
    said += [
        f"- {'the print' if printed[name]['paper'] else 'a formula in use'}, `{printed[name]['printed']}`: "
        f"{each.statistic:.3g}, "
        f"{'passes' if each.agrees else '**rejected**'}. Corrected: `{printed[name]['corrected']}`."
        for name, each in outcome.errata.items()
    ]
    return "\n".join(said)


@app.cell(hide_code=True)
def _(checked, expected, kept):
    def _shown(claim, value):
        """The reader's expectation, and the outcome: this machine's where it has checked."""
        known = kept["checks"][claim]
        met = known["right"] == (value == "right")
        where = "checked here" if claim in checked else "checked in advance"
        verdict = "" if met else "not "
        said = f"*You expect that the claim is {value}. This is {verdict}correct* ({where}).\n\n"
        return said + (checked.get(claim) or known["text"])

    kit.text(
        "\n\n".join(_shown(*each) for each in expected.items())
        or "*First choose what you expect of at least one claim.*"
    )
    return


@app.cell(hide_code=True)
def _():
    def _count():
        """How many checks there are, of negative controls and of misprints."""
        _checks = ts.listing("checks")
        _misprints = [each for each in ts.listing("errata") if each["paper"]]
        return len(_checks), sum(len(each["teeth"]) for each in _checks), len(_misprints)

    _all, _teeth, _misprints = _count()
    kit.text(
        f"There are {_all} such checks with {_teeth} negative controls, and {_misprints} known misprints."
    )
    return


@app.cell
def _(kept):
    # A page without Python shows what was drawn beforehand.
    given = {
        "controls": kept["controls"],
        "checks": {
            claim: dict(html=each["html"], right=each["right"]) for claim, each in kept["checks"].items()
        },
    }
    return (given,)


@app.cell(hide_code=True)
def _():
    def _late(inputs):
        """Mean over 20 drawn X of the excess risk for s -> infinity: half the noise by 1/eigenvalues."""
        _eigenvalues = np.linalg.svd(drawn(inputs, 30, 20, np.random.default_rng(7)), compute_uv=False) ** 2
        return 0.5 * 0.25 * np.mean(1 / _eigenvalues)

    _first_values = dict(gaussian=_late("gaussian"), entries=_late("entries"), lengths=_late("lengths"))
    _steps = np.arange(10, 60, 10)
    _gaps = [
        np.abs((claimed("flow", each, _k) - claimed("limit", each, _k))["excess_risk"].values).max()
        for each, _k in ((0.02, _steps), (0.002, 10 * _steps))
    ]
    _few, _many = 20, 200
    _spread = trained("gaussian", _few, 0.02, _steps, 400)["excess_risk"].std("seed", ddof=1).max().item()
    _narrow = _spread * np.sqrt(_few / _many)
    _needed = [float(f"{(5 * _narrow / gap) ** 2:.1g}") for gap in _gaps]
    kit.exercises(
        "trust",
        _first_values,
        dict(
            gap_few=_gaps[0],
            few=_few,
            spread=_spread,
            many=_many,
            narrow=_narrow,
            needed_few=_needed[0],
            gap_many=_gaps[1],
            needed_many=_needed[1],
        ),
    )
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("trust")
    return


if __name__ == "__main__":
    app.run()
