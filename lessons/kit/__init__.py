"""The kit of the lessons: one look, one way to compute, one way to compare.

Authoring a lesson
------------------
A lesson is a module of `lessons` (`lessons/<name>.py`), a marimo notebook whose docstring begins
`Lesson <number>: <title>`. `lessons/modes.py` is the model:

1. `marimo.App` takes `css_file="lesson.css"` and `html_head_file="head.html"`. A setup block imports
   `marimo as mo`, `teacherstudent as ts` and `kit`; no other room of this project, and no JAX: the first
   simulation loads it.
2. **The question** and **the mathematics** are static prose in `mo.md(r\"\"\"...\"\"\")` cells. A displayed
   formula has the paper's number as `\\tag{2.2.18}`; a number in prose reads `Eq. 2.2.18`. The tests look
   each up in the list of the paper's claims (`pezeshki2022` unless the lesson says `Eq. 3 of <key>`).
3. One cell makes the controls: `kit.slider` over `kit.log_steps` or a list, and `kit.simulate_button`, each
   with a name, shown by `kit.controls` at its end. Choose ranges within which every combination has an
   answer; if this is not possible, put the question inside `kit.asked`, which shows why there is no answer.
4. Theory is computed at once: `ts.curve(...)`, tens of milliseconds at most. Simulation runs on demand:
   `kit.on_demand(button, lambda: ts.compare(ts.curve(...simulation...), ts.curve(...theory...)))`.
   Simulation and theory have different seeds, or both are `ts.sample`s of the same draws.
5. `kit.curves` makes panels (lines, markers with one standard error, residuals with the band of chance),
   `kit.with_simulation` adds markers and residuals to a panel of lines, `kit.picture` draws panels,
   `kit.abreast` places pictures side by side. Approximations are `dashed=True`; `kit.Now` shows the value of
   a slider. Every picture has an `alt` with computed numbers.
6. `kit.verdict(comparison)` names observables as the pictures do.
7. Teaching material is in `teaching/<name>.toml` (see `teacherstudent.api.teaching`): `kit.opening` below the
   question, `kit.think_first` before the first picture, `kit.exercises` with the numbers that solutions
   name, `kit.onwards` at the end.
8. For the page without a server (`lessons.pages`), `pages/scripts/lessons/<name>.js` draws the same pictures.
   The tests compare it with the notebook at random settings, so prose without numbers, sentences with
   numbers, and pictures are in separate cells.

The explorer is such a page without exercises. Its settings have a `name` in the page's address:
`kit.again` shows a link to the page with its present settings, and the commands that compute the same.

Numbers in prose are computed, never typed. Cells are in an order in which they can run from top to bottom.
Names that only one cell uses begin with an underscore.
"""

from teacherstudent.lessons.kit.address import again
from teacherstudent.lessons.kit.axes import Axis, axis_label
from teacherstudent.lessons.kit.charts import Panel
from teacherstudent.lessons.kit.controls import (
    asked,
    choice,
    controls,
    log_steps,
    on_demand,
    simulate_button,
    slider,
)
from teacherstudent.lessons.kit.marks import LOOKS, Band, Line, Look, Mark, Now, Points
from teacherstudent.lessons.kit.pictures import abreast, curves, picture, residuals, with_simulation
from teacherstudent.lessons.kit.teaching import exercises, onwards, opening, think_first
from teacherstudent.lessons.kit.words import table, text, verdict

__all__ = [
    "LOOKS",
    "Axis",
    "Band",
    "Line",
    "Look",
    "Mark",
    "Now",
    "Panel",
    "Points",
    "abreast",
    "again",
    "asked",
    "axis_label",
    "choice",
    "controls",
    "curves",
    "exercises",
    "log_steps",
    "on_demand",
    "onwards",
    "opening",
    "picture",
    "residuals",
    "simulate_button",
    "slider",
    "table",
    "text",
    "think_first",
    "verdict",
    "with_simulation",
]
