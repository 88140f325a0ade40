"""Lesson 1: Learning modes one after another."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 1: Learning modes one after another",
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
    # Learning modes one after another

    **The question.** During training the weights of a network change smoothly. Yet the network learns in
    steps: first nothing for a long time, then suddenly one mode, and much later the next. What decides when a
    mode is learned? Can you predict this time before training begins?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("modes")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    The smallest network that learns in steps has two layers and no nonlinearity. This network maps $x$ to
    $W_2 W_1 x$ and minimises

    $$ L = \tfrac12 \sum_\mu \lVert y_\mu - W_2 W_1 x_\mu \rVert^2 \tag{2.2.2} $$

    with white inputs, $X X^\top = I$. Training then depends on the data only through the correlation of
    outputs and inputs. The singular values $s_i$ of this correlation are the strengths of the **modes**:

    $$ Y X^\top = U S V^\top \tag{2.2.7} $$

    Let $u_i = (U^\top W_2 W_1 V)_{ii}$ be the strength of mode $i$ in the network. Suppose that in each mode
    both layers have the same vector of hidden units, and that the vectors of different modes are orthogonal.
    (The condition of Eq. 2.2.14 is weaker, and not sufficient.) Then the modes are learned independently. In
    the time $t = \eta k$ (learning rate times steps)

    $$ \frac{\mathrm{d} u_i}{\mathrm{d} t} = 2 u_i (s_i - u_i) \tag{2.2.18} $$

    While $u_i$ is small, its growth rate is proportional to $u_i$. So $u_i$ follows a sigmoid, with a long
    plateau at the start and the final value $s_i$:

    $$ u_i(t) = \frac{s_i}{1 + (s_i/u_i(0) - 1)\, e^{-2 s_i t}} \tag{2.2.22} $$

    Half of the mode is learned at the time (Eq. 2.2.21, where a factor 2 is missing in print)

    $$ t_{1/2} = \frac{1}{2 s_i} \ln\Bigl(\frac{s_i}{u_i(0)} - 1\Bigr) $$

    **Strong modes are learned first**: $t_{1/2}$ is inversely proportional to the strength $s_i$, and depends
    only logarithmically on $u_i(0)$. Small initial weights make the steps sharp.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("modes")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    The initial weights are random: every entry of $W_1$ and $W_2$ is Gaussian with standard deviation
    $\sigma_0$. Each network therefore has different values $u_i(0)$. For small $\sigma_0$ the theory computes
    these values from the initial weights (Eqs. 2.2.11-2.2.13). The solid lines are the theory's mean over
    many networks. The simulation draws other networks and trains all their weights step by step.
    """)
    return


@app.function
def growing(networks: int, hidden: int) -> np.ndarray:
    """R of the growing part of each network's weights at unit init, (network, mode, mode), of three modes.

    Of small weights only (W_1 V + W_2^T U)/sqrt(2) = Q R matters. The theory gives R up to signs of modes: if
    some modes are learned, the others grow from their part that is orthogonal to the learned ones.
    """

    def left(*learned):
        """Squared lengths beyond the columns of the modes that are learned, (network, mode)."""
        s, init = [1e3 if k in learned else 1e-9 for k in range(3)], 1e-6
        question: dict[str, Any] = dict(
            singular_values=s, init=init, hidden=hidden, times=[1.0], seeds=networks
        )
        answer = ts.sample("linear-network", dynamics="flow", route="effective", **question)
        return 2 * answer["u"].transpose("seed", "mode", "time").values[..., 0] / init**2

    whole, first, second, both = left(), left(0), left(1), left(0, 1)
    R = np.zeros((len(whole), 3, 3))
    R[:, 0, 0], R[:, 1, 1], R[:, 2, 2] = np.sqrt([whole[:, 0], first[:, 1], both[:, 2]])
    R[:, 0, 1], R[:, 0, 2] = np.sqrt((whole - first)[:, 1:].T)
    rest = np.sqrt(first[:, 2] - both[:, 2])
    overlap = np.sqrt((whole - second)[:, 2] * whole[:, 1])  # of columns 2 and 3, its size
    told = [np.abs(np.abs(R[:, 0, 1] * R[:, 0, 2] + R[:, 1, 1] * each) - overlap) for each in (rest, -rest)]
    R[:, 1, 2] = np.where(told[0] < told[1], rest, -rest)
    return R


@app.function
def half_times(draws: xr.Dataset) -> xr.Dataset:
    """Time at which each mode of each network first reaches half of its singular value; NaN if it never does.

    draws: `u` over seed, time and mode. Between recorded times u is interpolated linearly.
    """
    u, t = draws["u"].transpose("seed", "mode", "time").values, draws["time"].values
    level = draws["singular_value"].values[:, None] / 2
    after = np.argmax(u >= level, axis=-1, keepdims=True)
    reached = after > 0
    low, high = (np.take_along_axis(u, np.maximum(each, 0), -1) for each in (after - 1, after))
    share = np.divide(level - low, high - low, out=np.full(low.shape, np.nan), where=reached)
    times = t[after - 1] + share * (t[after] - t[after - 1])
    attrs = {"symbol": "t_{1/2}", "long_name": "time until half is learned", "units": "1/output"}
    half = draws["u"].isel(time=0, drop=True).transpose("seed", "mode").copy(data=times[..., 0])
    return xr.Dataset({"half": half.assign_attrs(attrs)}, attrs=draws.attrs)


@app.cell
def _():
    s1 = kit.slider("strongest mode s₁ [output]", steps=np.arange(3, 6.01, 0.5).tolist(), value=4.0)
    s2 = kit.slider("middle mode s₂ [output]", steps=np.arange(1.75, 2.76, 0.25).tolist(), value=2.5)
    s3 = kit.slider("weakest mode s₃ [output]", steps=np.arange(0.75, 1.51, 0.25).tolist(), value=1.0)
    sigma0 = kit.slider("initial weights σ₀ [weight]", steps=kit.log_steps(0.003, 0.16), value=0.01)
    eta = kit.slider("learning rate η [1/output]", steps=kit.log_steps(0.001, 0.1, 5), value=0.004)
    simulate = kit.simulate_button()
    kit.controls(s1=s1, s2=s2, s3=s3, sigma0=sigma0, eta=eta, simulate=simulate)
    return eta, s1, s2, s3, sigma0, simulate


@app.cell
def _(s1, s2, s3, sigma0):
    strengths = (s1.value, s2.value, s3.value)
    hidden = 8
    question = dict(problem="linear-network", singular_values=strengths, init=sigma0.value, hidden=hidden)
    networks = ts.sample(dynamics="flow", route="effective", times="0:10:201:lin", seeds=100, **question)
    theory = networks.mean("seed", keep_attrs=True)
    halves = half_times(networks).mean("seed", keep_attrs=True, skipna=False)
    return halves, hidden, question, strengths, theory


@app.cell(hide_code=True)
def _(hidden):
    # A page without Python computes the same networks' theory from these.
    given = {"growing": growing(100, hidden).tolist(), "hidden": hidden}
    return (given,)


@app.cell
def _(eta, question, simulate):
    def _trained(rate):
        """Networks trained at that rate against the theory of others: their modes and half times."""
        steps = np.unique(np.rint(np.linspace(0, 10, 97) / rate))
        descent = dict(dynamics="descent", route="simulation", times=steps, learning_rate=rate)
        flow = dict(dynamics="flow", route="effective", times=rate * steps)
        seen = ts.sample(**descent, seeds=40, seed=1000, **question).assign_coords(time=rate * steps)
        claimed = ts.sample(**flow, seeds=400, seed=2000, **question)
        sparse = dict(time=slice(None, None, 3))
        return (
            # Below a standard error of 0.002 the approximations of the theory would dominate.
            ts.compare(seen.isel(sparse), claimed.isel(sparse), resolvable=2e-3),
            ts.compare(half_times(seen), half_times(claimed)),
        )

    comparison, half_comparison = kit.on_demand(simulate, lambda: _trained(eta.value)) or (None, None)
    return comparison, half_comparison


@app.cell(hide_code=True)
def _(comparison, half_comparison, halves, hidden, sigma0, strengths, theory):
    _labels = [f"mode {i}: s = {s:g}" for i, s in enumerate(strengths, 1)]
    _times = ", ".join(f"{t:.2f}" for t in halves["half"].values)
    _u0 = hidden * sigma0.value**2 / 2
    _s = np.geomspace(0.75, 6, 100)
    _law = kit.Line(_s, np.log(_s / _u0 - 1) / (2 * _s), kit.LOOKS[4], "Eq. 2.2.21, corrected", dashed=True)
    _modes = kit.curves(
        theory, "u", _labels, across="mode", comparison=comparison, y=kit.Axis("mode strength u_i [output]")
    )
    _first, *_below = kit.curves(
        halves,
        "half",
        ["theory at the three modes"],
        along="singular_value",
        comparison=half_comparison,
        x=kit.Axis("singular value s of the mode [output]", "log"),
        y=kit.Axis("time until half is learned [1/output]", low=0),
    )
    kit.abreast(
        kit.picture(*_modes, alt=f"Three sigmoids over flow time. Half of each mode is learned at {_times}."),
        kit.picture(
            _first.with_marks(_law),
            *_below,
            alt=f"The time until half is learned falls with the singular value: {_times}.",
            caption=f"Dashed: the formula if every mode starts at u(0) = {_u0:.2g}. This is half the number "
            f"of hidden units ({hidden}) times the variance of a weight.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(comparison, half_comparison):
    kit.verdict(comparison, half_comparison)
    return


@app.cell(hide_code=True)
def _(halves, strengths):
    _t = halves["half"].values
    kit.text(rf"""
    At these settings the modes of strength $s =$ {", ".join(f"{s:g}" for s in strengths)} are half learned at
    $t =$ {", ".join(f"{t:.2f}" for t in _t)}. The weakest mode needs {_t[2] / _t[0]:.1f} times as long
    as the strongest mode, which is {strengths[0] / strengths[2]:.1f} times as strong.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **Where the theory ends.** The theory holds as $\sigma_0 \to 0$ and $\eta \to 0$. Raise $\sigma_0$ to 0.1
    and compare again. The residuals leave the grey band, first at early times, because the random
    initial strengths of the networks are no longer small. The comparison omits points whose standard error is
    smaller than the error of the theory's approximations.
    """)
    return


@app.cell(hide_code=True)
def _():
    _gap = [np.log(s / 1e-4 - 1) / (2 * s) for s in (4, 1)]
    _wider = [np.log(s / 1e-8 - 1) / (2 * s) for s in (4, 1)]
    _first_values = dict(
        second=_gap[1],
        second_wider=_wider[1],
        second_ratio=_wider[1] / _gap[1],
        gap=_gap[1] - _gap[0],
        gap_wider=_wider[1] - _wider[0],
        gap_ratio=(_wider[1] - _wider[0]) / (_gap[1] - _gap[0]),
    )

    def _half(depth):
        """The time at which a mode of strength 1 is half learned at that depth, u(0) = 0.01."""
        _alone = ts.curve(
            "linear-network",
            dynamics="flow",
            route="closed-form",
            times="0:60:2001:lin",
            singular_values=(1.0,),
            u0=(0.01,),
            depth=depth,
        )
        return float(np.interp(0.5, _alone["u"].isel(mode=0), _alone["time"]))

    _two, _three = _half(2), _half(3)
    kit.exercises("modes", _first_values, dict(cube=(2 / 3) ** 3, two=_two, three=_three))
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("modes")
    return


if __name__ == "__main__":
    app.run()
