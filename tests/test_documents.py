"""What people read stays true: the README, the docstrings, and files that work on any machine."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from teacherstudent.cli.command import main
from tools.nested import FRONT, rooms
from tools.readme import README, refreshed

ROOT = README.parent
ROOMS = (*rooms(), FRONT, "tools")


def blocks(language: str) -> list[str]:
    """The README's fenced code in that language."""
    return re.findall(rf"```{language}\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


def test_the_readme_lists_the_systems_of_the_registry() -> None:
    assert README.read_text("utf-8") == refreshed(README.read_text("utf-8")), "run `make readme`"


def test_a_stale_table_is_noticed() -> None:
    fresh = refreshed(README.read_text("utf-8"))
    stale = fresh.replace("| `multiscale` |", "| `multi-scale` |")
    assert stale != fresh == refreshed(stale)


def test_contributing_describes_every_room() -> None:
    described = re.findall(r"^\| `(\w+)/` \|", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(described) == sorted({*ROOMS, "tests"})


def lines(text: str) -> set[str]:
    """The lines of a text without the spaces at their ends."""
    return {line.rstrip() for line in text.splitlines()}


[IN_PYTHON] = blocks("python")
[IN_SHELL] = [
    line for block in blocks("sh") for line in block.splitlines() if line.startswith("teacherstudent")
]
PRINTED_IN_SHELL, PRINTED_IN_PYTHON = blocks("text")


@pytest.mark.usefixtures("here")
def test_the_readme_question_in_python_prints_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(IN_PYTHON, "README.md", "exec"), {})
    assert lines(PRINTED_IN_PYTHON) <= lines(capsys.readouterr().out)


@pytest.mark.usefixtures("here")
def test_the_readme_question_in_the_shell_prints_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(shlex.split(IN_SHELL)[1:])
    printed = "".join(capsys.readouterr())
    assert status == 0, printed
    assert lines(PRINTED_IN_SHELL) <= lines(printed)
    assert_resolved(Path("rise.nc"))


def assert_resolved(path: Path) -> None:
    """Theory and simulation agree on the risk, and would not if the rise that is shown were absent."""
    with xr.open_dataset(path, engine="h5netcdf") as answer:
        risk = answer.excess_risk.sel(route="asymptotic").values
        verdicts = {each["observable"]: each for each in json.loads(answer.attrs["agreement"])}
    rise = (risk - np.minimum.accumulate(risk)).max()
    assert verdicts["excess_risk"]["agrees"]
    assert 0 < verdicts["excess_risk"]["resolution"] < rise


def test_the_start_page_asks_both_routes_what_the_readme_asks() -> None:
    page = re.sub(r" \\\n +", " ", (ROOT / "docs" / "start.md").read_text("utf-8"))
    assert IN_SHELL in page.splitlines()


def public_without_docstring(source: str) -> list[str]:
    """The module, and its public functions and classes, that say nothing about themselves."""
    module = ast.parse(source)
    public = [
        node
        for node in module.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
        if not any(ast.unparse(each).startswith("app.cell") for each in node.decorator_list)  # a notebook's
    ]
    silent = [node.name for node in public if not ast.get_docstring(node)]
    return silent if ast.get_docstring(module) else ["(module)", *silent]


@pytest.mark.parametrize("room", ROOMS)
def test_public_names_have_docstrings(room: str) -> None:
    silent = {
        str(path.relative_to(ROOT)): names
        for path in sorted((ROOT / room).rglob("*.py"))
        if (names := public_without_docstring(path.read_text("utf-8")))
    }
    assert silent == {}


def test_a_missing_docstring_is_noticed() -> None:
    assert public_without_docstring("class A: ...\ndef _b(): ...\ndef c(): 'said'") == ["(module)", "A"]


def without_fixed(source: str) -> list[str]:
    """The figures' legends in that source which do not say what is fixed."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    around = [call for call in calls if ast.unparse(call.func) == "legends.around"]
    return [ast.unparse(call) for call in around if "fixed" not in {each.arg for each in call.keywords}]


FIGURES = {
    **{str(path.relative_to(ROOT)): path.read_text("utf-8") for path in (ROOT / "figures").rglob("*.py")},
    **dict(
        re.findall(
            r'^```python title="(figures/[^"]+)"\n(.*?)^```$',
            (ROOT / "docs" / "how-to" / "add-a-system.md").read_text("utf-8"),
            re.MULTILINE | re.DOTALL,
        )
    ),
}


def test_every_figure_says_what_is_fixed_also_the_one_that_is_taught() -> None:
    assert "figures/online_perceptron/curves.py" in FIGURES
    silent = {name: found for name, source in FIGURES.items() if (found := without_fixed(source))}
    assert silent == {}
    assert without_fixed("legends.around(canvas, looks, entries, columns=1)")


LOCAL = re.compile(
    r"(index|find)[-_](url|links)"  # where a machine gets its packages from
    r"|py(pi|thonhosted)[.]org|[/]simple[/]"
    r"|file:[/][/]"
    r"|(?<![\w./)}-])[/](home|root|work|Users|opt|mnt|private|var|tmp)[/]\w"  # paths of one machine
)


def committed_texts() -> list[Path]:
    """Files under version control that read as text."""
    whoever_owns_it = ("-c", "safe.directory=*")
    listing = subprocess.run(
        ["git", *whoever_owns_it, "ls-files", "-z"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    paths = [ROOT / name for name in listing.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()[:8192]]


def test_no_committed_file_names_an_index_or_a_path_of_one_machine() -> None:
    found = {
        str(path.relative_to(ROOT)): [
            line for line in path.read_text("utf-8").splitlines() if LOCAL.search(line)
        ]
        for path in committed_texts()
    }
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_no_committed_file_has_marks_of_a_conflict() -> None:
    marks = re.compile("^(<{7}|>{7}) ", re.MULTILINE)
    assert [path for path in committed_texts() if marks.search(path.read_text("utf-8"))] == []


ELSEWHERE = [
    "--extra-index" + "-url x",
    "see pypi" + ".org",
    "/".join(["file:", "", "here"]),
    "/".join(["cd ", "home", "ann"]),
    "/".join(["open('", "tmp", "a')"]),
]


@pytest.mark.parametrize("text", ELSEWHERE)
def test_a_local_address_is_noticed(text: str) -> None:
    assert LOCAL.search(text)


TEXTUAL = re.compile(r"\b(read_text|write_text)\(|\b(text|universal_newlines)\s*=")


def without_encoding(source: str) -> list[int]:
    """The lines that read or write text in whatever encoding the machine has."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and "encoding" not in {each.arg for each in node.keywords}
        and (
            (node.func.attr == "read_text" and not node.args)
            or (node.func.attr == "write_text" and len(node.args) == 1)
            or any(each.arg in {"text", "universal_newlines"} for each in node.keywords)
        )
    ]


@pytest.mark.parametrize("room", [*ROOMS, "tests"])
def test_every_text_is_read_and_written_in_a_named_encoding(room: str) -> None:
    sources = {path: path.read_text("utf-8") for path in (ROOT / room).rglob("*.py")}
    suspect = [
        path for path, source in sources.items() if TEXTUAL.search(source)
    ]  # to parse all takes seconds
    assert {path: found for path in suspect if (found := without_encoding(sources[path]))} == {}


def test_a_text_without_an_encoding_is_noticed() -> None:
    wrong = 'p.read_text()\np.write_text("a")\nrun(["a"])\ns.run(["a"], text=True)\n'
    assert without_encoding(wrong) == [1, 2, 4]
    assert without_encoding('p.read_text("utf-8")\np.write_text("a", encoding="utf-8")\n') == []
