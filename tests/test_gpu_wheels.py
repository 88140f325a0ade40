"""The wheels that `tools/gpu.sh` carries: those of the target machine, and nothing that is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.gpu import wheels


def test_the_pins_of_the_target_machine_are_chosen() -> None:
    lock = wheels.LOCK.read_text("utf-8")
    chosen = wheels.pinned(lock, {"contourpy", "xarray"})
    assert [line for line in chosen.splitlines() if "==" in line and "hash" not in line] == [
        line.partition(" ;")[0] + " \\" if ";" in line else line
        for line in lock.splitlines()
        if line.startswith("xarray==") or (line.startswith("contourpy==") and ">= '3.12'" in line)
    ]
    assert chosen.count("--hash=sha256:") > 2


def test_what_jax_brings_is_not_carried() -> None:
    ours, brought = wheels.needed("teacherstudent[data]", set()), wheels.needed("jax", set())
    assert {"jaxlib", "numpy", "scipy"} <= brought
    assert {"xarray", "pandas", "scikit-learn", "joblib"} <= ours - brought


def test_a_library_that_is_there_is_not_installed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("numpy-0.1-py3-none-any.whl", "no_such_library-0.1-py3-none-any.whl"):
        (tmp_path / name).touch()
    wheels.missing(tmp_path)
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / "no_such_library-0.1-py3-none-any.whl")]
