r"""One mode of a network with D weight matrices, equal in strength: u = g^D.

tau u' = D u^(2-2/D) (s - u), the depth-D form of pezeshki2022 Eq. 2.2.18 (Saxe et al. 2013). The
logit x = ln(u/(s - u)) obeys tau x' = D s^(2-2/D) (1 + e^-x)^-(1-2/D), which neither overflows nor
stiffens. Times are t/tau.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import expit, hyp2f1, logit

from teacherstudent.house.certainty import nan_where

RELATIVE, ABSOLUTE = 1e-13, 1e-13
"""The solver's tolerances on the logit: answers are those of times shifted by about 1e-12 of themselves."""


def strength(times: np.ndarray, s: float, u0: float, depth: int) -> np.ndarray:
    """Mode strength u (T,) at increasing times t/tau >= 0, from 0 < u0 < s.

    NaN at all times that the solver did not reach, with an `UnconvergedWarning`.
    """
    power = 1 - 2 / depth
    scaled = depth * s ** (2 - 2 / depth) * np.asarray(times, dtype=float)
    start = logit(u0 / s)

    def slope(_: float, x: np.ndarray) -> np.ndarray:
        return expit(x) ** power

    answer = np.full(scaled.size, np.nan)
    solved = solve_ivp(
        slope, (0.0, scaled[-1] or 1.0), [start], "DOP853", t_eval=scaled, rtol=RELATIVE, atol=ABSOLUTE
    )
    reached = solved.y[0] if solved.success else np.empty(0)
    answer[: reached.size] = s * expit(reached)
    return nan_where(np.isnan(answer), f"closed-form route: {solved.message}", answer)


def time_to_learn(s: float, u0: float, u: float, depth: int) -> float:
    """Time t/tau from u0 to u, 0 < u0 <= u < s, for depth above 2: the depth-D form of Eq. 2.2.21.

    The integral of du/(D u^(2-2/D) (s - u)) = u^q/(D q s) 2F1(1, q; 1+q; u/s), q = 2/D - 1.
    """
    q = 2 / depth - 1

    def reached(v: float) -> float:
        return v**q / (depth * q * s) * hyp2f1(1, q, 1 + q, v / s)

    return reached(u) - reached(u0)
