"""The misprints about worst groups, as a reader needs them."""

from __future__ import annotations

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.reading import Reading, Readings, relative


def of_the_epochs() -> float:
    """44 % against the share of the majority that three epochs see."""
    from teacherstudent.paper_checks.spurious_groups.counts import majority_seen

    return relative(0.44, majority_seen(None))


def of_the_test_noise() -> float:
    """Worst-group accuracy of SUBG's maximum margin without and with noise features in the test examples."""
    zero, fresh = (
        run("spurious-groups", "descent", "max-margin", [1], method="subg", test_noise=noise)
        for noise in ("zero", "fresh")
    )
    return relative(zero["worst_group_accuracy"].values, fresh["worst_group_accuracy"].values)


def of_the_correlation() -> float:
    """P(a = y) = .8 against the correlation 2 P - 1."""
    return relative(0.8, np.subtract(2 * 0.8, 1))


def of_the_exception() -> float:
    """The level of the test against the probability of three methods on CivilComments."""
    from teacherstudent.paper_checks.spurious_groups.tables import LEVEL, SETS, probabilities

    found = probabilities(*SETS["CivilComments, no attributes, without SUBY"])
    return relative(LEVEL, found[0])


def of_the_diagonal() -> float:
    """The mean of activations (0, sqrt 2) against that of (1, 1), which have one Gram matrix."""
    return relative(np.sqrt(2) / 2, np.mean([1.0, 1.0]))


def of_the_blond() -> float:
    """2 % against the share of males among blond people."""
    from teacherstudent.paper_checks.judging.evidence import Seeds
    from teacherstudent.paper_checks.spurious_groups.gramclust import shares

    return relative(2.0, shares(Seeds(""))[0])


READINGS: Readings = {
    "gram-diagonal": Reading(
        r"the diagonals of Gram matrices already contain the mean and the variance of each channel",
        r"$G_{cc}$ is the second moment, variance plus squared mean: activations $(1, 1)$ and "
        r"$(0, \sqrt{2})$ have one $G$",
        of_the_diagonal,
        "the mean of a channel",
        "two positions, activations (0, sqrt 2) for (1, 1)",
        "limits",
        "Gram matrices do not know more than means and variances; which does better is a matter of the data.",
    ),
    "gram-celeba-share": Reading(
        r"only $2\,\%$ of blond people are male",
        r"$5.7\,\%$ of blond people are male; $2.0\,\%$ of males are blond",
        of_the_blond,
        "the share of males among blond people",
        "CelebA's training set",
        "stands",
        "The group is the smallest either way.",
    ),
    "wg-suby-exception": Reading(
        r"all algorithms not using attribute information perform similarly with the exception of SUBY, "
        r"under-performing in CivilComments",
        r"without SUBY the means of ERM, JTT and RWY on CivilComments differ as well, $p = 0.003$ by the "
        r"test of the caption",
        of_the_exception,
        "the probability below which means differ",
        "CivilComments, five runs",
        "limits",
        "ERM, 6 points below the other two, is another exception.",
    ),
    "wg-celeba-epochs": Reading(
        r"the best RWG model, after 3 epochs, has observed $44\,\%$ of the majority",
        r"$44\,\%$ is what one epoch sees; three see $83\,\%$",
        of_the_epochs,
        "the share of the majority that has been observed",
        "CelebA, three epochs",
        "limits",
        "What 'amounts to subsampling the majority group' has seen nearly twice as much of it.",
    ),
    "wg-test-noise": Reading(
        r"SUBG, and RWG stopped early, are good on test examples of the law (8.4.1), noise features $x_n "
        r"\sim "
        r"\mathcal{N}(0, \sigma^2)$ and all",
        r"where test examples have $x_n = 0$, as in the published code; with fresh $x_n$ both are little "
        r"better than "
        r"a coin",
        of_the_test_noise,
        "the worst-group accuracy of SUBG",
        "the published example, at the end of training",
        "limits",
        "The ranking of the methods in Fig. 1 is that of test examples without noise.",
    ),
    "wg-correlation-or-share": Reading(
        r"the attribute has correlation $p_{\mathrm{spu}} = 0.8$ with the label",
        r"$P(a = y) = 0.8$, and the correlation is $0.6$",
        of_the_correlation,
        "the correlation",
        "a fifth of the attributes flipped",
        "stands",
        "It is a name; the code draws what the figure shows.",
    ),
}
