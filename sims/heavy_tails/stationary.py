"""The law that SGD has in the end, from many independent students of each draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.problems.heavy_tails.data import start
from teacherstudent.problems.heavy_tails.parameters import GROWTH, HILL, RANK, STABLE
from teacherstudent.sims.arrays import side_by_side
from teacherstudent.sims.heavy_tails.batches import Batches, block_of, directions, spread
from teacherstudent.sims.heavy_tails.chains import begun, burn_in_of, passed, unit
from teacherstudent.sims.heavy_tails.estimators import Estimate, hill, rank, stable
from teacherstudent.sims.heavy_tails.growth import index, log_mean
from teacherstudent.sims.heavy_tails.steps import Chains

SURELY = 2
"""Standard errors by which a verdict must be clear."""

LARGEST_INDEX = 300.0
"""Beyond it a tail index is not told."""

INDEX, ERROR = "tail_index", "excess_risk"

LOST = {
    "unforced": (INDEX, "without label noise all students end at the teacher, so there is no power law"),
    "short": (INDEX, "the largest sizes still depend on the start: give a larger --burn-in"),
    "few": (INDEX, "too few chains, or too light a tail, to estimate its index with this estimator"),
    "large": (INDEX, f"the tail index is above {LARGEST_INDEX:g}"),
    "early": (ERROR, "the excess risk still depends on the start: give a larger --burn-in"),
    "infinite": (ERROR, "the estimated tail index is significantly below 2: the variance is infinite"),
}
"""Why an observable is NaN, but for a rate of growth that is not surely negative: its name, and what is
said."""


def stationary(
    problem: HeavyTails,
    times: np.ndarray,
    *,
    seeds: Sequence[int],
    estimator: str,
    chains: int,
    top: int | None,
    burn_in: int | None,
) -> dict[str, np.ndarray]:
    """lyapunov, tail_index and excess_risk, (S, T), from `chains` students of each draw and step size.

    Batches are the same for all step sizes. lyapunov is the mean over students of ln |M ... M u| per step,
    after a quarter of the burn-in. Where it is not below 0 by `SURELY` standard errors, the other two are NaN
    with an `UnconvergedWarning` that gives it; and so they are for the reasons of `LOST`.
    Raises `InputError` for a `top` that is not below `chains`, and for a burn-in that is too long.
    """
    most = most_sizes(chains, top)
    steps = burn_in_of(problem, times, seeds, burn_in, "burn_in")
    points = len(seeds) * len(times)
    ends = _all_ends(problem, tuple(times), tuple(seeds), steps.tobytes(), chains, estimator == STABLE)

    def of_point(part: np.ndarray) -> np.ndarray:
        own, (s, t) = ends[part[0]], divmod(int(part[0]), len(times))
        begun = np.linalg.norm(start(problem, [seeds[s]]) / unit(problem))
        at = problem, seeds[s], float(times[t]), chains, int(steps[s, t]), LARGEST_INDEX
        tell = {
            GROWTH: lambda: index(*at),
            STABLE: lambda: stable(own[SCALE + 1 :].T, own[SCALE]),
            RANK: lambda: rank(own[SIZE], most),
            HILL: lambda: hill(own[SIZE], most),
        }[estimator]
        told = _told(problem, own, float(begun), int(steps[s, t]), most, tell)
        if estimator == GROWTH:  # which sees no sizes
            told[TOLD.index("short")] = 0.0
        return told

    told = np.stack(side_by_side(of_point, np.split(np.arange(points), points)))
    return _certain(times, dict(zip(TOLD, told.T.reshape(-1, len(seeds), len(times)), strict=True)))


def most_sizes(chains: int, top: int | None) -> int:
    """How many of the largest sizes the index is estimated from. Raises `InputError` for all of them."""
    found = max(10, chains // 200) if top is None else top
    if found >= chains:
        raise InputError("top", found, f"below chains = {chains}")
    return found


SIZE, RISK, LATE, WHOLE, SCALE = range(5)
"""Rows of what is kept of each student: ln |v|, ln of v^T Sigma v/2, ln |M ... M u| after a quarter of the
steps and of all, and the scale of v; where they are asked for, the entries of v over exp(scale) follow."""


@lru_cache(maxsize=1)  # estimators, and numbers of largest sizes, are compared on the same students
def _all_ends(
    problem: HeavyTails,
    times: tuple[float, ...],
    seeds: tuple[int, ...],
    steps: bytes,
    chains: int,
    vectors: bool,
) -> np.ndarray:
    """What is kept of all students, (S T, 5 or 5 + d, chains). steps: of each seed and step size, int64."""
    size = block_of(problem, chains)
    blocks, shape = -(-chains // size), (len(seeds), len(times))
    work = partial(
        _ends,
        problem,
        np.array(times),
        seeds,
        np.frombuffer(steps, np.int64).reshape(shape),
        size,
        blocks,
        vectors,
    )
    parts = side_by_side(work, np.split(np.arange(len(seeds) * blocks), len(seeds) * blocks))
    kept = np.reshape(np.stack(parts), (len(seeds), blocks, len(times), -1, size))
    found = np.moveaxis(kept, 1, 3).reshape(shape[0] * shape[1], kept.shape[3], -1)[..., :chains]
    found.setflags(write=False)
    return found


def _ends(
    problem: HeavyTails,
    times: np.ndarray,
    seeds: Sequence[int],
    steps: np.ndarray,
    size: int,
    blocks: int,
    vectors: bool,
    part: np.ndarray,
) -> np.ndarray:
    """What is kept of the students of one block, (T, 5 or 5 + d, C), in units of `chains.unit`."""
    s, block = divmod(int(part[0]), blocks)
    seed = seeds[s]
    v = start(problem, [seed])[0] / unit(problem)
    first = begun(np.repeat(v[:, None], size, axis=1), directions(problem, seed, block, size))
    marks = [(each // 4, each) for each in steps[s].tolist()]
    variances = spread(problem)[:, None] ** 2

    def kept(chains: Chains) -> np.ndarray:
        v, scale, _, length = map(np.asarray, chains)
        with np.errstate(divide="ignore"):  # of students that are at the teacher to the last digit
            size = scale + np.log(np.linalg.norm(v, axis=0))
            risk = 2 * scale + np.log(np.sum(variances * v**2, axis=0) / 2)
        return np.stack([size, risk, length, length, scale, *(v if vectors else ())])

    found = []
    for early, late in passed(problem, Batches(problem, seed, block, size), first, times, marks, kept):
        late[LATE] -= early[LATE]
        found.append(late)
    return np.stack(found)


TOLD = ("lyapunov", "error", "tail_index", "excess_risk", *LOST)
"""What the students of a point tell: numbers, and 1 for each reason not to tell one."""


def _told(
    problem: HeavyTails, ends: np.ndarray, begun: float, steps: int, top: int, tell: Callable[[], Estimate]
) -> np.ndarray:
    """The values of `TOLD`. begun: |v_0| in units. tell: the tail index by the estimator that was asked
    for."""
    size, chains = ends[SIZE], ends.shape[1]
    rates = ends[LATE] / (steps - steps // 4)
    rate, error = np.mean(rates), np.std(rates, ddof=1) / np.sqrt(chains)
    lost = dict.fromkeys(LOST, False)
    if not rate + SURELY * error < 0:
        return np.array([rate, error, np.nan, np.nan, *lost.values()])
    with np.errstate(over="ignore", divide="ignore"):
        risk = np.exp(log_mean(ends[RISK]) + 2 * np.log(unit(problem)))
        left = ends[WHOLE] + np.maximum(np.log(begun), np.roll(size, 1))  # of what was before the first step
    if problem.noise == 0:
        return np.array([rate, error, np.nan, risk, *(lost | {"unforced": True}).values()])
    found, tail = tell().tail_index, hill(size, top)
    last = np.partition(size, -top - 1)[-top - 1]
    lost |= {
        "short": np.mean(left > last) > np.sqrt(top) / chains,
        "few": np.isnan(found) or found <= 0,
        "large": found > LARGEST_INDEX,
        "early": log_mean(2 * left) - log_mean(2 * size) > -np.log(chains) / 2,
        "infinite": tail.tail_index + SURELY * tail.error < 2,
    }
    return np.array([rate, error, found, risk, *lost.values()])


def _certain(times: np.ndarray, told: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The observables, NaN with a reason where they were not told surely. Values: (S, T)."""
    rate, highest = told["lyapunov"], told["lyapunov"] + SURELY * told["error"]
    growing = ~(highest < 0)
    values = {name: told[name] for name in ("tail_index", "excess_risk")}
    for t, time in enumerate(times):
        here = growing & (np.arange(len(times)) == t)
        if here.any():
            worst = np.argmax(np.where(here, highest, -np.inf)[:, t])
            said = f"rho = {rate[worst, t]:.3g}, standard error {told['error'][worst, t]:.1g}"
            values = nan_where(here, f"step size {time:g}: measured {said}, not surely below 0", values)
    for name, (of, reason) in LOST.items():
        values |= nan_where(told[name] > 0, reason, {of: values[of]})
    return {"lyapunov": rate, **values}
