"""The optimisers that people can use, against training by the book and on a real network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS, within_operations
from teacherstudent.paper_checks.scale_invariant import check
from teacherstudent.paper_checks.scale_invariant.kit.training import D, Training, start, tasks, train

STEPS, RATE, RIDGE, BETA1, BETA2, EPSILON = 60, 0.02, 0.3, 0.8, 0.95, 1e-3


# By the book ----------------------------------------------------------------------------------------


def by_the_book(seeds: Seeds) -> dict[str, list[Training]]:
    """Adam-S, Adam-SRT and SGD-MRT by their equations, on both tasks: two groups of weights."""
    (seed,) = seeds(1)
    numbers: dict[str, Any] = {"ridge": RIDGE, "beta1": BETA1, "beta2": BETA2, "epsilon": EPSILON}
    return {
        scheme: [
            train(task.gradient, scheme, start(seed + at), np.full(STEPS, RATE), **numbers)
            for at, task in enumerate(tasks(seed))
        ]
        for scheme in ("adam-s", "adam-srt", "sgd-mrt")
    }


def offered(axes: Any = (0,), **instead: Callable[[Any], Any]) -> Callable[[Any], dict[str, np.ndarray]]:
    """A claim: weights (K+1, D, 2) by `optimisers`, groups along `axes`, from the recorded gradients."""

    def claim(evidence: dict[str, list[Training]]) -> dict[str, np.ndarray]:
        import jax

        import teacherstudent.sims.arrays  # noqa: F401  (double precision)
        from teacherstudent import optimisers

        adam = {"b1": BETA1, "b2": BETA2, "eps": EPSILON, "weight_decay": RIDGE}
        makers = {
            "adam_s": lambda axes: optimisers.adam_s(RATE, axes, **adam),
            "adam_srt": lambda axes: optimisers.adam_srt(RATE, axes, **adam),
            "sgd_mrt": lambda axes: optimisers.sgd_mrt(RATE, axes, BETA1, RIDGE),
            **instead,
        }
        paths = {}
        for scheme, trained in evidence.items():
            optimiser = makers[scheme.replace("-", "_")](axes)
            update = jax.jit(optimiser.update)
            x = np.stack([t.x[0] for t in trained], axis=1)
            state, path = optimiser.init(x), [x]
            for k in range(STEPS):
                change, state = update(np.stack([t.gradients[k] for t in trained], axis=1), state, x)
                x = x + np.asarray(change)
                path.append(x)
            paths[scheme] = np.array(path)
        return paths

    return claim


@worst_case
def same_weights(groups: list[Training], weights: np.ndarray) -> Iterator[Verdict]:
    """Every step of every scheme and group."""
    for group, t in enumerate(groups):
        error = np.linalg.norm(weights[:, :, group] - t.x, axis=1) / t.r
        steps, reason = STEPS * np.max(t.r) / np.min(t.r), "sums of d entries and a dozen operations per step"
        yield within_operations(error, D, steps, reason=reason)


def untransported(axes: Any) -> Any:
    """Ordinary momentum with L2."""
    import optax

    return optax.chain(optax.add_decayed_weights(RIDGE), optax.sgd(RATE, BETA1))


def decoupled(axes: Any) -> Any:
    """Adam-SRT whose weight decay does not pass through the moments."""
    import optax

    from teacherstudent import optimisers

    return optax.chain(
        optimisers.scale_by_adam_srt(axes, BETA1, BETA2, EPSILON),
        optax.add_decayed_weights(RIDGE),
        optax.scale_by_learning_rate(RATE),
    )


def elementwise(axes: Any) -> Any:
    """Adam with L2."""
    import optax

    return optax.chain(optax.add_decayed_weights(RIDGE), optax.adam(RATE, BETA1, BETA2, EPSILON))


def standardised_only(axes: Any) -> Any:
    """Adam-S in the place of Adam-SRT."""
    from teacherstudent import optimisers

    return optimisers.adam_s(RATE, axes, BETA1, BETA2, EPSILON, RIDGE)


OFFERED = check(
    id="sphere-optimisers",
    title="the package's Adam-S, Adam-SRT and SGD-MRT follow their defining equations",
    ref="Eqs. 15, 18-21, 75-76, Algorithm 1 corrected",
    evidence=by_the_book,
    claim=offered(),
    judge=same_weights,
    wrong=(
        WrongClaim("the two groups treated as one", offered((0, 1))),
        WrongClaim("Adam instead of Adam-S", offered(adam_s=elementwise)),
        WrongClaim("Adam-S instead of Adam-SRT", offered(adam_srt=standardised_only)),
        WrongClaim("decoupled weight decay", offered(adam_srt=decoupled)),
        WrongClaim("momentum without transport", offered(sgd_mrt=untransported)),
    ),
)


# On a network ---------------------------------------------------------------------------------------

RECORDS, EVERY = 10, 20
LEARNING_RATE, DECAY = 0.1, 0.02
NUDGE = 1e-10


@dataclass(frozen=True)
class Followed:
    """SGD on a batch-normalised network: its question, directions, and how it magnifies a nudge.

    units: (S, T, 96, 64). magnified: largest angle after every unit is nudged, over the nudge, (S, T).
    """

    question: dict[str, Any]
    units: np.ndarray
    magnified: np.ndarray


def sgd_on_digits(seeds: Seeds) -> Followed:
    """200 steps with L2 on the digits, and the same from a start that is nudged."""
    from teacherstudent.sims.scale_invariant import alignment

    rates = {"learning_rate": LEARNING_RATE, "weight_decay": DECAY, "adagrad_rate": LEARNING_RATE}
    question: dict[str, Any] = {**rates, "records": RECORDS, "every": EVERY, "seeds": seeds(2)}
    units = alignment.paths("sgd", **question).units
    nudged = alignment.paths("sgd", **question, nudge=NUDGE).units
    return Followed(question, units, alignment.angles(units, nudged).max(axis=-1) / NUDGE)


def follows(scheme: str, evidence: Followed) -> np.ndarray:
    """The same units by another scheme, (S, T, 96, 64)."""
    from teacherstudent.sims.scale_invariant import alignment

    return alignment.paths(scheme, **evidence.question).units


def same_directions(evidence: Followed, claimed: np.ndarray) -> Verdict:
    """Rounding of each step, magnified as much as SGD magnifies a nudge of its start."""
    from teacherstudent.sims.scale_invariant import alignment

    error = alignment.angles(evidence.units, claimed).max(axis=-1)
    steps = 1 + EVERY * np.arange(RECORDS + 1)
    rounding = 64 * EPS * steps  # sums of 64 pixels or 48 units
    bound = rounding * np.maximum.accumulate(np.maximum(evidence.magnified, 1), axis=1)
    return within_bound(
        error, bound, "sums of 64 entries per step, amplified as SGD amplifies a small perturbation", "rad"
    )


FOLLOWED = check(
    id="sphere-trajectories",
    title="the units of a network follow SGD under exact AdaGradG, but not under AdaGrad or at a fixed rate",
    paper="roburin2022",
    ref="Section 3.4.3, Fig. 3.4, Theorem 4",
    evidence=sgd_on_digits,
    claim=partial(follows, "adagradg-exact"),
    judge=same_directions,
    effect=Contrast("Theorem 4 as printed, to second order", "the difference from AdaGradG as printed"),
    wrong=(
        WrongClaim("AdaGrad", partial(follows, "adagrad")),
        WrongClaim("SGD at a fixed effective rate", partial(follows, "control")),
        WrongClaim("Theorem 4 as printed, to second order", partial(follows, "adagradg")),
    ),
    slow=True,
)

CHECKS = (OFFERED, FOLLOWED)
