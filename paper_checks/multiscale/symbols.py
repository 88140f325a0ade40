"""The algebra behind R and Q, by SymPy: Eq. 4.2.6, the saddle point, and flow as a limit.

Nothing here is numerical: a claim agrees when the residual of its defining equation simplifies
to zero.
"""

from __future__ import annotations

from functools import partial

from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth
from teacherstudent.paper_checks.judging.symbols import positive, sp, vanish
from teacherstudent.paper_checks.multiscale import check, misprints

symbols = partial(positive, "R Q Q0 chi beta alpha ridge G H")


# Eq. 4.2.6 ------------------------------------------------------------------------------------


def gaussian_error(_: Seeds) -> sp.Expr:
    """E 1/2 (y* - yhat)^2 with yhat = R y* + sqrt(Q - R^2) g, both unit Gaussians (.2.4-.2.8)."""
    y, g = sp.symbols("y g", real=True)
    R, Q, *__ = symbols().values()
    error = sp.Poly(sp.expand((y - R * y - sp.sqrt(Q - R**2) * g) ** 2 / 2), y, g)
    moments = {0: 1, 1: 0, 2: 1}
    return sum(coefficient * moments[i] * moments[j] for (i, j), coefficient in error.terms())


def risk_residual(claimed: str, evidence: sp.Expr) -> list[sp.Expr]:
    """Difference between the Gaussian average and a claimed excess risk."""
    return [evidence - sp.sympify(claimed, locals=symbols())]


RISK = check(
    id="ms-risk-identity",
    title="excess risk = 1/2 (1 - 2R + Q), from the bivariate Gaussian",
    ref="Eqs. 4.2.6, .2.4-.2.9",
    evidence=gaussian_error,
    claim=partial(risk_residual, "(1 - 2*R + Q)/2"),
    judge=vanish,
    teeth=(
        Tooth("without the one-half", partial(risk_residual, "1 - 2*R + Q")),
        Tooth("R counted once", partial(risk_residual, "(1 - R + Q)/2")),
    ),
)


# The saddle point of the replica free energy ------------------------------------------------------


def free_energy(penalty: sp.Expr) -> sp.Expr:
    """-beta f of Eq. .2.30 for one scale, plus a term for the ridge."""
    R, Q, Q0, __, beta, alpha, __, G, H = symbols().values()
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
    *__, chi, __, alpha, ridge, G, H = symbols().values()
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
    R, Q, Q0, chi, beta, *__ = symbols().values()
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
    return stationarity(free_energy(sp.sympify(penalty, locals=symbols())), printed)


SADDLE = check(
    id="ms-saddle-point",
    title="R, Q and a of one scale are the stationary point of the replica free energy",
    ref="Eqs. .2.30-.2.36",
    evidence=saddle,
    claim=partial(with_penalty, "-beta*ridge*Q0/2"),
    judge=vanish,
    teeth=(
        Tooth("ridge counted twice", partial(with_penalty, "-beta*ridge*Q0")),
        Tooth("ridge on Q instead of Q0", partial(with_penalty, "-beta*ridge*Q/2")),
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
    title="gradient flow is gradient descent at eta -> 0 with s = eta k",
    ref="Eqs. 4.2.9, .2.47-.2.48",
    evidence=powers,
    claim=partial(exponential, 1),
    judge=vanish,
    teeth=(Tooth("twice the rate", partial(exponential, 2)),),
    covers=("Eqs. .2.47-.2.48",),
)

CHECKS = (RISK, SADDLE, FLOW)
