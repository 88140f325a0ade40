"""The misprints about committee machines, as a reader needs them."""

from __future__ import annotations

from teacherstudent.paper_checks.judging.reading import Quotation, Reading, Readings, largest_relative_error


def of_the_decay() -> float:
    """Q at t = 1 in steps of 0.01, with and without the length of a step in its decay."""
    from teacherstudent.paper_checks.committee.symmetries import in_steps

    return largest_relative_error(in_steps(None, of_time=False)[0.01], in_steps(None)[0.01])


def of_the_escape() -> float:
    """The slope over ln d."""
    from teacherstudent.paper_checks.committee.plateau import slope

    return largest_relative_error(slope(None, share=1.0), slope(None))


def of_the_largest_rate() -> float:
    """At K = 2."""
    from teacherstudent.paper_checks.committee.floors import printed
    from teacherstudent.theory.committee.plateau import critical_rate

    return largest_relative_error(printed(2), critical_rate(2))


AFTER = 200.0
"""When the error of units in excess is looked at."""


def of_the_saddle() -> float:
    """One unit of the teacher, three of the student, at that time."""
    from teacherstudent.paper_checks.committee.excess import by_equations, by_formula

    return largest_relative_error(by_formula(None), by_equations(None, AFTER))


READINGS: Readings = {
    "cm-decay-without-time": Reading(
        r"each step of length $dt$ subtracts $2 \kappa Q$ from $Q$",
        r"each step subtracts $2 \kappa Q\,dt$ from $Q$",
        of_the_decay,
        "Q",
        "three units, kappa = 0.1, t = 1, dt = 0.01",
        "stands",
        "The misprint affects only training with weight decay; otherwise the code is correct.",
        (
            Quotation(
                "# weight decay Q[i, k] -= 2 * wd * Q[i, k]",
                "github.com/sgoldt/pyscm, scm/ode/scm_ode_erf.pyx, propagate",
            ),
            Quotation(
                "# weight decay R[i, n] -= dt * wd * R[i, n]",
                "the same function, which includes dt here",
            ),
        ),
    ),
    "cm-length-whole": Reading(
        r"$t_\mathrm{esc} \sim \frac{\ln d}{\lambda}$",
        r"$t_\mathrm{esc} \sim \frac{\ln d}{2 \lambda}$",
        of_the_escape,
        "the slope of the escape time against ln d",
        "K = M = 2, eta = 1.5",
        "stands",
        "The plateau does grow with ln d; the manual of the same code has the factor 2.",
        (
            Quotation(
                "the initial asymmetry is O(1/sqrt(d)), so the escape time grows as t_esc ~ (ln d) / lambda",
                "github.com/Yuma-Ichikawa/StatPhysMLSimPlayground, "
                "src/statphys/experiment/online_committee.py",
            ),
            Quotation(
                r"$t_\mathrm{esc} \simeq \frac{1}{\lambda} \ln \sqrt{d} + \mathrm{const}$ ... the numerical "
                "experiment quantitatively probes where the thermodynamic-limit theory stops",
                "the same repository, docs/order_parameters.md, Eq. 7.3, which is right",
            ),
        ),
    ),
    "cm-critical-rate-wide": Reading(
        r"$\eta_c = \frac{\sqrt{3} \pi}{K - 1 + 3/\sqrt{5}}$ is used for every $K$",
        r"the smallest root of $\det J(\eta) = 0$, which equals the printed formula at $K = 1$ only",
        of_the_largest_rate,
        "the largest learning rate",
        "K = 2",
        "limits",
        "As in the printed formula, the largest learning rate falls with K; it is at most 0.8 % lower.",
    ),
    "cm-final-error-saddle": Reading(
        r"$\epsilon_g^* = \sigma^2 f(M, L, \eta)$ in the limit of small noise $\sigma$, for any "
        r"number $L$ of excess units",
        r"the formula gives the final error only for $L \leq 1$; for $L \geq 2$ it gives the error at a "
        r"saddle at any noise, and the student leaves the saddle at the rate $\frac{2}{\pi} \eta^2 "
        r"\sigma^2$ towards smaller errors",
        of_the_saddle,
        f"the error at t = {AFTER:g}",
        "M = 1, L = 2, eta = 0.5, sigma = 0.3",
        "limits",
        "The error grows with L at times much shorter than 1/sigma^2.",
        (
            Quotation(
                r"Final generalisation error in the limit of small noise ... $15 \eta (M \pi^3 (\ldots) + L "
                r"\ldots)$",
                "github.com/sgoldt/pyscm, Overparameterised ODES Erf.nb, first section",
            ),
        ),
    ),
}
