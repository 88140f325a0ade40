"""Linear networks: what the captions say holds for the numbers drawn."""

from __future__ import annotations

import numpy as np

from teacherstudent.figures.kit import comparison
from teacherstudent.figures.linear_network import ch2_fig3 as figure
from tests.drawing import numbers, small


def test_what_is_left_of_decoupled_modes_is_the_next_order_of_the_step() -> None:
    """ch2-fig3: relative to the first order a step size times the rate 2 s at which a mode grows."""
    for name, values in (("balanced", figure.VALUES), ("unbalanced", figure.VALUES[-1:])):
        residual = numbers("ch2-fig3")[f"simulation_{name}"]["residual"]
        assert float(abs(residual).max()) < figure.RATES[0] * 2 * max(values)
        assert float(abs(residual).max()) > 0


def test_standard_errors_of_few_draws_are_those_of_the_law() -> None:
    """Few draws that have all learned a mode agree with each other, and with no mean that has slow ones."""
    shown = numbers("ch2-fig3")
    simulated, law = shown["simulation_random"], shown["theory_random"]
    at = law.sel(time=simulated["time"], method="nearest")
    with small("ch2-fig3"):
        draws = figure.LAWFUL / comparison.QUICK_DRAWS
    spread = at["u_stderr"].values * np.sqrt(1 + draws)
    resolved = np.isfinite(simulated["residual"].values)
    gap = (simulated["u"].values - at["u"].values)[resolved]
    np.testing.assert_allclose((simulated["residual"].values * spread)[resolved], gap, atol=1e-6)
