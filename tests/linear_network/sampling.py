"""Whitened data and first weights (pezeshki2022 ch. 2.2), from the text of `problems/linear_network/`."""

from __future__ import annotations

import numpy as np
from scipy import stats

from teacherstudent.problems.linear_network import PROBLEM, Draws, draw
from tests.sampling import Drawn

MANY, INIT = 2**11, 0.3
SHAPE = {"singular_values": (2.0, 1.0), "inputs": 3, "outputs": 4, "hidden": 5}


def _direction(size: int):
    """Law of a coordinate of a direction uniform on the sphere of R^size: (x + 1)/2 has a beta law."""
    return stats.beta((size - 1) / 2, (size - 1) / 2, loc=-1, scale=2)


def _of(**start) -> Draws:
    return draw(PROBLEM.instance(**SHAPE | start), range(MANY))


def _own_frame(layer: int, side: int) -> np.ndarray:
    """A coordinate of the strongest singular direction of a layer, with a sign drawn here."""
    first, _, second = np.linalg.svd(_of(start="rotated", u0=(0.5, 0.2)).weights[layer])
    direction = (first[:, 0, 0], second[:, 0, 0])[side]
    return np.random.default_rng(5).choice([-1, 1], MANY) * direction


def _large(layer: int) -> np.ndarray:
    """Independent Gaussian weights of a layer, of eight networks."""
    wide = {"singular_values": (1.0,), "depth": 3, "hidden": 256, "init": INIT}
    return draw(PROBLEM.instance(**wide), range(8)).weights[layer]


def _blocks(**start) -> Draws:
    """Two blocks, of three and two inputs, and of two and two outputs."""
    return _of(**{"inputs": 5, "hidden": None, "support": "blocks"} | start)


def _block_frame() -> np.ndarray:
    """A coordinate of the first hidden unit's direction, whose length is its gain."""
    row = _blocks(start="rotated").weights[0][:, 0, :3]
    return row[:, 0] / np.linalg.norm(row, axis=1)


def _free(layer: int, place: tuple[int, int]) -> np.ndarray:
    """A Gaussian weight of triangular factors."""
    triangular = {"singular_values": (2.0, 1.0), "init": INIT, "support": "triangular"}
    return draw(PROBLEM.instance(**triangular), range(MANY)).weights[layer][:, *place]


DRAWN = (
    Drawn(draw, "inputs", _direction(6), lambda: _of().inputs[:, 0, 0]),
    Drawn(draw, "left", _direction(4), lambda: _of().left[:, 0, 0]),
    Drawn(draw, "right", _direction(3), lambda: _of().right[:, 0, 0]),
    Drawn(draw, "middle layer", stats.norm(0, INIT), lambda: _large(1)),
    # "rotated": r_0 and r_D are frames of their own
    Drawn(draw, "first frame", _direction(3), lambda: _own_frame(0, 1)),
    Drawn(draw, "last frame", _direction(4), lambda: _own_frame(1, 0)),
    # "blocks": directions of a block; a hidden unit's weights are gains times r_0. Streams are those of above
    Drawn(draw, "right", _direction(3), lambda: _blocks().right[:, 0, 0]),
    Drawn(draw, "first frame", _direction(3), _block_frame),
    Drawn(draw, "first layer", stats.norm(0, INIT), lambda: _blocks(init=INIT).weights[0][:, 1, 4]),
    Drawn(draw, "first layer", stats.norm(0, INIT), lambda: _free(0, (0, 1))),
    Drawn(draw, "middle layer", stats.norm(0, INIT), lambda: _free(1, (1, 0))),
)
