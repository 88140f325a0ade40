"""Lesson 10: How much a perceptron learns from a given number of examples."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 10: How much a perceptron learns from a given number of examples",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    import math
    import warnings
    from typing import Any

    import marimo as mo
    import numpy as np
    import xarray as xr
    from scipy.special import log_ndtr, ndtr

    import teacherstudent as ts
    from teacherstudent.lessons import kit

    ERROR, WRONG, ALPHA = "generalisation_error", "error E_g on new labels [1]", "examples per input α [1]"
    LOSSES = ("square", "logistic", "hinge")
    RULES = ("hebb", "pseudo-inverse", "gibbs", "max-stability", "bayes")
    LOOK_OF = dict(zip((*RULES, *LOSSES), kit.LOOKS + kit.LOOKS, strict=False))


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # How much a perceptron learns from a given number of examples

    **The question.** A teacher labels $n = \alpha d$ inputs. From the same examples, one learning rule finds
    a student that gets one in four new labels wrong, and another rule finds a student that gets half of them
    wrong. How well do the examples determine the next label?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("examples")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    Inputs $x$ are Gaussian with variance $1/d$, and labels are
    $y = \operatorname{sign}(w^* \cdot x + \sigma \xi)$ with noise $\xi$ of variance 1. A student answers
    $\operatorname{sign}(w \cdot x)$. Let $R$ be the cosine of the angle between the student $w$ and the
    teacher $w^*$. Student and teacher answer differently in the wedge between their two planes, so the share
    of wrong answers is $E_g = \arccos(R)/\pi$. As $d \to \infty$ at fixed $\alpha$, $R$ is the same for every
    draw. The formulas below hold without noise; $Dt$ is the standard normal distribution, and $H(t)$ is its
    probability of values above $t$.

    - **hebb** adds up the examples, $w = \sum_\mu y_\mu x_\mu$: $R = \sqrt{2\alpha/(2\alpha + \pi)}$.
    - **pseudo-inverse** (Adaline) fits the labels as numbers by least squares:
      $R^2 = 2\alpha(1 - \alpha)/(\pi - 2\alpha)$ if $\alpha < 1$, $2(\alpha - 1)/(\pi + 2\alpha - 4)$ if
      $\alpha > 1$.
    - **gibbs** draws a random member of the *version space*, the set of all $w$ that get every example right:
      $R = (\alpha/\pi) \sqrt{1 - R} \int\! Dt\, e^{-R t^2/2} / H(\sqrt R\, t)$.
    - **bayes** takes the majority vote of the version space, which equals the answer of its centre:
      $R = \sqrt{R_\text{gibbs}}$. If the teacher is drawn from the prior, no rule is better on average.
    - **max-stability** takes the member with the largest margin: the smallest $y_\mu\, w \cdot x_\mu$ over
      the examples, at given $|w|$.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("examples")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Five rules

    **Predict first**: which rule gets *more* new labels wrong as it gets more examples, and at which $\alpha$
    is it no better than a coin? Do twice as many examples divide the error by $\sqrt 2$ or by 2? The rule
    hebb does not get all examples right, but gibbs does. When is hebb still the better rule? In the notebook,
    a different value of *first of the draws* gives different data.
    """)
    return


@app.cell
def _():
    rule = kit.choice("rule to simulate", {each: each for each in RULES}, "pseudo-inverse", name="rule")
    alpha = kit.slider(ALPHA, [0.25, 0.5, 0.75, 0.9, 1.1, 1.5, 2, 3, 5, 10, 20, 50, 100], 2)
    first = kit.slider("first of the draws [1]", list(range(0, 400, 40)), 0)
    simulate = kit.simulate_button()
    kit.controls(rule=rule, alpha=alpha, first=first, simulate=simulate)
    return alpha, first, rule, simulate


@app.function
def limit(alphas: Any, **question: Any) -> xr.Dataset:
    """The answer of the theory: the limit of many inputs, whatever d is."""
    return ts.curve("perceptron", dynamics="examples", route="asymptotic", times=alphas, d=10**6, **question)


@app.function
def drawn(alphas: Any, draws: range, **question: Any) -> xr.Dataset:
    """Students of drawn examples, one for each of the draws."""
    asked: dict[str, Any] = dict(dynamics="examples", route="simulation", times=alphas)
    return ts.sample("perceptron", seeds=len(draws), seed=draws.start, **asked, **question)


@app.function
def compared(names: list[str], alphas: Any, draws: range, d: int, **question: Any) -> ts.Comparison:
    """Observables of students of d inputs, compared with the limit."""
    return ts.compare(drawn(alphas, draws, d=d, **question)[names], limit(alphas, **question)[names])


@app.function
def lines(answers: dict[str, xr.Dataset], name: str) -> tuple[kit.Line, ...]:
    """An observable of each rule."""
    return tuple(kit.Line(each["time"], each[name], LOOK_OF[rule], rule) for rule, each in answers.items())


@app.cell
def _():
    _near = np.array([1e-4, 1e-3, 3e-3, 0.01, 0.03])
    _few = np.sort([*np.linspace(0.05, 0.95, 16), *(1 - _near), *(1 + _near), *np.linspace(1.08, 5, 20)])
    few = {rule: limit(_few, rule=rule) for rule in RULES}
    many = {rule: limit(np.geomspace(1.3, 1000, 30), rule=rule) for rule in RULES}
    _powers = {rule: 0.5 if rule in ("hebb", "pseudo-inverse") else 1.0 for rule in RULES}
    # c and p of E_g = c alpha^-p, from far more examples than are shown
    laws = {rule: (limit([1e6], rule=rule)[ERROR].item() * 1e6**p, p) for rule, p in _powers.items()}
    return few, laws, many


@app.cell
def _(first, rule, simulate):
    # A chain in the version space takes long with many inputs and examples.
    simulated_d, _count, _more = (20, 20, []) if rule.value in ("gibbs", "bayes") else (60, 40, [4.0])
    _alphas, _draws = [0.25, 0.5, 1.5, 2.0, 3.0, *_more], range(first.value, first.value + _count)
    rule_comparison = kit.on_demand(
        simulate, lambda: compared([ERROR], _alphas, _draws, simulated_d, rule=rule.value)
    )
    return rule_comparison, simulated_d


@app.cell(hide_code=True)
def _(alpha, few, laws, many, rule, rule_comparison, simulated_d):
    _few = kit.Panel(kit.Axis(ALPHA, high=5), kit.Axis(WRONG, low=0, high=0.52), lines(few, ERROR))
    _many = kit.Panel(kit.Axis(ALPHA, "log", low=1, high=1500), kit.Axis(WRONG, "log"), lines(many, ERROR))
    _at = np.geomspace(3, 1000, 9)
    _laws = [
        kit.Line(_at, c * _at**-p, LOOK_OF[rule], "power law for many examples", dashed=True)
        for rule, (c, p) in laws.items()
    ]
    _last = ", ".join(f"{rule} {each[ERROR][-1].item():.2g}" for rule, each in many.items())
    _left = kit.picture(
        *kit.with_simulation(_few, rule_comparison, ERROR, LOOK_OF[rule.value]),
        alt=f"Errors over few examples; at α = 5 the error of bayes is {few['bayes'][ERROR][-1].item():.3f}.",
        caption=f"Few examples. Simulated students have {simulated_d} inputs.",
    )
    _right = kit.picture(
        _many.with_marks(*_laws, kit.Now(alpha.value)),
        alt=f"Errors over many examples; at α = 1000: {_last}.",
        caption="Many examples. The errors approach the power laws.",
    )
    kit.abreast(_left, _right)
    return


@app.cell(hide_code=True)
def _(rule_comparison):
    kit.verdict(rule_comparison)
    return


@app.cell(hide_code=True)
def _(alpha):
    _here = {rule: limit([alpha.value], rule=rule)[ERROR].item() for rule in RULES}
    _told = ", ".join(f"{rule} {each:.4f}" for rule, each in _here.items())
    kit.text(rf"""
    **At $\alpha =$ {alpha.value:g}** the errors are: {_told}. A random member of the version space makes
    {_here["gibbs"] / _here["bayes"]:.2f} times as many errors as the majority vote, and the member with the
    largest margin {_here["max-stability"] / _here["bayes"]:.3f} times as many.
    """)
    return


@app.cell(hide_code=True)
def _(laws):
    _laws = ", ".join(f"{rule} {c:.4f}" for rule, (c, p) in laws.items() if p == 1)
    kit.text(rf"""
    **Why.** For $n < d$ least squares fits every label exactly, and its weights can be huge. At $n = d$ the
    direction of the weights contains no information about the teacher. This is the peak of Lesson 2, caused
    by the same small eigenvalues (Eq. 2.3.30). Rules that average over noise have errors $c/\sqrt\alpha$:
    $c =$ {laws["hebb"][0]:.4f} for hebb and $c =$ {laws["pseudo-inverse"][0]:.4f} for pseudo-inverse. For
    these two rules the part of a label that is not linear in the inputs is noise. Rules that choose from the
    version space have errors $c/\alpha$, because every unexpected label removes a part of the version space.
    Here $c$ is: {_laws}.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **Where the theory ends.** Students with 20 or 60 inputs differ from the limit by a bias of order $1/d$,
    which is larger near $\alpha = 1$.

    ## Loss functions and wrong labels

    In practice students minimise $\sum_\mu \ell(y_\mu\, w \cdot x_\mu) + \tfrac12 \lambda |w|^2$ with a
    convex loss $\ell(m)$: square $(1 - m)^2/2$, logistic $\ln(1 + e^{-m})$ or hinge $\max(0, 1 - m)$. With a
    large $\lambda$ all three become hebb. As $\lambda \to 0$ on separable examples, the logistic and the
    hinge loss become max-stability.

    **Predict first**: at $\sigma = 0.5$, is $\lambda = 0.01$ or 1 better? Does the loss then matter?
    """)
    return


@app.cell
def _():
    loss = kit.choice("loss to simulate", {each: each for each in LOSSES}, "square", name="loss")
    ridge = kit.slider("ridge λ [1]", kit.log_steps(1e-2, 10, 2), 0.032)
    noise = kit.slider("label noise σ [output]", [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0], 0.5)
    first_loss = kit.slider("first of 40 draws [1]", list(range(0, 400, 40)), 0)
    simulate_loss = kit.simulate_button()
    kit.controls(loss=loss, ridge=ridge, noise=noise, first_loss=first_loss, simulate_loss=simulate_loss)
    return first_loss, loss, noise, ridge, simulate_loss


@app.function
def separable_up_to(noise: float) -> float:
    """Up to how many examples per input they are separable, by the formula below, for noise above 0."""
    theta = np.linspace(1e-3, np.pi / 2, 4001)
    seen = np.arccos(np.cos(theta) / np.hypot(1, noise))
    return float(np.max(np.pi * np.sin(theta) ** 2 / (seen - np.sin(seen) * np.cos(seen))))


@app.cell
def _(first_loss, loss, noise, ridge, simulate_loss):
    _draws, _names = range(first_loss.value, first_loss.value + 40), [ERROR, "training_error"]
    _asked: dict[str, Any] = dict(rule=loss.value, ridge=ridge.value, noise=noise.value)
    _seen = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0]
    loss_comparison = kit.on_demand(simulate_loss, lambda: compared(_names, _seen, _draws, 60, **_asked))
    return (loss_comparison,)


@app.cell(hide_code=True)
def _(loss, loss_comparison, noise, ridge):
    _asked: dict[str, Any] = dict(ridge=ridge.value, noise=noise.value)
    _alphas = {each: np.geomspace(0.2, 30, 61 if each == "square" else 33) for each in LOSSES}
    _by_loss = {each: limit(_alphas[each], rule=each, **_asked) for each in LOSSES}
    _end = separable_up_to(noise.value) if noise.value else 0.0
    _up_to = f"up to α = {_end:.4g}, the thin line" if _end else "at every α: the teacher does"

    def _picture(name, y):
        """An observable of each loss, over the examples."""
        marks: list[Any] = [*lines(_by_loss, name), *([kit.Now(_end)] if _end else [])]
        panel = kit.Panel(kit.Axis(ALPHA, "log", high=35), kit.Axis(y, low=0), tuple(marks))
        last = ", ".join(f"{rule} {each[name][-1].item():.3f}" for rule, each in _by_loss.items())
        return kit.picture(
            *kit.with_simulation(panel, loss_comparison, name, LOOK_OF[loss.value]),
            alt=f"{y}, at α = 30: {last}.",
            caption=f"Some student gets all examples right {_up_to}.",
        )

    kit.abreast(_picture(ERROR, WRONG), _picture("training_error", "error E_t on training labels [1]"))
    return


@app.cell(hide_code=True)
def _(loss_comparison):
    kit.verdict(loss_comparison)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **The thin line.** Without noise at least one student, the teacher itself, gets all examples right. With
    noise a student without errors exists only up to $\alpha_s$. In this formula $\theta$ is the student's
    angle with the teacher, and $\theta'$ the student's angle with the noisy teacher:

    $$ \alpha_s(\sigma) = \max_\theta \frac{\pi \sin^2 \theta}{\theta' - \sin\theta' \cos\theta'}, \qquad
       \cos\theta' = \frac{\cos\theta}{\sqrt{1 + \sigma^2}} $$

    ## Random labels, where nothing can be learned

    Labels from coin tosses can be stored, but not learned. Planes through the origin can make only a share
    $P$ of all labellings of $n$ inputs in general position (Cover's count, exact for every $n$ and $d$):

    $$ P(n, d) = 2^{1 - n} \sum_{k < d} \binom{n - 1}{k} $$

    As $d \to \infty$ random labels can be stored with a margin $\kappa$, the smallest $y_\mu\, w \cdot x_\mu$
    at $|w|^2 = d$, if $\alpha \leq \alpha_c(\kappa)$, where
    $1/\alpha_c(\kappa) = \int_{-\kappa}^\infty\! Dt\, (t + \kappa)^2$. The largest value is
    $\alpha_c(0) = 2 = \alpha_s(\infty)$. **Predict first**: why is $P(2d, d)$ one half? How does the width of
    the step of $P$ shrink with $d$? Does a large margin show that something was learned?
    """)
    return


@app.cell
def _():
    d = kit.slider("inputs d [1]", [5, 10, 20, 40], 20)
    first_coins = kit.slider("first of 60 draws [1]", list(range(0, 600, 60)), 0)
    simulate_coins = kit.simulate_button()
    kit.controls(d=d, first_coins=first_coins, simulate_coins=simulate_coins)
    return d, first_coins, simulate_coins


@app.function
def cover(n: int, d: int) -> float:
    """The share of labellings of n inputs that a plane through the origin makes, by the formula above."""
    return sum(math.comb(n - 1, k) for k in range(d)) / 2 ** (n - 1)


@app.function
def stored(draws: range, d: int) -> tuple[ts.Comparison, ts.Comparison]:
    """Coins: the share of draws that a student gets right, with Cover's count, and margins with the limit."""
    coins: dict[str, Any] = dict(rule="max-stability", labels="random")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # what has no margin is what is counted
        seen = drawn([0.4, 0.6, 1.0, 1.5, 1.75, 2.0, 2.25, 2.5], draws, d=d, **coins)
    few = seen[["margin"]].sel(time=slice(1))  # up to d examples are always separable
    attrs = {"symbol": "P", "long_name": "share of separable draws", "units": "1"}
    share = seen["margin"].notnull().astype(float).assign_attrs(attrs)
    exact = [cover(round(alpha * d), d) for alpha in seen["time"].values.tolist()]
    count = xr.Dataset({"share": ("time", exact, attrs)}, {"time": seen["time"]})
    claimed = limit(few["time"].values, **coins)[["margin"]]
    return ts.compare(xr.Dataset({"share": share}, attrs=seen.attrs), count), ts.compare(few, claimed)


@app.cell
def _(d, first_coins, simulate_coins):
    _draws = range(first_coins.value, first_coins.value + 60)
    counted, margins = kit.on_demand(simulate_coins, lambda: stored(_draws, d.value)) or (None, None)
    return counted, margins


@app.cell
def _():
    _alphas = [*np.geomspace(0.2, 1.9, 12), 1.999]
    coins = limit(_alphas, rule="max-stability", labels="random")["margin"]
    taught = limit([*_alphas, 2.4, 3], rule="max-stability")["margin"]
    return coins, taught


@app.cell(hide_code=True)
def _(coins, counted, d, margins, taught):
    _share = kit.Panel(kit.Axis(ALPHA, low=0, high=3), kit.Axis("share P [1]", low=-0.05, high=1.05), ())
    for _d, _look in {100: kit.LOOKS[1], d.value: kit.LOOKS[0]}.items():
        _n = np.unique(np.rint(_d * np.linspace(0.4, 3, 53)).astype(int)).tolist()
        _line = kit.Line(np.array(_n) / _d, [cover(n, _d) for n in _n], _look, f"Cover, d = {_d}")
        _share = _share.with_marks(_line)
    _axis = kit.Axis("largest margin κ [1]", low=0)
    _lines = (
        kit.Line(each["time"], each, look, name)
        for each, look, name in zip((coins, taught), kit.LOOKS, ("random labels", "teacher"), strict=False)
    )
    _width = sum(0.1 < cover(n, d.value) < 0.9 for n in range(1, 6 * d.value)) / d.value
    _left = kit.picture(
        *kit.with_simulation(_share, counted, "share", kit.LOOKS[0]),
        alt=f"Random labels: at α = 2.5 a share of {cover(5 * d.value // 2, d.value):.2g} is separable.",
        caption=f"P is the probability that n − 1 coins show fewer than d = {d.value} heads. P falls from "
        f"0.9 to 0.1 over a width of {_width:.2f} in α, which is {_width * d.value**0.5:.1f}/√d.",
    )
    _right = kit.picture(
        *kit.with_simulation(kit.Panel(_share.x, _axis, tuple(_lines)), margins, "margin", kit.LOOKS[0]),
        alt=f"Largest margins; at α = 1 the margin of random labels is {coins.interp(time=1).item():.2f}.",
        caption="Few examples have large margins. With random labels the margin falls to 0 at α = 2.",
    )
    kit.abreast(_left, _right)
    return


@app.cell(hide_code=True)
def _(counted, margins):
    kit.verdict(counted, margins)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## A jump to perfect learning

    Let the weights be $-1$ or 1. Then the students that get all examples right can be counted: there are
    $e^{sd}$, and $s$ is called the entropy per weight. In the limit two of these students, or one of these
    students and the teacher, have the overlap $q$, with

    $$ q = \int\! Dt\, \tanh(\hat q + \sqrt{\hat q}\, t), \qquad
       \hat q = \frac{\alpha}{\pi \sqrt{1 - q}} \int\! Dt\, \frac{e^{-q t^2/2}}{H(\sqrt q\, t)} $$

    $$ s = \int\! Dt\, \Bigl[ \ln 2\cosh(\hat q + \sqrt{\hat q}\, t) - \tfrac12 \hat q (1 + q) +
       2\alpha H(g t) \ln H(g t) \Bigr], \quad g^2 = \frac{q}{1 - q} $$

    There is always a second solution, $q = 1$ and $s = 0$: the teacher alone. **Predict first**: what happens
    where $s$ falls to 0 while $q < 1$? The simulation tries *all* $2^d$ students, so its $d$ is small.
    """)
    return


@app.cell
def _():
    size = kit.slider("number of inputs and of binary weights d [1]", [8, 12, 16], 16)
    first_all = kit.slider("first of 40 draws [1]", list(range(0, 400, 40)), 0)
    simulate_all = kit.simulate_button()
    kit.controls(size=size, first_all=first_all, simulate_all=simulate_all)
    return first_all, simulate_all, size


@app.function
def low_branch() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """alpha, q and s by the formulas above, along the conjugate of q until alpha is largest."""
    conjugate, t = np.geomspace(1e-3, 4, 2000)[:, None], np.arange(-10, 10.1, 0.125)
    law = 0.125 * np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi)
    field = conjugate + np.sqrt(conjugate) * t
    q = np.tanh(field) @ law
    kernel = np.exp(-q[:, None] * t**2 / 2 - log_ndtr(-np.sqrt(q)[:, None] * t)) @ law
    alpha = np.pi * np.sqrt(1 - q) * conjugate[:, 0] / kernel
    u = np.sqrt(q / (1 - q))[:, None] * t
    s = np.logaddexp(field, -field) @ law - conjugate[:, 0] * (1 + q) / 2
    s += 2 * alpha * ((ndtr(-u) * log_ndtr(-u)) @ law)
    until = int(np.argmax(alpha)) + 1
    return alpha[:until], q[:until], s[:until]


@app.cell
def _():
    loads, overlaps, logarithms = low_branch()
    alone_from, hidden_up_to = float(np.interp(0, -logarithms, loads)), float(loads[-1])
    return alone_from, hidden_up_to, loads, logarithms, overlaps


@app.cell
def _(first_all, simulate_all, size):
    _alphas, _draws = np.arange(1, 9) / 4, range(first_all.value, first_all.value + 40)
    _asked: dict[str, Any] = dict(d=size.value, rule="gibbs", weights="binary")
    all_comparison = kit.on_demand(
        simulate_all, lambda: compared([ERROR, "entropy"], _alphas, _draws, **_asked)
    )
    return (all_comparison,)


@app.cell(hide_code=True)
def _(all_comparison, alone_from, loads, logarithms, overlaps):
    def _picture(name, axis, values, alone, told):
        """Equilibrium jumps to the teacher `alone`; beyond that the branch is metastable."""
        low, at = loads <= alone_from, np.interp(alone_from, loads, values)
        some = np.arange(loads.size) % 16 == (loads.size - 1) % 16  # enough for a smooth line, to its end
        x = [*loads[low & some], alone_from, alone_from, 2.2]
        y_known, y_more = [*values[low & some], at, alone, alone], values[~low & some]
        known = kit.Line(x, y_known, kit.LOOKS[0], "equilibrium, in the limit")
        more = kit.Line(loads[~low & some], y_more, kit.LOOKS[1], "metastable, up to spinodal", dashed=True)
        panel = kit.Panel(kit.Axis(ALPHA, low=0, high=2.2), axis, (known, more))
        told = told.format(at=at, alone_from=alone_from)
        return kit.picture(
            *kit.with_simulation(panel, all_comparison, name, kit.LOOKS[0]), alt=told, caption=told
        )

    _jump = "The error of a random member jumps from {at:.3f} to 0 at α = {alone_from:.4f}."
    _end = "The entropy per weight, s − ln 2, falls to {at:.3f} before the jump."
    _axes = kit.Axis(WRONG, low=-0.02, high=0.52), kit.Axis("entropy per weight s − ln 2 [1]")
    _left = _picture(ERROR, _axes[0], np.arccos(overlaps) / np.pi, 0.0, _jump)
    _right = _picture("entropy", _axes[1], logarithms - np.log(2), -np.log(2), _end)
    kit.abreast(_left, _right)
    return


@app.cell(hide_code=True)
def _(all_comparison):
    kit.verdict(all_comparison)
    return


@app.cell(hide_code=True)
def _(alone_from, hidden_up_to):
    kit.text(rf"""
    **Determining the teacher is easier than finding it.** Above $\alpha =$ {alone_from:.4f} the examples
    exclude every student except the teacher. But the solution with $q < 1$ remains metastable up to
    {hidden_up_to:.4f}, the spinodal point. Searches that improve step by step, such as message passing, end
    in this metastable state. The teacher is then the only solution, but these searches do not find it.

    **Where the theory and the simulation end.** The formulas assume replica symmetry, which is correct here
    according to the literature. With 16 weights the jump is rounded. Students are better than the limit below
    the jump and worse above it, by more than chance, and the verdict reports this. All sizes that can be
    enumerated are too small to resolve {alone_from:.3f}, or to distinguish it from {hidden_up_to:.3f}. So
    these draws test only the beginning of the curves. No simulation here shows a search that fails.
    """)
    return


@app.cell(hide_code=True)
def _(many):
    def _needed(rule, error):
        """Examples per input from which a rule has this share wrong."""
        each = many[rule].sel(time=slice(3, None))
        return float(np.exp(np.interp(-np.log(error), -np.log(each[ERROR]), np.log(each["time"]))))

    _told = "; ".join(f"{rule} {_needed(rule, 0.1):.3g} and {_needed(rule, 0.02):.3g}" for rule in RULES)
    _cost = {rule: _needed(rule, 0.02) / _needed(rule, 0.1) for rule in ("bayes", "hebb")}
    _first_values = dict(told=_told, bayes=_cost["bayes"], hebb=_cost["hebb"])

    def _best(alpha):
        """The ridge of least error of the square loss, and that error."""
        ridges = np.linspace(0.45, 0.7, 26).tolist()
        errors = {each: limit([alpha], rule="square", ridge=each)[ERROR].item() for each in ridges}
        return min(errors, key=errors.__getitem__), min(errors.values())

    (_one, _error), (_three, _) = _best(1.0), _best(3.0)
    kit.exercises("examples", _first_values, dict(one=_one, three=_three, error=_error, limit=np.pi / 2 - 1))
    return


@app.cell(hide_code=True)
def _(alone_from):
    kit.text(rf"""
    ## Which experiments could refute this?

    - **Least squares has its peak at $n = d$, and the remaining differences are due to finite size.** Run
      `teacherstudent curve perceptron --dynamics examples --route asymptotic,simulation
      --rule pseudo-inverse --times 0.9,1.1` for `--d` 50, 100 and 200. Do the differences shrink?
    - **No rule is better than bayes on average.** Does your own rule find a better student on these draws?
    - **Random labels can be stored up to $\alpha = 2$.** Is the share at $n = 2d$ one half, within its
      errors?
    - **Binary teachers are determined above $\alpha =$ {alone_from:.3f}.** Nothing here can test this.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("examples")
    return


if __name__ == "__main__":
    app.run()
