"""The tangent kernel and descent by it, against gradients and steps written out."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.problems.residual_digits import PROBLEM
from teacherstudent.problems.residual_digits.data import draw, images_of, targets
from teacherstudent.theory.residual_digits import descent, kernel


def test_the_kernel_is_that_of_many_units() -> None:
    """Means over normal weights of what a unit's gradients add, by W, b and A."""
    generator = np.random.default_rng(0)
    x = generator.standard_normal((3, 5))
    inputs = np.c_[x / np.sqrt(5), np.full(3, 0.5)]
    fields = inputs @ generator.standard_normal((6, 400_000))
    last = np.maximum(fields, 0) @ np.maximum(fields, 0).T
    first = (inputs @ inputs.T) * ((fields > 0).astype(float) @ (fields > 0).T)
    np.testing.assert_allclose(kernel.branch(x, x), (first + last) / fields.shape[1], atol=0.01)


def test_outputs_are_those_of_linear_descent_step_by_step() -> None:
    problem = PROBLEM.instance(n=12, components=5, weight_decay=0.02, branch_scale=0.5, skip_scale=0.8)
    images, drawn = images_of(problem), draw(problem, [3])
    rows = drawn.training[0]
    x, z = images.pixels[rows], images.components[rows]
    K = kernel.tangent(problem, x, z, x, z)
    y, eta, f = targets(drawn.labels[0], 10), 2.0, np.zeros((12, 10))
    for _ in range(7):
        f = (1 - eta * 0.02) * f - eta * K @ (f - y) / 12
    (found,) = descent.outputs(problem, np.array([7]), learning_rate=eta, seeds=[3])
    np.testing.assert_allclose(found.training[0], f, atol=1e-12)


def test_training_without_decay_ends_at_all_labels() -> None:
    problem = PROBLEM.instance(n=10, components=4, branch_scale=1.0)
    answer = descent.descent(problem, np.array([10**7]), learning_rate=0.2, seeds=[0])
    assert answer["training_loss"] < 1e-12
    assert answer["training_error"] == 0


def test_steps_that_are_too_long_have_no_answer() -> None:
    problem = PROBLEM.instance(n=10, components=4)
    with pytest.warns(UnconvergedWarning, match="learning_rate 10000: gradient descent diverges"):
        answer = descent.descent(problem, np.array([0, 1]), learning_rate=1e4, seeds=[0])
    assert np.isfinite(answer["test_error"][0, 0])
    assert np.isnan(answer["test_error"][0, 1])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"n": 1797}, "n 1797: must be at most 1796"),
        ({"components": 65}, "components 65: must be at most 64"),
        ({"components": 64}, "components 64: must be at most 61: the images of digits have no more"),
        ({"skip_scale": 0, "branch_scale": 0}, "branch_scale 0: must be above 0 with --skip-scale 0"),
        ({"data": "digit"}, "data digit: must be digits, or a folder .* did you mean digits"),
    ],
)
def test_what_cannot_be_is_refused(given: dict, said: str) -> None:
    with pytest.raises(InputError, match=said.replace("_", "[_-]")):
        images_of(PROBLEM.instance(**given))


def test_a_share_of_labels_is_wrong_and_all_wrong_ones_are_alike() -> None:
    problem = PROBLEM.instance(n=1000, label_noise=0.3)
    drawn = draw(problem, range(10))
    off = (drawn.labels - images_of(problem).classes[drawn.training]) % 10
    counts = np.bincount(off.ravel(), minlength=10)
    assert abs(counts[0] - 7000) < 5 * np.sqrt(10_000 * 0.3 * 0.7)
    assert np.all(np.abs(counts[1:] - 3000 / 9) < 5 * np.sqrt(3000 / 9))


def test_no_image_is_both_trained_on_and_tested() -> None:
    drawn = draw(PROBLEM.instance(n=100), [1])
    assert sorted([*drawn.training[0], *drawn.tested[0]]) == list(range(1797))


def test_components_are_white_and_pixels_standardised() -> None:
    images = images_of(PROBLEM.instance())
    np.testing.assert_allclose(images.components.T @ images.components / 1797, np.eye(50), atol=1e-10)
    assert abs(images.pixels.mean()) < 1e-12
    assert images.pixels.std() == pytest.approx(1)
