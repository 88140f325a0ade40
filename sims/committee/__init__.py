"""Simulation of committee machines: online steps of drawn networks in d dimensions."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "committee",
        "online",
        "simulation",
        "teacherstudent.sims.committee.online:online",
        meaning="training in R^d, each step on one new example",
        source="the problem as it is stated",
        sampled=True,
        needs="teacherstudent.sims.committee.needs:online",
    ),
    Route(
        "committee",
        "online",
        "chain",
        "teacherstudent.sims.committee.chain:chain",
        meaning="the overlaps' own chain of steps: the law of training in R^d, at a cost free of d",
        source="the law of the fields that the problem states",
        sampled=True,
        needs="teacherstudent.sims.committee.needs:chain",
    ),
)
