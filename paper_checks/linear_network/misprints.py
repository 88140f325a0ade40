"""The misprints about mode learning, as a reader needs them."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from teacherstudent.paper_checks.judging.reading import Quotation, Reading, Readings, largest_relative_error
from teacherstudent.theory.linear_network import modes


def of_unbalanced_layers() -> float:
    """The sigmoid 2.2.22, which is the hyperbola of balance 0, over the whole training."""
    times = np.linspace(0, 5, 200)[:, None]
    s, start = np.array([1.0]), np.array([0.05])
    return largest_relative_error(modes.strength(times, s, start, 0.0), modes.strength(times, s, start, 1.0))


def of_skewed_modes() -> float:
    """The largest b^i . a^j, i != j, on the flow 2.2.11-2.2.12 from a start with a^i . b^j = 0."""
    s, start = np.diag([3.0, 1.0]), np.array([0.2, 0.3])
    skewed = np.array([[1.0, 0.6], [0.0, 0.8]])
    a, b = skewed * np.sqrt(start), np.linalg.inv(skewed).T * np.sqrt(start)

    def flow(_: float, flat: np.ndarray) -> np.ndarray:
        first, second = flat.reshape(2, 2, 2)  # columns are modes
        gap = s - second.T @ first
        return np.stack([second @ gap, first @ gap.T]).ravel()

    path = solve_ivp(flow, (0, 4), np.stack([a, b]).ravel(), rtol=1e-8, t_eval=np.linspace(0, 4, 100)).y
    couplings = [b.T @ a for a, b in (column.reshape(2, 2, 2) for column in path.T)]
    return float(np.abs(couplings)[:, [0, 1], [1, 0]].max() / s[1, 1])


def of_the_time() -> float:
    """The two prefactors, 1/(2u) and 1/(2s), at u = .6 s."""
    return largest_relative_error(1 / (2 * 0.6), 1 / 2)


READINGS: Readings = {
    "ln-balanced-only": Reading(
        r"$\tau \dot u = 2u (s - u)$ and its sigmoid, for every initial condition of Eq. 2.2.14",
        (
            r"$\tau \dot u = \sqrt{c^2 + 4u^2}\, (s - u)$ with $c = a^2 - b^2$; the printed equation "
            "needs $a = b$"
        ),
        of_unbalanced_layers,
        "the strength u of a mode during training, relative to s",
        "s = 1, u(0) = 0.05, c = 1",
        "limits",
        "Larger singular values are still learned earlier, but there is no plateau where the layers are "
        "unbalanced. The paper itself shows hyperbolas with any constant.",
        quoted=(
            Quotation(
                r"which implies that $ab$ gradually approaches $s$ as learning proceeds. Consequently, "
                r"defining $u := ab$ has the following dynamics, $\tau \dot u = 2u (s - u)$",
                "Eq. 2.2.18",
            ),
            Quotation(
                r"Minimizing Eq. 2.2.17 leads to dynamics on hyperbolas with constant value of $a^2 - b^2$.",
                "Section 2.2.3",
            ),
        ),
    ),
    "ln-parallel-modes": Reading(
        r"the condition $a^i \cdot b^j = 0$ for $i \neq j$ is assumed to decouple the modes, without "
        "parallel $a^i$ and $b^i$",
        r"$a^i = a_i\, r^i$ and $b^i = b_i\, r^i$ with orthonormal $r^i$",
        of_skewed_modes,
        "the coupling of the modes, which should stay 0, relative to the smaller singular value",
        "s = 3 and 1, vectors initially 53 degrees apart",
        "stands",
        "All later results hold for parallel vectors along orthonormal directions.",
    ),
    "ln-time-prefactor": Reading(
        r"$t = \frac{\tau}{2u} \ln \frac{u_f (s - u_0)}{u_0 (s - u_f)}$",
        r"$t = \frac{\tau}{2s} \ln \frac{u_f (s - u_0)}{u_0 (s - u_f)}$",
        of_the_time,
        "the time to learn a mode",
        "three fifths of s",
        "stands",
        "The inverse printed next belongs to the correct formula, so the paper contradicts itself. We read "
        "the 2u from a scan in which a tau would be illegible.",
        quoted=(
            Quotation(
                r"The time required for learning is $t = \int_{u_0}^{u_f} \frac{du}{\dot u} = \ldots = "
                r"\frac{1}{2u} \ln \frac{u_f (s - u_0)}{u_0 (s - u_f)}$",
                "Eqs. 2.2.19-2.2.21",
            ),
            Quotation(
                r"Inverting this equation leads to the following dynamics for $u(t)$ as function of time, "
                r"$u(t) = \frac{s e^{2st/\tau}}{e^{2st/\tau} - 1 + s/u_0}$",
                "Eq. 2.2.22",
            ),
        ),
    ),
}
