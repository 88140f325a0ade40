"""The misprints about scale-invariant weights, as a reader needs them.

Most are factors of the radius, of a rate or of the dimension. How wrong they are follows in one line from the
factor, at the numbers that the entry states.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.paper_checks.judging.reading import Reading, Readings, relative

RADIUS = 2.0
RIDGE_TERM = "the ridge term of a step taken at radius 1"


def after(steps: int, eta: float = 0.3) -> float:
    """The radius after so many steps of SGD from 1, with |grad L(u)| = 1: Eq. 46."""
    squared = 1.0
    for _ in range(steps):
        squared += eta**2 / squared
    return float(np.sqrt(squared))


def turned(shrinkage: float) -> float:
    """Angle, as a share of pi, by which a step without a gradient turns the weights, x' = shrinkage x."""
    return float(np.arccos(np.sign(shrinkage)) / np.pi)


READINGS: Readings = {
    "review-momentum-sum": Reading(
        r"$m_k = \beta^k m_0 + \sum_{i=0}^{k} \beta^{k-i-1} (\nabla L(x_i) + \lambda x_i)$",
        r"$m_k = \beta^k m_0 + \sum_{i=0}^{k-1} \beta^{k-1-i} (\nabla L(x_i) + \lambda x_i)$",
        lambda: relative(sum(0.9 ** (5 - i) for i in range(7)), sum(0.9 ** (5 - i) for i in range(6))),
        "the momentum",
        "six steps of one gradient, beta = 0.9",
        "stands",
        "The recursion above it, which is what is used, is right.",
    ),
    "review-decoupled-sign": Reading(
        r"$x_{k+1} = x_k - \eta_k m_k + \lambda x_k$",
        r"$x_{k+1} = x_k - \eta_k m_k - \lambda x_k$",
        lambda: relative((1 + 0.1) ** 6, (1 - 0.1) ** 6),
        "the weights",
        "six steps without a gradient, lambda = 0.1",
        "stands",
        "As printed the decay makes weights grow; the chapters on the sphere have the right sign.",
    ),
    "review-instance-variance": Reading(
        r"$\sigma_{b,c}^2 = \frac{1}{D} \sum_i (\tau_{b,c,j} - \mu_c)^2$",
        r"$\sigma_{b,c}^2 = \frac{1}{D} \sum_j (\tau_{b,c,j} - \mu_{b,c})^2$",
        lambda: relative(1.0 + 1.0, 1.0),
        "the variance",
        "a channel whose mean is one standard deviation off that of the batch",
        "stands",
        "Nothing later rests on instance normalisation.",
    ),
    "sphere-any-ridge": Reading(
        r"for any $\lambda > 0$ and $\eta > 0$",
        r"for $\eta \lambda < 1$: beyond, SGD steps through zero and AdaGradG does not",
        lambda: turned(1 - 1.5),
        "the direction, as a share of a half turn",
        "eta lambda = 1.5, without a gradient",
        "limits",
        "The theorem holds wherever SGD is used: products of rate and ridge near 1 do not occur in practice.",
    ),
    "sphere-lemma-1": Reading(
        r"$\nabla L(x) = \nabla L(\rho x)$, and from it $\langle \nabla L(x), x \rangle = 0$",
        r"$\nabla L(x) = \rho\, \nabla L(\rho x)$; $\langle \nabla L(x), x \rangle$ is $\frac{d}{d\rho} "
        r"L(\rho x)$ "
        r"at $\rho = 1$, which is zero",
        lambda: relative(1.0, 1 / RADIUS),
        "the gradient",
        "rho = 2",
        "stands",
        "The lemma is right; only its proof begins with a wrong line.",
    ),
    "sphere-weight-normalisation": Reading(
        r"weight normalisation keeps a neuron on a sphere of constant radius",
        r"the output does not see the radius of the trained $v$, which grows: $r_{k+1}^2 = r_k^2 + \eta^2 "
        r"\left| "
        r"\nabla L(u_k) \right|^2 / r_k^2$",
        lambda: relative(1.0, after(300)),
        "the radius of the trained weights",
        "300 steps from radius 1, eta |grad L(u)| = 0.3",
        "falls",
        "Weight normalisation does not switch off the tuning of the learning rate by the radius, as is said.",
    ),
    "sphere-normalisation": Reading(
        r"$\sqrt{1 + \eta^e \left| c_\perp \right|}$",
        r"$\sqrt{1 + (\eta^e \left| c_\perp \right|)^2}$, as in Eq. 12",
        lambda: relative(1 / np.sqrt(1 + 0.1), 1 / np.sqrt(1 + 0.1**2)),
        "the length of the new direction",
        "a step of 0.1 on the sphere",
        "stands",
        "It is a step of a derivation whose result, Eq. 12, is right.",
    ),
    "sphere-epsilon-place": Reading(
        r"$b = \frac{1 - \beta_1^{k+1}}{1 - \beta_1} \sqrt{\hat v} + \epsilon$",
        r"$b = \frac{1 - \beta_1^{k+1}}{1 - \beta_1} \left(\sqrt{\hat v} + \epsilon\right)$",
        lambda: relative(10 * 1 + 1, 10 * (1 + 1)),
        "the division vector",
        "a late step, beta1 = 0.9, where the root of v is as small as epsilon",
        "stands",
        "Epsilon is negligible in the paper's analysis, and right in its Algorithm 1.",
    ),
    "sphere-order": Reading(
        r"the velocity $\eta^e c_\perp$ is right through order 3",
        r"through order 2: the distance covered is $\arctan z = z - z^3 / 3 + \ldots$",
        lambda: relative(0.1, np.arctan(0.1)),
        "the distance covered on the sphere",
        "a step of z = 0.1",
        "stands",
        "Theorem 4 needs order 2 only.",
    ),
    "sphere-expansion-variable": Reading(
        r"the expansion is in $\frac{(\eta \left| \nabla L(u) \right|)^2}{r^2}$",
        r"in $h = \frac{(\eta \left| \nabla L(u) \right|)^2}{r^4}$",
        lambda: relative(1 / RADIUS**2, 1 / RADIUS**4),
        "the variable that must be small",
        "radius 2",
        "stands",
        "At radii above 1 the right variable is smaller still.",
    ),
    "sphere-sign": Reading(
        r"$x - \eta\, (\nabla L(x) - \lambda x)$",
        r"$x - \eta\, (\nabla L(x) + \lambda x)$",
        lambda: relative(1 + 0.015, 1 - 0.015),
        "the factor by which the ridge changes the radius",
        "one step with eta lambda = 0.015",
        "stands",
        "It is a slip of the sign; the results are those of weights that shrink.",
    ),
    "sphere-exponent": Reading(
        r"$\eta_k = (1 - \eta \lambda)^{-2i-k}\, \eta$, read with $i = k$",
        r"$\eta_k = (1 - \eta \lambda)^{-2k-1}\, \eta$",
        lambda: relative(0.985 ** (-3 * 100), 0.985 ** (-2 * 100 - 1)),
        "the learning rate of the schedule",
        "step 100 with eta lambda = 0.015",
        "stands",
        "Eq. 44, which it restates, is right.",
    ),
    "sphere-standardised-scale": Reading(
        r"$S(b) = d^{1/2} \left| b \right| \mathbf{1}$",
        r"$S(b) = d^{-1/2} \left| b \right| \mathbf{1}$",
        lambda: relative(64**0.5, 64**-0.5),
        "the division vector",
        "64 weights in a group",
        "stands",
        "Adam-S, Eqs. 61 to 63, is defined with the right factor.",
    ),
    "sphere-rescaled-moment": Reading(
        r"$\nu^R$ sums $\left| \nabla L(u_i) + \lambda r_i u_i \right|^2$",
        r"$\left| \nabla L(u_i) + \lambda r_i^2 u_i \right|^2$",
        lambda: relative(RADIUS, RADIUS**2),
        "the ridge term of a step",
        "radius 2",
        "stands",
        "It describes the scheme in formulas; Adam-SRT itself, Eqs. 19 to 21, is defined without it.",
    ),
    "sphere-rescaled-moment-thesis": Reading(
        r"$\nu^R$ sums $\left| \nabla L(u_i) + \lambda r_i r_k u_i \right|^2$",
        r"$\left| \nabla L(u_i) + \lambda r_i^2 u_i \right|^2$",
        lambda: relative(1 * RADIUS, 1.0),
        RIDGE_TERM,
        "seen from radius 2",
        "stands",
        "It describes the scheme in formulas; the scheme itself is defined without it.",
    ),
    "sphere-rescaled-scheduling": Reading(
        r"$\nu^R = r v$",
        r"$\nu^R = r\, \frac{1 - \beta_1^{k+1}}{1 - \beta_1} \sqrt{\frac{v}{1 - \beta_2^{k+1}}}$",
        lambda: relative(1e-4, 10 * np.sqrt(1e-4)),
        "the scheduling effect",
        "a late step, beta1 = 0.9, v = 1e-4, radius 1",
        "stands",
        "The sum that App. D.2 prints right after it has the root and the corrections.",
    ),
    "sphere-adaptive-rate": Reading(
        r"$\eta^e_{\mathrm{AdaGrad}} = \eta^e_{\mathrm{SGD}} = \frac{1}{d^{-1/2} \left| b \right|}$",
        r"$\eta^e_{\mathrm{AdaGrad}} = \eta^e_{\mathrm{SGD}} \cdot \frac{1}{d^{-1/2} \left| b \right|}$",
        lambda: relative(1.0, 0.01),
        "the effective learning rate of AdaGrad",
        "eta = 0.01, radius 1",
        "stands",
        "An equals sign stands in the place of a product; the table of the thesis has the product.",
    ),
    "sphere-decoupling": Reading(
        r"the transport is exactly a decoupling of the $L_2$ regularisation",
        r"it decouples the momentum: $\lambda$ stays in $v$, and the decay has strength $(1 - \beta_1) "
        r"\lambda$",
        lambda: relative(1.0, 1 - 0.9),
        "the strength of the decay",
        "beta1 = 0.9",
        "limits",
        "The direction is free of the ridge, as claimed; the learning rate is not, unlike that of AdamW.",
    ),
    "sphere-algorithm-line": Reading(
        r"$m \leftarrow m\, \frac{\langle x', x \rangle m - \langle m, x' \rangle x}{\langle x', x' "
        r"\rangle}$",
        r"$m \leftarrow \frac{\langle x', x \rangle m - \langle m, x' \rangle x}{\langle x', x' \rangle}$",
        lambda: relative(0.01, 1.0),
        "an entry of the momentum",
        "where that entry is 0.01",
        "stands",
        "One m too many; the equations that it implements, 19 to 21, are right.",
    ),
    "sphere-rescaled-momentum": Reading(
        r"$\frac{1}{r_k} \sum_i \beta^{k-i} (\nabla L(u_i) + \lambda r_i u_i)$",
        r"$\frac{1}{r_k} \sum_i \beta^{k-i} (\nabla L(u_i) + \lambda r_i^2 u_i)$",
        lambda: relative(RADIUS, RADIUS**2),
        "the ridge term of a step",
        "radius 2",
        "stands",
        "Table 1, to which it leads, is right.",
    ),
    "sphere-rescaled-momentum-thesis": Reading(
        r"$\frac{1}{r_k} \sum_i \beta^{k-i} (\nabla L(u_k) + \lambda r_k r_i u_i)$",
        r"$\frac{1}{r_k} \sum_i \beta^{k-i} (\nabla L(u_i) + \lambda r_i^2 u_i)$",
        lambda: relative(1 * RADIUS, 1.0),
        RIDGE_TERM,
        "seen from radius 2",
        "stands",
        "Table 3.1, to which it leads, is right.",
    ),
}
