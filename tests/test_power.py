"""What a check could detect, as a share of what it is about: the share is what it says."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from teacherstudent.paper_checks.judging.agreement import (
    above_zero,
    at_order,
    at_rate,
    mean_within_errors,
    none_wrong,
    shrinking_bias,
    within_bound,
)
from teacherstudent.paper_checks.judging.claims import constant_claim
from teacherstudent.paper_checks.judging.effect_shares import UNSEEN
from teacherstudent.paper_checks.judging.effects import WEAK, WHOLE, Contrast, Declared, Effect
from teacherstudent.paper_checks.judging.evidence import Check, Verdict, WrongClaim, run_check, worst_verdict
from teacherstudent.paper_checks.judging.exactness import equal_after_steps
from teacherstudent.paper_checks.judging.symbols import vanish
from tests.roundings import same

SIZES = np.array([10.0, 20.0, 40.0, 80.0])
OBSERVED = np.array([0.3, -1.0, 2.0])


def sample() -> np.ndarray:
    """Draws (S, P) whose means are `OBSERVED` exactly."""
    noise = np.random.default_rng(5).standard_normal((400, 3)) * [0.1, 1.0, 0.5]
    return OBSERVED + noise - noise.mean(axis=0)


def bounded(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    return within_bound(evidence.mean(axis=0) - claimed, [0.01, 0.2, 0.05], "a reason", "height")


def biased(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    return mean_within_errors(evidence, claimed, bias=[0.2, 0.05, 0.1])


@pytest.mark.parametrize("judge", [mean_within_errors, biased, bounded])
def test_the_share_of_a_contrast_is_the_part_of_the_difference_that_is_just_detected(judge: object) -> None:
    """Claims on the way to the wrong one are accepted up to that share of it, and refuted beyond."""
    wrong = OBSERVED + np.array([0.0, 0.7, 0.9])
    check = Check(
        "heights", "toy", "", "paper", "", lambda _: sample(), constant_claim(OBSERVED), judge,  # type: ignore[arg-type]
        wrong=(WrongClaim("another theory", constant_claim(wrong)),),
        effect=Contrast("another theory", "a step"),
    )  # fmt: skip
    share = run_check(check).verdict.share
    assert 0.01 < share < 0.5

    def part_of_the_way(part: float) -> Verdict:
        return check.judge(sample(), OBSERVED + part * (wrong - OBSERVED))

    assert part_of_the_way(0.999 * share).agrees
    assert part_of_the_way(1.001 * share).refutes


# Several comparisons -----------------------------------------------------------------------------------

HEIGHTS = ("first", "second")


def several(
    wrong: dict[str, tuple[float, float]], effect: Declared = None, unit: str = "height", bound: float = 0.1
) -> list[Verdict]:
    """The comparisons of a check of two heights that are 1, each to a bound; of `wrong` claims too."""

    def each_in_its_own(_: object, claimed: tuple[float, float]) -> Verdict:
        return worst_verdict(
            *(
                within_bound(height - 1, bound, name, unit)
                for name, height in zip(HEIGHTS, claimed, strict=True)
            )
        )

    check = Check(
        "heights", "toy", "", "paper", "", lambda _: None, constant_claim((1.0, 1.0)), each_in_its_own,
        wrong=tuple(WrongClaim(name, constant_claim(claimed)) for name, claimed in wrong.items()),
        effect=effect,
    )  # fmt: skip
    return run_check(check).verdict.leaves


def test_each_comparison_has_the_share_of_what_it_sees_of_the_contrast_itself() -> None:
    """What one comparison sees clearly says nothing of another that hardly sees it."""
    first, second = several({"another theory": (1001.0, 1.15)}, Contrast("another theory", "a step"))
    assert (first.share, second.share) == pytest.approx((1e-4, 2 / 3))
    assert first.effect is not None
    assert second.effect is not None
    assert (first.effect.size, second.effect.size) == pytest.approx((1000, 0.15))
    assert second.share > WEAK


def test_a_comparison_that_the_contrast_does_not_change_is_about_the_wrong_claim_that_it_sees_best() -> None:
    wrong = {"another theory": (3.0, 1.0), "a little": (1.0, 1.2), "much": (1.0, 1.5)}
    first, second = several(wrong, Contrast("another theory", "a step"))
    assert first.effect == Effect(pytest.approx(2.0), "a step")
    assert second.effect == Effect(pytest.approx(0.5), "the effect of the wrong claim 'much'")


def test_a_comparison_that_no_wrong_claim_changes_is_weak() -> None:
    first, second = several({"another theory": (3.0, 1.0)}, Contrast("another theory", "a step"))
    assert first.share < WEAK < second.share == np.inf
    assert second.effect == Effect(0.0, UNSEEN)


def test_a_contrast_must_be_judged_by_the_same_comparisons() -> None:
    def stops_early(_: object, height: float) -> Verdict:
        first = within_bound(height - 1, 0.1, "first", "height")
        return worst_verdict(first, first) if first.agrees else first

    check = Check(
        "heights", "toy", "", "paper", "", lambda _: None, constant_claim(1.0), stops_early,
        wrong=(WrongClaim("wrong", constant_claim(3.0)),), effect=Contrast("wrong", "a step"),
    )  # fmt: skip
    with pytest.raises(ValueError, match="'wrong' is not judged by the same comparisons as the claim"):
        run_check(check)


def test_a_declared_effect_holds_for_relative_errors_too() -> None:
    declared = Effect(0.25, "a quarter of the bump")
    assert [leaf.share for leaf in several({}, declared, "relative")] == pytest.approx([0.4, 0.4])
    first, second = several({"another": (1.5, 1.0)}, Contrast("another", "a step"), "relative")
    assert first.share == pytest.approx(0.2)
    assert second.effect == WHOLE
    assert {leaf.effect for leaf in several({}, None, "relative")} == {WHOLE}


def test_up_to_half_of_the_effect_nothing_is_accepted_that_the_next_exponent_fits_better() -> None:
    """Above, a rate of -1 is accepted where -1/2 is nearer: such a check is weak."""
    nearer_to_the_next = SIZES**-0.74
    for slack in (0.2, 0.25, 0.3, 0.7):
        verdict = at_rate(SIZES, nearer_to_the_next, -1.0, slack=slack)
        assert verdict.share == pytest.approx(slack / 0.5)
        assert verdict.agrees == (verdict.share > WEAK * 1.04)


def test_an_order_measured_far_from_the_limit_is_weak() -> None:
    """At small sizes the next order is as large as the first: that the order is 1 is not seen there."""
    near, far = (at_order(SIZES, 1 / SIZES + scale / SIZES**2, -1) for scale in (1.0, -9.0))
    assert near.agrees
    assert far.agrees
    assert near.share == pytest.approx(0.1, abs=0.02)
    assert far.share > near.share
    assert at_order(SIZES / 10, 1 / SIZES + 1 / (SIZES / 10) ** 4, -1).share > WEAK


def test_an_exponent_from_draws_knows_its_power() -> None:
    rng = np.random.default_rng(1)
    noisy, clear = (
        shrinking_bias(
            [10, 20, 40],
            [1 / d + scale * rng.standard_normal((500, 2)) for d in (10, 20, 40)],
            -1,
        ).verdict(-1)
        for scale in (0.1, 0.01)
    )
    assert clear.share == pytest.approx(clear.threshold / 0.5)
    assert clear.share < WEAK < noisy.share


def test_counts_weights_and_algebra_know_what_they_are_about() -> None:
    assert same(none_wrong(0, 20, "wrong signs", "points").share, 1 / 20, 2)
    weights = equal_after_steps(np.array([[3.0, -5.0]]), np.array([[3.0, -5.0]]), 10, 2)
    assert weights.share == pytest.approx(weights.resolution / 5)
    assert vanish(None, []).share == 0


def test_of_means_that_must_be_positive_the_one_with_the_largest_share_counts() -> None:
    noise = np.random.default_rng(2).standard_normal((2, 50))
    noise = (noise - noise.mean(axis=1, keepdims=True)) / noise.std(axis=1, ddof=1, keepdims=True)
    shown = partial(above_zero, unit="height")
    alone = [shown(mean + scale * noise[[row]]) for row, (mean, scale) in enumerate([(9.0, 2.0), (2.0, 1.0)])]
    both = shown(np.array([[9.0], [2.0]]) + noise * [[2.0], [1.0]])
    assert alone[0].resolution > alone[1].resolution
    assert alone[0].share < alone[1].share
    assert both.effect == alone[1].effect
    assert both.share > both.resolution / 9
