"""Accuracies of Adam and its variants in three versions of one paper: which differences their tables show."""

from __future__ import annotations

from teacherstudent.paper_checks.judging.cases import stated
from teacherstudent.paper_checks.judging.evidence import Tooth, misprints_of
from teacherstudent.paper_checks.judging.printed import Count, Difference, all_counted, as_counted
from teacherstudent.paper_checks.judging.reading import Quotation, Reading, relative
from teacherstudent.paper_checks.papers.tables import (
    NETWORKS,
    NO_AFFINE,
    SPHERE_2020,
    SPHERE_2021,
    SPHERE_2022,
)
from teacherstudent.paper_checks.scale_invariant import check

SAME = {"Adam": "Adam", "AdamW": "AdamW", "AdamG": "AdamG", "Adam-S": "a", "Adam-SRT": "abc"}
"""Methods of roburin2020 under the names of the later versions."""
VARIANTS = ("Adam", "AdamW", "AdamG", "a", "ab", "abc")

COMPARED = {
    "2020: Adam-SRT against Adam and its variants": SPHERE_2020.against(
        "Adam-SRT", "Adam", "AdamW", "AdamG", "Adam-S"
    ),
    "2020: Adam-S against Adam": SPHERE_2020.against("Adam-S", "Adam"),
    "2020: Adam-SRT against Adam-S": SPHERE_2020.against("Adam-SRT", "Adam-S"),
    "2020: Adam-SRT against SGD-M": SPHERE_2020.against("Adam-SRT", "SGD-M"),
    "2020: SGD-MRT against SGD-M": SPHERE_2020.against("SGD-MRT", "SGD-M"),
    "2021: w/o (ab) against the others": SPHERE_2021.against("ab", "Adam", "AdamW", "AdamG", "a", "abc"),
    "2021: AdamW against the others": SPHERE_2021.against("AdamW", "Adam", "AdamG", "a", "ab", "abc"),
    "2022: w/o (ab) against w/o (abc), no affine layers": NO_AFFINE.against("ab", "abc"),
    "2020 against 2021, the same methods": {
        f"{column}: {name}": Difference([SPHERE_2020[name, column], SPHERE_2021[later, column]])
        for name, later in SAME.items()
        for column in NETWORKS
    },
    "2022: without affine layers against with": {
        f"{column}: {name}": Difference([NO_AFFINE[name, column], SPHERE_2022[name, column]])
        for name in VARIANTS
        for column in NETWORKS
    },
    "2022: AdamG against Adam on CIFAR100 ResNet18, with and without affine layers": {
        table.place: table.against("AdamG", "Adam")["CIFAR100 ResNet18: Adam"]
        for table in (SPHERE_2022, NO_AFFINE)
    },
}
COUNTS = {
    "2020: Adam-SRT against Adam and its variants": Count(30, 16, 0, 14),
    "2020: Adam-S against Adam": Count(8, 1, 0, 7),
    "2020: Adam-SRT against Adam-S": Count(8, 5, 0, 3),
    "2020: Adam-SRT against SGD-M": Count(1, 1, 4, 3),
    "2020: SGD-MRT against SGD-M": Count(3, 0, 0, 8),
    "2021: w/o (ab) against the others": Count(35, 23, 0, 12),
    "2021: AdamW against the others": Count(3, 3, 22, 10),
    "2022: w/o (ab) against w/o (abc), no affine layers": Count(5, 3, 0, 4),
    "2020 against 2021, the same methods": Count(2, 1, 0, 34),
    "2022: without affine layers against with": Count(13, 4, 12, 26),
    "2022: AdamG against Adam on CIFAR100 ResNet18, with and without affine layers": Count(1, 1, 1, 0),
}
VERSIONS, AFFINE, ORDER = list(COUNTS)[-3:]


def of_the_versions() -> float:
    """AdamW on SVHN with VGG16: the share of errors of the later versions against that of roburin2020."""
    later, first = (100 - t["AdamW", "SVHN VGG16"].mean for t in (SPHERE_2021, SPHERE_2020))
    return relative(later, first)


def of_the_affine_layers() -> float:
    """The lead of AdamG over Adam on CIFAR100 with ResNet18: with affine layers for without."""
    with_, without = (each.mean for each in COMPARED[ORDER].values())
    return relative(with_, without)


misprint = misprints_of(
    {
        "sphere-adamw-versions": Reading(
            r"AdamW has the accuracies $95.13 \pm 0.15$ and $94.97 \pm 0.08$ on SVHN",
            r"$95.38 \pm 0.15$ and $95.60 \pm 0.08$ in Table 2 of roburin2020; all 33 other cells that both "
            r"versions have are equal",
            of_the_versions,
            "the share of errors",
            "SVHN with VGG16, against the cell of roburin2020",
            "limits",
            "Which version is right is not said; by the first, AdamW is no worse than Adam on SVHN.",
            quoted=(Quotation("95.13 \\pm 0.15 ... 94.97 \\pm 0.08", "Table 2: AdamW on SVHN"),),
        ),
        "sphere-marginal-affine": Reading(
            r"without the affine layers of BN the difference $\Delta$ in performance is marginal",
            r"16 of 42 cells differ at $p < 0.05/42$, AdamG by $\Delta = -3.8$ points on CIFAR100 with "
            r"ResNet18, "
            r"where it is $2.5$ above Adam with affine layers and $1.6$ below without",
            of_the_affine_layers,
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


def _but(**changed: Count) -> dict[str, Count]:
    names = {"versions": VERSIONS, "affine": AFFINE, "order": ORDER}
    return COUNTS | {names[name]: count for name, count in changed.items()}


ACCURACIES = check(
    id="sphere-accuracies",
    title="Adam-SRT's 30 means are above those of Adam and its variants, 16 shown so; which others are shown",
    ref="Tables 2 and 5: Welch's tests",
    evidence=all_counted(COMPARED),
    claim=stated(COUNTS),
    judge=as_counted,
    teeth=(
        Tooth("every lead of Adam-SRT is shown", stated({**COUNTS, next(iter(COUNTS)): Count(30, 30, 0, 0)})),
        Tooth("Adam-S above Adam throughout", stated({**COUNTS, list(COUNTS)[1]: Count(8, 8, 0, 0)})),
        Tooth("AdamW below all others", stated({**COUNTS, list(COUNTS)[6]: Count(0, 0, 35, 0)})),
    ),
    errata=(
        misprint(
            "sphere-adamw-versions",
            "Table 2: AdamW on SVHN",
            "the accuracies of AdamW on SVHN, among others that are those of roburin2020",
            "roburin2020 prints others with the same deviations; that of VGG16 differs at p < 1e-5",
            stated(_but(versions=Count(0, 0, 0, 35))),
            paper="roburin2021",
        ),
        misprint(
            "sphere-marginal-affine",
            "Section 3.5.3, Tables 3.2-3.3",
            "affine layers make a marginal difference",
            "16 of 42 cells differ, and AdamG and Adam change places on CIFAR100 with ResNet18",
            stated(_but(affine=Count(13, 0, 0, 42), order=Count(2, 2, 0, 0))),
        ),
    ),
    covers=("Section 4.3, Table 2", "Table 5"),
    also=(("roburin2021", "Table 2"), ("roburin2022", "Tables 3.2-3.3")),
)

CHECKS = (ACCURACIES,)
