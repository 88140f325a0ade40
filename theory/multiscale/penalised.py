r"""The constant output penalty a: a student of the unpenalised problem, faster and shrunk.

The gradient is (1 + a) C w_hat + ridge w_hat - X^T y. So w_hat = u/(1 + a), where u descends the
unpenalised loss (1 + a) times as fast, with ridge/(1 + a), from (1 + a) times the start: every
feature learns faster by one factor, and no two of them at more equal rates.
"""

from __future__ import annotations

from dataclasses import replace

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.multiscale.spectral_task import spectrum_of
from teacherstudent.theory.spectral.examples import Examples
from teacherstudent.theory.spectral.parts import Parts


def unpenalised(problem: MultiScale) -> MultiScale:
    """The problem that u solves, on a clock that runs 1 + a times as fast."""
    speed = 1 + problem.output_penalty
    return replace(problem, ridge=problem.ridge / speed, init=problem.init * speed, output_penalty=0.0)


def shrunk(problem: MultiScale, parts: Parts) -> Parts:
    """Parts of w_hat = u/(1 + a) from those of u; the error operator is 1 - (1 - M)/(1 + a)."""
    if not problem.output_penalty:
        return parts
    share = 1 / (1 + problem.output_penalty)
    lost, weights = problem.output_penalty * share, spectrum_of(problem).weights
    return Parts(
        alignment=share * parts.alignment,
        unaligned=lost * weights + share * parts.unaligned,
        bias=lost**2 * weights + 2 * lost * share * parts.unaligned + share**2 * parts.bias,
        variance=share**2 * parts.variance,
        start=share**2 * parts.start,
        signal=share**2 * parts.signal,
        converged=parts.converged,
    )


def shrunk_outputs(problem: MultiScale, examples: Examples) -> Examples:
    """What w_hat = u/(1 + a) outputs on the training examples, from what u does."""
    share, label = 1 / (1 + problem.output_penalty), 1 + problem.noise**2
    lost = problem.output_penalty * share
    return Examples(
        training=lost**2 * label + 2 * lost * share * examples.overlap + share**2 * examples.training,
        overlap=lost * label + share * examples.overlap,
        output=share**2 * examples.output,
    )
