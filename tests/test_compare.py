"""`sample` keeps what `curve` averages; `compare` says whether a simulation agrees, and can say no."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import teacherstudent as ts
from teacherstudent.house.errors import InputError
from teacherstudent.paper_checks.judging.agreement import quantile
from tests.roundings import same
from tests.support import say

TIMES = [1.0, 2.0, 3.0]
QUESTION = dict(problem="multiscale", dynamics="flow", n=30, d=20, p=10, times=TIMES)


def drawn(values: np.ndarray, first: int = 0) -> xr.Dataset:
    """Draws (seed, time) of an observable g."""
    seeds = np.arange(first, first + len(values))
    g = (("seed", "time"), values, {"units": "1", "long_name": "growth", "symbol": "g"})
    return xr.Dataset({"g": g}, {"seed": seeds, "time": TIMES})


def exact(values: np.ndarray) -> xr.Dataset:
    """A theory of the same observable that draws nothing."""
    return drawn(values[None]).isel(seed=0, drop=True)


@pytest.fixture
def noise() -> np.ndarray:
    return np.random.default_rng(1).standard_normal((200, 3))


def test_a_sample_has_the_mean_that_a_curve_gives() -> None:
    draws = ts.sample(route="instance", seeds=3, seed=5, **QUESTION)
    curve = ts.curve(route="instance", seeds=3, seed=5, **QUESTION)
    assert draws["seed"].values.tolist() == [5, 6, 7]
    assert same(draws["R"].mean("seed"), curve["R"], roundings=4)


def test_a_route_that_draws_nothing_has_no_sample() -> None:
    with pytest.raises(InputError, match=r"--route asymptotic: must be a sampled route"):
        ts.sample(route="asymptotic", **QUESTION)


def test_noise_around_the_truth_agrees_and_a_shift_beyond_the_resolution_does_not(noise: np.ndarray) -> None:
    truth = exact(np.zeros(3))
    right = ts.compare(drawn(noise), truth)
    assert right.agrees
    seen = right.verdicts["g"].resolution
    assert not ts.compare(drawn(noise), truth + 2 * seen).agrees
    stderr = noise.std(axis=0, ddof=1) / np.sqrt(len(noise))
    np.testing.assert_allclose(right.residuals["g"], noise.mean(axis=0) / stderr, rtol=1e-12)
    np.testing.assert_allclose(right.simulation["g_stderr"], stderr, rtol=1e-12)


@pytest.mark.parametrize(("draws", "few"), [(4, True), (60, False)])
def test_few_draws_lead_with_what_they_could_detect(noise: np.ndarray, draws: int, few: bool) -> None:
    found = ts.compare(drawn(100 + noise[:draws]), exact(np.full(3, 100.0)))
    seen = found.verdicts["g"]
    assert found.agrees
    assert seen.too_few_draws is few
    known, student = (quantile(3, degrees) for degrees in (None, draws - 1))
    assert seen.from_few_draws == pytest.approx(1 - known / student, rel=1e-12)
    share = f"{seen.resolution:.2g} % of the value"
    said = f"g: too few draws to tell: errors below {seen.resolution:.2g}, {share}, would pass"
    assert [line.partition(";")[0] for line in found.notes] == ([said] if few else [])


@pytest.mark.parametrize(("size", "undecided"), [(1.0, 0), (0.1, 1)])
def test_where_errors_as_large_as_the_value_would_pass_is_said_first(
    noise: np.ndarray, size: float, undecided: int, tmp_path: Path
) -> None:
    """At the last of three times 60 draws of spread 1 allow .6: more than the value, and than the median."""
    values, spread = np.array([0.1, 0.1, size]), np.array([0.01, 0.01, 1.0])
    answers = drawn(values + spread * noise[:60]), exact(values)
    found = ts.compare(*answers)
    seen, wide = found.verdicts["g"], quantile(3, 59) * noise[:60, 2].std(ddof=1) / np.sqrt(60)
    assert found.agrees
    assert seen.undecided == undecided
    said = (
        f"g: too noisy to tell at 1 of 3 points: errors up to {wide:.2g}, larger than the value, would pass"
    )
    assert [line.partition(";")[0] for line in found.notes] == ([said] if undecided else [])
    for name, answer in zip(("drawn", "exact"), answers, strict=True):
        answer.to_netcdf(tmp_path / f"{name}.nc", engine="h5netcdf")
    row = say("compare", tmp_path / "drawn.nc", tmp_path / "exact.nc").out.splitlines()[1]
    assert row.startswith("g,too noisy," if undecided else "g,agrees,")


def test_the_same_draws_are_compared_draw_by_draw(noise: np.ndarray) -> None:
    shift = 0.01 * np.roll(noise, 1, axis=1)
    together = ts.compare(drawn(noise + shift), drawn(noise))
    apart = ts.compare(drawn(noise + shift), drawn(noise, first=1000))
    assert together.verdicts["g"].resolution < apart.verdicts["g"].resolution / 50
    assert not ts.compare(drawn(noise + 0.02), drawn(noise + shift)).agrees


def test_a_theory_over_draws_of_its_own_adds_its_standard_error(noise: np.ndarray) -> None:
    few = drawn(noise[:10], first=1000)
    alone, against = (ts.compare(drawn(noise), each) for each in (exact(np.zeros(3)), few))
    assert against.verdicts["g"].resolution > 3 * alone.verdicts["g"].resolution


def test_a_nan_agrees_with_nothing(noise: np.ndarray) -> None:
    noise[3, 1] = np.nan
    assert not ts.compare(drawn(noise), exact(np.zeros(3))).agrees


def test_points_that_are_not_judged_are_blank_and_cannot_make_it_agree(noise: np.ndarray) -> None:
    noise[:, 1] *= 1e-6
    off = exact(np.array([0.0, 1.0, 0.0]))
    judged = ts.compare(drawn(noise), off, resolvable=1e-3)
    assert np.isnan(judged.residuals["g"]).values.tolist() == [False, True, False]
    assert judged.agrees
    assert not ts.compare(drawn(noise), off).agrees
    nothing = ts.compare(drawn(noise), off, resolvable=10.0)
    assert nothing.verdicts == {}
    assert not nothing.agrees


def test_what_cannot_be_compared_is_refused(noise: np.ndarray) -> None:
    theory = exact(np.zeros(3))
    with pytest.raises(InputError, match=r"--time .*: must be the same in simulation and theory"):
        ts.compare(drawn(noise), theory.assign_coords(time=[1.0, 2.0, 4.0]))
    with pytest.raises(InputError, match=r"--seeds .*: must be different from the theory's"):
        ts.compare(drawn(noise), drawn(noise, first=199))
    with pytest.raises(InputError, match=r"--simulation .*: must be an answer of a sampled route"):
        ts.compare(theory, theory)
