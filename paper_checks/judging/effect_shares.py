"""Which effect each comparison of a check is about: its judge's own, or what the check declares.

A check may be made of several comparisons, in units of their own. A wrong claim is judged by the same judge,
so that its comparisons are matched by position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from teacherstudent.paper_checks.judging.effects import WHOLE, Contrast, Declared, Effect, Measured

if TYPE_CHECKING:
    from teacherstudent.paper_checks.judging.evidence import Verdict

TOUCHED = 0.01
"""A wrong claim changes a comparison where it moves the statistic by more of the threshold than this."""

UNSEEN = "an error that none of the check's wrong claims makes"
"""What such a comparison is about: its size is 0, and the share infinite."""


def effects_on(
    declared: Declared, evidence: Any, verdict: Verdict, wrong: Mapping[str, Verdict]
) -> Iterator[Effect | None]:
    """The effect of every leaf of the verdict; None where neither its judge nor the check says.

    wrong: the verdicts on the wrong claims. Raises `ValueError` where the wrong claim of a `Contrast` was
    judged by other comparisons than the claim.
    """
    told: Sequence[Effect | None]
    if isinstance(declared, Contrast):
        told = contrasts(declared, verdict, wrong)
    else:
        if isinstance(declared, Measured):
            declared = Effect(float(declared.size(evidence)), declared.what)
        told = [declared] * len(verdict.leaves)
    for leaf, effect in zip(verdict.leaves, told, strict=True):
        if leaf.effect or leaf.resolution == 0:  # algebra: any error is detected
            yield leaf.effect or WHOLE
        elif leaf.unit.startswith("relative") and (effect is None or effect.what == UNSEEN):
            yield WHOLE
        else:
            yield effect


def contrasts(declared: Contrast, verdict: Verdict, wrong: Mapping[str, Verdict]) -> list[Effect]:
    """By leaf what the declared wrong claim changes; where that is nothing, what the clearest other does."""
    if len(wrong[declared.wrong].leaves) != len(verdict.leaves):
        raise ValueError(f"{declared.wrong!r} is not judged by the same comparisons as the claim")
    ratios = {
        name: changed(verdict.leaves, other.leaves)
        for name, other in wrong.items()
        if len(other.leaves) == len(verdict.leaves)
    }
    found = []
    for place, leaf in enumerate(verdict.leaves):
        clearest = max(ratios, key=lambda name: ratios[name][place])
        name = declared.wrong if ratios[declared.wrong][place] else clearest
        ratio = ratios[name][place]
        what = declared.what if name == declared.wrong else f"the effect of the wrong claim {name!r}"
        found.append(Effect(leaf.resolution * ratio, what if ratio else UNSEEN))
    return found


def changed(right: Sequence[Verdict], wrong: Sequence[Verdict]) -> list[float]:
    """By leaf the statistic of a wrong claim over its threshold; 0 where it is that of the right claim."""
    return [
        max(strain(other), 0.0) if abs(strain(other) - strain(leaf)) > TOUCHED else 0.0
        for leaf, other in zip(right, wrong, strict=True)
    ]


def strain(leaf: Verdict) -> float:
    """Statistic over threshold; 0 where that is no number."""
    ratio = leaf.statistic / leaf.threshold if leaf.threshold else 0.0
    return ratio if isfinite(ratio) else 0.0
