"""What may be given as features, targets or a law: files, scikit-learn's bundled sets, listed modes."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.tables import Table, TableFile, table

BUNDLED = ("breast_cancer", "diabetes", "digits", "iris", "wine")
"""Sets that scikit-learn installs: nothing is downloaded."""


@dataclass(frozen=True)
class OrBundled(TableFile):
    """A table: a file, a bundled set by its name, or in Python the numbers themselves."""

    column: str = "features"

    def __init__(self, column: str) -> None:
        object.__setattr__(self, "column", column)

    def parse(self, text: str) -> Table:
        if text in BUNDLED and self.column != "gram":
            from sklearn import datasets

            features, targets = getattr(datasets, f"load_{text}")(return_X_y=True)
            return table(features if self.column == "features" else targets, text)
        return super().parse(text)

    def describe(self) -> str:
        return f"{super().describe()} or one of {', '.join(BUNDLED)}"


@dataclass(frozen=True)
class Modes:
    """A comma-separated list of count:eigenvalue:power."""

    def parse(self, text: str) -> tuple[tuple[int, float, float], ...]:
        rows = [part.split(":") for part in text.split(",")]
        return self.check([(Whole(1).parse(m), float(v), float(t)) for m, v, t in rows])

    def check(self, value: Any) -> tuple[tuple[int, float, float], ...]:
        if isinstance(value, str | bytes | Mapping | Set) or len(value) == 0:
            raise ValueError("not a list")
        count, positive, power = Whole(1, 10**12), Number(0, low_open=True), Number(0)
        return tuple((count.check(m), positive.check(v), power.check(t)) for m, v, t in value)

    def describe(self) -> str:
        return "count:eigenvalue:power[,...], count a whole number >= 1, eigenvalue > 0, power >= 0"
