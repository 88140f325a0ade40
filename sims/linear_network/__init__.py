"""Simulation of mode learning: gradient descent on two-layer and deep linear networks."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "linear-network",
        "descent",
        "simulation",
        "teacherstudent.sims.linear_network.descent:descent",
        meaning="gradient descent, step by step, on drawn data and networks",
        source="pezeshki2022 Eqs. 2.2.2-2.2.4",
        sampled=True,
        needs="teacherstudent.sims.linear_network.needs:descent",
    ),
)
