"""The misprints about scale-invariant weights, as a reader needs them."""

from __future__ import annotations

import numpy as np

from teacherstudent.paper_checks.judging.reading import Reading, Readings, largest_relative_error, quotes

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
    "sphere-adamw-versions": Reading(
        r"AdamW has the accuracies $95.13 \pm 0.15$ and $94.97 \pm 0.08$ on SVHN",
        r"Table 2 of roburin2020 has $95.38 \pm 0.15$ and $95.60 \pm 0.08$; the 33 other cells in "
        r"both versions are equal",
        lambda: largest_relative_error(5.03, 4.40),
        "the error rate",
        "SVHN with VGG16, relative to the cell in roburin2020",
        "limits",
        "The paper does not say which version is right. By the cells of roburin2020, AdamW is no "
        "worse than Adam on SVHN.",
        quotes(r"95.13 $\pm$ 0.15 ... 94.97 $\pm$ 0.08", "Table 2: AdamW on SVHN"),
        says="the accuracies of AdamW on SVHN, next to other values copied from roburin2020",
        truth="roburin2020 has other values with the same deviations; the value for VGG16 differs at p < "
        "1e-5",
        paper="roburin2021",
    ),
    "sphere-marginal-affine": Reading(
        r"without the affine layers of BN the difference $\Delta$ in performance is marginal",
        r"16 of 42 cells differ at $p < 0.05/42$; on CIFAR100 with ResNet18, AdamG differs by $\Delta = "
        r"-3.8$ points: it is $2.5$ above Adam with affine layers and $1.6$ below Adam without them",
        lambda: largest_relative_error(2.46, -1.64),
        "the lead of AdamG over Adam",
        "CIFAR100 with ResNet18, without affine layers",
        "limits",
        "The difference is marginal for some methods, but their order depends on the affine layers.",
        quotes(
            "in table 3.2 and observe marginal performance difference in comparison to CNNs with standard BN",
            "Section 3.5.3",
        ),
        ref="Section 3.5.3, Tables 3.2-3.3",
        says="affine layers make a marginal difference",
        truth="16 of 42 cells differ, and the order of AdamG and Adam is reversed on CIFAR100 with ResNet18",
        paper="roburin2022",
    ),
    "review-momentum-sum": Reading(
        r"$m_k = \beta^k m_0 + \sum_{i=0}^{k} \beta^{k-i-1} (\nabla L(x_i) + \lambda x_i)$",
        r"$m_k = \beta^k m_0 + \sum_{i=0}^{k-1} \beta^{k-1-i} (\nabla L(x_i) + \lambda x_i)$",
        lambda: largest_relative_error(
            sum(0.9 ** (5 - i) for i in range(7)), sum(0.9 ** (5 - i) for i in range(6))
        ),
        "the momentum",
        "six steps of one gradient, beta = 0.9",
        "stands",
        "The preceding recursion is right, and only the recursion is used.",
        quotes(
            r"Eq 2.13 can be rewritten as: $m_k = \beta^k m_0 + \sum_{i=0}^k \beta^{k-i-1} (\nabla L(x_i) + "
            r"\lambda x_i)$",
            "Section 2.3.2, after Eq. 2.13",
        ),
        ref="after Eq. 2.13",
        says="m_k is a sum over the gradients of steps 0 to k",
        truth="the sum ends at k - 1, because the gradient of step k is not yet known",
        paper="roburin2022",
    ),
    "review-decoupled-sign": Reading(
        r"$x_{k+1} = x_k - \eta_k m_k + \lambda x_k$",
        r"$x_{k+1} = x_k - \eta_k m_k - \lambda x_k$",
        lambda: largest_relative_error((1 + 0.1) ** 6, (1 - 0.1) ** 6),
        "the weights",
        "six steps without a gradient, lambda = 0.1",
        "stands",
        "As printed, the decay makes weights grow. Decoupled Adam, Eq. 2.21, has the right sign.",
        quotes(
            r"design a decoupled variant of SGD-M, dubbed SGD-W. Its updates are: $x_{k+1} = x_k - \eta_k "
            r"m_k + \lambda x_k$",
            "Eq. 2.14",
        ),
        says="x_k - eta m_k + lambda x_k",
        truth="x_k - eta m_k - lambda x_k",
        paper="roburin2022",
    ),
    "review-instance-variance": Reading(
        r"$\sigma_{b,c}^2 = \frac{1}{D} \sum_i (\tau_{b,c,j} - \mu_c)^2$",
        r"$\sigma_{b,c}^2 = \frac{1}{D} \sum_j (\tau_{b,c,j} - \mu_{b,c})^2$",
        lambda: largest_relative_error(1.0 + 1.0, 1.0),
        "the variance",
        "a channel whose mean is one standard deviation from the mean of the batch",
        "stands",
        "No later result depends on instance normalisation.",
        quotes(
            r"It normalizes and centers each channel and each batch independently. The statistics are "
            r"computed along the spatial dimension. It reads: ... $\sigma_{b,c}^2 = \frac{1}{D} \sum_i "
            r"(\tau_{b,c,j} - \mu_c)^2$",
            "Eq. 2.29",
        ),
        says="the variance of an image's channel around the mean mu_c of the batch",
        truth="the variance around the channel's own mean mu_bc",
        paper="roburin2022",
    ),
    "sphere-any-ridge": Reading(
        r"the theorem is stated for any $\lambda > 0$ and $\eta > 0$",
        r"the theorem needs $\eta \lambda < 1$: otherwise, SGD steps through zero and AdaGradG does not",
        lambda: turned(1 - 1.5),
        "the direction, as a fraction of a half turn",
        "eta lambda = 1.5, without a gradient",
        "stands",
        "The proof states the restriction and says that it holds in practice; the theorem does not state it.",
        quotes(
            r"For any $\lambda > 0, \eta > 0, r_0 > 0$, we have the following equivalence at order 2 in the "
            r"radius dynamic",
            "Theorem 4",
            r"Making the assumption that $1 - A_k \langle c_k, u_k \rangle > 0$, which is true in practice "
            r"and discussed in the next subsection",
            "App. C.1.1, on which the proof of Theorem 4 rests; for SGD it says that eta lambda is below 1",
        ),
        says="the theorem is stated for any lambda > 0, eta > 0",
        truth="the theorem needs eta lambda < 1: otherwise, SGD steps through zero and AdaGradG does not",
        held="sphere-adagradg-exact",
    ),
    "sphere-lemma-1": Reading(
        r"$\nabla L(x) = \nabla L(\rho x)$, and from it $\langle \nabla L(x), x \rangle = 0$",
        r"$\nabla L(x) = \rho\, \nabla L(\rho x)$; $\langle \nabla L(x), x \rangle$ is $\frac{d}{d\rho} "
        r"L(\rho x)$ at $\rho = 1$, which is zero",
        lambda: largest_relative_error(1.0, 1 / RADIUS),
        "the gradient",
        "rho = 2",
        "stands",
        "The lemma is right; only its proof starts from a wrong line.",
        quotes(
            r"By using the definition of the radial invariance and the composition of differentials we "
            r"obtain: $\nabla L(x) = \nabla L(\rho x)$",
            "App. A.1, Eq. A.1; Eq. A.2, next to it, is right",
        ),
        ref="App. A.1, Eqs. A.1, A.3-A.6",
        says="grad L(x) = grad L(rho x), and from it <grad L(x), x> = 0",
        truth="grad L(x) = rho grad L(rho x); <grad L(x), x> is the derivative of L(rho x) at rho = 1, zero",
        paper="roburin2022",
    ),
    "sphere-weight-normalisation": Reading(
        r"weight normalisation keeps a neuron on a sphere of constant radius",
        r"the output does not depend on the radius of the trained $v$, which grows: $r_{k+1}^2 = "
        r"r_k^2 + \eta^2 \left| \nabla L(u_k) \right|^2 / r_k^2$",
        lambda: largest_relative_error(1.0, after(300)),
        "the radius of the trained weights",
        "300 steps from radius 1, eta |grad L(u)| = 0.3",
        "falls",
        "With weight normalisation, the radius still tunes the learning rate. Section 3.2 of the "
        "thesis treats weight normalisation as radially invariant.",
        quotes(
            r"Note also that Weight Normalization (WN) [17], by keeping the radius constant during "
            r"training, nullify this phenomenon of learning rate tuning",
            "Section 2.3",
            r"WN keeps a neuron on a sphere of constant radius",
            "Section 5",
        ),
        ref="Sections 2.3, 5",
        says="weight normalisation keeps a neuron on a sphere of constant radius",
        truth="the output does not depend on the radius of the trained v, which grows by Eq. 46",
    ),
    "sphere-normalisation": Reading(
        r"$\sqrt{1 + \eta^e \left| c_\perp \right|}$",
        r"$\sqrt{1 + (\eta^e \left| c_\perp \right|)^2}$, as in Eq. 12",
        lambda: largest_relative_error(1 / np.sqrt(1 + 0.1), 1 / np.sqrt(1 + 0.1**2)),
        "the length of the new direction",
        "a step of 0.1 on the sphere",
        "stands",
        "This is an intermediate step of a derivation whose result, Eq. 12, is right.",
        quotes(
            r"Combining the radius dynamics previously calculated with Eq. (31), we have: $\ldots \sqrt{1 + "
            r"\eta_k^e \left\| c_k^\perp \right\|}$ ... Hence the result (12) using the definition of",
            "App. C.1.1, Eqs. 34-35; Eqs. 3.31-3.32 of the thesis are right",
        ),
        ref="Eqs. 34-35",
        says="the denominator sqrt(1 + eta^e |c_perp|)",
        truth="sqrt(1 + (eta^e |c_perp|)^2), as in Eq. 12",
    ),
    "sphere-epsilon-place": Reading(
        r"$b = \frac{1 - \beta_1^{k+1}}{1 - \beta_1} \sqrt{\frac{v}{1 - \beta_2^{k+1}} + \epsilon}$ in Eqs. "
        r"3.16, 3.20, 3.67, 3.79; $\sqrt{\hat v} + \epsilon$ in Algorithm 1",
        r"a single convention, here the convention of the algorithm: $b = \frac{1 - \beta_1^{k+1}}{1 "
        r"- \beta_1} \left(\sqrt{\hat v} + \epsilon\right)$",
        lambda: largest_relative_error(np.sqrt(1e-6 + 1e-8), 1e-3 + 1e-8),
        "the division vector",
        "v = 1e-6, epsilon = 1e-8",
        "stands",
        "Epsilon is negligible in the analysis, but its size has different meanings in the equations "
        "and in the algorithm.",
        quotes(
            r"$\sqrt{\frac{v_k}{1 - \beta_2^{k+1}} + \epsilon}$ ... is the second-order moment with "
            r"parameter $\beta_2$, and $\epsilon$ prevents division by zero",
            "Eq. 3.16",
            r"Algorithm 1 Adam w/o (abc) and its algorithm illustrated for a filter ... $x_{k+1} \leftarrow "
            r"x_k - \eta \hat m / (\sqrt{\hat v} + \epsilon)$",
            "Algorithm 1, line 9",
        ),
        ref="Eqs. 3.16, 3.20, 3.67, 3.79 and Algorithm 1",
        says="epsilon under the root in the equations, outside the root in the algorithm",
        truth="b = (1 - beta1^(k+1))/(1 - beta1) (sqrt(vhat) + epsilon), as in the algorithm",
        paper="roburin2022",
    ),
    "sphere-expansion-variable": Reading(
        r"the expansion is in $\frac{(\eta \left| \nabla L(u) \right|)^2}{r^2}$",
        r"the expansion is in $h = \frac{(\eta \left| \nabla L(u) \right|)^2}{r^4}$",
        lambda: largest_relative_error(1 / RADIUS**2, 1 / RADIUS**4),
        "the variable that must be small",
        "radius 2",
        "stands",
        "At radii above 1 the right variable is even smaller.",
        quotes(
            r"We tracked, for a CNN trained with SGD, the quantity ... $(\eta_k \left\| \nabla L(u_k) "
            r"\right\|)^2 / r_k^2$, which is the variable of the Taylor expansion",
            "App. C.1.4; App. C.1.3 expands in the right variable",
        ),
        ref="App. C.1.4, Fig. 5",
        says="the variable of the Taylor expansion is (eta |grad L(u)|)^2/r^2",
        truth="(eta |grad L(u)|)^2/r^4",
    ),
    "sphere-sign": Reading(
        r"$x - \eta\, (\nabla L(x) - \lambda x)$",
        r"$x - \eta\, (\nabla L(x) + \lambda x)$",
        lambda: largest_relative_error(1 + 0.015, 1 - 0.015),
        "the factor by which the ridge changes the radius",
        "one step with eta lambda = 0.015",
        "stands",
        "Only the sign is wrong; the results hold for weights that shrink.",
        quotes(
            r"SGD with $L_2$ regularization, i.e., the update $x_{k+1} = x_k - \eta_k (\nabla L(x_k) - "
            r"\lambda_k x_k)$. We know that SGD yields an adaptive behaviour",
            "Section 3.2, and so in roburin2021 and roburin2022; Eq. 4 has the right sign",
        ),
        ref="Section 3.2",
        says="SGD with L2 is x - eta (grad L(x) - lambda x)",
        truth="x - eta (grad L(x) + lambda x)",
    ),
    "sphere-exponent": Reading(
        r"$\eta_k = (1 - \eta \lambda)^{-2i-k}\, \eta$, read with $i = k$",
        r"$\eta_k = (1 - \eta \lambda)^{-2k-1}\, \eta$",
        lambda: largest_relative_error(0.985 ** (-3 * 100), 0.985 ** (-2 * 100 - 1)),
        "the learning rate of the schedule",
        "step 100 with eta lambda = 0.015",
        "stands",
        "The formula restates Eq. 44, which is right.",
        quotes(
            r"Thanks to the expression of $\eta_k = (1 - \eta \lambda)^{-2i-k} \eta$ shown in the previous "
            r"section",
            "App. C.1.4; Eq. 44, in the section before, is right",
        ),
        ref="App. C.1.4",
        says="eta_k = (1 - eta lambda)^(-2i-k) eta, read with i = k",
        truth="eta_k = (1 - eta lambda)^(-2k-1) eta",
    ),
    "sphere-standardised-scale": Reading(
        r"$S(b) = d^{1/2} \left| b \right| \mathbf{1}$",
        r"$S(b) = d^{-1/2} \left| b \right| \mathbf{1}$",
        lambda: largest_relative_error(64**0.5, 64**-0.5),
        "the division vector",
        "64 weights in a group",
        "stands",
        "Adam-S, Eqs. 61 to 63, is defined with the right factor.",
        quotes(
            r"we can adjust the scheme by normalizing $b_k$, replacing it by $d^{1/2} \left\| b_k \right\| "
            r"[1 \cdots 1]^\top$ (see Appendix D.1)",
            "Section 4.1",
            r"This leads to $S(b_k) = d^{-1/2} \left\| b_k \right\| [1 \cdots 1]^\top$. Hence the "
            r"substitution proposed in the paper",
            "App. D.1",
        ),
        says="S(b) = d^1/2 |b| 1",
        truth="S(b) = d^-1/2 |b| 1",
    ),
    "sphere-rescaled-moment": Reading(
        r"$\nu^R$ sums $\left| \nabla L(u_i) + \lambda r_i u_i \right|^2$",
        r"$\left| \nabla L(u_i) + \lambda r_i^2 u_i \right|^2$",
        lambda: largest_relative_error(RADIUS, RADIUS**2),
        "the ridge term of a step",
        "radius 2",
        "stands",
        "The sum only describes the scheme; Adam-SRT itself, Eqs. 19 to 21, is defined without the sum.",
        quotes(
            r"The new scheduling effect reads: $\nu_k^R = \ldots \left\| \nabla L(u_i) + \lambda r_i u_i "
            r"\right\|^2$",
            "App. D.2, after Eq. 80, with the error of Eq. 71; Eq. 64 has the square",
        ),
        ref="App. D.2",
        says="nu^R sums |grad L(u_i) + lambda r_i u_i|^2",
        truth="nu^R sums |grad L(u_i) + lambda r_i^2 u_i|^2",
    ),
    "sphere-rescaled-moment-thesis": Reading(
        r"$\nu^R$ sums $\left| \nabla L(u_i) + \lambda r_i r_k u_i \right|^2$",
        r"$\left| \nabla L(u_i) + \lambda r_i^2 u_i \right|^2$",
        lambda: largest_relative_error(1 * RADIUS, 1.0),
        RIDGE_TERM,
        "seen from radius 2",
        "stands",
        "The sum only describes the scheme; the scheme itself is defined without the sum.",
        quotes(
            r"The new scheduling effect reads: $\nu_k^R = \ldots \left\| \nabla L(u_i) + \lambda r_i r_k "
            r"u_i \right\|^2$",
            "Section 3.5.2, after Eq. 3.81, with the error of Eq. 3.75",
        ),
        ref="Section 3.5.2",
        says="nu^R sums |grad L(u_i) + lambda r_i r_k u_i|^2",
        truth="nu^R sums |grad L(u_i) + lambda r_i^2 u_i|^2",
        paper="roburin2022",
    ),
    "sphere-rescaled-scheduling": Reading(
        r"$\nu^R = r v$",
        r"$\nu^R = r\, \frac{1 - \beta_1^{k+1}}{1 - \beta_1} \sqrt{\frac{v}{1 - \beta_2^{k+1}}}$",
        lambda: largest_relative_error(1e-4, 10 * np.sqrt(1e-4)),
        "the scheduling effect",
        "a late step, beta1 = 0.9, v = 1e-4, radius 1",
        "stands",
        "The sum printed right after this formula has the root and the corrections.",
        quotes(
            r"This removes the radius from the gradient contribution of the scheduling $\nu^R = r_k v_k$, "
            r"in contrast with",
            "App. D.2, after Eq. 80",
        ),
        ref="App. D.2",
        says="nu^R = r v",
        truth="nu^R = r (1 - beta1^(k+1))/(1 - beta1) sqrt(v/(1 - beta2^(k+1)))",
    ),
    "sphere-adaptive-rate": Reading(
        r"$\eta^e_{\mathrm{AdaGrad}} = \eta^e_{\mathrm{SGD}} = \frac{1}{d^{-1/2} \left| b \right|}$",
        r"$\eta^e_{\mathrm{AdaGrad}} = \eta^e_{\mathrm{SGD}} \cdot \frac{1}{d^{-1/2} \left| b \right|}$",
        lambda: largest_relative_error(1.0, 0.01),
        "the effective learning rate of AdaGrad",
        "eta = 0.01, radius 1",
        "stands",
        "An equals sign replaces a product sign; the table of the thesis has the product.",
        quotes(
            r"in the case of AdaGrad we have $\eta^e_{k, \mathrm{AdaGrad}} = \ldots = \eta^e_{k, "
            r"\mathrm{SGD}} = \frac{1}{d^{-1/2} \left\| b_k \right\|}$. We track the quantity",
            "App. C.1",
        ),
        says="eta^e of AdaGrad = eta^e of SGD = 1/(d^-1/2 |b|)",
        truth="eta^e of AdaGrad = eta^e of SGD x 1/(d^-1/2 |b|)",
        paper="roburin2022",
    ),
    "sphere-decoupling": Reading(
        r"transport is called a decoupling of the $L_2$ regularisation: $\lambda$ appears in no moment",
        r"transport decouples the momentum: $\lambda$ stays in $v$, and the decay has strength $(1 - "
        r"\beta_1) \lambda$",
        lambda: largest_relative_error(1.0, 1 - 0.9),
        "the strength of the decay",
        "beta1 = 0.9",
        "stands",
        "The direction is independent of the ridge, but the learning rate is not, unlike in AdamW.",
        ref="whether transporting the momentum decouples the ridge",
        says="transport decouples L2: lambda appears in no moment",
        truth="transport decouples momentum: lambda stays in v, and the decay has strength (1 - beta1) "
        "lambda",
        paper="",
    ),
    "sphere-algorithm-line": Reading(
        r"$m \leftarrow m\, \frac{\langle x', x \rangle m - \langle m, x' \rangle x}{\langle x', x' "
        r"\rangle}$",
        r"$m \leftarrow \frac{\langle x', x \rangle m - \langle m, x' \rangle x}{\langle x', x' \rangle}$",
        lambda: largest_relative_error(0.01, 1.0),
        "an entry of the momentum",
        "an entry of 0.01",
        "stands",
        "The line has one m too many; Eqs. 19 to 21, which the line implements, are right.",
        quotes(
            r"Algorithm 1 Adam-SRT, our proposed optimization algorithm illustrated for a filter ... $m_k "
            r"\leftarrow m_k (x_{k+1}^\top x_k m_k - m_k^\top x_{k+1} x_k) / (x_{k+1}^\top x_{k+1})$",
            "Algorithm 1, line 10",
        ),
        says="m <- m (x'.x m - m.x' x)/(x'.x')",
        truth="m <- (x'.x m - m.x' x)/(x'.x')",
    ),
    "sphere-rescaled-momentum": Reading(
        r"$\frac{1}{r_k} \sum_i \beta^{k-i} (\nabla L(u_i) + \lambda r_i u_i)$",
        r"$\frac{1}{r_k} \sum_i \beta^{k-i} (\nabla L(u_i) + \lambda r_i^2 u_i)$",
        lambda: largest_relative_error(RADIUS, RADIUS**2),
        "the ridge term of a step",
        "radius 2",
        "stands",
        "Table 1, which follows from the formula, is right.",
        quotes(
            r"First, we rescale the momentum ... From Lemma. 1, we obtain: ... $\frac{1}{r_k} "
            r"\left(\sum_{i=0}^k \beta^{k-i} (\nabla L(u_i) + \lambda r_i u_i)\right)$",
            "Eqs. 69-71",
        ),
        ref="Eq. 71",
        says="(1/r_k) sum beta^(k-i) (grad L(u_i) + lambda r_i u_i)",
        truth="(1/r_k) sum beta^(k-i) (grad L(u_i) + lambda r_i^2 u_i)",
    ),
    "sphere-rescaled-momentum-thesis": Reading(
        r"$\frac{1}{r_k} \sum_i \beta^{k-i} (\nabla L(u_k) + \lambda r_k r_i u_i)$",
        r"$\frac{1}{r_k} \sum_i \beta^{k-i} (\nabla L(u_i) + \lambda r_i^2 u_i)$",
        lambda: largest_relative_error(1 * RADIUS, 1.0),
        RIDGE_TERM,
        "seen from radius 2",
        "stands",
        "Table 3.1, which follows from the formula, is right.",
        quotes(
            r"we rescale the momentum in the update by the factor ... From Lemma. 1, we obtain: ... "
            r"$\frac{1}{r_k} \left(\sum_{i=0}^k \beta^{k-i} (\nabla L(u_k) + \lambda r_k r_i u_i)\right)$",
            "Eqs. 3.73-3.75",
        ),
        ref="Eq. 3.75",
        says="(1/r_k) sum beta^(k-i) (grad L(u_k) + lambda r_k r_i u_i)",
        truth="(1/r_k) sum beta^(k-i) (grad L(u_i) + lambda r_i^2 u_i)",
        paper="roburin2022",
    ),
}
