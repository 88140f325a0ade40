"""Simulation of worst groups on frozen features: a last layer trained in batches by seven methods."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "frozen-groups",
        "descent",
        "simulation",
        "teacherstudent.sims.frozen_groups.descent:descent",
        meaning="stochastic gradient descent with momentum on the given rows, batch by batch",
        source="pezeshki2022 ch. 8.3-8.4",
        sampled=True,
        version=2,
        needs="teacherstudent.sims.frozen_groups.needs:descent",
    ),
)
