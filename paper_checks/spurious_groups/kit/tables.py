"""Test accuracies of the worst group in per cent, mean and standard deviation over runs, as they are printed.

A cell is here where the scan shows it. The scan of pezeshki2022 loses decimal points ("762" is 76.2, "33" of
SUBY on CelebA is 3.3) and reads some signs as 4; rows with the average that is printed with them show that
they are put together rightly. Not used: what ERM, JTT, RWY and RWG lose without regularisation (pezeshki2022
Table 3: the scan has "94 99 -65" and "-12"), and the standard deviation of GramClust-cv on Waterbirds
(roburin2022 Table 4.1: lost).
"""

from __future__ import annotations

from teacherstudent.paper_checks.judging.printed import Table

WORST = Table(
    "pezeshki2022",
    "Table 2",
    5,
    ("CelebA", "Waterbirds", "MultiNLI", "CivilComments"),
    """
    erm  | 79.7 3.7 | 85.5 1.0 | 67.6 1.2 | 61.3 2.0
    jtt  | 75.6 7.7 | 85.6 0.2 | 67.5 1.9 | 67.8 1.6
    rwy  | 82.9 2.2 | 86.1 0.7 | 68.0 1.9 | 67.5 0.6
    suby | 79.9 3.3 | 82.4 1.7 | 64.9 1.4 | 51.2 3.0
    rwg  | 84.3 1.8 | 87.6 1.6 | 69.6 1.0 | 72.0 1.9
    subg | 85.6 2.3 | 89.1 1.1 | 68.9 0.8 | 71.8 1.4
    gdro | 86.9 1.1 | 87.1 3.4 | 78.0 0.7 | 69.9 1.2
    """,
)
WITHOUT = ("erm", "jtt", "rwy", "suby")
WITH = ("rwg", "subg", "gdro")
"""Methods that use no attributes in training, and those that do."""

AVERAGES = {"erm": 73.5, "jtt": 74.1, "rwy": 76.2, "suby": 69.6, "rwg": 78.4, "subg": 78.8, "gdro": 80.5}
"""The last column of Table 2, and the first row of Table 3."""

UNREGULARISED = {"suby": -8.5, "subg": -1.5, "gdro": -10.3}
"""Table 3, third row: what the averages lose without regularisation."""

MINUTES = {"erm": 39, "jtt": 74, "rwy": 39, "suby": 19, "rwg": 33, "subg": 5, "gdro": 39}
"""The last row of Table 3, per epoch."""

RANGES: dict[str, tuple[tuple[float, float, float], ...]] = {
    "CelebA": (
        (75.4, 80.8, 5.4), (70.6, 76.3, 5.8), (78.9, 82.9, 4.1), (78.4, 79.9, 1.4),
        (82.8, 84.4, 1.7), (83.9, 86.6, 2.7), (86.7, 87.4, 0.8),
    ),
    "CivilComments": (
        (60.4, 61.3, 0.9), (62.6, 68.3, 5.7), (52.6, 68.3, 15.7), (49.2, 51.2, 2.1),
        (71.4, 72.0, 0.6), (70.2, 71.8, 1.6), (68.0, 69.9, 1.9),
    ),
    "MultiNLI": (
        (65.6, 67.6, 2.0), (65.3, 67.5, 2.1), (60.0, 68.0, 8.0), (56.2, 64.9, 8.7),
        (68.1, 69.8, 1.7), (68.5, 68.9, 0.4), (76.4, 78.0, 1.5),
    ),
    "Waterbirds": (
        (79.4, 85.6, 6.2), (83.7, 85.6, 2.0), (83.2, 86.1, 2.9), (79.2, 82.4, 3.2),
        (85.4, 87.6, 2.2), (87.9, 89.1, 1.1), (86.4, 88.2, 1.8),
    ),
}  # fmt: skip
"""Table 4: the worst and the best of the top five runs, and their difference; methods as in `WORST`."""

DECAYS = Table(
    "pezeshki2022",
    "Table 4: log10 of the weight decay, over the five best runs",
    5,
    ("CelebA", "CivilComments", "MultiNLI", "Waterbirds"),
    """
    rwg  | 1.0 0.0 | 2.4 0.5 | 2.4 0.5 | 1.0 1.0
    subg | 2.0 1.2 | 4.0 0.0 | 3.2 0.8 | 2.6 1.1
    """,
)
"""The logarithms are negative; the signs are left out."""

GROUPS = Table(
    "roburin2022",
    "Tables 4.1 and 4.2: worst group, or shifted backgrounds",
    5,
    ("Waterbirds", "CelebA", "COCO-on-Places"),
    """
    ERM             | 65.0 2.7 | 42.4 1.5 | 71.9 0.3
    IRM             | 77.4 0.3 | 75.1 0.6 | 78.8 0.3
    Imp. Weighting  | 74.4 0.6 | 72.4 1.4 | 71.7 0.5
    GroupDRO        | 83.9 0.3 | 85.7 2.0 | 79.0 0.4
    EIIL            | 78.7 0.3 | -        | 68.5 0.4
    GEORGE          | 76.2 2.0 | 53.7 1.3 | 71.6 0.3
    JTT             | 82.9 0.3 | 56.0 0.7 | 69.2 0.4
    GramClust-orig  | 85.3 1.1 | 77.9 2.2 | 72.4 0.4
    GramClust-cv    | -        | 80.3 1.9 | 73.2 0.3
    MeanVar         | 85.3 1.2 | 69.8 1.0 | 71.4 0.5
    """,
)
"""`GEORGE` is also the row Standard, and `GramClust-orig` the row Gram matrix, of Table 4.2."""

TABLES = (WORST, DECAYS, GROUPS)
