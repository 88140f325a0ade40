"""Simulation of SGD with a fixed step on linear regression: many students in R^d, each on batches of its
own."""

from dataclasses import replace

from teacherstudent.house.declarations import Route
from teacherstudent.problems.heavy_tails.parameters import BURN_IN, CHAINS, ESTIMATOR, TOP

FACTORS = replace(
    BURN_IN,
    name="factors",
    meaning="steps of which each product consists; default: 200 + 20/(learning rate x weakest curvature)",
)

ROUTES = (
    Route(
        "heavy-tails",
        "stationary",
        "simulation",
        "teacherstudent.sims.heavy_tails.stationary:stationary",
        meaning="independent students in R^d after a burn-in; their tail index by an estimator of choice",
        source="the problem as it is stated",
        sampled=True,
        gives=("lyapunov", "tail_index", "excess_risk"),
        options=(ESTIMATOR, CHAINS, TOP, BURN_IN),
        example={"chains": 400},
        needs="teacherstudent.sims.heavy_tails.needs:stationary",
    ),
    Route(
        "heavy-tails",
        "sgd",
        "simulation",
        "teacherstudent.sims.heavy_tails.sgd:sgd",
        meaning="training in R^d, and a second student on the same batches",
        source="the problem as it is stated",
        sampled=True,
        gives=("excess_risk", "log_separation"),
        needs="teacherstudent.sims.heavy_tails.needs:sgd",
    ),
    Route(
        "heavy-tails",
        "orders",
        "simulation",
        "teacherstudent.sims.heavy_tails.orders:orders",
        meaning="growth of a population of directions that are drawn anew in proportion to their growth^s",
        source="the problem as it is stated",
        sampled=True,
        gives=("log_growth",),
        options=(CHAINS, FACTORS),
        example={"chains": 400},
        needs="teacherstudent.sims.heavy_tails.needs:orders",
    ),
)
