"""Results as Markdown tables, for the documentation: one section for each file of `results/`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from teacherstudent.benchmarks.timing import LONG

RESULTS = Path(__file__).parent / "results"

NO_GPU = "No GPU was available. Cells for a GPU are empty."

ABOUT_PAIRS = (
    "Ratios and CPU-s are of the runs after the first one in a process, so they exclude compilation. The "
    f"first run has a separate column. Work that lasts {LONG:g} s or more runs only once. Work called cold "
    "is timed from the start of its process, with imports and compilation. A share in brackets means: the "
    "baseline did only this share of the work; its CPU-s are divided by it. The difference is the "
    "largest difference between the two answers, divided by their largest number.\n"
)

ABOUT_RATES = (
    "Rates are for one core, or for the GPU. The attainable rates are measured on a plain matrix product "
    "and a plain copy of the same size. Reading costs less than copying, so a share can exceed 100 %.\n"
)

ABOUT_PAGES = (
    "Times of pages are milliseconds in headless Chromium. The first picture is timed from when the page "
    "is opened from its folder. A move is the CPU time of the page's thread for one stop of a control: "
    "script, layout and painting. The table has its median over all stops of all controls, and the slowest "
    "stop. For comparison, the last column has the time of all cells of the notebook in Python, including "
    "cells that do not depend on a slider.\n"
)

KINDS = ("pair", "limit", "slope", "page")

Record = Mapping[str, Any]


def markdown(folder: Path = RESULTS) -> str:
    """Every result file of that folder, newest first; a line that says so if there is none."""
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    files.sort(key=lambda each: each["machine"]["date"], reverse=True)
    return (
        "\n".join(map(section, files))
        if files
        else "There are no measurements in `benchmarks/results/` yet.\n"
    )


def section(result: Record) -> str:
    """One run: the machine, pairs with their ratios, rates, slopes, and skipped benchmarks."""
    where, records = result["machine"], result["benchmarks"]
    kinds = {kind: [each for each in records if each["kind"] == kind] for kind in KINDS}
    done = {kind: [each for each in found if "skipped" not in each] for kind, found in kinds.items()}
    skipped = [f"- {each['title']}: {each['skipped']}" for each in records if "skipped" in each]
    versions = ", ".join(f"{name} {where[name]}" for name in ("python", "numpy", "scipy", "jax"))
    parts = [
        f"### {where['processor']}, {where['cores']} cores, {where['date']}\n",
        f"{where['memory_gib']:g} GiB of memory, {versions}; load before the run {where['load']:g}.",
        f"GPU: {result['gpu']}." if result["gpu"] else NO_GPU,
        "",
        ABOUT_PAIRS if done["pair"] else "",
        _table(
            (
                "work", "baseline", "CPU ratio", "wall ratio", "CPU-s", "first CPU-s", "baseline CPU-s",
                "peak MiB", "baseline peak MiB", "difference", "GPU s", "baseline CPU-s / GPU s",
            ),
            map(_pair, done["pair"]),
        ),
        ABOUT_RATES if done["limit"] else "",
        _table(
            (
                "loop", "GFLOP/s", "of a product", "GB/s", "of a copy", "share of attainable",
                "GPU GFLOP/s", "GPU GB/s", "GPU share",
            ),
            map(_limit, done["limit"]),
        ),
        _table(("cost over", "slope", "expected", "slack for"), map(_slope, done["slope"])),
        ABOUT_PAGES if done["page"] else "",
        _table(
            ("page", "first picture ms", "a move ms", "slowest stop ms", "in Python ms"),
            map(_page, done["page"]),
        ),
    ]  # fmt: skip
    if skipped:
        parts += ["Not run:\n", *skipped, ""]
    return "\n".join(parts)


def _pair(one: Record) -> Sequence[str]:
    gpu = one["gpu_wall"]
    return (
        one["title"],
        one["baseline"]
        + (f" ({one['baseline_share']:.2g} of the work)" if one["baseline_share"] < 1 else ""),
        _number(one["ratio"]),
        _number(one["wall_ratio"]),
        _number(one["ours_cpu"]),
        _number(one["ours_first_cpu"]),
        _number(one["baseline_cpu"]),
        f"{one['ours_peak']:.0f}",
        f"{one['baseline_peak']:.0f}",
        f"{one['difference']:.1g}",
        "" if gpu is None else _number(gpu),
        "" if gpu is None else _number(one["baseline_cpu"] / gpu),
    )


def _limit(one: Record) -> Sequence[str]:
    shown = [
        one["title"],
        f"{one['loop_gflops']:.1f}",
        f"{one['product_gflops']:.1f}",
        f"{one['loop_gbytes']:.1f}",
        f"{one['copy_gbytes']:.1f}",
        f"{one['share']:.0%}",
    ]
    if one["gpu_share"] is None:
        return (*shown, "", "", "")
    return (
        *shown,
        f"{one['gpu_loop_gflops']:.1f}",
        f"{one['gpu_loop_gbytes']:.1f}",
        f"{one['gpu_share']:.0%}",
    )


def _slope(one: Record) -> Sequence[str]:
    return one["title"], f"{one['slope']:.2f}", f"{one['expected']:g} ± {one['slack']:g}", one["why"]


def _page(one: Record) -> Sequence[str]:
    return one["title"], *(_number(one[name]) for name in ("first", "move", "slowest", "cells"))


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) if len(lines) > 2 else ""
