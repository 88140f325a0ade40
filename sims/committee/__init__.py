"""Simulation of committee machines: online steps of drawn networks in d dimensions."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "committee",
        "online",
        "simulation",
        "teacherstudent.sims.committee.online:online",
        meaning="training in R^d, with one new example per step",
        source="the definition of the problem",
        sampled=True,
        needs="teacherstudent.sims.committee.needs:online",
    ),
    Route(
        "committee",
        "online",
        "chain",
        "teacherstudent.sims.committee.chain:chain",
        meaning="chain of the overlaps alone, distributed as in training in R^d, at a cost independent of d",
        source="the distribution of the fields in the problem",
        sampled=True,
        needs="teacherstudent.sims.committee.needs:chain",
    ),
)
