"""Compiled functions: Ctrl-C interrupts them, and the next process reads what this one compiled.

JAX's own switches govern: `JAX_ENABLE_COMPILATION_CACHE=false` turns it off and
`JAX_COMPILATION_CACHE_DIR` moves it. A program's key holds its operations, the versions of JAX
and XLA and the kind of processor, never the values or seeds it is run on.
"""

from __future__ import annotations

import inspect
import itertools
import os
import stat
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache, partial, update_wrapper
from pathlib import Path
from typing import Any

import jax
from platformdirs import user_cache_path

import teacherstudent.sims.precision  # noqa: F401  double precision
from teacherstudent.house.errors import InputError, in_short
from teacherstudent.house.interruptible import run_interruptibly
from teacherstudent.sims import sharding

QUIET_SINCE = (0, 10, 2)
"""Earlier versions complain on standard error of every program that they read on a processor with
AVX-512 (https://github.com/jax-ml/jax/issues/38445)."""

SHORTEST = 0.05
"""Seconds: what compiles faster is not worth a file."""

MOST = 4000
"""Programs kept, some 20 kB each; the oldest go first."""


GRAPHS = {
    "xla_gpu_enable_command_buffer": "FUSION,CUBLAS,CUBLASLT,CUSTOM_CALL,WHILE,CONDITIONAL",
    "xla_gpu_graph_min_graph_size": 1,
}
"""On a GPU whole loops are handed to it. XLA's default asks the processor before each step whether another
one follows: that takes 22 us on an H100, and a step of this kind 8."""

GRAPHS_SINCE = (0, 11, 2)
"""JAX's version: with earlier ones that was not tried."""


QUICKLY = {"xla_backend_optimization_level": 1}
"""For programs over few numbers that are compiled for many shapes: compiling costs two thirds, and they run
as fast."""


class UnsafeFolderWarning(UserWarning):
    """A folder is not used because other users can write in it."""


class compiled:
    """What `jax.jit` makes of a function, with the same options, waited for so that Ctrl-C is answered.

    The answer is there when the call returns. Every compiled function of the simulations is one of these.
    Raises `InputError` where somebody has set JAX back to single precision meanwhile. on_cpu: run on the CPU
    even if there is a GPU, for loops of very many steps over few numbers: each step waits for the one before,
    and on a GPU takes ten times as long. by_draw: names of arguments whose first axis is the draws, as is the
    first axis of every returned array. Several devices share the draws (`sims.sharding`).
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        on_cpu: bool = False,
        by_draw: Sequence[str] = (),
        **options: Any,
    ) -> None:
        self.function, self.on_cpu, self.by_draw, self.options = function, on_cpu, by_draw, options
        self.program_on = cache(self._made)
        update_wrapper(self, function)

    @property
    def program(self) -> Any:
        """The program for one device. It is made at the first call, which knows the kind of device."""
        return self.program_on(1)

    def _made(self, devices: int) -> Any:
        """The program for that many devices."""
        whole_loops = (
            not self.on_cpu and jax.default_backend() == "gpu" and jax.__version_info__ >= GRAPHS_SINCE
        )
        function = self.function
        if devices > 1:
            function = sharding.by_device(function, self.by_draw, devices)
        return jax.jit(function, **self.options, **({"compiler_options": GRAPHS} if whole_loops else {}))

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        if not jax.config.jax_enable_x64:
            domain = "True, because simulations need double precision"
            hint = 'call jax.config.update("jax_enable_x64", True), or simulate in another process'
            raise InputError("JAX_ENABLE_X64", False, domain, hint)
        return run_interruptibly(partial(self._answer, *arguments, **named))

    def _answer(self, *arguments: Any, **named: Any) -> Any:
        if self.by_draw and sharding.devices() > 1:
            given = inspect.signature(self.function).bind(*arguments, **named)
            return jax.block_until_ready(sharding.spread(self.program_on, given, self.by_draw))
        with _cpu() if self.on_cpu else nullcontext():
            return jax.block_until_ready(self.program(*arguments, **named))


def _cpu() -> AbstractContextManager[object]:
    """JAX on the first CPU that it may use; where it may use none, as it is."""
    try:
        return jax.default_device(jax.local_devices(backend="cpu")[0])
    except RuntimeError:
        return nullcontext()


def keep_programs() -> None:
    """Have JAX keep what it compiles in the user's cache folder, unless the user chose otherwise.

    Where the folder cannot be made or written nothing is kept: that costs time, never an answer. Nor is
    anything kept in or read from a folder in which others can write, for what lies there is run; where
    the user chose it, an `UnsafeFolderWarning` says so.
    """
    chosen = jax.config.jax_compilation_cache_dir
    if chosen and others_can_write(Path(chosen)):
        jax.config.update("jax_compilation_cache_dir", None)
        warnings.warn(
            f"JAX_COMPILATION_CACHE_DIR {in_short(chosen)}: must be a folder in which nobody else can "
            "write; compiled programs are not saved",
            UnsafeFolderWarning,
            stacklevel=3,
        )
        return
    if chosen or not jax.config.jax_enable_compilation_cache or jax.__version_info__ < QUIET_SINCE:
        return
    with suppress(OSError):
        folder = user_cache_path("teacherstudent") / "compiled"
        for each in (*reversed(folder.parents), folder):  # one by one: `parents=True` would obey the umask
            each.mkdir(mode=0o700, exist_ok=True)  # private: what lies there is run
        if not os.access(folder, os.W_OK) or others_can_write(folder):
            return
        _forget_oldest(folder)
        jax.config.update("jax_compilation_cache_dir", str(folder))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", SHORTEST)


def others_can_write(folder: Path) -> bool:
    """Whether another user (not root) can change what lies in the folder, or put another in its place.

    A folder above it may be open to all if it is sticky, as /tmp is: there nobody moves what others own.
    """
    if not hasattr(os, "geteuid"):  # no such modes there
        return False
    return any(_open_to_others(chain) for chain in (folder.absolute(), folder.resolve()))  # also a link's way


def _open_to_others(folder: Path) -> bool:
    existing = [each.stat() for each in (folder, *folder.parents) if each.exists()]
    for found, inside in zip(existing, itertools.chain([True], itertools.repeat(False)), strict=False):
        writers = found.st_mode & (stat.S_IWOTH | (stat.S_IWGRP if _shared(found.st_gid) else 0))
        sticky = not inside and found.st_mode & stat.S_ISVTX
        if found.st_uid not in (0, os.geteuid()) or (writers and not sticky):
            return True
    return False


def _shared(group: int) -> bool:
    """Whether others may belong to that group: to any but the one that many systems give each user alone."""
    import grp
    import pwd

    try:
        user, found = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return True
    own = group == user.pw_gid and found.gr_name == user.pw_name
    return not own or bool(set(found.gr_mem) - {user.pw_name})


def _forget_oldest(folder: Path) -> None:
    programs = list(folder.glob("*-cache"))
    if len(programs) > MOST:
        programs.sort(key=lambda program: program.stat().st_mtime)
        for program in programs[: -MOST // 2]:
            program.unlink(missing_ok=True)
