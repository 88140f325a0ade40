"""The command and function `best`: optima that are known otherwise, and what is said of others."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.house.errors import InputError
from tests.roundings import copied, same
from tests.support import refusal, say

RIDGE = ("best", "multiscale", "--dynamics", "ridge", "--times", "1e9", "--of", "excess_risk@end")
HARD = {"n": 110, "d": 100, "p": 70, "kappa": 30}
FEATURES = {"n": 400, "d": 50, "noise": 0.3}


def rows(*words: str) -> list[dict[str, str]]:
    said = say(*words)
    assert said.status == 0, said.err
    return list(csv.DictReader(io.StringIO(said.out)))


@pytest.mark.parametrize(("n", "noise"), [(50, 0.5), (200, 0.5), (150, 1.5)])
def test_of_even_features_the_best_ridge_is_the_variance_of_the_noise(n: int, noise: float) -> None:
    """Weights of unit variance: the posterior's mean. `--dynamics ridge` adds 1/time, here 1e-9."""
    asked = {"n": n, "d": 100, "kappa": 1, "noise": noise, "dynamics": "ridge", "times": [1e9]}
    found = ts.best("multiscale", over={"ridge": (1e-3, 1e3)}, of="excess_risk@end", **asked)
    assert found.ridge.item() + 1e-9 == pytest.approx(noise**2, rel=1e-10)
    assert abs(found.ridge.item() + 1e-9 - noise**2) <= 2 * found.ridge_accuracy.item() + 1e-12
    assert found.edge.item() == found.note.item() == found.attrs["caution"] == ""


def test_the_best_time_is_the_turn_that_theory_announces() -> None:
    turns = ts.turns("multiscale", **HARD)
    found = ts.best("multiscale", over="time=0.1:1e5", of="excess_risk", **HARD)
    stops = found.isel(minimum=found["edge"].values == "")
    assert stops.sizes["minimum"] == 1
    assert abs(stops.time.item() - turns.time[0].item()) <= stops.time_accuracy.item() + 1e-10
    assert stops.value.item() == pytest.approx(turns.excess_risk[0].item(), rel=1e-12)
    highest = ts.best("multiscale", over={"time": (3, 1e5)}, of="excess_risk", largest=True, **HARD)
    assert highest.time[0].item() == pytest.approx(turns.time[1].item(), rel=1e-8)


def test_the_peak_over_width_is_a_whole_number_above_its_neighbours() -> None:
    asked = {"n": 100, "d": 50, "noise": 0.3, "ridge": 0.01, "dynamics": "ridge", "times": [1e9]}
    found = ts.best(
        "random-features", over={"width": (50, 1000)}, of="excess_risk@end", largest=True, **asked
    )
    widths = [int(found.width[0]) + i for i in (-1, 0, 1)]
    around = [
        ts.curve("random-features", route="asymptotic", width=each, **asked).excess_risk.item()
        for each in widths
    ]
    assert 50 < widths[1] < 120
    assert not found.width_accuracy[0].item()
    assert same(around[1], found.value[0].item(), 4)
    assert np.argmax(around) == 1


def test_a_best_ridge_below_zero_is_the_one_that_theory_announces() -> None:
    asked: dict[str, Any] = {"modes": ((1, 20.0, 1.0), (400, 1.0, 0.0)), "noise": 0.3, "n": 30}
    (turn,) = ts.turns("measured-spectrum", curve="ridge", **asked).ridge.values
    found = ts.best("measured-spectrum", over={"ridge": (-300, 100)}, of="generalisation_error@end", **asked)
    assert found.ridge.item() == turn < 0
    with pytest.raises(InputError, match=f"turns at ridge {turn:.6g} alone"):
        ts.best("measured-spectrum", over={"ridge": (-30, 9)}, of="generalisation_error@end", **asked)


def test_rate_and_batch_and_steps_under_a_budget() -> None:
    asked = {"dynamics": "sgd", "noise": 0.5, "kappa": 10}
    over = {"batch": (1, 100), "time": (1, 1e4)}
    found = ts.best(
        "multiscale", over=over, of="excess_risk", subject_to="batch*time=999", learning_rate=0.01, **asked
    )
    assert (found.batch[0] * found.time[0]).item() == pytest.approx(999, rel=0.02)
    rate = ts.best("multiscale", over={"lr": (1e-3, 1)}, of="excess_risk@200", batch=5, **asked)
    assert 1e-3 < rate.learning_rate.item() < 0.1
    assert "must be below" in rate.attrs["remarks"]


@pytest.mark.thorough
def test_rows_of_a_list_are_those_of_its_values() -> None:
    of_list = rows(*RIDGE, "--over", "ridge=1e-3:100", "--noise", "0.2,0.5", "--kappa", "30")
    for noise in ("0.2", "0.5"):
        alone = rows(*RIDGE, "--over", "ridge=1e-3:100", "--noise", noise, "--kappa", "30")
        own = [row for row in of_list if row["noise"] == noise]
        assert [row["ridge"] for row in own] == [row["ridge"] for row in alone]


def test_json_has_the_numbers_of_the_table_and_settings_ask_again(tmp_path: Path) -> None:
    asked = (*RIDGE, "--over", "ridge=1e-3:1", "--noise", "0.5", "--kappa", "1")
    (listed,) = json.loads(say(*asked, "--json", "--settings", str(tmp_path / "q.toml")).out)
    (row,) = rows(*asked)
    assert {name: str(value) for name, value in listed.items() if value is not None}.items() <= row.items()
    assert row["edge"] == ""
    assert listed["ridge_accuracy"] > 0
    assert say("best", "--from", str(tmp_path / "q.toml")).out == say(*asked).out


@pytest.mark.thorough
def test_a_frontier_has_slopes_and_says_whether_they_have_settled(tmp_path: Path) -> None:
    over = {"width": (10, 5000), "time": (0.1, 1e3)}
    asked = {"of": "excess_risk", "subject_to": "width*time = 100:1000:3", **FEATURES}
    found = ts.best("random-features", over=over, **asked)
    np.testing.assert_allclose(found.width * found.time, found.constraint, rtol=1e-12)
    assert np.all(np.diff(found.value) < 0)
    assert np.all(found.slope < 0)
    single = ts.best("random-features", over=over, **{**asked, "subject_to": "width*time = 100"})
    assert copied(single.width[0].item(), found.width[0].item())
    assert found.exponent_error[0] > 0
    ts.plot(found, tmp_path / "frontier.png")


def test_optima_of_two_sets_of_draws_differ_by_their_standard_errors() -> None:
    asked = {"n": 40, "d": 20, "p": 10, "kappa": 5, "noise": 0.5, "dynamics": "ridge", "times": [1e9]}
    one, other = (
        ts.best(
            "multiscale",
            over="ridge=0.002:2",
            of="excess_risk@end",
            route="instance",
            seeds=12,
            seed=seed,
            **asked,
        )
        for seed in (0, 12)
    )
    for name in ("ridge", "value"):
        apart = abs((one[name] - other[name]).item())
        assert 0 < apart < 4 * np.hypot(one[f"{name}_stderr"], other[f"{name}_stderr"]).item()
    ts.plot(one)


def test_pictures_of_one_and_of_two_parameters() -> None:
    one = ts.best("multiscale", over="ridge=0.01:10", of="excess_risk@end", noise=[0.2, 0.5], **HARD)
    assert len(ts.plot(one).axes) == 1
    two = ts.best("multiscale", over="ridge=0.01:10,time=1:100", of="excess_risk", noise=0.5, **HARD)
    assert [axes.get_xscale() for axes in ts.plot(two).axes] == ["log", "linear"]
    assert "constant within rounding" in two.attrs["caution"] or two.note[0].item() == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--over ridge=5:1", "--over ridge=5:1: must be NAME=LO:HI[:log|lin] with LO < HI"),
        ("--over ridge=-1:5", "ends of ridge a finite number >= 0"),
        ("--over rigde=1:5", "did you mean ridge?"),
        ("--over ridge", "--over ridge: must be PARAM=LO:HI"),
        ("--over ridge=1:2,noise=0:1,kappa=1:2,n=1:20", "up to three of them"),
        ("--over ridge=1:2 --over ridge=2:3", "each parameter once"),
        ("--over n=50:200,alpha=.1:3", "one replaces the other"),
        ("--over ridge=1:2 --ridge 3", "--ridge 3.0: must be absent where it is searched"),
        ("--over time=1:100", "without @, at the searched time"),
        ("--over ridge=1:2 --subject-to ridge=3", "met somewhere in the box, where ridge is 1 to 2"),
        ("--over ridge=1:2,noise=0.1:1 --subject-to ridge*nois=3", "did you mean noise?"),
        (
            "--over ridge=1:2 --subject-to ridge=1 --subject-to ridge=2",
            "--subject-to (twice): must be given once",
        ),
        ("--over ridge=1:2 --seeds 3", "--seeds 3: must be absent: route"),
        ("--over ridge=1:2 --route simulation --seeds 1", "--seeds 1: must be a whole number >= 2"),
    ],
)
def test_what_cannot_be_searched_is_refused(words: str, said: str) -> None:
    assert said in refusal(say("best", "multiscale", "--of", "excess_risk@end", *words.split()))


@pytest.mark.parametrize(
    ("of", "said"), [("excess_rsk@end", "did you mean excess_risk?"), ("3", "this expression is a constant")]
)
def test_what_is_no_quantity_is_refused_by_its_own_option(of: str, said: str) -> None:
    line = refusal(say("best", "multiscale", "--over", "ridge=1:2", "--of", of))
    assert line.startswith(f"--of {of}: ")
    assert said in line


def test_where_nothing_has_a_value_the_reason_is_said() -> None:
    line = refusal(say("best", "multiscale", "--over", "ridge=1:2", "--of", "excess_risk@end / 0"))
    assert "no value at 66 of 66 points, ridge 1 to 2: a ratio is not finite" in line
