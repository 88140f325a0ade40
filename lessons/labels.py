"""Lesson 16: What a network learns from wrong labels."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 16: What a network learns from wrong labels",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    from functools import cache
    from typing import Any

    import marimo as mo
    import numpy as np
    import xarray as xr

    import teacherstudent as ts
    from teacherstudent.lessons import kit
    from teacherstudent.problems.residual_digits import PROBLEM
    from teacherstudent.problems.residual_digits.data import draw, images_of, targets
    from teacherstudent.theory.residual_digits.kernel import tangent

    N, CLASSES, DRAWS, RATE = 60, 10, 8, 12.0
    SIZES: dict[str, Any] = dict(pool=300, n=N, components=20)
    STEPS = np.unique(np.rint(np.geomspace(1, 5000, 15)))


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # What a network learns from wrong labels

    **The question.** A network is trained on labels of which a share is wrong. After enough steps the network
    fits all labels, including the wrong labels. What has the network learned at the end, and what before?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("labels")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    An image of a digit has pixels $x$ and $d$ whitened principal components $z$. The network is the sum of a
    linear map of $z$, called the skip, and a branch of $h$ rectified units, whose weights start at random:

    $$ f = \frac{1}{\sqrt d}\, z B + \frac{\epsilon}{\sqrt h}\, \text{relu}\!\left(\frac{x W}{\sqrt P} +
       \frac b2\right) A, $$

    Gradient descent with the learning rate $\eta$ acts on the mean of $\tfrac12 |f - y|^2$ over $n$ images,
    plus a weight decay $\tfrac\lambda2 |\theta - \theta_0|^2$ towards the initial weights $\theta_0$. The
    label $y$ of class $t$ is the row $e_t$, 1 for this class and 0 for the others, minus its mean $1/c$ over
    $c = 10$ classes.

    A wide network is linear in its parameters as long as the parameters change little. In this case only the
    network's **tangent kernel** matters, the scalar product of the gradients of two outputs:
    $K = z \cdot z'/d + \epsilon^2 K_\text{branch}$. On the training images let
    $K/n = V \operatorname{diag}(c_i) V^\top$. Let $K_*$ be the kernel between other images and the training
    images. The outputs on these other images after $k$ steps are

    $$ f_* = K_* V \operatorname{diag}(\varphi_i)\, V^\top \frac yn, \qquad
       \varphi_i = \frac{1 - (1 - \eta (c_i + \lambda))^k}{c_i + \lambda} $$

    As in Lesson 3 each direction is learned at its own rate, $\eta c_i$ (Eq. 4.2.12 there), and directions do
    not mix. **The outputs are linear in the labels.** So the effect of the wrong labels is added to the
    effect of the right labels. With probability $q$ a label is wrong, and then each other class is equally
    likely. Its mean is

    $$ \langle y \rangle = r\, (e_t - 1/c), \qquad r = 1 - \frac{c}{c - 1}\, q $$

    **On average, wrong labels only make the signal weaker**: the mean label still points to the right class.
    The remainder, $y - \langle y \rangle$, is noise. The variance of this noise per image is
    $(1 - 1/c)(1 - r^2)$, equal in all directions. Averaged over draws of wrong labels, the test loss is a
    sum,

    $$ L = \tfrac12 \langle |r f_*^\text{truth} - y_*|^2 \rangle_* + \tfrac12
       \bigl(1 - \tfrac1c\bigr) (1 - r^2)\, \frac{1}{n^2} \sum_i \varphi_i^2\,
       \langle (K_* V)_i^2 \rangle_* $$

    in which the first term is the part of the truth not yet learned (the bias), and the second term is the
    part added by wrong labels (the variance).
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("labels")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    Eight networks are trained, each on its own 60 images with its own wrong labels, and tested on the other
    240 images, whose labels are right. Lines are the theory of infinite width for **the same images and
    labels**. The simulation trains all weights of the networks.
    """)
    return


@app.cell
def _():
    noise = kit.slider(
        "share of wrong labels q [1]", [0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9, 1.0], 0.15
    )
    branch = kit.slider("scale of the branch ε [1]", [0.0, 0.03, 0.05, 0.1, 0.2, 0.3], 0.1)
    decay = kit.slider("weight decay λ [curvature]", [0.0, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2], 0.0)
    width = kit.slider("simulated width h [units]", [32, 128, 512], 512)
    simulate = kit.simulate_button()
    kit.controls(noise=noise, branch=branch, decay=decay, width=width, simulate=simulate)
    return branch, decay, noise, simulate, width


@app.function
def drawn(q: float) -> tuple[Any, Any]:
    """All images, and what is drawn of them: places of training and tests, (S, n) and (S, M), and labels."""
    problem = PROBLEM.instance(label_noise=q, **SIZES)
    return images_of(problem), draw(problem, range(DRAWS))


@app.function
@cache
def modes(epsilon: float) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Of each draw the rates c (n,), the directions V (n, n), and K_* V (M, n)."""
    images, of = drawn(0.0)
    problem, found = PROBLEM.instance(branch_scale=epsilon, **SIZES), []
    for trained, tested in zip(of.training, of.tested, strict=True):
        known, new = ((images.pixels[at], images.components[at]) for at in (trained, tested))
        c, V = np.linalg.eigh(tangent(problem, *known, *known) / N)
        found.append((np.maximum(c, 0), V, tangent(problem, *new, *known) @ V))
    return found


@app.function
def filters(c: np.ndarray, wd: float) -> np.ndarray:
    """phi of each rate over `STEPS`, (T, n)."""
    k, taken = STEPS[:, None], RATE * (c + wd)
    slow = -np.expm1(k * np.log1p(-np.minimum(taken, 0.999)))  # of a rate near 0 no digits are lost
    gained = np.where(taken < 0.999, slow, 1 - (1 - taken) ** k)
    return np.where(taken > 0, gained / np.where(taken > 0, c + wd, 1), RATE * k)


@app.function
def learned(q: float, epsilon: float, wd: float) -> dict[str, np.ndarray]:
    """By the kernel, over `STEPS`, means over draws (T,): what the front door does not tell.

    bias, variance: both parts of the test loss, a mean over all wrong labels. truth, wrong: shares learned of
    truth and noise. told, true: shares of images with a wrong label that are said so, or right; NaN of none.
    """
    (images, of), strength, found = drawn(q), 1 - q * CLASSES / (CLASSES - 1), []
    draws = zip(modes(epsilon), of.training, of.tested, of.labels, strict=True)
    for (c, V, tests), trained, tested, said in draws:
        phi, is_ = filters(c, wd), images.classes[trained]
        truth, taught = (V.T @ targets(each, CLASSES) / N for each in (is_, said))
        missed = strength * tests @ (phi[..., None] * truth) - targets(images.classes[tested], CLASSES)
        spread = (1 - 1 / CLASSES) * (1 - strength**2) / N**2
        answers = (V @ ((c * phi)[..., None] * taught)).argmax(axis=-1)
        wrong, weight = said != is_, np.sum(truth**2, axis=1)
        found.append(
            {
                "bias": np.mean(np.sum(missed**2, axis=-1), axis=-1) / 2,
                "variance": spread / 2 * (phi**2 @ np.mean(tests**2, axis=0)),
                "truth": (c * phi) @ weight / weight.sum(),
                "wrong": np.mean(c * phi, axis=1),
                "told": np.sum((answers == said) & wrong, axis=1) / (wrong.sum() or np.nan),
                "true": np.sum((answers == is_) & wrong, axis=1) / (wrong.sum() or np.nan),
            }
        )
    return {name: np.mean([each[name] for each in found], axis=0) for name in found[0]}


@app.function
def arranged(answer: xr.Dataset) -> xr.Dataset:
    """Test and training error as `error` over `images`, and the test loss."""
    both = xr.concat(
        [answer["test_error"], answer["training_error"]], xr.Variable("images", ["test", "training"])
    )
    attrs = {"long_name": "classification error", "symbol": "e", "units": "1"}
    return answer[["test_loss"]].assign(error=both.assign_attrs(attrs))


@app.function
def asked(q: float, epsilon: float, wd: float) -> dict[str, Any]:
    """The question to the front door."""
    of: dict[str, Any] = dict(label_noise=q, branch_scale=epsilon, weight_decay=wd, learning_rate=RATE)
    return of | SIZES | dict(times=STEPS, seeds=DRAWS, dynamics="descent")


@app.function
def claimed(q: float, epsilon: float, wd: float) -> xr.Dataset:
    """Errors and losses of each draw, by the tangent kernel."""
    return arranged(ts.sample("residual-digits", route="kernel", **asked(q, epsilon, wd)))


@app.cell
def _():
    _images, _of = drawn(1.0)
    _x = _images.pixels - _images.pixels.min()
    given = {
        "pixels": ["".join(chr(97 + i) for i in row) for row in np.rint(16 * _x / _x.max()).astype(int)],
        "classes": _images.classes.tolist(),
        "training": _of.training.tolist(),
        "wrong": _of.labels.tolist(),  # of each image, which it has at a q above its chance
        "chance": [np.random.default_rng([seed, 1]).random(N).round(9).tolist() for seed in range(DRAWS)],
    }
    return (given,)


@app.cell
def _(branch, decay, noise):
    setting = noise.value, branch.value, decay.value
    theory = claimed(*setting).mean("seed", keep_attrs=True)
    parts = learned(*setting)
    return parts, setting, theory


@app.cell
def _(setting, simulate, width):
    def _simulated():
        """Networks and the theory, on the same images and labels."""
        seen = ts.sample("residual-digits", route="simulation", width=width.value, **asked(*setting))
        return ts.compare(arranged(seen), claimed(*setting))

    comparison = kit.on_demand(simulate, _simulated)
    return (comparison,)


@app.cell(hide_code=True)
def _(comparison, parts, theory):
    _k = kit.Axis("steps k [1]", "log")
    _told = comparison.verdicts if comparison else {}  # none where the network is the theory: without branch
    _seen: dict[str, Any] = {
        name: dict(comparison=comparison if name in _told else None, x=_k) for name in theory
    }
    _error = kit.curves(
        theory,
        "error",
        ["test images", "training images, compared with the given labels"],
        across="images",
        y=kit.Axis("classification error [1]", low=0),
        **_seen["error"],
    )
    _first, *_below = kit.curves(
        theory, "test_loss", ["test loss"], y=kit.Axis("test loss [output²]", low=0), **_seen["test_loss"]
    )
    _split = (
        kit.Line(STEPS, parts["bias"], kit.LOOKS[2], "part of the truth not yet learned"),
        kit.Line(STEPS, parts["variance"], kit.LOOKS[1], "part added by wrong labels, on average"),
    )
    _ends, _loss = theory["error"].isel(time=-1).values, theory["test_loss"].values
    _best = int(np.argmin(_loss))
    kit.abreast(
        kit.picture(
            *_error,
            alt=f"At the end the error is {_ends[0]:.3f} on test and {_ends[1]:.3f} on training images.",
        ),
        kit.picture(
            _first.with_marks(*_split),
            *_below,
            alt=f"The test loss has its minimum, {_loss[_best]:.3f}, after {STEPS[_best]:g} steps.",
            caption=f"Minimum {_loss[_best]:.3f} after {STEPS[_best]:g} steps; final value {_loss[-1]:.3f}.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(parts):
    _k = kit.Axis("steps k [1]", "log")
    _share: dict[str, Any] = dict(low=0.0, high=1.02)
    _truth, _wrong = (
        kit.Line(STEPS, parts["truth"], kit.LOOKS[2], "right labels"),
        kit.Line(STEPS, parts["wrong"], kit.LOOKS[1], "noise of wrong labels, on average"),
    )
    _true, _told = (
        kit.Line(STEPS, parts["true"], kit.LOOKS[2], "classified as the true class"),
        kit.Line(STEPS, parts["told"], kit.LOOKS[1], "classified as the wrong label"),
    )
    kit.abreast(
        kit.picture(
            kit.Panel(_k, kit.Axis("share learned on training images [1]", **_share), (_truth, _wrong)),
            alt=f"Learned: {parts['truth'][-1]:.3f} of the truth, {parts['wrong'][-1]:.3f} of the noise.",
        ),
        kit.picture(
            kit.Panel(_k, kit.Axis("share of images with a wrong label [1]", **_share), (_true, _told)),
            alt="How wide networks classify training images that have a wrong label, over steps.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(comparison):
    kit.verdict(comparison)
    return


@app.cell(hide_code=True)
def _(parts, setting, theory):
    _q, _strength = setting[0], 1 - setting[0] * CLASSES / (CLASSES - 1)
    _best = int(np.argmin(theory["test_loss"].values))
    _share = {name: parts[name][_best] for name in ("truth", "wrong", "bias", "variance")}
    kit.text(rf"""
    A share of {_q:g} of wrong labels reduces the strength of the signal to $r =$ {_strength:.3f}. The test
    loss has its minimum after {STEPS[_best]:g} steps. Then {_share["truth"]:.3f} of the truth is learned and
    {_share["wrong"]:.3f} of the noise. The part of the truth not yet learned contributes {_share["bias"]:.3f}
    to the loss, and wrong labels add {_share["variance"]:.3f}. After the last step the two parts of the loss
    are {parts["bias"][-1]:.3f} and {parts["variance"][-1]:.3f}.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    Each network is compared with the theory for its own images and labels. Error bars are one standard error
    of these differences. A residual is the distance of a marker from its curve, in units of the error bar.

    **What you should find.** The truth is concentrated in the strong directions of the kernel, because images
    of one class are similar. Noise is equal in all directions, and most directions are weak. So the truth is
    learned first. For a while the network gives most wrongly labelled images their *true* class. Later the
    network gives these images their wrong label.

    Between the two descents the loss rises for two reasons: the skip fits noise, and it also adapts to the
    part of the *truth* that it cannot express. The branch, which learns more slowly by a factor $\epsilon^2$,
    learns this part later, and the loss falls a second time, even at $q = 0$. But noise that has been fitted
    remains: the part added by wrong labels only grows. With more wrong labels the second descent is weaker. A
    weight decay of 0.01 prevents the fitting of noise at all times.

    **Where the theory ends.** The features of a finite network move. They move more the longer it is trained
    and the narrower it is: after a thousand steps the simulated test loss exceeds the theory. Compare the
    widths 512 and 32.
    """)
    return


@app.cell(hide_code=True)
def _():
    _one, _two = (1 - CLASSES / (CLASSES - 1) * each for each in (0.6, 1.0))
    _first_values = dict(nothing=1 - 1 / CLASSES, one=_one, two=_two)
    _free, _held = (claimed(0.15, 0.1, each)["test_loss"].mean("seed").values for each in (0.0, 0.01))
    kit.exercises(
        "labels",
        _first_values,
        dict(stop=STEPS[int(np.argmin(_free))], least=_free.min(), last=_free[-1], held=_held[-1]),
    )
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("labels")
    return


if __name__ == "__main__":
    app.run()
