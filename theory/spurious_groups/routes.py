"""The routes' entries: problems in, observables of a direction w/|w| out, the same at every time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.spurious_groups import SpuriousGroups
from teacherstudent.theory.spurious_groups.accuracy import group_accuracies
from teacherstudent.theory.spurious_groups.balance import balance
from teacherstudent.theory.spurious_groups.initial import initial_gradient, training_accuracies
from teacherstudent.theory.spurious_groups.margin import Ensemble, max_margin
from teacherstudent.theory.spurious_groups.separability import smallest_ratio

Arrays = Mapping[str, np.ndarray]


def ensemble(problem: SpuriousGroups) -> Ensemble:
    """What the max-margin limit of a problem depends on: of the examples that its method keeps."""
    keeps = balance(problem)
    return Ensemble(
        problem.gamma_spurious,
        problem.gamma_core,
        problem.gamma_noise * problem.noise_std,
        problem.feature_std,
        keeps.minority,
        problem.noise_features / keeps.examples,
    )


def margin_limit(
    problem: SpuriousGroups, times: np.ndarray, *, weight_decay: float = 0.0, **path: Any
) -> Arrays:
    """Observables of the direction of largest margin, at each of the times (T,).

    `path` are the options of the dynamics that change the path, not the end. NaN with an
    `UnconvergedWarning` where the examples that are kept cannot be separated. Raises `InputError` for
    weight decay, under which descent ends elsewhere.
    """
    if weight_decay:
        raise InputError("weight_decay", weight_decay, "0 for route max-margin")
    end = max_margin(ensemble(problem))
    lost = np.isnan(end.margin)
    found = {
        **_tested(problem, end.spurious, end.core, end.noise),
        "training_worst_group_accuracy": np.float64(1),
        "margin": end.margin,
        "support_fraction": end.support,
    }
    return _constant(times, nan_where(lost, f"route max-margin: {_why(problem) if lost else ''}", found))


def first_step(problem: SpuriousGroups, times: np.ndarray, **path: Any) -> Arrays:
    """Observables of the direction of the gradient at weights 0, at each of the times (T,).

    `path` are the options of the dynamics. Of just train twice, its first training.
    """
    gradient = initial_gradient(problem)
    scales = np.array([problem.gamma_spurious, problem.gamma_core, problem.gamma_noise * problem.noise_std])
    e = np.array([gradient.spurious, gradient.core, gradient.noise])
    found = _tested(problem, *e / np.linalg.norm(e / scales))
    trained = training_accuracies(gradient, problem.feature_std).min()
    return _constant(times, {**found, "training_worst_group_accuracy": trained})


def _tested(problem: SpuriousGroups, spurious: Any, core: Any, noise: Any) -> dict[str, Any]:
    """The direction, and its accuracies on test examples."""
    unseen = noise if problem.test_noise == "fresh" else np.zeros_like(noise)
    groups = group_accuracies(spurious, core, unseen, problem.feature_std)
    majority, minority = groups[0], groups[1]
    return {
        "worst_group_accuracy": groups.min(),
        "average_accuracy": (1 - problem.minority) * majority + problem.minority * minority,
        "group_accuracy": groups,
        "spurious_weight": spurious,
        "core_weight": core,
        "noise_weight": noise,
    }


def _constant(times: np.ndarray, found: Arrays) -> Arrays:
    return {name: np.broadcast_to(value, (times.size, *np.shape(value))) for name, value in found.items()}


def _why(problem: SpuriousGroups) -> str:
    """Why there is no direction of largest margin."""
    keeps = balance(problem)
    given = problem.noise_features / keeps.examples
    needed = smallest_ratio(problem.feature_std, keeps.minority)
    if given <= needed:
        return (
            f"not separable: there are {given:g} noise features per example, but more than {needed:g} "
            "are needed"
        )
    return "no minimum certified"


def groups_above_chance(problem: SpuriousGroups, _: str) -> int:
    """How many groups the direction of largest margin classifies better than a coin: where e_c > |e_s|, all.

    Raises `ArithmeticError` where there is no certified direction.
    """
    end = max_margin(ensemble(problem))
    if np.isnan(end.margin):
        raise ArithmeticError(_why(problem))
    return int(np.sum(group_accuracies(end.spurious, end.core, 0.0, problem.feature_std) > 1 / 2))
