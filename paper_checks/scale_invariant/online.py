"""One new sample a step: the equations at large d against training, with the bias of finite d measured."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.finite_size import Changes, Family, against_limit, scaled
from teacherstudent.paper_checks.scale_invariant import check


def family(
    draws: Mapping[int, int], large: tuple[int, int], times: tuple[float, ...] = (0.5, 1.5, 4.0), **own: Any
) -> Family:
    """One question at many sizes; random teachers, a ridge and label noise."""
    common = {"learning_rate": 1.0, "ridge": 0.3, "angle0": 1.2, "noise": 0.5, "teacher": "random"}
    return Family(
        problem="scale-invariant",
        dynamics="online",
        variables=("angle", "radius"),
        question=lambda d: {"times": times, "d": d, "momentum": 0.6, **common, **own},
        draws=draws,
        large=large,
    )


def online_check(
    of: str, title: str, drawn: Family, changes: dict[str, Changes], route: str, effect: Contrast
) -> Check:
    """A family against a route, its negative controls the route with some parameters changed."""
    return check(
        id=f"sphere-online-{of}",
        title=title,
        ref="Theorem 2 for one new sample a step",
        **against_limit(drawn, route, changes, effect=effect),
    )


RATES_AND_RIDGES: dict[str, Changes] = {
    "steps 5% larger": {"learning_rate": scaled(1.05)},
    "ridge 10% larger": {"ridge": scaled(1.1)},
    "noise 10% larger": {"noise": scaled(1.1)},
}
MEMORY: dict[str, Changes] = {
    "momentum .57": {"momentum": lambda _: 0.57},
    "without momentum": {"scheme": lambda _: "sgd"},
}
MODERATE = {20: 3000, 40: 3000, 80: 3000}

MSE = online_check(
    "mse",
    "alignment and radius of SGD on a stream follow two equations, mean squared error",
    family({8: 6000, 16: 6000, 32: 6000}, (120, 200), loss="mse"),
    {**RATES_AND_RIDGES, "the gradient's variance without its 2(1 - m)": {"loss": lambda _: "correlation"}},
    "theory",
    Contrast("the gradient's variance without its 2(1 - m)", "the gradient's variance by the error"),
)
SQUARED = online_check(
    "squared",
    "alignment and radius of SGD on a stream follow two equations, squared correlation",
    family(MODERATE, (320, 300), loss="squared-correlation", learning_rate=0.7),
    {"steps 25% larger": {"learning_rate": scaled(1.25)}, "noise 1": {"noise": lambda _: 1.0}},
    "theory",
    Contrast("noise 1", "what label noise twice as large changes"),
)
MOMENTUM = online_check(
    "momentum",
    "on a stream SGD with momentum is SGD with steps 1/(1 - beta) as large",
    family(MODERATE, (320, 300), scheme="sgd-momentum", learning_rate=0.4),
    {**MEMORY, "transported": {"scheme": lambda _: "sgd-mrt"}},
    "theory",
    Contrast("transported", "what transporting the momentum changes"),
)
TRANSPORT = online_check(
    "transport",
    "on a stream a transported momentum makes the radius grow by the sum of squares, not the squared sum",
    family({16: 3000, 32: 3000, 64: 3000}, (200, 300), scheme="sgd-mrt", learning_rate=0.4),
    {**MEMORY, "not transported": {"scheme": lambda _: "sgd-momentum"}},
    "theory",
    Contrast("not transported", "what transporting the momentum changes"),
)
REST = online_check(
    "rest",
    "SGD on a stream comes to rest where noise balances drift and ridge",
    family({6: 3000, 12: 3000, 24: 3000}, (120, 300), (10.0, 14.0), loss="mse", learning_rate=2.0),
    {**RATES_AND_RIDGES, "half the noise": {"noise": scaled(0.5)}},
    "equilibrium",
    Contrast("half the noise", "what half the label noise changes"),
)


# Adam's variants, averaged ------------------------------------------------------------------------------

D, FORGOTTEN, TIMES = 600, 1 / 25, (1.0, 2.0)
AVERAGED: dict[str, dict[str, float]] = {
    "adam": {"ridge": 0.3},
    "adamw": {"ridge": 0.3},
    "adam-s": {"ridge": 0.3},
    "adam-srt": {"ridge": 0.3},
    "adamg": {"learning_rate": D**0.5},
    "adagradg": {"learning_rate": (D / FORGOTTEN) ** 0.5, "v0": D / FORGOTTEN},
}
"""Schemes with their keywords beyond the common ones."""


def question(scheme: str) -> dict[str, Any]:
    """The question put to a scheme."""
    start = {"learning_rate": 1.0, "angle0": 1.2, "noise": 0.5, "teacher": "random"}
    return {"d": D, "scheme": scheme, **start, "beta1": 0.5, "beta2": 1 - FORGOTTEN, **AVERAGED[scheme]}


def answer(route: str, **keywords: Any) -> np.ndarray:
    """Angle and radius side by side."""
    found = run("scale-invariant", "online", route, TIMES, **keywords)
    return np.concatenate([found["angle"].values, found["radius"].values], axis=-1)


THIRD = AVERAGED["adagradg"]["learning_rate"] / 3

Drawn = dict[str, np.ndarray]
"""Angle and radius of every scheme's draws, (S, 2 T)."""


def trained(seeds: Seeds) -> Drawn:
    """Every scheme at one size."""
    return {scheme: answer("simulation", seeds=seeds(20), **question(scheme)) for scheme in AVERAGED}


def by_averages(_: Drawn, of: str = "", **changed: Any) -> dict[str, np.ndarray]:
    """The averaged laws; those of one scheme with something changed."""
    return {
        scheme: answer("averaged", **{**question(scheme), **(changed if scheme == of else {})})
        for scheme in AVERAGED
    }


@worst_case
def up_to_memory(values: np.ndarray, claim: np.ndarray) -> Verdict:
    """Within standard errors and what averaging leaves out.

    Relatively the fluctuation of second moments, 1 - beta2, and their lag, 1/((1 - beta2) d) in t.
    """
    return mean_within_errors(values, claim, bias=(FORGOTTEN + 1 / (FORGOTTEN * D)) * claim)


ADAPTIVE = check(
    id="sphere-online-averaged",
    title="Adam's variants on a stream follow the same equations, up to the memory of their second moments",
    ref="Theorem 2 for one new sample a step",
    evidence=trained,
    claim=by_averages,
    judge=up_to_memory,
    effect=Contrast("Adam-SRT not transported", "what transporting the moments changes"),
    teeth=(
        Tooth("Adam-SRT not transported", partial(by_averages, of="adam-srt", scheme="adam-s")),
        Tooth("Adam without decay", partial(by_averages, of="adam", ridge=0.0)),
        Tooth("AdaGradG a third as fast", partial(by_averages, of="adagradg", learning_rate=THIRD)),
        Tooth("Adam-S half as fast", partial(by_averages, of="adam-s", learning_rate=0.5)),
        Tooth("AdamG a third as fast", partial(by_averages, of="adamg", learning_rate=D**0.5 / 3)),
        Tooth("AdamW without decay", partial(by_averages, of="adamw", ridge=0.0)),
    ),
    functions=(
        "sims.scale_invariant.online:online",
        "theory.scale_invariant.routes:averaged_online",
    ),
    slow=True,
)

CHECKS = (MSE, SQUARED, MOMENTUM, TRANSPORT, REST, ADAPTIVE)
