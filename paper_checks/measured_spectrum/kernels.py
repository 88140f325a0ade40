"""Features and their Gram matrix are one problem: every kind of theory is asked both ways."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.measured_spectrum import check
from teacherstudent.paper_checks.measured_spectrum.kit.asking import errors
from teacherstudent.paper_checks.measured_spectrum.kit.tables import few_rows

TRAINED: dict[str, Any] = {"n": 10, "noise": 0.3, "ridge": 0.2}
TIMES = (0.1, 1.0, 10.0)
ASKED: tuple[tuple[str, str, tuple[float, ...], dict[str, Any]], ...] = (
    ("flow", "asymptotic", TIMES, {}),
    ("descent", "asymptotic", (1, 10, 100), {"learning_rate": 0.02}),
    ("ridge", "asymptotic", TIMES, {}),
    ("flow", "leverage", TIMES, {}),
    ("ridge", "per-row", TIMES, {}),
    ("flow", "instance", TIMES, {"seeds": 1}),
)


def asked(rows: dict[str, Any], seeds: list[int]) -> np.ndarray:
    """Both errors by every route, (R, 2, T)."""
    found = []
    for dynamics, route, times, more in ASKED:
        drawn = {"seeds": seeds} if "seeds" in more else {}
        found.append(errors(dynamics, route, times, **{**rows, **TRAINED, **more, **drawn}))
    return np.stack([each.reshape(-1, len(TIMES)) for each in found])


def by_features(seeds: Seeds) -> tuple[np.ndarray, list[int]]:
    """Evidence: the rows by their features, and the one draw of sampled routes."""
    chosen = seeds(1)
    return asked(few_rows(), chosen), chosen


def by_gram(evidence: tuple[np.ndarray, list[int]], shift: float = 0.0, nugget: float = 0.0) -> np.ndarray:
    """The claim: the same by x.x'; wrong where rows are shifted, or each has something of its own."""
    rows = few_rows()
    features = rows["features"] + shift * np.arange(len(rows["features"]))[:, None]
    gram = features @ features.T + nugget * np.eye(len(features))
    return asked({**rows, "features": None, "gram": gram}, evidence[1])


def alike(evidence: tuple[np.ndarray, list[int]], claimed: np.ndarray) -> Verdict:
    """Both to the least accuracy that a route declares."""
    return within_bound(claimed / evidence[0] - 1, 1e-8, "accuracy that the routes declare", "relative")


GRAM = check(
    id="own-gram",
    title="features and the Gram matrix of their rows are one problem, by every kind of route",
    ref="K = X X^T",
    evidence=by_features,
    claim=by_gram,
    judge=alike,
    teeth=(
        Tooth("rows shifted one by one, by 1e-6", partial(by_gram, shift=1e-6)),
        Tooth("a diagonal 1e-5 larger", partial(by_gram, nugget=1e-5)),
    ),
    functions=(
        "theory.measured_spectrum.asymptotic:descent",
        "theory.measured_spectrum.asymptotic:flow",
        "theory.measured_spectrum.asymptotic:ridge",
        "theory.measured_spectrum.instance:flow",
        "theory.measured_spectrum.leverage:flow",
        "theory.measured_spectrum.per_row:ridge",
    ),
)

CHECKS = (GRAM,)
