"""Lessons and the explorer: notebooks that use only the public functions.

A module here is a marimo notebook: a plain Python file that `teacherstudent lesson NAME` opens as a page. It
also runs as a script and exports to Jupyter. The docstring of `lessons.kit` says how to write a lesson.
"""
