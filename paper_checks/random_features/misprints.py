"""The misprints about random features, as a reader needs them: all are of published data, not of a text."""

from __future__ import annotations

from teacherstudent.paper_checks.judging.reading import Reading, Readings, largest_relative_error, quotes


def of_the_assembly() -> float:
    """Risks of relu, put together with the coefficients of tanh."""
    return _published(0, assembled="TANH")


def of_the_training_error() -> float:
    """train_loss."""
    return _published(1, printed=True)


def of_the_start() -> float:
    """Overlaps as they are started."""
    return _published(0, started=True, last=True)


def of_the_ridge() -> float:
    """The sample-wise curve of r = 0.7 at N = P, as many samples as features."""
    from dataclasses import replace

    from teacherstudent.paper_checks.random_features.published_data import many_samples, route

    student = many_samples(26, 0.7)
    return largest_relative_error(route(replace(student, lam=1e-3))[0], route(student)[0])


def _published(column: int, last: bool = False, assembled: str = "", **how: bool) -> float:
    """The largest relative error of the data in a column of `saddle_point`, in its last row or the others."""
    from teacherstudent.paper_checks.random_features.kit import asking
    from teacherstudent.paper_checks.random_features.published_data import saddle_point

    rows = slice(-1, None) if last else slice(0, -1)
    own = getattr(asking, assembled) if assembled else None
    found = saddle_point(None, assembled=own, **how)[rows, column]
    right = saddle_point(None)[rows, column]
    return max(largest_relative_error(each, one) for each, one in zip(found, right, strict=True))


NOTEBOOK = "rf-analytic.ipynb, github.com/sdascoli/triple-descent-paper"
NODES = "the worst of five points of the phase space, lambda = 0.1, SNR = 2"

READINGS: Readings = {
    "rf-relu-by-tanh": Reading(
        r"the rows of relu have $1 + \mu_1^2 q_x + \mu_\star^2 q_w - 2 \mu_1 m_x$ with the overlaps of relu "
        r"and $\mu_1 = 0.6057$, $\mu_\star = 0.1656$, the coefficients of tanh",
        r"the same formula with $\mu_1 = \frac{1}{2}$, $\mu_\star = \sqrt{\frac{1}{4} - \frac{1}{2\pi}}$",
        of_the_assembly,
        "the test loss",
        NODES,
        "stands",
        "The figures of the phase space draw the rows of tanh, which are right.",
        quoted=quotes(
            "nls = ['relu','tanh'] ... for nonlinearity in nls: mu0, mu1, mustar = get_coef(nl) ... "
            "delta=delta,nl=nonlinearity",
            f"Generate the data: Phase space, {NOTEBOOK}",
            "lamb=1e-1 F = 'gaussian' log=True nl = 'tanh'",
            f"Phase space (fig 3), {NOTEBOOK}",
        ),
        ref="published data, rows of relu",
        says="overlaps of relu, combined with the coefficients of tanh",
        truth="overlaps of relu, combined with the coefficients of relu",
        held="rf-triple-data",
    ),
    "rf-train-loss": Reading(
        r"$-\frac{\lambda}{2 \alpha} q_w + \frac{1}{4 (1 + V)^2} \left(1 + Q - 2M + V^2 \Delta\right)$",
        r"$\frac{1 + Q - 2M + \Delta}{(1 + V)^2}$",
        of_the_training_error,
        "the training error",
        NODES,
        "stands",
        "No figure draws the column, which is negative in 1,529 of 4,800 rows.",
        quoted=quotes(
            "train_loss = -lamb/(2*alpha) * qw + 1/(4*(1+V)**2) * (1 + Q - 2*M + V**2 * delta)",
            f"Generate the data: Phase space, {NOTEBOOK}",
        ),
        ref="published code, train_loss",
        says="-lambda/(2 alpha) q_w + (1 + Q - 2M + V^2 Delta)/(4 (1 + V)^2)",
        truth="(1 + Q - 2M + Delta)/(1 + V)^2",
        held="rf-triple-data",
    ),
    "rf-no-linear-part": Reading(
        r"at $r = \mu_1^2 = 0$ the test loss is $1.001$ at step $t = 0$, for any $N$ and $\Delta$",
        r"the equations divide by $\hat V_x = 0$ and stop at their first step; as $r \to 0$ the test "
        r"loss approaches $1 + Q$, which is larger",
        of_the_start,
        "the test loss",
        "P/D = 10, N/D = 3.5, lambda = 0.1, SNR = 2",
        "stands",
        "The figures omit these rows: they draw nls[1:], which starts at r = 0.1.",
        quoted=quotes(
            "Vx[0], qx[0], mx[0] = 0.001, 0.001, 0.001 ... if diff < eps or np.isnan(diff): break ... "
            "return Vx[t], qx[t], mx[t], Vw[t], qw[t], t",
            f"iterate_se, {NOTEBOOK}",
        ),
        ref="published data, rows of r = 0",
        says="the initial overlaps",
        truth="the fixed point that the equations approach as r -> 0",
        held="rf-triple-data",
    ),
    "rf-sample-wise-lambda": Reading(
        r"the cell that generates the curves over samples and over parameters has $\lambda = 10^{-3}$",
        r"both published files have $\lambda = 10^{-1}$ in every row",
        of_the_ridge,
        "the test loss",
        "the nonlinear peak N = P of r = 0.7, SNR = 2",
        "stands",
        "The figures draw the published files; to reproduce these files, the ridge must be changed.",
        quoted=quotes(
            "#Sample wise #Psi1s = [10] #Psi2s = np.logspace(-1, 2, 40) #Parameter wise ... lambs = [1e-3]",
            f"Varying nonlinearity, {NOTEBOOK}",
            "Data is stored under the data folder, and figures may be readily generated. The data may be "
            "regenerated using the functions provided.",
            "Readme.md, b) Analytical phase space, of the same repository",
        ),
        ref="published notebook, varying nonlinearity",
        says="lambda = 1e-3",
        truth="lambda = 0.1, as in the lambda column of the data",
    ),
}
