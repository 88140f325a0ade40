"""The law of the draws of flexible activations, from the text of `problems/flexible_activations/`."""

from __future__ import annotations

from scipy import stats

from teacherstudent.problems.flexible_activations import PROBLEM
from teacherstudent.problems.flexible_activations.data import STUDENT, Network, examples, fresh, networks
from tests.sampling import Drawn

SEEDS = range(2**12)
SIGNED = stats.uniform(-1, 2)


def _drawn(stream: int = 0, **values: int) -> Network:
    return networks(PROBLEM.instance(degree=4, **values), SEEDS, stream)


DRAWN = (
    # v_i and w_i are uniform on the unit sphere: in three dimensions each coordinate is uniform (Archimedes)
    Drawn(networks, "V", SIGNED, lambda: _drawn(inputs=3).V[:, 1]),
    Drawn(networks, "W", SIGNED, lambda: _drawn(outputs=3, inputs=2).W[:, 2]),
    # c_is ~ N(0, 1)
    Drawn(networks, "c", stats.norm(), lambda: _drawn(units=4).c),
    # the students before training are other draws of the same law
    Drawn(networks, "a student's c", stats.norm(), lambda: _drawn(STUDENT, units=4).c),
    # x_mu ~ N(0, I)
    Drawn(examples, "examples", stats.norm(), lambda: examples(PROBLEM.instance(), range(8), 2**13)),
    Drawn(fresh, "fresh", stats.norm(), lambda: fresh(PROBLEM.instance(), range(8), 2**13)),
)
