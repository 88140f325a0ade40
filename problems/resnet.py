"""The published results of a ResNet-18 in Figs. 5 and 6, where the user has them.

They are not part of this project. The variable names a folder that holds the article's arrays; without it
there are no such panels, and a line says so, and the check of Fig. 6 is not run.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from teacherstudent.house.errors import InputError
from teacherstudent.house.reading import file_bytes

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr

FOLDER = "TEACHERSTUDENT_RESNET_DATA"
ORIGIN = "github.com/mohammadpz/Epoch_wise_Double_Descent"
EPOCHS, DECAYS = 1001, 92
MOST = 2**21
"""Bytes of a file: twice those of EPOCHS x DECAYS numbers."""
ERROR = {"units": "share of images", "symbol": "e", "long_name": "test error"}
EPOCH = {"units": "passes over the data", "symbol": "t", "long_name": "epoch"}
DECAY = {"units": "1/step", "symbol": "lambda", "long_name": "weight decay"}


def folder() -> Path | None:
    """The folder that the user points at, or None."""
    named = os.environ.get(FOLDER)
    return Path(named) if named else None


def decay_sweep() -> xr.Dataset | None:
    """Test error on CIFAR-10 with 15 % label noise over epoch and weight decay (Fig. 5 a, b).

    Means and standard deviations over 5 seeds. None without the folder; raises `InputError` where
    a file is missing or is not what it should be.
    """
    import numpy as np
    import xarray as xr

    if folder() is None:
        return None
    shape = (EPOCHS, DECAYS)
    columns = {
        "test_error": (("time", "decay"), _array("resnet-test-errors_mean.npy", shape), ERROR),
        "test_error_spread": (
            ("time", "decay"),
            _array("resnet-test-errors_std.npy", shape),
            {**ERROR, "long_name": "standard deviation over 5 seeds"},
        ),
    }
    decay = 10 ** -np.linspace(0.1, 8, 100)[-DECAYS:]  # the first 8 of 100 were unstable
    return xr.Dataset(columns, {"time": _epochs(), "decay": ("decay", decay, DECAY)})


def penalty_runs() -> xr.Dataset | None:
    """Test error on two classes of CIFAR-10 over epochs, without and with the penalty (Fig. 6 right).

    None without the folder; raises `InputError` as `decay_sweep` does.
    """
    import xarray as xr

    if folder() is None:
        return None
    files = {"plain": "wo_reg.npy", "penalised": "w_reg.npy"}
    columns = {name: ("time", _array(file, (EPOCHS,)), ERROR) for name, file in files.items()}
    return xr.Dataset(columns, {"time": _epochs()})


def _epochs() -> tuple[str, np.ndarray, dict[str, str]]:
    """Epochs as the published figures count them, from 1."""
    import numpy as np

    return "time", np.arange(1, EPOCHS + 1), EPOCH


def _array(name: str, shape: tuple[int, ...]) -> np.ndarray:
    import numpy as np

    place = folder()
    assert place
    try:
        values = np.load(io.BytesIO(file_bytes(place / name, MOST)), allow_pickle=False)
    except (EOFError, OSError, ValueError):
        values = np.empty(0)
    if values.shape != shape:
        size = " x ".join(map(str, shape))
        raise InputError(FOLDER, str(place), f"a folder in which {name} holds {size} numbers")
    return values


def instead(panels: str) -> str:
    """One line on a picture that has other results in those panels."""
    return f"{panels} trained here; to show published results of a ResNet-18, set {FOLDER} to their folder."


def absent(panels: str) -> str:
    """One line shown on a picture in place of these panels."""
    return f"Not drawn: {panels}, which need published results of a ResNet-18, read from the folder {FOLDER}."
