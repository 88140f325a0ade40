"""Wrong questions about somebody's rows, and wrong curves of hers: each is refused in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import teacherstudent
from teacherstudent.house.errors import InputError
from tests.support import refusal, say

WRONG: dict[str, tuple[str, ...]] = {
    "--n 178: must be below 178, the number of rows": ("wine", "wine", "--n", "178"),
    "--targets diabetes": ("wine", "diabetes"),
    "--features nothing.npy: must be a file": ("nothing.npy", "wine"),
    "--loss mean: must be given beside --learning-rate": ("wine", "wine", "--loss", "mean"),
    "--learning-rate 0.1: must be below": ("wine", "wine", "--n", "40", "--lr", "0.1"),
    "--standardise (a given kernel): must be absent": ("wine", "wine", "--kernel", "given", "--standardise"),
    "--width 2.0: must be absent for --kernel linear": ("wine", "wine", "--width", "2"),
    "--out page.txt: must be": ("wine", "wine", "--out", "page.txt"),
    "--table wine: must be a file of named columns": ("wine",),
    "--features (missing): must be given, or one table with --target": (),
    "--targets (missing): must be given, or one table": ("--features", "wine"),
    "--targets (3 tables): must be features and targets": ("wine", "wine", "wine"),
    "--features wine (digest": ("wine", "wine", "--features", "wine"),
    "--target x: must be absent where no --table is given": ("wine", "wine", "--target", "x"),
    "--seeds 3: must be a whole number >= 4": ("wine", "wine", "--seeds", "3"),
    "--n 10,20,30,40,50,60,70: must be at most 6 sizes": ("wine", "wine", "--n", "10,20,30,40,50,60,70"),
    "--times 0: must be one above 0": ("wine", "wine", "--times", "0"),
    "--times 0: must be one of a step or more": ("iris", "iris", "--lr", "1e-5", "--times", ".1,.2"),
    "--width 2.0: must be absent for --kernel given": ("g.npy", "t.npy", "--kernel", "given", "--width", "2"),
    "--curve no.csv: must be a readable CSV file (No such": ("wine", "wine", "--curve", "no.csv"),
}  # fmt: skip


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_question_is_refused_in_one_line(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if "g.npy" in WRONG[line]:
        np.save("g.npy", np.diag(np.arange(1.0, 13)))
        np.save("t.npy", np.arange(12.0) ** 2)
    before = set(tmp_path.rglob("*"))
    assert line in refusal(say("mine", *WRONG[line]))
    assert set(tmp_path.rglob("*")) == before


CURVES = {
    "epoch,loss\n1,2\n": "columns time or step, test_error, and training_error where there is one; its first "
    "line is epoch,loss",
    "": "its first line is (missing)",
    "time,step,test_error\n1,2,3\n": "its first line is time,step,test_error",
    "time,test_error\n": "of 1 to",
    "time,test_error\n1,nan\n": "a file of finite numbers: line 2 is not, in column test_error",
    "time,test_error\n1,x\n": "a file of finite numbers: line 2 is not, in column test_error",
    "time,test_error\n1,2,3\n": "a file of 2 columns: line 2 is not, it has 3",
    "time,test_error\n1,-0.1\n": "a file of numbers of 0 or more: line 2 is not, in column test_error",
    "time,test_error\n-1,1\n": "a file of numbers of 0 or more: line 2 is not, in column time",
    "step,test_error\n0,1\n\n  \n2.5,1\n": "a file whose step is a whole number: line 5 is not",
    "step,test_error\n\n0,1\n3, \n": "a file without empty cells (leave lines out that have one): line 4 is",
    "step,other,test_error\n0,,1\n1,x,nan\n": "a file of finite numbers: line 3 is not, in column test_error",
    "time,test_error\n2,1\n1,1\n": "a file whose time increases from 0 or more",
    "step,test_error\n1,1\n": "--learning-rate (missing): must be given: the times of --curve are steps",
}


@pytest.mark.parametrize("text", CURVES, ids=range(len(CURVES)))
def test_a_wrong_curve_is_refused_with_what_was_expected(text: str, tmp_path: Path) -> None:
    file = tmp_path / "hers.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        teacherstudent.mine("wine", "wine", n=[40], curve=file)
    assert CURVES[text] in str(caught.value)
