"""Simulation of the perceptron: students found from drawn examples by each rule."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "perceptron",
        "examples",
        "message-passing",
        "teacherstudent.sims.perceptron.messages:messages",
        meaning="mean of all binary students that fit the drawn examples, by approximate message passing",
        source="the definition of the problem",
        approximate="assumes normally distributed outputs; does not find the teacher between transition "
        "and spinodal",
        sampled=True,
        example={"rule": "bayes", "weights": "binary"},
        needs="teacherstudent.sims.perceptron.needs:messages",
    ),
    Route(
        "perceptron",
        "examples",
        "simulation",
        "teacherstudent.sims.perceptron.simulation:examples",
        meaning=(
            "students trained on drawn examples: by minimisation with a certificate, by a chain in the "
            "version space, or by trying all binary weights"
        ),
        source="the definition of the problem",
        sampled=True,
        needs="teacherstudent.sims.perceptron.needs:examples",
    ),
)
