"""Checks of scale-invariant weights on the sphere."""

from functools import partial
from typing import Any

from teacherstudent.paper_checks.judging.evidence import Check, Erratum
from teacherstudent.paper_checks.scale_invariant.misprints import READINGS

check = partial(Check, problem="scale-invariant", paper="roburin2020")
"""A check of this system; the paper is roburin2020 unless another is named."""


def misprint(id: str, *arguments: Any, paper: str = "roburin2020", **others: Any) -> Erratum:
    """A known misprint with its reading, of roburin2020 unless another paper is named."""
    return Erratum(id, *arguments, paper=paper, reading=READINGS[id], **others)
