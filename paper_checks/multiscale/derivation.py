"""From descent to the modified loss (App. .2.4), step by step: the algebra, and its approximations.

Everything happens on one eigenvalue c > 0 of X^T X, with b the component of X^T y along it. App. .2.4 is for
training without a ridge; here there is one, lam, so that the effective ridge is that of .2.36.

The algebra behind R and Q, by SymPy: Eq. 4.2.6, the saddle point, and flow as a limit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import special

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim, worst_verdict
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
    wrong=(
        WrongClaim("ridge lambda + 2/(eta t)", partial(chain, "1", "lam + 2/(eta*t)")),
        WrongClaim("without the ridge used in training", partial(chain, "1", "1/(eta*t)")),
        WrongClaim(
            "a mean over samples, with the ridge of the summed loss", partial(chain, "1/n", "lam + 1/(eta*t)")
        ),
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
    return worst_verdict(
        within_bound(gap, KEPT**2 / 2, "second order: x^2/2", "fraction of the error"),
        within_bound(KEPT[np.argmax(gap)] / where - 1, spacing, "spacing of the grid", "relative"),
        within_bound(gap.max() - size, spacing**2, "second order in the spacing of the grid", "share"),
    )


APPROXIMATIONS = check(
    id="ms-log-approximations",
    title="replacing log(1 + x) by x, x = eta c t, is exact to first order and off by up to 0.204 at x = 2.5",
    ref="Eqs. .2.48-.2.49",
    evidence=flow_keeps,
    claim=partial(ridge_keeps, 1.0, largest_error),
    judge=first_order,
    effect=Contrast("ms-log-small", "the largest error of the approximation"),
    wrong=(
        WrongClaim("a ridge 1 % larger", partial(ridge_keeps, 1.01, largest_error)),
        WrongClaim("largest error at x = 2", partial(ridge_keeps, 1.0, lambda: (2.0, largest_error()[1]))),
        WrongClaim(
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

# R and Q, the saddle point, and flow as a limit ----------------------------------------------------------

letters = partial(positive, "R Q Q0 chi beta alpha ridge G H")


# Eq. 4.2.6 ------------------------------------------------------------------------------------


def gaussian_error(_: Seeds) -> sp.Expr:
    """E 1/2 (y* - yhat)^2 with yhat = R y* + sqrt(Q - R^2) g, both unit Gaussians (.2.4-.2.8)."""
    y, g = sp.symbols("y g", real=True)
    R, Q, *__ = letters().values()
    error = sp.Poly(sp.expand((y - R * y - sp.sqrt(Q - R**2) * g) ** 2 / 2), y, g)
    moments = {0: 1, 1: 0, 2: 1}
    return sum(coefficient * moments[i] * moments[j] for (i, j), coefficient in error.terms())


def risk_residual(claimed: str, evidence: sp.Expr) -> list[sp.Expr]:
    """Difference between the Gaussian average and a claimed excess risk."""
    return [evidence - sp.sympify(claimed, locals=letters())]


RISK = check(
    id="ms-risk-identity",
    title="the excess risk is 1/2 (1 - 2R + Q), by integration over the bivariate Gaussian",
    ref="Eqs. 4.2.6, .2.4-.2.9",
    evidence=gaussian_error,
    claim=partial(risk_residual, "(1 - 2*R + Q)/2"),
    judge=vanish,
    wrong=(
        WrongClaim("without the factor 1/2", partial(risk_residual, "1 - 2*R + Q")),
        WrongClaim("R counted once", partial(risk_residual, "(1 - R + Q)/2")),
    ),
)


# The saddle point of the replica free energy ------------------------------------------------------


def free_energy(penalty: sp.Expr) -> sp.Expr:
    """-beta f of Eq. .2.30 for one scale, plus a term for the ridge."""
    R, Q, Q0, __, beta, alpha, __, G, H = letters().values()
    gap = Q0 - Q
    return (
        (Q - R**2) / (2 * gap)
        + sp.log(gap) / 2
        - alpha / 2 * sp.log(1 + beta * gap)
        - alpha * beta / 2 * (G - 2 * H * R + Q) / (1 + beta * gap)
        + penalty
    )


def saddle(_: Seeds) -> dict[str, sp.Expr]:
    """Eqs. .2.33-.2.36 with a = 1 + 1/chi: what the stationary point is printed to be."""
    *__, chi, __, alpha, ridge, G, H = letters().values()
    a = 1 + 1 / chi
    R_star = alpha * H / a  # .2.33
    Q_star = alpha / (a**2 - alpha) * (G - alpha * H**2 * (2 - a) / a)  # .2.34
    gap = 1 - alpha - ridge
    return {"R": R_star, "Q": Q_star, "a": 1 + 2 * ridge / (gap + sp.sqrt(gap**2 + 4 * ridge))}  # .2.35


def stationarity(energy: sp.Expr, printed: dict[str, sp.Expr]) -> list[sp.Expr]:
    """Gradient of the free energy at the printed point, and .2.35 in its own equation.

    The three derivatives vanish on Q0 - Q = chi/beta. d/dR and d/dQ hold for every chi; d/dQ +
    d/dQ0 is an equation for chi alone, which the printed a must solve.
    """
    R, Q, Q0, chi, beta, *__ = letters().values()
    at = {R: printed["R"], Q: printed["Q"]}
    gradient = {x: sp.diff(energy, x).subs(Q0, Q + chi / beta) for x in (R, Q, Q0)}
    for_chi = sp.simplify(gradient[Q] + gradient[Q0])
    return [
        gradient[R].subs(at) / beta,
        sp.together(gradient[Q].subs(at) / beta),
        sp.simplify((for_chi / beta).subs(chi, 1 / (printed["a"] - 1))),
    ]


def with_penalty(penalty: str, printed: dict[str, sp.Expr]) -> list[sp.Expr]:
    """Gradient of the free energy with that penalty, at the printed point."""
    return stationarity(free_energy(sp.sympify(penalty, locals=letters())), printed)


SADDLE = check(
    id="ms-saddle-point",
    title="R, Q and a of one scale are the stationary point of the replica free energy",
    ref="Eqs. .2.30-.2.36",
    evidence=saddle,
    claim=partial(with_penalty, "-beta*ridge*Q0/2"),
    judge=vanish,
    wrong=(
        WrongClaim("ridge counted twice", partial(with_penalty, "-beta*ridge*Q0")),
        WrongClaim("ridge term with Q instead of Q0", partial(with_penalty, "-beta*ridge*Q/2")),
    ),
    errata=misprints({"ms-free-energy-ridge": partial(with_penalty, "0")}),
)


# Flow as the limit of descent -----------------------------------------------------------------------


def powers(_: Seeds) -> sp.Expr:
    """(1 - eta c)^(s/eta) as eta -> 0."""
    eta, s, c = sp.symbols("eta s c", positive=True)
    return sp.limit((1 - eta * c) ** (s / eta), eta, 0, "+")


def exponential(rate: int, evidence: sp.Expr) -> list[sp.Expr]:
    """Difference between the limit of the powers and e^{-rate s c}."""
    s, c = sp.symbols("s c", positive=True)
    return [evidence - sp.exp(-rate * s * c)]


FLOW = check(
    id="ms-flow-symbolic",
    title="gradient flow is the limit eta -> 0 of gradient descent, with s = eta k",
    ref="Eqs. 4.2.9, .2.47-.2.48",
    evidence=powers,
    claim=partial(exponential, 1),
    judge=vanish,
    wrong=(WrongClaim("twice the learning rate", partial(exponential, 2)),),
    covers=("Eqs. .2.47-.2.48",),
)

CHECKS = (CHAIN, APPROXIMATIONS, RISK, SADDLE, FLOW)
