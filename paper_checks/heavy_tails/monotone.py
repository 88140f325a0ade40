"""What makes tails heavier: larger steps, more dimensions, and smaller batches as far as that is true.

For a mean over b + 1 examples is a mean of means over b: by convexity of |.|^s, s >= 1, the moment h(s) of
the larger batch is at most that of the smaller. So alpha grows with b where alpha >= 1, and need not below.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.paper_checks.heavy_tails import check
from teacherstudent.paper_checks.heavy_tails.kit.asking import ask, entry
from teacherstudent.paper_checks.judging.agreement import none_wrong
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.theory.heavy_tails.exact import largest_rate

BATCHES, DIMENSIONS = (1, 2, 5), (1, 2, 5)
SHARES = np.array([0.15, 0.35, 0.55, 0.75, 0.9])
"""Step sizes, over the largest that has a stationary law."""

Pairs = dict[str, np.ndarray]


def indices(rates: np.ndarray, batch: int, d: int) -> np.ndarray:
    """Tail indices over step sizes; 0 where steps are too large for a stationary law."""
    rho = ask("stationary", "exact", "lyapunov", rates, batch=batch, d=d)
    return np.where(rho < 0, ask("stationary", "exact", "tail_index", rates, batch=batch, d=d), 0.0)


def pairs(_: Seeds) -> Pairs:
    """Evidence: indices before and after one parameter grows and the others stay, (2, P)."""
    found: dict[str, list[np.ndarray]] = {"step": [], "dimension": [], "batch": []}
    for batch in BATCHES:
        for d in DIMENSIONS:
            rates = SHARES * largest_rate(batch, d)
            here = indices(rates, batch, d)
            found["step"].append(np.stack([here[:-1], here[1:]]))
            found["dimension"].append(np.stack([here, indices(rates, batch, d + 1)]))
            found["batch"].append(np.stack([here, indices(rates, batch + 1, d)]))
    return {name: np.concatenate(each, axis=1) for name, each in found.items()}


def signs(evidence: Pairs, *, step: int = -1, dimension: int = -1, above: float = 1.0) -> Pairs:
    """The claim: the sign of each change, 0 where nothing is said. Wrong with other signs, or below 1."""
    before = evidence["batch"][0]
    return {
        "step": np.full(evidence["step"].shape[1], step),
        "dimension": np.full(evidence["dimension"].shape[1], dimension),
        "batch": np.where(before >= above, 1, 0),
    }


@worst_case
def none_against(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """How many change otherwise."""
    wrong = (claimed != 0) & (np.sign(found[1] - found[0]) != claimed)
    reason = "every pair of neighbours on the grid; indices differ by more than their accuracy"
    return none_wrong(np.sum(wrong), int(np.sum(claimed != 0)), reason, "pairs")


MONOTONE = check(
    id="ht-monotone",
    title="tails grow heavier with the step and the dimension, and lighter with the batch where alpha >= 1",
    ref="monotonicity of the tail index",
    paper="gurbuzbalaban2021",
    evidence=pairs,
    claim=signs,
    judge=none_against,
    teeth=(
        Tooth("larger steps make lighter tails", partial(signs, step=1)),
        Tooth("more dimensions make lighter tails", partial(signs, dimension=1)),
        Tooth("larger batches make lighter tails below alpha = 1 too", partial(signs, above=0.0)),
    ),
    functions=(entry("stationary", "exact"), "theory.heavy_tails.exact:largest_rate"),
    covers=("Monotonicity",),
    slow=True,
)

CHECKS = (MONOTONE,)
