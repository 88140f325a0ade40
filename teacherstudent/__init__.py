"""The front door: in one line of Python what one line of shell does.

    import teacherstudent as ts
    ts.curve("multiscale", dynamics="flow", route="asymptotic", times="1:1e4:50", kappa=50)

`curve` gives observables over time and `sweep` over grids of parameters, `sample` keeps every draw and
`compare` tests a simulation against a theory, `judge` your own draws against a theory of your own,
`turns` finds the extrema of the risk over training and
`onset` the parameter at which they appear, `solve` every value of a parameter, or every time, at which an
answer reaches a level, `solve("multiscale", for_="noise", where="excess_risk@end = 0.1")`,
`best` where it is least, `best("multiscale", over={"ridge": (0.01, 10)}, of="excess_risk@end")`, `map`
traces over a plane of two parameters where their number changes or maps any observable,
`map("multiscale", x="kappa=1:100", y="alpha=0.3:3", of="descents")`,
`mine("features.npy", "targets.npy")` predicts all of that of your own rows and compares with subsets of them,
`select("spurious-groups", features="features.npz")` chooses a method for the worst group of your features,
`spectrum` gives the eigenvalues behind them, `plot` draws any of these answers, `settings` says how to ask
for it again, `figure` draws a figure, `check` tests the papers' claims, `listing` lists problems, routes,
figures and checks, `use(folder)` adds a system of your own, and `mark` marks an answer to a lesson's exercise
in code.
Importing this package imports neither NumPy nor JAX.
"""

# ruff: noqa: E402 (in a clone the path comes before what it leads to)
from pathlib import Path

# In a wheel the rooms are in this folder. In a clone they are next to it, and links to them are here for
# tools that read files; modules come from the rooms themselves. A system without links has texts instead.
_FOLDER = Path(__file__).resolve().parent
_ROOMS = (_FOLDER / "house").resolve().parent if (_FOLDER / "house").is_dir() else _FOLDER.parent
if _ROOMS != _FOLDER:
    __path__[:] = [str(_ROOMS), str(_FOLDER)]

from teacherstudent.api.best import best
from teacherstudent.api.check import check
from teacherstudent.api.compare import Comparison, compare
from teacherstudent.api.curve import curve
from teacherstudent.api.figure import figure
from teacherstudent.api.judge import judge
from teacherstudent.api.judged.judgement import Judgement
from teacherstudent.api.listing import listing
from teacherstudent.api.map import map
from teacherstudent.api.marking import mark
from teacherstudent.api.mine import mine
from teacherstudent.api.new import new
from teacherstudent.api.onset import Onset, onset
from teacherstudent.api.plot import plot
from teacherstudent.api.sample import sample
from teacherstudent.api.select import select
from teacherstudent.api.settings import settings
from teacherstudent.api.solve import solve
from teacherstudent.api.spectrum import spectrum
from teacherstudent.api.sweep import sweep
from teacherstudent.api.turns import turns
from teacherstudent.api.use import use

__all__ = [
    "Comparison",
    "Judgement",
    "Onset",
    "best",
    "check",
    "compare",
    "curve",
    "figure",
    "judge",
    "listing",
    "map",
    "mark",
    "mine",
    "new",
    "onset",
    "plot",
    "sample",
    "select",
    "settings",
    "solve",
    "spectrum",
    "sweep",
    "turns",
    "use",
]
