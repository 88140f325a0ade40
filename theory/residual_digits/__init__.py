"""Theory of the residual network: linear in its parameters, with the kernel that it has at infinite width."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "residual-digits",
        "",
        "kernel",
        "teacherstudent.theory.residual_digits.descent",
        meaning="infinite-width limit for given data: a network that is linear in its parameters",
        source="jacot2018 for the tangent kernel; cho2009 for that of the branch; pezeshki2022 ch. 4.3",
        sampled=True,
        approximate="holds at infinite width, where features do not change",
        needs="teacherstudent.theory.residual_digits.needs:descent",
    ),
)
