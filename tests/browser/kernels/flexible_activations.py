"""How many parameters are free: whole numbers, which must be the same."""

from __future__ import annotations

from typing import Any

import numpy as np

import teacherstudent as ts
from tests.browser.kernels import Kernel


def network(rng: np.random.Generator) -> dict[str, Any]:
    """Any network of the sliders and somewhat larger ones, after few examples and after all."""
    inputs, outputs, units = (int(rng.integers(1, most + 1)) for most in (6, 6, 7))
    lowest = int(rng.integers(1, 3))
    degree = int(rng.integers(lowest, 6))
    times = [*np.unique(rng.integers(1, 60, 12)).tolist(), 10_000]
    return dict(inputs=inputs, outputs=outputs, units=units, degree=degree, lowest=lowest, times=times)


def free(**asked: Any) -> dict[str, Any]:
    """The front door's answer."""
    found = ts.curve("flexible-activations", dynamics="examples", route="rank", **asked)
    return {name: found[name].values for name in ("ambiguity", "direction_ambiguity")}


KERNELS = (Kernel("flexible_activations.rank", "theory/flexible_activations.js", network, free),)
