"""The machine and the versions of a measurement."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from teacherstudent.house.machine import cores, processor

LIBRARIES = ("jax", "jaxlib", "numpy", "scipy", "xarray")


def gpu() -> str:
    """The kind of the first GPU that JAX finds, "" if there is none; looked up in a process of its own."""
    code = "import jax; print(next((d.device_kind for d in jax.devices() if d.platform == 'gpu'), ''))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def machine() -> dict[str, Any]:
    """Processor, cores, memory, load, date and versions. The load is that of the last five minutes."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "processor": processor(),
        "cores": cores(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "load": round(os.getloadavg()[1], 2),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
    }
