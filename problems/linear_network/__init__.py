"""Mode learning in two-layer and deep linear networks (pezeshki2022 ch. 2.2), with full or sparse weights.

Network: yhat = W_D ... W_1 x, trained on whitened inputs, X X^T = I, and targets with Y X^T =
U S V^T. Training loss, a SUM over outputs and samples: L = 1/2 |Y - W_D ... W_1 X|^2, so that
the time constant is tau = 1/learning rate. Mode i is learned by the strength
u_i = (U^T W_D ... W_1 V)_ii, which goes to the singular value s_i.

A support says which weights are trained; the others are and stay 0. With disjoint blocks each hidden unit is
a separate network with one mode. Triangular factors cannot express Y X^T = [[0, s_2], [s_1, 0]], but
approximate it arbitrarily well: the observables are the distance |Y - W_2 W_1 X| and the size of the factors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.parameters import Parameter
from teacherstudent.problems.linear_network.draws import Draws, draw, initial_gains
from teacherstudent.problems.linear_network.instance import LinearNetwork, build
from teacherstudent.problems.linear_network.parameters import LEARNING_RATE, PARAMETERS, SINGULAR_VALUES

OF_MODES = ("u",)
OF_TRIANGLES = ("residual", "squared_norm")


def _coordinates(problem: LinearNetwork) -> Mapping[str, Any]:
    units = {"units": SINGULAR_VALUES.unit, "long_name": "singular value of the mode", "symbol": "s"}
    return {
        "mode": ("mode", list(range(1, problem.modes + 1)), {"units": "1", "long_name": "mode"}),
        "singular_value": ("mode", list(problem.singular_values), units),
    }


PROBLEM = Problem(
    id="linear-network",
    title="Mode learning in linear networks",
    source="pezeshki2022 ch. 2.2",
    question="In which order does a deep linear network learn the modes of its data?",
    parameters=PARAMETERS,
    dynamics=(
        Dynamics(
            "descent",
            Parameter("time", "k", "steps", Whole(0), "step of gradient descent"),
            whole_time=True,
            options=(LEARNING_RATE,),
        ),
        Dynamics(
            "flow",
            Parameter(
                "time",
                "t/tau",
                "1/output",
                Number(0),
                "flow time t/tau = eta k, learning rate times number of steps",
            ),
        ),
    ),
    observables=(
        Observable(
            "u", "u_i", "output", "strength of mode i in the network, (U^T W_D ... W_1 V)_ii", ("mode",)
        ),
        Observable(
            "residual",
            "rho",
            "output",
            "norm of the residual, |Y - W_2 W_1 X|; the training loss is half its square",
            nonnegative=True,
            best="least",
        ),
        Observable(
            "squared_norm",
            "|theta|^2",
            "output",
            "squared norm of all weights, |W_1|^2 + |W_2|^2",
            nonnegative=True,
        ),
    ),
    build=build,
    observed=lambda problem, _: OF_TRIANGLES if problem.support == "triangular" else OF_MODES,
    coordinates=_coordinates,
    examples=(
        {"singular_values": (2.0, 1.0)},
        {"singular_values": (2.0, 1.0), "depth": 3},
        {"singular_values": (2.0, 1.0), "inputs": 5, "support": "blocks"},
        {"singular_values": (2.0, 1.0), "init": 0.5, "support": "triangular"},
    ),
    convention="training loss: half the squared error, summed over outputs and examples",
)

__all__ = ["OF_MODES", "OF_TRIANGLES", "PROBLEM", "Draws", "LinearNetwork", "draw", "initial_gains"]
