"""Simulations are computed once, kept in files that nobody need trust, and never used after a change."""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teacherstudent.paper_checks import code
from teacherstudent.paper_checks import kept as store
from teacherstudent.paper_checks.kept import keeping, kept
from tools.nested import ROOT

MODULE = "teacherstudent.sims.starvation.colored_digits"


@pytest.fixture
def calls() -> list[int]:
    return []


@pytest.fixture
def squares(calls: list[int]) -> Callable[..., dict[str, Any]]:
    """A function of a module of the package, which notes its calls."""

    def squares(seed: int, more: tuple[float, ...] = ()) -> dict[str, Any]:
        calls.append(seed)
        time.sleep(0.05)
        return {"square": seed**2, "more": np.array(more), "signs": np.array([[True], [False]])}

    squares.__module__ = MODULE
    return squares


def test_an_answer_is_computed_once_and_read_by_the_next_process(
    squares: Callable[..., Any], calls: list[int], tmp_path: Path
) -> None:
    first = kept(squares, seed=3, more=(0.1,))
    for _ in range(2):
        with keeping(tmp_path / "made"):  # each knows nothing but the files
            found = [kept(squares, seed=3, more=(0.1,)) for _ in range(2)]
            for each in found:
                assert {name: np.asarray(value).tolist() for name, value in each.items()} == {
                    name: value.tolist() for name, value in first.items()
                }
    assert calls == [3, 3]
    with keeping(tmp_path / "made"):
        kept(squares, seed=3, more=(0.2,))
        with pytest.raises(ValueError, match="read-only"):
            kept(squares, seed=3)["signs"][0] = False
    assert calls == [3, 3, 3, 3]
    assert len(list((tmp_path / "made").iterdir())) == 3


def test_a_file_is_not_trusted(
    squares: Callable[..., Any],
    calls: list[int],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(store, "LARGEST", 2**16)

    def ask() -> None:
        with keeping(tmp_path):
            assert kept(squares, seed=2)["square"] == 4

    ask()
    (path,) = tmp_path.glob("*.npz")
    whole = path.read_bytes()
    basis = np.load(path)[store.BASIS]
    damages: list[tuple[str, Callable[[], object]]] = [
        ("damaged", lambda: path.write_bytes(whole[:-30])),
        ("something else", lambda: np.savez(path, square=np.array(5))),
        ("pickle", lambda: np.savez(path, allow_pickle=True, **{store.BASIS: np.array([{}])})),
        ("no numbers", lambda: np.savez(path, **{store.BASIS: basis, "square": np.array("4")})),
        ("more than", lambda: np.savez_compressed(path, a=np.zeros(store.LARGEST // 8 + 1))),
    ]
    for k, (why, damage) in enumerate(damages):
        damage()
        ask()
        assert why in caplog.records[-1].message
        assert len(calls) == k + 2
    ask()
    assert len(calls) == len(damages) + 1


def test_two_that_ask_at_once_compute_once(
    squares: Callable[..., Any], calls: list[int], tmp_path: Path
) -> None:
    def ask(_: int) -> int:
        with keeping(tmp_path):
            return int(kept(squares, seed=4)["square"])

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(ask, range(2))) == [16, 16]
    assert calls == [4]


def test_nobody_waits_for_ever(
    squares: Callable[..., Any], calls: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for a process that hangs; the system gives up the lock of one that ends."""
    monkeypatch.setattr(store, "LONGEST_WAIT", 0.2)
    with keeping(tmp_path):
        kept(squares, seed=5)
    (path,) = tmp_path.glob("*.npz")
    path.unlink()
    with path.with_suffix(".lock").open("w") as lock, keeping(tmp_path):
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert kept(squares, seed=5)["square"] == 25
    assert calls == [5, 5]


def test_nothing_is_used_after_the_code_has_changed(
    squares: Callable[..., Any], calls: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in ("house", "problems", "sims"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(code, "HERE", tmp_path)

    def asked(changed: str = "", long_ago: float = 100.0) -> int:
        if changed:
            path = tmp_path / changed
            path.write_text(path.read_text(encoding="utf-8") + "\nMORE = 1\n", encoding="utf-8")
            os.utime(path, (code.STARTED - long_ago, code.STARTED - long_ago))
        before = len(calls)
        with keeping(tmp_path / "store"):
            kept(squares, seed=6)
        return len(calls) - before

    assert [asked(), asked()] == [1, 0]
    assert [asked("sims/precision.py"), asked()] == [1, 0]  # which is imported for what it does
    assert [asked("problems/colored_digits.py"), asked()] == [1, 0]
    assert asked("sims/heavy_tails/sgd.py") == 0
    assert [asked("sims/arrays.py", -1.0), asked()] == [1, 1]  # what runs may not be what is read


def test_a_digest_follows_the_problems_that_a_file_names() -> None:
    """Routes are looked up by text: of these a figure may ask any."""
    reached = set(code.files_reached(["figures.residual_digits.panels"]) or ())
    assert {
        "sims.residual_digits.descent",
        "theory.residual_digits.kernel",
        "problems.residual_digits.data",
    } <= reached
    assert {"theory.algorithms.momentum", "house.running", "figures.kit.style"} <= reached
    assert not [each for each in reached if each.startswith(("theory.multiscale", "sims.heavy_tails"))]
