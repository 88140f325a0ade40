"""Theory of motion driven by stable noise: scales of stable laws, times of exit, moments of students."""

from teacherstudent.house.declarations import Route

_EULER = "has the step error of Euler's scheme"
_ROOM = "teacherstudent.theory.stable_noise"
_RELAXATION = ("mean_log", "variance_log", "characteristic")
_GAP = ("training_loss", "population_loss", "generalisation_gap")

ROUTES = (
    Route(
        "stable-noise",
        "relaxation",
        "exact",
        f"{_ROOM}.relaxation:exact",
        meaning="stable distribution of the continuous motion",
        source="samorodnitsky1994: scales of stable integrals",
        gives=_RELAXATION,
    ),
    Route(
        "stable-noise",
        "relaxation",
        "euler",
        f"{_ROOM}.relaxation:euler",
        meaning="stable distribution of Euler's scheme after the same number of steps",
        source="samorodnitsky1994: scales of sums",
        approximate=_EULER,
        gives=_RELAXATION,
    ),
    Route(
        "stable-noise",
        "exit",
        "getoor",
        f"{_ROOM}.exits:getoor",
        meaning="mean exit time without drift",
        source="getoor1961",
        gives=("exit_time",),
    ),
    Route(
        "stable-noise",
        "exit",
        "spectral",
        f"{_ROOM}.spectral:spectral",
        meaning="mean exit time at any drift and noise: integral equation, solved in Jacobi polynomials",
        source="dyda2017 for the fractional Laplacian of weighted Jacobi polynomials; the drift derived here",
        gives=("exit_time",),
        accuracy=1e-5,
    ),
    Route(
        "stable-noise",
        "exit",
        "small-noise",
        f"{_ROOM}.exits:small_noise",
        meaning="power law of the exit time from a well by one large jump",
        source="imkeller2006",
        approximate="holds where a (r/sigma)^alpha is large",
        gives=("exit_time",),
    ),
    Route(
        "stable-noise",
        "gap",
        "exact",
        f"{_ROOM}.gap:exact",
        meaning="moments of the stationary distribution of the motion, averaged over drawn examples",
        source="derived here; moments of stable variates by samorodnitsky1994",
        gives=_GAP,
    ),
    Route(
        "stable-noise",
        "gap",
        "euler",
        f"{_ROOM}.gap:euler",
        meaning="moments of the stationary distribution of Euler's scheme, averaged over drawn examples",
        source="derived here; moments of stable variates by samorodnitsky1994",
        approximate=_EULER,
        gives=_GAP,
    ),
)
