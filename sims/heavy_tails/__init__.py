"""Simulation of SGD with a fixed step on linear regression: many students in R^d, each on batches of its
own."""

from dataclasses import replace

from teacherstudent.house.declarations import Route
from teacherstudent.problems.heavy_tails.parameters import BURN_IN, CHAINS, ESTIMATOR, TOP

FACTORS = replace(
    BURN_IN,
    name="factors",
    meaning="number of steps in each product; default: 200 + 20/(learning rate x weakest curvature)",
)

ROUTES = (
    Route(
        "heavy-tails",
        "stationary",
        "simulation",
        "teacherstudent.sims.heavy_tails.stationary:stationary",
        meaning="independent students in R^d after a burn-in, with the chosen estimator of their tail index",
        source="the definition of the problem",
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
        meaning="training in R^d of two students on the same batches",
        source="the definition of the problem",
        sampled=True,
        gives=("excess_risk", "log_separation"),
        needs="teacherstudent.sims.heavy_tails.needs:sgd",
    ),
    Route(
        "heavy-tails",
        "orders",
        "simulation",
        "teacherstudent.sims.heavy_tails.orders:orders",
        meaning="growth of a population of directions, resampled in proportion to their growth^s",
        source="the definition of the problem",
        sampled=True,
        gives=("log_growth",),
        options=(CHAINS, FACTORS),
        example={"chains": 400},
        needs="teacherstudent.sims.heavy_tails.needs:orders",
    ),
)
