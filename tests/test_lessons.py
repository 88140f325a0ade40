"""Every lesson: it runs as a script and in Jupyter, cites what exists, and answers at every setting."""

from __future__ import annotations

import ast
import importlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teacherstudent.api import lesson as lesson_module
from teacherstudent.api.teaching import teaching
from teacherstudent.paper_checks.ledger import claims
from tests.support import python

LESSONS = list(lesson_module.lessons())
TAUGHT = [name for name, each in lesson_module.lessons().items() if each.title.startswith("Lesson ")]
"""All but the explorer, which asks no exercises."""
DRAWS = 6


def written(name: str) -> str:
    """All that is written for a lesson: its notebook, and what it is taught with."""
    path = lesson_module.lessons()[name].path
    taught = path.parent / "teaching" / f"{name}.toml"
    return path.read_text("utf-8") + (taught.read_text("utf-8") if name in TAUGHT else "")


@pytest.mark.thorough
def test_jax_comes_with_the_simulation_and_not_before() -> None:
    code = f"""
import importlib, sys
import teacherstudent.lessons.kit as kit
apps = [importlib.import_module("teacherstudent.lessons." + name).app for name in {LESSONS}]
simulating, kit.on_demand = kit.on_demand, lambda button, work, doing="": None
for app in apps:
    app.run()
    print("jax" in sys.modules)
kit.on_demand = simulating
apps[0].run()
print("jax" in sys.modules)
"""
    assert python("-W", "error", "-c", code).stdout.split() == ["False"] * len(LESSONS) + ["True"]


def value_of(cell: str, names: dict[str, Any]) -> Any:
    """Run a cell and give the value of its last expression, as Jupyter does."""
    body = ast.parse(cell).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


def shown(value: Any) -> str:
    """What Jupyter shows of a value: its HTML before its markdown."""
    for kind in ("_repr_html_", "_repr_markdown_"):
        if hasattr(value, kind):
            return getattr(value, kind)()
    return ""


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lessons that draw at most `DRAWS` data sets: what they say of them is tested in the browser."""
    import teacherstudent as ts

    sample = ts.sample

    def sparing(*question: Any, seeds: int, **options: Any) -> Any:
        return sample(*question, seeds=min(seeds, DRAWS), **options)

    monkeypatch.setattr(ts, "sample", sparing)


@pytest.mark.thorough
@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize("name", LESSONS)
def test_the_exported_notebook_runs_from_top_to_bottom(name: str, tmp_path: Path) -> None:
    lesson_module.notebook(name, tmp_path / "lesson.ipynb")
    cells = json.loads((tmp_path / "lesson.ipynb").read_text("utf-8"))["cells"]
    names: dict[str, Any] = {"__name__": "__main__"}
    outputs = [shown(value_of("".join(c["source"]), names)) for c in cells if c["cell_type"] == "code"]
    page = "\n".join(outputs)
    assert "<marimo-" not in page, "Jupyter shows nothing of marimo's own elements"
    assert 'class="theory"' in page
    assert 'class="simulation"' in page
    assert "standard errors" in page
    asked = len(teaching(name).by_hand) + (name in TAUGHT)  # and the one in code
    assert page.count("<summary>Solution</summary>") == asked
    assert asked >= (3 if name in TAUGHT else 0)
    assert any("# " in "".join(c["source"]) for c in cells if c["cell_type"] == "markdown")


@pytest.mark.parametrize("name", LESSONS)
def test_figures_and_checks_that_a_lesson_names_can_be_asked_for(name: str) -> None:
    import teacherstudent as ts

    known = {kind: {each["id"] for each in ts.listing(f"{kind}s")} | {"all"} for kind in ("figure", "check")}
    named = re.findall(r"`teacherstudent (figure|check) ([\w-]+)", written(name))
    assert [each for each in named if each[1] not in known[each[0]]] == []


@cache
def equations() -> set[tuple[str, str]]:
    """Every equation that a paper's claims list, by paper and number, ranges spelled out."""
    found = set()
    for claim in claims():
        for first, last in re.findall(r"([.\d]+)(?:-([.\d]+))?", claim.id):
            stem, _, low = first.rpartition(".")
            high = last.rpartition(".")[2] or low
            numbers = range(int(low), int(high) + 1) if low.isdigit() and high.isdigit() else ()
            found |= {(claim.paper, f"{stem}.{number}" if stem else str(number)) for number in numbers}
    return found


def cited(source: str) -> list[tuple[str, str]]:
    """Paper and number of every equation that a lesson names: by a tag, or by `Eq. N [of paper]`."""
    tags = [("pezeshki2022", number) for number in re.findall(r"\\tag\{([.\d]+)\}", source)]
    named = re.findall(r"Eqs?\. ([.\d]*\d)(?:-([.\d]*\d))?(?: of (\w+))?", source)
    return tags + [(paper or "pezeshki2022", each) for *ends, paper in named for each in ends if each]


@pytest.mark.parametrize("name", LESSONS)
def test_every_page_has_the_same_look_and_speaks_to_screen_readers(name: str) -> None:
    source = lesson_module.lessons()[name].path.read_text("utf-8")
    assert 'css_file="lesson.css"' in source
    assert 'html_head_file="head.html"' in source


@pytest.mark.parametrize("name", LESSONS)
def test_cited_equations_are_among_the_claims_of_their_paper(name: str) -> None:
    found = cited(written(name))
    assert found
    assert [each for each in found if each not in equations()] == []


def test_a_wrong_number_would_be_noticed() -> None:
    assert ("pezeshki2022", "2.2.16") in equations()
    wrong = cited(r"\tag{9.9.9}, Eqs. 2.2.11-2.2.99 and Eq. 3 of nobody2000")
    assert [each not in equations() for each in wrong] == [True, False, True, True]


def test_the_first_lesson_agrees_with_small_weights_and_not_with_large_ones() -> None:
    from teacherstudent.lessons import kit
    from teacherstudent.lessons.modes import app

    _, defined = app.run()
    assert defined["comparison"].agrees
    assert defined["half_comparison"].agrees
    names = ("s1", "s2", "s3", "sigma0", "eta", "simulate")
    large = {name: defined[name] for name in names} | {"sigma0": kit.slider("σ₀", [0.1], 0.1)}
    _, defined = app.run(defs=large)
    assert not defined["comparison"].agrees


@pytest.fixture
def unsimulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lessons as they stand before the reader simulates."""
    from teacherstudent.lessons import kit

    monkeypatch.setattr(kit, "on_demand", lambda button, work, doing="": None)


def corners(ends: list[list[Any]]) -> list[list[Any]]:
    """Few combinations of 15 controls at most: each choice occurs, any two ends of any two sliders meet."""
    count = 8 if len(ends) < 8 else 16
    return [
        [
            each[(row & j).bit_count() % 2 if len(each) == 2 else row % len(each)]
            for j, each in enumerate(ends, 1)
        ]
        for row in range(count)
    ]


@pytest.mark.parametrize("controls", [2, 7, 15])
def test_any_two_ends_of_any_two_sliders_meet(controls: int) -> None:
    tried = np.array(corners([[0, 1]] * controls))
    met = [{*zip(a, b, strict=True)} for i, a in enumerate(tried.T) for b in tried.T[:i]]
    assert all(len(each) == 4 for each in met)


@pytest.mark.usefixtures("unsimulated")
@pytest.mark.parametrize(
    ("name", "some"),
    [
        *(pytest.param(name, slice(0, None, 8), id=f"some-{name}") for name in LESSONS[::5]),
        *(pytest.param(name, slice(None), id=f"all-{name}", marks=pytest.mark.thorough) for name in LESSONS),
    ],
)
def test_theory_answers_at_every_combination_of_the_sliders_ends(name: str, some: slice) -> None:
    import marimo as mo

    from teacherstudent.lessons import kit

    app = importlib.import_module(f"teacherstudent.lessons.{name}").app
    _, defined = app.run()
    controls = {
        name: each
        for name, each in defined.items()
        if isinstance(each, mo.ui.slider | mo.ui.radio | mo.ui.run_button)
    }
    steps = {name: list(each.steps) for name, each in controls.items() if isinstance(each, mo.ui.slider)}
    words = {name: each.options for name, each in controls.items() if isinstance(each, mo.ui.radio)}
    assert steps
    ends = [*([each[0], each[-1]] for each in steps.values()), *map(list, words.values())]
    for corner in corners(ends)[some]:
        at: dict[str, Any] = {
            n: kit.slider(n, steps[n], value) for n, value in zip(steps, corner, strict=False)
        }
        at |= {n: mo.ui.radio(words[n], word) for n, word in zip(words, corner[len(steps) :], strict=True)}
        outputs, _ = app.run(defs={**controls, **at})
        page = "".join(shown(each) for each in outputs)
        assert 'class="theory"' in page
        assert not re.search(r"\b[ML]?(nan|inf)\b", page), at
