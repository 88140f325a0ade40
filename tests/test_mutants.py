"""The tool that changes the package a little, on toys: each kind of change, the copy, and a test too weak."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.mutants import __main__ as command
from tools.mutants import copies, places, reach, report, running
from tools.mutants.changes import Change, changes_of, draw
from tools.nested import ROOT


def variants(expression: str) -> set[str]:
    """What becomes of `f(..)` when each change is made to it, as Python writes it."""
    source = f"def f(a, b, c):\n    return {expression}\n"
    changed = [change.applied(source) for change in changes_of("room/toy.py", source)]
    return {ast.unparse(ast.parse(each)).partition("return ")[2] for each in changed}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("0.5", {"0.51"}),
        ("g(200)", {"g(204)"}),
        ("g(3)", {"g(4)"}),
        ("2 * a", {"2.02 * a", "2 / a", "1.01 * (2 * a)"}),
        ("a + b", {"a - b", "a", "b", "1.01 * (a + b)"}),
        ("a - b", {"a + b", "a", "1.01 * (a - b)"}),
        ("a / b", {"a * b", "1.01 * (a / b)"}),
        ("a**b", {"1.01 * a ** b"}),
        ("-a", {"a"}),
        ("not a", {"a"}),
        ("a < b <= c", {"a <= b <= c", "a < b < c"}),
        ("a > b", {"a >= b"}),
        ("a and b", {"a or b"}),
        ("min(a, b)", {"max(a, b)"}),
        ("a.max()", {"a.min()"}),
        ("np.minimum(a, b)", {"np.maximum(a, b)"}),
        ("a[b:]", {"a[b + 1:]", "a[b - 1:]"}),
        ("a[0]", {"a[1]"}),
        ("[a for a in b if a > c]", {"[a for a in b if a >= c]"}),
        ("lambda x: -x", {"lambda x: x"}),
        ("a == b", set()),
        ("'a' + b", set()),
        ("f'{a + 1}'", set()),
        ("a.sum(axis=1)", set()),
        ("True", set()),
    ],
)
def test_each_kind_of_change(expression: str, expected: set[str]) -> None:
    assert variants(expression) == {ast.unparse(ast.parse(each)) for each in expected}


def test_what_is_not_computed_with_is_left_alone() -> None:
    source = (
        '"""1 + 1."""\nimport a\nx: b[2] = c\ndef f(y: g[3]) -> h[4]:\n    """5."""\n    raise E(6 + y)\n'
    )
    assert list(changes_of("room/toy.py", source)) == []


SOURCE = '''"""A module with Greek: η."""

RATE = 0.5  # of η


def doubled(η, far=3):
    """Twice, from `far` on."""
    if η > far:
        return (2
                * η)
    return η
'''


def test_a_change_names_its_line_and_its_statement_and_leaves_the_rest_of_the_text() -> None:
    changes = list(changes_of("room/toy.py", SOURCE))
    found = {(change.before, change.line, change.statement, change.inside) for change in changes}
    assert found == {
        ("0.5", 3, (3, 3), False),
        ("3", 6, (6, 6), False),
        ("η > far", 8, (8, 8), True),
        ("2\n                * η", 9, (9, 10), True),
        ("2", 9, (9, 10), True),
    }
    for change in changes:
        kept = change.applied(SOURCE).replace(change.after, change.before)
        assert kept == SOURCE
        assert change.before in change.text


def test_a_seed_draws_other_statements_and_no_statement_twice() -> None:
    changes = list(changes_of("room/toy.py", SOURCE))
    assert draw(changes, 2, 0) == draw(changes, 2, 0)
    assert {tuple(draw(changes, 2, seed)) for seed in range(9)} > {tuple(draw(changes, 2, 0))}
    everything = draw(changes, 99, 0)
    assert len({change.statement for change in everything}) == len(everything) == 4


# The lists ----------------------------------------------------------------------------------------------


def test_an_aimed_change_must_stand_in_its_file_once_and_be_python(tmp_path: Path) -> None:
    (tmp_path / "toy.py").write_text(SOURCE, encoding="utf-8")

    def read(before: str, after: str) -> list[Change]:
        text = f"[[change]]\nfile = 'toy.py'\nbefore = {json.dumps(before)}\nafter = {json.dumps(after)}\n"
        (tmp_path / "list.toml").write_text(text, encoding="utf-8")
        return places.aimed(tmp_path, tmp_path / "list.toml")

    (change,) = read("η > far", "η > 1.01 * far")
    assert (change.line, change.statement, change.inside) == (8, (8, 8), True)
    assert "if η > 1.01 * far:" in change.applied(SOURCE)
    for before, after, told in (
        ("gone", "", "not 0 times"),
        ("return", "", "not 2 times"),
        ("0.5", "=", "no Python"),
    ):
        with pytest.raises(ValueError, match=f"{before}|{told}"):
            read(before, after)


def test_the_lists_of_this_repository_still_name_what_stands_in_it() -> None:
    assert len(places.aimed(ROOT)) > 15
    assert (ROOT / running.CHECKS).exists()
    for judged in places.harmless():
        changes = changes_of(judged.file, (ROOT / judged.file).read_text(encoding="utf-8"))
        assert any(judged.covers(change) for change in changes), judged
        assert judged.why


# A repository of its own, with a test that is too weak -----------------------------------------------------

TOY = {
    "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\n",
    "teacherstudent/__init__.py": "__path__.append(__path__[0] + '/..')",
    "room/__init__.py": "",
    "room/toy.py": """
def twice(x):
    return 2 * x


def sign(x):
    return -1 if x < 0 else 1


def count(x):
    while x > 0:
        x = x - 1
    return x


def unused(x):
    return x + 1
""",
    "tests/test_toy.py": """
from teacherstudent.room import toy


def test_twice():
    assert toy.twice(1) > 1


def test_sign():
    assert toy.sign(-3) == -1


def test_count():
    assert toy.count(3) == 0


def test_that_fails_anyway():
    assert toy.twice(1) == 3
""",
    "tests/test_checks.py": """
import pytest

from teacherstudent.room import toy


@pytest.fixture(scope="module", autouse=True)
def something():
    yield


def test_twice_to_every_digit():
    assert toy.twice(1) == 2


def test_sign_of_a_positive_number():
    assert toy.sign(3) == 1
""",
}


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[reach.Test]]:
    """A copy of the toy repository, and what its tests reach."""
    root, folder = tmp_path_factory.mktemp("toy"), tmp_path_factory.mktemp("copies") / "one copy"
    for name, text in {**TOY, **_tool()}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    copy = copies.copied(root, folder)
    kept = root / "out/reach"
    found = [test for _, tests in reach.measured([copy], ["room"], kept) for test in tests]
    return copy, found


def _tool() -> dict[str, str]:
    names = ("tools/__init__.py", "tools/mutants/__init__.py", "tools/mutants/inside.py")
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names}


@pytest.mark.thorough
def test_reach_is_measured_of_tests_that_pass(toy: tuple[Path, list[reach.Test]]) -> None:
    lines = {test.id.partition("::")[2]: sorted(test.lines["room/toy.py"]) for test in toy[1]}
    assert lines == {
        "test_twice": [3],
        "test_sign": [7],
        "test_count": [11, 12, 13],
        "test_twice_to_every_digit": [3],
        "test_sign_of_a_positive_number": [7],
    }


def put(toy: tuple[Path, list[reach.Test]], before: str, after: str, scratch: Path) -> running.Noticed:
    """One change of the toy, put to its tests."""
    text = f"[[change]]\nfile = 'room/toy.py'\nbefore = '{before}'\nafter = '{after}'\n"
    (scratch / "list.toml").write_text(text, encoding="utf-8")
    (change,) = places.aimed(toy[0], scratch / "list.toml")
    return running.put(change, toy[1], toy[0], scratch)


@pytest.mark.thorough
def test_survivors_are_told_from_what_tests_and_checks_notice(
    toy: tuple[Path, list[reach.Test]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "STARTING", 0.2)
    monkeypatch.setattr(running, "SOON", 2)
    before = (toy[0] / "room/toy.py").read_text(encoding="utf-8")
    found = [
        put(toy, "2 * x", "2.02 * x", tmp_path),  # the weak test lets it pass, the check does not
        put(toy, "-1 if", "-2 if", tmp_path),  # the tests left are passed over, and no check suffers
        put(toy, "x < 0", "x <= 0", tmp_path),
        put(toy, "x - 1", "x + 0", tmp_path),  # never ends
        put(toy, "x + 1", "x + 2", tmp_path),
    ]
    assert [report.outcome(each) for each in found] == ["checks", "tests", "survived", "tests", "survived"]
    assert found[0].by == {"tests": "", "checks": "tests/test_checks.py::test_twice_to_every_digit"}
    assert found[3].by["tests"] == "tests/test_toy.py::test_count"
    assert [each.tried for each in found[3:]] == [3, 0], "its own test and those beside it; none at all"
    assert (toy[0] / "room/toy.py").read_text(encoding="utf-8") == before
    told = report.table(found, [])
    assert told.splitlines()[1].split() == ["room", "5", "0", "2", "1", "2", "0", "60%"]
    report.write(tmp_path / "mutants.json", {"seed": 0}, found, [])
    written = json.loads((tmp_path / "mutants.json").read_text(encoding="utf-8"))
    assert [each["outcome"] for each in written["changes"]] == [report.outcome(each) for each in found]


def test_the_command_tells_survivors_by_place_and_leaves_out_what_is_judged_harmless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a toy of two statements, with the running of tests replaced by an answer."""
    for name, text in {**TOY, "room/toy.py": "LIMIT = 200\n\n\ndef twice(x):\n    return -x\n"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    judged = [places.Harmless("room/toy.py", "LIMIT", "200", "a limit")]

    def survived(changes: list[Change], tests: object, copies: object) -> Iterator[running.Noticed]:
        return (running.Noticed(each, {"tests": "", "checks": ""}, 3) for each in changes)

    for name, value in (("ROOT", tmp_path), ("harmless", lambda: judged), ("put_all", survived)):
        monkeypatch.setattr(command, name, value)
    monkeypatch.setattr(command, "measured", lambda copies, rooms, kept: iter([("tests/test_toy.py", [])]))
    out = tmp_path / "out"
    said = CliRunner().invoke(command.main, ["--rooms", "room", "--workers", "1", "--out", str(out)])
    assert said.exit_code == 0, said.output
    assert said.stdout.splitlines()[-1] == "survived: room/toy.py:5: -x -> (x)"
    outcomes = [each["outcome"] for each in json.loads((out / "mutants.json").read_text("utf-8"))["changes"]]
    assert outcomes == ["survived", "harmless"]


@pytest.mark.thorough
def test_a_file_that_cannot_be_imported_any_more_is_noticed_by_all_its_tests(
    toy: tuple[Path, list[reach.Test]], tmp_path: Path
) -> None:
    source = (toy[0] / "room/toy.py").read_text(encoding="utf-8")
    change = Change("room/toy.py", 2, (2, 2), False, 0, 0, "", "import nothing_of_that_name", "")
    noticed = running.put(change, toy[1], toy[0], tmp_path)
    assert noticed.by == {"tests": "tests/test_toy.py", "checks": "tests/test_checks.py"}
    assert (toy[0] / "room/toy.py").read_text(encoding="utf-8") == source


@pytest.mark.thorough
def test_changes_happen_in_the_copy_alone(toy: tuple[Path, list[reach.Test]], tmp_path: Path) -> None:
    """The repository may be read-only: what is copied can be written, and nothing leads back."""
    copy = toy[0]
    copies.rewrite(copy / "room/toy.py", "broken(")
    twin = copies.copied(copy, tmp_path / "twin")
    copies.rewrite(twin / "room/toy.py", TOY["room/toy.py"])
    assert (copy / "room/toy.py").read_text(encoding="utf-8") == "broken("
    copies.rewrite(copy / "room/toy.py", TOY["room/toy.py"])
