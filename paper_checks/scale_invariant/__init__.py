"""Checks of scale-invariant weights on the sphere."""

from functools import partial

from teacherstudent.paper_checks.judging.evidence import Check, Erratum

check = partial(Check, problem="scale-invariant", paper="roburin2020")
"""A check of this system; the paper is roburin2020 unless another is named."""

misprint = partial(Erratum, paper="roburin2020")
"""A known misprint, of roburin2020 unless another paper is named."""
