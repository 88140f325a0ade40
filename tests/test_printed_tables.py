"""Cells of printed tables stand in the scans that are at hand, and Welch's test of them is SciPy's."""

from __future__ import annotations

import itertools
import re
from functools import cache

import numpy as np
import pytest
from scipy import stats

from teacherstudent.paper_checks.judging.printed import (
    Cell,
    Count,
    Difference,
    Table,
    counted,
    on_average,
    probabilities,
)
from teacherstudent.paper_checks.scale_invariant.accuracies import SAME
from teacherstudent.paper_checks.scale_invariant.kit.tables import SPHERE_2020, SPHERE_2021
from teacherstudent.paper_checks.scale_invariant.kit.tables import TABLES as SPHERE
from teacherstudent.paper_checks.spurious_groups.kit.tables import TABLES as GROUPS
from teacherstudent.paper_checks.spurious_groups.kit.tables import WORST
from tests.test_quotations import LISTED, SCANS

APART = 150
"""Letters at most between a cell and the next, which tables with further columns have."""


@cache
def scan(paper: str) -> str:
    """The text of a paper, "" where it is not at hand."""
    index = SCANS / "README.md"
    listed = dict(LISTED.findall(index.read_text("utf-8"))) if index.is_file() else {}
    return (SCANS / listed[paper]).read_text("utf-8") if paper in listed else ""


def cell(digits: tuple[str, str]) -> str:
    """A mean and its deviation as scans show them: points get lost, the sign between is read as 4."""
    mean, std = (each.replace(".", r"\.?") for each in digits)
    return rf"(?<!\d){mean}[^\d]{{0,40}}4?{std}(?!\d)"


def stands_in(text: str, cells: list[str]) -> bool:
    """Whether a row stands in a scan: its cells in order, or, where columns are scanned one by one, each."""
    row = f".{{0,{APART}}}?".join(cells)
    return bool(re.search(row, text, re.DOTALL)) or all(re.search(each, text) for each in cells)


@pytest.mark.parametrize("table", GROUPS + SPHERE, ids=lambda table: f"{table.paper}, {table.place}")
def test_cells_stand_in_their_paper(table: Table) -> None:
    if not scan(table.paper):
        pytest.skip(f"the text of {table.paper} is not at hand")
    for name in {row for row, _ in table.printed}:
        cells = [cell(digits) for (row, _), digits in table.printed.items() if row == name]
        assert stands_in(scan(table.paper), cells), name


def test_another_digit_is_noticed() -> None:
    text = "SUBY 4 No 79.9+33 82.4£1.7 -2.4405"
    assert stands_in(text, [cell(("79.9", "3.3")), cell(("82.4", "1.7"))])
    assert stands_in(text, [cell(("2.4", "0.5"))])
    assert not stands_in(text, [cell(("79.9", "3.2"))])
    assert not stands_in(text, [cell(("9.9", "3.3"))])


def test_both_versions_print_the_same_but_for_two_cells() -> None:
    differ = [
        (name, column)
        for name, later in SAME.items()
        for column in SPHERE_2021.columns
        if SPHERE_2020.printed[name, column] != SPHERE_2021.printed[later, column]
    ]
    assert differ == [("AdamW", "SVHN ResNet18"), ("AdamW", "SVHN VGG16")]


def test_of_a_pair_it_is_the_test_of_welch() -> None:
    one, other = Cell(68.93, 0.19, 3, (0.005, 0.005)), Cell(68.5, 0.10, 5, (0.05, 0.005))
    found = probabilities(Difference([one, other]))

    def welch(up: float, *wider: float) -> float:
        a, b = (each.std + 0.005 * more for each, more in zip((one, other), wider, strict=True))
        return stats.ttest_ind_from_stats(one.mean + 0.055 * up, a, 3, other.mean, b, 5, False).pvalue

    corners = list(itertools.product((-1, 1), repeat=2))
    least, largest = min(welch(1, *each) for each in corners), max(welch(-1, *each) for each in corners)
    np.testing.assert_allclose(found, [welch(0, 0, 0), least, largest], rtol=1e-9)


def test_of_averages_it_keeps_its_level() -> None:
    """Of means over two columns without a difference one in twenty is shown, within 4 standard errors."""
    cells = [*WORST.row("subg")[:2], *WORST.row("gdro")[:2]]
    draws, random = 1500, np.random.default_rng(0)
    runs = random.normal(size=(draws, len(cells), 5)) * np.array([each.std for each in cells])[:, None]
    shown = 0
    for mean, std in zip(runs.mean(axis=2), runs.std(axis=2, ddof=1), strict=True):
        drawn = [Cell(m, s, 5, (0.0, 0.0)) for m, s in zip(mean, std, strict=True)]
        shown += probabilities(on_average(drawn[:2], drawn[2:]))[0] < 0.05
    assert abs(shown / draws - 0.05) < 4 * np.sqrt(0.05 * 0.95 / draws)


def test_a_statement_of_several_comparisons_is_held_to_their_number() -> None:
    halves = (0.0, 0.0)
    apart = Difference([Cell(1.0, 1.0, 5, halves), Cell(-1.0, 1.0, 5, halves)])  # p = .013
    assert counted({"one": apart}) == Count(1, 1, 0, 0)
    turned = apart._replace(weights=(-1.0, 1.0))
    assert counted({str(i): turned for i in range(4)}) == Count(0, 0, 0, 4)
    assert counted({str(i): turned for i in range(3)}) == Count(0, 0, 3, 0)
