"""Version, changelog, citation and workflows say what pyproject.toml says."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools.nested import ROOT, rooms
from tools.site.bibtex import bibtex

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PACKED = set(re.sub("#.*", "", (ROOT / "MANIFEST.in").read_text(encoding="utf-8")).split())
LINTER = Path(sys.executable).with_name("zizmor")


def releases(text: str) -> list[tuple[tuple[int, ...], date]]:
    """Versions of a changelog and their dates, newest first; `ValueError` for a heading that is neither."""
    first, *headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    if first != "[Unreleased]":
        raise ValueError(f"{first}: must be [Unreleased]")
    found = []
    for heading in headings:
        if not (parts := re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d\d-\d\d)", heading)):
            raise ValueError(f"{heading}: must be [VERSION] - DATE")
        found.append((tuple(map(int, parts.groups()[:3])), date.fromisoformat(parts[4])))
    return found


def test_the_newest_release_of_the_changelog_is_the_version() -> None:
    listed = releases(CHANGES)
    assert ".".join(map(str, listed[0][0])) == PROJECT["version"]
    assert listed == sorted(listed, reverse=True)
    assert len(dict(listed)) == len(listed)


@pytest.mark.parametrize(
    "heading", ["[0.3.0]", "[0.3.0] - soon", "0.3.0 - 2026-12-01", "[0.3.0] - 2026-13-01"]
)
def test_a_release_without_a_date_is_noticed(heading: str) -> None:
    with pytest.raises(ValueError, match="must be"):
        releases(f"## [Unreleased]\n\n## {heading}\n")


def test_the_citation_names_that_release() -> None:
    assert (CITATION["version"], CITATION["date-released"]) == (PROJECT["version"], releases(CHANGES)[0][1])
    assert CITATION["keywords"] == PROJECT["keywords"]
    assert f"version {PROJECT['version']}}}" in bibtex()


def pythons() -> list[str]:
    """The versions of Python that the classifiers name."""
    begin = "Programming Language :: Python :: 3."
    return [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if each.startswith(begin)]


def test_classifiers_begin_with_the_lowest_python() -> None:
    assert PROJECT["requires-python"].startswith(f">={pythons()[0]}")
    assert "Typing :: Typed" in PROJECT["classifiers"]


def jobs(workflow: Path) -> dict[str, Any]:
    """The jobs of a workflow by name."""
    return yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]


def test_the_tests_run_on_every_python() -> None:
    assert jobs(ROOT / ".github/workflows/tests.yml")["test"]["strategy"]["matrix"]["python"] == pythons()


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_targets_that_exist(workflow: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(" ".join(re.findall(r"^([\w -]+):(?!=)", makefile, re.MULTILINE)).split())
    asked = {
        name
        for job in jobs(workflow).values()
        for name in job.get("strategy", {}).get("matrix", {}).get("target", [])
    }
    asked |= set(re.findall(r"run: make ([\w-]+)", workflow.read_text(encoding="utf-8")))
    assert asked
    assert asked <= targets


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_and_no_secret_is_read(workflow: Path) -> None:
    text = workflow.read_text(encoding="utf-8")
    used = re.findall(r"uses: (.*)", text)
    assert used
    assert [each for each in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v[\d.]+", each)] == []
    assert "secrets." not in text
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


@pytest.mark.skipif(not LINTER.exists(), reason="needs zizmor, which requirements.lock pins")
def test_the_linter_finds_nothing_in_the_workflows() -> None:
    command = [LINTER, "--offline", "--pedantic", "--no-progress", ROOT / ".github"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_source_distribution_holds_what_the_readme_links_to() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!\w+:|#)([^)#]+)", text)
    assert [target for target in targets if not (ROOT / target).is_file()] == []
    linked = {target.split("/")[0] for target in targets}
    assert linked
    assert linked <= {*PACKED, *rooms(), "LICENSE", "pyproject.toml", "README.md"}
