"""Lessons and the explorer: notebooks that ask the public functions and nothing beneath them.

Each module here is a marimo notebook: a plain Python file that `teacherstudent lesson NAME` opens as a
page, that runs as a script and that exports to Jupyter. What they share is `lessons.kit`, whose
docstring says how one is written. Its parts: `words` (prose, exercises, verdicts), `controls`
(sliders and what runs when), `address` (settings as a link and as a command), `pictures` (answers
drawn), on `charts`, `marks`, `axes` and `looks`. `lesson.css` and `head.html` go with every page.
"""
