"""The work of Fig. 3 of pezeshki2022 ch. 4 against the published script's way of doing it.

3 condition numbers x 100 seeds x 100 times, n = 150, d = 100: gradient descent and ridge
regression at every time. Ours is timed in a fresh interpreter, imports and compilation included.
The baseline is the published algorithm in plain NumPy: a Python loop over seeds and times, with
a matrix power and a matrix inverse at each. It runs on a few seeds and is scaled to all of them.

    python -m benchmarks.figure_3
"""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np

N, D, P, SEEDS, SOME = 150, 100, 60, 100, 2
KAPPAS = (1.0, 50.0, 1e5)
TIMES = np.geomspace(1, 1e6, 100)

OURS = f"""
import time
from house.domains import Span
from house.running import run
for kappa in {KAPPAS}:
    setting = dict(n={N}, d={D}, p={P}, kappa=kappa, seeds=range({SEEDS}))
    run("multiscale", "descent", "simulation", Span(1, 1e6, 100), **setting)
    run("multiscale", "ridge", "simulation", Span(1, 1e6, 100), **setting)
print(time.process_time())
"""

CURVE = """
import time
import numpy as np
from problems.multiscale import PROBLEM
from theory.multiscale import asymptotic
problem, times = PROBLEM.instance(), np.geomspace(1, 1e6, 100)
asymptotic.flow(problem, times)
started = time.process_time()
for _ in range(20):
    asymptotic.flow(problem, times)
print((time.process_time() - started) / 20)
"""


def in_fresh_interpreter(code: str) -> float:
    """What the code prints last: its CPU-seconds."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def baseline() -> float:
    """CPU-seconds of the published algorithm for all seeds, measured on `SOME` of them."""
    started = time.process_time()
    for kappa in KAPPAS:
        strengths = np.repeat([1.0, 1 / kappa], [P, D - P])
        for seed in range(SOME):
            random = np.random.default_rng(seed)
            inputs = random.standard_normal((N, D)) / np.sqrt(D) * strengths
            teacher = random.standard_normal(D)
            labels = inputs / strengths @ teacher
            gram, target = inputs.T @ inputs, inputs.T @ labels
            eta = 1 / np.linalg.eigvalsh(gram)[-1]
            for step in TIMES:
                power = np.linalg.matrix_power(np.eye(D) - eta * gram, int(step))
                ended = np.linalg.inv(gram + 1e-12 * np.eye(D)) @ target
                _measured(teacher, strengths * (ended - power @ ended))
                ridge = np.linalg.inv(gram + np.eye(D) / step) @ target
                _measured(teacher, strengths * ridge)
    return (time.process_time() - started) * SEEDS / SOME


def _measured(teacher: np.ndarray, modulated: np.ndarray) -> tuple[float, float]:
    return float(teacher @ modulated) / D, float(modulated @ modulated) / D


def main() -> None:
    """Print CPU-seconds, their ratio, and the time of a theory curve and of `--help`."""
    ours, theirs, curve = in_fresh_interpreter(OURS), baseline(), in_fresh_interpreter(CURVE)
    print(
        f"Fig. 3's work, CPU-seconds: {ours:.1f} here, {theirs:.0f} as published: {theirs / ours:.0f} times"
    )
    print(f"asymptotic curve of 100 times, after import: {1e3 * curve:.1f} ms of CPU")
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "teacherstudent", "--help"], capture_output=True, check=True)
    print(f"teacherstudent --help: {time.perf_counter() - started:.2f} s")


if __name__ == "__main__":
    main()
