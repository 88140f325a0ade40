"""The tests where a machine gives as little as it may: `python -m tools.hard [--quick] [pytest's arguments]`.

They run on a copy of the checkout that nobody may write to, which belongs to somebody else, in a folder with
spaces in its name; without special rights, on one core, without network, shared memory and HOME, in an ASCII
locale, with little room for temporary files, in an order drawn anew, and with programs compiled as users have
them. Conditions that this system does not let a process make are named in one line. `--quick` runs only
`QUICK`, the files that read, write, print or start processes, with programs compiled as for `make test`.

The folder's name is ASCII: where the locale is ASCII too, JAX compiles nothing in a file of another name.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import secrets
import shlex
import shutil
import socket
import stat
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "a b c"  # short: messages of one line cut long paths
NOT_COPIED = shutil.ignore_patterns(
    ".venv*", "out", "build", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis"
)
NOBODY = 65534
ROOM = "512m"
"""For temporary files."""
QUICK = (
    "test_announcements",
    "test_command_curve",
    "test_command_errors",
    "test_command_faults",
    "test_command_shell",
    "test_command_sweep",
    "test_compilation",
    "test_documents",
    "test_files",
    "test_interruption",
    "test_lessons_command",
    "test_papers",
    "test_provenance",
    "test_site_parts",
    "test_sweeps_cluster",
    "test_sweeps_damage",
    "test_sweeps_faults",
    "test_sweeps_local",
    "test_sweeps_plan",
    "test_wheel",
)

UNSHARED = ("unshare", "--mount")
AS_ROOT = ("--map-root-user",)
"""A user without rights may mount in a namespace of their own, where they are called root."""
NO_NETWORK = ("--net",)
NO_RIGHTS = ("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs")


def works(*command: str) -> bool:
    """Whether this system lets a process do that."""
    try:
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    except OSError:
        return False


def mounted(temporary: Path) -> dict[str, str]:
    """Shell commands in a namespace of mounts that make a condition."""
    return {
        "no shared memory": "mount -t tmpfs -o ro none /dev/shm",
        f"{ROOM} for temporary files": f"mount -t tmpfs -o size={ROOM} none {shlex.quote(str(temporary))}",
    }


def wrapping(temporary: Path) -> tuple[list[str], list[str]]:
    """What goes before a command to make conditions for it, and the conditions that cannot be made."""
    before: list[str] = []
    lacking: list[str] = []
    root = () if os.geteuid() == 0 else AS_ROOT
    if works(*UNSHARED, *root, *NO_NETWORK, "true"):
        before += [*UNSHARED, *root, *NO_NETWORK]
    elif works(*UNSHARED, *root, "true"):
        before += [*UNSHARED, *root]
        lacking.append("no network")
    else:
        lacking.append("no network")
    steps = ["true"]
    for condition, step in mounted(temporary).items():
        if before and works(*before, "sh", "-c", step):
            steps.append(step)
        else:
            lacking.append(condition)
    if before:
        before += ["sh", "-c", f'{" && ".join(steps)} && exec "$@"', "sh"]
        before += [sys.executable, "-m", "tools.hard", "--loopback"]
    if os.geteuid() == 0 or before:
        if works(*NO_RIGHTS, "true"):
            before += NO_RIGHTS
        else:
            lacking.append("no special rights")
    return before, lacking


def raise_loopback() -> None:
    """Bring up the loopback, which is down where a namespace begins and up on every machine."""
    with socket.socket() as asked, contextlib.suppress(OSError):
        request = struct.pack("16sh14x", b"lo", 0x1)  # IFF_UP
        fcntl.ioctl(asked, 0x8914, request)  # SIOCSIFFLAGS


def environment(temporary: Path, checkout: Path, quick: bool) -> dict[str, str]:
    """What a process is told of its surroundings: as little as may be."""
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    as_users = {} if quick else {"JAX_DISABLE_MOST_OPTIMIZATIONS": "0", "XLA_FLAGS": ""}
    return {
        "PATH": os.environ["PATH"],
        **ascii_only,
        **as_users,
        "PYTHONPATH": str(checkout),  # before the editable installation, which leads to the original
        "TMPDIR": str(temporary),
        "COLUMNS": "40",
        "TZ": "Asia/Kathmandu",
    }


@contextlib.contextmanager
def copied(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """A copy of the checkout that cannot be written to, and the conditions that cannot be made."""
    checkout, lacking = folder / "checkout", []
    shutil.copytree(ROOT, checkout, ignore=NOT_COPIED, symlinks=True)
    every = [checkout, *(path for path in checkout.rglob("*") if not path.is_symlink())]
    for path in every:
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222)
        try:
            os.chown(path, NOBODY, NOBODY)
        except OSError:
            lacking = ["a checkout of somebody else's"]
    yield checkout, lacking
    for path in every:
        if path.is_dir():
            path.chmod(0o700)


def hard(arguments: list[str], quick: bool) -> int:
    """Run pytest with these arguments in all conditions that can be made; its exit status."""
    with tempfile.TemporaryDirectory() as base:
        folder = Path(base) / FOLDER
        temporary = folder / "t"
        temporary.mkdir(parents=True)
        with copied(folder) as (checkout, lacking):
            before, more = wrapping(temporary)
            lacking += more
            print(
                "conditions that this system does not let a test have:",
                ", ".join(lacking) or "none",
                flush=True,
            )
            seed = secrets.randbelow(10**6)
            told = [f"--shuffle={seed}", "-p", "no:cacheprovider", "-q", *arguments]
            print("the order is that of", told[0], flush=True)
            one = min(os.sched_getaffinity(0))
            command = [*before, sys.executable, "-m", "pytest", *told]
            return subprocess.run(
                command,
                cwd=checkout,
                env=environment(temporary, checkout, quick),
                umask=0o077,
                preexec_fn=lambda: os.sched_setaffinity(0, {one}),
            ).returncode


def main(arguments: list[str]) -> int:
    """The command line, in both its uses."""
    if arguments[:1] == ["--loopback"]:  # inside the namespace: the rest is the command
        raise_loopback()
        os.execvp(arguments[1], arguments[1:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only " + ", ".join(QUICK))
    known, others = parser.parse_known_args(arguments)
    return hard([*(f"tests/{name}.py" for name in QUICK if known.quick), *others], known.quick)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
