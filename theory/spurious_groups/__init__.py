"""Theory of the worst groups: where training sets out, where it ends, and the accuracies there."""

from teacherstudent.house.declarations import Count, Route

_WHERE = "teacherstudent.theory.spurious_groups.routes"
_OF_A_DIRECTION = (
    "worst_group_accuracy",
    "average_accuracy",
    "group_accuracy",
    "training_worst_group_accuracy",
    "spurious_weight",
    "core_weight",
    "noise_weight",
)

ROUTES = tuple(
    route
    for dynamics in ("descent", "normalised")
    for route in (
        Route(
            "spurious-groups",
            dynamics,
            "max-margin",
            f"{_WHERE}:margin_limit",
            meaning="direction of largest margin on the examples that the method keeps, the same at every "
            "time",
            source="convex Gaussian comparison for pezeshki2022 Eq. 8.4.1 and Sect. 8.5.4",
            approximate="the end of training, shown at every time; large-system limit of n and d",
            gives=(*_OF_A_DIRECTION, "margin", "support_fraction"),
        ),
        Route(
            "spurious-groups",
            dynamics,
            "initial-gradient",
            f"{_WHERE}:first_step",
            meaning="direction of the gradient at zero weights, the same at every time",
            source="pezeshki2022 Eq. 8.4.1",
            approximate="the start of training, shown at every time; large-system limit of n and d",
            gives=_OF_A_DIRECTION,
        ),
    )
)

COUNTS = (
    Count(
        "spurious-groups",
        "max-margin",
        f"{_WHERE}:groups_above_chance",
        "number of groups classified better than by chance",
        "in the direction of largest margin, limit of large n and d",
        limit=True,
    ),
)
