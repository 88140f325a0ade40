"""Accuracies of Adam and its variants in three versions of one paper: which differences their tables show."""

from __future__ import annotations

from teacherstudent.paper_checks.judging.printed import Count, Difference, Told, against_print, but
from teacherstudent.paper_checks.scale_invariant import check, misprints
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

ACCURACIES = check(
    id="sphere-accuracies",
    title="Adam-SRT's 30 means are above those of Adam and its variants, 16 shown so; which others are shown",
    ref="Tables 2 and 5: Welch's tests",
    **against_print(
        TOLD,
        *list(TOLD)[:2],
        errata=misprints(
            {
                "sphere-adamw-versions": but(TOLD, **{VERSIONS: Count(0, 0, 0, 35)}),
                "sphere-marginal-affine": but(TOLD, ORDER, **{AFFINE: Count(13, 0, 0, 42)}),
            }
        ),
    ),
)

CHECKS = (ACCURACIES,)
