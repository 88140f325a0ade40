"""Looks through a NetCDF file in a process of its own: run with a file and the bytes it may take in memory.

Prints a JSON object: the texts among the attributes of the file, or what is `wrong` with it. The HDF5 library
never returns from some damaged files, and a signal does not reach it; so `netcdf` runs this as a script,
which imports nothing of the project.
"""

from __future__ import annotations

import json
import resource
import sys
from typing import Any

LIBRARY = 2**30
"""Bytes of addresses that Python and libraries take."""


def look(path: str, most: int) -> dict[str, Any]:
    """Read everything in the file once. Returns the texts among its attributes, or {"wrong": why}."""
    import h5py

    found: list[Any] = []
    with h5py.File(path, "r") as file:
        found.append(file)
        file.visititems(lambda _, each: found.append(each))
        arrays = [each for each in found if isinstance(each, h5py.Dataset)]
        if any(each.external or each.is_virtual for each in arrays) or any(map(_linked, found)):
            return {"wrong": "it takes data from other files"}
        size = sum(float(each.size or 0) * each.dtype.itemsize for each in arrays)
        if size > most:
            return {"wrong": f"it holds arrays of {size / 2**30:.3g} GB, more than a question may fill here"}
        for each in arrays:
            each[()]
        for each in found[1:]:
            dict(each.attrs)
        attributes = dict(file.attrs)
    return {"texts": {name: value for name, value in attributes.items() if isinstance(value, str)}}


def _linked(group: Any) -> bool:
    """Whether a group has members that lie in other files."""
    import h5py

    if not isinstance(group, h5py.Group):
        return False
    return any(isinstance(group.get(name, getlink=True), h5py.ExternalLink) for name in group)


if __name__ == "__main__":
    room = int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_AS, (room + LIBRARY, resource.RLIM_INFINITY))
    try:
        said = look(sys.argv[1], room)
    except Exception as error:  # whatever a damaged file makes of the libraries
        said = {"wrong": f"it is damaged, or no NetCDF file ({(str(error).splitlines() or [''])[0][:80]})"}
    print(json.dumps(said))
