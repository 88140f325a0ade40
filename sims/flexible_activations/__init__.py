"""Simulation of flexible activations: students trained on a teacher's outputs."""

from teacherstudent.house.declarations import Route
from teacherstudent.house.domains import Whole
from teacherstudent.house.parameters import Parameter

STARTS = Parameter(
    "starts",
    "",
    "students",
    Whole(1, 1000),
    "students trained at most, until one agrees with the examples",
    50,
)

ROUTES = (
    Route(
        "flexible-activations",
        "examples",
        "simulation",
        "teacherstudent.sims.flexible_activations.trained:trained",
        meaning="the first student from a random start that training brings to agree with all examples",
        source="the problem as it is stated",
        sampled=True,
        options=(STARTS,),
        needs="teacherstudent.sims.flexible_activations.needs:trained",
    ),
)
