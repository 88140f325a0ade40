"""The functions that users call: each does in one line of Python what a command does in the shell.

    import teacherstudent as ts
    ts.curve("multiscale", dynamics="flow", route="asymptotic", times="1:1e4:50", kappa=50)

- `curve` computes observables over time, `sweep` over grids of parameters; `sample` keeps every draw.
- `turns` finds the minima and maxima of the risk over training, `onset` the parameter at which they appear.
- `solve("multiscale", for_="noise", where="excess_risk@end = 0.1")` finds where an answer reaches a level.
- `best("multiscale", over={"ridge": (0.01, 10)}, of="excess_risk@end")` finds where it is least.
- `map("multiscale", x="kappa=1:100", y="alpha=0.3:3", of="descents")` maps a plane of two parameters.
- `mine("features.npy", "targets.npy")` predicts the test error on your own rows.
- `select("spurious-groups", features="features.npz")` chooses a method for the worst group of your features.
- `compare` tests a simulation against a theory; `judge` tests your own draws against your own theory.
- `spectrum` computes the eigenvalues of the training inputs.
- `plot` draws any of these answers; `settings` gives the settings that repeat one.
- `figure` draws a figure, `check` tests the claims of papers, `listing` lists what there is.
- `use(folder)` adds your own system, which `new` writes; `mark` marks an answer to a lesson's exercise.

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
