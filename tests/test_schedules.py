"""Learning rates that are functions of the step: held to constant ones and to a loop, and refused."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.cli.command import main
from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.house.schedules import MOST_STEPS, as_schedule
from teacherstudent.problems.multiscale import data
from teacherstudent.theory.multiscale import instance

Function = Callable[[Any], Any]

TIMES = [0, 1, 2, 5, 40, 3000]
SMALL = {"n": 12, "d": 8, "p": 4, "kappa": 3.0, "noise": 0.3, "init": 0.2, "ridge": 0.1}
QUESTIONS: dict[str, dict[str, Any]] = {
    "multiscale": {**SMALL, "observable": ("parts", "training", "outputs"), "output_penalty": 0.4},
    "measured-spectrum": {"n": 9, "modes": ((4, 2.0, 0.5), (8, 0.3, 0.1)), "noise": 0.2, "init": 0.1},
    "random-features": {"n": 10, "width": 7, "d": 6, "noise": 0.2, "init": 0.1, "ridge": 0.1},
}
SCHEDULED = [each for each in catalogue.routes() if each.scheduled]


def hyperbola(k: Any) -> Any:
    return 1 / (1 + k)


def turning(k: Any) -> Any:
    """Beyond the edge at some steps, none at others."""
    return np.where(k % 3 == 1, 1.6, np.where(k % 5 == 0, 0.0, 0.3)) / (1 + k / 50)


@pytest.mark.parametrize("route", SCHEDULED, ids=lambda route: route.id)
def test_a_schedule_that_is_constant_is_that_constant(route: Any) -> None:
    ask = {**QUESTIONS[route.problem], **({"seeds": [3, 4]} if route.sampled else {})}
    times = TIMES if route.sampled else TIMES[:-1]  # later the contour resolves no start
    one, other = (
        run(route.problem, "descent", route.name, times, learning_rate=rate, **ask)
        for rate in (0.03, lambda k: 0.03 + 0 * k)
    )
    for name in one.data_vars:
        first = np.abs(one[name].values).max()
        np.testing.assert_allclose(other[name], one[name], rtol=2e-11, atol=1e-12 * first, err_msg=name)


@pytest.mark.parametrize("function", [hyperbola, turning])
def test_schedules_are_those_of_a_loop_as_one_would_write_it(function: Function) -> None:
    problem = catalogue.find_problem("multiscale").instance(**SMALL)
    draws, times = data.draw(problem, [3]), np.array([0.0, 1.0, 2.0, 7.0, 300.0])
    rows = draws.inputs[0] * draws.strengths
    labels = draws.inputs[0] @ draws.teacher[0] + draws.noise[0]
    weights, looped = draws.initial[0], [draws.initial[0]]
    for k in range(300):
        weights = weights - function(k) * (rows.T @ (rows @ weights - labels) + problem.ridge * weights)
        looped.append(weights)
    expected = np.array(looped)[times.astype(int)]
    found = instance.students(draws, times, instance.descent_rule(problem.ridge, as_schedule(function)))[0]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())
    simulated = run(
        "multiscale", "descent", "simulation", times, seeds=[3, 4], learning_rate=function, **SMALL
    )
    R = expected @ (draws.strengths * draws.teacher[0]) / problem.d
    np.testing.assert_allclose(simulated.R[0], R, rtol=1e-12, atol=1e-12 * np.abs(R).max())


def test_simulation_is_what_theory_says_and_not_with_a_rate_one_step_late() -> None:
    ask = {**SMALL, "dynamics": "descent", "times": [1, 2, 3, 5, 20], "n": 60, "d": 40, "p": 20}
    simulated = ts.curve("multiscale", route="simulation", seeds=40, learning_rate=hyperbola, **ask)

    def of_theory(function: Function) -> Any:
        return ts.curve("multiscale", route="instance", seeds=40, seed=99, learning_rate=function, **ask)

    assert ts.compare(simulated, of_theory(hyperbola)).agrees
    assert not ts.compare(simulated, of_theory(lambda k: hyperbola(np.maximum(k - 1, 0)))).agrees


def test_the_limit_is_met_by_large_draws() -> None:
    ask: dict[str, Any] = {**SMALL, "d": 200, "p": 100, "n": 300, "dynamics": "descent", "times": [1, 9, 999]}
    ask["learning_rate"] = lambda k: 0.3 / (1 + k / 9)
    limit = ts.curve("multiscale", route="asymptotic", **ask)
    drawn = ts.curve("multiscale", route="instance", seeds=4, **ask)
    np.testing.assert_allclose(drawn.excess_risk, limit.excess_risk, rtol=0.02)


def test_rates_beyond_the_edge_are_stated_and_what_grows_too_far_is_nan() -> None:
    ask: dict[str, Any] = {**SMALL, "dynamics": "descent", "seeds": 2, "learning_rate": turning}
    for route in ("instance", "simulation"):
        found = ts.curve("multiscale", route=route, times=[5, 100], **ask)
        assert "of 100 steps, the last of them step" in found.remarks
        assert np.isfinite(found.excess_risk).all()
        away = {**ask, "times": [1, 900], "learning_rate": lambda k: 2.0 + 0 * k}
        with pytest.warns(UnconvergedWarning, match="gradient descent diverges"):
            found = ts.curve("multiscale", route=route, **away)
        np.testing.assert_array_equal(np.isnan(found.excess_risk), [False, True])
    ask["learning_rate"] = lambda k: 0 * k
    still = ts.curve("multiscale", route="instance", times=[0, 9], **ask)
    np.testing.assert_allclose(still.excess_risk[1], still.excess_risk[0], rtol=1e-15)
    assert not still.remarks


def test_rounding_that_grew_on_the_way_is_nan_in_simulation_and_theory_goes_on() -> None:
    ask: dict[str, Any] = {**SMALL, "dynamics": "descent", "seeds": 2}
    ask["learning_rate"] = lambda k: np.where(k < 15, 8.0, 0.3)
    assert np.isfinite(ts.curve("multiscale", route="instance", times=[5000], **ask).excess_risk).all()
    with pytest.warns(UnconvergedWarning, match="rounding"):
        simulated = ts.curve("multiscale", route="simulation", times=[1, 5000], **ask)
    np.testing.assert_array_equal(np.isnan(simulated.excess_risk), [False, True])


WRONG: list[tuple[Function, str]] = [
    (lambda k: 0.1, "shape"),
    (lambda k: 0.1 if k < 5 else 0.01, "numpy.where"),
    (lambda k: 1 / k, "finite and >= 0 at steps 0 to 8; at step 0 it is inf"),
    (lambda k: 0.3 - k / 10, "at step 4 it is -0.1"),
    (lambda k: k / np.max(k), "changes with the other steps"),
    (lambda k: np.float32(0.1) + 0 * k.astype("f4"), "float32"),
]


@pytest.mark.parametrize(("function", "said"), WRONG)
def test_what_gives_no_rates_is_refused_in_a_line(function: Function, said: str) -> None:
    with pytest.raises(InputError, match=said) as refused:
        ts.curve("multiscale", dynamics="descent", route="instance", learning_rate=function, times=[2, 9])
    assert "\n" not in str(refused.value)
    assert " at 0x" not in str(refused.value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"dynamics": "momentum"}, "auto or a number for momentum by route instance; functions of the step"),
        ({"dynamics": "sgd", "data": "replacement", "batch": 2}, "for sgd by route instance"),
        (
            {"route": "asymptotic", "learning_rate": lambda k: 0 * k, "sensitivity": "lr"},
            "number, not a function",
        ),
        ({"times": [MOST_STEPS + 1]}, "at most 1000000"),
        (
            {"output_penalty": 0.5, "output_penalty_decay": 0.1},
            "keep the penalty or the learning rate constant",
        ),
        ({"route": "asymptotic", "learning_rate": lambda k: 3 / (1 + k)}, "use --route instance"),
        ({"problem": "measured-spectrum", "route": "asymptotic"}, "descent by route instance"),
        ({"problem": "measured-spectrum", "times": "auto", "n": 9}, "give times"),
    ],
)
def test_what_takes_no_function_is_refused_with_the_cure(more: dict[str, Any], said: str) -> None:
    ask = {"problem": "multiscale", "dynamics": "descent", "route": "instance", "learning_rate": hyperbola}
    with pytest.raises(InputError, match=said):
        ts.curve(**{**ask, "times": [9], **more})


def test_files_and_command_lines_ask_for_the_function(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["curve", "multiscale", "--dynamics", "descent", "--learning-rate", "lambda k: 0.1"]) == 2
    assert 'ts.curve("multiscale", learning_rate=f)' in capsys.readouterr().err
    ask = {**SMALL, "dynamics": "descent", "route": "simulation", "seeds": 2, "times": [1, 9]}
    file = tmp_path / "answer.nc"
    found = ts.sweep("multiscale", learning_rate=[0.1, hyperbola], out=file, **ask)
    assert "function hyperbola (digest " in str(found.learning_rate.values[1])
    alone = ts.curve("multiscale", learning_rate=hyperbola, **ask)
    np.testing.assert_allclose(found.excess_risk[1], alone.excess_risk, rtol=1e-12)
    file = tmp_path / "other.nc"
    ts.sweep("multiscale", learning_rate=hyperbola, out=file, **{**ask, "ridge": [0.1, 0.2]})
    assert main(["curve", "--from", str(file)]) == 2
    assert "repeat it in Python" in capsys.readouterr().err


def test_functions_are_told_apart_and_travel() -> None:
    own = as_schedule(hyperbola)
    assert pickle.loads(pickle.dumps(own)) == own
    assert own.digest != as_schedule(lambda k: 1 / (1 + np.minimum(k, MOST_STEPS - 2))).digest
    assert as_schedule(lambda k: np.sqrt(5 - k)).rates(np.array([5])).size == 5  # beyond it is NaN
