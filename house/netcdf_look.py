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

MOST = 1000
"""Arrays and groups in a file, and names in a group: no answer has as many, and 60,000 take half a minute."""


def look(path: str, most: int) -> dict[str, Any]:
    """Read everything in the file once. Returns the texts among its attributes, or {"wrong": why}."""
    import h5py

    found: list[Any] = []

    def enough(_: str, each: Any) -> bool | None:
        found.append(each)
        return len(found) > MOST or None

    with h5py.File(path, "r") as file:
        found.append(file)
        file.visititems(enough)
        if len(found) > MOST or any(isinstance(each, h5py.Group) and len(each) > MOST for each in found):
            return {"wrong": f"it holds more than {MOST} arrays, as no answer does"}
        arrays = [each for each in found if isinstance(each, h5py.Dataset)]
        if any(each.external or each.is_virtual for each in arrays) or any(map(_linked, found)):
            return {"wrong": "it refers to data in other files"}
        size = sum(float(each.size or 0) * each.dtype.itemsize for each in arrays)
        if size > most:
            return {"wrong": f"it holds arrays of {size / 2**30:.3g} GB, more than is available here"}
        for each in arrays:
            each[()]
        for each in found[1:]:
            dict(each.attrs)
        texts = {name: _text(value) for name, value in file.attrs.items()}
    return {"texts": {name: text for name, text in texts.items() if text is not None}}


def _text(value: Any) -> str | None:
    """A text, of fixed length or alone in an array as other libraries write it; None for what is none."""
    if getattr(value, "size", None) == 1:
        value = value.item()
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    return value if isinstance(value, str) else None


def _linked(group: Any) -> bool:
    """Whether a group has members that lie in other files."""
    import h5py

    if not isinstance(group, h5py.Group):
        return False
    return any(isinstance(group.get(name, getlink=True), h5py.ExternalLink) for name in group)


if __name__ == "__main__":
    room = int(sys.argv[2])
    try:
        given = resource.getrlimit(resource.RLIMIT_AS)  # which stays a bound, and may not be raised
        bounds = [room + LIBRARY, *(each for each in given if each != resource.RLIM_INFINITY)]
        resource.setrlimit(resource.RLIMIT_AS, (min(bounds), given[1]))
        said = look(sys.argv[1], room)
    except Exception as error:  # whatever a damaged file makes of the libraries
        said = {"wrong": f"it is damaged, or no NetCDF file ({(str(error).splitlines() or [''])[0][:80]})"}
    print(json.dumps(said))
