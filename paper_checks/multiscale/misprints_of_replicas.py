"""The misprints of the replica calculation (App. .2) and of its units, as a reader needs them."""

from __future__ import annotations

from teacherstudent.paper_checks.judging.reading import Reading, Readings, quotes
from teacherstudent.paper_checks.multiscale import errors

WARM = "n = 150, d = 100, p = 60, kappa = 3, noise 0.2, ridge 0.1, inverse temperature 10"

# The replica calculation ----------------------------------------------------------------------------------

REPLICAS: Readings = {
    "ms-partition-normalised": Reading(
        r"$Z$ is divided by $\int d\hat w\, \delta(d Q_0 - \left| F \hat w \right|^2)$ and then also "
        "extremised over $Q_0$",
        r"$Z$ is not divided, as after Eq. 4.2.20; otherwise $-\beta f$ has the additional term "
        r"$-\frac{1}{2} \ln Q_0$",
        errors.of_the_normalisation,
        "the slope of the free energy in Q0, relative to the slope of the entropy",
        WARM,
        "stands",
        "The paper defines Z twice. The later equations of the paper for R and Q use the undivided Z.",
        quoted=quotes(
            r"is the partition function which is defined as, $Z_{\beta,t} = \left. \int d\mu(\hat W) "
            r"\delta(\ldots) e^{-\beta L_T} \right/ \int d\mu(\hat W) \delta(\ldots)$ in which, $Q_0$ "
            r"can be perceived to be a target norm",
            "Eq. .2.27",
            r"in which $Z_\beta = \int dw\, e^{-\beta L(w)}$ is the partition function",
            "Section 4.2.3, after Eq. 4.2.20",
        ),
        says="Z is divided by the volume of weights of norm Q0 and then also extremised over Q0",
        truth="Z of .2.26 is not divided; otherwise -beta f has the additional term -1/2 ln Q0 and no "
        "stationary point there",
    ),
    "ms-norm-of-many-scales": Reading(
        r"the formula $Q = \frac{\alpha}{a^2 - \alpha} \left(1 - \alpha \frac{2 - a}{a}\right)$ for one "
        "scale is used for several scales with any positive ridge and $n < d$",
        r"the formula holds for one scale, or for $n > d$ and no ridge; $R = \alpha / a$ holds for any $F$",
        errors.of_the_norm,
        "Q at the end of training",
        "n = 50, d = 100, p = 60, kappa = 10, without noise, ridge 1e-6",
        "limits",
        "The alignment does not depend on the scales, but the norm and the risk do.",
        ref="norm of a student of several scales with a small ridge",
        says="the formula Q = alpha/(a^2 - alpha) (1 - alpha (2 - a)/a) for one scale is used for "
        "several scales",
        truth="the formula holds for one scale, or for n > d and no ridge; for other F, only R = alpha/a "
        "holds",
        paper="",
    ),
    "ms-free-energy-ridge": Reading(
        r"$-\beta f$ of Eq. .2.30 has no term in $\lambda$",
        r"$-\beta f$ contains $-\frac{1}{2} \beta \lambda Q_0$",
        errors.of_the_ridge_term,
        "the alignment R",
        "one scale, alpha = 1.5, ridge 0.1",
        "stands",
        "The paper contradicts itself: its stationary point, Eqs. .2.33 to .2.36, contains the ridge.",
        quoted=quotes(
            r"Eq. .2.28 can be simplified to $-\beta f = \frac{1}{2} \frac{Q - R^2}{Q_0 - Q} + "
            r"\frac{1}{2} \ln (Q_0 - Q) - \frac{n}{2d} \ln [1 + \beta (Q_0 - Q)] - \frac{n \beta}{2d} "
            r"\frac{G - 2HR + Q}{1 + \beta (Q_0 - Q)}$ in which the scalar variables",
            "Eq. .2.30",
            "one can extremize the free-energy $f(R, Q, Q_0)$ in Eq. .2.30. The solution to this "
            r"extremisation is derived in Bos et al. (1993) and reads, $\ldots\; \tilde\lambda = "
            r"\lambda + \frac{1}{\eta t}$",
            "Eqs. .2.30-.2.36",
        ),
        says="no ridge term, although .2.35-.2.36 contain the effective ridge",
        truth="-beta f contains the term -beta ridge Q0/2",
    ),
    "ms-thermal-risk": Reading(
        r"$E = \frac{1}{2} (1 - 2R + Q)$ at inverse temperature $\beta$, with the $Q$ of Eq. .2.66, the "
        "overlap of two students",
        r"$E = \frac{1}{2} (1 - 2R + Q_0)$ with the norm of one student, $Q_0 = \frac{1}{d} \left| F \hat "
        r"w \right|^2$",
        errors.of_the_thermal_risk,
        "the excess risk",
        WARM,
        "stands",
        "The paper gives the norm two names, Q in Eq. .2.25 and Q0 in Eq. .2.27. The paper's results are "
        "for zero temperature, where Q and Q0 are equal.",
        quoted=quotes(
            r"the generalization loss can be written in terms of two scalar variables, $L = \frac{1}{2} "
            r"(1 + \sigma_\epsilon^2 + Q - 2R)$ ... $Q := \frac{1}{d} \hat W^\top F^\top F \hat W$",
            "Eqs. .2.23-.2.25",
            "the above determined values of $R, Q$ and $Q_0$ can be perceived as the maximally likely "
            "values of $R, Q$ and $Q_0$ of our teacher-student setup, for an inverse temperature",
            "after Eq. .2.66",
        ),
        ref="Eqs. .2.23-.2.25, .2.66",
        says="a student at inverse temperature beta has excess risk 1/2 (1 - 2R + Q), with Q from .2.66",
        truth="1/2 (1 - 2R + Q0): the norm of one student is Q0, as in .2.27, and Q is the overlap of "
        "two students",
    ),
}

# Units ----------------------------------------------------------------------------------------------------

UNITS: Readings = {
    "ms-mean-for-sum": Reading(
        r"$L = \frac{1}{2n} \sum_\mu (y^\mu - \hat y^\mu)^2 + \frac{\lambda}{2} \left| \hat w \right|^2$ "
        r"has the updates of Eq. .2.15, and with $\lambda = \frac{1}{\eta t}$ the minimum of Eq. .2.51",
        r"the updates follow from $L = \frac{1}{2} \sum_\mu (y^\mu - \hat y^\mu)^2 + \frac{\lambda}{2} "
        r"\left| \hat w \right|^2$; with the mean, $\eta \to \eta / n$ and $\lambda \to n \lambda$",
        errors.of_the_sum,
        "the learning rate",
        "100 samples",
        "stands",
        "The paper contradicts itself in a convention. The paper's solutions and code use the sum.",
        quoted=quotes(
            r"on the regularized mean-squared loss, evaluated on the $n$ training examples as, $L_T = "
            r"\frac{1}{2n} \sum_\mu \ldots$",
            "Eq. 4.2.3",
            r"Accordingly, we study the equilibrium distribution of the modified loss ... $\frac{1}{2n} "
            r"\sum_\mu (\hat y^\mu - y^\mu)^2 + \frac{1}{2} \left(\lambda + \frac{1}{\eta t}\right) "
            r"\left| \hat w \right|^2$",
            "Eqs. 4.2.21-4.2.22",
            r"the exact dynamics under gradient-descent, correspond to, $\hat W_t = \hat W_{t-1} - \eta "
            r"\left[-X^\top (y - X \hat W_{t-1}) + \lambda \hat W_{t-1}\right]$",
            "Eq. .2.15",
        ),
        ref="Eqs. 4.2.3, 4.2.22, .2.52, .2.12-.2.16",
        says="the mean losses of 4.2.3 and 4.2.22 give .2.15 and .2.51, with the same eta and ridge",
        truth="the summed losses give these equations; with the mean, eta -> eta/n and ridge -> n ridge",
    ),
    "ms-unit-teacher": Reading(
        r"$\left| w \right| = 1$ with inputs of variance $1/d$",
        r"$\left| w \right|^2 = d$, so $\mathrm{Var}(z \cdot w) = 1$",
        errors.of_the_teacher,
        "the risk of the untrained student",
        "d = 100",
        "stands",
        "The paragraph contradicts itself, because d weights of variance 1 have a squared norm of about "
        "d. The figures start at a risk of 1/2.",
        quoted=quotes(
            r"Here, both $w_i$ and $\epsilon$ are drawn ... from Gaussian distributions with zero mean "
            r"and variances of 1 and $\sigma_\epsilon^2$, respectively. Additionally, we choose to set "
            r"$\left| w \right| = 1$, without loss of generality.",
            "after Eq. 4.2.1",
            r"is the label noise, $F$ is the modulation matrix, and $\left| z \right|^2 = "
            r"\left| W \right|^2 = 1$",
            "after Eq. .2.21",
        ),
        ref="Eqs. 4.2.1, .2.21",
        says="|w| = 1, with inputs of variance 1/d: the initial risk would be 1/(2d)",
        truth="|w|^2 = d, so Var(z.w) = 1",
    ),
}
