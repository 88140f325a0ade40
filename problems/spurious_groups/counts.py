"""Table 1 of pezeshki2022: how many training examples each group of four benchmarks has.

Counts and names as printed, without what the table derives from them. (The text scan breaks the
columns apart; that each class adds up to its printed count shows that they are put together rightly.)
The table heads Waterbirds' rows and columns the other way round than their source: what it calls
land birds over water are water birds over land. No number depends on it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Benchmark:
    """A data set: counts[class][attribute], with the names of classes and attributes."""

    name: str
    classes: tuple[str, ...]
    attributes: tuple[str, str]
    counts: tuple[tuple[int, int], ...]


CELEBA = Benchmark("CelebA", ("blond", "not blond"), ("female", "male"), ((22880, 1387), (71629, 66874)))
WATERBIRDS = Benchmark(
    "Waterbirds", ("land bird", "water bird"), ("water", "land"), ((56, 1057), (3498, 184))
)
CIVIL_COMMENTS = Benchmark(
    "CivilComments", ("non toxic", "toxic"), ("identity", "other"), ((90337, 148186), (17784, 12731))
)
MULTINLI = Benchmark(
    "MultiNLI",
    ("contradiction", "entailment", "neutral"),
    ("no negation", "negation"),
    ((57498, 11158), (67376, 1521), (66630, 1992)),
)

BENCHMARKS = (CELEBA, WATERBIRDS, CIVIL_COMMENTS, MULTINLI)
