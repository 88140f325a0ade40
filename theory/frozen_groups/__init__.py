"""Theory of worst groups on frozen features: where training ends, for losses that are means."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "frozen-groups",
        "descent",
        "optimum",
        "teacherstudent.theory.frozen_groups.optimum:optimum",
        meaning="unique minimum of the method's mean loss with weight decay, the same at every time",
        source="pezeshki2022 ch. 8.3-8.4: the methods' losses; convex, solved by Newton's method",
        sampled=True,
        version=3,
        approximate="the end of training in small steps, shown at every time",
        needs="teacherstudent.theory.frozen_groups.needs:optimum",
    ),
)
