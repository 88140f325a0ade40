"""Several curves of one figure: exact means at two sizes, given X, and students at the size in print.

What chance adds to students is several times what it adds to exact means given the inputs. So these say
where infinite sizes are, and the students, less the finite-size part of exact means, whether they go there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_errors
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, worst
from teacherstudent.paper_checks.judging.finite_size import agree_extrapolated

Questions = Callable[[int], Sequence[tuple[str, dict[str, Any]]]]
"""At size d, the dynamics and the keywords of `run` for each curve, with the figure's ratios of sizes."""


@dataclass(frozen=True)
class Drawn:
    """Values of all curves: exact means given each X by size, and students at size d, (S, P)."""

    exact: dict[int, np.ndarray]
    students: np.ndarray
    d: int

    @property
    def finite(self) -> tuple[np.ndarray, np.ndarray]:
        """By how much exact means at size d exceed those at infinite size, like 1/d, and its error, (P,)."""
        (small, few), (large, many) = sorted(self.exact.items())
        first, second = drawn_mean(few), drawn_mean(many)
        scale = 1 / self.d / (1 / small - 1 / large)
        return scale * (first.mean - second.mean), scale * np.hypot(first.stderr, second.stderr)


def values(route: str, questions: Questions, variables: Sequence[str], d: int, **more: Any) -> np.ndarray:
    """The variables of all curves by one route at size d, (P,), or (S, P) of draws."""
    found = []
    for dynamics, keywords in questions(d):
        answer = run("multiscale", dynamics, route, **{**keywords, **more})
        found += [answer[name].values for name in variables]
    return np.concatenate(found, axis=-1)


def drawn(
    questions: Questions,
    variables: Sequence[str],
    exact: Mapping[int, int],
    students: tuple[int, int],
    seeds: Seeds,
) -> Drawn:
    """Evidence; `exact` has draws by size, `students` a size and draws. Curves share their draws."""
    means = {
        d: values("instance", questions, variables, d, seeds=seeds(count, f"d={d}"))
        for d, count in exact.items()
    }
    d, count = students
    return Drawn(means, values("simulation", questions, variables, d, seeds=seeds(count, "students")), d)


def agree(evidence: Drawn, claimed: np.ndarray) -> Verdict:
    """Judge: exact means, extrapolated in 1/d, and students, less their finite-size part."""
    (bias, error), found = evidence.finite, drawn_mean(evidence.students)
    students = within_errors(found.mean - bias, claimed, np.hypot(found.stderr, error), degrees=found.degrees)
    return worst(agree_extrapolated(evidence.exact, claimed), students)
