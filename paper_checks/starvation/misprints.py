"""The misprints about gradient starvation, as a reader needs them."""

from __future__ import annotations

from teacherstudent.paper_checks.judging.reading import Reading, Readings
from teacherstudent.paper_checks.starvation import errors

TWO = "two features, s = (4, 2), delta = 0.5"

READINGS: Readings = {
    "gs-decoupling-colour": Reading(
        r"spectral decoupling, $\mathbf{1} \cdot \log(1 + e^{-Y \hat y}) + \frac{\lambda}{2} \left\| \hat y "
        r"\right\|^2$, reaches $68\,\%$ on reversed colours",
        r"the script multiplies the whole loss by $2 \times 10^{-5}$ after step 450; the minimum of the "
        r"printed loss follows the colour, $10\,\%$",
        errors.of_the_colour,
        "the accuracy on reversed colours",
        "the minimum at each input; three quarters of the shapes and 85 % of the colours tell the label",
        "falls",
        "The gain is a passing shrinking of strong directions under Adam, not what the printed loss prefers.",
    ),
    "gs-decoupled-dynamics": Reading(
        r"spectral decoupling decouples the learning dynamics of $z_1$ and $z_2$",
        r"it decouples the dual path and the end; gradient descent still depends on both $s_1$ and $s_2$",
        errors.of_decoupled_paths,
        "z on the way, as a share of its end",
        "s1 = 4 for s1 = 2, s2 = 2, delta = 0.5, penalty 0.01",
        "limits",
        "No feature starves another at the end of training; while it lasts, the strong one is still learned "
        "first.",
    ),
    "gs-permutation-index": Reading(
        r"$\alpha_i = \frac{\lambda}{s_i^2 + \lambda} W(1 + s_i^2 / \lambda)$ and $z_j > 0$",
        r"$s_{j(i)}$, the feature of example $i$, for $s_i$; $z_j$ has the sign of its entry of $U$",
        errors.of_the_permutation,
        "alpha of an example",
        "s = (4, 2), ridge 0.01, each example with the feature of the other number",
        "stands",
        "The features are independent whatever their numbers, which is what the example is for.",
    ),
    "gs-equal-strengths-case": Reading(
        r"at $S = [2, 2]$ the dynamics decouple by Eq. 6.3.13",
        r"by Eq. 6.3.12: $U = \begin{pmatrix} 0.8 & -0.6 \\ 0.6 & 0.8 \end{pmatrix}$ is no permutation",
        errors.of_the_case,
        "the responses z",
        "the experiment of App. .4.1, ridge 0.01",
        "stands",
        "The dynamics do decouple there, by the equation before.",
    ),
    "gs-theorem-domain": Reading(
        r"$s_1 > s_2$ implies $\frac{dz_2^*}{d(s_1^2)} < 0$ under the coupling 6.3.15",
        r"for $0 < \delta < \frac{1}{\sqrt{2}}$, at any ridge; for $0 < \delta < 1$ if $\left| z_2^* "
        r"\right|$ stands for "
        r"$z_2^*$; for $\delta < 0$ it fails",
        errors.of_the_domain,
        "the sign, as the share of couplings at which it is wrong",
        "delta from 0 to 1, s = (4, 2), ridge 0.1",
        "limits",
        "The theorem holds far beyond the weak couplings of its proof, but not at every coupling.",
    ),
    "gs-higher-dimensions": Reading(
        r"the same rationale naturally extends to higher dimensions, pair by pair: $s_i > s_j$ implies "
        r"$\frac{dz_j^*}{d(s_i^2)} < 0$",
        r"about half of the stronger features feed the weaker; the signs are those of $\left[(1 + S^2 M / "
        r"\lambda)^"
        r"{-1}\right]_{ji}$, $M = U^\top D^{-1} U$",
        errors.of_pairs,
        "the sign, as the share of pairs for which it is wrong",
        "five features, 40 random rotations",
        "falls",
        "With more than two features, strength alone does not say which of two starves the other.",
    ),
    "gs-response-sign": Reading(
        r"feature $i$ starves $j$ if $\frac{dz_j^*}{d(s_i^2)} < 0$",
        r"if $\frac{d\left| z_j^* \right|}{d(s_i^2)} < 0$; then $j$ starves $i$ as well",
        None,
        "whether one feature starves another, which turns with the free sign of a singular vector",
        "any number of features",
        "stands",
        "In the paper's examples the responses are positive, and both definitions say the same.",
    ),
    "gs-multiclass-shared": Reading(
        r"$-\frac{1}{2 \lambda} \sum_c (\delta_c - \alpha_c) \Phi_c \Phi_c^\top (\delta_c - \alpha_c)^\top$",
        r"$-\frac{1}{2 \lambda} \left| \sum_c \Phi_c^\top (\delta_c - \alpha_c) \right|^2$ where the "
        r"classes share one "
        r"$\theta$",
        errors.of_shared_parameters,
        "the loss at the optimum",
        "3 classes, 4 examples, 6 random features, ridge 0.5",
        "stands",
        "The print is right for parameters of each class's own, and the text concludes nothing about the "
        "others.",
    ),
    "gs-multiclass-unchanged": Reading(
        r"with several classes the theory of spectral decoupling remains unchanged: $\lambda m = \sigma(-m)$",
        r"$\lambda m = \frac{C}{C - 1 + e^m}$",
        errors.of_many_classes,
        "the margin at the end of training",
        "10 classes, penalty 0.01",
        "limits",
        "It still decouples, at another margin.",
    ),
    "gs-approximation": Reading(
        r"$\log \frac{1 - \alpha}{\alpha} \approx -\log \alpha - \alpha$, whose fixed point gives $z^*$",
        r"Eq. 6.3.9 does; the approximation needs $\lambda \ll s^2$, and its $\alpha$ may exceed 1",
        errors.of_the_approximation,
        "the response z",
        "one feature, s = 1, ridge 1",
        "stands",
        "What is proved with it for two features also holds for the exact dynamics.",
    ),
    "gs-centred-output": Reading(
        r"output and parameters are centred, $\hat y - \hat y_0$ and $\theta - \theta_0$, without loss of "
        r"generality",
        r"$\dot\alpha = \log \frac{1 - \alpha}{\alpha} - \frac{1}{\lambda} K \alpha - Y \hat y_0$",
        errors.of_the_centre,
        "the response z",
        "one feature, s = 2, ridge 0.1, output 1 at the start",
        "limits",
        "The theory is that of networks whose output starts at zero, or has its start subtracted.",
    ),
    "gs-gram-order": Reading(
        r"$U^\top S^2 U$",
        r"$U S^2 U^\top$, as in Eq. 6.3.9",
        errors.of_the_order,
        "the matrix, in the Frobenius norm",
        TWO,
        "stands",
        "It is a slip in a sentence; the equation is right.",
    ),
    "gs-decoupling-rank": Reading(
        r"$\dot\alpha = \log \frac{1 - \alpha}{\alpha} - \frac{1}{\lambda} \alpha$ for any features",
        r"$\dot\alpha = \log \frac{1 - \alpha}{\alpha} - \frac{1}{\lambda} U U^\top \alpha$, which is that "
        r"where "
        r"$\mathrm{rank}\, \Phi_0 = n$",
        errors.of_the_rank,
        "the pull on alpha",
        "two examples that share one feature, alpha = (1/2, 1/2), U = (0.6, 0.8)",
        "stands",
        "Networks with more parameters than examples have the full rank.",
    ),
    "gs-approximate-jacobian": Reading(
        r"the Jacobian of Eq. 6.3.10 is $-\mathrm{diag} \frac{1}{\alpha (1 - \alpha)} - \frac{1}{\lambda} K$",
        r"that is the Jacobian of 6.3.9; that of 6.3.10 is $-\mathrm{diag} \frac{1}{\alpha} - 1 - "
        r"\frac{1}{\lambda} K$",
        errors.of_the_jacobian,
        "the part without K",
        "alpha = 1/2",
        "stands",
        "Both are negative definite, so that the fixed points are attractive either way.",
    ),
    "gs-shifted-labels": Reading(
        r"$\frac{\lambda}{2} \left| \hat y - \gamma \right|^2$ pulls every margin to $\gamma$",
        r"it pulls class $y$ to $y \gamma$; for equal margins use $\frac{\lambda}{2} \left| \hat y - \gamma "
        r"y \right|^2$",
        errors.of_the_shift,
        "the margin of the class -1",
        "penalty 0.1, shift 1",
        "stands",
        "The variant decouples features as well, which is what it is introduced for.",
    ),
}
