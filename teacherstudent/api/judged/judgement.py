"""What a judgement holds, and how it is said: on a screen, as numbers, as a picture and as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure as Canvas

WORST = 5
"""Points that a screen shows."""


@dataclass(frozen=True)
class Bias:
    """The bias of finite sizes: their distance from the limit, which behaves like size**-exponent.

    Attributes:
        sizes: The sizes, increasing.
        exponent: The fitted exponent; NaN where the bias is too small to measure it.
        exponent_stderr: One standard error of the fitted exponent, by a jackknife over draws.
        declared: The exponent that was asserted, or None.
        remaining: The largest bias at the largest size, in the unit of the values.
    """

    sizes: tuple[float, ...]
    exponent: float
    exponent_stderr: float
    declared: float | None
    remaining: float


@dataclass(frozen=True, eq=False, repr=False)
class Judgement:
    """The result of `teacherstudent.judge`: a theory judged by draws. Printing it shows all results.

    Attributes:
        verdict: `agrees`; `disagrees`; `cannot tell`, if errors of more than half of the effect would
            pass; or `blunt`, if the draws agree with the theory but also with a wrong theory.
        reason: The reason for the verdict, in a sentence.
        points: Labels of the points. If the theory was held to each of several sizes: (size, point).
        mean: Means of the draws (points,), extrapolated to infinite size if sizes were given.
        stderr: One standard error of each.
        theory: The theory (points,); NaN where it gives no number.
        residuals: Mean minus theory in standard errors (points,).
        threshold: Largest residual that chance explains: the quantile for this number of points.
        worst: Label of the point with the largest residual.
        detectable: Smallest error that would have been detected at each point (points,), in the unit of the
            values.
        share: The detectable error as a share of the effect: the median over points, or of another theory the
            share of its difference at the point that shows it best.
        effect: The effect itself, in words.
        draws: Number of draws; the smallest, if there are several sizes.
        needed: Approximate number of draws that would suffice; None if these suffice, or if no number would.
        wrong: Largest residual of each wrong theory, by name.
        missed: Names of wrong theories that were not refuted.
        bias: The bias over sizes; None without sizes.
        cautions: Further remarks that a reader of the verdict should know, in sentences.
        level: Probability that a correct theory is rejected.
    """

    verdict: str
    reason: str
    points: tuple[Any, ...]
    mean: np.ndarray
    stderr: np.ndarray
    theory: np.ndarray
    residuals: np.ndarray
    threshold: float
    worst: Any
    detectable: np.ndarray
    share: float
    effect: str
    draws: int
    needed: int | None = None
    wrong: Mapping[str, float] = field(default_factory=dict)
    missed: tuple[str, ...] = ()
    bias: Bias | None = None
    cautions: tuple[str, ...] = ()
    level: float = 1e-4

    @property
    def agrees(self) -> bool:
        """Whether the verdict is `agrees`: no disagreement, and a relevant error would have been detected."""
        return self.verdict == "agrees"

    @property
    def facts(self) -> dict[str, str]:
        """The numbers that justify the verdict, in words, by name."""
        import numpy as np

        typical = float(np.nanmedian(self.detectable))
        facts = {
            "draws": f"{self.draws}, at {len(self.points)} point{'s' * (len(self.points) > 1)}",
            "largest residual": f"{_short(self.largest)} standard errors at {said(self.worst)}, "
            f"{self.threshold:.3g} allowed ({self.level:g} of correct theories exceed it)",
            "detectable error": f"{typical:.2g} (median over points), {share_of(self.share, self.effect)}; "
            "an error of twice that would be detected in 95 % of new draws",
        }
        if bias := self.bias:
            fitted = "too small for a measurement of its exponent"
            if isfinite(bias.exponent):
                fitted = f"size^-{bias.exponent:.3g} +- {bias.exponent_stderr:.2g}"
            fitted += f", declared {bias.declared:g}" if bias.declared is not None else ""
            sizes = ", ".join(f"{each:g}" for each in bias.sizes)
            facts["bias"] = f"{fitted}; {bias.remaining:.2g} left at the largest of sizes {sizes}"
        if self.wrong:
            missed = dict.fromkeys(self.missed, ", NOT REFUTED")
            listed = [f"{name} ({_short(each)}{missed.get(name, '')})" for name, each in self.wrong.items()]
            refuted = f"{len(self.wrong) - len(missed)} of {len(self.wrong)} refuted"
            facts["wrong theories"] = f"{refuted}: {', '.join(listed)}"
        return facts

    @property
    def largest(self) -> float:
        """The largest residual, without its sign."""
        import numpy as np

        return float(np.nanmax(np.abs(self.residuals)))

    def __str__(self) -> str:
        """The judgement on one screen."""
        lines = [f"{self.verdict}: {self.reason}"]
        lines += [f"  {name:17} {words}" for name, words in self.facts.items()]
        lines += [f"  caution: {each}" for each in self.cautions]
        lines.append(f"  {'point':>17} {'draws':>12} {'error':>9} {'theory':>12} {'residual':>9}")
        for label, mean, error, theory, residual, _ in self.rows(WORST):
            lines.append(f"  {label[:17]:>17} {mean:12.5g} {error:9.2g} {theory:12.5g} {residual:9.2f}")
        return "\n".join(lines)

    def rows(self, most: int) -> list[tuple[Any, ...]]:
        """The numbers of the points with the largest residuals, in decreasing order of the residual."""
        import numpy as np

        order = np.argsort(-np.nan_to_num(np.abs(self.residuals), nan=-1.0), kind="stable")[:most]
        columns = (self.mean, self.stderr, self.theory, self.residuals, self.detectable)
        return [(said(self.points[i]), *(each[i] for each in columns)) for i in order]

    __repr__ = __str__

    def record(self) -> dict[str, Any]:
        """Every field as plain data for JSON; NaN becomes None."""
        return {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}

    def plot(self) -> Canvas:
        """Draw the theory, the means of the draws with one standard error, and the residuals below."""
        from matplotlib.figure import Figure

        from teacherstudent.figures.kit import judged
        from teacherstudent.figures.kit.style import sheet

        seen = share_of(self.share, self.effect)
        title = f"{self.verdict}: {self.draws} draws, detectable {seen}"
        of_draws = self.mean, self.stderr, self.residuals
        canvas = Figure()
        with sheet(canvas):
            judged.draw(canvas, title, self.points, self.theory, of_draws, self.threshold)
        return canvas

    def save(self, file: str | Path) -> None:
        """Write a report of one page (.html), or the figure (.png, .pdf or .svg).

        Raises `InputError` if that file cannot be written.
        """
        from teacherstudent.api.judged.page import save

        save(self, file)


def said(label: Any) -> str:
    """A label of a point in a sentence."""
    if isinstance(label, tuple):
        size, point = label
        return f"{said(point)} (size {size:g})"
    return label if isinstance(label, str) else f"{label:.6g}"


def share_of(share: float, effect: str) -> str:
    """A share of an effect in words."""
    if not isfinite(share):
        return f"more than {effect}"
    return f"{100 * share:.2g} % of {effect}" if share < 1 else f"{share:.2g} times {effect}"


def _short(number: float) -> str:
    return f"{number:.1f}" if number < 10 else f"{number:.3g}"


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Bias):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
