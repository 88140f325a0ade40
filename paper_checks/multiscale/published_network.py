"""Fig. 6, right, by its published arrays: one curve of a ResNet-18 without the output penalty, one with it.

The arrays hold no errors. The scatter of the epochs in a window stands for them, so this is about these two
curves, not about other networks. How much they rise before is not compared: the first minimum is too short.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.claims import positive
from teacherstudent.paper_checks.judging.evidence import Seeds, WrongClaim
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.problems import resnet

WINDOW = 41
"""Epochs whose mean is taken: less than half of what a cusp lasts."""
BLOCK = 7
"""Epochs that are averaged for each of as many numbers at the end of training."""
FIRST = 200
"""The first minimum is before this epoch: later ones belong to the second descent."""

Cusps = dict[str, np.ndarray]
"""Test errors around the maximum after the first minimum, and at the end of training, (2, WINDOW)."""


def missing() -> str:
    """What a machine lacks that does not have the arrays."""
    return "" if resnet.folder() else f"the arrays of Fig. 6 in the folder named by {resnet.FOLDER}"


def published(_: Seeds) -> Cusps:
    """Evidence: the cusps of both curves."""
    runs = resnet.penalty_runs()
    assert runs is not None
    return {name: cusp(runs[name].values) for name in ("plain", "penalised")}


def cusp(errors: np.ndarray) -> np.ndarray:
    """The top of the cusp of a curve over epochs, and what is left in the end, (2, WINDOW)."""
    windows = np.lib.stride_tricks.sliding_window_view(errors, WINDOW)
    level = windows.mean(axis=1)
    low = int(np.argmin(level[:FIRST]))
    high = low + int(np.argmax(level[low:]))
    return np.stack([windows[high], errors[-WINDOW * BLOCK :].reshape(WINDOW, BLOCK).mean(axis=1)])


def diminished(found: Cusps, more: str = "plain", less: str = "penalised", still: int = 1) -> np.ndarray:
    """What is positive if the penalty makes the cusp lower and its fall less, not nothing: (3, WINDOW)."""
    (high, end), (high_less, end_less) = found[more], found[less]
    fall = high_less - end_less
    return np.stack([high - high_less, high - end - fall, still * fall])


PUBLISHED = check(
    id="ms-published-penalty",
    title="with the penalty, the published ResNet-18 test error peaks lower and falls less afterwards",
    ref="Fig. 6 right",
    evidence=published,
    claim=diminished,
    judge=positive("test error"),
    wrong=(
        WrongClaim(
            "with the penalty, a higher peak and a larger fall after it",
            partial(diminished, more="penalised", less="plain"),
        ),
        WrongClaim("no second descent with the penalty", partial(diminished, still=-1)),
    ),
    lacks=missing,
)

CHECKS = (PUBLISHED,)
