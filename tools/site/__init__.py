"""The documentation site: what it shows is computed from the registry, the code and its answers.

MkDocs calls `hooks`; `answers` runs the code blocks of the pages; `citations` finds which function
implements which equation; `pages`, `thesis` and `api` write the generated parts; `ranking` sets what the
search finds first.
"""
