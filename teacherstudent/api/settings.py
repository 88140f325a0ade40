"""The settings that ask for an answer again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError, in_short
from teacherstudent.house.files import path_of
from teacherstudent.house.parameters import ASKING

if TYPE_CHECKING:
    import xarray as xr


def settings(answer: xr.Dataset | str | Path) -> str:
    """Write the settings that repeat an answer, as TOML: every value, given or default.

    `teacherstudent curve --from FILE` reads such a file; options on the command line override it.

    Args:
        answer: An answer of this package, or one read from its file; or the name of a file that
            `--from` reads (.toml, .nc or .zarr).

    Returns:
        The text of the settings.

    Raises:
        InputError: For an answer that contains no settings, because its question contains arrays or too many
            times; and for settings that do more than state a question, such as naming a file to write.

    Examples:
        >>> import teacherstudent as ts
        >>> answer = ts.curve("multiscale", dynamics="flow", route="asymptotic", times=[1, 100], noise=0.3)
        >>> [line for line in ts.settings(answer).splitlines() if line.startswith(("times", "noise"))]
        ['times = [1.0, 100.0]', 'noise = 0.3']
    """
    import xarray as xr

    from teacherstudent.house.settings import parse_settings, settings_in_attributes, text_in, why_no_settings

    if isinstance(answer, str | os.PathLike):
        source = str(answer)
        found = text_in(path_of(answer, "answer"), "answer")
    elif isinstance(answer, xr.Dataset):
        source, found = "(a dataset)", settings_in_attributes(answer.attrs)
        if not found:
            said = "an answer of this package that holds its settings"
            raise InputError("answer", source, said, why_no_settings(answer.attrs))
    else:
        raise InputError("answer", answer, "an answer of this package, or its file")
    asked = parse_settings(found, source, "answer")
    asking = _asking(asked.get("command"), asked.get("problem"))
    for name in asked:
        if name not in asking:
            raise InputError("answer", source, f"without the name {in_short(name)}: settings only ask")
    return found


def _asking(command: Any, problem: Any) -> set[str]:
    """What the settings of such a question may set."""
    own = {"command", "problem", *ASKING, *catalogue.parameter_names(catalogue.find_problem(problem))}
    if command == "mine":
        from teacherstudent.figures.gallery import page

        own |= {each.name for each in (*page().table, *page().options)}
    return own
