"""Boundaries that lesson 4 shows, found by bisection beforehand.

`python -m teacherstudent.lessons.pages.bisected` finds them again, in three minutes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "drawn" / "boundaries-bisected.json"


def bisected() -> dict[str, Any]:
    """The relative `accuracy`, the values of `noise` and `alpha`, and the critical condition numbers.

    Numbers of each curve have the shape (noise, alpha).
    """
    return json.loads(FILE.read_text(encoding="utf-8"))


def critical(curve: str, noise: float, alpha: float, accuracy: float) -> float:
    """The condition number beyond which the error descends twice."""
    import teacherstudent as ts

    shape: dict[str, Any] = dict(d=100, p=70, noise=noise, alpha=alpha)
    return ts.onset("multiscale", curve=curve, kappa=(1.5, 60.0), accuracy=accuracy, **shape).value


def find() -> dict[str, Any]:
    """Find all boundaries."""
    from teacherstudent.lessons.boundaries import ALPHAS, CURVES, NOISES

    found: dict[str, Any] = dict(accuracy=1e-4, noise=NOISES, alpha=ALPHAS)
    for curve in CURVES:
        rows = [[critical(curve, noise, alpha, found["accuracy"]) for alpha in ALPHAS] for noise in NOISES]
        found[curve] = [[round(each, 6) for each in row] for row in rows]
    return found


if __name__ == "__main__":
    FILE.write_text(json.dumps(find()) + "\n", encoding="utf-8")
    print(FILE)
