"""The misprints about what the figures of ch. 4 show, as a reader needs them."""

from __future__ import annotations

from teacherstudent.paper_checks.judging.reading import Reading, Readings, quotes
from teacherstudent.paper_checks.multiscale import errors

FIGURE_3 = "Fig. 3: n = 150, d = 100, p = 60, kappa = 50"
FIGURE_4 = "Fig. 4: n = 110, d = 100, p = 70"
FIGURE_5 = "Fig. 5: n = 120, d = 100, p = 80, noise 0.2"
PUBLISHED = "{}, github.com/mpezeshki/Epoch_wise_Double_Descent"

FIGURES: Readings = {
    "ms-rate-ratio": Reading(
        r"$\kappa$ is the ratio of the rates at which fast and slow features are learned",
        r"the ratio is $\kappa^2$, because a rate is proportional to $\sigma^2$",
        errors.of_the_ratio,
        "the ratio of the times at which half of the slow and half of the fast features are learned",
        FIGURE_3,
        "limits",
        "Widely separated scales do produce two descents. At kappa = 50 the half-times differ by a "
        "factor of 4300, which is 2500 times 1.7, because the slow features share their examples with "
        "the fast ones.",
        quoted=quotes(
            "a subset of features are learned 50 times faster than the rest",
            "Fig. 3",
            "describes the ratio of the rates at which two sets of features are learned",
            "Fig. 4",
            "a subset of features are learned 100 times faster that the rest",
            "Fig. 5",
            "the learning speed of each feature is scaled by the magnitude of its corresponding singular "
            "value",
            r"remark on Eq. 4.2.12, which itself has $\sigma_i^2$",
        ),
        ref="captions of Figs. 3, 4 and 5",
        says="kappa is the ratio of the rates: features are learned 50 (100) times faster than the rest",
        truth="the ratio is kappa^2, as in Eq. 4.2.12; the half-times at n = 1.5 d differ by a factor of "
        "1.7 kappa^2, which is 4300 at kappa = 50",
    ),
    "ms-plane-height": Reading(
        r"the plane is drawn for $(R, Q) \in [0, 1] \times [0, 1.2]$",
        r"the trajectory of $\kappa = 10^5$ ends at $Q = \frac{p}{d} + \left(1 - \frac{p}{d}\right) "
        r"\frac{p}{n - p} = 1.225$",
        errors.of_the_height,
        "the largest Q of the trajectories",
        FIGURE_4,
        "stands",
        "The published script draws Q up to 1.3. The text and the caption end the plane below B.",
        quoted=quotes(
            "we visualize the RQ-plane for $(R, Q)$ ... [0.0,1.0] ... [0.0,1.2]",
            "Section 4.3.2",
            "The generalization error for all pairs of ... [0.0, 1.2] is contour-plotted",
            "Fig. 4",
        ),
        ref="Section 4.3.2, caption of Fig. 4",
        says="all pairs of (R, Q) in [0, 1] x [0, 1.2]",
        truth="B, the end of the trajectory at kappa = 1e5, has Q = 1.225",
    ),
    "ms-vicinity-of-b": Reading(
        r"every curve follows the curve of $\kappa = 10^5$ to the vicinity of B",
        r"the curves at $\kappa = 7$ and $12$ turn earlier: their largest $Q$ is $1.006$ and $1.10$, "
        "compared with $1.225$ at B",
        errors.of_the_vicinity,
        "the largest Q at kappa = 7",
        FIGURE_4,
        "limits",
        "The second descent begins near B only if the rates differ strongly. By the printed formulas the "
        "curves at kappa = 7 and 12 are even farther from B.",
        quoted=quotes(
            r"Other curves follow the case of $\kappa$ = 1e5 up to the vicinity of Point B, but then the "
            "trajectories slowly incline towards another fixed point",
            "Section 4.3.2",
            r"For the other trajectories with smaller $\kappa$, a first descent occurs ... then an "
            "ascent happens, but they no longer converge to point B",
            "Fig. 4, which says less",
        ),
        says="other curves follow the curve of kappa = 1e5 up to the vicinity of B",
        truth="only the curves at kappa = 30 to 1000 come near B; at kappa = 7 and 12 the curves turn at "
        "distances of .22 and .13 from B",
    ),
    "ms-figure-5-kappa": Reading(
        r"$\kappa = 100$ in the heat map (c) and its slices (d)",
        r"$\kappa = 40$",
        errors.of_the_condition,
        "the loss at small ridge, during the second descent",
        FIGURE_5 + ", by the printed formulas",
        "stands",
        "The picture supports the text, but its condition number differs from the caption.",
        quoted=quotes(
            r"we plot Eqs. 4.2.14 and 4.2.15 with a $\kappa$ = 100",
            "Section 4.3.3",
            r"the linear teacher-student setup with $\kappa$ = 100, the condition number",
            "Fig. 5",
            "# k: kappa -> the condition number of the modulation matrix, F ... k = 40",
            PUBLISHED.format("fig5_cd.py"),
        ),
        ref="Fig. 5, Section 4.3.3",
        says="kappa = 100 in the heat map and its slices",
        truth="kappa = 40, as in the published script",
    ),
    "ms-time-plus-one": Reading(
        r"the axis is the training time $t$",
        r"curves computed at $t$ are drawn at $t + 1$",
        errors.of_the_axis,
        "the excess risk that a reader takes from the axis at t = 2",
        FIGURE_3,
        "stands",
        "Only the first steps are shifted: from t = 100 on the shift is less than the width of a line.",
        quoted=quotes(
            "The x-axis denotes the training time $t$",
            "Fig. 3",
            "ax_1.plot(ts + 1, EGs_RMT_mean, ...)",
            PUBLISHED.format("fig3.py"),
        ),
        ref="Fig. 3 by its published script, Fig. 5 d by its picture",
        says="the axes show training time t",
        truth="they show t + 1",
    ),
    "ms-large-ridge-overfits": Reading(
        r"at a large ridge, $\lambda = 0.13$, the student overfits",
        "a large ridge stops training early: the excess risk falls to its plateau, $0.224$, without rising",
        errors.of_the_rise,
        "the final risk, if the risk rose above its minimum as much as at the intermediate ridge",
        FIGURE_5 + ", kappa = 40, in the limit",
        "falls",
        "At the large regularisation, the risk of the linear student does not rise, and the error of the "
        "published ResNet-18 rises no more than its noise. The text calls this early stopping.",
        quoted=quotes(
            "large amounts of regularization ... allow for the fast-learning features to be learned but "
            "cause overfitting",
            "Fig. 5",
            "larger amounts of regularization act as early stopping",
            "Section 4.3.3, against it",
        ),
        says="large regularisation lets the fast features be learned but causes overfitting",
        truth="large regularisation stops the fast features early: the risk falls to its plateau, .224, and "
        "does not rise",
    ),
}
