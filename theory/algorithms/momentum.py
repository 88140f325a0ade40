"""Heavy-ball momentum (Polyak 1964): w' = w + beta (w - w_previous) - eta g, w_previous = w at first.

Along an eigenvector of curvature a, x = eta a, p' = (1 + beta - x) p - beta p_previous, whose roots leave the
unit circle at x = 2 (1 + beta).
"""

from teacherstudent.house.declarations import Algorithm, Recursion
from teacherstudent.house.domains import Number
from teacherstudent.house.parameters import LEARNING_RATE, STEPS, Parameter

MOMENTUM = Parameter(
    "momentum",
    "mu",
    "1",
    Number(0, 1, high_open=True),
    "share of the previous step that is added to each step; 0 is gradient descent",
    0.9,
)

ALGORITHM = Algorithm(
    "momentum",
    STEPS,
    meaning="gradient descent with heavy-ball momentum",
    whole_time=True,
    options=(LEARNING_RATE, MOMENTUM),
    recursion=Recursion(
        step=lambda x, momentum: (1 + momentum - x, -momentum),
        edge=lambda momentum: 2 * (1 + momentum),
    ),
)
