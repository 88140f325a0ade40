"""The wheels that a machine without a network needs: `python -m tools.gpu.wheels fetch|missing FOLDER`.

`fetch` downloads those pinned by requirements.lock that simulations need, without JAX and what it brings.
`missing` prints those of the folder whose library this Python lacks.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

LOCK = Path(__file__).parents[2] / "requirements.lock"
PYTHON = "3.12"
TARGET = {
    "python_version": PYTHON,
    "python_full_version": f"{PYTHON}.0",
    "platform_machine": "x86_64",
    "platform_python_implementation": "CPython",
    "implementation_name": "cpython",
    "sys_platform": "linux",
    "platform_system": "Linux",
    "os_name": "posix",
}
"""What markers are evaluated for, whatever machine this is."""


def needed(requirement: str, known: set[str]) -> set[str]:
    """Names of the libraries that a requirement brings, itself and those `known` included."""
    from packaging.requirements import Requirement

    asked = Requirement(requirement)
    name = _canonical(asked.name)
    if name in known:
        return known
    known = known | {name}
    try:
        further = requires(name) or []
    except PackageNotFoundError:
        return known
    for each in further:
        marker = Requirement(each).marker
        extras = asked.extras or {""}
        if marker is None or any(marker.evaluate({**TARGET, "extra": extra}) for extra in extras):
            known = needed(each, known)
    return known


def pinned(lock: str, names: set[str]) -> str:
    """The entries of these names in the text of a lock, with their hashes, for the target machine."""
    from packaging.markers import Marker

    entries = []
    for name, version, marker, hashes in re.findall(
        r"^([\w.-]+)==(\S+)(?: ; ([^\\\n]+?))? \\\n((?:    --hash=\S+(?: \\)?\n)+)", lock, re.MULTILINE
    ):
        if _canonical(name) in names and (not marker or Marker(marker).evaluate(TARGET)):
            entries.append(f"{name}=={version} \\\n{hashes}")
    return "".join(entries)


def fetch(folder: Path) -> None:
    """Download the wheels into the folder, through pip, which compares their hashes with the lock."""
    names = needed("teacherstudent[data]", set()) - needed("jax", set()) - {"teacherstudent"}
    platforms = [f"--platform=manylinux{each}_x86_64" for each in ("2014", "_2_17", "_2_27", "_2_28")]
    with tempfile.TemporaryDirectory() as room:
        chosen = Path(room) / "wheels.txt"
        chosen.write_text(pinned(LOCK.read_text("utf-8"), names), "utf-8")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        pip += ["--no-deps", "--require-hashes", "--only-binary=:all:", "--implementation=cp"]
        pip += [f"--python-version={PYTHON}", *platforms, f"--requirement={chosen}", f"--dest={folder}"]
        subprocess.run(pip, check=True)
    sizes = [wheel.stat().st_size for wheel in folder.glob("*.whl")]
    print(f"{folder}: {len(sizes)} wheels, {sum(sizes) / 2**20:.1f} MiB")


def missing(folder: Path) -> None:
    """Print a line for each wheel whose library is not there: nothing that is there is replaced."""
    for wheel in sorted(folder.glob("*.whl")):
        try:
            distribution(wheel.name.split("-")[0])
        except PackageNotFoundError:
            print(wheel)


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    {"fetch": fetch, "missing": missing}[sys.argv[1]](Path(sys.argv[2]))
