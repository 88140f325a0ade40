"""Theory of committee machines that learn online: closed equations of their order parameters."""

from teacherstudent.house.declarations import Route

_WHERE = "teacherstudent.theory.committee"

ROUTES = (
    Route(
        "committee",
        "online",
        "asymptotic",
        f"{_WHERE}.routes:asymptotic",
        meaning="exact limit d -> infinity: an equation for all overlaps",
        source="saad1995; biehl1995; goldt2019",
        exact_for="limit",
        accuracy=1e-7,
    ),
    Route(
        "committee",
        "online",
        "symmetric",
        f"{_WHERE}.routes:symmetric",
        meaning="the same for K = M units that are all alike, four numbers; teacher orthonormal, v = v* = 1",
        source="saad1995; biehl1995",
        exact_for="limit",
        accuracy=1e-7,
    ),
    Route(
        "committee",
        "online",
        "instance",
        f"{_WHERE}.routes:instance",
        meaning="the same equation from the overlaps that each draw starts with",
        source="saad1995; biehl1995; goldt2019",
        sampled=True,
        averages="examples",
        needs=f"{_WHERE}.needs:instance",
        approximate="leaves out what the draw of the examples adds, of order 1/sqrt(d)",
        accuracy=1e-7,
    ),
)
