"""Generated rows like those of house prices: heavy tails, skewed and correlated columns, a target that is not
linear in them and is capped. For what bundled sets do not show, without a download.
"""

from __future__ import annotations

import numpy as np

ROWS = 480


def houses(rows: int = ROWS, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Eight features of districts, (rows, 8), and the value of their houses, (rows,), both in raw units.

    Income, age of the houses, rooms and bedrooms of a household, people, people of a household, and two
    coordinates along a coast with two cities.
    """
    draw = np.random.default_rng(seed)
    wealth = draw.standard_normal(rows)
    income = np.exp(1.2 + 0.45 * wealth)
    age = np.clip(29 + 13 * draw.standard_normal(rows) - 2 * wealth, 1, 52).round()
    resort = np.exp(0.35 * draw.standard_t(3, rows))  # few districts have many rooms for few people
    rooms = (4 + 0.5 * income) * resort
    bedrooms = 0.2 * rooms * np.exp(0.08 * draw.standard_normal(rows)) + 0.1
    people = np.exp(7 + 0.75 * draw.standard_normal(rows))
    together = 2 + np.exp(-0.2 * wealth + 0.6 * draw.standard_t(4, rows))
    city = draw.random(rows) < 0.6
    along = np.where(city, -1.0, 1.5) + 0.4 * draw.standard_normal(rows)
    inland = np.abs(0.7 * draw.standard_normal(rows)) + 0.1 * along**2
    near = np.exp(-inland / 0.5) + 0.5 * np.exp(-np.hypot(along + 1, inland) / 0.3)
    value = 0.3 * income * (1 + near) + 0.01 * age - 0.3 * np.log(together)
    value *= np.exp(0.25 * draw.standard_normal(rows))
    features = np.column_stack([income, age, rooms, bedrooms, people, together, inland - along, along])
    return features, np.minimum(value, 5.0)
