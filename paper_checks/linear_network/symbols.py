"""The algebra of mode learning, by SymPy: from the loss to the modes, and one mode's solution."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial

from teacherstudent.paper_checks.judging.evidence import Seeds, WrongClaim
from teacherstudent.paper_checks.judging.symbols import expand_to_zero, no_draws, positive, sp, vanish
from teacherstudent.paper_checks.linear_network import check

# From the loss to the connectivity modes ----------------------------------------------------------

SIZE = 2


def matrix(name: str) -> sp.Matrix:
    """A square matrix of symbols, row by row."""
    return sp.Matrix(SIZE, SIZE, sp.symbols(f"{name}:{SIZE * SIZE}"))


def rotation(cosine: Fraction, sine: Fraction) -> sp.Matrix:
    """The plane's rotation by an angle with that cosine and sine."""
    return sp.Matrix([[cosine, -sine], [sine, cosine]])


@cache
def frames() -> tuple[sp.Matrix, sp.Matrix]:
    """U and V: one pair of frames, in exact numbers, so that every residual is a polynomial."""
    return rotation(Fraction(3, 5), Fraction(4, 5)), rotation(Fraction(5, 13), Fraction(12, 13))


def squared(residual: sp.Matrix) -> sp.Expr:
    """The sum of squares of a matrix's entries."""
    return (residual.T * residual).trace()


def descended(scalar: sp.Expr, variables: sp.Matrix) -> sp.Matrix:
    """Minus the gradient of a scalar with respect to a matrix."""
    return -variables.applyfunc(lambda variable: sp.diff(scalar, variable))


def of_the_loss(_: Seeds) -> tuple[sp.Matrix, sp.Matrix]:
    """Minus the gradients of L = 1/2 |Y - W_2 W_1 X|^2 (Eq. 2.2.2), any X."""
    W1, W2, X, Y = (matrix(name) for name in ("p", "q", "x", "y"))
    loss = squared(Y - W2 * W1 * X) / 2
    return descended(loss, W1), descended(loss, W2)


def updates(scale: int, whitened: bool, evidence: tuple[sp.Matrix, sp.Matrix]) -> list[sp.Expr]:
    """The right-hand sides of Eqs. 2.2.3-2.2.6."""
    W1, W2, X, Y = (matrix(name) for name in ("p", "q", "x", "y"))
    gap = Y * X.T - W2 * W1 * (sp.eye(SIZE) if whitened else X * X.T)
    return [*(evidence[0] - scale * W2.T * gap), *(evidence[1] - scale * gap * W1.T)]


GRADIENT = check(
    id="ln-gradient",
    title="the printed updates are the gradients of the summed loss",
    ref="Eqs. 2.2.2-2.2.6",
    evidence=of_the_loss,
    claim=partial(updates, 1, False),
    judge=expand_to_zero,
    wrong=(
        WrongClaim("loss without the factor 1/2", partial(updates, 2, False)),
        WrongClaim("inputs assumed to be white", partial(updates, 1, True)),
    ),
    covers=("Eq. 2.2.2", "Eqs. 2.2.3-2.2.4", "Eqs. 2.2.5-2.2.6"),
)


def rotated(_: Seeds) -> tuple[sp.Matrix, sp.Matrix]:
    """Eqs. 2.2.5-2.2.6 for W_1 = M_1 V^T, W_2 = U M_2, with 2.2.7-2.2.8, seen from the data's frames."""
    M1, M2, S = matrix("a"), matrix("b"), sp.diag(*sp.symbols("s:2"))
    U, V = frames()
    W1, W2 = M1 * V.T, U * M2
    gap = U * S * V.T - W2 * W1
    return W2.T * gap * V, U.T * gap * W1.T


def by_mode(competition: int, evidence: tuple[sp.Matrix, sp.Matrix]) -> list[sp.Expr]:
    """Eqs. 2.2.11-2.2.12 for columns a of M_1, rows b of M_2; `competition` for the negative controls."""
    M1, M2, s = matrix("a"), matrix("b"), sp.symbols("s:2")
    a, b = [M1[:, i] for i in range(SIZE)], [M2[i, :].T for i in range(SIZE)]
    found = []
    for i in range(SIZE):
        j = 1 - i
        da = (s[i] - a[i].dot(b[i])) * b[i] - competition * a[i].dot(b[j]) * b[j]
        db = (s[i] - a[i].dot(b[i])) * a[i] - competition * b[i].dot(a[j]) * a[j]
        found += [*(evidence[0][:, i] - da), *(evidence[1][i, :].T - db)]
    return found


MODES = check(
    id="ln-connectivity-modes",
    title="in the singular frames of the data, modes cooperate internally and compete with each other",
    ref="Eqs. 2.2.7-2.2.12",
    evidence=rotated,
    claim=partial(by_mode, 1),
    judge=expand_to_zero,
    wrong=(
        WrongClaim("no competition", partial(by_mode, 0)),
        WrongClaim("competition with the wrong sign", partial(by_mode, -1)),
    ),
    covers=("Eqs. 2.2.7-2.2.8", "Eqs. 2.2.9-2.2.10", "Eqs. 2.2.11-2.2.12"),
)


def mode_loss(factor: Fraction, evidence: tuple[sp.Matrix, sp.Matrix]) -> list[sp.Expr]:
    """Eq. 2.2.13: the dynamics descend `factor` times sum (s_i - a_i.b_i)^2 + sum (a_i.b_j)^2."""
    M1, M2, s = matrix("a"), matrix("b"), sp.symbols("s:2")
    couplings = M2 * M1  # b^i . a^j
    loss = factor * squared(sp.diag(*s) - couplings)
    return [*(evidence[0] - descended(loss, M1)), *(evidence[1] - descended(loss, M2))]


LOSS = check(
    id="ln-mode-loss",
    title="the mode dynamics descend one half of the printed sum of squares",
    ref="Eq. 2.2.13",
    evidence=rotated,
    claim=partial(mode_loss, Fraction(1, 2)),
    judge=expand_to_zero,
    wrong=(WrongClaim("the whole sum, with the same tau", partial(mode_loss, Fraction(1))),),
    covers=("Eq. 2.2.13",),
)

# One mode --------------------------------------------------------------------------------------------

symbols = partial(positive, "a b s t u u0 c")


def along(quantity: sp.Expr) -> sp.Expr:
    """tau d/dt of a function of (a, b) by Eqs. 2.2.15-2.2.16."""
    a, b, s, *__ = symbols().values()
    return sp.expand(sp.diff(quantity, a) * b * (s - a * b) + sp.diff(quantity, b) * a * (s - a * b))


def general(speed: str, _: None) -> list[sp.Expr]:
    """tau u' as a function of u and c = a^2 - b^2, squared, and the invariance of c (after 2.2.17).

    Both sides are positive for u < s, so that equality of squares is equality.
    """
    a, b, __, __, u, __, c = symbols().values()
    on_hyperbola = sp.sympify(speed, locals=symbols()).subs({u: a * b, c: a**2 - b**2})
    return [along(a**2 - b**2), along(a * b) ** 2 - on_hyperbola**2]


SPEED = check(
    id="ln-mode-speed",
    title="a^2 - b^2 is conserved, and tau u' = sqrt(c^2 + 4u^2) (s - u)",
    ref="Eqs. 2.2.15-2.2.18",
    evidence=no_draws,
    claim=partial(general, "sqrt(c**2 + 4*u**2)*(s - u)"),
    judge=expand_to_zero,
    wrong=(
        WrongClaim("the formula for a = b: 2u(s - u)", partial(general, "2*u*(s - u)")),
        WrongClaim("balance counted twice", partial(general, "sqrt(4*c**2 + 4*u**2)*(s - u)")),
    ),
    covers=("Eqs. 2.2.15-2.2.17", "Section 2.2.3: hyperbolas"),
)


def sigmoid(prefactor: str, _: None) -> list[sp.Expr]:
    """Eq. 2.2.22 solves 2.2.18 from u0, and 2.2.21 with this prefactor is the integral 2.2.20."""
    *__, s, t, u, u0, __ = symbols().values()
    grown = sp.exp(2 * s * t)
    solution = s * grown / (grown - 1 + s / u0)
    time = sp.sympify(prefactor, locals=symbols()) * sp.log(u * (s - u0) / (u0 * (s - u)))
    return [
        sp.diff(solution, t) - 2 * solution * (s - solution),
        solution.subs(t, 0) - u0,
        sp.diff(time, u) - 1 / (2 * u * (s - u)),
        time.subs(u, u0),
    ]


SIGMOID = check(
    id="ln-sigmoid",
    title="for a = b, the sigmoid and its inverse solve tau u' = 2u(s - u)",
    ref="Eqs. 2.2.18-2.2.22",
    evidence=no_draws,
    claim=partial(sigmoid, "1/(2*s)"),
    judge=vanish,
    wrong=(
        WrongClaim("prefactor 1/(2u)", partial(sigmoid, "1/(2*u)")),
        WrongClaim("prefactor 1/s", partial(sigmoid, "1/s")),
    ),
    covers=("Eqs. 2.2.19-2.2.20", "Eq. 2.2.21", "Eq. 2.2.22"),
)

CHECKS = (GRADIENT, MODES, LOSS, SPEED, SIGMOID)
