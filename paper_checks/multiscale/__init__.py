"""Checks of multi-scale features."""

from functools import partial

from teacherstudent.paper_checks.judging.evidence import Check, Erratum

check = partial(Check, problem="multiscale", paper="pezeshki2022")
"""A check of this system; the paper is pezeshki2022 unless another is named."""

misprint = partial(Erratum, paper="pezeshki2022")
"""A known misprint, of pezeshki2022 unless another paper is named."""
