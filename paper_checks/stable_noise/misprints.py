"""The statements about stable noise that do not hold as printed, as a reader needs them."""

from __future__ import annotations

from teacherstudent.paper_checks.judging.reading import Reading, Readings, largest_relative_error


def of_the_gap() -> float:
    """The gap of heavy tails, were it that of the lightest at most, in small units of the inputs."""
    from teacherstudent.paper_checks.stable_noise.gap import HEAVY, LIGHT, gaps

    return largest_relative_error(gaps(LIGHT, 1.0), gaps(HEAVY, 1.0))


READINGS: Readings = {
    "sn-heavier-is-better": Reading(
        r"heavier tails are said to generalise better for every loss: $L - L_n$ falls as $\alpha$ falls",
        r"$L - L_n \propto s^{p - 2p/\alpha}$, so the unit $s$ of the inputs decides which of two "
        r"$\alpha$ has the larger gap; and $L - L_n \to \infty$ as $\alpha \to p$",
        of_the_gap,
        "the gap at alpha = 1.2, if the gap at alpha = 2 is used instead",
        "s = 1, p = 0.5, n = 3",
        "stands",
        "A bound on the gap does not order gaps, and is known for bounded losses only. The gaps of "
        "this unbounded loss are exact and can have either order.",
    ),
}
