"""The reproductions of papers in `examples/` are systems that can be used, and do what their page says."""

from __future__ import annotations

import re

import pytest

from tests.support import python, say
from tools.nested import ROOT

EXAMPLES = {"sgd-stability": "sgd", "large-step": "descent"}
PAGE = (ROOT / "docs" / "reproductions.md").read_text("utf-8")


@pytest.mark.parametrize(("name", "dynamics"), EXAMPLES.items())
def test_a_reproduction_is_asked_like_every_system(name: str, dynamics: str) -> None:
    route = {"sgd-stability": "moments", "large-step": "late"}[name]
    folder = ROOT / "examples" / name
    said = say("--system", folder, "curve", name, "--dynamics", dynamics, "--route", route, "--times", "1,3")
    assert (said.status, said.out.count("\n")) == (0, 3), said.err


def test_the_page_has_every_claim_with_its_check() -> None:
    for name in EXAMPLES:
        text = (ROOT / "examples" / name / "claims.toml").read_text("utf-8")
        for id in re.findall(r'^id = "(.*)"$', text, re.MULTILINE):
            assert f"| {id} |" in PAGE
        for check in re.findall(r'^check = "(.*)"$', text, re.MULTILINE):
            assert f"`{check.removeprefix(f'{name}-')}`" in PAGE


@pytest.mark.thorough
@pytest.mark.parametrize("name", EXAMPLES)
def test_its_checks_and_the_tests_of_every_system_pass(name: str) -> None:
    folder = ROOT / "examples" / name
    plugin = ("-p", "teacherstudent.testing_systems", "--teacherstudent-system", folder)
    ran = python("-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin, folder, OPENBLAS_NUM_THREADS="1")
    assert ran.returncode == 0, ran.stdout[-3000:]
