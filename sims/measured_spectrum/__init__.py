"""Simulation on measured rows: gradient descent and ridge regression on what is drawn from them."""

from teacherstudent.house.declarations import Route

_WHERE = "teacherstudent.sims.measured_spectrum"

ROUTES = (
    Route(
        "measured-spectrum",
        "descent",
        "simulation",
        f"{_WHERE}.descent:descent",
        meaning="gradient descent, step by step, on rows drawn from the pool; tested on the other rows",
        source="the definition of the problem",
        sampled=True,
        needs=f"{_WHERE}.needs:descent",
    ),
)
