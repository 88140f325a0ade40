"""The tests as other processors run them: libraries take the settings, and what cannot be is said."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.support import python
from tools import processors
from tools.processors import PROCESSORS, QUICK, ROOT, environment, flags, main

TAKEN = """
import json, os, warnings
warnings.simplefilter("error")
import tests.conftest
import numpy as np
np.linalg.inv(np.eye(2))
print(json.dumps([np.show_config(mode="dicts")["SIMD Extensions"].get("found", []), os.environ["XLA_FLAGS"]]))
"""


@pytest.mark.parametrize("name", PROCESSORS)
def test_the_libraries_take_the_settings(name: str) -> None:
    of = PROCESSORS[name]
    if of.needs not in flags():
        pytest.skip(f"this processor has no {of.needs}")
    wanted = environment(of)
    done = python("-c", TAKEN, **wanted)
    assert done.returncode == 0, done.stderr
    found, xla = json.loads(done.stdout)
    assert not set(found) & set(wanted["NPY_DISABLE_CPU_FEATURES"].split())
    assert xla.split()[-1] == f"--xla_cpu_max_isa={of.xla}"


def test_the_quick_part_exists() -> None:
    for each in QUICK:
        path, _, name = each.partition("::")
        assert f"def {name}" in (ROOT / path).read_text(encoding="utf-8")


def test_an_unknown_name_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["avx", "pentium", "tests/test_files.py"]) == 2
    assert capsys.readouterr() == ("", "error: pentium: must be one of sse, avx, avx2, avx512\n")


def test_what_this_processor_lacks_is_said_and_the_rest_is_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run: list[Any] = []

    def pretend(command: list[str], cwd: object, env: dict[str, str]) -> Any:
        run.append((env["OPENBLAS_CORETYPE"], command[-2:]))
        return subprocess.CompletedProcess(command, len(run) - 1)

    monkeypatch.setattr(processors, "flags", lambda: frozenset({"sse4_2", "avx"}))
    monkeypatch.setattr(processors.subprocess, "run", pretend)
    assert main(["tests/test_files.py", "-x"]) == 1
    assert run == [
        ("Prescott", ["tests/test_files.py", "-x"]),
        ("Sandybridge", ["tests/test_files.py", "-x"]),
    ]
    said = capsys.readouterr().out.splitlines()
    assert "avx2: left out, since this processor has no avx2 or does not say so" in said
    assert said[-1] == "tests failed as: avx"
