"""Simulation of the perceptron: students found from drawn examples by each rule."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "perceptron",
        "examples",
        "message-passing",
        "teacherstudent.sims.perceptron.messages:messages",
        meaning="the mean of all binary students left, by approximate message passing on drawn examples",
        source="the problem as it is stated",
        approximate="takes outputs for normal, and between transition and spinodal does not find the teacher",
        sampled=True,
        example={"rule": "bayes", "weights": "binary"},
        needs="teacherstudent.sims.perceptron.needs:messages",
    ),
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
