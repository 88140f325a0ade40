"""From descent to the modified loss (App. .2.4), step by step: the algebra, and its approximations.

Everything happens on one eigenvalue c > 0 of X^T X, with b the component of X^T y along it. App. .2.4 is for
training without a ridge; here there is one, lam, so that the effective ridge is that of .2.36.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import special

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.judging.symbols import positive, sp, vanish
from teacherstudent.paper_checks.multiscale import check, misprints

symbols = partial(positive, "c b eta t n lam")


# The exact steps ----------------------------------------------------------------------------------


def descended(_: Seeds) -> sp.Expr:
    """The student after t steps (.2.43), from a recursion that SymPy solves (.2.42)."""
    c, b, eta, t, _, lam = symbols().values()
    after = sp.Function("after")
    step = after(t + 1) - after(t) + eta * ((c + lam) * after(t) - b)
    return sp.rsolve(step, after(t), {after(0): 0})


def minimiser(loss: sp.Expr) -> sp.Expr:
    """The stationary point of a loss that is quadratic in w."""
    w = sp.Symbol("w", real=True)
    (found,) = sp.solve(sp.diff(loss, w), w)
    return found


def chain(share: str, ridge: str, evidence: sp.Expr) -> list[sp.Expr]:
    """Residuals of .2.43-.2.47 and .2.50-.2.52; the loss .2.52 is `share` times a sum, plus `ridge`.

    .2.48 and .2.49 put exp(-log(1 + eta a t)) for exp(t log(1 - eta a)), a = c + lam.
    """
    c, b, eta, t, n, lam = symbols().values()
    w, a = sp.Symbol("w", real=True), c + lam
    powers = (1 - (1 - eta * a) ** t) * b / a  # .2.43
    flowed = (1 - sp.exp(t * sp.log(1 - eta * a))) * b / a  # .2.47
    approximated = (1 - sp.exp(-sp.log((a + 1 / (eta * t)) * eta * t))) * b / a  # .2.49
    resolvent = b / (a + 1 / (eta * t))  # .2.50-.2.51
    half_share, half_ridge = (sp.sympify(each, locals=symbols()) / 2 for each in (share, ridge))
    modified = half_share * (c * w**2 - 2 * b * w) + half_ridge * w**2  # .2.52, up to a constant
    return [
        evidence - powers,
        minimiser(c * (w - powers) ** 2 / (2 * n)) - powers,  # .2.44-.2.46
        powers.rewrite(sp.exp) - flowed,
        approximated - resolvent,
        resolvent - minimiser(modified),
    ]


CHAIN = check(
    id="ms-modified-loss",
    title="descent minimises, up to two approximations, the loss with ridge lambda + 1/(eta t)",
    ref="Eqs. 4.2.21-4.2.22, .2.36, .2.42-.2.52",
    evidence=descended,
    claim=partial(chain, "1", "lam + 1/(eta*t)"),
    judge=vanish,
    teeth=(
        Tooth("ridge lambda + 2/(eta t)", partial(chain, "1", "lam + 2/(eta*t)")),
        Tooth("without the ridge of the training", partial(chain, "1", "1/(eta*t)")),
        Tooth("a mean over samples, with the ridge for their sum", partial(chain, "1/n", "lam + 1/(eta*t)")),
    ),
)

# The approximations ---------------------------------------------------------------------------------

KEPT = np.geomspace(1e-3, 1e4, 400)
"""x = eta c t, at which the flow keeps e^-x of the error."""


def flow_keeps(_: Seeds) -> np.ndarray:
    """Evidence: what gradient flow leaves of each mode, e^{-s c}."""
    return np.exp(-KEPT)


Claim = tuple[np.ndarray, tuple[float, float]]
"""What is kept in the flow's place, where the error of that is largest, and how large."""


def ridge_keeps(factor: float, size: Callable[[], tuple[float, float]], _: np.ndarray) -> Claim:
    """1/(1 + x) for ridge 1/(eta t); `factor` multiplies the ridge."""
    return 1 / (1 + KEPT / factor), size()


def largest_error() -> tuple[float, float]:
    """Where 1/(1 + x) - e^-x is largest, and how large it is there, in closed form.

    There (1 + x)^2 = e^x, so that x = -1 - 2 W(-1/(2 sqrt e)) on the lower branch of Lambert's W.
    """
    x = -1 - 2 * float(special.lambertw(-0.5 * np.exp(-0.5), -1).real)
    return x, 1 / (1 + x) - 1 / (1 + x) ** 2


def first_order(evidence: np.ndarray, claimed: Claim) -> Verdict:
    """1/(1 + x) - e^-x lies between 0 and x^2/2, and is largest on the grid where stated, to its spacing."""
    kept, (where, size) = claimed
    gap = np.abs(kept - evidence)
    spacing = KEPT[1] / KEPT[0] - 1
    return worst(
        within_bound(gap, KEPT**2 / 2, "second order: x^2/2", "share of the error"),
        within_bound(KEPT[np.argmax(gap)] / where - 1, spacing, "spacing of a grid", "relative"),
        within_bound(gap.max() - size, spacing**2, "second order of a grid's spacing", "share"),
    )


APPROXIMATIONS = check(
    id="ms-log-approximations",
    title="log(1 + x) for x: right to first order in x = eta c t, wrong by up to 0.204 at x = 2.5",
    ref="Eqs. .2.48-.2.49",
    evidence=flow_keeps,
    claim=partial(ridge_keeps, 1.0, largest_error),
    judge=first_order,
    effect=Contrast("ms-log-small", "the largest error of the approximation"),
    teeth=(
        Tooth("a ridge 1 % larger", partial(ridge_keeps, 1.01, largest_error)),
        Tooth("largest at x = 2", partial(ridge_keeps, 1.0, lambda: (2.0, largest_error()[1]))),
        Tooth(
            "1 % smaller", partial(ridge_keeps, 1.0, lambda: (largest_error()[0], 0.99 * largest_error()[1]))
        ),
    ),
    errata=misprints(
        {
            "ms-script-two-over-t": partial(ridge_keeps, 2.0, largest_error),
            "ms-log-small": partial(ridge_keeps, 1.0, lambda: (1.0, 0.0)),
        }
    ),
)

CHECKS = (CHAIN, APPROXIMATIONS)
