"""Slides, a sheet to print, and solutions, made from the notebook and its teaching file."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape, unescape
from itertools import accumulate
from typing import Any

from teacherstudent.api.teaching import Story, Teaching, teaching
from teacherstudent.lessons.kit.address import written
from teacherstudent.lessons.kit.teaching import Exercises, Taught, reading, solution, task
from teacherstudent.lessons.pages import words
from teacherstudent.lessons.pages.blocks import plain_label
from teacherstudent.lessons.pages.cells import At, Cell, Notebook
from teacherstudent.lessons.pages.drawing import opening, settings

ROOM = 520
"""Characters that a slide holds."""
FORMULA = 160
"""Characters whose room a displayed formula takes."""
DISPLAYED = re.compile(r"\$\$.+?\$\$", re.DOTALL)
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
FRAMES = re.compile(r'<div class="frames".*(?=<div class="says">)', re.DOTALL)
SYMBOL = re.compile(r"(\S+)\s*\[[^\]]*\]\s*$")
"""In the label of a slider, such as `ratio of strengths κ [1]`."""
TITLE_NOTES = "Read the question aloud. Collect two or three guesses, and do not say yet which is right."
THINK_NOTES = "Give the class two minutes to choose alone, then count hands for each answer and write the counts down."
ANSWER_NOTES = "Compare with the counts of hands. Ask somebody who chose the right answer to explain it first."
GOALS_NOTES = "Say which of these goals the pictures have reached, and which need the formulas that follow."
MATHEMATICS_NOTES = "The minutes are an equal share of what the other slides leave of the class."
EXERCISE_NOTES = "For homework or a separate session: the minutes of the class do not include the exercises."
READING_NOTES = "Name one of these as the next thing to read."
LINES = '<div class="lines">' + "<div></div>" * 6 + "</div>"


@dataclass(frozen=True)
class Slide:
    """A slide: its title, its HTML, what the speaker says, and how long it takes."""

    title: str
    html: str
    notes: str = ""
    minutes: float = 0.0
    begins: float = 0.0

    def clock(self) -> str:
        """When it begins, in hours and minutes from the start of the class."""
        return clock(self.begins)

    def length(self) -> str:
        """Its minutes in words."""
        return f"{round(self.minutes, 1):g} min" if self.minutes else "not part of the class"

    def spoken(self) -> str:
        """The notes as HTML."""
        return words.html(self.notes)

    def drawn(self) -> str:
        """Its pictures alone."""
        found = FRAMES.search(self.html)
        return found[0] if found else ""


def clock(minutes: float) -> str:
    """Hours and minutes, such as 0:04."""
    whole = int(minutes + 0.5)
    return f"{whole // 60}:{whole % 60:02}"


def timed(made: Sequence[Slide]) -> list[Slide]:
    """The slides, each with the time at which it begins."""
    ends = [0.0, *accumulate(each.minutes for each in made)]
    return [replace(each, begins=at) for each, at in zip(made, ends, strict=False)]


def slides(notebook: Notebook, of: Teaching) -> list[Slide]:
    """The slides: title, first question, story and answer; then goals, mathematics, exercises, reading."""
    cells = notebook.shown()
    asked = of.think_first
    assert asked
    opening = f'<h1>{words.inline(title(cells))}</h1><div class="question">{words.html(question(cells))}</div>'
    because = f"<h2>Answer to the first question</h2><p>Answer {asked.right}.</p>{words.html(asked.because)}"
    shown = [
        Slide(title(cells), opening, TITLE_NOTES, 2),
        Slide("Think first", _thought(of), f"{THINK_NOTES} Answer {asked.right} is right.", 4),
        *(told_slide(notebook, each, f"story {i} of {notebook.name}") for i, each in enumerate(of.story, 1)),
    ]
    goals = "<h2>After this lesson you can</h2>" + _list(of.goals)
    after = [
        Slide("Answer to the first question", because, ANSWER_NOTES, 2),
        Slide("After this lesson you can", goals, GOALS_NOTES, 1),
    ]
    mathematics, exercises, last = [], [], []
    for cell in cells:
        if prose := cell.prose():
            mathematics += [words.html(each) for each in pieces(without_head(prose))]
        elif cell.pictures() and not of.story:
            mathematics += _pictured(cell)
        elif isinstance(cell.shown, Exercises):
            exercises += [words.html(each.text) for each in cell.shown.by_hand]
        elif isinstance(cell.shown, Taught) and cell.shown.part == "onwards":
            last.append(Slide("What to read next", words.html(reading(notebook.name)), READING_NOTES, 1))
    exercises.append("<h2>Exercise in code</h2>" + words.html(task(notebook.name)))
    left = of.minutes - sum(each.minutes for each in (*shown, *after, *last))
    if left < 0:
        raise ValueError(
            f"teaching/{notebook.name}.toml: the slides take {-left:g} minutes more than the class of "
            f"{of.minutes}; give [[story]] fewer minutes"
        )
    share = left / len(mathematics)
    after += [Slide(headline(each), each, MATHEMATICS_NOTES, share) for each in mathematics]
    after += [Slide("Exercise", each, EXERCISE_NOTES) for each in exercises]
    return timed([*shown, *after, *last])


def told_slide(notebook: Notebook, of: Story, where: str) -> Slide:
    """A slide of the story: `page/story.js` draws its pictures. Raises `ValueError` for a wrong setting."""
    heading = f"<h2>{words.inline(of.title)}</h2>"
    html = f'{heading}<div class="story">{frames(notebook, of, where)}<div class="says">{words.html(of.says)}</div></div>'
    return Slide(of.title, html, of.notes, of.minutes)


def frames(notebook: Notebook, of: Story, where: str) -> str:
    """Places for its pictures: one frame, or one for each value of the control that moves."""
    count = len([picture for cell in notebook.shown() for picture in cell.pictures()])
    wrong = [each for each in of.pictures if each not in range(count)]
    if wrong:
        raise ValueError(f"{where}, pictures: {wrong[0]} is no picture; the page has 0 to {count - 1}")
    at = settled(notebook, of.at, where)
    known, free = settings(notebook), teaching(notebook.name).free
    if not any(all(at[name] == each[name] for name in at if name not in free) for each in known):
        raise ValueError(
            f"{where}, at: {dict(of.at)} is not simulated; add it to [[drawn]] and run "
            f"`python -m teacherstudent.lessons.pages.drawing {notebook.name}`"
        )
    moved = [(name, value) for name, values in of.moves.items() for value in values]
    ways = [(spelled(notebook, *each), settled(notebook, {**of.at, each[0]: each[1]}, where)) for each in moved]
    items = "".join(
        f'<div class="frame{"" if i else " shown"}" data-at="{escape(json.dumps(way))}">'
        + (f'<p class="value">{escape(value)}</p>' if value else "")
        + '<div class="abreast">' + '<div class="picture-place"></div>' * len(of.pictures) + "</div></div>"
        for i, (value, way) in enumerate(ways or [("", at)])
    )
    return (
        f'<div class="frames" data-lesson="{notebook.name}" data-pictures="{list(of.pictures)}" '
        f'data-count="{len(of.pictures)}">{items}</div>'
    )


def settled(notebook: Notebook, at: At, where: str) -> dict[str, Any]:
    """All controls of the page at these settings; those that are not named, as the page opens."""
    first = teaching(notebook.name).first
    shown = opening(notebook) | dict(first.at if first else {})
    for name, value in at.items():
        if name not in shown:
            raise ValueError(f"{where}: {name!r} is no control; the page has {', '.join(shown)}")
        offered = values(notebook.controls[name])
        if value not in offered:
            raise ValueError(f"{where}: {name} has no value {value!r}; it offers {offered}")
        shown[name] = offered[offered.index(value)]
    return shown


def values(control: Any) -> list[Any]:
    """What a slider or a choice offers."""
    return list(control.options.values()) if hasattr(control, "options") else list(control.steps)


def spelled(notebook: Notebook, name: str, value: Any) -> str:
    """A setting in short, such as `κ = 10`."""
    control = notebook.controls[name]
    if hasattr(control, "options"):
        return next(word for word, each in control.options.items() if each == value)
    label = plain_label(control)
    found = SYMBOL.search(label)
    return f"{found[1] if found else label} = {written(value)}"


def headline(html: str) -> str:
    """The heading of a slide as plain text, or its first words."""
    heading = re.search(r"<h\d>(.+?)</h\d>", html, re.DOTALL)
    plain = re.sub(r"<math.*?</math>|<[^>]+>", " ", heading[1] if heading else html, flags=re.DOTALL)
    return " ".join(unescape(plain).split()[:8])


def title(cells: list[Cell]) -> str:
    """The first heading."""
    found = HEADING.search(next(filter(None, (each.prose() for each in cells))))
    assert found
    return found[2]


def question(cells: list[Cell]) -> str:
    """The paragraph that asks the lesson's question."""
    prose = next(filter(None, (each.prose() for each in cells)))
    return next((each for each in prose.split("\n\n") if each.startswith("**The question.**")), "")


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
    parts += [words.html(task(notebook.name)) + LINES, words.html(reading(notebook.name))]
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


def _pictured(cell: Cell) -> list[str]:
    """Two pictures on a slide."""
    items = [f'<div class="picture-place">{each.text}</div>' for each in cell.pictures()]
    return [f'<div class="abreast">{"".join(items[i : i + 2])}</div>' for i in range(0, len(items), 2)]
