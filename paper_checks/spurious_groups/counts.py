"""Table 1, what follows from its counts, and what reweighted epochs see of a majority."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_rate, mean_within_errors, within_bound
from teacherstudent.paper_checks.judging.claims import constant_claim, worst_case, worst_of
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.spurious_groups import check, misprints
from teacherstudent.paper_checks.spurious_groups.kit.hard_margin import hard_margin, signed_inputs
from teacherstudent.problems.spurious_groups import PROBLEM
from teacherstudent.problems.spurious_groups.counts import BENCHMARKS, CELEBA, Benchmark
from teacherstudent.theory.spurious_groups import benchmarks
from teacherstudent.theory.spurious_groups.benchmarks import distinct_examples, share_seen


@dataclass(frozen=True)
class Printed:
    """What Table 1 prints beside the counts: class counts, P(Y = y | A = a) and P(Y = y) in per cent."""

    classes: Sequence[int]
    by_attribute: Sequence[Sequence[float]]
    shares: Sequence[float]


TABLE = {  # without its group counts
    "CelebA": Printed((24267, 138503), ((24.2, 2.0), (75.8, 98.0)), (14.9, 85.1)),
    "Waterbirds": Printed((1113, 3682), ((1.6, 85.2), (98.4, 14.8)), (23.2, 76.8)),
    "CivilComments": Printed((238523, 30515), ((83.6, 92.1), (16.4, 7.9)), (88.7, 11.3)),
    "MultiNLI": Printed(
        (68656, 68897, 68622), ((30.0, 76.1), (35.2, 10.4), (34.8, 13.6)), (33.3, 33.4, 33.3)
    ),
}


def derived(_: Any, swapped: str = "", transposed: str = "") -> list[Benchmark]:
    """The counts from which the table follows; negative controls exchange a row's entries, or two rows."""

    def misread(one: Benchmark) -> Benchmark:
        (a, b), (c, d), *rest = one.counts
        if one.name == swapped:
            a, b = b, a
        if one.name == transposed:
            b, c = c, b
        return replace(one, counts=((a, b), (c, d), *rest))

    return [misread(one) for one in BENCHMARKS]


@worst_of
def as_printed(evidence: dict[str, Printed], claimed: list[Benchmark]) -> Iterator[Verdict]:
    """Judge: class counts exactly, percentages to half of the last printed digit."""
    half = 0.05 + 1e-9  # and the rounding of a number that is halfway
    for one in claimed:
        table = evidence[one.name]
        classes = benchmarks.counts(one).sum(axis=1) - table.classes
        yield within_bound(classes, 0.5, "integers", "examples")
        for found, shown in (
            (benchmarks.class_shares_by_attribute(one), table.by_attribute),
            (benchmarks.class_shares(one), table.shares),
        ):
            yield within_bound(100 * found - shown, half, "printed digits", "per cent")


TABLE_1 = check(
    id="wg-table",
    title="the class counts and percentages of Table 1 follow from its group counts",
    ref="Table 1",
    evidence=lambda _: TABLE,
    claim=derived,
    judge=as_printed,
    effect=Contrast("CivilComments: two groups exchanged", "the effect of exchanging two groups"),
    wrong=(
        *(
            WrongClaim(f"{b.name}: two groups exchanged", partial(derived, swapped=b.name))
            for b in BENCHMARKS
        ),
        *(
            WrongClaim(f"{b.name}: rows and columns exchanged", partial(derived, transposed=b.name))
            for b in BENCHMARKS
        ),
    ),
)


# Distinct examples --------------------------------------------------------------------------------------

SIZES, DRAWS = (2, 7, 300), (1, 5, 90, 600)
TRIALS = 400


def drawn(seeds: Seeds) -> np.ndarray:
    """Numbers of distinct examples in draws with replacement, (trials, sizes x draws)."""
    rows = []
    for seed in seeds(TRIALS):
        random = np.random.default_rng(seed)
        rows.append([np.unique(random.integers(size, size=k)).size for size in SIZES for k in DRAWS])
    return np.array(rows)


def expected(_: Any, formula: Any = distinct_examples) -> np.ndarray:
    """A formula at all sizes and draws, (sizes x draws,)."""
    return np.array([float(formula(size, k)) for size in SIZES for k in DRAWS])


def on_average(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Judge: means over trials. Where all but e^-12 of the trials agree, they have no error to go by."""
    settled = drawn_mean(evidence).stderr == 0
    rare = np.where(settled, 12 / len(evidence), 0.0)  # P(no exception among them) = e^-12 at this rate
    return mean_within_errors(evidence, claimed, bias=rare)


DISTINCT = check(
    id="wg-distinct",
    title="k draws with replacement from N examples contain N (1 - (1 - 1/N)^k) distinct examples on average",
    ref="end of Sect. 8.5.4",
    evidence=drawn,
    claim=expected,
    judge=on_average,
    effect=Contrast("no example drawn twice", "the repeated draws"),
    wrong=(
        WrongClaim("no example drawn twice", partial(expected, formula=min)),
        WrongClaim("the large-N limit", partial(expected, formula=lambda n, k: n * (1 - np.exp(-k / n)))),
        WrongClaim("one draw too many", partial(expected, formula=lambda n, k: distinct_examples(n, k + 1))),
    ),
)


# The majority of CelebA -------------------------------------------------------------------------------------

MAJORITY = np.array([[False, False], [True, True]])
"""Not blond: the two large groups."""
EPOCHS, REPEATS = 3, 12


def resampled(seeds: Seeds) -> np.ndarray:
    """Share of the majority among three epochs of group-balanced draws, (S,)."""
    counts = benchmarks.counts(CELEBA).ravel()
    shares = []
    for seed in seeds(REPEATS):
        random = np.random.default_rng(seed)
        draws = random.multinomial(EPOCHS * counts.sum(), np.full(4, 1 / 4))
        seen = [np.unique(random.integers(n, size=k)).size for n, k in zip(counts, draws, strict=True)]
        shares.append(np.array(seen)[MAJORITY.ravel()].sum() / counts[MAJORITY.ravel()].sum())
    return np.array(shares)


def majority_seen(_: Any, epochs: float = EPOCHS) -> float:
    """The expected share after so many epochs."""
    return share_seen(CELEBA, MAJORITY, epochs)


def uniformly(_: Any) -> float:
    """Wrong: epochs that do not balance the groups."""
    n = benchmarks.counts(CELEBA).sum()
    return float(distinct_examples(n, EPOCHS * n) / n)


CELEBA_SEEN = check(
    id="wg-celeba",
    title="three epochs of RWG on CelebA see 82.8 % of its majority group",
    ref="end of Sect. 8.5.4",
    evidence=resampled,
    claim=majority_seen,
    judge=mean_within_errors,
    effect=Contrast("wg-celeba-epochs", "the difference between one epoch and three"),
    wrong=(
        WrongClaim("draws that do not balance the groups", uniformly),
        WrongClaim("1 % too many draws", partial(majority_seen, epochs=1.01 * EPOCHS)),
    ),
    errata=misprints({"wg-celeba-epochs": constant_claim(0.44)}),
)


# Reweighting does not change where training without regularisation ends; subsampling does (8.5.4) ------

# A direction with smallest margin m on some examples has a cosine of at least m/m* with their direction of
# largest margin, m*. So a method ends at the direction of a set of examples if its margin on them comes up
# to their m*, which `kit.hard_margin` knows exactly.

METHODS = ("erm", "rwy", "rwg", "suby", "subg")
QUESTION = {"groups": (60, 12, 20, 28), "noise_features": 150}
"""Classes of different sizes, 72 and 48, so that balancing them is not balancing nothing."""
STEPS = (4000, 8000, 16000)
SLACK = 0.02
"""Of the exponent: the gap times the number of steps, constant in the end, still moves by 3 % from the
first number of steps to the last, that is by log(1.03)/log(4) in the exponent."""


def trained(seeds: Seeds) -> dict[str, tuple[list[int], np.ndarray]]:
    """Draws, and the smallest margin of each method's students on what they keep, (S, T)."""
    drawn = seeds(2)
    return {
        method: (
            drawn,
            run("spurious-groups", "normalised", "simulation", STEPS, seeds=drawn, method=method,
                step_size=3e-3, test_examples=1, **QUESTION)["margin"].values,
        )
        for method in METHODS
    }  # fmt: skip


def largest_margins(
    evidence: dict[str, tuple[list[int], np.ndarray]], **instead: str
) -> dict[str, np.ndarray]:
    """m* of the examples on which each method ends, (S,): those it keeps, all for methods that reweight."""
    claimed = {}
    for method, (seeds, _) in evidence.items():
        keeps = instead.get(method, {"suby": "suby", "subg": "subg"}.get(method, "erm"))
        problem = PROBLEM.instance(method=keeps, **QUESTION)
        claimed[method] = np.array([hard_margin(signed_inputs(problem, seed)).margin for seed in seeds])
    return claimed


REWEIGHTING = check(
    id="wg-reweighting",
    title="reweighting classes or groups does not change where training ends; subsampling does",
    ref="Sect. 8.5.4",
    evidence=trained,
    claim=largest_margins,
    judge=worst_case(
        lambda trained, largest_margins: [
            at_rate(STEPS, 1 - own / largest, -1, slack=SLACK)
            for own, largest in zip(trained[1], largest_margins, strict=True)
        ]
    ),
    wrong=(
        WrongClaim("reweighted groups end as the subset does", partial(largest_margins, rwg="subg")),
        WrongClaim("reweighted classes end as the subset does", partial(largest_margins, rwy="suby")),
        WrongClaim("subsampled groups end as the full set does", partial(largest_margins, subg="erm")),
        WrongClaim("subsampled classes end as the full set does", partial(largest_margins, suby="erm")),
    ),
)

CHECKS = (TABLE_1, DISTINCT, CELEBA_SEEN, REWEIGHTING)
