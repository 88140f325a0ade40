"""Mode learning in two-layer and deep linear networks (pezeshki2022 ch. 2.2).

Network: yhat = W_D ... W_1 x, trained on whitened inputs, X X^T = I, and targets with Y X^T =
U S V^T. Training loss, a SUM over outputs and samples: L = 1/2 |Y - W_D ... W_1 X|^2, so that
the time constant is tau = 1/learning rate. Mode i is learned by the strength
u_i = (U^T W_D ... W_1 V)_ii, which goes to the singular value s_i.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Choice, Number, Several, Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter

if TYPE_CHECKING:
    import numpy as np

POSITIVE = Number(0, low_open=True)

SINGULAR_VALUES = Parameter(
    "singular_values",
    "s_i",
    "output",
    Several(POSITIVE),
    "singular values of the input-output correlation Y X^T, one a mode",
    (4.0, 2.5, 1.0),
)
DEPTH = Parameter(
    "depth", "D", "weight matrices", Whole(2, 100), "number of weight matrices", 2, also=("layers",)
)
INPUTS = Parameter(
    "inputs", "N_in", "units", Whole(1), "input units, at least one a mode (absent: one a mode)"
)
OUTPUTS = Parameter(
    "outputs", "N_out", "units", Whole(1), "output units, at least one a mode (absent: one a mode)"
)
HIDDEN = Parameter(
    "hidden",
    "N_hid",
    "units",
    Whole(1),
    "units of each hidden layer, at least one a mode (absent: one a mode)",
    also=("width",),
)
START = Parameter(
    "start",
    "start",
    "1",
    Choice(("decoupled", "rotated")),
    "frames of the initial weights: decoupled: the data's own, so that modes never interact; "
    "rotated: drawn apart from the data's",
    "decoupled",
)
STRENGTH = Parameter(
    "u0",
    "u_0",
    "output",
    Several(POSITIVE),
    "initial strength, below the singular value: one for all modes, or one a mode",
    (0.01,),
)
BALANCE = Parameter(
    "balance",
    "c",
    "output",
    Number(),
    "a^2 - b^2 of first and second layer in every mode, that is W_1 W_1^T - W_2^T W_2 = c on the "
    "initial hidden directions; 0 where depth is above 2",
    0.0,
)
INIT = Parameter(
    "init",
    "sigma_0",
    "weight",
    POSITIVE,
    "standard deviation of independent Gaussian initial weights, instead of start, u0 and balance",
    instead_of=("start", "u0", "balance"),
)
LEARNING_RATE = Parameter(
    "learning_rate",
    "eta",
    "1/output",
    POSITIVE,
    "step size of gradient descent on the summed loss",
    1e-3,
    also=("lr",),
)


@dataclass(frozen=True)
class LinearNetwork:
    """An instance. All fields are already validated; build it through `PROBLEM.instance`.

    `u0` has one value a mode. `start` is "decoupled", "rotated" or "random"; only the last has
    an `init`, the standard deviation of the weights; its `u0` is empty and its `balance` 0, for
    neither is chosen.
    """

    singular_values: tuple[float, ...]
    depth: int
    inputs: int
    outputs: int
    hidden: int
    start: str
    u0: tuple[float, ...]
    balance: float
    init: float = 0.0

    @property
    def modes(self) -> int:
        """Number of modes, the rank of Y X^T."""
        return len(self.singular_values)


@dataclass(frozen=True)
class Draws:
    """Drawn data sets and initial networks, one a seed (leading axis S of every array).

    inputs: X, (S, N_in, P) with P = 2 N_in samples and X X^T = I. targets: Y, (S, N_out, P).
    left: U, (S, N_out, modes), and right: V, (S, N_in, modes), the modes' directions.
    weights: W_1, ..., W_D at time 0, (S, N_hid, N_in), (S, N_hid, N_hid)..., (S, N_out, N_hid).
    """

    inputs: np.ndarray
    targets: np.ndarray
    left: np.ndarray
    right: np.ndarray
    weights: tuple[np.ndarray, ...]


def draw(problem: LinearNetwork, seeds: Sequence[int]) -> Draws:
    """Draw one whitened data set and one initial network a seed (Eqs. 2.2.7-2.2.8).

    All frames are uniform on the orthonormal frames. Start "decoupled": W_l = sum_i g_li
    r_li r_(l-1)i^T with r_0i = v_i and r_Di = u_i, orthonormal hidden frames r_l and gains
    prod_l g_li = u0_i (after Eq. 2.2.14); "rotated": r_0 and r_D are frames of their own;
    "random": entries N(0, init^2). Every ingredient has a stream of its own, so that two
    problems of equal shape see common random numbers.
    """
    import numpy as np

    def normal(stream: int, *shape: int) -> np.ndarray:
        return np.stack([np.random.default_rng([seed, stream]).standard_normal(shape) for seed in seeds])

    def frame(stream: int, size: int, count: int) -> np.ndarray:
        q, r = np.linalg.qr(normal(stream, size, count))
        return q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[..., None, :]  # uniform, by Haar

    modes, depth = problem.modes, problem.depth
    inputs = frame(0, 2 * problem.inputs, problem.inputs).swapaxes(-1, -2)
    left, right = frame(1, problem.outputs, modes), frame(2, problem.inputs, modes)
    targets = (left * np.asarray(problem.singular_values)) @ right.swapaxes(-1, -2) @ inputs
    widths = [problem.inputs, *[problem.hidden] * (depth - 1), problem.outputs]
    if problem.start == "random":
        weights = [problem.init * normal(10 + i, widths[i + 1], widths[i]) for i in range(depth)]
    else:
        ends = (
            (right, left)
            if problem.start == "decoupled"
            else (frame(3, problem.inputs, modes), frame(4, problem.outputs, modes))
        )
        frames = [ends[0], *[frame(10 + i, problem.hidden, modes) for i in range(depth - 1)], ends[1]]
        gains = initial_gains(problem)
        weights = [(frames[i + 1] * gains[i]) @ frames[i].swapaxes(-1, -2) for i in range(depth)]
    return Draws(inputs, targets, left, right, tuple(weights))


def initial_gains(problem: LinearNetwork) -> np.ndarray:
    """Strength g_li of each layer in each mode at time 0, (depth, modes), all positive.

    Their product over layers is u0. Two layers: g_1 = a, g_2 = b with a^2 - b^2 = balance;
    deeper: equal gains. Raises `ValueError` for start "random", which chooses no gains.
    """
    import numpy as np

    if problem.start == "random":
        raise ValueError("random weights have no gains")
    u0 = np.asarray(problem.u0)
    if problem.depth > 2:
        return np.tile(u0 ** (1 / problem.depth), (problem.depth, 1))
    larger = np.sqrt((abs(problem.balance) + np.hypot(problem.balance, 2 * u0)) / 2)
    smaller = u0 / larger
    return np.stack([larger, smaller] if problem.balance >= 0 else [smaller, larger])


def _build(
    *,
    singular_values: tuple[float, ...],
    depth: int,
    inputs: int | None,
    outputs: int | None,
    hidden: int | None,
    start: str,
    u0: tuple[float, ...],
    balance: float,
    init: float | None,
) -> LinearNetwork:
    modes = len(singular_values)
    sizes = {"inputs": inputs, "outputs": outputs, "hidden": hidden}
    for name, size in sizes.items():
        if size is not None and size < modes:
            raise InputError(name, size, f"at least the number of modes, {modes}")
    widths = {name: size or modes for name, size in sizes.items()}
    if init is not None:
        return LinearNetwork(singular_values, depth, **widths, start="random", u0=(), balance=0.0, init=init)
    if len(u0) not in (1, modes):
        raise InputError("u0", ",".join(map(str, u0)), f"one value, or one for each of the {modes} modes")
    strengths = u0 * modes if len(u0) == 1 else u0
    for u, s in zip(strengths, singular_values, strict=True):
        if not u < s:
            raise InputError("u0", u, f"> 0 and below the mode's singular value {s:g}")
    if balance and depth > 2:
        raise InputError("balance", balance, f"0 where --depth is above 2 (here {depth})")
    return LinearNetwork(singular_values, depth, **widths, start=start, u0=strengths, balance=balance)


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
    parameters=(SINGULAR_VALUES, DEPTH, INPUTS, OUTPUTS, HIDDEN, START, STRENGTH, BALANCE, INIT),
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
                "time", "t/tau", "1/output", Number(0), "flow time t/tau = eta k, steps in units of 1/eta"
            ),
        ),
    ),
    observables=(
        Observable(
            "u", "u_i", "output", "strength of mode i in the network, (U^T W_D ... W_1 V)_ii", ("mode",)
        ),
    ),
    build=_build,
    coordinates=_coordinates,
    examples=({"singular_values": (2.0, 1.0)}, {"singular_values": (2.0, 1.0), "depth": 3}),
    convention="training loss: a sum over outputs and examples, 1/2 each",
)
