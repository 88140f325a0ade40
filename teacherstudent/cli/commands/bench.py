"""`teacherstudent bench`: speed on this machine, against a stated baseline."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from teacherstudent.api.bench import bench, benchmarks
from teacherstudent.api.progress import progress
from teacherstudent.cli.grammar import Command
from teacherstudent.cli.options import Target, Word
from teacherstudent.cli.streams import print_to_stderr
from teacherstudent.cli.tables import show
from teacherstudent.house.files import room_for, whole_file

COLUMNS = ("benchmark", "measured", "ratio", "CPU-s", "baseline", "peak MiB", "baseline", "verdict")


@click.command("bench", cls=Command, short_help="Measure speed against stated baselines.")
@click.argument("names", nargs=-1, type=Word(lambda _: benchmarks()), metavar="NAME")
@click.option(
    "--json", "json_file", type=Target(".json"), metavar="FILE.json", help="write every measurement as JSON"
)
@click.option("--quick", is_flag=True, help="smaller sizes, measured once")
def COMMAND(names: tuple[str, ...], json_file: Path | None, quick: bool) -> int:
    """Measure the speed of benchmark NAME against its baseline, or of several benchmarks (default: all).

    A benchmark and its baseline run alternately, in separate processes. Ratios compare CPU-seconds. The exit
    status is 1 if their results differ, or if the cost does not grow with size as stated.
    """
    if not (names or quick):
        print_to_stderr("measuring every benchmark, which takes long; --quick measures smaller sizes once")
    with ExitStack() as written:
        page = json_file and written.enter_context(whole_file(json_file, "json"))
        with progress("bench", len(names) or len(benchmarks())) as announce:
            result = bench(*names, quick=quick, announce=announce)
        if json_file and page:
            with room_for(json_file, "json"):
                page.write_text(json.dumps(result, indent=1), encoding="utf-8")
    show(COLUMNS, map(_row, result["benchmarks"]))
    if quick:
        print_to_stderr("quick run: sizes are smaller than the titles say, and each is measured once")
    if not result["gpu"]:
        print_to_stderr("no GPU was available: nothing was measured on one")
    return 0 if all(each.get("holds", True) for each in result["benchmarks"]) else 1


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    title = (one["id"], one["title"])
    if "skipped" in one:
        return (*title, "", "", "", "", "", f"not run: {one['skipped']}")
    verdict = "holds" if one["holds"] else "FAILS"
    if one["kind"] == "pair":
        numbers = ("ratio", "ours_cpu", "baseline_cpu", "ours_peak", "baseline_peak")
        return (
            *title,
            *(f"{one[name]:.3g}" for name in numbers),
            f"{verdict}: difference {one['difference']:.1g}",
        )
    if one["kind"] == "slope":
        return (*title, "", "", "", "", "", f"{verdict}: slope {one['slope']:.2f} for {one['expected']:g}")
    if one["kind"] == "page":
        told = f"first picture {one['first']:.0f} ms, median slider {one['move']:.0f} ms, slowest slider "
        told += f"{one['slowest']:.0f} ms; all cells in Python {one['cells']:.0f} ms"
        return (*title, "", "", "", "", "", told)
    share = f"{one['share']:.0%} of the rate of a plain matrix product and copy"
    return (
        *title,
        "",
        "",
        "",
        "",
        "",
        f"{share}: {one['loop_gflops']:.3g} GFLOP/s, {one['loop_gbytes']:.3g} GB/s",
    )
