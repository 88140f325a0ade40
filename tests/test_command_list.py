"""`list` shows everything that announced itself, and stays light."""

from __future__ import annotations

import json

import pytest

import teacherstudent
from teacherstudent.house import catalogue
from teacherstudent.paper_checks.ledger import checks
from tests.support import python, say

KINDS = ("problems", "routes", "figures", "checks", "errata")


HEAVY = {"numpy", "scipy", "pandas", "xarray", "jax", "matplotlib", "sympy", "rich", "jinja2"}
DRAWING = {"jax", "matplotlib"}
LABELLING = {"dask", "difflib", "jax", "matplotlib", "pandas", "scipy.optimize", "scipy.special", "xarray"}
LINE = "from teacherstudent.cli.command import main; main('{}'.split())"
ASKED = "'multiscale', dynamics='ridge', route='asymptotic', times=[1], n=8, d=4, p=2"
LIGHT: dict[str, tuple[set[str], str]] = {
    LINE.format("--help"): (HEAVY, "cli"),
    LINE.format("curve multiscale --help"): (HEAVY, "problems"),
    LINE.format("list routes --json"): (HEAVY, "theory"),
    LINE.format("list --json"): (DRAWING, "paper_checks"),
    LINE.format("lesson"): ({"marimo", "numpy", "lessons"}, "api"),
    "import teacherstudent.house.catalogue as c; c.problems(); c.routes()": (HEAVY, "problems"),
    "from teacherstudent.figures.gallery import figures; figures()": (
        {"jax", "matplotlib", "scipy"},
        "figures",
    ),
    LINE.format("curve multiscale --dynamics flow --route asymptotic"): (LABELLING, "theory"),
    "from teacherstudent.api.curve import curve_or_arrays as c; from teacherstudent.api.writing import *\n"
    f"netcdf({{'': c({ASKED})}})": (LABELLING, "theory"),
    f"import teacherstudent as ts; ts.curve({ASKED})": (DRAWING | {"scipy.optimize"}, "theory"),
    f"import teacherstudent as ts; ts.sweep({ASKED}, kappa=[1, 2])": (
        {"jax", "distributed", "matplotlib"},
        "sweeps",
    ),
    "import pkgutil, importlib, teacherstudent.theory as t\n"
    "for m in pkgutil.walk_packages(t.__path__, t.__name__ + '.'): importlib.import_module(m.name)": (
        {"jax", "jaxlib", "sims"},
        "theory",
    ),
}
"""What is asked, libraries and rooms that it loads no more than it needs of, and a room that it loads."""


@pytest.mark.parametrize("code", LIGHT, ids=range(len(LIGHT)))
def test_what_is_asked_loads_no_more_than_it_needs(code: str) -> None:
    heavy, own = LIGHT[code]
    ended = python("-c", f"import sys\n{code}\nprint('loaded', *sys.modules)")
    assert ended.returncode == 0, ended.stderr
    names = ended.stdout.rpartition("loaded ")[2].split()
    found = {*names, *(name.removeprefix("teacherstudent.").split(".")[0] for name in names)}
    assert own in found
    assert not heavy & found


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
