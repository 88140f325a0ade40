"""The documentation site: what it shows is computed from the registry, the code and its answers.

`hooks` is what MkDocs calls; `formulas` sets mathematics; `answers` runs the pages' code blocks;
`citations` finds which function implements which equation; `pages` and `api` write what is generated.
"""
