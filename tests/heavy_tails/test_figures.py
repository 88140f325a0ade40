"""What figures of heavy tails make of draws that tell nothing."""

from __future__ import annotations

import numpy as np

from teacherstudent.figures.heavy_tails import setting


def test_a_place_where_a_draw_tells_nothing_has_no_mean() -> None:
    drawn = np.array([[1.0, np.nan], [2.0, 2.1], [3.0, 2.2]])
    found = setting.compared(np.array([2.5, 2.0]), drawn, "eta", [0.1, 0.2], setting.STEP)
    assert found["index"].values[0] == 2.0
    np.testing.assert_allclose(found["index_stderr"].values[0], 1 / np.sqrt(3), rtol=1e-15)
    np.testing.assert_allclose(found["z"].values[0], -np.sqrt(3) / 2, rtol=1e-15)
    for name in ("index", "index_stderr", "z"):
        assert np.isnan(found[name].values[1])
