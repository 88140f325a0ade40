"""The front door: say in one line of Python what one line of shell says.

    import teacherstudent as ts
    ts.curve("multiscale", dynamics="flow", route="asymptotic", times="1:1e4:50", kappa=50)

`curve` answers a question and `sweep` many, `sample` keeps every draw and `compare` holds a simulation
against a theory, `turns` finds where the risk turns and `onset` the boundary beyond which it does,
`spectrum` gives the eigenvalues behind it, `figure` draws one of the figures, `check` puts the papers'
claims to the test and `listing` says what there is.
Importing this package imports neither NumPy nor JAX.
"""

from teacherstudent.api.check import check
from teacherstudent.api.compare import Comparison, compare
from teacherstudent.api.curve import curve
from teacherstudent.api.figure import figure
from teacherstudent.api.listing import listing
from teacherstudent.api.onset import Onset, onset
from teacherstudent.api.sample import sample
from teacherstudent.api.spectrum import spectrum
from teacherstudent.api.sweep import sweep
from teacherstudent.api.turns import turns

__all__ = [
    "Comparison",
    "Onset",
    "check",
    "compare",
    "curve",
    "figure",
    "listing",
    "onset",
    "sample",
    "spectrum",
    "sweep",
    "turns",
]
