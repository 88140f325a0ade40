"""The simulation of the perceptron: what is asked, what defines each student, plain enumeration."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import jax
import numpy as np
import pytest
from scipy.optimize import nnls

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.synonyms import by_name
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.problems.perceptron import PROBLEM, Perceptron
from teacherstudent.problems.perceptron.data import Draws, draw, numbers
from teacherstudent.problems.perceptron.parameters import LOSSES, RULES
from teacherstudent.sims.perceptron import losses, margins, simulation, version_space
from tests.judged import assert_same
from tests.roundings import unrounded


@pytest.mark.parametrize("rule", RULES)
def test_a_ridge_belongs_to_the_rules_that_have_a_loss(rule: str) -> None:
    if rule in LOSSES:
        assert instance(rule=rule).ridge == 0.1
        assert instance(rule=rule, ridge=0.5).ridge == 0.5
    else:
        assert instance(rule=rule).ridge == instance(rule=rule, ridge=0).ridge == 0


def test_other_names_of_rules_are_understood() -> None:
    assert instance(**by_name(PROBLEM.parameters, {"loss": "hinge", "lambda_": 0.3})) == instance(
        rule="hinge", ridge=0.3
    )


def test_strengths_that_were_divided_are_noted() -> None:
    said = PROBLEM.remarks(PROBLEM.instance(scales=((1, 3.0), (3, 1.0))))
    assert said == "--scales: strengths are divided by their root mean square 1.73205"
    assert not PROBLEM.remarks(instance(p=3, kappa=2.0))


def test_there_is_at_least_one_example() -> None:
    assert numbers(instance(d=10), np.array([1e-9, 0.14, 0.26, 3.0])).tolist() == [1, 1, 3, 30]


def test_more_examples_of_a_seed_begin_with_the_fewer() -> None:
    problem = instance(d=3, noise=0.4, kappa=2.0)
    fewer, more = draw(problem, [4, 9], 5), draw(problem, [4, 9], 8)
    np.testing.assert_array_equal(more.inputs[:, :5], fewer.inputs)
    np.testing.assert_array_equal(more.labels[:, :5], fewer.labels)
    np.testing.assert_array_equal(more.teacher, fewer.teacher)
    np.testing.assert_allclose(fewer.strengths, [1.3333333333333333, 1.3333333333333333, 1 / 3], rtol=1e-15)


def test_teachers_lie_on_the_sphere_or_at_its_corners() -> None:
    spherical = draw(instance(d=7), range(3), 1).teacher
    np.testing.assert_allclose(np.sum(spherical**2, axis=1), 7, rtol=1e-15)
    binary = draw(instance(d=7, rule="gibbs", weights="binary"), range(3), 1).teacher
    np.testing.assert_allclose(np.abs(binary), 1, rtol=1e-15)


EPS = np.finfo(float).eps
TIMES = np.array([0.5, 1.0, 3.0])
SEEDS = [3, 8]
D = 6
COUNTS = np.array([1, 4, 18])
"""Programs of these shapes serve most tests."""
MINIMISED = ("square", "logistic", "hinge")


def instance(**values: Any) -> Perceptron:
    found: Perceptron = PROBLEM.instance(**{"d": D, **values})
    return found


@cache
def signed(noise: float = 0.8, seed: int = 3) -> np.ndarray:
    """Examples y x, (18, 6): noisy ones, which nothing separates, or clean ones."""
    problem = instance(rule="square", noise=noise, kappa=2.0)
    draws = draw(problem, [seed], 18)
    return draws.labels[0][:, None] * draws.inputs[0]


def students(found: Any) -> np.ndarray:
    return np.asarray(found)


# Losses: what defines the minimiser ---------------------------------------------------------------------
@pytest.mark.parametrize("ridge", [1e-3, 0.1, 1e3])
@pytest.mark.parametrize("noise", [0.0, 0.8])
def test_at_the_minimum_ridge_and_examples_pull_with_equal_force(noise: float, ridge: float) -> None:
    for rule, slope in (("square", lambda m: 1 - m), ("logistic", lambda m: 1 / (1 + np.exp(m)))):
        found = students(getattr(losses, rule)(signed(noise), COUNTS, ridge))
        for w, count in zip(found, COUNTS, strict=True):
            z = signed(noise)[:count]
            force = z.T @ slope(z @ w)
            assert_same(ridge * w, force, 1e-8 * np.linalg.norm(force), "Newton's last step is squared")


@pytest.mark.parametrize("ridge", [1e-3, 0.1, 1e3])
@pytest.mark.parametrize("noise", [0.0, 0.8])
def test_no_student_near_that_of_the_hinge_loss_has_less(noise: float, ridge: float) -> None:
    """The loss is strongly convex: at a distance r it is larger by ridge r^2/2 at least."""
    chance = np.random.default_rng(0)
    for w, count in zip(students(losses.hinge(signed(noise), COUNTS, ridge)), COUNTS, strict=True):
        z = signed(noise)[:count]

        def loss(w: np.ndarray, z: np.ndarray = z) -> Any:
            return np.maximum(0, 1 - w @ z.T).sum(axis=-1) + ridge / 2 * np.sum(w**2, axis=-1)

        size = np.linalg.norm(w)
        for share in (1e-5, 1e-2, 1.0):
            away = chance.standard_normal((200, D))
            away *= share * size / np.linalg.norm(away, axis=1, keepdims=True)
            least = loss(w) + ridge / 2 * (share * size) ** 2
            assert np.all(loss(w + away) > least - 1e-7 * share * size * ridge * size - 4 * EPS * least)


def test_two_examples_solved_by_hand() -> None:
    """On z = (1, 0) and (0, 2) the largest margin is at w = (1, 1/2); a ridge makes students shorter."""
    z = np.zeros((18, D))
    z[0, 0], z[1, 1] = 1, 2
    counts = np.array([1, 2, 2])
    found = margins.largest(z, counts)
    assert_same(students(found.w)[:, :2], [[1, 0], [1, 0.5], [1, 0.5]], 1e-9, "rounding, and the last step")
    assert np.asarray(found.verdict).tolist() == [1, 1, 1]
    square = students(losses.square(z, counts, 1.0))[2, :2]
    assert_same(square, [1 / 2, 2 / 5], 10 * EPS, "two divisions")
    hinge = students(losses.hinge(z, counts, 2.0))[2, :2]  # one weight at its bound, one on the edge
    assert_same(hinge, [1 / 2, 1 / 2], 1e-9, "rounding, and the last step")


# Margins ------------------------------------------------------------------------------------------------
def test_the_largest_margin_is_that_of_the_edges_with_positive_weights() -> None:
    """The conditions of Karush, Kuhn and Tucker, by a plain solution of the equations on the edges."""
    found = {seed: students(margins.largest(signed(0.0, seed), COUNTS).w) for seed in (3, 8, 11)}
    for seed, (t, count) in product(found, enumerate(COUNTS)):
        z, w = signed(0.0, seed)[:count], found[seed][t]
        reached = z @ w
        edges = reached < 1 + 1e-7
        weights = np.linalg.lstsq(z[edges].T, w, rcond=None)[0]
        assert reached.min() > 1 - 1e-7
        assert np.all(weights > 0)
        assert_same(z[edges].T @ weights, w, 1e-7 * np.linalg.norm(w), "the certificate's distance")


def test_the_verdict_of_separability_is_that_of_trying_every_line() -> None:
    """In two dimensions a separating line exists if and only if all angles of y x lie in one half."""
    problem = instance(d=2, labels="random", rule="hebb")
    draws = draw(problem, range(60), 5)
    z = draws.labels[..., None] * draws.inputs
    angles = np.sort(np.arctan2(z[..., 1], z[..., 0]), axis=1)
    gaps = np.diff(angles, axis=1, append=angles[:, :1] + 2 * np.pi)
    wanted = gaps.max(axis=1) > np.pi
    assert unrounded(margins.separable(draws.inputs, draws.labels), wanted)
    assert 5 < wanted.sum() < 55


def test_examples_that_are_separable_at_the_edge_only_are_left_undecided() -> None:
    """Opposite examples, whose sum is 0, and one beside them that another student gets right."""
    inputs = np.array([[[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]])
    assert np.isnan(margins.separable(inputs, np.ones((1, 5))))


# Draws --------------------------------------------------------------------------------------------------
def plain(problem: Perceptron, draws: Draws, s: int, count: int, w: np.ndarray) -> dict[str, float]:
    """The observables of a student, written down once more."""
    covariance = draws.strengths / problem.d
    norm = np.sqrt(np.sum(covariance * w**2))
    cosine = np.sum(covariance * w * draws.teacher[s]) / norm
    cosine /= np.sqrt(np.sum(covariance * draws.teacher[s] ** 2))
    outputs = draws.labels[s, :count] * (draws.inputs[s, :count] @ w)
    return {
        "R": cosine,
        "angle": np.arccos(cosine),
        "generalisation_error": np.arccos(cosine) / np.pi,
        "training_error": np.mean(outputs < 0),
        "Q": norm**2,
        "margin": outputs.min() / norm,
    }


@pytest.mark.parametrize("rule", ["hebb", "pseudo-inverse", "max-stability"])
def test_observables_are_those_of_the_students_that_define_the_rules(rule: str) -> None:
    problem = instance(rule=rule, kappa=2.0)
    found = simulation.examples(problem, TIMES, seeds=SEEDS)
    draws = draw(problem, SEEDS, 18)
    for s, (t, count) in product(range(2), enumerate(counts := numbers(problem, TIMES))):
        whole = draws.labels[s, :, None] * draws.inputs[s]
        z = whole[:count]
        w = {
            "hebb": lambda z=z: z.sum(axis=0),
            "pseudo-inverse": lambda z=z: np.linalg.pinv(z).sum(axis=1),
            "max-stability": lambda t=t, whole=whole: students(margins.largest(whole, counts).w)[t],
        }[rule]()
        wanted = plain(problem, draws, s, count, w)
        assert (rule == "max-stability") == ("margin" in found)
        for name, values in found.items():
            assert_same(
                values[s, t], wanted[name], 1e-6 * (1 + abs(wanted[name])), "the certificate's distance"
            )


def test_losses_are_means_over_examples_without_the_ridge() -> None:
    by_rule = {"square": lambda m: (1 - m) ** 2 / 2, "logistic": lambda m: np.log1p(np.exp(-m)),
               "hinge": lambda m: np.maximum(0, 1 - m)}  # fmt: skip
    for rule in MINIMISED:
        problem = instance(rule=rule, noise=0.8, ridge=0.5)
        found = simulation.examples(problem, TIMES, seeds=SEEDS[:1])["training_loss"]
        draws = draw(problem, SEEDS[:1], 18)
        z = draws.labels[0][:, None] * draws.inputs[0]
        w = students(getattr(losses, rule)(z, numbers(problem, TIMES), 0.5))[2]
        assert_same(found[0, 2], by_rule[rule](z @ w).mean(), 10 * EPS, "a mean in another order")


def test_the_largest_margin_is_found_where_inputs_differ_in_strength() -> None:
    """The student meets every example, and positive weights of those that it just meets make it up."""
    problem = instance(rule="max-stability", d=50, kappa=10.0)
    draws = draw(problem, range(3), 900)
    for s in range(3):
        z = draws.labels[s][:, None] * draws.inputs[s]
        found = margins.largest(z, np.array([900]))
        w = students(found.w)[0]
        assert int(found.verdict[0]) == 1
        outputs = z @ w
        assert outputs.min() == pytest.approx(1, abs=1e-9)
        held = z[outputs < 1 + 1e-6]
        assert len(held) <= 50
        assert nnls(held.T, w)[1] < 1e-6 * np.linalg.norm(w)


# The version space --------------------------------------------------------------------------------------
def test_binary_weights_are_all_tried() -> None:
    problem = instance(d=5, rule="gibbs", weights="binary")
    found = simulation.examples(problem, TIMES, seeds=SEEDS)
    centres = simulation.examples(instance(d=5, rule="bayes", weights="binary"), TIMES, seeds=SEEDS)
    draws = draw(problem, SEEDS, 15)
    every = np.array(list(product((-1.0, 1.0), repeat=5)))
    for s, (t, count) in product(range(2), enumerate(numbers(problem, TIMES))):
        right = every @ draws.inputs[s, :count].T * draws.labels[s, :count] > 0
        space = every[right.all(axis=1)]
        overlap = space @ draws.teacher[s] / 5
        assert_same(found["R"][s, t], overlap.mean(), 10 * EPS, "sums")
        assert_same(found["angle"][s, t], np.arccos(np.clip(overlap, -1, 1)).mean(), 1e-7, "arccos near 1")
        assert_same(found["entropy"][s, t], np.log(len(space) / 32) / 5, 10 * EPS, "one logarithm")
        assert_same(centres["Q"][s, t], np.mean(space.mean(axis=0) ** 2), 10 * EPS, "sums")


@pytest.mark.thorough
def test_in_the_plane_members_are_uniform_in_the_wedge_of_those_who_agree() -> None:
    """For d = 2 the version space is a wedge of directions: its share, and the mean of a member, by hand."""
    problem = instance(d=2, rule="gibbs")
    times, seeds = np.array([1.0, 2.5]), range(24)
    found = simulation.examples(problem, times, seeds=seeds)
    draws = draw(problem, seeds, 5)
    z = draws.labels[..., None] * draws.inputs
    aim = np.arctan2(draws.teacher[:, 1], draws.teacher[:, 0])
    turned = (np.arctan2(z[..., 1], z[..., 0]) - aim[:, None] + np.pi) % (2 * np.pi) - np.pi
    shares, overlaps = [], []
    for count in numbers(problem, times):
        low, high = turned[:, :count].max(axis=1) - np.pi / 2, turned[:, :count].min(axis=1) + np.pi / 2
        shares.append((high - low) / (2 * np.pi))
        overlaps.append((np.sin(high) - np.sin(low)) / (high - low))
    assert mean_within_errors(found["R"] - np.transpose(overlaps), 0.0).agrees
    volume = np.exp(2 * found["entropy"]) / np.transpose(shares)  # its mean is exact
    assert mean_within_errors(volume, 1.0).agrees
    assert not mean_within_errors(volume, 1.3).agrees


@pytest.mark.thorough
def test_members_of_a_population_are_as_far_from_each_other_as_from_the_teacher() -> None:
    """The teacher is one of them, drawn from the same law: a population that has not mixed is found out."""
    draws = draw(instance(rule="gibbs"), range(30), 18)
    difference = []
    for s in range(30):
        z = draws.labels[s][:, None] * draws.inputs[s]
        found = np.asarray(version_space._evolved(z, COUNTS, jax.random.key(s))[0])[2]
        others = found.sum(axis=0)
        count = len(found)
        overlap = (others @ others / D - count) / (count * (count - 1))
        difference.append(overlap - others @ draws.teacher[s] / D / count)
    assert mean_within_errors(np.array(difference), 0.0).agrees
    assert not mean_within_errors(np.array(difference) + 0.2, 0.0).agrees


# What is not answered -----------------------------------------------------------------------------------
def test_what_has_no_answer_is_nan_with_the_reason() -> None:
    problem = instance(rule="max-stability", labels="random")
    draws = draw(problem, SEEDS, 18)
    signed = draws.labels[..., None] * draws.inputs
    verdict = np.array([np.asarray(margins.largest(z, numbers(problem, TIMES)).verdict) for z in signed])
    assert {-1, 1} == {*verdict.ravel()}
    ask: dict[str, Any] = {"times": TIMES, "seeds": SEEDS}
    with pytest.warns(UnconvergedWarning, match=r"the examples are not separable"):
        found = simulation.examples(problem, **ask)
    np.testing.assert_array_equal(np.isnan(found["margin"]), verdict < 0)
    with pytest.warns(UnconvergedWarning, match=r"examples are separable, so without ridge"):
        found = simulation.examples(instance(rule="logistic", labels="random", ridge=0), **ask)
    np.testing.assert_array_equal(np.isnan(found["R"]), verdict > 0)
    with pytest.warns(UnconvergedWarning, match=r"rounding hides the solution; NaN in 2 of 2 draws"):
        found = simulation.examples(instance(rule="square", ridge=0), **ask)
    np.testing.assert_array_equal(np.isnan(found["R"][:, [0, 2]]), [[True, False]] * 2)
