"""Simulation of the perceptron: students found from drawn examples by each rule."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "perceptron",
        "examples",
        "simulation",
        "teacherstudent.sims.perceptron.simulation:examples",
        meaning="students found from drawn examples: by minimisation with a certificate, by a chain in the "
        "version space, or by trying all binary weights",
        source="the problem as it is stated",
        sampled=True,
        needs="teacherstudent.sims.perceptron.needs:examples",
    ),
)
