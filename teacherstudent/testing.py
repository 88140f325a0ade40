"""Your own theory in your own tests: `assert_agrees` for pytest, or for any other runner.

    from teacherstudent.testing import assert_agrees

    def test_my_theory():
        assert_agrees(simulated_draws(), my_theory, effect=0.1, wrong={"factor 2 missing": half_my_theory})

Importing this imports neither NumPy nor JAX.
"""

from __future__ import annotations

from typing import Any

from teacherstudent.api.judge import judge
from teacherstudent.api.judged.judgement import Judgement

__all__ = ["assert_agrees"]


def assert_agrees(draws: Any, theory: Any, *, may_be_blunt: bool = False, **more: Any) -> Judgement:
    """Fail unless draws agree with a theory, and would reject a theory that is wrong by the stated effect.

    Args:
        draws: Draws, as in `teacherstudent.judge`.
        theory: A theory, as in `teacherstudent.judge`.
        may_be_blunt: Whether to pass with the verdicts `cannot tell` and `blunt`: too few draws for the
            effect, or a wrong theory that the draws do not refute. By default these verdicts fail; the
            message says how many draws would suffice.
        **more: `effect`, `wrong`, `points`, `sizes`, `exponent` and `level`, as in `teacherstudent.judge`.

    Returns:
        The judgement.

    Raises:
        AssertionError: If draws and theory disagree, or if the draws cannot tell; the message is the printed
            judgement.
        InputError: For draws or theories that cannot be judged, as in `teacherstudent.judge`; it is a
            `ValueError`.

    Examples:
        >>> import numpy as np
        >>> from teacherstudent.testing import assert_agrees
        >>> draws = 2 + np.random.default_rng(0).standard_normal((100, 3))
        >>> assert_agrees(draws, [2, 2, 2], effect=1.5).verdict
        'agrees'
    """
    __tracebackhide__ = True
    found = judge(draws, theory, **more)
    if found.agrees or (may_be_blunt and found.verdict in ("cannot tell", "blunt")):
        return found
    raise AssertionError(str(found))
