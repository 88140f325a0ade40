"""Single questions of SGD with a fixed step: refused, lost, known from elsewhere."""

from __future__ import annotations

UNEQUAL = {"d": 5, "p": 2, "kappa": 3.0, "batch": 3, "noise": 0.7, "init": 0.4}
TWO = {"d": 4, "p": 2, "kappa": 2.0, "batch": 2}
THREE = {"scales": ((1, 1.0), (1, 2.0), (1, 3.0))}
AT = {"times": [0.5]}

REFUSED = [
    ("stationary/exact", {"n": 9}, "^--n 9: must be left out on this route"),
    ("stationary/exact", {"kappa": 2.0}, "^--kappa 2.0: must be 1 on this route"),
    ("stationary/exact", THREE, "^--scales 1:.*: must be one strength on this route"),
    ("stationary/simulation", {**AT, "chains": 50, "top": 50}, "^--top 50: must be below chains = 50"),
    ("stationary/simulation", {"times": [1e-6]}, r"^--burn-in 2e\+07: must be at most 1e\+06"),
    ("orders/simulation", {"learning_rate": 1e-6}, r"^--factors 2e\+07: must be at most 1e\+06"),
    ("sgd/simulation", {"times": [2 * 10**9]}, r"^--times 2e\+09: must be at most 1e\+09"),
    ("stationary/instance", {**AT, "d": 1, "batch": 1}, "^--n none: must be given on this route"),
    ("stationary/instance", {**AT, "d": 2, "batch": 1, "n": 5}, "^--d 2: must be 1 on this route"),
    (
        "stationary/instance",
        {**AT, "d": 1, "batch": 10, "n": 40},
        "^--batch 10: must be such that n = 40 examples have at most",
    ),
    ("stationary/diffusive", {**AT, **UNEQUAL}, r"^--kappa 3\.0: must be 1 on this route"),
    ("stationary/small-step", {**AT, **UNEQUAL}, r"^--kappa 3\.0: must be 1 on this route"),
    ("stationary/moments", {**AT, "n": 9}, r"^--n 9: must be left out on this route"),
    ("orders/transfer", {"d": 1}, r"^--d 1: must be at least 2 on this route"),
    ("stationary/transfer", {**AT, **THREE}, "^--scales .*: must be one or two strengths above 0 on this"),
]
UNSTABLE = "step size 0.0199: rho = 0.0002712 >= 0, so no stationary distribution exists"
UNRESOLVED = "do not resolve the distribution"
SAID = "changes squared lengths by more than 0.5: use --route exact"
FEW = {"d": 1, "batch": 1, "chains": 4000, "top": 100, "seeds": [0]}
BOUNDED = "no batch lengthens v, so v is bounded"
INFINITE = r"size 1e\+09: measured rho = 2\d\.\d, .* not surely below 0"
NOTHING = {"tail_index": [True], "excess_risk": [True], "lyapunov": [False]}

LOST = [
    *(
        ("stationary/exact", [eta], {"batch": 2, "d": d}, said, {"tail_index": [True], "lyapunov": [False]})
        for eta, d, said in (
            (0.9, 5, "step size 0.9: rho = 0.2042 >= 0, so no stationary distribution exists"),
            (1e-3, 3, "step size 0.001: tail index > 1000"),
        )
    ),
    (
        "stationary/exact",
        [0.3],
        {"batch": 2, "d": 3, "noise": 0},
        "noise 0: the student converges",
        {"tail_index": [True], "excess_risk": [False]},
    ),
    ("stationary/diffusive", [0.0199], {"d": 100, "batch": 1}, UNSTABLE, {"tail_index": [True]}),
    ("stationary/small-step", [0.0199], {"d": 100, "batch": 1}, UNSTABLE, {"tail_index": [True]}),
    ("stationary/diffusive", [1e9], {"d": 1, "batch": 1}, SAID, {"lyapunov": [True]}),
    ("stationary/instance", [0.5], {"d": 1, "batch": 1, "n": 1}, BOUNDED, {"tail_index": [True]}),
    ("orders/transfer", [12.5], TWO, "orders above 12 are not computed on this route", [True]),
    ("orders/transfer", [0.5], {**TWO, "kappa": 30.0, "learning_rate": 0.01}, UNRESOLVED, [True]),
    ("stationary/transfer", [0.3], {**TWO, "kappa": 1e6}, UNRESOLVED, {"tail_index": [True]}),
    (
        "stationary/simulation",
        [0.4],
        {"chains": 50, "noise": 0.0},
        "no power law; NaN in 2 of 2 draws",
        {"tail_index": [True], "excess_risk": [False]},
    ),
    *(
        ("stationary/simulation", [1e9], {"estimator": each, "chains": 40, "noise": 1e100}, INFINITE, NOTHING)
        for each in ("hill", "stable")
    ),
    (
        "sgd/simulation",
        [1000],
        {"learning_rate": 1e9},
        r"step size 1e\+09: training diverges; NaN in 2 of 2 draws",
        {"log_separation": [False]},
    ),
    *(
        ("stationary/simulation", [0.05], {"chains": 100, "burn_in": 12, "init": 100.0}, said, NOTHING)
        for said in ("^the largest sizes still depend", "^the excess risk still depends")
    ),
    (
        "stationary/simulation",
        [1.5],
        FEW,
        "significantly below 2: the variance is infinite; NaN in 1 of 1 draws",
        {"tail_index": [False], "excess_risk": [True]},
    ),
    (
        "orders/simulation",
        [1.0, 50.0],
        {"chains": 50, "factors": 50, "learning_rate": 1.0},
        "fewer than 100 draws dominate",
        {"log_growth": [False, True]},
    ),
]
INDICES = [
    (0.3, 1, 1, 5.305901075365),
    (1.2, 1, 1, 0.785320201412),
    (0.45, 1, 2, 2.455983014226),
    (0.7124, 2, 3, 1.600100967536),
    (0.5, 2, 3, 4.0),  # in closed form
]
EXPONENTS = [(0.3, 1, 1, -0.394617415794), (1.2, 1, 1, -0.358656870198), (0.45, 1, 2, -0.210342844794)]
KNOWN = [
    *(
        ("stationary/exact", [eta], {"batch": batch, "d": d}, {name: [number]}, 6e-13)
        for name, numbers in (("tail_index", INDICES), ("lyapunov", EXPONENTS))
        for eta, batch, d, number in numbers
    ),
    ("stationary/exact", [0.32], {"batch": 4, "d": 5, "noise": 0.7}, {"excess_risk": [0.49 / 6]}, 1e-13),
    # printed digits of e^(1 + W(1/e))/2
    (
        "stationary/small-step",
        [0.1, 0.2],
        {"batch": 4, "d": 7},
        {"tail_index": [1.79556 * 40, 1.79556 * 20]},
        1e-4,
    ),
]
EQUAL = [
    # where training ends
    (
        *("stationary/exact", [0.3], {"batch": 4, "d": 5}),
        *("sgd/exact", [10**4], {"batch": 4, "d": 5, "learning_rate": 0.3}, 1e-12, ["excess_risk"]),
    )
]
