"""Drawn data against the limit n, d -> infinity: equal but for a bias that falls like 1/d.

The bias and its exponent are measured at three sizes with a common shape; at a fourth, larger
size and with draws of its own, simulation and limit must agree within standard errors plus the
bias extrapolated to that size. Descent has a fixed learning rate, because the automatic one
follows the spectrum's edge, whose fluctuations fall like d^(-2/3) only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from house.running import run
from paper_checks.agreement import shrinking_bias, within_errors
from paper_checks.evidence import Check, Erratum, Seeds, Tooth, Verdict, worst

OBSERVABLES = ("R", "Q", "excess_risk")
SIZES = {10: 16000, 20: 8000, 40: 6000}
LARGE, LARGE_DRAWS = 100, 600
SHAPE = {"kappa": 3.0, "noise": 0.2, "ridge": 0.01}
DYNAMICS: dict[str, dict[str, Any]] = {
    "descent": {"times": (10, 100, 300), "learning_rate": 0.2},
    "ridge": {"times": (3.0, 30.0, 300.0)},
}


@dataclass(frozen=True)
class Sized:
    """Simulated observables of each draw at each size, (S, P), P = observables x times."""

    dynamics: str
    samples: dict[int, np.ndarray]


def question(dynamics: str, d: int) -> dict[str, Any]:
    """The same problem at dimension d: n = 1.5 d, p = 0.6 d."""
    return {**DYNAMICS[dynamics], **SHAPE, "n": 3 * d // 2, "d": d, "p": 3 * d // 5}


def flat(answer: Any) -> np.ndarray:
    return np.concatenate([answer[name].values for name in OBSERVABLES], axis=-1)


def simulated(dynamics: str, seeds: Seeds) -> Sized:
    def at(d: int, count: int) -> np.ndarray:
        asked = question(dynamics, d)
        return flat(run("multiscale", dynamics, "simulation", seeds=seeds(count, f"d={d}"), **asked))

    return Sized(dynamics, {d: at(d, count) for d, count in {**SIZES, LARGE: LARGE_DRAWS}.items()})


def limit(route: str, changes: dict[str, Callable[[Any], Any]], evidence: Sized) -> np.ndarray:
    """The claim (P,): a route's answer, with some parameters changed for the teeth."""
    asked = question(evidence.dynamics, LARGE)
    for name, change in changes.items():
        asked[name] = change(asked[name])
    return flat(run("multiscale", evidence.dynamics, route, **asked))


def agree_at_large_size(evidence: Sized, claimed: np.ndarray) -> Verdict:
    small = shrinking_bias(list(SIZES), [evidence.samples[d] - claimed for d in SIZES], -1)
    sample = evidence.samples[LARGE]
    scale = small.sizes[0] / LARGE
    stderr = sample.std(axis=0, ddof=1) / np.sqrt(len(sample))
    means = within_errors(
        sample.mean(axis=0),
        claimed,
        np.hypot(stderr, small.bias_stderr * scale),
        degrees=len(sample) - 1,
        bias=np.abs(small.bias) * scale,
    )
    return worst(small.verdict(-1), means)


def check(dynamics: str, ref: str, covers: tuple[str, ...], teeth: tuple[Tooth, ...]) -> Check:
    return Check(
        id=f"ms-limit-{dynamics}",
        problem="multiscale",
        title=f"simulated {dynamics} against the exact large-size limit, bias like 1/d",
        paper="pezeshki2022",
        ref=ref,
        evidence=partial(simulated, dynamics),
        claim=partial(limit, "asymptotic", {}),
        judge=agree_at_large_size,
        teeth=(
            Tooth("noise 10 % larger", partial(limit, "asymptotic", {"noise": lambda x: 1.1 * x})),
            Tooth("no ridge", partial(limit, "asymptotic", {"ridge": lambda x: 0.0})),
            *teeth,
        ),
        errata=(
            Erratum(
                f"ms-susceptibilities-{dynamics}",
                "pezeshki2022",
                "Eqs. 4.2.13-4.2.16, .2.39-.2.41",
                "each scale has a susceptibility a_i of its own",
                "both scales share one: chi = sum_k m_k e_k/(rho e_k + lambda), rho = n/(1 + chi)",
                partial(limit, "printed", {}),
            ),
        ),
        covers=covers,
        slow=True,
    )


def more_steps(times: tuple[int, ...]) -> list[int]:
    """At least one per cent more, in whole steps."""
    return [k + -(-k // 100) for k in times]


def flow_at_same_time(evidence: Sized) -> np.ndarray:
    """Gradient flow at s = eta k, where gradient descent was asked for."""
    asked = question("descent", LARGE)
    rate = asked.pop("learning_rate")
    asked["times"] = [rate * k for k in asked["times"]]
    return flat(run("multiscale", "flow", "asymptotic", **asked))


CHECKS = (
    check(
        "descent",
        "Eqs. 4.2.4, 4.2.9-4.2.16",
        ("Eq. 4.2.4", "Fig. 1", "Fig. 3 left"),
        (
            Tooth("one per cent more steps", partial(limit, "asymptotic", {"times": more_steps})),
            Tooth("flow instead of descent", flow_at_same_time),
        ),
    ),
    check(
        "ridge",
        "Eqs. 4.2.11-4.2.16",
        ("Eqs. 4.2.11-4.2.16", "Eqs. .2.37-.2.41", "Fig. 3 right"),
        (
            Tooth(
                "half the ridge",
                partial(limit, "asymptotic", {"times": lambda t: [2 * x for x in t]}),
            ),
        ),
    ),
)
