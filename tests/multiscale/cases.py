"""Single questions of features of several scales: refused, lost, known from elsewhere, with one answer."""

from __future__ import annotations

import numpy as np

SMALL = {"n": 5, "d": 3, "p": 2, "kappa": 4.0, "noise": 0.3, "init": 0.5, "ridge": 0.2, "output_penalty": 0.1}
BATCHES = {**SMALL, "learning_rate": 0.1, "seeds": range(3)}
DRAWN = {"n": 12, "d": 8, "p": 4, "kappa": 3.0, "noise": 0.3, "init": 0.2, "ridge": 0.1, "batch": 2}
THREE = {"n": 70, "scales": ((30, 1.0), (30, 0.3), (40, 0.05)), "noise": 0.4, "ridge": 0.05}
PENALISED = {"output_penalty": 0.6, "kappa": 1.0}
SLOW = {"times": [1e8], "output_penalty": 0.6, "output_penalty_decay": 1e-9}

REFUSED = [
    ("descent/asymptotic", {"learning_rate": 0.6}, "learning-rate"),
    ("flow/printed", {"scales": ((5, 1.0), (5, 0.5), (5, 0.1))}, "two scales"),
    ("flow/printed", {"init": 0.1}, "init"),
    ("flow/printed", {"observable": ["training"]}, "observable"),
    ("flow/printed", PENALISED, "output-penalty"),
    ("flow/quadrature", PENALISED, "output-penalty"),
    ("flow/quadrature", {"kappa": 1.0, "observable": ["parts"]}, "observable"),
    (
        "flow/quadrature",
        {"d": 100, "p": 60, "kappa": 2.0},
        r"^--scales 60:1,40:0\.5: must be of one strength",
    ),
    *((f"descent/{each}", SLOW, "output-penalty-decay") for each in ("asymptotic", "instance", "simulation")),
    ("langevin/simulation", {"times": [1e15]}, "times"),
    # batches
    *(
        ("sgd/simulation", {**BATCHES, **more}, said)
        for more, said in (
            ({"batch": 6, "data": "replacement"}, "^--batch 6: must be at most n = 5 for --data replacement"),
            ({"batch": 6, "data": "reshuffled"}, "^--batch 6: must be at most n = 5 for --data reshuffled"),
            ({"observable": ("training",)}, "^--observable training: must be left out with --data fresh"),
            ({"observable": ("parts", "outputs")}, "^--observable outputs: must be left out with"),
            ({"times": [1e8]}, r"^--times 1e\+08: must be at most 10000000"),
        )
    ),
    ("sgd/instance", {**DRAWN, "data": "fresh"}, "^--data fresh: must be replacement on this route"),
    (
        "sgd/instance",
        {**DRAWN, "data": "reshuffled"},
        "^--data reshuffled: must be replacement on this route",
    ),
    (
        "sgd/instance",
        {**DRAWN, "data": "replacement", "times": [10**9]},
        r"^--times 1e\+09: must be at most \d",
    ),
    (
        "sgd/asymptotic",
        {**DRAWN, "batch": 4, "learning_rate": 0.02, "data": "reshuffled", "times": [1, 4]},
        "^--times 4: must be at most n/batch = 3 ",
    ),
]
TALL = {"n": 9, "d": 6, "p": 3, "kappa": 20.0, "noise": 0.3, "init": 0.5, "seeds": range(3)}
DIVERGES = "^learning_rate 30: gradient descent diverges; it must be"
FADING = {"n": 400, "kappa": 3.0, "output_penalty": 0.6, "output_penalty_decay": 0.1}

LOST = [
    (
        "descent/simulation",
        [0.0, 1.0, 7.0, 40.0, 3000.0],
        {**TALL, "learning_rate": 50.0},
        "learning_rate 50: .* 3 of 3 draws",
        [False, True, True, True, True],
    ),
    ("descent/simulation", [40.0, 1e15], {**TALL, "n": 2}, "learning_rate auto", {"R": [False, True]}),
    # rounding hides five of six features
    (
        "ridge/simulation",
        [1e3, 1e18],
        {"n": 4, "scales": ((1, 1.0), (5, 1e-9)), "seeds": range(3)},
        r"times up to 1e\+18",
        [False, True],
    ),
    *(
        (
            "sgd/simulation",
            [0, 1],
            {**BATCHES, "learning_rate": 30, "data": data},
            DIVERGES,
            {"Q": [False, True]},
        )
        for data in ("fresh", "replacement", "reshuffled")
    ),
    # nothing is left of the risk
    (
        "descent/asymptotic",
        [0.0, 10, 1e4],
        FADING,
        "fading",
        {"excess_risk": [False, False, True], "R": [False] * 3},
    ),
]
THOROUGH = LOST[4:6]
SHRUNK = {"R": [1 / 1.6], "excess_risk": [(0.6 / 1.6) ** 2 / 2]}

KNOWN = [
    *(
        (
            f"{each}/asymptotic",
            [0.0],
            {"init": 0.5, "kappa": 2.0, "n": 9, "d": 10, "p": 4},
            {"R": [0.0], "Q": [0.25 * (0.4 + 0.6 / 4)]},
            2e-15,
        )
        for each in ("flow", "descent")
    ),
    ("flow/asymptotic", [1e12], {"n": 150, "kappa": 5.0}, {"R": [1.0], "excess_risk": [0.0]}, 1e-9),
    # noiseless, one scale, n < d: projection on n of d directions, R = Q = n/d
    ("flow/asymptotic", [1e12], {"n": 40, "kappa": 1.0}, {"R": [0.4], "Q": [0.4]}, 1e-9),
    # n > d, ridge -> 0: variance noise^2 d/(n - d) (Hastie et al. 2019)
    ("ridge/asymptotic", [1e14], {"n": 150, "noise": 0.5, "kappa": 30.0}, {"excess_risk": [0.25]}, 2.5e-10),
    # a student that interpolates
    (
        "flow/asymptotic",
        [1e9],
        {"n": 50, "kappa": 2.0, "noise": 0.5, "observable": ["training"]},
        {"training_error": [0.0]},
        1e-9,
    ),
    # a constant penalty ends at a shrunk teacher, and a fading one is forgotten
    *(
        (route, [time], {"n": 150, "kappa": 5.0, "output_penalty": 0.6, **more}, SHRUNK, 1e-9)
        for route, time, more in (
            ("flow/asymptotic", 1e12, {}),
            ("ridge/asymptotic", 1e14, {}),
            ("descent/asymptotic", 1e12, {"learning_rate": 0.2}),
        )
    ),
    (
        "descent/asymptotic",
        [1e8],
        {**FADING, "n": 150, "kappa": 5.0, "learning_rate": 0.2},
        {"R": [1.0]},
        1e-9,
    ),
    # the printed formulas keep their digits late: 2 x/(g + sqrt(g^2 + 4 x)) cancels for g < 0
    (
        "ridge/printed",
        [1e12, 1e18, 1e30],
        {"n": 150, "kappa": 2.0},
        {"R": [1, 1, 1], "excess_risk": [0, 0, 0]},
        1e-9,
    ),
    # of one strength the printed risk depends on the split p: n = 150, d = 100, ridge 0.1
    *(
        ("ridge/printed", [10.0], {"kappa": 1.0, "p": p}, {"excess_risk": [risk]}, 5e-5)
        for p, risk in ((5, 0.0164), (20, 0.0119), (50, 0.0086), (80, 0.0119), (95, 0.0164))
    ),
]
TIMES = np.geomspace(0.1, 1e6, 7)
NAMES = ["R", "Q", "excess_risk"]
MANY = {"n": 3 * 10**9, "d": 2 * 10**9, "p": 10**9}
HALVES = {"scales": ((20, 1.0), (20, 0.1)), "noise": 0.3}
PIECES = {"scales": ((5, 0.1), (20, 1.0), (14, 0.1), (1, 0.1)), "noise": 0.3}
EQUAL_STRENGTHS = {
    "scales": ((60, 0.3), (40, 0.3)),
    "noise": 0.4,
    "init": 2.0,
    "observable": ["generalisation", "training"],
}
WARM = {**THREE, "learning_rate": 0.2}
COLD = {**WARM, "inverse_temperature": 1e12}
QUICK = {
    "n": 9,
    "d": 6,
    "p": 3,
    "kappa": 2.0,
    "noise": 0.3,
    "init": 0.5,
    "ridge": 0.1,
    "learning_rate": 0.1,
    "output_penalty": 0.4,
    "seeds": range(3),
}
FROZEN = {**QUICK, "inverse_temperature": 1e30}
SHAPE = {
    "n": 9,
    "d": 6,
    "p": 3,
    "kappa": 3.0,
    "noise": 0.3,
    "ridge": 0.05,
    "init": 0.4,
    "learning_rate": 0.03,
}
NONE = {**SHAPE, "output_penalty": 0.0, "output_penalty_decay": 0.1}
PASS = {**DRAWN, "learning_rate": 0.02, "batch": 4}

EQUAL = [
    # equal scales are one, scales may be ordered and grouped in any way, only ratios of sizes enter
    (
        *("flow/asymptotic", TIMES, {"kappa": 1.0, "p": 0, "noise": 0.3}),
        *("flow/asymptotic", TIMES, {"kappa": 1.0, "p": 37, "noise": 0.3}, 1e-13),
    ),
    *(
        ("flow/asymptotic", TIMES, {**HALVES, "n": n}, "flow/asymptotic", TIMES, {**PIECES, "n": n}, 1e-12)
        for n in (60, 20)
    ),
    ("flow/asymptotic", TIMES, {"n": 3, "d": 2, "p": 1}, "flow/asymptotic", TIMES, MANY, 1.5e-14),
    # the quadrature is the resolvent's route for any strength, and both spellings of one scale are one
    *(
        (
            *("flow/quadrature", [0.0, 0.5, 50.0, 1e5], {**EQUAL_STRENGTHS, "n": n, "ridge": ridge}),
            *("flow/asymptotic", [0.0, 0.5, 50.0, 1e5], {**EQUAL_STRENGTHS, "n": n, "ridge": ridge}, 1e-9),
        )
        for n in (40, 100, 300)
        for ridge in (0.0, 0.02)
    ),
    (
        *("flow/quadrature", [1.0, 10.0], {"d": 100, "kappa": 1.0}),
        *("flow/quadrature", [1.0, 10.0], {"d": 100, "p": 100, "kappa": 7.0}, 0.0, ["R"]),
    ),
    # R and Q know no temperature, and frozen students descend
    *(
        (
            f"langevin/{route}",
            [1.0, 50.0],
            {**WARM, "inverse_temperature": beta},
            f"descent/{route}",
            [1.0, 50.0],
            WARM,
            0.0,
            ["R", "Q"],
        )
        for route in ("asymptotic", "instance")
        for beta in (0.5, 1e12)
    ),
    ("langevin/instance", [1.0, 50.0], COLD, "descent/instance", [1.0, 50.0], WARM, 1e-9, ["excess_risk"]),
    (
        *(
            "langevin/simulation",
            [1.0, 7.0, 20.0],
            FROZEN,
            "descent/simulation",
            [1.0, 7.0, 20.0],
            QUICK,
            3e-14,
        ),
        NAMES,
    ),
    # no penalty changes no digit, whatever its decay
    *(
        (
            f"descent/{route}",
            [0.0, 1.0, 7.0, 40.0],
            NONE,
            f"descent/{route}",
            [0.0, 1.0, 7.0, 40.0],
            SHAPE,
            0.0,
        )
        for route in ("simulation", "instance", "asymptotic")
    ),
    # the first epoch is one pass
    (
        *("sgd/asymptotic", [1, 3], {**PASS, "data": "reshuffled"}),
        *("sgd/asymptotic", [1, 3], {**PASS, "data": "fresh"}, 0.0),
    ),
]
