"""The front door: say in one line of Python what one line of shell says.

    import teacherstudent as ts
    ts.curve("multiscale", dynamics="flow", route="asymptotic", times="1:1e4:50", kappa=50)

`curve` answers a question and `sweep` many, `onset` solves for a boundary, `spectrum` gives the
eigenvalues behind a risk, `figure` draws one of the figures, `check` puts the papers' claims to the
test and `listing` says what there is.
Importing this package imports neither NumPy nor JAX.
"""

from teacherstudent.asking import curve
from teacherstudent.checking import check
from teacherstudent.drawing import figure
from teacherstudent.finding import onset
from teacherstudent.inventory import listing
from teacherstudent.spectra import spectrum
from teacherstudent.sweeping import sweep

__all__ = ["check", "curve", "figure", "listing", "onset", "spectrum", "sweep"]
