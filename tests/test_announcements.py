"""Turns and spectra belong to whatever system announces them; the front door adds names and units."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq, newton

import teacherstudent as ts
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Spectrum, Turns
from teacherstudent.house.errors import InputError, RouteError
from teacherstudent.house.theory_queries import ask_count, ask_spectrum, ask_turns
from tests.roundings import copied, unrounded

HERE = __name__


@pytest.fixture
def announcing(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy announces two curves with turns, of which one is uncertain, and a spectrum."""
    curves = tuple(
        Turns("toy", name, f"{HERE}:{name}", "steps", "growth", "growth", "nowhere", approximate="a guess")
        for name in ("thrice", "unsure")
    )
    law = Spectrum("toy", f"{HERE}:law", "nowhere")
    real = catalogue.turns(), catalogue.spectra()
    monkeypatch.setattr(catalogue, "turns", lambda: (*real[0], *curves))
    monkeypatch.setattr(catalogue, "spectra", lambda: {**real[1], "toy": law})


def test_announced_turns_are_of_an_observable_on_a_clock_of_their_problem() -> None:
    assert catalogue.turns()
    for curve in catalogue.turns():
        problem = catalogue.find_problem(curve.problem)
        assert curve.dynamics in [each.name for each in problem.dynamics]
        assert curve.observable in [each.name for each in problem.observables]


def thrice(toy: Any, _: str) -> list[Any]:
    return [SimpleNamespace(time=k, value=toy.strength * k, is_minimum=k == 2) for k in (1, 2, 3)]


def unsure(toy: Any, _: str) -> list[Any]:
    raise ArithmeticError("the slope is not finite everywhere")


def law(toy: Any, eigenvalues: np.ndarray | None) -> dict[str, Any]:
    at = np.array([1.0, 2.0]) if eigenvalues is None else eigenvalues
    return {
        "eigenvalue": at,
        "density": at * toy.strength,
        "share_below": at / 4,
        "band_edge": np.array([[0.5, 3.0]]),
        "zeros": 0.25,
        "alpha": 0.75,
    }


@pytest.mark.usefixtures("announcing")
def test_turns_are_those_of_the_first_curve_under_the_observable_s_own_name() -> None:
    found = ts.turns("toy", strength=0.5)
    assert unrounded(found["growth"], [0.5, 1.0, 1.5])
    assert found["is_minimum"].values.tolist() == [False, True, False]
    assert found["turn"].attrs["long_name"] == "turn of the growth"
    assert found["time"].attrs["symbol"] == "k"
    assert [found.attrs[name] for name in ("curve", "approximate", "source")] == [
        "thrice",
        "a guess",
        "nowhere",
    ]


@pytest.mark.usefixtures("announcing")
def test_turns_that_are_not_certain_are_refused() -> None:
    with pytest.raises(
        InputError, match=r"^--curve unsure: must be a curve whose turns are certain .* not finite"
    ):
        ts.turns("toy", strength=0.5, curve="unsure")


@pytest.mark.usefixtures("announcing")
def test_a_spectrum_is_given_at_the_eigenvalues_asked_for() -> None:
    found = ts.spectrum("toy", strength=0.5, eigenvalues=[2, 3, 4])
    assert unrounded(found["density"], [1.0, 1.5, 2.0])
    assert copied(found["eigenvalue"], [2.0, 3.0, 4.0])
    assert copied(found["band_edge"], [[0.5, 3.0]])
    assert (found.attrs["alpha"], found.attrs["source"]) == (0.75, "nowhere")
    assert ts.spectrum("toy", strength=0.5).sizes["eigenvalue"] == 2


@pytest.mark.usefixtures("announcing")
@pytest.mark.parametrize("question", [ts.turns, ts.spectrum])
def test_a_problem_that_announces_none_is_refused_with_those_that_do(question: Any) -> None:
    with pytest.raises(InputError, match=r"^--problem starvation: must be one of .*multiscale.*, toy$"):
        question("starvation")


# What was announced is held to it -------------------------------------------------------------------


def turn(time: float, value: float, is_minimum: bool) -> SimpleNamespace:
    return SimpleNamespace(time=time, value=value, is_minimum=is_minimum)


@dataclass(frozen=True)
class Announced:
    """An announcement whose function is at hand, not in a module."""

    answer: Any
    problem: str = "toy"
    name: str = "curve"
    counted: str = "turns"

    def function(self) -> Any:
        return lambda *_: self.answer() if callable(self.answer) else self.answer


def raising(error: Exception) -> Any:
    def answer() -> Any:
        raise error

    return answer


def mistaken(_: float) -> float:
    raise ValueError("shapes do not fit")


LAW = law(SimpleNamespace(strength=1.0), None)
FAULTS = {
    "a count of one half": (ask_count, 0.5, "gives 0.5, not a whole number of turns"),
    "a count below zero": (ask_count, -1, "gives -1, not a whole number of turns"),
    "a truth value": (ask_count, True, "gives True, not a whole number of turns"),
    "a NaN": (ask_count, np.nan, "gives nan, not"),
    "a count that fails": (ask_count, raising(KeyError("x")), "failed .KeyError"),
    "a fault below a solver": (ask_count, lambda: brentq(mistaken, 0, 1), "failed .ValueError: shapes"),
    "turns that are none": (ask_turns, [1.0], "failed .AttributeError"),
    "turns out of order": (ask_turns, [turn(2, 0, True), turn(1, 1, False)], "times that do not increase"),
    "minima beside minima": (ask_turns, [turn(1, 0, True), turn(2, 1, True)], "that do not alternate"),
    "another name": (ask_spectrum, {"rho": 1.0}, "gives rho, not eigenvalue, density"),
    "another shape": (ask_spectrum, {**LAW, "density": np.ones(3)}, "gives density in shape .3,., not .2,."),
}


@pytest.mark.parametrize(("ask", "answer", "line"), FAULTS.values(), ids=FAULTS)
def test_what_breaks_its_announcement_is_named_in_one_line(ask: Any, answer: Any, line: str) -> None:
    more = (None,) if ask is ask_spectrum else ()
    with pytest.raises(RouteError, match=f"^(count|turns|spectrum) toy.* {line}"):
        ask(Announced(answer), None, *more)


INFINITE = {
    "a time": (ask_turns, [turn(np.inf, 1.0, True)]),
    "a value": (ask_turns, [turn(1.0, np.nan, True)]),
    "a density": (ask_spectrum, {**LAW, "density": np.array([1.0, np.inf])}),
    "a share": (ask_spectrum, {**LAW, "zeros": np.nan}),
    "a singular matrix": (ask_turns, raising(np.linalg.LinAlgError("singular"))),
}


@pytest.mark.parametrize(("ask", "answer"), INFINITE.values(), ids=INFINITE)
def test_what_is_not_finite_is_not_certain(ask: Any, answer: Any) -> None:
    with pytest.raises(ArithmeticError, match=r"is not finite$|singular"):
        ask(Announced(answer), None, *((None,) if ask is ask_spectrum else ()))


UNSOLVED = {
    "no change of sign": (lambda: brentq(lambda x: x, 1, 2), "must have different signs"),
    "no convergence": (lambda: newton(lambda x: x**2 + 1, 0.3, maxiter=5), "Failed to converge"),
}


@pytest.mark.parametrize("ask", [ask_count, ask_turns, ask_spectrum])
@pytest.mark.parametrize(("answer", "said"), UNSOLVED.values(), ids=UNSOLVED)
def test_what_a_solver_does_not_find_is_not_certain(ask: Any, answer: Any, said: str) -> None:
    with pytest.raises(ArithmeticError, match=said):
        ask(Announced(answer), None, *((None,) if ask is ask_spectrum else ()))


def test_what_keeps_it_passes() -> None:
    assert ask_count(Announced(np.int64(3)), None) == 3
    assert len(ask_turns(Announced([turn(1, 0.5, True), turn(2, 0.7, False)]), None)) == 2
    assert set(ask_spectrum(Announced(LAW), None, None)) == set(LAW)


NOWHERE: list[tuple[Any, Any, str]] = [
    (lambda *_: brentq(lambda x: x, 1, 2), lambda *_: brentq(lambda x: x, 1, 2), "different signs"),
    (lambda *_: {**LAW, "density": np.full(2, np.inf)}, lambda *_: [turn(np.inf, 1.0, True)], "not finite"),
]


@pytest.mark.usefixtures("announcing")
@pytest.mark.parametrize(("lawless", "turnless", "said"), NOWHERE)
def test_the_front_door_refuses_what_is_not_found_or_not_finite(
    lawless: Any, turnless: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = sys.modules[__name__]
    monkeypatch.setattr(here, "law", lawless)
    monkeypatch.setattr(here, "thrice", turnless)
    for asked in (ts.spectrum, ts.turns):
        with pytest.raises(InputError, match=rf"certain at these values .*{said}"):
            asked("toy", strength=0.5)
