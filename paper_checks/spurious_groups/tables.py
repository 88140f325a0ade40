"""Tables 2 to 4: what follows from their own numbers, and which differences they show."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from teacherstudent.paper_checks.judging.agreement import none_wrong, within_bound
from teacherstudent.paper_checks.judging.cases import stated, worst_of
from teacherstudent.paper_checks.judging.effects import Contrast, Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.spurious_groups import check, misprint
from teacherstudent.problems.spurious_groups.reported import (
    AVERAGES,
    DATASETS,
    MINUTES,
    RANGES,
    RUNS,
    WITH,
    WITHOUT,
    WORST,
)
from teacherstudent.theory.spurious_groups.equality import alexander_govern

# Significance -------------------------------------------------------------------------------------

LEVEL, HALF = 0.05, 0.05
"""Of the test; half of the last digit that is printed."""
SETS = {
    **{f"{name}, no attributes": (name, WITHOUT) for name in DATASETS},
    **{f"{name}, attributes": (name, WITH) for name in DATASETS},
    "CivilComments, no attributes, without SUBY": ("CivilComments", ("erm", "jtt", "rwy")),
    "MultiNLI, attributes, without gDRO": ("MultiNLI", ("rwg", "subg")),
}
"""Data set and the methods that are compared."""

DIFFER, ALIKE, OPEN = "differ", "alike", "open"


def probabilities(dataset: str, methods: Iterable[str]) -> np.ndarray:
    """The test's probability at the numbers that are printed, and at every corner of their rounding.

    By SciPy, of samples that have exactly these means and standard deviations.
    """
    from scipy import stats

    printed = np.array([WORST[method][DATASETS.index(dataset)] for method in methods])
    shape = np.linspace(-1, 1, RUNS)
    shape /= shape.std(ddof=1)
    signs = np.array([np.zeros(printed.size), *itertools.product((-1, 1), repeat=printed.size)])
    samples = printed + HALF * signs.reshape(-1, *printed.shape)
    return np.array([stats.alexandergovern(*(m + s * shape for m, s in corner)).pvalue for corner in samples])


def verdicts(_: Seeds) -> dict[str, tuple[np.ndarray, str]]:
    """Evidence: probabilities of each set, and what they say at any rounding."""
    found = {name: probabilities(*of) for name, of in SETS.items()}
    return {name: (each, _said(each)) for name, each in found.items()}


def _said(found: np.ndarray) -> str:
    return DIFFER if found.max() < LEVEL else ALIKE if found.min() > LEVEL else OPEN


TRUTH = dict.fromkeys(SETS, ALIKE) | {
    "CivilComments, no attributes": DIFFER,
    "CivilComments, no attributes, without SUBY": DIFFER,
    "MultiNLI, attributes": DIFFER,
    "Waterbirds, no attributes": OPEN,
    "MultiNLI, no attributes": OPEN,
}


def agreed(found: dict[str, tuple[np.ndarray, str]], claimed: dict[str, str]) -> Verdict:
    """How many sets say something else."""
    wrong = sum(found[name][1] != claimed[name] for name in found)
    return none_wrong(wrong, len(found), "the test at every rounding of the print", "sets of methods")


SIGNIFICANCE = check(
    id="wg-significance",
    title="which methods differ in Table 2, at any rounding of its numbers",
    ref="Table 2: Alexander-Govern tests",
    evidence=verdicts,
    claim=stated(TRUTH),
    judge=agreed,
    teeth=(
        Tooth("no difference anywhere", stated(dict.fromkeys(SETS, ALIKE))),
        Tooth("Waterbirds decided", stated({**TRUTH, "Waterbirds, no attributes": DIFFER})),
        Tooth("no difference on MultiNLI", stated({**TRUTH, "MultiNLI, attributes": ALIKE})),
    ),
    errata=(
        misprint(
            "wg-suby-exception",
            "Table 2: caption",
            "all algorithms not using attribute information perform similarly with the exception of SUBY",
            "on CivilComments those three differ too: ERM lies below JTT and RWY",
            stated({**TRUTH, "CivilComments, no attributes, without SUBY": ALIKE}),
        ),
    ),
    covers=("Tables 2-4", "Table 2: significance"),
)


def by_formula(_: object, size: int = RUNS, power: float = 1.0) -> dict[str, float]:
    """The claim: the test's probability from means and standard deviations alone; size or spread wrong."""
    found = {}
    for name, (dataset, methods) in SETS.items():
        means, spreads = np.array([WORST[each][DATASETS.index(dataset)] for each in methods]).T
        found[name] = float(alexander_govern(means, spreads * power, size))
    return found


@worst_of
def same(found: dict[str, tuple[np.ndarray, str]], claimed: dict[str, float]) -> Iterable[Verdict]:
    """Probabilities at the printed numbers, by samples and from their summaries."""
    for name, (each, _) in found.items():
        yield within_bound(each[0] - claimed[name], 1e-12 + 1e-9 * each[0], "rounding", "probability")


SUMMARIES = check(
    id="wg-summaries",
    title="the Alexander-Govern test from means and standard deviations is that of samples which have them",
    ref="Table 2: Alexander-Govern tests",
    paper="",
    evidence=verdicts,
    claim=by_formula,
    judge=same,
    effect=Contrast("standard deviations with n degrees of freedom", "the degrees of freedom"),
    teeth=(
        Tooth(
            "standard deviations with n degrees of freedom",
            lambda found: by_formula(found, power=(RUNS / (RUNS - 1)) ** 0.5),
        ),
        Tooth("one run more", lambda found: by_formula(found, size=RUNS + 1)),
    ),
    functions=("theory.spurious_groups.equality:alexander_govern",),
)

# Arithmetic ---------------------------------------------------------------------------------------

Numbers = dict[str, tuple[float, float, float]]
"""What follows from other cells: the smallest and the largest value at any rounding, and what is printed."""


def recomputed(seeds: Seeds) -> dict[str, tuple[float, float]]:
    """Evidence: values at the lowest and the highest that cells may have been before they were rounded."""
    del seeds
    found = {}
    for method, cells in WORST.items():
        mean = float(np.mean([each for each, _ in cells]))
        found[f"average of {method}"] = (mean - HALF, mean + HALF)
    for dataset, rows in RANGES.items():
        for method, (low, high, _) in zip(WORST, rows, strict=True):
            found[f"range of {method} on {dataset}"] = (high - low - 2 * HALF, high - low + 2 * HALF)
    for slow, fast, _ in SPEEDS:
        least, most = ((MINUTES[slow] + k / 2) / (MINUTES[fast] - k / 2) for k in (-1, 1))
        found[f"{slow} over {fast}"] = (least, most)
    return found


SPEEDS = (("jtt", "rwy", 1.9), ("gdro", "rwg", 1.2), ("jtt", "suby", 3.8), ("gdro", "subg", 7.0))
"""Minutes of the first over those of the second, as the text says."""


def printed(_: object, shift: float = 0.0) -> dict[str, tuple[float, float]]:
    """The claim: what is printed, and half of its last digit; wrong by a shift of the averages."""
    found = {f"average of {name}": (value + shift, HALF) for name, value in AVERAGES.items()}
    for dataset, rows in RANGES.items():
        for method, (*_, apart) in zip(WORST, rows, strict=True):
            found[f"range of {method} on {dataset}"] = (apart, HALF)
    for slow, fast, ratio in SPEEDS:
        found[f"{slow} over {fast}"] = (ratio, HALF)
    return found


def medians(found: object) -> dict[str, tuple[float, float]]:
    """Wrong: averages over data sets are medians."""
    values = {
        f"average of {name}": (float(np.median([each for each, _ in cells])), HALF)
        for name, cells in WORST.items()
    }
    return printed(found) | values


@worst_of
def consistent(
    found: dict[str, tuple[float, float]], claimed: dict[str, tuple[float, float]]
) -> Iterable[Verdict]:
    """Each printed number and what follows from others overlap within rounding.

    What matters is a whole per cent of an average, a range itself, and how far a speed is from another's.
    """
    for name, (low, high) in found.items():
        value, half = claimed[name]
        middle = (low + high) / 2
        effect = Effect(1.0, "one per cent of an average")
        if "over" in name:
            effect = Effect(middle - 1, "how much faster")
        elif "range" in name:
            effect = Effect(middle, "the range itself")
        bound = (high - low) / 2 + half + 1e-9
        yield within_bound(value - middle, bound, "rounding of the print", "as printed", effect)


TABLES = check(
    id="wg-averages",
    title="averages, ranges and speeds that Tables 2 to 4 and their text state follow from their cells",
    ref="Tables 2-4, Section 8.5.1",
    evidence=recomputed,
    claim=printed,
    judge=consistent,
    teeth=(
        Tooth("medians over the data sets", medians),
        Tooth("averages off by half a per cent", lambda found: printed(found, shift=0.5)),
    ),
    covers=("Tables 2-4: averages, ranges and times",),
)

CHECKS = (SIGNIFICANCE, SUMMARIES, TABLES)
