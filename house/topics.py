"""Words of the field that name no system: the question that answers them, or that none does.

Such a word in place of a system or a command is refused with what to type; the glossary has the same words.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    """Words for one thing; a command line that answers it, without the program's name; what it leaves out."""

    words: tuple[str, ...]
    command: str
    note: str = ""


_FLOW = "--dynamics flow --route asymptotic"
_RIDGE = "--dynamics ridge --route asymptotic"
_ROWS = "curve measured-spectrum --features digits --targets digits --n 100"
TOPICS = tuple(Topic(tuple(words.split(", ")), *said) for words, *said in (
    ("grokking, delayed generalisation",
     f"curve measured-spectrum --modes 100:0.01:1 --n 80 --init 2 --ridge 1e-3 {_FLOW}"),
    ("benign overfitting, overfitting, interpolation",
     f"curve measured-spectrum --modes 10:1:1,10000:0.001:0 --noise 0.5 {_RIDGE} --times 1e9"),
    ("double descent, epoch-wise double descent", "turns multiscale --n 110 --d 100 --p 70 --kappa 30"),
    ("model-wise double descent, interpolation threshold, ensemble",
     f"sweep random-features --psi2 2 --psi1 0.5,1,2,4 --noise 0.5 {_FLOW} --times 1e6 --out -"),
    ("scaling law, neural scaling law, power law, learning curve",
     f"sweep measured-spectrum --capacity 1.5 --source 0.4 --n 25,50,100 {_RIDGE} --times 1e9 --out -"),
    ("sample complexity, number of examples",
     f"solve multiscale --noise 0.5 {_FLOW} --for n=20:1000 --where 'excess_risk@end = 0.1'"),
    ("neural tangent kernel, ntk, lazy, lazy training, kernel regime, neural tangents",
     f"{_ROWS} --kernel ntk {_FLOW}"),
    ("kernel ridge regression, krr, kernel regression, gaussian process", f"{_ROWS} --kernel rbf {_RIDGE}"),
    ("feature learning, rich, rich regime", "curve committee --dynamics online --route asymptotic",
     "online only; other students have fixed features"),
    ("early stopping, optimal stopping", "turns multiscale --kappa 30 --noise 0.5"),
    ("weight decay, regularisation, regularization, ridge, ridge regression",
     f"curve multiscale --noise 0.5 {_RIDGE}"),
    ("dropout, data augmentation, augmentation, input noise", f"curve multiscale --noise 0.5 {_RIDGE}",
     "they have the same effect on average"),
    ("batch size, minibatch, sgd, learning rate, critical batch size",
     "curve multiscale --dynamics sgd --route asymptotic --batch 8"),
    ("momentum, heavy ball", "curve multiscale --dynamics momentum --route asymptotic"),
    ("adam, adamw, batch norm, batch normalisation, batch normalization, weight normalisation",
     "curve scale-invariant --dynamics online --route theory --ridge 0.5", "scale-invariant weights only"),
    ("logistic regression, svm, support vector machine, max margin, hinge",
     "curve perceptron --dynamics examples --route asymptotic"),
    ("plateau, saddle, specialisation", "curve committee --dynamics online --route asymptotic"),
    ("simplicity bias, shortcut", "curve starvation --dynamics primal --route theory"),
    ("spurious correlation, group shift, subpopulation shift, reweighting",
     "curve spurious-groups --dynamics descent --route max-margin --times 1:1:1"),
    ("covariate shift, distribution shift, domain adaptation", "", "test rows are drawn like training rows"),
    ("in-context learning, in-context, attention, transformer, language model", ""),
    ("lasso, sparsity, l1", "", "penalties are squares"),
    ("transfer learning, fine-tuning, distillation, continual learning, model collapse", ""),
    ("edge of stability, sharpness, mup, maximal update", ""),
))  # fmt: skip


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
        return f"no system here covers {found.words[0]}{note}"
    return f"for {found.words[0]} ask `teacherstudent {found.command}`{note}"


def _letters(word: str) -> str:
    return "".join(filter(str.isalnum, word.lower())).rstrip("s")
