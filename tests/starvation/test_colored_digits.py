"""Coloured digits: the law of the data, what a student says of each input, and the six variants."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.problems.colored_digits import CORNERS, TRAINING, drawn
from teacherstudent.sims.starvation import colored_digits
from teacherstudent.theory.starvation import pointwise
from tests.roundings import repeated


def red(images: np.ndarray) -> np.ndarray:
    """The colour of each image, 1 or -1."""
    return np.where(images[:, :64].sum(axis=1) > images[:, 64:].sum(axis=1), 1, -1)


def test_colours_follow_labels_in_training_and_mislead_in_the_test() -> None:
    sets = [drawn(seed) for seed in range(20)]
    same = np.array([red(each.images) == each.labels for each in sets])
    half = TRAINING // 2
    assert abs(same[:, :half].mean() - 0.8) < 0.02
    assert abs(same[:, half:].mean() - 0.9) < 0.02
    tested = np.array([red(each.tests["colored digits"]) == each.truth for each in sets])
    assert abs(tested.mean() - 0.1) < 0.02


def test_corners_keep_what_they_say() -> None:
    tests = drawn(0).tests
    assert tuple(tests) == CORNERS
    colored, gray, blanks, gray_blanks = (tests[name] for name in CORNERS)
    assert np.array_equal(colored[:, :64] + colored[:, 64:], 2 * gray[:, :64])
    assert (gray[:, :64] == gray[:, 64:]).all()
    assert np.array_equal(red(blanks), red(colored))
    assert len(np.unique(gray_blanks)) == 1
    assert set(np.unique(blanks)) == {0.0, *np.unique(2 * gray_blanks)}


def test_colour_wins_where_shape_says_otherwise() -> None:
    share = pointwise.share(0.15, 0.25)
    assert share[1, 0] == pytest.approx(0.85 * 0.25 / (0.85 * 0.25 + 0.15 * 0.75))
    for penalty in (1e-3, 0.1, 10.0):
        assert np.array_equal(pointwise.minimum(share, penalty) > 0, [[False, False], [True, True]])


def test_the_minimum_is_one() -> None:
    p, penalty = np.array([0.2, 0.6, 0.97]), 0.3
    f = pointwise.minimum(p, penalty)

    def loss(f: np.ndarray) -> np.ndarray:
        return p * np.log1p(np.exp(-f)) + (1 - p) * np.log1p(np.exp(f)) + penalty * f**2

    assert np.all(loss(f) <= np.minimum(loss(f + 1e-4), loss(f - 1e-4)))


@pytest.mark.thorough
def test_all_variants_begin_alike_and_part_at_the_switch() -> None:
    switch = colored_digits.SWITCH
    names = ["no switch", "script", "Eq. 6.3.17"]
    found = colored_digits.trained(1, names, [5, switch, switch + 3])
    plain, script, printed = (found[name] for name in names)
    for other in (script, printed):
        assert repeated(plain.entropies[:2], other.entropies[:2])
    assert (script.entropies[2] != plain.entropies[2]).all()
    assert (printed.entropies[2] > script.entropies[2]).all()  # the whole penalty takes confidence at once
    assert plain.corners.shape == (3, 4)
