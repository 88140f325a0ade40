"""Compiled functions: Ctrl-C interrupts them, and the next process reads what this one compiled.

JAX's own switches govern: `JAX_ENABLE_COMPILATION_CACHE=false` turns it off and
`JAX_COMPILATION_CACHE_DIR` moves it. A program's key holds its operations, the versions of JAX
and XLA and the kind of processor, never the values or seeds it is run on.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import update_wrapper
from pathlib import Path
from typing import Any

import jax
from platformdirs import user_cache_path

from teacherstudent.house.waiting import waited

QUIET_SINCE = (0, 10, 2)
"""Earlier versions complain on standard error of every program that they read on a processor with
AVX-512 (https://github.com/jax-ml/jax/issues/38445)."""

SHORTEST = 0.05
"""Seconds: what compiles faster is not worth a file."""

MOST = 4000
"""Programs kept, some 20 kB each; the oldest go first."""


class compiled:
    """What `jax.jit` makes of a function, with the same options, waited for so that Ctrl-C is answered.

    The answer is there when the call returns. Every compiled function of the simulations is one of these.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        self.program = jax.jit(function, **options)
        update_wrapper(self, function)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        device = jax.config.jax_default_device  # a setting of this thread

        def answer() -> Any:
            with jax.default_device(device):
                return jax.block_until_ready(self.program(*arguments, **named))

        return waited(answer)


def keep_programs() -> None:
    """Have JAX keep what it compiles in the user's cache folder, unless the user chose otherwise.

    Where the folder cannot be made or written nothing is kept: that costs time, never an answer.
    """
    chosen = jax.config.jax_compilation_cache_dir or not jax.config.jax_enable_compilation_cache
    if chosen or jax.__version_info__ < QUIET_SINCE:
        return
    with suppress(OSError):
        folder = user_cache_path("teacherstudent") / "compiled"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # private: what lies there is run
        if not os.access(folder, os.W_OK):
            return
        _forget_oldest(folder)
        jax.config.update("jax_compilation_cache_dir", str(folder))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", SHORTEST)


def _forget_oldest(folder: Path) -> None:
    programs = list(folder.glob("*-cache"))
    if len(programs) > MOST:
        programs.sort(key=lambda program: program.stat().st_mtime)
        for program in programs[: -MOST // 2]:
            program.unlink(missing_ok=True)
