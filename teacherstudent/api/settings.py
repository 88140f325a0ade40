"""The settings that ask for an answer again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.house.errors import InputError

if TYPE_CHECKING:
    import xarray as xr


def settings(answer: xr.Dataset) -> str:
    """The settings that ask for this answer again, as TOML: every value, given or default.

    answer: one that the front door gave, as it is or read from its file. In a file, `settings.toml` say, the
    text is read by `teacherstudent curve --from settings.toml`; in Python by `tomllib`. Options on the
    command line override it. Raises `InputError` for an answer that holds none: one about arrays, which
    no text names, or with a list of very many times.

    Examples:
        >>> import teacherstudent as ts
        >>> answer = ts.curve("multiscale", dynamics="flow", route="asymptotic", times=[1, 100], noise=0.3)
        >>> [line for line in ts.settings(answer).splitlines() if line.startswith(("times", "noise"))]
        ['times = [1.0, 100.0]', 'noise = 0.3']
    """
    import xarray as xr

    from teacherstudent.house.settings import lacking, of

    if not isinstance(answer, xr.Dataset):
        raise InputError("answer", answer, "a dataset that the front door gave")
    if not (found := of(answer.attrs)):
        said = "one that holds its settings, as the front door gives it"
        raise InputError("answer", "(a dataset)", said, lacking(answer.attrs))
    return found
