"""What each cell of a notebook becomes on its page."""

from __future__ import annotations

import json
import re
from html import escape
from itertools import combinations
from typing import Any

import marimo as mo

from teacherstudent.api.teaching import DISCUSSED, Exercise, Teaching, agree, function, task
from teacherstudent.lessons.kit.address import written
from teacherstudent.lessons.kit.controls import Controls
from teacherstudent.lessons.kit.pictures import Abreast, Picture
from teacherstudent.lessons.kit.teaching import Exercises, Taught, reading
from teacherstudent.lessons.kit.words import Markdown, Table, Verdict
from teacherstudent.lessons.pages import words
from teacherstudent.lessons.pages.cells import Cell, Notebook, plain_label, title
from teacherstudent.lessons.pages.drawing import drawn

PROBES = 3
"""Questions that a page asks of an answer in code; `teacherstudent lesson --answer` asks more."""
NONE = "<p><em>No simulation is shown. Choose one of the stored settings above.</em></p>"


class Blocks:
    """The cells of a page in their order as HTML, numbered as its script counts them."""

    def __init__(self, notebook: Notebook, of: Teaching) -> None:
        self.notebook, self.of = notebook, of
        self.words = self.verdicts = 0
        self.pictures: list[str] = []
        self.trying = False

    def whole(self) -> str:
        """All of them."""
        html = "\n".join(filter(None, map(self.block, self.notebook.shown()))) + self._end()
        return self.first_screen() + html

    def first_screen(self) -> str:
        """Title, one sentence, one picture, one control and the first question, if the lesson names them."""
        if not (first := self.of.first):
            return ""
        return (
            f'<section class="first-screen"><h1>{words.inline(title(self.notebook.shown()))}</h1>'
            f'<p class="sentence">{words.inline(first.sentence)}</p>'
            f"{self.pictures[first.picture]}"
            f"<form>{control(first.control, self.notebook.controls[first.control], 'first-')}</form>"
            f"{think_first(self.of)}</section>\n"
        )

    def block(self, cell: Cell) -> str:
        """One cell."""
        shown = cell.shown
        if (prose := cell.prose()) is not None:
            if self.of.first:
                prose = re.sub(r"\A# .*", "", prose)
            return f'{self._end()}<section class="prose">{words.html(prose)}</section>'
        if isinstance(shown, Controls):
            begun = f'{self._end()}<section class="try">{self.controls(shown)}'
            self.trying = True
            return begun
        if isinstance(shown, Picture | Abreast):
            return self.drawing(cell)
        if isinstance(shown, Verdict):
            self.verdicts += 1
            return (
                f'<div class="verdict" data-verdict="{self.verdicts - 1}" {needs(cell)} '
                f'data-none="{escape(NONE)}" aria-live="polite">{NONE}</div>'
            )
        if isinstance(shown, Taught):
            return self._end() + self.taught(shown)
        if isinstance(shown, Exercises):
            return self._end() + "\n".join(map(self.taught, (*shown.by_hand, shown.code)))
        if isinstance(shown, Table | Markdown):
            said = shown.text if isinstance(shown, Table) else words.html(shown.text)
            if not cell.needs:
                return f'<section class="prose">{said}</section>'
            self.words += 1
            return f'<div class="words" data-words="{self.words - 1}" {needs(cell)}>{said}</div>'
        return ""

    def _end(self) -> str:
        """Close the part in which something moves, if it is open."""
        ended, self.trying = self.trying, False
        return "</section>\n" if ended else ""

    def drawing(self, cell: Cell) -> str:
        """Pictures, side by side where there is room, and room for those that a simulation adds."""
        items = ""
        for each in cell.pictures():
            place = f'class="picture-place" data-picture="{len(self.pictures)}" {needs(cell)}'
            self.pictures.append(f"<div {place}>{each.text}</div>")
            items += self.pictures[-1]
        more = f'<div class="more" data-more="{cell.place}" {needs(cell)}></div>'
        return f'<div class="abreast">{items}{more}</div>'

    def controls(self, shown: Controls) -> str:
        """Sliders and choices, and the settings at which simulations were drawn."""
        rows = "".join(
            control(name, self.notebook.controls[name])
            for name, each in shown.elements.items()
            if isinstance(each, mo.ui.slider | mo.ui.radio) and name not in self.of.simulation_only
        )
        drawn = "" if self.pictures else self.drawn()
        return f'<div class="controls">{rows}{drawn}<p class="told" role="status"></p></div>'

    def drawn(self) -> str:
        """A button for each of the settings at which simulations were drawn."""
        buttons = '<button type="button" aria-pressed="false"></button>' * len(drawn(self.notebook.name))
        told = "<span><strong>Stored simulations:</strong></span>"
        return buttons and f'<div class="drawn" role="group" aria-label="Simulations">{told}{buttons}</div>'

    def taught(self, shown: Taught) -> str:
        """A part of the teaching kit."""
        if shown.part == "opening":
            goals = "".join(f"<li>{words.inline(each)}</li>" for each in self.of.goals)
            needed = "; ".join(map(words.inline, self.of.prerequisites))
            known = f"<strong>You need:</strong> {needed}."
            return (
                f'<section class="opening"><h2>After this lesson you can</h2><ul>{goals}</ul>'
                f"<p>{known} <strong>In class:</strong> {self.of.minutes} minutes.</p></section>"
            )
        if shown.part == "think_first":
            return "" if self.of.first else think_first(self.of)
        if shown.part == "exercise":
            solved = f"<a href='{shown.name}-solutions.html'>a separate page</a>"
            link = f"<p>The solution is on {solved}.</p>" if self.of.solved else ""
            return f'<section class="exercise">{words.html(shown.text)}{link}</section>'
        if shown.part == "code_exercise":
            return code_exercise(shown.name, self.of)
        # where it stands among the lessons: the head and the foot of the page say it
        return f'<section class="reading">{words.html(reading(shown.name))}</section>'


def needs(cell: Cell) -> str:
    """The controls on which a cell depends, as an attribute."""
    return f'data-needs="{" ".join(sorted(cell.needs))}"'


def control(name: str, made: Any, before: str = "") -> str:
    """A slider or a choice; `before` makes the id of a slider in a second place a different one."""
    return slider(name, made, before) if isinstance(made, mo.ui.slider) else choice(name, made)


def slider(name: str, made: Any, before: str) -> str:
    """A slider over the places of its steps."""
    place = list(made.steps).index(made.value)
    now = written(made.value)
    return (
        f'<div class="control"><label for="{before}{name}">{escape(plain_label(made))}</label>'
        f'<output for="{name}">{now}</output>'
        f'<input type="range" id="{before}{name}" name="{name}" min="0" max="{len(made.steps) - 1}" step="1" '
        f'value="{place}" aria-valuetext="{now}"></div>'
    )


def choice(name: str, made: Any) -> str:
    """One of several words."""
    rows = "".join(
        f'<label><input type="radio" name="{name}" value="{escape(str(value))}"'
        f"{' checked' if value == made.value else ''}>{escape(shown)}</label>"
        for shown, value in made.options.items()
    )
    return f'<fieldset class="control"><legend>{escape(plain_label(made))}</legend>{rows}</fieldset>'


def think_first(of: Teaching) -> str:
    """The question before the picture; why its answer is right is shown once one was chosen."""
    asked = of.think_first
    assert asked
    rows = "".join(
        f'<label><input type="radio" name="answer" value="{i}"><span>{words.inline(each)}</span></label>'
        for i, each in enumerate(asked.answers, 1)
    )
    right = f' data-right="{asked.right}"' if of.solved else ""
    because = f'<p role="status"></p><div class="because" hidden>{words.html(asked.because)}</div>'
    return (
        f'<form class="think-first"{right}><h2>Think first</h2>'
        f"{words.html(asked.question)}"
        f"<fieldset><legend>Your answer</legend>{rows}</fieldset>"
        f"{because if of.solved else words.html(DISCUSSED)}</form>"
    )


def probes(exercise: Exercise) -> list[dict[str, Any]]:
    """Questions to an answer in code, with the right value and those that typical mistakes give.

    Any two of these answers differ in at least one question by more than what `agree` allows.
    """
    codes = [exercise.solution, *(each.code for each in exercise.mistake)]
    answers = [function(each) for each in codes]
    asked = exercise.questions()
    given = [[float(each(**one)) for each in answers] for one in asked]
    pairs = list(combinations(range(len(answers)), 2))
    apart = [{(i, j) for i, j in pairs if not agree((v[i] + v[j]) / 2, v[i])} for v in given]
    chosen = next(
        each
        for each in combinations(range(len(asked)), PROBES)
        if len(set.union(*(apart[i] for i in each))) == len(pairs)
    )
    return [{"asked": asked[i], "right": given[i][0], "wrong": given[i][1:]} for i in chosen]


def code_exercise(name: str, of: Teaching) -> str:
    """The exercise in code; values of the reader's function are told from wrong ones in the page."""
    exercise = of.exercise
    assert exercise
    shown = words.html(task(name, of.solved))
    if not of.solved:
        return f'<section class="exercise">{shown}</section>'
    asked = probes(exercise)
    told = {"probes": asked, "says": [words_only(each.says) for each in exercise.mistake]}
    rows = "".join(
        f"<label><code>answer({', '.join(f'{k}={v:g}' for k, v in each['asked'].items())})</code>"
        f'<input name="probe{i}" inputmode="decimal" autocomplete="off"></label>'
        for i, each in enumerate(asked)
    )
    return (
        f'<section class="exercise">{shown}'
        f'<form class="code-exercise" data-probes="{escape(json.dumps(told))}">'
        f"<p>Or type the values of your function; three digits are enough:</p>{rows}"
        f'<p role="status"></p></form></section>'
    )


def words_only(markdown: str) -> str:
    """Markdown as plain text."""
    return re.sub(r"[*`$\\]", "", markdown)
