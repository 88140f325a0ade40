"""Systems that live outside this package."""

from __future__ import annotations

from pathlib import Path

from teacherstudent.house import catalogue


def use(folder: str | Path) -> str:
    """Add the system in a folder to the known problems. This runs the Python code in the folder.

    The system stays in use until the process ends; a folder whose files have changed is read again. Worker
    processes load it too.

    Args:
        folder: Folder with `problem.py`, `theory.py` and `sims.py`, as `teacherstudent new NAME` writes them.

    Returns:
        The id of its problem.

    Raises:
        InputError: For a folder that contains no system, for code that fails, and for an id, a name or an
            option that is in use. The message names the file and the line.

    Examples:
        >>> import tempfile
        >>> import teacherstudent as ts
        >>> folder = ts.new("my-ridge", kind="linear", out=tempfile.mkdtemp() + "/my-ridge")
        >>> ts.use(folder)
        'my-ridge'
    """
    return catalogue.use(folder)
