"""The misprints about multi-scale features, as a reader needs them."""

from __future__ import annotations

from functools import partial

from teacherstudent.paper_checks.judging.reading import Reading, Readings
from teacherstudent.paper_checks.multiscale import errors

FIGURE_3 = "n = 150, d = 100, p = 60, kappa = 50, without noise, at the worst time"
WARM = "n = 150, d = 100, p = 60, kappa = 3, noise 0.2, ridge 0.1, inverse temperature 10"
ONE_SUSCEPTIBILITY = (
    r"both scales share $\chi = \sum_k \frac{m_k e_k}{\rho e_k + \lambda}$ with $\rho = n / (1 + \chi)$"
)


def of_its_own(dynamics: str, of: str, because: str) -> Reading:
    """The susceptibility that each scale has of its own, under either dynamics."""
    return Reading(
        r"scale $i$ has $a_i = 1 + 2 \tilde\lambda_i \big/ \left(1 - \alpha_i - \tilde\lambda_i + \sqrt{(1 - "
        r"\alpha_i - \tilde\lambda_i)^2 + 4 \tilde\lambda_i}\right)$ of its own, $\alpha_i = n / m_i$",
        ONE_SUSCEPTIBILITY,
        partial(errors.of_susceptibilities, dynamics),
        of,
        FIGURE_3,
        "limits",
        because,
    )


READINGS: Readings = {
    "ms-modified-mean": Reading(
        r"$\frac{1}{2n} \sum_\mu (y^\mu - \hat y^\mu)^2 + \frac{1}{2 \eta t} \left| \hat w \right|^2$",
        r"$\frac{1}{2} \sum_\mu (y^\mu - \hat y^\mu)^2 + \frac{1}{2 \eta t} \left| \hat w \right|^2$",
        errors.of_the_mean,
        "the minimiser along a mode that is half learned",
        "100 samples",
        "stands",
        "The solution that the text goes on with is that of the sum.",
    ),
    "ms-script-two-over-t": Reading(
        r"ridge regression at $\lambda = 2/t$ stands for descent at $t$",
        r"at $\lambda = 1/(\eta t)$: only this agrees to first order",
        errors.of_twice_the_ridge,
        "the share of a mode that is learned",
        "early, to first order in time",
        "stands",
        "The curves of Fig. 3 right lie at twice their time, which a logarithmic axis shifts by a third of a "
        "decade without a change of shape.",
    ),
    "ms-log-small": Reading(
        r"$\log(1 + x) \approx x$ at $x = \eta c t$, without a condition on $x$",
        r"for $x \ll 1$ only: $e^{-x}$, the share of the error that is kept, becomes $\frac{1}{1 + x}$",
        errors.of_small_logarithms,
        "the error along a mode, as a share of the error at the start",
        "x = 2.5, the worst",
        "limits",
        "Ridge regression stands for early stopping in shape, not in value.",
    ),
    "ms-partition-normalised": Reading(
        r"$Z$ is divided by $\int d\hat w\, \delta(d Q_0 - \left| \hat w \right|^2)$, and then extremised "
        r"over "
        r"$Q_0$ too",
        r"$Z$ is not divided: else $-\beta f$ has $-\frac{1}{2} \ln Q_0$ more",
        errors.of_the_normalisation,
        "the slope of the free energy in Q0, as a share of that of the entropy",
        WARM,
        "stands",
        "The equations for R and Q that follow are those of the undivided Z.",
    ),
    "os-lambda-correction": Reading(
        r"$E_g = \frac{1}{N} \sum_i \lambda_i (\bar z_i - z_i)^2 + \sigma_\epsilon^2$",
        r"$E_g = \frac{1}{N} \sum_i (\bar z_i - z_i)^2 + \sigma_\epsilon^2$",
        errors.of_the_weight,
        "the generalisation error",
        "alpha = 1, t/tau = 16, noise 0.5, initial weights 0.5",
        "stands",
        "The peak at alpha = 1 that the section shows follows from the formula without the weight.",
    ),
    "ms-susceptibilities-descent": of_its_own(
        "descent",
        "the excess risk under descent, with a ridge in the place of time as in print",
        "The two descents stand; their heights, and the condition number where they begin, do not.",
    ),
    "ms-susceptibilities-ridge": of_its_own(
        "ridge",
        "the excess risk of ridge regression",
        "The curves of Fig. 3 right keep their shape, and not their values between the two descents.",
    ),
    "os-training-square": Reading(
        r"$E_t = \sum_{i=1}^{N} \left(\sqrt{\lambda_i} (\bar z_i - z_i(0)) + \tilde\epsilon_i\right) e^{-2 "
        r"\lambda_i t / \tau} + \ldots$",
        r"$E_t = \sum_{i=1}^{\min(N, P)} \left(\sqrt{\lambda_i} (\bar z_i - z_i(0)) + "
        r"\tilde\epsilon_i\right)^2 "
        r"e^{-2 \lambda_i t / \tau} + \ldots$",
        errors.of_the_square,
        "the training error, averaged over teachers and starts",
        "without label noise",
        "stands",
        "A square is missing in print; what the text reads from it, where the error ends, is right.",
    ),
    "ms-onset-printed": Reading(
        r"the risk descends once up to $\kappa$ between 11 and 12",
        r"under gradient flow it descends twice from $\kappa = 5.2$ on, under ridge regression from $7.4$ on",
        errors.of_the_onset,
        "the condition number at which double descent starts",
        "Fig. 4: n = 110, d = 100, p = 70",
        "limits",
        "Double descent does appear as the condition number grows, but from less than half of it on.",
    ),
    "ms-lemma-norm": Reading(
        r"$\left| \hat y \right|^2 = d\, Q$, as $Z^\top Z$ is replaced by the identity",
        r"$\mathbb{E} \left| \hat y \right|^2 = n\, Q$ over $n$ examples that the student has not seen",
        errors.of_the_lemma,
        "the squared outputs on the training examples",
        "n = 120, d = 100, p = 70, kappa = 10, after a flow time of 1e4",
        "limits",
        "To penalise outputs on training examples is not to penalise Q, although it lowers the bump as well.",
    ),
    "os-interpretations": Reading(
        r"the weight $\lambda_i$ in $E_g$ 'does not change the presented interpretations significantly'",
        r"$\lambda_i$ cancels the $\frac{1}{\lambda_i}$ of the noise, and with it the divergence at $\alpha "
        r"= 1$",
        errors.of_the_interpretation,
        "the generalisation error",
        "alpha = 1, t/tau = 300, noise 0.5, initial weights 0.5",
        "falls",
        "By the formula that the footnote defends there is no double descent to interpret.",
    ),
    "ms-penalty-half": Reading(
        r"$L + a \left| \hat y \right|^2$",
        r"$L + \frac{a}{2} \left| \hat y \right|^2$, as in the published script",
        errors.of_the_penalty,
        "the weights at the end of training",
        "a = 0.6, without a ridge",
        "stands",
        "It is a constant of the penalty, and the figure is drawn with the right one.",
    ),
    "ms-penalty-equalises": Reading(
        r"the penalty slows down the faster features and so brings the scales closer",
        r"it multiplies every rate by $1 + a$, and shrinks the student to $\frac{1}{1 + a}$",
        errors.of_the_rates,
        "the rate of the fast features, if the penalty only left it as it is",
        "a constant a = 0.6",
        "falls",
        "The penalty does diminish the bump, but not for the reason given: the ratio of the rates stays.",
    ),
    "ms-norm-of-many-scales": Reading(
        r"$Q = \frac{\alpha}{a^2 - \alpha} \left(1 - \alpha \frac{2 - a}{a}\right)$, whatever the singular "
        r"values of $F$",
        r"for one scale, or for $n > d$ and no ridge; $R = \alpha / a$ holds for any $F$",
        errors.of_the_norm,
        "Q at the end of training",
        "n = 50, d = 100, p = 60, kappa = 10, without noise, ridge 1e-6",
        "limits",
        "The alignment does not depend on the scales, but the norm and the risk do.",
    ),
    "ms-ridge-matches": Reading(
        r"ridge regression at $\lambda = \frac{1}{\eta t}$ matches gradient descent extremely well",
        r"their excess risks differ by up to $0.05$ at $\kappa = 1$, by up to $0.2$ at $\kappa = 50$ and "
        r"$n = d / 2$",
        errors.of_ridge_as_time,
        "the excess risk, as a share of its start",
        "n = 50, d = 100, p = 60, kappa = 50, without noise, at the worst time",
        "limits",
        "Both descend twice, but from other condition numbers on and to other depths.",
    ),
    "ms-bounded-by-ridge": Reading(
        r"$E_{\mathrm{flow}}(t) \le E_{\mathrm{ridge}}(1/t)$",
        r"$E_{\mathrm{flow}}(t) \le 1.6862\, E_{\mathrm{ridge}}(1/t)$",
        errors.of_the_bound,
        "the bound, which a problem of nothing but noise reaches",
        "equal eigenvalues",
        "limits",
        "There is a bound, as in Ali et al. 2019, with a factor.",
    ),
    "ms-script-factor": Reading(
        r"the effective ridge of the first block is $\frac{1}{2} \tilde\lambda_1$, which doubles that of the "
        r"second in effect",
        r"$\tilde\lambda_1$ without a factor, in the exact limit",
        errors.of_the_script,
        "the excess risk that Fig. 3 right draws",
        FIGURE_3,
        "stands",
        "The drawn curve still descends twice; only it is not that of the printed equations.",
    ),
    "ms-kappa-one": Reading(
        r"at $\kappa = 1$ the excess risk varies with $p$ by a factor of two",
        r"it is that of one scale, for every $p$",
        errors.of_equal_scales,
        "the excess risk of ridge regression",
        "n = 150, d = 100, p = 50, kappa = 1, ridge 0.1",
        "limits",
        "The printed formulas hold for scales far apart, and not near kappa = 1.",
    ),
    "ms-free-energy-ridge": Reading(
        r"$-\beta f$ of Eq. .2.30, without a term in $\lambda$",
        r"$-\beta f$ contains $-\frac{1}{2} \beta \lambda Q_0$",
        errors.of_the_ridge_term,
        "the alignment R",
        "one scale, alpha = 1.5, ridge 0.1",
        "stands",
        "Its stationary point, Eqs. .2.33 to .2.36, is printed with the ridge.",
    ),
    "ms-susceptibilities-thermal": Reading(
        r"$\beta (Q_{0,i} - Q_i) = \frac{1}{a_i - 1}$ for each scale",
        r"$\beta (Q_0 - Q) = \chi = \frac{1}{a - 1}$ for all scales together",
        errors.of_fluctuations,
        "Q0 - Q, the thermal fluctuations of the outputs",
        WARM,
        "stands",
        "The paper draws no conclusion at a finite temperature.",
    ),
    "ms-thermal-risk": Reading(
        r"$E = \frac{1}{2} (1 - 2R + Q)$ with the overlap $Q$ of two replicas",
        r"$E = \frac{1}{2} (1 - 2R + Q_0)$",
        errors.of_the_thermal_risk,
        "the excess risk",
        WARM,
        "stands",
        "The paper's results are at zero temperature, where both are one.",
    ),
    "ms-mean-for-sum": Reading(
        r"$L = \frac{1}{2n} \sum_\mu (y^\mu - \hat y^\mu)^2 + \frac{\lambda}{2} \left| \hat w \right|^2$ "
        r"has the "
        r"updates of Eq. .2.15",
        r"$L = \frac{1}{2} \sum_\mu (y^\mu - \hat y^\mu)^2 + \frac{\lambda}{2} \left| \hat w \right|^2$ "
        r"has; with "
        r"the mean, $\eta \to \eta / n$ and $\lambda \to n \lambda$",
        errors.of_the_sum,
        "the learning rate",
        "100 samples",
        "stands",
        "It is a convention; the formulas and the published code use the sum.",
    ),
    "ms-unit-teacher": Reading(
        r"$\left| w \right| = 1$ with inputs of variance $1/d$",
        r"$\left| w \right|^2 = d$, so that $\mathrm{Var}(z \cdot w) = 1$",
        errors.of_the_teacher,
        "the risk of the untrained student",
        "d = 100",
        "stands",
        "It is a convention; the figures start at a risk of 1/2.",
    ),
}
