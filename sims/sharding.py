"""Draws spread over several devices: each device runs the same program on its share of the draws.

Devices exchange nothing, so the numbers are those of one device up to rounding. With one device, or under
`jax.default_device`, nothing is spread.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import teacherstudent.sims.precision  # noqa: F401  double precision

SINCE = (0, 10, 2)
"""JAX's version: with earlier ones sharding was not tried."""

DRAWS = PartitionSpec("draws")


def devices() -> int:
    """The number of devices that draws are spread over."""
    if jax.config.jax_default_device is not None or jax.__version_info__ < SINCE:
        return 1
    return jax.local_device_count()


@lru_cache
def mesh(count: int) -> Mesh:
    """The first `count` devices."""
    return Mesh(np.array(jax.local_devices()[:count]), ("draws",))


def by_device(function: Callable[..., Any], names: Sequence[str], count: int) -> Callable[..., Any]:
    """The function of which each of `count` devices computes its share of the draws.

    The first axis of the arguments of these names, and of all that the function returns, is the draws.
    """
    signature = inspect.signature(function)

    @wraps(function)
    def shared(*arguments: Any, **named: Any) -> Any:
        given = signature.bind(*arguments, **named)

        def share(own: dict[str, Any]) -> Any:
            given.arguments.update(own)
            return function(*given.args, **given.kwargs)

        own = {name: given.arguments[name] for name in names}
        return jax.shard_map(share, mesh=mesh(count), in_specs=DRAWS, out_specs=DRAWS, check_vma=False)(own)

    return shared


def spread(
    program: Callable[[int], Callable[..., Any]], given: inspect.BoundArguments, names: Sequence[str]
) -> Any:
    """What `program(count)` gives, on as many devices as there are draws for.

    All devices take the same number of draws. If the draws do not divide, the last draw is repeated, and the
    repetitions are removed from the answer.
    """
    own = {name: given.arguments[name] for name in names}
    draws = len(jax.tree.leaves(own)[0])
    share = -(-draws // devices())
    count = -(-draws // share)
    places = np.minimum(np.arange(count * share), draws - 1)
    if places.size > draws:
        own = jax.tree.map(lambda array: array[places], own)
    given.arguments.update(jax.device_put(own, NamedSharding(mesh(count), DRAWS)))
    found = program(count)(*given.args, **given.kwargs)
    return found if places.size == draws else jax.tree.map(lambda array: array[:draws], found)
