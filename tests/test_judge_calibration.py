"""How often `judge` refuses a right theory, and finds one that is wrong by twice what it says it sees.

`python -m tests.test_judge_calibration` prints the table of the page on judging, in some minutes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

import teacherstudent as ts

SHARED = 0.9
LAWS = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "normal, points correlated": lambda rng, shape: _shared(rng, shape),
    "t5": lambda rng, shape: rng.standard_t(5, shape),
    "chi2 of 4": lambda rng, shape: rng.chisquare(4, shape) - 4,
    "chi2 of 1": lambda rng, shape: rng.chisquare(1, shape) - 1,
    "chi2 of 1, points correlated": lambda rng, shape: _shared(rng, shape) ** 2 - 1,
}


def _shared(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    common = rng.standard_normal((shape[0], 1))
    return np.sqrt(SHARED) * common + np.sqrt(1 - SHARED) * rng.standard_normal(shape)


def outcomes(count: int, level: float, seed: int) -> Iterator[tuple[str, int, bool, bool, bool]]:
    """Of so many cases the law and the draws, and whether the truth is refused.

    Then whether an error of twice what could be detected is found, in the same draws and in new ones.
    """
    rng = np.random.default_rng(seed)
    for i in range(count):
        law = list(LAWS)[i % len(LAWS)]
        shape = tuple(np.exp(rng.uniform(np.log([5, 1]), np.log([201, 101]))).astype(int))
        draws, anew = (1 + LAWS[law](rng, shape) for _ in range(2))
        truth = np.ones(shape[1])
        found = ts.judge(draws, truth, effect=1e30, level=level)
        wrong = truth.copy()
        at = rng.integers(shape[1])
        wrong[at] += 2 * rng.choice([-1, 1]) * found.detectable[at]
        refuted = (
            ts.judge(each, wrong, effect=1e30, level=level).verdict == "disagrees" for each in (draws, anew)
        )
        yield law, shape[0], found.verdict == "disagrees", *refuted


@pytest.mark.parametrize("level", [0.01])
def test_few_cases_are_judged_as_stated(level: float, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, fewer in {"SAMPLES": 100_000, "LEAST": 400}.items():
        monkeypatch.setattr(f"teacherstudent.paper_checks.judging.skewed.{name}", fewer)
    alarms, found = np.array([each[2:4] for each in outcomes(48, level, seed=1)]).sum(axis=0)
    assert alarms <= 4  # 0.5 expected: more in 2 of 10,000 runs
    assert found >= 0.95 * 48


@pytest.mark.thorough
@pytest.mark.parametrize(("level", "most"), [(0.01, 20), (1e-4, 3)])  # 20 and 0.2 stated
def test_2000_cases_are_judged_as_stated(level: float, most: int) -> None:
    cases = list(outcomes(2000, level, seed=2))
    alarms, found, _ = np.array([each[2:] for each in cases]).sum(axis=0)
    assert alarms <= most
    assert found >= 0.95 * 2000
    few = np.searchsorted([10, 30, 100], [draws for _, draws, *_ in cases], side="right")
    laws = np.array([law for law, *_ in cases])
    for group in [*(few == i for i in range(4)), *(laws == law for law in LAWS)]:
        assert np.mean([case[-1] for case, in_it in zip(cases, group, strict=True) if in_it]) >= 0.95


def table(level: float) -> str:
    """Alarms, and the shares of errors found in the same and in new draws, by law and by number of draws."""
    counts: dict[str, Counter[str]] = {}
    for law, draws, *said in outcomes(2000, level, seed=2):
        ends = ((5, 9), (10, 29), (30, 99), (100, 200))
        few = next(f"{low} to {high} draws" for low, high in ends if draws <= high)
        for group in ("all", law, few):
            own = counts.setdefault(group, Counter())
            own.update(dict(zip(("alarms", "found", "anew"), map(int, said), strict=True)))
            own["cases"] += 1
    lines = [
        f"| {group} | {own['cases']} | {own['alarms']} | {own['found'] / own['cases']:.1%} "
        f"| {own['anew'] / own['cases']:.1%} |"
        for group, own in counts.items()
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    for level in (0.01, 1e-4):
        print(f"level {level:g}", table(level), sep="\n")
