"""Theory of flexible activations: how many parameters examples leave free, and recovery by a pencil."""

from teacherstudent.house.declarations import Route

_ROOM = "teacherstudent.theory.flexible_activations"

ROUTES = (
    Route(
        "flexible-activations",
        "examples",
        "rank",
        f"{_ROOM}.rank:rank",
        meaning="rank of the map from parameters to outputs on the examples, in exact arithmetic",
        source="derived in the documentation",
        gives=("ambiguity", "direction_ambiguity"),
        assumes="almost every teacher",
    ),
    Route(
        "flexible-activations",
        "examples",
        "pencil",
        f"{_ROOM}.pencil:pencil",
        meaning="student constructed from the eigenvectors of two mixtures of the teacher's Jacobians",
        source="isis2021; derived in the documentation",
        sampled=True,
        gives=("direction_error", "misfit"),
        exact_for="end",
        approximate="the construction is exact, so only rounding errors remain",
        needs=f"{_ROOM}.needs:pencil",
    ),
)
