"""Slides, a sheet to print, and solutions, made from the notebook and its teaching file."""

from __future__ import annotations

import re
from html import unescape

from teacherstudent.api.teaching import Teaching, task
from teacherstudent.lessons.kit.teaching import Exercises, Taught, reading, solution
from teacherstudent.lessons.pages import words
from teacherstudent.lessons.pages.cells import HEADING, Cell, Notebook, question, title
from teacherstudent.lessons.pages.story import Slide, pictured, timed

ROOM = 520
"""Characters that a slide holds."""
FORMULA = 160
"""Characters whose room a displayed formula takes."""
DISPLAYED = re.compile(r"\$\$.+?\$\$", re.DOTALL)
TITLE_NOTES = "Read the question aloud. Collect two or three guesses, and do not say yet which is right."
THINK_NOTES = (
    "Give the class two minutes to choose alone, then count hands for each answer and write the counts down."
)
ANSWER_NOTES = (
    "Compare with the counts of hands. Ask somebody who chose the right answer to explain it first."
)
GOALS_NOTES = "Say which of these goals the pictures have reached, and which need the formulas that follow."
MATHEMATICS_NOTES = (
    "Name each symbol, then say what the text or formula means for the pictures before. "
    "The rest of the class is divided equally among the slides of this kind."
)
EXERCISE_NOTES = "For homework or a separate session: the minutes of the class do not include the exercises."
READING_NOTES = "Name one of these as the next thing to read."
LINES = '<div class="lines">' + "<div></div>" * 6 + "</div>"


def slides(notebook: Notebook, of: Teaching) -> list[Slide]:
    """The slides: title, first question, story and answer; then goals, mathematics, exercises, reading."""
    cells = notebook.shown()
    asked = of.think_first
    assert asked
    opening = (
        f'<h1>{words.inline(title(cells))}</h1><div class="question">{words.html(question(cells))}</div>'
    )
    because = f"<h2>Answer to the first question</h2><p>Answer {asked.right}.</p>{words.html(asked.because)}"
    shown = [
        Slide(title(cells), opening, TITLE_NOTES, 2),
        Slide("Think first", _thought(of), f"{THINK_NOTES} Answer {asked.right} is right.", 4),
        *(
            pictured(notebook, each, f"teaching/{notebook.name}.toml, [[story]] number {i}")
            for i, each in enumerate(of.story, 1)
        ),
    ]
    goals = "<h2>After this lesson you can</h2>" + _list(of.goals)
    after = [Slide("Answer to the first question", because, ANSWER_NOTES, 2)] if of.solved else []
    after += [
        Slide("After this lesson you can", goals, GOALS_NOTES, 1),
    ]
    mathematics, exercises, last = [], [], []
    for cell in cells:
        if prose := cell.prose():
            mathematics += [words.html(each) for each in pieces(without_head(prose))]
        elif isinstance(cell.shown, Exercises):
            exercises += [words.html(each.text) for each in cell.shown.by_hand]
        elif isinstance(cell.shown, Taught) and cell.shown.part == "onwards":
            last.append(Slide("What to read next", words.html(reading(notebook.name)), READING_NOTES, 1))
    exercises.append("<h2>Exercise in code</h2>" + words.html(task(notebook.name, of.solved)))
    left = of.minutes - sum(each.minutes for each in (*shown, *after, *last))
    if left < 0:
        raise ValueError(
            f"teaching/{notebook.name}.toml: the slides take {-left:g} minutes more than the class of "
            f"{of.minutes}; give [[story]] fewer minutes"
        )
    share = left / len(mathematics)
    heading = title(cells)
    for each in mathematics:
        heading = headline(each) or heading
        after.append(Slide(heading, each, MATHEMATICS_NOTES, share))
    after += [Slide("Exercise", each, EXERCISE_NOTES) for each in exercises]
    return timed([*shown, *after, *last])


def headline(html: str) -> str:
    """The heading of a slide, or the bold words at its start, as plain text; empty if it has neither."""
    found = re.search(r"<h\d>(.+?)</h\d>", html, re.DOTALL) or re.match(
        r"<p><strong>(.+?)\.?</strong>", html, re.DOTALL
    )
    plain = re.sub(r"<math.*?</math>|<[^>]+>", " ", found[1] if found else "", flags=re.DOTALL)
    return " ".join(unescape(plain).split())


def without_head(prose: str) -> str:
    """Prose without title and question."""
    kept = [each for each in prose.split("\n\n") if not each.startswith(("# ", "**The question.**"))]
    return "\n\n".join(kept)


def pieces(prose: str) -> list[str]:
    """Prose in pieces, one for each slide: a heading or a lack of room begins a new slide."""
    made: list[str] = []
    heading = ""
    room = 0
    for paragraph in joined(prose):
        if found := HEADING.match(paragraph):
            heading, room = found[2], 0
            continue
        size = len(DISPLAYED.sub("", paragraph)) + FORMULA * len(DISPLAYED.findall(paragraph))
        if size > room or not made:
            made.append(f"## {heading}\n\n{paragraph}" if heading else paragraph)
            room = ROOM - size
        else:
            made[-1] += f"\n\n{paragraph}"
            room -= size
    return made


def joined(prose: str) -> list[str]:
    """The paragraphs; a formula stays with the paragraph before it."""
    found: list[str] = []
    for paragraph in filter(None, prose.split("\n\n")):
        if paragraph.startswith("$$") and found and not HEADING.match(found[-1]):
            found[-1] += f"\n\n{paragraph}"
        else:
            found.append(paragraph)
    return found


def sheet(notebook: Notebook, of: Teaching) -> str:
    """The sheet to print: question, goals, formulas, and exercises with room to answer."""
    cells = notebook.shown()
    formulas = [each for cell in cells for each in DISPLAYED.findall(cell.prose() or "")]
    parts = [
        f"<h1>{words.inline(title(cells))}</h1>",
        '<p class="name"><span>Name</span><span>Date</span></p>',
        words.html(question(cells)),
        "<h2>After this lesson you can</h2>" + _list(of.goals),
        _thought(of) + LINES,
        "<h2>Formulas</h2>" + "".join(map(words.html, formulas)),
    ]
    parts += [words.html(each.text) + LINES for each in _exercises(cells)]
    parts += [words.html(task(notebook.name, of.solved)) + LINES, words.html(reading(notebook.name))]
    return "\n".join(f"<section>{each}</section>" for each in parts)


def solutions(notebook: Notebook, of: Teaching) -> str:
    """The solutions, on a separate page."""
    cells = notebook.shown()
    asked = of.think_first
    assert asked
    parts = [
        f"<h1>Solutions: {words.inline(title(cells))}</h1>",
        f"<h2>Think first</h2><p>Answer {asked.right}.</p>{words.html(asked.because)}",
    ]
    parts += [
        f"{words.html(each.text)}<h3>Solution</h3>{words.html(each.hidden)}" for each in _exercises(cells)
    ]
    parts.append(f"<h2>Exercise in code</h2>{words.html(solution(notebook.name))}")
    return "\n".join(f"<section>{each}</section>" for each in parts)


def _exercises(cells: list[Cell]) -> list[Taught]:
    return [each for cell in cells if isinstance(cell.shown, Exercises) for each in cell.shown.by_hand]


def _thought(of: Teaching) -> str:
    asked = of.think_first
    assert asked
    offered = "".join(f"<li>{words.inline(each)}</li>" for each in asked.answers)
    return f"<h2>Think first</h2>{words.html(asked.question)}<ol>{offered}</ol>"


def _list(items: object) -> str:
    assert isinstance(items, list | tuple)
    return "<ul>" + "".join(f"<li>{words.inline(each)}</li>" for each in items) + "</ul>"
