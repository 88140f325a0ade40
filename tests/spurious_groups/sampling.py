"""The two laws of Eq. 8.4.1, from the text of `problems/spurious_groups/`."""

from __future__ import annotations

import numpy as np
from scipy import stats

from teacherstudent.problems.spurious_groups import PROBLEM
from teacherstudent.problems.spurious_groups.data import Draws, draw, fresh, initial_weights, kept
from tests.sampling import Drawn

MANY, STD, INIT = 2**17, 0.3, 0.5
SMALL = {"feature_std": STD, "noise_features": 2, "test_noise": "fresh", "init": INIT}


def _of(law: str, **asked):
    size = {} if "groups" in asked else {"n": MANY // 8}
    return PROBLEM.instance(law=law, **SMALL, **size | asked)


def _train(law: str) -> Draws:
    return draw(_of(law), range(8))


def _unseen(law: str) -> Draws:
    return fresh(_of(law), range(8), MANY // 32)


def _around_their_signs(draws: Draws) -> np.ndarray:
    """feature_std N(0, 1) of the spurious and the core feature."""
    signs = np.stack([draws.attributes, draws.labels], axis=-1)
    return signs * draws.inputs[..., :2] - 1


def _contrasts() -> np.ndarray:
    """Differences of neighbouring examples, which the published law's centred features leave as drawn."""
    features = _around_their_signs(_train("published"))
    return features[:, 1::2] - features[:, ::2]


def _place_of_the_one_kept() -> np.ndarray:
    """Which of 1000 examples stays where the other groups have one each, as a number in (0, 1)."""
    problem, seeds = _of("printed", groups=(1000, 1, 1, 1), method="subg"), range(2**10)
    stays = kept(problem, draw(problem, seeds), seeds)
    return (np.argmax(stays[:, :1000], axis=1) + 1 / 2) / 1000


def _first_weights(stream: int) -> np.ndarray:
    """gamma w of eight students."""
    problem = PROBLEM.instance(init=INIT, noise_features=MANY // 8 - 2)
    return initial_weights(problem, range(8), stream) * problem.scales


REACH = INIT / np.sqrt(MANY // 8)

DRAWN = (
    Drawn(draw, "features", stats.norm(0, STD), lambda: _around_their_signs(_train("printed"))),
    Drawn(draw, "features", stats.norm(0, np.sqrt(2) * STD), _contrasts),
    Drawn(draw, "noise features", stats.norm(0, STD), lambda: _train("printed").inputs[..., 2:]),
    Drawn(draw, "noise features", stats.norm(0, 1), lambda: _train("published").inputs[..., 2:]),
    *(
        Drawn(fresh, "fresh features", stats.norm(0, STD), lambda law=law: _around_their_signs(_unseen(law)))
        for law in ("printed", "published")
    ),
    Drawn(fresh, "fresh noise features", stats.norm(0, STD), lambda: _unseen("printed").inputs[..., 2:]),
    Drawn(fresh, "fresh noise features", stats.norm(0, 1), lambda: _unseen("published").inputs[..., 2:]),
    Drawn(kept, "subset", stats.uniform(0, 1), _place_of_the_one_kept),
    Drawn(initial_weights, "first weights", stats.uniform(-REACH, 2 * REACH), lambda: _first_weights(0)),
    Drawn(initial_weights, "second start", stats.uniform(-REACH, 2 * REACH), lambda: _first_weights(1)),
)
