"""Tables 2 to 4: what follows from their own numbers, and which differences they show."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from teacherstudent.paper_checks.judging.agreement import none_wrong, within_bound
from teacherstudent.paper_checks.judging.claims import constant_claim, worst_of
from teacherstudent.paper_checks.judging.effects import Contrast, Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.printed import (
    LEVEL,
    Count,
    Statement,
    Told,
    against_print,
    claim_except,
    on_average,
)
from teacherstudent.paper_checks.spurious_groups import check, misprints
from teacherstudent.paper_checks.spurious_groups.kit.tables import (
    AVERAGES,
    DECAYS,
    MINUTES,
    RANGES,
    UNREGULARISED,
    WITH,
    WITHOUT,
    WORST,
)
from teacherstudent.theory.spurious_groups.equality import alexander_govern

# Significance -------------------------------------------------------------------------------------

HALF, RUNS = 0.05, 5
"""Half of the last digit that is printed; trainings behind each cell."""
METHODS, DATASETS = (*WITHOUT, *WITH), WORST.columns
SETS = {
    **{f"{name}, no attributes": (name, WITHOUT) for name in DATASETS},
    **{f"{name}, attributes": (name, WITH) for name in DATASETS},
    "CivilComments, no attributes, without SUBY": ("CivilComments", ("erm", "jtt", "rwy")),
    "MultiNLI, attributes, without gDRO": ("MultiNLI", ("rwg", "subg")),
}
"""Data set and the methods that are compared."""

DIFFER, ALIKE, OPEN = "differ", "alike", "open"


def probabilities(dataset: str, methods: Iterable[str]) -> np.ndarray:
    """The test's probability at the numbers that are printed, and at every corner of their rounding."""
    from scipy import stats

    printed = np.array([WORST[method, dataset][:2] for method in methods])
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
    return none_wrong(
        wrong, len(found), "the test at every possible rounding of the printed numbers", "sets of methods"
    )


SIGNIFICANCE = check(
    id="wg-significance",
    title="which methods differ in Table 2, at any rounding of its numbers",
    ref="Table 2: Alexander-Govern tests",
    evidence=verdicts,
    claim=constant_claim(TRUTH),
    judge=agreed,
    wrong=(
        WrongClaim("no difference anywhere", constant_claim(dict.fromkeys(SETS, ALIKE))),
        WrongClaim(
            "Waterbirds differs significantly", constant_claim({**TRUTH, "Waterbirds, no attributes": DIFFER})
        ),
        WrongClaim("no difference on MultiNLI", constant_claim({**TRUTH, "MultiNLI, attributes": ALIKE})),
    ),
    errata=misprints(
        {"wg-suby-exception": constant_claim({**TRUTH, "CivilComments, no attributes, without SUBY": ALIKE})}
    ),
)


def by_formula(_: object, size: int = RUNS, power: float = 1.0) -> dict[str, float]:
    """The claim: the test's probability from means and standard deviations alone; size or spread wrong."""
    found = {}
    for name, (dataset, methods) in SETS.items():
        means, spreads = np.array([WORST[each, dataset][:2] for each in methods]).T
        found[name] = float(alexander_govern(means, spreads * power, size))
    return found


SUMMARIES = check(
    id="wg-summaries",
    title="the Alexander-Govern test from means and standard deviations equals the test on matching samples",
    ref="Table 2: Alexander-Govern tests",
    paper="",
    evidence=verdicts,
    claim=by_formula,
    judge=worst_of(
        lambda found, claimed: [
            within_bound(each[0] - claimed[name], 1e-12 + 1e-9 * each[0], "rounding", "probability")
            for name, (each, _) in found.items()
        ]
    ),
    effect=Contrast("standard deviations with n degrees of freedom", "the degrees of freedom"),
    wrong=(
        WrongClaim(
            "standard deviations with n degrees of freedom",
            lambda found: by_formula(found, power=(RUNS / (RUNS - 1)) ** 0.5),
        ),
        WrongClaim("one run too many", lambda found: by_formula(found, size=RUNS + 1)),
    ),
)

# Differences that the text names --------------------------------------------------------------------


def _on_average(one: str, other: str) -> Statement:
    return {"all data sets": on_average(WORST.row(one), WORST.row(other))}


def _unregularised(method: str) -> Statement:
    """What a method loses on average, if its runs then vary as much as those that Table 2 shows."""
    loss = UNREGULARISED[method]
    without = [cell._replace(mean=cell.mean + loss) for cell in WORST.row(method)]
    return {"all data sets": on_average(WORST.row(method), without)}


SHOWN, NOT_SHOWN = Count(1, 1, 0, 0), Count(1, 0, 0, 1)
TOLD: Told = {
    "group DRO above SUBG": (_on_average("gdro", "subg"), SHOWN),
    "RWY above JTT": (_on_average("rwy", "jtt"), NOT_SHOWN),
    "RWY above SUBY": (_on_average("rwy", "suby"), SHOWN),
    "SUBG above RWG": (_on_average("subg", "rwg"), NOT_SHOWN),
    "SUBG above SUBG without regularisation": (_unregularised("subg"), SHOWN),
    "RWG decays more than SUBG": (DECAYS.against("subg", "rwg"), Count(4, 1, 0, 3)),
    "RWG decays more on average": ({"": on_average(DECAYS.row("subg"), DECAYS.row("rwg"))}, SHOWN),
}
"""What Section 8.5 says of pairs of methods, in Tables 2 to 4."""

PAIRS = check(
    id="wg-differences",
    title="neither RWY over JTT nor SUBG over RWG is significant; SUBG loses accuracy without regularisation",
    ref="Section 8.5: Welch's tests",
    **against_print(
        TOLD,
        *("RWY above JTT", "SUBG above RWG", "RWG decays more than SUBG"),
        errata=misprints(
            {"wg-subg-degrades": claim_except(TOLD, **{"SUBG above SUBG without regularisation": NOT_SHOWN})}
        ),
    ),
)


def wide_with_groups(_: Seeds) -> dict[str, tuple[bool, int]]:
    """Evidence by data set: whether ranges are smaller on average with group information than without, and of
    how many pairs of a method with and one without they are not smaller."""
    found = {}
    for dataset, rows in RANGES.items():
        ranges = dict(zip(METHODS, (each for *_, each in rows), strict=True))
        with_, without = ([ranges[method] for method in group] for group in (WITH, WITHOUT))
        pairs = sum(one >= other for one, other in itertools.product(with_, without))
        found[dataset] = (bool(np.mean(with_) < np.mean(without)), pairs)
    return found


NARROWER = {"CelebA": (True, 2), "CivilComments": (True, 2), "MultiNLI": (True, 0), "Waterbirds": (True, 1)}


def same_ranges(found: dict[str, tuple[bool, int]], claimed: dict[str, tuple[bool, int]]) -> Verdict:
    """Judge: on how many data sets something else is found."""
    wrong = sum(found[name] != claimed[name] for name in found)
    return none_wrong(wrong, len(found), "ranges differ by more than their rounding", "data sets")


NARROW = check(
    id="wg-ranges",
    title="with group information, the top five runs have a smaller range on average; pairwise only on "
    "MultiNLI",
    ref="Table 4, Section 8.5.2",
    evidence=wide_with_groups,
    claim=constant_claim(NARROWER),
    judge=same_ranges,
    wrong=(
        WrongClaim(
            "not even smaller on average",
            constant_claim({name: (False, pairs) for name, (_, pairs) in NARROWER.items()}),
        ),
        WrongClaim(
            "smaller for every method on Waterbirds", constant_claim({**NARROWER, "Waterbirds": (True, 0)})
        ),
    ),
    errata=misprints({"wg-smaller-range": constant_claim({name: (True, 0) for name in NARROWER})}),
)

# Arithmetic ---------------------------------------------------------------------------------------

Numbers = dict[str, tuple[float, float, float]]
"""What follows from other cells: the smallest and the largest value at any rounding, and what is printed."""


def recomputed(seeds: Seeds) -> dict[str, tuple[float, float]]:
    """Evidence: values at the lowest and the highest that cells may have been before they were rounded."""
    del seeds
    found = {}
    for method in METHODS:
        mean = float(np.mean([cell.mean for cell in WORST.row(method)]))
        found[f"average of {method}"] = (mean - HALF, mean + HALF)
    for dataset, rows in RANGES.items():
        for method, (low, high, _) in zip(METHODS, rows, strict=True):
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
        for method, (*_, apart) in zip(METHODS, rows, strict=True):
            found[f"range of {method} on {dataset}"] = (apart, HALF)
    for slow, fast, ratio in SPEEDS:
        found[f"{slow} over {fast}"] = (ratio, HALF)
    return found


def medians(found: object) -> dict[str, tuple[float, float]]:
    """Wrong: averages over data sets are medians."""
    values = {
        f"average of {name}": (float(np.median([cell.mean for cell in WORST.row(name)])), HALF)
        for name in METHODS
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
        effect = Effect(1.0, "one percentage point of an average")
        if "over" in name:
            effect = Effect(middle - 1, "the excess of the speed ratio over 1")
        elif "range" in name:
            effect = Effect(middle, "the range itself")
        bound = (high - low) / 2 + half + 1e-9
        yield within_bound(value - middle, bound, "rounding of the printed numbers", "as printed", effect)


TABLES = check(
    id="wg-averages",
    title="averages, ranges and speed ratios of Tables 2 to 4 and the text follow from the table cells",
    ref="Tables 2-4, Section 8.5.1",
    evidence=recomputed,
    claim=printed,
    judge=consistent,
    wrong=(
        WrongClaim("medians over the data sets", medians),
        WrongClaim("averages off by half a percentage point", lambda found: printed(found, shift=0.5)),
    ),
)

CHECKS = (SIGNIFICANCE, SUMMARIES, PAIRS, NARROW, TABLES)
