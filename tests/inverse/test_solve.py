"""What is solved for, against curves, onsets and turns, and against formulas known by other means."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy import optimize

import teacherstudent as ts
from tests.roundings import unrounded
from tests.support import say

FIGURE_4 = dict(n=110, d=100, p=70)
REPEATS = 40
GROKKING = dict(n=80, d=100, p=100, kappa=1, init=2, noise=0)


def risk(time: float, name: str = "excess_risk", **values: Any) -> float:
    """One number of a curve of the limit."""
    more = {} if name == "excess_risk" else {"observable": name.partition("_")[0]}
    asked = dict(dynamics="flow", route="asymptotic", times=[time], **more)
    return float(ts.curve("multiscale", **(asked | values))[name][0])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("problem", "curve", "name", "values"),
    [
        ("multiscale", "flow", "kappa=2:30", FIGURE_4),
        ("measured-spectrum", "flow", "n=30:150", dict(modes="20:1:1,80:0.01:1", noise=0.1)),
    ],
)
def test_boundaries_are_those_of_onset(problem: str, curve: str, name: str, values: dict[str, Any]) -> None:
    found = ts.solve(problem, for_=name, where="descents = 1.5", curve=curve, accuracy=1e-10, **values)
    parameter, _, interval = name.partition("=")
    asked: dict[str, Any] = {parameter: interval, **values}
    single = ts.onset(problem, curve=curve, accuracy=1e-8, **asked)
    (place,) = (found.low.values + found.high.values) / 2
    np.testing.assert_allclose(place, single.value, rtol=1e-8)
    np.testing.assert_allclose(
        found[parameter].item(), found.high.item() if single.whole else place, rtol=1e-8
    )
    assert (found.below.item(), found.above.item()) == (single.below, single.above)
    assert found.kind.item() == "jump"
    assert found.attrs["parameter"] == parameter


def test_changes_that_undo_each_other_are_all_found() -> None:
    """The count is 1 at both ends of the range, where `onset` finds nothing."""
    values = dict(modes="20:1:1,80:0.01:1", noise=0.3)
    found = ts.solve("measured-spectrum", for_="n=20:400", where="descents = 2", **values)
    assert list(zip(found.low.values, found.high.values, strict=True)) == [(30, 31), (88, 89)]
    assert found.kind.values.tolist() == ["start", "end"]
    assert found.n.values.tolist() == [31, 88]  # the first and the last at the level


@pytest.mark.parametrize(
    ("problem", "curve", "count", "values"),
    [
        ("multiscale", "flow", 2, dict(kappa=30, **FIGURE_4)),
        ("multiscale", "ridge", 5, dict(scales="40:1,40:0.1,40:0.01", n=100)),
        ("measured-spectrum", "flow", 3, dict(modes="20:1:1,80:0.01:1", n=50, noise=0.3)),
    ],
)
def test_turns_are_roots_of_the_slope(problem: str, curve: str, count: int, values: dict[str, Any]) -> None:
    found = ts.solve(problem, for_="time=1e-3:1e9", where="slope = 0", curve=curve, **values)
    turns = ts.turns(problem, curve=curve, **values)
    assert turns.sizes["turn"] == count
    np.testing.assert_allclose(found.time, turns.time, rtol=1e-8)
    assert unrounded(found.direction.values == "rising", turns.is_minimum.values)


@pytest.mark.parametrize(
    ("n", "init", "ridge", "first", "second", "law"),
    [
        (80, 2, 1e-4, 12.50, 18491, 18444),
        (80, 8, 1e-3, 42.23, 3246.9, 3230.5),
        (50, 2, 1e-3, 7.75, 1845.5, 1844.4),
    ],
)
def test_grokking_times(n: int, init: float, ridge: float, first: float, second: float, law: float) -> None:
    """The two times of a table that was made by interpolation, which errs by up to 0.6 %, and of its law."""
    setting = dict(GROKKING, n=n, init=init, ridge=ridge, dynamics="flow")
    levels = ["training_error = 0.01", "generalisation_error / generalisation_error@end = 1.1"]
    found = ts.solve("multiscale", for_="time=1:1e7", where=levels, **setting)
    train, test = found.time.values
    np.testing.assert_allclose((train, test), (first, second), rtol=7e-3)
    np.testing.assert_allclose(test, law, rtol=2e-3)
    end = risk(1e7, "generalisation_error", **setting)
    for time, name, level in ((train, "training_error", 0.01), (test, "generalisation_error", 1.1 * end)):

        def height(at: float, name: str = name, level: float = level) -> float:
            return risk(at, name, **setting) - level

        np.testing.assert_allclose(
            optimize.bisect(height, 0.9 * time, 1.2 * time, rtol=1e-9), time, rtol=1e-8
        )


def test_rows_are_whole_and_the_level_lies_between_neighbours() -> None:
    setting = dict(dynamics="ridge", kappa=10, times=[10])
    found = ts.solve("multiscale", for_="n", where="excess_risk@end = 0.05", noise=[0.1, 1], **setting)
    assert found.noise.values.tolist() == [0.1, 1]
    for i, noise in enumerate((0.1, 1)):
        low, high = int(found.low[i]), int(found.high[i])
        assert unrounded([found.n[i], high - low], [high, 1])
        sides = [risk(10, n=n, noise=noise, dynamics="ridge", kappa=10) for n in (low, high)]
        assert sides[0] > 0.05 > sides[1]
        np.testing.assert_allclose(sides, (found.below[i], found.above[i]), rtol=1e-12)


def test_a_peak_at_as_many_rows_as_features_is_passed_twice() -> None:
    setting = dict(dynamics="ridge", times=[1, 1e12], noise=0.3, kappa=1, p=100)
    found = ts.solve("multiscale", for_="n=20:500", where="excess_risk@end = 3", **setting)
    assert list(zip(found.low.values, found.high.values, strict=True)) == [(98, 99), (101, 102)]
    assert found.direction.values.tolist() == ["rising", "falling"]


def test_two_methods_have_the_same_risk_where_they_meet() -> None:
    where = "excess_risk:ridge/asymptotic@100 = excess_risk:flow/asymptotic@100"
    found = ts.solve("multiscale", kappa=(1, 100), where=where, noise=0.3)
    assert found.sizes["root"] == 2
    for kappa in found.kappa.values:
        ridge, flow = (risk(100, dynamics=each, kappa=kappa, noise=0.3) for each in ("ridge", "flow"))
        np.testing.assert_allclose(ridge, flow, rtol=1e-8)


def test_steps_to_an_error_by_batch() -> None:
    setting = dict(dynamics="sgd", kappa=10, noise=0.3)
    found = ts.solve("multiscale", for_="time=1:1e5", where="excess_risk = 0.05", batch=[4, 256], **setting)
    few, many = found.high.values * found.batch.values
    assert many > 1.5 * few  # beyond the critical batch size examples are lost
    for batch, low, high in zip(found.batch.values, found.low.values, found.high.values, strict=True):
        sides = [risk(step, batch=int(batch), **setting) for step in (low, high)]
        assert sides[0] > 0.05 > sides[1]


@pytest.mark.thorough
def test_errors_of_drawn_roots_are_calibrated() -> None:
    """Roots of fresh sets of draws, about the value at which many draws reach the level."""
    setting = dict(dynamics="flow", route="instance", n=8, d=6, p=3)
    many = ts.curve("multiscale", times=[10], kappa=5, seeds=600, seed=10**6, **setting)
    level = float(many.excess_risk[0])
    found = [
        ts.solve(
            "multiscale", for_="kappa=2:20", where=f"excess_risk@10 = {level}", accuracy=1e-3, seeds=12,
            seed=12 * i, **setting,
        )
        for i in range(REPEATS)
    ]  # fmt: skip
    assert all(each.sizes["root"] == 1 for each in found)
    z = np.array([(each.kappa.item() - 5) / each.stderr.item() for each in found])
    assert abs(z.mean()) < 4 / math.sqrt(REPEATS)
    assert 0.6 < z.std() < 1.5


def test_the_least_over_times_is_that_of_the_mean_over_draws() -> None:
    asked = dict(dynamics="flow", route="instance", n=12, d=10, p=5, times="0.3:300:9", seeds=6)
    found = ts.solve("multiscale", for_="noise=0.1:2", where="min(excess_risk) = 0.4", **asked)
    mean = ts.curve("multiscale", noise=found.noise.item(), **asked).excess_risk
    assert int(np.argmin(mean.values)) not in (0, 8)
    np.testing.assert_allclose(mean.min(), 0.4, rtol=1e-4)


def test_what_is_not_reached_gives_no_row_and_is_told() -> None:
    said = say(
        "solve", "multiscale", "--dynamics", "flow", "--kappa", "2:30", "--where", "excess_risk@10 = 9"
    )
    assert said.status == 0
    assert said.out == "root,kappa,low,high,accuracy,direction,below,above,kind\n"
    assert "the level 9 is not crossed: values are between" in said.err
    assert "roots less than" in said.err


def test_a_plateau_at_the_level_is_no_root() -> None:
    flat = risk(10)
    found = ts.solve("multiscale", for_="time=1:10", where=f"excess_risk@10 = {flat!r}", dynamics="flow")
    assert not found.sizes["root"]
    found = ts.solve("multiscale", for_="time=0:10", where="excess_risk = 0.5", dynamics="flow")
    assert (found.time.item(), found.kind.item()) == (0, "end of range")


def test_json_csv_picture_and_settings_tell_the_same(tmp_path: Path) -> None:
    asked = ("solve", "multiscale", "--dynamics", "flow", "--where", "excess_risk@100 = 0.2", "--d", "50,100")
    files = [str(tmp_path / name) for name in ("found.png", "question.toml")]
    said = say(*asked, "--for", "p=20:90", "--plot", files[0], "--settings", files[1])
    assert said.status == 0
    rows = list(csv.DictReader(io.StringIO(said.out)))
    with xr.open_dataset(tmp_path / "found.nc") as kept:
        np.testing.assert_allclose(kept.low, [float(each["low"]) for each in rows], rtol=1e-15)
        assert {"sample_at", "sample_value", "residual", "gap_reason"} <= set(kept.variables)
    listed = json.loads(say("solve", "--from", files[1], "--json").out)
    assert [each["value"] for each in listed if each["kind"] == "crossing"] == [float(r["p"]) for r in rows]
    (gap,) = [each for each in listed if each["kind"] == "gap"]
    assert "must be at most d = 50" in gap["reason"]


def test_near_misses_are_told() -> None:
    turn = float(ts.turns("multiscale", kappa=30, **FIGURE_4).excess_risk[0])
    asked = dict(for_="time=0.1:10", dynamics="flow", kappa=30, **FIGURE_4)
    found = ts.solve("multiscale", where=f"excess_risk = {turn - 1e-6}", **asked)
    assert not found.sizes["root"]
    np.testing.assert_allclose(found.touch_distance.item(), 1e-6, rtol=1e-4)
    pair = ts.solve("multiscale", where=f"excess_risk = {turn + 1e-9}", **asked)
    assert pair.direction.values.tolist() == ["falling", "rising"]


@pytest.mark.parametrize(
    ("words", "cure"),
    [
        ("--for kappa --where exces_risk@end=1", "did you mean excess_risk?"),
        ("--for kapa --where excess_risk@end=1", "did you mean kappa?"),
        ("--for s --where excess_risk=1", "did you mean time?"),
        ("--for kappa --where excess_risk@end", "must be QUANTITY = VALUE"),
        ("--for kappa --where excess_risk@end<1", "write ="),
        ("--for kappa --where excess_risk@end==1", "must be QUANTITY = VALUE"),
        ("--for kappa --where excess_risk@end=nan", "not nan"),
        ("--for kappa --where excess_risk@end=1e999", "combined by"),
        ("--for kappa --where 1=2", "QUANTITY with an observable"),
        ("--for kappa --where excess_risk=1", "given a time"),
        ("--for kappa --kappa 3 --where excess_risk@end=1", "absent where it is searched"),
        ("--for kappa=3:2 --where excess_risk@end=1", "LO < HI"),
        ("--for kappa=0:2 --where excess_risk@end=1", "must be NAME"),
        ("--for scales --where excess_risk@end=1", "NAME one of"),
        ("--for n=5:5.5 --where excess_risk@1=1", "two whole numbers"),
        ("--for n --alpha 2 --where excess_risk@1=1", "absent where n is searched"),
        ("--for n --noise 1,2 --ridge 1,2 --where excess_risk@1=1", "one value if several values of noise"),
        ("--for n --kappa 2:3 --where excess_risk@1=1", "a value where n is searched"),
        ("--where excess_risk@1=1", "--for (missing)"),
        ("--for kappa --where slope=0", "searched over time"),
        ("--for kappa --where R[7]@1=1", "made of single numbers"),
        ("--for kappa --where excess_risk@1/0=1", "a ratio is not finite"),
        ("--for kappa --curve rige --where descents=1", "did you mean ridge?"),
        ("--for kappa --curve flow --where excess_risk@1=1", "no descents or slope"),
        ("--for kappa --seeds 3 --where excess_risk@1=1", "draws nothing"),
        ("--for kappa --learning_rat 3 --where excess_risk@1=1", "learning-rate"),
    ],
)
def test_wrong_questions_are_refused_with_the_cure(words: str, cure: str) -> None:
    said = say("solve", "multiscale", "--dynamics", "flow", *words.split())
    assert (said.status, said.out) == (2, "")
    assert len(said.err.splitlines()) == 1
    assert cure in said.err
