"""Optimisers for radially invariant groups of weights, as optax gradient transformations.

The scale of the weights before a normalisation layer does not change the output of a network. Training
moves them on a sphere whose radius sets the effective learning rate (roburin2020). Name these groups of
weights with `group_axes`. Then either take a complete optimiser (`adam_s`, `adam_srt`, `sgd_mrt`,
`adagradg`, `adamg`), or chain transformations (`scale_by_adam_s`, `scale_by_adam_srt`, `trace_rt`,
`scale_by_adagradg`, `scale_by_adamg`, `keep_radius`, `along_geodesic`) with those of optax, inside
`by_invariance` if only some parameters are invariant. All work under `jit`, `vmap` and `scan`, in the
precision of the weights, float32 or float64, and change no setting of JAX. A bias before the normalisation
belongs to no group: leave it out.
"""

from teacherstudent.optimisers.adam import adam_s, adam_srt, scale_by_adam_s, scale_by_adam_srt
from teacherstudent.optimisers.groups import group_axes
from teacherstudent.optimisers.mixing import by_invariance
from teacherstudent.optimisers.momentum import sgd_mrt, trace_rt
from teacherstudent.optimisers.sphere import (
    adagradg,
    adamg,
    along_geodesic,
    keep_radius,
    scale_by_adagradg,
    scale_by_adamg,
)

__all__ = [
    "adagradg",
    "adam_s",
    "adam_srt",
    "adamg",
    "along_geodesic",
    "by_invariance",
    "group_axes",
    "keep_radius",
    "scale_by_adagradg",
    "scale_by_adam_s",
    "scale_by_adam_srt",
    "scale_by_adamg",
    "sgd_mrt",
    "trace_rt",
]
