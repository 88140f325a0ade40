"""One new sample a step: the equations at large d against training, with the bias of finite d measured.

Training many students with many weights costs too much to measure that bias well. So students of
`kit/stream.py` stand for it at larger sizes, and are held to training at a small one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_errors
from teacherstudent.paper_checks.judging.claims import worst_case, worst_of
from teacherstudent.paper_checks.judging.comparison import Changes, changed, scaled
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast, Effect
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias
from teacherstudent.paper_checks.scale_invariant import check, compared
from teacherstudent.paper_checks.scale_invariant.kit import stream

COMMON = {"learning_rate": 1.0, "ridge": 0.3, "angle0": 1.2, "noise": 0.5, "teacher": "random"}
MOVING = (0.5, 1.5, 4.0)
"""Times at which students still learn."""
RATES_AND_RIDGES: dict[str, Changes] = {
    "steps 5 % larger": {"learning_rate": scaled(1.05)},
    "ridge 10 % larger": {"ridge": scaled(1.1)},
    "label noise 10 % larger": {"noise": scaled(1.1)},
}


def answer(route: str, times: Sequence[float], **keywords: Any) -> np.ndarray:
    """Angle and radius side by side, (P,); of a sampled route (S, P)."""
    found = run("scale-invariant", "online", route, times, **keywords)
    return np.concatenate([found["angle"].values, found["radius"].values], axis=-1)


WITHOUT = "the gradient's variance without the term 2(1 - m)"
MSE = compared(
    id="sphere-online-mse",
    title="in online learning, SGD on the mean squared error follows two equations for alignment and radius",
    ref="Theorem 2 for one new sample per step",
    clocks={"online": {"times": MOVING, "loss": "mse", **COMMON}},
    questions=lambda d: {"d": d},
    draws={8: 10000, 16: 8000, 32: 8000, 120: 200},
    routes=("simulation", "theory"),
    observables=("angle", "radius"),
    wrong={**RATES_AND_RIDGES, WITHOUT: {"loss": "correlation"}},
    effect=Contrast(WITHOUT, "the contribution of the error to the gradient's variance"),
    slow=True,
)

# Students of a few axes ---------------------------------------------------------------------------------

SMALL, TRAINED = 8, 30000
SIZES = {40: 40000, 80: 40000, 160: 30000, 640: 3000}


@dataclass(frozen=True)
class Streamed:
    """A question and its times; draws of training at d = `SMALL`, of students there and at larger d."""

    question: dict[str, Any]
    times: tuple[float, ...]
    trained: np.ndarray
    same: np.ndarray
    larger: dict[int, np.ndarray]


def streamed(
    question: dict[str, Any], times: tuple[float, ...], sizes: dict[int, int], seeds: Seeds
) -> Streamed:
    """Angle and radius of every draw, (S, P)."""
    own = {name: value for name, value in question.items() if name != "teacher"}

    def drawn(d: int, count: int) -> np.ndarray:
        return stream.drawn(d, count, seeds(1, f"d={d}")[0], times, **own)

    trained = answer("simulation", times, d=SMALL, seeds=seeds(TRAINED), **question)
    larger = {d: drawn(d, count) for d, count in sizes.items()}
    return Streamed(question, times, trained, drawn(SMALL, 4 * TRAINED), larger)


def limit(route: str, changes: Changes, evidence: Streamed) -> np.ndarray:
    """The claim (P,): a route's answer, with some keywords changed for the negative controls."""
    return answer(route, evidence.times, d=max(evidence.larger), **changed(evidence.question, changes))


@worst_of
def same_law_and_limit(evidence: Streamed, claim: np.ndarray) -> Iterator[Verdict]:
    """Means are those of training at d = `SMALL`; what finite d changes in them falls like 1/d to nothing."""
    trained, same = drawn_mean(evidence.trained), drawn_mean(evidence.same)
    stderr = np.hypot(trained.stderr, same.stderr)
    means = within_errors(trained.mean, same.mean, stderr, degrees=trained.degrees)
    size = float(np.median(np.abs(same.mean - evidence.larger[max(evidence.larger)].mean(axis=0))))
    yield replace(means, effect=Effect(size, f"the effect of finite size at d = {SMALL}"))
    yield agree_beyond_bias(evidence.larger, claim)


def stream_check(
    of: str,
    title: str,
    changes: dict[str, Changes],
    effect: Contrast,
    route: str = "theory",
    times: tuple[float, ...] = MOVING,
    sizes: dict[int, int] = SIZES,
    **own: Any,
) -> Check:
    """One question put to students and a route; negative controls: the route with some parameters changed."""
    behind = {"theory": "theory_online", "equilibrium": "equilibrium_online"}[route]
    return check(
        id=f"sphere-online-{of}",
        title=title,
        ref="Theorem 2 for one new sample per step",
        evidence=partial(streamed, {**COMMON, **own}, times, sizes),
        claim=partial(limit, route, {}),
        judge=same_law_and_limit,
        effect=effect,
        wrong=tuple(WrongClaim(name, partial(limit, route, change)) for name, change in changes.items()),
        functions=("sims.scale_invariant.online:online", f"theory.scale_invariant.routes:{behind}"),
        slow=True,
    )


MEMORY: dict[str, Changes] = {
    "momentum of 0.57": {"momentum": 0.57},
    "no momentum": {"scheme": "sgd"},
}
SQUARED = stream_check(
    "squared",
    "in online learning, SGD on the squared correlation follows two equations for alignment and radius",
    {**RATES_AND_RIDGES, "label noise of 1": {"noise": 1.0}},
    Contrast("label noise of 1", "the effect of doubling the label noise"),
    times=(2.0, 4.0),
    sizes={20: 50000, 40: 50000, 80: 50000, 640: 3000},
    loss="squared-correlation",
    learning_rate=0.4,
)
MOMENTUM = stream_check(
    "momentum",
    "in online learning, SGD with momentum acts like SGD with steps larger by 1/(1 - beta)",
    {**MEMORY, "transported momentum": {"scheme": "sgd-mrt"}},
    Contrast("transported momentum", "the effect of transporting the momentum"),
    scheme="sgd-momentum",
    learning_rate=0.4,
    momentum=0.6,
)
TRANSPORT = stream_check(
    "transport",
    "in online learning, a transported momentum increases the radius by the sum of squares, not the squared "
    "sum",
    {**MEMORY, "momentum without transport": {"scheme": "sgd-momentum"}},
    Contrast("momentum without transport", "the effect of transporting the momentum"),
    scheme="sgd-mrt",
    learning_rate=0.4,
    momentum=0.6,
)
REST = stream_check(
    "rest",
    "in online learning, SGD settles where noise balances drift and ridge",
    {**RATES_AND_RIDGES, "half the label noise": {"noise": scaled(0.5)}},
    Contrast("half the label noise", "the effect of half the label noise"),
    route="equilibrium",
    times=(10.0, 14.0),
    sizes={20: 40000, 40: 40000, 80: 30000, 320: 3000},
    loss="mse",
    learning_rate=2.0,
)


# Adam's variants, averaged ------------------------------------------------------------------------------

FORGOTTEN = {150: 2 / 25, 600: 1 / 25}
"""1 - beta2 by size. Averaging leaves out the fluctuation of second moments, which is like it, and their lag,
1/((1 - beta2) d) in t: from the first size to the second both halve."""
DRAWN = {150: 200, 600: 60}
TIMES = (1.0,)
ADAM = {"angle0": 1.2, "noise": 0.5, "teacher": "random", "beta1": 0.5}
SCHEMES = ("adam", "adamw", "adam-s", "adam-srt", "adamg", "adagradg")


def question(scheme: str, d: int) -> dict[str, Any]:
    """The question put to a scheme with d weights: so that it learns as fast as with more."""
    lasting = d / FORGOTTEN[d]
    own = {
        "adamg": {"learning_rate": d**0.5},
        "adagradg": {"learning_rate": lasting**0.5, "v0": lasting},
    }.get(scheme, {"learning_rate": 1.0, "ridge": 0.3})
    return {"d": d, "scheme": scheme, "beta2": 1 - FORGOTTEN[d], **ADAM, **own}


Levels = dict[str, list[np.ndarray]]
"""Angle and radius by scheme, at each size: of draws (S, 2 T), else (2 T,)."""


def trained(seeds: Seeds) -> Levels:
    """Every scheme at both sizes."""
    return {
        scheme: [
            answer("simulation", TIMES, seeds=seeds(count, f"{scheme} {d}"), **question(scheme, d))
            for d, count in DRAWN.items()
        ]
        for scheme in SCHEMES
    }


def by_averages(_: Levels, of: str = "", slower: float = 1.0, **changed: Any) -> Levels:
    """The averaged laws; those of one scheme with something changed, or slower by a factor."""

    def keywords(scheme: str, d: int) -> dict[str, Any]:
        asked = question(scheme, d)
        other = {"learning_rate": asked["learning_rate"] / slower, **changed}
        return {**asked, **(other if scheme == of else {})}

    return {scheme: [answer("averaged", TIMES, **keywords(scheme, d)) for d in DRAWN] for scheme in SCHEMES}


HALVED = 1 / (np.sqrt(2) - 1)
"""Over what halving 1 - beta2 changes, an error that falls like its root, or faster, is at most this."""


@worst_case
def up_to_memory(draws: list[np.ndarray], claim: list[np.ndarray]) -> Verdict:
    """At the larger size, within standard errors and what is left out, as measured between the sizes."""
    coarse, fine = (drawn_mean(found - law) for found, law in zip(draws, claim, strict=True))
    bias = HALVED * np.abs(coarse.mean - fine.mean)
    stderr = np.sqrt(fine.stderr**2 + HALVED**2 * (coarse.stderr**2 + fine.stderr**2))
    return within_errors(fine.mean + claim[1], claim[1], stderr, degrees=fine.degrees, bias=bias)


ADAPTIVE = check(
    id="sphere-online-averaged",
    title="in online learning, Adam's variants follow averaged equations, except for the memory of their "
    "second moments",
    ref="Theorem 2 for one new sample per step",
    evidence=trained,
    claim=by_averages,
    judge=up_to_memory,
    effect=Contrast("Adam-SRT without transport", "the effect of transporting the moments"),
    wrong=(
        WrongClaim("Adam-SRT without transport", partial(by_averages, of="adam-srt", scheme="adam-s")),
        WrongClaim("Adam without weight decay", partial(by_averages, of="adam", ridge=0.0)),
        WrongClaim("AdaGradG at a third of the speed", partial(by_averages, of="adagradg", slower=3.0)),
        WrongClaim("Adam-S at half the speed", partial(by_averages, of="adam-s", slower=2.0)),
        WrongClaim("AdamG at a third of the speed", partial(by_averages, of="adamg", slower=3.0)),
        WrongClaim("AdamW without weight decay", partial(by_averages, of="adamw", ridge=0.0)),
    ),
    slow=True,
)

CHECKS = (MSE, SQUARED, MOMENTUM, TRANSPORT, REST, ADAPTIVE)
