"""The wheels that `tools/gpu.sh` carries: those of the target machine, and nothing that is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.gpu import wheels


def test_the_pins_of_the_target_machine_are_chosen_without_those_of_jax() -> None:
    names = wheels.needed("teacherstudent[data]") - wheels.needed("jax")
    assert {"xarray", "pandas", "scikit-learn", "joblib"} <= names
    assert not {"jax", "jaxlib", "numpy", "scipy"} & names
    chosen = wheels.pinned(wheels.LOCK.read_text("utf-8"), names)
    assert chosen.count("\ncontourpy==") == 1
    assert chosen.count("==") == len(names - {"teacherstudent"}) < chosen.count("--hash=")


def test_a_library_that_is_there_is_not_installed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("numpy-0.1-py3-none-any.whl", "no_such_library-0.1-py3-none-any.whl"):
        (tmp_path / name).touch()
    wheels.missing(tmp_path)
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / "no_such_library-0.1-py3-none-any.whl")]
