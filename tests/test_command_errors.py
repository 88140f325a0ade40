"""Bad input gets one line that names the option, the value and its domain, and exit status 2.

Values are drawn from the declarations: what a domain describes it takes, and what it excludes
it refuses, for every parameter of every problem.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teacherstudent.cli.options import times_parameter
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.domains import Choice, Domain, Matrix, Number, OrWord, Pairs, Several, Switch, Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Grid
from teacherstudent.house.parameters import FIRST_SEED, REQUIRED, SEEDS, Parameter
from teacherstudent.house.tables import ColumnNames
from tests.support import TOY, refusal, say
from tests.test_catalogue_refusals import just_outside

PROBLEMS = [*catalogue.problems().values(), TOY]
EXAMPLES = settings(max_examples=12, deadline=None)
VOCABULARY = (Number, Whole, Choice, OrWord, Several, Pairs, Matrix, Grid)


def options(problem: Problem) -> list[Parameter]:
    """All that the command line reads for that problem."""
    routes = [route for route in catalogue.routes() if route.problem == problem.id]
    own = [option for owner in (*problem.dynamics, *routes) for option in owner.options]
    found = [*problem.parameters, *dict.fromkeys(own), times_parameter(problem), SEEDS, FIRST_SEED]
    return [each for each in found if not isinstance(each.domain, Switch)]  # whose options take no value


OPTIONS = [
    pytest.param(problem, each, id=f"{problem.id}-{each.option}")
    for problem in PROBLEMS
    for each in options(problem)
]
SHARED = [each for each in OPTIONS if isinstance(each.values[1].domain, VOCABULARY)]
"""Without the options whose domain a problem made for itself: we cannot draw from those."""


def inside(domain: Domain) -> st.SearchStrategy[str]:
    """Texts of values in that domain."""
    match domain:
        case Number():
            bounds = {"exclude_min": domain.low_open, "exclude_max": domain.high_open}
            return st.floats(domain.low, domain.high, allow_nan=False, allow_infinity=False, **bounds).map(
                repr
            )
        case Whole():
            return st.integers(domain.low, 10**6 if domain.high is None else domain.high).map(str)
        case Choice():
            return st.sampled_from(domain.words)
        case OrWord():
            return st.just(domain.word) | inside(domain.otherwise)
        case Several():
            return st.lists(inside(domain.each), min_size=1, max_size=3).map(",".join)
        case Pairs():
            pair = st.tuples(inside(domain.count), inside(domain.value)).map(":".join)
            return st.lists(pair, min_size=1, max_size=3).map(",".join)
        case Matrix():
            squares = [st.lists(inside(domain.entry), min_size=n * n, max_size=n * n) for n in (1, 2, 3)]
            return st.one_of(squares).map(in_square)
        case Grid():
            ends = st.lists(st.floats(1e-9, 1e9), min_size=2, max_size=2, unique=True).map(sorted)
            count, spacing = st.integers(2, domain.most), st.sampled_from(["", ":log", ":lin"])
            spans = st.builds(lambda ends, n, word: f"{ends[0]}:{ends[1]}:{n}{word}", ends, count, spacing)
            return spans | ends.map(lambda ends: ",".join(map(repr, ends)))
    raise NotImplementedError(domain)


def in_square(entries: list[str]) -> str:
    """The text of a square matrix of these entries."""
    side = round(len(entries) ** 0.5)
    return ";".join(",".join(entries[i : i + side]) for i in range(0, len(entries), side))


NONSENSE = ("", " ", "many", "nan", "1,5,", "--", "\n", "1e", "½")
SPANS = "5:1:3 1:1:2 1:2:0 1:2:-3 1:2:2.5 0:1:3 0:1:3:log 1:2:3:cubic 1:nan:3 -1:2:3:lin 1:inf:3 5,1 -1,1"


def outside(domain: Domain) -> Iterator[str]:
    """Texts of what that domain excludes, near its edges and far from them."""
    if isinstance(domain, ColumnNames):
        yield from ("", " ", "\t")  # all else may be the name of a column
        return
    yield from NONSENSE
    if isinstance(domain, Grid):
        yield from (*SPANS.split(), f"1:2:{domain.most + 1}", "1:2:3:log:lin", "1:2:", "1:2")
    elif isinstance(domain, Matrix):
        rows = [value for value in just_outside(domain) if isinstance(value, tuple)]
        several = [value for value in rows if all(isinstance(row, tuple) for row in value)]
        yield from (
            ";1",
            "1;",
            "1,0;;0,1",
            *(";".join(",".join(map(str, row)) for row in value) for value in several),
        )
    else:
        for value in just_outside(domain):
            if isinstance(value, str | float | int | tuple) and not isinstance(value, bool):
                parts = value if isinstance(value, tuple) else (value,)
                yield ",".join(
                    ":".join(map(str, each)) if isinstance(each, tuple) else str(each) for each in parts
                )


@pytest.mark.parametrize(("problem", "parameter"), SHARED)
def test_a_value_inside_the_domain_is_read_and_stays_as_it_is(problem: Problem, parameter: Parameter) -> None:
    @EXAMPLES
    @given(inside(parameter.domain))
    def reads(text: str) -> None:
        value = parameter.parse(text)
        assert parameter.check(value) == value
        assert parameter.check(text) == value, "Python takes the same text"

    reads()


@pytest.mark.parametrize(("problem", "parameter"), OPTIONS)
def test_a_value_outside_the_domain_is_refused_in_one_line(
    problem: Problem, parameter: Parameter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "problems", lambda: {problem.id: problem})
    for text in outside(parameter.domain):
        line = refusal(say("curve", problem.id, f"--{parameter.option}={text}"))
        assert line.startswith(f"--{parameter.option} ")
        right = f": must be {parameter.domain.describe()}"
        _, domain, hint = line.partition(right)
        assert domain
        assert not hint or hint.startswith("; "), "what is wrong, or what is meant"
        if text.strip() and text.isprintable() and len(text) < 50 and "  " not in text:
            assert text.strip() in line


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.id)
def test_values_inside_their_domains_make_an_instance_or_one_line_about_their_contradiction(
    problem: Problem,
) -> None:
    texts = {
        each.name: inside(each.domain) if each.default is REQUIRED else st.none() | inside(each.domain)
        for each in problem.parameters
        if isinstance(each.domain, VOCABULARY)
    }

    @settings(EXAMPLES, max_examples=60)
    @given(st.fixed_dictionaries(texts))
    def builds(drawn: dict[str, str | None]) -> None:
        read = {
            each.name: each.parse(drawn[each.name]) for each in problem.parameters if drawn.get(each.name)
        }
        refused = None
        try:
            problem.instance(**read)
        except InputError as error:
            refused = error
        if refused:
            assert refused.option in {each.name for each in problem.parameters}
            assert "\n" not in str(refused)

    builds()


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.id)
def test_the_default_shown_is_the_default_used(problem: Problem) -> None:
    for each in options(problem):
        if each.default is not None and each.default is not REQUIRED:
            assert each.parse(each.default_text) == each.check(each.default), each.name


TOY_PATH = ("curve", "toy", "--strength", "1", "--dynamics", "path", "--route")
NAN, INFINITY = float("nan"), float("inf")
TIMELESS = [[], [[1.0]], [2.0, 1.0], [1.0, 1.0], [1.0, NAN, 3.0], [1.0, INFINITY], [-1.0], "1:2", [None]]


@pytest.mark.parametrize("times", TIMELESS, ids=str)
def test_python_refuses_times_that_are_not_increasing_numbers(toy: Any, times: Any) -> None:
    from teacherstudent import curve

    with pytest.raises(InputError, match=r"^--times ") as caught:
        curve("toy", dynamics="steps", route="stepped", strength=1, times=times)
    assert "\n" not in str(caught.value)


UNWRITABLE = [
    "{folder}/missing/answer.csv",
    "{folder}/a-file/answer.csv",
    "{folder}/a-folder.csv",
    "{folder}/{long}.csv",
]


@pytest.mark.parametrize("target", [*UNWRITABLE, "/proc/answer.csv"])
def test_a_file_that_cannot_be_written_is_found_before_computing(
    toy: Any, tmp_path: Path, target: str
) -> None:
    (tmp_path / "a-file").touch()
    (tmp_path / "a-folder.csv").mkdir()
    before = sorted(tmp_path.iterdir())
    toy("costly", partial(pytest.fail, "computed"))
    out = target.format(folder=tmp_path, long="x" * 300)
    assert refusal(say(*TOY_PATH, "costly", "--out", out)).startswith("--out /")
    assert sorted(tmp_path.iterdir()) == before


def test_sizes_beyond_memory_are_refused_in_one_line(toy: Any) -> None:
    def huge(toy: Any, times: Any) -> Any:
        raise MemoryError

    toy("huge", huge)
    assert "memory" in refusal(say(*TOY_PATH, "huge"))


@EXAMPLES
@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_a_refusal_is_one_short_line_whatever_was_typed(text: str) -> None:
    with contextlib.suppress(InputError):
        Parameter("n", "n", "1", Choice(()), "nothing is right").parse(text)
        pytest.fail("nothing is right")
    line = str(InputError("n", text, "something else"))
    assert line.isprintable()
    assert len(line) < 150
