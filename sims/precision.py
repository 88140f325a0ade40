"""JAX in double precision, for the whole process: every module here that uses JAX imports this one first.

Arrays are float64 unless a caller asks for less, and products of float32 arrays are true float32 products (a
GPU's default is a shorter format). No other module changes a setting that numbers depend on.
"""

from __future__ import annotations

import jax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "highest")
