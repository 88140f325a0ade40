"""Simulation of the residual network: the real one, trained by gradient descent over all its parameters."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "residual-digits",
        "descent",
        "simulation",
        "teacherstudent.sims.residual_digits.descent:descent",
        meaning="gradient descent on the network, step by step, with drawn images",
        source="pezeshki2022 ch. 4.3: the definition of the network",
        sampled=True,
        example={"learning_rate": 4.0},
        needs="teacherstudent.sims.residual_digits.needs:descent",
    ),
    Route(
        "residual-digits",
        "",
        "simulation",
        "teacherstudent.sims.residual_digits.descent",
        meaning="training of the network, step by step, with drawn images",
        source="pezeshki2022 ch. 4.3: the definition of the network",
        sampled=True,
        example={"learning_rate": 4.0},
        needs="teacherstudent.sims.residual_digits.needs:descent",
    ),
)
