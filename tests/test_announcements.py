"""Turns and spectra belong to whatever system announces them; the front door adds names and units."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Spectrum, Turns
from teacherstudent.house.domains import InputError

HERE = "tests.test_announcements"


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
    assert found["growth"].values.tolist() == [0.5, 1.0, 1.5]
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
    assert found["density"].values.tolist() == [1.0, 1.5, 2.0]
    assert found["eigenvalue"].values.tolist() == [2.0, 3.0, 4.0]
    assert found["band_edge"].values.tolist() == [[0.5, 3.0]]
    assert (found.attrs["alpha"], found.attrs["source"]) == (0.75, "nowhere")
    assert ts.spectrum("toy", strength=0.5).sizes["eigenvalue"] == 2


@pytest.mark.usefixtures("announcing")
@pytest.mark.parametrize("question", [ts.turns, ts.spectrum])
def test_a_problem_that_announces_none_is_refused_with_those_that_do(question: Any) -> None:
    with pytest.raises(InputError, match=r"^--problem starvation: must be one of multiscale.*, toy$"):
        question("starvation")
