"""Small digits whose colour predicts the label better than their shape (pezeshki2022 ch. 6.4.3).

On scikit-learn's 8 x 8 digits a label y is whether the digit is 5 or more, flipped with probability `NOISE`;
the colour of an image is y, flipped with the probabilities `FLIPS` in either half of the training images and
`TEST_FLIP` in test images. An image has two channels: the colour's holds the digit, and the other is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from teacherstudent.house.extras import importing_extra

if TYPE_CHECKING:
    import numpy as np

TRAINING = 1200
"""Images, the first half of them in the first environment; the other 597 are tested."""
NOISE = 0.25
FLIPS = (0.2, 0.1)
TEST_FLIP = 0.9
SIZES = (128, 64, 64, 1)
"""Units of the network's layers."""
RATE = 1e-3
"""Learning rate of Adam."""
SWITCH, STEPS = 150, 650
"""Steps after which the loss changes, and in all; the published script, with more images, changes at 450."""
LONGER = round(SWITCH * 1001 / 450)
"""Steps of ERM: as much longer than to the switch as the article's, 1001 steps and 450."""
RECORDED = (20, 60, 100, SWITCH, 160, 180, 220, 300, LONGER, 400, 500, STEPS)
"""Steps at which networks are looked at."""
SCALE = 2e-5
"""What the published script multiplies the whole loss by."""
CORNERS = ("colored digits", "gray digits", "colored blanks", "gray blanks")
"""Test images with their colour and without it (both channels half), and blanks.

Blanks have one shade, the mean of all training pixels, as in the published script.
"""


@dataclass(frozen=True)
class Colored:
    """Images (n, 128), both channels one after the other, and labels (n,), +1 or -1.

    tests: of each of `CORNERS`; all have the same labels `truth`, (m,).
    """

    images: np.ndarray
    labels: np.ndarray
    tests: dict[str, np.ndarray]
    truth: np.ndarray


def drawn(seed: int) -> Colored:
    """One training and one test set."""
    import numpy as np

    with importing_extra("the data set digits"):
        from sklearn import datasets as installed

    generator = np.random.default_rng([seed, 0])
    pixels, digits = installed.load_digits(return_X_y=True)
    order = generator.permutation(len(digits))
    pixels, shapes = pixels[order] / 16, np.where(digits[order] >= 5, 1, -1)
    labels = _flipped(shapes, np.full(len(shapes), NOISE), generator)
    first = np.arange(TRAINING) < TRAINING // 2
    flips = np.concatenate([np.where(first, *FLIPS), np.full(len(shapes) - TRAINING, TEST_FLIP)])
    red = _flipped(labels, flips, generator) > 0
    tested = slice(TRAINING, None)
    blank = np.full_like(pixels[tested], pixels[:TRAINING].mean())
    tests = (
        _colored(pixels[tested], red[tested]),
        np.concatenate([pixels[tested], pixels[tested]], axis=1) / 2,
        _colored(blank, red[tested]),
        np.concatenate([blank, blank], axis=1) / 2,
    )
    return Colored(
        _colored(pixels[:TRAINING], red[:TRAINING]),
        labels[:TRAINING],
        dict(zip(CORNERS, tests, strict=True)),
        labels[tested],
    )


def _flipped(signs: np.ndarray, shares: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    import numpy as np

    return np.where(generator.random(len(signs)) < shares, -signs, signs)


def _colored(pixels: np.ndarray, red: np.ndarray) -> np.ndarray:
    import numpy as np

    return np.concatenate([pixels * red[:, None], pixels * ~red[:, None]], axis=1)
