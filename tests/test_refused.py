"""What cannot be answered is refused in one line, which says what would have been right."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teacherstudent
from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError
from tests.support import refusal, say


def taking(option: str) -> str:
    """The dynamics of multiscale that take an option, as a refusal names them."""
    clocks = catalogue.find_problem("multiscale").dynamics
    return " or ".join(each.name for each in clocks if option in {own.name for own in each.options})


REFUSED: dict[str, dict[str, str]] = {
    "": {
        "nonsense": "COMMAND nonsense: must be one of ",
        "--nonsense": "COMMAND (missing): must be one of ",
        "curve": "PROBLEM (missing): must be one of ",
        "curve nonsense": "PROBLEM nonsense: must be one of ",
        "turns multiscale --dynamics ridge": "--dynamics: must be one that `teacherstudent turns multiscale "
        "--help` lists; did you mean --curve ridge?",
        "completion tcsh": "SHELL tcsh: must be one of bash, zsh, fish",
        "curv": "…did you mean curve?",
        "curve ch4-fig3": "…did you mean `teacherstudent figure ch4-fig3`?",
        "compare multiscale flow": "SIMULATION multiscale: must be a file ending in .nc",
        "compare multiscale --route flow": "…without files: teacherstudent curve multiscale --dynamics",
        "compare": "…; THEORY (missing): must be a file ending in .nc that `curve` or `sweep` wrote",
        "turns": "…for example: teacherstudent turns measured-spectrum",
        "select": "…for example: teacherstudent select spurious-groups --features stripes",
        "new": "NAME (missing): must be given; for example: teacherstudent new ",
        "map multiscale --y d=1:2": "--x, --of (missing): must be given; for example: teacherstudent map ",
        "multiscale": "…did you mean `teacherstudent curve multiscale`?",
        "train multiscale": "…did you mean `teacherstudent curve multiscale`?",
        "ch4-fig3": "…did you mean `teacherstudent figure ch4-fig3`?",
        "help": "…did you mean --help?",
        "--dynamics flow curve": "…options follow it",
        "curve multiscal": "…did you mean multiscale?",
        "sweep multiscale --dynamics flow --route simulation": "…simulation is a route under --dynamics "
        "descent",
        "sweep multiscale --kappa 1 --kappa 5": "…several values are separated by commas: --kappa 1,5",
        "sweep multiscale --dynamics flow --route asymptotic": "…as in --n LO:HI:N",
        "curve linear-network '--singular-values=2 1'": "…did you mean 2,1?",
        "curve starvation --dynamics dual --route theory --alpha 1": "…did you mean --alpha0?",
        "onset linear-network": "PROBLEM linear-network: must be one of measured-spectrum, ",
        "mine wine diabetes": "--targets diabetes",
        "mine nothing.npy wine": "--features nothing.npy: must be a file",
        "mine wine": "--table wine: must be a file of named columns",
        "mine": "--features (missing): must be given, or one table with --target",
        "mine --features wine": "--targets (missing): must be given, or one table",
        "mine iris iris --lr 1e-5 --times .1,.2": "--times 0: must be a list with one step or more",
        "mine g.npy t.npy --kernel given --width 2": "--width 2.0: must be absent for --kernel given",
    },
    "curve toy --strength 1 --dynamics path --route": {
        "grown extra": "WORD extra: must be part of an option that `teacherstudent curve toy --help` lists",
        "grown --part 9 --out answer.csv --settings kept.toml": "--part 9: must be at most whole = 4",
        "grown --times 2:1:3 --out answer.csv": "--times 2:1:3: must be",
        "grown --whole 3 --pairs 1:2": "--whole 3: must be absent where --pairs is given",
        "grown --pace 0.5": "--pace 0.5: must be absent under path: an option of --dynamics steps",
        "grown --seeds 5": "--seeds 5: must be absent: route grown draws nothing",
        "grown --seed 5": "--seed 5: must be absent: route grown draws nothing",
        "drawn --seeds 1": "--seeds 1: must be a whole number >= 2",
        "grown --times 0:1:3:lin": "--times 0: must be a finite number > 0 on the clock of dynamics",
        "grown --out answer.txt": "--out answer.txt: must be a file ending in .csv or .nc, or -",
        "grown --out ''": "--out '': must be a file ending in .csv or .nc, or -",
    },
    "curve multiscale --dynamics flow --route asymptotic": {
        "--dynamics ridge": "--dynamics (twice): must be given once",
        "--kappa 1 --kappa 5": "--kappa (twice): must be given once; only `sweep` takes several values: "
        "--kappa 1,5",
        "--times 1 --times 5": "…several values are separated by commas: --times 1,5",
        "--kappa 1:100:5": "…only `sweep` takes several values",
        "--kappa 1,5,10": "…only `sweep` takes several values",
        "--kappa 1 5 10": "…only `sweep` takes several values: --kappa 1,5,10",
        "--times 1 5 10": "…several values are separated by commas: --times 1,5,10",
        "kappa=3": "…did you mean --kappa 3?",
        "word": "…must be part of an option that `teacherstudent curve multiscale --help` lists",
        "asymptotic": "…did you mean --route asymptotic?",
        "--condition 3": "…did you mean --condition-number?",
        "--observable parts,bias": "…did you mean parts?",
        "--n 100,000": "…did you mean 100000?",
        "--kappa 5/2": "…did you mean 2.5?",
        "--learning-rate 1": "--learning-rate 1.0: must be absent under flow: an option of --dynamics "
        + taking("learning_rate"),
        "--times 0:10:5": "…did you mean 0:10:5:lin?",
        "--times 0:10:0.5": "…did you mean 0:10:21:lin?",
        "--times 1:100": "…did you mean 1:100:20?",
        "--times 100:1:5": "…did you mean 1:100:5?",
        "--times 1:9:5:linear": "…did you mean 1:9:5:lin?",
        "--times 5,1": "…a list must increase",
    },
    "curve multiscale": {
        "--kapa 3": "…did you mean --kappa?",
        "-kappa 3": "-kappa: must be one that `teacherstudent curve multiscale --help` lists",
        "--Lambda 3": "…did you mean --lambda?",
        "--dynamics flow --route simulation": "…simulation is a route under --dynamics descent",
        "--dynamics flow --route simulaton": "…simulation is a route under --dynamics descent",
        "--dynamics gradient-flow": "…did you mean flow?",
        "--dynamics flow --route asymtotic": "…did you mean asymptotic?",
        "--dynamics langevin --temperature 0.01": "…1/temperature: --inverse-temperature 100",
        "--dynamics descent --route simulation --n 1e9": "--n 1000000000: must be at most ",
        "--dynamics langevin --temperature": "…lists; --inverse-temperature takes 1/temperature",
    },
    "curve random-features --dynamics flow --route asymptotic": {
        "--activation identity": "…did you mean linear?",
        "--hermite 0 1": "…several values are separated by commas: --hermite 0,1",
    },
    "curve toy": {
        "--nonsense 3": "--nonsense: must be one that `teacherstudent curve toy --help` lists",
        "--whole": "--whole (missing): must be a whole number >= 1",
        "--route grown": "--dynamics (missing): must be one of steps, path",
        "--dynamics path": "--route (missing): must be one of grown, modes, drawn",
        "--dynamics drift --route grown": "--dynamics drift: must be one of steps, path",
        "--route drawn --dynamics steps": "--route drawn: must be one of stepped",
        "--dynamics path --route grown": "--strength (missing): must be a finite number",
        "--strength 1 --dynamics steps --route stepped --pace 2": "--pace 2: must be auto or a finite "
        "number >= 0 and <= 1",
    },
    "sweep toy --dynamics path --times 1:2:2 --route grown --strength 0.5:2:3:lin": {
        "--pairs 2:3:4": "--pairs 2:3:4: must be count:value",
        "--out answer.txt": "--out answer.txt: must be a file ending in .csv or .nc or .zarr, or -",
        "--out missing/answer.nc": "--out missing/answer.nc: must be a file in a folder that exists",
        "--resume": "--resume (given): must be absent where --out names no file",
        "--workers 0": "--workers 0: must be a whole number >= 1 and <= 1024",
        "--at-once 0": "--at-once 0: must be a whole number >= 1",
        "--workers 2 --scheduler x": "--workers 2: must be absent where --scheduler is given",
        "--seeds 3": "--seeds 3: must be absent: route grown draws nothing",
        "--points points.csv": "--points points.csv: must be given without ranges: strength",
    },
    "sweep toy --dynamics path --times 1:2:2": {
        "--route grown --strength 1": "--points (missing): must be given, or at least one",
        "--route grown,nonsense --strength 1:2:2": "--route nonsense: must be one of grown, modes, drawn, "
        "or several, separated by commas",
        "--strength 1:2:2": "--route (missing): must be one of grown, modes, drawn, or several",
        "--route grown --strength 2:1:3": "--strength 2:1:3: must be a finite number > 0 and",
        "--route grown --strength 0:1:3": "--strength 0:1:3: must be a finite number > 0 and",
        "--route grown --strength 1:3:3": "--strength 1:3:3: must be a finite number > 0 and",
        "--route grown --points points.txt": "--points points.txt: must be a file ending in .csv",
    },
    "onset multiscale --n 110 --d 100 --p 70": {
        "--kappa 2:3": "--kappa 2:3: must be a range with different numbers of descents",
        "--kappa 3": "PARAM (missing): must be given once as LO:HI",
        "--kappa 2:30 --ridge 0:1": "--ridge 0:1: must be a value where kappa is searched",
        "--kappa 30:2": "--kappa 30:2: must be a finite number >= 1, or LO:HI with LO < HI",
        "--kappa 0.5:2": "--kappa 0.5:2: must be a finite number >= 1, or LO:HI",
        "--kappa 2:3:4": "--kappa 2:3:4: must be a finite number >= 1, or LO:HI",
        "--kappa 2:30 --accuracy 0": "--accuracy 0: must be a finite number >= 1e-08",
        "--kappa 2:30 --curve sketch": "--curve sketch: must be one of flow, ridge, printed",
    },
    "onset multiscale": {
        "--kappa 30:2": "…did you mean 2:30?",
        "--kappa 2-30": "…did you mean 2:30?",
        "--kappa 2:30:9": "…did you mean 2:30?",
        "": "…must be given once as LO:HI, the interval to search, as in --n LO:HI",
        "--d 100 --kappa 2:30 --p 200": "--p 200: must be at most d = 100",
    },
    "map multiscale --y ridge=1:3 --of descents": {
        "--x kapa=1:2": "--x kapa=1:2: must be PARAM=LO:HI",
        "--x kappa=1": "--x kappa=1: must be PARAM=LO:HI",
        "--x kappa=5:2": "--x kappa=5:2: must be PARAM=LO:HI[:log|lin] with LO < HI",
        "--x kappa=0.5:2": "--x kappa=0.5:2: must be PARAM=LO:HI",
        "--x scales=1:2": "--x scales=1:2: must be PARAM=LO:HI",
        "--x noise=0:1:log": "--x noise=0:1:log: must be PARAM=LO:HI",
        "--x ridge=1:2": "--y ridge=1:3: must be a parameter other than that of --x, ridge",
        "--x kappa=1:2 --kappa 3": "--kappa 3.0: must be absent where it is an axis",
        "--x kappa=1:2 --route instance": "--route instance: must be one of",
        "--x kappa=1:2 --route asymptotic": "--route asymptotic: must be absent for --of descents",
        "--x kappa=1:2 --seeds 5": "--seeds 5: must be absent without --spots",
        "--x kappa=1:2 --out map.txt": "--out map.txt: must be a file ending in",
    },
    "map multiscale --x kappa=1:2 --y ridge=1:3": {
        "--of ascents": "--of ascents: must be one of descents, stopping, gain, or OBSERVABLE[@TIME]",
        "--of training_error": "--of training_error: must be one of the observables of this question: R, Q, "
        "excess_risk; --observable training adds it",
        "--of R@-1": "--of R@-1: must be R@TIME, TIME a whole number",
        "--of R --curve flow": "--curve flow: must be absent for --of R",
    },
    "map multiscale --x ridge=1:2:lin": {
        "--y time=1:10 --of descents --along noise": "--along noise: must be PARAM=LO:HI[:N][:log|lin]",
        "--y time=1:10 --of descents --along noise=0.1:1:2": "…with N from 5 to 400",
        "--y time=1:10 --of descents --along time=1:2": "--along time=1:2: must be",
        "--y time=1:10 --of descents --along ridge=1:2": "--along ridge=1:2: must be a parameter other than "
        "that of --x, ridge",
        "--y time=1:10 --of descents --along noise=1:2 --noise 3.0": "--noise 3.0: must be absent where it "
        "is an axis",
        "--y time=1:10 --of R --along noise=1:2": "…must be absent for --of R: it is the parameter over",
        "--y time=1:10 --of descents@5 --along noise=1:2": "--of descents@5: must be without @TIME",
        "--y kappa=1:2 --of descents@no --along noise=1:2": "--of descents@no: must be descents@TIME, TIME "
        "a finite number >= 0",
        "--y time=1:10 --of descents --along noise=1:2 --observable parts": "…must be one of the parameters "
        "of problem multiscale",
        "--y time=1:10 --of stopping": "--y time=1:10: must be a parameter, because --of stopping",
        "--y time=1:10 --of R@5": "--of R@5: must be without @TIME where time is an axis",
        "--y kappa=1:2 --of descents@5": "--of descents@5: must be descents without @TIME",
        "--y time=-1:2 --of descents": "--y time=-1:2: must be",
        "--y time=0:2 --of R --dynamics ridge": "--y time=0:2: must be",
        "--y tme=1:2 --of descents": "…did you mean time?",
    },
    "map multiscale --of R": {
        "--x kapa=1:2 --y noise=0:1": "…did you mean kappa?",
        "--x sigma=1:2 --y noise=0:1": "--x sigma=1:2: must be said by its name: --noise",
        "--x n=50:100 --y noise=0:1 --alpha 1.5": "--alpha 1.5: must be absent where an axis replaces it",
        "--x n=50:100 --y alpha=1:2": "--y alpha=1:2: must be a parameter that does not replace",
    },
    "sweep toy --strength 1:2:2 --dynamics path --times 1:3:3:lin --route early --plot a.png": {
        "--of growth@9": "--of growth@9: must be a time between the recorded ones, 1 and 3",
        "--of growth@best": "--of growth@best: must be of an observable with a best value",
        "--of 9": "--of growth@9: must be a time",
        "--of speed@end": "--of speed@end: must be OBSERVABLE, best, end, descents or a time",
        "--of growth@": "--of growth@: must be OBSERVABLE, best, end, descents or a time",
        "--of modes@end": "--of modes@end: must be OBSERVABLE, best, end, descents or a time",
        "--show modes": "--show modes: must be an observable of this question: growth",
        "--whole 4:6:3 --part 1:3:3": "--plot a.png: must be absent if more than two parameters are swept",
    },
    "curve toy --strength 1 --dynamics path --times 1:3:3:lin --route early": {
        "--plot a.jpg": "--plot a.jpg: must be a file ending in .png or .pdf or .svg",
        "--show growth": "--show growth: must be absent without --plot",
        "--plot a.png --show grow": "--show grow: must be one of growth, modes",
    },
    "mine wine wine": {
        "--n 178": "--n 178: must be below 178, the number of rows",
        "--loss mean": "--loss mean: must be given together with --learning-rate",
        "--n 40 --lr 0.1": "--learning-rate 0.1: must be below",
        "--kernel given --standardise": "--standardise (a given kernel): must be omitted",
        "--width 2": "--width 2.0: must be left out for --kernel linear",
        "--out page.txt": "--out page.txt: must be",
        "wine": "--targets (3 tables): must be features and targets",
        "--features wine": "--features wine (digest",
        "--target x": "--target x: must be left out without --table",
        "--seeds 3": "--seeds 3: must be a whole number >= 4",
        "--n 10,20,30,40,50,60,70": "--n 10,20,30,40,50,60,70: must be at most 6 sizes",
        "--times 0": "--times 0: must be a list with a time above 0",
        "--curve no.csv": "--curve no.csv: must be a readable CSV file (No such",
    },
    "lesson": {
        "nonsense": "NAME nonsense: must be one of ",
        "--port 4321": "NAME (missing): must be one of ",
        "modes --port 0": "--port 0: must be a whole number >= 1 and <= 65535",
        "modes --notebook a.txt": "--notebook a.txt: must be a file ending in .ipynb",
        "--answer a.py": "NAME (missing): must be one of ",
    },
    "list": {
        "nonsense": "KIND nonsense: must be one of problems, routes, figures, checks, errata",
        "--json=yes": "Option '--json' does not take a value.",
        "figure": "…did you mean figures?",
        "figures checks": "KIND figures checks: must be one KIND",
    },
    "figure": {
        "": "ID (missing): must be one that `teacherstudent list figures` lists",
        "nonsense": "ID nonsense: must be one that `teacherstudent list figures` lists",
        "all --format gif": "--format gif: must be one of png, pdf, svg",
        "ch4fig3": "…must be one that `teacherstudent list figures` lists; did you mean ch4-fig3?",
        "double-descent": "…with this word: ch4-fig1, ch4-fig4, map-onset",
        "ch4-fig3 nonsense": "ID nonsense: must be one that `teacherstudent list figures` lists",
        "saad1995": "…figures of saad1995: cm-",
        "multiscale": "…figures of multiscale: ",
        "own-multiscale": "…did you mean `teacherstudent check own-multiscale`?",
    },
    "check": {
        "": "ID (missing): must be one that `teacherstudent list checks` lists",
        "nonsense": "ID nonsense: must be one that `teacherstudent list checks` lists",
        "all --report page.pdf": "--report page.pdf: must be a file ending in .html",
        "all --json": "--json (missing): must be a file",
        "ms-modes": "…must be one that `teacherstudent list checks` lists; did you mean",
        "gs-lambert nonsense": "ID nonsense: must be one that `teacherstudent list checks` lists",
        "saad1995": "…checks of saad1995: cm-",
        "starvation": "…checks of starvation: ",
        "ch4-fig3": "…did you mean `teacherstudent figure ch4-fig3`?",
    },
}
"""What a line begins with, and continues with, and the beginning of what is said; behind … the middle."""


@pytest.fixture
def folder(here: Path) -> Path:
    """A folder to work in, with a kernel of somebody's."""
    np.save("g.npy", np.diag(np.arange(1.0, 13)))
    np.save("t.npy", np.arange(12.0) ** 2)
    return here


LINES = {f"{first} {rest}".strip(): said for first, more in REFUSED.items() for rest, said in more.items()}


@pytest.mark.parametrize("typed", LINES)
def test_a_refusal_says_what_would_have_been_right(typed: str, toy: Any, folder: Path) -> None:
    """In one line that is not long; nothing is computed and nothing written."""
    if "--route early" in typed:
        toy("early", lambda toy, times: pytest.fail("answered too early"))
    before = set(folder.rglob("*"))
    line, said = refusal(say(*shlex.split(typed))), LINES[typed]
    assert said[1:] in line if said[0] == "…" else line.startswith(said)
    assert len(line) < 400
    assert set(folder.rglob("*")) == before


CURVES = {
    "epoch,loss\n1,2\n": "columns time or step, test_error, and optionally training_error; its first "
    "line is epoch,loss",
    "": "its first line is (missing)",
    "time,step,test_error\n1,2,3\n": "its first line is time,step,test_error",
    "time,test_error\n": "with 1 to",
    "time,test_error\n1,nan\n": "a file of finite numbers; see line 2, column test_error",
    "time,test_error\n1,x\n": "a file of finite numbers; see line 2, column test_error",
    "time,test_error\n1,2,3\n": "a file with 2 columns in every line; line 2 has 3",
    "time,test_error\n1,-0.1\n": "a file of numbers of 0 or more; see line 2, column test_error",
    "time,test_error\n-1,1\n": "a file of numbers of 0 or more; see line 2, column time",
    "step,test_error\n0,1\n\n  \n2.5,1\n": "a file whose steps are whole numbers; see line 5",
    "step,test_error\n\n0,1\n3, \n": "a file without empty cells (remove such lines); see line 4",
    "step,other,test_error\n0,,1\n1,x,nan\n": "a file of finite numbers; see line 3, column test_error",
    "time,test_error\n2,1\n1,1\n": "a file whose time starts at 0 or more and increases",
    "step,test_error\n1,1\n": "--learning-rate (missing): must be given: the times of --curve are steps",
}


@pytest.mark.parametrize("text", CURVES, ids=range(len(CURVES)))
def test_a_wrong_curve_is_refused_with_what_was_expected(text: str, tmp_path: Path) -> None:
    file = tmp_path / "hers.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        teacherstudent.mine("wine", "wine", n=[40], curve=file)
    assert CURVES[text] in str(caught.value)
