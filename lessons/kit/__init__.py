"""The kit of the lessons: one look, one way to ask, one way to compare.

Authoring a lesson
------------------
A lesson is a module of `lessons` (`lessons/<name>.py`), a marimo notebook whose docstring begins
`Lesson <number>: <title>`; `teacherstudent lesson` lists it by that. `lessons/modes.py` is the model:

1. `marimo.App` is given `css_file="lesson.css"` and `html_head_file="head.html"`: the look, and what
   a screen reader hears of a slider. A setup block imports `marimo as mo`, `teacherstudent as ts` and
   `kit`; nothing of this project beneath the front door, and no JAX: that comes with the first simulation.
2. **The question**, and **the maths**: static prose in `mo.md(r\"\"\"...\"\"\")` cells, which become
   markdown cells in Jupyter. A displayed formula carries the paper's number as `\\tag{2.2.18}`;
   a number in prose reads `Eq. 2.2.18`. The tests look each up in the list of the paper's claims
   (`pezeshki2022` unless the lesson says `Eq. 3 of <key>`).
3. One cell of controls: `kit.slider` over `kit.log_steps` or a list, and `kit.simulate_button`, a name
   each, shown by `kit.controls` at its end. Choose ranges within which every combination has an answer;
   where that cannot be, put the question inside `kit.asked`, which tells the reader why there is none.
4. Theory at once: `ts.curve(...)`, tens of milliseconds at most. Simulation on demand:
   `kit.on_demand(button, lambda: ts.compare(ts.curve(...simulation...), ts.curve(...theory...)))`.
   The simulation's seeds are others than the theory's, or both are `ts.sample`s of the same draws.
5. Pictures: `kit.curves` makes the panels (solid line, markers with one standard error, residuals
   with the band of what chance explains), `kit.picture` draws them, `kit.abreast` places several;
   `kit.Line`, `kit.Points`, `kit.Panel` and `kit.Axis` serve what is not a curve over time. Approximations
   are `dashed=True`; `kit.Now` shows where a slider stands. Every picture has an `alt` with computed numbers.
6. `kit.verdict(comparison)`, with `names` as in the pictures; two `kit.exercise`s, their numbers
   computed in the solution's f-string; `kit.read_next`.

The explorer is such a page without exercises. Its settings have a `name` in the page's address:
`kit.again` shows a link to the page as it stands, and the commands that compute the same.

Numbers in prose are computed, never typed. Cells stand in an order in which they can run from top
to bottom, for that is how the exported notebook and `python lessons/<name>.py` run them. Names that
only one cell uses begin with an underscore.
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
from teacherstudent.lessons.kit.looks import LOOKS, Look
from teacherstudent.lessons.kit.marks import Band, Line, Mark, Now, Points
from teacherstudent.lessons.kit.pictures import abreast, curves, picture, residuals
from teacherstudent.lessons.kit.words import exercise, read_next, table, text, verdict

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
    "exercise",
    "log_steps",
    "on_demand",
    "picture",
    "read_next",
    "residuals",
    "simulate_button",
    "slider",
    "table",
    "text",
    "verdict",
]
