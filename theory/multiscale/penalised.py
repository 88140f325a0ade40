r"""The constant output penalty a: a student of the unpenalised problem, faster and shrunk.

The gradient is (1 + a) C w_hat + ridge w_hat - X^T y. So w_hat = u/(1 + a), where u descends the
unpenalised loss (1 + a) times as fast, with ridge/(1 + a), from (1 + a) times the start: every
feature learns faster by one factor, and no two of them at more equal rates.
"""

from __future__ import annotations

from dataclasses import replace

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.multiscale.terms import Terms, spectrum_of


def unpenalised(problem: MultiScale) -> MultiScale:
    """The problem that u solves, on a clock that runs 1 + a times as fast."""
    speed = 1 + problem.output_penalty
    return replace(problem, ridge=problem.ridge / speed, init=problem.init * speed, output_penalty=0.0)


def shrunk(problem: MultiScale, terms: Terms) -> Terms:
    """Terms of w_hat = u/(1 + a) from those of u; the error operator is 1 - (1 - M)/(1 + a)."""
    if not problem.output_penalty:
        return terms
    share = 1 / (1 + problem.output_penalty)
    lost, weights = 1 - share, spectrum_of(problem).weights
    return Terms(
        alignment=share * terms.alignment,
        bias=lost**2 * weights / 2 + lost * share * (weights - terms.alignment) + share**2 * terms.bias,
        variance=share**2 * terms.variance,
        start=share**2 * terms.start,
        training=lost**2 * (1 + problem.noise**2)
        + 2 * lost * share * terms.overlap
        + share**2 * terms.training,
        overlap=lost * (1 + problem.noise**2) + share * terms.overlap,
        converged=terms.converged,
    )
