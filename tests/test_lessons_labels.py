"""Lesson 16 says what the theory says: its kernel, its labels, and both parts of the loss."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.lessons import labels as lesson
from teacherstudent.lessons.pages.cells import Notebook
from teacherstudent.problems.residual_digits.data import targets

SETTING = (0.3, 0.1, 1e-3)


def test_what_is_given_to_the_page_is_what_the_theory_draws() -> None:
    given = Notebook("labels").given
    assert given
    images, of = lesson.drawn(SETTING[0])
    true = images.classes[of.training]
    assert np.array_equal(np.where(np.array(given["chance"]) < SETTING[0], given["wrong"], true), of.labels)
    pixels = np.array([[ord(letter) for letter in row] for row in given["pixels"]], dtype=float)
    assert (pixels - pixels.mean()) / pixels.std() == pytest.approx(images.pixels, abs=1e-12)


def test_its_outputs_are_those_of_the_theory_without_wrong_labels() -> None:
    loss = lesson.claimed(0.0, *SETTING[1:])["test_loss"].mean("seed").values
    parts = lesson.learned(0.0, *SETTING[1:])
    assert parts["bias"] == pytest.approx(loss, rel=1e-9)
    assert np.isnan(parts["told"]).all()
    assert (parts["variance"] == 0).all()


def test_both_parts_of_the_loss_are_its_mean_over_wrong_labels() -> None:
    """Of one draw of images, labels are drawn anew: the mean is within five of its standard errors."""
    q, epsilon, wd = SETTING
    images, of = lesson.drawn(0.0)
    random, is_ = np.random.default_rng(0), images.classes[of.training]
    wanted = targets(images.classes[of.tested], 10)
    losses = []
    for _ in range(200):
        wrong = random.random(is_.shape) < q
        said = np.where(wrong, (is_ + random.integers(1, 10, is_.shape)) % 10, is_)
        one = [
            tests @ (lesson.filters(c, wd)[..., None] * (V.T @ targets(told, 10) / lesson.N)) - y
            for (c, V, tests), told, y in zip(lesson.modes(epsilon), said, wanted, strict=True)
        ]
        losses.append(np.mean(np.sum(np.array(one) ** 2, axis=-1), axis=(0, -1)) / 2)
    parts = lesson.learned(*SETTING)
    error = np.std(losses, axis=0, ddof=1) / np.sqrt(len(losses))
    assert (np.abs(np.mean(losses, axis=0) - parts["bias"] - parts["variance"]) < 5 * error).all()


def test_the_truth_is_learned_before_the_noise_and_wrong_labels_are_fitted_in_the_end() -> None:
    parts = lesson.learned(0.15, 0.1, 0.0)
    assert (parts["truth"] > parts["wrong"]).all()
    assert parts["true"][0] > 0.5
    assert parts["told"][-1] > 0.99


def test_the_loss_descends_twice_without_wrong_labels_too_and_noise_is_not_lost_again() -> None:
    for q in (0.0, 0.15):
        loss = lesson.claimed(q, 0.1, 0.0)["test_loss"].mean("seed").values
        first = int(np.argmax(np.diff(loss) > 0))
        top = first + int(np.argmax(loss[first:]))
        assert loss[first] < loss[top] > loss[-1]
    parts = lesson.learned(0.15, 0.1, 0.0)
    assert (np.diff(parts["variance"][2:]) > 0).all()


@pytest.mark.thorough
def test_networks_agree_with_the_theory_early_in_training() -> None:
    import teacherstudent as ts

    question = {**lesson.asked(0.15, 0.1, 0.0), "times": [1, 3, 10, 30]}
    both = (ts.sample("residual-digits", route=route, **question) for route in ("simulation", "kernel"))
    assert ts.compare(*map(lesson.arranged, both)).agrees
