"""The published network's results: absent without a word, refused when wrong, drawn when there."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure as Canvas
from matplotlib.text import Text

from teacherstudent.figures.kit import comparison
from teacherstudent.figures.multiscale import ch4_fig5, ch4_fig6
from teacherstudent.figures.residual_digits import panels
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.paper_checks.judging.evidence import put_to_test
from teacherstudent.paper_checks.multiscale import published_network
from teacherstudent.problems import resnet

ARRAYS = {
    "resnet-test-errors_mean.npy": (resnet.EPOCHS, resnet.DECAYS),
    "resnet-test-errors_std.npy": (resnet.EPOCHS, resnet.DECAYS),
    "w_reg.npy": (resnet.EPOCHS,),
    "wo_reg.npy": (resnet.EPOCHS,),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of made-up arrays of the published shapes."""
    for name, shape in ARRAYS.items():
        np.save(tmp_path / name, np.random.default_rng(0).uniform(0.1, 0.6, shape))
    monkeypatch.setenv(resnet.FOLDER, str(tmp_path))
    return tmp_path


def test_without_the_variable_there_is_nothing(monkeypatch):
    monkeypatch.delenv(resnet.FOLDER, raising=False)
    assert resnet.decay_sweep() is None
    assert resnet.penalty_runs() is None


def test_a_wrong_folder_is_refused_by_name(folder, monkeypatch):
    np.save(folder / "w_reg.npy", np.zeros(7))
    with pytest.raises(InputError, match=rf"^{resnet.FOLDER} .*w_reg.npy holds 1001 numbers"):
        resnet.penalty_runs()
    monkeypatch.setenv(resnet.FOLDER, str(folder / "nowhere"))
    with pytest.raises(InputError, match=r"holds 1001 x 92 numbers"):
        resnet.decay_sweep()


def test_columns_carry_their_weight_decay(folder):
    sweep = resnet.decay_sweep()
    assert float(sweep["decay"][-1]) == pytest.approx(1e-8)
    assert float(sweep["decay"][0]) == pytest.approx(10 ** -(0.1 + 8 * 7.9 / 99))
    assert sweep["time"].values[[0, -1]].tolist() == [1, 1001]


@pytest.mark.thorough
@pytest.mark.parametrize("figure", [ch4_fig5, ch4_fig6])
def test_the_network_is_drawn_where_its_results_are(figure, folder, monkeypatch):
    monkeypatch.setattr(comparison, "QUICK_DRAWS", 3)
    for name, value in {"EXPONENTS": (1.5, 3.0, 5.0), "STEPS": Span(1, 20, 3), "WIDTH": 8}.items():
        monkeypatch.setattr(panels, name, value)
    few = {"DENSE": Span(1, 100, 4), "SPARSE": Span(1, 100, 3), "HEAT_MAP": Span(1, 100, 3)}
    for name in few.keys() & vars(figure).keys():
        monkeypatch.setattr(figure, name, few[name])
    numbers = figure.compute(True)
    canvas = Canvas()
    figure.draw(canvas, numbers)
    canvas.draw_without_rendering()
    network = next(axes for axes in canvas.axes if "ResNet" in axes.get_title())
    assert network.axison
    assert "test error" in " ".join(axes.get_ylabel() for axes in canvas.axes)
    assert not any(resnet.FOLDER in words.get_text() for words in canvas.findobj(Text))
    monkeypatch.delenv(resnet.FOLDER)
    figure.draw(canvas := Canvas(), figure.compute(True))
    assert all(axes.axison and axes.has_data() for axes in canvas.axes)  # no empty panel
    assert any(resnet.FOLDER in words.get_text() for words in canvas.findobj(Text))


def test_the_published_check_is_run_where_the_arrays_are(folder, monkeypatch):
    """A curve with a bump, and one with half of it, agree; exchanged they do not."""
    epochs = np.arange(resnet.EPOCHS)
    bump = 0.1 * np.exp(-((np.log1p(epochs) - 5) ** 2)) - 0.02 * np.log1p(epochs)
    scatter = 0.001 * np.random.default_rng(1).standard_normal((2, resnet.EPOCHS))
    curves = {"wo_reg.npy": bump, "w_reg.npy": bump - 0.05 * np.exp(-((np.log1p(epochs) - 5) ** 2))}
    for (name, curve), noise in zip(curves.items(), scatter, strict=True):
        np.save(folder / name, 0.4 + curve + noise)
    check = published_network.PUBLISHED
    assert check.lacks() == ""
    assert put_to_test(check).state == "agrees"
    (folder / "w_reg.npy").rename(folder / "other.npy")
    (folder / "wo_reg.npy").rename(folder / "w_reg.npy")
    (folder / "other.npy").rename(folder / "wo_reg.npy")
    assert put_to_test(check).state == "disagrees"
    monkeypatch.delenv(resnet.FOLDER)
    assert resnet.FOLDER in check.lacks()
