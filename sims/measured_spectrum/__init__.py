"""Simulation on measured rows: gradient descent and ridge regression on what is drawn from them."""

from teacherstudent.house.declarations import Route

_WHERE = "teacherstudent.sims.measured_spectrum"

ROUTES = (
    Route(
        "measured-spectrum",
        "descent",
        "simulation",
        f"{_WHERE}.descent:descent",
        meaning=(
            "gradient descent on drawn rows: the first steps one by one, later ones by composing the drawn "
            "step map; tested on the rest"
        ),
        source="the definition of the problem",
        sampled=True,
        scheduled=True,
        needs=f"{_WHERE}.needs:descent",
    ),
    Route(
        "measured-spectrum",
        "sgd",
        "simulation",
        f"{_WHERE}.sgd:sgd",
        meaning=(
            "stochastic gradient descent on drawn rows, with a new batch at each step; tested on other rows"
        ),
        source="the definition of the problem",
        sampled=True,
        needs=f"{_WHERE}.needs:sgd",
    ),
    Route(
        "measured-spectrum",
        "ridge",
        "simulation",
        f"{_WHERE}.ridge:ridge",
        meaning=("ridge regression on drawn rows by solving the normal equations; tested on other rows"),
        source="the definition of the problem",
        sampled=True,
        needs=f"{_WHERE}.needs:ridge",
    ),
    Route(
        "measured-spectrum",
        "",
        "simulation",
        f"{_WHERE}.descent",
        meaning=(
            "training on drawn rows: the first steps one by one, later ones by composing the drawn step map; "
            "tested on the rest"
        ),
        source="the definition of the algorithm",
        sampled=True,
        needs=f"{_WHERE}.needs:stepped",
    ),
)
