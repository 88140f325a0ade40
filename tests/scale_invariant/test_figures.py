"""Scale-invariant weights: what the captions say holds for the numbers drawn."""

from __future__ import annotations

import json

import numpy as np
import pytest
import xarray as xr

from teacherstudent.figures.scale_invariant import digits, effective_rate


def test_what_averaging_leaves_out_of_rates_is_fluctuation_and_lag() -> None:
    """sphere-effective-rate: sqrt v grows by 2 a a unit of time where the radius falls as exp(-a t)."""
    d, memory, a = effective_rate.D, 1 - effective_rate.BETA2, 0.1
    t = np.linspace(1, 3, 9)
    settled = 1 - 0.9 ** (np.rint(t * d) + 1)
    columns = {"effective_learning_rate": ("time", 2 / settled), "radius": ("time", np.exp(-a * t))}
    theory = xr.Dataset(columns, {"time": t}, {"instance": json.dumps({"beta1": 0.9})})
    bound = effective_rate.left_out_of_rates(theory)
    np.testing.assert_allclose(bound, 100 * (1.5 * memory + 2 * a / (d * memory)), rtol=1e-9)


def test_the_fluctuations_that_averaging_leaves_out_are_those_of_drawn_second_moments() -> None:
    """sphere-effective-rate: moments of v and g^2/v where g is noise times input, to the next order."""
    random, kept = np.random.default_rng(3), effective_rate.BETA2
    g2 = np.prod(random.standard_normal((2, 1000, 600)), axis=0) ** 2
    v = np.ones(600)
    samples = []
    for k, square in enumerate(g2):
        v = kept * v + (1 - kept) * square
        if k > 500:
            samples.append((v, v**-0.5 - (1 - v) / 2, square * (1 / v - 1)))  # E v = E g^2 = 1 are known
    v_drawn, root, growth = np.array(samples).transpose(1, 0, 2)
    variance = effective_rate.VARIANCE
    assert np.var(v_drawn) == pytest.approx(variance, rel=0.25)
    faster, less = root.mean() - 1, -growth.mean()
    assert faster == pytest.approx(3 / 8 * variance, rel=0.25)
    at_rest = effective_rate.left_out_of_radii
    assert at_rest(decoupled=True) == pytest.approx(100 * less / 2, rel=0.25)
    assert at_rest(decoupled=False) == pytest.approx(100 * (less + faster) / 3, rel=0.25)


def test_what_lies_within_momentums_memory_is_not_held_against_the_limit() -> None:
    """sphere-effective-rate: three memories of ten steps are t = .15; plain SGD has none."""
    from matplotlib.figure import Figure

    t, numbers = [0.1, 0.2], {}
    for scheme in ("sgd", "sgd-momentum"):
        attrs = {"instance": json.dumps({"momentum": 0.9}), "approximate": 0}
        numbers[f"theory_{scheme}"] = xr.Dataset(attrs=attrs)
        columns = {"radius_minus_theory": ("time", [-7.0, 1.0])}
        numbers[f"simulation_{scheme}"] = xr.Dataset(columns, {"time": t}, {"n_seeds": 16})
    axes = Figure().subplots()
    effective_rate.draw_rest(axes, numbers, ["sgd", "sgd-momentum"], "radius")
    shown = [
        (line.get_alpha(), np.array(line.get_ydata())) for line in axes.lines if len(line.get_xdata()) == 2
    ]
    full = [values for alpha, values in shown if alpha is None and not np.array_equal(values, [0, 0])]
    pale = [values for alpha, values in shown if alpha is not None]
    np.testing.assert_array_equal(full, [[-7, 1], [np.nan, 1]])
    np.testing.assert_array_equal(pale, [[np.nan, np.nan], [-7, np.nan]])


def test_what_lies_outside_the_estimate_is_counted() -> None:
    """sphere-effective-rate: beyond the bound at its time by more than two of its bars."""
    bound = xr.DataArray([8.0, 2.0], {"time": [1.0, 2.0]}, "time")
    gap = xr.DataArray([11.0, -11.0, 3.0], {"time": [1.0, 1.5, 2.0]}, "time")
    assert effective_rate.outside([(gap, xr.full_like(gap, error)) for error in (1.0, 2.0)], bound) == 3


@pytest.mark.parametrize(("chosen", "edge"), [(1.0, False), (8.0, True)])
def test_a_rate_at_the_edge_of_the_grid_is_told(chosen: float, edge: bool) -> None:
    """sphere-digits: a larger rate may be better."""
    answer = xr.Dataset({"chosen": ("scheme", [chosen])}, {"scheme": ["adam"], "multiple": [1.0, 8.0]})
    assert digits.at_edge(answer, "adam") == edge
