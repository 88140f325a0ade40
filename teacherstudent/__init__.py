"""The front door: say in one line of Python what one line of shell says.

    import teacherstudent as ts
    ts.curve("multiscale", dynamics="flow", route="asymptotic", times="1:1e4:50", kappa=50)

`curve` answers a question and `sweep` many, `sample` keeps every draw and `compare` holds a simulation
against a theory, `turns` finds where the risk turns and `onset` the boundary beyond which it does,
`spectrum` gives the eigenvalues behind it, `figure` draws one of the figures, `check` puts the papers'
claims to the test and `listing` says what there is.
Importing this package imports neither NumPy nor JAX.
"""

from teacherstudent.asking import curve
from teacherstudent.checking import check
from teacherstudent.comparing import Comparison, compare
from teacherstudent.drawing import figure
from teacherstudent.finding import Onset, onset
from teacherstudent.inventory import listing
from teacherstudent.sampling import sample
from teacherstudent.spectra import spectrum
from teacherstudent.sweeping import sweep
from teacherstudent.turning import turns

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
