"""An instance of the perceptron, and how it is built from validated values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from teacherstudent.house.errors import InputError
from teacherstudent.house.functions import UserFunction
from teacherstudent.problems.perceptron.parameters import LOSSES, VERSION_SPACE
from teacherstudent.problems.strengths import normalised, remark, strong


@dataclass(frozen=True)
class Perceptron:
    """All fields are validated: build it through `PROBLEM.instance`.

    ridge: that of a rule with a loss, else 0. counts, strengths: sigma_k^2 scale by scale, of mean 1 over
    inputs. divided: the root mean square by which the sigma_k were divided for that, where they were given
    one by one, else 1.
    """

    rule: str | UserFunction
    ridge: float
    labels: str
    noise: float
    weights: str
    counts: tuple[int, ...]
    strengths: tuple[float, ...]
    divided: float = 1.0

    @property
    def d(self) -> int:
        """Input dimension: the sum of the multiplicities."""
        return sum(self.counts)


def build(
    *,
    rule: str | UserFunction,
    ridge: float | None,
    labels: str,
    noise: float,
    weights: str,
    d: int,
    p: int | None,
    kappa: float,
    scales: tuple[tuple[int, float], ...] | None,
) -> Perceptron:
    """The instance of these values, each of which is in its domain. Raises `InputError`."""
    if ridge is None:
        ridge = 0.1 if has_loss(rule) else 0.0
    elif ridge and not has_loss(rule):
        raise InputError(
            "ridge", ridge, f"left out for rule {rule}, which has no ridge; {_listed(LOSSES)} have one"
        )
    if (rule == "hinge" or isinstance(rule, UserFunction)) and ridge == 0:
        raise InputError("ridge", ridge, f"above 0 for rule {rule}: otherwise the best student is not unique")
    if noise and labels == "random":
        raise InputError("noise", noise, "0 with labels random, which have no teacher")
    counts, strengths, size = normalised(d, p, kappa, scales)
    if weights == "binary" and rule not in VERSION_SPACE:
        raise InputError(
            "weights", weights, f"spherical for rule {rule}; binary for {_listed(VERSION_SPACE)}"
        )
    if rule in VERSION_SPACE:
        which = f"for rule {rule}, whose students agree with the teacher on every example"
        if noise:
            raise InputError("noise", noise, f"0 {which}")
        if labels == "random":
            raise InputError("labels", labels, f"teacher {which}")
        if len(set(strengths)) > 1:
            name, value = ("scales", scales) if scales else ("kappa", kappa)
            raise InputError(name, value, f"of a single strength for rule {rule}")
    return Perceptron(rule, ridge, labels, noise, weights, counts, strengths, size if scales else 1.0)


def has_loss(rule: str | UserFunction) -> bool:
    """Whether the student minimises a loss with a ridge: one that is built in, or a user's."""
    return rule in LOSSES or isinstance(rule, UserFunction)


def _listed(rules: tuple[str, ...]) -> str:
    return f"{', '.join(rules[:-1])} and {rules[-1]}"


def derived(problem: Perceptron) -> Mapping[str, Any]:
    """The ridge of a rule that has one, and how many inputs are strong, where none is given."""
    ridge = {"ridge": problem.ridge} if has_loss(problem.rule) else {}
    return {**ridge, **strong(problem.counts)}


def remarks(problem: Perceptron) -> str:
    """What was read otherwise than it may be meant: strengths that were divided."""
    return remark(problem.divided)


def observed(problem: Perceptron, _: Mapping[str, Any]) -> Collection[str]:
    """The observables of a rule: a loss where it has one, a margin where it has the largest, an entropy."""
    return (
        *("R", "angle", "generalisation_error", "training_error", "Q"),
        *(("training_loss",) if has_loss(problem.rule) else ()),
        *(("margin",) if problem.rule == "max-stability" else ()),
        *(("entropy",) if problem.rule == "gibbs" else ()),
    )
