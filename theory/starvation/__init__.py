"""Theory of gradient starvation: flows of the dual and the primal, their ends, and what starves what."""

from teacherstudent.house.declarations import Route
from teacherstudent.problems.starvation import RESPONSES

_WHERE = "teacherstudent.theory.starvation"
ACCURACY = 1e-10
"""Of the fixed points: where their bound of the error is larger, they say so."""
FLOW = 1e-8
"""Of the paths that a solver follows."""

_FLOWS = {
    "dual": ("flow:dual", "Eq. 6.3.9"),
    "mirror": ("flow:mirror", "Eq. 6.3.9 in the entropy metric"),
    "primal": ("flow:primal", "Eq. 6.3.5"),
    "decoupled": ("flow:decoupled", "Eq. 6.3.18"),
    "primal-decoupled": ("flow:primal_decoupled", "Eq. 6.3.17"),
}
_ENDS = {
    "dual": "ridge",
    "mirror": "ridge",
    "primal": "ridge",
    "decoupled": "decoupling",
    "primal-decoupled": "decoupling",
}

ROUTES = (
    *(
        Route(
            "starvation",
            dynamics,
            "theory",
            f"{_WHERE}.{entry}",
            meaning="the flow itself, by a stiff solver to ten digits",
            source=f"pezeshki2022 {equation}",
            gives=RESPONSES,
            accuracy=FLOW,
            version=2,
        )
        for dynamics, (entry, equation) in _FLOWS.items()
    ),
    *(
        Route(
            "starvation",
            dynamics,
            "fixed-point",
            f"{_WHERE}.ends:{loss}",
            meaning="end of the flow, the same at every time, and its derivatives with respect to each "
            "squared strength",
            source="pezeshki2022 Eq. 6.3.11, Def. 6.3.2, exact",
            exact_for="end",
            accuracy=ACCURACY,
            version=2,
        )
        for dynamics, loss in _ENDS.items()
    ),
    Route(
        "starvation",
        "dual",
        "approximate",
        f"{_WHERE}.flow:approximate",
        meaning="the flow with log(1 - alpha) replaced by -alpha",
        source="pezeshki2022 Eq. 6.3.10",
        approximate="log(1 - alpha) ~ -alpha needs a ridge far below every s_j^2",
        gives=RESPONSES,
        accuracy=FLOW,
    ),
)
