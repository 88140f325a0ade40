"""Theory of committee machines that learn online: closed equations of their order parameters."""

from teacherstudent.house.declarations import Route

_WHERE = "teacherstudent.theory.committee"

ROUTES = (
    Route(
        "committee",
        "online",
        "asymptotic",
        f"{_WHERE}.routes:asymptotic",
        meaning="exact limit d -> infinity: differential equations for all overlaps",
        source="saad1995; biehl1995; goldt2019",
        exact_for="limit",
        batch=f"{_WHERE}.many:asymptotic",
        slow_to_map=True,
        accuracy=1e-7,
    ),
    Route(
        "committee",
        "online",
        "symmetric",
        f"{_WHERE}.routes:symmetric",
        meaning="limit d -> infinity for K = M equal units: four overlaps; teacher orthonormal, v = v* = 1",
        source="saad1995; biehl1995",
        exact_for="limit",
        slow_to_map=True,
        accuracy=1e-7,
    ),
    Route(
        "committee",
        "online",
        "instance",
        f"{_WHERE}.routes:instance",
        meaning="equations of the limit, started from the initial overlaps of each draw",
        source="saad1995; biehl1995; goldt2019",
        sampled=True,
        averages="examples",
        needs=f"{_WHERE}.needs:instance",
        approximate="neglects the fluctuations due to the drawn examples, of order 1/sqrt(d)",
        slow_to_map=True,
        accuracy=1e-7,
    ),
)
