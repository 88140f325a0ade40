"""The tests as other processors run them: `python -m tools.processors [--quick] [NAME ...] [FILE ...]`.

NumPy's loops, OpenBLAS's kernels, what XLA compiles and functions of glibc are chosen by the processor, and
with them the order and the rounding of sums. By a setting each chooses as on another processor. NAME is one
of `PROCESSORS`; without any, all are tried. One whose instructions this processor lacks is said and left out.
`--quick` runs only `QUICK`, tests that rounding has broken or comes near to.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
CPUINFO = Path("/proc/cpuinfo")
QUICK = (
    "tests/committee/test_ode.py",
    "tests/gan/test_theory.py::test_a_point_starts_where_it_starts",
    "tests/measured_spectrum/test_simulation.py::test_a_ridge_below_rounding_in_directions_that_no_training_row_"
    "holds_is_nan_with_a_warning",
    "tests/measured_spectrum/test_untidy_rows.py::test_means_far_above_the_spread_change_nothing_of_a_wide_table",
    "tests/spurious_groups/test_theory.py::test_extreme_parameters_are_certified_or_not_separable",
    "tests/stable_noise/test_theory.py",
    "tests/starvation/test_theory.py",
    "tests/test_rounded_numbers.py",
    "tests/test_maps_turning.py::test_a_fold_is_solved_for_late_in_training",
)


@dataclass(frozen=True)
class Processor:
    """Settings of the libraries.

    needs: a flag of the processor. numpy: parts of the names of features that NumPy goes without. openblas:
    its kernels. xla: its largest instruction set. glibc: what its functions go without.
    """

    needs: str
    numpy: tuple[str, ...]
    openblas: str
    xla: str
    glibc: tuple[str, ...]


PROCESSORS = {
    "sse": Processor("sse4_2", ("",), "Prescott", "SSE4_2", ("AVX", "AVX2", "FMA", "FMA4", "AVX512F")),
    "avx": Processor(
        "avx", ("AVX2", "AVX512", "FMA", "V3", "V4"), "Sandybridge", "AVX", ("AVX2", "FMA", "AVX512F")
    ),
    "avx2": Processor("avx2", ("AVX512", "V4"), "Haswell", "AVX2", ("AVX512F",)),
    "avx512": Processor("avx512dq", (), "SkylakeX", "AVX512", ()),
}
"""By name, of about 2004, 2011, 2013 and 2017."""


def flags() -> frozenset[str]:
    """What this processor says that it can; nothing where the system does not tell."""
    if platform.machine().lower() not in ("x86_64", "amd64") or not CPUINFO.exists():
        return frozenset()
    lines = CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines()
    return frozenset(next((line for line in lines if line.startswith("flags")), "").split())


def features() -> list[str]:
    """Features for which NumPy has loops of its own, which alone it can go without."""
    found = np.show_config(mode="dicts")["SIMD Extensions"]
    return [*found.get("found", ()), *found.get("not found", ())]


def environment(processor: Processor) -> dict[str, str]:
    """The variables that the libraries read; XLA's flags go to those of tests/conftest.py."""
    without = [each for each in features() if any(part in each for part in processor.numpy)]
    return {
        "NPY_DISABLE_CPU_FEATURES": " ".join(without),
        "OPENBLAS_CORETYPE": processor.openblas,
        "MORE_XLA_FLAGS": f"--xla_cpu_max_isa={processor.xla}",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + ",".join(f"-{each}" for each in processor.glibc),
    }


def tried(names: list[str], arguments: list[str]) -> int:
    """Run pytest with these arguments as each of these processors; 1 if a test failed as any of them."""
    here, failed = flags(), []
    for name in names:
        needed = PROCESSORS[name].needs
        if needed not in here:
            print(f"{name}: left out, since this processor has no {needed} or does not say so", flush=True)
            continue
        settings = environment(PROCESSORS[name])
        print(name, *(f"{key}={value!r}" for key, value in settings.items()), flush=True)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
        if subprocess.run(command, cwd=ROOT, env={**os.environ, **settings}).returncode:
            failed.append(name)
    print("tests failed as:", ", ".join(failed) or "none")
    return int(bool(failed))


def main(arguments: list[str]) -> int:
    """The command line: names and --quick come before pytest's options and paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PROCESSORS))
    parser.add_argument("--quick", action="store_true", help="only " + ", ".join(QUICK))
    ours = ("--quick", "-h", "--help")
    own = list(takewhile(lambda each: each in ours or (each[:1] != "-" and "/" not in each), arguments))
    known = parser.parse_args(own)
    unknown = [name for name in known.names if name not in PROCESSORS]
    if unknown:
        print(f"error: {unknown[0]}: must be one of {', '.join(PROCESSORS)}", file=sys.stderr)
        return 2
    quick = (*QUICK, "-m", "not thorough") if known.quick else ()
    return tried(known.names or list(PROCESSORS), [*quick, *arguments[len(own) :]])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
