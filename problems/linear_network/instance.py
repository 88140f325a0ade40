"""An instance of a linear network, and how it is built from validated values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from teacherstudent.house.errors import InputError


@dataclass(frozen=True)
class LinearNetwork:
    """An instance. All fields are already validated; build it through `PROBLEM.instance`.

    `u0` has one value a mode. `start` is "decoupled", "rotated" or "random"; only the last has
    an `init`, the standard deviation of the weights; its `u0` is empty and its `balance` 0, for
    neither is chosen. `support` is as the parameter says.
    """

    singular_values: tuple[float, ...]
    depth: int
    inputs: int
    outputs: int
    hidden: int
    start: str
    u0: tuple[float, ...]
    balance: float
    init: float = 0.0
    support: str = "full"

    @property
    def modes(self) -> int:
        """Number of modes, the rank of Y X^T."""
        return len(self.singular_values)


def build(
    *,
    singular_values: tuple[float, ...],
    depth: int,
    inputs: int | None,
    outputs: int | None,
    hidden: int | None,
    start: str,
    u0: tuple[float, ...],
    balance: float,
    init: float | None,
    support: str,
) -> LinearNetwork:
    """The instance of these values, each of which is in its domain. Raises `InputError`."""
    modes = len(singular_values)
    sizes = {"inputs": inputs, "outputs": outputs, "hidden": hidden}
    if support != "full":
        _demand_support(support, modes, depth, sizes, init)
    for name, size in sizes.items():
        if size is not None and size < modes:
            raise InputError(name, size, f"at least the number of modes, {modes}")
    widths = {name: size or modes for name, size in sizes.items()}
    if init is not None:
        return LinearNetwork(
            singular_values, depth, **widths, start="random", u0=(), balance=0.0, init=init, support=support
        )
    if len(u0) not in (1, modes):
        raise InputError("u0", ",".join(map(str, u0)), f"one value, or one for each of the {modes} modes")
    strengths = u0 * modes if len(u0) == 1 else u0
    for u, s in zip(strengths, singular_values, strict=True):
        if not u < s:
            raise InputError("u0", u, f"> 0 and below the mode's singular value {s:g}")
    if balance and depth > 2:
        raise InputError("balance", balance, f"0 for --depth above 2 (here {depth})")
    return LinearNetwork(
        singular_values, depth, **widths, start=start, u0=strengths, balance=balance, support=support
    )


def _demand_support(
    support: str, modes: int, depth: int, sizes: Mapping[str, int | None], init: float | None
) -> None:
    """Raise `InputError` for what a support does not leave free."""
    where = f"with --support {support}"
    if depth != 2:
        raise InputError("depth", depth, f"2 {where}")
    if sizes["hidden"] not in (None, modes):
        raise InputError("hidden", sizes["hidden"], f"left out {where}: there is one unit per mode")
    if support == "blocks":
        return
    if modes != 2:
        raise InputError(
            "singular_values",
            f"({modes} of them)",
            f"two values, s_1,s_2 of Y X^T = [[0, s_2], [s_1, 0]], {where}",
        )
    for name in ("inputs", "outputs"):
        if sizes[name] not in (None, 2):
            raise InputError(name, sizes[name], f"left out {where}: there are 2 units")
    if init is None:
        raise InputError("init", "(missing)", f"given {where}, because its weights start at random")
