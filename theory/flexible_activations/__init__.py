"""Theory of flexible activations: how many parameters examples leave free, and recovery by a pencil."""

from teacherstudent.house.declarations import Route

_ROOM = "teacherstudent.theory.flexible_activations"

ROUTES = (
    Route(
        "flexible-activations",
        "examples",
        "rank",
        f"{_ROOM}.rank:rank",
        meaning="rank of the map from parameters to examples, in exact arithmetic",
        source="derived in the documentation",
        gives=("ambiguity", "direction_ambiguity"),
        assumes="almost every teacher",
    ),
    Route(
        "flexible-activations",
        "examples",
        "pencil",
        f"{_ROOM}.pencil:pencil",
        meaning="the student that two mixtures of the teacher's Jacobians give, at its eigenvectors",
        source="isis2021; derived in the documentation",
        sampled=True,
        gives=("direction_error", "misfit"),
        exact_for="end",
        approximate="an exact construction, of which only rounding is seen",
        needs=f"{_ROOM}.needs:pencil",
    ),
)
