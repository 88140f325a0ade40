"""Test accuracies in per cent, means and deviations over runs, as three versions of a paper print them.

A cell is here where the scan shows it. That of AdamW in column SVHN ResNet18 of roburin2022 Table 3.2, 89.83,
is legible but odd: no conclusion here rests on it.
"""

from __future__ import annotations

from teacherstudent.paper_checks.judging.printed import Table

NETWORKS = (
    "CIFAR10 ResNet20", "CIFAR10 ResNet18", "CIFAR10 VGG16", "CIFAR100 ResNet18", "CIFAR100 VGG16",
    "SVHN ResNet18", "SVHN VGG16",
)  # fmt: skip

SPHERE_2020 = Table(
    "roburin2020",
    "Tables 2 and 5",
    (5, 5, 5, 5, 5, 5, 5, 3),
    (*NETWORKS, "ImageNet ResNet18"),
    """
    SGD-M    | 92.39 0.12 | 95.10 0.04 | 93.56 0.05 | 77.08 0.18 | 73.77 0.10 | 95.96 0.15 | 95.95 0.09 | 69.86 0.06
    SGD-MRT  | 92.25 0.12 | 94.93 0.23 | 93.68 0.30 | 77.09 0.15 | 73.32 0.29 | 96.17 0.12 | 95.95 0.12 | 69.76 0.15
    Adam     | 90.98 0.06 | 93.77 0.20 | 92.83 0.17 | 71.30 0.36 | 68.43 0.16 | 95.32 0.23 | 95.57 0.20 | 68.52 0.10
    AdamW    | 90.19 0.24 | 93.61 0.12 | 92.53 0.25 | 67.39 0.27 | 71.37 0.22 | 95.38 0.15 | 95.60 0.08 | -
    AdamG    | 91.64 0.17 | 94.67 0.12 | 93.41 0.17 | 73.76 0.34 | 70.17 0.20 | 95.73 0.05 | 95.70 0.25 | -
    Adam-S   | 91.15 0.11 | 93.95 0.23 | 92.92 0.11 | 74.44 0.22 | 68.73 0.27 | 95.75 0.09 | 95.66 0.09 | 68.82 0.22
    Adam-SRT | 91.81 0.20 | 94.92 0.05 | 93.75 0.06 | 75.28 0.35 | 71.45 0.13 | 95.84 0.07 | 95.82 0.05 | 68.93 0.19
    """,  # noqa: E501
)
NORMALISED = """
    Adam  | 90.98 0.06 | 93.77 0.20 | 92.83 0.17 | 71.30 0.36 | 68.43 0.16 | 95.32 0.23 | 95.57 0.20
    AdamW | 90.19 0.24 | 93.61 0.12 | 92.53 0.25 | 67.39 0.27 | 71.37 0.22 | 95.13 0.15 | 94.97 0.08
    AdamG | 91.64 0.17 | 94.67 0.12 | 93.41 0.17 | 73.76 0.34 | 70.17 0.20 | 95.73 0.05 | 95.70 0.25
    a     | 91.15 0.11 | 93.95 0.23 | 92.92 0.11 | 74.44 0.22 | 68.73 0.27 | 95.75 0.09 | 95.66 0.09
    ab    | 91.92 0.18 | 95.11 0.10 | 93.89 0.09 | 76.15 0.25 | 71.53 0.19 | 96.05 0.12 | 96.22 0.09
    abc   | 91.81 0.20 | 94.92 0.05 | 93.75 0.06 | 75.28 0.35 | 71.45 0.13 | 95.84 0.07 | 95.82 0.05
    """
"""Both later versions print the same; `abc` is Adam without all three phenomena, Adam-SRT of roburin2020."""

SPHERE_2021 = Table("roburin2021", "Table 2", 5, NETWORKS, NORMALISED)
SPHERE_2022 = Table("roburin2022", "Table 3.3", 5, NETWORKS, NORMALISED)
NO_AFFINE = Table(
    "roburin2022",
    "Table 3.2",
    5,
    NETWORKS,
    """
    Adam  | 90.41 0.06 | 93.67 0.15 | 92.62 0.15 | 71.60 0.22 | 68.28 0.19 | 95.29 0.11 | 95.56 0.18
    AdamW | 90.36 0.11 | 93.7 0.16 | 93.03 0.12 | 70.11 0.31 | 69.68 0.12 | 89.83 0.28 | 95.63 0.11
    AdamG | 91.12 0.09 | 93.62 0.14 | 93.20 0.20 | 69.96 0.34 | 70.07 0.23 | 95.12 0.09 | 95.62 0.21
    a     | 91.15 0.11 | 93.98 0.18 | 93.12 0.14 | 75.43 0.13 | 70.01 0.24 | 95.75 0.09 | 95.64 0.10
    ab    | 91.38 0.08 | 94.63 0.08 | 93.45 0.06 | 75.68 0.22 | 71.74 0.15 | 95.77 0.08 | 95.78 0.07
    abc   | 91.11 0.11 | 94.02 0.10 | 93.56 0.09 | 75.38 0.21 | 72.08 0.22 | 95.51 0.08 | 95.69 0.09
    """,
)
TABLES = (SPHERE_2020, SPHERE_2021, SPHERE_2022, NO_AFFINE)
