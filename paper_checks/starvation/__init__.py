"""Checks of gradient starvation."""

from functools import partial
from typing import Any

from teacherstudent.paper_checks.judging.evidence import Check, Erratum
from teacherstudent.paper_checks.starvation.misprints import READINGS

check = partial(Check, problem="starvation", paper="pezeshki2022")
"""A check of this system; the paper is pezeshki2022 unless another is named."""


def misprint(id: str, *arguments: Any, paper: str = "pezeshki2022", **others: Any) -> Erratum:
    """A known misprint with its reading, of pezeshki2022 unless another paper is named."""
    return Erratum(id, *arguments, paper=paper, reading=READINGS[id], **others)
