"""Images as theory and simulation use them, and random draws of training images and wrong labels.

Axes: S seeds, N images, P pixels, d components, c classes, n training images, M test images.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teacherstudent.house.errors import InputError, Misread
from teacherstudent.house.extras import importing_extra
from teacherstudent.house.memory_cache import Remembered
from teacherstudent.house.reading import why_unreadable
from teacherstudent.problems.residual_digits import ResidualDigits
from teacherstudent.problems.residual_digits.folders import spaced

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Images:
    """All images that were taken, which nobody writes to; those from `tested` on are the test part.

    pixels: x, (N, P). components: z, (N, d). classes: (N,). count: of classes. tested: None where any image
    that is not trained on is tested.
    """

    pixels: np.ndarray
    components: np.ndarray
    classes: np.ndarray
    count: int
    tested: int | None


@dataclass(frozen=True)
class Draws:
    """Places of training and test images, (S, n) and (S, M), and labels, wrong ones among them, (S, n)."""

    training: np.ndarray
    tested: np.ndarray
    labels: np.ndarray


_IMAGES: Remembered[Images] = Remembered()


def images_of(problem: ResidualDigits) -> Images:
    """The images of a problem. The same object again while it is remembered.

    Raises `InputError` where a file of the folder is not what it should be, or all images are equal.
    """
    key = (problem.data, problem.pool, problem.components)
    return _IMAGES.get(key, lambda: _images(problem))


def draw(problem: ResidualDigits, seeds: Sequence[int]) -> Draws:
    """Draw training images and wrong labels, a stream of each seed for each.

    A seed draws its images in one order: fewer are the first of more.
    """
    import numpy as np

    images = images_of(problem)
    candidates = images.tested or len(images.classes)
    orders = np.stack([np.random.default_rng([seed, 0]).permutation(candidates) for seed in seeds])
    training, rest = orders[:, : problem.n], orders[:, problem.n :]
    if images.tested is not None:
        rest = np.tile(np.arange(images.tested, len(images.classes)), (len(seeds), 1))
    labels = images.classes[training]
    for row, seed in zip(labels, seeds, strict=True):
        generator = np.random.default_rng([seed, 1])
        wrong = generator.random(problem.n) < problem.label_noise
        row[:] = np.where(wrong, row + generator.integers(1, images.count, problem.n), row) % images.count
    return Draws(training, rest, labels)


def targets(labels: np.ndarray, count: int) -> np.ndarray:
    """One-hot rows minus their mean, (..., c), of labels (...)."""
    import numpy as np

    return np.eye(count)[labels] - 1 / count


def _images(problem: ResidualDigits) -> Images:
    import numpy as np

    pixels, classes, candidates, tested = _taken(problem)
    known = pixels[:candidates]
    spread = float(known.std())
    if not spread > 0:
        raise InputError("data", str(problem.data), "images that differ: here all pixels are equal")
    pixels = (pixels - known.mean()) / spread
    known = pixels[:candidates]
    middle = known.mean(axis=0)
    _, strengths, axes = np.linalg.svd(known - middle, full_matrices=False)
    d = problem.components
    if not strengths[d - 1] > 1e-9 * strengths[0]:
        most = int(np.sum(strengths > 1e-9 * strengths[0]))
        domain = f"at most {most}: the images of {problem.data.name} have no more components"
        raise InputError("components", d, domain)
    components = (pixels - middle) @ axes[:d].T * (np.sqrt(candidates) / strengths[:d])
    count = problem.data.sizes(problem.pool).classes
    for each in (pixels, components, classes):
        each.setflags(write=False)
    return Images(pixels, components, classes, count, tested)


def _taken(problem: ResidualDigits) -> tuple[np.ndarray, np.ndarray, int, int | None]:
    """Pixels, classes, how many to draw from, and where the test part begins: None where there is none."""
    import numpy as np

    layout, sizes = problem.data.layout, problem.data.sizes(problem.pool)
    if layout is None:
        with importing_extra("--data digits"):
            from sklearn import datasets as installed

        pixels, classes = installed.load_digits(return_X_y=True)
        places = spaced(len(classes), sizes.training)
        return pixels[places], classes[places], sizes.training, None
    try:
        train = layout.read("train", spaced(layout.training, sizes.training))
        test = layout.read("test", spaced(layout.tested, sizes.tested))
        if layout.digest_of(problem.pool) != problem.data.digest:
            raise Misread("its files have changed since it was named")
    except (Misread, OSError) as error:
        said = error.hint if isinstance(error, Misread) else why_unreadable(error)
        raise InputError("data", problem.data.name, "a folder of images that can be read", said) from None
    pixels = np.concatenate([train[0], test[0]]).astype(float)
    return pixels, np.concatenate([train[1], test[1]]), sizes.training, sizes.training
