"""GramClust in small: features, clusters and batches, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.sims.spurious_groups import gramclust
from tests.roundings import unrounded


def test_activations_are_those_of_convolutions_written_out() -> None:
    network = gramclust.initial(0)
    image = np.random.default_rng(1).standard_normal((8, 8))

    def layer(maps: np.ndarray, weights: np.ndarray) -> np.ndarray:
        padded = np.pad(maps, ((1, 1), (1, 1), (0, 0)))
        found = np.zeros((8, 8, weights.shape[1]))
        for row, column in np.ndindex(8, 8):
            found[row, column] = padded[row : row + 3, column : column + 3].reshape(-1) @ weights
        return np.maximum(found, 0)

    second = layer(layer(image[..., None], np.asarray(network.first)), np.asarray(network.second))
    found = np.asarray(gramclust.activations(network, image[None]))
    np.testing.assert_allclose(found[0], second.reshape(64, 16), atol=1e-12)


def test_gram_matrices_do_not_change_where_positions_are_exchanged() -> None:
    maps = np.random.default_rng(0).standard_normal((2, 10, 4))
    np.testing.assert_allclose(gramclust.gram(maps), gramclust.gram(maps[:, ::-1]), atol=1e-12)


def test_a_match_is_the_better_of_two_orders() -> None:
    assert unrounded(gramclust.matching(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 1])), 0.75)
    assert unrounded(gramclust.matching(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])), 0.5)


def test_batches_of_balanced_sets_draw_each_as_often() -> None:
    sets = np.repeat([0, 1, 2], (1000, 150, 50))
    chances = 1 / (3 * np.bincount(sets)[sets])
    rows = gramclust.epochs(0, 3, 20, chances, True)
    counts = np.bincount(sets[rows.ravel()], minlength=3)
    assert np.abs(counts - rows.size / 3).max() < 5 * np.sqrt(rows.size)


def test_a_pass_visits_every_image_at_most_once() -> None:
    rows = gramclust.epochs(0, 2, 1, np.full(100, 0.01), False)
    assert rows.shape == (3, 32)
    assert len(set(rows.ravel().tolist())) == rows.size


def test_clusters_of_an_untrained_network_tell_stripes_from_pixels() -> None:
    data = gramclust.drawn(5)
    assert np.mean(data.directions == data.classes) == pytest.approx(0.95, abs=0.03)
    gram, pixels = (
        gramclust.matching(gramclust.clusters(5, kind, data), data.directions)
        for kind in ("Gram matrices, untrained", "pixels")
    )
    assert pixels < 0.6 < gram
