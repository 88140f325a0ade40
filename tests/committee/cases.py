"""Single questions of committee machines: which are refused, and whose numbers are lost."""

from __future__ import annotations

RELU = {"activation": "relu"}
RANDOM = {"start": "random"}

REFUSED = [
    # networks that there are not
    ("", {"width": 3, "student_overlaps": "1,0;0,1"}, "^--student-overlaps 1,0;0,1: must be 3 rows of 3"),
    ("", {"width": 3, "initial_overlaps": ((0.1, 0),)}, "^--initial-overlaps .*3 rows of 2"),
    ("", {"teacher_overlaps": "1,0.3;0.2,1"}, "^--teacher-overlaps 1,0.3;0.2,1: must be symmetric"),
    ("", {"teacher_overlaps": "1,2;2,1"}, "^--teacher-overlaps .*vectors.* smallest eigenvalue .* is -1$"),
    ("", {"student_overlaps": "-1,0;0,1"}, "^--student-overlaps .*squared norms are not negative"),
    (
        "",
        {"initial_overlaps": "0.5,0.1;0,0"},
        "^--initial-overlaps .*smallest eigenvalue of the matrix of cosines",
    ),
    ("", {"overlap": -0.6}, "^--overlap -0.6: must be overlaps that are possible.* is -0.2$"),
    ("", {"init": 0.0, "overlap": 0.1}, "^--overlap .*overlaps that are possible"),
    ("", {**RANDOM, "overlap": 0.1}, "^--overlap .*left out with --start random"),
    ("", {**RANDOM, "student_overlaps": "1,0;0,1"}, "^--student-overlaps .*left out with --start random"),
    ("", {"teacher_overlaps": "0,0;0,0"}, "^--teacher-overlaps .*nothing to learn"),
    ("", {"teacher_second_layer": (0.0,)}, "^--teacher-second-layer .*nothing to learn"),
    (
        "",
        {"initial_second_layer": (1.0, 2.0, 3.0)},
        "^--initial-second-layer 1,2,3: must be one number, or 2",
    ),
    ("", {**RELU, "init": 0.0}, "^--init .*for relu, which"),
    ("", {**RELU, "student_overlaps": "1,0;0,0"}, "^--student-overlaps .*for relu, which"),
    ("", {"init": 1e-200}, "^--init .*0, or at least 1e-100"),
    ("", {"overlap": 1e-200}, "^--overlap .*0, or at least 1e-100"),
    # what cannot be drawn or stepped
    ("online/simulation", {"d": 3}, "^--d "),
    ("online/chain", {"d": 3}, "^--d "),
    ("online/simulation", {"d": 5, "weight_decay": 5.0}, "^--weight-decay "),
    ("online/chain", {"d": 5, "second_layer_weight_decay": 7.0}, "^--second-layer-weight-decay "),
    ("online/chain", {"times": [1e8]}, r"--times 1e\+08: must be at most 2e\+06"),
    # units that are not alike
    ("online/symmetric", {"teacher_width": 1}, "--teacher-width 1: must be 2, equal to --width"),
    ("online/symmetric", {"teacher_overlaps": [[1, 0.1], [0.1, 1]]}, "1,0.1;0.1,1: must be the identity"),
    ("online/symmetric", {"second_layer_learning_rate": 0.1}, "--second-layer-learning-rate 0.1: must be 0"),
    ("online/symmetric", {"initial_second_layer": (1, 2)}, "--initial-second-layer 1,2: must be 1 for all"),
    ("online/symmetric", {"initial_overlaps": [[0.1, 0], [0, 0.2]]}, "0.1,0;0,0.2: must be one number"),
]
LINEAR = {"activation": "linear", "learning_rate": 50.0}
GROWING = {"width": 1, "teacher_width": 1, "activation": "relu", "learning_rate": 4.5}
DIVERGES = "learning_rate 50.0: training diverges; NaN in 2 of 2"

LOST = [
    ("online/asymptotic", [1e-9, 1e4], LINEAR, "from time 10000 on: training diverges", [False, True]),
    (
        "online/asymptotic",
        [1e-9, 1e4],
        {"noise": 1e100, "learning_rate": 1e100},
        "fails at time 0 .*overflow",
        {"excess_risk": [True, True], "R": [True, True]},
    ),
    (
        "online/asymptotic",
        [1.0, 3.0, 30.0],
        GROWING,
        "from time 30 on: training diverges, its overlaps",
        [False, False, True],
    ),
    *(
        (f"online/{route}", [0.1, 1e3], {**LINEAR, "d": 20}, DIVERGES, {"Q": [False, True]})
        for route in ("simulation", "chain")
    ),
]
THOROUGH = [LOST[0], LOST[2]]
"""Paths that are long to follow."""
