"""Multi-scale features: what captions say holds for the numbers drawn; the published network's results."""

from __future__ import annotations

import re

import numpy as np
import pytest
from matplotlib.figure import Figure as Canvas
from matplotlib.text import Text

from teacherstudent.figures.kit import comparison, style
from teacherstudent.figures.multiscale import ch4_fig5, ch4_fig6, map_rq, routes
from teacherstudent.figures.residual_digits import panels
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.draws import RESOLVABLE
from teacherstudent.paper_checks.judging.evidence import run_check
from teacherstudent.paper_checks.multiscale import published_network
from teacherstudent.paper_checks.multiscale.figures import LINE
from teacherstudent.problems import resnet
from tests.drawing import numbers, of_figures, sketched


def test_slow_features_alone_start_where_fast_features_alone_end() -> None:
    """Fig. 1: apart by what the slow features learn before the first time, s * edge * sigma^2 of it."""
    end, start = numbers("ch4-fig1")["asymptotic_fast"], numbers("ch4-fig1")["asymptotic_slow"]
    edge = 1.3 * (1 + (70 / 130) ** 0.5) ** 2  # at least the largest eigenvalue that drives them
    apart = abs(float(start["excess_risk"][0] - end["excess_risk"][-1]))
    assert apart <= float(start["time"][0]) * edge * 1e-2**2


def test_the_first_rise_at_kappa_7_is_exact_and_not_printed() -> None:
    """Fig. 4's caption."""

    def rise(route: str) -> float:
        risk = numbers("ch4-fig4")[f"{route}_kappa_7"]["excess_risk"].values
        return float(np.max(risk - np.minimum.accumulate(risk)))

    assert rise("asymptotic") > 100 * RESOLVABLE
    assert rise("printed") < RESOLVABLE


def test_the_published_fig_5_is_drawn_by_the_printed_formulas() -> None:
    """Plateaus, .2435 and .2953, and turns: with sigma^2/2, at the converted ridge, within a line's width."""
    for name, plateau in {"large": 0.2435, "intermediate": 0.2953, "small": None}.items():
        read, printed = numbers("ch4-fig5")[f"read_{name}"], numbers("ch4-fig5")[f"printed_{name}"]
        risk = np.interp(np.log(read["time"]), np.log(printed["time"]), printed["excess_risk"])
        np.testing.assert_allclose(risk, read["excess_risk"], atol=LINE)
        if plateau:
            np.testing.assert_allclose(printed["excess_risk"][-1] + 0.2**2 / 2, plateau, atol=1e-4)
    limit = numbers("ch4-fig5")["asymptotic_small"]["excess_risk"]
    assert float(limit.max() - numbers("ch4-fig5")["printed_small"]["excess_risk"][20:].max()) > 10 * LINE


COMPARISONS = [
    "ch2-fig4",
    "ch4-fig1",
    "ch4-fig3",
    "ch4-fig4",
    "ch4-fig5",
    "ch4-fig6",
    "film-rq",
    "map-descents",
]


@of_figures([*COMPARISONS, "map-rq"])
def test_a_picture_says_what_is_fixed_and_what_its_residuals_share(figure: str) -> None:
    above, below = (legend.get_title().get_text() for legend in sketched(figure).legends)
    assert "$d$ = " in above
    assert re.search("learning rate|eta", above)
    assert re.search(r"offset", below)


def test_what_is_fixed_is_read_from_the_answer() -> None:
    answer = run(
        "multiscale", "descent", "asymptotic", [1], n=12, d=8, p=6, kappa=4, noise=0.5, learning_rate=0.1
    )
    assert routes.fixed(answer) == (
        r"$n$ = 12, $d$ = 8 features (6 of strength 1, 2 of strength 0.25); "
        r"label noise $\sigma_\epsilon$ = 0.5, no ridge, start at 0, learning rate $\eta$ = 0.1"
    )
    words = routes.fixed(answer, {1: "1/κ"}, ["noise", "learning_rate"])
    assert words.endswith("(6 of strength 1, 2 of strength 1/κ); no ridge, start at 0")


@pytest.mark.thorough
def test_the_end_of_residuals_is_explained_where_they_end() -> None:
    """kappa = 1 is learned long before the others: its spread is gone, and with it the residual."""
    answers = {
        style.Look(name, "", ""): numbers("ch4-fig3")[f"simulation_descent_{name}"]
        for name in ("kappa_1", "kappa_100000")
    }
    words = routes.unresolved("excess_risk", answers)
    left = next(iter(answers.values()))["excess_risk_minus_asymptotic"]
    first = float(left["time"][left.isnull()].min())
    assert re.search(rf"kappa_1 from \$k\$ = {style.number(float(f'{first:.2g}'))}\.$", words)
    assert "kappa_100000" not in words
    assert not routes.unresolved("excess_risk", dict([list(answers.items())[1]]))


@pytest.mark.thorough
def test_the_stated_finite_size_is_that_of_the_drawn_inputs() -> None:
    """By the mean of the exact averages, whose error is that of their draws and not of the simulation."""
    answer = numbers("film-rq")["simulation_kappa_100000"]
    apart, error = (float(answer[f"excess_risk_{name}"][-1]) for name in ("instance", "instance_stderr"))
    apart -= float(answer["excess_risk_asymptotic"][-1])
    words = routes.finite_size(answer, "excess_risk", float(answer["time"][-1]), "the end")
    assert words == f"Offset of $E$: {apart:+.4f} ± {error:.4f} at the end."


@pytest.mark.thorough
def test_every_path_of_the_map_lies_in_its_panel_and_has_an_end() -> None:
    for axes, family in zip(sketched("map-rq").axes, map_rq.FAMILIES, strict=False):
        for place in range(len(family.values)):
            path = numbers("map-rq")[f"asymptotic_{family.parameter}_{place}"]
            assert float(path["Q"].max()) < axes.get_ylim()[1]
            assert any(
                np.array_equal(line.get_xydata(), [[path["R"][-1], path["Q"][-1]]]) for line in axes.lines
            )


@pytest.mark.thorough
def test_a_histogram_stands_beside_the_law_it_is_compared_with() -> None:
    """At alpha = 1 the law diverges: its value amid the first bin is far from its mean there."""
    sampled, law = numbers("ch2-fig4")["sampled_1"], numbers("ch2-fig4")["law_1"]
    width = np.diff(sampled["end"])
    np.testing.assert_allclose(
        sampled["law"][0], 2 / (np.pi * width[0] ** 0.5), rtol=0.02
    )  # of 1/(pi sqrt x)
    assert float(sampled["law"][0]) > 1.3 * float(law["density"].interp(eigenvalue=sampled["eigenvalue"][0]))
    np.testing.assert_allclose((sampled["law"] * width).sum(), 1)
    steps = sketched("ch2-fig4").axes[0].patches
    assert any(np.array_equal(step.get_data().values, sampled["law"]) for step in steps)


def test_landmarks_lie_where_the_caption_says() -> None:
    """Fig. 4: B keeps the slow features as noise, 1/2 (30/100) n/(n - 70) (least squares); C is perfect."""
    points = numbers("ch4-fig4")["landmarks"]["excess_risk"]
    unlearned = 0.5 * 0.3 * 110 / (110 - 70)
    assert float(points.sel(point="B")) == pytest.approx(unlearned, rel=1e-3)  # learned by then: 1e7 * 1e-10
    assert abs(float(points.sel(point="C"))) < RESOLVABLE
    assert float(points.sel(point="A")) < float(points.sel(point="B"))


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
    assert run_check(check).state == "agrees"
    (folder / "w_reg.npy").rename(folder / "other.npy")
    (folder / "wo_reg.npy").rename(folder / "w_reg.npy")
    (folder / "other.npy").rename(folder / "wo_reg.npy")
    assert run_check(check).state == "disagrees"
    monkeypatch.delenv(resnet.FOLDER)
    assert resnet.FOLDER in check.lacks()
