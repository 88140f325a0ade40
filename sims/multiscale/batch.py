"""Gradient descent for many instances at once: their draws are one long axis of one call.

On a GPU a call on thousands of draws takes little longer than one on twenty. The numbers are
those of `sims.multiscale.descent`, up to rounding.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from problems.multiscale import Draws, MultiScale, draw
from sims.arrays import nan_where_not_finite
from sims.multiscale import descent as single
from sims.multiscale.data import observables

MOST_NUMBERS = 2**28
"""Numbers in the arrays of one call, 2 GiB of them."""


def descent(
    problems: Sequence[MultiScale],
    times: np.ndarray,
    *,
    options: Sequence[Mapping[str, Any]],
    seeds: Sequence[Sequence[int]],
) -> Iterator[dict[str, np.ndarray]]:
    """What `sims.multiscale.descent.descent` answers to each question, in their order.

    Questions of equal n and d share calls as far as memory allows. Those that ask for more than
    R, Q and excess_risk, or whose output penalty fades, are answered one by one.
    """
    answers: dict[int, dict[str, np.ndarray]] = {}
    for call in _calls(problems, times, options, seeds):
        answers |= _answered(call, problems, times, options, seeds)
    for i, (problem, more) in enumerate(zip(problems, options, strict=True)):
        if i in answers:
            yield nan_where_not_finite(answers[i], single.DIVERGED.format(more["learning_rate"]))
        else:
            yield single.descent(problem, times, seeds=seeds[i], **more)


def _calls(
    problems: Sequence[MultiScale],
    times: np.ndarray,
    options: Sequence[Mapping[str, Any]],
    seeds: Sequence[Sequence[int]],
) -> Iterator[list[int]]:
    """Places of the questions that are answered by one call."""
    alike: dict[tuple[int, ...], list[int]] = {}
    for i, (problem, more) in enumerate(zip(problems, options, strict=True)):
        if not more["observable"] and not (problem.output_penalty and more["output_penalty_decay"]):
            alike.setdefault((problem.n, problem.d, len(seeds[i])), []).append(i)
    for (n, d, count), places in alike.items():
        size = MOST_NUMBERS // (count * d * (2 * n + 4 * d + 2 * len(times)))
        rest = iter(places)
        while call := list(itertools.islice(rest, max(1, size))):
            yield call


def _answered(
    call: Sequence[int],
    problems: Sequence[MultiScale],
    times: np.ndarray,
    options: Sequence[Mapping[str, Any]],
    seeds: Sequence[Sequence[int]],
) -> dict[int, dict[str, np.ndarray]]:
    """R, Q and excess_risk of the questions at these places, trained by one call."""
    drawn = [draw(problems[i], seeds[i]) for i in call]
    owners = np.repeat(np.arange(len(call)), [len(seeds[i]) for i in call])

    def each(values: Sequence[float]) -> np.ndarray:
        return np.asarray(values)[owners]

    merged = Draws(
        inputs=np.concatenate([draws.inputs for draws in drawn]),
        strengths=np.stack([draws.strengths for draws in drawn])[owners, None],  # of each draw: (S, 1, d)
        teacher=np.concatenate([draws.teacher for draws in drawn]),
        noise=np.concatenate([draws.noise for draws in drawn]),
        initial=np.concatenate([draws.initial for draws in drawn]),
    )
    rates = [options[i]["learning_rate"] for i in call]
    automatic = np.array([rate == "auto" for rate in rates])
    given = each([0.0 if rate == "auto" else rate for rate in rates])
    weights = single.student_trajectory(
        merged,
        times,
        np.where(automatic[owners], single.inverse_curvature(merged), given) if automatic.any() else given,
        ridge=each([problems[i].ridge for i in call]),
        output_penalty=each([problems[i].output_penalty for i in call]),
    )
    measured = observables(merged, weights)
    return {
        i: {name: values[owners == place] for name, values in measured.items()}
        for place, i in enumerate(call)
    }
