"""Momentum transported along the sphere: SGD-MRT (roburin2020 Sect. 4.2, App. E.2)."""

from __future__ import annotations

import optax

from teacherstudent.optimisers.groups import AxesTree, Tree, check_groups, map_groups
from teacherstudent.optimisers.mixing import by_invariance, required
from teacherstudent.optimisers.transport import tangential


def trace_rt(decay: float, axes: AxesTree) -> optax.GradientTransformation:
    """`optax.trace` with rescaled transport: a_k = decay RT(a_{k-1}) + g_k.

    roburin2020 Eqs. 75-76. State, `optax.TraceState`; `axes` as in `optimisers.groups`, without None.
    `init` raises `ValueError` for a group of one entry or a group that is zero, `update` if `params` is
    missing. The transport is exact under the condition of `scale_by_adam_srt`.
    """
    trace = optax.trace(decay)

    def init(params: Tree) -> optax.TraceState:
        check_groups(axes, params)
        return trace.init(params)

    def update(
        updates: Tree, state: optax.TraceState, params: Tree | None = None
    ) -> tuple[Tree, optax.TraceState]:
        carried = map_groups(tangential, axes, state.trace, required(params))
        return trace.update(updates, optax.TraceState(carried))

    return optax.GradientTransformation(init, update)


def sgd_mrt(
    learning_rate: optax.ScalarOrSchedule,
    axes: AxesTree,
    momentum: float = 0.9,
    weight_decay: float = 0.0,
    others: optax.GradientTransformation | None = None,
) -> optax.GradientTransformation:
    """SGD with rescaled and transported momentum on the invariant groups, `others` on the rest.

    This is SGD-MRT of roburin2020 Eqs. 75-76. `learning_rate` is a number or a schedule, `axes` as in
    `optimisers.groups`. `weight_decay` (lambda) is L2 regularisation: lambda x is added to the gradient
    before the momentum. `others` trains the parameters that `axes` marks with None; by default SGD with
    momentum and the same numbers. `update` needs the parameters. Errors as in `trace_rt`.

    >>> optimiser = sgd_mrt(0.1, {"dense": (0,), "out": None}, weight_decay=1e-4)
    """
    decay, rate = optax.add_decayed_weights(weight_decay), optax.scale_by_learning_rate(learning_rate)
    invariant = optax.chain(decay, trace_rt(momentum, axes), rate)
    return by_invariance(axes, invariant, others or optax.chain(decay, optax.trace(momentum), rate))
