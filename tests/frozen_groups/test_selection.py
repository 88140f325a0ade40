"""The choice of a method by validation: what is drawn, what is chosen, what is kept for later."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import teacherstudent
from teacherstudent.house.errors import InputError
from teacherstudent.house.selections import Kind
from teacherstudent.sweeps.selection import Criterion, Drawn, _best, settings
from tests.roundings import repeated
from tests.support import say

FEW = {"settings": 2, "seeds": 2, "epochs": 3, "methods": ["erm", "rwg"]}


@pytest.mark.parametrize(
    ("kind", "low", "high"), [("number", 1e-4, 0.1), ("whole", 1, 20), ("power of two", 8, 128)]
)
def test_numbers_are_drawn_between_two_ends_evenly_in_their_logarithm(
    kind: Kind, low: float, high: float
) -> None:
    drawn = np.array(Drawn(low, high, kind).values(2000, np.random.default_rng(0)))
    assert low <= drawn.min() <= drawn.max() <= high
    assert abs(np.median(np.log(drawn)) - np.log(low * high) / 2) < 0.2
    if kind != "number":
        assert drawn.dtype.kind == "i"
    if kind == "power of two":
        assert set(drawn.tolist()) == {8, 16, 32, 64, 128}


def test_more_settings_begin_with_the_fewer() -> None:
    ranges = {"learning_rate": Drawn(1e-4, 0.1), "batch_size": Drawn(8, 128, "power of two")}
    few, many = (settings(ranges, count, 7) for count in (3, 9))
    assert all(many[name][:3] == few[name] for name in ranges)
    assert settings(ranges, 3, 8) != few


def test_the_epoch_is_each_seeds_own_and_the_setting_that_of_the_best_mean() -> None:
    validation = {"good": [[0.1, 0.9, 0.2], [0.7, 0.2, 0.1]], "bad": [[0.75, 0.1, 0.1], [0.75, 0.1, 0.1]]}
    test = {"good": [[0, 0.5, 1], [0.3, 1, 1]], "bad": [[1, 1, 1], [1, 1, 1]]}
    runs = [
        ({"rate": k}, {"v": np.array(validation[name]), "t": np.array(test[name])})
        for k, name in enumerate(("bad", "good"))
    ]
    found = _best(runs, Criterion("worst", "v"), np.array([1.0, 2.0, 3.0]), ["rate"], ["t"])
    assert found["rate"] == 1
    assert found["validation"] == pytest.approx(0.8)
    assert found["epoch"] == pytest.approx(1.5)
    assert (found["t"], found["t_stderr"]) == (pytest.approx(0.4), pytest.approx(0.1))


def test_a_setting_that_diverges_is_not_chosen() -> None:
    nothing, some = np.full((2, 3), np.nan), np.full((2, 3), 0.1)
    runs = [({"rate": 0}, {"v": nothing, "t": nothing}), ({"rate": 1}, {"v": some, "t": some})]
    times = np.arange(1.0, 4.0)
    assert _best(runs, Criterion("worst", "v"), times, ["rate"], ["t"])["rate"] == 1
    assert np.isnan(_best(runs[:1], Criterion("worst", "v"), times, ["rate"], ["t"])["validation"])


@pytest.mark.thorough
def test_the_table_says_what_curves_say(tmp_path: Path) -> None:
    table = teacherstudent.select("spurious-groups", features="stripes", **FEW)
    at = table.sel({"method": "rwg", "criterion": "worst group"})
    asked = {name: at[name].item() for name in ("learning_rate", "weight_decay", "batch_size")}
    curve = teacherstudent.sample(
        "frozen-groups",
        dynamics="descent",
        route="simulation",
        method="rwg",
        times=[1, 2, 3],
        seeds=2,
        **asked,
    )
    validation = curve["validation_worst_group_accuracy"]
    assert float(validation.max("time").mean()) == pytest.approx(float(at["validation"]))
    best = curve["worst_group_accuracy"].isel(time=validation.argmax("time"))
    assert float(best.mean()) == pytest.approx(float(at["worst_group_accuracy"]))
    assert table.attrs["recommended"] in ("erm", "rwg")


def test_partial_results_are_kept_and_continued(tmp_path: Path) -> None:
    out = tmp_path / "choice.csv"
    command = ["select", "spurious-groups", "--features", "stripes", "--epochs", "2", "--seeds", "2"]
    first = say(*command, "--methods", "erm", "--settings", "2", "--out", out)
    assert first.status == 0
    assert "recommended: erm at learning_rate" in first.out
    assert say(*command, "--methods", "erm", "--settings", "2", "--out", out).status == 2
    again = say(*command, "--methods", "erm,rwg", "--settings", "3", "--out", out, "--resume")
    assert again.status == 0
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["method"], row["criterion"]) for row in rows] == [
        (method, by) for method in ("erm", "rwg") for by in ("worst group", "average")
    ]
    whole = teacherstudent.select(
        "spurious-groups", features="stripes", methods="erm", settings=3, seeds=2, epochs=2
    )
    assert repeated(float(rows[0]["validation"]), float(whole["validation"][0, 0]))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("spurius-groups",), "did you mean spurious-groups"),
        (("spurious-groups",), "--features (missing)"),
        (("spurious-groups", "--features", "stripes", "--methods", "erm,rgw"), "--methods erm,rgw: must be"),
        (("spurious-groups", "--features", "stripes", "--learning-rate", "2:1"), "did you mean 1:2"),
        (("spurious-groups", "--features", "stripes", "--batch-size", "0:8"), "--batch-size 0:8"),
        (("spurious-groups", "--features", "stripes", "--resume"), "--resume"),
        (("spurious-groups", "--features", "stripes", "--out", "a.txt"), "--out a.txt"),
    ],
)
def test_what_cannot_be_chosen_among_is_said_in_one_line(words: tuple[str, ...], said: str) -> None:
    answer = say("select", *words)
    assert answer.status == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_in_python_an_unknown_option_is_refused() -> None:
    with pytest.raises(InputError, match=r"epoch 3: must be one of .*did you mean epochs"):
        teacherstudent.select("spurious-groups", features="stripes", epoch=3)
    with pytest.raises(InputError, match=r"^--problem starvation: must be one of spurious-groups"):
        teacherstudent.select("starvation", features="stripes")
