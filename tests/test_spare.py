"""What a question does not use does not decide its answer: rounding in spare dimensions must not grow."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run

ROUNDING = 1e-9
"""Far above the rounding of these answers, which are of order 1; spare hidden units moved some by .2."""


@pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")
@pytest.mark.parametrize("seed", range(12))
def test_spare_units_inputs_and_outputs_change_no_balanced_linear_network(seed: int) -> None:
    """The hidden frame has a stream of its own. Of rotated starts more inputs or outputs draw another."""
    rng = np.random.default_rng(seed)
    modes, start = int(rng.integers(1, 4)), ("rotated", "decoupled")[seed % 2]
    s = rng.uniform(0.3, 3, modes)
    used = dict.fromkeys(("inputs", "outputs"), modes + int(rng.integers(3)))
    spare = {name: size + 3 * (start == "decoupled") for name, size in used.items()}
    answer = partial(
        run,
        *("linear-network", "flow", "riccati", [0, 1, 10, 50, 100]),
        seeds=range(4),
        start=start,
        singular_values=s,
        u0=s * 10 ** rng.uniform(-4, -0.1, modes),
        balance=rng.uniform(-4, 4),
    )
    lean, wide = answer(hidden=modes, **used)["u"], answer(hidden=modes + 3, **spare)["u"]
    np.testing.assert_allclose(wide, lean, rtol=0, atol=ROUNDING)


def test_the_modes_of_a_wide_network_are_those_that_its_matrices_learn() -> None:
    """Rounding in three spare hidden units had taken the last mode to .38, its end."""
    u = run(
        *("linear-network", "descent", "riccati", [50_000]),
        **dict(seeds=range(3, 7), start="rotated", balance=-3, hidden=6, inputs=5, outputs=6, u0=0.1),
        **dict(singular_values=(2.9, 0.5, 0.38), learning_rate=0.001),
    )["u"]
    np.testing.assert_allclose(u.mean("seed")[0, 2], 0.31409, atol=5e-6)  # by integration of both matrices


def test_a_mode_that_rounding_of_a_larger_one_hides_is_not_answered_for() -> None:
    """Its start of 1e-30 is lost next to 1 in the product of frames; what grows then is rounding."""
    asked = dict(singular_values=(2, 1), u0=(1, 1e-30), hidden=5)
    times = [1.0, 4.0, 30.0, 40.0]
    exact = run("linear-network", "flow", "closed-form", times, **asked)["u"]
    with pytest.warns(UnconvergedWarning, match="rounding hides"):
        u = run("linear-network", "flow", "riccati", times, seeds=[0, 1], **asked)["u"]
    np.testing.assert_allclose(u[:, :2], exact[:2].expand_dims(seed=[0, 1]), rtol=0, atol=ROUNDING)
    assert u[:, 2:].isnull().all()


def test_a_spare_student_without_output_changes_no_committee() -> None:
    overlaps = np.diag([0.5, 0.4, 0.3])
    overlaps[0, 1] = overlaps[1, 0] = 0.1
    towards = np.array([[0.1, 0.05], [0.02, 0.2], [0.0, 0.0]])

    def answer(width: int) -> np.ndarray:
        sizes = dict(width=width, teacher_width=2, second_layer_learning_rate=0.3)
        start = dict(student_overlaps=overlaps[:width, :width], initial_overlaps=towards[:width])
        second = (1.0, 0.9, 0.0)[:width]
        asked = dict(initial_second_layer=second, **sizes, **start)
        return run("committee", "online", "asymptotic", [1, 10, 100, 1000], **asked)["excess_risk"].values

    np.testing.assert_allclose(answer(3), answer(2), rtol=0, atol=ROUNDING)


@pytest.mark.parametrize(
    ("dynamics", "route"),
    [
        *((dynamics, route) for dynamics in ("flow", "ridge") for route in ("leverage", "per-row")),
        *((dynamics, route) for dynamics in ("flow", "descent") for route in ("asymptotic", "instance")),
    ],
)
def test_spare_features_change_no_answer_of_measured_rows(dynamics: str, route: str) -> None:
    """The same rows in more features, turned: what the spare ones hold is rounding."""
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((60, 6)) * 10 ** rng.uniform(-2, 1, 6)
    turned = rows @ np.linalg.qr(rng.standard_normal((11, 11)))[0][:6]
    targets = rows[:, :2].sum(axis=1) + 0.3 * rng.standard_normal(60)
    drawn = {"seeds": range(2)} if route == "instance" else {}
    lean, wide = (
        run("measured-spectrum", dynamics, route, [1, 1e3, 1e9], features=x, targets=targets, n=30, **drawn)
        for x in (rows, turned)
    )
    for name in lean:
        np.testing.assert_allclose(wide[name], lean[name], rtol=ROUNDING)
