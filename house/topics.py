"""Words of the field that name no system: the question that answers them, or that none does.

Such a word in place of a system or a command is refused with what to type; the glossary has the same words.
"""

from __future__ import annotations

from dataclasses import dataclass

_FEATURES = "measured-spectrum --features digits --targets digits --n 100"
_RIDGE = "curve multiscale --dynamics ridge --route asymptotic --noise 0.5"


@dataclass(frozen=True)
class Topic:
    """Words for one thing; a command line that answers it, without the program's name; what it leaves out."""

    words: tuple[str, ...]
    command: str = ""
    note: str = ""


TOPICS = (
    Topic(
        ("grokking", "delayed generalisation"),
        "curve measured-spectrum --modes 100:0.01:1 --n 80 --init 2 --ridge 1e-3 --dynamics flow"
        " --route asymptotic",
    ),
    Topic(
        ("benign overfitting", "overfitting", "interpolation"),
        "curve measured-spectrum --modes 10:1:1,10000:0.001:0 --noise 0.5 --dynamics ridge --route asymptotic"
        " --times 1e9",
    ),
    Topic(
        ("double descent", "epoch-wise double descent"),
        "turns multiscale --n 110 --d 100 --p 70 --kappa 30",
    ),
    Topic(
        ("model-wise double descent", "interpolation threshold", "ensemble"),
        "sweep random-features --psi2 2 --psi1 0.5,1,2,4 --noise 0.5 --observable parts --dynamics flow"
        " --route asymptotic --times 1e6 --out -",
    ),
    Topic(
        ("scaling law", "neural scaling law", "power law", "learning curve"),
        "sweep measured-spectrum --capacity 1.5 --source 0.4 --n 25,50,100 --dynamics ridge"
        " --route asymptotic --times 1e9 --out -",
    ),
    Topic(
        ("neural tangent kernel", "ntk", "lazy", "lazy training", "kernel regime", "neural tangents"),
        f"curve {_FEATURES} --kernel ntk --dynamics flow --route asymptotic",
    ),
    Topic(
        ("kernel ridge regression", "krr", "kernel regression", "gaussian process"),
        f"curve {_FEATURES} --kernel rbf --dynamics ridge --route asymptotic",
    ),
    Topic(
        ("feature learning", "rich", "rich regime"),
        "curve committee --dynamics online --route asymptotic",
        "online only; students of other systems keep their features",
    ),
    Topic(("early stopping", "optimal stopping"), "turns multiscale --kappa 30 --noise 0.5"),
    Topic(("weight decay", "regularisation", "regularization", "ridge", "ridge regression"), _RIDGE),
    Topic(
        ("dropout", "data augmentation", "augmentation", "input noise"),
        _RIDGE,
        "to which it is equal in the mean",
    ),
    Topic(
        ("batch size", "minibatch", "sgd", "learning rate", "critical batch size"),
        "curve multiscale --dynamics sgd --route asymptotic --batch 8",
    ),
    Topic(("momentum", "heavy ball"), "curve multiscale --dynamics momentum --route asymptotic"),
    Topic(
        ("adam", "adamw", "batch norm", "batch normalisation", "batch normalization", "weight normalisation"),
        "curve scale-invariant --dynamics online --route theory --ridge 0.5",
        "scale-invariant weights only",
    ),
    Topic(
        ("logistic regression", "svm", "support vector machine", "max margin", "hinge"),
        "curve perceptron --dynamics examples --route asymptotic",
    ),
    Topic(("plateau", "saddle", "specialisation"), "curve committee --dynamics online --route asymptotic"),
    Topic(("simplicity bias", "shortcut"), "curve starvation --dynamics primal --route theory"),
    Topic(
        ("spurious correlation", "group shift", "subpopulation shift", "reweighting"),
        "curve spurious-groups --dynamics descent --route max-margin --times 1:1:1",
    ),
    Topic(
        ("covariate shift", "distribution shift", "domain adaptation"),
        note="test rows are drawn as training rows are",
    ),
    Topic(("in-context learning", "in-context", "attention", "transformer", "language model")),
    Topic(("lasso", "sparsity", "l1"), note="penalties are squares"),
    Topic(("transfer learning", "fine-tuning", "distillation", "continual learning", "model collapse")),
    Topic(("edge of stability", "sharpness", "mup", "maximal update")),
)


def topic_of(word: object) -> Topic | None:
    """The topic that a word names, in any spelling, in singular or plural; None where none does."""
    typed = _letters(word) if isinstance(word, str) else ""
    return next((each for each in TOPICS if typed in map(_letters, each.words)), None)


def what_answers(word: object) -> str:
    """What to type for a word of the field, or that nothing here answers it; "" for another word."""
    found = topic_of(word)
    if not found:
        return ""
    note = found.note and f" ({found.note})"
    if not found.command:
        return f"{found.words[0]} is not answered here{note}"
    return f"for {found.words[0]} ask `teacherstudent {found.command}`{note}"


def _letters(word: str) -> str:
    return "".join(filter(str.isalnum, word.lower())).rstrip("s")
