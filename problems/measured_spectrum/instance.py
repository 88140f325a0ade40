"""An instance of a measured spectrum: what rows there are, or which law, and how a student is trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from teacherstudent.house.tables import Table


@dataclass(frozen=True)
class MeasuredSpectrum:
    """Exactly one of these says where rows come from: `features` (with a kernel), `gram`, `modes`, or the
    power law of `capacity`, `source` and `size`; the others are None or empty.

    standardise: whether each feature is divided by its standard deviation over all rows.
    n: training rows. outputs: how many there are, c. width and depth: of the kernel that has one.
    intercept: "none" for a law also says that its means, which are zero, are known.
    All fields are already validated; build it through `PROBLEM.instance`.
    """

    n: int
    features: Table | None = None
    gram: Table | None = None
    targets: Table | None = None
    task: Literal["", "regression", "classification"] = ""
    outputs: int = 1
    kernel: Literal["", "linear", "rbf", "ntk", "gram"] = ""
    width: float | Literal["auto"] | None = None
    depth: int | None = None
    modes: tuple[tuple[int, float, float], ...] = ()
    capacity: float | None = None
    source: float | None = None
    size: int | None = None
    sampling: Literal["pool", "population", "new-rows"] = "population"
    noise: float = 0.0
    ridge: float = 0.0
    init: float = 0.0
    standardise: bool = False
    intercept: Literal["trained", "pool", "none"] = "none"
    bias_column: bool = False

    @property
    def measured(self) -> bool:
        """Whether there are rows, or only a law."""
        return self.targets is not None

    @property
    def rows(self) -> int:
        """P, the number of measured rows; 0 of a law."""
        return 0 if self.targets is None else len(self.targets.values)

    @property
    def columns(self) -> int:
        """p, the number of weights of an output: features, or a law's modes.

        Features that are constant count only where nothing is centred; a bias column is one of them. 0 of a
        kernel, whose features are not listed.
        """
        if self.kernel == "linear" and self.features is not None:
            return int((~self.features.constant | (self.intercept == "none")).sum()) + self.bias_column
        return 0 if self.measured else sum(m for m, _, _ in self.modes) or self.size or 0
