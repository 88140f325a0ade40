"""No test compares computed numbers by `==`: another processor rounds them differently."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from tests.exactness import ROOT, offences
from tests.roundings import copied, repeated, same, unrounded

HEAD = """
import math
import numpy as np
import pytest
import teacherstudent
from teacherstudent.theory.gan.flow import distances, halving_time
from teacherstudent.sims.linear_students import training
from teacherstudent.house.running import run
from teacherstudent.problems.gan import PROBLEM
import teacherstudent.theory.gan.flow as flow
from teacherstudent import theory
SIZES = [2.0, 3.0]
def answer(*asked):
    found = run("gan", *asked)
    return {"both": found["mean"].values}
"""
WRONG = [
    "assert halving_time(PROBLEM) == 0.5", "assert x == np.exp(1) == y",
    "found = halving_time(PROBLEM) / 4\n    assert found == halving_time(PROBLEM, 4.0)",
    "assert math.sqrt(x) * 2 == y", "assert x / 3 == y",
    "assert answer(x)['both'].tolist() == [x, y]", "assert teacherstudent.curve('gan').equals(y)",
    "for one, other in zip(answer(x), answer(y)):\n        assert np.array_equal(one, other)",
    "np.testing.assert_array_equal(distances(PROBLEM, x).mean(), y)",
    "assert all(each.value == y for each in [halving_time(x)])",
    "(a, b), c = answer(x), 1\n    assert 2 * a[0] == y",
    "assert flow.halving_time(x) == y", "assert theory.gan.flow.halving_time(x) == y",
    "assert halving_time(PROBLEM) == 6", "assert np.abs(halving_time(x) - y).max() == 0",
    "assert np.equal(answer(x)['both'], y).all()", "assert np.array_equiv(answer(x)['both'], y)",
    "pd.testing.assert_frame_equal(answer(x), y, check_exact=True)",
    "xr.testing.assert_identical(answer(x), y)", "assert operator.eq(halving_time(x), y)",
    "assert halving_time(x) == pytest.approx(y, rel=0, abs=0)",
    "assert np.allclose(answer(x)['both'], y, rtol=0, atol=0.0)",
    "assert math.isclose(halving_time(x), y, rel_tol=0)", "assert y <= halving_time(x) <= y",
    "assert {halving_time(x)} == {y}", "assert dict(a=halving_time(x)) == {'a': y}",
    "assert asdict(distances(PROBLEM, x)) == y", "assert halving_time(x) in (y, 2 * y)",
    "assert not halving_time(x) != y", "assert not (x.mean() == 1 and not halving_time(x) == y)",
    "assert str(halving_time(x)) == '0.5'", "assert f'{halving_time(x)} s' == '0.5 s'",
    "found = 0\n    found += halving_time(x)\n    assert found == y",
    "found = []\n    found.append(halving_time(x))\n    assert found == [y]",
    "check(halving_time(x))\n    def check(a):\n        assert a == y",
    "ask = lambda: halving_time(x)\n    assert ask() == y",
    "with run('gan') as found:\n        assert found['mean'].values.tolist() == y",
    "assert x.mean() == y", "assert np.dot(x, y) == 2", "assert x * 0.1 == y", "assert 0.1 + 0.2 == x",
]  # fmt: skip
RIGHT = [
    "assert halving_time(PROBLEM) == np.inf", "assert training.numbers_read(3, 4) == y",
    "assert distances(PROBLEM, x).shape == (2, 3)",
    "assert np.isnan(distances(PROBLEM, x)).tolist() == y",
    "assert halving_time(PROBLEM) == pytest.approx(y, rel=1e-9)",
    "assert PROBLEM.instance(x).n == y", "assert SIZES == y", "assert teacherstudent.curve('gan').attrs == y",
    "assert x / 2 == y", "assert x == 1 / 4", "assert not halving_time(x) == y",
    "assert sorted(answer(x)) == y", "for name in run('gan'):\n        assert name == y",
    "assert set(run('gan').data_vars) == y", "assert run('gan')['time'].values.tolist() == y",
    "assert halving_time(x) == pytest.approx(y, rel=0, abs=1e-9)",
    "assert f'{halving_time(x):.3g} s' == '0.5 s'", "assert run('gan').time.values.tolist() == y",
    "assert not np.array_equal(answer(x)['both'], y)", "assert answer(x)['both'][0] == 0",
    "for i, each in enumerate(answer(x)):\n        assert i == y",
    "assert same(halving_time(PROBLEM), y, roundings=4)",
    "assert np.argmax(answer(x)['both']) == y",
]  # fmt: skip


def test_no_test_holds_computed_numbers_equal() -> None:
    files = sorted((ROOT / "tests").rglob("*.py"))
    found = {str(path.relative_to(ROOT)): offences(path.read_text(encoding="utf-8")) for path in files}
    assert len(found) > 150
    assert {path: lines for path, lines in found.items() if lines} == {}, (
        "compare by same(..., roundings=) of tests/roundings.py, or by what says there why it is exact"
    )


@pytest.mark.parametrize("line", WRONG)
def test_a_computed_number_held_equal_is_found(line: str) -> None:
    source = f"{HEAD}\ndef test(x, y):\n    {line}\n"
    assert offences(source) == [len(source.splitlines())]


@pytest.mark.parametrize("line", RIGHT)
def test_what_is_exact_is_left_alone(line: str) -> None:
    assert offences(f"{HEAD}\ndef test(x, y):\n    {line}\n") == []


def test_same_counts_roundings_of_the_larger_number_or_of_what_was_added() -> None:
    eps = float(np.finfo(float).eps)
    assert same(1 + 3 * eps, 1.0, 4)
    assert not same(1 + 5 * eps, 1.0, 4)
    assert same([1e-20, np.nan, np.inf, 0.0], [1e-20, np.nan, np.inf, 0.0], 0)
    assert not same([np.nan], [1.0], 1e9)
    assert not same(1e-17, 0.0, 4)
    assert same(1e-17, 0.0, 4, of=1.0)
    assert same(np.float32(1.0) / np.float32(3.0), 1 / 3, 1)
    assert not same([1.0, 2.0], [1.0, 2.0, 3.0], 4)
    assert repr(same([1.0, 2.0], [1.0, 2.1], 4)) == (
        "1 of 2 numbers differ by more than 4 roundings: "
        "2.145e+14 between np.float64(2.0) and np.float64(2.1) at (1,)"
    )


@pytest.mark.parametrize("exactly", [copied, repeated, unrounded])
def test_the_others_hold_every_digit(exactly: object) -> None:
    assert callable(exactly)
    assert exactly([0.1, np.nan], np.array([0.1, np.nan]))
    assert not exactly([0.1, 0.2], [0.1, np.nextafter(0.2, 1)])
    one = xr.Dataset({"a": ("x", [0.1, np.nan])})
    assert exactly(one, one.copy(deep=True))
    assert not exactly(one, one + 1e-16)
    assert not exactly(one, one.assign_attrs(units="1"))
