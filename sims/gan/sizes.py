"""What a question's numbers are to the simulation: one scale for either kind, and how many it holds."""

from __future__ import annotations

from teacherstudent.problems.gan import Gan


def scale_of(problem: Gan) -> float:
    """What scales the hidden layer: biases of relu, lengths of fourier."""
    return problem.bias if problem.discriminator == "relu" else problem.length_scale


def halves(problem: Gan) -> int:
    """Networks of one hidden layer that make a discriminator."""
    return 2 if problem.discriminator == "relu" else 1


def held(problem: Gan) -> int:
    """Numbers of a draw that a step goes through: weights, and what each unit makes of each point."""
    return halves(problem) * problem.width * (problem.d + 2 + problem.n + problem.particles)
