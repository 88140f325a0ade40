"""What examples leave free by other counts, recovery piece by piece, and students trained in JAX."""

from __future__ import annotations

from functools import cache, partial
from math import comb, prod

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.problems.flexible_activations import PROBLEM, FlexibleActivations
from teacherstudent.problems.flexible_activations.data import STUDENT, examples, networks
from teacherstudent.sims.flexible_activations import network, trained, training
from teacherstudent.sims.flexible_activations.network import Network
from teacherstudent.theory.flexible_activations import pencil, rank
from tests.roundings import same, unrounded

ENDLESS = [10_000]


def instance(m: int, n: int, r: int, q: int, p: int = 2) -> FlexibleActivations:
    """Inputs, outputs, units, highest and lowest power."""
    found: FlexibleActivations = PROBLEM.instance(inputs=m, outputs=n, units=r, degree=q, lowest=p)
    return found


def free(counts: list[int], *sizes: int) -> list[list[int]]:
    """Both ambiguities at these numbers of examples."""
    found = rank.rank(instance(*sizes), np.array(counts))
    return [found[name].astype(int).tolist() for name in ("ambiguity", "direction_ambiguity")]


# What is free -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("p", [1, 2, 3])
@pytest.mark.parametrize(("m", "n"), [(1, 1), (2, 3), (4, 2)])
def test_one_unit_is_always_found(m: int, n: int, p: int) -> None:
    """Its first example tells n of its m + n + K - 2 numbers, or all, and in the end nothing stays free."""
    unknown = m + n + (5 - p) - 2
    assert free([1], m, n, 1, 4, p)[0] == [unknown - min(n, unknown)]
    assert free(ENDLESS, m, n, 1, 4, p) == [[0], [0]]


@pytest.mark.parametrize(("m", "n", "r"), [(1, 1, 3), (1, 3, 5), (2, 3, 3), (2, 1, 4), (3, 2, 7)])
def test_units_enough_for_every_polynomial_leave_free_what_exceeds_its_coefficients(
    m: int, n: int, r: int
) -> None:
    """Squares: f is any n quadratic forms where the v_i v_i^T span them all, comb(m + 1, 2) of them."""
    forms = comb(m + 1, 2)
    whole, turning = free(ENDLESS, m, n, r, 2)
    assert r >= forms
    assert whole == [r * (m + n - 1) - n * forms]
    assert 0 <= turning[0] <= whole[0]


def test_linear_networks_leave_free_what_their_product_does_not_fix() -> None:
    """Rank-r matrices have r (m + n - r) dimensions."""
    for m, n, r in ((3, 4, 2), (5, 5, 4), (2, 2, 2)):
        whole, turning = free(ENDLESS, m, n, r, 1, 1)
        assert whole == turning == [r * (m + n - 1) - r * (m + n - r)]


def test_no_directions_where_there_is_one_input_and_one_output() -> None:
    whole, turning = free([1, 2, 3, 9], 1, 1, 2, 4)
    assert turning == [0, 0, 0, 0]
    assert whole == [5, 4, 3, 3]  # a polynomial of three coefficients from six


@pytest.mark.parametrize(
    ("shape", "square", "with_linear"),
    [((2, 3, 3), 3, 0), ((2, 2, 3), 3, 2), ((3, 2, 4), 4, 2), ((3, 3, 5), 7, 3), ((2, 1, 2), 1, 1)],
)
def test_which_degrees_know_their_units(shape: tuple[int, int, int], square: int, with_linear: int) -> None:
    """Squares alone leave these systems several students; a linear term helps one of them, a cube all."""
    assert free(ENDLESS, *shape, 2, 2)[0] == [square]
    assert free(ENDLESS, *shape, 2, 1)[0] == [with_linear]
    assert [free(ENDLESS, *shape, q, p)[0] for q in (3, 4) for p in (1, 2)] == [[0]] * 4


def test_a_linear_term_can_leave_a_coefficient_free() -> None:
    assert free(ENDLESS, 2, 1, 3, 4, 1) == [[1], [0]]
    assert free(ENDLESS, 2, 1, 3, 4, 2) == [[0], [0]]


@pytest.mark.parametrize("sizes", [(2, 3, 3, 2, 1), (3, 2, 4, 3, 2), (4, 1, 3, 3, 2)])
def test_what_is_free_falls_by_as_much_as_an_example_has_outputs_and_then_stays(
    sizes: tuple[int, ...],
) -> None:
    counts = list(range(1, 40))
    whole, turning = (np.array(each) for each in free(counts, *sizes))
    falls = -np.diff(whole)
    assert (falls <= sizes[1]).all()
    assert (np.diff((falls > 0).astype(int)) <= 0).all(), "what added nothing is followed by nothing"
    assert (turning <= whole).all()


def test_the_jacobian_modulo_a_prime_is_that_of_the_outputs() -> None:
    """Small whole numbers: exact differences of f, a polynomial, by central steps of a few sizes."""
    random = np.random.default_rng(3)
    V, W, c, x = (random.integers(1, 4, shape) for shape in ((2, 3), (2, 3), (2, 3), 2))
    powers = range(2, 4)

    def told(flat: np.ndarray) -> np.ndarray:
        one, other, of_c = (part.reshape(-1, 3) for part in np.split(flat, [6, 12]))
        z = x @ other
        return one @ np.sum([of_c[k] * z**s for k, s in enumerate(powers)], axis=0)

    flat = np.concatenate([W.ravel(), V.ravel(), c.ravel()]).astype(object)
    found = rank.jacobian(V, W, c, x, powers)
    for column, step in enumerate(np.eye(18, dtype=int).astype(object)):
        near, far = ((told(flat + h * step) - told(flat - h * step)) for h in (1, 2))
        exact = (8 * near - far) // 12  # of degree 3 in each parameter at most
        assert unrounded(found[:, column], [int(each) % rank.PRIME for each in exact])


def test_rows_that_depend_on_others_add_nothing() -> None:
    form = rank.Echelon.empty(3)
    for row in ([0, 2, 4], [0, 3, 6], [1, 1, 1], [5, 7, 9]):
        form = form.extended(np.array(row))
    assert len(form.pivots) == 2
    assert len(form.extended(np.array([0, 0, 1])).pivots) == 3


# Recovery -----------------------------------------------------------------------------------------------
def test_monomials_have_mean_square_one_and_jacobians_are_slopes() -> None:
    """E z^(2s) = (2s - 1)!! over the normal law; a complex step gives slopes without rounding of its own."""
    powers = range(1, 5)
    np.testing.assert_allclose(pencil.scales(powers) ** -2, [1, 3, 15, 105], rtol=1e-15)
    assert prod(range(1, 8, 2)) == 105
    drawn, x = networks(instance(3, 2, 2, 4, 1), [0]), examples(instance(3, 2, 2, 4, 1), [0], 5)[0]
    V, W, c = drawn.V[0], drawn.W[0], drawn.c[0]
    for j in range(3):
        step = np.zeros(3, complex)
        step[j] = 1e-30j
        slope = pencil.outputs(V, W, c, x + step, powers).imag / 1e-30
        np.testing.assert_allclose(
            pencil.jacobians(V, W, c, x, powers)[..., j], slope, rtol=1e-12, atol=1e-13
        )


def test_a_pencil_gives_units_that_are_known_by_hand() -> None:
    """Units on the axes: W D V^T is diagonal, whatever D is."""
    diagonals = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 0.25]])
    slices = np.stack([np.diag(each) for each in diagonals])
    for found in pencil.directions(slices, 2):
        np.testing.assert_allclose(np.sort(np.abs(found), axis=None), [0, 0, 1, 1], atol=1e-12)
        assert np.linalg.matrix_rank(found) == 2


def test_errors_of_directions_know_neither_sign_nor_scale_nor_order() -> None:
    random = np.random.default_rng(0)
    V, W = random.standard_normal((4, 3)), random.standard_normal((2, 3))
    same = V[:, [2, 0, 1]] * [-2, 3, 1], W[:, [2, 0, 1]] * [1, -1, 5]
    assert pencil.direction_error((V, W), same) < 1e-15
    turned = np.sin(1e-6) * np.array([[0.0, 1], [0, 0]]) + np.cos(1e-6) * np.eye(2)
    assert pencil.direction_error((np.eye(2), np.eye(2)), (np.eye(2), turned)) == pytest.approx(1e-6)
    assert unrounded(pencil.direction_error((np.eye(2), np.eye(2)), (np.eye(2)[::-1], np.eye(2))), 1)


def test_eigenvalues_that_rounding_makes_complex_are_nan_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turn = np.array([[[0.0, -1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]])
    assert all(np.isnan(each).all() for each in pencil.directions(turn, 2, np.eye(2)))
    monkeypatch.setattr(pencil, "jacobians", lambda *_: turn)
    monkeypatch.setattr(pencil, "ASKED", 2)
    with pytest.warns(UnconvergedWarning, match=r"^pencil route: two eigenvalues of a pencil"):
        found = pencil.pencil(instance(2, 2, 2, 3), np.array([1]), seeds=[0])
    assert np.isnan(found["misfit"]).all()


SEEDS = [4, 9]
COUNTS = np.array([2, 4])


@cache
def small() -> FlexibleActivations:
    """Two units, of which four examples leave nothing free."""
    found: FlexibleActivations = PROBLEM.instance(inputs=2, outputs=2, units=2, degree=3)
    return found


@cache
def answer() -> dict[str, np.ndarray]:
    return trained.trained(small(), COUNTS, starts=50, seeds=SEEDS)


POWERS = range(2, 4)
outputs = partial(jax.jit(network.outputs, static_argnames="powers"), powers=POWERS)
unit_scaled = partial(jax.jit(network.unit_scaled, static_argnames="powers"), powers=POWERS)
slopes = partial(jax.jit(network.slopes, static_argnames="powers"), powers=POWERS)
direction_error = jax.jit(network.direction_error)


def some(stream: int = 0) -> Network:
    return trained.drawn(small(), 4, stream)


def test_outputs_are_those_of_the_formula() -> None:
    net, x = some(), np.array([[0.3, -1.2], [2.0, 0.1]])
    found = outputs(net, x)
    for row, told in zip(x, found, strict=True):
        z = np.asarray(net.V).T @ row
        g = [c[0] * each**2 / 3**0.5 + c[1] * each**3 / 15**0.5 for c, each in zip(net.c, z, strict=True)]
        np.testing.assert_allclose(told, np.asarray(net.W) @ np.array(g), rtol=1e-13)


def test_scaled_units_are_of_length_one_and_the_same_function() -> None:
    net = some()
    long = Network(3.0 * net.V, jnp.array([0.5, -2.0]) * net.W, net.c)
    scaled = unit_scaled(long)
    x = examples(small(), [4], 7)[0]
    told, wanted = (outputs(each, x) for each in (scaled, long))
    np.testing.assert_allclose(told, wanted, rtol=1e-12, atol=1e-12)
    for each in (scaled.V, scaled.W):
        np.testing.assert_allclose(np.linalg.norm(each, axis=0), 1, rtol=1e-14)
    assert direction_error(long, scaled) < 1e-14
    assert direction_error(net, some(STUDENT)) > 1e-3


def test_slopes_do_not_see_the_scales_nor_the_examples_that_are_not_seen() -> None:
    """Two scales of each unit leave four singular values 0, and an example is worth two rows at most."""
    x = examples(small(), [4], 9)[0]
    for seen, seen_rank in ((9, small().parameters - 4), (1, 2)):
        found = slopes(some(), x, (np.arange(9) < seen).astype(float))
        values = network.singular_values(found)
        assert same(values[0], 1.0, roundings=1)  # the largest over itself
        assert np.sum(values > 1e-9) == seen_rank


def test_training_lowers_the_error_to_rounding_and_starts_elsewhere() -> None:
    teacher, x = some(), examples(small(), [4], 6)[0]
    targets, seen = trained.told(teacher, x, POWERS), np.ones(6)
    at_rest, error = training.trained(teacher, x, targets, seen, POWERS)
    assert error < 1e-15
    assert direction_error(teacher, at_rest) < 1e-14
    ends = [training.trained(some(STUDENT + k), x, targets, seen, POWERS)[1] for k in range(6)]
    assert np.min(ends) < training.AGREED
    assert np.median(np.where(np.array(ends) < training.AGREED, ends, 1e-16)) < 1e-13, "far below what counts"


def test_two_examples_leave_it_open_and_four_do_not() -> None:
    """Eight numbers are to be found: after two examples four are free, after four the teacher is alone."""
    found = answer()
    assert unrounded(found["ambiguity"], [[4, 0]] * 2)
    assert unrounded(found["direction_ambiguity"], [[4, 0]] * 2)
    assert (found["misfit"][:, 0] > 1e-3).all()
    assert (found["direction_error"][:, 0] > 1e-3).all()


def test_a_student_that_does_not_agree_is_nan_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "AGREED", 0.0)
    with pytest.warns(UnconvergedWarning, match=r"^starts 1: no student fitted .* NaN in 2 of 2 draws"):
        found = trained.trained(small(), COUNTS, starts=1, seeds=SEEDS)
    assert all(np.isnan(values).all() for values in found.values())


def test_a_rank_that_is_not_certain_is_nan_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def doubtful(*_: object) -> np.ndarray:
        return np.array([[0.1, 0.2, 6.0, 2.0, 1.0]] * COUNTS.size)

    monkeypatch.setattr(trained, "_one_draw", doubtful)
    with pytest.warns(UnconvergedWarning, match=r"^a singular value of the Jacobian is too close to 0"):
        found = trained.trained(small(), COUNTS, starts=1, seeds=SEEDS)
    assert np.isnan(found["ambiguity"]).all()
    assert np.isfinite(found["misfit"]).all()
