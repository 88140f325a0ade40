"""Seven methods step by step: what each makes of its batches, written anew from ch. 8.3 and 8.4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from scipy.special import expit

from teacherstudent.paper_checks.judging.claims import per_case, worst_case
from teacherstudent.paper_checks.judging.comparison import scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import equal_after_steps
from teacherstudent.paper_checks.judging.judges import AtSizes
from teacherstudent.paper_checks.spurious_groups import check, compared
from teacherstudent.problems.spurious_groups import METHODS, PROBLEM, SpuriousGroups
from teacherstudent.problems.spurious_groups.data import Draws, draw, initial_weights, kept

QUESTION: dict[str, Any] = {
    "groups": (12, 3, 5, 10), "noise_features": 6, "gamma_spurious": 2.0, "gamma_noise": 1.0, "init": 1.0,
}  # fmt: skip
BATCH, EPOCHS, FIRST = 8, np.array([1, 3, 6]), 3
"""Examples in a batch, epochs that are recorded, and epochs of the first training of just train twice."""
NUMBERS: dict[str, Any] = {
    "learning_rate": 0.05,
    "momentum": 0.8,
    "weight_decay": 0.1,
    "group_rate": 0.5,
    "repeated": 3,
}


@dataclass(frozen=True)
class Trained:
    """A method's problem and draws, the order of each training's epochs, and weights (S, T, d)."""

    problem: SpuriousGroups
    draws: Draws
    seeds: list[int]
    weights: np.ndarray
    orders: dict[tuple[Any, ...], np.ndarray] = field(default_factory=dict)
    """Of the epochs that were asked for: they are the same for every claim."""


def trained(seeds: Seeds) -> list[Trained]:
    """Every method on the same two draws."""
    from teacherstudent.sims.group_descent import Rule
    from teacherstudent.sims.spurious_groups.descent import student_trajectory

    rule = Rule(*(NUMBERS[name] for name in Rule._fields))
    found = []
    for method in METHODS:
        problem, drawn = PROBLEM.instance(method=method, **QUESTION), seeds(2)
        draws = draw(problem, drawn)
        weights = student_trajectory(
            problem, draws, EPOCHS, rule, BATCH, drawn, jtt_epochs=FIRST, jtt_upweight=NUMBERS["repeated"]
        )
        found.append(Trained(problem, draws, drawn, weights))
    return found


def order_of(case: Trained, seed: int, often: np.ndarray, stage: int, epoch: int) -> np.ndarray:
    """The examples of an epoch in the order in which the simulation visits them, (n,)."""
    asked = seed, often.tobytes(), stage, epoch
    if asked not in case.orders:
        case.orders[asked] = _order_of(case, seed, often, stage, epoch)
    return case.orders[asked]


def _order_of(case: Trained, seed: int, often: np.ndarray, stage: int, epoch: int) -> np.ndarray:
    import jax
    import jax.numpy as jnp

    from teacherstudent.sims.group_descent import Examples, visits

    key = jax.random.fold_in(jax.random.fold_in(jax.random.key(case.seeds[seed]), stage), epoch)
    pool = np.repeat(np.arange(often.size), often)
    padded = np.pad(pool, (0, -pool.size % BATCH), constant_values=-1)
    resampled = case.problem.method in ("rwy", "rwg", "gdro")
    unused = jnp.zeros(often.size)
    chosen = jnp.asarray(padded), jnp.asarray(chances(case, seed))
    drawn = Examples(unused, unused, unused, *chosen)
    found = np.asarray(visits(drawn, key, resampled))
    return found[found >= 0]


def chances(case: Trained, seed: int) -> np.ndarray:
    """The probability of each example in a batch of rwy (classes alike) or rwg and gdro (groups alike)."""
    draws = case.draws
    same = draws.labels[seed] if case.problem.method == "rwy" else draws.groups[seed]
    values, which, counts = np.unique(same, return_inverse=True, return_counts=True)
    return 1 / (values.size * counts[which])


@per_case
def stepped(case: Trained, **changed: float) -> np.ndarray:
    """Weights (S, T, d) of the method, with some of its numbers changed for the negative controls."""
    numbers = NUMBERS | changed
    return np.stack([_one_seed(case, seed, numbers) for seed in range(len(case.seeds))])


def _one_seed(case: Trained, seed: int, numbers: dict[str, float]) -> np.ndarray:
    signed = case.draws.labels[seed, :, None] * case.draws.inputs[seed] * case.problem.scales
    starts = [initial_weights(case.problem, case.seeds, stage)[seed] for stage in (0, 1)]
    often = kept(case.problem, case.draws, case.seeds)[seed].astype(int)
    if case.problem.method != "jtt":
        return _training(case, seed, signed, starts[0], often, 0, EPOCHS, numbers)
    first = _training(case, seed, signed, starts[0], often, 0, np.arange(1, FIRST + 1), numbers)
    mistaken = signed @ first[-1] <= 0
    again = np.where(mistaken, numbers["repeated"], 1).astype(int)
    late = EPOCHS[EPOCHS > FIRST] - FIRST
    second = _training(case, seed, signed, starts[1], again, 1, late, numbers)
    return np.concatenate([first[EPOCHS[EPOCHS <= FIRST] - 1], second])


def _training(
    case: Trained, seed: int, signed: np.ndarray, w: np.ndarray, often: np.ndarray,
    stage: int, epochs: np.ndarray, numbers: dict[str, float],
) -> np.ndarray:  # fmt: skip
    """w after each of the epochs: v <- mu v + gradient + decay w, w <- w - eta v, batch by batch."""
    groups, velocity, q, found = case.draws.groups[seed], np.zeros_like(w), np.full(4, 0.25), []
    for epoch in range(int(epochs[-1])):
        order = order_of(case, seed, often, stage, epoch)
        for batch in np.split(order, range(BATCH, order.size, BATCH)):
            margins = signed[batch] @ w
            share = np.full(batch.size, 1 / batch.size)
            if case.problem.method == "gdro":
                present = [g for g in range(4) if np.any(groups[batch] == g)]
                for g in present:
                    q[g] *= np.exp(
                        numbers["group_rate"] * np.logaddexp(0, -margins)[groups[batch] == g].mean()
                    )
                q /= q.sum()
                share = q[groups[batch]] / np.bincount(groups[batch], minlength=4)[groups[batch]]
            gradient = -(share * expit(-margins)) @ signed[batch] + numbers["weight_decay"] * w
            velocity = numbers["momentum"] * velocity + gradient
            w = w - numbers["learning_rate"] * velocity
        if epoch + 1 in epochs:
            found.append(w)
    return np.array(found)


@worst_case
def same_weights(case: Trained, weights: np.ndarray) -> Iterator[Verdict]:
    """Judge: to the rounding of the steps taken; a momentum mu makes each of them count 1/(1 - mu) times."""
    steps = EPOCHS[-1] * len(case.draws.labels[0]) / BATCH / (1 - NUMBERS["momentum"])
    entries = case.problem.dimension + BATCH
    yield equal_after_steps(case.weights, weights, steps, entries, reason="rounding of k steps: k d eps |w|")


STEPS = check(
    id="wg-steps",
    title="ERM, subsampling, reweighting, group DRO and just train twice take the steps that define them",
    ref="Sect. 8.3-8.4",
    evidence=trained,
    claim=stepped,
    judge=same_weights,
    wrong=(
        WrongClaim("group DRO with fixed group weights", partial(stepped, group_rate=0.0)),
        WrongClaim("group DRO with step size 1e-9 too large", partial(stepped, group_rate=0.5 * (1 + 1e-9))),
        WrongClaim("just train twice with mistakes weighted twice", partial(stepped, repeated=2)),
        WrongClaim("weight decay 1e-9 larger", partial(stepped, weight_decay=0.1 * (1 + 1e-9))),
        WrongClaim("momentum 1e-9 larger", partial(stepped, momentum=0.8 * (1 + 1e-9))),
    ),
    slow=True,
)


# Where training sets out: the first step from weights 0, measured on drawn data at growing size --------

COUNTS = (2, 1, 1, 6)
"""Groups in tenths of the examples: classes of different sizes, each with a minority of its own."""
NEXT = 0.06
"""By how much 1/n^2 moves that exponent: 60,000 draws of each size have -.962, -.963 and -.943."""


def question(n: int, method: str) -> dict[str, Any]:
    """One step from weights 0. Moderate scales, so that no direction hides the others."""
    return {
        "groups": tuple(n // 10 * share for share in COUNTS), "noise_features": round(0.3 * n),
        "gamma_spurious": 1.5, "gamma_core": 1.0, "gamma_noise": 1.5, "feature_std": 0.3,
        "init": 0.0, "test_examples": 1, "method": method,
    }  # fmt: skip


def _start(method: str, title: str, draws: int, effect: Contrast, changes: Mapping[str, Any]) -> Check:
    """The first step of a method; so many draws at n = 40 and twice as many at 10 and 20, which tells the
    exponent of the bias from another half."""
    return compared(
        id=f"wg-gradient-{method}",
        title=title,
        ref="Eq. 8.4.1 and below",
        clocks={"normalised": {"times": [1]}},
        questions=partial(question, method=method),
        draws={10: 2 * draws, 20: 2 * draws, 40: draws, 200: 200},
        routes=("simulation", "initial-gradient"),
        observables=("spurious_weight", "core_weight", "noise_weight"),
        judge=AtSizes(slack=NEXT),
        effect=effect,
        wrong={f"wrong {name.replace('_', ' ')}": {name: change} for name, change in changes.items()},
        slow=True,
    )


CHECKS = (
    STEPS,
    _start(
        "erm",
        "initially e_s : e_c = (gamma_s/gamma_c)^2 (1 - 2p), so the spurious feature is learned first",
        16000,
        Contrast("wrong method", "the effect of balancing the groups"),
        {"gamma_spurious": np.sqrt, "gamma_noise": np.sqrt, "method": "rwg"},
    ),
    _start(
        "rwg",
        "with balanced groups, training starts without the spurious feature",
        7000,
        Contrast("wrong method", "the effect of balancing the groups"),
        {"gamma_core": scaled(1.1), "method": "erm", "noise_features": lambda d: round(0.8 * d)},
    ),
    _start(
        "rwy",
        "with balanced classes, the minority of each class has equal weight",
        12000,
        Contrast("wrong method", "the effect of balancing the classes"),
        {"gamma_core": scaled(1.1), "method": "erm"},
    ),
)
