"""Gaussian features of the same moments in place of the nonlinear ones: another bias, the same limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.comparison import Own, Values
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.judges import AtSizes, InGroups
from teacherstudent.paper_checks.random_features import compared
from teacherstudent.paper_checks.random_features.kit.asking import ERF, ERRORS, RELU, TANH, Nonlinearity

CASES: dict[str, dict[str, Any]] = {
    "descent": {
        "activation": "relu", "psi1": 3.0, "psi2": 1.0, "times": (30, 300), "learning_rate": 0.1,
    },
    "ridge": {"activation": "erf", "psi1": 1.5, "psi2": 2.0, "times": (3.0, 300.0)},
}  # fmt: skip
NAMED = {"relu": RELU, "erf": ERF}
OTHERS: dict[str, Callable[[Nonlinearity], Nonlinearity]] = {
    "the nonlinearity's effective noise omitted": lambda own: Nonlinearity(own.mu1, 0.0),
    "linear features of the same variance": lambda own: Nonlinearity((own.mu1**2 + own.rest) ** 0.5, 0.0),
    "coefficients of tanh": lambda own: TANH,
}
"""Wrong: coefficients of the Gaussian features."""


def question(name: tuple[str, int]) -> dict[str, Any]:
    """That of a dynamics at a size."""
    dynamics, d = name
    return {"under": dynamics, "d": d, "noise": 0.5, "init": 0.5, "ridge": 0.02, **CASES[dynamics]}


def _errors(dynamics: str, route: str, asked: dict[str, Any], **more: Any) -> Values:
    answer = run("random-features", dynamics, route, **{**asked, **more})
    return {name: answer[name].values for name in ERRORS}


def _and_apart(gaussian: Values, other: Values) -> Values:
    return {**gaussian, **{f"{name} apart": other[name] - gaussian[name] for name in ERRORS}}


def twins(dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """Errors of Gaussian features, and how far those of nonlinear ones are from them."""
    gaussian = _errors(dynamics, "gaussian-equivalent", asked, seeds=seeds)
    return _and_apart(gaussian, _errors(dynamics, "simulation", asked, seeds=seeds))


def one_limit(dynamics: str, asked: dict[str, Any], _: list[int]) -> Values:
    """The limit, and no difference; unless Gaussian features have other coefficients."""
    other = asked.pop("gaussian", "")
    limit = _errors(dynamics, "asymptotic", asked)
    if not other:
        return _and_apart(limit, limit)
    hermite = OTHERS[other](NAMED[asked["activation"]]).hermite
    return _and_apart(_errors(dynamics, "asymptotic", asked, activation=None, hermite=hermite), limit)


CHECKS = (
    compared(
        id="rf-universality",
        title="in the limit, Gaussian features with the same moments have the errors of nonlinear features",
        ref="Gaussian covariates",
        paper="mei2022",
        clocks={"descent": {}, "ridge": {}},
        questions=question,
        routes=(Own(twins), Own(one_limit, sampled=False)),
        draws={(dynamics, d): count for dynamics in CASES for d, count in ((20, 300), (60, 150))},
        stream="{0[0]} d={0[1]}",
        judge=InGroups(AtSizes(extrapolated=True)),
        effect=Contrast("the nonlinearity's effective noise omitted", "the nonlinearity acting as noise"),
        wrong={**{name: {"gaussian": name} for name in OTHERS}, "no ridge": {"ridge": 0.0}},
        slow=True,
    ),
)
