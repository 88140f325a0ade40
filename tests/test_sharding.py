"""Several devices share the draws and give the numbers of one device, tried with four virtual devices."""

from __future__ import annotations

import json

import numpy as np

from teacherstudent.house.running import run
from tests.roundings import same
from tests.support import python

QUESTIONS = {
    "multiscale descent simulation": {"times": [1.0, 30.0], "n": 6, "d": 4, "p": 2},
    "multiscale sgd simulation": {"times": [1.0, 30.0], "n": 6, "d": 4, "p": 2},
    "multiscale ridge simulation": {"times": [1.0, 3.0], "n": 6, "d": 4, "p": 2},
    "committee online chain": {"times": [0.1, 1.0], "d": 20},
    "committee online simulation": {"times": [0.1, 1.0], "d": 20},
    "perceptron examples simulation": {"times": [0.5, 2.0], "d": 4, "rule": "max-stability"},
    "heavy-tails sgd simulation": {"times": [1.0, 20.0], "d": 3, "batch": 2},
}
SEEDS, ROUNDINGS = 6, 1000

SCRIPT = """
import json, sys
import jax, jax.numpy as jnp, numpy as np
from teacherstudent.house.running import run
from teacherstudent.sims.arrays import groups, side_by_side
from teacherstudent.sims.compilation import compiled

doubled = compiled(lambda x, factor: {"all": factor * x}, by_draw=["x"])
found = [doubled(np.arange(count), 2.0)["all"] for count in (8.0, 6.0, 2.0)]
with jax.default_device(jax.devices()[2]):
    found.append(doubled(np.arange(8.0), 2.0)["all"])
answers = {}
for name, question in json.loads(sys.argv[1]).items():
    answer = run(*name.split(), seeds=range(int(sys.argv[2])), **question)
    answers[name] = {key: values.values.tolist() for key, values in answer.data_vars.items()}
print(json.dumps({
    "found": [each.tolist() for each in found],
    "devices": [sorted(device.id for device in each.devices()) for each in found],
    "share": found[0].addressable_shards[3].data.tolist(),
    "turns": [int(i) for i in side_by_side(lambda part: jnp.ones(1).device.id, np.split(np.arange(6), 6))],
    "sizes": [len(part) for part in groups(30, 2**15, 1)],
    "answers": answers,
}))
"""


def test_four_devices_share_the_draws_and_give_the_numbers_of_one() -> None:
    virtual = {"XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
    said = python("-c", SCRIPT, json.dumps(QUESTIONS), SEEDS, **virtual)
    assert said.returncode == 0, said.stderr
    told = json.loads(said.stdout)
    assert told["found"] == [[2.0 * i for i in range(count)] for count in (8, 6, 2, 8)]
    assert told["devices"] == [[0, 1, 2, 3], [0, 1, 2], [0, 1], [2]]  # the last as the caller chose
    assert told["share"] == [12.0, 14.0]
    assert told["turns"] == [0, 1, 2, 3, 0, 1]
    assert told["sizes"] == [8, 8, 8, 8]  # on one device at most two
    for name, question in QUESTIONS.items():
        alone = run(*name.split(), seeds=range(SEEDS), **question)
        for key, values in alone.data_vars.items():
            found = np.array(told["answers"][name][key], float)
            assert same(found, values.values, ROUNDINGS), (name, key)
