"""The scatter between data sets: of draws, of theory, and where it is not known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import teacherstudent
from teacherstudent.house.averages import spread_and_stderr
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.inverse.objective import _over_draws
from teacherstudent.inverse.quantity import Term
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.theory.multiscale import scatter
from teacherstudent.theory.multiscale.spectral_task import spectrum_of
from teacherstudent.theory.resolvents import resolvent

RIDGE: dict[str, Any] = {"dynamics": "ridge", "times": [1.0, 30.0]}
SMALL: dict[str, Any] = {"n": 12, "d": 16, "p": 8, "kappa": 3.0, "noise": 0.5}


def test_given_the_teacher_it_is_that_of_a_law_of_the_same_modes() -> None:
    ridges, noise = np.array([1.0, 0.02]), 0.5
    problem = PROBLEM.instance(n=45, d=60, p=20, kappa=3.0, noise=noise)
    data, teachers, certain = scatter.variances(problem, ridges)
    modes = tuple((m, sigma**2 / 60, m / 60) for m, sigma in zip(problem.counts, problem.sigmas, strict=True))
    law = teacherstudent.curve(
        "measured-spectrum",
        dynamics="ridge",
        route="asymptotic",
        modes=modes,
        n=45,
        noise=noise,
        times=1 / ridges,
        observable="scatter",
    )
    np.testing.assert_allclose(np.sqrt(data), law.generalisation_error_scatter, rtol=1e-9)
    assert certain.all()
    assert (teachers > 0).all()
    found = teacherstudent.curve(
        "multiscale", dynamics="ridge", route="asymptotic", **{**SMALL, "n": 45, "d": 60, "p": 20},
        times=1 / ridges, observable="scatter",
    )  # fmt: skip
    np.testing.assert_allclose(found.excess_risk_scatter, np.sqrt(data + teachers) / 2, rtol=1e-12)


def test_without_ridge_it_is_the_exact_one_of_least_squares_but_for_a_share_like_1_over_n() -> None:
    """For one strength the risk is noise^2 chi^2_d/chi^2_(n - d + 1), and says nothing of the teacher."""
    off = []
    for n in (100, 200, 400):
        d = n * 2 // 5
        degrees = n - d + 1
        mean = d / (degrees - 2)
        exact = d * (d + 2) / ((degrees - 2) * (degrees - 4)) - mean**2
        data, teachers, _ = scatter.variances(PROBLEM.instance(n=n, d=d, p=d, noise=1.0), np.array([1e-9]))
        np.testing.assert_allclose(data, 2 * n * d / (n - d) ** 3, rtol=1e-7)
        assert teachers[0] < 1e-12
        off.append(exact / data[0] - 1)
    assert 1.9 < off[0] / off[1] < off[0] / off[1] + 0.2 < 2.5
    assert abs(off[1] / off[2] - 2) < abs(off[0] / off[1] - 2)


def test_the_teachers_share_is_that_of_a_sum_of_squares_on_a_sphere() -> None:
    """Of two scales sum c w^2/d varies as c_1 - c_2 times the first one's share of |w|^2, a beta variable."""
    problem, ridge = PROBLEM.instance(**{**SMALL, "n": 400, "d": 400, "p": 160}), np.array([1.0])
    _, teachers, _ = scatter.variances(problem, ridge)
    at = resolvent(spectrum_of(problem), ridge)
    unlearned, df2 = (at.h**2)[0], at.learned[0] ** 2 @ np.array(problem.counts)
    beta = stats.beta(160 / 2, 240 / 2)
    exact = np.ptp(unlearned) ** 2 * beta.var() / (1 - df2 / 400) ** 2
    np.testing.assert_allclose(teachers, exact, rtol=2.1 / 400)  # d for d + 2


def test_columns_of_draws_are_their_standard_deviation_and_its_error() -> None:
    asked = {**RIDGE, **SMALL, "seeds": 40}
    found = teacherstudent.curve("multiscale", route="simulation", scatter=True, **asked)
    draws = teacherstudent.sample("multiscale", route="simulation", **asked)
    for name in ("R", "Q", "excess_risk"):
        np.testing.assert_allclose(found[f"{name}_scatter"], draws[name].std("seed", ddof=1), rtol=1e-12)
        np.testing.assert_allclose(found[f"{name}_scatter"], found[f"{name}_stderr"] * 40**0.5, rtol=1e-12)
        left = [draws[name].drop_sel(seed=seed).std("seed", ddof=1) for seed in range(40)]
        np.testing.assert_allclose(found[f"{name}_scatter_stderr"] ** 2, 39 * np.var(left, axis=0), rtol=1e-9)
    plain = teacherstudent.curve("multiscale", route="simulation", **asked)
    assert not [name for name in plain.data_vars if "scatter" in str(name)]


def test_the_error_of_a_standard_deviation_is_that_of_normal_draws_and_scales() -> None:
    draws = np.random.default_rng(0).standard_normal((60, 2000))
    spread, error = spread_and_stderr(draws)
    assert np.sqrt(np.mean(error**2)) == pytest.approx(spread.std(), rel=0.1)
    for unit in (1e-300, 1e300):
        np.testing.assert_allclose(
            np.array(spread_and_stderr(draws * unit)) / unit, [spread, error], rtol=1e-12
        )
    assert np.isnan(spread_and_stderr(draws[:2])[1]).all()
    draws[3, 0] = np.nan
    assert np.isnan(np.array(spread_and_stderr(draws))[:, 0]).all()
    assert np.isfinite(spread_and_stderr(draws)[0][1:]).all()


def test_it_is_a_quantity_that_is_searched_for_by_theory_and_by_draws() -> None:
    asked = {"dynamics": "ridge", "n": 40, "d": 20, "p": 10, "times": [10.0]}
    where = "excess_risk_scatter@10 = 0.15"
    theory, drawn = (
        teacherstudent.solve("multiscale", for_="noise=0.2:2", where=where, **asked, **more)
        for more in ({}, {"route": "simulation", "seeds": 40})
    )
    assert abs(drawn.noise.item() - theory.noise.item()) < 4 * drawn.stderr.item()
    found = teacherstudent.curve(
        "multiscale", noise=drawn.noise.item(), route="simulation", seeds=40, scatter=True, **asked
    )
    np.testing.assert_allclose(found.excess_risk_scatter, 0.15, rtol=1e-4)
    with pytest.raises(InputError, match="made of what route instance gives"):
        teacherstudent.solve("multiscale", for_="noise=0.2:2", where=where, route="instance", **asked)
    with pytest.raises(InputError, match="3 or more for the standard error of a scatter"):
        teacherstudent.solve("multiscale", for_="noise", where=where, route="simulation", seeds=2, **asked)


def test_standard_errors_of_means_and_scatter_leave_out_each_draw() -> None:
    draws = np.random.default_rng(0).standard_normal(7)
    for name, of in (("risk", np.mean), ("risk_scatter", lambda some: np.std(some, ddof=1))):
        whole, without = _over_draws(Term(name), draws)
        np.testing.assert_allclose(whole, of(draws), rtol=1e-14)
        np.testing.assert_allclose(
            without, [of(np.delete(draws, i)) for i in range(7)], rtol=1e-14, atol=1e-14
        )


def test_theory_and_draws_stand_side_by_side() -> None:
    both = teacherstudent.curve(
        "multiscale", route="asymptotic,simulation,instance", scatter=True, seeds=6, **RIDGE, **SMALL
    )
    known = both.excess_risk_scatter.notnull().all("time")
    assert known.values.tolist() == [True, True, False]
    assert both.R_scatter.notnull().all("time").values.tolist() == [False, True, False]
    assert "instance averages over teacher, label noise and initial weights" in both.attrs["remarks"]
    assert "scatter" not in both.attrs["agreement"]
    law = {"modes": "4:1:.6,6:.1:.4", "n": 12, "noise": 0.3}
    drawn = teacherstudent.curve(
        "measured-spectrum", route="asymptotic,instance", scatter=True, seeds=6, **RIDGE, **law
    )
    assert drawn.generalisation_error_scatter.notnull().all()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"dynamics": "flow", "route": "asymptotic"}, "route asymptotic under flow gives no scatter"),
        ({"route": "instance"}, "instance averages over teacher, label noise and initial weights"),
        ({"route": "printed,instance"}, "a route that draws data sets for --scatter, such as simulation"),
        ({"scatter": 1}, "--scatter 1: must be True or False"),
        (
            {"problem": "measured-spectrum", "features": "wine", "targets": "wine", "n": 20},
            "--scatter (route asymptotic): must be left out for --sampling pool",
        ),
    ],
)
def test_where_it_is_not_known_it_is_refused(more: dict[str, Any], words: str) -> None:
    asked = {"problem": "multiscale", "route": "asymptotic", "scatter": True, **RIDGE, **more}
    with pytest.raises(InputError) as refused:
        teacherstudent.curve(asked.pop("problem"), **asked)
    assert words in str(refused.value)
    penalised = {**RIDGE, "route": "asymptotic", "output_penalty": 1.0}
    with pytest.warns(UnconvergedWarning, match="not known with an output penalty"):
        assert (
            teacherstudent.curve("multiscale", scatter=True, **penalised).excess_risk_scatter.isnull().all()
        )


@pytest.mark.parametrize("problem", ["multiscale", "measured-spectrum"])
def test_beside_as_many_rows_as_features_it_is_known_with_a_ridge_only(problem: str) -> None:
    """Of 57 rows for 60 features without ridge draws scatter five times as much as the leading order."""
    law = {"modes": "60:1:1"} if problem == "measured-spectrum" else {"d": 60, "p": 30, "kappa": 1}
    asked = {**law, "n": 57, "noise": 0.5, "scatter": True, "dynamics": "ridge", "route": "asymptotic"}
    with pytest.warns(UnconvergedWarning, match="57 rows for 60 features"):
        found = teacherstudent.curve(problem, times=[1.0, 1e8], **asked)
    (name,) = [each for each in found.data_vars if str(each).endswith("_scatter")]
    assert found[name].notnull().values.tolist() == [True, False]
    away = teacherstudent.curve(problem, times=[1e8], **{**asked, "n": 40})
    assert away[name].notnull().all()
