"""Simulation of orthogonal convolutions: training the kernel on its regulariser, and the layer itself."""

from teacherstudent.house.declarations import Route

_ROOM = "teacherstudent.sims.orthogonal_convolution"

ROUTES = (
    Route(
        "orthogonal-convolution",
        "flow",
        "simulation",
        f"{_ROOM}.training:flow",
        meaning="the gradient flow by Runge-Kutta steps of 1/50 of the curvature's time",
        source="the definition of the problem",
        sampled=True,
        accuracy=1e-7,
        needs=f"{_ROOM}.needs:simulation",
    ),
    Route(
        "orthogonal-convolution",
        "descent",
        "simulation",
        f"{_ROOM}.training:descent",
        meaning="gradient descent on the regulariser, step by step",
        source="the definition of the problem",
        sampled=True,
        accuracy=1e-9,
        needs=f"{_ROOM}.needs:simulation",
    ),
)
