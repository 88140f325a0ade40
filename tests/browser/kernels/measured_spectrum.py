"""Errors of students on rows from a pool: over training, and when it never stops."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import teacherstudent as ts
from teacherstudent.lessons import rows as lesson
from tests.browser.kernels import Kernel

SCRIPT = "theory/measured_spectrum.js"
MOST = 50
"""Modes at most; the lesson's digits have 46."""


@cache
def directions(rows: int) -> np.ndarray:
    """Orthonormal directions of so many centred rows."""
    drawn = np.random.default_rng(rows).standard_normal((rows, MOST + 2))
    found: np.ndarray = np.linalg.qr(drawn - drawn.mean(axis=0))[0]
    return found


def pool(random: np.random.Generator) -> dict[str, Any]:
    """Two to fifty modes over up to four decades; a fifth of the time as many rows as modes, or one apart."""
    size, rows = int(random.integers(2, MOST + 1)), int(random.choice([80, 200, 600, 1797]))
    n = int(np.rint(2 * (rows / 2.5) ** random.uniform(0, 1)))
    if random.random() < 0.2:
        n = max(2, size + int(random.integers(-1, 2)))
    eigenvalues = np.sort(10 ** random.uniform(-4, 0, size))[::-1]
    noise = float(random.uniform(0, 1)) if random.random() < 0.7 else 0.0
    return dict(eigenvalues=(eigenvalues / eigenvalues.sum()).tolist(), rows=rows, n=n, noise=noise)


def target(random: np.random.Generator, size: int) -> tuple[list[float], float]:
    """The power in each mode, and the rest."""
    shares = random.dirichlet(np.full(size + 1, 0.3))
    return shares[:-1].tolist(), float(shares[-1])


def over_time(random: np.random.Generator) -> dict[str, Any]:
    """Two targets at six times."""
    question = pool(random)
    powers, rests = zip(*(target(random, len(question["eigenvalues"])) for _ in range(2)), strict=True)
    times = np.sort(10 ** random.uniform(-2, 5, 6)).tolist()
    return question | dict(powers=list(powers), rests=list(rests), times=times)


def flow(
    eigenvalues: list[float], rows: int, powers: list[list[float]], rests: list[float], **question: Any
) -> dict[str, Any]:
    """What the front door says of rows that have these curves."""
    size, vectors = len(eigenvalues), directions(rows)
    features = vectors[:, :size] * np.sqrt(rows * np.array(eigenvalues))
    errors = []
    for power, rest in zip(powers, rests, strict=True):
        labels = vectors[:, : size + 1] @ np.sqrt(rows * np.array([*power, rest]))
        asked = dict(features=features, targets=labels, task="regression", intercept="pool")
        asked |= dict(dynamics="flow", route="asymptotic")
        errors.append(ts.curve("measured-spectrum", **asked, **question)["generalisation_error"].values)
    return {"generalisation_error": errors}


def at_the_end(random: np.random.Generator) -> dict[str, Any]:
    """One target, its training never stopped."""
    question = pool(random)
    question["n"] += question["n"] == len(question["eigenvalues"])  # infinity has no digits to compare
    power, rest = target(random, len(question["eigenvalues"]))
    return question | dict(power=power, rest=rest)


def endless(
    eigenvalues: list[float], rows: int, power: list[float], rest: float, n: int, noise: float
) -> Any:
    """By the lesson's own formulas, which its tests hold to the front door's vanishing ridge."""
    given = dict(eigenvalues=eigenvalues, rows=rows, power=[power], rest=[rest])
    return {"generalisation_error": lesson.endless(given, 0, n, noise)}


def at_a_ridge(random: np.random.Generator) -> dict[str, Any]:
    """One ridge, from one over a long time to one over a short one."""
    question = pool(random)
    return {name: question[name] for name in ("eigenvalues", "rows", "n")} | dict(
        z=float(10 ** random.uniform(-5, 2))
    )


def ridge(n: int, z: float, **given: Any) -> dict[str, Any]:
    """By the lesson's own equation of q."""
    q, h = lesson.root(given, n, z)
    return {"q": q, "h": h}


KERNELS = [
    # Python decomposes a table of rows for each question.
    Kernel("measured_spectrum.flow", SCRIPT, over_time, flow, count=60),
    Kernel("measured_spectrum.endless", SCRIPT, at_the_end, endless),
    Kernel("measured_spectrum.ridge", SCRIPT, at_a_ridge, ridge),
]
