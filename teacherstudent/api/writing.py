"""Answers as files: CSV that reads back to the last digit, NetCDF and Zarr with units and provenance."""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from teacherstudent.house.errors import in_short
from teacherstudent.house.extras import demand_installed
from teacherstudent.house.files import file_target, folder_target, room_for, whole_file, whole_folder

if TYPE_CHECKING:
    import xarray as xr

SUFFIXES = (".csv", ".nc")
STORES = (".zarr",)
"""Suffixes of answers that are folders."""

MEASURES = ("_stderr", "_residual")
"""What a column is called by that goes with the observable before it."""


def as_csv(answer: xr.Dataset) -> str:
    """An answer as CSV: its axes, then its variables in their order.

    One row for each point: an observable with fewer axes than the answer is repeated along the others. If no
    observable has all axes, rows run over the axes that all observables share, and each element has a column
    (`R_1_2`).
    """
    return "".join(csv_pieces(answer))


def csv_pieces(answer: xr.Dataset, rows: int = 2**16) -> Iterator[str]:
    """The text of `as_csv` in pieces of about that many rows, because memory may be too small for all."""
    answer = _rows(answer.reset_coords(drop=True))
    order = list(answer.dims)
    for i, part in enumerate(_parts(answer, order, rows)):
        frame = part.to_dataframe(dim_order=order)
        yield frame.to_csv(na_rep="nan", lineterminator="\n", header=i == 0)


def _rows(answer: xr.Dataset) -> xr.Dataset:
    """The answer with as few axes as a table needs: it is itself where an observable has all of them."""
    if any(len(each.dims) == len(answer.dims) for each in answer.data_vars.values()):
        return answer
    numbers = [each for each in answer.data_vars.values() if each.dtype.kind == "f"]
    kept = [axis for axis in answer.dims if all(axis in each.dims for each in numbers)]
    columns: dict[str, xr.DataArray] = {}
    for name, each in answer.data_vars.items():
        own = [axis for axis in each.dims if axis not in kept]
        first, *kind = str(name).rpartition("_") if str(name).endswith(MEASURES) else ("", "", str(name))
        stem, end = (first, "".join(kind)) if first else (str(name), "")
        for place in itertools.product(*(range(each.sizes[axis]) for axis in own)):
            at = dict(zip(own, place, strict=True))
            element = each.isel(at)
            labels = "".join(f"_{element[axis].item()}" for axis in own)
            columns[f"{stem}{labels}{end}"] = element.drop_vars(own)
    return answer.drop_vars([*answer.data_vars, *(axis for axis in answer.dims if axis not in kept)]).assign(
        columns
    )


def _parts(answer: xr.Dataset, order: Sequence[Hashable], rows: int) -> Iterator[xr.Dataset]:
    """The answer cut along its first axis, and where that is not enough along the next ones."""
    if not order or math.prod(answer.sizes.values()) <= rows:
        yield answer
        return
    first, *others = order
    count = max(1, rows * answer.sizes[first] // math.prod(answer.sizes.values()))
    for start in range(0, answer.sizes[first], count):
        yield from _parts(answer.isel({first: slice(start, start + count)}), others, rows)


def demand_writable(path: Path) -> None:
    """Raise `InputError` naming `--out` if `save` could not write to `path`; nothing is changed."""
    if path.suffix in STORES:
        demand_installed(f"--out {in_short(str(path))}", "zarr")
    (folder_target if path.suffix in STORES else file_target)(path, "out")


def save(path: Path, compute: Callable[[], xr.Dataset]) -> None:
    """Compute an answer and write it to `path`, whole or not at all.

    Before computing, this checks that `path` can be written. Raises `InputError` naming `--out`, also if the
    disk fills up.
    """
    if path.suffix in STORES:
        with whole_folder(path) as temporary:
            answer = compute()
            # Format 2: readers of either format read its text and its consolidated metadata.
            with room_for(path, "out"):
                answer.to_zarr(temporary, mode="w", zarr_format=2)
        return
    with whole_file(path) as temporary:
        answer = compute()
        with room_for(path, "out"):
            if path.suffix == ".csv":
                with temporary.open("w", encoding="utf-8", newline="") as file:
                    file.writelines(csv_pieces(answer))
            else:
                temporary.write_bytes(netcdf({"": answer}))


def compute_and_save(path: Path, compute: Callable[[], xr.Dataset]) -> xr.Dataset:
    """The answer that was computed and written to `path`, as by `save`."""
    kept: list[xr.Dataset] = []

    def computed() -> xr.Dataset:
        kept.append(compute())
        return kept[0]

    save(path, computed)
    return kept[0]


def netcdf(groups: Mapping[str, xr.Dataset]) -> memoryview:
    """The bytes of a NetCDF file with these groups, "" for its root.

    They are made in memory, because HDF5 crashes at the end of the process if the disk fills up.
    """
    import h5netcdf
    from xarray.backends import H5NetCDFStore

    written = io.BytesIO()
    with h5netcdf.File(written, "w") as file:
        for name, each in groups.items():
            each.dump_to_store(H5NetCDFStore(file.create_group(name) if name else file))
    return written.getbuffer()
