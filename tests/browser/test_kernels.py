"""The theory that pages compute is Python's, number by number, over random questions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.browser.kernels import ACCURACY, Kernel, difference, differences, kernels, with_scripts


@pytest.mark.parametrize("kernel", [pytest.param(each, id=each.call) for each in kernels()])
def test_a_page_answers_what_python_answers(kernel: Kernel, browser: Any) -> None:
    with with_scripts(browser, kernel.script) as page:
        worst = differences(kernel, page)
    assert worst.numbers >= kernel.count
    assert worst.error <= ACCURACY, worst.where


@pytest.mark.parametrize("wrong", [1 + 1e-8, np.nan])
def test_a_wrong_number_would_be_noticed(wrong: float) -> None:
    numbers = np.array([1e-12, 1.0, 3.0])
    changed = numbers * np.array([wrong, 1.0, 1.0])
    assert difference(numbers, numbers, 0.0) == 0
    assert not difference(numbers, changed, 0.0) <= ACCURACY
