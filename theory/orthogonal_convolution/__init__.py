"""Theory of orthogonal convolutions: spectra by frequency, existence, and the flow of singular values."""

from teacherstudent.house.declarations import Route

_ROOM = "teacherstudent.theory.orthogonal_convolution"

ROUTES = (
    Route(
        "orthogonal-convolution",
        "flow",
        "closed-form",
        f"{_ROOM}.routes:closed_form",
        meaning="closed form of each singular value of the drawn kernel; windows that do not overlap",
        source="derived here from achour2022's regulariser",
        sampled=True,
        needs=f"{_ROOM}.needs:disjoint",
    ),
    Route(
        "orthogonal-convolution",
        "flow",
        "frequencies",
        f"{_ROOM}.routes:frequencies",
        meaning="numerical solution of the flow of the drawn kernel, frequency by frequency",
        source="derived here from achour2022's regulariser",
        sampled=True,
        accuracy=1e-6,
        needs=f"{_ROOM}.needs:frequencies",
    ),
    Route(
        "orthogonal-convolution",
        "descent",
        "recursion",
        f"{_ROOM}.routes:recursion",
        meaning="recursion of each singular value of the drawn kernel; windows that do not overlap",
        source="derived here from achour2022's regulariser",
        sampled=True,
        accuracy=1e-9,
        needs=f"{_ROOM}.needs:disjoint",
    ),
)
