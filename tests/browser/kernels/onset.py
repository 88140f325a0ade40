"""Where the number of descents of the excess risk changes with the condition number."""

from __future__ import annotations

from typing import Any

import numpy as np

import teacherstudent as ts
from tests.browser.kernels import Kernel


def _question(rng: np.random.Generator) -> dict[str, Any]:
    """Those of lesson 4, and between and beyond its settings; both bisect in the same steps."""
    return {
        "curve": str(rng.choice(["flow", "ridge", "printed"])),
        "d": 100,
        "p": int(rng.integers(65, 76)),
        "alpha": round(float(rng.uniform(1.1, 3.0)), 2),
        "noise": float(rng.uniform(0, 0.3)),
        "kappa": [1.5, 60.0],
        "accuracy": float(10 ** rng.uniform(-5, -3)),
    }


def _answer(**question: Any) -> dict[str, Any]:
    found = ts.onset("multiscale", **question)
    return {name: getattr(found, name) for name in ("value", "below", "above")}


# Python takes half a second for each.
KERNELS = [Kernel("onset.of", "theory/onset.js", _question, _answer, count=60)]
