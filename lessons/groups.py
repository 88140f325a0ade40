"""Lesson 17: Why minority groups are misclassified, and what balancing changes."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 17: Why minority groups are misclassified, and what balancing changes",
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
    # Why minority groups are misclassified, and what balancing changes

    **The question.** In most examples an attribute is correlated with the class: most pictures of cows show
    grass. A classifier that fits every training example fails on a cow on sand. Is it better to give the few
    examples without grass a larger weight, or to discard most of the other examples?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("groups")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    An example of class $y = \pm1$ with attribute $a = \pm1$ has three kinds of features. The core feature
    depends on the class, the spurious feature on the attribute, and $d$ features are noise. Each kind is
    multiplied by a scale $\gamma$:

    $$ x = (\gamma_c x_c,\ \gamma_s x_s,\ \gamma_n x_n), \qquad x_c \sim \mathcal N(y, \sigma^2), \quad
       x_s \sim \mathcal N(a, \sigma^2), \quad x_n \sim \mathcal N(0, I_d) \tag{8.4.1} $$

    A share $p$ of the $n$ examples has $a \neq y$: the **minority**. The noise features have the variance 1,
    as in the paper's code, and $\sigma = 0.15$. Let $w$ be the weights of the classifier. For a new example
    the logit $y\, w^\top x$ depends on $w$ through only three numbers: the contributions $e_c$ and $e_s$ of
    the core and the spurious feature, and $r$, the standard deviation of the contribution of the noise. The
    accuracy on the minority is

    $$ A = \Phi\Bigl(\frac{e_c - e_s}{\sqrt{V}}\Bigr), \qquad V = \sigma^2 (e_c^2 + e_s^2) + r^2 $$

    **The beginning of training.** After the first gradient step $e_c = \gamma_c^2/2$ and
    $e_s = \gamma_s^2 (1 - 2p)/2$, which is large if the spurious feature is strong. If batches contain the
    four groups equally often, $e_s = 0$, so reweighting starts in the right direction.

    **The end of training.** Logistic regression without weight decay converges to the direction of the
    largest margin, however the examples are weighted. A student memorises an example if it uses the noise
    features of this example to increase its margin. Without memorising, the margin $m$ of an example is
    normal with mean $e_c \pm e_s$ and variance $V$. The noise features must add the part that is missing to
    reach the margin $\kappa$. For large $n$ and $d$ this is possible if and only if

    $$ \mathrm E\,(\kappa - m)_+^2 \le \frac dn\, r^2 $$

    The left side is the cost of memorising, a mean over the examples. **A small minority is cheap to
    memorise**: its contribution to this cost is proportional to its share $p$. So the student uses the
    spurious feature and memorises the minority. Reweighting changes neither $m$ nor the share of the examples
    that must be fitted. Subsampling changes both.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("groups")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    There are three ways to train: plain training (**ERM**, empirical risk minimisation), batches in which
    every group is equally likely (**RWG**, reweighted groups), and training on a subset in which every group
    is as large as the smallest group (**SUBG**, subsampled groups). The test examples have fresh noise.
    Theory gives the beginning and the end of training. The simulation also shows the accuracy during
    training.
    """)
    return


@app.cell
def _():
    _shares = [0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5]
    share = kit.slider("share of the minority p [1]", steps=_shares, value=0.05)
    spurious = kit.slider("scale of the spurious feature γₛ [1]", steps=[1.0, 1.5, 2.0, 3.0, 4.0], value=1.0)
    noise = kit.slider("scale of the noise γₙ [1]", steps=[0.3, 0.4, 0.5, 0.7, 1.0, 1.4], value=0.5)
    _ratios = [0.6, 0.75, 1.0, 1.5, 2.0, 3.0]
    ratio = kit.slider("noise features per example d/n [1]", steps=_ratios, value=1.5)
    simulate = kit.simulate_button()
    kit.controls(share=share, spurious=spurious, noise=noise, ratio=ratio, simulate=simulate)
    return noise, ratio, share, simulate, spurious


@app.function
def asked(few: int, spurious: float, noise: float, ratio: float) -> dict[str, Any]:
    """The question with `few` of 200 examples of each class in the minority."""
    question = dict(problem="spurious-groups", dynamics="normalised", test_noise="fresh", init=0.0)
    question |= dict(groups=(200 - few, few, few, 200 - few), noise_features=round(400 * ratio))
    return question | dict(gamma_spurious=spurious, gamma_noise=noise)


@app.function
def limit(route: str, method: str, question: dict[str, Any]) -> xr.Dataset:
    """Where a method's training begins or ends, in the limit of large n and d."""
    return ts.curve(route=route, method=method, times=[1], **question).isel(time=0, drop=True)


@app.function
def on_minority(answer: xr.Dataset) -> xr.DataArray:
    """Accuracy on both groups of the minority together."""
    mean = answer["group_accuracy"].isel(group=[1, 2]).mean("group")
    return mean.assign_attrs(long_name="accuracy on the minority", symbol="A", units="1")


@app.cell
def _(noise, ratio, spurious):
    few = np.array([2, 3, 4, 6, 10, 16, 24, 40, 60, 100])  # of 200
    _asked = [asked(each, spurious.value, noise.value, ratio.value) for each in few.tolist()]
    over_share = {
        key: np.array([on_minority(limit(*key, each)).item() for each in _asked])
        for key in (("max-margin", "erm"), ("max-margin", "subg"), ("initial-gradient", "rwg"))
    }
    return few, over_share


@app.cell
def _(noise, ratio, share, spurious):
    question = asked(round(200 * share.value), spurious.value, noise.value, ratio.value)
    ends = {method: limit("max-margin", method, question) for method in ("erm", "rwg", "subg")}
    begins = {method: limit("initial-gradient", method, question) for method in ("erm", "rwg", "subg")}
    return begins, ends, question


@app.function
def trained(question: dict[str, Any], begins: Any, ends: Any) -> tuple[xr.DataArray, ts.Comparison]:
    """The road of 16 students of each method; and its two ends compared with theory."""
    size = question["noise_features"] * question["gamma_noise"] ** 2 + question["gamma_spurious"] ** 2
    drawn = dict(route="simulation", step_size=2 / (1 + size), test_examples=500, seeds=16)
    drawn |= dict(times=[1, 3, 10, 30, 100, 300, 1000, 4000])
    road = [on_minority(ts.sample(method=method, **drawn, **question)) for method in ends]
    seen = xr.concat(road, xr.Variable("way", list(ends)))
    told = xr.DataArray(
        [[on_minority(each[method]).item() for each in (begins, ends)] for method in ends],
        {"way": list(ends), "time": seen["time"][[0, -1]]},
        attrs=seen.attrs,
    )
    both = xr.Dataset({"accuracy": seen[..., [0, -1]]}, attrs={"n_seeds": seen.sizes["seed"]})
    return seen, ts.compare(both, told.to_dataset(name="accuracy"), resolvable=3e-3)


@app.cell
def _(begins, ends, question, simulate):
    road, comparison = kit.on_demand(simulate, lambda: trained(question, begins, ends)) or (None, None)
    return comparison, road


@app.cell(hide_code=True)
def _(begins, ends, few, over_share, share):
    _p = few / 200
    _plain, _cut, _start = over_share.values()
    _now = [on_minority(each).item() for each in (ends["erm"], ends["subg"], begins["rwg"])]
    kit.picture(
        kit.Panel(
            kit.Axis("share of the minority p [1]", "log"),
            kit.Axis("accuracy on the minority A [1]", low=0, high=1),
            (
                kit.Line(_p, _plain, kit.LOOKS[0], "ERM and RWG, end of training"),
                kit.Line(_p, _cut, kit.LOOKS[1], "SUBG, end of training"),
                kit.Line(_p, _start, kit.LOOKS[2], "RWG, first step", width=1),
                kit.Now(share.value, _now[0], kit.LOOKS[0]),
                kit.Now(share.value, _now[1], kit.LOOKS[1], line=False),
                kit.Now(share.value, _now[2], kit.LOOKS[2], line=False),
            ),
        ),
        alt=f"Accuracy on the minority over its share; here {_now[0]:.3f} for ERM and RWG and {_now[1]:.3f} "
        f"for SUBG at the end, and {_now[2]:.3f} after the first step of RWG.",
    )
    return


@app.cell(hide_code=True)
def _(begins, comparison, ends, road):
    _x = kit.Axis("step of normalised descent k [1]", "log", 1, 4000)
    _ways = {
        "rwg": ("RWG", kit.LOOKS[2], 5),
        "erm": ("ERM", kit.LOOKS[0], 2),
        "subg": ("SUBG", kit.LOOKS[1], 2),
    }
    _marks, _drawn, _told = [], [], []
    _below: list[kit.Panel] = []
    for _method, (_name, _look, _wide) in _ways.items():
        _first, _last = (on_minority(each[_method]).item() for each in (begins, ends))
        _told.append(f"{_name} {_first:.3f} and {_last:.3f}")
        _marks.append(kit.Line([1, 3], np.full(2, _first), _look, "", width=_wide))
        _marks.append(kit.Line([1300, 4000], np.full(2, _last), _look, _name, width=_wide))
    if comparison:
        _draws = road.sizes["seed"]
        for _method, (_, _look, _) in _ways.items():
            _one = road.sel(way=_method)
            _error = _one.std("seed", ddof=1) / np.sqrt(_draws)
            _key = f"simulation: mean of {_draws} draws ± 1 standard error" if _method == "erm" else ""
            _drawn.append(kit.Points(_one["time"], _one.mean("seed"), _look, _key, error=_error))
    if comparison and "accuracy" in comparison.verdicts:  # no end is judged if all are known to 3e-3
        _left = comparison.residuals["accuracy"]
        _gaps = [kit.Points(_left["time"], _left.sel(way=each), way[1]) for each, way in _ways.items()]
        _below = [kit.residuals(_x, comparison.verdicts["accuracy"].threshold, *_gaps)]
    kit.picture(
        kit.Panel(_x, kit.Axis("accuracy on the minority A [1]", low=0, high=1), (*_marks, *_drawn)),
        *_below,
        alt=f"Accuracy at the first step and at the end, by theory: {'; '.join(_told)}.",
        caption="Lines: theory at the first step and at the end.",
    )
    return


@app.function
def margins(answer: xr.Dataset, p: float, title: str) -> kit.Panel:
    """Densities of the margins without memorising, in units of the margin that training reaches."""
    e_s, e_c, r = (answer[f"{name}_weight"].item() for name in ("spurious", "core", "noise"))
    kappa, spread = answer["margin"].item(), np.sqrt(0.15**2 * (e_s**2 + e_c**2) + r**2)
    m = np.linspace(-2, 3, 201)

    def density(mean):
        return np.exp(-((kappa * m - mean) ** 2) / (2 * spread**2)) * kappa / (np.sqrt(2 * np.pi) * spread)

    return kit.Panel(
        kit.Axis("margin without memorising m/κ [1]", low=-2, high=3),
        kit.Axis(f"{title}: density times share [1]", low=0),
        (
            kit.Line(m, (1 - p) * density(e_c + e_s), kit.LOOKS[3], "majority"),
            kit.Line(m, p * density(e_c - e_s), kit.LOOKS[1], "minority"),
            *map(kit.Now, (0.0, 1.0)),
        ),
        130.0,
    )


@app.cell(hide_code=True)
def _(ends, share):
    _lost = [1 - on_minority(ends[each]).item() for each in ("erm", "subg")]
    kit.picture(
        margins(ends["erm"], share.value, "ERM, RWG"),
        margins(ends["subg"], 0.5, "SUBG"),
        alt=f"Margins of both groups. A share of {_lost[0]:.3f} of the minority is below 0 with ERM, and "
        f"{_lost[1]:.3f} with SUBG.",
        caption="In tests a margin below 0 is a wrong answer. In training memorising raises margins below 1.",
    )
    return


@app.cell(hide_code=True)
def _(comparison):
    kit.verdict(comparison)
    return


@app.function
def crossing(p: np.ndarray, one: np.ndarray, other: np.ndarray) -> float:
    """The last p at which one curve crosses another, between points on a logarithmic scale, or NaN."""
    gap = one - other
    (changes,) = np.nonzero(gap[:-1] * gap[1:] < 0)
    if not changes.size:
        return np.nan
    i = changes[-1]
    return float(p[i] * (p[i + 1] / p[i]) ** (gap[i] / (gap[i] - gap[i + 1])))


@app.cell(hide_code=True)
def _(begins, ends, few, over_share, share):
    _from = crossing(few / 200, *list(over_share.values())[1::-1])
    _said = "At these scales the curves of ERM and SUBG do not cross."
    if np.isfinite(_from):
        _said = f"Subsampling ends higher than ERM if p is below about {_from:.2g}."
    _erm, _subg, _rwg = (on_minority(each).item() for each in (ends["erm"], ends["subg"], begins["rwg"]))
    kit.text(rf"""
    At these settings ERM and RWG end at an accuracy of {_erm:.3f} on the minority. RWG begins at {_rwg:.3f}.
    SUBG keeps {2 * share.value:.0%} of the examples and ends at {_subg:.3f}. {_said}
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **What balancing changes.** Reweighting improves the beginning of training. To profit from reweighting,
    stop training early, and keep examples of all groups aside to decide when to stop. Subsampling improves
    the end of training, at the cost of discarded examples. If the minority is not rare, or the spurious
    feature is not much stronger than the core feature, the discarded examples are worth more. Plain training
    then ends at a higher accuracy than subsampling.

    **Where the theory ends.** The theory is the limit of many examples and features at a fixed ratio;
    students here have 400 examples. The theory gives the first step and the end of training, but not the
    steps in between. In practice training has weight decay. With weight decay, the weights of the examples
    also change the end (exercise 2).
    """)
    return


@app.function
def rows(parts=(("tr", 150, 15), ("va", 100, 50), ("te", 2000, 1000)), features=40) -> dict[str, np.ndarray]:
    """Drawn rows: of each part so many of each class, so many of them in the minority."""
    generator = np.random.default_rng(0)
    found: dict[str, np.ndarray] = {}
    for part, count, rare in parts:
        y = np.repeat([0, 1], count)
        a = np.where(np.tile(np.arange(count) < rare, 2), 1 - y, y)
        x = generator.standard_normal((2 * count, features))
        x[:, :2] += np.stack([2 * y - 1, 4 * a - 2], axis=1)
        found |= {f"x_{part}": x, f"y_{part}": y, f"a_{part}": a}
    return found


@app.cell(hide_code=True)
def _():
    _at = asked(10, 2.0, 1.0, 1.5)
    _a = {
        (method, tested): on_minority(limit("max-margin", method, _at | {"test_noise": tested})).item()
        for method in ("erm", "subg")
        for tested in ("fresh", "zero")
    }
    _first_values = dict(
        erm_zero=_a["erm", "zero"],
        subg_zero=_a["subg", "zero"],
        erm_fresh=_a["erm", "fresh"],
        subg_fresh=_a["subg", "fresh"],
    )

    def _worst(method, decay):
        """Worst-group accuracy on drawn rows at the minimum of the method's loss."""
        asked: dict[str, Any] = dict(dynamics="descent", route="optimum", times=[1], seeds=2)
        found = ts.curve("frozen-groups", features=rows(), method=method, weight_decay=decay, **asked)
        return found["worst_group_accuracy"].item()

    _weak, _strong = ({each: _worst(each, decay) for each in ("erm", "rwg")} for decay in (1e-4, 0.3))
    kit.exercises(
        "groups",
        _first_values,
        dict(
            erm_weak=_weak["erm"], rwg_weak=_weak["rwg"], erm_strong=_strong["erm"], rwg_strong=_strong["rwg"]
        ),
    )
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("groups")
    return


if __name__ == "__main__":
    app.run()
