"""NetCDF files that somebody brings. A process of its own reads each first: HDF5 never returns from some.

Of 3,000 answers with flipped bits, 6 kept the HDF5 library busy without end, where no Ctrl-C reaches it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from teacherstudent.house import machine, netcdf_look, reading
from teacherstudent.house.errors import Misread, in_short

if TYPE_CHECKING:
    import xarray as xr

PATIENCE = 60.0
"""Seconds that a file of some MB may take; an answer takes .2, or seconds where the machine is busy."""

RATE = 1e7
"""Bytes a second of what is larger: disks are ten times faster."""


def read_texts(path: Path) -> dict[str, str]:
    """The attributes of the file that are texts. Raises `Misread` and `OSError`."""
    size, room = reading.file_stamp(path)[2], int(min(machine.memory_for_question(), 2**62))
    with reading.byte_stream(path) as stream:
        if stream.read(8) != b"\x89HDF\r\n\x1a\n":
            raise Misread("it is no NetCDF file (version 4)")
    # -P: the script's folder holds modules under names of others
    command = [sys.executable, "-P", netcdf_look.__file__, str(path.resolve()), str(room)]
    patience = PATIENCE + size / RATE
    try:
        said = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience, check=True
        ).stdout
        found = json.loads(said)
    except subprocess.TimeoutExpired:
        raise Misread(f"it is damaged: reading takes more than {patience:.3g} s") from None
    except (subprocess.SubprocessError, ValueError):
        raise Misread("it is damaged: the process that reads it crashes") from None
    if wrong := found.get("wrong"):
        raise Misread(in_short(wrong))
    kept: dict[str, str] = found["texts"]
    return kept


def read_dataset(path: Path) -> xr.Dataset:
    """The file as a dataset in memory. Raises `Misread` and `OSError`."""
    import xarray as xr

    read_texts(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what it says of what is damaged
            with xr.open_dataset(path, engine="h5netcdf") as kept:
                return kept.load()
    except Exception as error:  # whatever a damaged file makes of the libraries
        raise Misread(f"it is damaged ({in_short((str(error).splitlines() or [''])[0])})") from None
