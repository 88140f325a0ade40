"""Accuracies of Adam and its variants in three versions of one paper: which differences their tables show."""

from __future__ import annotations

from functools import partial

from teacherstudent.paper_checks.judging.evidence import misprints_of
from teacherstudent.paper_checks.judging.printed import Count, Difference, Told, against_print, but
from teacherstudent.paper_checks.judging.reading import Quotation, Reading, relative
from teacherstudent.paper_checks.scale_invariant import check
from teacherstudent.paper_checks.scale_invariant.kit.tables import (
    NETWORKS,
    NO_AFFINE,
    SPHERE_2020,
    SPHERE_2021,
    SPHERE_2022,
)

SAME = {"Adam": "Adam", "AdamW": "AdamW", "AdamG": "AdamG", "Adam-S": "a", "Adam-SRT": "abc"}
"""Methods of roburin2020 under the names of the later versions."""

VERSIONS, AFFINE = "2020 against 2021, the same methods", "2022: without affine layers against with"
ORDER = "2022: AdamG against Adam on CIFAR100 ResNet18, with and without affine layers"

TOLD: Told = {
    "2020: Adam-SRT against Adam and its variants": (
        SPHERE_2020.against("Adam-SRT", "Adam", "AdamW", "AdamG", "Adam-S"),
        Count(30, 16, 0, 14),
    ),
    "2020: Adam-S against Adam": (SPHERE_2020.against("Adam-S", "Adam"), Count(8, 1, 0, 7)),
    "2020: Adam-SRT against Adam-S": (SPHERE_2020.against("Adam-SRT", "Adam-S"), Count(8, 5, 0, 3)),
    "2020: Adam-SRT against SGD-M": (SPHERE_2020.against("Adam-SRT", "SGD-M"), Count(1, 1, 4, 3)),
    "2020: SGD-MRT against SGD-M": (SPHERE_2020.against("SGD-MRT", "SGD-M"), Count(3, 0, 0, 8)),
    "2021: w/o (ab) against the others": (
        SPHERE_2021.against("ab", "Adam", "AdamW", "AdamG", "a", "abc"),
        Count(35, 23, 0, 12),
    ),
    "2021: AdamW against the others": (
        SPHERE_2021.against("AdamW", "Adam", "AdamG", "a", "ab", "abc"),
        Count(3, 3, 22, 10),
    ),
    "2022: w/o (ab) against w/o (abc), no affine layers": (
        NO_AFFINE.against("ab", "abc"),
        Count(5, 3, 0, 4),
    ),
    VERSIONS: (
        {
            f"{column}: {name}": Difference([SPHERE_2020[name, column], SPHERE_2021[later, column]])
            for name, later in SAME.items()
            for column in NETWORKS
        },
        Count(2, 1, 0, 34),
    ),
    AFFINE: (
        {
            f"{column}: {name}": Difference([NO_AFFINE[name, column], SPHERE_2022[name, column]])
            for name in ("Adam", "AdamW", "AdamG", "a", "ab", "abc")
            for column in NETWORKS
        },
        Count(13, 4, 12, 26),
    ),
    ORDER: (
        {
            table.place: table.against("AdamG", "Adam")["CIFAR100 ResNet18: Adam"]
            for table in (SPHERE_2022, NO_AFFINE)
        },
        Count(1, 1, 1, 0),
    ),
}


misprint = misprints_of(
    {
        "sphere-adamw-versions": Reading(
            r"AdamW has the accuracies $95.13 \pm 0.15$ and $94.97 \pm 0.08$ on SVHN",
            r"in Table 2 of roburin2020 $95.38 \pm 0.15$ and $95.60 \pm 0.08$; all 33 other cells that both "
            r"versions have are equal",
            partial(relative, 5.03, 4.40),
            "the share of errors",
            "SVHN with VGG16, against the cell of roburin2020",
            "limits",
            "Which version is right is not said; by the cells of roburin2020 AdamW is no worse than Adam on "
            "SVHN.",
            quoted=(Quotation(r"95.13 $\pm$ 0.15 ... 94.97 $\pm$ 0.08", "Table 2: AdamW on SVHN"),),
        ),
        "sphere-marginal-affine": Reading(
            r"without the affine layers of BN the difference $\Delta$ in performance is marginal",
            r"16 of 42 cells differ at $p < 0.05/42$, AdamG by $\Delta = -3.8$ points on CIFAR100 with "
            r"ResNet18, "
            r"where it is $2.5$ above Adam with affine layers and $1.6$ below without",
            partial(relative, 2.46, -1.64),
            "the lead of AdamG over Adam",
            "CIFAR100 with ResNet18, without affine layers",
            "limits",
            "It is marginal for Adam and some variants; the order of methods depends on the affine layers.",
            quoted=(
                Quotation(
                    "in table 3.2 and observe marginal performance difference in comparison to CNNs with "
                    "standard BN",
                    "Section 3.5.3",
                ),
            ),
        ),
    },
    "roburin2022",
)


ACCURACIES = check(
    id="sphere-accuracies",
    title="Adam-SRT's 30 means are above those of Adam and its variants, 16 shown so; which others are shown",
    ref="Tables 2 and 5: Welch's tests",
    **against_print(
        TOLD,
        *list(TOLD)[:2],
        errata=(
            misprint(
                "sphere-adamw-versions",
                "Table 2: AdamW on SVHN",
                "the accuracies of AdamW on SVHN, among others that are those of roburin2020",
                "roburin2020 prints others with the same deviations; that of VGG16 differs at p < 1e-5",
                but(TOLD, **{VERSIONS: Count(0, 0, 0, 35)}),
                paper="roburin2021",
            ),
            misprint(
                "sphere-marginal-affine",
                "Section 3.5.3, Tables 3.2-3.3",
                "affine layers make a marginal difference",
                "16 of 42 cells differ, and AdamG and Adam change places on CIFAR100 with ResNet18",
                but(TOLD, ORDER, **{AFFINE: Count(13, 0, 0, 42)}),
            ),
        ),
    ),
    covers=("Section 4.3, Table 2", "Table 5"),
    also=(("roburin2021", "Table 2"), ("roburin2022", "Tables 3.2-3.3")),
)

CHECKS = (ACCURACIES,)
