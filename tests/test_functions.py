"""Functions of a user's own: held to the built-in ones, to simulation with wrong ones beside, and refused."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import erf, expit

import teacherstudent as ts
from teacherstudent.cli.command import main
from teacherstudent.house.errors import InputError
from teacherstudent.house.functions import as_function
from teacherstudent.theory.committee import moments
from teacherstudent.theory.committee.quadrature import TOP, Sampled
from teacherstudent.theory.function_pieces import panels_of
from teacherstudent.theory.perceptron.given_loss import given
from teacherstudent.theory.random_features.nonlinearity import moments as gaussian_moments

Function = Callable[[Any], Any]

RANDOM = {"dynamics": "ridge", "times": [1, 10, 100], "n": 60, "width": 40, "d": 30, "noise": 0.3}
ONLINE = {"dynamics": "online", "times": [0.5, 2], "d": 20, "width": 1, "teacher_width": 1}
EXAMPLES = {"dynamics": "examples", "times": [0.5, 5], "d": 20}

ACTIVATIONS: list[tuple[str, Function]] = [
    ("relu", lambda x: np.maximum(x, 0)),
    ("tanh", np.tanh),
    ("erf", erf),
    ("sign", np.sign),
    ("linear", lambda x: x),
]
LOSSES: list[tuple[str, Function]] = [
    ("logistic", lambda m: np.logaddexp(0, -m)),
    ("square", lambda m: (1 - m) ** 2 / 2),
    ("hinge", lambda m: np.maximum(0, 1 - m)),
]


def gelu(x: Any) -> Any:
    return x * (1 + erf(x / math.sqrt(2))) / 2


def assert_same(one: Any, other: Any, within: float) -> None:
    for name in one.data_vars:
        np.testing.assert_allclose(other[name], one[name], rtol=within, atol=within, err_msg=name)


@pytest.mark.parametrize(("name", "function"), ACTIVATIONS)
def test_activations_and_teachers_of_random_features_given_as_functions_are_the_built_in(
    name: str, function: Function
) -> None:
    for route in ("asymptotic", "instance", *(["simulation"] if name == "erf" else [])):
        seeds = {} if route == "asymptotic" else {"seeds": 2}
        ask = {**RANDOM, **seeds, "route": route}
        built_in = ts.curve("random-features", activation=name, **ask)
        assert_same(built_in, ts.curve("random-features", activation=function, **ask), 1e-10)
        if route == "instance":
            built_in = ts.curve("random-features", activation="tanh", teacher=name, **ask)
            assert_same(
                built_in, ts.curve("random-features", activation=np.tanh, teacher=function, **ask), 1e-10
            )


def test_moments_of_kinks_anywhere_are_exact_and_what_vanishes_is_zero() -> None:
    k = 0.377

    def hinged(x: Any) -> Any:
        return np.where(x > k, x - k, 0.0)

    tail = math.erfc(k / math.sqrt(2)) / 2
    linear = gaussian_moments(as_function(hinged)).linear
    np.testing.assert_allclose(linear, tail, rtol=1e-12)
    assert gaussian_moments(as_function(np.cos)).linear == 0  # exact: odd part of an even function
    assert gaussian_moments(as_function(lambda x: 3 * x + 1)).rest == 0  # exact: linear
    jump = panels_of(as_function(lambda x: np.where(x > k, 1.0, 0.0)), "activation")
    density = np.exp(-(jump.nodes**2) / 2) / math.sqrt(2 * math.pi)
    np.testing.assert_allclose(jump.weights * density @ jump.values, tail, rtol=1e-12)


def test_moments_of_committees_by_quadrature_are_the_closed_forms_for_singular_overlaps_too() -> None:
    factor = np.random.default_rng(0).standard_normal((5, 6)) / math.sqrt(6)
    singular = np.concatenate([factor[:3], factor[:1], 0 * factor[:1]])  # two fields are one, one is zero
    a, b = np.array([0, 0, 1]), np.array([0, 1, 2])
    sampled, exact = Sampled(as_function(lambda x: erf(x / math.sqrt(2))), TOP), moments.of("erf")
    for rows in (factor, singular):
        C = rows @ rows.T
        np.testing.assert_allclose(sampled.second(C), exact.second(C), atol=1e-13)
        for each in ("derivatives", "third", "fourth"):
            found, known = (getattr(one, each)(C, a, b) for one in (sampled, exact))
            np.testing.assert_allclose(found, known, atol=1e-12)


def test_an_activation_of_committees_given_as_a_function_is_the_built_in() -> None:
    def unit(x: Any) -> Any:
        return erf(x / math.sqrt(2))

    ask = {**ONLINE, "route": "asymptotic"}
    built_in = ts.curve("committee", **ask)
    assert_same(built_in, ts.curve("committee", activation=unit, **ask), 1e-8)  # steps of the solver differ


@pytest.mark.parametrize(
    ("route", "name", "function"),
    [
        ("chain", "erf", lambda x: erf(x / math.sqrt(2))),
        pytest.param("simulation", "relu", lambda x: np.where(x > 0, x, 0), marks=pytest.mark.thorough),
    ],
)
def test_simulated_committees_of_a_function_are_those_of_the_built_in(
    route: str, name: str, function: Function
) -> None:
    built_in, own = (
        ts.curve("committee", activation=each, **ONLINE, route=route, seeds=2) for each in (name, function)
    )
    assert_same(built_in, own, 1e-12)


@pytest.mark.parametrize(("name", "function"), LOSSES)
def test_losses_of_the_perceptron_given_as_functions_are_the_built_in(name: str, function: Function) -> None:
    for more in ({"noise": 0.5, "kappa": 3.0}, {"labels": "random", "ridge": 1.0}):
        ask = {**EXAMPLES, **more, "route": "asymptotic"}
        own = ts.curve("perceptron", loss=function, **ask)
        assert_same(ts.curve("perceptron", rule=name, **ask), own, 1e-9)
    ask = {**EXAMPLES, "route": "simulation", "seeds": 2}
    if name == "logistic":
        assert_same(
            ts.curve("perceptron", rule=name, **ask), ts.curve("perceptron", loss=function, **ask), 1e-10
        )


def test_a_loss_is_known_with_its_derivatives_between_kinks() -> None:
    loss, k = given(as_function(lambda m: np.maximum(0, 0.377 - m) ** 2 + np.logaddexp(0, -m))), 0.377
    h = np.linspace(-20, 20, 4001)
    np.testing.assert_allclose(loss.at(1, h), -2 * np.maximum(0, k - h) - expit(-h), atol=1e-10)
    np.testing.assert_allclose(loss.at(2, h), 2.0 * (h < k) + expit(h) * expit(-h), atol=1e-8)
    V = np.array([[0.1], [30.0]])
    t = np.linspace(-20, 20, 41) + 0 * V
    np.testing.assert_allclose(loss.prox(t, V) + V * loss.at(1, loss.prox(t, V)), t, atol=1e-8)


def test_modes_are_sampled_from_functions_and_replayed_without_them() -> None:
    ask = {"dynamics": "ridge", "route": "asymptotic", "times": [1, 100], "n": 50}
    law = ts.curve("measured-spectrum", capacity=1.5, source=0.5, size=300, **ask)
    own = ts.curve("measured-spectrum", modes=(lambda k: k**-1.5, lambda k: k**-2.5, 300), **ask)
    assert_same(law, own, 1e-12)
    assert "modes" in ts.settings(own)
    for wrong in ((np.log, np.log, 0), (np.log, np.log), (lambda k: 1 // 0, np.log, 9), (np.log, np.log, 9)):
        with pytest.raises(InputError, match="--modes"):
            ts.curve("measured-spectrum", modes=wrong, **ask)


WRONG: list[tuple[Function, str]] = [
    (math.tanh, "numpy.tanh"),
    (lambda x: 3.0 + 0 * x, "constant"),
    (lambda x: np.exp(x**2), "finite up to 38"),
    (lambda x: np.exp(x**2 / 4), "no mean"),
    (np.log, "finite"),
    (lambda x: x + 0j, "complex128"),
    (lambda x: x[:2], "shape"),
    (lambda x: x - np.mean(x), "changes with the other numbers"),
    (np.float32, "jax_enable_x64"),
]


@pytest.mark.parametrize(("function", "said"), WRONG)
def test_functions_without_gaussian_averages_are_refused_in_a_line(function: Function, said: str) -> None:
    with pytest.raises(InputError, match=said) as refused:
        ts.curve("committee", activation=function, **ONLINE, route="asymptotic")
    assert "\n" not in str(refused.value)
    assert " at 0x" not in str(refused.value)


def test_what_theory_or_simulation_cannot_do_is_refused_with_the_cure() -> None:
    kinked = {"activation": lambda x: np.clip(x, -1, 1)}
    with pytest.raises(InputError, match="use --route simulation"):
        ts.curve("committee", **kinked, **ONLINE, route="asymptotic")
    assert np.isfinite(ts.curve("committee", **kinked, **ONLINE, route="chain", seeds=2).excess_risk).all()
    with pytest.raises(InputError, match="written with jax"):
        ts.curve("committee", activation=np.vectorize(math.tanh), **ONLINE, route="chain", seeds=2)
    for loss, said in ((np.tanh, "not convex at m ="), (lambda m: m**2 / 9 + m, "must decrease")):
        with pytest.raises(InputError, match=said):
            ts.curve("perceptron", loss=loss, **EXAMPLES, route="asymptotic")
    for more, said in (({"ridge": 0}, "--ridge 0"), ({"route": "simulation", "seeds": 2}, "continuous")):
        with pytest.raises(InputError, match=said):
            ts.curve("perceptron", loss=LOSSES[2][1], **{**EXAMPLES, "route": "asymptotic", **more})


def test_files_name_a_function_and_ask_for_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "answer.nc"
    ask = {**RANDOM, "route": "asymptotic"}
    answer = ts.sweep("random-features", activation=["erf", lambda x: np.tanh(x)], out=file, **ask)
    assert "<lambda> (digest " in str(answer.activation.values[1])
    file = tmp_path / "other.nc"
    answer = ts.sweep("random-features", activation=gelu, ridge=[0.5, 2], out=file, **ask)
    assert "function gelu (digest " in answer.attrs["fixed"]
    assert not any(" at 0x" in str(each) for each in answer.attrs.values())
    assert main(["curve", "--from", str(file)]) == 2
    assert "repeat it in Python" in capsys.readouterr().err
    assert main(["curve", "committee", "--activation", "lambda x: x"]) == 2
    assert 'ts.curve("committee", activation=f)' in capsys.readouterr().err


def test_functions_are_told_apart_and_travel_only_if_others_can_import_them() -> None:
    one, other = as_function(lambda x: np.tanh(x)), as_function(lambda x: np.tanh(x) + 1e-12 * x)
    assert one != other
    assert one != as_function(lambda x: np.tanh(x))
    assert pickle.loads(pickle.dumps(as_function(gelu))) == as_function(gelu)
    with pytest.raises(InputError, match="--workers"):
        pickle.dumps(one)


LARGER: dict[str, dict[str, Any]] = {
    "random-features": {**RANDOM, "n": 150, "width": 100, "d": 100},
    "committee": {
        "dynamics": "online",
        "times": [0.5, 1, 2, 4],
        "learning_rate": 0.5,
        "d": 3000,
        "overlap": 0.3,
    },
    "perceptron": {**EXAMPLES, "d": 150},
}
NEW: list[tuple[str, Function]] = [
    ("random-features", gelu),
    ("random-features", lambda x: np.abs(x - 0.3) + x),
    ("committee", np.tanh),
    ("committee", lambda x: np.logaddexp(0, x)),
    ("perceptron", lambda m: np.exp(-m)),
    ("perceptron", lambda m: np.maximum(0, 1 - m) ** 2),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("problem", "function"), NEW)
def test_new_functions_are_simulated_as_theory_says_and_not_as_a_wrong_one_does(
    problem: str, function: Function
) -> None:
    ask, name = LARGER[problem], "loss" if problem == "perceptron" else "activation"
    route = "chain" if problem == "committee" else "simulation"
    simulated = ts.curve(problem, route=route, seeds=30, **{name: function}, **ask)
    by: dict[str, Any] = {"route": "asymptotic"}
    if problem == "random-features":  # exact at its size
        by = {"route": "instance", "seeds": 30, "seed": 1000}
    of_theory, wrong = (
        ts.curve(problem, **by, **{name: each}, **ask)
        for each in (function, lambda x: function(1.1 * x) + x**2 / 9)
    )
    assert ts.compare(simulated, of_theory).agrees
    assert not ts.compare(simulated, wrong).agrees


class Counting:
    """tanh at first, then another function: state that a look at its values does not see."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        return np.tanh(x) if self.calls < 5 else np.sin(x)

    def __eq__(self, other: object) -> bool:
        raise TypeError("of an object with arrays, say")

    __hash__ = None  # type: ignore[assignment]


def test_a_function_that_changes_while_it_is_used_is_refused_and_its_own_equality_not_asked() -> None:
    ask = {**RANDOM, "route": "asymptotic"}
    with pytest.raises(InputError, match="they changed while the answer was computed"):
        ts.curve("random-features", activation=Counting(), **ask)
    steady = Counting()
    steady.calls = 10
    assert_same(ts.curve("random-features", activation=np.sin, **ask),
                ts.curve("random-features", activation=steady, **ask), 1e-12)  # fmt: skip
