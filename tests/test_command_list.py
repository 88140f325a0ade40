"""`list` shows everything that announced itself, and stays light."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import teacherstudent
from teacherstudent.house import catalogue
from teacherstudent.paper_checks.ledger import checks
from tests.support import refusal, say

KINDS = ("problems", "routes", "figures", "checks", "errata")
ROOT = Path(__file__).resolve().parent.parent


def loaded(*arguments: str) -> set[str]:
    """Top-level names of what a process has loaded after that command line."""
    code = "import sys, teacherstudent.cli.command as c; c.main(sys.argv[1:]); print('loaded', *sys.modules)"
    command = [sys.executable, "-c", code, *arguments]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True, timeout=60)
    return {
        name.removeprefix("teacherstudent.").split(".")[0]
        for name in ended.stdout.rpartition("loaded ")[2].split()
    }


@pytest.mark.parametrize(
    "arguments", [("--help",), ("curve", "multiscale", "--help"), ("list", "routes", "--json")]
)
def test_help_and_declarations_import_no_numbers(arguments: tuple[str, ...]) -> None:
    heavy = {"numpy", "scipy", "pandas", "xarray", "jax", "matplotlib", "sympy", "rich", "jinja2"}
    assert not heavy & loaded(*arguments)


def test_listing_everything_imports_neither_jax_nor_matplotlib() -> None:
    found = loaded("list", "--json")
    assert "paper_checks" in found
    assert not {"jax", "matplotlib"} & found


@pytest.mark.parametrize("kind", KINDS)
def test_json_is_a_list_of_objects_with_ids_and_sources(kind: str) -> None:
    said = say("list", kind, "--json")
    assert (said.status, said.err) == (0, "")
    entries = json.loads(said.out)
    ids = [entry["id"] for entry in entries]
    assert len(ids) == len(set(ids))
    assert all(entry["kind"] == kind for entry in entries)
    if kind in ("figures", "checks", "errata"):
        assert all(entry["ref"] for entry in entries)
        assert all(entry["paper"] or not entry["quoted"] for entry in entries if kind == "errata")


def test_json_without_a_kind_is_all_kinds() -> None:
    together = json.loads(say("list", "--json").out)
    assert together == [entry for kind in KINDS for entry in json.loads(say("list", kind, "--json").out)]


def test_what_announced_itself_is_listed() -> None:
    def ids(kind: str) -> list[str]:
        return [entry["id"] for entry in teacherstudent.listing(kind)]

    assert ids("problems") == list(catalogue.problems())
    assert ids("routes") == [route.id for route in catalogue.routes()]
    assert ids("checks") == list(checks())
    assert ids("errata") == [erratum.id for check in checks().values() for erratum in check.errata]


@pytest.mark.parametrize("kind", KINDS)
def test_in_a_pipe_each_entry_is_one_whole_line(kind: str) -> None:
    header, *lines = say("list", kind).out.splitlines()
    entries = teacherstudent.listing(kind)
    assert header.startswith("id")
    assert len(lines) == len(entries)
    assert all(line.startswith(entry["id"]) for line, entry in zip(lines, entries, strict=True))


def test_help_of_a_problem_states_each_option_with_its_domain_and_default(toy: object) -> None:
    words = " ".join(say("curve", "toy", "--help").out.split())
    assert "--strength VALUE a number [g; unit 1; a finite number > 0 and <= 2; default required]" in words
    assert "--sizes VALUE some numbers [m; unit 1; a comma-separated list" in words
    assert "default 1,2]" in words
    assert "Options of --dynamics steps: --pace VALUE" in words
    assert "Routes with --dynamics path, time u (place on the path): grown the grown route" in words


def test_the_word_help_is_never_refused() -> None:
    for arguments in ([], ["--help"], ["curve", "--help"], ["check", "--help"], ["figure", "--help"]):
        said = say(*arguments)
        assert (said.status, said.err) == (0, "")
        assert said.out.startswith("Usage: teacherstudent")
    refusal(say("help"))
