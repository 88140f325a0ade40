"""Simulation of flexible activations: students trained on a teacher's outputs."""

from teacherstudent.house.declarations import Route
from teacherstudent.house.domains import Whole
from teacherstudent.house.parameters import Parameter

STARTS = Parameter(
    "starts",
    "",
    "students",
    Whole(1, 1000),
    "largest number of random starts; training stops at the first student that fits the examples",
    50,
)

ROUTES = (
    Route(
        "flexible-activations",
        "examples",
        "simulation",
        "teacherstudent.sims.flexible_activations.trained:trained",
        meaning="the first student, over random starts, that training fits to all examples",
        source="the definition of the problem",
        sampled=True,
        options=(STARTS,),
        needs="teacherstudent.sims.flexible_activations.needs:trained",
    ),
)
