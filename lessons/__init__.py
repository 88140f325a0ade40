"""Lessons and the explorer: notebooks that use only the public functions.

A module here is a marimo notebook: a plain Python file that `teacherstudent lesson NAME` opens as a
page, that runs as a script and that exports to Jupyter. The tools that they share are in `lessons.kit`,
whose docstring says how to write a lesson. Its parts: `words` (prose, exercises, verdicts), `controls`
(sliders, and which cells run when), `address` (settings as a link and as a command), `pictures` (answers
drawn), on `charts`, `marks` and `axes`. `lesson.css` and `head.html` belong to every page.
"""
