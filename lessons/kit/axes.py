"""Axes of a picture: places of values, ticks, and labels."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import xarray as xr

GREEK = {
    **dict(alpha="α", beta="β", gamma="γ", delta="δ", eta="η", kappa="κ", mu="μ", rho="ρ", sigma="σ"),
    **dict(chi="χ", nu="ν", omega="ω", phi="φ", psi="ψ", tau="τ", theta="θ", xi="ξ", zeta="ζ", eps="ε"),
    "lambda": "λ",
}
MOST_TICKS = 6
FEWEST_TICKS = 3
"""Fewest ticks of a linear axis: two show the scale, a third that it is linear."""
FINE = 2.0
"""Logarithmic axes of at most that many decades have ticks at 2 and 5 as well."""


@dataclass(frozen=True)
class Axis:
    """The quantity along an axis, its scale (`lin` or `log`) and its ends (None: set by the data)."""

    label: str
    scale: str = "lin"
    low: float | None = None
    high: float | None = None

    def place(self, values: np.ndarray) -> np.ndarray:
        """Values of any shape on this scale: logarithms of base 10 on `log`, NaN if there is none."""
        return values if self.scale == "lin" else np.log10(np.where(values > 0, values, np.nan))

    def ends(self, values: np.ndarray, room: float = 0.0) -> tuple[float, float]:
        """Both ends on this scale, with `room` (a share of the span) left beyond the data (any shape)."""
        places = self.place(values)
        shown = places[np.isfinite(places)] if np.isfinite(places).any() else np.array([0.0, 1.0])
        margin = room * float(np.ptp(shown)) or 0.5 * float(np.ptp(shown) == 0)
        low, high = (
            None if end is None else float(self.place(np.array(end))) for end in (self.low, self.high)
        )
        return (
            float(shown.min()) - margin if low is None else low,
            float(shown.max()) + margin if high is None else high,
        )

    def ticks(self, low: float, high: float, most: int = MOST_TICKS) -> list[tuple[float, str]]:
        """Round values between two ends on this scale, each with its label in `markup`."""
        if self.scale == "lin":
            return [(at, f"{at:.10g}".replace("-", "−")) for at in round_values(low, high, most)]
        digits = (1, 2, 5) if high - low <= FINE else (1,)
        every = max(1, math.ceil((high - low) / most))
        powers = [p for p in range(math.floor(low), math.ceil(high) + 1) if p % every == 0]
        values = [(digit, power) for power in powers for digit in digits]
        inside = [(d, p) for d, p in values if low - 1e-9 <= math.log10(d) + p <= high + 1e-9]
        return [(d * 10.0**p, f"{d * 10.0**p:g}" if abs(p) <= 3 else power_label(d, p)) for d, p in inside]


def round_values(low: float, high: float, most: int) -> list[float]:
    """About `most`, at least `FEWEST_TICKS`, multiples of 1, 2 or 5 times a power of ten in a range."""
    finer = (_multiples(low, high, (high - low) / count) for count in itertools.count(most))
    return next(values for values in finer if len(values) >= FEWEST_TICKS)


def _multiples(low: float, high: float, least: float) -> list[float]:
    """Multiples from `low` to `high` of the first round step that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9))
    return [i * step for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def power_label(digit: int, power: int) -> str:
    """A digit times a power of ten, in `markup`."""
    return ("" if digit == 1 else f"{digit} · ") + f"10^{{{power}}}".replace("-", "−")


def axis_label(values: xr.DataArray, name: str | None = None) -> str:
    """Name, symbol and unit from the attributes; `name` replaces a `long_name` that is too long."""
    symbol, unit = values.attrs["symbol"], values.attrs["units"]
    name = name or values.attrs["long_name"].split(",")[0]
    named = name if f" {symbol} = " in name else f"{name} {symbol}"  # it may define its symbol
    return greek(f"{named} [{'dimensionless' if unit == '1' else unit}]")


def greek(text: str) -> str:
    """Names of Greek letters as letters."""
    return re.sub(rf"(?<![A-Za-z])({'|'.join(GREEK)})(?![A-Za-z])", lambda name: GREEK[name[0]], text)


def markup(text: str) -> str:
    """A label as SVG: `_x`, `_{xy}`, `^x` and `^{xy}` lower or raise the scripts that they name."""
    before, *rest = re.split(r"([_^])(\{[^}]*\}|\w)", text)
    drawn = [escape(before)]
    for sign, script, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        shift = 0.25 if sign == "_" else -0.4
        drawn.append(f'<tspan dy="{shift}em" font-size="85%">{escape(script.strip("{}"))}</tspan>')
        # back to the base line, in units of the larger letters; the width of nothing carries the shift
        drawn.append(f'<tspan dy="{-0.85 * shift:.4g}em">\u200b{escape(after)}</tspan>')
    return "".join(drawn)
