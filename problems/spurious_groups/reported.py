"""Tables 2 to 4 of pezeshki2022 ch. 8 as printed: test accuracies of the worst group, in per cent.

Each is a mean and a standard deviation over `RUNS` trainings. The scan breaks some cells apart ("762" is
76.2, "33" of SUBY on CelebA is 3.3); that rows have the average that is printed beside them shows that they
are put together rightly.
"""

from __future__ import annotations

RUNS = 5
DATASETS = ("CelebA", "Waterbirds", "MultiNLI", "CivilComments")

WORST: dict[str, tuple[tuple[float, float], ...]] = {
    "erm": ((79.7, 3.7), (85.5, 1.0), (67.6, 1.2), (61.3, 2.0)),
    "jtt": ((75.6, 7.7), (85.6, 0.2), (67.5, 1.9), (67.8, 1.6)),
    "rwy": ((82.9, 2.2), (86.1, 0.7), (68.0, 1.9), (67.5, 0.6)),
    "suby": ((79.9, 3.3), (82.4, 1.7), (64.9, 1.4), (51.2, 3.0)),
    "rwg": ((84.3, 1.8), (87.6, 1.6), (69.6, 1.0), (72.0, 1.9)),
    "subg": ((85.6, 2.3), (89.1, 1.1), (68.9, 0.8), (71.8, 1.4)),
    "gdro": ((86.9, 1.1), (87.1, 3.4), (78.0, 0.7), (69.9, 1.2)),
}
"""Table 2: (mean, standard deviation) by method, in the order of `DATASETS`."""

AVERAGES = {"erm": 73.5, "jtt": 74.1, "rwy": 76.2, "suby": 69.6, "rwg": 78.4, "subg": 78.8, "gdro": 80.5}
"""The last column of Table 2, and the first row of Table 3."""

WITHOUT = ("erm", "jtt", "rwy", "suby")
WITH = ("rwg", "subg", "gdro")
"""Methods that use no attributes in training, and those that do."""

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
