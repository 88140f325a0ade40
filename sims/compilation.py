"""Compiled programs kept on disk, so that the next process reads what this one compiled.

JAX's own switches govern: `JAX_ENABLE_COMPILATION_CACHE=false` turns it off and
`JAX_COMPILATION_CACHE_DIR` moves it. A program's key holds its operations, the versions of JAX
and XLA and the kind of processor, never the values or seeds it is run on.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import jax
from platformdirs import user_cache_path

QUIET_SINCE = (0, 10, 2)
"""Earlier versions complain on standard error of every program that they read on a processor with
AVX-512 (https://github.com/jax-ml/jax/issues/38445)."""

SHORTEST = 0.05
"""Seconds: what compiles faster is not worth a file."""

MOST = 4000
"""Programs kept, some 20 kB each; the oldest go first."""


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
