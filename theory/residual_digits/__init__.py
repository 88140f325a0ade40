"""Theory of the residual network: linear in its parameters, with the kernel that it has at infinite width."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "residual-digits",
        "",
        "kernel",
        "teacherstudent.theory.residual_digits.descent",
        meaning="training of the network linear in its parameters, of infinite width, given the data",
        source="jacot2018 for the tangent kernel; cho2009 for that of the branch; pezeshki2022 ch. 4.3",
        sampled=True,
        approximate="holds at infinite width, where features do not move",
        needs="teacherstudent.theory.residual_digits.needs:descent",
    ),
)
