"""The misprints about multi-scale features, as a reader needs them."""

from __future__ import annotations

from teacherstudent.paper_checks.judging.reading import Reading, Readings, quotes
from teacherstudent.paper_checks.multiscale import errors
from teacherstudent.paper_checks.multiscale.misprints_of_replicas import REPLICAS, UNITS

FIGURE_3 = "n = 150, d = 100, p = 60, kappa = 50, without noise, at the worst time"
PUBLISHED = "github.com/mpezeshki/Epoch_wise_Double_Descent"
OF_SCALARS = "Right: Analytical results of scalar Eqs. 4.2.14, 4.2.15 compared to ridge regression dynamics."

# Eqs. 4.2.13-4.2.16 and what they are used for ------------------------------------------------------------

CLOSED_FORMS: Readings = {
    "ms-susceptibilities-ridge": Reading(
        r"scale $i$ has its own $a_i = 1 + 2 \tilde\lambda_i \big/ \left(1 - \alpha_i - \tilde\lambda_i + "
        r"\sqrt{(1 - \alpha_i - \tilde\lambda_i)^2 + 4 \tilde\lambda_i}\right)$, with $\alpha_i = n / m_i$",
        r"both scales share $\chi = \sum_k \frac{m_k e_k}{\rho e_k + \lambda}$ with $\rho = n / (1 + \chi)$",
        errors.of_susceptibilities,
        "the excess risk of ridge regression",
        FIGURE_3,
        "limits",
        "The curves of Fig. 3 right keep their shape, but their values between the two descents change. "
        "The paper calls the expression an approximation to training time, not to ridge regression.",
        quoted=quotes(
            "By employing the replica method of statistical physics ... and approximation of gradient "
            "descent dynamics with ridge regression, we derive closed-form expressions",
            "before Eq. 4.2.11",
            "Rewriting Eqs. .2.33, .2.34, and .2.35 for each of the student's components, we arrive at, "
            r"$\ldots\; a_1 = 1 + 2 \tilde\lambda_1 \big/ \left(1 - \frac{n}{p} - \tilde\lambda_1 + "
            r"\sqrt{(1 - \frac{n}{p} - \tilde\lambda_1)^2 + 4 \tilde\lambda_1}\right)$",
            "App. .2.3, before Eq. .2.39",
            f"{OF_SCALARS} ... Analytical results closely match with empirical simulations.",
            "caption of Fig. 3",
        ),
        ref="Eqs. 4.2.13-4.2.16, .2.39-.2.41",
        says="each scale has its own susceptibility a_i",
        truth="both scales share the susceptibility chi = sum_k m_k e_k/(rho e_k + lambda), rho = n/(1 + "
        "chi)",
        held="ms-printed-far-scales",
    ),
    "ms-kappa-one": Reading(
        r"by these formulas the excess risk at $\kappa = 1$ varies with $p$ by a factor of two",
        r"the excess risk at $\kappa = 1$ is the one-scale risk for every $p$",
        errors.of_equal_scales,
        "the excess risk of ridge regression",
        "n = 150, d = 100, p = 50, kappa = 1, ridge 0.1",
        "limits",
        "The printed formulas hold for widely separated scales. They are derived for kappa above 1, but "
        "Fig. 3 also draws them at 1.",
        quoted=quotes(
            r"We let the condition number of $F$ to be denoted by $\kappa := \sigma_1 / \sigma_2 > 1$",
            "Assumption 4.2.1",
            f"{OF_SCALARS} ... With $\\kappa = 1$, all the features are learned at the same rate (no "
            "double descent).",
            "caption of Fig. 3",
        ),
        ref="Eqs. 4.2.13-4.2.16",
        says="excess risk at kappa = 1 varies with p by a factor of two",
        truth="the one-scale risk, for every p",
        held="ms-printed-far-scales",
    ),
    "ms-onset-printed": Reading(
        r"by these formulas the risk has a single descent up to a $\kappa$ between 11 and 12",
        r"the risk descends twice for $\kappa \ge 5.2$ (gradient flow) or $\kappa \ge 7.4$ (ridge "
        r"regression)",
        errors.of_the_onset,
        "the condition number at which double descent starts",
        "Fig. 4: n = 110, d = 100, p = 70",
        "limits",
        "Double descent does appear as the condition number grows, but it starts at less than half the "
        "printed value. The paper names no onset and calls the formulas approximate, but the curve at "
        "kappa = 7 in its Fig. 4 has no ascent.",
        quoted=quotes(
            "one obtains an (approximate) expression for $L_G(t)$ as a function of the training time",
            "after Eq. 4.2.16",
            "Phase diagram of the generalization error as a function of $R(t)$ and $Q(t)$ (Eqs. 4.2.14 "
            "and 4.2.15).",
            "caption of Fig. 4",
            r"For the other trajectories with smaller $\kappa$, a first descent occurs up to the point "
            "A, then an ascent happens",
            "caption of Fig. 4",
            "for k in [1, 7, 12, 30, 100, 1000, 100000]:",
            f"fig4.py, {PUBLISHED}",
        ),
        ref="Fig. 4, Eqs. 4.2.14-4.2.16",
        says="by these formulas the risk of Fig. 4 has a single descent up to a kappa between 11 and 12",
        truth="gradient flow descends twice for kappa >= 5.2, ridge regression for kappa >= 7.4",
        held="ms-printed-far-scales",
    ),
    "ms-script-two-over-t": Reading(
        r"at $1/\lambda = t$ the drawn curves show ridge regression at $2 / t$",
        r"the ridge is $\frac{1}{\eta t}$, as in Eqs. .2.14 and 4.2.22: only this agrees with descent to "
        "first order",
        errors.of_twice_the_ridge,
        "the learned fraction of a mode",
        "early, to first order in time",
        "stands",
        "The curves of Fig. 3 right are drawn at twice their time. On a logarithmic axis this is a shift "
        "by a third of a decade without a change of shape. The value 2 / t belongs to a penalty without "
        "the factor 1/2 of Eq. 4.2.3.",
        quoted=quotes(
            "w_hat = np.dot(np.linalg.inv(XTX + 2.0 * (lambda_ + 1.0 / t) * np.eye(d)), np.dot(X.T, y))",
            f"line 115 of fig3.py, {PUBLISHED}",
            r"The x-axis denotes the inverse ridge (L2) coefficient $1/\lambda$.",
            "caption of Fig. 3",
        ),
        ref="Fig. 3 right and its published script",
        says="ridge regression with ridge 2/t is drawn at 1/lambda = t",
        truth="only 1/t agrees with descent to first order (Eqs. 4.2.22, .2.36)",
    ),
    "ms-script-factor": Reading(
        r"the effective ridge of the first block is $\frac{1}{2} \tilde\lambda_1$, which in effect "
        "doubles the ridge of the second block",
        r"$\tilde\lambda_1$ has no factor, and the exact limit applies",
        errors.of_the_script,
        "the excess risk that Fig. 3 right draws",
        FIGURE_3,
        "stands",
        "The drawn curve still descends twice, but it does not show the printed equations.",
        quoted=quotes(
            "s1 = 0.5 s2 = 0.5 / k ... lambdas_1 = 0.5 * lambdas / ((p / d) * s1 ** 2) ... "
            "lambdas_2 = lambdas / (((d - p) / d) * s2 ** 2)",
            f"lines 140 to 151 of fig3.py, {PUBLISHED}",
        ),
        ref="published script of Fig. 3",
        says="a factor 1/2 in the first block's effective ridge, which in effect doubles the ridge of "
        "the second block",
        truth="no factor, and the exact limit in place of Eqs. 4.2.14-4.2.16",
    ),
}

# Ridge regression in the place of time, and the output penalty ---------------------------------------------

TIME: Readings = {
    "ms-ridge-matches": Reading(
        r"ridge regression at $\lambda = \frac{1}{\eta t}$ matches gradient descent extremely well",
        r"excess risks differ by up to $0.037$ at $\kappa = 1$ and $0.028$ at $\kappa = 50$ in the "
        r"setting of Fig. 3, and by up to $0.2$ at $\kappa = 50$ and $n = d / 2$",
        errors.of_ridge_as_time,
        "the excess risk, relative to its initial value",
        "Fig. 3: n = 150, d = 100, p = 60, kappa = 1, without noise, at the worst time",
        "limits",
        "Gradient descent and ridge regression both descend twice, but from different condition numbers on "
        "and to different depths. The paper contradicts itself: the caption of Fig. 3 makes the weaker "
        "statement.",
        quoted=quotes(
            "while there is no guarantee that this bound is tight in general, we do observe that it "
            "matches the behavior of a wide range of numerical experiments extremely well (see Section "
            "4.3).",
            "Section 4.2.3",
            "ridge regression appears to reasonably approximate gradient descent dynamics",
            "caption of Fig. 3",
        ),
        ref="Section 4.2.3, Fig. 3",
        says="ridge regression at 1/(eta t) matches gradient descent extremely well",
        truth="excess risks differ by up to 0.037 in the setting of Fig. 3, 0.2 at kappa = 50 and n = d/2",
    ),
    "ms-bounded-by-ridge": Reading(
        r"$E_{\mathrm{flow}}(t) \le E_{\mathrm{ridge}}(1/t)$ for test errors, after Ali et al. 2019",
        r"$E_{\mathrm{flow}}(t) \le 1.6862\, E_{\mathrm{ridge}}(1/t)$",
        errors.of_the_bound,
        "the bound, which a pure-noise problem attains",
        "equal eigenvalues",
        "limits",
        "The test error does obey a bound, with the factor of Ali et al. 2019. The training loss does not.",
        quoted=quotes(
            "it states that the MSE loss of a linear regression model under stochastic gradient flow at "
            "time $t$ is bounded from above by the end-of-training loss in the presence of ridge "
            "regression",
            "Section 4.2.3",
            r"providing bounds on the test error under these algorithms over training time $t$, in "
            r"terms of a ridge setup with ridge parameter $\lambda = 1/t$",
            "App. .2.4, of the same works",
        ),
        ref="Section 4.2.3, App. .2.4",
        says="the test error under gradient flow at time t is at most the test error of ridge regression "
        "at 1/t",
        truth="the test error under gradient flow is at most 1.6862 times as large (Ali et al. 2019); the "
        "factor is 1 without label noise and at one scale",
    ),
    "ms-log-small": Reading(
        r"the approximation $\log(1 + x) \approx x$ is used where $x = \eta c t$ is not small",
        r"valid for $x \ll 1$ only: $e^{-x}$, the remaining fraction of the error, is replaced by "
        r"$\frac{1}{1 + x}$",
        errors.of_small_logarithms,
        "the error along a mode, relative to the initial error",
        "x = 2.5, the worst case",
        "limits",
        "Ridge regression resembles early stopping in shape, but not in value.",
        ref="log(1 + x) replaced by x",
        says="the approximation log(1 + x) ~ x is used where x = eta c t is not small",
        truth="the remaining fraction of the error, e^-x, is replaced by 1/(1 + x): they differ by up to "
        "0.204",
        paper="",
    ),
    "ms-lemma-norm": Reading(
        r"$\left| \hat y \right|^2 = d\, Q$, since $Z^\top Z$ is replaced by the identity; but by Eq. "
        r"4.2.1 $\mathbb{E}\, Z^\top Z = \frac{n}{d} I$",
        r"$\mathbb{E} \left| \hat y \right|^2 = n\, Q$ over $n$ examples that the student has not seen",
        errors.of_the_lemma,
        "the squared outputs on the training examples",
        "n = 120, d = 100, p = 70, kappa = 10, after a flow time of 1e4",
        "limits",
        "Penalising outputs on training examples is not the same as penalising Q, although it also "
        "lowers the bump.",
        quoted=quotes(
            "For a linear/linearized model, penalizing $Q$ amounts to adding the following regularizer "
            r"to the loss, $L_T \leftarrow L_T + \alpha \left| \hat y \right|^2$",
            "Lemma 4.3.1",
            r"Since Z is normally distributed with unit covariance, we can rewrite $Q$ as, $Q = "
            r"\frac{1}{d} \hat W^\top F^\top Z^\top Z F \hat W$",
            "App. .2.5",
        ),
        ref="Lemma 4.3.1, App. .2.5",
        says="|yhat|^2 = d Q, with Z^T Z replaced by the identity",
        truth="E |yhat|^2 = n Q over n unseen examples (E Z^T Z = n/d); on the training examples "
        "|yhat|^2 differs, because the student was fitted to them",
    ),
    "ms-penalty-half": Reading(
        r"the strength $a$ of a penalty $\frac{a}{2} \left| \hat y \right|^2$ is used in $L + a \left| "
        r"\hat y \right|^2$",
        r"$L + \frac{a}{2} \left| \hat y \right|^2$ has steps with $(1 + a) X^\top X$, as in the "
        "published script of pezeshki2022, Fig. 6",
        errors.of_the_penalty,
        "the weights at the end of training",
        "a = 0.6, without a ridge",
        "stands",
        "Only the constant of the penalty changes.",
        ref="strength of the output penalty",
        says="the a of a/2 |yhat|^2 is used in L + a |yhat|^2",
        truth="L + a/2 |yhat|^2, as in the published script of Fig. 6",
        paper="",
    ),
    "ms-penalty-equalises": Reading(
        r"the penalty slows down the faster features and so brings the scales closer",
        r"the penalty multiplies every rate by $1 + a$, and shrinks the student to $\frac{1}{1 + a}$",
        errors.of_the_rates,
        "the rate of the fast features, if the penalty left it unchanged",
        "a constant a = 0.6",
        "falls",
        "The penalty does reduce the bump, but for another reason: the ratio of the rates does not change.",
        quoted=quotes(
            "such regularization slows down the learning along the direction of faster features and "
            "hence attempts to equalize the learning scale of different features",
            "Section 4.3.4",
        ),
        says="the penalty slows down the faster features and so brings the scales of learning closer",
        truth="the penalty multiplies every rate by 1 + a, and shrinks the student to 1/(1 + a)",
    ),
}

# One scale: generalisation dynamics -----------------------------------------------------------------------

ONE_SCALE: Readings = {
    "os-lambda-correction": Reading(
        r"$E_g = \frac{1}{N} \sum_i \lambda_i (\bar z_i - z_i)^2 + \sigma_\epsilon^2$",
        r"$E_g = \frac{1}{N} \sum_i (\bar z_i - z_i)^2 + \sigma_\epsilon^2$",
        errors.of_the_weight,
        "the generalisation error",
        "alpha = 1, t/tau = 16, noise 0.5, initial weights 0.5",
        "stands",
        "The peak at alpha = 1 that the section shows follows from the formula without the weight.",
        quoted=quotes(
            "The generalization error is defined as the expectation of error marginalized over all "
            r"potential $x$ and $\epsilon$.",
            "before Eq. 2.3.16",
            r"However, we have derived a slightly different equation, $E_g(t) = \frac{1}{N} \sum_i "
            r"\lambda_i (\bar z_i - z_i)^2 + \sigma_\epsilon^2$",
            "footnote, Eq. 2.3.15",
        ),
        ref="Eqs. 2.3.15, 2.3.19-2.3.22",
        says="E_g = (1/N) sum_i lambda_i (zbar_i - z_i)^2 + sigma_eps^2",
        truth="Eq. 2.3.14, without lambda_i: fresh inputs have covariance 1/N, independently of the "
        "training set",
    ),
    "os-interpretations": Reading(
        r"the weight $\lambda_i$ in $E_g$ does not change the interpretation",
        r"$\lambda_i$ cancels the $\frac{1}{\lambda_i}$ of the noise, and thus the divergence at $\alpha "
        "= 1$",
        errors.of_the_interpretation,
        "the generalisation error",
        "alpha = 1, t/tau = 300, noise 0.5, initial weights 0.5",
        "falls",
        "The formula defended in the footnote has no double descent to interpret.",
        quoted=quotes(
            "Nevertheless, this discrepancy does not change the presented interpretations significantly.",
            "footnote to Eqs. 2.3.14-2.3.15",
            "the smallest but non-zero eigenvalues lead to the most severe over-fitting as the "
            r"$\lambda_i$ appears in the denominator",
            "Section 2.3.3, of Eq. 2.3.22",
        ),
        says="'this discrepancy does not change the presented interpretations significantly'",
        truth="lambda_i cancels 1/lambda_i: Eq. 2.3.22 has no divergence at alpha = 1 and no double descent",
    ),
}

READINGS: Readings = {**CLOSED_FORMS, **TIME, **REPLICAS, **UNITS, **ONE_SCALE}
