"""The classical learning curves, their limits, and what rules have in common."""

from __future__ import annotations

import warnings
from typing import Any

import mpmath
import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.problems.perceptron import PROBLEM
from teacherstudent.problems.perceptron.parameters import LOSSES, RULES
from teacherstudent.theory.perceptron import many_examples
from teacherstudent.theory.perceptron.asymptotic import examples
from teacherstudent.theory.perceptron.version_space import entropy, overlap, surprise

ALPHAS = np.array([0.5, 1, 2, 4, 10])


def ask(alphas: Any, **question: Any) -> dict[str, np.ndarray]:
    """The route's answer, warnings let be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnconvergedWarning)
        return examples(PROBLEM.instance(**question), np.asarray(alphas, dtype=float))


KNOWN = {"hebb": 0.399, "pseudo-inverse": 0.2405, "gibbs": 0.6246, "bayes": 0.4417, "max-stability": 0.5005}


@pytest.mark.parametrize("rule", KNOWN)
def test_many_examples_follow_the_known_laws_to_small_angles(rule: str) -> None:
    size, power = many_examples.laws()[rule]
    assert size == pytest.approx(KNOWN[rule], abs=1e-4)
    a = np.array([1e5, 1e7, 1e9])
    off = np.abs(ask(a, rule=rule)["generalisation_error"] * a**power / size - 1)
    assert np.all(off <= 2 / a + 1e-8)  # the next order, and rounding


@pytest.mark.parametrize(("kappa", "most"), [(50.0, 1e4), (3.0, 1e4), (1e3, 100.0)])
def test_largest_stability_of_several_strengths_has_no_gaps(kappa: float, most: float) -> None:
    alphas = np.array([1.0, 7.0, 13.4, 18.0, 24.0, 40.0, 200.0, 250.0, 1e3, 3e3, 1e4])
    alphas = alphas[alphas <= most]  # at kappa 1e3 rounding decides from about 180 on which are certified
    found = ask(alphas, rule="max-stability", kappa=kappa)
    for values in found.values():
        assert np.isfinite(values).all()
    assert np.all(np.diff(found["margin"]) < 0)
    assert np.all(np.diff(found["R"]) > 0)
    np.testing.assert_allclose(ask([18.0], rule="max-stability", kappa=kappa)["R"], found["R"][3], rtol=1e-10)
    if most == alphas[-1] == 1e4:  # what remains is one strength's law, by then
        size, power = many_examples.laws()["max-stability"]
        assert found["generalisation_error"][-1] * alphas[-1] ** power == pytest.approx(size, rel=1e-3)


TWO = [
    ((100, 1.0), (100, 1.0)),
    ((100, 1.0), (100, 40.0)),
    ((199, 1.0), (1, 40.0)),
    ((1, 1.0), (10**6, 0.025)),
    ((100, 1.0), (100, 1e-6)),
    ((199, 1.0), (1, 1e3)),
    ((1, 1.0), (199, 1e3)),
    ((100, 1.0), (100, 1e-9)),
    ((1, 1.0), (1, 1e-30)),
    ((3, 1.0), (1, 1e-30)),
]
FEWEST, MOST = [1e-18, 1e-16, 1e-15, 1e-13, 1e-9], [2 - 1e-10, 2 - 1e-12, 2 - 2e-16]
BETWEEN = [1e-6, 1e-2, 0.5, 0.7, 1.0, 1.3, 1.9, 1.9999, 2 - 1e-9]


@pytest.mark.parametrize("scales", TWO, ids=str)
def test_the_margin_of_random_labels_is_right_from_no_examples_to_storage(
    scales: tuple[tuple[int, float], tuple[int, float]],
) -> None:
    """Gardner's equations for two strengths as they are printed, in 150 digits: a root within the error."""
    alphas = np.array([*FEWEST, *BETWEEN, *MOST])
    found = ask(alphas, rule="max-stability", labels="random", scales=scales)["margin"]
    (more, one), (fewer, other) = scales
    mild = 1 / 40 <= one / other <= 40
    assert np.isfinite(found[5:-3]).all() or not mild
    assert np.isfinite(found).mean() >= 0.9

    def excess(alpha: Any, m: Any, p: Any, v: tuple[Any, Any]) -> Any:
        S = alpha * mpmath.ncdf(m)
        b, c = 1 - S * (v[0] + v[1]), S * (1 - S) * v[0] * v[1]
        V = (b + mpmath.sqrt(b * b + 4 * c)) / 2
        spread = p * (v[0] / (V + S * v[0])) ** 2 + (1 - p) * (v[1] / (V + S * v[1])) ** 2
        return alpha * (m * mpmath.npdf(m) + (1 + m * m) * mpmath.ncdf(m)) * spread - 1

    with mpmath.workdps(150):
        p, first, second = mpmath.mpf(more) / (more + fewer), mpmath.mpf(one) ** 2, mpmath.mpf(other) ** 2
        mean, error = p * first + (1 - p) * second, mpmath.mpf(1e-13 if mild else 1e-10)
        for alpha, margin in zip(alphas[np.isfinite(found)], found[np.isfinite(found)], strict=True):
            ends = (mpmath.mpf(margin) * (1 - error), mpmath.mpf(margin) * (1 + error))
            low, high = (excess(mpmath.mpf(alpha), m, p, (first / mean, second / mean)) for m in ends)
            assert low * high < 0, (alpha, margin)


def test_no_rule_beats_bayes() -> None:
    best = ask(ALPHAS, rule="bayes")["R"]
    for rule in RULES:
        assert np.all(ask(ALPHAS, rule=rule)["R"] <= best), rule


def test_the_version_space_loses_what_the_labels_tell() -> None:
    """The entropy's slope over alpha is the information of one more label: R is where it is stationary."""
    alpha, step = np.array([0.05, 1.0, 30.0]), 1e-4
    more, less = (entropy(a, *overlap(a)[:2]) for a in (alpha * (1 + step), alpha * (1 - step)))
    R, rest, _ = overlap(alpha)
    np.testing.assert_allclose((more - less) / (2 * step * alpha), surprise(R / rest), rtol=1e-7)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("more", [{}, {"kappa": 30.0, "noise": 0.2}], ids=str)
def test_an_alpha_is_answered_among_others_as_alone(rule: str, more: dict[str, Any]) -> None:
    if more and rule in ("gibbs", "bayes"):
        return
    together = ask(ALPHAS, rule=rule, **more)
    alone = [ask([alpha], rule=rule, **more) for alpha in ALPHAS[::2]]
    for name, values in together.items():
        np.testing.assert_allclose(values[::2], [each[name][0] for each in alone], rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("rule", LOSSES)
def test_a_large_ridge_leaves_hebb_s_direction(rule: str) -> None:
    question: dict[str, Any] = {"kappa": 8.0, "noise": 0.4}
    hebb = ask(ALPHAS, rule="hebb", **question)
    for ridge in (1e9, 1e150):
        found = ask(ALPHAS, rule=rule, ridge=ridge, **question)
        np.testing.assert_allclose(found["R"], hebb["R"], rtol=1e-7)
        push = 0.5 if rule == "logistic" else 1.0
        np.testing.assert_allclose(np.sqrt(found["Q"]) * ridge, push * np.sqrt(hebb["Q"]), rtol=1e-7)


EXTREMES = [
    *(
        {"rule": rule, "ridge": ridge, **more}
        for rule in LOSSES
        for ridge, more in (
            (1e-300, {}),
            (1e-12, {"noise": 0.1}),
            (1e300, {"noise": 1e12}),
            (5e-324, {"noise": 1e3}),
            (0.0, {"noise": 1e-12}),
            (1.0, {"kappa": 1e8}),
            (0.0, {"labels": "random"}),
        )
        if ridge or rule != "hinge"  # which is refused without one
    ),
    *(
        {"rule": rule, **more}
        for rule in ("hebb", "pseudo-inverse", "max-stability")
        for more in ({}, {"noise": 1e-12}, {"kappa": 1e8}, {"noise": 1e308})
    ),
    *({"rule": rule, "weights": each} for rule in ("gibbs", "bayes") for each in ("spherical", "binary")),
]


LONG = 1e-300
"""A ridge that takes many steps to come to."""


@pytest.mark.parametrize(
    "question",
    [
        pytest.param(each, marks=[pytest.mark.thorough] if each.get("ridge") == LONG else [], id=str(each))
        for each in EXTREMES
    ],
)
def test_whatever_is_asked_is_answered_or_lost_with_a_reason(question: dict[str, Any]) -> None:
    alphas = np.array([5e-324, 1e-6, 1.9, 1e9, 1e308])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        answer = examples(PROBLEM.instance(**question), alphas)
    assert all(issubclass(each.category, UnconvergedWarning) for each in said), [str(e.message) for e in said]
    for name, values in answer.items():
        assert not np.isinf(values).any(), name
        assert not np.isnan(values).any() or said
    known = ~np.isnan(answer["R"])
    assert np.all(np.abs(answer["R"][known]) <= 1)
    for name in ("Q", "training_error", "generalisation_error"):
        assert np.all(answer[name][known & ~np.isnan(answer[name])] >= 0), name
