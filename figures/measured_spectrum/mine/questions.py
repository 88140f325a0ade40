"""The questions of a practitioner, each answered in one sentence with its doubt, in the order of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from teacherstudent.figures.measured_spectrum.mine import judging
from teacherstudent.figures.measured_spectrum.mine.formats import digits, pair, time

Facts = dict[str, Any]

LITTLE = 0.02
"""Relative change of the error that hardly matters."""


@dataclass(frozen=True)
class Said:
    """One question, its answer, and how certain that is; `doubt` may be empty."""

    question: str
    answer: str
    doubt: str


def five_questions(found: Facts) -> list[Said]:
    """The five questions that every page answers."""
    return [_rows(found), _stopping(found), _ridge(found), _descents(found), _trust(found)]


def _rows(found: Facts) -> Said:
    question = "Will more rows help?"
    if not found["doubling"]:
        return Said(question, "Unknown: no two sizes differ by a factor of two.", "")
    last, beyond = found["doubling"][-1], ""
    change, of = last["change"], _size(found, last["n"])["error"]["value"]
    if of == 0:
        return Said(question, f"No: on {last['n']} rows the error is 0 up to rounding.", "")
    if reached := found["more_rows"]["predictions"]:
        here, more = reached[0], reached[-1]
        beyond = (
            f" Predicted with the best ridge: {pair(here['error'])} on {here['n']} rows, "
            f"{pair(more['error'])} on {more['n']} rows."
        )
    relative, doubt = change["value"] / of, change["error"] / of
    span = f"from {last['n']} to {last['to']} rows the error at the best stop changes by {pair(change)}"
    if abs(relative) + doubt < LITTLE:
        answer = f"Hardly: {span}."
    elif relative + doubt < 0:
        answer = f"Yes: {span}."
    else:
        answer = f"Not certain: {span}."
    return Said(question, answer, f"Measured on subsets: {pair(last['measured_change'])}.{beyond}")


def _stopping(found: Facts) -> Said:
    question, last = "When to stop?", found["sizes"][-1]
    n, clock = last["n"], _clock(found)
    seen = f"Measured on subsets: {pair(last['measured'])}"
    if rate := last["error_rate"]:
        seen += f"; {pair(rate, 100)} % of new rows misclassified ({rate['verdict']})"
    if last["stops_at_end"]:
        when = f"{clock} = {time(last['stop_time'])}"
        answer = f"Not before {when}. The error on {n} rows is then {pair(last['error'])}."
        return Said(question, answer, f"{seen}.")
    low, high = sorted((last["stop_time"], last["stop_time_corrected"]))
    when = time(low) if time(low) == time(high) else f"{time(low)} to {time(high)}"
    answer = f"On {n} rows at {clock} = {when}. The error is then {pair(last['error'])}."
    end = f"At {clock} = {time(found['end_time'])} it is {pair(last['error_at_end'])}"
    return Said(question, answer, f"{seen}. {end} (measured: {pair(last['measured_at_end'])}).")


def _ridge(found: Facts) -> Said:
    question, last = "How much ridge?", found["ridge"][-1]
    seen, unit = f"Measured on subsets: {pair(last['measured'])}.", "The ridge is alpha in scikit-learn."
    if last["best"] == np.inf:
        return Said(question, f"Infinite on {last['n']} rows: no feature helps.", unit)
    if last["best"] == 0:
        return Said(question, f"None: on {last['n']} rows the error without ridge is 0 up to rounding.", unit)
    if not np.isfinite(last["best"]):
        return Said(question, "Unknown: no minimum could be certified.", unit)
    answer = f"{digits(last['best'], 2)} on {last['n']} rows. The error is then {pair(last['error'])}."
    if last["better"]:
        other = "More" if last["better"] > last["best"] else "Less"
        where = digits(last["better"], 2)
        answer = f"{other} than theory says: the measured error is smaller at {where}. Theory: {answer}"
    if last["best"] < 0:
        unit = "A negative ridge offsets weak features, which act as a ridge. scikit-learn refuses it."
        seen = "It was not measured."
    return Said(question, answer, f"{seen} {unit}")


def _descents(found: Facts) -> Said:
    question = "Is a second descent coming?"
    kinds: dict[str, list[str]] = {}
    for each in found["sizes"]:
        kinds.setdefault(each["second_descent"], []).append(str(each["n"]))
    over_time = {
        "yes": "over training: yes at n = {n}",
        "not certain": "over training: not certain at n = {n}",
        "too small to tell": "over training: too small to judge at n = {n}",
        "no": "over training: none at n = {n}",
    }
    parts = [said.format(n=", ".join(kinds[kind])) for kind, said in over_time.items() if kind in kinds]
    answer = "; ".join(parts)
    peak = found["peak"]
    doubt = "Over the number of rows, the error after long training only falls."
    if peak:
        does = "still rises at" if peak["at_end"] else "peaks near"
        until = f"at {_clock(found)} = {time(found['end_time'])}"
        doubt = (
            f"Over the number of rows, the predicted error {until} {does} n = {peak['n']}, with the value "
            f"{digits(peak['error'], 2)} (verdict: {found['certificate']['after_stop'] or 'not reached'})."
        )
    return Said(question, f"{answer[0].upper()}{answer[1:]}.", doubt)


def _trust(found: Facts) -> Said:
    of = found["certificate"]
    until, after = of["until_stop"], of["after_stop"]
    answer = f"Until the stop: {until or 'unknown'}; after it: {after or 'not reached'}."
    worst = max(
        (part for each in found["sizes"] for part in each["regimes"]),
        key=lambda part: abs(part["difference"]) + part["error"],
        default=None,
    )
    doubt = ""
    if worst:
        off = f"{100 * worst['difference']:+.1f} ± {100 * worst['error']:.1f} %"
        doubt = (
            f"Largest difference between theory and {of['subsets']} measured subsets: {off} of the error. "
        )
    doubt += f"The verdict {judging.TRUST} means less than 5 % including the ±, and even rows."
    return Said("Can I trust this?", answer, doubt)


def rows(found: Facts) -> Said:
    """What the data are."""
    of = found["spectrum"]
    answer = f"{found['rows']} rows of {found['columns']} features, which span {of['modes']} directions."
    share = f"The features explain {100 * of['expressed_share']:.3g} % of the target's variance"
    first = f"90 % of that in the first {of['modes_of_most_target']} directions"
    return Said("What do the rows hold?", answer, f"{share}, {first}. Strong directions are learned first.")


def _size(found: Facts, n: int) -> Facts:
    return next(each for each in found["sizes"] if each["n"] == n)


def _clock(found: Facts) -> str:
    return "s" if found["learning_rate"] is None else "step"
