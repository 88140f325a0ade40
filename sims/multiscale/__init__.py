"""Simulation of the multi-scale model: gradient descent and ridge regression on drawn data."""

from teacherstudent.house.declarations import Route
from teacherstudent.problems.multiscale import PRECISION, THERMAL, TRAINED

ROUTES = (
    Route(
        "multiscale",
        "descent",
        "simulation",
        "teacherstudent.sims.multiscale.descent:descent",
        meaning="gradient descent on drawn data: the first steps one by one, later ones by composing the "
        "drawn step map",
        source="pezeshki2022 Eqs. 4.2.1-4.2.4",
        sampled=True,
        gives=TRAINED,
        options=(PRECISION,),
        batch="teacherstudent.sims.multiscale.batch:descent",
        scheduled=True,
        needs="teacherstudent.sims.multiscale.needs:descent",
    ),
    Route(
        "multiscale",
        "sgd",
        "simulation",
        "teacherstudent.sims.multiscale.sgd:sgd",
        meaning="stochastic gradient descent on drawn data, with a new batch at each step",
        source="the definition of the problem",
        sampled=True,
        gives=TRAINED,
        needs="teacherstudent.sims.multiscale.needs:sgd",
    ),
    Route(
        "multiscale",
        "langevin",
        "simulation",
        "teacherstudent.sims.multiscale.langevin:langevin",
        meaning="Langevin descent, step by step, of two students per draw on the same data",
        source="pezeshki2022 Eqs. 4.2.1-4.2.4",
        sampled=True,
        gives=THERMAL,
        needs="teacherstudent.sims.multiscale.needs:langevin",
    ),
    Route(
        "multiscale",
        "ridge",
        "simulation",
        "teacherstudent.sims.multiscale.ridge:ridge",
        meaning="ridge regression on drawn data by solving the normal equations",
        source="pezeshki2022 Eqs. 4.2.1-4.2.3, .2.14",
        sampled=True,
        needs="teacherstudent.sims.multiscale.needs:ridge",
        gives=TRAINED,
    ),
    Route(
        "multiscale",
        "",
        "simulation",
        "teacherstudent.sims.multiscale.descent",
        meaning="training on drawn data: the first steps one by one, later ones by composing "
        "the drawn step map",
        source="the definition of the algorithm",
        sampled=True,
        gives=TRAINED,
        needs="teacherstudent.sims.multiscale.needs:stepped",
    ),
)
