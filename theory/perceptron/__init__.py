"""Theory of the perceptron: what each rule learns from alpha d examples, in the limit of large d."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "perceptron",
        "examples",
        "asymptotic",
        "teacherstudent.theory.perceptron.asymptotic:examples",
        meaning="exact limit n, d -> infinity at fixed alpha",
        source="gardner1988, seung1992, engel2001: replica symmetry; convex losses by their state evolution",
        exact_for="limit",
        assumes="replica symmetry, and binary weights in equilibrium",
        accuracy=1e-10,
    ),
    Route(
        "perceptron",
        "examples",
        "metastable",
        "teacherstudent.theory.perceptron.asymptotic:metastable",
        meaning="large-system limit for binary weights, on the branch of few examples up to its spinodal",
        source="seung1992, engel2001: replica symmetry",
        approximate="continues beyond the transition, where only the teacher is in equilibrium",
        exact_for="limit",
        example={"rule": "bayes", "weights": "binary"},
        accuracy=1e-10,
    ),
)
