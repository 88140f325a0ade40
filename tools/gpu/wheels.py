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
TARGET = {"python_version": PYTHON, "python_full_version": f"{PYTHON}.0", "sys_platform": "linux"}
PLATFORMS = [f"--platform=manylinux{each}_x86_64" for each in ("2014", "_2_17", "_2_27", "_2_28")]
ENTRY = re.compile(r"^([\w.-]+)(==\S+)(?: ; ([^\\\n]+?))? \\\n((?:    --hash=\S+(?: \\)?\n)+)", re.MULTILINE)
"""Of the lock: a name, a version, a marker, and hashes."""


def needed(requirement: str, known: frozenset[str] = frozenset()) -> frozenset[str]:
    """Names of the libraries that a requirement brings, of itself, and those already `known`."""
    from packaging.requirements import Requirement

    asked = Requirement(requirement)
    name = re.sub(r"[-_.]+", "-", asked.name).lower()
    extras = [{**TARGET, "extra": extra} for extra in asked.extras or {""}]
    if name not in known:
        known |= {name}
        for each in requires(name) or []:
            marker = Requirement(each).marker
            if marker is None or any(map(marker.evaluate, extras)):
                known = needed(each, known)
    return known


def pinned(lock: str, names: frozenset[str]) -> str:
    """The entries of these names in the text of a lock, with their hashes, for the target machine."""
    from packaging.markers import Marker

    return "".join(
        f"{name}{version} \\\n{hashes}"
        for name, version, marker, hashes in ENTRY.findall(lock)
        if name in names and (not marker or Marker(marker).evaluate(TARGET))
    )


def fetch(folder: Path) -> None:
    """Download the wheels into the folder through pip, which compares their hashes with the lock."""
    names = needed("teacherstudent[data]") - needed("jax") - {"teacherstudent"}
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as chosen:
        chosen.write(pinned(LOCK.read_text("utf-8"), names))
        chosen.flush()
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        pip += ["--require-hashes", "--only-binary=:all:", f"--python-version={PYTHON}", *PLATFORMS]
        subprocess.run([*pip, f"--requirement={chosen.name}", f"--dest={folder}"], check=True)
    sizes = [wheel.stat().st_size for wheel in folder.glob("*.whl")]
    print(f"{folder}: {len(sizes)} wheels, {sum(sizes) / 2**20:.1f} MiB")


def missing(folder: Path) -> None:
    """Print a line for each wheel whose library is not there: nothing that is there is replaced."""
    for wheel in sorted(folder.glob("*.whl")):
        try:
            distribution(wheel.name.split("-")[0])
        except PackageNotFoundError:
            print(wheel)


if __name__ == "__main__":
    {"fetch": fetch, "missing": missing}[sys.argv[1]](Path(sys.argv[2]))
