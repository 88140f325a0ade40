"""Answers as files: CSV that reads back to the last digit, NetCDF and Zarr with units and provenance."""

from __future__ import annotations

import csv
import io
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from teacherstudent.house.errors import in_short
from teacherstudent.house.extras import demand_installed
from teacherstudent.house.files import file_target, folder_target, room_for, whole_file, whole_folder
from teacherstudent.house.labelled import Entry, Labelled, in_dataset, labelled

if TYPE_CHECKING:
    import h5netcdf
    import numpy as np
    import xarray as xr

A = TypeVar("A", Labelled, "xr.Dataset", "xr.Dataset | Labelled")


SUFFIXES = (".csv", ".nc")
STORES = (".zarr",)
"""Suffixes of answers that are folders."""

MEASURES = ("_stderr", "_residual")
"""What a column is called by that goes with the observable before it."""


def as_csv(answer: xr.Dataset | Labelled) -> str:
    """An answer as CSV: its axes, then its variables in their order.

    One row for each point: an observable with fewer axes than the answer is repeated along the others. If no
    observable has all axes, rows run over the axes that all observables share, and each element has a column
    (`R_1_2`).
    """
    return "".join(csv_pieces(answer))


def csv_pieces(answer: xr.Dataset | Labelled, rows: int = 2**16) -> Iterator[str]:
    """The text of `as_csv` in pieces of about that many rows, because memory may be too small for all."""
    import numpy as np

    answer = labelled(answer)
    sizes, columns = answer.sizes, answer.variables
    if not any(len(axes) == len(sizes) for axes, *_ in columns.values()):
        columns = _elements(answer)
        sizes = {
            axis: size for axis, size in sizes.items() if any(axis in axes for axes, *_ in columns.values())
        }
    along: dict[str, Entry] = {
        axis: ((axis,), _coordinate(answer, axis, size), {}) for axis, size in sizes.items()
    }
    whole, count = {**along, **columns}, math.prod(sizes.values())
    yield _lines([whole])
    for start in range(0, count, rows):
        at = np.arange(start, min(start + rows, count))
        places = dict(zip(sizes, np.unravel_index(at, tuple(sizes.values())), strict=True))
        parts = [values[tuple(places[axis] for axis in axes)] for axes, values, _ in whole.values()]
        listed = (np.broadcast_to(part, at.shape).tolist() for part in parts)
        yield _lines(
            zip(*(["nan" if each is None else each for each in part] for part in listed), strict=True)
        )


def _lines(rows: Iterable[Iterable[Any]]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()


def _coordinate(answer: Labelled, axis: str, size: int) -> np.ndarray:
    """The values along an axis; without any, their places."""
    import numpy as np

    return answer.coordinates[axis][1] if axis in answer.coordinates else np.arange(size)


def _elements(answer: Labelled) -> dict[str, Entry]:
    """The variables of an answer cut to the axes that all numbers share, an element in each column."""
    numbers = [axes for axes, values, _ in answer.variables.values() if values.dtype.kind == "f"]
    sizes = answer.sizes
    kept = [axis for axis in sizes if all(axis in axes for axes in numbers)]
    columns: dict[str, Entry] = {}
    for name, (axes, values, attrs) in answer.variables.items():
        own = [axis for axis in axes if axis not in kept]
        first, *kind = name.rpartition("_") if name.endswith(MEASURES) else ("", "", name)
        stem, end = (first, "".join(kind)) if first else (name, "")
        labels = [_coordinate(answer, axis, sizes[axis]).tolist() for axis in own]
        left = tuple(axis for axis in axes if axis in kept)
        split = values.transpose([axes.index(axis) for axis in (*own, *left)])
        for place in itertools.product(*(range(sizes[axis]) for axis in own)):
            said = "".join(f"_{each[i]}" for each, i in zip(labels, place, strict=True))
            columns[f"{stem}{said}{end}"] = left, split[place], attrs
    return columns


def demand_writable(path: Path) -> None:
    """Raise `InputError` naming `--out` if `save` could not write to `path`; nothing is changed."""
    if path.suffix in STORES:
        demand_installed(f"--out {in_short(str(path))}", "zarr")
    (folder_target if path.suffix in STORES else file_target)(path, "out")


def save(path: Path, compute: Callable[[], xr.Dataset | Labelled]) -> None:
    """Compute an answer and write it to `path`, whole or not at all.

    Before computing, this checks that `path` can be written. Raises `InputError` naming `--out`, also if the
    disk fills up.
    """
    if path.suffix in STORES:
        with whole_folder(path) as temporary:
            answer = compute()
            # Format 2: readers of either format read its text and its consolidated metadata.
            with room_for(path, "out"):
                in_dataset(answer).to_zarr(temporary, mode="w", zarr_format=2)
        return
    with whole_file(path) as temporary:
        answer = compute()
        with room_for(path, "out"):
            if path.suffix == ".csv":
                with temporary.open("w", encoding="utf-8", newline="") as file:
                    file.writelines(csv_pieces(answer))
            else:
                temporary.write_bytes(netcdf({"": answer}))


def compute_and_save(path: Path, compute: Callable[[], A]) -> A:
    """The answer that was computed and written to `path`, as by `save`."""
    kept: list[A] = []

    def computed() -> A:
        kept.append(compute())
        return kept[0]

    save(path, computed)
    return kept[0]


def netcdf(groups: Mapping[str, xr.Dataset | Labelled]) -> memoryview:
    """The bytes of a NetCDF file with these groups, "" for its root.

    They are made in memory, because HDF5 crashes at the end of the process if the disk fills up.
    """
    import h5netcdf

    written = io.BytesIO()
    with h5netcdf.File(written, "w") as file:
        for name, each in groups.items():
            _write_group(file.create_group(name) if name else file, each)
    return written.getbuffer()


def _write_group(group: h5netcdf.Group, answer: xr.Dataset | Labelled) -> None:
    """Write an answer as xarray does, and without importing it where the answer holds numbers alone."""
    if isinstance(answer, Labelled):
        entries = {**answer.variables, **answer.coordinates}
        named = all(axes == (name,) for name, (axes, *_) in answer.coordinates.items())
        if named and all(values.dtype.str[1:] in ("f8", "i8") for _, values, _ in entries.values()):
            group.attrs.update(answer.attrs)
            group.dimensions = answer.sizes
            for name, (axes, values, attrs) in entries.items():
                missing = math.nan if values.dtype.kind == "f" else None
                made = group.create_variable(name, axes, values.dtype, fillvalue=missing)
                made.attrs.update(attrs)
                made[...] = values
            return
    from xarray.backends import H5NetCDFStore

    in_dataset(answer).dump_to_store(H5NetCDFStore(group))
