"""The share of misclassified rows: predicted by leverages, measured on subsets, and judged."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine import judging
from teacherstudent.theory.measured_spectrum.evidence import expected_rate_error


def at_stop(answer: xr.Dataset, size: int) -> dict[str, Any] | None:
    """The rate at the mark nearest to the best stop of a size; None of targets that are no classes.

    The error is 95 %: what was measured on other data sets of that spread in nine cases of ten, or the
    difference from these subsets with its own error, whichever is more. The verdict follows the rule of the
    squared error.
    """
    if "corrected_rate" not in answer:
        return None
    mark = judging.nearest_mark(answer, size)
    here = answer.sel(size=size).isel(mark=mark)
    value, measured = float(here["corrected_rate"]), float(here["measured_rate"])
    single, together = judging.factors(answer)
    stderr, spread = float(here["measured_rate_stderr"]), float(here["spread"])
    error = max(
        expected_rate_error(spread, size).leverage.most * value, abs(value - measured) + single * stderr
    )
    relative = (value - measured) / value if value else np.nan
    return {
        "value": value,
        "error": error,
        "measured": {"value": measured, "error": single * stderr},
        "verdict": judging.verdict(relative, together * stderr / value if value else np.nan, spread),
    }
