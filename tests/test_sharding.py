"""Several devices share the draws and give the numbers of one device, tried with four virtual devices."""

from __future__ import annotations

import json

import numpy as np
import pytest

from teacherstudent.house.running import run
from tests.roundings import same
from tests.support import python

QUESTIONS = {
    "multiscale descent simulation": {"times": [1.0, 30.0], "n": 6, "d": 4, "p": 2},
    "multiscale sgd simulation": {"times": [1.0, 30.0], "n": 6, "d": 4, "p": 2},
    "multiscale ridge simulation": {"times": [1.0, 3.0], "n": 6, "d": 4, "p": 2},
    "committee online chain": {"times": [0.1, 1.0], "d": 20},
    "heavy-tails sgd simulation": {"times": [1.0, 20.0], "d": 3, "batch": 2},
}
SEEDS = 6
ROUNDINGS = 1000

SCRIPT = """
import json, sys
import jax, jax.numpy as jnp, numpy as np
from teacherstudent.house.running import run
from teacherstudent.sims.arrays import groups, side_by_side
from teacherstudent.sims.compilation import compiled

double = compiled(lambda x, factor: {"all": factor * x}, by_draw=["x"])
answers = {}
for name, question in json.loads(sys.argv[1]).items():
    found = run(*name.split(), seeds=range(int(sys.argv[2])), **question)
    answers[name] = {key: values.values.tolist() for key, values in found.data_vars.items()}
with jax.default_device(jax.devices()[2]):
    chosen = double(np.arange(8.0), 2.0)["all"]
shards = double(np.arange(8.0), 2.0)["all"].addressable_shards
print(json.dumps({
    "shares": [[each.device.id, each.data.tolist()] for each in shards],
    "filled": double(np.arange(6.0), 2.0)["all"].tolist(),
    "few": sorted(each.id for each in double(np.arange(2.0), 2.0)["all"].devices()),
    "chosen": [each.id for each in chosen.devices()],
    "turns": [int(i) for i in side_by_side(lambda part: jnp.ones(1).device.id, np.split(np.arange(6), 6))],
    "sizes": [len(part) for part in groups(30, 2**15, 1)],
    "answers": answers,
}))
"""


@pytest.fixture(scope="module")
def on_four_devices() -> dict:
    said = python(
        *("-c", SCRIPT, json.dumps(QUESTIONS), SEEDS),
        XLA_FLAGS="--xla_force_host_platform_device_count=4",
    )
    assert said.returncode == 0, said.stderr
    return json.loads(said.stdout)


def test_each_device_holds_its_share_of_the_draws(on_four_devices: dict) -> None:
    assert on_four_devices["shares"] == [[i, [4.0 * i, 4.0 * i + 2]] for i in range(4)]
    assert on_four_devices["few"] == [0, 1]


def test_draws_that_do_not_divide_are_filled_up_and_the_rest_is_dropped(on_four_devices: dict) -> None:
    assert on_four_devices["filled"] == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]


def test_a_device_that_the_caller_chose_computes_all_draws(on_four_devices: dict) -> None:
    assert on_four_devices["chosen"] == [2]


def test_draws_that_go_one_by_one_take_the_devices_in_turn(on_four_devices: dict) -> None:
    assert on_four_devices["turns"] == [0, 1, 2, 3, 0, 1]


def test_a_group_has_as_many_draws_for_each_device_as_one_device_takes(on_four_devices: dict) -> None:
    assert on_four_devices["sizes"] == [8, 8, 8, 8]


@pytest.mark.parametrize("name", QUESTIONS)
def test_four_devices_give_the_numbers_of_one(name: str, on_four_devices: dict) -> None:
    alone = run(*name.split(), seeds=range(SEEDS), **QUESTIONS[name])
    for key, values in alone.data_vars.items():
        found = np.array(on_four_devices["answers"][name][key], float)
        assert same(found, values.values, ROUNDINGS), key
